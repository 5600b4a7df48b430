/**
 * What a terminal shows: bytes and time in, screen and answers out. Pure: opens nothing, reads no
 * clock, and no call runs a callback. Any bytes are good input. Rows and columns count from 0.
 *
 * The story: make a screen, feed it what the child wrote, send what bh_screen_replies() holds back
 * to the child (unless replaying), ask bh_screen_take_changes() what is new, look.
 */
#ifndef BH_TERM_SCREEN_H
#define BH_TERM_SCREEN_H

#include "term/cell.h"
#include "term/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Smallest and largest size; others are clamped. */
#define BH_SCREEN_MIN 2
#define BH_SCREEN_MAX_COLS 1000
#define BH_SCREEN_MAX_ROWS 1000
/** Rows of history when settings say 0. */
#define BH_SCREEN_HISTORY_ROWS 10000
/** Longest repaint. */
#define BH_SCREEN_REPAINT_MAX (7 << 20)
/** A synchronized update (mode 2026) is ended by us after so long. */
#define BH_SCREEN_SYNC_MS 150

/** A screen with its history, modes, titles and unfinished token. */
struct bh_screen;

/** How to make one; zero is a good value for everything but the size. */
struct bh_screen_settings {
	int cols;            ///< clamped to BH_SCREEN_MIN .. BH_SCREEN_MAX_COLS
	int rows;            ///< clamped likewise
	size_t history_rows; ///< rows kept after they left the top; 0: BH_SCREEN_HISTORY_ROWS
	bool has_no_history; ///< keep none (a client's view)
	bool is_replay;      ///< see bh_screen_set_replay()
	const char
		*xtversion; ///< answer to CSI > q, such as "bellhop 0.1"; copied; NULL: "bellhop"
	uint32_t fg, bg;    ///< 0xRRGGBB answered to OSC 10/11; both 0: light grey on black
};

/** What has changed, see bh_screen_take_changes(). */
enum bh_screen_change {
	BH_SCREEN_CHANGED_CELLS = 1 << 0,
	BH_SCREEN_CHANGED_CURSOR = 1 << 1,       ///< position, visibility or shape
	BH_SCREEN_CHANGED_TITLE = 1 << 2,        ///< title or icon name
	BH_SCREEN_CHANGED_BELL = 1 << 3,         ///< it rang
	BH_SCREEN_CHANGED_STATUS = 1 << 4,       ///< OSC 7501: a report came, perhaps an equal one
	BH_SCREEN_CHANGED_MODES = 1 << 5,        ///< any mode, kitty flags, alternate screen
	BH_SCREEN_CHANGED_PROGRESS = 1 << 6,     ///< OSC 9;4
	BH_SCREEN_CHANGED_NOTIFICATION = 1 << 7, ///< OSC 9, 99, 777: take it
	BH_SCREEN_CHANGED_CLIPBOARD = 1 << 8,    ///< OSC 52: take it
	BH_SCREEN_CHANGED_PROMPT = 1 << 9,       ///< OSC 133
	BH_SCREEN_CHANGED_CWD = 1 << 10,         ///< OSC 7
	BH_SCREEN_CHANGED_REPLIES = 1 << 11,     ///< bh_screen_replies() has more
	BH_SCREEN_CHANGED_HISTORY = 1 << 12,     ///< rows were added or dropped
	BH_SCREEN_CHANGED_SIZE = 1 << 13,        ///< resized
};

/** Modes a caller may ask for. */
enum bh_screen_mode {
	BH_SCREEN_MODE_ALT_SCREEN,
	BH_SCREEN_MODE_BRACKETED_PASTE,  ///< 2004
	BH_SCREEN_MODE_SYNC_OUTPUT,      ///< 2026, off again after BH_SCREEN_SYNC_MS
	BH_SCREEN_MODE_MOUSE,            ///< any of the four that follow
	BH_SCREEN_MODE_MOUSE_X10,        ///< 9
	BH_SCREEN_MODE_MOUSE_CLICK,      ///< 1000
	BH_SCREEN_MODE_MOUSE_DRAG,       ///< 1002
	BH_SCREEN_MODE_MOUSE_MOVE,       ///< 1003
	BH_SCREEN_MODE_MOUSE_UTF8,       ///< 1005
	BH_SCREEN_MODE_MOUSE_SGR,        ///< 1006
	BH_SCREEN_MODE_MOUSE_ALT_SCROLL, ///< 1007
	BH_SCREEN_MODE_MOUSE_URXVT,      ///< 1015
	BH_SCREEN_MODE_MOUSE_PIXELS,     ///< 1016
	BH_SCREEN_MODE_FOCUS,            ///< 1004
	BH_SCREEN_MODE_APP_CURSOR,       ///< DECCKM
	BH_SCREEN_MODE_APP_KEYPAD,       ///< DECKPAM
	BH_SCREEN_MODE_BACKARROW,        ///< DECBKM (67): Backspace sends 0x08
	BH_SCREEN_MODE_REVERSE,          ///< DECSCNM (5)
	BH_SCREEN_MODE_ORIGIN,           ///< DECOM (6)
	BH_SCREEN_MODE_AUTOWRAP,         ///< DECAWM (7)
	BH_SCREEN_MODE_INSERT,           ///< IRM
	BH_SCREEN_MODE_NEWLINE,          ///< LNM: Return sends CR LF
	BH_SCREEN_MODE_COLUMNS,          ///< 40: DECCOLM clears the screen
	BH_SCREEN_MODE_LEFT_RIGHT,       ///< DECLRMM (69)
	BH_SCREEN_MODE_GRAPHEMES,        ///< 2027: widths by cluster
	BH_SCREEN_MODE_THEME,            ///< 2031: wants colour scheme reports
	BH_SCREEN_MODE_SIZE_REPORTS,     ///< 2048: wants in-band size reports
	BH_SCREEN_MODE_CURSOR_VISIBLE,   ///< 25
	BH_SCREEN_MODE_CURSOR_BLINK,     ///< 12 or DECSCUSR
	BH_SCREEN_MODE_COUNT,
};

/** Shapes of the cursor. */
enum bh_cursor_shape {
	BH_CURSOR_BLOCK = 1,
	BH_CURSOR_UNDERLINE,
	BH_CURSOR_BAR,
};

/** The cursor. */
struct bh_cursor {
	int row, col;               ///< always inside the screen
	bool is_visible;            ///< mode 25
	bool is_blinking;           ///< by mode 12 or DECSCUSR
	bool is_wrap_pending;       ///< stands on the last column, the next glyph wraps
	enum bh_cursor_shape shape; ///< DECSCUSR
};

/** Do the libvterm that this was compiled for and the one that is loaded agree? If not: false, and
 * a sentence for people in @why (of @size bytes). Ask once at start, and refuse to run. */
bool bh_vterm_check(char *why, size_t size);

/** A new, blank screen; bh_screen_free() it. Never NULL. @settings is copied. */
struct bh_screen *bh_screen_new(const struct bh_screen_settings *settings);

/** Free @screen; NULL is fine. */
void bh_screen_free(struct bh_screen *screen);

/** Take @len bytes that the child wrote, at @now_ms (monotonic, any origin). */
void bh_screen_feed(struct bh_screen *screen, const void *bytes, size_t len, uint64_t now_ms);

/** Give it another size (clamped). The main screen's lines are wrapped anew; rows that no longer
 * fit go to the history. */
void bh_screen_resize(struct bh_screen *screen, int cols, int rows);

/** Time passes: ends a synchronized update that is too old. */
void bh_screen_tick(struct bh_screen *screen, uint64_t now_ms);

/** When bh_screen_tick() should be called next, 0: no need. */
uint64_t bh_screen_tick_due_ms(const struct bh_screen *screen);

/** Replay on: bytes of the past, so no replies, bells, clipboard or notifications come of them.
 * Off: the present. */
void bh_screen_set_replay(struct bh_screen *screen, bool is_replay);

/** Answers for the child, in the order of the questions. Borrowed until the next feed or consume.
 */
const char *bh_screen_replies(const struct bh_screen *screen, size_t *len_out);

/** Forget the first @len bytes of the replies: they were written. */
void bh_screen_replies_consume(struct bh_screen *screen, size_t len);

/** OR of enum bh_screen_change since the last call. During a synchronized update CELLS and CURSOR
 * are held back until it ends. */
uint32_t bh_screen_take_changes(struct bh_screen *screen);

/** Columns. */
int bh_screen_cols(const struct bh_screen *screen);

/** Rows. */
int bh_screen_rows(const struct bh_screen *screen);

/** The cursor. */
struct bh_cursor bh_screen_cursor(const struct bh_screen *screen);

/** Is @mode on? */
bool bh_screen_mode(const struct bh_screen *screen, enum bh_screen_mode mode);

/** Kitty keyboard flags in force, 0: legacy. */
unsigned bh_screen_kitty_flags(const struct bh_screen *screen);

/** xterm's modifyOtherKeys, 0 to 2. */
int bh_screen_modify_other_keys(const struct bh_screen *screen);

/** Window title: UTF-8 without control characters, "" when none. Borrowed until the next feed. */
const char *bh_screen_title(const struct bh_screen *screen);

/** Icon name, likewise. */
const char *bh_screen_icon(const struct bh_screen *screen);

/** OSC 7's argument as sent (a file: URL), "" when none. Borrowed until the next feed. */
const char *bh_screen_cwd(const struct bh_screen *screen);

/** The agent's last report. Never NULL; borrowed, its content follows feeds. */
const struct bh_status7501 *bh_screen_status(const struct bh_screen *screen);

/** How many background tasks have reported and not cleared. */
int bh_screen_background_count(const struct bh_screen *screen);

/** The @index'th of them, oldest first; NULL past the end. Borrowed until the next feed. */
const struct bh_background7501 *bh_screen_background(const struct bh_screen *screen, int index);

/** The last progress. */
struct bh_progress bh_screen_progress(const struct bh_screen *screen);

/** The last shell mark. */
struct bh_prompt bh_screen_prompt(const struct bh_screen *screen);

/** The newest notification that nobody has taken: true and a copy, once. */
bool bh_screen_take_notification(struct bh_screen *screen, struct bh_notification *out);

/** The newest text that the child put on the clipboard (OSC 52), decoded; NULL when none. The
 * caller frees it. */
char *bh_screen_take_clipboard(struct bh_screen *screen, size_t *len_out);

/**
 * What the child did beside the screen, by the @changes that were taken and before anything else of it
 * is: bytes that have another screen ring, notify and set the clipboard just so. A bh_screen_repaint()
 * has nothing of that.
 *
 * @return
 *         NULL when there was nothing; else the caller frees it.
 */
char *bh_screen_aside(const struct bh_screen *screen, uint32_t changes, size_t *len_out);

/** The cell at @row, @col; blank when outside. */
struct bh_cell bh_screen_cell(const struct bh_screen *screen, int row, int col);

/** Columns of row @row from the left that may show something; those after them are blank. */
int bh_screen_row_used(const struct bh_screen *screen, int row);

/** May row @row look different since bh_screen_see()? True of all rows when that was never called. */
bool bh_screen_is_new(const struct bh_screen *screen, int row);

/** What is on the screen now was looked at, by the one who asks bh_screen_is_new(). */
void bh_screen_see(struct bh_screen *screen);

/** The @count cells of @row from @col on into @out, in short; blank where outside. */
void bh_screen_briefs(const struct bh_screen *screen, int row, int col, struct bh_cell_brief *out,
                      int count);

/** Does the line of @row go on in the next row (it was wrapped by us, not by a newline)? */
bool bh_screen_is_wrapped(const struct bh_screen *screen, int row);

/** Write @row as UTF-8 into @out of @size bytes, trailing blanks cut, NUL-terminated, never cut
 * inside a glyph. Returns the bytes written without the NUL. @size of cols * BH_CELL_TEXT is always
 * enough, cols * 4 + 1 nearly always. */
size_t bh_screen_row_text(const struct bh_screen *screen, int row, char *out, size_t size);

/** All rows of the screen, each ended by '\n', trailing blank rows cut. The caller frees it. */
char *bh_screen_text(const struct bh_screen *screen, size_t *len_out);

/** The same with SGR sequences for colours and attributes. The caller frees it. */
char *bh_screen_ansi(const struct bh_screen *screen, size_t *len_out);

/** History: rows that left the top of the main screen. Each has an id, growing by one, never used
 * again: ids first .. first + count - 1 can be read. This is the count. */
size_t bh_screen_history_count(const struct bh_screen *screen);

/** The id of the oldest row of history. */
uint64_t bh_screen_history_first(const struct bh_screen *screen);

/** Bytes of memory that the history holds. */
size_t bh_screen_history_bytes(const struct bh_screen *screen);

/** A row of history as bh_screen_row_text() writes it; 0 when the id is gone. */
size_t bh_screen_history_text(const struct bh_screen *screen, uint64_t id, char *out, size_t size);

/** The same with SGR sequences for colours and attributes, all of the row; "" when the id is gone. The
 * caller frees it. */
char *bh_screen_history_ansi(const struct bh_screen *screen, uint64_t id, size_t *len_out);

/** Its cells into @out of @max; returns how many the row has (perhaps more than @max). Links in
 * them are borrowed until the next feed. */
int bh_screen_history_cells(const struct bh_screen *screen, uint64_t id, struct bh_cell *out,
                            int max);

/** Does the line of history row @id go on in the next row? */
bool bh_screen_history_is_wrapped(const struct bh_screen *screen, uint64_t id);

/**
 * Bytes that rebuild an equal screen (bh_screen_equal) when fed to a new one of this size, whatever
 * was fed before and wherever it was cut: main and alternate screen, modes, titles, OSC 7501,
 * saved cursors, and, last, the beginning of an unfinished sequence. No query is in them. Standard
 * sequences: a terminal of a person understands them too, when it is reset before.
 * Never longer than BH_SCREEN_REPAINT_MAX: a screen that would need more, which only hostile output
 * or a huge size makes, comes back without its links, or without its looks, or blank.
 * The caller frees the result; it is also NUL-terminated.
 */
char *bh_screen_repaint(const struct bh_screen *screen, size_t *len_out);

/** The same, with the newest @history_rows rows of history in front. Rows wider than the screen are
 * wrapped. */
char *bh_screen_repaint_history(const struct bh_screen *screen, size_t history_rows,
                                size_t *len_out);

/** The same within @max bytes; then the history is what is left out first. Titles, reports and the
 * unfinished token are always in it, so it may still be longer: that is for the caller to look at. */
char *bh_screen_repaint_within(const struct bh_screen *screen, size_t history_rows, size_t max,
                               size_t *len_out);

/** Would a program, a person and the next bytes see no difference between @a and @b? History,
 * times, replies and changes not yet taken are left out. When false, *@why_out (may be NULL) is the
 * name of the first field that differs. */
bool bh_screen_equal(const struct bh_screen *a, const struct bh_screen *b, const char **why_out);

#endif
