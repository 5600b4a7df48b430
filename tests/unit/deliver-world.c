#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "term/keys.h"
#include "term/screen.h"
#include "term/strip.h"

static const struct bh_typing_rules typing_rules = {
	.settle_ms = 150, .echo_limit_ms = 5000, .proof_limit_ms = 5000, .clear_keys = "\025"};

// The screen, the proof reader and the agent are one and the same thing here.
static struct agent *agent_of_screen(const struct bh_screen *screen)
{
	return (struct agent *)(uintptr_t)screen;
}

const struct bh_typing_rules *bh_profile_typing(const struct bh_profile *profile)
{
	return (const struct bh_typing_rules *)(const void *)profile; // as host_view() gave it
}

const char *bh_profile_notice_advice(const struct bh_profile *profile)
{
	(void)profile;
	return "Run: bellhop inbox";
}

bool bh_screen_mode(const struct bh_screen *screen, enum bh_screen_mode mode)
{
	return mode == BH_SCREEN_MODE_BRACKETED_PASTE && agent_of_screen(screen)->has_paste_mode;
}

int bh_screen_cols(const struct bh_screen *screen)
{
	(void)screen;
	return 120;
}

int bh_screen_rows(const struct bh_screen *screen)
{
	return agent_of_screen(screen)->rows;
}

size_t bh_keys_encode(const struct bh_screen *screen, const char *name, char *out, size_t size)
{
	(void)screen;
	assert_string_equal(name, "Enter");
	assert_true(size >= 1);
	out[0] = '\r';
	return 1;
}

char *bh_keys_paste(const struct bh_screen *screen, const char *text, size_t len, size_t *len_out)
{
	char *out = NULL;

	assert_true(agent_of_screen(screen)->has_paste_mode);
	*len_out = (size_t)asprintf(&out, "\033[200~%.*s\033[201~", (int)len, text);
	return out;
}

char *bh_strip_message(const char *text, size_t len, size_t *len_out)
{
	*len_out = len;
	return strndup(text, len);
}

static void agent_judge(struct agent *agent)
{
	struct bh_verdict *verdict = &agent->verdict;
	bool is_free = verdict->state == BH_STATE_IDLE || verdict->state == BH_STATE_COMPLETED;

	if (verdict->composer != BH_COMPOSER_NONE) {
		verdict->composer = agent->composer != NULL ? BH_COMPOSER_DRAFT : BH_COMPOSER_EMPTY;
	}
	verdict->is_typable = is_free && verdict->composer == BH_COMPOSER_EMPTY &&
	                      !verdict->has_dialog &&
	                      agent->world->now_ms - agent->disturbed_ms >= 3000;
	if (verdict->is_typable) {
		verdict->reason = NULL;
	} else if (!is_free) {
		verdict->reason = verdict->state == BH_STATE_UNKNOWN    ? "unknown_state"
		                  : verdict->state == BH_STATE_WORKING  ? "working"
		                  : verdict->state == BH_STATE_STARTING ? "starting"
		                                                        : "awaiting";
	} else if (verdict->has_dialog) {
		verdict->reason = "dialog";
	} else {
		verdict->reason = agent->composer != NULL ? "draft" : "human_typing";
	}
}

static struct agent *world_agent(struct world *world, const struct bh_uuid *id)
{
	for (int i = 0; i < WORLD_TERMINALS; i++) {
		if (bh_uuid_is_equal(&world->agents[i].id, id)) {
			return &world->agents[i];
		}
	}
	return NULL;
}

/** The agent that is spoken to: there must be one. */
static struct agent *agent_there(struct world *world, const struct bh_uuid *id)
{
	struct agent *agent = world_agent(world, id);

	if (agent == NULL) {
		fail_msg("no such terminal");
		abort(); // fail_msg() does not return, but gcc cannot know
	}
	return agent;
}

static uint64_t host_now_ms(void *user)
{
	return ((struct world *)user)->now_ms;
}

static int64_t host_wall_ms(void *user)
{
	return (int64_t)((struct world *)user)->now_ms + 1700000000000;
}

static bool host_has_ui(void *user)
{
	return ((struct world *)user)->has_ui;
}

static bool host_view(void *user, const struct bh_uuid *id, struct bh_deliver_view *view)
{
	struct agent *agent = world_agent(user, id);

	if (agent == NULL || !agent->is_alive || agent->world->is_dead) {
		return false;
	}
	agent_judge(agent);
	agent->typing.is_allowed = agent->can_type;
	*view = (struct bh_deliver_view){.verdict = agent->verdict,
	                                 .screen = (const struct bh_screen *)agent,
	                                 .profile = (const void *)&agent->typing,
	                                 .mode = agent->mode,
	                                 .unknown_percent = agent->unknown_percent,
	                                 .names = {agent->name},
	                                 .name_count = 1,
	                                 .proof = (struct bh_proof *)agent,
	                                 .session_record = agent->session_record,
	                                 .last_output_ms = agent->output_ms,
	                                 .disturbed_ms = agent->disturbed_ms,
	                                 .has_unread_input = agent->unread != NULL};
	return true;
}

/** Our text arrives in its composer. */
static void agent_paste(struct agent *agent, const char *bytes, size_t len)
{
	if (len == 6) {
		assert_true(agent->has_paste_mode);
		agent->paste_ends++;
		return;
	}
	agent->pastes++;
	// Invariant 2: the gate held at the moment of the first byte.
	agent_judge(agent);
	assert_true(agent->verdict.is_typable);
	assert_true(agent->is_held);
	assert_memory_equal(bytes, "\033[200~", 6);
	if (agent->world->watch != NULL) {
		char *text = strndup(bytes + 6, len - 12);

		agent->world->watch(agent->world->watcher, agent, text);
		free(text);
	}
	if (agent->quirks & QUIRK_DIALOG_ON_PASTE) {
		agent->verdict.has_dialog = true;
		agent->verdict.composer = BH_COMPOSER_NONE;
	}
	if (agent->quirks & QUIRK_STOPPED) {
		assert_null(agent->unread);
		agent->unread = strndup(bytes + 6, len - 12);
	} else if ((agent->quirks & QUIRK_NO_ECHO) == 0) {
		assert_null(agent->composer);
		agent->composer = strndup(bytes + 6, len - 12);
	}
}

static void agent_submit(struct agent *agent)
{
	agent->crs++;
	assert_false(agent->verdict.has_dialog);
	assert_true(agent->is_held);
	assert_true(agent->verdict.state == BH_STATE_IDLE ||
	            agent->verdict.state == BH_STATE_COMPLETED);
	assert_non_null(agent->composer);
	assert_string_equal(agent->composer, agent->sought);
	if (agent->quirks & QUIRK_CR_SWALLOWED) {
		return;
	}
	if (agent->quirks & QUIRK_CR_EATS_TEXT) {
		free(agent->composer);
		agent->composer = NULL;
		return;
	}
	if (agent->quirks & QUIRK_QUEUES) {
		agent->found = BH_PROOF_QUEUED;
		free(agent->composer);
	} else {
		agent->turns[agent->turn_count++] = agent->composer;
		if ((agent->quirks & QUIRK_NO_RECORD) == 0) {
			agent->found = BH_PROOF_SUBMITTED;
		}
	}
	agent->composer = NULL;
	agent->verdict.state = BH_STATE_WORKING;
}

static bool host_has_output(void *user, const struct bh_uuid *id)
{
	struct agent *agent = world_agent(user, id);

	if (agent->quirks & QUIRK_UNREAD_DIALOG) {
		// What waits is a dialog; it is on the screen at the next look.
		agent->quirks &= ~(unsigned)QUIRK_UNREAD_DIALOG;
		agent->verdict.has_dialog = true;
		agent->verdict.composer = BH_COMPOSER_NONE;
		return true;
	}
	if (agent->quirks & QUIRK_NEVER_RESTS) {
		agent->output_ms ^= 1; // it is read, and there is more
		return true;
	}
	return (agent->quirks & QUIRK_NEVER_READ) != 0;
}

static int host_write(void *user, const struct bh_uuid *id, const void *bytes, size_t len,
                      enum bh_input what)
{
	struct agent *agent = agent_there(user, id);

	if (agent->world->is_dead) {
		return BH_ECLOSED;
	}
	if (agent->quirks & QUIRK_WRITE_FAILS) {
		return BH_EBUSY;
	}
	agent->output_ms = agent->world->now_ms;
	if (what == BH_INPUT_TYPIST_TEXT) {
		agent_paste(agent, bytes, len);
	} else if (what == BH_INPUT_TYPIST_CR) {
		assert_int_equal(len, 1);
		agent_submit(agent);
	} else {
		assert_int_equal(what, BH_INPUT_TYPIST_CLEAR);
		agent->clears++;
		free(agent->composer);
		agent->composer = NULL;
	}
	return 0;
}

/** Keys go into the composer. */
static void agent_type(struct agent *agent, const char *keys)
{
	char *text = NULL;

	assert_true(asprintf(&text, "%s%s", agent->composer != NULL ? agent->composer : "", keys) >
	            0);
	free(agent->composer);
	agent->composer = text;
}

/** What was held back goes on. */
static void agent_take_held(struct agent *agent)
{
	char *keys = agent->held_keys;

	agent->held_keys = NULL;
	if (keys != NULL) {
		agent_type(agent, keys);
	}
	free(keys);
}

void agent_keys(struct agent *agent, const char *keys)
{
	agent->disturbed_ms = agent->world->now_ms;
	if (agent->is_held) {
		free(agent->held_keys);
		agent->held_keys = strdup(keys);
	} else {
		agent_type(agent, keys);
	}
}

static void host_hold(void *user, const struct bh_uuid *id)
{
	struct agent *agent = agent_there(user, id);

	if (agent->world->is_dead) {
		return;
	}
	assert_false(agent->is_held);
	agent->is_held = true;
	agent->held_since_ms = agent->world->now_ms;
	if (agent->quirks & QUIRK_BUSY_ON_HOLD) {
		agent->verdict.state = BH_STATE_WORKING;
	}
}

static void host_release(void *user, const struct bh_uuid *id, bool drop_answers)
{
	struct agent *agent = agent_there(user, id);

	if (agent->world->is_dead) {
		return;
	}
	assert_true(agent->is_held);
	agent->is_held = false;
	agent->was_sifted = drop_answers;
	agent_take_held(agent);
}

static void host_note(void *user, const struct bh_uuid *id, const char *text)
{
	struct agent *agent = world_agent(user, id);

	if (agent != NULL) {
		(void)snprintf(agent->note, sizeof(agent->note), "%s", text);
	}
}

static void host_wake_at(void *user, uint64_t at_ms)
{
	struct world *world = user;

	world->wake_at_ms = world->is_dead ? 0 : at_ms;
}

static void host_point(void *user, const struct bh_uuid *id, enum bh_deliver_point point)
{
	struct world *world = user;

	if (world->at_point != NULL && !world->is_dead) {
		world->at_point(world, agent_there(world, id), point);
	}
}

static uint64_t host_slept_ms(void *user)
{
	return ((struct world *)user)->slept_ms;
}

static void host_resumed(void *user)
{
	((struct world *)user)->resumes++;
}

static void host_tell(void *user, const char *text)
{
	struct world *world = user;

	world->told++;
	(void)snprintf(world->told_text, sizeof(world->told_text), "%s", text);
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
                                            .point = host_point,
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

static void world_open(struct world *world)
{
	char path[100];
	struct bh_err err = {0};
	struct bh_store_settings settings = {
		.loop = &world->loop, .path = path, .events = &events, .user = world};

	settings.max_pages = world->max_pages;
	snprintf(path, sizeof(path), "%s/mail.db", world->folder);
	world->is_closed = false;
	if (bh_store_open(&settings, &world->store, &err) != 0) {
		fail_msg("%s", err.text);
	}
	world->deliver = bh_deliver_new(&host, world, world->store);
}

static void world_close(struct world *world)
{
	struct bh_deliver *deliver = world->deliver;

	bh_deliver_stop(deliver);
	world->deliver = NULL;
	bh_store_close(world->store);
	while (!world->is_closed) {
		uv_run(&world->loop, UV_RUN_ONCE);
	}
	bh_deliver_free(deliver);
	world->wake_at_ms = 0;
}

int world_setup(void **state)
{
	struct world *world = calloc(1, sizeof(*world));

	// In memory, where there is such a place: nothing here needs a real disk.
	(void)snprintf(world->folder, sizeof(world->folder), "%s/bh-deliver-XXXXXX",
	               access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(world->folder));
	assert_int_equal(uv_loop_init(&world->loop), 0);
	world->now_ms = 1000000;
	world_open(world);
	*state = world;
	return 0;
}

int world_teardown(void **state)
{
	static const char *const files[] = {"mail.db", "mail.db-wal", "mail.db-shm"};
	struct world *world = *state;
	char path[100];

	world_close(world);
	uv_run(&world->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&world->loop), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", world->folder, files[i]);
		unlink(path);
	}
	rmdir(world->folder);
	for (int i = 0; i < WORLD_TERMINALS; i++) {
		struct agent *agent = &world->agents[i];

		for (size_t t = 0; t < agent->turn_count; t++) {
			free(agent->turns[t]);
		}
		free(agent->unread);
		free(agent->held_keys);
		free(agent->composer);
		free(agent->sought);
	}
	free(world);
	return 0;
}

void world_settle(struct world *world)
{
	unsigned before = world->ticks;

	do {
		uv_run(&world->loop,
		       bh_store_pending(world->store) > 0 ? UV_RUN_ONCE : UV_RUN_NOWAIT);
		while (world->wake_at_ms != 0 && world->wake_at_ms <= world->now_ms) {
			if (++world->ticks - before > WORLD_TICKS_MAX && world->at_circle != NULL) {
				world->at_circle(world->watcher);
			}
			assert_true(world->ticks - before <= WORLD_TICKS_MAX);
			world->wake_at_ms = 0;
			bh_deliver_tick(world->deliver);
		}
	} while (bh_store_pending(world->store) > 0);
}

void world_pass(struct world *world, uint64_t ms)
{
	uint64_t end_ms = world->now_ms + ms;

	world_settle(world);
	if (ms >= 1000 && !world->has_no_dates) {
		(void)usleep(1000); // the store dates receipts by the real clock's milliseconds
	}
	while (world->now_ms < end_ms) {
		uint64_t next_ms = world->wake_at_ms;

		world->now_ms = next_ms > world->now_ms && next_ms < end_ms ? next_ms : end_ms;
		world_settle(world);
	}
}

static void on_done(void *user, const struct bh_answer *answer)
{
	(void)user;
	assert_int_equal(answer->err.code, 0);
}

struct agent *world_run(struct world *world, int index, const char *name)
{
	struct agent *agent = &world->agents[index];
	struct bh_terminal_record record = {.status = BH_TERMINAL_LIVE, .exit_status = -1};

	agent->world = world;
	agent->id = bh_uuid_new();
	bh_uuid_format(&agent->id, agent->text);
	agent->is_alive = true;
	agent->can_type = true;
	agent->typing = typing_rules;
	agent->has_paste_mode = true;
	agent->rows = 40;
	agent->mode = BH_MODE_MESSAGE;
	agent->quirks = QUIRK_NONE;
	agent->verdict = (struct bh_verdict){.state = BH_STATE_IDLE};
	agent->found = BH_PROOF_NOWHERE;
	agent->is_held = false;
	free(agent->composer);
	agent->composer = NULL;
	snprintf(agent->name, sizeof(agent->name), "%s", name);
	strcpy(record.uuid, agent->text);
	strcpy(record.identity, name);
	assert_int_equal(bh_store_bind(world->store,
	                               &(struct bh_bind){.record = &record,
	                                                 .auto_base = name,
	                                                 .by_operator = true},
	                               on_done, NULL, NULL),
	                 0);
	world_settle(world);
	bh_deliver_bound(world->deliver, &agent->id);
	world_settle(world);
	return agent;
}

void agent_block(struct agent *agent, enum bh_state state, const char *reason)
{
	agent->verdict.state = state;
	agent->verdict.since_ms = agent->world->now_ms;
	agent->verdict.has_dialog = strcmp(reason, "dialog") == 0;
	agent->verdict.composer = agent->verdict.has_dialog ? BH_COMPOSER_NONE : BH_COMPOSER_EMPTY;
	if (strcmp(reason, "human_typing") == 0) {
		agent->disturbed_ms = agent->world->now_ms;
	}
	bh_deliver_look(agent->world->deliver, &agent->id);
	world_settle(agent->world);
}

void agent_be(struct agent *agent, enum bh_state state)
{
	agent_block(agent, state, "");
}

void agent_continue(struct agent *agent)
{
	agent->quirks &= ~(unsigned)QUIRK_STOPPED;
	assert_null(agent->composer);
	agent->composer = agent->unread;
	agent->unread = NULL;
	bh_deliver_look(agent->world->deliver, &agent->id);
}

void agent_exit(struct agent *agent)
{
	struct world *world = agent->world;

	agent->is_alive = false;
	agent->is_held = false;
	assert_int_equal(
		bh_store_retire(world->store,
	                        &(struct bh_retire){.terminal = agent->text, .exit_status = 0},
	                        on_done, NULL, NULL),
		0);
	bh_deliver_exited(world->deliver, &agent->id);
	world_settle(world);
}

void on_sent(void *user, const struct bh_err *err, const struct bh_outcome *outcome)
{
	struct sent *sent = user;

	sent->count++;
	sent->code = err->code;
	if (outcome == NULL) {
		return;
	}
	sent->is_seen = outcome->is_seen;
	sent->is_timed_out = outcome->is_timed_out;
	sent->path = outcome->path;
	sent->fate = outcome->fate;
	sent->reason = outcome->reason;
	sent->prospect = outcome->prospect;
	sent->seq = outcome->seq;
	sent->is_replay = outcome->is_replay;
	snprintf(sent->proof, sizeof(sent->proof), "%s",
	         outcome->proof != NULL ? outcome->proof : "");
	snprintf(sent->nearest, sizeof(sent->nearest), "%s",
	         outcome->nearest != NULL ? outcome->nearest : "");
}

void world_send_with(struct world *world, struct bh_deliver_send *what, struct sent *sent)
{
	struct bh_err err = {0};

	*sent = (struct sent){0};
	assert_int_equal(bh_deliver_send(world->deliver, what, on_sent, sent, &err), 0);
	assert_int_equal(sent->count, 0);
	world_settle(world);
}

void world_send(struct world *world, const char *from, const char *to, const char *body,
                struct sent *sent)
{
	char id[32];
	struct bh_deliver_send what = {
		.put = {.message_id = id,
	                .to = to,
	                .from = from != NULL ? from : "operator",
	                .sender = from != NULL ? BH_SENDER_AGENT : BH_SENDER_OPERATOR,
	                .body = bh_span_of(body)}};

	snprintf(id, sizeof(id), "id-%u", ++world->next_message);
	world_send_with(world, &what, sent);
}

void on_got(void *user, const struct bh_reading *reading)
{
	struct got *got = user;

	got->count++;
	assert_int_equal(reading->err.code, 0);
	got->messages = reading->count;
	got->claim_id = reading->claim_id;
	got->unread_left = reading->unread_left;
	got->is_timed_out = reading->is_timed_out;
	got->read_notice_id = reading->read_notice_id;
	if (reading->count > 0) {
		snprintf(got->first, sizeof(got->first), "%s", reading->messages[0].body);
	}
}

void agent_read(struct agent *agent, size_t limit, struct got *got)
{
	struct bh_deliver_reader reader = {
		.terminal = &agent->id, .limit = limit, .done = on_got, .user = got};

	*got = (struct got){0};
	assert_int_equal(bh_deliver_read(agent->world->deliver, &reader, NULL), 0);
	world_settle(agent->world);
	assert_int_equal(got->count, 1);
}

struct bh_waiter *agent_wait(struct agent *agent, uint64_t timeout_ms, struct got *got)
{
	struct bh_deliver_reader reader = {
		.terminal = &agent->id, .timeout_ms = timeout_ms, .done = on_got, .user = got};
	struct bh_waiter *waiter;

	*got = (struct got){0};
	waiter = bh_deliver_wait(agent->world->deliver, &reader, NULL);
	assert_non_null(waiter);
	assert_int_equal(got->count, 0);
	world_settle(agent->world);
	return waiter;
}

void world_crash(struct world *world)
{
	world->is_dead = true;
	world_close(world);
	world->is_dead = false;
	if (world->at_restart != NULL) {
		world->at_restart(world);
	}
	for (int i = 0; i < WORLD_TERMINALS; i++) {
		world->agents[i].is_held = false; // people's keys are not held by a dead server
		free(world->agents[i].held_keys); // and those that it held are lost
		world->agents[i].held_keys = NULL;
	}
	world_open(world);
	for (int i = 0; i < WORLD_TERMINALS; i++) {
		if (world->agents[i].is_alive) {
			bh_deliver_bound(world->deliver, &world->agents[i].id);
		}
	}
	world_settle(world);
}

/** Collects a receipt. */
struct receipt {
	char *text;
	bool is_done;
};

static void on_receipts(void *user, const struct bh_answer *answer)
{
	struct receipt *receipt = user;
	struct bh_buf out = {0};

	assert_int_equal(answer->err.code, 0);
	for (size_t i = 0; i < answer->receipt_count; i++) {
		const struct bh_receipt *row = &answer->receipts[i];

		bh_buf_printf(&out, "%s%s", i > 0 ? " " : "", bh_receipt_word(row->step));
		if (row->cause[0] != '\0') {
			bh_buf_printf(&out, "(%s)", row->cause);
		}
	}
	receipt->text = bh_buf_detach(&out);
	receipt->is_done = true;
}

char *world_receipt(struct world *world, uint64_t seq)
{
	struct receipt receipt = {0};
	char ref[24];

	snprintf(ref, sizeof(ref), "m%llu", (unsigned long long)seq);
	assert_int_equal(bh_store_receipts(world->store, ref, on_receipts, &receipt, NULL), 0);
	while (!receipt.is_done) {
		uv_run(&world->loop, UV_RUN_ONCE);
	}
	return receipt.text;
}
