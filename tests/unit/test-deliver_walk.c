// Random walks over delivery as a whole: the real store, decisions, typist, budget and executor, with
// made-up agents that misbehave, people who type, readers that die, and a server that is killed.
// Checked at every step are the invariants that doc/CONTRACT.md lists in section 11; the number behind a
// check names the one that it is for.
//
// BELLHOP_WALKS: how many walks, of BELLHOP_WALK_STEPS steps each. BELLHOP_WALK_SEED: the seed of the
// first, which is printed, to walk one again.
#include "src/mail/store_guard.h"
#include "tests/unit/deliver-walk.h"
#include "tests/unit/mail-driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/server/deliver_channel.h"

// ---- after each step ----

static void agent_check(struct walk *walk, int n)
{
	struct world *world = walk->world;
	struct agent *agent = &world->agents[n];
	const struct bh_terminal_record *record;

	for (size_t i = 0; i < agent->turn_count; i++) {
		free(agent->turns[i]);
	}
	agent->turn_count = 0;
	if (!agent->is_alive) {
		return;
	}
	// 7: people do not wait for long.
	assert_true(!agent->is_held || world->now_ms - agent->held_since_ms <= HELD_MS);
	record = bh_store_terminal(world->store, agent->text);
	assert_non_null(record);
	// 5: a refusal costs nothing. Only a crash between commit and paste does.
	if (walk->notices[n].id == record->notice.id && record->notice.state != BH_NOTICE_CLOSED &&
	    bh_store_pending(world->store) == 0) {
		unsigned paid =
			walk->notices[n].pastes + walk->notices[n].crashes +
			(agent->is_held || bh_store_attempt(world->store, agent->text) != NULL);

		if (record->notice.rings > paid) {
			walk_tell(walk);
			fail_msg("%s: n%llu cost %u rings for %u pastes", agent->name,
			         (unsigned long long)record->notice.id, record->notice.rings,
			         walk->notices[n].pastes);
		}
	}
}

static void walk_check(struct walk *walk)
{
	struct driver driver = {.store = walk->world->store};

	driver_check(&driver); // 1
	for (int n = 0; n < WORLD_TERMINALS; n++) {
		agent_check(walk, n);
	}
}

// ---- the end: everything open, everybody well ----

/** An agent that does as it is told: its turn ends, and in it it has read its mail. */
static void agent_behave(struct walk *walk, struct agent *agent)
{
	bool was_told = agent->turn_count > 0 &&
	                strncmp(agent->turns[agent->turn_count - 1], "Mail n", 6) == 0;

	if (agent->found == BH_PROOF_QUEUED) {
		agent->found = BH_PROOF_SUBMITTED;
	}
	if (was_told) {
		walk_read(walk, agent, 0);
	}
	for (size_t i = 0; i < walk->claim_count && i < CLAIMS; i++) {
		(void)bh_deliver_confirm(walk->world->deliver, walk->claims[i], NULL, NULL, NULL);
	}
	agent_be(agent, BH_STATE_COMPLETED);
}

static void agent_heal(struct walk *walk, unsigned n)
{
	struct world *world = walk->world;
	struct agent *agent = &world->agents[n];

	if (!agent->is_alive) {
		(void)world_run(world, (int)n, walk_names[n]);
	}
	if (agent->unread != NULL && agent->composer == NULL) {
		agent_continue(agent);
	}
	agent->quirks = QUIRK_NONE;
	agent->can_type = true;
	agent->has_paste_mode = true;
	agent->mode = agent->mode == BH_MODE_OFF ? BH_MODE_MESSAGE : agent->mode;
	if (!agent->is_held) {
		free(agent->composer);
		agent->composer = NULL;
	}
	if (walk->plugs[n].channel != NULL) {
		bh_deliver_channel_close(world->deliver, walk->plugs[n].channel);
		walk->plugs[n].channel = NULL;
	}
	(void)bh_store_set_dnd(world->store, &(struct bh_set_dnd){.name = walk_names[n]}, NULL,
	                       NULL, NULL);
	for (unsigned i = 0; i < WORLD_TERMINALS; i++) {
		(void)bh_store_set_block(
			world->store,
			&(struct bh_set_block){.name = walk_names[n], .sender = walk_names[i]},
			NULL, NULL, NULL);
	}
	agent_be(agent, BH_STATE_IDLE);
	bh_deliver_person(world->deliver, &agent->id);
	walk_ring(walk, n);
	world_settle(world);
}

/** Mail that wakes, and is not seen. What is quiet goes with it, or waits until its reader looks. */
static uint64_t mailbox_count(const struct bh_mailbox *mailbox)
{
	uint64_t count = 0;

	for (const struct bh_item *item = bh_mailbox_first(mailbox); item != NULL;
	     item = bh_mailbox_next(item)) {
		count += !item->is_quiet && item->task_status != BH_TASK_UPDATE;
	}
	return count;
}

/** 10: with every gate open and every agent well all mail is seen, without anybody's help. */
static void walk_ends(struct walk *walk)
{
	struct world *world = walk->world;
	uint64_t unread = 1;

	for (size_t i = 0; i < walk->claim_count && i < CLAIMS; i++) {
		(void)bh_store_release(world->store,
		                       &(struct bh_release){.claim_id = walk->claims[i]}, NULL,
		                       NULL, NULL);
	}
	world_pass(world, 10000); // what is being typed comes to its end
	for (unsigned n = 0; n < WORLD_TERMINALS; n++) {
		agent_heal(walk, n);
	}
	for (unsigned minute = 0; minute < 60 && unread > 0; minute++) {
		unread = 0;
		for (int n = 0; n < WORLD_TERMINALS; n++) {
			const struct bh_mailbox *mailbox =
				bh_store_mailbox(world->store, walk_names[n]);

			agent_behave(walk, &world->agents[n]);
			unread += mailbox_count(mailbox);
		}
		walk_check(walk);
		world_pass(world, 10000);
	}
	if (unread > 0) {
		walk_tell(walk);
		fail_msg("%llu messages are stuck", (unsigned long long)unread);
	}
}

/** 11: every message whose send was answered is seen, or stands unread in its mailbox. */
static void nothing_is_lost(struct walk *walk)
{
	struct driver driver = {.store = walk->world->store, .loop = walk->world->loop};
	struct bh_store *store = walk->world->store;
	unsigned seen = 0;
	unsigned unread = 0;

	(void)driver;
	for (uint64_t seq = 1; seq <= walk->last_seq; seq++) {
		const char *to = walk->letters[seq].to;
		char *receipt;

		if (to[0] == '\0') {
			continue; // of bellhop itself
		}
		if (bh_store_item(store, to, seq) != NULL) {
			unread++;
			continue;
		}
		receipt = world_receipt(walk->world, seq);
		assert_true(strstr(receipt, "seen(") != NULL ||
		            strstr(receipt, "superseded(") != NULL);
		free(receipt);
		seen++;
	}
	print_message("# seed %u: %u seen, %u unread, %u typed, %u rung, %u read, %u pushed, "
	              "%u steered, %u crashes, %u full disks\n",
	              walk->seed, seen, unread, walk->typed, walk->rung, walk->read, walk->pushed,
	              walk->steered, walk->crashes, walk->full);
}

/** The caller frees it, after the world: waits that are open then are answered. */
static struct walk *walk_one(void **state, unsigned seed, unsigned steps)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	struct world *world = *state;

	*walk = (struct walk){.world = world, .seed = seed, .random = seed};
	walk->quirky = walk_pick(walk, 3) * 40;
	walk->chatty = walk_pick(walk, 3) * 45;
	walk->crashy = walk_pick(walk, 3) * 20;
	print_message("# seed %u\n", seed);
	world->watch = walk_on_paste;
	world->at_circle = walk_on_circle;
	world->watcher = walk;
	for (unsigned n = 0; n < WORLD_TERMINALS; n++) {
		(void)world_run(world, (int)n, walk_names[n]);
	}
	for (walk->step = 0; walk->step < steps; walk->step++) {
		walk_step(walk);
		if (walk_chance(walk, 70)) {
			world_settle(world); // else the next comes in between
		}
		walk_check(walk);
	}
	walk_ends(walk);
	nothing_is_lost(walk);
	world_pass(world, ANSWER_MS);
	return walk;
}

static unsigned number_of(const char *name, unsigned otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static void any_order_keeps_the_promises(void **state)
{
	unsigned walks = number_of("BELLHOP_WALKS", 4);
	unsigned steps = number_of("BELLHOP_WALK_STEPS", 2500);
	unsigned seed = number_of("BELLHOP_WALK_SEED", (unsigned)time(NULL));

	for (unsigned i = 0; i < walks; i++) {
		struct walk *walk;

		assert_int_equal(world_setup(state), 0);
		walk = walk_one(state, seed + i, steps);
		assert_int_equal(world_teardown(state), 0);
		free(walk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_keeps_the_promises),
	};

	if (!walk_install_disk()) {
		return 99;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
