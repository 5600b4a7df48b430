#include "src/ui/outer.h"

#include "src/ui/terminfo.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** An environment: "NAME=value" lines. */
static const char *const *environment;

static char *get(const char *name)
{
	size_t len = strlen(name);

	for (const char *const *at = environment; *at != NULL; at++) {
		if (strncmp(*at, name, len) == 0 && (*at)[len] == '=') {
			return (char *)(uintptr_t)(*at + len + 1);
		}
	}
	return NULL;
}

static struct bh_outer found_in(const char *const *lines)
{
	struct bh_outer outer;
	struct bh_err err = {0};

	environment = lines;
	assert_int_equal(bh_outer_find(&outer, get, &err), 0);
	assert_false(outer.is_waiting);
	return outer;
}

#define FOUND(...) found_in((const char *const[]){__VA_ARGS__, NULL})

static void answer(struct bh_outer *outer, const char *text, bool is_other)
{
	assert_int_equal(bh_outer_answer(outer, bh_span_of(text)), is_other);
}

static void terminfo_knows_the_old_ones(void **state)
{
	struct bh_outer outer = FOUND("TERM=linux");

	(void)state;
	assert_int_equal(outer.colors, 8);
	assert_int_equal(outer.can & (BH_OUTER_XTERM | BH_OUTER_LINKS | BH_OUTER_CURSOR_SHAPE |
	                              BH_OUTER_ITALIC | BH_OUTER_SYNC),
	                 0);
	assert_int_not_equal(outer.can & BH_OUTER_REVERSE, 0);
	outer = FOUND("TERM=vt100");
	assert_int_equal(outer.colors, 0);
	assert_int_equal(outer.can,
	                 BH_OUTER_BOLD | BH_OUTER_UNDERLINE | BH_OUTER_BLINK | BH_OUTER_REVERSE);
	outer = FOUND("TERM=screen");
	assert_int_equal(outer.colors, 8);
	assert_int_equal(outer.can & (BH_OUTER_ITALIC | BH_OUTER_LINKS), 0);
	assert_int_not_equal(outer.can & BH_OUTER_XTERM, 0);
	outer = FOUND("TERM=xterm-256color");
	assert_int_equal(outer.colors, 256);
	assert_int_equal(outer.can & (BH_OUTER_UNDERLINE_KINDS | BH_OUTER_LINKS | BH_OUTER_SYNC),
	                 0);
	assert_int_not_equal(outer.can & BH_OUTER_CURSOR_SHAPE, 0);
	assert_int_not_equal(outer.can & BH_OUTER_ITALIC, 0);
	outer = FOUND("TERM=xterm");
	assert_int_equal(outer.colors, 8);
}

static void check_refused(const char *const *lines, const char *words)
{
	struct bh_outer outer;
	struct bh_err err = {0};

	environment = lines;
	assert_int_equal(bh_outer_find(&outer, get, &err), BH_EUNSUPPORTED);
	assert_non_null(strstr(err.text, words));
}

static void what_cannot_be_drawn_on_is_refused(void **state)
{
	(void)state;
	check_refused((const char *const[]){"TERM=dumb", NULL}, "TERM=dumb");
	check_refused((const char *const[]){"TERM=vt52", NULL}, "TERM=vt52");
	check_refused((const char *const[]){"TERM=", NULL}, "set it");
	check_refused((const char *const[]){"HOME=/", NULL}, "set it");
}

static void names_that_nobody_knows_are_guessed(void **state)
{
	struct bh_outer outer = FOUND("TERM=xterm-of-tomorrow");

	(void)state;
	assert_int_equal(outer.colors, 256);
	assert_int_not_equal(outer.can & BH_OUTER_XTERM, 0);
	outer = FOUND("TERM=nobody-knows-this");
	assert_int_equal(outer.colors, 8);
	assert_int_equal(outer.can & BH_OUTER_XTERM, 0);
	assert_int_equal(bh_terminfo_read("nobody-knows-this", &outer), -ENOENT);
}

static void the_environment_tells_more(void **state)
{
	struct bh_outer outer = FOUND("TERM=xterm-256color", "COLORTERM=truecolor");

	(void)state;
	assert_int_equal(outer.colors, BH_OUTER_DIRECT);
	assert_int_equal(outer.can & BH_OUTER_LINKS, 0);
	outer = FOUND("TERM=xterm-256color", "VTE_VERSION=7006");
	assert_int_equal(outer.colors, BH_OUTER_DIRECT);
	assert_int_not_equal(outer.can & BH_OUTER_LINKS, 0);
	outer = FOUND("TERM=xterm-256color", "TERM_PROGRAM=WezTerm");
	assert_int_not_equal(outer.can & BH_OUTER_UNDERLINE_COLOR, 0);
	outer = FOUND("TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal");
	assert_int_equal(outer.colors, 256);
	assert_int_equal(outer.can & BH_OUTER_UNDERLINE_KINDS, 0);
	// What the terminal around a multiplexer set does not speak of the multiplexer.
	outer = FOUND("TERM=screen", "VTE_VERSION=7006", "TERM_PROGRAM=WezTerm");
	assert_int_equal(outer.colors, 8);
	assert_int_equal(outer.can & BH_OUTER_LINKS, 0);
	outer = FOUND("TERM=screen", "TERM_PROGRAM=tmux");
	assert_int_equal(outer.colors, BH_OUTER_DIRECT);
}

static void only_who_understands_is_asked(void **state)
{
	struct bh_buf out = {0};
	struct bh_outer outer = FOUND("TERM=linux");

	(void)state;
	bh_outer_ask(&outer, &out);
	assert_int_equal(out.len, 0);
	assert_false(outer.is_waiting);
	outer = FOUND("TERM=xterm-256color");
	bh_outer_ask(&outer, &out);
	assert_string_equal(out.data, "\x1b[?2026$p\x1b[?u\x1b[>0q\x1b[c");
	assert_true(outer.is_waiting);
	bh_buf_clear(&out);
	bh_outer_ask(&outer, &out);
	assert_int_equal(out.len, 0);
	bh_buf_clear(&out);
}

static void answers_are_believed(void **state)
{
	struct bh_outer outer = FOUND("TERM=xterm-256color");

	(void)state;
	outer.is_waiting = true;
	answer(&outer, "\x1b[?2026;2$y", false);
	assert_int_not_equal(outer.can & BH_OUTER_SYNC, 0);
	answer(&outer, "\x1b[?2026;0$y", false);
	assert_int_equal(outer.can & BH_OUTER_SYNC, 0);
	answer(&outer, "\x1b[?0u", false);
	assert_int_not_equal(outer.can & BH_OUTER_KITTY_KEYS, 0);
	answer(&outer, "\x1bP>|an unknown one\x1b\\", false);
	assert_int_equal(outer.colors, 256);
	answer(&outer, "\x1bP>|foot(1.18.0)\x1b\\", true);
	assert_int_equal(outer.colors, BH_OUTER_DIRECT);
	assert_int_not_equal(outer.can & BH_OUTER_UNDERLINE_KINDS, 0);
	answer(&outer, "\x1bP>|foot(1.18.0)\x1b\\", false);
	assert_true(outer.is_waiting);
	answer(&outer, "\x1b[?62;22c", false);
	assert_false(outer.is_waiting);
	// What was never asked, and what is broken.
	answer(&outer, "\x1b[?", false);
	answer(&outer, "", false);
	answer(&outer, "\x1b[?2026;", false);
	answer(&outer, "\x1bP>|", false);
}

static void a_person_knows_better(void **state)
{
	struct bh_outer outer = FOUND("TERM=xterm");

	(void)state;
	bh_outer_set_direct(&outer, false);
	assert_int_equal(outer.colors, 8);
	bh_outer_set_direct(&outer, true);
	assert_int_equal(outer.colors, BH_OUTER_DIRECT);
	bh_outer_set_direct(&outer, false);
	assert_int_equal(outer.colors, 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terminfo_knows_the_old_ones),
		cmocka_unit_test(what_cannot_be_drawn_on_is_refused),
		cmocka_unit_test(names_that_nobody_knows_are_guessed),
		cmocka_unit_test(the_environment_tells_more),
		cmocka_unit_test(only_who_understands_is_asked),
		cmocka_unit_test(answers_are_believed),
		cmocka_unit_test(a_person_knows_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
