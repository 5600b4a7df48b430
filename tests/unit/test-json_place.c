// The line of a value in a JSON text.
#include "src/base/json_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "{\n"                                                  // 1
			   "\t\"name\": \"x\",\n"                                 // 2
			   "\t\"trap\": \"}, \\\"rules\\\": [\",\n"               // 3
			   "\t\"nested\": {\"rules\": 1, \"list\": [[1], {}]},\n" // 4
			   "\t\"rules\": [\n"                                     // 5
			   "\t\t{\"name\": \"a\"},\n"                             // 6
			   "\t\t{\n"                                              // 7
			   "\t\t\t\"name\": \"b\",\n"                             // 8
			   "\t\t\t\"any\": [\n"                                   // 9
			   "\t\t\t\t\"first\",\n"                                 // 10
			   "\t\t\t\t\"second\"\n"                                 // 11
			   "\t\t\t]\n"
			   "\t\t}\n"
			   "\t],\n"
			   "\t\"names\":\n" // 15
			   "\t\t\"far\"\n"  // 16
			   "}\n";

static int line_of(const char *path)
{
	return bh_json_place_line(text, strlen(text), path);
}

static void keys_lead_to_their_values(void **state)
{
	(void)state;
	assert_int_equal(line_of(""), 1);
	assert_int_equal(line_of("name"), 2);
	assert_int_equal(line_of("trap"), 3);
	assert_int_equal(line_of("nested.list"), 4);
	// The value counts, not its key; a longer key that begins alike is another one.
	assert_int_equal(line_of("names"), 16);
	assert_int_equal(line_of("na"), 1);
}

static void brackets_and_keys_in_strings_do_not_count(void **state)
{
	(void)state;
	assert_int_equal(line_of("rules"), 5);
}

static void indices_lead_into_lists(void **state)
{
	(void)state;
	assert_int_equal(line_of("rules.0.name"), 6);
	assert_int_equal(line_of("rules.1"), 7);
	assert_int_equal(line_of("rules.1.name"), 8);
	assert_int_equal(line_of("rules.1.any.0"), 10);
	assert_int_equal(line_of("rules.1.any.1"), 11);
}

static void a_missing_part_gives_the_deepest_that_exists(void **state)
{
	(void)state;
	assert_int_equal(line_of("nothing"), 1);
	assert_int_equal(line_of("rules.1.nothing.0"), 7);
	assert_int_equal(line_of("rules.1.any.7"), 9);
	assert_int_equal(line_of("names.deeper"), 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_lead_to_their_values),
		cmocka_unit_test(brackets_and_keys_in_strings_do_not_count),
		cmocka_unit_test(indices_lead_into_lists),
		cmocka_unit_test(a_missing_part_gives_the_deepest_that_exists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
