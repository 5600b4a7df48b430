#include "src/server/terminal_view.h"

#include "src/agent/profile.h"
#include "src/base/clock.h"
#include "src/mail/store.h"
#include "src/server/adopt.h"
#include "src/server/server.h"
#include "src/server/streams.h"
#include "src/server/terminals.h"
#include "term/screen.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

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

cJSON *bh_terminal_view_exit(int status)
{
	cJSON *view = cJSON_CreateObject();

	if (WIFSIGNALED(status)) {
		char name[32];
		const char *known = sigabbrev_np(WTERMSIG(status));

		(void)snprintf(name, sizeof name, "SIG%s", known != NULL ? known : "?"); // fits
		cJSON_AddStringToObject(view, "signal", name);
	} else {
		cJSON_AddNumberToObject(view, "code", WEXITSTATUS(status));
	}
	return view;
}

// null stands for "" and NULL: nothing to say.
static void view_add_text(cJSON *view, const char *name, const char *text)
{
	if (text == NULL || text[0] == '\0') {
		cJSON_AddNullToObject(view, name);
	} else {
		cJSON_AddStringToObject(view, name, text);
	}
}

static void view_add_names(cJSON *view, const struct bh_terminal *terminal)
{
	const struct bh_store *store = terminal->server->store;
	const struct bh_terminal_record *record = bh_store_terminal(store, terminal->id_text);
	const struct bh_mailbox *mailbox = NULL;
	cJSON *aliases = cJSON_AddArrayToObject(view, "aliases");
	double unread = 0;

	while (record != NULL && (mailbox = bh_store_next_name(record, mailbox)) != NULL) {
		unread += (double)mailbox->unread;
		if (!bh_identity_is_same(mailbox->name, terminal->identity)) {
			cJSON_AddItemToArray(aliases, cJSON_CreateString(mailbox->name));
		}
	}
	if (!bh_terminal_is_alive(terminal)) { // its names are free again; the mailbox stays
		mailbox = bh_store_mailbox(store, terminal->identity);
		unread = mailbox != NULL ? (double)mailbox->unread : 0;
	}
	cJSON_AddNumberToObject(view, "unread", unread);
	cJSON_AddBoolToObject(view, "parked",
	                      record != NULL && record->notice.state == BH_NOTICE_PARKED &&
	                              unread > 0);
	cJSON_AddStringToObject(view, "mode",
	                        bh_mode_word(record != NULL ? bh_terminal_record_mode(record)
	                                                    : terminal->setup.mode));
}

static void view_add_verdict(cJSON *view, const struct bh_terminal *terminal)
{
	const struct bh_verdict *verdict = &terminal->verdict;
	bool is_judged = terminal->phase != BH_TERMINAL_REPLAYING &&
	                 terminal->phase != BH_TERMINAL_SPAWNING && verdict->why_count > 0;
	bool is_exited = terminal->phase == BH_TERMINAL_EXITED;

	// Before the first judgement nothing is proved.
	cJSON_AddStringToObject(view, "state",
	                        bh_state_word(is_exited   ? BH_STATE_EXITED
	                                      : is_judged ? verdict->state
	                                                  : BH_STATE_STARTING));
	cJSON_AddBoolToObject(view, "typable", is_judged && verdict->is_typable);
	cJSON_AddStringToObject(view, "composer", bh_composer_word(verdict->composer));
	view_add_text(view, "reason", is_judged || is_exited ? verdict->reason : "starting");
	view_add_text(view, "last_turn", bh_last_turn_word(verdict->last_turn));
	cJSON_AddNumberToObject(view, "background", verdict->background);
}

static void view_add_command(cJSON *view, const struct bh_terminal *terminal)
{
	cJSON *argv = cJSON_CreateArray();
	const char *path = terminal->setup.argv[0] != NULL ? terminal->setup.argv[0] : "";
	const char *slash = strrchr(path, '/');

	cJSON_AddStringToObject(view, "program", slash != NULL ? slash + 1 : path);
	cJSON_AddStringToObject(view, "profile", bh_profile_name(terminal->profile));
	view_add_text(view, "watched",
	              terminal->adopted.profile != NULL ? bh_profile_name(terminal->adopted.profile)
	                                                : NULL);
	for (size_t i = 0; terminal->setup.argv[i] != NULL; i++) {
		cJSON_AddItemToArray(argv, cJSON_CreateString(terminal->setup.argv[i]));
	}
	cJSON_AddItemToObject(view, "argv", argv);
	cJSON_AddStringToObject(view, "cwd", terminal->setup.cwd);
	cJSON_AddNumberToObject(view, "pid", terminal->pid);
}

static void view_add_life(cJSON *view, struct bh_terminal *terminal)
{
	const struct bh_terminal *starter =
		bh_terminals_get(terminal->server->terminals, &terminal->setup.launched_by);
	int64_t age_ms = bh_clock_wall_ms() - terminal->created_at;

	cJSON_AddNumberToObject(view, "created_at", (double)terminal->created_at);
	cJSON_AddNumberToObject(view, "age_ms", age_ms > 0 ? (double)age_ms : 0);
	cJSON_AddStringToObject(view, "respawn", bh_respawn_word(terminal->setup.respawn));
	cJSON_AddBoolToObject(view, "headless", terminal->setup.is_headless);
	cJSON_AddNumberToObject(view, "attached", (double)bh_terminal_attached(terminal));
	view_add_text(view, "started_by", starter != NULL ? starter->identity : NULL);
	cJSON_AddItemToObject(view, "exit",
	                      terminal->phase == BH_TERMINAL_EXITED
	                              ? bh_terminal_view_exit(terminal->exit_status)
	                              : cJSON_CreateNull());
	if (terminal->respawn_at != 0) {
		cJSON_AddNumberToObject(view, "respawn_at", (double)terminal->respawn_at);
	} else {
		cJSON_AddNullToObject(view, "respawn_at");
	}
}

cJSON *bh_terminal_view(struct bh_terminal *terminal)
{
	cJSON *view = cJSON_CreateObject();

	cJSON_AddStringToObject(view, "terminal_id", terminal->id_text);
	cJSON_AddStringToObject(view, "identity", terminal->identity);
	view_add_names(view, terminal);
	view_add_verdict(view, terminal);
	view_add_command(view, terminal);
	cJSON_AddNumberToObject(view, "cols", bh_terminal_cols(terminal));
	cJSON_AddNumberToObject(view, "rows", bh_terminal_rows(terminal));
	cJSON_AddStringToObject(view, "title",
	                        terminal->screen != NULL ? bh_screen_title(terminal->screen) : "");
	view_add_life(view, terminal);
	return view;
}
