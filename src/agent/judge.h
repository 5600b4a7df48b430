/** @file
 * The judge of one terminal: collects evidence about the program in it and says what state it is
 * in and whether text may be typed now. Time comes in as monotonic milliseconds; nothing is read
 * from outside. One judge per terminal; a respawned terminal gets a new one.
 *
 *     judge = bh_judge_new(profile, now_ms);
 *     …each time:  bh_screen_feed(screen, …); bh_judge_output(judge, screen, now_ms);
 *     …debounced:  bh_judge_evaluate(judge, screen, now_ms, &verdict);
 *                  if (verdict.reevaluate_at_ms) start a timer for it
 */
#ifndef BH_AGENT_JUDGE_H
#define BH_AGENT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_profile;
struct bh_screen;
struct cJSON;

/** What the program is doing, as far as it is proved. No default: what is not proved is unknown. */
enum bh_state {
	/** Evidence contradicts, is stale, or matches no rule. */
	BH_STATE_UNKNOWN,
	/** The process runs, no composer has been proved yet. */
	BH_STATE_STARTING,
	/** A proved composer and nothing runs. */
	BH_STATE_IDLE,
	/** A turn, tool, retry, compaction or background agent runs. */
	BH_STATE_WORKING,
	/** A person must decide: permission, question, trust, login, picker. */
	BH_STATE_AWAITING,
	/** Idle, and its last turn ended normally. */
	BH_STATE_COMPLETED,
	/** The child is gone. */
	BH_STATE_EXITED,
};

/** Number of states. */
#define BH_STATE_COUNT 7

/** The word of a state: "idle". Static. */
const char *bh_state_word(enum bh_state state);

/** The state of a word; false and untouched @state_out when there is none. */
bool bh_state_parse(const char *word, enum bh_state *state_out);

/** What the composer (the program's input field) holds. */
enum bh_composer {
	/** It cannot be told. */
	BH_COMPOSER_UNKNOWN,
	/** There is none on the screen. */
	BH_COMPOSER_NONE,
	/** Provably empty; placeholder and ghost text count as empty. */
	BH_COMPOSER_EMPTY,
	/** Text stands in it, or keys of a person are not on the screen yet. */
	BH_COMPOSER_DRAFT,
};

/** The word of it: "empty", "draft", "none", "unknown". Static. */
const char *bh_composer_word(enum bh_composer composer);

/** How the last turn ended. */
enum bh_last_turn {
	/** No turn was seen, or one runs. */
	BH_TURN_NONE,
	/** Normally. */
	BH_TURN_DONE,
	/** A person stopped it. */
	BH_TURN_INTERRUPTED,
	/** With an error (dead login, API failure). */
	BH_TURN_ERROR,
};

/** The word of it: "done", "interrupted", "error"; "" for none. Static. */
const char *bh_last_turn_word(enum bh_last_turn turn);

/** Which kind of evidence decided, strongest first. */
enum bh_source {
	/** Nothing did. */
	BH_SOURCE_NONE,
	/** A statement of the program: OSC 7501, its status file, a hook. */
	BH_SOURCE_PROGRAM,
	/** The terminal protocol: title, progress, modes, cursor. */
	BH_SOURCE_PROTOCOL,
	/** A screen rule of the profile. */
	BH_SOURCE_SCREEN,
	/** The kernel: child, tty modes, foreground group. */
	BH_SOURCE_KERNEL,
	/** Time: quiet, epochs, keys of a person. */
	BH_SOURCE_TIME,
};

/** The word of it: "program", "protocol", "screen", "kernel", "time", "none". Static. */
const char *bh_source_word(enum bh_source source);

/** Most reasons kept in a verdict. */
#define BH_WHY_MAX 10
/** Longest reason, its NUL included (bytes). */
#define BH_WHY_SIZE 96

/** What the judge says. A value: copy it freely. */
struct bh_verdict {
	/** The state. */
	enum bh_state state;
	/** Which kind of evidence decided it. */
	enum bh_source authority;
	/** Whether the gate of doc/CONTRACT.md section 5, as far as the screen, the program, the tty and
	 * a person's keys go, lets the first byte through now. Mail's own gates come on top. */
	bool is_typable;
	/** NULL when typable; else the word of the first gate that fails: "typing_off",
	 * "no_terminal", "starting", "working", "awaiting", "unknown_state", "line_mode",
	 * "not_foreground", "dialog", "draft", "human_typing". Static. */
	const char *reason;
	/** Nothing but the hands of a person keeps it from being typable. */
	bool is_only_hands;
	/** What the composer holds. */
	enum bh_composer composer;
	/** A menu, picker, pager, search or permission dialog is open. */
	bool has_dialog;
	/** How the last turn ended. */
	enum bh_last_turn last_turn;
	/** Background tasks that the program told of and that still run. */
	int background;
	/** Number of the turn epoch: grows by one with each Enter. 0 before the first. */
	uint32_t epoch;
	/** Since when the state holds (ms). */
	uint64_t since_ms;
	/** Evaluate again at this time even if nothing happens (ms); 0: not needed. */
	uint64_t reevaluate_at_ms;
	/** Number of reasons. */
	size_t why_count;
	/** What spoke for the state, in words, strongest first. */
	char why[BH_WHY_MAX][BH_WHY_SIZE];
};

/** Whether both say the same to those who wait for a change: times and reasons in words aside. */
bool bh_verdict_is_same(const struct bh_verdict *a, const struct bh_verdict *b);

/** Who or what caused bytes towards the program, or a change of its terminal. */
enum bh_input {
	/** A person typed printable text or pasted. */
	BH_INPUT_PERSON_TEXT,
	/** A person pressed Enter. */
	BH_INPUT_PERSON_ENTER,
	/** A person pressed another key (arrow, Esc, Ctrl-something). */
	BH_INPUT_PERSON_KEY,
	/** We wrote text (paste). */
	BH_INPUT_TYPIST_TEXT,
	/** We wrote the CR that submits. */
	BH_INPUT_TYPIST_CR,
	/** We cleared our own text. */
	BH_INPUT_TYPIST_CLEAR,
	/** The terminal was resized. */
	BH_INPUT_RESIZE,
	/** An answer of the terminal to a query, a focus or mouse report: not a key. */
	BH_INPUT_REPLY,
};

/** The judge of one terminal. */
struct bh_judge;

/** A judge for a program of this profile (borrowed) that was started at @started_ms. */
struct bh_judge *bh_judge_new(const struct bh_profile *profile, uint64_t started_ms);

/**
 * A judge that only watches: an agent that somebody typed into a shell, which was found at @now_ms. It
 * judges as any other, but nothing is ever typable: when the agent ends the text would reach the
 * shell.
 *
 * @before_ms
 *         Reports of the program (OSC 7501) from before are of another one; 0: all are its own.
 */
struct bh_judge *bh_judge_new_watching(const struct bh_profile *profile, uint64_t now_ms,
                                       uint64_t before_ms);

/** Free it. NULL is allowed. */
void bh_judge_free(struct bh_judge *judge);

/** The version that the program's banner told, "" when none was seen. Borrowed until the judge is
 * freed. */
const char *bh_judge_version(const struct bh_judge *judge);

/** Whether the profile's rules were made for that version; true when it is not known. */
bool bh_judge_is_supported(const struct bh_judge *judge);

/** What a judge has seen so far. Times in ms; 0: never. */
struct bh_judge_past {
	/** How long it has watched, and how long of that nobody vouched for a state (drift.h). */
	uint64_t watched_ms;
	uint64_t unknown_ms;
	/** The share of that (percent); 0 while too little was watched. */
	unsigned unknown_percent;
	/** The last Enter that something came of, and the last hook that told of a turn. */
	uint64_t turn_ms;
	uint64_t hook_ms;
};

/** What it has seen until the last judgement. */
struct bh_judge_past bh_judge_past(const struct bh_judge *judge);

/** Bytes of the program were fed to @screen. Cheap; call it once per batch. */
void bh_judge_output(struct bh_judge *judge, const struct bh_screen *screen, uint64_t now_ms);

/** Bytes went to the program, or its size changed. */
void bh_judge_input(struct bh_judge *judge, enum bh_input what, uint64_t now_ms);

/**
 * Bytes that a person's terminal sent, raw: told apart into keys, Enter, replies, reports, and
 * noted with bh_judge_input(). A sequence cut between two calls is put together.
 */
void bh_judge_person(struct bh_judge *judge, const void *bytes, size_t len, uint64_t now_ms);

/** What the kernel says about the terminal. */
struct bh_tty_facts {
	/** ICANON is on: a line-mode prompt. */
	bool is_canonical;
	/** ECHO is on. */
	bool has_echo;
	/** The foreground process group is the program's. */
	bool is_foreground_ours;
};

/** Note fresh facts of the kernel. A judge that never heard any does not gate on them. */
void bh_judge_tty(struct bh_judge *judge, const struct bh_tty_facts *facts, uint64_t now_ms);

/**
 * Note a hook event of the program. @payload (may be NULL) is untrusted and borrowed for the call.
 * @event is the program's name for it ("Stop", "UserPromptSubmit"); unknown ones are ignored.
 */
void bh_judge_hook(struct bh_judge *judge, const char *event, const struct cJSON *payload,
                   uint64_t now_ms);

/** What a program's own status file says (see status_file.h). */
struct bh_status_file {
	/** Its word ("idle", "busy", "waiting", "shell"); "" when it has none yet. */
	char status[32];
	/** What it waits for ("dialog open"); "" when nothing. */
	char waiting_for[64];
};

/** Note the status file as it is now; NULL: there is none. Call it only for a live process. */
void bh_judge_status_file(struct bh_judge *judge, const struct bh_status_file *file,
                          uint64_t now_ms);

/** The child is gone. @status is as from waitpid(). */
void bh_judge_exited(struct bh_judge *judge, int status, uint64_t now_ms);

/**
 * The machine slept, or the server restarted: event evidence (hooks, status file, epochs) is stale
 * and the screen is to be read afresh.
 */
void bh_judge_forget_events(struct bh_judge *judge, uint64_t now_ms);

/** Judge. Fills @verdict_out. */
void bh_judge_evaluate(struct bh_judge *judge, const struct bh_screen *screen, uint64_t now_ms,
                       struct bh_verdict *verdict_out);

/**
 * Everything about the judgement of now: profile, verdict, each piece of evidence with its age,
 * which rules matched where, what is missing for "typable". The caller frees with cJSON_Delete().
 * The member "text" holds the same as lines for a person.
 */
struct cJSON *bh_judge_explain(struct bh_judge *judge, const struct bh_screen *screen,
                               uint64_t now_ms);

#endif
