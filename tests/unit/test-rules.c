// Composer and rules on screens written down as text (U+2588 marks the cursor).
// Covers: src/agent/rules, src/agent/view.
#include "src/agent/rules.h"

#include "src/agent/profile.h"
#include "src/base/buf.h"
#include "src/base/mem.h"
#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RULE "────────────────────"
#define FOOT "\n  ⏵⏵ auto mode on (shift+tab to cycle)"

/** A screen that shows @text, a row per line; the cursor stands at U+2588, which is taken out. */
static struct bh_screen *screen_of(const char *text)
{
	static const char mark[] = "█";
	struct bh_screen_settings settings = {.cols = 80, .rows = 2};
	struct bh_buf bytes = {0};
	struct bh_screen *screen;

	bh_buf_puts(&bytes, "\x1b[?1049h\x1b[?2004h\x1b[H\x1b"
	                    "7");
	for (const char *at = text; *at; at++) {
		if (*at == '\n') {
			settings.rows++;
			bh_buf_puts(&bytes, "\r\n");
		} else if (strncmp(at, mark, sizeof mark - 1) == 0) {
			bh_buf_puts(&bytes, "\x1b"
			                    "7");
			at += sizeof mark - 2;
		} else {
			bh_buf_append(&bytes, at, 1);
		}
	}
	bh_buf_puts(&bytes, "\x1b"
	                    "8");
	screen = bh_screen_new(&settings);
	bh_screen_feed(screen, bytes.data, bytes.len, 1);
	bh_buf_clear(&bytes);
	return screen;
}

/** Read @text by the named profile; the reading is a value. */
static struct bh_reading read_text(const char *profile, const char *text, const char *title)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_screen *screen = screen_of(text);
	struct bh_view view = {0};
	struct bh_reading reading;

	bh_view_take(&view, screen);
	view.title = title;
	bh_rules_read(bh_profiles_find(set, profile), &view, &reading);
	// What a hit borrows dies with the profile; only marks are looked at here.
	for (size_t i = 0; i < reading.hit_count; i++) {
		static struct bh_rule kept[BH_HITS_MAX];

		kept[i] = (struct bh_rule){.says = reading.hits[i].rule->says};
		reading.hits[i].rule = &kept[i];
	}
	bh_view_clear(&view);
	bh_screen_free(screen);
	bh_profiles_free(set);
	return reading;
}

/** The first hit that says @mark, or NULL. */
static const struct bh_hit *hit_find(const struct bh_reading *reading, enum bh_mark mark)
{
	for (size_t i = 0; i < reading->hit_count; i++) {
		if (reading->hits[i].rule->says == mark) {
			return &reading->hits[i];
		}
	}
	return NULL;
}

static void composers_of_claude(void **state)
{
	static const struct {
		const char *text;
		enum bh_composer composer;
	} cases[] = {
		{"hello\n" RULE "\n❯ █\n" RULE FOOT, BH_COMPOSER_EMPTY},
		{"hello\n" RULE "\n❯\u00a0█\n" RULE FOOT, BH_COMPOSER_EMPTY},
		{"hello\n" RULE "\n❯ some text█\n" RULE FOOT, BH_COMPOSER_DRAFT},
		{"hello\n" RULE "\n❯ one\n  two█\n" RULE FOOT, BH_COMPOSER_DRAFT},
		{"hello\n" RULE "\n❯   █\n" RULE FOOT, BH_COMPOSER_UNKNOWN},
		{"hello\n" RULE "\n! ls█\n" RULE FOOT, BH_COMPOSER_DRAFT},
		{"hello\n" RULE "\n!█\n" RULE FOOT, BH_COMPOSER_DRAFT},
		{"hello\n❯ █\n" RULE FOOT, BH_COMPOSER_NONE},
		{"hello\n" RULE "\n❯ █\nthe end", BH_COMPOSER_NONE},
		{"❯ 1. Red\n  2. Blue\nEnter to select", BH_COMPOSER_NONE},
		{"", BH_COMPOSER_NONE},
		// A quoted frame above does not hide the real one.
		{RULE "\n❯ quoted\n" RULE "\nx\n" RULE "\n❯ █\n" RULE FOOT, BH_COMPOSER_EMPTY},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bh_reading reading = read_text("claude", cases[i].text, "Claude Code");

		if (reading.composer != cases[i].composer) {
			fail_msg("case %zu: %s", i, bh_composer_word(reading.composer));
		}
	}
}

static void other_programs_with_that_frame_are_foreign(void **state)
{
	(void)state;
	assert_true(read_text("claude", RULE "\n❯ █\n" RULE "\n ctrl+c exit", "x").is_foreign);
	assert_false(read_text("claude", RULE "\n❯ █\n" RULE FOOT, "x").is_foreign);
	assert_false(read_text("claude", RULE "\n❯ █\n" RULE "\n my own status line" FOOT, "x")
	                     .is_foreign);
}

static void rules_of_claude(void **state)
{
	static const struct {
		const char *text;
		enum bh_mark mark;
	} cases[] = {
		{"✽ Brewing… (3s · ↓ 20 tokens)\n\n" RULE "\n❯ █\n" RULE FOOT, BH_MARK_WORKING},
		{"✻ API error · retrying in 2s · attempt 2/10\n" RULE "\n❯ █\n" RULE FOOT,
	         BH_MARK_WORKING},
		{"✻ 500 mock fault · retrying in 4s · attempt 5/10\n" RULE "\n❯ █\n" RULE FOOT,
	         BH_MARK_WORKING},
		{RULE "\n❯ █\n" RULE "\n  ⏸ manual mode on · esc to interrupt", BH_MARK_WORKING},
		{" Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend",
	         BH_MARK_AWAITING},
		{"Which?\n❯ 1. Red\n  2. Blue\n  3. Other\n\nsome new words", BH_MARK_AWAITING},
		{" ❯ 1. Dark\n   2. Light\n\n  Enter to select · Esc to close", BH_MARK_DIALOG},
		{"  text\n  Showing detailed transcript · ctrl+o to toggle", BH_MARK_DIALOG},
	};
	static const char *const calm[] = {
		"● you said ✽ Brewing… and esc to interrupt\n" RULE "\n❯ █\n" RULE FOOT,
		"  ✽ Brewing… quoted by the model\n" RULE "\n❯ █\n" RULE FOOT,
		"✻ Brewed for 3s · done 8:44 PM\n\n" RULE "\n❯ █\n" RULE FOOT,
		RULE "\n❯ █\n" RULE "\n  my status: esc to interrupt, enter to return" FOOT,
		"● 1. first\n  2. second\n" RULE "\n❯ █\n" RULE FOOT,
		"  Do you want to proceed?\n  Esc to cancel · Tab to amend\n" RULE
		"\n❯ █\n" RULE FOOT,
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bh_reading reading = read_text("claude", cases[i].text, "Claude Code");

		if (!hit_find(&reading, cases[i].mark)) {
			fail_msg("case %zu does not say %s", i, bh_mark_word(cases[i].mark));
		}
	}
	for (size_t i = 0; i < sizeof calm / sizeof *calm; i++) {
		struct bh_reading reading = read_text("claude", calm[i], "Claude Code");

		for (int mark = BH_MARK_WORKING; mark <= BH_MARK_VETO; mark++) {
			if (hit_find(&reading, (enum bh_mark)mark)) {
				fail_msg("calm %zu says %s", i, bh_mark_word((enum bh_mark)mark));
			}
		}
	}
}

static void titles_are_a_region(void **state)
{
	static const char text[] = RULE "\n❯ █\n" RULE FOOT;
	struct bh_reading reading = read_text("claude", text, "◐ Claude Code");

	(void)state;
	assert_non_null(hit_find(&reading, BH_MARK_WORKING));
	assert_int_equal(hit_find(&reading, BH_MARK_WORKING)->row, 0);
	reading = read_text("claude", text, "1 awaiting input · claude agents");
	assert_non_null(hit_find(&reading, BH_MARK_DIALOG));
}

/** A real screen, for attributes and cursor. */
static struct bh_reading read_bytes(const char *bytes)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_screen_settings settings = {.cols = 60, .rows = 8};
	struct bh_screen *screen = bh_screen_new(&settings);
	struct bh_view view = {0};
	struct bh_reading reading;

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	bh_view_take(&view, screen);
	bh_rules_read(bh_profiles_find(set, "codex"), &view, &reading);
	reading.hit_count = 0;
	bh_view_clear(&view);
	bh_screen_free(screen);
	bh_profiles_free(set);
	return reading;
}

/** What OpenCode's composer holds in a session, its text rows being @rows, the cursor at @cursor. */
static enum bh_composer opencode_shows(const char *rows, const char *cursor, const char *side,
                                       const char *status)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	const struct bh_profile *profile = bh_profiles_find(set, "opencode");
	struct bh_screen_settings settings = {.cols = 70, .rows = 12};
	struct bh_screen *screen = bh_screen_new(&settings);
	struct bh_view view = {0};
	struct bh_reading reading;
	char *bytes = bh_xasprintf("\r\n  ┃\r\n%s  ┃\r\n  ┃  Build · Mock Model%s\r\n  "
	                           "╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀\r\n%s\x1b[%sH",
	                           rows, side, status, cursor);

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	bh_view_take(&view, screen);
	bh_rules_cut(profile, &view);
	bh_rules_read(profile, &view, &reading);
	free(bytes);
	bh_view_clear(&view);
	bh_screen_free(screen);
	bh_profiles_free(set);
	// More of a draft above, or a list, is a dialog.
	return reading.hit_count ? BH_COMPOSER_DRAFT : reading.composer;
}

static enum bh_composer opencode_holds(const char *rows, const char *cursor, const char *side)
{
	return opencode_shows(rows, cursor, side, "   /home/u  ctrl+p commands");
}

static void a_status_row_that_wraps_is_read(void **state)
{
	(void)state;
	assert_int_equal(opencode_shows("  ┃\r\n", "3;6", "",
	                                "   /home/user/long/   120 (0 ctrl+p\r\n   demo         "
	                                "         commands"),
	                 BH_COMPOSER_EMPTY);
	// A turn runs: each of its signs is enough.
	assert_int_equal(opencode_shows("  ┃\r\n", "3;6", "",
	                                "   ⬝⬝■■■■■■  esc    120 (0 ctrl+p\r\n             "
	                                "          commands"),
	                 BH_COMPOSER_DRAFT);
	assert_int_equal(opencode_shows("  ┃\r\n", "3;6", "",
	                                "   [⋯]  esc         120 (0 ctrl+p\r\n        inter "
	                                "         commands"),
	                 BH_COMPOSER_DRAFT);
	assert_int_equal(opencode_shows("  ┃\r\n", "3;6", "",
	                                "   esc again to     120 (0 ctrl+p\r\n   interrupt  "
	                                "         commands"),
	                 BH_COMPOSER_DRAFT);
}

static void a_composer_with_bars_is_read(void **state)
{
	(void)state;
	assert_int_equal(opencode_holds("  ┃\r\n", "3;6", ""), BH_COMPOSER_EMPTY);
	assert_int_equal(opencode_holds("  ┃\r\n", "3;7", ""), BH_COMPOSER_UNKNOWN);
	assert_int_equal(opencode_holds("  ┃  x\r\n", "3;7", ""), BH_COMPOSER_DRAFT);
	assert_int_equal(opencode_holds("  ┃  Ask anything… \"What?\"\r\n", "3;6", ""),
	                 BH_COMPOSER_EMPTY);
	// Lines that are blank below others, wherever the cursor stands.
	assert_int_equal(opencode_holds("  ┃  x\r\n  ┃\r\n  ┃\r\n", "5;6", ""), BH_COMPOSER_DRAFT);
	assert_int_equal(opencode_holds("  ┃  x\r\n  ┃\r\n", "4;6", ""), BH_COMPOSER_DRAFT);
	assert_int_equal(opencode_holds("  ┃\r\n  ┃\r\n", "3;6", ""), BH_COMPOSER_DRAFT);
	// The cursor is elsewhere: in a box over it.
	assert_int_equal(opencode_holds("  ┃\r\n", "1;20", ""), BH_COMPOSER_NONE);
	// A side bar.
	assert_int_equal(opencode_holds("  ┃                                        • todo\r\n",
	                                "3;6", "                     ~/demo"),
	                 BH_COMPOSER_EMPTY);
}

static void a_dim_placeholder_is_empty(void **state)
{
#define BELOW "\x1b[7;1H  GPT-6 default · ~/demo"
	(void)state;
	assert_int_equal(
		read_bytes("\x1b[5;1H\x1b[1m›\x1b[22m \x1b[2mAsk Codex to do anything\x1b[m" BELOW
	                   "\x1b[5;3H")
			.composer,
		BH_COMPOSER_EMPTY);
	// The same words, typed.
	assert_int_equal(
		read_bytes("\x1b[5;1H› Ask Codex to do anything" BELOW "\x1b[5;3H").composer,
		BH_COMPOSER_DRAFT);
	// Other words, dim.
	assert_int_equal(
		read_bytes("\x1b[5;1H› \x1b[2mShutting down...\x1b[m" BELOW "\x1b[5;3H").composer,
		BH_COMPOSER_DRAFT);
	// The cursor hidden: browsing. No status line: starting.
	assert_int_equal(read_bytes("\x1b[5;1H› \x1b[2mAsk Codex to do anything\x1b[m" BELOW
	                            "\x1b[5;3H\x1b[?25l")
	                         .composer,
	                 BH_COMPOSER_NONE);
	assert_int_equal(
		read_bytes("\x1b[5;1H› \x1b[2mAsk Codex to do anything\x1b[m\x1b[5;3H").composer,
		BH_COMPOSER_NONE);
}

// A draft of many rows has pushed the status line off the screen; a screen that is being drawn has
// not got one yet.
static void a_tall_draft_fills_the_screen(void **state)
{
	(void)state;
	assert_int_equal(
		read_bytes("\x1b[2;1H› one\r\n  two\r\n  three\r\n\r\n  five\r\n  six\r\n  7")
			.composer,
		BH_COMPOSER_DRAFT);
	assert_int_equal(
		read_bytes("\x1b[2;1H› one\r\n  two\r\n  three\r\nother\r\n  five\r\n  six\r\n  7")
			.composer,
		BH_COMPOSER_NONE);
	assert_int_equal(
		read_bytes("\x1b[6;1H› \x1b[2mAsk Codex to do anything\x1b[m\r\n\r\n  ? for "
	                   "shortcuts\x1b[6;3H")
			.composer,
		BH_COMPOSER_NONE);
}

static void a_view_keeps_columns_and_rows(void **state)
{
	struct bh_screen_settings settings = {.cols = 20, .rows = 3};
	struct bh_screen *screen = bh_screen_new(&settings);
	struct bh_view view = {0};
	const char *row;
	size_t len;

	(void)state;
	bh_screen_feed(screen, "\xE6\x97\xA5x  \r\n\x1b[?2004h", 16, 1);
	bh_view_take(&view, screen);
	row = bh_view_row_text(&view, 0, &len);
	assert_int_equal(len, 4);
	assert_memory_equal(row, "\xE6\x97\xA5x", 4);
	assert_int_equal(view.col[0], 0);
	assert_int_equal(view.col[3], 2);
	assert_int_equal(bh_view_last_row(&view), 0);
	assert_true(view.has_paste);
	assert_int_equal(view.cursor_row, 1);
	(void)bh_view_row_text(&view, 7, &len);
	assert_int_equal(len, 0);
	bh_view_clear(&view);
	bh_screen_free(screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(composers_of_claude),
		cmocka_unit_test(other_programs_with_that_frame_are_foreign),
		cmocka_unit_test(rules_of_claude),
		cmocka_unit_test(titles_are_a_region),
		cmocka_unit_test(a_composer_with_bars_is_read),
		cmocka_unit_test(a_status_row_that_wraps_is_read),
		cmocka_unit_test(a_dim_placeholder_is_empty),
		cmocka_unit_test(a_tall_draft_fills_the_screen),
		cmocka_unit_test(a_view_keeps_columns_and_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
