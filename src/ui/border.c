#include "src/ui/border.h"

#include "src/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** How heavy the line is that leaves a cell upwards, to the right, down and to the left. */
enum arm {
	ARM_UP,
	ARM_RIGHT,
	ARM_DOWN,
	ARM_LEFT,
	ARM_COUNT
};

enum weight {
	WEIGHT_NONE,
	WEIGHT_LIGHT,
	WEIGHT_HEAVY,
	WEIGHT_COUNT
};

struct joint {
	unsigned char arms[ARM_COUNT];
};

/** The joints of a part of the session. */
struct mesh {
	struct joint *joints;
	struct bh_scene_origin origin;
	int rows, cols;
};

/** By the weights of up, right, down and left, the last changing fastest. */
static const char *const glyphs[] = {
	" ", "╴", "╸", "╷", "┐", "┑", "╻", "┒", "┓", // up none, right none
	"╶", "─", "╾", "┌", "┬", "┭", "┎", "┰", "┱", // right light
	"╺", "╼", "━", "┍", "┮", "┯", "┏", "┲", "┳", // right heavy
	"╵", "┘", "┙", "│", "┤", "┥", "╽", "┧", "┪", // up light, right none
	"└", "┴", "┵", "├", "┼", "┽", "┟", "╁", "╅", // right light
	"┕", "┶", "┷", "┝", "┾", "┿", "┢", "╆", "╈", // right heavy
	"╹", "┚", "┛", "╿", "┦", "┩", "┃", "┨", "┫", // up heavy, right none
	"┖", "┸", "┹", "┞", "╀", "╃", "┠", "╂", "╉", // right light
	"┗", "┺", "┻", "┡", "╄", "╇", "┣", "╊", "╋", // right heavy
};

static const struct bh_draw_style light = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style heavy = {.attrs = BH_ATTR_BOLD, .fg = BH_COLOR_INDEX(2)};

/** Let an arm of the cell at @row, @col of the session be no lighter than @weight. */
static void mesh_add(struct mesh *mesh, int row, int col, enum arm arm, enum weight weight)
{
	unsigned char *at = NULL;

	row -= mesh->origin.row;
	col -= mesh->origin.col;
	if (row < 0 || row >= mesh->rows || col < 0 || col >= mesh->cols) {
		return;
	}
	at = &mesh->joints[row * mesh->cols + col].arms[arm];
	*at = *at < weight ? (unsigned char)weight : *at;
}

/** A line in @row from the middle of the cell at @from to that at @to. */
static void mesh_line_across(struct mesh *mesh, int row, int from, int to, enum weight weight)
{
	for (int col = from; col <= to; col++) {
		if (col > from) {
			mesh_add(mesh, row, col, ARM_LEFT, weight);
		}
		if (col < to) {
			mesh_add(mesh, row, col, ARM_RIGHT, weight);
		}
	}
}

/** A line in @col from the middle of the cell at @from to that at @to. */
static void mesh_line_down(struct mesh *mesh, int col, int from, int to, enum weight weight)
{
	for (int row = from; row <= to; row++) {
		if (row > from) {
			mesh_add(mesh, row, col, ARM_UP, weight);
		}
		if (row < to) {
			mesh_add(mesh, row, col, ARM_DOWN, weight);
		}
	}
}

/** The line above a pane and those beside it. At an edge of the session a line goes on over it. */
static void mesh_take_pane(struct mesh *mesh, const struct bh_model *model,
                           const struct bh_model_pane *pane, enum weight weight)
{
	int top = pane->row - 1;
	int bottom = pane->row + pane->rows;
	int right = pane->col + pane->cols;

	mesh_line_across(mesh, top, pane->col - 1, right, weight);
	if (pane->col > 0) {
		mesh_line_down(mesh, pane->col - 1, top, bottom, weight);
	}
	if (right < model->area_cols) {
		mesh_line_down(mesh, right, top, bottom, weight);
	}
}

static const char *joint_glyph(const struct joint *joint, bool *is_heavy_out)
{
	int index = 0;

	*is_heavy_out = false;
	for (int arm = 0; arm < ARM_COUNT; arm++) {
		index = index * WEIGHT_COUNT + joint->arms[arm];
		*is_heavy_out = *is_heavy_out || joint->arms[arm] == WEIGHT_HEAVY;
	}
	return index == 0 ? NULL : glyphs[index];
}

static void mesh_draw(const struct mesh *mesh, struct bh_draw *draw, struct bh_draw_rect area)
{
	for (int row = 0; row < mesh->rows; row++) {
		for (int col = 0; col < mesh->cols; col++) {
			bool is_heavy = false;
			const char *glyph =
				joint_glyph(&mesh->joints[row * mesh->cols + col], &is_heavy);

			if (glyph != NULL) {
				(void)bh_draw_text(draw, area.row + row, area.col + col, 1, glyph,
				                   is_heavy ? heavy : light);
			}
		}
	}
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

void bh_border_draw(struct bh_draw *draw, struct bh_draw_rect area, struct bh_scene_origin origin,
                    const struct bh_model *model)
{
	const struct bh_model_tab *tab = bh_model_active(model);
	struct mesh mesh = {.origin = origin,
	                    .rows = smaller(area.rows, model->area_rows - origin.row),
	                    .cols = smaller(area.cols, model->area_cols - origin.col)};

	if (tab == NULL || mesh.rows <= 0 || mesh.cols <= 0) {
		return;
	}
	mesh.joints = bh_xcalloc((size_t)mesh.rows * (size_t)mesh.cols, sizeof(*mesh.joints));
	for (size_t i = 0; i < tab->pane_count; i++) {
		const struct bh_model_pane *pane = &tab->panes[i];

		if (pane->is_visible) {
			mesh_take_pane(&mesh, model, pane,
			               strcmp(tab->focus, pane->terminal_id) == 0 ? WEIGHT_HEAVY
			                                                          : WEIGHT_LIGHT);
		}
	}
	mesh_draw(&mesh, draw, area);
	free(mesh.joints);
}

/** Whether a pane has this border at its right or below it, in the row or column @along. */
static bool pane_has(const struct bh_model *model, const struct bh_model_pane *pane,
                     bool is_vertical, int at, int along)
{
	if (!pane->is_visible || pane->rows == 0) {
		return false;
	}
	if (is_vertical) {
		return pane->col + pane->cols == at && at < model->area_cols &&
		       along >= pane->row - 1 && along < pane->row + pane->rows;
	}
	return pane->row + pane->rows == at && at < model->area_rows && along >= pane->col &&
	       along < pane->col + pane->cols;
}

struct bh_border bh_border_at(const struct bh_model *model, int row, int col)
{
	const struct bh_model_tab *tab = bh_model_active(model);

	for (size_t i = 0; tab != NULL && i < tab->pane_count; i++) {
		const struct bh_model_pane *pane = &tab->panes[i];

		if (pane_has(model, pane, true, col, row)) {
			return (struct bh_border){.pane = pane, .is_vertical = true, .at = col};
		}
		if (pane_has(model, pane, false, row, col)) {
			return (struct bh_border){.pane = pane, .at = row};
		}
	}
	return (struct bh_border){0};
}

int bh_border_find(const struct bh_model *model, const char *terminal_id, bool is_vertical)
{
	const struct bh_model_pane *pane = bh_model_pane_of(bh_model_active(model), terminal_id);
	int at = -1;

	if (pane != NULL && pane->is_visible) {
		at = is_vertical ? pane->col + pane->cols : pane->row + pane->rows;
		at = at < (is_vertical ? model->area_cols : model->area_rows) ? at : -1;
	}
	return at;
}

const struct bh_model_pane *bh_border_title_at(const struct bh_model *model, int row, int col)
{
	const struct bh_model_tab *tab = bh_model_active(model);

	for (size_t i = 0; tab != NULL && i < tab->pane_count; i++) {
		const struct bh_model_pane *pane = &tab->panes[i];

		if (pane->is_visible && pane->row - 1 == row && col >= pane->col &&
		    col < pane->col + pane->cols) {
			return pane;
		}
	}
	return NULL;
}
