#include "src/base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SIZE 200
#define MANY 1000

/** There when the address sanitizer is, whichever compiler put it in. */
int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));

/** More than a block of them, filled to the last byte. */
static void fill(struct bh_pool *pool, unsigned char **taken)
{
	for (size_t i = 0; i < MANY; i++) {
		taken[i] = bh_pool_take(pool);
		assert_int_equal((uintptr_t)taken[i] % _Alignof(max_align_t), 0);
		for (size_t at = 0; at < SIZE; at++) {
			assert_int_equal(taken[i][at], 0);
		}
		memset(taken[i], (int)(i % 251) + 1, SIZE);
	}
}

static size_t blocks_of(const struct bh_list *blocks)
{
	size_t count = 0;

	for (const struct bh_list *at = blocks->next; at != blocks; at = at->next) {
		count++;
	}
	return count;
}

static void elements_are_zeroed_and_apart(void **state)
{
	struct bh_pool pool;
	unsigned char *taken[MANY];

	(void)state;
	bh_pool_init(&pool, SIZE);
	fill(&pool, taken);
	for (size_t i = 0; i < MANY; i++) {
		for (size_t at = 0; at < SIZE; at++) {
			assert_int_equal(taken[i][at], i % 251 + 1);
		}
	}
	bh_pool_clear(&pool);
}

static void what_is_given_back_is_taken_again(void **state)
{
	struct bh_pool pool;
	unsigned char *taken[MANY];
	size_t blocks;

	(void)state;
	bh_pool_init(&pool, SIZE);
	fill(&pool, taken);
	blocks = blocks_of(&pool.open) + blocks_of(&pool.full);
	for (int round = 0; round < 3; round++) {
		for (size_t i = round; i < MANY; i += 3) {
			bh_pool_give(taken[i]);
		}
		for (size_t i = round; i < MANY; i += 3) {
			taken[i] = bh_pool_take(&pool);
			assert_int_equal(taken[i][0], 0);
			assert_int_equal(taken[i][SIZE - 1], 0);
			memset(taken[i], 0xff, SIZE);
		}
		assert_int_equal(blocks_of(&pool.open) + blocks_of(&pool.full), blocks);
	}
	bh_pool_clear(&pool);
}

static void blocks_without_elements_are_freed(void **state)
{
	struct bh_pool pool;
	unsigned char *taken[MANY];
	void *again;

	(void)state;
	bh_pool_init(&pool, SIZE);
	fill(&pool, taken);
	for (size_t i = 0; i < MANY; i++) {
		bh_pool_give(taken[i]);
	}
	assert_int_equal(blocks_of(&pool.full), 0);
	assert_true(blocks_of(&pool.open) <= 1); // the last one stays for the next
	again = bh_pool_take(&pool);
	bh_pool_give(again);
	bh_pool_clear(&pool);
}

static void the_sanitizer_knows_what_was_given_back(void **state)
{
	struct bh_pool pool;
	unsigned char *kept;
	unsigned char *given;

	(void)state;
	if (__asan_address_is_poisoned == NULL) {
		skip();
	}
	bh_pool_init(&pool, SIZE);
	kept = bh_pool_take(&pool);
	given = bh_pool_take(&pool);
	bh_pool_give(given);
	assert_true(__asan_address_is_poisoned(given));
	assert_false(__asan_address_is_poisoned(kept));
	bh_pool_clear(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_are_zeroed_and_apart),
		cmocka_unit_test(what_is_given_back_is_taken_again),
		cmocka_unit_test(blocks_without_elements_are_freed),
		cmocka_unit_test(the_sanitizer_knows_what_was_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
