/**
 * The tokeniser: bytes from a child in, whole tokens out. It follows the parser of the VT500 series
 * with UTF-8 instead of the 8-bit controls. Strings (OSC, DCS, APC, PM, SOS) end here; what nobody
 * would understand is swallowed without being kept. A token may be cut anywhere between two feeds.
 */
#ifndef BH_TERM_SIEVE_H
#define BH_TERM_SIEVE_H

#include "term/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Most arguments of a CSI; more are dropped. */
#define BH_SIEVE_ARGS 32
/** Largest value of an argument; larger ones are clamped. */
#define BH_SIEVE_ARG_MAX 65535
/** Longest string that is kept; a longer one is swallowed up to its end. */
#define BH_SIEVE_STRING_MAX 65536
/** Longest CSI that is understood. */
#define BH_SIEVE_CSI_MAX 255
/** The value of an argument that was left out. */
#define BH_SIEVE_MISSING (-1)

/** What a token is. */
enum bh_token_kind {
	BH_TOKEN_NONE,      ///< nothing yet: the bytes are the beginning of a token
	BH_TOKEN_ASCII,     ///< a run of 0x20..0x7E: `text`, `len`
	BH_TOKEN_CODEPOINT, ///< one character above U+009F: `codepoint`
	BH_TOKEN_CONTROL,   ///< a C0 control, in `final`
	BH_TOKEN_ESCAPE,    ///< ESC: `intermediates`, `final`
	BH_TOKEN_CSI,       ///< CSI: `leader`, `args`, `intermediates`, `final`
	BH_TOKEN_OSC,       ///< the whole string in `text`, `len`
	BH_TOKEN_DCS,       ///< likewise
};

/** One token. Pointers are good until the next call on the sieve. */
struct bh_token {
	enum bh_token_kind kind;
	const char *text;            ///< bytes of a run or string; a string is NUL-terminated
	size_t len;                  ///< of `text`
	uint32_t codepoint;          ///< of BH_TOKEN_CODEPOINT
	char leader;                 ///< one of < = > ? or 0
	char final;                  ///< the last byte
	char intermediates[2];       ///< 0x20..0x2F, 0 when there are fewer
	bool is_bel;                 ///< the OSC was ended by BEL, so should its answer be
	int argc;                    ///< arguments and sub-arguments; 0 when there are none
	int32_t args[BH_SIEVE_ARGS]; ///< values or BH_SIEVE_MISSING
	uint32_t subs;               ///< bit i: args[i] belongs to args[i-1], it came after a colon
};

/** States of the tokeniser. */
enum bh_sieve_state {
	BH_SIEVE_GROUND,
	BH_SIEVE_UTF8,        ///< inside a character
	BH_SIEVE_ESCAPE,      ///< after ESC and intermediates
	BH_SIEVE_CSI,         ///< inside a CSI that may still be good
	BH_SIEVE_CSI_IGNORE,  ///< inside a CSI that is not
	BH_SIEVE_OSC,         ///< inside an OSC that is kept
	BH_SIEVE_OSC_SWALLOW, ///< inside an OSC that is not kept
	BH_SIEVE_DCS,         ///< inside a DCS that is kept
	BH_SIEVE_ST_SWALLOW,  ///< inside any other string; only ST ends it
};

/** The tokeniser. Zero is its start; read it, but let only its functions write. */
struct bh_sieve {
	enum bh_sieve_state state;
	bool saw_escape;      ///< inside a string: the last byte was ESC, perhaps of ST
	struct bh_bytes held; ///< bytes of the unfinished token after its introducer
};

/** Free what @sieve holds; it is at its start again. */
void bh_sieve_clear(struct bh_sieve *sieve);

/** Take bytes up to the end of one token. @len > 0; returns how many were used (>= 1). */
size_t bh_sieve_next(struct bh_sieve *sieve, const uint8_t *bytes, size_t len,
                     struct bh_token *token);

/** Append to @out the bytes that bring a new sieve into the state of this one. */
void bh_sieve_unfinished(const struct bh_sieve *sieve, struct bh_bytes *out);

/** Would both treat all further bytes alike? */
bool bh_sieve_equal(const struct bh_sieve *a, const struct bh_sieve *b);

/** Argument @index, or @fallback when it is missing or there are not so many. */
int bh_token_arg(const struct bh_token *token, int index, int fallback);

#endif
