/** @file
 * Channels: native push routes. A program that can put text into an agent by itself (a plugin, an
 * extension, a bridge) holds one open, is given mail one message at a time, and acknowledges each
 * when its agent has taken it: acknowledged is seen. What is not acknowledged within the lease is
 * unread again and goes the next way; three leases in a row that ran out close the channel.
 *
 * A channel serves the terminal that it was opened in, with all its names, or one name that has no
 * terminal. There is one per terminal or name: the newest wins. Order is kept: only the oldest
 * unread message is ever given, and the next one after that is settled.
 *
 * As in deliver.h no callback of a request comes before the function returns. The functions of a
 * holder are called at any time and must not call delivery.
 */
#ifndef BH_SERVER_DELIVER_CHANNEL_H
#define BH_SERVER_DELIVER_CHANNEL_H

#include "src/server/deliver.h"

struct bh_channel;
struct bh_message;

/** An unacknowledged message counts so long (ms), at least and at most. */
#define BH_CHANNEL_LEASE_MIN_MS 500
#define BH_CHANNEL_LEASE_MS 30000
/** So many leases that ran out in a row close a channel. */
#define BH_CHANNEL_MISSES_MAX 3
/** A steer is given up after so long without an acknowledgement (ms). */
#define BH_CHANNEL_STEER_MS 10000

/** Why a channel was closed: X(NAME, word, sentence). */
#define BH_CHANNEL_END_LIST(X) \
	X(REPLACED, "replaced", "a newer channel took its place") \
	X(MISSED, "missed", "three messages in a row were not acknowledged in time") \
	X(EXITED, "exited", "the terminal that it served has ended") \
	X(ORPHANED, "orphaned", "the program that stood behind it has ended") \
	X(TERMINAL, "terminal", "the name that it served has a terminal now") \
	X(STOPPED, "stopped", "the server ends")

#define BH_CHANNEL_END_ENUM(name, ...) BH_CHANNEL_##name,
/** Why a channel was closed. */
enum bh_channel_end {
	BH_CHANNEL_END_LIST(BH_CHANNEL_END_ENUM) BH_CHANNEL_END_COUNT
};

/** The word and the sentence of an end. Static. */
const char *bh_channel_end_word(enum bh_channel_end end);
/** See above. */
const char *bh_channel_end_sentence(enum bh_channel_end end);

/** Who holds a channel. */
struct bh_channel_settings {
	/** The terminal that it was opened in; NULL: a program outside, which serves @name. */
	const struct bh_uuid *terminal;
	/** The name that it serves without a terminal. */
	const char *name;
	/** It takes text into a running turn (bh_deliver_steer()). */
	bool can_steer;
	/** How long a message may go unacknowledged (ms); 0: BH_CHANNEL_LEASE_MS. */
	uint64_t lease_ms;
	/** Whether its program, and those between it and the agent, still live. NULL: yes. */
	bool (*is_alive)(void *user);
	/** A message, with its body; borrowed for the call. */
	void (*message)(void *user, const struct bh_message *message);
	/** Text for the running turn. Its id, "s3", is to be acknowledged like that of a message. */
	void (*steer)(void *user, const char *id, const char *from, const char *text);
	/** It was closed by our side; the pointer is dead. Never after bh_deliver_channel_close(), and
	 * only from the loop. */
	void (*closed)(void *user, enum bh_channel_end why);
	/** Argument of the functions. */
	void *user;
};

/** Open a channel. NULL with @err: BH_EUNSUPPORTED (no such terminal), BH_EDENIED (the name has a
 * terminal: the channel must be opened inside), BH_ECLOSED (after bh_deliver_stop()). */
struct bh_channel *bh_deliver_channel_open(struct bh_deliver *deliver,
                                           const struct bh_channel_settings *settings,
                                           struct bh_err *err);

/** Its connection ended: what it held is unread again. The pointer is dead. */
void bh_deliver_channel_close(struct bh_deliver *deliver, struct bh_channel *channel);

/**
 * The agent behind the channel has taken a message ("m42" or a message id). One whose lease is over
 * is seen too; twice is fine.
 *
 * @done
 *         The answer's code is 0, or BH_ENOTFOUND: nothing of that id is in its mailbox.
 */
int bh_deliver_channel_ack(struct bh_deliver *deliver, struct bh_channel *channel, const char *ref,
                           bh_store_done *done, void *user, struct bh_err *err);

/** All open channels: NULL gives the first, then the one after @previous; NULL at the end. */
struct bh_channel *bh_deliver_channel_next(struct bh_deliver *deliver,
                                           const struct bh_channel *previous);

/** Whether the channel of a name without terminal is open. NULL @mailbox: no. */
bool bh_channel_is_open(const struct bh_deliver *deliver, const struct bh_mailbox *mailbox);

/** The `user` of its settings. */
void *bh_deliver_channel_user(const struct bh_channel *channel);

/** The agent behind the channel has taken a steer. False: none of this channel's is called @ref. */
bool bh_deliver_steer_ack(struct bh_deliver *deliver, const struct bh_channel *channel,
                          const char *ref);

/** How a steer ended. */
typedef void bh_deliver_steered(void *user, bool is_acknowledged);

/** Text for a running turn. Borrowed for the call. */
struct bh_deliver_steer {
	/** The terminal of the agent; NULL: it has none, the channel is that of @name. */
	const struct bh_uuid *terminal;
	/** The name of one without terminal. */
	const char *name;
	/** Who says it. */
	const char *from;
	/** What. */
	const char *text;
};

/**
 * Put text into the running turn of an agent, by its channel. Nothing is stored. Whether
 * the caller may is the caller's business.
 *
 * @return
 *         0: @done is called once. BH_ENOTFOUND: no channel that takes it is open there.
 */
int bh_deliver_steer(struct bh_deliver *deliver, const struct bh_deliver_steer *what,
                     bh_deliver_steered *done, void *user, struct bh_err *err);

#endif
