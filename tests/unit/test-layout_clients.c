// The UIs of a session and the area that their sizes make.
#include "src/server/layout_clients.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Connections are known by their address only.
struct bh_connection {
	struct bh_list guests;
};

struct bh_request {
	struct bh_connection *connection;
};

struct bh_connection *bh_request_connection(const struct bh_request *request)
{
	return request->connection;
}

void bh_rpc_add_guest(struct bh_request *request, struct bh_guest *guest)
{
	bh_list_append(&request->connection->guests, &guest->link);
}

/** Clients of three connections. */
struct desk {
	struct bh_layout_clients clients;
	struct bh_connection connections[3];
	int changes;
};

static void on_changed(struct bh_layout_clients *clients)
{
	bh_container_of(clients, struct desk, clients)->changes++;
}

static int desk_open(void **state)
{
	struct desk *desk = calloc(1, sizeof *desk);

	assert_non_null(desk);
	bh_layout_clients_init(&desk->clients, on_changed);
	for (size_t i = 0; i < 3; i++) {
		bh_list_init(&desk->connections[i].guests);
	}
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;

	bh_layout_clients_clear(&desk->clients);
	assert_true(bh_list_is_empty(&desk->clients.all));
	for (size_t i = 0; i < 3; i++) {
		assert_true(bh_list_is_empty(&desk->connections[i].guests));
	}
	free(desk);
	return 0;
}

static struct bh_layout_client *set(struct desk *desk, int index, int cols, int rows,
                                    bool is_observer)
{
	struct bh_request request = {.connection = &desk->connections[index]};

	return bh_layout_clients_set(&desk->clients, &request, cols, rows, is_observer);
}

static void assert_area(const struct desk *desk, int cols, int rows)
{
	int area[2] = {-1, -1};

	assert_int_equal(bh_layout_clients_area(&desk->clients, &area[0], &area[1]), cols > 0);
	assert_int_equal(area[0], cols > 0 ? cols : -1);
	assert_int_equal(area[1], cols > 0 ? rows : -1);
}

static void a_connection_is_one_client(void **state)
{
	struct desk *desk = *state;
	struct bh_layout_client *first = set(desk, 0, 80, 24, false);

	assert_int_equal(first->number, 1);
	assert_ptr_equal(set(desk, 0, 100, 30, false), first);
	assert_int_equal(first->cols, 100);
	assert_int_equal(set(desk, 1, 80, 24, false)->number, 2);
	assert_ptr_equal(bh_layout_clients_find(&desk->clients, &desk->connections[0]), first);
	assert_null(bh_layout_clients_find(&desk->clients, &desk->connections[2]));
	// A number is never used again.
	bh_layout_clients_remove(first);
	assert_int_equal(set(desk, 0, 80, 24, false)->number, 3);
	assert_int_equal(desk->changes, 0);
}

static void the_latest_gives_the_area(void **state)
{
	struct desk *desk = *state;
	struct bh_layout_client *first;

	assert_area(desk, 0, 0);
	first = set(desk, 0, 100, 20, false);
	assert_area(desk, 100, 20);
	(void)set(desk, 1, 80, 40, false);
	assert_area(desk, 80, 40);
	assert_true(bh_layout_clients_use(first));
	assert_false(bh_layout_clients_use(first));
	assert_area(desk, 100, 20);
	bh_layout_clients_remove(first);
	assert_area(desk, 80, 40);
}

static void the_smallest_is_so_both_ways(void **state)
{
	struct desk *desk = *state;

	desk->clients.policy = BH_SIZE_SMALLEST;
	(void)set(desk, 0, 100, 20, false);
	(void)set(desk, 1, 80, 40, false);
	(void)set(desk, 2, 10, 10, true);
	assert_area(desk, 80, 20);
}

static void a_fixed_area_needs_no_client(void **state)
{
	struct desk *desk = *state;

	desk->clients.policy = BH_SIZE_FIXED;
	desk->clients.fixed_cols = 90;
	desk->clients.fixed_rows = 33;
	assert_area(desk, 90, 33);
	(void)set(desk, 0, 100, 20, false);
	assert_area(desk, 90, 33);
}

static void observers_do_not_count(void **state)
{
	struct desk *desk = *state;
	struct bh_layout_client *observer = set(desk, 0, 50, 10, true);

	assert_area(desk, 0, 0);
	(void)set(desk, 1, 80, 24, false);
	assert_false(bh_layout_clients_use(observer));
	assert_area(desk, 80, 24);
}

static void use_and_end_are_told(void **state)
{
	struct desk *desk = *state;
	struct bh_layout_client *first = set(desk, 0, 100, 20, false);

	(void)set(desk, 1, 80, 40, false);
	first->guest.used(&first->guest);
	assert_int_equal(desk->changes, 1);
	first->guest.used(&first->guest); // it is the latest already
	assert_int_equal(desk->changes, 1);
	first->guest.gone(&first->guest);
	assert_int_equal(desk->changes, 2);
	assert_null(bh_layout_clients_find(&desk->clients, &desk->connections[0]));
	assert_area(desk, 80, 40);
}

static void all_are_shown_with_who_is_latest(void **state)
{
	struct desk *desk = *state;
	cJSON *view;

	(void)set(desk, 0, 100, 20, false);
	(void)set(desk, 1, 80, 40, true);
	view = bh_layout_clients_view(&desk->clients);
	for (int i = 0; i < 2; i++) {
		const cJSON *one = cJSON_GetArrayItem(view, i);

		assert_int_equal(cJSON_GetObjectItem(one, "client")->valueint, i + 1);
		assert_int_equal(cJSON_GetObjectItem(one, "cols")->valueint, i == 0 ? 100 : 80);
		assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(one, "is_latest")), i == 0);
		assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(one, "observe")), i == 1);
	}
	assert_int_equal(cJSON_GetArraySize(view), 2);
	cJSON_Delete(view);
}

static void policies_have_words(void **state)
{
	static const char *const words[] = {"latest", "smallest", "fixed"};
	struct desk *desk = *state;

	for (size_t i = 0; i < BH_SIZE_POLICY_COUNT; i++) {
		cJSON *view;

		assert_true(bh_size_policy_parse(words[i], &desk->clients.policy));
		view = bh_layout_clients_policy_view(&desk->clients);
		assert_string_equal(cJSON_GetObjectItem(view, "policy")->valuestring, words[i]);
		// Only a fixed one has a size of its own.
		assert_int_equal(cJSON_HasObjectItem(view, "cols"), i == BH_SIZE_FIXED);
		cJSON_Delete(view);
	}
	assert_false(bh_size_policy_parse("largest", &desk->clients.policy));
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		desk_test(a_connection_is_one_client),
		desk_test(the_latest_gives_the_area),
		desk_test(the_smallest_is_so_both_ways),
		desk_test(a_fixed_area_needs_no_client),
		desk_test(observers_do_not_count),
		desk_test(use_and_end_are_told),
		desk_test(all_are_shown_with_who_is_latest),
		desk_test(policies_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
