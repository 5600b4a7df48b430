// The tables of keys of copy mode.
#include "src/ui/copykeys.h"

#include "src/base/config.h"
#include "src/ui/keytable.h"
#include "tests/unit/manual.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum bh_copy_command find(bool is_emacs, uint32_t key, bool is_control, bool is_alt)
{
	struct bh_layer_key pressed = {.key = key, .is_control = is_control, .is_alt = is_alt};

	return bh_copykeys_find(is_emacs, &pressed);
}

static void every_row_is_found_and_no_key_stands_twice(void **state)
{
	(void)state;
	for (int emacs = 0; emacs < 2; emacs++) {
		size_t count = 0;
		const struct bh_copykeys_row *rows = bh_copykeys(emacs == 1, &count);

		assert_true(count > 40);
		assert_non_null(rows[0].help);
		for (size_t i = 0; i < count; i++) {
			char name[32];

			bh_copykeys_key(&rows[i], name, sizeof(name));
			assert_true(name[0] > ' ');
			if (rows[i].help == NULL) {
				assert_int_equal(rows[i].command, rows[i - 1].command);
			}
			// The first row of a key wins, so it must be this one.
			assert_int_equal(
				find(emacs == 1, rows[i].key, rows[i].is_control, rows[i].is_alt),
				rows[i].command);
		}
	}
}

static void keys_are_those_of_tmux(void **state)
{
	(void)state;
	assert_int_equal(find(false, 'v', true, false), BH_COPY_SELECT_BLOCK);
	assert_int_equal(find(false, ' ', false, false), BH_COPY_MARK);
	assert_int_equal(find(false, '\r', false, false), BH_COPY_YANK);
	assert_int_equal(find(false, 'u', true, false), BH_COPY_HALF_UP);
	assert_int_equal(find(true, 'w', false, true), BH_COPY_YANK);
	assert_int_equal(find(true, 's', true, false), BH_COPY_SEARCH_DOWN);
	assert_int_equal(find(true, 'w', false, false), BH_COPY_NONE);
	assert_int_equal(find(false, 'w', false, true), BH_COPY_NONE);
}

static void control_space_comes_in_three_ways(void **state)
{
	(void)state;
	assert_int_equal(find(true, ' ', true, false), BH_COPY_SELECT_CHARS);
	assert_int_equal(find(true, '@', true, false), BH_COPY_SELECT_CHARS);
	assert_int_equal(find(true, 0, false, false), BH_COPY_SELECT_CHARS);
}

static void keys_have_names(void **state)
{
	static const struct {
		struct bh_copykeys_row row;
		const char *name;
	} rows[] = {
		{{.key = 'v', .is_control = true}, "C-v"},
		{{.key = ' ', .is_control = true}, "C-Space"},
		{{.key = BH_KEY_PAGE_UP}, "PageUp"},
		{{.key = '<', .is_alt = true}, "M-<"},
		{{.key = 0x1b}, "Escape"},
	};
	char name[32];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bh_copykeys_key(&rows[i].row, name, sizeof(name));
		assert_string_equal(name, rows[i].name);
	}
}

/** The entry of the row at @at in the manual: its keys, and what they do. */
static void add_manual_entry(struct bh_buf *out, const struct bh_copykeys_row *rows, size_t count,
                             size_t at)
{
	const char *before = ".It Sy ";

	for (size_t i = at; i < count && (i == at || rows[i].help == NULL); i++) {
		char name[32];

		bh_buf_puts(out, before);
		bh_copykeys_key(&rows[i], name, sizeof(name));
		manual_add_word(out, name);
		before = " , ";
	}
	bh_buf_printf(out, "\n%c%s.\n", rows[at].help[0] - 'a' + 'A', rows[at].help + 1);
}

static void the_manual_has_every_key(void **state)
{
	(void)state;
	for (int emacs = 0; emacs < 2; emacs++) {
		struct bh_buf entries = {0};
		size_t count = 0;
		const struct bh_copykeys_row *rows = bh_copykeys(emacs == 1, &count);

		for (size_t i = 0; i < count; i++) {
			if (rows[i].help != NULL) {
				add_manual_entry(&entries, rows, count, i);
			}
		}
		manual_part_is("bellhop.1", emacs == 1 ? "copy-emacs" : "copy-vi", entries.data);
		bh_buf_clear(&entries);
	}
}

static void who_edits_with_vi_has_its_keys(void **state)
{
	(void)state;
	assert_true(bh_copykeys_is_emacs(BH_CONFIG_MODE_KEYS_AUTO, NULL));
	assert_true(bh_copykeys_is_emacs(BH_CONFIG_MODE_KEYS_AUTO, "emacsclient -t"));
	assert_true(bh_copykeys_is_emacs(BH_CONFIG_MODE_KEYS_AUTO, "/home/vivian/bin/nano"));
	assert_false(bh_copykeys_is_emacs(BH_CONFIG_MODE_KEYS_AUTO, "/usr/bin/nvim -f"));
	assert_false(bh_copykeys_is_emacs(BH_CONFIG_MODE_KEYS_AUTO, "vi"));
	assert_true(bh_copykeys_is_emacs(BH_CONFIG_MODE_KEYS_EMACS, "vi"));
	assert_false(bh_copykeys_is_emacs(BH_CONFIG_MODE_KEYS_VI, "emacs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_found_and_no_key_stands_twice),
		cmocka_unit_test(keys_are_those_of_tmux),
		cmocka_unit_test(control_space_comes_in_three_ways),
		cmocka_unit_test(keys_have_names),
		cmocka_unit_test(who_edits_with_vi_has_its_keys),
		cmocka_unit_test(the_manual_has_every_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
