#include "src/server/deliver.h"

#include <stdlib.h>

#include "src/agent/profile.h"
#include "src/base/mem.h"
#include "src/server/deliver_channel_own.h"
#include "src/server/deliver_station.h"

/** The earlier of two times; 0 means never. */
static uint64_t earlier(uint64_t a, uint64_t b)
{
	if (a == 0 || b == 0) {
		return a + b;
	}
	return a < b ? a : b;
}

/** When a station is to be looked at again though nothing happens; 0: never. */
static uint64_t station_next_ms(const struct bh_station *station, uint64_t now_ms)
{
	uint64_t next_ms = bh_typist_next_ms(&station->typist, &station->rules, now_ms);

	if (station->is_deferred) {
		return now_ms + 1; // not now: the loop shall read first
	}
	if (station->typist.state == BH_TYPIST_REST && bh_station_head(station) != NULL) {
		uint64_t budget_ms = bh_budget_next_ms(&station->budget);

		// What is due already waits for its gate, not for the time.
		next_ms = earlier(next_ms, budget_ms > now_ms ? budget_ms : 0);
		next_ms = earlier(next_ms, station->retry_ms > now_ms ? station->retry_ms : 0);
		next_ms = earlier(next_ms, bh_guard_dnd_ends_ms(station, now_ms));
		next_ms = earlier(next_ms,
		                  station->is_unread_seen ? now_ms + BH_TYPIST_LOOK_SLOWLY_MS : 0);
	}
	next_ms = earlier(next_ms, station->hand_ms > now_ms ? station->hand_ms : 0);
	// A turn that never was seen to work ends by time.
	if (station->turn_ms != 0 && !station->has_turn_worked &&
	    station->turn_ms + BH_DELIVER_TURN_MS >= now_ms) {
		next_ms = earlier(next_ms, station->turn_ms + BH_DELIVER_TURN_MS + 1);
	}
	return next_ms;
}

/** Whether the sweep is needed: something waits that a lost event could strand. */
static bool deliver_has_queued(const struct bh_deliver *deliver)
{
	bh_list_for (at, next, &deliver->stations) {
		const struct bh_station *station = bh_container_of(at, struct bh_station, link);

		if (!station->is_gone && bh_station_head(station) != NULL) {
			return true;
		}
	}
	return bh_deliver_has_channel_mail(deliver);
}

void bh_deliver_schedule(struct bh_deliver *deliver)
{
	uint64_t now_ms = deliver->host->now_ms(deliver->user);
	uint64_t next_ms = bh_deliver_sends_next_ms(deliver);

	if (!deliver_has_queued(deliver)) {
		deliver->sweep_ms = 0;
	} else if (deliver->sweep_ms == 0) {
		deliver->sweep_ms = now_ms + BH_DELIVER_SWEEP_MS;
	}
	next_ms = earlier(next_ms, deliver->sweep_ms);
	next_ms = earlier(next_ms, bh_guard_next_ms(deliver, now_ms));
	next_ms = earlier(next_ms, bh_deliver_channels_next_ms(deliver, now_ms));
	// What can be told is, from the loop: callbacks never come inside a call.
	if (deliver->is_hurried || !bh_list_is_empty(&deliver->channels_ended) ||
	    !bh_list_is_empty(&deliver->ended)) {
		next_ms = earlier(next_ms, now_ms);
	}
	bh_list_for (at, next, &deliver->stations) {
		struct bh_station *station = bh_container_of(at, struct bh_station, link);

		next_ms = earlier(next_ms, station_next_ms(station, now_ms));
		next_ms = earlier(next_ms, bh_station_waits_until(station));
	}
	deliver->host->wake_at(deliver->user, next_ms);
}

void bh_deliver_hurry(struct bh_deliver *deliver)
{
	deliver->is_hurried = true;
	bh_deliver_schedule(deliver);
}

void bh_deliver_stir(struct bh_deliver *deliver)
{
	deliver->is_hurried |= !bh_list_is_empty(&deliver->sends);
	bh_deliver_schedule(deliver);
}

static void attempt_withdraw(struct bh_deliver *deliver, const struct bh_claim *claim)
{
	(void)bh_store_advance(deliver->store,
	                       &(struct bh_advance){.claim_id = claim->id,
	                                            .phase = BH_PHASE_WITHDRAWN,
	                                            .detail = "exited"},
	                       NULL, NULL, NULL); // the sweep tries again
}

/** Attempts of before the restart whose terminal did not come back end: nothing of them is left. */
static void attempts_sweep(struct bh_deliver *deliver)
{
	const struct bh_claim *claim = NULL;

	while ((claim = bh_store_next_claim(deliver->store, claim)) != NULL) {
		const struct bh_terminal_record *record;

		if (!claim->is_recovered || claim->terminal[0] == '\0' ||
		    (claim->kind != BH_CLAIM_TYPING && claim->kind != BH_CLAIM_NOTICE)) {
			continue;
		}
		record = bh_store_terminal(deliver->store, claim->terminal);
		if (record == NULL || record->status != BH_TERMINAL_LIVE) {
			attempt_withdraw(deliver, claim);
		}
	}
}

/** Act on every station. Acting may free the one that it acts on, no other. */
static void stations_act(struct bh_deliver *deliver)
{
	bh_list_for (at, next, &deliver->stations) {
		bh_station_act(bh_container_of(at, struct bh_station, link));
	}
}

void bh_deliver_tick(struct bh_deliver *deliver)
{
	uint64_t now_ms = deliver->host->now_ms(deliver->user);

	if (deliver->sweep_ms != 0 && now_ms >= deliver->sweep_ms) {
		deliver->sweep_ms = 0;
		attempts_sweep(deliver);
	}
	(void)bh_guard_resume(deliver, now_ms); // the stations look with what is known then
	stations_act(deliver);
	bh_deliver_look_channels(deliver);
	deliver->is_hurried = false; // all that has happened until here is looked at now
	bh_deliver_end_waits(deliver, now_ms);
	bh_deliver_tell_channels(deliver, now_ms);
	bh_deliver_answer_sends(deliver, now_ms);
	bh_deliver_schedule(deliver);
}

struct bh_deliver *bh_deliver_new(const struct bh_deliver_host *host, void *user,
                                  struct bh_store *store)
{
	struct bh_deliver *deliver = bh_xmalloc(sizeof(*deliver));

	*deliver = (struct bh_deliver){.host = host, .user = user, .store = store};
	bh_list_init(&deliver->stations);
	bh_list_init(&deliver->sends);
	bh_list_init(&deliver->ended);
	deliver->guards = bh_guard_book_new(deliver);
	bh_list_init(&deliver->channels);
	bh_list_init(&deliver->channels_ended);
	bh_list_init(&deliver->steers);
	attempts_sweep(deliver);
	return deliver;
}

void bh_deliver_stop(struct bh_deliver *deliver)
{
	uint64_t now_ms = deliver->host->now_ms(deliver->user);

	deliver->is_stopping = true;
	bh_list_for (at, next, &deliver->stations) {
		struct bh_station *station = bh_container_of(at, struct bh_station, link);

		bh_station_end_waiters(station);
		if (station->linger_ms != 0) {
			bh_station_let_go(station); // the next server knows nothing of them
		}
	}
	bh_deliver_end_waits(deliver, now_ms);
	bh_deliver_end_channels(deliver);
	bh_deliver_tell_channels(deliver, now_ms);
	bh_deliver_answer_sends(deliver, now_ms);
	deliver->host->wake_at(deliver->user, 0);
}

void bh_deliver_free(struct bh_deliver *deliver)
{
	if (deliver == NULL) {
		return;
	}
	if (!deliver->is_stopping) {
		bh_deliver_stop(deliver);
	}
	bh_list_for (at, next, &deliver->stations) {
		bh_station_free(bh_container_of(at, struct bh_station, link));
	}
	bh_map_clear(&deliver->by_terminal);
	bh_guard_book_free(deliver->guards);
	free(deliver);
}

void bh_deliver_mail_changed(struct bh_deliver *deliver, const struct bh_mailbox *mailbox)
{
	struct bh_station *station = bh_station_of(deliver, mailbox);

	bh_channel_look(deliver, mailbox);
	if (station != NULL) {
		bh_station_act(station);
	}
	bh_deliver_stir(deliver);
}

void bh_deliver_bound(struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	struct bh_station *station = bh_station_get(deliver, terminal);

	bh_station_recover(station);
	bh_station_act(station);
	bh_deliver_stir(deliver);
}

/** Whether a look at the terminal could lead to anything. */
static bool station_has_work(const struct bh_station *station)
{
	return station->typist.state != BH_TYPIST_REST || bh_guard_watches(station) ||
	       !bh_list_is_empty(&station->waiters) || bh_station_head(station) != NULL;
}

void bh_deliver_look(struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	struct bh_station *station = bh_station_find(deliver, terminal);

	if (station != NULL && station_has_work(station)) {
		bh_station_act(station);
		bh_deliver_stir(deliver);
	}
}

void bh_deliver_person(struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	struct bh_station *station = bh_station_find(deliver, terminal);

	if (station != NULL) {
		bh_guard_person(station);
	}
}

void bh_deliver_exited(struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	struct bh_station *station = bh_station_find(deliver, terminal);
	const struct bh_claim *attempt;
	char id[BH_UUID_TEXT];

	attempt = bh_store_attempt(deliver->store, bh_uuid_format(terminal, id));
	// An attempt of before a restart that nobody has taken up: nothing of it is left now.
	if (attempt != NULL && (station == NULL || station->typist.state == BH_TYPIST_REST)) {
		attempt_withdraw(deliver, attempt);
	}
	if (station != NULL) {
		bh_station_end_waiters(station);
		bh_station_end_channel(station, BH_CHANNEL_EXITED);
		station->is_gone = true;
		bh_station_act(station);
	}
	bh_deliver_stir(deliver);
}

bool bh_deliver_is_reading(const struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	const struct bh_station *station = bh_station_find(deliver, terminal);

	return station != NULL &&
	       (station->channel != NULL || !bh_list_is_empty(&station->waiters));
}

bool bh_deliver_is_typing(const struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	const struct bh_station *station = bh_station_find(deliver, terminal);

	return station != NULL && station->typist.state != BH_TYPIST_REST;
}

struct bh_tier_verdict bh_deliver_can_wake(struct bh_deliver *deliver, const char *identity)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(deliver->store, identity);
	struct bh_station *station = bh_station_of(deliver, mailbox);
	struct bh_deliver_view view;
	bool has_view = station != NULL && bh_station_view(station, &view);
	struct bh_situation situation = bh_station_situation(
		deliver, mailbox, has_view ? station : NULL, has_view ? &view : NULL);
	struct bh_tier_evidence evidence = {.mode = situation.mode,
	                                    .can_type = situation.can_type,
	                                    .is_respawning = situation.is_respawning,
	                                    .gate = bh_decide_closed(&situation)};

	if (has_view) {
		evidence.has_terminal = true;
		evidence.can_type = bh_profile_typing(view.profile)->is_allowed;
		evidence.is_watched = view.watched != NULL;
		evidence.mode = view.mode;
		evidence.is_behind_notice = situation.is_behind_notice;
		evidence.idle_proved_ms = station->idle_proved_ms;
		evidence.submission_proved_ms = station->submission_proved_ms;
		evidence.read_proved_ms = station->read_proved_ms;
		evidence.unproved = station->unproved;
		evidence.unknown_percent = view.unknown_percent;
		if (situation.gate == BH_REASON_NONE) {
			evidence.idle_proved_ms = deliver->host->wall_ms(deliver->user);
		}
		evidence.has_waiter = bh_station_waiter(station) != NULL;
	}
	bh_channel_evidence(deliver, mailbox, station, &evidence);
	bh_deliver_schedule(deliver); // a waiter or a channel was found dead, perhaps
	return bh_tier_judge(&evidence);
}
