#include "src/ui/bindings.h"

#include "src/base/mem.h"
#include "src/ui/layer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** The settings as one pair a call, "" as key for none. */
static void bind(struct bh_config *config, const char *action, const char *key)
{
	struct bh_config_bindings *keys = &config->keys;

	keys->items = bh_xrealloc(keys->items, keys->count + 1, sizeof(keys->items[0]));
	keys->items[keys->count++] =
		(struct bh_config_binding){.action = bh_xstrdup(action), .key = bh_xstrdup(key)};
}

static enum bh_action found_key(const struct bh_bindings *bindings, struct bh_layer_key key)
{
	const struct bh_key_row *row = bh_bindings_find(bindings, &key);

	return row == NULL ? BH_ACTION_NONE : row->action;
}

static enum bh_action found(const struct bh_bindings *bindings, uint32_t key, bool is_control)
{
	return found_key(bindings, (struct bh_layer_key){.key = key, .is_control = is_control});
}

static enum bh_action direct(const struct bh_bindings *bindings, struct bh_layer_key key)
{
	const struct bh_key_row *row = bh_bindings_direct(bindings, &key);

	return row == NULL ? BH_ACTION_NONE : row->action;
}

static void without_settings_it_is_the_table(void **state)
{
	struct bh_config config;
	struct bh_bindings bindings = {0};
	size_t count = 0;
	size_t bound = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	(void)state;
	bh_config_init(&config);
	bh_bindings_set(&bindings, &config);
	for (size_t i = 0; i < count; i++) {
		char name[BH_BINDINGS_KEY];
		struct bh_binding parsed;

		if (rows[i].key == 0) {
			continue; // only a name
		}
		bound++;
		assert_int_equal(
			found_key(&bindings, (struct bh_layer_key){.key = rows[i].key,
		                                                   .is_control = rows[i].is_control,
		                                                   .is_alt = rows[i].is_alt}),
			rows[i].action);
		// Every name that help and manual say can be said in the settings.
		bh_keytable_key(&rows[i], name, sizeof(name));
		assert_true(bh_bindings_parse(name, &parsed));
		assert_int_equal(parsed.key, rows[i].key);
		assert_int_equal(parsed.is_control, rows[i].is_control);
		assert_int_equal(parsed.is_alt, rows[i].is_alt);
		assert_string_equal(bh_bindings_names.action_at(i), rows[i].name);
	}
	assert_int_equal(bindings.count, bound);
	assert_null(bh_bindings_names.action_at(count));
	assert_int_equal(found(&bindings, '7', false), BH_ACTION_TAB_INDEX);
	assert_int_equal(found(&bindings, 'Q', false), BH_ACTION_NONE);
	assert_string_equal(bindings.prefix_name, "C-b");
	bh_bindings_clear(&bindings);
	bh_config_clear(&config);
}

static void settings_replace_the_keys_of_an_action(void **state)
{
	struct bh_config config;
	struct bh_bindings bindings = {0};
	struct bh_buf keys = {0};
	char hint[32];

	(void)state;
	bh_config_init(&config);
	bind(&config, "split-right", "|");
	bind(&config, "split-right", "C-O");
	bind(&config, "close-pane", "");
	bind(&config, "zoom", "5");
	bind(&config, "next-tab", "d");
	bind(&config, "dance", "c");
	bh_bindings_set(&bindings, &config);
	assert_int_equal(found(&bindings, '|', false), BH_ACTION_SPLIT_RIGHT);
	assert_int_equal(found(&bindings, 'o', true), BH_ACTION_SPLIT_RIGHT);
	assert_int_equal(found(&bindings, '%', false), BH_ACTION_NONE);
	assert_int_equal(found(&bindings, 'x', false), BH_ACTION_NONE);
	// One digit is taken from the ten, a key from another action.
	assert_int_equal(found(&bindings, '5', false), BH_ACTION_PANE_ZOOM);
	assert_int_equal(found(&bindings, '6', false), BH_ACTION_TAB_INDEX);
	assert_int_equal(found(&bindings, 'd', false), BH_ACTION_TAB_NEXT);
	assert_int_equal(found(&bindings, 'd', true), BH_ACTION_DETACH);
	assert_int_equal(found(&bindings, 'n', false), BH_ACTION_NONE);
	assert_int_equal(found(&bindings, 'c', false), BH_ACTION_TAB_NEW);
	bh_bindings_keys(&bindings, BH_ACTION_SPLIT_RIGHT, &keys);
	assert_string_equal(keys.data, "| C-O");
	bh_bindings_hint(&bindings, BH_ACTION_DETACH, hint, sizeof(hint));
	assert_string_equal(hint, "C-b C-d");
	bh_bindings_hint(&bindings, BH_ACTION_PANE_CLOSE, hint, sizeof(hint));
	assert_string_equal(hint, "");
	// For the help they stand in the order of the table.
	for (size_t i = 1; i < bindings.count; i++) {
		assert_true(bindings.items[i - 1].row <= bindings.items[i].row);
	}
	bh_buf_clear(&keys);
	bh_bindings_clear(&bindings);
	bh_config_clear(&config);
}

static void the_prefix_twice_sends_it(void **state)
{
	struct bh_config config;
	struct bh_bindings bindings = {0};
	struct bh_layer_key prefix;
	char bytes[2];

	(void)state;
	bh_config_init(&config);
	config.prefix = 'a';
	bh_bindings_set(&bindings, &config);
	assert_string_equal(bindings.prefix_name, "C-a");
	assert_int_equal(bindings.prefix, 'a');
	assert_int_equal(found(&bindings, 'a', true), BH_ACTION_SEND_PREFIX);
	assert_int_equal(found(&bindings, 'b', true), BH_ACTION_NONE);
	config.prefix = 'a' | BH_CONFIG_PREFIX_ALT;
	bh_bindings_set(&bindings, &config);
	assert_string_equal(bindings.prefix_name, "M-a");
	assert_int_equal(found_key(&bindings, bh_bindings_prefix(config.prefix)),
	                 BH_ACTION_SEND_PREFIX);
	assert_int_equal(found(&bindings, 'a', true), BH_ACTION_NONE);
	prefix = bh_bindings_prefix(config.prefix);
	assert_int_equal(bh_bindings_prefix_bytes(&prefix, bytes), 2);
	assert_memory_equal(bytes,
	                    "\x1b"
	                    "a",
	                    2);
	prefix = bh_bindings_prefix('b');
	assert_int_equal(bh_bindings_prefix_bytes(&prefix, bytes), 1);
	assert_int_equal(bytes[0], 2);
	config.prefix = ' ';
	bh_bindings_set(&bindings, &config);
	assert_string_equal(bindings.prefix_name, "C-Space");
	assert_int_equal(found(&bindings, ' ', true), BH_ACTION_SEND_PREFIX);
	bh_bindings_clear(&bindings);
	bh_config_clear(&config);
}

static void modifiers_count(void **state)
{
	struct bh_config config;
	struct bh_bindings bindings = {0};

	(void)state;
	bh_config_init(&config);
	bind(&config, "zoom", "M-z");
	bind(&config, "next-tab", "M-S-Right");
	bind(&config, "mail", "S-F5");
	bind(&config, "help", "C-i");
	bind(&config, "redraw", "C-S-r");
	bh_bindings_set(&bindings, &config);
	assert_int_equal(found_key(&bindings, (struct bh_layer_key){'z', false, true, false}),
	                 BH_ACTION_PANE_ZOOM);
	assert_int_equal(found(&bindings, 'z', false), BH_ACTION_NONE);
	assert_int_equal(found_key(&bindings, (struct bh_layer_key){'Z', false, true, true}),
	                 BH_ACTION_NONE);
	assert_int_equal(
		found_key(&bindings, (struct bh_layer_key){BH_KEY_RIGHT, false, true, true}),
		BH_ACTION_TAB_NEXT);
	// Alt alone has its own; shift is not looked at where there is nothing with it.
	assert_int_equal(
		found_key(&bindings, (struct bh_layer_key){BH_KEY_RIGHT, false, true, false}),
		BH_ACTION_RESIZE_RIGHT_FAR);
	assert_int_equal(
		found_key(&bindings, (struct bh_layer_key){BH_KEY_RIGHT, false, false, true}),
		BH_ACTION_FOCUS_RIGHT);
	assert_int_equal(
		found_key(&bindings, (struct bh_layer_key){BH_KEY_F1 + 4, false, false, true}),
		BH_ACTION_MAIL);
	assert_int_equal(found(&bindings, BH_KEY_F1 + 4, false), BH_ACTION_NONE);
	// In a character it is in the character, however the terminal says it.
	assert_int_equal(found_key(&bindings, (struct bh_layer_key){'%', false, false, true}),
	                 BH_ACTION_SPLIT_RIGHT);
	assert_int_equal(found_key(&bindings, (struct bh_layer_key){'r', true, false, true}),
	                 BH_ACTION_REDRAW);
	assert_int_equal(found_key(&bindings, (struct bh_layer_key){'R', true, false, true}),
	                 BH_ACTION_REDRAW);
	assert_int_equal(found_key(&bindings, (struct bh_layer_key){'R', true, false, false}),
	                 BH_ACTION_NONE);
	// Tab is C-i, also where the terminal tells them apart.
	assert_int_equal(found(&bindings, '\t', false), BH_ACTION_HELP);
	assert_int_equal(found(&bindings, 'i', true), BH_ACTION_HELP);
	assert_int_equal(found_key(&bindings, (struct bh_layer_key){'1', false, true, false}),
	                 BH_ACTION_EVEN_HORIZONTAL);
	assert_int_equal(found_key(&bindings, (struct bh_layer_key){'9', false, true, false}),
	                 BH_ACTION_NONE);
	bh_bindings_clear(&bindings);
	bh_config_clear(&config);
}

static void some_keys_need_no_prefix(void **state)
{
	static const char *const may[] = {"M-x",    "C-x",      "F5",  "S-Left",
	                                  "PageUp", "C-M-S-Up", "BTab"};
	static const char *const may_not[] = {"x",   "0-9",    "Space",  "Enter",   "Tab", "C-i",
	                                      "C-m", "Escape", "BSpace", "S-Space", ""};
	struct bh_config config;
	struct bh_config keys;
	struct bh_bindings bindings = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(may) / sizeof(may[0]); i++) {
		assert_true(bh_bindings_names.is_direct_key(may[i]));
	}
	for (size_t i = 0; i < sizeof(may_not) / sizeof(may_not[0]); i++) {
		assert_false(bh_bindings_names.is_direct_key(may_not[i]));
	}
	bh_config_init(&config);
	bh_config_init(&keys);
	bind(&keys, "focus-left", "M-Left");
	bind(&keys, "zoom", "x");
	bind(&keys, "dance", "M-d");
	config.direct_keys = keys.keys;
	keys.keys = (struct bh_config_bindings){0};
	bh_bindings_set(&bindings, &config);
	assert_int_equal(bindings.direct_count, 1);
	assert_int_equal(direct(&bindings, (struct bh_layer_key){BH_KEY_LEFT, false, true, false}),
	                 BH_ACTION_FOCUS_LEFT);
	assert_int_equal(direct(&bindings, (struct bh_layer_key){BH_KEY_LEFT, false, false, false}),
	                 BH_ACTION_NONE);
	// After the prefix all is as it was.
	assert_int_equal(found(&bindings, BH_KEY_LEFT, false), BH_ACTION_FOCUS_LEFT);
	bh_bindings_clear(&bindings);
	assert_int_equal(bindings.direct_count, 0);
	bh_config_clear(&config);
	bh_config_clear(&keys);
}

static void names_of_keys_are_read(void **state)
{
	static const struct {
		const char *name;
		uint32_t key;
		bool is_control, is_digits, is_alt, is_shift;
	} cases[] = {
		{"M-x", 'x', false, false, true, false},
		{"M-X", 'X', false, false, true, false},
		{"M--", '-', false, false, true, false},
		{"M-C-A", 'a', true, false, true, false},
		{"C-M-S-PageDown", BH_KEY_PAGE_DOWN, true, false, true, true},
		{"S-F12", BH_KEY_F12, false, false, false, true},
		{"C-S-a", 'a', true, false, false, true},
		{"BTab", '\t', false, false, false, true},
		{"C-PPage", BH_KEY_PAGE_UP, true, false, false, false},
		{"C-[", 0x1b, false, false, false, false},
		{"C-@", ' ', true, false, false, false},
		{"C-/", '_', true, false, false, false},
		{"C-M-i", '\t', false, false, true, false},
		{"S", 'S', false, false, false, false},
		{"a", 'a', false, false, false, false},
		{"A", 'A', false, false, false, false},
		{"C-A", 'a', true, false, false, false},
		{"-", '-', false, false, false, false},
		{"C--", '-', true, false, false, false},
		{"Up", BH_KEY_UP, false, false, false, false},
		{"C-PageUp", BH_KEY_PAGE_UP, true, false, false, false},
		{"Space", ' ', false, false, false, false},
		{"0-9", '0', false, true, false, false},
		{"0", '0', false, false, false, false},
		{"\xc3\xa9", 0xe9, false, false, false, false},
	};
	static const char *const none[] = {
		"",      "C-",    " ",     "\t",   "ab",
		"up",    "C-0-9", "C-Upp", "\xff", "M-",
		"M-0-9", "M-M-x", "S-a",   "X-a",  "a-name-that-is-too-long"};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bh_binding binding;

		assert_true(bh_bindings_parse(cases[i].name, &binding));
		assert_int_equal(binding.key, cases[i].key);
		assert_int_equal(binding.is_control, cases[i].is_control);
		assert_int_equal(binding.is_digits, cases[i].is_digits);
		assert_int_equal(binding.is_alt, cases[i].is_alt);
		assert_int_equal(binding.is_shift, cases[i].is_shift);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_false(bh_bindings_names.is_key(none[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_settings_it_is_the_table),
		cmocka_unit_test(settings_replace_the_keys_of_an_action),
		cmocka_unit_test(the_prefix_twice_sends_it),
		cmocka_unit_test(modifiers_count),
		cmocka_unit_test(some_keys_need_no_prefix),
		cmocka_unit_test(names_of_keys_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
