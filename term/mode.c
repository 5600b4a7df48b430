#include "term/mode.h"

#include "term/reply.h"

// Modes are bits; the table maps their numbers. A few do more when they are switched (mode_effect), a
// few are no bits at all but acts with the form of a mode (set_screen).

const struct bh_mode_number bh_mode_numbers[] = {
	{1, BH_SCREEN_MODE_APP_CURSOR},
	{5, BH_SCREEN_MODE_REVERSE},
	{6, BH_SCREEN_MODE_ORIGIN},
	{7, BH_SCREEN_MODE_AUTOWRAP},
	{9, BH_SCREEN_MODE_MOUSE_X10},
	{12, BH_SCREEN_MODE_CURSOR_BLINK},
	{25, BH_SCREEN_MODE_CURSOR_VISIBLE},
	{40, BH_SCREEN_MODE_COLUMNS},
	{66, BH_SCREEN_MODE_APP_KEYPAD},
	{67, BH_SCREEN_MODE_BACKARROW},
	{69, BH_SCREEN_MODE_LEFT_RIGHT},
	{1000, BH_SCREEN_MODE_MOUSE_CLICK},
	{1002, BH_SCREEN_MODE_MOUSE_DRAG},
	{1003, BH_SCREEN_MODE_MOUSE_MOVE},
	{1004, BH_SCREEN_MODE_FOCUS},
	{1005, BH_SCREEN_MODE_MOUSE_UTF8},
	{1006, BH_SCREEN_MODE_MOUSE_SGR},
	{1007, BH_SCREEN_MODE_MOUSE_ALT_SCROLL},
	{1015, BH_SCREEN_MODE_MOUSE_URXVT},
	{1016, BH_SCREEN_MODE_MOUSE_PIXELS},
	{2004, BH_SCREEN_MODE_BRACKETED_PASTE},
	{2026, BH_SCREEN_MODE_SYNC_OUTPUT},
	{2027, BH_SCREEN_MODE_GRAPHEMES},
	{2031, BH_SCREEN_MODE_THEME},
	{2048, BH_SCREEN_MODE_SIZE_REPORTS},
};
const size_t bh_mode_numbers_count = sizeof(bh_mode_numbers) / sizeof(bh_mode_numbers[0]);

static const struct bh_mode_number ansi_modes[] = {
	{4, BH_SCREEN_MODE_INSERT},
	{20, BH_SCREEN_MODE_NEWLINE},
};

// Of each group at most one is on.
#define BIT(mode) (1ULL << BH_SCREEN_MODE_##mode)
#define MOUSE_EVENTS (BIT(MOUSE_X10) | BIT(MOUSE_CLICK) | BIT(MOUSE_DRAG) | BIT(MOUSE_MOVE))
#define MOUSE_FORMATS (BIT(MOUSE_UTF8) | BIT(MOUSE_SGR) | BIT(MOUSE_URXVT) | BIT(MOUSE_PIXELS))

static const struct bh_mode_number *mode_find(int number, bool is_private)
{
	const struct bh_mode_number *modes = is_private ? bh_mode_numbers : ansi_modes;
	size_t count =
		is_private ? bh_mode_numbers_count : sizeof(ansi_modes) / sizeof(ansi_modes[0]);

	for (size_t i = 0; i < count; i++) {
		if (modes[i].number == number) {
			return &modes[i];
		}
	}
	return NULL;
}

/** What else happens when @mode has become @is_on. */
static void mode_effect(struct bh_screen *s, enum bh_screen_mode mode, bool is_on)
{
	uint64_t bit = 1ULL << mode;

	if (mode == BH_SCREEN_MODE_ORIGIN) {
		bh_state_home(s);
	} else if (mode == BH_SCREEN_MODE_AUTOWRAP && !is_on) {
		s->is_joinable = s->is_joinable && !s->is_wrap_pending;
		s->is_wrap_pending = false;
	} else if (mode == BH_SCREEN_MODE_LEFT_RIGHT) {
		s->left = 0;
		s->right = s->cols;
		bh_state_move(s, s->row, s->col);
	} else if (mode == BH_SCREEN_MODE_GRAPHEMES && !is_on) {
		s->is_joinable = false;
	} else if (mode == BH_SCREEN_MODE_SIZE_REPORTS && is_on) {
		bh_reply_in_band_size(s);
	} else if ((bit & MOUSE_EVENTS) != 0) {
		s->modes &= ~MOUSE_EVENTS;
		s->modes |= is_on ? bit : 0;
	} else if ((bit & MOUSE_FORMATS) != 0 && is_on) {
		s->modes = (s->modes & ~MOUSE_FORMATS) | bit;
	}
}

void bh_mode_end_sync(struct bh_screen *s)
{
	bh_state_put(s, BH_SCREEN_MODE_SYNC_OUTPUT, false);
	s->sync_until_ms = 0;
	s->changes |= BH_SCREEN_CHANGED_MODES;
}

static void set_sync(struct bh_screen *s, bool is_on)
{
	if (!is_on) {
		bh_mode_end_sync(s);
	} else if (!bh_state_has(s, BH_SCREEN_MODE_SYNC_OUTPUT)) {
		bh_state_put(s, BH_SCREEN_MODE_SYNC_OUTPUT, true);
		s->sync_until_ms = s->now_ms + BH_SCREEN_SYNC_MS;
	}
}

/** DECCOLM. A program cannot change the width here; the rest is done where it was allowed (40), as
 * programs that switch count on a blank screen. */
static void switch_columns(struct bh_screen *s)
{
	if (!bh_state_has(s, BH_SCREEN_MODE_COLUMNS)) {
		return;
	}
	bh_state_put(s, BH_SCREEN_MODE_LEFT_RIGHT, false);
	s->top = 0;
	s->bottom = s->rows;
	s->left = 0;
	s->right = s->cols;
	bh_grid_erase(s->grid, (struct bh_rect){0, 0, s->rows, s->cols}, s->pen.bg, false);
	bh_state_home(s);
	s->changes |= BH_SCREEN_CHANGED_CELLS;
}

/** The modes that are more than a switch; false: not one of them. */
static bool set_screen(struct bh_screen *s, int number, bool is_on)
{
	switch (number) {
	case 3:
		switch_columns(s);
		return true;
	case 47:
	case 1047:
		bh_state_show_alt(s, is_on);
		return true;
	case 1048:
		if (is_on) {
			bh_state_save_cursor(s);
		} else {
			bh_state_restore_cursor(s);
		}
		return true;
	case 1049:
		// As xterm does it: the cursor is saved and restored even if the screen stays.
		if (is_on) {
			bh_state_save_cursor(s);
		}
		bh_state_show_alt(s, is_on);
		if (!is_on) {
			bh_state_restore_cursor(s);
		}
		return true;
	default:
		return false;
	}
}

static void set_one(struct bh_screen *s, int number, bool is_private, bool is_on)
{
	const struct bh_mode_number *found = mode_find(number, is_private);

	s->changes |= BH_SCREEN_CHANGED_MODES | BH_SCREEN_CHANGED_CURSOR;
	if (is_private && set_screen(s, number, is_on)) {
		return;
	}
	if (found == NULL) {
		return;
	}
	if (found->mode == BH_SCREEN_MODE_SYNC_OUTPUT) {
		set_sync(s, is_on);
		return;
	}
	bh_state_put(s, found->mode, is_on);
	mode_effect(s, found->mode, is_on);
}

void bh_mode_set(struct bh_screen *s, const struct bh_token *token, bool is_private, bool is_on)
{
	for (int i = 0; i < token->argc; i++) {
		set_one(s, bh_token_arg(token, i, 0), is_private, is_on);
	}
}

void bh_mode_report(struct bh_screen *s, int number, bool is_private)
{
	const struct bh_mode_number *found = mode_find(number, is_private);
	int value = 0;

	if (found != NULL) {
		value = bh_state_has(s, found->mode) ? 1 : 2;
	} else if (is_private && (number == 47 || number == 1047 || number == 1049)) {
		value = s->grid == &s->alt ? 1 : 2;
	} else if (is_private && number == 3) {
		value = 4; // never on
	}
	bh_reply_printf(s, is_private ? "\x1B[?%d;%d$y" : "\x1B[%d;%d$y", number, value);
}
