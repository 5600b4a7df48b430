/** @file
 * Where in a JSON text a value stands: cJSON does not keep lines, and an error in a file should
 * name one.
 */
#ifndef BH_BASE_JSON_PLACE_H
#define BH_BASE_JSON_PLACE_H

#include <stddef.h>

/**
 * The line (from 1) of the value that @path names in valid JSON @text.
 *
 * @path
 *         Keys and indices joined by dots: "rules.3.any.0". When a part is missing, the line of
 *         the deepest part that exists.
 */
int bh_json_place_line(const char *text, size_t len, const char *path);

#endif
