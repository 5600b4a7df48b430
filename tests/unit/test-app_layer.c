#include "src/ui/app_layer.h"
#include "src/ui/app_state.h"

#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATE \
	"{\"layout\":{\"area\":{\"cols\":60,\"rows\":10},\"tabs\":[{\"id\":1,\"index\":1," \
	"\"name\":\"api\",\"is_active\":true,\"focus\":\"a\",\"panes\":[{\"terminal_id\":\"a\"," \
	"\"row\":1,\"col\":0,\"rows\":9,\"cols\":30,\"is_visible\":true},{\"terminal_id\":\"b\"," \
	"\"row\":1,\"col\":31,\"rows\":9,\"cols\":29,\"is_visible\":true}]}]}," \
	"\"terminals\":[{\"terminal_id\":\"a\"},{\"terminal_id\":\"b\"}],\"mail\":[]}"

/** A layer that writes down what it is told. */
struct probe {
	struct bh_layer layer;
	struct bh_buf *log;
	char mark;
	uint64_t due_ms;
};

static struct probe *probe_of(struct bh_layer *layer)
{
	return (struct probe *)layer;
}

static void probe_draw(const struct bh_layer *layer, struct bh_draw *draw,
                       const struct bh_scene *scene, struct bh_draw_rect rect)
{
	const struct probe *probe = (const struct probe *)layer;
	char text[2] = {probe->mark, '\0'};

	(void)scene;
	for (int i = 0; i < rect.cols; i++) {
		(void)bh_draw_text(draw, rect.row, rect.col + i, 1, text,
		                   (struct bh_draw_style){0});
	}
	bh_draw_cursor(draw, &(struct bh_cursor){.row = rect.row, .col = 7, .is_visible = true});
}

static void probe_key(struct bh_layer *layer, const struct bh_layer_key *key)
{
	bh_buf_printf(probe_of(layer)->log, "%c:key %c;", probe_of(layer)->mark, (char)key->key);
	if (key->key == 'q') {
		layer->host->close(layer->host->user);
	} else if (key->key == 'y') {
		layer->host->yank(layer->host->user, bh_span_of("hi"));
	} else if (key->key == 'r') {
		assert_false(layer->host->request(layer->host->user, "mail.history",
		                                  cJSON_CreateObject()));
	}
}

static void probe_mouse(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
                        struct bh_draw_rect rect)
{
	bh_buf_printf(probe_of(layer)->log, "%c:mouse %d at %d,%d of %dx%d;", probe_of(layer)->mark,
	              (int)mouse->kind, mouse->row - rect.row, mouse->col - rect.col, rect.cols,
	              rect.rows);
}

static void probe_result(struct bh_layer *layer, const char *method, const cJSON *params,
                         const cJSON *result, const char *message)
{
	(void)params;
	bh_buf_printf(probe_of(layer)->log, "%c:%s %s;", probe_of(layer)->mark, method,
	              result == NULL ? message : "done");
}

static void probe_screen(struct bh_layer *layer, const struct bh_screen *screen)
{
	bh_buf_printf(probe_of(layer)->log, "%c:screen %d;", probe_of(layer)->mark,
	              bh_screen_cols(screen));
}

static void probe_changed(struct bh_layer *layer)
{
	bh_buf_printf(probe_of(layer)->log, "%c:changed;", probe_of(layer)->mark);
}

static uint64_t probe_due_ms(const struct bh_layer *layer)
{
	return ((const struct probe *)layer)->due_ms;
}

static void probe_tick(struct bh_layer *layer, uint64_t now_ms)
{
	(void)now_ms;
	probe_of(layer)->due_ms = 0;
	bh_buf_printf(probe_of(layer)->log, "%c:tick;", probe_of(layer)->mark);
}

static void probe_free(struct bh_layer *layer)
{
	bh_buf_printf(probe_of(layer)->log, "%c:free;", probe_of(layer)->mark);
	free(layer);
}

static const struct bh_layer_ops probe_ops = {.name = "probe",
                                              .draw = probe_draw,
                                              .key = probe_key,
                                              .mouse = probe_mouse,
                                              .result = probe_result,
                                              .screen = probe_screen,
                                              .changed = probe_changed,
                                              .due_ms = probe_due_ms,
                                              .tick = probe_tick,
                                              .free = probe_free};

/** A UI that is not connected, and what its layers wrote down. */
struct world {
	struct bh_app_settings settings;
	struct bh_client_settings client;
	struct bh_app app;
	struct bh_buf log;
};

static struct probe *world_show(struct world *world, const char *terminal_id, char mark)
{
	struct bh_app_slot *slot = bh_app_slot_new(&world->app);
	struct probe *probe = bh_xmalloc(sizeof(*probe));

	*probe = (struct probe){.layer = {.ops = &probe_ops, .host = &slot->host},
	                        .log = &world->log,
	                        .mark = mark};
	(void)snprintf(probe->layer.terminal_id, sizeof(probe->layer.terminal_id), "%s",
	               terminal_id);
	bh_app_slot_show(slot, &probe->layer);
	return probe;
}

/** What was written down since the last call must be @wanted. */
static void world_check(struct world *world, const char *wanted)
{
	assert_string_equal(world->log.data == NULL ? "" : world->log.data, wanted);
	bh_buf_clear(&world->log);
}

static int world_make(void **state)
{
	struct bh_draw_settings draw = {.cols = 60, .rows = 12};
	struct world *world = bh_xmalloc(sizeof(*world));
	cJSON *session = cJSON_Parse(STATE);

	*world = (struct world){.client = {.socket_path = "/nowhere"}};
	world->settings = (struct bh_app_settings){.client = &world->client, .session = "work"};
	world->app = (struct bh_app){.settings = &world->settings, .now_ms = 1000};
	bh_app_read_config(&world->app, 1000);
	world->app.config.mouse = true;
	world->app.link = bh_link_new(&world->client);
	world->app.draw = bh_draw_new(&draw);
	world->app.place = bh_scene_divide(60, 12, true, 0);
	bh_model_begin(&world->app.model, session, 1000);
	cJSON_Delete(session);
	*state = world;
	return 0;
}

static int world_remove(void **state)
{
	struct world *world = *state;

	bh_app_layers_clear(&world->app);
	bh_bindings_clear(&world->app.bindings);
	bh_config_clear(&world->app.config);
	bh_draw_free(world->app.draw);
	bh_model_clear(&world->app.model);
	bh_link_free(world->app.link);
	bh_buf_clear(&world->app.yanked);
	bh_buf_clear(&world->app.tty.out);
	bh_buf_clear(&world->log);
	free(world);
	return 0;
}

static void press(struct world *world, char key)
{
	bh_app_layer_key(&world->app, &(struct bh_layer_key){.key = (uint32_t)key});
}

static void one_over_all_takes_the_keys(void **state)
{
	struct world *world = *state;

	assert_null(bh_app_layer(&world->app));
	press(world, 'x');
	(void)world_show(world, "a", 'A');
	(void)world_show(world, "", 'H');
	press(world, 'x');
	world_check(world, "H:key x;");
	assert_true(bh_app_is_ours(&world->app));
	// Away with it: the pane's own is there again.
	press(world, 'q');
	world_check(world, "H:key q;H:free;");
	press(world, 'x');
	world_check(world, "A:key x;");
	press(world, 'q');
	world_check(world, "A:key q;A:free;");
	assert_false(bh_app_is_ours(&world->app));
}

static void one_over_another_pane_waits(void **state)
{
	struct world *world = *state;
	cJSON *layout = NULL;

	(void)world_show(world, "b", 'B');
	assert_null(bh_app_layer(&world->app));
	assert_non_null(bh_app_layer_of(&world->app, "b"));
	layout = cJSON_Parse(STATE);
	cJSON_ReplaceItemInObject(
		cJSON_GetArrayItem(
			cJSON_GetObjectItem(cJSON_GetObjectItem(layout, "layout"), "tabs"), 0),
		"focus", cJSON_CreateString("b"));
	bh_model_take_layout(&world->app.model, cJSON_GetObjectItem(layout, "layout"));
	cJSON_Delete(layout);
	press(world, 'x');
	world_check(world, "B:key x;");
}

static void a_new_one_stands_in_the_place_of_the_old(void **state)
{
	struct world *world = *state;

	(void)world_show(world, "", 'H');
	(void)world_show(world, "", 'M');
	world_check(world, "H:free;");
	press(world, 'x');
	world_check(world, "M:key x;");
	bh_app_layer_close(&world->app, "");
	bh_app_layer_close(&world->app, "");
	world_check(world, "M:free;");
	// A slot for which nothing was made.
	bh_app_slot_show(bh_app_slot_new(&world->app), NULL);
	assert_null(bh_app_layer(&world->app));
}

static void it_goes_with_its_terminal(void **state)
{
	struct world *world = *state;
	cJSON *params = cJSON_Parse("{\"terminal_id\":\"a\"}");

	(void)world_show(world, "a", 'A');
	(void)world_show(world, "b", 'B');
	(void)world_show(world, "", 'H');
	(void)bh_model_take(&world->app.model, "terminal.forgotten", params, 1000);
	cJSON_Delete(params);
	bh_app_layers_follow(&world->app);
	world_check(world, "A:free;");
}

static void answers_come_to_the_one_that_asked(void **state)
{
	struct world *world = *state;
	cJSON *result = cJSON_CreateObject();
	struct bh_link_event event = {.kind = BH_LINK_RESULT, .method = "mail.history"};

	(void)world_show(world, "a", 'A'); // the first slot
	(void)world_show(world, "", 'H');
	event.asker = 1;
	event.result = result;
	bh_app_layer_result(&world->app, &event);
	world_check(world, "A:mail.history done;");
	event.asker = 2;
	event.result = NULL;
	event.message = "not now";
	bh_app_layer_result(&world->app, &event);
	world_check(world, "H:mail.history not now;");
	// Nobody is there any more.
	event.asker = 9;
	bh_app_layer_result(&world->app, &event);
	world_check(world, "");
	cJSON_Delete(result);
	// Without a server the person is told.
	press(world, 'r');
	assert_non_null(strstr(world->app.message, "does not answer"));
}

static void screens_and_time_reach_it(void **state)
{
	struct world *world = *state;
	struct bh_screen_settings settings = {.cols = 30, .rows = 9};
	struct bh_screen *screen = bh_screen_new(&settings);
	struct probe *probe = world_show(world, "a", 'A');

	bh_app_layer_screen(&world->app, "a", screen);
	bh_app_layer_screen(&world->app, "a", NULL);
	bh_app_layer_screen(&world->app, "b", screen);
	world_check(world, "A:screen 30;");
	bh_app_layers_changed(&world->app);
	world_check(world, "A:changed;");
	bh_screen_free(screen);
	assert_int_equal(bh_app_layers_due_ms(&world->app), 0);
	probe->due_ms = 1001;
	assert_int_equal(bh_app_layers_due_ms(&world->app), 1001);
	bh_app_layers_tick(&world->app);
	world_check(world, "");
	world->app.now_ms = 1001;
	bh_app_layers_tick(&world->app);
	world_check(world, "A:tick;");
}

static void copied_text_goes_to_the_clipboard(void **state)
{
	struct world *world = *state;

	(void)world_show(world, "", 'H');
	press(world, 'y');
	assert_string_equal(world->app.yanked.data, "hi");
	assert_string_equal(world->app.tty.out.data, "\x1b]52;c;aGk=\x1b\\");
}

static void it_is_drawn_where_it_stands(void **state)
{
	struct world *world = *state;
	struct bh_scene scene = bh_app_scene(&world->app);
	struct bh_screen_settings settings = {.cols = 60, .rows = 12};
	struct bh_screen *outer = bh_screen_new(&settings);
	struct bh_buf out = {0};
	char text[200];

	(void)world_show(world, "a", 'A');
	(void)world_show(world, "b", 'B');
	bh_scene_draw(world->app.draw, &scene);
	bh_draw_flush(world->app.draw, &out);
	bh_screen_feed(outer, out.data, out.len, 1);
	bh_buf_clear(&out);
	(void)bh_screen_row_text(outer, 2, text, sizeof(text));
	assert_string_equal(text, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA┃BBBBBBBBBBBBBBBBBBBBBBBBBBBBB");
	// The cursor is that of the one in focus.
	assert_int_equal(bh_screen_cursor(outer).row, 2);
	assert_int_equal(bh_screen_cursor(outer).col, 7);
	bh_screen_free(outer);
}

static void the_mouse_goes_to_what_is_below_it(void **state)
{
	struct world *world = *state;
	struct bh_input_mouse press = {.row = 3, .col = 5};
	struct bh_input_mouse drag = {.button = 32, .row = 4, .col = 40};
	struct bh_input_mouse release = {.row = 4, .col = 40, .is_release = true};

	(void)world_show(world, "a", 'A');
	(void)world_show(world, "b", 'B');
	bh_app_take_mouse(&world->app, &press, 1000);
	world_check(world, "A:mouse 0 at 1,5 of 30x9;");
	// What follows a press is for whom the press was.
	bh_app_take_mouse(&world->app, &drag, 1000);
	bh_app_take_mouse(&world->app, &release, 1000);
	world_check(world, "A:mouse 1 at 2,40 of 30x9;A:mouse 2 at 2,40 of 30x9;");
	drag.button = 64;
	bh_app_take_mouse(&world->app, &drag, 1000);
	world_check(world, "B:mouse 4 at 2,9 of 29x9;");
	(void)world_show(world, "", 'H');
	bh_app_take_mouse(&world->app, &press, 1000);
	world_check(world, "H:mouse 0 at 2,5 of 60x10;");
	// Beside the panes it is the UI's, and the person has left.
	press.row = 11;
	bh_app_take_mouse(&world->app, &press, 1000);
	world_check(world, "H:free;");
	press.row = 3;
	// Switched off, it is the programs' alone.
	world->app.config.mouse = false;
	bh_app_take_mouse(&world->app, &press, 1000);
	world_check(world, "");
}

int main(void)
{
#define WORLD(name) cmocka_unit_test_setup_teardown(name, world_make, world_remove)
	const struct CMUnitTest tests[] = {
		WORLD(one_over_all_takes_the_keys),
		WORLD(one_over_another_pane_waits),
		WORLD(a_new_one_stands_in_the_place_of_the_old),
		WORLD(it_goes_with_its_terminal),
		WORLD(answers_come_to_the_one_that_asked),
		WORLD(screens_and_time_reach_it),
		WORLD(copied_text_goes_to_the_clipboard),
		WORLD(it_is_drawn_where_it_stands),
		WORLD(the_mouse_goes_to_what_is_below_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
