#include "src/cmd/attach_view.h"
#include "src/cmd/commands.h"
#include "src/cmd/ui_view.h"

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);
	bool is_observing = bh_args_has(&cmd->args, "observe");

	return name == NULL ? bh_ui_view_run(cmd, is_observing)
	                    : bh_attach_view_run(cmd, name, is_observing);
}

static const struct bh_option options[] = {
	{"observe", 'o', NULL, "only look: nothing is typed, the size is left alone"},
	{0},
};

const struct bh_command bh_cmd_attach = {
	.name = "attach",
	.arguments = "[NAME]",
	.summary = "show the session, or one terminal full screen, and type into it",
	.help = "Without NAME the tabs and panes of the session are shown, as with `bellhop` alone;\n"
		"C-b ? lists the keys there. With NAME only that terminal:\n\n"
		"Keys go to the program. Control-B is the prefix of our own keys: C-b d detaches,\n"
		"C-b C-b sends one Control-B, C-b r draws anew, C-b [ tells how to read what scrolled\n"
		"off, C-b ? helps. The terminal takes the size of yours; the last one resized wins.\n"
		"It goes on when you detach or hang up.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_max = 1,
	.run = run,
};
