#include "src/ui/token.h"

#include "src/base/utf8.h"
#include "src/ui/keytable.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** The longest sequence that is waited for; longer ones go on as they are (bytes). */
#define SEQUENCE_MAX 64
/** Bytes of a mouse report in the old form: "\x1b[M", button, column, row. */
#define OLD_MOUSE_LEN 6
/** The longest answer of a terminal that is waited for (bytes). */
#define ANSWER_MAX 256

/** Modifiers of the kitty protocol and of modifyOtherKeys, less one. Lock keys do not count. */
#define MODIFIER_SHIFT 1U
#define MODIFIER_ALT 2U
#define MODIFIER_CONTROL 4U

/** Numbers of a CSI sequence, and of what follows a colon: the shifted key in the first, the event in
 * the second. */
struct csi {
	char lead;
	long args[4];
	int count;
	long shifted;
	long event;
	char final;
	size_t len;
	/** It is "\x1bO" and a letter. */
	bool is_ss3;
};

/** Keys by the end of a sequence: of "\x1b[1;5A" and "\x1bOA" the A. */
static const struct {
	char final;
	uint32_t key;
} finals[] = {
	{'A', BH_KEY_UP},     {'B', BH_KEY_DOWN},   {'C', BH_KEY_RIGHT}, {'D', BH_KEY_LEFT},
	{'H', BH_KEY_HOME},   {'F', BH_KEY_END},    {'P', BH_KEY_F1},    {'Q', BH_KEY_F1 + 1},
	{'R', BH_KEY_F1 + 2}, {'S', BH_KEY_F1 + 3}, {'M', '\r'},
};

/** Arrows as rxvt has them with shift ("\x1b[a") or control ("\x1bOa"). */
static const uint32_t rxvt_arrows[] = {BH_KEY_UP, BH_KEY_DOWN, BH_KEY_RIGHT, BH_KEY_LEFT};

/** Keys by the number before a tilde. */
static const uint32_t tildes[] = {
	[1] = BH_KEY_HOME,    [2] = BH_KEY_INSERT,    [3] = BH_KEY_DELETE,   [4] = BH_KEY_END,
	[5] = BH_KEY_PAGE_UP, [6] = BH_KEY_PAGE_DOWN, [7] = BH_KEY_HOME,     [8] = BH_KEY_END,
	[11] = BH_KEY_F1,     [12] = BH_KEY_F1 + 1,   [13] = BH_KEY_F1 + 2,  [14] = BH_KEY_F1 + 3,
	[15] = BH_KEY_F1 + 4, [17] = BH_KEY_F1 + 5,   [18] = BH_KEY_F1 + 6,  [19] = BH_KEY_F1 + 7,
	[20] = BH_KEY_F1 + 8, [21] = BH_KEY_F1 + 9,   [23] = BH_KEY_F1 + 10, [24] = BH_KEY_F1 + 11,
};

/** Keys of the number pad in the kitty protocol, from 57399 on. */
static const uint32_t pad_keys[] = {
	'0',
	'1',
	'2',
	'3',
	'4',
	'5',
	'6',
	'7',
	'8',
	'9',
	'.',
	'/',
	'*',
	'-',
	'+',
	'\r',
	'=',
	',',
	BH_KEY_LEFT,
	BH_KEY_RIGHT,
	BH_KEY_UP,
	BH_KEY_DOWN,
	BH_KEY_PAGE_UP,
	BH_KEY_PAGE_DOWN,
	BH_KEY_HOME,
	BH_KEY_END,
	BH_KEY_INSERT,
	BH_KEY_DELETE,
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/** One number after a colon: that of the first is the shifted key, that of the second the event. */
static size_t csi_read_part(const char *text, size_t at, struct csi *csi)
{
	char *end = NULL;
	long part = strtol(text + at + 1, &end, 10);

	if (csi->count == 0 && csi->shifted == 0) {
		csi->shifted = part;
	} else if (csi->count == 1) {
		csi->event = part;
	}
	return (size_t)(end - text) > at ? (size_t)(end - text) : at + 1;
}

/** Read one CSI at @text ("\x1b["...), which is NUL-terminated. False when its end is missing. */
static bool csi_read(const char *text, size_t len, struct csi *csi)
{
	size_t at = 2;

	*csi = (struct csi){.event = 1};
	if (at < len && strchr("<>?=", text[at]) != NULL) {
		csi->lead = text[at++];
	}
	while (at < len && text[at] >= 0x20 && text[at] < 0x40) {
		if (text[at] >= '0' && text[at] <= '9') {
			char *end = NULL;

			csi->args[csi->count < 4 ? csi->count : 3] = strtol(text + at, &end, 10);
			at = (size_t)(end - text);
		} else if (text[at] == ':') {
			at = csi_read_part(text, at, csi);
		} else {
			csi->count += text[at] == ';';
			at++;
		}
	}
	csi->count++;
	csi->len = at + 1;
	csi->final = at < len ? text[at] : '\0';
	return at < len;
}

/** A key with the modifiers of the sequence that reported it. */
static struct bh_token token_of(const struct csi *csi, uint32_t key, long modifiers)
{
	unsigned bits = modifiers < 1 ? 0 : (unsigned)(modifiers - 1);

	return (struct bh_token){.kind = csi->event == 3 ? BH_TOKEN_SILENT : BH_TOKEN_KEY,
	                         .len = csi->len,
	                         .key = {.key = key,
	                                 .is_control = (bits & MODIFIER_CONTROL) != 0,
	                                 .is_alt = (bits & MODIFIER_ALT) != 0,
	                                 .is_shift = (bits & MODIFIER_SHIFT) != 0}};
}

static bool is_character(long code)
{
	return code > 0 && code < (long)BH_KEY_UP && !(code >= 0xd800 && code < 0xe000);
}

/** A key in the form of the kitty protocol or of modifyOtherKeys. */
static struct bh_token token_of_code(const struct csi *csi, long code, long modifiers)
{
	struct bh_token token = token_of(csi, (uint32_t)code, modifiers);

	if (!is_character(code)) {
		token.kind = BH_TOKEN_OTHER;
	} else if (code >= 57441 && code <= 57454) { // the modifier keys themselves
		token.kind = BH_TOKEN_SILENT;
	} else if (code >= 57399 && code < 57399 + (long)COUNT_OF(pad_keys)) {
		token.key.key = pad_keys[code - 57399];
	} else if (csi->final == 'u' && token.key.is_shift && !token.key.is_control) {
		// What the person sees on the key, as far as the terminal says it.
		if (csi->count >= 3 && is_character(csi->args[2])) {
			token.key.key = (uint32_t)csi->args[2];
		} else if (is_character(csi->shifted)) {
			token.key.key = (uint32_t)csi->shifted;
		} else if (code >= 'a' && code <= 'z') {
			token.key.key = (uint32_t)code - 'a' + 'A';
		}
	}
	return token;
}

/** A key with a name of its own, or a sequence that we do not look into. */
static struct bh_token token_of_named(const struct csi *csi)
{
	if (csi->final == '~' || csi->final == '^' || csi->final == '@') { // the last two: rxvt
		long modifiers = csi->final == '~'   ? csi->args[1]
		                 : csi->final == '^' ? 1 + MODIFIER_CONTROL
		                                     : 1 + MODIFIER_CONTROL + MODIFIER_SHIFT;

		if (csi->args[0] > 0 && csi->args[0] < (long)COUNT_OF(tildes) &&
		    tildes[csi->args[0]] != 0) {
			return token_of(csi, tildes[csi->args[0]], modifiers);
		}
		return (struct bh_token){.kind = BH_TOKEN_OTHER, .len = csi->len};
	}
	if (csi->final == 'Z') {
		return token_of(csi, '\t', 1 + MODIFIER_SHIFT);
	}
	if (csi->final >= 'a' && csi->final <= 'd') {
		return token_of(csi, rxvt_arrows[csi->final - 'a'],
		                1 + (csi->is_ss3 ? MODIFIER_CONTROL : MODIFIER_SHIFT));
	}
	for (size_t i = 0; i < COUNT_OF(finals); i++) {
		if (finals[i].final == csi->final) {
			return token_of(csi, finals[i].key, csi->args[1]);
		}
	}
	return (struct bh_token){.kind = BH_TOKEN_OTHER, .len = csi->len};
}

/** A coordinate of a report, from 0. */
static int place_of(long number)
{
	return number < 1 ? 0 : number > INT16_MAX ? INT16_MAX : (int)number - 1;
}

static struct bh_token token_of_csi(const struct csi *csi)
{
	struct bh_token token = {.kind = BH_TOKEN_OTHER, .len = csi->len};

	if (csi->lead == '<' && (csi->final == 'M' || csi->final == 'm')) {
		token.kind = BH_TOKEN_MOUSE;
		token.button = (unsigned)csi->args[0] & 0xffU;
		token.is_release = csi->final == 'm';
		token.col = place_of(csi->args[1]);
		token.row = place_of(csi->args[2]);
	} else if (csi->lead != '\0') {
		token.kind = BH_TOKEN_ANSWER;
	} else if (csi->final == 'u') {
		return token_of_code(csi, csi->args[0], csi->args[1]);
	} else if (csi->final == '~' && csi->args[0] == 27 && csi->count == 3) {
		return token_of_code(csi, csi->args[2], csi->args[1]);
	} else if (csi->final == '~' && csi->args[0] == 200) {
		token.kind = BH_TOKEN_PASTE_BEGIN;
	} else if (csi->final == '~' && csi->args[0] == 201) {
		token.kind = BH_TOKEN_PASTE_END;
	} else if ((csi->final == 'I' || csi->final == 'O') && csi->len == 3) {
		token.kind = BH_TOKEN_FOCUS;
		token.has_focus = csi->final == 'I';
	} else {
		return token_of_named(csi);
	}
	return token;
}

/** A mouse report of a terminal that knows only the old form. */
static struct bh_token token_of_old_mouse(const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;
	struct bh_token token = {.kind = BH_TOKEN_PARTIAL, .len = len};

	if (len >= OLD_MOUSE_LEN) {
		token.kind = BH_TOKEN_MOUSE;
		token.len = OLD_MOUSE_LEN;
		token.button = (unsigned)(bytes[3] - 32) & 0xffU;
		// It does not say which button was let go: the left one is the most likely.
		token.is_release = (token.button & 0x43U) == 3 && (token.button & 0x20U) == 0;
		token.button = token.is_release ? token.button & ~3U : token.button;
		token.col = place_of((long)bytes[4] - 32);
		token.row = place_of((long)bytes[5] - 32);
	}
	return token;
}

/** A character, or a byte that is none. */
static struct bh_token token_of_character(const char *text, size_t len)
{
	struct bh_token token = {.kind = BH_TOKEN_KEY, .len = 1};
	unsigned char first = (unsigned char)text[0];

	if (first == '\r' || first == '\t' || first == 0x1b) {
		token.key.key = first;
	} else if (first < 0x20) {
		token.key.is_control = true;
		token.key.key = first == 0    ? ' '
		                : first <= 26 ? (uint32_t)first + 0x60
		                              : (uint32_t)first + 0x40;
	} else {
		token.len = bh_utf8_next(text, len, &token.key.key);
		if (first >= 0x80 && token.len <= 1) {
			size_t wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;

			token = (struct bh_token){.kind = BH_TOKEN_OTHER, .len = 1};
			token.is_cut = first >= 0xc2 && first < 0xf5 && len < wanted;
		}
	}
	return token;
}

/** Escape and a character: that key with alt. */
static struct bh_token token_of_alt(const char *text, size_t len)
{
	struct bh_token token = token_of_character(text + 1, len - 1);

	token.len++;
	token.key.is_alt = true;
	token.is_cut = false;
	return token;
}

/** "\x1bO" and a letter. */
static struct bh_token token_of_ss3(const char *text, size_t len)
{
	struct csi csi = {.event = 1, .final = len > 2 ? text[2] : '\0', .len = 3, .is_ss3 = true};

	if (len < 3) {
		return (struct bh_token){.kind = BH_TOKEN_PARTIAL, .len = len};
	}
	if (csi.final >= 'p' && csi.final <= 'y') { // digits of the number pad
		return token_of(&csi, (uint32_t)csi.final - 'p' + '0', 1);
	}
	return strchr("~^@Z", csi.final) != NULL
	               ? (struct bh_token){.kind = BH_TOKEN_OTHER, .len = 3}
	               : token_of_named(&csi);
}

/** "\x1b[[" and a letter: F1 to F5 of Linux' console. */
static struct bh_token token_of_console(const char *text, size_t len)
{
	struct bh_token token = {.kind = BH_TOKEN_PARTIAL, .len = len};

	if (len > 3) {
		token.kind = text[3] >= 'A' && text[3] <= 'E' ? BH_TOKEN_KEY : BH_TOKEN_OTHER;
		token.len = 4;
		token.key.key = BH_KEY_F1 + (uint32_t)(text[3] - 'A');
	}
	return token;
}

/** "\x1bP"...: an answer when it goes on as one, else P with alt. */
static struct bh_token token_of_dcs(const char *text, size_t len)
{
	const char *end = NULL;

	if (len == 2) {
		return (struct bh_token){.kind = BH_TOKEN_PARTIAL, .len = len};
	}
	if (strchr(">01", text[2]) == NULL) {
		return token_of_alt(text, 2);
	}
	end = memmem(text, len, "\x1b\\", 2);
	if (end == NULL && len < ANSWER_MAX) {
		return (struct bh_token){.kind = BH_TOKEN_PARTIAL, .len = len};
	}
	return end == NULL ? token_of_alt(text, 2)
	                   : (struct bh_token){.kind = BH_TOKEN_ANSWER,
	                                       .len = (size_t)(end - text) + 2};
}

struct bh_token bh_token_read(const char *text, size_t len)
{
	struct csi csi;

	if (text[0] != '\x1b') {
		return token_of_character(text, len);
	}
	if (len == 1) {
		return (struct bh_token){.kind = BH_TOKEN_PARTIAL, .len = len};
	}
	if (text[1] == '\x1b') { // Escape, and the beginning of something else
		return token_of_character(text, 1);
	}
	if (text[1] == 'O') {
		return token_of_ss3(text, len);
	}
	if (text[1] == 'P') {
		return token_of_dcs(text, len);
	}
	if (text[1] != '[') {
		return token_of_alt(text, len);
	}
	if (len >= 3 && text[2] == '[') {
		return token_of_console(text, len);
	}
	if (len >= 3 && text[2] == 'M') {
		return token_of_old_mouse(text, len);
	}
	if (!csi_read(text, len, &csi)) {
		return (struct bh_token){
			.kind = len < SEQUENCE_MAX ? BH_TOKEN_PARTIAL : BH_TOKEN_OTHER, .len = len};
	}
	return token_of_csi(&csi);
}

struct bh_token bh_token_give_up(const char *text, size_t len)
{
	if (len == 1) {
		return token_of_character(text, len);
	}
	if (len == 2 && text[0] == '\x1b') {
		return token_of_alt(text, len);
	}
	return (struct bh_token){.kind = BH_TOKEN_OTHER, .len = len};
}
