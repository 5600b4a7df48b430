#include "src/base/frame.h"

#include "src/base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_span span_of(const struct bh_buf *buf)
{
	return (struct bh_span){.data = buf->data, .len = buf->len};
}

static void test_splits_lines_and_frames(void **state)
{
	struct bh_frame_unit unit;
	struct bh_buf buf = {0};

	(void)state;
	bh_buf_puts(&buf, "{\"a\":1}\n");
	bh_frame_append(&buf, BH_FRAME_OUTPUT, 0x1234, (struct bh_span){.data = "\n\0x", .len = 3});
	assert_int_equal(bh_frame_split(span_of(&buf), &unit, NULL), 0);
	assert_int_equal(unit.kind, BH_FRAME_LINE);
	assert_int_equal(unit.line.len, 7);
	assert_int_equal(unit.used, 8);
	bh_buf_consume(&buf, unit.used);
	assert_memory_equal(buf.data, "\0\x01\x34\x12\x03\0\0\0\n\0x", 11);
	assert_int_equal(bh_frame_split(span_of(&buf), &unit, NULL), 0);
	assert_int_equal(unit.kind, BH_FRAME_BINARY);
	assert_int_equal(unit.frame.type, BH_FRAME_OUTPUT);
	assert_int_equal(unit.frame.stream, 0x1234);
	assert_int_equal(unit.frame.payload.len, 3);
	assert_int_equal(unit.used, 11);
	bh_buf_clear(&buf);
}

static void test_waits_for_the_rest(void **state)
{
	struct bh_frame_unit unit;
	struct bh_buf buf = {0};

	(void)state;
	bh_frame_append_resize(&buf, 1, (struct bh_frame_size){.cols = 80, .rows = 24});
	for (size_t len = 0; len < buf.len; len++) {
		assert_int_equal(
			bh_frame_split((struct bh_span){.data = buf.data, .len = len}, &unit, NULL),
			0);
		assert_int_equal(unit.kind, BH_FRAME_PARTIAL);
		assert_int_equal(unit.used, 0);
	}
	assert_int_equal(bh_frame_split(bh_span_of("{\"half"), &unit, NULL), 0);
	assert_int_equal(unit.kind, BH_FRAME_PARTIAL);
	bh_buf_clear(&buf);
}

static void test_refuses_what_is_too_long(void **state)
{
	struct bh_frame_unit unit;
	struct bh_err err = {0};
	struct bh_buf buf = {0};

	(void)state;
	assert_int_equal(
		bh_frame_split((struct bh_span){.data = "\0\x01\0\0\xff\xff\xff\xff", .len = 8},
	                       &unit, &err),
		BH_ELIMIT);
	assert_true(err.text[0] != '\0');
	bh_buf_reserve(&buf, BH_LIMIT_LINE + 1);
	memset(buf.data, 'x', BH_LIMIT_LINE + 1);
	buf.len = BH_LIMIT_LINE + 1;
	assert_int_equal(bh_frame_split(span_of(&buf), &unit, &err), BH_ELIMIT);
	bh_buf_clear(&buf);
}

static void test_reads_payloads(void **state)
{
	const struct bh_frame_snapshot snapshot = {.offset = 0x0102030405060708,
	                                           .size = {.cols = 200, .rows = 50},
	                                           .repaint = {"abc", 3}};
	struct bh_frame_snapshot again = {0};
	struct bh_frame_size size = {0};
	struct bh_frame_unit unit;
	struct bh_buf buf = {0};
	int32_t status = 0;

	(void)state;
	bh_frame_append_snapshot(&buf, 7, &snapshot);
	assert_int_equal(bh_frame_split(span_of(&buf), &unit, NULL), 0);
	assert_int_equal(bh_frame_read_snapshot(unit.frame.payload, &again), 0);
	assert_true(again.offset == snapshot.offset);
	assert_int_equal(again.size.cols, 200);
	assert_int_equal(again.repaint.len, 3);
	bh_buf_clear(&buf);
	bh_frame_append_exit(&buf, 7, -5);
	assert_int_equal(bh_frame_split(span_of(&buf), &unit, NULL), 0);
	assert_int_equal(bh_frame_read_exit(unit.frame.payload, &status), 0);
	assert_int_equal(status, -5);
	bh_buf_clear(&buf);
	assert_int_equal(bh_frame_read_resize(
				 (struct bh_span){.data = "\x50\0\x18\0 more", .len = 9}, &size),
	                 0);
	assert_int_equal(size.cols, 80);
	assert_int_equal(size.rows, 24);
	assert_int_equal(bh_frame_read_resize(bh_span_of("abc"), &size), BH_EPROTOCOL);
	assert_int_equal(bh_frame_read_exit(bh_span_of("abc"), &status), BH_EPROTOCOL);
	assert_int_equal(bh_frame_read_snapshot(bh_span_of("abc"), &again), BH_EPROTOCOL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_splits_lines_and_frames),
		cmocka_unit_test(test_waits_for_the_rest),
		cmocka_unit_test(test_refuses_what_is_too_long),
		cmocka_unit_test(test_reads_payloads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
