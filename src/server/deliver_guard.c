#include "src/server/deliver_guard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/mail/map.h"
#include "src/mail/store_guard.h"
#include "src/server/deliver_station.h"
#include "src/wake/rate.h"

/** Pairs that are kept before the quiet ones are forgotten. */
#define PAIRS_MANY 256
/** Most unread messages that are looked through for one that may wake. */
#define LOOK_MAX 4096
/** Most stopped messages that are remembered. */
#define LOOPS_MAX 256
/** The machine was suspended if it slept longer than this (ms). */
#define SUSPEND_MS 2000

/** A sender and a recipient. */
struct pair {
	/** In bh_guard_book.pairs; and in .limited while limited_from is set. */
	struct bh_list link;
	struct bh_list limited_link;
	/** Folded names of recipient and sender, the key of the map. */
	char names[2][BH_IDENTITY_SIZE];
	/** Its waking messages. */
	struct bh_rate rate;
	/** Messages from this number on came too fast, and wait; 0: none. */
	uint64_t limited_from;
	/** The recipient was told that their chain does not wake any more. */
	bool is_loop_told;
};

struct bh_guard_book {
	struct bh_deliver *deliver;
	/** Pairs (struct pair.link), those that wait (.limited_link), and all by their names. */
	struct bh_list pairs;
	struct bh_list limited;
	struct bh_map by_names;
	/** Typings that began, and until when they are counted. */
	struct bh_rate begins;
	uint64_t resume_until_ms;
	/** How long the machine had slept when it was looked at last. */
	uint64_t slept_ms;
	/** Messages that their chain keeps from waking. */
	struct bh_station_mail loops[LOOPS_MAX];
	size_t loop_count;
};

// ---- the flood after a resume ----

struct bh_guard_book *bh_guard_book_new(struct bh_deliver *deliver)
{
	struct bh_guard_book *book = bh_xmalloc(sizeof(*book));

	*book = (struct bh_guard_book){
		.deliver = deliver,
		.begins = {.max = BH_RATE_RESUME, .window_ms = BH_RATE_RESUME_MS},
		.resume_until_ms = deliver->host->now_ms(deliver->user) + BH_RATE_RESUME_FOR_MS,
		.slept_ms = deliver->host->slept_ms(deliver->user)};
	bh_list_init(&book->pairs);
	bh_list_init(&book->limited);
	return book;
}

void bh_guard_book_free(struct bh_guard_book *book)
{
	if (book == NULL) {
		return;
	}
	bh_map_clear(&book->by_names);
	bh_list_for (at, next, &book->pairs) {
		bh_list_remove(at);
		free(bh_container_of(at, struct pair, link));
	}
	free(book);
}

bool bh_guard_resume(struct bh_deliver *deliver, uint64_t now_ms)
{
	struct bh_guard_book *book = deliver->guards;
	uint64_t slept_ms = deliver->host->slept_ms(deliver->user);
	bool has_slept = slept_ms > book->slept_ms + SUSPEND_MS;

	book->slept_ms = slept_ms;
	if (has_slept) {
		book->resume_until_ms = now_ms + BH_RATE_RESUME_FOR_MS;
		deliver->host->resumed(deliver->user);
	}
	return has_slept;
}

bool bh_guard_may_begin(struct bh_station *station, uint64_t now_ms)
{
	struct bh_guard_book *book = station->deliver->guards;
	uint64_t free_ms;

	if (bh_guard_resume(station->deliver, now_ms)) {
		// What was seen before says nothing about now: decide anew.
		station->retry_ms = now_ms + BH_DELIVER_RETRY_MS;
		return false;
	}
	if (now_ms >= book->resume_until_ms) {
		return true;
	}
	free_ms = bh_rate_free_ms(&book->begins, now_ms);
	if (free_ms != 0) {
		station->retry_ms = free_ms;
		return false;
	}
	bh_rate_count(&book->begins, now_ms);
	return true;
}

// ---- the rate of a pair ----

static struct pair *pair_find(const struct bh_guard_book *book, const struct bh_item *item)
{
	char names[2][BH_IDENTITY_SIZE] = {0};

	bh_identity_fold(item->mailbox->name, names[0]);
	bh_identity_fold(item->from, names[1]);
	return bh_map_get(&book->by_names, names, sizeof(names));
}

/** Forget pairs whose last waking message is too old to count. */
static void pairs_sweep(struct bh_guard_book *book, uint64_t now_ms)
{
	bh_list_for (at, next, &book->pairs) {
		struct pair *pair = bh_container_of(at, struct pair, link);

		if (now_ms - bh_rate_last_ms(&pair->rate) > BH_RATE_PAIR_MS) {
			(void)bh_map_remove(&book->by_names, pair->names,
			                    sizeof(pair->names)); // it is the pair
			bh_list_remove(&pair->link);
			bh_list_remove(&pair->limited_link);
			free(pair);
		}
	}
}

static struct pair *pair_get(struct bh_guard_book *book, const struct bh_item *item,
                             uint64_t now_ms)
{
	struct pair *pair = pair_find(book, item);

	if (pair != NULL) {
		return pair;
	}
	if (book->by_names.count >= PAIRS_MANY) {
		pairs_sweep(book, now_ms);
	}
	pair = bh_xmalloc(sizeof(*pair));
	*pair = (struct pair){.rate = {.max = BH_RATE_PAIR, .window_ms = BH_RATE_PAIR_MS}};
	bh_identity_fold(item->mailbox->name, pair->names[0]);
	bh_identity_fold(item->from, pair->names[1]);
	bh_list_init(&pair->limited_link);
	bh_list_append(&book->pairs, &pair->link);
	bh_map_add(&book->by_names, pair->names, sizeof(pair->names), pair);
	return pair;
}

/** Whether it came too fast. One that waited long enough counts now, and goes. */
static bool item_is_limited(struct bh_guard_book *book, const struct bh_item *item)
{
	uint64_t now_ms = book->deliver->host->now_ms(book->deliver->user);
	struct pair *pair = pair_find(book, item);

	if (pair == NULL || pair->limited_from == 0 || item->seq < pair->limited_from) {
		return false;
	}
	if (bh_rate_free_ms(&pair->rate, now_ms) != 0) {
		return true;
	}
	bh_rate_count(&pair->rate, now_ms);
	pair->limited_from = item->seq + 1;
	return false;
}

uint64_t bh_guard_next_ms(const struct bh_deliver *deliver, uint64_t now_ms)
{
	uint64_t next_ms = 0;

	bh_list_for (at, next, &deliver->guards->limited) {
		const struct pair *pair = bh_container_of(at, struct pair, limited_link);
		uint64_t free_ms = bh_rate_free_ms(&pair->rate, now_ms);

		if (free_ms != 0 && (next_ms == 0 || free_ms < next_ms)) {
			next_ms = free_ms;
		}
	}
	return next_ms;
}

// ---- one message ----

/** A stopped message, for bh_guard_person(); those that are over are forgotten. */
static void loop_remember(struct bh_guard_book *book, const struct bh_item *item)
{
	for (size_t i = 0; i < book->loop_count; i++) {
		if (book->loops[i].seq == item->seq) {
			return;
		}
	}
	if (book->loop_count == LOOPS_MAX) {
		return; // then every act of a person counts
	}
	book->loops[book->loop_count].seq = item->seq;
	memcpy(book->loops[book->loop_count++].mailbox, item->mailbox->name, BH_IDENTITY_SIZE);
}

struct bh_guards bh_guard_item(struct bh_deliver *deliver, const struct bh_item *item)
{
	return (struct bh_guards){
		.dnd = bh_guard_dnd(deliver, item->mailbox),
		.is_blocked = bh_mailbox_blocks(item->mailbox, item->from),
		.is_loop = item->hops >= BH_MESSAGE_HOPS_MAX,
		.is_rate_limited = item_is_limited(deliver->guards, item),
	};
}

/** Whether a message may wake somebody, as far as it goes. */
static bool item_may_wake(struct bh_guard_book *book, const struct bh_item *item)
{
	if (item->hops >= BH_MESSAGE_HOPS_MAX) {
		loop_remember(book, item);
		return false;
	}
	return !item->is_quiet && !bh_mailbox_blocks(item->mailbox, item->from) &&
	       !item_is_limited(book, item);
}

const struct bh_item *bh_guard_waker(struct bh_station *station)
{
	const struct bh_deliver *deliver = station->deliver;
	const struct bh_terminal_record *record = bh_store_terminal(deliver->store, station->id);
	const struct bh_mailbox *name = NULL;
	const struct bh_item *found = NULL;
	unsigned looked = 0;

	while (record != NULL && (name = bh_store_next_name(record, name)) != NULL) {
		const struct bh_item *item = bh_mailbox_first_unread(name);

		while (item != NULL && (found == NULL || item->seq < found->seq) &&
		       looked++ < LOOK_MAX) {
			if (item_may_wake(deliver->guards, item)) {
				found = item;
				break;
			}
			item = bh_mailbox_next_unread(item);
		}
	}
	return found;
}

const struct bh_item *bh_guard_waker_in(struct bh_deliver *deliver,
                                        const struct bh_mailbox *mailbox)
{
	const struct bh_item *item = bh_mailbox_first_unread(mailbox);

	for (unsigned looked = 0; item != NULL && looked < LOOK_MAX; looked++) {
		if (item_may_wake(deliver->guards, item)) {
			return item;
		}
		item = bh_mailbox_next_unread(item);
	}
	return NULL;
}

// ---- what was stored ----

/** The recipient of a chain that wakes nobody any more hears so once, without being woken. */
static void loop_tell(struct bh_deliver *deliver, const struct bh_item *item)
{
	const char *to = item->mailbox->name;
	char *id = bh_xasprintf("bellhop-loop-m%" PRIu64 "-%" PRIu64, item->seq, item->mailbox->id);
	char *topic = bh_xasprintf("loop-%.50s", item->from);
	char *body = bh_xasprintf(
		"Mail m%" PRIu64
		" of %s does not wake you, nor does what follows: %d messages went "
		"to and fro without a person. It is in your inbox. Answer only if it is needed; a "
		"person's key in either terminal, or `bellhop ring %s`, lets this chain wake again.",
		item->seq, item->from, BH_MESSAGE_HOPS_MAX, to);
	char *notice = bh_xasprintf("%s and %s write each other without end; their mail wakes them "
	                            "no more until you act (`bellhop ring %s`)",
	                            item->from, to, to);
	struct bh_put put = {.message_id = id,
	                     .to = to,
	                     .from = "bellhop",
	                     .sender = BH_SENDER_BELLHOP,
	                     .is_quiet = true,
	                     .topic = topic,
	                     .body = bh_span_of(body)};

	(void)bh_store_put(deliver->store, &put, NULL, NULL, NULL); // the receipt says it, too
	deliver->host->tell(deliver->user, notice);
	free(id);
	free(topic);
	free(body);
	free(notice);
}

static void item_note(struct bh_deliver *deliver, const struct bh_item *item, enum bh_reason reason)
{
	(void)bh_store_note(deliver->store,
	                    &(struct bh_note){.mailbox = item->mailbox->name,
	                                      .seq = item->seq,
	                                      .step = BH_RECEIPT_QUEUED,
	                                      .cause = bh_word(BH_WORDS_REASON, (int)reason)},
	                    NULL, NULL, NULL); // a note lost to a full queue is no harm
}

/** Count a waking message of its pair. A person wakes whom they like. */
static void rate_stored(struct bh_deliver *deliver, const struct bh_item *item, struct pair *pair)
{
	uint64_t now_ms = deliver->host->now_ms(deliver->user);

	if (item->sender == BH_SENDER_OPERATOR) {
		return;
	}
	if (bh_rate_free_ms(&pair->rate, now_ms) == 0) {
		bh_rate_count(&pair->rate, now_ms);
		pair->limited_from = 0; // those that waited were free to go before this one
		bh_list_remove(&pair->limited_link);
		return;
	}
	if (pair->limited_from == 0) {
		pair->limited_from = item->seq;
		bh_list_append(&deliver->guards->limited, &pair->limited_link);
	}
	item_note(deliver, item, BH_REASON_RATE_LIMITED);
}

/** A message that its chain keeps from waking. */
static void loop_stored(struct bh_deliver *deliver, const struct bh_item *item, struct pair *pair)
{
	loop_remember(deliver->guards, item);
	item_note(deliver, item, BH_REASON_LOOP);
	if (!pair->is_loop_told) {
		pair->is_loop_told = true;
		loop_tell(deliver, item);
	}
}

void bh_guard_stored(struct bh_deliver *deliver, const struct bh_item *item, bool can_wake)
{
	struct pair *pair;

	if (bh_mailbox_blocks(item->mailbox, item->from)) {
		item_note(deliver, item, BH_REASON_BLOCKED_SENDER);
		return;
	}
	if (!can_wake || item->is_quiet) {
		return;
	}
	pair = pair_get(deliver->guards, item, deliver->host->now_ms(deliver->user));
	if (item->hops >= BH_MESSAGE_HOPS_MAX) {
		loop_stored(deliver, item, pair);
	} else {
		pair->is_loop_told = false;
		rate_stored(deliver, item, pair);
	}
}

static void parked_tell(const struct bh_station *station)
{
	const struct bh_deliver *deliver = station->deliver;
	const struct bh_terminal_record *record = bh_store_terminal(deliver->store, station->id);
	const struct bh_mailbox *name = record != NULL ? bh_store_speaks_as(record) : NULL;
	char *text;

	if (name == NULL) {
		return;
	}
	text = bh_xasprintf("%s was told of its mail and does not read it; it hears no more of it "
	                    "until you act (`bellhop ring %s`)",
	                    name->name, name->name);
	deliver->host->tell(deliver->user, text);
	free(text);
}

static void on_parked(void *user, const struct bh_answer *answer)
{
	struct bh_station *station = user;
	struct bh_deliver *deliver = station->deliver;

	station->pending--;
	station->is_parking = false;
	if (answer->err.code == 0) {
		parked_tell(station);
		bh_deliver_stir(deliver);
	} else {
		station->retry_ms = deliver->host->now_ms(deliver->user) + BH_DELIVER_RETRY_MS;
		bh_deliver_schedule(deliver);
	}
	(void)bh_station_release(station);
}

void bh_guard_park(struct bh_station *station)
{
	const struct bh_deliver *deliver = station->deliver;

	if (station->is_parking || deliver->host->now_ms(deliver->user) < station->retry_ms) {
		return;
	}
	bh_budget_park(&station->budget);
	if (bh_store_park(deliver->store, station->id, on_parked, station, NULL) == 0) {
		station->is_parking = true;
		station->pending++;
	}
}

// ---- do not disturb ----

/** What the wish of one name means now. */
static enum bh_dnd dnd_of(const struct bh_mailbox *mailbox, int64_t wall_ms)
{
	switch (mailbox->dnd) {
	case BH_DND_STATE_ON:
		return BH_DND_ENDLESS;
	case BH_DND_STATE_TIME:
		return wall_ms < mailbox->dnd_until_ms ? BH_DND_UNTIL : BH_DND_OFF;
	case BH_DND_STATE_NEXT_IDLE:
	case BH_DND_STATE_IDLE:
		return BH_DND_UNTIL;
	case BH_DND_STATE_OFF:
		break;
	}
	return BH_DND_OFF;
}

enum bh_dnd bh_guard_dnd(const struct bh_deliver *deliver, const struct bh_mailbox *mailbox)
{
	const struct bh_terminal_record *record =
		bh_store_terminal(deliver->store, mailbox->terminal);
	int64_t wall_ms = deliver->host->wall_ms(deliver->user);
	enum bh_dnd worst = dnd_of(mailbox, wall_ms);
	const struct bh_mailbox *name = NULL;

	while (record != NULL && (name = bh_store_next_name(record, name)) != NULL) {
		enum bh_dnd dnd = dnd_of(name, wall_ms);

		worst = dnd > worst ? dnd : worst;
	}
	return worst;
}

uint64_t bh_guard_dnd_ends_in(const struct bh_deliver *deliver, const struct bh_mailbox *mailbox,
                              uint64_t now_ms)
{
	int64_t wall_ms = deliver->host->wall_ms(deliver->user);

	if (mailbox->dnd != BH_DND_STATE_TIME || mailbox->dnd_until_ms <= wall_ms) {
		return 0;
	}
	return now_ms + (uint64_t)(mailbox->dnd_until_ms - wall_ms);
}

uint64_t bh_guard_dnd_ends_ms(const struct bh_station *station, uint64_t now_ms)
{
	const struct bh_deliver *deliver = station->deliver;
	const struct bh_terminal_record *record = bh_store_terminal(deliver->store, station->id);
	const struct bh_mailbox *name = NULL;
	uint64_t next_ms = 0;

	while (record != NULL && (name = bh_store_next_name(record, name)) != NULL) {
		uint64_t end_ms = bh_guard_dnd_ends_in(deliver, name, now_ms);

		if (end_ms != 0 && (next_ms == 0 || end_ms < next_ms)) {
			next_ms = end_ms;
		}
	}
	return next_ms;
}

// ---- turns ----

/** A request of the guards for a station is done. */
static void on_observed(void *user, const struct bh_answer *answer)
{
	struct bh_station *station = user;

	(void)answer; // what failed is asked for again at the next look
	station->pending--;
	station->is_observing = false;
	(void)bh_station_release(station);
}

/** A person's act is on disk, or it could not be written and the next key tries again. */
static void on_person(void *user, const struct bh_answer *answer)
{
	struct bh_station *station = user;

	station->pending--;
	station->is_person_told = false;
	if (answer->err.code != 0) {
		station->person_seq = 0;
	}
	(void)bh_station_release(station);
}

/** Whether the turn that took mail last has not been seen to end. */
static bool has_turn(const struct bh_terminal_record *record)
{
	return record->has_turn_mail || (record->turn_hops >= 0 && !record->is_turn_over);
}

/** Ask the store for the next state of the first wish that waits for idle. 0: asked. */
static int dnd_observe(struct bh_station *station, const struct bh_terminal_record *record,
                       bool is_free, bool is_working)
{
	const struct bh_mailbox *name = NULL;

	while ((name = bh_store_next_name(record, name)) != NULL) {
		struct bh_set_dnd what = {.name = name->name};

		if (name->dnd == BH_DND_STATE_NEXT_IDLE && is_working) {
			what.dnd = BH_DND_STATE_IDLE;
		} else if (name->dnd != BH_DND_STATE_IDLE || !is_free) {
			continue;
		}
		return bh_store_set_dnd(station->deliver->store, &what, on_observed, station, NULL);
	}
	return BH_ENOTFOUND;
}

void bh_guard_observe(struct bh_station *station, bool is_free, bool is_working, uint64_t now_ms)
{
	struct bh_store *store = station->deliver->store;
	const struct bh_terminal_record *record = bh_store_terminal(store, station->id);
	int code = BH_ENOTFOUND;

	if (record == NULL || station->is_observing) {
		return;
	}
	if (!has_turn(record)) {
		station->turn_ms = 0;
		station->has_turn_worked = false;
	} else if (station->turn_ms == 0) {
		station->turn_ms = now_ms;
	}
	station->has_turn_worked |= is_working && station->turn_ms != 0;
	if (station->turn_ms != 0 && is_free &&
	    (station->has_turn_worked || now_ms - station->turn_ms > BH_DELIVER_TURN_MS)) {
		code = bh_store_end_turn(store, station->id, on_observed, station, NULL);
	}
	if (code != 0) {
		code = dnd_observe(station, record, is_free, is_working);
	}
	if (code == 0) {
		station->is_observing = true;
		station->pending++;
	}
}

bool bh_guard_watches(const struct bh_station *station)
{
	const struct bh_terminal_record *record =
		bh_store_terminal(station->deliver->store, station->id);
	const struct bh_mailbox *name = NULL;

	if (record == NULL) {
		return false;
	}
	while ((name = bh_store_next_name(record, name)) != NULL) {
		if (name->dnd == BH_DND_STATE_NEXT_IDLE || name->dnd == BH_DND_STATE_IDLE) {
			return true;
		}
	}
	return has_turn(record);
}

// ---- a person acts ----

/** Whether the terminal sent or holds a message that its chain keeps from waking. */
static bool station_has_loop(struct bh_guard_book *book, const struct bh_station *station)
{
	const struct bh_store *store = book->deliver->store;
	bool has_loop = book->loop_count == LOOPS_MAX;
	size_t kept = 0;

	for (size_t i = 0; i < book->loop_count; i++) {
		const struct bh_item *item =
			bh_store_item(store, book->loops[i].mailbox, book->loops[i].seq);
		const struct bh_mailbox *from;

		if (item == NULL || item->hops < BH_MESSAGE_HOPS_MAX) {
			continue;
		}
		from = bh_store_mailbox(store, item->from);
		has_loop |= strcmp(item->mailbox->terminal, station->id) == 0 ||
		            (from != NULL && strcmp(from->terminal, station->id) == 0);
		book->loops[kept++] = book->loops[i];
	}
	book->loop_count = kept;
	return has_loop;
}

/** Whether mail of a chain has come since a person acted here: from now on it counts as none. */
static bool station_has_chain(const struct bh_station *station,
                              const struct bh_terminal_record *record)
{
	const struct bh_mailbox *name = NULL;
	unsigned looked = 0;

	while ((name = bh_store_next_name(record, name)) != NULL) {
		const struct bh_item *item = bh_mailbox_first(name);

		for (; item != NULL && looked < LOOK_MAX; looked++) {
			if (item->hops > 0 && item->seq > station->person_seq) {
				return true;
			}
			item = bh_mailbox_next(item);
		}
	}
	return false;
}

void bh_guard_person(struct bh_station *station)
{
	struct bh_deliver *deliver = station->deliver;
	const struct bh_terminal_record *record = bh_store_terminal(deliver->store, station->id);

	// A person's every key is no news: only what they change goes to the disk.
	if (record == NULL || station->is_person_told ||
	    (record->turn_hops <= 0 && !station_has_chain(station, record) &&
	     !station_has_loop(deliver->guards, station))) {
		return;
	}
	if (bh_store_person(deliver->store, station->id, on_person, station, NULL) == 0) {
		station->is_person_told = true;
		station->person_seq = bh_store_last_seq(deliver->store);
		station->pending++;
	}
}
