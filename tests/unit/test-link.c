#include "src/ui/link.h"

#include "fake-server.h"
#include "src/base/clock.h"
#include "src/base/frame.h"
#include "src/base/mem.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** A folder for a fake server and a link to the session there. */
struct scene {
	char *dir;
	char *socket;
	struct bh_client_settings client;
	struct bh_link *link;
};

static int scene_make(void **state)
{
	struct scene *scene = bh_xmalloc(sizeof(*scene));

	scene->dir = fake_server_dir();
	scene->socket = bh_xasprintf("%s/server.sock", scene->dir);
	scene->client = (struct bh_client_settings){.socket_path = scene->socket};
	scene->link = bh_link_new(&scene->client);
	*state = scene;
	return 0;
}

static int scene_remove(void **state)
{
	struct scene *scene = *state;

	bh_link_free(scene->link);
	fake_server_dir_remove(scene->dir);
	free(scene->socket);
	free(scene);
	return 0;
}

/** Of the fake: read a line, which must have @wanted in it; answer. */
static void expect_line(int fd, const char *wanted, const char *answer)
{
	char line[2000];

	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, wanted) == NULL) {
		_exit(1);
	}
	fake_server_write(fd, answer);
}

static void expect_begin(int fd)
{
	expect_line(fd, "\"ui.attach\",\"params\":{\"cols\":80,\"rows\":22,\"observe\":false}",
	            "{\"id\":1,\"result\":{\"client\":1}}\n");
	expect_line(fd, "\"events.subscribe\"",
	            "{\"id\":2,\"result\":{\"layout\":{},\"terminals\":[]}}\n");
}

static int connect_link(struct scene *scene, struct bh_err *err)
{
	cJSON *result = NULL;
	int rc = bh_link_connect(scene->link, 1000, (struct bh_link_place){.cols = 80, .rows = 22},
	                         &result, err);

	assert_true(rc != 0 || cJSON_HasObjectItem(result, "layout"));
	cJSON_Delete(result);
	return rc;
}

/** The next event, half a minute at most. */
static struct bh_link_event next_event(struct scene *scene)
{
	struct bh_link_event event = {0};
	uint64_t deadline_ms = bh_clock_mono_ms() + 30000;
	int got = 0;

	while ((got = bh_link_next(scene->link, &event)) == 0) {
		struct pollfd at = {.fd = bh_link_fd(scene->link), .events = POLLIN};

		assert_true(bh_clock_mono_ms() < deadline_ms);
		(void)bh_link_pump(scene->link);
		(void)poll(&at, 1, 50);
	}
	assert_int_equal(got, 1);
	return event;
}

static void play_talk(int fd, int connection, const char *dir)
{
	struct bh_buf out = {0};
	char rest[64];

	(void)connection;
	(void)dir;
	expect_begin(fd);
	expect_line(fd, "\"tab.new\"",
	            "{\"method\":\"layout.changed\",\"params\":{\"version\":2}}\n");
	expect_line(fd, "\"pane.close\"",
	            "{\"id\":1000002,\"error\":{\"code\":-32000,\"message\":\"it is at work\","
	            "\"data\":{\"word\":\"needs_confirmation\"}}}\n"
	            "{\"id\":77,\"result\":{}}\n"
	            "{\"id\":1000001,\"result\":{\"tab\":3}}\n");
	bh_frame_append(&out, BH_FRAME_OUTPUT, 5, bh_span_of("text"));
	if (write(fd, out.data, out.len) != (ssize_t)out.len) {
		_exit(2);
	}
	bh_buf_clear(&out);
	// A frame of keys: its header and three bytes.
	if (read(fd, rest, sizeof(rest)) != BH_FRAME_HEADER + 3 || rest[2] != 5 ||
	    memcmp(rest + BH_FRAME_HEADER, "abc", 3) != 0) {
		_exit(3);
	}
}

static void answers_find_their_requests(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_talk);
	struct bh_link_event event;
	cJSON *params = cJSON_CreateObject();

	assert_false(bh_link_is_open(scene->link));
	assert_int_equal(bh_link_fd(scene->link), -1);
	assert_false(bh_link_request(scene->link, "tab.new", NULL));
	assert_int_equal(connect_link(scene, NULL), 0);
	(void)cJSON_AddStringToObject(params, "name", "a");
	assert_true(bh_link_request(scene->link, "tab.new", NULL));
	assert_true(bh_link_wants_write(scene->link));
	assert_true(bh_link_request(scene->link, "pane.close", params));
	event = next_event(scene);
	assert_int_equal(event.kind, BH_LINK_NOTIFICATION);
	assert_string_equal(event.method, "layout.changed");
	event = next_event(scene);
	assert_int_equal(event.kind, BH_LINK_REFUSAL);
	assert_string_equal(event.method, "pane.close");
	assert_string_equal(event.word, "needs_confirmation");
	assert_string_equal(event.message, "it is at work");
	assert_true(cJSON_HasObjectItem(event.params, "name"));
	// The answer to nobody's request is passed over.
	event = next_event(scene);
	assert_int_equal(event.kind, BH_LINK_RESULT);
	assert_string_equal(event.method, "tab.new");
	assert_true(cJSON_HasObjectItem(event.result, "tab"));
	event = next_event(scene);
	assert_int_equal(event.kind, BH_LINK_FRAME);
	assert_int_equal(event.frame.stream, 5);
	assert_memory_equal(event.frame.bytes.data, "text", 4);
	bh_link_keys(scene->link, 5, bh_span_of("abc"));
	// The server may have read them and gone before we look.
	int rc = bh_link_pump(scene->link);
	assert_true(rc == 0 || rc == BH_ECLOSED);
	assert_int_equal(fake_server_wait(server), 0);
}

static void play_refusal(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	expect_line(fd, "ui.attach",
	            "{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"only with observe\","
	            "\"data\":{\"word\":\"denied\"}}}\n");
}

static void a_refused_attach_is_no_connection(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_refusal);
	struct bh_err err = {0};

	assert_int_equal(connect_link(scene, &err), BH_EDENIED);
	assert_string_equal(err.text, "only with observe");
	assert_false(bh_link_is_open(scene->link));
	assert_int_equal(fake_server_wait(server), 0);
}

static void play_end(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	expect_begin(fd);
	fake_server_write(fd, "{\"method\":\"session.notice\",\"params\":{\"text\":\"bye\"}}\n");
}

static void the_last_words_of_a_server_are_heard(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 2, play_end);
	struct bh_link_event event;

	for (int i = 0; i < 2; i++) {
		int rc = 0;

		assert_int_equal(connect_link(scene, NULL), 0);
		while (rc == 0) {
			rc = bh_link_pump(scene->link);
		}
		assert_int_equal(rc, BH_ECLOSED);
		assert_int_equal(bh_link_next(scene->link, &event), 1);
		assert_string_equal(event.method, "session.notice");
		bh_link_close(scene->link);
		assert_int_equal(bh_link_next(scene->link, &event), 0);
		assert_int_equal(bh_link_pump(scene->link), BH_ECLOSED);
	}
	assert_int_equal(fake_server_wait(server), 0);
}

// ------------------------------------------------------------------------------- reconnecting

/** Steps until it is no longer under way; half a minute at most. */
static int reconnect_link(struct scene *scene, struct bh_link_place place, struct bh_err *err)
{
	uint64_t deadline_ms = bh_clock_mono_ms() + 30000;
	cJSON *result = NULL;
	int rc = BH_LINK_UNDERWAY;

	while (rc == BH_LINK_UNDERWAY) {
		rc = bh_link_reconnect(scene->link, place, &result, err);

		struct pollfd at = {.fd = bh_link_fd(scene->link), .events = POLLIN};

		assert_true(bh_clock_mono_ms() < deadline_ms);
		assert_true((rc >= 0) == (at.fd >= 0));
		assert_true(bh_link_is_open(scene->link) == (rc == 0));
		if (rc == BH_LINK_UNDERWAY) {
			(void)poll(&at, 1, 50);
		}
	}
	assert_true(rc != 0 || cJSON_HasObjectItem(result, "layout"));
	cJSON_Delete(result);
	return rc;
}

static void play_reconnect(int fd, int connection, const char *dir)
{
	if (connection == 0) {
		return; // it dies before it has answered
	}
	fake_server_await(dir);
	expect_line(fd, "\"ui.attach\",\"params\":{\"cols\":80,\"rows\":22,\"observe\":false}",
	            "{\"id\":77,\"result\":{}}\n{\"id\":1,\"result\":{\"client\":1}}\n");
	expect_line(fd, "\"events.subscribe\"",
	            "{\"id\":2,\"result\":{\"layout\":{},\"terminals\":[]}}\n"
	            "{\"method\":\"session.notice\",\"params\":{\"text\":\"hello\"}}\n");
	expect_line(fd, "\"ui.size\",\"params\":{\"cols\":70,\"rows\":20}",
	            "{\"id\":1000001,\"result\":{}}\n");
}

static void reconnecting_goes_by_steps(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 2, play_reconnect);
	const struct bh_link_place place = {.cols = 80, .rows = 22};
	struct bh_err err = {0};
	cJSON *result = NULL;

	assert_int_equal(reconnect_link(scene, place, &err), BH_ECLOSED);
	assert_non_null(strstr(err.text, "talk to the server"));
	// The window was made smaller meanwhile: the server hears of it, after the first answers.
	assert_int_equal(bh_link_reconnect(scene->link, place, &result, &err), BH_LINK_UNDERWAY);
	assert_false(bh_link_is_open(scene->link));
	assert_false(bh_link_request(scene->link, "tab.new", NULL));
	bh_link_keys(scene->link, 5, bh_span_of("nobody's"));
	fake_server_go(scene->dir);
	assert_int_equal(
		reconnect_link(scene, (struct bh_link_place){.cols = 70, .rows = 20}, &err), 0);
	assert_string_equal(next_event(scene).method, "session.notice");
	assert_string_equal(next_event(scene).method, "ui.size");
	assert_int_equal(fake_server_wait(server), 0);
	// Nobody is there any more.
	bh_link_close(scene->link);
	assert_int_equal(reconnect_link(scene, place, &err), -ECONNREFUSED);
}

static void a_refused_attach_ends_reconnecting_too(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_refusal);
	struct bh_err err = {0};

	assert_int_equal(
		reconnect_link(scene, (struct bh_link_place){.cols = 80, .rows = 22}, &err),
		BH_EDENIED);
	assert_string_equal(err.text, "only with observe");
	assert_int_equal(fake_server_wait(server), 0);
}

static void play_noise(int fd, int connection, const char *dir)
{
	(void)dir;
	expect_line(fd, "ui.attach", connection == 0 ? "{\"id\":1}\n" : "noise\n");
}

static void noise_ends_it(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 2, play_noise);
	const struct bh_link_place place = {.cols = 80, .rows = 22};

	assert_int_equal(reconnect_link(scene, place, NULL), BH_EPROTOCOL);
	assert_int_equal(reconnect_link(scene, place, NULL), BH_EPROTOCOL);
	assert_int_equal(fake_server_wait(server), 0);
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, scene_make, scene_remove)

static void play_deaf(int fd, int connection, const char *dir)
{
	char rest[64];

	(void)connection;
	(void)dir;
	expect_begin(fd);
	while (read(fd, rest, sizeof(rest)) > 0) {
	}
}

static void what_a_lost_server_did_not_answer_is_refused(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_deaf);
	struct bh_link_event event;

	assert_false(bh_link_give_up(scene->link, &event));
	assert_int_equal(connect_link(scene, NULL), 0);
	assert_true(bh_link_request(scene->link, "tab.new", NULL));
	assert_true(bh_link_request_for(scene->link, 7, "mail.history", NULL));
	assert_true(bh_link_give_up(scene->link, &event));
	assert_int_equal(event.kind, BH_LINK_REFUSAL);
	assert_int_equal(event.asker, 7);
	assert_string_equal(event.method, "mail.history");
	assert_true(bh_link_give_up(scene->link, &event));
	assert_int_equal(event.asker, 0);
	assert_false(bh_link_give_up(scene->link, &event));
	bh_link_close(scene->link);
	assert_int_equal(fake_server_wait(server), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(answers_find_their_requests),
		SCENE_TEST(a_refused_attach_is_no_connection),
		SCENE_TEST(the_last_words_of_a_server_are_heard),
		SCENE_TEST(reconnecting_goes_by_steps),
		SCENE_TEST(a_refused_attach_ends_reconnecting_too),
		SCENE_TEST(noise_ends_it),
		SCENE_TEST(what_a_lost_server_did_not_answer_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
