#include "src/cmd/terminal_view.h"

#include "src/base/words.h"
#include "src/cmd/command.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <string.h>

/** Digits of a terminal id in a table. */
#define ID_DIGITS 8

/** "exited (1)" or "exited (SIGKILL)" where the status is known. */
static void add_state(struct bh_table *table, const cJSON *terminal)
{
	const cJSON *status = cJSON_GetObjectItemCaseSensitive(terminal, "exit");
	const char *state = bh_print_str(terminal, "state", "unknown");
	const char *signal = bh_print_str(status, "signal", NULL);

	if (signal != NULL) {
		bh_table_add(table, "%s (%s)", state, signal);
	} else if (cJSON_IsObject(status)) {
		bh_table_add(table, "%s (%.0f)", state, bh_print_num(status, "code", 0));
	} else {
		bh_table_add(table, "%s", state);
	}
}

/** "bash (claude)" where somebody typed an agent into a shell. */
static void add_program(struct bh_table *table, const cJSON *terminal)
{
	const char *program = bh_print_str(terminal, "program", "-");
	const char *watched = bh_print_str(terminal, "watched", NULL);

	if (watched != NULL) {
		bh_table_add(table, "%s (%s)", program, watched);
	} else {
		bh_table_add(table, "%s", program);
	}
}

static void add_row(struct bh_table *table, const cJSON *terminal)
{
	double pid = bh_print_num(terminal, "pid", 0);
	char age[16];

	bh_table_add(table, "%s", bh_print_str(terminal, "identity", "-"));
	add_state(table, terminal);
	add_program(table, terminal);
	bh_table_add(table, pid > 0 ? "%.0f" : "-", pid);
	bh_table_add(table, "%.0fx%.0f", bh_print_num(terminal, "cols", 0),
	             bh_print_num(terminal, "rows", 0));
	bh_table_add(table, "%s", bh_print_age(bh_print_num(terminal, "age_ms", 0), age));
	bh_table_add(table, "%.0f%s", bh_print_num(terminal, "unread", 0),
	             cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(terminal, "parked")) ? " parked"
	                                                                                : "");
	bh_table_add(table, "%.*s", ID_DIGITS, bh_print_str(terminal, "terminal_id", "-"));
}

void bh_terminal_view_table(FILE *out, const cJSON *terminals)
{
	static const char *const heads[] = {"NAME", "STATE", "PROGRAM", "PID",
	                                    "SIZE", "AGE",   "MAIL",    "ID"};
	struct bh_table table = {.columns = sizeof(heads) / sizeof(heads[0])};
	const cJSON *terminal = NULL;

	if (cJSON_GetArraySize(terminals) == 0) {
		(void)fputs("no terminals; `bellhop run -- PROGRAM` starts one\n", out);
		return;
	}
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		bh_table_add(&table, "%s", heads[i]);
	}
	cJSON_ArrayForEach(terminal, terminals)
	{
		add_row(&table, terminal);
	}
	bh_table_print(&table, out);
}

/** What carries mail, and the newest proof that it does. */
static void wake_print_proof(FILE *out, const cJSON *wake)
{
	const char *by = bh_print_str(wake, "by", NULL);
	const cJSON *proof = cJSON_GetObjectItemCaseSensitive(wake, "last_proof");
	char age[16];

	if (by != NULL) {
		(void)fprintf(out, "by: %s (%s)\n", by,
		              bh_word_meaning(BH_WORDS_PATH, bh_word_find(BH_WORDS_PATH, by)));
	}
	if (cJSON_IsObject(proof)) {
		(void)fprintf(out, "last proof: %s, %s ago\n", bh_print_str(proof, "what", "?"),
		              bh_print_age(bh_print_num(proof, "age_ms", 0), age));
	}
}

void bh_terminal_view_wake(FILE *out, const char *name, const cJSON *wake)
{
	const char *tier = bh_print_str(wake, "tier", "NONE");
	const char *reason = bh_print_str(wake, "reason", NULL);
	const cJSON *conditions = cJSON_GetObjectItemCaseSensitive(wake, "conditions");
	const cJSON *condition = NULL;

	(void)fprintf(out, "wake: %s (%s)\n", tier,
	              bh_word_meaning(BH_WORDS_TIER, bh_word_find(BH_WORDS_TIER, tier)));
	cJSON_ArrayForEach(condition, conditions)
	{
		if (cJSON_IsString(condition)) {
			(void)fputs("condition: ", out);
			bh_print_text(out, condition->valuestring);
		}
	}
	wake_print_proof(out, wake);
	(void)fprintf(out, "now: %s", bh_print_str(wake, "now", "blocked"));
	if (reason != NULL && reason[0] != '\0') {
		struct bh_buf cause = {0};
		const char *text =
			bh_word_meaning(BH_WORDS_REASON, bh_word_find(BH_WORDS_REASON, reason));

		for (const char *at = text; *at != '\0'; at++) {
			if (strncmp(at, "{to}", 4) == 0) {
				bh_buf_puts(&cause, name);
				at += 3;
			} else {
				bh_buf_append(&cause, at, 1);
			}
		}
		(void)fprintf(out, " (%s: %s)", reason, cause.len == 0 ? "" : cause.data);
		bh_buf_clear(&cause);
	}
	(void)fputc('\n', out);
}

/** By what it is judged. An agent in a wrapper is only known when somebody says so. */
static void print_profile(FILE *out, const char *profile)
{
	(void)fprintf(out, "profile: %s%s\n", profile,
	              strcmp(profile, "generic") == 0
	                      ? " (never typed into; --profile tells that it is an agent)"
	                      : "");
}

void bh_terminal_view_born(FILE *out, const cJSON *terminal)
{
	const char *identity = bh_print_str(terminal, "identity", "?");
	const cJSON *wake = cJSON_GetObjectItemCaseSensitive(terminal, "wake");

	(void)fprintf(out, "identity: %s\n", identity);
	(void)fprintf(out, "terminal: %s\n", bh_print_str(terminal, "terminal_id", "?"));
	(void)fputs("program: ", out);
	bh_print_text(out, bh_print_str(terminal, "program", "?"));
	print_profile(out, bh_print_str(terminal, "profile", "?"));
	(void)fprintf(out, "size: %.0fx%.0f\n", bh_print_num(terminal, "cols", 0),
	              bh_print_num(terminal, "rows", 0));
	if (cJSON_IsObject(wake)) {
		bh_terminal_view_wake(out, identity, wake);
	}
}

/** Ask for the tier of a new terminal. That it cannot be told is no failure of its start. */
static void add_wake(struct bh_session *session, cJSON *terminal)
{
	struct bh_client_call call = {.method = "wake.can_wake",
	                              .params = cJSON_CreateObject(),
	                              .timeout_ms = BH_CLIENT_CALL_MS,
	                              .is_repeatable = true};
	cJSON *wake = NULL;

	(void)cJSON_AddStringToObject(call.params, "name", bh_print_str(terminal, "identity", ""));
	if (bh_client_do(session->client, &call, &wake, NULL) == 0) {
		(void)cJSON_AddItemToObject(terminal, "wake", wake);
	}
}

int bh_terminal_view_start(const struct bh_cmd *cmd, const struct bh_request *request,
                           cJSON **terminal_out)
{
	struct bh_session session = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	if (bh_session_open(cmd, BH_SESSION_START, &session, &err) != 0) {
		cJSON_Delete(request->params);
		status = bh_print_no_server(cmd, &err);
	} else {
		status = bh_session_call(cmd, &session, request, terminal_out);
		if (status == BH_EXIT_OK && !cJSON_HasObjectItem(*terminal_out, "wake")) {
			add_wake(&session, *terminal_out);
		}
	}
	bh_session_clear(&session);
	return status;
}
