// Channels as a client has them: over a real socket, with a real store.
#include "src/server/method_channel.h"

#include "src/mail/store.h"
#include "src/server/deliver_channel.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** A message of a person, number @n. */
static void post(struct world *world, const char *to, int n)
{
	char params[300];

	(void)snprintf(params, sizeof params,
	               "\"to\":\"%s\",\"body\":\"text %d\",\"no_wait\":true,"
	               "\"message_id\":\"00000000-0000-4000-8000-%012d\"",
	               to, n, n);
	world_ask(world, "message.send", params);
	assert_non_null(world_answer(world));
}

/** The message that the channel is given next. */
static const cJSON *given(struct world *world)
{
	return cJSON_GetObjectItem(world_told(world, "channel.message"), "message");
}

/** A terminal whose child is this process, so that its chain is whole. */
static struct bh_terminal *run(struct world *world, const char *name)
{
	struct bh_terminal *terminal;

	world_run(world, name, "");
	terminal = bh_terminals_of_identity(world->server.terminals, name);
	assert_non_null(terminal);
	return terminal;
}

static void a_person_serves_a_name_without_terminal(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	result = world_call(&world, "channel.open", "\"name\":\"robot\"");
	assert_non_null(result);
	assert_string_equal(world_text(result, "identity"), "robot");
	assert_int_equal(cJSON_GetObjectItem(result, "lease_ms")->valueint, BH_CHANNEL_LEASE_MS);
	assert_true(bh_store_mailbox(world.server.store, "robot")->is_known);
	post(&world, "robot", 1);
	assert_string_equal(world_text(given(&world), "body"), "text 1");
	post(&world, "robot", 2);
	result = world_call(&world, "channel.ack", "\"ids\":[\"m1\",\"m77\"]");
	assert_int_equal(cJSON_GetObjectItem(result, "acked")->valueint, 1);
	result = cJSON_GetObjectItem(result, "unknown");
	assert_string_equal(cJSON_GetArrayItem(result, 0)->valuestring, "m77");
	assert_string_equal(world_text(given(&world), "body"), "text 2");
	// The connection ends: what it held is unread again, and the next gets it.
	world_come_as(&world, BH_CALLER_OPERATOR);
	assert_non_null(world_call(&world, "channel.open", "\"name\":\"robot\",\"lease_ms\":1000"));
	result = given(&world);
	assert_string_equal(world_text(result, "id"), "m2");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "shown_before")));
	world_close(&world);
}

static void who_may_not_is_told_why(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_null(world_call(&world, "channel.open", "\"x\":1"));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "channel.open", "\"name\":\"operator\""));
	assert_string_equal(world_word(&world), "invalid");
	assert_null(world_call(&world, "channel.open", "\"name\":\"r\",\"lease_ms\":10"));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "channel.ack", "\"ids\":[\"m1\"]"));
	assert_string_equal(world_word(&world), "no_channel");
	run(&world, "a");
	assert_null(world_call(&world, "channel.open", "\"name\":\"a\""));
	assert_string_equal(world_word(&world), "identity_taken");
	// The child of the terminal does not stand behind this program.
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_null(world_call(&world, "channel.open", "\"x\":1"));
	assert_string_equal(world_word(&world), "exited");
	assert_null(world_call(&world, "channel.open", "\"name\":\"robot\""));
	assert_string_equal(world_word(&world), "operator_only");
	world_come_as(&world, BH_CALLER_EXTERNAL);
	assert_null(world_call(&world, "channel.open", "\"name\":\"robot\""));
	world_close(&world);
}

static void inside_it_serves_its_terminal(void **state)
{
	struct world world;
	struct bh_terminal *terminal;
	const cJSON *result;

	(void)state;
	world_open(&world);
	terminal = run(&world, "a");
	terminal->pid = getpid();
	world_come_as(&world, BH_CALLER_INSIDE);
	result = world_call(&world, "channel.open", "\"name\":\"A\",\"steer\":true");
	assert_non_null(result);
	assert_string_equal(world_text(result, "identity"), "a");
	// Twice on one connection is one channel.
	assert_non_null(world_call(&world, "channel.open", "\"steer\":true"));
	assert_null(bh_deliver_channel_next(world.server.deliver,
	                                    bh_deliver_channel_next(world.server.deliver, NULL)));
	post(&world, "a", 1);
	assert_string_equal(world_text(given(&world), "body"), "text 1");
	assert_non_null(world_call(&world, "channel.ack", "\"ids\":[\"m1\"]"));
	// A terminal that it did not start is not steered, its own neither.
	assert_null(world_call(&world, "channel.steer", "\"name\":\"a\",\"text\":\"stop\""));
	assert_string_equal(world_word(&world), "operator_only");
	world_close(&world);
}

static void a_parent_steers_its_child(void **state)
{
	struct world world;
	struct bh_terminal *terminal;
	const cJSON *params;

	(void)state;
	world_open(&world);
	terminal = run(&world, "a");
	terminal->pid = getpid();
	terminal->setup.launched_by = terminal->id; // it may act on itself, which a test can do
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_null(world_call(&world, "channel.steer", "\"name\":\"a\",\"text\":\"stop\""));
	assert_string_equal(world_word(&world), "no_channel");
	assert_non_null(world_call(&world, "channel.open", "\"steer\":true"));
	// A request without what it needs has ended with its answer: the sanitizer sees who looks at it.
	assert_null(world_call(&world, "channel.steer", "\"name\":\"a\""));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "channel.steer", "\"text\":\"stop\""));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "channel.steer", "\"name\":\"a\",\"text\":\"\""));
	assert_string_equal(world_word(&world), "invalid");
	world_ask(&world, "channel.steer", "\"name\":\"a\",\"text\":\"stop\"");
	params = world_told(&world, "channel.steered");
	assert_string_equal(world_text(params, "text"), "stop");
	assert_string_equal(world_text(params, "from"), "a");
	assert_string_equal(world_text(params, "id"), "s1");
	world_ask(&world, "channel.ack", "\"ids\":[\"s1\"]");
	assert_int_equal(cJSON_GetObjectItem(world_answer(&world), "acked")->valueint, 1);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(world_answer(&world), "acknowledged")));
	world_close(&world);
}

static void the_end_of_a_channel_is_told(void **state)
{
	struct world world;
	const cJSON *params;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "channel.open", "\"name\":\"robot\""));
	world_ask(&world, "terminal.run", "\"identity\":\"robot\",\"argv\":[\"/bin/cat\"]");
	params = world_told(&world, "channel.closed");
	assert_string_equal(world_text(params, "reason"), "terminal");
	assert_string_equal(world_text(params, "message"),
	                    "the name that it served has a terminal now");
	world_close(&world);
}

static void people_are_told_of_a_channel_that_is_not_alive(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "events.subscribe", "\"x\":1"));
	assert_non_null(world_call(&world, "channel.open", "\"name\":\"robot\",\"lease_ms\":500"));
	post(&world, "robot", 1);
	// Its mail is on the way: nothing else is in the way.
	assert_true(
		cJSON_IsNull(cJSON_GetObjectItem(world_told(&world, "mail.changed"), "reason")));
	assert_string_equal(world_text(world_told(&world, "session.notice"), "text"),
	                    "the channel of robot is closed: three messages in a row were not "
	                    "acknowledged in time");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_person_serves_a_name_without_terminal),
		cmocka_unit_test(who_may_not_is_told_why),
		cmocka_unit_test(inside_it_serves_its_terminal),
		cmocka_unit_test(a_parent_steers_its_child),
		cmocka_unit_test(the_end_of_a_channel_is_told),
		cmocka_unit_test(people_are_told_of_a_channel_that_is_not_alive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
