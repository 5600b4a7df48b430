#include "tests/unit/mail-driver.h"

#include "src/mail/store_room.h"

#include <stdio.h>
#include <string.h>

// A list of tasks as "t1 submitted anna>bob title", and the messages that came with it.
struct tasks {
	struct driver *driver;
	char text[4096];
	char bodies[512];
	int code;
	bool is_done;
};

static void on_tasks(void *user, const struct bh_answer *answer)
{
	struct tasks *tasks = user;
	size_t len = 0;

	tasks->code = answer->err.code;
	tasks->is_done = true;
	for (size_t i = 0; i < answer->task_count && len < sizeof(tasks->text); i++) {
		const struct bh_task *task = &answer->tasks[i];

		assert_true(task->created_ms > 0 && task->updated_ms >= task->created_ms);
		len += (size_t)snprintf(tasks->text + len, sizeof(tasks->text) - len,
		                        "%s%s %s %s>%s m%u %s", i == 0 ? "" : ", ", task->task_id,
		                        bh_task_status_word(task->state), task->creator,
		                        task->assignee, (unsigned)task->last_seq, task->title);
	}
	len = 0;
	for (size_t i = 0; i < answer->message_count && len < sizeof(tasks->bodies); i++) {
		len += (size_t)snprintf(tasks->bodies + len, sizeof(tasks->bodies) - len, "%s%s",
		                        i == 0 ? "" : "|", answer->messages[i].body);
	}
}

static struct tasks query(struct driver *driver, const char *task_id, const char *name, bool all)
{
	struct bh_task_query query = {.task_id = task_id,
	                              .names = &name,
	                              .name_count = name == NULL ? 0 : 1,
	                              .with_ended = all};
	struct tasks tasks = {.driver = driver};

	tasks.code = bh_store_tasks(driver->store, &query, on_tasks, &tasks, NULL);
	while (tasks.code == 0 && !tasks.is_done) {
		(void)uv_run(&driver->loop, UV_RUN_ONCE);
	}
	return tasks;
}

// A message about task @task.
static const struct outcome *say(struct driver *driver, const char *id, const char *from,
                                 const char *to, const char *task, enum bh_task_status status)
{
	struct bh_put put = {.message_id = id,
	                     .to = to,
	                     .from = from,
	                     .sender = strcmp(from, "operator") == 0 ? BH_SENDER_OPERATOR
	                                                             : BH_SENDER_AGENT,
	                     .body = bh_span_of(id),
	                     .task_id = task,
	                     .task_status = status};

	return driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
}

static void the_first_message_opens_a_task(void **state)
{
	struct driver *driver = *state;
	struct bh_put put = {.message_id = "open",
	                     .to = "bob",
	                     .from = "anna",
	                     .sender = BH_SENDER_AGENT,
	                     .body = bh_span_of("mend the build\nit is red"),
	                     .task_id = "t1"};

	(void)driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
	assert_string_equal(query(driver, "t1", NULL, false).text,
	                    "t1 submitted anna>bob m1 mend the build");
	driver_reopen(driver);
	assert_string_equal(query(driver, NULL, "bob", false).text,
	                    "t1 submitted anna>bob m1 mend the build");
	assert_string_equal(query(driver, NULL, "carl", false).text, "");
	assert_int_equal(query(driver, "t1", "carl", false).code, BH_ENOTFOUND);
	assert_int_equal(query(driver, "t2", NULL, false).code, BH_ENOTFOUND);
	assert_int_equal(query(driver, "t 2", NULL, false).code, BH_ENOTFOUND);
}

static void a_long_title_is_cut_between_characters(void **state)
{
	struct driver *driver = *state;
	char id[BH_MESSAGE_ID_SIZE] = "long";
	char body[1200] = "";
	struct bh_put put = {.message_id = id,
	                     .to = "bob",
	                     .from = "anna",
	                     .sender = BH_SENDER_AGENT,
	                     .task_id = "t1"};
	struct tasks tasks;

	for (size_t i = 0; i < 300; i++) {
		memcpy(body + 4 * i, "\xf0\x9f\x90\x9d", 4);
	}
	put.body = (struct bh_span){body, 1200};
	(void)driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
	tasks = query(driver, "t1", NULL, false);
	assert_int_equal(strlen(strchr(tasks.text, '\xf0')), 400);
}

static void a_status_moves_it_and_the_end_is_final(void **state)
{
	static const enum bh_task_status ends[] = {BH_TASK_COMPLETED, BH_TASK_FAILED,
	                                           BH_TASK_CANCELED};
	struct driver *driver = *state;

	for (size_t i = 0; i < 3; i++) {
		const char *end = bh_task_status_word(ends[i]);
		char task[8], text[64], open[16], work[16], need[16], last[16], more[16];
		const struct outcome *outcome;

		(void)snprintf(task, sizeof(task), "t%zu", i);
		(void)snprintf(open, sizeof(open), "open%zu", i);
		(void)snprintf(work, sizeof(work), "work%zu", i);
		(void)snprintf(need, sizeof(need), "need%zu", i);
		(void)snprintf(last, sizeof(last), "last%zu", i);
		(void)snprintf(more, sizeof(more), "more%zu", i);
		(void)say(driver, open, "anna", "bob", task, BH_TASK_NONE);
		(void)say(driver, work, "bob", "anna", task, BH_TASK_WORKING);
		assert_non_null(strstr(query(driver, task, NULL, false).text, "working"));
		(void)say(driver, need, "bob", "anna", task, BH_TASK_INPUT_REQUIRED);
		assert_non_null(strstr(query(driver, task, NULL, false).text, "input_required"));
		assert_int_equal(say(driver, last, "bob", "anna", task, ends[i])->code, 0);
		(void)snprintf(text, sizeof(text), "t%zu %s anna>bob m%zu open%zu", i, end,
		               4 * (i + 1), i);
		assert_string_equal(query(driver, task, NULL, false).text, text);
		assert_string_equal(query(driver, NULL, NULL, false).text, ""); // only with --all
		for (int status = BH_TASK_NONE; status <= BH_TASK_UPDATE; status++) {
			outcome = say(driver, more, "bob", "anna", task, status);
			assert_int_equal(outcome->code, BH_ETASKENDED);
			assert_non_null(strstr(outcome->text, end)); // names the state
		}
		assert_string_equal(query(driver, task, NULL, false).text, text);
	}
	assert_non_null(strstr(query(driver, NULL, "anna", true).text, "t0 completed"));
	assert_int_equal(bh_store_last_seq(driver->store), 12); // refusals store nothing
}

static void a_complete_is_repeated_for_ever(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome;

	(void)say(driver, "open", "anna", "bob", "t1", BH_TASK_NONE);
	outcome = say(driver, "done", "bob", NULL, "t1", BH_TASK_COMPLETED);
	assert_int_equal(outcome->code, 0);
	assert_string_equal(outcome->name, "anna"); // the other party
	for (int i = 0; i < 2; i++) {
		outcome = say(driver, "done", "bob", NULL, "t1", BH_TASK_COMPLETED);
		assert_int_equal(outcome->code, 0);
		assert_true(outcome->is_replay);
		assert_int_equal(outcome->seq, 2);
		assert_string_equal(outcome->name, "anna");
		outcome = say(driver, "open", "anna", "bob", "t1", BH_TASK_NONE);
		assert_true(outcome->is_replay);
		driver_reopen(driver);
	}
	outcome = say(driver, "done", "bob", NULL, "t1", BH_TASK_FAILED); // another content
	assert_int_equal(outcome->code, BH_EEXISTS);
	outcome = say(driver, "again", "bob", NULL, "t1", BH_TASK_COMPLETED);
	assert_int_equal(outcome->code, BH_ETASKENDED);
}

static void only_its_parties_write_about_it(void **state)
{
	struct driver *driver = *state;

	(void)say(driver, "open", "anna", "bob", "t1", BH_TASK_NONE);
	assert_int_equal(say(driver, "x1", "carl", "bob", "t1", BH_TASK_NONE)->code, BH_EDENIED);
	assert_int_equal(say(driver, "x2", "carl", NULL, "t1", BH_TASK_FAILED)->code, BH_ENOTFOUND);
	assert_int_equal(say(driver, "x3", "bob", NULL, "t2", BH_TASK_FAILED)->code, BH_ENOTFOUND);
	assert_int_equal(say(driver, "x4", "bob", "anna", "t2", BH_TASK_WORKING)->code,
	                 BH_ENOTFOUND);
	assert_int_equal(say(driver, "x5", "bob", "carl", "t1", BH_TASK_COMPLETED)->code,
	                 BH_EINVALID); // who asked for it would not hear of it
	assert_int_equal(say(driver, "a1", "bob", "carl", "t1", BH_TASK_NONE)->code, 0);
	assert_int_equal(say(driver, "a2", "operator", "bob", "t1", BH_TASK_WORKING)->code, 0);
	assert_int_equal(bh_store_put(driver->store,
	                              &(struct bh_put){.message_id = "n",
	                                               .from = "anna",
	                                               .to = "bob",
	                                               .body = bh_span_of("x"),
	                                               .task_status = BH_TASK_UPDATE},
	                              NULL, NULL, NULL),
	                 BH_EINVALID);
	assert_string_equal(query(driver, "t1", "anna", false).bodies, "open|a1|a2");
}

static void a_person_ends_the_tasks_of_others(void **state)
{
	struct driver *driver = *state;

	(void)say(driver, "open1", "anna", "bob", "t1", BH_TASK_NONE);
	(void)say(driver, "open2", "anna", "bob", "t2", BH_TASK_NONE);
	(void)say(driver, "open3", "operator", "bob", "t3", BH_TASK_NONE);
	assert_string_equal(say(driver, "c1", "operator", NULL, "t1", BH_TASK_CANCELED)->name,
	                    "bob"); // who works on it must stop
	assert_string_equal(say(driver, "c2", "operator", NULL, "t2", BH_TASK_COMPLETED)->name,
	                    "anna"); // who asked for it gets it
	assert_string_equal(say(driver, "c3", "operator", NULL, "t3", BH_TASK_COMPLETED)->name,
	                    "bob");
}

static void members_of_a_room_are_parties(void **state)
{
	struct driver *driver = *state;
	const char *names[] = {"anna", "bob"};

	for (unsigned i = 0; i < 2; i++) {
		struct bh_membership membership = {
			.room = "#dev", .as = names[i], .names = &names[i], .name_count = 1};

		(void)driver_bind(driver, i + 1, names[i]);
		(void)driver_wait(driver, bh_store_join(driver->store, &membership, driver_done,
		                                        driver, NULL));
	}
	(void)say(driver, "open", "operator", "#dev", "t1", BH_TASK_NONE);
	assert_string_equal(query(driver, NULL, "bob", false).text,
	                    "t1 submitted operator>#dev m1 open");
	assert_int_equal(say(driver, "u1", "anna", "#dev", "t1", BH_TASK_UPDATE)->message_count, 2);
	assert_int_equal(say(driver, "u2", "anna", "#dev", "t1", BH_TASK_UPDATE)->message_count, 2);
	assert_int_equal(driver_mailbox(driver, "bob")->unread, 2); // "open" and the newer one
	assert_string_equal(say(driver, "done", "bob", NULL, "t1", BH_TASK_COMPLETED)->name,
	                    "operator");
	assert_int_equal(say(driver, "x", "carl", "operator", "t1", BH_TASK_NONE)->code,
	                 BH_EDENIED);
}

static void a_newer_update_takes_the_place_of_the_unread_one(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome;
	uint64_t claim_id;

	(void)say(driver, "open", "anna", "bob", "t1", BH_TASK_NONE);
	(void)say(driver, "open2", "anna", "bob", "t2", BH_TASK_NONE);
	(void)say(driver, "u1", "bob", "anna", "t1", BH_TASK_UPDATE);
	assert_non_null(strstr(query(driver, "t1", NULL, false).text, "working"));
	(void)say(driver, "other", "bob", "anna", "t2", BH_TASK_UPDATE);
	(void)say(driver, "plain", "bob", "anna", "t1", BH_TASK_NONE);
	assert_int_equal(driver_mailbox(driver, "anna")->unread, 3);
	(void)say(driver, "u2", "bob", "anna", "t1", BH_TASK_UPDATE);
	assert_int_equal(driver_mailbox(driver, "anna")->unread, 3); // "other", "plain", "u2"
	assert_string_equal(driver_receipts(driver, 3), "stored superseded(m6)");
	outcome = say(driver, "u1", "bob", "anna", "t1", BH_TASK_UPDATE); // sent again
	assert_true(outcome->is_replay);
	assert_int_equal(outcome->messages[0].seen_how, BH_SEEN_SUPERSEDED);
	// What a reader holds stays with it.
	claim_id = driver_take(driver, BH_CLAIM_INBOX, 0, "anna", 0)->claim_id;
	assert_int_equal(driver->outcome.message_count, 3);
	(void)say(driver, "u3", "bob", "anna", "t1", BH_TASK_UPDATE);
	assert_string_equal(driver_receipts(driver, 6), "stored handed_over(inbox)");
	(void)driver_wait(driver,
	                  bh_store_confirm(driver->store, claim_id, driver_done, driver, NULL));
	driver_reopen(driver);
	assert_int_equal(driver_mailbox(driver, "anna")->unread, 1);
	assert_string_equal(query(driver, "t1", NULL, false).bodies, "open|u1|plain|u2|u3");
	// Only a submitted task begins by one: who waits for an answer goes on waiting.
	(void)say(driver, "ask", "bob", "anna", "t1", BH_TASK_INPUT_REQUIRED);
	(void)say(driver, "u4", "bob", "anna", "t1", BH_TASK_UPDATE);
	assert_non_null(strstr(query(driver, "t1", NULL, false).text, "input_required"));
	driver_check(driver);
}

static void updates_of_others_stay(void **state)
{
	struct driver *driver = *state;

	(void)say(driver, "open", "operator", "anna", "t1", BH_TASK_NONE);
	(void)say(driver, "open2", "operator", "bob", "t2", BH_TASK_NONE);
	(void)say(driver, "a1", "anna", "operator", "t1", BH_TASK_UPDATE);
	(void)say(driver, "b1", "bob", "operator", "t2", BH_TASK_UPDATE);
	(void)say(driver, "o1", "operator", "anna", "t1", BH_TASK_UPDATE);
	assert_int_equal(driver_mailbox(driver, "operator")->unread, 2); // of another task
	assert_int_equal(driver_mailbox(driver, "anna")->unread, 2);     // of another sender
	(void)say(driver, "a2", "anna", "operator", "t1", BH_TASK_UPDATE);
	assert_int_equal(driver_mailbox(driver, "operator")->unread, 2);
	assert_int_equal(bh_mailbox_first_unread(driver_mailbox(driver, "operator"))->seq, 4);
	// Two senders about one task, to one reader.
	(void)say(driver, "open3", "anna", "bob", "t3", BH_TASK_NONE);
	(void)say(driver, "a3", "anna", "bob", "t3", BH_TASK_UPDATE);
	(void)say(driver, "o3", "operator", "bob", "t3", BH_TASK_UPDATE);
	assert_int_equal(driver_mailbox(driver, "bob")->unread, 4); // "open2" is there, too
	assert_int_equal(driver_mailbox(driver, "anna")->unread, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(the_first_message_opens_a_task),
		driver_test(a_long_title_is_cut_between_characters),
		driver_test(a_status_moves_it_and_the_end_is_final),
		driver_test(a_complete_is_repeated_for_ever),
		driver_test(only_its_parties_write_about_it),
		driver_test(a_person_ends_the_tasks_of_others),
		driver_test(members_of_a_room_are_parties),
		driver_test(a_newer_update_takes_the_place_of_the_unread_one),
		driver_test(updates_of_others_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
