/** @file
 * The server process: one context that owns every part, and what the parts of it share.
 */
#ifndef BH_SERVER_SERVER_H
#define BH_SERVER_SERVER_H

#include "src/base/config.h"
#include "src/base/paths.h"
#include "src/server/courtesy.h"
#include "src/server/terminal.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

struct bh_callers_world;
struct bh_deliver;
struct bh_events;
struct bh_externals;
struct bh_grants;
struct bh_keeper_link;
struct bh_layout_host;
struct bh_lifecycle;
struct bh_profiles;
struct bh_rpc;
struct bh_spooler;
struct bh_store;
struct bh_terminals;
struct bh_watchdog;

/** The context. Fields are borrowed by everybody else and set once, at the start. */
struct bh_server {
	/** The loop. */
	uv_loop_t loop;
	/** Where things lie. */
	struct bh_paths paths;
	/** What the user set; settings.c changes it. */
	struct bh_config config;
	/** Mail, identities, bindings. */
	struct bh_store *store;
	/** The way to the keeper. */
	struct bh_keeper_link *keeper;
	/** Rules for programs. */
	struct bh_profiles *profiles;
	/** All terminals. */
	struct bh_terminals *terminals;
	/** Programs that we did not start and that have registered. */
	struct bh_externals *externals;
	/** Which agents may type into which terminals. */
	struct bh_grants *grants;
	/** What the kernel says about callers. */
	const struct bh_callers_world *callers;
	/** Connections. */
	struct bh_rpc *rpc;
	/** The second transport. */
	struct bh_spooler *spool;
	/** Delivery and wake. */
	struct bh_deliver *deliver;
	/** Tabs and panes; NULL once the server ends. */
	struct bh_layout_host *layout;
	/** Tells agents of the terminals that they started; NULL once the server ends. */
	struct bh_lifecycle *lifecycle;
	/** Clients that are told what happens. */
	struct bh_events *listeners;
	/** Where a person types: the other terminals print a little slower. */
	struct bh_courtesy courtesy;
	/** Ends a loop turn that takes too long. */
	struct bh_watchdog *watchdog;
	/** Who listens to terminals: the functions of deliver.c. */
	const struct bh_terminal_events *events;
	/** When this process started, milliseconds since 1970. */
	int64_t started_at;
	/** The bellhop binary: absolute path. */
	char *bellhop_path;
	/** Listeners know that agents in shells are only watched (adopt.c). */
	bool has_told_of_watching;
	/** Set once the server is to end; no new work is taken. */
	bool is_stopping;
	/** It ends to be started anew: who waits is to ask the next one (bh_request_leave()). */
	bool is_restarting;
};

/** Loop time in ms: for intervals only. Good for one turn of the loop. */
static inline uint64_t bh_server_now_ms(const struct bh_server *server)
{
	return uv_now(&server->loop);
}

/** Have bh_deliver_tick() called at this loop time; 0: no more. Replaces the time given before. */
void bh_server_wake_at(struct bh_server *server, uint64_t at_ms);

/** End all children and then the server. Asynchronous. Twice is fine. */
void bh_server_stop(struct bh_server *server);

/** Save and end; the keeper starts the program anew, children go on. Asynchronous. Twice is fine. */
void bh_server_restart(struct bh_server *server);

/**
 * The hidden subcommand `server-main`: run a server until it is told to stop.
 *
 * @argc, @argv
 *         What stands after `server-main`: `--keeper-fd N`, `-S NAME`.
 * @return
 *         The exit status: 0 stopped on request, or one of BH_WIRE_EXIT_* (src/keeper/wire.h); when
 *         it failed, one line stands on standard error and in the log.
 */
int bh_server_main(int argc, char **argv);

#endif
