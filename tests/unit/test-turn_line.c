// What single lines of the agents' records say of our text.
#include "src/agent/turn_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define AT "\"timestamp\":\"2026-12-01T06:21:28.242Z\""
/** That time (ms since 1970). */
#define AT_MS 1796106088242

struct example {
	enum bh_proof_kind kind;
	const char *line;
	enum bh_proof_found found;
};

static void lines_are_read(const struct example *examples, size_t count, int64_t since_ms)
{
	const struct bh_turn_sought sought = {.mark = "Mail m42 from", .since_ms = since_ms};

	for (size_t i = 0; i < count; i++) {
		enum bh_proof_found found = bh_turn_line(
			examples[i].kind, &sought, examples[i].line, strlen(examples[i].line));

		if (found != examples[i].found) {
			fail_msg("%s: %d", examples[i].line, (int)found);
		}
	}
}

static void pi_is_read(void **state)
{
	static const struct example examples[] = {
		{BH_PROOF_KIND_PI,
	         "{\"type\":\"message\"," AT
	         ",\"message\":{\"role\":\"user\",\"content\":[{\"type\":"
	         "\"text\",\"text\":\"Mail m42 from x\"}]}}",
	         BH_PROOF_SUBMITTED},
		{BH_PROOF_KIND_PI,
	         "{\"type\":\"message\"," AT ",\"message\":{\"role\":\"user\",\"content\":"
	         "\"Mail m42 from x\"}}",
	         BH_PROOF_SUBMITTED},
		{BH_PROOF_KIND_PI,
	         "{\"type\":\"message\"," AT
	         ",\"message\":{\"role\":\"user\",\"content\":[{\"type\":"
	         "\"text\",\"text\":\"see Mail m42 from x\"}]}}",
	         BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_PI,
	         "{\"type\":\"message\"," AT ",\"message\":{\"role\":\"assistant\",\"content\":[{"
	         "\"type\":\"text\",\"text\":\"Mail m42 from x\"}]}}",
	         BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_PI,
	         "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":"
	         "\"Mail m42 from x\"}}",
	         BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_PI,
	         "{\"type\":\"message\",\"timestamp\":\"yesterday\",\"message\":{\"role\":\"user\","
	         "\"content\":\"Mail m42 from x\"}}",
	         BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_PI,
	         "{\"type\":\"custom_message\"," AT ",\"message\":{\"role\":\"user\",\"content\":"
	         "\"Mail m42 from x\"}}",
	         BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_PI, "Mail m42 from, no JSON", BH_PROOF_NOWHERE},
	};

	(void)state;
	lines_are_read(examples, sizeof examples / sizeof *examples, AT_MS);
}

static void gemini_is_read(void **state)
{
	static const struct example examples[] = {
		{BH_PROOF_KIND_GEMINI,
	         "{\"id\":\"a\"," AT
	         ",\"type\":\"user\",\"content\":[{\"text\":\"Mail m42 from x\"}]}",
	         BH_PROOF_SUBMITTED},
		{BH_PROOF_KIND_GEMINI,
	         "{\"id\":\"a\"," AT ",\"type\":\"user\",\"content\":\"Mail m42 from x\"}",
	         BH_PROOF_SUBMITTED},
		{BH_PROOF_KIND_GEMINI,
	         "{\"id\":\"a\"," AT ",\"type\":\"user\",\"content\":[{\"functionResponse\":{"
	         "\"response\":{\"output\":\"Mail m42 from x\"}}}]}",
	         BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_GEMINI,
	         "{\"id\":\"a\"," AT ",\"type\":\"gemini\",\"content\":\"Mail m42 from x\"}",
	         BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_GEMINI, "{\"type\":\"user\",\"content\":\"Mail m42 from x\"}",
	         BH_PROOF_NOWHERE},
	};

	(void)state;
	lines_are_read(examples, sizeof examples / sizeof *examples, AT_MS);
}

// A number of mail is that of a store; a record goes on for years.
static void lines_of_an_earlier_life_are_no_proof(void **state)
{
	static const struct example examples[] = {
		{BH_PROOF_KIND_PI,
	         "{\"type\":\"message\"," AT ",\"message\":{\"role\":\"user\",\"content\":"
	         "\"Mail m42 from x\"}}",
	         BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_GEMINI,
	         "{\"id\":\"a\"," AT ",\"type\":\"user\",\"content\":\"Mail m42 from x\"}",
	         BH_PROOF_NOWHERE},
	};

	(void)state;
	lines_are_read(examples, sizeof examples / sizeof *examples, AT_MS + 1);
}

// A look back asks for all of a mail, in a turn that may hold others before it.
static void a_whole_text_is_sought(void **state)
{
	static const char line[] =
		"{\"type\":\"message\"," AT ",\"message\":{\"role\":\"user\",\"content\":"
		"\"Mail m41 from y:\\n| a\\nMail m42 from x:\\n| b\\n| c\"}}";
	static const struct {
		const char *whole;
		enum bh_proof_found found;
	} cases[] = {
		{"Mail m42 from x:\n| b\n| c\n", BH_PROOF_SUBMITTED},
		{"Mail m42 from x:\n| b\n", BH_PROOF_NOWHERE},
		{"Mail m42 from x:\n| c\n", BH_PROOF_NOWHERE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct bh_turn_sought sought = {.mark = "Mail m42 from",
		                                      .whole = cases[i].whole};

		assert_int_equal(bh_turn_line(BH_PROOF_KIND_PI, &sought, line, strlen(line)),
		                 cases[i].found);
	}
}

static void kinds_without_lines_have_none(void **state)
{
	static const struct example examples[] = {
		{BH_PROOF_KIND_SCREEN, "Mail m42 from x", BH_PROOF_NOWHERE},
		{BH_PROOF_KIND_NONE, "Mail m42 from x", BH_PROOF_NOWHERE},
	};

	(void)state;
	lines_are_read(examples, 2, 0);
}

static void a_turn_begins_with_the_mark(void **state)
{
	(void)state;
	assert_true(bh_turn_is("Mail n1:", " \nMail n1: you have mail"));
	assert_true(bh_turn_is("Mail n1:", "<pasted_content id=\"1\">\nMail n1: x"));
	assert_false(bh_turn_is("Mail n1:", "Mail n11: x"));
	assert_false(bh_turn_is("Mail n1:", "<pasted_content"));
	assert_false(bh_turn_is("Mail n1:", NULL));
	assert_false(bh_turn_is(NULL, "Mail n1:"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pi_is_read),
		cmocka_unit_test(gemini_is_read),
		cmocka_unit_test(lines_of_an_earlier_life_are_no_proof),
		cmocka_unit_test(a_whole_text_is_sought),
		cmocka_unit_test(kinds_without_lines_have_none),
		cmocka_unit_test(a_turn_begins_with_the_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
