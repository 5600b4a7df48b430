// The terminal that a request is about, and who may act on it.
#include "src/server/target.h"

#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The similar names in the data of the last error. */
static const cJSON *near_names(const struct world *world)
{
	const cJSON *error = cJSON_GetObjectItem(world->answer, "error");

	return cJSON_GetObjectItem(cJSON_GetObjectItem(error, "data"), "near");
}

static void agents_act_on_their_own_children_only(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "other", "");
	world_run(&world, "boss", "");
	world_come_as(&world, BH_CALLER_INSIDE);
	// The newest child is the caller: what it runs is its own.
	world_ask(&world, "terminal.run", "\"argv\":[\"/bin/cat\"],\"identity\":\"helper\"");
	while (world.child_count < 3) {
		world_turn(&world);
	}
	assert_non_null(world_answer(&world));
	struct world_child helper = world.children[2];

	world.child_count = 2;
	assert_null(world_call(&world, "terminal.kill", "\"name\":\"other\""));
	assert_string_equal(world_word(&world), "operator_only");
	assert_null(world_call(&world, "terminal.type", "\"name\":\"helper\",\"text\":\"x\""));
	assert_string_equal(world_word(&world), "operator_only");
	assert_null(world_call(&world, "terminal.attach", "\"name\":\"helper\""));
	assert_string_equal(world_word(&world), "operator_only");
	const cJSON *result = world_call(&world, "terminal.get", "\"name\":\"helper\"");

	assert_string_equal(world_text(result, "started_by"), "boss");
	world_ask(&world, "terminal.kill", "\"name\":\"helper\",\"signal\":\"term\"");
	world.child_count = 3;
	assert_non_null(world_answer(&world));
	assert_int_equal(world.children[2].signal, SIGTERM);
	(void)helper;
	world_close(&world);
}

static void unknown_names_come_with_near_ones(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "reviewer", "");
	assert_null(world_call(&world, "terminal.get", "\"name\":\"reviewr\""));
	assert_string_equal(world_word(&world), "not_found");
	assert_non_null(strstr(world_sentence(&world), "did you mean reviewer?"));
	assert_null(world_call(&world, "terminal.get", "\"nome\":1"));
	assert_string_equal(world_word(&world), "params");
	assert_null(
		world_call(&world, "terminal.kill", "\"name\":\"reviewer\",\"signal\":\"LOUD\""));
	assert_string_equal(world_word(&world), "invalid");
	world_close(&world);
}

static void the_living_holder_of_a_name_is_meant(void **state)
{
	struct world world;
	char ended[BH_UUID_TEXT];

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "Coder", "");

	(void)bh_uuid_format(&child->id, ended);
	world_exit(&world, child, 0);
	assert_string_equal(world_state(&world, "cODER"), "exited");
	world_run(&world, "coder", "");
	assert_string_equal(world_state(&world, "cODER"), "starting");
	assert_string_equal(world_state(&world, ended), "exited");
	world_close(&world);
}

static void a_beginning_must_be_of_one_only(void **state)
{
	struct world world;
	char text[BH_UUID_TEXT];

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	struct bh_terminal *first =
		bh_terminals_get(world.server.terminals, &world_child(&world)->id);

	world_run(&world, "b", "");
	struct bh_terminal *second =
		bh_terminals_get(world.server.terminals, &world_child(&world)->id);
	const struct bh_uuid id = second->id;

	// Ids are random: make one that begins like the other, and differs at the end.
	second->id = first->id;
	second->id.bytes[15] ^= 1;
	(void)bh_uuid_format(&second->id, text);
	assert_non_null(world_call(&world, "terminal.get", "\"name\":\"%s\"", text));
	assert_string_equal(world_text(cJSON_GetObjectItem(world.answer, "result"), "identity"),
	                    "b");
	assert_null(world_call(&world, "terminal.get", "\"name\":\"%.8s\"", text));
	assert_string_equal(world_word(&world), "ambiguous");
	assert_null(world_call(&world, "terminal.get", "\"name\":\"%.3s\"", text));
	assert_string_equal(world_word(&world), "not_found");
	second->id = id;
	world_close(&world);
}

static void a_mailbox_without_terminal_is_no_typing_error(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_exit(&world, world_run(&world, "coder", ""), 0);
	assert_non_null(world_call(&world, "terminal.forget", "\"name\":\"coder\""));
	assert_null(world_call(&world, "terminal.get", "\"name\":\"CODER\""));
	assert_string_equal(world_word(&world), "not_found");
	assert_non_null(strstr(world_sentence(&world), "coder has a mailbox but no terminal"));
	assert_int_equal(cJSON_GetArraySize(near_names(&world)), 0);
	world_close(&world);
}

/** What can have no terminal is not advised to be run. */
static void a_name_that_never_has_a_terminal_is_told(void **state)
{
	static const struct {
		const char *name;
		const char *what;
	} names[] = {
		{"operator", "operator is the name of the people of this session"},
		{"Bellhop", "Bellhop is a reserved name"},
		{"all", "all is a reserved name"},
		{"#dev", "#dev is a room"},
	};
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "al", "");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_null(world_call(&world, "terminal.get", "\"name\":\"%s\"", names[i].name));
		assert_string_equal(world_word(&world), "not_found");
		assert_non_null(strstr(world_sentence(&world), names[i].what));
		assert_null(strstr(world_sentence(&world), "bellhop run"));
		assert_null(strstr(world_sentence(&world), "did you mean"));
	}
	world_close(&world);
}

static void near_names_come_as_data_too(void **state)
{
	struct world world;
	(void)state;
	world_open(&world);
	world_run(&world, "reviewer", "");
	assert_null(world_call(&world, "terminal.get", "\"name\":\"reviewr\""));
	const cJSON *near = near_names(&world);

	assert_int_equal(cJSON_GetArraySize(near), 1);
	assert_string_equal(cJSON_GetArrayItem(near, 0)->valuestring, "reviewer");
	assert_null(world_call(&world, "terminal.get", "\"name\":\"zzzzzz\""));
	assert_null(strstr(world_sentence(&world), "did you mean"));
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agents_act_on_their_own_children_only),
		cmocka_unit_test(unknown_names_come_with_near_ones),
		cmocka_unit_test(the_living_holder_of_a_name_is_meant),
		cmocka_unit_test(a_beginning_must_be_of_one_only),
		cmocka_unit_test(a_mailbox_without_terminal_is_no_typing_error),
		cmocka_unit_test(a_name_that_never_has_a_terminal_is_told),
		cmocka_unit_test(near_names_come_as_data_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
