/** @file
 * Reaching the server: connect to its socket; where there is none, start the keeper, which starts
 * it. Any number of callers may do this at once: the keeper's lock lets one of them win, all
 * connect to the same server.
 */
#ifndef BH_CLIENT_START_H
#define BH_CLIENT_START_H

#include "src/base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/** Longest wait for a server that was started, or is restarting (ms). */
#define BH_START_TIMEOUT_MS 5000

/** Where the server is and how to start it. All borrowed for the call. */
struct bh_start_settings {
	/** Path of server.sock. */
	const char *socket_path;
	/** Command line of the keeper, ended by NULL; NULL: never start it. */
	const char *const *keeper_argv;
	/** A file that is there while the keeper has given the server up: no need to wait on; or NULL. */
	const char *given_up_path;
	/** The file that a living keeper holds a lock on; or NULL: not known. Without a keeper, and
	 * none to start, there is nothing to wait for. */
	const char *lock_path;
	/** How long to try (ms); 0: one try. */
	long timeout_ms;
	/** How long at most while there is not even a socket file, or surely no keeper, and none to
	 * start (ms). */
	long absent_ms;
};

/**
 * Connect once.
 *
 * @return
 *         0 with a close-on-exec, non-blocking descriptor; BH_EDENIED when the socket or the
 *         server belongs to another user; -errno (-ENOENT, -ECONNREFUSED: no server runs; -EAGAIN:
 *         one listens, but too many wait for it; -EPERM, -EACCES: a sandbox forbids it).
 */
int bh_start_try(const char *socket_path, int *fd_out, struct bh_err *err);

/** Connect, starting the keeper when nothing answers. As bh_start_try(), and BH_ETIMEOUT. */
int bh_start_connect(const struct bh_start_settings *settings, int *fd_out, struct bh_err *err);

/** The keeper that holds the lock of a session, as its file says; 0: none does. */
pid_t bh_start_keeper(const char *lock_path);

/** Whether @code says that no server listens now, or takes nobody in, so that trying again makes sense. */
bool bh_start_is_absent(int code);

/** Whether @code says that a sandbox keeps us from the socket. */
bool bh_start_is_forbidden(int code);

#endif
