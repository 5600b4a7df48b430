// What goes past the screens to the person's terminal. Covers: src/ui/app_notify.
#include "src/ui/app_state.h"

#include "src/base/mem.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define STATE \
	"{\"layout\":{\"area\":{\"cols\":60,\"rows\":10},\"tabs\":[{\"id\":1,\"index\":1," \
	"\"name\":\"api\",\"is_active\":true,\"focus\":\"a\",\"panes\":[{\"terminal_id\":\"a\"," \
	"\"row\":1,\"col\":0,\"rows\":9,\"cols\":60,\"is_visible\":true}]}]}," \
	"\"terminals\":[{\"terminal_id\":\"a\",\"identity\":\"coder\",\"profile\":\"claude\"}," \
	"{\"terminal_id\":\"b\",\"identity\":\"tester\",\"profile\":\"codex\"," \
	"\"state\":\"working\"}],\"mail\":[]}"

/** A UI that is not connected, with one pane in view. */
struct world {
	struct bh_client_settings client;
	struct bh_app_settings settings;
	struct bh_app app;
};

static int world_make(void **state)
{
	struct world *world = calloc(1, sizeof(*world));
	struct bh_screen_settings screen = {.cols = 60, .rows = 9};
	cJSON *session = cJSON_Parse(STATE);

	world->client.socket_path = "/nowhere";
	world->app.settings = &world->settings;
	world->app.link = bh_link_new(&world->client);
	world->app.now_ms = 1000;
	bh_config_init(&world->app.config);
	bh_bindings_set(&world->app.bindings, &world->app.config);
	bh_model_begin(&world->app.model, session, 1000);
	world->app.viewer.views = bh_xcalloc(1, sizeof(struct bh_view));
	world->app.viewer.count = 1;
	world->app.viewer.views[0].terminal_id[0] = 'a';
	world->app.viewer.views[0].feed.screen = bh_screen_new(&screen);
	cJSON_Delete(session);
	*state = world;
	return 0;
}

static int world_remove(void **state)
{
	struct world *world = *state;

	bh_link_free(world->app.link);
	bh_viewer_clear(&world->app.viewer);
	bh_model_clear(&world->app.model);
	bh_bindings_clear(&world->app.bindings);
	bh_config_clear(&world->app.config);
	bh_buf_clear(&world->app.offered);
	bh_buf_clear(&world->app.tty.out);
	free(world);
	return 0;
}

/** What the person's terminal was sent since the last time must be this. */
static void expect_sent(struct world *world, const char *wanted)
{
	const char *sent = world->app.tty.out.data == NULL ? "" : world->app.tty.out.data;

	assert_string_equal(sent, wanted);
	bh_buf_clear(&world->app.tty.out);
}

/** The program in the pane puts something out. */
static void program_says(struct world *world, const char *bytes)
{
	struct bh_view *view = &world->app.viewer.views[0];

	bh_screen_feed(view->feed.screen, bytes, strlen(bytes), world->app.now_ms);
	bh_app_pass(&world->app, view, view->feed.screen, bh_screen_take_changes(view->feed.screen),
	            true);
}

#define SET_CLIPBOARD "\x1b]52;c;aGVsbG8=\x1b\\"

static void the_clipboard_is_asked_for(void **state)
{
	struct world *world = *state;

	program_says(world, SET_CLIPBOARD);
	expect_sent(world, "");
	assert_string_equal(world->app.message,
	                    "coder wants to put 5 bytes into your clipboard: C-b y lets it");
	// The person's keys go where they went.
	assert_int_equal(world->app.question.state, BH_QUESTION_CLOSED);
	bh_app_accept_clipboard(&world->app);
	expect_sent(world, SET_CLIPBOARD);
	// Once.
	bh_app_accept_clipboard(&world->app);
	expect_sent(world, "");
	assert_non_null(strstr(world->app.message, "no program wants"));
	// Not for ever.
	program_says(world, SET_CLIPBOARD);
	world->app.now_ms += 60000;
	bh_app_accept_clipboard(&world->app);
	expect_sent(world, "");
}

static void the_settings_answer_for_the_person(void **state)
{
	struct world *world = *state;

	world->app.config.clipboard = BH_CONFIG_CLIPBOARD_ALLOW;
	program_says(world, SET_CLIPBOARD);
	expect_sent(world, SET_CLIPBOARD);
	world->app.config.clipboard = BH_CONFIG_CLIPBOARD_DENY;
	program_says(world, SET_CLIPBOARD);
	bh_app_accept_clipboard(&world->app);
	expect_sent(world, "");
	// One who only looks is not asked.
	world->app.config.clipboard = BH_CONFIG_CLIPBOARD_ALLOW;
	world->settings.is_observing = true;
	program_says(world, SET_CLIPBOARD);
	expect_sent(world, "");
}

static void bells_and_notifications_pass(void **state)
{
	struct world *world = *state;

	program_says(world, "\a\a");
	expect_sent(world, "\a");
	world->app.now_ms += 50;
	program_says(world, "\a");
	expect_sent(world, "");
	world->app.now_ms += 50;
	program_says(world, "\a\x1b]777;notify;build;done\x1b\\");
	expect_sent(world, "\a\x1b]9;build: done\x1b\\");
}

/** The server tells of a terminal. */
static void server_tells(struct world *world, const char *method, const char *params)
{
	cJSON *told = cJSON_Parse(params);
	unsigned changes = 0;

	assert_non_null(told);
	bh_app_hear(&world->app, method, told);
	changes = bh_model_take(&world->app.model, method, told, world->app.now_ms);
	if ((changes & BH_MODEL_ATTENTION) != 0) {
		bh_attention_add(&world->app.attention, world->app.model.attention);
	}
	cJSON_Delete(told);
}

static void those_out_of_view_are_heard_too(void **state)
{
	struct world *world = *state;

	// What is in view has passed by its own output.
	server_tells(world, "terminal.bell", "{\"terminal_id\":\"a\"}");
	expect_sent(world, "");
	server_tells(world, "terminal.bell", "{\"terminal_id\":\"b\"}");
	expect_sent(world, "\a");
	server_tells(world, "terminal.notification",
	             "{\"terminal_id\":\"b\",\"title\":\"\",\"body\":\"x\\u001b\\\\\\u0007y\"}");
	// Nothing in it ends the sequence.
	expect_sent(world, "\x1b]9;x\\y\x1b\\");
}

#define AWAITS "{\"terminal_id\":\"b\",\"identity\":\"tester\",\"state\":\"awaiting\"}"

static void who_needs_a_person_is_told_of(void **state)
{
	struct world *world = *state;
	char dir[] = "/tmp/bh-notify-XXXXXX";
	char path[64];
	char text[100] = "";
	struct pollfd at;

	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/told", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	at = (struct pollfd){.fd = open(path, O_RDWR | O_CLOEXEC), .events = POLLIN};
	free(world->app.config.notify.command);
	world->app.config.notify.command = bh_xasprintf(
		"printf '%%s' \"$BELLHOP_IDENTITY $BELLHOP_STATE $BELLHOP_TERMINAL\" > %s", path);
	bh_app_tell_attention(&world->app);
	expect_sent(world, "");
	server_tells(world, "terminal.state", AWAITS);
	bh_app_tell_attention(&world->app);
	expect_sent(world, "\a\x1b]9;tester: awaiting\x1b\\");
	assert_int_equal(poll(&at, 1, 10000), 1);
	assert_true(read(at.fd, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "tester awaiting b");
	// Another UI was used last: it runs the command, this one only rings.
	world->app.model.latest_client = 7;
	bh_attention_add(&world->app.attention, "b");
	world->app.now_ms += 60000;
	bh_app_tell_attention(&world->app);
	expect_sent(world, "\a\x1b]9;tester: awaiting\x1b\\");
	assert_int_equal(poll(&at, 1, 200), 0);
	close(at.fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void the_settings_say_how(void **state)
{
	struct world *world = *state;

	world->app.config.notify.bell = false;
	server_tells(world, "terminal.state", AWAITS);
	bh_app_tell_attention(&world->app);
	expect_sent(world, "\x1b]9;tester: awaiting\x1b\\");
	world->app.config.notify.osc9 = false;
	bh_attention_add(&world->app.attention, "b");
	world->app.now_ms += 60000;
	bh_app_tell_attention(&world->app);
	expect_sent(world, "");
}

#define WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, world_make, world_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WORLD_TEST(the_clipboard_is_asked_for),
		WORLD_TEST(the_settings_answer_for_the_person),
		WORLD_TEST(bells_and_notifications_pass),
		WORLD_TEST(those_out_of_view_are_heard_too),
		WORLD_TEST(who_needs_a_person_is_told_of),
		WORLD_TEST(the_settings_say_how),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
