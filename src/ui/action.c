#include "src/ui/action.h"

#include "src/base/utf8.h"

#include <stdio.h>
#include <string.h>

/** What the parameters of a request say besides its template. */
enum action_target {
	/** Nothing: the server acts on the active tab or the pane in focus. */
	TARGET_NONE,
	/** The pane in focus, by its terminal: what is asked for is what the person saw. */
	TARGET_PANE,
	/** The active tab, by its id. */
	TARGET_TAB,
	/** A program is started: the environment. */
	TARGET_RUN,
	/** A program is started beside the pane in focus. */
	TARGET_RUN_BESIDE,
	/** The tab of the digit. */
	TARGET_DIGIT,
};

/** The requests by action: method, what they are about, the other parameters as JSON. */
static const struct {
	const char *method;
	enum action_target target;
	const char *params;
} requests[BH_ACTION_LAST_REQUEST + 1] = {
	[BH_ACTION_TAB_NEW] = {"tab.new", TARGET_RUN, "{}"},
	[BH_ACTION_TAB_NEXT] = {"tab.select", TARGET_NONE, "{\"which\":\"next\"}"},
	[BH_ACTION_TAB_PREVIOUS] = {"tab.select", TARGET_NONE, "{\"which\":\"previous\"}"},
	[BH_ACTION_TAB_LAST] = {"tab.select", TARGET_NONE, "{\"which\":\"last\"}"},
	[BH_ACTION_TAB_INDEX] = {"tab.select", TARGET_DIGIT, "{}"},
	[BH_ACTION_TAB_CLOSE] = {"tab.close", TARGET_TAB, "{}"},
	[BH_ACTION_TAB_MOVE] = {"tab.move", TARGET_TAB, "{}"},
	[BH_ACTION_TAB_MOVE_LEFT] = {"tab.move", TARGET_TAB, "{\"by\":-1}"},
	[BH_ACTION_TAB_MOVE_RIGHT] = {"tab.move", TARGET_TAB, "{\"by\":1}"},
	[BH_ACTION_TAB_SWAP] = {"tab.swap", TARGET_TAB, "{}"},
	[BH_ACTION_SPLIT_RIGHT] = {"pane.split", TARGET_RUN_BESIDE, "{\"direction\":\"right\"}"},
	[BH_ACTION_SPLIT_DOWN] = {"pane.split", TARGET_RUN_BESIDE, "{\"direction\":\"down\"}"},
	[BH_ACTION_FOCUS_LEFT] = {"pane.focus", TARGET_NONE, "{\"direction\":\"left\"}"},
	[BH_ACTION_FOCUS_RIGHT] = {"pane.focus", TARGET_NONE, "{\"direction\":\"right\"}"},
	[BH_ACTION_FOCUS_UP] = {"pane.focus", TARGET_NONE, "{\"direction\":\"up\"}"},
	[BH_ACTION_FOCUS_DOWN] = {"pane.focus", TARGET_NONE, "{\"direction\":\"down\"}"},
	[BH_ACTION_FOCUS_NEXT] = {"pane.focus", TARGET_NONE, "{\"which\":\"next\"}"},
	[BH_ACTION_FOCUS_LAST] = {"pane.focus", TARGET_NONE, "{\"which\":\"last\"}"},
	[BH_ACTION_PANE_CLOSE] = {"pane.close", TARGET_PANE, "{}"},
	[BH_ACTION_PANE_ZOOM] = {"pane.zoom", TARGET_PANE, "{}"},
	[BH_ACTION_SWAP_PREVIOUS] = {"pane.swap", TARGET_PANE, "{\"which\":\"previous\"}"},
	[BH_ACTION_SWAP_NEXT] = {"pane.swap", TARGET_PANE, "{\"which\":\"next\"}"},
	[BH_ACTION_ROTATE] = {"pane.rotate", TARGET_TAB, "{}"},
	[BH_ACTION_ROTATE_BACK] = {"pane.rotate", TARGET_TAB, "{\"reverse\":true}"},
	[BH_ACTION_BREAK] = {"pane.break", TARGET_PANE, "{}"},
	[BH_ACTION_ARRANGE] = {"layout.arrange", TARGET_TAB, "{}"},
	[BH_ACTION_EVEN_HORIZONTAL] = {"layout.arrange", TARGET_TAB,
                                       "{\"preset\":\"even-horizontal\"}"},
	[BH_ACTION_EVEN_VERTICAL] = {"layout.arrange", TARGET_TAB,
                                     "{\"preset\":\"even-vertical\"}"},
	[BH_ACTION_MAIN_HORIZONTAL] = {"layout.arrange", TARGET_TAB,
                                       "{\"preset\":\"main-horizontal\"}"},
	[BH_ACTION_MAIN_VERTICAL] = {"layout.arrange", TARGET_TAB,
                                     "{\"preset\":\"main-vertical\"}"},
	[BH_ACTION_TILED] = {"layout.arrange", TARGET_TAB, "{\"preset\":\"tiled\"}"},
	[BH_ACTION_RELOAD] = {"server.reload", TARGET_NONE, "{}"},
	[BH_ACTION_RESIZE_LEFT] = {"pane.resize", TARGET_PANE, "{\"direction\":\"left\"}"},
	[BH_ACTION_RESIZE_RIGHT] = {"pane.resize", TARGET_PANE, "{\"direction\":\"right\"}"},
	[BH_ACTION_RESIZE_UP] = {"pane.resize", TARGET_PANE, "{\"direction\":\"up\"}"},
	[BH_ACTION_RESIZE_DOWN] = {"pane.resize", TARGET_PANE, "{\"direction\":\"down\"}"},
	[BH_ACTION_RESIZE_LEFT_FAR] = {"pane.resize", TARGET_PANE,
                                       "{\"direction\":\"left\",\"cells\":5}"},
	[BH_ACTION_RESIZE_RIGHT_FAR] = {"pane.resize", TARGET_PANE,
                                        "{\"direction\":\"right\",\"cells\":5}"},
	[BH_ACTION_RESIZE_UP_FAR] = {"pane.resize", TARGET_PANE,
                                     "{\"direction\":\"up\",\"cells\":5}"},
	[BH_ACTION_RESIZE_DOWN_FAR] = {"pane.resize", TARGET_PANE,
                                       "{\"direction\":\"down\",\"cells\":5}"},
};

/** Add what the request is about. False when there is no such thing. */
static bool add_target(cJSON *params, const struct bh_model *model, enum action_target target,
                       uint32_t key)
{
	const struct bh_model_tab *tab = bh_model_active(model);
	const struct bh_model_pane *pane = bh_model_focus(model);

	switch (target) {
	case TARGET_PANE:
	case TARGET_RUN_BESIDE:
		return pane != NULL &&
		       cJSON_AddStringToObject(params, "name", pane->terminal_id) != NULL;
	case TARGET_TAB:
		return tab != NULL && cJSON_AddNumberToObject(params, "tab", tab->id) != NULL;
	case TARGET_DIGIT:
		return cJSON_AddNumberToObject(params, "index", key == '0' ? 10 : key - '0') !=
		       NULL;
	case TARGET_NONE:
	case TARGET_RUN:
		break;
	}
	return true;
}

/** The request that goes to the next agent that needs a person. */
static struct bh_action_request next_needing(const struct bh_model *model)
{
	struct bh_action_request request = {0};
	const struct bh_model_pane *focus = bh_model_focus(model);
	const struct bh_model_terminal *next =
		bh_model_next_needing(model, focus == NULL ? "" : focus->terminal_id);

	if (next != NULL) {
		// Of one without a pane this makes one; of another it is the way to it.
		request.method = "pane.show";
		request.params = cJSON_CreateObject();
		(void)cJSON_AddStringToObject(request.params, "name", next->id);
	}
	return request;
}

struct bh_action_request bh_action_request(const struct bh_model *model, enum bh_action action,
                                           uint32_t key, const cJSON *environ)
{
	struct bh_action_request request = {0};

	if (action == BH_ACTION_NEXT_NEEDING) {
		return next_needing(model);
	}
	if (action > BH_ACTION_LAST_REQUEST || requests[action].method == NULL) {
		return request;
	}
	request.method = requests[action].method;
	request.params = cJSON_Parse(requests[action].params);
	if (!add_target(request.params, model, requests[action].target, key)) {
		cJSON_Delete(request.params);
		return (struct bh_action_request){0};
	}
	if (environ != NULL && (requests[action].target == TARGET_RUN ||
	                        requests[action].target == TARGET_RUN_BESIDE)) {
		(void)cJSON_AddItemToObject(request.params, "environ",
		                            cJSON_Duplicate(environ, true));
	}
	return request;
}

struct bh_action_request bh_action_rename(int id, const char *name)
{
	struct bh_action_request request = {.method = "tab.rename", .params = cJSON_CreateObject()};

	(void)cJSON_AddNumberToObject(request.params, "tab", id);
	(void)cJSON_AddStringToObject(request.params, "name", name);
	return request;
}

static bool is_at_work(const struct bh_model_terminal *terminal)
{
	return terminal != NULL && bh_model_is_agent(terminal) &&
	       (strcmp(terminal->state, "working") == 0 ||
	        strcmp(terminal->state, "awaiting") == 0);
}

static bool question_pane(const struct bh_model *model, char *out, size_t size)
{
	const struct bh_model_pane *pane = bh_model_focus(model);
	const struct bh_model_terminal *terminal =
		pane == NULL ? NULL : bh_model_terminal(model, pane->terminal_id);

	if (terminal == NULL) {
		return false;
	}
	if (is_at_work(terminal)) {
		(void)snprintf(out, size, "%.40s is %s: end it all the same? (y/n)",
		               terminal->identity, terminal->state);
		return true;
	}
	(void)snprintf(out, size, "close this pane and end %.40s? (y/n)", terminal->identity);
	return false;
}

static bool question_tab(const struct bh_model *model, char *out, size_t size)
{
	const struct bh_model_tab *tab = bh_model_active(model);
	char name[42];
	int at_work = 0;

	if (tab == NULL) {
		return false;
	}
	for (size_t i = 0; i < tab->pane_count; i++) {
		at_work += is_at_work(bh_model_terminal(model, tab->panes[i].terminal_id));
	}
	bh_utf8_copy(name, sizeof(name), tab->name);
	if (tab->pane_count == 1) {
		(void)snprintf(out, size, "close tab %s and end its program%s? (y/n)", name,
		               at_work > 0 ? ", which is at work" : "");
	} else {
		(void)snprintf(out, size, "close tab %s and end its %zu programs%s? (y/n)", name,
		               tab->pane_count, at_work > 0 ? ", an agent at work among them" : "");
	}
	return at_work > 0;
}

bool bh_action_question(const struct bh_model *model, enum bh_action action, char *out, size_t size)
{
	out[0] = '\0';
	if (action == BH_ACTION_PANE_CLOSE) {
		return question_pane(model, out, size);
	}
	if (action == BH_ACTION_TAB_CLOSE) {
		return question_tab(model, out, size);
	}
	return false;
}
