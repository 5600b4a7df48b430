#include "rules.h"

#include "pattern.h"

#include <ctype.h>
#include <string.h>

/** Text of some rows: bytes `at` to `end` of the view, or the title. */
struct slice {
	const char *at;
	size_t len;
	/** Index of the slice's first row; -1 in the title. */
	int row;
	/** Attributes of the bytes; NULL in the title. */
	const uint8_t *ink;
};

/** Whether @pattern occurs in @row; no pattern: yes. */
static bool row_matches(const struct bh_pattern *pattern, const struct bh_view *view, int row,
                        struct bh_reading *reading, size_t *end_out)
{
	size_t len;
	const char *text = bh_view_row_text(view, row, &len);
	enum bh_match match;

	if (row < 0 || row >= view->row_count) {
		return false;
	}
	if (!pattern) {
		return true;
	}
	match = bh_pattern_find(pattern, text, len, NULL, end_out);
	reading->has_limit |= match == BH_MATCH_LIMIT;
	return match == BH_MATCH_YES;
}

/** Whether the rows that follow the composer's text begin at @row. */
static bool composer_ends(const struct bh_composer_spec *spec, const struct bh_view *view, int row,
                          struct bh_reading *reading)
{
	for (size_t i = 0; i < spec->below.count; i++) {
		if (!row_matches(spec->below.list[i], view, row + (int)i, reading, NULL)) {
			return false;
		}
	}
	return true;
}

/** A draft that fills the screen has at least so many rows; less is a composer in the making. */
#define FILLING_ROWS 5

/** Last row of the composer whose prompt stands in @row, or -1. */
static int composer_last_row(const struct bh_composer_spec *spec, const struct bh_view *view,
                             int row, struct bh_reading *reading)
{
	if (spec->above && !row_matches(spec->above, view, row - 1, reading, NULL)) {
		return -1;
	}
	for (int at = row + 1; at <= row + spec->rows_max && at <= view->row_count; at++) {
		if (composer_ends(spec, view, at, reading)) {
			return at - 1;
		}
		if (!row_matches(spec->continuation, view, at, reading, NULL)) {
			return at == view->row_count && spec->may_fill && at - row >= FILLING_ROWS
			               ? at - 1
			               : -1;
		}
	}
	return -1;
}

/** A check value over rows @first to @last with their attributes (FNV-1a). */
static uint32_t rows_check(const struct bh_view *view, int first, int last)
{
	uint32_t check = 2166136261U;
	size_t start = view->rows[first].start;
	size_t end = view->rows[last].start + view->rows[last].len;

	for (size_t i = start; i < end; i++) {
		check = (check ^ (unsigned char)view->text[i]) * 16777619U;
		check = (check ^ (view->ink[i] & BH_INK_DIM)) * 16777619U;
	}
	return check;
}

/** Whether all text is dim, or dim after a reversed first glyph (the drawn cursor). */
static bool text_is_dim(const struct bh_view *view, size_t start, size_t end)
{
	bool is_first = true;
	bool has_dim = false;

	for (size_t i = start; i < end; i++) {
		bool is_reversed = view->ink[i] & BH_INK_REVERSE;

		if (view->ink[i] & BH_INK_BLANK || view->text[i] == '\n') {
			continue;
		}
		if (!(view->ink[i] & BH_INK_DIM) && !(is_first && is_reversed)) {
			return false;
		}
		has_dim |= (view->ink[i] & BH_INK_DIM) != 0;
		// All bytes of the first glyph share its column.
		is_first = is_first && is_reversed && view->col[i] == view->col[i + 1];
	}
	return has_dim;
}

/** What the composer holds; its rows are known. @start: first byte behind the prompt. */
static enum bh_composer composer_content(const struct bh_composer_spec *spec,
                                         const struct bh_view *view, size_t start,
                                         struct bh_reading *reading)
{
	const struct bh_view_row *last = &view->rows[reading->last_row];
	size_t end = last->start + last->len;
	enum bh_match match = BH_MATCH_YES;
	bool is_blank = true;

	for (size_t i = start; i < end; i++) {
		is_blank = is_blank && (view->ink[i] & BH_INK_BLANK || view->text[i] == '\n');
	}
	if (!is_blank) {
		if (spec->is_dim_empty ? !text_is_dim(view, start, end) : !spec->placeholder) {
			return BH_COMPOSER_DRAFT;
		}
		if (spec->placeholder) {
			match = bh_pattern_find(spec->placeholder, view->text + start, end - start,
			                        NULL, NULL);
			reading->has_limit |= match == BH_MATCH_LIMIT;
		}
		if (match != BH_MATCH_YES) {
			return BH_COMPOSER_DRAFT;
		}
	}
	if (is_blank && spec->has_placeholder_always) {
		return BH_COMPOSER_UNKNOWN;
	}
	// Blanks that somebody typed do not show, but they move the cursor.
	if (reading->text_col >= 0 &&
	    (view->cursor_row != reading->first_row || view->cursor_col != reading->text_col)) {
		return BH_COMPOSER_UNKNOWN;
	}
	return BH_COMPOSER_EMPTY;
}

/** Rows under the composer that may hold its footer: a status line of the user comes first. */
#define FOOTER_ROWS 4

/** Whether the footer is missing that tells this program from others that look like it. */
static bool composer_is_foreign(const struct bh_composer_spec *spec, const struct bh_view *view,
                                struct bh_reading *reading)
{
	for (int i = 1; spec->footer && i <= FOOTER_ROWS; i++) {
		if (row_matches(spec->footer, view, reading->below_row + i, reading, NULL)) {
			return false;
		}
	}
	return spec->footer != NULL;
}

/** The column where the text of the composer whose first row is @row begins; below 0: not known. */
static int composer_text_col(const struct bh_composer_spec *spec, const struct bh_view *view,
                             int row)
{
	size_t at = view->rows[row].start;
	size_t end = at + view->rows[row].len;

	while (at < end && view->ink[at] & BH_INK_BLANK) {
		at++;
	}
	return spec->cursor_indent < 0 ? spec->cursor_home : view->col[at] + spec->cursor_indent;
}

/** Try @row as the composer's first row. */
static bool composer_try(const struct bh_composer_spec *spec, const struct bh_view *view, int row,
                         struct bh_reading *reading)
{
	size_t prompt_end = 0;
	bool is_prompt = row_matches(spec->prompt, view, row, reading, &prompt_end);
	bool is_other = !is_prompt && spec->other_prompt &&
	                row_matches(spec->other_prompt, view, row, reading, &prompt_end);
	int last = is_prompt || is_other ? composer_last_row(spec, view, row, reading) : -1;
	bool is_filling;
	size_t start;

	if (last < 0) {
		return false;
	}
	if (spec->is_cursor_shown &&
	    (!view->is_cursor_shown || view->cursor_row < row || view->cursor_row > last)) {
		return false;
	}
	start = view->rows[row].start + prompt_end;
	is_filling = last == view->row_count - 1 && spec->below.count > 0;
	reading->first_row = row;
	reading->last_row = last;
	reading->above_row = row - (spec->above ? 1 : 0);
	reading->below_row = last + (int)spec->below.count;
	reading->text_col = composer_text_col(spec, view, row);
	reading->check = rows_check(view, row, last);
	reading->composer =
		is_other ? BH_COMPOSER_DRAFT : composer_content(spec, view, start, reading);
	// What fills the screen can only be text; an empty composer has its rows below.
	if (is_filling && reading->composer != BH_COMPOSER_DRAFT) {
		reading->composer = BH_COMPOSER_NONE;
		return false;
	}
	reading->is_foreign = composer_is_foreign(spec, view, reading);
	return true;
}

static void composer_read(const struct bh_composer_spec *spec, const struct bh_view *view,
                          struct bh_reading *reading)
{
	reading->composer = BH_COMPOSER_NONE;
	if (!spec->prompt) {
		return;
	}
	// The composer is the lowest thing that looks like one; older prompts stand above it.
	for (int row = bh_view_last_row(view); row >= 0; row--) {
		if (composer_try(spec, view, row, reading)) {
			return;
		}
	}
}

/** The rows of a region as one slice; empty when its anchor is not there. */
static struct slice region_slice(const struct bh_region *region, const struct bh_view *view,
                                 const struct bh_reading *reading)
{
	bool has_composer = reading->composer != BH_COMPOSER_NONE;
	int anchor = view->row_count;
	int first;
	int last;

	switch (region->anchor) {
	case BH_ANCHOR_TITLE:
		return (struct slice){.at = view->title, .len = strlen(view->title), .row = -1};
	case BH_ANCHOR_ABOVE:
		anchor = has_composer ? reading->above_row : -BH_HITS_MAX * 1000;
		break;
	case BH_ANCHOR_BELOW:
		anchor = has_composer ? reading->below_row : -BH_HITS_MAX * 1000;
		break;
	case BH_ANCHOR_CURSOR:
		anchor = view->cursor_row;
		break;
	case BH_ANCHOR_END:
		anchor = bh_view_last_row(view) + 1;
		break;
	case BH_ANCHOR_BOTTOM:
		break;
	}
	first = anchor + region->first;
	last = anchor + region->last;
	first = first < 0 ? 0 : first;
	last = last >= view->row_count ? view->row_count - 1 : last;
	if (first > last) {
		return (struct slice){.at = "", .row = 0};
	}
	return (struct slice){
		.at = view->text + view->rows[first].start,
		.len = view->rows[last].start + view->rows[last].len - view->rows[first].start,
		.row = first,
		.ink = view->ink + view->rows[first].start,
	};
}

/** Whether the bytes have the attributes that the rule wants. */
static bool ink_fits(const struct bh_rule *rule, const struct slice *slice, size_t start,
                     size_t end)
{
	for (size_t i = start; slice->ink && i < end; i++) {
		if (slice->ink[i] & BH_INK_BLANK) {
			continue;
		}
		if ((slice->ink[i] & rule->ink_all) != rule->ink_all ||
		    slice->ink[i] & rule->ink_none) {
			return false;
		}
	}
	return true;
}

/** A row "❯ 2. text": its number, or 0; whether a cursor glyph stands before it. */
static int choice_number(const char *text, size_t len, bool *has_cursor_out)
{
	static const char *const glyphs[] = {"❯", "›", ">", "→", "▶"};
	size_t at = 0;
	int number = 0;

	*has_cursor_out = false;
	while (at < len &&
	       (text[at] == ' ' || (unsigned char)text[at] == 0xE2 || text[at] == '>')) {
		size_t i = 0;

		if (text[at] == ' ') {
			at++;
			continue;
		}
		while (i < sizeof glyphs / sizeof *glyphs &&
		       (strlen(glyphs[i]) > len - at ||
		        memcmp(text + at, glyphs[i], strlen(glyphs[i])) != 0)) {
			i++;
		}
		if (i == sizeof glyphs / sizeof *glyphs) {
			return 0;
		}
		*has_cursor_out = true;
		at += strlen(glyphs[i]);
	}
	for (; at < len && isdigit((unsigned char)text[at]) && number < 100; at++) {
		number = number * 10 + (text[at] - '0');
	}
	return at + 1 < len && text[at] == '.' && text[at + 1] == ' ' ? number : 0;
}

/** Number of choices in the longest run 1., 2., 3. … of which one is under a cursor glyph. */
static int slice_choices(const struct slice *slice)
{
	int best = 0;
	int run = 0;
	bool run_has_cursor = false;

	for (size_t at = 0; at < slice->len;) {
		const char *line_end = memchr(slice->at + at, '\n', slice->len - at);
		size_t len = line_end ? (size_t)(line_end - slice->at) - at : slice->len - at;
		bool has_cursor;
		int number = choice_number(slice->at + at, len, &has_cursor);

		if (number == 1) {
			run = 1;
			run_has_cursor = has_cursor;
		} else if (number == run + 1 && run > 0) {
			run++;
			run_has_cursor |= has_cursor;
		}
		if (run_has_cursor && run > best) {
			best = run;
		}
		at += len + 1;
	}
	return best;
}

/** Match @pattern in the slice; on a hit with the right attributes note its start. */
static bool slice_has(const struct bh_rule *rule, const struct bh_pattern *pattern,
                      const struct slice *slice, struct bh_reading *reading, size_t *at_out)
{
	size_t start = 0;
	size_t end = 0;
	enum bh_match match = bh_pattern_find(pattern, slice->at, slice->len, &start, &end);

	reading->has_limit |= match == BH_MATCH_LIMIT;
	if (match != BH_MATCH_YES || !ink_fits(rule, slice, start, end)) {
		return false;
	}
	*at_out = start;
	return true;
}

static bool patterns_fit(const struct bh_rule *rule, const struct slice *slice,
                         struct bh_reading *reading, size_t *at_out)
{
	bool has_any = rule->any.count == 0;

	for (size_t i = 0; i < rule->none.count; i++) {
		enum bh_match match =
			bh_pattern_find(rule->none.list[i], slice->at, slice->len, NULL, NULL);

		reading->has_limit |= match == BH_MATCH_LIMIT;
		if (match != BH_MATCH_NO) {
			return false;
		}
	}
	for (size_t i = 0; i < rule->all.count; i++) {
		if (!slice_has(rule, rule->all.list[i], slice, reading, at_out)) {
			return false;
		}
	}
	for (size_t i = 0; i < rule->any.count && !has_any; i++) {
		has_any = slice_has(rule, rule->any.list[i], slice, reading, at_out);
	}
	return has_any;
}

static bool maybe_fits(enum bh_maybe wanted, bool fact)
{
	return wanted == BH_MAYBE_ANY || (wanted == BH_MAYBE_YES) == fact;
}

static void rule_read(const struct bh_profile *profile, const struct bh_rule *rule,
                      const struct bh_view *view, struct bh_reading *reading)
{
	struct slice slice = region_slice(&profile->regions[rule->region], view, reading);
	size_t at = 0;
	int row = slice.row;

	if (reading->hit_count == BH_HITS_MAX ||
	    !maybe_fits(rule->composer, reading->composer != BH_COMPOSER_NONE) ||
	    !maybe_fits(rule->cursor_shown, view->is_cursor_shown) ||
	    !maybe_fits(rule->alternate, view->is_alternate) ||
	    !patterns_fit(rule, &slice, reading, &at) ||
	    (rule->choices_min && slice_choices(&slice) < rule->choices_min)) {
		return;
	}
	for (size_t i = 0; i < at; i++) {
		row += slice.at[i] == '\n' ? 1 : 0;
	}
	reading->hits[reading->hit_count++] = (struct bh_hit){
		.rule = rule,
		.row = slice.row < 0 ? 0 : row - view->row_count,
	};
}

void bh_rules_read(const struct bh_profile *profile, const struct bh_view *view,
                   struct bh_reading *reading_out)
{
	*reading_out = (struct bh_reading){.composer = BH_COMPOSER_NONE};
	composer_read(&profile->composer, view, reading_out);
	for (size_t i = 0; i < profile->rule_count; i++) {
		rule_read(profile, &profile->rules[i], view, reading_out);
	}
}

void bh_rules_cut(const struct bh_profile *profile, struct bh_view *view)
{
	const struct bh_pattern *edge = profile->composer.edge;

	for (int row = edge ? bh_view_last_row(view) : -1; row >= 0; row--) {
		size_t len;
		size_t end = 0;
		const char *text = bh_view_row_text(view, row, &len);

		// A pattern that takes too long cuts nothing, and then no composer is found.
		if (bh_pattern_find(edge, text, len, NULL, &end) == BH_MATCH_YES && end > 0) {
			bh_view_cut(view, view->col[view->rows[row].start + end - 1] + 1);
			return;
		}
	}
}
