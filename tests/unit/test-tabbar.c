#include "src/ui/tabbar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 40,
	TABS = 6
};

/** A session with tabs of given names, the one at @active (from 0) active. */
struct bench {
	struct bh_model_tab tabs[TABS];
	struct bh_model model;
	struct bh_scene scene;
};

static void bench_make(struct bench *bench, size_t count, const char *const *names, size_t active)
{
	*bench = (struct bench){
		.scene = {.place = {.cols = COLS, .rows = 10, .top_rows = 1}, .session = "work"}};
	for (size_t i = 0; i < count; i++) {
		bench->tabs[i] = (struct bh_model_tab){
			.id = (int)i + 7, .index = (int)i + 1, .is_active = i == active};
		strcpy(bench->tabs[i].name, names[i]);
	}
	bench->model.tabs = bench->tabs;
	bench->model.tab_count = count;
	bench->scene.model = &bench->model;
}

static void expect_bar(const struct bench *bench, const char *wanted)
{
	struct bh_draw_settings settings = {.cols = COLS, .rows = 2};
	struct bh_screen_settings outer = {.cols = COLS, .rows = 2};
	struct bh_draw *draw = bh_draw_new(&settings);
	struct bh_screen *screen = bh_screen_new(&outer);
	struct bh_buf out = {0};
	char text[COLS * 4 + 1];

	bh_tabbar_draw(draw, &bench->scene);
	bh_draw_flush(draw, &out);
	bh_screen_feed(screen, out.data, out.len, 1);
	(void)bh_screen_row_text(screen, 0, text, sizeof(text));
	assert_string_equal(text, wanted);
	bh_buf_clear(&out);
	bh_draw_free(draw);
	bh_screen_free(screen);
}

static int index_at(const struct bench *bench, int col)
{
	const struct bh_model_tab *tab = bh_tabbar_at(&bench->scene, col);

	return tab == NULL ? 0 : tab->index;
}

static const char *const names[TABS] = {"one", "two", "three", "four", "five", "six"};

static void tabs_and_the_session_are_shown(void **state)
{
	struct bench bench;

	(void)state;
	bench_make(&bench, 2, names, 1);
	bench.tabs[0].is_last = true;
	bench.tabs[1].is_zoomed = true;
	expect_bar(&bench, " 1:one-  2:two*Z         bellhop · work");
	bench.scene.is_observing = true;
	expect_bar(&bench, " 1:one-  2:two*Z");
}

static void a_column_has_the_tab_that_is_drawn_there(void **state)
{
	struct bench bench;

	(void)state;
	bench_make(&bench, 2, names, 1);
	expect_bar(&bench, " 1:one  2:two*           bellhop · work");
	assert_int_equal(index_at(&bench, 0), 1);
	assert_int_equal(index_at(&bench, 6), 1);
	assert_int_equal(index_at(&bench, 7), 2);
	assert_int_equal(index_at(&bench, 14), 2);
	assert_int_equal(index_at(&bench, 15), 0);
	assert_int_equal(index_at(&bench, 39), 0);
}

static void the_active_tab_is_always_seen(void **state)
{
	struct bench bench;

	(void)state;
	bench_make(&bench, TABS, names, 0);
	expect_bar(&bench, " 1:one*  2:two ›         bellhop · work");
	assert_int_equal(index_at(&bench, 15), 0);
	bench_make(&bench, TABS, names, 3);
	expect_bar(&bench, "‹ 3:three  4:four* ›     bellhop · work");
	assert_int_equal(index_at(&bench, 0), 0);
	assert_int_equal(index_at(&bench, 1), 3);
	bench_make(&bench, TABS, names, 5);
	expect_bar(&bench, "‹ 5:five  6:six*         bellhop · work");
	assert_int_equal(index_at(&bench, 1), 5);
	assert_int_equal(index_at(&bench, 10), 6);
}

static void a_long_name_is_cut_between_characters(void **state)
{
	static const char *const long_names[] = {"日本語のとても長いタブの名前です"};
	struct bench bench;

	(void)state;
	bench_make(&bench, 1, long_names, 0);
	expect_bar(&bench, " 1:日本語のと…名前です*  bellhop · work");
	assert_int_equal(index_at(&bench, 23), 1);
	assert_int_equal(index_at(&bench, 24), 0);
	bench.scene.place.cols = 12;
	assert_int_equal(index_at(&bench, 11), 1);
}

static void the_session_gives_way_to_the_active_tab(void **state)
{
	static const char *const long_names[] = {"one", "a name of twenty-one."};
	struct bench bench;

	(void)state;
	bench_make(&bench, 2, long_names, 1);
	expect_bar(&bench, " 1:one  2:a name of …enty-one.*");
	assert_int_equal(index_at(&bench, 30), 2);
	bench_make(&bench, 2, long_names, 0);
	expect_bar(&bench, " 1:one* ›                bellhop · work");
}

static void a_session_without_tabs_is_drawn(void **state)
{
	struct bench bench;

	(void)state;
	bench_make(&bench, 0, names, 0);
	expect_bar(&bench, "                         bellhop · work");
	assert_int_equal(index_at(&bench, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tabs_and_the_session_are_shown),
		cmocka_unit_test(a_column_has_the_tab_that_is_drawn_there),
		cmocka_unit_test(the_active_tab_is_always_seen),
		cmocka_unit_test(the_session_gives_way_to_the_active_tab),
		cmocka_unit_test(a_long_name_is_cut_between_characters),
		cmocka_unit_test(a_session_without_tabs_is_drawn),
	};

	return cmocka_run_group_tests_name("tabbar", tests, NULL, NULL);
}
