#include "src/base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_word_is_found_again_and_unique(void **state)
{
	(void)state;
	for (int list = 0; list < BH_WORDS_COUNT; list++) {
		for (int i = 0; i < bh_word_count(list); i++) {
			const char *word = bh_word(list, i);

			if (word[0] != '\0') {
				assert_int_equal(bh_word_find(list, word), i);
			}
			assert_int_not_equal(bh_word_meaning(list, i)[0], '\0');
		}
	}
}

static void values_out_of_range_have_no_word(void **state)
{
	(void)state;
	assert_string_equal(bh_word(BH_WORDS_REASON, -1), "");
	assert_string_equal(bh_word(BH_WORDS_REASON, BH_REASON_COUNT), "");
	assert_string_equal(bh_word_meaning(BH_WORDS_STATE, 99), "");
	assert_int_equal(bh_word_find(BH_WORDS_STATE, ""), -1);
	assert_int_equal(bh_word_find(BH_WORDS_STATE, NULL), -1);
	assert_int_equal(bh_word_find(BH_WORDS_STATE, "dead"), -1);
}

static void the_sentence_of_the_contract_is_made(void **state)
{
	struct bh_sentence what = {.to = "reviewer", .act = "type it", .reason = BH_REASON_WORKING};
	struct bh_buf out = {0};

	(void)state;
	bh_words_next(&out, BH_NEXT_QUEUED, &what);
	assert_string_equal(
		out.data,
		"reviewer is working. bellhop will type it once reviewer is idle; if reviewer exits "
		"first it stays in its inbox. Do not send it again. Seen is not done: ask for a reply "
		"if you need one.");
	bh_buf_clear(&out);
}

static void a_sentence_begins_with_a_capital_a_name_keeps_its_form(void **state)
{
	struct bh_sentence what = {.to = "ci", .act = "type it", .reason = BH_REASON_DRAFT};
	struct bh_buf out = {0};

	(void)state;
	bh_words_next(&out, BH_NEXT_QUEUED, &what);
	assert_int_equal(strncmp(out.data, "A person's draft stands in ci's composer. ", 42), 0);
	bh_buf_clear(&out);
	what.reason = BH_REASON_TYPING_OFF;
	bh_words_next(&out, BH_NEXT_INBOX_ONLY, &what);
	assert_int_equal(strncmp(out.data, "bellhop does not type", 21), 0);
	bh_buf_clear(&out);
}

static void a_name_is_not_a_template(void **state)
{
	struct bh_sentence what = {
		.to = "{cause}", .act = "{to}", .detail = "{until}", .reason = BH_REASON_WORKING};
	struct bh_buf out = {0};

	(void)state;
	bh_words_next(&out, BH_NEXT_TYPED, &what);
	assert_string_equal(out.data, "It became a turn of {cause}{until}. " BH_WORDS_TAIL);
	bh_buf_clear(&out);
}

static bool has_open_placeholder(const char *text)
{
	return strchr(text, '{') != NULL || strchr(text, '}') != NULL;
}

static void no_sentence_keeps_a_placeholder(void **state)
{
	(void)state;
	for (int reason = 0; reason < BH_REASON_COUNT; reason++) {
		struct bh_sentence what = {.to = "x", .act = "type it", .reason = reason};

		for (int which = 0; which < BH_NEXT_COUNT; which++) {
			struct bh_buf out = {0};

			bh_words_next(&out, which, &what);
			assert_false(has_open_placeholder(out.data));
			assert_int_equal(out.data[out.len - 1], '.');
			bh_buf_clear(&out);
		}
		for (int seen = 0; seen < BH_PROSPECT_COUNT; seen++) {
			struct bh_buf out = {0};
			bool has_warning = bh_words_warning(&out, seen, &what);

			assert_int_equal(has_warning, seen == BH_PROSPECT_NEEDS_A_PERSON ||
			                                      seen == BH_PROSPECT_ONLY_IF_IT_LOOKS);
			if (has_warning) {
				assert_false(has_open_placeholder(out.data));
				assert_non_null(strstr(out.data, "Do not wait for an answer"));
			}
			bh_buf_clear(&out);
		}
	}
}

static void exit_codes_and_faults_have_their_numbers(void **state)
{
	(void)state;
	assert_int_equal(BH_EXIT_NOT_WOKEN, 3);
	assert_non_null(bh_exit_meaning(4));
	assert_null(bh_exit_meaning(6));
	assert_int_equal(bh_fault_code(BH_FAULT_INTERNAL), -32603);
	assert_int_equal(bh_fault_code(bh_word_find(BH_WORDS_FAULT, "busy")), -32000);
}

/** The heading of a list in doc/CONTRACT.md. */
static const char *const list_names[BH_WORDS_COUNT] = {
	[BH_WORDS_STATE] = "state",       [BH_WORDS_LAST_TURN] = "last_turn",
	[BH_WORDS_PATH] = "path",         [BH_WORDS_FATE] = "fate",
	[BH_WORDS_PROSPECT] = "prospect", [BH_WORDS_REASON] = "reason",
	[BH_WORDS_STEP] = "step",         [BH_WORDS_MODE] = "mode",
	[BH_WORDS_TIER] = "tier",         [BH_WORDS_FAULT] = "fault",
};

static void rows_of_reasons(struct bh_buf *out)
{
#define REASON_ROW(name, word, prospect, cause, until, way_out) \
	if (BH_REASON_##name != BH_REASON_NONE) { \
		bh_buf_printf(out, "| `%s` | `%s` | %s | %s |\n", word, \
		              bh_word(BH_WORDS_PROSPECT, BH_PROSPECT_##prospect), cause, until); \
	}
	BH_REASON_LIST(REASON_ROW)
}

static void rows_of_list(struct bh_buf *out, int list)
{
	if (list == BH_WORDS_REASON) {
		rows_of_reasons(out);
		return;
	}
	for (int i = 0; i < bh_word_count(list); i++) {
		if (bh_word(list, i)[0] != '\0') {
			bh_buf_printf(out, "| `%s` | %s |\n", bh_word(list, i),
			              bh_word_meaning(list, i));
		}
	}
}

/** What stands in the document between the marks of a list. */
static void block_of_list(struct bh_buf *out, int list)
{
	bh_buf_printf(out, "<!-- words: %s -->\n", list_names[list]);
	bh_buf_puts(out, list == BH_WORDS_REASON
	                         ? "| reason | will_be_seen | because | bellhop types it |\n"
	                           "|---|---|---|---|\n"
	                         : "| word | meaning |\n|---|---|\n");
	rows_of_list(out, list);
	bh_buf_puts(out, "<!-- end -->\n");
}

static void block_of_exits(struct bh_buf *out)
{
	bh_buf_puts(out, "<!-- words: exit -->\n| exit | meaning |\n|---|---|\n");
	for (int code = 0; bh_exit_meaning(code) != NULL; code++) {
		bh_buf_printf(out, "| %d | %s |\n", code, bh_exit_meaning(code));
	}
	bh_buf_puts(out, "<!-- end -->\n");
}

static char *document(const char *name)
{
	char *path = NULL;
	struct bh_buf text = {0};
	char bytes[4096];
	size_t len;
	FILE *file;

	assert_true(asprintf(&path, "%s/doc/%s", getenv("BELLHOP_TEST_SRCDIR"), name) > 0);
	file = fopen(path, "re");
	assert_non_null(file);
	while ((len = fread(bytes, 1, sizeof(bytes), file)) > 0) {
		bh_buf_append(&text, bytes, len);
	}
	fclose(file);
	free(path);
	return bh_buf_detach(&text);
}

static void the_document_has_exactly_these_words(void **state)
{
	char *text = document("CONTRACT.md");

	(void)state;
	for (int list = 0; list <= BH_WORDS_COUNT; list++) {
		struct bh_buf block = {0};

		if (list < BH_WORDS_COUNT) {
			block_of_list(&block, list);
		} else {
			block_of_exits(&block);
		}
		if (strstr(text, block.data) == NULL) {
			fail_msg("doc/CONTRACT.md must have (see test-words --print):\n%s",
			         block.data);
		}
		bh_buf_clear(&block);
	}
	free(text);
}

static void the_protocol_has_exactly_the_error_words(void **state)
{
	char *text = document("PROTOCOL.md");
	char *from = strstr(text, "\n## 3.");
	char *to = from != NULL ? strstr(from + 1, "\n## ") : NULL;

	(void)state;
	if (to == NULL) {
		fail_msg("doc/PROTOCOL.md has no section 3");
		return;
	}
	*to = '\0';
	for (int fault = 0; fault < BH_FAULT_COUNT; fault++) {
		char row[60];

		snprintf(row, sizeof(row), "`%s`", bh_word(BH_WORDS_FAULT, fault));
		if (strstr(from, row) == NULL) {
			fail_msg("doc/PROTOCOL.md section 3 lacks %s", row);
		}
	}
	for (char *at = strstr(from, "\n| `"); at != NULL; at = strstr(at + 1, "\n| `")) {
		char word[40] = "";

		assert_int_equal(sscanf(at, "\n| `%39[a-z_]`", word), 1);
		if (bh_word_find(BH_WORDS_FAULT, word) < 0 &&
		    bh_word_find(BH_WORDS_REASON, word) < 0) {
			fail_msg("doc/PROTOCOL.md section 3 has %s, src/base/words.h has not",
			         word);
		}
	}
	free(text);
}

/** Print the lists as they must stand in doc/CONTRACT.md. */
static int print_blocks(void)
{
	struct bh_buf out = {0};

	for (int list = 0; list < BH_WORDS_COUNT; list++) {
		block_of_list(&out, list);
		bh_buf_puts(&out, "\n");
	}
	block_of_exits(&out);
	fputs(out.data, stdout);
	bh_buf_clear(&out);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_is_found_again_and_unique),
		cmocka_unit_test(values_out_of_range_have_no_word),
		cmocka_unit_test(the_sentence_of_the_contract_is_made),
		cmocka_unit_test(a_sentence_begins_with_a_capital_a_name_keeps_its_form),
		cmocka_unit_test(a_name_is_not_a_template),
		cmocka_unit_test(no_sentence_keeps_a_placeholder),
		cmocka_unit_test(exit_codes_and_faults_have_their_numbers),
		cmocka_unit_test(the_document_has_exactly_these_words),
		cmocka_unit_test(the_protocol_has_exactly_the_error_words),
	};

	if (argc > 1 && strcmp(argv[1], "--print") == 0) {
		return print_blocks();
	}

	return cmocka_run_group_tests(tests, NULL, NULL);
}
