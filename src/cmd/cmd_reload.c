#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/user_config.h"

#include <string.h>

/** Whether the file is right; its faults are printed. Names of keys and actions only we can check. */
static bool is_right(const struct bh_cmd *cmd, const struct bh_paths *paths)
{
	struct bh_config config;
	int faults = 0;

	bh_config_init(&config);
	faults = bh_user_config_load(cmd, paths, &config);
	bh_config_clear(&config);
	if (faults > 0) {
		(void)fprintf(stderr, "bellhop reload: nothing was changed\n");
	}
	return faults == 0;
}

static int reload(struct bh_cmd *cmd, struct bh_session *session)
{
	struct bh_request request = {.method = "server.reload"};
	cJSON *result = NULL;
	int status = bh_session_call(cmd, session, &request, &result);

	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		const char *file = bh_print_str(result, "config_file", "?");

		if (bh_print_flag(result, "has_file")) {
			(void)printf("reloaded %s\n", file);
		} else {
			(void)printf("there is no file %s; all settings have their defaults\n",
			             file);
		}
		if (strcmp(file, session->paths.config_file) != 0) {
			(void)fprintf(stderr,
			              "bellhop reload: the server was started with that file; here "
			              "it would be %s\n",
			              session->paths.config_file);
		}
	}
	cJSON_Delete(result);
	return status;
}

static int run(struct bh_cmd *cmd)
{
	struct bh_session session = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_FAILED;

	if (bh_session_open(cmd, BH_SESSION_RUNNING, &session, &err) != 0) {
		status = bh_print_no_server(cmd, &err);
	} else if (is_right(cmd, &session.paths)) {
		status = reload(cmd, &session);
	}
	bh_session_clear(&session);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_reload = {
	.name = "reload",
	.summary = "have the server and all who look on read your settings again",
	.help = "With a fault in the file nothing is changed. bellhop(5) describes it.",
	.options = options,
	.group = BH_GROUP_SESSION,
	.acts = true,
	.run = run,
};
