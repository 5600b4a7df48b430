/** @file
 * A keeper under test. The program `bellhop-keeper` runs with this test program as its server, which
 * only hands the keeper's socket over to the test; so the test itself is the server's brain, and the
 * process can be killed.
 */
#ifndef BH_TESTS_KEEPER_WORLD_H
#define BH_TESTS_KEEPER_WORLD_H

#include "src/base/fd.h"
#include "src/keeper/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** A running keeper, and its server of the moment. */
struct world {
	/** Folder with everything; removed at the end. */
	char dir[64];
	/** Where servers report. */
	int listener;
	/** The keeper: a child of the test. */
	pid_t keeper;
	/** The server process, its control connection, and the keeper's socket. */
	pid_t server;
	int control;
	int link;
	/** The keeper's program. */
	char program[512];
	/** Number of the last request. */
	uint32_t seq;
};

/** A message that came, with its descriptors. */
struct reply {
	union bh_wire message;
	int fds[BH_FD_PASS_MAX];
	size_t count;
};

/** If this process was started as a server by a keeper, be one and do not return. */
void world_serve(int argc, char **argv);

/** Make the folder and the listener; no keeper yet. */
void world_init(struct world *world);

/** Start one more keeper for the folder whose servers run in @mode ("serve", "crash", "hopeless"),
 * or, with NULL, that has no server program. */
pid_t world_start_keeper(const struct world *world, const char *mode);

/** Keepers started from here on run from a copy of the program in the folder. */
void world_copy_keeper(struct world *world);

/** Replace that copy by a file with this content, as an installation does. */
void world_break_keeper(struct world *world, const char *content);

/** world_init() and a keeper with a server that has reported. */
void world_start(struct world *world);

/** Wait for the next server to report. */
void world_accept(struct world *world);

/** Kill the server. */
void world_kill_server(struct world *world);

/** Have the server exit with a status. */
void world_exit_server(struct world *world, int status);

/** End everything as SIGTERM does, and check that the keeper ends well. */
void world_stop(struct world *world);

/** Wait at most @ms for a process; gives its wait status, fails the test at the time limit. */
int world_wait(pid_t pid, int ms);

/** Close what the test holds, and remove the folder. */
void world_clear(struct world *world);

/** Send a message of @type; gives its seq. */
uint32_t world_send(struct world *world, union bh_wire *message, enum bh_wire_type type);

/** Wait for the next message (5 s), which must be of @type. Close the descriptors with _drop(). */
void world_expect(struct world *world, enum bh_wire_type type, struct reply *out);

/** Close the descriptors of a reply. */
void world_drop(struct reply *reply);

/** Greet; gives the answer. */
struct bh_wire_hello world_hello(struct world *world);

/** Ask for a child with key @key in the first byte of its id; @out gets the SPAWNED. */
void world_spawn(struct world *world, uint8_t key, const char *const *argv, const char *const *env,
                 struct reply *out);

/** As world_spawn() for `sh -c SCRIPT` with a PATH. */
void world_spawn_sh(struct world *world, uint8_t key, const char *script, struct reply *out);

/** Wait for the exit of the terminal with this key; gives the wait status. */
int world_expect_exit(struct world *world, uint8_t key);

/** Wait for the refusal of the request @seq. */
struct bh_wire_refused world_expect_refusal(struct world *world, uint32_t seq);

/** Send FORGET; gives its seq. */
uint32_t world_forget(struct world *world, uint8_t key);

/** LIST; gives the number of entries, and the one with @key in @out, with its descriptors. */
uint32_t world_list(struct world *world, uint8_t key, struct reply *out);

/** Read the terminal until @until appears (5 s); the text is static, good until the next call. */
const char *world_read_until(int master, const char *until);

/** The text of a file of the folder, "" when it is not there. Static as above. */
const char *world_file(const struct world *world, const char *name);

#endif
