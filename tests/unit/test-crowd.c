#include "src/server/crowd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MEMBERS_MAX 8

/**
 * A crowd as text, one member per word in the order in which they come: the owner's letter, then `b` for
 * busy, `i` for idle, `n` for one that never spoke, then when it was heard of.
 */
struct row {
	const char *crowd;
	/** Which of them gives way (from 0), and how many its owner has. */
	size_t index, count;
};

static void who_has_most_gives_way(void **state)
{
	static const struct row rows[] = {
		// One owner: what never spoke, then what was silent longest.
		{"an1 an2 ai0 an3", 0, 4},
		{"ai5 an2 ai0 an3", 1, 4},
		{"ai5 ai2 ab0 an9", 1, 4},
		{"ab5 ai2 ab0 an9", 1, 4},
		// All is in use: the newcomer is one too many.
		{"ab5 ab2 ab0 an9", 3, 4},
		// Two owners: only who has most.
		{"an1 bi2 bi3 an4 bn5 an6 bn7", 4, 4},
		{"ab1 ab2 ab3 bn4", 2, 3},
		{"ab1 ab3 ab2 bn4", 1, 3},
		{"ab1 ai9 ab2 bn4", 1, 3},
		{"an1 bb2 bb3 bb4 an5", 3, 3},
		// As many each: the idle ones of all of them, and the newcomer last.
		{"ab1 bi2 an3 bn4", 2, 2},
		{"ab1 bb2 an3", 2, 2},
		{"ab1 bb2 cn3", 2, 1},
		{"ab1 bi2 cn3", 1, 1},
		{"an1", 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct bh_crowd crowd;
		struct bh_crowd_member members[MEMBERS_MAX];
		struct bh_crowd_choice choice = {0};
		size_t count = 0;

		bh_crowd_init(&crowd);
		for (const char *at = rows[i].crowd; at != NULL; at = strchr(at, ' ')) {
			at += *at == ' ';
			bh_crowd_join(&crowd, &members[count], 0, (uint64_t)(at[2] - '0'));
			members[count].owner.pid = at[0];
			members[count].is_busy = at[1] == 'b';
			members[count].has_spoken = at[1] != 'n';
			count++;
		}
		assert_true(bh_crowd_choose(&crowd, count - 1, &choice));
		if (choice.member != &members[rows[i].index] || choice.count != rows[i].count ||
		    choice.is_newcomer != (rows[i].index == count - 1)) {
			fail_msg("%s: %zu of %zu", rows[i].crowd, (size_t)(choice.member - members),
			         choice.count);
		}
		// It counts no more, so there is room.
		bh_crowd_leave(choice.member);
		bh_crowd_leave(choice.member);
		assert_false(bh_crowd_choose(&crowd, count - 1, &choice));
	}
}

/** The made-up machine: 20 and 21 are windows of a person, 30 an agent with 31 and 32 below it, each in a
 * session of its own, 40 a terminal's child with 41 below it. */
static bool world_process(void *user, pid_t pid, struct bh_caller_process *out)
{
	static const struct {
		pid_t pid, ppid, sid;
	} processes[] = {{20, 1, 20},  {21, 1, 21},  {22, 20, 20}, {30, 1, 30},
	                 {31, 30, 31}, {32, 30, 32}, {40, 10, 40}, {41, 40, 41}};

	(void)user;
	for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
		if (processes[i].pid == pid) {
			*out = (struct bh_caller_process){
				.ppid = processes[i].ppid, .sid = processes[i].sid, .start = 1};
			return true;
		}
	}
	return false;
}

static bool world_has_agent_env(void *user, pid_t pid)
{
	(void)user;
	(void)pid;
	return false;
}

static bool world_is_our_namespace(void *user, pid_t pid)
{
	(void)user;
	(void)pid;
	return true;
}

static bool world_terminal_of_child(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out)
{
	(void)user;
	(void)start;
	*id_out = (struct bh_uuid){{4}};
	return pid == 40;
}

static bool world_terminal_of_token(void *user, const char *token, struct bh_uuid *id_out)
{
	(void)user;
	(void)token;
	(void)id_out;
	return false;
}

static bool world_is_agent(void *user, pid_t pid)
{
	(void)user;
	return pid == 30;
}

static void owners_are_told_apart(void **state)
{
	static const struct {
		pid_t pid;
		const char *words;
	} rows[] = {
		{20, "the programs of process session 20"},
		{22, "the programs of process session 20"},
		{21, "the programs of process session 21"},
		{31, "the agent with process 30"},
		{32, "the agent with process 30"},
		{40, "terminal 04000000"},
		{41, "terminal 04000000"},
		{99, "programs that nobody can name"},
		{0, "programs that nobody can name"},
	};
	const struct bh_callers_world world = {.process = world_process,
	                                       .has_agent_env = world_has_agent_env,
	                                       .is_our_namespace = world_is_our_namespace,
	                                       .terminal_of_child = world_terminal_of_child,
	                                       .terminal_of_token = world_terminal_of_token,
	                                       .is_agent = world_is_agent,
	                                       .keeper_pid = 10};
	const struct bh_caller registered = {.kind = BH_CALLER_EXTERNAL, .terminal_id = {{9}}};
	struct bh_crowd crowd;
	struct bh_crowd_member member;
	char words[BH_CROWD_WORDS];

	(void)state;
	bh_crowd_init(&crowd);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		bh_crowd_join(&crowd, &member, rows[i].pid, 1);
		bh_crowd_look(&member, &world, false, NULL);
		assert_string_equal(bh_crowd_words(&member.owner, words), rows[i].words);
		bh_crowd_leave(&member);
	}
	// What a request has shown counts more, once it is looked at again.
	member.has_owner = false;
	bh_crowd_look(&member, &world, true, &registered);
	assert_string_equal(bh_crowd_words(&member.owner, words),
	                    "the registered program 09000000");
	assert_true(member.is_busy);
	bh_crowd_heard(&member, 7);
	assert_true(member.has_spoken);
	assert_int_equal(member.heard_ms, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_has_most_gives_way),
		cmocka_unit_test(owners_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
