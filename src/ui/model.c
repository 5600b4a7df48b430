#include "src/ui/model.h"

#include "src/base/mem.h"
#include "src/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Most tabs, panes of a tab, and terminals that are taken from a layout. */
#define COUNT_MAX 4096
/** Most mailboxes of names without a terminal that are kept. */
#define MAILBOXES_MAX 1024
/** The profile of programs that are no agents. */
#define GENERIC "generic"

static void tabs_clear(struct bh_model *model)
{
	for (size_t i = 0; i < model->tab_count; i++) {
		free(model->tabs[i].panes);
	}
	free(model->tabs);
	model->tabs = NULL;
	model->tab_count = 0;
}

void bh_model_clear(struct bh_model *model)
{
	tabs_clear(model);
	free(model->terminals);
	free(model->mailboxes);
	memset(model, 0, sizeof(*model));
}

// -------------------------------------------------------------------------- fields of JSON

static const cJSON *field(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *field_str(const cJSON *object, const char *key)
{
	const cJSON *item = field(object, key);

	return cJSON_IsString(item) ? item->valuestring : "";
}

static int field_int(const cJSON *object, const char *key)
{
	const cJSON *item = field(object, key);

	return cJSON_IsNumber(item) ? item->valueint : 0;
}

static bool field_is_true(const cJSON *object, const char *key)
{
	return cJSON_IsTrue(field(object, key));
}

/** Copy a string field, "" when it is null; what is there stays when the field is not. */
static void copy_str(const cJSON *object, const char *key, char *out, size_t size)
{
	const cJSON *item = field(object, key);

	if (cJSON_IsString(item) || cJSON_IsNull(item)) {
		bh_utf8_copy(out, size, cJSON_IsString(item) ? item->valuestring : "");
	}
}

static size_t array_count(const cJSON *array)
{
	int count = cJSON_GetArraySize(array);

	return count < 0 ? 0 : count > COUNT_MAX ? COUNT_MAX : (size_t)count;
}

// --------------------------------------------------------------------------------- layout

static void pane_read(struct bh_model_pane *pane, const cJSON *object)
{
	copy_str(object, "terminal_id", pane->terminal_id, sizeof(pane->terminal_id));
	pane->row = field_int(object, "row");
	pane->col = field_int(object, "col");
	pane->rows = field_int(object, "rows");
	pane->cols = field_int(object, "cols");
	pane->is_visible = field_is_true(object, "is_visible");
	copy_str(object, "identity", pane->identity, sizeof(pane->identity));
}

static void tab_read(struct bh_model_tab *tab, const cJSON *object)
{
	const cJSON *panes = field(object, "panes");
	const cJSON *pane = NULL;
	size_t count = array_count(panes);

	tab->id = field_int(object, "id");
	tab->index = field_int(object, "index");
	copy_str(object, "name", tab->name, sizeof(tab->name));
	copy_str(object, "focus", tab->focus, sizeof(tab->focus));
	tab->is_active = field_is_true(object, "is_active");
	tab->is_last = field_is_true(object, "is_last");
	tab->is_zoomed = field_is_true(object, "is_zoomed");
	tab->panes = bh_xcalloc(count, sizeof(*tab->panes));
	cJSON_ArrayForEach(pane, panes)
	{
		if (tab->pane_count < count) {
			pane_read(&tab->panes[tab->pane_count++], pane);
		}
	}
}

/** Who is seen now is not "done while nobody looked". */
static void mark_seen(struct bh_model *model)
{
	for (size_t i = 0; i < model->terminal_count; i++) {
		if (bh_model_is_seen(model, model->terminals[i].id)) {
			model->terminals[i].is_done_unseen = false;
		}
	}
}

/** The number of the UI that was used last. */
static int latest_client(const cJSON *clients)
{
	const cJSON *client = NULL;

	cJSON_ArrayForEach(client, clients)
	{
		if (field_is_true(client, "is_latest")) {
			return field_int(client, "client");
		}
	}
	return 0;
}

void bh_model_take_layout(struct bh_model *model, const cJSON *layout)
{
	const cJSON *version = field(layout, "version");
	const cJSON *area = field(layout, "area");
	const cJSON *tabs = field(layout, "tabs");
	const cJSON *tab = NULL;
	size_t count = array_count(tabs);

	if (!cJSON_IsArray(tabs)) {
		return;
	}
	tabs_clear(model);
	model->version = cJSON_IsNumber(version) && version->valuedouble > 0
	                         ? (uint64_t)version->valuedouble
	                         : 0;
	model->area_cols = field_int(area, "cols");
	model->area_rows = field_int(area, "rows");
	model->latest_client = latest_client(field(layout, "clients"));
	model->tabs = bh_xcalloc(count, sizeof(*model->tabs));
	cJSON_ArrayForEach(tab, tabs)
	{
		if (model->tab_count < count) {
			tab_read(&model->tabs[model->tab_count++], tab);
		}
	}
	mark_seen(model);
}

// ------------------------------------------------------------------------------ terminals

static struct bh_model_terminal *terminal_find(struct bh_model *model, const char *id)
{
	for (size_t i = 0; id[0] != '\0' && i < model->terminal_count; i++) {
		if (strcmp(model->terminals[i].id, id) == 0) {
			return &model->terminals[i];
		}
	}
	return NULL;
}

static struct bh_model_terminal *terminal_add(struct bh_model *model, const char *id)
{
	struct bh_model_terminal *terminal = NULL;

	model->terminals =
		bh_xrealloc(model->terminals, model->terminal_count + 1, sizeof(*model->terminals));
	terminal = &model->terminals[model->terminal_count++];
	*terminal = (struct bh_model_terminal){0};
	(void)snprintf(terminal->id, sizeof(terminal->id), "%s", id);
	return terminal;
}

static void terminal_remove(struct bh_model *model, const char *id)
{
	struct bh_model_terminal *terminal = terminal_find(model, id);

	if (terminal != NULL) {
		size_t after = model->terminal_count - (size_t)(terminal - model->terminals) - 1;

		memmove(terminal, terminal + 1, after * sizeof(*terminal));
		model->terminal_count--;
	}
}

/** Whether the change from @before to what the terminal is now is the end of a turn. */
static bool is_end_of_turn(const struct bh_model_terminal *terminal, const char *before)
{
	return (strcmp(before, "working") == 0 || strcmp(before, "awaiting") == 0) &&
	       (strcmp(terminal->state, "idle") == 0 || strcmp(terminal->state, "completed") == 0);
}

/**
 * What a terminal object and terminal.state have in common.
 *
 * @return Whether it now wants a person, as it did not before.
 */
static bool take_state(struct bh_model *model, struct bh_model_terminal *terminal,
                       const cJSON *params, uint64_t now_ms)
{
	char before[BH_MODEL_WORD];
	bool is_seen = bh_model_is_seen(model, terminal->id);

	terminal->news = ++model->news;
	memcpy(before, terminal->state, sizeof(before));
	copy_str(params, "identity", terminal->identity, sizeof(terminal->identity));
	copy_str(params, "watched", terminal->watched, sizeof(terminal->watched));
	copy_str(params, "state", terminal->state, sizeof(terminal->state));
	copy_str(params, "last_turn", terminal->last_turn, sizeof(terminal->last_turn));
	copy_str(params, "composer", terminal->composer, sizeof(terminal->composer));
	copy_str(params, "reason", terminal->reason, sizeof(terminal->reason));
	if (strcmp(before, terminal->state) == 0) {
		return false;
	}
	terminal->state_at_ms = now_ms;
	terminal->is_done_unseen = is_end_of_turn(terminal, before) && !is_seen;
	return bh_model_is_agent(terminal) && !is_seen && before[0] != '\0' &&
	       bh_model_urgency(terminal) >= 2;
}

/** Add or update from a terminal object; one that has ended is none of ours. */
static void take_terminal(struct bh_model *model, const cJSON *object, uint64_t now_ms)
{
	const char *id = field_str(object, "terminal_id");
	struct bh_model_terminal *terminal = terminal_find(model, id);

	if (id[0] == '\0' || strcmp(field_str(object, "state"), "exited") == 0) {
		return;
	}
	if (terminal == NULL) {
		terminal = terminal_add(model, id);
	}
	copy_str(object, "profile", terminal->profile, sizeof(terminal->profile));
	copy_str(object, "program", terminal->program, sizeof(terminal->program));
	copy_str(object, "title", terminal->title, sizeof(terminal->title));
	terminal->unread = field_int(object, "unread");
	terminal->is_parked = field_is_true(object, "parked");
	(void)take_state(model, terminal, object, now_ms);
}

/** Mail of a name that has no terminal, or that has one now (then @unread is 0 here). */
static void take_mailbox(struct bh_model *model, const char *name, int unread)
{
	struct bh_model_mailbox *mailbox = NULL;

	for (size_t i = 0; i < model->mailbox_count; i++) {
		if (strcmp(model->mailboxes[i].name, name) == 0) {
			model->mailboxes[i].unread = unread;
			return;
		}
	}
	if (unread == 0 || name[0] == '\0' || model->mailbox_count == MAILBOXES_MAX) {
		return;
	}
	model->mailboxes =
		bh_xrealloc(model->mailboxes, model->mailbox_count + 1, sizeof(*model->mailboxes));
	mailbox = &model->mailboxes[model->mailbox_count++];
	*mailbox = (struct bh_model_mailbox){.unread = unread};
	bh_utf8_copy(mailbox->name, sizeof(mailbox->name), name);
}

/** @return Whether its notices are used up now, as they were not before, and nobody sees it. */
static bool take_mail(struct bh_model *model, const cJSON *params)
{
	struct bh_model_terminal *terminal = terminal_find(model, field_str(params, "terminal_id"));
	bool was_parked = terminal != NULL && terminal->is_parked;

	take_mailbox(model, field_str(params, "identity"),
	             terminal == NULL ? field_int(params, "unread") : 0);
	if (terminal == NULL) {
		return false;
	}
	terminal->news = ++model->news;
	terminal->unread = field_int(params, "unread");
	terminal->queued = field_int(params, "queued");
	terminal->is_parked = field_is_true(params, "parked");
	copy_str(params, "reason", terminal->mail_reason, sizeof(terminal->mail_reason));
	return terminal->is_parked && !was_parked && !bh_model_is_seen(model, terminal->id);
}

void bh_model_begin(struct bh_model *model, const cJSON *state, uint64_t now_ms)
{
	const cJSON *item = NULL;
	uint64_t news = model->news;

	bh_model_clear(model);
	model->news = news;
	cJSON_ArrayForEach(item, field(state, "terminals"))
	{
		if (model->terminal_count < COUNT_MAX) {
			take_terminal(model, item, now_ms);
		}
	}
	cJSON_ArrayForEach(item, field(state, "mail"))
	{
		(void)take_mail(model, item); // what was so before is no news
	}
	bh_model_take_layout(model, field(state, "layout"));
}

// -------------------------------------------------------------------------- notifications

static unsigned on_layout(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	(void)now_ms;
	bh_model_take_layout(model, params);
	return BH_MODEL_LAYOUT;
}

static unsigned on_resync(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	bh_model_begin(model, params, now_ms);
	return BH_MODEL_LAYOUT | BH_MODEL_TERMINALS;
}

static unsigned on_started(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	take_terminal(model, field(params, "terminal"), now_ms);
	return BH_MODEL_TERMINALS;
}

static unsigned on_state(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	struct bh_model_terminal *terminal = terminal_find(model, field_str(params, "terminal_id"));

	if (terminal == NULL) {
		return BH_MODEL_NOTHING;
	}
	if (!take_state(model, terminal, params, now_ms)) {
		return BH_MODEL_TERMINALS;
	}
	memcpy(model->attention, terminal->id, sizeof(model->attention));
	return BH_MODEL_TERMINALS | BH_MODEL_ATTENTION;
}

static unsigned on_title(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	struct bh_model_terminal *terminal = terminal_find(model, field_str(params, "terminal_id"));

	(void)now_ms;
	if (terminal == NULL) {
		return BH_MODEL_NOTHING;
	}
	terminal->news = ++model->news;
	copy_str(params, "title", terminal->title, sizeof(terminal->title));
	return BH_MODEL_TERMINALS;
}

static unsigned on_note(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	struct bh_model_terminal *terminal = terminal_find(model, field_str(params, "terminal_id"));

	(void)now_ms;
	if (terminal == NULL) {
		return BH_MODEL_NOTHING;
	}
	terminal->news = ++model->news;
	copy_str(params, "text", terminal->note, sizeof(terminal->note));
	return BH_MODEL_TERMINALS;
}

static unsigned on_gone(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	(void)now_ms;
	terminal_remove(model, field_str(params, "terminal_id"));
	return BH_MODEL_TERMINALS;
}

static unsigned on_mail(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	(void)now_ms;
	if (!take_mail(model, params)) {
		return BH_MODEL_TERMINALS;
	}
	bh_utf8_copy(model->attention, sizeof(model->attention), field_str(params, "terminal_id"));
	return BH_MODEL_TERMINALS | BH_MODEL_ATTENTION;
}

static unsigned on_notice(struct bh_model *model, const cJSON *params, uint64_t now_ms)
{
	(void)now_ms;
	copy_str(params, "text", model->notice, sizeof(model->notice));
	return BH_MODEL_NOTICE;
}

static const struct {
	const char *method;
	unsigned (*take)(struct bh_model *model, const cJSON *params, uint64_t now_ms);
} notifications[] = {
	{"layout.changed", on_layout},    {"events.resync", on_resync},
	{"terminal.started", on_started}, {"terminal.state", on_state},
	{"terminal.title", on_title},     {"terminal.note", on_note},
	{"terminal.exited", on_gone},     {"terminal.forgotten", on_gone},
	{"mail.changed", on_mail},        {"session.notice", on_notice},
};

unsigned bh_model_take(struct bh_model *model, const char *method, const cJSON *params,
                       uint64_t now_ms)
{
	for (size_t i = 0; i < sizeof(notifications) / sizeof(notifications[0]); i++) {
		if (strcmp(notifications[i].method, method) == 0) {
			return notifications[i].take(model, params, now_ms);
		}
	}
	return BH_MODEL_NOTHING;
}

// ------------------------------------------------------------------------------- questions

const struct bh_model_tab *bh_model_active(const struct bh_model *model)
{
	for (size_t i = 0; i < model->tab_count; i++) {
		if (model->tabs[i].is_active) {
			return &model->tabs[i];
		}
	}
	return NULL;
}

const struct bh_model_pane *bh_model_pane_of(const struct bh_model_tab *tab, const char *id)
{
	for (size_t i = 0; tab != NULL && i < tab->pane_count; i++) {
		if (strcmp(tab->panes[i].terminal_id, id) == 0) {
			return &tab->panes[i];
		}
	}
	return NULL;
}

const struct bh_model_pane *bh_model_focus(const struct bh_model *model)
{
	const struct bh_model_tab *tab = bh_model_active(model);

	return tab == NULL ? NULL : bh_model_pane_of(tab, tab->focus);
}

const struct bh_model_terminal *bh_model_terminal(const struct bh_model *model, const char *id)
{
	for (size_t i = 0; i < model->terminal_count; i++) {
		if (strcmp(model->terminals[i].id, id) == 0) {
			return &model->terminals[i];
		}
	}
	return NULL;
}

const struct bh_model_tab *bh_model_tab_of(const struct bh_model *model, const char *id)
{
	for (size_t i = 0; i < model->tab_count; i++) {
		if (bh_model_pane_of(&model->tabs[i], id) != NULL) {
			return &model->tabs[i];
		}
	}
	return NULL;
}

bool bh_model_is_seen(const struct bh_model *model, const char *id)
{
	const struct bh_model_pane *pane = bh_model_pane_of(bh_model_active(model), id);

	return pane != NULL && pane->is_visible;
}

int bh_model_unread_of(const struct bh_model *model, const char *name)
{
	for (size_t i = 0; i < model->mailbox_count; i++) {
		if (strcmp(model->mailboxes[i].name, name) == 0) {
			return model->mailboxes[i].unread;
		}
	}
	return 0;
}

bool bh_model_is_agent(const struct bh_model_terminal *terminal)
{
	return terminal->watched[0] != '\0' ||
	       (terminal->profile[0] != '\0' && strcmp(terminal->profile, GENERIC) != 0);
}

int bh_model_urgency(const struct bh_model_terminal *terminal)
{
	if (strcmp(terminal->state, "awaiting") == 0) {
		return 3;
	}
	if (terminal->is_done_unseen) {
		return 2;
	}
	return strcmp(terminal->state, "working") == 0 ? 1 : 0;
}

const struct bh_model_terminal *bh_model_next_needing(const struct bh_model *model,
                                                      const char *after)
{
	const struct bh_model_terminal *best = NULL;
	size_t start = 0;

	for (size_t i = 0; i < model->terminal_count; i++) {
		if (strcmp(model->terminals[i].id, after) == 0) {
			start = i + 1;
		}
	}
	for (size_t i = 0; i < model->terminal_count; i++) {
		const struct bh_model_terminal *at =
			&model->terminals[(start + i) % model->terminal_count];
		int urgency = bh_model_is_agent(at) ? bh_model_urgency(at) : 0;

		if (urgency >= 2 && (best == NULL || urgency > bh_model_urgency(best))) {
			best = at;
		}
	}
	return best;
}
