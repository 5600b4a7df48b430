#include "src/cmd/ui_view.h"

#include "src/cmd/attach_view.h"
#include "src/cmd/command.h"
#include "src/cmd/own_environ.h"
#include "src/cmd/session.h"
#include "src/ui/app.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Whether the outer terminal can be drawn on at all; fills @err when not. */
static bool outer_is_usable(struct bh_err *err)
{
	const char *term = getenv("TERM");

	if (term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0) {
		return true;
	}
	(void)bh_err_set(err, BH_EUNSUPPORTED,
	                 "this terminal says that it can only print lines (TERM=%.40s); `bellhop "
	                 "list` and `bellhop screen NAME` work here",
	                 term == NULL ? "" : term);
	return false;
}

/** "bellhop -S work": what brings the person back. */
static void print_way_back(FILE *out, const struct bh_cmd *cmd)
{
	(void)fprintf(out, "come back with: bellhop%s%s attach\n",
	              cmd->is_session_given ? " -S " : "",
	              cmd->is_session_given ? cmd->session : "");
}

/** Say how it ended; gives the exit status. */
static int report_end(const struct bh_cmd *cmd, const struct bh_app_end *end)
{
	switch (end->outcome) {
	case BH_APP_DETACHED:
		(void)printf("detached from session %s, where %d terminal%s on; ", cmd->session,
		             end->terminals, end->terminals == 1 ? " goes" : "s go");
		print_way_back(stdout, cmd);
		return BH_EXIT_OK;
	case BH_APP_EMPTY:
		(void)printf("the last pane of session %s has closed\n", cmd->session);
		return BH_EXIT_OK;
	case BH_APP_SIGNALLED:
		return 128 + (end->signal == 0 ? SIGHUP : end->signal);
	case BH_APP_LOST:
		break;
	}
	(void)fprintf(stderr, "the terminals of a session outlive its server; ");
	print_way_back(stderr, cmd);
	return BH_EXIT_FAILED;
}

bool bh_ui_view_is_wanted(const struct bh_cmd *cmd)
{
	struct bh_session session = {0};
	struct bh_err err = {0};
	bool is_wanted = bh_attach_view_is_possible(&err) && outer_is_usable(&err) &&
	                 bh_session_find(cmd, &session, &err) == 0 &&
	                 session.settings.token == NULL;

	bh_session_clear(&session);
	return is_wanted;
}

/** Find the session; start its server if there is none. */
static int prepare(const struct bh_cmd *cmd, struct bh_session *session, struct bh_err *err)
{
	int rc = bh_session_open(cmd, BH_SESSION_START, session, err);

	// The UI has its own connection, and a server that is stopped while it shows stays stopped.
	bh_client_close(session->client);
	session->client = NULL;
	session->settings.keeper_argv = NULL;
	return rc;
}

int bh_ui_view_run(struct bh_cmd *cmd, bool is_observing)
{
	struct bh_session session = {0};
	struct bh_app_settings settings = {.client = &session.settings,
	                                   .session = cmd->session,
	                                   .is_observing = is_observing,
	                                   .is_truecolor = bh_attach_view_is_truecolor(),
	                                   .in_fd = STDIN_FILENO,
	                                   .out_fd = STDOUT_FILENO};
	cJSON *own_environ = bh_own_environ_new();
	char *cwd = getcwd(NULL, 0);
	struct bh_app_end end = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	settings.environ = own_environ;
	settings.cwd = cwd;
	if (!bh_attach_view_is_possible(&err) || !outer_is_usable(&err) ||
	    prepare(cmd, &session, &err) != 0 || bh_app_run(&settings, &end, &err) != 0) {
		status = bh_cmd_fail(cmd, &err);
		if (end.outcome == BH_APP_LOST) {
			status = report_end(cmd, &end);
		}
	} else {
		status = report_end(cmd, &end);
	}
	free(cwd);
	cJSON_Delete(own_environ);
	bh_session_clear(&session);
	return status;
}
