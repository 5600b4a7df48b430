#include "src/ui/scene.h"

#include "src/ui/keytable.h"
#include "src/ui/sidebar.h"

#include <stdio.h>
#include <string.h>

/** The sidebar's width, and from how many columns on there is one. */
#define SIDEBAR_COLS_MIN 18
#define SIDEBAR_COLS_MAX 36
#define SIDEBAR_FROM_COLS 65
/** From how many rows on there are a tab bar and a status line. */
#define LINES_FROM_ROWS 6
/** Longest name of a tab in the tab bar (columns). */
#define TAB_NAME_COLS 20
/** Columns of the keys in the help. */
#define HELP_KEY_COLS 9

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style bold = {.attrs = BH_ATTR_BOLD};
static const struct bh_draw_style bar = {.attrs = BH_ATTR_REVERSE};

// ---------------------------------------------------------------------------------- places

struct bh_scene_place bh_scene_divide(int cols, int rows, bool wants_sidebar)
{
	struct bh_scene_place place = {.cols = cols, .rows = rows};
	int sidebar = cols / 5;

	if (rows >= LINES_FROM_ROWS) {
		place.top_rows = 1;
		place.bottom_rows = 1;
	}
	if (wants_sidebar && cols >= SIDEBAR_FROM_COLS && rows >= LINES_FROM_ROWS) {
		sidebar = sidebar < SIDEBAR_COLS_MIN ? SIDEBAR_COLS_MIN : sidebar;
		place.sidebar_cols = sidebar > SIDEBAR_COLS_MAX ? SIDEBAR_COLS_MAX : sidebar;
	}
	place.area = (struct bh_draw_rect){.row = place.top_rows,
	                                   .col = place.sidebar_cols,
	                                   .rows = rows - place.top_rows - place.bottom_rows,
	                                   .cols = cols - place.sidebar_cols};
	return place;
}

/** How far to move so that @at is within @size cells. */
static int scroll_to(int at, int size)
{
	return at < size ? 0 : at - size + 1;
}

struct bh_scene_origin bh_scene_origin(const struct bh_scene *scene)
{
	const struct bh_model_pane *pane = bh_model_focus(scene->model);
	const struct bh_screen *screen =
		pane == NULL ? NULL : scene->screen_of(scene->user, pane->terminal_id);
	struct bh_scene_origin origin = {0};

	if (screen != NULL) {
		struct bh_cursor cursor = bh_screen_cursor(screen);

		origin.row = scroll_to(pane->row + cursor.row, scene->place.area.rows);
		origin.col = scroll_to(pane->col + cursor.col, scene->place.area.cols);
	}
	return origin;
}

/** Cut @rect to what is inside of @area; 0 rows or columns when nothing is. */
static struct bh_draw_rect clip(struct bh_draw_rect rect, struct bh_draw_rect area)
{
	int row_end = rect.row + rect.rows;
	int col_end = rect.col + rect.cols;

	rect.row = rect.row < area.row ? area.row : rect.row;
	rect.col = rect.col < area.col ? area.col : rect.col;
	row_end = row_end > area.row + area.rows ? area.row + area.rows : row_end;
	col_end = col_end > area.col + area.cols ? area.col + area.cols : col_end;
	rect.rows = row_end > rect.row ? row_end - rect.row : 0;
	rect.cols = col_end > rect.col ? col_end - rect.col : 0;
	return rect;
}

/** Where a pane would be if our place had no edges. */
static struct bh_draw_rect place_pane(const struct bh_scene *scene, struct bh_scene_origin origin,
                                      const struct bh_model_pane *pane)
{
	const struct bh_draw_rect *area = &scene->place.area;

	return (struct bh_draw_rect){.row = area->row + pane->row - origin.row,
	                             .col = area->col + pane->col - origin.col,
	                             .rows = pane->rows,
	                             .cols = pane->cols};
}

struct bh_draw_rect bh_scene_pane_rect(const struct bh_scene *scene, struct bh_scene_origin origin,
                                       const struct bh_model_pane *pane)
{
	return clip(place_pane(scene, origin, pane), scene->place.area);
}

// ----------------------------------------------------------------------------------- panes

const char *bh_scene_glyph(const struct bh_model_terminal *terminal)
{
	static const char *const glyphs[] = {"·", "*", "✓", "!"};

	return glyphs[bh_model_urgency(terminal)];
}

/** What the title line of a pane says, most important first. */
static void title_text(const struct bh_model_terminal *terminal, bool is_zoomed, char *out,
                       size_t size)
{
	bool is_waiting = terminal->queued > 0 && terminal->mail_reason[0] != '\0';

	(void)snprintf(out, size, " %s%s%s%s%s%s%s%s ", terminal->identity,
	               bh_model_is_agent(terminal) ? " · " : "",
	               bh_model_is_agent(terminal) ? terminal->state : "",
	               is_zoomed ? " · zoomed" : "", is_waiting ? " · mail waits: " : "",
	               is_waiting ? terminal->mail_reason : "",
	               terminal->note[0] == '\0' ? "" : " · ", terminal->note);
}

/** The line above a pane. */
static void draw_title(struct bh_draw *draw, const struct bh_scene *scene,
                       struct bh_draw_rect pane_rect, const struct bh_model_pane *pane)
{
	const struct bh_model_tab *tab = bh_model_active(scene->model);
	const struct bh_model_terminal *terminal =
		bh_model_terminal(scene->model, pane->terminal_id);
	struct bh_draw_rect line = {pane_rect.row - 1, pane_rect.col, 1, pane_rect.cols};
	bool is_focus = strcmp(tab->focus, pane->terminal_id) == 0;
	struct bh_draw_style style = is_focus ? bold : dim;
	char text[BH_MODEL_TEXT + BH_MODEL_NAME + 160];

	line = clip(line, scene->place.area);
	for (int i = 0; line.rows > 0 && i < line.cols; i++) {
		(void)bh_draw_text(draw, line.row, line.col + i, 1, is_focus ? "━" : "─", style);
	}
	if (line.rows > 0 && line.cols > 2 && terminal != NULL) {
		title_text(terminal, tab->is_zoomed, text, sizeof(text));
		(void)bh_draw_text(draw, line.row, line.col + 1, line.cols - 2, text, style);
	}
}

/** The column between a pane and the one at its right. */
static void draw_border(struct bh_draw *draw, const struct bh_scene *scene,
                        struct bh_draw_rect pane_rect, const struct bh_model_pane *pane)
{
	struct bh_draw_rect line = {pane_rect.row - 1, pane_rect.col + pane_rect.cols,
	                            pane_rect.rows + 1, 1};

	if (pane->col + pane->cols >= scene->model->area_cols) {
		return;
	}
	line = clip(line, scene->place.area);
	for (int i = 0; line.cols > 0 && i < line.rows; i++) {
		(void)bh_draw_text(draw, line.row + i, line.col, 1, "│", dim);
	}
}

void bh_scene_draw_screen(struct bh_draw *draw, const struct bh_scene *scene,
                          const struct bh_model_pane *pane)
{
	const struct bh_screen *screen = scene->screen_of(scene->user, pane->terminal_id);
	struct bh_draw_rect whole = place_pane(scene, bh_scene_origin(scene), pane);
	struct bh_draw_rect seen = clip(whole, scene->place.area);

	if (screen != NULL && seen.rows > 0 && seen.cols > 0) {
		bh_draw_screen(draw, seen, screen, seen.row - whole.row, seen.col - whole.col);
	}
}

static void draw_pane(struct bh_draw *draw, const struct bh_scene *scene,
                      struct bh_scene_origin origin, const struct bh_model_pane *pane)
{
	struct bh_draw_rect whole = place_pane(scene, origin, pane);

	draw_title(draw, scene, whole, pane);
	draw_border(draw, scene, whole, pane);
	bh_scene_draw_screen(draw, scene, pane);
}

static void draw_panes(struct bh_draw *draw, const struct bh_scene *scene)
{
	const struct bh_model_tab *tab = bh_model_active(scene->model);
	struct bh_scene_origin origin = bh_scene_origin(scene);

	bh_draw_clear(draw, scene->place.area, plain);
	for (size_t i = 0; tab != NULL && i < tab->pane_count; i++) {
		if (tab->panes[i].is_visible) {
			draw_pane(draw, scene, origin, &tab->panes[i]);
		}
	}
}

void bh_scene_draw_cursor(struct bh_draw *draw, const struct bh_scene *scene)
{
	const struct bh_model_pane *pane = bh_model_focus(scene->model);
	const struct bh_screen *screen =
		pane == NULL ? NULL : scene->screen_of(scene->user, pane->terminal_id);
	struct bh_cursor cursor = {0};

	if (screen != NULL) {
		struct bh_scene_origin origin = bh_scene_origin(scene);
		struct bh_draw_rect whole = place_pane(scene, origin, pane);
		struct bh_draw_rect at;

		cursor = bh_screen_cursor(screen);
		cursor.row += whole.row;
		cursor.col += whole.col;
		at = clip((struct bh_draw_rect){cursor.row, cursor.col, 1, 1},
		          clip(whole, scene->place.area));
		cursor.is_visible = cursor.is_visible && at.rows > 0 && at.cols > 0;
	}
	bh_draw_cursor(draw, &cursor);
}

// ------------------------------------------------------------------- tab bar and status line

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

/** Draw a tab from @col on, within @max columns; gives the columns used. */
static int draw_tab(struct bh_draw *draw, const struct bh_scene *scene, int col, int max,
                    const struct bh_model_tab *tab)
{
	struct bh_draw_style style = tab->is_active ? bold : bar;
	const char *mark = tab_mark(scene->model, tab);
	char text[64];
	int used;

	(void)snprintf(text, sizeof(text), " %d:", tab->index);
	used = bh_draw_text(draw, 0, col, max, text, style);
	used += bh_draw_text(draw, 0, col + used,
	                     max - used < TAB_NAME_COLS ? max - used : TAB_NAME_COLS, tab->name,
	                     style);
	(void)snprintf(text, sizeof(text), "%s%s%s ",
	               tab->is_active ? "*"
	               : tab->is_last ? "-"
	                              : "",
	               tab->is_zoomed ? "Z" : "", mark);
	return used + bh_draw_text(draw, 0, col + used, max - used, text, style);
}

static void draw_tab_bar(struct bh_draw *draw, const struct bh_scene *scene)
{
	const struct bh_model *model = scene->model;
	int cols = scene->place.cols;
	char right[BH_MODEL_NAME];
	int right_cols = 0;
	int col = 0;
	size_t first = 0;

	bh_draw_clear(draw, (struct bh_draw_rect){0, 0, 1, cols}, bar);
	(void)snprintf(right, sizeof(right), " bellhop · %s%s ", scene->session,
	               scene->is_observing ? " · only looking" : "");
	right_cols = bh_draw_width(right);
	right_cols = right_cols > cols / 2 ? 0 : right_cols;
	// The active tab is always seen: those before it make room for it.
	while (first + 1 < model->tab_count && !model->tabs[first].is_active &&
	       model->tab_count * 8 > (size_t)cols) {
		first++;
	}
	for (size_t i = first; i < model->tab_count && col < cols - right_cols; i++) {
		col += draw_tab(draw, scene, col, cols - right_cols - col, &model->tabs[i]);
	}
	(void)bh_draw_text(draw, 0, cols - right_cols, right_cols, right, bar);
}

/** What the status line says when nothing else is to be said. */
static void idle_text(const struct bh_scene *scene, char *out, size_t size)
{
	const struct bh_model_pane *focus = bh_model_focus(scene->model);
	const struct bh_model_terminal *next =
		bh_model_next_needing(scene->model, focus == NULL ? "" : focus->terminal_id);

	if (scene->is_prefix) {
		(void)snprintf(out, size,
		               " C-b ...  (d detach, c new tab, %% and \" split, ? help)");
	} else if (next != NULL && !bh_model_is_seen(scene->model, next->id)) {
		(void)snprintf(out, size, " C-b ? help   C-b a next needing you: %s (%s)",
		               next->identity, next->is_done_unseen ? "done" : next->state);
	} else {
		(void)snprintf(out, size, " C-b ? help   C-b d detach");
	}
}

static void draw_status(struct bh_draw *draw, const struct bh_scene *scene)
{
	int row = scene->place.rows - 1;
	int cols = scene->place.cols;
	char text[BH_MODEL_TEXT + 64];

	bh_draw_clear(draw, (struct bh_draw_rect){row, 0, 1, cols}, bar);
	if (scene->question->state == BH_QUESTION_OPEN) {
		struct bh_cursor cursor = {.row = row, .is_visible = true};

		(void)snprintf(text, sizeof(text), " %s %s", scene->question->label,
		               scene->question->text);
		cursor.col = bh_draw_text(draw, row, 0, cols, text, bar);
		cursor.col = cursor.col < cols ? cursor.col : cols - 1;
		bh_draw_cursor(draw, &cursor);
		return;
	}
	if (scene->message[0] != '\0') {
		(void)snprintf(text, sizeof(text), " %s", scene->message);
	} else {
		idle_text(scene, text, sizeof(text));
	}
	(void)bh_draw_text(draw, row, 0, cols, text, bar);
}

// ------------------------------------------------------------------------------------ help

/** Draw row @row of the table at @line. */
static void draw_help_row(struct bh_draw *draw, struct bh_draw_rect line,
                          const struct bh_key_row *row)
{
	char key[16];

	bh_keytable_key(row, key, sizeof(key));
	(void)bh_draw_text(draw, line.row, line.col + 1, HELP_KEY_COLS - 1, key, bold);
	(void)bh_draw_text(draw, line.row, line.col + HELP_KEY_COLS, line.cols - HELP_KEY_COLS,
	                   row->help, plain);
}

/** The key table over the panes, in as many columns as it needs and there is room for. */
static void draw_help(struct bh_draw *draw, const struct bh_scene *scene)
{
	struct bh_draw_rect area = scene->place.area;
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);
	int shown = 0;
	int lines = area.rows - 2;
	int columns = 0;
	int at = 0;

	for (size_t i = 0; i < count; i++) {
		shown += rows[i].help != NULL;
	}
	lines = lines < 1 ? 1 : lines;
	columns = shown < 1 ? 1 : (shown + lines - 1) / lines;
	bh_draw_clear(draw, area, plain);
	(void)bh_draw_text(draw, area.row, area.col + 1, area.cols - 1,
	                   "keys after C-b (any key closes this)", bold);
	for (size_t i = 0; i < count; i++) {
		struct bh_draw_rect line = {.rows = 1, .cols = area.cols / columns};

		if (rows[i].help != NULL) {
			line.row = area.row + 1 + at % lines;
			line.col = area.col + at / lines * line.cols;
			line.cols--;
			draw_help_row(draw, line, &rows[i]);
			at++;
		}
	}
	bh_draw_cursor(draw, &(struct bh_cursor){0});
}

void bh_scene_draw(struct bh_draw *draw, const struct bh_scene *scene)
{
	const struct bh_scene_place *place = &scene->place;

	draw_panes(draw, scene);
	bh_scene_draw_cursor(draw, scene);
	if (place->sidebar_cols > 0) {
		bh_sidebar_draw(draw,
		                (struct bh_draw_rect){place->top_rows, 0, place->area.rows,
		                                      place->sidebar_cols},
		                scene->model, scene->now_ms);
	}
	if (place->top_rows > 0) {
		draw_tab_bar(draw, scene);
	}
	if (scene->is_help) {
		draw_help(draw, scene);
	}
	if (place->bottom_rows > 0 || scene->question->state == BH_QUESTION_OPEN) {
		draw_status(draw, scene);
	}
}
