#include "src/base/clock.h"
#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/** The next time of day "HH:MM" (local), in ms since 1970; false when @text is none. */
static bool read_time_of_day(const char *text, int64_t now_ms, int64_t *until_ms_out)
{
	time_t now = (time_t)(now_ms / 1000);
	struct tm day;
	char *end = NULL;
	long hour = strtol(text, &end, 10);
	long minute;

	if (end == text || *end != ':' || strlen(end) != 3) {
		return false;
	}
	text = end + 1;
	minute = strtol(text, &end, 10);
	if (*end != '\0' || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
	    localtime_r(&now, &day) == NULL) {
		return false;
	}
	day.tm_hour = (int)hour;
	day.tm_min = (int)minute;
	day.tm_sec = 0;
	day.tm_isdst = -1;
	*until_ms_out = (int64_t)mktime(&day) * 1000;
	if (*until_ms_out <= now_ms) {
		day.tm_mday++;
		day.tm_isdst = -1;
		*until_ms_out = (int64_t)mktime(&day) * 1000;
	}
	return true;
}

/** Add what `--until` says to the params; false with words in @err. */
static bool add_until(cJSON *params, const char *until, struct bh_err *err)
{
	int64_t now_ms = bh_clock_wall_ms();
	int64_t until_ms = 0;
	long duration_ms = 0;

	if (strcmp(until, "idle") == 0) {
		(void)cJSON_AddBoolToObject(params, "until_idle", true);
		return true;
	}
	if (!read_time_of_day(until, now_ms, &until_ms)) {
		if (bh_args_duration(until, &duration_ms, err) != 0 || duration_ms == 0) {
			(void)bh_err_set(err, BH_EINVALID,
			                 "\"%.60s\" is no time: give 30m, 18:00 or idle", until);
			return false;
		}
		until_ms = now_ms + duration_ms;
	}
	(void)cJSON_AddNumberToObject(params, "until", (double)until_ms);
	return true;
}

static void print_dnd(const cJSON *result)
{
	const char *name = bh_print_str(result, "name", "?");
	const char *dnd = bh_print_str(result, "dnd", "off");
	char until[32];

	if (strcmp(dnd, "off") == 0) {
		(void)printf("%s may be disturbed\n", name);
	} else if (strcmp(dnd, "until") == 0) {
		(void)printf("%s is not to be disturbed until %s\n", name,
		             bh_print_time(bh_print_num(result, "until", 0), until));
	} else if (strcmp(dnd, "until_idle") == 0) {
		(void)printf("%s is not to be disturbed until its turn has ended\n", name);
	} else {
		(void)printf("%s is not to be disturbed; `bellhop dnd %s off` ends that\n", name,
		             name);
	}
}

static bool is_switch(const char *word)
{
	return strcmp(word, "on") == 0 || strcmp(word, "off") == 0;
}

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "guard.dnd", .is_repeatable = true};
	const char *until = bh_args_get(&cmd->args, "until");
	const char *set = bh_args_word(&cmd->args, 1);
	struct bh_err err = {0};
	cJSON *result = NULL;

	if (set != NULL && !is_switch(set)) {
		return bh_cmd_usage(cmd, "\"%.60s\" is neither on nor off", set);
	}
	if (until != NULL && (set == NULL || strcmp(set, "on") != 0)) {
		return bh_cmd_usage(cmd, "--until goes with on");
	}
	request.params = cJSON_CreateObject();
	if (until != NULL && !add_until(request.params, until, &err)) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	if (set != NULL) {
		(void)cJSON_AddStringToObject(request.params, "set", set);
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print_dnd(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"until", 0, "T", "with on: for so long (30m), until a time of day (18:00), or idle"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_dnd = {
	.name = "dnd",
	.arguments = "NAME [on | off]",
	.summary = "say that an agent is not to be disturbed",
	.help = "Nothing is typed into its terminal then; its mail waits, and `wait` and `inbox`\n"
		"show it. Without on or off it tells how things are. An agent may say it for its own\n"
		"names (`me`), a person for all. It survives a restart. \"--until idle\" means the end\n"
		"of the agent's turn: of the one that runs, or, when a person asks, of the next.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = 2,
	.acts = true,
	.run = run,
};
