#include "src/ui/question.h"

#include "src/base/utf8.h"
#include "src/ui/keytable.h"

#include <stdio.h>
#include <string.h>

void bh_question_ask(struct bh_question *question, const char *label, const char *text)
{
	*question = (struct bh_question){.state = BH_QUESTION_OPEN};
	bh_utf8_copy(question->label, sizeof(question->label), label);
	bh_utf8_copy(question->text, sizeof(question->text), text);
}

void bh_question_confirm(struct bh_question *question, const char *label)
{
	bh_question_ask(question, label, "");
	question->is_yes_or_no = true;
}

/** Take the last character away. */
static void erase_character(struct bh_question *question)
{
	size_t len = strlen(question->text);

	while (len > 0 && ((unsigned char)question->text[len - 1] & 0xc0) == 0x80) {
		len--;
	}
	question->text[len > 0 ? len - 1 : 0] = '\0';
}

/** Take the last word away, and the blanks after it. */
static void erase_word(struct bh_question *question)
{
	size_t len = strlen(question->text);

	while (len > 0 && question->text[len - 1] == ' ') {
		len--;
	}
	while (len > 0 && question->text[len - 1] != ' ') {
		len--;
	}
	question->text[len] = '\0';
}

/** Fill in one character of @len bytes, where there is room for all of it. */
static void fill_in(struct bh_question *question, const char *text, size_t len)
{
	size_t filled = strlen(question->text);

	if (filled + len < sizeof(question->text)) {
		memcpy(question->text + filled, text, len);
		question->text[filled + len] = '\0';
	}
}

/** A key with control. */
static void take_control(struct bh_question *question, uint32_t key)
{
	switch (key) {
	case 'h':
		erase_character(question);
		break;
	case 'u':
		question->text[0] = '\0';
		break;
	case 'w':
		erase_word(question);
		break;
	case 'j':
		question->state = BH_QUESTION_ACCEPTED;
		break;
	case 'c':
	case 'g':
		question->state = BH_QUESTION_CANCELLED;
		break;
	default:
		break;
	}
}

/** A key without control. */
static void take_plain(struct bh_question *question, uint32_t key)
{
	char text[4];

	switch (key) {
	case 0x7f:
		erase_character(question);
		break;
	case '\r':
		question->state = BH_QUESTION_ACCEPTED;
		break;
	case 0x1b:
		question->state = BH_QUESTION_CANCELLED;
		break;
	default:
		if (key >= 0x20 && key < BH_KEY_UP && !(key >= 0x80 && key < 0xa0)) {
			fill_in(question, text, bh_utf8_put(key, text));
		}
		break;
	}
}

enum bh_question_state bh_question_key(struct bh_question *question, const struct bh_layer_key *key)
{
	if (question->state != BH_QUESTION_OPEN) {
		return question->state;
	}
	question->hint[0] = '\0';
	if (question->is_yes_or_no && question->is_shown) {
		bool is_yes =
			(key->key == 'y' || key->key == 'Y') && !key->is_control && !key->is_alt;

		question->state = is_yes ? BH_QUESTION_ACCEPTED : BH_QUESTION_CANCELLED;
	} else if (question->is_yes_or_no) {
		return question->state;
	} else if (key->is_control) {
		take_control(question, key->key);
	} else if (!key->is_alt) {
		take_plain(question, key->key);
	}
	return question->state;
}

void bh_question_paste(struct bh_question *question, struct bh_span text)
{
	while (question->state == BH_QUESTION_OPEN && !question->is_yes_or_no && text.len > 0) {
		uint32_t code = 0;
		size_t len = bh_utf8_next(text.data, text.len, &code);

		if (code == '\r' || code == '\n') {
			return;
		}
		if (len > 0 && code >= 0x20 && code != 0x7f && !(code >= 0x80 && code < 0xa0)) {
			fill_in(question, text.data, len);
		}
		len = len == 0 ? 1 : len;
		text.data += len;
		text.len -= len;
	}
}
