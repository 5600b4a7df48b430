#include "src/base/buf.h"

#include "src/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bh_span bh_span_of(const char *text)
{
	return (struct bh_span){.data = text, .len = text == NULL ? 0 : strlen(text)};
}

void bh_buf_init(struct bh_buf *buf)
{
	*buf = (struct bh_buf){0};
}

void bh_buf_clear(struct bh_buf *buf)
{
	free(buf->data);
	bh_buf_init(buf);
}

void bh_buf_reserve(struct bh_buf *buf, size_t more)
{
	size_t need = buf->len + more + 1;
	size_t size = buf->size == 0 ? 64 : buf->size;

	if (need <= buf->size) {
		return;
	}
	while (size < need) {
		size *= 2;
	}
	buf->data = bh_xrealloc(buf->data, size, 1);
	buf->size = size;
	buf->data[buf->len] = '\0';
}

void bh_buf_append(struct bh_buf *buf, const void *bytes, size_t len)
{
	bh_buf_reserve(buf, len);
	if (len > 0) {
		memcpy(buf->data + buf->len, bytes, len);
	}
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void bh_buf_puts(struct bh_buf *buf, const char *text)
{
	bh_buf_append(buf, text, strlen(text));
}

void bh_buf_vprintf(struct bh_buf *buf, const char *format, va_list args)
{
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len <= 0) {
		return;
	}
	bh_buf_reserve(buf, (size_t)len);
	(void)vsnprintf(buf->data + buf->len, (size_t)len + 1, format, args); // measured above
	buf->len += (size_t)len;
}

void bh_buf_printf(struct bh_buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	bh_buf_vprintf(buf, format, args);
	va_end(args);
}

void bh_buf_consume(struct bh_buf *buf, size_t len)
{
	if (len >= buf->len) {
		buf->len = 0;
	} else {
		memmove(buf->data, buf->data + len, buf->len - len);
		buf->len -= len;
	}
	if (buf->data != NULL) {
		buf->data[buf->len] = '\0';
	}
}

char *bh_buf_detach(struct bh_buf *buf)
{
	char *data;

	bh_buf_reserve(buf, 0);
	data = buf->data;
	bh_buf_init(buf);
	return data;
}
