#include "src/cmd/print.h"

#include "src/base/mem.h"
#include "src/cmd/terminal_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** A stream that writes to memory. */
struct page {
	char *text;
	size_t size;
	FILE *out;
};

static void page_open(struct page *page)
{
	*page = (struct page){0};
	page->out = open_memstream(&page->text, &page->size);
	assert_non_null(page->out);
}

static void page_check(struct page *page, const char *wanted)
{
	assert_int_equal(fclose(page->out), 0);
	assert_string_equal(page->text, wanted);
	free(page->text);
}

static void ages_are_short(void **state)
{
	static const struct {
		double ms;
		const char *text;
	} cases[] = {{-5, "0s"},       {0, "0s"},         {999, "0s"},     {59999, "59s"},
	             {60000, "1m"},    {3599999, "59m"},  {3600000, "1h"}, {86399999, "23h"},
	             {86400000, "1d"}, {864000000, "10d"}};
	char text[16];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(bh_print_age(cases[i].ms, text), cases[i].text);
	}
}

static void columns_are_aligned_by_character(void **state)
{
	struct bh_table table = {.columns = 3};
	struct page page;

	(void)state;
	page_open(&page);
	bh_table_add(&table, "NAME");
	bh_table_add(&table, "N");
	bh_table_add(&table, "TEXT");
	bh_table_add(&table, "\xc3\xa4");
	bh_table_add(&table, "%d", 1000);
	bh_table_add(&table, "a\nb\tc\x1b[2J");
	bh_table_add(&table, "one");
	bh_table_add(&table, "%s", "");
	bh_table_add(&table, "%s", "");
	bh_table_print(&table, page.out);
	page_check(&page, "NAME  N     TEXT\n"
	                  "\xc3\xa4     1000  a b c\\x1b[2J\n"
	                  "one\n");
}

static void text_ends_with_one_newline(void **state)
{
	struct page page;

	(void)state;
	page_open(&page);
	bh_print_text(page.out, "a");
	bh_print_text(page.out, "b\n");
	bh_print_text(page.out, "");
	page_check(&page, "a\nb\n\n");
}

static void terminals_become_a_table(void **state)
{
	cJSON *list = cJSON_Parse(
		"[{\"identity\":\"coder\",\"state\":\"idle\",\"program\":\"claude\",\"pid\":42,"
		"\"cols\":120,\"rows\":40,\"age_ms\":61000,\"unread\":2,"
		"\"terminal_id\":\"6f1c0000-0000-4000-8000-000000000000\",\"exit\":null},"
		"{\"identity\":\"ci\",\"state\":\"exited\",\"program\":\"sh\",\"pid\":7,"
		"\"cols\":80,\"rows\":24,\"age_ms\":1000,\"unread\":0,\"terminal_id\":\"7a\","
		"\"exit\":{\"signal\":\"SIGKILL\"}}]");
	struct page page;

	(void)state;
	page_open(&page);
	bh_terminal_view_table(page.out, list);
	page_check(&page, "NAME   STATE             PROGRAM  PID  SIZE    AGE  MAIL  ID\n"
	                  "coder  idle              claude   42   120x40  1m   2     6f1c0000\n"
	                  "ci     exited (SIGKILL)  sh       7    80x24   1s   0     7a\n");
	cJSON_Delete(list);
	page_open(&page);
	bh_terminal_view_table(page.out, NULL);
	page_check(&page, "no terminals; `bellhop run -- PROGRAM` starts one\n");
}

static void a_wake_object_is_put_in_words(void **state)
{
	cJSON *wake = cJSON_Parse("{\"tier\":\"CONDITIONAL\",\"now\":\"blocked\",\"reason\":"
	                          "\"working\",\"conditions\":[\"something holds\"]}");
	struct page page;

	(void)state;
	page_open(&page);
	bh_terminal_view_wake(page.out, "coder", wake);
	page_check(&page, "wake: CONDITIONAL (works while the named condition holds)\n"
	                  "condition: something holds\n"
	                  "now: blocked (working: coder is working)\n");
	cJSON_Delete(wake);
}

static void a_birth_tells_by_what_it_is_judged(void **state)
{
	cJSON *terminal =
		cJSON_Parse("{\"identity\":\"coder\",\"terminal_id\":\"6f1c\",\"program\":"
	                    "\"claude\",\"profile\":\"claude\",\"cols\":80,\"rows\":24}");
	struct page page;

	(void)state;
	page_open(&page);
	bh_terminal_view_born(page.out, terminal);
	page_check(&page, "identity: coder\nterminal: 6f1c\nprogram: claude\nprofile: claude\n"
	                  "size: 80x24\n");
	cJSON_ReplaceItemInObject(terminal, "profile", cJSON_CreateString("generic"));
	page_open(&page);
	bh_terminal_view_born(page.out, terminal);
	page_check(&page,
	           "identity: coder\nterminal: 6f1c\nprogram: claude\nprofile: generic (never "
	           "typed into; --profile tells that it is an agent)\nsize: 80x24\n");
	cJSON_Delete(terminal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ages_are_short),
		cmocka_unit_test(columns_are_aligned_by_character),
		cmocka_unit_test(text_ends_with_one_newline),
		cmocka_unit_test(terminals_become_a_table),
		cmocka_unit_test(a_wake_object_is_put_in_words),
		cmocka_unit_test(a_birth_tells_by_what_it_is_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
