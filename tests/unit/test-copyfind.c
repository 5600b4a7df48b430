// What is typed into the prompt of a search, and what is said about it.
#include "src/ui/copyfind.h"

#include "src/ui/keytable.h"
#include "tests/unit/copy_help.h"
#include "tests/unit/layer-host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world {
	struct layer_host host;
	struct bh_linecache *cache;
	struct bh_copyreader reader;
	struct bh_copyfind find;
};

static void world_open(struct world *world)
{
	*world = (struct world){
		.cache = copy_cache("error 17 in a.c|fine|Error 8 in b.c(3)", "make: axc|$ ", 20)};
	layer_host_begin(&world->host);
	world->reader.cache = world->cache;
	world->reader.rows = 5;
	world->reader.cols = 20;
	bh_copyreader_begin(&world->reader, (struct bh_linecache_place){1, 0});
}

static void world_close(struct world *world)
{
	bh_copyfind_clear(&world->find);
	bh_copysearch_clear(&world->reader.search);
	bh_linecache_free(world->cache);
	layer_host_end(&world->host);
}

static void type(struct world *world, const char *text)
{
	for (; *text != '\0'; text++) {
		struct bh_layer_key key = {.key = (uint32_t)(unsigned char)*text};

		bh_copyfind_key(&world->find, &world->reader, &world->host.host, &key);
	}
}

static void open_prompt(struct world *world, enum bh_copy_command command, const char *text)
{
	world->host.said[0] = '\0';
	bh_copyfind_open(&world->find, &world->reader, command);
	assert_true(world->find.prompt.is_open);
	type(world, text);
}

static void expect_at(const struct world *world, int64_t row, int col)
{
	assert_int_equal(world->reader.cursor.row, row);
	assert_int_equal(world->reader.cursor.col, col);
}

static void a_pattern_is_found_while_it_is_typed(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	open_prompt(&world, BH_COPY_PATTERN_UP, "err");
	expect_at(&world, -1, 0);
	type(&world, "or [0");
	expect_at(&world, 1, 0); // it is no pattern yet, and nothing is said about that
	assert_string_equal(world.host.said, "");
	type(&world, "-9][0-9]");
	expect_at(&world, -3, 0);
	type(&world, "\r");
	assert_false(world.find.prompt.is_open);
	expect_at(&world, -3, 0);
	bh_copyfind_again(&world.reader, &world.host.host, true);
	expect_at(&world, -3, 0); // it is the only one
	assert_string_equal(world.host.said, "");
	open_prompt(&world, BH_COPY_PATTERN_DOWN, "^E|c$\r");
	expect_at(&world, -3, 14);
	bh_copyfind_again(&world.reader, &world.host.host, false);
	expect_at(&world, -1, 0);
	bh_copyfind_again(&world.reader, &world.host.host, true);
	expect_at(&world, -3, 14);
	world_close(&world);
}

static void what_was_not_found_is_not_told_any_more_when_more_is_typed(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	// Without its end the brace means itself.
	open_prompt(&world, BH_COPY_PATTERN_UP, "r{2");
	assert_string_equal(world.host.said, "not found: r{2");
	type(&world, "}");
	assert_string_equal(world.host.said, "");
	expect_at(&world, -1, 1);
	type(&world, "x");
	assert_string_equal(world.host.said, "not found: r{2}x");
	type(&world, "[");
	assert_string_equal(world.host.said, "");
	// What others say stays.
	open_prompt(&world, BH_COPY_PATTERN_UP, "");
	(void)strcpy(world.host.said, "reviewer waits");
	type(&world, "fine");
	assert_string_equal(world.host.said, "reviewer waits");
	world_close(&world);
}

static void what_is_no_pattern_is_told_when_it_is_accepted(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	open_prompt(&world, BH_COPY_PATTERN_UP, "a.c\r");
	expect_at(&world, 0, 6);
	open_prompt(&world, BH_COPY_PATTERN_UP, "c(3");
	assert_string_equal(world.host.said, "");
	type(&world, "\r");
	assert_non_null(strstr(world.host.said, "no pattern: missing closing parenthesis"));
	expect_at(&world, 0, 6);
	// What was looked for before is it again.
	bh_copyfind_again(&world.reader, &world.host.host, false);
	expect_at(&world, -3, 12);
	world_close(&world);
}

static void text_is_what_it_is(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	open_prompt(&world, BH_COPY_SEARCH_UP, "a.c");
	expect_at(&world, -3, 12);
	type(&world, "\r");
	open_prompt(&world, BH_COPY_SEARCH_DOWN, "b.c(");
	expect_at(&world, -1, 11);
	type(&world, "x\r");
	assert_string_equal(world.host.said, "not found: b.c(x");
	world_close(&world);
}

static void the_direction_changes_in_the_prompt(void **state)
{
	const struct bh_layer_key down = {.key = 's', .is_control = true};
	const struct bh_layer_key up = {.key = 'r', .is_control = true};
	struct world world;

	(void)state;
	world_open(&world);
	open_prompt(&world, BH_COPY_PATTERN_UP, "[abx].?c");
	expect_at(&world, 0, 6);
	bh_copyfind_key(&world.find, &world.reader, &world.host.host, &up);
	expect_at(&world, -1, 11);
	bh_copyfind_key(&world.find, &world.reader, &world.host.host, &up);
	expect_at(&world, -3, 12);
	bh_copyfind_key(&world.find, &world.reader, &world.host.host, &down);
	expect_at(&world, -1, 11);
	// It is still one for a pattern.
	assert_int_equal(world.find.prompt.command, BH_COPY_PATTERN_DOWN);
	bh_copyfind_key(&world.find, &world.reader, &world.host.host,
	                &(struct bh_layer_key){.key = 0x1b});
	expect_at(&world, 1, 0);
	world_close(&world);
}

static void what_takes_too_long_is_said(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	(void)bh_copysearch_set(&world.reader.search, bh_span_of("(a+)+b"), true, NULL);
	bh_copyfind_tell(&world.reader, &world.host.host, BH_COPYREADER_TOO_MUCH);
	assert_string_equal(world.host.said, "it takes too long to look for (a+)+b");
	bh_copysearch_clear(&world.reader.search);
	bh_copyfind_again(&world.reader, &world.host.host, false);
	assert_string_equal(world.host.said, "nothing was looked for yet: / and ? do");
	world_close(&world);
}

static void a_word_is_no_pattern(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	bh_copyreader_goto(&world.reader, (struct bh_linecache_place){-1, 11});
	bh_copyfind_word(&world.reader, &world.host.host, true);
	assert_false(world.reader.search.is_pattern);
	open_prompt(&world, BH_COPY_GOTO_LINE, "1\r");
	assert_false(world.find.prompt.is_open);
	bh_copyfind_open(&world.find, &world.reader, BH_COPY_PATTERN_DOWN);
	bh_copyfind_paste(&world.find, &world.reader, &world.host.host, bh_span_of("f[i]ne\nx"));
	expect_at(&world, -2, 0);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_is_found_while_it_is_typed),
		cmocka_unit_test(what_was_not_found_is_not_told_any_more_when_more_is_typed),
		cmocka_unit_test(what_is_no_pattern_is_told_when_it_is_accepted),
		cmocka_unit_test(text_is_what_it_is),
		cmocka_unit_test(the_direction_changes_in_the_prompt),
		cmocka_unit_test(what_takes_too_long_is_said),
		cmocka_unit_test(a_word_is_no_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
