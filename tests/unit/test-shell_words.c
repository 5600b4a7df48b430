#include "src/base/shell_words.h"

#include "src/base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void a_shell_runs_only_what_needs_one(void **state)
{
	static const struct {
		const char *command;
		const char *words;
	} rows[] = {
		{"claude", "[claude]"},
		{"  claude --model\topus  ", "[claude][--model][opus]"},
		{"fish --login", "[fish][--login]"},
		{"env A=b codex", "[env][A=b][codex]"},
		{"a b c", "[a][b][c]"},
		{"A=b codex", "[/bin/sh][-c][A=b codex]"},
		{"cd /tmp", "[/bin/sh][-c][cd /tmp]"},
		{"exec claude", "[/bin/sh][-c][exec claude]"},
		{"echo mine; exec sh", "[/bin/sh][-c][echo mine; exec sh]"},
		{"echo \"two words\"", "[/bin/sh][-c][echo \"two words\"]"},
		{"ls ~", "[/bin/sh][-c][ls ~]"},
		{"ls\nls", "[/bin/sh][-c][ls\nls]"},
		{" ", "[/bin/sh][-c][ ]"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char **words = bh_shell_words(rows[i].command);
		struct bh_buf text = {0};

		for (char **word = words; *word != NULL; word++) {
			bh_buf_printf(&text, "[%s]", *word);
		}
		assert_string_equal(text.data, rows[i].words);
		bh_buf_clear(&text);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shell_runs_only_what_needs_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
