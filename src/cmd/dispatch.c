#include "src/cmd/command.h"

#include "src/base/err.h"
#include "src/base/limits.h"
#include "src/base/paths.h"
#include "src/cmd/help.h"
#include "src/cmd/print.h"
#include "src/cmd/table.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** What a call without a command stands for. */
#define DEFAULT_COMMAND "overview"

/** Options before the command's name. */
static const struct bh_option program_options[] = {
	{"session", 'S', "NAME", "the session to talk to"},
	{"version", 'V', NULL, "print the version"},
	{"help", 'h', NULL, "list the commands"},
	{0},
};

int bh_cmd_usage(const struct bh_cmd *cmd, const char *format, ...)
{
	va_list args;

	bh_print_program(stderr, cmd);
	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	(void)fputc('\n', stderr);
	if (cmd->argc == 0) {
		(void)fputs("`bellhop help` tells more.\n", stderr);
		return BH_EXIT_USAGE;
	}
	bh_help_usage(stderr, cmd->command);
	(void)fprintf(stderr, "`bellhop help %s` tells more.\n", cmd->command->name);
	return BH_EXIT_USAGE;
}

static bool command_has_option(const struct bh_command *command, const char *name)
{
	for (const struct bh_option *o = command->options; o != NULL && o->name != NULL; o++) {
		if (strcmp(o->name, name) == 0) {
			return true;
		}
	}
	return false;
}

bool bh_cmd_is_json(const struct bh_cmd *cmd)
{
	return command_has_option(cmd->command, "json") && bh_args_has(&cmd->args, "json");
}

/**
 * Standard output must be whole: a full disk or a closed pipe is a failure of the command. But
 * BH_EXIT_FAILED says that nothing was stored or done.
 */
static int finish_output(const struct bh_cmd *cmd, int status)
{
	if (bh_print_flush() || status != BH_EXIT_OK) {
		return status;
	}
	if (!cmd->command->acts) {
		return BH_EXIT_FAILED;
	}
	bh_print_program(stderr, cmd);
	(void)fputs("its answer is lost, but what it did is done; look before you do it again\n",
	            stderr);
	return BH_EXIT_UNKNOWN;
}

/** A session that was named, before or after the command: an empty one is a variable not set. */
static int check_session(const struct bh_cmd *cmd)
{
	if (!cmd->is_session_given || bh_paths_is_session(cmd->session)) {
		return BH_EXIT_OK;
	}
	return bh_cmd_usage(cmd,
	                    "\"%.80s\" is no session; a name has 1 to %d letters, digits, '.', '_' "
	                    "or '-' and begins with a letter or digit",
	                    cmd->session, BH_LIMIT_NAME);
}

static int check_words(const struct bh_cmd *cmd)
{
	const struct bh_command *command = cmd->command;
	int count = cmd->args.word_count;

	if (count < command->words_min) {
		return bh_cmd_usage(cmd, "something is missing: %s", command->arguments);
	}
	if (command->words_max >= 0 && count > command->words_max) {
		return bh_cmd_usage(cmd, "\"%.60s\" is one word too many",
		                    bh_args_word(&cmd->args, command->words_max));
	}
	return BH_EXIT_OK;
}

/** Parse what stands after the command's name and run it. */
static int run_command(struct bh_cmd *cmd, int argc, char **argv)
{
	const struct bh_command *command = cmd->command;
	struct bh_args_settings settings = {.options = command->options,
	                                    .common = bh_common_options,
	                                    .stops_at_word = command->stops_at_word};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	if (command->is_raw) {
		return command->run(cmd);
	}
	if (bh_args_parse(&settings, argc, (const char *const *)argv, &cmd->args, &err) != 0) {
		status = bh_cmd_usage(cmd, "%s", err.text);
	} else if (bh_args_has(&cmd->args, "help")) {
		bh_help_command(stdout, command);
	} else {
		if (bh_args_has(&cmd->args, "session")) {
			cmd->session = bh_args_get(&cmd->args, "session");
			cmd->is_session_given = true;
		}
		status = check_session(cmd);
		status = status == BH_EXIT_OK ? check_words(cmd) : status;
		status = status == BH_EXIT_OK ? command->run(cmd) : status;
	}
	bh_args_clear(&cmd->args);
	return status;
}

static int unknown_command(const char *name)
{
	// What the fingers of tmux's users know.
	static const struct {
		const char *name;
		const char *here;
	} of_tmux[] = {
		{"a", "bellhop attach"},
		{"at", "bellhop attach"},
		{"attach-session", "bellhop attach"},
		{"capture-pane", "bellhop screen"},
		{"detach", "Control-B d"},
		{"kill-server", "bellhop server stop"},
		{"kill-session", "bellhop server stop"},
		{"list-sessions", "bellhop sessions"},
		{"list-windows", "bellhop list"},
		{"ls", "bellhop sessions"},
		{"new", "bellhop"},
		{"new-session", "bellhop"},
		{"send-keys", "bellhop keys"},
		{"source-file", "bellhop reload"},
		{"switch-client", "bellhop -S NAME"},
	};
	const char *near = bh_command_nearest(name);
	const char *here = NULL;

	for (size_t i = 0; i < sizeof(of_tmux) / sizeof(of_tmux[0]); i++) {
		here = strcmp(of_tmux[i].name, name) == 0 ? of_tmux[i].here : here;
	}
	(void)fprintf(stderr, "bellhop: there is no command \"%s\"", name);
	if (here != NULL) {
		(void)fprintf(stderr, "; in place of tmux's there is `%s`", here);
	} else if (near != NULL) {
		(void)fprintf(stderr, "; did you mean %s?", near);
	}
	(void)fputs("\n`bellhop help` lists the commands.\n", stderr);
	return BH_EXIT_USAGE;
}

/** Run the command named by the first of @argc strings. */
static int dispatch(struct bh_cmd *cmd, int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : DEFAULT_COMMAND;

	cmd->command = bh_command_find(name);
	if (cmd->command == NULL) {
		return unknown_command(name);
	}
	cmd->argc = argc;
	cmd->argv = argv;
	return finish_output(cmd, run_command(cmd, argc > 0 ? argc - 1 : 0, argv + 1));
}

int bh_cmd_main(int argc, char **argv)
{
	struct bh_args_settings settings = {.options = program_options, .stops_at_word = true};
	struct bh_args before = {0};
	struct bh_err err = {0};
	struct bh_cmd cmd = {.session = getenv("BELLHOP_SESSION")};
	int status = BH_EXIT_OK;

	// A reader that goes away is seen as EPIPE, where the words for it are.
	(void)signal(SIGPIPE, SIG_IGN);
	if (bh_args_parse(&settings, argc - 1, (const char *const *)argv + 1, &before, &err) != 0) {
		(void)fprintf(stderr, "bellhop: %s\n`bellhop help` lists the commands.\n",
		              err.text);
		bh_args_clear(&before);
		return BH_EXIT_USAGE;
	}
	cmd.is_session_given = bh_args_has(&before, "session");
	if (cmd.is_session_given) {
		cmd.session = bh_args_get(&before, "session");
	}
	if (cmd.session == NULL || (cmd.session[0] == '\0' && !cmd.is_session_given)) {
		cmd.session = BH_PATHS_SESSION;
	}
	if (bh_args_has(&before, "version")) {
		status = dispatch(&cmd, 1, (char *[]){(char[]){"version"}, NULL});
	} else if (bh_args_has(&before, "help")) {
		status = dispatch(&cmd, 1, (char *[]){(char[]){"help"}, NULL});
	} else {
		status = dispatch(&cmd, before.word_count, argv + argc - before.word_count);
	}
	bh_args_clear(&before);
	return status;
}
