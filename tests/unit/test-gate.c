#include "src/ui/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void answer(struct bh_gate *gate, const char *method, double version)
{
	cJSON *result = cJSON_CreateObject();

	(void)cJSON_AddNumberToObject(result, "version", version);
	bh_gate_answered(gate, method, result, 1);
	cJSON_Delete(result);
}

static void it_opens_with_the_layout_that_was_asked_for(void **state)
{
	struct bh_gate gate = {0};

	(void)state;
	assert_false(bh_gate_is_shut(&gate, 0, NULL, 1));
	bh_gate_sent(&gate, "pane.focus");
	bh_gate_sent(&gate, "tab.new");
	assert_true(bh_gate_is_shut(&gate, 5, NULL, 1));
	answer(&gate, "pane.focus", 6);
	assert_true(bh_gate_is_shut(&gate, 6, NULL, 1));
	answer(&gate, "tab.new", 7);
	assert_true(bh_gate_is_shut(&gate, 6, NULL, 1));
	assert_false(bh_gate_is_shut(&gate, 7, NULL, 1));
	assert_false(bh_gate_is_shut(&gate, 8, NULL, 1));
}

static void a_pane_that_was_closed_is_waited_for(void **state)
{
	struct bh_gate gate = {0};
	cJSON *result = cJSON_Parse("{\"version\":3,\"closing\":[\"a\",\"b\"]}");

	(void)state;
	bh_gate_sent(&gate, "tab.close");
	bh_gate_answered(&gate, "tab.close", result, 100);
	cJSON_Delete(result);
	assert_true(bh_gate_is_shut(&gate, 3, "b", 100));
	assert_false(bh_gate_is_shut(&gate, 3, "c", 100));
	assert_false(bh_gate_is_shut(&gate, 3, NULL, 100));
	// One that does not end is not waited for without end.
	assert_true(bh_gate_is_shut(&gate, 3, "b", 99 + BH_GATE_CLOSING_MS));
	assert_false(bh_gate_is_shut(&gate, 3, "b", 100 + BH_GATE_CLOSING_MS));
	bh_gate_clear(&gate);
	assert_false(bh_gate_is_shut(&gate, 0, "b", 100));
}

static void a_refusal_opens_it(void **state)
{
	struct bh_gate gate = {0};

	(void)state;
	bh_gate_sent(&gate, "pane.split");
	bh_gate_answered(&gate, "pane.split", NULL, 1);
	assert_false(bh_gate_is_shut(&gate, 0, NULL, 1));
	bh_gate_answered(&gate, "pane.split", NULL, 1); // one that was never sent
	assert_false(bh_gate_is_shut(&gate, 0, NULL, 1));
}

static void what_moves_no_focus_does_not_shut_it(void **state)
{
	static const char *const still[] = {"pane.resize", "pane.zoom", "ui.size", "layout.arrange",
	                                    "terminal.attach"};
	struct bh_gate gate = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(still) / sizeof(still[0]); i++) {
		bh_gate_sent(&gate, still[i]);
		assert_false(bh_gate_is_shut(&gate, 0, NULL, 1));
		answer(&gate, still[i], 9);
		assert_false(bh_gate_is_shut(&gate, 0, NULL, 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_opens_with_the_layout_that_was_asked_for),
		cmocka_unit_test(a_pane_that_was_closed_is_waited_for),
		cmocka_unit_test(a_refusal_opens_it),
		cmocka_unit_test(what_moves_no_focus_does_not_shut_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
