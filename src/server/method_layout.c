#include "src/server/method_layout.h"

#include "src/server/layout_host.h"
#include "src/server/rpc.h"
#include "src/server/server.h"
#include "src/server/target.h"

#include <string.h>

// ---- what the methods share ----

struct bh_layout *bh_layout_of(const struct bh_request *request)
{
	return bh_layout_host_layout(bh_request_server(request)->layout);
}

static struct bh_layout_tab *fail_no_tab(struct bh_request *request)
{
	bh_request_fail(request, "not_found",
	                "there is no such tab; choose-tab and `layout.get` list them");
	return NULL;
}

struct bh_layout_tab *bh_layout_target_tab(struct bh_request *request)
{
	const struct bh_layout *layout = bh_layout_of(request);
	struct bh_layout_tab *tab = layout->active;
	int64_t id = 0;
	int64_t index = 0;

	if (!bh_request_number(request, "tab", 0, 1, INT32_MAX, &id) ||
	    !bh_request_number(request, "index", 0, 1, INT32_MAX, &index)) {
		return NULL;
	}
	if (id != 0) {
		tab = bh_layout_tab_get(layout, id);
	} else if (index != 0) {
		tab = bh_layout_tab_at(layout, index);
	}
	return tab != NULL ? tab : fail_no_tab(request);
}

static bool has_param(const struct bh_request *request, const char *name)
{
	return cJSON_HasObjectItem(bh_request_params(request), name);
}

bool bh_layout_target_pane(struct bh_request *request, const char *param,
                           struct bh_layout_target *target_out)
{
	const struct bh_layout *layout = bh_layout_of(request);
	const struct bh_terminal *terminal = NULL;
	const struct bh_uuid *id = NULL;

	if (has_param(request, param)) {
		terminal = bh_target_find_param(request, param);
		if (terminal == NULL) {
			return false;
		}
		id = &terminal->id;
		target_out->tab = bh_layout_pane_tab(layout, id);
	} else if (layout->active != NULL) {
		target_out->tab = layout->active;
		id = &layout->active->focus;
	}
	if (id == NULL) {
		bh_request_fail(request, "not_found",
		                "there is no pane; new-tab (`tab.new`) makes one");
		return false;
	}
	if (target_out->tab == NULL) {
		bh_request_fail(request, "not_found",
		                "%s has no pane; go-to (`pane.show`) gives it one",
		                terminal->identity);
		return false;
	}
	target_out->leaf = bh_layout_find(target_out->tab->root, id);
	return true;
}

bool bh_layout_read_direction(struct bh_request *request, const char *name,
                              enum bh_layout_direction *direction_out)
{
	static const char *const words[] = {
		[BH_LAYOUT_LEFT] = "left",
		[BH_LAYOUT_RIGHT] = "right",
		[BH_LAYOUT_UP] = "up",
		[BH_LAYOUT_DOWNWARD] = "down",
	};
	const char *word = NULL;

	if (!bh_request_optional_string(request, name, &word)) {
		return false;
	}
	if (word == NULL) {
		return true;
	}
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcmp(words[i], word) == 0) {
			*direction_out = (enum bh_layout_direction)i;
			return true;
		}
	}
	bh_request_fail(request, "params", "%s is left, right, up or down", name);
	return false;
}

bool bh_layout_read_flag(struct bh_request *request, const char *name, bool fallback,
                         bool *value_out)
{
	*value_out = fallback;
	return !has_param(request, name) || bh_request_flag(request, name, value_out);
}

void bh_layout_answer(struct bh_request *request, cJSON *result)
{
	struct bh_layout_host *host = bh_request_server(request)->layout;

	bh_layout_host_changed(host, request);
	cJSON_AddNumberToObject(result, "version", (double)bh_layout_of(request)->version);
	bh_request_answer(request, result);
}

void bh_layout_fail_room(struct bh_request *request)
{
	bh_request_fail(request, "no_room",
	                "there is no room: a pane needs its title line, two rows and two "
	                "columns; a tab has at most %d panes, and splits of splits at most %d deep",
	                BH_LAYOUT_PANES_MAX, BH_LAYOUT_DEPTH_MAX);
}

static cJSON *result_of_tab(const struct bh_layout_tab *tab)
{
	cJSON *result = cJSON_CreateObject();

	cJSON_AddNumberToObject(result, "tab", tab->id);
	return result;
}

// ---- the methods ----

void bh_method_layout_get(struct bh_request *request)
{
	bh_request_answer(request, bh_layout_host_view(bh_request_server(request)->layout));
}

void bh_method_layout_arrange(struct bh_request *request)
{
	const char *word = NULL;
	enum bh_layout_preset preset = BH_LAYOUT_EVEN_HORIZONTAL;
	struct bh_layout_tab *tab = NULL;

	if (!bh_request_optional_string(request, "preset", &word)) {
		return;
	}
	if (word != NULL && !bh_layout_preset_parse(word, &preset)) {
		bh_request_fail(request, "params",
		                "preset is even-horizontal, even-vertical, main-horizontal, "
		                "main-vertical or tiled");
		return;
	}
	tab = bh_layout_target_tab(request);
	if (tab == NULL) {
		return;
	}
	if (word == NULL) {
		preset = (enum bh_layout_preset)((tab->preset + 1) % BH_LAYOUT_PRESET_COUNT);
	}
	bh_layout_tab_arrange(bh_layout_of(request), tab, preset);
	cJSON *result = result_of_tab(tab);

	cJSON_AddStringToObject(result, "preset", bh_layout_preset_word(preset));
	bh_layout_answer(request, result);
}

// The tab that `which` says; NULL: there is none, or no such word.
static struct bh_layout_tab *tab_which(const struct bh_layout *layout, const char *which)
{
	if (layout->active == NULL) {
		return NULL;
	}
	if (strcmp(which, "last") == 0) {
		return layout->last;
	}
	if (strcmp(which, "next") != 0 && strcmp(which, "previous") != 0) {
		return NULL;
	}
	return bh_layout_tab_step(layout, layout->active, which[0] == 'n' ? 1 : -1);
}

void bh_method_tab_select(struct bh_request *request)
{
	struct bh_layout *layout = bh_layout_of(request);
	const char *which = NULL;
	struct bh_layout_tab *tab = NULL;

	if (!bh_request_optional_string(request, "which", &which)) {
		return;
	}
	if (which == NULL) {
		tab = bh_layout_target_tab(request);
	} else {
		tab = tab_which(layout, which);
		if (tab == NULL) {
			bh_request_fail(request, "not_found",
			                "there is no such tab; which is next, previous or last");
		}
	}
	if (tab != NULL) {
		bh_layout_tab_select(layout, tab);
		bh_layout_answer(request, result_of_tab(tab));
	}
}

void bh_method_tab_rename(struct bh_request *request)
{
	const char *name = bh_request_string(request, "name");
	struct bh_layout_tab *tab = name != NULL ? bh_layout_target_tab(request) : NULL;

	if (tab != NULL) {
		bh_layout_tab_rename(bh_layout_of(request), tab, name);
		bh_layout_answer(request, result_of_tab(tab));
	}
}

// Where a tab is @by places further on, round at the ends.
static int64_t index_by(const struct bh_layout *layout, const struct bh_layout_tab *tab, int64_t by)
{
	int64_t count = (int64_t)bh_layout_tab_count(layout);
	int64_t at = (bh_layout_tab_index(layout, tab) - 1 + by) % count;

	return (at < 0 ? at + count : at) + 1;
}

void bh_method_tab_move(struct bh_request *request)
{
	struct bh_layout *layout = bh_layout_of(request);
	struct bh_layout_tab *tab = layout->active;
	int64_t id = 0;
	int64_t index = 0;
	int64_t by = 0;

	if (!bh_request_number(request, "tab", 0, 1, INT32_MAX, &id) ||
	    !bh_request_number(request, "index", 0, 1, INT32_MAX, &index) ||
	    !bh_request_number(request, "by", 0, -BH_LAYOUT_TABS_MAX, BH_LAYOUT_TABS_MAX, &by)) {
		return;
	}
	if ((index == 0) == (by == 0)) {
		bh_request_fail(request, "params",
		                "index says where the tab goes, from 1, or by how many places it "
		                "goes on");
		return;
	}
	tab = id != 0 ? bh_layout_tab_get(layout, id) : tab;
	if (tab == NULL) {
		(void)fail_no_tab(request); // NULL, as we know
		return;
	}
	bh_layout_tab_move(layout, tab, index != 0 ? index : index_by(layout, tab, by));
	cJSON *result = result_of_tab(tab);

	cJSON_AddNumberToObject(result, "index", bh_layout_tab_index(layout, tab));
	bh_layout_answer(request, result);
}

void bh_method_tab_swap(struct bh_request *request)
{
	struct bh_layout *layout = bh_layout_of(request);
	struct bh_layout_tab *tab = layout->active;
	struct bh_layout_tab *with = NULL;
	int64_t id = 0;
	int64_t with_id = 0;

	if (!bh_request_number(request, "tab", 0, 1, INT32_MAX, &id) ||
	    !bh_request_number(request, "with", 0, 1, INT32_MAX, &with_id)) {
		return;
	}
	if (with_id == 0) {
		bh_request_fail(request, "params", "with names the tab to change places with");
		return;
	}
	tab = id != 0 ? bh_layout_tab_get(layout, id) : tab;
	with = bh_layout_tab_get(layout, with_id);
	if (tab == NULL || with == NULL) {
		(void)fail_no_tab(request); // NULL, as we know
		return;
	}
	bh_layout_tab_swap(layout, tab, with);
	cJSON *result = result_of_tab(tab);

	cJSON_AddNumberToObject(result, "index", bh_layout_tab_index(layout, tab));
	bh_layout_answer(request, result);
}
