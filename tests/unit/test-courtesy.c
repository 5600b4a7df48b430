#include "src/server/courtesy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TURN (64 * 1024)

// Only compared.
static const char typed_into[1];
static const char other[1];

static void reads_all_while_nobody_types(void **state)
{
	struct bh_courtesy courtesy = {0};
	struct bh_courtesy_share share = {0};

	(void)state;
	assert_int_equal(bh_courtesy_room(&courtesy, &share, other, TURN, 5000), TURN);
	assert_int_equal(bh_courtesy_take(&courtesy, &share, other, TURN, 5000), 0);
	bh_courtesy_type(&courtesy, typed_into, 5000);
	assert_int_equal(
		bh_courtesy_room(&courtesy, &share, other, TURN, 5000 + BH_COURTESY_TYPING_MS),
		TURN);
}

static void never_slows_the_terminal_that_is_typed_into(void **state)
{
	struct bh_courtesy courtesy = {0};
	struct bh_courtesy_share share = {0};

	(void)state;
	bh_courtesy_type(&courtesy, typed_into, 5000);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(bh_courtesy_room(&courtesy, &share, typed_into, TURN, 5001), TURN);
		assert_int_equal(bh_courtesy_take(&courtesy, &share, typed_into, TURN, 5001), 0);
	}
}

static void paces_the_others_until_their_window_ends(void **state)
{
	struct bh_courtesy courtesy = {0};
	struct bh_courtesy_share share = {0};

	(void)state;
	bh_courtesy_type(&courtesy, typed_into, 5000);
	assert_int_equal(bh_courtesy_room(&courtesy, &share, other, TURN, 5001), BH_COURTESY_BYTES);
	assert_int_equal(bh_courtesy_take(&courtesy, &share, other, 100, 5001), 0);
	assert_int_equal(bh_courtesy_room(&courtesy, &share, other, TURN, 5002),
	                 BH_COURTESY_BYTES - 100);
	assert_int_equal(bh_courtesy_take(&courtesy, &share, other, BH_COURTESY_BYTES - 100, 5003),
	                 BH_COURTESY_WINDOW_MS - 2);
	assert_int_equal(bh_courtesy_room(&courtesy, &share, other, TURN, 5004), 0);
	assert_int_equal(
		bh_courtesy_room(&courtesy, &share, other, TURN, 5001 + BH_COURTESY_WINDOW_MS),
		BH_COURTESY_BYTES);
}

static void gives_a_new_window_after_a_pause(void **state)
{
	struct bh_courtesy courtesy = {0};
	struct bh_courtesy_share share = {0};

	(void)state;
	// What was read before anybody typed does not count.
	(void)bh_courtesy_take(&courtesy, &share, other, 10 * TURN, 4000);
	bh_courtesy_type(&courtesy, typed_into, 5000);
	assert_int_equal(bh_courtesy_room(&courtesy, &share, other, TURN, 5000), BH_COURTESY_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_while_nobody_types),
		cmocka_unit_test(never_slows_the_terminal_that_is_typed_into),
		cmocka_unit_test(paces_the_others_until_their_window_ends),
		cmocka_unit_test(gives_a_new_window_after_a_pause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
