#include "term/sieve.h"

#include "term/codepoint.h"

#include <string.h>

// The machine has a state per kind of sequence and holds the bytes of the unfinished token after its
// introducer, no more. Two things follow from the wish that a screen can be rebuilt at any cut:
// - state and held bytes are all there is, so bh_sieve_unfinished() can spell them out;
// - what will not be acted on is not held. A string that nobody understands by its first byte, or
//   that grew too long, only waits for its end; so does a CSI that has gone wrong.
//
// The usual case never touches the held bytes: a run of text, a control, a CSI or a character that is
// whole in this feed becomes a token right from the caller's buffer.
//
// Controls inside an escape or control sequence act at once and the sequence goes on, CAN and SUB
// end it, ESC begins another, DEL is nothing: as a VT500 does it. Strings are stricter than there:
// only ST (and for an OSC BEL) makes one a token; any other end, even another ESC, means that it was
// cut short, and half a title is worse than none.

enum {
	BEL = 0x07,
	CAN = 0x18,
	SUB = 0x1A,
	ESC = 0x1B,
	DEL = 0x7F,
};

// A sequence is cut at most here before it has become a token.
#define HELD_KEEP 4096

static void sieve_enter(struct bh_sieve *sieve, enum bh_sieve_state state)
{
	sieve->state = state;
	sieve->saw_escape = false;
	if (sieve->held.cap > HELD_KEEP) {
		bh_bytes_clear(&sieve->held);
	}
	sieve->held.len = 0;
}

void bh_sieve_clear(struct bh_sieve *sieve)
{
	bh_bytes_clear(&sieve->held);
	*sieve = (struct bh_sieve){0};
}

static void token_control(struct bh_token *token, uint8_t byte)
{
	token->kind = BH_TOKEN_CONTROL;
	token->final = (char)byte;
}

/** Controls that act alike in every sequence but strings: true when @byte was one. */
static bool sieve_control(struct bh_sieve *sieve, uint8_t byte, struct bh_token *token)
{
	if (byte >= 0x20) {
		return false;
	}
	if (byte == ESC) {
		sieve_enter(sieve, BH_SIEVE_ESCAPE);
	} else if (byte == CAN || byte == SUB) {
		sieve_enter(sieve, BH_SIEVE_GROUND);
	} else {
		token_control(token, byte);
	}
	return true;
}

static void token_reset(struct bh_token *token)
{
	token->kind = BH_TOKEN_NONE;
	token->leader = 0;
	token->intermediates[0] = 0;
	token->intermediates[1] = 0;
	token->argc = 0;
	token->subs = 0;
}

static void token_add_arg(struct bh_token *token, int32_t value, bool is_sub)
{
	if (token->argc >= BH_SIEVE_ARGS) {
		return;
	}
	token->args[token->argc] = value;
	if (is_sub) {
		token->subs |= 1U << token->argc;
	}
	token->argc++;
}

/** Read numbers, ';' and ':' from @bytes. False when anything else is among them. */
static bool csi_arguments(const char *bytes, size_t len, struct bh_token *token)
{
	bool is_sub = false;
	int32_t value = BH_SIEVE_MISSING;

	for (size_t i = 0; i < len; i++) {
		char c = bytes[i];

		if (c >= '0' && c <= '9') {
			value = (value < 0 ? 0 : value) * 10 + (c - '0');
			value = value > BH_SIEVE_ARG_MAX ? BH_SIEVE_ARG_MAX : value;
		} else if (c == ';' || c == ':') {
			token_add_arg(token, value, is_sub);
			value = BH_SIEVE_MISSING;
			is_sub = c == ':';
		} else {
			return false;
		}
	}
	if (len > 0) {
		token_add_arg(token, value, is_sub);
	}
	return true;
}

/** Read the bytes of a CSI between its introducer and its final byte. */
static bool csi_parse(const char *bytes, size_t len, struct bh_token *token)
{
	size_t at = 0;
	size_t end = len;

	if (at < len && bytes[at] >= '<' && bytes[at] <= '?') {
		token->leader = bytes[at++];
	}
	while (end > at && bytes[end - 1] >= 0x20 && bytes[end - 1] <= 0x2F) {
		end--;
	}
	if (len - end > sizeof(token->intermediates)) {
		return false;
	}
	for (size_t i = end; i < len; i++) {
		token->intermediates[i - end] = bytes[i];
	}
	return csi_arguments(bytes + at, end - at, token);
}

static void token_csi(const char *bytes, size_t len, uint8_t last, struct bh_token *token)
{
	token->final = (char)last;
	if (csi_parse(bytes, len, token)) {
		token->kind = BH_TOKEN_CSI;
	} else {
		// What was read of it must not get into the next token.
		token_reset(token);
	}
}

/** The usual case: all of a CSI is in this feed. Returns its bytes after the introducer, or 0. */
static size_t csi_whole(const uint8_t *bytes, size_t len, struct bh_token *token)
{
	size_t max = len < BH_SIEVE_CSI_MAX ? len : BH_SIEVE_CSI_MAX;

	for (size_t i = 0; i < max; i++) {
		uint8_t byte = bytes[i];

		if (byte >= 0x40 && byte < DEL) {
			token_csi((const char *)bytes, i, byte, token);
			return i + 1;
		}
		if (byte < 0x20 || byte > 0x3F) {
			return 0;
		}
	}
	return 0;
}

static size_t next_escape(struct bh_sieve *sieve, const uint8_t *bytes, size_t len,
                          struct bh_token *token)
{
	uint8_t byte = bytes[0];

	if (sieve_control(sieve, byte, token) || byte == DEL) {
		return 1;
	}
	if (byte >= 0x80) {
		sieve_enter(sieve, BH_SIEVE_GROUND);
		return 0;
	}
	if (byte <= 0x2F) {
		// A third one cannot become a sequence that we know; two keep the state small.
		if (sieve->held.len < sizeof(token->intermediates)) {
			bh_bytes_add_byte(&sieve->held, (char)byte);
		} else {
			sieve->held.data[1] = '/';
		}
		return 1;
	}
	if (sieve->held.len > 0 || strchr("[]P^_X", byte) == NULL) {
		token->kind = BH_TOKEN_ESCAPE;
		token->final = (char)byte;
		if (sieve->held.len > 0) {
			memcpy(token->intermediates, sieve->held.data, sieve->held.len);
		}
		sieve_enter(sieve, BH_SIEVE_GROUND);
		return 1;
	}
	if (byte == '[') {
		size_t used = csi_whole(bytes + 1, len - 1, token);

		sieve_enter(sieve, used > 0 ? BH_SIEVE_GROUND : BH_SIEVE_CSI);
		return used + 1;
	}
	sieve_enter(sieve, byte == ']'   ? BH_SIEVE_OSC
	                   : byte == 'P' ? BH_SIEVE_DCS
	                                 : BH_SIEVE_ST_SWALLOW);
	return 1;
}

static bool csi_may_go_on(const struct bh_bytes *held, uint8_t byte)
{
	if (held->len >= BH_SIEVE_CSI_MAX) {
		return false;
	}
	if (byte >= '<' && byte <= '?') {
		return held->len == 0;
	}
	return byte <= 0x2F || held->len == 0 || (uint8_t)held->data[held->len - 1] >= 0x30;
}

static size_t next_csi(struct bh_sieve *sieve, uint8_t byte, struct bh_token *token)
{
	if (sieve_control(sieve, byte, token) || byte == DEL) {
		return 1;
	}
	if (byte >= 0x80) {
		sieve_enter(sieve, BH_SIEVE_GROUND);
		return 0;
	}
	if (byte >= 0x40) {
		if (sieve->state == BH_SIEVE_CSI) {
			token_csi(sieve->held.data, sieve->held.len, byte, token);
		}
		sieve_enter(sieve, BH_SIEVE_GROUND);
	} else if (sieve->state == BH_SIEVE_CSI) {
		if (csi_may_go_on(&sieve->held, byte)) {
			bh_bytes_add_byte(&sieve->held, (char)byte);
		} else {
			sieve_enter(sieve, BH_SIEVE_CSI_IGNORE);
		}
	}
	return 1;
}

static void string_end(struct bh_sieve *sieve, bool is_bel, struct bh_token *token)
{
	if (sieve->state == BH_SIEVE_OSC || sieve->state == BH_SIEVE_DCS) {
		token->kind = sieve->state == BH_SIEVE_OSC ? BH_TOKEN_OSC : BH_TOKEN_DCS;
		bh_bytes_add(&sieve->held, "", 0);
		token->text = sieve->held.data;
		token->len = sieve->held.len;
		token->is_bel = is_bel;
	}
	// Not sieve_enter(): the token still points to what is held.
	sieve->state = BH_SIEVE_GROUND;
	sieve->saw_escape = false;
}

/** May this be the first byte of a string that anybody here understands? */
static bool string_is_known(enum bh_sieve_state state, uint8_t first)
{
	if (state == BH_SIEVE_OSC) {
		return first >= '0' && first <= '9';
	}
	return first == '$' || first == '+';
}

static void string_keep(struct bh_sieve *sieve, const uint8_t *bytes, size_t len)
{
	bool is_osc = sieve->state == BH_SIEVE_OSC;

	if (sieve->state != BH_SIEVE_OSC && sieve->state != BH_SIEVE_DCS) {
		return;
	}
	if ((sieve->held.len == 0 && !string_is_known(sieve->state, bytes[0])) ||
	    sieve->held.len + len > BH_SIEVE_STRING_MAX) {
		sieve_enter(sieve, is_osc ? BH_SIEVE_OSC_SWALLOW : BH_SIEVE_ST_SWALLOW);
		return;
	}
	bh_bytes_add(&sieve->held, bytes, len);
}

/** Bytes of a string's body at the start of @bytes. */
static size_t string_run(const uint8_t *bytes, size_t len)
{
	size_t run = 0;

	while (run < len && bytes[run] >= 0x20) {
		run++;
	}
	return run;
}

static size_t next_string(struct bh_sieve *sieve, const uint8_t *bytes, size_t len,
                          struct bh_token *token)
{
	uint8_t byte = bytes[0];
	bool is_osc = sieve->state == BH_SIEVE_OSC || sieve->state == BH_SIEVE_OSC_SWALLOW;

	if (sieve->saw_escape) {
		if (byte == '\\') {
			string_end(sieve, false, token);
			return 1;
		}
		// Not ST: the string is cut short and lost, a new sequence begins.
		sieve_enter(sieve, BH_SIEVE_ESCAPE);
		return 0;
	}
	if (byte >= 0x20) {
		size_t run = string_run(bytes, len);

		string_keep(sieve, bytes, run);
		return run;
	}
	if (byte == ESC) {
		sieve->saw_escape = true;
	} else if (byte == CAN || byte == SUB) {
		sieve_enter(sieve, BH_SIEVE_GROUND);
	} else if (byte == BEL && is_osc) {
		string_end(sieve, true, token);
	}
	return 1;
}

static void token_codepoint(struct bh_token *token, uint32_t cp)
{
	// U+0080..009F: a second spelling of the C1 controls, which nobody means.
	if (cp >= 0xA0) {
		token->kind = BH_TOKEN_CODEPOINT;
		token->codepoint = cp;
	}
}

static size_t next_utf8(struct bh_sieve *sieve, uint8_t byte, struct bh_token *token)
{
	uint32_t cp;
	size_t had = sieve->held.len;

	bh_bytes_add_byte(&sieve->held, (char)byte);
	size_t used = bh_codepoint_decode((const uint8_t *)sieve->held.data, sieve->held.len, &cp);

	if (used == 0) {
		return 1;
	}
	sieve_enter(sieve, BH_SIEVE_GROUND);
	token_codepoint(token, cp);
	// Of a broken character the byte that broke it is looked at again.
	return used > had ? 1 : 0;
}

static size_t ascii_run(const uint8_t *bytes, size_t len)
{
	size_t run = 0;

	// Eight at a time: no byte below 0x20, none above 0x7E.
	while (run + 8 <= len) {
		uint64_t word;

		memcpy(&word, bytes + run, sizeof(word));
		uint64_t high = word | (word + 0x0101010101010101U);
		uint64_t low = (word - 0x2020202020202020U) & ~word;

		if (((high | low) & 0x8080808080808080U) != 0) {
			break;
		}
		run += 8;
	}
	while (run < len && bytes[run] >= 0x20 && bytes[run] < DEL) {
		run++;
	}
	return run;
}

static size_t next_ground(struct bh_sieve *sieve, const uint8_t *bytes, size_t len,
                          struct bh_token *token)
{
	uint8_t byte = bytes[0];
	uint32_t cp;

	if (byte >= 0x20 && byte < DEL) {
		token->kind = BH_TOKEN_ASCII;
		token->text = (const char *)bytes;
		token->len = ascii_run(bytes, len);
		return token->len;
	}
	if (byte == ESC && len > 1) {
		sieve_enter(sieve, BH_SIEVE_ESCAPE);
		return 1 + next_escape(sieve, bytes + 1, len - 1, token);
	}
	if (sieve_control(sieve, byte, token) || byte == DEL) {
		return 1;
	}
	size_t used = bh_codepoint_decode(bytes, len, &cp);

	if (used > 0) {
		token_codepoint(token, cp);
		return used;
	}
	sieve_enter(sieve, BH_SIEVE_UTF8);
	bh_bytes_add(&sieve->held, bytes, len);
	return len;
}

static size_t sieve_step(struct bh_sieve *sieve, const uint8_t *bytes, size_t len,
                         struct bh_token *token)
{
	switch (sieve->state) {
	case BH_SIEVE_UTF8:
		return next_utf8(sieve, bytes[0], token);
	case BH_SIEVE_ESCAPE:
		return next_escape(sieve, bytes, len, token);
	case BH_SIEVE_CSI:
	case BH_SIEVE_CSI_IGNORE:
		return next_csi(sieve, bytes[0], token);
	case BH_SIEVE_OSC:
	case BH_SIEVE_OSC_SWALLOW:
	case BH_SIEVE_DCS:
	case BH_SIEVE_ST_SWALLOW:
		return next_string(sieve, bytes, len, token);
	case BH_SIEVE_GROUND:
	default:
		return next_ground(sieve, bytes, len, token);
	}
}

size_t bh_sieve_next(struct bh_sieve *sieve, const uint8_t *bytes, size_t len,
                     struct bh_token *token)
{
	size_t used = 0;

	token_reset(token);
	// A step of no bytes has changed the state, so the next one makes progress or a token.
	while (used < len && token->kind == BH_TOKEN_NONE) {
		used += sieve_step(sieve, bytes + used, len - used, token);
	}
	return used;
}

void bh_sieve_unfinished(const struct bh_sieve *sieve, struct bh_bytes *out)
{
	static const char *const introducers[] = {
		[BH_SIEVE_GROUND] = "",
		[BH_SIEVE_UTF8] = "",
		[BH_SIEVE_ESCAPE] = "\x1B",
		[BH_SIEVE_CSI] = "\x1B[",
		[BH_SIEVE_CSI_IGNORE] = "\x1B[0<",
		[BH_SIEVE_OSC] = "\x1B]",
		[BH_SIEVE_OSC_SWALLOW] = "\x1B]!",
		[BH_SIEVE_DCS] = "\x1BP",
		[BH_SIEVE_ST_SWALLOW] = "\x1BX",
	};

	bh_bytes_puts(out, introducers[sieve->state]);
	if (sieve->state != BH_SIEVE_GROUND && sieve->held.len > 0) {
		bh_bytes_add(out, sieve->held.data, sieve->held.len);
	}
	if (sieve->saw_escape) {
		bh_bytes_add_byte(out, ESC);
	}
}

bool bh_sieve_equal(const struct bh_sieve *a, const struct bh_sieve *b)
{
	if (a->state != b->state || a->saw_escape != b->saw_escape) {
		return false;
	}
	if (a->state == BH_SIEVE_GROUND) {
		return true;
	}
	return a->held.len == b->held.len &&
	       (a->held.len == 0 || memcmp(a->held.data, b->held.data, a->held.len) == 0);
}

int bh_token_arg(const struct bh_token *token, int index, int fallback)
{
	if (index >= token->argc || token->args[index] == BH_SIEVE_MISSING) {
		return fallback;
	}
	return token->args[index];
}
