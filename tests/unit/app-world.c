#include "tests/unit/app-world.h"

#include "src/ui/app_layer.h"

#include <stdlib.h>

enum {
	COLS = 80,
	ROWS = 14
};

static const char session_text[] =
	"{\"layout\":{\"area\":{\"cols\":58,\"rows\":12},\"tabs\":[{\"id\":1,\"index\":1,"
	"\"name\":\"api\",\"is_active\":true,\"focus\":\"a\",\"panes\":[{\"terminal_id\":\"a\","
	"\"row\":1,\"col\":0,\"rows\":11,\"cols\":30,\"is_visible\":true},{\"terminal_id\":\"b\","
	"\"row\":1,\"col\":31,\"rows\":5,\"cols\":27,\"is_visible\":true},{\"terminal_id\":\"c\","
	"\"row\":7,\"col\":31,\"rows\":5,\"cols\":27,\"is_visible\":true}]},{\"id\":2,\"index\":2,"
	"\"name\":\"ci\",\"panes\":[{\"terminal_id\":\"d\",\"row\":1,\"col\":0,\"rows\":11,"
	"\"cols\":58,\"is_visible\":true}]}]},\"terminals\":["
	"{\"terminal_id\":\"a\",\"identity\":\"coder\",\"state\":\"idle\",\"profile\":\"claude\"},"
	"{\"terminal_id\":\"b\",\"identity\":\"one\"},{\"terminal_id\":\"c\",\"identity\":\"two\"},"
	"{\"terminal_id\":\"d\",\"identity\":\"tester\",\"state\":\"idle\",\"profile\":\"codex\"}],"
	"\"mail\":[]}";

int app_world_make(void **state)
{
	struct app_world *world = calloc(1, sizeof(*world));
	struct bh_app *app = &world->app;

	world->client.socket_path = "/nowhere";
	world->settings.session = "work";
	app->settings = &world->settings;
	app->end = &world->end;
	app->link = bh_link_new(&world->client);
	app->now_ms = 1000;
	app->wants_sidebar = true;
	app->place = bh_scene_divide(COLS, ROWS, true, 0);
	bh_config_init(&app->config);
	bh_bindings_set(&app->bindings, &app->config);
	*state = world;
	return 0;
}

int app_world_remove(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;

	bh_app_layers_clear(app);
	bh_app_forget_asked(app);
	bh_viewer_clear(&app->viewer);
	bh_model_clear(&app->model);
	bh_input_clear(&app->input);
	bh_buf_clear(&app->held);
	bh_bindings_clear(&app->bindings);
	bh_config_clear(&app->config);
	bh_link_free(app->link);
	free(world);
	return 0;
}

void app_world_show(struct app_world *world)
{
	cJSON *session = cJSON_Parse(session_text);

	bh_model_begin(&world->app.model, session, 1);
	cJSON_Delete(session);
}

const char *app_world_said(struct app_world *world)
{
	const char *said = world->app.message_until_ms != 0 ? world->app.message : "";

	world->app.message_until_ms = 0;
	return said;
}

const char *app_world_layer(const struct app_world *world)
{
	const struct bh_layer *layer = bh_app_layer_of(&world->app, "");

	return layer == NULL ? "" : layer->ops->name;
}
