// Registering through the protocol.
#include "src/server/method_external.h"

#include "src/server/externals.h"
#include "src/server/server.h"
#include "tests/unit/server-world.h"

#include <string.h>

static void an_agent_outside_gets_a_name_and_a_mailbox(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_come_as(&world, BH_CALLER_EXTERNAL);
	assert_null(world_call(&world, "inbox.read", "\"limit\":1"));
	assert_string_equal(world_word(&world), "external");
	const cJSON *result =
		world_call(&world, "identity.register", "\"name\":\"Outside\",\"lease_ms\":60000");

	assert_non_null(result);
	assert_string_equal(world_text(result, "identity"), "Outside");
	assert_int_equal(strlen(world_text(result, "token")), 32);
	assert_int_equal(cJSON_GetObjectItem(result, "lease_ms")->valueint, 60000);
	// The same connection is known at once.
	result = world_call(&world, "identity.whoami", "\"x\":1");
	assert_string_equal(world_text(result, "kind"), "external");
	assert_string_equal(world_text(result, "by"), "kernel");
	assert_string_equal(world_text(result, "identity"), "Outside");
	result = world_call(
		&world, "message.send",
		"\"to\":\"operator\",\"body\":\"x\",\"from\":\"boss\",\"no_wait\":true,\"message_id\":\"0198c0de-0000-7000-8000-000000000001\"");
	assert_non_null(result);
	result = world_call(&world, "mail.history", "\"limit\":9");
	assert_string_equal(
		world_text(cJSON_GetArrayItem(cJSON_GetObjectItem(result, "messages"), 0), "from"),
		"Outside");
	assert_non_null(world_call(&world, "inbox.read", "\"limit\":1"));
	assert_null(world_call(&world, "terminal.type", "\"name\":\"x\",\"text\":\"y\""));
	assert_string_equal(world_word(&world), "external");
	assert_non_null(world_call(&world, "identity.announce", "\"name\":\"alias\""));
	result = world_call(&world, "identity.registered", "\"x\":1");
	const cJSON *program = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "programs"), 0);

	assert_string_equal(world_text(program, "identity"), "alias");
	assert_null(cJSON_GetObjectItem(program, "token"));
	assert_non_null(world_call(&world, "identity.release", "\"x\":1"));
	result = world_call(&world, "identity.whoami", "\"x\":1");
	assert_string_equal(world_text(result, "by"), "none");
	assert_null(world_call(&world, "identity.release", "\"x\":1"));
	assert_string_equal(world_word(&world), "not_found");
	world_close(&world);
}

static void a_person_gives_a_script_a_name_and_ends_it(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "identity.register", "\"name\":\"ci\""));
	// The person stays one: no process stands for it.
	const cJSON *result = world_call(&world, "identity.whoami", "\"x\":1");

	assert_string_equal(world_text(result, "kind"), "operator");
	result = world_call(&world, "identity.registered", "\"x\":1");
	result = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "programs"), 0);
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(result, "pid")));
	assert_null(world_call(&world, "identity.register", "\"name\":\"CI\""));
	assert_string_equal(world_word(&world), "identity_taken");
	result = cJSON_GetObjectItem(cJSON_GetObjectItem(world.answer, "error"), "data");
	assert_string_equal(world_text(result, "by_name"), "ci");
	assert_null(world_call(&world, "identity.register", "\"name\":\"x\",\"pid\":3"));
	assert_string_equal(world_word(&world), "invalid");
	assert_null(world_call(&world, "identity.register", "\"name\":\"x\",\"lease_ms\":3"));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "identity.release", "\"name\":\"cj\""));
	assert_string_equal(world_word(&world), "not_found");
	assert_non_null(world_call(&world, "identity.release", "\"name\":\"ci\""));
	world_close(&world);
}

static void what_a_send_to_it_answers_is_true(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "identity.register", "\"name\":\"ci\""));
	const cJSON *result = world_call(
		&world, "message.send",
		"\"to\":\"ci\",\"body\":\"x\",\"message_id\":\"0198c0de-0000-7000-8000-000000000001\"");

	assert_string_equal(world_text(result, "will_be_seen"), "only_if_it_looks");
	assert_string_equal(world_text(result, "delivery_path"), "inbox_only");
	assert_string_equal(world_text(result, "reason"), "typing_off");
	result = world_call(&world, "wake.can_wake", "\"name\":\"ci\"");
	assert_string_equal(world_text(result, "tier"), "NONE");
	world_close(&world);
}

static void who_runs_inside_has_a_name(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "coder", "");
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_null(world_call(&world, "identity.register", "\"name\":\"x\""));
	assert_string_equal(world_word(&world), "invalid");
	assert_non_null(strstr(world_sentence(&world), "bellhop announce x"));
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_agent_outside_gets_a_name_and_a_mailbox),
		cmocka_unit_test(a_person_gives_a_script_a_name_and_ends_it),
		cmocka_unit_test(what_a_send_to_it_answers_is_true),
		cmocka_unit_test(who_runs_inside_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
