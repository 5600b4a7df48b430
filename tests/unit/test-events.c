// Listeners are told what happens in the session, and those that do not read get the whole state later.
#include "src/server/events.h"

#include "src/mail/store.h"
#include "src/server/server.h"
#include "src/server/streams.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bh_terminal *terminal_of(struct world *world)
{
	return bh_terminals_get(world->server.terminals, &world_child(world)->id);
}

/** The client listens. */
static void subscribe(struct world *world)
{
	const cJSON *state = world_call(world, "events.subscribe", "\"x\":1");

	assert_true(cJSON_IsObject(cJSON_GetObjectItem(state, "layout")));
	assert_true(cJSON_IsArray(cJSON_GetObjectItem(state, "terminals")));
	assert_true(cJSON_IsArray(cJSON_GetObjectItem(state, "mail")));
}

static void a_life_is_told(void **state)
{
	struct world world;
	const cJSON *params;

	(void)state;
	world_open(&world);
	assert_false(bh_events_is_heard(world.server.listeners));
	subscribe(&world);
	assert_true(bh_events_is_heard(world.server.listeners));
	world_ask(&world, "terminal.run", "\"argv\":[\"/bin/cat\"],\"identity\":\"a\"");
	params = world_told(&world, "terminal.started");
	assert_string_equal(world_text(cJSON_GetObjectItem(params, "terminal"), "identity"), "a");
	world_exit(&world, world_child(&world), 7 << 8);
	params = world_told(&world, "terminal.exited");
	assert_string_equal(world_text(params, "identity"), "a");
	assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(params, "exit"), "code")->valueint,
	                 7);
	char id[BH_UUID_TEXT];

	(void)bh_uuid_format(&world_child(&world)->id, id);
	world_ask(&world, "terminal.forget", "\"name\":\"a\"");
	assert_string_equal(world_text(world_told(&world, "terminal.forgotten"), "terminal_id"),
	                    id);
	world_close(&world);
}

static void what_a_program_shows_is_told(void **state)
{
	struct world world;
	const cJSON *params;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	subscribe(&world);
	world_print(&world, world_child(&world), "\033]0;its title\007");
	params = world_told(&world, "terminal.title");
	assert_string_equal(world_text(params, "title"), "its title");
	assert_string_equal(world_text(params, "terminal_id"), terminal_of(&world)->id_text);
	world_print(&world, world_child(&world), "\007");
	assert_string_equal(world_text(world_told(&world, "terminal.bell"), "terminal_id"),
	                    terminal_of(&world)->id_text);
	world_print(&world, world_child(&world), "\033]9;come and see\007");
	params = world_told(&world, "terminal.notification");
	assert_string_equal(world_text(params, "body"), "come and see");
	bh_terminal_note(terminal_of(&world), "typing mail");
	assert_string_equal(world_text(world_told(&world, "terminal.note"), "text"), "typing mail");
	bh_events_notice(&world.server, "a sentence");
	assert_string_equal(world_text(world_told(&world, "session.notice"), "text"), "a sentence");
	world_close(&world);
}

static void a_state_is_told_once(void **state)
{
	struct world world;
	const cJSON *params;

	(void)state;
	world_open(&world);
	world_run(&world, "a", ",\"profile\":\"claude\"");
	subscribe(&world);
	world_print(&world, world_child(&world), "\033]7501;state=working:app=claude-code\007");
	do {
		params = world_told(&world, "terminal.state");
	} while (strcmp(world_text(params, "state"), "working") != 0);
	assert_string_equal(world_text(params, "identity"), "a");
	assert_string_equal(world_text(params, "reason"), "working");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(params, "typable")));
	// Judged again, nothing is different: the next that is heard is the notice.
	bh_events_evaluated(terminal_of(&world));
	bh_events_evaluated(terminal_of(&world));
	bh_events_notice(&world.server, "behind it");
	assert_false(world_has_told(&world, "terminal.state"));
	assert_string_equal(world_text(world_told(&world, "session.notice"), "text"), "behind it");
	world_close(&world);
}

static void mail_is_told_and_stands_in_the_state(void **state)
{
	struct world world;
	const cJSON *params;
	const cJSON *mail;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	subscribe(&world);
	world_ask(&world, "message.send",
	          "\"to\":\"a\",\"body\":\"hello\",\"no_wait\":true,"
	          "\"message_id\":\"00000000-0000-4000-8000-000000000001\"");
	do {
		params = world_told(&world, "mail.changed");
	} while (cJSON_GetObjectItem(params, "unread")->valueint != 1);
	assert_string_equal(world_text(params, "identity"), "a");
	assert_string_equal(world_text(params, "terminal_id"), terminal_of(&world)->id_text);
	cJSON *all = bh_events_state(&world.server);

	mail = cJSON_GetObjectItem(all, "mail");
	// The reason is the one that a sender hears, not that of the screen.
	assert_string_equal(world_text(cJSON_GetArrayItem(mail, 0), "reason"), "typing_off");
	assert_int_equal(cJSON_GetArraySize(mail), 1);
	assert_string_equal(world_text(cJSON_GetArrayItem(mail, 0), "identity"), "a");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(all, "terminals")), 1);
	cJSON_Delete(all);
	world_ask(&world, "message.send",
	          "\"to\":\"nobody\",\"body\":\"hello\",\"no_wait\":true,"
	          "\"message_id\":\"00000000-0000-4000-8000-000000000002\"");
	do {
		params = world_told(&world, "mail.changed");
	} while (strcmp(world_text(params, "identity"), "nobody") != 0);
	assert_string_equal(world_text(params, "reason"), "unknown_recipient");
	world_close(&world);
}

static void who_listens_no_more_is_not_told(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	subscribe(&world);
	subscribe(&world); // twice is once
	bh_events_notice(&world.server, "one");
	assert_string_equal(world_text(world_told(&world, "session.notice"), "text"), "one");
	result = world_call(&world, "events.unsubscribe", "\"x\":1");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "unsubscribed")));
	assert_false(bh_events_is_heard(world.server.listeners));
	bh_events_notice(&world.server, "two");
	result = world_call(&world, "events.unsubscribe", "\"x\":1");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "unsubscribed")));
	// A connection that ends takes its listener along.
	subscribe(&world);
	world_come_as(&world, BH_CALLER_OPERATOR);
	while (bh_events_is_heard(world.server.listeners)) {
		world_turn(&world);
	}
	bh_events_tell(NULL, "session.notice", cJSON_CreateObject());
	world_close(&world);
}

static void who_does_not_read_gets_the_state_later(void **state)
{
	struct world world;
	char text[4096];
	const int count = 3 * BH_STREAM_BACKLOG / (int)sizeof text;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	subscribe(&world);
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	for (int i = 0; i < count; i++) {
		bh_events_notice(&world.server, text);
	}
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(world_told(&world, "events.resync"),
	                                                        "terminals")),
	                 1);
	// From then on it is told again.
	bh_events_notice(&world.server, "again");
	assert_string_equal(world_text(world_told(&world, "session.notice"), "text"), "again");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_life_is_told),
		cmocka_unit_test(what_a_program_shows_is_told),
		cmocka_unit_test(a_state_is_told_once),
		cmocka_unit_test(mail_is_told_and_stands_in_the_state),
		cmocka_unit_test(who_listens_no_more_is_not_told),
		cmocka_unit_test(who_does_not_read_gets_the_state_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
