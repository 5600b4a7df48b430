/** @file
 * The bell: notices on disk, their budget, and what their rings mean for the mail. Handlers of the
 * ledger (ledger.h), for the changes of the same name (change.h), and what custody.h needs.
 */
#ifndef BH_MAIL_BELL_H
#define BH_MAIL_BELL_H

#include "src/mail/ledger.h"

/**
 * The notice that an attempt in a terminal may ring: the open one, or a new one.
 *
 * @return
 *         1 and *notice_id_out; 0 when nothing is unread; BH_EDENIED when its budget is spent;
 *         another code.
 */
int bh_bell_claim(struct bh_ledger *ledger, struct bh_change *change, const char *terminal,
                  uint64_t *notice_id_out);

/** The first byte of a ring is about to be written: it costs now (@by 1); or none was (@by -1).
 * @return 0 or code. */
int bh_bell_count_ring(struct bh_ledger *ledger, struct bh_change *change, const char *terminal,
                       uint64_t notice_id, int by);

/** A ring was submitted: receipt noticed for the terminal's unread mail. @return 0 or code. */
int bh_bell_prove(struct bh_ledger *ledger, struct bh_change *change, const char *terminal,
                  uint64_t notice_id);

/**
 * Close the newest notice of a terminal unless it is closed.
 *
 * @was_read
 *         Whether all of its mail was read; else only a page, or the terminal is gone.
 */
int bh_bell_close(struct bh_ledger *ledger, struct bh_change *change, const char *terminal,
                  bool was_read);

/** Close the notice of a mailbox's terminal if nothing is unread or claimed there. */
int bh_bell_close_if_read(struct bh_ledger *ledger, struct bh_change *change, uint64_t mailbox_id);

/** BH_CHANGE_PARK. */
int bh_bell_park(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_UNPARK. */
int bh_bell_unpark(struct bh_ledger *ledger, struct bh_change *change);

#endif
