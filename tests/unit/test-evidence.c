// Each witness by itself: what the judge's memory and the screen are turned into.
#include "src/agent/evidence.h"

#include "src/agent/profile.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RULE "────────────────────────────────────────────────────────────"
#define IDLE \
	"\x1b[?2004h\x1b[2J\x1b[6;1H" RULE "\x1b[7;1H❯\u00a0\x1b[8;1H" RULE \
	"\x1b[9;1H  ⏵⏵ auto mode on (shift+tab to cycle)\x1b[7;3H"
#define SAYS(state) "\x1b]7501;state=" state ":app=claude-code\x07"

/** A judge of Claude Code, its screen, a clock, and what was collected last. */
struct desk {
	struct bh_profiles *set;
	struct bh_screen *screen;
	struct bh_judge *judge;
	struct bh_case facts;
	uint64_t now_ms;
};

static int desk_open(void **state)
{
	struct bh_screen_settings settings = {.cols = 60, .rows = 10};
	struct desk *desk = bh_xmalloc(sizeof *desk);

	desk->set = bh_profiles_load(NULL, NULL, NULL);
	desk->screen = bh_screen_new(&settings);
	desk->now_ms = 100000;
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

static void collect(struct desk *desk, uint64_t after_ms)
{
	desk->now_ms += after_ms;
	bh_judge_collect(desk->judge, desk->screen, desk->now_ms, &desk->facts);
}

static void shows(struct desk *desk, const char *bytes)
{
	bh_screen_feed(desk->screen, bytes, strlen(bytes), desk->now_ms);
	bh_judge_output(desk->judge, desk->screen, desk->now_ms);
	collect(desk, 0);
}

/** The evidence of that name; NULL: there is none. */
static const struct bh_evidence *named(const struct desk *desk, const char *name)
{
	for (size_t i = 0; i < desk->facts.count; i++) {
		if (strcmp(desk->facts.list[i].name, name) == 0) {
			return &desk->facts.list[i];
		}
	}
	return NULL;
}

#define expect_says(desk, name, mark) \
	do { \
		assert_non_null(named(desk, name)); \
		assert_int_equal(named(desk, name)->says, mark); \
	} while (0)

static void an_empty_screen_has_no_witness(void **state)
{
	struct desk *desk = *state;

	collect(desk, 0);
	assert_int_equal(desk->facts.count, 0);
	assert_int_equal(desk->facts.composer, BH_COMPOSER_NONE);
	assert_int_equal(desk->facts.now_ms, desk->now_ms);
	assert_true(desk->facts.may_type);
	// Silence has a beginning, and an end.
	assert_int_equal(desk->facts.silent_since_ms, desk->now_ms);
	collect(desk, 700);
	assert_int_equal(desk->facts.silent_since_ms, desk->now_ms - 700);
	shows(desk, IDLE);
	assert_int_equal(desk->facts.silent_since_ms, 0);
}

static void the_composer_is_a_witness_of_the_screen(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	expect_says(desk, "composer", BH_MARK_IDLE);
	assert_int_equal(named(desk, "composer")->source, BH_SOURCE_SCREEN);
	assert_string_equal(named(desk, "composer")->detail, "empty row -4");
	assert_int_equal(desk->facts.composer, BH_COMPOSER_EMPTY);
	assert_null(named(desk, "mode 2004"));
	shows(desk, "\x1b[?2004l");
	expect_says(desk, "mode 2004", BH_MARK_STARTING);
	desk->judge->was_ready = true;
	collect(desk, 0);
	expect_says(desk, "mode 2004", BH_MARK_VETO);
}

static void the_screen_is_read_again_after_output_only(void **state)
{
	struct desk *desk = *state;

	collect(desk, 0);
	bh_screen_feed(desk->screen, IDLE, strlen(IDLE), desk->now_ms);
	collect(desk, 10);
	assert_null(named(desk, "composer"));
	bh_judge_output(desk->judge, desk->screen, desk->now_ms);
	collect(desk, 10);
	assert_non_null(named(desk, "composer"));
}

static void reports_count_for_the_program_that_they_name(void **state)
{
	static const struct {
		const char *bytes;
		enum bh_mark says;
	} rows[] = {
		{SAYS("working"), BH_MARK_WORKING}, {SAYS("blocked"), BH_MARK_AWAITING},
		{SAYS("done"), BH_MARK_IDLE},       {SAYS("error"), BH_MARK_IDLE},
		{SAYS("idle"), BH_MARK_IDLE},
	};
	struct desk *desk = *state;

	shows(desk, "\x1b]7501;state=working:app=other\x07");
	assert_null(named(desk, "osc7501"));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		desk->now_ms += 10;
		shows(desk, rows[i].bytes);
		expect_says(desk, "osc7501", rows[i].says);
		assert_int_equal(named(desk, "osc7501")->source, BH_SOURCE_PROGRAM);
		assert_int_equal(named(desk, "osc7501")->since_ms, desk->now_ms);
	}
}

static void reports_tell_how_the_turn_ended(void **state)
{
	struct desk *desk = *state;

	shows(desk, SAYS("working"));
	assert_int_equal(desk->facts.last_turn, BH_TURN_NONE);
	desk->now_ms += 10;
	shows(desk, SAYS("error"));
	assert_int_equal(desk->facts.last_turn, BH_TURN_ERROR);
	desk->now_ms += 10;
	shows(desk, SAYS("done"));
	assert_int_equal(desk->facts.last_turn, BH_TURN_DONE);
	desk->now_ms += 10;
	shows(desk, SAYS("working"));
	assert_int_equal(desk->facts.last_turn, BH_TURN_NONE);
}

static void a_background_shell_is_counted_and_runs_on(void **state)
{
	struct desk *desk = *state;

	// Base64 of "2 shells still running".
	shows(desk, "\x1b]7501;state=working:app=claude-code:"
	            "msg=MiBzaGVsbHMgc3RpbGwgcnVubmluZw==\x07");
	expect_says(desk, "osc7501", BH_MARK_NONE);
	assert_int_equal(desk->facts.background, 1);
}

static void the_status_file_must_be_fresh_and_hold(void **state)
{
	struct desk *desk = *state;
	struct bh_status_file busy = {.status = "busy"};
	struct bh_status_file idle = {.status = "idle"};
	struct bh_status_file asks = {.status = "waiting", .waiting_for = "dialog open"};

	bh_judge_status_file(desk->judge, &busy, desk->now_ms);
	collect(desk, 10);
	expect_says(desk, "status file", BH_MARK_WORKING);
	bh_judge_status_file(desk->judge, &asks, desk->now_ms);
	collect(desk, 10);
	expect_says(desk, "status file", BH_MARK_DIALOG);
	bh_judge_status_file(desk->judge, &idle, desk->now_ms);
	collect(desk, 1499);
	expect_says(desk, "status file", BH_MARK_NONE);
	assert_int_equal(named(desk, "status file")->gate, BH_GATE_HOLD);
	assert_int_equal(named(desk, "status file")->until_ms, desk->now_ms + 1);
	collect(desk, 1);
	expect_says(desk, "status file", BH_MARK_IDLE);
	assert_int_equal(named(desk, "status file")->gate, BH_GATE_NONE);
	collect(desk, BH_FILE_STALE_MS);
	assert_null(named(desk, "status file"));
}

static void a_hook_counts_for_a_moment(void **state)
{
	struct desk *desk = *state;

	bh_judge_hook(desk->judge, "PermissionRequest", NULL, desk->now_ms);
	collect(desk, BH_HOOK_MS - 1);
	expect_says(desk, "hook", BH_MARK_AWAITING);
	assert_string_equal(named(desk, "hook")->detail, "PermissionRequest");
	// What the program reported later is newer.
	shows(desk, SAYS("working"));
	expect_says(desk, "hook", BH_MARK_NONE);
	collect(desk, 1);
	assert_null(named(desk, "hook"));
}

static void progress_is_work(void **state)
{
	struct desk *desk = *state;

	shows(desk, "\x1b]9;4;3\x07");
	expect_says(desk, "progress", BH_MARK_WORKING);
	assert_int_equal(named(desk, "progress")->source, BH_SOURCE_PROTOCOL);
	shows(desk, "\x1b]9;4;0\x07");
	assert_null(named(desk, "progress"));
}

static void the_tty_shuts_gates(void **state)
{
	struct desk *desk = *state;
	struct bh_tty_facts tty = {.is_canonical = true, .is_foreground_ours = true};

	bh_judge_tty(desk->judge, &tty, desk->now_ms);
	collect(desk, 10);
	assert_int_equal(named(desk, "tty")->gate, BH_GATE_LINE_MODE);
	tty = (struct bh_tty_facts){.is_foreground_ours = false};
	bh_judge_tty(desk->judge, &tty, desk->now_ms);
	collect(desk, 10);
	assert_int_equal(named(desk, "tty")->gate, BH_GATE_NOT_FOREGROUND);
	assert_int_equal(named(desk, "tty")->source, BH_SOURCE_KERNEL);
	tty.is_foreground_ours = true;
	bh_judge_tty(desk->judge, &tty, desk->now_ms);
	collect(desk, 10);
	assert_null(named(desk, "tty"));
}

static void an_enter_may_have_started_a_turn(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	bh_judge_input(desk->judge, BH_INPUT_TYPIST_CR, desk->now_ms);
	collect(desk, 4999);
	expect_says(desk, "Enter", BH_MARK_WORKING);
	assert_int_equal(named(desk, "Enter")->until_ms, desk->now_ms + 1);
	collect(desk, 1);
	assert_null(named(desk, "Enter"));
	// A sign of work that came since takes its place.
	bh_judge_input(desk->judge, BH_INPUT_TYPIST_CR, desk->now_ms);
	desk->now_ms += 10;
	shows(desk, SAYS("working"));
	assert_null(named(desk, "Enter"));
	assert_false(desk->judge->is_epoch_open);
}

static void idle_must_hold_without_a_change(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	collect(desk, 999);
	assert_int_equal(named(desk, "steady")->gate, BH_GATE_HOLD);
	// Text in the composer is another picture: the time begins anew.
	shows(desk, IDLE "x\x1b[7;4H");
	collect(desk, 999);
	assert_int_equal(named(desk, "steady")->gate, BH_GATE_HOLD);
	collect(desk, 1);
	assert_int_equal(named(desk, "steady")->gate, BH_GATE_NONE);
	expect_says(desk, "steady", BH_MARK_IDLE);
	bh_judge_input(desk->judge, BH_INPUT_RESIZE, desk->now_ms);
	collect(desk, 499);
	assert_int_equal(named(desk, "steady")->gate, BH_GATE_HOLD);
	collect(desk, 1);
	assert_int_equal(named(desk, "steady")->gate, BH_GATE_NONE);
}

static void keys_of_a_person_shut_gates_for_a_while(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	bh_judge_person(desk->judge, "x", 1, desk->now_ms);
	collect(desk, BH_HANDS_MS - 1);
	assert_int_equal(named(desk, "keys")->gate, BH_GATE_DRAFT);
	assert_int_equal(desk->facts.list[desk->facts.count - 1].gate, BH_GATE_HANDS);
	collect(desk, 1);
	assert_int_equal(desk->facts.list[desk->facts.count - 1].gate, BH_GATE_DRAFT);
	collect(desk, BH_PENDING_KEYS_MS - BH_HANDS_MS);
	assert_null(named(desk, "keys"));
	// Shown as a draft they are the composer's, not the keys'.
	bh_judge_person(desk->judge, "x", 1, desk->now_ms);
	shows(desk, IDLE "x\x1b[7;4H");
	collect(desk, BH_HANDS_MS);
	assert_null(named(desk, "keys"));
	assert_int_equal(desk->facts.composer, BH_COMPOSER_DRAFT);
}

static void the_banner_tells_the_version_once(void **state)
{
	struct desk *desk = *state;

	shows(desk, "\x1b[HClaude Code v2.1.7\r\n");
	assert_string_equal(desk->judge->version, "2.1.7");
	shows(desk, "\x1b[2J\x1b[HClaude Code v3.0\r\n");
	assert_string_equal(desk->judge->version, "2.1.7");
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		desk_test(an_empty_screen_has_no_witness),
		desk_test(the_composer_is_a_witness_of_the_screen),
		desk_test(the_screen_is_read_again_after_output_only),
		desk_test(reports_count_for_the_program_that_they_name),
		desk_test(reports_tell_how_the_turn_ended),
		desk_test(a_background_shell_is_counted_and_runs_on),
		desk_test(the_status_file_must_be_fresh_and_hold),
		desk_test(a_hook_counts_for_a_moment),
		desk_test(progress_is_work),
		desk_test(the_tty_shuts_gates),
		desk_test(an_enter_may_have_started_a_turn),
		desk_test(idle_must_hold_without_a_change),
		desk_test(keys_of_a_person_shut_gates_for_a_while),
		desk_test(the_banner_tells_the_version_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
