/** @file
 * The turn of a terminal and what it took: which typed mail becomes unread again if the program ends
 * before its turn does, and how long the chain of messages is that led to it. Handlers of the ledger
 * (ledger.h), for the changes of the same name (change.h), and what they share with others.
 *
 * The hops of a message are 1 + the largest hops of what it follows: the message that it answers, and
 * the mail that the turn took in which it was sent. A message that follows nothing, and any message of
 * a person, has 0; what lies before a person's last act in either terminal counts as 0, too. A turn
 * that has ended still counts until another takes mail: what runs on behind it belongs to its chain.
 * What bellhop says about a terminal follows its turn, and that in which an agent started it.
 */
#ifndef BH_MAIL_TURN_H
#define BH_MAIL_TURN_H

#include "src/mail/ledger.h"

/** A turn of @terminal begins with typed mail: what the turn before took does not count any more. */
int bh_turn_begin(struct bh_ledger *ledger, const char *terminal);

/**
 * The turn of @terminal has a message now; bh_ledger_touch_terminal() is due when it has all.
 *
 * @is_typed
 *         It was typed: it becomes unread again if the terminal ends before the turn does.
 */
int bh_turn_take(struct bh_ledger *ledger, const char *terminal, uint64_t seq, uint64_t mailbox_id,
                 bool is_typed);

/** As bh_turn_take(), in the terminal that backs the mailbox, if there is one; and it is told. */
int bh_turn_take_in(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                    uint64_t mailbox_id);

/** The hops of the message that @change stores (put), which answers message @reply_to (0: none). */
int bh_turn_hops(struct bh_ledger *ledger, const struct bh_change *change, uint64_t to_id,
                 uint64_t reply_to, int *hops_out);

/** A terminal ended: typed mail of a turn that runs is unread again. */
int bh_turn_break(struct bh_ledger *ledger, struct bh_change *change, const char *terminal);

/** BH_CHANGE_END_TURN. */
int bh_turn_end(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_PERSON. */
int bh_turn_person(struct bh_ledger *ledger, struct bh_change *change);

#endif
