#include "src/ui/command.h"

#include "src/base/mem.h"
#include "src/base/nearest.h"
#include "src/base/shell_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Most cells that a border is moved at once. */
#define CELLS_MAX 1000
/** Largest place of a tab that is asked for. */
#define PLACE_MAX 1000
/** Largest size that is asked for, either way. */
#define SIZE_MAX_CELLS 1000

/** What an argument is. */
enum argument_kind {
	/** A text, all of the rest of the line. */
	ARGUMENT_TEXT,
	/** A command for sh. */
	ARGUMENT_SHELL,
	/** A number of cells. */
	ARGUMENT_CELLS,
	/** A place among the tabs, from 1. */
	ARGUMENT_PLACE,
	/** The number of a tab, or its name. */
	ARGUMENT_TAB,
	/** A terminal, by its identity. */
	ARGUMENT_TERMINAL,
	/** latest, smallest, or a size. */
	ARGUMENT_POLICY,
};

/** Actions that can be given something: how people call it, the parameter that it becomes. */
static const struct argument {
	enum bh_action action;
	enum argument_kind kind;
	bool is_needed;
	const char *usage;
	const char *param;
} arguments[] = {
	{BH_ACTION_TAB_NEW, ARGUMENT_SHELL, false, "[command]", "argv"},
	{BH_ACTION_SPLIT_RIGHT, ARGUMENT_SHELL, false, "[command]", "argv"},
	{BH_ACTION_SPLIT_DOWN, ARGUMENT_SHELL, false, "[command]", "argv"},
	{BH_ACTION_TAB_INDEX, ARGUMENT_TAB, true, "tab", "tab"},
	{BH_ACTION_TAB_MOVE, ARGUMENT_PLACE, true, "place", "index"},
	{BH_ACTION_TAB_SWAP, ARGUMENT_TAB, true, "tab", "with"},
	{BH_ACTION_TAB_RENAME, ARGUMENT_TEXT, false, "[name]", "name"},
	{BH_ACTION_BREAK, ARGUMENT_TEXT, false, "[tab-name]", "tab_name"},
	{BH_ACTION_RESIZE_LEFT, ARGUMENT_CELLS, false, "[cells]", "cells"},
	{BH_ACTION_RESIZE_RIGHT, ARGUMENT_CELLS, false, "[cells]", "cells"},
	{BH_ACTION_RESIZE_UP, ARGUMENT_CELLS, false, "[cells]", "cells"},
	{BH_ACTION_RESIZE_DOWN, ARGUMENT_CELLS, false, "[cells]", "cells"},
	{BH_ACTION_GO_TO, ARGUMENT_TERMINAL, true, "terminal", "name"},
	{BH_ACTION_JOIN, ARGUMENT_TERMINAL, true, "terminal", "name"},
	{BH_ACTION_SIZE_POLICY, ARGUMENT_POLICY, true, "latest|smallest|COLSxROWS", "policy"},
};

/** The words of ARGUMENT_POLICY. */
static const char *const policies[] = {"latest", "smallest"};

static const struct argument *argument_of(enum bh_action action)
{
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
		if (arguments[i].action == action) {
			return &arguments[i];
		}
	}
	return NULL;
}

const char *bh_command_usage(enum bh_action action)
{
	const struct argument *argument = argument_of(action);

	return argument == NULL ? "" : argument->usage;
}

bool bh_command_needs(enum bh_action action)
{
	const struct argument *argument = argument_of(action);

	return argument != NULL && argument->is_needed;
}

// -------------------------------------------------------------------------------- reading

/** What has another name than the fingers of tmux's users know. */
static const struct {
	const char *name;
	const char *here;
} of_tmux[] = {
	{"choose-tree", "choose-tab"},
	{"choose-window", "choose-tab"},
	{"detach-client", "detach"},
	{"kill-pane", "close-pane"},
	{"kill-server", "`bellhop server stop` in a shell"},
	{"kill-session", "`bellhop server stop` in a shell"},
	{"kill-window", "close-tab"},
	{"last-window", "last-tab"},
	{"move-window", "move-tab"},
	{"list-keys", "help"},
	{"new-session", "choose-session"},
	{"new-window", "new-tab"},
	{"next-window", "next-tab"},
	{"previous-window", "previous-tab"},
	{"refresh-client", "redraw"},
	{"rename-window", "rename-tab"},
	{"resize-pane", "resize-left, resize-right, resize-up, resize-down or zoom"},
	{"rotate-window", "rotate"},
	{"select-layout",
         "even-horizontal, even-vertical, main-horizontal, main-vertical or tiled"},
	{"select-pane", "focus-left, focus-right, focus-up or focus-down"},
	{"select-window", "select-tab"},
	{"set-option", "a setting of the file: bellhop(5)"},
	{"source-file", "reload"},
	{"split-window", "split-right or split-down"},
	{"switch-client", "choose-session, next-session or previous-session"},
	{"swap-pane", "swap-previous or swap-next"},
	{"swap-window", "swap-tab, move-tab-left or move-tab-right"},
};

/** Tell which name was perhaps meant. */
static int unknown(const char *name, struct bh_err *err)
{
	for (size_t i = 0; i < sizeof(of_tmux) / sizeof(of_tmux[0]); i++) {
		if (strcmp(of_tmux[i].name, name) == 0) {
			return bh_err_set(err, BH_EINVALID, "tmux's %s is here: %s", name,
			                  of_tmux[i].here);
		}
	}

	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);
	const char **names = bh_xcalloc(count + 1, sizeof(*names));
	const char *nearest = NULL;
	int rc = BH_EINVALID;

	for (size_t i = 0; i < count; i++) {
		names[i] = rows[i].name;
	}
	nearest = bh_nearest(name, names);
	if (nearest != NULL) {
		rc = bh_err_set(err, BH_EINVALID, "there is no action %s; do you mean %s?", name,
		                nearest);
	} else {
		rc = bh_err_set(err, BH_EINVALID,
		                "there is no action %s; Tab shows them, and so does the help",
		                name);
	}
	free(names);
	return rc;
}

int bh_command_read(const char *line, struct bh_command *command_out, struct bh_err *err)
{
	char name[64];
	struct bh_command command = {0};
	size_t len = 0;

	line += strspn(line, " ");
	len = strcspn(line, " ");
	(void)snprintf(name, sizeof(name), "%.*s", (int)len, line);
	command.row = bh_keytable_named(name);
	command.argument = line + len + strspn(line + len, " ");
	if (command.row == NULL) {
		return unknown(name, err);
	}
	if (command.argument[0] == '\0' && bh_command_needs(command.row->action)) {
		return bh_err_set(err, BH_EINVALID, "%s needs something to act on: %s %s", name,
		                  name, bh_command_usage(command.row->action));
	}
	if (command.argument[0] != '\0' && argument_of(command.row->action) == NULL) {
		return bh_err_set(err, BH_EINVALID, "%s takes nothing after its name", name);
	}
	*command_out = command;
	return 0;
}

// ------------------------------------------------------------------------------- requests

/** A number from 1 to @max, or 0. */
static long number_of(const char *text, long max)
{
	char *end = NULL;
	long number = strtol(text, &end, 10);

	return end == text || end[strspn(end, " ")] != '\0' || number < 1 || number > max ? 0
	                                                                                  : number;
}

static int add_shell(cJSON *params, const char *text)
{
	cJSON *argv = cJSON_AddArrayToObject(params, "argv");
	char **words = bh_shell_words(text);

	for (char **word = words; *word != NULL; word++) {
		(void)cJSON_AddItemToArray(argv, cJSON_CreateString(*word));
	}
	free(words);
	return 0;
}

static int add_cells(cJSON *params, const char *text, struct bh_err *err)
{
	long cells = number_of(text, CELLS_MAX);

	if (cells == 0) {
		return bh_err_set(err, BH_EINVALID, "%s is no number of cells", text);
	}
	(void)cJSON_AddNumberToObject(params, "cells", (double)cells);
	return 0;
}

static int add_place(cJSON *params, const char *text, struct bh_err *err)
{
	long place = number_of(text, PLACE_MAX);

	if (place == 0) {
		return bh_err_set(err, BH_EINVALID, "%s is no place of a tab; they count from 1",
		                  text);
	}
	(void)cJSON_AddNumberToObject(params, "index", (double)place);
	return 0;
}

static int add_tab(cJSON *params, const struct bh_model *model, const char *param, const char *text,
                   struct bh_err *err)
{
	long index = number_of(text, (long)model->tab_count);

	cJSON_DeleteItemFromObjectCaseSensitive(params, "index");
	for (size_t i = 0; i < model->tab_count; i++) {
		if (model->tabs[i].index == index || strcmp(model->tabs[i].name, text) == 0) {
			(void)cJSON_AddNumberToObject(params, param, model->tabs[i].id);
			return 0;
		}
	}
	return bh_err_set(err, BH_EINVALID, "there is no tab %s", text);
}

/** Read "COLSxROWS". */
static bool size_of(const char *text, long *cols_out, long *rows_out)
{
	char *end = NULL;

	*cols_out = strtol(text, &end, 10);
	if (end == text || *end != 'x') {
		return false;
	}
	*rows_out = number_of(end + 1, SIZE_MAX_CELLS);
	return *cols_out >= 1 && *cols_out <= SIZE_MAX_CELLS && *rows_out >= 1;
}

static int add_policy(cJSON *params, const char *text, struct bh_err *err)
{
	long cols = 0;
	long rows = 0;

	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		if (strcmp(text, policies[i]) == 0) {
			(void)cJSON_AddStringToObject(params, "policy", text);
			return 0;
		}
	}
	if (!size_of(text, &cols, &rows)) {
		return bh_err_set(err, BH_EINVALID,
		                  "%s is no size policy; there are latest, smallest, and a size "
		                  "such as 120x40",
		                  text);
	}
	(void)cJSON_AddStringToObject(params, "policy", "fixed");
	(void)cJSON_AddNumberToObject(params, "cols", (double)cols);
	(void)cJSON_AddNumberToObject(params, "rows", (double)rows);
	return 0;
}

/** A terminal beside the pane in focus, but for its name: out of the pane that it has, or into a new
 * one. */
static struct bh_action_request join(const struct bh_model *model, const char *name)
{
	const struct bh_model_pane *focus = bh_model_focus(model);
	struct bh_action_request request = {.method = "pane.show", .params = cJSON_CreateObject()};

	for (size_t i = 0; i < model->terminal_count; i++) {
		if (strcmp(model->terminals[i].identity, name) == 0 &&
		    bh_model_tab_of(model, model->terminals[i].id) != NULL) {
			request.method = "pane.join";
		}
	}
	if (focus != NULL) {
		(void)cJSON_AddStringToObject(request.params, "beside", focus->terminal_id);
	}
	return request;
}

/** The request without its argument. */
static struct bh_action_request request_base(const struct bh_model *model,
                                             const struct bh_command *command, const cJSON *environ)
{
	const struct bh_model_tab *tab = bh_model_active(model);
	struct bh_action_request request = {0};

	switch ((int)command->row->action) {
	case BH_ACTION_TAB_RENAME:
		return tab == NULL ? request : bh_action_rename(tab->id, command->argument);
	case BH_ACTION_JOIN:
		return join(model, command->argument);
	case BH_ACTION_GO_TO:
		request.method = "pane.show";
		request.params = cJSON_CreateObject();
		return request;
	case BH_ACTION_SIZE_POLICY:
		request.method = "session.size_policy";
		request.params = cJSON_CreateObject();
		return request;
	default:
		return bh_action_request(model, command->row->action, '0', environ);
	}
}

/** Put the argument in. */
static int add_argument(cJSON *params, const struct bh_model *model,
                        const struct argument *argument, const char *text, struct bh_err *err)
{
	switch (argument->kind) {
	case ARGUMENT_SHELL:
		return add_shell(params, text);
	case ARGUMENT_CELLS:
		return add_cells(params, text, err);
	case ARGUMENT_TAB:
		return add_tab(params, model, argument->param, text, err);
	case ARGUMENT_PLACE:
		return add_place(params, text, err);
	case ARGUMENT_POLICY:
		return add_policy(params, text, err);
	case ARGUMENT_TEXT:
	case ARGUMENT_TERMINAL:
		break;
	}
	cJSON_DeleteItemFromObjectCaseSensitive(params, argument->param);
	(void)cJSON_AddStringToObject(params, argument->param, text);
	return 0;
}

struct bh_action_request bh_command_request(const struct bh_model *model,
                                            const struct bh_command *command, const cJSON *environ,
                                            struct bh_err *err)
{
	const struct argument *argument = argument_of(command->row->action);
	struct bh_action_request request = request_base(model, command, environ);

	if (request.method == NULL) {
		(void)bh_err_set(err, BH_ENOTFOUND, "there is no pane here");
	} else if (argument != NULL &&
	           add_argument(request.params, model, argument, command->argument, err) != 0) {
		cJSON_Delete(request.params);
		request = (struct bh_action_request){0};
	}
	return request;
}

// ----------------------------------------------------------------------------- completion

/** Words that the last word of a line can become. */
struct candidates {
	const char *begun;
	size_t begun_len;
	/** What they have in common; the number of them. */
	char common[BH_MODEL_NAME];
	size_t count;
	char *hint;
	size_t hint_size;
};

static void candidate_add(struct candidates *candidates, const char *word)
{
	size_t len = 0;

	if (strncmp(word, candidates->begun, candidates->begun_len) != 0) {
		return;
	}
	if (candidates->count++ == 0) {
		(void)snprintf(candidates->common, sizeof(candidates->common), "%s", word);
		(void)snprintf(candidates->hint, candidates->hint_size, "%s", word);
		return;
	}
	while (word[len] != '\0' && word[len] == candidates->common[len]) {
		len++;
	}
	candidates->common[len] = '\0';
	len = strlen(candidates->hint);
	(void)snprintf(candidates->hint + len, candidates->hint_size - len, "  %s", word);
}

static void add_actions(struct candidates *candidates)
{
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	for (size_t i = 0; i < count; i++) {
		if (rows[i].help != NULL) { // else the name stood there before
			candidate_add(candidates, rows[i].name);
		}
	}
}

static void add_arguments(struct candidates *candidates, const struct bh_model *model,
                          const struct argument *argument)
{
	if (argument->kind == ARGUMENT_TERMINAL) {
		for (size_t i = 0; i < model->terminal_count; i++) {
			candidate_add(candidates, model->terminals[i].identity);
		}
	} else if (argument->kind == ARGUMENT_TAB) {
		for (size_t i = 0; i < model->tab_count; i++) {
			candidate_add(candidates, model->tabs[i].name);
		}
	} else if (argument->kind == ARGUMENT_POLICY) {
		for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
			candidate_add(candidates, policies[i]);
		}
	}
}

void bh_command_complete(const struct bh_model *model, char *line, size_t size, char *hint,
                         size_t hint_size)
{
	struct candidates candidates = {.hint = hint, .hint_size = hint_size};
	size_t name_len = strcspn(line, " ");
	bool is_name = line[name_len] == '\0';
	size_t begin = is_name ? 0 : name_len + strspn(line + name_len, " ");
	char name[64];

	hint[0] = '\0';
	candidates.begun = line + begin;
	candidates.begun_len = strlen(line + begin);
	if (is_name) {
		add_actions(&candidates);
	} else {
		const struct bh_key_row *row = NULL;
		const struct argument *argument = NULL;

		(void)snprintf(name, sizeof(name), "%.*s", (int)name_len, line);
		row = bh_keytable_named(name);
		argument = row != NULL ? argument_of(row->action) : NULL;
		if (argument != NULL) {
			add_arguments(&candidates, model, argument);
		}
	}
	if (candidates.count == 0) {
		(void)snprintf(hint, hint_size, "%s", "(nothing begins like that)");
		return;
	}
	(void)snprintf(line + begin, size - begin, "%s%s", candidates.common,
	               candidates.count == 1 && is_name ? " " : "");
	if (candidates.count == 1) {
		hint[0] = '\0';
	}
}
