#include "src/base/mem.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_gives_zeroed_memory(void **state)
{
	unsigned char *bytes = bh_xmalloc(64);
	int *numbers = bh_xcalloc(4, sizeof(int));

	(void)state;
	for (size_t i = 0; i < 64; i++) {
		assert_int_equal(bytes[i], 0);
	}
	assert_int_equal(numbers[3], 0);
	free(bytes);
	free(numbers);
	bytes = bh_xmalloc(0);
	assert_non_null(bytes);
	free(bytes);
}

static void test_grows_and_keeps(void **state)
{
	char *bytes = bh_xrealloc(NULL, 2, 1);

	(void)state;
	bytes[0] = 'a';
	bytes = bh_xrealloc(bytes, 100000, 1);
	assert_int_equal(bytes[0], 'a');
	free(bytes);
}

static void test_copies(void **state)
{
	char *text = bh_xstrdup("abc");
	char *bytes = bh_xmemdup("a\0b", 3);
	char *printed = bh_xasprintf("%s-%d", "n", 7);

	(void)state;
	assert_string_equal(text, "abc");
	assert_memory_equal(bytes, "a\0b", 4);
	assert_string_equal(printed, "n-7");
	assert_null(bh_xstrdup(NULL));
	free(text);
	free(bytes);
	free(printed);
}

/** Bytes at the end of the heap that are free and were not given back. */
static size_t held_back(void)
{
	return mallinfo2().keepcost;
}

static void test_gives_back_what_a_large_request_needed(void **state)
{
	void *parts[16];

	(void)state;
	bh_mem_begin();
	free(bh_xmalloc(4 << 20)); // by itself the C library would expect more of that size
	for (size_t i = 0; i < 16; i++) {
		parts[i] = bh_xmalloc(100 * 1024);
	}
	for (size_t i = 0; i < 16; i++) {
		free(parts[i]);
	}
	assert_true(held_back() < 200 * 1024);
	bh_mem_give_back();
	assert_true(held_back() < 200 * 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gives_zeroed_memory),
		cmocka_unit_test(test_grows_and_keeps),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_gives_back_what_a_large_request_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
