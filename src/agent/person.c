#include "person.h"

#include <stdlib.h>
#include <string.h>

/** Where the reader stands. */
enum part {
	PART_GROUND,
	PART_ESCAPE,
	PART_CSI,
	PART_SS3,
	/** OSC, DCS, APC, PM, SOS: up to ST or BEL. */
	PART_STRING,
	/** ESC inside a string: perhaps its ST. */
	PART_STRING_ESCAPE,
};

/** Modifier bits of kitty and xterm keys (value - 1) that make a letter a command. */
#define MODIFIERS_COMMAND (2 | 4 | 8)

/** The number at the start of @text. */
static long number_at(const char *text)
{
	return strtol(text, NULL, 10);
}

/** What `CSI … u` (kitty keyboard) is: NUMBER[:…][;MODIFIERS[:EVENT]] */
static enum bh_input kitty_key(const char *params)
{
	const char *second = strchr(params, ';');
	long code = number_at(params);
	long modifiers = second ? number_at(second + 1) - 1 : 0;
	const char *event = second ? strchr(second, ':') : NULL;

	if (event && number_at(event + 1) == 3) {
		return BH_INPUT_REPLY; // the release of a key that was counted when pressed
	}
	if (code == 13 && modifiers <= 0) {
		return BH_INPUT_PERSON_ENTER;
	}
	return code >= 32 && code < 57344 && code != 127 && !(modifiers & MODIFIERS_COMMAND)
	               ? BH_INPUT_PERSON_TEXT
	               : BH_INPUT_PERSON_KEY;
}

/** What a whole CSI sequence with that final byte is. */
static enum bh_input csi_meaning(struct bh_person *person, unsigned char final)
{
	const char *params = person->params;

	if (final == '~' && number_at(params) == 200) {
		person->is_paste = true;
		return BH_INPUT_PERSON_TEXT;
	}
	if (final == '~' && number_at(params) == 201) {
		person->is_paste = false;
		return BH_INPUT_PERSON_TEXT;
	}
	if (final == 'M' && !*params) {
		person->mouse_left = 3;
		return BH_INPUT_REPLY;
	}
	// Private answers, mouse (SGR), focus, cursor and status reports, window reports.
	if (strchr("?<>=", *params ? *params : 'x') || strchr("cnRyt", final) ||
	    ((final == 'I' || final == 'O') && !*params)) {
		return BH_INPUT_REPLY;
	}
	if (final == 'u') {
		return kitty_key(params);
	}
	return BH_INPUT_PERSON_KEY;
}

/** One byte on the ground. */
static enum bh_input ground_meaning(const struct bh_person *person, unsigned char byte)
{
	if (person->is_paste || (byte >= 0x20 && byte != 0x7F)) {
		return BH_INPUT_PERSON_TEXT;
	}
	if (byte == '\r') {
		return BH_INPUT_PERSON_ENTER;
	}
	return byte == '\n' || byte == '\t' ? BH_INPUT_PERSON_TEXT : BH_INPUT_PERSON_KEY;
}

/** The byte after ESC; true when it is named already. */
static bool escape_take(struct bh_person *person, unsigned char byte, enum bh_input *what)
{
	person->part = PART_GROUND;
	person->param_count = 0;
	person->params[0] = '\0';
	person->has_content = false;
	if (byte == '[') {
		person->part = PART_CSI;
		return false;
	}
	if (byte == 'O') {
		person->part = PART_SS3;
		return false;
	}
	if (strchr("]P_^X", byte)) {
		person->part = PART_STRING;
		return false;
	}
	person->part = byte == 0x1B ? PART_ESCAPE : PART_GROUND;
	*what = BH_INPUT_PERSON_KEY;
	return true;
}

static bool csi_take(struct bh_person *person, unsigned char byte, enum bh_input *what)
{
	if (byte < 0x40 || byte > 0x7E) {
		if (person->param_count + 1U < sizeof person->params) {
			person->params[person->param_count++] = (char)byte;
			person->params[person->param_count] = '\0';
		}
		return false;
	}
	person->part = PART_GROUND;
	*what = csi_meaning(person, byte);
	return true;
}

static bool string_take(struct bh_person *person, unsigned char byte, enum bh_input *what)
{
	bool is_end = byte == 0x07 || (person->part == PART_STRING_ESCAPE && byte == '\\');

	person->has_content = true;
	if (is_end) {
		person->part = PART_GROUND;
		*what = BH_INPUT_REPLY;
		return true;
	}
	person->part = byte == 0x1B ? PART_STRING_ESCAPE : PART_STRING;
	return false;
}

/** Take one byte; true when a thing is complete. */
static bool byte_take(struct bh_person *person, unsigned char byte, enum bh_input *what)
{
	if (person->mouse_left) {
		person->mouse_left--;
		return false;
	}
	switch ((enum part)person->part) {
	case PART_ESCAPE:
		return escape_take(person, byte, what);
	case PART_CSI:
		return csi_take(person, byte, what);
	case PART_SS3:
		person->part = PART_GROUND;
		*what = BH_INPUT_PERSON_KEY;
		return true;
	case PART_STRING:
	case PART_STRING_ESCAPE:
		return string_take(person, byte, what);
	case PART_GROUND:
		break;
	}
	if (byte == 0x1B) {
		person->part = PART_ESCAPE;
		return false;
	}
	*what = ground_meaning(person, byte);
	return true;
}

bool bh_person_next(struct bh_person *person, const unsigned char **at, const unsigned char *end,
                    enum bh_input *what_out)
{
	bool has_taken = *at < end;

	while (*at < end) {
		if (byte_take(person, *(*at)++, what_out)) {
			return true;
		}
	}
	// Bytes end right behind ESC, or Alt-] and its like: a person pressed it. If it was the
	// first half of an answer, the other half is still read as one.
	if (has_taken && !person->is_paste &&
	    (person->part == PART_ESCAPE ||
	     (person->part == PART_STRING && !person->has_content))) {
		*what_out = BH_INPUT_PERSON_KEY;
		return true;
	}
	return false;
}
