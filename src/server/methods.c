#include "src/server/methods.h"

#include <stddef.h>

#define OP BH_METHOD_OPERATOR
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

	{"hook.event", BH_METHOD_INSIDE, bh_method_hook_event},

	{NULL, 0, NULL},
};
