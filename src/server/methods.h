/** @file
 * The functions behind the protocol's methods, for the table in methods.c. doc/PROTOCOL.md says what
 * each takes and gives; a method's file is named after its group.
 */
#ifndef BH_SERVER_METHODS_H
#define BH_SERVER_METHODS_H

#include "src/server/rpc.h"

/** method_server.c: `server.*`. */
void bh_method_server_info(struct bh_request *request);
/** See above. */
void bh_method_server_stop(struct bh_request *request);
/** See above. */
void bh_method_server_upgrade(struct bh_request *request);
/** See above. */
void bh_method_server_reload(struct bh_request *request);

/** method_doctor.c: what `bellhop doctor` cannot see from outside. */
void bh_method_doctor_store(struct bh_request *request);
/** See above. */
void bh_method_doctor_keeper(struct bh_request *request);
/** See above. */
void bh_method_doctor_terminals(struct bh_request *request);

/** method_agent.c. */
void bh_method_agent_installed(struct bh_request *request);

/** method_terminal.c: life of terminals. */
void bh_method_terminal_run(struct bh_request *request);
/** See above. */
void bh_method_terminal_list(struct bh_request *request);
/** See above. */
void bh_method_terminal_get(struct bh_request *request);
/** See above. */
void bh_method_terminal_kill(struct bh_request *request);
/** See above. */
void bh_method_terminal_respawn(struct bh_request *request);
/** See above. */
void bh_method_terminal_forget(struct bh_request *request);

/** method_terminal_look.c: what terminals show. */
void bh_method_terminal_screen(struct bh_request *request);
/** See above. */
void bh_method_terminal_log(struct bh_request *request);
/** See above. */
void bh_method_terminal_capture(struct bh_request *request);
/** method_history.c. */
void bh_method_terminal_history(struct bh_request *request);
/** method_terminal_look.c again. */
void bh_method_terminal_explain(struct bh_request *request);
/** See above. */
void bh_method_terminal_wait_state(struct bh_request *request);

/** method_terminal_input.c: keys, sizes, attached clients. */
void bh_method_terminal_type(struct bh_request *request);
/** See above. */
void bh_method_terminal_keys(struct bh_request *request);
/** See above. */
void bh_method_terminal_resize(struct bh_request *request);
/** See above. */
void bh_method_terminal_attach(struct bh_request *request);
/** See above. */
void bh_method_terminal_detach(struct bh_request *request);

/** method_hook.c. */
void bh_method_hook_event(struct bh_request *request);

#endif
