// The id of a JSON-RPC message that is too long to be kept.
#include "src/bridge/long_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/** Fails unless the id of @text, given in pieces of @size bytes, is @id as JSON; NULL: it has none. */
static void expect_id(const char *text, size_t size, const char *id)
{
	struct bh_long_line line = {0};
	size_t len = strlen(text);
	cJSON *found;
	char *printed;

	for (size_t at = 0; at < len; at += size) {
		size_t part = len - at < size ? len - at : size;

		bh_long_line_feed(&line, (struct bh_span){text + at, part});
	}
	found = bh_long_line_id(&line);
	printed = found != NULL ? cJSON_PrintUnformatted(found) : NULL;
	if (id == NULL) {
		assert_null(printed);
	} else {
		assert_non_null(printed);
		assert_string_equal(printed, id);
	}
	cJSON_free(printed);
	cJSON_Delete(found);
}

static void expect(const char *text, const char *id)
{
	for (size_t size = 1; size <= 7; size += 2) {
		expect_id(text, size, id);
	}
	expect_id(text, strlen(text) + 1, id);
}

static void the_id_is_found_wherever_it_stands(void **state)
{
	(void)state;
	expect("{\"id\":7,\"method\":\"x\"}", "7");
	expect("{\"method\":\"x\",\"params\":{\"id\":1,\"a\":[{\"id\":2}]},\"id\":8}", "8");
	expect(" { \"jsonrpc\" : \"2.0\" , \"id\" :\t\"a-b\" }", "\"a-b\"");
	expect("{\"params\":{\"text\":\"\\\"id\\\":3, {\"},\"id\":\"q\\\"}\"}", "\"q\\\"}\"");
	expect("{\"note\":\"id\",\"id\":9,\"ide\":1}", "9");
}

static void the_last_of_two_counts(void **state)
{
	(void)state;
	expect("{\"id\":1,\"id\":2}", "2");
}

static void what_is_none_is_none(void **state)
{
	(void)state;
	expect("", NULL);
	expect("{\"method\":\"x\"}", NULL);
	expect("{\"id\":null}", NULL);
	expect("{\"id\":{\"id\":4}}", NULL);
	expect("{\"id\":[5]}", NULL);
	expect("[{\"id\":6}]", NULL);
	expect("]]}}\"id\":6", NULL);
}

// Cut off, it would be another request's.
static void an_id_that_is_too_long_is_none(void **state)
{
	char text[BH_LONG_LINE_ID * 2];
	char digits[BH_LONG_LINE_ID + 1];

	(void)state;
	memset(digits, '7', sizeof(digits) - 1);
	digits[sizeof(digits) - 1] = '\0';
	(void)snprintf(text, sizeof(text), "{\"id\":\"%s\"}", digits);
	expect(text, NULL);
	(void)snprintf(text, sizeof(text), "{\"id\":%s}", digits);
	expect(text, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_id_is_found_wherever_it_stands),
		cmocka_unit_test(the_last_of_two_counts),
		cmocka_unit_test(what_is_none_is_none),
		cmocka_unit_test(an_id_that_is_too_long_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
