/** @file
 * A line at the bottom of a pane in copy mode, into which what is looked for is written. Pure.
 */
#ifndef BH_UI_COPYPROMPT_H
#define BH_UI_COPYPROMPT_H

#include "src/base/buf.h"
#include "src/ui/copykeys.h"
#include "src/ui/layer.h"

#include <stdbool.h>

/** Longest text, with its NUL (bytes). */
#define BH_COPYPROMPT_MAX 256

/** What became of it with a key. */
enum bh_copyprompt_state {
	/** Nothing of note. */
	BH_COPYPROMPT_OPEN,
	/** Its text is another one. */
	BH_COPYPROMPT_CHANGED,
	BH_COPYPROMPT_ACCEPTED,
	BH_COPYPROMPT_CANCELLED,
	/** Control-S or control-R: the next match down, or up. */
	BH_COPYPROMPT_NEXT_DOWN,
	BH_COPYPROMPT_NEXT_UP,
};

/** A prompt. Zero-initialise: closed. */
struct bh_copyprompt {
	bool is_open;
	/** For which command. */
	enum bh_copy_command command;
	/** Valid UTF-8. */
	char text[BH_COPYPROMPT_MAX];
};

/** Open it, empty. */
void bh_copyprompt_open(struct bh_copyprompt *prompt, enum bh_copy_command command);

/** Take a key: a character, Backspace, C-u, C-w, Enter, Escape, C-c or C-g, C-s and C-r. */
enum bh_copyprompt_state bh_copyprompt_key(struct bh_copyprompt *prompt,
                                           const struct bh_layer_key *key);

/** Take pasted text, up to its first control character. */
void bh_copyprompt_paste(struct bh_copyprompt *prompt, struct bh_span text);

/** What stands before the text; static. */
const char *bh_copyprompt_label(const struct bh_copyprompt *prompt);

#endif
