// Grants of typing, and the methods about them. Covers: src/server/method_grant. It stands for
// test-method_grant.c.
#include "src/server/grants.h"

#include "src/server/server.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <string.h>

static struct bh_terminal *terminal_of(struct world *world, const struct world_child *child)
{
	struct bh_terminal *terminal = bh_terminals_get(world->server.terminals, &child->id);

	assert_non_null(terminal);
	return terminal;
}

static void a_grant_is_from_one_terminal_to_one(void **state)
{
	struct world world;
	size_t count = 0;

	(void)state;
	world_open(&world);
	struct bh_terminal *a = terminal_of(&world, world_run(&world, "a", ""));
	struct bh_terminal *b = terminal_of(&world, world_run(&world, "b", ""));
	struct bh_grants *grants = world.server.grants;

	assert_false(bh_grants_has(grants, &a->id, &b->id));
	assert_true(bh_grants_give(grants, a, b));
	assert_true(bh_grants_give(grants, a, b));
	assert_true(bh_grants_has(grants, &a->id, &b->id));
	assert_false(bh_grants_has(grants, &b->id, &a->id));
	assert_false(bh_grants_has(grants, &a->id, &a->id));
	(void)bh_grants_all(grants, &count);
	assert_int_equal(count, 1);
	assert_false(bh_grants_take(grants, b, a));
	assert_true(bh_grants_take(grants, a, b));
	assert_false(bh_grants_has(grants, &a->id, &b->id));
	world_close(&world);
}

static void it_ends_with_either_and_outlives_the_server(void **state)
{
	struct world world;
	struct bh_uuid id_a;
	struct bh_uuid id_b;
	size_t count = 0;

	(void)state;
	world_open(&world);
	struct world_child *a = world_run(&world, "a", "");
	struct world_child *b = world_run(&world, "b", ",\"respawn\":\"always\"");

	id_a = a->id;
	id_b = b->id;
	assert_non_null(world_call(&world, "terminal.grant", "\"agent\":\"a\",\"target\":\"b\""));
	world_crash(&world);
	assert_true(bh_grants_has(world.server.grants, &id_a, &id_b));
	// The successor is another terminal.
	int before = world.child_count;

	world_exit(&world, &world.children[1], 0);
	while (world.child_count == before) {
		world_turn(&world);
	}
	assert_false(bh_grants_has(world.server.grants, &id_a, &id_b));
	(void)bh_grants_all(world.server.grants, &count);
	assert_int_equal(count, 0);
	world_crash(&world);
	assert_false(bh_grants_has(world.server.grants, &id_a, &id_b));
	world_close(&world);
}

static void only_who_was_granted_it_types(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "target", "");
	world_run(&world, "agent", "");
	assert_null(
		world_call(&world, "terminal.grant", "\"agent\":\"agent\",\"target\":\"nobody\""));
	assert_string_equal(world_word(&world), "not_found");
	world_come_as(&world, BH_CALLER_INSIDE); // the newest: agent
	assert_null(world_call(&world, "terminal.type", "\"name\":\"target\",\"text\":\"x\""));
	assert_string_equal(world_word(&world), "operator_only");
	assert_null(
		world_call(&world, "terminal.keys", "\"name\":\"target\",\"keys\":[\"Enter\"]"));
	assert_string_equal(world_word(&world), "operator_only");
	// An agent gives itself nothing.
	assert_null(
		world_call(&world, "terminal.grant", "\"agent\":\"agent\",\"target\":\"target\""));
	assert_string_equal(world_word(&world), "operator_only");
	world_come_as(&world, BH_CALLER_OPERATOR);
	const cJSON *result =
		world_call(&world, "terminal.grant", "\"agent\":\"agent\",\"target\":\"target\"");

	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "granted")));
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_non_null(world_call(&world, "terminal.type", "\"name\":\"target\",\"text\":\"x\""));
	assert_non_null(
		world_call(&world, "terminal.keys", "\"name\":\"target\",\"keys\":[\"Enter\"]"));
	// There, and nothing else.
	assert_null(world_call(&world, "terminal.type", "\"name\":\"agent\",\"text\":\"x\""));
	assert_string_equal(world_word(&world), "operator_only");
	assert_null(world_call(&world, "terminal.resize",
	                       "\"name\":\"target\",\"cols\":80,\"rows\":24"));
	assert_string_equal(world_word(&world), "operator_only");
	result = world_call(&world, "terminal.grants", "\"x\":1");
	result = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "grants"), 0);
	assert_string_equal(world_text(result, "agent"), "agent");
	assert_string_equal(world_text(result, "target"), "target");
	world_come_as(&world, BH_CALLER_OPERATOR);
	assert_non_null(world_call(&world, "terminal.grant",
	                           "\"agent\":\"agent\",\"target\":\"target\",\"revoke\":true"));
	assert_null(world_call(&world, "terminal.grant",
	                       "\"agent\":\"agent\",\"target\":\"target\",\"revoke\":true"));
	assert_string_equal(world_word(&world), "not_found");
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_null(world_call(&world, "terminal.type", "\"name\":\"target\",\"text\":\"x\""));
	assert_string_equal(world_word(&world), "operator_only");
	world_close(&world);
}

static void an_ended_terminal_is_granted_nothing(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *a = world_run(&world, "a", "");

	world_run(&world, "b", "");
	world_exit(&world, a, 0);
	assert_null(world_call(&world, "terminal.grant", "\"agent\":\"a\",\"target\":\"b\""));
	assert_string_equal(world_word(&world), "exited");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_grant_is_from_one_terminal_to_one),
		cmocka_unit_test(it_ends_with_either_and_outlives_the_server),
		cmocka_unit_test(only_who_was_granted_it_types),
		cmocka_unit_test(an_ended_terminal_is_granted_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
