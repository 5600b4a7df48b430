#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/base/uuid.h"
#include "src/server/key_marks.h"
#include "src/server/methods.h"
#include "src/server/rpc_server.h"
#include "src/server/server.h"
#include "src/server/streams.h"
#include "src/server/target.h"
#include "src/server/terminal_view.h"
#include "term/keys.h"
#include "term/strip.h"

#include <stdlib.h>
#include <string.h>

// Most keys of one request.
#define KEYS_MAX 4096

// Write a person's bytes and answer.
static void keys_write(struct bh_request *request, struct bh_terminal *terminal,
                       struct bh_span bytes)
{
	bool is_held = terminal->is_held;
	int code = bh_terminal_write(terminal, bytes.data, bytes.len, BH_WRITER_PERSON);

	if (code == BH_EBUSY) {
		bh_request_fail(request, "busy",
		                "%s does not read its input; nothing was written, try again later",
		                terminal->identity);
	} else if (code != 0) {
		bh_request_fail(request, "exited", "the program of %s has ended",
		                terminal->identity);
	} else {
		cJSON *result = cJSON_CreateObject();

		cJSON_AddNumberToObject(result, "written", (double)bytes.len);
		cJSON_AddBoolToObject(result, "held", is_held);
		bh_request_answer(request, result);
	}
}

// As a keyboard sends it: Enter is a carriage return.
static char *text_as_keys(const char *text, size_t *len_out)
{
	char *keys = bh_xstrdup(text);

	for (char *at = strchr(keys, '\n'); at != NULL; at = strchr(at, '\n')) {
		*at = '\r';
	}
	*len_out = strlen(keys);
	return keys;
}

static char *text_as_paste(const struct bh_terminal *terminal, const char *text, size_t *len_out)
{
	size_t safe_len = 0;
	char *safe = bh_strip_message(text, strlen(text), &safe_len);
	char *paste = bh_keys_paste(terminal->screen, safe, safe_len, len_out);

	free(safe);
	return paste;
}

void bh_method_terminal_type(struct bh_request *request)
{
	const char *text = bh_request_string(request, "text");
	bool is_paste = false;
	size_t len = 0;

	if (text == NULL || !bh_request_flag(request, "paste", &is_paste)) {
		return;
	}
	struct bh_terminal *terminal = bh_target_find_alive(request);

	if (terminal == NULL || !bh_target_may_type(request, terminal)) {
		return;
	}
	char *bytes = is_paste ? text_as_paste(terminal, text, &len) : text_as_keys(text, &len);

	keys_write(request, terminal, (struct bh_span){bytes, len});
	free(bytes);
}

void bh_method_terminal_keys(struct bh_request *request)
{
	const char **keys = NULL;
	struct bh_err err = {0};
	struct bh_buf bytes = {0};
	const char *unknown = NULL;

	if (bh_json_get_strv(bh_request_params(request), "keys", KEYS_MAX, &keys, &err) != 0) {
		bh_request_fail(request, "params", "%s", err.text);
		return;
	}
	struct bh_terminal *terminal = bh_target_find_alive(request);

	if (terminal != NULL && !bh_target_may_type(request, terminal)) {
		terminal = NULL;
	}
	for (size_t i = 0; terminal != NULL && keys[i] != NULL && unknown == NULL; i++) {
		char key[BH_KEYS_MAX];
		size_t len = bh_keys_encode(terminal->screen, keys[i], key, sizeof key);

		unknown = len == 0 ? keys[i] : NULL;
		bh_buf_append(&bytes, key, len);
	}
	if (unknown != NULL) {
		bh_request_fail(request, "invalid",
		                "there is no key %.32s; keys are single characters or names as "
		                "Enter, Up, C-c, S-Tab; nothing was written",
		                unknown);
	} else if (terminal != NULL) {
		keys_write(request, terminal, (struct bh_span){bytes.data, bytes.len});
	}
	bh_buf_clear(&bytes);
	free(keys);
}

void bh_method_terminal_resize(struct bh_request *request)
{
	int64_t cols = 0;
	int64_t rows = 0;

	if (!bh_request_number(request, "cols", 0, BH_LIMIT_SCREEN_MIN, BH_LIMIT_SCREEN_MAX,
	                       &cols) ||
	    !bh_request_number(request, "rows", 0, BH_LIMIT_SCREEN_MIN, BH_LIMIT_SCREEN_MAX,
	                       &rows)) {
		return;
	}
	if (cols == 0 || rows == 0) {
		bh_request_fail(request, "params", "cols and rows are needed");
		return;
	}
	struct bh_terminal *terminal = bh_target_find_alive(request);

	if (terminal == NULL) {
		return;
	}
	bool is_pending = bh_terminal_resize(terminal, (int)cols, (int)rows);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddNumberToObject(result, "cols", (double)cols);
	cJSON_AddNumberToObject(result, "rows", (double)rows);
	cJSON_AddBoolToObject(result, "pending", is_pending);
	bh_request_answer(request, result);
}

// ---- attached clients ----

// The token is a UUID; half as long is still nobody else's.
static bool attach_read_token(struct bh_request *request, struct bh_stream_settings *settings)
{
	const char *text = NULL;
	struct bh_uuid uuid;
	uint64_t halves[2];

	if (!bh_request_optional_string(request, "input_token", &text)) {
		return false;
	}
	if (text != NULL && !bh_uuid_parse(text, &uuid)) {
		bh_request_fail(request, "params", "input_token: not a UUID");
		return false;
	}
	if (text != NULL) {
		memcpy(halves, uuid.bytes, sizeof halves);
		settings->token = halves[0] ^ halves[1];
	}
	return true;
}

static bool attach_read(struct bh_request *request, struct bh_stream_settings *settings)
{
	int64_t cols = 0;
	int64_t rows = 0;

	if (!bh_request_flag(request, "observe", &settings->is_observer) ||
	    !bh_request_flag(request, "newest", &settings->is_newest) ||
	    !bh_request_number(request, "cols", 0, 0, BH_LIMIT_SCREEN_MAX, &cols) ||
	    !bh_request_number(request, "rows", 0, 0, BH_LIMIT_SCREEN_MAX, &rows)) {
		return false;
	}
	if (cJSON_HasObjectItem(bh_request_params(request), "resize")) {
		bool is_sizing = true;

		if (!bh_request_flag(request, "resize", &is_sizing)) {
			return false;
		}
		settings->is_sizeless = !is_sizing;
	}
	if (!attach_read_token(request, settings)) {
		return false;
	}
	settings->cols = settings->is_sizeless ? 0 : (int)cols;
	settings->rows = settings->is_sizeless ? 0 : (int)rows;
	if (bh_request_caller(request)->kind != BH_CALLER_OPERATOR && !settings->is_observer) {
		bh_request_fail(
			request, "operator_only",
			"only the operator may type into a terminal; `bellhop attach --observe` "
			"shows it without a keyboard");
		return false;
	}
	return true;
}

void bh_method_terminal_attach(struct bh_request *request)
{
	struct bh_stream_settings settings = {0};

	if (!attach_read(request, &settings)) {
		return;
	}
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal == NULL) {
		return;
	}

	bool is_over = terminal->phase == BH_TERMINAL_EXITED;
	bool is_running = terminal->phase == BH_TERMINAL_RUNNING;
	bool is_ending = terminal->phase == BH_TERMINAL_DRAINING; // its end is told in a moment

	if ((!is_running && !is_over && !is_ending) || terminal->screen == NULL) {
		bh_request_fail(request, "busy", "the screen of %s is being restored; try again",
		                terminal->identity);
		return;
	}
	if (terminal->is_screen_lost) {
		bh_target_fail_lost(request, terminal);
		return;
	}
	if (is_running && !settings.is_observer && settings.cols > 0 && settings.rows > 0) {
		(void)bh_terminal_resize(terminal, settings.cols,
		                         settings.rows); // may wait for the end of a typing
	}
	uint64_t taken = 0;
	bool is_known = !settings.is_observer &&
	                bh_key_marks_open(terminal->key_marks, settings.token, &taken);
	struct bh_stream *stream = bh_stream_open(terminal, request, &settings);

	if (stream == NULL) {
		bh_request_fail(request, "limit", "a connection has at most %d streams",
		                BH_RPC_STREAMS_MAX);
		return;
	}
	cJSON *result = cJSON_CreateObject();

	cJSON_AddNumberToObject(result, "stream", bh_stream_number(stream));
	cJSON_AddItemToObject(result, "terminal", bh_terminal_view(terminal));
	if (is_known) {
		cJSON_AddNumberToObject(result, "input_taken", (double)taken);
	}
	bh_request_answer(request, result);
	bh_stream_begin(stream);
	if (is_over) { // who comes too late sees the same end as who was there
		bh_streams_exit(terminal, terminal->exit_status);
	}
}

void bh_method_terminal_detach(struct bh_request *request)
{
	int64_t number = 0;

	if (!bh_request_number(request, "stream", 0, 1, BH_RPC_STREAMS_MAX, &number)) {
		return;
	}
	struct bh_stream **slot =
		number > 0 ? bh_rpc_stream_slot(request, (size_t)number - 1) : NULL;

	if (slot == NULL || *slot == NULL) {
		bh_request_fail(request, "not_found", "this connection has no such stream");
		return;
	}
	bh_stream_close(*slot);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddBoolToObject(result, "detached", true);
	bh_request_answer(request, result);
}
