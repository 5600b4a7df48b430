#include "src/client/client.h"

#include "src/base/buf.h"
#include "src/base/clock.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/client/conn.h"
#include "src/client/patience.h"
#include "src/client/spool.h"
#include "src/client/start.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/** A sandbox may answer "refused" where a server restart does too: this long we wait to tell. */
#define REFUSED_WITH_SPOOL_MS 1000
/** Reconnects in one call. A server that crashes on our request must not do so for ever. */
#define RESENDS_MAX 3
/** A server that lived so long after it got the request did not die of it (ms). Should it all the same,
 * the keeper gives it up. */
#define RESEND_LIFE_MS 200
/** A wait that servers have left so quickly before is sent again so much later each time (ms). */
#define RESEND_PAUSE_MS 300
/** How long a call that waits anyway looks for a server that does not come back at once (ms). */
#define RETURN_MS 60000
/** And how often it tries. */
#define RETURN_PAUSE_MS 200
/** Most that is read of the keeper's state file (bytes). */
#define STATE_MAX 4096
/** Id of the question whether the server reacts; those of calls are numbers. */
#define SIGN_ID "sign"

struct bh_client {
	/** As given; the strings are borrowed. */
	struct bh_client_settings settings;
	/** The connection, or NULL with the spool or after a break. */
	struct bh_conn *conn;
	/** Calls go over the spool. */
	bool is_spool;
	/** The socket was reached once. */
	bool was_connected;
	/** Id of the last request. */
	int last_id;
	/** The last error answer, or NULL. */
	cJSON *fault;
};

/** Where to read more, if it is known and there is room for it in a sentence. */
static void add_log(const char *log_path, struct bh_err *err)
{
	size_t len = err != NULL ? strlen(err->text) : 0;

	if (err != NULL && log_path != NULL &&
	    len + strlen(log_path) + sizeof("; its log is ") <= sizeof(err->text)) {
		(void)snprintf(err->text + len, sizeof(err->text) - len, "; its log is %s",
		               log_path);
	}
}

/** The message for a server that does not come: what the keeper wrote down, or where to look. */
static int report_absent(const struct bh_client_settings *settings, int code, struct bh_err *err)
{
	struct bh_buf words = {0};
	const char *path = settings->keeper_state_path;
	const char *lock_path = settings->keeper_lock_path;
	pid_t keeper = lock_path != NULL ? bh_start_keeper(lock_path) : 0;

	if (bh_patience_is_stopped(keeper)) {
		code = bh_err_set(err, code,
		                  "the session's keeper (process %d), which starts its server, was "
		                  "stopped; `kill -CONT %d` lets it go on",
		                  (int)keeper, (int)keeper);
	} else if (path != NULL && bh_file_read(path, STATE_MAX, &words, NULL) == 0 &&
	           words.len > 0) {
		words.data[strcspn(words.data, "\n")] = '\0';
		code = bh_err_set(err, code, "%s", words.data);
		add_log(settings->server_log_path, err);
	} else if (keeper > 0) {
		code = bh_err_set(
			err, code,
			"the session's keeper (process %d) lives, but the server that it is "
			"to start does not come; `bellhop server stop --force` ends it with "
			"all its terminals",
			(int)keeper);
		add_log(settings->server_log_path, err);
	} else if (code == BH_ETIMEOUT) {
		code = bh_err_set(err, code,
		                  "the server at %s did not come up in %ld s; its log is %s",
		                  settings->socket_path, settings->connect_ms / 1000,
		                  settings->server_log_path == NULL ? "not known"
		                                                    : settings->server_log_path);
	} else {
		code = bh_err_set(
			err, code,
			"no server runs for this session (nothing listens at %s); `bellhop "
			"server start` starts one",
			settings->socket_path);
	}
	bh_buf_clear(&words);
	return code;
}

/** Connect the socket, or choose the spool. */
static int client_connect(struct bh_client *client, struct bh_err *err)
{
	const struct bh_client_settings *settings = &client->settings;
	// A socket that was reached is not forbidden: it comes back.
	bool has_spool = !client->was_connected && settings->token != NULL &&
	                 bh_spool_is_usable(settings->spool_dir);
	struct bh_start_settings start = {.socket_path = settings->socket_path,
	                                  .keeper_argv = settings->keeper_argv,
	                                  .given_up_path = settings->keeper_state_path,
	                                  .lock_path = settings->keeper_lock_path,
	                                  .timeout_ms = settings->connect_ms,
	                                  .absent_ms = settings->absent_ms};
	int fd = -1;

	if (has_spool && start.timeout_ms > REFUSED_WITH_SPOOL_MS) {
		start.timeout_ms = REFUSED_WITH_SPOOL_MS;
	}

	int rc = bh_start_connect(&start, &fd, err);
	if (rc == 0) {
		client->conn = bh_conn_new(fd);
		client->was_connected = true;
		return 0;
	}
	if (has_spool &&
	    (bh_start_is_forbidden(rc) || bh_start_is_absent(rc) || rc == BH_ETIMEOUT)) {
		client->is_spool = true;
		return 0;
	}
	if (bh_start_is_absent(rc) || rc == BH_ETIMEOUT) {
		return report_absent(settings, rc, err);
	}
	return rc;
}

int bh_client_open(const struct bh_client_settings *settings, struct bh_client **client_out,
                   struct bh_err *err)
{
	struct bh_client *client = bh_xmalloc(sizeof(*client));

	client->settings = *settings;

	int rc = client_connect(client, err);
	if (rc != 0) {
		bh_client_close(client);
		return rc;
	}
	*client_out = client;
	return 0;
}

void bh_client_close(struct bh_client *client)
{
	if (client == NULL) {
		return;
	}
	bh_conn_free(client->conn);
	cJSON_Delete(client->fault);
	free(client);
}

bool bh_client_is_spool(const struct bh_client *client)
{
	return client->is_spool;
}

struct bh_conn *bh_client_conn(struct bh_client *client)
{
	return client->conn;
}

const cJSON *bh_client_fault_data(const struct bh_client *client)
{
	return cJSON_GetObjectItemCaseSensitive(client->fault, "data");
}

const char *bh_client_fault(const struct bh_client *client)
{
	const cJSON *word = cJSON_GetObjectItemCaseSensitive(bh_client_fault_data(client), "word");

	return cJSON_IsString(word) ? word->valuestring : "";
}

bool bh_client_is_lost(const struct bh_client *client, int code)
{
	return client->fault == NULL &&
	       (code == BH_ECLOSED || code == BH_ETIMEOUT || bh_start_is_absent(code));
}

char *bh_client_request(const struct bh_client *client, int id, const char *method, cJSON *params)
{
	cJSON *request = cJSON_CreateObject();
	char *line = NULL;

	(void)cJSON_AddStringToObject(request, "jsonrpc", "2.0");
	(void)cJSON_AddNumberToObject(request, "protocol", BH_PROTOCOL_VERSION);
	(void)cJSON_AddNumberToObject(request, "id", id);
	(void)cJSON_AddStringToObject(request, "method", method);
	(void)cJSON_AddItemToObject(request, "params",
	                            params == NULL ? cJSON_CreateObject() : params);
	if (client->settings.token != NULL) {
		(void)cJSON_AddStringToObject(request, "token", client->settings.token);
	}
	line = bh_json_print(request);
	cJSON_Delete(request);
	return line;
}

/** Our code for an error word of the server, so that callers can branch without strings. */
static int code_of_word(const char *word)
{
	static const struct {
		const char *word;
		int code;
	} words[] = {
#define WORD_ROW(name, number, text, sentence) {text, name},
		BH_ERR_LIST(WORD_ROW)
#undef WORD_ROW
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i].word, word) == 0) {
			return words[i].code;
		}
	}
	return BH_EDENIED;
}

/** Take an error answer apart. */
static int report_fault(struct bh_client *client, cJSON *fault, struct bh_err *err)
{
	const cJSON *message = cJSON_GetObjectItemCaseSensitive(fault, "message");
	const cJSON *code = cJSON_GetObjectItemCaseSensitive(fault, "code");
	const char *text = cJSON_IsString(message) ? message->valuestring : "no reason given";

	client->fault = fault;
	if (cJSON_IsNumber(code) && code->valueint == -32601) {
		return bh_err_set(err, BH_EUNSUPPORTED,
		                  "%s; when this program (" PACKAGE_VERSION
		                  ") is newer than the server, `bellhop upgrade` restarts that",
		                  text);
	}
	return bh_err_set(err, code_of_word(bh_client_fault(client)), "%s", text);
}

/**
 * Read one answer line.
 *
 * @return
 *         1 when the line is not the answer to request @id; else as bh_client_do().
 */
static int take_answer(struct bh_client *client, struct bh_span line, int id, cJSON **result_out,
                       struct bh_err *err)
{
	cJSON *answer = bh_json_parse_object(line.data, line.len, err);
	const cJSON *answer_id = NULL;
	cJSON *part = NULL;
	int rc = 1;

	if (answer == NULL) {
		return bh_err_set(
			err, BH_EPROTOCOL,
			"the server's answer is no JSON; is it a server of bellhop at all?");
	}
	answer_id = cJSON_GetObjectItemCaseSensitive(answer, "id");
	if ((part = cJSON_DetachItemFromObjectCaseSensitive(answer, "error")) != NULL &&
	    (cJSON_IsNull(answer_id) || (cJSON_IsNumber(answer_id) && answer_id->valueint == id))) {
		// An id of null: the server could not even read the request.
		rc = report_fault(client, part, err);
	} else if (cJSON_IsNumber(answer_id) && answer_id->valueint == id) {
		cJSON_Delete(part);
		part = cJSON_DetachItemFromObjectCaseSensitive(answer, "result");
		if (part != NULL) {
			*result_out = part;
			rc = 0;
		} else {
			rc = bh_err_set(err, BH_EPROTOCOL,
			                "the server's answer has neither result nor error");
		}
	} else {
		cJSON_Delete(part);
	}
	cJSON_Delete(answer);
	return rc;
}

int bh_client_take_answer(struct bh_client *client, struct bh_span line, int id, cJSON **result_out,
                          struct bh_err *err)
{
	cJSON_Delete(client->fault);
	client->fault = NULL;
	return take_answer(client, line, id, result_out, err);
}

/** A call under way. */
struct attempt {
	const struct bh_client_call *call;
	/** A copy of its parameters, where they change when it is sent again; else NULL. */
	cJSON *params;
	/** The request line. */
	char *line;
	/** When it was made and when it is given up (bh_clock_mono_ms()). */
	uint64_t begin_ms;
	uint64_t deadline_ms;
};

/** The server's process, or 0. */
static pid_t client_peer(const struct bh_client *client)
{
	struct ucred peer = {0};
	socklen_t len = sizeof(peer);
	int rc = client->conn == NULL ? -1
	                              : getsockopt(bh_conn_fd(client->conn), SOL_SOCKET,
	                                           SO_PEERCRED, &peer, &len);

	return rc == 0 ? peer.pid : 0;
}

int bh_client_report_silence(const struct bh_client *client, uint64_t waited_ms, struct bh_err *err)
{
	pid_t pid = client_peer(client);
	int waited_s = (int)(waited_ms / 1000);

	if (bh_patience_is_stopped(pid)) {
		return bh_err_set(err, BH_ETIMEOUT,
		                  "the server (process %d) was stopped and did not answer in %d s; "
		                  "`kill -CONT %d` lets it go on",
		                  (int)pid, waited_s, (int)pid);
	}
	return bh_err_set(err, BH_ETIMEOUT, "the server (process %d) did not answer in %d s",
	                  (int)pid, waited_s);
}

/** Tell what is waited for. */
static void client_tell(const struct bh_client *client, const struct attempt *attempt,
                        enum bh_patience_step step)
{
	uint64_t now_ms = bh_clock_mono_ms();
	struct bh_patience_view view = {
		.pid = client_peer(client),
		.method = attempt->call->method,
		.log_path = client->settings.server_log_path,
		.waited_ms = now_ms - attempt->begin_ms,
		.left_ms = -1,
	};
	struct bh_buf text = {0};

	if (attempt->deadline_ms != BH_CONN_NO_DEADLINE) {
		view.left_ms = (int64_t)attempt->deadline_ms - (int64_t)now_ms;
	}
	if (client->settings.tell != NULL) {
		bh_patience_words(&text, step, &view);
		client->settings.tell(client->settings.tell_user, text.data);
		bh_buf_clear(&text);
	}
}

/** Do what the silence of the server makes due. */
static void client_mind(struct bh_client *client, const struct attempt *attempt,
                        struct bh_patience *patience)
{
	enum bh_patience_step step = bh_patience_step(patience, bh_clock_mono_ms());

	if (step == BH_PATIENCE_ASK) {
		bh_conn_put_line(client->conn, bh_span_of("{\"jsonrpc\":\"2.0\",\"id\":\"" SIGN_ID
		                                          "\",\"method\":\"server.info\"}"));
	} else if (step != BH_PATIENCE_WAIT) {
		client_tell(client, attempt, step);
	}
}

/** What to say of an answer that did not come in time. */
static int report_silence(const struct bh_client *client, const struct attempt *attempt,
                          struct bh_err *err)
{
	uint64_t waited_ms = bh_clock_mono_ms() - attempt->begin_ms;

	if (attempt->call->is_repeatable) {
		return bh_client_report_silence(client, waited_ms, err);
	}
	return bh_err_set(
		err, BH_ETIMEOUT,
		"the server (process %d) did not answer in %d s; whether %.60s was done is "
		"not known",
		(int)client_peer(client), (int)(waited_ms / 1000), attempt->call->method);
}

/** Send the request and wait for its answer over the connection. */
static int exchange(struct bh_client *client, const struct attempt *attempt, cJSON **result_out,
                    struct bh_err *err)
{
	struct bh_patience patience;
	struct bh_conn_item item;
	int rc = 1;

	bh_patience_begin(&patience, bh_clock_mono_ms(), attempt->deadline_ms);
	bh_conn_put_line(client->conn, bh_span_of(attempt->line));
	while (rc == 1) {
		uint64_t due_ms = bh_patience_due(&patience);

		rc = bh_conn_wait(client->conn,
		                  due_ms < attempt->deadline_ms ? due_ms : attempt->deadline_ms,
		                  &item);
		if (rc == BH_ETIMEOUT && bh_clock_mono_ms() < attempt->deadline_ms) {
			client_mind(client, attempt, &patience);
			rc = 1;
			continue;
		}
		if (rc == BH_ETIMEOUT) {
			return report_silence(client, attempt, err);
		}
		if (rc != 0) {
			return bh_err_set(err, rc, "talk to the server: %s", bh_err_text(rc));
		}
		if (bh_patience_heard(&patience, bh_clock_mono_ms())) {
			client_tell(client, attempt, BH_PATIENCE_TELL_BACK);
		}
		rc = item.kind == BH_CONN_LINE
		             ? take_answer(client, item.bytes, client->last_id, result_out, err)
		             : 1;
	}
	return rc;
}

/** Prepare to send again: the server is to wait only for what is left. */
static void attempt_renew(struct bh_client *client, struct attempt *attempt)
{
	const char *name = attempt->call->wait_param;
	cJSON *wait = cJSON_GetObjectItemCaseSensitive(attempt->params, name);
	double passed_ms = (double)(bh_clock_mono_ms() - attempt->begin_ms);

	// 0 means "for ever" to the server, so what has run out becomes the least there is.
	if (!cJSON_IsNumber(wait) || wait->valuedouble <= 0) {
		return;
	}

	cJSON *params = cJSON_Duplicate(attempt->params, true);
	cJSON *left = cJSON_GetObjectItemCaseSensitive(params, name);

	cJSON_SetNumberHelper(
		left, wait->valuedouble > passed_ms + 1 ? wait->valuedouble - passed_ms : 1);
	free(attempt->line);
	attempt->line = bh_client_request(client, client->last_id, attempt->call->method, params);
}

/** Let servers that follow each other quickly, upgrade upon upgrade, pass before a wait is sent again. */
static void client_pause(const struct attempt *attempt, int resends)
{
	uint64_t now_ms = bh_clock_mono_ms();
	uint64_t pause_ms = (uint64_t)resends * RESEND_PAUSE_MS;

	if (attempt->call->wait_param != NULL && pause_ms > 0 &&
	    now_ms + pause_ms < attempt->deadline_ms) {
		(void)poll(NULL, 0, (int)pause_ms);
	}
}

/** Connect again. What waits for hours anyway does not give up because a server is slow to come. */
static int client_return(struct bh_client *client, const struct attempt *attempt,
                         struct bh_err *err)
{
	bool is_patient = attempt->call->wait_param != NULL && client->settings.keeper_argv == NULL;
	uint64_t end_ms = bh_clock_mono_ms() + RETURN_MS;
	int rc;

	end_ms = end_ms < attempt->deadline_ms ? end_ms : attempt->deadline_ms;
	while ((rc = client_connect(client, err)) != 0) {
		if (!is_patient || bh_clock_mono_ms() >= end_ms ||
		    (rc != BH_ETIMEOUT && !bh_start_is_absent(rc))) {
			return rc;
		}
		(void)poll(NULL, 0, RETURN_PAUSE_MS);
	}
	return 0;
}

/** exchange(), and again over a new connection as long as that may help. */
static int exchange_repeatedly(struct bh_client *client, struct attempt *attempt,
                               cJSON **result_out, struct bh_err *err)
{
	// Idle between two calls it may have been ended, for another server or to make room: nothing of this
	// call is there then, so it is simply made on a new one.
	if (client->conn != NULL && bh_conn_is_ended(client->conn)) {
		bh_conn_free(client->conn);
		client->conn = NULL;
	}
	for (int resends = 0;; resends++) {
		uint64_t sent_ms = bh_clock_mono_ms();
		int rc = BH_ECLOSED;

		if (client->conn != NULL) {
			rc = exchange(client, attempt, result_out, err);
		}
		if (rc != BH_ECLOSED) {
			return rc;
		}

		bool was_sent = client->conn != NULL;
		bh_conn_free(client->conn);
		client->conn = NULL;
		if (was_sent && !attempt->call->is_repeatable) {
			return bh_err_set(
				err, rc,
				"the server ended before it answered; whether %s was done "
				"is not known",
				attempt->call->method);
		}
		if (bh_clock_mono_ms() - sent_ms >= RESEND_LIFE_MS) {
			resends = 0;
		}
		if (resends >= RESENDS_MAX) {
			return bh_err_set(err, rc,
			                  "the server ended %d times before it answered; whether "
			                  "%s was done is not known",
			                  resends, attempt->call->method);
		}
		client_pause(attempt, resends);
		rc = client_return(client, attempt, err);
		if (rc != 0) {
			return rc;
		}
		if (attempt->params != NULL) {
			attempt_renew(client, attempt);
		}
		if (client->is_spool) {
			return BH_ECLOSED;
		}
	}
}

/** What a spooled call tells, and for whom. */
struct spool_listener {
	const struct bh_client *client;
	const struct attempt *attempt;
};

static void on_spool_tell(void *user, enum bh_patience_step step)
{
	const struct spool_listener *listener = user;

	client_tell(listener->client, listener->attempt, step);
}

static int exchange_by_spool(struct bh_client *client, const struct attempt *attempt,
                             cJSON **result_out, struct bh_err *err)
{
	struct spool_listener listener = {.client = client, .attempt = attempt};
	char *sign = bh_client_request(client, 0, "server.info", NULL);
	struct bh_spool_request request = {.dir = client->settings.spool_dir,
	                                   .request = bh_span_of(attempt->line),
	                                   .sign = bh_span_of(sign),
	                                   .timeout_ms = attempt->call->timeout_ms,
	                                   .tell = on_spool_tell,
	                                   .user = &listener};
	struct bh_buf answer = {0};
	int rc = bh_spool_call(&request, &answer, err);

	free(sign);
	if (rc == 0) {
		while (answer.len > 0 && answer.data[answer.len - 1] == '\n') {
			answer.data[--answer.len] = '\0';
		}
		rc = take_answer(client, (struct bh_span){.data = answer.data, .len = answer.len},
		                 client->last_id, result_out, err);
		if (rc == 1) {
			rc = bh_err_set(err, BH_EPROTOCOL,
			                "the spool holds the answer to another request");
		}
	}
	bh_buf_clear(&answer);
	return rc;
}

int bh_client_do(struct bh_client *client, const struct bh_client_call *call, cJSON **result_out,
                 struct bh_err *err)
{
	struct attempt attempt = {.call = call, .begin_ms = bh_clock_mono_ms()};
	size_t len = 0;
	int rc = BH_ECLOSED;

	attempt.deadline_ms = call->timeout_ms < 0 ? BH_CONN_NO_DEADLINE
	                                           : attempt.begin_ms + (uint64_t)call->timeout_ms;
	attempt.params = call->wait_param == NULL ? NULL : cJSON_Duplicate(call->params, true);
	attempt.line = bh_client_request(client, ++client->last_id, call->method, call->params);
	len = strlen(attempt.line);
	cJSON_Delete(client->fault);
	client->fault = NULL;
	if (len >= BH_LIMIT_LINE) {
		rc = bh_err_set(err, BH_ELIMIT, "the request has %zu bytes; the limit is %d", len,
		                BH_LIMIT_LINE - 1);
	} else if (!client->is_spool) {
		rc = exchange_repeatedly(client, &attempt, result_out, err);
	}
	if (rc == BH_ECLOSED && client->is_spool) {
		rc = exchange_by_spool(client, &attempt, result_out, err);
	}
	cJSON_Delete(attempt.params);
	free(attempt.line);
	return rc;
}
