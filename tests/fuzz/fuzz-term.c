/**
 * Any bytes, any cuts, any sizes: no crash, and the repaint of a screen is an equal screen that
 * stays equal.
 *
 * The input: two bytes of size, then output of a child, with three bytes that no UTF-8 has as
 * commands between. 0xFE and two bytes: another size. 0xFD: the twin is thrown away and made anew
 * by a repaint. 0xFC: so much time passes that a synchronized update ends.
 */
#include "term/screen.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	COMMAND_TIME = 0xFC,
	COMMAND_TWIN = 0xFD,
	COMMAND_SIZE = 0xFE,
};

struct pair {
	struct bh_screen *screen, *twin;
	uint64_t now_ms;
};

static int size_of(uint8_t byte)
{
	return 2 + byte % 60;
}

static struct bh_screen *screen_new(int cols, int rows)
{
	return bh_screen_new(
		&(struct bh_screen_settings){.cols = cols, .rows = rows, .history_rows = 50});
}

static void check_equal(const struct pair *pair, const char *when)
{
	const char *why;

	if (!bh_screen_equal(pair->screen, pair->twin, &why)) {
		(void)fprintf(stderr, "%s: %s differs\n", when, why);
		abort();
	}
}

/** Make the twin anew, with @history_rows rows of history in front. */
static void make_twin(struct pair *pair, size_t history_rows)
{
	size_t len;
	char *bytes = bh_screen_repaint_history(pair->screen, history_rows, &len);

	bh_screen_free(pair->twin);
	pair->twin = screen_new(bh_screen_cols(pair->screen), bh_screen_rows(pair->screen));
	bh_screen_feed(pair->twin, bytes, len, pair->now_ms);
	free(bytes);
	check_equal(pair, "repaint");
}

static void feed(struct pair *pair, const uint8_t *bytes, size_t len)
{
	bh_screen_feed(pair->screen, bytes, len, pair->now_ms);
	// In other pieces for the twin: a cut must not matter.
	for (size_t at = 0; at < len; at++) {
		bh_screen_feed(pair->twin, bytes + at, 1, pair->now_ms);
	}
}

static void resize(struct pair *pair, int cols, int rows)
{
	bh_screen_resize(pair->screen, cols, rows);
	bh_screen_resize(pair->twin, cols, rows);
}

static size_t run_text(struct pair *pair, const uint8_t *data, size_t size)
{
	size_t len = 0;

	while (len < size && (data[len] < COMMAND_TIME || data[len] > COMMAND_SIZE)) {
		len++;
	}
	feed(pair, data, len);
	return len;
}

static size_t run_command(struct pair *pair, const uint8_t *data, size_t size)
{
	if (data[0] == COMMAND_TIME) {
		pair->now_ms += BH_SCREEN_SYNC_MS;
		bh_screen_tick(pair->screen, pair->now_ms);
		bh_screen_tick(pair->twin, pair->now_ms);
		return 1;
	}
	if (data[0] == COMMAND_SIZE && size >= 3) {
		resize(pair, size_of(data[1]), size_of(data[2]));
		return 3;
	}
	make_twin(pair, 0);
	return 1;
}

static void look(const struct bh_screen *screen)
{
	char row[60 * BH_CELL_TEXT + 1];

	for (int r = -1; r <= bh_screen_rows(screen); r++) {
		(void)bh_screen_row_text(screen, r, row, sizeof(row)); // must not crash
		(void)bh_screen_cell(screen, r, r);                    // likewise
	}
	for (size_t i = 0; i < bh_screen_history_count(screen); i++) {
		(void)bh_screen_history_text(screen, bh_screen_history_first(screen) + i, row,
		                             sizeof(row)); // likewise
	}
	free(bh_screen_ansi(screen, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2) {
		return 0;
	}
	struct pair pair = {.screen = screen_new(size_of(data[0]), size_of(data[1])),
	                    .twin = screen_new(size_of(data[0]), size_of(data[1]))};

	for (size_t at = 2; at < size;) {
		at += run_text(&pair, data + at, size - at);
		if (at < size) {
			at += run_command(&pair, data + at, size - at);
		}
	}
	check_equal(&pair, "end");
	make_twin(&pair, 0);
	make_twin(&pair, 1000);
	look(pair.screen);
	bh_screen_free(pair.screen);
	bh_screen_free(pair.twin);
	return 0;
}
