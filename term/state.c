#include "term/state.h"

#include <stdlib.h>
#include <string.h>

// The moves that several files need, and the resets. The margins are kept by their exclusive ends and
// are always in force: without DECLRMM they are the sides of the screen. With DECOM the cursor is
// always inside them; bh_state_move() sees to it, so whoever changes margins or mode moves home.

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

void bh_state_move(struct bh_screen *s, int row, int col)
{
	bool is_origin = bh_state_has(s, BH_SCREEN_MODE_ORIGIN);

	s->row = is_origin ? clamp(row, s->top, s->bottom - 1) : clamp(row, 0, s->rows - 1);
	s->col = is_origin ? clamp(col, s->left, s->right - 1) : clamp(col, 0, s->cols - 1);
	s->is_wrap_pending = false;
	s->is_joinable = false;
}

void bh_state_home(struct bh_screen *s)
{
	// Where DECOM is on the move is clamped to the margins, and so to their corner.
	bh_state_move(s, 0, 0);
}

void bh_state_scroll(struct bh_screen *s, struct bh_rect rect, int up, int left, bool keeps)
{
	bool is_top = rect.top == 0 && rect.left == 0 && rect.right == s->cols;

	if (keeps && is_top && up > 0 && s->grid == &s->main && s->history.max_rows > 0) {
		int count = up < rect.bottom ? up : rect.bottom;

		for (int r = 0; r < count; r++) {
			bh_history_push(&s->history, s->grid->row[r], &s->glyphs);
		}
		s->changes |= BH_SCREEN_CHANGED_HISTORY;
	}
	bh_grid_scroll(s->grid, rect, up, left, s->pen.bg);
	s->changes |= BH_SCREEN_CHANGED_CELLS;
}

bool bh_state_linefeed(struct bh_screen *s)
{
	if (s->row == s->bottom - 1) {
		if (s->col < s->left || s->col >= s->right) {
			return false;
		}
		bh_state_scroll(s, (struct bh_rect){s->top, s->left, s->bottom, s->right}, 1, 0,
		                true);
		return true;
	}
	if (s->row < s->rows - 1) {
		s->row++;
		return true;
	}
	return false;
}

void bh_state_default_tabs(struct bh_screen *s, int from)
{
	for (int c = from; c < s->cols; c++) {
		s->tabs[c] = c % 8 == 0;
	}
}

void bh_state_tell_tabs(struct bh_screen *s)
{
	bh_guard_tabs(s->guard, s->tabs);
}

void bh_state_soft_reset(struct bh_screen *s)
{
	s->top = 0;
	s->bottom = s->rows;
	s->left = 0;
	s->right = s->cols;
	s->pen = (struct bh_pen){0};
	s->charsets = (struct bh_charsets){.set = {'B', 'B', 'B', 'B'}};
	s->saved[bh_state_which(s)] = (struct bh_saved_cursor){.charsets = s->charsets};
	bh_state_put(s, BH_SCREEN_MODE_ORIGIN, false);
	bh_state_put(s, BH_SCREEN_MODE_LEFT_RIGHT, false);
	bh_state_put(s, BH_SCREEN_MODE_INSERT, false);
	bh_state_put(s, BH_SCREEN_MODE_AUTOWRAP, true);
	bh_state_put(s, BH_SCREEN_MODE_APP_CURSOR, false);
	bh_state_put(s, BH_SCREEN_MODE_APP_KEYPAD, false);
	bh_state_put(s, BH_SCREEN_MODE_CURSOR_VISIBLE, true);
	s->kitty[bh_state_which(s)] = (struct bh_kitty){0};
	s->modify_other_keys = 0;
	s->is_wrap_pending = false;
	s->is_joinable = false;
	s->changes |= BH_SCREEN_CHANGED_MODES | BH_SCREEN_CHANGED_CURSOR;
}

static void titles_clear_pushed(struct bh_screen *s)
{
	while (s->pushed_count > 0) {
		s->pushed_count--;
		free(s->pushed[s->pushed_count].title);
		free(s->pushed[s->pushed_count].icon);
	}
}

void bh_state_reset(struct bh_screen *s)
{
	bh_state_show_alt(s, false);
	s->modes = 0;
	s->kitty[1] = (struct bh_kitty){0};
	bh_state_soft_reset(s);
	s->saved[1] = s->saved[0];
	s->shape = BH_CURSOR_BLOCK;
	free(s->palette);
	s->palette = NULL;
	titles_clear_pushed(s);
	bh_grid_erase(s->grid, (struct bh_rect){0, 0, s->rows, s->cols}, BH_COLOR_DEFAULT, false);
	bh_state_default_tabs(s, 0);
	bh_state_tell_tabs(s);
	bh_state_move(s, 0, 0);
	s->sync_until_ms = 0;
	s->changes |= BH_SCREEN_CHANGED_CELLS;
}

void bh_state_save_cursor(struct bh_screen *s)
{
	struct bh_saved_cursor *saved = &s->saved[bh_state_which(s)];

	*saved = (struct bh_saved_cursor){
		.row = s->row,
		.col = s->col,
		.is_wrap_pending = s->is_wrap_pending && s->col == s->cols - 1,
		.is_origin = bh_state_has(s, BH_SCREEN_MODE_ORIGIN),
		.pen = s->pen,
		.charsets = s->charsets,
	};
	saved->charsets.single = 0;
}

void bh_state_restore_cursor(struct bh_screen *s)
{
	const struct bh_saved_cursor *saved = &s->saved[bh_state_which(s)];

	bh_state_put(s, BH_SCREEN_MODE_ORIGIN, saved->is_origin);
	bh_state_move(s, saved->row, saved->col);
	s->is_wrap_pending = saved->is_wrap_pending && s->col == saved->col &&
	                     s->col == bh_state_limit(s) - 1 &&
	                     bh_state_has(s, BH_SCREEN_MODE_AUTOWRAP);
	s->pen = saved->pen;
	s->charsets = saved->charsets;
	s->changes |= BH_SCREEN_CHANGED_CURSOR | BH_SCREEN_CHANGED_MODES;
}

void bh_state_show_alt(struct bh_screen *s, bool is_alt)
{
	if (is_alt == (s->grid == &s->alt)) {
		return;
	}
	if (is_alt) {
		bh_grid_init(&s->alt, s->cols, s->rows);
		s->grid = &s->alt;
	} else {
		bh_grid_clear(&s->alt);
		s->grid = &s->main;
	}
	bh_grid_renew(s->grid);
	bh_state_put(s, BH_SCREEN_MODE_ALT_SCREEN, is_alt);
	s->is_wrap_pending = false;
	s->is_joinable = false;
	s->changes |= BH_SCREEN_CHANGED_MODES | BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR;
}

void bh_state_set_link(struct bh_screen *s, const char *link, const char *link_id)
{
	bool is_full;
	uint16_t extra =
		bh_glyphs_extra(&s->glyphs, s->pen.underline_color, link, link_id, &is_full);

	if (is_full) {
		// The pen's old entry stays while it is in use, and with it @link if it is its own.
		bh_state_sweep(s);
		extra = bh_glyphs_extra(&s->glyphs, s->pen.underline_color, link, link_id,
		                        &is_full);
	}
	if (is_full) {
		s->pen.underline_color = BH_COLOR_DEFAULT;
	}
	s->pen.extra = extra;
}

static void mark_grid(struct bh_screen *s, const struct bh_grid *grid)
{
	for (int r = 0; grid->row != NULL && r < grid->rows; r++) {
		const struct bh_grid_row *row = grid->row[r];

		for (int c = 0; c < row->used; c++) {
			bh_glyphs_mark(&s->glyphs, row->cells[c].glyph, row->cells[c].extra);
		}
	}
}

void bh_state_sweep(struct bh_screen *s)
{
	bh_glyphs_sweep_begin(&s->glyphs);
	mark_grid(s, &s->main);
	mark_grid(s, &s->alt);
	bh_glyphs_mark(&s->glyphs, 0, s->pen.extra);
	bh_glyphs_mark(&s->glyphs, 0, s->saved[0].pen.extra);
	bh_glyphs_mark(&s->glyphs, 0, s->saved[1].pen.extra);
	bh_glyphs_sweep_end(&s->glyphs);
}
