#include "src/ui/attention.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_model_terminal terminals[] = {
	{.id = "a", .identity = "coder", .profile = "claude", .state = "awaiting"},
	{.id = "b",
         .identity = "tester",
         .profile = "codex",
         .state = "idle",
         .is_done_unseen = true},
	{.id = "c", .identity = "docs", .profile = "codex", .state = "working"},
	{.id = "d", .identity = "seen", .profile = "codex", .state = "awaiting"},
	{.id = "e", .identity = "third", .profile = "codex", .state = "awaiting"},
	{.id = "f", .identity = "fourth", .profile = "codex", .state = "awaiting"},
	{.id = "p", .identity = "deaf", .profile = "codex", .state = "idle", .is_parked = true},
};
static struct bh_model_pane panes[] = {{.terminal_id = "d", .is_visible = true}};
static struct bh_model_tab tabs[] = {
	{.is_active = true, .focus = "d", .panes = panes, .pane_count = 1}};
static const struct bh_model model = {
	.tabs = tabs, .tab_count = 1, .terminals = terminals, .terminal_count = 7};

static void a_need_is_told_once(void **state)
{
	struct bh_attention attention = {0};
	struct bh_attention_notice notice;

	(void)state;
	assert_int_equal(bh_attention_due_ms(&attention), 0);
	assert_false(bh_attention_take(&attention, &model, 5000, &notice));
	bh_attention_add(&attention, "a");
	assert_true(bh_attention_due_ms(&attention) <= 5000);
	assert_true(bh_attention_take(&attention, &model, 5000, &notice));
	assert_string_equal(notice.text, "coder: awaiting");
	assert_int_equal(notice.count, 1);
	assert_string_equal(notice.agents[0].terminal_id, "a");
	assert_string_equal(notice.agents[0].identity, "coder");
	assert_string_equal(notice.agents[0].state, "awaiting");
	assert_int_equal(bh_attention_due_ms(&attention), 0);
	assert_false(bh_attention_take(&attention, &model, 9000, &notice));
}

static void what_comes_too_fast_waits(void **state)
{
	struct bh_attention attention = {0};
	struct bh_attention_notice notice;

	(void)state;
	bh_attention_add(&attention, "a");
	assert_true(bh_attention_take(&attention, &model, 5000, &notice));
	bh_attention_add(&attention, "a");
	bh_attention_add(&attention, "b");
	// Another agent a second later, the same one not so soon.
	assert_int_equal(bh_attention_due_ms(&attention), 6000);
	assert_false(bh_attention_take(&attention, &model, 5999, &notice));
	assert_true(bh_attention_take(&attention, &model, 6000, &notice));
	assert_string_equal(notice.text, "tester: done");
	assert_int_equal(bh_attention_due_ms(&attention), 15000);
	assert_true(bh_attention_take(&attention, &model, 15000, &notice));
	assert_string_equal(notice.text, "coder: awaiting");
}

static void without_need_nothing_is_told(void **state)
{
	struct bh_attention attention = {0};
	struct bh_attention_notice notice;

	(void)state;
	bh_attention_add(&attention, "c");     // at work again
	bh_attention_add(&attention, "d");     // in view by now
	bh_attention_add(&attention, "ended"); // no more there
	assert_false(bh_attention_take(&attention, &model, 5000, &notice));
	assert_int_equal(bh_attention_due_ms(&attention), 0);
}

static void parked_mail_calls_a_person(void **state)
{
	struct bh_attention attention = {0};
	struct bh_attention_notice notice;

	(void)state;
	bh_attention_add(&attention, "p");
	assert_true(bh_attention_take(&attention, &model, 5000, &notice));
	assert_string_equal(notice.text, "deaf: mail parked");
	assert_string_equal(notice.agents[0].state, "parked");
}

static void many_are_one_notice(void **state)
{
	struct bh_attention attention = {0};
	struct bh_attention_notice notice;
	char id[16];

	(void)state;
	bh_attention_add(&attention, "a");
	bh_attention_add(&attention, "b");
	bh_attention_add(&attention, "e");
	bh_attention_add(&attention, "f");
	assert_true(bh_attention_take(&attention, &model, 5000, &notice));
	assert_string_equal(notice.text, "coder: awaiting, tester: done, third: awaiting and more");
	assert_int_equal(notice.count, 4);
	assert_string_equal(notice.agents[1].state, "done");
	assert_string_equal(notice.agents[3].identity, "fourth");
	// More agents than are remembered: those told of longest ago are forgotten.
	for (int i = 0; i < 2 * BH_ATTENTION_MAX; i++) {
		(void)snprintf(id, sizeof(id), "x%d", i);
		bh_attention_add(&attention, id);
	}
	bh_attention_add(&attention, "e");
	assert_true(bh_attention_take(&attention, &model, 99000, &notice));
	assert_string_equal(notice.text, "third: awaiting");
}

static void bells_are_not_a_siren(void **state)
{
	struct bh_attention attention = {0};

	(void)state;
	assert_true(bh_attention_bell(&attention, 10));
	assert_false(bh_attention_bell(&attention, 10));
	assert_false(bh_attention_bell(&attention, 109));
	assert_true(bh_attention_bell(&attention, 110));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_need_is_told_once),
		cmocka_unit_test(what_comes_too_fast_waits),
		cmocka_unit_test(without_need_nothing_is_told),
		cmocka_unit_test(parked_mail_calls_a_person),
		cmocka_unit_test(many_are_one_notice),
		cmocka_unit_test(bells_are_not_a_siren),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
