// A layout to JSON and back, and JSON that is no layout.
#include "src/server/layout_save.h"

#include "src/base/buf.h"
#include "src/base/json.h"
#include "src/base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A named tab of three panes, zoomed, and one in front of it.
static struct bh_layout *layout_make(void)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_uuid terminals[4];

	for (int i = 0; i < 4; i++) {
		terminals[i] = (struct bh_uuid){.bytes = {(uint8_t)(i + 1)}};
	}
	(void)bh_layout_set_area(layout, 101, 37);
	struct bh_layout_tab *tab =
		bh_layout_pane_add(layout, &terminals[0],
	                           &(struct bh_layout_place){.name = "one", .is_focused = true});

	(void)bh_layout_pane_add(layout, &terminals[1],
	                         &(struct bh_layout_place){.beside = terminals[0],
	                                                   .direction = BH_LAYOUT_RIGHT,
	                                                   .is_focused = true});
	(void)bh_layout_pane_add(
		layout, &terminals[2],
		&(struct bh_layout_place){.beside = terminals[1], .direction = BH_LAYOUT_UP});
	(void)bh_layout_pane_push(layout, &terminals[0], BH_LAYOUT_RIGHT, 7);
	bh_layout_tab_zoom(layout, tab, true);
	(void)bh_layout_pane_add(layout, &terminals[3],
	                         &(struct bh_layout_place){.is_focused = true});
	return layout;
}

static char *layout_print(const struct bh_layout *layout)
{
	cJSON *saved = bh_layout_save(layout);
	char *text = bh_json_print(saved);

	cJSON_Delete(saved);
	return text;
}

static void what_is_loaded_is_what_was_saved(void **state)
{
	struct bh_layout *layout = layout_make();
	struct bh_layout *copy = bh_layout_dup(layout);
	char *before = layout_print(layout);
	char *after = layout_print(copy);
	struct bh_layout_tab *tab = bh_layout_tab_at(copy, 1);

	(void)state;
	assert_string_equal(before, after);
	assert_string_equal(tab->name, "one");
	assert_true(tab->is_zoomed);
	assert_int_equal(bh_layout_count(tab->root), 3);
	assert_int_equal(bh_layout_first(tab->root)->rect.cols, 57);
	assert_ptr_equal(copy->last, tab);
	assert_int_equal(copy->active->id, 2);
	free(before);
	free(after);
	bh_layout_free(layout);
	bh_layout_free(copy);
}

static void shares_outlive_a_smaller_area(void **state)
{
	struct bh_layout *layout = layout_make();
	struct bh_layout *copy = NULL;

	(void)state;
	(void)bh_layout_set_area(layout, 40, 12);
	copy = bh_layout_dup(layout);
	(void)bh_layout_set_area(copy, 101, 37);
	(void)bh_layout_set_area(layout, 101, 37);
	char *before = layout_print(layout);
	char *after = layout_print(copy);

	assert_string_equal(before, after);
	assert_int_equal(bh_layout_first(bh_layout_tab_at(copy, 1)->root)->rect.cols, 57);
	free(before);
	free(after);
	bh_layout_free(layout);
	bh_layout_free(copy);
}

static void an_empty_one_too(void **state)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_layout *copy = bh_layout_dup(layout);

	(void)state;
	assert_null(copy->active);
	assert_int_equal(bh_layout_tab_count(copy), 0);
	bh_layout_free(layout);
	bh_layout_free(copy);
}

// Panes nested as deep as they may be, each one with nearly all the room that there is.
static struct bh_layout *layout_make_deep(void)
{
	struct bh_layout *layout = bh_layout_new();
	struct bh_uuid at = {.bytes = {1}};
	struct bh_layout_place place = {.is_focused = true};

	(void)bh_layout_set_area(layout, BH_LIMIT_SCREEN_MAX, BH_LIMIT_SCREEN_MAX);
	while (bh_layout_pane_add(layout, &at, &place) != NULL) {
		bool is_across = at.bytes[0] % 2 == 1;

		(void)bh_layout_pane_push(layout, &at, is_across ? BH_LAYOUT_UP : BH_LAYOUT_LEFT,
		                          BH_LIMIT_SCREEN_MAX);
		place.beside = at;
		place.direction = is_across ? BH_LAYOUT_RIGHT : BH_LAYOUT_DOWNWARD;
		at.bytes[0]++;
	}
	return layout;
}

static void the_deepest_tree_is_read_back(void **state)
{
	struct bh_layout *layout = layout_make_deep();
	// As it stands in the file (layout_host.c).
	cJSON *file = cJSON_CreateObject();
	struct bh_err err = {0};
	struct bh_layout *copy = NULL;

	(void)state;
	cJSON_AddItemToObject(file, "layout", bh_layout_save(layout));
	char *before = bh_json_print(file);
	cJSON *saved = bh_json_parse_object(before, strlen(before), &err);

	assert_string_equal(err.text, "");
	assert_non_null(saved);
	copy = bh_layout_load(cJSON_GetObjectItem(saved, "layout"), &err);
	assert_string_equal(err.text, "");
	assert_non_null(copy);
	assert_int_equal(bh_layout_count(bh_layout_tab_at(copy, 1)->root), BH_LAYOUT_DEPTH_MAX + 1);
	// In the row of the deepest pane there is still room, in a new row beside it there is none.
	struct bh_layout_place place = {.beside = copy->active->focus,
	                                .direction = BH_LAYOUT_DOWNWARD};
	struct bh_uuid more = {.bytes = {99}};

	assert_null(bh_layout_pane_add(copy, &more, &place));
	place.direction = BH_LAYOUT_RIGHT;
	assert_non_null(bh_layout_pane_add(copy, &more, &place));
	cJSON_Delete(file);
	cJSON_Delete(saved);
	free(before);
	bh_layout_free(layout);
	bh_layout_free(copy);
}

// Load what layout_make() saves with @from replaced by @to; it must be refused with @word.
static void assert_refused(const char *from, const char *to, const char *word)
{
	struct bh_layout *layout = layout_make();
	char *text = layout_print(layout);
	const char *at = strstr(text, from);
	struct bh_buf changed = {0};
	struct bh_err err = {0};

	assert_non_null(at);
	bh_buf_append(&changed, text, (size_t)(at - text));
	bh_buf_puts(&changed, to);
	bh_buf_puts(&changed, at + strlen(from));
	cJSON *saved = bh_json_parse_object(changed.data, changed.len, &err);

	assert_non_null(saved);
	assert_null(bh_layout_load(saved, &err));
	assert_int_equal(err.code, BH_EINVALID);
	assert_non_null(strstr(err.text, word));
	cJSON_Delete(saved);
	bh_buf_clear(&changed);
	free(text);
	bh_layout_free(layout);
}

static void nonsense_is_refused(void **state)
{
	(void)state;
	assert_refused("\"format\":1", "\"format\":2", "format");
	assert_refused("\"cols\":101", "\"cols\":0", "cols");
	assert_refused("\"active\":2", "\"active\":3", "in front");
	assert_refused("\"tabs\":[", "\"tabs\":[{},", "id");
	assert_refused("\"id\":2", "\"id\":1", "one id");
	assert_refused("\"id\":2", "\"id\":3", "id");
	assert_refused("\"preset\":-1", "\"preset\":99", "preset");
	assert_refused("\"focus\":\"02", "\"focus\":\"09", "focus is nowhere");
	assert_refused("\"terminal\":\"04", "\"terminal\":\"01", "one of another");
	assert_refused("\"terminal\":\"03", "\"terminal\":\"01", "two panes");
	assert_refused("\"terminal\":\"03", "\"terminal\":\"x", "no id");
	assert_refused("\"terminal\":\"03", "\"other\":\"03", "no terminal");
	assert_refused("\"across\":false", "\"across\":true", "nested");
	assert_refused("\"across\":true,", "", "across");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_loaded_is_what_was_saved),
		cmocka_unit_test(shares_outlive_a_smaller_area),
		cmocka_unit_test(an_empty_one_too),
		cmocka_unit_test(the_deepest_tree_is_read_back),
		cmocka_unit_test(nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
