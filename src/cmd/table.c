#include "src/cmd/table.h"

#include "src/base/nearest.h"
#include "src/cmd/command.h"
#include "src/cmd/commands.h"

#include <string.h>

const struct bh_option bh_common_options[] = {
	{"session", 'S', "NAME", "the session to talk to (default: $BELLHOP_SESSION, or default)"},
	{"help", 'h', NULL, "show how to use the command"},
	{0},
};

// One command per line.
// clang-format off
const struct bh_command *const bh_commands[] = {
	&bh_cmd_run,
	&bh_cmd_list,
	&bh_cmd_attach,
	&bh_cmd_screen,
	&bh_cmd_type,
	&bh_cmd_keys,
	&bh_cmd_grant,
	&bh_cmd_resize,
	&bh_cmd_kill,
	&bh_cmd_respawn,
	&bh_cmd_forget,
	&bh_cmd_wait_state,
	&bh_cmd_explain,
	&bh_cmd_log,
	&bh_cmd_capture,
	&bh_cmd_send,
	&bh_cmd_inbox,
	&bh_cmd_peek,
	&bh_cmd_wait,
	&bh_cmd_history,
	&bh_cmd_receipt,
	&bh_cmd_receipts,
	&bh_cmd_ack,
	&bh_cmd_room,
	&bh_cmd_task,
	&bh_cmd_announce,
	&bh_cmd_register,
	&bh_cmd_whoami,
	&bh_cmd_ring,
	&bh_cmd_steer,
	&bh_cmd_can_wake,
	&bh_cmd_parked,
	&bh_cmd_dnd,
	&bh_cmd_block,
	&bh_cmd_unblock,
	&bh_cmd_overview,
	&bh_cmd_sessions,
	&bh_cmd_events,
	&bh_cmd_doctor,
	&bh_cmd_server,
	&bh_cmd_upgrade,
	&bh_cmd_reload,
	&bh_cmd_config,
	&bh_cmd_replay,
	&bh_cmd_channel,
	&bh_cmd_rpc,
	&bh_cmd_help,
	&bh_cmd_version,
	&bh_cmd_mcp,
	&bh_cmd_hook,
	&bh_cmd_server_main,
	NULL,
};
// clang-format on

const struct bh_command *bh_command_find(const char *name)
{
	for (const struct bh_command *const *at = bh_commands; *at != NULL; at++) {
		if (strcmp((*at)->name, name) == 0) {
			return *at;
		}
	}
	return NULL;
}

const char *bh_command_nearest(const char *word)
{
	const char *names[sizeof(bh_commands) / sizeof(bh_commands[0])];
	size_t count = 0;

	for (const struct bh_command *const *at = bh_commands; *at != NULL; at++) {
		if ((*at)->group != BH_GROUP_HIDDEN) {
			names[count++] = (*at)->name;
		}
	}
	names[count] = NULL;
	return bh_nearest(word, names);
}
