#include "src/server/callers.h"

#include "src/base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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
};

/** A made-up machine. */
struct machine {
	struct process processes[16];
	size_t count;
	/** From this read on, process `moved` has another parent (a race). */
	int reads_before_move;
	pid_t moved, moved_to;
	/** The profile of terminal 2 runs a shared daemon. */
	bool is_daemon_shared;
};

static const struct bh_uuid terminal_1 = {{1}};
static const struct bh_uuid terminal_2 = {{2}};

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
				{.pid = 220, .ppid = KEEPER, .sid = 220, .start = 9},
				{.pid = 221, .ppid = 220, .sid = 220, .start = 9},
			},
		.count = 12,
	};
}

static int identify(struct machine *machine, pid_t pid, bool is_spool, const char *token,
                    struct bh_caller *caller)
{
	const struct bh_callers_world world = {
		.process = world_process,
		.has_agent_env = world_has_agent_env,
		.is_our_namespace = world_is_our_namespace,
		.terminal_of_child = world_terminal_of_child,
		.terminal_of_token = world_terminal_of_token,
		.is_token_refused = world_is_token_refused,
		.keeper_pid = KEEPER,
		.user = machine,
	};

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
	assert_false(bh_callers_read_process(NULL, 0x3ffffffe, &process));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_place_is_told_apart),
		cmocka_unit_test(a_reused_pid_is_not_the_child),
		cmocka_unit_test(a_chain_that_moves_once_is_read_again),
		cmocka_unit_test(a_shared_daemon_has_no_say),
		cmocka_unit_test(the_kernel_knows_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
