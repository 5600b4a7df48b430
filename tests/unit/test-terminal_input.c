// What is written to a terminal, by people and by us.
#include "src/agent/profile.h"
#include "src/base/err.h"
#include "src/server/key_marks.h"
#include "src/server/pty.h"
#include "src/server/tape.h"
#include "tests/unit/terminal-fixture.h"

#include <string.h>

static void held_keys_wait_and_go_in_order(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(bh_terminal_write(fixture.terminal, "x", 1, BH_WRITER_TYPIST_TEXT),
	                 BH_EDENIED);
	fixture.terminal->profile = bh_profiles_find(fixture.profiles, "demo");
	bh_terminal_hold(fixture.terminal);
	assert_int_equal(bh_terminal_write(fixture.terminal, "one", 3, BH_WRITER_PERSON), 0);
	assert_true(bh_terminal_resize(fixture.terminal, 60, 10));
	assert_int_equal(bh_terminal_write(fixture.terminal, "MAIL", 4, BH_WRITER_TYPIST_TEXT), 0);
	assert_int_equal(bh_terminal_write(fixture.terminal, "two\r", 4, BH_WRITER_PERSON), 0);
	assert_child_reads(&fixture, "MAIL");
	assert_child_reads(&fixture, "");
	assert_int_equal(bh_terminal_cols(fixture.terminal), 40);
	assert_int_equal(bh_terminal_release(fixture.terminal, false), 0);
	assert_child_reads(&fixture, "onetwo\r");
	assert_int_equal(bh_terminal_cols(fixture.terminal), 60);
	fixture_close(&fixture);
}

static void held_keys_are_counted_with_what_is_dropped_of_them(void **state)
{
	struct fixture fixture;
	uint64_t count = 0;

	(void)state;
	fixture_open(&fixture);
	struct bh_key_marks *marks = fixture.terminal->key_marks;

	assert_false(bh_key_marks_open(marks, 7, &count));
	int client = bh_key_marks_find(marks, 7);

	bh_terminal_hold(fixture.terminal);
	assert_int_equal(bh_terminal_write_keys(fixture.terminal, client, bh_span_of("a1\r")), 0);
	marks = bh_key_marks_new(bh_tape_notes(fixture.terminal->tape)); // as the next server does
	assert_true(bh_key_marks_open(marks, 7, &count));
	assert_int_equal(count, 0);
	bh_key_marks_free(marks);
	assert_int_equal(bh_terminal_release(fixture.terminal, true), 2);
	assert_child_reads(&fixture, "a");
	assert_int_equal(bh_terminal_write_keys(fixture.terminal, client, bh_span_of("b")), 0);
	marks = bh_key_marks_new(bh_tape_notes(fixture.terminal->tape));
	assert_true(bh_key_marks_open(marks, 7, &count));
	assert_int_equal(count, 4);
	bh_key_marks_free(marks);
	fixture_close(&fixture);
}

static void held_answers_are_dropped_when_a_dialog_came(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_terminal_hold(fixture.terminal);
	assert_int_equal(bh_terminal_write(fixture.terminal, "a1\r", 3, BH_WRITER_PERSON), 0);
	assert_int_equal(bh_terminal_release(fixture.terminal, true), 2);
	assert_child_reads(&fixture, "a");
	// The warning is not wiped away by whoever comes next.
	bh_terminal_note(fixture.terminal, "");
	assert_non_null(strstr(fixture.terminal->note, "dropped"));
	fixture_close(&fixture);
}

static void no_more_is_held_than_fits(void **state)
{
	static const char keys[65536] = {0};
	struct fixture fixture;
	size_t held = 0;

	(void)state;
	fixture_open(&fixture);
	bh_terminal_hold(fixture.terminal);
	while (bh_terminal_write(fixture.terminal, keys, sizeof(keys), BH_WRITER_PERSON) == 0) {
		held += sizeof(keys);
		assert_true(held <= BH_PTY_QUEUE_MAX);
	}
	assert_int_equal(bh_terminal_write(fixture.terminal, keys, sizeof(keys), BH_WRITER_PERSON),
	                 BH_EBUSY);
	assert_true(held > BH_PTY_QUEUE_MAX - sizeof(keys));
	assert_child_reads(&fixture, "");
	fixture_close(&fixture);
}

static void a_person_is_who_presses_keys(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(bh_terminal_write(fixture.terminal, "\033[I", 3, BH_WRITER_PERSON), 0);
	assert_int_equal(fixture.persons, 0); // the terminal itself told of the focus
	assert_int_equal(bh_terminal_write(fixture.terminal, "x", 1, BH_WRITER_PERSON), 0);
	assert_int_equal(fixture.persons, 1);
	assert_child_reads(&fixture, "\033[Ix");
	fixture_close(&fixture);
}

static void we_type_only_where_the_profile_allows_it(void **state)
{
	static const enum bh_writer ours[] = {BH_WRITER_TYPIST_TEXT, BH_WRITER_TYPIST_CR,
	                                      BH_WRITER_TYPIST_CLEAR};
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	fixture.terminal->profile = bh_profiles_find(fixture.profiles, "generic");
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		assert_int_equal(bh_terminal_write(fixture.terminal, "x", 1, ours[i]), BH_EDENIED);
	}
	assert_child_reads(&fixture, "");
	// Answers to its queries are no typing.
	assert_int_equal(bh_terminal_write(fixture.terminal, "y", 1, BH_WRITER_REPLY), 0);
	assert_child_reads(&fixture, "y");
	fixture_close(&fixture);
}

static void a_note_is_told_when_it_is_another(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_terminal_note(fixture.terminal, "mail waits");
	assert_string_equal(fixture.terminal->note, "mail waits");
	bh_terminal_note(fixture.terminal, "mail waits");
	assert_int_equal(fixture.noted, 1);
	bh_terminal_note(fixture.terminal, "");
	assert_int_equal(fixture.noted, 2);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(held_keys_wait_and_go_in_order),
		cmocka_unit_test(held_keys_are_counted_with_what_is_dropped_of_them),
		cmocka_unit_test(held_answers_are_dropped_when_a_dialog_came),
		cmocka_unit_test(no_more_is_held_than_fits),
		cmocka_unit_test(a_person_is_who_presses_keys),
		cmocka_unit_test(we_type_only_where_the_profile_allows_it),
		cmocka_unit_test(a_note_is_told_when_it_is_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
