#include "src/server/layout.h"

#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

static struct bh_layout_tab *tab_of(struct bh_list *link)
{
	return bh_container_of(link, struct bh_layout_tab, link);
}

static struct bh_layout_rect layout_area(const struct bh_layout *layout)
{
	return (struct bh_layout_rect){.rows = layout->rows, .cols = layout->cols};
}

struct bh_layout *bh_layout_new(void)
{
	struct bh_layout *layout = bh_xmalloc(sizeof *layout);

	bh_list_init(&layout->tabs);
	layout->cols = BH_LAYOUT_AREA_COLS;
	layout->rows = BH_LAYOUT_AREA_ROWS;
	layout->next_id = 1;
	layout->version = 1;
	return layout;
}

// Free a tab that stands in no list any more.
static void tab_free(struct bh_layout_tab *tab)
{
	bh_layout_tree_free(tab->root);
	free(tab->name);
	free(tab);
}

void bh_layout_free(struct bh_layout *layout)
{
	if (layout == NULL) {
		return;
	}
	bh_list_for (at, next, &layout->tabs) {
		tab_free(tab_of(at));
	}
	free(layout);
}

bool bh_layout_set_area(struct bh_layout *layout, int cols, int rows)
{
	if (cols == layout->cols && rows == layout->rows) {
		return false;
	}
	layout->cols = cols;
	layout->rows = rows;
	layout->version++;
	bh_list_for (at, next, &layout->tabs) {
		bh_layout_fit(tab_of(at)->root, layout_area(layout));
	}
	return true;
}

// ---- tabs ----

size_t bh_layout_tab_count(const struct bh_layout *layout)
{
	size_t count = 0;

	for (const struct bh_list *at = layout->tabs.next; at != &layout->tabs; at = at->next) {
		count++;
	}
	return count;
}

struct bh_layout_tab *bh_layout_tab_get(const struct bh_layout *layout, int64_t id)
{
	bh_list_for (at, next, &layout->tabs) {
		if (tab_of(at)->id == id) {
			return tab_of(at);
		}
	}
	return NULL;
}

struct bh_layout_tab *bh_layout_tab_at(const struct bh_layout *layout, int64_t index)
{
	bh_list_for (at, next, &layout->tabs) {
		if (--index == 0) {
			return tab_of(at);
		}
	}
	return NULL;
}

int bh_layout_tab_index(const struct bh_layout *layout, const struct bh_layout_tab *tab)
{
	int index = 1;

	for (const struct bh_list *at = layout->tabs.next; at != &tab->link; at = at->next) {
		index++;
	}
	return index;
}

struct bh_layout_tab *bh_layout_tab_step(const struct bh_layout *layout,
                                         const struct bh_layout_tab *tab, int step)
{
	struct bh_list *at = step < 0 ? tab->link.prev : tab->link.next;

	if (at == &layout->tabs) {
		at = step < 0 ? at->prev : at->next;
	}
	return tab_of(at);
}

void bh_layout_tab_select(struct bh_layout *layout, struct bh_layout_tab *tab)
{
	if (tab != layout->active) {
		layout->last = layout->active;
		layout->active = tab;
		layout->version++;
	}
}

// A copy of @name, cut between two characters to what a tab's name may have.
static char *name_dup(const char *name)
{
	size_t len = name != NULL ? strlen(name) : 0;

	if (len == 0) {
		return NULL;
	}
	if (len > BH_LAYOUT_NAME_MAX) {
		len = BH_LAYOUT_NAME_MAX;
		while (((unsigned char)name[len] & 0xc0) == 0x80) {
			len--;
		}
	}
	return bh_xasprintf("%.*s", (int)len, name);
}

void bh_layout_tab_rename(struct bh_layout *layout, struct bh_layout_tab *tab, const char *name)
{
	free(tab->name);
	tab->name = name_dup(name);
	layout->version++;
}

// Put a tab that stands in no list at @index, from 1; 0 or too far: at the end.
static void tab_insert(struct bh_layout *layout, struct bh_layout_tab *tab, int64_t index)
{
	struct bh_layout_tab *after = index > 0 ? bh_layout_tab_at(layout, index) : NULL;

	// To append to a link is to insert before it.
	bh_list_append(after != NULL ? &after->link : &layout->tabs, &tab->link);
	layout->version++;
}

void bh_layout_tab_move(struct bh_layout *layout, struct bh_layout_tab *tab, int64_t index)
{
	bh_list_remove(&tab->link);
	tab_insert(layout, tab, index);
}

void bh_layout_tab_swap(struct bh_layout *layout, struct bh_layout_tab *a, struct bh_layout_tab *b)
{
	int index_a = bh_layout_tab_index(layout, a);
	int index_b = bh_layout_tab_index(layout, b);

	if (index_a > index_b) {
		bh_layout_tab_swap(layout, b, a);
	} else if (index_a < index_b) {
		bh_layout_tab_move(layout, b, index_a);
		bh_layout_tab_move(layout, a, index_b);
	}
}

static struct bh_layout_tab *tab_new(struct bh_layout *layout, const struct bh_uuid *terminal,
                                     const struct bh_layout_place *place)
{
	struct bh_layout_tab *tab = NULL;

	if (bh_layout_tab_count(layout) >= BH_LAYOUT_TABS_MAX) {
		return NULL;
	}
	tab = bh_xmalloc(sizeof *tab);
	bh_list_init(&tab->link);
	tab->id = layout->next_id++;
	tab->name = name_dup(place->name);
	tab->root = bh_layout_leaf_new(terminal, layout_area(layout));
	tab->focus = *terminal;
	tab->preset = -1;
	tab_insert(layout, tab, place->index);
	if (place->is_focused || layout->active == NULL) {
		bh_layout_tab_select(layout, tab);
	}
	return tab;
}

// Take an empty tab away. The one that was in front before comes to the front again.
static void tab_remove(struct bh_layout *layout, struct bh_layout_tab *tab)
{
	struct bh_layout_tab *heir = layout->last != NULL && layout->last != tab
	                                     ? layout->last
	                                     : bh_layout_tab_step(layout, tab, 1);

	if (layout->last == tab) {
		layout->last = NULL;
	}
	if (layout->active == tab) {
		layout->active = heir == tab ? NULL : heir;
		layout->last = NULL;
	}
	bh_list_remove(&tab->link);
	tab_free(tab);
}

static void tab_unzoom(struct bh_layout_tab *tab)
{
	tab->is_zoomed = false;
}

void bh_layout_tab_arrange(struct bh_layout *layout, struct bh_layout_tab *tab,
                           enum bh_layout_preset preset)
{
	tab_unzoom(tab);
	tab->preset = (int)preset;
	bh_layout_arrange(&tab->root, preset);
	layout->version++;
}

void bh_layout_tab_rotate(struct bh_layout *layout, struct bh_layout_tab *tab, bool is_reverse)
{
	struct bh_layout_node *leaves[BH_LAYOUT_PANES_MAX] = {NULL};
	struct bh_uuid terminals[BH_LAYOUT_PANES_MAX];
	size_t count = 0;
	size_t focus = 0;

	for (struct bh_layout_node *at = bh_layout_first(tab->root); at != NULL;
	     at = bh_layout_after(at)) {
		focus = bh_uuid_is_equal(&at->terminal, &tab->focus) ? count : focus;
		terminals[count] = at->terminal;
		leaves[count++] = at;
	}
	if (count < 2) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		leaves[(i + (is_reverse ? count - 1 : 1)) % count]->terminal = terminals[i];
	}
	tab_unzoom(tab);
	tab->last_focus = tab->focus;
	tab->focus = leaves[focus]->terminal;
	layout->version++;
}

void bh_layout_tab_zoom(struct bh_layout *layout, struct bh_layout_tab *tab, bool is_zoomed)
{
	is_zoomed = is_zoomed && tab->root->child != NULL;
	if (tab->is_zoomed != is_zoomed) {
		tab->is_zoomed = is_zoomed;
		layout->version++;
	}
}

// ---- panes ----

static struct bh_layout_node *pane_of(const struct bh_layout *layout,
                                      const struct bh_uuid *terminal,
                                      struct bh_layout_tab **tab_out)
{
	bh_list_for (at, next, &layout->tabs) {
		struct bh_layout_node *leaf = bh_layout_find(tab_of(at)->root, terminal);

		if (leaf != NULL) {
			*tab_out = tab_of(at);
			return leaf;
		}
	}
	return NULL;
}

struct bh_layout_tab *bh_layout_pane_tab(const struct bh_layout *layout,
                                         const struct bh_uuid *terminal)
{
	struct bh_layout_tab *tab = NULL;

	(void)pane_of(layout, terminal, &tab); // only its tab is asked for
	return tab;
}

// Another terminal of the tab comes into focus.
static void tab_focus(struct bh_layout_tab *tab, const struct bh_uuid *terminal)
{
	if (!bh_uuid_is_equal(&tab->focus, terminal)) {
		tab->last_focus = tab->focus;
		tab->focus = *terminal;
		tab_unzoom(tab);
	}
}

void bh_layout_pane_focus(struct bh_layout *layout, const struct bh_uuid *terminal)
{
	struct bh_layout_tab *tab = bh_layout_pane_tab(layout, terminal);

	if (tab == NULL) {
		return;
	}
	if (!bh_uuid_is_equal(&tab->focus, terminal)) {
		tab_focus(tab, terminal);
		layout->version++;
	}
	bh_layout_tab_select(layout, tab);
}

static struct bh_layout_tab *pane_split(struct bh_layout *layout, const struct bh_uuid *terminal,
                                        const struct bh_layout_place *place)
{
	enum bh_layout_direction direction = place->direction;
	bool is_across = direction == BH_LAYOUT_LEFT || direction == BH_LAYOUT_RIGHT;
	bool is_before = direction == BH_LAYOUT_LEFT || direction == BH_LAYOUT_UP;
	struct bh_layout_tab *tab = NULL;
	struct bh_layout_node *leaf = pane_of(layout, &place->beside, &tab);

	if (leaf == NULL ||
	    bh_layout_split(&tab->root, leaf, is_across ? BH_LAYOUT_ACROSS : BH_LAYOUT_DOWN,
	                    is_before, terminal) == NULL) {
		return NULL;
	}
	tab_unzoom(tab);
	layout->version++;
	if (place->is_focused) {
		bh_layout_pane_focus(layout, terminal);
	}
	return tab;
}

struct bh_layout_tab *bh_layout_pane_add(struct bh_layout *layout, const struct bh_uuid *terminal,
                                         const struct bh_layout_place *place)
{
	return bh_uuid_is_none(&place->beside) ? tab_new(layout, terminal, place)
	                                       : pane_split(layout, terminal, place);
}

// The focus of a tab that has just lost the pane in focus.
static void tab_refocus(struct bh_layout_tab *tab)
{
	struct bh_layout_node *heir = bh_layout_find(tab->root, &tab->last_focus);

	heir = heir != NULL ? heir : bh_layout_first(tab->root);
	tab->focus = heir->terminal;
	tab->last_focus = (struct bh_uuid){0};
}

void bh_layout_pane_remove(struct bh_layout *layout, const struct bh_uuid *terminal)
{
	struct bh_layout_tab *tab = NULL;
	struct bh_layout_node *leaf = pane_of(layout, terminal, &tab);

	if (leaf == NULL) {
		return;
	}
	bool is_last = leaf->parent == NULL;
	bool is_focused = bh_uuid_is_equal(&tab->focus, terminal);
	bool was_focused = bh_uuid_is_equal(&tab->last_focus, terminal);

	layout->version++;
	bh_layout_remove(&tab->root, leaf); // @terminal may have been in it
	if (is_last) {
		tab_remove(layout, tab);
		return;
	}
	if (was_focused) {
		tab->last_focus = (struct bh_uuid){0};
	}
	if (is_focused) {
		tab_refocus(tab);
	}
	if (is_focused || tab->root->child == NULL) {
		tab_unzoom(tab);
	}
}

struct bh_layout_tab *bh_layout_pane_move(struct bh_layout *layout, const struct bh_uuid *terminal,
                                          const struct bh_layout_place *place)
{
	static const struct bh_uuid none = {0};
	struct bh_layout_tab *from = NULL;
	struct bh_layout_node *leaf = pane_of(layout, terminal, &from);
	struct bh_uuid moved = *terminal;
	struct bh_layout_tab *to = NULL;

	if (leaf == NULL || from == NULL) {
		return NULL;
	}
	if (bh_uuid_is_none(&place->beside) && from->root == leaf) {
		return from; // it has a tab of its own
	}
	leaf->terminal = none; // while both places exist the old one is nobody's
	to = bh_layout_pane_add(layout, &moved, place);
	if (to == NULL) {
		leaf->terminal = moved;
		return NULL;
	}
	if (from != to) {
		from->focus = bh_uuid_is_equal(&from->focus, &moved) ? none : from->focus;
		from->last_focus =
			bh_uuid_is_equal(&from->last_focus, &moved) ? none : from->last_focus;
	}
	bh_layout_pane_remove(layout, &none);
	return to;
}

void bh_layout_pane_succeed(struct bh_layout *layout, const struct bh_uuid *before,
                            const struct bh_uuid *after)
{
	struct bh_layout_tab *tab = NULL;
	struct bh_layout_node *leaf = pane_of(layout, before, &tab);

	if (leaf == NULL) {
		return;
	}
	if (bh_uuid_is_equal(&tab->focus, before)) {
		tab->focus = *after;
	}
	if (bh_uuid_is_equal(&tab->last_focus, before)) {
		tab->last_focus = *after;
	}
	leaf->terminal = *after;
	layout->version++;
}

void bh_layout_pane_swap(struct bh_layout *layout, const struct bh_uuid *a, const struct bh_uuid *b)
{
	struct bh_layout_tab *tab_a = NULL;
	struct bh_layout_tab *tab_b = NULL;
	struct bh_layout_node *leaf_a = pane_of(layout, a, &tab_a);
	struct bh_layout_node *leaf_b = pane_of(layout, b, &tab_b);
	struct bh_uuid moved = *a;

	if (leaf_a == NULL || leaf_b == NULL || leaf_a == leaf_b) {
		return;
	}
	leaf_a->terminal = leaf_b->terminal;
	leaf_b->terminal = moved;
	tab_unzoom(tab_a);
	tab_unzoom(tab_b);
	if (tab_a != tab_b) {
		// What left is in focus no more; what came in its place is.
		struct bh_uuid came_a = leaf_a->terminal;

		tab_a->focus = bh_uuid_is_equal(&tab_a->focus, &moved) ? came_a : tab_a->focus;
		tab_b->focus = bh_uuid_is_equal(&tab_b->focus, &came_a) ? moved : tab_b->focus;
		tab_a->last_focus = (struct bh_uuid){0};
		tab_b->last_focus = (struct bh_uuid){0};
	}
	layout->version++;
}

int bh_layout_pane_push(struct bh_layout *layout, const struct bh_uuid *terminal,
                        enum bh_layout_direction direction, int cells)
{
	struct bh_layout_tab *tab = NULL;
	struct bh_layout_node *leaf = pane_of(layout, terminal, &tab);
	int moved = leaf == NULL ? 0 : bh_layout_push(leaf, direction, cells);

	if (tab == NULL) {
		return 0;
	}
	if (moved != 0 || tab->is_zoomed) {
		tab_unzoom(tab);
		layout->version++;
	}
	return moved;
}

bool bh_layout_pane_is_visible(const struct bh_layout_tab *tab, const struct bh_layout_node *leaf)
{
	return !tab->is_zoomed || bh_uuid_is_equal(&tab->focus, &leaf->terminal);
}

struct bh_layout_rect bh_layout_pane_rect(const struct bh_layout *layout,
                                          const struct bh_layout_tab *tab,
                                          const struct bh_layout_node *leaf)
{
	bool is_whole = tab->is_zoomed && bh_layout_pane_is_visible(tab, leaf);

	return is_whole ? layout_area(layout) : leaf->rect;
}

struct bh_layout_node *bh_layout_pane_step(const struct bh_layout_tab *tab,
                                           const struct bh_uuid *terminal, int step)
{
	struct bh_layout_node *leaf = bh_layout_find(tab->root, terminal);
	struct bh_layout_node *before = NULL;

	if (step > 0) {
		struct bh_layout_node *after = bh_layout_after(leaf);

		return after != NULL ? after : bh_layout_first(tab->root);
	}
	// The one whose next is @leaf; of the first one, the last.
	for (struct bh_layout_node *at = bh_layout_first(tab->root); at != NULL;
	     at = bh_layout_after(at)) {
		if (at == leaf && before != NULL) {
			return before;
		}
		before = at;
	}
	return before;
}
