/** @file
 * The searches of copy mode: what is typed into its prompt, and what a reader's search came to, in
 * words.
 */
#ifndef BH_UI_COPYFIND_H
#define BH_UI_COPYFIND_H

#include "src/ui/copyprompt.h"
#include "src/ui/copyreader.h"
#include "src/ui/layer.h"

/** The prompt and what it goes back to. Zero-initialise; end with bh_copyfind_clear(). */
struct bh_copyfind {
	struct bh_copyprompt prompt;
	/** Where the cursor was before the prompt, and what was looked for. */
	struct bh_linecache_place origin;
	struct bh_copysearch before;
	/** What the prompt said when that was nowhere; "": nothing yet. */
	char missing[BH_COPYPROMPT_MAX];
};

/** Free; closed again. */
void bh_copyfind_clear(struct bh_copyfind *find);

/** Open the prompt for one of the commands that wait for a line of text. */
void bh_copyfind_open(struct bh_copyfind *find, const struct bh_copyreader *reader,
                      enum bh_copy_command command);

/** Take a key while the prompt is open. The reader goes along; @host is told what is not found. */
void bh_copyfind_key(struct bh_copyfind *find, struct bh_copyreader *reader,
                     const struct bh_layer_host *host, const struct bh_layer_key *key);

/** Take pasted text while the prompt is open. */
void bh_copyfind_paste(struct bh_copyfind *find, struct bh_copyreader *reader,
                       const struct bh_layer_host *host, struct bh_span text);

/** Look for the same again. */
void bh_copyfind_again(struct bh_copyreader *reader, const struct bh_layer_host *host,
                       bool is_reverse);

/** Look for the word under the cursor. */
void bh_copyfind_word(struct bh_copyreader *reader, const struct bh_layer_host *host, bool is_up);

/** Say what a search came to, when it did not find; else take back that the one before did not. */
void bh_copyfind_tell(struct bh_copyreader *reader, const struct bh_layer_host *host,
                      enum bh_copyreader_found found);

#endif
