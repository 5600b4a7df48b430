#include "src/server/layout_host.h"

#include "src/base/file.h"
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/events.h"
#include "src/server/keeper_link.h"
#include "src/server/layout_save.h"
#include "src/server/rpc.h"
#include "src/server/server.h"
#include "src/server/settings.h"
#include "src/server/terminals.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// Longest layout.json that is read (bytes).
#define FILE_MAX (4 << 20)
// What lies around the panes of a tab in it: the file, the layout, its tabs, the tab, the first node.
// Each split of a split is an array and a node in it.
_Static_assert(5 + 2 * BH_LAYOUT_DEPTH_MAX <= BH_LIMIT_JSON_DEPTH,
               "a layout could not be read back");

struct bh_layout_host {
	struct bh_server *server;
	struct bh_layout *layout;
	struct bh_layout_clients clients;
	char *path;
	// Runs while somebody is to be told of a change.
	uv_idle_t told;
	// Runs while a terminal is to get the size of its pane later.
	uv_timer_t fit;
	// Runs while a program that was asked to end still lives.
	uv_timer_t kill;
	struct bh_list ending;
	// It could not be saved; people were told.
	bool is_unsaved;
	// The version that listeners know.
	uint64_t told_version;
	int handles;
};

// A program that was asked to end.
struct ending {
	struct bh_list link;
	struct bh_uuid terminal;
	uint64_t kill_ms;
};

static struct bh_layout_tab *tab_of(struct bh_list *link)
{
	return bh_container_of(link, struct bh_layout_tab, link);
}

struct bh_layout *bh_layout_host_layout(const struct bh_layout_host *host)
{
	return host->layout;
}

struct bh_layout_clients *bh_layout_host_clients(struct bh_layout_host *host)
{
	return &host->clients;
}

// ---- view ----

static const char *identity_of(const struct bh_layout_host *host, const struct bh_uuid *id)
{
	const struct bh_terminal *terminal = bh_terminals_get(host->server->terminals, id);

	return terminal != NULL ? terminal->identity : "";
}

static cJSON *pane_view(const struct bh_layout_host *host, const struct bh_layout_tab *tab,
                        const struct bh_layout_node *leaf)
{
	struct bh_layout_rect rect = bh_layout_pane_rect(host->layout, tab, leaf);
	char id[BH_UUID_TEXT];
	cJSON *view = cJSON_CreateObject();

	cJSON_AddStringToObject(view, "terminal_id", bh_uuid_format(&leaf->terminal, id));
	cJSON_AddStringToObject(view, "identity", identity_of(host, &leaf->terminal));
	cJSON_AddNumberToObject(view, "row", rect.row + 1);
	cJSON_AddNumberToObject(view, "col", rect.col);
	cJSON_AddNumberToObject(view, "rows", rect.rows - 1);
	cJSON_AddNumberToObject(view, "cols", rect.cols);
	cJSON_AddBoolToObject(view, "is_visible", bh_layout_pane_is_visible(tab, leaf));
	return view;
}

static cJSON *tab_view(const struct bh_layout_host *host, const struct bh_layout_tab *tab,
                       int index)
{
	const char *identity = identity_of(host, &tab->focus);
	const char *automatic = identity[0] != '\0' ? identity : "?";
	char focus[BH_UUID_TEXT];
	cJSON *view = cJSON_CreateObject();
	cJSON *panes = NULL;

	cJSON_AddNumberToObject(view, "id", tab->id);
	cJSON_AddNumberToObject(view, "index", index);
	cJSON_AddStringToObject(view, "name", tab->name != NULL ? tab->name : automatic);
	cJSON_AddBoolToObject(view, "is_named", tab->name != NULL);
	cJSON_AddBoolToObject(view, "is_active", tab == host->layout->active);
	cJSON_AddBoolToObject(view, "is_last", tab == host->layout->last);
	cJSON_AddBoolToObject(view, "is_zoomed", tab->is_zoomed);
	cJSON_AddStringToObject(view, "focus", bh_uuid_format(&tab->focus, focus));
	panes = cJSON_AddArrayToObject(view, "panes");
	for (struct bh_layout_node *at = bh_layout_first(tab->root); at != NULL;
	     at = bh_layout_after(at)) {
		cJSON_AddItemToArray(panes, pane_view(host, tab, at));
	}
	return view;
}

cJSON *bh_layout_host_view(struct bh_layout_host *host)
{
	cJSON *view = cJSON_CreateObject();
	int index = 1;

	if (host == NULL) {
		return view;
	}
	cJSON *area = cJSON_AddObjectToObject(view, "area");

	cJSON_AddNumberToObject(view, "version", (double)host->layout->version);
	cJSON_AddNumberToObject(area, "cols", host->layout->cols);
	cJSON_AddNumberToObject(area, "rows", host->layout->rows);
	cJSON_AddItemToObject(view, "policy", bh_layout_clients_policy_view(&host->clients));
	cJSON_AddItemToObject(view, "clients", bh_layout_clients_view(&host->clients));
	cJSON *tabs = cJSON_AddArrayToObject(view, "tabs");

	bh_list_for (at, next, &host->layout->tabs) {
		cJSON_AddItemToArray(tabs, tab_view(host, tab_of(at), index++));
	}
	return view;
}

// ---- file ----

static void host_save(struct bh_layout_host *host)
{
	cJSON *saved = cJSON_CreateObject();
	struct bh_err err = {0};
	char *text = NULL;

	cJSON_AddItemToObject(saved, "policy", bh_layout_clients_policy_view(&host->clients));
	cJSON_AddItemToObject(saved, "layout", bh_layout_save(host->layout));
	text = bh_json_print(saved);
	cJSON_Delete(saved);
	int code = bh_file_replace(host->path, bh_span_of(text), 0600, BH_FILE_ATOMIC, &err);

	if (code != 0 && !host->is_unsaved) {
		bh_log(BH_LOG_WARN, "layout", "", "not saved: %s", err.text);
		bh_events_notice(host->server, "tabs and panes cannot be saved, a restart would "
		                               "lose them; the log says why");
	}
	host->is_unsaved = code != 0;
	free(text);
}

static void load_policy(struct bh_layout_clients *clients, const cJSON *saved)
{
	const cJSON *policy = NULL;
	const char *word = NULL;
	int64_t cols = 0;
	int64_t rows = 0;
	enum bh_size_policy kind = BH_SIZE_LATEST;

	if (bh_json_get_object(saved, "policy", &policy, NULL) != 0 ||
	    bh_json_get_str(policy, "policy", BH_LIMIT_NAME, &word, NULL) != 0 ||
	    !bh_size_policy_parse(word, &kind)) {
		return;
	}
	if (kind == BH_SIZE_FIXED &&
	    (bh_json_get_int(policy, "cols", 1, BH_LIMIT_SCREEN_MAX, &cols, NULL) != 0 ||
	     bh_json_get_int(policy, "rows", 1, BH_LIMIT_SCREEN_MAX, &rows, NULL) != 0)) {
		return;
	}
	clients->policy = kind;
	clients->fixed_cols = (int)cols;
	clients->fixed_rows = (int)rows;
}

static struct bh_layout *host_load(struct bh_layout_host *host, struct bh_err *err)
{
	struct bh_buf text = {0};
	const cJSON *saved = NULL;
	struct bh_layout *layout = NULL;
	cJSON *file = NULL;

	if (bh_file_read(host->path, FILE_MAX, &text, err) == 0) {
		file = bh_json_parse_object(text.data, text.len, err);
	}
	bh_buf_clear(&text);
	if (file != NULL && bh_json_get_object(file, "layout", &saved, err) == 0) {
		layout = bh_layout_load(saved, err);
	}
	// A session that begins anew begins as the user's settings say.
	if (layout != NULL && !bh_list_is_empty(&layout->tabs)) {
		load_policy(&host->clients, file);
	}
	cJSON_Delete(file);
	return layout;
}

// ---- telling ----

static void host_tell(struct bh_layout_host *host)
{
	(void)uv_idle_stop(&host->told); // never fails
	host->told_version = host->layout->version;
	if (bh_events_is_heard(host->server->listeners)) {
		bh_events_tell(host->server->listeners, "layout.changed",
		               bh_layout_host_view(host));
	}
	host_save(host);
}

static void on_told(uv_idle_t *idle)
{
	host_tell(bh_container_of(idle, struct bh_layout_host, told));
}

static void on_fit(uv_timer_t *timer);

// Whether the last size is so new that the program may not have seen it. One that misses a size between
// two equal ones draws nothing anew, and what was cut off in between is lost.
static bool fit_is_early(const struct bh_layout_host *host, const struct bh_terminal *terminal,
                         uint64_t *due_ms_out)
{
	*due_ms_out = terminal->resized_ms + BH_LAYOUT_RESIZE_MS;
	return terminal->resized_ms > 0 && bh_server_now_ms(host->server) < *due_ms_out;
}

// The size of a pane to the terminal in it, now or soon; one that has it already does nothing.
static void pane_fit(struct bh_layout_host *host, const struct bh_layout_tab *tab,
                     const struct bh_layout_node *leaf)
{
	struct bh_layout_rect rect = bh_layout_pane_rect(host->layout, tab, leaf);
	struct bh_terminal *terminal = bh_terminals_get(host->server->terminals, &leaf->terminal);
	uint64_t due_ms = 0;

	if (terminal == NULL) {
		return;
	}
	if (!fit_is_early(host, terminal, &due_ms)) {
		(void)bh_terminal_resize(terminal, rect.cols,
		                         rect.rows - 1); // may wait for a typing
	} else if (!uv_is_active((uv_handle_t *)&host->fit)) {
		(void)uv_timer_start(&host->fit, on_fit, due_ms - bh_server_now_ms(host->server),
		                     0); // fails only while closing
	}
}

static void host_fit(struct bh_layout_host *host)
{
	bh_list_for (tab, next, &host->layout->tabs) {
		for (struct bh_layout_node *at = bh_layout_first(tab_of(tab)->root); at != NULL;
		     at = bh_layout_after(at)) {
			pane_fit(host, tab_of(tab), at);
		}
	}
}

static void on_fit(uv_timer_t *timer)
{
	host_fit(bh_container_of(timer, struct bh_layout_host, fit));
}

void bh_layout_host_fit(struct bh_layout_host *host, struct bh_terminal *terminal)
{
	const struct bh_layout_tab *tab =
		host != NULL ? bh_layout_pane_tab(host->layout, &terminal->id) : NULL;

	if (tab != NULL) {
		pane_fit(host, tab, bh_layout_find(tab->root, &terminal->id));
	}
}

static void host_update(struct bh_layout_host *host)
{
	int cols = 0;
	int rows = 0;

	if (bh_layout_clients_area(&host->clients, &cols, &rows)) {
		(void)bh_layout_set_area(host->layout, cols, rows); // told below in any case
	}
	// Clients, policy and names are in the layout object too.
	host->layout->version += host->layout->version == host->told_version ? 1 : 0;
	host_fit(host);
	(void)uv_idle_start(&host->told, on_told); // never fails with a callback
}

void bh_layout_host_changed(struct bh_layout_host *host, const struct bh_request *request)
{
	struct bh_connection *connection = request != NULL ? bh_request_connection(request) : NULL;
	struct bh_layout_client *client =
		connection != NULL ? bh_layout_clients_find(&host->clients, connection) : NULL;

	if (client != NULL) {
		(void)bh_layout_clients_use(client); // the area is looked at below
	}
	host_update(host);
}

static void on_clients_changed(struct bh_layout_clients *clients)
{
	struct bh_layout_host *host = bh_container_of(clients, struct bh_layout_host, clients);

	host_update(host);
}

bool bh_layout_host_room(const struct bh_layout_host *host, const struct bh_layout_place *place,
                         int *cols_out, int *rows_out)
{
	struct bh_layout *trial = bh_layout_dup(host->layout);
	struct bh_uuid id = bh_uuid_new();
	struct bh_layout_tab *tab = bh_layout_pane_add(trial, &id, place);

	if (tab != NULL) {
		struct bh_layout_rect rect = bh_layout_find(tab->root, &id)->rect;

		*cols_out = rect.cols;
		*rows_out = rect.rows - 1;
	}
	bh_layout_free(trial);
	return tab != NULL;
}

// ---- programs that were asked to end ----

static void on_kill(uv_timer_t *timer);

static void kill_schedule(struct bh_layout_host *host)
{
	uint64_t now_ms = bh_server_now_ms(host->server);

	if (!bh_list_is_empty(&host->ending)) {
		const struct ending *first =
			bh_container_of(host->ending.next, struct ending, link);

		// The analyser does not see that what was freed is out of the list.
		// NOLINTNEXTLINE(clang-analyzer-unix.Malloc)
		uint64_t kill_ms = first->kill_ms;

		(void)uv_timer_start(&host->kill, on_kill, kill_ms > now_ms ? kill_ms - now_ms : 0,
		                     0); // fails only while closing
	} else {
		(void)uv_timer_stop(&host->kill); // never fails
	}
}

static void ending_free(struct ending *ending)
{
	bh_list_remove(&ending->link);
	free(ending);
}

// Forget that @terminal was asked to end.
static void ending_forget(struct bh_layout_host *host, const struct bh_uuid *terminal)
{
	bh_list_for (at, next, &host->ending) {
		struct ending *ending = bh_container_of(at, struct ending, link);

		if (bh_uuid_is_equal(&ending->terminal, terminal)) {
			ending_free(ending);
		}
	}
	kill_schedule(host);
}

static void on_kill(uv_timer_t *timer)
{
	struct bh_layout_host *host = bh_container_of(timer, struct bh_layout_host, kill);
	uint64_t now_ms = bh_server_now_ms(host->server);

	bh_list_for (at, next, &host->ending) {
		struct ending *ending = bh_container_of(at, struct ending, link);

		if (ending->kill_ms <= now_ms) {
			(void)bh_keeper_link_signal(
				host->server->keeper, &ending->terminal, SIGKILL,
				BH_WIRE_TARGET_SESSION); // a keeper that is gone ends us all
			ending_free(ending);
		}
	}
	kill_schedule(host);
}

void bh_layout_host_end(struct bh_layout_host *host, struct bh_terminal *terminal)
{
	if (terminal->phase == BH_TERMINAL_EXITED) {
		bh_terminals_forget(host->server->terminals, terminal);
		return;
	}
	struct ending *ending = bh_xmalloc(sizeof *ending);

	terminal->setup.respawn = BH_RESPAWN_NEVER;
	ending->terminal = terminal->id;
	ending->kill_ms = bh_server_now_ms(host->server) + BH_LAYOUT_KILL_MS;
	bh_list_append(&host->ending, &ending->link);
	(void)bh_keeper_link_signal(host->server->keeper, &terminal->id, SIGHUP,
	                            BH_WIRE_TARGET_SESSION); // the timer tries again
	kill_schedule(host);
}

// ---- terminals ----

// Whether another terminal of its line is due or being started, so that its pane must wait.
static bool has_successor(struct bh_layout_host *host, const struct bh_terminal *terminal)
{
	if (terminal->respawn_at != 0) {
		return true;
	}
	bh_list_for (at, next, bh_terminals_all(host->server->terminals)) {
		const struct bh_terminal *other = bh_container_of(at, struct bh_terminal, link);

		if (other->phase == BH_TERMINAL_SPAWNING &&
		    strcmp(other->line, terminal->line) == 0) {
			return true;
		}
	}
	return false;
}

// Whether a pane still has somebody to show, now that @leaving (NULL: nobody) leaves.
static bool pane_is_good(struct bh_layout_host *host, const struct bh_layout_node *leaf,
                         const struct bh_terminal *leaving)
{
	const struct bh_terminal *terminal =
		bh_terminals_get(host->server->terminals, &leaf->terminal);

	return terminal != NULL && terminal != leaving &&
	       (terminal->phase != BH_TERMINAL_EXITED || has_successor(host, terminal));
}

// Take out panes without anybody to show. True: there were some.
static bool host_sweep(struct bh_layout_host *host, const struct bh_terminal *leaving)
{
	bool is_changed = false;

	bh_list_for (tab, next, &host->layout->tabs) {
		struct bh_layout_node *leaf = bh_layout_first(tab_of(tab)->root);

		while (leaf != NULL) {
			struct bh_layout_node *after = bh_layout_after(leaf);

			if (!pane_is_good(host, leaf, leaving)) {
				struct bh_uuid id = leaf->terminal;

				bh_layout_pane_remove(host->layout, &id);
				is_changed = true;
			}
			leaf = after;
		}
	}
	return is_changed;
}

void bh_layout_host_settle(struct bh_layout_host *host)
{
	if (host_sweep(host, NULL)) {
		host_update(host);
	}
}

void bh_layout_host_ended(struct bh_layout_host *host, const struct bh_terminal *terminal,
                          bool is_leaving)
{
	if (host == NULL) {
		return;
	}
	ending_forget(host, &terminal->id);
	if (host_sweep(host, is_leaving ? terminal : NULL)) {
		host_update(host);
	}
}

void bh_layout_host_started(struct bh_layout_host *host, struct bh_terminal *terminal)
{
	if (host == NULL) {
		return;
	}
	bh_list_for (at, next, bh_terminals_all(host->server->terminals)) {
		const struct bh_terminal *before = bh_container_of(at, struct bh_terminal, link);

		if (before != terminal && before->phase == BH_TERMINAL_EXITED &&
		    strcmp(before->line, terminal->line) == 0 &&
		    bh_layout_pane_tab(host->layout, &before->id) != NULL &&
		    bh_layout_pane_tab(host->layout, &terminal->id) == NULL) {
			bh_layout_pane_succeed(host->layout, &before->id, &terminal->id);
		}
	}
	if (bh_layout_pane_tab(host->layout, &terminal->id) != NULL) {
		host_update(host);
	}
}

// ---- life ----

struct bh_layout_host *bh_layout_host_new(struct bh_server *server)
{
	struct bh_layout_host *host = bh_xmalloc(sizeof *host);
	struct bh_err err = {0};

	host->server = server;
	host->path = bh_xasprintf("%s/layout.json", server->paths.state_dir);
	host->handles = 3;
	bh_list_init(&host->ending);
	bh_layout_clients_init(&host->clients, on_clients_changed);
	bh_settings_size_policy(server, &host->clients);
	(void)uv_idle_init(&server->loop, &host->told);  // never fails
	(void)uv_timer_init(&server->loop, &host->fit);  // never fails
	(void)uv_timer_init(&server->loop, &host->kill); // never fails
	host->layout = host_load(host, &err);
	if (host->layout == NULL) {
		host->layout = bh_layout_new();
		if (err.code != -ENOENT) {
			bh_log(BH_LOG_WARN, "layout", "", "the tabs are lost: %s", err.text);
		}
	}
	return host;
}

static void host_handle_closed(struct bh_layout_host *host)
{
	host->handles--;
	if (host->handles == 0) {
		bh_layout_free(host->layout);
		free(host->path);
		free(host);
	}
}

static void on_told_closed(uv_handle_t *handle)
{
	host_handle_closed(bh_container_of((uv_idle_t *)handle, struct bh_layout_host, told));
}

static void on_fit_closed(uv_handle_t *handle)
{
	host_handle_closed(bh_container_of((uv_timer_t *)handle, struct bh_layout_host, fit));
}

static void on_kill_closed(uv_handle_t *handle)
{
	host_handle_closed(bh_container_of((uv_timer_t *)handle, struct bh_layout_host, kill));
}

void bh_layout_host_close(struct bh_layout_host *host)
{
	host->server->layout = NULL;
	host_save(host);
	bh_layout_clients_clear(&host->clients);
	bh_list_for (at, next, &host->ending) {
		ending_free(bh_container_of(at, struct ending, link));
	}
	uv_close((uv_handle_t *)&host->told, on_told_closed);
	uv_close((uv_handle_t *)&host->fit, on_fit_closed);
	uv_close((uv_handle_t *)&host->kill, on_kill_closed);
}
