#include "src/ui/action.h"

#include "src/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** A session with a tab (id 3) of two panes, a in focus; an agent beyond, who waits. */
static struct bh_model session(struct bh_model_pane panes[2], struct bh_model_tab *tab,
                               struct bh_model_terminal terminals[2])
{
	panes[0] = (struct bh_model_pane){.terminal_id = "a", .is_visible = true};
	panes[1] = (struct bh_model_pane){.terminal_id = "b", .is_visible = true};
	*tab = (struct bh_model_tab){.id = 3, .name = "api", .is_active = true, .focus = "a"};
	tab->panes = panes;
	tab->pane_count = 2;
	terminals[0] = (struct bh_model_terminal){
		.id = "a", .identity = "coder", .profile = "claude", .state = "idle"};
	terminals[1] = (struct bh_model_terminal){
		.id = "c", .identity = "reviewer", .profile = "codex", .state = "awaiting"};
	return (struct bh_model){
		.tabs = tab, .tab_count = 1, .terminals = terminals, .terminal_count = 2};
}

static void expect(const struct bh_model *model, enum bh_action action, uint32_t key,
                   const char *method, const char *params)
{
	cJSON *environ_object = cJSON_Parse("{\"A\":\"1\"}");
	struct bh_action_request request = bh_action_request(model, action, key, environ_object);
	char *text = NULL;

	assert_non_null(request.method);
	text = bh_json_print(request.params);
	assert_string_equal(request.method, method);
	assert_string_equal(text, params);
	free(text);
	cJSON_Delete(request.params);
	cJSON_Delete(environ_object);
}

static void actions_are_requests(void **state)
{
	struct bh_model_pane panes[2];
	struct bh_model_terminal terminals[2];
	struct bh_model_tab tab;
	struct bh_model model = session(panes, &tab, terminals);

	(void)state;
	expect(&model, BH_ACTION_TAB_NEW, 'c', "tab.new", "{\"environ\":{\"A\":\"1\"}}");
	expect(&model, BH_ACTION_SPLIT_RIGHT, '%', "pane.split",
	       "{\"direction\":\"right\",\"name\":\"a\",\"environ\":{\"A\":\"1\"}}");
	expect(&model, BH_ACTION_TAB_INDEX, '4', "tab.select", "{\"index\":4}");
	expect(&model, BH_ACTION_TAB_INDEX, '0', "tab.select", "{\"index\":10}");
	expect(&model, BH_ACTION_FOCUS_UP, 0, "pane.focus", "{\"direction\":\"up\"}");
	expect(&model, BH_ACTION_PANE_ZOOM, 'z', "pane.zoom", "{\"name\":\"a\"}");
	expect(&model, BH_ACTION_ARRANGE, ' ', "layout.arrange", "{\"tab\":3}");
	expect(&model, BH_ACTION_RESIZE_DOWN, 0, "pane.resize",
	       "{\"direction\":\"down\",\"name\":\"a\"}");
	expect(&model, BH_ACTION_NEXT_NEEDING, 'a', "pane.show", "{\"name\":\"c\"}");
}

static void every_request_of_the_table_is_one(void **state)
{
	struct bh_model_pane panes[2];
	struct bh_model_terminal terminals[2];
	struct bh_model_tab tab;
	struct bh_model model = session(panes, &tab, terminals);

	(void)state;
	for (int i = BH_ACTION_NONE + 1; i <= BH_ACTION_LAST_REQUEST; i++) {
		struct bh_action_request request =
			bh_action_request(&model, (enum bh_action)i, '1', NULL);

		// Renaming asks for the name first.
		assert_true((request.method == NULL) == (i == BH_ACTION_TAB_RENAME));
		assert_true(request.method == NULL || cJSON_IsObject(request.params));
		cJSON_Delete(request.params);
	}
}

static void nothing_is_asked_where_nothing_is(void **state)
{
	struct bh_model model = {0};

	(void)state;
	assert_null(bh_action_request(&model, BH_ACTION_PANE_ZOOM, 0, NULL).method);
	assert_null(bh_action_request(&model, BH_ACTION_TAB_CLOSE, 0, NULL).method);
	assert_null(bh_action_request(&model, BH_ACTION_NEXT_NEEDING, 0, NULL).method);
	assert_null(bh_action_request(&model, BH_ACTION_DETACH, 0, NULL).method);
	assert_null(bh_action_request(&model, BH_ACTION_NONE, 0, NULL).method);
}

static void names_are_given(void **state)
{
	struct bh_action_request request = bh_action_rename(3, "a \"name\"");
	char *text = bh_json_print(request.params);

	(void)state;
	assert_string_equal(request.method, "tab.rename");
	assert_string_equal(text, "{\"tab\":3,\"name\":\"a \\\"name\\\"\"}");
	free(text);
	cJSON_Delete(request.params);
}

static void closing_is_asked_about(void **state)
{
	struct bh_model_pane panes[2];
	struct bh_model_terminal terminals[2];
	struct bh_model_tab tab;
	struct bh_model model = session(panes, &tab, terminals);
	char text[160];

	(void)state;
	assert_false(bh_action_question(&model, BH_ACTION_PANE_ZOOM, text, sizeof(text)));
	assert_string_equal(text, "");
	assert_false(bh_action_question(&model, BH_ACTION_PANE_CLOSE, text, sizeof(text)));
	assert_string_equal(text, "close this pane and end coder? (y/n)");
	(void)strcpy(terminals[0].state, "working");
	assert_true(bh_action_question(&model, BH_ACTION_PANE_CLOSE, text, sizeof(text)));
	assert_string_equal(text, "coder is working: end it all the same? (y/n)");
	assert_true(bh_action_question(&model, BH_ACTION_TAB_CLOSE, text, sizeof(text)));
	assert_string_equal(text, "close tab api and end its 2 programs, an agent at work among "
	                          "them? (y/n)");
	tab.pane_count = 1;
	assert_true(bh_action_question(&model, BH_ACTION_TAB_CLOSE, text, sizeof(text)));
	assert_string_equal(text, "close tab api and end its program, which is at work? (y/n)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actions_are_requests),
		cmocka_unit_test(every_request_of_the_table_is_one),
		cmocka_unit_test(nothing_is_asked_where_nothing_is),
		cmocka_unit_test(names_are_given),
		cmocka_unit_test(closing_is_asked_about),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
