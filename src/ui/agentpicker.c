#include "src/ui/agentpicker.h"

#include "src/base/mem.h"
#include "src/ui/keytable.h"
#include "src/ui/panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Columns of a program's name. */
#define PROGRAM_COLS 20
/** Rows below the list: a blank one, the name, the place. */
#define FORM_ROWS 3

/** Where the pane goes. */
enum place {
	PLACE_TAB,
	PLACE_RIGHT,
	PLACE_DOWN,
	PLACE_COUNT,
};

static const char *const place_words[PLACE_COUNT] = {
	[PLACE_TAB] = "a new tab",
	[PLACE_RIGHT] = "right of this pane",
	[PLACE_DOWN] = "below this pane",
};

struct agentpicker {
	struct bh_layer layer;
	const struct bh_model *model;
	const cJSON *environ;
	/** What is installed, of the protocol; NULL until it is known. The shell comes after it. */
	cJSON *agents;
	struct bh_panel_list list;
	/** Its identity; "": as the server calls it. */
	char name[BH_MODEL_NAME];
	enum place place;
};

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style bold = {.attrs = BH_ATTR_BOLD};

static const char *field_str(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : "";
}

// --------------------------------------------------------------------------------- drawing

static void draw_rows(const struct agentpicker *picker, struct bh_draw *draw,
                      struct bh_draw_rect body)
{
	struct bh_draw_rect line;

	for (size_t i = 0; i < picker->list.count; i++) {
		const cJSON *agent = cJSON_GetArrayItem(picker->agents, (int)i);
		const char *program = agent == NULL ? "shell" : field_str(agent, "program");
		const char *from = agent == NULL ? field_str(picker->environ, "SHELL")
		                                 : field_str(agent, "path");

		if (bh_panel_row(draw, body, &picker->list, i, &line)) {
			int cols = line.cols < PROGRAM_COLS ? line.cols : PROGRAM_COLS;

			(void)bh_draw_text(draw, line.row, line.col, cols - 1, program,
			                   bh_panel_style(&picker->list, i, bold));
			(void)bh_draw_text(draw, line.row, line.col + cols, line.cols - cols, from,
			                   bh_panel_style(&picker->list, i, dim));
		}
	}
}

static void draw_form(const struct agentpicker *picker, struct bh_draw *draw,
                      struct bh_draw_rect form)
{
	struct bh_cursor cursor = {.row = form.row + 1, .is_visible = true};
	int used = bh_draw_text(draw, form.row + 1, form.col, form.cols, "name:  ", bold);

	used += bh_draw_text(draw, form.row + 1, form.col + used, form.cols - used, picker->name,
	                     plain);
	cursor.col = form.col + (used < form.cols ? used : form.cols - 1);
	if (picker->name[0] == '\0') {
		(void)bh_draw_text(draw, form.row + 1, form.col + used + 1, form.cols - used - 1,
		                   "(by itself)", dim);
	}
	used = bh_draw_text(draw, form.row + 2, form.col, form.cols, "place: ", bold);
	(void)bh_draw_text(draw, form.row + 2, form.col + used, form.cols - used,
	                   place_words[picker->place], plain);
	bh_draw_cursor(draw, &cursor);
}

/** The part of the body for the list; the form stands below it. */
static struct bh_draw_rect list_rect(const struct agentpicker *picker, struct bh_draw_rect body)
{
	int most = body.rows > FORM_ROWS ? body.rows - FORM_ROWS : 1;

	body.rows = picker->list.count < (size_t)most ? (int)picker->list.count : most;
	return body;
}

static void agentpicker_draw(const struct bh_layer *layer, struct bh_draw *draw,
                             const struct bh_scene *scene, struct bh_draw_rect rect)
{
	const struct agentpicker *picker = (const struct agentpicker *)layer;
	struct bh_draw_rect body = bh_panel_draw(
		draw, rect, "new agent", "type a name   ↑↓ program   Tab place   Enter starts");
	struct bh_draw_rect rows = list_rect(picker, body);

	(void)scene;
	draw_rows(picker, draw, rows);
	if (body.rows >= rows.rows + FORM_ROWS) {
		body.row += rows.rows;
		draw_form(picker, draw, body);
	}
}

// ------------------------------------------------------------------------------------ keys

/** Start what is chosen; the layer goes when the server has done it. */
static void start(struct agentpicker *picker)
{
	const struct bh_layer_host *host = picker->layer.host;
	const struct bh_model_pane *focus = bh_model_focus(picker->model);
	const cJSON *agent = cJSON_GetArrayItem(picker->agents, (int)picker->list.at);
	bool is_split = picker->place != PLACE_TAB && focus != NULL;
	cJSON *params = cJSON_CreateObject();

	if (agent != NULL) {
		cJSON_AddItemToArray(cJSON_AddArrayToObject(params, "argv"),
		                     cJSON_CreateString(field_str(agent, "program")));
	}
	if (picker->name[0] != '\0') {
		(void)cJSON_AddStringToObject(params, "identity", picker->name);
	}
	if (is_split) {
		(void)cJSON_AddStringToObject(params, "name", focus->terminal_id);
		(void)cJSON_AddStringToObject(params, "direction",
		                              picker->place == PLACE_RIGHT ? "right" : "down");
	}
	if (picker->environ != NULL) {
		(void)cJSON_AddItemToObject(params, "environ",
		                            cJSON_Duplicate(picker->environ, true));
	}
	(void)host->request(host->user, is_split ? "pane.split" : "tab.new", params);
}

static void agentpicker_key(struct bh_layer *layer, const struct bh_layer_key *key)
{
	struct agentpicker *picker = (struct agentpicker *)layer;

	if (bh_panel_is_leave(key)) {
		layer->host->close(layer->host->user);
		return;
	}
	if (key->key == '\r') {
		start(picker);
	} else if (key->key == '\t') {
		picker->place = (picker->place + 1) % PLACE_COUNT;
	} else if (!bh_panel_key(&picker->list, key, false) && key->key != ' ') {
		(void)bh_panel_edit(picker->name, sizeof(picker->name), key);
	}
	layer->host->redraw(layer->host->user);
}

static void agentpicker_paste(struct bh_layer *layer, struct bh_span text)
{
	struct agentpicker *picker = (struct agentpicker *)layer;

	if (bh_panel_paste(picker->name, sizeof(picker->name), text)) {
		layer->host->redraw(layer->host->user);
	}
}

static void agentpicker_mouse(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
                              struct bh_draw_rect rect)
{
	struct agentpicker *picker = (struct agentpicker *)layer;

	(void)bh_panel_mouse(&picker->list, mouse, list_rect(picker, bh_panel_body(rect)));
	layer->host->redraw(layer->host->user);
}

static void agentpicker_result(struct bh_layer *layer, const char *method, const cJSON *params,
                               const cJSON *result, const char *message)
{
	struct agentpicker *picker = (struct agentpicker *)layer;

	(void)params;
	if (result == NULL) { // another name or place may do
		layer->host->say(layer->host->user, message);
	} else if (strcmp(method, "agent.installed") == 0) {
		cJSON_Delete(picker->agents);
		picker->agents =
			cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(result, "agents"), true);
		picker->list.count = (size_t)cJSON_GetArraySize(picker->agents) + 1;
		picker->list.at = 0;
	} else {
		layer->host->close(layer->host->user);
	}
	layer->host->redraw(layer->host->user);
}

static void agentpicker_free(struct bh_layer *layer)
{
	cJSON_Delete(((struct agentpicker *)layer)->agents);
	free(layer);
}

static const struct bh_layer_ops ops = {
	.name = "new agent",
	.draw = agentpicker_draw,
	.key = agentpicker_key,
	.paste = agentpicker_paste,
	.mouse = agentpicker_mouse,
	.result = agentpicker_result,
	.free = agentpicker_free,
};

struct bh_layer *bh_agentpicker_new(const struct bh_layer_host *host, const struct bh_model *model,
                                    const cJSON *environ)
{
	struct agentpicker *picker = bh_xcalloc(1, sizeof(*picker));
	cJSON *params = cJSON_CreateObject();

	picker->layer.ops = &ops;
	picker->layer.host = host;
	picker->model = model;
	picker->environ = environ;
	picker->list.count = 1;
	(void)cJSON_AddStringToObject(params, "path", field_str(environ, "PATH"));
	(void)host->request(host->user, "agent.installed", params);
	return &picker->layer;
}
