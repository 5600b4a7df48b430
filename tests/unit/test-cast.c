// Reader of recordings: header, events, times, and the errors with their line.
#include "src/agent/cast.h"

#include "src/base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "{\"version\":2,\"width\":80,\"height\":24}\n"

/** Read the header of @text; the stream is left in @in_out. */
static struct bh_cast *cast_of(const char *text, FILE **in_out, struct bh_err *err)
{
	*in_out = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	assert_non_null(*in_out);
	return bh_cast_new(*in_out, "f.cast", err);
}

static void assert_program(const char *header, const char *expected)
{
	FILE *in;
	struct bh_cast *cast = cast_of(header, &in, NULL);

	assert_non_null(cast);
	assert_string_equal(bh_cast_program(cast), expected);
	bh_cast_free(cast);
	(void)fclose(in);
}

static void the_header_tells_size_and_program(void **state)
{
	FILE *in;
	struct bh_cast *cast = cast_of("{\"version\":2,\"width\":100,\"height\":30}\n", &in, NULL);

	(void)state;
	assert_int_equal(bh_cast_cols(cast), 100);
	assert_int_equal(bh_cast_rows(cast), 30);
	assert_string_equal(bh_cast_program(cast), "");
	bh_cast_free(cast);
	bh_cast_free(NULL);
	(void)fclose(in);
	assert_program("{\"version\":2,\"width\":9,\"height\":9,\"title\":\"t\",\"command\":"
	               "\"/usr/bin/claude --x /a/b\"}\n",
	               "claude");
	assert_program("{\"version\":2,\"width\":9,\"height\":9,\"title\":\"codex run\"}\n",
	               "codex");
}

static void what_is_no_recording_is_refused(void **state)
{
	static const char *const texts[] = {
		"\n",
		"not json\n",
		"{\"version\":1,\"width\":80,\"height\":24}\n",
		"{\"version\":2,\"width\":80}\n",
		"{\"version\":2,\"width\":0,\"height\":24}\n",
		"{\"version\":2,\"width\":80,\"height\":1e9}\n",
		"{\"version\":2,\"width\":\"80\",\"height\":24}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct bh_err err = {0};
		FILE *in;

		assert_null(cast_of(texts[i], &in, &err));
		assert_string_equal(
			err.text,
			"f.cast:1: is no asciicast of version 2 with a width and a height");
		(void)fclose(in);
	}
}

static void events_come_one_by_one(void **state)
{
	FILE *in;
	struct bh_cast *cast = cast_of(HEAD "[0.5,\"o\",\"a\\u001b[m\\u00e9\"]\n"
	                                    "\n"
	                                    "[1.2345,\"r\",\"100x30\"]\n"
	                                    "[1.2,\"i\",\"\"]\n"
	                                    "[2,\"m\",\"end\"]",
	                               &in, NULL);
	struct bh_cast_event event;

	(void)state;
	assert_int_equal(bh_cast_next(cast, &event, NULL), 1);
	assert_int_equal(event.at_ms, 500);
	assert_int_equal(event.kind, 'o');
	assert_string_equal(event.data, "a\x1b[mé");
	assert_int_equal(event.len, strlen(event.data));
	assert_int_equal(bh_cast_next(cast, &event, NULL), 1);
	assert_int_equal(event.at_ms, 1235);
	assert_int_equal(event.kind, 'r');
	assert_string_equal(event.data, "100x30");
	// Time never goes back.
	assert_int_equal(bh_cast_next(cast, &event, NULL), 1);
	assert_int_equal(event.at_ms, 1235);
	assert_int_equal(event.kind, 'i');
	assert_int_equal(event.len, 0);
	// The last line needs no end.
	assert_int_equal(bh_cast_next(cast, &event, NULL), 1);
	assert_int_equal(event.at_ms, 2000);
	assert_int_equal(bh_cast_next(cast, &event, NULL), 0);
	assert_int_equal(bh_cast_next(cast, &event, NULL), 0);
	bh_cast_free(cast);
	(void)fclose(in);
}

static void damaged_events_are_told_with_their_line(void **state)
{
	static const char *const lines[] = {
		"[1,\"o\"",         "{}",
		"[1,\"o\"]",        "[\"1\",\"o\",\"x\"]",
		"[-1,\"o\",\"x\"]", "[1e300,\"o\",\"x\"]",
		"[1,\"ou\",\"x\"]", "[1,\"\",\"x\"]",
		"[1,\"o\",7]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char text[128];
		struct bh_err err = {0};
		struct bh_cast_event event;
		struct bh_cast *cast;
		FILE *in;

		(void)snprintf(text, sizeof text, HEAD "[0,\"o\",\"x\"]\n%s\n", lines[i]);
		cast = cast_of(text, &in, &err);
		assert_int_equal(bh_cast_next(cast, &event, &err), 1);
		assert_true(bh_cast_next(cast, &event, &err) < 0);
		assert_string_equal(err.text, "f.cast:3: is no event [TIME, KIND, DATA]");
		bh_cast_free(cast);
		(void)fclose(in);
	}
}

// A line without an end must not take all memory.
static void a_line_has_a_longest_length(void **state)
{
	struct bh_err err = {0};
	struct bh_cast_event event;
	FILE *in = tmpfile();
	struct bh_cast *cast;
	char block[65536];

	(void)state;
	assert_non_null(in);
	(void)fputs(HEAD, in);
	memset(block, 'x', sizeof block);
	for (size_t done = 0; done <= BH_CAST_LINE_MAX; done += sizeof block) {
		assert_int_equal(fwrite(block, sizeof block, 1, in), 1);
	}
	rewind(in);
	cast = bh_cast_new(in, "f.cast", &err);
	assert_int_equal(bh_cast_next(cast, &event, &err), BH_ELIMIT);
	assert_int_equal(strncmp(err.text, "f.cast:2: longer than ", 22), 0);
	bh_cast_free(cast);
	(void)fclose(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_tells_size_and_program),
		cmocka_unit_test(what_is_no_recording_is_refused),
		cmocka_unit_test(events_come_one_by_one),
		cmocka_unit_test(damaged_events_are_told_with_their_line),
		cmocka_unit_test(a_line_has_a_longest_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
