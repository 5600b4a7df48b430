#include "src/wake/outcome.h"

#include <cjson/cJSON.h>
#include <stdio.h>

#include "src/base/buf.h"

void bh_outcome_decide(struct bh_outcome *outcome, const struct bh_decision *decision)
{
	outcome->is_seen = false;
	outcome->is_handed_over =
		decision->reason == BH_REASON_NONE &&
		(decision->path == BH_PATH_WAITER || decision->path == BH_PATH_CHANNEL);
	outcome->path = decision->path;
	outcome->fate = decision->fate;
	outcome->reason = decision->reason;
	outcome->prospect = decision->seen;
}

void bh_outcome_see(struct bh_outcome *outcome, enum bh_path path, const char *proof)
{
	outcome->is_seen = true;
	outcome->is_handed_over = false;
	outcome->path = path;
	outcome->fate = path == BH_PATH_TERMINAL ? BH_FATE_TYPED : BH_FATE_NONE;
	outcome->reason = BH_REASON_NONE;
	outcome->prospect = BH_PROSPECT_ALREADY;
	outcome->proof = proof;
}

/** How many members have seen it. */
static size_t seen_count(const struct bh_outcome *outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < outcome->member_count; i++) {
		count += outcome->members[i].is_seen;
	}
	return count;
}

/** The member for whom it looks worst; NULL in an empty room. */
static const struct bh_outcome *worst_member(const struct bh_outcome *outcome)
{
	const struct bh_outcome *worst = NULL;

	for (size_t i = 0; i < outcome->member_count; i++) {
		if (worst == NULL || outcome->members[i].prospect > worst->prospect) {
			worst = &outcome->members[i];
		}
	}
	return worst;
}

void bh_outcome_gather(struct bh_outcome *outcome)
{
	const struct bh_outcome *worst = worst_member(outcome);

	outcome->is_room = true;
	outcome->is_handed_over = false;
	outcome->fate = BH_FATE_NONE;
	if (worst == NULL) {
		outcome->is_seen = false;
		outcome->path = BH_PATH_INBOX_ONLY;
		outcome->reason = BH_REASON_EMPTY_ROOM;
		outcome->prospect = BH_PROSPECT_ONLY_IF_IT_LOOKS;
		return;
	}
	outcome->is_seen = seen_count(outcome) == outcome->member_count;
	outcome->path = BH_PATH_ROOM;
	outcome->reason = worst->reason;
	outcome->prospect = worst->prospect;
}

/** Which sentence tells what happens now. */
static enum bh_next outcome_next(const struct bh_outcome *outcome)
{
	if (outcome->is_room) {
		return outcome->member_count > 0 ? BH_NEXT_ROOM : BH_NEXT_ROOM_EMPTY;
	}
	if (outcome->is_seen) {
		return outcome->path == BH_PATH_TERMINAL ? BH_NEXT_TYPED : BH_NEXT_SEEN;
	}
	if (outcome->is_handed_over) {
		return BH_NEXT_HANDED_OVER;
	}
	switch (outcome->fate) {
	case BH_FATE_TYPED:
		return BH_NEXT_NOTICE_TYPED;
	case BH_FATE_JOINED:
		return BH_NEXT_NOTICE_JOINED;
	case BH_FATE_QUEUED:
		return BH_NEXT_QUEUED;
	case BH_FATE_NONE:
	case BH_FATE_PARKED:
	case BH_FATE_UNAVAILABLE:
	case BH_FATE_COUNT:
		break;
	}
	return BH_NEXT_INBOX_ONLY;
}

static void sentences_add(cJSON *json, const struct bh_outcome *outcome)
{
	char proof[64] = "";
	char nearest[240] = "";
	const struct bh_outcome *worst = worst_member(outcome);
	const char *advice = outcome->advice;
	struct bh_sentence what = {
		.to = outcome->to,
		.act = outcome->path == BH_PATH_TERMINAL ? "type it" : "type a notice",
		.reason = outcome->reason,
		.is_person = outcome->is_person,
		.detail = proof,
	};
	struct bh_buf text = {0};

	if (outcome->proof != NULL) {
		(void)snprintf(proof, sizeof(proof), " (proof: %s)", outcome->proof);
	}
	if (outcome->is_room) {
		(void)snprintf(proof, sizeof(proof), "%zu of %zu have seen it", seen_count(outcome),
		               outcome->member_count);
	}
	bh_words_next(&text, outcome_next(outcome), &what);
	cJSON_AddStringToObject(json, "next", text.data);
	bh_buf_clear(&text);
	if (outcome->nearest != NULL && outcome->nearest[0] != '\0') {
		(void)snprintf(nearest, sizeof(nearest), "; names like it: %s", outcome->nearest);
	}
	what.detail = nearest;
	if (worst != NULL) { // in a room the warning is about one of them
		what.to = worst->to;
		what.is_person = worst->is_person;
		advice = worst->advice;
	}
	if (advice != NULL && outcome->reason == BH_REASON_TYPING_OFF) {
		(void)snprintf(nearest, sizeof(nearest), "; %s", advice);
	}
	// Nobody who sends an update waits for an answer to it.
	if (outcome->reason != BH_REASON_UPDATE &&
	    bh_words_warning(&text, outcome->prospect, &what)) {
		cJSON_AddStringToObject(json, "warning", text.data);
	}
	bh_buf_clear(&text);
}

static void word_or_null_add(cJSON *json, const char *key, const char *word)
{
	if (word != NULL && word[0] != '\0') {
		cJSON_AddStringToObject(json, key, word);
	} else {
		cJSON_AddNullToObject(json, key);
	}
}

static void recipient_add(cJSON *json, const struct bh_outcome *outcome)
{
	cJSON *recipient = cJSON_AddObjectToObject(json, "recipient");

	cJSON_AddBoolToObject(recipient, "known", outcome->is_known);
	word_or_null_add(recipient, "state", outcome->state);
	word_or_null_add(recipient, "last_turn", outcome->last_turn);
	word_or_null_add(recipient, "terminal_id", outcome->terminal_id);
}

/** The field that says what became of the text or the notice, where the path has one. */
static void fate_add(cJSON *json, const struct bh_outcome *outcome)
{
	const char *word = bh_word(BH_WORDS_FATE, outcome->fate);

	if (word[0] == '\0') {
		return;
	}
	if (outcome->path == BH_PATH_NOTICE || outcome->fate == BH_FATE_PARKED) {
		cJSON_AddStringToObject(json, "notice", word);
	} else if (outcome->path == BH_PATH_TERMINAL || outcome->path == BH_PATH_INBOX_ONLY) {
		cJSON_AddStringToObject(json, "terminal", word);
	}
}

/** Each member's own answer, and how many have it. */
static void members_add(cJSON *json, const struct bh_outcome *outcome)
{
	cJSON *members = cJSON_AddArrayToObject(json, "members");
	cJSON *counts = cJSON_AddObjectToObject(json, "counts");

	for (size_t i = 0; i < outcome->member_count; i++) {
		cJSON_AddItemToArray(members, bh_outcome_json(&outcome->members[i]));
	}
	cJSON_AddNumberToObject(counts, "members", (double)outcome->member_count);
	cJSON_AddNumberToObject(counts, "seen", (double)seen_count(outcome));
}

cJSON *bh_outcome_json(const struct bh_outcome *outcome)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "will_be_seen",
	                        bh_word(BH_WORDS_PROSPECT, outcome->prospect));
	cJSON_AddBoolToObject(json, "delivered", outcome->is_seen);
	cJSON_AddStringToObject(json, "delivery_path", bh_word(BH_WORDS_PATH, outcome->path));
	fate_add(json, outcome);
	if (outcome->reason != BH_REASON_NONE) {
		cJSON_AddStringToObject(json, "reason", bh_word(BH_WORDS_REASON, outcome->reason));
	}
	sentences_add(json, outcome);
	if (outcome->message_id != NULL) {
		cJSON_AddStringToObject(json, "message_id", outcome->message_id);
		cJSON_AddNumberToObject(json, "seq", (double)outcome->seq);
	}
	cJSON_AddStringToObject(json, "to", outcome->to);
	recipient_add(json, outcome);
	if (outcome->is_room) {
		members_add(json, outcome);
	}
	if (outcome->is_replay) {
		cJSON_AddTrueToObject(json, "idempotent_replay");
	}
	if (outcome->is_timed_out) {
		cJSON_AddTrueToObject(json, "timed_out");
	}
	return json;
}
