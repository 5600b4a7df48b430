#include "src/ui/sidebar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 26,
	ROWS = 6
};

static struct bh_model_terminal agents[] = {
	{.id = "a", .identity = "docs", .profile = "claude", .state = "idle"},
	{.id = "b", .identity = "shell", .profile = "generic", .state = "working"},
	{.id = "c",
         .identity = "coder",
         .profile = "codex",
         .state = "working",
         .state_at_ms = 1000},
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

static void agents_stand_in_order_of_need(void **state)
{
	static const char *const wanted[ROWS] = {
		" agents                  │", " ! a-reviewer-w awaiting │",
		" ✓ tester   ✉2! done     │", " * coder        1:05     │",
		" · docs         idle     │", " mail  2 unread          │",
	};
	struct bh_draw_settings settings = {.cols = COLS, .rows = ROWS};
	struct bh_screen_settings outer_settings = {.cols = COLS, .rows = ROWS};
	struct bh_draw *draw = bh_draw_new(&settings);
	struct bh_screen *outer = bh_screen_new(&outer_settings);
	struct bh_buf out = {0};

	(void)state;
	bh_sidebar_draw(draw, (struct bh_draw_rect){0, 0, ROWS, COLS}, &model, 66000);
	bh_draw_flush(draw, &out);
	bh_screen_feed(outer, out.data, out.len, 1);
	for (int i = 0; i < ROWS; i++) {
		char text[COLS * 4 + 1];

		(void)bh_screen_row_text(outer, i, text, sizeof(text));
		assert_string_equal(text, wanted[i]);
	}
	bh_buf_clear(&out);
	bh_screen_free(outer);
	bh_draw_free(draw);
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
		cmocka_unit_test(only_a_working_agent_makes_it_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
