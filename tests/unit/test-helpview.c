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
	layer = bh_helpview_new(&host.host, 1);
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
	layer = bh_helpview_new(&host.host, 1);
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

static void keys_without_prefix_are_shown(void **state)
{
	char action[] = "focus-left";
	char key[] = "C-M-S-PageDown";
	struct bh_config_binding item = {.action = action};
	struct bh_config config = {.prefix = 'a', .direct_keys = {.items = &item, .count = 1}};
	struct layer_host host;
	struct bh_layer *layer = NULL;
	char *text = NULL;

	(void)state;
	item.key = key;
	layer_host_begin(&host);
	layer = bh_helpview_new(&host.host, 1);
	layer_type(layer, "without");
	text = layer_show_bound(layer, NULL, &config, 80, 24);
	assert_non_null(strstr(text, "C-M-S-PageDown without C-a: "));
	free(text);
	layer_miss(layer, NULL, 80, 24, "without C-b:");
	// It is the last line of all.
	layer_press(layer, 0x1b);
	layer_press(layer, BH_KEY_END);
	text = layer_show_bound(layer, NULL, &config, 60, 20);
	assert_non_null(strstr(text, "C-M-S-PageDown without C-a: "));
	free(text);
	layer->ops->free(layer);
	layer_host_end(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_keys_are_reached_on_a_small_terminal),
		cmocka_unit_test(keys_without_prefix_are_shown),
		cmocka_unit_test(typing_cuts_the_table_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
