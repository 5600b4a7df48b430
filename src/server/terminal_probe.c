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
	bool is_watched = terminal->adopted.profile != NULL;
	const char *chosen = is_watched ? terminal->adopted.config_folder : terminal->config_folder;
	pid_t pid = is_watched ? terminal->adopted.pid : terminal->pid;

	if (!bh_status_file_exists(bh_adopt_profile(terminal))) {
		return;
	}
	char *folder = chosen != NULL ? bh_xstrdup(chosen)
	               : terminal->home != NULL
	                       ? bh_xasprintf("%s%s", terminal->home, DEFAULT_FOLDER)
	                       : NULL;

	if (folder != NULL) {
		is_found = bh_status_file_read(folder, pid, &file, NULL);
		if (!is_found && foreground > 0 && foreground != pid) {
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
	bh_adopt_look(terminal, tty.is_known ? tty.foreground : 0, now_ms);
	if (tty.is_known) {
		// What is watched is in the foreground, or it would not be.
		const struct bh_tty_facts facts = {
			.is_canonical = tty.is_canonical,
			.has_echo = tty.has_echo,
			.is_foreground_ours = terminal->adopted.profile != NULL ||
		                              bh_foreground_is_ours(terminal->profile,
		                                                    tty.foreground, terminal->pid),
		};

		bh_judge_tty(terminal->judge, &facts, now_ms);
	}
	probe_status_file(terminal, tty.foreground, now_ms);
}
