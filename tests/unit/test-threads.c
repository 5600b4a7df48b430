#include "tests/unit/mail-driver.h"

#include "src/mail/store_room.h"

#include <stdio.h>
#include <string.h>

// The thread of a message as it is told to a name (NULL: a person): its texts, "a b c".
static const char *thread(struct driver *driver, const char *ref, const char *name,
                          uint64_t after_seq, size_t limit)
{
	static char text[4096];
	struct bh_history history = {.names = &name,
	                             .name_count = name == NULL ? 0 : 1,
	                             .thread = ref,
	                             .after_seq = after_seq,
	                             .limit = limit};
	const struct outcome *outcome = driver_wait(
		driver, bh_store_history(driver->store, &history, driver_done, driver, NULL));
	size_t len = 0;

	text[0] = '\0';
	if (outcome->code != 0) {
		return outcome->code == BH_ENOTFOUND ? "not found" : "error";
	}
	for (size_t i = 0; i < outcome->message_count && len < sizeof(text); i++) {
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i == 0 ? "" : " ",
		                        outcome->messages[i].body);
	}
	return text;
}

// A message whose text is its id; it answers @reply_to.
static void say(struct driver *driver, const char *from, const char *to, const char *id,
                const char *reply_to)
{
	struct bh_put put = {.message_id = id,
	                     .to = to,
	                     .from = from,
	                     .sender = BH_SENDER_AGENT,
	                     .reply_to = reply_to,
	                     .body = bh_span_of(id)};

	(void)driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
	assert_int_equal(driver->outcome.code, 0);
}

static void a_thread_is_found_from_any_of_its_messages(void **state)
{
	struct driver *driver = *state;
	static const char *const refs[] = {"m1", "m3", "m4", "m6", "root", "leaf"};

	say(driver, "anna", "bob", "root", NULL);
	say(driver, "anna", "bob", "other", NULL);
	say(driver, "bob", "anna", "left", "m1");
	say(driver, "bob", "anna", "right", "root");
	say(driver, "bob", "anna", "elsewhere", "other");
	say(driver, "anna", "bob", "leaf", "m4");
	for (size_t i = 0; i < sizeof(refs) / sizeof(refs[0]); i++) {
		assert_string_equal(thread(driver, refs[i], "anna", 0, 0), "root left right leaf");
	}
	assert_string_equal(thread(driver, "m5", NULL, 0, 0), "other elsewhere");
	assert_string_equal(thread(driver, "m1", NULL, 3, 0), "right leaf");
	assert_string_equal(thread(driver, "m1", NULL, 0, 2), "right leaf"); // the newest
	assert_string_equal(thread(driver, "m1", NULL, 1, 2), "left right"); // the oldest after it
	assert_string_equal(thread(driver, "m9", NULL, 0, 0), "not found");
}

static void only_what_one_may_see_is_told(void **state)
{
	struct driver *driver = *state;

	say(driver, "anna", "bob", "root", NULL);
	say(driver, "bob", "carl", "aside", "m1");
	say(driver, "bob", "anna", "answer", "m1");
	say(driver, "carl", "bob", "back", "m2");
	assert_string_equal(thread(driver, "m1", NULL, 0, 0), "root aside answer back");
	assert_string_equal(thread(driver, "m1", "anna", 0, 0), "root answer");
	assert_string_equal(thread(driver, "m2", "carl", 0, 0), "aside back");
	assert_string_equal(thread(driver, "m2", "dan", 0, 0), "not found");
	assert_string_equal(thread(driver, "m2", "bob", 0, 0), "root aside answer back");
}

static void members_see_the_threads_of_their_room(void **state)
{
	struct driver *driver = *state;
	static const char *const names[] = {"anna", "bob"};

	for (unsigned i = 0; i < 2; i++) {
		struct bh_membership membership = {
			.room = "#dev", .as = names[i], .names = &names[i], .name_count = 1};

		(void)driver_bind(driver, i + 1, names[i]);
		if (i == 1) { // before he came
			say(driver, "anna", "#dev", "early", NULL);
		}
		(void)driver_wait(driver, bh_store_join(driver->store, &membership, driver_done,
		                                        driver, NULL));
	}
	say(driver, "bob", "#dev", "late", "m1");
	assert_string_equal(thread(driver, "m2", "bob", 0, 0), "early late");
	assert_string_equal(thread(driver, "m2", "carl", 0, 0), "not found");
}

static void a_long_thread_is_told_from_its_end(void **state)
{
	struct driver *driver = *state;
	char id[16], reply_to[16];

	say(driver, "anna", "bob", "n1", NULL);
	for (unsigned i = 2; i <= 300; i++) {
		(void)snprintf(id, sizeof(id), "n%u", i);
		(void)snprintf(reply_to, sizeof(reply_to), "m%u", i - 1);
		say(driver, "anna", "bob", id, reply_to);
	}
	assert_string_equal(thread(driver, "m300", "bob", 0, 3), "n298 n299 n300");
	assert_string_equal(thread(driver, "m1", "bob", 0, 3), "n298 n299 n300");
	assert_string_equal(thread(driver, "m300", "bob", 1, 2), "n2 n3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(a_thread_is_found_from_any_of_its_messages),
		driver_test(only_what_one_may_see_is_told),
		driver_test(members_see_the_threads_of_their_room),
		driver_test(a_long_thread_is_told_from_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
