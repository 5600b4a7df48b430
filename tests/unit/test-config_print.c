// The settings as a file that explains itself.
#include "src/base/config.h"

#include "src/base/file.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** Settings, and the file that they are read from. */
struct world {
	char path[32];
	struct bh_config config;
	struct bh_buf first, second;
};

static int world_open(void **state)
{
	struct world *world = bh_xmalloc(sizeof(*world));

	(void)snprintf(world->path, sizeof(world->path), "/tmp/bh-print-XXXXXX");
	assert_true(close(mkstemp(world->path)) == 0);
	bh_config_init(&world->config);
	*state = world;
	return 0;
}

static int world_close(void **state)
{
	struct world *world = *state;

	(void)unlink(world->path);
	bh_config_clear(&world->config);
	bh_buf_clear(&world->first);
	bh_buf_clear(&world->second);
	free(world);
	return 0;
}

static void fault(const struct bh_err *err, void *user)
{
	(void)user;
	fail_msg("%s", err->text);
}

/** Read @text, in which nothing may be at fault. */
static void load(struct world *world, const char *text)
{
	const struct bh_config_source source = {.path = world->path, .report = fault};

	assert_int_equal(bh_file_replace(world->path, bh_span_of(text), 0600, BH_FILE_ATOMIC, NULL),
	                 0);
	assert_int_equal(bh_config_load(&world->config, &source), 0);
}

static void what_is_printed_reads_the_same(void **state)
{
	static const char *const files[] = {
		"{}",
		"{\"prefix\": \"C-\\\\\", \"keys\": {\"zoom\": [\"m\", \"\\\"\"], \"detach\": \"\"},"
		"\"size_policy\": \"80x24\", \"notify\": {\"command\": \"a \\\"b\\\"\"}}",
		"{\"prefix\": \"C-Space\", \"mouse\": false, \"history_lines\": 100,"
		"\"mode_keys\": \"vi\", \"link_command\": \"\\u00e9\\\\ \\t\"}",
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		world->first.len = world->second.len = 0;
		load(world, files[i]);
		bh_config_print(&world->config, &world->first);
		load(world, world->first.data);
		bh_config_print(&world->config, &world->second);
		assert_string_equal(world->first.data, world->second.data);
		if (i == 1) {
			assert_int_equal(world->config.prefix, '\\');
			assert_int_equal(world->config.size_policy.cols, 80);
			assert_string_equal(world->config.notify.command, "a \"b\"");
			assert_int_equal(world->config.keys.count, 3);
		}
	}
	assert_int_equal(world->config.prefix, ' ');
	assert_int_equal(world->config.mode_keys, BH_CONFIG_MODE_KEYS_VI);
	assert_string_equal(world->config.link_command, "\xc3\xa9\\ \t");
}

static void every_key_is_there_and_explained_in_short_lines(void **state)
{
	struct world *world = *state;
	size_t count = 0;
	const struct bh_config_row *rows = bh_config_table(&count);

	bh_config_print(&world->config, &world->first);
	for (size_t i = 0; i < count; i++) {
		const char *dot = strchr(rows[i].name, '.');
		const char *name = dot == NULL ? rows[i].name : dot + 1;
		char *entry = bh_xasprintf("\n%s\"%s\": ", dot == NULL ? "\t" : "\t\t", name);
		const char *at = strstr(world->first.data, entry);
		const char *line = at;

		assert_non_null(at);
		// The line above it is the end of its explanation.
		while (line > world->first.data && line[-1] != '\n') {
			line--;
		}
		assert_int_equal(strncmp(line + strspn(line, "\t"), "// ", 3), 0);
		free(entry);
	}
	for (const char *line = world->first.data; *line != '\0'; line += strcspn(line, "\n") + 1) {
		assert_true(strcspn(line, "\n") <= 80);
	}
}

static void values_read_as_in_the_manual(void **state)
{
	static const char *const lines[] = {
		"\t\"prefix\": \"C-a\",\n",
		"\t\"size_policy\": \"120x40\",\n",
		"\t\"keys\": {\n\t\t\"zoom\": [\"m\", \"z\"],\n\t\t\"detach\": [\"q\"]\n\t},\n",
		"\t\"mouse\": false,\n",
		"\t\"notify\": {\n",
		"\t\t\"bell\": true,\n",
		"\t\"truecolor\": \"off\",\n",
	};
	struct world *world = *state;

	load(world, "{\"prefix\": \"C-a\", \"size_policy\": \"120x40\", \"mouse\": false, \"keys\":"
	            "{\"zoom\": [\"m\", \"z\"], \"detach\": \"q\"}, \"truecolor\": \"off\"}");
	bh_config_print(&world->config, &world->first);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (strstr(world->first.data, lines[i]) == NULL) {
			fail_msg("no %sin\n%s", lines[i], world->first.data);
		}
	}
	load(world, "{}");
	bh_config_print(&world->config, &world->second);
	assert_non_null(strstr(world->second.data, "\t\"keys\": {},\n"));
	assert_non_null(strstr(world->second.data, "\t\"size_policy\": \"latest\",\n"));
}

int main(void)
{
#define WORLD(test) cmocka_unit_test_setup_teardown(test, world_open, world_close)
	const struct CMUnitTest tests[] = {
		WORLD(what_is_printed_reads_the_same),
		WORLD(every_key_is_there_and_explained_in_short_lines),
		WORLD(values_read_as_in_the_manual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
