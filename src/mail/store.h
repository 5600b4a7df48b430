/** @file
 * The store: all mail of a session, safe on disk (SQLite), and the part of it that decisions need
 * in memory.
 *
 * How it is used:
 * 1. bh_store_open() reads the database, voids what a crash left behind, and starts the writer
 *    thread. Claims that are marked `is_recovered` are typing attempts that the caller resolves.
 * 2. *Reads* (bh_store_mailbox(), ...) answer at once from memory, which only commits change.
 * 3. *Requests* (bh_store_put(), ...) queue a change. It is committed with whatever else is queued
 *    then; afterwards, on the loop, memory is brought up to date and the request's callback is
 *    called, in the order of the requests. A callback never comes inside the call that asked.
 * 4. After the callbacks of a batch, the event `changed` is called once for each mailbox that is not
 *    as it was: the moment to decide again.
 * 5. bh_store_close() commits what is queued, calls every callback, then `closed`.
 *
 * A request that returned 0 gets its callback exactly once. Otherwise it returned
 * - BH_EBUSY: the queue is full, nothing was stored, try again soon;
 * - BH_EINVALID, BH_ELIMIT: the arguments are wrong (@err says what to do);
 * - BH_ECLOSED: the store is closing,
 * and the callback is never called. The answer's code is 0, a BH_E code that the request documents,
 * or -errno of the disk (-ENOSPC, -EIO): then nothing of the request is stored, its sentence says
 * what to do, and later requests work again once the disk does.
 *
 * Strings in arguments are borrowed for the call. Names may be in any case.
 */
#ifndef BH_MAIL_STORE_H
#define BH_MAIL_STORE_H

#include "src/base/err.h"
#include "src/mail/claim.h"
#include "src/mail/identity.h"
#include "src/mail/mailbox.h"
#include "src/mail/message.h"
#include "src/mail/notice.h"
#include "src/mail/request.h"
#include "src/mail/terminal_record.h"

#include <uv.h>

struct bh_store;

/** Calls out of the store, from the loop only. Any may be NULL. */
struct bh_store_events {
	/** A mailbox (its mail, its binding, its notice, a claim on it) is not as it was. */
	void (*changed)(void *user, const struct bh_mailbox *mailbox);
	/** The store is closed and freed; the last call. */
	void (*closed)(void *user);
};

/** Most names that bh_store_nearest() finds. */
#define BH_STORE_NEAREST_MAX 8

/** How to open a store. */
struct bh_store_settings {
	/** Loop for answers and events. */
	uv_loop_t *loop;
	/** Database file; its folder must exist. Created with mode 0600. */
	const char *path;
	/** Events; borrowed until `closed`. */
	const struct bh_store_events *events;
	/** First argument of the events. */
	void *user;
	/** Most requests in the queue; 0 for the default (4096). Sends stop at half of it. */
	size_t queue_max;
	/** Most pages in the database, for tests of a full disk; 0 for no limit. */
	unsigned max_pages;
};

/* ---- life ---------------------------------------------------------------------------------- */

/**
 * Open or create the database, bring it to this version, recover, read what is live.
 *
 * Recovery: mail claimed by a reader, and by an attempt in phase `claimed`, is unread again
 * (receipt: returned, "restart"). Later phases stay as they are, marked is_recovered.
 *
 * @return
 *         0 and *store_out; BH_EVERSION (a newer bellhop wrote it), BH_ECORRUPT, or -errno. @err
 *         names the file and says what to do.
 */
int bh_store_open(const struct bh_store_settings *settings, struct bh_store **store_out,
                  struct bh_err *err);

/** Stop taking requests, commit the queued ones, call their callbacks, free, report `closed`. */
void bh_store_close(struct bh_store *store);

/* ---- reads: at once, from memory ------------------------------------------------------------ */

/** The mailbox of a name, or NULL: nothing was ever sent to it and nobody ever used it. */
const struct bh_mailbox *bh_store_mailbox(const struct bh_store *store, const char *name);

/** All mailboxes: NULL gives the first, then the one after @previous; NULL at the end. */
const struct bh_mailbox *bh_store_next_mailbox(const struct bh_store *store,
                                               const struct bh_mailbox *previous);

/** A message that is not seen yet, by mailbox and number; NULL when it is seen or not there. */
const struct bh_item *bh_store_item(const struct bh_store *store, const char *name, uint64_t seq);

/** The number of the newest message of the store, whoever it is for; 0 for none. */
uint64_t bh_store_last_seq(const struct bh_store *store);

/** The record of a terminal that is live or waits for a respawn, or NULL. */
const struct bh_terminal_record *bh_store_terminal(const struct bh_store *store, const char *uuid);

/** All such terminals: NULL gives the first, then the one after @previous; NULL at the end. */
const struct bh_terminal_record *bh_store_next_terminal(const struct bh_store *store,
                                                        const struct bh_terminal_record *previous);

/** The names of a terminal: NULL gives the oldest, then the one after @previous; NULL at the end. */
const struct bh_mailbox *bh_store_next_name(const struct bh_terminal_record *terminal,
                                            const struct bh_mailbox *previous);

/** The newest name of a terminal, as which it speaks; NULL when it has none. */
const struct bh_mailbox *bh_store_speaks_as(const struct bh_terminal_record *terminal);

/** An open claim by its number, or NULL. */
const struct bh_claim *bh_store_claim(const struct bh_store *store, uint64_t claim_id);

/** All open claims: NULL gives the first, then the one after @previous; NULL at the end. */
const struct bh_claim *bh_store_next_claim(const struct bh_store *store,
                                           const struct bh_claim *previous);

/** The open typing attempt (kind TYPING or NOTICE) of a terminal, or NULL. At most one exists. */
const struct bh_claim *bh_store_attempt(const struct bh_store *store, const char *terminal);

/**
 * Known names within three mistakes of @name, nearest first.
 *
 * @return
 *         Number of entries of @mailboxes_out that were set, at most @max and BH_STORE_NEAREST_MAX.
 */
size_t bh_store_nearest(const struct bh_store *store, const char *name,
                        const struct bh_mailbox **mailboxes_out, size_t max);

/** Number of requests that were not answered yet. */
size_t bh_store_pending(const struct bh_store *store);

/* ---- requests: mail -------------------------------------------------------------------------- */

/**
 * Store a message. At the callback it is safe on disk.
 *
 * A message id that is known: same sender, recipient and content give the original
 * (is_replay, its standing now, no claim); anything else is BH_EEXISTS (`message_id_conflict`).
 * BH_ENOTFOUND: no message @reply_to. With a take, messages[0] is the stored message and the
 * claimed ones follow (with bodies), the new one among them if it was due.
 *
 * To a room: one message that goes to every member but the sender's own names. messages[0] is the
 * room's, then follows that of each member (no bodies); a take is left undone. BH_ENOTMEMBER: an
 * agent that is not in the room.
 *
 * About a task: BH_ETASKENDED (it is completed, failed or canceled: final), BH_ENOTFOUND (a status
 * of a task that is not there), BH_EDENIED (a task of others). An update takes the place of older
 * unread ones of the same task, sender and mailbox (receipt superseded).
 */
int bh_store_put(struct bh_store *store, const struct bh_put *put, bh_store_done *done, void *user,
                 struct bh_err *err);

/**
 * Claim unread mail, oldest first. Answers with the messages (with bodies), or with claim_id 0 when
 * there was none to take.
 *
 * Kind TYPING begins an attempt: the claim is BH_EBUSY while that terminal has an open attempt, and
 * takes nothing that was typed twice before, nor anything behind it. It and kind CHANNEL take
 * nothing behind mail that a reader holds. Kind NOTICE claims no mail but
 * begins an attempt to ring: BH_EDENIED when the group is parked or its budget spent, claim_id 0
 * when nothing is unread. Readers (the other kinds) get the receipt handed_over.
 */
int bh_store_take(struct bh_store *store, const struct bh_take *take, bh_store_done *done,
                  void *user, struct bh_err *err);

/**
 * The reader has it: the mail of a claim is seen, how follows from the claim's kind. If the claim
 * was complete the notice of its terminal is closed. BH_ENOTFOUND: no such claim (any more): its
 * mail is unread again and will be shown again.
 */
int bh_store_confirm(struct bh_store *store, uint64_t claim_id, bh_store_done *done, void *user,
                     struct bh_err *err);

/**
 * Give a reader's claim back: its mail is unread again, with receipt returned(why). BH_ENOTFOUND:
 * no such claim.
 */
int bh_store_release(struct bh_store *store, const struct bh_release *release, bh_store_done *done,
                     void *user, struct bh_err *err);

/**
 * Move an attempt to another phase; at the callback it is on disk and the phase may begin.
 *
 * WRITING counts a typing (or a ring: only now, and not if it is WITHDRAWN as was_unwritten, so
 * refusals cost nothing). PROVED: its mail is
 * seen, receipts typed(detail) and seen; of a notice: noticed. UNCERTAIN: its mail is unread again,
 * receipt unproved(detail), the attempt stays open. WITHDRAWN: unread again, receipt
 * returned(detail) once it was written. BH_ENOTFOUND: no such attempt. BH_EINVALID: a phase that
 * may not follow.
 */
int bh_store_advance(struct bh_store *store, const struct bh_advance *advance, bh_store_done *done,
                     void *user, struct bh_err *err);

/** The messages of an open attempt, with bodies, for recovery. BH_ENOTFOUND: no such attempt. */
int bh_store_resume(struct bh_store *store, uint64_t claim_id, bh_store_done *done, void *user,
                    struct bh_err *err);

/**
 * Mark one message seen, by its recipient. Done also when it was seen already. BH_ENOTFOUND: no
 * such message in these mailboxes.
 */
int bh_store_ack(struct bh_store *store, const struct bh_ack *ack, bh_store_done *done, void *user,
                 struct bh_err *err);

/**
 * Add a receipt row without moving anything: queued(reason), mostly. A row that says the same as
 * the one before it is left out. BH_ENOTFOUND: no such mailbox or message.
 */
int bh_store_note(struct bh_store *store, const struct bh_note *note, bh_store_done *done,
                  void *user, struct bh_err *err);

/** Unread mail with bodies, oldest first, marking nothing. Names and limit of @take count. */
int bh_store_peek(struct bh_store *store, const struct bh_take *take, bh_store_done *done,
                  void *user, struct bh_err *err);

/**
 * Messages of the archive in order of seq, with bodies, whatever their standing. With a room: all
 * that was sent to it; BH_ENOTMEMBER when none of the names is in it. Of a thread: what the names may
 * see of it; BH_ENOTFOUND when that is nothing.
 */
int bh_store_history(struct bh_store *store, const struct bh_history *history, bh_store_done *done,
                     void *user, struct bh_err *err);

/** One message and its receipts. @ref is "m42" or a message id. BH_ENOTFOUND: no such message. */
int bh_store_receipts(struct bh_store *store, const char *ref, bh_store_done *done, void *user,
                      struct bh_err *err);

/* ---- requests: notices ----------------------------------------------------------------------- */

/** Park the open notice of a terminal (receipt parked for its mail). Done also when it is not open. */
int bh_store_park(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                  struct bh_err *err);

/** A person rings: the notice of a terminal is open again with its whole budget. */
int bh_store_unpark(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                    struct bh_err *err);

/* ---- requests: terminals and names ------------------------------------------------------------ */

/**
 * Write a terminal's record and bind its name, in one transaction: the one way for all paths that
 * create a terminal (run, respawn, restore, ...). A record that exists is replaced (size, profile,
 * ...), its binding checked again.
 *
 * An automatic name is `claude`, `claude-2`, ...: never one that was used before. answer->name is
 * the name bound. A terminal of record->line that waits for a respawn hands over all its names and
 * is gone. record->launched_by is marked as having started an agent, unless record->profile is
 * "generic".
 *
 * The answer is BH_EEXISTS (`identity_taken`) when the name belongs to another line: a live
 * terminal holds it, or it waits for a respawn, or it has unread mail; and when an operator asks,
 * only for a live holder or a waiting respawn. BH_EINVALID for a name that bh_identity_check()
 * refuses.
 */
int bh_store_bind(struct bh_store *store, const struct bh_bind *bind, bh_store_done *done,
                  void *user, struct bh_err *err);

/**
 * Add a name to a terminal (the newest: it speaks as it), or make it the newest again. Without a
 * terminal the name becomes known (an external program). Refused as in bh_store_bind(), but an
 * operator may take it from a live terminal. BH_ENOTFOUND: no such terminal.
 */
int bh_store_announce(struct bh_store *store, const struct bh_announce *announce,
                      bh_store_done *done, void *user, struct bh_err *err);

/** Choose the mode of a terminal (BH_MODE_DEFAULT: leave it to the rule). */
int bh_store_set_mode(struct bh_store *store, const char *terminal, enum bh_mode mode,
                      bh_store_done *done, void *user, struct bh_err *err);

/**
 * A terminal ended: its names are free at once, or kept for its line. Its readers' claims are
 * released, its notice is closed; an attempt stays open for the caller to resolve. Done also when
 * it was gone already. BH_ENOTFOUND: never heard of it.
 */
int bh_store_retire(struct bh_store *store, const struct bh_retire *retire, bh_store_done *done,
                    void *user, struct bh_err *err);

#endif
