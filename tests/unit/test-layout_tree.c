#include "src/server/layout_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/buf.h"

static const struct bh_layout_rect area = {.rows = 24, .cols = 81};

static struct bh_uuid id(int number)
{
	struct bh_uuid uuid = {.bytes = {(uint8_t)number}};

	return uuid;
}

static struct bh_layout_node *leaf_of(struct bh_layout_node *root, int number)
{
	struct bh_uuid uuid = id(number);
	struct bh_layout_node *leaf = bh_layout_find(root, &uuid);

	assert_non_null(leaf);
	return leaf;
}

static struct bh_layout_node *tree_new(void)
{
	struct bh_uuid first = id(1);

	return bh_layout_leaf_new(&first, area);
}

static void split(struct bh_layout_node **root, int at, enum bh_layout_axis axis, bool is_before,
                  int number)
{
	struct bh_uuid uuid = id(number);

	assert_non_null(bh_layout_split(root, leaf_of(*root, at), axis, is_before, &uuid));
}

/** Each pane as "number:colsxrows+col+row", in reading order. */
static void assert_tree(struct bh_layout_node *root, const char *expected)
{
	struct bh_buf text = {0};

	for (struct bh_layout_node *at = bh_layout_first(root); at != NULL;
	     at = bh_layout_after(at)) {
		bh_buf_printf(&text, "%s%d:%dx%d+%d+%d", text.len == 0 ? "" : " ",
		              at->terminal.bytes[0], at->rect.cols, at->rect.rows, at->rect.col,
		              at->rect.row);
	}
	assert_string_equal(text.data, expected);
	bh_buf_clear(&text);
}

static void halves_share_the_place(void **state)
{
	struct bh_layout_node *root = tree_new();

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_DOWN, false, 3);
	split(&root, 1, BH_LAYOUT_DOWN, true, 4);
	assert_tree(root, "4:40x12+0+0 1:40x12+0+12 2:40x12+41+0 3:40x12+41+12");
	assert_int_equal(bh_layout_count(root), 4);
	bh_layout_tree_free(root);
}

static void splits_of_one_kind_stay_in_one_row(void **state)
{
	struct bh_layout_node *root = tree_new();

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_ACROSS, false, 3);
	split(&root, 1, BH_LAYOUT_ACROSS, true, 4);
	assert_tree(root, "4:20x24+0+0 1:19x24+21+0 2:20x24+41+0 3:19x24+62+0");
	assert_ptr_equal(leaf_of(root, 3)->parent, root);
	bh_layout_tree_free(root);
}

static void no_pane_becomes_too_small(void **state)
{
	struct bh_uuid first = id(1);
	struct bh_uuid second = id(2);
	struct bh_layout_rect small = {.rows = 5, .cols = 4};
	struct bh_layout_node *root = bh_layout_leaf_new(&first, small);

	(void)state;
	assert_null(bh_layout_split(&root, root, BH_LAYOUT_DOWN, false, &second));
	assert_null(bh_layout_split(&root, root, BH_LAYOUT_ACROSS, false, &second));
	assert_tree(root, "1:4x5+0+0");
	bh_layout_tree_free(root);
}

static void the_elder_neighbour_inherits(void **state)
{
	struct bh_layout_node *root = tree_new();

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_DOWN, false, 3);
	bh_layout_remove(&root, leaf_of(root, 3));
	assert_tree(root, "1:40x24+0+0 2:40x24+41+0");
	bh_layout_remove(&root, leaf_of(root, 1));
	assert_tree(root, "2:81x24+0+0");
	bh_layout_remove(&root, leaf_of(root, 2));
	assert_null(root);
}

static void a_row_in_a_row_becomes_one(void **state)
{
	struct bh_layout_node *root = tree_new();

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_DOWN, false, 3);
	split(&root, 3, BH_LAYOUT_ACROSS, false, 4);
	bh_layout_remove(&root, leaf_of(root, 2));
	assert_ptr_equal(leaf_of(root, 4)->parent, root);
	assert_ptr_equal(leaf_of(root, 1)->parent, root);
	bh_layout_tree_free(root);
}

static void borders_move_until_a_minimum(void **state)
{
	struct bh_layout_node *root = tree_new();

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_DOWN, false, 3);
	assert_int_equal(bh_layout_push(leaf_of(root, 1), BH_LAYOUT_RIGHT, 5), 5);
	assert_tree(root, "1:45x24+0+0 2:35x12+46+0 3:35x12+46+12");
	// The area's border does not move: the other one does, the same way.
	assert_int_equal(bh_layout_push(leaf_of(root, 3), BH_LAYOUT_DOWNWARD, 2), 2);
	assert_tree(root, "1:45x24+0+0 2:35x14+46+0 3:35x10+46+14");
	assert_int_equal(bh_layout_push(leaf_of(root, 3), BH_LAYOUT_UP, 100), 11);
	assert_int_equal(bh_layout_push(leaf_of(root, 3), BH_LAYOUT_UP, 1), 0);
	assert_int_equal(bh_layout_push(leaf_of(root, 3), BH_LAYOUT_LEFT, 100), 43);
	assert_int_equal(bh_layout_push(leaf_of(root, 3), BH_LAYOUT_LEFT, -3), -3);
	bh_layout_tree_free(root);
	root = tree_new();
	assert_int_equal(bh_layout_push(root, BH_LAYOUT_UP, 3), 0);
	bh_layout_tree_free(root);
}

static void another_size_keeps_the_proportions(void **state)
{
	struct bh_layout_node *root = tree_new();
	const struct bh_layout_rect tiny = {.rows = 1, .cols = 1};

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_DOWN, false, 3);
	bh_layout_fit(root, (struct bh_layout_rect){.rows = 50, .cols = 201});
	assert_tree(root, "1:100x50+0+0 2:100x25+101+0 3:100x25+101+25");
	bh_layout_fit(root, tiny); // nothing of use, and nothing below 1
	bh_layout_fit(root, (struct bh_layout_rect){.rows = 50, .cols = 201});
	assert_tree(root, "1:100x50+0+0 2:100x25+101+0 3:100x25+101+25");
	bh_layout_fit(root, area);
	assert_int_equal(bh_layout_count(root), 3);
	bh_layout_tree_free(root);
}

static void the_way_back_of_a_size_is_that_of_the_panes(void **state)
{
	struct bh_layout_node *root = tree_new();

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_ACROSS, false, 3);
	split(&root, 3, BH_LAYOUT_DOWN, false, 4);
	(void)bh_layout_push(leaf_of(root, 1), BH_LAYOUT_RIGHT, -17);
	(void)bh_layout_push(leaf_of(root, 3), BH_LAYOUT_DOWNWARD, 4);
	assert_tree(root, "1:23x24+0+0 2:37x24+24+0 3:19x16+62+0 4:19x8+62+16");
	for (int cols = 1; cols < 160; cols++) {
		bh_layout_fit(root, (struct bh_layout_rect){.rows = 1 + cols / 3, .cols = cols});
	}
	bh_layout_fit(root, area);
	assert_tree(root, "1:23x24+0+0 2:37x24+24+0 3:19x16+62+0 4:19x8+62+16");
	// Nor is anything lost in what lies beside a border that goes there and back.
	assert_int_equal(bh_layout_push(leaf_of(root, 3), BH_LAYOUT_LEFT, 30), 30);
	assert_int_equal(bh_layout_push(leaf_of(root, 3), BH_LAYOUT_LEFT, -30), -30);
	assert_tree(root, "1:23x24+0+0 2:37x24+24+0 3:19x16+62+0 4:19x8+62+16");
	bh_layout_tree_free(root);
}

static void an_arrangement_is_even_in_any_size(void **state)
{
	struct bh_layout_node *root = tree_new();

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_DOWN, false, 3);
	bh_layout_fit(root, (struct bh_layout_rect){.rows = 24, .cols = 12});
	bh_layout_arrange(&root, BH_LAYOUT_EVEN_HORIZONTAL);
	assert_tree(root, "1:3x24+0+0 2:4x24+4+0 3:3x24+9+0");
	bh_layout_fit(root, area);
	assert_tree(root, "1:26x24+0+0 2:27x24+27+0 3:26x24+55+0");
	bh_layout_tree_free(root);
}

static void neighbours_are_found_and_the_area_is_round(void **state)
{
	struct bh_layout_node *root = tree_new();

	(void)state;
	split(&root, 1, BH_LAYOUT_ACROSS, false, 2);
	split(&root, 2, BH_LAYOUT_DOWN, false, 3);
	assert_ptr_equal(bh_layout_neighbour(root, leaf_of(root, 3), BH_LAYOUT_LEFT),
	                 leaf_of(root, 1));
	assert_ptr_equal(bh_layout_neighbour(root, leaf_of(root, 3), BH_LAYOUT_UP),
	                 leaf_of(root, 2));
	assert_ptr_equal(bh_layout_neighbour(root, leaf_of(root, 3), BH_LAYOUT_DOWNWARD),
	                 leaf_of(root, 2));
	assert_ptr_equal(bh_layout_neighbour(root, leaf_of(root, 3), BH_LAYOUT_RIGHT),
	                 leaf_of(root, 1));
	assert_ptr_equal(bh_layout_neighbour(root, leaf_of(root, 1), BH_LAYOUT_UP),
	                 leaf_of(root, 1));
	bh_layout_tree_free(root);
}

static void arrangements_keep_the_order(void **state)
{
	static const char *const expected[BH_LAYOUT_PRESET_COUNT] = {
		[BH_LAYOUT_EVEN_HORIZONTAL] = "1:26x24+0+0 2:27x24+27+0 3:26x24+55+0",
		[BH_LAYOUT_EVEN_VERTICAL] = "1:81x8+0+0 2:81x8+0+8 3:81x8+0+16",
		[BH_LAYOUT_MAIN_HORIZONTAL] = "1:81x12+0+0 2:40x12+0+12 3:40x12+41+12",
		[BH_LAYOUT_MAIN_VERTICAL] = "1:40x24+0+0 2:40x12+41+0 3:40x12+41+12",
		[BH_LAYOUT_TILED] = "1:40x12+0+0 2:40x12+41+0 3:81x12+0+12",
	};

	(void)state;
	for (int i = 0; i < BH_LAYOUT_PRESET_COUNT; i++) {
		struct bh_layout_node *root = tree_new();
		enum bh_layout_preset preset = BH_LAYOUT_TILED;

		split(&root, 1, BH_LAYOUT_DOWN, false, 2);
		split(&root, 2, BH_LAYOUT_ACROSS, false, 3);
		assert_true(bh_layout_preset_parse(bh_layout_preset_word((enum bh_layout_preset)i),
		                                   &preset));
		bh_layout_arrange(&root, preset);
		assert_tree(root, expected[i]);
		bh_layout_tree_free(root);
	}
}

/** Every cell belongs to one pane, or to the gap between two that lie side by side. */
static void assert_covered(struct bh_layout_node *root)
{
	static uint8_t cells[200][400];
	size_t gaps = 0;

	memset(cells, 0, sizeof(cells));
	for (struct bh_layout_node *at = bh_layout_first(root); at != NULL;
	     at = bh_layout_after(at)) {
		assert_true(at->rect.rows >= 1 && at->rect.cols >= 1);
		assert_true(at->rect.row + at->rect.rows <= root->rect.rows);
		assert_true(at->rect.col + at->rect.cols <= root->rect.cols);
		for (int row = at->rect.row; row < at->rect.row + at->rect.rows; row++) {
			for (int col = at->rect.col; col < at->rect.col + at->rect.cols; col++) {
				assert_int_equal(cells[row][col]++, 0);
			}
		}
	}
	for (int row = 0; row < root->rect.rows; row++) {
		for (int col = 0; col < root->rect.cols; col++) {
			bool is_gap = cells[row][col] == 0;

			gaps += is_gap;
			assert_false(is_gap && (col == 0 || col == root->rect.cols - 1));
			assert_false(is_gap && cells[row][col - 1] == 0);
		}
	}
	assert_true(gaps < (size_t)root->rect.rows * (size_t)root->rect.cols / 2);
}

/** Whether another area and the way back changes nothing. */
static void assert_returns(struct bh_layout_node *root, struct bh_layout_rect other)
{
	struct bh_layout_rect before[BH_LAYOUT_PANES_MAX] = {{0}};
	struct bh_layout_rect rect = root->rect;
	size_t count = 0;

	for (struct bh_layout_node *at = bh_layout_first(root); at != NULL;
	     at = bh_layout_after(at)) {
		before[count++] = at->rect;
	}
	bh_layout_fit(root, other);
	bh_layout_fit(root, rect);
	count = 0;
	for (struct bh_layout_node *at = bh_layout_first(root); at != NULL;
	     at = bh_layout_after(at)) {
		assert_memory_equal(&at->rect, &before[count++], sizeof(at->rect));
	}
}

static void any_walk_covers_the_area(void **state)
{
	struct bh_layout_node *root = tree_new();
	unsigned seed = 7;
	int next = 2;

	(void)state;
	for (int step = 0; step < 20000; step++) {
		size_t count = bh_layout_count(root);
		size_t pick;
		struct bh_layout_node *leaf = bh_layout_first(root);

		seed = seed * 1103515245 + 12345;
		pick = (seed >> 20) % count;
		while (pick-- > 0) {
			leaf = bh_layout_after(leaf);
		}
		switch ((seed >> 16) % 8) {
		case 0:
		case 1:
		case 2: {
			struct bh_uuid uuid = id(next = next % 250 + 1);

			if (count < 12 && bh_layout_find(root, &uuid) == NULL) {
				(void)bh_layout_split(&root, leaf,
				                      (seed >> 9) % 2 ? BH_LAYOUT_ACROSS
				                                      : BH_LAYOUT_DOWN,
				                      (seed >> 10) % 2 != 0, &uuid);
			}
			break;
		}
		case 3:
		case 4:
			if (count > 1) {
				bh_layout_remove(&root, leaf);
			}
			break;
		case 5:
			(void)bh_layout_push(leaf, (enum bh_layout_direction)((seed >> 9) % 4),
			                     (int)((seed >> 11) % 21) - 10);
			break;
		case 6:
			bh_layout_fit(root, (struct bh_layout_rect){
						    .rows = 60 + (int)((seed >> 9) % 100),
						    .cols = 150 + (int)((seed >> 10) % 200)});
			break;
		default:
			if (step % 40 == 0) {
				bh_layout_arrange(&root,
				                  (enum bh_layout_preset)((seed >> 9) %
				                                          BH_LAYOUT_PRESET_COUNT));
			}
			break;
		}
		if (step % 10 == 0 && root->rect.rows >= 60) {
			assert_covered(root);
			assert_returns(root, (struct bh_layout_rect){
						     .rows = 1 + (int)((seed >> 9) % 160),
						     .cols = 1 + (int)((seed >> 10) % 350)});
		}
	}
	bh_layout_tree_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(halves_share_the_place),
		cmocka_unit_test(splits_of_one_kind_stay_in_one_row),
		cmocka_unit_test(no_pane_becomes_too_small),
		cmocka_unit_test(the_elder_neighbour_inherits),
		cmocka_unit_test(a_row_in_a_row_becomes_one),
		cmocka_unit_test(borders_move_until_a_minimum),
		cmocka_unit_test(another_size_keeps_the_proportions),
		cmocka_unit_test(the_way_back_of_a_size_is_that_of_the_panes),
		cmocka_unit_test(an_arrangement_is_even_in_any_size),
		cmocka_unit_test(neighbours_are_found_and_the_area_is_round),
		cmocka_unit_test(arrangements_keep_the_order),
		cmocka_unit_test(any_walk_covers_the_area),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
