#include "src/mail/effect.h"

#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void rows_keep_their_order_and_start_at_zero(void **state)
{
	struct bh_effects effects = {0};

	(void)state;
	for (uint64_t i = 1; i <= 100; i++) {
		struct bh_effect *effect = bh_effects_add(&effects, BH_EFFECT_ITEM);

		assert_int_equal(effect->item.seq, 0);
		effect->item.seq = i;
	}
	assert_int_equal(effects.count, 100);
	for (size_t i = 0; i < 100; i++) {
		assert_int_equal(effects.rows[i].item.seq, i + 1);
	}
	bh_effects_clear(&effects);
	assert_int_equal(effects.count, 0);
	bh_effects_clear(&effects);
}

static void a_terminal_is_freed_with_its_row(void **state) // the sanitizer is the judge
{
	struct bh_effects effects = {0};
	struct bh_terminal_record *record = bh_xmalloc(sizeof(*record));

	(void)state;
	record->argv = bh_xstrdup("[]");
	bh_effects_add(&effects, BH_EFFECT_TERMINAL)->terminal = record;
	(void)bh_effects_add(&effects, BH_EFFECT_TERMINAL); // one that was never filled
	bh_effects_clear(&effects);
	assert_null(effects.rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_keep_their_order_and_start_at_zero),
		cmocka_unit_test(a_terminal_is_freed_with_its_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
