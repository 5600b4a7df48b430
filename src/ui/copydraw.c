#include "src/ui/copydraw.h"

#include "src/base/clock.h"
#include "src/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The looks of matches and marks. The colours are those of tmux, written as their reverse so that a
// terminal without colours reverses, and shows them too.
#define LOOK_MATCH "\x1b[0;7;36;40m"
#define LOOK_CURRENT "\x1b[0;1;4;7;35;40m"
#define LOOK_MARKED "\x1b[0;7;33;40m"

/** Of a line that goes on above or below the view so much is looked at for matches (bytes). */
#define LINE_MAX_BYTES 65536
/** So many looks for a pattern are enough for one picture. */
#define LOOKS_MAX 20000
/** And so much time of the processor (ns): a hard pattern may leave matches unmarked. */
#define LOOKS_NS 10000000
/** The time is looked at with each so many of them. */
#define LOOKS_A_TIME 4

static const struct bh_draw_style note = {
	.attrs = BH_ATTR_REVERSE, .fg = BH_COLOR_INDEX(3), .bg = BH_COLOR_INDEX(0)};

/** The bytes that make a screen the view, and what they are made from. */
struct compose {
	const struct bh_copyreader *reader;
	struct bh_buf out;
	/** Columns of it. */
	int cols;
};

void bh_copydraw_clear(struct bh_copydraw *copydraw)
{
	bh_screen_free(copydraw->screen);
	copydraw->screen = NULL;
}

/** Columns of a row in other looks. */
static void paint(struct compose *compose, const struct bh_linecache_line *line,
                  struct bh_selection_range range, const char *look)
{
	struct bh_span text = bh_linecache_text(compose->reader->cache, line->row);
	int from = range.from < line->cols ? range.from : line->cols;
	int to = range.to < line->cols ? range.to : line->cols;
	int end = range.to < compose->cols ? range.to : compose->cols;

	if (range.from >= end) {
		return;
	}
	bh_buf_printf(&compose->out, "\x1b[%" PRId64 ";%dH%s", line->row - compose->reader->top + 1,
	              range.from + 1, look);
	if (from < to) {
		bh_buf_append(&compose->out, text.data + line->offsets[from],
		              line->offsets[to] - line->offsets[from]);
	}
	for (int col = range.from > to ? range.from : to; col < end; col++) {
		bh_buf_puts(&compose->out, " ");
	}
}

/** What is marked of a row. Of lines and of what goes on in the next row it is shown that the end
 * belongs to it. */
static void paint_marked(struct compose *compose, int64_t row)
{
	const struct bh_selection *selection = &compose->reader->selection;
	struct bh_selection_range range =
		bh_selection_of_row(selection, compose->reader->cache, row);
	struct bh_linecache_line line;

	if (range.from >= range.to) {
		return;
	}
	bh_linecache_read(compose->reader->cache, row, &line);
	if (range.to > line.cols + 1 && selection->kind != BH_SELECTION_BLOCK) {
		range.to = selection->kind == BH_SELECTION_LINES ? compose->cols : line.cols + 1;
	}
	paint(compose, &line, range, LOOK_MARKED);
}

/** The bytes of all text from @from to @to - 1, perhaps over several rows. */
static void paint_bytes(struct compose *compose, size_t from, size_t to, const char *look)
{
	const struct bh_copyreader *reader = compose->reader;
	struct bh_linecache_place first = bh_linecache_place_at(reader->cache, from);
	struct bh_linecache_place last = bh_linecache_place_at(reader->cache, to - 1);

	for (int64_t row = first.row; row <= last.row; row++) {
		struct bh_linecache_line line;
		struct bh_selection_range range = {row == first.row ? first.col : 0, 0};

		if (row < reader->top || row >= reader->top + reader->rows) {
			continue;
		}
		bh_linecache_read(reader->cache, row, &line);
		range.to = row == last.row ? last.col + 1 : line.cols;
		while (range.to < line.cols && line.codes[range.to] == 0) {
			range.to++;
		}
		paint(compose, &line, range, look);
	}
}

/** Where to begin to look for matches that are in view. Those of a pattern are counted from the
 * beginning of their line; of one that is very long it has to do from a little above. */
static size_t matches_from(const struct bh_copyreader *reader, struct bh_span all)
{
	size_t top = bh_linecache_offset(reader->cache, reader->top);
	size_t back = reader->search.pattern == NULL ? reader->search.len : LINE_MAX_BYTES;
	size_t from = top > back ? top - back : 0;
	const char *newline = NULL;

	if (reader->search.pattern != NULL && top > from) {
		newline = memrchr(all.data + from, '\n', top - from);
		from = newline == NULL ? from : (size_t)(newline - all.data) + 1;
	}
	return from;
}

/** What was looked at for a picture. */
struct looks {
	int left;
	uint64_t until_ns;
};

static bool is_enough(void *user)
{
	struct looks *looks = user;

	looks->left--;
	return looks->left <= 0 ||
	       (looks->left % LOOKS_A_TIME == 0 && bh_clock_cpu_ns() >= looks->until_ns);
}

static void paint_matches(struct compose *compose)
{
	const struct bh_copyreader *reader = compose->reader;
	struct bh_span all = bh_linecache_all(reader->cache);
	size_t to = bh_linecache_offset(reader->cache, reader->top + reader->rows);
	size_t from = matches_from(reader, all);
	struct looks looks = {.left = LOOKS_MAX, .until_ns = bh_clock_cpu_ns() + LOOKS_NS};
	struct bh_copysearch_budget budget = {.user = &looks, .is_over = is_enough};
	struct bh_copysearch_match match = {0};
	struct bh_copysearch_run run;

	// Only as much as a match needs that begins in view.
	all.len = all.len - to > LINE_MAX_BYTES ? to + LINE_MAX_BYTES : all.len;
	bh_copysearch_start(&run, all, from, false);
	while (bh_copysearch_go(&reader->search, &run, all, &budget, &match) ==
	               BH_COPYSEARCH_FOUND &&
	       match.at < to) {
		size_t from_end = bh_linecache_all(reader->cache).len - match.at;

		paint_bytes(compose, match.at, match.at + match.len,
		            from_end == reader->match_from_end ? LOOK_CURRENT : LOOK_MATCH);
	}
}

static void compose_view(struct compose *compose)
{
	const struct bh_copyreader *reader = compose->reader;

	bh_buf_puts(&compose->out, "\x1b[m\x1b[?7l\x1b[2J");
	for (int row = 0; row < reader->rows; row++) {
		struct bh_span ansi = bh_linecache_ansi(reader->cache, reader->top + row);

		bh_buf_printf(&compose->out, "\x1b[%d;1H", row + 1);
		bh_buf_append(&compose->out, ansi.data, ansi.len);
		bh_buf_puts(&compose->out, "\x1b[m");
	}
	paint_matches(compose);
	for (int row = 0; row < reader->rows; row++) {
		paint_marked(compose, reader->top + row);
	}
}

/** The screen, of the right size. */
static void fit(struct bh_copydraw *copydraw, int cols, int rows)
{
	struct bh_screen_settings settings = {.cols = cols, .rows = rows, .has_no_history = true};

	if (copydraw->screen == NULL || bh_screen_cols(copydraw->screen) != cols ||
	    bh_screen_rows(copydraw->screen) != rows) {
		bh_screen_free(copydraw->screen);
		copydraw->screen = bh_screen_new(&settings);
	}
}

/** How far up the view is, and of how many rows, at the upper right. */
static void draw_position(const struct bh_copyreader *reader, struct bh_draw *draw,
                          struct bh_draw_rect rect)
{
	char text[80];
	int width = 0;

	(void)snprintf(text, sizeof(text), "%s[%" PRId64 "/%" PRId64 "]",
	               bh_copyreader_is_searching(reader) ? "searching " : "",
	               bh_copyreader_position(reader), bh_linecache_history(reader->cache));
	width = bh_draw_width(text);
	if (width <= rect.cols) {
		(void)bh_draw_text(draw, rect.row, rect.col + rect.cols - width, width, text, note);
	}
}

/** The prompt on the last row; gives the column behind it. */
static int draw_prompt(const struct bh_copyprompt *prompt, struct bh_draw *draw,
                       struct bh_draw_rect rect)
{
	int row = rect.row + rect.rows - 1;
	const char *text = prompt->text;
	int used = 0;

	bh_draw_clear(draw, (struct bh_draw_rect){row, rect.col, 1, rect.cols}, note);
	used = bh_draw_text(draw, row, rect.col, rect.cols, bh_copyprompt_label(prompt), note);
	// Of a long one the end is seen.
	while (*text != '\0' && bh_draw_width(text) > rect.cols - used - 1) {
		do {
			text++;
		} while (((unsigned char)*text & 0xc0) == 0x80);
	}
	return used + bh_draw_text(draw, row, rect.col + used, rect.cols - used, text, note);
}

void bh_copydraw_draw(struct bh_copydraw *copydraw, const struct bh_copyreader *reader,
                      const struct bh_copyprompt *prompt, struct bh_draw *draw,
                      struct bh_draw_rect rect)
{
	int cache_cols = bh_linecache_cols(reader->cache);
	struct compose compose = {.reader = reader,
	                          .cols = rect.cols > cache_cols ? rect.cols : cache_cols};
	struct bh_cursor cursor = {.is_visible = true, .shape = BH_CURSOR_BLOCK};

	fit(copydraw, compose.cols, rect.rows);
	compose_view(&compose);
	bh_screen_feed(copydraw->screen, compose.out.data, compose.out.len, 0);
	bh_buf_clear(&compose.out);
	bh_draw_screen(draw, rect, copydraw->screen, 0, reader->left);
	draw_position(reader, draw, rect);
	cursor.row = rect.row + (int)(reader->cursor.row - reader->top);
	cursor.col = rect.col + reader->cursor.col - reader->left;
	if (prompt->is_open) {
		cursor.row = rect.row + rect.rows - 1;
		cursor.col = rect.col + draw_prompt(prompt, draw, rect);
	}
	cursor.col = cursor.col >= rect.col + rect.cols ? rect.col + rect.cols - 1 : cursor.col;
	bh_draw_cursor(draw, &cursor);
}
