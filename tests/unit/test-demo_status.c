#include "src/demo/demo_status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_report(const struct bh_demo_agent *agent, const char *report)
{
	struct bh_buf out = {0};

	bh_buf_puts(&out, "");
	bh_demo_status_print(agent, &out);
	assert_string_equal(out.data, report);
	bh_buf_clear(&out);
}

static void test_says_the_word_of_each_phase(void **state)
{
	struct bh_demo_agent agent = {0};

	(void)state;
	agent.phase = BH_DEMO_STARTING;
	expect_report(&agent, "");
	agent.phase = BH_DEMO_TRUST;
	expect_report(&agent, "");
	agent.phase = BH_DEMO_IDLE;
	expect_report(&agent, "\033]7501;state=idle:app=bellhop-demo\033\\");
	agent.is_done = true;
	expect_report(&agent, "\033]7501;state=done:app=bellhop-demo\033\\");
	agent.phase = BH_DEMO_WORKING;
	expect_report(&agent, "\033]7501;state=working:app=bellhop-demo\033\\");
	agent.phase = BH_DEMO_OVER;
	expect_report(&agent, "\033]7501;state=clear:app=bellhop-demo\033\\");
}

static void expect_message(char *question, const char *base64)
{
	struct bh_demo_agent agent = {.phase = BH_DEMO_ASKING, .question = question};
	struct bh_buf report = {0};

	bh_buf_printf(&report,
	              "\033]7501;state=blocked:app=bellhop-demo:kind=permission:msg=%s\033\\",
	              base64);
	expect_report(&agent, report.data);
	bh_buf_clear(&report);
}

static void test_encodes_the_question(void **state)
{
	char texts[][8] = {"", "r", "rm", "rm ", "rm x", "\xff\xfe\xfd"};

	(void)state;
	expect_message(texts[0], "");
	expect_message(texts[1], "cg==");
	expect_message(texts[2], "cm0=");
	expect_message(texts[3], "cm0g");
	expect_message(texts[4], "cm0geA==");
	expect_message(texts[5], "//79");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_says_the_word_of_each_phase),
		cmocka_unit_test(test_encodes_the_question),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
