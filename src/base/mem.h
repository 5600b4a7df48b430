/** @file
 * Allocation that does not fail: out of memory aborts with words. Every size that comes from
 * outside is checked against a named limit *before* it reaches these functions.
 */
#ifndef BH_BASE_MEM_H
#define BH_BASE_MEM_H

#include <stddef.h>

/**
 * Let the heap of this process give back what it does not need any more, whatever it once held. To be
 * called first.
 */
void bh_mem_begin(void);

/** Give back now what was freed, also between what is in use; takes a millisecond at most. */
void bh_mem_give_back(void);

/** @size zeroed bytes (at least one). The caller frees with free(). */
void *bh_xmalloc(size_t size);

/** @count zeroed elements of @size bytes; aborts on overflow of the product. */
void *bh_xcalloc(size_t count, size_t size);

/** Grow or shrink @old (NULL allowed) to @count elements of @size bytes; new bytes are not set. */
void *bh_xrealloc(void *old, size_t count, size_t size);

/** A copy of @text, or NULL for NULL. */
char *bh_xstrdup(const char *text);

/** A NUL-terminated copy of @len bytes. */
char *bh_xmemdup(const void *bytes, size_t len);

/** A formatted string. The caller frees. */
char *bh_xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
