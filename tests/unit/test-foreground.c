#include "src/server/foreground.h"

#include "src/agent/profile.h"

#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// A process with this name that waits for its end.
static pid_t process_start(const char *name)
{
	int ready[2];
	char byte = 0;

	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_NAME, name);
		(void)write(ready[1], "x", 1);
		for (;;) {
			(void)pause();
		}
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	(void)close(ready[0]);
	(void)close(ready[1]);
	return pid;
}

static void process_end(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void the_child_itself_and_its_program_are_ours(void **state)
{
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);
	const struct bh_profile *claude = bh_profiles_find(profiles, "claude");
	pid_t agent = process_start("claude");
	pid_t other = process_start("vim");

	(void)state;
	assert_non_null(claude);
	assert_true(bh_foreground_is_ours(claude, 4711, 4711));
	assert_true(bh_foreground_is_ours(claude, agent, 4711));
	assert_false(bh_foreground_is_ours(claude, other, 4711));
	assert_false(bh_foreground_is_ours(claude, 0, 4711));
	assert_false(bh_foreground_is_ours(claude, 0x3ffffffe, 4711));
	process_end(agent);
	process_end(other);
	bh_profiles_free(profiles);
}

static void agents_are_known_by_what_they_run(void **state)
{
	static const struct {
		const char *name;
		bool is_agent;
	} rows[] = {
		{"claude", true},         {"codex", true},       {"bellhop-demo-agent", true},
		{"bellhop-keeper", true}, {"claude.exe", true},  {"node", false},
		{"bash", false},          {"claude-not", false}, {"bellhop", false},
	};
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		pid_t pid = process_start(rows[i].name);

		if (bh_foreground_is_agent(profiles, pid) != rows[i].is_agent) {
			fail_msg("%s", rows[i].name);
		}
		process_end(pid);
	}
	assert_false(bh_foreground_is_agent(profiles, 0x3ffffffe));
	bh_profiles_free(profiles);
}

// A process with this command line, that waits for its end.
static pid_t process_exec(const char *first, const char *second)
{
	int ready[2];
	char byte = 0;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sleep", first, "1000", second, (char *)NULL);
		_exit(1);
	}
	(void)close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0); // closed by the exec
	(void)close(ready[0]);
	return pid;
}

static void a_mention_is_no_program(void **state)
{
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);
	pid_t agent = process_exec("/opt/bin/codex", "1");
	pid_t editor = process_exec("vim", "0.1codex");

	(void)state;
	assert_true(bh_foreground_is_agent(profiles, agent));
	assert_false(bh_foreground_is_agent(profiles, editor));
	process_end(agent);
	process_end(editor);
	bh_profiles_free(profiles);
}

// A process called @name in a session and a terminal of its own: @slave as its input, or none.
static pid_t process_on(const char *name, const char *script, int slave)
{
	int ready[2];
	char byte = 0;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		(void)setsid();
		(void)dup2(slave >= 0 ? slave : null, 0);
		(void)setenv("AGENT_HOME", "/x=y", 1);
		if (script != NULL) {
			execl("/bin/bash", name, "-c", script, (char *)NULL);
		}
		execl("/bin/sleep", name, "1000", (char *)NULL);
		_exit(1);
	}
	(void)close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0); // closed by the exec
	(void)close(ready[0]);
	return pid;
}

// Whoever is left below us: those whose parent is over are ours (main()).
static void orphans_end(void)
{
	char text[256] = "";
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	char *end = text;

	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof text - 1) >= 0);
	(void)close(fd);
	for (long pid = strtol(end, &end, 10); pid > 0; pid = strtol(end, &end, 10)) {
		process_end((pid_t)pid);
	}
}

static void group_end(pid_t group)
{
	(void)kill(-group, SIGKILL);
	assert_int_equal(waitpid(group, NULL, 0), group);
	orphans_end();
}

static void the_agent_of_a_group_is_found(void **state)
{
	static const struct {
		const char *name;
		const char *script;
		const char *profile;
		bool has_terminal;
	} rows[] = {
		{"claude", NULL, "claude", true},
		{"/opt/bin/codex", NULL, "codex", true},
		{"claude", NULL, NULL, false}, // reads a pipe: shows nothing
		{"vim", NULL, NULL, true},
		{"bash", "exec -a claude sleep 1000", "claude", true},
		{"wrapper", "(exec -a claude sleep 1000); true", "claude", true},
		{"wrapper", "(exec -a claude sleep 1000 </dev/null); true", NULL, true},
		{"wrapper", "setsid -w bash -c 'exec -a claude sleep 1000'; true", NULL, true},
	};
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);
	int master = -1;
	int slave = -1;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	(void)fcntl(master, F_SETFD, FD_CLOEXEC);
	(void)fcntl(slave, F_SETFD, FD_CLOEXEC);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		pid_t pid =
			process_on(rows[i].name, rows[i].script, rows[i].has_terminal ? slave : -1);
		const struct bh_profile *found = NULL;
		pid_t agent = 0;

		// What a script starts takes its time.
		for (int wait = 0; wait < (rows[i].profile != NULL ? 3000 : 20); wait++) {
			found = bh_foreground_find(profiles, pid, 0, &agent);
			if (found != NULL) {
				break;
			}
			(void)usleep(10000);
		}
		if (rows[i].profile == NULL) {
			assert_null(found);
		} else {
			assert_non_null(found);
			assert_string_equal(bh_profile_name(found), rows[i].profile);
			assert_int_equal(getpgid(agent), pid);
		}
		group_end(pid);
		assert_null(bh_foreground_find(profiles, pid, 0, &agent));
	}
	assert_null(bh_foreground_find(profiles, 0, getpid(), NULL));
	(void)close(master);
	(void)close(slave);
	bh_profiles_free(profiles);
}

// As in a pipeline: the leader is another program, or over, and the agent is no child of it.
static void an_agent_is_found_beside_its_leader(void **state)
{
	static const struct {
		const char *script;
		bool is_found;
	} rows[] = {
		{"trap '' HUP; exec 3<&0; (exec -a claude sleep 1000 <&3 3<&-) & exit", true},
		{"trap '' HUP; exec 3<&0; (exec -a claude sleep 1000) & exit",
	         true}, // it opened it itself
		{"trap '' HUP; exec 3<&0; (exec -a claude sleep 1000 3<&-) & exit", false},
	};
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);
	int master = -1;
	int slave = -1;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	(void)fcntl(master, F_SETFD, FD_CLOEXEC);
	(void)fcntl(slave, F_SETFD, FD_CLOEXEC);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		pid_t pid = process_on("bash", rows[i].script, slave);
		const struct bh_profile *found = NULL;
		pid_t agent = 0;

		assert_int_equal(waitpid(pid, NULL, 0), pid);
		for (int wait = 0; wait < (rows[i].is_found ? 3000 : 20) && found == NULL; wait++) {
			(void)usleep(10000);
			found = bh_foreground_find(profiles, pid, getpid(), &agent);
		}
		if ((found != NULL) != rows[i].is_found) {
			fail_msg("%s", rows[i].script);
		}
		if (rows[i].is_found) {
			assert_string_equal(bh_profile_name(found), "claude");
			assert_null(bh_foreground_find(profiles, pid, 0, &agent));
		}
		orphans_end();
	}
	(void)close(master);
	(void)close(slave);
	bh_profiles_free(profiles);
}

static void a_dead_agent_is_none(void **state)
{
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);
	int master = -1;
	int slave = -1;
	siginfo_t info;
	pid_t agent = 0;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	(void)fcntl(master, F_SETFD, FD_CLOEXEC);
	(void)fcntl(slave, F_SETFD, FD_CLOEXEC);
	pid_t pid = process_on("claude", NULL, slave);

	assert_non_null(bh_foreground_find(profiles, pid, 0, &agent));
	(void)kill(pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_null(bh_foreground_find(profiles, pid, 0, &agent)); // not reaped yet
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	(void)close(master);
	(void)close(slave);
	bh_profiles_free(profiles);
}

static void a_variable_of_a_process_is_read(void **state)
{
	pid_t pid = process_on("claude", NULL, -1);
	char *value = bh_foreground_env(pid, "AGENT_HOME");

	(void)state;
	assert_string_equal(value, "/x=y");
	free(value);
	assert_null(bh_foreground_env(pid, "AGENT_HOM"));
	process_end(pid);
	assert_null(bh_foreground_env(pid, "AGENT_HOME"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_child_itself_and_its_program_are_ours),
		cmocka_unit_test(agents_are_known_by_what_they_run),
		cmocka_unit_test(a_mention_is_no_program),
		cmocka_unit_test(the_agent_of_a_group_is_found),
		cmocka_unit_test(an_agent_is_found_beside_its_leader),
		cmocka_unit_test(a_dead_agent_is_none),
		cmocka_unit_test(a_variable_of_a_process_is_read),
	};

	// Whose parent is over becomes our child, as it would be a shell's.
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
