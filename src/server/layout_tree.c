#include "src/server/layout_tree.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/** Columns between panes that lie side by side. */
#define GAP 1
/** Cells that lie between two children of @axis. */
static int axis_gap(enum bh_layout_axis axis)
{
	return axis == BH_LAYOUT_ACROSS ? GAP : 0;
}

/** How far @rect reaches along @axis. */
static int rect_length(const struct bh_layout_rect *rect, enum bh_layout_axis axis)
{
	return axis == BH_LAYOUT_ACROSS ? rect->cols : rect->rows;
}

static int length_min(enum bh_layout_axis axis)
{
	return axis == BH_LAYOUT_ACROSS ? BH_LAYOUT_COLS_MIN : BH_LAYOUT_ROWS_MIN;
}

/** The least that a node needs along @axis for every pane in it to have its minimum. */
static int node_least(const struct bh_layout_node *node, enum bh_layout_axis axis)
{
	int least = 0;

	if (node->child == NULL) {
		return length_min(axis);
	}
	for (const struct bh_layout_node *at = node->child; at != NULL; at = at->next) {
		int need = node_least(at, axis);

		if (node->axis == axis) {
			least += need + (at == node->child ? 0 : axis_gap(axis));
		} else if (need > least) {
			least = need;
		}
	}
	return least;
}

static int child_count(const struct bh_layout_node *node)
{
	int count = 0;

	for (const struct bh_layout_node *at = node->child; at != NULL; at = at->next) {
		count++;
	}
	return count;
}

/** The part of @rect from @from on, @length long, along @axis. */
static struct bh_layout_rect rect_part(const struct bh_layout_rect *rect, enum bh_layout_axis axis,
                                       int from, int length)
{
	struct bh_layout_rect part = *rect;

	if (axis == BH_LAYOUT_ACROSS) {
		part.col += from;
		part.cols = length < 1 ? 1 : length;
	} else {
		part.row += from;
		part.rows = length < 1 ? 1 : length;
	}
	return part;
}

/** Cells that the children of @node share when it lies in @rect. */
static int node_room(const struct bh_layout_node *node, const struct bh_layout_rect *rect)
{
	int room = rect_length(rect, node->axis) - (child_count(node) - 1) * axis_gap(node->axis);

	return room < 0 ? 0 : room;
}

/** What a child's share is beyond its least; in an area too small for that, all of it. */
static long child_weight(const struct bh_layout_node *child, enum bh_layout_axis axis,
                         bool is_tight)
{
	long weight = child->share - (is_tight ? 0 : node_least(child, axis));

	return weight < 0 ? 0 : weight;
}

void bh_layout_fit(struct bh_layout_node *root, struct bh_layout_rect rect)
{
	enum bh_layout_axis axis = root->axis;
	bool is_tight = rect_length(&rect, axis) < node_least(root, axis);
	long total = 0;
	long seen = 0;
	long count = 0;
	int spare;
	int given = 0;
	int from = 0;

	root->rect = rect;
	if (root->child == NULL) {
		return;
	}
	spare = node_room(root, &rect);
	for (const struct bh_layout_node *at = root->child; at != NULL; at = at->next) {
		total += child_weight(at, axis, is_tight);
		spare -= is_tight ? 0 : node_least(at, axis);
		count++;
	}
	// Where all had their least, what is new is for all of them alike.
	bool is_even = total == 0;

	total = is_even ? count : total;
	// Each share ends where its part of the whole ends: no cell is lost to rounding.
	for (struct bh_layout_node *at = root->child; at != NULL; at = at->next) {
		bool is_last = at->next == NULL;
		int length = is_tight ? 0 : node_least(at, axis);
		int end;

		seen += is_even ? 1 : child_weight(at, axis, is_tight);
		end = is_last ? spare : (int)((spare * seen + total / 2) / total);
		length += end - given;
		given = end;
		bh_layout_fit(at, rect_part(&rect, axis, from, length));
		from += length + axis_gap(axis);
	}
}

/** What the children of @node have now is what they are to have of any area. */
static void shares_keep(struct bh_layout_node *node)
{
	for (struct bh_layout_node *at = node->child; at != NULL; at = at->next) {
		at->share = rect_length(&at->rect, node->axis);
	}
}

/** The same for all nodes around a change: with what a node needs at least, its part of the area
 * changes, too. */
static void shares_keep_around(struct bh_layout_node *node)
{
	for (struct bh_layout_node *at = node; at != NULL; at = at->parent) {
		shares_keep(at);
	}
}

struct bh_layout_node *bh_layout_leaf_new(const struct bh_uuid *terminal,
                                          struct bh_layout_rect rect)
{
	struct bh_layout_node *leaf = bh_xmalloc(sizeof(*leaf));

	leaf->terminal = *terminal;
	leaf->rect = rect;
	return leaf;
}

struct bh_layout_node *bh_layout_node_new(enum bh_layout_axis axis, struct bh_layout_rect rect)
{
	struct bh_layout_node *node = bh_xmalloc(sizeof(*node));

	node->axis = axis;
	node->rect = rect;
	return node;
}

void bh_layout_append(struct bh_layout_node *node, struct bh_layout_node *child)
{
	struct bh_layout_node **place = &node->child;

	while (*place != NULL) {
		place = &(*place)->next;
	}
	*place = child;
	child->parent = node;
	child->share = rect_length(&child->rect, node->axis);
}

void bh_layout_tree_free(struct bh_layout_node *root)
{
	struct bh_layout_node *at = root == NULL ? NULL : root->child;

	while (at != NULL) {
		struct bh_layout_node *next = at->next;

		bh_layout_tree_free(at);
		at = next;
	}
	free(root);
}

struct bh_layout_node *bh_layout_first(struct bh_layout_node *root)
{
	while (root != NULL && root->child != NULL) {
		root = root->child;
	}
	return root;
}

struct bh_layout_node *bh_layout_after(struct bh_layout_node *leaf)
{
	struct bh_layout_node *at = leaf;

	while (at != NULL && at->next == NULL) {
		at = at->parent;
	}
	return at == NULL ? NULL : bh_layout_first(at->next);
}

struct bh_layout_node *bh_layout_find(struct bh_layout_node *root, const struct bh_uuid *terminal)
{
	struct bh_layout_node *at = bh_layout_first(root);

	while (at != NULL && !bh_uuid_is_equal(&at->terminal, terminal)) {
		at = bh_layout_after(at);
	}
	return at;
}

size_t bh_layout_count(const struct bh_layout_node *root)
{
	size_t count = root != NULL && root->child == NULL ? 1 : 0;

	for (const struct bh_layout_node *at = root == NULL ? NULL : root->child; at != NULL;
	     at = at->next) {
		count += bh_layout_count(at);
	}
	return count;
}

/** Where the pointer to @node stands: in its parent, its elder sibling or @root. */
static struct bh_layout_node **node_place(struct bh_layout_node **root, struct bh_layout_node *node)
{
	struct bh_layout_node **at = node->parent == NULL ? root : &node->parent->child;

	while (*at != node) {
		at = &(*at)->next;
	}
	return at;
}

/** Put @comes where @leaves is, which is in no tree after that. */
static void node_replace(struct bh_layout_node **root, struct bh_layout_node *leaves,
                         struct bh_layout_node *comes)
{
	*node_place(root, leaves) = comes;
	comes->parent = leaves->parent;
	comes->next = leaves->next;
	comes->share = leaves->share;
	leaves->parent = NULL;
	leaves->next = NULL;
}

/** Put an inner node around @leaf. */
static void node_wrap(struct bh_layout_node **root, struct bh_layout_node *leaf,
                      enum bh_layout_axis axis)
{
	struct bh_layout_node *around = bh_xmalloc(sizeof(*around));

	around->axis = axis;
	around->rect = leaf->rect;
	node_replace(root, leaf, around);
	around->child = leaf;
	leaf->parent = around;
}

/** Whether @leaf stands so deep that nothing can be wrapped around it. */
static bool is_deepest(const struct bh_layout_node *leaf)
{
	int depth = 0;

	for (const struct bh_layout_node *at = leaf->parent; at != NULL; at = at->parent) {
		depth++;
	}
	return depth >= BH_LAYOUT_DEPTH_MAX;
}

struct bh_layout_node *bh_layout_split(struct bh_layout_node **root, struct bh_layout_node *leaf,
                                       enum bh_layout_axis axis, bool is_before,
                                       const struct bh_uuid *terminal)
{
	struct bh_layout_rect rect = leaf->rect;
	int length = rect_length(&rect, axis);
	int first = (length - axis_gap(axis) + 1) / 2;
	int second = length - axis_gap(axis) - first;
	bool is_wrapped = leaf->parent == NULL || leaf->parent->axis != axis;
	struct bh_layout_node *added;

	if (second < length_min(axis) || bh_layout_count(*root) >= BH_LAYOUT_PANES_MAX ||
	    (is_wrapped && is_deepest(leaf))) {
		return NULL;
	}
	if (is_wrapped) {
		node_wrap(root, leaf, axis);
	}
	added = bh_layout_leaf_new(terminal, rect);
	added->parent = leaf->parent;
	if (is_before) {
		struct bh_layout_node **place = node_place(root, leaf);

		added->next = leaf;
		*place = added;
	} else {
		added->next = leaf->next;
		leaf->next = added;
	}
	(is_before ? added : leaf)->rect = rect_part(&rect, axis, 0, first);
	(is_before ? leaf : added)->rect = rect_part(&rect, axis, first + axis_gap(axis), second);
	shares_keep_around(leaf->parent);
	return added;
}

/** An inner node with one child has no meaning: the child takes its place. */
static void node_unwrap(struct bh_layout_node **root, struct bh_layout_node *node)
{
	struct bh_layout_node *only = node->child;
	struct bh_layout_rect rect = node->rect;

	if (only->next != NULL) {
		return;
	}
	node_replace(root, node, only);
	node->child = NULL;
	free(node);
	bh_layout_fit(only, rect);
	if (only->child != NULL && only->parent != NULL && only->parent->axis == only->axis) {
		// Its children and its siblings lie alike now: they become one row.
		struct bh_layout_node **place = node_place(root, only);
		struct bh_layout_node *last = only->child;

		last->parent = only->parent;
		while (last->next != NULL) {
			last = last->next;
			last->parent = only->parent;
		}
		last->next = only->next;
		*place = only->child;
		shares_keep(last->parent); // of another row, which counted in other cells
		free(only);
	}
}

void bh_layout_remove(struct bh_layout_node **root, struct bh_layout_node *leaf)
{
	struct bh_layout_node *parent = leaf->parent;
	struct bh_layout_node *heir;
	struct bh_layout_rect rect;

	if (parent == NULL) {
		*root = NULL;
		free(leaf);
		return;
	}
	// The elder sibling inherits; the first-born's place goes to the next one.
	heir = parent->child;
	while (heir != leaf && heir->next != leaf) {
		heir = heir->next;
	}
	heir = heir == leaf ? leaf->next : heir;
	rect = heir->rect;
	if (parent->axis == BH_LAYOUT_ACROSS) {
		rect.col = rect.col < leaf->rect.col ? rect.col : leaf->rect.col;
		rect.cols += leaf->rect.cols + GAP;
	} else {
		rect.row = rect.row < leaf->rect.row ? rect.row : leaf->rect.row;
		rect.rows += leaf->rect.rows;
	}
	*node_place(root, leaf) = leaf->next;
	free(leaf);
	bh_layout_fit(heir, rect);
	shares_keep_around(parent);
	node_unwrap(root, parent);
}

/** Take @cells from @from and give them to @to, its neighbour; at most what @from can spare. */
static int cells_move(struct bh_layout_node *from, struct bh_layout_node *to, int cells)
{
	enum bh_layout_axis axis = from->parent->axis;
	int spare = rect_length(&from->rect, axis) - node_least(from, axis);
	int moved = cells < spare ? cells : spare;
	bool is_from_first = from->next == to;
	struct bh_layout_rect a = from->rect;
	struct bh_layout_rect b = to->rect;

	if (moved <= 0) {
		return 0;
	}
	if (axis == BH_LAYOUT_ACROSS) {
		a.cols -= moved;
		b.cols += moved;
		*(is_from_first ? &b.col : &a.col) += is_from_first ? -moved : moved;
	} else {
		a.rows -= moved;
		b.rows += moved;
		*(is_from_first ? &b.row : &a.row) += is_from_first ? -moved : moved;
	}
	bh_layout_fit(from, a);
	bh_layout_fit(to, b);
	shares_keep(from->parent);
	return moved;
}

static struct bh_layout_node *node_elder(const struct bh_layout_node *node)
{
	struct bh_layout_node *at = node->parent->child;

	while (at != node && at->next != node) {
		at = at->next;
	}
	return at == node ? NULL : at;
}

int bh_layout_push(struct bh_layout_node *leaf, enum bh_layout_direction direction, int cells)
{
	enum bh_layout_axis axis = direction == BH_LAYOUT_LEFT || direction == BH_LAYOUT_RIGHT
	                                   ? BH_LAYOUT_ACROSS
	                                   : BH_LAYOUT_DOWN;
	bool is_forward = direction == BH_LAYOUT_RIGHT || direction == BH_LAYOUT_DOWNWARD;
	struct bh_layout_node *edge = NULL;

	for (struct bh_layout_node *at = leaf; at->parent != NULL; at = at->parent) {
		struct bh_layout_node *beyond;

		if (at->parent->axis != axis) {
			continue;
		}
		beyond = is_forward ? at->next : node_elder(at);
		if (beyond != NULL) {
			return cells > 0 ? cells_move(beyond, at, cells)
			                 : -cells_move(at, beyond, -cells);
		}
		edge = edge == NULL ? at : edge;
	}
	if (edge == NULL) {
		return 0;
	}
	// At the edge of the area: the other border moves the same way.
	struct bh_layout_node *other = is_forward ? node_elder(edge) : edge->next;

	if (other == NULL) {
		return 0;
	}
	return cells > 0 ? cells_move(edge, other, cells) : -cells_move(other, edge, -cells);
}

/** How far two stretches overlap; more than 0 when they do. */
static int overlap(int a, int a_length, int b, int b_length)
{
	int end = a + a_length < b + b_length ? a + a_length : b + b_length;

	return end - (a > b ? a : b);
}

/** Cells between @from and @to in @direction; the area is gone round once. -1: not that way. */
static int distance(const struct bh_layout_rect *from, const struct bh_layout_rect *to,
                    enum bh_layout_direction direction, const struct bh_layout_rect *area)
{
	bool is_across = direction == BH_LAYOUT_LEFT || direction == BH_LAYOUT_RIGHT;
	int shared = is_across ? overlap(from->row, from->rows, to->row, to->rows)
	                       : overlap(from->col, from->cols, to->col, to->cols);
	int gone = 0;
	int round = is_across ? area->cols + GAP : area->rows;

	if (shared <= 0) {
		return -1;
	}
	switch (direction) {
	case BH_LAYOUT_LEFT:
		gone = from->col - (to->col + to->cols);
		break;
	case BH_LAYOUT_RIGHT:
		gone = to->col - (from->col + from->cols);
		break;
	case BH_LAYOUT_UP:
		gone = from->row - (to->row + to->rows);
		break;
	case BH_LAYOUT_DOWNWARD:
		gone = to->row - (from->row + from->rows);
		break;
	}
	return gone < 0 ? gone + 2 * round : gone;
}

struct bh_layout_node *bh_layout_neighbour(struct bh_layout_node *root, struct bh_layout_node *leaf,
                                           enum bh_layout_direction direction)
{
	struct bh_layout_node *best = leaf;
	int best_distance = -1;
	int best_shared = 0;
	bool is_across = direction == BH_LAYOUT_LEFT || direction == BH_LAYOUT_RIGHT;

	for (struct bh_layout_node *at = bh_layout_first(root); at != NULL;
	     at = bh_layout_after(at)) {
		int far =
			at == leaf ? -1 : distance(&leaf->rect, &at->rect, direction, &root->rect);
		int shared = is_across ? overlap(leaf->rect.row, leaf->rect.rows, at->rect.row,
		                                 at->rect.rows)
		                       : overlap(leaf->rect.col, leaf->rect.cols, at->rect.col,
		                                 at->rect.cols);

		if (far >= 0 && (best_distance < 0 || far < best_distance ||
		                 (far == best_distance && shared > best_shared))) {
			best = at;
			best_distance = far;
			best_shared = shared;
		}
	}
	return best;
}

/** An inner node over @count leaves of @leaves, all alike long. */
static struct bh_layout_node *row_new(struct bh_layout_node **leaves, size_t count,
                                      enum bh_layout_axis axis)
{
	struct bh_layout_node *node;

	if (count <= 1) {
		return leaves[0];
	}
	node = bh_xmalloc(sizeof(*node));
	node->axis = axis;
	for (size_t i = 0; i < count; i++) {
		leaves[i]->parent = node;
		leaves[i]->next = i + 1 < count ? leaves[i + 1] : NULL;
		leaves[i]->share = BH_LAYOUT_SHARE_MAX; // so much that no minimum counts
	}
	node->child = leaves[0];
	return node;
}

/** Rows of equal panes; as many in a row as there are rows, or one more. */
static struct bh_layout_node *tiles_new(struct bh_layout_node **leaves, size_t count)
{
	struct bh_layout_node *rows[BH_LAYOUT_PANES_MAX] = {NULL};
	size_t across = 1;
	size_t used = 0;

	while (across * across < count) {
		across++;
	}
	for (size_t at = 0; at < count; at += across) {
		size_t in_row = count - at < across ? count - at : across;

		rows[used++] = row_new(leaves + at, in_row, BH_LAYOUT_ACROSS);
	}
	return row_new(rows, used, BH_LAYOUT_DOWN);
}

/** Take the leaves out of a tree and free the rest of it; gives their number. */
static size_t leaves_take(struct bh_layout_node *root, struct bh_layout_node **leaves)
{
	size_t count = 0;
	struct bh_layout_node *at = root->child;

	if (at == NULL) {
		root->parent = NULL;
		root->next = NULL;
		leaves[0] = root;
		return 1;
	}
	while (at != NULL) {
		struct bh_layout_node *next = at->next;

		count += leaves_take(at, leaves + count);
		at = next;
	}
	free(root);
	return count;
}

void bh_layout_arrange(struct bh_layout_node **root, enum bh_layout_preset preset)
{
	struct bh_layout_node *leaves[BH_LAYOUT_PANES_MAX] = {NULL};
	struct bh_layout_rect rect = (*root)->rect;
	size_t count = leaves_take(*root, leaves);
	struct bh_layout_node *pair[2] = {leaves[0], NULL};
	bool is_wide = preset == BH_LAYOUT_MAIN_HORIZONTAL;

	switch (preset) {
	case BH_LAYOUT_EVEN_HORIZONTAL:
		*root = row_new(leaves, count, BH_LAYOUT_ACROSS);
		break;
	case BH_LAYOUT_EVEN_VERTICAL:
		*root = row_new(leaves, count, BH_LAYOUT_DOWN);
		break;
	case BH_LAYOUT_MAIN_HORIZONTAL:
	case BH_LAYOUT_MAIN_VERTICAL:
		if (count > 1) {
			pair[1] = row_new(leaves + 1, count - 1,
			                  is_wide ? BH_LAYOUT_ACROSS : BH_LAYOUT_DOWN);
		}
		*root = row_new(pair, count > 1 ? 2 : 1,
		                is_wide ? BH_LAYOUT_DOWN : BH_LAYOUT_ACROSS);
		break;
	case BH_LAYOUT_TILED:
		*root = tiles_new(leaves, count);
		break;
	}
	bh_layout_fit(*root, rect);
}

static const char *const preset_words[BH_LAYOUT_PRESET_COUNT] = {
	[BH_LAYOUT_EVEN_HORIZONTAL] = "even-horizontal",
	[BH_LAYOUT_EVEN_VERTICAL] = "even-vertical",
	[BH_LAYOUT_MAIN_HORIZONTAL] = "main-horizontal",
	[BH_LAYOUT_MAIN_VERTICAL] = "main-vertical",
	[BH_LAYOUT_TILED] = "tiled",
};

const char *bh_layout_preset_word(enum bh_layout_preset preset)
{
	return preset_words[preset];
}

bool bh_layout_preset_parse(const char *word, enum bh_layout_preset *preset_out)
{
	for (int i = 0; i < BH_LAYOUT_PRESET_COUNT; i++) {
		if (strcmp(preset_words[i], word) == 0) {
			*preset_out = (enum bh_layout_preset)i;
			return true;
		}
	}
	return false;
}
