/** @file
 * What the tests of the mail room share: a store on a real file in a folder of its own, driven from
 * the test until it has answered.
 */
#ifndef BH_TESTS_MAIL_DRIVER_H
#define BH_TESTS_MAIL_DRIVER_H

#include "src/mail/ledger.h"
#include "src/mail/store.h"

#include <uv.h>

// What cmocka wants before its own header.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** UUIDs of terminals for tests: uuid_of(7) is "00000000-0000-4000-8000-000000000007". Static. */
const char *uuid_of(unsigned n);

/** The last answer, copied. */
struct outcome {
	int code;
	char text[BH_ERR_TEXT_MAX];
	char name[BH_IDENTITY_SIZE];
	uint64_t seq;
	bool is_replay;
	uint64_t claim_id;
	uint64_t notice_id;
	uint64_t unread_left;
	struct bh_message *messages;
	size_t message_count;
	struct bh_receipt *receipts;
	size_t receipt_count;
};

/** A store under test. */
struct driver {
	uv_loop_t loop;
	char folder[512];
	char path[544];
	struct bh_store *store;
	struct outcome outcome;
	/** Answers that came and that are awaited. */
	unsigned answered;
	unsigned asked;
	/** Calls of the event `changed`. */
	unsigned changes;
	bool is_closed;
	/** Settings of the next driver_open(). */
	unsigned max_pages;
	size_t queue_max;
};

/** Make the folder and open the store; fails the test if it does not open. */
void driver_start(struct driver *driver);

/** Close, remove the folder. */
void driver_stop(struct driver *driver);

/** Open the store again in the same folder; gives the code of bh_store_open(). */
int driver_open(struct driver *driver, struct bh_err *err);

/** Close the store and wait for it. */
void driver_close(struct driver *driver);

/** The callback to give with a request. */
void driver_done(void *user, const struct bh_answer *answer);

/** Wait for the answer to a request that returned @code; its outcome (of the refusal, if not 0). */
const struct outcome *driver_wait(struct driver *driver, int code);

/** Send without frills; the message id is made of @id. */
const struct outcome *driver_put(struct driver *driver, unsigned id, const char *from,
                                 const char *to, const char *body);

/** Close the store and open it again; it must open. */
void driver_reopen(struct driver *driver);

/** The mailbox of a name; it must be there. */
const struct bh_mailbox *driver_mailbox(struct driver *driver, const char *name);

/** Bind terminal @n with @identity ("" for an automatic one), in its own line. */
const struct outcome *driver_bind(struct driver *driver, unsigned n, const char *identity);

/** Claim for terminal @n (0: from outside, mailbox @name). */
const struct outcome *driver_take(struct driver *driver, enum bh_claim_kind kind, unsigned n,
                                  const char *name, size_t limit);

/** Move an attempt, expecting @code. */
void driver_advance(struct driver *driver, uint64_t claim_id, enum bh_phase phase, int code);

/** The receipts of a message as "stored queued(working) seen(inbox)". Good until the next call. */
const char *driver_receipts(struct driver *driver, uint64_t seq);

/** Setup and teardown of cmocka: a started driver as the state. */
int driver_setup(void **state);

/** See driver_setup(). */
int driver_teardown(void **state);

/** A case that gets a driver. */
#define driver_test(function) \
	cmocka_unit_test_setup_teardown(function, driver_setup, driver_teardown)

/** Check every invariant of the mirror; fails the test when one is broken. */
void driver_check(struct driver *driver);

#endif
