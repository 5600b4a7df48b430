#include "src/ui/viewer.h"

#include "fake-server.h"
#include "src/base/frame.h"
#include "src/base/mem.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** A session with a tab of two panes, and a link to a server that answers nothing. */
struct scene {
	char *dir;
	char *socket;
	struct bh_client_settings client;
	struct bh_link *link;
	struct bh_model_pane panes[2];
	struct bh_model_tab tab;
	struct bh_model model;
	struct bh_viewer viewer;
	pid_t server;
};

/** Answer the beginning, then count the requests until the link is closed. The exit status of the
 * fake says how many of each: ten for an attach, one for a detach. */
static void play_count(int fd, int connection, const char *dir)
{
	char line[2000];
	int count = 0;

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, "{\"id\":1,\"result\":{}}\n");
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, "{\"id\":2,\"result\":{}}\n");
	while (fake_server_read_line(fd, line, sizeof(line)) > 0) {
		count += strstr(line, "\"terminal.attach\"") != NULL &&
		                         strstr(line, "\"resize\":false") != NULL
		                 ? 10
		                 : 0;
		count += strstr(line, "\"terminal.detach\"") != NULL ? 1 : 0;
	}
	_exit(count);
}

static int scene_make(void **state)
{
	struct scene *scene = bh_xmalloc(sizeof(*scene));
	cJSON *result = NULL;

	scene->dir = fake_server_dir();
	scene->socket = bh_xasprintf("%s/server.sock", scene->dir);
	scene->client = (struct bh_client_settings){.socket_path = scene->socket};
	scene->link = bh_link_new(&scene->client);
	scene->panes[0] = (struct bh_model_pane){.terminal_id = "a", .is_visible = true};
	scene->panes[1] = (struct bh_model_pane){.terminal_id = "b", .is_visible = true};
	scene->tab = (struct bh_model_tab){
		.is_active = true, .focus = "a", .panes = scene->panes, .pane_count = 2};
	scene->model = (struct bh_model){.tabs = &scene->tab, .tab_count = 1};
	scene->server = fake_server_start(scene->dir, 1, play_count);
	*state = scene;
	if (bh_link_connect(scene->link, 1000, (struct bh_link_place){.cols = 80, .rows = 22},
	                    &result, NULL) != 0) {
		return 1;
	}
	cJSON_Delete(result);
	return 0;
}

static int scene_remove(void **state)
{
	struct scene *scene = *state;

	bh_viewer_clear(&scene->viewer);
	bh_link_free(scene->link);
	fake_server_dir_remove(scene->dir);
	free(scene->socket);
	free(scene);
	return 0;
}

/** The server's answer to the attach of @name. */
static void open_stream(struct scene *scene, const char *name, int stream)
{
	cJSON *params = cJSON_CreateObject();
	cJSON *result = cJSON_CreateObject();

	(void)cJSON_AddStringToObject(params, "name", name);
	(void)cJSON_AddNumberToObject(result, "stream", stream);
	bh_viewer_opened(&scene->viewer, params, result, scene->link);
	cJSON_Delete(params);
	cJSON_Delete(result);
}

static struct bh_view *give_snapshot(struct scene *scene, uint16_t stream)
{
	struct bh_frame_snapshot snapshot = {.size = {20, 5}, .repaint = bh_span_of("x")};
	struct bh_buf frame = {0};
	struct bh_conn_item item = {
		.kind = BH_CONN_FRAME, .type = BH_FRAME_SNAPSHOT, .stream = stream};
	struct bh_view *view = NULL;
	int rc = 0;

	bh_frame_append_snapshot(&frame, stream, &snapshot);
	item.bytes = (struct bh_span){.data = frame.data + BH_FRAME_HEADER,
	                              .len = frame.len - BH_FRAME_HEADER};
	view = bh_viewer_take(&scene->viewer, &item, 1, &rc);
	bh_buf_clear(&frame);
	assert_int_equal(rc, 0);
	return view;
}

/** Hang up; what the server counted. */
static int count_requests(struct scene *scene)
{
	assert_int_equal(bh_link_pump(scene->link), 0);
	bh_link_close(scene->link);
	return fake_server_wait(scene->server);
}

static void panes_in_view_have_streams(void **state)
{
	struct scene *scene = *state;

	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	bh_viewer_follow(&scene->viewer, &scene->model, scene->link); // asks for nothing twice
	assert_int_equal(scene->viewer.count, 2);
	assert_true(bh_viewer_is_waiting(&scene->viewer));
	open_stream(scene, "a", 4);
	open_stream(scene, "b", 5);
	assert_string_equal(give_snapshot(scene, 5)->terminal_id, "b");
	assert_null(give_snapshot(scene, 6));
	assert_true(bh_viewer_is_waiting(&scene->viewer));
	assert_string_equal(give_snapshot(scene, 4)->terminal_id, "a");
	assert_false(bh_viewer_is_waiting(&scene->viewer));
	assert_int_equal(bh_viewer_due_ms(&scene->viewer), 0);
	// One is zoomed: the other leaves the view, and its stream is closed.
	scene->panes[1].is_visible = false;
	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	assert_int_equal(scene->viewer.count, 1);
	assert_null(bh_viewer_find(&scene->viewer, "b"));
	assert_int_equal(count_requests(scene), 21);
}

static void an_answer_too_late_is_closed(void **state)
{
	struct scene *scene = *state;

	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	scene->panes[1].is_visible = false;
	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	open_stream(scene, "b", 5);
	assert_null(give_snapshot(scene, 5));
	assert_int_equal(count_requests(scene), 21);
}

static void what_was_refused_or_lost_is_asked_again(void **state)
{
	struct scene *scene = *state;
	cJSON *params = cJSON_CreateObject();

	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	open_stream(scene, "a", 4);
	(void)give_snapshot(scene, 4);
	(void)cJSON_AddStringToObject(params, "name", "b");
	bh_viewer_refused(&scene->viewer, params);
	cJSON_Delete(params);
	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	// After another connection both are asked for; the screen stays until the new one comes.
	bh_viewer_restart(&scene->viewer);
	assert_null(give_snapshot(scene, 4));
	assert_non_null(bh_viewer_find(&scene->viewer, "a")->feed.screen);
	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	assert_int_equal(count_requests(scene), 50);
}

/** The server gives the number of a stream that ended to the next: its screen is that of another terminal. */
static void a_stream_that_ended_lets_go_of_its_number(void **state)
{
	struct scene *scene = *state;
	struct bh_buf frame = {0};
	struct bh_conn_item item = {.kind = BH_CONN_FRAME, .type = BH_FRAME_EXIT, .stream = 4};
	int rc = 0;

	scene->panes[1].is_visible = false;
	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	open_stream(scene, "a", 4);
	(void)give_snapshot(scene, 4);
	bh_frame_append_exit(&frame, 4, 0);
	item.bytes = (struct bh_span){.data = frame.data + BH_FRAME_HEADER,
	                              .len = frame.len - BH_FRAME_HEADER};
	assert_string_equal(bh_viewer_take(&scene->viewer, &item, 1, &rc)->terminal_id, "a");
	bh_buf_clear(&frame);
	assert_int_equal(rc, 0);
	assert_true(bh_viewer_find(&scene->viewer, "a")->stream < 0); // no keys go there
	assert_false(bh_viewer_is_opening(bh_viewer_find(&scene->viewer, "a")));
	// A pane beside it: what it shows is its own, and the other's end closes nothing of it.
	scene->panes[1].is_visible = true;
	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	open_stream(scene, "b", 4);
	assert_string_equal(give_snapshot(scene, 4)->terminal_id, "b");
	scene->panes[0].is_visible = false;
	bh_viewer_follow(&scene->viewer, &scene->model, scene->link);
	assert_string_equal(give_snapshot(scene, 4)->terminal_id, "b");
	assert_int_equal(count_requests(scene), 20);
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, scene_make, scene_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(panes_in_view_have_streams),
		SCENE_TEST(an_answer_too_late_is_closed),
		SCENE_TEST(what_was_refused_or_lost_is_asked_again),
		SCENE_TEST(a_stream_that_ended_lets_go_of_its_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
