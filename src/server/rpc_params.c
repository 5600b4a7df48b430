// The parameters of a request, as rpc.h says: what is wrong with one fails the request.
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/server/rpc.h"

/** Fail the request with what a getter of json.h found; false, for `return`. */
static bool request_fail_params(struct bh_request *request, const struct bh_err *err)
{
	bh_request_fail(request, "params", "%s", err->text);
	return false;
}

const char *bh_request_string(struct bh_request *request, const char *name)
{
	const char *value = NULL;
	struct bh_err err = {0};

	if (bh_json_get_str(bh_request_params(request), name, BH_LIMIT_LINE, &value, &err) != 0) {
		request_fail_params(request, &err);
		return NULL;
	}
	return value;
}

bool bh_request_optional_string(struct bh_request *request, const char *name,
                                const char **value_out)
{
	const char *value = NULL;
	struct bh_err err = {0};

	if (bh_json_opt_str(bh_request_params(request), name, BH_LIMIT_LINE, &value, &err) != 0) {
		return request_fail_params(request, &err);
	}
	*value_out = value;
	return true;
}

bool bh_request_number(struct bh_request *request, const char *name, int64_t fallback, int64_t min,
                       int64_t max, int64_t *value_out)
{
	int64_t value = fallback;
	struct bh_err err = {0};

	if (bh_json_opt_int(bh_request_params(request), name, min, max, &value, &err) != 0) {
		return request_fail_params(request, &err);
	}
	*value_out = value;
	return true;
}

bool bh_request_flag(struct bh_request *request, const char *name, bool *value_out)
{
	bool value = false;
	struct bh_err err = {0};

	if (bh_json_opt_bool(bh_request_params(request), name, &value, &err) != 0) {
		return request_fail_params(request, &err);
	}
	*value_out = value;
	return true;
}
