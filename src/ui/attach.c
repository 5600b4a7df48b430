#include "src/ui/attach.h"

#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/ui/bindings.h"
#include "src/ui/draw.h"
#include "src/ui/input.h"
#include "src/ui/modes.h"
#include "src/ui/mouse.h"
#include "src/ui/pane.h"
#include "src/ui/pass.h"
#include "src/ui/tty.h"
#include "src/ui/typed.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Shortest time between two drawings (ms). */
#define FRAME_MS 16
/** Time between two tries to reach a server that is gone, and how long to go on (ms). */
#define RECONNECT_EVERY_MS 150
#define RECONNECT_MS 30000
/** So long keys wait for it; then those that are ours are looked at, the others dropped (ms). */
#define HOLD_MS 1000
/** A server that took its socket away and does not come back so soon was stopped (ms). */
#define STOPPED_MS 5000
/** How long a server may take to restore a screen after its start (ms). */
#define RESTORING_MS 5000
/** How long a message stands in the status line (ms). */
#define MESSAGE_MS 4000
/** No deadline. */
#define NEVER UINT64_MAX

/** Everything of one attach. */
struct attach {
	const struct bh_attach_settings *settings;
	struct bh_attach_end *end;
	struct bh_pane *pane;
	struct bh_tty tty;
	/** What the person's terminal can, as far as is known. */
	struct bh_outer outer;
	struct bh_modes modes;
	struct bh_input input;
	/** What the prefix is called. */
	const char *prefix_name;
	struct bh_draw *draw;
	/** Size of the person's terminal. */
	int cols, rows;
	/** Something is to be drawn. */
	bool is_dirty;
	uint64_t drawn_at_ms;
	/** Our own words in the status line, until when. */
	char message[160];
	uint64_t message_until_ms;
	/** When the server was lost and when to try again; 0: it is there. */
	uint64_t lost_at_ms;
	uint64_t retry_at_ms;
	/** Without a server: keys for the program are dropped, for it takes too long. */
	bool is_late;
	struct bh_pass_title title;
	/** The first row and column of the screen that are shown. */
	int first_row, first_col;
	bool is_done;
};

/** Rows of the pane: all but the status line, where there is room for one. */
static int pane_rows(const struct attach *at)
{
	return at->rows > 2 ? at->rows - 1 : at->rows;
}

static void show_message(struct attach *at, uint64_t now_ms, const char *text)
{
	(void)snprintf(at->message, sizeof(at->message), "%s", text);
	at->message_until_ms = now_ms + MESSAGE_MS;
	at->is_dirty = true;
}

static void finish(struct attach *at, enum bh_attach_outcome outcome)
{
	at->end->outcome = outcome;
	at->is_done = true;
}

// -------------------------------------------------------------------------------- drawing

/** The status line: who, in what state, what is going on; on the right how to get out. */
static void draw_status(struct attach *at, uint64_t now_ms)
{
	static const struct bh_draw_style bar = {.attrs = BH_ATTR_REVERSE};
	char help[64];
	const char *state = bh_pane_state(at->pane);
	const char *note = bh_pane_note(at->pane);
	int row = at->rows - 1;
	int help_width = 0;
	int col = 0;
	char text[512];

	if (pane_rows(at) == at->rows) {
		return;
	}
	(void)snprintf(help, sizeof(help), " %s d detach  %s ? help ", at->prefix_name,
	               at->prefix_name);
	help_width = bh_draw_width(help);
	bh_draw_clear(at->draw, (struct bh_draw_rect){row, 0, 1, at->cols}, bar);
	if (at->message_until_ms > now_ms) {
		(void)snprintf(text, sizeof(text), " %s", at->message);
	} else if (at->lost_at_ms != 0) {
		(void)snprintf(text, sizeof(text), " %s: the server is gone, reconnecting ...",
		               bh_pane_identity(at->pane));
	} else {
		(void)snprintf(text, sizeof(text), " %s%s%s%s%s%s", bh_pane_identity(at->pane),
		               state[0] == '\0' ? "" : "  ", state,
		               at->settings->is_observing ? "  (only looking)" : "",
		               note[0] == '\0' ? "" : "  ", note);
	}
	col = bh_draw_text(at->draw, row, 0, at->cols, text, bar);
	if (col + help_width <= at->cols) {
		(void)bh_draw_text(at->draw, row, at->cols - help_width, help_width, help, bar);
	}
}

/** The first row and column to show, so that the cursor is seen on a screen larger than the view. */
static void choose_view(struct attach *at, const struct bh_screen *screen)
{
	struct bh_cursor cursor = bh_screen_cursor(screen);
	int rows = pane_rows(at);

	at->first_row = cursor.row < rows ? 0 : cursor.row - rows + 1;
	at->first_col = cursor.col < at->cols ? 0 : cursor.col - at->cols + 1;
}

static void draw_pane(struct attach *at)
{
	const struct bh_screen *screen = bh_pane_screen(at->pane);
	struct bh_draw_rect rect = {.rows = pane_rows(at), .cols = at->cols};
	struct bh_cursor cursor = {0};

	if (screen != NULL) {
		choose_view(at, screen);
		bh_draw_screen(at->draw, rect, screen, at->first_row, at->first_col);
		cursor = bh_screen_cursor(screen);
		cursor.row -= at->first_row;
		cursor.col -= at->first_col;
	}
	bh_draw_cursor(at->draw, &cursor);
}

/** Draw if there is something to draw and the last frame is old enough. */
static void draw(struct attach *at, uint64_t now_ms)
{
	struct bh_buf out = {0};

	// A terminal that has not taken the last frame gets the next one when it has.
	if (!at->is_dirty || at->tty.out.len > 0 || now_ms - at->drawn_at_ms < FRAME_MS) {
		return;
	}
	at->is_dirty = false;
	at->drawn_at_ms = now_ms;
	draw_pane(at);
	draw_status(at, now_ms);
	bh_draw_flush(at->draw, &out);
	bh_tty_put_frame(&at->tty, (struct bh_span){.data = out.data, .len = out.len});
	bh_buf_clear(&out);
}

// ------------------------------------------------------------------ what the program asks for

/** Pass on what the program did beside the screen, by its @changes. */
static void pass_aside(const struct attach *at, struct bh_screen *screen, uint32_t changes,
                       struct bh_buf *out)
{
	if ((changes & BH_SCREEN_CHANGED_BELL) != 0) {
		bh_buf_puts(out, "\a");
	}
	if ((changes & BH_SCREEN_CHANGED_NOTIFICATION) != 0) {
		bh_pass_notification(screen, out);
	}
	if ((changes & BH_SCREEN_CHANGED_CLIPBOARD) != 0 && !at->settings->is_observing) {
		bh_pass_clipboard(screen, out);
	}
}

/** Follow what changed on the pane's screen: cells, modes, title, bell and the like. */
static void follow_screen(struct attach *at)
{
	struct bh_screen *screen = bh_pane_screen(at->pane);
	struct bh_buf out = {0};
	uint32_t changes = 0;

	if (bh_pane_take_news(at->pane)) {
		at->is_dirty = true;
	}
	if (screen == NULL) {
		return;
	}
	changes = bh_screen_take_changes(screen);
	if ((changes & (BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR |
	                BH_SCREEN_CHANGED_SIZE | BH_SCREEN_CHANGED_MODES)) != 0) {
		at->is_dirty = true;
	}
	if (bh_tty_is_behind(&at->tty)) {
		return; // modes and title follow later; whoever does not read now misses the rest
	}
	if (!at->settings->is_observing) {
		bh_modes_follow(&at->modes, screen, &out);
	}
	if (!at->modes.is_plain) {
		bh_pass_title(&at->title, screen, bh_pane_identity(at->pane), &out);
	}
	pass_aside(at, screen, changes, &out);
	screen = bh_pane_take_aside(at->pane, &changes);
	pass_aside(at, screen, changes, &out);
	bh_screen_free(screen);
	bh_tty_put(&at->tty, (struct bh_span){.data = out.data, .len = out.len});
	bh_buf_clear(&out);
}

// ----------------------------------------------------------------------------------- keys

static void do_detach(struct attach *at, uint64_t now_ms)
{
	(void)now_ms;
	finish(at, BH_ATTACH_DETACHED);
}

static void do_redraw(struct attach *at, uint64_t now_ms)
{
	(void)now_ms;
	bh_draw_invalidate(at->draw);
	at->is_dirty = true;
}

/** Keys for the program. */
static void send_keys(struct attach *at, struct bh_span keys)
{
	if (!at->is_late) {
		bh_pane_keys(at->pane, keys);
	}
}

static void do_prefix(struct attach *at)
{
	char bytes[2];
	size_t len = bh_bindings_prefix_bytes(&at->input.prefix, bytes);

	send_keys(at, (struct bh_span){.data = bytes, .len = len});
}

/** Hands used to other multiplexers look for it here. */
static void do_scrollback(struct attach *at, uint64_t now_ms)
{
	struct bh_buf text = {0};

	bh_buf_printf(&text, "in another terminal: bellhop log %s | less",
	              bh_pane_identity(at->pane));
	show_message(at, now_ms, text.data);
	bh_buf_clear(&text);
}

static void do_help(struct attach *at, uint64_t now_ms);

/** The keys after the prefix: the one table of them, from which the help is made. */
static const struct {
	uint32_t key;
	bool is_control;
	const char *help;
	void (*run)(struct attach *at, uint64_t now_ms);
} bindings[] = {
	{'d', false, "d detach", do_detach},  {'d', true, NULL, do_detach},
	{'r', false, "r redraw", do_redraw},  {'[', false, "[ scrollback", do_scrollback},
	{'?', false, "? this help", do_help},
};

static void do_help(struct attach *at, uint64_t now_ms)
{
	struct bh_buf text = {0};

	bh_buf_printf(&text, "after %s:", at->prefix_name);
	for (size_t i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++) {
		if (bindings[i].help != NULL) {
			bh_buf_printf(&text, "  %s", bindings[i].help);
		}
	}
	bh_buf_printf(&text, "  %s send %s", at->prefix_name, at->prefix_name);
	show_message(at, now_ms, text.data);
	bh_buf_clear(&text);
}

static void show_prefix(struct attach *at, uint64_t now_ms)
{
	char text[96];

	(void)snprintf(text, sizeof(text), "%s ...  (d detach, %s send %s, ? help)",
	               at->prefix_name, at->prefix_name, at->prefix_name);
	show_message(at, now_ms, text);
}

static void take_command(struct attach *at, const struct bh_layer_key *key, uint64_t now_ms)
{
	char text[96];

	at->message_until_ms = 0;
	at->is_dirty = true;
	if (key->is_control == at->input.prefix.is_control &&
	    key->is_alt == at->input.prefix.is_alt && key->key == at->input.prefix.key) {
		do_prefix(at);
		return;
	}
	for (size_t i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++) {
		if (bindings[i].key == key->key && bindings[i].is_control == key->is_control &&
		    !key->is_alt) {
			bindings[i].run(at, now_ms);
			return;
		}
	}
	(void)snprintf(text, sizeof(text),
	               "that key does nothing after %s; %s ? lists those that do", at->prefix_name,
	               at->prefix_name);
	show_message(at, now_ms, text);
}

/** The mouse is the program's, where it asked for it. */
static void take_mouse(struct attach *at, const struct bh_input_mouse *report)
{
	const struct bh_screen *screen = bh_pane_screen(at->pane);
	struct bh_input_mouse moved = *report;
	struct bh_buf out = {0};

	moved.row += at->first_row;
	moved.col += at->first_col;
	if (screen != NULL && report->row < pane_rows(at) &&
	    bh_mouse_encode(screen, &moved, &out)) {
		send_keys(at, (struct bh_span){.data = out.data, .len = out.len});
	}
	bh_buf_clear(&out);
}

/** Draw, and set keys, by what the person's terminal can as far as is known. */
static void use_outer(struct attach *at)
{
	at->modes.is_plain = (at->outer.can & BH_OUTER_XTERM) == 0;
	at->modes.has_kitty = (at->outer.can & BH_OUTER_KITTY_KEYS) != 0;
	bh_draw_set_outer(at->draw, &at->outer);
}

/** Whether keys wait for a server that may be back at once. */
static bool is_waiting(const struct attach *at, uint64_t now_ms)
{
	return at->lost_at_ms != 0 && now_ms - at->lost_at_ms < HOLD_MS;
}

static void take_input(struct attach *at, uint64_t now_ms)
{
	const struct bh_screen *screen = bh_pane_screen(at->pane);
	struct bh_input_event event;

	at->input.is_kitty = screen != NULL && bh_screen_kitty_flags(screen) != 0;
	at->input.is_paste_plain =
		screen != NULL && !bh_screen_mode(screen, BH_SCREEN_MODE_BRACKETED_PASTE);
	while (!at->is_done && !is_waiting(at, now_ms) &&
	       bh_input_next(&at->input, now_ms, &event)) {
		switch (event.kind) {
		case BH_INPUT_BYTES:
			send_keys(at, event.bytes);
			break;
		case BH_INPUT_PREFIX_SEEN:
			show_prefix(at, now_ms);
			break;
		case BH_INPUT_FOCUS:
			send_keys(at, bh_span_of(event.key == 'I' ? "\x1b[I" : "\x1b[O"));
			break;
		case BH_INPUT_MOUSE:
			take_mouse(at, &event.mouse);
			break;
		case BH_INPUT_COMMAND:
			take_command(at, &event.pressed, now_ms);
			break;
		case BH_INPUT_ANSWER:
			at->is_dirty = bh_outer_answer(&at->outer, event.bytes) || at->is_dirty;
			use_outer(at);
			break;
		case BH_INPUT_KEY:
		case BH_INPUT_DIRECT:
		case BH_INPUT_PASTE:
			break; // nothing of ours takes keys here
		}
	}
	// What came in the first second was kept.
	at->is_late = at->lost_at_ms != 0 && !is_waiting(at, now_ms);
}

/** Read keys. Without a server they wait a while, then they are dropped, but for those that are ours. */
static void read_keys(struct attach *at, uint64_t now_ms)
{
	char bytes[16 * 1024];
	ssize_t n = read(at->tty.in_fd, bytes, sizeof(bytes));

	if (n > 0) {
		bh_input_feed(&at->input, bytes, (size_t)n, now_ms);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		finish(at, BH_ATTACH_SIGNALLED);
	}
}

// ------------------------------------------------------------------- signals and connection

static void take_size(struct attach *at)
{
	bh_tty_size(at->tty.out_fd, &at->cols, &at->rows);
	bh_draw_resize(at->draw, at->cols, at->rows);
	bh_pane_resize(at->pane, at->cols, pane_rows(at));
	at->is_dirty = true;
}

static void take_signals(struct attach *at, uint64_t now_ms)
{
	int number = 0;

	while ((number = bh_tty_signal(&at->tty)) != 0) {
		if (number == SIGWINCH) {
			take_size(at);
		} else if (number == SIGCONT) {
			bh_tty_resume(&at->tty);
			do_redraw(at, now_ms);
		} else {
			at->end->signal = number;
			finish(at, BH_ATTACH_SIGNALLED);
		}
	}
}

/** The server is gone: try to reach it again, for a while. */
static void reconnect(struct attach *at, uint64_t now_ms, struct bh_err *err)
{
	int rc = 0;

	if (at->lost_at_ms == 0) {
		at->lost_at_ms = now_ms;
		at->is_dirty = true;
	} else if (now_ms < at->retry_at_ms && bh_pane_fd(at->pane) < 0) {
		return;
	}
	at->retry_at_ms = now_ms + RECONNECT_EVERY_MS;
	if (now_ms - at->lost_at_ms > BH_TYPED_KEPT_MS) {
		bh_pane_forget_keys(at->pane);
	}
	rc = bh_pane_reconnect(at->pane, err);
	if (rc == BH_PANE_UNDERWAY) {
		return;
	}
	if (rc == 0) {
		at->lost_at_ms = 0;
		at->is_late = false;
		do_redraw(at, now_ms);
		show_message(at, now_ms, "connected again: the server was restarted");
	} else if (rc == BH_ENOTFOUND || rc == BH_EDENIED ||
	           now_ms - at->lost_at_ms > (rc == -ENOENT ? STOPPED_MS : RECONNECT_MS)) {
		finish(at, BH_ATTACH_LOST);
	}
}

static void take_pane(struct attach *at, uint64_t now_ms, struct bh_err *err)
{
	if (bh_pane_is_connected(at->pane)) {
		(void)bh_pane_pump(at->pane, now_ms); // a loss shows as not connected
	}
	if (bh_pane_is_over(at->pane, &at->end->status)) {
		finish(at, BH_ATTACH_EXITED);
	} else if (!bh_pane_is_connected(at->pane)) {
		reconnect(at, now_ms, err);
	}
	if (bh_pane_screen(at->pane) != NULL) {
		bh_screen_tick(bh_pane_screen(at->pane), now_ms);
	}
	follow_screen(at);
}

// ------------------------------------------------------------------------------------ loop

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return b != 0 && b < a ? b : a;
}

/** How long poll() may sleep (ms); -1: until something comes. */
static int sleep_ms(struct attach *at, uint64_t now_ms)
{
	const struct bh_screen *screen = bh_pane_screen(at->pane);
	uint64_t due_ms = is_waiting(at, now_ms) ? at->lost_at_ms + HOLD_MS
	                                         : sooner(NEVER, bh_input_due_ms(&at->input));

	if (at->is_dirty && at->tty.out.len == 0) {
		due_ms = sooner(due_ms, at->drawn_at_ms + FRAME_MS);
	}
	if (at->lost_at_ms != 0) {
		due_ms = sooner(due_ms, at->retry_at_ms);
	}
	due_ms = sooner(due_ms, at->message_until_ms);
	if (screen != NULL) {
		due_ms = sooner(due_ms, bh_screen_tick_due_ms(screen));
	}
	if (due_ms == NEVER) {
		return -1;
	}
	return due_ms <= now_ms ? 0 : (int)(due_ms - now_ms);
}

/** Wait for and take one round of events. */
static void turn(struct attach *at, struct bh_err *err)
{
	enum {
		KEYS,
		DRAW,
		SIGNALS,
		PANE,
		COUNT
	};
	struct pollfd fds[COUNT] = {
		[KEYS] = {.fd = at->tty.in_fd, .events = POLLIN},
		[DRAW] = {.fd = at->tty.out.len > 0 ? at->tty.out_fd : -1, .events = POLLOUT},
		[SIGNALS] = {.fd = at->tty.signal_fd, .events = POLLIN},
		[PANE] = {.fd = bh_pane_fd(at->pane),
	                  .events = bh_pane_wants_write(at->pane) ? POLLIN | POLLOUT : POLLIN},
	};
	uint64_t now_ms = bh_clock_mono_ms();

	if (poll(fds, COUNT, sleep_ms(at, now_ms)) < 0 && errno != EINTR) {
		finish(at, BH_ATTACH_SIGNALLED);
		return;
	}
	now_ms = bh_clock_mono_ms();
	if (at->message_until_ms != 0 && at->message_until_ms <= now_ms) {
		at->message_until_ms = 0;
		at->is_dirty = true;
	}
	take_signals(at, now_ms);
	if (fds[KEYS].revents != 0 && !at->is_done) {
		read_keys(at, now_ms);
	}
	take_input(at, now_ms);
	take_pane(at, now_ms, err);
	take_input(at, now_ms); // what waited for it
	draw(at, now_ms);
	if (bh_tty_write(&at->tty) != 0) {
		finish(at, BH_ATTACH_SIGNALLED);
	}
}

/** From raw mode to the end of it. */
static int show(struct attach *at, struct bh_err *err)
{
	struct bh_buf out = {0};
	int rc = bh_tty_open(&at->tty, at->settings->in_fd, at->settings->out_fd, err);

	if (rc != 0) {
		return rc;
	}
	use_outer(at);
	bh_modes_enter(&at->modes, &out);
	bh_outer_ask(&at->outer, &out);
	bh_tty_put(&at->tty, (struct bh_span){.data = out.data, .len = out.len});
	bh_buf_clear(&out);
	at->is_dirty = true;
	while (!at->is_done) {
		turn(at, err);
	}
	// What was not drawn yet is of no use any more; the way back is.
	bh_tty_drop_frame(&at->tty);
	bh_modes_leave(&at->modes, &out);
	bh_tty_put(&at->tty, (struct bh_span){.data = out.data, .len = out.len});
	bh_buf_clear(&out);
	bh_tty_forget_answers(&at->tty, at->outer.is_waiting ? BH_OUTER_ANSWER_MS : 0);
	bh_tty_close(&at->tty);
	return at->end->outcome == BH_ATTACH_LOST ? err->code : 0;
}

/** The first connect; a server that still restores the screen is asked again. */
static int connect_first(struct attach *at, struct bh_err *err)
{
	uint64_t deadline_ms = bh_clock_mono_ms() + RESTORING_MS;
	int rc = 0;

	do {
		rc = bh_pane_connect(at->pane, at->settings->client->connect_ms, err);
		if (rc == BH_EBUSY) {
			(void)poll(NULL, 0, RECONNECT_EVERY_MS); // a short sleep
		}
	} while (rc == BH_EBUSY && bh_clock_mono_ms() < deadline_ms);
	return rc;
}

int bh_attach_run(const struct bh_attach_settings *settings, struct bh_attach_end *end_out,
                  struct bh_err *err)
{
	struct bh_err own = {0};
	struct attach at = {.settings = settings, .end = end_out, .outer = settings->outer};
	struct bh_pane_settings pane = {.client = settings->client,
	                                .name = settings->name,
	                                .is_observing = settings->is_observing};
	struct bh_draw_settings draw_settings = {.outer = settings->outer};
	int rc = 0;

	*end_out = (struct bh_attach_end){0};
	if (!isatty(settings->in_fd) || !isatty(settings->out_fd)) {
		return bh_err_set(err, BH_EUNSUPPORTED,
		                  "standard input and output must be a terminal; `bellhop screen "
		                  "NAME` prints what a terminal shows");
	}
	at.prefix_name = settings->prefix_name == NULL ? "C-b" : settings->prefix_name;
	at.input.prefix =
		bh_bindings_prefix(settings->prefix == 0 ? BH_INPUT_PREFIX : settings->prefix);
	at.input.partial_ms = settings->escape_ms;
	bh_tty_size(settings->out_fd, &at.cols, &at.rows);
	pane.cols = at.cols;
	pane.rows = pane_rows(&at);
	at.pane = bh_pane_new(&pane);
	rc = connect_first(&at, &own);
	if (rc == 0) {
		draw_settings.cols = at.cols;
		draw_settings.rows = at.rows;
		at.draw = bh_draw_new(&draw_settings);
		rc = show(&at, &own);
	}
	(void)snprintf(end_out->identity, sizeof(end_out->identity), "%s",
	               bh_pane_identity(at.pane));
	(void)snprintf(end_out->terminal_id, sizeof(end_out->terminal_id), "%s",
	               bh_pane_terminal_id(at.pane));
	bh_draw_free(at.draw);
	bh_input_clear(&at.input);
	bh_pane_free(at.pane);
	if (rc != 0 && err != NULL) {
		*err = own;
	}
	return rc;
}
