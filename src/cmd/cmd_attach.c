#include "src/cmd/attach_view.h"
#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/terminal_view.h"

/** The only terminal of the session, when no name was given. Else a usage error that lists them. */
static int find_only(struct bh_cmd *cmd, cJSON **terminals_out, const char **name_out)
{
	struct bh_request request = {.method = "terminal.list", .is_repeatable = true};
	const cJSON *list = NULL;
	int status = bh_session_request(cmd, &request, terminals_out);

	if (status != BH_EXIT_OK) {
		return status;
	}
	list = cJSON_GetObjectItemCaseSensitive(*terminals_out, "terminals");
	if (cJSON_GetArraySize(list) == 1) {
		*name_out = bh_print_str(list->child, "terminal_id", "");
		return BH_EXIT_OK;
	}
	bh_terminal_view_table(stderr, list);
	return bh_cmd_usage(cmd, "which terminal?");
}

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);
	cJSON *terminals = NULL;
	int status = name == NULL ? find_only(cmd, &terminals, &name) : BH_EXIT_OK;

	if (status == BH_EXIT_OK) {
		status = bh_attach_view_run(cmd, name, bh_args_has(&cmd->args, "observe"));
	}
	cJSON_Delete(terminals);
	return status;
}

static const struct bh_option options[] = {
	{"observe", 'o', NULL, "only look: nothing is typed, the size is left alone"},
	{0},
};

const struct bh_command bh_cmd_attach = {
	.name = "attach",
	.arguments = "[NAME]",
	.summary = "show a terminal full screen and type into it",
	.help = "Without NAME the only terminal of the session is shown.\n\n"
		"Keys go to the program. Control-B is the prefix of our own keys: C-b d detaches,\n"
		"C-b C-b sends one Control-B, C-b r draws anew, C-b [ tells how to read what scrolled\n"
		"off, C-b ? helps. The terminal takes the size of yours; the last one resized wins.\n"
		"It goes on when you detach or hang up.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_max = 1,
	.run = run,
};
