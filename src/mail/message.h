/** @file
 * A message as it is stored, with its standing in one mailbox.
 */
#ifndef BH_MAIL_MESSAGE_H
#define BH_MAIL_MESSAGE_H

#include "src/base/err.h"
#include "src/mail/claim.h"
#include "src/mail/identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Longest body, in bytes. */
#define BH_MESSAGE_BODY_MAX (256 * 1024)

/** A chain of so many messages without a person stops waking. The schema has this number, too. */
#define BH_MESSAGE_HOPS_MAX 50

/** Bytes that hold a message id or a task id of a client, NUL included. */
#define BH_MESSAGE_ID_SIZE 65

/** What kind of caller sent it. Values are on disk: append only. */
enum bh_sender {
	/** A person, from outside every terminal. */
	BH_SENDER_OPERATOR = 0,
	/** An agent in a terminal of ours. */
	BH_SENDER_AGENT = 1,
	/** A program outside that registered a name. */
	BH_SENDER_EXTERNAL = 2,
	/** bellhop itself. */
	BH_SENDER_BELLHOP = 3,
};

/** State of a task, or of an update about one. Values are on disk: append only. */
enum bh_task_status {
	/** The message is about no task. */
	BH_TASK_NONE = 0,
	BH_TASK_SUBMITTED = 1,
	BH_TASK_WORKING = 2,
	BH_TASK_INPUT_REQUIRED = 3,
	BH_TASK_COMPLETED = 4,
	BH_TASK_FAILED = 5,
	BH_TASK_CANCELED = 6,
	/** Only of a message: progress, which wakes nobody and changes no state but `submitted`. */
	BH_TASK_UPDATE = 7,
};

/** Whether a task in this state is over for good. */
bool bh_task_status_is_final(enum bh_task_status status);

/** "" (none), "submitted", "working", "input_required", ..., "update". Static. */
const char *bh_task_status_word(enum bh_task_status status);

/** The status of a word. @return 0 or BH_EINVALID (@err lists the words). */
int bh_task_status_parse(const char *word, enum bh_task_status *status_out, struct bh_err *err);

/** Who owns a message in a mailbox. Values are on disk: append only. */
enum bh_ownership {
	/** Waits; visible to every route. */
	BH_OWNER_NONE = 0,
	/** Held by a claim. */
	BH_OWNER_CLAIM = 1,
	/** The recipient has encountered the text. */
	BH_OWNER_SEEN = 2,
};

/** "unread", "claimed" or "seen". Static. */
const char *bh_ownership_word(enum bh_ownership ownership);

/** How a message came to be seen: X(NAME, number on disk, word). */
#define BH_SEEN_WAYS(X) \
	X(NOT, 0, "") \
	X(INBOX, 1, "inbox") \
	X(WAITER, 2, "waiter") \
	X(CHANNEL, 3, "channel") \
	X(TYPED, 4, "typed") \
	X(ACK, 5, "ack") \
	X(DISCARDED, 6, "discarded") \
	X(SUPERSEDED, 7, "superseded")

/** How a message came to be seen. */
enum bh_seen_how {
#define BH_SEEN_ENUM(name, number, word) BH_SEEN_##name = number,
	BH_SEEN_WAYS(BH_SEEN_ENUM)
#undef BH_SEEN_ENUM
};

/** The word of a way; "" for not seen. Static. */
const char *bh_seen_word(enum bh_seen_how how);

/** A message in a mailbox. Every string is NUL-terminated. */
struct bh_message {
	/** Number in this store: 42 for "m42". */
	uint64_t seq;
	/** The id that the sender's client made. */
	char message_id[BH_MESSAGE_ID_SIZE];
	/** The mailbox this standing is about (an identity, also for mail to a room). */
	char mailbox[BH_IDENTITY_SIZE];
	/** The address that it was sent to (an identity or a room). */
	char to[BH_IDENTITY_SIZE];
	/** The sender's name. */
	char from[BH_IDENTITY_SIZE];
	/** What kind of caller sent it. */
	enum bh_sender sender;
	/** Terminal that it was sent from; "" from outside. */
	char from_terminal[BH_CLAIM_TERMINAL_SIZE];
	/** Whether the sender was known only by its terminal's token. */
	bool is_by_token;
	/** The message that it answers (its seq); 0 for none. */
	uint64_t reply_to;
	/** The task that it is about; "" for none. */
	char task_id[BH_MESSAGE_ID_SIZE];
	/** What it says about that task. */
	enum bh_task_status task_status;
	/** When it was stored: wall clock, milliseconds since 1970. */
	int64_t created_ms;
	/** Messages before it in its chain, since a person acted last (turn.h). */
	int hops;
	/** It wakes nobody: it lies in the inbox until its recipient looks. */
	bool is_quiet;
	/** A newer one of the same sender about the same takes its place while it is unread; "": none. */
	char topic[BH_MESSAGE_ID_SIZE];
	/** Owner now. */
	enum bh_ownership ownership;
	/** How it was seen, when ownership is BH_OWNER_SEEN. */
	enum bh_seen_how seen_how;
	/** When it was seen (wall clock, ms); 0 for not. */
	int64_t seen_ms;
	/** Where the mailbox is a room: its members that the message went to, and those of them that
	 * have seen it. The ownership is then SEEN once all have, until then NONE. */
	unsigned members;
	/** See members. */
	unsigned members_seen;
	/** Whether a reader may have had it on its screen before. */
	bool is_shown_before;
	/** In how many typing attempts its first byte was written. */
	unsigned typings;
	/** The text; NULL where the call says that it comes without. */
	char *body;
	/** Bytes of the text, also when it is not there. */
	size_t body_len;
	/** Lines of the text, at least 1. */
	size_t body_lines;
};

/** Free the body and zero the rest. */
void bh_message_clear(struct bh_message *message);

/** Whether @id can be a message or task id of a client: 1 to 64 of `[A-Za-z0-9._:-]`. */
bool bh_message_id_is_valid(const char *id);

/** The number in "m42" (or "n17", with @letter 'n'), to 2^53; 0 when @text is not of that form. */
uint64_t bh_message_number(char letter, const char *text);

#endif
