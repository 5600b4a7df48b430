#include "src/cmd/commands.h"
#include "src/cmd/help.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/terminal_view.h"
#include "src/cmd/ui_view.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/client/sessions.h"
#include "src/client/start.h"

/** Name the other sessions of this user that have a socket. */
static void print_other_sessions(const struct bh_paths *paths)
{
	struct bh_sessions sessions = {0};
	const char *before = "other sessions: ";

	bh_sessions_find(&sessions, paths->runtime_root);
	for (size_t i = 0; i < sessions.count; i++) {
		if (strcmp(sessions.items[i].name, paths->session) != 0) {
			(void)printf("%s%s", before, sessions.items[i].name);
			before = ", ";
		}
	}
	if (before[0] == ',') {
		(void)puts(" (see them with -S NAME)");
	}
	bh_sessions_clear(&sessions);
}

/** Mail of whoever asks: nothing else tells a person that some came. */
static void print_own_mail(const struct bh_cmd *cmd, struct bh_session *session)
{
	struct bh_request request = {.method = "identity.whoami", .is_repeatable = true};
	cJSON *result = NULL;

	if (bh_session_call(cmd, session, &request, &result) == BH_EXIT_OK &&
	    bh_print_num(result, "unread", 0) > 0) {
		(void)printf("\nYou have mail, unread: %.0f. `bellhop inbox` shows it.\n",
		             bh_print_num(result, "unread", 0));
	}
	cJSON_Delete(result);
}

static void print_session(const struct bh_cmd *cmd, struct bh_session *session, const cJSON *list)
{
	(void)printf("session %s\n\n", session->paths.session);
	bh_terminal_view_table(stdout, cJSON_GetObjectItemCaseSensitive(list, "terminals"));
	print_own_mail(cmd, session);
	(void)puts("\n`bellhop attach NAME` shows one, `bellhop send NAME TEXT` writes to "
	           "it, `bellhop help` lists all commands.");
}

/** Whether there is simply no server, and no keeper that tells why. */
static bool is_nothing_there(const struct bh_session *session, int code)
{
	return code != -EAGAIN && bh_start_is_absent(code) &&
	       access(session->paths.keeper_state, F_OK) != 0;
}

/** Ask a server that runs. One without a keeper may end between our connecting and its answer. */
static int list_terminals(struct bh_cmd *cmd, struct bh_session *session, cJSON **list_out,
                          struct bh_err *err)
{
	struct bh_client_call call = {
		.method = "terminal.list", .timeout_ms = BH_CLIENT_CALL_MS, .is_repeatable = true};
	int rc = bh_session_open(cmd, BH_SESSION_RUNNING, session, err);

	return rc != 0 ? rc : bh_client_do(session->client, &call, list_out, err);
}

static int print_overview(struct bh_cmd *cmd)
{
	struct bh_session session = {0};
	struct bh_err err = {0};
	cJSON *list = NULL;
	int status = BH_EXIT_OK;
	int rc = list_terminals(cmd, &session, &list, &err);

	if (rc == 0) {
		print_session(cmd, &session, list);
	} else if (is_nothing_there(&session, rc)) {
		bh_help_overview(stdout);
		(void)printf("\nNo server runs for this session yet. Try: bellhop run -- "
		             "PROGRAM\n");
	} else if (session.client == NULL) {
		status = bh_print_no_server(cmd, &err); // there is a session, but no way to it
	} else {
		status = bh_print_failure(cmd, session.client, &err);
	}
	if (session.paths.session != NULL) {
		print_other_sessions(&session.paths);
	}
	cJSON_Delete(list);
	bh_session_clear(&session);
	return status;
}

static int run(struct bh_cmd *cmd)
{
	bool is_alone = cmd->argc == 0; // no command was given at all

	return is_alone && bh_ui_view_is_wanted(cmd) ? bh_ui_view_run(cmd, false, NULL)
	                                             : print_overview(cmd);
}

const struct bh_command bh_cmd_overview = {
	.name = "overview",
	.summary = "print what runs in this session",
	.help = "`bellhop` alone does this, too, where there is no terminal to show the session on.",
	.group = BH_GROUP_SESSION,
	.run = run,
};
