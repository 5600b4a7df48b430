#include "src/server/tape.h"

#include "src/base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

static int memfd_new(size_t size)
{
	int fd = memfd_create("tape", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	return fd;
}

static struct bh_tape *tape_new(int *fd_out)
{
	struct bh_tape *tape = NULL;
	int fd = memfd_new(BH_TAPE_SIZE);

	if (fd_out != NULL) {
		*fd_out = dup(fd);
	}
	assert_int_equal(bh_tape_open(fd, -1, &tape, NULL), 0);
	return tape;
}

static void expect_event(struct bh_tape *tape, enum bh_tape_kind kind, uint64_t offset,
                         const char *bytes)
{
	struct bh_tape_event event;

	assert_true(bh_tape_replay_next(tape, 1000, &event));
	assert_int_equal(event.kind, kind);
	assert_int_equal(event.offset, offset);
	assert_int_equal(event.bytes.len, strlen(bytes));
	if (event.bytes.len > 0) {
		assert_memory_equal(event.bytes.data, bytes, event.bytes.len);
	}
}

static void expect_end(struct bh_tape *tape)
{
	struct bh_tape_event event;

	assert_false(bh_tape_replay_next(tape, 1000, &event));
	bh_tape_replay_end(tape);
}

static void a_fresh_tape_replays_to_nothing(void **state)
{
	struct bh_tape *tape = tape_new(NULL);

	(void)state;
	assert_int_equal(bh_tape_offset(tape), 0);
	bh_tape_replay_start(tape);
	expect_event(tape, BH_TAPE_CHECKPOINT, 0, "");
	expect_end(tape);
	bh_tape_free(tape);
}

static void output_and_resizes_come_back_in_order(void **state)
{
	struct bh_tape_event event;
	struct bh_tape *tape;
	int fd;

	(void)state;
	tape = tape_new(&fd);
	assert_int_equal(bh_tape_resize(tape, 80, 24), 0);
	assert_int_equal(bh_tape_append(tape, "hello", 5), 0);
	assert_int_equal(bh_tape_resize(tape, 90, 24), 0);
	assert_int_equal(bh_tape_resize(tape, 100, 30), 0); // same offset: only this one counts
	assert_int_equal(bh_tape_append(tape, "world", 5), 0);
	bh_tape_free(tape);

	assert_int_equal(bh_tape_open(fd, -1, &tape, NULL), 0);
	assert_int_equal(bh_tape_offset(tape), 10);
	bh_tape_replay_start(tape);
	expect_event(tape, BH_TAPE_CHECKPOINT, 0, "");
	expect_event(tape, BH_TAPE_RESIZE, 0, "");
	expect_event(tape, BH_TAPE_OUTPUT, 0, "hello");
	assert_true(bh_tape_replay_next(tape, 1000, &event));
	assert_int_equal(event.kind, BH_TAPE_RESIZE);
	assert_int_equal(event.cols, 100);
	assert_int_equal(event.rows, 30);
	expect_event(tape, BH_TAPE_OUTPUT, 5, "world");
	expect_end(tape);
	bh_tape_free(tape);
}

static void replay_keeps_budget_and_the_border_of_replies(void **state)
{
	struct bh_tape *tape = tape_new(NULL);
	struct bh_tape_event event;

	(void)state;
	assert_int_equal(bh_tape_append(tape, "abcdefgh", 8), 0);
	bh_tape_set_replied(tape, 5);
	bh_tape_replay_start(tape);
	expect_event(tape, BH_TAPE_CHECKPOINT, 0, "");
	assert_true(bh_tape_replay_next(tape, 3, &event));
	assert_int_equal(event.bytes.len, 3);
	assert_true(event.is_replied);
	assert_true(bh_tape_replay_next(tape, 3, &event));
	assert_int_equal(event.bytes.len, 2); // up to the border only
	assert_true(event.is_replied);
	assert_true(bh_tape_replay_next(tape, 3, &event));
	assert_int_equal(event.bytes.len, 3);
	assert_false(event.is_replied);
	assert_int_equal(event.offset, 5);
	expect_end(tape);
	bh_tape_free(tape);
}

static void a_checkpoint_takes_the_place_of_all_before(void **state)
{
	struct bh_span repaint = {"REPAINT", 7};
	struct bh_tape_event event;
	struct bh_tape *tape;
	int fd;

	(void)state;
	tape = tape_new(&fd);
	assert_int_equal(bh_tape_append(tape, "old", 3), 0);
	assert_int_equal(bh_tape_resize(tape, 10, 10), 0);
	assert_int_equal(bh_tape_checkpoint(tape, repaint, 80, 24), 0);
	assert_int_equal(bh_tape_append(tape, "new", 3), 0);
	bh_tape_free(tape);

	assert_int_equal(bh_tape_open(fd, -1, &tape, NULL), 0);
	bh_tape_replay_start(tape);
	assert_true(bh_tape_replay_next(tape, 1, &event));
	assert_int_equal(event.kind, BH_TAPE_CHECKPOINT);
	assert_int_equal(event.cols, 80);
	assert_int_equal(event.rows, 24);
	assert_int_equal(event.bytes.len, 7); // whole, whatever the budget
	assert_memory_equal(event.bytes.data, "REPAINT", 7);
	expect_event(tape, BH_TAPE_OUTPUT, 3, "new");
	expect_end(tape);
	bh_tape_free(tape);
}

static void a_full_tape_says_so_and_a_checkpoint_frees_it(void **state)
{
	struct bh_tape *tape = tape_new(NULL);
	char *block = calloc(1, BH_TAPE_SIZE);
	size_t total = 0;

	(void)state;
	assert_non_null(block);
	assert_false(bh_tape_wants_checkpoint(tape));
	while (bh_tape_append(tape, block, 1000) == 0) {
		total += 1000;
	}
	assert_true(total > 200000);
	assert_true(bh_tape_wants_checkpoint(tape));
	assert_int_equal(bh_tape_append(tape, block, 1000), BH_ELIMIT);
	// Too big a checkpoint is refused and changes nothing.
	assert_int_equal(
		bh_tape_checkpoint(tape, (struct bh_span){block, BH_TAPE_SIZE / 2}, 80, 24),
		BH_ELIMIT);
	assert_int_equal(bh_tape_offset(tape), total);
	assert_int_equal(bh_tape_checkpoint(tape, (struct bh_span){block, 1000}, 80, 24), 0);
	assert_int_equal(bh_tape_offset(tape), total);
	assert_false(bh_tape_wants_checkpoint(tape));
	assert_int_equal(bh_tape_append(tape, block, 1000), 0);
	free(block);
	bh_tape_free(tape);
}

static void the_mark_of_a_replay_poisons_until_wiped(void **state)
{
	struct bh_tape *tape;
	int fd, again;

	(void)state;
	tape = tape_new(&fd);
	again = dup(fd);
	assert_int_equal(bh_tape_append(tape, "killer", 6), 0);
	bh_tape_replay_start(tape);
	bh_tape_free(tape); // died before its turn came: not the cause

	assert_int_equal(bh_tape_open(dup(fd), -1, &tape, NULL), 0);
	assert_false(bh_tape_is_poisoned(tape));
	bh_tape_replay_start(tape);
	expect_event(tape, BH_TAPE_CHECKPOINT, 0, "");
	expect_event(tape, BH_TAPE_OUTPUT, 0, "killer");
	bh_tape_free(tape); // as if the server died of it

	assert_int_equal(bh_tape_open(dup(fd), -1, &tape, NULL), 0);
	assert_false(bh_tape_is_poisoned(tape)); // once may be chance
	bh_tape_replay_start(tape);
	expect_event(tape, BH_TAPE_CHECKPOINT, 0, "");
	bh_tape_replay_pause(tape); // its first turn went well
	expect_event(tape, BH_TAPE_OUTPUT, 0, "killer");
	bh_tape_free(tape);

	assert_int_equal(bh_tape_open(fd, -1, &tape, NULL), 0);
	assert_true(bh_tape_is_poisoned(tape));
	bh_tape_wipe(tape);
	assert_false(bh_tape_is_poisoned(tape));
	assert_int_equal(bh_tape_offset(tape), 6);
	bh_tape_replay_start(tape);
	expect_event(tape, BH_TAPE_CHECKPOINT, 6, "");
	bh_tape_replay_pause(tape); // died while it did something else
	bh_tape_free(tape);

	assert_int_equal(bh_tape_open(again, -1, &tape, NULL), 0);
	assert_false(bh_tape_is_poisoned(tape));
	bh_tape_free(tape);
}

static void what_is_no_tape_is_refused(void **state)
{
	struct bh_tape *tape = NULL;
	struct bh_err err;
	int fd;

	(void)state;
	assert_int_equal(bh_tape_open(memfd_new(4096), -1, &tape, &err), BH_ECORRUPT);
	assert_int_equal(bh_tape_open(memfd_new(BH_TAPE_SIZE + 1), -1, &tape, &err), BH_ECORRUPT);
	assert_int_equal(bh_tape_open(open("/dev/null", O_RDWR | O_CLOEXEC), -1, &tape, &err),
	                 BH_ECORRUPT);
	fd = memfd_new(BH_TAPE_SIZE);
	assert_int_equal(pwrite(fd, "garbage", 7, 0), 7);
	assert_int_equal(bh_tape_open(dup(fd), -1, &tape, &err), BH_ECORRUPT);
	assert_int_equal(bh_tape_open_blank(fd, &tape, &err), 0);
	assert_int_equal(bh_tape_offset(tape), 0);
	bh_tape_free(tape);
}

static void notes_live_as_long_as_the_tape(void **state)
{
	static const uint8_t zeroes[BH_TAPE_NOTES_SIZE];
	struct bh_tape *tape;
	int fd;

	(void)state;
	tape = tape_new(&fd);
	assert_memory_equal(bh_tape_notes(tape), zeroes, sizeof(zeroes));
	memset(bh_tape_notes(tape), 7, BH_TAPE_NOTES_SIZE);
	assert_int_equal(bh_tape_append(tape, "out", 3), 0);
	assert_int_equal(bh_tape_checkpoint(tape, bh_span_of("screen"), 80, 24), 0);
	bh_tape_wipe(tape);
	bh_tape_free(tape);

	assert_int_equal(bh_tape_open(dup(fd), -1, &tape, NULL), 0);
	assert_int_equal(((const uint8_t *)bh_tape_notes(tape))[0], 7);
	assert_int_equal(((const uint8_t *)bh_tape_notes(tape))[BH_TAPE_NOTES_SIZE - 1], 7);
	bh_tape_free(tape);
	assert_int_equal(bh_tape_open_blank(fd, &tape, NULL), 0);
	assert_memory_equal(bh_tape_notes(tape), zeroes, sizeof(zeroes));
	bh_tape_free(tape);
}

// Any header gives a tape that can be replayed and written, or an error.
static void damaged_headers_do_no_harm(void **state)
{
	int opened = 0;

	(void)state;
	srandom(7);
	for (int round = 0; round < 400; round++) {
		struct bh_tape_event event;
		struct bh_tape *tape;
		int fd, events = 0;

		tape = tape_new(&fd);
		assert_int_equal(bh_tape_append(tape, "some output", 11), 0);
		assert_int_equal(bh_tape_resize(tape, 80, 24), 0);
		bh_tape_free(tape);
		for (long i = random() % 3; i >= 0; i--) {
			uint8_t byte = (uint8_t)random();

			assert_int_equal(pwrite(fd, &byte, 1, 8 + random() % 112), 1);
		}
		if (bh_tape_open(fd, -1, &tape, NULL) != 0) {
			continue;
		}
		opened++;
		bh_tape_replay_start(tape);
		while (bh_tape_replay_next(tape, 1000, &event)) {
			events++;
		}
		assert_in_range(events, 1, 1000000);
		(void)bh_tape_append(tape, "x", 1);
		(void)bh_tape_resize(tape, 9, 9);
		assert_int_equal(bh_tape_checkpoint(tape, (struct bh_span){"y", 1}, 80, 24), 0);
		bh_tape_free(tape);
	}
	assert_in_range(opened, 20, 380); // both outcomes were seen
}

// The stream of the kill test: runs of text, of the pattern's bytes, of 0xFF and of anything.
static uint8_t stream_byte(uint64_t at)
{
	uint64_t block = at / 700;
	uint64_t x = (at + 1) * 0x9e3779b97f4a7c15U;

	x ^= x >> 29;
	switch (block % 4) {
	case 0:
		return (uint8_t)('a' + at % 26);
	case 1:
		return 0xff;
	case 2:
		return (uint8_t)(x >> 40) | 0xf8;
	default:
		return (uint8_t)(x >> 40);
	}
}

#define STREAM_LEN (40 * 1000 * 1000)

// Write the stream in pieces of odd sizes; the PTY is raw, so nothing is changed on the way.
_Noreturn static void writer_main(int slave)
{
	uint8_t piece[3000];
	uint64_t at = 0;
	uint32_t seed = 1;

	while (at < STREAM_LEN) {
		size_t len;

		seed = seed * 1103515245U + 12345U;
		len = (seed >> 16) % 8 == 0 ? 1 + (seed >> 20) % 5 : 1 + (seed >> 18) % 2999;
		len = len < STREAM_LEN - at ? len : STREAM_LEN - at;
		for (size_t i = 0; i < len; i++) {
			piece[i] = stream_byte(at + i);
		}
		if (bh_fd_write_all(slave, piece, len) != 0) {
			_exit(1);
		}
		at += len;
	}
	_exit(0);
}

static void check_bytes(struct bh_span bytes, uint64_t offset)
{
	for (size_t i = 0; i < bytes.len; i++) {
		if ((uint8_t)bytes.data[i] != stream_byte(offset + i)) {
			static const char text[] = "a byte was lost or doubled\n";

			(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
			_exit(3);
		}
	}
}

// One life of the server: replay, then read until killed or done.
_Noreturn static void reader_main(int tape_fd, int master)
{
	struct bh_tape_event event;
	struct bh_tape *tape;
	struct bh_span bytes;

	if (bh_tape_open(dup(tape_fd), master, &tape, NULL) != 0) {
		_exit(2);
	}
	// A kill in the replay is part of the game here, so the mark is not looked at.
	bh_tape_replay_start(tape);
	while (bh_tape_replay_next(tape, 10000, &event)) {
		if (event.kind == BH_TAPE_OUTPUT) {
			check_bytes(event.bytes, event.offset);
		}
	}
	bh_tape_replay_end(tape);
	while (bh_tape_offset(tape) < STREAM_LEN) {
		uint64_t offset = bh_tape_offset(tape);
		int rc = bh_tape_read(tape, master, &bytes);

		if (rc == 0) {
			check_bytes(bytes, offset);
		} else if (rc == -EAGAIN) {
			struct pollfd poll_fd = {.fd = master, .events = POLLIN};

			if (poll(&poll_fd, 1, 30000) == 0) {
				_exit(6); // the writer is done: bytes are missing
			}
		} else if (rc != BH_ELIMIT) {
			_exit(4);
		}
		if ((rc == BH_ELIMIT || bh_tape_wants_checkpoint(tape)) &&
		    bh_tape_checkpoint(tape, (struct bh_span){"c", 1}, 80, 24) != 0) {
			_exit(5);
		}
	}
	_exit(0);
}

static void kill_9_loses_no_byte(void **state)
{
	int tape_fd = memfd_new(BH_TAPE_SIZE);
	struct termios raw;
	int master, slave, status = 0, kills = 0;
	pid_t writer;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(slave, &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(slave, TCSANOW, &raw), 0);
	assert_int_equal(bh_fd_set_nonblock(master, true), 0);
	writer = fork();
	assert_true(writer >= 0);
	if (writer == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL); // a failed test must not leave it behind
		writer_main(slave);
	}
	srandom(42);
	do {
		pid_t reader = fork();

		assert_true(reader >= 0);
		if (reader == 0) {
			reader_main(tape_fd, master);
		}
		if (kills < 300) {
			(void)usleep((useconds_t)(200 + random() % 3000));
			assert_int_equal(kill(reader, SIGKILL), 0);
			kills++;
		}
		assert_int_equal(waitpid(reader, &status, 0), reader);
	} while (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_true(kills > 30);
	assert_int_equal(waitpid(writer, &status, 0), writer);
	assert_int_equal(status, 0);
	(void)close(master);
	(void)close(slave);
	(void)close(tape_fd);
}

static void the_end_of_a_pty_and_an_empty_one_are_told_apart(void **state)
{
	struct bh_tape *tape = tape_new(NULL);
	struct bh_span bytes;
	int master, slave;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	assert_int_equal(bh_fd_set_nonblock(master, true), 0);
	assert_int_equal(bh_tape_read(tape, master, &bytes), -EAGAIN);
	assert_int_equal(write(slave, "bye", 3), 3);
	(void)close(slave);
	assert_int_equal(bh_tape_read(tape, master, &bytes), 0);
	assert_int_equal(bytes.len, 3);
	assert_memory_equal(bytes.data, "bye", 3);
	assert_int_equal(bh_tape_read(tape, master, &bytes), -EIO);
	assert_int_equal(bh_tape_offset(tape), 3);
	(void)close(master);
	bh_tape_free(tape);
}

static void sizes_fit_the_screen(void **state)
{
	(void)state;
	assert_int_equal(bh_tape_size_for(80, 24), BH_TAPE_SIZE);
	assert_int_equal(bh_tape_size_for(-1, 0), BH_TAPE_SIZE);
	assert_true(bh_tape_size_for(200, 50) > 2 * 200 * 50 * 48);
	assert_int_equal(bh_tape_size_for(1000, 1000) % 4096, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fresh_tape_replays_to_nothing),
		cmocka_unit_test(output_and_resizes_come_back_in_order),
		cmocka_unit_test(replay_keeps_budget_and_the_border_of_replies),
		cmocka_unit_test(a_checkpoint_takes_the_place_of_all_before),
		cmocka_unit_test(a_full_tape_says_so_and_a_checkpoint_frees_it),
		cmocka_unit_test(the_mark_of_a_replay_poisons_until_wiped),
		cmocka_unit_test(what_is_no_tape_is_refused),
		cmocka_unit_test(notes_live_as_long_as_the_tape),
		cmocka_unit_test(damaged_headers_do_no_harm),
		cmocka_unit_test(the_end_of_a_pty_and_an_empty_one_are_told_apart),
		cmocka_unit_test(sizes_fit_the_screen),
		cmocka_unit_test(kill_9_loses_no_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
