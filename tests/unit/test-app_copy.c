// Copy mode in the UI, against a played server. Covers: src/ui/app_copy.
#include "src/ui/app.h"

#include "app-scene.h"
#include "fake-session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 60,
	ROWS = 10
};

/** One tab with one pane, which fills all but the tab bar, its title and the status line. */
static const char state_answer[] =
	"{\"id\":2,\"result\":{\"layout\":{\"area\":{\"cols\":60,\"rows\":8},\"tabs\":[{\"id\":1,"
	"\"index\":1,\"name\":\"api\",\"is_active\":true,\"focus\":\"a\",\"panes\":[{"
	"\"terminal_id\":\"a\",\"row\":1,\"col\":0,\"rows\":7,\"cols\":60,\"is_visible\":true}]}]}"
	",\"terminals\":[{\"terminal_id\":\"a\",\"identity\":\"sh\",\"state\":\"idle\"}],"
	"\"mail\":[]}}\n";

/** What the server says when copy mode begins: three rows above, and the screen. */
static const char history_answer[] =
	"{\"id\":1000002,\"result\":{\"cols\":60,\"oldest\":0,\"first\":0,\"end\":3,\"rows\":["
	"{\"ansi\":\"old 0\"},{\"ansi\":\"old 1\"},{\"ansi\":\"old 2\"}],"
	"\"screen\":{\"count\":7,\"rows\":[{\"ansi\":\"take this word\"}]}}}\n";

static int scene_make(void **state)
{
	*state = fake_person_new(COLS, ROWS);
	return 0;
}

static struct fake_person *scene_begin(void **state, fake_server_play play)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play, app_scene_run);
	fake_person_see(scene, "take this word");
	return scene;
}

static void play_begin(int fd, const char *repaint, const char *answer)
{
	fake_session_line(fd, "\"ui.attach\"", "{\"id\":1,\"result\":{}}\n");
	fake_session_line(fd, "\"events.subscribe\"", state_answer);
	fake_session_line(fd, "\"terminal.attach\"",
	                  "{\"id\":1000001,\"result\":{\"stream\":3}}\n");
	fake_session_snapshot(fd, 3, COLS, 7, repaint);
	fake_session_line(fd, "\"terminal.history\",\"params\":{\"name\":\"a\"", answer);
}

static void play_marked(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "\033[?2004htake this word", history_answer);
	fake_session_keys(fd, 3, "\033[200~word\033[201~");
	fake_session_over(fd);
}

static void a_word_is_copied_and_pasted(void **state)
{
	struct fake_person *scene = scene_begin(state, play_marked);

	// Nothing there yet.
	fake_person_type(scene, "\x02]");
	fake_person_see(scene, "nothing was copied yet");
	// A double click.
	fake_person_type(scene, "\033[<0;12;3M\033[<0;12;3m\033[<0;12;3M\033[<0;12;3m");
	fake_person_see(scene, "copied 4 characters");
	fake_person_type(scene, "\x02]");
	app_scene_detach(scene);
}

static void play_plain(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "take this word", history_answer);
	// Keys of copy mode are none of the program; a paste without markers ends its lines as a
	// person does.
	fake_session_keys(fd, 3, "old 1\rold 2\rt");
	fake_session_over(fd);
}

static void lines_are_copied_and_pasted(void **state)
{
	struct fake_person *scene = scene_begin(state, play_plain);

	fake_person_type(scene, "\x02\033[5~");
	fake_person_see(scene, "[3/3]");
	// In the history it stays where it is after a drag.
	fake_person_type(scene, "\033[<0;1;4M\033[<32;1;6M\033[<0;1;6m");
	fake_person_see(scene, "copied 3 lines");
	fake_person_type(scene, "q");
	fake_person_see(scene, NULL);
	fake_person_type(scene, "\x02]");
	app_scene_detach(scene);
}

static void play_long(int fd, int connection, const char *dir)
{
	struct bh_buf answer = {0};

	(void)connection;
	(void)dir;
	// Longer than what is read at once.
	bh_buf_puts(&answer, "{\"id\":1000002,\"pad\":\"");
	for (int i = 0; i < 100000; i++) {
		bh_buf_puts(&answer, "x");
	}
	bh_buf_printf(&answer, "\",%s", strchr(history_answer, ',') + 1);
	play_begin(fd, "take this word", answer.data);
	bh_buf_clear(&answer);
	fake_session_over(fd);
}

static void a_long_answer_is_taken_at_once(void **state)
{
	struct fake_person *scene = scene_begin(state, play_long);

	// Nothing else may wake it when the answer comes.
	fake_person_see(scene, NULL);
	fake_person_type(scene, "\x02[");
	fake_person_see(scene, "[0/3]");
	app_scene_detach(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_word_is_copied_and_pasted, scene_make,
	                                        app_scene_remove),
		cmocka_unit_test_setup_teardown(a_long_answer_is_taken_at_once, scene_make,
	                                        app_scene_remove),
		cmocka_unit_test_setup_teardown(lines_are_copied_and_pasted, scene_make,
	                                        app_scene_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
