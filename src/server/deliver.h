/** @file
 * Delivery: carries stored mail to the terminals, as doc/CONTRACT.md sections 3 to 6 say. It asks
 * the pure modules of src/wake what to do and does it through its host (the server, or a fake in the
 * tests) and the mail store.
 *
 *     deliver = bh_deliver_new(&host, user, store);
 *     the store says `changed`:          bh_deliver_mail_changed(deliver, mailbox);
 *     a terminal was made or respawned:  bh_deliver_bound(deliver, id);
 *     after each evaluation of a judge, after a hook, and after each batch of output while
 *     bh_deliver_is_typing():            bh_deliver_look(deliver, id);
 *     its child is gone:                 bh_deliver_exited(deliver, id);
 *     the time given to wake_at came:    bh_deliver_tick(deliver);
 *     requests:                          bh_deliver_send(), _read(), _confirm(), _wait(), _ring()
 *     the end:                           bh_deliver_stop(), bh_store_close(), bh_deliver_free()
 *
 * A function of this header never calls a callback that it was given before it returns. The host's
 * functions are called at any time and must not call deliver. Times are monotonic milliseconds.
 */
#ifndef BH_SERVER_DELIVER_H
#define BH_SERVER_DELIVER_H

#include "src/agent/judge.h"
#include "src/base/uuid.h"
#include "src/base/words.h"
#include "src/mail/identity.h"
#include "src/mail/request.h"
#include "src/server/deliver_point.h"
#include "src/wake/outcome.h"
#include "src/wake/tier.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_deliver;
struct bh_mailbox;
struct bh_profile;
struct bh_proof;
struct bh_screen;
struct bh_store;
struct bh_waiter;

/** Names that one terminal may answer to. */
#define BH_DELIVER_NAMES_MAX 16

/** What delivery must know of a terminal, at the moment of the call. All pointers are borrowed until
 * the host returns to the loop. */
struct bh_deliver_view {
	/** The judge's verdict, evaluated now on the screen as it is, with fresh tty facts. */
	struct bh_verdict verdict;
	/** The screen. */
	const struct bh_screen *screen;
	/** The profile of the program. */
	const struct bh_profile *profile;
	/** The agent that somebody typed into it, a shell, by its program's name: the state is that
	 * one's, and nothing is typed there. NULL: none. */
	const char *watched;
	/** Share of the time in which its state was unknown (percent). */
	unsigned unknown_percent;
	/** The mode in force (bh_terminal_record_mode()). */
	enum bh_mode mode;
	/** Its names, the newest last; the identity from birth first. */
	const char *names[BH_DELIVER_NAMES_MAX];
	/** How many. */
	size_t name_count;
	/** Its reader of proofs; it hears of hooks without us. */
	struct bh_proof *proof;
	/** The record of the session that it was started to go on with, if it still must be in that one
	 * (bh_resume_record()). NULL: not known. */
	const char *session_record;
	/** When the last byte of output came. */
	uint64_t last_output_ms;
	/** When a person last pressed a key, or the size last changed; 0: never. */
	uint64_t disturbed_ms;
	/** Bytes for the program wait: in the write queue, or in its tty, which it does not read. What
	 * it shows is then not what it will do. */
	bool has_unread_input;
};

/** What delivery needs done. Every function gets the `user` of bh_deliver_new(). */
struct bh_deliver_host {
	/** Monotonic milliseconds. */
	uint64_t (*now_ms)(void *user);
	/** Fill @view_out; false when there is no such living terminal. Evaluates the judge afresh. */
	bool (*view)(void *user, const struct bh_uuid *terminal, struct bh_deliver_view *view_out);
	/** Whether programs of this profile are typed into at all. NULL: all are. */
	bool (*is_typed)(void *user, const char *profile);
	/** Output of the program waits to be read: the screen is older than what it shows. */
	bool (*has_output)(void *user, const struct bh_uuid *terminal);
	/** Put bytes in the write queue of the terminal, behind nothing else, and tell its judge
	 * @what they are. 0 or a negative code (nothing written). */
	int (*write)(void *user, const struct bh_uuid *terminal, const void *bytes, size_t len,
	             enum bh_input what);
	/** From now keys of people are kept back, in order, and resizes too. */
	void (*hold)(void *user, const struct bh_uuid *terminal);
	/** What was kept back goes on. With @drop_answers held Enter, Esc and digits are dropped and
	 * the people who look at the terminal are told so: a dialog appeared meanwhile. */
	void (*release)(void *user, const struct bh_uuid *terminal, bool drop_answers);
	/** Show this in the border or status line ("typing mail"); "" takes it away. */
	void (*note)(void *user, const struct bh_uuid *terminal, const char *text);
	/** Call bh_deliver_tick() at this time; 0: no more. Replaces the time given before. */
	void (*wake_at)(void *user, uint64_t at_ms);
	/** Somebody looks at this session now (counts for the operator's mailbox). */
	bool (*has_ui)(void *user);
	/** Milliseconds since 1970, for what people read. */
	int64_t (*wall_ms)(void *user);
	/** How long (ms) the machine has been suspended so far, ever. */
	uint64_t (*slept_ms)(void *user);
	/** The machine was suspended: what was known of the agents by events is of the past. */
	void (*resumed)(void *user);
	/** Tell the people who look at the session. */
	void (*tell)(void *user, const char *text);
	/** For tests, NULL in the program: a typing has come to this point. */
	void (*point)(void *user, const struct bh_uuid *terminal, enum bh_deliver_point point);
};

/* ---- what the server tells ------------------------------------------------------------------- */

/** Start delivery. @host, @user and @store must outlive it. Typings that a crash cut are taken up
 * when their terminal is bound. */
struct bh_deliver *bh_deliver_new(const struct bh_deliver_host *host, void *user,
                                  struct bh_store *store);

/** Answer every request that waits (as with no_wait) and begin nothing new. What the store has under way
 * is answered when it ends. */
void bh_deliver_stop(struct bh_deliver *deliver);

/** Free it, after the store has reported `closed`. NULL is allowed. */
void bh_deliver_free(struct bh_deliver *deliver);

/** The store's event `changed`. */
void bh_deliver_mail_changed(struct bh_deliver *deliver, const struct bh_mailbox *mailbox);

/** A living terminal got an identity or another alias: mail that waits for it may go now. After a
 * restart of the server: call it for each adopted terminal once its screen is back. */
void bh_deliver_bound(struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** Something about the terminal may be different: state, screen, mode, or a hook event came. Cheap
 * when nothing is due. */
void bh_deliver_look(struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** A person pressed a key in it. */
void bh_deliver_person(struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** Its child is gone; waiters in it end, what was being typed is settled. */
void bh_deliver_exited(struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** The time of wake_at came. */
void bh_deliver_tick(struct bh_deliver *deliver);

/** Whether somebody waits for its mail, or a channel of it is open. */
bool bh_deliver_is_reading(const struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** Whether mail is being typed into it now (the caller then looks after every batch of output). */
bool bh_deliver_is_typing(const struct bh_deliver *deliver, const struct bh_uuid *terminal);

/* ---- requests --------------------------------------------------------------------------------- */

/**
 * The answer to a send or a ring.
 *
 * @err
 *         Code 0, or why nothing was stored (see bh_store_put()): then @outcome is NULL.
 * @outcome
 *         Borrowed for the call.
 */
typedef void bh_deliver_sent(void *user, const struct bh_err *err,
                             const struct bh_outcome *outcome);

/** How to answer a send. */
struct bh_deliver_send {
	/** The message; `take` is ours to set. */
	struct bh_put put;
	/** Answer as soon as it is stored. */
	bool no_wait;
	/** Answer only once it is seen, or after so long (ms); 0: the usual rule. */
	uint64_t wait_seen_ms;
};

/** Store a message and carry it. 0: @done is called once, later. Else nothing was stored. */
int bh_deliver_send(struct bh_deliver *deliver, const struct bh_deliver_send *what,
                    bh_deliver_sent *done, void *user, struct bh_err *err);

/** All unread mail of a terminal is about to be thrown away: whoever waits for it hears that. */
void bh_deliver_discarding(struct bh_deliver *deliver, const char *terminal);

/** A person rings: the recipient's notice has its whole budget again. As bh_deliver_send(). */
int bh_deliver_ring(struct bh_deliver *deliver, const char *identity, bh_deliver_sent *done,
                    void *user, struct bh_err *err);

/** Mail that was handed to a reader. Borrowed for the call. */
struct bh_reading {
	/** Code 0, or why it could not be read. */
	struct bh_err err;
	/** In order of seq, with bodies. */
	const struct bh_message *messages;
	/** How many; 0 with is_timed_out, or when nothing is unread. */
	size_t count;
	/** For bh_deliver_confirm(); 0 when count is 0. */
	uint64_t claim_id;
	/** Unread beyond these. */
	uint64_t unread_left;
	/** A wait ended without mail. */
	bool is_timed_out;
	/** Number and time (wall clock, ms) of a notice whose mail somebody else has read; 0: none. */
	uint64_t read_notice_id;
	/** See read_notice_id. */
	int64_t read_at_ms;
};

/** What a reader gets, once, from the loop. */
typedef void bh_deliver_read_done(void *user, const struct bh_reading *reading);

/** Who reads. */
struct bh_deliver_reader {
	/** The terminal that it is in, or NULL (a person; an external program). */
	const struct bh_uuid *terminal;
	/** Mailboxes, or none: all names of the terminal. */
	const char *const *names;
	/** How many. */
	size_t name_count;
	/** Most messages; 0: the store's limit. */
	size_t limit;
	/** Of a wait: how long (ms). */
	uint64_t timeout_ms;
	/** Of a wait: whether the process that waits, and its parents, still live. NULL: yes. */
	bool (*is_alive)(void *user);
	/** Gets the mail. */
	bh_deliver_read_done *done;
	/** Argument of is_alive and done. */
	void *user;
};

/** Hand over unread mail now. 0: done is called once. */
int bh_deliver_read(struct bh_deliver *deliver, const struct bh_deliver_reader *reader,
                    struct bh_err *err);

/** Wait for mail; the newest waiter of a terminal gets it first. NULL with @err when refused. */
struct bh_waiter *bh_deliver_wait(struct bh_deliver *deliver,
                                  const struct bh_deliver_reader *reader, struct bh_err *err);

/** The waiter is gone: its connection ended. Its done is not called; the pointer is dead. */
void bh_deliver_wait_cancel(struct bh_deliver *deliver, struct bh_waiter *waiter);

/** The reader has shown it. As bh_store_confirm(): BH_ENOTFOUND when the lease is over. */
int bh_deliver_confirm(struct bh_deliver *deliver, uint64_t claim_id, bh_store_done *done,
                       void *user, struct bh_err *err);

/** How far it is proved that an identity can be woken. */
struct bh_tier_verdict bh_deliver_can_wake(struct bh_deliver *deliver, const char *identity);

#endif
