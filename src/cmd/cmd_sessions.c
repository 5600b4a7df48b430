#include "src/client/sessions.h"
#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <string.h>

/** So long a server may take to tell of itself (ms): one that hangs holds nobody up. */
#define ASK_MS 2000

/** The terminals of a session; NULL when its server does not tell. The caller deletes. */
static cJSON *ask_terminals(const struct bh_cmd *cmd, const char *name)
{
	struct bh_cmd other = *cmd;
	struct bh_session session = {0};
	struct bh_client_call call = {
		.method = "terminal.list", .timeout_ms = ASK_MS, .is_repeatable = true};
	struct bh_err err = {0};
	cJSON *list = NULL;
	cJSON *terminals = NULL;

	other.session = name;
	other.is_session_given = true;
	if (bh_session_open(&other, BH_SESSION_RUNNING, &session, &err) == 0 &&
	    bh_client_do(session.client, &call, &list, &err) == 0) {
		terminals = cJSON_DetachItemFromObjectCaseSensitive(list, "terminals");
	}
	cJSON_Delete(list);
	bh_session_clear(&session);
	return terminals;
}

static int count_awaiting(const cJSON *terminals)
{
	const cJSON *terminal = NULL;
	int count = 0;

	cJSON_ArrayForEach(terminal, terminals)
	{
		count += strcmp(bh_print_str(terminal, "state", ""), "awaiting") == 0;
	}
	return count;
}

/** What is said of a session. */
static cJSON *view_of(const struct bh_cmd *cmd, const struct bh_sessions_item *item)
{
	cJSON *view = cJSON_CreateObject();
	cJSON *terminals = item->is_running ? ask_terminals(cmd, item->name) : NULL;

	(void)cJSON_AddStringToObject(view, "session", item->name);
	(void)cJSON_AddBoolToObject(view, "is_current", strcmp(item->name, cmd->session) == 0);
	(void)cJSON_AddBoolToObject(view, "is_running", item->is_running);
	if (terminals != NULL) {
		(void)cJSON_AddNumberToObject(view, "terminals", cJSON_GetArraySize(terminals));
		(void)cJSON_AddNumberToObject(view, "awaiting", count_awaiting(terminals));
	}
	cJSON_Delete(terminals);
	return view;
}

static void print_table(const cJSON *views)
{
	struct bh_table table = {.columns = 4};
	const cJSON *view = NULL;

	bh_table_add(&table, "SESSION");
	bh_table_add(&table, "SERVER");
	bh_table_add(&table, "TERMINALS");
	bh_table_add(&table, "AWAITING");
	cJSON_ArrayForEach(view, views)
	{
		bool is_current =
			cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(view, "is_current"));
		bool is_running =
			cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(view, "is_running"));
		bool is_told = cJSON_HasObjectItem(view, "terminals");

		bh_table_add(&table, "%s%s", bh_print_str(view, "session", "-"),
		             is_current ? " *" : "");
		bh_table_add(&table, "%s",
		             is_told      ? "running"
		             : is_running ? "does not answer"
		                          : "gone");
		bh_table_add(&table, is_told ? "%.0f" : "-", bh_print_num(view, "terminals", 0));
		bh_table_add(&table, is_told ? "%.0f" : "-", bh_print_num(view, "awaiting", 0));
	}
	bh_table_print(&table, stdout);
}

static int run(struct bh_cmd *cmd)
{
	struct bh_session session = {0};
	struct bh_sessions sessions = {0};
	struct bh_err err = {0};
	cJSON *result = cJSON_CreateObject();
	cJSON *views = cJSON_AddArrayToObject(result, "sessions");

	if (bh_session_find(cmd, &session, &err) != 0) {
		cJSON_Delete(result);
		bh_session_clear(&session);
		return bh_cmd_fail(cmd, &err);
	}
	bh_sessions_find(&sessions, session.paths.runtime_root);
	for (size_t i = 0; i < sessions.count; i++) {
		(void)cJSON_AddItemToArray(views, view_of(cmd, &sessions.items[i]));
	}
	if (bh_print_if_json(cmd, result)) {
		// done
	} else if (sessions.count == 0) {
		(void)puts("no session; `bellhop` begins one");
	} else {
		print_table(views);
	}
	cJSON_Delete(result);
	bh_sessions_clear(&sessions);
	bh_session_clear(&session);
	return BH_EXIT_OK;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_sessions = {
	.name = "sessions",
	.summary = "list your sessions",
	.help = "* is the one that commands talk to; `bellhop -S NAME` shows another, and C-b s there\n"
		"goes to any. SERVER: gone is a session whose server ended without a word.",
	.options = options,
	.group = BH_GROUP_SESSION,
	.run = run,
};
