#include "src/server/terminal.h"

#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/base/clock.h"
#include "src/base/err.h"
#include "src/base/limits.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/checkpoint.h"
#include "src/server/keeper_link.h"
#include "src/server/key_marks.h"
#include "src/server/pty.h"
#include "src/server/resume.h"
#include "src/server/server.h"
#include "src/server/streams.h"
#include "src/server/tape.h"
#include "src/server/terminal_own.h"
#include "src/server/terminal_probe.h"
#include "term/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Most output taken from one terminal in one turn of the loop (bytes).
#define TURN_BYTES (16 * 1024)
// Nor longer than so (ms): few bytes can be much work on a huge screen.
#define TURN_MS 20
// So little is likely all that a program had to say (bytes). To ask the kernel for more would wait for it
// to look, for every piece of output; what comes yet wakes the loop again.
#define LIKELY_ALL 1024
// While output flows the judge looks so often (ms).
#define EVALUATE_MS 50
// How long the last output of a dead child is waited for (ms).
#define NUDGE_MS 300
#define DRAIN_MS 200

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
	                           bh_adopt_due_ms(terminal), terminal->own->nudge_ms};

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
		const struct bh_profile *watched = terminal->adopted.profile;

		bh_terminal_probe(terminal, now_ms);
		terminal->own->has_news |= watched != terminal->adopted.profile;
	}
	bh_judge_evaluate(terminal->judge, terminal->screen, now_ms, &terminal->verdict);
	terminal->own->evaluated_ms = now_ms;
	if (before.state != terminal->verdict.state) {
		bh_log(BH_LOG_INFO, "terminal", terminal->identity, "%s, was %s",
		       bh_state_word(terminal->verdict.state), bh_state_word(before.state));
	}
	if (terminal->phase == BH_TERMINAL_RUNNING) {
		bh_resume_look(terminal, before.state != terminal->verdict.state, now_ms);
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

// At most every EVALUATE_MS.
void bh_terminal_own_dirty(struct bh_terminal *terminal, uint64_t delay_ms)
{
	uint64_t at_ms = bh_server_now_ms(terminal->server) + delay_ms;
	uint64_t earliest_ms = terminal->own->evaluated_ms + EVALUATE_MS;

	terminal_schedule(terminal, earliest_ms > at_ms ? earliest_ms : at_ms);
}

static void terminal_dirty(struct bh_terminal *terminal)
{
	bh_terminal_own_dirty(terminal, 0);
}

// ---- output ----

// Write the answers to queries of the program and remember that they were given.
static void terminal_reply(struct bh_terminal *terminal)
{
	size_t len = 0;
	const char *replies = bh_screen_replies(terminal->screen, &len);

	if (len > 0 && terminal->pty != NULL) {
		// A program that asks and never reads loses the answers beyond the bound.
		(void)bh_pty_write(terminal->pty, BH_KEY_MARKS_NOBODY, replies, len);
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

// Read what is there, as far as the turn's budget goes; with @is_all until the kernel says that there is no
// more. True when the other side is closed.
static bool terminal_read(struct bh_terminal *terminal, bool is_all, size_t *total_out)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);
	uint64_t end_ms = bh_clock_mono_ms() + TURN_MS;
	struct bh_span bytes = {0};
	size_t total = 0;
	size_t room = bh_courtesy_room(&terminal->server->courtesy, &terminal->own->share, terminal,
	                               TURN_BYTES, now_ms);
	bool is_likely_over = false;
	int code = 0;

	while (code == 0 && !is_likely_over && total < room && bh_clock_mono_ms() < end_ms) {
		code = bh_tape_read(terminal->tape, bh_pty_fd(terminal->pty), &bytes);
		if (code == BH_ELIMIT) {
			terminal_checkpoint(terminal);
			code = bh_tape_read(terminal->tape, bh_pty_fd(terminal->pty), &bytes);
		}
		if (code == 0) {
			bh_screen_feed(terminal->screen, bytes.data, bytes.len, now_ms);
			terminal->offset = bh_tape_offset(terminal->tape);
			total += bytes.len;
			is_likely_over = !is_all && bytes.len < LIKELY_ALL;
			if (!bh_list_is_empty(&terminal->streams)) {
				bh_buf_append(&terminal->own->batch, bytes.data, bytes.len);
			}
		}
	}
	bool is_over = code != 0 && code != -EAGAIN;
	uint64_t rest_ms = bh_courtesy_take(&terminal->server->courtesy, &terminal->own->share,
	                                    terminal, total, now_ms);

	if (is_over) {
		bh_pty_set_hung_up(terminal->pty);
	} else if (rest_ms > 0) {
		bh_pty_rest(terminal->pty, rest_ms);
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
	bool is_over = terminal_read(terminal, false, &total);

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
	bh_key_marks_free(terminal->key_marks);
	bh_tape_free(terminal->tape);
	bh_setup_clear(&terminal->setup);
	bh_buf_clear(&terminal->own->held);
	bh_buf_clear(&terminal->own->batch);
	free(terminal->spool_path);
	free(terminal->home);
	free(terminal->config_folder);
	free(terminal->session.record);
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

bool bh_terminal_is_closing(const struct bh_terminal *terminal)
{
	return terminal->own->closing;
}

void bh_terminal_close(struct bh_terminal *terminal)
{
	struct bh_terminal_own *own = terminal->own;

	if (own->closing) {
		return;
	}
	own->closing = true;
	bh_adopt_close(terminal);
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
	bh_adopt_close(terminal);
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
	(void)terminal_read(terminal, true, &total);
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

void bh_terminal_own_resize(struct bh_terminal *terminal)
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
		.history_rows = (size_t)terminal->server->config.history_lines,
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
	bh_terminal_own_resize(terminal);
	if (terminal->own->is_lost && !is_gone) {
		terminal_nudge(terminal);
	}
	terminal->server->events->started(terminal);
	if (is_gone || terminal->pty == NULL) {
		bh_terminal_child_gone(terminal, terminal->exit_status);
	}
}

// A server that was started anew finds programs whose start is long over. The wall clock may have been set.
static uint64_t terminal_started_ms(const struct bh_terminal *terminal, uint64_t now_ms)
{
	int64_t age_ms = bh_clock_wall_ms() - terminal->created_at;

	if (age_ms <= 0) {
		return now_ms;
	}
	return (uint64_t)age_ms < now_ms ? now_ms - (uint64_t)age_ms : 0;
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
	terminal->judge = bh_judge_new(terminal->profile, terminal_started_ms(terminal, now_ms));
	terminal->proof = bh_proof_new(terminal->profile, &place);
	terminal_open_tape(terminal, entry->tape_fd, entry->master_fd);
	terminal->key_marks = bh_key_marks_new(bh_tape_notes(terminal->tape));
	if (entry->master_fd >= 0 && bh_pty_start(&terminal->server->loop, entry->master_fd,
	                                          &pty_events, terminal, &terminal->pty) == 0) {
		terminal->own->handles++;
		bh_pty_set_marks(terminal->pty, terminal->key_marks);
	}
	if (bh_checkpoint_put_poison_aside(terminal)) {
		terminal->own->is_lost = true;
	}
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
		bh_checkpoint_feed(terminal, event, now_ms);
		return;
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
	terminal->screen = bh_checkpoint_recall_end(terminal, now_ms);
	if (terminal->screen == NULL) {
		terminal->is_screen_lost = true;
		terminal->screen = terminal_screen_new(terminal, 0, 0, false);
	}
	(void)bh_screen_take_changes(terminal->screen); // of the past
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
		bh_checkpoint_keep(terminal);
	}
}

void bh_terminal_hook(struct bh_terminal *terminal, const char *event, const struct cJSON *payload)
{
	bh_judge_hook(terminal->judge, event, payload, bh_server_now_ms(terminal->server));
	bh_proof_hook(terminal->proof, event, payload);
	bh_resume_look(terminal, true, bh_server_now_ms(terminal->server));
	terminal_dirty(terminal);
	terminal->server->events->hook(terminal);
}

bool bh_terminal_is_alive(const struct bh_terminal *terminal)
{
	return terminal->phase == BH_TERMINAL_RUNNING ||
	       (terminal->phase == BH_TERMINAL_REPLAYING && !terminal->own->is_gone);
}
