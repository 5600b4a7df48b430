#include "src/server/layout_save.h"

#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/mem.h"

#include <string.h>

// What the file says of itself; another number is not read.
#define FORMAT 1

// ---- save ----

static void save_id(cJSON *object, const char *name, const struct bh_uuid *id)
{
	char text[BH_UUID_TEXT];

	if (!bh_uuid_is_none(id)) {
		cJSON_AddStringToObject(object, name, bh_uuid_format(id, text));
	}
}

static cJSON *save_node(const struct bh_layout_node *node)
{
	cJSON *saved = cJSON_CreateObject();

	cJSON_AddNumberToObject(saved, "cols", node->rect.cols);
	cJSON_AddNumberToObject(saved, "rows", node->rect.rows);
	if (node->parent != NULL) {
		cJSON_AddNumberToObject(saved, "share", node->share);
	}
	if (node->child == NULL) {
		save_id(saved, "terminal", &node->terminal);
		return saved;
	}
	cJSON_AddBoolToObject(saved, "across", node->axis == BH_LAYOUT_ACROSS);
	cJSON *panes = cJSON_AddArrayToObject(saved, "panes");

	for (const struct bh_layout_node *at = node->child; at != NULL; at = at->next) {
		cJSON_AddItemToArray(panes, save_node(at));
	}
	return saved;
}

static cJSON *save_tab(const struct bh_layout_tab *tab)
{
	cJSON *saved = cJSON_CreateObject();

	cJSON_AddNumberToObject(saved, "id", tab->id);
	if (tab->name != NULL) {
		cJSON_AddStringToObject(saved, "name", tab->name);
	}
	save_id(saved, "focus", &tab->focus);
	save_id(saved, "last_focus", &tab->last_focus);
	cJSON_AddBoolToObject(saved, "is_zoomed", tab->is_zoomed);
	cJSON_AddNumberToObject(saved, "preset", tab->preset);
	cJSON_AddItemToObject(saved, "root", save_node(tab->root));
	return saved;
}

cJSON *bh_layout_save(const struct bh_layout *layout)
{
	cJSON *saved = cJSON_CreateObject();
	cJSON *tabs = NULL;

	cJSON_AddNumberToObject(saved, "format", FORMAT);
	cJSON_AddNumberToObject(saved, "version", (double)layout->version);
	cJSON_AddNumberToObject(saved, "next_id", layout->next_id);
	cJSON_AddNumberToObject(saved, "cols", layout->cols);
	cJSON_AddNumberToObject(saved, "rows", layout->rows);
	cJSON_AddNumberToObject(saved, "active", layout->active != NULL ? layout->active->id : 0);
	cJSON_AddNumberToObject(saved, "last", layout->last != NULL ? layout->last->id : 0);
	tabs = cJSON_AddArrayToObject(saved, "tabs");
	bh_list_for (at, next, &layout->tabs) {
		cJSON_AddItemToArray(tabs,
		                     save_tab(bh_container_of(at, struct bh_layout_tab, link)));
	}
	return saved;
}

// ---- load ----

static int load_id(const cJSON *object, const char *name, struct bh_uuid *id_out,
                   struct bh_err *err)
{
	const char *text = NULL;
	int code = bh_json_opt_str(object, name, BH_UUID_TEXT, &text, err);

	if (code == 0 && text != NULL && !bh_uuid_parse(text, id_out)) {
		code = bh_err_set(err, BH_EINVALID, "%s is no id of a terminal", name);
	}
	return code;
}

static int load_int(const cJSON *object, const char *name, int min, int max, int *out,
                    struct bh_err *err)
{
	int64_t value = 0;
	int code = bh_json_get_int(object, name, min, max, &value, err);

	*out = code == 0 ? (int)value : *out;
	return code;
}

// What is loaded, and where a tree stands in it.
struct load {
	struct bh_layout *layout;
	size_t panes;
	struct bh_err *err;
};

static struct bh_layout_node *load_leaf(struct load *load, const cJSON *saved,
                                        struct bh_layout_rect rect)
{
	struct bh_uuid id = {0};

	if (load_id(saved, "terminal", &id, load->err) != 0) {
		return NULL;
	}
	load->panes++;
	if (bh_uuid_is_none(&id) || load->panes > BH_LAYOUT_PANES_MAX ||
	    bh_layout_pane_tab(load->layout, &id) != NULL) {
		(void)bh_err_set(
			load->err, BH_EINVALID,
			"a pane has no terminal, or one of another, or there are too many");
		return NULL;
	}
	return bh_layout_leaf_new(&id, rect);
}

static struct bh_layout_node *load_node(struct load *load, const cJSON *saved,
                                        const struct bh_layout_node *parent, int depth);

// Its share, if the file has it: those of earlier versions do not.
static bool load_share(struct load *load, const cJSON *saved, struct bh_layout_node *node)
{
	return !cJSON_HasObjectItem(saved, "share") ||
	       load_int(saved, "share", 1, BH_LAYOUT_SHARE_MAX, &node->share, load->err) == 0;
}

static struct bh_layout_node *load_row(struct load *load, const cJSON *saved,
                                       const struct bh_layout_node *parent,
                                       struct bh_layout_rect rect, int depth)
{
	bool is_across = false;
	const cJSON *panes = NULL;
	const cJSON *item = NULL;
	int code = bh_json_get_bool(saved, "across", &is_across, load->err);

	if (code == 0) {
		code = bh_json_get_array(saved, "panes", BH_LAYOUT_PANES_MAX, &panes, load->err);
	}
	if (code != 0) {
		return NULL;
	}
	enum bh_layout_axis axis = is_across ? BH_LAYOUT_ACROSS : BH_LAYOUT_DOWN;

	if (cJSON_GetArraySize(panes) < 2 || depth >= BH_LAYOUT_DEPTH_MAX ||
	    (parent != NULL && parent->axis == axis)) {
		(void)bh_err_set(load->err, BH_EINVALID, "panes are nested wrongly");
		return NULL;
	}
	struct bh_layout_node *row = bh_layout_node_new(axis, rect);

	cJSON_ArrayForEach(item, panes)
	{
		struct bh_layout_node *child = load_node(load, item, row, depth + 1);

		if (child == NULL) {
			bh_layout_tree_free(row);
			return NULL;
		}
		bh_layout_append(row, child);
		if (!load_share(load, item, child)) {
			bh_layout_tree_free(row);
			return NULL;
		}
	}
	return row;
}

static struct bh_layout_node *load_node(struct load *load, const cJSON *saved,
                                        const struct bh_layout_node *parent, int depth)
{
	struct bh_layout_rect rect = {0};
	int code = load_int(saved, "cols", 1, BH_LIMIT_SCREEN_MAX, &rect.cols, load->err);

	if (code == 0) {
		code = load_int(saved, "rows", 1, BH_LIMIT_SCREEN_MAX, &rect.rows, load->err);
	}
	if (code != 0) {
		return NULL;
	}
	return cJSON_HasObjectItem(saved, "panes") ? load_row(load, saved, parent, rect, depth)
	                                           : load_leaf(load, saved, rect);
}

// Whether a terminal stands in a tree twice.
static bool tree_has_twins(struct bh_layout_node *root)
{
	for (struct bh_layout_node *at = bh_layout_first(root); at != NULL;
	     at = bh_layout_after(at)) {
		if (bh_layout_find(root, &at->terminal) != at) {
			return true;
		}
	}
	return false;
}

static int load_tab_panes(struct load *load, const cJSON *saved, struct bh_layout_tab *tab)
{
	struct bh_layout *layout = load->layout;
	const cJSON *root = NULL;
	int code = bh_json_get_object(saved, "root", &root, load->err);

	if (code != 0) {
		return code;
	}
	load->panes = 0;
	tab->root = load_node(load, root, NULL, 0);
	if (tab->root == NULL) {
		return BH_EINVALID;
	}
	if (tree_has_twins(tab->root) || bh_layout_find(tab->root, &tab->focus) == NULL) {
		return bh_err_set(load->err, BH_EINVALID,
		                  "a terminal has two panes, or the focus is nowhere");
	}
	bh_layout_fit(tab->root,
	              (struct bh_layout_rect){.rows = layout->rows, .cols = layout->cols});
	return 0;
}

static int load_tab_fields(struct load *load, const cJSON *saved, struct bh_layout_tab *tab)
{
	const char *name = NULL;
	int code = load_int(saved, "id", 1, load->layout->next_id - 1, &tab->id, load->err);

	if (code == 0 && bh_layout_tab_get(load->layout, tab->id) != NULL) {
		code = bh_err_set(load->err, BH_EINVALID, "two tabs have one id");
	}
	if (code == 0) {
		code = bh_json_opt_str(saved, "name", BH_LAYOUT_NAME_MAX, &name, load->err);
	}
	tab->name = code == 0 ? bh_xstrdup(name) : NULL;
	if (code == 0) {
		code = load_id(saved, "focus", &tab->focus, load->err);
	}
	if (code == 0) {
		code = load_id(saved, "last_focus", &tab->last_focus, load->err);
	}
	if (code == 0) {
		code = bh_json_get_bool(saved, "is_zoomed", &tab->is_zoomed, load->err);
	}
	if (code == 0) {
		code = load_int(saved, "preset", -1, BH_LAYOUT_PRESET_COUNT - 1, &tab->preset,
		                load->err);
	}
	return code;
}

static int load_tab(struct load *load, const cJSON *saved)
{
	struct bh_layout_tab *tab = bh_xmalloc(sizeof *tab);
	int code = load_tab_fields(load, saved, tab);

	if (code == 0) {
		code = load_tab_panes(load, saved, tab);
	}
	// Also a spoilt one: it is freed with the layout.
	bh_list_append(&load->layout->tabs, &tab->link);
	return code;
}

static int load_layout(struct load *load, const cJSON *saved)
{
	struct bh_layout *layout = load->layout;
	int64_t version = 0;
	int format = 0;
	int code = load_int(saved, "format", FORMAT, FORMAT, &format, load->err);

	if (code == 0) {
		code = load_int(saved, "next_id", 1, INT32_MAX, &layout->next_id, load->err);
	}
	if (code == 0) {
		code = load_int(saved, "cols", 1, BH_LIMIT_SCREEN_MAX, &layout->cols, load->err);
	}
	if (code == 0) {
		code = load_int(saved, "rows", 1, BH_LIMIT_SCREEN_MAX, &layout->rows, load->err);
	}
	if (code == 0) {
		code = bh_json_get_int(saved, "version", 1, (int64_t)1 << 52, &version, load->err);
	}
	layout->version = (uint64_t)version;
	return code;
}

static int load_tabs(struct load *load, const cJSON *saved)
{
	struct bh_layout *layout = load->layout;
	const cJSON *tabs = NULL;
	const cJSON *item = NULL;
	int active = 0;
	int last = 0;
	int code = bh_json_get_array(saved, "tabs", BH_LAYOUT_TABS_MAX, &tabs, load->err);

	if (code != 0) {
		return code;
	}
	cJSON_ArrayForEach(item, tabs)
	{
		code = code == 0 ? load_tab(load, item) : code;
	}
	if (code == 0) {
		code = load_int(saved, "active", 0, INT32_MAX, &active, load->err);
	}
	if (code == 0) {
		code = load_int(saved, "last", 0, INT32_MAX, &last, load->err);
	}
	layout->active = bh_layout_tab_get(layout, active);
	layout->last = bh_layout_tab_get(layout, last);
	if (code == 0 && layout->active == NULL && !bh_list_is_empty(&layout->tabs)) {
		code = bh_err_set(load->err, BH_EINVALID, "no tab is in front");
	}
	return code;
}

struct bh_layout *bh_layout_load(const cJSON *saved, struct bh_err *err)
{
	struct load load = {.layout = bh_layout_new(), .err = err};
	int code = load_layout(&load, saved);

	if (code == 0) {
		code = load_tabs(&load, saved);
	}
	if (code != 0) {
		bh_layout_free(load.layout);
		return NULL;
	}
	return load.layout;
}

struct bh_layout *bh_layout_dup(const struct bh_layout *layout)
{
	cJSON *saved = bh_layout_save(layout);
	struct bh_layout *copy = bh_layout_load(saved, NULL);

	cJSON_Delete(saved);
	if (copy == NULL) {
		BH_BUG("a layout of our own cannot be loaded");
	}
	return copy;
}
