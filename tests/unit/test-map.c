#include "src/mail/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct value {
	uint64_t key;
	int is_in;
};

static void values_are_found_until_removed(void **state)
{
	struct bh_map map = {0};
	char a[] = "a", ab[] = "ab";

	(void)state;
	assert_null(bh_map_get(&map, "a", 1));
	assert_null(bh_map_remove(&map, "a", 1));
	bh_map_add(&map, a, 1, a);
	bh_map_add(&map, ab, 2, ab);
	assert_ptr_equal(bh_map_get(&map, "a", 1), a);
	assert_ptr_equal(bh_map_get(&map, "ab", 2), ab);
	assert_null(bh_map_get(&map, "b", 1));
	assert_ptr_equal(bh_map_remove(&map, "a", 1), a);
	assert_null(bh_map_get(&map, "a", 1));
	assert_ptr_equal(bh_map_get(&map, "ab", 2), ab);
	assert_int_equal(map.count, 1);
	bh_map_clear(&map);
	assert_null(bh_map_get(&map, "ab", 2));
}

// Clusters form, grow, wrap around the end and are taken apart: every value stays findable.
static void random_adds_and_removals_agree_with_a_list(void **state)
{
	static struct value values[2000];
	struct bh_map map = {0};
	size_t count = 0;

	(void)state;
	srand(7);
	for (size_t i = 0; i < 2000; i++) {
		values[i].key = i * 3;
	}
	for (int step = 0; step < 60000; step++) {
		// Grows to some 1,500 values, then shrinks to some 500.
		struct value *value = &values[(size_t)rand() % 2000];
		int wants_in = rand() % 4 < (step < 30000 ? 3 : 1);

		if (wants_in && !value->is_in) {
			bh_map_add(&map, &value->key, sizeof(value->key), value);
			value->is_in = 1;
			count++;
		} else if (!wants_in && value->is_in) {
			assert_ptr_equal(bh_map_remove(&map, &value->key, sizeof(value->key)),
			                 value);
			value->is_in = 0;
			count--;
		}
		assert_int_equal(map.count, count);
		if (step % 500 == 0) {
			for (size_t i = 0; i < 2000; i++) {
				void *found =
					bh_map_get(&map, &values[i].key, sizeof(values[i].key));

				assert_ptr_equal(found, values[i].is_in ? &values[i] : NULL);
			}
		}
	}
	bh_map_clear(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found_until_removed),
		cmocka_unit_test(random_adds_and_removals_agree_with_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
