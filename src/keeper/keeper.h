/** @file
 * The keeper's context, shared by its loop (keeper.c) and its talk with the server (dialog.c).
 */
#ifndef BH_KEEPER_KEEPER_H
#define BH_KEEPER_KEEPER_H

#include "src/keeper/table.h"
#include "src/keeper/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Most arguments of the keeper, the server's included. */
#define BH_KEEPER_ARGS 48

/** The context: what need not survive an upgrade. */
struct bh_keeper {
	/** What must. */
	struct bh_table *table;
	/** The table's memfd. */
	int table_fd;
	/** Signals come as reads from here. */
	int signal_fd;
	/** Our own program, absolute. */
	char self[4096];
	/** Our arguments, as they were given. */
	char **argv;
	int argc;
	/** The server's command, with room for "--keeper-fd N". */
	char *server_argv[BH_KEEPER_ARGS + 3];
	int server_argc;
	/** Where we say why there is no server. */
	const char *state_path;
	/** The file whose lock says that this keeper holds the session. */
	const char *lock_path;

	/** When to start the server again (monotonic ms); 0: not planned. */
	uint64_t restart_ms;
	/** When a server that should end is made to; 0: not planned. */
	uint64_t server_kill_ms;

	/** All is to end: no spawn, no restart. */
	bool is_leaving;
	/** When what is left of the children is killed; and whether that was done. */
	uint64_t leave_kill_ms;
	bool has_killed;
	/** Whether the server was told that the children are gone. */
	bool was_done_sent;

	/** An answer that waits for room in the socket; while it does, no request is read. */
	union bh_wire answer;
	size_t answer_len;
	/** A LIST is being answered: its seq and the entries sent so far. */
	bool is_listing;
	uint32_t list_seq, list_count;
	/** The socket is full: wait until it can take more. */
	bool is_full;
};

/** Read and carry out requests until there are none, or an answer waits. */
void bh_dialog_read(struct bh_keeper *keeper);

/** Send what is due until all is sent or the socket is full. */
void bh_dialog_send(struct bh_keeper *keeper);

/** A new server was started: it has been told nothing yet. */
void bh_dialog_reset(struct bh_keeper *keeper);

/** After an upgrade of ours: greet the server that is already there. */
void bh_dialog_resumed(struct bh_keeper *keeper, uint32_t seq);

/** The server is gone: take its last words from the socket, and close that. */
void bh_dialog_end(struct bh_keeper *keeper);

/** Read the pipe of a STARTING entry: the exec succeeded or failed. */
void bh_dialog_exec_result(struct bh_keeper *keeper, struct bh_entry *entry);

/** Begin to end everything. */
void bh_keeper_leave(struct bh_keeper *keeper);

/** Run our program file anew in this process. Returns -errno if that fails. */
int bh_keeper_upgrade(struct bh_keeper *keeper, uint32_t seq);

/** Milliseconds that never jump. */
uint64_t bh_keeper_now_ms(void);

/** Write a line to the log; @level is the word of the level. */
void bh_keeper_log(const char *level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
