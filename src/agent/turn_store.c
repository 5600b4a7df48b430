#include "turn_store.h"

#include "src/base/mem.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** A writer that holds the file is waited for so long (ms); the next look comes soon. */
#define STORE_BUSY_MS 10
/** Longest row that is read (bytes); what a person types is shorter, pictures in it may be long. */
#define STORE_ROW_MAX (64 * 1024 * 1024)
/** Steps of SQLite's machine between two calls of on_steps(), and most such calls. */
#define STORE_STEPS 100000
#define STORE_STEPS_MAX 20

/**
 * Turns by session, which has an index by time. A session with a parent is a subagent's, whose
 * "user" is the agent. The order of the joins is that of the words.
 */
static const char store_query[] =
	"SELECT p.data, s.id FROM session s"
	" CROSS JOIN message m ON m.session_id = s.id AND m.time_created >= ?1"
	" CROSS JOIN part p ON p.message_id = m.id"
	" WHERE s.parent_id IS NULL AND ?3 IN ('', s.id)"
	" AND json_extract(m.data, '$.role') = 'user' AND instr(p.data, ?2)";

static const char has_query[] = "SELECT 1 FROM session WHERE id = ?1";

static int on_steps(void *user)
{
	int *left = user;

	return --*left <= 0;
}

/** Whether a file is there as SQLite may open it, which would wait for whoever writes a pipe. */
static bool file_is_plain(const char *path, const char *suffix, bool is_needed)
{
	char *name = bh_xasprintf("%s%s", path, suffix);
	struct stat st;
	bool is_plain = lstat(name, &st) == 0 ? S_ISREG(st.st_mode) : !is_needed;

	free(name);
	return is_plain;
}

/** The path without the links that its folder has: SQLite would refuse them all. NULL: none. */
static char *store_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *given = slash ? bh_xmemdup(path, (size_t)(slash - path)) : NULL;
	char *folder = given ? realpath(given, NULL) : NULL;
	char *real = folder ? bh_xasprintf("%s%s", folder, slash) : NULL;

	free(given);
	free(folder);
	if (real && file_is_plain(real, "", true) && file_is_plain(real, "-journal", false)) {
		return real;
	}
	free(real);
	return NULL;
}

/** Open @path for reading; NULL: it cannot be. */
static sqlite3 *store_open(const char *path, int *steps_left)
{
	char *real = store_path(path);
	sqlite3 *db = NULL;
	int code = SQLITE_CANTOPEN;

	if (real) {
		code = sqlite3_open_v2(
			real, &db,
			SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL);
	}
	free(real);
	if (code != SQLITE_OK) {
		(void)sqlite3_close(db);
		return NULL;
	}
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, STORE_ROW_MAX);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	(void)sqlite3_busy_timeout(db, STORE_BUSY_MS);
	sqlite3_progress_handler(db, STORE_STEPS, on_steps, steps_left);
	return db;
}

/** What an answer of SQLite to a query of ours says of the database. */
static enum bh_turn_store store_word(int code)
{
	// No such table or column, or no database at all.
	return code == SQLITE_ERROR || code == SQLITE_NOTADB ? BH_TURN_STORE_STRANGE
	                                                     : BH_TURN_STORE_NOWHERE;
}

/** Read the rows until one is ours. */
static enum bh_turn_store store_search(sqlite3_stmt *query, const struct bh_turn_sought *sought,
                                       char id[BH_SESSION_ID_SIZE])
{
	while (sqlite3_step(query) == SQLITE_ROW) {
		const char *part = (const char *)sqlite3_column_text(query, 0);
		const char *session = (const char *)sqlite3_column_text(query, 1);

		if (part && session && strlen(session) < BH_SESSION_ID_SIZE &&
		    bh_turn_part(sought, part) == BH_PROOF_SUBMITTED) {
			memcpy(id, session, strlen(session) + 1);
			return BH_TURN_STORE_SUBMITTED;
		}
	}
	return BH_TURN_STORE_NOWHERE;
}

enum bh_turn_store bh_turn_store_look(const char *path, const struct bh_turn_sought *sought,
                                      char id[BH_SESSION_ID_SIZE])
{
	enum bh_turn_store found = BH_TURN_STORE_NOWHERE;
	int steps_left = STORE_STEPS_MAX;
	char wanted[BH_SESSION_ID_SIZE];
	sqlite3_stmt *query = NULL;
	sqlite3 *db = store_open(path, &steps_left);

	if (!db) {
		return found;
	}
	memcpy(wanted, id, sizeof wanted);
	found = store_word(sqlite3_prepare_v2(db, store_query, -1, &query, NULL));
	if (query && sqlite3_bind_int64(query, 1, sought->since_ms) == SQLITE_OK &&
	    sqlite3_bind_text(query, 2, sought->mark, -1, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_bind_text(query, 3, wanted, -1, SQLITE_STATIC) == SQLITE_OK) {
		found = store_search(query, sought, id);
	}
	(void)sqlite3_finalize(query);
	(void)sqlite3_close(db);
	return found;
}

bool bh_turn_store_has(const char *path, const char *id)
{
	int steps_left = STORE_STEPS_MAX;
	sqlite3_stmt *query = NULL;
	sqlite3 *db = store_open(path, &steps_left);
	bool has = db && sqlite3_prepare_v2(db, has_query, -1, &query, NULL) == SQLITE_OK &&
	           sqlite3_bind_text(query, 1, id, -1, SQLITE_STATIC) == SQLITE_OK &&
	           sqlite3_step(query) == SQLITE_ROW;

	(void)sqlite3_finalize(query);
	(void)sqlite3_close(db);
	return has;
}

bool bh_turn_store_is_strange(const char *path)
{
	// Nothing begins with that.
	const struct bh_turn_sought nothing = {.mark = "", .since_ms = INT64_MAX};
	char id[BH_SESSION_ID_SIZE] = "";

	return bh_turn_store_look(path, &nothing, id) == BH_TURN_STORE_STRANGE;
}
