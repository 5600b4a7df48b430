#include "src/ui/chooser.h"

#include "src/base/mem.h"
#include "src/ui/panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A row: a tab (no terminal), a pane, or a terminal without one (no tab). */
struct row {
	/** 0: none. */
	int tab;
	char terminal[BH_MODEL_ID];
	char text[BH_MODEL_NAME * 2 + BH_MODEL_TEXT + 64];
};

struct chooser {
	struct bh_layer layer;
	const struct bh_model *model;
	char filter[64];
	/** The chosen row, as what it is: rows come and go under it. */
	int tab;
	char terminal[BH_MODEL_ID];
};

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style bold = {.attrs = BH_ATTR_BOLD};

// ------------------------------------------------------------------------------------ rows

/** What is said of a terminal: name, state, program or title. */
static void terminal_text(const struct bh_model_terminal *terminal, const char *indent, char *out,
                          size_t size)
{
	bool is_agent = bh_model_is_agent(terminal);

	(void)snprintf(out, size, "%s%s %s%s%s%s%s", indent, bh_scene_glyph(terminal),
	               terminal->identity, is_agent ? " · " : "", is_agent ? terminal->state : "",
	               terminal->title[0] != '\0' || terminal->program[0] != '\0' ? " · " : "",
	               terminal->title[0] != '\0' ? terminal->title : terminal->program);
}

/** Whether the filter leaves @row. */
static bool row_is_shown(const struct chooser *chooser, const struct row *row)
{
	return bh_panel_matches(row->text, chooser->filter);
}

static void row_add(const struct chooser *chooser, struct row *rows, size_t *count,
                    const struct row *row)
{
	if (row_is_shown(chooser, row)) {
		rows[(*count)++] = *row;
	}
}

static void tab_add(const struct chooser *chooser, const struct bh_model_tab *tab, struct row *rows,
                    size_t *count)
{
	struct row row = {.tab = tab->id};

	(void)snprintf(row.text, sizeof(row.text), "%d: %s%s%s", tab->index, tab->name,
	               tab->is_active ? " *" : "", tab->is_zoomed ? " (zoomed)" : "");
	row_add(chooser, rows, count, &row);
	for (size_t i = 0; i < tab->pane_count; i++) {
		const struct bh_model_terminal *terminal =
			bh_model_terminal(chooser->model, tab->panes[i].terminal_id);

		memcpy(row.terminal, tab->panes[i].terminal_id, sizeof(row.terminal));
		if (terminal != NULL) {
			terminal_text(terminal, "   ", row.text, sizeof(row.text));
		} else {
			(void)snprintf(row.text, sizeof(row.text), "   · %s · ended, starts again",
			               tab->panes[i].identity);
		}
		row_add(chooser, rows, count, &row);
	}
}

/** All rows that the filter leaves; the caller frees. */
static struct row *rows_new(const struct chooser *chooser, size_t *count_out)
{
	const struct bh_model *model = chooser->model;
	size_t most = model->tab_count + model->terminal_count;
	struct row *rows = NULL;

	for (size_t i = 0; i < model->tab_count; i++) {
		most += model->tabs[i].pane_count;
	}
	rows = bh_xcalloc(most, sizeof(*rows));
	*count_out = 0;
	for (size_t i = 0; i < model->tab_count; i++) {
		tab_add(chooser, &model->tabs[i], rows, count_out);
	}
	for (size_t i = 0; i < model->terminal_count; i++) {
		const struct bh_model_terminal *terminal = &model->terminals[i];
		struct row row = {0};

		if (bh_model_tab_of(model, terminal->id) == NULL) {
			memcpy(row.terminal, terminal->id, sizeof(row.terminal));
			terminal_text(terminal, "in no pane: ", row.text, sizeof(row.text));
			row_add(chooser, rows, count_out, &row);
		}
	}
	return rows;
}

/** Where the chosen row is now; the first one when it is gone. */
static struct bh_panel_list list_of(const struct chooser *chooser, const struct row *rows,
                                    size_t count)
{
	struct bh_panel_list list = {.count = count};

	for (size_t i = 0; i < count; i++) {
		if (rows[i].tab == chooser->tab &&
		    strcmp(rows[i].terminal, chooser->terminal) == 0) {
			list.at = i;
		}
	}
	return list;
}

static void choose(struct chooser *chooser, const struct row *rows,
                   const struct bh_panel_list *list)
{
	if (list->at < list->count) {
		chooser->tab = rows[list->at].tab;
		memcpy(chooser->terminal, rows[list->at].terminal, sizeof(chooser->terminal));
	}
}

/** Go to a row, and be done. */
static void go(struct chooser *chooser, const struct row *row)
{
	const struct bh_layer_host *host = chooser->layer.host;
	cJSON *params = cJSON_CreateObject();
	const char *method = "tab.select";

	if (row->terminal[0] == '\0') {
		(void)cJSON_AddNumberToObject(params, "tab", row->tab);
	} else {
		method = row->tab != 0 ? "pane.focus" : "pane.show";
		(void)cJSON_AddStringToObject(params, "name", row->terminal);
	}
	(void)host->request(host->user, method, params);
	host->close(host->user);
}

// ------------------------------------------------------------------------------- the layer

static void chooser_draw(const struct bh_layer *layer, struct bh_draw *draw,
                         const struct bh_scene *scene, struct bh_draw_rect rect)
{
	const struct chooser *chooser = (const struct chooser *)layer;
	size_t count = 0;
	struct row *rows = rows_new(chooser, &count);
	struct bh_panel_list list = list_of(chooser, rows, count);
	struct bh_draw_rect body;
	struct bh_draw_rect line;
	char title[128];

	(void)scene;
	bh_panel_title("tabs and panes", chooser->filter, title, sizeof(title));
	body = bh_panel_draw(draw, rect, title, "type to search   Enter goes   Escape closes");
	bh_panel_cursor(draw, rect, title);
	for (size_t i = 0; i < count; i++) {
		if (bh_panel_row(draw, body, &list, i, &line)) {
			(void)bh_draw_text(
				draw, line.row, line.col, line.cols, rows[i].text,
				bh_panel_style(&list, i, rows[i].terminal[0] ? plain : bold));
		}
	}
	if (count == 0) {
		(void)bh_draw_text(draw, body.row, body.col, body.cols,
		                   "nothing has these words; Backspace takes one back", dim);
	}
	free(rows);
}

static void chooser_key(struct bh_layer *layer, const struct bh_layer_key *key)
{
	struct chooser *chooser = (struct chooser *)layer;
	size_t count = 0;
	struct row *rows = NULL;
	struct bh_panel_list list;

	if (bh_panel_is_leave(key)) {
		layer->host->close(layer->host->user);
		return;
	}
	rows = rows_new(chooser, &count);
	list = list_of(chooser, rows, count);
	if (key->key == '\r') {
		if (count > 0) {
			go(chooser, &rows[list.at]);
		}
	} else if (bh_panel_key(&list, key, false)) {
		choose(chooser, rows, &list);
	} else {
		(void)bh_panel_edit(chooser->filter, sizeof(chooser->filter), key);
	}
	free(rows);
	layer->host->redraw(layer->host->user);
}

static void chooser_paste(struct bh_layer *layer, struct bh_span text)
{
	struct chooser *chooser = (struct chooser *)layer;

	if (bh_panel_paste(chooser->filter, sizeof(chooser->filter), text)) {
		layer->host->redraw(layer->host->user);
	}
}

static void chooser_mouse(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
                          struct bh_draw_rect rect)
{
	struct chooser *chooser = (struct chooser *)layer;
	size_t count = 0;
	struct row *rows = rows_new(chooser, &count);
	struct bh_panel_list list = list_of(chooser, rows, count);

	if (bh_panel_mouse(&list, mouse, bh_panel_body(rect))) {
		go(chooser, &rows[list.at]);
	} else {
		choose(chooser, rows, &list);
	}
	free(rows);
	layer->host->redraw(layer->host->user);
}

static void chooser_free(struct bh_layer *layer)
{
	free(layer);
}

static const struct bh_layer_ops ops = {
	.name = "the list of tabs and panes",
	.draw = chooser_draw,
	.key = chooser_key,
	.paste = chooser_paste,
	.mouse = chooser_mouse,
	.free = chooser_free,
};

struct bh_layer *bh_chooser_new(const struct bh_layer_host *host, const struct bh_model *model)
{
	struct chooser *chooser = bh_xcalloc(1, sizeof(*chooser));
	const struct bh_model_tab *tab = bh_model_active(model);

	chooser->layer.ops = &ops;
	chooser->layer.host = host;
	chooser->model = model;
	if (tab != NULL) {
		chooser->tab = tab->id;
		memcpy(chooser->terminal, tab->focus, sizeof(chooser->terminal));
	}
	return &chooser->layer;
}
