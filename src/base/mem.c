#include "src/base/mem.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void memory_exhausted(size_t size)
{
	(void)fprintf(stderr, "bellhop: out of memory (%zu bytes)\n", size);
	abort();
}

void bh_mem_begin(void)
{
	// One heap for all threads. Thresholds that are set do not grow with what is freed, as they would by
	// themselves: after one large request the end of the heap would stay for good.
	(void)mallopt(M_ARENA_MAX, 1);
	(void)mallopt(M_MMAP_THRESHOLD, 256 * 1024);
	(void)mallopt(M_TRIM_THRESHOLD, 64 * 1024);
	(void)mallopt(M_TOP_PAD, 16 * 1024);
}

void bh_mem_give_back(void)
{
	(void)malloc_trim(0); // 0: there was nothing
}

void *bh_xmalloc(size_t size)
{
	return bh_xcalloc(1, size == 0 ? 1 : size);
}

void *bh_xcalloc(size_t count, size_t size)
{
	void *block = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);

	if (block == NULL) {
		memory_exhausted(count * size);
	}
	return block;
}

void *bh_xrealloc(void *old, size_t count, size_t size)
{
	void *block;

	if (size != 0 && count > SIZE_MAX / size) {
		memory_exhausted(SIZE_MAX);
	}
	block = realloc(old, count * size == 0 ? 1 : count * size);
	if (block == NULL) {
		memory_exhausted(count * size);
	}
	return block;
}

char *bh_xstrdup(const char *text)
{
	return text == NULL ? NULL : bh_xmemdup(text, strlen(text));
}

char *bh_xmemdup(const void *bytes, size_t len)
{
	char *copy = bh_xmalloc(len + 1);

	if (len > 0) {
		memcpy(copy, bytes, len);
	}
	copy[len] = '\0';
	return copy;
}

char *bh_xasprintf(const char *format, ...)
{
	va_list args;
	char *text = NULL;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0) {
		memory_exhausted(0);
	}
	return text;
}
