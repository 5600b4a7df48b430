#include "term/status.h"

#include "term/label.h"
#include "term/reply.h"

#include <string.h>

// A report is one line of key=value; a newer one replaces the whole of the last. Reports with id= are
// about one background task of the agent and never about the agent: they live in a list beside it.

static const char *const state_words[] = {
	[BH_STATUS_NONE] = "none",       [BH_STATUS_IDLE] = "idle",
	[BH_STATUS_WORKING] = "working", [BH_STATUS_DONE] = "done",
	[BH_STATUS_BLOCKED] = "blocked", [BH_STATUS_ERROR] = "error",
	[BH_STATUS_CLEAR] = "clear",     [BH_STATUS_OTHER] = "other",
};

/** A report taken apart. */
struct record {
	struct bh_status7501 status;
	char id[sizeof(((struct bh_background7501 *)0)->id)];
};

static enum bh_status_state state_of(const char *word, size_t len)
{
	for (int i = BH_STATUS_IDLE; i < BH_STATUS_OTHER; i++) {
		if (strlen(state_words[i]) == len && memcmp(state_words[i], word, len) == 0) {
			return (enum bh_status_state)i;
		}
	}
	return BH_STATUS_OTHER;
}

static void decode(const char *value, size_t len, char *out, size_t size)
{
	struct bh_bytes text = {0};

	bh_label_decode_base64(value, len, &text);
	bh_label_copy(text.data, text.len, out, size);
	bh_bytes_clear(&text);
}

static bool key_is(const char *field, size_t key_len, const char *key)
{
	return strlen(key) == key_len && memcmp(field, key, key_len) == 0;
}

static void record_field(struct record *record, const char *field, size_t len)
{
	struct bh_status7501 *status = &record->status;
	const char *equals = memchr(field, '=', len);

	if (equals == NULL) {
		return;
	}
	size_t key_len = (size_t)(equals - field);
	const char *value = equals + 1;
	size_t value_len = len - key_len - 1;

	if (key_is(field, key_len, "state")) {
		status->state = state_of(value, value_len);
	} else if (key_is(field, key_len, "app")) {
		bh_label_copy(value, value_len, status->app, sizeof(status->app));
	} else if (key_is(field, key_len, "kind")) {
		bh_label_copy(value, value_len, status->kind, sizeof(status->kind));
	} else if (key_is(field, key_len, "id")) {
		bh_label_copy(value, value_len, record->id, sizeof(record->id));
	} else if (key_is(field, key_len, "msg")) {
		decode(value, value_len, status->msg, sizeof(status->msg));
	} else if (key_is(field, key_len, "title")) {
		decode(value, value_len, status->title, sizeof(status->title));
	}
}

static int background_find(const struct bh_screen *s, const char *id)
{
	for (int i = 0; i < s->background_count; i++) {
		if (strcmp(s->background[i].id, id) == 0) {
			return i;
		}
	}
	return -1;
}

static void background_remove(struct bh_screen *s, int index)
{
	s->background_count--;
	memmove(&s->background[index], &s->background[index + 1],
	        (size_t)(s->background_count - index) * sizeof(s->background[0]));
}

static void background_receive(struct bh_screen *s, const struct record *record)
{
	int index = background_find(s, record->id);

	if (record->status.state == BH_STATUS_CLEAR) {
		if (index >= 0) {
			background_remove(s, index);
		}
		return;
	}
	if (s->background == NULL) {
		s->background = bh_bytes_alloc(BH_SCREEN_BACKGROUND_MAX, sizeof(s->background[0]));
	}
	if (index < 0) {
		if (s->background_count == BH_SCREEN_BACKGROUND_MAX) {
			background_remove(s, 0);
		}
		index = s->background_count++;
		s->background[index] = (struct bh_background7501){0};
		memcpy(s->background[index].id, record->id, sizeof(record->id));
	}
	struct bh_background7501 *task = &s->background[index];

	task->state = record->status.state;
	task->at_ms = s->now_ms;
	if (record->status.title[0] != '\0') {
		bh_label_copy(record->status.title, strlen(record->status.title), task->title,
		              sizeof(task->title));
	}
}

void bh_status_receive(struct bh_screen *s, const char *text, size_t len)
{
	struct record record = {0};

	if (len == 1 && text[0] == '?') {
		// Who asks waits for this or for the answer to its next question, DA1. Both leave
		// through one buffer, so this one comes first.
		bh_reply_printf(s, "\x1B]7501;?\x1B\\");
		return;
	}
	for (size_t at = 0; at <= len;) {
		const char *colon = memchr(text + at, ':', len - at);
		size_t end = colon != NULL ? (size_t)(colon - text) : len;

		record_field(&record, text + at, end - at);
		at = end + 1;
	}
	if (record.status.state == BH_STATUS_NONE) {
		return;
	}
	s->changes |= BH_SCREEN_CHANGED_STATUS;
	if (record.id[0] != '\0') {
		background_receive(s, &record);
		return;
	}
	s->status = record.status;
	s->status.has_status = true;
	s->status.at_ms = s->now_ms;
	if (record.status.state == BH_STATUS_CLEAR) {
		s->background_count = 0;
	}
}

static void write_encoded(struct bh_bytes *out, const char *key, const char *text)
{
	if (text[0] != '\0') {
		bh_bytes_printf(out, ":%s=", key);
		bh_label_encode_base64(text, strlen(text), out);
	}
}

void bh_status_write(const struct bh_screen *s, struct bh_bytes *out)
{
	const struct bh_status7501 *status = &s->status;

	if (status->has_status) {
		bh_bytes_printf(out, "\x1B]7501;state=%s", state_words[status->state]);
		if (status->app[0] != '\0') {
			bh_bytes_printf(out, ":app=%s", status->app);
		}
		if (status->kind[0] != '\0') {
			bh_bytes_printf(out, ":kind=%s", status->kind);
		}
		write_encoded(out, "msg", status->msg);
		write_encoded(out, "title", status->title);
		bh_bytes_puts(out, "\x1B\\");
	}
	for (int i = 0; i < s->background_count; i++) {
		const struct bh_background7501 *task = &s->background[i];

		bh_bytes_printf(out, "\x1B]7501;state=%s:id=%s", state_words[task->state],
		                task->id);
		write_encoded(out, "title", task->title);
		bh_bytes_puts(out, "\x1B\\");
	}
}
