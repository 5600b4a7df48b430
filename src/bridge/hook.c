#include "src/bridge/hook.h"

#include "src/base/buf.h"
#include "src/base/clock.h"
#include "src/base/json.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Bytes asked for in one read. */
#define READ_SIZE (64 * 1024)

/** A payload larger than this loses its bulky fields (bytes as JSON). */
#define SEND_MAX (256 * 1024)

/** Fields that may be of any size and that nothing of ours looks at. */
static const char *const bulky_fields[] = {"tool_response", "tool_input", "last_assistant_message",
                                           "session_crons", "background_tasks"};

/** Read until the end of the file or the deadline. */
static int read_payload(int fd, uint64_t deadline_ms, struct bh_buf *out, struct bh_err *err)
{
	for (;;) {
		struct pollfd at = {.fd = fd, .events = POLLIN};
		uint64_t now_ms = bh_clock_mono_ms();

		if (now_ms >= deadline_ms || out->len > BH_HOOK_PAYLOAD_MAX) {
			return bh_err_set(err,
			                  out->len > BH_HOOK_PAYLOAD_MAX ? BH_ELIMIT : BH_ETIMEOUT,
			                  "read the payload: too long, or too late");
		}
		if (poll(&at, 1, (int)(deadline_ms - now_ms)) <= 0) {
			continue;
		}
		bh_buf_reserve(out, READ_SIZE);

		ssize_t n = read(fd, out->data + out->len, READ_SIZE);
		if (n == 0) {
			return 0;
		}
		if (n < 0 && errno != EINTR && errno != EAGAIN) {
			return bh_err_sys(err, errno, "read the payload");
		}
		if (n > 0) {
			out->len += (size_t)n;
			out->data[out->len] = '\0';
		}
	}
}

/** Take fields out until the payload is of a size that the server takes. */
static void slim_payload(cJSON *payload)
{
	for (size_t i = 0; i < sizeof(bulky_fields) / sizeof(bulky_fields[0]); i++) {
		char *text = bh_json_print(payload);
		size_t len = strlen(text);

		free(text);
		if (len <= SEND_MAX) {
			return;
		}
		cJSON_DeleteItemFromObjectCaseSensitive(payload, bulky_fields[i]);
	}
}

/** The call's parameters from hook and payload (taken); NULL when there is no event's name. */
static cJSON *make_params(const struct bh_hook *hook, cJSON *payload)
{
	const cJSON *named = cJSON_GetObjectItemCaseSensitive(payload, "hook_event_name");
	const char *event = hook->event;
	cJSON *params = NULL;

	if (event == NULL && cJSON_IsString(named)) {
		event = named->valuestring;
	}
	if (event == NULL) {
		cJSON_Delete(payload);
		return NULL;
	}
	params = cJSON_CreateObject();
	if (hook->agent != NULL) {
		(void)cJSON_AddStringToObject(params, "agent", hook->agent);
	}
	(void)cJSON_AddStringToObject(params, "event", event);
	(void)cJSON_AddItemToObject(params, "payload", payload);
	return params;
}

/** Time left until the deadline, at least a millisecond. */
static long left_ms(uint64_t deadline_ms)
{
	uint64_t now_ms = bh_clock_mono_ms();

	return now_ms >= deadline_ms ? 1 : (long)(deadline_ms - now_ms);
}

static int send_event(cJSON *params, const struct bh_client_settings *settings,
                      uint64_t deadline_ms, struct bh_err *err)
{
	struct bh_client_settings quick = *settings;
	struct bh_client_call call = {.method = "hook.event", .params = params};
	struct bh_client *client = NULL;
	cJSON *result = NULL;
	int rc = 0;

	quick.keeper_argv = NULL;
	quick.connect_ms = left_ms(deadline_ms) / 2;
	rc = bh_client_open(&quick, &client, err);
	if (rc != 0) {
		cJSON_Delete(params);
		return rc;
	}
	call.timeout_ms = left_ms(deadline_ms);
	rc = bh_client_do(client, &call, &result, err);
	cJSON_Delete(result);
	bh_client_close(client);
	return rc;
}

int bh_hook_send(const struct bh_hook *hook, const struct bh_client_settings *settings,
                 struct bh_err *err)
{
	uint64_t deadline_ms = bh_clock_mono_ms() + (uint64_t)hook->limit_ms;
	struct bh_buf text = {0};
	cJSON *payload = NULL;
	cJSON *params = NULL;
	int rc = 0;

	if (settings->token == NULL) {
		return bh_err_set(err, BH_EDENIED, "this is no terminal of bellhop");
	}
	rc = read_payload(hook->fd, deadline_ms, &text, err);
	if (rc == 0) {
		payload = text.len == 0 ? cJSON_CreateObject()
		                        : bh_json_parse_object(text.data, text.len, err);
		rc = payload == NULL ? BH_EINVALID : 0;
	}
	bh_buf_clear(&text);
	if (rc != 0) {
		return rc;
	}
	slim_payload(payload);
	params = make_params(hook, payload);
	if (params == NULL) {
		return bh_err_set(err, BH_EINVALID, "the payload does not name its event");
	}
	return send_event(params, settings, deadline_ms, err);
}
