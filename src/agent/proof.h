/** @file
 * Proof that a typed text became a turn of the agent: in a hook's payload, in the agent's own
 * record of the session (transcript, rollout), or on the screen. Also where the text stands now
 * if it did not: in the composer, in the agent's queue, nowhere.
 *
 *     bh_proof_begin(proof, &mail);                 // before the first byte is typed
 *     …typed…
 *     found = bh_proof_look(proof, screen);         // after each output, hook, and every 100 ms
 *
 * Files are read in bounded pieces, from where the last look ended; an incomplete last line waits.
 */
#ifndef BH_AGENT_PROOF_H
#define BH_AGENT_PROOF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct bh_profile;
struct bh_screen;
struct cJSON;

/** Where the text stands. */
enum bh_proof_found {
	/** Not seen anywhere. */
	BH_PROOF_NOWHERE,
	/** In the agent's own queue: it will be its next turn. */
	BH_PROOF_QUEUED,
	/** Submitted: the text is a turn of the user in the agent's record. */
	BH_PROOF_SUBMITTED,
};

/** What the composer shows of a text that was typed. */
enum bh_echo {
	/** No composer, or nothing of the text in it. */
	BH_ECHO_NONE,
	/** It holds the text, or a paste placeholder of its size, and nothing else. */
	BH_ECHO_OURS,
	/** It holds our text and something else as well. */
	BH_ECHO_MIXED,
	/** It holds other text only. */
	BH_ECHO_OTHER,
};

/** The text that was or will be typed. Borrowed by bh_proof_begin() for the call. */
struct bh_typed_text {
	/** How it begins, unique in this store: "Mail m42 from" or "Mail n17:". */
	const char *mark;
	/** All of it, as it was given to the paste: UTF-8, LF between lines. */
	const char *text;
	/** When it is typed (ms since 1970); what records date before that is no proof. */
	int64_t typed_ms;
};

/** Where to look for the agent's records. All borrowed for the call, NULL: not known. */
struct bh_proof_place {
	/** The program's HOME. */
	const char *home;
	/** Its own setting of the folder: the value of CLAUDE_CONFIG_DIR, CODEX_HOME … */
	const char *config_folder;
	/** The child of the terminal; its descendants are looked at too. */
	pid_t child_pid;
};

/** The proof reader of one terminal. */
struct bh_proof;

/** A reader for a program of this profile (borrowed). */
struct bh_proof *bh_proof_new(const struct bh_profile *profile, const struct bh_proof_place *place);

/** Free it and close its files. NULL is allowed. */
void bh_proof_free(struct bh_proof *proof);

/** The environment variable with the folder of the program ("CODEX_HOME"), or NULL. */
const char *bh_proof_folder_variable(const struct bh_profile *profile);

/**
 * Start to look for @mail; what was sought before is forgotten. Records that exist already are
 * read from their end, unless @is_late: after a crash, when the text may have been typed before
 * (the last MiB of each record is read then).
 */
void bh_proof_begin(struct bh_proof *proof, const struct bh_typed_text *mail, bool is_late);

/**
 * Our CR was written at @now_ms: what the screen shows from now on may be a proof. @screen: what it
 * shows now, when our text still is in the composer; NULL is allowed.
 */
void bh_proof_submitted(struct bh_proof *proof, const struct bh_screen *screen, uint64_t now_ms);

/** A hook event came. @payload is untrusted and borrowed. Also tells where the transcript is. */
void bh_proof_hook(struct bh_proof *proof, const char *event, const struct cJSON *payload);

/**
 * Look for the text that bh_proof_begin() named.
 *
 * @screen
 *         The terminal's screen; used for the screen proof (demo agent, agents without a record)
 *         only. NULL is allowed.
 * @is_working
 *         The judge says that a turn runs now; needed for the screen proof.
 */
enum bh_proof_found bh_proof_look(struct bh_proof *proof, const struct bh_screen *screen,
                                  bool is_working);

/** What proved it: "hook", "transcript", "rollout", "session", "screen"; NULL before. Static. */
const char *bh_proof_source(const struct bh_proof *proof);

/** What is known of the session that runs now, for programs that do not say it themselves. */
struct bh_proof_now {
	/** What the terminal shows; NULL: nothing is known. */
	const struct bh_screen *screen;
	/** The record that the program was started to go on with, if it cannot be in another session since:
	 * nobody has pressed a key. NULL: not known. */
	const char *record;
};

/**
 * Whether the record of the session that runs now holds @mail whole, as a turn of its user: a session
 * that was resumed has it from before. The last 4 MiB of the record are read. What bh_proof_begin()
 * seeks is left alone.
 *
 * Which session runs the program says; of one that does not, @now tells: its record, or a screen whose
 * transcript has the mail: then it is sought in the records of its folder that were written to since
 * @mail->typed_ms (the last MiB of each), or in its database.
 *
 * @mail
 *         typed_ms: it was not typed before.
 * @return
 *         False for a program without records, or when its record is not known (yet).
 */
bool bh_proof_holds(const struct bh_proof *proof, const struct bh_typed_text *mail,
                    const struct bh_proof_now *now);

/**
 * Whether the transcript of a session that is being resumed may still have to be drawn: the screen has
 * nothing but a composer. False for programs that say which session runs.
 */
bool bh_proof_awaits_transcript(const struct bh_profile *profile, const struct bh_screen *screen);

/**
 * The record of the session that runs now, or ran last: its path tells which session that is
 * ("DATABASE#ID" of a program that keeps all in one). It is
 * what the program itself says (hook, status file, open file), or, of one that says nothing, the
 * record that held the mail which was proved last; never a guess by folder and time. Looks afresh
 * while the program runs: ask at its changes, for afterwards only what was found then is known.
 *
 * @return
 *         The path; there need be no file yet. NULL: not known. Borrowed until the next call.
 */
const char *bh_proof_record(struct bh_proof *proof);

/** Whether what bh_proof_record() told of is there: a file, or a session in a database. */
bool bh_proof_record_is_there(const struct bh_profile *profile, const char *record);

/** Why no record of the program can be known, in words for a person; NULL: nothing stands in the way.
 * Static. */
const char *bh_proof_obstacle(const struct bh_proof *proof);

/** What the composer shows of @mail now. */
enum bh_echo bh_proof_echo(const struct bh_profile *profile, const struct bh_screen *screen,
                           const struct bh_typed_text *mail);

#endif
