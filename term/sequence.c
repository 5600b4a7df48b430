#include "term/sequence.h"

#include "term/kitty.h"
#include "term/mode.h"
#include "term/osc.h"
#include "term/print.h"
#include "term/reply.h"

#include <string.h>

// CSI by two tables: one indexed by the final byte for those without leader and intermediate, which is
// nearly all of the traffic, a short list for the others. Moves, erasing, inserting and scrolling are
// libvterm's (run); counts are clamped here to what a VT would do, so that libvterm is never asked for
// more than it can. What is kept in struct bh_screen (margins, tab stops, saved cursor, modes) is
// changed here, and libvterm is told.

enum {
	BEL = 0x07,
	BS = 0x08,
	HT = 0x09,
	LF = 0x0A,
	VT = 0x0B,
	FF = 0x0C,
	CR = 0x0D,
	SO = 0x0E,
	SI = 0x0F,
};

static void on_scroll(void *user, struct bh_rect rect, int up, int left)
{
	struct bh_screen *s = user;

	bh_state_scroll(s, rect, up, left, s->scroll_keeps);
}

static void on_erase(void *user, struct bh_rect rect, bool is_selective)
{
	struct bh_screen *s = user;

	bh_grid_erase(s->grid, rect, s->pen.bg, is_selective);
	s->changes |= BH_SCREEN_CHANGED_CELLS;
}

const struct bh_guard_events bh_sequence_guard_events = {
	.scroll = on_scroll,
	.erase = on_erase,
};

static struct bh_guard_place place_of(const struct bh_screen *s)
{
	return (struct bh_guard_place){
		.row = s->row,
		.col = s->col,
		.top = s->top,
		.bottom = s->bottom,
		.left = s->left,
		.right = s->right,
		.is_origin = bh_state_has(s, BH_SCREEN_MODE_ORIGIN),
		.has_sides = bh_state_has(s, BH_SCREEN_MODE_LEFT_RIGHT),
	};
}

/** Let libvterm do it. */
static void run(struct bh_screen *s, const char *form, int first, int second)
{
	struct bh_guard_place place = place_of(s);

	bh_guard_csi(s->guard, &place, form, first, second);
	bh_state_move(s, place.row, place.col);
	s->changes |= BH_SCREEN_CHANGED_CURSOR;
}

static void run_escape(struct bh_screen *s, char final)
{
	struct bh_guard_place place = place_of(s);

	bh_guard_escape(s->guard, &place, final);
	bh_state_move(s, place.row, place.col);
	s->changes |= BH_SCREEN_CHANGED_CURSOR;
}

/** The first argument of a sequence that counts: at least 1, at most @max. */
static int count_arg(const struct bh_token *token, int max)
{
	int count = bh_token_arg(token, 0, 1);

	return count < 1 ? 1 : count > max ? max : count;
}

static void carriage_return(struct bh_screen *s)
{
	bh_state_move(s, s->row, s->col >= s->left ? s->left : 0);
}

static void line_feed(struct bh_screen *s)
{
	(void)bh_state_linefeed(s); // at the bottom outside the margins it stays
	s->is_wrap_pending = false;
	s->is_joinable = false;
	if (bh_state_has(s, BH_SCREEN_MODE_NEWLINE)) {
		carriage_return(s);
	}
}

static void backspace(struct bh_screen *s)
{
	int first = s->col >= s->left ? s->left : 0;

	bh_state_move(s, s->row, s->col > first ? s->col - 1 : s->col);
}

static void horizontal_tab(struct bh_screen *s)
{
	int last = bh_state_limit(s) - 1;
	int col = s->col;

	if (s->is_wrap_pending) {
		return; // it stands at the last stop; what comes next still wraps
	}
	do {
		col++;
	} while (col < last && !s->tabs[col]);
	bh_state_move(s, s->row, col < last ? col : last);
}

void bh_sequence_control(struct bh_screen *s, char control)
{
	if (control == BEL) {
		s->changes |= s->is_replay ? 0 : BH_SCREEN_CHANGED_BELL;
		return;
	}
	s->changes |= BH_SCREEN_CHANGED_CURSOR;
	switch (control) {
	case BS:
		backspace(s);
		break;
	case HT:
		horizontal_tab(s);
		break;
	case LF:
	case VT:
	case FF:
		line_feed(s);
		break;
	case CR:
		carriage_return(s);
		break;
	case SO:
	case SI:
		s->charsets.left = control == SO ? 1 : 0;
		break;
	default:
		break;
	}
}

/** DECALN. */
static void fill_with_e(struct bh_screen *s)
{
	s->top = 0;
	s->bottom = s->rows;
	s->left = 0;
	s->right = s->cols;
	for (int r = 0; r < s->rows; r++) {
		struct bh_grid_row *row = s->grid->row[r];

		for (int c = 0; c < s->cols; c++) {
			row->cells[c] = (struct bh_grid_cell){.glyph = 'E'};
		}
		row->used = s->cols;
		row->is_wrapped = false;
		row->is_seen = false;
	}
	bh_state_home(s);
	s->changes |= BH_SCREEN_CHANGED_CELLS;
}

static void designate(struct bh_screen *s, char intermediate, char final)
{
	const char *slots = "()*+";
	const char *slot = strchr(slots, intermediate);

	if (slot != NULL) {
		s->charsets.set[slot - slots] = final == '0' || final == 'A' ? final : 'B';
	}
}

static void set_tab(struct bh_screen *s)
{
	s->tabs[s->col] = true;
	bool was_pending = s->is_wrap_pending;
	bool was_joinable = s->is_joinable;

	run_escape(s, 'H');
	s->is_wrap_pending = was_pending;
	s->is_joinable = was_joinable;
}

static void keypad(struct bh_screen *s, bool is_application)
{
	bh_state_put(s, BH_SCREEN_MODE_APP_KEYPAD, is_application);
	s->changes |= BH_SCREEN_CHANGED_MODES;
}

static void escape_plain(struct bh_screen *s, char final)
{
	switch (final) {
	case '7':
		bh_state_save_cursor(s);
		break;
	case '8':
		bh_state_restore_cursor(s);
		break;
	case 'D':
		s->is_wrap_pending = false;
		s->is_joinable = false;
		(void)bh_state_linefeed(s); // at the bottom outside the margins it stays
		break;
	case 'E':
		(void)bh_state_linefeed(s); // likewise
		carriage_return(s);
		break;
	case 'H':
		set_tab(s);
		break;
	case 'M':
		run_escape(s, 'M');
		break;
	case 'N':
	case 'O':
		s->charsets.single = final == 'N' ? 2 : 3;
		break;
	case 'n':
	case 'o':
		s->charsets.left = final == 'n' ? 2 : 3;
		break;
	case '=':
	case '>':
		keypad(s, final == '=');
		break;
	default:
		break;
	}
}

void bh_sequence_escape(struct bh_screen *s, const struct bh_token *token)
{
	s->changes |= BH_SCREEN_CHANGED_CURSOR;
	if (token->intermediates[1] != 0) {
		return;
	}
	if (token->intermediates[0] == '#') {
		if (token->final == '8') {
			fill_with_e(s);
		}
	} else if (token->intermediates[0] != 0) {
		designate(s, token->intermediates[0], token->final);
	} else if (token->final == 'c') {
		bh_state_reset(s);
	} else if (token->final == 'Z') {
		bh_reply_attributes(s, 0);
	} else {
		escape_plain(s, token->final);
	}
}

/** CUU and its like: up to a margin that is in the way. @count < 0: up. */
static void move_rows(struct bh_screen *s, int count)
{
	int first = s->row >= s->top ? s->top : 0;
	int last = s->row < s->bottom ? s->bottom - 1 : s->rows - 1;
	int up = s->row - first;
	int down = last - s->row;

	if (count < 0) {
		count = -count < up ? -count : up;
		if (count > 0) {
			run(s, "A", count, -1);
		}
	} else {
		count = count < down ? count : down;
		if (count > 0) {
			run(s, "B", count, -1);
		}
	}
	bh_state_move(s, s->row, s->col);
}

static void move_cols(struct bh_screen *s, int count)
{
	int first = s->col >= s->left ? s->left : 0;
	int last = bh_state_limit(s) - 1;
	int left = s->col - first;
	int right = last - s->col;

	if (count < 0) {
		count = -count < left ? -count : left;
		if (count > 0) {
			run(s, "D", count, -1);
		}
	} else {
		count = count < right ? count : right;
		if (count > 0) {
			run(s, "C", count, -1);
		}
	}
	bh_state_move(s, s->row, s->col);
}

static void csi_move(struct bh_screen *s, const struct bh_token *token)
{
	int count = count_arg(token, BH_SIEVE_ARG_MAX);

	switch (token->final) {
	case 'A':
		move_rows(s, -count);
		break;
	case 'B':
		move_rows(s, count);
		break;
	case 'C':
		move_cols(s, count);
		break;
	case 'D':
		move_cols(s, -count);
		break;
	default:
		move_rows(s, token->final == 'E' ? count : -count);
		carriage_return(s);
		break;
	}
}

/** HPR, VPR, HPB, VPB: as if the place was named, so no margin is in the way. */
static void csi_relative(struct bh_screen *s, const struct bh_token *token)
{
	int count = count_arg(token, BH_SIEVE_ARG_MAX);
	bool is_row = token->final == 'e' || token->final == 'k';
	bool is_back = token->final == 'j' || token->final == 'k';
	int step = is_back ? -count : count;

	bh_state_move(s, s->row + (is_row ? step : 0), s->col + (is_row ? 0 : step));
}

/** Sequences with one count that libvterm does as they are. */
static void csi_run_count(struct bh_screen *s, const struct bh_token *token)
{
	const char form[2] = {token->final, '\0'};

	run(s, form, count_arg(token, BH_SCREEN_MAX_COLS), -1);
}

/** IL and DL; where they do something, the cursor goes to the left, which libvterm leaves out. */
static void csi_run_lines(struct bh_screen *s, const struct bh_token *token)
{
	bool is_inside =
		s->row >= s->top && s->row < s->bottom && s->col >= s->left && s->col < s->right;

	csi_run_count(s, token);
	if (is_inside) {
		carriage_return(s);
	}
}

/** ICH and DCH. libvterm does nothing outside the scrolling region, xterm minds only its columns. */
static void csi_run_chars(struct bh_screen *s, const struct bh_token *token)
{
	const char form[2] = {token->final, '\0'};
	struct bh_guard_place place = place_of(s);

	if (s->row < s->top || s->row >= s->bottom) {
		place.top = 0;
		place.bottom = s->rows;
	}
	bh_guard_csi(s->guard, &place, form, count_arg(token, BH_SCREEN_MAX_COLS), -1);
	bh_state_move(s, place.row, place.col);
}

static void csi_position(struct bh_screen *s, const struct bh_token *token)
{
	run(s, "H", count_arg(token, BH_SCREEN_MAX_ROWS), bh_token_arg(token, 1, 1));
}

static void csi_scroll(struct bh_screen *s, const struct bh_token *token)
{
	bool is_up = token->final == 'S';

	// CSI with five numbers and T is xterm's highlight tracking.
	if (!is_up && token->argc > 1) {
		return;
	}
	s->scroll_keeps = is_up;
	// ECMA-48 once spelt SD with a circumflex, and some still do.
	run(s, is_up ? "S" : "T", count_arg(token, BH_SCREEN_MAX_ROWS), -1);
	s->scroll_keeps = false;
}

/** SL and SR. */
static void csi_scroll_columns(struct bh_screen *s, const struct bh_token *token)
{
	struct bh_rect box = {s->top, s->left, s->bottom, s->right};
	int count = count_arg(token, box.right - box.left);

	bh_state_scroll(s, box, 0, token->final == '@' ? count : -count, false);
	bh_state_move(s, s->row, s->col);
}

static void csi_erase(struct bh_screen *s, const struct bh_token *token)
{
	const char plain[2] = {token->final, '\0'};
	const char selective[3] = {'?', token->final, '\0'};
	int what = bh_token_arg(token, 0, 0);

	if (what == 3 && token->final == 'J' && token->leader == 0) {
		bh_history_forget(&s->history);
		s->changes |= BH_SCREEN_CHANGED_HISTORY;
	}
	if (what <= 2) {
		run(s, token->leader == '?' ? selective : plain, what, -1);
	}
}

static void csi_columns(struct bh_screen *s, const struct bh_token *token)
{
	run(s, token->final == '}' ? "'}" : "'~", count_arg(token, BH_SCREEN_MAX_COLS), -1);
}

static void csi_clear_tab(struct bh_screen *s, const struct bh_token *token)
{
	int what = bh_token_arg(token, 0, 0);

	if (what == 0) {
		s->tabs[s->col] = false;
	} else if (what == 3 || what == 5) {
		memset(s->tabs, 0, (size_t)s->cols * sizeof(s->tabs[0]));
	} else {
		return;
	}
	bh_state_tell_tabs(s);
}

/** DECST8C. */
static void csi_default_tabs(struct bh_screen *s, const struct bh_token *token)
{
	if (bh_token_arg(token, 0, 0) == 5) {
		bh_state_default_tabs(s, 0);
		bh_state_tell_tabs(s);
	}
}

static void csi_margins(struct bh_screen *s, const struct bh_token *token)
{
	int top = bh_token_arg(token, 0, 1);
	int bottom = bh_token_arg(token, 1, s->rows);

	top = top < 1 ? 1 : top;
	bottom = bottom < 1 || bottom > s->rows ? s->rows : bottom;
	if (top < bottom) {
		s->top = top - 1;
		s->bottom = bottom;
		bh_state_home(s);
	}
}

/** DECSLRM, or SCOSC where there are no side margins. */
static void csi_sides(struct bh_screen *s, const struct bh_token *token)
{
	int left = bh_token_arg(token, 0, 1);
	int right = bh_token_arg(token, 1, s->cols);

	if (!bh_state_has(s, BH_SCREEN_MODE_LEFT_RIGHT)) {
		bh_state_save_cursor(s);
		return;
	}
	left = left < 1 ? 1 : left;
	right = right < 1 || right > s->cols ? s->cols : right;
	if (left < right) {
		s->left = left - 1;
		s->right = right;
		bh_state_home(s);
	}
}

static void csi_restore(struct bh_screen *s, const struct bh_token *token)
{
	(void)token;
	bh_state_restore_cursor(s);
}

static void csi_repeat(struct bh_screen *s, const struct bh_token *token)
{
	bh_print_repeat(s, count_arg(token, BH_SIEVE_ARG_MAX));
}

static void csi_pen(struct bh_screen *s, const struct bh_token *token)
{
	uint32_t was = s->pen.underline_color;

	bh_pen_apply(&s->pen, token);
	if (s->pen.underline_color != was) {
		bh_state_set_link(s, bh_glyphs_link(&s->glyphs, s->pen.extra),
		                  bh_glyphs_link_id(&s->glyphs, s->pen.extra));
	}
}

static void csi_mode(struct bh_screen *s, const struct bh_token *token)
{
	bh_mode_set(s, token, token->leader == '?', token->final == 'h');
}

static void csi_mode_report(struct bh_screen *s, const struct bh_token *token)
{
	bh_mode_report(s, bh_token_arg(token, 0, 0), token->leader == '?');
}

static void csi_attributes(struct bh_screen *s, const struct bh_token *token)
{
	if (bh_token_arg(token, 0, 0) == 0) {
		bh_reply_attributes(s, token->leader);
	}
}

static void csi_status(struct bh_screen *s, const struct bh_token *token)
{
	bh_reply_status(s, bh_token_arg(token, 0, 0), token->leader == '?');
}

static void csi_version(struct bh_screen *s, const struct bh_token *token)
{
	if (bh_token_arg(token, 0, 0) == 0) {
		bh_reply_version(s);
	}
}

static void csi_window(struct bh_screen *s, const struct bh_token *token)
{
	int what = bh_token_arg(token, 0, 0);

	if (what == 22) {
		bh_osc_push_titles(s);
	} else if (what == 23) {
		bh_osc_pop_titles(s, bh_token_arg(token, 1, 0));
	} else {
		bh_reply_size(s, what);
	}
}

static void csi_cursor_style(struct bh_screen *s, const struct bh_token *token)
{
	int style = bh_token_arg(token, 0, 0);

	if (style > 6) {
		return;
	}
	s->shape = style == 0 ? BH_CURSOR_BLOCK : (enum bh_cursor_shape)((style + 1) / 2);
	bh_state_put(s, BH_SCREEN_MODE_CURSOR_BLINK, style % 2 == 1);
	s->changes |= BH_SCREEN_CHANGED_CURSOR;
}

static void csi_protect(struct bh_screen *s, const struct bh_token *token)
{
	if (bh_token_arg(token, 0, 0) == 1) {
		s->pen.attrs |= BH_ATTR_PROTECTED;
	} else {
		s->pen.attrs &= (uint16_t)~BH_ATTR_PROTECTED;
	}
}

static void csi_soft_reset(struct bh_screen *s, const struct bh_token *token)
{
	(void)token;
	bh_state_soft_reset(s);
}

typedef void csi_function(struct bh_screen *s, const struct bh_token *token);

/** CSI without leader and intermediates, by final byte. */
static csi_function *const plain_functions[0x40] = {
	['@' - 0x40] = csi_run_chars, ['A' - 0x40] = csi_move,      ['B' - 0x40] = csi_move,
	['C' - 0x40] = csi_move,      ['D' - 0x40] = csi_move,      ['E' - 0x40] = csi_move,
	['F' - 0x40] = csi_move,      ['G' - 0x40] = csi_run_count, ['H' - 0x40] = csi_position,
	['I' - 0x40] = csi_run_count, ['J' - 0x40] = csi_erase,     ['K' - 0x40] = csi_erase,
	['L' - 0x40] = csi_run_lines, ['M' - 0x40] = csi_run_lines, ['P' - 0x40] = csi_run_chars,
	['S' - 0x40] = csi_scroll,    ['T' - 0x40] = csi_scroll,    ['X' - 0x40] = csi_run_count,
	['Z' - 0x40] = csi_run_count, ['^' - 0x40] = csi_scroll,    ['`' - 0x40] = csi_run_count,
	['a' - 0x40] = csi_relative,  ['b' - 0x40] = csi_repeat,    ['c' - 0x40] = csi_attributes,
	['d' - 0x40] = csi_run_count, ['e' - 0x40] = csi_relative,  ['f' - 0x40] = csi_position,
	['g' - 0x40] = csi_clear_tab, ['h' - 0x40] = csi_mode,      ['j' - 0x40] = csi_relative,
	['k' - 0x40] = csi_relative,  ['l' - 0x40] = csi_mode,      ['m' - 0x40] = csi_pen,
	['n' - 0x40] = csi_status,    ['r' - 0x40] = csi_margins,   ['s' - 0x40] = csi_sides,
	['t' - 0x40] = csi_window,    ['u' - 0x40] = csi_restore,
};

/** The others. */
static const struct {
	char leader, intermediate, final;
	csi_function *function;
} other_functions[] = {
	{'?', 0, 'h', csi_mode},
	{'?', 0, 'l', csi_mode},
	{'?', 0, 'u', bh_kitty_run},
	{'>', 0, 'u', bh_kitty_run},
	{'<', 0, 'u', bh_kitty_run},
	{'=', 0, 'u', bh_kitty_run},
	{'>', 0, 'm', bh_kitty_modify_keys},
	{'?', 0, 'm', bh_kitty_modify_keys},
	{'>', 0, 'n', bh_kitty_modify_keys},
	{'?', 0, 'W', csi_default_tabs},
	{'?', 0, 'J', csi_erase},
	{'?', 0, 'K', csi_erase},
	{'?', 0, 'n', csi_status},
	{'>', 0, 'c', csi_attributes},
	{'=', 0, 'c', csi_attributes},
	{'>', 0, 'q', csi_version},
	{'?', '$', 'p', csi_mode_report},
	{0, '$', 'p', csi_mode_report},
	{0, ' ', '@', csi_scroll_columns},
	{0, ' ', 'A', csi_scroll_columns},
	{0, ' ', 'q', csi_cursor_style},
	{0, '"', 'q', csi_protect},
	{0, '!', 'p', csi_soft_reset},
	{0, '\'', '}', csi_columns},
	{0, '\'', '~', csi_columns},
};

void bh_sequence_csi(struct bh_screen *s, const struct bh_token *token)
{
	if (token->leader == 0 && token->intermediates[0] == 0) {
		csi_function *function = plain_functions[token->final - 0x40];

		if (function != NULL) {
			function(s, token);
		}
		return;
	}
	if (token->intermediates[1] != 0) {
		return;
	}
	for (size_t i = 0; i < sizeof(other_functions) / sizeof(other_functions[0]); i++) {
		if (other_functions[i].leader == token->leader &&
		    other_functions[i].intermediate == token->intermediates[0] &&
		    other_functions[i].final == token->final) {
			other_functions[i].function(s, token);
			return;
		}
	}
}
