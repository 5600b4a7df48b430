#include "src/cmd/attach_view.h"
#include "src/cmd/commands.h"

static int run(struct bh_cmd *cmd)
{
	return bh_attach_view_run(cmd, bh_args_word(&cmd->args, 0),
	                          bh_args_has(&cmd->args, "observe"));
}

static const struct bh_option options[] = {
	{"observe", 'o', NULL, "only look: nothing is typed, the size is left alone"},
	{0},
};

const struct bh_command bh_cmd_attach = {
	.name = "attach",
	.arguments = "NAME",
	.summary = "show a terminal full screen and type into it",
	.help = "Keys go to the program. Control-B is the prefix of our own keys: C-b d detaches,\n"
		"C-b C-b sends one Control-B, C-b r draws anew, C-b ? helps. The terminal takes the\n"
		"size of yours; the last one resized wins. It goes on when you detach or hang up.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
