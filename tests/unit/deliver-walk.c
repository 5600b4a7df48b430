#include "tests/unit/deliver-walk.h"

#include "src/base/log.h"
#include "src/mail/store_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/server/deliver_channel.h"
#include "src/server/deliver_station.h"

const char *const walk_names[WORLD_TERMINALS] = {"ada", "bob", "cyd", "dan"};

unsigned walk_pick(struct walk *walk, unsigned count)
{
	// One generator for all platforms, so that a seed means the same everywhere.
	walk->random = walk->random * 1664525u + 1013904223u;
	return (walk->random >> 8) % count;
}

int64_t walk_wall_ms(const struct walk *walk)
{
	return (int64_t)walk->world->now_ms + 1700000000000; // as deliver-world.c says
}

bool walk_chance(struct walk *walk, unsigned percent)
{
	return walk_pick(walk, 100) < percent;
}

int walk_index(const struct agent *agent)
{
	return (int)(agent - agent->world->agents);
}

struct agent *walk_pick_alive(struct walk *walk)
{
	struct agent *agent = &walk->world->agents[walk_pick(walk, WORLD_TERMINALS)];

	return agent->is_alive ? agent : NULL;
}

// ---- what is checked when something is typed ----

/** What stands where, for whoever has to find out. */
void walk_tell(struct walk *walk)
{
	const struct bh_claim *claim = NULL;

	for (int n = 0; n < WORLD_TERMINALS; n++) {
		const struct agent *agent = &walk->world->agents[n];
		const struct bh_mailbox *mailbox =
			bh_store_mailbox(walk->world->store, walk_names[n]);
		const struct bh_terminal_record *record =
			bh_store_terminal(walk->world->store, agent->text);
		const struct bh_item *item;

		print_error("%s %s: alive %d, state %s, mode %d, held %d, composer \"%s\", "
		            "sought \"%s\", found %d, dnd %d\n",
		            walk_names[n], agent->text, agent->is_alive,
		            bh_word(BH_WORDS_STATE, (int)agent->verdict.state), (int)agent->mode,
		            agent->is_held, agent->composer, agent->sought, (int)agent->found,
		            (int)mailbox->dnd);
		if (record != NULL) {
			print_error("  notice n%llu state %d rings %u\n",
			            (unsigned long long)record->notice.id,
			            (int)record->notice.state, record->notice.rings);
		}
		for (item = bh_mailbox_first(mailbox); item != NULL; item = bh_mailbox_next(item)) {
			print_error("  m%llu from %s, hops %d, quiet %d, %u typings, %s\n",
			            (unsigned long long)item->seq, item->from, item->hops,
			            item->is_quiet, item->typings,
			            item->claim == NULL ? "unread"
			                                : bh_claim_kind_word(item->claim->kind));
		}
	}
	while ((claim = bh_store_next_claim(walk->world->store, claim)) != NULL) {
		print_error("  claim %s of %s, phase %s\n", bh_claim_kind_word(claim->kind),
		            claim->terminal, bh_phase_word(claim->phase));
	}
	bh_list_for (at, next, &walk->world->deliver->stations) {
		const struct bh_station *station = bh_container_of(at, struct bh_station, link);

		print_error(
			"  station %s: typist %s, phase %s, deferred %d, waiters %d, handing %d, "
			"handed %d, channel %d, requests %u\n",
			station->id, bh_typist_state_word(station->typist.state),
			bh_phase_word(station->phase), station->is_deferred,
			!bh_list_is_empty(&station->waiters), station->is_handing,
			station->handed_claim != 0, station->channel != NULL, station->pending);
	}
	print_error("  step %u, now %llu, next tick %llu, %u ticks; open sends: %d\n", walk->step,
	            (unsigned long long)walk->world->now_ms,
	            (unsigned long long)walk->world->wake_at_ms, walk->world->ticks,
	            !bh_list_is_empty(&walk->world->deliver->sends));
}

void walk_on_circle(void *user)
{
	struct walk *walk = user;

	walk_tell(walk);
	print_error("seed %u: delivery goes round in a circle\n", walk->seed);
}

/** From here on the account is that of this notice. */
static void notice_begin(struct walk *walk, int n, uint64_t id)
{
	if (walk->notices[n].id != id) {
		walk->notices[n].id = id;
		walk->notices[n].pastes = 0;
		walk->notices[n].crashes = 0;
		walk->notices[n].before *= walk->notices[n].is_asked;
	}
}

static void notice_check(struct walk *walk, struct agent *agent, uint64_t id)
{
	const struct bh_terminal_record *record =
		bh_store_terminal(walk->world->store, agent->text);
	int n = walk_index(agent);

	notice_begin(walk, n, id);
	walk->notices[n].is_asked = false;
	walk->notices[n].pastes++;
	walk->rung++;
	assert_non_null(record);
	assert_int_equal(record->notice.id, id);
	assert_true(walk->notices[n].pastes <= BH_NOTICE_RINGS_MAX + walk->notices[n].before); // 5
	if (record->notice.rings + walk->notices[n].before < walk->notices[n].pastes) {
		walk_tell(walk);
		fail_msg("%s: n%llu was paid %u times for %u pastes", agent->name,
		         (unsigned long long)id, record->notice.rings, walk->notices[n].pastes);
	}
}

/** A message whose text is being pasted. */
static void letter_check(struct walk *walk, struct agent *agent, uint64_t seq)
{
	const struct bh_item *item = bh_store_item(walk->world->store, agent->name, seq);
	const struct bh_mailbox *mailbox = bh_store_mailbox(walk->world->store, agent->name);
	const struct bh_item *older;
	unsigned *pastes;

	assert_non_null(item); // 1: it is not seen
	assert_non_null(item->claim);
	assert_int_equal(item->claim->kind, BH_CLAIM_TYPING);
	assert_string_equal(item->claim->terminal, agent->text);
	pastes = &walk->letters[seq].pastes[walk_index(agent)];
	assert_true(++*pastes <= BH_ITEM_TYPINGS_MAX); // 4
	assert_true(item->typings >= *pastes);
	for (older = bh_mailbox_first(mailbox); older != item; older = bh_mailbox_next(older)) {
		// 3: what is older is in the same paste, or waits for its sender's block.
		if (!bh_mailbox_blocks(mailbox, older->from) && older->claim != item->claim) {
			fail_msg("m%llu is typed before m%llu, which is %s",
			         (unsigned long long)seq, (unsigned long long)older->seq,
			         older->claim == NULL ? "unread"
			                              : bh_claim_kind_word(older->claim->kind));
		}
	}
}

/** Our first byte goes into a terminal now. */
void walk_on_paste(void *user, struct agent *agent, const char *text)
{
	struct walk *walk = user;
	const struct bh_mailbox *mailbox = bh_store_mailbox(walk->world->store, agent->name);
	uint64_t last = 0;
	unsigned long long number;

	// 2: deliver-world.c checks screen, state and keys; here is the rest of the gate.
	assert_true(agent->is_alive && agent->can_type && agent->has_paste_mode);
	assert_int_not_equal(agent->mode, BH_MODE_OFF);
	assert_null(agent->unread);
	assert_true(
		mailbox->dnd == BH_DND_STATE_OFF ||
		(mailbox->dnd == BH_DND_STATE_TIME && mailbox->dnd_until_ms <= walk_wall_ms(walk)));
	if (sscanf(text, "Mail n%llu:", &number) == 1) {
		assert_true(mailbox->unread > 0); // what was all read is not rung for
		notice_check(walk, agent, number);
		return;
	}
	assert_int_not_equal(agent->mode, BH_MODE_NOTICE);
	for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (sscanf(at, "Mail m%llu ", &number) != 1) {
			continue;
		}
		assert_true(number > last);
		last = number;
		letter_check(walk, agent, number);
		walk->typed++;
	}
	assert_true(last != 0);
}

// ---- calls ----

struct call *walk_call(struct walk *walk, int agent)
{
	struct call *call = &walk->calls[walk->call_count++];

	assert_true(walk->call_count <= CALLS);
	*call = (struct call){.walk = walk,
	                      .agent = agent,
	                      .begun_ms = walk->world->now_ms,
	                      .limit_ms = ANSWER_MS};
	return call;
}

static void on_walk_sent(void *user, const struct bh_err *err, const struct bh_outcome *outcome)
{
	struct call *call = user;
	struct walk *walk = call->walk;
	const struct bh_item *item;

	assert_false(call->is_answered); // 9
	call->is_answered = true;
	assert_true(walk->world->now_ms - call->begun_ms <= call->limit_ms);
	if (outcome == NULL) {
		assert_int_not_equal(err->code, 0);
		return;
	}
	if (outcome->seq > walk->last_seq) {
		walk->last_seq = outcome->seq;
	}
	assert_true(outcome->seq < MESSAGES);
	if (call->to[0] == '#') {
		return; // who has it is each member's own matter
	}
	memcpy(walk->letters[outcome->seq].to, call->to, sizeof(call->to));
	item = bh_store_item(walk->world->store, call->to, outcome->seq);
	if (outcome->reason == BH_REASON_SUPERSEDED || outcome->reason == BH_REASON_DISCARDED) {
		assert_null(item);
		assert_false(outcome->is_seen);
		return;
	}
	// 8: what is told is so.
	assert_int_equal(outcome->is_seen, item == NULL);
	assert_int_equal(outcome->is_seen, outcome->prospect == BH_PROSPECT_ALREADY);
	if (outcome->path == BH_PATH_TERMINAL && outcome->fate == BH_FATE_TYPED) {
		assert_true(walk->letters[outcome->seq].pastes[call->agent] > 0);
	}
}

/** Whom a message goes to. */
static void send_address(struct walk *walk, struct call *call)
{
	int n = (int)walk_pick(walk, WORLD_TERMINALS);
	const char *to = walk_names[n];

	if (walk_chance(walk, 3)) {
		to = "nobody";
	} else if (walk_chance(walk, 4)) {
		to = "operator";
	} else if (walk_chance(walk, 8)) {
		to = WALK_ROBOT;
	} else if (walk_chance(walk, 8)) {
		to = WALK_ROOM;
	} else {
		call->agent = n;
	}
	snprintf(call->to, sizeof(call->to), "%s", to);
}

/** Some is about a task, and some of that is an update, which the store may refuse. */
static void send_add_task(struct walk *walk, struct bh_put *put)
{
	static const char *const tasks[] = {"t1", "t2", "t3"};

	if (walk_chance(walk, 12)) {
		put->task_id = tasks[walk_pick(walk, 3)];
		put->task_status = walk_chance(walk, 70) ? BH_TASK_UPDATE : BH_TASK_NONE;
	}
	put->is_quiet = walk_chance(walk, 5);
}

static void step_send(struct walk *walk)
{
	static char long_body[4000];
	struct world *world = walk->world;
	struct call *call = walk_call(walk, -1);
	bool from_agent = walk_chance(walk, 70);
	struct agent *sender = &world->agents[walk_pick(walk, WORLD_TERMINALS)];
	char id[32];
	char reply[24];
	struct bh_deliver_send what = {.no_wait = walk_chance(walk, 40)};

	if (walk->last_seq + 50 >= MESSAGES) {
		walk->call_count--;
		return;
	}
	memset(long_body, 'x', sizeof(long_body) - 1);
	snprintf(id, sizeof(id), "walk-%u", ++world->next_message);
	send_address(walk, call);
	if (walk_chance(walk, 15)) {
		what.wait_seen_ms = 1000 + walk_pick(walk, 100000);
		call->limit_ms = what.wait_seen_ms;
	}
	what.put = (struct bh_put){
		.message_id = id,
		.to = call->to,
		.from = from_agent ? sender->name : "operator",
		.sender = from_agent ? BH_SENDER_AGENT : BH_SENDER_OPERATOR,
		.body = bh_span_of(walk_chance(walk, 10) ? long_body : "one\nMail m1 from x:")};
	if (from_agent && sender->is_alive) {
		what.put.from_terminal = sender->text;
	}
	if (walk->last_seq > 0 && walk_chance(walk, walk->chatty)) {
		snprintf(reply, sizeof(reply), "m%llu", (unsigned long long)walk->last_seq);
		what.put.reply_to = reply;
	}
	send_add_task(walk, &what.put);
	assert_int_equal(bh_deliver_send(world->deliver, &what, on_walk_sent, call, NULL), 0);
	assert_false(call->is_answered);
}

/** What a reader gets: in order, and each held by its claim alone. */
static void on_walk_got(void *user, const struct bh_reading *reading)
{
	struct call *call = user;
	struct walk *walk = call->walk;

	assert_false(call->is_answered);
	call->is_answered = true;
	assert_int_equal(reading->err.code, 0);
	assert_int_equal(reading->claim_id != 0, reading->count > 0);
	for (size_t i = 0; i < reading->count; i++) {
		const struct bh_message *message = &reading->messages[i];
		const struct bh_item *item =
			bh_store_item(walk->world->store, message->mailbox, message->seq);

		assert_true(i == 0 || message->seq > reading->messages[i - 1].seq);
		assert_non_null(item);
		assert_non_null(item->claim);
		assert_true(item->claim->id == reading->claim_id); // 1
	}
	walk->read += (unsigned)reading->count;
	if (reading->claim_id != 0) {
		// One that is forgotten here is a reader that died: its lease is the store's.
		walk->claims[walk->claim_count++ % CLAIMS] = reading->claim_id;
	}
}

void walk_read(struct walk *walk, struct agent *agent, size_t limit)
{
	struct call *call = walk_call(walk, walk_index(agent));
	struct bh_deliver_reader reader = {
		.terminal = &agent->id, .limit = limit, .done = on_walk_got, .user = call};
	uint64_t unread = bh_store_mailbox(walk->world->store, agent->name)->unread;
	unsigned before = walk->read;
	bool is_settled = bh_store_pending(walk->world->store) == 0; // else it may be seen first

	assert_int_equal(bh_deliver_read(walk->world->deliver, &reader, NULL), 0);
	world_settle(walk->world);
	assert_true(call->is_answered);
	if (unread > 0 && is_settled) {
		assert_true(walk->read > before); // 6: what is unread is not hidden
	}
}

static void step_read(struct walk *walk)
{
	struct agent *agent = walk_pick_alive(walk);

	if (agent != NULL) {
		walk_read(walk, agent, walk_chance(walk, 30) ? 1 + walk_pick(walk, 3) : 0);
	}
}

static bool is_call_alive(void *user)
{
	return !((const struct call *)user)->is_dead;
}

static void step_wait(struct walk *walk)
{
	struct agent *agent = walk_pick_alive(walk);
	struct bh_deliver_reader reader = {.done = on_walk_got, .is_alive = is_call_alive};
	struct call *call;

	if (agent == NULL) {
		return;
	}
	call = walk_call(walk, walk_index(agent));
	reader.terminal = &agent->id;
	reader.timeout_ms = 1000 + walk_pick(walk, 100000);
	reader.user = call;
	call->waiter = bh_deliver_wait(walk->world->deliver, &reader, NULL);
}

static void step_wait_cancel(struct walk *walk)
{
	for (size_t i = walk->call_count; i > 0 && i + 200 > walk->call_count; i--) {
		struct call *call = &walk->calls[i - 1];

		if (call->waiter == NULL || call->is_answered) {
			continue;
		}
		call->is_dead = walk_chance(walk, 20); // it is found out later
		if (walk_chance(walk, 50)) {
			bh_deliver_wait_cancel(walk->world->deliver, call->waiter);
			call->is_answered = true;
		}
	}
}

static uint64_t claim_pick(struct walk *walk)
{
	size_t count = walk->claim_count < CLAIMS ? walk->claim_count : CLAIMS;

	return count == 0 ? 0 : walk->claims[walk_pick(walk, (unsigned)count)];
}

static void step_confirm(struct walk *walk)
{
	uint64_t id = claim_pick(walk);

	if (id != 0) {
		(void)bh_deliver_confirm(walk->world->deliver, id, NULL, NULL, NULL);
	}
}

static void step_release(struct walk *walk)
{
	uint64_t id = claim_pick(walk);

	if (id != 0) {
		(void)bh_store_release(walk->world->store,
		                       &(struct bh_release){.claim_id = id,
		                                            .was_shown = walk_chance(walk, 50),
		                                            .why = "walk"},
		                       NULL, NULL, NULL);
	}
}

static void step_ack(struct walk *walk)
{
	const char *name = walk_names[walk_pick(walk, WORLD_TERMINALS)];
	char ref[24];

	snprintf(ref, sizeof(ref), "m%llu",
	         (unsigned long long)(1 + walk_pick(walk, (unsigned)walk->last_seq + 1)));
	(void)bh_store_ack(
		walk->world->store,
		&(struct bh_ack){.names = &name, .name_count = 1, .ref = ref, .how = BH_SEEN_ACK},
		NULL, NULL, NULL);
}

// ---- agents and people ----

/** A text becomes a turn by another's hand than ours. */
static void agent_take(struct agent *agent)
{
	free(agent->composer);
	agent->composer = NULL;
	agent->verdict.state = BH_STATE_WORKING;
	agent->verdict.since_ms = agent->world->now_ms;
}

static void step_state(struct walk *walk)
{
	static const struct {
		enum bh_state state;
		const char *reason;
	} moods[] = {{BH_STATE_IDLE, ""},      {BH_STATE_IDLE, ""},
	             {BH_STATE_COMPLETED, ""}, {BH_STATE_COMPLETED, ""},
	             {BH_STATE_WORKING, ""},   {BH_STATE_AWAITING, ""},
	             {BH_STATE_UNKNOWN, ""},   {BH_STATE_IDLE, "dialog"},
	             {BH_STATE_STARTING, ""},  {BH_STATE_IDLE, "human_typing"}};
	unsigned n = walk_pick(walk, sizeof(moods) / sizeof(moods[0]));
	struct agent *agent = walk_pick_alive(walk);

	if (agent != NULL) {
		agent_block(agent, moods[n].state, moods[n].reason);
	}
}

static void step_quirk(struct walk *walk)
{
	static const unsigned quirks[] = {
		QUIRK_NO_ECHO,       QUIRK_DIALOG_ON_PASTE, QUIRK_CR_SWALLOWED, QUIRK_CR_EATS_TEXT,
		QUIRK_NO_RECORD,     QUIRK_QUEUES,          QUIRK_WRITE_FAILS,  QUIRK_BUSY_ON_HOLD,
		QUIRK_UNREAD_DIALOG, QUIRK_NEVER_RESTS,     QUIRK_NEVER_READ,   QUIRK_STOPPED};
	struct agent *agent = walk_pick_alive(walk);

	if (agent == NULL) {
		return;
	}
	if (agent->unread != NULL && agent->composer == NULL) {
		agent_continue(agent);
	} else if (agent->unread == NULL) {
		agent->quirks =
			walk_chance(walk, walk->quirky)
				? quirks[walk_pick(walk, sizeof(quirks) / sizeof(quirks[0]))]
				: QUIRK_NONE;
	}
	bh_deliver_look(walk->world->deliver, &agent->id);
}

/** A person at the terminal: their keys are held while we type. */
static void step_person(struct walk *walk)
{
	struct agent *agent = walk_pick_alive(walk);
	bool can_key;

	if (agent == NULL || agent->is_held || agent->unread != NULL ||
	    (agent->quirks & QUIRK_STOPPED) != 0) {
		return;
	}
	can_key = agent->verdict.composer != BH_COMPOSER_NONE;
	agent->disturbed_ms = walk->world->now_ms;
	switch (walk_pick(walk, 4)) {
	case 0:
		if (can_key) {
			char *old = agent->composer;

			assert_true(asprintf(&agent->composer, "%sx", old != NULL ? old : "") > 0);
			free(old);
		}
		break;
	case 1:
		free(agent->composer);
		agent->composer = NULL;
		break;
	case 2:
		if (can_key && agent->composer != NULL && agent->sought != NULL) {
			bool is_ours = strcmp(agent->composer, agent->sought) == 0;

			agent->found = is_ours ? BH_PROOF_SUBMITTED : agent->found;
			agent_take(agent);
		}
		break;
	default:
		break;
	}
	bh_deliver_person(walk->world->deliver, &agent->id);
	bh_deliver_look(walk->world->deliver, &agent->id);
}

/** The agent's own queue moves on. */
static void step_queue(struct walk *walk)
{
	struct agent *agent = walk_pick_alive(walk);

	if (agent == NULL || agent->found != BH_PROOF_QUEUED) {
		return;
	}
	if (walk_chance(walk, 70)) {
		agent->found = BH_PROOF_SUBMITTED;
		agent->verdict.state = BH_STATE_WORKING;
	} else if (agent->composer == NULL) { // an interrupt gives it back
		agent->found = BH_PROOF_NOWHERE;
		agent->composer = strdup(agent->sought);
		agent->verdict.state = BH_STATE_IDLE;
	}
	bh_deliver_look(walk->world->deliver, &agent->id);
}

static void step_exit(struct walk *walk)
{
	unsigned n = walk_pick(walk, WORLD_TERMINALS);
	struct agent *agent = &walk->world->agents[n];

	if (agent->is_alive) {
		agent_exit(agent);
		free(agent->unread);
		agent->unread = NULL;
		walk->plugs[n].channel = NULL;
		return;
	}
	(void)world_run(walk->world, (int)n, walk_names[n]);
	agent->typing.release_ms = walk_chance(walk, 30) ? 1500 : 0;
	agent->mode = walk_chance(walk, 30) ? BH_MODE_NOTICE : BH_MODE_MESSAGE;
}

static void step_settings(struct walk *walk)
{
	static const enum bh_mode modes[] = {BH_MODE_MESSAGE, BH_MODE_MESSAGE, BH_MODE_NOTICE,
	                                     BH_MODE_OFF};
	struct agent *agent = walk_pick_alive(walk);

	if (agent == NULL) {
		return;
	}
	switch (walk_pick(walk, 4)) {
	case 0:
		agent->mode = modes[walk_pick(walk, 4)];
		break;
	case 1:
		agent->has_paste_mode = walk_chance(walk, 80);
		break;
	case 2:
		agent->can_type = walk_chance(walk, 85);
		break;
	default:
		walk->world->has_ui = walk_chance(walk, 50);
		break;
	}
	bh_deliver_look(walk->world->deliver, &agent->id);
}

static void on_rung(void *user, const struct bh_err *err, const struct bh_outcome *outcome)
{
	struct call *call = user;

	(void)outcome;
	call->is_answered = true;
	if (err->code != 0) { // the account is not a new one
		call->walk->notices[call->agent].pastes += call->pastes;
		call->walk->notices[call->agent].crashes += call->crashes;
	}
}

void walk_ring(struct walk *walk, unsigned n)
{
	struct call *call = walk_call(walk, (int)n);

	if (bh_deliver_ring(walk->world->deliver, walk_names[n], on_rung, call, NULL) != 0) {
		call->is_answered = true;
		return;
	}
	call->pastes = walk->notices[n].pastes;
	call->crashes = walk->notices[n].crashes;
	walk->notices[n].pastes = 0;
	walk->notices[n].crashes = 0;
	walk->notices[n].is_asked = true;
	walk->notices[n].before =
		bh_store_attempt(walk->world->store, walk->world->agents[n].text) != NULL ||
		bh_store_pending(walk->world->store) > 1;
}

static void step_ring(struct walk *walk)
{
	walk_ring(walk, walk_pick(walk, WORLD_TERMINALS));
}

/** Time passes. 12: where nobody waits for output to be read delivery looks every now and then, no more. */
static void time_pass(struct walk *walk, uint64_t ms)
{
	struct world *world = walk->world;
	unsigned ticks = world->ticks;
	unsigned quirks = 0;

	for (unsigned n = 0; n < WORLD_TERMINALS; n++) {
		quirks |= world->agents[n].quirks;
	}
	world_pass(world, ms);
	if ((quirks & (QUIRK_NEVER_RESTS | QUIRK_NEVER_READ)) == 0 &&
	    world->ticks - ticks > TICKS_MAX + ms / TICK_MS) {
		walk_tell(walk);
		fail_msg("%u ticks in %llu ms", world->ticks - ticks, (unsigned long long)ms);
	}
}

static void step_pass(struct walk *walk)
{
	static const uint64_t times_ms[] = {0, 10, 50, 160, 200, 1000, 3100, 5200, 9000, 61000};

	time_pass(walk, times_ms[walk_pick(walk, sizeof(times_ms) / sizeof(times_ms[0]))]);
	if (walk_chance(walk, 2)) {
		time_pass(walk, 301000);
	}
}

static void step_crash(struct walk *walk)
{
	if (!walk_chance(walk, walk->crashy)) {
		return;
	}
	walk->crashes++;
	world_crash(walk->world);
	walk->claim_count = 0;
	for (int n = 0; n < WORLD_TERMINALS; n++) {
		const struct bh_terminal_record *record =
			bh_store_terminal(walk->world->store, walk->world->agents[n].text);

		if (record != NULL && record->notice.id != 0) {
			notice_begin(walk, n, record->notice.id); // it may have been paid already
		}
		walk->notices[n].crashes++;
	}
	for (size_t n = 0; n < sizeof(walk->plugs) / sizeof(walk->plugs[0]); n++) {
		walk->plugs[n].channel = NULL;
	}
	for (size_t i = 0; i < walk->call_count; i++) {
		assert_true(walk->calls[i].is_answered); // 9
	}
}

void walk_step(struct walk *walk)
{
	static void (*const kinds[])(struct walk *) = {
		step_send,    step_send,    step_send,     step_read,    step_wait,
		step_confirm, step_confirm, step_release,  step_ack,     step_wait_cancel,
		step_state,   step_state,   step_state,    step_state,   step_state,
		step_quirk,   step_quirk,   step_person,   step_queue,   step_exit,
		step_ring,    walk_wish,    step_settings, walk_channel, walk_channel,
		walk_robot,   walk_steer,   walk_room,     walk_disk,    walk_sleep,
		step_crash,   step_pass,    step_pass,     step_pass,    step_pass,
		step_pass,    step_pass,    step_pass,     step_pass,    step_pass,
	};
	unsigned kind = walk_pick(walk, sizeof(kinds) / sizeof(kinds[0]));

	if (getenv("BELLHOP_WALK_TRACE") != NULL) {
		bh_log_open_fd(1, BH_LOG_DEBUG);
		print_message("# step %u: kind %u at %llu\n", walk->step, kind,
		              (unsigned long long)walk->world->now_ms);
	}
	kinds[kind](walk);
}
