#include "src/server/setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void strings_survive_json(void **state)
{
	const char *const strings[] = {"a", "", "with \"quotes\"\n", "\303\251", NULL};
	char **copy = bh_setup_strings_dup(strings);
	char *json = bh_setup_strings_print(copy);
	char **back = bh_setup_strings_parse(json);

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(back[i], strings[i]);
	}
	assert_null(back[4]);
	bh_setup_strings_free(copy);
	bh_setup_strings_free(back);
	free(json);
}

static void damage_gives_an_empty_vector(void **state)
{
	static const char *const texts[] = {NULL, "", "{", "42", "[1,2]", "{\"a\":\"b\"}"};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		char **strings = bh_setup_strings_parse(texts[i]);

		assert_null(strings[0]);
		bh_setup_strings_free(strings);
	}
}

static void a_record_gives_the_setup_back(void **state)
{
	char argv[] = "[\"claude\",\"-c\"]";
	char env[] = "[\"A=1\"]";
	char cwd[] = "/src";
	char profile[] = "claude";
	struct bh_terminal_record record = {
		.launched_by = "0198c0de-0000-4000-8000-000000000001",
		.respawn = BH_RESPAWN_ALWAYS,
		.cols = 100,
		.rows = 30,
		.is_headless = true,
		.mode = BH_MODE_NOTICE,
		.argv = argv,
		.env = env,
		.cwd = cwd,
		.extra = bh_setup_extra(&(struct bh_setup){.is_resuming = true}),
		.profile = profile,
	};
	struct bh_setup setup = bh_setup_from_record(&record);
	struct bh_setup copy = bh_setup_dup(&setup);
	char text[BH_UUID_TEXT];

	(void)state;
	bh_setup_clear(&setup);
	assert_null(setup.argv);
	assert_string_equal(copy.argv[1], "-c");
	assert_string_equal(copy.env[0], "A=1");
	assert_string_equal(copy.cwd, "/src");
	assert_string_equal(copy.profile_name, "claude");
	assert_string_equal(bh_uuid_format(&copy.launched_by, text), record.launched_by);
	assert_int_equal(copy.respawn, BH_RESPAWN_ALWAYS);
	assert_int_equal(copy.mode, BH_MODE_NOTICE);
	assert_int_equal(copy.cols, 100);
	assert_true(copy.is_headless);
	assert_true(copy.is_resuming);
	bh_setup_clear(&copy);
	free(record.extra);
	record.extra = bh_setup_extra(&(struct bh_setup){0});
	copy = bh_setup_from_record(&record);
	assert_false(copy.is_resuming);
	bh_setup_clear(&copy);
	free(record.extra);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_survive_json),
		cmocka_unit_test(damage_gives_an_empty_vector),
		cmocka_unit_test(a_record_gives_the_setup_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
