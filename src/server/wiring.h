/** @file
 * What connects the parts: terminals tell delivery, spool and waiting requests what happens; delivery
 * acts on terminals through its host functions; the store tells delivery what changed.
 */
#ifndef BH_SERVER_WIRING_H
#define BH_SERVER_WIRING_H

#include "src/server/callers.h"
#include "src/server/deliver.h"
#include "src/server/terminal.h"

struct bh_mailbox;
struct bh_server;

/** Who listens to terminals. */
extern const struct bh_terminal_events bh_wiring_terminal_events;

/** What delivery acts through; `user` is the struct bh_server. */
extern const struct bh_deliver_host bh_wiring_deliver_host;

/** The world of bh_callers_identify() for this server; the keeper's pid is filled in by the caller. */
struct bh_callers_world bh_wiring_callers_world(struct bh_server *server);

/** The store's event `changed`; @user is the struct bh_server. */
void bh_wiring_mail_changed(void *user, const struct bh_mailbox *mailbox);

#endif
