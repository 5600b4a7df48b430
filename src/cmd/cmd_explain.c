#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

/** Print "head: text" for each string of an array. */
static void print_list(const cJSON *list, const char *head)
{
	const cJSON *item = NULL;

	cJSON_ArrayForEach(item, list)
	{
		if (cJSON_IsString(item)) {
			(void)printf("%s: ", head);
			bh_print_text(stdout, item->valuestring);
		}
	}
}

/** A field of an evidence as a cell: text, number, or JSON. */
static void add_field(struct bh_table *table, const cJSON *item)
{
	char *text = NULL;

	if (item == NULL || cJSON_IsNull(item)) {
		bh_table_add(table, "-");
	} else if (cJSON_IsString(item)) {
		bh_table_add(table, "%s", item->valuestring);
	} else {
		text = cJSON_PrintUnformatted(item);
		bh_table_add(table, "%s", text);
		cJSON_free(text);
	}
}

/** The evidence as a table whose columns are the fields of the first item. */
static void print_evidence(const cJSON *evidence)
{
	const cJSON *first = cJSON_IsArray(evidence) ? evidence->child : NULL;
	struct bh_table table = {0};
	const cJSON *item = NULL;
	const cJSON *head = NULL;

	if (!cJSON_IsObject(first)) {
		return;
	}
	table.columns = cJSON_GetArraySize(first);
	cJSON_ArrayForEach(head, first)
	{
		bh_table_add(&table, "%s", head->string);
	}
	cJSON_ArrayForEach(item, evidence){cJSON_ArrayForEach(head, first){
		add_field(&table, cJSON_GetObjectItemCaseSensitive(item, head->string));
}
}
(void)puts("evidence:");
bh_table_print(&table, stdout);
}

static void print_explanation(const cJSON *result)
{
	const char *reason = bh_print_str(result, "reason", NULL);

	(void)printf("state: %s\n", bh_print_str(result, "state", "unknown"));
	(void)printf("authority: %s\n", bh_print_str(result, "authority", "-"));
	(void)printf("composer: %s\n", bh_print_str(result, "composer", "unknown"));
	(void)printf("typable: %s", bh_print_flag(result, "typable") ? "yes" : "no");
	(void)printf(reason == NULL || reason[0] == '\0' ? "\n" : " (%s)\n", reason);
	print_list(cJSON_GetObjectItemCaseSensitive(result, "why"), "why");
	print_list(cJSON_GetObjectItemCaseSensitive(result, "missing"), "missing");
	print_evidence(cJSON_GetObjectItemCaseSensitive(result, "evidence"));
}

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "terminal.explain",
	                             .params = cJSON_CreateObject(),
	                             .is_repeatable = true};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print_explanation(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_explain = {
	.name = "explain",
	.arguments = "NAME",
	.summary = "tell why an agent counts as idle, working, awaiting",
	.help = "Shows the state, on whose authority, each piece of evidence, and what is missing\n"
		"before bellhop would type.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
