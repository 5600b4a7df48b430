#include "src/ui/copyprompt.h"

#include "src/base/utf8.h"

#include <string.h>

void bh_copyprompt_open(struct bh_copyprompt *prompt, enum bh_copy_command command)
{
	*prompt = (struct bh_copyprompt){.is_open = true, .command = command};
}

const char *bh_copyprompt_label(const struct bh_copyprompt *prompt)
{
	switch ((int)prompt->command) {
	case BH_COPY_SEARCH_DOWN:
	case BH_COPY_PATTERN_DOWN:
		return "/";
	case BH_COPY_SEARCH_UP:
	case BH_COPY_PATTERN_UP:
		return "?";
	default:
		return "lines up: ";
	}
}

static void cut_last(struct bh_copyprompt *prompt)
{
	size_t len = strlen(prompt->text);

	prompt->text[len > 0 ? bh_utf8_cut(prompt->text, len, len - 1) : 0] = '\0';
}

static void cut_word(struct bh_copyprompt *prompt)
{
	size_t len = strlen(prompt->text);

	while (len > 0 && prompt->text[len - 1] == ' ') {
		len--;
	}
	while (len > 0 && prompt->text[len - 1] != ' ') {
		len--;
	}
	prompt->text[len] = '\0';
}

static bool add(struct bh_copyprompt *prompt, const char *bytes, size_t len)
{
	size_t used = strlen(prompt->text);

	if (used + len >= sizeof(prompt->text)) {
		return false;
	}
	memcpy(prompt->text + used, bytes, len);
	prompt->text[used + len] = '\0';
	return true;
}

/** A key with control, as the letter. */
static enum bh_copyprompt_state take_control(struct bh_copyprompt *prompt, uint32_t key)
{
	switch (key) {
	case 'h':
		cut_last(prompt);
		return BH_COPYPROMPT_CHANGED;
	case 'u':
		prompt->text[0] = '\0';
		return BH_COPYPROMPT_CHANGED;
	case 'w':
		cut_word(prompt);
		return BH_COPYPROMPT_CHANGED;
	case 'j':
	case 'm':
		return BH_COPYPROMPT_ACCEPTED;
	case 'c':
	case 'g':
		return BH_COPYPROMPT_CANCELLED;
	case 's':
		return BH_COPYPROMPT_NEXT_DOWN;
	case 'r':
		return BH_COPYPROMPT_NEXT_UP;
	default:
		return BH_COPYPROMPT_OPEN;
	}
}

enum bh_copyprompt_state bh_copyprompt_key(struct bh_copyprompt *prompt,
                                           const struct bh_layer_key *key)
{
	enum bh_copyprompt_state state = BH_COPYPROMPT_OPEN;
	char bytes[4];

	if (key->is_control) {
		state = take_control(prompt, key->key);
	} else if (key->key == '\r') {
		state = BH_COPYPROMPT_ACCEPTED;
	} else if (key->key == 0x1b || (key->key == 0x7f && prompt->text[0] == '\0')) {
		state = BH_COPYPROMPT_CANCELLED;
	} else if (key->key == 0x7f) {
		cut_last(prompt);
		state = BH_COPYPROMPT_CHANGED;
	} else if (!key->is_alt && key->key >= 0x20 && key->key < 0x110000) {
		size_t len = bh_utf8_put(key->key, bytes);

		state = add(prompt, bytes, len) ? BH_COPYPROMPT_CHANGED : BH_COPYPROMPT_OPEN;
	}
	prompt->is_open = state != BH_COPYPROMPT_ACCEPTED && state != BH_COPYPROMPT_CANCELLED;
	return state;
}

void bh_copyprompt_paste(struct bh_copyprompt *prompt, struct bh_span text)
{
	for (size_t at = 0, n = 0; at < text.len; at += n) {
		uint32_t code = 0;

		n = bh_utf8_next(text.data + at, text.len - at, &code);
		if (n == 0 || code < 0x20 || code == 0x7f || !add(prompt, text.data + at, n)) {
			return;
		}
	}
}
