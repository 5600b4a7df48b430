// An agent in a shell is found, shown, never typed into, and forgotten when it ends.
#include "src/server/adopt.h"

#include "src/agent/profile.h"
#include "src/base/err.h"
#include "src/server/deliver.h"
#include "src/server/pty.h"
#include "src/server/terminal.h"
#include "src/server/terminals.h"
#include "src/server/wiring.h"
#include "src/wake/decide.h"
#include "tests/unit/server-world.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define RULE "────────────────────────────────────────"
#define AGENT \
	"\x1b[?2004h\x1b[2J\x1b[H" RULE "\r\n> \x1b[2mType a message\x1b[0m\r\n" RULE \
	"\r\n  / for commands\x1b[2;3H"

static const struct bh_deliver_host *const host = &bh_wiring_deliver_host;

/** A process called @name in the foreground of the child's terminal. */
static pid_t agent_start(const struct world_child *child, const char *name)
{
	int ready[2];
	char byte = 0;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t pid = fork();

	if (pid == 0) {
		(void)setsid();
		(void)ioctl(child->slave, TIOCSCTTY, 1);
		(void)dup2(child->slave, 0);
		execl("/bin/sleep", name, "1000", (char *)NULL);
		_exit(1);
	}
	(void)close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0); // closed by the exec
	(void)close(ready[0]);
	return pid;
}

static void agent_end(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static const char *watched(struct world *world)
{
	return world_text(world_call(world, "terminal.get", "\"name\":\"a\""), "watched");
}

static struct bh_terminal *terminal_of(struct world *world, const struct world_child *child)
{
	return bh_terminals_get(world->server.terminals, &child->id);
}

/** A shell with an idle demo agent in it. */
static struct world_child *world_watch(struct world *world, const char *more, pid_t *pid_out)
{
	struct world_child *child = world_run(world, "a", more);

	*pid_out = agent_start(child, "bellhop-demo-agent");
	world_print(world, child, AGENT);
	while (strcmp(world_state(world, "a"), "idle") != 0) {
		world_turn(world);
	}
	assert_string_equal(watched(world), "demo");
	return child;
}

static void its_state_is_shown_while_it_runs(void **state)
{
	struct world world;
	pid_t pid = 0;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "events.subscribe", "%s", ""));
	struct world_child *child = world_watch(&world, "", &pid);
	const cJSON *got = world_call(&world, "terminal.get", "\"name\":\"a\"");

	assert_string_equal(world_text(got, "profile"), "generic");
	assert_true(world_has_told(&world, "terminal.state"));
	assert_non_null(strstr(world_text(world_told(&world, "session.notice"), "text"),
	                       "bellhop run bellhop-demo-agent"));
	got = world_call(&world, "terminal.explain", "\"name\":\"a\"");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(got, "watched")));
	assert_non_null(strstr(world_text(got, "text"), "typed into a shell"));
	// Nobody prints anything: the descriptor of the process tells.
	agent_end(pid);
	while (terminal_of(&world, child)->adopted.profile != NULL) {
		world_turn(&world);
	}
	assert_string_equal(watched(&world), "");
	const cJSON *told = world_told(&world, "terminal.state");

	while (world_text(told, "watched")[0] != '\0') {
		told = world_told(&world, "terminal.state");
	}
	assert_string_equal(world_text(told, "state"), "starting");
	// The next one is watched, and nothing more is said about it.
	pid = agent_start(child, "claude");
	world_print(&world, child, "\r\n");
	while (strcmp(watched(&world), "claude") != 0) {
		world_turn(&world);
	}
	assert_false(world_has_told(&world, "session.notice"));
	agent_end(pid);
	world_close(&world);
}

static void a_restarted_server_finds_it_again(void **state)
{
	struct world world;
	pid_t pid = 0;

	(void)state;
	world_open(&world);
	(void)world_watch(&world, "", &pid);
	world_crash(&world);
	while (strcmp(world_state(&world, "a"), "idle") != 0) {
		world_turn(&world);
	}
	assert_string_equal(watched(&world), "demo");
	agent_end(pid);
	world_close(&world);
}

static void nothing_is_typed_whatever_is_asked(void **state)
{
	static const char *const modes[] = {"", ",\"mode\":\"message\"", ",\"mode\":\"notice\"",
	                                    ",\"mode\":\"off\""};
	static const enum bh_input inputs[] = {BH_INPUT_TYPIST_TEXT, BH_INPUT_TYPIST_CR,
	                                       BH_INPUT_TYPIST_CLEAR};

	(void)state;
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		struct world world;
		struct bh_deliver_view view;
		pid_t pid = 0;
		char byte;

		world_open(&world);
		struct world_child *child = world_watch(&world, modes[i], &pid);

		assert_true(host->view(&world.server, &child->id, &view));
		assert_int_equal(view.verdict.state, BH_STATE_IDLE);
		assert_int_equal(view.verdict.composer, BH_COMPOSER_EMPTY);
		assert_false(view.verdict.is_typable);
		assert_int_equal(bh_decide_gate(&view.verdict, true, false), BH_REASON_TYPING_OFF);
		assert_string_equal(view.watched, "bellhop-demo-agent");
		// Two more locks, each good by itself: the profile that typing asks is the shell's,
		// and the terminal refuses.
		assert_false(bh_profile_typing(view.profile)->is_allowed);
		for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
			assert_int_equal(host->write(&world.server, &child->id, "x", 1, inputs[k]),
			                 BH_EDENIED);
		}
		const cJSON *wake = world_call(&world, "wake.can_wake", "\"name\":\"a\"");

		assert_string_equal(world_text(wake, "tier"), "NONE");
		assert_non_null(strstr(
			cJSON_GetArrayItem(cJSON_GetObjectItem(wake, "conditions"), 0)->valuestring,
			"typed into a shell"));
		agent_end(pid);
		assert_int_equal(
			host->write(&world.server, &child->id, "x", 1, BH_INPUT_TYPIST_TEXT),
			BH_EDENIED);
		assert_int_equal(read(child->slave, &byte, 1), -1);
		world_close(&world);
	}
}

static void a_terminal_of_an_agent_is_left_as_it_is(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", ",\"profile\":\"claude\"");
	pid_t pid = agent_start(child, "bellhop-demo-agent");

	world_print(&world, child, AGENT);
	assert_non_null(bh_terminal_evaluate(terminal_of(&world, child)));
	assert_string_equal(watched(&world), "");
	assert_int_equal(bh_adopt_due_ms(terminal_of(&world, child)), 0);
	agent_end(pid);
	world_close(&world);
}

static void no_look_is_due_while_nothing_happens(void **state)
{
	struct world world;
	pid_t pid = 0;

	(void)state;
	world_open(&world);
	struct world_child *child = world_watch(&world, "", &pid);
	struct bh_terminal *terminal = terminal_of(&world, child);

	while (bh_adopt_due_ms(terminal) != 0) {
		world_turn(&world);
	}
	uint64_t looked_ms = terminal->adopted.looked_ms;

	(void)bh_terminal_evaluate(terminal);
	assert_int_equal(terminal->adopted.looked_ms, looked_ms);
	world_print(&world, child, "\a");
	assert_true(bh_adopt_due_ms(terminal) != 0);
	agent_end(pid);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_state_is_shown_while_it_runs),
		cmocka_unit_test(a_restarted_server_finds_it_again),
		cmocka_unit_test(nothing_is_typed_whatever_is_asked),
		cmocka_unit_test(a_terminal_of_an_agent_is_left_as_it_is),
		cmocka_unit_test(no_look_is_due_while_nothing_happens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
