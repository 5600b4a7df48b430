#include "src/server/terminals.h"

#include "src/agent/launch.h"
#include "src/agent/profile.h"
#include "src/base/clock.h"
#include "src/base/fd.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/base/paths.h"
#include "src/mail/store.h"
#include "src/mail/store_care.h"
#include "src/server/checkpoint.h"
#include "src/server/childenv.h"
#include "src/server/externals.h"
#include "src/server/keeper_link.h"
#include "src/server/replacement.h"
#include "src/server/respawn.h"
#include "src/server/resume.h"
#include "src/server/retire.h"
#include "src/server/server.h"
#include "src/server/sweep.h"
#include "src/server/tape.h"
#include "src/server/terminal_environ.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// How much of tapes is replayed in one turn of the loop (bytes).
#define REPLAY_TURN (256 * 1024)
// A terminal that lived so long begins its line of quick deaths anew (ms).
#define RESPAWN_CALM_MS 60000
// Layout of the data that the keeper keeps for us: version, then the token's bytes.
#define DATA_VERSION 1
#define TOKEN_BYTES 16

struct bh_terminals {
	struct bh_server *server;
	struct bh_list all;
	// Starts that are under way.
	struct bh_list starts;
	// Runs while a tape is to be replayed.
	uv_idle_t replay;
	// Runs while a successor is due.
	uv_timer_t respawn;
	bool is_closing;
};

// A start that is under way: bind, then spawn.
struct start {
	struct bh_list link;
	struct bh_terminals *terminals;
	// NULL once the table is closed: the next server takes up what the keeper started.
	struct bh_terminal *terminal;
	bool by_operator;
	bh_terminals_done *done;
	void *user;
};

static void respawn_schedule(struct bh_terminals *terminals);

static struct bh_terminal *terminal_at(struct bh_list *link)
{
	return bh_container_of(link, struct bh_terminal, link);
}

struct bh_list *bh_terminals_all(struct bh_terminals *terminals)
{
	return &terminals->all;
}

struct bh_server *bh_terminals_server(const struct bh_terminals *terminals)
{
	return terminals->server;
}

// ---- replaying ----

static void terminals_replay_turn(struct bh_terminals *terminals)
{
	bh_list_for (at, next, &terminals->all) {
		if (terminal_at(at)->phase == BH_TERMINAL_REPLAYING) {
			(void)bh_terminal_replay(terminal_at(at),
			                         REPLAY_TURN); // more comes in the next turn
			return;
		}
	}
	(void)uv_idle_stop(&terminals->replay); // never fails
}

static void on_replay(uv_idle_t *idle)
{
	terminals_replay_turn(bh_container_of(idle, struct bh_terminals, replay));
}

// ---- making ----

static struct bh_terminal *terminal_make(struct bh_terminals *terminals, const struct bh_uuid *id,
                                         const struct bh_setup *setup)
{
	struct bh_server *server = terminals->server;
	struct bh_terminal *terminal = bh_terminal_new(server, id, setup);

	if (setup->profile_name != NULL) {
		terminal->profile = bh_profiles_find(server->profiles, setup->profile_name);
	}
	if (terminal->profile == NULL) {
		terminal->profile =
			bh_profiles_match(server->profiles, (const char *const *)setup->argv);
	}
	(void)memcpy(terminal->line, terminal->id_text, sizeof terminal->line);
	terminal->spool_path = bh_xasprintf("%s/%s", server->paths.spool_dir, terminal->id_text);
	bh_list_append(&terminals->all, &terminal->link);
	return terminal;
}

static void token_format(const uint8_t bytes[TOKEN_BYTES], char token_out[BH_TOKEN_SIZE])
{
	for (size_t i = 0; i < TOKEN_BYTES; i++) {
		(void)snprintf(token_out + 2 * i, 3, "%02x", bytes[i]); // always fits
	}
}

static const char *program_name(const struct bh_terminal *terminal)
{
	const char *path = terminal->setup.argv[0];
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static void start_end(struct start *start, const struct bh_err *err)
{
	bh_terminals_done *done = start->done;
	void *user = start->user;
	struct bh_terminal *terminal = start->terminal;

	bh_list_remove(&start->link);
	free(start);
	if (err != NULL && terminal != NULL) {
		// Nothing runs that could use them, and the environment holds secrets.
		bh_terminal_environ_remove(terminal);
		(void)rmdir(terminal->spool_path); // not there when it could not be made
		terminal->phase = BH_TERMINAL_EXITED;
		bh_terminal_close(terminal);
	}
	if (done != NULL) {
		done(user, err != NULL ? NULL : terminal, err);
	}
}

// The server ends before the outcome is known.
static void start_cancel(struct start *start)
{
	struct bh_err err = {0};

	(void)bh_err_set(&err, BH_EBUSY, "the server is being stopped; try again");
	start_end(start, &err);
}

static void on_spawned(void *user, const struct bh_keeper_entry *entry, const struct bh_err *err)
{
	struct start *start = user;

	if (start->terminal == NULL) {
		if (entry != NULL) {
			(void)close(entry->master_fd); // the keeper has its own
			(void)close(entry->tape_fd);
		}
		start_cancel(start);
		return;
	}
	if (entry == NULL) {
		struct bh_err failure = *err;

		// A system code would read as one of the store's disk.
		failure.code = err->code == BH_ELIMIT ? BH_ELIMIT : BH_ENOTFOUND;
		bh_retire_terminal(start->terminals->server, start->terminal->id_text, -1, false);
		start_end(start, &failure);
		return;
	}
	bh_log(BH_LOG_INFO, "terminals", start->terminal->identity, "pid %d runs %s in %s",
	       (int)entry->pid, program_name(start->terminal), start->terminal->id_text);
	bh_terminal_begin(start->terminal, entry);
	// A fresh tape holds nothing, so this ends the replay and the terminal is live.
	(void)bh_terminal_replay(start->terminal, REPLAY_TURN);
	start_end(start, NULL);
}

static int start_spawn_with(struct start *start, const struct bh_launch *launch, struct bh_err *err)
{
	struct bh_terminal *terminal = start->terminal;
	char **env = bh_terminal_environ_build(terminal, (const char *const *)launch->env);
	struct bh_keeper_spawn spawn = {
		.id = terminal->id,
		.argv = (const char *const *)launch->argv,
		.env = (const char *const *)env,
		.cwd = terminal->setup.cwd,
		.cols = (uint16_t)terminal->setup.cols,
		.rows = (uint16_t)terminal->setup.rows,
		.tape_size = bh_tape_size_for(terminal->setup.cols, terminal->setup.rows),
		.data = {DATA_VERSION},
	};

	for (size_t i = 0; i < TOKEN_BYTES; i++) {
		const char hex[3] = {terminal->token[2 * i], terminal->token[2 * i + 1], '\0'};

		spawn.data[1 + i] = (uint8_t)strtoul(hex, NULL, 16);
	}
	bh_terminal_environ_note(terminal, spawn.env);
	int code = bh_keeper_link_spawn(start->terminals->server->keeper, &spawn, on_spawned, start,
	                                err);

	bh_childenv_free(env);
	return code;
}

static int start_spawn(struct start *start, struct bh_err *err)
{
	struct bh_terminal *terminal = start->terminal;
	struct bh_launch launch = {0};
	// Noted first: the profile may merge what it adds with the settings in the program's folder.
	bh_terminal_environ_learn(terminal);
	const struct bh_launch_context context = {
		.bellhop_path = start->terminals->server->bellhop_path,
		.spool_path = terminal->spool_path,
		.home = terminal->home,
		.config_folder = terminal->config_folder,
	};
	char **argv = bh_resume_argv(terminal, err);
	int code = argv != NULL ? bh_paths_make_dir(terminal->spool_path, err) : BH_EINVALID;

	if (code == 0) {
		code = bh_launch_prepare(terminal->profile, (const char *const *)argv, &context,
		                         &launch, err);
	}
	bh_setup_strings_free(argv);
	if (code == 0) {
		bh_terminal_environ_save(terminal);
		code = start_spawn_with(start, &launch, err);
		if (launch.warning != NULL) {
			bh_log(BH_LOG_WARN, "terminals", terminal->identity, "%s", launch.warning);
		}
		bh_launch_clear(&launch);
	}
	return code;
}

static void on_bound(void *user, const struct bh_answer *answer)
{
	struct start *start = user;
	struct bh_err err = answer->err;

	if (start->terminal == NULL) {
		start_cancel(start);
		return;
	}
	if (err.code == 0) {
		(void)snprintf(start->terminal->identity, sizeof start->terminal->identity, "%s",
		               answer->name); // always fits
		if (start_spawn(start, &err) == 0) {
			return;
		}
		err.code = BH_ENOTFOUND;
		bh_retire_terminal(start->terminals->server, start->terminal->id_text, -1, false);
	}
	start_end(start, &err);
}

// The one place where an identity is bound to a terminal.
static int terminals_bind(struct bh_terminals *terminals, struct bh_terminal *terminal,
                          bool by_operator, bh_store_done *done, void *user, struct bh_err *err)
{
	const struct bh_setup *setup = &terminal->setup;
	const char *profile = bh_profile_name(terminal->profile);
	struct bh_terminal_record record = {
		.mode = setup->mode,
		.status = BH_TERMINAL_LIVE,
		.exit_status = -1,
		.cols = setup->cols,
		.rows = setup->rows,
		.respawn = setup->respawn,
		.respawn_count = terminal->respawn_count,
		.is_headless = setup->is_headless,
		.started_ms = terminal->created_at,
		.argv = bh_setup_strings_print(setup->argv),
		.env = bh_setup_strings_print(setup->env),
		.cwd = setup->cwd,
		.extra = bh_setup_extra(setup),
		.profile = bh_xstrdup(profile), // also the one that was found by argv
	};

	(void)memcpy(record.uuid, terminal->id_text, sizeof record.uuid);
	(void)memcpy(record.line, terminal->line, sizeof record.line);
	(void)snprintf(record.identity, sizeof record.identity, "%s", terminal->identity); // fits
	if (!bh_uuid_is_none(&setup->launched_by)) {
		(void)bh_uuid_format(&setup->launched_by, record.launched_by);
	}
	const struct bh_bind bind = {
		.record = &record,
		.auto_base = strcmp(profile, "generic") == 0 ? program_name(terminal) : profile,
		.by_operator = by_operator,
	};
	int code = bh_store_bind(terminals->server->store, &bind, done, user, err);

	free(record.argv);
	free(record.env);
	free(record.extra);
	free(record.profile);
	return code;
}

// The same for a first terminal and for a successor. An error comes from the loop, as all else.
static void terminals_start(struct start *start)
{
	uint8_t token[TOKEN_BYTES];
	struct bh_err err = {0};

	bh_uuid_random(token, sizeof token);
	token_format(token, start->terminal->token);
	if (terminals_bind(start->terminals, start->terminal, start->by_operator, on_bound, start,
	                   &err) != 0) {
		start_end(start, &err);
	}
}

static struct start *start_new(struct bh_terminals *terminals, struct bh_terminal *terminal,
                               bh_terminals_done *done, void *user)
{
	struct start *start = bh_xmalloc(sizeof *start);

	start->terminals = terminals;
	start->terminal = terminal;
	start->done = done;
	start->user = user;
	bh_list_append(&terminals->starts, &start->link);
	return start;
}

void bh_terminals_run(struct bh_terminals *terminals, const struct bh_terminals_start *what,
                      bh_terminals_done *done, void *user)
{
	struct bh_uuid id = bh_uuid_new();
	struct bh_terminal *terminal = terminal_make(terminals, &id, &what->setup);
	struct start *start = start_new(terminals, terminal, done, user);

	if (what->identity != NULL) {
		(void)snprintf(terminal->identity, sizeof terminal->identity, "%s",
		               what->identity); // the caller has checked its length
	}
	start->by_operator = what->by_operator;
	terminals_start(start);
}

void bh_terminals_respawn(struct bh_terminals *terminals, struct bh_terminal *before,
                          bh_terminals_done *done, void *user)
{
	struct bh_setup setup = bh_setup_dup(&before->setup);
	struct bh_uuid id = bh_uuid_new();

	before->respawn_at = 0;
	setup.cols = bh_terminal_cols(before);
	setup.rows = bh_terminal_rows(before);
	struct bh_terminal *terminal = terminal_make(terminals, &id, &setup);

	(void)memcpy(terminal->line, before->line, sizeof terminal->line);
	(void)memcpy(terminal->identity, before->identity, sizeof terminal->identity);
	terminal->respawn_count = before->respawn_count + 1;
	if (before->session.is_resume_due) {
		bh_resume_hand_over(terminal, before);
	}
	terminals_start(start_new(terminals, terminal, done, user));
}

// ---- ending ----

// Whether it ended, waits for nothing and stays. One that is closed already goes later in the turn.
static bool is_kept(const struct bh_terminal *terminal)
{
	return terminal->phase == BH_TERMINAL_EXITED && terminal->respawn_at == 0 &&
	       !bh_terminal_is_closing(terminal);
}

// Too many exited ones: the oldest that wait for nothing go.
static void terminals_trim(struct bh_terminals *terminals)
{
	size_t count = 0;

	bh_list_for (at, next, &terminals->all) {
		count += is_kept(terminal_at(at)) ? 1 : 0;
	}
	bh_list_for (at, next, &terminals->all) {
		struct bh_terminal *terminal = terminal_at(at);

		if (count > BH_TERMINALS_EXITED_MAX && is_kept(terminal)) {
			bh_checkpoint_drop_end(terminal);
			bh_resume_remove(terminal);
			bh_terminal_close(terminal);
			count--;
		}
	}
}

static void on_forgotten(void *user, const struct bh_answer *answer)
{
	(void)user;
	if (answer->err.code != 0) {
		bh_log(BH_LOG_ERROR, "terminals", "", "ended ones will be in the list again: %s",
		       answer->err.text);
	}
}

void bh_terminals_forget(struct bh_terminals *terminals, struct bh_terminal *terminal)
{
	struct bh_err err = {0};

	if (terminal->respawn_at != 0) {
		terminal->respawn_at = 0;
		bh_retire_terminal(terminals->server, terminal->id_text, terminal->exit_status,
		                   false);
	}
	bh_terminal_environ_remove(terminal);
	bh_checkpoint_drop_end(terminal);
	bh_resume_remove(terminal);
	if (bh_store_forget(terminals->server->store, terminal->id_text, on_forgotten, NULL,
	                    &err) != 0) {
		bh_log(BH_LOG_ERROR, "terminals", terminal->identity,
		       "it will be in the list again: %s", err.text);
	}
	bh_terminal_close(terminal);
}

static void respawn_plan(struct bh_terminals *terminals, struct bh_terminal *terminal)
{
	int64_t pause_ms = bh_respawn_pause_ms(terminal->setup.respawn, terminal->exit_status,
	                                       terminal->respawn_count);

	if (pause_ms >= 0 && !terminals->server->is_stopping) {
		bh_resume_plan(terminal);
		terminal->respawn_at = bh_clock_wall_ms() + pause_ms;
		respawn_schedule(terminals);
	} else if (terminal->respawn_count >= BH_RESPAWN_MAX) {
		bh_log(BH_LOG_WARN, "terminals", terminal->identity,
		       "it did not last %d times in a row; `bellhop respawn` starts it",
		       BH_RESPAWN_MAX);
	}
}

struct succession {
	struct bh_terminals *terminals;
	struct bh_uuid before;
};

// A program that is being updated, or a folder that is away, may be there again later.
// cppcheck-suppress constParameter // the type is the callback's
static void on_respawned(void *user, struct bh_terminal *terminal, const struct bh_err *err)
{
	struct succession *it = user;
	struct bh_terminal *before = bh_terminals_get(it->terminals, &it->before);

	if (terminal == NULL) {
		bh_log(BH_LOG_ERROR, "terminals", "", "no successor could be started: %s",
		       err->text);
		if (before != NULL && before->respawn_at == 0) {
			before->respawn_count++;
			respawn_plan(it->terminals, before);
		}
	}
	free(it);
}

static void respawn_due(struct bh_terminals *terminals)
{
	int64_t now = bh_clock_wall_ms();
	// A start appends to the list, so the walk ends at what is the last one now.
	struct bh_list *last = terminals->all.prev;
	bool is_more = !bh_list_is_empty(&terminals->all);

	for (struct bh_list *at = terminals->all.next; is_more; at = at->next) {
		struct bh_terminal *terminal = terminal_at(at);

		is_more = at != last;
		if (terminal->respawn_at != 0 && terminal->respawn_at <= now) {
			struct succession *it = bh_xmalloc(sizeof *it);

			*it = (struct succession){.terminals = terminals, .before = terminal->id};
			bh_terminals_respawn(terminals, terminal, on_respawned, it);
		}
	}
	respawn_schedule(terminals);
}

static void on_respawn(uv_timer_t *timer)
{
	respawn_due(bh_container_of(timer, struct bh_terminals, respawn));
}

static void respawn_schedule(struct bh_terminals *terminals)
{
	int64_t now = bh_clock_wall_ms();
	int64_t first = 0;

	bh_list_for (at, next, &terminals->all) {
		int64_t due = terminal_at(at)->respawn_at;

		first = due != 0 && (first == 0 || due < first) ? due : first;
	}
	if (first != 0 && !terminals->is_closing) {
		(void)uv_timer_start(&terminals->respawn, on_respawn,
		                     first > now ? (uint64_t)(first - now) : 0,
		                     0); // fails only while closing
	}
}

void bh_terminals_replace(struct bh_terminals *terminals, struct bh_terminal *terminal,
                          bh_terminals_done *done, void *user)
{
	struct bh_err err = {0};

	(void)terminals;
	if (bh_replacement_begin(terminal, done, user, &err) != 0) {
		done(user, NULL, &err);
	}
}

// Start the successor that somebody waits for.
static void terminals_go_on(struct bh_terminals *terminals, struct bh_terminal *terminal)
{
	void *user = NULL;
	bh_terminals_done *done = bh_replacement_take(terminal, &user);

	bh_terminals_respawn(terminals, terminal, done, user);
}

void bh_terminals_exited(struct bh_terminals *terminals, struct bh_terminal *terminal)
{
	int status = terminal->exit_status;

	bh_log(BH_LOG_INFO, "terminals", terminal->identity, "%s ended: %s %d", terminal->id_text,
	       WIFSIGNALED(status) ? "signal" : "status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	if (terminal->replacement == NULL) {
		if (bh_clock_wall_ms() - terminal->created_at >= RESPAWN_CALM_MS) {
			terminal->respawn_count = 0;
		}
		respawn_plan(terminals, terminal);
	}
	bool is_succeeded = terminal->respawn_at != 0 || terminal->replacement != NULL;

	if (terminal->screen != NULL) {
		bh_checkpoint_keep_end(terminal);
	}
	bh_retire_exited(terminal, is_succeeded);
	if (terminal->replacement != NULL) {
		terminals_go_on(terminals, terminal);
	} else if (!is_succeeded) {
		bh_terminal_environ_remove(terminal);
	}
	terminals_trim(terminals);
}

// ---- after a restart of the server ----

static void on_adopted_bound(void *user, const struct bh_answer *answer)
{
	(void)user;
	if (answer->err.code != 0) {
		bh_log(BH_LOG_ERROR, "terminals", "", "a child has no name: %s", answer->err.text);
	}
}

static struct bh_terminal *terminal_from_record(struct bh_terminals *terminals,
                                                const struct bh_uuid *id,
                                                const struct bh_terminal_record *record)
{
	struct bh_setup setup = bh_setup_from_record(record);
	struct bh_terminal *terminal = terminal_make(terminals, id, &setup);

	(void)snprintf(terminal->identity, sizeof terminal->identity, "%s",
	               record->identity); // always fits
	if (record->line[0] != '\0') {
		(void)snprintf(terminal->line, sizeof terminal->line, "%s", record->line);
	}
	terminal->respawn_count = record->respawn_count;
	terminal->created_at = record->started_ms;
	bh_terminal_environ_load(terminal);
	bh_resume_load(terminal);
	return terminal;
}

// A child whose record is lost (the store was replaced): it gets a name like a new one.
static struct bh_terminal *terminal_from_nothing(struct bh_terminals *terminals,
                                                 const struct bh_uuid *id)
{
	struct bh_err err = {0};
	char *argv[] = {bh_xstrdup("lost"), NULL};
	struct bh_setup setup = {
		.argv = bh_setup_strings_dup((const char *const *)argv),
		.cwd = bh_xstrdup("/"),
		.cols = 80,
		.rows = 24,
	};
	struct bh_terminal *terminal = terminal_make(terminals, id, &setup);

	free(argv[0]);
	if (terminals_bind(terminals, terminal, false, on_adopted_bound, NULL, &err) != 0) {
		bh_log(BH_LOG_ERROR, "terminals", "", "a child has no name: %s", err.text);
	}
	return terminal;
}

/** An end that is on disk already: the server before us died before the keeper heard that it may forget
 * it. bh_terminals_settle() brings it back into the list. */
static void adopt_no_end(struct bh_terminals *terminals, const struct bh_keeper_entry *entry)
{
	int master_fd = entry->master_fd;
	int tape_fd = entry->tape_fd;

	bh_fd_close(&master_fd);
	bh_fd_close(&tape_fd);
	// If it cannot be sent, the keeper is gone and with it the entry.
	(void)bh_keeper_link_forget(terminals->server->keeper, &entry->id);
}

void bh_terminals_adopt(struct bh_terminals *terminals, const struct bh_keeper_entry *entry)
{
	char id_text[BH_UUID_TEXT];
	const struct bh_terminal_record *record =
		bh_store_terminal(terminals->server->store, bh_uuid_format(&entry->id, id_text));
	struct bh_terminal *terminal = NULL;

	if (record == NULL && entry->has_exited) {
		adopt_no_end(terminals, entry);
		return;
	}
	terminal = record != NULL ? terminal_from_record(terminals, &entry->id, record)
	                          : terminal_from_nothing(terminals, &entry->id);
	if (entry->data[0] == DATA_VERSION) {
		token_format(entry->data + 1, terminal->token);
	}
	bh_terminal_environ_learn(terminal);
	bh_terminal_begin(terminal, entry);
}

// A record whose terminal the keeper does not have: it ended while nobody watched, or waits.
static void terminals_settle_record(struct bh_terminals *terminals,
                                    const struct bh_terminal_record *record)
{
	struct bh_uuid id;

	if (!bh_uuid_parse(record->uuid, &id) || bh_terminals_get(terminals, &id) != NULL ||
	    bh_externals_knows(terminals->server->externals, &id)) {
		return;
	}
	if (record->status == BH_TERMINAL_WAITS_RESPAWN &&
	    !bh_keeper_link_is_continued(terminals->server->keeper)) {
		// The session was stopped, and with it what ran; so is what was about to run.
		bh_retire_terminal(terminals->server, record->uuid, record->exit_status, false);
	} else if (record->status == BH_TERMINAL_WAITS_RESPAWN) {
		struct bh_terminal *terminal = terminal_from_record(terminals, &id, record);

		bh_terminal_begin_dead(terminal, record->exit_status);
		bh_resume_plan(terminal);
		terminal->respawn_at = bh_clock_wall_ms() + BH_RESPAWN_FIRST_MS;
	} else {
		bh_log(BH_LOG_WARN, "terminals", record->identity, "%s is lost: no keeper holds it",
		       record->uuid);
		bh_retire_terminal(terminals->server, record->uuid, -1, false);
	}
}

// One that ended under an earlier server: its place is before all that this one has.
static void terminals_recall(struct bh_terminals *terminals,
                             const struct bh_terminal_record *record)
{
	struct bh_uuid id;
	struct bh_terminal *terminal = NULL;

	if (!bh_uuid_parse(record->uuid, &id) || bh_terminals_get(terminals, &id) != NULL) {
		return;
	}
	terminal = terminal_from_record(terminals, &id, record);
	bh_list_remove(&terminal->link);
	bh_list_append(terminals->all.next, &terminal->link); // before the first
	bh_terminal_begin_dead(terminal, record->exit_status);
}

static bool is_known(void *user, const struct bh_uuid *id)
{
	return bh_terminals_get(user, id) != NULL;
}

static void on_ended(void *user, const struct bh_answer *answer)
{
	struct bh_server *server = user;

	if (server->terminals == NULL || server->terminals->is_closing) {
		return;
	}
	if (answer->err.code != 0) {
		bh_log(BH_LOG_ERROR, "terminals", "", "ended ones are not known any more: %s",
		       answer->err.text);
	}
	for (size_t i = 0; i < answer->terminal_count; i++) {
		terminals_recall(server->terminals, answer->terminals[i]);
	}
	// Not before: what they showed is kept there.
	(void)bh_sweep_histories(&server->paths, is_known, server->terminals);
}

// A session that goes on shows what ended in it, a new one begins without.
static void terminals_recall_ended(struct bh_terminals *terminals)
{
	struct bh_server *server = terminals->server;
	struct bh_err err = {0};
	int code = bh_keeper_link_is_continued(server->keeper)
	                   ? bh_store_ended(server->store, BH_TERMINALS_EXITED_MAX, on_ended,
	                                    server, &err)
	                   : bh_store_forget(server->store, NULL, on_forgotten, NULL, &err);

	if (code != 0) {
		bh_log(BH_LOG_ERROR, "terminals", "", "ended ones are not known: %s", err.text);
	}
}

void bh_terminals_settle(struct bh_terminals *terminals)
{
	const struct bh_store *store = terminals->server->store;
	const struct bh_terminal_record *record = NULL;

	while ((record = bh_store_next_terminal(store, record)) != NULL) {
		terminals_settle_record(terminals, record);
	}
	terminals_recall_ended(terminals);
	respawn_schedule(terminals);
	// Not before: who listens to `started` needs the spool.
	(void)uv_idle_start(&terminals->replay, on_replay); // never fails with a callback
}

// ---- life ----

struct bh_terminals *bh_terminals_new(struct bh_server *server)
{
	struct bh_terminals *terminals = bh_xmalloc(sizeof *terminals);

	terminals->server = server;
	bh_list_init(&terminals->all);
	bh_list_init(&terminals->starts);
	(void)uv_idle_init(&server->loop, &terminals->replay);   // never fails
	(void)uv_timer_init(&server->loop, &terminals->respawn); // never fails
	return terminals;
}

void bh_terminals_save(struct bh_terminals *terminals)
{
	bh_list_for (at, next, &terminals->all) {
		if (bh_terminal_is_alive(terminal_at(at))) {
			bh_terminal_save(terminal_at(at));
		}
	}
}

void bh_terminals_close(struct bh_terminals *terminals)
{
	if (terminals->is_closing) {
		return;
	}
	terminals->is_closing = true;
	bh_list_for (at, next, &terminals->starts) {
		bh_container_of(at, struct start, link)->terminal = NULL;
	}
	bh_list_for (at, next, &terminals->all) {
		bh_replacement_drop(terminal_at(at));
		bh_terminal_close(terminal_at(at));
	}
	uv_close((uv_handle_t *)&terminals->replay, NULL);
	uv_close((uv_handle_t *)&terminals->respawn, NULL);
}

void bh_terminals_free(struct bh_terminals *terminals)
{
	if (terminals == NULL) {
		return;
	}
	bh_list_for (at, next, &terminals->starts) {
		start_cancel(bh_container_of(at, struct start, link));
	}
	free(terminals);
}
