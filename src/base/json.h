/** @file
 * Reading JSON that comes from outside. On top of cJSON: strict parsing with the place of an error,
 * and typed getters with limits whose errors name the field.
 *
 * Getters come in two kinds: bh_json_get_x() wants the field to be there, bh_json_opt_x() leaves the
 * output untouched and gives 0 when it is missing or null. All give BH_EINVALID with a sentence like
 * "params.cols must be a whole number from 2 to 1000" when the value is not of the right kind.
 */
#ifndef BH_BASE_JSON_H
#define BH_BASE_JSON_H

#include "src/base/err.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Parse exactly one JSON text. Refused: anything after it, invalid UTF-8, NUL bytes and \u0000,
 * nesting deeper than BH_LIMIT_JSON_DEPTH.
 *
 * @return
 *         The value (end with cJSON_Delete()), or NULL with @err = BH_EINVALID and the byte offset.
 */
cJSON *bh_json_parse(const char *text, size_t len, struct bh_err *err);

/** As bh_json_parse(); on failure *@at_out is the offset of the byte that is wrong (up to @len). */
cJSON *bh_json_parse_at(const char *text, size_t len, size_t *at_out, struct bh_err *err);

/** As bh_json_parse(), and the value must be an object. */
cJSON *bh_json_parse_object(const char *text, size_t len, struct bh_err *err);

/** Print without line breaks; the caller frees with free(). Never NULL. */
char *bh_json_print(const cJSON *value);

/** A string of at most @max bytes, borrowed from @object. */
int bh_json_get_str(const cJSON *object, const char *key, size_t max, const char **out,
                    struct bh_err *err);
/** As bh_json_get_str(); a missing field leaves *@out as it is. */
int bh_json_opt_str(const cJSON *object, const char *key, size_t max, const char **out,
                    struct bh_err *err);

/** A whole number from @min to @max, both within +-2^53. */
int bh_json_get_int(const cJSON *object, const char *key, int64_t min, int64_t max, int64_t *out,
                    struct bh_err *err);
/** As bh_json_get_int(); a missing field leaves *@out as it is. */
int bh_json_opt_int(const cJSON *object, const char *key, int64_t min, int64_t max, int64_t *out,
                    struct bh_err *err);

/** true or false. */
int bh_json_get_bool(const cJSON *object, const char *key, bool *out, struct bh_err *err);
/** As bh_json_get_bool(); a missing field leaves *@out as it is. */
int bh_json_opt_bool(const cJSON *object, const char *key, bool *out, struct bh_err *err);

/** An object, borrowed. */
int bh_json_get_object(const cJSON *object, const char *key, const cJSON **out, struct bh_err *err);
/** As bh_json_get_object(); a missing field leaves *@out as it is. */
int bh_json_opt_object(const cJSON *object, const char *key, const cJSON **out, struct bh_err *err);

/** An array of at most @max elements, borrowed. */
int bh_json_get_array(const cJSON *object, const char *key, size_t max, const cJSON **out,
                      struct bh_err *err);

/**
 * An array of at most @max strings as a NULL-terminated vector. The vector is the caller's (free()),
 * the strings are borrowed from @object.
 */
int bh_json_get_strv(const cJSON *object, const char *key, size_t max, const char ***out,
                     struct bh_err *err);

#endif
