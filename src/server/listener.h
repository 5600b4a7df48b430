/** @file
 * The session's socket, which stays where clients look for it: a cleaner of old files, or a log-out
 * that empties XDG_RUNTIME_DIR, may remove it with its folder under a server whose agents live on.
 * The folder is watched, so an idle server sleeps.
 */
#ifndef BH_SERVER_LISTENER_H
#define BH_SERVER_LISTENER_H

#include <uv.h>

struct bh_err;
struct bh_listener;

/** What it needs; all of it must outlive it. */
struct bh_listener_settings {
	/** The loop. */
	uv_loop_t *loop;
	/** Where to listen. A socket that is there is replaced. */
	const char *path;
	/** A client waits; accept it from @pipe. */
	void (*connected)(void *user, uv_pipe_t *pipe);
	/** The socket was removed: make its folder again. 0, or a negative code (tried again later).
	 * NULL: there is nothing to be made. */
	int (*lost)(void *user, struct bh_err *err);
	/** The last call, after bh_listener_close(). */
	void (*closed)(void *user);
	/** For the calls. */
	void *user;
};

/** Listen. 0, or -errno (then `closed` is not called). */
int bh_listener_start(const struct bh_listener_settings *settings,
                      struct bh_listener **listener_out, struct bh_err *err);

/** Stop listening and remove the socket. Asynchronous, ends in `closed`. */
void bh_listener_close(struct bh_listener *listener);

#endif
