#include "src/demo/demo_view.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* An agent and its view, and the bytes of the last frame. */
struct fixture {
	struct bh_demo_agent agent;
	struct bh_demo_view view;
	struct bh_buf out;
};

static void fixture_init(struct fixture *fixture, int cols, int rows)
{
	*fixture = (struct fixture){0};
	bh_demo_agent_init(&fixture->agent, &(struct bh_demo_settings){0}, 0);
	bh_demo_view_resize(&fixture->view, cols, rows);
	bh_demo_view_draw(&fixture->view, &fixture->agent, 0, &fixture->out);
}

static void fixture_clear(struct fixture *fixture)
{
	bh_demo_agent_clear(&fixture->agent);
	bh_demo_view_clear(&fixture->view);
	bh_buf_clear(&fixture->out);
}

static void draw(struct fixture *fixture, uint64_t now_ms)
{
	bh_buf_clear(&fixture->out);
	bh_demo_view_draw(&fixture->view, &fixture->agent, now_ms, &fixture->out);
}

static void submit(struct fixture *fixture, const char *text)
{
	struct bh_demo_event paste = {.key = BH_DEMO_KEY_PASTE, .text = bh_span_of(text)};
	struct bh_demo_event enter = {.key = BH_DEMO_KEY_ENTER};

	bh_demo_agent_key(&fixture->agent, &paste, 0);
	bh_demo_agent_key(&fixture->agent, &enter, 0);
}

static void test_draws_an_empty_composer(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 80, 24);
	assert_string_equal(f.view.shown[21], "\033[1m>\033[0m \033[2mType a message\033[0m");
	assert_non_null(strstr(f.view.shown[20], "────"));
	assert_non_null(strstr(f.view.shown[22], "────"));
	assert_string_equal(f.view.shown[19], "");
	assert_non_null(strstr(f.out.data, "\033[22;3H\033[?25h\033[?2026l"));
	assert_non_null(strstr(f.out.data, "\033]0;✳ demo agent\a"));
	fixture_clear(&f);
}

static void test_sends_only_changed_rows(void **state)
{
	struct fixture f;
	struct bh_demo_event key = {.key = BH_DEMO_KEY_TEXT, .text = {.data = "x", .len = 1}};

	(void)state;
	fixture_init(&f, 80, 24);
	bh_demo_agent_key(&f.agent, &key, 0);
	draw(&f, 1);
	assert_non_null(strstr(f.out.data, "\033[22;1H"));
	assert_null(strstr(f.out.data, "\033[1;1H"));
	assert_null(strstr(f.out.data, "\033[24;1H"));
	fixture_clear(&f);
}

static void test_shows_work_and_dialog(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 80, 24);
	submit(&f, "DEMO:work 1 DEMO:ask rm x");
	draw(&f, 500);
	assert_non_null(strstr(f.view.shown[19], " Working… (0s · esc to interrupt)"));
	assert_string_equal(f.view.shown[23], "\033[2m  esc to interrupt\033[0m");
	bh_demo_agent_tick(&f.agent, 1000);
	draw(&f, 1000);
	assert_string_equal(f.view.shown[20], " ❯ 1. Yes");
	assert_string_equal(f.view.shown[21], "   2. No");
	assert_null(strstr(f.out.data, "\033[?25h"));
	assert_non_null(strstr(f.out.data, "\033]0;! demo agent\a"));
	fixture_clear(&f);
}

static void test_survives_any_size(void **state)
{
	(void)state;
	for (int rows = -1; rows < 30; rows++) {
		struct fixture f;

		fixture_init(&f, rows, rows);
		submit(&f, "漢字 long text\n2\n3\n4 DEMO:ask 漢字");
		draw(&f, 1);
		bh_demo_view_resize(&f.view, 200, rows);
		draw(&f, 2);
		fixture_clear(&f);
	}
}

static void test_keeps_the_end_of_a_long_transcript(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 40, 12);
	for (int i = 0; i < 8; i++) {
		submit(&f, "DEMO:say one");
	}
	submit(&f, "DEMO:say the last");
	draw(&f, 1);
	assert_string_equal(f.view.shown[6], "● the last\033[0m");
	fixture_clear(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_draws_an_empty_composer),
		cmocka_unit_test(test_sends_only_changed_rows),
		cmocka_unit_test(test_shows_work_and_dialog),
		cmocka_unit_test(test_survives_any_size),
		cmocka_unit_test(test_keeps_the_end_of_a_long_transcript),
	};

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
