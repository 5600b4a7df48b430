#include "src/cmd/commands.h"
#include "src/cmd/help.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/terminal_view.h"
#include "src/cmd/ui_view.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"

/** Name the other sessions of this user that have a socket. */
static void print_other_sessions(const struct bh_paths *paths)
{
	DIR *dir = opendir(paths->runtime_root);
	struct dirent *entry = NULL;
	const char *before = "other sessions: ";

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		char *socket = NULL;
		struct stat st;

		if (!bh_paths_is_session(entry->d_name) ||
		    strcmp(entry->d_name, paths->session) == 0) {
			continue;
		}
		socket = bh_xasprintf("%s/%s/server.sock", paths->runtime_root, entry->d_name);
		if (lstat(socket, &st) == 0 && S_ISSOCK(st.st_mode)) {
			(void)printf("%s%s", before, entry->d_name);
			before = ", ";
		}
		free(socket);
	}
	if (before[0] == ',') {
		(void)puts(" (see them with -S NAME)");
	}
	if (dir != NULL) {
		(void)closedir(dir);
	}
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

static int print_session(const struct bh_cmd *cmd, struct bh_session *session)
{
	struct bh_request request = {.method = "terminal.list", .is_repeatable = true};
	cJSON *result = NULL;
	int status = bh_session_call(cmd, session, &request, &result);

	if (status == BH_EXIT_OK) {
		(void)printf("session %s\n\n", session->paths.session);
		bh_terminal_view_table(stdout,
		                       cJSON_GetObjectItemCaseSensitive(result, "terminals"));
		print_own_mail(cmd, session);
		(void)puts("\n`bellhop attach NAME` shows one, `bellhop send NAME TEXT` writes to "
		           "it, `bellhop help` lists all commands.");
	}
	cJSON_Delete(result);
	return status;
}

/** Whether there is simply no server, and no keeper that tells why. */
static bool is_nothing_there(const struct bh_session *session, int code)
{
	return (code == -ENOENT || code == -ECONNREFUSED) &&
	       access(session->paths.keeper_state, F_OK) != 0;
}

static int print_overview(struct bh_cmd *cmd)
{
	struct bh_session session = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;
	int rc = bh_session_open(cmd, BH_SESSION_RUNNING, &session, &err);

	if (rc == 0) {
		status = print_session(cmd, &session);
	} else if (!is_nothing_there(&session, rc)) {
		status = bh_print_no_server(cmd, &err); // there is a session, but no way to it
	} else {
		bh_help_overview(stdout);
		(void)printf("\nNo server runs for this session yet. Try: bellhop run -- "
		             "PROGRAM\n");
	}
	if (session.paths.session != NULL) {
		print_other_sessions(&session.paths);
	}
	bh_session_clear(&session);
	return status;
}

static int run(struct bh_cmd *cmd)
{
	bool is_alone = cmd->argc == 0; // no command was given at all

	return is_alone && bh_ui_view_is_wanted(cmd) ? bh_ui_view_run(cmd, false)
	                                             : print_overview(cmd);
}

const struct bh_command bh_cmd_overview = {
	.name = "overview",
	.summary = "print what runs in this session",
	.help = "`bellhop` alone does this, too, where there is no terminal to show the session on.",
	.group = BH_GROUP_SESSION,
	.run = run,
};
