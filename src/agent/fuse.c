#include "fuse.h"

#include <stdio.h>
#include <string.h>

struct bh_evidence *bh_case_add(struct bh_case *facts, enum bh_source source, enum bh_mark says,
                                const char *name, const char *detail)
{
	// When the list is full the last entry is written again: callers need no check, and the
	// marks that matter (rules by priority) come first.
	size_t at = facts->count < BH_EVIDENCE_MAX ? facts->count++ : BH_EVIDENCE_MAX - 1;
	struct bh_evidence *evidence = &facts->list[at];

	*evidence = (struct bh_evidence){.source = source, .says = says, .name = name};
	(void)snprintf(evidence->detail, sizeof evidence->detail, "%s", detail ? detail : "");
	return evidence;
}

const struct bh_evidence *bh_case_find(const struct bh_case *facts, enum bh_mark mark)
{
	const struct bh_evidence *best = NULL;

	for (size_t i = 0; i < facts->count; i++) {
		const struct bh_evidence *at = &facts->list[i];

		if (at->says == mark && (!best || at->source < best->source)) {
			best = at;
		}
	}
	return best;
}

static const struct bh_evidence *case_find_gate(const struct bh_case *facts, enum bh_gate gate)
{
	for (size_t i = 0; i < facts->count; i++) {
		if (facts->list[i].gate == gate) {
			return &facts->list[i];
		}
	}
	return NULL;
}

bool bh_case_looks_idle(const struct bh_case *facts)
{
	return facts->composer != BH_COMPOSER_NONE && !bh_case_find(facts, BH_MARK_WORKING) &&
	       !bh_case_find(facts, BH_MARK_AWAITING) && !bh_case_find(facts, BH_MARK_DIALOG) &&
	       !bh_case_find(facts, BH_MARK_STARTING) && !bh_case_find(facts, BH_MARK_VETO);
}

/** Add "name detail 1.2s" to the reasons. */
static void verdict_because(struct bh_verdict *verdict, const struct bh_case *facts,
                            const struct bh_evidence *evidence)
{
	char age[24] = "";

	if (!evidence || verdict->why_count == BH_WHY_MAX) {
		return;
	}
	if (evidence->since_ms && evidence->since_ms <= facts->now_ms) {
		(void)snprintf(age, sizeof age, " %.1fs",
		               (double)(facts->now_ms - evidence->since_ms) / 1000.0);
	}
	(void)snprintf(verdict->why[verdict->why_count++], BH_WHY_SIZE, "%s%s%s%s", evidence->name,
	               *evidence->detail ? " " : "", evidence->detail, age);
}

/** The state that a mark of a witness stands for; the order is that of who wins. */
static const struct {
	enum bh_mark mark;
	enum bh_state state;
} fuse_order[] = {
	// A dialog on the screen wins over "working": it takes the keys, whatever runs behind it.
	{BH_MARK_AWAITING, BH_STATE_AWAITING}, {BH_MARK_WORKING, BH_STATE_WORKING},
	{BH_MARK_DIALOG, BH_STATE_AWAITING},   {BH_MARK_STARTING, BH_STATE_STARTING},
	{BH_MARK_VETO, BH_STATE_UNKNOWN},
};

/** A witness for another state than idle decides; NULL: there is none. */
static const struct bh_evidence *fuse_witness(const struct bh_case *facts, enum bh_state *state_out)
{
	for (size_t i = 0; i < sizeof fuse_order / sizeof *fuse_order; i++) {
		const struct bh_evidence *found = bh_case_find(facts, fuse_order[i].mark);

		// A pager over a running turn: the turn is the state, the dialog a gate.
		if (found) {
			*state_out = fuse_order[i].state;
			return found;
		}
	}
	return NULL;
}

/** The state while idle is not proved: what was, except that a closed dialog may have let
 * something go on. */
static enum bh_state fuse_settling(const struct bh_case *facts)
{
	if (!facts->was_ready && facts->before != BH_STATE_WORKING &&
	    facts->before != BH_STATE_AWAITING) {
		return BH_STATE_STARTING;
	}
	return facts->before == BH_STATE_AWAITING ? BH_STATE_WORKING : facts->before;
}

static enum bh_state fuse_idle(const struct bh_case *facts)
{
	return facts->last_turn == BH_TURN_DONE ? BH_STATE_COMPLETED : BH_STATE_IDLE;
}

/** Nobody vouches for anything: no composer, no witness. */
static enum bh_state fuse_silence(const struct bh_case *facts)
{
	bool is_long = facts->silent_since_ms &&
	               facts->now_ms >= facts->silent_since_ms + BH_FUSE_SILENCE_MS;

	// A shell would be starting for ever.
	if (!facts->was_ready && facts->before == BH_STATE_STARTING && facts->knows_idle) {
		return BH_STATE_STARTING;
	}
	return is_long ? BH_STATE_UNKNOWN : facts->before;
}

static void fuse_state(const struct bh_case *facts, struct bh_verdict *verdict)
{
	enum bh_state state = BH_STATE_UNKNOWN;
	const struct bh_evidence *witness = fuse_witness(facts, &state);
	const struct bh_evidence *hold = case_find_gate(facts, BH_GATE_HOLD);

	verdict->authority = BH_SOURCE_NONE;
	if (facts->has_exited) {
		static const struct bh_evidence exited = {.name = "the program has exited"};

		verdict->state = BH_STATE_EXITED;
		verdict->authority = BH_SOURCE_KERNEL;
		verdict_because(verdict, facts, &exited);
	} else if (witness) {
		verdict->state = state;
		verdict->authority = witness->source;
		verdict_because(verdict, facts, witness);
	} else if (facts->composer == BH_COMPOSER_NONE) {
		static const struct bh_evidence nothing = {.name = "no composer on the screen"};

		verdict->state = fuse_silence(facts);
		verdict->authority = BH_SOURCE_TIME;
		verdict_because(verdict, facts, &nothing);
		if (facts->silent_since_ms + BH_FUSE_SILENCE_MS > facts->now_ms) {
			verdict->reevaluate_at_ms = facts->silent_since_ms + BH_FUSE_SILENCE_MS;
		}
	} else if (hold) {
		verdict->state = fuse_settling(facts);
		verdict->authority = BH_SOURCE_TIME;
		verdict_because(verdict, facts, hold);
	} else {
		verdict->state = fuse_idle(facts);
		verdict->authority = BH_SOURCE_SCREEN;
	}
}

/** The word of the first gate that is shut, in the order of the contract; NULL: all are open. */
static const char *fuse_reason(const struct bh_case *facts, const struct bh_verdict *verdict)
{
	static const char *const by_state[BH_STATE_COUNT] = {
		[BH_STATE_UNKNOWN] = "unknown_state", [BH_STATE_STARTING] = "starting",
		[BH_STATE_WORKING] = "working",       [BH_STATE_AWAITING] = "awaiting",
		[BH_STATE_EXITED] = "no_terminal",
	};
	bool is_settling = case_find_gate(facts, BH_GATE_HOLD) != NULL;

	if (verdict->state == BH_STATE_EXITED) {
		return by_state[BH_STATE_EXITED];
	}
	if (!facts->may_type) {
		return "typing_off";
	}
	// A menu that a person opened is no question of the program: say what it is.
	if (verdict->state == BH_STATE_AWAITING && bh_case_find(facts, BH_MARK_DIALOG) &&
	    !bh_case_find(facts, BH_MARK_AWAITING)) {
		return "dialog";
	}
	if (by_state[verdict->state]) {
		return by_state[verdict->state];
	}
	if (facts->composer == BH_COMPOSER_NONE ||
	    (is_settling && facts->composer == BH_COMPOSER_UNKNOWN)) {
		return "unknown_state";
	}
	if (case_find_gate(facts, BH_GATE_LINE_MODE)) {
		return "line_mode";
	}
	if (case_find_gate(facts, BH_GATE_NOT_FOREGROUND)) {
		return "not_foreground";
	}
	if (verdict->has_dialog) {
		return "dialog";
	}
	if (verdict->composer != BH_COMPOSER_EMPTY) {
		return "draft";
	}
	if (case_find_gate(facts, BH_GATE_HANDS)) {
		return "human_typing";
	}
	// Last: what unsettles a screen is told by its own name, above all a person's keys.
	return is_settling ? "unknown_state" : NULL;
}

/** Name what speaks for idle, and each gate that is shut. */
static void fuse_why(const struct bh_case *facts, struct bh_verdict *verdict)
{
	for (size_t i = 0; i < facts->count; i++) {
		const struct bh_evidence *at = &facts->list[i];
		bool is_idle =
			verdict->state == BH_STATE_IDLE || verdict->state == BH_STATE_COMPLETED;

		if ((is_idle && at->says == BH_MARK_IDLE) ||
		    (at->gate != BH_GATE_NONE && at->gate != BH_GATE_HOLD)) {
			verdict_because(verdict, facts, at);
		}
	}
}

/** When a gate opens by itself, the case is to be judged again. */
static void fuse_timer(const struct bh_case *facts, struct bh_verdict *verdict)
{
	for (size_t i = 0; i < facts->count; i++) {
		uint64_t until = facts->list[i].until_ms;

		if (until > facts->now_ms &&
		    (!verdict->reevaluate_at_ms || until < verdict->reevaluate_at_ms)) {
			verdict->reevaluate_at_ms = until;
		}
	}
}

void bh_fuse(const struct bh_case *facts, struct bh_verdict *verdict_out)
{
	*verdict_out = (struct bh_verdict){
		.composer =
			case_find_gate(facts, BH_GATE_DRAFT) ? BH_COMPOSER_DRAFT : facts->composer,
		.has_dialog = bh_case_find(facts, BH_MARK_DIALOG) ||
	                      bh_case_find(facts, BH_MARK_AWAITING),
		.last_turn = facts->last_turn,
		.background = facts->background,
	};
	fuse_state(facts, verdict_out);
	fuse_why(facts, verdict_out);
	verdict_out->reason = fuse_reason(facts, verdict_out);
	verdict_out->is_typable = verdict_out->reason == NULL;
	verdict_out->is_only_hands = verdict_out->reason &&
	                             strcmp(verdict_out->reason, "human_typing") == 0 &&
	                             !case_find_gate(facts, BH_GATE_HOLD);
	if (verdict_out->state != BH_STATE_EXITED) {
		fuse_timer(facts, verdict_out);
	}
}
