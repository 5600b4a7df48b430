#include "src/cmd/commands.h"
#include "src/cmd/mail_view.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include "src/base/fd.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/utf8.h"
#include "src/client/mail_text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/** The server holds an answer at most 8 s for an attempt that runs. */
#define HELD_MS 20000
/** How long the receipt is asked for when the time for an answer is over (ms). */
#define LAST_LOOK_MS 2000
/** Default of --timeout with --wait (ms). */
#define WAIT_SEEN_MS 100000

/** One more byte than a body may have is enough to know that it is too long. */
#define READ_MAX (BH_LIMIT_BODY + 1)

static int body_too_long(struct bh_err *err)
{
	return bh_err_set(err, BH_ELIMIT,
	                  "the message is longer than %d bytes; nothing was stored. Put it into "
	                  "a file and send its path",
	                  BH_LIMIT_BODY);
}

static int read_stdin(struct bh_buf *body, struct bh_err *err)
{
	bh_buf_reserve(body, READ_MAX);

	ssize_t n = bh_fd_read_all(STDIN_FILENO, body->data, READ_MAX);
	if (n < 0) {
		return bh_err_sys(err, (int)-n, "read the message from standard input");
	}
	body->len = (size_t)n;
	body->data[n] = '\0';
	return 0;
}

/** The words after the name, joined by blanks: a message whose quotes were forgotten. */
static void join_words(const struct bh_cmd *cmd, struct bh_buf *body)
{
	for (int i = 1; i < cmd->args.word_count; i++) {
		bh_buf_puts(body, i == 1 ? "" : " ");
		bh_buf_puts(body, cmd->args.words[i]);
	}
}

static int read_body(const struct bh_cmd *cmd, struct bh_buf *body, struct bh_err *err)
{
	const char *file = bh_args_get(&cmd->args, "file");
	const char *word = bh_args_word(&cmd->args, 1);
	int rc = 0;

	if (word != NULL && (cmd->args.word_count > 2 || strcmp(word, "-") != 0)) {
		join_words(cmd, body);
		return 0;
	}
	rc = file != NULL && strcmp(file, "-") != 0 ? bh_file_read(file, READ_MAX, body, err)
	                                            : read_stdin(body, err);
	if (rc == BH_ELIMIT) {
		return body_too_long(err);
	}
	// The newline that ends a file or the output of echo is not part of what was said.
	if (rc == 0 && body->len > 0 && body->data[body->len - 1] == '\n') {
		body->data[--body->len] = '\0';
	}
	return rc;
}

/** What the server would refuse, told at once and with the place. */
static int check_body(const struct bh_buf *body, struct bh_err *err)
{
	size_t valid = bh_utf8_valid_len(body->data, body->len);

	if (body->len == 0) {
		return bh_err_set(err, BH_EINVALID, "the message is empty; nothing was stored");
	}
	if (body->len > BH_LIMIT_BODY) {
		return body_too_long(err);
	}
	if (valid != body->len || memchr(body->data, '\0', body->len) != NULL) {
		return bh_err_set(err, BH_EINVALID,
		                  "the message is not text in UTF-8 (byte %zu); nothing was stored",
		                  valid == body->len ? strlen(body->data) : valid);
	}
	return 0;
}

/** Options that are about waiting; they set the time limit of the call too. */
static int add_waiting(const struct bh_cmd *cmd, struct bh_request *request, struct bh_err *err)
{
	const char *wait = bh_args_get(&cmd->args, "wait");
	const char *unless = bh_args_get(&cmd->args, "fail-unless");
	const char *limit = bh_args_get(&cmd->args, "timeout");
	long wait_ms = WAIT_SEEN_MS;

	request->timeout_ms = HELD_MS;
	if ((wait != NULL && strcmp(wait, "seen") != 0) ||
	    (unless != NULL && strcmp(unless, "seen") != 0)) {
		return bh_err_set(err, BH_EINVALID,
		                  "--wait and --fail-unless know only one word: seen");
	}
	if (limit != NULL && wait == NULL) {
		return bh_err_set(err, BH_EINVALID, "--timeout goes with --wait seen");
	}
	if (wait != NULL && bh_args_has(&cmd->args, "no-wait")) {
		return bh_err_set(err, BH_EINVALID, "--wait and --no-wait exclude each other");
	}
	if (limit != NULL && bh_args_duration(limit, &wait_ms, err) != 0) {
		return err->code;
	}
	if (wait != NULL) {
		(void)cJSON_AddNumberToObject(request->params, "wait_seen_ms", (double)wait_ms);
		request->timeout_ms += wait_ms;
	}
	(void)cJSON_AddBoolToObject(request->params, "no_wait", bh_args_has(&cmd->args, "no-wait"));
	return 0;
}

static void print_answer(const cJSON *result)
{
	struct bh_buf text = {0};

	bh_mail_text_answer(&text, result);
	bh_print_buf(stdout, &text);
}

/** The exit status that the contract gives for an answer. */
static int status_of(const struct bh_cmd *cmd, const cJSON *result)
{
	int status = bh_mail_view_status(result);
	bool is_seen_wanted =
		bh_args_has(&cmd->args, "fail-unless") || bh_args_has(&cmd->args, "wait");

	return status == BH_EXIT_OK && is_seen_wanted && !bh_print_flag(result, "delivered")
	               ? BH_EXIT_PENDING
	               : status;
}

/** Say why a script hears 4 (or 3, where a person is needed): what it waited for has not come. */
static void tell_unseen(const struct bh_cmd *cmd, const cJSON *result)
{
	bool is_timed_out = bh_print_flag(result, "timed_out");

	if (is_timed_out ||
	    (bh_args_has(&cmd->args, "fail-unless") && !bh_print_flag(result, "delivered"))) {
		bh_print_program(stderr, cmd);
		(void)fprintf(
			stderr,
			"m%.0f is stored, but was not seen %s; `bellhop receipt m%.0f` tells what "
			"becomes of it\n",
			bh_print_num(result, "seq", 0), is_timed_out ? "in the time given" : "yet",
			bh_print_num(result, "seq", 0));
	}
}

/** Options that say what the message is about. */
static int add_subject(const struct bh_cmd *cmd, cJSON *params, struct bh_err *err)
{
	static const struct {
		const char *option;
		const char *param;
	} subjects[] = {{"reply-to", "reply_to"}, {"task", "task_id"}, {"status", "status"}};

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		const char *value = bh_args_get(&cmd->args, subjects[i].option);

		if (value != NULL) {
			(void)cJSON_AddStringToObject(params, subjects[i].param, value);
		}
	}
	if (bh_args_has(&cmd->args, "status") && !bh_args_has(&cmd->args, "task")) {
		return bh_err_set(err, BH_EINVALID, "--status goes with --task ID");
	}
	return 0;
}

/** Read and check the body, put it into the request. */
static int add_body(const struct bh_cmd *cmd, cJSON *params, struct bh_err *err)
{
	struct bh_buf body = {0};
	int rc = read_body(cmd, &body, err);

	rc = rc == 0 ? check_body(&body, err) : rc;
	if (rc == 0) {
		(void)cJSON_AddStringToObject(params, "body", body.data);
	}
	bh_buf_clear(&body);
	return rc;
}

/** Whether the command line says where the body is, and once only. */
static int check_source(const struct bh_cmd *cmd)
{
	bool has_file = bh_args_has(&cmd->args, "file");

	if (has_file && cmd->args.word_count > 1) {
		return bh_cmd_usage(cmd, "give the message as words or by --file, not both");
	}
	if (!has_file && cmd->args.word_count < 2 && isatty(STDIN_FILENO)) {
		return bh_cmd_usage(cmd, "the message is missing");
	}
	return BH_EXIT_OK;
}

/** Call once, with a session of its own. As bh_client_do(). */
static int call_anew(const struct bh_cmd *cmd, const char *method, cJSON *params, long timeout_ms,
                     cJSON **result_out)
{
	struct bh_client_call call = {.method = method, .params = params, .timeout_ms = timeout_ms};
	struct bh_session session = {0};
	struct bh_err err = {0};
	int rc = bh_session_open(cmd, BH_SESSION_START, &session, &err);

	if (rc != 0) {
		cJSON_Delete(params);
	} else {
		rc = bh_client_do(session.client, &call, result_out, &err);
	}
	bh_session_clear(&session);
	return rc;
}

/** It is stored, as @receipt says. Have the answer after all; if even that cannot be had, say so. */
static int answer_stored(struct bh_cmd *cmd, cJSON *send, const cJSON *receipt, cJSON **result_out)
{
	double seq = bh_print_num(receipt, "seq", 0);
	struct bh_err err = {0};

	(void)cJSON_ReplaceItemInObjectCaseSensitive(send, "no_wait", cJSON_CreateTrue());
	if (call_anew(cmd, "message.send", cJSON_Duplicate(send, true), HELD_MS, result_out) == 0) {
		return BH_EXIT_OK;
	}
	(void)bh_err_set(
		&err, BH_ECLOSED,
		"the server ended before it answered, but the message is stored, as m%.0f: do "
		"not send it again; `bellhop receipt m%.0f` tells what became of it",
		seq, seq);
	(void)bh_cmd_fail(cmd, &err);
	return BH_EXIT_NOT_WOKEN;
}

/**
 * The answer was lost with the connection, again and again. What was stored is on disk, so the next
 * server knows; only when none comes, or the same one still has the request, this stays open.
 *
 * @lost
 *         How it was lost.
 */
static int answer_late(struct bh_cmd *cmd, cJSON *send, const struct bh_err *lost,
                       cJSON **result_out)
{
	const char *message_id = bh_print_str(send, "message_id", "");
	cJSON *params = cJSON_CreateObject();
	cJSON *receipt = NULL;
	struct bh_err err = {0};
	int code = 0;

	(void)cJSON_AddStringToObject(params, "id", message_id);
	// A server that let the whole time pass gets no such time again.
	code = call_anew(cmd, "mail.receipt", params,
	                 lost->code == BH_ETIMEOUT ? LAST_LOOK_MS : HELD_MS, &receipt);
	if (code == 0) {
		int status = answer_stored(cmd, send, receipt, result_out);

		cJSON_Delete(receipt);
		return status;
	}
	if (code == BH_ENOTFOUND && lost->code == BH_ECLOSED) {
		(void)bh_err_set(&err, BH_ECLOSED,
		                 "the server ended again and again before it answered; nothing was "
		                 "stored");
		return bh_cmd_fail(cmd, &err);
	}
	return bh_session_report_lost(cmd, lost, message_id);
}

/** Send; the request's params are taken. */
static int send_message(struct bh_cmd *cmd, struct bh_request *request, cJSON **result_out)
{
	cJSON *params = cJSON_Duplicate(request->params, true);
	struct bh_client_call call = {.method = request->method,
	                              .params = request->params,
	                              .timeout_ms = request->timeout_ms,
	                              .is_repeatable = true,
	                              .wait_param = request->wait_param};
	struct bh_session session = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	if (bh_session_open(cmd, BH_SESSION_START, &session, &err) != 0) {
		cJSON_Delete(request->params);
		status = bh_print_no_server(cmd, &err);
	} else if (bh_client_do(session.client, &call, result_out, &err) != 0) {
		status = bh_client_is_lost(session.client, err.code)
		                 ? answer_late(cmd, params, &err, result_out)
		                 : bh_print_failure(cmd, session.client, &err);
	}
	bh_session_clear(&session);
	cJSON_Delete(params);
	return status;
}

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {
		.method = "message.send", .is_repeatable = true, .wait_param = "wait_seen_ms"};
	struct bh_err err = {0};
	cJSON *result = NULL;
	int status = check_source(cmd);

	if (status != BH_EXIT_OK) {
		return status;
	}
	request.params = cJSON_CreateObject();
	(void)cJSON_AddStringToObject(request.params, "to", bh_args_word(&cmd->args, 0));
	if (bh_mail_view_message_id(cmd, request.params, &err) != 0 ||
	    add_subject(cmd, request.params, &err) != 0 || add_waiting(cmd, &request, &err) != 0) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	if (add_body(cmd, request.params, &err) != 0) {
		cJSON_Delete(request.params);
		return bh_cmd_fail(cmd, &err);
	}
	status = send_message(cmd, &request, &result);
	if (status == BH_EXIT_OK) {
		if (!bh_print_if_json(cmd, result)) {
			print_answer(result);
		}
		tell_unseen(cmd, result);
		status = status_of(cmd, result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"file", 'f', "FILE", "the message is in FILE (- for standard input)"},
	{"reply-to", 'r', "ID", "it answers message ID (m42)"},
	{"task", 0, "ID", "it is about task ID, which it opens if there is none"},
	{"status", 0, "STATUS", "move the task on, or tell its progress; see above"},
	{"no-wait", 0, NULL, "answer at once, before an attempt to type it has ended"},
	{"wait", 0, "seen", "wait until it has been seen"},
	{"timeout", 't', "TIME", "how long to wait at most (default: 100s)"},
	{"fail-unless", 0, "seen", "exit with status 4 while it has not been seen"},
	{"message-id", 0, "UUID", "send an earlier message again: the same id is stored once"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_send = {
	.name = "send",
	.arguments = "NAME [TEXT | -]",
	.summary = "send a message to an agent; answers what will become of it",
	.help = "Without TEXT, or with -, the message is read from standard input. Once this answers,\n"
		"the message is safe on disk. The answer says whether it will be seen:\n"
		"  already            it has been seen\n"
		"  when_free          bellhop will see to it; do not send it again\n"
		"  needs_a_person     somebody must act at that terminal first\n"
		"  only_if_it_looks   nothing will wake the agent for it\n"
		"Exit status: 0 for the first two, 3 for the last two, 4 with --wait or\n"
		"--fail-unless when it is not seen yet, 1 when nothing was stored, 5 when no answer\n"
		"came: send it again with the --message-id that is named, then it is stored once.\n"
		"NAME may be a room, '#dev': then it goes to each member, and `members` tells of each.\n"
		"STATUS is working, input_required, completed or failed, which the task then is; or\n"
		"update: progress, which wakes nobody and takes the place of your older updates of\n"
		"the same task that were not read yet (exit status 0).\n"
		"The sender is who calls; it cannot be given.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = -1,
	.acts = true,
	.run = run,
};
