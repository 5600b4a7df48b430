#include "tests/unit/mail-driver.h"

#include "src/base/mem.h"
#include "src/mail/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A put of @len bytes as the store would queue it.
static struct bh_change *put_new(unsigned id, size_t len)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_PUT, NULL, NULL);

	(void)snprintf(change->message.message_id, BH_MESSAGE_ID_SIZE, "id-%u", id);
	(void)snprintf(change->message.from, BH_IDENTITY_SIZE, "coder");
	(void)snprintf(change->message.to, BH_IDENTITY_SIZE, "reviewer");
	change->message.body = bh_xmalloc(len + 1);
	memset(change->message.body, 'x', len);
	change->message.body_len = len;
	return change;
}

static void list_free(struct bh_list *list)
{
	bh_list_for (at, after, list) {
		bh_list_remove(at);
		bh_change_free(bh_container_of(at, struct bh_change, link));
	}
}

static void open_ledger(struct driver *driver, struct bh_ledger *ledger, unsigned max_pages)
{
	struct bh_effects effects = {0};
	struct bh_err err = {0};

	driver_close(driver);
	assert_int_equal(bh_ledger_open(ledger, driver->path, max_pages, &effects, &err), 0);
	bh_effects_clear(&effects);
}

static void one_too_big_takes_no_other_with_it(void **state)
{
	static const size_t sizes[] = {100, 200000, 100, 200000, 100};
	struct driver *driver = *state;
	struct bh_ledger ledger;
	struct bh_list batch;
	unsigned i = 0;
	int64_t count = 0;

	open_ledger(driver, &ledger,
	            100); // 400 KiB, a quarter of it the schema: one of the big ones fits
	bh_list_init(&batch);
	for (i = 0; i < 5; i++) {
		bh_list_append(&batch, &put_new(i, sizes[i])->link);
	}
	bh_writer_commit(&ledger, &batch);
	i = 0;
	bh_list_for (at, after, &batch) {
		const struct bh_answer *answer =
			&bh_container_of(at, struct bh_change, link)->answer;

		assert_int_equal(answer->err.code, i == 3 ? -ENOSPC : 0);
		if (i == 3) {
			assert_non_null(strstr(answer->err.text, "free disk space"));
			assert_int_equal(answer->message_count, 0);
			assert_int_equal(answer->seq, 0);
		} else {
			assert_int_equal(answer->seq, i < 3 ? i + 1 : 4); // numbers have no holes
		}
		i++;
	}
	list_free(&batch);
	assert_int_equal(bh_query_find(&ledger.db, &count, "SELECT count(*) FROM message", ""), 1);
	assert_int_equal(count, 4);
	assert_int_equal(bh_query_find(&ledger.db, &count, "SELECT count(*) FROM delivery", ""), 1);
	assert_int_equal(count, 4);
	bh_ledger_close(&ledger);
}

static void a_refusal_inside_a_batch_undoes_only_itself(void **state)
{
	struct driver *driver = *state;
	struct bh_ledger ledger;
	struct bh_list batch;
	struct bh_change *other = put_new(1, 7); // the id of another one, with other content
	unsigned i = 0;

	open_ledger(driver, &ledger, 0);
	bh_list_init(&batch);
	bh_list_append(&batch, &put_new(1, 5)->link);
	bh_list_append(&batch, &other->link);
	bh_list_append(&batch, &put_new(2, 5)->link);
	bh_list_append(&batch, &put_new(1, 5)->link);
	bh_writer_commit(&ledger, &batch);
	bh_list_for (at, after, &batch) {
		const struct bh_answer *answer =
			&bh_container_of(at, struct bh_change, link)->answer;

		assert_int_equal(answer->err.code, i == 1 ? BH_EEXISTS : 0);
		assert_int_equal(answer->is_replay, i == 3);
		i++;
	}
	list_free(&batch);
	bh_ledger_close(&ledger);
}

// Answers come in the order of the requests, however they were batched.
static void order_probe(void *user, const struct bh_answer *answer)
{
	uint64_t *last = user;

	assert_int_equal(answer->err.code, 0);
	assert_int_equal(answer->seq, *last + 1);
	*last = answer->seq;
}

static void thousands_keep_their_order(void **state)
{
	struct driver *driver = *state;
	struct bh_put put = {.to = "reviewer", .from = "coder", .body = bh_span_of("x")};
	uint64_t last = 0;
	unsigned sent = 0;
	char id[16];

	put.message_id = id;
	while (last < 3000) {
		while (sent < 3000) {
			(void)snprintf(id, sizeof(id), "id-%u", sent);
			if (bh_store_put(driver->store, &put, order_probe, &last, NULL) != 0) {
				break; // the queue is full: collect first
			}
			sent++;
		}
		(void)uv_run(&driver->loop, UV_RUN_ONCE);
	}
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 3000);
	driver_check(driver);
}

static long file_size(const struct driver *driver, const char *suffix)
{
	char path[576];
	FILE *file;
	long size;

	(void)snprintf(path, sizeof(path), "%s%s", driver->path, suffix);
	file = fopen(path, "r");
	if (file == NULL) {
		return 0;
	}
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	assert_int_equal(fclose(file), 0);
	return size;
}

static void the_log_is_put_away_when_it_grows_and_when_idle(void **state)
{
	struct driver *driver = *state;
	char *body = calloc(1, 100001);

	memset(body, 'x', 100000);
	for (unsigned i = 0; i < 100; i++) { // 10 MB
		assert_int_equal(driver_put(driver, i, "coder", "reviewer", body)->code, 0);
		assert_true(file_size(driver, "-wal") < 2L * BH_WRITER_WAL_MAX);
	}
	free(body);
	assert_true(file_size(driver, "") > 5000000);
	assert_int_equal(driver_put(driver, 1000, "coder", "reviewer", "x")->code, 0);
	assert_true(file_size(driver, "-wal") > 0);
	for (int i = 0; i < 50 && file_size(driver, "-wal") > 0; i++) {
		uv_sleep(BH_WRITER_IDLE_MS / 10);
	}
	assert_int_equal(file_size(driver, "-wal"), 0);
}

static void a_full_disk_refuses_and_then_works_again(void **state)
{
	struct driver *driver = *state;
	struct bh_err err;
	char *body = calloc(1, 200001);
	unsigned stored = 0;
	int code = 0;

	driver_close(driver);
	driver->max_pages = 200; // 800 KiB
	assert_int_equal(driver_open(driver, &err), 0);
	memset(body, 'x', 200000);
	for (unsigned i = 0; i < 10 && code == 0; i++) {
		code = driver_put(driver, i, "coder", "reviewer", body)->code;
		stored += code == 0;
	}
	assert_int_equal(code, -ENOSPC);
	assert_true(stored >= 2);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, stored); // nothing half stored
	assert_int_equal(driver_take(driver, BH_CLAIM_INBOX, 0, "reviewer", 1)->message_count, 1);
	assert_int_equal(
		driver_wait(driver, bh_store_confirm(driver->store, driver->outcome.claim_id,
	                                             driver_done, driver, NULL))
			->code,
		0); // mail still moves on
	driver_check(driver);
	driver_close(driver);
	driver->max_pages = 0;
	assert_int_equal(driver_open(driver, &err), 0);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, stored - 1);
	assert_int_equal(driver_put(driver, stored, "coder", "reviewer", body)->code, 0);
	assert_false(driver->outcome.is_replay); // the refused one was not stored
	free(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(one_too_big_takes_no_other_with_it),
		driver_test(a_refusal_inside_a_batch_undoes_only_itself),
		driver_test(thousands_keep_their_order),
		driver_test(the_log_is_put_away_when_it_grows_and_when_idle),
		driver_test(a_full_disk_refuses_and_then_works_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
