#include "src/mail/mirror.h"

#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

void bh_mirror_init(struct bh_mirror *mirror)
{
	*mirror = (struct bh_mirror){0};
	bh_list_init(&mirror->mailboxes);
	bh_list_init(&mirror->changed);
	bh_list_init(&mirror->terminals);
	bh_list_init(&mirror->claims);
	bh_pool_init(&mirror->mailbox_pool, sizeof(struct bh_mailbox));
	bh_pool_init(&mirror->item_pool, sizeof(struct bh_item));
}

static void terminal_free(struct bh_terminal_record *terminal)
{
	bh_list_for (at, after, &terminal->names) {
		bh_list_remove(at);
	}
	bh_list_remove(&terminal->link);
	bh_terminal_record_clear(terminal);
	free(terminal);
}

void bh_mirror_clear(struct bh_mirror *mirror)
{
	bh_list_for (mailbox_at, mailbox_after, &mirror->mailboxes) {
		bh_mailbox_free(bh_container_of(mailbox_at, struct bh_mailbox, link));
	}
	bh_list_for (terminal_at, terminal_after, &mirror->terminals) {
		terminal_free(bh_container_of(terminal_at, struct bh_terminal_record, link));
	}
	bh_list_for (claim_at, claim_after, &mirror->claims) {
		bh_list_remove(claim_at);
		free(bh_container_of(claim_at, struct bh_claim, link));
	}
	free(mirror->known);
	bh_map_clear(&mirror->mailbox_by_id);
	bh_map_clear(&mirror->mailbox_by_name);
	bh_map_clear(&mirror->items);
	bh_map_clear(&mirror->terminal_by_uuid);
	bh_map_clear(&mirror->claim_by_id);
	bh_pool_clear(&mirror->mailbox_pool);
	bh_pool_clear(&mirror->item_pool);
}

static void mailbox_mark(struct bh_mirror *mirror, struct bh_mailbox *mailbox)
{
	if (bh_list_is_empty(&mailbox->changed_link)) {
		bh_list_append(&mirror->changed, &mailbox->changed_link);
	}
}

// What is true of a terminal is true of all its mailboxes.
static void terminal_mark(struct bh_mirror *mirror, const char *uuid)
{
	struct bh_terminal_record *terminal = bh_mirror_terminal(mirror, uuid);

	if (terminal == NULL) {
		return;
	}
	bh_list_for (at, after, &terminal->names) {
		mailbox_mark(mirror, bh_container_of(at, struct bh_mailbox, bound_link));
	}
}

static struct bh_mailbox *mailbox_by_id(const struct bh_mirror *mirror, uint64_t id)
{
	return bh_map_get(&mirror->mailbox_by_id, &id, sizeof(id));
}

static struct bh_mailbox *mailbox_make(struct bh_mirror *mirror,
                                       const struct bh_mailbox_image *image)
{
	struct bh_mailbox *mailbox = bh_mailbox_new(&mirror->mailbox_pool, image->id);

	memcpy(mailbox->folded, image->folded, sizeof(mailbox->folded));
	bh_list_append(&mirror->mailboxes, &mailbox->link);
	bh_map_add(&mirror->mailbox_by_id, &mailbox->id, sizeof(mailbox->id), mailbox);
	bh_map_add(&mirror->mailbox_by_name, mailbox->folded, strlen(mailbox->folded), mailbox);
	return mailbox;
}

// Put a mailbox among the names of its terminal, the newest last.
static void mailbox_bind(struct bh_mirror *mirror, struct bh_mailbox *mailbox)
{
	struct bh_terminal_record *terminal = bh_mirror_terminal(mirror, mailbox->terminal);
	struct bh_list *after;

	bh_list_remove(&mailbox->bound_link);
	if (terminal == NULL) {
		return;
	}
	after = terminal->names.prev;
	while (after != &terminal->names &&
	       bh_container_of(after, struct bh_mailbox, bound_link)->bound > mailbox->bound) {
		after = after->prev;
	}
	bh_list_append(after->next, &mailbox->bound_link); // before the one that follows
}

// Names that became known are never forgotten.
static void known_add(struct bh_mirror *mirror, const struct bh_mailbox *mailbox)
{
	size_t count = mirror->known_count;

	if ((count & (count - 1)) == 0) { // full at each power of two
		mirror->known = bh_xrealloc(mirror->known, count == 0 ? 1 : 2 * count,
		                            sizeof(*mirror->known));
	}
	mirror->known[count] = (struct bh_known_name){
		.letters = bh_identity_letters(mailbox->folded), .mailbox = mailbox};
	mirror->known_count++;
}

static void apply_mailbox(struct bh_mirror *mirror, const struct bh_mailbox_image *image)
{
	struct bh_mailbox *mailbox = mailbox_by_id(mirror, image->id);

	if (mailbox == NULL) {
		mailbox = mailbox_make(mirror, image);
	}
	memcpy(mailbox->name, image->name, sizeof(mailbox->name));
	memcpy(mailbox->terminal, image->terminal, sizeof(mailbox->terminal));
	memcpy(mailbox->line, image->line, sizeof(mailbox->line));
	mailbox->kind = image->kind;
	if (image->is_known && !mailbox->is_known) {
		known_add(mirror, mailbox);
	}
	mailbox->is_known = image->is_known;
	mailbox->bound = image->bound;
	mailbox->dnd = image->dnd;
	mailbox->dnd_until_ms = image->dnd_until_ms;
	mailbox_bind(mirror, mailbox);
	mailbox_mark(mirror, mailbox);
}

static void apply_block(struct bh_mirror *mirror, const struct bh_block_image *image)
{
	struct bh_mailbox *mailbox = mailbox_by_id(mirror, image->mailbox_id);

	if (mailbox == NULL) {
		BH_BUG("a block before its mailbox");
	}
	bh_mailbox_set_block(mailbox, image->sender, image->is_blocked);
	mailbox_mark(mirror, mailbox);
}

static struct bh_item *item_make(struct bh_mirror *mirror, struct bh_mailbox *mailbox,
                                 const struct bh_item_image *image)
{
	struct bh_item *item = bh_pool_take(&mirror->item_pool);

	item->seq = image->seq;
	item->key[0] = mailbox->id;
	item->key[1] = image->seq;
	memcpy(item->from, image->from, sizeof(item->from));
	item->sender = image->sender;
	item->created_ms = image->created_ms;
	item->body_len = image->body_len;
	item->body_lines = image->body_lines;
	item->task_status = image->task_status;
	item->is_quiet = image->is_quiet;
	bh_mailbox_insert(mailbox, item);
	bh_map_add(&mirror->items, item->key, sizeof(item->key), item);
	return item;
}

static void apply_item(struct bh_mirror *mirror, const struct bh_item_image *image)
{
	struct bh_item *item = bh_mirror_item(mirror, image->mailbox_id, image->seq);
	struct bh_mailbox *mailbox = mailbox_by_id(mirror, image->mailbox_id);

	if (mailbox == NULL) {
		BH_BUG("an item before its mailbox");
	}
	mailbox_mark(mirror, mailbox);
	if (image->seq > mirror->last_seq) {
		mirror->last_seq = image->seq;
	}
	if (image->ownership == BH_OWNER_SEEN) {
		if (item != NULL) {
			(void)bh_map_remove(&mirror->items, item->key,
			                    sizeof(item->key)); // it is the item
			bh_mailbox_drop(item);
		}
		return;
	}
	if (item == NULL) {
		item = item_make(mirror, mailbox, image);
	}
	bh_mailbox_set(item, image->hops, image->typings, image->is_shown_before);
	bh_mailbox_give(item, bh_mirror_claim(mirror, image->claim_id));
}

static void claim_end(struct bh_mirror *mirror, struct bh_claim *claim)
{
	if (!bh_list_is_empty(&claim->items)) {
		BH_BUG("a claim ended before its items were given away");
	}
	(void)bh_map_remove(&mirror->claim_by_id, &claim->id, sizeof(claim->id)); // it is the claim
	bh_list_remove(&claim->link);
	free(claim);
}

static struct bh_claim *claim_make(struct bh_mirror *mirror, const struct bh_claim_image *image,
                                   uint64_t now_ms)
{
	struct bh_claim *claim = bh_xmalloc(sizeof(*claim));

	claim->id = image->id;
	claim->kind = image->kind;
	memcpy(claim->terminal, image->terminal, sizeof(claim->terminal));
	claim->notice_id = image->notice_id;
	claim->is_complete = image->is_complete;
	claim->is_recovered = image->is_recovered;
	claim->lease_until_ms = image->lease_ms == 0 ? 0 : now_ms + image->lease_ms;
	bh_list_init(&claim->items);
	bh_list_append(&mirror->claims, &claim->link);
	bh_map_add(&mirror->claim_by_id, &claim->id, sizeof(claim->id), claim);
	return claim;
}

static void apply_claim(struct bh_mirror *mirror, const struct bh_claim_image *image,
                        uint64_t now_ms)
{
	struct bh_claim *claim = bh_mirror_claim(mirror, image->id);

	if (claim != NULL) {
		terminal_mark(mirror, claim->terminal);
	}
	if (image->is_over) {
		if (claim != NULL) {
			claim_end(mirror, claim);
		}
		return;
	}
	if (claim == NULL) {
		claim = claim_make(mirror, image, now_ms);
		terminal_mark(mirror, claim->terminal);
	}
	claim->phase = image->phase;
}

static void apply_notice(struct bh_mirror *mirror, const struct bh_notice_image *image)
{
	struct bh_terminal_record *terminal = bh_mirror_terminal(mirror, image->terminal);

	if (terminal != NULL) {
		terminal->notice = image->notice;
		terminal_mark(mirror, image->terminal);
	}
}

// A new record takes the place of the old one's contents; names and notice stay.
static void terminal_replace(struct bh_terminal_record *terminal,
                             const struct bh_terminal_record *record)
{
	struct bh_notice notice = terminal->notice;
	struct bh_list names = terminal->names;
	struct bh_list link = terminal->link;
	bool has_names = !bh_list_is_empty(&terminal->names);

	bh_terminal_record_clear(terminal);
	bh_terminal_record_copy(terminal, record);
	terminal->notice = notice;
	terminal->link = link; // neighbours still point here
	if (has_names) {
		terminal->names = names;
	}
}

static void apply_terminal(struct bh_mirror *mirror, const struct bh_terminal_record *record)
{
	struct bh_terminal_record *terminal = bh_mirror_terminal(mirror, record->uuid);

	terminal_mark(mirror, record->uuid);
	if (record->status == BH_TERMINAL_GONE) {
		if (terminal != NULL) {
			(void)bh_map_remove(&mirror->terminal_by_uuid, record->uuid,
			                    strlen(record->uuid)); // it is the terminal
			terminal_free(terminal);
		}
		return;
	}
	if (terminal != NULL) {
		terminal_replace(terminal, record);
		return;
	}
	terminal = bh_xmalloc(sizeof(*terminal));
	bh_terminal_record_copy(terminal, record);
	bh_list_append(&mirror->terminals, &terminal->link);
	bh_map_add(&mirror->terminal_by_uuid, terminal->uuid, strlen(terminal->uuid), terminal);
}

void bh_mirror_apply(struct bh_mirror *mirror, const struct bh_effects *effects, uint64_t now_ms)
{
	for (size_t i = 0; i < effects->count; i++) {
		const struct bh_effect *effect = &effects->rows[i];

		switch (effect->kind) {
		case BH_EFFECT_MAILBOX:
			apply_mailbox(mirror, &effect->mailbox);
			break;
		case BH_EFFECT_BLOCK:
			apply_block(mirror, &effect->block);
			break;
		case BH_EFFECT_ITEM:
			apply_item(mirror, &effect->item);
			break;
		case BH_EFFECT_CLAIM:
			apply_claim(mirror, &effect->claim, now_ms);
			break;
		case BH_EFFECT_NOTICE:
			apply_notice(mirror, &effect->notice);
			break;
		case BH_EFFECT_TERMINAL:
			apply_terminal(mirror, effect->terminal);
			break;
		}
	}
}

struct bh_mailbox *bh_mirror_take_changed(struct bh_mirror *mirror)
{
	struct bh_list *first = mirror->changed.next;

	if (bh_list_is_empty(&mirror->changed)) {
		return NULL;
	}
	bh_list_remove(first);
	return bh_container_of(first, struct bh_mailbox, changed_link);
}

struct bh_mailbox *bh_mirror_mailbox(const struct bh_mirror *mirror, const char *name)
{
	char folded[BH_IDENTITY_SIZE];

	bh_identity_fold(name, folded);
	return bh_map_get(&mirror->mailbox_by_name, folded, strlen(folded));
}

struct bh_item *bh_mirror_item(const struct bh_mirror *mirror, uint64_t mailbox_id, uint64_t seq)
{
	uint64_t key[2] = {mailbox_id, seq};

	return bh_map_get(&mirror->items, key, sizeof(key));
}

struct bh_terminal_record *bh_mirror_terminal(const struct bh_mirror *mirror, const char *uuid)
{
	return bh_map_get(&mirror->terminal_by_uuid, uuid, strlen(uuid));
}

struct bh_claim *bh_mirror_claim(const struct bh_mirror *mirror, uint64_t id)
{
	return bh_map_get(&mirror->claim_by_id, &id, sizeof(id));
}
