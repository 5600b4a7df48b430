/** @file
 * "Did you mean ...?": the name that a misspelt word was probably meant to be.
 */
#ifndef BH_BASE_NEAREST_H
#define BH_BASE_NEAREST_H

/**
 * The entry of @names (ended by NULL) that @word was probably meant to be, or NULL when none is
 * near (at most a third of its letters changed, or @word begins it).
 */
const char *bh_nearest(const char *word, const char *const *names);

#endif
