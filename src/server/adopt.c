#include "src/server/adopt.h"

#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/events.h"
#include "src/server/foreground.h"
#include "src/server/server.h"
#include "src/server/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Waits for the end of a process: a descriptor of it becomes readable then.
struct bh_adopt_end {
	uv_poll_t poll;
	int fd;
	struct bh_terminal *terminal;
};

const struct bh_profile *bh_adopt_profile(const struct bh_terminal *terminal)
{
	return terminal->adopted.profile != NULL ? terminal->adopted.profile : terminal->profile;
}

// ---- its end ----

static void on_end_closed(uv_handle_t *handle)
{
	struct bh_adopt_end *end = bh_container_of((uv_poll_t *)handle, struct bh_adopt_end, poll);

	(void)close(end->fd); // nothing was written
	free(end);
}

static void end_drop(struct bh_adopted *adopted)
{
	if (adopted->end != NULL) {
		uv_close((uv_handle_t *)&adopted->end->poll, on_end_closed);
		adopted->end = NULL;
	}
}

static void on_end(uv_poll_t *poll, int status, int events)
{
	struct bh_adopt_end *end = bh_container_of(poll, struct bh_adopt_end, poll);
	struct bh_terminal *terminal = end->terminal;

	(void)status; // broken or ended: in both cases the kernel is asked
	(void)events;
	end_drop(&terminal->adopted);
	terminal->adopted.group = -1;         // a look is due
	(void)bh_terminal_evaluate(terminal); // listeners hear of it from the loop
}

// On a kernel without such descriptors the shell's next output tells.
static void end_await(struct bh_terminal *terminal)
{
	int fd = (int)syscall(SYS_pidfd_open, terminal->adopted.pid, 0);

	if (fd < 0) {
		return;
	}
	struct bh_adopt_end *end = bh_xmalloc(sizeof *end);

	end->fd = fd;
	end->terminal = terminal;
	if (uv_poll_init(&terminal->server->loop, &end->poll, fd) != 0) {
		(void)close(fd); // nothing was written
		free(end);
		return;
	}
	terminal->adopted.end = end;
	(void)uv_poll_start(&end->poll, UV_READABLE, on_end); // fails only while closing
}

// ---- its life ----

static void watched_clear(struct bh_adopted *adopted)
{
	end_drop(adopted);
	free(adopted->config_folder);
	adopted->config_folder = NULL;
	adopted->profile = NULL;
	adopted->pid = 0;
}

// People expect mail to be typed to an agent. Said once while the server lives, when somebody listens.
static void notice_tell(struct bh_terminal *terminal)
{
	struct bh_server *server = terminal->server;
	const char *name = bh_profile_name(terminal->adopted.profile);
	char text[320];

	if (server->has_told_of_watching || !bh_events_is_heard(server->listeners)) {
		return;
	}
	server->has_told_of_watching = true;
	// It is to fit a status line.
	(void)snprintf(
		text, sizeof text,
		"%.60s typed into a shell is only watched, gets no mail: start it by C-b N or "
		"`bellhop run %.60s`",
		name, bh_profile_programs(terminal->adopted.profile)[0]);
	bh_events_notice(server, text);
}

static void judge_swap(struct bh_terminal *terminal, uint64_t now_ms)
{
	const struct bh_adopted *adopted = &terminal->adopted;

	bh_judge_free(terminal->judge);
	terminal->judge = adopted->profile != NULL ? bh_judge_new_watching(adopted->profile, now_ms,
	                                                                   adopted->ended_ms)
	                                           : bh_judge_new(terminal->profile, now_ms);
	bh_judge_output(terminal->judge, terminal->screen, now_ms);
}

static void watch(struct bh_terminal *terminal, const struct bh_profile *profile, pid_t pid,
                  uint64_t now_ms)
{
	struct bh_adopted *adopted = &terminal->adopted;
	const char *variable = profile != NULL ? bh_proof_folder_variable(profile) : NULL;

	if (adopted->profile != NULL) {
		bh_log(BH_LOG_INFO, "adopt", terminal->identity, "%s is not watched any more",
		       bh_profile_name(adopted->profile));
		adopted->ended_ms = now_ms;
	}
	watched_clear(adopted);
	adopted->profile = profile;
	adopted->pid = pid;
	if (profile != NULL) {
		adopted->config_folder = variable != NULL ? bh_foreground_env(pid, variable) : NULL;
		end_await(terminal);
		bh_log(BH_LOG_INFO, "adopt", terminal->identity, "%s, pid %d, is watched",
		       bh_profile_name(profile), (int)pid);
		notice_tell(terminal);
	}
	judge_swap(terminal, now_ms);
}

// Only where the terminal's own program is none that a profile knows.
static bool may_adopt(const struct bh_terminal *terminal)
{
	return terminal->screen != NULL && terminal->server->profiles != NULL &&
	       bh_profile_programs(terminal->profile)[0] == NULL &&
	       !bh_profile_typing(terminal->profile)->is_allowed;
}

uint64_t bh_adopt_due_ms(const struct bh_terminal *terminal)
{
	const struct bh_adopted *adopted = &terminal->adopted;
	uint64_t settled_ms = terminal->output_ms + BH_ADOPT_SETTLE_MS;
	uint64_t latest_ms = adopted->looked_ms + BH_ADOPT_EVERY_MS;

	if (adopted->looked_offset == terminal->offset || !may_adopt(terminal)) {
		return 0;
	}
	return settled_ms < latest_ms ? settled_ms : latest_ms;
}

void bh_adopt_look(struct bh_terminal *terminal, pid_t foreground, uint64_t now_ms)
{
	struct bh_adopted *adopted = &terminal->adopted;
	uint64_t due_ms = bh_adopt_due_ms(terminal);
	const struct bh_profile *found = NULL;
	pid_t pid = 0;

	if (!may_adopt(terminal) ||
	    (foreground == adopted->group && (due_ms == 0 || due_ms > now_ms))) {
		return;
	}
	found = bh_foreground_find(terminal->server->profiles, foreground, terminal->pid, &pid);
	adopted->group = foreground;
	adopted->looked_ms = now_ms;
	adopted->looked_offset = terminal->offset;
	if (found != adopted->profile || pid != adopted->pid) {
		watch(terminal, found, pid, now_ms);
	}
}

void bh_adopt_close(struct bh_terminal *terminal)
{
	watched_clear(&terminal->adopted);
}
