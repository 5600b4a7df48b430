#include "src/cmd/table.h"

#include "src/base/file.h"
#include "src/base/mem.h"
#include "src/cmd/help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** The manual as far as it is about commands, not about actions of the UI; the caller frees. */
static char *read_manual(void)
{
	char *path = bh_xasprintf("%s/doc/bellhop.1", getenv("BELLHOP_TEST_SRCDIR"));
	struct bh_buf text = {0};
	char *actions;

	assert_int_equal(bh_file_read(path, 1024 * 1024, &text, NULL), 0);
	free(path);
	actions = strstr(text.data, "\n.\\\" begin commands");
	if (actions != NULL) {
		*actions = '\0';
	}
	return bh_buf_detach(&text);
}

/** The part of the manual about one command; NULL when there is none. The caller frees. */
static char *manual_of(const char *manual, const char *name)
{
	char *begin_text = bh_xasprintf("\n.It Ic %s", name);
	const char *begin = strstr(manual, begin_text);
	const char *end = NULL;

	while (begin != NULL && strchr(" \n", begin[strlen(begin_text)]) == NULL) {
		begin = strstr(begin + 1, begin_text);
	}
	free(begin_text);
	if (begin == NULL) {
		return NULL;
	}
	end = strstr(begin + 1, "\n.It Ic ");
	if (end == NULL) {
		end = strstr(begin + 1, "\n.Sh ");
	}
	return bh_xmemdup(begin, (size_t)(end - begin));
}

/** How often @what stands in @text. */
static int count_of(const char *text, const char *what)
{
	int count = 0;

	for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) {
		count++;
	}
	return count;
}

/** The line that heads an option in the manual, without its end. */
static char *heading_of(const struct bh_option *option)
{
	char letter[16] = "";

	if (option->letter != '\0') {
		(void)snprintf(letter, sizeof(letter), "Fl %c , ", option->letter);
	}
	return bh_xasprintf("\n.It %sFl Fl %s%s%s\n", letter, option->name,
	                    option->argument == NULL ? "" : " Ar ",
	                    option->argument == NULL ? "" : option->argument);
}

static void check_options(const struct bh_command *command, const char *text)
{
	int count = 0;

	for (const struct bh_option *o = command->options; o != NULL && o->name != NULL; o++) {
		char *heading = heading_of(o);

		if (strstr(text, heading) == NULL) {
			fail_msg("%s: the manual lacks%s", command->name, heading);
		}
		free(heading);
		count++;
	}
	// And none that is not in the table.
	if (count_of(text, "\n.It Fl ") != count) {
		fail_msg("%s: the manual has %d options, the table %d", command->name,
		         count_of(text, "\n.It Fl "), count);
	}
}

static void the_manual_has_every_command_and_option(void **state)
{
	char *manual = read_manual();
	int count = 0;

	(void)state;
	for (const struct bh_command *const *at = bh_commands; *at != NULL; at++) {
		char *text = manual_of(manual, (*at)->name);

		if ((*at)->group == BH_GROUP_HIDDEN) {
			assert_null(text);
			continue;
		}
		if (text == NULL) {
			fail_msg("the manual lacks .It Ic %s", (*at)->name);
		}
		check_options(*at, text);
		free(text);
		count++;
	}
	assert_int_equal(count_of(manual, "\n.It Ic "), count);
	free(manual);
}

/** Whether a string is what the style of help asks for: no capital, no full stop, one line. */
static bool is_phrase(const char *text, size_t max)
{
	size_t len = strlen(text);

	return len > 0 && len <= max && text[len - 1] != '.' && strchr(text, '\n') == NULL &&
	       !(text[0] >= 'A' && text[0] <= 'Z');
}

static void descriptors_are_whole(void **state)
{
	(void)state;
	for (const struct bh_command *const *at = bh_commands; *at != NULL; at++) {
		const struct bh_command *command = *at;

		assert_non_null(command->run);
		assert_true(is_phrase(command->summary, 64));
		assert_true(command->words_max < 0 || command->words_max >= command->words_min);
		assert_int_equal(command->words_max != 0, command->arguments != NULL);
		assert_ptr_equal(bh_command_find(command->name), command);
		for (const struct bh_option *o = command->options; o != NULL && o->name != NULL;
		     o++) {
			if (!is_phrase(o->help, 64)) {
				fail_msg("%s --%s: help is too long, or no phrase", command->name,
				         o->name);
			}
			for (const struct bh_option *p = command->options; p != o; p++) {
				assert_string_not_equal(p->name, o->name);
				assert_true(p->letter == '\0' || p->letter != o->letter);
			}
		}
	}
}

static void help_fits_a_terminal(void **state)
{
	(void)state;
	for (const struct bh_command *const *at = bh_commands; *at != NULL; at++) {
		char *text = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		bh_help_command(out, *at);
		assert_int_equal(fclose(out), 0);
		for (const char *line = text; *line != '\0';) {
			size_t len = strcspn(line, "\n");

			if (len > 90) {
				fail_msg("%s: %.*s", (*at)->name, (int)len, line);
			}
			line += len + (line[len] != '\0');
		}
		free(text);
	}
}

static void slips_find_their_command(void **state)
{
	(void)state;
	assert_string_equal(bh_command_nearest("lsit"), "list");
	assert_string_equal(bh_command_nearest("inobx"), "inbox");
	assert_string_equal(bh_command_nearest("can_wake"), "can-wake");
	assert_null(bh_command_nearest("server-mai"));
	assert_null(bh_command_find("lis"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manual_has_every_command_and_option),
		cmocka_unit_test(descriptors_are_whole),
		cmocka_unit_test(help_fits_a_terminal),
		cmocka_unit_test(slips_find_their_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
