#include "src/mail/mirror.h"

#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void add_mailbox(struct bh_effects *effects, uint64_t id, const char *name,
                        const char *terminal, uint64_t bound)
{
	struct bh_mailbox_image *image = &bh_effects_add(effects, BH_EFFECT_MAILBOX)->mailbox;

	image->id = id;
	image->bound = bound;
	image->is_known = true;
	(void)snprintf(image->name, sizeof(image->name), "%s", name);
	bh_identity_fold(name, image->folded);
	(void)snprintf(image->terminal, sizeof(image->terminal), "%s", terminal);
}

static void add_item(struct bh_effects *effects, uint64_t mailbox_id, uint64_t seq,
                     enum bh_ownership ownership, uint64_t claim_id)
{
	struct bh_item_image *image = &bh_effects_add(effects, BH_EFFECT_ITEM)->item;

	image->mailbox_id = mailbox_id;
	image->seq = seq;
	image->ownership = ownership;
	image->claim_id = claim_id;
}

static void add_claim(struct bh_effects *effects, uint64_t id, const char *terminal, bool is_over)
{
	struct bh_claim_image *image = &bh_effects_add(effects, BH_EFFECT_CLAIM)->claim;

	image->id = id;
	image->lease_ms = 50;
	image->is_over = is_over;
	(void)snprintf(image->terminal, sizeof(image->terminal), "%s", terminal);
}

static void add_terminal(struct bh_effects *effects, const char *uuid,
                         enum bh_terminal_status status)
{
	struct bh_terminal_record from = {.status = status};
	struct bh_terminal_record *record = bh_xmalloc(sizeof(*record));

	(void)snprintf(from.uuid, sizeof(from.uuid), "%s", uuid);
	bh_terminal_record_copy(record, &from);
	bh_effects_add(effects, BH_EFFECT_TERMINAL)->terminal = record;
}

static void apply(struct bh_mirror *mirror, struct bh_effects *effects)
{
	bh_mirror_apply(mirror, effects, 1000);
	bh_effects_clear(effects);
}

// How many mailboxes changed since the last call.
static unsigned count_changed(struct bh_mirror *mirror)
{
	unsigned count = 0;

	while (bh_mirror_take_changed(mirror) != NULL) {
		count++;
	}
	return count;
}

static void mail_moves_and_leaves(void **state)
{
	struct bh_effects effects = {0};
	struct bh_mirror mirror;
	const struct bh_mailbox *mailbox;

	(void)state;
	bh_mirror_init(&mirror);
	add_mailbox(&effects, 3, "Reviewer", "", 0);
	add_item(&effects, 3, 1, BH_OWNER_NONE, 0);
	add_item(&effects, 3, 2, BH_OWNER_NONE, 0);
	add_claim(&effects, 9, "", false);
	add_item(&effects, 3, 1, BH_OWNER_CLAIM, 9);
	apply(&mirror, &effects);
	mailbox = bh_mirror_mailbox(&mirror, "REVIEWER");
	assert_non_null(mailbox);
	assert_int_equal(mailbox->unread, 1);
	assert_int_equal(mailbox->claimed, 1);
	assert_int_equal(bh_mirror_claim(&mirror, 9)->lease_until_ms, 1050);
	assert_int_equal(bh_mirror_claim(&mirror, 9)->item_count, 1);
	assert_int_equal(count_changed(&mirror), 1); // once, whatever happened to it
	assert_int_equal(count_changed(&mirror), 0);

	add_item(&effects, 3, 1, BH_OWNER_SEEN, 0);
	add_item(&effects, 3, 7, BH_OWNER_SEEN, 0); // one that was never here
	add_claim(&effects, 9, "", true);
	add_claim(&effects, 8, "", true);
	apply(&mirror, &effects);
	assert_null(bh_mirror_claim(&mirror, 9));
	assert_int_equal(mailbox->claimed, 0);
	assert_int_equal(bh_mailbox_first(mailbox)->seq, 2);

	add_item(&effects, 3, 1, BH_OWNER_NONE, 0); // a seen one comes back, to its place
	apply(&mirror, &effects);
	assert_int_equal(bh_mailbox_first(mailbox)->seq, 1);
	bh_mirror_clear(&mirror);
}

static void names_follow_their_bindings(void **state)
{
	struct bh_effects effects = {0};
	struct bh_mirror mirror;
	const struct bh_terminal_record *terminal;

	(void)state;
	bh_mirror_init(&mirror);
	add_terminal(&effects, "t1", BH_TERMINAL_LIVE);
	add_terminal(&effects, "t2", BH_TERMINAL_LIVE);
	add_mailbox(&effects, 1, "late", "t1", 7);
	add_mailbox(&effects, 2, "early", "t1", 5);
	add_mailbox(&effects, 3, "lost", "t9", 6); // of a terminal that nobody knows
	apply(&mirror, &effects);
	terminal = bh_mirror_terminal(&mirror, "t1");
	assert_ptr_equal(terminal->names.prev, &bh_mirror_mailbox(&mirror, "late")->bound_link);
	assert_ptr_equal(terminal->names.next, &bh_mirror_mailbox(&mirror, "early")->bound_link);
	(void)count_changed(&mirror);

	bh_effects_add(&effects, BH_EFFECT_NOTICE)->notice.notice.id = 4;
	(void)snprintf(effects.rows[0].notice.terminal, BH_CLAIM_TERMINAL_SIZE, "t1");
	apply(&mirror, &effects);
	assert_int_equal(terminal->notice.id, 4);
	assert_int_equal(count_changed(&mirror), 2); // all names of the terminal

	add_terminal(&effects, "t1", BH_TERMINAL_WAITS_RESPAWN); // replaced: names and notice stay
	apply(&mirror, &effects);
	assert_ptr_equal(bh_mirror_terminal(&mirror, "t1"), terminal);
	assert_int_equal(terminal->status, BH_TERMINAL_WAITS_RESPAWN);
	assert_int_equal(terminal->notice.id, 4);
	assert_ptr_equal(terminal->names.prev, &bh_mirror_mailbox(&mirror, "late")->bound_link);
	add_mailbox(&effects, 1, "late", "t2", 8);
	apply(&mirror, &effects);
	assert_ptr_equal(terminal->names.prev, terminal->names.next); // one is left

	add_terminal(&effects, "t1", BH_TERMINAL_GONE);
	add_terminal(&effects, "t9", BH_TERMINAL_GONE);
	apply(&mirror, &effects);
	assert_null(bh_mirror_terminal(&mirror, "t1"));
	add_mailbox(&effects, 2, "early", "", 5);
	apply(&mirror, &effects);
	assert_string_equal(bh_mirror_mailbox(&mirror, "early")->terminal, "");
	bh_mirror_clear(&mirror);
}

static void many_mailboxes_stay_cheap(void **state)
{
	struct bh_effects effects = {0};
	struct bh_mirror mirror;
	char name[32];

	(void)state;
	bh_mirror_init(&mirror);
	for (unsigned i = 1; i <= 10000; i++) {
		(void)snprintf(name, sizeof(name), "agent-%u", i);
		add_mailbox(&effects, i, name, "", 0);
	}
	for (uint64_t seq = 1; seq <= 100000; seq++) {
		add_item(&effects, 77, seq, BH_OWNER_NONE, 0);
	}
	apply(&mirror, &effects);
	assert_int_equal(bh_mirror_mailbox(&mirror, "agent-77")->unread, 100000);
	assert_int_equal(bh_mirror_mailbox(&mirror, "agent-78")->unread, 0);
	bh_mirror_clear(&mirror);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mail_moves_and_leaves),
		cmocka_unit_test(names_follow_their_bindings),
		cmocka_unit_test(many_mailboxes_stay_cheap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
