#include "src/base/config.h"
#include "src/cmd/attach_view.h"
#include "src/cmd/commands.h"
#include "src/cmd/ui_view.h"

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);
	const char *policy = bh_args_get(&cmd->args, "size-policy");
	bool is_observing = bh_args_has(&cmd->args, "observe");
	struct bh_config_size size = {0};

	if (policy != NULL && (name != NULL || is_observing)) {
		return bh_cmd_usage(cmd, "--size-policy is of the whole session, and who only "
		                         "looks does not say it");
	}
	if (policy != NULL && !bh_config_size_parse(policy, &size)) {
		return bh_cmd_usage(cmd, "\"%.40s\" is not latest, smallest or a size like 120x40",
		                    policy);
	}
	return name == NULL ? bh_ui_view_run(cmd, is_observing, &size)
	                    : bh_attach_view_run(cmd, name, is_observing);
}

static const struct bh_option options[] = {
	{"observe", 'o', NULL, "only look: nothing is typed, the size is left alone"},
	{"size-policy", 0, "POLICY",
         "whose size the panes have from now on: latest, smallest, or CxR"},
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
