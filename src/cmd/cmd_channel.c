#include "src/base/json.h"
#include "src/cmd/commands.h"
#include "src/cmd/follow.h"
#include "src/cmd/print.h"

#include <stdio.h>
#include <string.h>

/** What a channel is asked to do. */
struct channel {
	const struct bh_cmd *cmd;
	/** Printed is taken: nobody acknowledges on standard input. */
	bool is_ack_on_flush;
};

static void ack_send(struct bh_follow *follow, const char *id)
{
	cJSON *params = cJSON_CreateObject();
	cJSON *ids = cJSON_AddArrayToObject(params, "ids");

	cJSON_AddItemToArray(ids, cJSON_CreateString(id));
	bh_follow_send(follow, "channel.ack", params);
}

static void complain(const struct channel *channel, const char *text)
{
	bh_print_program(stderr, channel->cmd);
	bh_print_text(stderr, text);
}

static int on_begun(struct bh_follow *follow, const cJSON *result, void *user)
{
	(void)follow;
	(void)result;
	(void)user;
	return BH_FOLLOW_ON;
}

/** Print one line, and acknowledge it if that is all there is to do. */
static int event_print(struct bh_follow *follow, const struct channel *channel, const char *type,
                       const cJSON *what)
{
	cJSON *line = cJSON_Duplicate(what, true);
	const char *id = bh_print_str(what, "id", "");
	int status;

	if (line == NULL) {
		return BH_FOLLOW_ON;
	}
	(void)cJSON_AddStringToObject(line, "type", type);
	bh_print_json(stdout, line);
	cJSON_Delete(line);
	status = bh_follow_flush();
	if (status == BH_FOLLOW_ON && channel->is_ack_on_flush) {
		ack_send(follow, id);
	}
	return status;
}

static int on_told(struct bh_follow *follow, const char *method, const cJSON *params, void *user)
{
	const struct channel *channel = user;
	const char *reason = bh_print_str(params, "reason", "");

	if (strcmp(method, "channel.message") == 0) {
		return event_print(follow, channel, "message",
		                   cJSON_GetObjectItemCaseSensitive(params, "message"));
	}
	if (strcmp(method, "channel.steered") == 0) {
		return event_print(follow, channel, "steer", params);
	}
	// The server ends to be started anew: then the connection ends, too, and is made again.
	if (strcmp(method, "channel.closed") == 0 && strcmp(reason, "stopped") != 0) {
		complain(channel, bh_print_str(params, "message", reason));
		return strcmp(reason, "replaced") == 0 || strcmp(reason, "exited") == 0
		               ? BH_EXIT_OK
		               : BH_EXIT_FAILED;
	}
	return BH_FOLLOW_ON;
}

/** `{"ack":"m42"}` or `{"ack":["m42","s3"]}`. */
static int on_typed(struct bh_follow *follow, struct bh_span line, void *user)
{
	cJSON *object = bh_json_parse_object(line.data, line.len, NULL);
	const cJSON *ack = cJSON_GetObjectItemCaseSensitive(object, "ack");
	const cJSON *id = NULL;

	if (cJSON_IsString(ack)) {
		ack_send(follow, ack->valuestring);
	} else if (cJSON_IsArray(ack)) {
		cJSON_ArrayForEach(id, ack)
		{
			if (cJSON_IsString(id)) {
				ack_send(follow, id->valuestring);
			}
		}
	} else if (line.len > 0) {
		complain(user, "a line of standard input must look like {\"ack\":\"m42\"}");
	}
	cJSON_Delete(object);
	return BH_FOLLOW_ON;
}

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);
	const char *lease = bh_args_get(&cmd->args, "lease");
	struct channel channel = {.cmd = cmd,
	                          .is_ack_on_flush = bh_args_has(&cmd->args, "ack-on-flush")};
	struct bh_follow_settings settings = {.method = "channel.open",
	                                      .begun = on_begun,
	                                      .told = on_told,
	                                      .typed = channel.is_ack_on_flush ? NULL : on_typed,
	                                      .user = &channel};
	struct bh_err err = {0};
	cJSON *params = NULL;
	long lease_ms = 0;
	int status;

	if (lease != NULL && bh_args_duration(lease, &lease_ms, &err) != 0) {
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	params = cJSON_CreateObject();
	(void)cJSON_AddBoolToObject(params, "steer", bh_args_has(&cmd->args, "steer"));
	if (name != NULL) {
		(void)cJSON_AddStringToObject(params, "name", name);
	}
	if (lease != NULL) {
		(void)cJSON_AddNumberToObject(params, "lease_ms", (double)lease_ms);
	}
	settings.params = params;
	settings.may_start = true;
	status = bh_follow_run(cmd, &settings);
	cJSON_Delete(params);
	return status;
}

static const struct bh_option options[] = {
	{"ack-on-flush", 0, NULL, "what was printed is taken; standard input is not read"},
	{"lease", 0, "TIME", "how long a message may stay unacknowledged (default: 30s)"},
	{"steer", 0, NULL, "take text for the running turn, too"},
	{0},
};

const struct bh_command bh_cmd_channel = {
	.name = "channel",
	.arguments = "[NAME]",
	.summary = "hand an agent's mail to a plugin, line by line",
	.help = "For plugins that can put text into an agent by themselves. Each message is printed\n"
		"as one line of JSON, with \"type\":\"message\"; the next comes when it has been\n"
		"acknowledged by a line {\"ack\":\"m42\"} on standard input. Acknowledged is seen; what\n"
		"is not acknowledged in time is unread again and goes the next way. The end of\n"
		"standard input ends the channel.\n"
		"\n"
		"Inside a terminal it serves that terminal. Outside, NAME is a name without a\n"
		"terminal.",
	.options = options,
	.group = BH_GROUP_TOOLS,
	.words_max = 1,
	.run = run,
};
