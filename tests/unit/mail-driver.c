#include "tests/unit/mail-driver.h"

#include "src/base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *uuid_of(unsigned n)
{
	static char texts[8][BH_CLAIM_TERMINAL_SIZE];
	static unsigned at;
	char *text = texts[at++ % 8];

	(void)snprintf(text, sizeof(texts[0]), "00000000-0000-4000-8000-%012u", n % 100000);
	return text;
}

static void outcome_clear(struct outcome *outcome)
{
	for (size_t i = 0; i < outcome->message_count; i++) {
		bh_message_clear(&outcome->messages[i]);
	}
	free(outcome->messages);
	free(outcome->receipts);
	memset(outcome, 0, sizeof(*outcome));
}

static void outcome_copy(struct outcome *outcome, const struct bh_answer *answer)
{
	outcome_clear(outcome);
	outcome->code = answer->err.code;
	memcpy(outcome->text, answer->err.text, sizeof(outcome->text));
	memcpy(outcome->name, answer->name, sizeof(outcome->name));
	outcome->seq = answer->seq;
	outcome->is_replay = answer->is_replay;
	outcome->claim_id = answer->claim_id;
	outcome->notice_id = answer->notice_id;
	outcome->unread_left = answer->unread_left;
	outcome->messages = bh_xcalloc(answer->message_count + 1, sizeof(*outcome->messages));
	for (size_t i = 0; i < answer->message_count; i++) {
		outcome->messages[i] = answer->messages[i];
		outcome->messages[i].body = bh_xstrdup(answer->messages[i].body);
	}
	outcome->message_count = answer->message_count;
	outcome->receipts = bh_xcalloc(answer->receipt_count + 1, sizeof(*outcome->receipts));
	for (size_t i = 0; i < answer->receipt_count; i++) {
		outcome->receipts[i] = answer->receipts[i];
	}
	outcome->receipt_count = answer->receipt_count;
}

void driver_done(void *user, const struct bh_answer *answer)
{
	struct driver *driver = user;

	outcome_copy(&driver->outcome, answer);
	driver->answered++;
}

static void on_changed(void *user, const struct bh_mailbox *mailbox)
{
	(void)mailbox;
	((struct driver *)user)->changes++;
}

static void on_closed(void *user)
{
	((struct driver *)user)->is_closed = true;
}

int driver_open(struct driver *driver, struct bh_err *err)
{
	static const struct bh_store_events events = {.changed = on_changed, .closed = on_closed};
	const struct bh_store_settings settings = {
		.loop = &driver->loop,
		.path = driver->path,
		.events = &events,
		.user = driver,
		.queue_max = driver->queue_max,
		.max_pages = driver->max_pages,
	};

	driver->is_closed = false;
	return bh_store_open(&settings, &driver->store, err);
}

void driver_start(struct driver *driver)
{
	const char *tmp = getenv("TMPDIR");
	struct bh_err err;

	memset(driver, 0, sizeof(*driver));
	(void)snprintf(driver->folder, sizeof(driver->folder), "%s/bellhop-mail-XXXXXX",
	               tmp == NULL ? "/tmp" : tmp);
	assert_non_null(mkdtemp(driver->folder));
	(void)snprintf(driver->path, sizeof(driver->path), "%s/mail.db", driver->folder);
	assert_int_equal(uv_loop_init(&driver->loop), 0);
	assert_int_equal(driver_open(driver, &err), 0);
}

void driver_close(struct driver *driver)
{
	if (driver->store == NULL) {
		return;
	}
	bh_store_close(driver->store);
	bh_store_close(driver->store); // a second time is harmless
	assert_false(driver->is_closed);
	(void)uv_run(&driver->loop, UV_RUN_DEFAULT);
	assert_true(driver->is_closed);
	driver->store = NULL;
}

void driver_stop(struct driver *driver)
{
	DIR *folder;
	struct dirent *entry;

	driver_close(driver);
	assert_int_equal(uv_loop_close(&driver->loop), 0);
	outcome_clear(&driver->outcome);
	folder = opendir(driver->folder);
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char path[800];

		(void)snprintf(path, sizeof(path), "%s/%s", driver->folder, entry->d_name);
		(void)unlink(path); // "." and ".." refuse
	}
	(void)closedir(folder);
	assert_int_equal(rmdir(driver->folder), 0);
}

int driver_setup(void **state)
{
	struct driver *driver = bh_xmalloc(sizeof(*driver));

	driver_start(driver);
	*state = driver;
	return 0;
}

int driver_teardown(void **state)
{
	driver_stop(*state);
	free(*state);
	return 0;
}

void driver_reopen(struct driver *driver)
{
	struct bh_err err = {0};

	driver_close(driver);
	assert_int_equal(driver_open(driver, &err), 0);
}

const struct bh_mailbox *driver_mailbox(struct driver *driver, const char *name)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(driver->store, name);

	assert_non_null(mailbox);
	return mailbox;
}

const struct outcome *driver_wait(struct driver *driver, int code)
{
	if (code != 0) {
		outcome_clear(&driver->outcome);
		driver->outcome.code = code;
		return &driver->outcome;
	}
	driver->asked++;
	while (driver->answered < driver->asked) {
		(void)uv_run(&driver->loop, UV_RUN_ONCE);
	}
	return &driver->outcome;
}

const struct outcome *driver_put(struct driver *driver, unsigned id, const char *from,
                                 const char *to, const char *body)
{
	char message_id[32];
	struct bh_put put = {
		.message_id = message_id,
		.to = to,
		.from = from,
		.sender = BH_SENDER_AGENT,
		.body = bh_span_of(body),
	};

	(void)snprintf(message_id, sizeof(message_id), "id-%u", id);
	return driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
}

const struct outcome *driver_bind(struct driver *driver, unsigned n, const char *identity)
{
	struct bh_terminal_record record = {.cols = 80, .rows = 24, .started_ms = n};

	(void)snprintf(record.uuid, sizeof(record.uuid), "%s", uuid_of(n));
	(void)snprintf(record.identity, sizeof(record.identity), "%s", identity);
	return driver_wait(
		driver, bh_store_bind(driver->store,
	                              &(struct bh_bind){.record = &record, .auto_base = "claude"},
	                              driver_done, driver, NULL));
}

const struct outcome *driver_take(struct driver *driver, enum bh_claim_kind kind, unsigned n,
                                  const char *name, size_t limit)
{
	struct bh_take take = {
		.kind = kind,
		.terminal = n == 0 ? NULL : uuid_of(n),
		.names = &name,
		.name_count = name == NULL ? 0 : 1,
		.limit = limit,
	};

	return driver_wait(driver, bh_store_take(driver->store, &take, driver_done, driver, NULL));
}

void driver_advance(struct driver *driver, uint64_t claim_id, enum bh_phase phase, int code)
{
	const struct outcome *outcome =
		driver_wait(driver, bh_store_advance(driver->store,
	                                             &(struct bh_advance){.claim_id = claim_id,
	                                                                  .phase = phase,
	                                                                  .detail = "detail"},
	                                             driver_done, driver, NULL));

	assert_int_equal(outcome->code, code);
}

const char *driver_receipts(struct driver *driver, uint64_t seq)
{
	static char text[16384];
	const struct outcome *outcome;
	char ref[32];
	size_t len = 0;

	(void)snprintf(ref, sizeof(ref), "m%llu", (unsigned long long)seq);
	outcome = driver_wait(driver,
	                      bh_store_receipts(driver->store, ref, driver_done, driver, NULL));
	assert_int_equal(outcome->code, 0);
	text[0] = '\0';
	for (size_t i = 0; i < outcome->receipt_count; i++) {
		const struct bh_receipt *receipt = &outcome->receipts[i];
		bool has_cause = receipt->cause[0] != '\0';

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s%s%s",
		                        len == 0 ? "" : " ", bh_receipt_word(receipt->step),
		                        has_cause ? "(" : "", receipt->cause, has_cause ? ")" : "");
		assert_true(len < sizeof(text));
		assert_true(receipt->at_ms > 0);
		assert_true(i == 0 || receipt->at_ms >= outcome->receipts[i - 1].at_ms);
	}
	return text;
}

static void mailbox_check(const struct bh_mailbox *mailbox)
{
	const struct bh_item *item = NULL;
	size_t unread = 0;
	size_t claimed = 0;
	uint64_t last = 0;

	for (item = bh_mailbox_first(mailbox); item != NULL; item = bh_mailbox_next(item)) {
		assert_true(item->seq > last); // in order, each once
		assert_ptr_equal(item->mailbox, mailbox);
		last = item->seq;
		unread += item->claim == NULL;
		claimed += item->claim != NULL;
	}
	assert_int_equal(unread, mailbox->unread);
	assert_int_equal(claimed, mailbox->claimed);
	for (item = bh_mailbox_first_unread(mailbox); item != NULL;
	     item = bh_mailbox_next_unread(item)) {
		assert_null(item->claim);
		unread--;
	}
	assert_int_equal(unread, 0);
}

void driver_check(struct driver *driver)
{
	const struct bh_mailbox *mailbox = NULL;
	const struct bh_claim *claim = NULL;
	const struct bh_terminal_record *terminal = NULL;
	size_t claimed = 0;

	while ((mailbox = bh_store_next_mailbox(driver->store, mailbox)) != NULL) {
		mailbox_check(mailbox);
		claimed += mailbox->claimed;
		assert_ptr_equal(bh_store_mailbox(driver->store, mailbox->name), mailbox);
	}
	while ((claim = bh_store_next_claim(driver->store, claim)) != NULL) {
		claimed -= claim->item_count;
		assert_ptr_equal(bh_store_claim(driver->store, claim->id), claim);
		assert_true(claim->phase != BH_PHASE_UNCERTAIN || claim->item_count == 0);
	}
	assert_int_equal(claimed, 0); // each claimed message has one owner
	while ((terminal = bh_store_next_terminal(driver->store, terminal)) != NULL) {
		const struct bh_mailbox *name = NULL;

		assert_true(terminal->notice.rings <= BH_NOTICE_RINGS_MAX);
		while ((name = bh_store_next_name(terminal, name)) != NULL) {
			assert_string_equal(name->terminal, terminal->uuid);
		}
	}
}
