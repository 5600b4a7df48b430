/** @file
 * The descriptors of all commands, each defined in its cmd_<name>.c.
 */
#ifndef BH_CMD_COMMANDS_H
#define BH_CMD_COMMANDS_H

#include "src/cmd/command.h"

/** The entry of every command whose answer a program may want to read. */
#define BH_OPTION_JSON \
	{ \
		"json", 0, NULL, "print the answer as one line of JSON" \
	}

/** @{ A descriptor; see struct bh_command. */
extern const struct bh_command bh_cmd_ack;
extern const struct bh_command bh_cmd_announce;
extern const struct bh_command bh_cmd_attach;
extern const struct bh_command bh_cmd_can_wake;
extern const struct bh_command bh_cmd_block;
extern const struct bh_command bh_cmd_capture;
extern const struct bh_command bh_cmd_channel;
extern const struct bh_command bh_cmd_config;
extern const struct bh_command bh_cmd_dnd;
extern const struct bh_command bh_cmd_doctor;
extern const struct bh_command bh_cmd_events;
extern const struct bh_command bh_cmd_explain;
extern const struct bh_command bh_cmd_forget;
extern const struct bh_command bh_cmd_grant;
extern const struct bh_command bh_cmd_help;
extern const struct bh_command bh_cmd_history;
extern const struct bh_command bh_cmd_hook;
extern const struct bh_command bh_cmd_inbox;
extern const struct bh_command bh_cmd_keys;
extern const struct bh_command bh_cmd_kill;
extern const struct bh_command bh_cmd_list;
extern const struct bh_command bh_cmd_log;
extern const struct bh_command bh_cmd_mcp;
extern const struct bh_command bh_cmd_overview;
extern const struct bh_command bh_cmd_parked;
extern const struct bh_command bh_cmd_peek;
extern const struct bh_command bh_cmd_receipt;
extern const struct bh_command bh_cmd_receipts;
extern const struct bh_command bh_cmd_register;
extern const struct bh_command bh_cmd_reload;
extern const struct bh_command bh_cmd_replay;
/** cmd_rpc.c */
extern const struct bh_command bh_cmd_rpc;
extern const struct bh_command bh_cmd_resize;
extern const struct bh_command bh_cmd_respawn;
extern const struct bh_command bh_cmd_ring;
extern const struct bh_command bh_cmd_room;
extern const struct bh_command bh_cmd_run;
extern const struct bh_command bh_cmd_screen;
extern const struct bh_command bh_cmd_send;
extern const struct bh_command bh_cmd_server;
extern const struct bh_command bh_cmd_server_main;
extern const struct bh_command bh_cmd_sessions;
extern const struct bh_command bh_cmd_steer;
extern const struct bh_command bh_cmd_task;
extern const struct bh_command bh_cmd_type;
/** cmd_block.c */
extern const struct bh_command bh_cmd_unblock;
extern const struct bh_command bh_cmd_upgrade;
extern const struct bh_command bh_cmd_version;
extern const struct bh_command bh_cmd_wait;
extern const struct bh_command bh_cmd_wait_state;
extern const struct bh_command bh_cmd_whoami;
/** @} */

/** `ring` for @name: call, print, give the exit status (cmd_ring.c). */
int bh_cmd_ring_name(struct bh_cmd *cmd, const char *name);

#endif
