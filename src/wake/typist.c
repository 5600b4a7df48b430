#include "src/wake/typist.h"

#include <stddef.h>

/** What a pair of state and event leads to. */
struct row {
	bool is_listed;
	enum bh_typist_state next;
	unsigned actions;
};

#define GO(state, event, to, what) \
	[BH_TYPIST_##state][BH_SAW_##event] = {true, BH_TYPIST_##to, (what)}
#define DOUBT (BH_DO_COMMIT_UNCERTAIN | BH_DO_REPORT)
#define WITHDRAW (BH_DO_COMMIT_WITHDRAWN)

// Read a row as: in this state, when this is seen, go there and do that. What is not listed changes
// nothing. In states with a commit on its way only the end of the commit counts.
static const struct row rows[BH_TYPIST_STATE_COUNT][BH_SAW_COUNT] = {
	GO(REST, START, CLAIMING, BH_DO_TAKE),
	GO(REST, RECOVER_WRITING, DOUBTING, BH_DO_WATCH | BH_DO_WRITE_PASTE_END | DOUBT),
	GO(REST, RECOVER_LATER, DOUBTING, BH_DO_WATCH | DOUBT),
	GO(REST, RECOVER_LOST, LOST, BH_DO_WATCH | BH_DO_REPORT),

	GO(CLAIMING, DONE_OPEN, ARMING, BH_DO_HOLD | BH_DO_COMMIT_WRITING | BH_DO_REPORT),
	GO(CLAIMING, DONE_SHUT, WITHDRAWING, WITHDRAW),
	GO(CLAIMING, DONE_NONE, REST, BH_DO_REPORT),
	GO(CLAIMING, FAILED, REST, BH_DO_REPORT),

	// The one row that types.
	GO(ARMING, DONE_OPEN, ECHOING, BH_DO_WATCH | BH_DO_WRITE_PASTE),
	GO(ARMING, DONE_SHUT, WITHDRAWING, BH_DO_RELEASE | WITHDRAW),
	GO(ARMING, FAILED, WITHDRAWING, BH_DO_RELEASE | WITHDRAW),
	// The disk does not answer: people are not kept waiting for it.
	GO(ARMING, LATE, ARMING_LATE, BH_DO_RELEASE),
	GO(ARMING_LATE, DONE_OPEN, WITHDRAWING, WITHDRAW),
	GO(ARMING_LATE, DONE_SHUT, WITHDRAWING, WITHDRAW),
	GO(ARMING_LATE, FAILED, WITHDRAWING, WITHDRAW),

	GO(ECHOING, ECHO, SETTLING, BH_DO_COMMIT_ECHOED),
	GO(ECHOING, DIALOG, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(ECHOING, LATE, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(ECHOING, UNWRITTEN, WITHDRAWING, BH_DO_RELEASE | WITHDRAW),
	GO(ECHOING, EXITED, WITHDRAWING, BH_DO_RELEASE | WITHDRAW),

	GO(SETTLING, QUIET, SENDING, BH_DO_COMMIT_CR_SENT),
	GO(SETTLING, BUSY, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(SETTLING, BUSY_CLEARABLE, CLEARING, BH_DO_WRITE_CLEAR),
	GO(SETTLING, DIALOG, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(SETTLING, LATE, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(SETTLING, EXITED, WITHDRAWING, BH_DO_RELEASE | WITHDRAW),

	// The one row that submits.
	GO(SENDING, DONE_OPEN, PROVING, BH_DO_WRITE_CR | BH_DO_RELEASE),
	GO(SENDING, DONE_SHUT, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(SENDING, FAILED, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(SENDING, LATE, SENDING_LATE, BH_DO_RELEASE),
	GO(SENDING_LATE, DONE_OPEN, DOUBTING, DOUBT),
	GO(SENDING_LATE, DONE_SHUT, DOUBTING, DOUBT),
	GO(SENDING_LATE, FAILED, DOUBTING, DOUBT),

	GO(PROVING, SUBMITTED, PROVED, BH_DO_COMMIT_PROVED),
	GO(PROVING, QUEUED, IN_QUEUE, BH_DO_REPORT),
	GO(PROVING, LATE, DOUBTING, DOUBT),
	GO(PROVING, UNWRITTEN, DOUBTING, DOUBT),
	GO(PROVING, EXITED, WITHDRAWING, WITHDRAW),

	GO(IN_QUEUE, SUBMITTED, PROVED, BH_DO_COMMIT_PROVED),
	GO(IN_QUEUE, OWN, DOUBTING, DOUBT),
	GO(IN_QUEUE, OWN_TAKEN, DOUBTING, DOUBT),
	GO(IN_QUEUE, GONE, DOUBTING, DOUBT),
	GO(IN_QUEUE, EXITED, WITHDRAWING, WITHDRAW),

	GO(PROVED, DONE_OPEN, REST, BH_DO_REPORT),
	GO(PROVED, DONE_SHUT, REST, BH_DO_REPORT),
	// The proof stays: the next look finds it again and commits again.
	GO(PROVED, FAILED, LOST, BH_DO_REPORT),

	GO(DOUBTING, DONE_OPEN, LOST, BH_DO_REPORT),
	GO(DOUBTING, DONE_SHUT, LOST, BH_DO_REPORT),
	GO(DOUBTING, FAILED, LOST, BH_DO_REPORT),

	GO(LOST, SUBMITTED, PROVED, BH_DO_COMMIT_PROVED),
	GO(LOST, QUEUED, IN_QUEUE, BH_DO_REPORT),
	GO(LOST, OWN, SENDING, BH_DO_HOLD | BH_DO_COMMIT_CR_SENT),
	GO(LOST, OWN_TAKEN, CLEARING, BH_DO_HOLD | BH_DO_WRITE_CLEAR),
	GO(LOST, GONE, WITHDRAWING, WITHDRAW),
	// The doubt was not stored: nobody else may have the mail before it is.
	GO(LOST, LATE, DOUBTING, DOUBT),
	GO(LOST, EXITED, WITHDRAWING, WITHDRAW),

	GO(CLEARING, EMPTY, WITHDRAWING, BH_DO_RELEASE | WITHDRAW),
	GO(CLEARING, DIALOG, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(CLEARING, LATE, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(CLEARING, UNWRITTEN, DOUBTING, BH_DO_RELEASE | DOUBT),
	GO(CLEARING, EXITED, WITHDRAWING, BH_DO_RELEASE | WITHDRAW),

	GO(WITHDRAWING, DONE_OPEN, REST, BH_DO_REPORT),
	GO(WITHDRAWING, DONE_SHUT, REST, BH_DO_REPORT),
	// Try again from there: it is gone still, or the terminal is.
	GO(WITHDRAWING, FAILED, LOST, BH_DO_REPORT),
};

#define STATE_WORD(name, word, commits, holds) [BH_TYPIST_##name] = (word),
#define STATE_COMMITS(name, word, commits, holds) [BH_TYPIST_##name] = (commits),
#define STATE_HOLDS(name, word, commits, holds) [BH_TYPIST_##name] = (holds),
#define EVENT_WORD(name, word, meaning) [BH_SAW_##name] = (word),

static const char *const state_words[] = {BH_TYPIST_STATES(STATE_WORD)};
static const bool state_commits[] = {BH_TYPIST_STATES(STATE_COMMITS)};
static const bool state_holds[] = {BH_TYPIST_STATES(STATE_HOLDS)};
static const char *const event_words[] = {BH_TYPIST_EVENTS(EVENT_WORD)};

bool bh_typist_is_committing(enum bh_typist_state state)
{
	return state_commits[state];
}

bool bh_typist_is_holding(enum bh_typist_state state)
{
	return state_holds[state];
}

bool bh_typist_knows(enum bh_typist_state state, enum bh_typist_event event)
{
	return rows[state][event].is_listed;
}

const char *bh_typist_state_word(enum bh_typist_state state)
{
	return state_words[state];
}

const char *bh_typist_event_word(enum bh_typist_event event)
{
	return event_words[event];
}

/** Whether a CR would submit our text and do nothing else, as far as can be seen. */
static bool sight_may_submit(const struct bh_sight *sight)
{
	return sight->is_alive && sight->echo == BH_SIGHT_OURS && sight->is_free &&
	       !sight->has_dialog;
}

/** Whether our text is nowhere for sure and has been so for long enough. */
static bool sight_is_gone(struct bh_typist *typist, const struct bh_sight *sight, uint64_t now_ms)
{
	// What the program has not read yet (it is stopped, or busy) may still be our text.
	if (!sight->is_empty || !sight->is_free || sight->has_dialog || sight->is_disturbed ||
	    sight->has_unread) {
		typist->gone_since_ms = 0;
		return false;
	}
	if (typist->gone_since_ms == 0) {
		typist->gone_since_ms = now_ms;
	}
	return now_ms - typist->gone_since_ms >= BH_TYPIST_GONE_MS;
}

static enum bh_typist_event see_echoing(const struct bh_sight *sight, bool is_late)
{
	if (sight->has_dialog) {
		return BH_SAW_DIALOG;
	}
	if (sight->echo == BH_SIGHT_OURS) {
		return BH_SAW_ECHO;
	}
	return is_late ? BH_SAW_LATE : BH_SAW_NOTHING;
}

static enum bh_typist_event see_settling(const struct bh_typist *typist,
                                         const struct bh_sight *sight, uint32_t settle_ms,
                                         uint64_t now_ms, bool is_late)
{
	if (sight->has_dialog) {
		return BH_SAW_DIALOG;
	}
	if (sight->echo != BH_SIGHT_OURS) {
		return is_late ? BH_SAW_LATE : BH_SAW_NOTHING;
	}
	if (sight->is_working) {
		return sight->can_clear ? BH_SAW_BUSY_CLEARABLE : BH_SAW_BUSY;
	}
	if (!sight->is_free) {
		return is_late ? BH_SAW_LATE : BH_SAW_NOTHING;
	}
	// A screen that never rests (an animation) has had all the time that a paste needs.
	if (is_late || (sight->quiet_ms >= settle_ms && now_ms - typist->echo_ms >= settle_ms)) {
		return BH_SAW_QUIET;
	}
	return BH_SAW_NOTHING;
}

/** What is seen of a text that has been sent, or may have been. */
static enum bh_typist_event see_sent(struct bh_typist *typist, const struct bh_sight *sight,
                                     uint64_t now_ms, bool is_late)
{
	bool is_proving = typist->state == BH_TYPIST_PROVING;

	if (!typist->is_written) {
		return BH_SAW_GONE;
	}
	if (sight->is_submitted) {
		return BH_SAW_SUBMITTED;
	}
	if (sight->is_queued) {
		return typist->state == BH_TYPIST_IN_QUEUE ? BH_SAW_NOTHING : BH_SAW_QUEUED;
	}
	if (is_proving) {
		return is_late ? BH_SAW_LATE : BH_SAW_NOTHING;
	}
	if (sight->is_held) {
		return BH_SAW_NOTHING; // whether it is to be submitted, the reader decides
	}
	if (sight_may_submit(sight) && !sight->is_disturbed) {
		if (sight->is_taken && sight->can_clear) {
			return BH_SAW_OWN_TAKEN;
		}
		// What its queue gave back is no more held for it, however often it was sent.
		return typist->state == BH_TYPIST_IN_QUEUE ||
		                       typist->resends < BH_TYPIST_RESENDS_MAX
		               ? BH_SAW_OWN
		               : BH_SAW_NOTHING;
	}
	return sight_is_gone(typist, sight, now_ms) ? BH_SAW_GONE : BH_SAW_NOTHING;
}

static enum bh_typist_event see_clearing(const struct bh_sight *sight, bool is_late)
{
	if (sight->has_dialog) {
		return BH_SAW_DIALOG;
	}
	if (sight->is_empty) {
		return BH_SAW_EMPTY;
	}
	return is_late ? BH_SAW_LATE : BH_SAW_NOTHING;
}

enum bh_typist_event bh_typist_see(struct bh_typist *typist, const struct bh_sight *sight,
                                   const struct bh_typist_rules *rules, uint64_t now_ms)
{
	bool is_late = typist->late_ms != 0 && now_ms >= typist->late_ms;

	if (state_commits[typist->state] || typist->state == BH_TYPIST_REST) {
		return is_late && state_holds[typist->state] ? BH_SAW_LATE : BH_SAW_NOTHING;
	}
	// A record may prove it even though the agent has ended since.
	if (!sight->is_alive && !sight->is_submitted) {
		return BH_SAW_EXITED;
	}
	switch (typist->state) {
	case BH_TYPIST_ECHOING:
		return !sight->is_alive ? BH_SAW_EXITED : see_echoing(sight, is_late);
	case BH_TYPIST_SETTLING:
		return !sight->is_alive
		               ? BH_SAW_EXITED
		               : see_settling(typist, sight, rules->settle_ms, now_ms, is_late);
	case BH_TYPIST_CLEARING:
		return !sight->is_alive ? BH_SAW_EXITED : see_clearing(sight, is_late);
	case BH_TYPIST_PROVING:
	case BH_TYPIST_IN_QUEUE:
	case BH_TYPIST_LOST:
		return see_sent(typist, sight, now_ms, is_late);
	case BH_TYPIST_REST:
	case BH_TYPIST_CLAIMING:
	case BH_TYPIST_ARMING:
	case BH_TYPIST_ARMING_LATE:
	case BH_TYPIST_SENDING:
	case BH_TYPIST_SENDING_LATE:
	case BH_TYPIST_PROVED:
	case BH_TYPIST_DOUBTING:
	case BH_TYPIST_WITHDRAWING:
	case BH_TYPIST_STATE_COUNT:
		break;
	}
	return BH_SAW_NOTHING;
}

enum bh_typist_event bh_typist_done(const struct bh_typist *typist, bool is_stored,
                                    const struct bh_sight *sight)
{
	bool is_open = true;

	if (!is_stored) {
		return BH_SAW_FAILED;
	}
	if (typist->state == BH_TYPIST_CLAIMING || typist->state == BH_TYPIST_ARMING) {
		is_open = sight->is_alive && sight->is_open && !sight->is_taken && !sight->is_held;
	} else if (typist->state == BH_TYPIST_SENDING) {
		is_open = sight_may_submit(sight) && !sight->is_held &&
		          !(sight->is_taken && sight->can_clear);
	}
	return is_open ? BH_SAW_DONE_OPEN : BH_SAW_DONE_SHUT;
}

/** The limit of the state that was entered; the time from paste to CR is one limit. */
static uint64_t state_late_ms(const struct bh_typist *typist, const struct bh_typist_rules *rules,
                              uint64_t now_ms)
{
	uint64_t commit_ms = now_ms + BH_TYPIST_COMMIT_MS;

	switch (typist->state) {
	case BH_TYPIST_ARMING:
	case BH_TYPIST_ECHOING:
		return now_ms + rules->echo_limit_ms;
	case BH_TYPIST_SENDING:
		return typist->late_ms > commit_ms ? typist->late_ms : commit_ms;
	case BH_TYPIST_SETTLING:
		return typist->late_ms;
	case BH_TYPIST_PROVING:
		return now_ms + rules->proof_limit_ms;
	case BH_TYPIST_CLEARING:
		return now_ms + BH_TYPIST_CLEAR_MS;
	case BH_TYPIST_REST:
	case BH_TYPIST_CLAIMING:
	case BH_TYPIST_ARMING_LATE:
	case BH_TYPIST_SENDING_LATE:
	case BH_TYPIST_IN_QUEUE:
	case BH_TYPIST_PROVED:
	case BH_TYPIST_DOUBTING:
	case BH_TYPIST_LOST:
	case BH_TYPIST_WITHDRAWING:
	case BH_TYPIST_STATE_COUNT:
		break;
	}
	return 0;
}

unsigned bh_typist_step(struct bh_typist *typist, enum bh_typist_event event,
                        const struct bh_typist_rules *rules, uint64_t now_ms)
{
	const struct row *row = &rows[typist->state][event];
	bool is_resend = typist->state == BH_TYPIST_LOST && event == BH_SAW_OWN;

	if (!row->is_listed) {
		return 0;
	}
	typist->resends += is_resend;
	typist->gone_since_ms = 0;
	typist->state = row->next;
	if (row->actions & (BH_DO_WATCH | BH_DO_COMMIT_WITHDRAWN)) {
		typist->is_written = (row->actions & BH_DO_WATCH) != 0;
	}
	typist->late_ms = state_late_ms(typist, rules, now_ms);
	if (row->next == BH_TYPIST_SETTLING) {
		typist->echo_ms = now_ms;
	}
	if (row->next == BH_TYPIST_REST) {
		*typist = (struct bh_typist){0};
	}
	return row->actions;
}

uint64_t bh_typist_next_ms(const struct bh_typist *typist, const struct bh_typist_rules *rules,
                           uint64_t now_ms)
{
	if (state_commits[typist->state] || typist->state == BH_TYPIST_REST) {
		return state_holds[typist->state] ? typist->late_ms : 0;
	}
	if (typist->state == BH_TYPIST_LOST || typist->state == BH_TYPIST_IN_QUEUE) {
		return now_ms + BH_TYPIST_LOOK_SLOWLY_MS;
	}
	if (typist->state == BH_TYPIST_SETTLING && rules->settle_ms < BH_TYPIST_LOOK_MS) {
		return now_ms + (rules->settle_ms > 10 ? rules->settle_ms : 10);
	}
	return now_ms + BH_TYPIST_LOOK_MS;
}
