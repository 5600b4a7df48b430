#include "src/wake/decide.h"

#include "src/agent/judge.h"

enum bh_reason bh_decide_gate(const struct bh_verdict *verdict, bool has_paste, bool is_unstable)
{
	int reason = bh_word_find(BH_WORDS_REASON, verdict->reason);
	bool is_free = verdict->state == BH_STATE_IDLE || verdict->state == BH_STATE_COMPLETED;

	if (!verdict->is_typable) {
		return reason > 0 ? (enum bh_reason)reason : BH_REASON_UNKNOWN_STATE;
	}
	// Belt and braces: the judge says yes, so each part of its yes must be there too.
	if (!is_free || verdict->has_dialog || verdict->composer != BH_COMPOSER_EMPTY) {
		return BH_REASON_UNKNOWN_STATE;
	}
	return has_paste && !is_unstable ? BH_REASON_NONE : BH_REASON_UNKNOWN_STATE;
}

/** What a closed gate means for being seen: the reason's own word, or worse. */
static enum bh_prospect reason_prospect(const struct bh_situation *s, enum bh_reason reason)
{
	enum bh_prospect seen = bh_reason_prospect(reason);

	if (reason == BH_REASON_DO_NOT_DISTURB && s->guards.dnd == BH_DND_ENDLESS) {
		return BH_PROSPECT_NEEDS_A_PERSON;
	}
	if (reason == BH_REASON_UNKNOWN_STATE && s->unknown_ms > BH_DECIDE_UNKNOWN_MS) {
		return BH_PROSPECT_NEEDS_A_PERSON;
	}
	if (reason == BH_REASON_UNPROVED &&
	    bh_reason_prospect(s->gate) == BH_PROSPECT_NEEDS_A_PERSON) {
		return BH_PROSPECT_NEEDS_A_PERSON;
	}
	return seen;
}

/** Nothing carries it. */
static struct bh_decision stay(enum bh_reason reason, enum bh_prospect seen)
{
	return (struct bh_decision){.path = BH_PATH_INBOX_ONLY,
	                            .fate = BH_FATE_UNAVAILABLE,
	                            .reason = reason,
	                            .seen = seen};
}

/** Why nothing can carry it at all; NONE when something can. */
static enum bh_reason dead_end(const struct bh_situation *s)
{
	if (!s->is_known && !s->has_terminal) {
		return BH_REASON_UNKNOWN_RECIPIENT;
	}
	if (s->guards.is_blocked) {
		return BH_REASON_BLOCKED_SENDER;
	}
	if (!s->has_terminal && !s->is_respawning) {
		return BH_REASON_NO_TERMINAL;
	}
	if (s->has_terminal && (!s->can_type || s->mode == BH_MODE_OFF)) {
		return BH_REASON_TYPING_OFF;
	}
	return s->guards.is_loop ? BH_REASON_LOOP : BH_REASON_NONE;
}

/** The first closed gate on the way to the terminal; NONE when it is open. */
static enum bh_reason closed_gate(const struct bh_situation *s)
{
	if (s->guards.dnd != BH_DND_OFF) {
		return BH_REASON_DO_NOT_DISTURB;
	}
	// What we typed ourselves makes the screen look busy or drafted; so our own doing goes first.
	if (s->attempt == BH_ATTEMPT_RUNS) {
		return BH_REASON_TYPING_NOW;
	}
	if (s->attempt == BH_ATTEMPT_IN_AGENT_QUEUE) {
		return BH_REASON_IN_AGENT_QUEUE;
	}
	if (s->attempt == BH_ATTEMPT_UNPROVED) {
		return BH_REASON_UNPROVED;
	}
	if (!s->has_terminal) {
		return BH_REASON_STARTING;
	}
	if (s->gate != BH_REASON_NONE) {
		return s->gate;
	}
	return s->guards.is_rate_limited ? BH_REASON_RATE_LIMITED : BH_REASON_NONE;
}

/** Queued on @path behind @reason, or @act when there is no reason. */
static struct bh_decision queue(const struct bh_situation *s, enum bh_path path, enum bh_act act,
                                enum bh_reason reason)
{
	return (struct bh_decision){.act = reason == BH_REASON_NONE ? act : BH_ACT_WAIT,
	                            .path = path,
	                            .fate = BH_FATE_QUEUED,
	                            .reason = reason,
	                            .seen = reason_prospect(s, reason)};
}

/** The way by notice. */
static struct bh_decision decide_notice(const struct bh_situation *s)
{
	switch (s->notice) {
	case BH_BUDGET_OUT:
		return (struct bh_decision){.path = BH_PATH_NOTICE,
		                            .fate = BH_FATE_JOINED,
		                            .seen = BH_PROSPECT_WHEN_FREE};
	case BH_BUDGET_PARK_NOW:
	case BH_BUDGET_PARKED:
		return (struct bh_decision){.act = s->notice == BH_BUDGET_PARK_NOW ? BH_ACT_PARK
		                                                                   : BH_ACT_WAIT,
		                            .path = BH_PATH_INBOX_ONLY,
		                            .fate = BH_FATE_PARKED,
		                            .reason = BH_REASON_PARKED,
		                            .seen = BH_PROSPECT_ONLY_IF_IT_LOOKS};
	case BH_BUDGET_DUE:
		break;
	}
	return queue(s, BH_PATH_NOTICE, BH_ACT_RING, closed_gate(s));
}

/** A reader that waits for mail. */
static struct bh_decision hand_over(enum bh_path path, bool is_done)
{
	return (struct bh_decision){.act = is_done ? BH_ACT_WAIT : BH_ACT_HAND_OVER,
	                            .path = path,
	                            .seen = BH_PROSPECT_WHEN_FREE};
}

struct bh_decision bh_decide(const struct bh_situation *s)
{
	enum bh_reason reason = dead_end(s);

	if (s->is_handed_over) {
		return hand_over(BH_PATH_WAITER, true);
	}
	// A waiter looks by itself: no gate of typing is in its way, but a block is.
	if (s->has_waiter && !s->guards.is_blocked && s->attempt != BH_ATTEMPT_RUNS) {
		return hand_over(BH_PATH_WAITER, false);
	}
	if (s->is_operator) {
		return stay(BH_REASON_NO_TERMINAL,
		            s->has_ui ? BH_PROSPECT_NEEDS_A_PERSON : BH_PROSPECT_ONLY_IF_IT_LOOKS);
	}
	if (s->has_channel && s->guards.dnd == BH_DND_OFF && !s->guards.is_loop &&
	    !s->guards.is_blocked && s->attempt != BH_ATTEMPT_RUNS) {
		return hand_over(BH_PATH_CHANNEL, false);
	}
	if (reason != BH_REASON_NONE) {
		return stay(reason, bh_reason_prospect(reason));
	}
	if (s->mode == BH_MODE_NOTICE || !s->fits || s->is_behind_notice) {
		return decide_notice(s);
	}
	return queue(s, BH_PATH_TERMINAL, BH_ACT_TYPE, closed_gate(s));
}
