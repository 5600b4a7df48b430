#include "src/cmd/session.h"

#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/client/conn.h"
#include "src/client/start.h"
#include "src/cmd/command.h"
#include "src/cmd/print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Inside a terminal there must be a server: its socket may be missing for so long (ms). */
#define INSIDE_ABSENT_MS 2000

/** A variable that is set and not empty, or NULL. */
static const char *env_get(const char *name)
{
	const char *value = getenv(name);

	return value == NULL || value[0] == '\0' ? NULL : value;
}

/** Tell the person what a command waits for. */
static void on_tell(void *user, const char *sentence)
{
	const struct bh_session *session = user;

	bh_print_program(stderr, session->cmd);
	bh_print_text(stderr, sentence);
}

int bh_session_find(const struct bh_cmd *cmd, struct bh_session *session, struct bh_err *err)
{
	const char *const *env = (const char *const *)environ;
	const char *inside_socket = env_get("BELLHOP_SOCKET");
	int rc = bh_paths_init(&session->paths, cmd->session, env, err);

	if (rc != 0) {
		return rc;
	}
	session->cmd = cmd;
	session->settings = (struct bh_client_settings){
		.socket_path = session->paths.socket,
		.keeper_state_path = session->paths.keeper_state,
		.keeper_lock_path = session->paths.keeper_lock,
		.server_log_path = session->paths.server_log,
		.token = env_get("BELLHOP_TOKEN"),
		.spool_dir = env_get("BELLHOP_SPOOL"),
		.connect_ms = BH_START_TIMEOUT_MS,
		.absent_ms = INSIDE_ABSENT_MS,
		.tell = on_tell,
		.tell_user = session,
	};
	if (inside_socket == NULL) {
		return 0;
	}
	// In a terminal of ours the terminal's own server is meant, wherever its folders are.
	if (!cmd->is_session_given) {
		session->settings.socket_path = inside_socket;
		session->settings.keeper_state_path = NULL;
		session->settings.keeper_lock_path = NULL;
		session->settings.server_log_path = NULL;
	} else if (strcmp(inside_socket, session->paths.socket) != 0) {
		// The spool belongs to another session than the one asked for.
		session->settings.spool_dir = NULL;
	}
	return 0;
}

/** Whether the server that is meant is the one of the terminal we run in. */
static bool session_is_inside(const struct bh_session *session)
{
	return session->settings.socket_path != session->paths.socket;
}

/** Prepare what starts a server: its folders, and the keeper's command line. */
static int session_prepare_start(struct bh_session *session, struct bh_err *err)
{
	const struct bh_paths *paths = &session->paths;
	int rc = bh_paths_make(paths, err);

	if (rc != 0) {
		return rc;
	}
	session->keeper_path = bh_paths_helper("bellhop-keeper", (const char *const *)environ, err);
	if (session->keeper_path == NULL) {
		return err->code;
	}
	session->bellhop_path = bh_paths_self();
	if (session->bellhop_path == NULL) {
		return bh_err_set(err, BH_ENOTFOUND,
		                  "find the path of this program: is /proc mounted?");
	}

	const char *argv[] = {
		session->keeper_path,
		"--lock",
		paths->keeper_lock,
		"--log",
		paths->keeper_log,
		"--state",
		paths->keeper_state,
		"--",
		session->bellhop_path,
		"server-main",
		"-S",
		paths->session,
		NULL,
	};
	_Static_assert(sizeof(argv) == sizeof(session->keeper_argv), "room for the command line");
	memcpy(session->keeper_argv, argv, sizeof(argv));
	session->settings.keeper_argv = session->keeper_argv;
	return 0;
}

int bh_session_open(const struct bh_cmd *cmd, enum bh_session_start start,
                    struct bh_session *session, struct bh_err *err)
{
	int rc = bh_session_find(cmd, session, err);

	if (rc != 0) {
		return rc;
	}
	if (start == BH_SESSION_RUNNING && !session_is_inside(session)) {
		// A socket that refuses is a server that restarts; none at all, a session that is
		// not there.
		session->settings.absent_ms = 0;
	} else if (start == BH_SESSION_RETURNING) {
		session->settings.absent_ms = BH_START_TIMEOUT_MS;
	} else if (!session_is_inside(session)) {
		rc = session_prepare_start(session, err);
	}
	rc = rc != 0 ? rc : bh_client_open(&session->settings, &session->client, err);
	if (rc == -ENOENT && session_is_inside(session)) {
		// A shell that outlived its session: no command can start that again from here.
		rc = bh_err_set(err, rc,
		                "the server of this terminal is gone (nothing listens at %.100s); "
		                "unset BELLHOP_SOCKET and BELLHOP_TOKEN to use another session",
		                session->settings.socket_path);
	}
	return rc;
}

void bh_session_wait_closed(struct bh_session *session, uint64_t limit_ms)
{
	struct bh_conn *conn = bh_client_conn(session->client);
	uint64_t deadline_ms = bh_clock_mono_ms() + limit_ms;
	struct bh_conn_item item;

	while (conn != NULL && bh_conn_wait(conn, deadline_ms, &item) == 0) {
	}
}

void bh_session_clear(struct bh_session *session)
{
	bh_client_close(session->client);
	bh_paths_clear(&session->paths);
	free(session->keeper_path);
	free(session->bellhop_path);
	*session = (struct bh_session){0};
}

int bh_session_report_lost(const struct bh_cmd *cmd, const struct bh_err *lost,
                           const char *message_id)
{
	struct bh_err err = {0};

	(void)bh_err_set(&err, lost->code,
	                 "%.110s; whether it was stored is not known. Do it again with "
	                 "--message-id %s, then it is stored once",
	                 lost->text, message_id);
	(void)bh_cmd_fail(cmd, &err);
	return BH_EXIT_UNKNOWN;
}

int bh_session_call(const struct bh_cmd *cmd, struct bh_session *session,
                    const struct bh_request *request, cJSON **result_out)
{
	struct bh_client_call call = {
		.method = request->method,
		.params = request->params,
		.timeout_ms = request->timeout_ms == 0 ? BH_CLIENT_CALL_MS : request->timeout_ms,
		.is_repeatable = request->is_repeatable,
		.wait_param = request->wait_param,
	};
	struct bh_err err = {0};

	const cJSON *given = cJSON_GetObjectItemCaseSensitive(call.params, "message_id");
	char *message_id = cJSON_IsString(given) ? bh_xstrdup(given->valuestring) : NULL;
	int status = BH_EXIT_OK;

	if (bh_client_do(session->client, &call, result_out, &err) == 0) {
		// *result_out has the answer
	} else if (!bh_client_is_lost(session->client, err.code)) {
		status = bh_print_failure(cmd, session->client, &err);
	} else if (message_id != NULL) {
		status = bh_session_report_lost(cmd, &err, message_id);
	} else {
		status = bh_cmd_fail(cmd, &err);
		status = call.is_repeatable ? status : BH_EXIT_UNKNOWN;
	}
	free(message_id);
	return status;
}

int bh_session_request(const struct bh_cmd *cmd, const struct bh_request *request,
                       cJSON **result_out)
{
	enum bh_session_start start =
		request->needs_running ? BH_SESSION_RUNNING : BH_SESSION_START;
	struct bh_session session = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	if (bh_session_open(cmd, start, &session, &err) != 0) {
		cJSON_Delete(request->params);
		status = bh_print_no_server(cmd, &err);
	} else {
		status = bh_session_call(cmd, &session, request, result_out);
	}
	bh_session_clear(&session);
	return status;
}
