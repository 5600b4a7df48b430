/** @file
 * What bytes from a person's terminal are: keys, text, Enter, or mere answers and reports. The
 * bytes themselves go to the program unchanged; this only names them.
 */
#ifndef BH_AGENT_PERSON_H
#define BH_AGENT_PERSON_H

#include "judge.h"

#include <stdbool.h>
#include <stddef.h>

/** Where in a sequence the reader stands. Zero-initialise. */
struct bh_person {
	/** Inside of what; values of person.c. */
	unsigned char part;
	/** Parameters of the sequence so far. */
	char params[24];
	/** Their number. */
	unsigned char param_count;
	/** Bytes of a mouse report (X10) still to come. */
	unsigned char mouse_left;
	/** Between paste-start and paste-end: all is text. */
	bool is_paste;
	/** The string (OSC, DCS …) has content. */
	bool has_content;
};

/**
 * Name the next thing in the bytes from *@at to @end.
 *
 * @at
 *         Moved behind what was named.
 * @return
 *         False when the bytes are used up; the rest of a cut sequence is remembered.
 */
bool bh_person_next(struct bh_person *person, const unsigned char **at, const unsigned char *end,
                    enum bh_input *what_out);

#endif
