#include "demo_keys.h"

#include <string.h>

#define PASTE_START "\033[200~"
#define PASTE_END "\033[201~"
#define STATUS_ANSWER "\033]7501;?"

/* Single bytes that are keys by themselves. */
static const struct {
	char byte;
	enum bh_demo_key key;
} control_keys[] = {
	{'\r', BH_DEMO_KEY_ENTER},   {'\n', BH_DEMO_KEY_NEWLINE},   {'\003', BH_DEMO_KEY_CANCEL},
	{'\004', BH_DEMO_KEY_EOF},   {'\b', BH_DEMO_KEY_BACKSPACE}, {'\177', BH_DEMO_KEY_BACKSPACE},
	{'\025', BH_DEMO_KEY_ERASE},
};

/* Whole sequences that are keys; everything else that begins with ESC is OTHER. */
static const struct {
	const char *bytes;
	enum bh_demo_key key;
} sequence_keys[] = {
	{"\033[A", BH_DEMO_KEY_UP},          {"\033OA", BH_DEMO_KEY_UP},
	{"\033[B", BH_DEMO_KEY_DOWN},        {"\033OB", BH_DEMO_KEY_DOWN},
	{"\033\r", BH_DEMO_KEY_NEWLINE},     {"\033[13u", BH_DEMO_KEY_ENTER},
	{"\033[13;2u", BH_DEMO_KEY_NEWLINE}, {"\033[27u", BH_DEMO_KEY_ESCAPE},
};

static struct bh_demo_event event_of(enum bh_demo_key key)
{
	return (struct bh_demo_event){.key = key};
}

/* Length of the string sequence (OSC, DCS, APC, PM) at the start of @text, or 0: not complete. */
static size_t string_len(struct bh_span text)
{
	for (size_t at = 2; at < text.len; at++) {
		if (text.data[at] == '\a') {
			return at + 1;
		}
		if (text.data[at] == '\\' && text.data[at - 1] == '\033') {
			return at + 1;
		}
	}
	return 0;
}

/* Length of the CSI sequence at the start of @text, or 0: not complete. */
static size_t csi_len(struct bh_span text)
{
	for (size_t at = 2; at < text.len; at++) {
		if (text.data[at] >= 0x40 && text.data[at] <= 0x7e) {
			return at + 1;
		}
	}
	return 0;
}

/* Length of the sequence that begins with ESC at the start of @text, or 0: not complete. */
static size_t sequence_len(struct bh_span text)
{
	if (text.len < 2) {
		return 0;
	}
	switch (text.data[1]) {
	case '[':
		return csi_len(text);
	case ']':
	case 'P':
	case '_':
	case '^':
		return string_len(text);
	case 'O':
		return text.len >= 3 ? 3 : 0;
	default:
		return 2;
	}
}

static enum bh_demo_key sequence_key(struct bh_span text)
{
	for (size_t i = 0; i < sizeof(sequence_keys) / sizeof(sequence_keys[0]); i++) {
		const char *bytes = sequence_keys[i].bytes;

		if (text.len == strlen(bytes) && memcmp(text.data, bytes, text.len) == 0) {
			return sequence_keys[i].key;
		}
	}
	if (text.len >= strlen(STATUS_ANSWER) &&
	    memcmp(text.data, STATUS_ANSWER, strlen(STATUS_ANSWER)) == 0) {
		return BH_DEMO_KEY_STATUS_ANSWER;
	}
	if (text.len > 3 && text.data[1] == '[' && text.data[2] == '?' &&
	    text.data[text.len - 1] == 'c') {
		return BH_DEMO_KEY_DA1_ANSWER;
	}
	return BH_DEMO_KEY_OTHER;
}

static size_t paste_take(struct bh_span text, struct bh_demo_event *event_out)
{
	const char *inside = text.data + strlen(PASTE_START);
	const char *end =
		memmem(inside, text.len - strlen(PASTE_START), PASTE_END, strlen(PASTE_END));

	if (end == NULL) {
		return 0;
	}
	*event_out = event_of(BH_DEMO_KEY_PASTE);
	event_out->text = (struct bh_span){.data = inside, .len = (size_t)(end - inside)};
	return (size_t)(end - text.data) + strlen(PASTE_END);
}

static size_t escape_take(struct bh_span text, bool is_quiet, struct bh_demo_event *event_out)
{
	size_t len = sequence_len(text);

	if (text.len >= strlen(PASTE_START) &&
	    memcmp(text.data, PASTE_START, strlen(PASTE_START)) == 0) {
		return paste_take(text, event_out);
	}
	if (len == 0) {
		if (!is_quiet) {
			return 0;
		}
		*event_out = event_of(BH_DEMO_KEY_ESCAPE);
		return 1;
	}
	*event_out = event_of(sequence_key((struct bh_span){.data = text.data, .len = len}));
	return len;
}

static size_t control_take(char byte, struct bh_demo_event *event_out)
{
	*event_out = event_of(BH_DEMO_KEY_OTHER);
	for (size_t i = 0; i < sizeof(control_keys) / sizeof(control_keys[0]); i++) {
		if (control_keys[i].byte == byte) {
			event_out->key = control_keys[i].key;
		}
	}
	return 1;
}

static bool byte_is_control(char byte)
{
	return (unsigned char)byte < 0x20 || byte == '\177';
}

static size_t text_take(struct bh_span text, struct bh_demo_event *event_out)
{
	size_t len = 0;

	while (len < text.len && !byte_is_control(text.data[len])) {
		len++;
	}
	*event_out = event_of(BH_DEMO_KEY_TEXT);
	event_out->text = (struct bh_span){.data = text.data, .len = len};
	return len;
}

void bh_demo_keys_feed(struct bh_demo_keys *keys, const void *bytes, size_t len)
{
	bh_buf_consume(&keys->pending, keys->taken);
	keys->taken = 0;
	bh_buf_append(&keys->pending, bytes, len);
}

bool bh_demo_keys_next(struct bh_demo_keys *keys, bool is_quiet, struct bh_demo_event *event_out)
{
	struct bh_span text;

	bh_buf_consume(&keys->pending, keys->taken);
	keys->taken = 0;
	text = (struct bh_span){.data = keys->pending.data, .len = keys->pending.len};
	if (text.len == 0) {
		return false;
	}
	if (text.data[0] == '\033') {
		keys->taken = escape_take(text, is_quiet, event_out);
	} else if (byte_is_control(text.data[0])) {
		keys->taken = control_take(text.data[0], event_out);
	} else {
		keys->taken = text_take(text, event_out);
	}
	return keys->taken > 0;
}

bool bh_demo_keys_is_waiting(const struct bh_demo_keys *keys)
{
	return keys->pending.len > keys->taken;
}

void bh_demo_keys_clear(struct bh_demo_keys *keys)
{
	bh_buf_clear(&keys->pending);
	keys->taken = 0;
}
