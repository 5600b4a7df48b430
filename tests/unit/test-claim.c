#include "src/mail/claim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The whole table, by hand: rows from, columns to.
// claimed writing echoed cr_sent proved uncertain withdrawn
static const char *const may_follow[BH_PHASE_COUNT] = {
	[BH_PHASE_CLAIMED] = ".w....x",   [BH_PHASE_WRITING] = "..e..ux",
	[BH_PHASE_ECHOED] = "...c.ux",    [BH_PHASE_CR_SENT] = "....pux",
	[BH_PHASE_PROVED] = ".......",    [BH_PHASE_UNCERTAIN] = "...cp.x",
	[BH_PHASE_WITHDRAWN] = ".......",
};

static void phases_follow_the_drawing(void **state)
{
	(void)state;
	for (int from = 0; from < BH_PHASE_COUNT; from++) {
		for (int to = 0; to < BH_PHASE_COUNT; to++) {
			assert_int_equal(
				bh_phase_may_follow((enum bh_phase)from, (enum bh_phase)to),
				may_follow[from][to] != '.');
		}
	}
	assert_false(bh_phase_may_follow((enum bh_phase)99, BH_PHASE_PROVED));
	assert_false(bh_phase_may_follow(BH_PHASE_CLAIMED, (enum bh_phase)99));
}

static void a_final_phase_is_followed_by_none(void **state)
{
	(void)state;
	for (int from = 0; from < BH_PHASE_COUNT; from++) {
		bool is_followed = false;

		for (int to = 0; to < BH_PHASE_COUNT; to++) {
			is_followed = is_followed ||
			              bh_phase_may_follow((enum bh_phase)from, (enum bh_phase)to);
		}
		assert_int_equal(bh_phase_is_final((enum bh_phase)from), !is_followed);
	}
}

static void everything_has_a_word(void **state)
{
	struct bh_claim claim = {.kind = BH_CLAIM_NOTICE};

	(void)state;
	assert_string_equal(bh_phase_word(BH_PHASE_CR_SENT), "cr_sent");
	assert_string_equal(bh_phase_word((enum bh_phase)99), "unknown");
	assert_string_equal(bh_claim_kind_word(BH_CLAIM_WAITER), "waiter");
	assert_string_equal(bh_claim_kind_word((enum bh_claim_kind)99), "unknown");
	assert_true(bh_claim_is_attempt(&claim));
	claim.kind = BH_CLAIM_CHANNEL;
	assert_false(bh_claim_is_attempt(&claim));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_follow_the_drawing),
		cmocka_unit_test(a_final_phase_is_followed_by_none),
		cmocka_unit_test(everything_has_a_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
