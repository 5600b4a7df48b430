#include "src/base/json.h"

#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_MAX 9007199254740992.0 // 2^53: beyond it a double skips numbers

// What cJSON would not notice: it cuts strings at \u0000, and its own depth limit is 1000, which
// is more than our callers want to recurse into.
static int text_check(const char *text, size_t len, size_t *at_out, struct bh_err *err)
{
	size_t valid = bh_utf8_valid_len(text, len);
	bool in_string = false;
	int depth = 0;

	*at_out = valid;
	if (valid < len) {
		return bh_err_set(err, BH_EINVALID, "JSON: invalid UTF-8 at byte %zu", valid);
	}
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		*at_out = i;
		if (c == '\0' || (in_string && c == '\\' && len - i >= 6 &&
		                  memcmp(text + i, "\\u0000", 6) == 0)) {
			return bh_err_set(err, BH_EINVALID, "JSON: NUL character at byte %zu", i);
		}
		if (in_string && c == '\\') {
			i++; // what follows is escaped
		} else if (c == '"') {
			in_string = !in_string;
		} else if (!in_string) {
			depth += (c == '{' || c == '[') - (c == '}' || c == ']');
		}
		if (depth > BH_LIMIT_JSON_DEPTH) {
			return bh_err_set(err, BH_EINVALID,
			                  "JSON: nested deeper than %d at byte %zu",
			                  BH_LIMIT_JSON_DEPTH, i);
		}
	}
	return 0;
}

static size_t skip_space(const char *text, size_t at, size_t len)
{
	while (at < len && strchr(" \t\r\n", text[at]) != NULL) {
		at++;
	}
	return at;
}

cJSON *bh_json_parse_at(const char *text, size_t len, size_t *at_out, struct bh_err *err)
{
	const char *end = NULL;
	size_t used;
	cJSON *value;

	if (text_check(text, len, at_out, err) != 0) {
		return NULL;
	}
	value = cJSON_ParseWithLengthOpts(text, len, &end, 0);
	used = end == NULL ? 0 : (size_t)(end - text);
	*at_out = used;
	if (value == NULL) {
		(void)bh_err_set(err, BH_EINVALID, "JSON: syntax error near byte %zu", used);
		return NULL;
	}
	used = skip_space(text, used, len);
	*at_out = used;
	if (used < len) {
		(void)bh_err_set(err, BH_EINVALID, "JSON: text after the value at byte %zu", used);
		cJSON_Delete(value);
		return NULL;
	}
	return value;
}

cJSON *bh_json_parse(const char *text, size_t len, struct bh_err *err)
{
	size_t at = 0;

	return bh_json_parse_at(text, len, &at, err);
}

cJSON *bh_json_parse_object(const char *text, size_t len, struct bh_err *err)
{
	cJSON *value = bh_json_parse(text, len, err);

	if (value != NULL && !cJSON_IsObject(value)) {
		(void)bh_err_set(err, BH_EINVALID, "JSON: an object ({...}) was expected");
		cJSON_Delete(value);
		return NULL;
	}
	return value;
}

char *bh_json_print(const cJSON *value)
{
	char *text = cJSON_PrintUnformatted(value);

	if (text == NULL) {
		BH_BUG("out of memory printing JSON");
	}
	return text;
}

// Look @key up: 1 = there, 0 = missing and that is allowed, else an error.
static int field_find(const cJSON *object, const char *key, bool is_optional, const cJSON **out,
                      struct bh_err *err)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

	if (value == NULL || (is_optional && cJSON_IsNull(value))) {
		return is_optional ? 0
		                   : bh_err_set(err, BH_EINVALID, "field \"%s\" is missing", key);
	}
	*out = value;
	return 1;
}

static int str_take(const cJSON *object, const char *key, size_t max, bool is_optional,
                    const char **out, struct bh_err *err)
{
	const cJSON *value = NULL;
	int found = field_find(object, key, is_optional, &value, err);

	if (found <= 0) {
		return found;
	}
	if (value == NULL || !cJSON_IsString(value)) {
		return bh_err_set(err, BH_EINVALID, "\"%s\" must be a string", key);
	}
	if (strlen(value->valuestring) > max) {
		return bh_err_set(err, BH_ELIMIT, "\"%s\" is longer than %zu bytes", key, max);
	}
	*out = value->valuestring;
	return 0;
}

int bh_json_get_str(const cJSON *object, const char *key, size_t max, const char **out,
                    struct bh_err *err)
{
	return str_take(object, key, max, false, out, err);
}

int bh_json_opt_str(const cJSON *object, const char *key, size_t max, const char **out,
                    struct bh_err *err)
{
	return str_take(object, key, max, true, out, err);
}

// The bounds of a number field.
struct range {
	int64_t min;
	int64_t max;
};

static int int_take(const cJSON *object, const char *key, struct range range, bool is_optional,
                    int64_t *out, struct bh_err *err)
{
	const cJSON *value = NULL;
	int found = field_find(object, key, is_optional, &value, err);
	double number;

	if (found <= 0 || value == NULL) {
		return found;
	}
	number = value != NULL && cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
	// The comparison is false for NaN, so that case ends here too.
	if (!(fabs(number) <= WHOLE_MAX) || number != floor(number) ||
	    (int64_t)number < range.min || (int64_t)number > range.max) {
		return bh_err_set(err, BH_EINVALID,
		                  "\"%s\" must be a whole number from %lld to %lld", key,
		                  (long long)range.min, (long long)range.max);
	}
	*out = (int64_t)number;
	return 0;
}

int bh_json_get_int(const cJSON *object, const char *key, int64_t min, int64_t max, int64_t *out,
                    struct bh_err *err)
{
	return int_take(object, key, (struct range){min, max}, false, out, err);
}

int bh_json_opt_int(const cJSON *object, const char *key, int64_t min, int64_t max, int64_t *out,
                    struct bh_err *err)
{
	return int_take(object, key, (struct range){min, max}, true, out, err);
}

static int bool_take(const cJSON *object, const char *key, bool is_optional, bool *out,
                     struct bh_err *err)
{
	const cJSON *value = NULL;
	int found = field_find(object, key, is_optional, &value, err);

	if (found <= 0) {
		return found;
	}
	if (!cJSON_IsBool(value)) {
		return bh_err_set(err, BH_EINVALID, "\"%s\" must be true or false", key);
	}
	*out = cJSON_IsTrue(value);
	return 0;
}

int bh_json_get_bool(const cJSON *object, const char *key, bool *out, struct bh_err *err)
{
	return bool_take(object, key, false, out, err);
}

int bh_json_opt_bool(const cJSON *object, const char *key, bool *out, struct bh_err *err)
{
	return bool_take(object, key, true, out, err);
}

static int object_take(const cJSON *object, const char *key, bool is_optional, const cJSON **out,
                       struct bh_err *err)
{
	const cJSON *value = NULL;
	int found = field_find(object, key, is_optional, &value, err);

	if (found <= 0) {
		return found;
	}
	if (!cJSON_IsObject(value)) {
		return bh_err_set(err, BH_EINVALID, "\"%s\" must be an object", key);
	}
	*out = value;
	return 0;
}

int bh_json_get_object(const cJSON *object, const char *key, const cJSON **out, struct bh_err *err)
{
	return object_take(object, key, false, out, err);
}

int bh_json_opt_object(const cJSON *object, const char *key, const cJSON **out, struct bh_err *err)
{
	return object_take(object, key, true, out, err);
}

int bh_json_get_array(const cJSON *object, const char *key, size_t max, const cJSON **out,
                      struct bh_err *err)
{
	const cJSON *value = NULL;
	int found = field_find(object, key, false, &value, err);

	if (found <= 0) {
		return found;
	}
	if (!cJSON_IsArray(value)) {
		return bh_err_set(err, BH_EINVALID, "\"%s\" must be an array", key);
	}
	if ((size_t)cJSON_GetArraySize(value) > max) {
		return bh_err_set(err, BH_ELIMIT, "\"%s\" has more than %zu elements", key, max);
	}
	*out = value;
	return 0;
}

int bh_json_get_strv(const cJSON *object, const char *key, size_t max, const char ***out,
                     struct bh_err *err)
{
	const cJSON *array = NULL;
	int rc = bh_json_get_array(object, key, max, &array, err);
	const cJSON *at;
	const char **vector;
	size_t count = 0;

	if (rc != 0 || array == NULL) {
		return rc;
	}
	vector = bh_xcalloc((size_t)cJSON_GetArraySize(array) + 1, sizeof(*vector));
	cJSON_ArrayForEach(at, array)
	{
		if (!cJSON_IsString(at)) {
			free(vector);
			return bh_err_set(err, BH_EINVALID, "\"%s\" must be an array of strings",
			                  key);
		}
		vector[count++] = at->valuestring;
	}
	*out = vector;
	return 0;
}
