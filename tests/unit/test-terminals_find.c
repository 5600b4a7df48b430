// Terminals by id, child, secret and name, in a whole server without a keeper.
#include "src/server/terminals.h"

#include "tests/unit/server-world.h"

#include <stdio.h>
#include <string.h>

static struct bh_terminal *terminal_of(struct world *world, const struct world_child *child)
{
	return bh_terminals_get(world->server.terminals, &child->id);
}

static void by_id_child_and_secret(void **state)
{
	struct world world;
	struct bh_terminals *terminals;
	char secret[BH_TOKEN_SIZE];
	struct bh_uuid none = {{0}};

	(void)state;
	world_open(&world);
	terminals = world.server.terminals;
	world_run(&world, "a", "");
	world_run(&world, "b", "");
	struct bh_terminal *a = terminal_of(&world, &world.children[0]);
	struct bh_terminal *b = terminal_of(&world, &world.children[1]);

	assert_non_null(a);
	assert_ptr_not_equal(a, b);
	assert_null(bh_terminals_get(terminals, &none));
	assert_ptr_equal(bh_terminals_of_child(terminals, b->pid, b->pid_start), b);
	assert_ptr_equal(bh_terminals_of_child(terminals, b->pid, 0), b);
	// A pid that was given out again is another process.
	assert_null(bh_terminals_of_child(terminals, b->pid, b->pid_start + 1));
	assert_null(bh_terminals_of_child(terminals, 0, 0));
	assert_null(bh_terminals_of_child(terminals, -1, 0));
	(void)memcpy(secret, b->token, sizeof(secret));
	assert_ptr_equal(bh_terminals_of_token(terminals, secret), b);
	secret[BH_TOKEN_SIZE - 2] ^= 1;
	assert_null(bh_terminals_of_token(terminals, secret));
	secret[BH_TOKEN_SIZE - 2] = '\0'; // shorter
	assert_null(bh_terminals_of_token(terminals, secret));
	assert_null(bh_terminals_of_token(terminals, ""));
	world_close(&world);
}

static void by_name_in_any_case(void **state)
{
	struct world world;
	struct bh_terminals *terminals;
	struct bh_terminal *found = NULL;

	(void)state;
	world_open(&world);
	terminals = world.server.terminals;
	world_run(&world, "Anna", "");
	struct bh_terminal *first = terminal_of(&world, &world.children[0]);

	assert_int_equal(bh_terminals_find(terminals, "aNNA", &found), BH_FIND_ONE);
	assert_ptr_equal(found, first);
	assert_ptr_equal(bh_terminals_of_identity(terminals, "anna"), first);
	assert_int_equal(bh_terminals_find(terminals, "ann", &found), BH_FIND_NONE);
	assert_int_equal(bh_terminals_living(terminals), 1);
	// One that has ended is still found, but backs no name.
	world_exit(&world, &world.children[0], 0);
	assert_int_equal(bh_terminals_find(terminals, "anna", &found), BH_FIND_ONE);
	assert_ptr_equal(found, first);
	assert_null(bh_terminals_of_identity(terminals, "anna"));
	assert_int_equal(bh_terminals_living(terminals), 0);
	// The living one goes before it, and of two that have ended the later one.
	world_run(&world, "anna", "");
	struct bh_terminal *second = terminal_of(&world, &world.children[1]);

	assert_int_equal(bh_terminals_find(terminals, "anna", &found), BH_FIND_ONE);
	assert_ptr_equal(found, second);
	world_exit(&world, &world.children[1], 0);
	assert_int_equal(bh_terminals_find(terminals, "anna", &found), BH_FIND_ONE);
	assert_ptr_equal(found, second);
	world_close(&world);
}

static void by_the_beginning_of_an_id(void **state)
{
	struct world world;
	struct bh_terminals *terminals;
	struct bh_terminal *found = NULL;
	char prefix[5];

	(void)state;
	world_open(&world);
	terminals = world.server.terminals;
	world_run(&world, "a", "");
	world_run(&world, "b", "");
	struct bh_terminal *a = terminal_of(&world, &world.children[0]);
	struct bh_terminal *b = terminal_of(&world, &world.children[1]);

	assert_int_equal(bh_terminals_find(terminals, a->id_text, &found), BH_FIND_ONE);
	assert_ptr_equal(found, a);
	(void)snprintf(prefix, sizeof(prefix), "%.4s", a->id_text);
	const struct bh_uuid id = b->id;

	b->id.bytes[0] = (uint8_t)~a->id.bytes[0];
	assert_int_equal(bh_terminals_find(terminals, prefix, &found), BH_FIND_ONE);
	assert_ptr_equal(found, a);
	// Two that begin alike: neither is meant.
	(void)memcpy(b->id.bytes, a->id.bytes, 2);
	assert_int_equal(bh_terminals_find(terminals, prefix, &found), BH_FIND_AMBIGUOUS);
	b->id = id;
	prefix[3] = '\0';
	assert_int_equal(bh_terminals_find(terminals, prefix, &found), BH_FIND_NONE);
	world_close(&world);
}

static void a_pid_that_was_given_again_names_the_later_terminal(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *first = world_run(&world, "first", "");

	world_exit(&world, first, 0);
	struct world_child *second = world_run(&world, "second", "");
	struct bh_terminals *terminals = world.server.terminals;
	struct bh_terminal *ended = bh_terminals_get(terminals, &world.children[0].id);
	struct bh_terminal *living = bh_terminals_get(terminals, &second->id);

	assert_non_null(ended);
	assert_non_null(living);
	living->pid = ended->pid;
	living->pid_start = ended->pid_start + 1;
	assert_ptr_equal(bh_terminals_of_child(terminals, ended->pid, 0), living);
	assert_ptr_equal(bh_terminals_of_child(terminals, ended->pid, ended->pid_start), ended);
	assert_ptr_equal(bh_terminals_of_child(terminals, ended->pid, living->pid_start), living);
	assert_null(bh_terminals_of_child(terminals, 0, 0));
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_id_child_and_secret),
		cmocka_unit_test(by_name_in_any_case),
		cmocka_unit_test(by_the_beginning_of_an_id),
		cmocka_unit_test(a_pid_that_was_given_again_names_the_later_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
