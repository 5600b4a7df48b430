#include "src/ui/linecache.h"

#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/base/utf8.h"
#include "term/width.h"

#include <stdlib.h>
#include <string.h>

// History is fetched from its end, so everything here grows at its front: bytes stand at the end of
// their memory, and are named by their distance from the end, which no row that comes changes.

/** Rows asked for at once: a few milliseconds of work on either side. */
#define ROWS_AT_ONCE 1000
/** Smallest memory of something that grows (bytes). */
#define FRONT_MIN 4096
/** Rows that must be found again before we believe that a screen was scrolled. */
#define SHIFT_ROWS_MIN 2
/** An SGR sequence is not longer (bytes). */
#define PEN_MAX 128

/** A line is wrapped anew as a whole up to this (bytes); longer ones in parts. */
#define LINE_MAX_BYTES 8192

/** Bytes that grow at their front. */
struct front {
	char *data;
	size_t size, len;
};

/** A row. */
struct row {
	/** Distance from the end of all text to where its text begins. */
	size_t text;
	/** Distance from the end of all looks to where those begin; of a row with looks. */
	size_t ansi;
	uint32_t ansi_len;
	bool is_wrapped;
	/** Its first byte. */
	struct bh_linecache_mark mark;
};

struct bh_linecache {
	struct front text, ansi, rows;
	/** The end of a line whose beginning is still to come, if there is one; whether that goes on
	 * in the row below, and the id of its first row that came. */
	struct front pending;
	bool has_pending, is_pending_wrapped;
	int64_t pending_id;
	int64_t row_count;
	/** Rows of the screen. */
	int64_t end;
	/** Rows of history when it was taken, the id of row 0, and that of the oldest that came. */
	int64_t history;
	int64_t end_id, first_id;
	int cols;
	bool is_started, is_complete;
};

struct bh_linecache *bh_linecache_new(void)
{
	struct bh_linecache *cache = bh_xmalloc(sizeof(*cache));

	cache->cols = BH_SCREEN_MAX_COLS;
	return cache;
}

static void front_clear(struct front *front)
{
	free(front->data);
	*front = (struct front){0};
}

static void rows_clear(struct bh_linecache *cache)
{
	front_clear(&cache->text);
	front_clear(&cache->ansi);
	front_clear(&cache->rows);
	front_clear(&cache->pending);
	cache->has_pending = false;
	cache->row_count = 0;
	cache->end = 0;
}

void bh_linecache_free(struct bh_linecache *cache)
{
	if (cache != NULL) {
		rows_clear(cache);
		free(cache);
	}
}

// -------------------------------------------------------------------------------- adding rows

static void front_add(struct front *front, const void *bytes, size_t len)
{
	if (front->len + len > front->size) {
		size_t size = front->size < FRONT_MIN ? FRONT_MIN : front->size * 2;
		char *data = NULL;

		while (size < front->len + len) {
			size *= 2;
		}
		data = bh_xmalloc(size);
		if (front->len > 0) {
			memcpy(data + size - front->len, front->data + front->size - front->len,
			       front->len);
		}
		free(front->data);
		front->data = data;
		front->size = size;
	}
	front->len += len;
	if (len > 0) {
		memcpy(front->data + front->size - front->len, bytes, len);
	}
}

/** The length of the SGR sequence at @at, 0 when there is none. */
static size_t pen_length(const char *at, size_t len)
{
	const char *end = len > 2 && at[0] == 0x1b && at[1] == '['
	                          ? memchr(at, 'm', len < PEN_MAX ? len : PEN_MAX)
	                          : NULL;

	return end != NULL ? (size_t)(end - at) + 1 : 0;
}

/** Append @ansi without its sequences. */
static void strip(struct bh_span ansi, struct bh_buf *out)
{
	size_t at = 0;

	while (at < ansi.len) {
		const char *escape = memchr(ansi.data + at, 0x1b, ansi.len - at);
		size_t plain = escape != NULL ? (size_t)(escape - ansi.data) - at : ansi.len - at;
		size_t pen = 0;

		bh_buf_append(out, ansi.data + at, plain);
		at += plain;
		pen = pen_length(ansi.data + at, ansi.len - at);
		at += pen > 0 ? pen : at < ansi.len ? 1 : 0;
	}
}

/** Add a row that is not too wide above all others. */
static void add_narrow(struct bh_linecache *cache, struct bh_span ansi, bool is_wrapped,
                       struct bh_linecache_mark mark)
{
	bool is_plain = ansi.data == NULL || memchr(ansi.data, 0x1b, ansi.len) == NULL;
	struct row row = {.is_wrapped = is_wrapped, .mark = mark};
	struct bh_buf text = {0};

	if (!is_wrapped) {
		front_add(&cache->text, "\n", 1);
	}
	if (is_plain) {
		front_add(&cache->text, ansi.data, ansi.len);
	} else {
		strip(ansi, &text);
		front_add(&cache->text, text.data, text.len);
		front_add(&cache->ansi, ansi.data, ansi.len);
		row.ansi = cache->ansi.len;
		row.ansi_len = (uint32_t)ansi.len;
		bh_buf_clear(&text);
	}
	row.text = cache->text.len;
	front_add(&cache->rows, &row, sizeof(row));
	cache->row_count++;
}

/** The next glyph of text: its columns, and in *@len_out its bytes with the marks that belong to it. */
static int next_glyph(const char *at, size_t len, size_t *len_out, uint32_t *code_out)
{
	size_t used = bh_utf8_next(at, len, code_out);
	int cols = used > 0 ? bh_width_codepoint(*code_out) : 1;

	used = used > 0 ? used : 1;
	while (used < len && (unsigned char)at[used] >= 0x80) {
		uint32_t code = 0;
		size_t more = bh_utf8_next(at + used, len - used, &code);

		if (more == 0 || bh_width_codepoint(code) != 0) {
			break;
		}
		used += more;
	}
	*len_out = used;
	return cols < 0 ? 0 : cols;
}

/** Where a row of @ansi must end so that it has no more than @cols columns; ansi.len: it has not. */
static size_t cut_at(struct bh_span ansi, int cols, struct bh_span *pen)
{
	int used = 0;

	for (size_t at = 0, n = 0; at < ansi.len; at += n) {
		uint32_t code = 0;
		int width = 0;

		n = pen_length(ansi.data + at, ansi.len - at);
		if (n > 0) {
			*pen = (struct bh_span){ansi.data + at, n};
			continue;
		}
		width = next_glyph(ansi.data + at, ansi.len - at, &n, &code);
		if (used + width > cols && used > 0) {
			return at;
		}
		used += width;
	}
	return ansi.len;
}

/** Bytes of the text of @ansi. */
static size_t text_length(struct bh_span ansi)
{
	struct bh_buf text = {0};
	size_t len = 0;

	strip(ansi, &text);
	len = text.len;
	bh_buf_clear(&text);
	return len;
}

/** Add a row above all others; one that is too wide becomes several. */
static void add_row(struct bh_linecache *cache, struct bh_span ansi, bool is_wrapped,
                    struct bh_linecache_mark mark)
{
	struct bh_span pen = {0};
	size_t cut = ansi.len <= (size_t)cache->cols ? ansi.len : cut_at(ansi, cache->cols, &pen);
	struct bh_linecache_mark rest_mark = mark;
	struct bh_buf rest = {0};

	if (cut == ansi.len) {
		add_narrow(cache, ansi, is_wrapped, mark);
		return;
	}
	rest_mark.offset += text_length((struct bh_span){ansi.data, cut});
	bh_buf_append(&rest, pen.data, pen.len);
	bh_buf_append(&rest, ansi.data + cut, ansi.len - cut);
	// What comes after it stands below it, so it is added first.
	add_row(cache, (struct bh_span){rest.data, rest.len}, is_wrapped, rest_mark);
	bh_buf_clear(&rest);
	add_narrow(cache, (struct bh_span){ansi.data, cut}, true, mark);
}

/** The line that was still to come is all there. */
static void pending_end(struct bh_linecache *cache)
{
	struct front *pending = &cache->pending;

	if (cache->has_pending) {
		struct bh_span line = {pending->data + pending->size - pending->len, pending->len};
		struct bh_linecache_mark mark = {.line = cache->pending_id};

		cache->has_pending = false;
		add_row(cache, line, cache->is_pending_wrapped, mark);
		pending->len = 0;
	}
}

/** A row of history: rows of one line are joined, to be wrapped anew. */
static void pending_add(struct bh_linecache *cache, struct bh_span ansi, bool is_wrapped,
                        int64_t id)
{
	if (!is_wrapped || !cache->has_pending || cache->pending.len > LINE_MAX_BYTES) {
		pending_end(cache);
		cache->is_pending_wrapped = is_wrapped;
	}
	front_add(&cache->pending, ansi.data, ansi.len);
	cache->has_pending = true;
	cache->pending_id = id;
}

/** How rows of an answer are added. */
typedef void add_item(struct bh_linecache *cache, struct bh_span ansi, bool is_wrapped, int64_t id);

/** A row of the screen stays one, unless it is too wide. */
static void screen_add(struct bh_linecache *cache, struct bh_span ansi, bool is_wrapped, int64_t id)
{
	add_row(cache, ansi, is_wrapped, (struct bh_linecache_mark){.line = id});
}

/** Add the rows of an array, of which the last has the id @end - 1, above all others. */
static void add_rows(struct bh_linecache *cache, const cJSON *rows, int64_t end, add_item *add)
{
	for (const cJSON *at = rows->child != NULL ? rows->child->prev : NULL; at != NULL;
	     at = at == rows->child ? NULL : at->prev) {
		const cJSON *ansi = cJSON_GetObjectItemCaseSensitive(at, "ansi");
		const cJSON *wrapped = cJSON_GetObjectItemCaseSensitive(at, "wrapped");

		add(cache, bh_span_of(cJSON_IsString(ansi) ? ansi->valuestring : ""),
		    cJSON_IsTrue(wrapped), --end);
	}
}

// ------------------------------------------------------------------------------------ taking

void bh_linecache_take_screen(struct bh_linecache *cache, const struct bh_screen *screen)
{
	size_t len = 0;
	char *ansi = bh_screen_ansi(screen, &len);
	int rows = bh_screen_rows(screen);
	const char **starts = bh_xcalloc((size_t)rows + 1, sizeof(*starts));
	int count = 0;

	rows_clear(cache);
	cache->cols = bh_screen_cols(screen);
	starts[0] = ansi;
	for (const char *at = ansi; count < rows && (at = strchr(at, '\n')) != NULL;) {
		starts[++count] = ++at;
	}
	for (int row = rows - 1; row >= 0; row--) {
		struct bh_span span = {0};

		if (row < count) {
			span = (struct bh_span){starts[row],
			                        (size_t)(starts[row + 1] - starts[row]) - 1};
		}
		screen_add(cache, span, bh_screen_is_wrapped(screen, row), row);
	}
	cache->end = cache->row_count;
	free(starts);
	free(ansi);
}

cJSON *bh_linecache_want(const struct bh_linecache *cache, const char *terminal_id)
{
	cJSON *params = NULL;

	if (cache->is_complete) {
		return NULL;
	}
	params = cJSON_CreateObject();
	cJSON_AddStringToObject(params, "name", terminal_id);
	cJSON_AddNumberToObject(params, "count", ROWS_AT_ONCE);
	if (cache->is_started) {
		cJSON_AddNumberToObject(params, "before", (double)cache->first_id);
	} else {
		cJSON_AddTrueToObject(params, "screen");
	}
	return params;
}

void bh_linecache_restart(struct bh_linecache *cache)
{
	cache->is_started = false;
	cache->is_complete = false;
}

/** How many rows of @old, from @shift on, are those of @now from 0 on; -1 when one is not. Blank rows
 * do not count, and may have been filled since; so may the last one. */
static int rows_in_common(const struct bh_linecache *old, const struct bh_linecache *now,
                          int64_t shift)
{
	int count = 0;

	for (int64_t row = shift; row + 1 < old->end; row++) {
		struct bh_span a = bh_linecache_text(old, row);
		struct bh_span b = bh_linecache_text(now, row - shift);

		if (a.len == 0) {
			continue;
		}
		if (a.len != b.len || b.data == NULL || memcmp(a.data, b.data, a.len) != 0) {
			return -1;
		}
		count++;
	}
	return count;
}

/** By how many rows @old has been scrolled to become @now, both screens: the smallest that fits. */
static int shift_between(const struct bh_linecache *old, const struct bh_linecache *now)
{
	if (old->row_count == 0 || rows_in_common(old, now, 0) >= 0) {
		return 0;
	}
	for (int64_t shift = 1; shift < old->end; shift++) {
		if (rows_in_common(old, now, shift) >= SHIFT_ROWS_MIN) {
			return (int)shift;
		}
	}
	return 0;
}

/** The screen of the first answer. */
static bool take_first_screen(struct bh_linecache *cache, const cJSON *answer, int64_t end,
                              int *shift_out)
{
	const cJSON *screen = NULL;
	const cJSON *rows = NULL;
	int64_t count = 0;
	int64_t cols = 0;
	struct bh_linecache old = *cache;

	if (bh_json_get_object(answer, "screen", &screen, NULL) != 0 ||
	    bh_json_get_int(screen, "count", 1, BH_SCREEN_MAX_ROWS, &count, NULL) != 0 ||
	    bh_json_get_array(screen, "rows", (size_t)count, &rows, NULL) != 0 ||
	    bh_json_get_int(answer, "cols", 1, BH_SCREEN_MAX_COLS, &cols, NULL) != 0) {
		return false;
	}
	cache->text = cache->ansi = cache->rows = cache->pending = (struct front){0};
	cache->has_pending = false;
	cache->row_count = 0;
	cache->cols = (int)cols;
	for (int64_t row = count - 1; row >= cJSON_GetArraySize(rows); row--) {
		screen_add(cache, bh_span_of(""), false, end + row);
	}
	add_rows(cache, rows, end + cJSON_GetArraySize(rows), screen_add);
	cache->end = cache->row_count;
	*shift_out = shift_between(&old, cache);
	rows_clear(&old);
	return true;
}

bool bh_linecache_take(struct bh_linecache *cache, const cJSON *answer, int *shift_out)
{
	int64_t oldest = 0;
	int64_t first = 0;
	int64_t end = 0;
	const int64_t max = (int64_t)1 << 53;
	const cJSON *rows = NULL;
	int64_t count = 0;

	*shift_out = 0;
	if (bh_json_get_int(answer, "oldest", 0, max, &oldest, NULL) != 0 ||
	    bh_json_get_int(answer, "first", 0, max, &first, NULL) != 0 ||
	    bh_json_get_int(answer, "end", first, max, &end, NULL) != 0 ||
	    bh_json_get_array(answer, "rows", SIZE_MAX, &rows, NULL) != 0 ||
	    (!cache->is_started && !take_first_screen(cache, answer, end, shift_out))) {
		cache->is_complete = true;
		return false;
	}
	count = cJSON_GetArraySize(rows);
	if (!cache->is_started) {
		cache->end_id = cache->first_id = end;
		cache->history = end - oldest;
		cache->is_started = true;
	}
	if (first + count != cache->first_id || end < cache->end_id) {
		// What was to come next is gone from the server; or it is another server, with other ids.
		cache->is_complete = true;
		pending_end(cache);
		return count == 0;
	}
	add_rows(cache, rows, cache->first_id, pending_add);
	cache->first_id = first;
	cache->is_complete = count == 0 || first <= oldest;
	if (cache->is_complete) {
		pending_end(cache);
	}
	return true;
}

// ----------------------------------------------------------------------------------- looking

bool bh_linecache_is_started(const struct bh_linecache *cache)
{
	return cache->is_started;
}

bool bh_linecache_is_complete(const struct bh_linecache *cache)
{
	return cache->is_complete;
}

int64_t bh_linecache_first(const struct bh_linecache *cache)
{
	return cache->end - cache->row_count;
}

int64_t bh_linecache_end(const struct bh_linecache *cache)
{
	return cache->end < 1 ? 1 : cache->end;
}

int64_t bh_linecache_history(const struct bh_linecache *cache)
{
	// Rows that were cut are more than the server counted.
	int64_t here = -bh_linecache_first(cache);

	return cache->is_complete || here > cache->history ? here : cache->history;
}

int bh_linecache_cols(const struct bh_linecache *cache)
{
	return cache->cols;
}

/** The row @from_end rows before the end, 1 to row_count. */
static const struct row *row_before_end(const struct bh_linecache *cache, int64_t from_end)
{
	// All of it was added in whole rows, so the end of the memory is a row's end.
	return (const struct row *)(const void *)(cache->rows.data + cache->rows.size) - from_end;
}

/** The row, or NULL. */
static const struct row *row_at(const struct bh_linecache *cache, int64_t row)
{
	int64_t from_end = cache->end - row;

	return from_end < 1 || from_end > cache->row_count ? NULL : row_before_end(cache, from_end);
}

static const char *text_end(const struct bh_linecache *cache)
{
	return cache->text.data + cache->text.size;
}

struct bh_span bh_linecache_text(const struct bh_linecache *cache, int64_t row)
{
	const struct row *at = row_at(cache, row);
	const struct row *next = row_at(cache, row + 1);
	size_t len = 0;

	if (at == NULL) {
		return (struct bh_span){"", 0};
	}
	len = at->text - (next != NULL ? next->text : 0) - (at->is_wrapped ? 0 : 1);
	return (struct bh_span){text_end(cache) - at->text, len};
}

struct bh_span bh_linecache_ansi(const struct bh_linecache *cache, int64_t row)
{
	const struct row *at = row_at(cache, row);

	if (at == NULL || at->ansi_len == 0) {
		return bh_linecache_text(cache, row);
	}
	return (struct bh_span){cache->ansi.data + cache->ansi.size - at->ansi, at->ansi_len};
}

bool bh_linecache_is_wrapped(const struct bh_linecache *cache, int64_t row)
{
	const struct row *at = row_at(cache, row);

	return at != NULL && at->is_wrapped;
}

void bh_linecache_read(const struct bh_linecache *cache, int64_t row,
                       struct bh_linecache_line *line_out)
{
	struct bh_span text = bh_linecache_text(cache, row);
	int cols = 0;

	for (size_t at = 0, n = 0; at < text.len; at += n) {
		uint32_t code = 0;
		int width = next_glyph(text.data + at, text.len - at, &n, &code);

		if (cols + width > BH_SCREEN_MAX_COLS) {
			break;
		}
		for (int half = 0; half < width; half++) {
			line_out->codes[cols] = half == 0 ? code : 0;
			line_out->offsets[cols++] = (uint32_t)at;
		}
	}
	line_out->offsets[cols] = (uint32_t)text.len;
	line_out->row = row;
	line_out->cols = cols;
	line_out->is_wrapped = bh_linecache_is_wrapped(cache, row);
}

struct bh_span bh_linecache_all(const struct bh_linecache *cache)
{
	if (cache->text.len == 0) {
		return (struct bh_span){"", 0};
	}
	return (struct bh_span){text_end(cache) - cache->text.len, cache->text.len};
}

size_t bh_linecache_offset(const struct bh_linecache *cache, int64_t row)
{
	const struct row *at = row_at(cache, row);

	if (at != NULL) {
		return cache->text.len - at->text;
	}
	return row < cache->end ? 0 : cache->text.len;
}

struct bh_linecache_place bh_linecache_place_at(const struct bh_linecache *cache, size_t offset)
{
	int64_t low = bh_linecache_first(cache);
	int64_t high = bh_linecache_end(cache) - 1;
	struct bh_linecache_line line;
	struct bh_linecache_place place = {0};
	size_t in_row = 0;

	while (low < high) {
		int64_t middle = low + (high - low + 1) / 2;

		if (bh_linecache_offset(cache, middle) <= offset) {
			low = middle;
		} else {
			high = middle - 1;
		}
	}
	place.row = low;
	in_row = offset - bh_linecache_offset(cache, low);
	bh_linecache_read(cache, low, &line);
	while (place.col + 1 < line.cols && line.offsets[place.col + 1] <= in_row) {
		place.col++;
	}
	while (place.col > 0 && place.col < line.cols && line.codes[place.col] == 0) {
		place.col--;
	}
	return place;
}

struct bh_linecache_mark bh_linecache_mark(const struct bh_linecache *cache,
                                           struct bh_linecache_place place)
{
	const struct row *at = row_at(cache, place.row);
	struct bh_linecache_mark mark = {0};
	struct bh_linecache_line line;

	if (at != NULL) {
		bh_linecache_read(cache, place.row, &line);
		mark = at->mark;
		mark.offset += line.offsets[place.col < line.cols ? place.col : line.cols];
	}
	return mark;
}

static bool is_after(struct bh_linecache_mark a, struct bh_linecache_mark b)
{
	return a.line > b.line || (a.line == b.line && a.offset > b.offset);
}

bool bh_linecache_find(const struct bh_linecache *cache, struct bh_linecache_mark mark,
                       struct bh_linecache_place *place_out)
{
	int64_t low = 1; // of rows before the end: the newer the row, the lower
	int64_t high = cache->row_count;
	const struct row *row = NULL;
	size_t offset = 0;

	if (high == 0 || is_after(row_before_end(cache, high)->mark, mark)) {
		return false;
	}
	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (is_after(row_before_end(cache, middle)->mark, mark)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	row = row_before_end(cache, low);
	offset = cache->text.len - row->text;
	if (row->mark.line == mark.line) {
		offset += mark.offset - row->mark.offset;
	}
	*place_out = bh_linecache_place_at(cache, offset);
	return true;
}
