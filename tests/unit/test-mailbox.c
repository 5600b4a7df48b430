#include "src/mail/mailbox.h"

#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct bh_item *item_new(struct bh_mailbox *mailbox, uint64_t seq)
{
	struct bh_item *item = bh_xmalloc(sizeof(*item));

	item->seq = seq;
	bh_mailbox_insert(mailbox, item);
	return item;
}

static void items_stand_in_order_of_seq(void **state)
{
	static const uint64_t order[] = {5, 9, 2, 7, 1, 12};
	static const uint64_t sorted[] = {1, 2, 5, 7, 9, 12};
	struct bh_mailbox *mailbox = bh_mailbox_new(3);
	const struct bh_item *item;

	(void)state;
	assert_null(bh_mailbox_first(mailbox));
	for (size_t i = 0; i < 6; i++) {
		(void)item_new(mailbox, order[i]);
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
	struct bh_mailbox *mailbox = bh_mailbox_new(3);
	struct bh_claim a = {0}, b = {0};
	struct bh_item *first = item_new(mailbox, 1);
	struct bh_item *second = item_new(mailbox, 2);

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_stand_in_order_of_seq),
		cmocka_unit_test(an_item_has_one_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
