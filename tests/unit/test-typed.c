#include "src/ui/typed.h"

#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void type(struct bh_typed *typed, const char *keys, bool is_sent)
{
	bh_typed_add(typed, bh_span_of(keys), is_sent);
}

/** A stream opens; with @taken less than 0 the server does not know us. */
static void expect_again(struct bh_typed *typed, long taken, const char *again)
{
	cJSON *result = cJSON_CreateObject();
	struct bh_span span;

	if (taken >= 0) {
		(void)cJSON_AddNumberToObject(result, "input_taken", (double)taken);
	}
	span = bh_typed_resume(typed, result);
	assert_int_equal(span.len, strlen(again));
	if (span.len > 0) {
		assert_memory_equal(span.data, again, span.len);
	}
	cJSON_Delete(result);
}

static void what_the_server_did_not_take_is_sent_again(void **state)
{
	struct bh_typed typed = {0};

	(void)state;
	expect_again(&typed, -1, "");
	type(&typed, "hello", true);
	expect_again(&typed, 3, "lo");
	type(&typed, " wor", true);
	type(&typed, "ld", false);
	expect_again(&typed, 7, "orld");
	expect_again(&typed, 11, "");
	expect_again(&typed, 10, "d");
	bh_typed_clear(&typed);
}

static void keys_without_a_stream_wait_for_the_first(void **state)
{
	struct bh_typed typed = {0};

	(void)state;
	type(&typed, "early", false);
	expect_again(&typed, 500, "early"); // of another view of ours it took 500
	type(&typed, "!", true);
	expect_again(&typed, 504, "y!");
	bh_typed_clear(&typed);
}

static void one_that_does_not_know_us_gets_only_what_was_never_sent(void **state)
{
	struct bh_typed typed = {0};

	(void)state;
	expect_again(&typed, 0, "");
	type(&typed, "sent", true);
	type(&typed, "new", false);
	expect_again(&typed, -1, "new");
	type(&typed, "er", true);
	expect_again(&typed, 3, "er");
	expect_again(&typed, 50, ""); // more than we ever sent: it counts for another
	bh_typed_clear(&typed);
}

static void what_is_forgotten_is_not_sent(void **state)
{
	struct bh_typed typed = {0};

	(void)state;
	expect_again(&typed, 0, "");
	type(&typed, "old", true);
	type(&typed, "unsent", false);
	bh_typed_forget(&typed);
	expect_again(&typed, 1, "");
	type(&typed, "new", true);
	expect_again(&typed, 2, "ew");
	bh_typed_clear(&typed);
}

static void little_is_kept(void **state)
{
	struct bh_typed typed = {0};
	char *piece = bh_xmalloc(1001);
	char *whole = bh_xmalloc(BH_TYPED_UNSENT_MAX + 1);

	(void)state;
	memset(piece, 'x', 1000);
	expect_again(&typed, 0, "");
	for (int i = 0; i < 1000; i++) {
		type(&typed, piece, true);
		assert_true(typed.recent.len <= (size_t)2 * BH_TYPED_SENT_MAX);
	}
	type(&typed, "tail", true);
	assert_true(typed.recent.len >= BH_TYPED_SENT_MAX);
	expect_again(&typed, 1000 * 1000L + 1, "ail");
	memset(whole, 'y', BH_TYPED_UNSENT_MAX);
	type(&typed, whole, false);
	type(&typed, "too much", false);
	expect_again(&typed, 1000 * 1000L + 4, whole);
	free(whole);
	free(piece);
	bh_typed_clear(&typed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_server_did_not_take_is_sent_again),
		cmocka_unit_test(keys_without_a_stream_wait_for_the_first),
		cmocka_unit_test(one_that_does_not_know_us_gets_only_what_was_never_sent),
		cmocka_unit_test(what_is_forgotten_is_not_sent),
		cmocka_unit_test(little_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
