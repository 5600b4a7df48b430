#include "term/keys.h"

#include "term/bytes.h"
#include "term/codepoint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// Three ways to spell a key, by the modes that the program has set: the bytes that terminals have
// always sent, xterm's CSI 27 for what those cannot tell apart (modifyOtherKeys), and kitty's CSI u.
// Keys with a name of their own (arrows, F1) have one spelling with modifiers in all of them.

enum {
	SHIFT = 1,
	ALT = 2,
	CONTROL = 4,
};

/** Kitty keyboard flags that change what a key press sends. */
enum {
	KITTY_DISAMBIGUATE = 1,
	KITTY_ALL_KEYS = 8,
	KITTY_TEXT = 16,
};

/** How a named key is encoded. */
enum key_form {
	FORM_LETTER, // CSI letter; SS3 letter with application cursor keys
	FORM_SS3,    // SS3 letter, CSI 1 ; m letter with modifiers
	FORM_TILDE,  // CSI number ~
	FORM_BYTE,   // one control byte, or a code of kitty's
};

struct key {
	const char *name;
	enum key_form form;
	int code; // letter, number or code point
};

static const struct key keys[] = {
	{"Up", FORM_LETTER, 'A'},    {"Down", FORM_LETTER, 'B'},  {"Right", FORM_LETTER, 'C'},
	{"Left", FORM_LETTER, 'D'},  {"Home", FORM_LETTER, 'H'},  {"End", FORM_LETTER, 'F'},
	{"Insert", FORM_TILDE, 2},   {"Ins", FORM_TILDE, 2},      {"IC", FORM_TILDE, 2},
	{"Delete", FORM_TILDE, 3},   {"Del", FORM_TILDE, 3},      {"DC", FORM_TILDE, 3},
	{"PageUp", FORM_TILDE, 5},   {"PgUp", FORM_TILDE, 5},     {"PPage", FORM_TILDE, 5},
	{"PageDown", FORM_TILDE, 6}, {"PgDn", FORM_TILDE, 6},     {"NPage", FORM_TILDE, 6},
	{"F1", FORM_SS3, 'P'},       {"F2", FORM_SS3, 'Q'},       {"F3", FORM_SS3, 'R'},
	{"F4", FORM_SS3, 'S'},       {"F5", FORM_TILDE, 15},      {"F6", FORM_TILDE, 17},
	{"F7", FORM_TILDE, 18},      {"F8", FORM_TILDE, 19},      {"F9", FORM_TILDE, 20},
	{"F10", FORM_TILDE, 21},     {"F11", FORM_TILDE, 23},     {"F12", FORM_TILDE, 24},
	{"Enter", FORM_BYTE, '\r'},  {"Return", FORM_BYTE, '\r'}, {"Tab", FORM_BYTE, '\t'},
	{"Escape", FORM_BYTE, 0x1B}, {"Esc", FORM_BYTE, 0x1B},    {"Backspace", FORM_BYTE, 0x7F},
	{"BSpace", FORM_BYTE, 0x7F}, {"Space", FORM_BYTE, ' '},
};

static const struct key *key_find(const char *name)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcasecmp(keys[i].name, name) == 0) {
			return &keys[i];
		}
	}
	return NULL;
}

/** Read "C-", "M-" and "S-" off the front. */
static const char *read_modifiers(const char *name, int *modifiers)
{
	*modifiers = 0;
	while (name[0] != '\0' && name[1] == '-' && name[2] != '\0') {
		int bit = name[0] == 'C'   ? CONTROL
		          : name[0] == 'M' ? ALT
		          : name[0] == 'S' ? SHIFT
		                           : 0;

		if (bit == 0) {
			return name;
		}
		*modifiers |= bit;
		name += 2;
	}
	return name;
}

/** The control character of @cp, or -1: it has none. */
static int control_of(uint32_t cp)
{
	static const char from[] = " 2345678/?@[\\]^_`~";
	static const char to[] =
		"\x00\x00\x1B\x1C\x1D\x1E\x1F\x7F\x1F\x7F\x00\x1B\x1C\x1D\x1E\x1F\x00\x1E";

	if (cp >= 'a' && cp <= 'z') {
		return (int)cp - 'a' + 1;
	}
	if (cp >= 'A' && cp <= 'Z') {
		return (int)cp - 'A' + 1;
	}
	const char *found = cp != 0 && cp < 0x80 ? strchr(from, (int)cp) : NULL;

	return found != NULL ? to[found - from] : -1;
}

static void put_csi_u(struct bh_bytes *out, uint32_t code, int modifiers, uint32_t text)
{
	bh_bytes_printf(out, "\x1B[%u", code);
	if (modifiers != 0 || text != 0) {
		bh_bytes_printf(out, ";%d", modifiers + 1);
	}
	if (text != 0) {
		bh_bytes_printf(out, ";%u", text);
	}
	bh_bytes_puts(out, "u");
}

/** The bytes that terminals have always sent. */
static void put_legacy(const struct bh_screen *s, uint32_t cp, int modifiers, struct bh_bytes *out)
{
	char encoded[4];
	int control = (modifiers & CONTROL) != 0 ? control_of(cp) : -1;

	if ((modifiers & ALT) != 0) {
		bh_bytes_add_byte(out, 0x1B);
	}
	if (cp == '\t' && (modifiers & SHIFT) != 0) {
		bh_bytes_puts(out, "\x1B[Z");
	} else if (cp == 0x7F) {
		bool sends_bs =
			bh_screen_mode(s, BH_SCREEN_MODE_BACKARROW) != ((modifiers & CONTROL) != 0);

		bh_bytes_add_byte(out, sends_bs ? 0x08 : 0x7F);
	} else if (cp == '\r' && bh_screen_mode(s, BH_SCREEN_MODE_NEWLINE)) {
		bh_bytes_puts(out, "\r\n");
	} else if (control >= 0) {
		bh_bytes_add_byte(out, (char)control);
	} else {
		bh_bytes_add(out, encoded, bh_codepoint_encode(cp, encoded));
	}
}

static bool is_whitespace_key(uint32_t cp)
{
	return cp == '\r' || cp == '\t' || cp == 0x7F;
}

static void put_kitty(const struct bh_screen *s, uint32_t cp, int modifiers, struct bh_bytes *out)
{
	unsigned flags = bh_screen_kitty_flags(s);
	bool is_text = cp >= 0x20 && cp != 0x7F;
	bool is_plain = (modifiers & ~SHIFT) == 0;

	if ((flags & KITTY_ALL_KEYS) == 0) {
		bool is_legacy = is_text ? is_plain : is_whitespace_key(cp) && modifiers == 0;

		if (is_legacy) {
			put_legacy(s, cp, modifiers, out);
			return;
		}
	}
	uint32_t code = cp;

	if (cp >= 'A' && cp <= 'Z') {
		code = cp - 'A' + 'a';
		modifiers |= SHIFT;
	}
	put_csi_u(out, code, modifiers,
	          (flags & KITTY_ALL_KEYS) != 0 && (flags & KITTY_TEXT) != 0 && is_text && is_plain
	                  ? cp
	                  : 0);
}

/** Has the key with these modifiers no bytes of its own? */
static bool is_ambiguous(uint32_t cp, int modifiers, int level)
{
	if (modifiers == 0 || (cp >= 0x20 && cp != 0x7F && modifiers == SHIFT)) {
		return false;
	}
	if (cp == '\t' && modifiers == SHIFT) {
		return false;
	}
	if (level == 2) {
		return true;
	}
	return cp == '\r' || cp == '\t' || ((modifiers & CONTROL) != 0 && control_of(cp) < 0);
}

static void put_character(const struct bh_screen *s, uint32_t cp, int modifiers,
                          struct bh_bytes *out)
{
	int level = bh_screen_modify_other_keys(s);

	if ((bh_screen_kitty_flags(s) & (KITTY_DISAMBIGUATE | KITTY_ALL_KEYS)) != 0) {
		put_kitty(s, cp, modifiers, out);
	} else if (level > 0 && is_ambiguous(cp, modifiers, level)) {
		bh_bytes_printf(out, "\x1B[27;%d;%u~", modifiers + 1, cp);
	} else {
		put_legacy(s, cp, modifiers, out);
	}
}

static void put_function(const struct bh_screen *s, const struct key *key, int modifiers,
                         struct bh_bytes *out)
{
	bool is_kitty = bh_screen_kitty_flags(s) != 0;
	bool is_ss3 = !is_kitty &&
	              (key->form == FORM_SS3 || bh_screen_mode(s, BH_SCREEN_MODE_APP_CURSOR));

	if (is_kitty && key->form == FORM_SS3 && key->code == 'R') {
		// CSI R would be a cursor position report.
		bh_bytes_printf(out, modifiers != 0 ? "\x1B[13;%d~" : "\x1B[13~", modifiers + 1);
	} else if (key->form == FORM_TILDE && modifiers != 0) {
		bh_bytes_printf(out, "\x1B[%d;%d~", key->code, modifiers + 1);
	} else if (key->form == FORM_TILDE) {
		bh_bytes_printf(out, "\x1B[%d~", key->code);
	} else if (modifiers != 0) {
		bh_bytes_printf(out, "\x1B[1;%d%c", modifiers + 1, key->code);
	} else {
		bh_bytes_printf(out, is_ss3 ? "\x1BO%c" : "\x1B[%c", key->code);
	}
}

/** The single character that @name is, or 0. */
static uint32_t single_character(const char *name)
{
	size_t len = strlen(name);
	uint32_t cp = 0;

	if (len == 0 || bh_codepoint_decode((const uint8_t *)name, len, &cp) != len || cp < 0x20 ||
	    (cp >= 0x7F && cp < 0xA0) || cp == BH_CODEPOINT_BAD) {
		return 0;
	}
	return cp;
}

size_t bh_keys_encode(const struct bh_screen *s, const char *name, char *out, size_t size)
{
	struct bh_bytes bytes = {0};
	int modifiers;
	const char *rest = read_modifiers(name, &modifiers);
	const struct key *key = key_find(rest);
	uint32_t cp = single_character(rest);

	if (strcasecmp(rest, "BTab") == 0) {
		put_character(s, '\t', modifiers | SHIFT, &bytes);
	} else if (cp != 0) {
		put_character(s, cp, modifiers, &bytes);
	} else if (key != NULL && key->form == FORM_BYTE) {
		put_character(s, (uint32_t)key->code, modifiers, &bytes);
	} else if (key != NULL) {
		put_function(s, key, modifiers, &bytes);
	}
	size_t len = bytes.len <= size ? bytes.len : 0;

	if (len > 0) {
		memcpy(out, bytes.data, len);
	}
	bh_bytes_clear(&bytes);
	return len;
}

char *bh_keys_paste(const struct bh_screen *s, const char *text, size_t len, size_t *len_out)
{
	struct bh_bytes bytes = {0};
	bool is_marked = bh_screen_mode(s, BH_SCREEN_MODE_BRACKETED_PASTE);

	bh_bytes_puts(&bytes, is_marked ? "\x1B[200~" : "");
	bh_bytes_add(&bytes, text, len);
	bh_bytes_puts(&bytes, is_marked ? "\x1B[201~" : "");
	return bh_bytes_detach(&bytes, len_out);
}
