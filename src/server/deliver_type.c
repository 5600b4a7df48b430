// Carries out what bh_decide() and the typist say for one terminal. The typist's actions are done
// in the order of their bits; the sight that an event came from and the write that it allows are of
// the same loop turn, because nothing here waits.
#include "src/server/deliver_station.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/deliver_channel_own.h"
#include "src/server/deliver_past.h"
#include "term/keys.h"
#include "term/screen.h"
#include "term/strip.h"

/** The end of a bracketed paste, for one that a crash may have cut. */
#define PASTE_END "\033[201~"
/** More steps than any path through the table has without waiting. */
#define STEPS_MAX 8

/** A phase whose commit is on its way. */
struct commit {
	struct bh_station *station;
	enum bh_phase phase;
};

static void station_step(struct bh_station *station, enum bh_typist_event event);

static uint64_t station_now_ms(const struct bh_station *station)
{
	return station->deliver->host->now_ms(station->deliver->user);
}

/** Tell a host for tests how far the attempt is. */
static void station_point(const struct bh_station *station, enum bh_deliver_point point)
{
	const struct bh_deliver *deliver = station->deliver;

	if (deliver->host->point != NULL) {
		deliver->host->point(deliver->user, &station->terminal, point);
	}
}

/** Make @text safe and keep it as what is typed. */
static void text_keep(struct bh_station *station, struct bh_buf *text)
{
	size_t len = 0;

	free(station->text);
	station->text = bh_strip_message(text->data, text->len, &len);
	bh_buf_clear(text);
}

/** Keep the claimed mail and its text. */
static void mail_keep(struct bh_station *station, const struct bh_message *messages, size_t count)
{
	struct bh_buf text = {0};

	free(station->mail);
	station->mail = bh_xcalloc(count, sizeof(*station->mail));
	station->mail_count = count;
	for (size_t i = 0; i < count; i++) {
		memcpy(station->mail[i].mailbox, messages[i].mailbox, BH_IDENTITY_SIZE);
		station->mail[i].seq = messages[i].seq;
	}
	bh_compose_message_mark(messages[0].seq, station->mark);
	bh_compose_mail(&text, messages, count);
	text_keep(station, &text);
}

/** Keep the notice and its text. */
static void notice_keep(struct bh_station *station, uint64_t notice_id,
                        const struct bh_profile *profile)
{
	struct bh_buf text = {0};

	bh_compose_notice_mark(notice_id, station->mark);
	bh_compose_notice(&text, notice_id, bh_profile_notice_advice(profile));
	station->budget_notice_id = notice_id;
	text_keep(station, &text);
}

/** The end of a commit: look at the terminal as it is now, and go on. */
static void station_committed(struct bh_station *station, bool is_stored)
{
	struct bh_deliver *deliver = station->deliver;
	struct bh_deliver_view view;
	bool is_alive = bh_station_view(station, &view);
	struct bh_sight sight = bh_station_sight(station, is_alive ? &view : NULL);

	if (!is_stored) {
		station->retry_ms = station_now_ms(station) + BH_DELIVER_RETRY_MS;
	}
	station_step(station, bh_typist_done(&station->typist, is_stored, &sight));
	if (is_stored) {
		bh_station_act(station);
		bh_deliver_stir(deliver);
		return;
	}
	// The disk is full or slow: at once it would only fail again.
	bh_deliver_schedule(deliver);
	(void)bh_station_release(station);
}

static void on_taken(void *user, const struct bh_answer *answer)
{
	struct bh_station *station = user;
	struct bh_deliver_view view;
	bool is_alive;

	station->pending--;
	if (answer->err.code != 0 || answer->claim_id == 0) {
		if (answer->err.code == BH_EDENIED) {
			bh_guard_park(station);
		}
		station_step(station, answer->err.code != 0 ? BH_SAW_FAILED : BH_SAW_DONE_NONE);
		bh_station_forget(station);
		bh_deliver_schedule(station->deliver);
		(void)bh_station_release(station);
		return;
	}
	station_point(station, BH_POINT_CLAIMED);
	is_alive = bh_station_view(station, &view);
	station->claim_id = answer->claim_id;
	station->phase = BH_PHASE_CLAIMED;
	if (station->kind == BH_CLAIM_NOTICE && is_alive) {
		notice_keep(station, answer->notice_id, view.profile);
	} else if (station->kind == BH_CLAIM_TYPING) {
		mail_keep(station, answer->messages, answer->message_count);
	}
	station_committed(station, true);
}

/** Ask for the claim; false when the store does not take the request. */
static bool station_take(struct bh_station *station, const struct bh_deliver_view *view)
{
	const struct bh_typing_rules *typing = bh_profile_typing(view->profile);
	struct bh_compose_fit limits =
		bh_compose_limits(typing->text_bytes_max, typing->text_lines_max);
	struct bh_take take = {.kind = station->kind,
	                       .terminal = station->id,
	                       .body_max = limits.bytes_max,
	                       .lines_max = limits.lines_max};

	if (bh_store_take(station->deliver->store, &take, on_taken, station, NULL) != 0) {
		return false;
	}
	station->pending++;
	return true;
}

/** The attempt is over and its mail was seen. */
static void station_proved(struct bh_station *station)
{
	struct bh_deliver *deliver = station->deliver;
	struct bh_deliver_view view;
	bool is_alive = bh_station_view(station, &view);
	const char *proof = is_alive ? bh_proof_source(view.proof) : NULL;

	station->submission_proved_ms = deliver->host->wall_ms(deliver->user);
	station->unproved = 0;
	if (station->kind == BH_CLAIM_NOTICE) {
		bh_budget_rung(&station->budget, true, station_now_ms(station));
		bh_deliver_rung(station);
		return;
	}
	bh_deliver_seen(deliver, station->mail, station->mail_count, BH_PATH_TERMINAL,
	                proof != NULL ? proof : "record");
	station->turn_ms = station_now_ms(station);
	station->has_turn_worked = false;
}

/** The point that is reached when this phase is on disk; BH_POINT_COUNT: none. */
static enum bh_deliver_point phase_point(enum bh_phase phase)
{
	switch (phase) {
	case BH_PHASE_WRITING:
		return BH_POINT_PASTE_DUE;
	case BH_PHASE_CR_SENT:
		return BH_POINT_CR_DUE;
	case BH_PHASE_PROVED:
		return BH_POINT_STORED;
	case BH_PHASE_UNCERTAIN:
		return BH_POINT_DOUBTED;
	case BH_PHASE_WITHDRAWN:
		return BH_POINT_WITHDRAWN;
	case BH_PHASE_CLAIMED:
	case BH_PHASE_ECHOED:
		break;
	}
	return BH_POINT_COUNT;
}

/** A phase is on disk, or it could not be written. */
static void phase_done(struct bh_station *station, enum bh_phase phase, bool is_stored)
{
	if (!is_stored) {
		return;
	}
	station->phase = phase;
	if (phase_point(phase) != BH_POINT_COUNT) {
		station_point(station, phase_point(phase));
	}
	if (phase == BH_PHASE_PROVED) {
		station_proved(station);
	}
	if (phase == BH_PHASE_UNCERTAIN) {
		station->unproved++;
	}
	if (station->kind == BH_CLAIM_NOTICE &&
	    (phase == BH_PHASE_UNCERTAIN || phase == BH_PHASE_WITHDRAWN) &&
	    station->budget.rings > 0 && station->budget.rung_ms == 0) {
		bh_budget_rung(&station->budget, false, station_now_ms(station));
	}
}

/** What becomes of a write that is due while output waits that the screen does not show yet. */
enum defer {
	DEFER_GO,
	DEFER_WAIT,
	DEFER_FAIL,
};

/** Look once more. Looks do not count, only what was read between them: several may come before
 * the loop gets to reading. */
static enum defer station_defer(struct bh_station *station)
{
	struct bh_deliver *deliver = station->deliver;
	uint64_t now_ms = station_now_ms(station);
	struct bh_deliver_view view;

	if (station->is_gone || !deliver->host->has_output(deliver->user, &station->terminal) ||
	    !bh_station_view(station, &view)) {
		station->is_deferred = false;
		return DEFER_GO;
	}
	if (!station->is_deferred) {
		station->is_deferred = true;
		station->deferred_ms = now_ms;
		station->deferred = 0;
	} else if (view.last_output_ms != station->deferred_output_ms) {
		station->deferred++;
	}
	station->deferred_output_ms = view.last_output_ms;
	if (station->deferred >= BH_DELIVER_DEFERS_MAX) {
		station->is_deferred = false;
		return DEFER_GO;
	}
	if (now_ms - station->deferred_ms >= BH_DELIVER_DEFER_MS) {
		station->is_deferred = false;
		return DEFER_FAIL;
	}
	bh_deliver_schedule(deliver);
	return DEFER_WAIT;
}

/** The phase before a write is on disk: go on, once the screen shows all that there is. */
static void station_write_due(struct bh_station *station)
{
	enum defer defer = station_defer(station);

	if (defer != DEFER_WAIT) {
		station_committed(station, defer == DEFER_GO);
	}
}

static void on_advanced(void *user, const struct bh_answer *answer)
{
	struct commit *commit = user;
	struct bh_station *station = commit->station;
	enum bh_phase phase = commit->phase;
	// An attempt that the store does not know any more is over, whatever we wanted of it.
	bool is_over = answer->err.code == BH_ENOTFOUND && bh_phase_is_final(phase);
	bool is_stored = answer->err.code == 0 || is_over;

	free(commit);
	station->pending--;
	if (!is_stored) {
		bh_log(BH_LOG_WARN, "deliver", station->id, "phase %s was not stored: %s",
		       bh_phase_word(phase), answer->err.text);
	}
	phase_done(station, phase, is_stored);
	if (phase == BH_PHASE_ECHOED) {
		(void)bh_station_release(
			station); // only if the terminal is gone and all is settled
		return;
	}
	if (is_stored && (phase == BH_PHASE_WRITING || phase == BH_PHASE_CR_SENT)) {
		station_write_due(station);
	} else {
		station_committed(station, is_stored);
	}
}

/** Commit a phase. False: the store does not take the request now. */
static bool phase_commit(struct bh_station *station, enum bh_phase phase, const char *detail)
{
	struct commit *commit = bh_xmalloc(sizeof(*commit));

	*commit = (struct commit){.station = station, .phase = phase};
	if (bh_store_advance(
		    station->deliver->store,
		    &(struct bh_advance){.claim_id = station->claim_id,
	                                 .phase = phase,
	                                 .detail = detail,
	                                 .was_unwritten = !station->is_pasted && !station->is_late},
		    on_advanced, commit, NULL) != 0) {
		free(commit);
		return false;
	}
	station->pending++;
	return true;
}

/** What a receipt says about an attempt that ends in doubt or is taken back. */
static const char *event_detail(enum bh_typist_event event)
{
	switch (event) {
	case BH_SAW_EXITED:
		return "exited";
	case BH_SAW_DIALOG:
		return "dialog";
	case BH_SAW_RECOVER_WRITING:
	case BH_SAW_RECOVER_LATER:
	case BH_SAW_RECOVER_LOST:
		return "restart";
	case BH_SAW_GONE:
	case BH_SAW_EMPTY:
		return "gone";
	case BH_SAW_DONE_SHUT:
		return "gate";
	case BH_SAW_BUSY:
	case BH_SAW_BUSY_CLEARABLE:
		return "working";
	case BH_SAW_LATE:
		return "no_proof";
	case BH_SAW_NOTHING:
	case BH_SAW_START:
	case BH_SAW_DONE_OPEN:
	case BH_SAW_DONE_NONE:
	case BH_SAW_FAILED:
	case BH_SAW_ECHO:
	case BH_SAW_QUIET:
	case BH_SAW_SUBMITTED:
	case BH_SAW_QUEUED:
	case BH_SAW_OWN:
	case BH_SAW_OWN_TAKEN:
	case BH_SAW_UNWRITTEN:
	case BH_SAW_COUNT:
		break;
	}
	return "failed";
}

/** Do the commit among @actions. Gives the event that follows at once: NOTHING if a commit is on
 * its way or none was asked for. */
static enum bh_typist_event actions_commit(struct bh_station *station, unsigned actions,
                                           enum bh_typist_event cause,
                                           const struct bh_deliver_view *view)
{
	static const struct {
		unsigned action;
		enum bh_phase phase;
		enum bh_deliver_point before;
	} commits[] = {
		{BH_DO_COMMIT_WRITING, BH_PHASE_WRITING, BH_POINT_HELD},
		{BH_DO_COMMIT_ECHOED, BH_PHASE_ECHOED, BH_POINT_ECHOED},
		{BH_DO_COMMIT_CR_SENT, BH_PHASE_CR_SENT, BH_POINT_SETTLED},
		{BH_DO_COMMIT_PROVED, BH_PHASE_PROVED, BH_POINT_PROVED},
		{BH_DO_COMMIT_UNCERTAIN, BH_PHASE_UNCERTAIN, BH_POINT_COUNT},
		{BH_DO_COMMIT_WITHDRAWN, BH_PHASE_WITHDRAWN, BH_POINT_COUNT},
	};
	const char *detail = event_detail(cause);

	if (cause == BH_SAW_SUBMITTED && view != NULL && bh_proof_source(view->proof) != NULL) {
		detail = bh_proof_source(view->proof);
	}
	for (size_t i = 0; i < sizeof(commits) / sizeof(commits[0]); i++) {
		if ((actions & commits[i].action) == 0) {
			continue;
		}
		if (station->phase == commits[i].phase) {
			return BH_SAW_DONE_OPEN;
		}
		if (commits[i].before != BH_POINT_COUNT) {
			station_point(station, commits[i].before);
		}
		if (!phase_commit(station, commits[i].phase, detail)) {
			return commits[i].phase == BH_PHASE_ECHOED ? BH_SAW_NOTHING : BH_SAW_FAILED;
		}
	}
	return BH_SAW_NOTHING;
}

/**
 * Write the text as one paste. A last word like `@name` would hold an agent's list of files or skills
 * open, which takes the Enter: a blank behind it closes the list, and is not submitted.
 */
static int paste_write(const struct bh_station *station, const struct bh_deliver_view *view)
{
	const struct bh_deliver *deliver = station->deliver;
	const char *newline = strrchr(station->text, '\n');
	const char *line = newline == NULL ? station->text : newline + 1;
	const char *blank = strrchr(line, ' ');
	const char *word = blank == NULL ? line : blank + 1;
	const char *marks = bh_profile_typing(view->profile)->list_marks;
	bool has_list = marks != NULL && *word != '\0' && strchr(marks, *word) != NULL;
	char *text = bh_xasprintf("%s%s", station->text, has_list ? " " : "");
	size_t len = 0;
	char *paste = bh_keys_paste(view->screen, text, strlen(text), &len);
	int code = deliver->host->write(deliver->user, &station->terminal, paste, len,
	                                BH_INPUT_TYPIST_TEXT);

	free(paste);
	free(text);
	return code;
}

/** Write one of the things that a typist writes; false: the terminal took nothing. */
static bool actions_write(struct bh_station *station, unsigned actions,
                          const struct bh_deliver_view *view)
{
	const struct bh_deliver *deliver = station->deliver;
	char key[BH_KEYS_MAX];
	int code = 0;

	// Without the mode it would be an Escape and some letters.
	if ((actions & BH_DO_WRITE_PASTE_END) &&
	    bh_screen_mode(view->screen, BH_SCREEN_MODE_BRACKETED_PASTE)) {
		(void)deliver->host->write(deliver->user, &station->terminal, PASTE_END,
		                           strlen(PASTE_END), BH_INPUT_TYPIST_TEXT);
	}
	if (actions & BH_DO_WRITE_PASTE) {
		if (station->text == NULL) {
			return false;
		}
		code = paste_write(station, view);
		station->is_pasted = code == 0;
		if (code == 0 && station->kind == BH_CLAIM_NOTICE) {
			bh_budget_begin(&station->budget);
		}
	}
	if (actions & BH_DO_WRITE_CR) {
		size_t len = bh_keys_encode(view->screen, "Enter", key, sizeof(key));

		code = deliver->host->write(deliver->user, &station->terminal, key, len,
		                            BH_INPUT_TYPIST_CR);
		if (code == 0) {
			bh_proof_submitted(view->proof, view->screen, station_now_ms(station));
		}
	}
	if (actions & BH_DO_WRITE_CLEAR) {
		const char *keys = bh_profile_typing(view->profile)->clear_keys;

		code = deliver->host->write(deliver->user, &station->terminal, keys, strlen(keys),
		                            BH_INPUT_TYPIST_CLEAR);
	}
	return code == 0;
}

/** Tell a host for tests what was written. */
static void actions_point(const struct bh_station *station, unsigned actions)
{
	if (actions & BH_DO_WRITE_PASTE) {
		station_point(station, BH_POINT_PASTED);
	}
	if (actions & BH_DO_WRITE_CLEAR) {
		station_point(station, BH_POINT_CLEARED);
	}
}

/** Do the actions, in the order of their bits. Gives the event that follows at once. */
static enum bh_typist_event actions_do(struct bh_station *station, unsigned actions,
                                       enum bh_typist_event cause)
{
	const struct bh_deliver *deliver = station->deliver;
	struct bh_deliver_view view;
	bool is_alive = bh_station_view(station, &view);
	bool is_written;

	if ((actions & BH_DO_TAKE) && (!is_alive || !station_take(station, &view))) {
		return BH_SAW_FAILED;
	}
	if (is_alive && (actions & BH_DO_HOLD)) {
		deliver->host->hold(deliver->user, &station->terminal);
		deliver->host->note(deliver->user, &station->terminal, "typing mail");
	}
	if (is_alive && (actions & BH_DO_WATCH) && station->text != NULL) {
		struct bh_typed_text typed = {
			.mark = station->mark,
			.text = station->text,
			.typed_ms = deliver->host->wall_ms(deliver->user),
		};

		bh_proof_begin(view.proof, &typed, station->is_late);
	}
	is_written = !is_alive || actions_write(station, actions, &view);
	actions_point(station, actions);
	if (is_alive && (actions & BH_DO_RELEASE)) {
		uint32_t linger_ms = bh_profile_typing(view.profile)->release_ms;

		if ((actions & BH_DO_WRITE_CR) && linger_ms > 0) {
			station->linger_ms = station_now_ms(station) + linger_ms;
		} else {
			bh_station_let_go(station);
		}
	}
	if (actions & BH_DO_WRITE_CR) {
		station_point(station, BH_POINT_SENT);
	}
	if (!is_written) {
		return BH_SAW_UNWRITTEN;
	}
	return actions_commit(station, actions, cause, is_alive ? &view : NULL);
}

/** Give the typist an event, and those that follow from what it has done. */
static void station_step(struct bh_station *station, enum bh_typist_event event)
{
	for (int i = 0; i < STEPS_MAX && event != BH_SAW_NOTHING; i++) {
		enum bh_typist_state before = station->typist.state;
		unsigned actions = bh_typist_step(&station->typist, event, &station->rules,
		                                  station_now_ms(station));

		bh_log(BH_LOG_DEBUG, "deliver", station->id, "%s: %s -> %s",
		       bh_typist_event_word(event), bh_typist_state_word(before),
		       bh_typist_state_word(station->typist.state));
		event = actions_do(station, actions, event);
	}
	bh_station_let_go_when_due(station);
	if (station->typist.state == BH_TYPIST_REST) {
		// What ended without a proof is not begun again in the same breath.
		station->retry_ms = station->phase == BH_PHASE_PROVED
		                            ? 0
		                            : station_now_ms(station) + BH_DELIVER_RETRY_MS;
		bh_station_forget(station);
	}
}

static struct bh_typist_rules rules_of(const struct bh_profile *profile)
{
	const struct bh_typing_rules *typing = bh_profile_typing(profile);

	return (struct bh_typist_rules){.settle_ms = typing->settle_ms,
	                                .echo_limit_ms = typing->echo_limit_ms,
	                                .proof_limit_ms = typing->proof_limit_ms};
}

/** Begin an attempt. */
static void station_start(struct bh_station *station, enum bh_claim_kind kind,
                          const struct bh_deliver_view *view)
{
	station_point(station, BH_POINT_CLAIM_DUE);
	// It may be typed into now: that is the proof of idle that the tier asks for.
	station->idle_proved_ms = station->deliver->host->wall_ms(station->deliver->user);
	station->kind = kind;
	station->rules = rules_of(view->profile);
	station_step(station, BH_SAW_START);
}

/** Tell people who look at the terminal that mail waits for it, and why; "" takes it away. */
static void station_tell(const struct bh_station *station, const char *reason)
{
	const struct bh_deliver *deliver = station->deliver;
	char text[64] = "";

	if (reason[0] != '\0') {
		(void)snprintf(text, sizeof(text), "mail waits: %s", reason);
	}
	deliver->host->note(deliver->user, &station->terminal, text);
}

/** Write the reason why mail waits into the receipts, when it is another or there is new mail. */
static void station_note(struct bh_station *station, const struct bh_decision *decision)
{
	struct bh_store *store = station->deliver->store;
	const struct bh_terminal_record *record = bh_store_terminal(store, station->id);
	const struct bh_mailbox *name = NULL;
	uint64_t newest = 0;

	if (record == NULL || decision->reason == BH_REASON_NONE ||
	    decision->reason == BH_REASON_TYPING_NOW || decision->reason == BH_REASON_UNPROVED) {
		return;
	}
	while ((name = bh_store_next_name(record, name)) != NULL) {
		const struct bh_item *item = bh_mailbox_last_unread(name);

		newest = item != NULL && item->seq > newest ? item->seq : newest;
	}
	if (newest == 0 || (decision->reason == station->noted && newest <= station->noted_seq)) {
		return;
	}
	station->noted = decision->reason;
	station->noted_seq = newest;
	station_tell(station, bh_word(BH_WORDS_REASON, (int)decision->reason));
	while ((name = bh_store_next_name(record, name)) != NULL) {
		if (name->unread > 0) {
			(void)bh_store_note(
				store,
				&(struct bh_note){
					.mailbox = name->name,
					.seq = 0,
					.step = BH_RECEIPT_QUEUED,
					.cause = bh_word(BH_WORDS_REASON, (int)decision->reason)},
				NULL, NULL, NULL); // a note lost to a full queue is no harm
		}
	}
}

/** What a state that was seen means for the notice, the tier and the turn that took mail. */
static void station_observe(struct bh_station *station, const struct bh_deliver_view *view)
{
	uint64_t now_ms = station_now_ms(station);
	enum bh_state state = view->verdict.state;
	bool is_free = state == BH_STATE_IDLE || state == BH_STATE_COMPLETED;

	bh_budget_state(&station->budget, is_free, now_ms);
	bh_guard_observe(station, is_free, state == BH_STATE_WORKING, now_ms);
}

/** Mail is there and the typist rests: decide. One message that may wake takes all with it. */
static void station_decide(struct bh_station *station, const struct bh_deliver_view *view,
                           const struct bh_item *head)
{
	const struct bh_item *waker = bh_guard_waker(station);
	const struct bh_item *item = waker != NULL ? waker : head;
	struct bh_situation situation =
		bh_station_situation(station->deliver, item->mailbox, station, view);
	struct bh_decision decision;

	situation.guards = bh_guard_item(station->deliver, item);
	situation.is_update_only = waker == NULL && item->task_status == BH_TASK_UPDATE;
	decision = bh_decide(&situation);
	if (waker == NULL && item->is_quiet && decision.path != BH_PATH_WAITER) {
		return; // nothing asks for anybody's attention
	}
	station_note(station, &decision);
	if ((decision.act == BH_ACT_TYPE || decision.act == BH_ACT_RING) &&
	    (station_now_ms(station) < station->retry_ms || bh_station_looks_back(station) ||
	     !bh_guard_may_begin(station, station_now_ms(station)))) {
		return;
	}
	switch (decision.act) {
	case BH_ACT_HAND_OVER:
		if (decision.path == BH_PATH_CHANNEL) {
			bh_station_push(station);
		} else {
			bh_station_hand_over(station);
		}
		break;
	case BH_ACT_TYPE:
		if (!bh_station_is_behind(head)) {
			station_start(station, BH_CLAIM_TYPING, view);
		}
		break;
	case BH_ACT_RING:
		station_start(station, BH_CLAIM_NOTICE, view);
		break;
	case BH_ACT_PARK:
		bh_guard_park(station);
		break;
	case BH_ACT_WAIT:
		break;
	}
}

/**
 * What the typist sees; but a doubt that the disk refused is stored before what hangs on it: else nobody
 * else could have the mail, and a proof would find a phase that it may not follow.
 */
static enum bh_typist_event station_look(struct bh_station *station, const struct bh_sight *sight)
{
	struct bh_typist *typist = &station->typist;
	uint64_t now_ms = station_now_ms(station);
	enum bh_typist_event event = bh_typist_see(typist, sight, &station->rules, now_ms);
	bool is_undoubted = typist->state == BH_TYPIST_LOST && typist->is_written &&
	                    station->phase != BH_PHASE_UNCERTAIN;

	if (!is_undoubted || event == BH_SAW_GONE || event == BH_SAW_EXITED ||
	    (event == BH_SAW_SUBMITTED && bh_phase_may_follow(station->phase, BH_PHASE_PROVED))) {
		return event;
	}
	return now_ms >= station->retry_ms ? BH_SAW_LATE : BH_SAW_NOTHING;
}

/** Let the typist see the terminal until nothing more happens. */
static void station_see(struct bh_station *station)
{
	for (int i = 0; i < STEPS_MAX && station->typist.state != BH_TYPIST_REST; i++) {
		struct bh_deliver_view view;
		bool is_alive = bh_station_view(station, &view);
		struct bh_sight sight = bh_station_sight(station, is_alive ? &view : NULL);
		enum bh_typist_event event = station_look(station, &sight);

		if (event == BH_SAW_NOTHING) {
			return;
		}
		station_step(station, event);
	}
}

void bh_station_act(struct bh_station *station)
{
	struct bh_deliver *deliver = station->deliver;
	struct bh_deliver_view view;
	const struct bh_item *head;

	if (station->is_deferred) {
		station_write_due(station);
		return;
	}
	station_see(station);
	bh_station_let_go_when_due(station);
	if (station->is_gone || !bh_station_view(station, &view)) {
		bh_deliver_schedule(deliver);
		(void)bh_station_release(station);
		return;
	}
	station_observe(station, &view);
	head = bh_station_head(station);
	station->is_unread_seen = view.has_unread_input;
	if (head == NULL) {
		// What is claimed waits no more; that it is being typed stays told.
		if (station->noted != BH_REASON_NONE &&
		    !bh_typist_is_holding(station->typist.state)) {
			station_tell(station, "");
		}
		station->noted = BH_REASON_NONE;
	} else if (!deliver->is_stopping && !station->is_recovering &&
	           (station->typist.state == BH_TYPIST_REST || bh_station_waiter(station) != NULL ||
	            station->channel != NULL)) {
		station_decide(station, &view, head);
	}
	bh_deliver_schedule(deliver);
}

static void on_resumed(void *user, const struct bh_answer *answer)
{
	struct bh_station *station = user;
	const struct bh_claim *claim = bh_store_attempt(station->deliver->store, station->id);
	struct bh_deliver_view view;
	enum bh_typist_event event = BH_SAW_RECOVER_LATER;

	station->pending--;
	station->is_recovering = false;
	if (claim == NULL || answer->err.code != 0 || !bh_station_view(station, &view)) {
		bh_station_act(station);
		return;
	}
	station->claim_id = claim->id;
	station->kind = claim->kind;
	station->phase = claim->phase;
	station->is_late = true;
	if (claim->kind == BH_CLAIM_NOTICE) {
		notice_keep(station, claim->notice_id, view.profile);
	} else if (answer->message_count > 0) {
		mail_keep(station, answer->messages, answer->message_count);
	}
	if (claim->phase == BH_PHASE_WRITING) {
		event = BH_SAW_RECOVER_WRITING;
	} else if (claim->phase == BH_PHASE_UNCERTAIN) {
		event = BH_SAW_RECOVER_LOST;
	}
	station->rules = rules_of(view.profile);
	station_step(station, event);
	bh_station_act(station);
}

void bh_station_recover(struct bh_station *station)
{
	const struct bh_claim *claim = bh_store_attempt(station->deliver->store, station->id);

	if (claim == NULL || !claim->is_recovered || station->claim_id != 0 ||
	    station->is_recovering || station->typist.state != BH_TYPIST_REST) {
		return;
	}
	if (bh_store_resume(station->deliver->store, claim->id, on_resumed, station, NULL) == 0) {
		station->is_recovering = true;
		station->pending++;
	}
}
