#include "tests/unit/manual.h"

#include "src/base/file.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Columns of a line of text. */
#define COLS 78

/** The place after the line @mark in @text; fails the test when there is none. */
static const char *after_line(const char *text, const char *mark)
{
	const char *at = strstr(text, mark);

	if (at == NULL) {
		fail_msg("the manual has no line %s", mark);
		return text;
	}
	return at + strlen(mark);
}

void manual_part_is(const char *page, const char *part, const char *text)
{
	char *path = bh_xasprintf("%s/doc/%s", getenv("BELLHOP_TEST_SRCDIR"), page);
	char *begin = bh_xasprintf(".\\\" begin %s\n", part);
	char *end = bh_xasprintf(".\\\" end %s\n", part);
	struct bh_buf manual = {0};
	struct bh_buf updated = {0};
	const char *from = NULL;
	const char *to = NULL;
	bool is_same = false;

	assert_int_equal(bh_file_read(path, 1024 * 1024, &manual, NULL), 0);
	from = after_line(manual.data, begin);
	to = after_line(from, end) - strlen(end);
	is_same = strlen(text) == (size_t)(to - from) && strncmp(from, text, strlen(text)) == 0;
	if (!is_same && getenv("BELLHOP_TEST_UPDATE") != NULL) {
		bh_buf_printf(&updated, "%.*s%s%s", (int)(from - manual.data), manual.data, text,
		              to);
		assert_int_equal(
			bh_file_replace(path,
		                        (struct bh_span){.data = updated.data, .len = updated.len},
		                        0644, BH_FILE_ATOMIC, NULL),
			0);
	} else if (!is_same) {
		fail_msg("doc/%s: part \"%s\" is not what the table makes; the test with "
		         "BELLHOP_TEST_UPDATE=1 writes it anew",
		         page, part);
	}
	bh_buf_clear(&updated);
	bh_buf_clear(&manual);
	free(begin);
	free(end);
	free(path);
}

void manual_add_text(struct bh_buf *out, const char *text)
{
	size_t used = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, " ");
		bool is_end = text[len] == ' ' && text[len - 1] == '.';

		if (used + 1 + len > COLS) {
			bh_buf_puts(out, "\n");
			used = 0;
		}
		bh_buf_printf(out, "%s%s", used > 0 ? " " : "",
		              used == 0 && strchr(".'", text[0]) != NULL ? "\\&" : "");
		for (size_t i = 0; i < len; i++) {
			if (text[i] == '\\') {
				bh_buf_puts(out, "\\e");
			} else {
				bh_buf_printf(out, "%c", text[i]);
			}
		}
		bh_buf_puts(out, is_end ? "\n" : "");
		used = is_end ? 0 : used + 1 + len;
		text += len + strspn(text + len, " ");
	}
	bh_buf_puts(out, "\n");
}

void manual_add_word(struct bh_buf *out, const char *word)
{
	if (strcmp(word, "\"") == 0) {
		bh_buf_puts(out, "\\(dq");
	} else if (strcmp(word, "\\") == 0) {
		bh_buf_puts(out, "\\e");
	} else {
		bh_buf_printf(out, "%s%s", strchr(".,:;()[]?!|", word[0]) == NULL ? "" : "\\&",
		              word);
	}
}
