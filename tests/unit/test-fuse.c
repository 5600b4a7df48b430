// Fusion as a table: evidence in, state and first shut gate out.
#include "src/agent/fuse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/** One witness of a row. */
struct witness {
	enum bh_source source;
	enum bh_mark says;
	enum bh_gate gate;
};

#define W(source, says) \
	{ \
		BH_SOURCE_##source, BH_MARK_##says, BH_GATE_NONE \
	}
#define G(gate) \
	{ \
		BH_SOURCE_TIME, BH_MARK_NONE, BH_GATE_##gate \
	}

static const struct {
	const char *title;
	struct witness list[4];
	enum bh_composer composer;
	enum bh_state before;
	enum bh_state state;
	enum bh_source authority;
	const char *reason;
} rows[] = {
	{"a proved, steady, empty composer is idle",
         {W(SCREEN, IDLE)},
         BH_COMPOSER_EMPTY,
         BH_STATE_WORKING,
         BH_STATE_IDLE,
         BH_SOURCE_SCREEN,
         NULL},
	{"with text in it too, but not typable",
         {W(SCREEN, IDLE)},
         BH_COMPOSER_DRAFT,
         BH_STATE_IDLE,
         BH_STATE_IDLE,
         BH_SOURCE_SCREEN,
         "draft"},
	{"nor when nobody can tell",
         {W(SCREEN, IDLE)},
         BH_COMPOSER_UNKNOWN,
         BH_STATE_IDLE,
         BH_STATE_IDLE,
         BH_SOURCE_SCREEN,
         "draft"},
	{"the program's idle alone proves nothing",
         {W(PROGRAM, IDLE)},
         BH_COMPOSER_NONE,
         BH_STATE_STARTING,
         BH_STATE_STARTING,
         BH_SOURCE_TIME,
         "starting"},
	{"the program's working vetoes an idle screen",
         {W(SCREEN, IDLE), W(PROGRAM, WORKING)},
         BH_COMPOSER_EMPTY,
         BH_STATE_IDLE,
         BH_STATE_WORKING,
         BH_SOURCE_PROGRAM,
         "working"},
	{"so does a spinner against the program's idle",
         {W(PROGRAM, IDLE), W(SCREEN, WORKING)},
         BH_COMPOSER_EMPTY,
         BH_STATE_IDLE,
         BH_STATE_WORKING,
         BH_SOURCE_SCREEN,
         "working"},
	{"a question wins over work",
         {W(PROGRAM, WORKING), W(SCREEN, AWAITING)},
         BH_COMPOSER_NONE,
         BH_STATE_WORKING,
         BH_STATE_AWAITING,
         BH_SOURCE_SCREEN,
         "awaiting"},
	{"a menu is awaiting, its reason dialog",
         {W(PROGRAM, IDLE), W(SCREEN, DIALOG)},
         BH_COMPOSER_NONE,
         BH_STATE_IDLE,
         BH_STATE_AWAITING,
         BH_SOURCE_SCREEN,
         "dialog"},
	{"a pager over a running turn: it works",
         {W(SCREEN, DIALOG), W(PROGRAM, WORKING)},
         BH_COMPOSER_NONE,
         BH_STATE_WORKING,
         BH_STATE_WORKING,
         BH_SOURCE_PROGRAM,
         "working"},
	{"a veto is unknown",
         {W(SCREEN, IDLE), W(SCREEN, VETO)},
         BH_COMPOSER_EMPTY,
         BH_STATE_IDLE,
         BH_STATE_UNKNOWN,
         BH_SOURCE_SCREEN,
         "unknown_state"},
	{"not steady yet after work: still working",
         {W(SCREEN, IDLE), G(HOLD)},
         BH_COMPOSER_EMPTY,
         BH_STATE_WORKING,
         BH_STATE_WORKING,
         BH_SOURCE_TIME,
         "working"},
	{"not steady yet after a dialog: something may go on",
         {W(SCREEN, IDLE), G(HOLD)},
         BH_COMPOSER_EMPTY,
         BH_STATE_AWAITING,
         BH_STATE_WORKING,
         BH_SOURCE_TIME,
         "working"},
	{"not steady yet while idle: idle, not typable",
         {W(SCREEN, IDLE), G(HOLD)},
         BH_COMPOSER_EMPTY,
         BH_STATE_IDLE,
         BH_STATE_IDLE,
         BH_SOURCE_TIME,
         "unknown_state"},
	{"line mode",
         {W(SCREEN, IDLE), G(LINE_MODE), G(HANDS)},
         BH_COMPOSER_EMPTY,
         BH_STATE_IDLE,
         BH_STATE_IDLE,
         BH_SOURCE_SCREEN,
         "line_mode"},
	{"another program in the foreground",
         {W(SCREEN, IDLE), G(NOT_FOREGROUND)},
         BH_COMPOSER_EMPTY,
         BH_STATE_IDLE,
         BH_STATE_IDLE,
         BH_SOURCE_SCREEN,
         "not_foreground"},
	{"keys that are not shown yet are a draft",
         {W(SCREEN, IDLE), G(DRAFT), G(HANDS)},
         BH_COMPOSER_EMPTY,
         BH_STATE_IDLE,
         BH_STATE_IDLE,
         BH_SOURCE_SCREEN,
         "draft"},
	{"a person's hands",
         {W(SCREEN, IDLE), G(HANDS)},
         BH_COMPOSER_EMPTY,
         BH_STATE_IDLE,
         BH_STATE_IDLE,
         BH_SOURCE_SCREEN,
         "human_typing"},
};

static struct bh_case row_case(size_t row)
{
	struct bh_case facts = {
		.composer = rows[row].composer,
		.before = rows[row].before,
		.was_ready = rows[row].before != BH_STATE_STARTING,
		.may_type = true,
		.now_ms = 1000,
	};

	for (size_t i = 0; i < 4 && rows[row].list[i].source != BH_SOURCE_NONE; i++) {
		struct bh_evidence *evidence = bh_case_add(&facts, rows[row].list[i].source,
		                                           rows[row].list[i].says, "x", NULL);

		evidence->gate = rows[row].list[i].gate;
	}
	return facts;
}

static void rows_hold(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct bh_case facts = row_case(i);
		struct bh_verdict verdict;

		bh_fuse(&facts, &verdict);
		if (verdict.state != rows[i].state || verdict.authority != rows[i].authority) {
			fail_msg("%s: %s by %s", rows[i].title, bh_state_word(verdict.state),
			         bh_source_word(verdict.authority));
		}
		if (!rows[i].reason != verdict.is_typable) {
			fail_msg("%s: typable is wrong", rows[i].title);
		}
		assert_true(verdict.why_count > 0); // each verdict says why
		assert_string_equal(verdict.reason ? verdict.reason : "",
		                    rows[i].reason ? rows[i].reason : "");
		// Whatever else is known: without leave of the profile nothing is typable, and a
		// program that is gone is gone.
		facts.may_type = false;
		bh_fuse(&facts, &verdict);
		assert_string_equal(verdict.reason, "typing_off");
		facts.has_exited = true;
		bh_fuse(&facts, &verdict);
		assert_int_equal(verdict.state, BH_STATE_EXITED);
		assert_string_equal(verdict.reason, "no_terminal");
	}
}

// No evidence, however combined, makes a moment typable unless the composer is empty and nothing
// speaks against it.
static void only_positive_proof_is_typable(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 1U << 12; bits++) {
		struct bh_case facts = {.may_type = true, .now_ms = 10, .was_ready = true};
		struct bh_verdict verdict;
		bool is_clean = true;

		facts.composer = (enum bh_composer)(bits & 3);
		facts.before = (enum bh_state)((bits >> 2 & 3) + 1);
		for (int mark = BH_MARK_WORKING; mark <= BH_MARK_VETO; mark++) {
			if (bits >> (4 + mark - BH_MARK_WORKING) & 1) {
				(void)bh_case_add(&facts, BH_SOURCE_SCREEN, (enum bh_mark)mark, "x",
				                  NULL);
				is_clean = false;
			}
		}
		if (bits >> 9 & 7) {
			bh_case_add(&facts, BH_SOURCE_TIME, BH_MARK_IDLE, "x", NULL)->gate =
				(enum bh_gate)((bits >> 9 & 7) > 5 ? 5 : bits >> 9 & 7);
			is_clean = false;
		}
		bh_fuse(&facts, &verdict);
		assert_int_equal(verdict.is_typable,
		                 is_clean && facts.composer == BH_COMPOSER_EMPTY);
		assert_int_equal(verdict.is_typable, verdict.reason == NULL);
	}
}

static void silence_becomes_unknown(void **state)
{
	struct bh_case facts = {.may_type = true,
	                        .composer = BH_COMPOSER_NONE,
	                        .before = BH_STATE_WORKING,
	                        .was_ready = true,
	                        .silent_since_ms = 1000,
	                        .now_ms = 1500};
	struct bh_verdict verdict;

	(void)state;
	bh_fuse(&facts, &verdict);
	assert_int_equal(verdict.state, BH_STATE_WORKING);
	assert_int_equal(verdict.reevaluate_at_ms, 1000 + BH_FUSE_SILENCE_MS);
	facts.now_ms = verdict.reevaluate_at_ms;
	bh_fuse(&facts, &verdict);
	assert_int_equal(verdict.state, BH_STATE_UNKNOWN);
	assert_int_equal(verdict.reevaluate_at_ms, 0);
}

// Nothing will ever prove that a shell has started.
static void only_what_has_a_composer_is_starting_for_long(void **state)
{
	struct bh_case facts = {.composer = BH_COMPOSER_NONE,
	                        .before = BH_STATE_STARTING,
	                        .silent_since_ms = 1000,
	                        .now_ms = 1500};
	struct bh_verdict verdict;

	(void)state;
	bh_fuse(&facts, &verdict);
	assert_int_equal(verdict.state, BH_STATE_STARTING);
	facts.now_ms = verdict.reevaluate_at_ms;
	bh_fuse(&facts, &verdict);
	assert_int_equal(verdict.state, BH_STATE_UNKNOWN);
	facts.knows_idle = true;
	bh_fuse(&facts, &verdict);
	assert_int_equal(verdict.state, BH_STATE_STARTING);
}

static void the_last_turn_makes_it_completed(void **state)
{
	struct bh_case facts = {.may_type = true,
	                        .composer = BH_COMPOSER_EMPTY,
	                        .before = BH_STATE_WORKING,
	                        .last_turn = BH_TURN_DONE,
	                        .background = 2,
	                        .now_ms = 5};
	struct bh_verdict verdict;

	(void)state;
	(void)bh_case_add(&facts, BH_SOURCE_SCREEN, BH_MARK_IDLE, "composer", "empty");
	bh_fuse(&facts, &verdict);
	assert_int_equal(verdict.state, BH_STATE_COMPLETED);
	assert_true(verdict.is_typable);
	assert_int_equal(verdict.background, 2);
	assert_string_equal(verdict.why[0], "composer empty");
	facts.last_turn = BH_TURN_ERROR;
	bh_fuse(&facts, &verdict);
	assert_int_equal(verdict.state, BH_STATE_IDLE);
	assert_int_equal(verdict.last_turn, BH_TURN_ERROR);
}

static void the_nearest_timer_is_told(void **state)
{
	struct bh_case facts = {.may_type = true, .composer = BH_COMPOSER_EMPTY, .now_ms = 100};
	struct bh_verdict verdict;

	(void)state;
	bh_case_add(&facts, BH_SOURCE_TIME, BH_MARK_NONE, "a", NULL)->until_ms = 900;
	bh_case_add(&facts, BH_SOURCE_TIME, BH_MARK_NONE, "b", NULL)->until_ms = 400;
	bh_case_add(&facts, BH_SOURCE_TIME, BH_MARK_NONE, "c", NULL)->until_ms = 50;
	bh_fuse(&facts, &verdict);
	assert_int_equal(verdict.reevaluate_at_ms, 400);
}

static void a_full_list_takes_no_more(void **state)
{
	struct bh_case facts = {0};

	(void)state;
	for (int i = 0; i < BH_EVIDENCE_MAX * 2; i++) {
		assert_non_null(bh_case_add(&facts, BH_SOURCE_SCREEN, BH_MARK_NONE, "x", "y"));
	}
	assert_int_equal(facts.count, BH_EVIDENCE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_hold),
		cmocka_unit_test(only_positive_proof_is_typable),
		cmocka_unit_test(silence_becomes_unknown),
		cmocka_unit_test(only_what_has_a_composer_is_starting_for_long),
		cmocka_unit_test(the_last_turn_makes_it_completed),
		cmocka_unit_test(the_nearest_timer_is_told),
		cmocka_unit_test(a_full_list_takes_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
