/** @file
 * How the panes of one tab share its area: a tree whose leaves are panes and whose inner nodes lay
 * their children side by side or one above the other. Pure.
 *
 * Lengths are cells. Each pane has a title line above it, so panes that are stacked need nothing
 * between them; panes side by side have one column between them. A pane is named by its terminal.
 */
#ifndef BH_SERVER_LAYOUT_TREE_H
#define BH_SERVER_LAYOUT_TREE_H

#include "src/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>

/** The smallest a pane may be made by hand: its title line and two rows; two columns. */
#define BH_LAYOUT_ROWS_MIN 3
#define BH_LAYOUT_COLS_MIN 2

/** Most panes in one tab. */
#define BH_LAYOUT_PANES_MAX 64

/** Most splits of splits: a deeper tree could not be read back from its file, whose nesting has a
 * limit. */
#define BH_LAYOUT_DEPTH_MAX 29

/** Largest share of a node. */
#define BH_LAYOUT_SHARE_MAX 100000

/** How children lie. */
enum bh_layout_axis {
	/** Side by side, from left to right. */
	BH_LAYOUT_ACROSS,
	/** One above the other, from top to bottom. */
	BH_LAYOUT_DOWN,
};

/** Where something lies, from the area's upper left corner (0, 0). A pane's title line is included:
 * what the program has begins one row lower. */
struct bh_layout_rect {
	/** Its first row and column. */
	int row, col;
	/** Its size; never below 1. */
	int rows, cols;
};

/** A direction on the screen. */
enum bh_layout_direction {
	BH_LAYOUT_LEFT,
	BH_LAYOUT_RIGHT,
	BH_LAYOUT_UP,
	BH_LAYOUT_DOWNWARD,
};

/** Ready-made arrangements. */
enum bh_layout_preset {
	/** All side by side, of equal width. */
	BH_LAYOUT_EVEN_HORIZONTAL,
	/** All stacked, of equal height. */
	BH_LAYOUT_EVEN_VERTICAL,
	/** The first one above, the others side by side below it. */
	BH_LAYOUT_MAIN_HORIZONTAL,
	/** The first one at the left, the others stacked at its right. */
	BH_LAYOUT_MAIN_VERTICAL,
	/** Rows of equal panes, as square as can be. */
	BH_LAYOUT_TILED,
};

/** Number of arrangements. */
#define BH_LAYOUT_PRESET_COUNT 5

/** A node; a leaf is a pane. Read the fields, change them through the functions only. */
struct bh_layout_node {
	/** The node around it; NULL for the root. */
	struct bh_layout_node *parent;
	/** Its first child; NULL for a leaf. */
	struct bh_layout_node *child;
	/** The next one of the same parent, to the right or below; NULL for the last. */
	struct bh_layout_node *next;
	/** How its children lie. */
	enum bh_layout_axis axis;
	/** Of a leaf: the terminal that it shows. */
	struct bh_uuid terminal;
	/** Where it lies. */
	struct bh_layout_rect rect;
	/** How much of its parent's length it is to have beside its siblings. It stays what it is when only
	 * the area changes, so that the area's way back is the panes' way back. */
	int share;
};

/** A leaf that stands alone and fills @rect. */
struct bh_layout_node *bh_layout_leaf_new(const struct bh_uuid *terminal,
                                          struct bh_layout_rect rect);

/** An inner node without children yet; @rect as it was saved. For layout_save.c, which takes care that
 * it gets two of them at least, none of which lies along the same axis. */
struct bh_layout_node *bh_layout_node_new(enum bh_layout_axis axis, struct bh_layout_rect rect);

/** Add a tree, which becomes @node's, behind the children that it has. Its length is its share. */
void bh_layout_append(struct bh_layout_node *node, struct bh_layout_node *child);

/** Free a tree. NULL is allowed. */
void bh_layout_tree_free(struct bh_layout_node *root);

/** The leaf that shows @terminal, or NULL. */
struct bh_layout_node *bh_layout_find(struct bh_layout_node *root, const struct bh_uuid *terminal);

/** The first leaf, at the upper left. */
struct bh_layout_node *bh_layout_first(struct bh_layout_node *root);

/** The leaf after @leaf in reading order; NULL after the last. */
struct bh_layout_node *bh_layout_after(struct bh_layout_node *leaf);

/** Number of leaves. */
size_t bh_layout_count(const struct bh_layout_node *root);

/**
 * Give half of @leaf's place to a new leaf.
 *
 * @root
 *         The tree; replaced when the leaf was its root.
 * @axis
 *         ACROSS: the new one is at the right (or left); DOWN: below (or above).
 * @is_before
 *         The new one is at the left or above.
 * @return
 *         The new leaf, or NULL when there is no room for two, or panes are nested too deep (nothing is
 *         changed).
 */
struct bh_layout_node *bh_layout_split(struct bh_layout_node **root, struct bh_layout_node *leaf,
                                       enum bh_layout_axis axis, bool is_before,
                                       const struct bh_uuid *terminal);

/** Take a leaf out and free it; its neighbours get the place. *@root is NULL after the last one. */
void bh_layout_remove(struct bh_layout_node **root, struct bh_layout_node *leaf);

/** Fit the tree into @rect, each part by its share: what comes out hangs on nothing that it was fitted
 * into before. */
void bh_layout_fit(struct bh_layout_node *root, struct bh_layout_rect rect);

/**
 * Move the border of @leaf that lies in @direction by @cells outward (the pane grows; less than 0:
 * inward). A border of the area does not move: then the opposite border moves in @direction, as in
 * other multiplexers.
 *
 * @return The cells that it really moved; 0 when nothing could.
 */
int bh_layout_push(struct bh_layout_node *leaf, enum bh_layout_direction direction, int cells);

/** The leaf that lies beyond @leaf's border in @direction, nearest to its middle; at the edge of the
 * area the one on the other side. @leaf itself when there is no other. */
struct bh_layout_node *bh_layout_neighbour(struct bh_layout_node *root, struct bh_layout_node *leaf,
                                           enum bh_layout_direction direction);

/** Lay the same leaves out anew, in reading order. *@root is replaced; nodes other than leaves are
 * new. */
void bh_layout_arrange(struct bh_layout_node **root, enum bh_layout_preset preset);

/** The word of an arrangement ("even-horizontal"); static. */
const char *bh_layout_preset_word(enum bh_layout_preset preset);

/** The arrangement of a word; false and untouched @preset_out when there is none. */
bool bh_layout_preset_parse(const char *word, enum bh_layout_preset *preset_out);

#endif
