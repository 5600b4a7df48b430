#include "src/agent/judge.h"
#include "src/base/buf.h"
#include "src/base/mem.h"
#include "src/base/words.h"
#include "src/server/asciicast.h"
#include "src/server/deliver.h"
#include "src/server/methods.h"
#include "src/server/screen_view.h"
#include "src/server/server.h"
#include "src/server/state_waits.h"
#include "src/server/target.h"

#include <stdlib.h>
#include <string.h>

// Most rows of scrollback in one answer.
#define ROWS_MAX 20000
// Longest wait for a state: a day (ms).
#define WAIT_MAX_MS (24LL * 3600 * 1000)

// ---- screen ----

static void result_add_place(cJSON *result, const struct bh_terminal *terminal)
{
	const struct bh_screen *screen = terminal->screen;
	struct bh_cursor cursor = bh_screen_cursor(screen);
	cJSON *place = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "terminal_id", terminal->id_text);
	cJSON_AddStringToObject(result, "identity", terminal->identity);
	cJSON_AddNumberToObject(result, "cols", bh_screen_cols(screen));
	cJSON_AddNumberToObject(result, "rows", bh_screen_rows(screen));
	cJSON_AddNumberToObject(place, "row", cursor.row);
	cJSON_AddNumberToObject(place, "col", cursor.col);
	cJSON_AddBoolToObject(place, "visible", cursor.is_visible);
	cJSON_AddItemToObject(result, "cursor", place);
	cJSON_AddStringToObject(result, "title", bh_screen_title(screen));
	cJSON_AddBoolToObject(result, "alt_screen",
	                      bh_screen_mode(screen, BH_SCREEN_MODE_ALT_SCREEN));
}

static void result_add_text(cJSON *result, const char *name, const struct bh_screen *screen,
                            size_t history, char *shown)
{
	struct bh_buf text = {0};

	(void)bh_screen_view_history(screen, history, &text); // the count is not asked for
	bh_buf_puts(&text, shown);
	cJSON_AddStringToObject(result, name, text.data != NULL ? text.data : "");
	bh_buf_clear(&text);
	free(shown);
}

void bh_method_terminal_screen(struct bh_request *request)
{
	const char *format = NULL;
	int64_t history = 0;

	if (!bh_request_optional_string(request, "format", &format) ||
	    !bh_request_number(request, "history", 0, 0, ROWS_MAX, &history)) {
		return;
	}
	format = format != NULL ? format : "text";
	struct bh_terminal *terminal = bh_target_find_shown(request);

	if (terminal == NULL) {
		return;
	}
	cJSON *result = cJSON_CreateObject();
	size_t len = 0;

	result_add_place(result, terminal);
	if (strcmp(format, "text") == 0) {
		result_add_text(result, "text", terminal->screen, (size_t)history,
		                bh_screen_text(terminal->screen, &len));
	} else if (strcmp(format, "ansi") == 0) {
		result_add_text(result, "ansi", terminal->screen, (size_t)history,
		                bh_screen_ansi(terminal->screen, &len));
	} else if (strcmp(format, "json") == 0) {
		cJSON *lines = bh_screen_view_lines(terminal->screen);

		if (lines == NULL) {
			cJSON_Delete(result);
			bh_request_fail(request, "limit",
			                "the screen changes its looks more than %d times; ask for "
			                "ansi or text",
			                BH_SCREEN_VIEW_RUNS_MAX);
			return;
		}
		cJSON_AddItemToObject(result, "lines", lines);
	} else {
		cJSON_Delete(result);
		bh_request_fail(request, "params", "format is text, ansi or json");
		return;
	}
	bh_request_answer(request, result);
}

// The start of the last @lines lines of @text, each of which ends with a newline.
static const char *text_tail(const struct bh_buf *text, int64_t lines)
{
	size_t at = text->len;

	for (int64_t i = 0; i < lines && at > 0; i++) {
		const char *end = memrchr(text->data, '\n', at - 1);

		at = end != NULL ? (size_t)(end - text->data) + 1 : 0;
	}
	return text->data + at;
}

void bh_method_terminal_log(struct bh_request *request)
{
	int64_t lines = 0;
	size_t len = 0;

	if (!bh_request_number(request, "lines", 200, 1, ROWS_MAX, &lines)) {
		return;
	}
	struct bh_terminal *terminal = bh_target_find_shown(request);

	if (terminal == NULL) {
		return;
	}
	struct bh_buf text = {0};
	char *shown = bh_screen_text(terminal->screen, &len);

	(void)bh_screen_view_history(terminal->screen, (size_t)lines,
	                             &text); // cut below, with what is on the screen
	bh_buf_append(&text, shown, len);
	free(shown);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "terminal_id", terminal->id_text);
	cJSON_AddStringToObject(result, "text", text.len > 0 ? text_tail(&text, lines) : "");
	bh_buf_clear(&text);
	bh_request_answer(request, result);
}

void bh_method_terminal_capture(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find_shown(request);
	struct bh_buf cast = {0};

	if (terminal == NULL) {
		return;
	}
	if (terminal->tape == NULL && terminal->phase == BH_TERMINAL_EXITED) {
		bh_request_fail(request, "exited",
		                "%s ended under an earlier server, which kept what it showed last "
		                "(`bellhop log %s`) but no tape",
		                terminal->identity, terminal->identity);
		return;
	}
	if (terminal->tape == NULL || terminal->phase == BH_TERMINAL_REPLAYING) {
		bh_request_fail(request, "busy", "the tape of %s cannot be read now",
		                terminal->identity);
		return;
	}
	bh_asciicast_write(terminal, &cast);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "terminal_id", terminal->id_text);
	cJSON_AddStringToObject(result, "cast", cast.data != NULL ? cast.data : "");
	bh_buf_clear(&cast);
	bh_request_answer(request, result);
}

// ---- state ----

// A line more for people.
static void explain_say(cJSON *result, const char *line)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, "text"));
	char *longer = bh_xasprintf("%s  %s\n", text == NULL ? "" : text, line);

	(void)cJSON_ReplaceItemInObjectCaseSensitive(result, "text", cJSON_CreateString(longer));
	free(longer);
}

// There is no screen to judge: the reader is not to take the blank one for it.
static void explain_loss(cJSON *result)
{
	static const char words[] = "it ended under an earlier server; what it showed is not kept";

	cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(result, "missing"),
	                     cJSON_CreateString(words));
	explain_say(result, words);
}

// The agent would take mail, but mail has gates of its own: not to be disturbed, typing switched off.
static void explain_add_mail(cJSON *result, const struct bh_terminal *terminal)
{
	enum bh_reason reason =
		bh_deliver_can_wake(terminal->server->deliver, terminal->identity).blocked;
	bool is_typable = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(result, "typable"));

	if (!is_typable || reason == BH_REASON_NONE) {
		cJSON_AddNullToObject(result, "mail_reason");
		return;
	}
	cJSON_AddStringToObject(result, "mail_reason", bh_word(BH_WORDS_REASON, (int)reason));
	char *line = bh_xasprintf("mail waits all the same: %s; see `bellhop can-wake %s`",
	                          bh_word(BH_WORDS_REASON, (int)reason), terminal->identity);

	explain_say(result, line);
	free(line);
}

// Which session it is. A resumed one that rests may have been cut in the middle of its work. That it worked is
// no turn: Codex does for a moment when it starts, on its own tools.
static void explain_add_session(cJSON *result, const struct bh_terminal *terminal)
{
	struct bh_judge_past past = bh_judge_past(terminal->judge);
	bool is_untold = terminal->session.is_resumed && past.turn_ms == 0 && past.hook_ms == 0;

	cJSON_AddStringToObject(result, "session_record",
	                        terminal->session.record != NULL ? terminal->session.record : "");
	cJSON_AddBoolToObject(result, "resumed", is_untold);
	if (is_untold) {
		explain_say(result, "resumed: it goes on with its session only when it is told to");
	}
}

void bh_method_terminal_explain(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal == NULL) {
		return;
	}
	if (terminal->screen == NULL) {
		bh_request_fail(request, "busy", "%s is being started; try again",
		                terminal->identity);
		return;
	}
	(void)bh_terminal_evaluate(terminal); // so that the explanation is of now
	cJSON *result = bh_judge_explain(terminal->judge, terminal->screen,
	                                 bh_server_now_ms(terminal->server));

	cJSON_AddStringToObject(result, "terminal_id", terminal->id_text);
	cJSON_AddStringToObject(result, "identity", terminal->identity);
	if (terminal->is_screen_lost) {
		explain_loss(result);
	}
	explain_add_session(result, terminal);
	explain_add_mail(result, terminal);
	bh_request_answer(request, result);
}

// One state word into bits; "idle" is also met by completed. 0 when there is no such state.
static unsigned state_bits(const char *word)
{
	enum bh_state state;

	if (!bh_state_parse(word, &state)) {
		return 0;
	}
	return 1U << state | (state == BH_STATE_IDLE ? 1U << BH_STATE_COMPLETED : 0);
}

// The states that are waited for; 0: the request was failed.
static unsigned states_read(struct bh_request *request)
{
	const cJSON *param = cJSON_GetObjectItemCaseSensitive(bh_request_params(request), "state");
	bool is_good = cJSON_IsArray(param) && cJSON_GetArraySize(param) > 0;
	unsigned states = 0;
	const cJSON *item = NULL;

	if (cJSON_IsString(param)) {
		states = state_bits(param->valuestring);
		is_good = states != 0;
	}
	if (cJSON_IsArray(param)) {
		cJSON_ArrayForEach(item, param)
		{
			unsigned bits = cJSON_IsString(item) ? state_bits(item->valuestring) : 0;

			is_good = is_good && bits != 0;
			states |= bits;
		}
	}
	if (!is_good) {
		bh_request_fail(request, "params",
		                "state is one of starting, idle, working, awaiting, completed, "
		                "exited, unknown, or a list of them");
		return 0;
	}
	return states;
}

void bh_method_terminal_wait_state(struct bh_request *request)
{
	int64_t timeout_ms = 0;

	if (!bh_request_wait(request, "timeout_ms", 0, WAIT_MAX_MS, &timeout_ms)) {
		return;
	}
	unsigned states = states_read(request);
	struct bh_terminal *terminal = states != 0 ? bh_target_find(request) : NULL;

	if (terminal != NULL) {
		bh_state_wait(terminal, request, states, (uint64_t)timeout_ms);
	}
}
