// What the kernel and the status file say of a terminal reaches its judge.
#include "src/server/terminal_probe.h"

#include "src/base/mem.h"
#include "src/server/pty.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

/** The detail of the evidence called @name in an explanation; NULL: there is none. */
static const char *evidence(struct world *world, const char *name)
{
	const cJSON *told = world_call(world, "terminal.explain", "\"name\":\"a\"");
	const cJSON *item = NULL;

	cJSON_ArrayForEach(item, cJSON_GetObjectItem(told, "evidence"))
	{
		if (strcmp(world_text(item, "name"), name) == 0) {
			return world_text(item, "detail");
		}
	}
	return NULL;
}

/** Write a status file of the newest child below @folder of the world. */
static void put_status(struct world *world, const char *folder, const char *text)
{
	char *path = bh_xasprintf("%s/%s", world->folder, folder);
	char *sessions = bh_xasprintf("%s/sessions", path);
	char *file = bh_xasprintf("%s/%d.json", sessions, world_child(world)->pid);

	(void)mkdir(path, 0700);
	(void)mkdir(sessions, 0700);
	FILE *out = fopen(file, "we");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	free(path);
	free(sessions);
	free(file);
}

static void a_status_file_is_read(void **state)
{
	struct world world;
	char path[256];

	(void)state;
	world_open(&world);
	// Of another process, and damaged: neither may disturb the judge.
	(void)snprintf(path, sizeof path, "%s/.claude", world.folder);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof path, "%s/.claude/sessions", world.folder);
	assert_int_equal(mkdir(path, 0700), 0);
	char *params = NULL;

	assert_true(asprintf(&params, ",\"profile\":\"claude\",\"environ\":{\"HOME\":\"%s\"}",
	                     world.folder) > 0);
	struct world_child *child = world_run(&world, "a", params);

	(void)snprintf(path, sizeof path, "%s/.claude/sessions/%d.json", world.folder, child->pid);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	(void)fputs("{\"status\":\"idle\",\"procStart\":\"no", file);
	(void)fclose(file);
	const cJSON *result = world_call(&world, "terminal.explain", "\"name\":\"a\"");

	assert_string_equal(world_text(result, "state"), "starting");
	free(params);
	world_close(&world);
}

static void the_status_file_of_home_counts(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	char *params =
		bh_xasprintf(",\"profile\":\"claude\",\"environ\":{\"HOME\":\"%s\"}", world.folder);

	world_run(&world, "a", params);
	assert_null(evidence(&world, "status file"));
	put_status(&world, ".claude", "{\"status\":\"busy\"}");
	assert_string_equal(evidence(&world, "status file"), "busy");
	free(params);
	world_close(&world);
}

static void the_folder_that_the_user_chose_comes_first(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	char *params = bh_xasprintf(",\"profile\":\"claude\",\"environ\":{\"HOME\":\"%s\","
	                            "\"CLAUDE_CONFIG_DIR\":\"%s/own\"}",
	                            world.folder, world.folder);

	world_run(&world, "a", params);
	put_status(&world, ".claude", "{\"status\":\"busy\"}");
	assert_null(evidence(&world, "status file"));
	put_status(&world, "own", "{\"status\":\"waiting\"}");
	assert_string_equal(evidence(&world, "status file"), "waiting");
	free(params);
	world_close(&world);
}

static void other_programs_have_no_status_file(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	char *params = bh_xasprintf(",\"environ\":{\"HOME\":\"%s\"}", world.folder);

	world_run(&world, "a", params);
	put_status(&world, ".claude", "{\"status\":\"busy\"}");
	assert_null(evidence(&world, "status file"));
	free(params);
	world_close(&world);
}

static void the_mode_of_the_tty_counts(void **state)
{
	struct world world;
	struct termios mode;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", ",\"profile\":\"claude\"");

	assert_int_equal(tcgetattr(child->slave, &mode), 0);
	mode.c_lflag |= ICANON;
	assert_int_equal(tcsetattr(child->slave, TCSANOW, &mode), 0);
	assert_string_equal(evidence(&world, "tty"), "line mode");
	mode.c_lflag &= ~(tcflag_t)ICANON;
	assert_int_equal(tcsetattr(child->slave, TCSANOW, &mode), 0);
	const char *detail = evidence(&world, "tty");

	assert_true(detail == NULL || strcmp(detail, "line mode") != 0);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_status_file_is_read),
		cmocka_unit_test(the_status_file_of_home_counts),
		cmocka_unit_test(the_folder_that_the_user_chose_comes_first),
		cmocka_unit_test(other_programs_have_no_status_file),
		cmocka_unit_test(the_mode_of_the_tty_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
