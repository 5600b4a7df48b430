/** @file
 * What a send answers (doc/CONTRACT.md section 3): the fields, their sentences, their JSON. Pure.
 * Mail to a room: bh_outcome_decide() or _see() for each member, then bh_outcome_gather().
 */
#ifndef BH_WAKE_OUTCOME_H
#define BH_WAKE_OUTCOME_H

#include "src/base/words.h"
#include "src/wake/decide.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

/** The answer to one send. Strings are borrowed until it was turned into JSON. */
struct bh_outcome {
	/** The message was seen: already, by the path that is set. */
	bool is_seen;
	/** Handed to a reader who has not confirmed it. */
	bool is_handed_over;
	/** What carries it; with is_seen what carried it. */
	enum bh_path path;
	/** Of path terminal, notice and inbox_only. */
	enum bh_fate fate;
	/** Why not now. */
	enum bh_reason reason;
	/** Whether it will be seen. */
	enum bh_prospect prospect;
	/** How a typed text was proved ("transcript"), or NULL. */
	const char *proof;
	/** Names near to an unknown one, "coder, code", or NULL. */
	const char *nearest;
	/** What a person can do about a recipient that is never typed into, or NULL. */
	const char *advice;

	/** The id the client made. */
	const char *message_id;
	/** Number of the message. */
	uint64_t seq;
	/** The recipient, as its mailbox spells it. */
	const char *to;
	/** The same message had been stored before. */
	bool is_replay;
	/** The time that its sender would wait for it to be seen was over before that. */
	bool is_timed_out;
	/** The recipient is a room. */
	bool is_room;
	/** Of a room: the outcome for each member, without message_id. */
	const struct bh_outcome *members;
	size_t member_count;

	/** Whether anyone ever used the name. */
	bool is_known;
	/** The recipient is the operator: a person, who is not started and not woken. */
	bool is_person;
	/** Word of its state; "" or NULL when it has no terminal. */
	const char *state;
	/** Word of how its last turn ended; "" or NULL for none. */
	const char *last_turn;
	/** Its terminal as text, or NULL. */
	const char *terminal_id;
};

/** Set path, fate, reason and prospect from a decision. */
void bh_outcome_decide(struct bh_outcome *outcome, const struct bh_decision *decision);

/** It was seen on @path; @proof as in the struct. */
void bh_outcome_see(struct bh_outcome *outcome, enum bh_path path, const char *proof);

/** Set path, reason and prospect of a room from its members: the worst of them. */
void bh_outcome_gather(struct bh_outcome *outcome);

/** The answer. The caller frees with cJSON_Delete(). */
struct cJSON *bh_outcome_json(const struct bh_outcome *outcome);

#endif
