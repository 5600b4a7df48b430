#include "src/server/callers.h"

#include "src/base/err.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define KEEPER 100
#define SERVER 101

/** A made-up process. */
struct process {
	pid_t pid, ppid, sid;
	uint64_t start;
	/** Not in our pid namespace. */
	bool is_foreign;
	/** Has variables of an agent. */
	bool has_agent_env;
	/** Runs an agent's program, or is another session's keeper. */
	bool is_agent;
	/** The terminal that its first environment names; 0: none. */
	uint8_t born_in;
};

/** A made-up machine. */
struct machine {
	struct process processes[24];
	size_t count;
	/** From this read on, process `moved` has another parent (a race). */
	int reads_before_move;
	pid_t moved, moved_to;
	/** The profile of terminal 2 runs a shared daemon. */
	bool is_daemon_shared;
	/** Nothing above it counts. */
	pid_t top_pid;
};

static const struct bh_uuid terminal_1 = {{1}};
static const struct bh_uuid terminal_2 = {{2}};
static const struct bh_uuid registration_9 = {{9}};

static struct process *find(struct machine *machine, pid_t pid)
{
	for (size_t i = 0; i < machine->count; i++) {
		if (machine->processes[i].pid == pid) {
			return &machine->processes[i];
		}
	}
	return NULL;
}

static bool world_process(void *user, pid_t pid, struct bh_caller_process *out)
{
	struct machine *machine = user;
	const struct process *process = find(machine, pid);

	if (process == NULL) {
		return false;
	}
	*out = (struct bh_caller_process){
		.ppid = process->ppid, .sid = process->sid, .start = process->start};
	if (pid == machine->moved && machine->reads_before_move-- <= 0) {
		out->ppid = machine->moved_to;
	}
	return true;
}

static bool world_has_agent_env(void *user, pid_t pid)
{
	const struct process *process = find(user, pid);

	return process != NULL && process->has_agent_env;
}

static bool world_is_our_namespace(void *user, pid_t pid)
{
	const struct process *process = find(user, pid);

	return process != NULL && !process->is_foreign;
}

static bool world_terminal_of_child(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out)
{
	(void)user;
	if (pid == 201 && (start == 0 || start == 5)) {
		*id_out = terminal_1;
		return true;
	}
	if (pid == 301 && (start == 0 || start == 7)) {
		*id_out = terminal_2;
		return true;
	}
	return false;
}

static bool world_terminal_of_token(void *user, const char *token, struct bh_uuid *id_out)
{
	(void)user;
	if (strcmp(token, "one") == 0 || strcmp(token, "two") == 0) {
		*id_out = strcmp(token, "one") == 0 ? terminal_1 : terminal_2;
		return true;
	}
	return false;
}

static bool world_is_token_refused(void *user, const struct bh_uuid *id)
{
	const struct machine *machine = user;

	return machine->is_daemon_shared && bh_uuid_is_equal(id, &terminal_2);
}

static bool world_is_agent(void *user, pid_t pid)
{
	const struct process *process = find(user, pid);

	return process != NULL && process->is_agent;
}

static bool world_is_born_in(void *user, pid_t pid, const struct bh_uuid *terminal)
{
	const struct process *process = find(user, pid);

	return process != NULL && process->born_in == terminal->bytes[0];
}

static bool world_registration_of(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out)
{
	(void)user;
	*id_out = registration_9;
	return pid == 70 && start == 4;
}

static bool world_registration_of_token(void *user, const char *token, struct bh_uuid *id_out)
{
	(void)user;
	*id_out = strcmp(token, "nine") == 0 ? registration_9 : (struct bh_uuid){{0}};
	return strcmp(token, "nine") == 0 || strcmp(token, "ended") == 0;
}

static struct machine machine_new(void)
{
	return (struct machine){
		.processes =
			{
				{.pid = 50, .ppid = 1, .sid = 50, .start = 1},
				{.pid = 51, .ppid = 50, .sid = 50, .start = 2},
				{.pid = 52,
	                         .ppid = 50,
	                         .sid = 50,
	                         .start = 2,
	                         .has_agent_env = true},
				{.pid = 53, .ppid = 1, .sid = 53, .start = 2, .is_foreign = true},
				{.pid = KEEPER, .ppid = 1, .sid = KEEPER, .start = 3},
				{.pid = 201, .ppid = KEEPER, .sid = 201, .start = 5},
				{.pid = 202, .ppid = 201, .sid = 201, .start = 6},
				{.pid = 203, .ppid = 202, .sid = 203, .start = 6},
				{.pid = 301, .ppid = KEEPER, .sid = 301, .start = 7},
				// Orphans that the keeper adopted: one still of session 201, one not.
				{.pid = 210, .ppid = KEEPER, .sid = 201, .start = 9},
				{.pid = 220, .ppid = KEEPER, .sid = 220, .start = 9, .born_in = 1},
				{.pid = 221, .ppid = 220, .sid = 220, .start = 9},
				// An agent outside: its tool's environment was emptied; and one
				// below a keeper of another session.
				{.pid = 60, .ppid = 50, .sid = 50, .start = 4, .is_agent = true},
				{.pid = 61,
	                         .ppid = 60,
	                         .sid = 61,
	                         .start = 4,
	                         .has_agent_env = true},
				{.pid = 62, .ppid = 61, .sid = 61, .start = 4},
				{.pid = 65, .ppid = 50, .sid = 50, .start = 4},
				{.pid = 66,
	                         .ppid = 65,
	                         .sid = 66,
	                         .start = 4,
	                         .has_agent_env = true},
				{.pid = 67, .ppid = 66, .sid = 66, .start = 4},
				{.pid = 70, .ppid = 50, .sid = 50, .start = 4, .is_agent = true},
				{.pid = 71, .ppid = 70, .sid = 50, .start = 4},
			},
		.count = 20,
	};
}

static struct bh_callers_world world_of(struct machine *machine)
{
	return (struct bh_callers_world){
		.process = world_process,
		.has_agent_env = world_has_agent_env,
		.is_our_namespace = world_is_our_namespace,
		.terminal_of_child = world_terminal_of_child,
		.terminal_of_token = world_terminal_of_token,
		.is_token_refused = world_is_token_refused,
		.is_agent = world_is_agent,
		.is_born_in = world_is_born_in,
		.registration_of = world_registration_of,
		.registration_of_token = world_registration_of_token,
		.top_pid = machine->top_pid,
		.keeper_pid = KEEPER,
		.user = machine,
	};
}

static int identify(struct machine *machine, pid_t pid, bool is_spool, const char *token,
                    struct bh_caller *caller)
{
	const struct bh_callers_world world = world_of(machine);

	return bh_callers_identify(&world, pid, is_spool, token, caller);
}

/** One row: who calls with what, and what must come out. */
struct expectation {
	const char *what;
	pid_t pid;
	bool is_spool;
	const char *token;
	int code;
	enum bh_caller_kind kind;
	enum bh_caller_proof proof;
	/** 0: none. */
	uint8_t terminal;
};

static void every_place_is_told_apart(void **state)
{
	static const struct expectation rows[] = {
		{"a person", 51, false, NULL, 0, BH_CALLER_OPERATOR, BH_CALLER_BY_NONE, 0},
		{"a person with a dead token", 51, false, "old", 0, BH_CALLER_OPERATOR,
	         BH_CALLER_BY_NONE, 0},
		{"an agent of somebody else", 52, false, NULL, 0, BH_CALLER_EXTERNAL,
	         BH_CALLER_BY_NONE, 0},
		{"a container", 53, false, NULL, 0, BH_CALLER_UNVERIFIED, BH_CALLER_BY_NONE, 0},
		{"a container with token", 53, false, "one", 0, BH_CALLER_INSIDE,
	         BH_CALLER_BY_TOKEN, 1},
		{"the child itself", 201, false, NULL, 0, BH_CALLER_INSIDE, BH_CALLER_BY_KERNEL, 1},
		{"a grandchild", 202, false, "one", 0, BH_CALLER_INSIDE, BH_CALLER_BY_BOTH, 1},
		{"a session of its own", 203, false, NULL, 0, BH_CALLER_INSIDE, BH_CALLER_BY_KERNEL,
	         1},
		{"a contradiction", 202, false, "two", BH_EDENIED, 0, 0, 0},
		{"another terminal", 301, false, "two", 0, BH_CALLER_INSIDE, BH_CALLER_BY_BOTH, 2},
		{"an orphan of the session", 210, false, NULL, 0, BH_CALLER_INSIDE,
	         BH_CALLER_BY_KERNEL, 1},
		{"a daemon", 221, false, NULL, 0, BH_CALLER_UNVERIFIED, BH_CALLER_BY_NONE, 0},
		{"a daemon with token", 221, false, "one", 0, BH_CALLER_INSIDE, BH_CALLER_BY_TOKEN,
	         1},
		{"a daemon with another's token", 221, false, "two", 0, BH_CALLER_UNVERIFIED,
	         BH_CALLER_BY_NONE, 0},
		{"an agent outside that emptied its environment", 62, false, NULL, 0,
	         BH_CALLER_EXTERNAL, BH_CALLER_BY_NONE, 0},
		{"the program of an agent outside", 60, false, NULL, 0, BH_CALLER_EXTERNAL,
	         BH_CALLER_BY_NONE, 0},
		{"below one with variables", 67, false, NULL, 0, BH_CALLER_EXTERNAL,
	         BH_CALLER_BY_NONE, 0},
		{"a registered process", 71, false, NULL, 0, BH_CALLER_EXTERNAL,
	         BH_CALLER_BY_KERNEL, 9},
		{"a registered process with its token", 71, false, "nine", 0, BH_CALLER_EXTERNAL,
	         BH_CALLER_BY_BOTH, 9},
		{"a registered process with another's token", 71, false, "one", BH_EDENIED, 0, 0,
	         0},
		{"a registration by its token alone", 51, false, "nine", 0, BH_CALLER_EXTERNAL,
	         BH_CALLER_BY_TOKEN, 9},
		{"a program whose registration has ended", 51, false, "ended", 0,
	         BH_CALLER_EXTERNAL, BH_CALLER_BY_NONE, 0},
		{"inside with the token of such a one", 202, false, "ended", 0, BH_CALLER_INSIDE,
	         BH_CALLER_BY_KERNEL, 1},
		{"inside with a registration's token", 202, false, "nine", BH_EDENIED, 0, 0, 0},
		{"a daemon inside with a registration's token", 221, false, "nine", 0,
	         BH_CALLER_UNVERIFIED, BH_CALLER_BY_NONE, 0},
		{"no pid at all", 0, false, NULL, 0, BH_CALLER_UNVERIFIED, BH_CALLER_BY_NONE, 0},
		{"no pid, token", 0, false, "two", 0, BH_CALLER_INSIDE, BH_CALLER_BY_TOKEN, 2},
		{"the spool", 0, true, "one", 0, BH_CALLER_INSIDE, BH_CALLER_BY_TOKEN, 1},
		{"the spool without token", 51, true, NULL, 0, BH_CALLER_UNVERIFIED,
	         BH_CALLER_BY_NONE, 0},
		{"a process that is gone", 999, false, NULL, 0, BH_CALLER_UNVERIFIED,
	         BH_CALLER_BY_NONE, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct machine machine = machine_new();
		struct bh_caller caller = {.kind = BH_CALLER_UNVERIFIED};
		const struct bh_uuid id = {{rows[i].terminal}};
		int code =
			identify(&machine, rows[i].pid, rows[i].is_spool, rows[i].token, &caller);

		if (code != rows[i].code) {
			fail_msg("%s: code %d", rows[i].what, code);
		}
		if (code == 0 && (caller.kind != rows[i].kind || caller.proof != rows[i].proof ||
		                  !bh_uuid_is_equal(&caller.terminal_id, &id))) {
			fail_msg("%s: kind %s by %s", rows[i].what,
			         bh_caller_kind_word(caller.kind),
			         bh_caller_proof_word(caller.proof));
		}
	}
}

static void a_reused_pid_is_not_the_child(void **state)
{
	struct machine machine = machine_new();
	struct process *process = find(&machine, 201);
	struct bh_caller caller;

	(void)state;
	if (process == NULL) {
		fail_msg("the machine has no process 201");
		return;
	}
	process->start = 55;
	process->sid = 199;
	assert_int_equal(identify(&machine, 201, false, NULL, &caller), 0);
	assert_int_equal(caller.kind, BH_CALLER_UNVERIFIED);
}

static void a_chain_that_moves_once_is_read_again(void **state)
{
	struct machine machine = machine_new();
	struct bh_caller caller;

	(void)state;
	// Its parent dies while we look: the second reading shows the keeper as the parent.
	machine.moved = 202;
	machine.moved_to = KEEPER;
	machine.reads_before_move = 2;
	assert_int_equal(identify(&machine, 202, false, NULL, &caller), 0);
	assert_int_equal(caller.kind, BH_CALLER_INSIDE);
	assert_true(bh_uuid_is_equal(&caller.terminal_id, &terminal_1));
}

static void a_shared_daemon_has_no_say(void **state)
{
	struct machine machine = machine_new();
	struct bh_caller caller;

	(void)state;
	machine.is_daemon_shared = true;
	assert_int_equal(identify(&machine, 221, false, "two", &caller), 0);
	assert_int_equal(caller.kind, BH_CALLER_UNVERIFIED);
	// The kernel's word is another matter.
	assert_int_equal(identify(&machine, 301, false, "two", &caller), 0);
	assert_int_equal(caller.kind, BH_CALLER_INSIDE);
}

static void nothing_above_the_top_counts(void **state)
{
	struct machine machine = machine_new();
	struct bh_caller caller;

	(void)state;
	machine.top_pid = 62;
	assert_int_equal(identify(&machine, 62, false, NULL, &caller), 0);
	assert_int_equal(caller.kind, BH_CALLER_OPERATOR);
	machine.top_pid = 61;
	assert_int_equal(identify(&machine, 62, false, NULL, &caller), 0);
	assert_int_equal(caller.kind, BH_CALLER_EXTERNAL);
	// A top that does not lie on the way changes nothing.
	machine.top_pid = 51;
	assert_int_equal(identify(&machine, 62, false, NULL, &caller), 0);
	assert_int_equal(caller.kind, BH_CALLER_EXTERNAL);
}

static void the_agent_above_is_found(void **state)
{
	struct machine machine = machine_new();
	const struct bh_callers_world world = world_of(&machine);
	struct bh_caller_anchor anchor = {0};

	(void)state;
	assert_true(bh_callers_find_agent(&world, 62, true, &anchor));
	assert_int_equal(anchor.pid, 60);
	assert_int_equal(anchor.start, 4);
	// No known program: who gave the variables is the parent of the topmost that has them.
	assert_true(bh_callers_find_agent(&world, 67, false, &anchor));
	assert_int_equal(anchor.pid, 65);
	assert_false(bh_callers_find_agent(&world, 67, true, &anchor));
	assert_false(bh_callers_find_agent(&world, 51, false, &anchor));
	assert_false(bh_callers_find_agent(&world, 999, false, &anchor));
	assert_true(bh_callers_find_ancestor(&world, 62, 61, &anchor));
	assert_int_equal(anchor.pid, 61);
	assert_true(bh_callers_find_ancestor(&world, 62, 62, &anchor));
	assert_false(bh_callers_find_ancestor(&world, 62, 65, &anchor));
	assert_false(bh_callers_find_ancestor(&world, 62, 1, &anchor));
}

static void the_kernel_knows_us(void **state)
{
	struct bh_caller_process process;
	struct bh_caller caller = {.pid = getpid()};

	(void)state;
	assert_true(bh_callers_read_process(NULL, getpid(), &process));
	assert_int_equal(process.ppid, getppid());
	assert_int_equal(process.sid, getsid(0));
	assert_true(process.start > 0);
	caller.pid_start = process.start;
	assert_true(bh_caller_is_alive(&caller));
	caller.pid_start++;
	assert_false(bh_caller_is_alive(&caller));
	assert_true(bh_callers_read_namespace(NULL, getpid()));
	assert_false(bh_callers_read_birth(NULL, getpid(), &terminal_1));
	assert_false(bh_callers_read_process(NULL, 0x3ffffffe, &process));
}

/** A program that was started with one variable; it runs once this returns. */
static pid_t started_with(const char *variable)
{
	const char *const env[] = {variable, NULL};
	char byte;
	int ends[2];
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		(void)execle("/bin/sleep", "sleep", "1000", NULL, env);
		_exit(127);
	}
	(void)close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 0); // exec has closed the other end
	(void)close(ends[0]);
	return pid;
}

static void agents_are_known_by_what_they_set_for_their_tools(void **state)
{
	static const char *const variables[] = {
		"CLAUDECODE=1",       "CLAUDE_CODE_SESSION_ID=x",
		"AI_AGENT=x",         "CODEX_THREAD_ID=x",
		"CODEX_SESSION_ID=x", "CODEX_CI=1",
		"GEMINI_CLI=1",       "OPENCODE=1",
		"CURSOR_AGENT=1",     "BELLHOP_TERMINAL=x",
		"BELLHOP_TOKEN=x",
	};
	static const char *const others[] = {"CLAUDE_CONFIG_DIR=x", "XCLAUDECODE=1",
	                                     "CODEX_HOME=x"};
	char own[sizeof "BELLHOP_TERMINAL=" + BH_UUID_TEXT];
	char id[BH_UUID_TEXT];
	pid_t pid;

	(void)state;
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		pid = started_with(variables[i]);
		if (!bh_callers_read_agent_env(NULL, pid)) {
			fail_msg("who has %s is taken for a person", variables[i]);
		}
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		pid = started_with(others[i]);
		assert_false(bh_callers_read_agent_env(NULL, pid));
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	(void)snprintf(own, sizeof own, "BELLHOP_TERMINAL=%s", bh_uuid_format(&terminal_1, id));
	pid = started_with(own);
	assert_true(bh_callers_read_birth(NULL, pid, &terminal_1));
	assert_false(bh_callers_read_birth(NULL, pid, &terminal_2));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_place_is_told_apart),
		cmocka_unit_test(a_reused_pid_is_not_the_child),
		cmocka_unit_test(a_chain_that_moves_once_is_read_again),
		cmocka_unit_test(a_shared_daemon_has_no_say),
		cmocka_unit_test(nothing_above_the_top_counts),
		cmocka_unit_test(the_agent_above_is_found),
		cmocka_unit_test(the_kernel_knows_us),
		cmocka_unit_test(agents_are_known_by_what_they_set_for_their_tools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
