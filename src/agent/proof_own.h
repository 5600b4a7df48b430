/** @file
 * The inside of a proof reader, shared by what looks for a proof (proof.c) and what looks back at the
 * session (proof_past.c). For nobody else.
 */
#ifndef BH_AGENT_PROOF_OWN_H
#define BH_AGENT_PROOF_OWN_H

#include "proof.h"
#include "view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** A record that turns up after the typing began is read from so far back (bytes). */
#define PROOF_NEW_BYTES (4 * 1024 * 1024)
/** Clocks of files and lines may be behind by so much (ms). */
#define PROOF_SLACK_MS 2000

/** What bh_proof_new() makes. */
struct bh_proof {
	/** Of its program. Borrowed. */
	const struct bh_profile *profile;
	/** The program's own folder; NULL: not known. */
	char *folder;
	/** The child of the terminal. */
	pid_t child_pid;
	/** The files that are followed. */
	struct bh_record *record;
	/** The record of the session that began last, if a hook told. */
	char *session_path;
	/** The record of the session that ran when it was last looked at. */
	char *known_path;
	/** Only for a look back: a turn is ours only if it holds all of this text. Borrowed. */
	const char *whole;
	/** How the text begins. */
	char *mark;
	/** How the last mail of the text begins: its first may have left the screen. */
	char *last_mark;
	/** What is dated before (ms since 1970) is no proof. */
	int64_t since_ms;
	/** When our CR was written; 0: it was not. */
	uint64_t submitted_ms;
	/** The program has worked since. */
	bool has_worked;
	/** Before the CR the screen was looked at, and our header stood on it. */
	bool has_looked;
	/** See has_looked. */
	bool was_shown;
	/** What was found. */
	enum bh_proof_found found;
	/** The screen proved what its record may yet tell: so often it is looked at for that. */
	unsigned record_looks;
	/** Where. */
	const char *source;
	/** Memory of the last look at the screen. */
	struct bh_view view;
};

/** Find records that are not followed yet, @back bytes before the end of each. */
void bh_proof_own_search(struct bh_proof *proof, size_t back);

/** Look at a line of a record; a bh_record_line, whose user is the proof. */
bool bh_proof_own_line(const char *line, size_t len, void *user);

/** That is the record of the session that runs. */
void bh_proof_own_know(struct bh_proof *proof, const char *path);

/** The database of a program that keeps its sessions in one; NULL: it has none. The caller frees. */
char *bh_proof_own_store(const struct bh_proof *proof);

#endif
