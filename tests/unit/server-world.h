/** @file
 * A whole server in the test's process, but for the keeper: the functions of keeper_link.h are played
 * by the world. It "spawns" by opening a PTY, whose other side the test holds, so the test is the
 * child. Requests go through a real socket.
 */
#ifndef TESTS_UNIT_SERVER_WORLD_H
#define TESTS_UNIT_SERVER_WORLD_H

#include "src/server/callers.h"
#include "src/server/server.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** Most children of a world. */
#define WORLD_CHILDREN_MAX 72

/** A child that the world has "spawned". */
struct world_child {
	/** Its terminal. */
	struct bh_uuid id;
	/** The test's side of the PTY, raw and non-blocking; -1: closed. */
	int slave;
	/** The world's own copies of what the keeper would hold. */
	int master, tape;
	/** What was given at the spawn. */
	uint8_t data[64];
	/** The made-up pid. */
	int pid;
	/** The last signal it was sent; 0: none. */
	int signal;
	/** It ended, with this wait status. */
	bool has_exited;
	int status;
	/** The server let the keeper forget it. */
	bool is_forgotten;
	/** Its command line, one string, a newline behind each word. */
	char *argv;
	/** Its environment, one string, variables parted by newlines. */
	char *env;
};

/** The server and its surroundings. */
struct world {
	/** The context, as server.c makes it. */
	struct bh_server server;
	/** What callers.c asks. The caller is an operator unless the test says otherwise. */
	struct bh_callers_world callers;
	/** Who the next connection is. */
	enum bh_caller_kind kind;
	/** Makes the next spawn fail with this errno; 0: it works. */
	int spawn_error;
	/** All children ever. */
	struct world_child children[WORLD_CHILDREN_MAX];
	/** How many. */
	int child_count;
	/** When delivery is to be ticked; 0: not. */
	uint64_t wake_at_ms;
	/** Stop or restart was asked for. */
	bool is_stopped, is_restarted, is_keeper_upgraded;
	/** There was another server before this one. */
	bool has_crashed;
	/** The client. */
	int client;
	/** What it has read. */
	char *in;
	/** How much. */
	size_t in_len;
	/** Folder of everything. */
	char folder[64];
	/** The answer to the last request; freed by the next. */
	cJSON *answer;
	/** Notifications that came, oldest first; NULL: none yet. */
	cJSON *told;
	/** The one that world_told() gave last. */
	cJSON *event;
};

/** Start. */
void world_open(struct world *world);

/** As a crash: everything in memory goes, store, runtime folder and children stay; then a new server
 * adopts them. */
void world_crash(struct world *world);

/** End and check that nothing is left. */
void world_close(struct world *world);

/** One turn of the loop, waiting for something to happen. */
void world_turn(struct world *world);

/** Leave the client's connection and come as somebody else. */
void world_come_as(struct world *world, enum bh_caller_kind kind);

/** Call a method. @params is JSON text, which a printf format may fill; "" for none. Gives the result,
 * borrowed until the next call; NULL when it failed: world_word() says how. */
const cJSON *world_call(struct world *world, const char *method, const char *params, ...)
	__attribute__((format(printf, 3, 4)));

/** Send a request without waiting; read its answer with world_answer(). */
void world_ask(struct world *world, const char *method, const char *params);

/** Wait for an answer; as world_call(). */
const cJSON *world_answer(struct world *world);

/** Wait for a notification of this method; gives its params, borrowed until the next call. What was
 * told before it is dropped. */
const cJSON *world_told(struct world *world, const char *method);

/** Whether a notification of this method has come; nothing is dropped. */
bool world_has_told(struct world *world, const char *method);

/** The error word of the last answer; "" when it was none. */
const char *world_word(const struct world *world);

/** The sentence of the last error. */
const char *world_sentence(const struct world *world);

/** The member @name of @object as a string; "" when it is none. */
const char *world_text(const cJSON *object, const char *name);

/** The child of the newest spawn. */
struct world_child *world_child(struct world *world);

/** The child prints, and the server has read it. */
void world_print(struct world *world, struct world_child *child, const char *text);

/** The child ends with this wait status. */
void world_exit(struct world *world, struct world_child *child, int status);

/** `terminal.run` of /bin/cat under this name ("": an automatic one), with more params. */
struct world_child *world_run(struct world *world, const char *name, const char *more);

/** The `state` of a terminal, as `terminal.get` says. */
const char *world_state(struct world *world, const char *name);

#endif
