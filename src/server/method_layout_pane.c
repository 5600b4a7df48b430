// Panes that there are: focus, places, sizes, ends.
#include "src/agent/profile.h"
#include "src/base/json.h"
#include "src/server/layout_host.h"
#include "src/server/method_layout.h"
#include "src/server/rpc.h"
#include "src/server/server.h"
#include "src/server/target.h"
#include "src/server/terminals.h"

#include <string.h>

// Furthest that a border is moved at once.
#define CELLS_MAX 1000

static bool has_param(const struct bh_request *request, const char *name)
{
	return cJSON_HasObjectItem(bh_request_params(request), name);
}

static cJSON *result_of_tab(const struct bh_layout_tab *tab)
{
	cJSON *result = cJSON_CreateObject();

	cJSON_AddNumberToObject(result, "tab", tab->id);
	return result;
}

// The pane that `which` says, seen from @target; NULL: the request was failed.
static struct bh_layout_node *pane_which(struct bh_request *request, const char *which,
                                         const struct bh_layout_target *target)
{
	struct bh_layout_node *leaf = NULL;

	if (strcmp(which, "next") == 0) {
		leaf = bh_layout_pane_step(target->tab, &target->leaf->terminal, 1);
	} else if (strcmp(which, "previous") == 0) {
		leaf = bh_layout_pane_step(target->tab, &target->leaf->terminal, -1);
	} else if (strcmp(which, "last") == 0) {
		leaf = bh_layout_find(target->tab->root, &target->tab->last_focus);
	}
	if (leaf == NULL) {
		bh_request_fail(request, "not_found",
		                "there is no such pane; which is next, previous or last");
	}
	return leaf;
}

// The pane that `direction` or `which` says, seen from @target, which is given back without either.
// NULL: the request was failed.
static struct bh_layout_node *pane_seen_from(struct bh_request *request,
                                             const struct bh_layout_target *target)
{
	enum bh_layout_direction direction = BH_LAYOUT_RIGHT;
	const char *which = NULL;

	if (!bh_request_optional_string(request, "which", &which) ||
	    !bh_layout_read_direction(request, "direction", &direction)) {
		return NULL;
	}
	if (which != NULL) {
		return pane_which(request, which, target);
	}
	return has_param(request, "direction")
	               ? bh_layout_neighbour(target->tab->root, target->leaf, direction)
	               : target->leaf;
}

void bh_method_pane_focus(struct bh_request *request)
{
	struct bh_layout_target target = {0};
	struct bh_layout_node *leaf = NULL;
	char id[BH_UUID_TEXT];

	if (bh_layout_target_pane(request, "name", &target)) {
		leaf = pane_seen_from(request, &target);
	}
	if (leaf == NULL) {
		return;
	}
	bh_layout_pane_focus(bh_layout_of(request), &leaf->terminal);
	cJSON *result = result_of_tab(target.tab);

	cJSON_AddStringToObject(result, "terminal_id", bh_uuid_format(&leaf->terminal, id));
	bh_layout_answer(request, result);
}

void bh_method_pane_swap(struct bh_request *request)
{
	struct bh_layout_target target = {0};
	struct bh_layout_target with = {0};

	if (!bh_layout_target_pane(request, "name", &target)) {
		return;
	}
	if (has_param(request, "with")) {
		if (!bh_layout_target_pane(request, "with", &with)) {
			return;
		}
	} else {
		with.leaf = pane_seen_from(request, &target);
		if (with.leaf == NULL) {
			return;
		}
	}
	struct bh_uuid a = target.leaf->terminal;
	struct bh_uuid b = with.leaf->terminal;

	bh_layout_pane_swap(bh_layout_of(request), &a, &b);
	bh_layout_answer(request, cJSON_CreateObject());
}

void bh_method_pane_zoom(struct bh_request *request)
{
	struct bh_layout *layout = bh_layout_of(request);
	struct bh_layout_target target = {0};
	bool is_zoomed = false;

	if (!bh_layout_target_pane(request, "name", &target)) {
		return;
	}
	// Another pane than the one in focus is not zoomed, whatever the tab is.
	bool is_focus = bh_uuid_is_equal(&target.tab->focus, &target.leaf->terminal);
	bool is_now = target.tab->is_zoomed && is_focus;

	if (!bh_layout_read_flag(request, "zoom", !is_now, &is_zoomed)) {
		return;
	}
	if (is_zoomed && !is_focus) {
		bh_layout_pane_focus(layout, &target.leaf->terminal);
	}
	bh_layout_tab_zoom(layout, target.tab, is_zoomed);
	cJSON *result = result_of_tab(target.tab);

	cJSON_AddBoolToObject(result, "is_zoomed", target.tab->is_zoomed);
	bh_layout_answer(request, result);
}

void bh_method_pane_resize(struct bh_request *request)
{
	struct bh_layout_target target = {0};
	enum bh_layout_direction direction = BH_LAYOUT_RIGHT;
	int64_t cells = 1;

	if (!has_param(request, "direction")) {
		bh_request_fail(request, "params", "direction is left, right, up or down");
		return;
	}
	if (!bh_layout_read_direction(request, "direction", &direction) ||
	    !bh_request_number(request, "cells", 1, -CELLS_MAX, CELLS_MAX, &cells) ||
	    !bh_layout_target_pane(request, "name", &target)) {
		return;
	}
	int moved = bh_layout_pane_push(bh_layout_of(request), &target.leaf->terminal, direction,
	                                (int)cells);
	cJSON *result = result_of_tab(target.tab);

	cJSON_AddNumberToObject(result, "moved", moved);
	bh_layout_answer(request, result);
}

// Move the pane of @target to @place.
static void pane_move(struct bh_request *request, const struct bh_layout_target *target,
                      const struct bh_layout_place *place)
{
	struct bh_uuid id = target->leaf->terminal;
	struct bh_layout *layout = bh_layout_of(request);
	struct bh_layout_tab *tab = bh_layout_pane_move(layout, &id, place);

	if (tab == NULL) {
		bh_layout_fail_room(request);
	} else {
		bh_layout_answer(request, result_of_tab(tab));
	}
}

void bh_method_pane_break(struct bh_request *request)
{
	struct bh_layout_place place = {0};
	struct bh_layout_target target = {0};

	if (bh_request_optional_string(request, "tab_name", &place.name) &&
	    bh_layout_read_flag(request, "focus", true, &place.is_focused) &&
	    bh_layout_target_pane(request, "name", &target)) {
		pane_move(request, &target, &place);
	}
}

void bh_method_pane_join(struct bh_request *request)
{
	struct bh_layout_place place = {.direction = BH_LAYOUT_RIGHT};
	struct bh_layout_target target = {0};
	struct bh_layout_target beside = {0};

	if (!has_param(request, "beside")) {
		bh_request_fail(request, "params", "beside names the terminal where it goes");
		return;
	}
	if (!bh_layout_read_direction(request, "direction", &place.direction) ||
	    !bh_layout_read_flag(request, "focus", true, &place.is_focused) ||
	    !bh_layout_target_pane(request, "name", &target) ||
	    !bh_layout_target_pane(request, "beside", &beside)) {
		return;
	}
	if (beside.leaf == target.leaf) {
		bh_request_fail(request, "invalid", "a pane cannot go beside itself");
		return;
	}
	place.beside = beside.leaf->terminal;
	pane_move(request, &target, &place);
}

void bh_method_pane_rotate(struct bh_request *request)
{
	struct bh_layout_tab *tab = NULL;
	bool is_reverse = false;

	if (!bh_request_flag(request, "reverse", &is_reverse)) {
		return;
	}
	tab = bh_layout_target_tab(request);
	if (tab != NULL) {
		bh_layout_tab_rotate(bh_layout_of(request), tab, is_reverse);
		bh_layout_answer(request, result_of_tab(tab));
	}
}

// ---- ends ----

// The terminals whose panes are to be closed.
struct closing {
	struct bh_uuid terminals[BH_LAYOUT_PANES_MAX];
	size_t count;
};

// Of a program that is no agent nobody knows what its output means: a shell is closed like any other.
static bool is_at_work(const struct bh_terminal *terminal)
{
	enum bh_state state = terminal->verdict.state;

	return bh_terminal_is_alive(terminal) &&
	       strcmp(bh_profile_name(bh_adopt_profile(terminal)), "generic") != 0 &&
	       (state == BH_STATE_WORKING || state == BH_STATE_AWAITING);
}

// Whether any of them is at work; then the request was failed.
static bool closing_is_refused(struct bh_request *request, const struct closing *closing)
{
	cJSON *data = cJSON_CreateObject();
	cJSON *agents = cJSON_AddArrayToObject(data, "agents");

	for (size_t i = 0; i < closing->count; i++) {
		const struct bh_terminal *terminal = bh_terminals_get(
			bh_request_server(request)->terminals, &closing->terminals[i]);

		if (terminal != NULL && is_at_work(terminal)) {
			cJSON_AddItemToArray(agents, cJSON_CreateString(terminal->identity));
		}
	}
	const cJSON *first = cJSON_GetArrayItem(agents, 0);

	if (first == NULL) {
		cJSON_Delete(data);
		return false;
	}
	bh_request_fail_data(request, "needs_confirmation", data,
	                     "%s%s at work; closing ends it; say force if that is meant",
	                     first->valuestring, first->next != NULL ? " and others are" : " is");
	return true;
}

static void closing_run(struct bh_request *request, const struct closing *closing, bool is_kept)
{
	struct bh_server *server = bh_request_server(request);
	struct bh_layout *layout = bh_layout_of(request);
	cJSON *result = cJSON_CreateObject();
	cJSON *ids = cJSON_AddArrayToObject(result, "closing");
	char id[BH_UUID_TEXT];

	for (size_t i = 0; i < closing->count; i++) {
		struct bh_terminal *terminal =
			bh_terminals_get(server->terminals, &closing->terminals[i]);

		cJSON_AddItemToArray(
			ids, cJSON_CreateString(bh_uuid_format(&closing->terminals[i], id)));
		if (is_kept || terminal == NULL) {
			bh_layout_pane_remove(layout, &closing->terminals[i]);
		} else {
			bh_layout_host_end(server->layout, terminal);
		}
	}
	bh_layout_answer(request, result);
}

static void close_all(struct bh_request *request, const struct closing *closing)
{
	bool is_forced = false;
	bool is_kept = false;

	if (bh_request_flag(request, "force", &is_forced) &&
	    bh_request_flag(request, "keep", &is_kept) &&
	    (is_forced || is_kept || !closing_is_refused(request, closing))) {
		closing_run(request, closing, is_kept);
	}
}

void bh_method_pane_close(struct bh_request *request)
{
	struct bh_layout_target target = {0};

	if (bh_layout_target_pane(request, "name", &target)) {
		close_all(request, &(struct closing){{target.leaf->terminal}, 1});
	}
}

void bh_method_tab_close(struct bh_request *request)
{
	struct bh_layout_tab *tab = bh_layout_target_tab(request);
	struct closing closing = {.count = 0};

	if (tab == NULL) {
		return;
	}
	for (struct bh_layout_node *at = bh_layout_first(tab->root); at != NULL;
	     at = bh_layout_after(at)) {
		closing.terminals[closing.count++] = at->terminal;
	}
	close_all(request, &closing);
}
