/** @file
 * JSON as people write it in settings: with comments and with a comma after the last element.
 */
#ifndef BH_BASE_JSON_RELAXED_H
#define BH_BASE_JSON_RELAXED_H

#include "src/base/err.h"

#include <stddef.h>

/**
 * Blank out line comments (two slashes), block comments and commas before a closing bracket. Lines
 * and offsets stay what they are, so that places in the result are places in the file.
 *
 * @text
 *         Changed in place; @len bytes.
 * @at_out
 *         On failure: where the comment begins that does not end.
 * @return
 *         0, or BH_EINVALID.
 */
int bh_json_relaxed_plain(char *text, size_t len, size_t *at_out, struct bh_err *err);

#endif
