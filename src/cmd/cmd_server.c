#include "src/base/fd.h"
#include "src/base/file.h"
#include "src/client/start.h"
#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/server/sweep.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>

/** How long `stop` waits for the end of the server, and then of the keeper (ms). */
#define STOP_MS 15000
/** A server that does not answer a forced stop for so long hangs (ms). */
#define HUNG_MS 5000

static void print_info(const cJSON *info)
{
	char age[16];

	(void)printf("session: %s\n", bh_print_str(info, "session", "?"));
	(void)printf("version: %s (protocol %.0f)\n", bh_print_str(info, "version", "?"),
	             bh_print_num(info, "protocol", 0));
	(void)printf("server: pid %.0f, up %s, restarts: %.0f\n", bh_print_num(info, "pid", 0),
	             bh_print_age(bh_print_num(info, "uptime_ms", 0), age),
	             bh_print_num(info, "restarts", 0));
	(void)printf("keeper: pid %.0f\n", bh_print_num(info, "keeper_pid", 0));
	(void)printf("terminals: %.0f\n", bh_print_num(info, "terminals", 0));
	(void)printf("runtime: %s\n", bh_print_str(info, "runtime_dir", "?"));
	(void)printf("state: %s\n", bh_print_str(info, "state_dir", "?"));
}

/** `start` and `status` differ in whether a server may be started. */
static int show_info(struct bh_cmd *cmd, bool needs_running)
{
	struct bh_request request = {
		.method = "server.info", .is_repeatable = true, .needs_running = needs_running};
	cJSON *result = NULL;
	int status = bh_session_request(cmd, &request, &result);

	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print_info(result);
	}
	cJSON_Delete(result);
	return status;
}

static int run_start(struct bh_cmd *cmd)
{
	return show_info(cmd, false);
}

static int run_status(struct bh_cmd *cmd)
{
	return show_info(cmd, true);
}

/** The keeper that holds the session's lock, as a descriptor; -1: none. */
static int find_keeper(const struct bh_paths *paths)
{
	pid_t pid = bh_start_keeper(paths->keeper_lock);
	int fd = pid > 0 ? pidfd_open(pid, 0) : -1;

	// Still the same after it was opened: not another process with its number.
	if (fd >= 0 && bh_start_keeper(paths->keeper_lock) != pid) {
		bh_fd_close(&fd);
	}
	return fd;
}

/** A descriptor of the session's keeper, readable once it has ended; -1 when it cannot be had. */
static int open_keeper(struct bh_session *session)
{
	struct bh_client_call call = {
		.method = "server.info", .timeout_ms = BH_CLIENT_CALL_MS, .is_repeatable = true};
	cJSON *info = NULL;
	int fd = -1;

	if (session->settings.keeper_lock_path != NULL) { // a server that hangs would not tell
		return find_keeper(&session->paths);
	}
	if (bh_client_do(session->client, &call, &info, NULL) == 0) {
		fd = pidfd_open((pid_t)bh_print_num(info, "keeper_pid", -1), 0);
	}
	cJSON_Delete(info);
	return fd;
}

/** Wait until the server has closed the connection and the keeper, the last to go, has ended. */
static void wait_for_end(struct bh_session *session, int keeper_fd)
{
	struct pollfd keeper = {.fd = keeper_fd, .events = POLLIN};

	bh_session_wait_closed(session, STOP_MS);
	if (keeper_fd >= 0) {
		(void)poll(&keeper, 1, STOP_MS); // what takes longer goes on without us
	}
}

/** There is no server that answers, but a keeper: it gave up on servers that crashed, or keeps one that
 * hangs, and holds the terminals. It ends them, and itself, as on a stop. False: there is none, or it stays. */
static bool stop_keeper(const struct bh_paths *paths)
{
	int fd = find_keeper(paths);
	struct pollfd keeper = {.fd = fd, .events = POLLIN};
	bool is_ended = fd >= 0 && pidfd_send_signal(fd, SIGTERM, NULL, 0) == 0 &&
	                pidfd_send_signal(fd, SIGCONT, NULL, 0) == 0 && // one that was stopped, too
	                poll(&keeper, 1, STOP_MS) == 1;

	bh_fd_close(&fd);
	if (is_ended) {
		(void)bh_file_remove(paths->socket, NULL); // a server that crashed leaves both
		(void)bh_file_remove(paths->keeper_state, NULL);
		(void)bh_sweep_runtime(paths, NULL, NULL); // environments hold secrets
	}
	return is_ended;
}

/** Whether it is certain that nothing of the session runs: no server, and no keeper that could start one. */
static bool is_all_ended(const struct bh_session *session, const struct bh_err *err)
{
	return bh_start_is_absent(err->code) && session->settings.keeper_lock_path != NULL &&
	       bh_start_keeper(session->settings.keeper_lock_path) == 0;
}

/** What was to be had is there already, so scripts may stop a session that they never started. */
static int report_ended(struct bh_cmd *cmd)
{
	cJSON *result = cJSON_CreateObject();

	(void)cJSON_AddBoolToObject(result, "stopping", false);
	(void)cJSON_AddNumberToObject(result, "killed", 0);
	if (!bh_print_if_json(cmd, result)) {
		(void)printf("no server runs for this session; nothing to stop\n");
	}
	cJSON_Delete(result);
	return BH_EXIT_OK;
}

/** No server was reached. With --force a person ends what is left of the session all the same. */
static int stop_without_server(struct bh_cmd *cmd, const struct bh_session *session,
                               const struct bh_err *err)
{
	cJSON *result = NULL;

	if (is_all_ended(session, err)) {
		return report_ended(cmd);
	}
	if (!bh_args_has(&cmd->args, "force") || getenv("BELLHOP_TERMINAL") != NULL ||
	    session->paths.keeper_lock == NULL || !stop_keeper(&session->paths)) {
		return bh_print_no_server(cmd, err);
	}
	result = cJSON_CreateObject();
	(void)cJSON_AddBoolToObject(result, "stopping", true);
	(void)cJSON_AddNullToObject(result, "killed");
	if (!bh_print_if_json(cmd, result)) {
		(void)printf("stopped, with all terminals; the server did not do it: ");
		bh_print_text(stdout, err->text);
	}
	cJSON_Delete(result);
	return BH_EXIT_OK;
}

static int run_stop(struct bh_cmd *cmd)
{
	bool is_forced = bh_args_has(&cmd->args, "force");
	struct bh_client_call call = {.method = "server.stop",
	                              .params = cJSON_CreateObject(),
	                              .timeout_ms = is_forced ? HUNG_MS : BH_CLIENT_CALL_MS};
	struct bh_session session = {0};
	struct bh_err err = {0};
	cJSON *result = NULL;
	int keeper_fd = -1;
	int status = BH_EXIT_OK;

	(void)cJSON_AddBoolToObject(call.params, "force", is_forced);
	if (bh_session_open(cmd, BH_SESSION_RUNNING, &session, &err) != 0) {
		cJSON_Delete(call.params);
		status = stop_without_server(cmd, &session, &err);
		bh_session_clear(&session);
		return status;
	}
	keeper_fd = open_keeper(&session);
	if (keeper_fd >= 0) {
		(void)pidfd_send_signal(keeper_fd, SIGCONT, NULL,
		                        0); // one that was stopped ends nothing
	}
	if (bh_client_do(session.client, &call, &result, &err) == 0) {
		wait_for_end(&session, keeper_fd);
		if (!bh_print_if_json(cmd, result)) {
			(void)printf("stopped; terminals ended: %.0f\n",
			             bh_print_num(result, "killed", 0));
		}
	} else {
		status = bh_client_fault(session.client)[0] == '\0'
		                 ? stop_without_server(cmd, &session, &err)
		                 : bh_print_failure(cmd, session.client, &err);
	}
	bh_fd_close(&keeper_fd);
	cJSON_Delete(result);
	bh_session_clear(&session);
	return status;
}

static int run(struct bh_cmd *cmd)
{
	static const struct {
		const char *name;
		int (*run)(struct bh_cmd *cmd);
	} verbs[] = {{"start", run_start}, {"stop", run_stop}, {"status", run_status}};
	const char *verb = bh_args_word(&cmd->args, 0);

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].name, verb) == 0) {
			return verbs[i].run(cmd);
		}
	}
	return bh_cmd_usage(cmd, "\"%.60s\" is not start, stop or status", verb);
}

static const struct bh_option options[] = {
	{"force", 0, NULL, "with stop: also when programs still run; they are ended"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_server = {
	.name = "server",
	.arguments = "start | stop | status",
	.summary = "start, stop or look at the session's server",
	.help = "Nobody needs to start it: the first command does. If it crashes it is started again\n"
		"and the terminals go on. One that crashed so often that it is not started any more,\n"
		"or that hangs, is no hindrance to stop --force: the keeper ends what is left.\n"
		"What waits for its respawn is given up when the session is stopped. To stop a\n"
		"session that does not run is no failure (exit 0, --json: stopping false); its\n"
		"status is one (exit 1).",
	.options = options,
	.group = BH_GROUP_SESSION,
	.words_min = 1,
	.words_max = 1,
	.acts = true,
	.run = run,
};
