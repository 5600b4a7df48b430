#include "src/ui/helpview.h"

#include "layer-host.h"
#include "src/ui/keytable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void all_keys_are_reached_on_a_small_terminal(void **state)
{
	struct layer_host host;
	struct bh_layer *layer = NULL;

	(void)state;
	layer_host_begin(&host);
	layer = bh_helpview_new(&host.host);
	layer_see(layer, NULL, 60, 20, "keys after C-b");
	layer_see(layer, NULL, 60, 20, "c        a new tab with a shell");
	layer_miss(layer, NULL, 60, 20, "this help");
	for (int i = 0; i < 10; i++) {
		layer_press(layer, BH_KEY_PAGE_DOWN);
	}
	layer_see(layer, NULL, 60, 20, "?        this help");
	layer_mouse(layer, BH_MOUSE_WHEEL_UP, 5, 60, 20);
	for (int i = 0; i < 10; i++) {
		layer_press(layer, BH_KEY_PAGE_UP);
	}
	layer_see(layer, NULL, 60, 20, "c        a new tab with a shell");
	// A large one has room for all of them.
	layer_see(layer, NULL, 200, 50, "a new tab with a shell");
	layer_see(layer, NULL, 200, 50, "this help");
	layer_see(layer, NULL, 60, 20, "scroll");
	layer_miss(layer, NULL, 200, 50, "scroll");
	layer->ops->free(layer);
	layer_host_end(&host);
}

static void typing_cuts_the_table_down(void **state)
{
	struct layer_host host;
	struct bh_layer *layer = NULL;

	(void)state;
	layer_host_begin(&host);
	layer = bh_helpview_new(&host.host);
	layer_type(layer, "split right");
	layer_see(layer, NULL, 80, 24, "keys after C-b: split right");
	layer_see(layer, NULL, 80, 24, "%        split: a shell to the right");
	layer_miss(layer, NULL, 80, 24, "a shell below");
	layer_type(layer, "q");
	assert_false(host.is_closed);
	layer_see(layer, NULL, 80, 24, "no key has these words");
	// Escape first takes the words back, then it closes.
	layer_press(layer, 0x1b);
	assert_false(host.is_closed);
	layer_see(layer, NULL, 80, 24, "a new tab with a shell");
	// What has no key is there by its name.
	layer_type(layer, "settings");
	layer_see(layer, NULL, 80, 24, "\n :reload  read the settings again\n");
	layer_press(layer, 0x1b);
	layer_press(layer, 0x1b);
	assert_true(host.is_closed);
	assert_string_equal(layer_host_requests(&host), "");
	layer->ops->free(layer);
	layer_host_end(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_keys_are_reached_on_a_small_terminal),
		cmocka_unit_test(typing_cuts_the_table_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
