#include "src/base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_sets_code_and_sentence(void **state)
{
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(bh_err_set(&err, BH_EBUSY, "queue %d is full", 3), BH_EBUSY);
	assert_int_equal(err.code, BH_EBUSY);
	assert_string_equal(err.text, "queue 3 is full");
	assert_int_equal(bh_err_set(NULL, BH_EBUSY, "nobody reads it"), BH_EBUSY);
}

static void test_adds_the_systems_word(void **state)
{
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(bh_err_sys(&err, ENOENT, "open %s", "/x"), -ENOENT);
	assert_string_equal(err.text, "open /x: No such file or directory");
}

static void test_prefixes_context(void **state)
{
	struct bh_err err = {0};

	(void)state;
	(void)bh_err_set(&err, BH_EINVALID, "no colour");
	assert_int_equal(bh_err_prefix(&err, "profile %s", "demo"), BH_EINVALID);
	assert_string_equal(err.text, "profile demo: no colour");
	assert_int_equal(bh_err_prefix(NULL, "profile"), 0);
}

static void test_cuts_long_sentences(void **state)
{
	struct bh_err err = {0};
	char text[2 * BH_ERR_TEXT_MAX];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	(void)bh_err_set(&err, BH_ELIMIT, "%s", text);
	assert_int_equal(strlen(err.text), BH_ERR_TEXT_MAX - 1);
	(void)bh_err_prefix(&err, "%s", "in front");
	assert_int_equal(strlen(err.text), BH_ERR_TEXT_MAX - 1);
	assert_memory_equal(err.text, "in front: xxx", 13);
}

static void test_has_a_word_and_a_sentence_for_each_code(void **state)
{
	(void)state;
#define EXPECT_CODE(name, number, word, text) \
	assert_string_equal(bh_err_word(name), word); \
	assert_string_equal(bh_err_text(name), text);
	BH_ERR_LIST(EXPECT_CODE)
#undef EXPECT_CODE
	assert_string_equal(bh_err_text(-ENOSPC), "No space left on device");
	assert_non_null(bh_err_word(-ENOSPC));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets_code_and_sentence),
		cmocka_unit_test(test_adds_the_systems_word),
		cmocka_unit_test(test_prefixes_context),
		cmocka_unit_test(test_cuts_long_sentences),
		cmocka_unit_test(test_has_a_word_and_a_sentence_for_each_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
