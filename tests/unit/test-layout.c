// Tabs and panes: order, focus, zoom, places.
#include "src/server/layout.h"

#include "src/base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_uuid id(int number)
{
	return (struct bh_uuid){.bytes = {(uint8_t)number}};
}

static struct bh_layout_tab *add_tab(struct bh_layout *layout, int number, bool is_focused)
{
	struct bh_uuid terminal = id(number);

	return bh_layout_pane_add(layout, &terminal,
	                          &(struct bh_layout_place){.is_focused = is_focused});
}

static struct bh_layout_tab *add_pane(struct bh_layout *layout, int number, int beside,
                                      enum bh_layout_direction direction, bool is_focused)
{
	struct bh_uuid terminal = id(number);
	const struct bh_layout_place place = {
		.beside = id(beside), .direction = direction, .is_focused = is_focused};

	return bh_layout_pane_add(layout, &terminal, &place);
}

// Every tab as "id[panes]": * the active one, ~ the last one, ! the focus, + zoomed.
static void assert_layout(const struct bh_layout *layout, const char *expected)
{
	struct bh_buf text = {0};

	bh_buf_puts(&text, "");
	bh_list_for (link, next, &layout->tabs) {
		const struct bh_layout_tab *tab = bh_container_of(link, struct bh_layout_tab, link);

		bh_buf_printf(&text, "%s%s%d[", text.len > 0 ? " " : "",
		              tab == layout->active ? "*"
		              : tab == layout->last ? "~"
		                                    : "",
		              tab->id);
		for (struct bh_layout_node *at = bh_layout_first(tab->root); at != NULL;
		     at = bh_layout_after(at)) {
			bh_buf_printf(&text, "%s%d%s", at->rect.row + at->rect.col > 0 ? " " : "",
			              at->terminal.bytes[0],
			              !bh_uuid_is_equal(&at->terminal, &tab->focus) ? ""
			              : tab->is_zoomed                              ? "!+"
			                                                            : "!");
		}
		bh_buf_puts(&text, "]");
	}
	assert_string_equal(text.data != NULL ? text.data : "", expected);
	bh_buf_clear(&text);
}

static void tabs_have_an_order_and_one_is_in_front(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_layout_tab *first = add_tab(layout, 1, false);
	struct bh_layout_tab *second = add_tab(layout, 2, false);
	struct bh_uuid third = id(3);
	const struct bh_layout_place place = {.index = 2, .name = "three", .is_focused = true};

	(void)state;
	assert_layout(layout, "*1[1!] 2[2!]");
	assert_non_null(bh_layout_pane_add(layout, &third, &place));
	assert_layout(layout, "~1[1!] *3[3!] 2[2!]");
	assert_string_equal(layout->active->name, "three");
	assert_ptr_equal(bh_layout_tab_get(layout, 2), second);
	assert_null(bh_layout_tab_get(layout, 4));
	assert_ptr_equal(bh_layout_tab_at(layout, 3), second);
	assert_null(bh_layout_tab_at(layout, 4));
	assert_null(bh_layout_tab_at(layout, 0));
	assert_int_equal(bh_layout_tab_index(layout, second), 3);
	assert_ptr_equal(bh_layout_tab_step(layout, second, 1), first);
	assert_ptr_equal(bh_layout_tab_step(layout, first, -1), second);
	bh_layout_tab_move(layout, second, 1);
	assert_layout(layout, "2[2!] ~1[1!] *3[3!]");
	bh_layout_tab_move(layout, second, 2);
	assert_layout(layout, "~1[1!] 2[2!] *3[3!]");
	bh_layout_tab_move(layout, first, 99);
	assert_layout(layout, "2[2!] *3[3!] ~1[1!]");
	bh_layout_tab_swap(layout, first, second);
	assert_layout(layout, "~1[1!] *3[3!] 2[2!]");
	bh_layout_tab_swap(layout, first, layout->active);
	assert_layout(layout, "*3[3!] ~1[1!] 2[2!]");
	bh_layout_tab_swap(layout, first, first);
	assert_layout(layout, "*3[3!] ~1[1!] 2[2!]");
	// Selecting the one in front changes nothing, not even the version.
	uint64_t version = layout->version;

	bh_layout_tab_select(layout, layout->active);
	assert_int_equal(layout->version, version);
	bh_layout_free(layout);
}

static void names_are_cut_between_characters(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_layout_tab *tab = add_tab(layout, 1, true);
	char name[300] = "";

	(void)state;
	(void)memset(name, 'x', BH_LAYOUT_NAME_MAX - 1);
	(void)memcpy(name + BH_LAYOUT_NAME_MAX - 1, "\xc3\xa9", 3);
	bh_layout_tab_rename(layout, tab, name);
	assert_int_equal(strlen(tab->name), BH_LAYOUT_NAME_MAX - 1);
	bh_layout_tab_rename(layout, tab, "");
	assert_null(tab->name);
	bh_layout_free(layout);
}

static void a_tab_goes_with_its_last_pane_and_the_one_before_is_in_front(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_uuid one = id(1);
	struct bh_uuid two = id(2);
	struct bh_uuid three = id(3);

	(void)state;
	(void)add_tab(layout, 1, true);
	(void)add_tab(layout, 2, true);
	(void)add_tab(layout, 3, true);
	bh_layout_tab_select(layout, bh_layout_tab_at(layout, 1));
	assert_layout(layout, "*1[1!] 2[2!] ~3[3!]");
	bh_layout_pane_remove(layout, &one);
	assert_layout(layout, "2[2!] *3[3!]");
	bh_layout_pane_remove(layout, &one); // it has no pane any more
	bh_layout_pane_remove(layout, &three);
	assert_layout(layout, "*2[2!]");
	bh_layout_pane_remove(layout, &two);
	assert_layout(layout, "");
	assert_null(layout->active);
	assert_null(layout->last);
	bh_layout_free(layout);
}

static void the_focus_falls_back_to_the_pane_before(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_uuid two = id(2);
	struct bh_uuid three = id(3);

	(void)state;
	(void)add_tab(layout, 1, true);
	(void)add_pane(layout, 2, 1, BH_LAYOUT_RIGHT, true);
	(void)add_pane(layout, 3, 1, BH_LAYOUT_DOWNWARD, false);
	assert_layout(layout, "*1[1 3 2!]");
	bh_layout_pane_focus(layout, &three);
	bh_layout_pane_remove(layout, &three);
	assert_layout(layout, "*1[1 2!]");
	bh_layout_pane_remove(layout, &two);
	assert_layout(layout, "*1[1!]");
	bh_layout_free(layout);
}

static void splits_without_room_change_nothing(void **state)
{
	struct bh_layout *layout = bh_layout_new();

	(void)state;
	(void)add_tab(layout, 1, true);
	assert_true(bh_layout_set_area(layout, 4, 5));
	assert_false(bh_layout_set_area(layout, 4, 5));
	uint64_t version = layout->version;

	assert_null(add_pane(layout, 2, 1, BH_LAYOUT_RIGHT, true));
	assert_null(add_pane(layout, 2, 1, BH_LAYOUT_DOWNWARD, true));
	assert_null(add_pane(layout, 2, 9, BH_LAYOUT_DOWNWARD, true));
	assert_int_equal(layout->version, version);
	assert_layout(layout, "*1[1!]");
	bh_layout_free(layout);
}

static void a_zoomed_pane_has_the_whole_area(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_layout_tab *tab = add_tab(layout, 1, true);
	struct bh_uuid one = id(1);
	struct bh_uuid two = id(2);

	(void)state;
	bh_layout_tab_zoom(layout, tab, true);
	assert_layout(layout, "*1[1!]"); // alone it has it anyway
	(void)add_pane(layout, 2, 1, BH_LAYOUT_RIGHT, true);
	bh_layout_tab_zoom(layout, tab, true);
	assert_layout(layout, "*1[1 2!+]");
	struct bh_layout_node *first = bh_layout_find(tab->root, &one);
	struct bh_layout_node *second = bh_layout_find(tab->root, &two);

	assert_int_equal(bh_layout_pane_rect(layout, tab, second).cols, BH_LAYOUT_AREA_COLS);
	assert_int_equal(bh_layout_pane_rect(layout, tab, first).cols, 60);
	assert_true(bh_layout_pane_is_visible(tab, second));
	assert_false(bh_layout_pane_is_visible(tab, first));
	bh_layout_pane_focus(layout, &one);
	assert_layout(layout, "*1[1! 2]");
	bh_layout_tab_zoom(layout, tab, true);
	bh_layout_pane_remove(layout, &two); // the zoom of a pane alone has no meaning
	assert_layout(layout, "*1[1!]");
	bh_layout_free(layout);
}

static void panes_move_between_tabs(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_uuid one = id(1);
	struct bh_uuid two = id(2);
	struct bh_layout_place place = {.is_focused = true};

	(void)state;
	(void)add_tab(layout, 1, true);
	(void)add_pane(layout, 2, 1, BH_LAYOUT_RIGHT, true);
	assert_int_equal(bh_layout_pane_move(layout, &two, &place)->id, 2);
	assert_layout(layout, "~1[1!] *2[2!]");
	// It has a tab of its own: nothing to do.
	assert_int_equal(bh_layout_pane_move(layout, &two, &place)->id, 2);
	assert_layout(layout, "~1[1!] *2[2!]");
	place = (struct bh_layout_place){.beside = one, .direction = BH_LAYOUT_LEFT};
	assert_non_null(bh_layout_pane_move(layout, &two, &place));
	assert_layout(layout, "*1[2 1!]");
	// Within its tab.
	place = (struct bh_layout_place){.beside = one, .direction = BH_LAYOUT_DOWNWARD};
	assert_non_null(bh_layout_pane_move(layout, &two, &place));
	assert_layout(layout, "*1[1! 2]");
	// No room: all as before.
	(void)add_tab(layout, 3, false);
	(void)bh_layout_set_area(layout, 3, 5);
	place = (struct bh_layout_place){.beside = id(3), .direction = BH_LAYOUT_RIGHT};
	assert_null(bh_layout_pane_move(layout, &two, &place));
	assert_layout(layout, "*1[1! 2] 3[3!]");
	bh_layout_free(layout);
}

static void terminals_change_places(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_layout_tab *tab = add_tab(layout, 1, true);
	struct bh_uuid one = id(1);
	struct bh_uuid two = id(2);
	struct bh_uuid four = id(4);
	struct bh_uuid five = id(5);

	(void)state;
	(void)add_pane(layout, 2, 1, BH_LAYOUT_RIGHT, false);
	(void)add_pane(layout, 3, 2, BH_LAYOUT_RIGHT, false);
	bh_layout_pane_swap(layout, &one, &two);
	assert_layout(layout, "*1[2 1! 3]");
	bh_layout_pane_swap(layout, &one, &one);
	assert_layout(layout, "*1[2 1! 3]");
	bh_layout_tab_rotate(layout, tab, false);
	assert_layout(layout, "*1[3 2! 1]");
	bh_layout_tab_rotate(layout, tab, true);
	assert_layout(layout, "*1[2 1! 3]");
	// Across tabs what comes takes the focus of what goes.
	(void)add_tab(layout, 4, false);
	bh_layout_pane_swap(layout, &one, &four);
	assert_layout(layout, "*1[2 4! 3] 2[1!]");
	bh_layout_pane_succeed(layout, &four, &five);
	assert_layout(layout, "*1[2 5! 3] 2[1!]");
	assert_null(bh_layout_pane_tab(layout, &four));
	bh_layout_free(layout);
}

static void panes_follow_each_other_round(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_layout_tab *tab = add_tab(layout, 1, true);
	struct bh_uuid one = id(1);
	struct bh_uuid three = id(3);

	(void)state;
	(void)add_pane(layout, 2, 1, BH_LAYOUT_RIGHT, false);
	(void)add_pane(layout, 3, 2, BH_LAYOUT_DOWNWARD, false);
	assert_int_equal(bh_layout_pane_step(tab, &one, 1)->terminal.bytes[0], 2);
	assert_int_equal(bh_layout_pane_step(tab, &three, 1)->terminal.bytes[0], 1);
	assert_int_equal(bh_layout_pane_step(tab, &three, -1)->terminal.bytes[0], 2);
	assert_int_equal(bh_layout_pane_step(tab, &one, -1)->terminal.bytes[0], 3);
	bh_layout_tab_zoom(layout, tab, true);
	assert_int_equal(bh_layout_pane_push(layout, &one, BH_LAYOUT_RIGHT, 5), 5);
	assert_false(tab->is_zoomed);
	bh_layout_tab_arrange(layout, tab, BH_LAYOUT_EVEN_VERTICAL);
	assert_int_equal(bh_layout_find(tab->root, &one)->rect.cols, BH_LAYOUT_AREA_COLS);
	bh_layout_free(layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tabs_have_an_order_and_one_is_in_front),
		cmocka_unit_test(names_are_cut_between_characters),
		cmocka_unit_test(a_tab_goes_with_its_last_pane_and_the_one_before_is_in_front),
		cmocka_unit_test(the_focus_falls_back_to_the_pane_before),
		cmocka_unit_test(splits_without_room_change_nothing),
		cmocka_unit_test(a_zoomed_pane_has_the_whole_area),
		cmocka_unit_test(panes_move_between_tabs),
		cmocka_unit_test(terminals_change_places),
		cmocka_unit_test(panes_follow_each_other_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
