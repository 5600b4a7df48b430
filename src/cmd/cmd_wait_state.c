#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <string.h>

/** What we wait longer for an answer than the server waits for the state (ms). */
#define ANSWER_MS 5000

/** Add the words of "idle,awaiting" to @list; false when one is no state. */
static bool add_states(cJSON *list, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, ",");
		char word[16] = "";

		if (len == 0 || len >= sizeof(word)) {
			return false;
		}
		memcpy(word, text, len);
		if (bh_word_find(BH_WORDS_STATE, word) < 0) {
			return false;
		}
		(void)cJSON_AddItemToArray(list, cJSON_CreateString(word));
		text += len + (text[len] == ',');
	}
	return cJSON_GetArraySize(list) > 0;
}

static int run(struct bh_cmd *cmd)
{
	const char *limit = bh_args_get(&cmd->args, "timeout");
	struct bh_request request = {.method = "terminal.wait_state",
	                             .timeout_ms = -1,
	                             .is_repeatable = true,
	                             .wait_param = "timeout_ms"};
	struct bh_err err = {0};
	cJSON *result = NULL;
	long timeout_ms = 0;

	if (limit != NULL && bh_args_duration(limit, &timeout_ms, &err) != 0) {
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	// 0 means "for ever" to the server; a person who writes 0 means "look once".
	if (limit != NULL) {
		timeout_ms = timeout_ms == 0 ? 1 : timeout_ms;
		request.timeout_ms = timeout_ms + ANSWER_MS;
	}
	request.params = cJSON_CreateObject();
	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	(void)cJSON_AddNumberToObject(request.params, "timeout_ms", (double)timeout_ms);
	if (!add_states(cJSON_AddArrayToObject(request.params, "state"),
	                bh_args_word(&cmd->args, 1))) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd,
		                    "\"%.60s\" is no state: starting, idle, working, awaiting, "
		                    "completed, exited, unknown",
		                    bh_args_word(&cmd->args, 1));
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK) {
		if (!bh_print_if_json(cmd, result)) {
			(void)printf("%s%s\n", bh_print_str(result, "state", "unknown"),
			             bh_print_flag(result, "timed_out") ? " (timed out)" : "");
		}
		status = bh_print_flag(result, "reached") ? BH_EXIT_OK : BH_EXIT_FAILED;
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"timeout", 't', "TIME", "give up after so long, with exit status 1 (default: never)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_wait_state = {
	.name = "wait-state",
	.arguments = "NAME STATE[,STATE...]",
	.summary = "wait until an agent is idle, or in another state",
	.help = "Prints the state that was reached. idle accepts completed, too. With --timeout the\n"
		"exit status is 1, and the state of that moment is printed, when none was reached.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 2,
	.words_max = 2,
	.run = run,
};
