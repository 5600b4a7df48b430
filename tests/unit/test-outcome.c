#include "src/wake/outcome.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static struct bh_outcome sent(void)
{
	return (struct bh_outcome){.message_id = "0198",
	                           .seq = 42,
	                           .to = "reviewer",
	                           .is_known = true,
	                           .state = "working",
	                           .last_turn = "done",
	                           .terminal_id = "6f1c"};
}

static const char *text(const cJSON *json, const char *key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, key);

	return cJSON_IsString(value) ? value->valuestring : "-";
}

/** One row of the case table: the words as they must come out. */
static void row(const struct bh_outcome *outcome, bool delivered, const char *words)
{
	cJSON *json = bh_outcome_json(outcome);
	char got[200];
	bool is_poor = outcome->prospect == BH_PROSPECT_NEEDS_A_PERSON ||
	               outcome->prospect == BH_PROSPECT_ONLY_IF_IT_LOOKS;

	snprintf(got, sizeof(got), "%s %s %s %s %s", text(json, "delivery_path"),
	         text(json, "terminal"), text(json, "notice"), text(json, "reason"),
	         text(json, "will_be_seen"));
	assert_string_equal(got, words);
	assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(json, "delivered")), delivered);
	assert_string_not_equal(text(json, "next"), "-");
	assert_int_equal(cJSON_HasObjectItem(json, "warning"), is_poor);
	assert_false(cJSON_HasObjectItem(json, "idempotent_replay"));
	cJSON_Delete(json);
}

static struct bh_outcome decided(struct bh_decision decision)
{
	struct bh_outcome outcome = sent();

	bh_outcome_decide(&outcome, &decision);
	return outcome;
}

static struct bh_outcome seen(enum bh_path path, const char *proof)
{
	struct bh_outcome outcome = sent();

	bh_outcome_see(&outcome, path, proof);
	return outcome;
}

static void the_case_table_comes_out(void **state)
{
	struct bh_outcome o;

	(void)state;
	o = seen(BH_PATH_WAITER, NULL);
	row(&o, true, "waiter - - - already");
	o = seen(BH_PATH_TERMINAL, "transcript");
	row(&o, true, "terminal typed - - already");
	o = decided((struct bh_decision){.path = BH_PATH_WAITER, .seen = BH_PROSPECT_WHEN_FREE});
	row(&o, false, "waiter - - - when_free");
	o = decided((struct bh_decision){.path = BH_PATH_TERMINAL,
	                                 .fate = BH_FATE_QUEUED,
	                                 .reason = BH_REASON_WORKING,
	                                 .seen = BH_PROSPECT_WHEN_FREE});
	row(&o, false, "terminal queued - working when_free");
	o = decided((struct bh_decision){.path = BH_PATH_TERMINAL,
	                                 .fate = BH_FATE_QUEUED,
	                                 .reason = BH_REASON_DRAFT,
	                                 .seen = BH_PROSPECT_NEEDS_A_PERSON});
	row(&o, false, "terminal queued - draft needs_a_person");
	o = decided((struct bh_decision){
		.path = BH_PATH_NOTICE, .fate = BH_FATE_TYPED, .seen = BH_PROSPECT_WHEN_FREE});
	row(&o, false, "notice - typed - when_free");
	o = decided((struct bh_decision){
		.path = BH_PATH_NOTICE, .fate = BH_FATE_JOINED, .seen = BH_PROSPECT_WHEN_FREE});
	row(&o, false, "notice - joined - when_free");
	o = decided((struct bh_decision){.path = BH_PATH_INBOX_ONLY,
	                                 .fate = BH_FATE_PARKED,
	                                 .reason = BH_REASON_PARKED,
	                                 .seen = BH_PROSPECT_ONLY_IF_IT_LOOKS});
	row(&o, false, "inbox_only - parked parked only_if_it_looks");
	o = decided((struct bh_decision){.path = BH_PATH_INBOX_ONLY,
	                                 .fate = BH_FATE_UNAVAILABLE,
	                                 .reason = BH_REASON_NO_TERMINAL,
	                                 .seen = BH_PROSPECT_ONLY_IF_IT_LOOKS});
	row(&o, false, "inbox_only unavailable - no_terminal only_if_it_looks");
}

static void nobody_is_told_to_start_the_operator(void **state)
{
	struct bh_outcome o = decided((struct bh_decision){.path = BH_PATH_INBOX_ONLY,
	                                                   .fate = BH_FATE_UNAVAILABLE,
	                                                   .reason = BH_REASON_NO_TERMINAL,
	                                                   .seen = BH_PROSPECT_ONLY_IF_IT_LOOKS});
	cJSON *json;

	(void)state;
	o.to = "operator";
	o.is_person = true;
	json = bh_outcome_json(&o);
	assert_string_equal(cJSON_GetObjectItem(json, "next")->valuestring,
	                    "operator is a person, who reads mail by looking. It is stored in "
	                    "operator's inbox and will be seen when a person looks. Do not send it "
	                    "again.");
	assert_string_equal(
		cJSON_GetObjectItem(json, "warning")->valuestring,
		"Nothing will wake operator for this: operator is a person, who reads mail "
		"by looking. Do not wait for an answer; go on without it, or ask again in "
		"your own terminal.");
	cJSON_Delete(json);
}

static void the_example_of_the_contract_comes_out(void **state)
{
	struct bh_outcome o = decided((struct bh_decision){.path = BH_PATH_TERMINAL,
	                                                   .fate = BH_FATE_QUEUED,
	                                                   .reason = BH_REASON_WORKING,
	                                                   .seen = BH_PROSPECT_WHEN_FREE});
	cJSON *json = bh_outcome_json(&o);
	char *printed = cJSON_PrintUnformatted(json);

	(void)state;
	assert_string_equal(
		printed,
		"{\"will_be_seen\":\"when_free\",\"delivered\":false,\"delivery_path\":\"terminal\","
		"\"terminal\":\"queued\",\"reason\":\"working\",\"next\":\"reviewer is working. "
		"bellhop will type it once reviewer is idle; if reviewer exits first it stays in its "
		"inbox. Do not send it again. Seen is not done: ask for a reply if you need one.\","
		"\"message_id\":\"0198\",\"seq\":42,\"to\":\"reviewer\",\"recipient\":{\"known\":true,"
		"\"state\":\"working\",\"last_turn\":\"done\",\"terminal_id\":\"6f1c\"}}");
	free(printed);
	cJSON_Delete(json);
}

static void an_unknown_name_gets_the_near_ones(void **state)
{
	struct bh_outcome o = decided((struct bh_decision){.path = BH_PATH_INBOX_ONLY,
	                                                   .fate = BH_FATE_UNAVAILABLE,
	                                                   .reason = BH_REASON_UNKNOWN_RECIPIENT,
	                                                   .seen = BH_PROSPECT_ONLY_IF_IT_LOOKS});
	cJSON *json;

	(void)state;
	o.is_known = false;
	o.state = NULL;
	o.last_turn = "";
	o.terminal_id = NULL;
	o.nearest = "reviewer-2, review";
	o.is_replay = true;
	json = bh_outcome_json(&o);
	assert_string_equal(text(json, "warning"),
	                    "Nothing will wake reviewer for this: no agent ever used the name "
	                    "reviewer. Do not wait for an answer; check the name with `bellhop "
	                    "list`; names like it: reviewer-2, review.");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "idempotent_replay")));
	assert_true(
		cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "recipient"), "state")));
	cJSON_Delete(json);
}

static void an_agent_in_a_shell_comes_with_advice(void **state)
{
	struct bh_outcome o = decided((struct bh_decision){.path = BH_PATH_INBOX_ONLY,
	                                                   .fate = BH_FATE_UNAVAILABLE,
	                                                   .reason = BH_REASON_TYPING_OFF,
	                                                   .seen = BH_PROSPECT_ONLY_IF_IT_LOOKS});
	cJSON *json;

	(void)state;
	o.advice = "start it by `bellhop run claude`";
	json = bh_outcome_json(&o);
	assert_string_equal(text(json, "warning"),
	                    "Nothing will wake reviewer for this: bellhop does not type into the "
	                    "program that reviewer runs. Do not wait for an answer; reviewer must "
	                    "read it with `bellhop inbox`; start it by `bellhop run claude`.");
	cJSON_Delete(json);
}

/** A member of a room. */
static struct bh_outcome one_of(const char *to, enum bh_prospect prospect, enum bh_reason reason)
{
	struct bh_outcome outcome = {.to = to, .is_known = true};

	if (prospect == BH_PROSPECT_ALREADY) {
		bh_outcome_see(&outcome, BH_PATH_TERMINAL, "record");
	} else {
		bh_outcome_decide(&outcome, &(struct bh_decision){.path = BH_PATH_INBOX_ONLY,
		                                                  .fate = BH_FATE_UNAVAILABLE,
		                                                  .reason = reason,
		                                                  .seen = prospect});
	}
	return outcome;
}

static void a_room_is_as_bad_as_its_worst_member(void **state)
{
	static const enum bh_prospect all[] = {BH_PROSPECT_ALREADY, BH_PROSPECT_WHEN_FREE,
	                                       BH_PROSPECT_NEEDS_A_PERSON,
	                                       BH_PROSPECT_ONLY_IF_IT_LOOKS};

	(void)state;
	for (int a = 0; a < 4; a++) {
		for (int b = 0; b < 4; b++) {
			struct bh_outcome members[] = {one_of("anna", all[a], BH_REASON_WORKING),
			                               one_of("bob", all[b], BH_REASON_DRAFT)};
			struct bh_outcome outcome = sent();
			cJSON *json;

			outcome.to = "#dev";
			outcome.members = members;
			outcome.member_count = 2;
			bh_outcome_gather(&outcome);
			assert_int_equal(outcome.prospect, a > b ? all[a] : all[b]);
			assert_int_equal(outcome.is_seen, a == 0 && b == 0);
			assert_int_equal(outcome.path, BH_PATH_ROOM);
			json = bh_outcome_json(&outcome);
			assert_int_equal(cJSON_HasObjectItem(json, "warning"), a > 1 || b > 1);
			assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "members")),
			                 2);
			assert_int_equal(
				cJSON_GetObjectItem(cJSON_GetObjectItem(json, "counts"), "seen")
					->valueint,
				(a == 0) + (b == 0));
			assert_null(strstr(text(json, "next"), "{"));
			if (a > 1 || b > 1) { // it names whom it is about
				assert_non_null(
					strstr(text(json, "warning"), a >= b ? "anna" : "bob"));
			}
			cJSON_Delete(json);
		}
	}
}

static void an_empty_room_says_so(void **state)
{
	struct bh_outcome outcome = sent();
	cJSON *json;

	(void)state;
	outcome.to = "#dev";
	bh_outcome_gather(&outcome);
	row(&outcome, false, "inbox_only - - empty_room only_if_it_looks");
	json = bh_outcome_json(&outcome);
	assert_non_null(strstr(text(json, "next"), "Nobody else is in #dev"));
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "members")), 0);
	cJSON_Delete(json);
}

static void an_update_is_no_cause_for_warning(void **state)
{
	struct bh_outcome outcome =
		decided((struct bh_decision){.path = BH_PATH_INBOX_ONLY,
	                                     .fate = BH_FATE_UNAVAILABLE,
	                                     .reason = BH_REASON_UPDATE,
	                                     .seen = BH_PROSPECT_ONLY_IF_IT_LOOKS});
	cJSON *json = bh_outcome_json(&outcome);

	(void)state;
	assert_false(cJSON_HasObjectItem(json, "warning"));
	assert_string_equal(text(json, "reason"), "update");
	assert_non_null(strstr(text(json, "next"), "with the next mail of reviewer"));
	cJSON_Delete(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_room_is_as_bad_as_its_worst_member),
		cmocka_unit_test(an_empty_room_says_so),
		cmocka_unit_test(an_update_is_no_cause_for_warning),
		cmocka_unit_test(the_case_table_comes_out),
		cmocka_unit_test(nobody_is_told_to_start_the_operator),
		cmocka_unit_test(the_example_of_the_contract_comes_out),
		cmocka_unit_test(an_unknown_name_gets_the_near_ones),
		cmocka_unit_test(an_agent_in_a_shell_comes_with_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
