#include "src/ui/sidebar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 26
};

static struct bh_model_terminal agents[] = {
	{.id = "a", .identity = "docs", .profile = "claude", .state = "completed"},
	{.id = "b", .identity = "shell", .profile = "generic", .state = "working"},
	{.id = "c",
         .identity = "coder",
         .profile = "codex",
         .state = "working",
         .state_at_ms = 1000,
         .unread = 1},
	{.id = "d",
         .identity = "tester",
         .profile = "claude",
         .state = "idle",
         .is_done_unseen = true,
         .unread = 2,
         .is_parked = true},
	{.id = "e",
         .identity = "a-reviewer-with-a-long-name",
         .profile = "claude",
         .state = "awaiting"},
};

static const struct bh_model model = {.terminals = agents,
                                      .terminal_count = sizeof(agents) / sizeof(agents[0])};

/** Fail unless @rows rows are shown like this. */
static void expect(const struct bh_model *of, int scroll, int rows, const char *const *wanted)
{
	struct bh_draw_settings settings = {.cols = COLS, .rows = rows};
	struct bh_screen_settings outer_settings = {.cols = COLS, .rows = rows};
	struct bh_draw *draw = bh_draw_new(&settings);
	struct bh_screen *outer = bh_screen_new(&outer_settings);
	struct bh_buf out = {0};

	bh_sidebar_draw(
		draw, (struct bh_draw_rect){0, 0, rows, COLS},
		&(struct bh_sidebar){
			.model = of, .scroll = scroll, .start_keys = "C-b N", .now_ms = 66000});
	bh_draw_flush(draw, &out);
	bh_screen_feed(outer, out.data, out.len, 1);
	for (int i = 0; i < rows; i++) {
		char text[COLS * 4 + 1];

		(void)bh_screen_row_text(outer, i, text, sizeof(text));
		assert_string_equal(text, wanted[i]);
	}
	bh_buf_clear(&out);
	bh_screen_free(outer);
	bh_draw_free(draw);
}

static void agents_stand_in_order_of_need(void **state)
{
	static const char *const wanted[] = {
		" agents                  │", " ! a-revi…-name awaiting │",
		" ✓ tester           done │", "   ✉2 parked             │",
		" * coder ✉1         1:05 │", " · docs             idle │",
		" mail  3 unread          │",
	};

	(void)state;
	expect(&model, 0, 7, wanted);
}

static void mail_that_waits_says_for_what(void **state)
{
	struct bh_model_terminal waiting[] = {
		{.id = "a",
	         .identity = "docs",
	         .profile = "claude",
	         .state = "idle",
	         .unread = 3,
	         .queued = 3,
	         .mail_reason = "draft"},
		{.id = "b",
	         .identity = "x",
	         .profile = "claude",
	         .state = "idle",
	         .unread = 1,
	         .queued = 1},
	};
	struct bh_model_mailbox own = {.name = "operator", .unread = 2};
	struct bh_model mail = {
		.terminals = waiting, .terminal_count = 2, .mailboxes = &own, .mailbox_count = 1};
	static const char *const wanted[] = {
		" agents                  │", " · docs             idle │",
		"   ✉3 waits: draft       │", " · x                idle │",
		"   ✉1 queued             │", " ✉ 2 for you             │",
	};

	(void)state;
	expect(&mail, 0, 6, wanted);
}

static void without_agents_it_says_how_to_get_one(void **state)
{
	struct bh_model_terminal shell = {.id = "a", .identity = "sh", .profile = "generic"};
	struct bh_model none = {.terminals = &shell, .terminal_count = 1};
	static const char *const wanted[] = {
		" agents                  │",
		" C-b N starts one        │",
		"                         │",
		" no agents               │",
	};
	static const char *const little[] = {
		" agents                  │",
		" no agents               │",
	};

	(void)state;
	expect(&none, 0, 4, wanted);
	expect(&none, 0, 2, little);
}

static void a_long_list_is_scrolled(void **state)
{
	static const char *const first[] = {
		" agents                ↓3│",
		" ! a-revi…-name awaiting │",
		" ✓ tester           done │",
		" mail  3 unread          │",
	};
	static const char *const middle[] = {
		" agents            !↑1 ↓2│",
		" ✓ tester           done │",
		"   ✉2 parked             │",
		" mail  3 unread          │",
	};
	static const char *const last[] = {
		" agents               !↑3│",
		" * coder ✉1         1:05 │",
		" · docs             idle │",
		" mail  3 unread          │",
	};
	struct bh_draw_rect rect = {0, 0, 4, COLS};

	(void)state;
	expect(&model, 0, 4, first);
	expect(&model, 1, 4, middle);
	expect(&model, 99, 4, last);
	assert_int_equal(bh_sidebar_scroll_max(rect, &model), 3);
	assert_int_equal(bh_sidebar_scroll_max((struct bh_draw_rect){0, 0, 20, COLS}, &model), 0);
}

static void a_row_is_an_agents(void **state)
{
	struct bh_sidebar sidebar = {.model = &model, .scroll = 1};
	struct bh_draw_rect rect = {1, 0, 4, COLS};

	(void)state;
	assert_null(bh_sidebar_at(rect, &sidebar, 0));
	assert_null(bh_sidebar_at(rect, &sidebar, 1));
	assert_string_equal(bh_sidebar_at(rect, &sidebar, 2)->id, "d");
	assert_string_equal(bh_sidebar_at(rect, &sidebar, 3)->id, "d"); // its mail
	assert_null(bh_sidebar_at(rect, &sidebar, 4));
	assert_true(bh_sidebar_is_mail(rect, 4));
	assert_false(bh_sidebar_is_mail(rect, 3));
	rect.rows = 12;
	assert_null(bh_sidebar_at(rect, &sidebar, 9));
}

static void only_a_working_agent_makes_it_tick(void **state)
{
	struct bh_model quiet = {.terminals = agents, .terminal_count = 2};

	(void)state;
	assert_int_equal(bh_sidebar_due_ms(&quiet, 66000), 0);
	assert_int_equal(bh_sidebar_due_ms(&model, 66000), 67000);
	assert_int_equal(bh_sidebar_due_ms(&model, 66999), 67000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agents_stand_in_order_of_need),
		cmocka_unit_test(mail_that_waits_says_for_what),
		cmocka_unit_test(without_agents_it_says_how_to_get_one),
		cmocka_unit_test(a_long_list_is_scrolled),
		cmocka_unit_test(a_row_is_an_agents),
		cmocka_unit_test(only_a_working_agent_makes_it_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
