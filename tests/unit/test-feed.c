#include "src/ui/feed.h"

#include "src/base/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Give the feed a frame whose payload is @len bytes. */
static int give(struct bh_feed *feed, uint8_t type, const void *payload, size_t len)
{
	struct bh_conn_item item = {
		.kind = BH_CONN_FRAME, .type = type, .bytes = {.data = payload, .len = len}};

	return bh_feed_take(feed, &item, 1);
}

static int give_snapshot(struct bh_feed *feed, uint16_t cols, uint16_t rows, const char *repaint)
{
	struct bh_frame_snapshot snapshot = {.size = {cols, rows}, .repaint = bh_span_of(repaint)};
	struct bh_buf frame = {0};
	int rc = 0;

	bh_frame_append_snapshot(&frame, 1, &snapshot);
	rc = give(feed, BH_FRAME_SNAPSHOT, frame.data + BH_FRAME_HEADER,
	          frame.len - BH_FRAME_HEADER);
	bh_buf_clear(&frame);
	return rc;
}

static void expect_row(const struct bh_feed *feed, const char *wanted)
{
	char text[64];

	(void)bh_screen_row_text(feed->screen, 0, text, sizeof(text));
	assert_string_equal(text, wanted);
}

static void a_stream_draws_a_screen(void **state)
{
	struct bh_feed feed = {0};
	static const unsigned char size[] = {30, 0, 6, 0};

	(void)state;
	// Before the first snapshot there is nothing to draw on.
	assert_int_equal(give(&feed, BH_FRAME_OUTPUT, "early", 5), 0);
	assert_null(feed.screen);
	assert_int_equal(give_snapshot(&feed, 20, 5, "one"), 0);
	assert_true(feed.has_news);
	assert_int_equal(give(&feed, BH_FRAME_OUTPUT, " two\x1b[c", 7), 0);
	expect_row(&feed, "one two");
	// The answer to the program's question is the server's.
	size_t len = 1;
	(void)bh_screen_replies(feed.screen, &len);
	assert_int_equal(len, 0);
	assert_int_equal(give(&feed, BH_FRAME_RESIZE, size, sizeof(size)), 0);
	assert_int_equal(bh_screen_cols(feed.screen), 30);
	assert_int_equal(bh_screen_rows(feed.screen), 6);
	assert_int_equal(give_snapshot(&feed, 20, 5, "anew\a"), 0);
	expect_row(&feed, "anew");
	assert_int_equal(bh_screen_take_changes(feed.screen) & BH_SCREEN_CHANGED_BELL, 0);
	bh_feed_clear(&feed);
	assert_null(feed.screen);
}

static void notes_and_the_end_are_kept(void **state)
{
	struct bh_feed feed = {0};
	static const unsigned char status[] = {0, 3, 0, 0};

	(void)state;
	assert_int_equal(give(&feed, BH_FRAME_NOTE, "typing mail", 11), 0);
	assert_string_equal(feed.note, "typing mail");
	assert_int_equal(give(&feed, BH_FRAME_NOTE, "", 0), 0);
	assert_string_equal(feed.note, "");
	assert_int_equal(give(&feed, BH_FRAME_EXIT, status, sizeof(status)), 0);
	assert_true(feed.is_over);
	assert_int_equal(feed.status, 0x300);
	bh_feed_clear(&feed);
}

static void expect_aside(struct bh_feed *feed, uint32_t wanted, const char *body)
{
	struct bh_notification note;
	uint32_t changes = 0;
	struct bh_screen *aside = bh_feed_take_aside(feed, &changes);
	size_t len = 0;

	assert_non_null(aside);
	assert_int_equal(changes & (BH_SCREEN_CHANGED_BELL | BH_SCREEN_CHANGED_NOTIFICATION |
	                            BH_SCREEN_CHANGED_CLIPBOARD),
	                 wanted);
	assert_int_equal(bh_screen_take_notification(aside, &note), body != NULL);
	if (body != NULL) {
		assert_string_equal(note.body, body);
	}
	char *text = bh_screen_take_clipboard(aside, &len);

	assert_int_equal(text != NULL, (wanted & BH_SCREEN_CHANGED_CLIPBOARD) != 0);
	free(text);
	bh_screen_free(aside);
	assert_null(bh_feed_take_aside(feed, &changes));
	assert_int_equal(changes, 0);
}

static void what_a_snapshot_has_not_is_kept(void **state)
{
	struct bh_feed feed = {0};

	(void)state;
	assert_int_equal(give_snapshot(&feed, 20, 5, "one"), 0);
	assert_int_equal(give(&feed, BH_FRAME_OUTPUT, "\a", 1), 0);
	assert_int_equal(give_snapshot(&feed, 20, 5, "two"), 0);
	// The server tells of what it did not send; of each kind the newest counts.
	assert_int_equal(give(&feed, BH_FRAME_ASIDE, "\x1b]777;notify;a;old\x1b\\", 22), 0);
	assert_int_equal(give(&feed, BH_FRAME_ASIDE, "\x1b]777;notify;a;new\x1b\\", 22), 0);
	assert_int_equal(give(&feed, BH_FRAME_OUTPUT, "\x1b]52;c;eA==\x1b\\\x1b]2;no", 20), 0);
	assert_int_equal(give_snapshot(&feed, 20, 5, "three"), 0);
	expect_row(&feed, "three");
	expect_aside(&feed,
	             BH_SCREEN_CHANGED_BELL | BH_SCREEN_CHANGED_NOTIFICATION |
	                     BH_SCREEN_CHANGED_CLIPBOARD,
	             "new");
	assert_int_equal(give_snapshot(&feed, 20, 5, "four"), 0);
	assert_null(feed.aside);
	assert_int_equal(give(&feed, BH_FRAME_ASIDE, "\a", 1), 0);
	bh_feed_clear(&feed);
}

static void broken_frames_are_refused(void **state)
{
	struct bh_feed feed = {0};

	(void)state;
	assert_int_equal(give(&feed, BH_FRAME_SNAPSHOT, "short", 5), BH_EPROTOCOL);
	assert_int_equal(give(&feed, BH_FRAME_RESIZE, "1", 1), BH_EPROTOCOL);
	assert_int_equal(give(&feed, BH_FRAME_EXIT, "1", 1), BH_EPROTOCOL);
	assert_int_equal(give(&feed, 99, "of a newer server", 17), 0);
	bh_feed_clear(&feed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stream_draws_a_screen),
		cmocka_unit_test(notes_and_the_end_are_kept),
		cmocka_unit_test(what_a_snapshot_has_not_is_kept),
		cmocka_unit_test(broken_frames_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
