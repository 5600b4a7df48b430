/** @file
 * Rows for the tests of copy mode, as the server would give them.
 */
#ifndef TESTS_UNIT_COPY_HELP_H
#define TESTS_UNIT_COPY_HELP_H

#include "src/ui/linecache.h"

#include <cjson/cJSON.h>
#include <stdint.h>

/** An answer of terminal.history: rows with the ids from @first on, of those from @oldest on. Rows are
 * parted by '|'; one that ends with '\' goes on in the next. The id of the screen's first row is @end by
 * now. */
cJSON *copy_answer(int64_t oldest, int64_t first, const char *rows, int64_t end);

/** The same as the first answer: with a screen of @screen_rows, and the columns. */
cJSON *copy_first_answer(int64_t oldest, int64_t first, const char *rows, int cols,
                         const char *screen_rows);

/** A cache with all rows of a history and a screen of @cols columns. */
struct bh_linecache *copy_cache(const char *history, const char *screen, int cols);

/** Fail unless the rows from the first to the last are @rows, written as above. */
void copy_expect_rows(const struct bh_linecache *cache, const char *rows);

#endif
