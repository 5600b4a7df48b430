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
	static const char *const names[] = {"Up", "Down", "Right", "Left", "PageUp", "PageDown"};

	return names[key - BH_KEY_UP];
}

/** Feed @len bytes in pieces of @piece and write all events to @out as text. */
static void describe(const char *bytes, size_t len, size_t piece, struct bh_buf *out)
{
	struct bh_input input = {.view = {.rows = 10, .cols = 20, .first_row = 2, .first_col = 1}};
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
			case BH_INPUT_COMMAND:
				bh_buf_printf(out, "<%s", event.is_control ? "C-" : "");
				if (event.key >= BH_KEY_UP) {
					bh_buf_printf(out, "%s>", key_name(event.key));
				} else {
					bh_buf_printf(out, "%c>",
					              event.key == 0 ? '0' : (char)event.key);
				}
				break;
			case BH_INPUT_PREFIX_SEEN:
				bh_buf_puts(out, "<prefix>");
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
static void check(const char *bytes, const char *wanted)
{
	for (size_t piece = 1; piece <= strlen(bytes); piece++) {
		struct bh_buf out = {0};

		describe(bytes, strlen(bytes), piece, &out);
		if (strcmp(out.data == NULL ? "" : out.data, wanted) != 0) {
			fail_msg("in pieces of %zu: \"%s\", wanted \"%s\"", piece, out.data,
			         wanted);
		}
		bh_buf_clear(&out);
	}
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
	check("\x02\x1b[Z!", "<prefix><0>|!");
	check("\x02\x1b", "<prefix><0>");
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
	check("\x02\x1b[5~!", "<prefix><PageUp>|!");
	check("\x02\x1b[1;1:3A\x1b[1;1:1A", "<prefix><Up>");
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
	assert_int_equal(event.key, BH_KEY_RIGHT);
	assert_true(event.is_control);
	// Without control it is the program's, and so is everything later.
	assert_true(bh_input_next(&input, 499, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	assert_int_equal(event.bytes.len, 3);
	bh_input_feed(&input, "\x1b[1;5C", 6, 500);
	assert_true(bh_input_next(&input, 500, &event));
	assert_int_equal(event.kind, BH_INPUT_BYTES);
	bh_input_clear(&input);
}

static void a_pane_away_from_the_corner_gets_its_own_places(void **state)
{
	struct bh_input input = {.view = {.row = 2, .col = 10, .rows = 5, .cols = 20}};
	struct bh_input_event event;
	static const char bytes[] = "\x1b[<0;11;3M\x1b[<0;10;3M\x1b[<0;30;7M\x1b[<0;31;7M";
	static const char wanted[] = "\x1b[<0;1;1M\x1b[<0;20;5M";

	(void)state;
	bh_input_feed(&input, bytes, sizeof(bytes) - 1, 1);
	assert_true(bh_input_next(&input, 1, &event));
	assert_int_equal(event.bytes.len, sizeof(wanted) - 1);
	assert_memory_equal(event.bytes.data, wanted, sizeof(wanted) - 1);
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

static void mouse_reports_move_with_the_view(void **state)
{
	(void)state;
	check("\x1b[<0;3;4M\x1b[<0;3;4m", "|\x1b[<0;4;6M\x1b[<0;4;6m");
	check("\x1b[<0;3;11M", "");
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
		describe(bytes, sizeof(bytes), 1 + (seed >> 20) % 9, &out);
		bh_buf_clear(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_go_on_as_they_are),
		cmocka_unit_test(the_prefix_is_known_in_every_encoding),
		cmocka_unit_test(arrows_after_the_prefix_are_named),
		cmocka_unit_test(a_border_is_moved_on_without_the_prefix),
		cmocka_unit_test(a_pane_away_from_the_corner_gets_its_own_places),
		cmocka_unit_test(pastes_are_left_alone),
		cmocka_unit_test(a_program_without_pastes_gets_the_text_alone),
		cmocka_unit_test(mouse_reports_move_with_the_view),
		cmocka_unit_test(focus_is_told_apart),
		cmocka_unit_test(an_unfinished_sequence_is_waited_for_shortly),
		cmocka_unit_test(garbage_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
