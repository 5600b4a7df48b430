/** @file
 * Requests to the store about the guards: turns and chains of messages, "do not disturb", blocked
 * senders, mail that is thrown away. The rules of store.h hold.
 */
#ifndef BH_MAIL_STORE_GUARD_H
#define BH_MAIL_STORE_GUARD_H

#include "src/mail/store.h"

/** "Do not disturb" of a name. */
struct bh_set_dnd {
	/** Whose. */
	const char *name;
	/** What from now on. */
	enum bh_dnd_state dnd;
	/** With BH_DND_STATE_TIME: until when (wall clock, ms). */
	int64_t until_ms;
};

/** A name blocks a sender, or blocks it no more. */
struct bh_set_block {
	/** Whose mailbox. */
	const char *name;
	/** Whose mail. */
	const char *sender;
	/** Block, or not any more. */
	bool is_blocked;
};

/** The turn of a terminal has ended: what it took stays seen, whatever becomes of the program. */
int bh_store_end_turn(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                      struct bh_err *err);

/** A person acted in a terminal: chains of messages begin anew there, and mail to or from it that its
 * chain kept from waking wakes again. */
int bh_store_person(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                    struct bh_err *err);

/** Set "do not disturb" of a name. BH_ENOTFOUND: no agent ever used it. */
int bh_store_set_dnd(struct bh_store *store, const struct bh_set_dnd *what, bh_store_done *done,
                     void *user, struct bh_err *err);

/**
 * Block a sender in a mailbox: no route but the inbox itself shows its unread mail, until it is
 * unblocked. BH_ENOTFOUND: no agent ever used the name; BH_EINVALID: the sender is a reserved name or
 * the same; BH_ELIMIT: too many.
 */
int bh_store_set_block(struct bh_store *store, const struct bh_set_block *what, bh_store_done *done,
                       void *user, struct bh_err *err);

/** A person throws away all unread mail of the names, or of the terminal, of @what: seen (discarded).
 * answer->seq is their number. */
int bh_store_discard(struct bh_store *store, const struct bh_take *what, bh_store_done *done,
                     void *user, struct bh_err *err);

#endif
