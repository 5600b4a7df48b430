#include "term/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void grows_and_stays_terminated(void **state)
{
	struct bh_bytes bytes = {0};

	(void)state;
	for (int i = 0; i < 1000; i++) {
		bh_bytes_add_byte(&bytes, (char)('a' + i % 26));
	}
	bh_bytes_puts(&bytes, "end");
	bh_bytes_printf(&bytes, "%d%s", 7, "!");
	assert_int_equal(bytes.len, 1005);
	assert_string_equal(bytes.data + 998, "kl"
	                                      "end7!");
	bh_bytes_clear(&bytes);
	assert_null(bytes.data);
}

static void consume_takes_from_the_front(void **state)
{
	struct bh_bytes bytes = {0};

	(void)state;
	bh_bytes_puts(&bytes, "hello");
	bh_bytes_consume(&bytes, 2);
	assert_string_equal(bytes.data, "llo");
	bh_bytes_consume(&bytes, 99);
	assert_int_equal(bytes.len, 0);
	assert_string_equal(bytes.data, "");
	bh_bytes_clear(&bytes);
	bh_bytes_consume(&bytes, 1);
	assert_null(bytes.data);
}

static void room_is_filled_by_the_caller(void **state)
{
	struct bh_bytes bytes = {0};

	(void)state;
	bh_bytes_puts(&bytes, "ab");
	memset(bh_bytes_room(&bytes, 5000), 'x', 5000);
	bytes.len += 3;
	bh_bytes_puts(&bytes, "c");
	assert_string_equal(bytes.data, "abxxxc");
	bh_bytes_clear(&bytes);
}

static void detach_gives_a_string_even_when_empty(void **state)
{
	struct bh_bytes bytes = {0};
	size_t len = 99;
	char *text = bh_bytes_detach(&bytes, &len);

	(void)state;
	assert_string_equal(text, "");
	assert_int_equal(len, 0);
	free(text);
	bh_bytes_add(&bytes, "a\0b", 3);
	text = bh_bytes_detach(&bytes, &len);
	assert_int_equal(len, 3);
	assert_memory_equal(text, "a\0b", 4);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_and_stays_terminated),
		cmocka_unit_test(consume_takes_from_the_front),
		cmocka_unit_test(room_is_filled_by_the_caller),
		cmocka_unit_test(detach_gives_a_string_even_when_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
