#include "term/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// term/ includes nothing of ours, so it has its own growing buffer. Sizes that come from outside are
// bounded before they get here; when memory ends nevertheless, nothing sensible is left to do.

void *bh_bytes_alloc(size_t count, size_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

	if (memory == NULL) {
		abort();
	}
	return memory;
}

void *bh_bytes_realloc(void *old, size_t size)
{
	void *memory = realloc(old, size > 0 ? size : 1);

	if (memory == NULL) {
		abort();
	}
	return memory;
}

static void bytes_reserve(struct bh_bytes *bytes, size_t more)
{
	size_t need = bytes->len + more + 1;

	if (need <= bytes->cap) {
		return;
	}
	size_t cap = bytes->cap > 0 ? bytes->cap : 64;

	while (cap < need) {
		cap *= 2;
	}
	bytes->data = bh_bytes_realloc(bytes->data, cap);
	bytes->cap = cap;
}

void bh_bytes_add(struct bh_bytes *bytes, const void *data, size_t len)
{
	bytes_reserve(bytes, len);
	if (len > 0) {
		memcpy(bytes->data + bytes->len, data, len);
	}
	bytes->len += len;
	bytes->data[bytes->len] = '\0';
}

char *bh_bytes_room(struct bh_bytes *bytes, size_t more)
{
	bytes_reserve(bytes, more);
	return bytes->data + bytes->len;
}

void bh_bytes_add_byte(struct bh_bytes *bytes, char byte)
{
	bh_bytes_add(bytes, &byte, 1);
}

void bh_bytes_puts(struct bh_bytes *bytes, const char *text)
{
	bh_bytes_add(bytes, text, strlen(text));
}

void bh_bytes_printf(struct bh_bytes *bytes, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len <= 0) {
		return;
	}
	bytes_reserve(bytes, (size_t)len);
	va_start(args, format);
	(void)vsnprintf(bytes->data + bytes->len, (size_t)len + 1, format, args); // it fits
	va_end(args);
	bytes->len += (size_t)len;
}

void bh_bytes_consume(struct bh_bytes *bytes, size_t len)
{
	if (len >= bytes->len) {
		bytes->len = 0;
	} else {
		memmove(bytes->data, bytes->data + len, bytes->len - len);
		bytes->len -= len;
	}
	if (bytes->data != NULL) {
		bytes->data[bytes->len] = '\0';
	}
}

char *bh_bytes_detach(struct bh_bytes *bytes, size_t *len_out)
{
	bytes_reserve(bytes, 0);
	bytes->data[bytes->len] = '\0';
	char *data = bytes->data;

	if (len_out != NULL) {
		*len_out = bytes->len;
	}
	*bytes = (struct bh_bytes){0};
	return data;
}

void bh_bytes_clear(struct bh_bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bh_bytes){0};
}
