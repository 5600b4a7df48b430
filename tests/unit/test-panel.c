#include "src/ui/panel.h"

#include "layer-host.h"
#include "src/ui/keytable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_list_keeps_the_chosen_row_in_view(void **state)
{
	struct bh_panel_list list = {.at = 0, .count = 20};

	(void)state;
	assert_int_equal(bh_panel_first(&list, 5), 0);
	list.at = 2;
	assert_int_equal(bh_panel_first(&list, 5), 0);
	list.at = 10;
	assert_int_equal(bh_panel_first(&list, 5), 8);
	list.at = 19;
	assert_int_equal(bh_panel_first(&list, 5), 15);
	list.count = 3;
	list.at = 2;
	assert_int_equal(bh_panel_first(&list, 5), 0);
	assert_int_equal(bh_panel_first(&list, 0), 2);
}

static void keys_choose_within_the_list(void **state)
{
	struct bh_panel_list list = {.at = 0, .count = 15};
	struct bh_panel_list none = {0};

	(void)state;
	assert_true(bh_panel_key(&list, &(struct bh_layer_key){.key = BH_KEY_UP}, false));
	assert_int_equal(list.at, 0);
	assert_true(bh_panel_key(&list, &(struct bh_layer_key){.key = BH_KEY_DOWN}, false));
	assert_int_equal(list.at, 1);
	assert_true(bh_panel_key(&list, &(struct bh_layer_key){.key = BH_KEY_PAGE_DOWN}, false));
	assert_int_equal(list.at, 11);
	assert_true(bh_panel_key(&list, &(struct bh_layer_key){.key = BH_KEY_PAGE_DOWN}, false));
	assert_int_equal(list.at, 14);
	assert_true(
		bh_panel_key(&list, &(struct bh_layer_key){.key = 'p', .is_control = true}, false));
	assert_int_equal(list.at, 13);
	// Letters are keys only where no text is typed.
	assert_false(bh_panel_key(&list, &(struct bh_layer_key){.key = 'j'}, false));
	assert_true(bh_panel_key(&list, &(struct bh_layer_key){.key = 'j'}, true));
	assert_int_equal(list.at, 14);
	assert_true(bh_panel_key(&list, &(struct bh_layer_key){.key = 'g'}, true));
	assert_int_equal(list.at, 0);
	assert_true(bh_panel_key(&list, &(struct bh_layer_key){.key = 'G'}, true));
	assert_int_equal(list.at, 14);
	assert_true(bh_panel_key(&none, &(struct bh_layer_key){.key = BH_KEY_DOWN}, false));
	assert_int_equal(none.at, 0);
}

static void a_press_chooses_the_row_under_it(void **state)
{
	struct bh_panel_list list = {.at = 10, .count = 20};
	struct bh_draw_rect body = {.row = 1, .col = 1, .rows = 5, .cols = 10};
	struct bh_layer_mouse mouse = {.kind = BH_MOUSE_PRESS, .row = 2, .col = 1};

	(void)state;
	assert_true(bh_panel_mouse(&list, &mouse, body));
	assert_int_equal(list.at, 9);
	mouse.row = 6; // below the list
	assert_false(bh_panel_mouse(&list, &mouse, body));
	mouse.row = 2;
	mouse.col = 0; // beside it
	assert_false(bh_panel_mouse(&list, &mouse, body));
	mouse.col = 1;
	mouse.button = 2;
	assert_false(bh_panel_mouse(&list, &mouse, body));
	mouse.kind = BH_MOUSE_WHEEL_DOWN;
	assert_false(bh_panel_mouse(&list, &mouse, body));
	assert_int_equal(list.at, 12);
	list = (struct bh_panel_list){.count = 1};
	mouse = (struct bh_layer_mouse){.kind = BH_MOUSE_PRESS, .row = 2, .col = 1};
	assert_false(bh_panel_mouse(&list, &mouse, body));
}

static void text_is_edited_by_characters(void **state)
{
	char text[8] = "";
	char full[] = "ab  cd ";

	(void)state;
	assert_true(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = 'a'}));
	assert_true(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = 0x20ac}));
	assert_true(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = 0xe9}));
	assert_string_equal(text, "a€é");
	assert_false(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = 0x1f600}));
	assert_false(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = BH_KEY_UP}));
	assert_false(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = '\t'}));
	assert_false(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = 0x9b}));
	assert_true(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = 0x7f}));
	assert_string_equal(text, "a€");
	assert_true(bh_panel_edit(text, sizeof(text), &(struct bh_layer_key){.key = 0x7f}));
	assert_string_equal(text, "a");
	assert_true(bh_panel_edit(full, sizeof(full),
	                          &(struct bh_layer_key){.key = 'w', .is_control = true}));
	assert_string_equal(full, "ab  ");
	assert_true(bh_panel_edit(full, sizeof(full),
	                          &(struct bh_layer_key){.key = 'u', .is_control = true}));
	assert_string_equal(full, "");
	assert_false(bh_panel_edit(full, sizeof(full), &(struct bh_layer_key){.key = 0x7f}));
}

static void a_paste_is_one_line(void **state)
{
	char text[16] = "a";

	(void)state;
	assert_true(bh_panel_paste(text, sizeof(text), bh_span_of("b\x7f\x1b\xff€\nrm -rf")));
	assert_string_equal(text, "ab€");
	assert_false(bh_panel_paste(text, sizeof(text), bh_span_of("\r")));
	assert_true(bh_panel_paste(text, sizeof(text), bh_span_of("0123456789012345")));
	assert_string_equal(text, "ab€0123456789");
}

static void every_word_must_occur(void **state)
{
	(void)state;
	assert_true(bh_panel_matches("Split: a shell below", ""));
	assert_true(bh_panel_matches("Split: a shell below", "SHELL  split "));
	assert_false(bh_panel_matches("Split: a shell below", "split right"));
	assert_false(bh_panel_matches("", "x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_keeps_the_chosen_row_in_view),
		cmocka_unit_test(keys_choose_within_the_list),
		cmocka_unit_test(a_press_chooses_the_row_under_it),
		cmocka_unit_test(text_is_edited_by_characters),
		cmocka_unit_test(a_paste_is_one_line),
		cmocka_unit_test(every_word_must_occur),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
