#include "src/server/methods.h"

#include "src/server/method_channel.h"
#include "src/server/method_external.h"
#include "src/server/method_grant.h"
#include "src/server/method_guard.h"
#include "src/server/method_layout.h"
#include "src/server/method_mail.h"

#include <stddef.h>

#define OP BH_METHOD_OPERATOR
#define IN (BH_METHOD_INSIDE | BH_METHOD_EXTERNAL)
#define ALL BH_METHOD_ALL
#define ANY (BH_METHOD_ALL | BH_METHOD_UNVERIFIED)
#define CONNECTED BH_METHOD_NEEDS_CONNECTION

const struct bh_method bh_methods[] = {
	// What a person needs to get out of a mix of versions.
	{"server.info", ANY | BH_METHOD_ANY_VERSION, bh_method_server_info},
	{"server.stop", OP | BH_METHOD_ANY_VERSION, bh_method_server_stop},
	{"server.upgrade", OP | BH_METHOD_ANY_VERSION, bh_method_server_upgrade},
	{"server.reload", OP, bh_method_server_reload},

	{"doctor.store", OP, bh_method_doctor_store},
	{"doctor.keeper", OP, bh_method_doctor_keeper},
	{"doctor.terminals", OP, bh_method_doctor_terminals},

	{"agent.installed", ALL, bh_method_agent_installed},

	{"terminal.run", ALL, bh_method_terminal_run},
	{"terminal.list", ALL, bh_method_terminal_list},
	{"terminal.get", ALL, bh_method_terminal_get},
	{"terminal.screen", ALL, bh_method_terminal_screen},
	// An agent needs a grant for this terminal: bh_target_may_type().
	{"terminal.type", OP | BH_METHOD_INSIDE, bh_method_terminal_type},
	{"terminal.keys", OP | BH_METHOD_INSIDE, bh_method_terminal_keys},
	{"terminal.grant", OP, bh_method_terminal_grant},
	{"terminal.grants", ALL, bh_method_terminal_grants},
	{"terminal.resize", OP, bh_method_terminal_resize},
	// The agent that started a terminal may end it: bh_target_may_act().
	{"terminal.kill", OP | BH_METHOD_INSIDE, bh_method_terminal_kill},
	{"terminal.respawn", OP | BH_METHOD_INSIDE, bh_method_terminal_respawn},
	{"terminal.forget", OP | BH_METHOD_INSIDE, bh_method_terminal_forget},
	{"terminal.wait_state", ALL, bh_method_terminal_wait_state},
	{"terminal.log", ALL, bh_method_terminal_log},
	{"terminal.capture", OP, bh_method_terminal_capture},
	{"terminal.explain", ALL, bh_method_terminal_explain},
	{"terminal.attach", OP | BH_METHOD_INSIDE | CONNECTED, bh_method_terminal_attach},
	{"terminal.detach", OP | BH_METHOD_INSIDE | CONNECTED, bh_method_terminal_detach},

	{"terminal.history", ALL, bh_method_terminal_history},

	{"layout.get", ALL, bh_method_layout_get},
	{"layout.arrange", OP, bh_method_layout_arrange},
	{"tab.new", OP, bh_method_tab_new},
	{"tab.select", OP, bh_method_tab_select},
	{"tab.rename", OP, bh_method_tab_rename},
	{"tab.move", OP, bh_method_tab_move},
	{"tab.swap", OP, bh_method_tab_swap},
	{"tab.close", OP, bh_method_tab_close},
	{"pane.split", OP, bh_method_pane_split},
	{"pane.show", OP, bh_method_pane_show},
	{"pane.focus", OP, bh_method_pane_focus},
	{"pane.swap", OP, bh_method_pane_swap},
	{"pane.zoom", OP, bh_method_pane_zoom},
	{"pane.resize", OP, bh_method_pane_resize},
	{"pane.break", OP, bh_method_pane_break},
	{"pane.join", OP, bh_method_pane_join},
	{"pane.rotate", OP, bh_method_pane_rotate},
	{"pane.close", OP, bh_method_pane_close},
	{"session.size_policy", OP, bh_method_session_size_policy},
	{"ui.attach", OP | BH_METHOD_INSIDE | CONNECTED, bh_method_ui_attach},
	{"ui.size", OP | BH_METHOD_INSIDE | CONNECTED, bh_method_ui_size},
	{"ui.detach", OP | BH_METHOD_INSIDE | CONNECTED, bh_method_ui_detach},
	{"events.subscribe", ALL | CONNECTED, bh_method_events_subscribe},
	{"events.unsubscribe", ALL | CONNECTED, bh_method_events_unsubscribe},

	{"message.send", ALL, bh_method_message_send},
	{"inbox.read", ALL, bh_method_inbox_read},
	{"inbox.confirm", ALL, bh_method_inbox_confirm},
	{"inbox.peek", ALL, bh_method_inbox_peek},
	{"inbox.wait", IN, bh_method_inbox_wait},
	{"mail.history", ALL, bh_method_mail_history},
	{"mail.receipt", ALL, bh_method_mail_receipt},
	{"mail.receipts", ALL, bh_method_mail_receipts},
	{"mail.ack", ALL, bh_method_mail_ack},
	{"room.join", ALL, bh_method_room_join},
	{"room.leave", ALL, bh_method_room_leave},
	{"room.list", ALL, bh_method_room_list},
	{"room.members", ALL, bh_method_room_members},
	{"task.list", ALL, bh_method_task_list},
	{"task.show", ALL, bh_method_task_show},
	{"task.complete", ALL, bh_method_task_complete},
	{"task.cancel", ALL, bh_method_task_cancel},
	{"channel.open", ALL | CONNECTED, bh_method_channel_open},
	{"channel.ack", ALL | CONNECTED, bh_method_channel_ack},
	// Only of an agent that the caller started: bh_target_may_act().
	{"channel.steer", OP | BH_METHOD_INSIDE, bh_method_channel_steer},
	{"identity.announce", IN, bh_method_identity_announce},
	{"identity.register", ALL, bh_method_identity_register},
	{"identity.release", OP | BH_METHOD_EXTERNAL, bh_method_identity_release},
	{"identity.registered", ALL, bh_method_identity_registered},
	{"identity.whoami", ANY, bh_method_identity_whoami},
	{"notice.ring", OP, bh_method_notice_ring},
	{"guard.dnd", ALL, bh_method_guard_dnd},
	{"guard.block", ALL, bh_method_guard_block},
	{"parked.list", ALL, bh_method_parked_list},
	{"parked.discard", OP, bh_method_parked_discard},
	{"wake.can_wake", ALL, bh_method_wake_can_wake},

	{"hook.event", BH_METHOD_INSIDE, bh_method_hook_event},

	{NULL, 0, NULL},
};
