#include "src/server/screen_view.h"

#include "src/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t bh_screen_view_history(const struct bh_screen *screen, size_t rows, struct bh_buf *out)
{
	size_t count = bh_screen_history_count(screen);
	size_t shown = rows < count ? rows : count;
	uint64_t end = bh_screen_history_first(screen) + count;
	size_t size = (size_t)BH_SCREEN_MAX_COLS * BH_CELL_TEXT;
	char *text = bh_xmalloc(size);

	for (uint64_t id = end - shown; id < end; id++) {
		bh_buf_append(out, text, bh_screen_history_text(screen, id, text, size));
		bh_buf_puts(out, "\n");
	}
	free(text);
	return shown;
}

static void run_add_color(cJSON *run, const char *name, uint32_t color)
{
	char text[8];

	if (bh_color_is_index(color)) {
		cJSON_AddNumberToObject(run, name, color & 0xff);
	} else if (bh_color_is_rgb(color)) {
		(void)snprintf(text, sizeof text, "#%06x", color & 0xffffffU); // always fits
		cJSON_AddStringToObject(run, name, text);
	}
}

static void run_add(cJSON *runs, const struct bh_cell *style, const char *text)
{
	static const struct {
		uint16_t bit;
		const char *name;
	} attributes[] = {
		{BH_ATTR_BOLD, "bold"},       {BH_ATTR_DIM, "dim"},
		{BH_ATTR_ITALIC, "italic"},   {BH_ATTR_UNDERLINE_MASK, "underline"},
		{BH_ATTR_REVERSE, "inverse"}, {BH_ATTR_STRIKE, "strike"},
	};
	cJSON *run = cJSON_CreateObject();

	cJSON_AddStringToObject(run, "text", text);
	run_add_color(run, "fg", style->fg);
	run_add_color(run, "bg", style->bg);
	for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
		if ((style->attrs & attributes[i].bit) != 0) {
			cJSON_AddTrueToObject(run, attributes[i].name);
		}
	}
	cJSON_AddItemToArray(runs, run);
}

static bool style_is_same(const struct bh_cell *a, const struct bh_cell *b)
{
	return a->attrs == b->attrs && a->fg == b->fg && a->bg == b->bg;
}

// Blank and without any style: what stands behind the end of a line.
static bool cell_is_empty(const struct bh_cell *cell)
{
	return cell->attrs == 0 && cell->fg == BH_COLOR_DEFAULT && cell->bg == BH_COLOR_DEFAULT &&
	       strcmp(cell->text, " ") == 0;
}

static int row_width(const struct bh_screen *screen, int row)
{
	int width = bh_screen_cols(screen);

	while (width > 0) {
		struct bh_cell cell = bh_screen_cell(screen, row, width - 1);

		if (!cell_is_empty(&cell)) {
			break;
		}
		width--;
	}
	return width;
}

static cJSON *row_runs(const struct bh_screen *screen, int row)
{
	cJSON *runs = cJSON_CreateArray();
	struct bh_cell style = {0};
	struct bh_buf text = {0};
	int width = row_width(screen, row);

	for (int col = 0; col < width; col++) {
		struct bh_cell cell = bh_screen_cell(screen, row, col);

		if (text.len > 0 && !style_is_same(&cell, &style)) {
			run_add(runs, &style, text.data);
			bh_buf_clear(&text);
		}
		style = cell;
		bh_buf_append(&text, cell.text, cell.text_len);
	}
	if (text.len > 0) {
		run_add(runs, &style, text.data);
	}
	bh_buf_clear(&text);
	return runs;
}

cJSON *bh_screen_view_lines(const struct bh_screen *screen)
{
	cJSON *lines = cJSON_CreateArray();
	size_t size = (size_t)bh_screen_cols(screen) * BH_CELL_TEXT + 1;
	char *text = bh_xmalloc(size);
	int left = BH_SCREEN_VIEW_RUNS_MAX;

	for (int row = 0; row < bh_screen_rows(screen) && left >= 0; row++) {
		cJSON *line = cJSON_CreateObject();
		cJSON *runs = row_runs(screen, row);

		(void)bh_screen_row_text(screen, row, text, size); // the length is not needed
		cJSON_AddStringToObject(line, "text", text);
		left -= cJSON_GetArraySize(runs);
		cJSON_AddItemToObject(line, "runs", runs);
		cJSON_AddItemToArray(lines, line);
	}
	free(text);
	if (left < 0) {
		cJSON_Delete(lines);
		return NULL;
	}
	return lines;
}
