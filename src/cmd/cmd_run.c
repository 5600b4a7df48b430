#include "src/cmd/attach_view.h"
#include "src/cmd/commands.h"
#include "src/cmd/own_environ.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/terminal_view.h"
#include "src/ui/outer.h"

#include "src/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/** Size of a terminal that nobody looks at. */
#define HEADLESS_COLS 120
#define HEADLESS_ROWS 40

/** The size asked for, the outer terminal's when it will be attached, or the headless one. */
static int add_size(struct bh_cmd *cmd, cJSON *params, bool is_attach, struct bh_err *err)
{
	const char *text = bh_args_get(&cmd->args, "size");
	int cols = HEADLESS_COLS;
	int rows = HEADLESS_ROWS;

	if (text != NULL) {
		int rc = bh_args_size(text, &cols, &rows, err);

		if (rc != 0) {
			return rc;
		}
	} else if (is_attach) {
		bh_attach_view_size(&cols, &rows);
	}
	(void)cJSON_AddNumberToObject(params, "cols", cols);
	(void)cJSON_AddNumberToObject(params, "rows", rows);
	return 0;
}

/** Absolute path of the folder to run in: --cwd from here, or here. */
static int add_cwd(struct bh_cmd *cmd, cJSON *params, struct bh_err *err)
{
	const char *given = bh_args_get(&cmd->args, "cwd");
	char *path = realpath(given == NULL ? "." : given, NULL);

	if (path == NULL) {
		return bh_err_sys(err, errno, "use the folder %.150s", given == NULL ? "." : given);
	}
	(void)cJSON_AddStringToObject(params, "cwd", path);
	free(path);
	return 0;
}

static int add_env(struct bh_cmd *cmd, cJSON *params, struct bh_err *err)
{
	cJSON *env = cJSON_AddObjectToObject(params, "env");

	for (int i = 0; i < cmd->args.value_count; i++) {
		const struct bh_arg_value *value = &cmd->args.values[i];
		const char *equals = NULL;

		if (strcmp(value->option->name, "env") != 0) {
			continue;
		}
		equals = strchr(value->value, '=');
		if (equals == NULL || equals == value->value) {
			return bh_err_set(err, BH_EINVALID,
			                  "--env wants NAME=VALUE, not \"%.100s\"", value->value);
		}

		char *name = bh_xmemdup(value->value, (size_t)(equals - value->value));
		cJSON_DeleteItemFromObjectCaseSensitive(env, name);
		(void)cJSON_AddStringToObject(env, name, equals + 1);
		free(name);
	}
	return 0;
}

/** Copy an option with a word of a list to the parameters. */
static int add_choice(struct bh_cmd *cmd, cJSON *params, const char *name,
                      const char *const *choices, struct bh_err *err)
{
	const char *value = bh_args_get(&cmd->args, name);

	if (value == NULL) {
		return 0;
	}
	for (const char *const *at = choices; *at != NULL; at++) {
		if (strcmp(*at, value) == 0) {
			(void)cJSON_AddStringToObject(params, name, value);
			return 0;
		}
	}
	return bh_err_set(err, BH_EINVALID, "--%s is %s, %s or %s, not \"%.60s\"", name, choices[0],
	                  choices[1], choices[2], value);
}

static int add_options(struct bh_cmd *cmd, cJSON *params, bool is_attach, struct bh_err *err)
{
	static const char *const respawns[] = {"never", "on-failure", "always", NULL};
	static const char *const modes[] = {"message", "notice", "off", NULL};
	cJSON *argv = cJSON_AddArrayToObject(params, "argv");
	int rc = 0;

	for (int i = 0; i < cmd->args.word_count; i++) {
		(void)cJSON_AddItemToArray(argv, cJSON_CreateString(cmd->args.words[i]));
	}
	if (bh_args_has(&cmd->args, "name")) {
		(void)cJSON_AddStringToObject(params, "identity", bh_args_get(&cmd->args, "name"));
	}
	if (bh_args_has(&cmd->args, "profile")) {
		(void)cJSON_AddStringToObject(params, "profile",
		                              bh_args_get(&cmd->args, "profile"));
	}
	if (bh_args_has(&cmd->args, "resume")) {
		(void)cJSON_AddBoolToObject(params, "resume", true);
	}
	(void)cJSON_AddBoolToObject(params, "headless", !is_attach);
	(void)cJSON_AddItemToObject(params, "environ", bh_own_environ_new());
	rc = add_choice(cmd, params, "respawn", respawns, err);
	rc = rc == 0 ? add_choice(cmd, params, "mode", modes, err) : rc;
	rc = rc == 0 ? add_env(cmd, params, err) : rc;
	return rc == 0 ? add_size(cmd, params, is_attach, err) : rc;
}

/** Whether we may show what is started and type into it: else nothing is started. */
static int check_attach(struct bh_cmd *cmd)
{
	struct bh_outer outer;
	struct bh_err err = {0};
	struct bh_request request = {.method = "identity.whoami", .params = cJSON_CreateObject()};
	cJSON *result = NULL;
	int status = BH_EXIT_OK;

	if (!bh_attach_view_is_possible(&outer, &err)) {
		cJSON_Delete(request.params);
		return bh_cmd_fail(cmd, &err);
	}
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && strcmp(bh_print_str(result, "kind", ""), "operator") != 0) {
		(void)bh_err_set(
			&err, BH_EDENIED,
			"--attach is for people outside of bellhop's terminals; without it "
			"the program is started all the same");
		status = bh_cmd_fail(cmd, &err);
	}
	cJSON_Delete(result);
	return status;
}

static int run(struct bh_cmd *cmd)
{
	bool is_attach = bh_args_has(&cmd->args, "attach");
	struct bh_request request = {.method = "terminal.run", .params = cJSON_CreateObject()};
	struct bh_err err = {0};
	cJSON *result = NULL;
	int status = BH_EXIT_OK;

	if (is_attach && bh_args_has(&cmd->args, "headless")) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "--attach and --headless exclude each other");
	}
	if (add_options(cmd, request.params, is_attach, &err) != 0) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	if (add_cwd(cmd, request.params, &err) != 0) {
		cJSON_Delete(request.params);
		return bh_cmd_fail(cmd, &err);
	}
	status = is_attach ? check_attach(cmd) : BH_EXIT_OK;
	if (status != BH_EXIT_OK) {
		cJSON_Delete(request.params);
		return status;
	}
	status = bh_terminal_view_start(cmd, &request, &result);
	if (status == BH_EXIT_OK && is_attach) {
		status = bh_attach_view_run(cmd, bh_print_str(result, "terminal_id", ""), false);
	} else if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		bh_terminal_view_born(stdout, result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"name", 'n', "ID", "its identity (default: the program's name and a number)"},
	{"cwd", 0, "FOLDER", "where to run it (default: here)"},
	{"size", 0, "CxR", "its size (default: 120x40; with --attach this terminal's)"},
	{"env", 0, "NAME=VALUE", "set a variable in it; may be given often"},
	{"respawn", 0, "WHEN", "start it again after it ended: never, on-failure or always"},
	{"resume", 0, NULL, "go on with the agent's session when started again"},
	{"mode", 0, "MODE", "what may be typed into it: message, notice or off"},
	{"profile", 0, "NAME", "the agent it is, when its name does not tell"},
	{"attach", 'a', NULL, "show it in this terminal at once"},
	{"headless", 0, NULL, "do not attach (the default)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_run = {
	.name = "run",
	.arguments = "[--] PROGRAM [ARGUMENT...]",
	.summary = "start a program in a new terminal",
	.help = "The program runs until it ends by itself or is killed; it does not matter whether\n"
		"anybody looks. Its name is its mailbox: `bellhop send NAME TEXT` reaches it.\n"
		"Printed are its identity, its terminal id, and how far bellhop can wake it.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = -1,
	.stops_at_word = true,
	.acts = true,
	.run = run,
};
