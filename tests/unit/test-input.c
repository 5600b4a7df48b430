#include "src/ui/input.h"

#include "src/ui/keytable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *key_name(uint32_t key)
{
	static const char *const names[] = {"Up",     "Down",     "Right", "Left",
	                                    "PageUp", "PageDown", "Home",  "End"};

	return key - BH_KEY_UP < sizeof(names) / sizeof(names[0]) ? names[key - BH_KEY_UP] : "?";
}

static void describe_key(const struct bh_input_event *event, struct bh_buf *out)
{
	if (event->key >= BH_KEY_UP) {
		bh_buf_printf(out, "%s>", key_name(event->key));
	} else if (event->key == 0x1b) {
		bh_buf_puts(out, "Escape>");
	} else if (event->key == '\t') {
		bh_buf_puts(out, "Tab>");
	} else if (event->key == '\r') {
		bh_buf_puts(out, "Enter>");
	} else {
		bh_buf_printf(out, "%c>", event->key == 0 ? '0' : (char)event->key);
	}
}

/** Feed @len bytes in pieces of @piece and write all events to @out as text. */
static void describe(const char *bytes, size_t len, size_t piece, bool is_decoding,
                     struct bh_buf *out)
{
	struct bh_input input = {.is_decoding = is_decoding};
	struct bh_input_event event;
	bool is_run = false;

	for (size_t at = 0; at <= len; at += piece) {
		size_t n = len - at < piece ? len - at : piece;
		// After the last byte a late look, which gives up what stands unfinished.
		uint64_t now_ms = at + piece > len ? 1000 : 1;

		bh_input_feed(&input, bytes + at, n, 1);
		while (bh_input_next(&input, now_ms, &event)) {
			switch (event.kind) {
			case BH_INPUT_BYTES:
				if (!is_run) {
					bh_buf_puts(out, "|");
				}
				bh_buf_append(out, event.bytes.data, event.bytes.len);
				break;
			case BH_INPUT_PASTE:
				bh_buf_append(out, event.bytes.data, event.bytes.len);
				break;
			case BH_INPUT_COMMAND:
			case BH_INPUT_DIRECT:
				event.key = event.pressed.key;
				bh_buf_printf(out, "<%s%s%s",
				              event.kind == BH_INPUT_DIRECT ? "direct " : "",
				              event.pressed.is_control ? "C-" : "",
				              event.pressed.is_alt ? "M-" : "");
				describe_key(&event, out);
				break;
			case BH_INPUT_KEY:
				event.key = event.pressed.key;
				bh_buf_printf(out, "{%s%s", event.pressed.is_control ? "C-" : "",
				              event.pressed.is_alt ? "M-" : "");
				describe_key(&event, out);
				break;
			case BH_INPUT_MOUSE:
				bh_buf_printf(out, "<%u%s %d,%d>", event.mouse.button,
				              event.mouse.is_release ? " up" : "", event.mouse.row,
				              event.mouse.col);
				break;
			case BH_INPUT_PREFIX_SEEN:
				bh_buf_puts(out, "<prefix>");
				break;
			case BH_INPUT_ANSWER:
				bh_buf_printf(out, "<answer %.*s>", (int)event.bytes.len - 1,
				              (const char *)event.bytes.data + 1);
				break;
			case BH_INPUT_FOCUS:
				bh_buf_printf(out, "<focus %c>", (char)event.key);
				break;
			}
			is_run = event.kind == BH_INPUT_BYTES;
		}
	}
	bh_input_clear(&input);
}

/** The same events must come whatever the pieces are. */
static void check_as(bool is_decoding, const char *bytes, const char *wanted)
{
	for (size_t piece = 1; piece <= strlen(bytes); piece++) {
		struct bh_buf out = {0};

		describe(bytes, strlen(bytes), piece, is_decoding, &out);
		if (strcmp(out.data == NULL ? "" : out.data, wanted) != 0) {
			fail_msg("in pieces of %zu: \"%s\", wanted \"%s\"", piece, out.data,
			         wanted);
		}
		bh_buf_clear(&out);
	}
}

static void check(const char *bytes, const char *wanted)
{
	check_as(false, bytes, wanted);
}

static void keys_go_on_as_they_are(void **state)
{
	(void)state;
	check("hello\r\x1b[A\x1bOP\x03\xc3\xa4\x7f\x1b[1;5C\x1b[24~",
	      "|hello\r\x1b[A\x1bOP\x03\xc3\xa4\x7f\x1b[1;5C\x1b[24~");
	check("\x1b", "|\x1b");
	check("a\x1b[", "|a\x1b[");
}

static void the_prefix_is_known_in_every_encoding(void **state)
{
	(void)state;
	check("ab\x02"
	      "dxy",
	      "|ab<prefix><d>|xy");
	check("\x02\x02", "<prefix><C-b>");
	check("\x1b[98;5ud", "<prefix><d>");
	check("\x1b[98;69u\x1b[100;1u", "<prefix><d>");
	check("\x1b[27;5;98~?", "<prefix><?>");
	// Releases and modifier keys are not the key after the prefix.
	check("\x1b[98;5:1u\x1b[98;5:3u\x1b[57442;1:3u\x1b[98;5u", "<prefix><C-b>");
	check("\x02\x1b[Z!", "<prefix><Tab>|!");
	check("\x02\x1b", "<prefix><Escape>");
	check("\x02\xff!", "<prefix><0>|!");
	// With shift or alt it is another key.
	check("\x1b[98;6u", "|\x1b[98;6u");
}

static void arrows_after_the_prefix_are_named(void **state)
{
	(void)state;
	check("\x02\x1b[A!", "<prefix><Up>|!");
	check("\x02\x1bOD!", "<prefix><Left>|!");
	check("\x02\x1b[1;5C!", "<prefix><C-Right>|!");
	check("\x02\x1b[1;69B!", "<prefix><C-Down>|!");
	check("\x02\x1b[1;3B!", "<prefix><M-Down>|!");
	check("\x02\x1bx!", "<prefix><M-x>|!");
	check("\x02\x1b[27;7;120~!", "<prefix><C-M-x>|!");
	check("\x02\x1b[5~!", "<prefix><PageUp>|!");
	check("\x02\x1b[1;1:3A\x1b[1;1:1A", "<prefix><Up>");
}

static bool is_alt_x_or_f5(const void *user, const struct bh_layer_key *key)
{
	assert_string_equal(user, "whose");
	return (key->key == 'x' && key->is_alt) || key->key == BH_KEY_F1 + 4;
}

static void some_keys_are_ours_without_the_prefix(void **state)
{
	struct bh_input input = {.is_direct = is_alt_x_or_f5, .direct_user = "whose"};
	struct bh_input_event event;

	(void)state;
	bh_input_feed(&input, "ax\x1bx\x1b[200~\x1bx\x1b[201~\x1by\x02\x1bx\x1b[15~", 28, 1);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	assert_memory_equal(event.bytes.data, "ax", 2);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_DIRECT);
	assert_int_equal(event.pressed.key, 'x');
	// A paste is no key, and after the prefix a key is what it is there.
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	assert_int_equal(event.bytes.len, 16);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_PREFIX_SEEN);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_COMMAND);
	assert_true(event.pressed.is_alt);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_DIRECT);
	assert_int_equal(event.pressed.key, BH_KEY_F1 + 4);
	// What the UI takes itself is not taken away from it.
	input.is_decoding = true;
	bh_input_feed(&input, "\x1bx", 2, 2);
	assert_true(bh_input_next(&input, 2, &event));
	assert_int_equal(event.kind, BH_INPUT_KEY);
	bh_input_clear(&input);
	assert_non_null(input.is_direct);
	bh_input_clear(&input);
}

static void a_border_is_moved_on_without_the_prefix(void **state)
{
	struct bh_input input = {.repeat_until_ms = 500};
	struct bh_input_event event;

	(void)state;
	bh_input_feed(&input, "a\x1b[1;5C\x1b[C", 10, 499);
	assert_true(bh_input_next(&input, 499, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	assert_true(bh_input_next(&input, 499, &event));
	assert_int_equal(event.kind, BH_INPUT_COMMAND);
	assert_int_equal(event.pressed.key, BH_KEY_RIGHT);
	assert_true(event.pressed.is_control);
	// Without control it is the program's, and so is everything later.
	assert_true(bh_input_next(&input, 499, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	assert_int_equal(event.bytes.len, 3);
	bh_input_feed(&input, "\x1b[1;5C", 6, 500);
	assert_true(bh_input_next(&input, 500, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	bh_input_clear(&input);
}

static void another_prefix_may_be_set(void **state)
{
	struct bh_input input = {.prefix = {.key = 'a', .is_control = true}};
	struct bh_input_event event;

	(void)state;
	bh_input_feed(&input, "\x02\x01x", 3, 1);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	assert_int_equal(event.bytes.len, 1);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_PREFIX_SEEN);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_COMMAND);
	assert_int_equal(event.pressed.key, 'x');
	bh_input_clear(&input);
	assert_int_equal(input.prefix.key, 'a');
}

static void keys_are_decoded_for_the_ui(void **state)
{
	(void)state;
	check_as(true, "ab\r\x7f\x15\x1b[A\x1bx\xc3\xa4",
	         "{a>{b>{Enter>{\x7f>{C-u>{Up>{M-x>{\xe4>");
	check_as(true, "\x1b", "{Escape>");
	check_as(true, "\x1b[?1;2c\x1b[97;1:3uz\xff", "<answer [?1;2c>{z>");
	check_as(true, "x\x02\x1b[I", "{x><prefix><0>");
	check_as(true, "a\x1b[I\x1b[<0;3;4M", "{a><focus I><0 3,2>");
	check_as(true, "a\x1b[200~b\x02\x1b[A\x1b[201~c", "{a>b\x02\x1b[A{c>");
}

/** Who takes the keys changes between two of them. */
static void decoding_begins_and_ends_at_a_key(void **state)
{
	struct bh_input input = {0};
	struct bh_input_event event;

	(void)state;
	bh_input_feed(&input, "a\x02:xy", 5, 1);
	assert_true(bh_input_next(&input, 1, &event));
	assert_true(bh_input_next(&input, 1, &event));
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_COMMAND);
	input.is_decoding = true;
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_KEY);
	assert_int_equal(event.pressed.key, 'x');
	input.is_decoding = false;
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	assert_memory_equal(event.bytes.data, "y", 1);
	// The end of a paste is told to whom the beginning was told.
	input.is_decoding = true;
	bh_input_feed(&input, "\x1b[200~a", 7, 1);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.kind, BH_INPUT_PASTE);
	input.is_decoding = false;
	bh_input_feed(&input, "b\x1b[201~", 7, 1);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.bytes.len, 1);
	assert_false(bh_input_next(&input, 1, &event));
	bh_input_clear(&input);
}

static void pastes_are_left_alone(void **state)
{
	(void)state;
	check("\x1b[200~a\x02"
	      "d\x1b[I\x1b[<0;1;1M\x1b[201~\x02"
	      "d",
	      "|\x1b[200~a\x02"
	      "d\x1b[I\x1b[<0;1;1M\x1b[201~<prefix><d>");
}

static void a_program_without_pastes_gets_the_text_alone(void **state)
{
	struct bh_input input = {.is_paste_plain = true};
	struct bh_input_event event;

	(void)state;
	bh_input_feed(&input, "a\x1b[200~b\x02\x1b[201~c", 16, 1);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.bytes.len, 4);
	assert_memory_equal(event.bytes.data,
	                    "ab\x02"
	                    "c",
	                    4);
	assert_false(bh_input_next(&input, 1, &event));
	bh_input_clear(&input);
}

static void the_mouse_is_told_apart(void **state)
{
	(void)state;
	check("a\x1b[<0;3;4Mb\x1b[<0;3;4m", "|a<0 3,2>|b<0 up 3,2>");
	check("\x1b[M !!", "<0 0,0>");
	check("\x02\x1b[<0;3;4Md", "<prefix><d>");
}

static void focus_is_told_apart(void **state)
{
	(void)state;
	check("a\x1b[Ib\x1b[O", "|a<focus I>|b<focus O>");
}

static void an_unfinished_sequence_is_waited_for_shortly(void **state)
{
	struct bh_input input = {0};
	struct bh_input_event event;

	(void)state;
	bh_input_feed(&input, "\x1b", 1, 100);
	assert_int_equal(bh_input_due_ms(&input), 0);
	assert_false(bh_input_next(&input, 100, &event));
	assert_int_equal(bh_input_due_ms(&input), 100 + BH_INPUT_PARTIAL_MS);
	assert_false(bh_input_next(&input, 100 + BH_INPUT_PARTIAL_MS - 1, &event));
	assert_true(bh_input_next(&input, 100 + BH_INPUT_PARTIAL_MS, &event));
	assert_int_equal(event.bytes.len, 1);
	assert_int_equal(bh_input_due_ms(&input), 0);
	bh_input_clear(&input);
}

/** A terminal with modifyOtherKeys alone, and a program that speaks kitty's. */
static void keys_are_turned_into_those_of_the_program(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} keys[] = {
		{"a\x1b[27;2;13~b", "a\x1b[13;2ub"}, // Shift+Enter
		{"\x1b[27;6;65~", "\x1b[97;6u"},
		{"\x1b[27;5;9~\x1b[3~\x1b[13;2u", "\x1b[9;5u\x1b[3~\x1b[13;2u"},
		{"\x1b[200~\x1b[27;2;13~\x1b[201~", "\x1b[200~\x1b[27;2;13~\x1b[201~"},
		{"\x1b[27;2~\x1b[27~", "\x1b[27;2~\x1b[27~"},
	};
	struct bh_input input = {.is_kitty = true};
	struct bh_input_event event;

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		bh_input_feed(&input, keys[i].in, strlen(keys[i].in), 1);
		assert_true(bh_input_next(&input, 1, &event));
		assert_int_equal(event.kind, BH_INPUT_BYTES);
		assert_int_equal(event.bytes.len, strlen(keys[i].out));
		assert_memory_equal(event.bytes.data, keys[i].out, event.bytes.len);
		assert_false(bh_input_next(&input, 1, &event));
	}
	bh_input_clear(&input);
	assert_true(input.is_kitty);
	check("\x1b[27;2;13~", "|\x1b[27;2;13~");
}

/** What the terminal says of itself goes to nobody as keys. */
static void answers_are_no_keys(void **state)
{
	(void)state;
	check("a\x1b[?62;22cb\x1b[?2026;2$y\x1b[?0u", "|a<answer [?62;22c>|b<answer [?2026;2$y>"
	                                              "<answer [?0u>");
	check("a\x1bP>|foot(1.2)\x1b\\b", "|a<answer P>|foot(1.2)\x1b\\>|b");
	// The key after the prefix is still to come.
	check("\x02\x1b[?1;2cd", "<prefix><answer [?1;2c><d>");
	// P with alt, and what only looked like an answer.
	check("\x1bPx", "|\x1bPx");
	check("\x1bP>|never", "|\x1bP>|never");
	check("\x1b[200~\x1b[?1;2c\x1b[201~", "|\x1b[200~\x1b[?1;2c\x1b[201~");
}

/** Any bytes: no crash, and outside of ours nothing is lost. */
static void garbage_does_no_harm(void **state)
{
	static const char letters[] = "\x1b[O<;:?0129~umMIb\x02\xe4\xff";
	unsigned seed = 1;
	char bytes[64];

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct bh_buf out = {0};

		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 1103515245U + 12345U;
			bytes[i] = letters[(seed >> 16) % (sizeof(letters) - 1)];
		}
		describe(bytes, sizeof(bytes), 1 + (seed >> 20) % 9, (seed >> 24 & 1) != 0, &out);
		bh_buf_clear(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_go_on_as_they_are),
		cmocka_unit_test(the_prefix_is_known_in_every_encoding),
		cmocka_unit_test(arrows_after_the_prefix_are_named),
		cmocka_unit_test(some_keys_are_ours_without_the_prefix),
		cmocka_unit_test(a_border_is_moved_on_without_the_prefix),
		cmocka_unit_test(another_prefix_may_be_set),
		cmocka_unit_test(keys_are_decoded_for_the_ui),
		cmocka_unit_test(decoding_begins_and_ends_at_a_key),
		cmocka_unit_test(pastes_are_left_alone),
		cmocka_unit_test(a_program_without_pastes_gets_the_text_alone),
		cmocka_unit_test(the_mouse_is_told_apart),
		cmocka_unit_test(focus_is_told_apart),
		cmocka_unit_test(an_unfinished_sequence_is_waited_for_shortly),
		cmocka_unit_test(keys_are_turned_into_those_of_the_program),
		cmocka_unit_test(answers_are_no_keys),
		cmocka_unit_test(garbage_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
