#include "src/server/terminal.h"

#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/base/clock.h"
#include "src/base/err.h"
#include "src/base/limits.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/checkpoint.h"
#include "src/server/held_keys.h"
#include "src/server/keeper_link.h"
#include "src/server/pty.h"
#include "src/server/server.h"
#include "src/server/streams.h"
#include "src/server/tape.h"
#include "src/server/terminal_probe.h"
#include "term/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Most output taken from one terminal in one turn of the loop (bytes).
#define TURN_BYTES (64 * 1024)
// Nor longer than so (ms): few bytes can be much work on a huge screen.
#define TURN_MS 20
// While output flows the judge looks so often (ms).
#define EVALUATE_MS 50
// How long the last output of a dead child is waited for (ms).
#define NUDGE_MS 300
#define DRAIN_MS 200
// Most keys of people held while mail is typed (bytes).
#define HELD_MAX (64 * 1024)
// A warning to people about their keys stands at least so long (ms).
#define WARNING_MS 5000

struct bh_terminal_own {
	// Whose it is.
	struct bh_terminal *terminal;
	// Judges when it is due.
	uv_timer_t evaluation;
	uv_timer_t drain; // ends the draining
	// Handles that are not closed yet; the pty counts as one.
	int handles;
	bool closing;
	// When the evaluation timer is due (loop time); 0: it is not running.
	uint64_t due_ms;
	uint64_t evaluated_ms;
	// Somebody asked for a judgement out of turn: the listeners have not heard of it.
	bool has_news;
	// Keys of people while the typist holds the terminal.
	struct bh_buf held;
	// The size that waits for the end of a typing; 0: none.
	int pending_cols, pending_rows;
	// What was read in this turn, for attached clients.
	struct bh_buf batch;
	// When people were last warned that their keys were dropped (loop time); 0: never.
	uint64_t warned_ms;
	// The child's end was reported while the tape was being replayed.
	bool is_gone;
	bool is_lost; // what the screen showed: the program is to draw it again
	// When a size that was changed to that end goes back (loop time), and to which; 0: never.
	uint64_t nudge_ms;
	int nudge_rows;
};

static void terminal_finish(struct bh_terminal *terminal);

// ---- judging ----

static void on_evaluation(uv_timer_t *timer);

static void terminal_schedule(struct bh_terminal *terminal, uint64_t at_ms)
{
	struct bh_terminal_own *own = terminal->own;
	uint64_t now_ms = bh_server_now_ms(terminal->server);

	if (own->closing || (own->due_ms != 0 && own->due_ms <= at_ms)) {
		return;
	}
	own->due_ms = at_ms;
	(void)uv_timer_start(&own->evaluation, on_evaluation, at_ms > now_ms ? at_ms - now_ms : 0,
	                     0); // fails only while closing
}

// Judge again though nothing happens, if that can change anything: a time that is over when the
// judge has just looked cannot.
static void terminal_schedule_next(struct bh_terminal *terminal)
{
	const uint64_t due_ms[] = {terminal->verdict.reevaluate_at_ms,
	                           bh_screen_tick_due_ms(terminal->screen),
	                           terminal->own->nudge_ms};

	for (size_t i = 0; i < sizeof due_ms / sizeof due_ms[0]; i++) {
		if (due_ms[i] > terminal->own->evaluated_ms) {
			terminal_schedule(terminal, due_ms[i]);
		}
	}
}

static void terminal_evaluate(struct bh_terminal *terminal)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);
	struct bh_verdict before = terminal->verdict;

	bh_screen_tick(terminal->screen, now_ms);
	if (terminal->phase == BH_TERMINAL_RUNNING) {
		bh_terminal_probe(terminal, now_ms);
	}
	bh_judge_evaluate(terminal->judge, terminal->screen, now_ms, &terminal->verdict);
	terminal->own->evaluated_ms = now_ms;
	if (before.state != terminal->verdict.state) {
		bh_log(BH_LOG_INFO, "terminal", terminal->identity, "%s, was %s",
		       bh_state_word(terminal->verdict.state), bh_state_word(before.state));
	}
	terminal->own->has_news =
		terminal->own->has_news || !bh_verdict_is_same(&before, &terminal->verdict);
}

// The second half of terminal_nudge(), unless somebody gave it another size meanwhile.
static void terminal_nudge_back(struct bh_terminal *terminal)
{
	struct bh_terminal_own *own = terminal->own;

	if (own->nudge_ms == 0 || bh_server_now_ms(terminal->server) < own->nudge_ms) {
		return;
	}
	own->nudge_ms = 0;
	if (bh_screen_rows(terminal->screen) == own->nudge_rows + 1) {
		(void)bh_terminal_resize(terminal, bh_terminal_cols(terminal), own->nudge_rows);
	}
}

static void terminal_evaluation_due(struct bh_terminal *terminal)
{
	terminal->own->due_ms = 0;
	if (terminal->phase == BH_TERMINAL_EXITED || terminal->phase == BH_TERMINAL_SPAWNING) {
		return;
	}
	terminal_nudge_back(terminal);
	terminal_evaluate(terminal);
	terminal->own->has_news = false;
	terminal_schedule_next(terminal);
	terminal->server->events->evaluated(terminal);
}

static void on_evaluation(uv_timer_t *timer)
{
	struct bh_terminal_own *own = bh_container_of(timer, struct bh_terminal_own, evaluation);

	terminal_evaluation_due(own->terminal);
}

const struct bh_verdict *bh_terminal_evaluate(struct bh_terminal *terminal)
{
	if (terminal->phase == BH_TERMINAL_RUNNING || terminal->phase == BH_TERMINAL_DRAINING) {
		terminal_evaluate(terminal);
		if (terminal->own->has_news) {
			terminal_schedule(terminal, bh_server_now_ms(terminal->server));
		}
		terminal_schedule_next(terminal);
	}
	return &terminal->verdict;
}

// Something happened: judge at once after quiet, else at most every EVALUATE_MS.
static void terminal_dirty(struct bh_terminal *terminal)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);
	uint64_t earliest_ms = terminal->own->evaluated_ms + EVALUATE_MS;

	terminal_schedule(terminal, earliest_ms > now_ms ? earliest_ms : now_ms);
}

// ---- output ----

// Write the answers to queries of the program and remember that they were given.
static void terminal_reply(struct bh_terminal *terminal)
{
	size_t len = 0;
	const char *replies = bh_screen_replies(terminal->screen, &len);

	if (len > 0 && terminal->pty != NULL) {
		// A program that asks and never reads loses the answers beyond the bound.
		(void)bh_pty_write(terminal->pty, replies, len);
		bh_judge_input(terminal->judge, BH_INPUT_REPLY, bh_server_now_ms(terminal->server));
	}
	bh_screen_replies_consume(terminal->screen, len);
	bh_tape_set_replied(terminal->tape, terminal->offset);
}

// What the checkpoint replaces is not read again: queries in it are answered before.
static void terminal_checkpoint(struct bh_terminal *terminal)
{
	terminal_reply(terminal);
	bh_checkpoint_write(terminal);
}

// Everything that follows from a batch of output, once per turn.
static void terminal_output(struct bh_terminal *terminal)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);
	struct bh_buf *batch = &terminal->own->batch;

	terminal->output_ms = now_ms;
	bh_judge_output(terminal->judge, terminal->screen, now_ms);
	terminal_reply(terminal);
	if (batch->len > 0) {
		bh_streams_output(terminal, (struct bh_span){batch->data, batch->len});
		batch->len = 0;
	}
	if (bh_tape_wants_checkpoint(terminal->tape)) {
		terminal_checkpoint(terminal);
	}
	terminal_dirty(terminal);
}

// Read what is there, as far as the turn's budget goes. True when the other side is closed.
static bool terminal_read(struct bh_terminal *terminal, size_t *total_out)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);
	uint64_t end_ms = bh_clock_mono_ms() + TURN_MS;
	struct bh_span bytes = {0};
	size_t total = 0;
	int code = 0;

	while (code == 0 && total < TURN_BYTES && bh_clock_mono_ms() < end_ms) {
		code = bh_tape_read(terminal->tape, bh_pty_fd(terminal->pty), &bytes);
		if (code == BH_ELIMIT) {
			terminal_checkpoint(terminal);
			code = bh_tape_read(terminal->tape, bh_pty_fd(terminal->pty), &bytes);
		}
		if (code == 0) {
			bh_screen_feed(terminal->screen, bytes.data, bytes.len, now_ms);
			terminal->offset = bh_tape_offset(terminal->tape);
			total += bytes.len;
			if (!bh_list_is_empty(&terminal->streams)) {
				bh_buf_append(&terminal->own->batch, bytes.data, bytes.len);
			}
		}
	}
	bool is_over = code != 0 && code != -EAGAIN;

	if (is_over) {
		bh_pty_set_hung_up(terminal->pty);
	}
	if (total > 0) {
		terminal_output(terminal);
	}
	*total_out = total;
	return is_over;
}

static void terminal_readable(struct bh_terminal *terminal)
{
	size_t total = 0;

	if (terminal->phase == BH_TERMINAL_REPLAYING) {
		return; // what is on the tape comes first
	}
	bool is_over = terminal_read(terminal, &total);

	if (total > 0) {
		terminal->server->events->output(terminal);
	}
	if (is_over && terminal->phase == BH_TERMINAL_DRAINING) {
		terminal_finish(terminal);
	}
}

static void on_pty_readable(void *user)
{
	terminal_readable(user);
}

static void on_pty_written(void *user)
{
	struct bh_terminal *terminal = user;

	terminal->server->events->written(terminal);
}

// ---- end ----

static void terminal_free(struct bh_terminal *terminal)
{
	terminal->server->events->closed(terminal);
	bh_list_remove(&terminal->link);
	bh_screen_free(terminal->screen);
	bh_judge_free(terminal->judge);
	bh_proof_free(terminal->proof);
	bh_tape_free(terminal->tape);
	bh_setup_clear(&terminal->setup);
	bh_buf_clear(&terminal->own->held);
	bh_buf_clear(&terminal->own->batch);
	free(terminal->spool_path);
	free(terminal->home);
	free(terminal->config_folder);
	free(terminal->own);
	free(terminal);
}

static void terminal_handle_closed(struct bh_terminal *terminal)
{
	terminal->own->handles--;
	if (terminal->own->handles == 0) {
		terminal_free(terminal);
	}
}

static void on_pty_closed(void *user)
{
	terminal_handle_closed(user);
}

static void on_evaluation_closed(uv_handle_t *handle)
{
	terminal_handle_closed(
		bh_container_of((uv_timer_t *)handle, struct bh_terminal_own, evaluation)
			->terminal);
}

static void on_drain_closed(uv_handle_t *handle)
{
	terminal_handle_closed(
		bh_container_of((uv_timer_t *)handle, struct bh_terminal_own, drain)->terminal);
}

void bh_terminal_close(struct bh_terminal *terminal)
{
	struct bh_terminal_own *own = terminal->own;

	if (own->closing) {
		return;
	}
	own->closing = true;
	if (terminal->phase == BH_TERMINAL_DRAINING) {
		bh_streams_exit(terminal, terminal->exit_status);
	} else {
		bh_streams_drop(terminal); // the child goes on
	}
	if (terminal->pty != NULL) {
		bh_pty_close(terminal->pty);
		terminal->pty = NULL;
	}
	uv_close((uv_handle_t *)&own->evaluation, on_evaluation_closed);
	uv_close((uv_handle_t *)&own->drain, on_drain_closed);
}

// The child is gone and its last output was read, or waited for long enough.
static void terminal_finish(struct bh_terminal *terminal)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);

	if (terminal->phase != BH_TERMINAL_DRAINING) {
		return;
	}
	(void)uv_timer_stop(&terminal->own->drain);      // never fails
	(void)uv_timer_stop(&terminal->own->evaluation); // never fails
	terminal->own->due_ms = 0;
	bh_judge_exited(terminal->judge, terminal->exit_status, now_ms);
	terminal_evaluate(terminal);
	terminal->phase = BH_TERMINAL_EXITED;
	bh_buf_clear(&terminal->own->held);
	bh_streams_exit(terminal, terminal->exit_status);
	if (terminal->pty != NULL) {
		bh_pty_close(terminal->pty);
		terminal->pty = NULL;
	}
	terminal->server->events->evaluated(terminal);
	terminal->server->events->exited(terminal);
}

static void on_drain(uv_timer_t *timer)
{
	terminal_finish(bh_container_of(timer, struct bh_terminal_own, drain)->terminal);
}

void bh_terminal_child_gone(struct bh_terminal *terminal, int status)
{
	terminal->exit_status = status;
	if (terminal->phase == BH_TERMINAL_REPLAYING) {
		terminal->own->is_gone = true;
		return;
	}
	if (terminal->phase != BH_TERMINAL_RUNNING) {
		return;
	}
	terminal->phase = BH_TERMINAL_DRAINING;
	// Also without a master `exited` must come from the loop.
	(void)uv_timer_start(&terminal->own->drain, on_drain, terminal->pty != NULL ? DRAIN_MS : 0,
	                     0); // fails only while closing
}

// ---- size ----

static int size_clamp(int value)
{
	if (value < BH_LIMIT_SCREEN_MIN) {
		return BH_LIMIT_SCREEN_MIN;
	}
	return value > BH_LIMIT_SCREEN_MAX ? BH_LIMIT_SCREEN_MAX : value;
}

bool bh_terminal_resize(struct bh_terminal *terminal, int cols, int rows)
{
	struct bh_terminal_own *own = terminal->own;
	size_t total = 0;

	cols = size_clamp(cols);
	rows = size_clamp(rows);
	if (terminal->is_held || terminal->phase == BH_TERMINAL_REPLAYING) {
		own->pending_cols = cols;
		own->pending_rows = rows;
		return true;
	}
	if (terminal->phase != BH_TERMINAL_RUNNING || terminal->pty == NULL ||
	    (cols == bh_screen_cols(terminal->screen) &&
	     rows == bh_screen_rows(terminal->screen))) {
		return false;
	}
	// Output that the program wrote for the old size comes first.
	(void)terminal_read(terminal, &total);
	if (bh_tape_resize(terminal->tape, (uint16_t)cols, (uint16_t)rows) != 0) {
		terminal_checkpoint(terminal);
		(void)bh_tape_resize(terminal->tape, (uint16_t)cols,
		                     (uint16_t)rows); // after a checkpoint there is room
	}
	bh_screen_resize(terminal->screen, cols, rows);
	bh_pty_resize(terminal->pty, cols, rows);
	bh_streams_resized(terminal, cols, rows);
	terminal->resized_ms = bh_server_now_ms(terminal->server);
	bh_judge_input(terminal->judge, BH_INPUT_RESIZE, terminal->resized_ms);
	terminal_reply(terminal);
	terminal_dirty(terminal);
	return false;
}

// Do the resize that had to wait.
static void terminal_resize_pending(struct bh_terminal *terminal)
{
	int cols = terminal->own->pending_cols;

	if (cols > 0) {
		terminal->own->pending_cols = 0;
		(void)bh_terminal_resize(terminal, cols,
		                         terminal->own->pending_rows); // it waits no more
	}
}

// ---- begin ----

static const struct bh_pty_events pty_events = {
	.readable = on_pty_readable,
	.written = on_pty_written,
	.closed = on_pty_closed,
};

struct bh_terminal *bh_terminal_new(struct bh_server *server, const struct bh_uuid *id,
                                    const struct bh_setup *setup)
{
	struct bh_terminal *terminal = bh_xmalloc(sizeof *terminal);
	struct bh_terminal_own *own = bh_xmalloc(sizeof *own);

	terminal->server = server;
	terminal->id = *id;
	(void)bh_uuid_format(id, terminal->id_text);
	terminal->setup = *setup;
	terminal->phase = BH_TERMINAL_SPAWNING;
	terminal->created_at = bh_clock_wall_ms();
	terminal->own = own;
	own->terminal = terminal;
	own->handles = 2;
	bh_list_init(&terminal->link);
	bh_list_init(&terminal->streams);
	bh_list_init(&terminal->state_waits);
	(void)uv_timer_init(&server->loop, &own->evaluation); // never fails
	(void)uv_timer_init(&server->loop, &own->drain);      // never fails
	return terminal;
}

static struct bh_screen *terminal_screen_new(const struct bh_terminal *terminal, int cols, int rows,
                                             bool is_replay)
{
	const struct bh_screen_settings settings = {
		.cols = cols > 0 ? cols : terminal->setup.cols,
		.rows = rows > 0 ? rows : terminal->setup.rows,
		.is_replay = is_replay,
		.xtversion = "bellhop " PACKAGE_VERSION,
	};

	return bh_screen_new(&settings);
}

// Agents lay out emoji of several parts as one glyph of two columns, as most terminals do, but do not
// ask for it. So the screen begins as if they had.
static void terminal_set_clusters(struct bh_terminal *terminal, uint64_t now_ms)
{
	static const char set[] = "\x1B[?2027h";

	if (bh_profile_counts_clusters(terminal->profile)) {
		bh_screen_feed(terminal->screen, set, sizeof set - 1, now_ms);
	}
}

static void terminal_open_tape(struct bh_terminal *terminal, int tape_fd, int master_fd)
{
	struct bh_err err = {0};

	terminal->own->is_lost = !bh_tape_open_at_any_rate(
		tape_fd, master_fd, bh_tape_size_for(terminal->setup.cols, terminal->setup.rows),
		&terminal->tape, &err);
	if (terminal->own->is_lost) {
		bh_log(BH_LOG_ERROR, "terminal", terminal->identity, "its tape is lost: %s",
		       err.text);
	}
}

// A tape that killed the server before us is kept for a bug report and not read again.
static void terminal_check_poison(struct bh_terminal *terminal)
{
	struct bh_err err = {0};

	if (!bh_tape_is_poisoned(terminal->tape)) {
		return;
	}
	char *path = bh_xasprintf("%s/poisoned-%s.tape", terminal->server->paths.state_dir,
	                          terminal->id_text);

	(void)bh_tape_save(terminal->tape, path, &err); // the log says where it should be
	bh_tape_wipe(terminal->tape);
	terminal->own->is_lost = true;
	bh_log(BH_LOG_ERROR, "terminal", terminal->identity,
	       "its output ended the server before; the screen starts blank, the output is in %s%s%s",
	       path, err.code != 0 ? ", or not: " : "", err.text);
	free(path);
}

// Nothing is known of the screen, and an idle program would never draw again: to it, the window has
// become one row taller and in a moment it is as before.
static void terminal_nudge(struct bh_terminal *terminal)
{
	struct bh_terminal_own *own = terminal->own;

	own->nudge_rows = bh_screen_rows(terminal->screen);
	own->nudge_ms = bh_server_now_ms(terminal->server) + NUDGE_MS;
	(void)bh_terminal_resize(terminal, bh_terminal_cols(terminal), own->nudge_rows + 1);
	terminal_schedule(terminal, own->nudge_ms);
}

// The screen is there: go live.
static void terminal_go(struct bh_terminal *terminal)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);
	bool is_gone = terminal->own->is_gone;

	terminal->phase = BH_TERMINAL_RUNNING;
	terminal->offset = bh_tape_offset(terminal->tape);
	bh_judge_output(terminal->judge, terminal->screen, now_ms);
	terminal_dirty(terminal);
	terminal_resize_pending(terminal);
	if (terminal->own->is_lost && !is_gone) {
		terminal_nudge(terminal);
	}
	terminal->server->events->started(terminal);
	if (is_gone || terminal->pty == NULL) {
		bh_terminal_child_gone(terminal, terminal->exit_status);
	}
}

void bh_terminal_begin(struct bh_terminal *terminal, const struct bh_keeper_entry *entry)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);
	const struct bh_proof_place place = {
		.home = terminal->home,
		.config_folder = terminal->config_folder,
		.child_pid = entry->pid,
	};

	terminal->pid = entry->pid;
	terminal->pid_start = entry->pid_start;
	terminal->exit_status = entry->status;
	terminal->own->is_gone = entry->has_exited;
	terminal->judge = bh_judge_new(terminal->profile, now_ms);
	terminal->proof = bh_proof_new(terminal->profile, &place);
	terminal_open_tape(terminal, entry->tape_fd, entry->master_fd);
	if (entry->master_fd >= 0 && bh_pty_start(&terminal->server->loop, entry->master_fd,
	                                          &pty_events, terminal, &terminal->pty) == 0) {
		terminal->own->handles++;
	}
	terminal_check_poison(terminal);
	terminal->phase = BH_TERMINAL_REPLAYING;
	terminal->screen = terminal_screen_new(terminal, 0, 0, true);
	bh_tape_replay_start(terminal->tape);
}

static void terminal_replay_event(struct bh_terminal *terminal, const struct bh_tape_event *event)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);

	switch (event->kind) {
	case BH_TAPE_CHECKPOINT:
		bh_screen_free(terminal->screen);
		terminal->screen = terminal_screen_new(terminal, event->cols, event->rows, true);
		if (event->bytes.len == 0) { // the start: a checkpoint of ours holds the modes
			terminal_set_clusters(terminal, now_ms);
		}
		break;
	case BH_TAPE_RESIZE:
		bh_screen_resize(terminal->screen, event->cols, event->rows);
		return;
	case BH_TAPE_OUTPUT:
		bh_screen_set_replay(terminal->screen, event->is_replied);
		break;
	}
	bh_screen_feed(terminal->screen, event->bytes.data, event->bytes.len, now_ms);
}

void bh_terminal_begin_dead(struct bh_terminal *terminal, int status)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);

	terminal->phase = BH_TERMINAL_EXITED;
	terminal->exit_status = status;
	terminal->judge = bh_judge_new(terminal->profile, now_ms);
	terminal->screen = terminal_screen_new(terminal, 0, 0, false);
	bh_judge_exited(terminal->judge, status, now_ms);
	terminal_evaluate(terminal);
}

bool bh_terminal_replay(struct bh_terminal *terminal, size_t budget)
{
	struct bh_tape_event event;
	size_t used = 0;

	while (used < budget) {
		if (!bh_tape_replay_next(terminal->tape, budget - used, &event)) {
			bh_tape_replay_end(terminal->tape);
			bh_screen_set_replay(terminal->screen, false);
			(void)bh_screen_take_changes(terminal->screen); // of the past
			terminal->offset = bh_tape_offset(terminal->tape);
			terminal_reply(terminal);
			terminal_go(terminal);
			return false;
		}
		terminal_replay_event(terminal, &event);
		used += event.bytes.len + 1;
	}
	bh_tape_replay_pause(terminal->tape);
	return true;
}

void bh_terminal_save(struct bh_terminal *terminal)
{
	if (terminal->tape != NULL && terminal->screen != NULL &&
	    terminal->phase != BH_TERMINAL_REPLAYING) {
		terminal_checkpoint(terminal);
	}
}

// ---- input ----

static int terminal_write_person(struct bh_terminal *terminal, const void *bytes, size_t len)
{
	struct bh_buf *held = &terminal->own->held;

	if (!terminal->is_held) {
		int code = bh_pty_write(terminal->pty, bytes, len);

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
	return 0;
}

int bh_terminal_write(struct bh_terminal *terminal, const void *bytes, size_t len,
                      enum bh_writer writer)
{
	static const enum bh_input inputs[] = {
		[BH_WRITER_PERSON] = BH_INPUT_PERSON_TEXT,
		[BH_WRITER_TYPIST_TEXT] = BH_INPUT_TYPIST_TEXT,
		[BH_WRITER_TYPIST_CR] = BH_INPUT_TYPIST_CR,
		[BH_WRITER_TYPIST_CLEAR] = BH_INPUT_TYPIST_CLEAR,
		[BH_WRITER_REPLY] = BH_INPUT_REPLY,
	};
	int code = BH_ECLOSED;

	if (terminal->pty == NULL || terminal->phase != BH_TERMINAL_RUNNING) {
		return code;
	}
	if (writer == BH_WRITER_PERSON) {
		if (!bh_held_keys_is_report(bytes, len)) {
			terminal->person_ms = bh_server_now_ms(terminal->server);
		}
		code = terminal_write_person(terminal, bytes, len);
	} else {
		// What we type goes out at the moment for which the gate was seen open, or not at all.
		code = writer == BH_WRITER_REPLY ? bh_pty_write(terminal->pty, bytes, len)
		                                 : bh_pty_write_now(terminal->pty, bytes, len);
		if (code == 0) {
			bh_judge_input(terminal->judge, inputs[writer],
			               bh_server_now_ms(terminal->server));
		}
	}
	terminal_dirty(terminal);
	return code;
}

void bh_terminal_hook(struct bh_terminal *terminal, const char *event, const struct cJSON *payload)
{
	bh_judge_hook(terminal->judge, event, payload, bh_server_now_ms(terminal->server));
	bh_proof_hook(terminal->proof, event, payload);
	terminal_dirty(terminal);
	terminal->server->events->hook(terminal);
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
	terminal_resize_pending(terminal);
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

bool bh_terminal_is_alive(const struct bh_terminal *terminal)
{
	return terminal->phase == BH_TERMINAL_RUNNING ||
	       (terminal->phase == BH_TERMINAL_REPLAYING && !terminal->own->is_gone);
}

size_t bh_terminal_attached(struct bh_terminal *terminal)
{
	return bh_streams_count(terminal);
}

int bh_terminal_cols(const struct bh_terminal *terminal)
{
	return terminal->screen != NULL ? bh_screen_cols(terminal->screen) : terminal->setup.cols;
}

int bh_terminal_rows(const struct bh_terminal *terminal)
{
	return terminal->screen != NULL ? bh_screen_rows(terminal->screen) : terminal->setup.rows;
}
