#include "src/ui/tabbar.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/** Longest name of a tab (columns). */
#define NAME_COLS 20

/** A tab in the bar: " 1:", the name, "*Z! ". */
struct entry {
	char before[16];
	const char *name;
	int name_cols;
	char after[16];
	int cols;
};

/** Which tabs are seen, and where the first one begins. */
struct span {
	size_t first, end;
	int col;
	/** Columns for tabs, the rest is the session's. */
	int room;
};

static const struct bh_draw_style bold = {.attrs = BH_ATTR_BOLD};
static const struct bh_draw_style bar = {.attrs = BH_ATTR_REVERSE};

/** The most urgent mark of a tab's agents, "" when none needs a person. */
static const char *tab_mark(const struct bh_model *model, const struct bh_model_tab *tab)
{
	const struct bh_model_terminal *most = NULL;

	for (size_t i = 0; i < tab->pane_count; i++) {
		const struct bh_model_terminal *at =
			bh_model_terminal(model, tab->panes[i].terminal_id);

		if (at != NULL && bh_model_is_agent(at) && bh_model_urgency(at) >= 2 &&
		    (most == NULL || bh_model_urgency(at) > bh_model_urgency(most))) {
			most = at;
		}
	}
	return most == NULL ? "" : bh_scene_glyph(most);
}

static struct entry entry_of(const struct bh_model *model, const struct bh_model_tab *tab)
{
	struct entry entry = {.name = tab->name, .name_cols = bh_draw_width(tab->name)};

	(void)snprintf(entry.before, sizeof(entry.before), " %d:", tab->index);
	(void)snprintf(entry.after, sizeof(entry.after), "%s%s%s ",
	               tab->is_active ? "*"
	               : tab->is_last ? "-"
	                              : "",
	               tab->is_zoomed ? "Z" : "", tab_mark(model, tab));
	if (entry.name_cols > NAME_COLS) {
		entry.name_cols = NAME_COLS;
	}
	entry.cols = bh_draw_width(entry.before) + entry.name_cols + bh_draw_width(entry.after);
	return entry;
}

static int entry_cols(const struct bh_model *model, size_t index)
{
	struct entry entry = entry_of(model, &model->tabs[index]);

	return entry.cols;
}

static size_t active_index(const struct bh_model *model)
{
	for (size_t i = 0; i < model->tab_count; i++) {
		if (model->tabs[i].is_active) {
			return i;
		}
	}
	return 0;
}

/** The session at the right end; gives its columns, 0 when there is no room for it beside the active
 * tab and its arrows. */
static int session_text(const struct bh_scene *scene, char *out, size_t size)
{
	const struct bh_model *model = scene->model;
	size_t active = active_index(model);
	int tab_cols = 0;
	int cols = 0;

	(void)snprintf(out, size, " bellhop · %s%s ", scene->session,
	               scene->is_observing ? " · only looking" : "");
	cols = bh_draw_width(out);
	if (active < model->tab_count) {
		tab_cols = (active > 0) + (active + 1 < model->tab_count) +
		           entry_cols(model, active) - 1;
	}
	return cols > scene->place.cols / 2 || cols + tab_cols > scene->place.cols ? 0 : cols;
}

/** Columns from tab @first to the one before @end, with the arrows that are needed. */
static int span_cols(const struct bh_model *model, size_t first, size_t end)
{
	int cols = (first > 0) + (end < model->tab_count);

	for (size_t i = first; i < end; i++) {
		cols += entry_cols(model, i);
	}
	return cols;
}

static struct span span_of(const struct bh_scene *scene)
{
	const struct bh_model *model = scene->model;
	size_t active = active_index(model);
	char session[BH_MODEL_NAME + 64];
	struct span span = {.end = model->tab_count};

	span.room = scene->place.cols - session_text(scene, session, sizeof(session));
	while (span.end > active + 1 && span_cols(model, span.first, span.end) > span.room) {
		span.end--;
	}
	while (span.first < active && span_cols(model, span.first, span.end) > span.room) {
		span.first++;
	}
	span.col = span.first > 0;
	return span;
}

/** Draw an entry from @col on, within @max columns. */
static void draw_entry(struct bh_draw *draw, int col, int max, const struct entry *entry,
                       struct bh_draw_style style)
{
	int end = col + max;

	bh_draw_clear(draw, (struct bh_draw_rect){0, col, 1, max}, style);
	col += bh_draw_text(draw, 0, col, max, entry->before, style);
	col += bh_draw_name(draw, 0, col,
	                    end - col < entry->name_cols ? end - col : entry->name_cols,
	                    entry->name, style);
	(void)bh_draw_text(draw, 0, col, end - col, entry->after, style);
}

void bh_tabbar_draw(struct bh_draw *draw, const struct bh_scene *scene)
{
	const struct bh_model *model = scene->model;
	struct span span = span_of(scene);
	char session[BH_MODEL_NAME + 64];
	int session_cols = session_text(scene, session, sizeof(session));
	int col = span.col;

	bh_draw_clear(draw, (struct bh_draw_rect){0, 0, 1, scene->place.cols}, bar);
	(void)bh_draw_text(draw, 0, 0, span.col, "‹", bar);
	for (size_t i = span.first; i < span.end && col < span.room; i++) {
		struct entry entry = entry_of(model, &model->tabs[i]);
		int max = span.room - col < entry.cols ? span.room - col : entry.cols;

		draw_entry(draw, col, max, &entry, model->tabs[i].is_active ? bold : bar);
		col += max;
	}
	(void)bh_draw_text(draw, 0, col, span.end < model->tab_count ? span.room - col : 0, "›",
	                   bar);
	(void)bh_draw_text(draw, 0, span.room, session_cols, session, bar);
}

const struct bh_model_tab *bh_tabbar_at(const struct bh_scene *scene, int col)
{
	struct span span = span_of(scene);
	int at = span.col;

	for (size_t i = span.first; i < span.end; i++) {
		int end = at + entry_cols(scene->model, i);

		end = end < span.room ? end : span.room;
		if (col >= at && col < end) {
			return &scene->model->tabs[i];
		}
		at = end;
	}
	return NULL;
}
