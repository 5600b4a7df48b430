// Keys of a person and answers of a terminal are told apart by their form.
#include "src/agent/person.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** Feed @bytes in pieces of @step and write one letter per thing: t text, e Enter, k key, r reply;
 * a run of the same thing counts once. */
static void feed(const char *bytes, size_t len, size_t step, char *out, size_t size)
{
	struct bh_person person = {0};
	size_t used = 0;

	for (size_t from = 0; from < len; from += step) {
		const unsigned char *at = (const unsigned char *)bytes + from;
		const unsigned char *end = at + (len - from < step ? len - from : step);
		enum bh_input what;

		while (bh_person_next(&person, &at, end, &what)) {
			char letter = what == BH_INPUT_PERSON_TEXT    ? 't'
			              : what == BH_INPUT_PERSON_ENTER ? 'e'
			              : what == BH_INPUT_PERSON_KEY   ? 'k'
			                                              : 'r';

			if (used + 1 < size && (used == 0 || out[used - 1] != letter)) {
				out[used++] = letter;
			}
		}
	}
	out[used] = '\0';
}

static const struct {
	const char *bytes;
	const char *meaning;
} cases[] = {
	{"hello\r", "te"},
	{"\xE6\x97\xA5", "t"},
	{"\x03", "k"},
	{"\x7f", "k"},
	{"\x1b[A", "k"},
	{"\x1bOA", "k"},
	{"\x1b[Z", "k"},
	{"\x1b[15~", "k"},
	{"\x1b[?62;22c", "r"},
	{"\x1b[>0;100;0c", "r"},
	{"\x1b[24;80R", "r"},
	{"\x1b[0n", "r"},
	{"\x1b[?2026;2$y", "r"},
	{"\x1b[?0u", "r"},
	{"\x1b]11;rgb:1111/1111/1111\x1b\\", "r"},
	{"\x1b]7501;?\x1b\\", "r"},
	{"\x1b]10;x\x07", "r"},
	{"\x1bP>|lab(1)\x1b\\", "r"},
	{"\x1b_Gi=1;OK\x1b\\", "r"},
	{"\x1b[I", "r"},
	{"\x1b[O", "r"},
	{"\x1b[<0;10;5M\x1b[<0;10;5m", "r"},
	{"\x1b[M !!x", "rt"},
	{"\x1b[8;24;80t", "r"},
	{"\x1b[97u", "t"},
	{"\x1b[97;5u", "k"},
	{"\x1b[97;1:3u", "r"},
	{"\x1b[13u", "e"},
	{"\x1b[13;2u", "k"},
	{"\x1b[200~one\rtwo\x1b[201~\r", "te"},
	{"\x1b[?62;22chi\r\x1b[?0u", "rter"},
};

static void each_form_has_its_meaning(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[32];

		feed(cases[i].bytes, strlen(cases[i].bytes), 1000, out, sizeof out);
		if (strcmp(out, cases[i].meaning) != 0) {
			fail_msg("case %zu: %s, not %s", i, out, cases[i].meaning);
		}
	}
}

// Cut anywhere, nothing becomes text or Enter that was none; a cut behind ESC may count as a key.
static void cut_sequences_are_put_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (size_t step = 1; step < strlen(cases[i].bytes); step++) {
			char out[64];

			feed(cases[i].bytes, strlen(cases[i].bytes), step, out, sizeof out);
			for (const char *at = out; *at; at++) {
				if (*at != 'k' && !strchr(cases[i].meaning, *at)) {
					fail_msg("case %zu cut by %zu: %s", i, step, out);
				}
			}
		}
	}
}

static void a_lone_escape_is_a_key_at_once(void **state)
{
	char out[8];

	(void)state;
	feed("\x1b", 1, 1, out, sizeof out);
	assert_string_equal(out, "k");
	feed("\x1b]", 2, 2, out, sizeof out);
	assert_string_equal(out, "k");
	feed("\x1bx", 2, 2, out, sizeof out);
	assert_string_equal(out, "k");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_has_its_meaning),
		cmocka_unit_test(cut_sequences_are_put_together),
		cmocka_unit_test(a_lone_escape_is_a_key_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
