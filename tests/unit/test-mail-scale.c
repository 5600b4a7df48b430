// No request may walk the archive: however much mail there is, each statement finds its rows by an
// index. SQLite counts the rows that a statement walked without one.
#include "tests/unit/mail-driver.h"

#include "src/base/mem.h"
#include "src/mail/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	TERMINALS = 100,
	/** Numbers of messages that fill() does not make. */
	MESSAGES = 100000,
	CHANGES_MAX = 200,
	/** Rows that a statement may walk: open claims, of which there are few. */
	WALKED_MAX = 20
};

// How much there is in a store.
struct size {
	unsigned names;
	unsigned messages;
	unsigned updates;
};

static const struct size small_size = {.names = 110, .messages = 1100, .updates = 200};
static const struct size large_size = {.names = 2000, .messages = 6000, .updates = 2000};

// What each change cost since count was 0: instructions of SQLite's machine.
static struct {
	enum bh_change_kind kinds[CHANGES_MAX];
	int steps[CHANGES_MAX];
	unsigned count;
} costs;

static void costs_add(const struct bh_ledger *ledger, enum bh_change_kind kind)
{
	sqlite3_stmt *statement = NULL;
	int steps = 0;

	while ((statement = sqlite3_next_stmt(ledger->db.handle, statement)) != NULL) {
		steps += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
	}
	if (costs.count < CHANGES_MAX) {
		costs.kinds[costs.count] = kind;
		costs.steps[costs.count++] = steps;
	}
}

// Apply one change and free it; gives the claim of its answer.
static uint64_t apply(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_list batch;
	uint64_t claim_id;

	bh_list_init(&batch);
	bh_list_append(&batch, &change->link);
	bh_writer_commit(ledger, &batch);
	if (change->answer.err.code != 0) {
		fail_msg("change %d: %s", (int)change->kind, change->answer.err.text);
	}
	costs_add(ledger, change->kind);
	claim_id = change->answer.claim_id;
	bh_change_free(change);
	return claim_id;
}

static struct bh_change *put_new(unsigned id, const char *to)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_PUT, NULL, NULL);

	(void)snprintf(change->message.message_id, BH_MESSAGE_ID_SIZE, "id-%u", id);
	(void)snprintf(change->message.from, BH_IDENTITY_SIZE, "name-%u", id % 7);
	(void)snprintf(change->message.to, BH_IDENTITY_SIZE, "%s", to);
	change->message.body = bh_xstrdup("text");
	change->message.body_len = 4;
	return change;
}

static struct bh_change *bind_new(unsigned n)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_BIND, NULL, NULL);
	struct bh_terminal_record record = {0};

	(void)snprintf(record.uuid, sizeof(record.uuid), "%s", uuid_of(n));
	(void)snprintf(record.identity, sizeof(record.identity), "name-%u", n);
	bh_terminal_record_copy(&change->record, &record);
	return change;
}

static struct bh_change *terminal_new(enum bh_change_kind kind, unsigned n)
{
	struct bh_change *change = bh_change_new(kind, NULL, NULL);

	(void)snprintf(change->terminal, sizeof(change->terminal), "%s", uuid_of(n));
	change->text = bh_xstrdup("x");
	return change;
}

static struct bh_change *claim_new(enum bh_change_kind kind, uint64_t claim_id)
{
	struct bh_change *change = bh_change_new(kind, NULL, NULL);

	change->claim_id = claim_id;
	change->text = bh_xstrdup("x");
	return change;
}

static uint64_t take(struct bh_ledger *ledger, enum bh_claim_kind kind, unsigned n)
{
	struct bh_change *change = terminal_new(BH_CHANGE_TAKE, n);

	change->take_kind = kind;
	change->limit = 2;
	return apply(ledger, change);
}

static void advance(struct bh_ledger *ledger, uint64_t claim_id, enum bh_phase phase)
{
	struct bh_change *change = claim_new(BH_CHANGE_ADVANCE, claim_id);

	change->phase = phase;
	(void)apply(ledger, change);
}

// Why the mail of a mailbox waits.
static struct bh_change *waiting_new(const char *name)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_NOTE, NULL, NULL);

	(void)snprintf(change->name, sizeof(change->name), "%s", name);
	change->step = BH_RECEIPT_QUEUED;
	change->text = bh_xstrdup("starting");
	return change;
}

// Much mail, part of it seen, in many mailboxes.
static void fill(struct bh_ledger *ledger, const struct size *size)
{
	char name[32];

	for (unsigned n = 1; n <= TERMINALS; n++) {
		(void)apply(ledger, bind_new(n));
	}
	for (unsigned i = 0; i < size->messages; i++) {
		(void)snprintf(name, sizeof(name), "name-%u", i % 2 == 0 ? 1 : i % size->names);
		(void)apply(ledger, put_new(i, name));
		if (i % 2 == 0) { // it waits, like what stands before it
			(void)apply(ledger, waiting_new("name-1"));
		}
	}
	for (unsigned i = 0; i < 100; i++) { // some of it is seen
		(void)apply(ledger, claim_new(BH_CHANGE_CONFIRM, take(ledger, BH_CLAIM_INBOX, 1)));
	}
}

static void named(struct bh_ledger *ledger, enum bh_change_kind kind, uint64_t seq)
{
	struct bh_change *change = bh_change_new(kind, NULL, NULL);
	const char *name = "name-1";

	bh_change_set_names(change, &name, 1);
	(void)snprintf(change->name, sizeof(change->name), "%s",
	               kind == BH_CHANGE_HISTORY ? "name-3" : name);
	if (kind != BH_CHANGE_HISTORY) {
		(void)snprintf(change->ref, sizeof(change->ref), "m%llu", (unsigned long long)seq);
	}
	change->seq = seq;
	change->limit = 5;
	change->how = BH_SEEN_ACK;
	change->step = BH_RECEIPT_QUEUED;
	change->text = bh_xstrdup("working");
	(void)apply(ledger, change);
}

// A room and tasks. @kind with @names: who asks.
static void room_change(struct bh_ledger *ledger, enum bh_change_kind kind, const char *room,
                        const char *as, const char *task)
{
	struct bh_change *change = bh_change_new(kind, NULL, NULL);
	const char *name = as[0] != '\0' ? as : "name-1";

	bh_change_set_names(change, &name, 1);
	(void)snprintf(change->name, sizeof(change->name), "%s", room);
	(void)snprintf(change->ref, sizeof(change->ref), "%s", task);
	change->text = bh_xstrdup(as);
	change->limit = 5;
	(void)apply(ledger, change);
}

static void task_put(struct bh_ledger *ledger, unsigned id, unsigned task, const char *from,
                     const char *to, enum bh_task_status status)
{
	struct bh_change *change = put_new(id, to);

	(void)snprintf(change->message.from, sizeof(change->message.from), "%s", from);
	(void)snprintf(change->message.task_id, sizeof(change->message.task_id), "task-%u", task);
	change->message.task_status = status;
	(void)apply(ledger, change);
}

// Many tasks with updates, before anything is counted.
static void fill_tasks(struct bh_ledger *ledger, const struct size *size)
{
	unsigned tasks = size->updates / 20;

	for (unsigned n = 2; n < TERMINALS; n++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "name-%u", n);
		room_change(ledger, BH_CHANGE_JOIN, n % 2 == 0 ? "#even" : "#odd", name, "");
	}
	for (unsigned i = 0; i < size->updates; i++) {
		bool is_first = i < tasks;

		task_put(ledger, 10 * MESSAGES + i, i % tasks, is_first ? "name-3" : "name-5",
		         is_first ? "name-5" : "name-3", is_first ? BH_TASK_NONE : BH_TASK_UPDATE);
	}
}

static void use_rooms_and_tasks(struct bh_ledger *ledger)
{
	struct bh_change *change;

	room_change(ledger, BH_CHANGE_JOIN, "#even", "name-5", "");
	room_change(ledger, BH_CHANGE_ROOMS, "#even", "", "");
	room_change(ledger, BH_CHANGE_ROOMS, "", "", "");
	room_change(ledger, BH_CHANGE_HISTORY, "#even", "name-2", "");
	change = put_new(20 * MESSAGES, "#even");
	(void)snprintf(change->message.from, sizeof(change->message.from), "name-2");
	(void)apply(ledger, change);
	room_change(ledger, BH_CHANGE_LEAVE, "#even", "name-5", "");
	task_put(ledger, 30 * MESSAGES, 0, "name-5", "name-3", BH_TASK_UPDATE);
	task_put(ledger, 30 * MESSAGES + 1, 0, "name-5", "", BH_TASK_COMPLETED);
	task_put(ledger, 30 * MESSAGES + 1, 0, "name-5", "", BH_TASK_COMPLETED); // a replay
	room_change(ledger, BH_CHANGE_TASKS, "", "name-2", "");
	room_change(ledger, BH_CHANGE_HISTORY, "", "", "m1001"); // its thread
	change = bh_change_new(BH_CHANGE_HISTORY, NULL, NULL);   // receipts of what it sent
	bh_change_set_names(change, &(const char *){"name-2"}, 1);
	change->flag = true;
	change->limit = 5;
	(void)apply(ledger, change);
}

static void use_everything(struct bh_ledger *ledger)
{
	static const enum bh_phase path[] = {BH_PHASE_WRITING,   BH_PHASE_ECHOED,  BH_PHASE_CR_SENT,
	                                     BH_PHASE_UNCERTAIN, BH_PHASE_CR_SENT, BH_PHASE_PROVED};
	struct bh_change *change;
	uint64_t claim_id;

	for (int kind = BH_CLAIM_TYPING; kind <= BH_CLAIM_NOTICE; kind++) {
		claim_id = take(ledger, (enum bh_claim_kind)kind, 1);
		(void)apply(ledger, claim_new(BH_CHANGE_RESUME, claim_id));
		for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
			advance(ledger, claim_id, path[i]);
		}
	}
	(void)apply(ledger, claim_new(BH_CHANGE_RELEASE, take(ledger, BH_CLAIM_WAITER, 1)));
	(void)apply(ledger, put_new(MESSAGES, "name-2"));
	(void)apply(ledger, put_new(MESSAGES, "name-2")); // a replay
	named(ledger, BH_CHANGE_ACK, 1001);
	named(ledger, BH_CHANGE_NOTE, 1001);
	named(ledger, BH_CHANGE_NOTE, 0);
	named(ledger, BH_CHANGE_PEEK, 0);
	named(ledger, BH_CHANGE_HISTORY, 0);
	named(ledger, BH_CHANGE_HISTORY, 100);
	named(ledger, BH_CHANGE_RECEIPTS, 1001);
	use_rooms_and_tasks(ledger);
	(void)apply(ledger, terminal_new(BH_CHANGE_PARK, 1));
	(void)apply(ledger, terminal_new(BH_CHANGE_UNPARK, 1));
	(void)apply(ledger, terminal_new(BH_CHANGE_SET_MODE, 1));
	(void)apply(ledger, bind_new(TERMINALS + 1));
	change = terminal_new(BH_CHANGE_ANNOUNCE, 1);
	(void)snprintf(change->name, sizeof(change->name), "name-%d", TERMINALS + 5);
	(void)apply(ledger, change);
	change = terminal_new(BH_CHANGE_RETIRE, 1);
	change->flag = true;
	(void)apply(ledger, change);
	change = bind_new(TERMINALS + 2); // the respawn
	(void)snprintf(change->record.line, sizeof(change->record.line), "%s", uuid_of(1));
	(void)snprintf(change->record.identity, BH_IDENTITY_SIZE, "name-1");
	(void)apply(ledger, change);
	(void)take(ledger, BH_CLAIM_INBOX, TERMINALS + 2);
	(void)apply(ledger, terminal_new(BH_CHANGE_RETIRE, TERMINALS + 2));
}

// Start counting, or fail for a statement that walked too far.
static void statements_count(struct bh_ledger *ledger, bool is_start)
{
	sqlite3_stmt *statement = NULL;

	while ((statement = sqlite3_next_stmt(ledger->db.handle, statement)) != NULL) {
		int walked = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1);

		if (!is_start && walked > WALKED_MAX) {
			fail_msg("%d rows walked by: %s", walked, sqlite3_sql(statement));
		}
	}
}

static void no_request_walks_the_archive(void **state)
{
	struct driver *driver = *state;
	struct bh_effects effects = {0};
	struct bh_ledger ledger;

	driver_close(driver);
	assert_int_equal(bh_ledger_open(&ledger, driver->path, 0, &effects, NULL), 0);
	bh_effects_clear(&effects);
	assert_int_equal(bh_query_run(&ledger.db, "PRAGMA synchronous=OFF", ""), 0);
	fill(&ledger, &large_size);
	fill_tasks(&ledger, &large_size);
	statements_count(&ledger, true);
	use_everything(&ledger);
	statements_count(&ledger, false);
	bh_ledger_close(&ledger);
}

// Fill a store of its own and use it; costs has what that cost.
static void spend(const struct size *size)
{
	struct driver driver;
	struct bh_effects effects = {0};
	struct bh_ledger ledger;

	driver_start(&driver);
	driver_close(&driver);
	assert_int_equal(bh_ledger_open(&ledger, driver.path, 0, &effects, NULL), 0);
	bh_effects_clear(&effects);
	assert_int_equal(bh_query_run(&ledger.db, "PRAGMA synchronous=OFF", ""), 0);
	fill(&ledger, size);
	fill_tasks(&ledger, size);
	costs.count = 0;
	use_everything(&ledger);
	assert_true(costs.count < CHANGES_MAX);
	bh_ledger_close(&ledger);
	driver_stop(&driver);
}

// Within 20 percent, whatever there is in the store.
static void no_request_costs_more_in_a_large_store(void **state)
{
	int small[CHANGES_MAX];
	unsigned count;

	(void)state;
	spend(&small_size);
	count = costs.count;
	memcpy(small, costs.steps, sizeof(small));
	spend(&large_size);
	assert_int_equal(costs.count, count);
	for (unsigned i = 0; i < count; i++) {
		if (costs.steps[i] > small[i] + small[i] / 5) {
			fail_msg("number %u, a change %d: %d steps, in a small store %d", i,
			         (int)costs.kinds[i], costs.steps[i], small[i]);
		}
	}
}

// Opening reads what is live, not what was seen long ago.
static void opening_does_not_walk_the_archive(void **state)
{
	struct driver *driver = *state;
	struct bh_effects effects = {0};
	struct bh_ledger ledger;
	sqlite3_stmt *statement = NULL;

	driver_close(driver);
	assert_int_equal(bh_ledger_open(&ledger, driver->path, 0, &effects, NULL), 0);
	bh_effects_clear(&effects);
	assert_int_equal(bh_query_run(&ledger.db, "PRAGMA synchronous=OFF", ""), 0);
	fill(&ledger, &large_size);
	assert_int_equal(bh_query_run(&ledger.db,
	                              "UPDATE delivery SET ownership = 2 WHERE ownership = 0", ""),
	                 0);
	bh_ledger_close(&ledger);
	assert_int_equal(bh_ledger_open(&ledger, driver->path, 0, &effects, NULL), 0);
	bh_effects_clear(&effects);
	while ((statement = sqlite3_next_stmt(ledger.db.handle, statement)) != NULL) {
		int walked = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);

		if (walked > (int)large_size.names + 2) { // each mailbox is read
			fail_msg("%d rows walked by: %s", walked, sqlite3_sql(statement));
		}
	}
	bh_ledger_close(&ledger);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(no_request_walks_the_archive),
		cmocka_unit_test(no_request_costs_more_in_a_large_store),
		driver_test(opening_does_not_walk_the_archive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
