#include "src/base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static void socket_pair(int ends[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
}

static void test_sets_flags(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(bh_fd_set_nonblock(ends[0], true), 0);
	assert_true(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
	assert_int_equal(bh_fd_set_nonblock(ends[0], false), 0);
	assert_false(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
	assert_int_equal(bh_fd_set_cloexec(ends[0], true), 0);
	assert_true(fcntl(ends[0], F_GETFD) & FD_CLOEXEC);
	bh_fd_close(&ends[0]);
	assert_int_equal(ends[0], -1);
	bh_fd_close(&ends[0]);
	bh_fd_close(&ends[1]);
	assert_int_equal(bh_fd_set_cloexec(-1, true), -EBADF);
}

static void test_writes_and_reads_all(void **state)
{
	char bytes[16];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(bh_fd_write_all(ends[1], "hello", 5), 0);
	bh_fd_close(&ends[1]);
	assert_int_equal(bh_fd_read_all(ends[0], bytes, sizeof(bytes)), 5);
	assert_memory_equal(bytes, "hello", 5);
	bh_fd_close(&ends[0]);
	assert_int_equal(bh_fd_read_all(-1, bytes, 1), -EBADF);
}

static void test_passes_descriptors(void **state)
{
	int fds[BH_FD_PASS_MAX];
	int pipe_ends[2];
	int ends[2];
	char bytes[16];
	size_t count = 9;

	(void)state;
	socket_pair(ends);
	assert_int_equal(pipe(pipe_ends), 0);
	assert_int_equal(bh_fd_send(ends[0], "two", 3, pipe_ends, 2), 0);
	assert_int_equal(bh_fd_recv(ends[1], bytes, sizeof(bytes), fds, &count), 3);
	assert_int_equal(count, 2);
	assert_true(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
	assert_int_equal(fds[2], -1);
	assert_int_equal(bh_fd_write_all(fds[1], "x", 1), 0);
	assert_int_equal(read(pipe_ends[0], bytes, 1), 1);
	for (int i = 0; i < 2; i++) {
		bh_fd_close(&fds[i]);
		bh_fd_close(&pipe_ends[i]);
		bh_fd_close(&ends[i]);
	}
}

static void test_passes_none_and_refuses_too_many(void **state)
{
	int fds[BH_FD_PASS_MAX];
	int many[BH_FD_PASS_MAX + 1] = {0};
	int ends[2];
	char bytes[4];
	size_t count = 9;

	(void)state;
	socket_pair(ends);
	assert_int_equal(bh_fd_send(ends[0], "a", 1, many, BH_FD_PASS_MAX + 1), -EINVAL);
	assert_int_equal(bh_fd_send(ends[0], "a", 1, NULL, 0), 0);
	assert_int_equal(bh_fd_recv(ends[1], bytes, sizeof(bytes), fds, &count), 1);
	assert_int_equal(count, 0);
	assert_int_equal(bh_fd_send(ends[0], "too long", 8, NULL, 0), 0);
	assert_int_equal(bh_fd_recv(ends[1], bytes, sizeof(bytes), fds, &count), -EMSGSIZE);
	bh_fd_close(&ends[0]);
	assert_int_equal(bh_fd_recv(ends[1], bytes, sizeof(bytes), fds, &count), 0);
	bh_fd_close(&ends[1]);
}

static void test_a_full_or_gone_peer_is_an_error_not_a_signal(void **state)
{
	int ends[2];
	int code = 0;

	(void)state;
	socket_pair(ends);
	assert_int_equal(bh_fd_set_nonblock(ends[0], true), 0);
	for (int i = 0; i < 100000 && code == 0; i++) {
		code = bh_fd_send(ends[0], "fill", 4, NULL, 0);
	}
	assert_int_equal(code, -EAGAIN);
	bh_fd_close(&ends[0]);
	bh_fd_close(&ends[1]);
	socket_pair(ends);
	bh_fd_close(&ends[1]);
	assert_int_equal(bh_fd_send(ends[0], "gone", 4, NULL, 0), -EPIPE);
	bh_fd_close(&ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets_flags),
		cmocka_unit_test(test_writes_and_reads_all),
		cmocka_unit_test(test_passes_descriptors),
		cmocka_unit_test(test_passes_none_and_refuses_too_many),
		cmocka_unit_test(test_a_full_or_gone_peer_is_an_error_not_a_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
