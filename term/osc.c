#include "term/osc.h"

#include "term/label.h"
#include "term/reply.h"
#include "term/status.h"

#include <stdlib.h>
#include <string.h>

// An OSC is a number and a body; the table at the end says who reads it. Bodies are bounded by the
// sieve and may hold anything, so every text that is kept passes bh_label_copy(). Nothing here gives
// away what a person typed or copied: titles and clipboard can be set, not read.

/** The body of an OSC, NUL-terminated, and how an answer must end. */
struct body {
	const char *text;
	size_t len;
	const char *end;
};

static void text_set(char **slot, const char *text, size_t len, size_t max)
{
	free(*slot);
	*slot = len > 0 ? bh_label_dup(text, len, max) : NULL;
}

static void set_title(struct bh_screen *s, const struct body *body)
{
	text_set(&s->now.title, body->text, body->len, BH_STATE_TITLE_MAX);
	s->changes |= BH_SCREEN_CHANGED_TITLE;
}

static void set_icon(struct bh_screen *s, const struct body *body)
{
	text_set(&s->now.icon, body->text, body->len, BH_STATE_TITLE_MAX);
	s->changes |= BH_SCREEN_CHANGED_TITLE;
}

static void set_both(struct bh_screen *s, const struct body *body)
{
	set_title(s, body);
	set_icon(s, body);
}

static char *text_dup(const char *text)
{
	return text != NULL ? bh_label_dup(text, strlen(text), BH_STATE_TITLE_MAX) : NULL;
}

void bh_osc_push_titles(struct bh_screen *s)
{
	if (s->pushed_count == BH_STATE_TITLES) {
		free(s->pushed[0].title);
		free(s->pushed[0].icon);
		memmove(s->pushed, s->pushed + 1, (BH_STATE_TITLES - 1) * sizeof(s->pushed[0]));
		s->pushed_count--;
	}
	s->pushed[s->pushed_count++] = (struct bh_titles){
		.title = text_dup(s->now.title),
		.icon = text_dup(s->now.icon),
	};
}

void bh_osc_pop_titles(struct bh_screen *s, int what)
{
	if (s->pushed_count == 0) {
		return;
	}
	struct bh_titles old = s->pushed[--s->pushed_count];

	if (what != 1) {
		free(s->now.title);
		s->now.title = old.title;
		old.title = NULL;
	}
	if (what != 2) {
		free(s->now.icon);
		s->now.icon = old.icon;
		old.icon = NULL;
	}
	free(old.title);
	free(old.icon);
	s->changes |= BH_SCREEN_CHANGED_TITLE;
}

static void set_cwd(struct bh_screen *s, const struct body *body)
{
	text_set(&s->cwd, body->text, body->len, BH_STATE_CWD_MAX);
	s->changes |= BH_SCREEN_CHANGED_CWD;
}

/** The 16 colours of xterm, the cube, the greys. */
static uint32_t standard_color(int index)
{
	static const uint32_t first[16] = {
		0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
		0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
	};
	static const uint8_t steps[6] = {0, 95, 135, 175, 215, 255};

	if (index < 16) {
		return first[index];
	}
	if (index < 232) {
		int cube = index - 16;

		return (uint32_t)steps[cube / 36] << 16 | (uint32_t)steps[cube / 6 % 6] << 8 |
		       steps[cube % 6];
	}
	return (uint32_t)(8 + 10 * (index - 232)) * 0x010101U;
}

uint32_t bh_osc_color(const struct bh_screen *s, int index)
{
	if (s->palette != NULL && s->palette[index] != 0) {
		return s->palette[index] & 0xFFFFFF;
	}
	if (index == BH_STATE_COLOR_FG || index == BH_STATE_COLOR_CURSOR) {
		return s->default_fg;
	}
	return index == BH_STATE_COLOR_BG ? s->default_bg : standard_color(index);
}

/** One hexadecimal part of 1 to 4 digits as 8 bits, or -1. */
static int color_part(const char **text)
{
	char *end;
	size_t digits = strspn(*text, "0123456789abcdefABCDEF");

	if (digits < 1 || digits > 4) {
		return -1;
	}
	unsigned long value = strtoul(*text, &end, 16);

	*text = end;
	return digits == 1 ? (int)value * 17 : (int)(value >> (digits - 2) * 4);
}

/** rgb:R/G/B, #RGB or #RRGGBB; 0 when it is none. */
static uint32_t color_parse(const char *text)
{
	uint32_t rgb = 0;

	if (text[0] == '#') {
		size_t digits = strspn(text + 1, "0123456789abcdefABCDEF");
		unsigned long value = strtoul(text + 1, NULL, 16);

		if (digits == 6) {
			return BH_COLOR_RGB(value);
		}
		return digits == 3 ? BH_COLOR_RGB((value >> 8 & 15) * 0x110000 +
		                                  (value >> 4 & 15) * 0x1100 + (value & 15) * 0x11)
		                   : 0;
	}
	if (strncmp(text, "rgb:", 4) != 0) {
		return 0;
	}
	text += 4;
	for (int i = 0; i < 3; i++) {
		int part = color_part(&text);

		if (part < 0 || (i < 2 && *text++ != '/')) {
			return 0;
		}
		rgb = rgb << 8 | (uint32_t)part;
	}
	return BH_COLOR_RGB(rgb);
}

static void color_set(struct bh_screen *s, int index, const char *spec)
{
	uint32_t color = color_parse(spec);

	if (color == 0) {
		return;
	}
	if (s->palette == NULL) {
		s->palette = bh_bytes_alloc(BH_STATE_COLORS, sizeof(s->palette[0]));
	}
	s->palette[index] = color;
	s->changes |= BH_SCREEN_CHANGED_CELLS;
}

static void color_reply(struct bh_screen *s, const char *prefix, int number, int index,
                        const struct body *body)
{
	uint32_t rgb = bh_osc_color(s, index);
	unsigned r = rgb >> 16 & 0xFF;
	unsigned g = rgb >> 8 & 0xFF;
	unsigned b = rgb & 0xFF;

	bh_reply_printf(s, "\x1B]%s%d;rgb:%02x%02x/%02x%02x/%02x%02x%s", prefix, number, r, r, g, g,
	                b, b, body->end);
}

/** Copy the field up to the next semicolon into @out; returns what follows, or NULL at the end. */
static const char *next_field(const char *text, char *out, size_t size)
{
	size_t len = strcspn(text, ";");

	bh_label_copy(text, len, out, size);
	return text[len] == ';' ? text + len + 1 : NULL;
}

static int number_of(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits >= 1 && digits <= 5 && text[digits] == '\0' ? (int)strtol(text, NULL, 10)
	                                                          : -1;
}

static void palette(struct bh_screen *s, const struct body *body)
{
	const char *at = body->text;
	char number[8];
	char spec[32];

	while (at != NULL && *at != '\0') {
		at = next_field(at, number, sizeof(number));
		if (at == NULL) {
			return;
		}
		at = next_field(at, spec, sizeof(spec));
		int index = number_of(number);

		if (index < 0 || index > 255) {
			continue;
		}
		if (strcmp(spec, "?") == 0) {
			color_reply(s, "4;", index, index, body);
		} else {
			color_set(s, index, spec);
		}
	}
}

/** OSC 10, 11, 12: each further field is for the next number. */
static void dynamic_colors(struct bh_screen *s, const struct body *body, int number)
{
	const char *at = body->text;
	char spec[32];

	for (; at != NULL && number <= 12; number++) {
		int index = BH_STATE_COLOR_FG + number - 10;

		at = next_field(at, spec, sizeof(spec));
		if (strcmp(spec, "?") == 0) {
			color_reply(s, "", number, index, body);
		} else {
			color_set(s, index, spec);
		}
	}
}

static void color_foreground(struct bh_screen *s, const struct body *body)
{
	dynamic_colors(s, body, 10);
}

static void color_background(struct bh_screen *s, const struct body *body)
{
	dynamic_colors(s, body, 11);
}

static void color_cursor(struct bh_screen *s, const struct body *body)
{
	dynamic_colors(s, body, 12);
}

static void color_forget(struct bh_screen *s, int first, int count)
{
	if (s->palette != NULL) {
		memset(&s->palette[first], 0, (size_t)count * sizeof(s->palette[0]));
		s->changes |= BH_SCREEN_CHANGED_CELLS;
	}
}

static void palette_forget(struct bh_screen *s, const struct body *body)
{
	const char *at = body->text;
	char number[8];

	if (body->len == 0) {
		color_forget(s, 0, 256);
	}
	while (at != NULL && *at != '\0') {
		at = next_field(at, number, sizeof(number));
		int index = number_of(number);

		if (index >= 0 && index <= 255) {
			color_forget(s, index, 1);
		}
	}
}

static void forget_foreground(struct bh_screen *s, const struct body *body)
{
	(void)body;
	color_forget(s, BH_STATE_COLOR_FG, 1);
}

static void forget_background(struct bh_screen *s, const struct body *body)
{
	(void)body;
	color_forget(s, BH_STATE_COLOR_BG, 1);
}

static void forget_cursor(struct bh_screen *s, const struct body *body)
{
	(void)body;
	color_forget(s, BH_STATE_COLOR_CURSOR, 1);
}

static void link_id_of(const char *params, size_t len, char *out, size_t size)
{
	out[0] = '\0';
	for (size_t at = 0; at < len;) {
		size_t end = at + strcspn(params + at, ":;");

		if (end - at > 3 && strncmp(params + at, "id=", 3) == 0) {
			bh_label_copy(params + at + 3, end - at - 3, out, size);
			return;
		}
		at = end + 1;
	}
}

static void hyperlink(struct bh_screen *s, const struct body *body)
{
	const char *semicolon = strchr(body->text, ';');
	char id[BH_GLYPH_LINK_ID_MAX + 1];
	char link[BH_GLYPH_LINK_MAX + 1];

	if (semicolon == NULL) {
		return;
	}
	size_t len = body->len - (size_t)(semicolon + 1 - body->text);

	if (len > BH_GLYPH_LINK_MAX) {
		len = 0;
	}
	link_id_of(body->text, (size_t)(semicolon - body->text), id, sizeof(id));
	bh_label_copy(semicolon + 1, len, link, sizeof(link));
	bh_state_set_link(s, link, id);
}

static void notify(struct bh_screen *s, const char *title, size_t title_len, const char *body,
                   size_t body_len)
{
	if (s->is_replay) {
		return;
	}
	if (s->notification == NULL) {
		s->notification = bh_bytes_alloc(1, sizeof(*s->notification));
	}
	bh_label_copy(title, title_len, s->notification->title, sizeof(s->notification->title));
	bh_label_copy(body, body_len, s->notification->body, sizeof(s->notification->body));
	s->changes |= BH_SCREEN_CHANGED_NOTIFICATION;
}

static void progress(struct bh_screen *s, const char *text)
{
	char field[8];
	const char *rest = next_field(text, field, sizeof(field));
	int state = number_of(field);

	if (state < BH_PROGRESS_NONE || state > BH_PROGRESS_PAUSED) {
		return;
	}
	field[0] = '\0';
	if (rest != NULL) {
		(void)next_field(rest, field, sizeof(field)); // nothing may follow
	}
	int percent = number_of(field);

	s->progress = (struct bh_progress){
		.state = (enum bh_progress_state)state,
		.percent = percent < 0     ? 0
	                   : percent > 100 ? 100
	                                   : percent,
		.at_ms = s->now_ms,
	};
	s->changes |= BH_SCREEN_CHANGED_PROGRESS;
}

static void osc_9(struct bh_screen *s, const struct body *body)
{
	if (strncmp(body->text, "4;", 2) == 0) {
		progress(s, body->text + 2);
	} else if (body->len > 0) {
		notify(s, "", 0, body->text, body->len);
	}
}

/** The value of @key among the colon-separated fields of @metadata; "" when it is not there. */
static void metadata_value(const char *metadata, size_t len, char key, char *out, size_t size)
{
	out[0] = '\0';
	for (size_t at = 0; at < len;) {
		size_t end = at + strcspn(metadata + at, ":;");

		if (end - at >= 2 && metadata[at] == key && metadata[at + 1] == '=') {
			bh_label_copy(metadata + at + 2, end - at - 2, out, size);
			return;
		}
		at = end + 1;
	}
}

/** Kitty's notifications; only title and body are for a person's eyes, the rest is protocol. */
static void osc_99(struct bh_screen *s, const struct body *body)
{
	const char *semicolon = strchr(body->text, ';');
	struct bh_bytes text = {0};
	char part[8];
	char encoding[8];

	if (semicolon == NULL) {
		return;
	}
	size_t metadata_len = (size_t)(semicolon - body->text);

	metadata_value(body->text, metadata_len, 'p', part, sizeof(part));
	metadata_value(body->text, metadata_len, 'e', encoding, sizeof(encoding));
	if (strcmp(encoding, "1") == 0) {
		bh_label_decode_base64(semicolon + 1, strlen(semicolon + 1), &text);
	} else {
		bh_bytes_puts(&text, semicolon + 1);
	}
	if (text.len > 0 && strcmp(part, "body") == 0) {
		notify(s, "", 0, text.data, text.len);
	} else if (text.len > 0 && (part[0] == '\0' || strcmp(part, "title") == 0)) {
		notify(s, text.data, text.len, "", 0);
	}
	bh_bytes_clear(&text);
}

static void osc_777(struct bh_screen *s, const struct body *body)
{
	if (strncmp(body->text, "notify;", 7) != 0) {
		return;
	}
	const char *title = body->text + 7;
	size_t title_len = strcspn(title, ";");
	const char *text = title[title_len] == ';' ? title + title_len + 1 : title + title_len;

	notify(s, title, title_len, text, strlen(text));
}

static void clipboard(struct bh_screen *s, const struct body *body)
{
	const char *semicolon = strchr(body->text, ';');

	// A query is not answered: what a person copied is not a program's to read.
	if (semicolon == NULL || strcmp(semicolon + 1, "?") == 0 || s->is_replay) {
		return;
	}
	s->clipboard.len = 0;
	bh_label_decode_base64(semicolon + 1, strlen(semicolon + 1), &s->clipboard);
	s->has_clipboard = true;
	s->changes |= BH_SCREEN_CHANGED_CLIPBOARD;
}

static void prompt_mark(struct bh_screen *s, const struct body *body)
{
	char mark = body->text[0];
	char field[8];

	if (mark < 'A' || mark > 'D' || (body->len > 1 && body->text[1] != ';')) {
		return;
	}
	s->prompt = (struct bh_prompt){.mark = mark, .exit_code = -1, .at_ms = s->now_ms};
	if (mark == 'D' && body->len > 2) {
		(void)next_field(body->text + 2, field, sizeof(field)); // options may follow
		s->prompt.exit_code = number_of(field);
	}
	s->changes |= BH_SCREEN_CHANGED_PROMPT;
}

static void status_report(struct bh_screen *s, const struct body *body)
{
	bh_status_receive(s, body->text, body->len);
}

static const struct {
	int number;
	void (*run)(struct bh_screen *s, const struct body *body);
} functions[] = {
	{0, set_both},
	{1, set_icon},
	{2, set_title},
	{4, palette},
	{7, set_cwd},
	{8, hyperlink},
	{9, osc_9},
	{10, color_foreground},
	{11, color_background},
	{12, color_cursor},
	{52, clipboard},
	{99, osc_99},
	{104, palette_forget},
	{110, forget_foreground},
	{111, forget_background},
	{112, forget_cursor},
	{133, prompt_mark},
	{777, osc_777},
	{7501, status_report},
};

void bh_osc_run(struct bh_screen *s, const struct bh_token *token)
{
	size_t digits = strspn(token->text, "0123456789");

	if (digits == 0 || digits > 4 || (digits < token->len && token->text[digits] != ';')) {
		return;
	}
	int number = (int)strtol(token->text, NULL, 10);
	size_t skip = digits < token->len ? digits + 1 : digits;
	struct body body = {
		.text = token->text + skip,
		.len = token->len - skip,
		.end = token->is_bel ? "\a" : "\x1B\\",
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (functions[i].number == number) {
			functions[i].run(s, &body);
			return;
		}
	}
}
