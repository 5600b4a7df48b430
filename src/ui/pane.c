#include "src/ui/pane.h"

#include "src/base/clock.h"
#include "src/base/frame.h"
#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/base/uuid.h"
#include "src/base/words.h"
#include "src/client/conn.h"
#include "src/ui/feed.h"
#include "src/ui/typed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Time limit of the attach call (ms). */
#define ATTACH_MS 10000
/** Its id, and those of the requests for the state. */
#define ATTACH_ID 1
#define REQUEST_FIRST 1000000
/** Longest payload of an INPUT frame (bytes); the server takes 64 KiB. */
#define KEYS_MAX (32 * 1024)

struct bh_pane {
	struct bh_pane_settings settings;
	struct bh_client *client;
	/** The attach was asked for, with this size, and may take so long. */
	bool is_attaching;
	int asked_cols, asked_rows;
	uint64_t attach_until_ms;
	/** The stream of the attach. */
	uint16_t stream;
	struct bh_feed feed;
	/** What was typed into it, and by what the server knows us. */
	struct bh_typed typed;
	char token[BH_UUID_TEXT];
	/** What the server says. */
	char identity[80];
	char terminal_id[40];
	char state[16];
	/** Id of the request that waits for another state. */
	int state_request;
};

struct bh_pane *bh_pane_new(const struct bh_pane_settings *settings)
{
	struct bh_pane *pane = bh_xmalloc(sizeof(*pane));
	struct bh_uuid token = bh_uuid_new();

	pane->settings = *settings;
	(void)bh_uuid_format(&token, pane->token);
	pane->state_request = REQUEST_FIRST;
	(void)snprintf(pane->identity, sizeof(pane->identity), "%s", settings->name);
	return pane;
}

void bh_pane_free(struct bh_pane *pane)
{
	if (pane == NULL) {
		return;
	}
	bh_client_close(pane->client);
	bh_feed_clear(&pane->feed);
	bh_typed_clear(&pane->typed);
	free(pane);
}

/** Copy a string field; what is there stays when the field is not. */
static void copy_field(const cJSON *object, const char *key, char *out, size_t size)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (cJSON_IsString(item)) {
		(void)snprintf(out, size, "%s", item->valuestring);
	}
}

/**
 * Ask to be told when the state is another than the one we know: a request that the server answers
 * then. So the line is right at once, and nothing is polled.
 */
static void ask_for_state(struct bh_pane *pane)
{
	cJSON *params = cJSON_CreateObject();
	cJSON *states = cJSON_AddArrayToObject(params, "state");
	char *line = NULL;

	for (int i = 0; i < bh_word_count(BH_WORDS_STATE); i++) {
		const char *word = bh_word(BH_WORDS_STATE, i);

		// To the server idle includes completed: who is completed cannot wait for idle.
		if (strcmp(word, pane->state) != 0 &&
		    !(strcmp(word, "idle") == 0 && strcmp(pane->state, "completed") == 0)) {
			(void)cJSON_AddItemToArray(states, cJSON_CreateString(word));
		}
	}
	(void)cJSON_AddStringToObject(params, "name", pane->terminal_id);
	(void)cJSON_AddNumberToObject(params, "timeout_ms", 0);
	line = bh_client_request(pane->client, ++pane->state_request, "terminal.wait_state",
	                         params);
	bh_conn_put_line(bh_client_conn(pane->client), bh_span_of(line));
	free(line);
}

/** Put keys on the open stream. */
static void send_keys(struct bh_pane *pane, struct bh_span bytes)
{
	while (bytes.len > 0) {
		size_t piece = bytes.len < KEYS_MAX ? bytes.len : KEYS_MAX;

		bh_conn_put_frame(bh_client_conn(pane->client), BH_FRAME_INPUT, pane->stream,
		                  bytes.data, piece);
		bytes.data += piece;
		bytes.len -= piece;
	}
}

/** Take the answer of the attach call. */
static int take_attached(struct bh_pane *pane, const cJSON *result, struct bh_err *err)
{
	const cJSON *terminal = cJSON_GetObjectItemCaseSensitive(result, "terminal");
	int64_t stream = 0;
	int rc = bh_json_get_int(result, "stream", 0, UINT16_MAX, &stream, err);

	if (rc != 0) {
		return rc;
	}
	pane->stream = (uint16_t)stream;
	send_keys(pane, bh_typed_resume(&pane->typed, result));
	copy_field(terminal, "identity", pane->identity, sizeof(pane->identity));
	copy_field(terminal, "terminal_id", pane->terminal_id, sizeof(pane->terminal_id));
	copy_field(terminal, "state", pane->state, sizeof(pane->state));
	pane->feed.note[0] = '\0';
	pane->feed.has_news = true;
	ask_for_state(pane);
	return 0;
}

static void pane_disconnect(struct bh_pane *pane)
{
	bh_client_close(pane->client);
	pane->client = NULL;
	pane->is_attaching = false;
	pane->feed.has_news = true;
}

/** Ask for the attach on an open client. */
static void attach_ask(struct bh_pane *pane)
{
	cJSON *params = cJSON_CreateObject();
	// A terminal that was shown before is meant by its id: the name may be another's now.
	const char *name = pane->terminal_id[0] == '\0' ? pane->settings.name : pane->terminal_id;
	char *line = NULL;

	(void)cJSON_AddStringToObject(params, "name", name);
	(void)cJSON_AddBoolToObject(params, "newest", true);
	if (pane->settings.is_observing) {
		(void)cJSON_AddBoolToObject(params, "observe", true);
	} else {
		(void)cJSON_AddNumberToObject(params, "cols", pane->settings.cols);
		(void)cJSON_AddNumberToObject(params, "rows", pane->settings.rows);
		(void)cJSON_AddStringToObject(params, "input_token", pane->token);
	}
	line = bh_client_request(pane->client, ATTACH_ID, "terminal.attach", params);
	bh_conn_put_line(bh_client_conn(pane->client), bh_span_of(line));
	free(line);
	pane->is_attaching = true;
	pane->asked_cols = pane->settings.cols;
	pane->asked_rows = pane->settings.rows;
	pane->attach_until_ms = bh_clock_mono_ms() + ATTACH_MS;
}

/** Connect and ask. */
static int attach_begin(struct bh_pane *pane, long connect_ms, struct bh_err *err)
{
	struct bh_client_settings settings = *pane->settings.client;
	int rc = 0;

	pane_disconnect(pane);
	settings.connect_ms = connect_ms;
	settings.absent_ms = settings.absent_ms < connect_ms ? settings.absent_ms : connect_ms;
	rc = bh_client_open(&settings, &pane->client, err);
	if (rc == 0 && bh_client_is_spool(pane->client)) {
		rc = bh_err_set(err, BH_EUNSUPPORTED,
		                "a terminal cannot be shown from inside a sandbox that forbids "
		                "sockets; `bellhop screen` prints what it shows");
	}
	if (rc == 0) {
		attach_ask(pane);
	}
	return rc;
}

/** Take what came before the answer, and the answer. 0: attached; BH_PANE_UNDERWAY; else a code. */
static int attach_take(struct bh_pane *pane, const struct bh_conn_item *item, struct bh_err *err)
{
	cJSON *result = NULL;
	int rc = BH_PANE_UNDERWAY;

	if (item->kind == BH_CONN_LINE) {
		rc = bh_client_take_answer(pane->client, item->bytes, ATTACH_ID, &result, err);
	}
	if (rc == 0) {
		pane->is_attaching = false;
		rc = take_attached(pane, result, err);
		cJSON_Delete(result);
	}
	return rc;
}

/** What ended it before the answer. */
static int attach_fail(const struct bh_pane *pane, int code, struct bh_err *err)
{
	if (code == BH_ETIMEOUT) {
		return bh_client_report_silence(pane->client, ATTACH_MS, err);
	}
	return bh_err_set(err, code, "talk to the server: %s", bh_err_text(code));
}

int bh_pane_connect(struct bh_pane *pane, long connect_ms, struct bh_err *err)
{
	struct bh_conn_item item;
	int rc = attach_begin(pane, connect_ms, err);

	for (rc = rc == 0 ? BH_PANE_UNDERWAY : rc; rc == BH_PANE_UNDERWAY;) {
		int got = bh_conn_wait(bh_client_conn(pane->client), pane->attach_until_ms, &item);

		rc = got == 0 ? attach_take(pane, &item, err) : attach_fail(pane, got, err);
	}
	if (rc != 0) {
		pane_disconnect(pane);
	}
	return rc;
}

/** Write and read what can be. */
static int exchange(struct bh_conn *conn)
{
	int rc = bh_conn_write(conn);

	// What the server said before it closed is read even when it takes nothing any more.
	return rc == 0 || rc == BH_ECLOSED ? bh_conn_read(conn) : rc;
}

/** One step of an attach that is under way. */
static int attach_step(struct bh_pane *pane, struct bh_err *err)
{
	struct bh_conn *conn = bh_client_conn(pane->client);
	struct bh_conn_item item;
	int end = exchange(conn);
	int rc = BH_PANE_UNDERWAY;
	int got = 0;

	while (rc == BH_PANE_UNDERWAY && (got = bh_conn_next(conn, &item)) == 1) {
		rc = attach_take(pane, &item, err);
	}
	if (rc != BH_PANE_UNDERWAY) {
		return rc;
	}
	if (got < 0 || end != 0) {
		return attach_fail(pane, got < 0 ? got : end, err);
	}
	return bh_clock_mono_ms() < pane->attach_until_ms ? rc
	                                                  : attach_fail(pane, BH_ETIMEOUT, err);
}

int bh_pane_reconnect(struct bh_pane *pane, struct bh_err *err)
{
	int rc = pane->client == NULL ? attach_begin(pane, 0, err) : 0;

	rc = rc == 0 ? attach_step(pane, err) : rc;
	if (rc < 0) {
		pane_disconnect(pane);
	} else if (rc == 0 && (pane->asked_cols != pane->settings.cols ||
	                       pane->asked_rows != pane->settings.rows)) {
		bh_pane_resize(pane, pane->settings.cols, pane->settings.rows);
	}
	return rc;
}

bool bh_pane_is_connected(const struct bh_pane *pane)
{
	return pane->client != NULL && !pane->is_attaching;
}

int bh_pane_fd(const struct bh_pane *pane)
{
	return pane->client == NULL ? -1 : bh_conn_fd(bh_client_conn(pane->client));
}

bool bh_pane_wants_write(const struct bh_pane *pane)
{
	return pane->client != NULL && bh_conn_wants_write(bh_client_conn(pane->client));
}

/** The answer to ask_for_state(): note it, and ask for the next. */
static void take_line(struct bh_pane *pane, struct bh_span line)
{
	cJSON *answer = bh_json_parse_object(line.data, line.len, NULL);
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(answer, "id");
	const cJSON *result = cJSON_GetObjectItemCaseSensitive(answer, "result");

	if (cJSON_IsNumber(id) && id->valueint == pane->state_request && result != NULL) {
		char before[sizeof(pane->state)];

		memcpy(before, pane->state, sizeof(before));
		copy_field(result, "state", pane->state, sizeof(pane->state));
		pane->feed.has_news = true;
		// Asking again without a change would be asking for ever.
		if (strcmp(before, pane->state) != 0) {
			ask_for_state(pane);
		}
	}
	cJSON_Delete(answer);
}

/** Read, and take every item. */
static int pump(struct bh_pane *pane, uint64_t now_ms)
{
	struct bh_conn *conn = bh_client_conn(pane->client);
	struct bh_conn_item item;
	int rc = exchange(conn);
	int got = 0;

	while ((got = bh_conn_next(conn, &item)) == 1) {
		if (item.kind == BH_CONN_LINE) {
			take_line(pane, item.bytes);
		} else if (item.stream == pane->stream &&
		           bh_feed_take(&pane->feed, &item, now_ms) != 0) {
			return BH_EPROTOCOL;
		}
	}
	rc = got < 0 ? got : rc;
	return rc == 0 ? bh_conn_write(conn) : rc;
}

int bh_pane_pump(struct bh_pane *pane, uint64_t now_ms)
{
	int rc = pane->client == NULL ? BH_ECLOSED : pump(pane, now_ms);

	if (rc != 0) {
		pane_disconnect(pane);
	}
	return rc;
}

void bh_pane_keys(struct bh_pane *pane, struct bh_span bytes)
{
	bool is_connected = bh_pane_is_connected(pane);

	if (pane->settings.is_observing) {
		return;
	}
	bh_typed_add(&pane->typed, bytes, is_connected);
	if (is_connected) {
		send_keys(pane, bytes);
	}
}

void bh_pane_forget_keys(struct bh_pane *pane)
{
	bh_typed_forget(&pane->typed);
}

void bh_pane_resize(struct bh_pane *pane, int cols, int rows)
{
	uint8_t size[4] = {(uint8_t)cols, (uint8_t)(cols >> 8), (uint8_t)rows,
	                   (uint8_t)(rows >> 8)};

	pane->settings.cols = cols;
	pane->settings.rows = rows;
	if (bh_pane_is_connected(pane) && !pane->settings.is_observing) {
		bh_conn_put_frame(bh_client_conn(pane->client), BH_FRAME_RESIZE, pane->stream, size,
		                  sizeof(size));
	}
}

struct bh_screen *bh_pane_screen(struct bh_pane *pane)
{
	return pane->feed.screen;
}

bool bh_pane_take_news(struct bh_pane *pane)
{
	bool has_news = pane->feed.has_news;

	pane->feed.has_news = false;
	return has_news;
}

const char *bh_pane_identity(const struct bh_pane *pane)
{
	return pane->identity;
}

const char *bh_pane_terminal_id(const struct bh_pane *pane)
{
	return pane->terminal_id;
}

const char *bh_pane_state(const struct bh_pane *pane)
{
	return pane->state;
}

const char *bh_pane_note(const struct bh_pane *pane)
{
	return pane->feed.note;
}

struct bh_screen *bh_pane_take_aside(struct bh_pane *pane, uint32_t *changes_out)
{
	return bh_feed_take_aside(&pane->feed, changes_out);
}

bool bh_pane_is_over(const struct bh_pane *pane, int32_t *status_out)
{
	if (pane->feed.is_over && status_out != NULL) {
		*status_out = pane->feed.status;
	}
	return pane->feed.is_over;
}
