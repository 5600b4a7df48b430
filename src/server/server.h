/** @file
 * The server process: one context that owns every part, and what the parts of it share.
 */
#ifndef BH_SERVER_SERVER_H
#define BH_SERVER_SERVER_H

#include "src/base/paths.h"
#include "src/server/terminal.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

struct bh_callers_world;
struct bh_deliver;
struct bh_keeper_link;
struct bh_profiles;
struct bh_rpc;
struct bh_spool;
struct bh_store;
struct bh_terminals;
struct bh_watchdog;

/** The context. Fields are borrowed by everybody else and set once, at the start. */
struct bh_server {
	/** The loop. */
	uv_loop_t loop;
	/** Where things lie. */
	struct bh_paths paths;
	/** Mail, identities, bindings. */
	struct bh_store *store;
	/** The way to the keeper. */
	struct bh_keeper_link *keeper;
	/** Rules for programs. */
	struct bh_profiles *profiles;
	/** All terminals. */
	struct bh_terminals *terminals;
	/** Connections. */
	struct bh_rpc *rpc;
	/** The second transport. */
	struct bh_spool *spool;
	/** Delivery and wake. */
	struct bh_deliver *deliver;
	/** Ends a loop turn that takes too long. */
	struct bh_watchdog *watchdog;
	/** Who listens to terminals: the functions of deliver.c. */
	const struct bh_terminal_events *events;
	/** When this process started, milliseconds since 1970. */
	int64_t started_at;
	/** The bellhop binary: absolute path. */
	char *bellhop_path;
	/** Set once the server is to end; no new work is taken. */
	bool is_stopping;
};

/** Loop time in ms: for intervals only. Good for one turn of the loop. */
uint64_t bh_server_now_ms(const struct bh_server *server);

/**
 * The hidden subcommand `server-main`: run a server until it is told to stop.
 *
 * @argc, @argv
 *         What stands after `server-main`: `--keeper-fd N`, `-S NAME`.
 * @return
 *         The exit status: 0 stopped on request, 75 (EX_TEMPFAIL) to be started again, other:
 *         failed, with one line on standard error and in the log.
 */
int bh_server_main(int argc, char **argv);

#endif
