#include "src/ui/link.h"

#include "src/base/clock.h"
#include "src/base/frame.h"
#include "src/base/json.h"
#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Time limit of the two calls that begin it (ms). */
#define BEGIN_MS 10000
/** Id of the first of them; the second is the subscription. */
#define ATTACHING 1
/** Ids of our own requests, apart from those of the client's calls. */
#define REQUEST_FIRST 1000000
/** Longest payload of an INPUT frame (bytes); the server takes 64 KiB. */
#define KEYS_MAX (32 * 1024)

/** A request without an answer yet. */
struct pending {
	int id;
	unsigned asker;
	char *method;
	cJSON *params;
};

struct bh_link {
	const struct bh_client_settings *settings;
	struct bh_client *client;
	/** While it begins: the id of the call under way, how long it may take, what was told. */
	int beginning;
	uint64_t begin_until_ms;
	struct bh_link_place place;
	int last_id;
	struct pending pending[BH_LINK_PENDING_MAX];
	size_t pending_count;
	/** What the last event borrows from. */
	cJSON *line;
	struct pending answered;
	/** Our number among the session's UIs, 0: not known. */
	int number;
};

struct bh_link *bh_link_new(const struct bh_client_settings *client)
{
	struct bh_link *link = bh_xmalloc(sizeof(*link));

	link->settings = client;
	link->last_id = REQUEST_FIRST;
	return link;
}

static void pending_clear(struct pending *pending)
{
	free(pending->method);
	cJSON_Delete(pending->params);
	*pending = (struct pending){0};
}

/** Let go of what the last event lent out. */
static void event_clear(struct bh_link *link)
{
	cJSON_Delete(link->line);
	link->line = NULL;
	pending_clear(&link->answered);
}

void bh_link_close(struct bh_link *link)
{
	event_clear(link);
	for (size_t i = 0; i < link->pending_count; i++) {
		pending_clear(&link->pending[i]);
	}
	link->pending_count = 0;
	bh_client_close(link->client);
	link->client = NULL;
	link->beginning = 0;
}

bool bh_link_give_up(struct bh_link *link, struct bh_link_event *event_out)
{
	event_clear(link);
	if (link->pending_count == 0) {
		return false;
	}
	link->answered = link->pending[--link->pending_count];
	*event_out = (struct bh_link_event){.kind = BH_LINK_REFUSAL,
	                                    .method = link->answered.method,
	                                    .params = link->answered.params,
	                                    .asker = link->answered.asker,
	                                    .word = "closed",
	                                    .message = "the server is gone; try again"};
	return true;
}

void bh_link_free(struct bh_link *link)
{
	if (link != NULL) {
		bh_link_close(link);
		free(link);
	}
}

/** Write and read what can be. */
static int link_pump(struct bh_link *link)
{
	struct bh_conn *conn = bh_client_conn(link->client);
	int rc = bh_conn_write(conn);

	// What the server said before it closed is read even when it takes nothing any more.
	return rc == 0 || rc == BH_ECLOSED ? bh_conn_read(conn) : rc;
}

/** Send the next of the two calls that begin it. */
static void begin_ask(struct bh_link *link, const char *method, cJSON *params)
{
	char *line = bh_client_request(link->client, ++link->beginning, method, params);

	bh_conn_put_line(bh_client_conn(link->client), bh_span_of(line));
	free(line);
}

/** Connect and begin. Attached first: after the subscription nothing may be missed. */
static int begin(struct bh_link *link, long connect_ms, struct bh_link_place place,
                 struct bh_err *err)
{
	struct bh_client_settings settings = *link->settings;
	cJSON *params = NULL;
	int rc = 0;

	bh_link_close(link);
	settings.connect_ms = connect_ms;
	settings.absent_ms = settings.absent_ms < connect_ms ? settings.absent_ms : connect_ms;
	rc = bh_client_open(&settings, &link->client, err);
	if (rc == 0 && bh_client_is_spool(link->client)) {
		rc = bh_err_set(err, BH_EUNSUPPORTED,
		                "the session cannot be shown from inside a sandbox that forbids "
		                "sockets; `bellhop screen NAME` prints what a terminal shows");
	}
	if (rc != 0) {
		return rc;
	}
	params = cJSON_CreateObject();
	(void)cJSON_AddNumberToObject(params, "cols", place.cols);
	(void)cJSON_AddNumberToObject(params, "rows", place.rows);
	(void)cJSON_AddBoolToObject(params, "observe", place.is_observing);
	link->place = place;
	link->begin_until_ms = bh_clock_mono_ms() + BEGIN_MS;
	begin_ask(link, "ui.attach", params);
	return 0;
}

/** Take what came while it begins. 0: it is open; BH_LINK_UNDERWAY; else a code. */
static int begin_take(struct bh_link *link, const struct bh_conn_item *item, cJSON **state_out,
                      struct bh_err *err)
{
	cJSON *result = NULL;
	int rc = BH_LINK_UNDERWAY;

	if (item->kind == BH_CONN_LINE) {
		rc = bh_client_take_answer(link->client, item->bytes, link->beginning, &result,
		                           err);
	}
	if (rc == 0 && link->beginning == ATTACHING) {
		const cJSON *number = cJSON_GetObjectItemCaseSensitive(result, "client");

		link->number = cJSON_IsNumber(number) ? number->valueint : 0;
		cJSON_Delete(result);
		begin_ask(link, "events.subscribe", NULL);
		return BH_LINK_UNDERWAY;
	}
	if (rc == 0) {
		link->beginning = 0;
		*state_out = result;
	}
	return rc;
}

/** What ended it before it was open. */
static int begin_fail(struct bh_link *link, int code, struct bh_err *err)
{
	if (code == BH_ETIMEOUT) {
		(void)bh_client_report_silence(link->client, BEGIN_MS, err);
		bh_link_close(link);
		return code;
	}
	bh_link_close(link);
	return bh_err_set(err, code, "talk to the server: %s", bh_err_text(code));
}

int bh_link_connect(struct bh_link *link, long connect_ms, struct bh_link_place place,
                    cJSON **state_out, struct bh_err *err)
{
	struct bh_conn_item item;
	int rc = begin(link, connect_ms, place, err);

	for (rc = rc == 0 ? BH_LINK_UNDERWAY : rc; rc == BH_LINK_UNDERWAY;) {
		int got = bh_conn_wait(bh_client_conn(link->client), link->begin_until_ms, &item);

		if (got != 0) {
			return begin_fail(link, got, err);
		}
		rc = begin_take(link, &item, state_out, err);
	}
	if (rc != 0) {
		bh_link_close(link);
	}
	return rc;
}

/** One step of what is under way. */
static int begin_step(struct bh_link *link, cJSON **state_out, struct bh_err *err)
{
	struct bh_conn *conn = bh_client_conn(link->client);
	struct bh_conn_item item;
	int end = link_pump(link);
	int rc = BH_LINK_UNDERWAY;
	int got = 0;

	while (rc == BH_LINK_UNDERWAY && (got = bh_conn_next(conn, &item)) == 1) {
		rc = begin_take(link, &item, state_out, err);
	}
	if (rc != BH_LINK_UNDERWAY) {
		return rc;
	}
	end = end == 0 ? bh_conn_write(conn) : end;
	if (got < 0 || end != 0) {
		return begin_fail(link, got < 0 ? got : end, err);
	}
	return bh_clock_mono_ms() < link->begin_until_ms ? rc : begin_fail(link, BH_ETIMEOUT, err);
}

int bh_link_reconnect(struct bh_link *link, struct bh_link_place place, cJSON **state_out,
                      struct bh_err *err)
{
	int rc = link->client == NULL ? begin(link, 0, place, err) : 0;

	rc = rc == 0 ? begin_step(link, state_out, err) : rc;
	if (rc < 0) {
		bh_link_close(link);
	}
	if (rc == 0 && (link->place.cols != place.cols || link->place.rows != place.rows)) {
		cJSON *params = cJSON_CreateObject();

		(void)cJSON_AddNumberToObject(params, "cols", place.cols);
		(void)cJSON_AddNumberToObject(params, "rows", place.rows);
		(void)bh_link_request(link, "ui.size", params); // there is room: it is the first
	}
	return rc;
}

int bh_link_number(const struct bh_link *link)
{
	return link->number;
}

bool bh_link_is_open(const struct bh_link *link)
{
	return link->client != NULL && link->beginning == 0;
}

int bh_link_fd(const struct bh_link *link)
{
	return link->client == NULL ? -1 : bh_conn_fd(bh_client_conn(link->client));
}

bool bh_link_wants_write(const struct bh_link *link)
{
	return link->client != NULL && bh_conn_wants_write(bh_client_conn(link->client));
}

bool bh_link_request_for(struct bh_link *link, unsigned asker, const char *method, cJSON *params)
{
	struct pending *pending = NULL;
	char *line = NULL;

	if (!bh_link_is_open(link) || link->pending_count == BH_LINK_PENDING_MAX) {
		cJSON_Delete(params);
		return false;
	}
	pending = &link->pending[link->pending_count++];
	*pending = (struct pending){.id = ++link->last_id,
	                            .asker = asker,
	                            .method = bh_xstrdup(method),
	                            .params = cJSON_Duplicate(params, true)};
	line = bh_client_request(link->client, pending->id, method, params);
	bh_conn_put_line(bh_client_conn(link->client), bh_span_of(line));
	free(line);
	return true;
}

bool bh_link_request(struct bh_link *link, const char *method, cJSON *params)
{
	return bh_link_request_for(link, 0, method, params);
}

void bh_link_keys(struct bh_link *link, uint16_t stream, struct bh_span bytes)
{
	while (bh_link_is_open(link) && bytes.len > 0) {
		size_t len = bytes.len < KEYS_MAX ? bytes.len : KEYS_MAX;

		bh_conn_put_frame(bh_client_conn(link->client), BH_FRAME_INPUT, stream, bytes.data,
		                  len);
		bytes.data += len;
		bytes.len -= len;
	}
}

int bh_link_pump(struct bh_link *link)
{
	return link->client == NULL ? BH_ECLOSED : link_pump(link);
}

int bh_link_flush(struct bh_link *link)
{
	return link->client == NULL ? BH_ECLOSED : bh_conn_write(bh_client_conn(link->client));
}

/** The request that @answer belongs to becomes link->answered. False when there is none. */
static bool find_pending(struct bh_link *link, const cJSON *answer)
{
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(answer, "id");

	for (size_t i = 0; cJSON_IsNumber(id) && i < link->pending_count; i++) {
		if (link->pending[i].id == id->valueint) {
			link->answered = link->pending[i];
			link->pending[i] = link->pending[--link->pending_count];
			return true;
		}
	}
	return false;
}

static const char *text_of(const cJSON *object, const char *key, const char *otherwise)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : otherwise;
}

/** Turn link->line into an event. False when it is none that concerns us. */
static bool read_line(struct bh_link *link, struct bh_link_event *event)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(link->line, "error");

	*event = (struct bh_link_event){0};
	event->method = text_of(link->line, "method", NULL);
	if (event->method != NULL) {
		event->kind = BH_LINK_NOTIFICATION;
		event->params = cJSON_GetObjectItemCaseSensitive(link->line, "params");
		return true;
	}
	if (!find_pending(link, link->line)) {
		return false;
	}
	event->method = link->answered.method;
	event->params = link->answered.params;
	event->asker = link->answered.asker;
	event->result = cJSON_GetObjectItemCaseSensitive(link->line, "result");
	event->kind = error == NULL ? BH_LINK_RESULT : BH_LINK_REFUSAL;
	event->word = text_of(cJSON_GetObjectItemCaseSensitive(error, "data"), "word", "");
	event->message = text_of(error, "message", "the server refused it without a reason");
	return true;
}

int bh_link_next(struct bh_link *link, struct bh_link_event *event_out)
{
	event_clear(link);
	while (link->client != NULL) {
		struct bh_conn_item item;
		int got = bh_conn_next(bh_client_conn(link->client), &item);

		if (got != 1) {
			return got;
		}
		if (item.kind == BH_CONN_FRAME) {
			*event_out = (struct bh_link_event){.kind = BH_LINK_FRAME, .frame = item};
			return 1;
		}
		event_clear(link);
		link->line = bh_json_parse_object(item.bytes.data, item.bytes.len, NULL);
		if (link->line == NULL) {
			return BH_EPROTOCOL;
		}
		if (read_line(link, event_out)) {
			return 1;
		}
	}
	return 0;
}
