// What a composer shows of a text that was typed into it, in all the ways programs mangle it.
#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/base/mem.h"
#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RULE "────────────────────────────────────────"

/** What Claude's composer with @rows (up to three, NULL: none) shows of @text. */
static enum bh_echo echo_of(const char *text, const char *const rows[3])
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_screen_settings settings = {.cols = 40, .rows = 10};
	struct bh_screen *screen = bh_screen_new(&settings);
	char *bytes =
		bh_xasprintf("\x1b[?2004h\x1b[4;1H" RULE "\r\n❯\u00a0%s\r\n%s%s%s%s" RULE
	                     "\r\n  ⏵⏵ auto mode on",
	                     rows[0] ? rows[0] : "", rows[1] ? rows[1] : "", rows[1] ? "\r\n" : "",
	                     rows[1] && rows[2] ? rows[2] : "", rows[1] && rows[2] ? "\r\n" : "");
	enum bh_echo echo;

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	if (!rows[0]) {
		bh_screen_feed(screen, "\x1b[5;3H", 6, 1);
	}
	echo = bh_proof_echo(bh_profiles_find(set, "claude"), screen,
	                     &(struct bh_typed_text){.mark = "Mail m42 from", .text = text});
	free(bytes);
	bh_screen_free(screen);
	bh_profiles_free(set);
	return echo;
}

/** What pi's editor with the rows @content shows of @text. */
static enum bh_echo pi_echo_of(const char *text, const char *content)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_screen_settings settings = {.cols = 40, .rows = 10};
	struct bh_screen *screen = bh_screen_new(&settings);
	char *bytes = bh_xasprintf("\x1b[?2004h\x1b[3;1H" RULE "\r\n%s\r\n" RULE
	                           "\r\n~/demo\r\n0.0%%/128k (auto)",
	                           content);
	enum bh_echo echo;

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	echo = bh_proof_echo(bh_profiles_find(set, "pi"), screen,
	                     &(struct bh_typed_text){.mark = "Mail m42 from", .text = text});
	free(bytes);
	bh_screen_free(screen);
	bh_profiles_free(set);
	return echo;
}

#define ECHO(text, ...) echo_of(text, (const char *const[3]){__VA_ARGS__})

static void an_empty_composer_shows_nothing(void **state)
{
	(void)state;
	assert_int_equal(ECHO("Mail m42 from x: hello", NULL), BH_ECHO_NONE);
}

static void a_screen_without_composer_shows_nothing(void **state)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_screen_settings settings = {.cols = 40, .rows = 10};
	struct bh_screen *screen = bh_screen_new(&settings);
	const char *text = "Mail m42 from x: hello";

	(void)state;
	bh_screen_feed(screen, text, strlen(text), 1);
	assert_int_equal(
		bh_proof_echo(bh_profiles_find(set, "claude"), screen,
	                      &(struct bh_typed_text){.mark = "Mail m42 from", .text = text}),
		BH_ECHO_NONE);
	bh_screen_free(screen);
	bh_profiles_free(set);
}

static void breaks_and_blanks_do_not_count(void **state)
{
	(void)state;
	assert_int_equal(ECHO("Mail m42 from x: hello", "Mail m42 from x: hello"), BH_ECHO_OURS);
	assert_int_equal(
		ECHO("Mail m42 from x:\n| one\n| two", "Mail m42 from x:", "  | one", "  | two"),
		BH_ECHO_OURS);
	assert_int_equal(
		ECHO("Mail m42 from someone:\thello", "Mail m42 from some", "  one: hello"),
		BH_ECHO_OURS);
}

// No glyph before the text; a long paste tells all of its lines, or UTF-16 units with tabs made blanks.
static void an_editor_without_a_prompt_is_compared(void **state)
{
	static const char lines[] = "Mail m42 from x:\n| 1\n| 2";
	static const char wide[] = "Mail m42 from x: \xf0\x9f\x8e\x89\t!";

	(void)state;
	assert_int_equal(pi_echo_of(lines, "Mail m42 from x:\r\n| 1\r\n| 2"), BH_ECHO_OURS);
	assert_int_equal(pi_echo_of(lines, "xMail m42 from x:\r\n| 1\r\n| 2"), BH_ECHO_MIXED);
	assert_int_equal(pi_echo_of(lines, "[paste #1 +3 lines]"), BH_ECHO_OURS);
	assert_int_equal(pi_echo_of(lines, "[paste #1 +2 lines]"), BH_ECHO_OTHER);
	assert_int_equal(pi_echo_of(lines, "[paste #1 +3 lines] x"), BH_ECHO_MIXED);
	assert_int_equal(pi_echo_of(wide, "[paste #1 24 chars]"), BH_ECHO_OURS);
	assert_int_equal(pi_echo_of(wide, "[paste #1 22 chars]"), BH_ECHO_OTHER);
}

static void more_than_ours_is_mixed(void **state)
{
	(void)state;
	assert_int_equal(ECHO("Mail m42 from x: hello", "so Mail m42 from x: hello"),
	                 BH_ECHO_MIXED);
	assert_int_equal(ECHO("Mail m42 from x: hello", "Mail m42 from x: hello", "  you"),
	                 BH_ECHO_MIXED);
	// A part of ours with its mark: it was edited.
	assert_int_equal(ECHO("Mail m42 from x: hello", "Mail m42 from x: he"), BH_ECHO_MIXED);
}

static void anothers_text_is_other(void **state)
{
	(void)state;
	assert_int_equal(ECHO("Mail m42 from x: hello", "fix the parser"), BH_ECHO_OTHER);
	assert_int_equal(ECHO("Mail m42 from x: hello", "Mail m43 from x: hello"), BH_ECHO_OTHER);
}

// A composer that scrolls shows the end; a word of the end proves nothing.
static void the_end_of_a_long_text_will_do(void **state)
{
	static const char text[] = "Mail m42 from x: one two three four five six";

	(void)state;
	assert_int_equal(ECHO(text, "three four five six"), BH_ECHO_OURS);
	assert_int_equal(ECHO(text, "six"), BH_ECHO_OTHER);
	assert_int_equal(ECHO(text, "one two three four five"), BH_ECHO_OTHER);
}

static void mangled_glyphs_are_left_out(void **state)
{
	(void)state;
	assert_int_equal(ECHO("Mail m42 from x: done 👍🏽 ok", "Mail m42 from x: done � ok"),
	                 BH_ECHO_OURS);
	// ASCII is never left out.
	assert_int_equal(ECHO("Mail m42 from x: done 👍🏽 ok", "Mail m42 from x: done � o"),
	                 BH_ECHO_MIXED);
}

static void a_placeholder_tells_lines(void **state)
{
	static const char text[] = "Mail m42 from x:\n| one\n| two";

	(void)state;
	assert_int_equal(ECHO(text, "[Pasted text #1 +2 lines]"), BH_ECHO_OURS);
	assert_int_equal(ECHO(text, "[Pasted text #1 +3 lines]"), BH_ECHO_OTHER);
	assert_int_equal(ECHO(text, "[Pasted text #1]"), BH_ECHO_OURS);
	assert_int_equal(ECHO(text, "x [Pasted text #1 +2 lines]"), BH_ECHO_MIXED);
	assert_int_equal(ECHO(text, "[Pasted text #1 +2 lines]", "  y"), BH_ECHO_MIXED);
	// A text that looks like one is a text.
	assert_int_equal(ECHO("Mail m42 from x:\n| [Pasted text #1 +9 lines]",
	                      "Mail m42 from x:", "  | [Pasted text #1 +9 lines]"),
	                 BH_ECHO_OURS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_composer_shows_nothing),
		cmocka_unit_test(a_screen_without_composer_shows_nothing),
		cmocka_unit_test(breaks_and_blanks_do_not_count),
		cmocka_unit_test(an_editor_without_a_prompt_is_compared),
		cmocka_unit_test(more_than_ours_is_mixed),
		cmocka_unit_test(anothers_text_is_other),
		cmocka_unit_test(the_end_of_a_long_text_will_do),
		cmocka_unit_test(mangled_glyphs_are_left_out),
		cmocka_unit_test(a_placeholder_tells_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
