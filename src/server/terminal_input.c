// What is written to a terminal: by people, whose keys wait while mail is typed, and by us.
#include "src/server/terminal.h"

#include "src/agent/profile.h"
#include "src/base/err.h"
#include "src/server/held_keys.h"
#include "src/server/key_marks.h"
#include "src/server/pty.h"
#include "src/server/server.h"
#include "src/server/streams.h"
#include "src/server/terminal_own.h"

#include <stdio.h>
#include <string.h>

// After a key the judge waits so long (ms): the echo is shown first, and judged with the key.
#define ECHO_MS 5
// Most keys of people held while mail is typed (bytes).
#define HELD_MAX BH_PTY_QUEUE_MAX
// A warning to people about their keys stands at least so long (ms).
#define WARNING_MS 5000

// Whether it can be written to.
static bool terminal_is_open(const struct bh_terminal *terminal)
{
	return terminal->pty != NULL && terminal->phase == BH_TERMINAL_RUNNING;
}

static int terminal_write_person(struct bh_terminal *terminal, int client, const void *bytes,
                                 size_t len)
{
	struct bh_buf *held = &terminal->own->held;

	if (!terminal->is_held) {
		int code = bh_pty_write(terminal->pty, client, bytes, len);

		if (code == 0) {
			bh_judge_person(terminal->judge, bytes, len,
			                bh_server_now_ms(terminal->server));
		}
		return code;
	}
	if (len > HELD_MAX - held->len) {
		return BH_EBUSY;
	}
	bh_buf_append(held, bytes, len);
	bh_key_marks_hold(terminal->key_marks, client, len);
	return 0;
}

int bh_terminal_write_keys(struct bh_terminal *terminal, int client, struct bh_span keys)
{
	int code = BH_ECLOSED;

	if (terminal_is_open(terminal)) {
		terminal->session.is_touched |= !bh_held_keys_is_focus(keys.data, keys.len);
		if (!bh_held_keys_is_report(keys.data, keys.len)) {
			terminal->person_ms = bh_server_now_ms(terminal->server);
			terminal->server->events->person(terminal);
		}
		code = terminal_write_person(terminal, client, keys.data, keys.len);
		bh_terminal_own_dirty(terminal, ECHO_MS);
	}
	return code;
}

int bh_terminal_write(struct bh_terminal *terminal, const void *bytes, size_t len,
                      enum bh_writer writer)
{
	static const enum bh_input inputs[] = {
		[BH_WRITER_TYPIST_TEXT] = BH_INPUT_TYPIST_TEXT,
		[BH_WRITER_TYPIST_CR] = BH_INPUT_TYPIST_CR,
		[BH_WRITER_TYPIST_CLEAR] = BH_INPUT_TYPIST_CLEAR,
		[BH_WRITER_REPLY] = BH_INPUT_REPLY,
	};
	int code = BH_ECLOSED;

	if (writer == BH_WRITER_PERSON) {
		return bh_terminal_write_keys(terminal, BH_KEY_MARKS_NOBODY,
		                              (struct bh_span){.data = bytes, .len = len});
	}
	if (!terminal_is_open(terminal)) {
		return code;
	}
	// What we type goes out at the moment for which the gate was seen open, or not at all; and
	// never where a shell may take it, whatever the gate says.
	if (writer != BH_WRITER_REPLY && !bh_profile_typing(terminal->profile)->is_allowed) {
		return BH_EDENIED;
	}
	code = writer == BH_WRITER_REPLY
	               ? bh_pty_write(terminal->pty, BH_KEY_MARKS_NOBODY, bytes, len)
	               : bh_pty_write_now(terminal->pty, bytes, len);
	if (code == 0) {
		bh_judge_input(terminal->judge, inputs[writer], bh_server_now_ms(terminal->server));
	}
	bh_terminal_own_dirty(terminal, 0);
	return code;
}

bool bh_terminal_has_unread(const struct bh_terminal *terminal)
{
	return terminal->pty != NULL && bh_pty_has_unread(terminal->pty);
}

void bh_terminal_hold(struct bh_terminal *terminal)
{
	terminal->is_held = true;
}

static void terminal_show_note(struct bh_terminal *terminal, const char *text)
{
	if (strcmp(terminal->note, text) == 0) {
		return;
	}
	(void)snprintf(terminal->note, sizeof terminal->note, "%s", text);
	bh_streams_note(terminal, terminal->note);
	terminal->server->events->noted(terminal);
}

size_t bh_terminal_release(struct bh_terminal *terminal, bool drop_answers)
{
	struct bh_terminal_own *own = terminal->own;
	struct bh_buf held = own->held;
	size_t dropped = drop_answers ? bh_held_keys_drop_answers(&held) : 0;

	own->held = (struct bh_buf){0};
	terminal->is_held = false;
	bh_key_marks_release(terminal->key_marks);
	if (held.len > 0) {
		(void)bh_terminal_write(terminal, held.data, held.len,
		                        BH_WRITER_PERSON); // keys to a dead child are nobody's
	}
	bh_buf_clear(&held);
	if (dropped > 0) {
		terminal_show_note(terminal,
		                   "a dialog appeared while mail was typed: Enter, Esc and digits "
		                   "that you pressed meanwhile were dropped");
		own->warned_ms = bh_server_now_ms(terminal->server);
	}
	bh_terminal_own_resize(terminal);
	return dropped;
}

void bh_terminal_note(struct bh_terminal *terminal, const char *text)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);

	if (terminal->own->warned_ms == 0 || now_ms - terminal->own->warned_ms >= WARNING_MS) {
		terminal->own->warned_ms = 0;
		terminal_show_note(terminal, text);
	}
}
