/** @file
 * The mirror: the live part of the ledger in memory. Only effects of commits change it; reads
 * answer at once. Pure: no libuv, no database, no clock.
 */
#ifndef BH_MAIL_MIRROR_H
#define BH_MAIL_MIRROR_H

#include "src/base/list.h"
#include "src/base/pool.h"
#include "src/mail/effect.h"
#include "src/mail/mailbox.h"
#include "src/mail/map.h"
#include "src/mail/terminal_record.h"

/** A name that somebody used as their own, and what is in it: many can be searched at once. */
struct bh_known_name {
	/** See bh_identity_letters(). */
	uint64_t letters;
	const struct bh_mailbox *mailbox;
};

/** The mirror. Fields are the module's own but for the lists and the known names, which may be walked. */
struct bh_mirror {
	/** Mailboxes (struct bh_mailbox.link), in order of their making. */
	struct bh_list mailboxes;
	/** Mailboxes that changed since bh_mirror_take_changed() (struct bh_mailbox.changed_link). */
	struct bh_list changed;
	/** Terminals that are live or wait for a respawn (struct bh_terminal_record.link). */
	struct bh_list terminals;
	/** Open claims (struct bh_claim.link). */
	struct bh_list claims;
	/** Mailboxes, and the mail that nobody has seen. */
	struct bh_pool mailbox_pool;
	struct bh_pool item_pool;
	/** Mailboxes by key, and by folded name; items, terminals, claims by their keys. */
	struct bh_map mailbox_by_id;
	struct bh_map mailbox_by_name;
	struct bh_map items;
	struct bh_map terminal_by_uuid;
	struct bh_map claim_by_id;
	/** Names that somebody used as their own, in the order in which they became known. */
	struct bh_known_name *known;
	size_t known_count;
	/** The highest number that a message had so far. */
	uint64_t last_seq;
};

/** Make an empty mirror. */
void bh_mirror_init(struct bh_mirror *mirror);

/** Free all that it holds; init again before use. */
void bh_mirror_clear(struct bh_mirror *mirror);

/** Bring it up to date. Leases of new claims begin at @now_ms (loop time). */
void bh_mirror_apply(struct bh_mirror *mirror, const struct bh_effects *effects, uint64_t now_ms);

/** One mailbox that changed since it was last taken, or NULL. */
struct bh_mailbox *bh_mirror_take_changed(struct bh_mirror *mirror);

/** By name, in any case; NULL for none. */
struct bh_mailbox *bh_mirror_mailbox(const struct bh_mirror *mirror, const char *name);

/** A message that is not seen, by mailbox key and number; NULL for none. */
struct bh_item *bh_mirror_item(const struct bh_mirror *mirror, uint64_t mailbox_id, uint64_t seq);

/** By UUID; NULL for none. */
struct bh_terminal_record *bh_mirror_terminal(const struct bh_mirror *mirror, const char *uuid);

/** By number; NULL for none. */
struct bh_claim *bh_mirror_claim(const struct bh_mirror *mirror, uint64_t id);

#endif
