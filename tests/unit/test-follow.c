// A command that stays on the line, against a server that plays a script.
#include "src/cmd/follow.h"

#include "fake-server.h"
#include "src/base/mem.h"
#include "src/cmd/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** Longest that a case may take (s): what goes wrong here waits for ever. */
#define LIMIT_S 20

static const struct bh_command command = {.name = "follow"};

/** What came. */
struct seen {
	unsigned begun;
	unsigned told;
	unsigned until;
};

static int on_begun(struct bh_follow *follow, const cJSON *result, void *user)
{
	struct seen *seen = user;

	(void)follow;
	assert_true(cJSON_IsObject(result));
	seen->begun++;
	return BH_FOLLOW_ON;
}

static int on_told(struct bh_follow *follow, const char *method, const cJSON *params, void *user)
{
	struct seen *seen = user;

	assert_string_equal(method, "thing.happened");
	assert_int_equal(cJSON_GetObjectItem(params, "n")->valueint, ++seen->told);
	bh_follow_send(follow, "thing.ack", NULL);
	return seen->told == seen->until ? 42 : BH_FOLLOW_ON;
}

static int follow(const char *dir, struct seen *seen)
{
	struct bh_cmd cmd = {.command = &command, .session = "default"};
	struct bh_follow_settings settings = {
		.method = "thing.follow", .begun = on_begun, .told = on_told, .user = seen};
	char *socket = bh_xasprintf("%s/server.sock", dir);
	int status;

	setenv("BELLHOP_SOCKET", socket, 1);
	setenv("BELLHOP_RUNTIME_DIR", dir, 1);
	(void)alarm(LIMIT_S);
	status = bh_follow_run(&cmd, &settings);
	(void)alarm(0);
	free(socket);
	return status;
}

/** The answer and what happens at once come in one piece. */
static void play_together(int fd, int connection, const char *dir)
{
	char line[1000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, "{\"id\":1,\"result\":{}}\n"
	                      "{\"method\":\"thing.happened\",\"params\":{\"n\":1}}\n");
	if (fake_server_read_line(fd, line, sizeof(line)) == 0 ||
	    strstr(line, "\"thing.ack\"") == NULL) {
		_exit(1);
	}
	fake_server_write(fd, "{\"id\":1000001,\"result\":{}}\n"
	                      "{\"method\":\"thing.happened\",\"params\":{\"n\":2}}\n");
	(void)fake_server_read_line(fd, line, sizeof(line)); // until it is closed
}

static void what_comes_with_the_answer_is_told(void **state)
{
	char *dir = fake_server_dir();
	pid_t server = fake_server_start(dir, 1, play_together);
	struct seen seen = {.until = 2};

	(void)state;
	assert_int_equal(follow(dir, &seen), 42);
	assert_int_equal(seen.begun, 1);
	assert_int_equal(fake_server_wait(server), 0);
	fake_server_dir_remove(dir);
}

/** Each connection tells one thing and ends. */
static void play_one(int fd, int connection, const char *dir)
{
	char line[1000];

	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	(void)snprintf(
		line, sizeof(line),
		"{\"id\":1,\"result\":{}}\n{\"method\":\"thing.happened\",\"params\":{\"n\":%d}}"
		"\n",
		connection + 1);
	fake_server_write(fd, line);
}

static void a_connection_that_ends_is_made_again(void **state)
{
	char *dir = fake_server_dir();
	pid_t server = fake_server_start(dir, 3, play_one);
	struct seen seen = {.until = 3};

	(void)state;
	assert_int_equal(follow(dir, &seen), 42);
	assert_int_equal(seen.begun, 3);
	assert_int_equal(fake_server_wait(server), 0);
	fake_server_dir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_with_the_answer_is_told),
		cmocka_unit_test(a_connection_that_ends_is_made_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
