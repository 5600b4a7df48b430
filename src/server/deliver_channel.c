// Channels: what a native push route is given, and how it is settled. One message is out at a time, so
// that what a reader sees is in order whatever becomes of the one before.
#include "src/server/deliver_channel_own.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/deliver_station.h"

/** A channel. */
struct bh_channel {
	/** In bh_deliver.channels, or in bh_deliver.channels_ended. */
	struct bh_list link;
	/** Whose. */
	struct bh_deliver *deliver;
	/** As the holder gave it; the strings and the terminal are not kept. */
	struct bh_channel_settings settings;
	/** The terminal's station; NULL: it serves a name. */
	struct bh_station *station;
	/** The name, as it was given. */
	char name[BH_IDENTITY_SIZE];
	/** The take or the acknowledgement that is under way, or NULL. */
	struct errand *take;
	struct errand *ack;
	/** The message that is out: its claim (0: none), where it stands, its number and id. */
	uint64_t claim_id;
	char mailbox[BH_IDENTITY_SIZE];
	uint64_t seq;
	char message_id[BH_MESSAGE_ID_SIZE];
	/** After a take that brought nothing, or failed: no other before. */
	uint64_t retry_ms;
	/** The message whose lease ran out last: the next way has it. 0: none. */
	uint64_t skipped;
	/** Leases that ran out, in a row. */
	unsigned misses;
	/** Without a terminal: the reason that receipts were told last, and the newest mail then. */
	enum bh_reason noted;
	uint64_t noted_seq;
	/** When it last acknowledged mail (wall clock, ms); 0: never. */
	int64_t proved_ms;
	/** Why it was closed. */
	enum bh_channel_end end;
};

/** A request to the store for a channel, which may be gone when the answer comes. */
struct errand {
	struct bh_deliver *deliver;
	struct bh_channel *channel;
	/** Of an acknowledgement: who waits for it, and the message. */
	bh_store_done *done;
	void *user;
	char ref[BH_MESSAGE_ID_SIZE];
};

/** A steer that waits. */
struct steer {
	struct bh_list link;
	/** NULL: closed meanwhile. */
	struct bh_channel *channel;
	uint64_t number;
	uint64_t until_ms;
	bool is_acknowledged;
	bh_deliver_steered *done;
	void *user;
};

#define END_WORD(name, word, sentence) [BH_CHANNEL_##name] = (word),
#define END_SENTENCE(name, word, sentence) [BH_CHANNEL_##name] = (sentence),

const char *bh_channel_end_word(enum bh_channel_end end)
{
	static const char *const words[] = {BH_CHANNEL_END_LIST(END_WORD)};

	return words[end];
}

const char *bh_channel_end_sentence(enum bh_channel_end end)
{
	static const char *const sentences[] = {BH_CHANNEL_END_LIST(END_SENTENCE)};

	return sentences[end];
}

static struct bh_channel *channel_of_link(struct bh_list *link)
{
	return bh_container_of(link, struct bh_channel, link);
}

// ---- closing ----

/** Take it out of everything that leads to it; what it holds is unread again. May come twice: when it is
 * ended, and when its connection goes before it was told so. */
static void channel_detach(struct bh_channel *channel)
{
	struct bh_deliver *deliver = channel->deliver;

	bh_list_remove(&channel->link);
	if (channel->station != NULL && channel->station->channel == channel) {
		channel->station->channel = NULL;
	}
	channel->station = NULL;
	if (channel->take != NULL) {
		channel->take->channel = NULL;
	}
	if (channel->ack != NULL) {
		channel->ack->channel = NULL;
	} else if (channel->claim_id != 0 &&
	           bh_store_claim(deliver->store, channel->claim_id) != NULL) {
		// Whether its agent has read it nobody knows.
		(void)bh_store_release(deliver->store,
		                       &(struct bh_release){.claim_id = channel->claim_id,
		                                            .was_shown = true,
		                                            .why = "channel gone"},
		                       NULL, NULL, NULL); // else the lease does it
	}
	channel->take = NULL;
	channel->ack = NULL;
	channel->claim_id = 0;
	bh_list_for (at, next, &deliver->steers) {
		struct steer *steer = bh_container_of(at, struct steer, link);

		if (steer->channel == channel) {
			steer->channel = NULL;
		}
	}
}

static void channel_end(struct bh_channel *channel, enum bh_channel_end why)
{
	bh_log(BH_LOG_INFO, "deliver", channel->name, "channel closed: %s",
	       bh_channel_end_word(why));
	if (why == BH_CHANNEL_MISSED && channel->station != NULL) {
		channel->station->has_channel_failed = true;
	}
	channel_detach(channel);
	channel->end = why;
	bh_list_append(&channel->deliver->channels_ended, &channel->link);
}

void bh_station_end_channel(struct bh_station *station, enum bh_channel_end why)
{
	if (station->channel != NULL) {
		channel_end(station->channel, why);
	}
}

void bh_deliver_end_channels(struct bh_deliver *deliver)
{
	bh_list_for (at, next, &deliver->channels) {
		channel_end(channel_of_link(at), BH_CHANNEL_STOPPED);
	}
}

void bh_deliver_channel_close(struct bh_deliver *deliver, struct bh_channel *channel)
{
	channel_detach(channel);
	free(channel);
	bh_deliver_hurry(deliver);
}

static void steer_finish(struct steer *steer)
{
	bh_deliver_steered *done = steer->done;
	void *user = steer->user;
	bool is_acknowledged = steer->is_acknowledged;

	bh_list_remove(&steer->link);
	free(steer);
	done(user, is_acknowledged);
}

/** The earlier of two times, of which 0 is none. */
static uint64_t sooner(uint64_t a, uint64_t b)
{
	return b != 0 && (a == 0 || b < a) ? b : a;
}

uint64_t bh_deliver_channels_next_ms(const struct bh_deliver *deliver, uint64_t now_ms)
{
	uint64_t next_ms = 0;

	bh_list_for (at, next, &deliver->steers) {
		const struct steer *steer = bh_container_of(at, struct steer, link);

		next_ms = sooner(next_ms, steer->until_ms);
	}
	bh_list_for (at, next, &deliver->channels) {
		const struct bh_channel *channel = channel_of_link(at);
		const struct bh_mailbox *mailbox =
			channel->station == NULL ? bh_store_mailbox(deliver->store, channel->name)
						 : NULL;

		if (mailbox != NULL && mailbox->unread > 0) {
			next_ms = sooner(next_ms, bh_guard_dnd_ends_in(deliver, mailbox, now_ms));
		}
		if (channel->retry_ms > now_ms) {
			next_ms = sooner(next_ms, channel->retry_ms);
		}
	}
	return next_ms;
}

void bh_deliver_tell_channels(struct bh_deliver *deliver, uint64_t now_ms)
{
	bh_list_for (at, next, &deliver->channels_ended) {
		struct bh_channel *channel = channel_of_link(at);
		struct bh_channel_settings settings = channel->settings;
		enum bh_channel_end end = channel->end;

		bh_list_remove(&channel->link);
		free(channel);
		settings.closed(settings.user, end);
	}
	bh_list_for (at, next, &deliver->steers) {
		struct steer *steer = bh_container_of(at, struct steer, link);

		if (steer->is_acknowledged || steer->channel == NULL || now_ms >= steer->until_ms) {
			steer_finish(steer);
		}
	}
}

// ---- what is out ----

/** A lease ran out. */
static void channel_miss(struct bh_channel *channel)
{
	channel->skipped = channel->seq;
	channel->misses++;
	if (channel->misses >= BH_CHANNEL_MISSES_MAX) {
		channel_end(channel, BH_CHANNEL_MISSED);
	}
}

/** See whether what is out was settled by somebody else: the lease, or another reader. False: the
 * channel was closed by it. */
static bool channel_settle(struct bh_channel *channel)
{
	struct bh_deliver *deliver = channel->deliver;
	const struct bh_claim *claim = bh_store_claim(deliver->store, channel->claim_id);

	if (channel->claim_id == 0 || channel->ack != NULL ||
	    (claim != NULL && claim->item_count > 0)) {
		return true;
	}
	if (claim != NULL) { // another way acknowledged the message: an empty claim is left
		(void)bh_store_release(deliver->store,
		                       &(struct bh_release){.claim_id = claim->id, .why = "read"},
		                       NULL, NULL, NULL); // else the lease does it
	}
	channel->claim_id = 0;
	if (bh_store_item(deliver->store, channel->mailbox, channel->seq) != NULL) {
		unsigned misses = channel->misses + 1;

		channel_miss(channel);
		return misses < BH_CHANNEL_MISSES_MAX;
	}
	return true;
}

/** The channel if it may be used; one whose program is gone is closed. */
static struct bh_channel *channel_check(struct bh_channel *channel)
{
	if (channel == NULL || !channel_settle(channel)) {
		return NULL;
	}
	if (channel->settings.is_alive != NULL &&
	    !channel->settings.is_alive(channel->settings.user)) {
		channel_end(channel, BH_CHANNEL_ORPHANED);
		return NULL;
	}
	return channel;
}

/** The open channel of a name without terminal, or NULL. */
static struct bh_channel *channel_of_name(const struct bh_deliver *deliver, const char *name)
{
	bh_list_for (at, next, &deliver->channels) {
		struct bh_channel *channel = channel_of_link(at);

		if (channel->station == NULL && bh_identity_is_same(channel->name, name)) {
			return channel;
		}
	}
	return NULL;
}

bool bh_channel_is_open(const struct bh_deliver *deliver, const struct bh_mailbox *mailbox)
{
	return mailbox != NULL && channel_of_name(deliver, mailbox->name) != NULL;
}

void bh_channel_evidence(struct bh_deliver *deliver, const struct bh_mailbox *mailbox,
                         const struct bh_station *station, struct bh_tier_evidence *evidence)
{
	struct bh_channel *channel = station != NULL   ? station->channel
	                             : mailbox != NULL ? channel_of_name(deliver, mailbox->name)
	                                               : NULL;

	channel = channel_check(channel);
	if (channel != NULL) {
		evidence->has_channel = true;
		evidence->channel_proved_ms = channel->proved_ms;
	}
	if (station != NULL) {
		evidence->channel_proved_ms = station->channel_proved_ms;
		evidence->has_channel_failed = station->has_channel_failed;
	}
}

/** Whether the message that the channel was too slow for has no other way to go. */
static bool is_dead_end(const struct bh_situation *situation)
{
	return !situation->has_terminal || !situation->can_type || situation->mode == BH_MODE_OFF ||
	       situation->notice == BH_BUDGET_PARKED;
}

void bh_channel_situation(struct bh_deliver *deliver, const struct bh_mailbox *mailbox,
                          const struct bh_station *station, struct bh_situation *situation)
{
	struct bh_channel *channel = station != NULL ? station->channel : NULL;
	bool is_skipped;

	if (station == NULL && mailbox != NULL) {
		channel = channel_of_name(deliver, mailbox->name);
	}
	channel = channel_check(channel);
	if (channel == NULL) {
		return;
	}
	// While what it was too slow for waits for the next way, nothing overtakes that.
	is_skipped = channel->skipped != 0 && !is_dead_end(situation) &&
	             bh_store_item(deliver->store, channel->mailbox, channel->skipped) != NULL;
	situation->is_pushed = channel->claim_id != 0 || channel->take != NULL;
	situation->has_channel = !situation->is_pushed && !is_skipped;
}

// ---- giving ----

static void channel_look(struct bh_channel *channel)
{
	if (channel->station != NULL) {
		bh_station_act(channel->station);
	} else {
		bh_channel_look(channel->deliver,
		                bh_store_mailbox(channel->deliver->store, channel->name));
	}
}

static void on_pushed(void *user, const struct bh_answer *answer)
{
	struct errand *errand = user;
	struct bh_channel *channel = errand->channel;
	struct bh_deliver *deliver = errand->deliver;

	free(errand);
	if (channel != NULL) {
		channel->take = NULL;
		channel = channel_check(channel);
	}
	if (answer->err.code != 0 || answer->claim_id == 0) {
		if (channel != NULL) {
			channel->retry_ms =
				deliver->host->now_ms(deliver->user) + BH_DELIVER_RETRY_MS;
		}
		bh_deliver_schedule(deliver);
		return;
	}
	if (channel == NULL) {
		(void)bh_store_release(
			deliver->store,
			&(struct bh_release){.claim_id = answer->claim_id, .why = "channel gone"},
			NULL, NULL, NULL); // else the lease does it
		return;
	}
	channel->claim_id = answer->claim_id;
	channel->seq = answer->messages[0].seq;
	memcpy(channel->mailbox, answer->messages[0].mailbox, sizeof(channel->mailbox));
	memcpy(channel->message_id, answer->messages[0].message_id, sizeof(channel->message_id));
	channel->settings.message(channel->settings.user, &answer->messages[0]);
	bh_deliver_stir(deliver);
}

/** Whether what it would be given next has to wait until something older is settled. */
static bool channel_is_behind(const struct bh_channel *channel)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(channel->deliver->store, channel->name);
	const struct bh_item *item;

	if (channel->station != NULL) {
		item = bh_station_head(channel->station);
	} else {
		item = mailbox != NULL ? bh_mailbox_first_unread(mailbox) : NULL;
		while (item != NULL && bh_mailbox_blocks(mailbox, item->from)) {
			item = bh_mailbox_next_unread(item);
		}
	}
	return item != NULL && bh_station_is_behind(item);
}

static void channel_push(struct bh_channel *channel)
{
	struct bh_deliver *deliver = channel->deliver;
	const char *name = channel->name;
	struct bh_take take = {
		.kind = BH_CLAIM_CHANNEL, .limit = 1, .lease_ms = channel->settings.lease_ms};
	struct errand *errand;

	if (channel->take != NULL || channel->claim_id != 0 || channel_is_behind(channel) ||
	    deliver->host->now_ms(deliver->user) < channel->retry_ms) {
		return;
	}
	if (channel->station != NULL) {
		take.terminal = channel->station->id;
	} else {
		take.names = &name;
		take.name_count = 1;
	}
	errand = bh_xmalloc(sizeof(*errand));
	*errand = (struct errand){.deliver = deliver, .channel = channel};
	if (bh_store_take(deliver->store, &take, on_pushed, errand, NULL) == 0) {
		channel->take = errand;
	} else {
		free(errand); // the store is busy: the sweep tries again
	}
}

void bh_station_push(struct bh_station *station)
{
	if (station->channel != NULL) {
		channel_push(station->channel);
	}
}

/** Write the reason why mail waits into the receipts, when it is another or there is new mail. */
static void channel_note(struct bh_channel *channel, const struct bh_mailbox *mailbox,
                         enum bh_reason reason)
{
	uint64_t newest = bh_mailbox_last_unread(mailbox)->seq;

	if (reason == BH_REASON_NONE ||
	    (reason == channel->noted && newest <= channel->noted_seq)) {
		return;
	}
	channel->noted = reason;
	channel->noted_seq = newest;
	(void)bh_store_note(channel->deliver->store,
	                    &(struct bh_note){.mailbox = mailbox->name,
	                                      .step = BH_RECEIPT_QUEUED,
	                                      .cause = bh_word(BH_WORDS_REASON, (int)reason)},
	                    NULL, NULL, NULL); // a note lost to a full queue is no harm
}

/** Decide for a name that has no terminal. One message that may wake takes all with it. The channel
 * may be closed by it: then this is false. */
static bool name_is_due(struct bh_channel *channel, const struct bh_mailbox *mailbox)
{
	struct bh_deliver *deliver = channel->deliver;
	const struct bh_item *waker = bh_guard_waker_in(deliver, mailbox);
	const struct bh_item *item = waker != NULL ? waker : bh_mailbox_first_unread(mailbox);
	struct bh_situation situation = bh_station_situation(deliver, mailbox, NULL, NULL);
	struct bh_decision decision;

	if (item == NULL || (waker == NULL && item->is_quiet) ||
	    channel_of_name(deliver, mailbox->name) != channel) {
		return false;
	}
	situation.guards = bh_guard_item(deliver, item);
	decision = bh_decide(&situation);
	channel_note(channel, mailbox, decision.reason);
	return decision.act == BH_ACT_HAND_OVER;
}

void bh_channel_look(struct bh_deliver *deliver, const struct bh_mailbox *mailbox)
{
	struct bh_channel *channel =
		mailbox != NULL ? channel_of_name(deliver, mailbox->name) : NULL;

	if (channel == NULL || deliver->is_stopping) {
		return;
	}
	if (mailbox->terminal[0] != '\0') {
		channel_end(channel, BH_CHANNEL_TERMINAL);
	} else if (name_is_due(channel, mailbox)) {
		channel_push(channel);
	}
	bh_deliver_schedule(deliver);
}

void bh_deliver_look_channels(struct bh_deliver *deliver)
{
	bh_list_for (at, next, &deliver->channels) {
		const struct bh_channel *channel = channel_of_link(at);

		if (channel->station == NULL) {
			bh_channel_look(deliver, bh_store_mailbox(deliver->store, channel->name));
		}
	}
}

bool bh_deliver_has_channel_mail(const struct bh_deliver *deliver)
{
	bh_list_for (at, next, &deliver->channels) {
		const struct bh_channel *channel = channel_of_link(at);
		const struct bh_mailbox *mailbox =
			channel->station == NULL ? bh_store_mailbox(deliver->store, channel->name)
						 : NULL;

		if (mailbox != NULL && mailbox->unread > 0) {
			return true;
		}
	}
	return false;
}

// ---- opening ----

struct bh_channel *bh_deliver_channel_open(struct bh_deliver *deliver,
                                           const struct bh_channel_settings *settings,
                                           struct bh_err *err)
{
	struct bh_station *station = NULL;
	struct bh_deliver_view view;
	const struct bh_mailbox *mailbox;
	struct bh_channel *before;
	struct bh_channel *channel;
	const char *name = settings->name;

	if (deliver->is_stopping) {
		bh_err_set(err, BH_ECLOSED, "the server ends; open the channel again in a moment");
		return NULL;
	}
	if (settings->terminal != NULL) {
		if (!deliver->host->view(deliver->user, settings->terminal, &view)) {
			bh_err_set(err, BH_EUNSUPPORTED, "the terminal of this program has ended");
			return NULL;
		}
		station = bh_station_get(deliver, settings->terminal);
		name = view.name_count > 0 ? view.names[view.name_count - 1] : "";
	}
	mailbox = bh_store_mailbox(deliver->store, name);
	if (station == NULL && mailbox != NULL && mailbox->terminal[0] != '\0') {
		bh_err_set(err, BH_EDENIED,
		           "%s has a terminal; its channel is opened inside of that", name);
		return NULL;
	}
	before = station != NULL ? station->channel : channel_of_name(deliver, name);
	if (before != NULL) {
		channel_end(before, BH_CHANNEL_REPLACED);
	}
	channel = bh_xmalloc(sizeof(*channel));
	*channel =
		(struct bh_channel){.deliver = deliver, .settings = *settings, .station = station};
	channel->settings.terminal = NULL;
	channel->settings.name = NULL;
	if (settings->lease_ms == 0) {
		channel->settings.lease_ms = BH_CHANNEL_LEASE_MS;
	}
	(void)snprintf(channel->name, sizeof(channel->name), "%s", name);
	bh_list_init(&channel->link);
	bh_list_append(&deliver->channels, &channel->link);
	if (station != NULL) {
		station->channel = channel;
	}
	channel_look(channel);
	bh_deliver_stir(deliver);
	return channel;
}

struct bh_channel *bh_deliver_channel_next(struct bh_deliver *deliver,
                                           const struct bh_channel *previous)
{
	struct bh_list *next = previous != NULL ? previous->link.next : deliver->channels.next;

	return next != &deliver->channels ? channel_of_link(next) : NULL;
}

void *bh_deliver_channel_user(const struct bh_channel *channel)
{
	return channel->settings.user;
}

// ---- acknowledging ----

static void errand_finish(struct errand *errand, const struct bh_answer *answer)
{
	if (errand->done != NULL) {
		errand->done(errand->user, answer);
	}
	free(errand);
}

static void on_late_ack(void *user, const struct bh_answer *answer)
{
	errand_finish(user, answer);
}

/** Acknowledge what is out no more: whoever has it then, the agent has read it. */
static int ack_late(struct errand *errand, const char *const *names, size_t count,
                    struct bh_err *err)
{
	return bh_store_ack(errand->deliver->store,
	                    &(struct bh_ack){.names = names,
	                                     .name_count = count,
	                                     .ref = errand->ref,
	                                     .how = BH_SEEN_ACK},
	                    on_late_ack, errand, err);
}

/** It works: whatever went wrong before is over. */
static void channel_proved(struct bh_channel *channel)
{
	struct bh_deliver *deliver = channel->deliver;

	channel->claim_id = 0;
	channel->misses = 0;
	channel->skipped = 0;
	channel->proved_ms = deliver->host->wall_ms(deliver->user);
	if (channel->station != NULL) {
		channel->station->channel_proved_ms = channel->proved_ms;
		channel->station->has_channel_failed = false;
	}
}

static void on_ack(void *user, const struct bh_answer *answer)
{
	struct errand *errand = user;
	struct bh_channel *channel = errand->channel;

	if (channel != NULL) {
		channel->ack = NULL;
		if (answer->err.code == 0) {
			channel_proved(channel);
		}
	}
	if (answer->err.code == BH_ENOTFOUND && channel != NULL) {
		const char *name = channel->mailbox;

		// The lease ended while the acknowledgement was on its way.
		if (ack_late(errand, &name, 1, NULL) == 0) {
			return;
		}
	}
	if (channel != NULL) {
		channel_look(channel);
	}
	errand_finish(errand, answer);
}

/** The names that a channel serves. */
static size_t channel_names(const struct bh_channel *channel, const char **names_out)
{
	const struct bh_terminal_record *record;
	const struct bh_mailbox *name = NULL;
	size_t count = 0;

	if (channel->station == NULL) {
		names_out[0] = channel->name;
		return 1;
	}
	record = bh_store_terminal(channel->deliver->store, channel->station->id);
	while (record != NULL && count < BH_DELIVER_NAMES_MAX &&
	       (name = bh_store_next_name(record, name)) != NULL) {
		names_out[count++] = name->name;
	}
	return count;
}

/** Whether @ref names the message that is out. */
static bool is_out(const struct bh_channel *channel, const char *ref)
{
	return channel->claim_id != 0 && channel->ack == NULL &&
	       (bh_message_number('m', ref) == channel->seq ||
	        strcmp(ref, channel->message_id) == 0);
}

int bh_deliver_channel_ack(struct bh_deliver *deliver, struct bh_channel *channel, const char *ref,
                           bh_store_done *done, void *user, struct bh_err *err)
{
	const char *names[BH_DELIVER_NAMES_MAX];
	struct errand *errand;
	int code;

	errand = bh_xmalloc(sizeof(*errand));
	*errand =
		(struct errand){.deliver = deliver, .channel = channel, .done = done, .user = user};
	(void)snprintf(errand->ref, sizeof(errand->ref), "%s", ref);
	if (is_out(channel, ref)) {
		code = bh_deliver_confirm(deliver, channel->claim_id, on_ack, errand, err);
		channel->ack = code == 0 ? errand : NULL;
	} else {
		size_t count = channel_names(channel, names);

		errand->channel = NULL;
		code = ack_late(errand, names, count, err);
	}
	if (code != 0) {
		free(errand);
	}
	return code;
}

// ---- steering ----

bool bh_deliver_steer_ack(struct bh_deliver *deliver, const struct bh_channel *channel,
                          const char *ref)
{
	uint64_t number = bh_message_number('s', ref);

	bh_list_for (at, next, &deliver->steers) {
		struct steer *steer = bh_container_of(at, struct steer, link);

		if (number != 0 && steer->number == number && steer->channel == channel) {
			steer->is_acknowledged = true;
			bh_deliver_hurry(deliver);
			return true;
		}
	}
	return false;
}

int bh_deliver_steer(struct bh_deliver *deliver, const struct bh_deliver_steer *what,
                     bh_deliver_steered *done, void *user, struct bh_err *err)
{
	struct bh_station *station =
		what->terminal != NULL ? bh_station_find(deliver, what->terminal) : NULL;
	struct bh_channel *channel = what->terminal == NULL ? channel_of_name(deliver, what->name)
	                             : station != NULL      ? station->channel
	                                                    : NULL;
	struct steer *steer;
	char id[24];

	channel = channel_check(channel);
	if (channel == NULL || !channel->settings.can_steer) {
		bh_deliver_schedule(deliver); // it was found dead, perhaps
		return bh_err_set(err, BH_ENOTFOUND,
		                  "no channel that can be steered is open there; send a message "
		                  "instead");
	}
	steer = bh_xmalloc(sizeof(*steer));
	*steer = (struct steer){.channel = channel,
	                        .number = ++deliver->last_steer,
	                        .until_ms =
	                                deliver->host->now_ms(deliver->user) + BH_CHANNEL_STEER_MS,
	                        .done = done,
	                        .user = user};
	bh_list_init(&steer->link);
	bh_list_append(&deliver->steers, &steer->link);
	(void)snprintf(id, sizeof(id), "s%" PRIu64, steer->number);
	channel->settings.steer(channel->settings.user, id, what->from, what->text);
	bh_deliver_hurry(deliver);
	return 0;
}
