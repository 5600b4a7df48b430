#include "src/client/conn.h"

#include "src/base/clock.h"
#include "src/base/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/** A connection and the other end of it. */
struct pair {
	struct bh_conn *conn;
	int peer;
};

static void pair_open(struct pair *pair)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pair->conn = bh_conn_new(fds[0]);
	pair->peer = fds[1];
}

static void pair_close(struct pair *pair)
{
	bh_conn_free(pair->conn);
	if (pair->peer >= 0) {
		close(pair->peer);
	}
}

static void say(const struct pair *pair, const void *bytes, size_t len)
{
	assert_int_equal(write(pair->peer, bytes, len), len);
}

static void lines_and_frames_mix(void **state)
{
	struct pair pair;
	struct bh_conn_item item;

	(void)state;
	pair_open(&pair);
	say(&pair, "{\"a\":1}\n\0\1\7\0\3\0\0\0x\ny{}\n", 23);
	assert_int_equal(bh_conn_read(pair.conn), 0);
	assert_int_equal(bh_conn_next(pair.conn, &item), 1);
	assert_int_equal(item.kind, BH_CONN_LINE);
	assert_int_equal(item.bytes.len, 7);
	assert_memory_equal(item.bytes.data, "{\"a\":1}", 7);
	assert_int_equal(bh_conn_next(pair.conn, &item), 1);
	assert_int_equal(item.kind, BH_CONN_FRAME);
	assert_int_equal(item.type, BH_FRAME_OUTPUT);
	assert_int_equal(item.stream, 7);
	assert_int_equal(item.bytes.len, 3);
	assert_memory_equal(item.bytes.data, "x\ny", 3);
	assert_int_equal(bh_conn_next(pair.conn, &item), 1);
	assert_int_equal(item.bytes.len, 2);
	assert_int_equal(bh_conn_next(pair.conn, &item), 0);
	pair_close(&pair);
}

static void items_come_byte_by_byte(void **state)
{
	static const char bytes[] = "ab\n\0\6\1\0\2\0\0\0hicd\n";
	struct pair pair;
	struct bh_conn_item item;
	int items = 0;

	(void)state;
	pair_open(&pair);
	for (size_t i = 0; i < sizeof(bytes) - 1; i++) {
		say(&pair, bytes + i, 1);
		assert_int_equal(bh_conn_read(pair.conn), 0);
		items += bh_conn_next(pair.conn, &item);
	}
	assert_int_equal(items, 3);
	assert_memory_equal(item.bytes.data, "cd", 2);
	pair_close(&pair);
}

static void a_full_socket_keeps_the_rest(void **state)
{
	enum {
		CHUNK = 60000,
		CHUNKS = 40
	};
	static char chunk[CHUNK];
	struct pair pair;
	size_t got = 0;

	(void)state;
	pair_open(&pair);
	for (int i = 0; i < CHUNKS; i++) {
		bh_conn_put_frame(pair.conn, BH_FRAME_INPUT, 1, chunk, CHUNK);
	}
	assert_int_equal(bh_conn_write(pair.conn), 0);
	assert_true(bh_conn_wants_write(pair.conn));
	assert_int_equal(bh_conn_flush(pair.conn, bh_clock_mono_ms() + 20), BH_ETIMEOUT);
	while (got < (size_t)CHUNKS * (CHUNK + 8)) {
		ssize_t n = read(pair.peer, chunk, CHUNK);

		assert_true(n > 0);
		got += (size_t)n;
		assert_int_equal(bh_conn_write(pair.conn), 0);
	}
	assert_false(bh_conn_wants_write(pair.conn));
	assert_int_equal(bh_conn_flush(pair.conn, 0), 0);
	pair_close(&pair);
}

static void an_end_is_told_after_the_last_item(void **state)
{
	struct pair pair;
	struct bh_conn_item item;

	(void)state;
	pair_open(&pair);
	say(&pair, "last\n", 5);
	close(pair.peer);
	pair.peer = -1;
	assert_int_equal(bh_conn_wait(pair.conn, BH_CONN_NO_DEADLINE, &item), 0);
	assert_memory_equal(item.bytes.data, "last", 4);
	assert_int_equal(bh_conn_wait(pair.conn, BH_CONN_NO_DEADLINE, &item), BH_ECLOSED);
	pair_close(&pair);
}

static void waiting_ends_at_the_deadline(void **state)
{
	struct pair pair;
	struct bh_conn_item item;
	uint64_t begin_ms = bh_clock_mono_ms();

	(void)state;
	pair_open(&pair);
	assert_int_equal(bh_conn_wait(pair.conn, begin_ms + 30, &item), BH_ETIMEOUT);
	assert_true(bh_clock_mono_ms() >= begin_ms + 30);
	pair_close(&pair);
}

static void an_oversized_frame_is_refused(void **state)
{
	struct pair pair;
	struct bh_conn_item item;

	(void)state;
	pair_open(&pair);
	say(&pair, "\0\1\0\0\377\377\377\377", 8);
	assert_int_equal(bh_conn_wait(pair.conn, bh_clock_mono_ms() + 1000, &item), BH_EPROTOCOL);
	pair_close(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_frames_mix),
		cmocka_unit_test(items_come_byte_by_byte),
		cmocka_unit_test(a_full_socket_keeps_the_rest),
		cmocka_unit_test(an_end_is_told_after_the_last_item),
		cmocka_unit_test(waiting_ends_at_the_deadline),
		cmocka_unit_test(an_oversized_frame_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
