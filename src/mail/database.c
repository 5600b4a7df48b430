#include "src/mail/database.h"

#include "src/base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// "Bell": marks the file as ours (PRAGMA application_id).
#define APPLICATION_ID 0x42656c6c

// How long to wait for another process that has the database locked.
#define LOCK_WAIT_MS 2000

// Each text brings the schema from its index to the next version. Never change one that was
// released; add one. Numbers of enumerations are those of the headers.
static const char *const migrations[] = {
	// identity.bound grows with each binding; line is that of the last holder.
	"CREATE TABLE meta (boot INTEGER NOT NULL, bound INTEGER NOT NULL);"
	"INSERT INTO meta VALUES (0, 0);"
	"CREATE TABLE identity (id INTEGER PRIMARY KEY, folded TEXT NOT NULL UNIQUE,"
	" name TEXT NOT NULL, kind INTEGER NOT NULL, known INTEGER NOT NULL,"
	" terminal TEXT NOT NULL DEFAULT '', line TEXT NOT NULL DEFAULT '',"
	" bound INTEGER NOT NULL DEFAULT 0);"
	"CREATE INDEX identity_terminal ON identity (terminal) WHERE terminal <> '';"
	"CREATE INDEX identity_line ON identity (line) WHERE line <> '';"
	"INSERT INTO identity (id, folded, name, kind, known) VALUES"
	" (1, 'operator', 'operator', 1, 1), (2, 'bellhop', 'bellhop', 2, 1);"
	"CREATE TABLE auto_name (base TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID;"

	"CREATE TABLE message (seq INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE,"
	" from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, sender INTEGER NOT NULL,"
	" from_terminal TEXT NOT NULL, by_token INTEGER NOT NULL, reply_to INTEGER NOT NULL,"
	" task_id TEXT NOT NULL, task_status INTEGER NOT NULL, created_ms INTEGER NOT NULL,"
	" body_lines INTEGER NOT NULL, body_len INTEGER NOT NULL, body BLOB NOT NULL);"
	"CREATE INDEX message_from ON message (from_id);"
	"CREATE INDEX message_pair ON message (from_id, to_id);"
	"CREATE INDEX message_task ON message (task_id) WHERE task_id <> '';"

	// A message in one mailbox. A room's message has one row per member.
	"CREATE TABLE delivery (seq INTEGER NOT NULL, mailbox INTEGER NOT NULL,"
	" ownership INTEGER NOT NULL DEFAULT 0, claim INTEGER NOT NULL DEFAULT 0,"
	" typings INTEGER NOT NULL DEFAULT 0, shown_before INTEGER NOT NULL DEFAULT 0,"
	" seen_how INTEGER NOT NULL DEFAULT 0, seen_ms INTEGER NOT NULL DEFAULT 0,"
	" PRIMARY KEY (seq, mailbox)) WITHOUT ROWID;"
	"CREATE INDEX delivery_mailbox ON delivery (mailbox, seq);"
	"CREATE INDEX delivery_unread ON delivery (mailbox, seq) WHERE ownership = 0;"
	"CREATE INDEX delivery_claim ON delivery (claim) WHERE claim <> 0;"

	// Open claims only. What an attempt typed stays in claim_item until the attempt is over, also
	// while it is uncertain and holds nothing.
	"CREATE TABLE claim (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, phase INTEGER NOT NULL,"
	" terminal TEXT NOT NULL, notice INTEGER NOT NULL, complete INTEGER NOT NULL,"
	" lease_ms INTEGER NOT NULL);"
	"CREATE TABLE claim_item (claim INTEGER NOT NULL, seq INTEGER NOT NULL,"
	" mailbox INTEGER NOT NULL, PRIMARY KEY (claim, seq, mailbox)) WITHOUT ROWID;"

	// A row without a seq is about all mail of a mailbox in a range, so that a notice for 100,000
	// messages writes one row.
	"CREATE TABLE receipt (seq INTEGER NOT NULL, n INTEGER NOT NULL, mailbox INTEGER NOT NULL,"
	" at_ms INTEGER NOT NULL, step INTEGER NOT NULL, cause TEXT NOT NULL,"
	" PRIMARY KEY (seq, n)) WITHOUT ROWID;"
	"CREATE TABLE range_receipt (id INTEGER PRIMARY KEY, mailbox INTEGER NOT NULL,"
	" from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL, at_ms INTEGER NOT NULL,"
	" step INTEGER NOT NULL, cause TEXT NOT NULL);"
	"CREATE INDEX range_receipt_last ON range_receipt (mailbox);"
	"CREATE INDEX range_receipt_mailbox ON range_receipt (mailbox, to_seq);"

	"CREATE TABLE notice (id INTEGER PRIMARY KEY, terminal TEXT NOT NULL,"
	" state INTEGER NOT NULL DEFAULT 0, rings INTEGER NOT NULL DEFAULT 0,"
	" last_ring_ms INTEGER NOT NULL DEFAULT 0, proved_ms INTEGER NOT NULL DEFAULT 0,"
	" closed_ms INTEGER NOT NULL DEFAULT 0);"
	"CREATE INDEX notice_terminal ON notice (terminal);"

	"CREATE TABLE terminal (uuid TEXT PRIMARY KEY, line TEXT NOT NULL, launched_by TEXT NOT NULL,"
	" identity TEXT NOT NULL, mode INTEGER NOT NULL, started_agent INTEGER NOT NULL,"
	" status INTEGER NOT NULL, exit_status INTEGER NOT NULL, cols INTEGER NOT NULL,"
	" rows INTEGER NOT NULL, respawn INTEGER NOT NULL, respawn_count INTEGER NOT NULL,"
	" headless INTEGER NOT NULL, started_ms INTEGER NOT NULL, exited_ms INTEGER NOT NULL,"
	" argv TEXT NOT NULL, env TEXT NOT NULL, extra TEXT NOT NULL, cwd TEXT NOT NULL,"
	" profile TEXT NOT NULL, token_hash TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE INDEX terminal_line ON terminal (line) WHERE status <> 2;"
	"CREATE INDEX terminal_status ON terminal (status) WHERE status <> 2;",

	// Guards. turn_hops: of the mail that the terminal's turn took, -1 for none; turn_ms: when it
	// took some last; turn_over: it has ended; person_ms: when a person acted there last. turn_item: typed mail of the turn that
	// runs. The number in message_loop is BH_MESSAGE_HOPS_MAX.
	"ALTER TABLE message ADD COLUMN hops INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE message ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE message ADD COLUMN topic TEXT NOT NULL DEFAULT '';"
	"CREATE INDEX message_loop ON message (hops) WHERE hops >= 50;"
	"CREATE INDEX message_topic ON message (to_id, topic) WHERE topic <> '';"
	"ALTER TABLE identity ADD COLUMN dnd INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE identity ADD COLUMN dnd_until_ms INTEGER NOT NULL DEFAULT 0;"
	"CREATE TABLE block (mailbox INTEGER NOT NULL, sender INTEGER NOT NULL,"
	" PRIMARY KEY (mailbox, sender)) WITHOUT ROWID;"
	"ALTER TABLE terminal ADD COLUMN turn_hops INTEGER NOT NULL DEFAULT -1;"
	"ALTER TABLE terminal ADD COLUMN turn_ms INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE terminal ADD COLUMN turn_over INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE terminal ADD COLUMN person_ms INTEGER NOT NULL DEFAULT 0;"
	"CREATE TABLE turn_item (terminal TEXT NOT NULL, seq INTEGER NOT NULL,"
	" mailbox INTEGER NOT NULL, PRIMARY KEY (terminal, seq, mailbox)) WITHOUT ROWID;",
	// Rooms and tasks. Tasks that messages of before were about are made of their first message.
	"CREATE TABLE member (room INTEGER NOT NULL, identity INTEGER NOT NULL,"
	" joined_ms INTEGER NOT NULL, PRIMARY KEY (room, identity)) WITHOUT ROWID;"
	"CREATE INDEX member_identity ON member (identity);"
	"CREATE TABLE task (id INTEGER PRIMARY KEY, task_id TEXT NOT NULL UNIQUE,"
	" creator INTEGER NOT NULL, assignee INTEGER NOT NULL, state INTEGER NOT NULL,"
	" title TEXT NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL,"
	" last_seq INTEGER NOT NULL);"
	"CREATE INDEX task_creator ON task (creator);"
	"CREATE INDEX task_assignee ON task (assignee);"
	"INSERT INTO task (task_id, creator, assignee, state, title, created_ms, updated_ms,"
	" last_seq) SELECT a.task_id, a.from_id, a.to_id, 1, substr(CAST(a.body AS TEXT), 1,"
	" min(100, instr(CAST(a.body AS TEXT) || char(10), char(10)) - 1)), a.created_ms,"
	" b.created_ms, b.seq FROM (SELECT min(seq) AS first, max(seq) AS last FROM message"
	" WHERE task_id <> '' GROUP BY task_id) t JOIN message a ON a.seq = t.first"
	" JOIN message b ON b.seq = t.last;",

	// turn_hops of the terminal whose agent started this one, at that time.
	"ALTER TABLE terminal ADD COLUMN born_hops INTEGER NOT NULL DEFAULT -1;",

	// Threads.
	"CREATE INDEX message_reply ON message (reply_to) WHERE reply_to <> 0;",

	// Ended terminals are shown until they are forgotten.
	"ALTER TABLE terminal ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;"
	"CREATE INDEX terminal_ended ON terminal (exited_ms) WHERE status = 2 AND forgotten = 0;",

	// Rooms among many names, and the receipts of a mailbox that was long unread, at small cost.
	"CREATE INDEX identity_room ON identity (folded) WHERE kind = 3;"
	"DROP INDEX range_receipt_mailbox;"
	"CREATE INDEX range_receipt_span ON range_receipt (mailbox, to_seq, from_seq);",

	// The ranges that hold a message are found by their size: those of a size end close behind
	// it, however many the mailbox has. RECEIPT_SELECT names the same sizes.
	"DROP INDEX range_receipt_span;"
	"ALTER TABLE range_receipt ADD COLUMN size INTEGER AS (CASE"
	" WHEN to_seq - from_seq < 1 THEN 1 WHEN to_seq - from_seq < 16 THEN 16"
	" WHEN to_seq - from_seq < 256 THEN 256 WHEN to_seq - from_seq < 4096 THEN 4096"
	" WHEN to_seq - from_seq < 65536 THEN 65536 ELSE 1 << 60 END) VIRTUAL;"
	"CREATE INDEX range_receipt_size ON range_receipt (mailbox, size, to_seq, from_seq);",
};

static_assert(sizeof(migrations) / sizeof(migrations[0]) == BH_DATABASE_VERSION,
              "a migration per version");

// A prepared statement and the text it was made of.
struct prepared {
	const char *sql;
	sqlite3_stmt *statement;
};

// The code and words for what SQLite says now.
static int database_failure(struct bh_database *db, int result)
{
	int errnum = sqlite3_system_errno(db->handle);

	db->is_broken = true;
	switch (result & 0xff) {
	case SQLITE_FULL:
		return bh_err_set(
			&db->err, -ENOSPC,
			"the disk has no room for the mail store %s; nothing was stored: free disk "
			"space there, then try again",
			sqlite3_db_filename(db->handle, "main"));
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return bh_err_set(
			&db->err, BH_ECORRUPT,
			"the mail store is damaged; move the file away to start with an empty "
			"one (sqlite3's .recover may save its mail)");
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return bh_err_set(
			&db->err, BH_EBUSY,
			"another program has the mail store open; end it, then try again");
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return bh_err_set(
			&db->err, -EACCES,
			"the mail store may not be written; give its file and folder back to "
			"this user");
	case SQLITE_NOMEM:
		return bh_err_set(&db->err, -ENOMEM, "out of memory; nothing was stored");
	default:
		break;
	}
	if (errnum == 0) {
		errnum = EIO;
	}
	return bh_err_set(
		&db->err, -errnum,
		"the mail store cannot be read or written (%s: %s); nothing was stored: look "
		"at the disk, then try again",
		sqlite3_errmsg(db->handle), strerror(errnum));
}

static int database_exec(struct bh_database *db, const char *sql)
{
	int result = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	return result == SQLITE_OK ? 0 : database_failure(db, result);
}

static int on_wal_grown(void *user, sqlite3 *handle, const char *name, int pages)
{
	struct bh_database *db = user;

	(void)handle;
	(void)name;
	db->wal_pages = pages;
	return SQLITE_OK;
}

// SQLite gives a new file the mode of the umask; ours holds private mail.
static int file_create(const char *path, struct bh_err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0) {
		return bh_err_sys(err, errno, "open the mail store %s", path);
	}
	(void)close(fd); // nothing was written
	return 0;
}

static int database_pragma(struct bh_database *db, const char *sql, int64_t *number_out)
{
	return bh_query_find(db, number_out, sql, "") < 0 ? db->err.code : 0;
}

// Refuse a file of another program or of a newer bellhop, before anything in it is changed.
static int database_check(struct bh_database *db, int64_t *version_out)
{
	int64_t application = 0;
	int64_t tables = 0;
	int code = database_pragma(db, "PRAGMA application_id", &application);

	if (code == 0) {
		code = database_pragma(db, "PRAGMA user_version", version_out);
	}
	if (code < 0) {
		return code;
	}
	if (*version_out > BH_DATABASE_VERSION) {
		return bh_err_set(
			&db->err, BH_EVERSION,
			"a newer bellhop wrote it (format %d, this one knows %d); start the newer "
			"one, or move the file away",
			(int)*version_out, BH_DATABASE_VERSION);
	}
	if (*version_out == 0) { // a new file, or somebody's without any number in it
		code = database_pragma(db, "SELECT count(*) FROM sqlite_master", &tables);
	}
	if (code == 0 && (*version_out == 0 ? tables != 0 : application != APPLICATION_ID)) {
		return bh_err_set(&db->err, BH_ECORRUPT,
		                  "it is a database of another program; move the file away");
	}
	return code;
}

static int database_configure(struct bh_database *db, unsigned max_pages)
{
	char sql[64];
	char mode[16] = "";
	struct bh_query query;
	int code;

	bh_query_start(&query, db, "PRAGMA journal_mode=WAL", "");
	code = bh_query_next(&query);
	if (code < 0) {
		return code;
	}
	bh_query_text(&query, 0, mode, sizeof(mode));
	bh_query_end(&query);
	if (strcmp(mode, "wal") != 0) {
		return bh_err_set(&db->err, -EIO, "its file system cannot keep a write-ahead log");
	}
	(void)sqlite3_wal_hook(db->handle, on_wal_grown, db); // the one before was none
	(void)sqlite3_snprintf((int)sizeof(sql), sql, "PRAGMA max_page_count=%u", max_pages);
	code = database_exec(db, "PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;"
	                         "PRAGMA cache_size=-8192; PRAGMA journal_size_limit=8388608");
	return code < 0 || max_pages == 0 ? code : database_exec(db, sql);
}

static int database_migrate(struct bh_database *db, int64_t version)
{
	char sql[96];
	int code;

	if (version == BH_DATABASE_VERSION) {
		return 0;
	}
	code = bh_database_begin(db);
	while (code == 0 && version < BH_DATABASE_VERSION) {
		code = database_exec(db, migrations[version]);
		version++;
	}
	(void)sqlite3_snprintf((int)sizeof(sql), sql,
	                       "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID,
	                       BH_DATABASE_VERSION);
	if (code == 0) {
		code = database_exec(db, sql);
	}
	if (code == 0) {
		code = bh_database_commit(db);
	}
	if (code < 0) {
		bh_database_rollback(db);
	}
	return code;
}

static int database_prepare(struct bh_database *db, const char *path, unsigned max_pages)
{
	int64_t version = 0;
	int result = sqlite3_open_v2(path, &db->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
	                             NULL);
	int code;

	if (result != SQLITE_OK) {
		return database_failure(db, result);
	}
	(void)sqlite3_extended_result_codes(db->handle, 1);
	(void)sqlite3_busy_timeout(db->handle, LOCK_WAIT_MS);
	code = database_exec(db, "PRAGMA locking_mode=EXCLUSIVE");
	if (code == 0) {
		code = database_check(db, &version);
	}
	if (code == 0) {
		code = database_configure(db, max_pages);
	}
	return code < 0 ? code : database_migrate(db, version);
}

int bh_database_open(struct bh_database *db, const char *path, unsigned max_pages,
                     struct bh_err *err)
{
	int code = file_create(path, err);

	*db = (struct bh_database){0};
	if (code < 0) {
		return code;
	}
	code = database_prepare(db, path, max_pages);
	if (code < 0) {
		(void)bh_err_set(err, code, "open the mail store %s: %s", path, db->err.text);
		bh_database_close(db);
	}
	return code;
}

void bh_database_close(struct bh_database *db)
{
	for (size_t i = 0; i < db->statements.size; i++) {
		struct prepared *prepared = db->statements.slots[i].value;

		if (prepared != NULL) {
			(void)sqlite3_finalize(
				prepared->statement); // repeats an error reported before
			free(prepared);
		}
	}
	bh_map_clear(&db->statements);
	(void)sqlite3_close_v2(db->handle); // NULL allowed; no statement is left
	db->handle = NULL;
}

int bh_database_begin(struct bh_database *db)
{
	return bh_query_run(db, "BEGIN IMMEDIATE", "");
}

void bh_database_rollback(struct bh_database *db)
{
	struct bh_err kept = db->err; // the reason is what failed before

	if (!sqlite3_get_autocommit(db->handle)) {
		(void)bh_query_run(db, "ROLLBACK",
		                   ""); // can only fail when SQLite rolled back itself
	}
	db->err = kept;
}

// A commit whose sync failed may stand whole in the log, and a crash would bring it to life: what was
// refused would be stored after all. A transaction that changes nothing, written over its beginning,
// prevents that even if it cannot be synced either. (Of a row that does not change SQLite would write
// nothing at all.)
static void database_bury(struct bh_database *db)
{
	char sql[48];

	bh_database_rollback(db);
	(void)sqlite3_snprintf((int)sizeof(sql), sql, "PRAGMA application_id=%d", APPLICATION_ID);
	(void)sqlite3_exec(db->handle, sql, NULL, NULL, NULL); // the disk may fail still
}

int bh_database_commit(struct bh_database *db)
{
	int code = bh_query_run(db, "COMMIT", "");

	if (code < 0) {
		database_bury(db);
	}
	return code;
}

bool bh_database_is_full(int code)
{
	return code == -ENOSPC || code == -EDQUOT || code == -EFBIG;
}

int64_t bh_database_written(const struct bh_database *db)
{
	return sqlite3_total_changes(db->handle);
}

int bh_database_checkpoint(struct bh_database *db)
{
	int result =
		sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);

	if (result != SQLITE_OK) {
		return database_failure(db, result);
	}
	db->wal_pages = 0;
	return 0;
}

void bh_database_rest(struct bh_database *db)
{
	(void)sqlite3_db_release_memory(db->handle); // always SQLITE_OK
}

int64_t bh_database_wal_bytes(const struct bh_database *db)
{
	return (int64_t)db->wal_pages * 4096;
}

static sqlite3_stmt *statement_get(struct bh_database *db, const char *sql)
{
	struct prepared *prepared = bh_map_get(&db->statements, &sql, sizeof(sql));
	sqlite3_stmt *statement = NULL;
	int result;

	if (prepared != NULL) {
		return prepared->statement;
	}
	result = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
	                            NULL);
	if (result != SQLITE_OK) {
		(void)database_failure(db, result); // the words are kept in db->err
		return NULL;
	}
	prepared = bh_xmalloc(sizeof(*prepared));
	prepared->sql = sql;
	prepared->statement = statement;
	bh_map_add(&db->statements, &prepared->sql, sizeof(prepared->sql), prepared);
	return statement;
}

static void statement_bind(sqlite3_stmt *statement, const char *types, va_list args)
{
	for (int i = 0; types[i] != '\0'; i++) {
		const struct bh_span *span;
		const char *text;

		// Binding fails only for an index that the statement does not have: a bug of ours that
		// every test of that statement shows.
		switch (types[i]) {
		case 'i':
			(void)sqlite3_bind_int(statement, i + 1, va_arg(args, int));
			break;
		case 'n':
			(void)sqlite3_bind_int64(statement, i + 1, va_arg(args, int64_t));
			break;
		case 't':
			text = va_arg(args, const char *);
			(void)sqlite3_bind_text(statement, i + 1, text == NULL ? "" : text, -1,
			                        SQLITE_STATIC);
			break;
		case 'b':
			span = va_arg(args, const struct bh_span *);
			(void)sqlite3_bind_blob64(statement, i + 1,
			                          span->len == 0 ? "" : span->data, span->len,
			                          SQLITE_STATIC);
			break;
		default:
			BH_BUG("a parameter of no known type");
		}
	}
}

static void query_start(struct bh_query *query, struct bh_database *db, const char *sql,
                        const char *types, va_list args)
{
	query->db = db;
	query->statement = statement_get(db, sql);
	if (query->statement != NULL) {
		statement_bind(query->statement, types, args);
	}
}

void bh_query_start(struct bh_query *query, struct bh_database *db, const char *sql,
                    const char *types, ...)
{
	va_list args;

	va_start(args, types);
	query_start(query, db, sql, types, args);
	va_end(args);
}

int bh_query_next(struct bh_query *query)
{
	int result;
	int code = 0;

	if (query->statement == NULL) {
		return query->db->err.code;
	}
	result = sqlite3_step(query->statement);
	if (result == SQLITE_ROW) {
		return 1;
	}
	if (result != SQLITE_DONE) {
		code = database_failure(query->db, result);
	}
	bh_query_end(query);
	return code;
}

void bh_query_end(struct bh_query *query)
{
	if (query->statement != NULL) {
		(void)sqlite3_reset(query->statement); // repeats an error reported before
		(void)sqlite3_clear_bindings(query->statement);
	}
}

int64_t bh_query_number(const struct bh_query *query, int column)
{
	return sqlite3_column_int64(query->statement, column);
}

int bh_query_int(const struct bh_query *query, int column)
{
	return sqlite3_column_int(query->statement, column);
}

void bh_query_text(const struct bh_query *query, int column, char *out, size_t size)
{
	struct bh_span bytes = bh_query_bytes(query, column);
	size_t len = bytes.len < size ? bytes.len : size - 1;

	memcpy(out, bytes.data, len);
	out[len] = '\0';
}

struct bh_span bh_query_bytes(const struct bh_query *query, int column)
{
	const void *data = sqlite3_column_blob(query->statement, column);
	int len = sqlite3_column_bytes(query->statement, column);

	return (struct bh_span){.data = data == NULL ? "" : data, .len = (size_t)len};
}

int bh_query_run(struct bh_database *db, const char *sql, const char *types, ...)
{
	struct bh_query query;
	va_list args;
	int code;

	va_start(args, types);
	query_start(&query, db, sql, types, args);
	va_end(args);
	do {
		code = bh_query_next(&query);
	} while (code > 0);
	return code;
}

int bh_query_find(struct bh_database *db, int64_t *number_out, const char *sql, const char *types,
                  ...)
{
	struct bh_query query;
	va_list args;
	int code;

	va_start(args, types);
	query_start(&query, db, sql, types, args);
	va_end(args);
	code = bh_query_next(&query);
	if (code > 0) {
		*number_out = bh_query_number(&query, 0);
		bh_query_end(&query);
	}
	return code;
}
