#include "src/ui/keytable.h"

#include "src/base/buf.h"
#include "tests/unit/manual.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void every_key_of_the_table_is_found(void **state)
{
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	(void)state;
	assert_true(count > 30);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].key == 0) { // only by its name
			continue;
		}
		for (size_t j = 0; j < i; j++) { // no key stands there twice
			assert_false(rows[j].key == rows[i].key &&
			             rows[j].is_control == rows[i].is_control &&
			             rows[j].is_alt == rows[i].is_alt);
		}
		assert_non_null(bh_keytable_named(rows[i].name));
		assert_int_not_equal(rows[i].action, BH_ACTION_NONE);
	}
	assert_null(bh_keytable_named("dance"));
}

static void every_action_of_the_table_has_help(void **state)
{
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		const struct bh_key_row *first = bh_keytable_named(rows[i].name);

		assert_non_null(first->help);
		assert_int_equal(first->action, rows[i].action);
	}
}

static void keys_have_names(void **state)
{
	static const struct {
		uint32_t key;
		bool is_control, is_alt;
		const char *name;
	} cases[] = {
		{'%', false, false, "%"},
		{BH_KEY_UP, false, false, "Up"},
		{BH_KEY_LEFT, true, false, "C-Left"},
		{' ', false, false, "Space"},
		{'0', false, false, "0-9"},
		{'0', false, true, "M-0"},
		{'5', false, true, "M-5"},
		{'b', true, false, "C-b"},
		{'x', true, true, "C-M-x"},
		{BH_KEY_F1 + 4, false, true, "M-F5"},
		{0, true, true, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[16];

		bh_keytable_key(&(struct bh_key_row){.key = cases[i].key,
		                                     .is_control = cases[i].is_control,
		                                     .is_alt = cases[i].is_alt},
		                name, sizeof(name));
		assert_string_equal(name, cases[i].name);
	}
}

/** The entry of @row in the manual: its keys, its help as a sentence, its action. */
static void add_manual_entry(struct bh_buf *out, const struct bh_key_row *row)
{
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);
	const char *before = ".It Sy ";

	for (size_t i = 0; i < count; i++) {
		char key[16];

		if (strcmp(rows[i].name, row->name) == 0) {
			bh_buf_puts(out, before);
			bh_keytable_key(&rows[i], key, sizeof(key));
			manual_add_word(out, key);
			before = " , ";
		}
	}
	bh_buf_printf(out, "\n%c%s.\n.Pq Ic %s\n", row->help[0] - 'a' + 'A', row->help + 1,
	              row->name);
}

static void the_manual_has_every_key(void **state)
{
	struct bh_buf entries = {0};
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		if (rows[i].help != NULL && rows[i].key != 0) {
			add_manual_entry(&entries, &rows[i]);
		}
	}
	manual_part_is("bellhop.1", "keys", entries.data);
	bh_buf_clear(&entries);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_of_the_table_is_found),
		cmocka_unit_test(every_action_of_the_table_has_help),
		cmocka_unit_test(keys_have_names),
		cmocka_unit_test(the_manual_has_every_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
