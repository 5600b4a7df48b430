#include "src/server/deliver_station.h"

#include <stdlib.h>
#include <string.h>

#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/base/mem.h"
#include "src/server/deliver_channel_own.h"
#include "term/screen.h"

struct bh_station *bh_station_find(const struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	return bh_map_get(&deliver->by_terminal, terminal, sizeof *terminal);
}

struct bh_station *bh_station_get(struct bh_deliver *deliver, const struct bh_uuid *terminal)
{
	struct bh_station *station = bh_station_find(deliver, terminal);

	if (station != NULL) {
		return station;
	}
	station = bh_xmalloc(sizeof(*station));
	*station = (struct bh_station){.deliver = deliver, .terminal = *terminal};
	bh_uuid_format(terminal, station->id);
	bh_list_init(&station->link);
	bh_list_init(&station->waiters);
	bh_list_append(&deliver->stations, &station->link);
	bh_map_add(&deliver->by_terminal, &station->terminal, sizeof station->terminal, station);
	return station;
}

struct bh_station *bh_station_of(struct bh_deliver *deliver, const struct bh_mailbox *mailbox)
{
	struct bh_deliver_view view;
	struct bh_station *station;
	struct bh_uuid terminal;

	if (mailbox == NULL || !bh_uuid_parse(mailbox->terminal, &terminal)) {
		return NULL;
	}
	station = bh_station_find(deliver, &terminal);
	if (station != NULL) {
		return station->is_gone ? NULL : station;
	}
	if (!deliver->host->view(deliver->user, &terminal, &view)) {
		return NULL;
	}
	return bh_station_get(deliver, &terminal);
}

void bh_station_forget(struct bh_station *station)
{
	free(station->text);
	free(station->mail);
	station->text = NULL;
	station->mail = NULL;
	station->mail_count = 0;
	station->claim_id = 0;
	station->phase = BH_PHASE_CLAIMED;
	station->is_late = false;
	station->is_pasted = false;
}

void bh_station_free(struct bh_station *station)
{
	bh_list_remove(&station->link);
	(void)bh_map_remove(&station->deliver->by_terminal, &station->terminal,
	                    sizeof station->terminal);
	bh_station_forget(station);
	free(station);
}

bool bh_station_release(struct bh_station *station)
{
	if (!station->is_gone || station->pending > 0 || station->typist.state != BH_TYPIST_REST ||
	    !bh_list_is_empty(&station->waiters)) {
		return false;
	}
	bh_station_free(station);
	return true;
}

bool bh_station_view(const struct bh_station *station, struct bh_deliver_view *view_out)
{
	const struct bh_deliver *deliver = station->deliver;

	return !station->is_gone &&
	       deliver->host->view(deliver->user, &station->terminal, view_out);
}

// Why nothing may be typed into the terminal now, as far as its screen tells.
static enum bh_reason view_gate(const struct bh_deliver_view *view)
{
	return bh_decide_gate(&view->verdict,
	                      bh_screen_mode(view->screen, BH_SCREEN_MODE_BRACKETED_PASTE),
	                      view->has_unread_input);
}

/** The unread item after @seq among all names of the terminal; senders that are blocked do not count. */
static const struct bh_item *unread_after(const struct bh_terminal_record *record, uint64_t seq)
{
	const struct bh_mailbox *name = NULL;
	const struct bh_item *found = NULL;

	while ((name = bh_store_next_name(record, name)) != NULL) {
		const struct bh_item *item = bh_mailbox_first_unread(name);

		while (item != NULL && (item->seq <= seq || bh_mailbox_blocks(name, item->from))) {
			item = bh_mailbox_next_unread(item);
		}
		if (item != NULL && (found == NULL || item->seq < found->seq)) {
			found = item;
		}
	}
	return found;
}

const struct bh_item *bh_station_head(const struct bh_station *station)
{
	const struct bh_terminal_record *record =
		bh_store_terminal(station->deliver->store, station->id);

	return record != NULL ? unread_after(record, 0) : NULL;
}

bool bh_station_is_behind(const struct bh_item *item)
{
	const struct bh_item *older = bh_mailbox_first(item->mailbox);

	while (older != item && older->claim == NULL) {
		older = bh_mailbox_next(older);
	}
	return older != item;
}

/** Whether all unread mail goes in one submission, and none of it has used up its attempts. */
static bool mail_fits(const struct bh_terminal_record *record, struct bh_compose_fit limits,
                      const struct bh_screen *screen)
{
	const struct bh_item *item = unread_after(record, 0);
	size_t bytes = 0;
	size_t lines = 0;
	size_t count = 0;

	while (item != NULL) {
		bytes += item->body_len;
		lines += item->body_lines;
		count++;
		if (bytes > limits.bytes_max || lines > limits.lines_max ||
		    item->typings >= BH_ITEM_TYPINGS_MAX) {
			return false;
		}
		item = unread_after(record, item->seq);
	}
	return bh_compose_shows(bytes, lines, count, bh_screen_cols(screen),
	                        bh_screen_rows(screen));
}

/** Make the account that of the terminal's notice as the store has it. Not while one is typed. */
static void budget_sync(struct bh_station *station, const struct bh_notice *notice, uint64_t now_ms)
{
	if (station->typist.state != BH_TYPIST_REST) {
		return;
	}
	if (notice->id == 0 || notice->state == BH_NOTICE_CLOSED) {
		station->budget = (struct bh_budget){0};
		station->budget_notice_id = 0;
		return;
	}
	if (notice->id != station->budget_notice_id || notice->rings < station->budget.rings) {
		// After a restart the intervals begin anew: that only delays the retry.
		station->budget = (struct bh_budget){
			.rings = notice->rings,
			.is_unproved =
				notice->proved_ms<notice->last_ring_ms, .rung_ms = notice->rings> 0
					? now_ms
					: 0};
		station->budget_notice_id = notice->id;
	}
	station->budget.is_parked = notice->state == BH_NOTICE_PARKED;
}

static enum bh_attempt station_attempt(const struct bh_station *station)
{
	if (station->is_recovering) {
		return BH_ATTEMPT_UNPROVED;
	}
	switch (station->typist.state) {
	case BH_TYPIST_REST:
		return BH_ATTEMPT_NONE;
	case BH_TYPIST_IN_QUEUE:
		return BH_ATTEMPT_IN_AGENT_QUEUE;
	case BH_TYPIST_LOST:
	case BH_TYPIST_DOUBTING:
		return BH_ATTEMPT_UNPROVED;
	case BH_TYPIST_CLAIMING:
	case BH_TYPIST_ARMING:
	case BH_TYPIST_ARMING_LATE:
	case BH_TYPIST_ECHOING:
	case BH_TYPIST_SETTLING:
	case BH_TYPIST_SENDING:
	case BH_TYPIST_SENDING_LATE:
	case BH_TYPIST_PROVING:
	case BH_TYPIST_PROVED:
	case BH_TYPIST_CLEARING:
	case BH_TYPIST_WITHDRAWING:
	case BH_TYPIST_STATE_COUNT:
		break;
	}
	return BH_ATTEMPT_RUNS;
}

void bh_station_let_go(struct bh_station *station)
{
	const struct bh_deliver *deliver = station->deliver;
	struct bh_deliver_view view;
	struct bh_sight sight;

	station->linger_ms = 0;
	if (!bh_station_view(station, &view)) {
		return;
	}
	sight = bh_station_sight(station, &view);
	// No composer in sight: what stands there instead may be a dialog nobody knows.
	deliver->host->release(deliver->user, &station->terminal,
	                       sight.has_dialog || view.verdict.composer == BH_COMPOSER_NONE);
	deliver->host->note(deliver->user, &station->terminal, "");
}

void bh_station_let_go_when_due(struct bh_station *station)
{
	struct bh_deliver_view view;
	struct bh_sight sight;

	if (station->linger_ms == 0) {
		return;
	}
	if (station->typist.state == BH_TYPIST_PROVING &&
	    station->deliver->host->now_ms(station->deliver->user) < station->linger_ms &&
	    bh_station_view(station, &view)) {
		sight = bh_station_sight(station, &view);
		if (!sight.is_empty && !sight.has_dialog) {
			return;
		}
	}
	bh_station_let_go(station);
}

bool bh_station_is_typing(const struct bh_station *station)
{
	return station_attempt(station) == BH_ATTEMPT_RUNS;
}

/** The terminal of this mailbox's line that waits for its respawn, or will when its end is known; NULL:
 * none does. */
static const struct bh_terminal_record *mailbox_respawning(const struct bh_store *store,
                                                           const struct bh_mailbox *mailbox)
{
	const struct bh_terminal_record *record = bh_store_terminal(store, mailbox->terminal);

	if (record != NULL && record->respawn == BH_RESPAWN_ALWAYS) {
		return record;
	}
	record = NULL;
	while ((record = bh_store_next_terminal(store, record)) != NULL) {
		if (record->status == BH_TERMINAL_WAITS_RESPAWN && mailbox->line[0] != '\0' &&
		    strcmp(record->line, mailbox->line) == 0) {
			return record;
		}
	}
	return NULL;
}

/** What is known of the terminal that will be: it runs the same program. */
static void situation_add_respawn(struct bh_situation *s, const struct bh_deliver *deliver,
                                  const struct bh_terminal_record *record)
{
	s->is_respawning = true;
	s->can_type = deliver->host->is_typed == NULL || record->profile == NULL ||
	              deliver->host->is_typed(deliver->user, record->profile);
	if (record->mode != BH_MODE_DEFAULT) {
		s->mode = record->mode;
	}
}

/** Whether a waiter holds mail that it has not confirmed; a lease that ran out ends that. */
static bool station_is_handed(struct bh_station *station)
{
	if (station->handed_claim != 0 &&
	    bh_store_claim(station->deliver->store, station->handed_claim) == NULL) {
		station->handed_claim = 0;
	}
	return station->is_handing || station->handed_claim != 0;
}

static void situation_add_terminal(struct bh_situation *s, struct bh_station *station,
                                   const struct bh_deliver_view *view)
{
	struct bh_deliver *deliver = station->deliver;
	const struct bh_typing_rules *typing = bh_profile_typing(view->profile);
	const struct bh_terminal_record *record = bh_store_terminal(deliver->store, station->id);
	uint64_t now_ms = deliver->host->now_ms(deliver->user);

	s->has_terminal = true;
	s->can_type = typing->is_allowed;
	s->mode = view->mode;
	s->gate = view_gate(view);
	if (view->verdict.state == BH_STATE_UNKNOWN && now_ms > view->verdict.since_ms) {
		s->unknown_ms = now_ms - view->verdict.since_ms;
	}
	s->attempt = station_attempt(station);
	s->has_waiter = bh_station_waiter(station) != NULL && !station->is_handing;
	s->is_handed_over = station_is_handed(station);
	s->fits = true;
	if (record != NULL) {
		budget_sync(station, &record->notice, now_ms);
		s->fits = mail_fits(
			record, bh_compose_limits(typing->text_bytes_max, typing->text_lines_max),
			view->screen);
		s->is_behind_notice = record->notice.id != 0 &&
		                      record->notice.state != BH_NOTICE_CLOSED &&
		                      record->notice.rings > 0;
	}
	s->notice = bh_budget_now(&station->budget, now_ms);
}

struct bh_situation bh_station_situation(struct bh_deliver *deliver,
                                         const struct bh_mailbox *mailbox,
                                         struct bh_station *station,
                                         const struct bh_deliver_view *view)
{
	struct bh_situation s = {.fits = true, .can_type = true, .mode = BH_MODE_MESSAGE};
	const struct bh_terminal_record *record =
		mailbox != NULL ? mailbox_respawning(deliver->store, mailbox) : NULL;

	if (record != NULL) {
		situation_add_respawn(&s, deliver, record);
	}
	if (mailbox != NULL) {
		s.is_known = mailbox->is_known;
		s.is_operator = mailbox->kind == BH_IDENTITY_OPERATOR;
		s.guards.dnd = bh_guard_dnd(deliver, mailbox);
	}
	if (s.is_operator) {
		s.has_ui = deliver->host->has_ui(deliver->user);
	}
	if (station != NULL && view != NULL) {
		situation_add_terminal(&s, station, view);
	}
	bh_channel_situation(deliver, mailbox, station, &s);
	return s;
}

/** Whether the gate is open for what was claimed: the mail itself is out of the question now. */
static bool station_is_open(struct bh_station *station, const struct bh_deliver_view *view)
{
	const struct bh_mailbox *name = bh_store_mailbox(
		station->deliver->store, view->names[0] != NULL ? view->names[0] : "");
	struct bh_situation s = bh_station_situation(station->deliver, name, station, view);
	enum bh_act wanted = station->kind == BH_CLAIM_NOTICE ? BH_ACT_RING : BH_ACT_TYPE;

	s.attempt = BH_ATTEMPT_NONE;
	s.has_waiter = false;
	s.is_handed_over = false;
	s.has_channel = false;
	s.is_pushed = false;
	s.fits = station->kind == BH_CLAIM_TYPING;
	s.is_behind_notice = false;
	s.notice = BH_BUDGET_DUE;
	return bh_decide(&s).act == wanted;
}

/** Whether readers have, or hold, mail of the attempt: what is to be submitted may be theirs now. */
static void sight_add_readers(struct bh_sight *sight, const struct bh_station *station)
{
	const struct bh_store *store = station->deliver->store;

	// A notice whose first byte is out is finished; one that was lost is not worth a turn.
	if (station->kind == BH_CLAIM_NOTICE) {
		sight->is_taken = station->typist.state != BH_TYPIST_SENDING &&
		                  bh_station_head(station) == NULL;
		return;
	}
	for (size_t i = 0; i < station->mail_count; i++) {
		const struct bh_station_mail *mail = &station->mail[i];
		const struct bh_item *item = bh_store_item(store, mail->mailbox, mail->seq);

		sight->is_taken = sight->is_taken || item == NULL;
		sight->is_held = sight->is_held || (item != NULL && item->claim != NULL &&
		                                    item->claim->id != station->claim_id);
	}
}

static void sight_add_text(struct bh_sight *sight, struct bh_station *station,
                           const struct bh_deliver_view *view)
{
	struct bh_typed_text typed = {.mark = station->mark, .text = station->text};
	enum bh_proof_found found = BH_PROOF_NOWHERE;

	switch (bh_proof_echo(view->profile, view->screen, &typed)) {
	case BH_ECHO_OURS:
		sight->echo = BH_SIGHT_OURS;
		break;
	case BH_ECHO_MIXED:
	case BH_ECHO_OTHER:
		sight->echo = BH_SIGHT_OTHER;
		break;
	case BH_ECHO_NONE:
		sight->echo = BH_SIGHT_NONE;
		break;
	}
	if (station->typist.state == BH_TYPIST_PROVING ||
	    station->typist.state == BH_TYPIST_IN_QUEUE ||
	    station->typist.state == BH_TYPIST_LOST) {
		found = bh_proof_look(view->proof, view->screen, sight->is_working);
	}
	sight->is_submitted = found == BH_PROOF_SUBMITTED;
	sight->is_queued = found == BH_PROOF_QUEUED;
	if (station->typist.state == BH_TYPIST_CLAIMING ||
	    station->typist.state == BH_TYPIST_ARMING ||
	    station->typist.state == BH_TYPIST_SENDING || station->typist.state == BH_TYPIST_LOST) {
		sight_add_readers(sight, station);
	}
}

struct bh_sight bh_station_sight(struct bh_station *station, const struct bh_deliver_view *view)
{
	const struct bh_deliver *deliver = station->deliver;
	const struct bh_verdict *verdict;
	uint64_t now_ms = deliver->host->now_ms(deliver->user);
	struct bh_sight sight = {0};

	if (view == NULL) {
		return sight;
	}
	verdict = &view->verdict;
	sight.is_alive = true;
	sight.is_open = !deliver->is_stopping && station_is_open(station, view);
	sight.has_dialog = verdict->has_dialog || verdict->state == BH_STATE_AWAITING;
	sight.is_free = verdict->state == BH_STATE_IDLE || verdict->state == BH_STATE_COMPLETED;
	sight.is_working = verdict->state == BH_STATE_WORKING;
	sight.is_disturbed =
		view->disturbed_ms != 0 && now_ms - view->disturbed_ms < BH_DELIVER_DISTURBED_MS;
	sight.has_unread = view->has_unread_input;
	sight.is_empty = verdict->composer == BH_COMPOSER_EMPTY;
	sight.quiet_ms = now_ms - view->last_output_ms;
	if (station->text != NULL) {
		sight.can_clear = bh_profile_typing(view->profile)->clear_keys != NULL;
		sight_add_text(&sight, station, view);
	}
	return sight;
}
