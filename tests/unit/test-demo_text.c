#include "src/demo/demo_text.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void test_counts_columns(void **state)
{
	(void)state;
	assert_int_equal(bh_demo_text_width(bh_span_of("")), 0);
	assert_int_equal(bh_demo_text_width(bh_span_of("añ")), 2);
	assert_int_equal(bh_demo_text_width(bh_span_of("漢字")), 4);
	assert_int_equal(bh_demo_text_width(bh_span_of("\xff\x01")), 2);
}

static void test_never_splits_a_character(void **state)
{
	(void)state;
	assert_int_equal(bh_demo_text_fit(bh_span_of("abc"), 2), 2);
	assert_int_equal(bh_demo_text_fit(bh_span_of("漢字"), 3), 3);
	assert_int_equal(bh_demo_text_fit(bh_span_of("漢字"), 1), 3);
	assert_int_equal(bh_demo_text_fit(bh_span_of("ab\ncd"), 9), 2);
	assert_int_equal(bh_demo_text_fit(bh_span_of(""), 9), 0);
}

static void test_shows_nothing_dangerous(void **state)
{
	struct bh_buf out = {0};

	(void)state;
	bh_demo_text_show(&out, bh_span_of("a\tb\033[2Jc\xffñ"));
	assert_string_equal(out.data, "a b?[2Jc?ñ");
	bh_buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_columns),
		cmocka_unit_test(test_never_splits_a_character),
		cmocka_unit_test(test_shows_nothing_dangerous),
	};

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
