#include "src/server/methods.h"

#include "src/server/method_layout.h"
#include "src/server/method_mail.h"

#include <stddef.h>

#define OP BH_METHOD_OPERATOR
#define IN (BH_METHOD_INSIDE | BH_METHOD_EXTERNAL)
#define ALL BH_METHOD_ALL
#define ANY (BH_METHOD_ALL | BH_METHOD_UNVERIFIED)
#define CONNECTED BH_METHOD_NEEDS_CONNECTION

const struct bh_method bh_methods[] = {
	{"server.info", ANY, bh_method_server_info},
	{"server.stop", OP, bh_method_server_stop},
	{"server.upgrade", OP, bh_method_server_upgrade},

	{"terminal.run", ALL, bh_method_terminal_run},
	{"terminal.list", ALL, bh_method_terminal_list},
	{"terminal.get", ALL, bh_method_terminal_get},
	{"terminal.screen", ALL, bh_method_terminal_screen},
	{"terminal.type", OP, bh_method_terminal_type},
	{"terminal.keys", OP, bh_method_terminal_keys},
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
	{"mail.ack", ALL, bh_method_mail_ack},
	{"identity.announce", IN, bh_method_identity_announce},
	{"identity.whoami", ANY, bh_method_identity_whoami},
	{"notice.ring", OP, bh_method_notice_ring},
	{"wake.can_wake", ALL, bh_method_wake_can_wake},

	{"hook.event", BH_METHOD_INSIDE, bh_method_hook_event},

	{NULL, 0, NULL},
};
