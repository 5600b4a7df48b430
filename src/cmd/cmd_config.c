#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/user_config.h"

#include <string.h>
#include <unistd.h>

static int run_path(struct bh_cmd *cmd, const struct bh_paths *paths)
{
	(void)cmd;
	bh_print_text(stdout, paths->config_file);
	return BH_EXIT_OK;
}

static int run_check(struct bh_cmd *cmd, const struct bh_paths *paths)
{
	struct bh_config config;
	int faults = 0;

	bh_config_init(&config);
	faults = bh_user_config_load(cmd, paths, &config);
	bh_config_clear(&config);
	if (faults > 0) {
		return BH_EXIT_FAILED;
	}
	(void)printf("%s\n", access(paths->config_file, F_OK) == 0
	                             ? "the settings are right"
	                             : "there is no file; all settings have their defaults");
	return BH_EXIT_OK;
}

/** As a file, so that it can be the beginning of one. */
static int run_show(struct bh_cmd *cmd, const struct bh_paths *paths)
{
	struct bh_config config;
	struct bh_buf text = {0};
	int faults = 0;

	bh_config_init(&config);
	if (!bh_args_has(&cmd->args, "defaults")) {
		faults = bh_user_config_load(cmd, paths, &config);
	}
	bh_config_print(&config, &text);
	bh_print_buf(stdout, &text);
	bh_config_clear(&config);
	return faults == 0 ? BH_EXIT_OK : BH_EXIT_FAILED;
}

static int run(struct bh_cmd *cmd)
{
	static const struct {
		const char *name;
		int (*run)(struct bh_cmd *cmd, const struct bh_paths *paths);
	} verbs[] = {{"show", run_show}, {"path", run_path}, {"check", run_check}};
	const char *verb = bh_args_word(&cmd->args, 0);
	struct bh_paths paths;
	struct bh_err err = {0};
	int status = BH_EXIT_FAILED;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].name, verb == NULL ? "show" : verb) != 0) {
			continue;
		}
		if (bh_paths_init(&paths, cmd->session, (const char *const *)environ, &err) != 0) {
			return bh_cmd_fail(cmd, &err);
		}
		status = verbs[i].run(cmd, &paths);
		bh_paths_clear(&paths);
		return status;
	}
	return bh_cmd_usage(cmd, "\"%.60s\" is not show, path or check", verb);
}

static const struct bh_option options[] = {
	{"defaults", 0, NULL, "with show: the defaults instead of what the file says"},
	{0},
};

const struct bh_command bh_cmd_config = {
	.name = "config",
	.arguments = "[show | path | check]",
	.summary = "show or check your settings",
	.help = "show (which is meant without a word) prints all settings as a file, every key\n"
		"explained; path prints where the file is; check names its faults by line and key\n"
		"and exits with 1 if there are any. bellhop(5) describes the file.",
	.options = options,
	.group = BH_GROUP_SESSION,
	.words_max = 1,
	.run = run,
};
