/** @file
 * Delivery: carries stored mail to the terminals, as doc/CONTRACT.md sections 3 to 6 say. It asks
 * the pure modules of src/wake what to do and does it through its host (the server, or a fake in the
 * tests) and the mail store.
 *
 *     deliver = bh_deliver_new(&host, user, store);
 *     a terminal was made or respawned:  bh_deliver_bound(deliver, id);
 *     after each evaluation of a judge, and after each batch of output while
 *     bh_deliver_is_typing():            bh_deliver_look(deliver, id);
 *     its child is gone:                 bh_deliver_exited(deliver, id);
 *     the time given to wake_at came:    bh_deliver_tick(deliver);
 *     requests:                          bh_deliver_send(), _read(), _confirm(), _wait(), _ring() …
 *
 * No function of this header calls back into its caller's callbacks before it returns, except the
 * host's functions, which must not call deliver again. Times are monotonic milliseconds.
 */
#ifndef BH_SERVER_DELIVER_H
#define BH_SERVER_DELIVER_H

#include "src/agent/judge.h"
#include "src/base/uuid.h"
#include "src/base/words.h"
#include "src/mail/identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_deliver;
struct bh_err;
struct bh_profile;
struct bh_proof;
struct bh_screen;
struct bh_store;

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
	/** The mode in force (bh_terminal_record_mode()). */
	enum bh_mode mode;
	/** Its names, the newest last; the identity from birth first. */
	const char *names[BH_DELIVER_NAMES_MAX];
	/** How many. */
	size_t name_count;
	/** Its reader of proofs; it hears of hooks without us. */
	struct bh_proof *proof;
	/** When the last byte of output came. */
	uint64_t last_output_ms;
	/** When a person last pressed a key, or the size last changed; 0: never. */
	uint64_t disturbed_ms;
	/** Bytes for the program wait in the write queue (its tty does not take them). */
	bool is_write_blocked;
};

/** What delivery needs done. Every function gets the `user` of bh_deliver_new(). */
struct bh_deliver_host {
	/** Monotonic milliseconds. */
	uint64_t (*now_ms)(void *user);
	/** The living terminal that backs an identity (any spelling of case) now. */
	bool (*find)(void *user, const char *identity, struct bh_uuid *terminal_out);
	/** Fill @view_out; false when there is no such living terminal. Evaluates the judge afresh. */
	bool (*view)(void *user, const struct bh_uuid *terminal, struct bh_deliver_view *view_out);
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
	/** Unread mail or parking of an identity changed (list, UI). */
	void (*mail_changed)(void *user, const char *identity);
};

/** Start delivery. @host, @user and @store must outlive it. Typings that a crash cut are taken up
 * when their terminal is bound. */
struct bh_deliver *bh_deliver_new(const struct bh_deliver_host *host, void *user,
                                  struct bh_store *store);

/** End it. Requests that wait are answered before (as --no-wait). NULL is allowed. */
void bh_deliver_free(struct bh_deliver *deliver);

/** A living terminal got an identity or another alias: mail that waits for it may go now. After a
 * restart of the server: call it for each adopted terminal once its screen is back. */
void bh_deliver_bound(struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** Something about the terminal may be different: state, screen, mode, or a hook event came. Cheap
 * when nothing is due. */
void bh_deliver_look(struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** Its child is gone; waiters in it end, what was being typed is settled. */
void bh_deliver_exited(struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** The time of wake_at came. */
void bh_deliver_tick(struct bh_deliver *deliver);

/** Whether mail is being typed into it now (the caller then looks after every batch of output). */
bool bh_deliver_is_typing(const struct bh_deliver *deliver, const struct bh_uuid *terminal);

#endif
