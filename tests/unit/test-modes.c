#include "src/ui/modes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** The program's screen, a person's terminal (also ours), and what was told to it. */
struct pair {
	struct bh_screen *inner;
	struct bh_screen *outer;
	struct bh_modes modes;
};

static int pair_make(void **state)
{
	struct bh_screen_settings settings = {.cols = 20, .rows = 5};
	struct pair *pair = calloc(1, sizeof(*pair));

	pair->inner = bh_screen_new(&settings);
	pair->outer = bh_screen_new(&settings);
	*state = pair;
	return 0;
}

static int pair_remove(void **state)
{
	struct pair *pair = *state;

	bh_screen_free(pair->inner);
	bh_screen_free(pair->outer);
	free(pair);
	return 0;
}

/** Hand the bytes to the person's terminal; gives how many. */
static size_t pour(struct pair *pair, struct bh_buf *out)
{
	size_t len = out->len;

	bh_screen_feed(pair->outer, out->data, out->len, 1);
	bh_buf_clear(out);
	return len;
}

static void say(struct pair *pair, const char *text)
{
	struct bh_buf out = {0};

	bh_screen_feed(pair->inner, text, strlen(text), 1);
	bh_modes_follow(&pair->modes, pair->inner, &out);
	(void)pour(pair, &out);
}

static void check_followed(const struct pair *pair)
{
	static const enum bh_screen_mode modes[] = {
		BH_SCREEN_MODE_MOUSE_CLICK, BH_SCREEN_MODE_MOUSE_DRAG, BH_SCREEN_MODE_MOUSE_MOVE,
		BH_SCREEN_MODE_MOUSE_SGR,   BH_SCREEN_MODE_FOCUS,      BH_SCREEN_MODE_APP_CURSOR,
		BH_SCREEN_MODE_APP_KEYPAD};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		assert_int_equal(bh_screen_mode(pair->inner, modes[i]),
		                 bh_screen_mode(pair->outer, modes[i]));
	}
	assert_int_equal(bh_screen_kitty_flags(pair->inner), bh_screen_kitty_flags(pair->outer));
	assert_int_equal(bh_screen_modify_other_keys(pair->inner),
	                 bh_screen_modify_other_keys(pair->outer));
}

static void the_terminal_follows_the_program(void **state)
{
	struct pair *pair = *state;
	struct bh_buf out = {0};

	say(pair, "\x1b[?1002h\x1b[?1006h\x1b[?1h\x1b=\x1b[?1004h\x1b[>5u\x1b[>4;2m");
	assert_int_equal(bh_screen_kitty_flags(pair->outer), 5);
	check_followed(pair);
	say(pair, "\x1b[>1u");
	check_followed(pair);
	say(pair, "\x1b[<2u\x1b[?1002l\x1b[?1003h\x1b[?1l");
	check_followed(pair);
	// Without a change nothing is said.
	bh_modes_follow(&pair->modes, pair->inner, &out);
	assert_int_equal(out.len, 0);
}

static void leaving_gives_everything_back(void **state)
{
	struct pair *pair = *state;
	struct bh_buf out = {0};

	bh_screen_feed(pair->outer, "shell\x1b[>1u", 10, 1);
	bh_modes_enter(&pair->modes, &out);
	(void)pour(pair, &out);
	assert_true(bh_screen_mode(pair->outer, BH_SCREEN_MODE_ALT_SCREEN));
	assert_true(bh_screen_mode(pair->outer, BH_SCREEN_MODE_BRACKETED_PASTE));
	say(pair, "\x1b[?1003h\x1b[?1006h\x1b[?1h\x1b=\x1b[?1004h\x1b[>31u\x1b[>4;2m");
	bh_modes_leave(&pair->modes, &out);
	(void)pour(pair, &out);

	char text[100];
	(void)bh_screen_row_text(pair->outer, 0, text, sizeof(text));
	assert_string_equal(text, "shell");
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_ALT_SCREEN));
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_BRACKETED_PASTE));
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE));
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_FOCUS));
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_APP_CURSOR));
	assert_true(bh_screen_mode(pair->outer, BH_SCREEN_MODE_CURSOR_VISIBLE));
	// The shell's own keyboard flags are back.
	assert_int_equal(bh_screen_kitty_flags(pair->outer), 1);
	assert_int_equal(bh_screen_modify_other_keys(pair->outer), 0);
}

static void the_mouse_is_ours_when_no_program_wants_it(void **state)
{
	struct pair *pair = *state;
	struct bh_buf out = {0};

	pair->modes.mouse_least = BH_MODES_MOUSE_DRAG;
	bh_modes_enter(&pair->modes, &out);
	bh_modes_follow(&pair->modes, NULL, &out);
	(void)pour(pair, &out);
	assert_true(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE_DRAG));
	assert_true(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE_SGR));
	// A program that wants less, or in another form, changes nothing; one that wants more does.
	say(pair, "\x1b[?1000h\x1b[?1015h");
	assert_true(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE_DRAG));
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE_URXVT));
	say(pair, "\x1b[?1003h");
	assert_true(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE_MOVE));
	bh_modes_leave(&pair->modes, &out);
	(void)pour(pair, &out);
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE));
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE_SGR));
	assert_int_equal(pair->modes.mouse_least, BH_MODES_MOUSE_DRAG);
}

static void no_screen_means_plain(void **state)
{
	struct pair *pair = *state;
	struct bh_buf out = {0};

	say(pair, "\x1b[?1003h\x1b[>5u");
	bh_modes_follow(&pair->modes, NULL, &out);
	(void)pour(pair, &out);
	assert_false(bh_screen_mode(pair->outer, BH_SCREEN_MODE_MOUSE));
	assert_int_equal(bh_screen_kitty_flags(pair->outer), 0);
}

/** Where kitty's protocol is not known to be had, xterm's keys are asked for beside it. */
static void other_keys_stand_in_for_kitty(void **state)
{
	struct pair *pair = *state;

	say(pair, "\x1b[>1u");
	assert_int_equal(bh_screen_kitty_flags(pair->outer), 1);
	assert_int_equal(bh_screen_modify_other_keys(pair->outer), 1);
	pair->modes.has_kitty = true;
	say(pair, "x");
	assert_int_equal(bh_screen_kitty_flags(pair->outer), 1);
	assert_int_equal(bh_screen_modify_other_keys(pair->outer), 0);
}

/** A terminal of another kind is told nothing that it would show as text. */
static void other_terminals_are_told_little(void **state)
{
	struct pair *pair = *state;
	struct bh_modes modes = {.is_plain = true, .mouse_least = BH_MODES_MOUSE_DRAG};
	struct bh_buf out = {0};

	bh_screen_feed(pair->inner, "\x1b[?1003h\x1b[>5u\x1b[>4;2m\x1b[?1h", 25, 1);
	bh_modes_enter(&modes, &out);
	bh_modes_follow(&modes, pair->inner, &out);
	bh_modes_leave(&modes, &out);
	assert_null(strstr(out.data, "\x1b]"));
	assert_null(strstr(out.data, "\x1b[>"));
	assert_null(strchr(out.data, 't'));
	assert_null(strchr(out.data, 'q'));
	assert_null(strstr(out.data, "1003"));
	assert_non_null(strstr(out.data, "\x1b[?1h"));
	assert_non_null(strstr(out.data, "\x1b[?1l"));
	assert_non_null(strstr(out.data, "\x1b[H\x1b[2J\x1b[?1049l"));
	assert_true(modes.is_plain);
	bh_buf_clear(&out);
}

int main(void)
{
#define PAIR(name) cmocka_unit_test_setup_teardown(name, pair_make, pair_remove)
	const struct CMUnitTest tests[] = {
		PAIR(the_terminal_follows_the_program),
		PAIR(leaving_gives_everything_back),
		PAIR(no_screen_means_plain),
		PAIR(the_mouse_is_ours_when_no_program_wants_it),
		PAIR(other_keys_stand_in_for_kitty),
		PAIR(other_terminals_are_told_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
