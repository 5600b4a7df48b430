// What is right in a parameter is given, what is wrong fails the request with words.
#include "src/server/rpc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/** The only request; it is this file's own, so that nothing of the RPC comes with it. */
struct bh_request {
	cJSON *params;
	char failure[200];
};

const cJSON *bh_request_params(const struct bh_request *request)
{
	return request->params;
}

void bh_request_fail(struct bh_request *request, const char *word, const char *format, ...)
{
	va_list args;
	int used = snprintf(request->failure, sizeof(request->failure), "%s: ", word);

	va_start(args, format);
	(void)vsnprintf(request->failure + used, sizeof(request->failure) - (size_t)used, format,
	                args);
	va_end(args);
}

static struct bh_request request_of(const char *params)
{
	struct bh_request request = {.params = cJSON_Parse(params)};

	assert_non_null(request.params);
	return request;
}

/** The request was failed, with words that name the parameter. */
static void assert_failed(struct bh_request *request)
{
	assert_memory_equal(request->failure, "params: ", strlen("params: "));
	assert_non_null(strstr(request->failure, "it"));
	request->failure[0] = '\0';
}

static void a_string_must_be_there(void **state)
{
	struct bh_request request = request_of("{\"name\":\"coder\",\"it\":7}");

	(void)state;
	assert_string_equal(bh_request_string(&request, "name"), "coder");
	assert_string_equal(request.failure, "");
	assert_null(bh_request_string(&request, "it"));
	assert_failed(&request);
	assert_null(bh_request_string(&request, "it is missing"));
	assert_failed(&request);
	cJSON_Delete(request.params);
}

static void an_optional_string_may_be_missing_or_null(void **state)
{
	struct bh_request request = request_of("{\"name\":\"coder\",\"none\":null,\"it\":[]}");
	const char *value = "before";

	(void)state;
	assert_true(bh_request_optional_string(&request, "name", &value));
	assert_string_equal(value, "coder");
	assert_true(bh_request_optional_string(&request, "none", &value));
	assert_null(value);
	value = "before";
	assert_true(bh_request_optional_string(&request, "missing", &value));
	assert_null(value);
	assert_false(bh_request_optional_string(&request, "it", &value));
	assert_failed(&request);
	cJSON_Delete(request.params);
}

static void a_number_is_whole_and_in_its_range(void **state)
{
	static const char *const wrong[] = {"{\"it\":1.5}", "{\"it\":-1}", "{\"it\":11}",
	                                    "{\"it\":\"3\"}", "{\"it\":1e300}"};
	struct bh_request request = request_of("{\"least\":0,\"most\":10}");
	int64_t value = -7;

	(void)state;
	assert_true(bh_request_number(&request, "least", 5, 0, 10, &value));
	assert_int_equal(value, 0);
	assert_true(bh_request_number(&request, "most", 5, 0, 10, &value));
	assert_int_equal(value, 10);
	assert_true(bh_request_number(&request, "missing", 5, 0, 10, &value));
	assert_int_equal(value, 5);
	cJSON_Delete(request.params);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		request = request_of(wrong[i]);
		assert_false(bh_request_number(&request, "it", 5, 0, 10, &value));
		assert_failed(&request);
		assert_int_equal(value, 5);
		cJSON_Delete(request.params);
	}
}

static void a_flag_is_true_or_false(void **state)
{
	struct bh_request request = request_of("{\"yes\":true,\"no\":false,\"it\":1}");
	bool value = false;

	(void)state;
	assert_true(bh_request_flag(&request, "yes", &value));
	assert_true(value);
	assert_true(bh_request_flag(&request, "no", &value));
	assert_false(value);
	value = true;
	assert_true(bh_request_flag(&request, "missing", &value));
	assert_false(value);
	assert_false(bh_request_flag(&request, "it", &value));
	assert_failed(&request);
	cJSON_Delete(request.params);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_must_be_there),
		cmocka_unit_test(an_optional_string_may_be_missing_or_null),
		cmocka_unit_test(a_number_is_whole_and_in_its_range),
		cmocka_unit_test(a_flag_is_true_or_false),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
