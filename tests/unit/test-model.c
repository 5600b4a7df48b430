#include "src/ui/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LAYOUT \
	"{\"version\":7,\"area\":{\"cols\":80,\"rows\":22},\"tabs\":[" \
	"{\"id\":3,\"index\":1,\"name\":\"api\",\"is_active\":true,\"is_zoomed\":false," \
	"\"focus\":\"b\",\"panes\":[" \
	"{\"terminal_id\":\"a\",\"row\":1,\"col\":0,\"rows\":21,\"cols\":39,\"is_visible\":true}," \
	"{\"terminal_id\":\"b\",\"row\":1,\"col\":40,\"rows\":21,\"cols\":40,\"is_visible\":true}]}," \
	"{\"id\":5,\"index\":2,\"name\":\"docs\",\"is_active\":false,\"is_last\":true," \
	"\"focus\":\"c\",\"panes\":[" \
	"{\"terminal_id\":\"c\",\"row\":1,\"col\":0,\"rows\":21,\"cols\":80,\"is_visible\":true}]}]}"

#define TERMINAL(id, state) \
	"{\"terminal_id\":\"" id "\",\"identity\":\"agent-" id "\",\"state\":\"" state \
	"\",\"profile\":\"claude\",\"program\":\"claude\",\"title\":\"t\",\"reason\":null," \
	"\"unread\":2,\"parked\":false}"

static void take(struct bh_model *model, const char *method, const char *params, unsigned wanted)
{
	cJSON *json = cJSON_Parse(params);

	assert_non_null(json);
	assert_int_equal(bh_model_take(model, method, json, 5000), wanted);
	cJSON_Delete(json);
}

static void begin(struct bh_model *model)
{
	static const char state[] =
		"{\"layout\":" LAYOUT
		",\"terminals\":[" TERMINAL("a", "idle") "," TERMINAL("b", "working") "," TERMINAL(
			"c",
			"working") "," TERMINAL("d",
	                                        "exited") "],\"mail\":[{\"identity\":\"agent-c\","
							  "\"terminal_id\":\"c\",\"unread\":4,\"parked\":true,\"queued\":1,"
							  "\"reason\":\"draft\"}]}";
	cJSON *json = cJSON_Parse(state);

	assert_non_null(json);
	bh_model_begin(model, json, 1000);
	cJSON_Delete(json);
}

static void the_answer_of_a_subscription_is_the_beginning(void **state)
{
	struct bh_model model = {0};
	const struct bh_model_terminal *c = NULL;

	(void)state;
	begin(&model);
	assert_int_equal(model.tab_count, 2);
	assert_int_equal(model.area_cols, 80);
	assert_int_equal(model.terminal_count, 3); // who has ended is none of ours
	assert_string_equal(bh_model_active(&model)->name, "api");
	assert_int_equal(bh_model_active(&model)->pane_count, 2);
	assert_string_equal(bh_model_focus(&model)->terminal_id, "b");
	assert_int_equal(bh_model_focus(&model)->col, 40);
	assert_true(model.tabs[1].is_last);
	assert_true(bh_model_is_seen(&model, "a"));
	assert_false(bh_model_is_seen(&model, "c"));
	assert_int_equal(bh_model_tab_of(&model, "c")->id, 5);
	assert_null(bh_model_tab_of(&model, "x"));
	c = bh_model_terminal(&model, "c");
	assert_int_equal(c->unread, 4);
	assert_int_equal(c->queued, 1);
	assert_true(c->is_parked);
	assert_string_equal(c->mail_reason, "draft");
	assert_string_equal(c->reason, "");
	bh_model_clear(&model);
	assert_null(bh_model_active(&model));
	assert_null(bh_model_focus(&model));
}

static void a_turn_that_ends_out_of_sight_wants_a_person(void **state)
{
	struct bh_model model = {0};

	(void)state;
	begin(&model);
	assert_null(bh_model_next_needing(&model, ""));
	take(&model, "terminal.state", "{\"terminal_id\":\"b\",\"state\":\"idle\"}",
	     BH_MODEL_TERMINALS);
	assert_false(bh_model_terminal(&model, "b")->is_done_unseen); // it is in view
	take(&model, "terminal.state", "{\"terminal_id\":\"c\",\"state\":\"idle\"}",
	     BH_MODEL_TERMINALS | BH_MODEL_ATTENTION);
	assert_string_equal(model.attention, "c");
	assert_true(bh_model_terminal(&model, "c")->is_done_unseen);
	assert_int_equal(bh_model_terminal(&model, "c")->state_at_ms, 5000);
	assert_string_equal(bh_model_next_needing(&model, "")->id, "c");
	// Who waits for an answer comes before who is done.
	take(&model, "terminal.state", "{\"terminal_id\":\"a\",\"state\":\"awaiting\"}",
	     BH_MODEL_TERMINALS);
	assert_string_equal(bh_model_next_needing(&model, "")->id, "a");
	// Among equals it goes round.
	take(&model, "terminal.state", "{\"terminal_id\":\"c\",\"state\":\"awaiting\"}",
	     BH_MODEL_TERMINALS | BH_MODEL_ATTENTION);
	assert_string_equal(bh_model_next_needing(&model, "a")->id, "c");
	assert_string_equal(bh_model_next_needing(&model, "c")->id, "a");
	bh_model_clear(&model);
}

static void what_was_looked_at_is_seen(void **state)
{
	struct bh_model model = {0};

	(void)state;
	begin(&model);
	take(&model, "terminal.state", "{\"terminal_id\":\"c\",\"state\":\"idle\"}",
	     BH_MODEL_TERMINALS | BH_MODEL_ATTENTION);
	take(&model, "layout.changed",
	     "{\"area\":{\"cols\":80,\"rows\":22},\"tabs\":[{\"id\":5,\"index\":1,\"name\":\"d\","
	     "\"is_active\":true,\"focus\":\"c\",\"panes\":[{\"terminal_id\":\"c\",\"row\":1,"
	     "\"col\":0,\"rows\":21,\"cols\":80,\"is_visible\":true}]}]}",
	     BH_MODEL_LAYOUT);
	assert_false(bh_model_terminal(&model, "c")->is_done_unseen);
	bh_model_clear(&model);
}

static void notifications_change_what_they_name(void **state)
{
	struct bh_model model = {0};

	(void)state;
	begin(&model);
	take(&model, "terminal.title", "{\"terminal_id\":\"a\",\"title\":\"new\"}",
	     BH_MODEL_TERMINALS);
	assert_string_equal(bh_model_terminal(&model, "a")->title, "new");
	take(&model, "terminal.note", "{\"terminal_id\":\"a\",\"text\":\"typing mail\"}",
	     BH_MODEL_TERMINALS);
	assert_string_equal(bh_model_terminal(&model, "a")->note, "typing mail");
	take(&model, "terminal.started", "{\"terminal\":" TERMINAL("e", "starting") "}",
	     BH_MODEL_TERMINALS);
	assert_non_null(bh_model_terminal(&model, "e"));
	take(&model, "mail.changed",
	     "{\"identity\":\"agent-a\",\"terminal_id\":\"a\",\"unread\":0,\"queued\":0,"
	     "\"parked\":false,\"reason\":null}",
	     BH_MODEL_TERMINALS);
	assert_int_equal(bh_model_terminal(&model, "a")->unread, 0);
	take(&model, "terminal.exited", "{\"terminal_id\":\"a\"}", BH_MODEL_TERMINALS);
	assert_null(bh_model_terminal(&model, "a"));
	assert_non_null(bh_model_terminal(&model, "b"));
	take(&model, "session.notice", "{\"text\":\"the disk is full\"}", BH_MODEL_NOTICE);
	assert_string_equal(model.notice, "the disk is full");
	bh_model_clear(&model);
}

static void mail_without_a_terminal_is_kept_by_name(void **state)
{
	struct bh_model model = {0};

	(void)state;
	begin(&model);
	assert_int_equal(bh_model_unread_of(&model, "operator"), 0);
	take(&model, "mail.changed",
	     "{\"identity\":\"operator\",\"terminal_id\":null,\"unread\":2}", BH_MODEL_TERMINALS);
	take(&model, "mail.changed", "{\"identity\":\"new\",\"terminal_id\":null,\"unread\":1}",
	     BH_MODEL_TERMINALS);
	assert_int_equal(bh_model_unread_of(&model, "operator"), 2);
	assert_int_equal(bh_model_unread_of(&model, "new"), 1);
	assert_int_equal(model.mailbox_count, 2);
	take(&model, "mail.changed",
	     "{\"identity\":\"operator\",\"terminal_id\":null,\"unread\":0}", BH_MODEL_TERMINALS);
	assert_int_equal(bh_model_unread_of(&model, "operator"), 0);
	// A name that has a terminal now has its mail there, and only there.
	take(&model, "mail.changed", "{\"identity\":\"new\",\"terminal_id\":\"a\",\"unread\":1}",
	     BH_MODEL_TERMINALS);
	assert_int_equal(bh_model_unread_of(&model, "new"), 0);
	assert_int_equal(bh_model_terminal(&model, "a")->unread, 1);
	bh_model_clear(&model);
}

static void the_ui_used_last_is_known(void **state)
{
	struct bh_model model = {0};

	(void)state;
	take(&model, "layout.changed",
	     "{\"area\":{},\"tabs\":[],\"clients\":[{\"client\":4,\"is_latest\":false},"
	     "{\"client\":9,\"is_latest\":true}]}",
	     BH_MODEL_LAYOUT);
	assert_int_equal(model.latest_client, 9);
	take(&model, "layout.changed", "{\"area\":{},\"tabs\":[],\"clients\":[]}", BH_MODEL_LAYOUT);
	assert_int_equal(model.latest_client, 0);
	bh_model_clear(&model);
}

static void a_shell_is_no_agent(void **state)
{
	struct bh_model_terminal terminal = {.profile = "claude"};

	(void)state;
	assert_true(bh_model_is_agent(&terminal));
	(void)strcpy(terminal.profile, "generic");
	assert_false(bh_model_is_agent(&terminal));
	terminal.profile[0] = '\0';
	assert_false(bh_model_is_agent(&terminal));
}

static void an_agent_in_a_shell_is_one_while_it_runs(void **state)
{
	struct bh_model model = {0};

	(void)state;
	begin(&model);
	(void)strcpy(model.terminals[2].profile, "generic");
	take(&model, "terminal.state",
	     "{\"terminal_id\":\"c\",\"state\":\"working\",\"watched\":\"claude\"}",
	     BH_MODEL_TERMINALS);
	assert_true(bh_model_is_agent(&model.terminals[2]));
	// It calls as any other does.
	take(&model, "terminal.state",
	     "{\"terminal_id\":\"c\",\"state\":\"awaiting\",\"watched\":\"claude\"}",
	     BH_MODEL_TERMINALS | BH_MODEL_ATTENTION);
	take(&model, "terminal.state",
	     "{\"terminal_id\":\"c\",\"state\":\"starting\",\"watched\":null}", BH_MODEL_TERMINALS);
	assert_false(bh_model_is_agent(&model.terminals[2]));
	bh_model_clear(&model);
}

static void nonsense_changes_nothing(void **state)
{
	struct bh_model model = {0};

	(void)state;
	begin(&model);
	take(&model, "terminal.dance", "{}", BH_MODEL_NOTHING);
	take(&model, "terminal.state", "{\"terminal_id\":7}", BH_MODEL_NOTHING);
	take(&model, "terminal.title", "[]", BH_MODEL_NOTHING);
	take(&model, "layout.changed", "{\"tabs\":3}", BH_MODEL_LAYOUT);
	assert_int_equal(model.tab_count, 2);
	assert_int_equal(bh_model_take(&model, "terminal.started", NULL, 1), BH_MODEL_TERMINALS);
	assert_int_equal(model.terminal_count, 3);
	bh_model_clear(&model);
}

static void a_resync_replaces_everything(void **state)
{
	struct bh_model model = {0};

	(void)state;
	begin(&model);
	take(&model, "events.resync",
	     "{\"layout\":{\"area\":{\"cols\":10,\"rows\":5},\"tabs\":[]},\"terminals\":[],"
	     "\"mail\":[]}",
	     BH_MODEL_LAYOUT | BH_MODEL_TERMINALS);
	assert_int_equal(model.tab_count, 0);
	assert_int_equal(model.terminal_count, 0);
	assert_int_equal(model.area_rows, 5);
	bh_model_clear(&model);
}

/** Mail that nothing will be done about any more needs a person, once. */
static void mail_that_is_parked_calls_a_person(void **state)
{
	static const char mail[] = "{\"identity\":\"x\",\"terminal_id\":\"%s\",\"unread\":4,"
				   "\"parked\":%s,\"queued\":0,\"reason\":null}";
	static const struct {
		const char *id, *parked;
		unsigned changes;
	} steps[] = {
		{"c", "true", BH_MODEL_TERMINALS}, // it was so when we came
		{"c", "false", BH_MODEL_TERMINALS},
		{"c", "true", BH_MODEL_TERMINALS | BH_MODEL_ATTENTION},
		{"c", "true", BH_MODEL_TERMINALS},
		{"a", "true", BH_MODEL_TERMINALS}, // it is in view, and the status line says so
	};
	struct bh_model model = {0};

	(void)state;
	begin(&model);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		char params[200];

		(void)snprintf(params, sizeof(params), mail, steps[i].id, steps[i].parked);
		take(&model, "mail.changed", params, steps[i].changes);
	}
	assert_string_equal(model.attention, "c");
	bh_model_clear(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_answer_of_a_subscription_is_the_beginning),
		cmocka_unit_test(a_turn_that_ends_out_of_sight_wants_a_person),
		cmocka_unit_test(what_was_looked_at_is_seen),
		cmocka_unit_test(notifications_change_what_they_name),
		cmocka_unit_test(mail_without_a_terminal_is_kept_by_name),
		cmocka_unit_test(the_ui_used_last_is_known),
		cmocka_unit_test(a_shell_is_no_agent),
		cmocka_unit_test(an_agent_in_a_shell_is_one_while_it_runs),
		cmocka_unit_test(nonsense_changes_nothing),
		cmocka_unit_test(a_resync_replaces_everything),
		cmocka_unit_test(mail_that_is_parked_calls_a_person),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
