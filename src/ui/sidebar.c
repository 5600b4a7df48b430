#include "src/ui/sidebar.h"

#include "src/base/mem.h"
#include "src/ui/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The mailbox of a person. */
#define OPERATOR "operator"

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style bold = {.attrs = BH_ATTR_BOLD};

/** More urgent first; among equals the older one. */
static int compare_entries(const void *a, const void *b)
{
	const struct bh_model_terminal *left = *(const struct bh_model_terminal *const *)a;
	const struct bh_model_terminal *right = *(const struct bh_model_terminal *const *)b;
	int by_urgency = bh_model_urgency(right) - bh_model_urgency(left);

	return by_urgency != 0 ? by_urgency : left < right ? -1 : left > right;
}

/** Pointers to the agents in the order of the sidebar; the caller frees. */
static const struct bh_model_terminal **entries_new(const struct bh_model *model, size_t *count_out)
{
	const struct bh_model_terminal **entries =
		bh_xcalloc(model->terminal_count, sizeof(const struct bh_model_terminal *));
	size_t count = 0;

	for (size_t i = 0; i < model->terminal_count; i++) {
		if (bh_model_is_agent(&model->terminals[i])) {
			entries[count++] = &model->terminals[i];
		}
	}
	qsort(entries, count, sizeof(const struct bh_model_terminal *), compare_entries);
	*count_out = count;
	return entries;
}

/** The word beside the name: the state, or for one at work how long. */
static void state_text(const struct bh_model_terminal *terminal, uint64_t now_ms, char *out,
                       size_t size)
{
	uint64_t seconds =
		now_ms < terminal->state_at_ms ? 0 : (now_ms - terminal->state_at_ms) / 1000;

	if (terminal->is_done_unseen) {
		(void)snprintf(out, size, "done");
	} else if (strcmp(terminal->state, "completed") == 0) {
		// Seen: no different from idle any more.
		(void)snprintf(out, size, "idle");
	} else if (strcmp(terminal->state, "working") != 0) {
		(void)snprintf(out, size, "%s", terminal->state);
	} else if (seconds < 3600) {
		(void)snprintf(out, size, "%u:%02u", (unsigned)(seconds / 60),
		               (unsigned)(seconds % 60));
	} else {
		(void)snprintf(out, size, "%uh%02u", (unsigned)(seconds / 3600),
		               (unsigned)(seconds / 60 % 60));
	}
}

/** Whether an agent's mail has something to say, on a line of its own. */
static bool has_mail_line(const struct bh_model_terminal *terminal)
{
	return terminal->unread > 0 && (terminal->is_parked || terminal->queued > 0);
}

/** What becomes of an agent's mail. */
static void mail_text(const struct bh_model_terminal *terminal, char *out, size_t size)
{
	if (terminal->is_parked) {
		(void)snprintf(out, size, "✉%d parked", terminal->unread);
	} else if (terminal->mail_reason[0] != '\0') {
		(void)snprintf(out, size, "✉%d waits: %s", terminal->queued, terminal->mail_reason);
	} else {
		(void)snprintf(out, size, "✉%d queued", terminal->queued);
	}
}

// ----------------------------------------------------------------------------------- lines

/** A line of the list: an agent's name and state, or its mail. */
struct line {
	const struct bh_model_terminal *terminal;
	bool is_mail;
};

/** All of them, in order; the caller frees. */
static struct line *lines_new(const struct bh_model *model, int *count_out)
{
	size_t agents = 0;
	const struct bh_model_terminal **entries = entries_new(model, &agents);
	struct line *lines = bh_xcalloc(agents * 2, sizeof(*lines));

	*count_out = 0;
	for (size_t i = 0; i < agents; i++) {
		lines[(*count_out)++] = (struct line){.terminal = entries[i]};
		if (has_mail_line(entries[i])) {
			lines[(*count_out)++] = (struct line){entries[i], true};
		}
	}
	free(entries);
	return lines;
}

/** Rows of the list: all but the title and the line of mail. */
static int list_rows(struct bh_draw_rect rect)
{
	return rect.rows > 2 ? rect.rows - 2 : 0;
}

/** The first line that is shown, of @count. */
static int first_line(struct bh_draw_rect rect, int scroll, int count)
{
	int most = count - list_rows(rect);

	scroll = scroll > most ? most : scroll;
	return scroll < 0 ? 0 : scroll;
}

static void draw_agent(struct bh_draw *draw, struct bh_draw_rect line,
                       const struct bh_model_terminal *terminal, bool is_focus, uint64_t now_ms)
{
	char state[32];
	char mail[32] = "";
	int state_cols = 0;
	int name_cols = 0;
	int used = 0;
	struct bh_draw_style style = bh_scene_state_style(terminal);

	state_text(terminal, now_ms, state, sizeof(state));
	if (terminal->unread > 0 && !has_mail_line(terminal)) {
		(void)snprintf(mail, sizeof(mail), " ✉%d", terminal->unread);
	}
	state_cols = bh_draw_width(state);
	line.cols--;
	name_cols = line.cols - 3 - 1 - state_cols - bh_draw_width(mail);
	(void)bh_draw_text(draw, line.row, line.col + 1, 1, bh_scene_glyph(terminal), style);
	used = 3 + bh_draw_name(draw, line.row, line.col + 3, name_cols, terminal->identity,
	                        is_focus ? bold : plain);
	(void)bh_draw_text(draw, line.row, line.col + used, line.cols - used, mail, bold);
	(void)bh_draw_text(draw, line.row, line.col + line.cols - state_cols, state_cols, state,
	                   style);
}

static void draw_line(struct bh_draw *draw, struct bh_draw_rect at, const struct line *line,
                      const struct bh_sidebar *sidebar)
{
	const struct bh_model_pane *focus = bh_model_focus(sidebar->model);
	char text[BH_MODEL_WORD + 32];

	if (!line->is_mail) {
		draw_agent(draw, at, line->terminal,
		           focus != NULL && strcmp(focus->terminal_id, line->terminal->id) == 0,
		           sidebar->now_ms);
		return;
	}
	mail_text(line->terminal, text, sizeof(text));
	(void)bh_draw_text(draw, at.row, at.col + 3, at.cols - 3, text,
	                   line->terminal->is_parked ? bold : plain);
}

/** Whether one of @count agents waits for a person. */
static bool is_one_awaiting(const struct line *lines, int count)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(lines[i].terminal->state, "awaiting") == 0) {
			return true;
		}
	}
	return false;
}

/** The title, with how many lines are out of view above and below; @mark says that of those above
 * one is waited for. */
static void draw_head(struct bh_draw *draw, struct bh_draw_rect rect, int above, int below,
                      const char *mark)
{
	char text[48];
	int cols = 0;

	(void)bh_draw_text(draw, rect.row, rect.col + 1, rect.cols - 1, "agents", bold);
	if (above > 0 && below > 0) {
		(void)snprintf(text, sizeof(text), "%s↑%d ↓%d", mark, above, below);
	} else {
		(void)snprintf(text, sizeof(text), "%s%s%d", mark, above > 0 ? "↑" : "↓",
		               above + below);
	}
	cols = bh_draw_width(text);
	if (above + below > 0 && cols + 8 <= rect.cols) {
		(void)bh_draw_text(draw, rect.row, rect.col + rect.cols - cols, cols, text,
		                   mark[0] != '\0' ? bold : dim);
	}
}

/** How much mail is unread, and how much of it is the person's own. */
static void draw_mail(struct bh_draw *draw, struct bh_draw_rect rect, const struct bh_model *model)
{
	int own = bh_model_unread_of(model, OPERATOR);
	int unread = own;
	int agents = 0;
	char text[64];

	for (size_t i = 0; i < model->terminal_count; i++) {
		if (bh_model_is_agent(&model->terminals[i])) {
			agents++;
			unread += model->terminals[i].unread;
		}
	}
	if (own > 0) {
		(void)snprintf(text, sizeof(text), "✉ %d for you", own);
	} else {
		(void)snprintf(text, sizeof(text), agents == 0 ? "no agents" : "mail  %d unread",
		               unread);
	}
	(void)bh_draw_text(draw, rect.row + rect.rows - 1, rect.col + 1, rect.cols - 1, text,
	                   own > 0 ? bold : dim);
}

void bh_sidebar_draw(struct bh_draw *draw, struct bh_draw_rect rect,
                     const struct bh_sidebar *sidebar)
{
	int count = 0;
	struct line *lines = lines_new(sidebar->model, &count);
	int first = first_line(rect, sidebar->scroll, count);
	int rows = list_rows(rect);

	bh_draw_clear(draw, rect, plain);
	for (int i = 0; i < rect.rows; i++) {
		(void)bh_draw_text(draw, rect.row + i, rect.col + rect.cols - 1, 1, "│", dim);
	}
	rect.cols--;
	draw_head(draw, rect, first, count > first + rows ? count - first - rows : 0,
	          is_one_awaiting(lines, first) ? "!" : "");
	for (int i = 0; i < rows && first + i < count; i++) {
		draw_line(draw, (struct bh_draw_rect){rect.row + 1 + i, rect.col, 1, rect.cols},
		          &lines[first + i], sidebar);
	}
	if (count == 0 && rows > 0 && sidebar->start_keys != NULL) {
		char text[64];

		(void)snprintf(text, sizeof(text), "%s starts one", sidebar->start_keys);
		(void)bh_draw_text(draw, rect.row + 1, rect.col + 1, rect.cols - 1, text, dim);
	}
	free(lines);
	draw_mail(draw, rect, sidebar->model);
}

// ----------------------------------------------------------------------------------- mouse

const struct bh_model_terminal *bh_sidebar_at(struct bh_draw_rect rect,
                                              const struct bh_sidebar *sidebar, int row)
{
	const struct bh_model_terminal *terminal = NULL;
	int count = 0;
	struct line *lines = lines_new(sidebar->model, &count);
	int at = row - rect.row - 1;

	if (at >= 0 && at < list_rows(rect)) {
		at += first_line(rect, sidebar->scroll, count);
		terminal = at < count ? lines[at].terminal : NULL;
	}
	free(lines);
	return terminal;
}

bool bh_sidebar_is_mail(struct bh_draw_rect rect, int row)
{
	return row == rect.row + rect.rows - 1;
}

int bh_sidebar_scroll_max(struct bh_draw_rect rect, const struct bh_model *model)
{
	int count = 0;

	free(lines_new(model, &count));
	return first_line(rect, count, count);
}

// ------------------------------------------------------------------------------------ time

uint64_t bh_sidebar_due_ms(const struct bh_model *model, uint64_t now_ms)
{
	uint64_t due_ms = 0;

	for (size_t i = 0; i < model->terminal_count; i++) {
		const struct bh_model_terminal *at = &model->terminals[i];

		if (bh_model_is_agent(at) && strcmp(at->state, "working") == 0) {
			// The next whole second of its age.
			uint64_t next_ms = now_ms + 1000 - (now_ms - at->state_at_ms) % 1000;

			due_ms = due_ms == 0 || next_ms < due_ms ? next_ms : due_ms;
		}
	}
	return due_ms;
}
