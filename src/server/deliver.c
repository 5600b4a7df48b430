#include "src/server/deliver.h"

#include <stdlib.h>

#include "src/agent/profile.h"
#include "src/base/mem.h"
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

	if (station->typist.state == BH_TYPIST_REST && bh_station_head(station) != NULL) {
		uint64_t budget_ms = bh_budget_next_ms(&station->budget);

		// What is due already waits for its gate, not for the time.
		next_ms = earlier(next_ms, budget_ms > now_ms ? budget_ms : 0);
		next_ms = earlier(next_ms, station->retry_ms > now_ms ? station->retry_ms : 0);
		next_ms = earlier(next_ms,
		                  station->is_unread_seen ? now_ms + BH_TYPIST_LOOK_SLOWLY_MS : 0);
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
	return false;
}

void bh_deliver_schedule(struct bh_deliver *deliver, uint64_t at_ms)
{
	uint64_t now_ms = deliver->host->now_ms(deliver->user);
	uint64_t next_ms = at_ms;

	if (!deliver_has_queued(deliver)) {
		deliver->sweep_ms = 0;
	} else if (deliver->sweep_ms == 0) {
		deliver->sweep_ms = now_ms + BH_DELIVER_SWEEP_MS;
	}
	next_ms = earlier(next_ms, deliver->sweep_ms);
	// Requests that can be answered are, from the loop: callbacks never come inside a call.
	if (!deliver->is_answered &&
	    (!bh_list_is_empty(&deliver->sends) || !bh_list_is_empty(&deliver->ended))) {
		next_ms = earlier(next_ms, now_ms);
	}
	bh_list_for (at, next, &deliver->stations) {
		struct bh_station *station = bh_container_of(at, struct bh_station, link);

		next_ms = earlier(next_ms, station_next_ms(station, now_ms));
		next_ms = earlier(next_ms, bh_station_waits_until(station));
	}
	deliver->host->wake_at(deliver->user, next_ms);
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
	uint64_t next_ms;

	if (deliver->sweep_ms != 0 && now_ms >= deliver->sweep_ms) {
		deliver->sweep_ms = 0;
		attempts_sweep(deliver);
	}
	stations_act(deliver);
	bh_deliver_end_waits(deliver, now_ms);
	next_ms = bh_deliver_answer_sends(deliver, now_ms);
	deliver->is_answered = true;
	bh_deliver_schedule(deliver, next_ms);
	deliver->is_answered = false;
}

struct bh_deliver *bh_deliver_new(const struct bh_deliver_host *host, void *user,
                                  struct bh_store *store)
{
	struct bh_deliver *deliver = bh_xmalloc(sizeof(*deliver));

	*deliver = (struct bh_deliver){.host = host, .user = user, .store = store};
	bh_list_init(&deliver->stations);
	bh_list_init(&deliver->sends);
	bh_list_init(&deliver->ended);
	attempts_sweep(deliver);
	return deliver;
}

void bh_deliver_stop(struct bh_deliver *deliver)
{
	uint64_t now_ms = deliver->host->now_ms(deliver->user);

	deliver->is_stopping = true;
	bh_list_for (at, next, &deliver->stations) {
		bh_station_end_waiters(bh_container_of(at, struct bh_station, link));
	}
	bh_deliver_end_waits(deliver, now_ms);
	(void)bh_deliver_answer_sends(deliver, now_ms);
	deliver->host->wake_at(deliver->user, 0);
}

void bh_deliver_free(struct bh_deliver *deliver)
{
	if (deliver == NULL) {
		return;
	}
	bh_deliver_stop(deliver);
	bh_list_for (at, next, &deliver->stations) {
		bh_station_free(bh_container_of(at, struct bh_station, link));
	}
	free(deliver);
}

void bh_deliver_mail_changed(struct bh_deliver *deliver, const struct bh_mailbox *mailbox)
{
	struct bh_station *station = bh_station_of(deliver, mailbox);

	if (station != NULL) {
		bh_station_act(station);
	}
	if (!bh_list_is_empty(&deliver->sends)) {
		bh_deliver_schedule(deliver, deliver->host->now_ms(deliver->user));
	}
}

void bh_deliver_bound(struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	struct bh_station *station = bh_station_get(deliver, terminal);

	bh_station_recover(station);
	bh_station_act(station);
}

/** Whether a look at the terminal could lead to anything. */
static bool station_has_work(const struct bh_station *station)
{
	return station->typist.state != BH_TYPIST_REST || station->turn_mail != NULL ||
	       !bh_list_is_empty(&station->waiters) || bh_station_head(station) != NULL;
}

void bh_deliver_look(struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	struct bh_station *station = bh_station_find(deliver, terminal);

	if (station != NULL && station_has_work(station)) {
		bh_station_act(station);
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
		station->is_gone = true;
		bh_station_act(station);
	}
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
	struct bh_situation situation = bh_station_situation(deliver, mailbox, NULL, NULL);
	struct bh_tier_evidence evidence = {.mode = BH_MODE_MESSAGE,
	                                    .is_respawning = situation.is_respawning};

	if (station != NULL && bh_station_view(station, &view)) {
		evidence.has_terminal = true;
		evidence.can_type = bh_profile_typing(view.profile)->is_allowed;
		evidence.mode = view.mode;
		evidence.gate = bh_station_gate(station, &view);
		evidence.idle_proved_ms = station->idle_proved_ms;
		evidence.submission_proved_ms = station->submission_proved_ms;
		evidence.read_proved_ms = station->read_proved_ms;
		evidence.unproved = station->unproved;
		if (evidence.gate == BH_REASON_NONE) {
			evidence.idle_proved_ms = deliver->host->wall_ms(deliver->user);
		}
	}
	return bh_tier_judge(&evidence);
}
