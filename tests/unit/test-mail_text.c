#include "src/client/mail_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void controls_cannot_steer_a_terminal(void **state)
{
	static const char text[] = "a\x1b[31mb\r\x9b\n\tc\\\xc2\x9b\xe2\x80\xae\xc3\xa4\x7f";
	struct bh_buf out = {0};

	(void)state;
	bh_mail_text_safe(&out, text, sizeof(text) - 1);
	assert_string_equal(out.data, "a\\x1b[31mb\\x0d\xef\xbf\xbd\n\tc\\\\u{009b}\\u{202e}"
	                              "\xc3\xa4\\x7f");
	bh_buf_clear(&out);
}

static char *read_text(const char *json)
{
	cJSON *result = cJSON_Parse(json);
	struct bh_buf out = {0};

	assert_non_null(result);
	bh_mail_text_read(&out, result, "again");
	cJSON_Delete(result);
	return bh_buf_detach(&out);
}

static void check_read(const char *json, const char *wanted)
{
	char *text = read_text(json);

	assert_string_equal(text, wanted);
	free(text);
}

static void reads_say_all_there_is(void **state)
{
	(void)state;
	check_read("{\"messages\":[{\"text\":\"Mail m1 from a (a peer):\\n| hi\"},"
	           "{\"text\":\"Mail m2 from b (a peer):\\n| \\u001b]0;x\","
	           "\"shown_before\":true}],\"unread_left\":3}",
	           "Mail m1 from a (a peer):\n| hi\n\n"
	           "Mail m2 from b (a peer):\n| \\x1b]0;x\n(This message was shown before.)\n\n"
	           "3 more unread: again.\n");
	check_read("{\"messages\":[],\"unread_left\":0}", "No unread mail.\n");
	check_read("{\"messages\":[],\"timed_out\":true,\"next_seq\":7}",
	           "Nothing came in time; next_seq is 7.\n");
	check_read("{\"messages\":[],\"note\":\"nothing new; the mail of n17 was read at 12:00\"}",
	           "nothing new; the mail of n17 was read at 12:00\n");
	check_read("{}", "No unread mail.\n");
}

static void an_answer_keeps_the_order_of_the_contract(void **state)
{
	cJSON *answer = cJSON_Parse(
		"{\"will_be_seen\":\"when_free\",\"delivered\":false,\"delivery_path\":"
		"\"terminal\",\"terminal\":\"queued\",\"reason\":\"working\",\"next\":\"N.\","
		"\"message_id\":\"0198\",\"seq\":42,\"to\":\"rev\",\"recipient\":{\"known\":true,"
		"\"state\":\"working\",\"last_turn\":\"done\"},\"idempotent_replay\":true}");
	struct bh_buf out = {0};

	(void)state;
	bh_mail_text_answer(&out, answer);
	assert_string_equal(
		out.data,
		"will_be_seen: when_free\ndelivered: false\ndelivery_path: terminal\n"
		"terminal: queued\nreason: working\nnext: N.\nmessage: m42 0198 to rev\n"
		"recipient: working, last turn done\n"
		"idempotent_replay: true (it was sent before; this is its answer again)\n");
	bh_buf_clear(&out);
	cJSON_Delete(answer);
}

static void a_room_tells_of_each_member(void **state)
{
	cJSON *answer =
		cJSON_Parse("{\"will_be_seen\":\"when_free\",\"delivered\":false,\"to\":\"#dev\","
	                    "\"recipient\":{\"known\":true},\"members\":[{\"to\":\"a\","
	                    "\"will_be_seen\":\"already\"},{\"to\":\"b\\u001b\","
	                    "\"will_be_seen\":\"when_free\",\"reason\":\"working\"}]}");
	struct bh_buf out = {0};

	(void)state;
	bh_mail_text_answer(&out, answer);
	assert_non_null(
		strstr(out.data, "member: a already\nmember: b\\x1b when_free (working)\n"));
	assert_null(strstr(out.data, "recipient:"));
	bh_buf_clear(&out);
	cJSON_Delete(answer);
}

static void oneself_is_told(void **state)
{
	cJSON *self = cJSON_Parse("{\"kind\":\"inside\",\"by\":\"kernel\",\"identity\":\"coder\","
	                          "\"names\":[\"coder\",\"claude-2\"],\"terminal_id\":\"6f1c\","
	                          "\"mode\":\"notice\",\"unread\":2}");
	struct bh_buf out = {0};

	(void)state;
	bh_mail_text_self(&out, self);
	assert_string_equal(out.data,
	                    "kind: inside (known by kernel)\nidentity: coder\n"
	                    "names: coder, claude-2\nterminal: 6f1c\nmode: notice\nunread: 2\n");
	bh_buf_clear(&out);
	cJSON_Delete(self);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(controls_cannot_steer_a_terminal),
		cmocka_unit_test(reads_say_all_there_is),
		cmocka_unit_test(an_answer_keeps_the_order_of_the_contract),
		cmocka_unit_test(a_room_tells_of_each_member),
		cmocka_unit_test(oneself_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
