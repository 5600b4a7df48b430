// Terminals as the protocol shows them, in each part of their life.
#include "src/server/terminal_view.h"

#include "src/mail/store.h"
#include "src/server/deliver.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The view of the newest terminal. The caller owns it. */
static cJSON *view_of(struct world *world)
{
	return bh_terminal_view(bh_terminals_get(world->server.terminals, &world_child(world)->id));
}

static double number_of(const cJSON *view, const char *name)
{
	const cJSON *item = cJSON_GetObjectItem(view, name);

	assert_true(cJSON_IsNumber(item));
	return item->valuedouble;
}

static void assert_null_member(const cJSON *view, const char *name)
{
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(view, name)));
}

/** Send a message; @number is its own. */
static void send_mail(struct world *world, const char *to, int number)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(world->server.store, to);
	size_t before = mailbox->unread;
	char params[256];

	(void)snprintf(params, sizeof params,
	               "\"to\":\"%s\",\"body\":\"hello\",\"no_wait\":true,"
	               "\"message_id\":\"00000000-0000-4000-8000-%012d\"",
	               to, number);
	world_ask(world, "message.send", params);
	while (mailbox->unread == before) {
		world_turn(world);
	}
	// The world has no timer for delivery.
	bh_deliver_tick(world->server.deliver);
	assert_non_null(world_answer(world));
}

static void an_end_is_a_code_or_a_signal(void **state)
{
	cJSON *view = bh_terminal_view_exit(0);

	(void)state;
	assert_true(number_of(view, "code") == 0);
	assert_null(cJSON_GetObjectItem(view, "signal"));
	cJSON_Delete(view);
	view = bh_terminal_view_exit(7 << 8);
	assert_true(number_of(view, "code") == 7);
	cJSON_Delete(view);
	view = bh_terminal_view_exit(SIGKILL);
	assert_string_equal(world_text(view, "signal"), "SIGKILL");
	assert_null(cJSON_GetObjectItem(view, "code"));
	cJSON_Delete(view);
	view = bh_terminal_view_exit(SIGSEGV | 0x80); // with a core
	assert_string_equal(world_text(view, "signal"), "SIGSEGV");
	cJSON_Delete(view);
}

static void a_living_one_is_shown(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "terminal.run",
	                           "\"argv\":[\"/usr/bin/cat\",\"-u\"],\"identity\":\"Coder\","
	                           "\"cwd\":\"/tmp\",\"cols\":90,\"rows\":30,\"headless\":true,"
	                           "\"mode\":\"notice\",\"respawn\":\"on-failure\""));
	world_print(&world, world_child(&world), "\033]0;its title\007");
	cJSON *view = view_of(&world);

	assert_string_equal(world_text(view, "identity"), "Coder");
	assert_int_equal(strlen(world_text(view, "terminal_id")), BH_UUID_TEXT - 1);
	assert_string_equal(world_text(view, "program"), "cat");
	assert_string_equal(world_text(view, "profile"), "generic");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(view, "argv")), 2);
	assert_string_equal(world_text(view, "cwd"), "/tmp");
	assert_true(number_of(view, "pid") == world_child(&world)->pid);
	assert_true(number_of(view, "cols") == 90 && number_of(view, "rows") == 30);
	assert_string_equal(world_text(view, "title"), "its title");
	assert_string_equal(world_text(view, "mode"), "notice");
	assert_string_equal(world_text(view, "respawn"), "on-failure");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(view, "headless")));
	assert_true(number_of(view, "created_at") > 1e12);
	assert_true(number_of(view, "age_ms") >= 0 && number_of(view, "age_ms") < 60000);
	assert_true(number_of(view, "attached") == 0);
	assert_null_member(view, "started_by");
	assert_null_member(view, "exit");
	assert_null_member(view, "respawn_at");
	cJSON_Delete(view);
	world_close(&world);
}

static void before_the_first_judgement_it_starts(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	struct bh_terminal *terminal =
		bh_terminals_get(world.server.terminals, &world_child(&world)->id);

	// What a word of before a restart may not be: shown as of now.
	terminal->verdict = (struct bh_verdict){.state = BH_STATE_IDLE, .is_typable = true};
	cJSON *view = view_of(&world);

	assert_string_equal(world_text(view, "state"), "starting");
	assert_string_equal(world_text(view, "reason"), "starting");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(view, "typable")));
	cJSON_Delete(view);
	terminal->verdict.why_count = 1;
	view = view_of(&world);
	assert_string_equal(world_text(view, "state"), "idle");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(view, "typable")));
	assert_null_member(view, "reason");
	assert_null_member(view, "last_turn");
	cJSON_Delete(view);
	world_close(&world);
}

static void mail_and_further_names_are_counted(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	send_mail(&world, "a", 1);
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_non_null(world_call(&world, "identity.announce", "\"name\":\"second\""));
	world_come_as(&world, BH_CALLER_OPERATOR);
	send_mail(&world, "second", 2);
	cJSON *view = view_of(&world);
	const cJSON *aliases = cJSON_GetObjectItem(view, "aliases");

	assert_int_equal(cJSON_GetArraySize(aliases), 1);
	assert_string_equal(cJSON_GetArrayItem(aliases, 0)->valuestring, "second");
	assert_true(number_of(view, "unread") == 2);
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(view, "parked")));
	cJSON_Delete(view);
	world_close(&world);
}

static void an_ended_one_shows_its_end_and_its_mailbox(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");

	send_mail(&world, "a", 3);
	world_exit(&world, child, SIGTERM);
	cJSON *view = view_of(&world);

	assert_string_equal(world_text(view, "state"), "exited");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(view, "typable")));
	assert_string_equal(world_text(cJSON_GetObjectItem(view, "exit"), "signal"), "SIGTERM");
	assert_true(number_of(view, "unread") == 1);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(view, "aliases")), 0);
	cJSON_Delete(view);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_is_a_code_or_a_signal),
		cmocka_unit_test(a_living_one_is_shown),
		cmocka_unit_test(before_the_first_judgement_it_starts),
		cmocka_unit_test(mail_and_further_names_are_counted),
		cmocka_unit_test(an_ended_one_shows_its_end_and_its_mailbox),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
