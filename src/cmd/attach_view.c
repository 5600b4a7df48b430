#include "src/cmd/attach_view.h"

#include "src/base/utf8.h"
#include "src/cmd/command.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/user_config.h"
#include "src/ui/attach.h"
#include "src/ui/bindings.h"
#include "src/ui/tty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void bh_attach_view_size(int *cols, int *rows)
{
	if (isatty(STDOUT_FILENO)) {
		bh_tty_size(STDOUT_FILENO, cols, rows);
		*rows = *rows > 2 ? *rows - 1 : *rows;
	}
}

/** "<before>: bellhop -S work attach coder": the command that goes on from here. */
static void print_command(FILE *out, const struct bh_cmd *cmd, const char *before,
                          const char *command, const struct bh_attach_end *end)
{
	(void)fprintf(out, "%s: bellhop%s%s %s %s\n", before, cmd->is_session_given ? " -S " : "",
	              cmd->is_session_given ? cmd->session : "", command, end->identity);
}

static void print_exit(const struct bh_cmd *cmd, const struct bh_attach_end *end)
{
	if (WIFSIGNALED(end->status)) {
		(void)printf("%s has ended: %s\n", end->identity, strsignal(WTERMSIG(end->status)));
	} else {
		(void)printf("%s has ended with exit status %d\n", end->identity,
		             WEXITSTATUS(end->status));
	}
	print_command(stdout, cmd, "its last screen", "screen", end);
}

/** Say how it ended; gives the exit status. */
static int report_end(const struct bh_cmd *cmd, const struct bh_attach_end *end)
{
	switch (end->outcome) {
	case BH_ATTACH_DETACHED:
		(void)printf("detached from %s, which goes on; ", end->identity);
		print_command(stdout, cmd, "come back with", "attach", end);
		return BH_EXIT_OK;
	case BH_ATTACH_EXITED:
		print_exit(cmd, end);
		return BH_EXIT_OK;
	case BH_ATTACH_SIGNALLED:
		return 128 + (end->signal == 0 ? SIGHUP : end->signal);
	case BH_ATTACH_LOST:
		break;
	}
	(void)fprintf(stderr, "the terminals of a session outlive its server; ");
	print_command(stderr, cmd, "come back with", "attach", end);
	return BH_EXIT_FAILED;
}

/** Whether the server that came back knows nothing of the terminal: its keeper was ended, too. */
static bool is_session_new(const struct bh_attach_end *end, const struct bh_err *err)
{
	return end->outcome == BH_ATTACH_LOST && err->code == BH_ENOTFOUND;
}

bool bh_attach_view_is_possible(struct bh_outer *outer, struct bh_err *err)
{
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		return bh_outer_find(outer, getenv, err) == 0;
	}
	(void)bh_err_set(err, BH_EUNSUPPORTED,
	                 "standard input and output must be a terminal; `bellhop screen NAME` "
	                 "prints what a terminal shows");
	return false;
}

/** What of the user's settings counts here; faults are printed, and hold nothing up. */
static void take_settings(const struct bh_cmd *cmd, const struct bh_paths *paths,
                          struct bh_config *config, struct bh_bindings *bindings,
                          struct bh_attach_settings *settings)
{
	bh_config_init(config);
	(void)bh_user_config_load(cmd, paths, config);
	bh_bindings_set(bindings, config);
	settings->prefix = config->prefix;
	settings->prefix_name = bindings->prefix_name;
	settings->escape_ms = (unsigned)config->escape_ms;
	if (config->truecolor != BH_CONFIG_TRUECOLOR_AUTO) {
		bh_outer_set_direct(&settings->outer, config->truecolor == BH_CONFIG_TRUECOLOR_ON);
	}
}

int bh_attach_view_run(struct bh_cmd *cmd, const char *name, bool is_observing)
{
	struct bh_session session = {0};
	struct bh_attach_settings settings = {.client = &session.settings,
	                                      .name = name,
	                                      .is_observing = is_observing,
	                                      .in_fd = STDIN_FILENO,
	                                      .out_fd = STDOUT_FILENO};
	struct bh_attach_end end = {0};
	struct bh_config config = {0};
	struct bh_bindings bindings = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;
	int rc = -1;

	if (bh_attach_view_is_possible(&settings.outer, &err) &&
	    bh_session_find(cmd, &session, &err) == 0) {
		take_settings(cmd, &session.paths, &config, &bindings, &settings);
		rc = bh_attach_run(&settings, &end, &err);
	}
	if (rc != 0) {
		bool is_new = is_session_new(&end, &err);

		if (is_new) {
			(void)bh_err_set(&err, BH_ENOTFOUND,
			                 "%s is gone: its session was ended and a new one began; "
			                 "`bellhop list -a` shows what runs",
			                 end.identity);
		}
		status = bh_cmd_fail(cmd, &err);
		if (end.outcome == BH_ATTACH_LOST && !is_new) {
			status = report_end(cmd, &end);
		}
	} else {
		status = report_end(cmd, &end);
	}
	bh_bindings_clear(&bindings);
	bh_config_clear(&config);
	bh_session_clear(&session);
	return status;
}
