// The mouse in the UI, against a played server. Covers: src/ui/app_mouse.
#include "src/ui/app.h"

#include "app-scene.h"
#include "fake-session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 80,
	ROWS = 14
};

/** The session: two tabs; in the first "a" at the left, "b" at the right above "c". Places are of the
 * session's area; on the terminal there are 22 columns of sidebar and a row of tabs before it. */
#define LAYOUT(left, right, rest) \
	"{\"area\":{\"cols\":58,\"rows\":12},\"tabs\":[{\"id\":1,\"index\":1,\"name\":\"api\"," \
	"\"is_active\":true,\"focus\":\"a\",\"panes\":[{\"terminal_id\":\"a\",\"row\":1,\"col\":0," \
	"\"rows\":11,\"cols\":" #left \
	",\"is_visible\":true},{\"terminal_id\":\"b\",\"row\":1,\"col\":" #right \
	",\"rows\":5,\"cols\":" #rest ",\"is_visible\":true},{\"terminal_id\":\"c\",\"row\":7," \
	"\"col\":" #right ",\"rows\":5,\"cols\":" #rest \
	",\"is_visible\":true}]},{\"id\":2,\"index\":2," \
	"\"name\":\"ci\",\"panes\":[{\"terminal_id\":\"d\",\"row\":1,\"col\":0,\"rows\":11," \
	"\"cols\":58,\"is_visible\":true}]}]}"
#define TERMINALS \
	"[{\"terminal_id\":\"a\",\"identity\":\"coder\",\"state\":\"idle\",\"profile\":\"claude\"}," \
	"{\"terminal_id\":\"b\",\"identity\":\"one\"},{\"terminal_id\":\"c\",\"identity\":\"two\"}," \
	"{\"terminal_id\":\"d\",\"identity\":\"tester\",\"state\":\"idle\",\"profile\":\"codex\"}]"
#define STATE "{\"layout\":" LAYOUT(30, 31, 27) ",\"terminals\":" TERMINALS ",\"mail\":[]}"

/** Buttons as a terminal reports them, at a column and row from 1. */
#define PRESS(col, row) "\x1b[<0;" #col ";" #row "M"
#define DRAG(col, row) "\x1b[<32;" #col ";" #row "M"
#define RELEASE(col, row) "\x1b[<0;" #col ";" #row "m"
#define WHEEL_UP(col, row) "\x1b[<64;" #col ";" #row "M"
#define WHEEL_DOWN(col, row) "\x1b[<65;" #col ";" #row "M"
#define MIDDLE_PRESS(col, row) "\x1b[<1;" #col ";" #row "M"
#define CONTROL_PRESS(col, row) "\x1b[<16;" #col ";" #row "M"

static int scene_make(void **state)
{
	*state = fake_person_new(COLS, ROWS);
	return 0;
}

/** Show the session. */
static struct fake_person *scene_begin(void **state, fake_server_play play)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play, app_scene_run);
	fake_person_see(scene, "here is c");
	return scene;
}

/** The attach of the UI and of the three panes, as streams 3 to 5. */
static void play_begin(int fd, const char *a, const char *b)
{
	const char *texts[] = {a, b, "here is c"};
	int rows[] = {11, 5, 5};

	fake_session_line(fd, "\"ui.attach\",\"params\":{\"cols\":58,\"rows\":12",
	                  "{\"id\":1,\"result\":{}}\n");
	fake_session_line(fd, "\"events.subscribe\"", "{\"id\":2,\"result\":" STATE "}\n");
	for (int i = 0; i < 3; i++) {
		char wanted[80];
		char answer[80];

		(void)snprintf(wanted, sizeof(wanted),
		               "\"terminal.attach\",\"params\":{\"name\":\"%c\"", 'a' + i);
		(void)snprintf(answer, sizeof(answer), "{\"id\":%d,\"result\":{\"stream\":%d}}\n",
		               1000001 + i, 3 + i);
		fake_session_line(fd, wanted, answer);
	}
	for (int i = 0; i < 3; i++) {
		fake_session_snapshot(fd, 3 + i, i == 0 ? 30 : 27, rows[i], texts[i]);
	}
}

static void play_focus(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "here is a", "here is b");
	fake_session_line(fd, "\"pane.focus\",\"params\":{\"name\":\"b\"}",
	                  "{\"id\":1000004,\"result\":{}}\n");
	fake_session_line(fd, "\"pane.focus\",\"params\":{\"name\":\"c\"}",
	                  "{\"id\":1000005,\"result\":{}}\n");
	fake_session_line(fd, "\"tab.select\",\"params\":{\"tab\":2}",
	                  "{\"id\":1000006,\"result\":{}}\n");
	fake_session_line(fd, "\"tab.select\",\"params\":{\"which\":\"next\"}",
	                  "{\"id\":1000007,\"result\":{}}\n");
	fake_session_line(fd, "\"pane.show\",\"params\":{\"name\":\"d\"}",
	                  "{\"id\":1000008,\"result\":{}}\n");
	fake_session_over(fd);
}

static void clicks_go_where_they_point(void **state)
{
	struct fake_person *scene = scene_begin(state, play_focus);

	assert_true(bh_screen_mode(scene->outer, BH_SCREEN_MODE_MOUSE_DRAG));
	assert_true(bh_screen_mode(scene->outer, BH_SCREEN_MODE_MOUSE_SGR));
	// The pane in focus, a line of the status, the active tab: nothing is asked for.
	fake_person_type(scene, PRESS(24, 4) RELEASE(24, 4) PRESS(24, 14) RELEASE(20, 14));
	fake_person_type(scene, PRESS(3, 1) RELEASE(3, 1));
	fake_person_type(scene, PRESS(55, 4) RELEASE(55, 4));
	// The title line of c.
	fake_person_type(scene, PRESS(60, 8) RELEASE(60, 8));
	fake_person_type(scene, PRESS(11, 1) RELEASE(11, 1));
	fake_person_type(scene, WHEEL_DOWN(11, 1));
	// The second agent of the sidebar.
	fake_person_type(scene, PRESS(3, 4) RELEASE(3, 4));
	app_scene_detach(scene);
}

/** The programs of a and b want to know of the focus, which goes to b. */
static void play_reports(int fd, int connection, const char *dir)
{
	char changed[] = "{\"method\":\"layout.changed\",\"params\":" LAYOUT(30, 31, 27) "}\n";
	char *focus = strstr(changed, "\"focus\":\"a\"");

	(void)connection;
	(void)dir;
	play_begin(fd, "here is a\x1b[?1004h", "here is b\x1b[?1004h");
	focus[strlen("\"focus\":\"")] = 'b';
	fake_session_line(fd, "\"pane.focus\",\"params\":{\"name\":\"b\"}", changed);
	fake_session_keys(fd, 3, "\x1b[O");
	fake_session_keys(fd, 4, "\x1b[I");
	fake_session_over(fd);
}

static void programs_hear_of_the_focus(void **state)
{
	struct fake_person *scene = scene_begin(state, play_reports);

	fake_person_type(scene, PRESS(60, 4) RELEASE(60, 4));
	app_scene_detach(scene);
}

static void play_border(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "here is a", "here is b");
	fake_session_line(
		fd,
		"\"pane.resize\",\"params\":{\"name\":\"a\",\"direction\":\"right\",\"cells\":3}",
		"{\"id\":1000004,\"result\":{\"moved\":3}}\n{\"method\":\"layout.changed\","
		"\"params\":" LAYOUT(33, 34, 24) "}\n");
	// It went on while the server was asked.
	fake_session_line(
		fd,
		"\"pane.resize\",\"params\":{\"name\":\"a\",\"direction\":\"right\",\"cells\":-2}",
		"{\"id\":1000005,\"result\":{\"moved\":0}}\n");
	fake_session_line(fd, "\"pane.focus\",\"params\":{\"name\":\"c\"}",
	                  "{\"id\":1000006,\"result\":{}}\n");
	fake_session_line(
		fd,
		"\"pane.resize\",\"params\":{\"name\":\"b\",\"direction\":\"down\",\"cells\":1}",
		"");
	fake_session_over(fd);
}

static void borders_are_dragged(void **state)
{
	struct fake_person *scene = scene_begin(state, play_border);

	fake_person_type(scene, PRESS(53, 4) DRAG(56, 4) DRAG(54, 4) RELEASE(54, 4));
	fake_person_see(scene, NULL);
	fake_person_type(scene, PRESS(60, 8) DRAG(60, 9) RELEASE(60, 9));
	app_scene_detach(scene);
}

static void play_program(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "here is a\x1b[?1002h\x1b[?1006h", "\x1b[?1049hhere is b");
	fake_session_keys(fd, 3, "\x1b[<0;1;1M");
	// A drag out of its pane ends at the edge.
	fake_session_keys(fd, 3, "\x1b[<32;30;3M");
	fake_session_keys(fd, 3, "\x1b[<0;30;3m");
	fake_session_keys(fd, 3, "\x1b[<64;2;2M");
	// One that is not asked gets arrows, in the pane that the mouse is over.
	fake_session_keys(fd, 4, "\x1b[A");
	fake_session_keys(fd, 4, "\x1b[A");
	fake_session_keys(fd, 4, "\x1b[A");
	fake_session_over(fd);
}

static void programs_get_what_they_asked_for(void **state)
{
	struct fake_person *scene = scene_begin(state, play_program);

	fake_person_type(scene, PRESS(23, 3) DRAG(60, 5) RELEASE(60, 5));
	fake_person_type(scene, WHEEL_UP(24, 4));
	fake_person_type(scene, WHEEL_UP(60, 4));
	app_scene_detach(scene);
}

static void play_link(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "see https://a.b/c.", "here is b");
	fake_session_keys(fd, 3, "https://a.b/c");
	fake_session_over(fd);
}

static void a_link_is_copied_and_pasted(void **state)
{
	struct fake_person *scene = scene_begin(state, play_link);
	size_t len = 0;
	char *text = NULL;

	fake_person_type(scene, CONTROL_PRESS(30, 3));
	fake_person_see(scene, "copied: https://a.b/c");
	text = bh_screen_take_clipboard(scene->outer, &len);
	assert_non_null(text);
	assert_string_equal(text, "https://a.b/c");
	free(text);
	fake_person_type(scene, MIDDLE_PRESS(24, 4));
	app_scene_detach(scene);
}

int main(void)
{
#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, scene_make, app_scene_remove)
	const struct CMUnitTest tests[] = {
		SCENE_TEST(clicks_go_where_they_point),
		SCENE_TEST(programs_hear_of_the_focus),
		SCENE_TEST(borders_are_dragged),
		SCENE_TEST(programs_get_what_they_asked_for),
		SCENE_TEST(a_link_is_copied_and_pasted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
