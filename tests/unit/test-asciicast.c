// A tape as an asciicast: header, output, sizes, and how long it has been quiet.
#include "src/server/asciicast.h"

#include "src/base/json.h"
#include "src/server/checkpoint.h"
#include "src/server/server.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_capture_is_an_asciicast(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"cols\":20,\"rows\":3");
	// A character cut in two, a byte that is none, a NUL, a resize.
	world_print(&world, child, "a\303");
	world_print(&world, child, "\251b\377c");
	assert_non_null(
		world_call(&world, "terminal.resize", "\"name\":\"a\",\"cols\":30,\"rows\":4"));
	world_print(&world, child, "d");
	result = world_call(&world, "terminal.capture", "\"name\":\"a\"");
	char *cast = strdup(world_text(result, "cast"));
	char *rest = cast;
	char *line = strsep(&rest, "\n");
	cJSON *header = bh_json_parse_object(line, strlen(line), NULL);
	char output[64] = "";
	char size[16] = "";
	char end[16] = "";

	assert_non_null(header);
	assert_int_equal(cJSON_GetObjectItem(header, "version")->valueint, 2);
	assert_int_equal(cJSON_GetObjectItem(header, "width")->valueint, 20);
	assert_string_equal(world_text(header, "command"), "/bin/cat");
	cJSON_Delete(header);
	while ((line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
		cJSON *event = bh_json_parse(line, strlen(line), NULL);
		const char *kind = cJSON_GetArrayItem(event, 1)->valuestring;

		strcat(kind[0] == 'o'   ? output
		       : kind[0] == 'r' ? size
		                        : end,
		       cJSON_GetArrayItem(event, 2)->valuestring);
		cJSON_Delete(event);
	}
	assert_string_equal(output, "a\303\251b\357\277\275cd");
	assert_string_equal(size, "30x4");
	assert_string_equal(end, "captured");
	free(cast);
	world_close(&world);
}

/** The recording of the newest child; the caller frees. */
static char *recording(struct world *world)
{
	struct bh_buf out = {0};

	bh_asciicast_write(bh_terminals_get(world->server.terminals, &world_child(world)->id),
	                   &out);
	return bh_buf_detach(&out);
}

static void the_command_is_the_profile_that_judged(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", ",\"profile\":\"claude\"");
	char *cast = recording(&world);

	assert_non_null(strstr(cast, "\"title\":\"a\""));
	assert_non_null(strstr(cast, "\"command\":\"claude\""));
	free(cast);
	world_close(&world);
}

static void it_begins_with_the_checkpoint(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", ",\"cols\":20,\"rows\":3");
	struct bh_terminal *terminal = bh_terminals_get(world.server.terminals, &child->id);

	world_print(&world, child, "gone\r\033[2Kbefore");
	(void)bh_terminal_resize(terminal, 30, 5);
	bh_checkpoint_write(terminal);
	world_print(&world, child, "after");
	char *cast = recording(&world);

	// The size of the checkpoint, not that of the start; what was drawn over is gone.
	assert_non_null(strstr(cast, "\"width\":30,\"height\":5"));
	assert_null(strstr(cast, "gone"));
	assert_non_null(strstr(cast, "before"));
	assert_true(strstr(cast, "after") > strstr(cast, "before"));
	free(cast);
	world_close(&world);
}

static void only_the_marker_at_the_end_has_a_time(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");
	struct bh_terminal *terminal = bh_terminals_get(world.server.terminals, &child->id);

	world_print(&world, child, "x");
	terminal->output_ms = bh_server_now_ms(&world.server) - 2500;
	char *cast = recording(&world);
	char *rest = strchr(cast, '\n') + 1;
	const char *last = NULL;

	for (char *line = strsep(&rest, "\n"); line != NULL && line[0] != '\0';
	     line = strsep(&rest, "\n")) {
		if (last != NULL) {
			assert_int_equal(strncmp(last, "[0,", 3), 0);
		}
		last = line;
	}
	assert_non_null(last);
	assert_string_equal(last, "[2.5,\"m\",\"captured\"]");
	free(cast);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_capture_is_an_asciicast),
		cmocka_unit_test(the_command_is_the_profile_that_judged),
		cmocka_unit_test(it_begins_with_the_checkpoint),
		cmocka_unit_test(only_the_marker_at_the_end_has_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
