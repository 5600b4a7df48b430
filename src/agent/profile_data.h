/** @file
 * The inside of a profile, for the modules of this room only. Other rooms use profile.h.
 */
#ifndef BH_AGENT_PROFILE_DATA_H
#define BH_AGENT_PROFILE_DATA_H

#include "judge.h"
#include "profile.h"
#include "resume_spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_err;
struct bh_pattern;

/** What a piece of evidence, or a rule that matches, says. */
enum bh_mark {
	/** Nothing by itself. */
	BH_MARK_NONE,
	/** Nothing runs. */
	BH_MARK_IDLE,
	/** Something runs. */
	BH_MARK_WORKING,
	/** A person must decide. */
	BH_MARK_AWAITING,
	/** A menu, list, pager, search or help is open. */
	BH_MARK_DIALOG,
	/** The program is not ready yet. */
	BH_MARK_STARTING,
	/** Something forbids typing without saying anything about the state. */
	BH_MARK_VETO,
};

/** The word of a mark as it stands in profiles: "working". Static. */
const char *bh_mark_word(enum bh_mark mark);

/** A list of patterns; none of them NULL. */
struct bh_patterns {
	/** The patterns, owned by the profile. */
	struct bh_pattern **list;
	/** Their number. */
	size_t count;
};

/** Where the rows of a region are counted from. */
enum bh_anchor {
	/** The last row of the screen is -1. */
	BH_ANCHOR_BOTTOM,
	/** The last row with text is -1. */
	BH_ANCHOR_END,
	/** The row of the cursor is 0. */
	BH_ANCHOR_CURSOR,
	/** The row above the composer's upper edge is -1. */
	BH_ANCHOR_ABOVE,
	/** The row below the composer's lower edge is 1. */
	BH_ANCHOR_BELOW,
	/** The window title, one row; first and last do not count. */
	BH_ANCHOR_TITLE,
};

/** A named part of the screen. */
struct bh_region {
	/** Its name. */
	char *name;
	/** Where its rows are counted from. */
	enum bh_anchor anchor;
	/** First row. */
	int first;
	/** Last row. */
	int last;
};

/** A yes/no condition that may be absent. */
enum bh_maybe {
	/** It does not matter. */
	BH_MAYBE_ANY,
	/** It must not hold. */
	BH_MAYBE_NO,
	/** It must hold. */
	BH_MAYBE_YES,
};

/** One screen rule. All its conditions must hold. */
struct bh_rule {
	/** Its name, unique in the profile. */
	char *name;
	/** Why it is true, for people. */
	char *why;
	/** What it says when it matches. */
	enum bh_mark says;
	/** Of the matching rules the highest decides the detail; 0 to 1000. */
	int priority;
	/** Index of its region. */
	size_t region;
	/** Each must occur. */
	struct bh_patterns all;
	/** At least one must occur. */
	struct bh_patterns any;
	/** None may occur. */
	struct bh_patterns none;
	/** The first match of `all` or `any` must have these attributes (enum bh_ink) ... */
	uint8_t ink_all;
	/** ... and none of these. */
	uint8_t ink_none;
	/** At least so many numbered choices, one under a cursor glyph; 0: not asked. */
	int choices_min;
	/** Whether a composer must be there. */
	enum bh_maybe composer;
	/** Whether the cursor must be shown. */
	enum bh_maybe cursor_shown;
	/** Whether the alternate screen must be on. */
	enum bh_maybe alternate;
	/** What it tells about the last turn. */
	enum bh_last_turn last_turn;
	/** It counts only so long after the program's start (ms); 0: always. */
	uint32_t within_ms;
	/** Each kind of background task that it sees running counts as one. */
	bool is_background;
	/** Once seen, its absence beside a composer is a dialog (an editor's normal mode). */
	bool is_latched;
};

/** How the composer is found and read. */
struct bh_composer_spec {
	/** Start of its first row: prompt glyph and blank. NULL: the program has none. */
	struct bh_pattern *prompt;
	/** Start of its first row in another input mode (shell mode): always a draft. */
	struct bh_pattern *other_prompt;
	/** The row above; NULL: any. */
	struct bh_pattern *above;
	/** Its further rows. */
	struct bh_pattern *continuation;
	/** The rows below it, in order. */
	struct bh_patterns below;
	/** What must stand in the rows under it before it is believed to be this program's. */
	struct bh_pattern *footer;
	/** Most rows of text. */
	int rows_max;
	/** A tall draft may reach the last row of the screen and push away what stands below. */
	bool may_fill;
	/** The hardware cursor must be shown in it. */
	bool is_cursor_shown;
	/** When empty the cursor stands in this column of the prompt's row; below 0: anywhere. */
	int cursor_home;
	/** As cursor_home, counted from the first glyph of that row; below 0: not asked. */
	int cursor_indent;
	/** Text that is dim throughout is a placeholder: empty. */
	bool is_dim_empty;
	/** A placeholder must be one of these texts as well; without is_dim_empty, only these. */
	struct bh_pattern *placeholder;
	/** What shows no placeholder is not proved to be empty. */
	bool has_placeholder_always;
	/** A row (the lowest that matches) whose end is the right end of the composer: what stands right
	 * of it, a side bar, is not looked at. */
	struct bh_pattern *edge;
	/** What a long paste is shown as. */
	struct bh_pattern *paste;
	/** ... and the lines that it tells are all of the paste, not those behind the first. */
	bool has_paste_first_line;
};

/** Times of the judgement (ms). */
struct bh_timing {
	/** Idle must hold so long when the program's own statement agrees. */
	uint32_t hold_ms;
	/** ... when it makes none. */
	uint32_t hold_alone_ms;
	/** ... after a dialog closed. */
	uint32_t hold_dialog_ms;
	/** ... after the composer was first proved. */
	uint32_t hold_start_ms;
	/** ... after a resize. */
	uint32_t hold_resize_ms;
	/** ... after the program said "done" but nothing on the screen changed any more. */
	uint32_t hold_file_ms;
	/** An epoch without a sign of work ends after so long. */
	uint32_t epoch_ms;
};

/** How submission is proved. */
enum bh_proof_kind {
	/** It cannot be. */
	BH_PROOF_KIND_NONE,
	/** Claude Code: prompt hook, transcript by session. */
	BH_PROOF_KIND_CLAUDE,
	/** Codex: rollout. */
	BH_PROOF_KIND_CODEX,
	/** Our header on the screen and a working sign. */
	BH_PROOF_KIND_SCREEN,
	/** pi: session file. */
	BH_PROOF_KIND_PI,
	/** Gemini CLI: session file. */
	BH_PROOF_KIND_GEMINI,
	/** OpenCode: database of sessions. */
	BH_PROOF_KIND_OPENCODE,
};

/** How the program is started. */
enum bh_launch_kind {
	/** As the user said. */
	BH_LAUNCH_KIND_PLAIN,
	/** Claude Code: `--settings`. */
	BH_LAUNCH_KIND_CLAUDE,
	/** Codex: `--no-daemon`, `-c …`. */
	BH_LAUNCH_KIND_CODEX,
	/** Gemini CLI: `--policy`. */
	BH_LAUNCH_KIND_GEMINI,
};

/** A profile. */
struct bh_profile {
	/** Its name. */
	char *name;
	/** "built-in" or the file. */
	char *origin;
	/** Version of the program that the rules were written on. */
	char *written_for;
	/** Its banner; group 1 is the version. NULL: it shows none. */
	struct bh_pattern *banner;
	/** Beginnings of versions that the rules hold for, NULL-terminated. */
	char **versions;
	/** Base names of the program, NULL-terminated. */
	char **programs;
	/** Names of its processes besides those, NULL-terminated. */
	char **processes;
	/** Variables to take away from every child, NULL-terminated. */
	char **scrub;
	/** Variable with its own folder, or NULL. */
	char *folder_variable;
	/** What the notice advises. */
	char *advice;
	/** Its app= in OSC 7501, or NULL when it reports nothing. */
	char *status_app;
	/** It says idle already before its start-up tasks, of which it then tells, too. */
	bool is_status_early;
	/** A "working" report whose message matches this is about a background task. */
	struct bh_pattern *status_background;
	/** Typing. */
	struct bh_typing_rules typing;
	/** The bytes behind typing.clear_keys, owned. */
	char *clear_keys;
	/** The bytes behind typing.list_marks, owned. */
	char *list_marks;
	/** One daemon serves all. */
	bool has_shared_daemon;
	/** It counts columns by grapheme clusters unasked. */
	bool counts_clusters;
	/** The composer. */
	struct bh_composer_spec composer;
	/** Regions. */
	struct bh_region *regions;
	/** Their number. */
	size_t region_count;
	/** Rules by falling priority. */
	struct bh_rule *rules;
	/** Their number. */
	size_t rule_count;
	/** Times. */
	struct bh_timing timing;
	/** Proof of submission. */
	enum bh_proof_kind proof;
	/** What stands before a user's turn on the screen: the proof without a record; or NULL. */
	char *turn_prefix;
	/** Launch. */
	enum bh_launch_kind launch;
	/** Launch once more. */
	struct bh_resume_spec resume;
};

/**
 * Make a profile of JSON text.
 *
 * @origin
 *         What to call the text in errors and `origin`: "built-in" or a path.
 * @return
 *         NULL on an error, which @err then tells as "ORIGIN:LINE: KEY: what is wrong".
 */
struct bh_profile *bh_profile_read(const char *json, size_t len, const char *origin,
                                   struct bh_err *err);

/** Free it. NULL is allowed. */
void bh_profile_free(struct bh_profile *profile);

/** One built-in profile as JSON bytes, made at build time from profiles/NAME.json. */
struct bh_profile_source {
	/** Its name. */
	const char *name;
	/** The bytes. */
	const unsigned char *bytes;
	/** Their number. */
	size_t len;
};

/** The built-in profiles; ends with a NULL name. */
extern const struct bh_profile_source bh_profile_builtin[];

#endif
