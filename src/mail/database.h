/** @file
 * The SQLite database under the store: opened safely, brought to this version, with short ways to
 * run a statement. One thread at a time uses it. Nothing here knows what mail is but the schema.
 */
#ifndef BH_MAIL_DATABASE_H
#define BH_MAIL_DATABASE_H

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/mail/map.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/** Version of the schema that this program writes (PRAGMA user_version). */
#define BH_DATABASE_VERSION 8

/** An open database. */
struct bh_database {
	/** SQLite's handle; NULL while it is not open. */
	sqlite3 *handle;
	/** Prepared statements, by the address of their SQL (which must be static). */
	struct bh_map statements;
	/** Pages in the write-ahead log after the last commit. */
	int wal_pages;
	/** What failed last, in words; handlers put their refusals here too. */
	struct bh_err err;
	/** Whether SQLite failed since somebody set this to false. */
	bool is_broken;
};

/**
 * Open or create the database at @path (mode 0600) and migrate it.
 *
 * WAL, synchronous=FULL, no automatic checkpoints, and locked against other processes for as long
 * as it is open: the memory of the store must be the only one that changes it.
 *
 * @max_pages
 *         Most pages in the file, for tests of a full disk; 0 for no limit.
 * @return
 *         0, BH_EVERSION, BH_ECORRUPT, BH_EBUSY (another process has it), or -errno. @err names
 *         the file and says what to do. On failure nothing is left open.
 */
int bh_database_open(struct bh_database *db, const char *path, unsigned max_pages,
                     struct bh_err *err);

/** Close it (harmless when not open). Checkpoints what it can. */
void bh_database_close(struct bh_database *db);

/** Begin a transaction that may write. @return 0 or a code, words in db->err. */
int bh_database_begin(struct bh_database *db);

/** Commit: on return 0 it is on disk. On failure it is rolled back, and no crash brings it back. */
int bh_database_commit(struct bh_database *db);

/** End the transaction without a trace. Harmless when there is none. */
void bh_database_rollback(struct bh_database *db);

/** Whether @code, of a commit, says that the disk has no room (or the user's share of it). */
bool bh_database_is_full(int code);

/** How many rows were written since it was opened, also those that were rolled back. */
int64_t bh_database_written(const struct bh_database *db);

/** Move the write-ahead log into the database file, as far as it goes. */
int bh_database_checkpoint(struct bh_database *db);

/** Nothing will be asked for a while: give back the memory that holds pages of the file. */
void bh_database_rest(struct bh_database *db);

/** Bytes in the write-ahead log after the last commit. */
int64_t bh_database_wal_bytes(const struct bh_database *db);

/** A statement being run. */
struct bh_query {
	/** Where. */
	struct bh_database *db;
	/** The prepared statement; NULL when preparing failed. */
	sqlite3_stmt *statement;
};

/**
 * Start a statement.
 *
 * @sql
 *         Static text; it is prepared once.
 * @types
 *         One letter per parameter that follows: `i` int, `n` int64_t or uint64_t, `t` text
 *         (NULL is ""), `b` a struct bh_span *. Text and bytes are borrowed until the end.
 */
void bh_query_start(struct bh_query *query, struct bh_database *db, const char *sql,
                    const char *types, ...);

/** The next row. @return 1 a row; 0 the end (it is ended); negative: failed (it is ended). */
int bh_query_next(struct bh_query *query);

/** End early; harmless after the end. */
void bh_query_end(struct bh_query *query);

/** A column of the row as a number. */
int64_t bh_query_number(const struct bh_query *query, int column);

/** A column of the row as an int. */
int bh_query_int(const struct bh_query *query, int column);

/** Copy a column of the row as text, cut at @size. */
void bh_query_text(const struct bh_query *query, int column, char *out, size_t size);

/** A column of the row as bytes, borrowed until the next row. */
struct bh_span bh_query_bytes(const struct bh_query *query, int column);

/** Run a statement that gives no rows. Arguments as of bh_query_start(). @return 0 or a code. */
int bh_query_run(struct bh_database *db, const char *sql, const char *types, ...);

/**
 * Run a statement that gives at most one row of one number.
 *
 * @return
 *         1 and *number_out; 0 when there is no row; negative: failed.
 */
int bh_query_find(struct bh_database *db, int64_t *number_out, const char *sql, const char *types,
                  ...);

#endif
