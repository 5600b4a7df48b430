#include "src/cmd/mail_view.h"

#include "src/base/clock.h"
#include "src/base/uuid.h"
#include "src/base/words.h"
#include "src/client/mail_text.h"
#include "src/cmd/command.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

void bh_mail_view_print(const cJSON *result)
{
	struct bh_buf text = {0};

	bh_mail_text_read(&text, result, "run the same command again");
	bh_print_buf(stdout, &text);
}

/** Whether what we wrote can still reach its reader. */
static bool output_is_taken(pid_t parent)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

	if (!bh_print_flush()) {
		return false;
	}
	// A pipe whose reader has gone swallows what is in it.
	if (poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
		return false;
	}
	// Who asked is gone: nobody reads what we printed.
	return getppid() == parent;
}

int bh_mail_view_read(struct bh_cmd *cmd, const struct bh_request *request)
{
	pid_t parent = getppid();
	struct bh_session session = {0};
	struct bh_err err = {0};
	cJSON *result = NULL;
	cJSON *confirmed = NULL;
	int status = BH_EXIT_OK;

	if (bh_session_open(cmd, BH_SESSION_START, &session, &err) != 0) {
		cJSON_Delete(request->params);
		bh_session_clear(&session);
		return bh_print_no_server(cmd, &err);
	}
	// If we end before we confirm, it is unread again at once.
	(void)cJSON_AddTrueToObject(request->params, "bound");
	status = bh_session_call(cmd, &session, request, &result);
	if (status == BH_EXIT_OK) {
		const char *token = bh_print_str(result, "confirm", NULL);

		if (!bh_print_if_json(cmd, result)) {
			bh_mail_view_print(result);
		}
		if (!output_is_taken(parent)) {
			status = BH_EXIT_FAILED;
		} else if (token != NULL) {
			struct bh_request confirm = {.method = "inbox.confirm",
			                             .params = cJSON_CreateObject(),
			                             .is_repeatable = true};

			(void)cJSON_AddStringToObject(confirm.params, "confirm", token);
			status = bh_session_call(cmd, &session, &confirm, &confirmed);
		}
	}
	cJSON_Delete(confirmed);
	cJSON_Delete(result);
	bh_session_clear(&session);
	return status;
}

int bh_mail_view_limit(const struct bh_cmd *cmd, cJSON *params)
{
	const char *text = bh_args_get(&cmd->args, "limit");
	char *end = NULL;
	long limit = 0;

	if (text == NULL) {
		return BH_EXIT_OK;
	}
	limit = strtol(text, &end, 10);
	if (end == text || *end != '\0' || limit < 1 || limit > 1000) {
		return bh_cmd_usage(cmd, "--limit wants a number from 1 to 1000, not \"%.40s\"",
		                    text);
	}
	(void)cJSON_AddNumberToObject(params, "limit", (double)limit);
	return BH_EXIT_OK;
}

int bh_mail_view_seq(const struct bh_cmd *cmd, const char *option, const char *param, cJSON *params)
{
	const char *text = bh_args_get(&cmd->args, option);
	char *end = NULL;
	long seq = 0;

	if (text == NULL) {
		return BH_EXIT_OK;
	}
	seq = strtol(text, &end, 10);
	if (end == text || *end != '\0' || seq < 0) {
		return bh_cmd_usage(cmd, "--%s wants a number, not \"%.40s\"", option, text);
	}
	(void)cJSON_AddNumberToObject(params, param, (double)seq);
	return BH_EXIT_OK;
}

int bh_mail_view_message_id(const struct bh_cmd *cmd, cJSON *params, struct bh_err *err)
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

int bh_mail_view_status(const cJSON *result)
{
	int seen = bh_word_find(BH_WORDS_PROSPECT, bh_print_str(result, "will_be_seen", ""));
	int reason = bh_word_find(BH_WORDS_REASON, bh_print_str(result, "reason", ""));

	// That an update wakes nobody is what its sender asked for.
	if (reason == BH_REASON_UPDATE) {
		return BH_EXIT_OK;
	}
	return seen == BH_PROSPECT_NEEDS_A_PERSON || seen == BH_PROSPECT_ONLY_IF_IT_LOOKS
	               ? BH_EXIT_NOT_WOKEN
	               : BH_EXIT_OK;
}
