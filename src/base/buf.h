/** @file
 * A growable byte buffer and a borrowed span of bytes. Any bytes; a NUL always stands after the
 * last one, so `buf.data` of text can be used as a C string.
 */
#ifndef BH_BASE_BUF_H
#define BH_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

/** Bytes of somebody else, good as long as their owner says. */
struct bh_span {
	/** First byte; may be NULL when len is 0. */
	const char *data;
	/** Number of bytes. */
	size_t len;
};

/** A span over a C string (NULL allowed: empty). */
struct bh_span bh_span_of(const char *text);

/** Owned bytes. Zero-initialise (`{0}`) or bh_buf_init(); end with bh_buf_clear(). */
struct bh_buf {
	/** The bytes, NUL after the last; NULL before the first append. */
	char *data;
	/** Number of bytes in use. */
	size_t len;
	/** Number of bytes allocated. */
	size_t size;
};

/** Make an empty buffer; nothing is allocated. */
void bh_buf_init(struct bh_buf *buf);

/** Free the bytes; the buffer is empty and usable again. */
void bh_buf_clear(struct bh_buf *buf);

/** Room for @more bytes beyond len without another allocation. */
void bh_buf_reserve(struct bh_buf *buf, size_t more);

/** Add bytes at the end. */
void bh_buf_append(struct bh_buf *buf, const void *bytes, size_t len);

/** Add a C string at the end. */
void bh_buf_puts(struct bh_buf *buf, const char *text);

/** Add formatted text at the end. */
void bh_buf_printf(struct bh_buf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** As bh_buf_printf() with a va_list. */
void bh_buf_vprintf(struct bh_buf *buf, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/** Drop the first @len bytes (at most all), keeping the rest. */
void bh_buf_consume(struct bh_buf *buf, size_t len);

/** Hand the bytes out as a C string, never NULL; the caller frees, the buffer is empty again. */
char *bh_buf_detach(struct bh_buf *buf);

#endif
