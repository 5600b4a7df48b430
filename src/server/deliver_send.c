// Sends and rings: stored first, then held until the attempt that runs has an outcome, then answered
// with what is true at that moment.
#include "src/server/deliver_station.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/mail/store_guard.h"

/** Most names that a warning about an unknown one lists. */
#define NEAREST_MAX 3
/** Fewest characters that are looked at as the beginning of a terminal's id. */
#define ID_MIN 4

/** Whom a message is for: its recipient, or one member of the room. */
struct addressee {
	/** Its name. */
	char to[BH_IDENTITY_SIZE];
	/** It was seen, on this path, proved so. */
	bool is_seen;
	enum bh_path seen_path;
	char proof[32];
	/** Why nobody will see it any more: SUPERSEDED or DISCARDED; NONE: it is not so. */
	enum bh_reason gone;
	/** A person is throwing away what is unread there. */
	bool is_discarding;
	/** A notice was typed and proved since it was stored. */
	bool is_rung;
};

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
	uint64_t seq;
	bool is_replay;
	/** It is an update: about this task, from this name. */
	bool is_update;
	char task_id[BH_MESSAGE_ID_SIZE];
	char from[BH_IDENTITY_SIZE];
	/** Its recipient. Of a room the name only; the rest is with each member. */
	struct addressee one;
	/** Whether it is a room, and its members, owned. */
	bool is_room;
	struct addressee *members;
	size_t member_count;
	/** The waiter that gets it with the same commit, or NULL. */
	struct bh_handing *handing;
};

/** Texts that an outcome borrows. */
struct texts {
	char nearest[BH_IDENTITY_SIZE * NEAREST_MAX + 8];
	char terminal[BH_UUID_TEXT];
	char advice[200];
};

/** The name of the living terminal that @id is the beginning of an id of, or NULL. */
static const char *name_of_id(const struct bh_deliver *deliver, const char *id)
{
	const struct bh_terminal_record *record = NULL;
	size_t len = strlen(id);

	while (len >= ID_MIN && (record = bh_store_next_terminal(deliver->store, record)) != NULL) {
		if (record->status == BH_TERMINAL_LIVE && strncasecmp(record->uuid, id, len) == 0) {
			return record->identity;
		}
	}
	return NULL;
}

static void nearest_write(const struct bh_deliver *deliver, const char *name, char *out,
                          size_t size)
{
	const struct bh_mailbox *near[NEAREST_MAX];
	size_t count = bh_store_nearest(deliver->store, name, near, NEAREST_MAX);
	const char *meant = name_of_id(deliver, name);
	size_t len = 0;

	out[0] = '\0';
	if (meant != NULL) { // mail has names; who gives the id of a terminal means its name
		(void)snprintf(out, size, "%s", meant);
		return;
	}
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
	if (view->watched != NULL) {
		(void)snprintf(texts->advice, sizeof(texts->advice),
		               "%.40s was typed into a shell there, where bellhop only watches; a "
		               "person can start it by `bellhop run %.40s` to have mail typed",
		               view->watched, view->watched); // fits
		outcome->advice = texts->advice;
	}
}

/** Whether the outcome of something that runs is awaited. */
static bool is_in_flight(const struct bh_station *station, const struct bh_decision *decision)
{
	if (decision->path == BH_PATH_CHANNEL) {
		return decision->reason == BH_REASON_NONE;
	}
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

/** Mail that is in no mailbox any more was seen, unless it went without. */
static void addressee_look(struct addressee *addressee, const struct send *send)
{
	if (addressee->is_seen || addressee->gone != BH_REASON_NONE || send->is_ring ||
	    bh_store_item(send->deliver->store, addressee->to, send->seq) != NULL) {
		return;
	}
	if (addressee->is_discarding) {
		addressee->gone = BH_REASON_DISCARDED;
		return;
	}
	addressee->is_seen = true;
	addressee->seen_path = BH_PATH_INBOX_ONLY;
}

/** Fill the outcome for one as it is now. True: it will not change by what runs now. */
static bool addressee_outcome(struct send *send, struct addressee *addressee,
                              struct bh_outcome *outcome, struct texts *texts)
{
	struct bh_deliver *deliver = send->deliver;
	const struct bh_mailbox *mailbox = bh_store_mailbox(deliver->store, addressee->to);
	struct bh_station *station = bh_station_of(deliver, mailbox);
	struct bh_deliver_view view;
	bool has_view = station != NULL && bh_station_view(station, &view);
	struct bh_situation situation = bh_station_situation(
		deliver, mailbox, has_view ? station : NULL, has_view ? &view : NULL);
	const struct bh_item *item = bh_store_item(deliver->store, addressee->to, send->seq);
	struct bh_decision decision;

	if (item != NULL) {
		situation.guards = bh_guard_item(deliver, item);
		situation.is_update_only = item->task_status == BH_TASK_UPDATE &&
		                           item->claim == NULL &&
		                           (!has_view || bh_guard_waker(station) == NULL);
	}
	decision = bh_decide(&situation);
	*outcome = (struct bh_outcome){.to = mailbox != NULL ? mailbox->name : addressee->to,
	                               .is_known = mailbox != NULL && mailbox->is_known,
	                               .is_person = situation.is_operator};
	if (has_view) {
		outcome_add_recipient(outcome, texts, station, &view);
	}
	if (!outcome->is_known) {
		nearest_write(deliver, addressee->to, texts->nearest, sizeof(texts->nearest));
		outcome->nearest = texts->nearest;
	}
	addressee_look(addressee, send);
	if (addressee->gone != BH_REASON_NONE) {
		bh_outcome_decide(outcome,
		                  &(struct bh_decision){.path = BH_PATH_INBOX_ONLY,
		                                        .fate = BH_FATE_UNAVAILABLE,
		                                        .reason = addressee->gone,
		                                        .seen = BH_PROSPECT_ONLY_IF_IT_LOOKS});
		return true;
	}
	if (addressee->is_seen) {
		bh_outcome_see(outcome, addressee->seen_path,
		               addressee->proof[0] != '\0' ? addressee->proof : NULL);
		return true;
	}
	decision_tell(&decision, addressee->is_rung);
	bh_outcome_decide(outcome, &decision);
	// Bound but not to be seen: it is just ending, or coming back after a restart of the server.
	if (!has_view && mailbox != NULL && mailbox->terminal[0] != '\0') {
		return false;
	}
	return !is_in_flight(has_view ? station : NULL, &decision);
}

/** Fill the answer, for a room from those of its members. As addressee_outcome(). */
static bool send_outcome(struct send *send, struct bh_outcome *outcome, struct texts *texts,
                         const struct bh_outcome *members)
{
	bool is_final = true;

	if (send->is_room) {
		const struct bh_mailbox *room =
			bh_store_mailbox(send->deliver->store, send->one.to);

		*outcome = (struct bh_outcome){.to = room != NULL ? room->name : send->one.to,
		                               .is_known = room != NULL && room->is_known,
		                               .members = members,
		                               .member_count = send->member_count};
		if (!outcome->is_known) {
			nearest_write(send->deliver, send->one.to, texts->nearest,
			              sizeof(texts->nearest));
			outcome->nearest = texts->nearest;
		}
		bh_outcome_gather(outcome);
	} else {
		is_final = addressee_outcome(send, &send->one, outcome, texts);
	}
	outcome->message_id = send->message_id;
	outcome->seq = send->seq;
	outcome->is_replay = send->is_replay;
	return is_final;
}

/** Whether there is nothing more to wait for with --wait seen. */
static bool send_is_seen(const struct send *send)
{
	bool is_seen = send->is_room || send->one.is_seen || send->one.gone != BH_REASON_NONE;

	for (size_t i = 0; i < send->member_count; i++) {
		is_seen &= send->members[i].is_seen || send->members[i].gone != BH_REASON_NONE;
	}
	return is_seen;
}

static void send_free(struct send *send)
{
	bh_list_remove(&send->link);
	free(send->members);
	free(send);
}

/** Answer one if it is time to: then it is freed. */
static void send_answer(struct send *send, uint64_t now_ms)
{
	static const struct bh_err no_error = {0};
	struct bh_outcome outcome;
	struct bh_outcome *members = bh_xcalloc(send->member_count + 1, sizeof(*members));
	struct texts *texts = bh_xcalloc(send->member_count + 1, sizeof(*texts));
	bool is_due = send->no_wait || send->deliver->is_stopping || now_ms >= send->until_ms;
	bool is_final = true;

	for (size_t i = 0; i < send->member_count; i++) {
		is_final &= addressee_outcome(send, &send->members[i], &members[i], &texts[i + 1]);
	}
	is_final &= send_outcome(send, &outcome, &texts[0], members);
	is_due |= is_final && (!send->wait_seen || send_is_seen(send));
	if (is_due) {
		outcome.is_timed_out = send->wait_seen && now_ms >= send->until_ms &&
		                       !(is_final && send_is_seen(send));
		bh_list_remove(&send->link);
		send->done(send->user, &no_error, &outcome);
		send_free(send);
	}
	free(members);
	free(texts);
}

void bh_deliver_answer_sends(struct bh_deliver *deliver, uint64_t now_ms)
{
	bh_list_for (at, next, &deliver->sends) {
		send_answer(bh_container_of(at, struct send, link), now_ms);
	}
}

uint64_t bh_deliver_sends_next_ms(const struct bh_deliver *deliver)
{
	uint64_t next_ms = 0;

	bh_list_for (at, next, &deliver->sends) {
		const struct send *send = bh_container_of(at, struct send, link);

		if (next_ms == 0 || send->until_ms < next_ms) {
			next_ms = send->until_ms;
		}
	}
	return next_ms;
}

/** The one of that name among those whom the message is for, or NULL. */
static struct addressee *send_find(struct send *send, const char *name)
{
	if (!send->is_room) {
		return bh_identity_is_same(name, send->one.to) ? &send->one : NULL;
	}
	for (size_t i = 0; i < send->member_count; i++) {
		if (bh_identity_is_same(name, send->members[i].to)) {
			return &send->members[i];
		}
	}
	return NULL;
}

void bh_deliver_seen(struct bh_deliver *deliver, const struct bh_station_mail *mail, size_t count,
                     enum bh_path path, const char *proof)
{
	for (size_t i = 0; i < count; i++) {
		bh_list_for (at, next, &deliver->sends) {
			struct send *send = bh_container_of(at, struct send, link);
			struct addressee *one = send_find(send, mail[i].mailbox);

			if (mail[i].seq == send->seq && one != NULL && !one->is_seen) {
				one->is_seen = true;
				one->seen_path = path;
				(void)snprintf(one->proof, sizeof(one->proof), "%s",
				               proof != NULL ? proof : "");
			}
		}
	}
	bh_deliver_hurry(deliver);
}

/** Whether a mailbox is of this terminal. */
static bool addressee_is_in(const struct addressee *addressee, const struct bh_deliver *deliver,
                            const char *terminal)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(deliver->store, addressee->to);

	return mailbox != NULL && strcmp(mailbox->terminal, terminal) == 0;
}

void bh_deliver_discarding(struct bh_deliver *deliver, const char *terminal)
{
	bh_list_for (at, next, &deliver->sends) {
		struct send *send = bh_container_of(at, struct send, link);

		send->one.is_discarding |= addressee_is_in(&send->one, deliver, terminal);
		for (size_t i = 0; i < send->member_count; i++) {
			send->members[i].is_discarding |=
				addressee_is_in(&send->members[i], deliver, terminal);
		}
	}
}

static void addressee_ring(struct addressee *addressee, const struct bh_station *station)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(station->deliver->store, addressee->to);

	addressee->is_rung |= mailbox != NULL && strcmp(mailbox->terminal, station->id) == 0;
}

void bh_deliver_rung(struct bh_station *station)
{
	struct bh_deliver *deliver = station->deliver;

	bh_list_for (at, next, &deliver->sends) {
		struct send *send = bh_container_of(at, struct send, link);

		addressee_ring(&send->one, station);
		for (size_t i = 0; i < send->member_count; i++) {
			addressee_ring(&send->members[i], station);
		}
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
	case BH_SEEN_SUPERSEDED:
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
		&(struct bh_note){.mailbox = mailbox->name,
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
static struct bh_handing *send_reserve(const struct send *send, const char *from,
                                       struct bh_take *take_out)
{
	struct bh_deliver *deliver = send->deliver;
	const struct bh_mailbox *mailbox = bh_store_mailbox(deliver->store, send->one.to);
	struct bh_station *station = bh_station_of(deliver, mailbox);
	struct bh_deliver_view view;
	struct bh_situation situation;

	if (send->is_update || station == NULL || !bh_station_view(station, &view)) {
		return NULL;
	}
	situation = bh_station_situation(deliver, mailbox, station, &view);
	situation.guards.is_blocked = bh_mailbox_blocks(mailbox, from);
	return bh_decide(&situation).act == BH_ACT_HAND_OVER ? bh_station_reserve(station, take_out)
	                                                     : NULL;
}

/** The guards hear of a new message. */
static void send_guard(const struct send *send, const struct addressee *addressee)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(send->deliver->store, addressee->to);
	const struct bh_item *item = bh_store_item(send->deliver->store, addressee->to, send->seq);

	if (!send->is_replay && item != NULL && mailbox->kind == BH_IDENTITY_AGENT) {
		bh_guard_stored(send->deliver, item,
		                send->handing == NULL &&
		                        (mailbox->terminal[0] != '\0' ||
		                         bh_channel_is_open(send->deliver, mailbox)));
	}
}

/** Keep how a stored message stands with one whom it is for. */
static void addressee_set(struct addressee *addressee, const struct bh_message *message)
{
	(void)snprintf(addressee->to, sizeof(addressee->to), "%s", message->mailbox);
	addressee->gone = BH_REASON_NONE;
	if (message->ownership == BH_OWNER_SEEN && message->seen_how == BH_SEEN_SUPERSEDED) {
		addressee->gone = BH_REASON_SUPERSEDED;
	} else if (message->ownership == BH_OWNER_SEEN && message->seen_how == BH_SEEN_DISCARDED) {
		addressee->gone = BH_REASON_DISCARDED;
	}
	addressee->is_seen =
		message->ownership == BH_OWNER_SEEN && addressee->gone == BH_REASON_NONE;
	addressee->seen_path = seen_path(message->seen_how);
}

/** Keep whom it went to. */
static void send_set_recipients(struct send *send, const struct bh_answer *answer)
{
	if (answer->message_count == 0) {
		return;
	}
	send->is_room = bh_identity_is_room(answer->messages[0].mailbox);
	addressee_set(&send->one, &answer->messages[0]);
	if (!send->is_room) {
		return;
	}
	send->member_count = answer->message_count - 1;
	send->members = bh_xcalloc(answer->message_count, sizeof(send->members[0]));
	for (size_t i = 0; i < send->member_count; i++) {
		addressee_set(&send->members[i], &answer->messages[i + 1]);
	}
}

/** Older updates that wait for their answer have lost their place to this one. */
static void send_supersede(const struct send *send)
{
	struct bh_deliver *deliver = send->deliver;

	bh_list_for (at, next, &deliver->sends) {
		struct send *older = bh_container_of(at, struct send, link);
		struct addressee *one = &older->one;

		if (!older->is_update || older->is_room || older->seq >= send->seq ||
		    strcmp(older->task_id, send->task_id) != 0 ||
		    !bh_identity_is_same(older->from, send->from)) {
			continue;
		}
		if (!one->is_seen && bh_store_item(deliver->store, one->to, older->seq) == NULL) {
			one->gone = BH_REASON_SUPERSEDED;
		}
	}
}

/** Set going what carries it to one. */
static void send_carry(const struct send *send, const struct addressee *addressee)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(send->deliver->store, addressee->to);
	struct bh_station *station = bh_station_of(send->deliver, mailbox);

	send_guard(send, addressee);
	if (station != NULL) {
		bh_station_act(station);
	} else if (!send->is_replay && !addressee->is_seen && mailbox != NULL &&
	           !bh_channel_is_open(send->deliver, mailbox)) {
		send_note(send, mailbox);
	}
}

/** There is one more to answer: from the loop, but for a server that stops, whose loop has no more ticks. */
static void sends_look(struct bh_deliver *deliver)
{
	if (deliver->is_stopping) {
		bh_deliver_answer_sends(deliver, deliver->host->now_ms(deliver->user));
	} else {
		bh_deliver_hurry(deliver);
	}
}

static void on_stored(void *user, const struct bh_answer *answer)
{
	struct send *send = user;
	struct bh_deliver *deliver = send->deliver;

	if (answer->err.code != 0) {
		if (send->handing != NULL) {
			send_hand_over(send, answer);
		}
		send->done(send->user, &answer->err, NULL);
		send_free(send);
		return;
	}
	send->seq = answer->seq;
	send->is_replay = answer->is_replay;
	if (send->is_update) {
		send_supersede(send);
	}
	bh_list_append(&deliver->sends, &send->link);
	if (send->handing != NULL) {
		addressee_set(&send->one, &answer->messages[0]);
		send_guard(send, &send->one);
		send_hand_over(send, answer);
	} else {
		send_set_recipients(send, answer);
		for (size_t i = 0; i < send->member_count; i++) {
			send_carry(send, &send->members[i]);
		}
		if (!send->is_room) {
			send_carry(send, &send->one);
		}
	}
	sends_look(deliver);
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
	(void)snprintf(send->one.to, sizeof(send->one.to), "%s",
	               what->put.to != NULL ? what->put.to : "");
	send->is_update = what->put.task_status == BH_TASK_UPDATE;
	if (send->is_update) {
		(void)snprintf(send->task_id, sizeof(send->task_id), "%s", what->put.task_id);
		(void)snprintf(send->from, sizeof(send->from), "%s", what->put.from);
	}
	send->handing = send_reserve(send, what->put.from, &take);
	put.take = send->handing != NULL ? &take : NULL;
	code = bh_store_put(deliver->store, &put, on_stored, send, err);
	if (code != 0) {
		if (send->handing != NULL) {
			bh_station_unreserve(send->handing);
		}
		send_free(send);
	}
	return code;
}

static void on_unparked(void *user, const struct bh_answer *answer)
{
	struct send *send = user;
	struct bh_deliver *deliver = send->deliver;
	struct bh_station *station =
		bh_station_of(deliver, bh_store_mailbox(deliver->store, send->one.to));

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
	sends_look(deliver);
}

/** Whether there is unread mail in a terminal, under whichever of its names. */
static bool terminal_has_mail(const struct bh_deliver *deliver, const char *terminal)
{
	const struct bh_terminal_record *record = bh_store_terminal(deliver->store, terminal);
	const struct bh_mailbox *name = NULL;

	while (record != NULL && (name = bh_store_next_name(record, name)) != NULL) {
		if (name->unread > 0) {
			return true;
		}
	}
	return false;
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
	if (!terminal_has_mail(deliver, mailbox->terminal)) {
		return bh_err_set(err, BH_ENOTFOUND,
		                  "%s has no unread mail, so there is nothing to ring for",
		                  mailbox->name);
	}
	send = bh_xmalloc(sizeof(*send));
	*send = (struct send){.deliver = deliver,
	                      .done = done,
	                      .user = user,
	                      .is_ring = true,
	                      .until_ms =
	                              deliver->host->now_ms(deliver->user) + BH_DELIVER_HOLD_MS};
	bh_list_init(&send->link);
	(void)snprintf(send->one.to, sizeof(send->one.to), "%s", mailbox->name);
	// A person acts: stopped chains may wake again, too. If that is refused, so is the next.
	(void)bh_store_person(deliver->store, mailbox->terminal, NULL, NULL, NULL);
	code = bh_store_unpark(deliver->store, mailbox->terminal, on_unparked, send, err);
	if (code != 0) {
		free(send);
	}
	return code;
}
