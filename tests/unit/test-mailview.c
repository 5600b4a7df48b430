#include "src/ui/mailview.h"

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

static struct bh_model_terminal terminals[] = {
	{.id = "a",
         .identity = "coder",
         .profile = "claude",
         .unread = 2,
         .queued = 2,
         .mail_reason = "draft"},
	{.id = "b", .identity = "tester", .profile = "codex", .unread = 1, .is_parked = true},
	{.id = "c", .identity = "dash-1", .profile = "generic"},
};
static struct bh_model_mailbox mailboxes[] = {
	{.name = "operator", .unread = 1},
	{.name = "gone", .unread = 4},
	{.name = "read", .unread = 0},
};
static struct bh_model_pane panes[] = {{.terminal_id = "a"}};
static struct bh_model_tab tabs[] = {{.id = 1,
                                      .index = 1,
                                      .name = "api",
                                      .is_active = true,
                                      .focus = "a",
                                      .panes = panes,
                                      .pane_count = 1}};

struct reading {
	struct layer_host host;
	struct bh_layer *layer;
	struct bh_model model;
};

static int reading_make(void **state)
{
	struct reading *reading = calloc(1, sizeof(*reading));

	reading->model = (struct bh_model){.tabs = tabs,
	                                   .tab_count = 1,
	                                   .terminals = terminals,
	                                   .terminal_count = 3,
	                                   .mailboxes = mailboxes,
	                                   .mailbox_count = 3};
	mailboxes[0].unread = 1;
	layer_host_begin(&reading->host);
	reading->layer = bh_mailview_new(&reading->host.host, &reading->model, false);
	*state = reading;
	return 0;
}

static int reading_remove(void **state)
{
	struct reading *reading = *state;

	reading->layer->ops->free(reading->layer);
	layer_host_end(&reading->host);
	free(reading);
	return 0;
}

static void see(struct reading *reading, const char *text)
{
	layer_see(reading->layer, &reading->model, 80, 24, text);
}

static void mailboxes_say_what_becomes_of_their_mail(void **state)
{
	struct reading *reading = *state;

	see(reading, " operator              1 unread, for you\n");
	see(reading, " coder                 2 unread, 2 queued: waits for draft\n");
	see(reading, " tester                1 unread, parked: it was told, no more notices");
	see(reading, " gone                  4 unread; it has no terminal now\n");
	see(reading, " *                     all mail of the session\n");
	layer_miss(reading->layer, &reading->model, 80, 24, "dash-1");
	layer_miss(reading->layer, &reading->model, 80, 24, "read  ");
	// The agent in focus is chosen; keys act on the chosen one.
	layer_type(reading->layer, "r");
	assert_string_equal(layer_host_requests(&reading->host),
	                    "notice.ring {\"name\":\"coder\"}\n");
	layer_answer(reading->layer, "notice.ring", "{\"name\":\"coder\"}",
	             "{\"notice\":\"queued\",\"next\":\"it waits\"}");
	assert_string_equal(reading->host.said, "it waits");
	layer_type(reading->layer, "g");
	layer_type(reading->layer, "r");
	assert_non_null(strstr(reading->host.said, "no agent of that name"));
	layer_press(reading->layer, BH_KEY_DOWN);
	layer_press(reading->layer, BH_KEY_DOWN);
	layer_type(reading->layer, "o");
	assert_string_equal(layer_host_requests(&reading->host), "pane.show {\"name\":\"b\"}\n");
	assert_true(reading->host.is_closed);
}

#define HISTORY \
	"{\"messages\":[{\"id\":\"m1\",\"seq\":1,\"from\":\"tester\",\"to\":\"coder\"," \
	"\"state\":\"seen\",\"body\":\"older\",\"sent_at\":1},{\"id\":\"m2\",\"seq\":2," \
	"\"from\":\"coder\",\"to\":\"tester\",\"state\":\"unread\",\"sent_at\":2," \
	"\"reply_to\":\"m1\",\"body\":\"clear \\u001b[2J it\\nsecond line\"}],\"next_seq\":2}"

static void a_message_shows_body_and_receipt(void **state)
{
	struct reading *reading = *state;

	layer_press(reading->layer, '\r');
	assert_string_equal(layer_host_requests(&reading->host),
	                    "mail.history {\"name\":\"coder\",\"limit\":200}\n");
	see(reading, "...");
	// The answer for a mailbox that was left is dropped.
	layer_answer(reading->layer, "mail.history", "{\"name\":\"tester\"}", HISTORY);
	see(reading, "...");
	layer_answer(reading->layer, "mail.history", "{\"name\":\"coder\"}", HISTORY);
	assert_string_equal(layer_host_requests(&reading->host), "mail.receipt {\"id\":\"m2\"}\n");
	see(reading, "from coder to tester, ");
	see(reading, "unread, reply to m1");
	see(reading, "\n clear \\x1b[2J it\n second line\n");
	layer_answer(reading->layer, "mail.receipt", "{\"id\":\"m1\"}",
	             "{\"steps\":[{\"at\":1,\"step\":\"seen\",\"cause\":\"of another\"}]}");
	layer_miss(reading->layer, &reading->model, 80, 24, "of another");
	layer_answer(reading->layer, "mail.receipt", "{\"id\":\"m2\"}",
	             "{\"steps\":[{\"at\":1,\"step\":\"stored\",\"cause\":\"by coder\"},"
	             "{\"at\":2,\"step\":\"queued\",\"cause\":\"draft\"}]}");
	see(reading, "stored      by coder");
	see(reading, "queued      draft");
	// The older one.
	layer_press(reading->layer, BH_KEY_DOWN);
	assert_string_equal(layer_host_requests(&reading->host), "mail.receipt {\"id\":\"m1\"}\n");
	see(reading, "\n older\n");
	layer_miss(reading->layer, &reading->model, 80, 24, "stored      by coder");
	// Back, and out.
	layer_press(reading->layer, 0x1b);
	see(reading, "all mail of the session");
	assert_false(reading->host.is_closed);
	layer_press(reading->layer, 0x1b);
	assert_true(reading->host.is_closed);
}

#define OPERATORS \
	"{\"messages\":[{\"id\":\"m5\",\"seq\":5,\"from\":\"tester\",\"to\":\"operator\"," \
	"\"state\":\"unread\",\"body\":\"ready\",\"sent_at\":1}]}"

static void only_the_operators_own_mail_is_marked(void **state)
{
	struct reading *reading = *state;

	layer_type(reading->layer, "g");
	layer_press(reading->layer, '\r');
	(void)layer_host_requests(&reading->host);
	layer_answer(reading->layer, "mail.history", "{\"name\":\"operator\"}", OPERATORS);
	assert_string_equal(layer_host_requests(&reading->host),
	                    "mail.ack {\"ids\":[\"m5\"]}\nmail.receipt {\"id\":\"m5\"}\n");
	see(reading, "from tester to operator");
	// New mail is asked for when it comes, and only then.
	reading->layer->ops->changed(reading->layer);
	assert_string_equal(layer_host_requests(&reading->host), "");
	mailboxes[0].unread = 0;
	reading->layer->ops->changed(reading->layer);
	reading->layer->ops->changed(reading->layer);
	assert_string_equal(layer_host_requests(&reading->host),
	                    "mail.history {\"name\":\"operator\",\"limit\":200}\n");
}

static void who_only_looks_changes_nothing(void **state)
{
	struct reading *reading = *state;

	reading->layer->ops->free(reading->layer);
	reading->layer = bh_mailview_new(&reading->host.host, &reading->model, true);
	layer_type(reading->layer, "r");
	assert_non_null(strstr(reading->host.said, "only look"));
	layer_type(reading->layer, "g");
	layer_press(reading->layer, '\r');
	(void)layer_host_requests(&reading->host);
	layer_answer(reading->layer, "mail.history", "{\"name\":\"operator\"}", OPERATORS);
	assert_string_equal(layer_host_requests(&reading->host), "mail.receipt {\"id\":\"m5\"}\n");
	layer_type(reading->layer, "q");
	assert_true(reading->host.is_closed);
}

static void the_mouse_opens_and_chooses(void **state)
{
	struct reading *reading = *state;

	layer_mouse(reading->layer, BH_MOUSE_PRESS, 2, 80, 24);
	assert_string_equal(layer_host_requests(&reading->host),
	                    "mail.history {\"name\":\"coder\",\"limit\":200}\n");
	layer_answer(reading->layer, "mail.history", "{\"name\":\"coder\"}", HISTORY);
	(void)layer_host_requests(&reading->host);
	layer_mouse(reading->layer, BH_MOUSE_PRESS, 2, 80, 24);
	assert_string_equal(layer_host_requests(&reading->host), "mail.receipt {\"id\":\"m1\"}\n");
	layer_mouse(reading->layer, BH_MOUSE_WHEEL_DOWN, 20, 80, 24);
	assert_string_equal(layer_host_requests(&reading->host), "");
	// Nothing is too small to be drawn.
	for (int rows = 1; rows < 8; rows++) {
		for (int cols = 1; cols < 40; cols += 3) {
			free(layer_show(reading->layer, &reading->model, cols, rows));
		}
	}
}

#define READING_TEST(name) cmocka_unit_test_setup_teardown(name, reading_make, reading_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		READING_TEST(mailboxes_say_what_becomes_of_their_mail),
		READING_TEST(a_message_shows_body_and_receipt),
		READING_TEST(only_the_operators_own_mail_is_marked),
		READING_TEST(who_only_looks_changes_nothing),
		READING_TEST(the_mouse_opens_and_chooses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
