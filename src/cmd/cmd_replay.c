// `bellhop replay`: what would bellhop have thought at each moment of a recording?
#include "src/agent/profile.h"
#include "src/agent/replay.h"
#include "src/base/err.h"
#include "src/base/paths.h"
#include "src/cmd/command.h"
#include "src/cmd/commands.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct bh_option options[] = {
	{"states", 0, NULL, "print a line of JSON at each change (the default)"},
	{"check", 0, NULL, "compare with the markers; the last line is the result"},
	{"profile", 0, "NAME", "judge by this profile, not the recorded program's"},
	{"strict", 0, NULL, "a person's keys make 3 s untypable, as in life"},
	{0},
};

/** Print a check as one line; gives whether it passed: nothing was wrongly typable. */
static bool check_print(const struct bh_check *check, const char *file)
{
	cJSON *report = bh_check_report(check);
	char *text;

	(void)cJSON_AddStringToObject(report, "file", file);
	(void)cJSON_AddBoolToObject(report, "passed", check->false_events == 0);
	text = cJSON_PrintUnformatted(report);
	(void)puts(text);
	cJSON_free(text);
	cJSON_Delete(report);
	return check->false_events == 0;
}

/** Replay one file ("-": standard input). */
static int file_replay(const char *name, const struct bh_profiles *profiles,
                       const struct bh_replay_options *settings, struct bh_check *check,
                       struct bh_err *err)
{
	bool is_stdin = strcmp(name, "-") == 0;
	FILE *in = is_stdin ? stdin : fopen(name, "re");
	int code;

	if (!in) {
		return bh_err_sys(err, errno, "open recording %s", name);
	}
	code = bh_replay_run(in, is_stdin ? "standard input" : name, profiles, settings, check,
	                     err);
	if (!is_stdin) {
		(void)fclose(in);
	}
	return code;
}

static int files_replay(struct bh_cmd *cmd, const struct bh_profiles *profiles,
                        const struct bh_replay_options *settings)
{
	bool has_check = bh_args_has(&cmd->args, "check");
	struct bh_check sum = {0};
	struct bh_check check = {0};
	struct bh_err err = {0};
	bool has_passed = true;

	bh_check_begin(&sum);
	for (int i = 0; i < cmd->args.word_count; i++) {
		const char *name = bh_args_word(&cmd->args, i);

		if (file_replay(name, profiles, settings, &check, &err) < 0) {
			return bh_cmd_fail(cmd, &err);
		}
		if (has_check) {
			has_passed &= check_print(&check, name);
			bh_check_add(&sum, &check);
		}
	}
	if (has_check && cmd->args.word_count > 1) {
		(void)check_print(&sum, "all");
	}
	return has_passed ? BH_EXIT_OK : BH_EXIT_FAILED;
}

/** A user profile that cannot be used: say so and go on with the built-in one. */
static void profile_report(const struct bh_err *err, void *user)
{
	(void)user;
	(void)fprintf(stderr, "bellhop replay: %s\n", err->text);
}

static int run(struct bh_cmd *cmd)
{
	struct bh_replay_options settings = {0};
	const char *name = bh_args_get(&cmd->args, "profile");
	struct bh_paths paths = {0};
	struct bh_profiles *profiles;
	struct bh_err err = {0};
	int status;

	// Without a home there are no profiles of the user, which a replay can do without.
	(void)bh_paths_init(&paths, cmd->session, (const char *const *)environ, NULL);
	profiles = bh_profiles_load(paths.profiles_dir, profile_report, NULL);
	bh_paths_clear(&paths);
	settings.profile = name ? bh_profiles_find(profiles, name) : NULL;
	settings.is_strict = bh_args_has(&cmd->args, "strict");
	if (bh_args_has(&cmd->args, "states") || !bh_args_has(&cmd->args, "check")) {
		settings.states = stdout;
	}
	if (name && !settings.profile) {
		(void)bh_profiles_fail_unknown(profiles, name, &err);
		status = bh_cmd_fail(cmd, &err);
	} else {
		status = files_replay(cmd, profiles, &settings);
	}
	bh_profiles_free(profiles);
	return status;
}

const struct bh_command bh_cmd_replay = {
	.name = "replay",
	.arguments = "FILE...",
	.summary = "judge a recording (asciicast v2) as if it were live",
	.help = "Feeds a recording through the same code that watches living terminals, with\n"
		"the recording's own clock. Each line tells the state, who decided it, whether\n"
		"text might have been typed at that moment, and why. A recorder types without\n"
		"pause, so the rule \"no key of a person for 3 s\" is only told, as\n"
		"\"human_typing\", unless --strict is given.\n"
		"\n"
		"--check compares with the markers state:idle, state:working ... of the\n"
		"recording. It fails (exit 1) when text might have been typed at a wrong moment.",
	.options = options,
	.group = BH_GROUP_TOOLS,
	.words_min = 1,
	.words_max = -1,
	.run = run,
};
