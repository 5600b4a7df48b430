#include "src/ui/keytable.h"

#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_key_of_the_table_is_found(void **state)
{
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	(void)state;
	assert_true(count > 30);
	for (size_t i = 0; i < count; i++) {
		// The first row of a key is the one that counts: no key stands there twice.
		assert_ptr_equal(bh_keytable_find(rows[i].key, rows[i].is_control), &rows[i]);
		assert_non_null(bh_keytable_named(rows[i].name));
		assert_int_not_equal(rows[i].action, BH_ACTION_NONE);
	}
	assert_null(bh_keytable_find('Q', false));
	assert_null(bh_keytable_find('c', true));
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

static void digits_are_one_row(void **state)
{
	(void)state;
	for (uint32_t key = '0'; key <= '9'; key++) {
		assert_int_equal(bh_keytable_find(key, false)->action, BH_ACTION_TAB_INDEX);
	}
}

static void keys_have_names(void **state)
{
	static const struct {
		uint32_t key;
		bool is_control;
		const char *name;
	} cases[] = {
		{'%', false, "%"},     {BH_KEY_UP, false, "Up"}, {BH_KEY_LEFT, true, "C-Left"},
		{' ', false, "Space"}, {'5', false, "0-9"},      {'b', true, "C-b"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[16];

		bh_keytable_key(bh_keytable_find(cases[i].key, cases[i].is_control), name,
		                sizeof(name));
		assert_string_equal(name, cases[i].name);
	}
}

/** Append a key as the manual writes it: some characters mean something there. */
static void add_manual_key(struct bh_buf *out, const struct bh_key_row *row)
{
	char key[16];

	bh_keytable_key(row, key, sizeof(key));
	if (strcmp(key, "\"") == 0) {
		bh_buf_puts(out, "\\(dq");
	} else {
		bh_buf_printf(out, "%s%s", strchr(",;!?", key[0]) == NULL ? "" : "\\&", key);
	}
}

/** The entry of @row in the manual: its keys, its help as a sentence. */
static void add_manual_entry(struct bh_buf *out, const struct bh_key_row *row)
{
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);
	const char *before = "\n.It Sy ";

	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].name, row->name) == 0) {
			bh_buf_puts(out, before);
			add_manual_key(out, &rows[i]);
			before = " , ";
		}
	}
	bh_buf_printf(out, "\n%c%s.\n", row->help[0] - 'a' + 'A', row->help + 1);
}

static void the_manual_has_every_key(void **state)
{
	char *path = bh_xasprintf("%s/doc/bellhop.1", getenv("BELLHOP_TEST_SRCDIR"));
	struct bh_buf manual = {0};
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	(void)state;
	assert_int_equal(bh_file_read(path, 1024 * 1024, &manual, NULL), 0);
	for (size_t i = 0; i < count; i++) {
		struct bh_buf entry = {0};

		if (rows[i].help != NULL) {
			add_manual_entry(&entry, &rows[i]);
			if (strstr(manual.data, entry.data) == NULL) {
				fail_msg("not in the manual:%s", entry.data);
			}
		}
		bh_buf_clear(&entry);
	}
	bh_buf_clear(&manual);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_of_the_table_is_found),
		cmocka_unit_test(every_action_of_the_table_has_help),
		cmocka_unit_test(digits_are_one_row),
		cmocka_unit_test(keys_have_names),
		cmocka_unit_test(the_manual_has_every_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
