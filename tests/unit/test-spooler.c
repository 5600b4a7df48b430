#include "src/server/spooler.h"

#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/server/rpc_server.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/** A server whose one terminal has the folder `folder` and the token "secret". */
struct fixture {
	uv_loop_t loop;
	struct bh_rpc *rpc;
	struct bh_spooler *spool;
	struct bh_callers_world callers;
	char root[64], folder[96], socket[96];
	/** What method `later` keeps. */
	struct bh_request *kept[256];
	size_t kept_count;
};

static const struct bh_uuid terminal = {{1}};

static void method_hello(struct bh_request *request)
{
	cJSON *result = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "by",
	                        bh_caller_proof_word(bh_request_caller(request)->proof));
	bh_request_answer(request, result);
}

static void method_later(struct bh_request *request)
{
	struct fixture *fixture = (struct fixture *)(void *)bh_request_server(request);

	fixture->kept[fixture->kept_count++] = request;
}

/** Answers how long it is to wait. */
static void method_wait(struct bh_request *request)
{
	int64_t wait_ms = 0;

	if (bh_request_wait(request, "timeout_ms", 60000, 1000000, &wait_ms)) {
		cJSON *result = cJSON_CreateObject();

		cJSON_AddNumberToObject(result, "left", (double)wait_ms);
		bh_request_answer(request, result);
	}
}

static const struct bh_method methods[] = {
	{"wait", BH_METHOD_INSIDE, method_wait},
	{"hello", BH_METHOD_INSIDE, method_hello},
	{"later", BH_METHOD_INSIDE, method_later},
	{NULL, 0, NULL},
};

static bool world_terminal_of_token(void *user, const char *token, struct bh_uuid *id_out)
{
	(void)user;
	*id_out = terminal;
	return strcmp(token, "secret") == 0;
}

static bool world_is_token_refused(void *user, const struct bh_uuid *id)
{
	(void)user;
	(void)id;
	return false;
}

static void fixture_open(struct fixture *fixture)
{
	*fixture = (struct fixture){.kept_count = 0};
	// Without a pid nothing else of the world is asked.
	fixture->callers = (struct bh_callers_world){
		.terminal_of_token = world_terminal_of_token,
		.is_token_refused = world_is_token_refused,
	};
	(void)snprintf(fixture->root, sizeof fixture->root, "/tmp/bh-spool-XXXXXX");
	assert_non_null(mkdtemp(fixture->root));
	(void)snprintf(fixture->folder, sizeof fixture->folder, "%s/t", fixture->root);
	(void)snprintf(fixture->socket, sizeof fixture->socket, "%s/s", fixture->root);
	assert_int_equal(mkdir(fixture->folder, 0700), 0);
	assert_int_equal(uv_loop_init(&fixture->loop), 0);
	assert_int_equal(
		bh_rpc_start(
			&(struct bh_rpc_settings){.server = (struct bh_server *)(void *)fixture,
	                                          .methods = methods,
	                                          .world = &fixture->callers,
	                                          .loop = &fixture->loop,
	                                          .path = fixture->socket},
			&fixture->rpc, NULL),
		0);
	fixture->spool = bh_spooler_new(&fixture->loop, fixture->rpc);
}

static void fixture_close(struct fixture *fixture)
{
	bh_spooler_remove(fixture->spool, &terminal);
	bh_spooler_close(fixture->spool);
	bh_rpc_close(fixture->rpc);
	(void)uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&fixture->loop), 0);
	assert_int_equal(access(fixture->folder, F_OK), -1);
	(void)unlink(fixture->socket);
	assert_int_equal(rmdir(fixture->root), 0);
}

static char *folder_path(const struct fixture *fixture, const char *name)
{
	return bh_xasprintf("%s/%s", fixture->folder, name);
}

// As a client does it: a temporary name, then the real one.
static void request_put(const struct fixture *fixture, const char *unique, const char *text)
{
	char *name = bh_xasprintf("req-%s.json", unique);
	char *path = folder_path(fixture, name);

	assert_int_equal(bh_file_replace(path, bh_span_of(text), 0600, BH_FILE_ATOMIC, NULL), 0);
	free(name);
	free(path);
}

static bool file_exists(const struct fixture *fixture, const char *name)
{
	char *path = folder_path(fixture, name);
	bool is_there = access(path, F_OK) == 0;

	free(path);
	return is_there;
}

// Wait for an answer; its text must hold @part.
static void assert_answer(struct fixture *fixture, const char *unique, const char *part)
{
	char *name = bh_xasprintf("ans-%s.json", unique);
	char *path = folder_path(fixture, name);
	struct bh_buf text = {0};

	while (!file_exists(fixture, name)) {
		(void)uv_run(&fixture->loop, UV_RUN_ONCE);
	}
	assert_int_equal(bh_file_read(path, BH_LIMIT_LINE, &text, NULL), 0);
	if (strstr(text.data, part) == NULL) {
		fail_msg("%s: %s", unique, text.data);
	}
	bh_buf_clear(&text);
	free(path);
	free(name);
}

static void requests_are_answered_and_removed(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	// One that was there before, one that comes later.
	request_put(&fixture, "a",
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\","
	            "\"token\":\"secret\"}");
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	assert_answer(&fixture, "a", "\"by\":\"token\"");
	request_put(&fixture, "b-2_X",
	            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hello\","
	            "\"token\":\"secret\"}");
	assert_answer(&fixture, "b-2_X", "\"id\":2");
	assert_false(file_exists(&fixture, "req-a.json"));
	assert_false(file_exists(&fixture, "req-b-2_X.json"));
	fixture_close(&fixture);
}

static void bad_requests_get_an_error(void **state)
{
	static const struct {
		const char *unique, *text, *part;
	} rows[] = {
		{"a", "", "\"parse\""},
		{"b", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}", "\"unverified\""},
		{"c", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"token\":\"guess\"}",
	         "\"unverified\""},
		{"d", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"token\":\"secret\"}",
	         "\"method\""},
	};
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		request_put(&fixture, rows[i].unique, rows[i].text);
		assert_answer(&fixture, rows[i].unique, rows[i].part);
	}
	fixture_close(&fixture);
}

static void what_is_no_plain_file_is_not_read(void **state)
{
	struct fixture fixture;
	char *link = NULL;

	(void)state;
	fixture_open(&fixture);
	link = folder_path(&fixture, "req-link.json");
	assert_int_equal(symlink("/etc/passwd", link), 0);
	free(link);
	link = folder_path(&fixture, "req-pipe.json");
	assert_int_equal(mkfifo(link, 0600), 0);
	free(link);
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	assert_answer(&fixture, "link", "\"parse\"");
	assert_answer(&fixture, "pipe", "\"parse\"");
	assert_int_equal(access("/etc/passwd", F_OK), 0);
	fixture_close(&fixture);
}

static void other_names_are_left_alone(void **state)
{
	static const char *const names[] = {"req-.json", "req-a b.json", "req-a.json.tmp",
	                                    "xreq-a.json", "req-a.jso"};
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *path = folder_path(&fixture, names[i]);

		(void)close(open(path, O_CREAT | O_WRONLY, 0600));
		free(path);
	}
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	request_put(&fixture, "z", "{}");
	assert_answer(&fixture, "z", "\"request\"");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		assert_true(file_exists(&fixture, names[i]));
	}
	fixture_close(&fixture);
}

static void a_full_folder_is_busy(void **state)
{
	struct fixture fixture;
	char unique[16];

	(void)state;
	fixture_open(&fixture);
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	for (int i = 0; i < BH_SPOOLER_REQUESTS_MAX; i++) {
		(void)snprintf(unique, sizeof unique, "r%d", i);
		request_put(&fixture, unique,
		            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\","
		            "\"token\":\"secret\"}");
	}
	while (fixture.kept_count < BH_SPOOLER_REQUESTS_MAX) {
		(void)uv_run(&fixture.loop, UV_RUN_ONCE);
	}
	request_put(&fixture, "more",
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\","
	            "\"token\":\"secret\"}");
	assert_answer(&fixture, "more", "\"busy\"");
	// What is under way is not done twice, and is answered in the end.
	assert_int_equal(fixture.kept_count, BH_SPOOLER_REQUESTS_MAX);
	for (size_t i = 0; i < fixture.kept_count; i++) {
		bh_request_answer(fixture.kept[i], cJSON_CreateObject());
	}
	assert_answer(&fixture, "r0", "\"result\"");
	fixture_close(&fixture);
}

static void an_answer_after_the_end_is_dropped(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	request_put(&fixture, "a",
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\","
	            "\"token\":\"secret\"}");
	while (fixture.kept_count == 0) {
		(void)uv_run(&fixture.loop, UV_RUN_ONCE);
	}
	fixture_close(&fixture);
	bh_request_answer(fixture.kept[0], cJSON_CreateObject());
}

static void what_is_left_to_the_next_server_stays(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	request_put(&fixture, "a",
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\","
	            "\"token\":\"secret\"}");
	while (fixture.kept_count == 0) {
		(void)uv_run(&fixture.loop, UV_RUN_ONCE);
	}
	bh_request_leave(fixture.kept[0]);
	bh_spooler_close(fixture.spool);
	(void)uv_run(&fixture.loop, UV_RUN_NOWAIT);
	assert_true(file_exists(&fixture, "req-a.json"));
	assert_false(file_exists(&fixture, "ans-a.json"));
	// The next one answers it.
	fixture.spool = bh_spooler_new(&fixture.loop, fixture.rpc);
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	while (fixture.kept_count == 1) {
		(void)uv_run(&fixture.loop, UV_RUN_NOWAIT); // a timer finds it, and nothing follows
	}
	bh_request_answer(fixture.kept[1], cJSON_CreateObject());
	assert_answer(&fixture, "a", "result");
	fixture_close(&fixture);
}

/** Make a request as old as that. */
static void request_age(const struct fixture *fixture, const char *name, int seconds)
{
	char *path = folder_path(fixture, name);
	struct timespec times[2] = {{.tv_sec = time(NULL) - seconds},
	                            {.tv_sec = time(NULL) - seconds}};

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	free(path);
}

static void a_wait_goes_on_under_the_next_server_for_what_is_left(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	request_put(&fixture, "old",
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"wait\",\"token\":\"secret\","
	            "\"params\":{\"timeout_ms\":1000000}}");
	request_age(&fixture, "req-old.json", 901);
	// The whole time is over, or was never limited.
	request_put(&fixture, "over",
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"wait\",\"token\":\"secret\"}");
	request_age(&fixture, "req-over.json", 900);
	request_put(&fixture, "ever",
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"wait\",\"token\":\"secret\","
	            "\"params\":{\"timeout_ms\":0}}");
	request_age(&fixture, "req-ever.json", 900);
	bh_spooler_watch(fixture.spool, &terminal, fixture.folder);
	assert_answer(&fixture, "old", "\"left\":9"); // 99 s, less what the test takes
	assert_answer(&fixture, "over", "\"left\":1}");
	assert_answer(&fixture, "ever", "\"left\":0}");
	request_put(&fixture, "new",
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"wait\",\"token\":\"secret\"}");
	assert_answer(&fixture, "new", "\"left\":60000}");
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_answered_and_removed),
		cmocka_unit_test(bad_requests_get_an_error),
		cmocka_unit_test(what_is_no_plain_file_is_not_read),
		cmocka_unit_test(other_names_are_left_alone),
		cmocka_unit_test(a_full_folder_is_busy),
		cmocka_unit_test(what_is_left_to_the_next_server_stays),
		cmocka_unit_test(an_answer_after_the_end_is_dropped),
		cmocka_unit_test(a_wait_goes_on_under_the_next_server_for_what_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
