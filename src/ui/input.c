#include "src/ui/input.h"

#include "src/ui/keytable.h"
#include "src/ui/token.h"

#include <stdlib.h>
#include <string.h>

void bh_input_clear(struct bh_input *input)
{
	bh_buf_clear(&input->in);
	bh_buf_clear(&input->out);
	*input = (struct bh_input){.is_paste_plain = input->is_paste_plain,
	                           .is_kitty = input->is_kitty,
	                           .is_decoding = input->is_decoding,
	                           .prefix = input->prefix,
	                           .is_direct = input->is_direct,
	                           .direct_user = input->direct_user,
	                           .partial_ms = input->partial_ms};
}

static bool token_is_prefix(const struct bh_input *input, const struct bh_token *token)
{
	const struct bh_layer_key *key = &token->key;
	const struct bh_layer_key *prefix = &input->prefix;

	if (token->kind != BH_TOKEN_KEY || key->is_alt != prefix->is_alt || key->is_shift) {
		return false;
	}
	return prefix->key == 0 ? key->key == BH_INPUT_PREFIX && key->is_control
	                        : key->key == prefix->key && key->is_control == prefix->is_control;
}

/** Whether the key is a command because the one before was. */
static bool token_is_repeat(const struct bh_input *input, const struct bh_token *token,
                            uint64_t now_ms)
{
	return token->kind == BH_TOKEN_KEY && token->key.key >= BH_KEY_UP &&
	       token->key.key <= BH_KEY_LEFT && token->key.is_control != token->key.is_alt &&
	       !token->key.is_shift && now_ms < input->repeat_until_ms;
}

static bool token_is_direct(const struct bh_input *input, const struct bh_token *token)
{
	return token->kind == BH_TOKEN_KEY && input->is_direct != NULL && !input->is_decoding &&
	       input->is_direct(input->direct_user, &token->key);
}

/** Move the first @len bytes of the input to the output. */
static void pass(struct bh_input *input, size_t len)
{
	if (len > 0) {
		bh_buf_append(&input->out, input->in.data, len);
		bh_buf_consume(&input->in, len);
	}
}

/** Move a key of modifyOtherKeys ("\x1b[27;2;13~") to the output as kitty has it ("\x1b[13;2u"). */
static bool pass_as_kitty(struct bh_input *input, size_t len)
{
	static const char begin[] = "\x1b[27;";
	const size_t before = sizeof(begin) - 1;
	unsigned long modifiers = 0;
	unsigned long code = 0;
	char *end = NULL;

	if (!input->is_kitty || len <= before || memcmp(input->in.data, begin, before) != 0) {
		return false;
	}
	modifiers = strtoul(input->in.data + before, &end, 10);
	if (*end != ';') {
		return false;
	}
	code = strtoul(end + 1, &end, 10);
	if (end + 1 != input->in.data + len || *end != '~') {
		return false;
	}
	if (modifiers > 2 && code >= 'A' &&
	    code <= 'Z') { // kitty names the key, not what it writes
		code += 'a' - 'A';
	}
	bh_buf_printf(&input->out, "\x1b[%lu;%luu", code, modifiers);
	bh_buf_consume(&input->in, len);
	return true;
}

/** The beginning or the end of a paste. It is no key: a prefix before it is forgotten. */
static void pass_marker(struct bh_input *input, const struct bh_token *token)
{
	bool is_begin = token->kind == BH_TOKEN_PASTE_BEGIN;

	// The end is told to whoever was told the beginning.
	if (is_begin || !input->is_paste) {
		input->is_paste_bare = input->is_paste_plain || input->is_decoding;
	}
	input->is_paste = is_begin;
	input->is_prefix = false;
	if (input->is_paste_bare) {
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

/** Whether bytes wait to be given out; then they become the event. */
static bool give_bytes(struct bh_input *input, struct bh_input_event *event_out)
{
	if (input->out.len == 0) {
		return false;
	}
	*event_out = (struct bh_input_event){
		.kind = input->is_decoding ? BH_INPUT_PASTE : BH_INPUT_BYTES,
		.bytes = {.data = input->out.data, .len = input->out.len},
	};
	return true;
}

/** Give out the first @len bytes of the input, which the terminal itself sent. */
static void give_answer(struct bh_input *input, size_t len, struct bh_input_event *event_out)
{
	pass(input, len);
	*event_out = (struct bh_input_event){
		.kind = BH_INPUT_ANSWER,
		.bytes = {.data = input->out.data, .len = input->out.len},
	};
}

/** The key after the prefix, or one that repeats it. True with an event, false when it was none. */
static bool take_command(struct bh_input *input, const struct bh_token *token,
                         struct bh_input_event *event_out)
{
	if (token->kind == BH_TOKEN_SILENT || token->kind == BH_TOKEN_MOUSE) {
		return false;
	}
	input->is_prefix = false;
	*event_out = (struct bh_input_event){.kind = BH_INPUT_COMMAND};
	if (token->kind == BH_TOKEN_KEY) {
		event_out->pressed = token->key;
	}
	return true;
}

/** Take a token that stands alone, out of the input already. True with an event. */
static bool take_alone(struct bh_input *input, const struct bh_token *token, uint64_t now_ms,
                       struct bh_input_event *event_out)
{
	if (input->is_prefix || token_is_repeat(input, token, now_ms)) {
		return take_command(input, token, event_out);
	}
	if (token_is_prefix(input, token)) {
		input->is_prefix = true;
		*event_out = (struct bh_input_event){.kind = BH_INPUT_PREFIX_SEEN};
	} else if (token->kind == BH_TOKEN_FOCUS) {
		*event_out = (struct bh_input_event){.kind = BH_INPUT_FOCUS,
		                                     .key = token->has_focus ? 'I' : 'O'};
	} else if (token->kind == BH_TOKEN_MOUSE) {
		*event_out = (struct bh_input_event){.kind = BH_INPUT_MOUSE,
		                                     .mouse = {.button = token->button,
		                                               .is_release = token->is_release,
		                                               .row = token->row,
		                                               .col = token->col}};
	} else if (token->kind == BH_TOKEN_KEY) {
		*event_out = (struct bh_input_event){
			.kind = token_is_direct(input, token) ? BH_INPUT_DIRECT : BH_INPUT_KEY,
			.pressed = token->key};
	} else {
		return false;
	}
	return true;
}

/** Whether a token is not simply the next bytes for the program. */
static bool stands_alone(const struct bh_input *input, const struct bh_token *token,
                         uint64_t now_ms)
{
	return !input->is_paste &&
	       (input->is_decoding || input->is_prefix || token->kind == BH_TOKEN_FOCUS ||
	        token->kind == BH_TOKEN_MOUSE || token_is_prefix(input, token) ||
	        token_is_direct(input, token) || token_is_repeat(input, token, now_ms));
}

/** The first token of the input. False when more of it is to be waited for. */
static bool read_token(struct bh_input *input, uint64_t now_ms, struct bh_token *token_out)
{
	struct bh_token token = bh_token_read(input->in.data, input->in.len);

	if (token.kind == BH_TOKEN_PARTIAL || (token.is_cut && input->is_decoding)) {
		if (input->partial_at_ms == 0) {
			input->partial_at_ms = now_ms;
		}
		if (now_ms < bh_input_due_ms(input)) {
			return false;
		}
		if (token.kind == BH_TOKEN_PARTIAL) {
			token = bh_token_give_up(input->in.data, input->in.len);
		}
	}
	input->partial_at_ms = 0;
	*token_out = token;
	return true;
}

/** How many bytes at the front go on as they are without a look at each: text between keys that could
 * be ours, and inside of a paste everything up to its end. */
static size_t plain_run(const struct bh_input *input)
{
	size_t len = 0;

	if (!input->is_paste && (input->is_prefix || input->is_decoding)) {
		return 0;
	}
	while (len < input->in.len && input->in.data[len] != '\x1b' &&
	       (input->is_paste || (unsigned char)input->in.data[len] >= ' ')) {
		len++;
	}
	return len;
}

bool bh_input_next(struct bh_input *input, uint64_t now_ms, struct bh_input_event *event_out)
{
	struct bh_token token;

	bh_buf_consume(&input->out, input->out.len);
	pass(input, plain_run(input));
	while (input->in.len > 0 && read_token(input, now_ms, &token)) {
		if (token.kind == BH_TOKEN_PASTE_BEGIN || token.kind == BH_TOKEN_PASTE_END) {
			pass_marker(input, &token);
		} else if (token.kind == BH_TOKEN_ANSWER && !input->is_paste) {
			if (!give_bytes(input, event_out)) {
				give_answer(input, token.len, event_out);
			}
			return true;
		} else if (stands_alone(input, &token, now_ms)) {
			// What was collected goes first; the token stays for the next call.
			if (give_bytes(input, event_out)) {
				return true;
			}
			bh_buf_consume(&input->in, token.len);
			if (take_alone(input, &token, now_ms, event_out)) {
				return true;
			}
		} else if (input->is_paste || !pass_as_kitty(input, token.len)) {
			pass(input, token.len);
		}
		pass(input, plain_run(input));
	}
	return give_bytes(input, event_out);
}

uint64_t bh_input_due_ms(const struct bh_input *input)
{
	unsigned wait_ms = input->partial_ms == 0 ? BH_INPUT_PARTIAL_MS : input->partial_ms;

	return input->partial_at_ms == 0 ? 0 : input->partial_at_ms + wait_ms;
}
