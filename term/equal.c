#include "term/print.h"
#include "term/screen.h"
#include "term/state.h"

#include <string.h>

// Every field of struct bh_screen is either compared here or of no consequence to later bytes and to
// the eye: history, replies, changes, what waits to be taken, times, and `used` of rows. Who adds a
// field adds it here and to repaint.c, or the fuzzer will tell.

static bool same_text(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

/** Equal extras may have unequal numbers. */
static bool same_extra(const struct bh_screen *a, uint16_t x, const struct bh_screen *b, uint16_t y)
{
	return bh_glyphs_underline_color(&a->glyphs, x) ==
	               bh_glyphs_underline_color(&b->glyphs, y) &&
	       same_text(bh_glyphs_link(&a->glyphs, x), bh_glyphs_link(&b->glyphs, y)) &&
	       same_text(bh_glyphs_link_id(&a->glyphs, x), bh_glyphs_link_id(&b->glyphs, y));
}

static bool same_cell(const struct bh_screen *a, const struct bh_grid_cell *x,
                      const struct bh_screen *b, const struct bh_grid_cell *y)
{
	char buffer_x[4];
	char buffer_y[4];
	size_t len_x;
	size_t len_y;

	if (x->fg != y->fg || x->bg != y->bg || x->attrs != y->attrs ||
	    (x->extra | y->extra) != 0) {
		if (x->fg != y->fg || x->bg != y->bg || x->attrs != y->attrs ||
		    !same_extra(a, x->extra, b, y->extra)) {
			return false;
		}
	}
	if (((x->glyph | y->glyph) & BH_GLYPH_CLUSTER) == 0) {
		return x->glyph == y->glyph;
	}
	const char *text_x = bh_print_cell_text(&a->glyphs, x, buffer_x, &len_x);
	const char *text_y = bh_print_cell_text(&b->glyphs, y, buffer_y, &len_y);

	return len_x == len_y && memcmp(text_x, text_y, len_x) == 0;
}

static const char *grid_differs(const struct bh_screen *a, const struct bh_grid *x,
                                const struct bh_screen *b, const struct bh_grid *y)
{
	if ((x->row == NULL) != (y->row == NULL)) {
		return "alternate screen";
	}
	for (int r = 0; x->row != NULL && r < x->rows; r++) {
		if (x->row[r]->is_wrapped != y->row[r]->is_wrapped) {
			return "wrapped row";
		}
		for (int c = 0; c < x->cols; c++) {
			if (!same_cell(a, &x->row[r]->cells[c], b, &y->row[r]->cells[c])) {
				return "cell";
			}
		}
	}
	return NULL;
}

static bool same_pen(const struct bh_screen *a, const struct bh_pen *x, const struct bh_screen *b,
                     const struct bh_pen *y)
{
	return x->fg == y->fg && x->bg == y->bg && x->attrs == y->attrs &&
	       x->underline_color == y->underline_color && same_extra(a, x->extra, b, y->extra);
}

static bool same_charsets(const struct bh_charsets *x, const struct bh_charsets *y)
{
	return memcmp(x->set, y->set, sizeof(x->set)) == 0 && x->left == y->left &&
	       x->single == y->single;
}

static const char *saved_differs(const struct bh_screen *a, const struct bh_screen *b)
{
	for (int i = 0; i < 2; i++) {
		const struct bh_saved_cursor *x = &a->saved[i];
		const struct bh_saved_cursor *y = &b->saved[i];

		if (x->row != y->row || x->col != y->col ||
		    x->is_wrap_pending != y->is_wrap_pending || x->is_origin != y->is_origin) {
			return "saved cursor";
		}
		if (!same_pen(a, &x->pen, b, &y->pen)) {
			return "saved pen";
		}
		if (!same_charsets(&x->charsets, &y->charsets)) {
			return "saved charsets";
		}
	}
	return NULL;
}

static const char *cursor_differs(const struct bh_screen *a, const struct bh_screen *b)
{
	if (a->row != b->row || a->col != b->col) {
		return "cursor";
	}
	if (a->is_wrap_pending != b->is_wrap_pending) {
		return "pending wrap";
	}
	if (a->is_joinable != b->is_joinable) {
		return "joinable glyph";
	}
	if (a->shape != b->shape) {
		return "cursor shape";
	}
	if (!same_pen(a, &a->pen, b, &b->pen)) {
		return "pen";
	}
	return same_charsets(&a->charsets, &b->charsets) ? NULL : "charsets";
}

static bool same_kitty(const struct bh_kitty *x, const struct bh_kitty *y)
{
	return x->flags == y->flags && x->depth == y->depth &&
	       memcmp(x->stack, y->stack, x->depth) == 0;
}

static const char *modes_differ(const struct bh_screen *a, const struct bh_screen *b)
{
	if (a->modes != b->modes) {
		return "modes";
	}
	if (a->top != b->top || a->bottom != b->bottom || a->left != b->left ||
	    a->right != b->right) {
		return "margins";
	}
	if (memcmp(a->tabs, b->tabs, (size_t)a->cols * sizeof(a->tabs[0])) != 0) {
		return "tab stops";
	}
	if (!same_kitty(&a->kitty[0], &b->kitty[0]) || !same_kitty(&a->kitty[1], &b->kitty[1])) {
		return "kitty keyboard";
	}
	return a->modify_other_keys == b->modify_other_keys ? NULL : "modifyOtherKeys";
}

static bool same_titles(const struct bh_titles *x, const struct bh_titles *y)
{
	return same_text(x->title, y->title) && same_text(x->icon, y->icon);
}

static const char *titles_differ(const struct bh_screen *a, const struct bh_screen *b)
{
	if (!same_titles(&a->now, &b->now)) {
		return "title";
	}
	if (a->pushed_count != b->pushed_count) {
		return "title stack";
	}
	for (int i = 0; i < a->pushed_count; i++) {
		if (!same_titles(&a->pushed[i], &b->pushed[i])) {
			return "title stack";
		}
	}
	return same_text(a->cwd, b->cwd) ? NULL : "folder";
}

static bool same_status(const struct bh_status7501 *x, const struct bh_status7501 *y)
{
	return x->has_status == y->has_status && x->state == y->state &&
	       same_text(x->app, y->app) && same_text(x->kind, y->kind) &&
	       same_text(x->msg, y->msg) && same_text(x->title, y->title);
}

static const char *reports_differ(const struct bh_screen *a, const struct bh_screen *b)
{
	if (!same_status(&a->status, &b->status)) {
		return "status";
	}
	if (a->background_count != b->background_count) {
		return "background tasks";
	}
	for (int i = 0; i < a->background_count; i++) {
		const struct bh_background7501 *x = &a->background[i];
		const struct bh_background7501 *y = &b->background[i];

		if (x->state != y->state || !same_text(x->id, y->id) ||
		    !same_text(x->title, y->title)) {
			return "background tasks";
		}
	}
	if (a->progress.state != b->progress.state || a->progress.percent != b->progress.percent) {
		return "progress";
	}
	if (a->prompt.mark != b->prompt.mark || a->prompt.exit_code != b->prompt.exit_code) {
		return "prompt mark";
	}
	return NULL;
}

static const char *palette_differs(const struct bh_screen *a, const struct bh_screen *b)
{
	for (int i = 0; i < BH_STATE_COLORS; i++) {
		uint32_t x = a->palette != NULL ? a->palette[i] : 0;
		uint32_t y = b->palette != NULL ? b->palette[i] : 0;

		if (x != y) {
			return "palette";
		}
	}
	return NULL;
}

static const char *screens_differ(const struct bh_screen *a, const struct bh_screen *b)
{
	const char *why = NULL;

	if (a->cols != b->cols || a->rows != b->rows) {
		return "size";
	}
	if (!bh_sieve_equal(&a->sieve, &b->sieve)) {
		return "unfinished token";
	}
	why = modes_differ(a, b);
	why = why != NULL ? why : cursor_differs(a, b);
	why = why != NULL ? why : grid_differs(a, &a->main, b, &b->main);
	why = why != NULL ? why : grid_differs(a, &a->alt, b, &b->alt);
	why = why != NULL ? why : saved_differs(a, b);
	why = why != NULL ? why : titles_differ(a, b);
	why = why != NULL ? why : reports_differ(a, b);
	return why != NULL ? why : palette_differs(a, b);
}

bool bh_screen_equal(const struct bh_screen *a, const struct bh_screen *b, const char **why_out)
{
	const char *why = screens_differ(a, b);

	if (why_out != NULL) {
		*why_out = why;
	}
	return why == NULL;
}
