/** @file
 * A mailbox in memory: who it belongs to, and the mail in it that nobody has seen yet, oldest
 * first. This is what decisions read, at once and on the loop. It holds no bodies: texts come with
 * the answers of store.h. Everything here is read only outside the store, and a pointer is good
 * until the callback or event you are in returns to the loop.
 */
#ifndef BH_MAIL_MAILBOX_H
#define BH_MAIL_MAILBOX_H

#include "src/mail/claim.h"
#include "src/mail/identity.h"
#include "src/mail/message.h"

struct bh_pool;

/** Most typing attempts of one message that wrote a byte, ever. */
#define BH_ITEM_TYPINGS_MAX 2

/** One message, in one mailbox, that is not seen yet. */
struct bh_item {
	/** The mailbox it stands in. */
	struct bh_mailbox *mailbox;
	/** Number: 42 for "m42". Grows along the mailbox. */
	uint64_t seq;
	/** Its sender's name. */
	char from[BH_IDENTITY_SIZE];
	/** Its kind of sender. */
	enum bh_sender sender;
	/** When it was stored (wall clock, ms). */
	int64_t created_ms;
	/** Bytes and lines of its text, for the limits of typing. */
	size_t body_len;
	size_t body_lines;
	/** In how many typing attempts its first byte was written (to
	 * BH_ITEM_TYPINGS_MAX). */
	unsigned typings;
	/** Whether a reader may have had it on its screen before. */
	bool is_shown_before;
	/** See struct bh_message. */
	int hops;
	bool is_quiet;
	/** What it says about a task; BH_TASK_NONE for ordinary mail. */
	enum bh_task_status task_status;
	/** The claim that holds it; NULL: unread. */
	struct bh_claim *claim;
	/** Store's own: key {mailbox id, seq}, and places in the mailbox and in the claim. */
	uint64_t key[2];
	struct bh_list link;
	struct bh_list claim_link;
};

/** A mailbox. */
struct bh_mailbox {
	/** Key on disk. */
	uint64_t id;
	/** The name as its holder spells it (as its first sender does, until it has one). */
	char name[BH_IDENTITY_SIZE];
	/** The folded name, unique. */
	char folded[BH_IDENTITY_SIZE];
	/** Agent, operator, bellhop or room. */
	enum bh_identity_kind kind;
	/** Whether anyone ever used this name as their own. */
	bool is_known;
	/** Terminal that backs it now; "" for none. */
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	/** Line of the last terminal that held it; "" for none. See bh_store_bind(). */
	char line[BH_CLAIM_TERMINAL_SIZE];
	/** "Do not disturb", and until when (wall clock, ms) if it is BH_DND_STATE_TIME. */
	enum bh_dnd_state dnd;
	int64_t dnd_until_ms;
	/** Folded names of the senders that it blocks. */
	char (*blocked)[BH_IDENTITY_SIZE];
	size_t blocked_count;
	/** Number of unread messages (claimed ones not counted). */
	size_t unread;
	/** Number of claimed messages. */
	size_t claimed;
	/** Number of messages, unread or claimed, that their chain keeps from waking. */
	size_t looping;
	/** Number of messages, unread or claimed, that were typed and shown before. */
	size_t typed_before;
	/** Store's own: grows with each binding; orders the names of a terminal. */
	uint64_t bound;
	/** Store's own: items in order of seq (struct bh_item.link). */
	struct bh_list items;
	/** Store's own: places among all mailboxes, among its terminal's names, among the changed. */
	struct bh_list link;
	struct bh_list bound_link;
	struct bh_list changed_link;
};

/** The oldest unread message, or NULL. */
const struct bh_item *bh_mailbox_first_unread(const struct bh_mailbox *mailbox);

/** The oldest unread message after @item, or NULL. */
const struct bh_item *bh_mailbox_next_unread(const struct bh_item *item);

/** The newest unread message, or NULL. */
const struct bh_item *bh_mailbox_last_unread(const struct bh_mailbox *mailbox);

/** The oldest message, unread or claimed, or NULL: what FIFO looks at. */
const struct bh_item *bh_mailbox_first(const struct bh_mailbox *mailbox);

/** The message after @item, unread or claimed, or NULL. */
const struct bh_item *bh_mailbox_next(const struct bh_item *item);

/** Whether the mailbox blocks this sender. */
bool bh_mailbox_blocks(const struct bh_mailbox *mailbox, const char *sender);

/** Store's own: block a sender (by its folded name), or block it no more. Twice is fine. */
void bh_mailbox_set_block(struct bh_mailbox *mailbox, const char *folded, bool is_blocked);

/** Store's own: a mailbox without mail, of a pool of such. It ends with bh_mailbox_free(). */
struct bh_mailbox *bh_mailbox_new(struct bh_pool *pool, uint64_t id);

/** Store's own: give it back with its items. NULL allowed. */
void bh_mailbox_free(struct bh_mailbox *mailbox);

/** Store's own: add an item (of a struct bh_pool) at its place (at the end in O(1), which is where new mail goes). */
void bh_mailbox_insert(struct bh_mailbox *mailbox, struct bh_item *item);

/** Store's own: give @item to @claim (NULL: make it unread), keeping all counts. */
void bh_mailbox_give(struct bh_item *item, struct bh_claim *claim);

/** Store's own: set what may change of an item while it stands here, keeping the counts. */
void bh_mailbox_set(struct bh_item *item, int hops, unsigned typings, bool is_shown_before);

/** Store's own: take @item out of its mailbox and claim and give it back to its pool. */
void bh_mailbox_drop(struct bh_item *item);

#endif
