// The judge over time: epochs, keys, hooks, the status file, the tty, resizes.
// Covers: src/agent/judge, src/agent/explain.
#include "src/agent/judge.h"

#include "src/agent/profile.h"
#include "src/base/mem.h"
#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#define RULE "────────────────────────────────────────────────────────────"
#define IDLE \
	"\x1b[?2004h\x1b[2J\x1b[6;1H" RULE "\x1b[7;1H❯\u00a0\x1b[8;1H" RULE \
	"\x1b[9;1H  ⏵⏵ auto mode on (shift+tab to cycle)\x1b[7;3H"
#define BUSY IDLE "\x1b[5;1H✽ Brewing… (3s)\x1b[7;3H"
#define DRAFT IDLE "x\x1b[7;4H"
#define ASKS \
	"\x1b[2J\x1b[5;1H Do you want to proceed?\x1b[6;1H ❯ 1. Yes\x1b[7;1H   2. No" \
	"\x1b[9;1H Esc to cancel · Tab to amend"
#define CODEX \
	"\x1b]2;demo\x07\x1b[?2004h\x1b[2J\x1b[7;1H› \x1b[2mAsk Codex to do anything\x1b[22m" \
	"\x1b[9;1H  gpt · ~/demo\x1b[7;3H"
#define CODEX_SAYS(state) "\x1b]7501;state=" state ":app=codex\x07"
#define SAYS(state) "\x1b]7501;state=" state ":app=claude-code\x07"

/** A judge, its screen and a clock. */
struct desk {
	struct bh_profiles *set;
	struct bh_screen *screen;
	struct bh_judge *judge;
	struct bh_verdict verdict;
	uint64_t now_ms;
};

static int desk_open(void **state)
{
	struct bh_screen_settings settings = {.cols = 60, .rows = 10};
	struct desk *desk = bh_xmalloc(sizeof *desk);

	desk->set = bh_profiles_load(NULL, NULL, NULL);
	desk->screen = bh_screen_new(&settings);
	desk->now_ms = 5000;
	desk->judge = bh_judge_new(bh_profiles_find(desk->set, "claude"), desk->now_ms);
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;

	bh_judge_free(desk->judge);
	bh_screen_free(desk->screen);
	bh_profiles_free(desk->set);
	free(desk);
	return 0;
}

/** Wait, running the timers as a server would. */
static void wait_ms(struct desk *desk, uint64_t ms)
{
	uint64_t end_ms = desk->now_ms + ms;

	for (;;) {
		bh_judge_evaluate(desk->judge, desk->screen, desk->now_ms, &desk->verdict);
		if (!desk->verdict.reevaluate_at_ms || desk->verdict.reevaluate_at_ms > end_ms) {
			break;
		}
		assert_true(desk->verdict.reevaluate_at_ms > desk->now_ms);
		desk->now_ms = desk->verdict.reevaluate_at_ms;
	}
	desk->now_ms = end_ms;
	bh_judge_evaluate(desk->judge, desk->screen, desk->now_ms, &desk->verdict);
}

static void shows(struct desk *desk, const char *bytes)
{
	bh_screen_feed(desk->screen, bytes, strlen(bytes), desk->now_ms);
	bh_judge_output(desk->judge, desk->screen, desk->now_ms);
	wait_ms(desk, 0);
}

static void types(struct desk *desk, const char *bytes)
{
	bh_judge_person(desk->judge, bytes, strlen(bytes), desk->now_ms);
	wait_ms(desk, 0);
}

#define expect(desk, wanted, word) \
	do { \
		assert_string_equal(bh_state_word((desk)->verdict.state), wanted); \
		assert_string_equal((desk)->verdict.reason ? (desk)->verdict.reason : "", word); \
	} while (0)

static void idle_needs_time(void **state)
{
	struct desk *desk = *state;

	wait_ms(desk, 100);
	expect(desk, "starting", "starting");
	shows(desk, IDLE);
	expect(desk, "starting", "starting");
	wait_ms(desk, 990);
	expect(desk, "starting", "starting");
	wait_ms(desk, 20);
	expect(desk, "idle", "");
	assert_int_equal(desk->verdict.reevaluate_at_ms, 0);
}

// The program's own word makes it shorter, never unneeded.
static void its_own_word_helps(void **state)
{
	struct desk *desk = *state;

	shows(desk, SAYS("idle"));
	wait_ms(desk, 5000);
	expect(desk, "starting", "starting");
	shows(desk, IDLE);
	expect(desk, "starting", "starting");
	wait_ms(desk, 310);
	expect(desk, "idle", "");
}

/** A desk with Codex, whose program was started so long ago. */
static void open_codex(struct desk *desk, uint64_t age_ms)
{
	bh_judge_free(desk->judge);
	desk->now_ms = 1000000;
	desk->judge = bh_judge_new(bh_profiles_find(desk->set, "codex"), desk->now_ms - age_ms);
}

// Codex says idle before its start-up tasks, too: that word alone proves nothing.
static void an_early_word_is_not_believed(void **state)
{
	struct desk *desk = *state;

	open_codex(desk, 0);
	shows(desk, CODEX CODEX_SAYS("idle"));
	wait_ms(desk, 1490);
	expect(desk, "starting", "starting");
	shows(desk, CODEX_SAYS("working"));
	expect(desk, "working", "working");
	wait_ms(desk, 200);
	shows(desk, CODEX_SAYS("idle"));
	wait_ms(desk, 290);
	expect(desk, "working", "working");
	wait_ms(desk, 20);
	expect(desk, "idle", "");
	// No turn was interrupted there.
	assert_int_equal(desk->verdict.last_turn, BH_TURN_NONE);
}

static void an_early_word_counts_after_a_while(void **state)
{
	struct desk *desk = *state;

	open_codex(desk, 0);
	shows(desk, CODEX CODEX_SAYS("idle"));
	wait_ms(desk, 1510);
	expect(desk, "idle", "");
}

// A server that was started anew finds it idle: its start is long over.
static void its_word_is_not_early_for_ever(void **state)
{
	struct desk *desk = *state;

	open_codex(desk, 60000);
	shows(desk, CODEX CODEX_SAYS("idle"));
	wait_ms(desk, 310);
	expect(desk, "idle", "");
}

static void a_turn_runs_and_ends(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE SAYS("idle"));
	wait_ms(desk, 1000);
	bh_judge_input(desk->judge, BH_INPUT_TYPIST_CR, desk->now_ms);
	wait_ms(desk, 0);
	// Nothing has happened yet; that is what makes the moment dangerous.
	expect(desk, "working", "working");
	assert_int_equal(desk->verdict.epoch, 1);
	wait_ms(desk, 900);
	shows(desk, BUSY SAYS("working"));
	wait_ms(desk, 20000);
	expect(desk, "working", "working");
	shows(desk, IDLE SAYS("done"));
	expect(desk, "working", "working");
	wait_ms(desk, 310);
	expect(desk, "completed", "");
	assert_int_equal(desk->verdict.last_turn, BH_TURN_DONE);
}

// A report from before the Enter says nothing of after it.
static void old_words_do_not_count_after_enter(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE SAYS("done"));
	wait_ms(desk, 1000);
	bh_judge_input(desk->judge, BH_INPUT_TYPIST_CR, desk->now_ms);
	wait_ms(desk, 1);
	shows(desk, BUSY);
	wait_ms(desk, 100);
	shows(desk, IDLE);
	wait_ms(desk, 310);
	expect(desk, "working", "working");
	wait_ms(desk, 700);
	expect(desk, "idle", "");
}

static void an_enter_without_effect_ends_after_five_seconds(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE SAYS("done"));
	wait_ms(desk, 1000);
	bh_judge_input(desk->judge, BH_INPUT_TYPIST_CR, desk->now_ms);
	wait_ms(desk, 4990);
	expect(desk, "working", "working");
	wait_ms(desk, 1000);
	expect(desk, "completed", "");
}

// The Enter was a newline: the text stands there, longer than before.
static void a_draft_that_stands_was_not_submitted(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	types(desk, "x\r");
	wait_ms(desk, 300);
	shows(desk, DRAFT);
	expect(desk, "working", "working");
	wait_ms(desk, 990);
	expect(desk, "working", "working");
	wait_ms(desk, 1000);
	expect(desk, "idle", "draft");
}

static void an_error_is_told(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE SAYS("working"));
	wait_ms(desk, 1000);
	shows(desk, SAYS("error"));
	wait_ms(desk, 1000);
	expect(desk, "idle", "");
	assert_int_equal(desk->verdict.last_turn, BH_TURN_ERROR);
}

static void esc_interrupts(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE SAYS("idle"));
	wait_ms(desk, 1000);
	shows(desk, BUSY SAYS("working"));
	wait_ms(desk, 1000);
	shows(desk, IDLE SAYS("idle"));
	wait_ms(desk, 1000);
	expect(desk, "idle", "");
	assert_int_equal(desk->verdict.last_turn, BH_TURN_INTERRUPTED);
}

static void a_dialog_awaits_and_lingers(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	shows(desk, ASKS);
	expect(desk, "awaiting", "awaiting");
	assert_true(desk->verdict.has_dialog);
	wait_ms(desk, 60000);
	expect(desk, "awaiting", "awaiting");
	shows(desk, IDLE);
	// It was answered: something may go on.
	expect(desk, "working", "working");
	wait_ms(desk, 1100);
	expect(desk, "working", "working");
	wait_ms(desk, 200);
	expect(desk, "idle", "");
}

static void keys_that_are_not_shown_are_a_draft(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	types(desk, "x");
	expect(desk, "idle", "draft");
	wait_ms(desk, 14000);
	expect(desk, "idle", "draft");
	wait_ms(desk, 1100);
	expect(desk, "idle", "");
}

static void shown_keys_are_a_draft_until_cleared(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	types(desk, "x");
	shows(desk, DRAFT);
	wait_ms(desk, 60000);
	expect(desk, "idle", "draft");
	types(desk, "\x15");
	shows(desk, IDLE);
	wait_ms(desk, 2900);
	expect(desk, "idle", "human_typing");
	wait_ms(desk, 200);
	expect(desk, "idle", "");
}

static void answers_of_a_terminal_are_no_keys(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	types(desk, "\x1b[?62;22c\x1b]7501;?\x1b\\\x1b[I\x1b[<0;1;1M");
	expect(desk, "idle", "");
}

static void the_kernel_has_a_word(void **state)
{
	struct desk *desk = *state;
	struct bh_tty_facts facts = {.is_foreground_ours = true};

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	bh_judge_tty(desk->judge, &facts, desk->now_ms);
	wait_ms(desk, 0);
	expect(desk, "idle", "");
	facts.is_canonical = true;
	bh_judge_tty(desk->judge, &facts, desk->now_ms);
	wait_ms(desk, 0);
	expect(desk, "idle", "line_mode");
	facts = (struct bh_tty_facts){0};
	bh_judge_tty(desk->judge, &facts, desk->now_ms);
	wait_ms(desk, 0);
	expect(desk, "idle", "not_foreground");
	bh_judge_exited(desk->judge, 0, desk->now_ms);
	wait_ms(desk, 0);
	expect(desk, "exited", "no_terminal");
}

static void a_resize_is_unstable(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	bh_judge_input(desk->judge, BH_INPUT_RESIZE, desk->now_ms);
	wait_ms(desk, 0);
	expect(desk, "idle", "unknown_state");
	wait_ms(desk, 510);
	expect(desk, "idle", "");
}

static void without_bracketed_paste_nothing_is_typed(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE "\x1b[?2004l");
	wait_ms(desk, 5000);
	expect(desk, "starting", "starting");
	// Switched off by a program that was ready: who knows.
	shows(desk, "\x1b[?2004h");
	wait_ms(desk, 5000);
	expect(desk, "idle", "");
	shows(desk, "\x1b[?2004l");
	wait_ms(desk, 5000);
	expect(desk, "unknown", "unknown_state");
}

static void a_half_drawn_screen_is_not_judged(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	shows(desk, "\x1b[?2026h");
	expect(desk, "idle", "unknown_state");
	shows(desk, "\x1b[?2026l");
	expect(desk, "idle", "");
}

static void the_status_file_vetoes_and_holds(void **state)
{
	struct desk *desk = *state;
	struct bh_status_file file = {.status = "busy"};

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	bh_judge_status_file(desk->judge, &file, desk->now_ms);
	wait_ms(desk, 0);
	expect(desk, "working", "working");
	file = (struct bh_status_file){.status = "waiting", .waiting_for = "dialog open"};
	bh_judge_status_file(desk->judge, &file, desk->now_ms);
	wait_ms(desk, 0);
	expect(desk, "awaiting", "dialog");
	file = (struct bh_status_file){.status = "idle"};
	bh_judge_status_file(desk->judge, &file, desk->now_ms);
	wait_ms(desk, 1400);
	assert_false(desk->verdict.is_typable);
	wait_ms(desk, 200);
	expect(desk, "idle", "");
	file = (struct bh_status_file){.status = "busy"};
	bh_judge_status_file(desk->judge, &file, desk->now_ms);
	bh_judge_status_file(desk->judge, NULL, desk->now_ms);
	wait_ms(desk, 2000);
	expect(desk, "idle", "");
}

static void hooks_are_believed_for_a_while(void **state)
{
	struct desk *desk = *state;
	cJSON *subagent = cJSON_Parse("{\"agent_id\":\"x\"}");

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	bh_judge_hook(desk->judge, "PermissionRequest", subagent, desk->now_ms);
	bh_judge_hook(desk->judge, "NeverHeardOf", NULL, desk->now_ms);
	wait_ms(desk, 0);
	expect(desk, "idle", "");
	bh_judge_hook(desk->judge, "UserPromptSubmit", NULL, desk->now_ms);
	wait_ms(desk, 2500);
	expect(desk, "working", "working");
	// Esc has no hook: after a while the screen alone decides.
	wait_ms(desk, 2500);
	expect(desk, "idle", "");
	bh_judge_hook(desk->judge, "StopFailure", NULL, desk->now_ms);
	wait_ms(desk, 0);
	assert_int_equal(desk->verdict.last_turn, BH_TURN_ERROR);
	cJSON_Delete(subagent);
}

static void background_tasks_are_counted(void **state)
{
	struct desk *desk = *state;

	// "1 shell still running"
	shows(desk, IDLE "\x1b]7501;state=working:app=claude-code:msg="
	                 "MSBzaGVsbCBzdGlsbCBydW5uaW5n\x07");
	wait_ms(desk, 2000);
	expect(desk, "idle", "");
	assert_int_equal(desk->verdict.background, 1);
}

// What another program prints about itself is nothing to us.
static void reports_of_others_are_ignored(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE "\x1b]7501;state=working:app=codex\x07");
	wait_ms(desk, 2000);
	expect(desk, "idle", "");
}

static void vim_mode_is_remembered(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE
	      "\x1b[9;1H\x1b[2K  -- INSERT -- ⏵⏵ auto mode on (shift+tab to cycle)\x1b[7;3H");
	wait_ms(desk, 2000);
	expect(desk, "idle", "");
	shows(desk, IDLE);
	wait_ms(desk, 2000);
	assert_string_equal(desk->verdict.reason, "dialog");
}

static void silence_is_unknown(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	shows(desk, "\x1b[2J");
	expect(desk, "idle", "unknown_state");
	wait_ms(desk, 2100);
	expect(desk, "unknown", "unknown_state");
}

static void after_a_sleep_old_events_are_forgotten(void **state)
{
	struct desk *desk = *state;
	struct bh_status_file file = {.status = "busy"};

	shows(desk, IDLE);
	wait_ms(desk, 2000);
	bh_judge_status_file(desk->judge, &file, desk->now_ms);
	bh_judge_input(desk->judge, BH_INPUT_PERSON_TEXT, desk->now_ms);
	bh_judge_forget_events(desk->judge, desk->now_ms);
	wait_ms(desk, 3100);
	expect(desk, "idle", "");
}

static void it_explains_itself(void **state)
{
	struct desk *desk = *state;
	cJSON *out;
	const char *text;

	shows(desk, BUSY);
	out = bh_judge_explain(desk->judge, desk->screen, desk->now_ms);
	text = cJSON_GetObjectItem(out, "text")->valuestring;
	assert_non_null(strstr(text, "spinner"));
	assert_non_null(strstr(text, "not typable: working"));
	assert_string_equal(cJSON_GetObjectItem(out, "state")->valuestring, "working");
	assert_string_equal(cJSON_GetObjectItem(out, "authority")->valuestring, "screen");
	assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(out, "rules")) >= 1);
	assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(out, "missing")) >= 1);
	cJSON_Delete(out);
	shows(desk, IDLE);
	wait_ms(desk, 2000);
	out = bh_judge_explain(desk->judge, desk->screen, desk->now_ms);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(out, "typable")));
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(out, "missing")), 0);
	cJSON_Delete(out);
}

static void the_banner_tells_the_version(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	assert_string_equal(bh_judge_version(desk->judge), "");
	assert_true(bh_judge_is_supported(desk->judge));
	shows(desk, "\x1b[1;1H ▐▛███▛█   Claude Code v2.1.340");
	assert_string_equal(bh_judge_version(desk->judge), "2.1.340");
	assert_true(bh_judge_is_supported(desk->judge));
	// It scrolled away.
	shows(desk, IDLE);
	assert_string_equal(bh_judge_version(desk->judge), "2.1.340");
}

static void another_version_is_told(void **state)
{
	struct desk *desk = *state;
	cJSON *out;

	shows(desk, IDLE "\x1b[1;1HClaude Code v7.0");
	assert_false(bh_judge_is_supported(desk->judge));
	out = bh_judge_explain(desk->judge, desk->screen, desk->now_ms);
	assert_non_null(
		strstr(cJSON_GetObjectItem(out, "text")->valuestring, "7.0: the profile's"));
	cJSON_Delete(out);
}

static void words_are_parsed_back(void **state)
{
	(void)state;
	for (int i = 0; i < BH_STATE_COUNT; i++) {
		enum bh_state parsed;

		assert_true(bh_state_parse(bh_state_word((enum bh_state)i), &parsed));
		assert_int_equal(parsed, i);
	}
	assert_false(bh_state_parse("asleep", &(enum bh_state){0}));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

static void one_that_only_watches_says_all_but_typable(void **state)
{
	struct desk *desk = *state;
	cJSON *told = NULL;

	bh_judge_free(desk->judge);
	bh_screen_feed(desk->screen, SAYS("working"), strlen(SAYS("working")), desk->now_ms);
	desk->now_ms += 100;
	desk->judge = bh_judge_new_watching(bh_profiles_find(desk->set, "claude"), desk->now_ms,
	                                    desk->now_ms - 50);
	// What was said before was another agent's.
	shows(desk, IDLE);
	wait_ms(desk, 5000);
	expect(desk, "idle", "typing_off");
	assert_false(desk->verdict.is_typable);
	assert_false(desk->verdict.is_only_hands);
	shows(desk, BUSY);
	expect(desk, "working", "typing_off");
	shows(desk, ASKS);
	expect(desk, "awaiting", "typing_off");
	shows(desk, IDLE SAYS("done"));
	wait_ms(desk, 5000);
	expect(desk, "completed", "typing_off");
	types(desk, "x");
	assert_false(desk->verdict.is_typable);
	told = bh_judge_explain(desk->judge, desk->screen, desk->now_ms);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(told, "watched")));
	assert_non_null(strstr(cJSON_GetStringValue(cJSON_GetObjectItem(told, "text")),
	                       "typed into a shell"));
	cJSON_Delete(told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(idle_needs_time),
		CASE(one_that_only_watches_says_all_but_typable),
		CASE(its_own_word_helps),
		CASE(an_early_word_is_not_believed),
		CASE(an_early_word_counts_after_a_while),
		CASE(its_word_is_not_early_for_ever),
		CASE(a_turn_runs_and_ends),
		CASE(old_words_do_not_count_after_enter),
		CASE(an_enter_without_effect_ends_after_five_seconds),
		CASE(a_draft_that_stands_was_not_submitted),
		CASE(an_error_is_told),
		CASE(esc_interrupts),
		CASE(a_dialog_awaits_and_lingers),
		CASE(keys_that_are_not_shown_are_a_draft),
		CASE(shown_keys_are_a_draft_until_cleared),
		CASE(answers_of_a_terminal_are_no_keys),
		CASE(the_kernel_has_a_word),
		CASE(a_resize_is_unstable),
		CASE(without_bracketed_paste_nothing_is_typed),
		CASE(a_half_drawn_screen_is_not_judged),
		CASE(the_status_file_vetoes_and_holds),
		CASE(hooks_are_believed_for_a_while),
		CASE(background_tasks_are_counted),
		CASE(reports_of_others_are_ignored),
		CASE(vim_mode_is_remembered),
		CASE(silence_is_unknown),
		CASE(after_a_sleep_old_events_are_forgotten),
		CASE(it_explains_itself),
		CASE(the_banner_tells_the_version),
		CASE(another_version_is_told),
		cmocka_unit_test(words_are_parsed_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
