// Sends and rings: stored first, then held until the attempt that runs has an outcome, then answered
// with what is true at that moment.
#include "src/server/deliver_station.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/** Most names that a warning about an unknown one lists. */
#define NEAREST_MAX 3

/** A send or a ring that waits for its answer. */
struct send {
	/** In bh_deliver.sends, once it is stored. */
	struct bh_list link;
	/** Whose. */
	struct bh_deliver *deliver;
	/** Who gets the answer. */
	bh_deliver_sent *done;
	void *user;
	/** Answer at once. */
	bool no_wait;
	/** Answer only when seen. */
	bool wait_seen;
	/** Answer at the latest then. */
	uint64_t until_ms;
	/** A person's ring: no message. */
	bool is_ring;
	/** The message. */
	char message_id[BH_MESSAGE_ID_SIZE];
	char to[BH_IDENTITY_SIZE];
	uint64_t seq;
	bool is_replay;
	/** It was seen, on this path, proved so. */
	bool is_seen;
	enum bh_path seen_path;
	char proof[32];
	/** A notice was typed and proved since it was stored. */
	bool is_rung;
	/** The waiter that gets it with the same commit, or NULL. */
	struct bh_handing *handing;
};

/** Texts that an outcome borrows. */
struct texts {
	char nearest[BH_IDENTITY_SIZE * NEAREST_MAX + 8];
	char terminal[BH_UUID_TEXT];
};

static void nearest_write(const struct bh_deliver *deliver, const char *name, char *out,
                          size_t size)
{
	const struct bh_mailbox *near[NEAREST_MAX];
	size_t count = bh_store_nearest(deliver->store, name, near, NEAREST_MAX);
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < count && len < size; i++) {
		int written =
			snprintf(out + len, size - len, "%s%s", i > 0 ? ", " : "", near[i]->name);

		len += written > 0 ? (size_t)written : 0;
	}
}

static void outcome_add_recipient(struct bh_outcome *outcome, struct texts *texts,
                                  const struct bh_station *station,
                                  const struct bh_deliver_view *view)
{
	memcpy(texts->terminal, station->id, sizeof(texts->terminal));
	outcome->terminal_id = texts->terminal;
	outcome->state = bh_word(BH_WORDS_STATE, (int)view->verdict.state);
	outcome->last_turn = bh_word(BH_WORDS_LAST_TURN, (int)view->verdict.last_turn);
}

/** Whether the outcome of something that runs is awaited. */
static bool is_in_flight(const struct bh_station *station, const struct bh_decision *decision)
{
	if (station == NULL) {
		return false;
	}
	// What is in doubt is mostly settled at the next frame, unless a person is needed for it.
	if (decision->reason == BH_REASON_UNPROVED &&
	    decision->seen != BH_PROSPECT_NEEDS_A_PERSON) {
		return true;
	}
	return bh_station_is_typing(station) || station->typist.state == BH_TYPIST_DOUBTING ||
	       decision->act == BH_ACT_TYPE || decision->act == BH_ACT_RING ||
	       decision->act == BH_ACT_HAND_OVER || station->is_handing ||
	       station->handed_claim != 0;
}

/** A decision that would be carried out now is, for a reader, one that is being carried out. */
static void decision_tell(struct bh_decision *decision, bool is_rung)
{
	if (decision->path == BH_PATH_NOTICE && decision->fate == BH_FATE_JOINED && is_rung) {
		decision->fate = BH_FATE_TYPED;
	}
	if (decision->act == BH_ACT_TYPE || decision->act == BH_ACT_RING) {
		decision->reason = BH_REASON_TYPING_NOW;
	}
}

/** Fill the outcome as it is now. True: it will not change by what runs now. */
static bool send_outcome(struct send *send, struct bh_outcome *outcome, struct texts *texts)
{
	struct bh_deliver *deliver = send->deliver;
	const struct bh_mailbox *mailbox = bh_store_mailbox(deliver->store, send->to);
	struct bh_station *station = bh_station_of(deliver, mailbox);
	struct bh_deliver_view view;
	bool has_view = station != NULL && bh_station_view(station, &view);
	struct bh_situation situation = bh_station_situation(
		deliver, mailbox, has_view ? station : NULL, has_view ? &view : NULL);
	struct bh_decision decision = bh_decide(&situation);

	*outcome = (struct bh_outcome){.message_id = send->message_id,
	                               .seq = send->seq,
	                               .to = mailbox != NULL ? mailbox->name : send->to,
	                               .is_replay = send->is_replay,
	                               .is_known = mailbox != NULL && mailbox->is_known,
	                               .is_person = situation.is_operator};
	if (has_view) {
		outcome_add_recipient(outcome, texts, station, &view);
	}
	if (!outcome->is_known) {
		nearest_write(deliver, send->to, texts->nearest, sizeof(texts->nearest));
		outcome->nearest = texts->nearest;
	}
	if (!send->is_seen && !send->is_ring &&
	    bh_store_item(deliver->store, send->to, send->seq) == NULL) {
		send->is_seen = true;
		send->seen_path = BH_PATH_INBOX_ONLY;
	}
	if (send->is_seen) {
		bh_outcome_see(outcome, send->seen_path,
		               send->proof[0] != '\0' ? send->proof : NULL);
		return true;
	}
	decision_tell(&decision, send->is_rung);
	bh_outcome_decide(outcome, &decision);
	// Bound but not to be seen: it is just ending, or coming back after a restart of the server.
	if (!has_view && mailbox != NULL && mailbox->terminal[0] != '\0') {
		return false;
	}
	return !is_in_flight(has_view ? station : NULL, &decision);
}

/** Answer one if it is time to; true: it was answered and freed. */
static bool send_answer(struct send *send, uint64_t now_ms)
{
	static const struct bh_err no_error = {0};
	struct bh_outcome outcome;
	struct texts texts = {0};
	bool is_final = send_outcome(send, &outcome, &texts);
	bool is_due = send->no_wait || send->deliver->is_stopping || now_ms >= send->until_ms;

	if (!is_due && (!is_final || (send->wait_seen && !send->is_seen))) {
		return false;
	}
	bh_list_remove(&send->link);
	send->done(send->user, &no_error, &outcome);
	free(send);
	return true;
}

uint64_t bh_deliver_answer_sends(struct bh_deliver *deliver, uint64_t now_ms)
{
	uint64_t next_ms = 0;

	bh_list_for (at, next, &deliver->sends) {
		struct send *send = bh_container_of(at, struct send, link);

		if (!send_answer(send, now_ms) && (next_ms == 0 || send->until_ms < next_ms)) {
			next_ms = send->until_ms;
		}
	}
	return next_ms;
}

void bh_deliver_seen(struct bh_deliver *deliver, const struct bh_station_mail *mail, size_t count,
                     enum bh_path path, const char *proof)
{
	bh_list_for (at, next, &deliver->sends) {
		struct send *send = bh_container_of(at, struct send, link);

		for (size_t i = 0; i < count && !send->is_seen; i++) {
			if (mail[i].seq == send->seq &&
			    bh_identity_is_same(mail[i].mailbox, send->to)) {
				send->is_seen = true;
				send->seen_path = path;
				(void)snprintf(send->proof, sizeof(send->proof), "%s",
				               proof != NULL ? proof : "");
			}
		}
	}
	bh_deliver_schedule(deliver, deliver->host->now_ms(deliver->user));
}

void bh_deliver_rung(struct bh_station *station)
{
	struct bh_deliver *deliver = station->deliver;

	bh_list_for (at, next, &deliver->sends) {
		struct send *send = bh_container_of(at, struct send, link);
		const struct bh_mailbox *mailbox = bh_store_mailbox(deliver->store, send->to);

		send->is_rung |= mailbox != NULL && strcmp(mailbox->terminal, station->id) == 0;
	}
}

/** How a replayed message was seen, as a path. */
static enum bh_path seen_path(enum bh_seen_how how)
{
	switch (how) {
	case BH_SEEN_WAITER:
		return BH_PATH_WAITER;
	case BH_SEEN_CHANNEL:
		return BH_PATH_CHANNEL;
	case BH_SEEN_TYPED:
		return BH_PATH_TERMINAL;
	case BH_SEEN_NOT:
	case BH_SEEN_INBOX:
	case BH_SEEN_ACK:
	case BH_SEEN_DISCARDED:
		break;
	}
	return BH_PATH_INBOX_ONLY;
}

/** The receipt of mail that no terminal will carry says so from the start. */
static void send_note(const struct send *send, const struct bh_mailbox *mailbox)
{
	struct bh_situation situation = bh_station_situation(send->deliver, mailbox, NULL, NULL);
	struct bh_decision decision = bh_decide(&situation);

	(void)bh_store_note(
		send->deliver->store,
		&(struct bh_note){.mailbox = send->to,
	                          .seq = send->seq,
	                          .step = BH_RECEIPT_QUEUED,
	                          .cause = bh_word(BH_WORDS_REASON, (int)decision.reason)},
		NULL, NULL, NULL);
}

/** What a stored message brought to its waiter: the mail behind the message itself. */
static void send_hand_over(struct send *send, const struct bh_answer *answer)
{
	struct bh_handing *handing = send->handing;
	size_t skipped = answer->message_count > 0 ? 1 : 0;
	struct bh_reading reading = {.err = answer->err,
	                             .messages = answer->messages + skipped,
	                             .count = answer->message_count - skipped,
	                             .claim_id = answer->claim_id,
	                             .unread_left = answer->unread_left};

	send->handing = NULL;
	bh_station_handed(handing, &reading);
}

/** A waiter that would get the message at once gets it in the transaction that stores it. */
static struct bh_handing *send_reserve(const struct send *send, struct bh_take *take_out)
{
	struct bh_deliver *deliver = send->deliver;
	const struct bh_mailbox *mailbox = bh_store_mailbox(deliver->store, send->to);
	struct bh_station *station = bh_station_of(deliver, mailbox);
	struct bh_deliver_view view;
	struct bh_situation situation;

	if (station == NULL || !bh_station_view(station, &view)) {
		return NULL;
	}
	situation = bh_station_situation(deliver, mailbox, station, &view);
	return bh_decide(&situation).act == BH_ACT_HAND_OVER ? bh_station_reserve(station, take_out)
	                                                     : NULL;
}

static void on_stored(void *user, const struct bh_answer *answer)
{
	struct send *send = user;
	struct bh_deliver *deliver = send->deliver;
	const struct bh_mailbox *mailbox;
	struct bh_station *station;

	if (answer->err.code != 0) {
		if (send->handing != NULL) {
			send_hand_over(send, answer);
		}
		send->done(send->user, &answer->err, NULL);
		free(send);
		return;
	}
	send->seq = answer->seq;
	send->is_replay = answer->is_replay;
	if (answer->message_count > 0 && answer->messages[0].ownership == BH_OWNER_SEEN) {
		send->is_seen = true;
		send->seen_path = seen_path(answer->messages[0].seen_how);
	}
	mailbox = bh_store_mailbox(deliver->store, send->to);
	station = bh_station_of(deliver, mailbox);
	bh_list_append(&deliver->sends, &send->link);
	if (send->handing != NULL) {
		send_hand_over(send, answer);
	} else if (station != NULL) {
		bh_station_act(station);
	} else if (!send->is_replay && !send->is_seen) {
		send_note(send, mailbox);
	}
	bh_deliver_schedule(deliver, deliver->host->now_ms(deliver->user));
}

int bh_deliver_send(struct bh_deliver *deliver, const struct bh_deliver_send *what,
                    bh_deliver_sent *done, void *user, struct bh_err *err)
{
	uint64_t now_ms = deliver->host->now_ms(deliver->user);
	struct send *send = bh_xmalloc(sizeof(*send));
	struct bh_put put = what->put;
	struct bh_take take;
	int code;

	*send = (struct send){.deliver = deliver,
	                      .done = done,
	                      .user = user,
	                      .no_wait = what->no_wait,
	                      .wait_seen = what->wait_seen_ms != 0};
	send->until_ms =
		now_ms + (send->wait_seen ? what->wait_seen_ms : (uint64_t)BH_DELIVER_HOLD_MS);
	bh_list_init(&send->link);
	(void)snprintf(send->message_id, sizeof(send->message_id), "%s", what->put.message_id);
	(void)snprintf(send->to, sizeof(send->to), "%s", what->put.to);
	send->handing = send_reserve(send, &take);
	put.take = send->handing != NULL ? &take : NULL;
	code = bh_store_put(deliver->store, &put, on_stored, send, err);
	if (code != 0) {
		if (send->handing != NULL) {
			bh_station_unreserve(send->handing);
		}
		free(send);
	}
	return code;
}

static void on_unparked(void *user, const struct bh_answer *answer)
{
	struct send *send = user;
	struct bh_deliver *deliver = send->deliver;
	struct bh_station *station =
		bh_station_of(deliver, bh_store_mailbox(deliver->store, send->to));

	if (answer->err.code != 0) {
		send->done(send->user, &answer->err, NULL);
		free(send);
		return;
	}
	bh_list_append(&deliver->sends, &send->link);
	if (station != NULL) {
		bh_budget_ask(&station->budget);
		station->budget_notice_id = 0;
		bh_station_act(station);
	}
	bh_deliver_schedule(deliver, deliver->host->now_ms(deliver->user));
}

int bh_deliver_ring(struct bh_deliver *deliver, const char *identity, bh_deliver_sent *done,
                    void *user, struct bh_err *err)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(deliver->store, identity);
	struct send *send;
	int code;

	if (mailbox == NULL || mailbox->terminal[0] == '\0') {
		return bh_err_set(err, BH_ENOTFOUND, "%s has no terminal to ring in", identity);
	}
	if (mailbox->unread == 0) {
		return bh_err_set(err, BH_ENOTFOUND, "%s has no unread mail", mailbox->name);
	}
	send = bh_xmalloc(sizeof(*send));
	*send = (struct send){.deliver = deliver,
	                      .done = done,
	                      .user = user,
	                      .is_ring = true,
	                      .until_ms =
	                              deliver->host->now_ms(deliver->user) + BH_DELIVER_HOLD_MS};
	bh_list_init(&send->link);
	(void)snprintf(send->to, sizeof(send->to), "%s", mailbox->name);
	code = bh_store_unpark(deliver->store, mailbox->terminal, on_unparked, send, err);
	if (code != 0) {
		free(send);
	}
	return code;
}
