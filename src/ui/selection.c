#include "src/ui/selection.h"

#include "src/ui/copymotion.h"

void bh_selection_begin(struct bh_selection *selection, enum bh_selection_kind kind,
                        struct bh_linecache_place at)
{
	selection->kind = kind;
	selection->anchor = at;
	selection->head = at;
}

static bool is_before(struct bh_linecache_place a, struct bh_linecache_place b)
{
	return a.row < b.row || (a.row == b.row && a.col < b.col);
}

// The columns of the word at @at; of a blank all blanks around it.
static struct bh_selection_range word_at(const struct bh_linecache *cache,
                                         struct bh_linecache_place at)
{
	struct bh_linecache_line line;
	struct bh_selection_range word = {at.col, at.col + 1};

	bh_linecache_read(cache, at.row, &line);
	if (at.col >= line.cols) {
		return (struct bh_selection_range){line.cols, line.cols};
	}
	enum bh_copymotion_class class = bh_copymotion_class_at(&line, at.col);

	while (word.from > 0 && bh_copymotion_class_at(&line, word.from - 1) == class) {
		word.from--;
	}
	while (word.to < line.cols && bh_copymotion_class_at(&line, word.to) == class) {
		word.to++;
	}
	return word;
}

/** The first and the last cell, in this order; INT_MAX: the end of the line. */
struct extent {
	struct bh_linecache_place first, last;
};

static struct extent extent_of(const struct bh_selection *selection,
                               const struct bh_linecache *cache)
{
	bool is_forward = !is_before(selection->head, selection->anchor);
	struct extent extent = {is_forward ? selection->anchor : selection->head,
	                        is_forward ? selection->head : selection->anchor};

	if (selection->kind == BH_SELECTION_LINES) {
		extent.first.col = 0;
		extent.last.col = INT_MAX;
	} else if (selection->kind == BH_SELECTION_WORDS) {
		struct bh_selection_range last = word_at(cache, extent.last);

		extent.first.col = word_at(cache, extent.first).from;
		extent.last.col = last.to > last.from ? last.to - 1 : last.to;
	} else if (selection->is_exclusive) {
		extent.last.col--;
	}
	return extent;
}

/** Both ends at whole characters. */
static struct bh_selection_range whole(const struct bh_linecache_line *line,
                                       struct bh_selection_range range)
{
	while (range.from > 0 && range.from < line->cols && line->codes[range.from] == 0) {
		range.from--;
	}
	while (range.to > range.from && range.to < line->cols && line->codes[range.to] == 0) {
		range.to++;
	}
	return range;
}

static struct bh_selection_range block_range(const struct bh_selection *selection)
{
	int a = selection->anchor.col;
	int b = selection->head.col;
	int last = a > b ? a : b;

	return (struct bh_selection_range){a < b ? a : b,
	                                   selection->is_exclusive ? last : last + 1};
}

/** The columns of a line that was read, which is within the extent. */
static struct bh_selection_range line_range(const struct bh_selection *selection,
                                            const struct extent *extent,
                                            const struct bh_linecache_line *line)
{
	struct bh_selection_range range = {0, INT_MAX};

	if (selection->kind == BH_SELECTION_BLOCK) {
		range = block_range(selection);
	} else {
		range.from = line->row == extent->first.row ? extent->first.col : 0;
		range.to = line->row < extent->last.row || extent->last.col == INT_MAX
		                   ? INT_MAX
		                   : extent->last.col + 1;
	}
	return whole(line, range);
}

struct bh_selection_range bh_selection_of_row(const struct bh_selection *selection,
                                              const struct bh_linecache *cache, int64_t row)
{
	struct extent extent;
	struct bh_linecache_line line;

	if (selection->kind == BH_SELECTION_NONE) {
		return (struct bh_selection_range){0, 0};
	}
	extent = extent_of(selection, cache);
	if (row < extent.first.row || row > extent.last.row) {
		return (struct bh_selection_range){0, 0};
	}
	bh_linecache_read(cache, row, &line);
	return line_range(selection, &extent, &line);
}

/** Append the text of columns of a line. */
static void add_range(const struct bh_linecache *cache, const struct bh_linecache_line *line,
                      struct bh_selection_range range, struct bh_buf *out)
{
	struct bh_span text = bh_linecache_text(cache, line->row);
	int from = range.from < line->cols ? range.from : line->cols;
	int to = range.to < line->cols ? range.to : line->cols;

	if (from < to) {
		bh_buf_append(out, text.data + line->offsets[from],
		              line->offsets[to] - line->offsets[from]);
	}
}

static void cut_blanks(struct bh_buf *out, size_t from)
{
	while (out->len > from && out->data[out->len - 1] == ' ') {
		out->data[--out->len] = '\0';
	}
}

/** Append a row that is in it from its first column to its end: no cell of it need be looked at. */
static void add_row(const struct bh_linecache *cache, int64_t row, struct bh_buf *out)
{
	struct bh_span text = bh_linecache_text(cache, row);
	size_t from = out->len;

	bh_buf_append(out, text.data, text.len);
	if (!bh_linecache_is_wrapped(cache, row)) {
		cut_blanks(out, from);
		bh_buf_append(out, "\n", 1);
	}
}

/** Append a row at either end of it, or of a rectangle. */
static void add_part(const struct bh_selection *selection, const struct extent *extent,
                     const struct bh_linecache *cache, int64_t row, struct bh_buf *out)
{
	struct bh_linecache_line line;
	struct bh_selection_range range;
	bool is_block = selection->kind == BH_SELECTION_BLOCK;
	size_t from = out->len;

	bh_linecache_read(cache, row, &line);
	range = line_range(selection, extent, &line);
	add_range(cache, &line, range, out);
	if (is_block || !line.is_wrapped) {
		if (is_block || range.to >= line.cols) {
			cut_blanks(out, from);
		}
		bh_buf_puts(out, row < extent->last.row ? "\n" : "");
	}
}

void bh_selection_text(const struct bh_selection *selection, const struct bh_linecache *cache,
                       struct bh_buf *out)
{
	struct extent extent;

	if (selection->kind == BH_SELECTION_NONE) {
		return;
	}
	extent = extent_of(selection, cache);
	for (int64_t row = extent.first.row; row <= extent.last.row; row++) {
		bool is_inside = row > extent.first.row && row < extent.last.row;

		if (selection->kind == BH_SELECTION_LINES ||
		    (is_inside && selection->kind != BH_SELECTION_BLOCK)) {
			add_row(cache, row, out);
		} else {
			add_part(selection, &extent, cache, row, out);
		}
	}
}
