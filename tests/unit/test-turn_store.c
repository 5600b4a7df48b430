// What OpenCode's database says of our text.
#include "src/agent/turn_store.h"

#include "src/base/mem.h"

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
#include <sqlite3.h>

static const char schema[] =
	"CREATE TABLE session (id text PRIMARY KEY, parent_id text);"
	"CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT "
	"NULL, data text NOT NULL);"
	"CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);"
	"CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, data text NOT NULL);"
	"CREATE INDEX part_message_id_id_idx ON part (message_id, id);"
	"INSERT INTO session VALUES ('s1', NULL), ('s2', 's1');";

/** A folder with a database. */
struct desk {
	char folder[32];
	char *path;
	sqlite3 *db;
};

static void run(struct desk *desk, const char *statement)
{
	assert_int_equal(sqlite3_exec(desk->db, statement, NULL, NULL, NULL), SQLITE_OK);
}

static int desk_open(void **state)
{
	struct desk *desk = bh_xmalloc(sizeof *desk);

	(void)snprintf(desk->folder, sizeof desk->folder, "/tmp/bellhop-store-XXXXXX");
	assert_non_null(mkdtemp(desk->folder));
	desk->path = bh_xasprintf("%s/opencode.db", desk->folder);
	assert_int_equal(sqlite3_open(desk->path, &desk->db), SQLITE_OK);
	// As OpenCode has it: its writes stand in the log for long.
	run(desk, "PRAGMA journal_mode = WAL");
	run(desk, schema);
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;
	char *command = bh_xasprintf("rm -r %s", desk->folder);

	(void)sqlite3_close(desk->db);
	assert_int_equal(system(command), 0);
	free(command);
	free(desk->path);
	free(desk);
	return 0;
}

/** A message with one part. */
static void put(struct desk *desk, const char *session, const char *role, int at, const char *part)
{
	char *statement =
		sqlite3_mprintf("INSERT INTO message VALUES ('m%d', '%q', %d, '{\"role\":\"%q\"}');"
	                        "INSERT INTO part VALUES ('p%d', 'm%d', '%q');",
	                        at, session, at, role, at, at, part);

	run(desk, statement);
	sqlite3_free(statement);
}

static enum bh_turn_store look_at(const char *path, int64_t since_ms, const char *session)
{
	const struct bh_turn_sought sought = {.mark = "Mail m42 from", .since_ms = since_ms};
	char id[BH_SESSION_ID_SIZE];
	enum bh_turn_store found;

	(void)snprintf(id, sizeof id, "%s", session);
	found = bh_turn_store_look(path, &sought, id);
	if (found == BH_TURN_STORE_SUBMITTED) {
		assert_string_equal(id, "s1");
	} else {
		assert_string_equal(id, session);
	}
	return found;
}

static enum bh_turn_store look(const struct desk *desk, int64_t since_ms)
{
	return look_at(desk->path, since_ms, "");
}

#define OURS "{\"type\":\"text\",\"text\":\"Mail m42 from x\"}"

static void a_turn_of_the_user_is_found(void **state)
{
	struct desk *desk = *state;

	assert_int_equal(look(desk, 0), BH_TURN_STORE_NOWHERE);
	put(desk, "s1", "user", 100, OURS);
	assert_int_equal(look(desk, 100), BH_TURN_STORE_SUBMITTED);
	assert_int_equal(look(desk, 101), BH_TURN_STORE_NOWHERE);
	// In the middle of its own writing.
	run(desk, "BEGIN IMMEDIATE");
	put(desk, "s1", "user", 200, OURS);
	assert_int_equal(look(desk, 150), BH_TURN_STORE_NOWHERE);
	run(desk, "COMMIT");
	assert_int_equal(look(desk, 150), BH_TURN_STORE_SUBMITTED);
}

static void one_session_is_looked_at_if_told(void **state)
{
	struct desk *desk = *state;

	put(desk, "s1", "user", 100, OURS);
	run(desk, "INSERT INTO session VALUES ('s3', NULL)");
	put(desk, "s3", "user", 90, "{\"type\":\"text\",\"text\":\"Mail m41 from x\"}");
	assert_int_equal(look_at(desk->path, 0, "s1"), BH_TURN_STORE_SUBMITTED);
	assert_int_equal(look_at(desk->path, 0, "s3"), BH_TURN_STORE_NOWHERE);
	assert_true(bh_turn_store_has(desk->path, "s3"));
	assert_false(bh_turn_store_has(desk->path, "s4"));
	assert_false(bh_turn_store_has("/nonexistent/opencode.db", "s3"));
}

// The last words of one that was killed stand in its log: they are read, and left there.
static void what_was_killed_is_left_as_it_is(void **state)
{
	struct desk *desk = *state;
	char *dead = bh_xasprintf("%s/dead/opencode.db", desk->folder);
	char *copy = bh_xasprintf("cd %s && mkdir dead && cp opencode.db opencode.db-wal dead",
	                          desk->folder);
	char *compare = bh_xasprintf("cd %s && cmp opencode.db dead/opencode.db && "
	                             "cmp opencode.db-wal dead/opencode.db-wal",
	                             desk->folder);

	put(desk, "s1", "user", 100, OURS);
	assert_int_equal(system(copy), 0);
	assert_int_equal(look_at(dead, 0, ""), BH_TURN_STORE_SUBMITTED);
	assert_true(bh_turn_store_has(dead, "s1"));
	assert_int_equal(system(compare), 0);
	free(dead);
	free(copy);
	free(compare);
}

static void other_texts_are_no_proof(void **state)
{
	struct desk *desk = *state;

	put(desk, "s1", "assistant", 100, OURS);
	put(desk, "s2", "user", 101, OURS);
	put(desk, "s1", "user", 102, "{\"type\":\"text\",\"text\":\"see Mail m42 from x\"}");
	put(desk, "s1", "user", 103, "{\"type\":\"tool\",\"text\":\"Mail m42 from x\"}");
	put(desk, "s1", "user", 104,
	    "{\"type\":\"text\",\"synthetic\":true,\"text\":\"Mail m42 from x\"}");
	put(desk, "s1", "user", 105, "Mail m42 from, no JSON");
	assert_int_equal(look(desk, 0), BH_TURN_STORE_NOWHERE);
}

static void what_is_no_such_database_holds_nothing(void **state)
{
	struct desk *desk = *state;
	char *link = bh_xasprintf("%s/link.db", desk->folder);
	char *file = bh_xasprintf("%s/file.db", desk->folder);
	FILE *out = fopen(file, "we");

	put(desk, "s1", "user", 100, OURS);
	assert_non_null(out);
	assert_true(fputs("no database, but longer than the header of one: 0123456789 0123456789 "
	                  "0123456789 0123456789 0123456789",
	                  out) >= 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(symlink(desk->path, link), 0);
	assert_int_equal(look_at("/nonexistent/opencode.db", 0, ""), BH_TURN_STORE_NOWHERE);
	assert_int_equal(look_at(desk->folder, 0, ""), BH_TURN_STORE_NOWHERE);
	assert_int_equal(look_at(file, 0, ""), BH_TURN_STORE_STRANGE);
	assert_int_equal(look_at(link, 0, ""), BH_TURN_STORE_NOWHERE);
	assert_false(bh_turn_store_is_strange(desk->path));
	run(desk, "DROP TABLE part");
	assert_int_equal(look(desk, 0), BH_TURN_STORE_STRANGE);
	assert_true(bh_turn_store_is_strange(desk->path));
	free(link);
	free(file);
}

// The folder is the agent's: what stands there in place of a file keeps nobody waiting.
static void a_pipe_is_not_waited_for(void **state)
{
	const struct desk *desk = *state;
	char *pipe = bh_xasprintf("%s/pipe.db", desk->folder);
	char *file = bh_xasprintf("%s/beside.db", desk->folder);
	char *journal = bh_xasprintf("%s-journal", file);
	sqlite3 *db = NULL;

	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, schema, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	assert_int_equal(mkfifo(journal, 0600), 0);
	(void)alarm(20); // it would be for ever
	assert_int_equal(look_at(pipe, 0, ""), BH_TURN_STORE_NOWHERE);
	assert_int_equal(look_at(file, 0, ""), BH_TURN_STORE_NOWHERE);
	(void)alarm(0);
	free(pipe);
	free(file);
	free(journal);
}

// A home that is a link to another disk.
static void a_folder_may_be_a_link(void **state)
{
	struct desk *desk = *state;
	char *link = bh_xasprintf("%s/home", desk->folder);
	char *path = bh_xasprintf("%s/opencode.db", link);

	put(desk, "s1", "user", 100, OURS);
	assert_int_equal(symlink(desk->folder, link), 0);
	assert_int_equal(look_at(path, 0, ""), BH_TURN_STORE_SUBMITTED);
	free(link);
	free(path);
}

static void a_database_without_end_is_given_up(void **state)
{
	struct desk *desk = *state;

	run(desk,
	    "DROP TABLE session;"
	    "CREATE VIEW session AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
	    "SELECT id, NULL AS parent_id FROM n");
	assert_int_equal(look(desk, 0), BH_TURN_STORE_NOWHERE);
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		desk_test(a_turn_of_the_user_is_found),
		desk_test(one_session_is_looked_at_if_told),
		desk_test(what_was_killed_is_left_as_it_is),
		desk_test(other_texts_are_no_proof),
		desk_test(what_is_no_such_database_holds_nothing),
		desk_test(a_pipe_is_not_waited_for),
		desk_test(a_folder_may_be_a_link),
		desk_test(a_database_without_end_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
