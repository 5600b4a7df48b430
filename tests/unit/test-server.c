// The server process: how it begins, serves and ends; the test is its keeper.
#include "src/server/server.h"

#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/keeper/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

/** A server in a process of its own, and what the test holds of it. */
struct desk {
	/** Folder of everything. */
	char folder[40];
	/** The server's process. */
	pid_t pid;
	/** The keeper's side. */
	int keeper;
};

static int desk_open(void **state)
{
	struct desk *desk = bh_xmalloc(sizeof *desk);

	(void)snprintf(desk->folder, sizeof desk->folder, "/tmp/bellhop-server-XXXXXX");
	assert_non_null(mkdtemp(desk->folder));
	desk->keeper = -1;
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;
	char *command = bh_xasprintf("rm -r %s", desk->folder);

	if (desk->keeper >= 0) {
		(void)close(desk->keeper);
	}
	if (desk->pid > 0) {
		(void)kill(desk->pid, SIGKILL);
		(void)waitpid(desk->pid, NULL, 0);
	}
	assert_int_equal(system(command), 0);
	free(command);
	free(desk);
	return 0;
}

/** Make the environment of the server that of the folder, and keep the terminal quiet. */
static void child_settle(const struct desk *desk)
{
	char *runtime = bh_xasprintf("%s/r", desk->folder);
	char *home = bh_xasprintf("%s/h", desk->folder);
	int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)setenv("BELLHOP_RUNTIME_DIR", runtime, 1);
	(void)setenv("BELLHOP_STATE_DIR", home, 1);
	(void)setenv("XDG_CONFIG_HOME", home, 1);
	(void)setenv("HOME", home, 1);
	(void)unsetenv("BELLHOP_SESSION");
	(void)dup2(quiet, STDERR_FILENO);
	free(runtime);
	free(home);
}

/** Run bh_server_main() with these arguments in a process of its own. */
static void start(struct desk *desk, const char *const *arguments)
{
	char *argv[8] = {NULL};
	int argc = 0;

	desk->pid = fork();
	assert_true(desk->pid >= 0);
	if (desk->pid == 0) {
		child_settle(desk);
		while (arguments[argc] != NULL) {
			argv[argc] = bh_xstrdup(arguments[argc]);
			argc++;
		}
		_exit(bh_server_main(argc, argv));
	}
}

/** Its exit status. */
static int ended(struct desk *desk)
{
	int status = 0;

	assert_int_equal(waitpid(desk->pid, &status, 0), desk->pid);
	desk->pid = 0;
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/** Start it with a keeper: us. */
static void start_kept(struct desk *desk)
{
	int ends[2];
	char number[16];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	assert_int_equal(fcntl(ends[0], F_SETFD, FD_CLOEXEC), 0);
	(void)snprintf(number, sizeof number, "%d", ends[1]);
	desk->keeper = ends[0];
	desk->pid = fork();
	assert_true(desk->pid >= 0);
	if (desk->pid == 0) {
		char *argv[] = {bh_xstrdup("-S"), bh_xstrdup("test"), bh_xstrdup("--keeper-fd"),
		                bh_xstrdup(number), NULL};

		(void)close(ends[0]); // else the server would never see its keeper go
		child_settle(desk);
		_exit(bh_server_main(4, argv));
	}
	(void)close(ends[1]);
}

/** The next message of the server. */
static union bh_wire hear(const struct desk *desk)
{
	char packet[BH_WIRE_MAX];
	union bh_wire message;
	ssize_t len = recv(desk->keeper, packet, sizeof packet, 0);

	assert_true(len > 0);
	assert_int_equal(bh_wire_read(packet, (size_t)len, &message), 0);
	return message;
}

static void say(const struct desk *desk, union bh_wire message, enum bh_wire_type type,
                uint32_t seq)
{
	size_t len = bh_wire_prepare(&message, type, seq);

	assert_int_equal(send(desk->keeper, &message, len, 0), (ssize_t)len);
}

/** Greet it and tell it that there is no terminal. */
static void greet(const struct desk *desk)
{
	union bh_wire heard = hear(desk);

	assert_int_equal(heard.head.type, BH_WIRE_HELLO);
	assert_int_equal(heard.as_HELLO.pid, desk->pid);
	say(desk,
	    (union bh_wire){.as_HELLO = {.version = BH_WIRE_VERSION,
	                                 .pid = getpid(),
	                                 .entries = 8,
	                                 .starts = 1}},
	    BH_WIRE_HELLO, heard.head.seq);
	heard = hear(desk);
	assert_int_equal(heard.head.type, BH_WIRE_LIST);
	say(desk, (union bh_wire){.as_LISTED = {.count = 0}}, BH_WIRE_LISTED, heard.head.seq);
}

/** Connect, once it listens; 30 s at most. */
static int client_connect(const struct desk *desk)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s/r/test/server.sock",
	               desk->folder);
	for (int i = 0; i < 3000; i++) {
		if (connect(client, (struct sockaddr *)&address, sizeof address) == 0) {
			return client;
		}
		(void)usleep(10000);
	}
	fail_msg("nobody listens at %s", address.sun_path);
	return -1;
}

/** Call a method; the caller owns the answer. */
static cJSON *call(int client, const char *method, const char *params)
{
	char text[4096] = "";
	size_t len = 0;
	char *line =
		bh_xasprintf("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}\n",
	                     method, params);

	assert_int_equal(write(client, line, strlen(line)), (ssize_t)strlen(line));
	free(line);
	while (memchr(text, '\n', len) == NULL) {
		ssize_t count = read(client, text + len, sizeof text - 1 - len);

		assert_true(count > 0);
		len += (size_t)count;
	}
	cJSON *answer = bh_json_parse_object(text, strcspn(text, "\n"), NULL);

	assert_non_null(answer);
	return answer;
}

static void bad_arguments_are_hopeless(void **state)
{
	static const char *const rows[][5] = {
		{NULL},
		{"--keeper-fd", "x", NULL},
		{"--keeper-fd", "2", NULL},
		{"--keeper-fd", "9z", NULL},
		{"--other", "1", "--keeper-fd", "9", NULL},
		{"--keeper-fd", "9", "-S", "a/b", NULL},
	};
	struct desk *desk = *state;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		start(desk, rows[i]);
		assert_int_equal(ended(desk), BH_WIRE_EXIT_HOPELESS);
	}
}

static void it_serves_and_stops_with_its_keeper(void **state)
{
	struct desk *desk = *state;

	start_kept(desk);
	greet(desk);
	int client = client_connect(desk);
	cJSON *answer = call(client, "server.info", "");
	const cJSON *result = cJSON_GetObjectItem(answer, "result");

	assert_int_equal(cJSON_GetObjectItem(result, "pid")->valueint, desk->pid);
	assert_int_equal(cJSON_GetObjectItem(result, "keeper_pid")->valueint, getpid());
	assert_string_equal(cJSON_GetObjectItem(result, "session")->valuestring, "test");
	cJSON_Delete(answer);
	answer = call(client, "server.stop", "\"force\":true");
	assert_non_null(cJSON_GetObjectItem(answer, "result"));
	cJSON_Delete(answer);
	(void)close(client);
	// The keeper ends the children; when it says that all is done, the server ends.
	assert_int_equal(hear(desk).head.type, BH_WIRE_SHUTDOWN);
	assert_int_equal(waitpid(desk->pid, NULL, WNOHANG), 0);
	say(desk, (union bh_wire){0}, BH_WIRE_DONE, 0);
	assert_int_equal(ended(desk), EXIT_SUCCESS);
}

static void a_term_signal_asks_for_a_new_one(void **state)
{
	struct desk *desk = *state;

	start_kept(desk);
	greet(desk);
	(void)close(client_connect(desk));
	assert_int_equal(kill(desk->pid, SIGTERM), 0);
	assert_int_equal(ended(desk), BH_WIRE_EXIT_RESTART);
}

static void an_upgrade_is_the_keepers_too(void **state)
{
	struct desk *desk = *state;

	start_kept(desk);
	greet(desk);
	int client = client_connect(desk);
	cJSON *answer = call(client, "server.upgrade", "");

	assert_non_null(cJSON_GetObjectItem(answer, "result"));
	cJSON_Delete(answer);
	(void)close(client);
	assert_int_equal(hear(desk).head.type, BH_WIRE_UPGRADE);
	assert_int_equal(ended(desk), BH_WIRE_EXIT_RESTART);
}

static void a_store_that_cannot_be_opened_is_complained_of(void **state)
{
	struct desk *desk = *state;
	char *command = bh_xasprintf("umask 077; mkdir -p %s/h/test/mail.db/x", desk->folder);

	assert_int_equal(system(command), 0);
	start_kept(desk);
	assert_int_equal(hear(desk).head.type, BH_WIRE_COMPLAIN);
	assert_int_equal(ended(desk), BH_WIRE_EXIT_HOPELESS);
	free(command);
}

static void without_a_keeper_it_ends(void **state)
{
	struct desk *desk = *state;

	start_kept(desk);
	greet(desk);
	(void)close(client_connect(desk));
	(void)close(desk->keeper);
	desk->keeper = -1;
	assert_int_equal(ended(desk), EXIT_FAILURE);
}

static void a_socket_that_cannot_be_made_is_complained_of(void **state)
{
	struct desk *desk = *state;
	char *command = bh_xasprintf("umask 077; mkdir -p %s/r/test/server.sock/x", desk->folder);

	// A folder with something in it stands in its place.
	assert_int_equal(system(command), 0);
	start_kept(desk);
	greet(desk);
	union bh_wire heard = hear(desk);

	assert_int_equal(heard.head.type, BH_WIRE_COMPLAIN);
	assert_true(strlen(heard.as_COMPLAIN.text) > 0);
	assert_int_equal(ended(desk), BH_WIRE_EXIT_HOPELESS);
	free(command);
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		desk_test(bad_arguments_are_hopeless),
		desk_test(it_serves_and_stops_with_its_keeper),
		desk_test(a_term_signal_asks_for_a_new_one),
		desk_test(an_upgrade_is_the_keepers_too),
		desk_test(a_store_that_cannot_be_opened_is_complained_of),
		desk_test(without_a_keeper_it_ends),
		desk_test(a_socket_that_cannot_be_made_is_complained_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
