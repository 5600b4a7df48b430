#include "src/ui/question.h"

#include "src/base/utf8.h"

#include <stdio.h>
#include <string.h>

/** Keys as a plain terminal sends them. */
enum {
	KEY_C_C = 0x03,
	KEY_C_H = 0x08,
	KEY_C_U = 0x15,
	KEY_C_W = 0x17,
	KEY_ESCAPE = 0x1b,
	KEY_DELETE = 0x7f,
};

void bh_question_ask(struct bh_question *question, const char *label, const char *text)
{
	*question = (struct bh_question){.state = BH_QUESTION_OPEN};
	(void)snprintf(question->label, sizeof(question->label), "%s", label);
	(void)snprintf(question->text, sizeof(question->text), "%s", text);
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

/** A control character: edit, or end. */
static void take_control(struct bh_question *question, char key)
{
	switch (key) {
	case KEY_DELETE:
	case KEY_C_H:
		erase_character(question);
		break;
	case KEY_C_U:
		question->text[0] = '\0';
		break;
	case KEY_C_W:
		erase_word(question);
		break;
	case '\r':
	case '\n':
		question->state = BH_QUESTION_ACCEPTED;
		break;
	case KEY_ESCAPE:
	case KEY_C_C:
		question->state = BH_QUESTION_CANCELLED;
		break;
	default:
		break;
	}
}

/** Take the first key of @keys of @len bytes; gives the bytes used. */
static size_t take_key(struct bh_question *question, const char *keys, size_t len)
{
	uint32_t code = 0;
	size_t used = bh_utf8_next(keys, len, &code);
	size_t filled = strlen(question->text);

	if (question->is_yes_or_no) {
		question->state =
			code == 'y' || code == 'Y' ? BH_QUESTION_ACCEPTED : BH_QUESTION_CANCELLED;
	} else if (code < 0x20 || code == KEY_DELETE) {
		take_control(question, keys[0]);
	} else if (used > 0 && !(code >= 0x80 && code < 0xa0) &&
	           filled + used < sizeof(question->text)) {
		memcpy(question->text + filled, keys, used);
		question->text[filled + used] = '\0';
	}
	return used == 0 ? 1 : used;
}

enum bh_question_state bh_question_keys(struct bh_question *question, struct bh_span keys)
{
	// A sequence (an arrow, say) is no key of ours; Escape on its own is.
	if (question->state == BH_QUESTION_OPEN && keys.len > 1 && keys.data[0] == KEY_ESCAPE) {
		return question->state;
	}
	while (question->state == BH_QUESTION_OPEN && keys.len > 0) {
		size_t used = take_key(question, keys.data, keys.len);

		keys.data += used;
		keys.len -= used;
	}
	return question->state;
}
