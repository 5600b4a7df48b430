#include "src/mail/store.h"

#include "src/base/mem.h"
#include "src/mail/mirror.h"
#include "src/mail/submit.h"
#include "src/mail/writer.h"

#include <stdlib.h>
#include <string.h>

// Requests in the queue unless the settings say otherwise.
#define QUEUE_DEFAULT 4096

// Most bytes of bodies in the queue.
#define QUEUE_BYTES_MAX ((size_t)64 * 1024 * 1024)

// When the disk refused to take a lease back, it is tried again after this time.
#define LEASE_RETRY_MS 1000

// Names farther away than this are not what was meant.
#define NEAREST_LIMIT 3

struct bh_store {
	uv_loop_t *loop;
	const struct bh_store_events *events;
	void *user;
	uv_async_t notify;
	uv_timer_t lease;
	// Handles whose close callback is awaited.
	int handles;
	bool closing;
	size_t queue_max;
	// Requests, and bytes of their bodies, that were not answered yet.
	size_t pending;
	size_t pending_bytes;
	struct bh_mirror mirror;
	struct bh_ledger ledger;
	struct bh_writer writer;
	// Changes on their way to the writer. While answers are given they gather here, so that what
	// the answers lead to goes into one transaction.
	struct bh_list outgoing;
	bool is_answering;
};

// ---- answers -----------------------------------------------------------------------------------

// Unread mail in the mailboxes that a change names.
static uint64_t names_count_unread(const struct bh_store *store, const struct bh_change *change)
{
	const struct bh_terminal_record *terminal =
		bh_mirror_terminal(&store->mirror, change->terminal);
	uint64_t unread = 0;

	for (size_t i = 0; i < change->name_count; i++) {
		const struct bh_mailbox *mailbox =
			bh_mirror_mailbox(&store->mirror, change->names[i]);

		unread += mailbox == NULL ? 0 : mailbox->unread;
	}
	if (change->name_count == 0 && terminal != NULL) {
		const struct bh_mailbox *name = NULL;

		while ((name = bh_store_next_name(terminal, name)) != NULL) {
			unread += name->unread;
		}
	}
	return unread;
}

// What only memory knows.
static void answer_complete(const struct bh_store *store, struct bh_change *change)
{
	struct bh_answer *answer = &change->answer;

	if (change->claim_id != 0) {
		answer->claim_id = change->claim_id;
	}
	if (change->kind == BH_CHANGE_TAKE || change->has_take) {
		answer->unread_left = names_count_unread(store, change);
	} else if (change->kind == BH_CHANGE_PEEK) {
		uint64_t unread = names_count_unread(store, change);

		answer->unread_left =
			unread > answer->message_count ? unread - answer->message_count : 0;
	}
}

static void change_finish(struct bh_store *store, struct bh_change *change)
{
	store->pending--;
	store->pending_bytes -= change->message.body_len;
	bh_mirror_apply(&store->mirror, &change->effects, uv_now(store->loop));
	answer_complete(store, change);
	if (change->done != NULL) {
		change->done(change->user, &change->answer);
	}
	bh_change_free(change);
}

static void changed_report(struct bh_store *store)
{
	struct bh_mailbox *mailbox;

	while ((mailbox = bh_mirror_take_changed(&store->mirror)) != NULL) {
		if (store->events->changed != NULL) {
			store->events->changed(store->user, mailbox);
		}
	}
}

// ---- leases ------------------------------------------------------------------------------------

static void on_lease(uv_timer_t *timer);

// Set the timer for the lease that ends first, if there is one.
static void lease_schedule(struct bh_store *store)
{
	uint64_t now_ms = uv_now(store->loop);
	uint64_t first_ms = 0;

	if (store->closing) {
		return;
	}
	bh_list_for (at, after, &store->mirror.claims) {
		uint64_t until_ms = bh_container_of(at, struct bh_claim, link)->lease_until_ms;

		if (until_ms != 0 && (first_ms == 0 || until_ms < first_ms)) {
			first_ms = until_ms;
		}
	}
	if (first_ms == 0) {
		(void)uv_timer_stop(&store->lease); // always succeeds
		return;
	}
	// Fails only for a closing handle.
	(void)uv_timer_start(&store->lease, on_lease, first_ms > now_ms ? first_ms - now_ms : 0, 0);
}

static void lease_answered(void *user, const struct bh_answer *answer)
{
	struct bh_store *store = user;
	struct bh_claim *claim = bh_mirror_claim(&store->mirror, answer->claim_id);

	if (claim != NULL) { // still held, so it was refused by the disk
		claim->lease_until_ms = uv_now(store->loop) + LEASE_RETRY_MS;
	}
}

static void lease_end(struct bh_store *store, struct bh_claim *claim)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_RELEASE, lease_answered, store);

	change->claim_id = claim->id;
	change->flag = true; // it may have been shown
	change->text = bh_xstrdup("lease ended");
	claim->lease_until_ms = bh_store_submit(store, change, NULL) == 0
	                                ? 0
	                                : uv_now(store->loop) + LEASE_RETRY_MS;
}

static void on_lease(uv_timer_t *timer)
{
	struct bh_store *store = bh_container_of(timer, struct bh_store, lease);
	uint64_t now_ms = uv_now(store->loop);

	bh_list_for (at, after, &store->mirror.claims) {
		struct bh_claim *claim = bh_container_of(at, struct bh_claim, link);

		if (claim->lease_until_ms != 0 && claim->lease_until_ms <= now_ms) {
			lease_end(store, claim);
		}
	}
	lease_schedule(store);
}

// ---- life --------------------------------------------------------------------------------------

static void store_handle_closed(struct bh_store *store)
{
	const struct bh_store_events *events = store->events;
	void *user = store->user;

	store->handles--;
	if (store->handles > 0) {
		return;
	}
	bh_mirror_clear(&store->mirror);
	free(store);
	if (events->closed != NULL) {
		events->closed(user);
	}
}

static void on_notify_closed(uv_handle_t *handle)
{
	store_handle_closed(bh_container_of(handle, struct bh_store, notify));
}

static void on_lease_closed(uv_handle_t *handle)
{
	store_handle_closed(bh_container_of(handle, struct bh_store, lease));
}

static void store_close_handles(struct bh_store *store)
{
	uv_close((uv_handle_t *)&store->notify, on_notify_closed);
	uv_close((uv_handle_t *)&store->lease, on_lease_closed);
}

// Answer everything that was committed.
static void store_collect(struct bh_store *store)
{
	bool has_stopped =
		bh_writer_has_stopped(&store->writer); // before: then nothing comes after
	struct bh_list done;

	bh_list_init(&done);
	bh_writer_collect(&store->writer, &done);
	store->is_answering = true;
	while (!bh_list_is_empty(&done)) {
		struct bh_change *change = bh_container_of(done.next, struct bh_change, link);

		bh_list_remove(&change->link);
		change_finish(store, change);
	}
	changed_report(store);
	store->is_answering = false;
	bh_writer_queue(&store->writer, &store->outgoing);
	lease_schedule(store);
	if (has_stopped && store->closing) {
		bh_writer_join(&store->writer);
		store_close_handles(store);
	}
}

static void on_notify(uv_async_t *async)
{
	store_collect(bh_container_of(async, struct bh_store, notify));
}

// The handles and the thread. On failure nothing is left.
static int store_start(struct bh_store *store, struct bh_err *err)
{
	int code = uv_async_init(store->loop, &store->notify, on_notify);

	if (code < 0) {
		return bh_err_sys(err, -code, "open the mail store");
	}
	(void)uv_timer_init(store->loop, &store->lease); // always succeeds
	store->handles = 2;
	return bh_writer_start(&store->writer, &store->ledger, &store->notify, err);
}

int bh_store_open(const struct bh_store_settings *settings, struct bh_store **store_out,
                  struct bh_err *err)
{
	static const struct bh_store_events no_events = {0};
	struct bh_store *store = bh_xmalloc(sizeof(*store));
	struct bh_effects effects = {0};
	int code;

	store->loop = settings->loop;
	store->events = settings->events == NULL ? &no_events : settings->events;
	store->user = settings->user;
	store->queue_max = settings->queue_max == 0 ? QUEUE_DEFAULT : settings->queue_max;
	bh_list_init(&store->outgoing);
	bh_mirror_init(&store->mirror);
	code = bh_ledger_open(&store->ledger, settings->path, settings->max_pages, &effects, err);
	if (code < 0) {
		free(store);
		return code;
	}
	bh_mirror_apply(&store->mirror, &effects, uv_now(store->loop));
	bh_effects_clear(&effects);
	store->mirror.last_seq = store->ledger.last_seq;
	while (bh_mirror_take_changed(&store->mirror) != NULL) { // nobody knew it otherwise
	}
	code = store_start(store, err);
	if (code < 0) {
		bh_ledger_close(&store->ledger);
		store->events = &no_events;
		if (store->handles > 0) {
			store_close_handles(store); // frees
		} else {
			bh_mirror_clear(&store->mirror);
			free(store);
		}
		return code;
	}
	*store_out = store;
	return 0;
}

void bh_store_close(struct bh_store *store)
{
	if (store->closing) {
		return;
	}
	store->closing = true;
	(void)uv_timer_stop(&store->lease); // always succeeds
	bh_writer_queue(&store->writer, &store->outgoing);
	bh_writer_stop(&store->writer);
}

int bh_store_submit(struct bh_store *store, struct bh_change *change_take, struct bh_err *err)
{
	// Sends stop at half of the queue, so that what moves mail on always finds room.
	size_t max = change_take->kind == BH_CHANGE_PUT ? store->queue_max / 2 : store->queue_max;
	int code = 0;

	if (store->closing) {
		code = bh_err_set(err, BH_ECLOSED, "the mail store is closing; nothing was stored");
	} else if (store->pending >= max ||
	           store->pending_bytes + change_take->message.body_len > QUEUE_BYTES_MAX) {
		code = bh_err_set(
			err, BH_EBUSY,
			"the mail store is busy; nothing was stored: try again in a moment");
	}
	if (code < 0) {
		bh_change_free(change_take);
		return code;
	}
	store->pending++;
	store->pending_bytes += change_take->message.body_len;
	bh_list_append(&store->outgoing, &change_take->link);
	if (!store->is_answering) {
		bh_writer_queue(&store->writer, &store->outgoing);
	}
	return 0;
}

// ---- reads -------------------------------------------------------------------------------------

// The link after @link, or the first; NULL at the end.
static struct bh_list *list_next(const struct bh_list *head, const struct bh_list *link)
{
	struct bh_list *next = link == NULL ? head->next : link->next;

	return next == head ? NULL : next;
}

const struct bh_mailbox *bh_store_mailbox(const struct bh_store *store, const char *name)
{
	return bh_mirror_mailbox(&store->mirror, name);
}

const struct bh_mailbox *bh_store_next_mailbox(const struct bh_store *store,
                                               const struct bh_mailbox *previous)
{
	struct bh_list *next =
		list_next(&store->mirror.mailboxes, previous == NULL ? NULL : &previous->link);

	return next == NULL ? NULL : bh_container_of(next, struct bh_mailbox, link);
}

const struct bh_item *bh_store_item(const struct bh_store *store, const char *name, uint64_t seq)
{
	const struct bh_mailbox *mailbox = bh_mirror_mailbox(&store->mirror, name);

	return mailbox == NULL ? NULL : bh_mirror_item(&store->mirror, mailbox->id, seq);
}

uint64_t bh_store_last_seq(const struct bh_store *store)
{
	return store->mirror.last_seq;
}

const struct bh_terminal_record *bh_store_terminal(const struct bh_store *store, const char *uuid)
{
	return bh_mirror_terminal(&store->mirror, uuid);
}

const struct bh_terminal_record *bh_store_next_terminal(const struct bh_store *store,
                                                        const struct bh_terminal_record *previous)
{
	struct bh_list *next =
		list_next(&store->mirror.terminals, previous == NULL ? NULL : &previous->link);

	return next == NULL ? NULL : bh_container_of(next, struct bh_terminal_record, link);
}

const struct bh_mailbox *bh_store_next_name(const struct bh_terminal_record *terminal,
                                            const struct bh_mailbox *previous)
{
	struct bh_list *next =
		list_next(&terminal->names, previous == NULL ? NULL : &previous->bound_link);

	return next == NULL ? NULL : bh_container_of(next, struct bh_mailbox, bound_link);
}

const struct bh_mailbox *bh_store_speaks_as(const struct bh_terminal_record *terminal)
{
	return bh_list_is_empty(&terminal->names)
	               ? NULL
	               : bh_container_of(terminal->names.prev, struct bh_mailbox, bound_link);
}

const struct bh_claim *bh_store_claim(const struct bh_store *store, uint64_t claim_id)
{
	return bh_mirror_claim(&store->mirror, claim_id);
}

const struct bh_claim *bh_store_next_claim(const struct bh_store *store,
                                           const struct bh_claim *previous)
{
	struct bh_list *next =
		list_next(&store->mirror.claims, previous == NULL ? NULL : &previous->link);

	return next == NULL ? NULL : bh_container_of(next, struct bh_claim, link);
}

const struct bh_claim *bh_store_attempt(const struct bh_store *store, const char *terminal)
{
	const struct bh_claim *claim = NULL;

	while ((claim = bh_store_next_claim(store, claim)) != NULL) {
		if (bh_claim_is_attempt(claim) && strcmp(claim->terminal, terminal) == 0) {
			return claim;
		}
	}
	return NULL;
}

// Put a name with its distance among the nearest ones, ordered; the farthest falls out.
static size_t nearest_insert(const struct bh_mailbox **mailboxes, unsigned *distances, size_t count,
                             size_t max, const struct bh_mailbox *mailbox, unsigned distance)
{
	size_t at = count < max ? count : max - 1;

	if (count == max && distances[at] <= distance) {
		return count;
	}
	for (; at > 0 && distances[at - 1] > distance; at--) {
		mailboxes[at] = mailboxes[at - 1];
		distances[at] = distances[at - 1];
	}
	mailboxes[at] = mailbox;
	distances[at] = distance;
	return count < max ? count + 1 : count;
}

size_t bh_store_nearest(const struct bh_store *store, const char *name,
                        const struct bh_mailbox **mailboxes_out, size_t max)
{
	unsigned distances[BH_STORE_NEAREST_MAX];
	// A short name is near to every short name: fewer mistakes are forgiven.
	size_t len = strlen(name);
	unsigned limit = len < 3 ? 1 : len < 6 ? 2 : NEAREST_LIMIT;
	char folded[BH_IDENTITY_SIZE];
	uint64_t letters;
	size_t count = 0;

	bh_identity_fold(name, folded);
	letters = bh_identity_letters(folded);
	max = max < BH_STORE_NEAREST_MAX ? max : BH_STORE_NEAREST_MAX;
	if (max == 0) {
		return 0;
	}
	for (size_t i = 0; i < store->mirror.known_count; i++) {
		const struct bh_known_name *known = &store->mirror.known[i];
		const struct bh_mailbox *mailbox = known->mailbox;
		unsigned distance;

		if (!bh_identity_may_be_near(letters, known->letters, limit) ||
		    mailbox->kind == BH_IDENTITY_BELLHOP) {
			continue;
		}
		distance = bh_identity_distance(name, mailbox->name, limit);
		if (distance <= limit) {
			count = nearest_insert(mailboxes_out, distances, count, max, mailbox,
			                       distance);
		}
	}
	return count;
}

size_t bh_store_pending(const struct bh_store *store)
{
	return store->pending;
}
