#include "src/ui/explainview.h"

#include "layer-host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_explanation_is_asked_for_and_shown(void **state)
{
	struct layer_host host;
	struct bh_layer *layer = NULL;
	const struct bh_model none = {0};

	(void)state;
	layer_host_begin(&host);
	layer = bh_explainview_new(&host.host, &none, "6f1c", "coder");
	assert_string_equal(layer_host_requests(&host), "terminal.explain {\"name\":\"6f1c\"}\n");
	layer_see(layer, NULL, 40, 10, "why coder is in its state");
	layer_answer(layer, "terminal.explain", "{\"name\":\"6f1c\"}",
	             "{\"text\":\"idle, by the screen\\n  a composer is proved\\n\"}");
	layer_see(layer, NULL, 40, 10, "idle, by the screen");
	layer_see(layer, NULL, 40, 10, "  a composer is proved");
	layer_type(layer, "r");
	assert_string_equal(layer_host_requests(&host), "terminal.explain {\"name\":\"6f1c\"}\n");
	layer_answer(layer, "terminal.explain", "{\"name\":\"6f1c\"}", NULL);
	layer_see(layer, NULL, 40, 10, "refused");
	layer_type(layer, "j");
	layer_mouse(layer, BH_MOUSE_WHEEL_DOWN, 3, 40, 10);
	assert_false(host.is_closed);
	layer_type(layer, "q");
	assert_true(host.is_closed);
	layer->ops->free(layer);
	layer_host_end(&host);
}

static void news_of_the_agent_are_asked_about(void **state)
{
	struct bh_model_terminal terminals[] = {{.id = "6f1c", .news = 7}, {.id = "77", .news = 8}};
	struct bh_model model = {.terminals = terminals, .terminal_count = 2};
	struct layer_host host;
	struct bh_layer *layer = NULL;
	const char *asked = "terminal.explain {\"name\":\"6f1c\"}\n";
	const char *lines = "{\"text\":\"1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11\\n12\\n\"}";

	(void)state;
	layer_host_begin(&host);
	layer = bh_explainview_new(&host.host, &model, "6f1c", "coder");
	assert_string_equal(layer_host_requests(&host), asked);
	// While an answer is to come nothing is asked; then once, whatever happened.
	terminals[0].news = 9;
	layer->ops->changed(layer);
	terminals[0].news = 10;
	layer->ops->changed(layer);
	assert_string_equal(layer_host_requests(&host), "");
	layer_answer(layer, "terminal.explain", "{}", lines);
	assert_string_equal(layer_host_requests(&host), asked);
	layer_answer(layer, "terminal.explain", "{}", lines);
	assert_string_equal(layer_host_requests(&host), "");
	// What is read stays where it is.
	layer_see(layer, NULL, 40, 8, "\n 4");
	layer_type(layer, "jjjj");
	layer_miss(layer, NULL, 40, 8, "\n 4");
	terminals[0].news = 11;
	layer->ops->changed(layer);
	assert_string_equal(layer_host_requests(&host), asked);
	layer_answer(layer, "terminal.explain", "{}", lines);
	layer_miss(layer, NULL, 40, 8, "\n 4");
	layer_see(layer, NULL, 40, 8, "\n 5");
	// Others are of no interest.
	terminals[1].news = 12;
	layer->ops->changed(layer);
	assert_string_equal(layer_host_requests(&host), "");
	// Its end is, once.
	model.terminal_count = 0;
	layer->ops->changed(layer);
	assert_string_equal(layer_host_requests(&host), asked);
	layer_answer(layer, "terminal.explain", "{}", NULL);
	layer->ops->changed(layer);
	assert_string_equal(layer_host_requests(&host), "");
	layer->ops->free(layer);
	layer_host_end(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_explanation_is_asked_for_and_shown),
		cmocka_unit_test(news_of_the_agent_are_asked_about),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
