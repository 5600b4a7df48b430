/** @file
 * The keeper's table: everything it must remember, in one memfd of fixed size, so that it survives
 * the keeper's own upgrade by execve(). Descriptors and pids in it stay valid across that.
 *
 * Nothing is allocated after the start. New fields take from the reserve at the end of an entry, where
 * an older table has zeroes; so old and new keepers use each other's tables in place.
 */
#ifndef BH_KEEPER_TABLE_H
#define BH_KEEPER_TABLE_H

#include "src/keeper/wire.h"

#include <stdbool.h>
#include <stdint.h>

/** Where an entry stands. */
enum bh_entry_state {
	/** Not in use. */
	BH_ENTRY_FREE,
	/** Forked; the exec has not succeeded or failed yet. */
	BH_ENTRY_STARTING,
	/** The child lives. */
	BH_ENTRY_RUNNING,
	/** The child is gone; status and descriptors are kept until FORGET. */
	BH_ENTRY_EXITED,
	/** The exec failed; freed once the server was told. */
	BH_ENTRY_FAILED,
};

/** What the server is still to be told about an entry: bits. */
enum bh_entry_due {
	/** The answer to SPAWN. */
	BH_DUE_SPAWNED = 1,
	/** The exit. */
	BH_DUE_EXITED = 2,
	/** Its part of the answer to LIST. */
	BH_DUE_ENTRY = 4,
};

/** A terminal. */
struct bh_entry {
	/** Its key. */
	uint8_t id[16];
	/** One of enum bh_entry_state. */
	uint32_t state;
	/** Bits of enum bh_entry_due. */
	uint32_t due;
	/** The SPAWN that made it. */
	uint32_t seq;
	/** The child. */
	int32_t pid;
	/** Wait status, when EXITED. */
	int32_t status;
	/** The master. */
	int32_t master_fd;
	/** The tape; -1: none was asked for. */
	int32_t tape_fd;
	/** Reading end of the pipe that tells how the exec went; -1 once it is known. */
	int32_t exec_fd;
	/** Why it failed: an errno and one of enum bh_wire_stage. */
	int32_t error;
	uint32_t stage;
	/** Whether its session is to be ended by the shutdown. */
	uint32_t is_doomed;
	uint32_t pad;
	/** Start time of the child, field 22 of its stat file. */
	uint64_t pid_start;
	/** The server's own. */
	uint8_t data[BH_WIRE_DATA];
	/** Room for what later keepers must remember. */
	uint8_t reserve[64];
};

/** The server process. */
struct bh_entry_server {
	/** Its pid; 0: it does not run. */
	int32_t pid;
	/** Our end of the socket to it; -1: none. */
	int32_t fd;
	/** When it was started (monotonic ms). */
	uint64_t started_ms;
	/** How often it was started, and how often it crashed. */
	uint32_t starts, crashes;
	/** Crashes without a long life between them. */
	uint32_t crashes_in_row;
	/** Whether we gave it up. */
	uint32_t is_given_up;
	/** Whether this one came as far as HELLO. */
	uint32_t has_greeted;
	/** Its own words about why it will end. */
	char complaint[BH_WIRE_TEXT];
};

/** The table. */
struct bh_table {
	uint32_t magic;
	/** Bytes of an entry, and their number, as the keeper that made the table knew them. */
	uint32_t entry_size, entries;
	/** Bytes before the first entry. */
	uint32_t start;
	/** The lock that says that this keeper holds the session. */
	int32_t lock_fd;
	/** The UPGRADE to answer. */
	uint32_t upgrade_seq;
	/** RLIMIT_NOFILE as it was given to us; restored in children. */
	uint64_t nofile_soft, nofile_hard;
	/** The server process. */
	struct bh_entry_server server;
	/** Entries from this one on are free. Counted anew in a table that is adopted: a keeper that does
	 * not know of it may have had it. Who stays below touches no memory that holds nothing. */
	uint32_t used;
};

/** Make a table in a new memfd, close-on-exec; NULL with errno on failure. */
struct bh_table *bh_table_new(int *fd_out);

/** Map the table of the keeper before us; NULL with errno (EPROTO: it is no table). */
struct bh_table *bh_table_adopt(int fd);

/** Set or clear close-on-exec on the memfd and every descriptor in the table. */
void bh_table_set_cloexec(struct bh_table *table, int fd, bool is_on);

/** The entry with the number @index (below table->entries). */
struct bh_entry *bh_table_at(struct bh_table *table, uint32_t index);

/** The entry with a key, or NULL. */
struct bh_entry *bh_table_find(struct bh_table *table, const uint8_t id[16]);

/** The entry of a child that has not been reaped, or NULL. */
struct bh_entry *bh_table_find_pid(struct bh_table *table, int32_t pid);

/** A free entry, or NULL. */
struct bh_entry *bh_table_find_free(struct bh_table *table);

/** Close the descriptors of an entry and free it. */
void bh_table_release(struct bh_entry *entry);

/** Number of entries in use; with @only_alive only those whose child lives. */
uint32_t bh_table_count(struct bh_table *table, bool only_alive);

#endif
