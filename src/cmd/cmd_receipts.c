#include "src/cmd/commands.h"
#include "src/cmd/mail_view.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <stdlib.h>
#include <string.h>

/** "seen", or of a room "2 of 3". */
static void add_standing(struct bh_table *table, const cJSON *receipt)
{
	const cJSON *counts = cJSON_GetObjectItemCaseSensitive(receipt, "counts");

	if (counts != NULL) {
		bh_table_add(table, "seen by %.0f of %.0f", bh_print_num(counts, "seen", 0),
		             bh_print_num(counts, "members", 0));
	} else {
		bh_table_add(table, "%s", bh_print_str(receipt, "state", "?"));
	}
}

static void print_receipts(const cJSON *result)
{
	struct bh_table table = {.columns = 5};
	const cJSON *receipt = NULL;
	char when[32];

	cJSON_ArrayForEach(receipt, cJSON_GetObjectItemCaseSensitive(result, "receipts"))
	{
		const cJSON *step = cJSON_GetObjectItemCaseSensitive(receipt, "last_step");
		const char *cause = bh_print_str(step, "cause", "");

		bh_table_add(&table, "%s", bh_print_str(receipt, "id", "?"));
		bh_table_add(&table, "%s",
		             bh_print_time(bh_print_num(receipt, "sent_at", 0), when));
		bh_table_add(&table, "to %s", bh_print_str(receipt, "to", "?"));
		add_standing(&table, receipt);
		bh_table_add(&table, "%s%s%s%s", bh_print_str(step, "step", "?"),
		             cause[0] == '\0' ? "" : " (", cause, cause[0] == '\0' ? "" : ")");
	}
	if (table.cell_count == 0) {
		(void)puts("Nothing.");
	}
	bh_table_print(&table, stdout);
	if (bh_print_flag(result, "more")) {
		(void)printf("There are older ones: bellhop receipts --before-seq %.0f\n",
		             bh_print_num(result, "next_before_seq", 0));
	}
}

static int run(struct bh_cmd *cmd)
{
	const char *of = bh_args_get(&cmd->args, "of");
	struct bh_request request = {
		.method = "mail.receipts", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *result = NULL;
	int status = bh_mail_view_limit(cmd, request.params);

	if (status == BH_EXIT_OK) {
		status = bh_mail_view_seq(cmd, "before-seq", "before_seq", request.params);
	}
	if (status != BH_EXIT_OK) {
		cJSON_Delete(request.params);
		return status;
	}
	if (of != NULL && strcmp(of, "me") != 0) {
		(void)cJSON_AddStringToObject(request.params, "name", of);
	}
	(void)cJSON_AddBoolToObject(request.params, "unseen", bh_args_has(&cmd->args, "unseen"));
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print_receipts(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"of", 0, "NAME", "whose messages: me (default), or for the operator any name"},
	{"unseen", 0, NULL, "only those that somebody has not seen yet"},
	{"before-seq", 0, "N", "only messages before number N"},
	{"limit", 0, "N", "at most N messages, the newest (default: 50)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_receipts = {
	.name = "receipts",
	.summary = "tell what became of the messages you sent, one line each",
	.help = "Each with its state (unread, claimed, seen, superseded or discarded; of a\n"
		"room: seen by how many) and the last step of its receipt. `receipt ID` shows all\n"
		"steps of one.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.run = run,
};
