// Delivery into the real demo agent on a real PTY: real screen, judge, proof reader, store; only the
// server around them is made up.
#include "src/server/deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/base/clock.h"
#include "src/base/log.h"
#include "src/mail/store.h"
#include "term/screen.h"

/** The world: one terminal. */
struct world {
	uv_loop_t loop;
	char folder[64];
	struct bh_store *store;
	struct bh_deliver *deliver;
	struct bh_profiles *profiles;
	const struct bh_profile *profile;
	struct bh_screen *screen;
	struct bh_judge *judge;
	struct bh_proof *proof;
	struct bh_verdict verdict;
	struct bh_uuid id;
	pid_t pid;
	int fd;
	uint64_t output_ms;
	uint64_t person_ms;
	uint64_t wake_at_ms;
	bool is_held;
	bool is_closed;
	unsigned pastes;
	unsigned next_message;
	char log_path[100];
};

/** An answer, copied. */
struct sent {
	bool is_answered;
	bool is_seen;
	enum bh_path path;
	enum bh_fate fate;
	enum bh_reason reason;
	char proof[32];
	uint64_t took_ms;
	uint64_t began_ms;
};

static uint64_t host_now_ms(void *user)
{
	(void)user;
	return bh_clock_mono_ms();
}

static uint64_t host_slept_ms(void *user)
{
	(void)user;
	return 0;
}

static void host_resumed(void *user)
{
	(void)user;
}

static void host_tell(void *user, const char *text)
{
	(void)user;
	(void)text;
}

static int64_t host_wall_ms(void *user)
{
	(void)user;
	return bh_clock_wall_ms();
}

static void world_judge(struct world *world)
{
	struct termios tty;
	struct bh_tty_facts facts = {.is_foreground_ours = true};

	if (tcgetattr(world->fd, &tty) == 0) {
		facts.is_canonical = (tty.c_lflag & ICANON) != 0;
		facts.has_echo = (tty.c_lflag & ECHO) != 0;
		bh_judge_tty(world->judge, &facts, bh_clock_mono_ms());
	}
	bh_judge_evaluate(world->judge, world->screen, bh_clock_mono_ms(), &world->verdict);
}

static bool host_view(void *user, const struct bh_uuid *id, struct bh_deliver_view *view)
{
	struct world *world = user;

	if (!bh_uuid_is_equal(id, &world->id) || world->pid == 0) {
		return false;
	}
	world_judge(world);
	*view = (struct bh_deliver_view){.verdict = world->verdict,
	                                 .screen = world->screen,
	                                 .profile = world->profile,
	                                 .mode = BH_MODE_MESSAGE,
	                                 .names = {"agent"},
	                                 .name_count = 1,
	                                 .proof = world->proof,
	                                 .last_output_ms = world->output_ms,
	                                 .disturbed_ms = world->person_ms};
	return true;
}

static bool host_has_output(void *user, const struct bh_uuid *id)
{
	struct pollfd poll_fd = {.fd = ((struct world *)user)->fd, .events = POLLIN};

	(void)id;
	return poll(&poll_fd, 1, 0) == 1;
}

static int host_write(void *user, const struct bh_uuid *id, const void *bytes, size_t len,
                      enum bh_input what)
{
	struct world *world = user;

	(void)id;
	if (what == BH_INPUT_TYPIST_TEXT) {
		world_judge(world);
		assert_true(world->verdict.is_typable);
		assert_true(world->is_held);
		world->pastes++;
	}
	assert_int_equal(write(world->fd, bytes, len), len);
	bh_judge_input(world->judge, what, bh_clock_mono_ms());
	return 0;
}

static void host_hold(void *user, const struct bh_uuid *id)
{
	(void)id;
	((struct world *)user)->is_held = true;
}

static void host_release(void *user, const struct bh_uuid *id, bool drop_answers)
{
	(void)id;
	(void)drop_answers;
	((struct world *)user)->is_held = false;
}

static void host_note(void *user, const struct bh_uuid *id, const char *text)
{
	(void)user;
	(void)id;
	(void)text;
}

static void host_wake_at(void *user, uint64_t at_ms)
{
	((struct world *)user)->wake_at_ms = at_ms;
}

static bool host_has_ui(void *user)
{
	(void)user;
	return false;
}

static const struct bh_deliver_host host = {.now_ms = host_now_ms,
                                            .view = host_view,
                                            .has_output = host_has_output,
                                            .write = host_write,
                                            .hold = host_hold,
                                            .release = host_release,
                                            .note = host_note,
                                            .wake_at = host_wake_at,
                                            .has_ui = host_has_ui,
                                            .wall_ms = host_wall_ms,
                                            .slept_ms = host_slept_ms,
                                            .resumed = host_resumed,
                                            .tell = host_tell};

static void on_changed(void *user, const struct bh_mailbox *mailbox)
{
	struct world *world = user;

	if (world->deliver != NULL) {
		bh_deliver_mail_changed(world->deliver, mailbox);
	}
}

static void on_closed(void *user)
{
	((struct world *)user)->is_closed = true;
}

static const struct bh_store_events events = {.changed = on_changed, .closed = on_closed};

static void world_read(struct world *world)
{
	struct pollfd poll_fd = {.fd = world->fd, .events = POLLIN};
	char bytes[4096];
	ssize_t len;
	size_t reply_len = 0;
	const char *reply;

	if (poll(&poll_fd, 1, 2) <= 0) {
		return;
	}
	len = read(world->fd, bytes, sizeof(bytes));
	if (len <= 0) {
		return;
	}
	world->output_ms = bh_clock_mono_ms();
	bh_screen_feed(world->screen, bytes, (size_t)len, world->output_ms);
	reply = bh_screen_replies(world->screen, &reply_len);
	if (reply_len > 0) {
		assert_int_equal(write(world->fd, reply, reply_len), reply_len);
		bh_judge_input(world->judge, BH_INPUT_REPLY, world->output_ms);
		bh_screen_replies_consume(world->screen, reply_len);
	}
	bh_judge_output(world->judge, world->screen, world->output_ms);
}

/** One turn of the made-up server's loop. */
static void world_turn(struct world *world)
{
	enum bh_state before = world->verdict.state;
	bool was_typable = world->verdict.is_typable;

	world_read(world);
	bh_screen_tick(world->screen, bh_clock_mono_ms());
	world_judge(world);
	if (world->verdict.state != before || world->verdict.is_typable != was_typable ||
	    bh_deliver_is_typing(world->deliver, &world->id)) {
		bh_deliver_look(world->deliver, &world->id);
	}
	uv_run(&world->loop, UV_RUN_NOWAIT);
	if (world->wake_at_ms != 0 && world->wake_at_ms <= bh_clock_mono_ms()) {
		world->wake_at_ms = 0;
		bh_deliver_tick(world->deliver);
	}
}

static void world_pass(struct world *world, uint64_t ms)
{
	uint64_t end_ms = bh_clock_mono_ms() + ms;

	while (bh_clock_mono_ms() < end_ms) {
		world_turn(world);
	}
}

static void show(const struct world *world)
{
	char row[1000];

	for (int i = 0; i < bh_screen_rows(world->screen); i++) {
		bh_screen_row_text(world->screen, i, row, sizeof(row));
		print_message("|%s\n", row);
	}
	for (size_t i = 0; i < world->verdict.why_count; i++) {
		print_message("why: %s\n", world->verdict.why[i]);
	}
}

/** Turn until the state is @state; fail with the screen when it does not come. */
static void until_state(struct world *world, enum bh_state state)
{
	uint64_t end_ms = bh_clock_mono_ms() + 20000;

	while (world->verdict.state != state) {
		if (bh_clock_mono_ms() > end_ms) {
			show(world);
			fail_msg("state is %s", bh_word(BH_WORDS_STATE, (int)world->verdict.state));
		}
		world_turn(world);
	}
}

static void until_typable(struct world *world)
{
	uint64_t end_ms = bh_clock_mono_ms() + 20000;

	while (!world->verdict.is_typable) {
		if (bh_clock_mono_ms() > end_ms) {
			show(world);
			fail_msg("not typable: %s", world->verdict.reason);
		}
		world_turn(world);
	}
}

static void on_sent(void *user, const struct bh_err *err, const struct bh_outcome *outcome)
{
	struct sent *sent = user;

	assert_int_equal(err->code, 0);
	sent->is_answered = true;
	sent->is_seen = outcome->is_seen;
	sent->path = outcome->path;
	sent->fate = outcome->fate;
	sent->reason = outcome->reason;
	sent->took_ms = bh_clock_mono_ms() - sent->began_ms;
	snprintf(sent->proof, sizeof(sent->proof), "%s",
	         outcome->proof != NULL ? outcome->proof : "");
}

static void send_to_agent(struct world *world, const char *body, struct sent *sent)
{
	char id[32];
	struct bh_deliver_send what = {.put = {.message_id = id,
	                                       .to = "agent",
	                                       .from = "operator",
	                                       .body = bh_span_of(body)}};

	snprintf(id, sizeof(id), "id-%u", ++world->next_message);
	*sent = (struct sent){.began_ms = bh_clock_mono_ms()};
	assert_int_equal(bh_deliver_send(world->deliver, &what, on_sent, sent, NULL), 0);
	while (!sent->is_answered) {
		world_turn(world);
	}
}

static void send_proved(struct world *world, const char *body)
{
	struct sent sent;

	until_typable(world);
	send_to_agent(world, body, &sent);
	if (!sent.is_seen) {
		show(world);
		fail_msg("not proved but %s", bh_word(BH_WORDS_REASON, (int)sent.reason));
	}
	assert_int_equal(sent.fate, BH_FATE_TYPED);
}

/** The text of submission number @index (from 0) in the agent's own log; the caller frees. */
static char *submitted(const struct world *world, int index)
{
	FILE *file = fopen(world->log_path, "re");
	char *line = NULL;
	size_t size = 0;
	char *text = NULL;

	assert_non_null(file);
	while (text == NULL && getline(&line, &size, file) > 0) {
		cJSON *json = cJSON_Parse(line);
		const cJSON *event = cJSON_GetObjectItem(json, "event");
		const cJSON *value = cJSON_GetObjectItem(json, "text");

		if (cJSON_IsString(event) && strcmp(event->valuestring, "user") == 0 &&
		    index-- == 0) {
			text = strdup(cJSON_IsString(value) ? value->valuestring : "");
		}
		cJSON_Delete(json);
	}
	free(line);
	fclose(file);
	return text;
}

static void submitted_is(const struct world *world, int index, const char *expected)
{
	char *text = submitted(world, index);

	assert_non_null(text);
	// A blank behind a last @word only closes the agent's list, see paste_write().
	while (text[0] != '\0' && text[strlen(text) - 1] == ' ') {
		text[strlen(text) - 1] = '\0';
	}
	assert_string_equal(text, expected);
	free(text);
}

static void keys(struct world *world, const char *bytes)
{
	world->person_ms = bh_clock_mono_ms();
	assert_int_equal(write(world->fd, bytes, strlen(bytes)), strlen(bytes));
	bh_judge_person(world->judge, bytes, strlen(bytes), world->person_ms);
}

static void agent_start(struct world *world, const char *const *argv)
{
	struct winsize size = {.ws_col = 80, .ws_row = 24};
	const struct bh_screen_settings settings = {.cols = 80, .rows = 24};
	struct bh_proof_place place = {.home = world->folder};

	world->profile = bh_profiles_match(world->profiles, argv);
	world->screen = bh_screen_new(&settings);
	world->judge = bh_judge_new(world->profile, bh_clock_mono_ms());
	world->pid = forkpty(&world->fd, NULL, NULL, &size);
	if (world->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	place.child_pid = world->pid;
	world->proof = bh_proof_new(world->profile, &place);
}

static void on_bound(void *user, const struct bh_answer *answer)
{
	(void)user;
	assert_int_equal(answer->err.code, 0);
}

static void agent_run(struct world *world, const char *option)
{
	char *program = NULL;
	struct bh_terminal_record record = {
		.identity = "agent", .status = BH_TERMINAL_LIVE, .exit_status = -1};

	assert_true(asprintf(&program, "%s/bellhop-demo-agent", getenv("BELLHOP_TEST_BUILDDIR")) >
	            0);
	agent_start(world, (const char *const[]){program, "--log", world->log_path, option, NULL});
	free(program);
	world->id = bh_uuid_new();
	bh_uuid_format(&world->id, record.uuid);
	const struct bh_bind bind = {.record = &record, .auto_base = "agent", .by_operator = true};

	assert_int_equal(bh_store_bind(world->store, &bind, on_bound, NULL, NULL), 0);
	while (bh_store_pending(world->store) > 0) {
		uv_run(&world->loop, UV_RUN_ONCE);
	}
	bh_deliver_bound(world->deliver, &world->id);
}

static int setup(void **state)
{
	struct world *world = calloc(1, sizeof(*world));
	struct bh_store_settings settings = {
		.loop = &world->loop, .events = &events, .user = world};
	char path[100];

	if (getenv("BELLHOP_TEST_LOG") != NULL) {
		bh_log_open_fd(2, BH_LOG_DEBUG);
	}
	strcpy(world->folder, "/tmp/bh-demo-XXXXXX");
	assert_non_null(mkdtemp(world->folder));
	snprintf(path, sizeof(path), "%s/mail.db", world->folder);
	snprintf(world->log_path, sizeof(world->log_path), "%s/agent.log", world->folder);
	settings.path = path;
	assert_int_equal(uv_loop_init(&world->loop), 0);
	assert_int_equal(bh_store_open(&settings, &world->store, NULL), 0);
	world->deliver = bh_deliver_new(&host, world, world->store);
	world->profiles = bh_profiles_load(NULL, NULL, NULL);
	*state = world;
	return 0;
}

static int teardown(void **state)
{
	static const char *const files[] = {"mail.db", "mail.db-wal", "mail.db-shm", "agent.log"};
	struct world *world = *state;
	struct bh_deliver *deliver = world->deliver;
	char path[100];

	bh_deliver_stop(deliver);
	world->deliver = NULL;
	bh_store_close(world->store);
	while (!world->is_closed) {
		uv_run(&world->loop, UV_RUN_ONCE);
	}
	bh_deliver_free(deliver);
	uv_run(&world->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&world->loop), 0);
	kill(world->pid, SIGKILL);
	waitpid(world->pid, NULL, 0);
	close(world->fd);
	bh_proof_free(world->proof);
	bh_judge_free(world->judge);
	bh_screen_free(world->screen);
	bh_profiles_free(world->profiles);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", world->folder, files[i]);
		unlink(path);
	}
	rmdir(world->folder);
	free(world);
	return 0;
}

#define HEADER(seq) "Mail m" #seq " from the operator:\n"

static void every_kind_of_text_arrives_as_it_was(void **state)
{
	struct world *world = *state;
	char lines[200] = "";
	char expected[300] = HEADER(3);
	char big[2049];
	char *text;

	agent_run(world, NULL);
	send_proved(world, "one line");
	send_proved(world, "/leading\n#two\n!three");
	for (int i = 1; i <= 20; i++) {
		char line[16];

		snprintf(line, sizeof(line), "%sline %d", i > 1 ? "\n" : "", i);
		strcat(lines, line);
		snprintf(line, sizeof(line), "%s| line %d", i > 1 ? "\n" : "", i);
		strcat(expected, line);
	}
	send_proved(world, lines);
	send_proved(world, "\xe4\xbd\xa0\xe5\xa5\xbd\xef\xbc\x8c\xe4\xb8\x96\xe7\x95\x8c? @file");
	for (size_t i = 0; i < sizeof(big) - 1; i++) {
		big[i] = i % 64 == 63 ? ' ' : (char)('a' + i % 26);
	}
	big[sizeof(big) - 2] = 'z'; // agents drop blanks at the end
	big[sizeof(big) - 1] = '\0';
	send_proved(world, big);
	submitted_is(world, 0, HEADER(1) "| one line");
	submitted_is(world, 1, HEADER(2) "| /leading\n| #two\n| !three");
	submitted_is(world, 2, expected);
	submitted_is(world, 3,
	             HEADER(4) "| \xe4\xbd\xa0\xe5\xa5\xbd\xef\xbc\x8c"
	                       "\xe4\xb8\x96\xe7\x95\x8c? @file");
	text = submitted(world, 4);
	assert_non_null(text);
	assert_non_null(strstr(text, big));
	free(text);
	assert_int_equal(world->pastes, 5);
}

static void while_it_works_mail_waits_and_is_typed_once(void **state)
{
	struct world *world = *state;
	struct sent sent;

	agent_run(world, NULL);
	until_typable(world);
	keys(world, "DEMO:work 2\r");
	until_state(world, BH_STATE_WORKING);
	send_to_agent(world, "later", &sent);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	assert_int_equal(sent.reason, BH_REASON_WORKING);
	assert_int_equal(world->pastes, 0);
	world_pass(world, 7000);
	assert_int_equal(world->pastes, 1);
	submitted_is(world, 1, HEADER(1) "| later");
}

static void a_dialog_is_not_touched(void **state)
{
	struct world *world = *state;
	struct sent sent;

	agent_run(world, NULL);
	until_typable(world);
	keys(world, "DEMO:ask touch\r");
	until_state(world, BH_STATE_AWAITING);
	send_to_agent(world, "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_AWAITING);
	world_pass(world, 1500);
	assert_int_equal(world->pastes, 0);
	assert_int_equal(world->verdict.state, BH_STATE_AWAITING);
}

static void a_draft_stays_and_mail_waits(void **state)
{
	struct world *world = *state;
	struct sent sent;
	char row[200];
	bool is_there = false;

	agent_run(world, NULL);
	until_typable(world);
	keys(world, "my own words");
	world_pass(world, 4000);
	send_to_agent(world, "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_DRAFT);
	world_pass(world, 1000);
	assert_int_equal(world->pastes, 0);
	for (int i = 0; i < 24; i++) {
		bh_screen_row_text(world->screen, i, row, sizeof(row));
		is_there |= strstr(row, "my own words") != NULL;
	}
	assert_true(is_there);
	// Cleared by the person: then it goes.
	keys(world, "\025");
	world_pass(world, 5000);
	assert_int_equal(world->pastes, 1);
}

static void a_swallowed_enter_costs_one_more_enter(void **state)
{
	struct world *world = *state;

	agent_run(world, "--swallow-enter");
	until_typable(world);
	{
		struct sent sent;

		send_to_agent(world, "x", &sent);
		world_pass(world, 3000);
	}
	assert_int_equal(world->pastes, 1);
	submitted_is(world, 0, HEADER(1) "| x");
	assert_int_equal(bh_store_mailbox(world->store, "agent")->unread, 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(every_kind_of_text_arrives_as_it_was),
		CASE(while_it_works_mail_waits_and_is_typed_once),
		CASE(a_dialog_is_not_touched),
		CASE(a_draft_stays_and_mail_waits),
		CASE(a_swallowed_enter_costs_one_more_enter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
