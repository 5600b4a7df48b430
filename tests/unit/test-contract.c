// The numbers of doc/CONTRACT.md, and the example of an answer, are those of the program. What each one does is tested where it is
// used, by its name; so this is what keeps document and program from drifting apart.
#include "src/agent/drift.h"
#include "src/base/buf.h"
#include "src/base/config.h"
#include "src/base/limits.h"
#include "src/mail/mailbox.h"
#include "src/mail/message.h"
#include "src/server/deliver_channel.h"
#include "src/server/deliver_station.h"
#include "src/wake/budget.h"
#include "src/wake/compose.h"
#include "src/wake/decide.h"
#include "src/wake/outcome.h"
#include "src/wake/rate.h"
#include "src/wake/typist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

/** The document in one line: how its lines are broken says nothing. */
static void document_read(struct bh_buf *out)
{
	char *path = NULL;
	FILE *file;
	int byte;
	bool was_blank = false;

	assert_true(asprintf(&path, "%s/doc/CONTRACT.md", getenv("BELLHOP_TEST_SRCDIR")) > 0);
	file = fopen(path, "re");
	assert_non_null(file);
	while ((byte = fgetc(file)) != EOF) {
		bool is_blank = byte == ' ' || byte == '\n';
		char character = is_blank ? ' ' : (char)byte;

		if (!is_blank || !was_blank) {
			bh_buf_append(out, &character, 1);
		}
		was_blank = is_blank;
	}
	fclose(file);
	free(path);
}

/** The document must say this. */
__attribute__((format(printf, 2, 3))) static void says(const struct bh_buf *document,
                                                       const char *format, ...)
{
	char *text = NULL;
	va_list list;

	va_start(list, format);
	assert_true(vasprintf(&text, format, list) > 0);
	va_end(list);
	if (strstr(document->data, text) == NULL) {
		fail_msg("doc/CONTRACT.md does not say: %s", text);
	}
	free(text);
}

/** A small number as a word. */
static const char *word(int number)
{
	static const char *const words[] = {"no", "one", "two", "three", "four", "five"};

	assert_in_range(number, 0, 5);
	return words[number];
}

static void the_times_of_readers_are_told(void **state)
{
	struct bh_buf text = {0};

	(void)state;
	document_read(&text);
	says(&text, "hand-over has an outcome, at most %d s", BH_DELIVER_HOLD_MS / 1000);
	says(&text, "unconfirmed within %d s: next route", BH_DELIVER_WAITER_LEASE_MS / 1000);
	says(&text, "default %d s (agents' tools have limits)", BH_LIMIT_WAIT_MS / 1000);
	says(&text, "within the lease (%d s, or less", BH_CHANNEL_LEASE_MS / 1000);
	assert_int_equal(BH_CHANNEL_MISSES_MAX, 3);
	says(&text, "Three in a row close the channel");
	says(&text, "the channel acknowledged it within %d s", BH_CHANNEL_STEER_MS / 1000);
	says(&text, "after flush and confirmation (%d s)", BH_DELIVER_READ_LEASE_MS / 1000);
	bh_buf_clear(&text);
}

static void the_numbers_of_typing_are_told(void **state)
{
	struct bh_buf text = {0};

	(void)state;
	document_read(&text);
	says(&text, "at most %d KiB and %d lines together", BH_COMPOSE_BYTES_MAX / 1024,
	     BH_COMPOSE_LINES_MAX);
	says(&text, "`unknown_state` for more than %d s", BH_DECIDE_UNKNOWN_MS / 1000);
	says(&text, "(then only a CR is due, at most %s more)",
	     BH_TYPIST_RESENDS_MAX == 2 ? "twice" : "?");
	says(&text, "provably nowhere for %d s", BH_TYPIST_GONE_MS / 1000);
	assert_int_equal(BH_ITEM_TYPINGS_MAX, 2);
	says(&text, "at most one more attempt, ever");
	says(&text, "No message is pasted more than twice");
	says(&text, "a %d s sweep", BH_DELIVER_SWEEP_MS / 1000);
	bh_buf_clear(&text);
}

static void the_numbers_of_notices_and_guards_are_told(void **state)
{
	struct bh_buf text = {0};
	struct bh_config config;

	(void)state;
	document_read(&text);
	bh_config_init(&config);
	assert_int_equal(BH_BUDGET_RINGS_MAX, 2);
	says(&text, "the first ring plus **at most one** retry");
	says(&text, "idle has held %d s, or %d s after `unproved`", BH_BUDGET_RETRY_MS / 1000,
	     BH_BUDGET_RETRY_MS / 1000);
	says(&text, "%d min after the retry", BH_BUDGET_PARK_MS / 60000);
	says(&text, "(%d KiB, valid UTF-8", BH_LIMIT_BODY / 1024);
	says(&text, "%d waking messages a minute", BH_RATE_PAIR);
	assert_int_equal(BH_RATE_PAIR_MS, 60000);
	says(&text, "From %d hops on mail does not wake", BH_MESSAGE_HOPS_MAX);
	says(&text, "awaiting a person for %d min", config.child_awaiting_minutes);
	says(&text, "for %d s after a start of the server", BH_RATE_RESUME_FOR_MS / 1000);
	says(&text, "at most %s typings a second", word(BH_RATE_RESUME));
	assert_int_equal(BH_RATE_RESUME_MS, 1000);
	says(&text, "unknown for a %s of the time", BH_DRIFT_LIMIT_PERCENT == 10 ? "tenth" : "?");
	says(&text, "a start of more than a %s counts",
	     BH_DRIFT_START_MS == 60000 ? "minute" : "?");
	bh_config_clear(&config);
	bh_buf_clear(&text);
}

static void the_example_is_what_an_answer_looks_like(void **state)
{
	struct bh_outcome outcome = {.message_id = "0198…",
	                             .seq = 42,
	                             .to = "reviewer",
	                             .is_known = true,
	                             .state = "working",
	                             .terminal_id = "6f1c…"};
	struct bh_buf text = {0};
	const char *example;
	char *told;
	char *given;
	cJSON *json;

	(void)state;
	document_read(&text);
	example = strstr(text.data, "```json ");
	assert_non_null(example);
	json = cJSON_Parse(example + strlen("```json "));
	assert_non_null(json);
	told = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	bh_outcome_decide(&outcome, &(struct bh_decision){.path = BH_PATH_TERMINAL,
	                                                  .fate = BH_FATE_QUEUED,
	                                                  .reason = BH_REASON_WORKING,
	                                                  .seen = BH_PROSPECT_WHEN_FREE});
	json = bh_outcome_json(&outcome);
	given = cJSON_PrintUnformatted(json);
	assert_string_equal(told, given);
	cJSON_Delete(json);
	free(told);
	free(given);
	bh_buf_clear(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_is_what_an_answer_looks_like),
		cmocka_unit_test(the_times_of_readers_are_told),
		cmocka_unit_test(the_numbers_of_typing_are_told),
		cmocka_unit_test(the_numbers_of_notices_and_guards_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
