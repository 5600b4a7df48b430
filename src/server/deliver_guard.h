/** @file
 * Internal to delivery (deliver*.c): the guards of doc/CONTRACT.md section 8, which keep mail from
 * waking too often: rate, loop, block, "do not disturb", and the flood after a resume.
 */
#ifndef BH_SERVER_DELIVER_GUARD_H
#define BH_SERVER_DELIVER_GUARD_H

#include "src/wake/decide.h"

#include <stdbool.h>
#include <stdint.h>

struct bh_deliver;
struct bh_item;
struct bh_mailbox;
struct bh_put;
struct bh_station;

/** What the guards remember; lost with the server, which only makes them milder. */
struct bh_guard_book;

/** An empty one. A start of the server is a resume. */
struct bh_guard_book *bh_guard_book_new(struct bh_deliver *deliver);

/** Free it. NULL is allowed. */
void bh_guard_book_free(struct bh_guard_book *book);

/** The guards for one message. What a minute ago kept it back may let it go now. */
struct bh_guards bh_guard_item(struct bh_deliver *deliver, const struct bh_item *item);

/** "Do not disturb" of a mailbox: its own, or that of another name of its terminal. */
enum bh_dnd bh_guard_dnd(const struct bh_deliver *deliver, const struct bh_mailbox *mailbox);

/** The oldest unread message that may wake the terminal; NULL: none. */
const struct bh_item *bh_guard_waker(struct bh_station *station);

/** The same of one mailbox, which has no terminal but a channel. */
const struct bh_item *bh_guard_waker_in(struct bh_deliver *deliver,
                                        const struct bh_mailbox *mailbox);

/**
 * A message was stored: it counts for its pair, its receipt says what keeps it from waking, and a
 * chain that has become too long is told about.
 *
 * @can_wake
 *         Whether it could wake somebody, were there no guards.
 */
void bh_guard_stored(struct bh_deliver *deliver, const struct bh_item *item, bool can_wake);

/** Look whether the machine was suspended: then evidence of before is forgotten and few typings begin
 * at once. True: it was, since the last look. */
bool bh_guard_resume(struct bh_deliver *deliver, uint64_t now_ms);

/** Whether a typing may begin in this moment; else it is tried again when the guards say so. Counts. */
bool bh_guard_may_begin(struct bh_station *station, uint64_t now_ms);

/** When the guards say something else though nothing happens; 0: not by time. */
uint64_t bh_guard_next_ms(const struct bh_deliver *deliver, uint64_t now_ms);

/** The state of a terminal was seen: ends "do not disturb" that waits for idle, and turns. */
void bh_guard_observe(struct bh_station *station, bool is_free, bool is_working, uint64_t now_ms);

/** No more notices for the group of a terminal. It is so, and people hear of it, when it is on disk. */
void bh_guard_park(struct bh_station *station);

/** A person pressed a key in the terminal: chains of messages begin anew there. */
void bh_guard_person(struct bh_station *station);

/** When a "do not disturb" of the terminal ends by time; 0: none does. */
uint64_t bh_guard_dnd_ends_ms(const struct bh_station *station, uint64_t now_ms);

/** The same of one mailbox, which has no terminal but a channel. */
uint64_t bh_guard_dnd_ends_in(const struct bh_deliver *deliver, const struct bh_mailbox *mailbox,
                              uint64_t now_ms);

/** Whether the station has a turn, or a wish, whose end must be watched for. */
bool bh_guard_watches(const struct bh_station *station);

#endif
