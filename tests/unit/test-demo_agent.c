#include "src/demo/demo_agent.h"

#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void press(struct bh_demo_agent *agent, enum bh_demo_key key, uint64_t now_ms)
{
	struct bh_demo_event event = {.key = key};

	bh_demo_agent_key(agent, &event, now_ms);
}

static void put(struct bh_demo_agent *agent, enum bh_demo_key key, const char *text)
{
	struct bh_demo_event event = {.key = key, .text = bh_span_of(text)};

	bh_demo_agent_key(agent, &event, 0);
}

static void submit(struct bh_demo_agent *agent, const char *text, uint64_t now_ms)
{
	put(agent, BH_DEMO_KEY_PASTE, text);
	press(agent, BH_DEMO_KEY_ENTER, now_ms);
}

static void expect_last_line(const struct bh_demo_agent *agent, const char *text)
{
	assert_true(agent->line_count > 0);
	assert_string_equal(agent->transcript[agent->line_count - 1].text, text);
}

static void test_starts_late_and_loses_early_keys(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){.start_ms = 100}, 1000);
	assert_int_equal(agent.phase, BH_DEMO_STARTING);
	put(&agent, BH_DEMO_KEY_TEXT, "early");
	assert_int_equal(bh_demo_agent_due(&agent), 1100);
	bh_demo_agent_tick(&agent, 1100);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	assert_int_equal(agent.composer.len, 0);
	bh_demo_agent_clear(&agent);
}

static void test_takes_a_turn(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	submit(&agent, "hello DEMO:work 2 DEMO:say bye \n ", 10);
	assert_int_equal(agent.phase, BH_DEMO_WORKING);
	assert_int_equal(agent.composer.len, 0);
	bh_demo_agent_tick(&agent, 2009);
	assert_int_equal(agent.phase, BH_DEMO_WORKING);
	bh_demo_agent_tick(&agent, 2010);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	assert_true(agent.is_done);
	expect_last_line(&agent, "bye");
	assert_non_null(strstr(agent.log.data, "\"text\":\"hello DEMO:work 2 DEMO:say bye\"}"));
	bh_demo_agent_clear(&agent);
}

static void test_dialog_takes_enter_and_drops_a_paste(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	submit(&agent, "DEMO:ask touch x", 0);
	assert_int_equal(agent.phase, BH_DEMO_ASKING);
	put(&agent, BH_DEMO_KEY_PASTE, "Mail m1 from coder");
	assert_int_equal(agent.phase, BH_DEMO_ASKING);
	press(&agent, BH_DEMO_KEY_ENTER, 5);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	expect_last_line(&agent, "approved: touch x");
	submit(&agent, "DEMO:ask touch y", 6);
	press(&agent, BH_DEMO_KEY_DOWN, 7);
	press(&agent, BH_DEMO_KEY_ENTER, 8);
	expect_last_line(&agent, "denied: touch y");
	bh_demo_agent_clear(&agent);
}

static void test_expands_large_pastes(void **state)
{
	static const char lines[] = "1\r2\r3\r4\r5\r6\r7\r8\r9\r10\r11";
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	put(&agent, BH_DEMO_KEY_TEXT, "a ");
	put(&agent, BH_DEMO_KEY_PASTE, lines);
	put(&agent, BH_DEMO_KEY_TEXT, " b ");
	put(&agent, BH_DEMO_KEY_PASTE, lines);
	assert_string_equal(agent.composer.data,
	                    "a [Pasted text #1 +10 lines] b [Pasted text #2 +10 lines]");
	press(&agent, BH_DEMO_KEY_ENTER, 0);
	assert_non_null(strstr(agent.log.data, "\"a 1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11 b "
	                                       "1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11\""));
	bh_demo_agent_clear(&agent);
}

static void test_shows_every_mail_of_a_long_turn(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	submit(&agent, "Mail m1 from a:\n| 1\n| 2\n| 3\n| 4\nMail m2 from b:\n| 5\n| 6", 0);
	assert_int_equal(agent.line_count, 6);
	assert_string_equal(agent.transcript[3].text, "… +2 lines");
	assert_string_equal(agent.transcript[4].text, "Mail m2 from b:");
	assert_string_equal(agent.transcript[5].text, "… +2 lines");
	bh_demo_agent_clear(&agent);
}

static void test_queues_or_waits_while_working(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){.is_queueing = true}, 0);
	submit(&agent, "DEMO:work 1", 0);
	submit(&agent, "second DEMO:work 1", 10);
	assert_int_equal(agent.queue_count, 1);
	bh_demo_agent_tick(&agent, 1000);
	assert_int_equal(agent.phase, BH_DEMO_WORKING);
	expect_last_line(&agent, "second DEMO:work 1");
	bh_demo_agent_clear(&agent);

	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	submit(&agent, "DEMO:work 1", 0);
	submit(&agent, "second", 10);
	assert_int_equal(agent.queue_count, 0);
	bh_demo_agent_tick(&agent, 1000);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	assert_string_equal(agent.composer.data, "second");
	bh_demo_agent_clear(&agent);
}

static void test_swallows_one_enter(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){.is_swallowing_enter = true}, 0);
	submit(&agent, "text", 0);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	assert_string_equal(agent.composer.data, "text");
	press(&agent, BH_DEMO_KEY_ENTER, 0);
	assert_int_equal(agent.phase, BH_DEMO_WORKING);
	bh_demo_agent_clear(&agent);
}

static void test_runs_a_tool(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	submit(&agent, "DEMO:run echo a", 0);
	assert_string_equal(agent.command, "echo a");
	free(agent.command);
	agent.command = NULL;
	bh_demo_agent_tool_output(&agent, "a\nb", 3);
	expect_last_line(&agent, "a");
	bh_demo_agent_tool_done(&agent, 4, 100);
	expect_last_line(&agent, "exit status 4");
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	bh_demo_agent_clear(&agent);
}

static void test_escape_interrupts(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	submit(&agent, "DEMO:run sleep 9", 0);
	press(&agent, BH_DEMO_KEY_ESCAPE, 10);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	assert_false(agent.is_done);
	assert_true(agent.is_tool_unwanted);
	bh_demo_agent_tool_output(&agent, "late\n", 5);
	bh_demo_agent_tool_done(&agent, 137, 20);
	expect_last_line(&agent, "Interrupted · what should be done instead?");
	bh_demo_agent_clear(&agent);
}

static void test_slash_opens_a_menu_and_is_never_sent(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	put(&agent, BH_DEMO_KEY_TEXT, "/");
	assert_true(bh_demo_agent_has_menu(&agent));
	press(&agent, BH_DEMO_KEY_ESCAPE, 0);
	assert_int_equal(agent.composer.len, 0);
	submit(&agent, "/no such thing", 0);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	expect_last_line(&agent, "Unknown command");
	put(&agent, BH_DEMO_KEY_TEXT, "/");
	press(&agent, BH_DEMO_KEY_UP, 0);
	press(&agent, BH_DEMO_KEY_ENTER, 0);
	assert_int_equal(agent.phase, BH_DEMO_OVER);
	bh_demo_agent_clear(&agent);
}

static void test_edits_whole_characters(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	put(&agent, BH_DEMO_KEY_TEXT, "a漢");
	press(&agent, BH_DEMO_KEY_BACKSPACE, 0);
	assert_string_equal(agent.composer.data, "a");
	press(&agent, BH_DEMO_KEY_CANCEL, 0);
	assert_int_equal(agent.composer.len, 0);
	press(&agent, BH_DEMO_KEY_BACKSPACE, 0);
	press(&agent, BH_DEMO_KEY_ENTER, 0);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	bh_demo_agent_clear(&agent);
}

static void test_keeps_a_bounded_transcript(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	submit(&agent, "DEMO:run yes", 0);
	for (int i = 0; i < 2 * BH_DEMO_TRANSCRIPT_MAX; i++) {
		bh_demo_agent_tool_output(&agent, "y\n", 2);
	}
	assert_int_equal(agent.line_count, BH_DEMO_TRANSCRIPT_MAX);
	bh_demo_agent_clear(&agent);
}

static void test_asks_and_begins_by_itself(void **state)
{
	struct bh_demo_agent agent;

	(void)state;
	bh_demo_agent_init(&agent, &(struct bh_demo_settings){0}, 0);
	put(&agent, BH_DEMO_KEY_PASTE, "a draft");
	bh_demo_agent_ask(&agent, "by itself", 1);
	assert_int_equal(agent.phase, BH_DEMO_ASKING);
	bh_demo_agent_ask(&agent, "once more", 1);
	bh_demo_agent_begin(&agent, "DEMO:work 2", 1);
	press(&agent, BH_DEMO_KEY_ESCAPE, 2);
	expect_last_line(&agent, "denied: by itself");
	assert_string_equal(agent.composer.data, "a draft");
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	bh_demo_agent_begin(&agent, "DEMO:work 2", 3);
	assert_int_equal(agent.phase, BH_DEMO_WORKING);
	assert_int_equal(bh_demo_agent_due(&agent), 2003);
	bh_demo_agent_tick(&agent, 2003);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	assert_null(strstr(agent.log.data, "\"user\""));
	bh_demo_agent_ask(&agent, "after a turn", 2004);
	press(&agent, BH_DEMO_KEY_ESCAPE, 2005);
	assert_int_equal(agent.phase, BH_DEMO_IDLE);
	bh_demo_agent_clear(&agent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_starts_late_and_loses_early_keys),
		cmocka_unit_test(test_takes_a_turn),
		cmocka_unit_test(test_dialog_takes_enter_and_drops_a_paste),
		cmocka_unit_test(test_expands_large_pastes),
		cmocka_unit_test(test_shows_every_mail_of_a_long_turn),
		cmocka_unit_test(test_queues_or_waits_while_working),
		cmocka_unit_test(test_swallows_one_enter),
		cmocka_unit_test(test_runs_a_tool),
		cmocka_unit_test(test_escape_interrupts),
		cmocka_unit_test(test_slash_opens_a_menu_and_is_never_sent),
		cmocka_unit_test(test_edits_whole_characters),
		cmocka_unit_test(test_keeps_a_bounded_transcript),
		cmocka_unit_test(test_asks_and_begins_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
