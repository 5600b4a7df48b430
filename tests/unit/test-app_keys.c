// Keys in a UI that is not connected; test-app.c has what a server hears of them.
#include "src/base/mem.h"
#include "src/ui/app_layer.h"
#include "tests/unit/app-world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/** Type at a time when keys wait no more for a server. */
static void type(struct app_world *world, const char *keys)
{
	struct bh_app *app = &world->app;

	app->gate.shut_at_ms = 1;
	app->now_ms += 5000;
	bh_input_feed(&app->input, keys, strlen(keys), app->now_ms);
	bh_app_take_input(app, app->now_ms);
}

static void keys_wait_a_while_for_a_server(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;

	app_world_show(world);
	bh_input_feed(&app->input, "\x02?", 2, 1000);
	bh_app_take_input(app, 1000);
	assert_string_equal(app_world_layer(world), "");
	app->now_ms = 1500;
	bh_app_take_input(app, 1500);
	assert_string_equal(app_world_layer(world), "");
	assert_int_equal(bh_app_input_due_ms(app), 2000);
	// Then those that are ours are looked at.
	app->now_ms = 2000;
	bh_app_take_input(app, 2000);
	assert_string_equal(app_world_layer(world), "help");
	assert_true(bh_app_is_ours(app));
}

/** A view of the pane in focus, whose stream was lost with the server. */
static struct bh_view *add_view(struct bh_app *app)
{
	struct bh_view *view = bh_xmalloc(sizeof(*view));

	(void)snprintf(view->terminal_id, sizeof(view->terminal_id), "%s",
	               bh_model_focus(&app->model)->terminal_id);
	view->stream = 3;
	app->viewer.views = view;
	app->viewer.count = 1;
	return view;
}

static void what_is_typed_in_the_first_second_is_kept(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;
	struct bh_view *view = NULL;

	app_world_show(world);
	view = add_view(app);
	bh_input_feed(&app->input, "early", 5, 1000);
	for (app->now_ms = 1000; app->now_ms < 2500; app->now_ms += 500) {
		bh_app_take_input(app, app->now_ms);
	}
	assert_int_equal(view->typed.unsent, 5);
	bh_input_feed(&app->input, "late", 4, app->now_ms);
	bh_app_take_input(app, app->now_ms);
	assert_int_equal(view->typed.unsent, 5);
	assert_memory_equal(view->typed.recent.data, "early", 5);
}

static void what_is_typed_behind_a_lost_command_is_nobodys(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;
	struct bh_view *view = NULL;

	app_world_show(world);
	view = add_view(app);
	bh_input_feed(&app->input, "here\x02%there", 11, 1000);
	bh_app_take_input(app, 1000);
	app->now_ms = 2000;
	bh_app_take_input(app, 2000);
	assert_int_equal(view->typed.unsent, 4);
}

static void who_only_looks_waits_for_nothing_and_asks_for_nothing(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;

	world->settings.is_observing = true;
	app_world_show(world);
	bh_input_feed(&app->input, "typed\x02%", 7, 1000);
	bh_app_take_input(app, 1000);
	assert_non_null(strstr(app_world_said(world), "you only look here (--observe); C-b d"));
	assert_int_equal(app->held.len, 0);
	type(world, "\x02,");
	assert_int_equal(app->question.state, BH_QUESTION_CLOSED);
	type(world, "\x02:split-right top\r");
	assert_non_null(strstr(app_world_said(world), "you only look here"));
	type(world, "\x02"
	            "d");
	assert_true(app->is_done);
	assert_int_equal(world->end.outcome, BH_APP_DETACHED);
	assert_int_equal(world->end.terminals, 4);
}

static void an_unknown_key_says_where_the_others_are(void **state)
{
	struct app_world *world = *state;

	app_world_show(world);
	type(world, "\x02Q");
	assert_string_equal(app_world_said(world),
	                    "that key does nothing after C-b; C-b ? lists those that do");
}

static void the_command_line_completes_remembers_and_tells(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;

	app_world_show(world);
	type(world, "\x02:renam\t");
	assert_string_equal(app->question.text, "rename-tab ");
	type(world, "x\r");
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	assert_false(bh_app_is_ours(app));
	// Up brings it again.
	type(world, "\x02:\x1b[A");
	assert_string_equal(app->question.text, "rename-tab x");
	type(world, "\x03");
	assert_false(bh_app_is_ours(app));
	assert_string_equal(app_world_said(world), "");
	// Nothing at all is nothing, and what is none is told.
	type(world, "\x02:  \r");
	assert_string_equal(app_world_said(world), "");
	type(world, "\x02:nonsense\r");
	assert_non_null(strstr(app_world_said(world), "nonsense"));
	type(world, "\x02:help\r");
	assert_string_equal(app_world_layer(world), "help");
}

static void a_question_is_answered_by_what_is_typed_after_it(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;

	app_world_show(world);
	type(world, "\x02x");
	assert_int_equal(app->question.state, BH_QUESTION_OPEN);
	assert_string_equal(app->asked.method, "pane.close");
	type(world, "y"); // nobody has seen it yet
	assert_non_null(app->asked.method);
	app->question.is_shown = true;
	type(world, "n");
	assert_false(bh_app_is_ours(app));
	assert_null(app->asked.method);
	assert_string_equal(app_world_said(world), "");
	type(world, "\x02x");
	app->question.is_shown = true;
	type(world, "y");
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	// A command takes the place of a question.
	type(world, "\x02x");
	type(world, "\x02,");
	assert_null(app->asked.method);
	assert_string_equal(app->question.text, "api");
	type(world, "\x1b[200~pasted\x1b[201~");
	assert_string_equal(app->question.text, "apipasted");
}

static void without_a_pane_there_is_nothing_to_split(void **state)
{
	struct app_world *world = *state;

	type(world, "\x02%");
	assert_string_equal(app_world_said(world), "there is no pane here");
	type(world, "\x02,");
	assert_int_equal(world->app.question.state, BH_QUESTION_CLOSED);
}

static void a_border_moves_on_without_the_prefix(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;

	app_world_show(world);
	type(world, "\x02\x1b[1;5C");
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	assert_true(app->input.repeat_until_ms > app->now_ms);
}

int main(void)
{
#define WORLD(test) cmocka_unit_test_setup_teardown(test, app_world_make, app_world_remove)
	const struct CMUnitTest tests[] = {
		WORLD(keys_wait_a_while_for_a_server),
		WORLD(what_is_typed_in_the_first_second_is_kept),
		WORLD(what_is_typed_behind_a_lost_command_is_nobodys),
		WORLD(who_only_looks_waits_for_nothing_and_asks_for_nothing),
		WORLD(an_unknown_key_says_where_the_others_are),
		WORLD(the_command_line_completes_remembers_and_tells),
		WORLD(a_question_is_answered_by_what_is_typed_after_it),
		WORLD(without_a_pane_there_is_nothing_to_split),
		WORLD(a_border_moves_on_without_the_prefix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
