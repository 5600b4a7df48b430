#include "src/server/asciicast.h"

#include "src/agent/profile.h"
#include "src/base/json.h"
#include "src/base/utf8.h"
#include "src/server/server.h"
#include "src/server/tape.h"

#include <stdlib.h>
#include <string.h>

// Longest output of one event (bytes).
#define EVENT_BYTES (16 * 1024)

static const char replacement[] = "\357\277\275"; // U+FFFD

// Take all of @pending but a character that may still be completed, as valid UTF-8.
static void text_take(struct bh_buf *pending, bool is_last, struct bh_buf *text)
{
	size_t at = 0;

	while (at < pending->len) {
		size_t len = bh_utf8_next(pending->data + at, pending->len - at, NULL);

		if (len == 0 && !is_last && pending->len - at < 4) {
			break;
		}
		// NUL is valid UTF-8 but cannot stand in a C string; a terminal ignores it.
		if (len == 0) {
			bh_buf_puts(text, replacement);
		} else if (pending->data[at] != '\0') {
			bh_buf_append(text, pending->data + at, len);
		}
		at += len > 0 ? len : 1;
	}
	bh_buf_consume(pending, at);
}

static void event_write(struct bh_buf *out, double at_s, const char *kind, const char *text)
{
	cJSON *event = cJSON_CreateArray();

	cJSON_AddItemToArray(event, cJSON_CreateNumber(at_s));
	cJSON_AddItemToArray(event, cJSON_CreateString(kind));
	cJSON_AddItemToArray(event, cJSON_CreateString(text));
	char *line = bh_json_print(event);

	bh_buf_puts(out, line);
	bh_buf_puts(out, "\n");
	free(line);
	cJSON_Delete(event);
}

static void pending_write(struct bh_buf *out, struct bh_buf *pending, bool is_last)
{
	struct bh_buf text = {0};

	text_take(pending, is_last, &text);
	if (text.len > 0) {
		event_write(out, 0, "o", text.data);
	}
	bh_buf_clear(&text);
}

// By which a replay finds the profile again: its name, or the program that matched none.
static const char *command_for_replay(const struct bh_terminal *terminal)
{
	const char *program = terminal->setup.argv[0] != NULL ? terminal->setup.argv[0] : "";

	const char *profile = bh_profile_name(bh_adopt_profile(terminal));

	return strcmp(profile, "generic") != 0 ? profile : program;
}

// The tape has no times, but how long the screen has stood still decides what an agent does.
static void quiet_write(const struct bh_terminal *terminal, struct bh_buf *out)
{
	uint64_t now_ms = bh_server_now_ms(terminal->server);
	uint64_t since_ms = terminal->output_ms < now_ms ? now_ms - terminal->output_ms : 0;

	event_write(out, (double)since_ms / 1000, "m", "captured");
}

static void header_write(const struct bh_terminal *terminal, const struct bh_tape_event *first,
                         struct bh_buf *out)
{
	cJSON *header = cJSON_CreateObject();

	cJSON_AddNumberToObject(header, "version", 2);
	cJSON_AddNumberToObject(header, "width",
	                        first->cols > 0 ? first->cols : terminal->setup.cols);
	cJSON_AddNumberToObject(header, "height",
	                        first->rows > 0 ? first->rows : terminal->setup.rows);
	cJSON_AddNumberToObject(header, "timestamp", (double)terminal->created_at / 1000);
	cJSON_AddStringToObject(header, "title", terminal->identity);
	cJSON_AddStringToObject(header, "command", command_for_replay(terminal));
	char *line = bh_json_print(header);

	bh_buf_puts(out, line);
	bh_buf_puts(out, "\n");
	free(line);
	cJSON_Delete(header);
}

void bh_asciicast_write(struct bh_terminal *terminal, struct bh_buf *out)
{
	struct bh_tape_event event;
	struct bh_buf pending = {0};

	if (terminal->tape == NULL) {
		return;
	}
	bh_tape_replay_start(terminal->tape);
	while (bh_tape_replay_next(terminal->tape, EVENT_BYTES, &event)) {
		if (event.kind == BH_TAPE_CHECKPOINT) {
			header_write(terminal, &event, out);
		}
		if (event.kind == BH_TAPE_RESIZE) {
			struct bh_buf size = {0};

			pending_write(out, &pending, true);
			bh_buf_printf(&size, "%dx%d", event.cols, event.rows);
			event_write(out, 0, "r", size.data);
			bh_buf_clear(&size);
		} else {
			bh_buf_append(&pending, event.bytes.data, event.bytes.len);
			pending_write(out, &pending, false);
		}
	}
	pending_write(out, &pending, true);
	quiet_write(terminal, out);
	bh_tape_replay_end(terminal->tape);
	bh_buf_clear(&pending);
}
