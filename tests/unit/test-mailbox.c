#include "src/mail/mailbox.h"

#include "src/base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** What mailboxes and items are of. */
struct pools {
	struct bh_pool mailboxes;
	struct bh_pool items;
};

static int pools_make(void **state)
{
	static struct pools pools;

	bh_pool_init(&pools.mailboxes, sizeof(struct bh_mailbox));
	bh_pool_init(&pools.items, sizeof(struct bh_item));
	*state = &pools;
	return 0;
}

static int pools_clear(void **state)
{
	struct pools *pools = *state;

	bh_pool_clear(&pools->items);
	bh_pool_clear(&pools->mailboxes);
	return 0;
}

static struct bh_item *item_new(struct pools *pools, struct bh_mailbox *mailbox, uint64_t seq)
{
	struct bh_item *item = bh_pool_take(&pools->items);

	item->seq = seq;
	bh_mailbox_insert(mailbox, item);
	return item;
}

static void items_stand_in_order_of_seq(void **state)
{
	static const uint64_t order[] = {5, 9, 2, 7, 1, 12};
	static const uint64_t sorted[] = {1, 2, 5, 7, 9, 12};
	struct pools *pools = *state;
	struct bh_mailbox *mailbox = bh_mailbox_new(&pools->mailboxes, 3);
	const struct bh_item *item;

	assert_null(bh_mailbox_first(mailbox));
	for (size_t i = 0; i < 6; i++) {
		(void)item_new(pools, mailbox, order[i]);
	}
	item = bh_mailbox_first(mailbox);
	for (size_t i = 0; i < 6; i++, item = bh_mailbox_next(item)) {
		assert_int_equal(item->seq, sorted[i]);
	}
	assert_null(item);
	assert_int_equal(mailbox->unread, 6);
	assert_int_equal(bh_mailbox_last_unread(mailbox)->seq, 12);
	bh_mailbox_free(mailbox);
}

static void an_item_has_one_owner(void **state)
{
	struct pools *pools = *state;
	struct bh_mailbox *mailbox = bh_mailbox_new(&pools->mailboxes, 3);
	struct bh_claim a = {0}, b = {0};
	struct bh_item *first = item_new(pools, mailbox, 1);
	struct bh_item *second = item_new(pools, mailbox, 2);

	bh_list_init(&a.items);
	bh_list_init(&b.items);
	bh_mailbox_give(first, &a);
	assert_ptr_equal(bh_mailbox_first_unread(mailbox), second);
	assert_ptr_equal(bh_mailbox_first(mailbox), first);
	bh_mailbox_give(first, &a);
	assert_int_equal(a.item_count, 1);
	bh_mailbox_give(first, &b);
	assert_int_equal(a.item_count, 0);
	assert_true(bh_list_is_empty(&a.items));
	assert_int_equal(b.item_count, 1);
	assert_int_equal(mailbox->claimed, 1);
	assert_int_equal(mailbox->unread, 1);
	bh_mailbox_give(second, &b);
	assert_null(bh_mailbox_first_unread(mailbox));
	assert_null(bh_mailbox_last_unread(mailbox));
	bh_mailbox_drop(first);
	assert_int_equal(b.item_count, 1);
	assert_int_equal(mailbox->claimed, 1);
	assert_int_equal(mailbox->unread, 0);
	bh_mailbox_give(second, NULL);
	assert_ptr_equal(bh_mailbox_first_unread(mailbox), second);
	assert_null(bh_mailbox_next_unread(second));
	bh_mailbox_free(mailbox);
	bh_mailbox_free(NULL);
}

static void what_is_special_is_counted(void **state)
{
	struct pools *pools = *state;
	struct bh_mailbox *mailbox = bh_mailbox_new(&pools->mailboxes, 3);
	struct bh_claim claim = {0};
	struct bh_item *first = item_new(pools, mailbox, 1);
	struct bh_item *second = item_new(pools, mailbox, 2);

	bh_list_init(&claim.items);
	bh_mailbox_set(first, BH_MESSAGE_HOPS_MAX, 1, false);
	bh_mailbox_set(second, BH_MESSAGE_HOPS_MAX, 0, true);
	assert_int_equal(mailbox->looping, 2);
	assert_int_equal(mailbox->typed_before, 0);
	bh_mailbox_set(second, BH_MESSAGE_HOPS_MAX - 1, 1, true);
	bh_mailbox_set(second, BH_MESSAGE_HOPS_MAX - 1, 2, true);
	bh_mailbox_give(second, &claim);
	assert_int_equal(mailbox->looping, 1);
	assert_int_equal(mailbox->typed_before, 1);
	bh_mailbox_drop(first);
	bh_mailbox_drop(second);
	assert_int_equal(mailbox->looping, 0);
	assert_int_equal(mailbox->typed_before, 0);
	bh_mailbox_free(mailbox);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(items_stand_in_order_of_seq, pools_make,
	                                        pools_clear),
		cmocka_unit_test_setup_teardown(an_item_has_one_owner, pools_make, pools_clear),
		cmocka_unit_test_setup_teardown(what_is_special_is_counted, pools_make,
	                                        pools_clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
