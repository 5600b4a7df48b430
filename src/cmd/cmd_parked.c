#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include "src/base/buf.h"
#include "src/base/clock.h"

#include <string.h>

static void print_list(const cJSON *result)
{
	struct bh_table table = {.columns = 5};
	const cJSON *row;
	char age[16];

	bh_table_add(&table, "NAME");
	bh_table_add(&table, "WHY");
	bh_table_add(&table, "SINCE");
	bh_table_add(&table, "UNREAD");
	bh_table_add(&table, "FROM");
	cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(result, "parked"))
	{
		double age_ms = (double)bh_clock_wall_ms() - bh_print_num(row, "since", 0);
		struct bh_buf from = {0};
		const cJSON *at;

		cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(row, "from"))
		{
			bh_buf_puts(&from, from.len > 0 ? " " : "");
			bh_buf_puts(&from, cJSON_IsString(at) ? at->valuestring : "?");
		}
		bh_buf_puts(&from, bh_print_flag(row, "from_more") ? " and others" : "");
		bh_table_add(&table, "%s", bh_print_str(row, "name", "?"));
		bh_table_add(&table, "%s", bh_print_str(row, "reason", "?"));
		bh_table_add(&table, "%s", bh_print_age(age_ms, age));
		bh_table_add(&table, "%.0f", bh_print_num(row, "unread", 0));
		bh_table_add(&table, "%s", from.len > 0 ? from.data : "-");
		bh_buf_clear(&from);
	}
	bh_table_print(&table, stdout);
}

static int run_list(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "parked.list", .is_repeatable = true};
	cJSON *result = NULL;
	int status = bh_session_request(cmd, &request, &result);

	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "parked")) == 0) {
			(void)printf("nothing is parked\n");
		} else {
			print_list(result);
		}
	}
	cJSON_Delete(result);
	return status;
}

static int run_discard(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "parked.discard", .params = cJSON_CreateObject()};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 1));

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		(void)printf("%.0f discarded\n", bh_print_num(result, "discarded", 0));
	}
	cJSON_Delete(result);
	return status;
}

static int run_ring(struct bh_cmd *cmd)
{
	return bh_cmd_ring_name(cmd, bh_args_word(&cmd->args, 1));
}

static int run(struct bh_cmd *cmd)
{
	static const struct {
		const char *name;
		int words;
		int (*run)(struct bh_cmd *cmd);
	} verbs[] = {{"list", 1, run_list}, {"ring", 2, run_ring}, {"discard", 2, run_discard}};
	const char *verb = cmd->args.word_count == 0 ? "list" : bh_args_word(&cmd->args, 0);

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].name, verb) != 0) {
			continue;
		}
		if (cmd->args.word_count > verbs[i].words ||
		    (verbs[i].words == 2 && cmd->args.word_count < 2)) {
			return bh_cmd_usage(cmd, "%s takes %s", verb,
			                    verbs[i].words == 2 ? "a name" : "no name");
		}
		return verbs[i].run(cmd);
	}
	return bh_cmd_usage(cmd, "\"%.60s\" is not list, ring or discard", verb);
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_parked = {
	.name = "parked",
	.arguments = "[list | ring NAME | discard NAME]",
	.summary = "look after mail that wakes nobody any more",
	.help = "Mail is parked when its notices are used up (parked), or when its chain of messages\n"
		"went on too long without a person (loop). ring lets it wake again, as `ring` does;\n"
		"discard throws away all unread mail of NAME. Both are for people.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 0,
	.words_max = 2,
	.acts = true,
	.run = run,
};
