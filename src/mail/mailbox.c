#include "src/mail/mailbox.h"

#include "src/base/mem.h"
#include "src/base/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bh_item *item_of(struct bh_list *link)
{
	return bh_container_of(link, struct bh_item, link);
}

// The first item from @at on, along the mailbox's circle; unread only, if asked.
static const struct bh_item *item_from(const struct bh_mailbox *mailbox, struct bh_list *at,
                                       bool unread_only)
{
	while (at != &mailbox->items) {
		const struct bh_item *item = item_of(at);

		if (!unread_only || item->claim == NULL) {
			return item;
		}
		at = at->next;
	}
	return NULL;
}

const struct bh_item *bh_mailbox_first_unread(const struct bh_mailbox *mailbox)
{
	return item_from(mailbox, mailbox->items.next, true);
}

const struct bh_item *bh_mailbox_next_unread(const struct bh_item *item)
{
	return item_from(item->mailbox, item->link.next, true);
}

const struct bh_item *bh_mailbox_last_unread(const struct bh_mailbox *mailbox)
{
	struct bh_list *at = mailbox->items.prev;

	while (at != &mailbox->items && item_of(at)->claim != NULL) {
		at = at->prev;
	}
	return at == &mailbox->items ? NULL : item_of(at);
}

const struct bh_item *bh_mailbox_first(const struct bh_mailbox *mailbox)
{
	return item_from(mailbox, mailbox->items.next, false);
}

const struct bh_item *bh_mailbox_next(const struct bh_item *item)
{
	return item_from(item->mailbox, item->link.next, false);
}

// The place of a folded name among the blocked ones, or their number.
static size_t blocked_find(const struct bh_mailbox *mailbox, const char *folded)
{
	size_t i = 0;

	while (i < mailbox->blocked_count && strcmp(mailbox->blocked[i], folded) != 0) {
		i++;
	}
	return i;
}

bool bh_mailbox_blocks(const struct bh_mailbox *mailbox, const char *sender)
{
	char folded[BH_IDENTITY_SIZE];

	if (mailbox->blocked_count == 0) {
		return false;
	}
	bh_identity_fold(sender, folded);
	return blocked_find(mailbox, folded) < mailbox->blocked_count;
}

void bh_mailbox_set_block(struct bh_mailbox *mailbox, const char *folded, bool is_blocked)
{
	size_t at = blocked_find(mailbox, folded);

	if (is_blocked && at == mailbox->blocked_count) {
		mailbox->blocked = bh_xrealloc(mailbox->blocked, at + 1, sizeof(*mailbox->blocked));
		(void)snprintf(mailbox->blocked[at], BH_IDENTITY_SIZE, "%s", folded); // it fits
		mailbox->blocked_count++;
	} else if (!is_blocked && at < mailbox->blocked_count) {
		mailbox->blocked_count--;
		memmove(mailbox->blocked[at], mailbox->blocked[mailbox->blocked_count],
		        BH_IDENTITY_SIZE);
	}
}

struct bh_mailbox *bh_mailbox_new(struct bh_pool *pool, uint64_t id)
{
	struct bh_mailbox *mailbox = bh_pool_take(pool);

	mailbox->id = id;
	bh_list_init(&mailbox->items);
	bh_list_init(&mailbox->link);
	bh_list_init(&mailbox->bound_link);
	bh_list_init(&mailbox->changed_link);
	return mailbox;
}

void bh_mailbox_free(struct bh_mailbox *mailbox)
{
	if (mailbox == NULL) {
		return;
	}
	bh_list_for (at, after, &mailbox->items) {
		bh_mailbox_drop(item_of(at));
	}
	bh_list_remove(&mailbox->link);
	bh_list_remove(&mailbox->bound_link);
	bh_list_remove(&mailbox->changed_link);
	free(mailbox->blocked);
	bh_pool_give(mailbox);
}

void bh_mailbox_insert(struct bh_mailbox *mailbox, struct bh_item *item)
{
	struct bh_list *after = mailbox->items.prev;

	// Only mail that becomes unread again after it was seen has to walk.
	while (after != &mailbox->items && item_of(after)->seq > item->seq) {
		after = after->prev;
	}
	item->mailbox = mailbox;
	item->claim = NULL;
	bh_list_init(&item->claim_link);
	bh_list_append(after->next, &item->link); // before the one that follows
	mailbox->unread++;
}

void bh_mailbox_give(struct bh_item *item, struct bh_claim *claim)
{
	if (item->claim == claim) {
		return;
	}
	if (item->claim != NULL) {
		item->claim->item_count--;
		item->mailbox->claimed--;
		bh_list_remove(&item->claim_link);
	} else {
		item->mailbox->unread--;
	}
	item->claim = claim;
	if (claim != NULL) {
		claim->item_count++;
		item->mailbox->claimed++;
		bh_list_append(&claim->items, &item->claim_link);
	} else {
		item->mailbox->unread++;
	}
}

void bh_mailbox_set(struct bh_item *item, int hops, unsigned typings, bool is_shown_before)
{
	item->mailbox->looping -= item->hops >= BH_MESSAGE_HOPS_MAX;
	item->mailbox->looping += hops >= BH_MESSAGE_HOPS_MAX;
	item->mailbox->typed_before -= item->typings > 0 && item->is_shown_before;
	item->mailbox->typed_before += typings > 0 && is_shown_before;
	item->hops = hops;
	item->typings = typings;
	item->is_shown_before = is_shown_before;
}

void bh_mailbox_drop(struct bh_item *item)
{
	bh_mailbox_set(item, 0, 0, false);
	bh_mailbox_give(item, NULL);
	item->mailbox->unread--;
	bh_list_remove(&item->link);
	bh_pool_give(item);
}
