#include "src/mail/registry.h"

#include "src/base/mem.h"
#include "src/mail/bell.h"
#include "src/mail/custody.h"
#include "src/mail/turn.h"

#include <stdio.h>
#include <string.h>

// So many names of a base are looked at for one that is free.
#define LOW_NAMES_MAX 1000

// A name as its row has it, and the line that wants it.
struct name_row {
	uint64_t id;
	bool is_known;
	char name[BH_IDENTITY_SIZE];
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	char line[BH_CLAIM_TERMINAL_SIZE];
};

static int name_read(struct bh_ledger *ledger, uint64_t id, struct name_row *row)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db,
	               "SELECT known, name, terminal, line FROM identity WHERE id = ?", "n", id);
	code = bh_query_next(&query);
	if (code > 0) {
		row->id = id;
		row->is_known = bh_query_int(&query, 0) != 0;
		bh_query_text(&query, 1, row->name, sizeof(row->name));
		bh_query_text(&query, 2, row->terminal, sizeof(row->terminal));
		bh_query_text(&query, 3, row->line, sizeof(row->line));
		bh_query_end(&query);
	}
	return code < 0 ? code : 0;
}

// @command ("kill") is what an operator may do first; to an agent another's life is no way out.
static int name_taken(struct bh_ledger *ledger, const struct name_row *row, const char *why,
                      const char *command)
{
	char way[BH_IDENTITY_SIZE + 32] = "let the operator give it";

	if (command != NULL) {
		(void)snprintf(way, sizeof(way), "first `bellhop %s %s`", command, row->name);
	}
	return bh_err_set(&ledger->db.err, BH_EEXISTS,
	                  "the name %s is taken: %s; choose another name, or %s", row->name, why,
	                  way);
}

// What stands against a name, if anything: 1 it waits for a respawn of its line, 2 it has mail
// that is not seen. 0 nothing; or a code.
static int name_find_bar(struct bh_ledger *ledger, const struct name_row *row)
{
	int64_t found = 0;
	int code = bh_query_find(
		&ledger->db, &found,
		"SELECT 1 FROM terminal WHERE line = ? AND status <> 2 AND status = 1", "t",
		row->line);

	if (code != 0) {
		return code;
	}
	code = bh_query_find(
		&ledger->db, &found,
		"SELECT 1 FROM delivery WHERE mailbox = ?1 AND ownership = 0"
		" UNION ALL SELECT 1 FROM claim c CROSS JOIN delivery d ON d.claim = c.id"
		" WHERE d.claim <> 0 AND d.mailbox = ?1 LIMIT 1",
		"n", row->id);
	return code > 0 ? 2 : code;
}

// Whether @line may hold the name now. Its last holder's line always may.
static int name_check(struct bh_ledger *ledger, const struct name_row *row, const char *line,
                      bool by_operator, bool may_take_live)
{
	char why[96];
	int bar;

	if (row->line[0] == '\0' || strcmp(row->line, line) == 0) {
		return 0;
	}
	if (row->terminal[0] != '\0') {
		(void)snprintf(why, sizeof(why), "the live terminal %s holds it", row->terminal);
		return may_take_live ? 0
		                     : name_taken(ledger, row, why, by_operator ? "kill" : NULL);
	}
	bar = name_find_bar(ledger, row);
	if (bar == 1 && !may_take_live) {
		return name_taken(ledger, row, "its terminal is about to be started again",
		                  by_operator ? "forget" : NULL);
	}
	if (bar == 2 && !by_operator) {
		return name_taken(ledger, row, "it has unread mail of its last holder", NULL);
	}
	return bar < 0 ? bar : 0;
}

// Bind a name to a terminal ("" for a program without one) as its newest.
static int name_bind(struct bh_ledger *ledger, struct bh_change *change, const struct name_row *row,
                     const char *terminal, const char *line)
{
	int64_t bound = 0;
	int code = bh_query_find(&ledger->db, &bound,
	                         "UPDATE meta SET bound = bound + 1 RETURNING bound", "");

	if (code > 0) {
		code = bh_query_run(
			&ledger->db,
			"UPDATE identity SET known = 1, name = ?, terminal = ?, line = ?,"
			" bound = ? WHERE id = ?",
			"tttnn", row->name, terminal, line, bound, row->id);
	}
	return code < 0 ? code : bh_ledger_touch_mailbox(ledger, &change->effects, row->id);
}

// The mailbox of a name that somebody wants to hold, checked. It gets the spelling of its first
// holder, whatever senders wrote before.
static int name_want(struct bh_ledger *ledger, struct bh_change *change, const char *name,
                     struct name_row *row)
{
	uint64_t id = 0;
	int code = bh_identity_check(name, &ledger->db.err);

	if (code == 0) {
		code = bh_ledger_make_mailbox(ledger, &change->effects, name, &id);
	}
	if (code == 0) {
		code = name_read(ledger, id, row);
	}
	if (code == 0 && !row->is_known) {
		(void)snprintf(row->name, sizeof(row->name), "%s", name); // checked, so it fits
	}
	return code;
}

// Whether a name is nobody's: it never was anybody's, or its last holder was a program without a
// profile, a shell mostly, that a person started, that has ended, and that nobody can mean who
// writes to the name: neither mail nor room nor task nor block was ever about it.
static int name_is_nobodys(struct bh_ledger *ledger, const char *name)
{
	int64_t id = 0;
	int code = bh_query_find(
		&ledger->db, &id,
		"SELECT id FROM identity i WHERE folded = lower(?) AND NOT (kind = 0"
		" AND terminal = '' AND dnd = 0"
		" AND EXISTS (SELECT 1 FROM terminal WHERE uuid = i.line AND status = 2"
		" AND profile = 'generic' AND launched_by = '' AND started_agent = 0)"
		" AND NOT EXISTS (SELECT 1 FROM terminal WHERE line = i.line AND status <> 2)"
		" AND NOT EXISTS (SELECT 1 FROM delivery WHERE mailbox = i.id)"
		" AND NOT EXISTS (SELECT 1 FROM message WHERE from_id = i.id)"
		" AND NOT EXISTS (SELECT 1 FROM member WHERE identity = i.id)"
		" AND NOT EXISTS (SELECT 1 FROM task WHERE creator = i.id OR assignee = i.id)"
		" AND NOT EXISTS (SELECT 1 FROM block WHERE mailbox = i.id OR sender = i.id))",
		"t", name);

	return code < 0 ? code : code == 0;
}

// The first name of a base that is nobody's, for a program without a profile: shells come and go, and
// their numbers are not to grow for ever. Gives 1, 0 when there is none among the first, or a code.
static int auto_name_low(struct bh_ledger *ledger, const char *base,
                         char name_out[BH_IDENTITY_SIZE])
{
	int code = 0;

	for (unsigned n = 1; code == 0 && n <= LOW_NAMES_MAX; n++) {
		bh_identity_auto(base, n, name_out);
		code = name_is_nobodys(ledger, name_out);
	}
	return code;
}

// The first automatic name of a base that nobody used or wrote to. A counter per base makes it
// cheap; names are not used again, so that no newcomer gets the mail of another.
static int auto_name(struct bh_ledger *ledger, const char *base, char name_out[BH_IDENTITY_SIZE])
{
	int64_t n = 0;
	int64_t used = 0;
	int code;

	do {
		code = bh_query_find(&ledger->db, &n,
		                     "INSERT INTO auto_name (base, next) VALUES (?, 1)"
		                     " ON CONFLICT DO UPDATE SET next = next + 1 RETURNING next",
		                     "t", base);
		if (code < 0) {
			return code;
		}
		bh_identity_auto(base, (unsigned)n, name_out);
		code = bh_query_find(&ledger->db, &used,
		                     "SELECT id FROM identity WHERE folded = lower(?)", "t",
		                     name_out);
	} while (code > 0);
	return code;
}

// Give all names of a line's terminal that waits for a respawn to its successor. Its own line's
// names only: those that another line took have another line now.
static int line_hand_over(struct bh_ledger *ledger, struct bh_change *change,
                          const struct bh_terminal_record *record)
{
	char waiting[BH_CLAIM_TERMINAL_SIZE] = "";
	struct bh_query query;
	int64_t id = 0;
	int code;

	bh_query_start(
		&query, &ledger->db,
		"UPDATE terminal SET status = 2 WHERE line = ? AND status <> 2 AND status = 1 AND uuid <> ?"
		" RETURNING uuid",
		"tt", record->line, record->uuid);
	code = bh_query_next(&query);
	if (code <= 0) {
		return code;
	}
	bh_query_text(&query, 0, waiting, sizeof(waiting));
	bh_query_end(&query);
	code = bh_ledger_touch_terminal(ledger, &change->effects, waiting);
	while (code == 0) {
		code = bh_query_find(
			&ledger->db, &id,
			"UPDATE identity SET terminal = ?1 WHERE id = (SELECT id FROM"
			" identity WHERE line = ?2 AND line <> '' AND terminal = '' ORDER BY bound LIMIT 1)"
			" RETURNING id",
			"tt", record->uuid, record->line);
		if (code <= 0) {
			return code;
		}
		code = bh_ledger_touch_mailbox(ledger, &change->effects, (uint64_t)id);
	}
	return code;
}

static int terminal_write(struct bh_ledger *ledger, const struct bh_terminal_record *record)
{
	return bh_query_run(
		&ledger->db,
		"INSERT INTO terminal (uuid, line, launched_by, identity, mode, started_agent, status,"
		" exit_status, cols, rows, respawn, respawn_count, headless, started_ms, exited_ms,"
		" argv, env, extra, cwd, profile, token_hash, born_hops)"
		" VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, -1, ?7, ?8, ?9, ?10, ?11, ?12, 0, ?13, ?14, ?15, ?16,"
		" ?17, ?18, coalesce((SELECT turn_hops FROM terminal WHERE uuid = ?3), -1))"
		" ON CONFLICT DO UPDATE SET identity = excluded.identity, mode = excluded.mode,"
		" started_agent = started_agent OR excluded.started_agent, status = 0,"
		" exit_status = -1, cols = excluded.cols, rows = excluded.rows,"
		" respawn = excluded.respawn, respawn_count = excluded.respawn_count,"
		" headless = excluded.headless, exited_ms = 0, argv = excluded.argv,"
		" env = excluded.env, extra = excluded.extra, cwd = excluded.cwd,"
		" profile = excluded.profile, token_hash = excluded.token_hash",
		"ttttiiiiiiintttttt", record->uuid, record->line, record->launched_by,
		record->identity, (int)record->mode, (int)record->has_started_agent, record->cols,
		record->rows, (int)record->respawn, (int)record->respawn_count,
		(int)record->is_headless, record->started_ms, record->argv, record->env,
		record->extra, record->cwd, record->profile, record->token_hash);
}

// The terminal whose agent started another agent has one of its own to mind: notice mode.
static int launcher_mark(struct bh_ledger *ledger, struct bh_change *change)
{
	const struct bh_terminal_record *record = &change->record;
	int code;

	if (record->launched_by[0] == '\0' || strcmp(record->profile, "generic") == 0) {
		return 0;
	}
	code = bh_query_run(&ledger->db, "UPDATE terminal SET started_agent = 1 WHERE uuid = ?",
	                    "t", record->launched_by);
	return code < 0 ? code
	                : bh_ledger_touch_terminal(ledger, &change->effects, record->launched_by);
}

// Fill in what the caller left to us: line, time, and the name (the one it has, or an automatic
// one).
static int record_complete(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_terminal_record *record = &change->record;
	struct bh_query query;
	int code;

	if (record->line[0] == '\0') {
		memcpy(record->line, record->uuid, sizeof(record->line));
	}
	if (record->started_ms == 0) {
		record->started_ms = ledger->now_ms;
	}
	if (record->identity[0] != '\0') {
		return 0;
	}
	bh_query_start(&query, &ledger->db, "SELECT identity FROM terminal WHERE uuid = ?", "t",
	               record->uuid);
	code = bh_query_next(&query);
	if (code > 0) {
		bh_query_text(&query, 0, record->identity, sizeof(record->identity));
		bh_query_end(&query);
		return 0;
	}
	if (code == 0 && strcmp(record->profile, "generic") == 0) {
		code = auto_name_low(ledger, change->text, record->identity);
		if (code > 0) {
			return 0;
		}
	}
	return code < 0 ? code : auto_name(ledger, change->text, record->identity);
}

int bh_registry_bind(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_terminal_record *record = &change->record;
	struct name_row row = {0};
	int code = record_complete(ledger, change);

	if (code == 0) {
		code = name_want(ledger, change, record->identity, &row);
	}
	if (code == 0) {
		code = name_check(ledger, &row, record->line, change->flag, false);
	}
	if (code == 0) {
		memcpy(record->identity, row.name, sizeof(record->identity));
		memcpy(change->answer.name, row.name, sizeof(change->answer.name));
		code = terminal_write(ledger, record);
	}
	if (code == 0) {
		code = bh_ledger_touch_terminal(ledger, &change->effects, record->uuid);
	}
	if (code == 0) { // of a terminal that comes back after it was thought gone
		code = bh_ledger_touch_notice(ledger, &change->effects, record->uuid);
	}
	if (code == 0) {
		code = line_hand_over(ledger, change, record);
	}
	if (code == 0) {
		code = name_read(ledger, row.id, &row);
	}
	if (code == 0 && strcmp(row.terminal, record->uuid) != 0) {
		memcpy(row.name, record->identity, sizeof(row.name));
		code = name_bind(ledger, change, &row, record->uuid, record->line);
	}
	return code < 0 ? code : launcher_mark(ledger, change);
}

// The line of a terminal that is live. Gives 1, 0 for none, or a code.
static int terminal_find_line(struct bh_ledger *ledger, const char *uuid,
                              char line_out[BH_CLAIM_TERMINAL_SIZE])
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db,
	               "SELECT line FROM terminal WHERE uuid = ? AND status = 0", "t", uuid);
	code = bh_query_next(&query);
	if (code > 0) {
		bh_query_text(&query, 0, line_out, BH_CLAIM_TERMINAL_SIZE);
		bh_query_end(&query);
	}
	return code;
}

static int terminal_missing(struct bh_ledger *ledger, const char *uuid)
{
	return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
	                  "there is no live terminal %s: look at the list of terminals", uuid);
}

int bh_registry_announce(struct bh_ledger *ledger, struct bh_change *change)
{
	char line[BH_CLAIM_TERMINAL_SIZE] = "";
	struct name_row row = {0};
	int code = 1;

	if (change->terminal[0] != '\0') {
		code = terminal_find_line(ledger, change->terminal, line);
	}
	if (code <= 0) {
		return code < 0 ? code : terminal_missing(ledger, change->terminal);
	}
	code = name_want(ledger, change, change->name, &row);
	if (code == 0) {
		code = name_check(ledger, &row, line, change->flag, change->flag);
	}
	memcpy(change->answer.name, row.name, sizeof(change->answer.name));
	return code < 0 ? code : name_bind(ledger, change, &row, change->terminal, line);
}

int bh_registry_set_mode(struct bh_ledger *ledger, struct bh_change *change)
{
	int64_t found = 0;
	int code = bh_query_find(&ledger->db, &found,
	                         "UPDATE terminal SET mode = ? WHERE uuid = ? AND status <> 2"
	                         " RETURNING 1",
	                         "it", (int)change->mode, change->terminal);

	if (code <= 0) {
		return code < 0 ? code : terminal_missing(ledger, change->terminal);
	}
	return bh_ledger_touch_terminal(ledger, &change->effects, change->terminal);
}

// The names of a terminal are nobody's now; their line says who may have them back.
static int names_unbind(struct bh_ledger *ledger, struct bh_change *change)
{
	int64_t id = 0;
	int code;

	while ((code = bh_query_find(
			&ledger->db, &id,
			"UPDATE identity SET terminal = '' WHERE id = (SELECT id FROM"
			" identity WHERE terminal = ? AND terminal <> '' LIMIT 1) RETURNING id",
			"t", change->terminal)) > 0) {
		code = bh_ledger_touch_mailbox(ledger, &change->effects, (uint64_t)id);
		if (code < 0) {
			return code;
		}
	}
	return code;
}

int bh_registry_retire(struct bh_ledger *ledger, struct bh_change *change)
{
	int64_t status = 0;
	int code = bh_query_find(&ledger->db, &status, "SELECT status FROM terminal WHERE uuid = ?",
	                         "t", change->terminal);

	if (code <= 0) {
		return code < 0 ? code : terminal_missing(ledger, change->terminal);
	}
	if (status == BH_TERMINAL_GONE) {
		return 0;
	}
	code = bh_query_run(
		&ledger->db,
		"UPDATE terminal SET status = ?1, exited_ms = iif(status = 0, ?2, exited_ms),"
		" exit_status = iif(status = 0, ?3, exit_status) WHERE uuid = ?4",
		"init", change->flag ? BH_TERMINAL_WAITS_RESPAWN : BH_TERMINAL_GONE, ledger->now_ms,
		change->exit_status, change->terminal);
	if (code == 0) {
		code = bh_custody_release_readers(ledger, change, change->terminal,
		                                  "terminal exited");
	}
	if (code == 0) {
		code = bh_turn_break(ledger, change, change->terminal);
	}
	if (code == 0) {
		code = bh_bell_close(ledger, change, change->terminal, false);
	}
	if (code == 0) {
		code = names_unbind(ledger, change);
	}
	return code < 0 ? code
	                : bh_ledger_touch_terminal(ledger, &change->effects, change->terminal);
}

#define STRING(number) #number
#define STRING_OF(number) STRING(number)

// The version is in the first page, which is written also when it is the same.
int bh_registry_probe(struct bh_ledger *ledger, struct bh_change *change)
{
	(void)change;
	return bh_query_run(&ledger->db, "PRAGMA user_version = " STRING_OF(BH_DATABASE_VERSION),
	                    "");
}

int bh_registry_ended(struct bh_ledger *ledger, struct bh_change *change)
{
	int count = bh_ledger_read_ended(ledger, &change->effects, change->limit);

	if (count <= 0) {
		return count;
	}
	change->terminals = bh_xcalloc((size_t)count, sizeof(*change->terminals));
	for (size_t i = 0; i < (size_t)count; i++) {
		change->terminals[i] = change->effects.rows[i].terminal;
	}
	change->answer.terminals = change->terminals;
	change->answer.terminal_count = (size_t)count;
	return 0;
}

int bh_registry_forget(struct bh_ledger *ledger, struct bh_change *change)
{
	int64_t found = 0;
	int code;

	if (change->terminal[0] == '\0') {
		return bh_query_run(
			&ledger->db,
			"UPDATE terminal SET forgotten = 1 WHERE status = 2 AND forgotten = 0", "");
	}
	code = bh_query_find(&ledger->db, &found,
	                     "UPDATE terminal SET forgotten = 1 WHERE uuid = ? AND status = 2"
	                     " RETURNING 1",
	                     "t", change->terminal);
	if (code == 0) {
		return bh_err_set(&ledger->db.err, BH_ENOTFOUND, "there is no ended terminal %s",
		                  change->terminal);
	}
	return code < 0 ? code : 0;
}
