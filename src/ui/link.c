#include "src/ui/link.h"

#include "src/base/frame.h"
#include "src/base/json.h"
#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Time limit of the first two calls (ms). */
#define CALL_MS 10000
/** Ids of our own requests, apart from those of the client's calls. */
#define REQUEST_FIRST 1000000
/** Longest payload of an INPUT frame (bytes); the server takes 64 KiB. */
#define KEYS_MAX (32 * 1024)

/** A request without an answer yet. */
struct pending {
	int id;
	char *method;
	cJSON *params;
};

struct bh_link {
	const struct bh_client_settings *settings;
	struct bh_client *client;
	int last_id;
	struct pending pending[BH_LINK_PENDING_MAX];
	size_t pending_count;
	/** What the last event borrows from. */
	cJSON *line;
	struct pending answered;
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
}

void bh_link_free(struct bh_link *link)
{
	if (link != NULL) {
		bh_link_close(link);
		free(link);
	}
}

/** The two calls that begin it. Attached first: after the subscription nothing may be missed. */
static int begin(struct bh_link *link, struct bh_link_place place, cJSON **state_out,
                 struct bh_err *err)
{
	struct bh_client_call attach = {
		.method = "ui.attach", .params = cJSON_CreateObject(), .timeout_ms = CALL_MS};
	struct bh_client_call subscribe = {.method = "events.subscribe", .timeout_ms = CALL_MS};
	cJSON *result = NULL;
	int rc = 0;

	(void)cJSON_AddNumberToObject(attach.params, "cols", place.cols);
	(void)cJSON_AddNumberToObject(attach.params, "rows", place.rows);
	(void)cJSON_AddBoolToObject(attach.params, "observe", place.is_observing);
	rc = bh_client_do(link->client, &attach, &result, err);
	cJSON_Delete(result);
	return rc == 0 ? bh_client_do(link->client, &subscribe, state_out, err) : rc;
}

int bh_link_connect(struct bh_link *link, long connect_ms, struct bh_link_place place,
                    cJSON **state_out, struct bh_err *err)
{
	struct bh_client_settings settings = *link->settings;
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
	rc = rc == 0 ? begin(link, place, state_out, err) : rc;
	if (rc != 0) {
		bh_link_close(link);
	}
	return rc;
}

bool bh_link_is_open(const struct bh_link *link)
{
	return link->client != NULL;
}

int bh_link_fd(const struct bh_link *link)
{
	return link->client == NULL ? -1 : bh_conn_fd(bh_client_conn(link->client));
}

bool bh_link_wants_write(const struct bh_link *link)
{
	return link->client != NULL && bh_conn_wants_write(bh_client_conn(link->client));
}

bool bh_link_request(struct bh_link *link, const char *method, cJSON *params)
{
	struct pending *pending = NULL;
	char *line = NULL;

	if (link->client == NULL || link->pending_count == BH_LINK_PENDING_MAX) {
		cJSON_Delete(params);
		return false;
	}
	pending = &link->pending[link->pending_count++];
	*pending = (struct pending){.id = ++link->last_id,
	                            .method = bh_xstrdup(method),
	                            .params = cJSON_Duplicate(params, true)};
	line = bh_client_request(link->client, pending->id, method, params);
	bh_conn_put_line(bh_client_conn(link->client), bh_span_of(line));
	free(line);
	return true;
}

void bh_link_keys(struct bh_link *link, uint16_t stream, struct bh_span bytes)
{
	while (link->client != NULL && bytes.len > 0) {
		size_t len = bytes.len < KEYS_MAX ? bytes.len : KEYS_MAX;

		bh_conn_put_frame(bh_client_conn(link->client), BH_FRAME_INPUT, stream, bytes.data,
		                  len);
		bytes.data += len;
		bytes.len -= len;
	}
}

int bh_link_pump(struct bh_link *link)
{
	struct bh_conn *conn = NULL;
	int rc = 0;

	if (link->client == NULL) {
		return BH_ECLOSED;
	}
	conn = bh_client_conn(link->client);
	rc = bh_conn_write(conn);
	// What the server said before it closed is read even when it takes nothing any more.
	return rc == 0 || rc == BH_ECLOSED ? bh_conn_read(conn) : rc;
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
