#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include "src/base/clock.h"
#include "src/base/fd.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/utf8.h"
#include "src/base/uuid.h"
#include "src/client/mail_text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/** The server holds an answer at most 8 s for an attempt that runs. */
#define HELD_MS 20000
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

/** The message id: the caller's own, to send again what may have been lost, or a new one. */
static int add_message_id(const struct bh_cmd *cmd, cJSON *params, struct bh_err *err)
{
	const char *given = bh_args_get(&cmd->args, "message-id");
	struct bh_uuid uuid = bh_uuid_new_ordered(bh_clock_wall_ms());
	char text[BH_UUID_TEXT];

	if (given != NULL && !bh_uuid_parse(given, &uuid)) {
		return bh_err_set(err, BH_EINVALID, "--message-id wants a UUID, not \"%.60s\"",
		                  given);
	}
	(void)cJSON_AddStringToObject(params, "message_id", bh_uuid_format(&uuid, text));
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
	int seen = bh_word_find(BH_WORDS_PROSPECT, bh_print_str(result, "will_be_seen", ""));
	bool is_seen_wanted =
		bh_args_has(&cmd->args, "fail-unless") || bh_args_has(&cmd->args, "wait");

	if (seen == BH_PROSPECT_NEEDS_A_PERSON || seen == BH_PROSPECT_ONLY_IF_IT_LOOKS) {
		return BH_EXIT_NOT_WOKEN;
	}
	return is_seen_wanted && !bh_print_flag(result, "delivered") ? BH_EXIT_PENDING : BH_EXIT_OK;
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

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {
		.method = "message.send", .is_repeatable = true, .wait_param = "wait_seen_ms"};
	const char *reply_to = bh_args_get(&cmd->args, "reply-to");
	struct bh_err err = {0};
	cJSON *result = NULL;
	int status = check_source(cmd);

	if (status != BH_EXIT_OK) {
		return status;
	}
	request.params = cJSON_CreateObject();
	(void)cJSON_AddStringToObject(request.params, "to", bh_args_word(&cmd->args, 0));
	if (reply_to != NULL) {
		(void)cJSON_AddStringToObject(request.params, "reply_to", reply_to);
	}
	if (add_message_id(cmd, request.params, &err) != 0 ||
	    add_waiting(cmd, &request, &err) != 0) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	if (add_body(cmd, request.params, &err) != 0) {
		cJSON_Delete(request.params);
		return bh_cmd_fail(cmd, &err);
	}
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK) {
		if (!bh_print_if_json(cmd, result)) {
			print_answer(result);
		}
		status = status_of(cmd, result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"file", 'f', "FILE", "the message is in FILE (- for standard input)"},
	{"reply-to", 'r', "ID", "it answers message ID (m42)"},
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
		"--fail-unless when it is not seen yet, 1 when nothing was stored.\n"
		"The sender is who calls; it cannot be given.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = -1,
	.run = run,
};
