#include "src/mail/database.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// A file in a folder of its own.
struct place {
	char folder[512];
	char path[544];
};

static int setup(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(place->folder, sizeof(place->folder), "%s/bellhop-database-XXXXXX",
	               tmp == NULL ? "/tmp" : tmp);
	assert_non_null(mkdtemp(place->folder));
	(void)snprintf(place->path, sizeof(place->path), "%s/mail.db", place->folder);
	*state = place;
	return 0;
}

static int teardown(void **state)
{
	static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
	struct place *place = *state;

	for (size_t i = 0; i < 4; i++) {
		char path[576];

		(void)snprintf(path, sizeof(path), "%s%s", place->path, suffixes[i]);
		(void)unlink(path); // most are not there
	}
	(void)rmdir(place->path);
	assert_int_equal(rmdir(place->folder), 0);
	free(place);
	return 0;
}

static void open_new(struct bh_database *db, const struct place *place)
{
	struct bh_err err = {0};

	if (bh_database_open(db, place->path, 0, &err) != 0) {
		fail_msg("%s", err.text);
	}
}

// Run SQL on the file from outside, as another program would.
static void outside(const struct place *place, const char *sql)
{
	sqlite3 *handle = NULL;

	assert_int_equal(sqlite3_open(place->path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

static void write_file(const struct place *place, const char *text)
{
	FILE *file = fopen(place->path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void a_new_database_is_private_and_durable(void **state)
{
	struct bh_database db;
	struct stat status;
	int64_t number = 0;

	open_new(&db, *state);
	assert_int_equal(stat(((struct place *)*state)->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(bh_query_find(&db, &number, "PRAGMA synchronous", ""), 1);
	assert_int_equal(number, 2);
	assert_int_equal(bh_query_find(&db, &number, "PRAGMA user_version", ""), 1);
	assert_int_equal(number, BH_DATABASE_VERSION);
	assert_int_equal(
		bh_query_find(&db, &number,
	                      "SELECT 1 FROM pragma_journal_mode WHERE journal_mode = 'wal'", ""),
		1);
	assert_int_equal(bh_query_find(&db, &number, "PRAGMA wal_autocheckpoint", ""), 1);
	assert_int_equal(number, 0);
	bh_database_close(&db);
	bh_database_close(&db); // harmless
	open_new(&db, *state);  // and again, with nothing to migrate
	bh_database_close(&db);
}

static void a_newer_version_is_refused_and_left_alone(void **state)
{
	const struct place *place = *state;
	struct bh_database db;
	struct bh_err err;
	struct stat before, after;
	char sql[48];

	open_new(&db, place);
	bh_database_close(&db);
	outside(place, "PRAGMA user_version=99");
	assert_int_equal(stat(place->path, &before), 0);
	assert_int_equal(bh_database_open(&db, place->path, 0, &err), BH_EVERSION);
	assert_non_null(strstr(err.text, place->path));
	assert_non_null(strstr(err.text, "format 99"));
	assert_non_null(strstr(err.text, "move the file away"));
	assert_int_equal(stat(place->path, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	(void)snprintf(sql, sizeof(sql), "PRAGMA user_version=%d", BH_DATABASE_VERSION);
	outside(place, sql);
	open_new(&db, place);
	bh_database_close(&db);
}

// The schema of version 1 with two tasks, as a program of before left it.
static const char version_1[] =
	"PRAGMA application_id=1113943148; PRAGMA user_version=1;"
	"CREATE TABLE meta (boot INTEGER NOT NULL, bound INTEGER NOT NULL);"
	"INSERT INTO meta VALUES (4, 3);"
	"CREATE TABLE identity (id INTEGER PRIMARY KEY, folded TEXT NOT NULL UNIQUE,"
	" name TEXT NOT NULL, kind INTEGER NOT NULL, known INTEGER NOT NULL,"
	" terminal TEXT NOT NULL DEFAULT '', line TEXT NOT NULL DEFAULT '',"
	" bound INTEGER NOT NULL DEFAULT 0);"
	"INSERT INTO identity (id, folded, name, kind, known) VALUES"
	" (1, 'operator', 'operator', 1, 1), (2, 'bellhop', 'bellhop', 2, 1),"
	" (3, 'anna', 'Anna', 0, 1), (4, 'bob', 'bob', 0, 1);"
	"CREATE TABLE message (seq INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE,"
	" from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, sender INTEGER NOT NULL,"
	" from_terminal TEXT NOT NULL, by_token INTEGER NOT NULL, reply_to INTEGER NOT NULL,"
	" task_id TEXT NOT NULL, task_status INTEGER NOT NULL, created_ms INTEGER NOT NULL,"
	" body_lines INTEGER NOT NULL, body_len INTEGER NOT NULL, body BLOB NOT NULL);"
	"CREATE INDEX message_task ON message (task_id) WHERE task_id <> '';"
	"INSERT INTO message VALUES"
	" (1, 'a', 3, 4, 1, '', 0, 0, 't1', 0, 1000, 2, 9, CAST('do' || char(10) || 'it now' AS BLOB)),"
	" (2, 'b', 4, 3, 1, '', 0, 1, 't1', 0, 2000, 1, 4, CAST('done' AS BLOB)),"
	" (3, 'c', 1, 4, 0, '', 0, 0, 't2', 0, 3000, 1, 5, CAST('other' AS BLOB)),"
	" (4, 'd', 1, 4, 0, '', 0, 0, '', 0, 4000, 1, 5, CAST('plain' AS BLOB));"
	"CREATE TABLE range_receipt (id INTEGER PRIMARY KEY, mailbox INTEGER NOT NULL,"
	" from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);"
	"CREATE INDEX range_receipt_mailbox ON range_receipt (mailbox, to_seq);"
	"CREATE TABLE terminal (uuid TEXT PRIMARY KEY, status INTEGER NOT NULL,"
	" exited_ms INTEGER NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE delivery (seq INTEGER NOT NULL, mailbox INTEGER NOT NULL,"
	" PRIMARY KEY (seq, mailbox)) WITHOUT ROWID;";

static void an_old_database_opens_with_its_tasks(void **state)
{
	struct bh_database db;
	int64_t number = 0;

	outside(*state, version_1);
	open_new(&db, *state);
	assert_int_equal(bh_query_find(&db, &number, "PRAGMA user_version", ""), 1);
	assert_int_equal(number, BH_DATABASE_VERSION);
	assert_int_equal(bh_query_find(&db, &number, "SELECT count(*) FROM message", ""), 1);
	assert_int_equal(number, 4);
	assert_int_equal(bh_query_find(&db, &number, "SELECT count(*) FROM task", ""), 1);
	assert_int_equal(number, 2);
	assert_int_equal(
		bh_query_find(
			&db, &number,
			"SELECT 1 FROM task WHERE task_id = 't1' AND creator = 3 AND assignee = 4"
			" AND state = 1 AND title = 'do' AND created_ms = 1000"
			" AND updated_ms = 2000 AND last_seq = 2",
			""),
		1);
	assert_int_equal(bh_query_find(&db, &number, "SELECT count(*) FROM member", ""), 1);
	assert_int_equal(number, 0);
	bh_database_close(&db);
	open_new(&db, *state);
	bh_database_close(&db);
}

static void what_is_no_store_is_refused(void **state)
{
	static const char *const others[] = {
		"CREATE TABLE other (a)",
		"CREATE TABLE other (a); PRAGMA user_version=1",
		"CREATE TABLE other (a); PRAGMA user_version=1; PRAGMA application_id=77",
	};
	const struct place *place = *state;
	struct bh_database db;
	struct bh_err err;
	char text[5000];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	write_file(place, text);
	assert_int_equal(bh_database_open(&db, place->path, 0, &err), BH_ECORRUPT);
	assert_non_null(strstr(err.text, "move the file away"));
	assert_int_equal(unlink(place->path), 0);
	for (int i = 0; i < 3; i++) {
		outside(place, others[i]);
		assert_int_equal(bh_database_open(&db, place->path, 0, &err), BH_ECORRUPT);
		assert_non_null(strstr(err.text, "another program"));
		assert_int_equal(unlink(place->path), 0);
	}
	assert_int_equal(mkdir(place->path, 0700), 0);
	assert_int_equal(bh_database_open(&db, place->path, 0, &err), -EISDIR);
}

static void a_damaged_page_is_found(void **state)
{
	const struct place *place = *state;
	struct bh_database db;
	char junk[4096];
	int64_t number;
	int fd;

	open_new(&db, place);
	bh_database_close(&db);
	memset(junk, 0x5a, sizeof(junk));
	fd = open(place->path, O_WRONLY | O_CLOEXEC);
	for (int page = 1; page < 12; page++) {
		assert_int_equal(pwrite(fd, junk, sizeof(junk), page * 4096), sizeof(junk));
	}
	assert_int_equal(close(fd), 0);
	open_new(&db, place); // the first page is whole
	assert_int_equal(bh_query_find(&db, &number, "SELECT count(*) FROM identity", ""),
	                 BH_ECORRUPT);
	assert_true(db.is_broken);
	assert_non_null(strstr(db.err.text, ".recover"));
	bh_database_close(&db);
}

static void two_processes_do_not_share_it(void **state)
{
	const struct place *place = *state;
	struct bh_database db, other;
	struct bh_err err;

	open_new(&db, place);
	assert_int_equal(bh_database_open(&other, place->path, 0, &err), BH_EBUSY);
	assert_non_null(strstr(err.text, "another program"));
	bh_database_close(&db);
	open_new(&other, place);
	bh_database_close(&other);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
	struct bh_database db;
	struct bh_err err;

	(void)state;
	assert_int_equal(bh_database_open(&db, "/nonexistent/mail.db", 0, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/mail.db"));
}

static void statements_take_and_give_values(void **state)
{
	struct bh_span bytes = {"a\0b", 3};
	struct bh_database db;
	struct bh_query query;
	char text[4];

	open_new(&db, *state);
	bh_query_start(&query, &db, "SELECT ?, ?, ?, ?, ?", "intbt", -5, INT64_C(1) << 40, "words",
	               &bytes, NULL);
	assert_int_equal(bh_query_next(&query), 1);
	assert_int_equal(bh_query_int(&query, 0), -5);
	assert_int_equal(bh_query_number(&query, 1), INT64_C(1) << 40);
	bh_query_text(&query, 2, text, sizeof(text));
	assert_string_equal(text, "wor"); // cut
	assert_int_equal(bh_query_bytes(&query, 3).len, 3);
	assert_memory_equal(bh_query_bytes(&query, 3).data, "a\0b", 3);
	assert_int_equal(bh_query_bytes(&query, 4).len, 0);
	assert_int_equal(bh_query_next(&query), 0);
	bh_query_end(&query);
	assert_int_equal(bh_query_run(&db, "SELECT * FROM missing", ""), -EIO);
	assert_non_null(strstr(db.err.text, "no such table"));
	bh_database_close(&db);
}

static void rollback_and_commit_do_what_they_say(void **state)
{
	struct bh_database db;
	int64_t count = -1;

	open_new(&db, *state);
	for (int round = 0; round < 2; round++) {
		assert_int_equal(bh_database_begin(&db), 0);
		assert_int_equal(bh_query_run(&db, "INSERT INTO auto_name VALUES (?, 1)", "t", "x"),
		                 0);
		if (round == 0) {
			bh_database_rollback(&db);
		} else {
			assert_int_equal(bh_database_commit(&db), 0);
		}
		bh_database_rollback(&db); // harmless
		assert_int_equal(bh_query_find(&db, &count, "SELECT count(*) FROM auto_name", ""),
		                 1);
		assert_int_equal(count, round);
	}
	assert_true(bh_database_wal_bytes(&db) > 0);
	assert_int_equal(bh_database_checkpoint(&db), 0);
	assert_int_equal(bh_database_wal_bytes(&db), 0);
	bh_database_close(&db);
}

// Bytes that hold pages of the file.
static int cached_bytes(struct bh_database *db)
{
	int bytes = 0;
	int most = 0;

	assert_int_equal(
		sqlite3_db_status(db->handle, SQLITE_DBSTATUS_CACHE_USED, &bytes, &most, 0), 0);
	return bytes;
}

static void a_rest_gives_back_the_pages(void **state)
{
	struct bh_database db;
	int64_t count = 0;
	int before;

	assert_int_equal(bh_database_open(&db, ((struct place *)*state)->path, 0, NULL), 0);
	before = cached_bytes(&db);
	bh_database_rest(&db);
	assert_true(cached_bytes(&db) < before / 2);
	assert_int_equal(bh_query_find(&db, &count, "SELECT count(*) FROM auto_name", ""), 1);
	bh_database_close(&db);
}

static void a_full_database_says_so_and_recovers(void **state)
{
	static char body[300000];
	struct bh_span span = {body, sizeof(body)};
	struct bh_database db;
	struct bh_err err;
	int code = 0;

	assert_int_equal(bh_database_open(&db, ((struct place *)*state)->path, 120, &err), 0);
	for (int i = 0; i < 5 && code == 0; i++) {
		assert_int_equal(bh_database_begin(&db), 0);
		code = bh_query_run(&db, "INSERT INTO auto_name VALUES (?, 1)", "b", &span);
		if (code == 0) {
			code = bh_database_commit(&db);
		}
		body[0]++;
	}
	assert_int_equal(code, -ENOSPC);
	assert_non_null(strstr(db.err.text, "free disk space"));
	bh_database_rollback(&db);
	assert_int_equal(bh_database_begin(&db), 0);
	assert_int_equal(bh_query_run(&db, "DELETE FROM auto_name", ""), 0);
	assert_int_equal(bh_query_run(&db, "INSERT INTO auto_name VALUES ('x', 1)", ""), 0);
	assert_int_equal(bh_database_commit(&db), 0);
	bh_database_close(&db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
		CASE(a_new_database_is_private_and_durable),
		CASE(a_newer_version_is_refused_and_left_alone),
		CASE(an_old_database_opens_with_its_tasks),
		CASE(what_is_no_store_is_refused),
		CASE(a_damaged_page_is_found),
		CASE(two_processes_do_not_share_it),
		CASE(a_folder_that_is_not_there_is_named),
		CASE(statements_take_and_give_values),
		CASE(rollback_and_commit_do_what_they_say),
		CASE(a_rest_gives_back_the_pages),
		CASE(a_full_database_says_so_and_recovers),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
