// New panes: for a program that is started, or for a terminal that has none yet.
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/base/paths.h"
#include "src/server/layout_host.h"
#include "src/server/method_layout.h"
#include "src/server/method_mail.h"
#include "src/server/rpc.h"
#include "src/server/server.h"
#include "src/server/start_request.h"
#include "src/server/target.h"
#include "src/server/terminal_view.h"
#include "src/server/terminals.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A start whose terminal gets a pane.
struct placing {
	struct bh_request *request;
	struct bh_layout_place place;
	// Of the place.
	char *name;
	// The request is terminal.run: its answer is the terminal object itself.
	bool is_run;
};

static void placing_free(struct placing *placing)
{
	free(placing->name);
	free(placing);
}

// ---- what is started by default ----

// A variable of our own environment, which is the user's.
static const char *own_env(const char *name)
{
	return bh_paths_env((const char *const *)environ, name);
}

// The user's shell: of the environment that came along, ours, or the user's record.
static const char *shell_find(const struct bh_request *request)
{
	const cJSON *environment =
		cJSON_GetObjectItemCaseSensitive(bh_request_params(request), "environ");
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(environment, "SHELL");
	const char *shell = cJSON_IsString(item) ? item->valuestring : own_env("SHELL");
	const struct passwd *user = NULL;

	if (shell == NULL || shell[0] != '/') {
		user = getpwuid(getuid());
		shell = user != NULL ? user->pw_shell : NULL;
	}
	return shell != NULL && shell[0] == '/' ? shell : "/bin/sh";
}

// Where the program of the pane in focus is; else the user's home.
static void cwd_find(const struct bh_request *request, const struct bh_uuid *beside,
                     char out[PATH_MAX])
{
	const struct bh_server *server = bh_request_server(request);
	const struct bh_layout_tab *active = bh_layout_of(request)->active;
	const struct bh_terminal *terminal = NULL;
	const char *home = own_env("HOME");
	char link[64];
	ssize_t len = -1;

	if (!bh_uuid_is_none(beside)) {
		terminal = bh_terminals_get(server->terminals, beside);
	} else if (active != NULL) {
		terminal = bh_terminals_get(server->terminals, &active->focus);
	}
	if (terminal != NULL && terminal->pid > 0) {
		(void)snprintf(link, sizeof link, "/proc/%d/cwd", (int)terminal->pid); // fits
		len = readlink(link, out, PATH_MAX - 1);
	}
	if (len > 0 && out[0] == '/') {
		out[len] = '\0';
	} else {
		(void)snprintf(out, PATH_MAX, "%s",
		               home != NULL && home[0] == '/' ? home : "/"); // cut: no folder
	}
}

// ---- starting ----

static void placing_answer(struct placing *placing, struct bh_terminal *terminal,
                           const struct bh_layout_tab *tab)
{
	cJSON *view = bh_terminal_view(terminal);
	cJSON *result = view;

	if (placing->is_run) {
		cJSON_AddItemToObject(view, "wake",
		                      bh_method_mail_wake(terminal->server, terminal->identity));
	} else {
		result = cJSON_CreateObject();
		cJSON_AddItemToObject(result, "terminal", view);
	}
	if (tab != NULL) {
		cJSON_AddNumberToObject(result, "tab", tab->id);
	}
	bh_layout_answer(placing->request, result);
}

// It runs. Its place may be gone meanwhile; then it gets a tab of its own.
static void on_started(void *user, struct bh_terminal *terminal, const struct bh_err *err)
{
	struct placing *placing = user;
	struct bh_layout_host *host = bh_request_server(placing->request)->layout;

	if (terminal == NULL) {
		bh_start_request_fail(placing->request, err);
	} else if (host == NULL) {
		bh_request_fail(placing->request, "busy", "the server is being stopped; try again");
	} else {
		struct bh_layout *layout = bh_layout_host_layout(host);
		const struct bh_layout_place apart = {.is_focused = placing->place.is_focused};
		struct bh_layout_tab *tab = NULL;

		placing->place.name = placing->name;
		tab = bh_layout_pane_add(layout, &terminal->id, &placing->place);
		if (tab == NULL) {
			tab = bh_layout_pane_add(layout, &terminal->id, &apart);
		}
		placing_answer(placing, terminal, tab);
	}
	placing_free(placing);
}

static void place_run(struct bh_request *request, const struct bh_layout_place *place, bool is_run)
{
	struct bh_server *server = bh_request_server(request);
	struct bh_terminals_start start = {0};
	char cwd[PATH_MAX];
	int cols = 0;
	int rows = 0;

	cwd_find(request, &place->beside, cwd);
	const struct bh_start_defaults defaults = {.program = shell_find(request),
	                                           .command = server->config.default_command,
	                                           .cwd = cwd};

	if (!bh_layout_host_room(server->layout, place, &cols, &rows)) {
		bh_layout_fail_room(request);
		return;
	}
	if (!bh_start_request_read(request, is_run ? NULL : &defaults, &start)) {
		return;
	}
	struct placing *placing = bh_xmalloc(sizeof *placing);

	placing->request = request;
	placing->place = *place;
	placing->name = bh_xstrdup(place->name);
	placing->is_run = is_run;
	start.setup.cols = cols < BH_LIMIT_SCREEN_MIN ? BH_LIMIT_SCREEN_MIN : cols;
	start.setup.rows = rows < BH_LIMIT_SCREEN_MIN ? BH_LIMIT_SCREEN_MIN : rows;
	bh_terminals_run(server->terminals, &start, on_started, placing);
}

// Show a terminal that has no pane yet.
static void place_show(struct bh_request *request, const struct bh_layout_place *place,
                       struct bh_terminal *terminal)
{
	struct bh_layout_tab *tab = NULL;

	if (!bh_terminal_is_alive(terminal)) {
		bh_request_fail(request, "exited",
		                "%s has ended; `bellhop respawn %s` starts it again",
		                terminal->identity, terminal->identity);
		return;
	}
	tab = bh_layout_pane_add(bh_layout_of(request), &terminal->id, place);
	if (tab == NULL) {
		bh_layout_fail_room(request);
		return;
	}
	cJSON *result = cJSON_CreateObject();

	cJSON_AddNumberToObject(result, "tab", tab->id);
	bh_layout_host_changed(bh_request_server(request)->layout, request); // its size first
	cJSON_AddItemToObject(result, "terminal", bh_terminal_view(terminal));
	bh_layout_answer(request, result);
}

// A new pane for the terminal of `show`, or for what the request starts.
static void place_any(struct bh_request *request, const struct bh_layout_place *place)
{
	struct bh_terminal *terminal = NULL;

	if (!cJSON_HasObjectItem(bh_request_params(request), "show")) {
		place_run(request, place, false);
		return;
	}
	terminal = bh_target_find_param(request, "show");
	if (terminal == NULL) {
		return;
	}
	if (bh_layout_pane_tab(bh_layout_of(request), &terminal->id) != NULL) {
		bh_request_fail(request, "invalid",
		                "%s has a pane already; join-pane (`pane.join`) moves it",
		                terminal->identity);
		return;
	}
	place_show(request, place, terminal);
}

// ---- the methods ----

void bh_method_tab_new(struct bh_request *request)
{
	struct bh_layout_place place = {0};
	int64_t index = 0;

	if (bh_request_optional_string(request, "name", &place.name) &&
	    bh_request_number(request, "index", 0, 1, INT32_MAX, &index) &&
	    bh_layout_read_flag(request, "focus", true, &place.is_focused)) {
		place.index = (int)index;
		place_any(request, &place);
	}
}

void bh_method_pane_split(struct bh_request *request)
{
	struct bh_layout_place place = {.direction = BH_LAYOUT_RIGHT};
	struct bh_layout_target target = {0};

	if (bh_layout_read_direction(request, "direction", &place.direction) &&
	    bh_layout_read_flag(request, "focus", true, &place.is_focused) &&
	    bh_layout_target_pane(request, "name", &target)) {
		place.beside = target.leaf->terminal;
		place_any(request, &place);
	}
}

void bh_method_pane_show(struct bh_request *request)
{
	struct bh_layout_place place = {.direction = BH_LAYOUT_RIGHT};
	struct bh_layout_target beside = {0};
	struct bh_layout *layout = bh_layout_of(request);
	struct bh_terminal *terminal = NULL;

	if (!bh_layout_read_direction(request, "direction", &place.direction) ||
	    !bh_layout_read_flag(request, "focus", true, &place.is_focused)) {
		return;
	}
	terminal = bh_target_find(request);
	if (terminal == NULL) {
		return;
	}
	struct bh_layout_tab *tab = bh_layout_pane_tab(layout, &terminal->id);

	if (tab != NULL) {
		cJSON *result = cJSON_CreateObject();

		cJSON_AddNumberToObject(result, "tab", tab->id);
		if (place.is_focused) {
			bh_layout_pane_focus(layout, &terminal->id);
		}
		bh_layout_answer(request, result);
		return;
	}
	if (cJSON_HasObjectItem(bh_request_params(request), "beside")) {
		if (!bh_layout_target_pane(request, "beside", &beside)) {
			return;
		}
		place.beside = beside.leaf->terminal;
	}
	place_show(request, &place, terminal);
}

void bh_method_terminal_run_placed(struct bh_request *request)
{
	struct bh_layout_place place = {0};
	const char *where = bh_request_string(request, "place");
	struct bh_layout_target beside = {0};

	if (where == NULL) {
		return;
	}
	if (strcmp(where, "tab") != 0) {
		if (!bh_layout_read_direction(request, "place", &place.direction) ||
		    !bh_layout_target_pane(request, "beside", &beside)) {
			return;
		}
		place.beside = beside.leaf->terminal;
	}
	// An agent starts others beside the person's work; the focus is the person's.
	bool is_person = bh_request_caller(request)->kind == BH_CALLER_OPERATOR;

	if (bh_layout_read_flag(request, "focus", true, &place.is_focused)) {
		place.is_focused = place.is_focused && is_person;
		place_run(request, &place, true);
	}
}
