/** @file
 * Names of mailboxes: what a well-formed name is, when two names are the same, which known name is
 * nearest to a mistyped one. Pure functions; who holds a name is the store's business (store.h).
 *
 * An identity is `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, unique under ASCII case folding. A room is `#`
 * and a name of the same form. `operator`, `bellhop` and `all` are reserved in any case.
 */
#ifndef BH_MAIL_IDENTITY_H
#define BH_MAIL_IDENTITY_H

#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Longest name without `#`, in bytes. */
#define BH_IDENTITY_MAX 64

/** Bytes that hold any address, `#` and NUL included. */
#define BH_IDENTITY_SIZE (BH_IDENTITY_MAX + 2)

/** What an address is the name of. Values are on disk: append only. */
enum bh_identity_kind {
	/** An agent's (or an external program's) mailbox. */
	BH_IDENTITY_AGENT = 0,
	/** The mailbox of the people who own the session. */
	BH_IDENTITY_OPERATOR = 1,
	/** bellhop itself, as a sender of lifecycle mail. */
	BH_IDENTITY_BELLHOP = 2,
	/** A room, `#name`. */
	BH_IDENTITY_ROOM = 3,
};

/** How mail reaches a terminal. Values are on disk: append only. */
enum bh_mode {
	/** Nobody chose: message, or notice once the terminal has started an agent. */
	BH_MODE_DEFAULT = 0,
	/** The text is typed. */
	BH_MODE_MESSAGE = 1,
	/** A payload-free notice is typed. */
	BH_MODE_NOTICE = 2,
	/** Nothing is typed. */
	BH_MODE_OFF = 3,
};

/** "Do not disturb" of a name. Values are on disk: append only. */
enum bh_dnd_state {
	/** Off. */
	BH_DND_STATE_OFF = 0,
	/** Until somebody ends it. */
	BH_DND_STATE_ON = 1,
	/** Until a time. */
	BH_DND_STATE_TIME = 2,
	/** Until its agent is idle, once it has worked. */
	BH_DND_STATE_NEXT_IDLE = 3,
	/** Until its agent is idle: it has worked. */
	BH_DND_STATE_IDLE = 4,
};

/** "default", "message", "notice" or "off". Static. */
const char *bh_mode_word(enum bh_mode mode);

/** The mode of a word, as bh_mode_word() gives it. @return 0 or BH_EINVALID (@err says the words). */
int bh_mode_parse(const char *word, enum bh_mode *mode_out, struct bh_err *err);

/** Whether @name is well formed as an identity (not a room). Reserved names are well formed. */
bool bh_identity_is_valid(const char *name);

/** Whether @name is `#` and a well-formed name. */
bool bh_identity_is_room(const char *name);

/** Whether @name is operator, bellhop or all, in any case. */
bool bh_identity_is_reserved(const char *name);

/**
 * Check a name that a terminal or program wants to hold.
 *
 * @return
 *         0, or BH_EINVALID with a sentence that says what a name may look like (malformed, a
 *         room, reserved).
 */
int bh_identity_check(const char *name, struct bh_err *err);

/**
 * Check a name that mail is sent to: as bh_identity_check(), but `operator` and rooms are allowed.
 *
 * @return
 *         0 or BH_EINVALID.
 */
int bh_identity_check_recipient(const char *name, struct bh_err *err);

/** Write the folded form of @name (ASCII lower case), under which names are unique. Cuts at size. */
void bh_identity_fold(const char *name, char folded_out[BH_IDENTITY_SIZE]);

/** Whether two names are the same name. */
bool bh_identity_is_same(const char *a, const char *b);

/**
 * The set of characters of a folded name, a bit for each. Names within @limit mistakes differ by at
 * most @limit bits in each direction: bh_identity_may_be_near().
 */
uint64_t bh_identity_letters(const char *folded);

/** Whether names with these sets can be within @limit mistakes; false: they are not. */
bool bh_identity_may_be_near(uint64_t a, uint64_t b, unsigned limit);

/**
 * How many single-character mistakes (insert, drop, replace, swap of neighbours) lie between two
 * names, case ignored.
 *
 * @limit
 *         Do not count beyond this.
 * @return
 *         0 to @limit, or @limit + 1 for "more".
 */
unsigned bh_identity_distance(const char *a, const char *b, unsigned limit);

/**
 * Write the automatic name number @n of a base: the base itself for 1, `claude-2` for 2. The base
 * is cut so that the name is never too long; a base that is no valid name becomes `agent`.
 */
void bh_identity_auto(const char *base, unsigned n, char name_out[BH_IDENTITY_SIZE]);

#endif
