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

// The caller and all above it, up to the keeper or to the top.
struct chain {
	struct chain_link links[CHAIN_MAX];
	size_t count;
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

static bool variable_is_agents(const char *variable, const char *wanted)
{
	(void)wanted;
	for (size_t i = 0; i < sizeof agent_variables / sizeof agent_variables[0]; i++) {
		if (strncmp(variable, agent_variables[i], strlen(agent_variables[i])) == 0) {
			return true;
		}
	}
	return false;
}

static bool variable_is(const char *variable, const char *wanted)
{
	return strcmp(variable, wanted) == 0;
}

// Whether a variable of the environment that @pid began with is one that is looked for.
static bool environ_has(pid_t pid, bool (*is_wanted)(const char *, const char *),
                        const char *wanted)
{
	char path[64];
	char *bytes = bh_xmalloc(ENVIRON_MAX + 1);
	bool is_found = false;

	(void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid); // always fits
	size_t len = file_read_small(path, bytes, ENVIRON_MAX);

	bytes[len] = '\0';
	for (size_t at = 0; at < len && !is_found; at += strlen(bytes + at) + 1) {
		is_found = is_wanted(bytes + at, wanted);
	}
	free(bytes);
	return is_found;
}

bool bh_callers_read_agent_env(void *user, pid_t pid)
{
	(void)user;
	return environ_has(pid, variable_is_agents, NULL);
}

bool bh_callers_read_birth(void *user, pid_t pid, const struct bh_uuid *terminal)
{
	char id[BH_UUID_TEXT];
	char wanted[sizeof "BELLHOP_TERMINAL=" + BH_UUID_TEXT];

	(void)user;
	(void)snprintf(wanted, sizeof wanted, "BELLHOP_TERMINAL=%s",
	               bh_uuid_format(terminal, id)); // always fits
	return environ_has(pid, variable_is, wanted);
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
static bool chain_read_once(const struct bh_callers_world *world, pid_t pid, struct chain *chain)
{
	chain->count = 0;
	while (pid > 1 && pid != world->keeper_pid) {
		struct chain_link *link = &chain->links[chain->count];

		if (chain->count == CHAIN_MAX ||
		    !world->process(world->user, pid, &link->process)) {
			return false;
		}
		link->pid = pid;
		chain->count++;
		pid = pid != world->top_pid ? link->process.ppid : 0;
	}
	return true;
}

static bool chain_is_unchanged(const struct bh_callers_world *world, const struct chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		const struct chain_link *link = &chain->links[i];
		struct bh_caller_process now;

		if (!world->process(world->user, link->pid, &now) ||
		    now.ppid != link->process.ppid || now.start != link->process.start) {
			return false;
		}
	}
	return true;
}

// Read it so that it held at one time; false when it never stood still.
static bool chain_read(const struct bh_callers_world *world, pid_t pid, struct chain *chain)
{
	for (int try = 0; try < CHAIN_TRIES; try++) {
		if (chain_read_once(world, pid, chain) && chain_is_unchanged(world, chain)) {
			return true;
		}
	}
	return false;
}

// The nearest terminal on the chain: first by the child itself, then by the session of an orphan.
static bool chain_find_terminal(const struct bh_callers_world *world, const struct chain *chain,
                                struct bh_uuid *id_out)
{
	for (size_t i = 0; i < chain->count; i++) {
		if (world->terminal_of_child(world->user, chain->links[i].pid,
		                             chain->links[i].process.start, id_out)) {
			return true;
		}
	}
	// The kernel gives no number to a new process while a session of that number lives, so
	// the session of an orphan still names the child that began it.
	for (size_t i = 0; i < chain->count; i++) {
		if (world->terminal_of_child(world->user, chain->links[i].process.sid, 0, id_out)) {
			return true;
		}
	}
	return false;
}

static enum walk_end ancestors_walk(const struct bh_callers_world *world, pid_t pid,
                                    struct chain *chain, struct bh_uuid *id_out)
{
	if (!chain_read(world, pid, chain)) {
		return WALK_UNKNOWN;
	}
	bool is_below_keeper = chain->count > 0 &&
	                       chain->links[chain->count - 1].process.ppid == world->keeper_pid;

	if (is_below_keeper && chain_find_terminal(world, chain, id_out)) {
		return WALK_TERMINAL;
	}
	return is_below_keeper ? WALK_KEEPER : WALK_OUTSIDE;
}

// What the request itself says of its caller.
struct claim {
	// A token of ours came along, of a terminal or of a registration.
	bool is_terminal;
	bool is_registration;
	// ... of one that has ended: who brings it is a program, no person.
	bool is_ended;
	struct bh_uuid id;
};

static struct claim claim_read(const struct bh_callers_world *world, const char *token)
{
	struct claim claim = {0};
	bool is_known = false;

	if (token == NULL) {
		return claim;
	}
	claim.is_terminal = world->terminal_of_token(world->user, token, &claim.id);
	if (!claim.is_terminal && world->registration_of_token != NULL) {
		is_known = world->registration_of_token(world->user, token, &claim.id);
	}
	claim.is_ended = is_known && bh_uuid_is_none(&claim.id);
	claim.is_registration = is_known && !claim.is_ended;
	return claim;
}

// The kernel has named @id, and the token may agree.
static int caller_from_kernel(enum bh_caller_kind kind, const struct bh_uuid *id,
                              const struct claim *claim, struct bh_caller *caller)
{
	bool has_token = claim->is_terminal || claim->is_registration;

	if (has_token && !bh_uuid_is_equal(id, &claim->id)) {
		return BH_EDENIED;
	}
	caller->kind = kind;
	caller->proof = has_token ? BH_CALLER_BY_BOTH : BH_CALLER_BY_KERNEL;
	caller->terminal_id = *id;
	return 0;
}

// The kernel names none, but below the keeper a token must be the caller's own from birth: what was
// taken from another terminal on the way changes nothing.
static bool claim_is_own(const struct bh_callers_world *world, const struct claim *claim,
                         enum walk_end end, const struct chain *chain)
{
	return end != WALK_KEEPER ||
	       (world->is_born_in != NULL &&
	        world->is_born_in(world->user, chain->links[chain->count - 1].pid, &claim->id));
}

static void caller_from_token(const struct bh_callers_world *world, const struct claim *claim,
                              struct bh_caller *caller)
{
	if (claim->is_terminal && world->is_token_refused(world->user, &claim->id)) {
		return;
	}
	caller->kind = claim->is_terminal ? BH_CALLER_INSIDE : BH_CALLER_EXTERNAL;
	caller->proof = BH_CALLER_BY_TOKEN;
	caller->terminal_id = claim->id;
}

static bool is_agent(const struct bh_callers_world *world, pid_t pid)
{
	return world->is_agent != NULL && world->is_agent(world->user, pid);
}

static bool chain_shows_agent(const struct bh_callers_world *world, const struct chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		if (world->has_agent_env(world->user, chain->links[i].pid) ||
		    is_agent(world, chain->links[i].pid)) {
			return true;
		}
	}
	return false;
}

static bool chain_find_registration(const struct bh_callers_world *world, const struct chain *chain,
                                    struct bh_uuid *id_out)
{
	for (size_t i = 0; world->registration_of != NULL && i < chain->count; i++) {
		if (world->registration_of(world->user, chain->links[i].pid,
		                           chain->links[i].process.start, id_out)) {
			return true;
		}
	}
	return false;
}

int bh_callers_identify(const struct bh_callers_world *world, pid_t pid, bool is_spool,
                        const char *token, struct bh_caller *caller_out)
{
	struct bh_caller caller = {.kind = BH_CALLER_UNVERIFIED, .pid = is_spool ? 0 : pid};
	struct claim claim = claim_read(world, token);
	struct chain chain = {.count = 0};
	struct bh_caller_process process;
	struct bh_uuid kernel_id = {{0}};
	enum walk_end end = WALK_UNKNOWN;
	int code = 0;

	if (caller.pid > 0 && world->process(world->user, pid, &process)) {
		caller.pid_start = process.start;
		end = ancestors_walk(world, pid, &chain, &kernel_id);
	}
	if (end == WALK_TERMINAL) {
		code = caller_from_kernel(BH_CALLER_INSIDE, &kernel_id, &claim, &caller);
	} else if (end == WALK_OUTSIDE && chain_find_registration(world, &chain, &kernel_id)) {
		code = caller_from_kernel(BH_CALLER_EXTERNAL, &kernel_id, &claim, &caller);
	} else if (claim.is_terminal || claim.is_registration) {
		if (claim_is_own(world, &claim, end, &chain)) {
			caller_from_token(world, &claim, &caller);
		}
	} else if (end == WALK_OUTSIDE && world->is_our_namespace(world->user, pid)) {
		caller.kind = claim.is_ended || chain_shows_agent(world, &chain)
		                      ? BH_CALLER_EXTERNAL
		                      : BH_CALLER_OPERATOR;
	}
	if (code == 0) {
		*caller_out = caller;
	}
	return code;
}

static struct bh_caller_anchor anchor_of(const struct chain_link *link)
{
	return (struct bh_caller_anchor){.pid = link->pid, .start = link->process.start};
}

bool bh_callers_find_agent(const struct bh_callers_world *world, pid_t pid, bool by_program,
                           struct bh_caller_anchor *agent_out)
{
	struct chain chain = {.count = 0};
	size_t above = 0;

	if (!chain_read(world, pid, &chain)) {
		return false;
	}
	for (size_t i = 0; i < chain.count; i++) {
		if (is_agent(world, chain.links[i].pid)) {
			*agent_out = anchor_of(&chain.links[i]);
			return true;
		}
		if (world->has_agent_env(world->user, chain.links[i].pid)) {
			above = i + 1;
		}
	}
	if (above == 0 || by_program) {
		return false;
	}
	*agent_out = anchor_of(&chain.links[above < chain.count ? above : above - 1]);
	return true;
}

bool bh_callers_find_ancestor(const struct bh_callers_world *world, pid_t pid, pid_t ancestor,
                              struct bh_caller_anchor *anchor_out)
{
	struct chain chain = {.count = 0};

	if (!chain_read(world, pid, &chain)) {
		return false;
	}
	for (size_t i = 0; i < chain.count; i++) {
		if (chain.links[i].pid == ancestor) {
			*anchor_out = anchor_of(&chain.links[i]);
			return true;
		}
	}
	return false;
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

const char *bh_caller_refusal(enum bh_caller_kind kind, const char **sentence_out)
{
	switch (kind) {
	case BH_CALLER_EXTERNAL:
		*sentence_out =
			"a program that was not started by bellhop may not do this; start it "
			"with `bellhop run`";
		return "external";
	case BH_CALLER_UNVERIFIED:
		*sentence_out =
			"the caller runs inside bellhop but no terminal can be named for it; "
			"keep BELLHOP_TOKEN in its environment";
		return "unverified";
	case BH_CALLER_INSIDE:
		*sentence_out = "only the operator, a person outside every terminal of bellhop, "
				"may do this";
		return "operator_only";
	case BH_CALLER_OPERATOR:
		break;
	}
	*sentence_out = "only an agent can do this, in a terminal of bellhop or registered "
			"(`bellhop register`)";
	return "denied";
}
