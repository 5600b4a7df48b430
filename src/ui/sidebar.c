#include "src/ui/sidebar.h"

#include "src/base/mem.h"
#include "src/ui/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Columns for the word of the state and the age. */
#define STATE_COLS 9

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

/** Mail of a terminal in a few columns: "✉2", with ! when it waits and nobody tells the agent. */
static void mail_text(const struct bh_model_terminal *terminal, char *out, size_t size)
{
	out[0] = '\0';
	if (terminal->unread > 0) {
		(void)snprintf(out, size, " ✉%d%s", terminal->unread,
		               terminal->is_parked ? "!" : "");
	}
}

static void draw_entry(struct bh_draw *draw, struct bh_draw_rect line,
                       const struct bh_model_terminal *terminal, bool is_focus, uint64_t now_ms)
{
	char state[32];
	char mail[32];
	int mail_cols = 0;
	int name_cols = line.cols - 3 - STATE_COLS - 1;
	int col = line.col;

	state_text(terminal, now_ms, state, sizeof(state));
	mail_text(terminal, mail, sizeof(mail));
	mail_cols = bh_draw_width(mail);
	(void)bh_draw_text(draw, line.row, col + 1, 1, bh_scene_glyph(terminal),
	                   bh_model_urgency(terminal) >= 2 ? bold : plain);
	(void)bh_draw_text(draw, line.row, col + 3, name_cols - mail_cols, terminal->identity,
	                   is_focus ? bold : plain);
	(void)bh_draw_text(draw, line.row, col + 3 + name_cols - mail_cols, mail_cols, mail, bold);
	(void)bh_draw_text(draw, line.row, col + line.cols - STATE_COLS, STATE_COLS, state,
	                   bh_model_urgency(terminal) >= 2 ? bold : dim);
}

void bh_sidebar_draw(struct bh_draw *draw, struct bh_draw_rect rect, const struct bh_model *model,
                     uint64_t now_ms)
{
	const struct bh_model_pane *focus = bh_model_focus(model);
	const struct bh_model_terminal **entries = NULL;
	size_t count = 0;
	int unread = 0;
	char text[64];

	bh_draw_clear(draw, rect, plain);
	for (int i = 0; i < rect.rows; i++) {
		(void)bh_draw_text(draw, rect.row + i, rect.col + rect.cols - 1, 1, "│", dim);
	}
	rect.cols--;
	(void)bh_draw_text(draw, rect.row, rect.col + 1, rect.cols - 1, "agents", bold);
	entries = entries_new(model, &count);
	for (size_t i = 0; i < count; i++) {
		struct bh_draw_rect line = {rect.row + 1 + (int)i, rect.col, 1, rect.cols};

		unread += entries[i]->unread;
		if ((int)i < rect.rows - 2) {
			draw_entry(draw, line, entries[i],
			           focus != NULL && strcmp(focus->terminal_id, entries[i]->id) == 0,
			           now_ms);
		}
	}
	free(entries);
	(void)snprintf(text, sizeof(text), count == 0 ? "no agents" : "mail  %d unread", unread);
	(void)bh_draw_text(draw, rect.row + rect.rows - 1, rect.col + 1, rect.cols - 1, text, dim);
}

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
