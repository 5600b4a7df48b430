// A checkpoint on the tape rebuilds the screen; one that is too rich is kept poorer.
#include "src/server/checkpoint.h"

#include "src/server/server.h"
#include "src/server/tape.h"
#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define COLS 80
#define ROWS 24

/** A terminal as far as this module looks: a screen and a tape. */
struct desk {
	struct bh_terminal terminal;
};

static int desk_open(void **state)
{
	struct desk *desk = calloc(1, sizeof *desk);
	struct bh_screen_settings settings = {.cols = COLS, .rows = ROWS, .history_rows = 1000};
	int fd = memfd_create("tape", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_non_null(desk);
	assert_int_equal(ftruncate(fd, BH_TAPE_SIZE), 0);
	assert_int_equal(bh_tape_open(fd, -1, &desk->terminal.tape, NULL), 0);
	desk->terminal.screen = bh_screen_new(&settings);
	(void)snprintf(desk->terminal.identity, sizeof desk->terminal.identity, "coder");
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;

	bh_tape_free(desk->terminal.tape);
	bh_screen_free(desk->terminal.screen);
	free(desk);
	return 0;
}

/** Output that is on tape and screen. */
static void print(struct desk *desk, const char *text)
{
	assert_int_equal(bh_tape_append(desk->terminal.tape, text, strlen(text)), 0);
	bh_screen_feed(desk->terminal.screen, text, strlen(text), 1);
}

/** Replay the tape as a new server does; gives the screen and the number of events. */
static struct bh_screen *replay(struct desk *desk, int *events_out)
{
	struct bh_screen *screen = NULL;
	struct bh_tape_event event;

	*events_out = 0;
	bh_tape_replay_start(desk->terminal.tape);
	while (bh_tape_replay_next(desk->terminal.tape, 4096, &event)) {
		if (event.kind == BH_TAPE_CHECKPOINT) {
			struct bh_screen_settings settings = {.cols = event.cols,
			                                      .rows = event.rows,
			                                      .history_rows = 1000,
			                                      .is_replay = true};

			assert_null(screen);
			screen = bh_screen_new(&settings);
		}
		bh_screen_feed(screen, event.bytes.data, event.bytes.len, 1);
		++*events_out;
	}
	bh_tape_replay_end(desk->terminal.tape);
	return screen;
}

static void assert_rebuilt(struct desk *desk, int events)
{
	const char *why = "";
	int count = 0;
	struct bh_screen *screen = replay(desk, &count);

	if (!bh_screen_equal(screen, desk->terminal.screen, &why)) {
		fail_msg("differs in %s", why);
	}
	assert_int_equal(count, events);
	bh_screen_free(screen);
}

static void it_takes_the_place_of_all_before(void **state)
{
	struct desk *desk = *state;
	uint64_t offset;

	print(desk, "\033[31mred\033[m\r\nplain\033[?2004h\033]0;title\007\033[5;7H");
	offset = bh_tape_offset(desk->terminal.tape);
	bh_checkpoint_write(&desk->terminal);
	assert_int_equal(bh_tape_offset(desk->terminal.tape), offset);
	assert_rebuilt(desk, 1);
	// What comes after it follows it.
	print(desk, "more");
	assert_rebuilt(desk, 2);
	bh_checkpoint_write(&desk->terminal);
	assert_rebuilt(desk, 1);
}

static void an_unfinished_sequence_goes_on_after_it(void **state)
{
	struct desk *desk = *state;

	print(desk, "a\033[3");
	bh_checkpoint_write(&desk->terminal);
	print(desk, "1mb");
	assert_rebuilt(desk, 2);
}

static void the_size_is_that_of_the_screen(void **state)
{
	struct desk *desk = *state;

	bh_screen_resize(desk->terminal.screen, 33, 9);
	print(desk, "x");
	bh_checkpoint_write(&desk->terminal);
	assert_rebuilt(desk, 1);
}

static void some_history_goes_along(void **state)
{
	struct desk *desk = *state;
	struct bh_screen *screen;
	int count = 0;

	for (int i = 0; i < 1000; i++) {
		char line[32];

		(void)snprintf(line, sizeof line, "line %d\r\n", i);
		print(desk, line);
	}
	bh_checkpoint_write(&desk->terminal);
	screen = replay(desk, &count);
	assert_true(bh_screen_history_count(screen) > 100);
	assert_true(bh_screen_history_count(screen) <
	            bh_screen_history_count(desk->terminal.screen));
	bh_screen_free(screen);
}

// A new server with the tape: the history that the checkpoint of @offset comes back with.
static size_t fed(struct desk *desk, uint64_t offset)
{
	struct bh_screen *before = desk->terminal.screen;
	struct bh_screen_settings settings = {.cols = COLS, .rows = ROWS, .history_rows = 1000};
	struct bh_tape_event event = {0};
	const char *why = "";
	size_t count = 0;

	bh_tape_replay_start(desk->terminal.tape);
	assert_true(bh_tape_replay_next(desk->terminal.tape, 4096, &event));
	assert_int_equal(event.kind, BH_TAPE_CHECKPOINT);
	event.offset += offset;
	desk->terminal.screen = bh_screen_new(&settings);
	bh_checkpoint_feed(&desk->terminal, &event, 1);
	bh_tape_replay_end(desk->terminal.tape);
	if (!bh_screen_equal(desk->terminal.screen, before, &why)) {
		fail_msg("differs in %s", why);
	}
	count = bh_screen_history_count(desk->terminal.screen);
	bh_screen_free(desk->terminal.screen);
	desk->terminal.screen = before;
	return count;
}

static void all_history_goes_to_the_next_server_in_a_file(void **state)
{
	struct desk *desk = *state;
	char dir[] = "/tmp/bh-checkpoint-XXXXXX";
	struct bh_server *server = calloc(1, sizeof *server);
	size_t all = 0;

	assert_non_null(server);
	assert_non_null(mkdtemp(dir));
	server->paths.runtime_dir = dir;
	desk->terminal.server = server;
	(void)strcpy(desk->terminal.id_text, "1234");
	bh_checkpoint_write(&desk->terminal);
	bh_checkpoint_keep(&desk->terminal); // there is nothing to keep
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(mkdir(dir, 0700), 0);
	for (int i = 0; i < 900; i++) {
		char line[48];

		(void)snprintf(line, sizeof line, "\033[3%dmline %d\033[m\r\n", i % 8, i);
		print(desk, line);
	}
	all = bh_screen_history_count(desk->terminal.screen);
	bh_checkpoint_write(&desk->terminal);
	bh_checkpoint_keep(&desk->terminal);
	assert_int_equal(fed(desk, 0), all);
	// Once; and not for another checkpoint.
	assert_true(fed(desk, 0) < all);
	bh_checkpoint_keep(&desk->terminal);
	assert_true(fed(desk, 1) < all);
	assert_int_equal(rmdir(dir), 0);
	free(server);
}

// Each cell has a link of its own: the repaint is far longer than the tape.
static void a_screen_that_is_too_rich_keeps_its_text(void **state)
{
	struct desk *desk = *state;
	struct bh_screen *screen;
	char link[1200];
	char expected[4 * COLS + 1];
	char shown[4 * COLS + 1];
	int count = 0;

	bh_checkpoint_write(&desk->terminal);
	for (int i = 0; i < COLS * ROWS; i++) {
		(void)snprintf(link, sizeof link, "\033]8;;http://x/%0*d\033\\%c", 1000, i,
		               'a' + i % 26);
		bh_screen_feed(desk->terminal.screen, link, strlen(link), 1);
	}
	bh_checkpoint_write(&desk->terminal);
	screen = replay(desk, &count);
	assert_int_equal(count, 1);
	for (int row = 0; row < ROWS; row++) {
		(void)bh_screen_row_text(desk->terminal.screen, row, expected, sizeof expected);
		(void)bh_screen_row_text(screen, row, shown, sizeof shown);
		assert_int_equal(strlen(shown), COLS);
		assert_string_equal(shown, expected);
	}
	bh_screen_free(screen);
	// There is still room for what comes.
	print(desk, "x");
}

// The end of a program is kept until it is dropped, however often servers come and go.
static void what_was_shown_last_is_kept_for_all_servers_to_come(void **state)
{
	struct desk *desk = *state;
	char dir[] = "/tmp/bh-checkpoint-XXXXXX";
	struct bh_server *server = calloc(1, sizeof *server);
	const char *why = NULL;
	char path[80];

	assert_non_null(server);
	assert_non_null(mkdtemp(dir));
	server->paths.runtime_dir = dir;
	server->config.history_lines = 1000;
	desk->terminal.server = server;
	(void)strcpy(desk->terminal.id_text, "1234");
	assert_null(bh_checkpoint_recall_end(&desk->terminal, 1));
	for (int i = 0; i < 60; i++) {
		print(desk, "\033[31mred\033[m\r\n");
	}
	bh_screen_resize(desk->terminal.screen, 60, 10);
	bh_checkpoint_keep_end(&desk->terminal);
	for (int i = 0; i < 3; i++) {
		struct bh_screen *screen = bh_checkpoint_recall_end(&desk->terminal, 1);

		assert_non_null(screen);
		assert_int_equal(bh_screen_cols(screen), 60);
		assert_int_equal(bh_screen_history_count(screen),
		                 bh_screen_history_count(desk->terminal.screen));
		if (!bh_screen_equal(screen, desk->terminal.screen, &why)) {
			fail_msg("differs in %s", why);
		}
		bh_screen_free(screen);
	}
	// One that is as rich as can be fits, too.
	for (int i = 0; i < 60 * 10; i++) {
		char link[1200];

		(void)snprintf(link, sizeof link, "\033]8;;http://x/%0*d\033\\%c", 1000, i,
		               'a' + i % 26);
		bh_screen_feed(desk->terminal.screen, link, strlen(link), 1);
	}
	bh_checkpoint_keep_end(&desk->terminal);
	struct bh_screen *rich = bh_checkpoint_recall_end(&desk->terminal, 1);

	assert_non_null(rich);
	bh_screen_free(rich);
	// A file that is none of ours is no screen.
	(void)snprintf(path, sizeof path, "%s/history-1234", dir);
	for (int len = 0; len <= 20; len += 20) {
		assert_int_equal(truncate(path, len), 0);
		assert_null(bh_checkpoint_recall_end(&desk->terminal, 1));
	}
	bh_checkpoint_drop_end(&desk->terminal);
	bh_checkpoint_drop_end(&desk->terminal);
	assert_int_equal(rmdir(dir), 0);
	free(server);
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		desk_test(it_takes_the_place_of_all_before),
		desk_test(an_unfinished_sequence_goes_on_after_it),
		desk_test(the_size_is_that_of_the_screen),
		desk_test(some_history_goes_along),
		desk_test(all_history_goes_to_the_next_server_in_a_file),
		desk_test(a_screen_that_is_too_rich_keeps_its_text),
		desk_test(what_was_shown_last_is_kept_for_all_servers_to_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
