#include "src/client/mail_text.h"

#include "src/base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char *str_of(const cJSON *object, const char *key, const char *otherwise)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : otherwise;
}

static double num_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static bool flag_of(const cJSON *object, const char *key)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/** Controls of C0 and C1 but newline and tab, and what turns the direction of text. */
static bool code_is_unsafe(uint32_t code)
{
	return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) ||
	       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
	       code == 0x200e || code == 0x200f || code == 0x061c;
}

void bh_mail_text_safe(struct bh_buf *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		uint32_t code = 0;
		size_t n = bh_utf8_next(text + at, len - at, &code);

		if (n == 0) {
			bh_buf_puts(out, "\xef\xbf\xbd");
			n = 1;
		} else if (!code_is_unsafe(code)) {
			bh_buf_append(out, text + at, n);
		} else {
			bh_buf_printf(out, code < 0x80 ? "\\x%02x" : "\\u{%04x}", code);
		}
		at += n;
	}
}

/** A line of text that came from the server. */
static void add_line(struct bh_buf *out, const char *text)
{
	bh_mail_text_safe(out, text, strlen(text));
	if (out->len == 0 || out->data[out->len - 1] != '\n') {
		bh_buf_puts(out, "\n");
	}
}

static void add_field(struct bh_buf *out, const char *name, const char *value)
{
	bh_buf_printf(out, "%s: ", name);
	add_line(out, value);
}

void bh_mail_text_read(struct bh_buf *out, const cJSON *result, const char *again)
{
	const cJSON *messages = cJSON_GetObjectItemCaseSensitive(result, "messages");
	const char *note = str_of(result, "note", "");
	double left = num_of(result, "unread_left");
	const cJSON *message = NULL;

	cJSON_ArrayForEach(message, messages)
	{
		add_line(out, str_of(message, "text", ""));
		if (flag_of(message, "shown_before")) {
			bh_buf_puts(out, "(This message was shown before.)\n");
		}
		bh_buf_puts(out, "\n");
	}
	if (note[0] != '\0') {
		add_line(out, note);
	} else if (flag_of(result, "timed_out")) {
		bh_buf_printf(out, "Nothing came in time; next_seq is %.0f.\n",
		              num_of(result, "next_seq"));
	} else if (cJSON_GetArraySize(messages) == 0) {
		bh_buf_puts(out, "No unread mail.\n");
	}
	if (left > 0) {
		bh_buf_printf(out, "%.0f more unread: %s.\n", left, again);
	}
}

/** Of a room: what will become of it with each member. */
static void add_members(struct bh_buf *out, const cJSON *answer)
{
	const cJSON *member = NULL;
	struct bh_buf line = {0};

	cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(answer, "members"))
	{
		const char *reason = str_of(member, "reason", "");

		bh_buf_printf(&line, "%s %s%s%s%s", str_of(member, "to", "?"),
		              str_of(member, "will_be_seen", "?"), reason[0] == '\0' ? "" : " (",
		              reason, reason[0] == '\0' ? "" : ")");
		add_field(out, "member", line.data);
		bh_buf_clear(&line);
	}
}

void bh_mail_text_answer(struct bh_buf *out, const cJSON *answer)
{
	static const char *const fields[] = {"delivery_path", "terminal", "notice",
	                                     "reason",        "next",     "warning"};
	const cJSON *recipient = cJSON_GetObjectItemCaseSensitive(answer, "recipient");
	const char *last_turn = str_of(recipient, "last_turn", "");
	struct bh_buf line = {0};

	add_field(out, "will_be_seen", str_of(answer, "will_be_seen", "?"));
	add_field(out, "delivered", flag_of(answer, "delivered") ? "true" : "false");
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const char *value = str_of(answer, fields[i], "");

		if (value[0] != '\0') {
			add_field(out, fields[i], value);
		}
	}
	bh_buf_printf(&line, "m%.0f %s to %s", num_of(answer, "seq"),
	              str_of(answer, "message_id", "?"), str_of(answer, "to", "?"));
	add_field(out, "message", line.data);
	bh_buf_clear(&line);
	bh_buf_printf(&line, "%s%s%s%s", flag_of(recipient, "known") ? "" : "unknown; ",
	              str_of(recipient, "state", "no terminal"),
	              last_turn[0] == '\0' ? "" : ", last turn ", last_turn);
	if (cJSON_HasObjectItem(answer, "members")) {
		add_members(out, answer);
	} else {
		add_field(out, "recipient", line.data);
	}
	bh_buf_clear(&line);
	if (flag_of(answer, "idempotent_replay")) {
		bh_buf_puts(out, "idempotent_replay: true (it was sent before; this is its answer "
		                 "again)\n");
	}
	if (flag_of(answer, "timed_out")) {
		bh_buf_puts(
			out,
			"timed_out: true (it was not seen in the time that --wait was given)\n");
	}
}

void bh_mail_text_self(struct bh_buf *out, const cJSON *self)
{
	const cJSON *names = cJSON_GetObjectItemCaseSensitive(self, "names");
	const cJSON *name = NULL;
	struct bh_buf line = {0};

	bh_buf_printf(&line, "%s (known by %s)", str_of(self, "kind", "?"),
	              str_of(self, "by", "none"));
	add_field(out, "kind", line.data);
	bh_buf_clear(&line);
	add_field(out, "identity", str_of(self, "identity", "-"));
	cJSON_ArrayForEach(name, names)
	{
		if (cJSON_IsString(name)) {
			bh_buf_printf(&line, "%s%s", line.len == 0 ? "" : ", ", name->valuestring);
		}
	}
	if (cJSON_GetArraySize(names) > 1) {
		add_field(out, "names", line.len == 0 ? "-" : line.data);
	}
	bh_buf_clear(&line);
	add_field(out, "terminal", str_of(self, "terminal_id", "-"));
	add_field(out, "mode", str_of(self, "mode", "-"));
	bh_buf_printf(out, "unread: %.0f\n", num_of(self, "unread"));
}
