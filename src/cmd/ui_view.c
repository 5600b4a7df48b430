#include "src/cmd/ui_view.h"

#include "src/base/config.h"
#include "src/base/mem.h"
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
	case BH_APP_STOPPED:
		(void)printf("session %s was stopped\n", cmd->session);
		return BH_EXIT_OK;
	case BH_APP_SWITCHED:
		return BH_EXIT_OK; // not the end
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
	struct bh_outer outer;
	bool is_wanted = bh_attach_view_is_possible(&outer, &err) &&
	                 bh_session_find(cmd, &session, &err) == 0 &&
	                 session.settings.token == NULL;

	bh_session_clear(&session);
	return is_wanted;
}

static int set_size_policy(struct bh_session *session, const struct bh_config_size *size,
                           struct bh_err *err)
{
	struct bh_client_call call = {.method = "session.size_policy",
	                              .params = cJSON_CreateObject(),
	                              .timeout_ms = BH_CLIENT_CALL_MS,
	                              .is_repeatable = true};
	cJSON *result = NULL;
	int rc = 0;

	(void)cJSON_AddStringToObject(call.params, "policy", size->policy);
	if (size->cols > 0) {
		(void)cJSON_AddNumberToObject(call.params, "cols", size->cols);
		(void)cJSON_AddNumberToObject(call.params, "rows", size->rows);
	}
	rc = bh_client_do(session->client, &call, &result, err);
	cJSON_Delete(result);
	return rc;
}

/** Find the session; start its server if there is none. */
static int prepare(const struct bh_cmd *cmd, struct bh_session *session,
                   const struct bh_config_size *size, struct bh_app_settings *settings,
                   struct bh_err *err)
{
	int rc = bh_session_open(cmd, BH_SESSION_START, session, err);

	settings->config_file = session->paths.config_file;
	settings->is_config_named = session->paths.is_config_named;
	settings->sessions_dir = session->paths.runtime_root;
	if (rc == 0 && size != NULL && size->policy != NULL) {
		rc = set_size_policy(session, size, err);
	}
	// The UI has its own connection, and a server that is stopped while it shows stays stopped.
	bh_client_close(session->client);
	session->client = NULL;
	session->settings.keeper_argv = NULL;
	return rc;
}

/** Where the person is, and was. */
struct visit {
	struct bh_cmd *cmd;
	/** What is the same in all sessions. */
	struct bh_app_settings settings;
	struct bh_app_end end;
	/** What `cmd` names, and the session before it; "" for none. */
	char session[BH_SESSIONS_NAME];
	char before[BH_SESSIONS_NAME];
	char greeting[BH_ERR_TEXT_MAX];
};

/** Show one session until the person leaves it. */
static int visit_one(struct visit *visit, const struct bh_config_size *size, struct bh_err *err)
{
	struct bh_session session = {0};
	struct bh_app_settings settings = visit->settings;
	int rc = prepare(visit->cmd, &session, size, &settings, err);
	char *remembered_file = NULL;

	visit->end = (struct bh_app_end){0};
	settings.client = &session.settings;
	settings.session = visit->cmd->session;
	if (rc == 0) {
		remembered_file = bh_xasprintf("%s/ui.json", session.paths.state_root);
		settings.remembered_file = remembered_file;
		rc = bh_app_run(&settings, &visit->end, err);
	}
	free(remembered_file);
	bh_session_clear(&session);
	return rc;
}

/** Go on in the session of that name. */
static void visit_go(struct visit *visit, const char *name)
{
	char wanted[BH_SESSIONS_NAME];

	(void)snprintf(wanted, sizeof(wanted), "%s", name);
	(void)snprintf(visit->before, sizeof(visit->before), "%s", visit->cmd->session);
	(void)snprintf(visit->session, sizeof(visit->session), "%s", wanted);
	visit->cmd->session = visit->session;
	visit->cmd->is_session_given = true;
	visit->settings.greeting = NULL;
}

/** From session to session; how the last one ended. One that cannot be shown leads back. */
static int visit_all(struct visit *visit, const struct bh_config_size *size, struct bh_err *err)
{
	int rc = visit_one(visit, size, err);

	for (;;) {
		if (rc == 0 && visit->end.outcome == BH_APP_SWITCHED) {
			visit_go(visit, visit->end.session);
		} else if (rc != 0 && visit->end.outcome != BH_APP_LOST &&
		           visit->before[0] != '\0') {
			visit_go(visit, visit->before);
			visit->before[0] = '\0'; // it has to do
			(void)snprintf(visit->greeting, sizeof(visit->greeting), "%s", err->text);
			visit->settings.greeting = visit->greeting;
		} else {
			return rc;
		}
		*err = (struct bh_err){0};
		rc = visit_one(visit, NULL, err);
	}
}

int bh_ui_view_run(struct bh_cmd *cmd, bool is_observing, const struct bh_config_size *size)
{
	struct visit visit = {.cmd = cmd,
	                      .settings = {.is_observing = is_observing,
	                                   .in_fd = STDIN_FILENO,
	                                   .out_fd = STDOUT_FILENO}};
	cJSON *own_environ = bh_own_environ_new();
	char *cwd = getcwd(NULL, 0);
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	visit.settings.environ = own_environ;
	visit.settings.cwd = cwd;
	if (!bh_attach_view_is_possible(&visit.settings.outer, &err) ||
	    visit_all(&visit, size, &err) != 0) {
		status = bh_cmd_fail(cmd, &err);
		if (visit.end.outcome == BH_APP_LOST) {
			status = report_end(cmd, &visit.end);
		}
	} else {
		status = report_end(cmd, &visit.end);
	}
	free(cwd);
	cJSON_Delete(own_environ);
	return status;
}
