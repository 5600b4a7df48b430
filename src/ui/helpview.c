#include "src/ui/helpview.h"

#include "src/base/mem.h"
#include "src/ui/keytable.h"
#include "src/ui/panel.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Columns of the keys, and of a key with what it does: below that there are fewer side by side. */
#define KEY_COLS 9
#define ROW_COLS 48
/** Where the names of actions begin. */
#define NAME_COL 52
/** Room for the keys of one action. */
#define KEYS_SIZE 64
/** Rows of a step by page keys, and by a notch of the wheel. */
#define PAGE_ROWS 10
#define WHEEL_ROWS 3

struct helpview {
	struct bh_layer layer;
	/** Only rows with these words are shown. */
	char filter[64];
	/** So many rows are scrolled out above, as far as there are; of at most so many. */
	int skip, most;
};

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style bold = {.attrs = BH_ATTR_BOLD};

/** A line of the help: an action with its keys after the prefix, or a key that needs none. */
struct entry {
	const struct bh_key_row *row;
	char keys[KEYS_SIZE];
	char help[128];
};

/** How many there may be: the actions, then the keys without prefix. */
static size_t entry_count(const struct bh_bindings *bindings)
{
	size_t count = 0;

	(void)bh_keytable(&count);
	return count + bindings->direct_count;
}

/** Number @index of them, as it is bound now. */
static struct entry entry_of(const struct bh_bindings *bindings, size_t index)
{
	struct entry entry = {0};
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);
	const char *help = NULL;

	if (index < count) {
		struct bh_buf keys = {0};

		entry.row = &rows[index];
		bh_bindings_keys(bindings, entry.row->action, &keys);
		(void)snprintf(entry.keys, KEYS_SIZE, "%s", keys.data == NULL ? "" : keys.data);
		bh_buf_clear(&keys);
	} else {
		entry.row = bindings->direct[index - count].row;
		(void)snprintf(entry.keys, KEYS_SIZE, "%s", bindings->direct[index - count].name);
	}
	help = entry.row->help == NULL ? "" : entry.row->help;
	(void)snprintf(entry.help, sizeof(entry.help), "%s%s%s%s", index < count ? "" : "without ",
	               index < count ? "" : bindings->prefix_name, index < count ? "" : ": ", help);
	return entry;
}

/** Whether the help lists it: it has words of its own, and the filter's. */
static bool entry_is_shown(const struct helpview *help, const struct entry *entry)
{
	char text[KEYS_SIZE + sizeof(entry->help) + 64];

	(void)snprintf(text, sizeof(text), "%s %s %s", entry->keys, entry->row->name, entry->help);
	return entry->row->help != NULL && bh_panel_matches(text, help->filter);
}

/** How the rows stand: @columns side by side of @lines each, the first of them number @skip. */
struct grid {
	int columns, lines, skip, count;
};

static struct grid grid_of(const struct helpview *help, const struct bh_bindings *bindings,
                           struct bh_draw_rect body)
{
	struct grid grid = {.lines = body.rows < 1 ? 1 : body.rows};
	size_t count = entry_count(bindings);
	int most = body.cols / ROW_COLS < 1 ? 1 : body.cols / ROW_COLS;

	for (size_t i = 0; i < count; i++) {
		struct entry entry = entry_of(bindings, i);

		grid.count += entry_is_shown(help, &entry);
	}
	grid.columns = (grid.count + grid.lines - 1) / grid.lines;
	grid.columns = grid.columns < 1 ? 1 : grid.columns > most ? most : grid.columns;
	grid.skip = grid.count - grid.lines * grid.columns;
	grid.skip = grid.skip < help->skip ? grid.skip : help->skip;
	grid.skip = grid.skip < 0 ? 0 : grid.skip;
	return grid;
}

static void entry_draw(struct bh_draw *draw, struct bh_draw_rect line, const struct entry *entry)
{
	const struct bh_key_row *row = entry->row;
	bool has_key = entry->keys[0] != '\0';
	char name[KEYS_SIZE];
	int used = 0;

	(void)snprintf(name, sizeof(name), ":%s", row->name); // by which it is reached alone
	used = bh_draw_text(draw, line.row, line.col, line.cols, has_key ? entry->keys : name,
	                    bold) +
	       1;
	used = used < KEY_COLS ? KEY_COLS : used;
	used += bh_draw_text(draw, line.row, line.col + used, line.cols - used, entry->help, plain);
	// The name for the configuration and the command line, where there is room for all of it.
	if (has_key && used < NAME_COL && NAME_COL + bh_draw_width(row->name) <= line.cols) {
		(void)bh_draw_text(draw, line.row, line.col + NAME_COL, line.cols - NAME_COL,
		                   row->name, dim);
	}
}

static void helpview_draw(const struct bh_layer *layer, struct bh_draw *draw,
                          const struct bh_scene *scene, struct bh_draw_rect rect)
{
	const struct helpview *help = (const struct helpview *)layer;
	size_t count = entry_count(scene->bindings);
	struct bh_draw_rect body;
	struct grid grid;
	char what[32];
	char text[128];
	int at = 0;

	(void)snprintf(what, sizeof(what), "keys after %s", scene->bindings->prefix_name);
	bh_panel_title(what, help->filter, text, sizeof(text));
	grid = grid_of(help, scene->bindings, bh_panel_body(rect));
	body = bh_panel_draw(draw, rect, text,
	                     grid.count > grid.lines * grid.columns
	                             ? "type to search   ↑↓ scroll   Escape closes"
	                             : "type to search   Escape closes");
	bh_panel_cursor(draw, rect, text);
	for (size_t i = 0; i < count; i++) {
		struct entry entry = entry_of(scene->bindings, i);
		int place = at - grid.skip;

		if (!entry_is_shown(help, &entry)) {
			continue;
		}
		at++;
		if (place >= 0 && place < grid.lines * grid.columns) {
			int cols = body.cols / grid.columns;

			entry_draw(draw,
			           (struct bh_draw_rect){body.row + place % grid.lines,
			                                 body.col + place / grid.lines * cols, 1,
			                                 cols - 1},
			           &entry);
		}
	}
	if (grid.count == 0) {
		(void)bh_draw_text(draw, body.row, body.col, body.cols,
		                   "no key has these words; Backspace takes one back", dim);
	}
}

/** Scroll; what is too far is cut when it is drawn, so it is kept within the table. */
static void scroll(struct helpview *help, int rows)
{
	help->skip += rows;
	help->skip = help->skip < 0 ? 0 : help->skip > help->most ? help->most : help->skip;
}

static void helpview_key(struct bh_layer *layer, const struct bh_layer_key *key)
{
	struct helpview *help = (struct helpview *)layer;
	bool is_filtered = help->filter[0] != '\0';

	if (key->key == '\r' || (bh_panel_is_leave(key) && !is_filtered) ||
	    (key->key == 'q' && !is_filtered && !key->is_control)) {
		layer->host->close(layer->host->user);
		return;
	}
	if (bh_panel_is_leave(key)) {
		help->filter[0] = '\0';
	} else if (key->key == BH_KEY_UP || key->key == BH_KEY_DOWN) {
		scroll(help, key->key == BH_KEY_UP ? -1 : 1);
	} else if (key->key == BH_KEY_HOME || key->key == BH_KEY_END) {
		help->skip = key->key == BH_KEY_HOME ? 0 : INT_MAX;
		scroll(help, 0);
	} else if (key->key == BH_KEY_PAGE_UP || key->key == BH_KEY_PAGE_DOWN) {
		scroll(help, key->key == BH_KEY_PAGE_UP ? -PAGE_ROWS : PAGE_ROWS);
	} else if (bh_panel_edit(help->filter, sizeof(help->filter), key)) {
		help->skip = 0;
	}
	layer->host->redraw(layer->host->user);
}

static void helpview_paste(struct bh_layer *layer, struct bh_span text)
{
	struct helpview *help = (struct helpview *)layer;

	if (bh_panel_paste(help->filter, sizeof(help->filter), text)) {
		help->skip = 0;
		layer->host->redraw(layer->host->user);
	}
}

static void helpview_mouse(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
                           struct bh_draw_rect rect)
{
	(void)rect;
	if (mouse->kind == BH_MOUSE_WHEEL_UP || mouse->kind == BH_MOUSE_WHEEL_DOWN) {
		scroll((struct helpview *)layer,
		       mouse->kind == BH_MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		layer->host->redraw(layer->host->user);
	}
}

static void helpview_free(struct bh_layer *layer)
{
	free(layer);
}

static const struct bh_layer_ops ops = {
	.name = "help",
	.draw = helpview_draw,
	.key = helpview_key,
	.paste = helpview_paste,
	.mouse = helpview_mouse,
	.free = helpview_free,
};

struct bh_layer *bh_helpview_new(const struct bh_layer_host *host, size_t direct_count)
{
	struct helpview *help = bh_xcalloc(1, sizeof(*help));
	size_t count = 0;

	help->layer.ops = &ops;
	help->layer.host = host;
	(void)bh_keytable(&count);
	help->most = (int)(count + direct_count);
	return &help->layer;
}
