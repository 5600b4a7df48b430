#include "src/ui/input.h"

#include "src/base/utf8.h"
#include "src/ui/keytable.h"

#include <stdlib.h>
#include <string.h>

/** The longest sequence that is waited for; longer ones go on as they are (bytes). */
#define SEQUENCE_MAX 64

/** Modifiers of the kitty protocol and of modifyOtherKeys, less one. Lock keys do not count. */
#define MODIFIER_SHIFT 1U
#define MODIFIER_CONTROL 4U
#define MODIFIER_LOCKS (64U | 128U)

/** What one token of the input is. */
enum token_kind {
	/** The end has not come yet. */
	TOKEN_PARTIAL,
	/** A byte or character, or a sequence we do not look into. */
	TOKEN_OTHER,
	/** A key as character with modifiers, pressed. */
	TOKEN_KEY,
	/** An arrow or a page key, pressed: enum bh_key with modifiers. */
	TOKEN_NAMED,
	/** A key let go, or a modifier key: never the key after the prefix. */
	TOKEN_SILENT,
	TOKEN_PASTE_BEGIN,
	TOKEN_PASTE_END,
	TOKEN_FOCUS,
	TOKEN_MOUSE,
};

/** One token. */
struct token {
	enum token_kind kind;
	/** Its bytes. */
	size_t len;
	/** Of KEY and NAMED: the key and modifiers; of FOCUS: I or O. */
	uint32_t key;
	unsigned modifiers;
	/** Of MOUSE: button, column and row from 1, M or m. */
	long mouse[3];
};

/** Up to four numbers of a CSI sequence, and what follows a colon in the second. */
struct csi {
	char lead;
	long args[4];
	int count;
	long event;
	char final;
	size_t len;
};

void bh_input_clear(struct bh_input *input)
{
	bh_buf_clear(&input->in);
	bh_buf_clear(&input->out);
	*input = (struct bh_input){.view = input->view, .is_paste_plain = input->is_paste_plain};
}

/** Read one CSI at @text ("\x1b["...). False when its end is missing. */
static bool csi_read(const char *text, size_t len, struct csi *csi)
{
	size_t at = 2;

	*csi = (struct csi){.event = 1};
	if (at < len && strchr("<>?=", text[at]) != NULL) {
		csi->lead = text[at++];
	}
	while (at < len && text[at] >= 0x20 && text[at] < 0x40) {
		if (text[at] >= '0' && text[at] <= '9') {
			char *end = NULL;

			csi->args[csi->count < 4 ? csi->count : 3] = strtol(text + at, &end, 10);
			at = (size_t)(end - text);
		} else if (text[at] == ':') {
			char *end = NULL;
			long part = strtol(text + at + 1, &end, 10);

			if (csi->count == 1) {
				csi->event = part;
			}
			at = (size_t)(end - text) > at ? (size_t)(end - text) : at + 1;
		} else {
			csi->count += text[at] == ';';
			at++;
		}
	}
	csi->count++;
	csi->len = at + 1;
	csi->final = at < len ? text[at] : '\0';
	return at < len;
}

/** A key in the form of the kitty protocol or of modifyOtherKeys. */
static struct token token_of_key(const struct csi *csi, long code, long modifiers)
{
	struct token token = {.kind = TOKEN_KEY, .len = csi->len};

	token.key = (uint32_t)code;
	token.modifiers = modifiers < 1 ? 0 : (unsigned)(modifiers - 1) & ~MODIFIER_LOCKS;
	// 57441 to 57454 are the modifier keys themselves; event 3 is a release.
	if ((code >= 57441 && code <= 57454) || csi->event == 3) {
		token.kind = TOKEN_SILENT;
	}
	return token;
}

/** The key that is named by the end of a sequence: of "\x1b[1;5A" and "\x1bOA" the A. 0: none. */
static uint32_t key_of_final(char final)
{
	static const char finals[] = "ABCD";
	const char *at = final == '\0' ? NULL : strchr(finals, final);

	return at == NULL ? 0 : (uint32_t)BH_KEY_UP + (uint32_t)(at - finals);
}

/** A key with a name of its own, or a sequence that we do not look into. */
static struct token token_of_named(const struct csi *csi)
{
	struct token token = {.kind = TOKEN_OTHER, .len = csi->len};

	token.key = key_of_final(csi->final);
	if (csi->final == '~' && (csi->args[0] == 5 || csi->args[0] == 6)) {
		token.key = csi->args[0] == 5 ? BH_KEY_PAGE_UP : BH_KEY_PAGE_DOWN;
	}
	if (token.key != 0) {
		token.kind = csi->event == 3 ? TOKEN_SILENT : TOKEN_NAMED;
		token.modifiers =
			csi->args[1] < 1 ? 0 : (unsigned)(csi->args[1] - 1) & ~MODIFIER_LOCKS;
	}
	return token;
}

static struct token token_of_csi(const struct csi *csi)
{
	struct token token = {.kind = TOKEN_OTHER, .len = csi->len};

	if (csi->lead == '<' && (csi->final == 'M' || csi->final == 'm')) {
		token.kind = TOKEN_MOUSE;
		memcpy(token.mouse, csi->args, sizeof(token.mouse));
		token.key = (uint32_t)csi->final;
		return token;
	}
	if (csi->lead != '\0') {
		return token;
	}
	if (csi->final == 'u') {
		return token_of_key(csi, csi->args[0], csi->args[1]);
	}
	if (csi->final == '~' && csi->args[0] == 27 && csi->count == 3) {
		return token_of_key(csi, csi->args[2], csi->args[1]);
	}
	if (csi->final == '~' && csi->args[0] == 200) {
		token.kind = TOKEN_PASTE_BEGIN;
	} else if (csi->final == '~' && csi->args[0] == 201) {
		token.kind = TOKEN_PASTE_END;
	} else if (csi->count == 1 && (csi->final == 'I' || csi->final == 'O') && csi->len == 3) {
		token.kind = TOKEN_FOCUS;
		token.key = (uint32_t)csi->final;
	} else {
		return token_of_named(csi);
	}
	return token;
}

/** The first token of @text, which is not empty. */
static struct token token_read(const char *text, size_t len)
{
	struct token token = {.kind = TOKEN_OTHER, .len = 1};
	struct csi csi;
	uint32_t code = 0;

	if (text[0] == '\x1b') {
		if (len == 1) {
			token.kind = TOKEN_PARTIAL;
			return token;
		}
		if (text[1] != '[') {
			token.len = text[1] == 'O' ? 3 : 2;
			token.kind = token.len <= len ? TOKEN_OTHER : TOKEN_PARTIAL;
			if (token.len == 3 && len >= 3 && key_of_final(text[2]) != 0) {
				token.kind = TOKEN_NAMED;
				token.key = key_of_final(text[2]);
			}
			return token;
		}
		if (!csi_read(text, len, &csi)) {
			token.kind = len < SEQUENCE_MAX ? TOKEN_PARTIAL : TOKEN_OTHER;
			token.len = len;
			return token;
		}
		return token_of_csi(&csi);
	}
	token.kind = TOKEN_KEY;
	if ((unsigned char)text[0] < 0x20) {
		token.key = (uint32_t)text[0] + 0x60;
		token.modifiers = MODIFIER_CONTROL;
		return token;
	}
	token.len = bh_utf8_next(text, len, &code);
	token.key = code;
	// A character cut in two is not waited for: it goes on byte by byte.
	token.len = token.len == 0 ? 1 : token.len;
	return token;
}

static bool token_is_prefix(const struct token *token)
{
	return token->kind == TOKEN_KEY && token->key == BH_INPUT_PREFIX &&
	       token->modifiers == MODIFIER_CONTROL;
}

/** Move the first @len bytes of the input to the output. */
static void pass(struct bh_input *input, size_t len)
{
	bh_buf_append(&input->out, input->in.data, len);
	bh_buf_consume(&input->in, len);
}

/** A mouse report, moved to the pane; one outside of it is dropped. */
static void pass_mouse(struct bh_input *input, const struct token *token)
{
	long col = token->mouse[1] - input->view.col;
	long row = token->mouse[2] - input->view.row;

	bh_buf_consume(&input->in, token->len);
	if (input->view.rows == 0 ||
	    (col >= 1 && row >= 1 && col <= input->view.cols && row <= input->view.rows)) {
		bh_buf_printf(&input->out, "\x1b[<%ld;%ld;%ld%c", token->mouse[0],
		              col + input->view.first_col, row + input->view.first_row,
		              (char)token->key);
	}
}

/** The beginning or the end of a paste. It is no key: a prefix before it is forgotten. */
static void pass_marker(struct bh_input *input, const struct token *token)
{
	input->is_paste = token->kind == TOKEN_PASTE_BEGIN;
	input->is_prefix = false;
	if (input->is_paste_plain) {
		bh_buf_consume(&input->in, token->len);
	} else {
		pass(input, token->len);
	}
}

void bh_input_feed(struct bh_input *input, const char *bytes, size_t len, uint64_t now_ms)
{
	bh_buf_append(&input->in, bytes, len);
	if (input->partial_at_ms != 0) {
		input->partial_at_ms = now_ms;
	}
}

/** The key after the prefix. True with an event, false when it was none. */
static bool take_command(struct bh_input *input, const struct token *token,
                         struct bh_input_event *event_out)
{
	bh_buf_consume(&input->in, token->len);
	if (token->kind == TOKEN_SILENT || token->kind == TOKEN_MOUSE) {
		return false;
	}
	input->is_prefix = false;
	*event_out = (struct bh_input_event){
		.kind = BH_INPUT_COMMAND,
		.key = token->kind == TOKEN_KEY || token->kind == TOKEN_NAMED ? token->key : 0,
		.is_control = (token->modifiers & MODIFIER_CONTROL) != 0,
	};
	return true;
}

/** Whether bytes wait to be given out; then they become the event. */
static bool give_bytes(struct bh_input *input, struct bh_input_event *event_out)
{
	if (input->out.len == 0) {
		return false;
	}
	*event_out = (struct bh_input_event){
		.kind = BH_INPUT_BYTES,
		.bytes = {.data = input->out.data, .len = input->out.len},
	};
	return true;
}

/** Take a token that must stand alone. True with an event. */
static bool take_special(struct bh_input *input, const struct token *token,
                         struct bh_input_event *event_out)
{
	if (input->is_prefix || token->kind == TOKEN_NAMED) {
		return take_command(input, token, event_out);
	}
	bh_buf_consume(&input->in, token->len);
	if (token->kind == TOKEN_FOCUS) {
		*event_out = (struct bh_input_event){.kind = BH_INPUT_FOCUS, .key = token->key};
		return true;
	}
	input->is_prefix = true;
	*event_out = (struct bh_input_event){.kind = BH_INPUT_PREFIX_SEEN};
	return true;
}

/** Whether the key is a command because the one before was. */
static bool token_is_repeat(const struct bh_input *input, const struct token *token,
                            uint64_t now_ms)
{
	return token->kind == TOKEN_NAMED && token->modifiers == MODIFIER_CONTROL &&
	       now_ms < input->repeat_until_ms;
}

bool bh_input_next(struct bh_input *input, uint64_t now_ms, struct bh_input_event *event_out)
{
	bh_buf_consume(&input->out, input->out.len);
	while (input->in.len > 0) {
		struct token token = token_read(input->in.data, input->in.len);

		if (token.kind == TOKEN_PARTIAL) {
			if (input->partial_at_ms == 0) {
				input->partial_at_ms = now_ms;
			}
			if (now_ms - input->partial_at_ms < BH_INPUT_PARTIAL_MS) {
				break;
			}
			token = (struct token){.kind = TOKEN_OTHER, .len = input->in.len};
		}
		input->partial_at_ms = 0;
		if (token.kind == TOKEN_PASTE_BEGIN || token.kind == TOKEN_PASTE_END) {
			pass_marker(input, &token);
		} else if (!input->is_paste &&
		           (input->is_prefix || token.kind == TOKEN_FOCUS ||
		            token_is_prefix(&token) || token_is_repeat(input, &token, now_ms))) {
			// What was collected goes first; the token stays for the next call.
			if (give_bytes(input, event_out) ||
			    take_special(input, &token, event_out)) {
				return true;
			}
		} else if (!input->is_paste && token.kind == TOKEN_MOUSE) {
			pass_mouse(input, &token);
		} else {
			pass(input, token.len);
		}
	}
	return give_bytes(input, event_out);
}

uint64_t bh_input_due_ms(const struct bh_input *input)
{
	return input->partial_at_ms == 0 ? 0 : input->partial_at_ms + BH_INPUT_PARTIAL_MS;
}
