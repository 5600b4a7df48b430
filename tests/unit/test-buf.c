#include "src/base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void appended_text_is_terminated(void **state)
{
	struct bh_buf buf = {0};

	(void)state;
	bh_buf_append(&buf, "a\0b", 3);
	bh_buf_printf(&buf, "%d", 42);
	assert_int_equal(buf.len, 5);
	assert_memory_equal(buf.data, "a\0b42", 6);
	bh_buf_clear(&buf);
	assert_null(buf.data);
}

static void consume_keeps_the_rest(void **state)
{
	struct bh_buf buf = {0};

	(void)state;
	bh_buf_puts(&buf, "hello world");
	bh_buf_consume(&buf, 6);
	assert_string_equal(buf.data, "world");
	bh_buf_consume(&buf, 100);
	assert_int_equal(buf.len, 0);
	bh_buf_clear(&buf);
}

static void detach_gives_a_string_even_when_empty(void **state)
{
	struct bh_buf buf = {0};
	char *text = bh_buf_detach(&buf);

	(void)state;
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appended_text_is_terminated),
		cmocka_unit_test(consume_keeps_the_rest),
		cmocka_unit_test(detach_gives_a_string_even_when_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
