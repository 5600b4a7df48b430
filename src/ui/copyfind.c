#include "src/ui/copyfind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bh_copyfind_clear(struct bh_copyfind *find)
{
	bh_copysearch_clear(&find->before);
	*find = (struct bh_copyfind){0};
}

void bh_copyfind_tell(struct bh_copyreader *reader, const struct bh_layer_host *host,
                      enum bh_copyreader_found found)
{
	char text[BH_COPYSEARCH_MAX + 64];
	const struct bh_copysearch *search = &reader->search;
	bool is_miss = found == BH_COPYREADER_NOT_FOUND || found == BH_COPYREADER_TOO_MUCH;

	if (reader->is_miss_told && !is_miss) {
		host->say(host->user, "");
	}
	reader->is_miss_told = is_miss;
	if (found == BH_COPYREADER_NOT_FOUND && search->len == 0) {
		host->say(host->user, "nothing was looked for yet: / and ? do");
	} else if (found == BH_COPYREADER_NOT_FOUND) {
		(void)snprintf(text, sizeof(text), "not found: %.*s", (int)search->len,
		               search->text);
		host->say(host->user, text);
	} else if (found == BH_COPYREADER_TOO_MUCH) {
		(void)snprintf(text, sizeof(text), "it takes too long to look for %.*s",
		               (int)search->len, search->text);
		host->say(host->user, text);
	}
}

void bh_copyfind_again(struct bh_copyreader *reader, const struct bh_layer_host *host,
                       bool is_reverse)
{
	bool is_up = reader->is_search_up;

	bh_copyfind_tell(reader, host,
	                 bh_copyreader_search(reader, is_up != is_reverse, reader->cursor));
	// The search itself goes its way, also when it is done later.
	reader->is_search_up = is_up;
}

void bh_copyfind_word(struct bh_copyreader *reader, const struct bh_layer_host *host, bool is_up)
{
	struct bh_selection word = {0};
	struct bh_buf text = {0};

	bh_selection_begin(&word, BH_SELECTION_WORDS, reader->cursor);
	bh_selection_text(&word, reader->cache, &text);
	if (text.len > 0 && text.data[0] != ' ' && text.data[0] != '\n') {
		(void)bh_copysearch_set(&reader->search, (struct bh_span){text.data, text.len},
		                        false, NULL); // no pattern
		bh_copyfind_tell(reader, host, bh_copyreader_search(reader, is_up, reader->cursor));
	}
	bh_buf_clear(&text);
}

// -------------------------------------------------------------------------------- the prompt

static bool find_is_search(const struct bh_copyfind *find)
{
	return find->prompt.command != BH_COPY_GOTO_LINE;
}

static bool find_is_pattern(const struct bh_copyfind *find)
{
	return find->prompt.command == BH_COPY_PATTERN_DOWN ||
	       find->prompt.command == BH_COPY_PATTERN_UP;
}

static bool find_is_up(const struct bh_copyfind *find)
{
	return find->prompt.command == BH_COPY_PATTERN_UP ||
	       find->prompt.command == BH_COPY_SEARCH_UP;
}

void bh_copyfind_open(struct bh_copyfind *find, const struct bh_copyreader *reader,
                      enum bh_copy_command command)
{
	find->origin = reader->cursor;
	bh_copysearch_copy(&find->before, &reader->search);
	find->missing[0] = '\0';
	bh_copyprompt_open(&find->prompt, command);
}

/** Everything as it was before the prompt. */
static void go_back(struct bh_copyfind *find, struct bh_copyreader *reader)
{
	bh_copyreader_stop(reader);
	bh_copysearch_copy(&reader->search, &find->before);
	bh_copyreader_goto(reader, find->origin);
}

/** The text is another one: look for it from where the prompt was opened. */
static void look(struct bh_copyfind *find, struct bh_copyreader *reader,
                 const struct bh_layer_host *host)
{
	const char *text = find->prompt.text;
	enum bh_copyreader_found found;

	if (bh_copysearch_set(&reader->search, bh_span_of(text), find_is_pattern(find), NULL) !=
	    0) {
		// Half of a pattern is often none.
		bh_copyfind_tell(reader, host, BH_COPYREADER_SEARCHING);
		bh_copyreader_stop(reader);
		bh_copyreader_goto(reader, find->origin);
		return;
	}
	if (find->missing[0] != '\0' && reader->search.pattern == NULL &&
	    strncmp(text, find->missing, strlen(find->missing)) == 0) {
		// What is nowhere is not there with more behind it: a burst of keys costs nothing.
		bh_copyfind_tell(reader, host, BH_COPYREADER_NOT_FOUND);
		return;
	}
	found = bh_copyreader_search(reader, find_is_up(find), find->origin);
	find->missing[0] = '\0';
	if (found == BH_COPYREADER_NOT_FOUND && reader->search.pattern == NULL) {
		(void)snprintf(find->missing, sizeof(find->missing), "%s", text);
	}
	if (found != BH_COPYREADER_FOUND) {
		bh_copyreader_goto(reader, find->origin);
	}
	bh_copyfind_tell(reader, host, text[0] != '\0' ? found : BH_COPYREADER_SEARCHING);
}

static void accept(struct bh_copyfind *find, struct bh_copyreader *reader,
                   const struct bh_layer_host *host)
{
	const char *text = find->prompt.text;
	struct bh_err err = {0};

	if (!find_is_search(find)) {
		bh_copyreader_stop(reader);
		bh_copyreader_move(reader, BH_COPY_HISTORY_BOTTOM, 1);
		bh_copyreader_scroll(reader, -(int64_t)strtol(text, NULL, 10));
	} else if (text[0] == '\0') {
		bh_copysearch_copy(&reader->search, &find->before);
		reader->is_search_up = find_is_up(find);
		bh_copyfind_again(reader, host, false);
	} else if (reader->search.len == 0 && bh_copysearch_set(&reader->search, bh_span_of(text),
	                                                        find_is_pattern(find), &err) != 0) {
		go_back(find, reader);
		host->say(host->user, err.text);
	}
}

/** The next match in a direction, and the prompt is for that one from now on. */
static void next(struct bh_copyfind *find, struct bh_copyreader *reader,
                 const struct bh_layer_host *host, bool is_next_up)
{
	if (!find_is_search(find)) {
		return;
	}
	if (find_is_pattern(find)) {
		find->prompt.command = is_next_up ? BH_COPY_PATTERN_UP : BH_COPY_PATTERN_DOWN;
	} else {
		find->prompt.command = is_next_up ? BH_COPY_SEARCH_UP : BH_COPY_SEARCH_DOWN;
	}
	reader->is_search_up = is_next_up;
	bh_copyfind_again(reader, host, false);
}

void bh_copyfind_key(struct bh_copyfind *find, struct bh_copyreader *reader,
                     const struct bh_layer_host *host, const struct bh_layer_key *key)
{
	switch (bh_copyprompt_key(&find->prompt, key)) {
	case BH_COPYPROMPT_CHANGED:
		if (find_is_search(find)) {
			look(find, reader, host);
		}
		break;
	case BH_COPYPROMPT_ACCEPTED:
		accept(find, reader, host);
		break;
	case BH_COPYPROMPT_CANCELLED:
		go_back(find, reader);
		break;
	case BH_COPYPROMPT_NEXT_DOWN:
	case BH_COPYPROMPT_NEXT_UP:
		next(find, reader, host, key->key == 'r');
		break;
	case BH_COPYPROMPT_OPEN:
		break;
	}
}

void bh_copyfind_paste(struct bh_copyfind *find, struct bh_copyreader *reader,
                       const struct bh_layer_host *host, struct bh_span text)
{
	bh_copyprompt_paste(&find->prompt, text);
	if (find_is_search(find)) {
		look(find, reader, host);
	}
}
