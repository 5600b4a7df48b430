// Registered programs: names, leases, processes, the next server.
#include "src/server/externals.h"

#include "src/mail/store.h"
#include "src/server/deliver.h"
#include "src/server/server.h"
#include "tests/unit/server-world.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The outcome of a registration.
struct outcome {
	bool is_done;
	const struct bh_external *external;
	struct bh_err err;
};

static void on_done(void *user, const struct bh_external *external, const struct bh_err *err)
{
	struct outcome *outcome = user;

	assert_false(outcome->is_done);
	*outcome = (struct outcome){.is_done = true, .external = external};
	if (external == NULL) {
		outcome->err = *err;
	}
}

static struct outcome registered(struct world *world, const struct bh_externals_wish *wish)
{
	struct outcome outcome = {0};

	if (bh_externals_register(world->server.externals, wish, on_done, &outcome, &outcome.err) !=
	    0) {
		return outcome;
	}
	assert_false(outcome.is_done); // never within the call
	while (!outcome.is_done) {
		world_turn(world);
	}
	return outcome;
}

static const struct bh_external *registered_as(struct world *world, const char *name)
{
	struct outcome outcome =
		registered(world, &(struct bh_externals_wish){.name = name, .lease_ms = 60000});

	assert_int_equal(outcome.err.code, 0);
	assert_non_null(outcome.external);
	return outcome.external;
}

static const char *holder_of(const struct world *world, const char *name)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(world->server.store, name);

	return mailbox != NULL ? mailbox->terminal : "";
}

static void wait_until_free(struct world *world, const char *name)
{
	while (holder_of(world, name)[0] != '\0') {
		world_turn(world);
	}
}

// A process that waits for its end.
static struct bh_caller_anchor process_start(void)
{
	struct bh_caller_process process;
	pid_t pid = fork();

	if (pid == 0) {
		for (;;) {
			(void)pause();
		}
	}
	assert_true(bh_callers_read_process(NULL, pid, &process));
	return (struct bh_caller_anchor){.pid = pid, .start = process.start};
}

static void process_end(const struct bh_caller_anchor *anchor)
{
	assert_int_equal(kill(anchor->pid, SIGKILL), 0);
	assert_int_equal(waitpid(anchor->pid, NULL, 0), anchor->pid);
}

static void a_name_is_held_until_it_is_given_back(void **state)
{
	struct world world;
	struct bh_deliver_view view;

	(void)state;
	world_open(&world);
	struct bh_externals *externals = world.server.externals;
	const struct bh_external *ci = registered_as(&world, "ci");
	const struct bh_uuid id = ci->id;

	assert_string_equal(holder_of(&world, "CI"), ci->id_text);
	assert_ptr_equal(bh_externals_get(externals, &id), ci);
	assert_ptr_equal(bh_externals_of_name(externals, "Ci"), ci);
	assert_ptr_equal(bh_externals_of_token(externals, ci->token), ci);
	assert_null(bh_externals_of_token(externals, "00000000000000000000000000000000"));
	assert_null(bh_externals_of_token(externals, ""));
	assert_ptr_equal(bh_externals_next(externals, NULL), ci);
	assert_null(bh_externals_next(externals, ci));
	assert_true(bh_externals_view(externals, &id, &view));
	assert_int_equal(view.name_count, 1);
	// One more name, by who has it already; the first stays.
	struct outcome more = registered(
		&world,
		&(struct bh_externals_wish){.name = "ci-two", .lease_ms = 5000, .current = id});

	assert_ptr_equal(more.external, ci);
	assert_int_equal(ci->lease_ms, 5000);
	assert_true(bh_externals_view(externals, &id, &view));
	assert_int_equal(view.name_count, 2);
	bh_externals_end(externals, ci, "given back");
	wait_until_free(&world, "ci");
	assert_string_equal(holder_of(&world, "ci-two"), "");
	assert_null(bh_externals_get(externals, &id));
	assert_true(bh_externals_knows(externals, &id));
	assert_false(bh_externals_view(externals, &id, &view));
	assert_null(bh_externals_of_token(externals, ci->token));
	world_close(&world);
}

static void a_name_that_is_held_is_refused(void **state)
{
	struct world world;
	char token[BH_TOKEN_SIZE];

	(void)state;
	world_open(&world);
	world_run(&world, "coder", "");
	const struct bh_external *ci = registered_as(&world, "ci");

	(void)memcpy(token, ci->token, sizeof token);
	assert_int_equal(
		registered(&world, &(struct bh_externals_wish){.name = "coder", .lease_ms = 1000})
			.err.code,
		BH_EEXISTS);
	assert_int_equal(
		registered(&world, &(struct bh_externals_wish){.name = "CI", .lease_ms = 1000})
			.err.code,
		BH_EEXISTS);
	assert_int_equal(registered(&world, &(struct bh_externals_wish){.name = "operator",
	                                                                .lease_ms = 1000})
	                         .err.code,
	                 BH_EINVALID);
	assert_int_equal(
		registered(&world, &(struct bh_externals_wish){.name = "a b", .lease_ms = 1000})
			.err.code,
		BH_EINVALID);
	assert_null(
		world_call(&world, "terminal.run", "\"argv\":[\"/bin/cat\"],\"identity\":\"ci\""));
	assert_string_equal(world_word(&world), "identity_taken");
	const cJSON *data = cJSON_GetObjectItem(cJSON_GetObjectItem(world.answer, "error"), "data");

	assert_string_equal(world_text(data, "by"), ci->id_text);
	assert_string_equal(world_text(data, "by_name"), "ci");
	// Free again, but with mail of its last holder: only for that one, or for a person.
	assert_non_null(world_call(
		&world, "message.send",
		"\"to\":\"ci\",\"body\":\"x\",\"no_wait\":true,\"message_id\":\"0198c0de-0000-7000-8000-000000000001\""));
	bh_externals_end(world.server.externals, ci, "given back");
	wait_until_free(&world, "ci");
	assert_int_equal(
		registered(&world, &(struct bh_externals_wish){.name = "ci", .lease_ms = 1000})
			.err.code,
		BH_EEXISTS);
	struct outcome back = registered(
		&world,
		&(struct bh_externals_wish){.name = "ci", .lease_ms = 1000, .token = token});

	assert_non_null(back.external);
	assert_string_equal(back.external->token, token);
	bh_externals_end(world.server.externals, back.external, "given back");
	wait_until_free(&world, "ci");
	assert_non_null(registered(&world, &(struct bh_externals_wish){.name = "ci",
	                                                               .lease_ms = 1000,
	                                                               .by_operator = true})
	                        .external);
	world_close(&world);
}

static void its_process_has_its_name_back(void **state)
{
	struct world world;
	struct bh_externals_wish wish = {.name = "agent", .lease_ms = 60000};
	struct bh_caller_anchor agent = process_start();
	struct bh_caller_anchor other = process_start();
	struct outcome outcome;

	(void)state;
	world_open(&world);
	wish.anchor = agent;
	outcome = registered(&world, &wish);
	assert_non_null(outcome.external);
	assert_non_null(world_call(
		&world, "message.send",
		"\"to\":\"agent\",\"body\":\"x\",\"no_wait\":true,\"message_id\":\"0198c0de-0000-7000-8000-000000000001\""));
	bh_externals_end(world.server.externals, outcome.external, "its lease ran out");
	wait_until_free(&world, "agent");
	wish.anchor = other;
	assert_int_equal(registered(&world, &wish).err.code, BH_EEXISTS); // its mail bars the name
	wish.anchor = agent;
	assert_non_null(registered(&world, &wish).external);
	process_end(&agent);
	process_end(&other);
	world_close(&world);
}

static void the_end_of_the_process_ends_it_at_once(void **state)
{
	struct world world;
	struct bh_caller_anchor agent = process_start();

	(void)state;
	world_open(&world);
	struct bh_externals *externals = world.server.externals;
	struct outcome outcome = registered(&world, &(struct bh_externals_wish){.name = "outside",
	                                                                        .lease_ms = 3600000,
	                                                                        .anchor = agent});

	assert_non_null(outcome.external);
	assert_ptr_equal(bh_externals_of_process(externals, agent.pid, agent.start),
	                 outcome.external);
	assert_null(bh_externals_of_process(externals, agent.pid, agent.start + 1));
	process_end(&agent);
	wait_until_free(&world, "outside");
	assert_null(bh_externals_of_process(externals, agent.pid, agent.start));
	world_close(&world);
}

static void a_lease_runs_out_unless_somebody_calls_or_waits(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct bh_externals *externals = world.server.externals;
	struct outcome outcome =
		registered(&world, &(struct bh_externals_wish){.name = "short", .lease_ms = 1000});
	uint64_t begin_ms = bh_server_now_ms(&world.server);
	char token[BH_TOKEN_SIZE];

	(void)memcpy(token, outcome.external->token, sizeof token);
	while (bh_server_now_ms(&world.server) < begin_ms + 700) {
		world_turn(&world);
	}
	assert_non_null(bh_externals_of_token(externals, token));
	while (bh_server_now_ms(&world.server) < begin_ms + 1400) {
		world_turn(&world);
	}
	assert_string_not_equal(holder_of(&world, "short"), "");
	wait_until_free(&world, "short");
	assert_true(bh_server_now_ms(&world.server) >= begin_ms + 1700);
	world_close(&world);
}

static void the_next_server_knows_them(void **state)
{
	struct world world;
	struct bh_caller_anchor stays = process_start();
	struct bh_caller_anchor goes = process_start();
	char token[BH_TOKEN_SIZE];

	(void)state;
	world_open(&world);
	(void)memcpy(token, registered_as(&world, "ci")->token, sizeof token);
	assert_non_null(registered(&world, &(struct bh_externals_wish){.name = "stays",
	                                                               .lease_ms = 60000,
	                                                               .anchor = stays})
	                        .external);
	assert_non_null(registered(&world, &(struct bh_externals_wish){.name = "goes",
	                                                               .lease_ms = 60000,
	                                                               .anchor = goes})
	                        .external);
	process_end(&goes);
	world_crash(&world);
	assert_non_null(bh_externals_of_token(world.server.externals, token));
	assert_non_null(bh_externals_of_process(world.server.externals, stays.pid, stays.start));
	wait_until_free(&world, "goes");
	assert_string_not_equal(holder_of(&world, "ci"), "");
	assert_string_not_equal(holder_of(&world, "stays"), "");
	process_end(&stays);
	wait_until_free(&world, "stays");
	// What has ended is remembered, too.
	world_crash(&world);
	assert_non_null(
		registered(&world, &(struct bh_externals_wish){.name = "stays", .lease_ms = 60000})
			.external);
	world_close(&world);
}

static void there_is_an_end_to_how_many(void **state)
{
	struct world world;
	char name[32];

	(void)state;
	world_open(&world);
	for (int i = 0; i < BH_EXTERNALS_MAX; i++) {
		(void)snprintf(name, sizeof name, "p%d", i);
		(void)registered_as(&world, name);
	}
	assert_int_equal(
		registered(&world, &(struct bh_externals_wish){.name = "more", .lease_ms = 1000})
			.err.code,
		BH_ELIMIT);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_held_until_it_is_given_back),
		cmocka_unit_test(a_name_that_is_held_is_refused),
		cmocka_unit_test(its_process_has_its_name_back),
		cmocka_unit_test(the_end_of_the_process_ends_it_at_once),
		cmocka_unit_test(a_lease_runs_out_unless_somebody_calls_or_waits),
		cmocka_unit_test(the_next_server_knows_them),
		cmocka_unit_test(there_is_an_end_to_how_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
