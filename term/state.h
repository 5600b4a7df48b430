/** The inside of a screen, for the files of term/ only. Truth is here; libvterm is told. */
#ifndef BH_TERM_STATE_H
#define BH_TERM_STATE_H

#include "term/bytes.h"
#include "term/glyph.h"
#include "term/grid.h"
#include "term/guard.h"
#include "term/history.h"
#include "term/pen.h"
#include "term/screen.h"
#include "term/sieve.h"

/** Depth of the title stack and of a kitty keyboard stack; the oldest entry falls out. */
#define BH_STATE_TITLES 10
#define BH_STATE_KITTY 16
/** Longest title, icon name and folder that is kept. */
#define BH_STATE_TITLE_MAX 1024
#define BH_STATE_CWD_MAX 4096
/** Replies beyond so many bytes that nobody fetches are dropped. */
#define BH_STATE_REPLIES_MAX 65536
/** Numbers of the dynamic colours after the 256. */
#define BH_STATE_COLOR_FG 256
#define BH_STATE_COLOR_BG 257
#define BH_STATE_COLOR_CURSOR 258
#define BH_STATE_COLORS 259

/** Character sets: 'B' ASCII, '0' DEC graphics, 'A' British. */
struct bh_charsets {
	char set[4];    ///< G0..G3
	uint8_t left;   ///< which one is in GL, 0..3
	uint8_t single; ///< 2 or 3: for the next character only; 0: none
};

/** What DECSC keeps. */
struct bh_saved_cursor {
	int row, col;
	bool is_wrap_pending; ///< only ever in the last column
	bool is_origin;
	struct bh_pen pen;
	struct bh_charsets charsets; ///< without `single`
};

/** Keyboard flags of one screen. */
struct bh_kitty {
	uint8_t flags;                 ///< in force
	uint8_t depth;                 ///< of the stack
	uint8_t stack[BH_STATE_KITTY]; ///< what was in force before, oldest first
};

/** A title and icon name that were pushed; NULL: empty. */
struct bh_titles {
	char *title, *icon;
};

/** See screen.h. */
struct bh_screen {
	struct bh_sieve sieve;
	struct bh_guard *guard;
	struct bh_glyphs glyphs;
	struct bh_grid main, alt; ///< alt.row is NULL while the main screen is shown
	struct bh_grid *grid;     ///< the one that is shown
	struct bh_history history;

	int cols, rows;
	int row, col;                 ///< the cursor, inside the screen
	bool is_wrap_pending;         ///< the next glyph goes to the next line first
	bool is_joinable;             ///< mode 2027: the glyph before the cursor may still grow
	int top, bottom, left, right; ///< margins, the ends exclusive
	bool scroll_keeps;            ///< rows scrolled out by the running sequence are history

	struct bh_pen pen;
	struct bh_charsets charsets;
	struct bh_saved_cursor saved[2]; ///< of the main, of the alternate screen
	struct bh_kitty kitty[2];        ///< likewise
	int modify_other_keys;           ///< 0..2
	uint64_t modes;                  ///< bits by enum bh_screen_mode
	enum bh_cursor_shape shape;
	bool *tabs; ///< `cols` of them

	struct bh_titles now;
	struct bh_titles pushed[BH_STATE_TITLES];
	int pushed_count;
	char *cwd;
	uint32_t *palette; ///< NULL: nothing set; else BH_STATE_COLORS of BH_COLOR_RGB or 0
	struct bh_status7501 status;
	struct bh_background7501 *background; ///< room for BH_SCREEN_BACKGROUND_MAX, or NULL
	int background_count;
	struct bh_progress progress;
	struct bh_prompt prompt;

	struct bh_notification *notification; ///< NULL: none waits
	struct bh_bytes clipboard;            ///< decoded text that waits
	bool has_clipboard;
	struct bh_bytes replies;
	uint32_t changes;
	bool is_replay;
	uint64_t now_ms;
	uint64_t sync_until_ms; ///< when mode 2026 is on
	char *xtversion;
	uint32_t default_fg, default_bg;
};

/** Is @mode on? */
static inline bool bh_state_has(const struct bh_screen *s, enum bh_screen_mode mode)
{
	return (s->modes >> mode & 1U) != 0;
}

/** Switch @mode without any of its effects. */
static inline void bh_state_put(struct bh_screen *s, enum bh_screen_mode mode, bool is_on)
{
	s->modes = (s->modes & ~(1ULL << mode)) | (uint64_t)is_on << mode;
}

/** 0 while the main screen is shown, 1 for the alternate one. */
static inline int bh_state_which(const struct bh_screen *s)
{
	return s->grid == &s->alt ? 1 : 0;
}

/** First column after the one where text from the cursor on must wrap. */
static inline int bh_state_limit(const struct bh_screen *s)
{
	return s->col < s->right ? s->right : s->cols;
}

/** Put the cursor there, clamped to the screen, or to the margins with DECOM. A pending wrap and a
 * growing glyph end. */
void bh_state_move(struct bh_screen *s, int row, int col);

/** The cursor goes to the home position. */
void bh_state_home(struct bh_screen *s);

/** Scroll @rect of the shown screen; rows that leave the top of the main screen go to the history
 * when @keeps. */
void bh_state_scroll(struct bh_screen *s, struct bh_rect rect, int up, int left, bool keeps);

/** Down one row, scrolling at the bottom margin. Returns whether anything moved. */
bool bh_state_linefeed(struct bh_screen *s);

/** Margins, origin mode, tab stops, charsets, pen, saved cursor as after power on, for the size
 * that it has. */
void bh_state_soft_reset(struct bh_screen *s);

/** RIS: everything but history, titles, folder, OSC 7501 and what waits to be taken. */
void bh_state_reset(struct bh_screen *s);

/** DECSC. */
void bh_state_save_cursor(struct bh_screen *s);

/** DECRC. */
void bh_state_restore_cursor(struct bh_screen *s);

/** Show the alternate screen, blank, or the main one. */
void bh_state_show_alt(struct bh_screen *s, bool is_alt);

/** Give the pen this link (NULL: none) beside its underline colour. */
void bh_state_set_link(struct bh_screen *s, const char *link, const char *link_id);

/** Free the entries of the glyph tables that nothing uses any more. */
void bh_state_sweep(struct bh_screen *s);

/** The default tab stops from column @from on. */
void bh_state_default_tabs(struct bh_screen *s, int from);

/** Tell libvterm our tab stops. */
void bh_state_tell_tabs(struct bh_screen *s);

#endif
