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

/** Whether a person must act before the gate of the terminal can open. */
static bool gate_needs_person(const struct bh_situation *s)
{
	return bh_reason_prospect(s->gate) == BH_PROSPECT_NEEDS_A_PERSON ||
	       (s->gate == BH_REASON_UNKNOWN_STATE && s->unknown_ms > BH_DECIDE_UNKNOWN_MS);
}

/** What a closed gate means for being seen: the reason's own word, or worse. */
static enum bh_prospect reason_prospect(const struct bh_situation *s, enum bh_reason reason)
{
	bool is_worse = false;

	if (reason == BH_REASON_DO_NOT_DISTURB) {
		is_worse = s->guards.dnd == BH_DND_ENDLESS;
	} else if (reason == BH_REASON_UNKNOWN_STATE || reason == BH_REASON_UNPROVED) {
		is_worse = gate_needs_person(s);
	} else if (reason == BH_REASON_IN_AGENT_QUEUE) {
		// Its own queue does not wait for what stands in the composer.
		is_worse = gate_needs_person(s) && s->gate != BH_REASON_DRAFT;
	}
	return is_worse ? BH_PROSPECT_NEEDS_A_PERSON : bh_reason_prospect(reason);
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
	if (!s->can_type || s->mode == BH_MODE_OFF) {
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

enum bh_reason bh_decide_closed(const struct bh_situation *s)
{
	bool is_parked = s->notice == BH_BUDGET_PARKED || s->notice == BH_BUDGET_PARK_NOW;

	if (is_parked && (s->mode == BH_MODE_NOTICE || s->is_behind_notice)) {
		return BH_REASON_PARKED;
	}
	return closed_gate(s);
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

/** A notice is out. The agent reads in its turn, unless it stands before a person's decision. */
static struct bh_decision joined(const struct bh_situation *s)
{
	static const enum bh_reason ours[] = {
		[BH_ATTEMPT_RUNS] = BH_REASON_TYPING_NOW,
		[BH_ATTEMPT_UNPROVED] = BH_REASON_UNPROVED,
		[BH_ATTEMPT_IN_AGENT_QUEUE] = BH_REASON_IN_AGENT_QUEUE,
	};
	enum bh_reason reason = s->attempt == BH_ATTEMPT_NONE ? s->gate : ours[s->attempt];
	enum bh_prospect seen = reason_prospect(s, reason);
	bool needs_person = seen == BH_PROSPECT_NEEDS_A_PERSON;

	return (struct bh_decision){.path = BH_PATH_NOTICE,
	                            .fate = BH_FATE_JOINED,
	                            .reason = needs_person ? reason : BH_REASON_NONE,
	                            .seen = seen};
}

/** The way by notice. */
static struct bh_decision decide_notice(const struct bh_situation *s)
{
	switch (s->notice) {
	case BH_BUDGET_OUT:
		return joined(s);
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

/** What people and guards close before a channel; NONE: it is open, whatever the screen shows. */
static enum bh_reason guard_gate(const struct bh_situation *s)
{
	if (s->guards.dnd != BH_DND_OFF) {
		return BH_REASON_DO_NOT_DISTURB;
	}
	return s->guards.is_rate_limited ? BH_REASON_RATE_LIMITED : BH_REASON_NONE;
}

/**
 * The recipient's open channel.
 *
 * @other
 *         Why there is no way beside it, or NONE.
 * @return
 *         Whether it settles the matter: by handing over, or by what keeps it from doing so.
 */
static bool decide_channel(const struct bh_situation *s, enum bh_reason other,
                           struct bh_decision *decision)
{
	enum bh_reason wish = guard_gate(s);

	if (!s->has_channel || s->guards.is_blocked) {
		return false;
	}
	// What keeps it from an open channel is told, not that there is no way beside that.
	if (s->guards.is_loop) {
		*decision = stay(BH_REASON_LOOP, bh_reason_prospect(BH_REASON_LOOP));
		return true;
	}
	if (s->attempt == BH_ATTEMPT_RUNS) {
		return false;
	}
	if (wish == BH_REASON_NONE) {
		*decision = hand_over(BH_PATH_CHANNEL, false);
		return true;
	}
	if (other == BH_REASON_NONE) {
		return false; // the terminal's own gates decide
	}
	*decision = (struct bh_decision){
		.path = BH_PATH_CHANNEL, .reason = wish, .seen = reason_prospect(s, wish)};
	return true;
}

struct bh_decision bh_decide(const struct bh_situation *s)
{
	struct bh_decision decision;
	enum bh_reason reason = dead_end(s);

	// A reader that has other mail will not get what it blocks.
	if (s->is_handed_over && !s->guards.is_blocked) {
		return hand_over(BH_PATH_WAITER, true);
	}
	if (s->is_update_only) {
		bool is_stuck =
			reason == BH_REASON_UNKNOWN_RECIPIENT || reason == BH_REASON_BLOCKED_SENDER;

		return stay(is_stuck ? reason : BH_REASON_UPDATE, BH_PROSPECT_ONLY_IF_IT_LOOKS);
	}
	if (s->is_pushed && !s->guards.is_blocked) {
		return s->guards.is_loop ? stay(BH_REASON_LOOP, BH_PROSPECT_ONLY_IF_IT_LOOKS)
		                         : hand_over(BH_PATH_CHANNEL, true);
	}
	// A waiter looks by itself: no gate of typing is in its way, but a block is.
	if (s->has_waiter && !s->guards.is_blocked && s->attempt != BH_ATTEMPT_RUNS) {
		return hand_over(BH_PATH_WAITER, false);
	}
	if (s->is_operator) {
		return stay(BH_REASON_NO_TERMINAL,
		            s->has_ui ? BH_PROSPECT_NEEDS_A_PERSON : BH_PROSPECT_ONLY_IF_IT_LOOKS);
	}
	if (decide_channel(s, reason, &decision)) {
		return decision;
	}
	if (reason != BH_REASON_NONE) {
		return stay(reason, bh_reason_prospect(reason));
	}
	if (s->mode == BH_MODE_NOTICE || !s->fits || s->is_behind_notice) {
		return decide_notice(s);
	}
	return queue(s, BH_PATH_TERMINAL, BH_ACT_TYPE, closed_gate(s));
}
