/** @file
 * File descriptors: flags, whole reads and writes, and passing them over a Unix socket. Libc only,
 * so the keeper uses it too. All functions give 0 (or a count) or -errno.
 */
#ifndef BH_BASE_FD_H
#define BH_BASE_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Most descriptors in one packet. */
#define BH_FD_PASS_MAX 4
/** As a count: descriptors came, but this process may not open more of them; all are closed. */
#define BH_FD_LOST ((size_t)-1)

/** Close *@fd unless it is -1, and set it to -1. */
void bh_fd_close(int *fd);

/** Set or clear O_NONBLOCK. */
int bh_fd_set_nonblock(int fd, bool is_on);

/** Set or clear FD_CLOEXEC. */
int bh_fd_set_cloexec(int fd, bool is_on);

/** Write all of @len bytes, going on after EINTR and short writes. For blocking descriptors. */
int bh_fd_write_all(int fd, const void *bytes, size_t len);

/** Read until @len bytes or the end of the file; gives the number of bytes read or -errno. */
ssize_t bh_fd_read_all(int fd, void *bytes, size_t len);

/**
 * Send one packet with descriptors over a Unix socket. The descriptors stay open here.
 *
 * @count
 *         Number of @fds, 0 to BH_FD_PASS_MAX.
 * @return
 *         0, or -errno; -EAGAIN when a non-blocking socket is full. Never raises SIGPIPE.
 */
int bh_fd_send(int sock, const void *bytes, size_t len, const int *fds, size_t count);

/**
 * Receive one packet with descriptors. Those received are close-on-exec and belong to the caller.
 *
 * @fds
 *         Room for BH_FD_PASS_MAX descriptors; unused entries are set to -1.
 * @count_out
 *         Number of descriptors received, or BH_FD_LOST.
 * @return
 *         Length of the packet; 0 at the end; -errno; -EMSGSIZE when the packet was longer than
 *         @size (its descriptors are closed then).
 */
ssize_t bh_fd_recv(int sock, void *bytes, size_t size, int fds[BH_FD_PASS_MAX], size_t *count_out);

#endif
