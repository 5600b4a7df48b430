/** @file
 * A question in the status line: a line of text to fill in, or yes or no. Pure: keys in, answer out.
 */
#ifndef BH_UI_QUESTION_H
#define BH_UI_QUESTION_H

#include "src/base/buf.h"
#include "src/ui/layer.h"

#include <stdbool.h>

/** How far it is. */
enum bh_question_state {
	/** There is no question. */
	BH_QUESTION_CLOSED,
	/** It waits for more keys. */
	BH_QUESTION_OPEN,
	/** The text is entered; yes. */
	BH_QUESTION_ACCEPTED,
	/** Given up; no. */
	BH_QUESTION_CANCELLED,
};

/** A question. Zero-initialise: closed. */
struct bh_question {
	enum bh_question_state state;
	/** One key answers: y, or anything else. */
	bool is_yes_or_no;
	/** It is in a frame; the person's terminal has taken that. Before, no key says yes or no: who
	 * pressed it knew of no question. */
	bool is_drawn, is_shown;
	/** What is asked. */
	char label[160];
	/** What was filled in so far; valid UTF-8. */
	char text[200];
	/** Something to say behind it, until the next key. */
	char hint[200];
};

/** Ask for a line of text that begins with @text. */
void bh_question_ask(struct bh_question *question, const char *label, const char *text);

/** Ask for yes or no. */
void bh_question_confirm(struct bh_question *question, const char *label);

/**
 * Take a key: text, Backspace, C-u, C-w, Enter, Escape or C-c.
 *
 * @return
 *         The state after it.
 */
enum bh_question_state bh_question_key(struct bh_question *question,
                                       const struct bh_layer_key *key);

/** Take pasted text: its first line is filled in. It answers nothing. */
void bh_question_paste(struct bh_question *question, struct bh_span text);

#endif
