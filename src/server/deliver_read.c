// Readers: waits inside a terminal, reads of an inbox, and their confirmation.
#include "src/server/deliver_station.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/** A wait that is open. */
struct bh_waiter {
	/** In its station's waiters, or in bh_deliver.ended. */
	struct bh_list link;
	/** Whose. */
	struct bh_deliver *deliver;
	/** As the caller gave it; terminal and names are not kept. */
	struct bh_deliver_reader reader;
	/** The take for it that is under way, or NULL. */
	struct bh_handing *handing;
	/** When it times out. */
	uint64_t until_ms;
};

/** A take for a waiter that is under way. */
struct bh_handing {
	/** Where it waits. */
	struct bh_station *station;
	/** The waiter; NULL once it was cancelled. */
	struct bh_waiter *waiter;
};

/** A read that is under way. */
struct read {
	/** Whose. */
	struct bh_deliver *deliver;
	/** Who gets the mail. */
	bh_deliver_read_done *done;
	void *user;
	char terminal[BH_UUID_TEXT];
};

/** A confirmation that is under way. */
struct confirming {
	struct bh_deliver *deliver;
	bh_store_done *done;
	void *user;
	enum bh_path path;
	char terminal[BH_UUID_TEXT];
	/** Its agent read it itself. */
	bool is_read;
	size_t count;
	struct bh_station_mail mail[];
};

static bool waiter_is_alive(const struct bh_waiter *waiter)
{
	return waiter->reader.is_alive == NULL || waiter->reader.is_alive(waiter->reader.user);
}

/** Its time is over, or its terminal: it hears so from the loop. */
static void waiter_end(struct bh_waiter *waiter)
{
	bh_list_remove(&waiter->link);
	bh_list_append(&waiter->deliver->ended, &waiter->link);
	if (waiter->handing != NULL) {
		waiter->handing->waiter = NULL;
		waiter->handing = NULL;
	}
}

struct bh_waiter *bh_station_waiter(struct bh_station *station)
{
	while (!bh_list_is_empty(&station->waiters)) {
		struct bh_waiter *waiter =
			bh_container_of(station->waiters.prev, struct bh_waiter, link);

		if (waiter_is_alive(waiter)) {
			return waiter;
		}
		waiter_end(waiter);
	}
	return NULL;
}

void bh_station_end_waiters(struct bh_station *station)
{
	bh_list_for (at, next, &station->waiters) {
		waiter_end(bh_container_of(at, struct bh_waiter, link));
	}
}

uint64_t bh_station_waits_until(const struct bh_station *station)
{
	uint64_t until_ms = 0;

	bh_list_for (at, next, &station->waiters) {
		const struct bh_waiter *waiter = bh_container_of(at, struct bh_waiter, link);

		if (until_ms == 0 || waiter->until_ms < until_ms) {
			until_ms = waiter->until_ms;
		}
	}
	return until_ms;
}

void bh_deliver_end_waits(struct bh_deliver *deliver, uint64_t now_ms)
{
	bh_list_for (at, next, &deliver->stations) {
		struct bh_station *station = bh_container_of(at, struct bh_station, link);

		bh_list_for (w, after, &station->waiters) {
			struct bh_waiter *waiter = bh_container_of(w, struct bh_waiter, link);

			if (now_ms >= waiter->until_ms) {
				waiter_end(waiter);
			}
		}
	}
	while (!bh_list_is_empty(&deliver->ended)) {
		struct bh_waiter *waiter =
			bh_container_of(deliver->ended.next, struct bh_waiter, link);
		// NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the one freed before was unlinked
		struct bh_deliver_reader reader = waiter->reader;
		struct bh_reading reading = {.is_timed_out = true};

		bh_list_remove(&waiter->link);
		free(waiter);
		reader.done(reader.user, &reading);
	}
}

/** Add to a reading that found nothing who read the mail before. */
static void reading_add_notice(struct bh_reading *reading, const struct bh_store *store,
                               const char *terminal)
{
	const struct bh_terminal_record *record = bh_store_terminal(store, terminal);

	if (reading->count == 0 && reading->err.code == 0 && record != NULL &&
	    record->notice.id != 0 && record->notice.state == BH_NOTICE_CLOSED &&
	    record->notice.closed_ms != 0) {
		reading->read_notice_id = record->notice.id;
		reading->read_at_ms = record->notice.closed_ms;
	}
}

static struct bh_reading reading_of(const struct bh_answer *answer)
{
	return (struct bh_reading){.err = answer->err,
	                           .messages = answer->messages,
	                           .count = answer->message_count,
	                           .claim_id = answer->claim_id,
	                           .unread_left = answer->unread_left};
}

void bh_station_handed(struct bh_handing *handing, const struct bh_reading *reading)
{
	struct bh_station *station = handing->station;
	struct bh_deliver *deliver = station->deliver;
	struct bh_waiter *waiter = handing->waiter;

	bh_station_unreserve(handing);
	if (reading->err.code == 0 && reading->claim_id != 0) {
		if (waiter == NULL || !waiter_is_alive(waiter)) {
			// It went away meanwhile: nobody has seen anything.
			(void)bh_store_release(deliver->store,
			                       &(struct bh_release){.claim_id = reading->claim_id,
			                                            .why = "waiter gone"},
			                       NULL, NULL, NULL);
		} else {
			struct bh_deliver_reader reader = waiter->reader;

			station->handed_claim = reading->claim_id;
			bh_list_remove(&waiter->link);
			free(waiter);
			reader.done(reader.user, reading);
		}
	}
	if (reading->err.code == 0) {
		bh_station_act(station);
		bh_deliver_stir(deliver);
	} else {
		// At once would only find the same trouble.
		station->hand_ms = deliver->host->now_ms(deliver->user) + BH_DELIVER_RETRY_MS;
		bh_deliver_schedule(deliver);
		(void)bh_station_release(station);
	}
}

static void on_handed(void *user, const struct bh_answer *answer)
{
	struct bh_reading reading = reading_of(answer);

	bh_station_handed(user, &reading);
}

struct bh_handing *bh_station_reserve(struct bh_station *station, struct bh_take *take_out)
{
	struct bh_waiter *waiter = bh_station_waiter(station);
	struct bh_handing *handing;

	if (waiter == NULL || station->is_handing) {
		return NULL;
	}
	*take_out = (struct bh_take){.kind = BH_CLAIM_WAITER,
	                             .terminal = station->id,
	                             .limit = waiter->reader.limit,
	                             .lease_ms = BH_DELIVER_WAITER_LEASE_MS};
	handing = bh_xmalloc(sizeof(*handing));
	*handing = (struct bh_handing){.station = station, .waiter = waiter};
	waiter->handing = handing;
	station->is_handing = true;
	station->pending++;
	return handing;
}

void bh_station_unreserve(struct bh_handing *handing)
{
	handing->station->pending--;
	handing->station->is_handing = false;
	if (handing->waiter != NULL) {
		handing->waiter->handing = NULL; // it may go on to wait
	}
	free(handing);
}

void bh_station_hand_over(struct bh_station *station)
{
	const struct bh_deliver *deliver = station->deliver;
	struct bh_take take;
	struct bh_handing *handing;

	if (deliver->host->now_ms(deliver->user) < station->hand_ms) {
		return;
	}
	handing = bh_station_reserve(station, &take);
	if (handing != NULL &&
	    bh_store_take(deliver->store, &take, on_handed, handing, NULL) != 0) {
		bh_station_unreserve(handing);
	}
}

struct bh_waiter *bh_deliver_wait(struct bh_deliver *deliver,
                                  const struct bh_deliver_reader *reader, struct bh_err *err)
{
	struct bh_deliver_view view;
	struct bh_waiter *waiter;
	struct bh_station *station;

	if (deliver->is_stopping) {
		bh_err_set(err, BH_ECLOSED, "the server ends; wait again in a moment");
		return NULL;
	}
	if (reader->terminal == NULL ||
	    !deliver->host->view(deliver->user, reader->terminal, &view)) {
		bh_err_set(err, BH_EUNSUPPORTED,
		           "only a program inside a terminal of bellhop can wait for mail");
		return NULL;
	}
	station = bh_station_get(deliver, reader->terminal);
	waiter = bh_xmalloc(sizeof(*waiter));
	*waiter = (struct bh_waiter){.deliver = deliver, .reader = *reader};
	waiter->until_ms = deliver->host->now_ms(deliver->user) + reader->timeout_ms;
	bh_list_init(&waiter->link);
	bh_list_append(&station->waiters, &waiter->link);
	bh_station_act(station);
	bh_deliver_stir(deliver);
	return waiter;
}

void bh_deliver_wait_cancel(struct bh_deliver *deliver, struct bh_waiter *waiter)
{
	if (waiter->handing != NULL) {
		waiter->handing->waiter = NULL;
	}
	bh_list_remove(&waiter->link);
	free(waiter);
	bh_deliver_stir(deliver);
}

static void on_read(void *user, const struct bh_answer *answer)
{
	struct read *read = user;
	struct bh_reading reading = reading_of(answer);
	bh_deliver_read_done *done = read->done;
	void *argument = read->user;

	if (read->terminal[0] != '\0') {
		reading_add_notice(&reading, read->deliver->store, read->terminal);
	}
	free(read);
	done(argument, &reading);
}

int bh_deliver_read(struct bh_deliver *deliver, const struct bh_deliver_reader *reader,
                    struct bh_err *err)
{
	struct bh_take take = {.kind = BH_CLAIM_INBOX,
	                       .names = reader->names,
	                       .name_count = reader->name_count,
	                       .limit = reader->limit,
	                       .lease_ms = BH_DELIVER_READ_LEASE_MS};
	struct read *read = bh_xmalloc(sizeof(*read));
	int code;

	*read = (struct read){.deliver = deliver, .done = reader->done, .user = reader->user};
	if (reader->terminal != NULL) {
		bh_uuid_format(reader->terminal, read->terminal);
		take.terminal = read->terminal;
	}
	code = bh_store_take(deliver->store, &take, on_read, read, err);
	if (code != 0) {
		free(read);
	}
	return code;
}

static void on_confirmed(void *user, const struct bh_answer *answer)
{
	struct confirming *confirming = user;
	struct bh_deliver *deliver = confirming->deliver;
	struct bh_uuid terminal;

	if (answer->err.code == 0) {
		bh_deliver_seen(deliver, confirming->mail, confirming->count, confirming->path,
		                NULL);
	}
	if (answer->err.code == 0 && confirming->is_read &&
	    bh_uuid_parse(confirming->terminal, &terminal)) {
		struct bh_station *station = bh_station_find(deliver, &terminal);

		if (station != NULL) {
			station->read_proved_ms = deliver->host->wall_ms(deliver->user);
		}
	}
	if (confirming->done != NULL) {
		confirming->done(confirming->user, answer);
	}
	free(confirming);
}

static enum bh_path claim_path(enum bh_claim_kind kind)
{
	switch (kind) {
	case BH_CLAIM_WAITER:
		return BH_PATH_WAITER;
	case BH_CLAIM_CHANNEL:
		return BH_PATH_CHANNEL;
	case BH_CLAIM_INBOX:
	case BH_CLAIM_TYPING:
	case BH_CLAIM_NOTICE:
		break;
	}
	return BH_PATH_INBOX_ONLY;
}

int bh_deliver_confirm(struct bh_deliver *deliver, uint64_t claim_id, bh_store_done *done,
                       void *user, struct bh_err *err)
{
	const struct bh_claim *claim = bh_store_claim(deliver->store, claim_id);
	size_t count = claim != NULL ? claim->item_count : 0;
	struct confirming *confirming =
		bh_xmalloc(sizeof(*confirming) + count * sizeof(confirming->mail[0]));
	int code;

	confirming->deliver = deliver;
	confirming->done = done;
	confirming->user = user;
	if (claim != NULL) {
		confirming->path = claim_path(claim->kind);
		// A channel is no proof that the agent reads by itself when it is told to.
		confirming->is_read = claim->kind != BH_CLAIM_CHANNEL;
		memcpy(confirming->terminal, claim->terminal, sizeof(claim->terminal));
		bh_list_for (at, next, &claim->items) {
			const struct bh_item *item =
				bh_container_of(at, struct bh_item, claim_link);
			struct bh_station_mail *mail = &confirming->mail[confirming->count++];

			memcpy(mail->mailbox, item->mailbox->name, BH_IDENTITY_SIZE);
			mail->seq = item->seq;
		}
	}
	code = bh_store_confirm(deliver->store, claim_id, on_confirmed, confirming, err);
	if (code != 0) {
		free(confirming);
	}
	return code;
}
