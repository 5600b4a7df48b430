#include "src/server/key_marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** What outlives the server, and the marks of the server of now. */
struct scene {
	uint64_t memory[BH_KEY_MARKS_SIZE / sizeof(uint64_t)];
	struct bh_key_marks *marks;
};

static void scene_open(struct scene *scene)
{
	memset(scene->memory, 0, sizeof scene->memory);
	scene->marks = bh_key_marks_new(scene->memory);
}

/** The server is killed; the next one has the same memory. */
static void scene_kill(struct scene *scene)
{
	bh_key_marks_free(scene->marks);
	scene->marks = bh_key_marks_new(scene->memory);
}

/** How far a client is told that it came; -1: it is not known. */
static long told(struct scene *scene, uint64_t token)
{
	uint64_t count = 0;

	return bh_key_marks_open(scene->marks, token, &count) ? (long)count : -1;
}

static void queue(struct scene *scene, uint64_t token, size_t len)
{
	bh_key_marks_queue(scene->marks, bh_key_marks_find(scene->marks, token), len);
}

static void write_all(struct scene *scene, size_t len, size_t written)
{
	bh_key_marks_writing(scene->marks, len);
	bh_key_marks_wrote(scene->marks, written);
}

static void what_was_written_is_known_to_the_next_server(void **state)
{
	struct scene scene;

	(void)state;
	scene_open(&scene);
	assert_int_equal(told(&scene, 7), -1);
	assert_int_equal(told(&scene, 7), 0);
	assert_int_equal(told(&scene, 9), -1);
	queue(&scene, 7, 3);
	write_all(&scene, 3, 3);
	queue(&scene, 9, 5);
	assert_int_equal(told(&scene, 9), 5); // this server will write it
	scene_kill(&scene);
	assert_int_equal(told(&scene, 7), 3);
	assert_int_equal(told(&scene, 9), 0); // it did not
	assert_int_equal(told(&scene, 8), -1);
	bh_key_marks_free(scene.marks);
}

static void a_kill_in_the_write_counts_it(void **state)
{
	struct scene scene;

	(void)state;
	scene_open(&scene);
	(void)told(&scene, 7);
	queue(&scene, 7, 10);
	bh_key_marks_writing(scene.marks, 4);
	scene_kill(&scene);
	assert_int_equal(told(&scene, 7), 4);
	bh_key_marks_free(scene.marks);
}

static void what_the_kernel_did_not_take_is_not_counted(void **state)
{
	struct scene scene;

	(void)state;
	scene_open(&scene);
	(void)told(&scene, 7);
	(void)told(&scene, 9);
	queue(&scene, 7, 4);
	bh_key_marks_queue(scene.marks, BH_KEY_MARKS_NOBODY, 100); // ours, between theirs
	queue(&scene, 9, 2);
	queue(&scene, 7, 6);
	write_all(&scene, 112, 105); // one byte of 9's
	write_all(&scene, 7, 0);
	scene_kill(&scene);
	assert_int_equal(told(&scene, 7), 4);
	assert_int_equal(told(&scene, 9), 1);
	bh_key_marks_free(scene.marks);
}

static void dropped_keys_count_when_those_before_them_are_written(void **state)
{
	struct scene scene;

	(void)state;
	scene_open(&scene);
	(void)told(&scene, 7);
	bh_key_marks_count(scene.marks, bh_key_marks_find(scene.marks, 7), 5);
	queue(&scene, 7, 10);
	bh_key_marks_count(scene.marks, bh_key_marks_find(scene.marks, 7), 30);
	assert_int_equal(told(&scene, 7), 45);
	write_all(&scene, 10, 9);
	scene_kill(&scene);
	assert_int_equal(told(&scene, 7), 14);
	queue(&scene, 7, 1);
	bh_key_marks_count(scene.marks, bh_key_marks_find(scene.marks, 7), 30);
	write_all(&scene, 1, 1);
	scene_kill(&scene);
	assert_int_equal(told(&scene, 7), 45);
	bh_key_marks_free(scene.marks);
}

static void held_keys_count_when_they_are_released(void **state)
{
	struct scene scene;

	(void)state;
	scene_open(&scene);
	(void)told(&scene, 7);
	bh_key_marks_hold(scene.marks, bh_key_marks_find(scene.marks, 7), 5);
	assert_int_equal(told(&scene, 7), 5);
	scene_kill(&scene);
	assert_int_equal(told(&scene, 7), 0);
	bh_key_marks_hold(scene.marks, bh_key_marks_find(scene.marks, 7), 5);
	bh_key_marks_release(scene.marks);
	bh_key_marks_release(scene.marks);
	scene_kill(&scene);
	assert_int_equal(told(&scene, 7), 5);
	bh_key_marks_free(scene.marks);
}

static void of_many_clients_those_that_came_last_are_known(void **state)
{
	struct scene scene;

	(void)state;
	scene_open(&scene);
	for (uint64_t token = 1; token <= BH_KEY_MARKS_CLIENTS; token++) {
		(void)told(&scene, token);
	}
	queue(&scene, 2, 4);
	assert_int_equal(told(&scene, 1), 0);
	(void)told(&scene, 100); // in the place of 2
	write_all(&scene, 4, 4);
	scene_kill(&scene);
	assert_int_equal(told(&scene, 1), 0);
	assert_int_equal(told(&scene, 100), 0);
	assert_int_equal(bh_key_marks_find(scene.marks, 2), BH_KEY_MARKS_NOBODY);
	assert_int_equal(bh_key_marks_find(scene.marks, 0), BH_KEY_MARKS_NOBODY);
	assert_int_equal(told(&scene, 0), -1);
	bh_key_marks_free(scene.marks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_known_to_the_next_server),
		cmocka_unit_test(a_kill_in_the_write_counts_it),
		cmocka_unit_test(what_the_kernel_did_not_take_is_not_counted),
		cmocka_unit_test(dropped_keys_count_when_those_before_them_are_written),
		cmocka_unit_test(held_keys_count_when_they_are_released),
		cmocka_unit_test(of_many_clients_those_that_came_last_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
