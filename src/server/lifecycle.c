#include "src/server/lifecycle.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <uv.h>

#include "src/base/buf.h"
#include "src/base/clock.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/respawn.h"
#include "src/server/resume.h"
#include "src/server/server.h"
#include "src/server/terminals.h"

struct bh_lifecycle {
	struct bh_server *server;
	/** For the terminal that has been awaiting so long first. */
	uv_timer_t timer;
	bool is_closing;
};

// ---- who is told ----

/** The terminal that stands for the agent that started this one: it, or its successor. */
static const struct bh_terminal_record *launcher_find(const struct bh_terminal *terminal)
{
	const struct bh_store *store = terminal->server->store;
	const struct bh_terminal *launcher;
	const struct bh_terminal_record *record;
	char id[BH_UUID_TEXT];
	const char *line = id;

	bh_uuid_format(&terminal->setup.launched_by, id);
	record = bh_store_terminal(store, id);
	if (record != NULL) {
		return record;
	}
	launcher = bh_terminals_get(terminal->server->terminals, &terminal->setup.launched_by);
	if (launcher != NULL) {
		line = launcher->line;
	}
	while ((record = bh_store_next_terminal(store, record)) != NULL) {
		if (strcmp(record->line, line) == 0) {
			return record;
		}
	}
	return NULL;
}

/** The name of the agent that started it; NULL: a person did, or nobody is left. */
static const char *launcher_name(const struct bh_terminal *terminal)
{
	const struct bh_terminal_record *record;
	const struct bh_mailbox *name;

	if (bh_uuid_is_none(&terminal->setup.launched_by)) {
		return NULL;
	}
	record = launcher_find(terminal);
	if (record == NULL) {
		return NULL;
	}
	name = bh_store_speaks_as(record);
	return name != NULL ? name->name : record->identity; // "": it waits for its respawn
}

// ---- what is told ----

/** A letter to the agent that started a terminal. */
struct letter {
	/** Message id; NULL: a fresh one. */
	const char *id;
	/** It does not wake. */
	bool is_quiet;
	/** The text; taken. */
	struct bh_buf text;
};

static void on_put(void *user, const struct bh_answer *answer)
{
	(void)user;
	if (answer->err.code != 0) {
		bh_log(BH_LOG_ERROR, "lifecycle", "", "not told: %s", answer->err.text);
	}
}

static void letter_send(const struct bh_terminal *terminal, struct letter *letter)
{
	const char *to = launcher_name(terminal);
	struct bh_uuid uuid = bh_uuid_new_ordered(bh_clock_wall_ms());
	char id[BH_UUID_TEXT];
	char *topic = bh_xasprintf("child-%s", terminal->line);
	struct bh_err err = {0};
	struct bh_put put = {.message_id =
	                             letter->id != NULL ? letter->id : bh_uuid_format(&uuid, id),
	                     .to = to,
	                     .from = "bellhop",
	                     .sender = BH_SENDER_BELLHOP,
	                     .from_terminal = terminal->id_text,
	                     .is_quiet = letter->is_quiet,
	                     .topic = topic,
	                     .body = {letter->text.data, letter->text.len}};

	if (bh_store_put(terminal->server->store, &put, on_put, NULL, &err) != 0) {
		bh_log(BH_LOG_ERROR, "lifecycle", terminal->identity, "not told: %s", err.text);
	}
	bh_buf_clear(&letter->text);
	free(topic);
}

static void text_add_end(struct bh_buf *text, const struct bh_terminal *terminal)
{
	int status = terminal->exit_status;
	const char *abbreviation;

	if (WIFSIGNALED(status)) {
		abbreviation = sigabbrev_np(WTERMSIG(status));
		bh_buf_printf(text, "%s was ended by the signal %s%s", terminal->identity,
		              abbreviation != NULL ? "SIG" : "",
		              abbreviation != NULL ? abbreviation : "of an unknown number");
	} else if (WEXITSTATUS(status) != 0) {
		bh_buf_printf(text, "%s has failed: its program ended with status %d",
		              terminal->identity, WEXITSTATUS(status));
	} else {
		bh_buf_printf(text, "%s has exited: its program ended normally",
		              terminal->identity);
	}
}

static void text_add_unread(struct bh_buf *text, const struct bh_terminal *terminal)
{
	const struct bh_mailbox *mailbox =
		bh_store_mailbox(terminal->server->store, terminal->identity);

	if (mailbox != NULL && mailbox->unread > 0) {
		bh_buf_printf(text, " Unread mail in its inbox: %zu.", mailbox->unread);
	}
}

void bh_lifecycle_exited(const struct bh_terminal *terminal)
{
	struct letter letter = {0};
	char *id;

	// Whoever has it replaced, or ends the session, knows.
	if (terminal->server->is_stopping || terminal->replacement != NULL ||
	    launcher_name(terminal) == NULL) {
		return;
	}
	letter.is_quiet = terminal->watched.is_ended_by_agent;
	text_add_end(&letter.text, terminal);
	if (terminal->respawn_at != 0) {
		letter.is_quiet = true;
		bh_buf_puts(&letter.text, "; it is started again by itself");
		bh_buf_puts(&letter.text,
		            terminal->session.is_resume_due
		                    ? " with its session, idle: nobody tells it to go on with "
		                      "what it was doing."
		                    : ".");
	} else if (terminal->respawn_count >= BH_RESPAWN_MAX &&
	           terminal->setup.respawn != BH_RESPAWN_NEVER) {
		bh_buf_printf(&letter.text,
		              "; it did not last %d times in a row and is started no more: look "
		              "with `bellhop screen %s`, then `bellhop respawn %s`.",
		              BH_RESPAWN_MAX, terminal->identity, terminal->identity);
		letter.is_quiet = false;
	} else {
		bh_buf_printf(&letter.text,
		              ". `bellhop screen %s` shows its last screen, `bellhop respawn %s` "
		              "starts it again%s.",
		              terminal->identity, terminal->identity,
		              bh_resume_check(terminal, NULL) == 0
		                      ? " afresh, with --resume in its session"
		                      : "");
	}
	text_add_unread(&letter.text, terminal);
	id = bh_xasprintf("bellhop-exit-%s", terminal->id_text);
	letter.id = id;
	letter_send(terminal, &letter);
	free(id);
}

static void turn_failed(const struct bh_terminal *terminal)
{
	struct letter letter = {0};

	bh_buf_printf(&letter.text,
	              "A turn of %s ended in an error; it is idle now. `bellhop screen %s` shows "
	              "what it says.",
	              terminal->identity, terminal->identity);
	letter_send(terminal, &letter);
}

static void awaits_long(const struct bh_terminal *terminal, uint64_t minutes)
{
	struct letter letter = {0};

	bh_buf_printf(&letter.text,
	              "%s has been waiting for a person's decision for %d min. Only a person can "
	              "answer; `bellhop screen %s` shows the question.",
	              terminal->identity, (int)minutes, terminal->identity);
	letter_send(terminal, &letter);
}

// ---- when ----

/** After so long (ms) an agent that awaits a person is told about; 0: never. */
static uint64_t awaiting_limit_ms(const struct bh_server *server)
{
	return (uint64_t)server->config.child_awaiting_minutes * 60000;
}

static void on_timer(uv_timer_t *timer);

/** Tell about those that have awaited long enough, and set the timer for the next. */
static void lifecycle_look(struct bh_lifecycle *lifecycle)
{
	struct bh_server *server = lifecycle->server;
	uint64_t now_ms = bh_server_now_ms(server);
	uint64_t limit_ms = awaiting_limit_ms(server);
	uint64_t first_ms = 0;

	if (lifecycle->is_closing) {
		return;
	}
	bh_list_for (at, next, bh_terminals_all(server->terminals)) {
		struct bh_terminal *terminal = bh_container_of(at, struct bh_terminal, link);
		struct bh_watched *watched = &terminal->watched;
		uint64_t due_ms = watched->awaiting_ms + limit_ms;

		if (limit_ms == 0 || watched->awaiting_ms == 0 || watched->is_told) {
			continue;
		}
		if (due_ms <= now_ms) {
			watched->is_told = true;
			awaits_long(terminal, limit_ms / 60000);
		} else if (first_ms == 0 || due_ms < first_ms) {
			first_ms = due_ms;
		}
	}
	if (first_ms != 0) {
		(void)uv_timer_start(&lifecycle->timer, on_timer, first_ms - now_ms,
		                     0); // fails only while closing
	}
}

static void on_timer(uv_timer_t *timer)
{
	lifecycle_look(bh_container_of(timer, struct bh_lifecycle, timer));
}

/** How a turn ended may be known a little after its end. */
static void look_at_turn(struct bh_terminal *terminal)
{
	struct bh_watched *watched = &terminal->watched;
	const struct bh_verdict *verdict = &terminal->verdict;

	if (verdict->state == BH_STATE_WORKING) {
		watched->has_worked = true;
	} else if (watched->has_worked && verdict->last_turn != BH_TURN_NONE &&
	           (verdict->state == BH_STATE_IDLE || verdict->state == BH_STATE_COMPLETED)) {
		watched->has_worked = false;
		if (verdict->last_turn == BH_TURN_ERROR) {
			turn_failed(terminal);
		}
	}
}

void bh_lifecycle_evaluated(struct bh_terminal *terminal)
{
	struct bh_watched *watched = &terminal->watched;
	enum bh_state before = watched->state;
	enum bh_state state = terminal->verdict.state;

	watched->state = state;
	if (bh_uuid_is_none(&terminal->setup.launched_by) || launcher_name(terminal) == NULL) {
		return;
	}
	look_at_turn(terminal);
	if (state == before) {
		return;
	}
	if (state != BH_STATE_AWAITING) {
		watched->awaiting_ms = 0;
		watched->is_told = false;
	} else if (terminal->server->lifecycle != NULL) {
		watched->awaiting_ms = bh_server_now_ms(terminal->server);
		lifecycle_look(terminal->server->lifecycle);
	}
}

// ---- life ----

struct bh_lifecycle *bh_lifecycle_new(struct bh_server *server)
{
	struct bh_lifecycle *lifecycle = bh_xmalloc(sizeof(*lifecycle));

	*lifecycle = (struct bh_lifecycle){.server = server};
	(void)uv_timer_init(&server->loop, &lifecycle->timer); // never fails
	return lifecycle;
}

static void on_closed(uv_handle_t *handle)
{
	free(bh_container_of(handle, struct bh_lifecycle, timer));
}

void bh_lifecycle_close(struct bh_lifecycle *lifecycle)
{
	if (lifecycle == NULL || lifecycle->is_closing) {
		return;
	}
	lifecycle->is_closing = true;
	uv_close((uv_handle_t *)&lifecycle->timer, on_closed);
}
