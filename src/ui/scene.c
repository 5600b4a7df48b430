#include "src/ui/scene.h"

#include "src/base/utf8.h"
#include "src/ui/border.h"
#include "src/ui/question.h"
#include "src/ui/sidebar.h"
#include "src/ui/tabbar.h"

#include <stdio.h>
#include <string.h>

/** The sidebar's width, and from how many columns on there is one. */
#define SIDEBAR_COLS_MIN 22
#define SIDEBAR_COLS_MAX 36
#define SIDEBAR_FROM_COLS 65
/** From how many rows on there are a tab bar and a status line. */
#define LINES_FROM_ROWS 6
/** Most rows of a message. */
#define MESSAGE_ROWS 3

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style bold = {.attrs = BH_ATTR_BOLD};
static const struct bh_draw_style bar = {.attrs = BH_ATTR_REVERSE};

// ---------------------------------------------------------------------------------- places

struct bh_scene_place bh_scene_divide(int cols, int rows, bool wants_sidebar, int sidebar_cols)
{
	struct bh_scene_place place = {.cols = cols, .rows = rows};
	int sidebar = cols / 5;

	if (rows >= LINES_FROM_ROWS) {
		place.top_rows = 1;
		place.bottom_rows = 1;
	}
	if (wants_sidebar && cols >= SIDEBAR_FROM_COLS && rows >= LINES_FROM_ROWS) {
		sidebar = sidebar < SIDEBAR_COLS_MIN ? SIDEBAR_COLS_MIN : sidebar;
		sidebar = sidebar > SIDEBAR_COLS_MAX ? SIDEBAR_COLS_MAX : sidebar;
		place.sidebar_cols = sidebar_cols > 0 ? sidebar_cols : sidebar;
	}
	place.area = (struct bh_draw_rect){.row = place.top_rows,
	                                   .col = place.sidebar_cols,
	                                   .rows = rows - place.top_rows - place.bottom_rows,
	                                   .cols = cols - place.sidebar_cols};
	return place;
}

struct bh_draw_rect bh_scene_sidebar_rect(const struct bh_scene_place *place)
{
	return (struct bh_draw_rect){place->top_rows, 0, place->area.rows, place->sidebar_cols};
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

const struct bh_model_pane *bh_scene_pane_at(const struct bh_scene *scene, int row, int col)
{
	const struct bh_model_tab *tab = bh_model_active(scene->model);
	struct bh_scene_origin origin = bh_scene_origin(scene);

	for (size_t i = 0; tab != NULL && i < tab->pane_count; i++) {
		struct bh_draw_rect rect = bh_scene_pane_rect(scene, origin, &tab->panes[i]);

		if (tab->panes[i].is_visible && row >= rect.row && row < rect.row + rect.rows &&
		    col >= rect.col && col < rect.col + rect.cols) {
			return &tab->panes[i];
		}
	}
	return NULL;
}

struct bh_draw_rect bh_scene_cell_of(const struct bh_scene *scene, const struct bh_model_pane *pane,
                                     int row, int col)
{
	struct bh_draw_rect whole = place_pane(scene, bh_scene_origin(scene), pane);

	return (struct bh_draw_rect){row - whole.row, col - whole.col, 1, 1};
}

// ----------------------------------------------------------------------------------- panes

const char *bh_scene_glyph(const struct bh_model_terminal *terminal)
{
	static const char *const glyphs[] = {"·", "*", "✓", "!"};

	// What a shell does is not known well enough to be marked.
	return glyphs[bh_model_is_agent(terminal) ? bh_model_urgency(terminal) : 0];
}

struct bh_draw_style bh_scene_state_style(const struct bh_model_terminal *terminal)
{
	static const struct bh_draw_style styles[] = {
		{.attrs = BH_ATTR_DIM},
		{.fg = BH_COLOR_INDEX(6)},
		{.attrs = BH_ATTR_BOLD, .fg = BH_COLOR_INDEX(2)},
		{.attrs = BH_ATTR_BOLD, .fg = BH_COLOR_INDEX(3)},
	};

	return styles[bh_model_urgency(terminal)];
}

/** What the title line of a pane says, most important first. */
static void title_text(const struct bh_model_terminal *terminal, bool is_zoomed, char *out,
                       size_t size)
{
	// The server's own note says it, too, and may say something newer.
	bool is_waiting = terminal->queued > 0 && terminal->mail_reason[0] != '\0' &&
	                  terminal->note[0] == '\0';

	// Of an agent its state is told; of any other program what it calls itself.
	bool is_agent = bh_model_is_agent(terminal);
	bool has_title = !is_agent && terminal->title[0] != '\0';

	(void)snprintf(out, size, " %s%s%s%s%s%s%s%s%s%s ", terminal->identity,
	               is_agent ? " · " : "", is_agent ? terminal->state : "",
	               is_zoomed ? " · zoomed" : "", is_waiting ? " · mail waits: " : "",
	               is_waiting ? terminal->mail_reason : "",
	               terminal->note[0] == '\0' ? "" : " · ", terminal->note,
	               has_title ? " · " : "", has_title ? terminal->title : "");
}

/** What stands in the line above a pane. */
static void draw_title(struct bh_draw *draw, const struct bh_scene *scene,
                       struct bh_draw_rect pane_rect, const struct bh_model_pane *pane)
{
	const struct bh_model_tab *tab = bh_model_active(scene->model);
	const struct bh_model_terminal *terminal =
		bh_model_terminal(scene->model, pane->terminal_id);
	struct bh_draw_rect line = {pane_rect.row - 1, pane_rect.col, 1, pane_rect.cols};
	bool is_focus = strcmp(tab->focus, pane->terminal_id) == 0;
	struct bh_draw_style style = is_focus ? bold : dim;
	char text[2 * BH_MODEL_TEXT + BH_MODEL_NAME + 160];

	if (terminal != NULL) {
		title_text(terminal, tab->is_zoomed, text, sizeof(text));
		if (bh_model_is_agent(terminal) && bh_model_urgency(terminal) >= 2) {
			style = bh_scene_state_style(terminal);
		}
	} else {
		// The pane would be gone if nothing came into it.
		(void)snprintf(text, sizeof(text), " %s · ended, starts again ", pane->identity);
	}
	line = clip(line, scene->place.area);
	if (line.rows > 0 && line.cols > 2 && (terminal != NULL || pane->identity[0] != '\0')) {
		(void)bh_draw_text(draw, line.row, line.col + 1, line.cols - 2, text, style);
	}
}

/** How a screen is put into the frame. */
typedef void draw_screen_how(struct bh_draw *draw, struct bh_draw_rect rect,
                             const struct bh_screen *screen, int first_row, int first_col);

static void draw_screen(struct bh_draw *draw, const struct bh_scene *scene,
                        const struct bh_model_pane *pane, draw_screen_how *how)
{
	const struct bh_screen *screen = scene->screen_of(scene->user, pane->terminal_id);
	struct bh_draw_rect whole = place_pane(scene, bh_scene_origin(scene), pane);
	struct bh_draw_rect seen = clip(whole, scene->place.area);

	if (screen != NULL && seen.rows > 0 && seen.cols > 0) {
		how(draw, seen, screen, seen.row - whole.row, seen.col - whole.col);
	}
}

void bh_scene_draw_screen(struct bh_draw *draw, const struct bh_scene *scene,
                          const struct bh_model_pane *pane)
{
	draw_screen(draw, scene, pane, bh_draw_screen_again);
}

static void draw_pane(struct bh_draw *draw, const struct bh_scene *scene,
                      struct bh_scene_origin origin, const struct bh_model_pane *pane)
{
	struct bh_draw_rect whole = place_pane(scene, origin, pane);

	draw_title(draw, scene, whole, pane);
	draw_screen(draw, scene, pane, bh_draw_screen);
}

/** Dots where our place is larger than the session, whose size others chose. */
static void draw_beyond(struct bh_draw *draw, const struct bh_scene *scene)
{
	const struct bh_draw_rect *area = &scene->place.area;

	for (int row = 0; row < area->rows; row++) {
		int first = row < scene->model->area_rows ? scene->model->area_cols : 0;

		for (int col = first; col < area->cols; col++) {
			(void)bh_draw_text(draw, area->row + row, area->col + col, 1, "·", dim);
		}
	}
}

static void draw_panes(struct bh_draw *draw, const struct bh_scene *scene)
{
	const struct bh_model_tab *tab = bh_model_active(scene->model);
	struct bh_scene_origin origin = bh_scene_origin(scene);

	bh_draw_clear(draw, scene->place.area, plain);
	if (tab != NULL) {
		draw_beyond(draw, scene);
	}
	bh_border_draw(draw, scene->place.area, origin, scene->model);
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

// ------------------------------------------------------------------- status line

/** A key and what it does, for the status line. */
struct hint {
	enum bh_action action;
	const char *text;
};

/** Append hints, @before (which begins with three blanks) in front of each key; actions without a key
 * are left out. */
static void add_hints(struct bh_buf *out, const struct bh_scene *scene, const struct hint *hints,
                      const char *before)
{
	for (; hints->text != NULL; hints++) {
		const char *key = bh_bindings_key(scene->bindings, hints->action);

		if (key != NULL) {
			bh_buf_printf(out, "%s%s %s", before + (out->len == 0 ? 2 : 0), key,
			              hints->text);
		}
	}
}

/** What the status line says when nothing else is to be said. */
static void idle_text(const struct bh_scene *scene, struct bh_buf *out)
{
	static const struct hint after_prefix[] = {
		{BH_ACTION_DETACH, "detach"},
		{BH_ACTION_TAB_NEW, "new tab"},
		{BH_ACTION_SPLIT_RIGHT, "split right"},
		{BH_ACTION_SPLIT_DOWN, "split down"},
		{BH_ACTION_HELP, "help"},
		{0},
	};
	static const struct hint help[] = {{BH_ACTION_HELP, "help"}, {0}};
	static const struct hint needing[] = {{BH_ACTION_NEXT_NEEDING, "next needing you:"}, {0}};
	static const struct hint detach[] = {{BH_ACTION_DETACH, "detach"}, {0}};
	const struct bh_model_pane *focus = bh_model_focus(scene->model);
	const struct bh_model_terminal *next =
		bh_model_next_needing(scene->model, focus == NULL ? "" : focus->terminal_id);
	char before[BH_BINDINGS_KEY + 8];

	(void)snprintf(before, sizeof(before), "   %s ", scene->bindings->prefix_name);
	if (scene->is_prefix) {
		bh_buf_printf(out, " %s ...", scene->bindings->prefix_name);
		add_hints(out, scene, after_prefix, "   ");
		return;
	}
	add_hints(out, scene, help, before);
	if (next != NULL && !bh_model_is_seen(scene->model, next->id)) {
		add_hints(out, scene, needing, before);
		bh_buf_printf(out, " %s (%s)", next->identity,
		              next->is_done_unseen ? "done" : next->state);
	} else {
		add_hints(out, scene, detach, before);
	}
}

/** A question and what was filled in: of what is too long the end, where the cursor stands. */
static void draw_question(struct bh_draw *draw, const struct bh_scene *scene, int row)
{
	int cols = scene->place.cols;
	struct bh_buf text = {0};
	struct bh_cursor cursor = {.row = row, .is_visible = true};
	const char *shown = NULL;

	bh_buf_printf(&text, " %s %s", scene->question->label, scene->question->text);
	shown = text.data;
	if (bh_draw_width(shown) >= cols) {
		cursor.col = bh_draw_text(draw, row, 0, cols, "‹", bar);
		while (*shown != '\0' && bh_draw_width(shown) + cursor.col >= cols) {
			shown += bh_utf8_next(shown, strlen(shown), NULL);
		}
	}
	cursor.col += bh_draw_text(draw, row, cursor.col, cols, shown, bar);
	(void)bh_draw_text(draw, row, cursor.col + 2, cols - cursor.col - 2, scene->question->hint,
	                   bar);
	if (cursor.col + 2 < cols && cursor.col + 2 + bh_draw_width(scene->question->hint) > cols) {
		(void)bh_draw_text(draw, row, cols - 1, 1, "…", bar);
	}
	cursor.col = cursor.col < cols ? cursor.col : cols - 1;
	bh_draw_cursor(draw, &cursor);
	bh_buf_clear(&text);
}

/** How many bytes of @text stand on one line of @cols columns, cut at a blank where there is one. */
static size_t line_len(const char *text, int cols)
{
	char part[BH_MODEL_TEXT + 1];
	size_t blank = 0;
	size_t at = 0;

	while (at < BH_MODEL_TEXT - 4 && text[at] != '\0') {
		size_t len = bh_utf8_next(text + at, strlen(text + at), NULL);

		len = len == 0 ? 1 : len;
		blank = text[at] == ' ' ? at : blank;
		(void)snprintf(part, sizeof(part), "%.*s", (int)(at + len), text);
		if (bh_draw_width(part) > cols) {
			return blank > 0 ? blank : at;
		}
		at += len;
	}
	return at;
}

/** The message on as many lines as it needs and may have, over the lowest rows. */
static void draw_message(struct bh_draw *draw, const struct bh_scene *scene)
{
	int lines = bh_scene_message_rows(scene);
	int cols = scene->place.cols;
	const char *text = scene->message;
	char line[BH_MODEL_TEXT + 1];

	for (int i = 0; i < lines; i++) {
		int row = scene->place.rows - lines + i;
		size_t len = i + 1 < lines ? line_len(text, cols - 1) : strlen(text);

		(void)snprintf(line, sizeof(line), "%.*s", (int)len, text);
		bh_draw_clear(draw, (struct bh_draw_rect){row, 0, 1, cols}, bar);
		(void)bh_draw_text(draw, row, 1, cols - 1, line, bar);
		text += len;
		text += strspn(text, " ");
	}
}

int bh_scene_message_rows(const struct bh_scene *scene)
{
	int most = scene->place.area.rows - 2;
	const char *text = scene->message;
	int lines = 0;

	if (scene->message[0] == '\0' || scene->question->state == BH_QUESTION_OPEN ||
	    scene->place.bottom_rows == 0) {
		return 0;
	}
	most = most < 1 ? 1 : most > MESSAGE_ROWS ? MESSAGE_ROWS : most;
	for (; *text != '\0' && lines < most; lines++) {
		text += line_len(text, scene->place.cols - 1);
		text += strspn(text, " ");
	}
	return lines;
}

static void draw_status(struct bh_draw *draw, const struct bh_scene *scene)
{
	int row = scene->place.rows - 1;
	int cols = scene->place.cols;
	struct bh_buf text = {0};

	bh_draw_clear(draw, (struct bh_draw_rect){row, 0, 1, cols}, bar);
	if (scene->question->state == BH_QUESTION_OPEN) {
		draw_question(draw, scene, row);
		return;
	}
	if (bh_scene_message_rows(scene) > 0) {
		draw_message(draw, scene);
		return;
	}
	idle_text(scene, &text);
	(void)bh_draw_text(draw, row, 0, cols, text.data, bar);
	bh_buf_clear(&text);
}

void bh_scene_draw(struct bh_draw *draw, const struct bh_scene *scene)
{
	const struct bh_scene_place *place = &scene->place;

	draw_panes(draw, scene);
	if (scene->draw_over == NULL) {
		bh_scene_draw_cursor(draw, scene);
	} else {
		scene->draw_over(scene->user, scene);
	}
	if (place->sidebar_cols > 0) {
		const char *key = bh_bindings_key(scene->bindings, BH_ACTION_NEW_AGENT);
		char keys[2 * BH_BINDINGS_KEY];

		(void)snprintf(keys, sizeof(keys), "%s %s", scene->bindings->prefix_name,
		               key == NULL ? "" : key);
		bh_sidebar_draw(draw, bh_scene_sidebar_rect(place),
		                &(struct bh_sidebar){.model = scene->model,
		                                     .start_keys = key == NULL ? NULL : keys,
		                                     .scroll = scene->sidebar_scroll,
		                                     .now_ms = scene->now_ms});
	}
	if (place->top_rows > 0) {
		bh_tabbar_draw(draw, scene);
	}
	if (place->bottom_rows > 0 || scene->question->state == BH_QUESTION_OPEN) {
		draw_status(draw, scene);
	}
}
