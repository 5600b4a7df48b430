// A random walk over everything that can happen to mail, with restarts in between: whatever the
// order, each message has one owner, nothing is lost, nothing seen comes back by itself, and the
// memory of the store is what a new reading of the disk gives.
#include "tests/unit/mail-driver.h"

#include "src/base/mem.h"
#include "src/mail/store_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	STEPS = 6000,
	AGENTS = 6,
	CLAIMS = 12
};

struct walk {
	struct driver *driver;
	unsigned sent;
	/** Claims that the walk remembers, dead ones among them. */
	uint64_t claims[CLAIMS];
};

static unsigned pick(unsigned count)
{
	return (unsigned)rand() % count;
}

static const char *name_of(unsigned n)
{
	static const char *const names[AGENTS] = {"ada", "bob", "cyd", "dan", "eve", "operator"};

	return names[n % AGENTS];
}

static void step_bind(struct walk *walk)
{
	unsigned n = pick(AGENTS - 1);

	(void)driver_bind(walk->driver, n + 1, name_of(n));
}

static void step_put(struct walk *walk)
{
	(void)driver_put(walk->driver, ++walk->sent, name_of(pick(AGENTS)), name_of(pick(AGENTS)),
	                 "body\nof two lines");
	assert_int_equal(walk->driver->outcome.code, 0);
	assert_int_equal(walk->driver->outcome.seq, walk->sent);
}

static void step_room(struct walk *walk)
{
	const char *name = name_of(pick(AGENTS));
	struct bh_membership membership = {
		.room = "#dev", .as = name, .names = &name, .name_count = 1};
	struct driver *driver = walk->driver;
	bool joins = pick(3) > 0;

	(void)driver_wait(
		driver,
		joins ? bh_store_join(driver->store, &membership, driver_done, driver, NULL)
		      : bh_store_leave(driver->store, &membership, driver_done, driver, NULL));
	assert_true(driver->outcome.code == 0 || (joins && driver->outcome.code == BH_ENOTFOUND));
}

// To the room: as an agent that may not be in it, or a person.
static void step_post(struct walk *walk)
{
	const char *from = name_of(pick(AGENTS));
	char id[24];
	struct bh_put put = {.message_id = id,
	                     .to = "#dev",
	                     .from = from,
	                     .sender = strcmp(from, "operator") == 0 ? BH_SENDER_OPERATOR
	                                                             : BH_SENDER_AGENT,
	                     .body = bh_span_of("to all")};
	const struct outcome *outcome;

	(void)snprintf(id, sizeof(id), "id-%u", walk->sent + 1);
	outcome = driver_wait(walk->driver, bh_store_put(walk->driver->store, &put, driver_done,
	                                                 walk->driver, NULL));
	if (outcome->code == BH_ENOTMEMBER) {
		return;
	}
	assert_int_equal(outcome->code, 0);
	assert_int_equal(outcome->seq, ++walk->sent);
	for (size_t i = 1; i < outcome->message_count; i++) {
		assert_string_not_equal(outcome->messages[i].mailbox, from);
	}
}

// About a task between two agents; an update mostly.
static void step_task(struct walk *walk)
{
	static const enum bh_task_status statuses[] = {BH_TASK_UPDATE, BH_TASK_UPDATE,
	                                               BH_TASK_WORKING, BH_TASK_NONE};
	unsigned n = pick(3);
	char id[24];
	char task_id[24];
	struct bh_put put = {.message_id = id,
	                     .to = name_of(n + pick(2)),
	                     .from = name_of(n),
	                     .sender = BH_SENDER_AGENT,
	                     .body = bh_span_of("step"),
	                     .task_id = task_id,
	                     .task_status = statuses[pick(4)]};
	const struct outcome *outcome;

	(void)snprintf(id, sizeof(id), "id-%u", walk->sent + 1);
	(void)snprintf(task_id, sizeof(task_id), "t%u", n);
	outcome = driver_wait(walk->driver, bh_store_put(walk->driver->store, &put, driver_done,
	                                                 walk->driver, NULL));
	if (outcome->code == 0) {
		assert_int_equal(outcome->seq, ++walk->sent);
	}
}

static void step_replay(struct walk *walk)
{
	if (walk->sent == 0) {
		return;
	}
	(void)driver_put(walk->driver, 1 + pick(walk->sent), "stranger", name_of(0), "body");
	assert_int_equal(walk->driver->outcome.code, BH_EEXISTS);
}

static void step_take(struct walk *walk)
{
	enum bh_claim_kind kind = (enum bh_claim_kind)pick(5);
	const struct outcome *outcome =
		driver_take(walk->driver, kind, 1 + pick(AGENTS - 1), NULL, pick(4));

	if (outcome->claim_id != 0) {
		walk->claims[pick(CLAIMS)] = outcome->claim_id;
	}
	for (size_t i = 1; i < outcome->message_count; i++) {
		assert_true(outcome->messages[i].seq > outcome->messages[i - 1].seq);
	}
	for (size_t i = 0; i < outcome->message_count; i++) {
		assert_int_equal(outcome->messages[i].ownership, BH_OWNER_CLAIM);
		assert_true(kind != BH_CLAIM_TYPING ||
		            outcome->messages[i].typings < BH_ITEM_TYPINGS_MAX);
	}
}

static void step_confirm(struct walk *walk)
{
	(void)driver_wait(walk->driver,
	                  bh_store_confirm(walk->driver->store, walk->claims[pick(CLAIMS)],
	                                   driver_done, walk->driver, NULL));
}

static void step_release(struct walk *walk)
{
	(void)driver_wait(
		walk->driver,
		bh_store_release(walk->driver->store,
	                         &(struct bh_release){.claim_id = walk->claims[pick(CLAIMS)],
	                                              .was_shown = pick(2) == 0,
	                                              .why = "walk"},
	                         driver_done, walk->driver, NULL));
}

static void step_advance(struct walk *walk)
{
	uint64_t claim_id = walk->claims[pick(CLAIMS)];
	const struct bh_claim *claim = bh_store_claim(walk->driver->store, claim_id);
	enum bh_phase to = (enum bh_phase)pick(BH_PHASE_COUNT);
	const struct outcome *outcome;
	bool may;

	// Mostly a step that may be taken, so that attempts come far.
	for (int i = 0; i < 5 && claim != NULL && !bh_phase_may_follow(claim->phase, to); i++) {
		to = (enum bh_phase)pick(BH_PHASE_COUNT);
	}
	may = claim != NULL && bh_claim_is_attempt(claim) && bh_phase_may_follow(claim->phase, to);
	outcome = driver_wait(
		walk->driver,
		bh_store_advance(
			walk->driver->store,
			&(struct bh_advance){.claim_id = claim_id, .phase = to, .detail = "walk"},
			driver_done, walk->driver, NULL));
	assert_int_equal(outcome->code == 0, may);
}

static void step_ack(struct walk *walk)
{
	const char *names[2] = {name_of(pick(AGENTS)), name_of(pick(AGENTS))};
	char ref[24];

	(void)snprintf(ref, sizeof(ref), "m%u", 1 + pick(walk->sent + 1));
	(void)driver_wait(walk->driver, bh_store_ack(walk->driver->store,
	                                             &(struct bh_ack){.names = names,
	                                                              .name_count = 2,
	                                                              .ref = ref,
	                                                              .how = BH_SEEN_ACK},
	                                             driver_done, walk->driver, NULL));
}

static void step_note(struct walk *walk)
{
	(void)driver_wait(
		walk->driver,
		bh_store_note(walk->driver->store,
	                      &(struct bh_note){.mailbox = name_of(pick(AGENTS)),
	                                        .seq = 0,
	                                        .step = BH_RECEIPT_QUEUED,
	                                        .cause = pick(2) == 0 ? "working" : "draft"},
	                      driver_done, walk->driver, NULL));
}

static void step_park(struct walk *walk)
{
	const char *uuid = uuid_of(1 + pick(AGENTS - 1));
	struct driver *driver = walk->driver;

	(void)driver_wait(
		driver, pick(2) == 0
				? bh_store_park(driver->store, uuid, driver_done, driver, NULL)
				: bh_store_unpark(driver->store, uuid, driver_done, driver, NULL));
}

static void step_retire(struct walk *walk)
{
	(void)driver_wait(
		walk->driver,
		bh_store_retire(walk->driver->store,
	                        &(struct bh_retire){.terminal = uuid_of(1 + pick(AGENTS - 1)),
	                                            .exit_status = 0,
	                                            .waits_respawn = pick(2) == 0},
	                        driver_done, walk->driver, NULL));
}

static void step_announce(struct walk *walk)
{
	(void)driver_wait(
		walk->driver,
		bh_store_announce(walk->driver->store,
	                          &(struct bh_announce){.terminal = uuid_of(1 + pick(AGENTS - 1)),
	                                                .name = name_of(pick(AGENTS - 1)),
	                                                .by_operator = pick(2) == 0},
	                          driver_done, walk->driver, NULL));
}

// All of the mirror in words.
static char *mirror_text(struct driver *driver, bool with_readers)
{
	const struct bh_mailbox *mailbox = NULL;
	struct bh_buf text = {0};

	while ((mailbox = bh_store_next_mailbox(driver->store, mailbox)) != NULL) {
		const struct bh_item *item = bh_mailbox_first(mailbox);

		bh_buf_printf(&text, "%s terminal=%s known=%d:", mailbox->name, mailbox->terminal,
		              mailbox->is_known);
		for (; item != NULL; item = bh_mailbox_next(item)) {
			bool is_held = item->claim != NULL &&
			               (with_readers || bh_claim_is_attempt(item->claim));

			bh_buf_printf(&text, " %llu%s/%u", (unsigned long long)item->seq,
			              is_held ? "c" : "u", item->typings);
		}
		bh_buf_puts(&text, "\n");
	}
	for (unsigned n = 1; n < AGENTS; n++) {
		const struct bh_terminal_record *terminal =
			bh_store_terminal(driver->store, uuid_of(n));
		const struct bh_mailbox *name = NULL;

		if (terminal == NULL) {
			continue;
		}
		bh_buf_printf(&text, "%s status %d, n%llu notice %d %u:", terminal->uuid,
		              (int)terminal->status, (unsigned long long)terminal->notice.id,
		              (int)terminal->notice.state, terminal->notice.rings);
		while ((name = bh_store_next_name(terminal, name)) != NULL) {
			bh_buf_printf(&text, " %s", name->name);
		}
		bh_buf_puts(&text, "\n");
	}
	return bh_buf_detach(&text);
}

// Finish attempts that wrote nothing, as a restart would, so that both texts may be compared.
static void withdraw_claimed(struct driver *driver)
{
	const struct bh_claim *claim = bh_store_next_claim(driver->store, NULL);

	while (claim != NULL) {
		uint64_t claim_id = claim->id;
		bool is_claimed = bh_claim_is_attempt(claim) && claim->phase == BH_PHASE_CLAIMED;

		if (is_claimed) {
			driver_advance(driver, claim_id, BH_PHASE_WITHDRAWN, 0);
			claim = bh_store_next_claim(driver->store, NULL);
		} else {
			claim = bh_store_next_claim(driver->store, claim);
		}
	}
}

static void step_restart(struct walk *walk)
{
	struct driver *driver = walk->driver;
	char *before, *after;

	if (pick(8) != 0) {
		return;
	}
	withdraw_claimed(driver);
	before = mirror_text(driver, false);
	driver_reopen(driver);
	after = mirror_text(driver, true);
	if (strcmp(before, after) != 0) { // too long for the message of an assertion
		print_error("before:\n%s", before);
		print_error("after:\n%s", after);
		fail();
	}
	free(before);
	free(after);
}

// In the end every message is seen or can be read.
static void nothing_is_lost(struct walk *walk)
{
	struct driver *driver = walk->driver;
	unsigned live = 0;
	unsigned seen = 0;
	unsigned deliveries = 0;

	for (unsigned i = 0; i < AGENTS; i++) {
		const struct bh_mailbox *mailbox = bh_store_mailbox(driver->store, name_of(i));

		live += mailbox == NULL ? 0 : (unsigned)(mailbox->unread + mailbox->claimed);
	}
	for (unsigned seq = 1; seq <= walk->sent; seq++) {
		const struct outcome *outcome = &driver->outcome;

		(void)driver_receipts(driver, seq);
		assert_true(outcome->message_count > 0);
		for (size_t i = 0; i < outcome->message_count; i++) {
			bool is_room = bh_identity_is_room(outcome->messages[i].mailbox);

			assert_true(!is_room || i == 0);
			deliveries += !is_room;
			seen += !is_room && outcome->messages[i].ownership == BH_OWNER_SEEN;
		}
	}
	assert_int_equal(live + seen, deliveries);
}

static void any_order_keeps_the_rules(void **state)
{
	static void (*const steps[])(struct walk *) = {
		step_bind,    step_put,     step_put,     step_put,      step_replay,  step_take,
		step_take,    step_take,    step_take,    step_take,     step_confirm, step_release,
		step_advance, step_advance, step_advance, step_advance,  step_advance, step_ack,
		step_note,    step_park,    step_retire,  step_announce, step_restart, step_room,
		step_post,    step_post,    step_task,    step_task,
	};
	struct walk walk = {.driver = *state};
	unsigned seed = (unsigned)time(NULL);

	print_message("seed %u\n", seed);
	srand(seed);
	for (unsigned i = 0; i < STEPS; i++) {
		steps[pick(sizeof(steps) / sizeof(steps[0]))](&walk);
		driver_check(walk.driver);
	}
	nothing_is_lost(&walk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(any_order_keeps_the_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
