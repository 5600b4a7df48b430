/** @file
 * The server's end of the socket to the keeper (src/keeper/wire.h).
 *
 * Life: start() sends a greeting. From the loop then come `adopted` for every terminal that the
 * keeper holds (after a restart of the server), `ready` once, and from then on `exited`. Requests may
 * be made from `ready` on. When the keeper is gone or talks nonsense: `lost`, once; the server should
 * save what it must and end. close() ends in `closed`; spawns not answered by then are dropped
 * without their callback.
 *
 * A public call never runs a callback.
 */
#ifndef BH_SERVER_KEEPER_LINK_H
#define BH_SERVER_KEEPER_LINK_H

#include "src/base/err.h"
#include "src/base/uuid.h"
#include "src/keeper/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

struct bh_keeper_link;

/** A terminal in the keeper's table. */
struct bh_keeper_entry {
	/** Its id. */
	struct bh_uuid id;
	/** The child. */
	pid_t pid;
	/** The child's start time: field 22 of its stat file (clock ticks since boot). */
	uint64_t pid_start;
	/** Whether the child has exited; forget it once that was noted. */
	bool has_exited;
	/** Its wait status then. */
	int status;
	/** The master, non-blocking, close-on-exec; -1 when there is none. The callee's from now on. */
	int master_fd;
	/** The tape (src/server/tape.h); -1 when there is none. The callee's from now on. */
	int tape_fd;
	/** What the server gave at the spawn. */
	uint8_t data[BH_WIRE_DATA];
};

/** What comes from the keeper. All are called from the loop. */
struct bh_keeper_link_events {
	/** A terminal found at the start. The descriptors in @entry are the callee's. */
	void (*adopted)(void *user, const struct bh_keeper_entry *entry);
	/** All of them were reported; requests are possible. */
	void (*ready)(void *user);
	/** A child is gone: @status is a wait status. The entry stays until forgotten. Before `ready`
	 * it may come for one that is not adopted yet: ignore it, the entry will say it again. */
	void (*exited)(void *user, const struct bh_uuid *id, int status);
	/** After bh_keeper_link_shutdown(): every child is gone, the server should end now. */
	void (*done)(void *user);
	/** The keeper is gone or broke the protocol. */
	void (*lost)(void *user, const struct bh_err *err);
	/** The answer to bh_keeper_link_close(); @link is gone. */
	void (*closed)(void *user);
};

/** What a child is started with; all borrowed for the call. */
struct bh_keeper_spawn {
	/** The terminal's id; never used before. */
	struct bh_uuid id;
	/** Program (looked up in the PATH of @env) and arguments, NULL-terminated. */
	const char *const *argv;
	/** The whole environment, NULL-terminated (see childenv.h). */
	const char *const *env;
	/** Working folder; NULL: "/". */
	const char *cwd;
	/** Size of the terminal. */
	uint16_t cols, rows;
	/** Bytes of the tape: bh_tape_size_for(). */
	size_t tape_size;
	/** Kept by the keeper for bh_keeper_entry.data. */
	uint8_t data[BH_WIRE_DATA];
};

/**
 * Called when a spawn has an outcome.
 *
 * @entry
 *         The running child; its descriptors are the callee's. NULL on failure.
 * @err
 *         On failure: code BH_ELIMIT (the keeper's table is full) or -errno, and a sentence like "start clod: run the program: no such file
 *         or directory". NULL on success.
 */
typedef void bh_keeper_spawned_cb(void *user, const struct bh_keeper_entry *entry,
                                  const struct bh_err *err);

/**
 * Begin to talk on the inherited socket.
 *
 * @fd
 *         The number after --keeper-fd. Taken: closed in every case.
 * @events
 *         Must outlive the link. All members must be set.
 */
int bh_keeper_link_start(uv_loop_t *loop, int fd, const struct bh_keeper_link_events *events,
                         void *user, struct bh_keeper_link **out, struct bh_err *err);

/** End; `closed` follows. May be called twice. */
void bh_keeper_link_close(struct bh_keeper_link *link);

/**
 * Ask for a child. @done is called exactly once with @user, later, if 0 is returned.
 *
 * @return
 *         0, BH_EINVALID (argv, env or cwd too long), BH_ECLOSED (the keeper is gone), or -errno.
 */
int bh_keeper_link_spawn(struct bh_keeper_link *link, const struct bh_keeper_spawn *spawn,
                         bh_keeper_spawned_cb *done, void *user, struct bh_err *err);

/** What the keeper says of itself. */
struct bh_keeper_health {
	/** The version that both speak. */
	unsigned version;
	/** Entries of its table: in use, and in all. */
	unsigned used, entries;
	/** How often it started a server, and how often one crashed. */
	unsigned starts, crashes;
};

/** The answer to a ping. @health: NULL when there is none, then @err says why. */
typedef void bh_keeper_pinged_cb(void *user, const struct bh_keeper_health *health,
                                 const struct bh_err *err);

/** Ask the keeper how it is. @done is called exactly once if 0 is returned; when the link ends first,
 * with an error. 0 or BH_ECLOSED. */
int bh_keeper_link_ping(struct bh_keeper_link *link, bh_keeper_pinged_cb *done, void *user);

/** Let the keeper drop the entry of an exited child, with its descriptors. 0 or BH_ECLOSED. */
int bh_keeper_link_forget(struct bh_keeper_link *link, const struct bh_uuid *id);

/** Send a signal to the child, its group or its whole session. 0 or BH_ECLOSED. */
int bh_keeper_link_signal(struct bh_keeper_link *link, const struct bh_uuid *id, int signal,
                          enum bh_wire_target target);

/** End all children (SIGHUP to their sessions, SIGKILL after 3 s); `exited` and `done` follow; then
 * the keeper waits for the server's end and ends too. 0 or BH_ECLOSED. */
int bh_keeper_link_shutdown(struct bh_keeper_link *link);

/** Have the keeper run its program file anew, same pid. Nothing is heard of it unless it fails, and
 * then only in the log. 0 or BH_ECLOSED. */
int bh_keeper_link_upgrade(struct bh_keeper_link *link);

/** Tell people why the server ends in vain ("mail.db was written by a newer version: ..."), then end
 * with BH_WIRE_EXIT_HOPELESS. Sent within the call. 0 or -errno. */
int bh_keeper_link_complain(struct bh_keeper_link *link, const char *text);

/** As bh_keeper_link_complain() for a server that has no link yet, on the raw descriptor. */
int bh_keeper_link_complain_fd(int fd, const char *text);

/** The keeper's pid; 0 before `ready`. */
pid_t bh_keeper_link_pid(const struct bh_keeper_link *link);

/** Whether the keeper started a server before this one: the session goes on. False before `ready`. */
bool bh_keeper_link_is_continued(const struct bh_keeper_link *link);

/** How often the server crashed in this session before; 0 before `ready`. */
unsigned bh_keeper_link_crashes(const struct bh_keeper_link *link);

#endif
