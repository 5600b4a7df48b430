#include "term/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** What libvterm asked for last. */
struct seen {
	int scrolls, erases;
	struct bh_rect rect;
	int up, left;
	bool is_selective;
};

static void on_scroll(void *user, struct bh_rect rect, int up, int left)
{
	struct seen *seen = user;

	seen->scrolls++;
	seen->rect = rect;
	seen->up = up;
	seen->left = left;
}

static void on_erase(void *user, struct bh_rect rect, bool is_selective)
{
	struct seen *seen = user;

	seen->erases++;
	seen->rect = rect;
	seen->is_selective = is_selective;
}

static const struct bh_guard_events events = {.scroll = on_scroll, .erase = on_erase};

static struct bh_guard_place place_at(int row, int col)
{
	return (struct bh_guard_place){.row = row, .col = col, .bottom = 10, .right = 20};
}

static void moves_are_libvterms(void **state)
{
	struct seen seen = {0};
	struct bh_guard *guard = bh_guard_new(20, 10, &events, &seen);
	struct bh_guard_place place = place_at(3, 4);

	(void)state;
	bh_guard_csi(guard, &place, "A", 2, -1);
	assert_int_equal(place.row, 1);
	assert_int_equal(place.col, 4);
	bh_guard_csi(guard, &place, "H", 65535, 99999999);
	assert_int_equal(place.row, 9);
	assert_int_equal(place.col, 19);
	// It is told where our cursor went meanwhile.
	place.row = 5;
	place.col = 6;
	bh_guard_csi(guard, &place, "C", 1, -1);
	assert_int_equal(place.row, 5);
	assert_int_equal(place.col, 7);
	assert_int_equal(seen.scrolls + seen.erases, 0);
	bh_guard_free(guard);
}

static void erasing_and_scrolling_come_back(void **state)
{
	struct seen seen = {0};
	struct bh_guard *guard = bh_guard_new(20, 10, &events, &seen);
	struct bh_guard_place place = place_at(3, 4);

	(void)state;
	bh_guard_csi(guard, &place, "K", 0, -1);
	assert_int_equal(seen.erases, 1);
	assert_int_equal(seen.rect.left, 4);
	assert_int_equal(seen.rect.right, 20);
	bh_guard_csi(guard, &place, "?J", 2, -1);
	assert_true(seen.is_selective);
	bh_guard_csi(guard, &place, "L", 2, -1);
	assert_int_equal(seen.scrolls, 1);
	assert_int_equal(seen.rect.top, 3);
	assert_int_equal(seen.up, -2);
	bh_guard_csi(guard, &place, "@", 3, -1);
	assert_int_equal(seen.left, -3);
	bh_guard_free(guard);
}

static void margins_are_told(void **state)
{
	struct seen seen = {0};
	struct bh_guard *guard = bh_guard_new(20, 10, &events, &seen);
	struct bh_guard_place place = place_at(4, 7);

	(void)state;
	place.top = 2;
	place.bottom = 6;
	place.left = 5;
	place.right = 9;
	place.has_sides = true;
	place.is_origin = true;
	bh_guard_csi(guard, &place, "S", 1, -1);
	assert_int_equal(seen.rect.top, 2);
	assert_int_equal(seen.rect.bottom, 6);
	assert_int_equal(seen.rect.left, 5);
	assert_int_equal(seen.rect.right, 9);
	bh_guard_csi(guard, &place, "H", 1, 1);
	assert_int_equal(place.row, 2);
	assert_int_equal(place.col, 5);
	bh_guard_escape(guard, &place, 'M');
	assert_int_equal(seen.up, -1);
	bh_guard_free(guard);
}

static void only_the_whitelist_passes(void **state)
{
	static const char *const refused[] = {"b", "m", "h",  "?h",   "r", "s",
	                                      "p", "",  "AA", "\x1B", "n"};
	struct seen seen = {0};
	struct bh_guard *guard = bh_guard_new(20, 10, &events, &seen);
	struct bh_guard_place place = place_at(3, 4);

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		bh_guard_csi(guard, &place, refused[i], 1, 1);
		assert_int_equal(place.row, 3);
		assert_int_equal(place.col, 4);
	}
	bh_guard_escape(guard, &place, 'c');
	bh_guard_escape(guard, &place, '\0');
	assert_int_equal(place.row, 3);
	assert_int_equal(seen.scrolls + seen.erases, 0);
	bh_guard_free(guard);
}

static void a_resize_forgets_everything(void **state)
{
	struct seen seen = {0};
	struct bh_guard *guard = bh_guard_new(20, 10, &events, &seen);
	struct bh_guard_place place = place_at(9, 19);

	(void)state;
	place.top = 7;
	bh_guard_csi(guard, &place, "H", 10, 20);
	bh_guard_resize(guard, 2, 2);
	place = (struct bh_guard_place){.row = 1, .col = 1, .bottom = 2, .right = 2};
	bh_guard_csi(guard, &place, "S", 1, -1);
	assert_int_equal(seen.rect.bottom, 2);
	assert_int_equal(seen.rect.right, 2);
	bh_guard_csi(guard, &place, "B", 9, -1);
	assert_int_equal(place.row, 1);
	bh_guard_free(guard);
	bh_guard_free(NULL);
}

static void tab_stops_are_told(void **state)
{
	struct seen seen = {0};
	struct bh_guard *guard = bh_guard_new(20, 10, &events, &seen);
	struct bh_guard_place place = place_at(0, 0);
	bool stops[20] = {false};

	(void)state;
	stops[3] = true;
	stops[11] = true;
	bh_guard_tabs(guard, stops);
	bh_guard_csi(guard, &place, "I", 1, -1);
	assert_int_equal(place.col, 3);
	bh_guard_csi(guard, &place, "I", 1, -1);
	assert_int_equal(place.col, 11);
	bh_guard_csi(guard, &place, "Z", 1, -1);
	assert_int_equal(place.col, 3);
	bh_guard_free(guard);
}

static void the_loaded_library_fits(void **state)
{
	char why[200] = "";

	(void)state;
	assert_true(bh_guard_check(why, sizeof(why)));
	assert_string_equal(why, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_are_libvterms),
		cmocka_unit_test(erasing_and_scrolling_come_back),
		cmocka_unit_test(margins_are_told),
		cmocka_unit_test(only_the_whitelist_passes),
		cmocka_unit_test(a_resize_forgets_everything),
		cmocka_unit_test(tab_stops_are_told),
		cmocka_unit_test(the_loaded_library_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
