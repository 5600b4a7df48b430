#include "src/cmd/attach_view.h"

#include "src/base/utf8.h"
#include "src/cmd/command.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/ui/attach.h"
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

bool bh_attach_view_is_truecolor(void)
{
	const char *color = getenv("COLORTERM");
	const char *term = getenv("TERM");

	return (color != NULL &&
	        (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0)) ||
	       (term != NULL && strstr(term, "direct") != NULL);
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

bool bh_attach_view_is_possible(struct bh_err *err)
{
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		return true;
	}
	(void)bh_err_set(err, BH_EUNSUPPORTED,
	                 "standard input and output must be a terminal; `bellhop screen NAME` "
	                 "prints what a terminal shows");
	return false;
}

int bh_attach_view_run(struct bh_cmd *cmd, const char *name, bool is_observing)
{
	struct bh_session session = {0};
	struct bh_attach_settings settings = {.client = &session.settings,
	                                      .name = name,
	                                      .is_observing = is_observing,
	                                      .is_truecolor = bh_attach_view_is_truecolor(),
	                                      .in_fd = STDIN_FILENO,
	                                      .out_fd = STDOUT_FILENO};
	struct bh_attach_end end = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	if (!bh_attach_view_is_possible(&err) || bh_session_find(cmd, &session, &err) != 0 ||
	    bh_attach_run(&settings, &end, &err) != 0) {
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
	bh_session_clear(&session);
	return status;
}
