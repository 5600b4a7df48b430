#include "src/base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void bh_fd_close(int *fd)
{
	if (*fd >= 0) {
		(void)close(*fd); // the descriptor is gone in every case
		*fd = -1;
	}
}

int bh_fd_set_nonblock(int fd, bool is_on)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0) {
		return -errno;
	}
	flags = is_on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
	return fcntl(fd, F_SETFL, flags) < 0 ? -errno : 0;
}

int bh_fd_set_cloexec(int fd, bool is_on)
{
	return fcntl(fd, F_SETFD, is_on ? FD_CLOEXEC : 0) < 0 ? -errno : 0;
}

int bh_fd_write_all(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len > 0) {
		ssize_t done = write(fd, at, len);

		if (done < 0 && errno == EINTR) {
			continue;
		}
		if (done < 0) {
			return -errno;
		}
		at += done;
		len -= (size_t)done;
	}
	return 0;
}

ssize_t bh_fd_read_all(int fd, void *bytes, size_t len)
{
	char *at = bytes;
	size_t have = 0;

	while (have < len) {
		ssize_t got = read(fd, at + have, len - have);

		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got < 0) {
			return -errno;
		}
		if (got == 0) {
			break;
		}
		have += (size_t)got;
	}
	return (ssize_t)have;
}

// Aligned room for the control message.
union control {
	char bytes[CMSG_SPACE(sizeof(int) * BH_FD_PASS_MAX)];
	struct cmsghdr align;
};

int bh_fd_send(int sock, const void *bytes, size_t len, const int *fds, size_t count)
{
	struct iovec iov = {.iov_base = (void *)(size_t)bytes, .iov_len = len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	union control control;
	ssize_t done;

	if (count > BH_FD_PASS_MAX) {
		return -EINVAL;
	}
	if (count > 0) {
		struct cmsghdr *cmsg = &control.align;

		memset(&control, 0, sizeof(control));
		msg.msg_control = control.bytes;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * count);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int) * count);
		memcpy(CMSG_DATA(cmsg), fds, sizeof(int) * count);
	}
	do {
		done = sendmsg(sock, &msg, MSG_NOSIGNAL);
	} while (done < 0 && errno == EINTR);
	return done < 0 ? -errno : 0;
}

// Take the descriptors out of @msg; those beyond BH_FD_PASS_MAX cannot be there (no room).
static size_t control_take(struct msghdr *msg, int fds[BH_FD_PASS_MAX])
{
	size_t count = 0;

	for (struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg); cmsg != NULL;
	     cmsg = CMSG_NXTHDR(msg, cmsg)) {
		size_t here;

		if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS) {
			continue;
		}
		here = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		if (here > BH_FD_PASS_MAX - count) {
			here = BH_FD_PASS_MAX - count;
		}
		memcpy(fds + count, CMSG_DATA(cmsg), here * sizeof(int));
		count += here;
	}
	return count;
}

ssize_t bh_fd_recv(int sock, void *bytes, size_t size, int fds[BH_FD_PASS_MAX], size_t *count_out)
{
	struct iovec iov = {.iov_base = bytes, .iov_len = size};
	union control control;
	struct msghdr msg = {.msg_iov = &iov,
	                     .msg_iovlen = 1,
	                     .msg_control = control.bytes,
	                     .msg_controllen = sizeof(control.bytes)};
	ssize_t got;

	for (size_t i = 0; i < BH_FD_PASS_MAX; i++) {
		fds[i] = -1;
	}
	*count_out = 0;
	do {
		got = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		return -errno;
	}
	*count_out = control_take(&msg, fds);
	if ((msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
		for (size_t i = 0; i < BH_FD_PASS_MAX; i++) {
			bh_fd_close(&fds[i]);
		}
		*count_out = (msg.msg_flags & MSG_CTRUNC) != 0 ? BH_FD_LOST : 0;
		return (msg.msg_flags & MSG_TRUNC) != 0 ? -EMSGSIZE : got;
	}
	return got;
}
