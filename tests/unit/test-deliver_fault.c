// Something happens between two steps of a typing: every point x every fault x every way in which an
// agent misbehaves, with one fault, and many pairs of faults. The made-up terminals assert that nothing is
// written where it must not be; here is what must hold in the end.
#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAIRS 400
#define ROUNDS 60
#define BODY "the text."

#define FAULTS(X) \
	X(NONE, "nothing") \
	X(DIE, "it dies") \
	X(DIALOG, "a dialog opens") \
	X(KEY, "a key") \
	X(RESIZE, "a resize") \
	X(TURN, "a turn begins") \
	X(CRASH, "the server dies")
#define FAULT_ENUM(name, word) FAULT_##name,
#define FAULT_WORD(name, word) [FAULT_##name] = (word),
#define POINT_WORD(name, word, meaning) [BH_POINT_##name] = (word),

enum fault {
	FAULTS(FAULT_ENUM) FAULT_COUNT
};
static const char *const fault_words[] = {FAULTS(FAULT_WORD)};
static const char *const point_words[] = {BH_DELIVER_POINTS(POINT_WORD)};

static const struct {
	unsigned quirk;
	const char *word;
} misbehaviours[] = {
	{QUIRK_NONE, "none"},
	{QUIRK_NO_ECHO, "no echo"},
	{QUIRK_CR_SWALLOWED, "Enter swallowed"},
	{QUIRK_CR_EATS_TEXT, "Enter eats the text"},
	{QUIRK_NO_RECORD, "no record"},
	{QUIRK_QUEUES, "queues"},
	{QUIRK_WRITE_FAILS, "write fails"},
	{QUIRK_NEVER_RESTS, "never rests"},
};
#define MISBEHAVIOURS (sizeof(misbehaviours) / sizeof(misbehaviours[0]))

/** What is to happen, in order; the second one not before the first. */
struct plan {
	struct {
		enum bh_deliver_point point;
		enum fault fault;
	} steps[2];
	size_t next;
	size_t misbehaviour;
	/** Its profile lets people's keys wait for the program to take the Enter. */
	bool has_linger;
	/** What was answered when the server died. */
	struct sent *sent;
	struct sent told;
	bool has_died;
	bool was_killed;
	char points[400];
};

static const char *const database_files[] = {"mail.db", "mail.db-wal"};

/** Copy @from to @to; nothing if there is no such file. */
static void file_copy(const char *from, const char *to)
{
	FILE *in = fopen(from, "re");
	FILE *out = in != NULL ? fopen(to, "we") : NULL;
	char bytes[8192];
	size_t len;

	while (out != NULL && (len = fread(bytes, 1, sizeof(bytes), in)) > 0) {
		assert_int_equal(fwrite(bytes, 1, len, out), len);
	}
	if (out != NULL) {
		assert_int_equal(fclose(out), 0);
	}
	if (in != NULL) {
		(void)fclose(in);
	}
}

/** Put the disk back as it was when the server died. */
static void world_image_restore(struct world *world)
{
	char path[100];

	(void)snprintf(path, sizeof(path), "%s/mail.db-shm", world->folder);
	(void)unlink(path);
	for (size_t i = 0; i < sizeof(database_files) / sizeof(database_files[0]); i++) {
		char dead[110];

		(void)snprintf(path, sizeof(path), "%s/%s", world->folder, database_files[i]);
		(void)snprintf(dead, sizeof(dead), "%s.dead", path);
		(void)unlink(path);
		(void)rename(dead, path); // there may have been no log
	}
	world->at_restart = NULL;
}

/** The server dies now, in the middle of what it does: only what is on disk at this moment counts.
 * world_crash() starts the next one. */
static void world_die(struct world *world)
{
	world->is_dead = true;
	world->at_restart = world_image_restore;
	world->wake_at_ms = 0;
	// Whatever the writer is just doing: a commit is in the log, or it is not.
	for (size_t i = 0; i < sizeof(database_files) / sizeof(database_files[0]); i++) {
		char from[100];
		char to[110];

		(void)snprintf(from, sizeof(from), "%s/%s", world->folder, database_files[i]);
		(void)snprintf(to, sizeof(to), "%s.dead", from);
		file_copy(from, to);
	}
}

static void dialog_open(struct agent *agent)
{
	agent->verdict.state = BH_STATE_AWAITING;
	agent->verdict.has_dialog = true;
	agent->verdict.composer = BH_COMPOSER_NONE;
}

static void at_point(struct world *world, struct agent *agent, enum bh_deliver_point point)
{
	struct plan *plan = world->plan;
	enum fault fault = plan->steps[plan->next % 2].fault;

	(void)snprintf(plan->points + strlen(plan->points),
	               sizeof(plan->points) - strlen(plan->points), " %s", point_words[point]);
	if (plan->next >= 2 || fault == FAULT_NONE || plan->steps[plan->next].point != point ||
	    !agent->is_alive) {
		return;
	}
	plan->next++;
	switch (fault) {
	case FAULT_DIE:
		agent->is_alive = false; // the server hears of it later, see put_right()
		plan->has_died = true;
		break;
	case FAULT_DIALOG:
		dialog_open(agent);
		break;
	case FAULT_KEY:
		agent_keys(agent, "~");
		break;
	case FAULT_RESIZE:
		agent->disturbed_ms = world->now_ms;
		break;
	case FAULT_TURN:
		if (!agent->verdict.has_dialog) {
			agent->verdict.state = BH_STATE_WORKING;
		}
		break;
	case FAULT_CRASH:
		plan->told = *plan->sent;
		plan->was_killed = true;
		world_die(world);
		break;
	case FAULT_NONE:
	case FAULT_COUNT:
		break;
	}
}

/** A person takes the key away that was typed. */
static void key_clear(struct agent *agent)
{
	size_t len = agent->composer != NULL ? strlen(agent->composer) : 0;

	if (len == 0 || agent->composer[len - 1] != '~') {
		return;
	}
	agent->disturbed_ms = agent->world->now_ms;
	agent->composer[len - 1] = '\0';
	if (len == 1) {
		free(agent->composer);
		agent->composer = NULL;
	}
}

/** The agent goes on; after some rounds a person, or nature, puts right what is wrong. */
static void put_right(struct world *world, struct agent *agent, int round)
{
	if (world->is_dead) {
		world_crash(world);
	}
	if (!agent->is_alive) {
		return;
	}
	if (agent->verdict.has_dialog && round % 10 == 9) {
		agent_be(agent, BH_STATE_IDLE);
	} else if (agent->verdict.state == BH_STATE_WORKING && round % 3 == 2) {
		agent_be(agent, BH_STATE_COMPLETED);
	}
	if (agent->found == BH_PROOF_QUEUED && !agent->verdict.has_dialog && round % 3 == 2) {
		agent->found = BH_PROOF_SUBMITTED; // its queue's turn came
	}
	if (round == 15) {
		key_clear(agent);
	}
	if (round == 20) {
		agent->quirks = QUIRK_NONE;
	}
	bh_deliver_look(world->deliver, &agent->id);
}

/** An agent that died: the server hears of it, and another takes the name. */
static struct agent *succeed(struct world *world, struct agent *agent)
{
	agent_exit(agent);
	agent = world_run(world, 1, "reviewer");
	return agent;
}

/** The turns that hold @what. */
static size_t turns_of(const struct agent *agent, const char *what)
{
	size_t count = 0;

	for (size_t i = 0; i < agent->turn_count; i++) {
		size_t len = strlen(agent->turns[i]);

		count += strstr(agent->turns[i], what) != NULL;
		assert_int_not_equal(agent->turns[i][len - 1], '~'); // a person's key
	}
	return count;
}

static void plan_print(const struct plan *plan)
{
	print_message(
		"# agent: %s%s; at %s %s; at %s %s;%s\n", misbehaviours[plan->misbehaviour].word,
		plan->has_linger ? ", keys wait for its Enter" : "",
		point_words[plan->steps[0].point], fault_words[plan->steps[0].fault],
		point_words[plan->steps[1].point], fault_words[plan->steps[1].fault], plan->points);
}

#define HOLDS(what) \
	do { \
		if (!(what)) { \
			plan_print(plan); \
			fail_msg("%s", #what); \
		} \
	} while (0)

/** What must be true however it went. */
static void check(struct world *world, struct agent *agent, const struct plan *plan,
                  const struct sent *sent)
{
	const struct bh_mailbox *box = bh_store_mailbox(world->store, "reviewer");
	const struct sent *told = plan->was_killed ? &plan->told : sent;
	size_t turns[2] = {turns_of(&world->agents[0], BODY), turns_of(&world->agents[1], BODY)};
	// A turn that nothing tells of looks like a text that vanished: one more attempt, ever.
	size_t most = misbehaviours[plan->misbehaviour].quirk == QUIRK_NO_RECORD ? 2 : 1;
	size_t total = box->unread + box->claimed;
	struct got got;

	HOLDS(turns[0] <= most && turns[1] <= most);
	HOLDS(turns_of(&world->agents[0], "Mail n") <= 2 &&
	      turns_of(&world->agents[1], "Mail n") <= 2);
	HOLDS(plan->has_died || turns[1] == 0);
	HOLDS(!agent->is_held && agent->held_keys == NULL);
	HOLDS(total <= 1);
	HOLDS(told->count <= 1);
	HOLDS(plan->was_killed || told->count == 1);
	HOLDS(told->count == 0 || !told->is_seen || turns[0] + turns[1] >= 1);
	HOLDS(told->count == 0 || told->is_seen == (told->fate == BH_FATE_TYPED));
	HOLDS(total == 1 || turns[0] + turns[1] >= 1 || agent->found == BH_PROOF_SUBMITTED);
	// What is not seen is in the inbox.
	if (total == 1) {
		agent_read(agent, 0, &got);
		HOLDS(got.messages == 1 && strcmp(got.first, BODY) == 0);
	}
}

/** Returns whether the first fault came to its turn. */
static bool plan_run(struct plan *plan)
{
	struct world *world = NULL;
	struct agent *agent;
	struct sent sent;
	bool was_reached;

	assert_int_equal(world_setup((void **)&world), 0);
	agent = world_run(world, 0, "reviewer");
	agent->quirks = misbehaviours[plan->misbehaviour].quirk;
	agent->typing.release_ms = plan->has_linger ? 1500 : 0;
	plan->sent = &sent;
	world->plan = plan;
	world->has_no_dates = true; // what holds in the end does not hang on them
	world->at_point = at_point;
	world_send(world, NULL, "reviewer", BODY, &sent);
	for (int round = 0; round < ROUNDS; round++) {
		world_pass(world, 1000);
		put_right(world, agent, round);
		if (!agent->is_alive && round % 5 == 4) {
			agent = succeed(world, agent);
		}
	}
	if (!agent->is_alive) {
		agent = succeed(world, agent);
		world_pass(world, 20000);
	}
	world->at_point = NULL;
	world_pass(world, 20000);
	check(world, agent, plan, &sent);
	was_reached = plan->next > 0;
	assert_int_equal(world_teardown((void **)&world), 0);
	return was_reached;
}

static void any_fault_at_any_point_is_borne(void **state)
{
	unsigned reached[BH_POINT_COUNT] = {0};

	(void)state;
	for (size_t m = 0; m < MISBEHAVIOURS; m++) {
		for (int p = 0; p < BH_POINT_COUNT; p++) {
			bool is_reached = true;

			for (int f = FAULT_DIE; f < FAULT_COUNT && is_reached; f++) {
				struct plan plan = {
					.misbehaviour = m,
					.has_linger = ((int)m + p + f) % 2 != 0,
					.steps = {{(enum bh_deliver_point)p, (enum fault)f}}};

				is_reached = plan_run(&plan);
				reached[p] += is_reached;
			}
		}
	}
	for (int p = 0; p < BH_POINT_COUNT; p++) {
		// Only two faults lead to clear keys.
		if (p != BH_POINT_CLEARED) {
			assert_in_range(reached[p], FAULT_COUNT - 1, 1000);
		}
	}
}

static unsigned below(uint32_t *seed, size_t limit)
{
	*seed = *seed * 1664525 + 1013904223;
	return (unsigned)((*seed >> 8) % limit);
}

static void pairs_of_faults_are_borne(void **state)
{
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < PAIRS; i++) {
		struct plan plan = {.misbehaviour = below(&seed, MISBEHAVIOURS),
		                    .has_linger = i % 2 != 0};

		for (int step = 0; step < 2; step++) {
			plan.steps[step].point = below(&seed, BH_POINT_COUNT);
			plan.steps[step].fault = 1 + below(&seed, FAULT_COUNT - 1);
		}
		(void)plan_run(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_fault_at_any_point_is_borne),
		cmocka_unit_test(pairs_of_faults_are_borne),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
