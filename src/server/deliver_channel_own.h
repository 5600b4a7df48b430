/** @file
 * What the rest of delivery needs of the channels: what they mean for a decision, and when they look,
 * end and are told.
 */
#ifndef BH_SERVER_DELIVER_CHANNEL_OWN_H
#define BH_SERVER_DELIVER_CHANNEL_OWN_H

#include "src/server/deliver_channel.h"
#include "src/wake/decide.h"

struct bh_station;

/** Fill in what a mailbox's channel means for a decision. @station NULL: a name without terminal.
 * Called last: whether the channel gets another chance depends on the other ways. */
void bh_channel_situation(struct bh_deliver *deliver, const struct bh_mailbox *mailbox,
                          const struct bh_station *station, struct bh_situation *situation);

/** Give the oldest unread message to the channel of @station. */
void bh_station_push(struct bh_station *station);

/** The channel of a name without terminal looks at its mail. */
void bh_channel_look(struct bh_deliver *deliver, const struct bh_mailbox *mailbox);

/** The channels of all names without terminal look. */
void bh_deliver_look_channels(struct bh_deliver *deliver);

/** Whether mail waits for such a channel. */
bool bh_deliver_has_channel_mail(const struct bh_deliver *deliver);

/** Its terminal ended: so does its channel. */
void bh_station_end_channel(struct bh_station *station, enum bh_channel_end why);

/** End all. */
void bh_deliver_end_channels(struct bh_deliver *deliver);

/** Tell channels that were closed, and answer steers that are over. From the loop only. */
void bh_deliver_tell_channels(struct bh_deliver *deliver, uint64_t now_ms);

/** When the first steer is given up, or the time of a wish to be left alone ends that keeps mail from
 * a channel; 0: never. */
uint64_t bh_deliver_channels_next_ms(const struct bh_deliver *deliver, uint64_t now_ms);

/** Add what its channel says about waking a mailbox. @station NULL: it has no terminal. */
void bh_channel_evidence(struct bh_deliver *deliver, const struct bh_mailbox *mailbox,
                         const struct bh_station *station, struct bh_tier_evidence *evidence);

#endif
