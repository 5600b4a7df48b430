#include "src/demo/demo_script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void test_reads_directives_in_order(void **state)
{
	struct bh_demo_script script = {0};

	(void)state;
	bh_demo_script_parse(&script, "| DEMO:work 1.5 DEMO:ask may I? DEMO:say  yes \n"
	                              "DEMO:run echo a; ls\nDEMO:exit 7");
	assert_int_equal(script.count, 5);
	assert_int_equal(script.steps[0].kind, BH_DEMO_STEP_WORK);
	assert_int_equal(script.steps[0].number, 1500);
	assert_int_equal(script.steps[1].kind, BH_DEMO_STEP_ASK);
	assert_string_equal(script.steps[1].text, "may I?");
	assert_int_equal(script.steps[2].kind, BH_DEMO_STEP_SAY);
	assert_string_equal(script.steps[2].text, "yes");
	assert_int_equal(script.steps[3].kind, BH_DEMO_STEP_RUN);
	assert_string_equal(script.steps[3].text, "echo a; ls");
	assert_int_equal(script.steps[4].kind, BH_DEMO_STEP_EXIT);
	assert_int_equal(script.steps[4].number, 7);
	bh_demo_script_clear(&script);
}

static void test_bounds_what_it_is_told(void **state)
{
	struct bh_demo_script script = {0};

	(void)state;
	bh_demo_script_parse(&script, "DEMO:work 1e9 DEMO:work nan DEMO:work -1 DEMO:working 1");
	assert_int_equal(script.count, 3);
	assert_int_equal(script.steps[0].number, 3600000);
	assert_int_equal(script.steps[1].number, 0);
	assert_int_equal(script.steps[2].number, 0);
	bh_demo_script_clear(&script);
}

static void test_answers_plain_text(void **state)
{
	struct bh_demo_script script = {0};

	(void)state;
	bh_demo_script_parse(&script, "hello");
	assert_int_equal(script.count, 2);
	assert_int_equal(script.steps[0].kind, BH_DEMO_STEP_WORK);
	assert_int_equal(script.steps[1].kind, BH_DEMO_STEP_SAY);
	bh_demo_script_clear(&script);
}

static void test_reads_the_inbox_on_a_notice(void **state)
{
	struct bh_demo_script script = {0};

	(void)state;
	bh_demo_script_parse(&script, "Mail n17: you have mail. Run: bellhop inbox");
	assert_int_equal(script.count, 1);
	assert_int_equal(script.steps[0].kind, BH_DEMO_STEP_RUN);
	assert_string_equal(script.steps[0].text, "bellhop inbox");
	bh_demo_script_parse(&script, "Mail m17 from coder:\n| about Mail n17");
	assert_int_equal(script.steps[0].kind, BH_DEMO_STEP_WORK);
	bh_demo_script_clear(&script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_directives_in_order),
		cmocka_unit_test(test_bounds_what_it_is_told),
		cmocka_unit_test(test_answers_plain_text),
		cmocka_unit_test(test_reads_the_inbox_on_a_notice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
