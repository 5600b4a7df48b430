#include "src/ui/command.h"

#include "src/base/buf.h"
#include "tests/unit/manual.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATE \
	"{\"layout\":{\"area\":{\"cols\":60,\"rows\":10},\"tabs\":[{\"id\":7,\"index\":1," \
	"\"name\":\"api\",\"is_active\":true,\"focus\":\"a\",\"panes\":[{\"terminal_id\":\"a\"," \
	"\"row\":1,\"col\":0,\"rows\":9,\"cols\":30,\"is_visible\":true},{\"terminal_id\":\"b\"," \
	"\"row\":1,\"col\":31,\"rows\":9,\"cols\":29,\"is_visible\":true}]},{\"id\":9,\"index\":2," \
	"\"name\":\"review\",\"panes\":[]}]},\"terminals\":[" \
	"{\"terminal_id\":\"a\",\"identity\":\"coder\"},{\"terminal_id\":\"b\",\"identity\":\"tester\"}," \
	"{\"terminal_id\":\"c\",\"identity\":\"coach\"}],\"mail\":[]}"

static int model_make(void **state)
{
	struct bh_model *model = calloc(1, sizeof(*model));
	cJSON *session = cJSON_Parse(STATE);

	bh_model_begin(model, session, 1000);
	cJSON_Delete(session);
	*state = model;
	return 0;
}

static int model_remove(void **state)
{
	bh_model_clear(*state);
	free(*state);
	return 0;
}

/** What a line asks for must be @wanted: method and parameters, or a part of the sentence. */
static void check(const struct bh_model *model, const char *line, const char *wanted)
{
	struct bh_command command;
	struct bh_action_request request = {0};
	struct bh_err err = {0};
	char *params = NULL;
	char said[400];

	if (bh_command_read(line, &command, &err) == 0) {
		request = bh_command_request(model, &command, NULL, &err);
	}
	if (request.method == NULL) {
		(void)snprintf(said, sizeof(said), "%s", err.text);
		assert_non_null(strstr(said, wanted));
		return;
	}
	params = cJSON_PrintUnformatted(request.params);
	(void)snprintf(said, sizeof(said), "%s %s", request.method, params);
	assert_string_equal(said, wanted);
	free(params);
	cJSON_Delete(request.params);
}

static void lines_become_requests(void **state)
{
	static const struct {
		const char *line, *wanted;
	} cases[] = {
		{"rename-tab two words", "tab.rename {\"tab\":7,\"name\":\"two words\"}"},
		{"  select-tab  2", "tab.select {\"tab\":9}"},
		{"select-tab review", "tab.select {\"tab\":9}"},
		{"select-tab 3", "there is no tab 3"},
		{"move-tab 1", "tab.move {\"tab\":7,\"index\":1}"},
		{"move-tab review", "review is no place of a tab; they count from 1"},
		{"swap-tab review", "tab.swap {\"tab\":7,\"with\":9}"},
		{"swap-tab 2", "tab.swap {\"tab\":7,\"with\":9}"},
		{"swap-tab", "swap-tab needs something to act on: swap-tab tab"},
		{"move-tab-left", "tab.move {\"by\":-1,\"tab\":7}"},
		{"swap-window -t 0", "tmux's swap-window is here: swap-tab, move-tab-left"},
		{"break-pane alone", "pane.break {\"name\":\"a\",\"tab_name\":\"alone\"}"},
		{"resize-left 5",
	         "pane.resize {\"direction\":\"left\",\"name\":\"a\",\"cells\":5}"},
		{"resize-left no", "no is no number of cells"},
		{"resize-left 0", "0 is no number of cells"},
		{"split-down ls -l", "pane.split {\"direction\":\"down\",\"name\":\"a\",\"argv\":"
	                             "[\"ls\",\"-l\"]}"},
		{"split-down ls -l|more", "pane.split {\"direction\":\"down\",\"name\":\"a\","
	                                  "\"argv\":[\"/bin/sh\",\"-c\",\"ls -l|more\"]}"},
		{"join-pane tester", "pane.join {\"beside\":\"a\",\"name\":\"tester\"}"},
		{"join-pane coach", "pane.show {\"beside\":\"a\",\"name\":\"coach\"}"},
		{"go-to coach", "pane.show {\"name\":\"coach\"}"},
		{"size-policy smallest", "session.size_policy {\"policy\":\"smallest\"}"},
		{"size-policy 120x40",
	         "session.size_policy {\"policy\":\"fixed\",\"cols\":120,\"rows\":40}"},
		{"size-policy 120x40!", "120x40! is no size policy"},
		{"size-policy", "size-policy needs something to act on: size-policy latest|"},
		{"tiled now", "tiled takes nothing after its name"},
		{"tiled", "layout.arrange {\"preset\":\"tiled\",\"tab\":7}"},
		{"renam-tab x", "there is no action renam-tab; do you mean rename-tab?"},
		{"new-window", "tmux's new-window is here: new-tab"},
		{"split-window -h", "tmux's split-window is here: split-right or split-down"},
		{"quux", "there is no action quux; Tab shows them"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check(*state, cases[i].line, cases[i].wanted);
	}
}

static void without_a_pane_there_is_nothing_to_act_on(void **state)
{
	struct bh_model model = {0};

	(void)state;
	check(&model, "break-pane x", "there is no pane here");
	check(&model, "rename-tab x", "there is no pane here");
}

/** Completing @line must make @wanted of it, with @hint behind it. */
static void check_tab(const struct bh_model *model, const char *line, const char *wanted,
                      const char *wanted_hint)
{
	char text[40];
	char hint[400];

	(void)snprintf(text, sizeof(text), "%s", line);
	bh_command_complete(model, text, sizeof(text), hint, sizeof(hint));
	assert_string_equal(text, wanted);
	assert_non_null(strstr(hint, wanted_hint));
	assert_int_equal(hint[0] == '\0', wanted_hint[0] == '\0');
}

static void tab_completes(void **state)
{
	check_tab(*state, "ren", "rename-tab ", "");
	check_tab(*state, "swap", "swap-", "swap-previous  swap-next  swap-tab");
	check_tab(*state, "xyz", "xyz", "nothing begins");
	check_tab(*state, "go-to t", "go-to tester", "");
	check_tab(*state, "go-to co", "go-to co", "coder  coach");
	check_tab(*state, "select-tab ", "select-tab ", "api  review");
	check_tab(*state, "size-policy s", "size-policy smallest", "");
	check_tab(*state, "detach x", "detach x", "nothing begins");
	// What does not fit is cut.
	check_tab(*state, "go-to                               tester",
	          "go-to                               tes", "");
}

/** The names that have no key, and what all of them may be given. */
static void the_manual_has_every_command(void **state)
{
	struct bh_buf entries = {0};
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		const char *usage = bh_command_usage(rows[i].action);

		if (rows[i].help == NULL || (rows[i].key != 0 && usage[0] == '\0')) {
			continue;
		}
		bh_buf_printf(&entries, ".It Ic %s", rows[i].name);
		if (usage[0] == '[') {
			bh_buf_printf(&entries, " Op Ar %.*s", (int)strlen(usage) - 2, usage + 1);
		} else if (usage[0] != '\0') {
			bh_buf_printf(&entries, " Ar %s", usage);
		}
		bh_buf_printf(&entries, "\n%c%s.\n", rows[i].help[0] - 'a' + 'A', rows[i].help + 1);
	}
	manual_part_is("bellhop.1", "commands", entries.data);
	bh_buf_clear(&entries);
}

int main(void)
{
#define MODEL(name) cmocka_unit_test_setup_teardown(name, model_make, model_remove)
	const struct CMUnitTest tests[] = {
		MODEL(lines_become_requests),
		MODEL(tab_completes),
		cmocka_unit_test(without_a_pane_there_is_nothing_to_act_on),
		cmocka_unit_test(the_manual_has_every_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
