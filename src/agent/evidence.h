/** @file
 * The inside of a judge and the collection of its evidence. For this room only; others use judge.h.
 */
#ifndef BH_AGENT_EVIDENCE_H
#define BH_AGENT_EVIDENCE_H

#include "drift.h"
#include "fuse.h"
#include "judge.h"
#include "person.h"
#include "rules.h"
#include "view.h"

#include "term/screen.h"

/** Keys of a person that never show up count as a draft for so long (ms). */
#define BH_PENDING_KEYS_MS 15000
/** After a person's key nothing is typed for so long (ms). */
#define BH_HANDS_MS 3000
/** What a hook said of the state counts for so long (ms): hooks miss Esc. */
#define BH_HOOK_MS 3000
/** A draft that stands so long after an Enter was not submitted by it: that Enter was a newline. */
#define BH_DRAFT_STANDS_MS 1000
/** So long after its start (ms) a program may still be starting. */
#define BH_START_MS 60000
/** A status file that was not read again for so long does not count (ms). */
#define BH_FILE_STALE_MS 10000

/** What a judge remembers. Times in ms; 0 means never. */
struct bh_judge {
	/** The profile, borrowed. */
	const struct bh_profile *profile;
	/** When the program was started. */
	uint64_t started_ms;
	/** It was typed into a shell: nothing is ever typable. */
	bool is_watching;
	/** Its reports from before are of another program. */
	uint64_t before_ms;

	/** The screen as last read, */
	struct bh_view view;
	/** and what the rules found in it. */
	struct bh_reading reading;
	/** The version that the program's banner told; "" before. */
	char version[24];
	/** The screen may have changed since. */
	bool is_view_stale;
	/** Last output of the program. */
	uint64_t output_ms;
	/** Number of outputs: "did anything come since" without asking a clock. */
	uint64_t output_count;

	/** Number of Enters. */
	uint32_t epoch;
	/** Time of the last. */
	uint64_t epoch_ms;
	/** output_count at that time. */
	uint64_t epoch_output_count;
	/** No sign of what the Enter did has been seen yet. */
	bool is_epoch_open;
	/** A dialog was open when Enter was pressed: it is no sign. */
	bool is_epoch_dialog;
	/** Time of the last Enter that something came of: reports from before are of the past. */
	uint64_t turn_ms;
	/** Idle was proved, and since then nobody pressed Enter and nothing ran or asked. */
	bool is_calm;
	/** How the last turn ended, */
	enum bh_last_turn last_turn;
	/** and what that was before the Enter, in case it started no turn. */
	enum bh_last_turn turn_before;

	/** Since when a draft stands unchanged, */
	uint64_t draft_ms;
	/** and its check value. */
	uint32_t draft_check;

	/** Last key of a person. */
	uint64_t hands_ms;
	/** Last printable key of a person that the screen has not shown. */
	uint64_t pending_ms;
	/** output_count at that time. */
	uint64_t pending_output_count;
	/** It was pressed in a dialog. */
	bool is_pending_dialog;
	/** Reader of a person's bytes. */
	struct bh_person person;
	/** Last resize. */
	uint64_t resize_ms;

	/** The kernel was asked. */
	bool has_tty;
	/** What it said, */
	struct bh_tty_facts tty;
	/** and since when. */
	uint64_t tty_ms;

	/** Last hook event that means something; NULL: none. Static. */
	const char *hook_event;
	/** What it says. */
	enum bh_mark hook_says;
	/** When it came. */
	uint64_t hook_ms;
	/** There is a status file. */
	bool has_file;
	/** What it says, */
	struct bh_status_file file;
	/** since when, */
	uint64_t file_since_ms;
	/** and when it was last read. */
	uint64_t file_seen_ms;

	/** The last report of OSC 7501 that was looked at, */
	enum bh_status_state status;
	/** and when it came. */
	uint64_t status_ms;
	/** One said working: its start-up tasks were seen. */
	bool has_worked;
	/** Last time that event evidence was declared stale. */
	uint64_t forgot_ms;
	/** Latched rules that were seen once, one bit each. */
	uint64_t latched;

	/** Since when everything looks idle; */
	uint64_t steady_ms;
	/** with this composer, */
	uint32_t steady_check;
	/** and this content. */
	enum bh_composer steady_composer;
	/** What was left when that began: a dialog. */
	bool is_steady_dialog;
	/** Since when nothing vouches for any state. */
	uint64_t silent_ms;
	/** The state, */
	enum bh_state state;
	/** and since when. */
	uint64_t since_ms;
	/** The last verdict had a dialog. */
	bool had_dialog;
	/** Idle was proved once. */
	bool was_ready;
	/** How long the states were. */
	struct bh_drift drift;
	/** The child is gone, */
	bool has_exited;
	/** since when. */
	uint64_t exited_ms;
};

/** Look at the screen if it changed, and put all evidence of this moment together. */
void bh_judge_collect(struct bh_judge *judge, const struct bh_screen *screen, uint64_t now_ms,
                      struct bh_case *facts_out);

#endif
