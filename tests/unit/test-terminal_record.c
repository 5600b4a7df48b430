#include "src/mail/terminal_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_chosen_mode_wins_over_the_rule(void **state)
{
	struct bh_terminal_record record = {0};

	(void)state;
	assert_int_equal(bh_terminal_record_mode(&record), BH_MODE_MESSAGE);
	record.has_started_agent = true;
	assert_int_equal(bh_terminal_record_mode(&record), BH_MODE_NOTICE);
	record.mode = BH_MODE_MESSAGE;
	assert_int_equal(bh_terminal_record_mode(&record), BH_MODE_MESSAGE);
	record.mode = BH_MODE_OFF;
	record.has_started_agent = false;
	assert_int_equal(bh_terminal_record_mode(&record), BH_MODE_OFF);
}

static void a_copy_has_its_own_strings(void **state)
{
	char argv[] = "[\"claude\"]";
	struct bh_terminal_record from = {.uuid = "u", .argv = argv, .cols = 80};
	struct bh_terminal_record to;

	(void)state;
	bh_terminal_record_copy(&to, &from);
	argv[0] = '\0';
	assert_string_equal(to.argv, "[\"claude\"]");
	assert_string_equal(to.profile, ""); // never NULL
	assert_int_equal(to.cols, 80);
	assert_true(bh_list_is_empty(&to.names));
	assert_true(bh_list_is_empty(&to.link));
	bh_terminal_record_clear(&to);
	bh_terminal_record_clear(&to); // a second time is harmless
}

static void policies_have_words(void **state)
{
	enum bh_respawn policy;
	struct bh_err err;

	(void)state;
	for (int i = BH_RESPAWN_NEVER; i <= BH_RESPAWN_ALWAYS; i++) {
		assert_int_equal(
			bh_respawn_parse(bh_respawn_word((enum bh_respawn)i), &policy, NULL), 0);
		assert_int_equal(policy, i);
	}
	assert_int_equal(bh_respawn_parse("sometimes", &policy, &err), BH_EINVALID);
	assert_non_null(strstr(err.text, "never, on-failure or always"));
	assert_string_equal(bh_respawn_word((enum bh_respawn)99), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chosen_mode_wins_over_the_rule),
		cmocka_unit_test(a_copy_has_its_own_strings),
		cmocka_unit_test(policies_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
