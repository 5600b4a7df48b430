#include "term/screen.h"

#include "term/mode.h"
#include "term/osc.h"
#include "term/print.h"
#include "term/reflow.h"
#include "term/reply.h"
#include "term/sequence.h"
#include "term/state.h"

#include <stdlib.h>
#include <string.h>

// The interface, and the loop that drives the rest: a token from the sieve, the function that acts on
// it, the next token. Nothing here calls back and nothing waits; who feeds asks afterwards what changed.

#define DEFAULT_FG 0xD0D0D0U
#define DEFAULT_BG 0x000000U
/** What is not shown while a synchronized update runs. */
#define HELD_CHANGES (BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR)

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

bool bh_vterm_check(char *why, size_t size)
{
	return bh_guard_check(why, size);
}

static size_t history_rows(const struct bh_screen_settings *settings)
{
	if (settings->has_no_history) {
		return 0;
	}
	return settings->history_rows > 0 ? settings->history_rows : BH_SCREEN_HISTORY_ROWS;
}

struct bh_screen *bh_screen_new(const struct bh_screen_settings *settings)
{
	struct bh_screen *s = bh_bytes_alloc(1, sizeof(*s));
	const char *version = settings->xtversion != NULL ? settings->xtversion : "bellhop";
	bool has_colors = settings->fg != 0 || settings->bg != 0;

	s->cols = clamp(settings->cols, BH_SCREEN_MIN, BH_SCREEN_MAX_COLS);
	s->rows = clamp(settings->rows, BH_SCREEN_MIN, BH_SCREEN_MAX_ROWS);
	s->is_replay = settings->is_replay;
	s->default_fg = has_colors ? settings->fg & 0xFFFFFF : DEFAULT_FG;
	s->default_bg = has_colors ? settings->bg & 0xFFFFFF : DEFAULT_BG;
	s->xtversion = bh_bytes_alloc(1, strlen(version) + 1);
	memcpy(s->xtversion, version, strlen(version));
	bh_grid_init(&s->main, s->cols, s->rows);
	s->grid = &s->main;
	bh_history_init(&s->history, history_rows(settings));
	s->guard = bh_guard_new(s->cols, s->rows, &bh_sequence_guard_events, s);
	s->tabs = bh_bytes_alloc((size_t)s->cols, sizeof(s->tabs[0]));
	bh_state_reset(s);
	s->changes = 0;
	return s;
}

void bh_screen_free(struct bh_screen *s)
{
	if (s == NULL) {
		return;
	}
	while (s->pushed_count > 0) {
		bh_osc_pop_titles(s, 0);
	}
	bh_sieve_clear(&s->sieve);
	bh_guard_free(s->guard);
	bh_glyphs_clear(&s->glyphs);
	bh_grid_clear(&s->main);
	bh_grid_clear(&s->alt);
	bh_history_clear(&s->history);
	bh_bytes_clear(&s->clipboard);
	bh_bytes_clear(&s->replies);
	free(s->tabs);
	free(s->now.title);
	free(s->now.icon);
	free(s->cwd);
	free(s->palette);
	free(s->background);
	free(s->notification);
	free(s->xtversion);
	free(s);
}

static void run_token(struct bh_screen *s, const struct bh_token *token)
{
	switch (token->kind) {
	case BH_TOKEN_ASCII:
		bh_print_ascii(s, token->text, token->len);
		break;
	case BH_TOKEN_CODEPOINT:
		bh_print_codepoint(s, token->codepoint);
		break;
	case BH_TOKEN_CONTROL:
		bh_sequence_control(s, token->final);
		break;
	case BH_TOKEN_ESCAPE:
		bh_sequence_escape(s, token);
		break;
	case BH_TOKEN_CSI:
		bh_sequence_csi(s, token);
		break;
	case BH_TOKEN_OSC:
		bh_osc_run(s, token);
		break;
	case BH_TOKEN_DCS:
		bh_reply_dcs(s, token->text, token->len);
		break;
	case BH_TOKEN_NONE:
	default:
		break;
	}
}

void bh_screen_feed(struct bh_screen *s, const void *bytes, size_t len, uint64_t now_ms)
{
	const uint8_t *at = bytes;
	struct bh_token token;

	bh_screen_tick(s, now_ms);
	while (len > 0) {
		size_t used = bh_sieve_next(&s->sieve, at, len, &token);

		run_token(s, &token);
		at += used;
		len -= used;
		if (bh_glyphs_want_sweep(&s->glyphs)) {
			bh_state_sweep(s);
		}
	}
}

void bh_screen_resize(struct bh_screen *s, int cols, int rows)
{
	bh_reflow_resize(s, clamp(cols, BH_SCREEN_MIN, BH_SCREEN_MAX_COLS),
	                 clamp(rows, BH_SCREEN_MIN, BH_SCREEN_MAX_ROWS));
}

void bh_screen_tick(struct bh_screen *s, uint64_t now_ms)
{
	s->now_ms = now_ms;
	if (s->sync_until_ms != 0 && now_ms >= s->sync_until_ms) {
		bh_mode_end_sync(s);
	}
}

uint64_t bh_screen_tick_due_ms(const struct bh_screen *s)
{
	return s->sync_until_ms;
}

void bh_screen_set_replay(struct bh_screen *s, bool is_replay)
{
	s->is_replay = is_replay;
}

const char *bh_screen_replies(const struct bh_screen *s, size_t *len_out)
{
	*len_out = s->replies.len;
	return s->replies.len > 0 ? s->replies.data : "";
}

void bh_screen_replies_consume(struct bh_screen *s, size_t len)
{
	bh_bytes_consume(&s->replies, len);
}

uint32_t bh_screen_take_changes(struct bh_screen *s)
{
	bool is_sync = bh_state_has(s, BH_SCREEN_MODE_SYNC_OUTPUT);
	uint32_t held = is_sync ? s->changes & HELD_CHANGES : 0;
	uint32_t taken = s->changes & ~held;

	s->changes = held;
	return taken;
}

int bh_screen_cols(const struct bh_screen *s)
{
	return s->cols;
}

int bh_screen_rows(const struct bh_screen *s)
{
	return s->rows;
}

struct bh_cursor bh_screen_cursor(const struct bh_screen *s)
{
	return (struct bh_cursor){
		.row = s->row,
		.col = s->col,
		.is_visible = bh_state_has(s, BH_SCREEN_MODE_CURSOR_VISIBLE),
		.is_blinking = bh_state_has(s, BH_SCREEN_MODE_CURSOR_BLINK),
		.is_wrap_pending = s->is_wrap_pending,
		.shape = s->shape,
	};
}

bool bh_screen_mode(const struct bh_screen *s, enum bh_screen_mode mode)
{
	if (mode == BH_SCREEN_MODE_MOUSE) {
		return bh_state_has(s, BH_SCREEN_MODE_MOUSE_X10) ||
		       bh_state_has(s, BH_SCREEN_MODE_MOUSE_CLICK) ||
		       bh_state_has(s, BH_SCREEN_MODE_MOUSE_DRAG) ||
		       bh_state_has(s, BH_SCREEN_MODE_MOUSE_MOVE);
	}
	return bh_state_has(s, mode);
}

unsigned bh_screen_kitty_flags(const struct bh_screen *s)
{
	return s->kitty[bh_state_which(s)].flags;
}

int bh_screen_modify_other_keys(const struct bh_screen *s)
{
	return s->modify_other_keys;
}

static const char *text_or_empty(const char *text)
{
	return text != NULL ? text : "";
}

const char *bh_screen_title(const struct bh_screen *s)
{
	return text_or_empty(s->now.title);
}

const char *bh_screen_icon(const struct bh_screen *s)
{
	return text_or_empty(s->now.icon);
}

const char *bh_screen_cwd(const struct bh_screen *s)
{
	return text_or_empty(s->cwd);
}

const struct bh_status7501 *bh_screen_status(const struct bh_screen *s)
{
	return &s->status;
}

int bh_screen_background_count(const struct bh_screen *s)
{
	return s->background_count;
}

const struct bh_background7501 *bh_screen_background(const struct bh_screen *s, int index)
{
	return index >= 0 && index < s->background_count ? &s->background[index] : NULL;
}

struct bh_progress bh_screen_progress(const struct bh_screen *s)
{
	return s->progress;
}

struct bh_prompt bh_screen_prompt(const struct bh_screen *s)
{
	return s->prompt;
}

bool bh_screen_take_notification(struct bh_screen *s, struct bh_notification *out)
{
	if (s->notification == NULL) {
		return false;
	}
	*out = *s->notification;
	free(s->notification);
	s->notification = NULL;
	return true;
}

char *bh_screen_take_clipboard(struct bh_screen *s, size_t *len_out)
{
	if (!s->has_clipboard) {
		return NULL;
	}
	s->has_clipboard = false;
	return bh_bytes_detach(&s->clipboard, len_out);
}

size_t bh_screen_history_count(const struct bh_screen *s)
{
	return bh_history_count(&s->history);
}

uint64_t bh_screen_history_first(const struct bh_screen *s)
{
	return bh_history_first(&s->history);
}

size_t bh_screen_history_bytes(const struct bh_screen *s)
{
	return s->history.bytes;
}

bool bh_screen_history_is_wrapped(const struct bh_screen *s, uint64_t id)
{
	struct bh_history_reader reader;

	return bh_history_read(&s->history, id, &reader) && reader.is_wrapped;
}
