/** @file
 * Reads single lines of the records that agents keep of their sessions: is this line the turn of
 * the user that began with our text?
 */
#ifndef BH_AGENT_TURN_LINE_H
#define BH_AGENT_TURN_LINE_H

#include "profile_data.h"
#include "proof.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is looked for. */
struct bh_turn_sought {
	/** How our text begins ("Mail m42 from"). */
	const char *mark;
	/** If not NULL: a turn is ours only if it holds all of this text. */
	const char *whole;
	/**
	 * Lines that tell their time and are older are of an earlier life, whose numbers are others
	 * (ms since 1970). Only for records that are not followed from where they ended.
	 */
	int64_t since_ms;
};

/**
 * Whether a turn of the user is the text we typed: it begins with @mark. Claude Code wraps a long
 * paste into <pasted_content id="…"> lines; those are passed over. NULLs are allowed: no.
 */
bool bh_turn_is(const char *mark, const char *turn);

/** What one line (@len bytes, untrusted) of a record of this kind says of our text. */
enum bh_proof_found bh_turn_line(enum bh_proof_kind kind, const struct bh_turn_sought *sought,
                                 const char *line, size_t len);

/** What one part of a turn of the user, as OpenCode stores it (JSON, untrusted), says of our text. */
enum bh_proof_found bh_turn_part(const struct bh_turn_sought *sought, const char *part);

#endif
