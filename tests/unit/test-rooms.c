#include "tests/unit/mail-driver.h"

#include "src/mail/store_room.h"

#include <stdio.h>
#include <string.h>

// What the last list of rooms or members said, as "#dev 2 in" or "a b".
struct rooms {
	struct driver *driver;
	char text[4096];
	int code;
	bool is_replay;
	char name[BH_IDENTITY_SIZE];
	bool is_done;
};

static void on_rooms(void *user, const struct bh_answer *answer)
{
	struct rooms *rooms = user;
	size_t len = 0;

	rooms->code = answer->err.code;
	rooms->is_replay = answer->is_replay;
	rooms->is_done = true;
	memcpy(rooms->name, answer->name, sizeof(rooms->name));
	rooms->text[0] = '\0';
	for (size_t i = 0; i < answer->room_count && len < sizeof(rooms->text); i++) {
		const struct bh_room *room = &answer->rooms[i];

		if (room->member[0] != '\0') {
			assert_true(room->joined_ms > 0);
			len += (size_t)snprintf(rooms->text + len, sizeof(rooms->text) - len,
			                        "%s%s", i == 0 ? "" : " ", room->member);
		} else {
			len += (size_t)snprintf(rooms->text + len, sizeof(rooms->text) - len,
			                        "%s%s %u m%u%s", i == 0 ? "" : ", ", room->name,
			                        room->members, (unsigned)room->last_seq,
			                        room->is_member ? " in" : "");
		}
	}
}

static void rooms_wait(struct rooms *rooms, int code)
{
	if (code != 0) {
		rooms->code = code;
		return;
	}
	while (!rooms->is_done) {
		(void)uv_run(&rooms->driver->loop, UV_RUN_ONCE);
	}
}

// Join or leave as one of two names.
static struct rooms move(struct driver *driver, bool joins, const char *room, const char *as,
                         const char *other)
{
	const char *names[] = {as, other};
	struct bh_membership membership = {.room = room,
	                                   .as = joins ? as : NULL,
	                                   .names = names,
	                                   .name_count = other == NULL ? 1 : 2};
	struct rooms rooms = {.driver = driver};

	rooms_wait(&rooms,
	           joins ? bh_store_join(driver->store, &membership, on_rooms, &rooms, NULL)
	                 : bh_store_leave(driver->store, &membership, on_rooms, &rooms, NULL));
	return rooms;
}

static struct rooms list(struct driver *driver, const char *room, const char *name)
{
	struct bh_room_query query = {
		.room = room, .names = &name, .name_count = name == NULL ? 0 : 1};
	struct rooms rooms = {.driver = driver};

	rooms_wait(&rooms, bh_store_rooms(driver->store, &query, on_rooms, &rooms, NULL));
	return rooms;
}

// A person writes, who need not be a member.
static const struct outcome *say(struct driver *driver, const char *room, const char *text)
{
	struct bh_put put = {.message_id = text,
	                     .to = room,
	                     .from = "operator",
	                     .sender = BH_SENDER_OPERATOR,
	                     .body = bh_span_of(text)};

	return driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
}

// Three agents; the first two are in #dev.
static void people(struct driver *driver)
{
	(void)driver_bind(driver, 1, "anna");
	(void)driver_bind(driver, 2, "bob");
	(void)driver_bind(driver, 3, "carl");
	assert_int_equal(move(driver, true, "#dev", "anna", NULL).code, 0);
	assert_int_equal(move(driver, true, "#dev", "bob", NULL).code, 0);
}

static void joining_makes_a_room_leaving_keeps_it(void **state)
{
	struct driver *driver = *state;
	struct rooms rooms;

	assert_string_equal(list(driver, NULL, NULL).text, "");
	assert_int_equal(list(driver, "#dev", NULL).code, BH_ENOTFOUND);
	(void)driver_bind(driver, 1, "anna");
	assert_int_equal(say(driver, "#DEV", "early")->message_count, 1);
	rooms = move(driver, true, "#Dev", "anna", NULL);
	assert_int_equal(rooms.code, 0);
	assert_false(rooms.is_replay);
	assert_string_equal(rooms.name, "#Dev"); // who makes it spells it
	assert_true(move(driver, true, "#dev", "anna", NULL).is_replay);
	assert_string_equal(list(driver, NULL, "anna").text, "#Dev 1 m1 in");
	assert_string_equal(list(driver, "#dev", NULL).text, "anna");
	assert_false(move(driver, false, "#dev", "anna", NULL).is_replay);
	assert_true(move(driver, false, "#dev", "anna", NULL).is_replay);
	assert_true(move(driver, false, "#other", "anna", NULL).is_replay);
	driver_reopen(driver);
	assert_string_equal(list(driver, NULL, "anna").text, "#Dev 0 m1");
	assert_string_equal(list(driver, "#dev", NULL).text, "");
}

static void what_cannot_join_is_refused(void **state)
{
	struct driver *driver = *state;

	(void)driver_bind(driver, 1, "anna");
	(void)driver_put(driver, 1, "operator", "ghost", "only written to");
	assert_int_equal(move(driver, true, "dev", "anna", NULL).code, BH_EINVALID);
	assert_int_equal(move(driver, true, "#a b", "anna", NULL).code, BH_EINVALID);
	assert_int_equal(move(driver, true, "#dev", "nobody", NULL).code, BH_ENOTFOUND);
	assert_int_equal(move(driver, true, "#dev", "ghost", NULL).code, BH_ENOTFOUND);
	assert_int_equal(move(driver, true, "#dev", "#dev", NULL).code, BH_ENOTFOUND);
	assert_int_equal(list(driver, "#dev", NULL).code, BH_ENOTFOUND); // nothing was made
	assert_int_equal(move(driver, true, "#dev", "operator", NULL).code, 0);
}

static void a_room_has_a_limit(void **state)
{
	struct driver *driver = *state;

	for (unsigned i = 0; i < BH_ROOM_MEMBERS_MAX; i++) {
		char name[24];

		(void)snprintf(name, sizeof(name), "n%u", i);
		(void)driver_bind(driver, i + 1, name);
		assert_int_equal(move(driver, true, "#all", name, NULL).code, 0);
	}
	(void)driver_bind(driver, BH_ROOM_MEMBERS_MAX + 1, "last");
	assert_int_equal(move(driver, true, "#all", "last", NULL).code, BH_ELIMIT);
	assert_int_equal(driver_put(driver, 1, "n0", "#all", "x")->message_count,
	                 BH_ROOM_MEMBERS_MAX); // the room's, and all but the sender
	driver_check(driver);
}

static void a_message_goes_to_every_member_but_its_sender(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome;

	people(driver);
	assert_int_equal(move(driver, true, "#dev", "carl", NULL).code, 0);
	outcome = driver_put(driver, 1, "bob", "#DEV", "to all");
	assert_int_equal(outcome->code, 0);
	assert_string_equal(outcome->name, "#dev");
	assert_int_equal(outcome->message_count, 3);
	assert_string_equal(outcome->messages[0].mailbox, "#dev");
	assert_string_equal(outcome->messages[1].mailbox, "anna");
	assert_string_equal(outcome->messages[2].mailbox, "carl");
	assert_int_equal(outcome->messages[0].members, 2);
	assert_int_equal(outcome->messages[0].members_seen, 0);
	assert_int_equal(driver_mailbox(driver, "anna")->unread, 1);
	assert_int_equal(driver_mailbox(driver, "bob")->unread, 0);
	assert_int_equal(driver_mailbox(driver, "#dev")->unread, 0);
	outcome = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 0);
	assert_int_equal(outcome->message_count, 1);
	assert_string_equal(outcome->messages[0].to, "#dev");
	assert_string_equal(outcome->messages[0].mailbox, "anna");
	(void)driver_wait(driver, bh_store_confirm(driver->store, outcome->claim_id, driver_done,
	                                           driver, NULL));
	driver_reopen(driver);
	outcome = driver_put(driver, 1, "bob", "#dev", "to all"); // sent again: counted now
	assert_true(outcome->is_replay);
	assert_int_equal(outcome->messages[0].members_seen, 1);
	assert_int_equal(outcome->messages[0].ownership, BH_OWNER_NONE);
	assert_int_equal(outcome->messages[1].ownership, BH_OWNER_SEEN);
	assert_string_equal(driver_receipts(driver, 1), "stored handed_over(inbox) seen(inbox)");
	driver_check(driver);
}

static void two_names_of_a_terminal_are_one_member(void **state)
{
	struct driver *driver = *state;
	struct rooms rooms;

	people(driver);
	(void)driver_wait(driver, bh_store_announce(driver->store,
	                                            &(struct bh_announce){.terminal = uuid_of(3),
	                                                                  .name = "bob",
	                                                                  .by_operator = true},
	                                            driver_done, driver, NULL));
	rooms = move(driver, true, "#dev", "carl", "bob"); // bob is one of its names, and a member
	assert_true(rooms.is_replay);
	assert_string_equal(list(driver, "#dev", NULL).text, "anna bob");
	assert_int_equal(move(driver, true, "#dev", "carl", NULL).code, 0);
	assert_int_equal(driver_put(driver, 1, "anna", "#dev", "once")->message_count, 2);
	assert_int_equal(driver_mailbox(driver, "bob")->unread, 1); // its newest name
	assert_int_equal(driver_mailbox(driver, "carl")->unread, 0);
	assert_false(move(driver, false, "#dev", "carl", "bob").is_replay); // both leave
	assert_string_equal(list(driver, "#dev", NULL).text, "anna");
}

static void a_sender_hears_nothing_under_another_name(void **state)
{
	struct driver *driver = *state;
	struct bh_put put = {.message_id = "echo",
	                     .to = "#dev",
	                     .from = "second",
	                     .from_terminal = uuid_of(1),
	                     .sender = BH_SENDER_AGENT,
	                     .body = bh_span_of("x")};
	const struct outcome *outcome;

	people(driver);
	(void)driver_wait(driver, bh_store_announce(driver->store,
	                                            &(struct bh_announce){.terminal = uuid_of(1),
	                                                                  .name = "second"},
	                                            driver_done, driver, NULL));
	outcome = driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
	assert_int_equal(outcome->code, 0); // anna is a member, so is her terminal
	assert_int_equal(outcome->message_count, 2);
	assert_string_equal(outcome->messages[1].mailbox, "bob");
}

static void agents_must_be_members_people_need_not(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome;
	const char *carl = "carl";
	struct bh_history history = {.names = &carl, .name_count = 1, .with = "#dev"};

	people(driver);
	outcome = driver_put(driver, 1, "carl", "#dev", "let me in");
	assert_int_equal(outcome->code, BH_ENOTMEMBER);
	assert_non_null(strstr(outcome->text, "room join"));
	assert_int_equal(driver_put(driver, 2, "carl", "#new", "x")->code, BH_ENOTMEMBER);
	assert_null(bh_store_mailbox(driver->store, "#new"));
	assert_int_equal(say(driver, "#dev", "x")->message_count, 3);
	outcome = driver_wait(driver,
	                      bh_store_history(driver->store, &history, driver_done, driver, NULL));
	assert_int_equal(outcome->code, BH_ENOTMEMBER);
	history.name_count = 0;
	outcome = driver_wait(driver,
	                      bh_store_history(driver->store, &history, driver_done, driver, NULL));
	assert_int_equal(outcome->message_count, 1);
	assert_string_equal(outcome->messages[0].body, "x");
	assert_int_equal(outcome->messages[0].members, 2);
}

static void who_joins_later_reads_what_was_said(void **state)
{
	struct driver *driver = *state;
	const char *carl = "carl";
	struct bh_history history = {.names = &carl, .name_count = 1, .with = "#dev"};
	const struct outcome *outcome;

	people(driver);
	(void)driver_put(driver, 1, "anna", "#dev", "early");
	(void)driver_put(driver, 2, "anna", "bob", "private");
	assert_int_equal(move(driver, true, "#dev", "carl", NULL).code, 0);
	(void)driver_put(driver, 3, "bob", "#dev", "late");
	outcome = driver_wait(driver,
	                      bh_store_history(driver->store, &history, driver_done, driver, NULL));
	assert_int_equal(outcome->code, 0);
	assert_int_equal(outcome->message_count, 2);
	assert_string_equal(outcome->messages[0].body, "early");
	assert_string_equal(outcome->messages[1].body, "late");
	assert_int_equal(driver_mailbox(driver, "carl")->unread, 1);
}

static void a_chain_of_messages_is_as_long_in_a_room(void **state)
{
	struct driver *driver = *state;
	static const char *const names[] = {"anna", "bob"};

	people(driver);
	for (unsigned i = 0; i < 6; i++) {
		char id[16], ref[16];
		struct bh_put put = {.message_id = id,
		                     .to = "#dev",
		                     .from = names[i % 2],
		                     .from_terminal = uuid_of(1 + i % 2),
		                     .sender = BH_SENDER_AGENT,
		                     .reply_to = i == 0 ? NULL : ref,
		                     .body = bh_span_of("and you?")};

		(void)snprintf(id, sizeof(id), "chain-%u", i);
		(void)snprintf(ref, sizeof(ref), "m%u", i);
		(void)driver_wait(driver,
		                  bh_store_put(driver->store, &put, driver_done, driver, NULL));
		assert_int_equal(driver->outcome.code, 0);
		assert_int_equal(
			bh_mailbox_last_unread(driver_mailbox(driver, names[1 - i % 2]))->hops, i);
	}
}

static void an_empty_room_keeps_what_was_said(void **state)
{
	struct driver *driver = *state;
	struct bh_history history = {.with = "#dev"};
	const struct outcome *outcome;

	(void)driver_bind(driver, 1, "anna");
	assert_int_equal(move(driver, true, "#dev", "anna", NULL).code, 0);
	outcome = driver_put(driver, 2, "anna", "#dev", "alone");
	assert_int_equal(outcome->code, 0);
	assert_int_equal(outcome->message_count, 1);
	assert_int_equal(outcome->messages[0].members, 0);
	assert_int_equal(outcome->messages[0].ownership, BH_OWNER_NONE); // seen by nobody
	assert_string_equal(driver_receipts(driver, 1), "stored");
	outcome = driver_wait(driver,
	                      bh_store_history(driver->store, &history, driver_done, driver, NULL));
	assert_int_equal(outcome->message_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(joining_makes_a_room_leaving_keeps_it),
		driver_test(what_cannot_join_is_refused),
		driver_test(a_room_has_a_limit),
		driver_test(a_message_goes_to_every_member_but_its_sender),
		driver_test(two_names_of_a_terminal_are_one_member),
		driver_test(a_sender_hears_nothing_under_another_name),
		driver_test(agents_must_be_members_people_need_not),
		driver_test(who_joins_later_reads_what_was_said),
		driver_test(a_chain_of_messages_is_as_long_in_a_room),
		driver_test(an_empty_room_keeps_what_was_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
