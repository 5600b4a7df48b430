#include "src/server/terminal_probe.h"

#include "src/agent/status_file.h"
#include "src/base/mem.h"
#include "src/server/foreground.h"
#include "src/server/pty.h"

#include <stdlib.h>

// Where the program keeps its files unless its variable says otherwise, below HOME.
#define DEFAULT_FOLDER "/.claude"

static void probe_status_file(struct bh_terminal *terminal, pid_t foreground, uint64_t now_ms)
{
	struct bh_status_file file;
	bool is_found = false;

	if (!bh_status_file_exists(terminal->profile)) {
		return;
	}
	char *folder = terminal->config_folder != NULL ? bh_xstrdup(terminal->config_folder)
	               : terminal->home != NULL
	                       ? bh_xasprintf("%s%s", terminal->home, DEFAULT_FOLDER)
	                       : NULL;

	if (folder != NULL) {
		is_found = bh_status_file_read(folder, terminal->pid, &file, NULL);
		if (!is_found && foreground > 0 && foreground != terminal->pid) {
			is_found = bh_status_file_read(folder, foreground, &file, NULL);
		}
	}
	free(folder);
	bh_judge_status_file(terminal->judge, is_found ? &file : NULL, now_ms);
}

void bh_terminal_probe(struct bh_terminal *terminal, uint64_t now_ms)
{
	struct bh_pty_tty tty = {.is_known = false};

	if (terminal->pty != NULL) {
		bh_pty_read_tty(terminal->pty, &tty);
	}
	if (tty.is_known) {
		const struct bh_tty_facts facts = {
			.is_canonical = tty.is_canonical,
			.has_echo = tty.has_echo,
			.is_foreground_ours = bh_foreground_is_ours(terminal->profile,
		                                                    tty.foreground, terminal->pid),
		};

		bh_judge_tty(terminal->judge, &facts, now_ms);
	}
	probe_status_file(terminal, tty.foreground, now_ms);
}
