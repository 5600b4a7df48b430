#include "tests/unit/mail-driver.h"

#include "src/base/mem.h"
#include "src/mail/store_care.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Bind with everything given. @line 0: its own.
static const struct outcome *bind_line(struct driver *driver, unsigned n, unsigned line,
                                       const char *identity, bool by_operator)
{
	struct bh_terminal_record record = {0};

	(void)snprintf(record.uuid, sizeof(record.uuid), "%s", uuid_of(n));
	(void)snprintf(record.line, sizeof(record.line), "%s", line == 0 ? "" : uuid_of(line));
	(void)snprintf(record.identity, sizeof(record.identity), "%s", identity);
	return driver_wait(driver, bh_store_bind(driver->store,
	                                         &(struct bh_bind){.record = &record,
	                                                           .auto_base = "claude",
	                                                           .by_operator = by_operator},
	                                         driver_done, driver, NULL));
}

static const struct outcome *announce(struct driver *driver, unsigned n, const char *name,
                                      bool by_operator)
{
	return driver_wait(driver, bh_store_announce(driver->store,
	                                             &(struct bh_announce){
							     .terminal = n == 0 ? NULL : uuid_of(n),
							     .name = name,
							     .by_operator = by_operator},
	                                             driver_done, driver, NULL));
}

static const struct outcome *retire(struct driver *driver, unsigned n, bool waits_respawn)
{
	return driver_wait(driver,
	                   bh_store_retire(driver->store,
	                                   &(struct bh_retire){.terminal = uuid_of(n),
	                                                       .exit_status = 256,
	                                                       .waits_respawn = waits_respawn},
	                                   driver_done, driver, NULL));
}

static const char *holder_of(struct driver *driver, const char *name)
{
	return driver_mailbox(driver, name)->terminal;
}

static void a_record_survives(void **state)
{
	struct driver *driver = *state;
	char argv[] = "[\"claude\"]", env[] = "{}", extra[] = "x", cwd[] = "/",
	     profile[] = "claude", hash[] = "abc";
	struct bh_terminal_record record = {.identity = "Coder",
	                                    .mode = BH_MODE_NOTICE,
	                                    .cols = 200,
	                                    .rows = 50,
	                                    .respawn = BH_RESPAWN_ALWAYS,
	                                    .respawn_count = 3,
	                                    .is_headless = true,
	                                    .started_ms = 12345,
	                                    .argv = argv,
	                                    .env = env,
	                                    .extra = extra,
	                                    .cwd = cwd,
	                                    .profile = profile,
	                                    .token_hash = hash};
	const struct bh_terminal_record *found;

	(void)snprintf(record.uuid, sizeof(record.uuid), "%s", uuid_of(1));
	assert_int_equal(driver_wait(driver, bh_store_bind(driver->store,
	                                                   &(struct bh_bind){.record = &record},
	                                                   driver_done, driver, NULL))
	                         ->code,
	                 0);
	driver_reopen(driver);
	found = bh_store_terminal(driver->store, uuid_of(1));
	assert_non_null(found);
	assert_string_equal(found->identity, "Coder");
	assert_string_equal(found->line, uuid_of(1));
	assert_int_equal(found->mode, BH_MODE_NOTICE);
	assert_int_equal(found->cols, 200);
	assert_int_equal(found->rows, 50);
	assert_int_equal(found->respawn, BH_RESPAWN_ALWAYS);
	assert_int_equal(found->respawn_count, 3);
	assert_true(found->is_headless);
	assert_int_equal(found->started_ms, 12345);
	assert_int_equal(found->exit_status, -1);
	assert_string_equal(found->argv, argv);
	assert_string_equal(found->env, env);
	assert_string_equal(found->extra, extra);
	assert_string_equal(found->cwd, cwd);
	assert_string_equal(found->profile, profile);
	assert_string_equal(found->token_hash, hash);
	assert_string_equal(bh_store_speaks_as(found)->name, "Coder");
	assert_null(bh_store_next_terminal(driver->store, found));
	record.cols = 80; // the same terminal again: replaced
	assert_int_equal(driver_wait(driver, bh_store_bind(driver->store,
	                                                   &(struct bh_bind){.record = &record},
	                                                   driver_done, driver, NULL))
	                         ->code,
	                 0);
	found = bh_store_terminal(driver->store, uuid_of(1));
	assert_int_equal(found->cols, 80);
	assert_string_equal(bh_store_speaks_as(found)->name, "Coder");
	driver_check(driver);
}

static void automatic_names_are_never_used_twice(void **state)
{
	struct driver *driver = *state;

	(void)driver_put(driver, 1, "coder", "CLAUDE-2", "not for a newcomer");
	assert_string_equal(driver_bind(driver, 1, "")->name, "claude");
	assert_string_equal(driver_bind(driver, 1, "")->name, "claude"); // it keeps it
	assert_string_equal(driver_bind(driver, 2, "")->name, "claude-3");
	assert_int_equal(retire(driver, 2, false)->code, 0);
	driver_reopen(driver);
	assert_string_equal(driver_bind(driver, 3, "")->name, "claude-4");
}

// Bind a program without a profile under an automatic name; @launcher started it, 0: a person.
static const char *bind_shell(struct driver *driver, unsigned n, unsigned launcher)
{
	char profile[] = "generic";
	struct bh_terminal_record record = {.profile = profile};

	(void)snprintf(record.uuid, sizeof(record.uuid), "%s", uuid_of(n));
	if (launcher != 0) {
		(void)snprintf(record.launched_by, sizeof(record.launched_by), "%s",
		               uuid_of(launcher));
	}
	assert_int_equal(driver_wait(driver, bh_store_bind(driver->store,
	                                                   &(struct bh_bind){.record = &record,
	                                                                     .auto_base = "sh"},
	                                                   driver_done, driver, NULL))
	                         ->code,
	                 0);
	return driver->outcome.name;
}

static void names_of_shells_are_used_again(void **state)
{
	struct driver *driver = *state;

	assert_string_equal(bind_shell(driver, 1, 0), "sh");
	assert_string_equal(bind_shell(driver, 2, 0), "sh-2");
	assert_string_equal(bind_shell(driver, 3, 0), "sh-3");
	assert_string_equal(bind_shell(driver, 2, 0), "sh-2"); // it keeps it
	assert_int_equal(retire(driver, 2, false)->code, 0);
	assert_string_equal(bind_shell(driver, 4, 0), "sh-2");
	assert_string_equal(holder_of(driver, "sh-2"), uuid_of(4));
	assert_string_equal(bind_shell(driver, 5, 0), "sh-4");
	assert_int_equal(retire(driver, 1, false)->code, 0);
	assert_int_equal(retire(driver, 3, false)->code, 0);
	driver_reopen(driver);
	assert_string_equal(bind_shell(driver, 6, 0), "sh");
	assert_string_equal(bind_shell(driver, 7, 0), "sh-3");
	assert_string_equal(bind_shell(driver, 8, 0), "sh-5");
	driver_check(driver);
}

static void no_newcomer_gets_what_is_meant_for_another(void **state)
{
	struct driver *driver = *state;

	assert_string_equal(driver_bind(driver, 20, "")->name, "claude");
	assert_string_equal(bind_shell(driver, 1, 0), "sh");
	(void)driver_put(driver, 1, "claude", "sh", "for the first one");
	assert_string_equal(bind_shell(driver, 2, 0), "sh-2");
	(void)driver_put(driver, 2, "sh-2", "claude", "answer me");
	assert_string_equal(bind_shell(driver, 3, 20), "sh-3"); // an agent's own: it has the name
	assert_string_equal(bind_shell(driver, 4, 0), "sh-4");
	for (unsigned n = 1; n <= 3; n++) {
		assert_int_equal(retire(driver, n, false)->code, 0);
	}
	assert_int_equal(retire(driver, 4, true)->code, 0); // it is about to be started again
	assert_string_equal(bind_shell(driver, 5, 0), "sh-5");
	// Who wrote to a name before anybody had it meant nobody of these, either.
	(void)driver_put(driver, 3, "claude", "sh-6", "hello");
	assert_string_equal(bind_shell(driver, 6, 0), "sh-7");
	driver_check(driver);
}

static void a_name_is_unique_in_any_case(void **state)
{
	struct driver *driver = *state;

	(void)driver_put(driver, 1, "a", "REVIEWER", "sent before anyone had the name");
	assert_int_equal(driver_bind(driver, 1, "Reviewer")->code, 0); // nobody held it: free
	assert_string_equal(driver->outcome.name, "Reviewer");         // as its holder spells it
	assert_string_equal(driver_mailbox(driver, "reviewer")->name, "Reviewer");
	assert_int_equal(driver_bind(driver, 2, "reviewer")->code, BH_EEXISTS);
	assert_non_null(strstr(driver->outcome.text, uuid_of(1))); // by whom
	assert_null(strstr(driver->outcome.text, "kill"));         // no advice to an agent
	assert_null(bh_store_terminal(driver->store, uuid_of(2))); // nothing of it stays
	assert_int_equal(bind_line(driver, 2, 0, "reviewer", true)->code, BH_EEXISTS);
	assert_non_null(strstr(driver->outcome.text, "`bellhop kill Reviewer`"));
	assert_int_equal(driver_bind(driver, 2, "operator")->code, BH_EINVALID);
	assert_int_equal(driver_bind(driver, 2, "no good")->code, BH_EINVALID);
}

static void a_name_with_mail_waits_for_its_line_or_an_operator(void **state)
{
	struct driver *driver = *state;

	(void)driver_bind(driver, 1, "reviewer");
	(void)driver_bind(driver, 2, "tester");
	(void)driver_put(driver, 1, "a", "reviewer", "x");
	assert_int_equal(retire(driver, 1, false)->code, 0);
	assert_int_equal(retire(driver, 2, false)->code, 0);
	assert_string_equal(holder_of(driver, "reviewer"), "");
	assert_int_equal(driver_bind(driver, 3, "tester")->code, 0); // no mail: free at once
	assert_int_equal(driver_bind(driver, 4, "reviewer")->code, BH_EEXISTS);
	assert_non_null(strstr(driver->outcome.text, "unread mail"));
	assert_non_null(strstr(driver->outcome.text, "operator"));
	assert_int_equal(bind_line(driver, 5, 1, "reviewer", false)->code, 0); // its line
	assert_int_equal(retire(driver, 5, false)->code, 0);
	assert_int_equal(bind_line(driver, 6, 0, "reviewer", true)->code, 0); // an operator
	assert_string_equal(holder_of(driver, "reviewer"), uuid_of(6));
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 1); // the mailbox stays
	driver_check(driver);
}

static void a_respawn_gets_all_names_of_its_line(void **state)
{
	struct driver *driver = *state;
	const struct bh_terminal_record *terminal;

	(void)driver_bind(driver, 1, "reviewer");
	assert_int_equal(announce(driver, 1, "checker", false)->code, 0);
	assert_int_equal(retire(driver, 1, true)->code, 0);
	terminal = bh_store_terminal(driver->store, uuid_of(1));
	assert_int_equal(terminal->status, BH_TERMINAL_WAITS_RESPAWN);
	assert_int_equal(terminal->exit_status, 256);
	assert_true(terminal->exited_ms > 0);
	assert_null(bh_store_speaks_as(terminal)); // exit retires at once
	driver_reopen(driver);
	assert_int_equal(driver_bind(driver, 2, "checker")->code, BH_EEXISTS);
	assert_non_null(strstr(driver->outcome.text, "started again"));
	assert_int_equal(bind_line(driver, 2, 0, "reviewer", true)->code, BH_EEXISTS);
	assert_non_null(strstr(driver->outcome.text, "`bellhop forget reviewer`"));
	assert_int_equal(bind_line(driver, 3, 1, "reviewer", false)->code, 0);
	assert_null(bh_store_terminal(driver->store, uuid_of(1)));
	assert_string_equal(holder_of(driver, "reviewer"), uuid_of(3));
	assert_string_equal(holder_of(driver, "checker"), uuid_of(3));
	assert_string_equal(bh_store_speaks_as(bh_store_terminal(driver->store, uuid_of(3)))->name,
	                    "checker");
	driver_check(driver);
	// A respawn that is given up frees the names.
	assert_int_equal(retire(driver, 3, true)->code, 0);
	assert_int_equal(retire(driver, 3, false)->code, 0);
	assert_int_equal(driver_bind(driver, 4, "checker")->code, 0);
}

static void the_newest_name_speaks(void **state)
{
	struct driver *driver = *state;
	const struct bh_terminal_record *terminal;

	(void)driver_bind(driver, 1, "reviewer");
	terminal = bh_store_terminal(driver->store, uuid_of(1));
	assert_int_equal(announce(driver, 1, "checker", false)->code, 0);
	assert_string_equal(bh_store_speaks_as(terminal)->name, "checker");
	assert_int_equal(announce(driver, 1, "REVIEWER", false)->code, 0);
	assert_string_equal(driver->outcome.name, "reviewer");
	assert_string_equal(bh_store_speaks_as(terminal)->name, "reviewer");
	assert_string_equal(bh_store_next_name(terminal, NULL)->name, "checker");
	assert_int_equal(announce(driver, 9, "other", false)->code, BH_ENOTFOUND);
	driver_check(driver);
}

static void an_announced_name_is_refused_or_given(void **state)
{
	struct driver *driver = *state;

	(void)driver_bind(driver, 1, "reviewer");
	(void)driver_bind(driver, 2, "tester");
	assert_int_equal(announce(driver, 2, "reviewer", false)->code, BH_EEXISTS);
	assert_string_equal(holder_of(driver, "reviewer"), uuid_of(1));
	assert_int_equal(announce(driver, 2, "reviewer", true)->code, 0); // the operator gives it
	assert_string_equal(holder_of(driver, "reviewer"), uuid_of(2));
	assert_null(bh_store_speaks_as(bh_store_terminal(driver->store, uuid_of(1))));
	assert_int_equal(announce(driver, 0, "outsider", false)->code, 0);
	assert_true(driver_mailbox(driver, "outsider")->is_known);
	assert_string_equal(holder_of(driver, "outsider"), "");
	assert_int_equal(announce(driver, 0, "tester", false)->code, BH_EEXISTS);
	driver_check(driver);
}

static void two_announces_leave_one_winner(void **state)
{
	struct driver *driver = *state;

	(void)driver_bind(driver, 1, "a");
	(void)driver_bind(driver, 2, "b");
	// Both in the queue before either is committed.
	assert_int_equal(
		bh_store_announce(driver->store,
	                          &(struct bh_announce){.terminal = uuid_of(1), .name = "x"},
	                          driver_done, driver, NULL),
		0);
	driver->asked++;
	assert_int_equal(announce(driver, 2, "X", false)->code, BH_EEXISTS);
	assert_string_equal(holder_of(driver, "x"), uuid_of(1));
}

static void who_starts_an_agent_is_noticed_from_then_on(void **state)
{
	struct driver *driver = *state;
	struct bh_terminal_record child = {.identity = "make"};
	char generic[] = "generic", claude[] = "claude";

	(void)driver_bind(driver, 1, "boss");
	(void)snprintf(child.uuid, sizeof(child.uuid), "%s", uuid_of(2));
	(void)snprintf(child.launched_by, sizeof(child.launched_by), "%s", uuid_of(1));
	child.profile = generic;
	(void)driver_wait(driver, bh_store_bind(driver->store, &(struct bh_bind){.record = &child},
	                                        driver_done, driver, NULL));
	assert_int_equal(bh_terminal_record_mode(bh_store_terminal(driver->store, uuid_of(1))),
	                 BH_MODE_MESSAGE);
	child.profile = claude;
	(void)driver_wait(driver, bh_store_bind(driver->store, &(struct bh_bind){.record = &child},
	                                        driver_done, driver, NULL));
	(void)retire(driver, 2, false);
	(void)driver_bind(driver, 1, "boss"); // written again: sticky
	driver_reopen(driver);
	assert_int_equal(bh_terminal_record_mode(bh_store_terminal(driver->store, uuid_of(1))),
	                 BH_MODE_NOTICE);
	assert_int_equal(
		driver_wait(driver, bh_store_set_mode(driver->store, uuid_of(1), BH_MODE_MESSAGE,
	                                              driver_done, driver, NULL))
			->code,
		0);
	assert_int_equal(bh_terminal_record_mode(bh_store_terminal(driver->store, uuid_of(1))),
	                 BH_MODE_MESSAGE);
	assert_int_equal(
		driver_wait(driver, bh_store_set_mode(driver->store, uuid_of(2), BH_MODE_OFF,
	                                              driver_done, driver, NULL))
			->code,
		BH_ENOTFOUND);
}

static void exit_gives_back_what_readers_held(void **state)
{
	struct driver *driver = *state;
	uint64_t attempt;

	(void)driver_bind(driver, 1, "reviewer");
	(void)driver_put(driver, 1, "a", "reviewer", "one");
	(void)driver_put(driver, 2, "a", "reviewer", "two");
	(void)driver_put(driver, 3, "a", "reviewer", "three");
	// Nothing is typed past what a reader holds.
	attempt = driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 1)->claim_id;
	(void)driver_take(driver, BH_CLAIM_WAITER, 1, NULL, 1);
	(void)driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 1);
	driver_advance(driver, attempt, BH_PHASE_WRITING, 0);
	assert_int_equal(retire(driver, 1, false)->code, 0);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 2);
	assert_int_equal(driver_mailbox(driver, "reviewer")->claimed, 1); // ours to resolve
	assert_string_equal(driver_receipts(driver, 2),
	                    "stored handed_over(waiter) returned(terminal exited)");
	driver_check(driver);
	driver_advance(driver, attempt, BH_PHASE_UNCERTAIN, 0);
	driver_advance(driver, attempt, BH_PHASE_WITHDRAWN, 0);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 3);
	assert_int_equal(retire(driver, 1, false)->code, 0); // again: nothing to do
	assert_int_equal(retire(driver, 7, false)->code, BH_ENOTFOUND);
	driver_check(driver);
}

// What the answer to `ended` has: the numbers of the terminals in a row.
static void on_ended(void *user, const struct bh_answer *answer)
{
	char *list = user;

	assert_int_equal(answer->err.code, 0);
	list[0] = '=';
	for (size_t i = 0; i < answer->terminal_count; i++) {
		const char *uuid = answer->terminals[i]->uuid;

		assert_int_equal(answer->terminals[i]->exit_status, 256);
		list[i + 1] = uuid[strlen(uuid) - 1];
	}
	list[answer->terminal_count + 1] = '\0';
}

static const char *ended(struct driver *driver, size_t limit, char list[16])
{
	list[0] = '\0';
	assert_int_equal(bh_store_ended(driver->store, limit, on_ended, list, NULL), 0);
	while (list[0] == '\0') {
		(void)uv_run(&driver->loop, UV_RUN_ONCE);
	}
	return list;
}

static const struct outcome *forget(struct driver *driver, unsigned n)
{
	return driver_wait(driver, bh_store_forget(driver->store, n == 0 ? NULL : uuid_of(n),
	                                           driver_done, driver, NULL));
}

static void what_ended_is_known_until_it_is_forgotten(void **state)
{
	struct driver *driver = *state;
	char list[16];

	for (unsigned n = 1; n <= 5; n++) {
		char name[] = "agent-1";

		name[6] = (char)('0' + n);
		(void)driver_bind(driver, n, name);
	}
	assert_string_equal(ended(driver, 9, list), "=");
	for (size_t i = 0; i < 3; i++) {
		static const unsigned order[] = {2, 1, 3};

		assert_int_equal(retire(driver, order[i], false)->code, 0);
		usleep(2000); // who ended last is known by the clock
	}
	assert_int_equal(retire(driver, 4, true)->code, 0); // waits for its successor
	assert_string_equal(ended(driver, 9, list), "=321");
	assert_string_equal(ended(driver, 2, list), "=31");
	assert_int_equal(forget(driver, 2)->code, 0);
	assert_int_equal(forget(driver, 5)->code, BH_ENOTFOUND); // it lives
	driver_reopen(driver);
	assert_string_equal(ended(driver, 9, list), "=31");
	assert_int_equal(forget(driver, 0)->code, 0);
	assert_string_equal(ended(driver, 9, list), "=");
	driver_check(driver);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(a_record_survives),
		driver_test(automatic_names_are_never_used_twice),
		driver_test(names_of_shells_are_used_again),
		driver_test(no_newcomer_gets_what_is_meant_for_another),
		driver_test(a_name_is_unique_in_any_case),
		driver_test(a_name_with_mail_waits_for_its_line_or_an_operator),
		driver_test(a_respawn_gets_all_names_of_its_line),
		driver_test(the_newest_name_speaks),
		driver_test(an_announced_name_is_refused_or_given),
		driver_test(two_announces_leave_one_winner),
		driver_test(who_starts_an_agent_is_noticed_from_then_on),
		driver_test(exit_gives_back_what_readers_held),
		driver_test(what_ended_is_known_until_it_is_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
