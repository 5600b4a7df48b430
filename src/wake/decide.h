/** @file
 * What to do with the oldest unread mail of a mailbox, and what to say about it. Pure: a situation
 * in, a decision out; no clock, no memory. doc/CONTRACT.md sections 3 to 5 in one function, tested
 * row by row (tests/unit/decide.table) and by enumeration.
 *
 * Delivery is level-triggered: whenever anything that a situation holds may have changed, make a
 * new situation and decide again. Immediately before the first byte is typed the caller does that
 * once more; nothing is typed unless the decision of that moment is BH_ACT_TYPE or BH_ACT_RING.
 */
#ifndef BH_WAKE_DECIDE_H
#define BH_WAKE_DECIDE_H

#include "src/base/words.h"
#include "src/mail/identity.h"
#include "src/wake/budget.h"

#include <stdbool.h>
#include <stdint.h>

struct bh_verdict;

/** An unknown state older than this needs a person (ms). */
#define BH_DECIDE_UNKNOWN_MS 60000

/** How far a typing of this mailbox's head is. */
enum bh_attempt {
	/** Nothing of it was typed, or what was typed is provably gone and may be typed again. */
	BH_ATTEMPT_NONE,
	/** A typing goes on in this terminal (of this mail or of other). */
	BH_ATTEMPT_RUNS,
	/** Typed, not proved, not provably gone; or the attempts are used up. */
	BH_ATTEMPT_UNPROVED,
	/** The agent's own queue holds it. */
	BH_ATTEMPT_IN_AGENT_QUEUE,
};

/** "Do not disturb" of the recipient. */
enum bh_dnd {
	/** Off. */
	BH_DND_OFF,
	/** Until a time, or until idle. */
	BH_DND_UNTIL,
	/** Until a person ends it. */
	BH_DND_ENDLESS,
};

/** The guards of CONTRACT.md section 8. Zero: none acts. */
struct bh_guards {
	/** The recipient's. */
	enum bh_dnd dnd;
	/** The recipient blocks this sender. */
	bool is_blocked;
	/** More than 30 waking messages in a minute for this pair. */
	bool is_rate_limited;
	/** The chain has 50 hops without a person. */
	bool is_loop;
};

/** Everything that a decision depends on. */
struct bh_situation {
	/** An agent used this name once, or it is a reserved one. */
	bool is_known;
	/** The mailbox of the operator: read by people, never typed. */
	bool is_operator;
	/** Somebody looks at a UI (counts for the operator's mailbox). */
	bool has_ui;
	/** A living terminal backs the identity. */
	bool has_terminal;
	/** No living terminal, but a respawn is due by itself. */
	bool is_respawning;
	/** A waiter is open and its process chain is whole. */
	bool has_waiter;
	/** A channel is open and was not skipped for this message. */
	bool has_channel;
	/** All that is unread are updates about tasks: they wake nobody. */
	bool is_update_only;
	/** Given over to a reader whose confirmation is awaited. */
	bool is_handed_over;
	/** Given to the channel, whose acknowledgement is awaited. */
	bool is_pushed;
	/** The profile allows typing. */
	bool can_type;
	/** The recipient's mode. */
	enum bh_mode mode;
	/** First closed gate of state, tty, dialog, draft and keys (bh_decide_gate()); NONE: open. */
	enum bh_reason gate;
	/** How long the state has been unknown, when gate says so (ms). */
	uint64_t unknown_ms;
	/** The guards. */
	struct bh_guards guards;
	/** What has been typed of it. */
	enum bh_attempt attempt;
	/** All due mail fits one submission. */
	bool fits;
	/** An older unread message (or this one) stands behind a notice. */
	bool is_behind_notice;
	/** What the budget says about a notice now. */
	enum bh_budget_word notice;
};

/** What to do. */
enum bh_act {
	/** Nothing; look again when something changes. */
	BH_ACT_WAIT,
	/** Give it to the waiter or the channel (path says which). */
	BH_ACT_HAND_OVER,
	/** Type the text of all due mail. */
	BH_ACT_TYPE,
	/** Type the notice. */
	BH_ACT_RING,
	/** Park the group: no more notices by itself. */
	BH_ACT_PARK,
};

/** A decision. fate is the answer's `terminal` or `notice`, as the path says, *before* act is done. */
struct bh_decision {
	/** What to do. */
	enum bh_act act;
	/** What carries it. */
	enum bh_path path;
	/** QUEUED, JOINED, PARKED, UNAVAILABLE, or NONE with the paths waiter and channel. */
	enum bh_fate fate;
	/** Why not now; NONE when act does it now. */
	enum bh_reason reason;
	/** Whether it will be seen if nobody does anything more. */
	enum bh_prospect seen;
};

/** Decide. */
struct bh_decision bh_decide(const struct bh_situation *situation);

/** What closes the way to the terminal for whoever asks before sending; NONE: it is open. Not for one
 * that is a dead end. */
enum bh_reason bh_decide_closed(const struct bh_situation *situation);

/**
 * The first closed gate of a terminal: the verdict's, and whether the program takes pastes now.
 *
 * @verdict
 *         The judge's verdict of this moment.
 * @has_paste
 *         Bracketed paste (mode 2004) is on.
 * @is_unstable
 *         A resize is settling, or the program has not read all that was written to it.
 * @return
 *         BH_REASON_NONE when open. A verdict that contradicts itself is closed: `unknown_state`.
 */
enum bh_reason bh_decide_gate(const struct bh_verdict *verdict, bool has_paste, bool is_unstable);

#endif
