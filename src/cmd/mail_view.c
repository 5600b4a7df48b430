#include "src/cmd/mail_view.h"

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

	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
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
