#include "src/demo/demo_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect_key(struct bh_demo_keys *keys, enum bh_demo_key key)
{
	struct bh_demo_event event;

	assert_true(bh_demo_keys_next(keys, false, &event));
	assert_int_equal(event.key, key);
}

static void expect_text(struct bh_demo_keys *keys, enum bh_demo_key key, const char *text)
{
	struct bh_demo_event event;

	assert_true(bh_demo_keys_next(keys, false, &event));
	assert_int_equal(event.key, key);
	assert_int_equal(event.text.len, strlen(text));
	assert_memory_equal(event.text.data, text, event.text.len);
}

static void expect_nothing(struct bh_demo_keys *keys)
{
	struct bh_demo_event event;

	assert_false(bh_demo_keys_next(keys, false, &event));
}

static void feed(struct bh_demo_keys *keys, const char *bytes)
{
	bh_demo_keys_feed(keys, bytes, strlen(bytes));
}

static void test_splits_text_and_control_keys(void **state)
{
	struct bh_demo_keys keys = {0};

	(void)state;
	feed(&keys, "añ\r\n\003\004\177\025z");
	expect_text(&keys, BH_DEMO_KEY_TEXT, "añ");
	expect_key(&keys, BH_DEMO_KEY_ENTER);
	expect_key(&keys, BH_DEMO_KEY_NEWLINE);
	expect_key(&keys, BH_DEMO_KEY_CANCEL);
	expect_key(&keys, BH_DEMO_KEY_EOF);
	expect_key(&keys, BH_DEMO_KEY_BACKSPACE);
	expect_key(&keys, BH_DEMO_KEY_ERASE);
	expect_text(&keys, BH_DEMO_KEY_TEXT, "z");
	expect_nothing(&keys);
	assert_false(bh_demo_keys_is_waiting(&keys));
	bh_demo_keys_clear(&keys);
}

static void test_knows_sequences(void **state)
{
	struct bh_demo_keys keys = {0};

	(void)state;
	feed(&keys, "\033[A\033OB\033\r\033[13u\033[27u\033[1;5D\033[I");
	expect_key(&keys, BH_DEMO_KEY_UP);
	expect_key(&keys, BH_DEMO_KEY_DOWN);
	expect_key(&keys, BH_DEMO_KEY_NEWLINE);
	expect_key(&keys, BH_DEMO_KEY_ENTER);
	expect_key(&keys, BH_DEMO_KEY_ESCAPE);
	expect_key(&keys, BH_DEMO_KEY_OTHER);
	expect_key(&keys, BH_DEMO_KEY_OTHER);
	expect_nothing(&keys);
	bh_demo_keys_clear(&keys);
}

static void test_knows_answers_of_the_terminal(void **state)
{
	struct bh_demo_keys keys = {0};

	(void)state;
	feed(&keys, "\033]7501;?\033\\\033[?62;22c\033]11;rgb:0/0/0\a");
	expect_key(&keys, BH_DEMO_KEY_STATUS_ANSWER);
	expect_key(&keys, BH_DEMO_KEY_DA1_ANSWER);
	expect_key(&keys, BH_DEMO_KEY_OTHER);
	expect_nothing(&keys);
	bh_demo_keys_clear(&keys);
}

static void test_joins_a_paste_cut_anywhere(void **state)
{
	static const char bytes[] = "\033[200~a\r\n\033[A b\033[201~\r";

	(void)state;
	for (size_t cut = 1; cut < sizeof(bytes) - 1; cut++) {
		struct bh_demo_keys keys = {0};
		struct bh_demo_event event;
		bool has_paste = false;

		bh_demo_keys_feed(&keys, bytes, cut);
		while (bh_demo_keys_next(&keys, false, &event)) {
			assert_int_equal(event.key, BH_DEMO_KEY_PASTE);
			has_paste = true;
		}
		bh_demo_keys_feed(&keys, bytes + cut, sizeof(bytes) - 1 - cut);
		if (!has_paste) {
			expect_text(&keys, BH_DEMO_KEY_PASTE, "a\r\n\033[A b");
		}
		expect_key(&keys, BH_DEMO_KEY_ENTER);
		expect_nothing(&keys);
		bh_demo_keys_clear(&keys);
	}
}

static void test_takes_a_lone_escape_when_quiet(void **state)
{
	struct bh_demo_keys keys = {0};
	struct bh_demo_event event;

	(void)state;
	feed(&keys, "\033");
	expect_nothing(&keys);
	assert_true(bh_demo_keys_is_waiting(&keys));
	assert_true(bh_demo_keys_next(&keys, true, &event));
	assert_int_equal(event.key, BH_DEMO_KEY_ESCAPE);
	expect_nothing(&keys);
	bh_demo_keys_clear(&keys);
}

static void test_keeps_an_unfinished_paste_when_quiet(void **state)
{
	struct bh_demo_keys keys = {0};
	struct bh_demo_event event;

	(void)state;
	feed(&keys, "\033[200~half");
	assert_false(bh_demo_keys_next(&keys, true, &event));
	feed(&keys, " whole\033[201~");
	expect_text(&keys, BH_DEMO_KEY_PASTE, "half whole");
	bh_demo_keys_clear(&keys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_splits_text_and_control_keys),
		cmocka_unit_test(test_knows_sequences),
		cmocka_unit_test(test_knows_answers_of_the_terminal),
		cmocka_unit_test(test_joins_a_paste_cut_anywhere),
		cmocka_unit_test(test_takes_a_lone_escape_when_quiet),
		cmocka_unit_test(test_keeps_an_unfinished_paste_when_quiet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
