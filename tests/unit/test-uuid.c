#include "src/base/uuid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_new_ones_differ_and_say_their_version(void **state)
{
	struct bh_uuid a = bh_uuid_new();
	struct bh_uuid b = bh_uuid_new();
	char text[BH_UUID_TEXT];

	(void)state;
	assert_false(bh_uuid_is_equal(&a, &b));
	assert_false(bh_uuid_is_none(&a));
	assert_int_equal(strlen(bh_uuid_format(&a, text)), 36);
	assert_int_equal(text[14], '4');
	assert_non_null(strchr("89ab", text[19]));
}

static void test_ordered_ones_sort_by_time(void **state)
{
	struct bh_uuid early = bh_uuid_new_ordered(1700000000000);
	struct bh_uuid late = bh_uuid_new_ordered(1700000000001);
	char text[BH_UUID_TEXT];

	(void)state;
	assert_true(memcmp(early.bytes, late.bytes, 16) < 0);
	assert_int_equal(bh_uuid_format(&late, text)[14], '7');
	assert_memory_equal(text, "018bcfe5-6801-7", 15);
}

static void test_reads_what_it_writes(void **state)
{
	struct bh_uuid uuid = bh_uuid_new();
	struct bh_uuid again = {0};
	char text[BH_UUID_TEXT];

	(void)state;
	assert_true(bh_uuid_parse(bh_uuid_format(&uuid, text), &again));
	assert_true(bh_uuid_is_equal(&uuid, &again));
	assert_true(bh_uuid_parse("6F1C0000-0000-4000-8000-00000000ABCD", &again));
	assert_string_equal(bh_uuid_format(&again, text), "6f1c0000-0000-4000-8000-00000000abcd");
}

static void test_refuses_other_text(void **state)
{
	static const char *const bad[] = {
		"",
		"6f1c",
		"6f1c0000-0000-4000-8000-00000000abcd0",
		"6f1c0000-0000-4000-8000-00000000abc",
		"6f1c00000-000-4000-8000-00000000abcd",
		"6f1c0000-0000-4000-8000-00000000abcg",
		"6f1c0000_0000-4000-8000-00000000abcd",
	};
	struct bh_uuid uuid;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(bh_uuid_parse(bad[i], &uuid));
	}
}

static void test_knows_beginnings(void **state)
{
	struct bh_uuid uuid;

	(void)state;
	assert_true(bh_uuid_parse("6f1c0a2b-0000-4000-8000-00000000abcd", &uuid));
	assert_true(bh_uuid_has_prefix(&uuid, "6f1c"));
	assert_true(bh_uuid_has_prefix(&uuid, "6F1C0A2B-00"));
	assert_true(bh_uuid_has_prefix(&uuid, "6f1c0a2b00004"));
	assert_false(bh_uuid_has_prefix(&uuid, "6f1"));
	assert_false(bh_uuid_has_prefix(&uuid, "6f1d"));
	assert_false(bh_uuid_has_prefix(&uuid, "6f1c-0a2b"));
	assert_false(bh_uuid_has_prefix(&uuid, "6f1c0a2b-0000-4000-8000-00000000abcde"));
	assert_false(bh_uuid_has_prefix(&uuid, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_ones_differ_and_say_their_version),
		cmocka_unit_test(test_ordered_ones_sort_by_time),
		cmocka_unit_test(test_reads_what_it_writes),
		cmocka_unit_test(test_refuses_other_text),
		cmocka_unit_test(test_knows_beginnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
