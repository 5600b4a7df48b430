// The settings as they are read, and the manual about them.
#include "src/base/config.h"

#include "src/base/file.h"
#include "src/base/mem.h"
#include "tests/unit/manual.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** A file with settings, and what reading it gave. */
struct world {
	char dir[32];
	char *path;
	struct bh_config config;
	struct bh_config_source source;
	int faults;
	/** The sentences, without the path, one a line. */
	struct bh_buf said;
};

static const char *action_at(size_t index)
{
	static const char *const actions[] = {"new-tab", "zoom", "detach", NULL};

	return actions[index];
}

static bool is_key(const char *name)
{
	return strlen(name) == 1 || strcmp(name, "Up") == 0 || strcmp(name, "C-o") == 0;
}

static bool is_direct_key(const char *name)
{
	return strlen(name) > 1;
}

static const struct bh_config_names names = {
	.action_at = action_at, .is_key = is_key, .is_direct_key = is_direct_key};

static void hear(const struct bh_err *err, void *user)
{
	struct world *world = user;
	const char *at = strstr(err->text, world->path);

	if (at == err->text) {
		bh_buf_printf(&world->said, "%s\n", err->text + strlen(world->path) + 1);
	} else {
		bh_buf_printf(&world->said, "%s\n", err->text);
	}
}

static int world_open(void **state)
{
	struct world *world = bh_xmalloc(sizeof(*world));

	(void)snprintf(world->dir, sizeof(world->dir), "/tmp/bh-config-XXXXXX");
	assert_non_null(mkdtemp(world->dir));
	world->path = bh_xasprintf("%s/config.json", world->dir);
	world->source = (struct bh_config_source){
		.path = world->path, .names = &names, .report = hear, .user = world};
	bh_config_init(&world->config);
	*state = world;
	return 0;
}

static int world_close(void **state)
{
	struct world *world = *state;

	(void)bh_file_remove(world->path, NULL);
	(void)rmdir(world->dir);
	bh_config_clear(&world->config);
	bh_buf_clear(&world->said);
	free(world->path);
	free(world);
	return 0;
}

/** Read @text as the file. */
static void load(struct world *world, const char *text)
{
	bh_buf_clear(&world->said);
	bh_buf_puts(&world->said, "");
	assert_int_equal(bh_file_replace(world->path, bh_span_of(text), 0600, BH_FILE_ATOMIC, NULL),
	                 0);
	world->faults = bh_config_load(&world->config, &world->source);
}

static void without_a_file_all_is_as_the_table_says(void **state)
{
	struct world *world = *state;
	const struct bh_config *config = &world->config;

	assert_int_equal(bh_config_load(&world->config, &world->source), 0);
	assert_int_equal(config->prefix, 'b');
	assert_int_equal(config->keys.count, 0);
	assert_true(config->mouse && config->sidebar && config->notify.bell && config->notify.osc9);
	assert_int_equal(config->history_lines, 10000);
	assert_int_equal(config->clipboard, BH_CONFIG_CLIPBOARD_ASK);
	assert_int_equal(config->truecolor, BH_CONFIG_TRUECOLOR_AUTO);
	assert_int_equal(config->mode_keys, BH_CONFIG_MODE_KEYS_AUTO);
	assert_string_equal(config->size_policy.policy, "latest");
	assert_string_equal(config->default_command, "");
	assert_int_equal(config->escape_ms, 40);

	world->source.is_needed = true;
	assert_int_equal(bh_config_load(&world->config, &world->source), 1);
	assert_non_null(strstr(world->said.data, "No such file"));
	assert_true(config->mouse);
}

static void every_kind_of_value_is_taken(void **state)
{
	struct world *world = *state;
	const struct bh_config *config = &world->config;

	load(world, "// mine\n{\"prefix\": \"C-a\", \"mouse\": false, \"sidebar_columns\": 24,\n"
	            "\"mode_keys\": \"vi\", /* two\nlines */ \"size_policy\": \"100x30\",\n"
	            "\"notify\": {\"bell\": false, \"command\": \"beep\",},\n"
	            "\"keys\": {\"zoom\": [\"m\", \"C-o\"], \"detach\": \"\", \"new-tab\": []},}");
	assert_int_equal(world->faults, 0);
	assert_string_equal(world->said.data, "");
	assert_int_equal(config->prefix, 'a');
	assert_false(config->mouse);
	assert_int_equal(config->sidebar_columns, 24);
	assert_int_equal(config->mode_keys, BH_CONFIG_MODE_KEYS_VI);
	assert_string_equal(config->size_policy.policy, "fixed");
	assert_int_equal(config->size_policy.cols, 100);
	assert_int_equal(config->size_policy.rows, 30);
	assert_false(config->notify.bell);
	assert_true(config->notify.osc9);
	assert_string_equal(config->notify.command, "beep");
	assert_int_equal(config->keys.count, 4);
	assert_string_equal(config->keys.items[1].action, "zoom");
	assert_string_equal(config->keys.items[1].key, "C-o");
	assert_string_equal(config->keys.items[2].key, "");
	assert_string_equal(config->keys.items[3].action, "new-tab");
	// Read again: what is gone from the file is at its default.
	load(world, "  // nothing\n");
	assert_int_equal(world->faults, 0);
	assert_true(config->mouse);
	assert_string_equal(config->notify.command, "");
	assert_int_equal(config->keys.count, 0);
}

static void faults_name_line_and_key_and_what_is_allowed(void **state)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"{\n\"mouse\": 1}", "2: mouse must be true or false\n"},
		{"{\n\n\"mose\": true}", "3: there is no key \"mose\"; did you mean \"mouse\"?\n"},
		{"{\"xyz\": 1}", "1: there is no key \"xyz\"; bellhop(5) lists them\n"},
		{"{\"notify\": {\n\"bel\": true}}",
	         "2: there is no key \"bel\"; did you mean \"bell\"?\n"},
		{"{\"notify\": true}", "1: notify must be an object ({...})\n"},
		{"{\"notify.bell\": true, \"mouse\": {}}", "1: mouse must be true or false\n"},
		{"{\"history_lines\": 99}",
	         "1: history_lines must be a whole number from 100 to 1000000\n"},
		{"{\"escape_ms\": 1.5}", "1: escape_ms must be a whole number from 1 to 1000\n"},
		{"{\"sidebar_columns\": 17}",
	         "1: sidebar_columns must be a whole number from 18 to 36, or 0\n"},
		{"{\"clipboard\": \"yes\"}",
	         "1: clipboard must be \"ask\", \"allow\" or \"deny\"\n"},
		{"{\"size_policy\": \"9999x2\"}",
	         "1: size_policy must be \"latest\", \"smallest\" or a size like \"120x40\"\n"},
		{"{\"prefix\": \"C-m\"}", "1: prefix must be \"C-\" and a letter (but i, j, m), "
	                                  "Space or one of \\ ] ^ _, or \"M-\" and a letter\n"},
		{"{\"prefix\": \"M-O\"}", "1: prefix must be \"C-\" and a letter (but i, j, m), "
	                                  "Space or one of \\ ] ^ _, or \"M-\" and a letter\n"},
		{"{\"link_command\": [\n]}", "1: link_command must be a text\n"},
		{"{\"keys\": {\n\"zoooom\": \"z\"}}",
	         "2: there is no action \"zoooom\"; did you mean \"zoom\"?\n"},
		{"{\"keys\": {\"zoom\": [\"z\",\n\"Upp\"]}}",
	         "2: keys.zoom.1: there is no key \"Upp\"; a key is a character or a name like "
	         "Up, Space, PageUp, with C-, M- or S- before it\n"},
		{"{\"keys\": {\"zoom\": \"z\",\n\"detach\": \"z\"}}",
	         "2: keys.detach: z is the key of zoom already\n"},
		{"{\"keys\": {\"zoom\": \"z\"},\n\"direct_keys\": {\"zoom\": \"z\"}}",
	         "2: direct_keys.zoom: programs need the key \"z\"; one without the prefix has C-, "
	         "M- or S- before it or a name like F5\n"},
		{"{\"keys\": {\"zoom\": 1}}", "1: keys.zoom must be a key or an array of keys\n"},
		{"{\"keys\": 1}", "1: keys must be an object of actions with a key or an array of "
	                          "keys each\n"},
		{"{\"mouse\": true,\n\"mouse\": false}", "1: mouse is given twice\n"},
		{"{\"mouse\": 1, \"sidebar\": 2}",
	         "1: mouse must be true or false\n1: sidebar must be true or false\n"},
		{"[]", "1: the settings must be one object ({...})\n"},
		{"{\n\"mouse\" true}", "2: JSON: syntax error near byte 10\n"},
		{"{}\n/* x", "2: this comment does not end\n"},
		{"{\"link_command\":\n\"\xff\"}", "2: JSON: invalid UTF-8 at byte 18\n"},
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		load(world, cases[i].text);
		assert_string_equal(world->said.data, cases[i].said);
		assert_true(world->faults > 0);
		assert_true(world->config.mouse);
	}
}

static void a_faulty_value_leaves_the_others_in_force(void **state)
{
	struct world *world = *state;

	load(world,
	     "{\"mouse\": 3, \"prefix\": \"C-Space\", \"keys\": {\"bad\": 1, \"zoom\": \"m\"}}");
	assert_int_equal(world->faults, 2);
	assert_true(world->config.mouse);
	assert_int_equal(world->config.prefix, ' ');
	assert_int_equal(world->config.keys.count, 1);
}

static void sizes_are_read(void **state)
{
	static const char *const none[] = {"",       "x",
	                                   "80",     "80x",
	                                   "80x24 ", "80X24",
	                                   "1x24",   "80x1001",
	                                   " 80x24", "+8x24",
	                                   "80x-24", "80 x24",
	                                   "fixed",  "99999999999999999999x24"};
	struct bh_config_size size = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_false(bh_config_size_parse(none[i], &size));
		assert_null(size.policy);
	}
	assert_true(bh_config_size_parse("2x1000", &size));
	assert_string_equal(size.policy, "fixed");
	assert_int_equal(size.cols, 2);
	assert_int_equal(size.rows, 1000);
	assert_true(bh_config_size_parse("smallest", &size));
	assert_int_equal(size.cols, 0);
}

static void without_names_actions_and_keys_are_taken_as_they_are(void **state)
{
	struct world *world = *state;

	world->source.names = NULL;
	load(world, "{\"keys\": {\"anything\": \"Hyper-x\"}}");
	assert_int_equal(world->faults, 0);
	assert_string_equal(world->config.keys.items[0].key, "Hyper-x");
}

/** The entry of a key in bellhop(5). */
static void add_manual_entry(struct bh_buf *out, const struct bh_config_row *row)
{
	struct bh_buf allowed = {0};

	bh_config_allowed(row, &allowed);
	bh_buf_printf(out, ".It Ic %s\n", row->name);
	manual_add_text(out, row->help);
	bh_buf_puts(out, ".br\nValue: ");
	manual_add_text(out, allowed.data);
	bh_buf_puts(out, ".br\nDefault: ");
	manual_add_text(out, row->text);
	bh_buf_clear(&allowed);
}

static void the_manual_has_every_key(void **state)
{
	struct bh_buf entries = {0};
	size_t count = 0;
	const struct bh_config_row *rows = bh_config_table(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		add_manual_entry(&entries, &rows[i]);
	}
	manual_part_is("bellhop.5", "settings", entries.data);
	bh_buf_clear(&entries);
}

/** Append what a reader of the manual sees of a line of literal text. */
static void add_as_read(struct bh_buf *out, const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (line[i] != '\\') {
			bh_buf_append(out, line + i, 1);
		} else if (i + 1 < len && line[i + 1] == 'e') {
			bh_buf_puts(out, "\\");
			i++;
		} else {
			break; // a comment: nothing of the rest is seen
		}
	}
	bh_buf_puts(out, "\n");
}

static void the_examples_of_the_manual_are_settings(void **state)
{
	struct world *world = *state;
	char *path = bh_xasprintf("%s/doc/bellhop.5", getenv("BELLHOP_TEST_SRCDIR"));
	struct bh_buf manual = {0};
	int examples = 0;

	world->source.names = NULL;
	assert_int_equal(bh_file_read(path, 1024 * 1024, &manual, NULL), 0);
	for (const char *at = strstr(manual.data, "offset indent\n{\n"); at != NULL;
	     at = strstr(at, "offset indent\n{\n")) {
		struct bh_buf example = {0};

		at += strlen("offset indent\n");
		while (strncmp(at, ".Ed", 3) != 0) {
			size_t len = strcspn(at, "\n");

			add_as_read(&example, at, len);
			at += len + 1;
		}
		load(world, example.data);
		assert_string_equal(world->said.data, "");
		bh_buf_clear(&example);
		examples++;
	}
	assert_true(examples >= 2);
	assert_string_equal(world->config.notify.command,
	                    "notify-send \"$BELLHOP_IDENTITY: $BELLHOP_STATE\"");
	bh_buf_clear(&manual);
	free(path);
}

int main(void)
{
#define WORLD(test) cmocka_unit_test_setup_teardown(test, world_open, world_close)
	const struct CMUnitTest tests[] = {
		WORLD(without_a_file_all_is_as_the_table_says),
		WORLD(every_kind_of_value_is_taken),
		WORLD(faults_name_line_and_key_and_what_is_allowed),
		WORLD(a_faulty_value_leaves_the_others_in_force),
		cmocka_unit_test(sizes_are_read),
		WORLD(without_names_actions_and_keys_are_taken_as_they_are),
		cmocka_unit_test(the_manual_has_every_key),
		WORLD(the_examples_of_the_manual_are_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
