/** @file
 * Fusion: from a list of evidence to a state, as a pure function. What each piece of evidence says
 * was decided before; here is decided what wins.
 *
 * Idle needs positive proof: a composer that was found, nothing that contradicts, and time. Every
 * other state needs one witness. What nobody vouches for is unknown.
 */
#ifndef BH_AGENT_FUSE_H
#define BH_AGENT_FUSE_H

#include "judge.h"
#include "profile_data.h"

/** Most pieces of evidence of one judgement. */
#define BH_EVIDENCE_MAX 40
/** Longest detail, its NUL included (bytes). */
#define BH_EVIDENCE_DETAIL 72

/** Which gate of doc/CONTRACT.md section 5 a piece of evidence holds shut by itself. */
enum bh_gate {
	/** None. */
	BH_GATE_NONE,
	/** The tty is in line mode. */
	BH_GATE_LINE_MODE,
	/** Another program is in the foreground. */
	BH_GATE_NOT_FOREGROUND,
	/** Keys of a person are not on the screen yet. */
	BH_GATE_DRAFT,
	/** A person types. */
	BH_GATE_HANDS,
	/** Idle is not proved for long enough yet. */
	BH_GATE_HOLD,
};

/** One piece of evidence. */
struct bh_evidence {
	/** Its rank. */
	enum bh_source source;
	/** What it says of the state. */
	enum bh_mark says;
	/** The gate that it shuts. */
	enum bh_gate gate;
	/** Who says it: "osc7501", "rule spinner", "tty". Static or of the profile. */
	const char *name;
	/** More, for people; "" when there is none. */
	char detail[BH_EVIDENCE_DETAIL];
	/** Since when (ms); 0: not known. */
	uint64_t since_ms;
	/** When it ends by itself (ms); 0: never. */
	uint64_t until_ms;
};

/** All that is known at one moment. */
struct bh_case {
	/** The evidence. */
	struct bh_evidence list[BH_EVIDENCE_MAX];
	/** Its number. */
	size_t count;
	/** What the composer holds. */
	enum bh_composer composer;
	/** The state before. */
	enum bh_state before;
	/** Since when nothing vouches for any state (ms); 0: something does. */
	uint64_t silent_since_ms;
	/** Idle was proved once in this terminal. */
	bool was_ready;
	/** The child is gone. */
	bool has_exited;
	/** The profile allows typing. */
	bool may_type;
	/** The profile knows what its program looks like when it waits for text: a start has an end. */
	bool knows_idle;
	/** How the last turn ended. */
	enum bh_last_turn last_turn;
	/** Running background tasks. */
	int background;
	/** The time (ms). */
	uint64_t now_ms;
};

/** With no witness for any state the state before is kept for so long (ms). */
#define BH_FUSE_SILENCE_MS 2000

/** Add a piece of evidence; past BH_EVIDENCE_MAX it is left out. @detail may be NULL. */
struct bh_evidence *bh_case_add(struct bh_case *facts, enum bh_source source, enum bh_mark says,
                                const char *name, const char *detail);

/** The strongest evidence that says @mark, or NULL. */
const struct bh_evidence *bh_case_find(const struct bh_case *facts, enum bh_mark mark);

/** Whether the evidence would allow idle if it holds: a composer and nothing against it. */
bool bh_case_looks_idle(const struct bh_case *facts);

/** Decide. All of @verdict_out but epoch and since_ms is filled. */
void bh_fuse(const struct bh_case *facts, struct bh_verdict *verdict_out);

#endif
