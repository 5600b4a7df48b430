/** @file
 * A change: one request on its way from the loop through the writer thread and back, with its
 * arguments (copies of its own), its answer, and its effects.
 */
#ifndef BH_MAIL_CHANGE_H
#define BH_MAIL_CHANGE_H

#include "src/base/list.h"
#include "src/mail/effect.h"
#include "src/mail/request.h"

/** What to do; the arguments that each uses are named beside it. */
enum bh_change_kind {
	/** message, ref (reply_to); with has_take also take's. */
	BH_CHANGE_PUT,
	/** take_kind, terminal, names, limit, body_max, lines_max, lease_ms. */
	BH_CHANGE_TAKE,
	/** claim_id. */
	BH_CHANGE_CONFIRM,
	/** claim_id, flag (was shown), text (why). */
	BH_CHANGE_RELEASE,
	/** claim_id, phase, text (detail), flag (was unwritten). */
	BH_CHANGE_ADVANCE,
	/** claim_id. */
	BH_CHANGE_RESUME,
	/** names, ref, how, text (proof). */
	BH_CHANGE_ACK,
	/** name, seq, step, text (cause). */
	BH_CHANGE_NOTE,
	/** terminal, names, limit. */
	BH_CHANGE_PEEK,
	/** names, name (with), ref (thread), seq (after), before_seq, limit, flag (sent only), is_unseen. */
	BH_CHANGE_HISTORY,
	/** ref. */
	BH_CHANGE_RECEIPTS,
	/** terminal. */
	BH_CHANGE_PARK,
	/** terminal. */
	BH_CHANGE_UNPARK,
	/** record, text (automatic base), flag (by an operator). */
	BH_CHANGE_BIND,
	/** terminal, name, flag (by an operator). */
	BH_CHANGE_ANNOUNCE,
	/** terminal, mode. */
	BH_CHANGE_SET_MODE,
	/** terminal, exit_status, flag (waits for a respawn). */
	BH_CHANGE_RETIRE,
	/** terminal. */
	BH_CHANGE_END_TURN,
	/** terminal. */
	BH_CHANGE_PERSON,
	/** name, dnd, until_ms. */
	BH_CHANGE_SET_DND,
	/** name, names (the sender), flag (block, or not any more). */
	BH_CHANGE_SET_BLOCK,
	/** terminal, or names. */
	BH_CHANGE_DISCARD,
	/** name (room), text (as), names. */
	BH_CHANGE_JOIN,
	/** name (room), text (as; "" for all names), names. */
	BH_CHANGE_LEAVE,
	/** name (room; "" for all), names. */
	BH_CHANGE_ROOMS,
	/** ref (task; "" for all), names, flag (ended ones too), before_seq, limit. */
	BH_CHANGE_TASKS,
	/** - */
	BH_CHANGE_PROBE,
	/** limit. */
	BH_CHANGE_ENDED,
	/** terminal; "" for all. */
	BH_CHANGE_FORGET,
	/** Number of kinds. */
	BH_CHANGE_COUNT,
};

/** One request. */
struct bh_change {
	/** Place in the queue that it stands in. */
	struct bh_list link;
	enum bh_change_kind kind;
	/** Whom to answer; may be NULL. */
	bh_store_done *done;
	void *user;

	// Arguments; see enum bh_change_kind.
	char name[BH_IDENTITY_SIZE];
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	char (*names)[BH_IDENTITY_SIZE];
	size_t name_count;
	uint64_t claim_id;
	uint64_t seq;
	uint64_t before_seq;
	char ref[BH_MESSAGE_ID_SIZE];
	char *text;
	bool flag;
	bool is_unseen;
	bool has_take;
	enum bh_claim_kind take_kind;
	size_t limit;
	size_t body_max;
	size_t lines_max;
	uint64_t lease_ms;
	enum bh_phase phase;
	enum bh_receipt_step step;
	enum bh_mode mode;
	enum bh_dnd_state dnd;
	int64_t until_ms;
	enum bh_seen_how how;
	int exit_status;
	struct bh_message message;
	struct bh_terminal_record record;

	// Result.
	struct bh_answer answer;
	struct bh_message *messages;
	size_t message_size;
	struct bh_receipt *receipts;
	size_t receipt_size;
	struct bh_room *rooms;
	size_t room_size;
	struct bh_task *tasks;
	size_t task_size;
	// Borrowed from the effects.
	const struct bh_terminal_record **terminals;
	struct bh_effects effects;
};

/** A change without arguments. */
struct bh_change *bh_change_new(enum bh_change_kind kind, bh_store_done *done, void *user);

/** Free it with all that it owns. */
void bh_change_free(struct bh_change *change);

/** Copy names into the change. */
void bh_change_set_names(struct bh_change *change, const char *const *names, size_t count);

/** Copy what to claim into the change. */
void bh_change_set_take(struct bh_change *change, const struct bh_take *take);

/** Forget the result: it is applied again, or failed. */
void bh_change_reset(struct bh_change *change);

/** Add a message to the answer, zeroed. Good until the next call. */
struct bh_message *bh_change_add_message(struct bh_change *change);

/** Add a receipt to the answer, zeroed. Good until the next call. */
struct bh_receipt *bh_change_add_receipt(struct bh_change *change);

/** Add a room (or a member of one) to the answer, zeroed. Good until the next call. */
struct bh_room *bh_change_add_room(struct bh_change *change);

/** Add a task to the answer, zeroed. Good until the next call. */
struct bh_task *bh_change_add_task(struct bh_change *change);

#endif
