#include "src/cmd/commands.h"
#include "src/cmd/mail_view.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include "src/client/mail_text.h"

#include <string.h>

/** The server holds an answer at most 8 s for an attempt that runs. */
#define HELD_MS 20000

static void table_add_task(struct bh_table *table, const cJSON *task)
{
	char when[32];

	bh_table_add(table, "%s", bh_print_str(task, "task_id", "?"));
	bh_table_add(table, "%s", bh_print_str(task, "state", "?"));
	bh_table_add(table, "%s -> %s", bh_print_str(task, "creator", "?"),
	             bh_print_str(task, "assignee", "?"));
	bh_table_add(table, "%s", bh_print_time(bh_print_num(task, "updated_at", 0), when));
	bh_table_add(table, "%s", bh_print_str(task, "title", ""));
}

static void print_list(const cJSON *result)
{
	struct bh_table table = {.columns = 5};
	const cJSON *task = NULL;

	cJSON_ArrayForEach(task, cJSON_GetObjectItemCaseSensitive(result, "tasks"))
	{
		table_add_task(&table, task);
	}
	if (table.cell_count == 0) {
		(void)puts("No tasks: bellhop send --task ID NAME TEXT opens one.");
	}
	bh_table_print(&table, stdout);
	if (bh_print_flag(result, "more")) {
		(void)printf("There are more: bellhop task list --before-seq %.0f\n",
		             bh_print_num(result, "next_before_seq", 0));
	}
}

static void print_task(const cJSON *result)
{
	struct bh_table table = {.columns = 5};
	const cJSON *message = NULL;
	char when[32];

	table_add_task(&table, cJSON_GetObjectItemCaseSensitive(result, "task"));
	bh_table_print(&table, stdout);
	if (bh_print_flag(result, "more")) {
		(void)puts("\nOnly its newest messages; `bellhop history` has the others.");
	}
	cJSON_ArrayForEach(message, cJSON_GetObjectItemCaseSensitive(result, "messages"))
	{
		(void)printf("\n%s  %s -> %s  %s\n",
		             bh_print_time(bh_print_num(message, "sent_at", 0), when),
		             bh_print_str(message, "from", "?"), bh_print_str(message, "to", "?"),
		             bh_print_str(message, "state", "?"));
		bh_print_text(stdout, bh_print_str(message, "text", ""));
	}
}

static void print_sent(const cJSON *result)
{
	struct bh_buf text = {0};

	bh_mail_text_answer(&text, result);
	bh_print_buf(stdout, &text);
}

/** Make the call; the answer to a message has an exit status of its own. */
static int call(struct bh_cmd *cmd, const struct bh_request *request,
                void (*print)(const cJSON *result))
{
	cJSON *result = NULL;
	int status = bh_session_request(cmd, request, &result);

	if (status == BH_EXIT_OK) {
		if (!bh_print_if_json(cmd, result)) {
			print(result);
		}
		status = print == print_sent ? bh_mail_view_status(result) : BH_EXIT_OK;
	}
	cJSON_Delete(result);
	return status;
}

/** Options that one verb alone has; BH_EXIT_OK or a printed usage error. */
static int check_options(const struct bh_cmd *cmd, bool is_list, bool is_end)
{
	if (!is_list && (bh_args_has(&cmd->args, "all") || bh_args_has(&cmd->args, "limit") ||
	                 bh_args_has(&cmd->args, "before-seq"))) {
		return bh_cmd_usage(cmd, "--all, --limit and --before-seq go with list");
	}
	if (!is_end && (bh_args_has(&cmd->args, "message-id") ||
	                bh_args_has(&cmd->args, "no-wait") || cmd->args.word_count > 2)) {
		return bh_cmd_usage(cmd, "TEXT, --message-id and --no-wait go with complete and "
		                         "cancel");
	}
	if (is_list != (cmd->args.word_count == 1)) {
		return bh_cmd_usage(cmd, is_list ? "list takes no task" : "which task?");
	}
	return BH_EXIT_OK;
}

static int run_list(struct bh_cmd *cmd)
{
	struct bh_request request = {
		.method = "task.list", .params = cJSON_CreateObject(), .is_repeatable = true};
	int status = bh_mail_view_limit(cmd, request.params);

	if (status == BH_EXIT_OK) {
		status = bh_mail_view_seq(cmd, "before-seq", "before_seq", request.params);
	}
	if (status != BH_EXIT_OK) {
		cJSON_Delete(request.params);
		return status;
	}
	(void)cJSON_AddBoolToObject(request.params, "all", bh_args_has(&cmd->args, "all"));
	return call(cmd, &request, print_list);
}

static int run_show(struct bh_cmd *cmd)
{
	struct bh_request request = {
		.method = "task.show", .params = cJSON_CreateObject(), .is_repeatable = true};

	(void)cJSON_AddStringToObject(request.params, "task_id", cmd->args.words[1]);
	return call(cmd, &request, print_task);
}

static int run_end(struct bh_cmd *cmd, const char *method)
{
	struct bh_request request = {.method = method,
	                             .params = cJSON_CreateObject(),
	                             .timeout_ms = HELD_MS,
	                             .is_repeatable = true};
	struct bh_buf body = {0};
	struct bh_err err = {0};

	(void)cJSON_AddStringToObject(request.params, "task_id", cmd->args.words[1]);
	(void)cJSON_AddBoolToObject(request.params, "no_wait", bh_args_has(&cmd->args, "no-wait"));
	if (bh_mail_view_message_id(cmd, request.params, &err) != 0) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	for (int i = 2; i < cmd->args.word_count; i++) {
		bh_buf_puts(&body, i == 2 ? "" : " ");
		bh_buf_puts(&body, cmd->args.words[i]);
	}
	if (body.len > 0) {
		(void)cJSON_AddStringToObject(request.params, "body", body.data);
	}
	bh_buf_clear(&body);
	return call(cmd, &request, print_sent);
}

static int run(struct bh_cmd *cmd)
{
	const char *verb = bh_args_word(&cmd->args, 0);
	bool is_list = strcmp(verb, "list") == 0;
	bool is_complete = strcmp(verb, "complete") == 0;
	bool is_end = is_complete || strcmp(verb, "cancel") == 0;
	int status;

	if (!is_list && !is_end && strcmp(verb, "show") != 0) {
		return bh_cmd_usage(cmd, "\"%.60s\" is not list, show, complete or cancel", verb);
	}
	status = check_options(cmd, is_list, is_end);
	if (status != BH_EXIT_OK) {
		return status;
	}
	if (is_end) {
		return run_end(cmd, is_complete ? "task.complete" : "task.cancel");
	}
	return is_list ? run_list(cmd) : run_show(cmd);
}

static const struct bh_option options[] = {
	{"all", 'a', NULL, "with list: tasks that have ended, too"},
	{"limit", 0, "N", "with list: at most N tasks (default: 50)"},
	{"before-seq", 0, "N", "with list: only tasks whose last message is before number N"},
	{"no-wait", 0, NULL, "with complete and cancel: answer at once"},
	{"message-id", 0, "UUID", "with complete and cancel: the same id is stored once"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_task = {
	.name = "task",
	.arguments = "list | show ID | complete ID [TEXT] | cancel ID [TEXT]",
	.summary = "list, show and end tasks",
	.help = "A task is opened by `send --task ID NAME TEXT`; its first line is the title. Its\n"
		"state is submitted, working, input_required, completed, failed or canceled; the\n"
		"last three are final. `send --task ID --status STATUS` moves it on. complete and\n"
		"cancel send a message to the other party, whose answer they print, and exit as\n"
		"`send` does. Agents see tasks that they take part in, the operator all.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = -1,
	.acts = true,
	.run = run,
};
