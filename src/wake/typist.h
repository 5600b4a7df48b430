/** @file
 * The typist: one typing attempt in one terminal, as a table of states and events. Pure: it says
 * what to do; src/server/deliver does it, and nothing else may type mail.
 *
 *     actions = bh_typist_step(&typist, BH_SAW_START, &rules, now_ms);   // TAKE
 *     …the claim is committed: make a sight of the terminal as it is now…
 *     event = bh_typist_done(&typist, code == 0, &sight);
 *     actions = bh_typist_step(&typist, event, &rules, now_ms);             // HOLD, COMMIT_WRITING
 *     …whenever the screen, the state or the time changed…
 *     event = bh_typist_see(&typist, &sight, now_ms);
 *
 * What it guarantees (tests/unit/test-typist.c, over all tables and random walks):
 * - the paste is written only in the loop turn in which the gate was seen open, with people's keys
 *   held, after the phase `writing` was committed; the CR only while the composer was seen to hold
 *   our text alone and no dialog, after `cr_sent` was committed;
 * - one paste per attempt; keys that were held are released on every way out;
 * - keys are not held longer than the limits, even if the disk does not answer;
 * - every state has a way out when the terminal is gone.
 */
#ifndef BH_WAKE_TYPIST_H
#define BH_WAKE_TYPIST_H

#include <stdbool.h>
#include <stdint.h>

/** States: X(NAME, word for the log, a commit is on its way, people's keys are held). */
#define BH_TYPIST_STATES(X) \
	X(REST, "rest", false, false) \
	X(CLAIMING, "claiming", true, false) \
	X(ARMING, "arming", true, true) \
	X(ARMING_LATE, "arming_late", true, false) \
	X(ECHOING, "echoing", false, true) \
	X(SETTLING, "settling", false, true) \
	X(SENDING, "sending", true, true) \
	X(SENDING_LATE, "sending_late", true, false) \
	X(PROVING, "proving", false, false) \
	X(IN_QUEUE, "in_queue", false, false) \
	X(PROVED, "proved", true, false) \
	X(DOUBTING, "doubting", true, false) \
	X(LOST, "lost", false, false) \
	X(CLEARING, "clearing", false, true) \
	X(WITHDRAWING, "withdrawing", true, false)

/** Events: X(NAME, word, what was seen). */
#define BH_TYPIST_EVENTS(X) \
	X(NOTHING, "nothing", "nothing that matters in this state") \
	X(START, "start", "bh_decide() said type or ring") \
	X(DONE_OPEN, "done_open", "committed, and the way to the next step is open now") \
	X(DONE_SHUT, "done_shut", "committed, but the gate has closed meanwhile") \
	X(DONE_NONE, "done_none", "there was nothing to claim") \
	X(FAILED, "failed", "the commit failed") \
	X(ECHO, "echo", "the composer holds our text and nothing else") \
	X(QUIET, "quiet", "the output has settled with our text in the composer") \
	X(BUSY, "busy", "a turn began by itself; our text stands in the composer") \
	X(BUSY_CLEARABLE, "busy_clearable", "the same, and the profile has a tested clear key") \
	X(DIALOG, "dialog", "a dialog appeared") \
	X(LATE, "late", "the time limit of the state has passed") \
	X(SUBMITTED, "submitted", "a proof names our mail") \
	X(QUEUED, "queued", "the agent's own queue holds it") \
	X(OWN, "own", "it stands unsubmitted in an idle composer") \
	X(OWN_TAKEN, "own_taken", "the same, but a reader has taken the mail and we can clear") \
	X(GONE, "gone", "it is provably nowhere") \
	X(EMPTY, "empty", "the composer is provably empty") \
	X(UNWRITTEN, "unwritten", "the terminal took no byte") \
	X(EXITED, "exited", "the terminal is gone") \
	X(RECOVER_WRITING, "recover_writing", "a crash came in phase `writing`") \
	X(RECOVER_LATER, "recover_later", "a crash came in phase `echoed` or `cr_sent`") \
	X(RECOVER_LOST, "recover_lost", "a crash came in phase `uncertain`")

/** Actions, to be done in this order: X(NAME, what to do). */
#define BH_TYPIST_ACTIONS(X) \
	X(TAKE, "claim the mail, or the ring") \
	X(HOLD, "hold people's keys and resizes") \
	X(WATCH, "begin to look for the proof") \
	X(WRITE_PASTE_END, "write the end of a bracketed paste") \
	X(WRITE_PASTE, "write the text as one bracketed paste") \
	X(WRITE_CR, "write one lone CR") \
	X(WRITE_CLEAR, "write the profile's clear keys") \
	X(RELEASE, "release what was held (sifted if a dialog is open)") \
	X(COMMIT_WRITING, "commit the phase; its end is the next event") \
	X(COMMIT_ECHOED, "commit the phase; nobody waits for it") \
	X(COMMIT_CR_SENT, "commit the phase; its end is the next event") \
	X(COMMIT_PROVED, "commit the phase; its end is the next event") \
	X(COMMIT_UNCERTAIN, "commit the phase; its end is the next event") \
	X(COMMIT_WITHDRAWN, "commit the phase; its end is the next event") \
	X(REPORT, "what is told to senders may have changed")

#define BH_TYPIST_STATE_ENUM(name, ...) BH_TYPIST_##name,
#define BH_TYPIST_EVENT_ENUM(name, ...) BH_SAW_##name,
#define BH_TYPIST_ACTION_BIT(name, ...) BH_DO_BIT_##name,
#define BH_TYPIST_ACTION_ENUM(name, ...) BH_DO_##name = 1u << BH_DO_BIT_##name,

/** See BH_TYPIST_STATES. */
enum bh_typist_state {
	BH_TYPIST_STATES(BH_TYPIST_STATE_ENUM) BH_TYPIST_STATE_COUNT
};
/** See BH_TYPIST_EVENTS. */
enum bh_typist_event {
	BH_TYPIST_EVENTS(BH_TYPIST_EVENT_ENUM) BH_SAW_COUNT
};
/** Bit numbers of the actions. */
enum bh_typist_bit {
	BH_TYPIST_ACTIONS(BH_TYPIST_ACTION_BIT) BH_DO_BIT_COUNT
};
/** See BH_TYPIST_ACTIONS; a set of bits. */
enum bh_typist_action {
	BH_TYPIST_ACTIONS(BH_TYPIST_ACTION_ENUM)
};

/** A lost text is sent by one more CR at most so often. */
#define BH_TYPIST_RESENDS_MAX 2
/** A commit of `cr_sent` may hold people's keys so much longer (ms). */
#define BH_TYPIST_COMMIT_MS 1000
/** A text must be provably nowhere for so long before it counts as gone (ms). */
#define BH_TYPIST_GONE_MS 3000
/** The clear keys must have worked after so long (ms). */
#define BH_TYPIST_CLEAR_MS 2000
/** Look again after so long while a proof is awaited, and while it is not (ms). */
#define BH_TYPIST_LOOK_MS 100
#define BH_TYPIST_LOOK_SLOWLY_MS 1000

/** The profile's times, see struct bh_typing_rules. */
struct bh_typist_rules {
	/** Quiet so long before the CR (ms). */
	uint32_t settle_ms;
	/** From the paste to the CR (ms). */
	uint32_t echo_limit_ms;
	/** From the CR to the proof (ms). */
	uint32_t proof_limit_ms;
};

/** Where our text stands, as far as the composer shows it. */
enum bh_sight_echo {
	/** Nothing of it. */
	BH_SIGHT_NONE,
	/** It alone. */
	BH_SIGHT_OURS,
	/** It and other text, or other text. */
	BH_SIGHT_OTHER,
};

/** What the typist must know of a terminal at this moment. */
struct bh_sight {
	/** The terminal lives. */
	bool is_alive;
	/** bh_decide(), asked now, says type or ring. */
	bool is_open;
	/** A dialog, menu or pager. A composer that is not there may only be between two frames. */
	bool has_dialog;
	/** The state is idle or completed. */
	bool is_free;
	/** The state is working. */
	bool is_working;
	/** A person's key within the last seconds, or a resize that is settling. */
	bool is_disturbed;
	/** The program has not read all that was written to it. */
	bool has_unread;
	/** The composer is provably empty. */
	bool is_empty;
	/** Our text in the composer. */
	enum bh_sight_echo echo;
	/** Since when there was no output (ms ago). */
	uint64_t quiet_ms;
	/** A record or hook proves that it was submitted. */
	bool is_submitted;
	/** The agent's own queue holds it. */
	bool is_queued;
	/** A reader has taken the mail, or some of it: before the first byte, or while it was
	 * uncertain. Of a notice: all mail was read. */
	bool is_taken;
	/** A reader holds some of it now, and may give it back. */
	bool is_held;
	/** The profile has tested clear keys. */
	bool can_clear;
};

/** One terminal's typist. Zero: at rest. */
struct bh_typist {
	/** The state. */
	enum bh_typist_state state;
	/** When the state's limit passes; 0: it has none. */
	uint64_t late_ms;
	/** When our text was first seen in the composer. */
	uint64_t echo_ms;
	/** Since when it is provably nowhere; 0: it is not. */
	uint64_t gone_since_ms;
	/** Something of ours may stand in the terminal. */
	bool is_written;
	/** CRs sent beyond the first. */
	unsigned resends;
};

/** What happened, seen from the state that the typist is in. Remembers only gone_since_ms. */
enum bh_typist_event bh_typist_see(struct bh_typist *typist, const struct bh_sight *sight,
                                   const struct bh_typist_rules *rules, uint64_t now_ms);

/** The event for the end of the commit that was on its way. @is_stored: it worked. */
enum bh_typist_event bh_typist_done(const struct bh_typist *typist, bool is_stored,
                                    const struct bh_sight *sight);

/** Go on. Gives the actions to be done now, in the order of their bits. */
unsigned bh_typist_step(struct bh_typist *typist, enum bh_typist_event event,
                        const struct bh_typist_rules *rules, uint64_t now_ms);

/** When to look again though nothing happens; 0: not needed. */
uint64_t bh_typist_next_ms(const struct bh_typist *typist, const struct bh_typist_rules *rules,
                           uint64_t now_ms);

/** Whether a commit is on its way in this state. */
bool bh_typist_is_committing(enum bh_typist_state state);

/** Whether people's keys are held in this state. */
bool bh_typist_is_holding(enum bh_typist_state state);

/** Whether the table has a row for this pair; without one the event changes nothing. */
bool bh_typist_knows(enum bh_typist_state state, enum bh_typist_event event);

/** Words for the log. Static. */
const char *bh_typist_state_word(enum bh_typist_state state);
/** See bh_typist_state_word(). */
const char *bh_typist_event_word(enum bh_typist_event event);

#endif
