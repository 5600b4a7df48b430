#include "src/server/callers.h"

#include "src/base/err.h"
#include "src/base/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Longest chain of ancestors that is followed; a longer one cannot be named.
#define CHAIN_MAX 128
// How often a chain that changed while it was read is read again.
#define CHAIN_TRIES 3
// How much of an environment is looked at (bytes); the kernel's own limit for one string is less.
#define ENVIRON_MAX (256 * 1024)

// Where a walk up the parents ended.
enum walk_end {
	// At a child of the keeper that is a terminal of ours.
	WALK_TERMINAL,
	// At the keeper, without passing a terminal that could be named.
	WALK_KEEPER,
	// At the top of the process tree: outside.
	WALK_OUTSIDE,
	// A process vanished or the chain changed under our eyes.
	WALK_UNKNOWN,
};

// One process of the chain, as it was read the first time.
struct chain_link {
	pid_t pid;
	struct bh_caller_process process;
};

// Variables that only an agent sets for what it starts, and ours: who has one is no person.
static const char *const agent_variables[] = {
	"CLAUDECODE=",       "CLAUDE_CODE_SESSION_ID=",
	"AI_AGENT=",         "CODEX_THREAD_ID=",
	"CODEX_SESSION_ID=", "CODEX_CI=",
	"GEMINI_CLI=",       "OPENCODE=",
	"CURSOR_AGENT=",     "BELLHOP_TERMINAL=",
	"BELLHOP_TOKEN=",
};

static size_t file_read_small(const char *path, char *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;

	if (fd < 0) {
		return 0;
	}
	while (len < size) {
		ssize_t got = read(fd, bytes + len, size - len);

		if (got <= 0) {
			break;
		}
		len += (size_t)got;
	}
	(void)close(fd); // read only: nothing can be lost
	return len;
}

// The number of the field @skip fields behind the one at *@at, which is moved behind it. Fields are
// parted by one blank.
static uint64_t stat_field(const char **at, int skip)
{
	char *end = NULL;

	for (int i = 0; *at != NULL && i <= skip; i++) {
		*at = strchr(*at, ' ');
		*at = *at != NULL ? *at + 1 : NULL;
	}
	if (*at == NULL) {
		return 0;
	}
	uint64_t value = strtoull(*at, &end, 10);

	*at = end != *at ? end : NULL;
	return value;
}

bool bh_callers_read_process(void *user, pid_t pid, struct bh_caller_process *out)
{
	char path[64];
	char text[1024];

	(void)user;
	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid); // always fits
	text[file_read_small(path, text, sizeof text - 1)] = '\0';
	// The second field is the name in brackets, which may itself hold brackets and blanks.
	const char *at = strrchr(text, ')');

	out->ppid = (pid_t)stat_field(&at, 1);
	out->sid = (pid_t)stat_field(&at, 1);
	out->start = stat_field(&at, 15);
	return at != NULL;
}

static bool variable_is_agents(const char *variable)
{
	for (size_t i = 0; i < sizeof agent_variables / sizeof agent_variables[0]; i++) {
		if (strncmp(variable, agent_variables[i], strlen(agent_variables[i])) == 0) {
			return true;
		}
	}
	return false;
}

bool bh_callers_read_agent_env(void *user, pid_t pid)
{
	char path[64];
	char *bytes = bh_xmalloc(ENVIRON_MAX + 1);
	bool is_found = false;

	(void)user;
	(void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
	size_t len = file_read_small(path, bytes, ENVIRON_MAX);

	bytes[len] = '\0';
	for (size_t at = 0; at < len && !is_found; at += strlen(bytes + at) + 1) {
		is_found = variable_is_agents(bytes + at);
	}
	free(bytes);
	return is_found;
}

bool bh_callers_read_namespace(void *user, pid_t pid)
{
	struct stat ours;
	struct stat theirs;
	char path[64];

	(void)user;
	(void)snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pid);
	// A process that may not be looked at (set-uid) is judged by its place in the tree alone.
	if (stat("/proc/self/ns/pid", &ours) != 0 || stat(path, &theirs) != 0) {
		return true;
	}
	return ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

// Read the chain from @pid to the keeper or to the top; false when a process vanished.
static bool chain_read(const struct bh_callers_world *world, pid_t pid,
                       struct chain_link chain[CHAIN_MAX], size_t *count_out)
{
	size_t count = 0;

	while (pid > 1 && pid != world->keeper_pid) {
		if (count == CHAIN_MAX ||
		    !world->process(world->user, pid, &chain[count].process)) {
			return false;
		}
		chain[count].pid = pid;
		pid = chain[count].process.ppid;
		count++;
	}
	*count_out = count;
	return true;
}

static bool chain_is_unchanged(const struct bh_callers_world *world, const struct chain_link *chain,
                               size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct bh_caller_process now;

		if (!world->process(world->user, chain[i].pid, &now) ||
		    now.ppid != chain[i].process.ppid || now.start != chain[i].process.start) {
			return false;
		}
	}
	return true;
}

// The nearest terminal on the chain: first by the child itself, then by the session of an orphan.
static bool chain_find_terminal(const struct bh_callers_world *world,
                                const struct chain_link *chain, size_t count,
                                struct bh_uuid *id_out)
{
	for (size_t i = 0; i < count; i++) {
		if (world->terminal_of_child(world->user, chain[i].pid, chain[i].process.start,
		                             id_out)) {
			return true;
		}
	}
	// The kernel gives no number to a new process while a session of that number lives, so
	// the session of an orphan still names the child that began it.
	for (size_t i = 0; i < count; i++) {
		if (world->terminal_of_child(world->user, chain[i].process.sid, 0, id_out)) {
			return true;
		}
	}
	return false;
}

static enum walk_end ancestors_walk(const struct bh_callers_world *world, pid_t pid,
                                    struct bh_uuid *id_out)
{
	struct chain_link chain[CHAIN_MAX];
	size_t count = 0;

	for (int try = 0; try < CHAIN_TRIES; try++) {
		if (!chain_read(world, pid, chain, &count) ||
		    !chain_is_unchanged(world, chain, count)) {
			continue;
		}
		bool is_below_keeper =
			count > 0 && chain[count - 1].process.ppid == world->keeper_pid;

		if (is_below_keeper && chain_find_terminal(world, chain, count, id_out)) {
			return WALK_TERMINAL;
		}
		return is_below_keeper ? WALK_KEEPER : WALK_OUTSIDE;
	}
	return WALK_UNKNOWN;
}

static int caller_from_token(const struct bh_callers_world *world, const struct bh_uuid *token_id,
                             struct bh_caller *caller)
{
	if (world->is_token_refused(world->user, token_id)) {
		caller->kind = BH_CALLER_UNVERIFIED;
		return 0;
	}
	caller->kind = BH_CALLER_INSIDE;
	caller->proof = BH_CALLER_BY_TOKEN;
	caller->terminal_id = *token_id;
	return 0;
}

static int caller_from_kernel(const struct bh_uuid *kernel_id, const struct bh_uuid *token_id,
                              struct bh_caller *caller)
{
	if (token_id != NULL && !bh_uuid_is_equal(kernel_id, token_id)) {
		return BH_EDENIED;
	}
	caller->kind = BH_CALLER_INSIDE;
	caller->proof = token_id != NULL ? BH_CALLER_BY_BOTH : BH_CALLER_BY_KERNEL;
	caller->terminal_id = *kernel_id;
	return 0;
}

// Neither the kernel nor a token names a terminal.
static enum bh_caller_kind kind_of_stranger(const struct bh_callers_world *world, pid_t pid,
                                            enum walk_end end)
{
	if (end != WALK_OUTSIDE || !world->is_our_namespace(world->user, pid)) {
		return BH_CALLER_UNVERIFIED;
	}
	return world->has_agent_env(world->user, pid) ? BH_CALLER_EXTERNAL : BH_CALLER_OPERATOR;
}

int bh_callers_identify(const struct bh_callers_world *world, pid_t pid, bool is_spool,
                        const char *token, struct bh_caller *caller_out)
{
	struct bh_caller caller = {.kind = BH_CALLER_UNVERIFIED, .pid = is_spool ? 0 : pid};
	struct bh_caller_process process;
	struct bh_uuid kernel_id = {{0}};
	struct bh_uuid token_id = {{0}};
	bool has_token = token != NULL && world->terminal_of_token(world->user, token, &token_id);
	enum walk_end end = WALK_UNKNOWN;
	int code = 0;

	if (caller.pid > 0 && world->process(world->user, pid, &process)) {
		caller.pid_start = process.start;
		end = ancestors_walk(world, pid, &kernel_id);
	}
	if (end == WALK_TERMINAL) {
		code = caller_from_kernel(&kernel_id, has_token ? &token_id : NULL, &caller);
	} else if (has_token) {
		code = caller_from_token(world, &token_id, &caller);
	} else if (caller.pid > 0) {
		caller.kind = kind_of_stranger(world, pid, end);
	}
	if (code == 0) {
		*caller_out = caller;
	}
	return code;
}

bool bh_caller_is_alive(const struct bh_caller *caller)
{
	struct bh_caller_process process;

	return caller->pid == 0 || (bh_callers_read_process(NULL, caller->pid, &process) &&
	                            process.start == caller->pid_start);
}

const char *bh_caller_kind_word(enum bh_caller_kind kind)
{
	switch (kind) {
	case BH_CALLER_OPERATOR:
		return "operator";
	case BH_CALLER_INSIDE:
		return "inside";
	case BH_CALLER_EXTERNAL:
		return "external";
	case BH_CALLER_UNVERIFIED:
		break;
	}
	return "unverified";
}

const char *bh_caller_proof_word(enum bh_caller_proof proof)
{
	static const char *const words[] = {
		[BH_CALLER_BY_NONE] = "none",
		[BH_CALLER_BY_KERNEL] = "kernel",
		[BH_CALLER_BY_TOKEN] = "token",
		[BH_CALLER_BY_BOTH] = "both",
	};

	return words[proof];
}
