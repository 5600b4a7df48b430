/** @file
 * What requests to the store carry, and what it answers. See store.h for the rules.
 */
#ifndef BH_MAIL_REQUEST_H
#define BH_MAIL_REQUEST_H

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/mail/claim.h"
#include "src/mail/identity.h"
#include "src/mail/message.h"
#include "src/mail/receipt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_room;
struct bh_task;
struct bh_terminal_record;

/** Which mail to claim, and for whom. */
struct bh_take {
	/** Who holds it. */
	enum bh_claim_kind kind;
	/** UUID of the terminal that reads or is typed into; NULL from outside. */
	const char *terminal;
	/** Mailboxes; none: all names of the terminal. */
	const char *const *names;
	size_t name_count;
	/** Most messages; 0 for the store's own limit (1000). */
	size_t limit;
	/** Most bytes and lines of their texts together; 0 for no limit. The first that does not fit
	 * ends the claim, so order is kept. */
	size_t body_max;
	size_t lines_max;
	/** Milliseconds until it is unread again if not confirmed; 0 for never (attempts). */
	uint64_t lease_ms;
};

/** A message to store. */
struct bh_put {
	/** Made by the client; the key of replay (bh_message_id_is_valid()). */
	const char *message_id;
	/** Recipient (bh_identity_check_recipient()). A mailbox is made when there is none. NULL: the
	 * other party of the task @task_id. */
	const char *to;
	/** Sender's name, its kind, and its terminal (NULL from outside). */
	const char *from;
	enum bh_sender sender;
	const char *from_terminal;
	/** Known only by its token. */
	bool is_by_token;
	/** The text: at most BH_MESSAGE_BODY_MAX bytes; the caller has checked that it is UTF-8. */
	struct bh_span body;
	/** The message that it answers, "m42" or a message id; NULL for none. */
	const char *reply_to;
	/** Task and its status; NULL for none. A task that is not known is opened, unless the
	 * message has a status. */
	const char *task_id;
	enum bh_task_status task_status;
	/** At least so many hops (turn.h); of mail of bellhop itself: what it follows. */
	int hops;
	/** It wakes nobody. */
	bool is_quiet;
	/** See struct bh_message; NULL for none. */
	const char *topic;
	/** First claim, in the same transaction (a waiter is there); NULL for none. */
	const struct bh_take *take;
};

/** Give a reader's claim back. */
struct bh_release {
	/** Which. */
	uint64_t claim_id;
	/** Whether the text may have reached the reader (then is_shown_before is set). */
	bool was_shown;
	/** Cause for the receipt. */
	const char *why;
};

/** Move a typing attempt on. */
struct bh_advance {
	/** Which. */
	uint64_t claim_id;
	/** Where to. */
	enum bh_phase phase;
	/** The proof, or the cause, for the receipts. */
	const char *detail;
	/** From WRITING to WITHDRAWN: the terminal took no byte of it, so it does not count. */
	bool was_unwritten;
};

/** Mark one message seen. */
struct bh_ack {
	/** Mailboxes of the caller. */
	const char *const *names;
	size_t name_count;
	/** "m42" or a message id. */
	const char *ref;
	/** BH_SEEN_ACK, BH_SEEN_DISCARDED (a person threw it away), or BH_SEEN_TYPED (it was typed before,
	 * as is proved now). */
	enum bh_seen_how how;
	/** With BH_SEEN_TYPED the proof, for the receipt `typed`; else NULL. */
	const char *proof;
};

/** A receipt row that moves nothing. */
struct bh_note {
	/** Where the mail stands. */
	const char *mailbox;
	/** The message; 0 for all that is unread. */
	uint64_t seq;
	/** What happened: queued, mostly. */
	enum bh_receipt_step step;
	/** Why. */
	const char *cause;
};

/** A terminal that gets its name. */
struct bh_bind {
	/** What is kept about it; an empty identity asks for an automatic name. */
	const struct bh_terminal_record *record;
	/** What an automatic name is made of; NULL for `agent`. */
	const char *auto_base;
	/** Whether a person asks. */
	bool by_operator;
};

/** Another name for a terminal. */
struct bh_announce {
	/** UUID of the terminal; NULL for a program outside. */
	const char *terminal;
	/** The name. */
	const char *name;
	/** Whether a person gives it, who may take it from a live terminal. */
	bool by_operator;
};

/** A terminal that ended. */
struct bh_retire {
	/** UUID of the terminal. */
	const char *terminal;
	/** As of waitpid(); -1 when it is not known. */
	int exit_status;
	/** Whether its names are kept for its line. */
	bool waits_respawn;
};

/** Which part of the archive. */
struct bh_history {
	/** Mailboxes whose mail, sent and received, is asked for; none: all mail (operator). */
	const char *const *names;
	size_t name_count;
	/** Only mail to or from this name; NULL for all. */
	const char *with;
	/** Only the thread of this message ("m42" or a message id), `with` or not; NULL for all. */
	const char *thread;
	/** Only mail after this number. */
	uint64_t after_seq;
	/** Only mail before this number; 0 for all. */
	uint64_t before_seq;
	/** Most messages: the oldest when after_seq is given, else the newest; 0 for 100. */
	size_t limit;
	/** Only mail that the names sent, without texts; receipts[i] is then the last step of
	 * messages[i]. */
	bool sent_only;
	/** Of those only what is not seen, in a room by all, yet. */
	bool unseen_only;
};

/** Who comes to a room, or leaves it. */
struct bh_membership {
	/** The room, with its `#`. */
	const char *room;
	/** The name that becomes a member; of a leave: NULL for all of @names. */
	const char *as;
	/** All names of who asks: a terminal with several is in a room but once. */
	const char *const *names;
	size_t name_count;
};

/** Which rooms to list. */
struct bh_room_query {
	/** NULL for all rooms; else its members. */
	const char *room;
	/** Names of who asks, for bh_room.is_member; none: a person. */
	const char *const *names;
	size_t name_count;
};

/** Which tasks to list. */
struct bh_task_query {
	/** One task by its id; NULL for all. */
	const char *task_id;
	/** Only those that these names (or rooms that they are in) take part in; none: all. */
	const char *const *names;
	size_t name_count;
	/** Those that ended too (of a list; a single task is found anyway). */
	bool with_ended;
	/** Only those whose last message has a number below this; 0 for all. */
	uint64_t before_seq;
	/** Most tasks, the ones that changed last; 0 for 100. */
	size_t limit;
};

/** What a request has to say. Borrowed for the callback. */
struct bh_answer {
	/** Code 0 when it was done, else why not, in words that say what to do. */
	struct bh_err err;
	/** Of put, announce, bind: the name in question, as its mailbox spells it. */
	char name[BH_IDENTITY_SIZE];
	/** Of put: number of the message ("m42"). Of ack: that of the message acknowledged. */
	uint64_t seq;
	/** Of put: the same message had been stored before; this is the original. */
	bool is_replay;
	/** Of take, and of put with a take: the claim, 0 when there was nothing to claim. Of requests
	 * about a claim: that claim. */
	uint64_t claim_id;
	/** Of a take of kind NOTICE: number of the notice ("n17"). */
	uint64_t notice_id;
	/** Of take, peek, history, resume: messages in order of seq. Of put: the one (no body). */
	const struct bh_message *messages;
	/** Number of messages. */
	size_t message_count;
	/** Of take and peek: unread in the named mailboxes beyond these. */
	uint64_t unread_left;
	/** Of history, tasks, rooms: there are more than the limit let through. Of one task: more messages. */
	bool has_more;
	/** Of receipts: the rows, oldest first. */
	const struct bh_receipt *receipts;
	/** Number of receipts. */
	size_t receipt_count;
	/** Of rooms: the rooms, or the members of one (src/mail/room.h). */
	const struct bh_room *rooms;
	/** Number of rooms. */
	size_t room_count;
	/** Of tasks: the tasks, the one that changed last first (src/mail/task.h). */
	const struct bh_task *tasks;
	/** Number of tasks. */
	size_t task_count;
	/** Of ended: the terminals, the one that ended last first. */
	const struct bh_terminal_record *const *terminals;
	/** Number of terminals. */
	size_t terminal_count;
};

/** The answer to a request. */
typedef void bh_store_done(void *user, const struct bh_answer *answer);

#endif
