/** A growing run of bytes, and memory that cannot fail (out of memory aborts). */
#ifndef BH_TERM_BYTES_H
#define BH_TERM_BYTES_H

#include <stddef.h>
#include <stdint.h>

/** Zero it before use; `data` is NUL-terminated whenever it is not NULL. */
struct bh_bytes {
	char *data;
	size_t len; ///< bytes in use, without the NUL
	size_t cap; ///< bytes allocated
};

/** Append @len bytes; @data may hold anything. */
void bh_bytes_add(struct bh_bytes *bytes, const void *data, size_t len);

/** Make room for @more bytes and return where they go; the caller writes up to so many there and
 * adds them to `len`. The content is not NUL-terminated then. */
char *bh_bytes_room(struct bh_bytes *bytes, size_t more);

/** Append one byte. */
void bh_bytes_add_byte(struct bh_bytes *bytes, char byte);

/** Append a string. */
void bh_bytes_puts(struct bh_bytes *bytes, const char *text);

/** Append formatted text. */
void bh_bytes_printf(struct bh_bytes *bytes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Forget the first @len bytes. */
void bh_bytes_consume(struct bh_bytes *bytes, size_t len);

/** Give the content to the caller, who frees it (never NULL); @len_out may be NULL. @bytes is empty
 * afterwards. */
char *bh_bytes_detach(struct bh_bytes *bytes, size_t *len_out);

/** Free the content; @bytes may be used again. */
void bh_bytes_clear(struct bh_bytes *bytes);

/** Zeroed memory for @count things of @size bytes; aborts when there is none. */
void *bh_bytes_alloc(size_t count, size_t size);

/** realloc() that aborts when there is no memory. */
void *bh_bytes_realloc(void *old, size_t size);

#endif
