#include "src/client/client.h"

#include "fake-server.h"
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/mem.h"
#include "src/client/conn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/** A folder, a client's settings for it, and the fake. */
struct scene {
	char *dir;
	char *socket;
	struct bh_client_settings settings;
	struct bh_client *client;
	pid_t server;
};

static int scene_make(void **state)
{
	struct scene *scene = bh_xmalloc(sizeof(*scene));

	scene->dir = fake_server_dir();
	scene->socket = bh_xasprintf("%s/server.sock", scene->dir);
	scene->settings =
		(struct bh_client_settings){.socket_path = scene->socket, .token = "secret"};
	*state = scene;
	return 0;
}

static int scene_remove(void **state)
{
	struct scene *scene = *state;

	bh_client_close(scene->client);
	fake_server_dir_remove(scene->dir);
	free(scene->socket);
	free(scene);
	return 0;
}

static void scene_play(struct scene *scene, int connections, fake_server_play play)
{
	scene->server = fake_server_start(scene->dir, connections, play);
	assert_int_equal(bh_client_open(&scene->settings, &scene->client, NULL), 0);
}

static int scene_call(struct scene *scene, bool is_repeatable, cJSON **result, struct bh_err *err)
{
	struct bh_client_call call = {.method = "echo",
	                              .params = cJSON_CreateObject(),
	                              .timeout_ms = 5000,
	                              .is_repeatable = is_repeatable};

	return bh_client_do(scene->client, &call, result, err);
}

/** Frames, a foreign answer and a notification come before the answer. */
static void play_answer(int fd, int connection, const char *dir)
{
	char line[1000];

	(void)connection;
	(void)dir;
	if (fake_server_read_line(fd, line, sizeof(line)) == 0 ||
	    strcmp(line,
	           "{\"jsonrpc\":\"2.0\",\"protocol\":1,\"id\":1,\"method\":\"echo\",\"params\":{},"
	           "\"token\":\"secret\"}") != 0) {
		_exit(1);
	}
	if (write(fd, "\0\1\1\0\2\0\0\0\n{", 10) != 10) {
		_exit(2);
	}
	fake_server_write(fd, "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":0}\n"
	                      "{\"jsonrpc\":\"2.0\",\"id\":77,\"error\":{\"code\":1}}\n"
	                      "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n"
	                      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"n\":42}}\n");
}

static void the_answer_is_found_among_others(void **state)
{
	struct scene *scene = *state;
	cJSON *result = NULL;

	scene_play(scene, 1, play_answer);
	assert_int_equal(scene_call(scene, false, &result, NULL), 0);
	assert_int_equal(cJSON_GetObjectItem(result, "n")->valueint, 42);
	assert_string_equal(bh_client_fault(scene->client), "");
	cJSON_Delete(result);
	assert_int_equal(fake_server_wait(scene->server), 0);
}

static void play_fault(int fd, int connection, const char *dir)
{
	char line[1000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, "{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"held by ci\","
	                      "\"data\":{\"word\":\"identity_taken\",\"by\":\"ci\"}}}\n");
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, "{\"id\":2,\"error\":{\"code\":-32601,\"message\":\"no echo\"}}\n");
}

static void an_error_answer_keeps_its_word(void **state)
{
	struct scene *scene = *state;
	struct bh_err err = {0};
	cJSON *result = NULL;

	scene_play(scene, 1, play_fault);
	assert_int_equal(scene_call(scene, false, &result, &err), BH_EDENIED);
	assert_string_equal(err.text, "held by ci");
	assert_string_equal(bh_client_fault(scene->client), "identity_taken");
	assert_non_null(cJSON_GetObjectItem(bh_client_fault_data(scene->client), "by"));
	assert_null(result);

	// The next call forgets it; an unknown method means an old server.
	assert_int_equal(scene_call(scene, false, &result, &err), BH_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "newer than the server"));
	assert_string_equal(bh_client_fault(scene->client), "");
}

/** Reads the request and ends the first connection without an answer. */
static void play_break(int fd, int connection, const char *dir)
{
	char line[1000];

	(void)dir;
	if (fake_server_read_line(fd, line, sizeof(line)) == 0) {
		_exit(4);
	}
	if (connection > 0) {
		fake_server_write(fd, "{\"id\":1,\"result\":{}}\n");
	}
}

static void a_repeatable_call_is_sent_again(void **state)
{
	struct scene *scene = *state;
	cJSON *result = NULL;

	scene_play(scene, 2, play_break);
	assert_int_equal(scene_call(scene, true, &result, NULL), 0);
	cJSON_Delete(result);
	assert_int_equal(fake_server_wait(scene->server), 0);
}

/** Answers one request on each connection and ends it. */
static void play_one(int fd, int connection, const char *dir)
{
	char line[1000];
	char answer[64];

	(void)dir;
	if (fake_server_read_line(fd, line, sizeof(line)) == 0) {
		_exit(4);
	}
	(void)snprintf(answer, sizeof(answer), "{\"id\":%d,\"result\":{}}\n", connection + 1);
	fake_server_write(fd, answer);
}

/** A server may end a connection on which nothing is open; what was never sent can be sent anew. */
static void a_call_after_the_end_of_an_idle_connection_is_made_on_a_new_one(void **state)
{
	struct scene *scene = *state;
	cJSON *result = NULL;

	scene_play(scene, 2, play_one);
	assert_int_equal(scene_call(scene, false, &result, NULL), 0);
	cJSON_Delete(result);

	struct pollfd ended = {.fd = bh_conn_fd(bh_client_conn(scene->client)), .events = POLLIN};

	assert_int_equal(poll(&ended, 1, 20000), 1);
	assert_int_equal(scene_call(scene, false, &result, NULL), 0);
	cJSON_Delete(result);
	assert_int_equal(fake_server_wait(scene->server), 0);
}

/** Keeps the first request waiting, ends, and is asked again for less. */
static void play_wait(int fd, int connection, const char *dir)
{
	char line[1000];
	const char *at = NULL;
	long ms = 0;

	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	at = strstr(line, "\"timeout_ms\":");
	ms = at == NULL ? -1 : strtol(at + 13, NULL, 10);
	if (connection == 0) {
		(void)poll(NULL, 0, 80);
		if (ms != 3000) {
			_exit(1);
		}
		return;
	}
	if (ms < 1 || ms > 2930 || strstr(line, "\"name\":\"a\"") == NULL) {
		_exit(2);
	}
	fake_server_write(fd, "{\"id\":1,\"result\":{}}\n");
}

static void a_wait_goes_on_for_what_is_left(void **state)
{
	struct scene *scene = *state;
	struct bh_client_call call = {.method = "wait",
	                              .params = cJSON_CreateObject(),
	                              .timeout_ms = 5000,
	                              .is_repeatable = true,
	                              .wait_param = "timeout_ms"};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(call.params, "name", "a");
	(void)cJSON_AddNumberToObject(call.params, "timeout_ms", 3000);
	scene_play(scene, 2, play_wait);
	assert_int_equal(bh_client_do(scene->client, &call, &result, NULL), 0);
	cJSON_Delete(result);
	assert_int_equal(fake_server_wait(scene->server), 0);
}

/** The server is away for longer than one looks for it. */
static void play_return(int fd, int connection, const char *dir)
{
	char line[1000];
	char *here = bh_xasprintf("%s/server.sock", dir);
	char *away = bh_xasprintf("%s/away", dir);

	(void)fake_server_read_line(fd, line, sizeof(line));
	if (connection > 0) {
		fake_server_write(fd, "{\"id\":1,\"result\":{}}\n");
	} else if (rename(here, away) == 0 && shutdown(fd, SHUT_RDWR) == 0) {
		(void)poll(NULL, 0, 700);
		(void)rename(away, here);
	}
	free(here);
	free(away);
}

static void a_wait_is_patient_with_a_server_that_is_away(void **state)
{
	struct scene *scene = *state;
	struct bh_client_call call = {.method = "wait",
	                              .timeout_ms = 5000,
	                              .is_repeatable = true,
	                              .wait_param = "timeout_ms"};
	cJSON *result = NULL;

	// A spool is for callers that a sandbox keeps from the socket; this one was there.
	scene->settings.spool_dir = scene->dir;
	scene_play(scene, 2, play_return);
	assert_int_equal(bh_client_do(scene->client, &call, &result, NULL), 0);
	assert_false(bh_client_is_spool(scene->client));
	cJSON_Delete(result);
	assert_int_equal(fake_server_wait(scene->server), 0);
}

/** Servers that follow each other: each ends at once, until the last has been there for a while. */
static void play_followers(int fd, int connection, const char *dir)
{
	char line[1000];
	char *path = bh_xasprintf("%s/begin", dir);
	struct timespec now;
	struct stat begin;

	(void)fake_server_read_line(fd, line, sizeof(line));
	if (connection == 0) {
		close(open(path, O_CREAT | O_WRONLY, 0600));
	}
	(void)clock_gettime(CLOCK_REALTIME, &now);
	if (stat(path, &begin) == 0 &&
	    (now.tv_sec - begin.st_mtim.tv_sec) * 1000 +
	                    (now.tv_nsec - begin.st_mtim.tv_nsec) / 1000000 >
	            500) {
		fake_server_write(fd, "{\"id\":1,\"result\":{}}\n");
	}
	free(path);
}

static void a_wait_outlives_servers_that_follow_each_other(void **state)
{
	struct scene *scene = *state;
	struct bh_client_call call = {.method = "wait",
	                              .timeout_ms = 60000,
	                              .is_repeatable = true,
	                              .wait_param = "timeout_ms"};
	cJSON *result = NULL;

	scene_play(scene, 4, play_followers);
	assert_int_equal(bh_client_do(scene->client, &call, &result, NULL), 0);
	cJSON_Delete(result);
	kill(scene->server, SIGKILL); // it may have had fewer callers than it can take
	(void)fake_server_wait(scene->server);
}

static void another_call_is_not_sent_again(void **state)
{
	struct scene *scene = *state;
	struct bh_err err = {0};
	cJSON *result = NULL;

	scene_play(scene, 1, play_break);
	assert_int_equal(scene_call(scene, false, &result, &err), BH_ECLOSED);
	assert_non_null(strstr(err.text, "not known"));
	// The server saw one connection only and ended by itself.
	assert_int_equal(fake_server_wait(scene->server), 0);
}

static void play_break_always(int fd, int connection, const char *dir)
{
	char line[1000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
}

static void a_call_that_is_never_answered_may_have_been_done(void **state)
{
	struct scene *scene = *state;
	struct bh_err err = {0};
	cJSON *result = NULL;

	scene_play(scene, 4, play_break_always);
	assert_int_equal(scene_call(scene, true, &result, &err), BH_ECLOSED);
	assert_non_null(strstr(err.text, "3 times"));
	assert_non_null(strstr(err.text, "not known"));
	assert_int_equal(fake_server_wait(scene->server), 0);
}

static void play_silence(int fd, int connection, const char *dir)
{
	char line[1000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	(void)fake_server_read_line(fd, line, sizeof(line));
}

static void a_silent_server_runs_into_the_limit(void **state)
{
	struct scene *scene = *state;
	struct bh_client_call call = {.method = "echo", .timeout_ms = 40, .is_repeatable = true};
	struct bh_err err = {0};
	cJSON *result = NULL;

	scene_play(scene, 1, play_silence);
	assert_int_equal(bh_client_do(scene->client, &call, &result, &err), BH_ETIMEOUT);
}

static void play_garbage(int fd, int connection, const char *dir)
{
	char line[1000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, "HTTP/1.1 400 Bad Request\r\n");
	(void)fake_server_read_line(fd, line, sizeof(line));
}

static void garbage_is_no_answer(void **state)
{
	struct scene *scene = *state;
	struct bh_err err = {0};
	cJSON *result = NULL;

	scene_play(scene, 1, play_garbage);
	assert_int_equal(scene_call(scene, true, &result, &err), BH_EPROTOCOL);
}

static void too_long_a_request_is_refused_here(void **state)
{
	struct scene *scene = *state;
	char *body = bh_xmalloc(1100 * 1024);
	struct bh_client_call call = {
		.method = "echo", .params = cJSON_CreateObject(), .timeout_ms = 1000};
	cJSON *result = NULL;

	memset(body, 'a', 1100 * 1024 - 1);
	(void)cJSON_AddStringToObject(call.params, "body", body);
	free(body);
	scene_play(scene, 1, play_silence);
	assert_int_equal(bh_client_do(scene->client, &call, &result, NULL), BH_ELIMIT);
}

static void the_keepers_words_explain_an_absent_server(void **state)
{
	struct scene *scene = *state;
	char *path = bh_xasprintf("%s/keeper.state", scene->dir);
	struct bh_err err = {0};

	scene->settings.keeper_state_path = path;
	assert_int_equal(bh_client_open(&scene->settings, &scene->client, &err), -ENOENT);
	assert_non_null(strstr(err.text, "bellhop server start"));
	assert_int_equal(bh_file_replace(path, bh_span_of("the server crashed 5 times\n"), 0600,
	                                 BH_FILE_ATOMIC, NULL),
	                 0);
	assert_int_equal(bh_client_open(&scene->settings, &scene->client, &err), -ENOENT);
	assert_string_equal(err.text, "the server crashed 5 times");
	scene->settings.server_log_path = "/state/server.log";
	assert_int_equal(bh_client_open(&scene->settings, &scene->client, &err), -ENOENT);
	assert_string_equal(err.text, "the server crashed 5 times; its log is /state/server.log");
	assert_int_equal(bh_client_open(&scene->settings, &scene->client, NULL), -ENOENT);
	free(path);
}

/** Hold the lock of a session, as a keeper does, and stop. */
static pid_t keeper_stop(const char *path)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

		if (flock(fd, LOCK_EX) != 0 || fcntl(fd, F_SETLK, &lock) != 0) {
			_exit(1);
		}
		(void)raise(SIGSTOP);
		(void)pause();
	}
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	return pid;
}

static void the_advice_is_about_the_keeper_that_lives(void **state)
{
	struct scene *scene = *state;
	char *path = bh_xasprintf("%s/keeper.lock", scene->dir);
	pid_t pid = keeper_stop(path);
	char *advice = bh_xasprintf("`kill -CONT %d`", (int)pid);
	struct bh_err err = {0};

	scene->settings.keeper_lock_path = path;
	assert_int_not_equal(bh_client_open(&scene->settings, &scene->client, &err), 0);
	assert_non_null(strstr(err.text, advice));
	assert_int_equal(kill(pid, SIGCONT), 0);
	assert_int_equal(waitpid(pid, NULL, WCONTINUED), pid);
	assert_int_not_equal(bh_client_open(&scene->settings, &scene->client, &err), 0);
	assert_non_null(strstr(err.text, "bellhop server stop --force"));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_not_equal(bh_client_open(&scene->settings, &scene->client, &err), 0);
	assert_non_null(strstr(err.text, "bellhop server start"));
	free(advice);
	free(path);
}

/** With a spool and a token an absent socket leads to the spool. */
static void a_sandboxed_caller_uses_the_spool(void **state)
{
	struct scene *scene = *state;
	struct bh_client_call call = {.method = "echo", .timeout_ms = 30};
	struct bh_err err = {0};
	cJSON *result = NULL;

	scene->settings.spool_dir = scene->dir;
	assert_int_equal(bh_client_open(&scene->settings, &scene->client, NULL), 0);
	assert_true(bh_client_is_spool(scene->client));
	assert_null(bh_client_conn(scene->client));
	assert_int_equal(bh_client_do(scene->client, &call, &result, &err), BH_ETIMEOUT);
	assert_non_null(strstr(err.text, "spool"));
	bh_client_close(scene->client);
	scene->client = NULL;

	// Without a token the server could not know the caller: no spool.
	scene->settings.token = NULL;
	assert_int_equal(bh_client_open(&scene->settings, &scene->client, NULL), -ENOENT);
}

int main(void)
{
#define SCENE(name) cmocka_unit_test_setup_teardown(name, scene_make, scene_remove)
	const struct CMUnitTest tests[] = {
		SCENE(the_answer_is_found_among_others),
		SCENE(an_error_answer_keeps_its_word),
		SCENE(a_repeatable_call_is_sent_again),
		SCENE(a_call_after_the_end_of_an_idle_connection_is_made_on_a_new_one),
		SCENE(a_wait_goes_on_for_what_is_left),
		SCENE(a_wait_is_patient_with_a_server_that_is_away),
		SCENE(a_wait_outlives_servers_that_follow_each_other),
		SCENE(another_call_is_not_sent_again),
		SCENE(a_call_that_is_never_answered_may_have_been_done),
		SCENE(a_silent_server_runs_into_the_limit),
		SCENE(garbage_is_no_answer),
		SCENE(too_long_a_request_is_refused_here),
		SCENE(the_keepers_words_explain_an_absent_server),
		SCENE(the_advice_is_about_the_keeper_that_lives),
		SCENE(a_sandboxed_caller_uses_the_spool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
