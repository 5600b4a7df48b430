#include "src/cmd/follow.h"

#include "src/base/clock.h"
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/client/conn.h"
#include "src/client/start.h"
#include "src/cmd/command.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** What was read of standard input in one go (bytes). */
#define PART_SIZE 65536
/** How long a server is looked for that does not come back at once, and how often (ms). */
#define RETURN_MS 60000
#define RETURN_PAUSE_MS 200
/** Ids of our own requests begin here: those of the session's calls are smaller. */
#define FIRST_ID 1000000

struct bh_follow {
	const struct bh_cmd *cmd;
	const struct bh_follow_settings *settings;
	struct bh_session session;
	/** Of standard input, up to a line that is not whole. */
	struct bh_buf in;
	int last_id;
};

int bh_follow_flush(void)
{
	return bh_print_flush() ? BH_FOLLOW_ON : BH_EXIT_FAILED;
}

void bh_follow_send(struct bh_follow *follow, const char *method, cJSON *params)
{
	struct bh_client *client = follow->session.client;
	char *line = bh_client_request(client, ++follow->last_id, method, params);

	if (bh_client_conn(client) != NULL) {
		bh_conn_put_line(bh_client_conn(client), bh_span_of(line));
	}
	free(line);
}

/** Hand on one line of the server. */
static int line_take(struct bh_follow *follow, struct bh_span line)
{
	const struct bh_follow_settings *settings = follow->settings;
	cJSON *message = bh_json_parse_object(line.data, line.len, NULL);
	const char *method = bh_print_str(message, "method", NULL);
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(message, "error");
	int status = BH_FOLLOW_ON;

	if (method != NULL) {
		status = settings->told(follow, method,
		                        cJSON_GetObjectItemCaseSensitive(message, "params"),
		                        settings->user);
	} else if (error != NULL) {
		bh_print_program(stderr, follow->cmd);
		bh_print_text(stderr, bh_print_str(error, "message", "the server refused"));
	}
	cJSON_Delete(message);
	return status;
}

/** Hand on what was read. A connection that sends nonsense is as good as closed. */
static int items_take(struct bh_follow *follow, bool *is_closed)
{
	struct bh_conn *conn = bh_client_conn(follow->session.client);
	struct bh_conn_item item;
	int status = BH_FOLLOW_ON;
	int code = 1;

	while (status == BH_FOLLOW_ON && (code = bh_conn_next(conn, &item)) == 1) {
		if (item.kind == BH_CONN_LINE) {
			status = line_take(follow, item.bytes);
		}
	}
	*is_closed = *is_closed || code < 0;
	return status;
}

/** Read what the server has sent. */
static int server_read(struct bh_follow *follow, bool *is_closed)
{
	struct bh_conn *conn = bh_client_conn(follow->session.client);
	int code = bh_conn_write(conn);

	code = code == 0 ? bh_conn_read(conn) : code;
	*is_closed = code != 0;
	return items_take(follow, is_closed);
}

/**
 * Open the session. In a terminal of ours a server that is away comes back, however long that takes
 * (its screens are rebuilt first); outside, a session without a keeper is over.
 */
static int follow_open(struct bh_follow *follow, enum bh_session_start start, struct bh_err *err)
{
	uint64_t end_ms = bh_clock_mono_ms() + RETURN_MS;

	for (;;) {
		int code = bh_session_open(follow->cmd, start, &follow->session, err);
		bool is_inside = follow->session.settings.keeper_lock_path == NULL;

		if (code == 0 || start != BH_SESSION_RETURNING || bh_clock_mono_ms() > end_ms ||
		    (code != BH_ETIMEOUT && !(is_inside && bh_start_is_absent(code)))) {
			return code;
		}
		bh_session_clear(&follow->session);
		(void)poll(NULL, 0, RETURN_PAUSE_MS);
	}
}

/** Connect and make the call. BH_FOLLOW_ON or the exit status. */
static int follow_begin(struct bh_follow *follow, enum bh_session_start start)
{
	const struct bh_follow_settings *settings = follow->settings;
	struct bh_request request = {.method = settings->method, .is_repeatable = true};
	struct bh_err err = {0};
	cJSON *result = NULL;
	int status;

	if (follow_open(follow, start, &err) != 0) {
		return bh_print_no_server(follow->cmd, &err);
	}
	request.params = cJSON_Duplicate(settings->params, true);
	status = bh_session_call(follow->cmd, &follow->session, &request, &result);
	if (status == BH_EXIT_OK) {
		bool is_closed = false; // it shows at the next read

		follow->last_id = FIRST_ID;
		status = settings->begun(follow, result, settings->user);
		if (status == BH_FOLLOW_ON && !bh_client_is_spool(follow->session.client)) {
			status = items_take(follow, &is_closed); // came with the answer
		}
	}
	cJSON_Delete(result);
	return status;
}

/** Hand on the whole lines of standard input. */
static int lines_take(struct bh_follow *follow)
{
	const struct bh_follow_settings *settings = follow->settings;
	int status = BH_FOLLOW_ON;
	char *end;

	while (status == BH_FOLLOW_ON && follow->in.len > 0 &&
	       (end = memchr(follow->in.data, '\n', follow->in.len)) != NULL) {
		size_t len = (size_t)(end - follow->in.data);

		status = settings->typed(follow,
		                         (struct bh_span){.data = follow->in.data, .len = len},
		                         settings->user);
		bh_buf_consume(&follow->in, len + 1);
	}
	if (follow->in.len > BH_LIMIT_LINE) {
		bh_print_program(stderr, follow->cmd);
		bh_print_text(stderr, "a line of standard input is longer than 1 MiB");
		return BH_EXIT_FAILED;
	}
	return status;
}

static int input_read(struct bh_follow *follow)
{
	ssize_t n;

	bh_buf_reserve(&follow->in, PART_SIZE);
	n = read(STDIN_FILENO, follow->in.data + follow->in.len, PART_SIZE);
	if (n < 0) {
		return errno == EINTR || errno == EAGAIN ? BH_FOLLOW_ON : BH_EXIT_FAILED;
	}
	follow->in.len += (size_t)n;
	return n == 0 ? BH_EXIT_OK : lines_take(follow);
}

/** Wait for something, and do it. */
static int follow_turn(struct bh_follow *follow)
{
	const struct bh_conn *conn = bh_client_conn(follow->session.client);
	struct pollfd fds[] = {
		{.fd = bh_conn_fd(conn),
	         .events = (short)(POLLIN | (bh_conn_wants_write(conn) ? POLLOUT : 0))},
		{.fd = follow->settings->typed != NULL ? STDIN_FILENO : -1, .events = POLLIN},
		{.fd = STDOUT_FILENO}, // its reader is gone
	};
	int status = BH_FOLLOW_ON;
	bool is_closed = false;

	if (poll(fds, 3, -1) < 0) {
		return errno == EINTR ? BH_FOLLOW_ON : BH_EXIT_FAILED;
	}
	if ((fds[2].revents & (POLLERR | POLLNVAL)) != 0) {
		return BH_EXIT_FAILED;
	}
	if (fds[1].revents != 0) {
		status = input_read(follow);
	}
	if (status == BH_FOLLOW_ON && fds[0].revents != 0) {
		status = server_read(follow, &is_closed);
	}
	if (status == BH_EXIT_OK) { // what was asked for last is still to reach the server
		(void)bh_conn_flush(bh_client_conn(follow->session.client), 1000);
	}
	if (status == BH_FOLLOW_ON && is_closed) {
		bh_session_clear(&follow->session);
		status = follow_begin(follow, BH_SESSION_RETURNING);
	}
	return status;
}

int bh_follow_run(const struct bh_cmd *cmd, const struct bh_follow_settings *settings)
{
	struct bh_follow follow = {.cmd = cmd, .settings = settings};
	int status =
		follow_begin(&follow, settings->may_start ? BH_SESSION_START : BH_SESSION_RUNNING);

	while (status == BH_FOLLOW_ON) {
		if (bh_client_is_spool(follow.session.client)) {
			bh_print_program(stderr, cmd);
			bh_print_text(stderr, "this needs a socket, which a sandbox forbids here");
			status = BH_EXIT_FAILED;
		} else {
			status = follow_turn(&follow);
		}
	}
	bh_session_clear(&follow.session);
	bh_buf_clear(&follow.in);
	return status;
}
