/**
 * Runs the scripts of this folder: bytes, sizes and time go into a screen, its looks are compared.
 * One TAP line for each case. See README in this folder for the language.
 *
 * Beside what a script expects, each step is followed by the check that the repaint of the screen
 * is an equal screen, and each case runs twice: as written, and byte by byte.
 */
#include "term/keys.h"
#include "term/screen.h"
#include "term/strip.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_MAX_BYTES = 16384,   // of a script
	WORDS_MAX_BYTES = 262144, // of the words of a line, repeated ones written out
	WORDS_MAX = 24,
	DEFAULT_COLS = 20,
	DEFAULT_ROWS = 5,
};

/** A word of a script line: `abc` or the inside of `"abc"`. */
struct word {
	char *text; // NUL-terminated, but a quoted one may hold NULs
	size_t len;
};

struct line {
	struct word words[WORDS_MAX];
	int count;
	char bytes[WORDS_MAX_BYTES];
};

/** One run of one case. */
struct run {
	struct bh_screen *screen;
	uint64_t now_ms;
	bool is_bytewise;
	uint32_t changes;
	char problem[1024]; // "" as long as all is well
};

struct tally {
	int count, failed;
};

__attribute__((format(printf, 2, 3))) static void fail(struct run *run, const char *format, ...)
{
	va_list args;

	if (run->problem[0] != '\0') {
		return;
	}
	va_start(args, format);
	(void)vsnprintf(run->problem, sizeof(run->problem), format, args); // cut to fit
	va_end(args);
}

/** Bytes as a script would write them. */
static const char *escaped(const char *bytes, size_t len, char *out, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < len && at + 5 < size; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == 0x1B) {
			at += (size_t)snprintf(out + at, size - at, "\\e");
		} else if (c < 0x20 || c == 0x7F) {
			at += (size_t)snprintf(out + at, size - at, "\\x%02X", c);
		} else {
			out[at++] = (char)c;
		}
	}
	out[at] = '\0';
	return out;
}

static int hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10;
}

/** One escape of a quoted word, after the backslash; returns the characters used. */
static size_t unescape_one(const char *from, char *out, size_t *len)
{
	static const char names[] = "erntab\"\\0";
	static const char values[] = "\x1B\r\n\t\a\b\"\\\0";
	const char *found = strchr(names, *from);

	if (*from == 'x' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2])) {
		out[(*len)++] = (char)(hex_value(from[1]) * 16 + hex_value(from[2]));
		return 3;
	}
	out[(*len)++] = found != NULL && *from != '\0' ? values[found - names] : *from;
	return 1;
}

/** `"..."*12` repeats the word. */
static const char *repeat_word(const char *from, struct word *word, const struct line *line)
{
	long times = from[0] == '*' ? strtol(from + 1, NULL, 10) : 1;
	size_t room = (size_t)(line->bytes + WORDS_MAX_BYTES - LINE_MAX_BYTES - word->text);
	size_t one = word->len;

	for (long i = 1; i < times && word->len + one < room; i++) {
		memcpy(word->text + word->len, word->text, one);
		word->len += one;
	}
	while (*from != '\0' && !isspace((unsigned char)*from)) {
		from++;
	}
	return from;
}

static const char *read_quoted(const char *from, struct word *word, const struct line *line)
{
	while (*from != '"' && *from != '\0' && *from != '\n') {
		if (*from == '\\') {
			from++;
			from += unescape_one(from, word->text, &word->len);
		} else {
			word->text[word->len++] = *from++;
		}
	}
	return repeat_word(*from == '"' ? from + 1 : from, word, line);
}

static void read_line(const char *from, struct line *line)
{
	char *at = line->bytes;

	line->count = 0;
	// A word without repetition is never longer than a line.
	while (line->count < WORDS_MAX && at + LINE_MAX_BYTES < line->bytes + WORDS_MAX_BYTES) {
		struct word *word = &line->words[line->count];

		while (isspace((unsigned char)*from)) {
			from++;
		}
		if (*from == '\0' || *from == '#') {
			return;
		}
		*word = (struct word){.text = at};
		if (*from == '"') {
			from = read_quoted(from + 1, word, line);
		} else {
			while (*from != '\0' && !isspace((unsigned char)*from)) {
				word->text[word->len++] = *from++;
			}
		}
		word->text[word->len] = '\0';
		at += word->len + 1;
		line->count++;
	}
}

static const char *word_text(const struct line *line, int index)
{
	return index < line->count ? line->words[index].text : "";
}

static int word_number(const struct line *line, int index)
{
	return (int)strtol(word_text(line, index), NULL, 0);
}

/** The repaint of the screen must be an equal screen. */
static void check_repaint(struct run *run)
{
	struct bh_screen_settings settings = {.cols = bh_screen_cols(run->screen),
	                                      .rows = bh_screen_rows(run->screen)};
	struct bh_screen *twin = bh_screen_new(&settings);
	size_t len;
	char *bytes = bh_screen_repaint(run->screen, &len);
	const char *why;

	bh_screen_feed(twin, bytes, len, run->now_ms);
	if (!bh_screen_equal(run->screen, twin, &why)) {
		char text[512];

		fail(run, "repaint differs: %s; %s", why, escaped(bytes, len, text, sizeof(text)));
	}
	free(bytes);
	bh_screen_free(twin);
}

static void parse_size(const char *text, int *cols, int *rows)
{
	char *end;

	*cols = (int)strtol(text, &end, 10);
	*rows = *end == 'x' ? (int)strtol(end + 1, NULL, 10) : 0;
}

static void run_size(struct run *run, const struct line *line)
{
	struct bh_screen_settings settings = {.xtversion = "bellhop test"};

	parse_size(word_text(line, 1), &settings.cols, &settings.rows);
	settings.history_rows = (size_t)word_number(line, 2);
	bh_screen_free(run->screen);
	run->screen = bh_screen_new(&settings);
}

static void run_feed(struct run *run, const struct line *line)
{
	for (int i = 1; i < line->count; i++) {
		const struct word *word = &line->words[i];
		size_t step = run->is_bytewise ? 1 : word->len;

		for (size_t at = 0; at < word->len; at += step) {
			bh_screen_feed(run->screen, word->text + at, step, run->now_ms);
			run->changes |= bh_screen_take_changes(run->screen);
		}
		check_repaint(run);
	}
}

static void run_resize(struct run *run, const struct line *line)
{
	int cols;
	int rows;

	parse_size(word_text(line, 1), &cols, &rows);
	bh_screen_resize(run->screen, cols, rows);
	check_repaint(run);
}

static void run_time(struct run *run, const struct line *line)
{
	run->now_ms += (uint64_t)word_number(line, 1);
	bh_screen_tick(run->screen, run->now_ms);
	run->changes |= bh_screen_take_changes(run->screen);
}

static void run_replay(struct run *run, const struct line *line)
{
	bh_screen_set_replay(run->screen, strcmp(word_text(line, 1), "on") == 0);
}

static void expect_text(struct run *run, const char *what, const char *got, size_t got_len,
                        const struct word *want)
{
	char shown_got[400];
	char shown_want[400];

	if (got_len != want->len || memcmp(got, want->text, got_len) != 0) {
		fail(run, "%s is \"%s\", not \"%s\"", what,
		     escaped(got, got_len, shown_got, sizeof(shown_got)),
		     escaped(want->text, want->len, shown_want, sizeof(shown_want)));
	}
}

static void expect_string(struct run *run, const char *got, const struct line *line, int index)
{
	expect_text(run, word_text(line, 0), got, strlen(got), &line->words[index]);
}

static void expect_number(struct run *run, long got, const struct line *line, int index)
{
	if (got != word_number(line, index)) {
		fail(run, "%s is %ld, not %s", word_text(line, 0), got, word_text(line, index));
	}
}

static void expect_row(struct run *run, const struct line *line)
{
	char text[LINE_MAX_BYTES];
	size_t len = bh_screen_row_text(run->screen, word_number(line, 1), text, sizeof(text));

	expect_text(run, "row", text, len, &line->words[2]);
}

static void expect_screen(struct run *run, const struct line *line)
{
	size_t len;
	char *text = bh_screen_text(run->screen, &len);

	expect_text(run, "screen", text, len, &line->words[1]);
	free(text);
}

static void expect_history(struct run *run, const struct line *line)
{
	expect_number(run, (long)bh_screen_history_count(run->screen), line, 1);
}

static void expect_history_row(struct run *run, const struct line *line)
{
	char text[LINE_MAX_BYTES];
	uint64_t id = bh_screen_history_first(run->screen) + (uint64_t)word_number(line, 1);
	size_t len = bh_screen_history_text(run->screen, id, text, sizeof(text));

	expect_text(run, "row of history", text, len, &line->words[2]);
}

static void expect_wrapped(struct run *run, const struct line *line)
{
	expect_number(run, bh_screen_is_wrapped(run->screen, word_number(line, 1)), line, 2);
}

static void expect_cursor(struct run *run, const struct line *line)
{
	struct bh_cursor cursor = bh_screen_cursor(run->screen);
	bool is_pending = strcmp(word_text(line, 3), "pending") == 0;

	if (cursor.row != word_number(line, 1) || cursor.col != word_number(line, 2) ||
	    cursor.is_wrap_pending != is_pending) {
		fail(run, "cursor is %d %d%s, not %s %s%s", cursor.row, cursor.col,
		     cursor.is_wrap_pending ? " pending" : "", word_text(line, 1),
		     word_text(line, 2), is_pending ? " pending" : "");
	}
}

static void expect_shape(struct run *run, const struct line *line)
{
	static const char *const names[] = {"", "block", "underline", "bar"};
	struct bh_cursor cursor = bh_screen_cursor(run->screen);
	bool blinks = strcmp(word_text(line, 2), "blinking") == 0;

	expect_string(run, names[cursor.shape], line, 1);
	if (cursor.is_blinking != blinks) {
		fail(run, "the cursor %s", cursor.is_blinking ? "blinks" : "does not blink");
	}
}

static void add_word(char *out, size_t size, const char *word)
{
	size_t len = strlen(out);

	(void)snprintf(out + len, size - len, "%s%s", len > 0 ? " " : "", word); // cut to fit
}

static void add_color(char *out, size_t size, const char *name, uint32_t color)
{
	char word[32];

	if (bh_color_is_index(color)) {
		(void)snprintf(word, sizeof(word), "%s=%u", name, color & 0xFF); // fits
		add_word(out, size, word);
	} else if (bh_color_is_rgb(color)) {
		(void)snprintf(word, sizeof(word), "%s=#%06x", name, color & 0xFFFFFF); // fits
		add_word(out, size, word);
	}
}

/** The looks of a cell in the words of the scripts. */
static void describe_cell(const struct bh_cell *cell, char *out, size_t size)
{
	static const char *const names[] = {"bold",    "dim",    "italic",   "blink",    "reverse",
	                                    "conceal", "strike", "overline", "protected"};
	static const char *const underlines[] = {"",       "underline", "double", "curly",
	                                         "dotted", "dashed",    "?",      "?"};

	out[0] = '\0';
	if (cell->width != 1) {
		add_word(out, size, cell->width == 2 ? "wide" : "tail");
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if ((cell->attrs >> i & 1) != 0) {
			add_word(out, size, names[i]);
		}
	}
	if (BH_ATTR_UNDERLINE(cell->attrs) != 0) {
		add_word(out, size, underlines[BH_ATTR_UNDERLINE(cell->attrs)]);
	}
	add_color(out, size, "fg", cell->fg);
	add_color(out, size, "bg", cell->bg);
	add_color(out, size, "ul", cell->underline_color);
}

/** cell ROW COL "glyph" LOOK...: all its looks, in the order of describe_cell(). */
static void expect_cell(struct run *run, const struct line *line)
{
	struct bh_cell cell =
		bh_screen_cell(run->screen, word_number(line, 1), word_number(line, 2));
	char got[256];
	char want[256] = "";

	describe_cell(&cell, got, sizeof(got));
	for (int i = 4; i < line->count; i++) {
		add_word(want, sizeof(want), word_text(line, i));
	}
	expect_text(run, "cell", cell.text, cell.text_len, &line->words[3]);
	if (strcmp(got, want) != 0) {
		fail(run, "cell %s %s is <%s>, not <%s>", word_text(line, 1), word_text(line, 2),
		     got, want);
	}
}

static void expect_link(struct run *run, const struct line *line)
{
	struct bh_cell cell =
		bh_screen_cell(run->screen, word_number(line, 1), word_number(line, 2));

	expect_string(run, cell.link != NULL ? cell.link : "", line, 3);
}

static void expect_reply(struct run *run, const struct line *line)
{
	size_t len;
	const char *bytes = bh_screen_replies(run->screen, &len);

	expect_text(run, "reply", bytes, len, &line->words[1]);
	bh_screen_replies_consume(run->screen, len);
}

static void expect_title(struct run *run, const struct line *line)
{
	expect_string(run, bh_screen_title(run->screen), line, 1);
}

static void expect_icon(struct run *run, const struct line *line)
{
	expect_string(run, bh_screen_icon(run->screen), line, 1);
}

static void expect_cwd(struct run *run, const struct line *line)
{
	expect_string(run, bh_screen_cwd(run->screen), line, 1);
}

static void expect_mode(struct run *run, const struct line *line)
{
	static const struct {
		const char *name;
		enum bh_screen_mode mode;
	} modes[] = {
		{"alt", BH_SCREEN_MODE_ALT_SCREEN},
		{"paste", BH_SCREEN_MODE_BRACKETED_PASTE},
		{"sync", BH_SCREEN_MODE_SYNC_OUTPUT},
		{"mouse", BH_SCREEN_MODE_MOUSE},
		{"mouse-click", BH_SCREEN_MODE_MOUSE_CLICK},
		{"mouse-drag", BH_SCREEN_MODE_MOUSE_DRAG},
		{"mouse-move", BH_SCREEN_MODE_MOUSE_MOVE},
		{"mouse-sgr", BH_SCREEN_MODE_MOUSE_SGR},
		{"mouse-utf8", BH_SCREEN_MODE_MOUSE_UTF8},
		{"focus", BH_SCREEN_MODE_FOCUS},
		{"app-cursor", BH_SCREEN_MODE_APP_CURSOR},
		{"app-keypad", BH_SCREEN_MODE_APP_KEYPAD},
		{"reverse", BH_SCREEN_MODE_REVERSE},
		{"origin", BH_SCREEN_MODE_ORIGIN},
		{"autowrap", BH_SCREEN_MODE_AUTOWRAP},
		{"insert", BH_SCREEN_MODE_INSERT},
		{"newline", BH_SCREEN_MODE_NEWLINE},
		{"left-right", BH_SCREEN_MODE_LEFT_RIGHT},
		{"graphemes", BH_SCREEN_MODE_GRAPHEMES},
		{"theme", BH_SCREEN_MODE_THEME},
		{"size-reports", BH_SCREEN_MODE_SIZE_REPORTS},
		{"cursor", BH_SCREEN_MODE_CURSOR_VISIBLE},
		{"backarrow", BH_SCREEN_MODE_BACKARROW},
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(modes[i].name, word_text(line, 1)) == 0) {
			bool is_on = bh_screen_mode(run->screen, modes[i].mode);

			if (is_on != (strcmp(word_text(line, 2), "on") == 0)) {
				fail(run, "mode %s is %s", modes[i].name, is_on ? "on" : "off");
			}
			return;
		}
	}
	fail(run, "no such mode: %s", word_text(line, 1));
}

static void expect_kitty(struct run *run, const struct line *line)
{
	expect_number(run, (long)bh_screen_kitty_flags(run->screen), line, 1);
}

static void expect_other_keys(struct run *run, const struct line *line)
{
	expect_number(run, bh_screen_modify_other_keys(run->screen), line, 1);
}

static const char *state_name(enum bh_status_state state)
{
	static const char *const names[] = {"none",    "idle",  "working", "done",
	                                    "blocked", "error", "clear",   "other"};

	return names[state];
}

/** status STATE ["app" ["kind" ["message"]]] */
static void expect_status(struct run *run, const struct line *line)
{
	const struct bh_status7501 *status = bh_screen_status(run->screen);

	expect_string(run, state_name(status->state), line, 1);
	if (line->count > 2) {
		expect_string(run, status->app, line, 2);
	}
	if (line->count > 3) {
		expect_string(run, status->kind, line, 3);
	}
	if (line->count > 4) {
		expect_string(run, status->msg, line, 4);
	}
}

static void expect_background(struct run *run, const struct line *line)
{
	expect_number(run, bh_screen_background_count(run->screen), line, 1);
	for (int i = 2; i < line->count; i++) {
		const struct bh_background7501 *task = bh_screen_background(run->screen, i - 2);

		expect_string(run, task != NULL ? task->id : "(none)", line, i);
	}
}

static void expect_progress(struct run *run, const struct line *line)
{
	struct bh_progress progress = bh_screen_progress(run->screen);

	expect_number(run, (long)progress.state, line, 1);
	expect_number(run, progress.percent, line, 2);
}

static void expect_prompt(struct run *run, const struct line *line)
{
	struct bh_prompt prompt = bh_screen_prompt(run->screen);
	char mark[2] = {prompt.mark, '\0'};

	expect_string(run, mark, line, 1);
	if (line->count > 2) {
		expect_number(run, prompt.exit_code, line, 2);
	}
}

static void expect_notification(struct run *run, const struct line *line)
{
	struct bh_notification notification = {0};

	if (!bh_screen_take_notification(run->screen, &notification)) {
		fail(run, "no notification");
		return;
	}
	expect_string(run, notification.title, line, 1);
	expect_string(run, notification.body, line, 2);
}

static void expect_clipboard(struct run *run, const struct line *line)
{
	size_t len = 0;
	char *text = bh_screen_take_clipboard(run->screen, &len);

	if (text == NULL) {
		fail(run, "nothing for the clipboard");
		return;
	}
	expect_text(run, "clipboard", text, len, &line->words[1]);
	free(text);
}

/** changed NAME...: exactly these since the last time it was asked. */
static void expect_changed(struct run *run, const struct line *line)
{
	static const char *const names[] = {
		"cells",        "cursor",    "title",  "bell", "status",  "modes",   "progress",
		"notification", "clipboard", "prompt", "cwd",  "replies", "history", "size"};
	char got[256] = "";
	char want[256] = "";

	run->changes |= bh_screen_take_changes(run->screen);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if ((run->changes >> i & 1) != 0) {
			add_word(got, sizeof(got), names[i]);
		}
	}
	for (int i = 1; i < line->count; i++) {
		add_word(want, sizeof(want), word_text(line, i));
	}
	if (strcmp(got, want) != 0) {
		fail(run, "changed is <%s>, not <%s>", got, want);
	}
	run->changes = 0;
}

static void expect_key(struct run *run, const struct line *line)
{
	char bytes[BH_KEYS_MAX];
	size_t len = bh_keys_encode(run->screen, word_text(line, 1), bytes, sizeof(bytes));

	expect_text(run, word_text(line, 1), bytes, len, &line->words[2]);
}

static void expect_paste(struct run *run, const struct line *line)
{
	size_t len;
	size_t safe_len;
	char *safe = bh_strip_message(line->words[1].text, line->words[1].len, &safe_len);
	char *bytes = bh_keys_paste(run->screen, safe, safe_len, &len);

	expect_text(run, "paste", bytes, len, &line->words[2]);
	free(bytes);
	free(safe);
}

/** The words that begin a line; `words`: how many must follow at least. */
static const struct {
	const char *name;
	int words;
	void (*function)(struct run *run, const struct line *line);
} commands[] = {
	{"size", 1, run_size},
	{"feed", 1, run_feed},
	{"resize", 1, run_resize},
	{"time", 1, run_time},
	{"replay", 1, run_replay},
	{"row", 2, expect_row},
	{"screen", 1, expect_screen},
	{"history", 1, expect_history},
	{"hrow", 2, expect_history_row},
	{"wrapped", 2, expect_wrapped},
	{"cursor", 2, expect_cursor},
	{"shape", 1, expect_shape},
	{"cell", 3, expect_cell},
	{"link", 3, expect_link},
	{"reply", 1, expect_reply},
	{"title", 1, expect_title},
	{"icon", 1, expect_icon},
	{"cwd", 1, expect_cwd},
	{"mode", 2, expect_mode},
	{"kitty", 1, expect_kitty},
	{"other-keys", 1, expect_other_keys},
	{"status", 1, expect_status},
	{"background", 1, expect_background},
	{"progress", 2, expect_progress},
	{"prompt", 1, expect_prompt},
	{"notification", 2, expect_notification},
	{"clipboard", 1, expect_clipboard},
	{"changed", 0, expect_changed},
	{"key", 2, expect_key},
	{"paste", 2, expect_paste},
};

static void run_line(struct run *run, const struct line *line)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, line->words[0].text) == 0) {
			if (line->count <= commands[i].words) {
				fail(run, "%s wants %d words", commands[i].name, commands[i].words);
			} else {
				commands[i].function(run, line);
			}
			return;
		}
	}
	fail(run, "no such command: %s", line->words[0].text);
}

/** A script in memory: its lines. */
struct script {
	char *text;
	char **lines;
	int count;
};

static struct script script_read(const char *path)
{
	struct script script = {0};
	FILE *file = fopen(path, "r");
	char line[LINE_MAX_BYTES];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		script.lines =
			realloc(script.lines, (size_t)(script.count + 1) * sizeof(script.lines[0]));
		script.lines[script.count++] = strdup(line);
	}
	if (file != NULL) {
		(void)fclose(file); // read only
	}
	return script;
}

static void script_clear(struct script *script)
{
	for (int i = 0; i < script->count; i++) {
		free(script->lines[i]);
	}
	free(script->lines);
}

static bool is_case(const char *line)
{
	return strncmp(line, "case ", 5) == 0;
}

/** Run the lines from @first up to the next case. Returns the line number of the problem, or 0. */
static int run_case(const struct script *script, int first, bool is_bytewise, struct run *run)
{
	static struct line line;
	int problem_line = 0;

	*run = (struct run){.is_bytewise = is_bytewise, .now_ms = 1000};
	run->screen = bh_screen_new(&(struct bh_screen_settings){
		.cols = DEFAULT_COLS, .rows = DEFAULT_ROWS, .xtversion = "bellhop test"});
	for (int i = first; i < script->count && !is_case(script->lines[i]); i++) {
		read_line(script->lines[i], &line);
		if (line.count > 0) {
			run_line(run, &line);
		}
		if (run->problem[0] != '\0') {
			problem_line = i + 1;
			break;
		}
	}
	bh_screen_free(run->screen);
	return problem_line;
}

static void report_case(const char *file, const struct script *script, int at, struct tally *tally)
{
	struct run run;
	char *name = script->lines[at] + 5;
	int problem = 0;

	name[strcspn(name, "\n")] = '\0';
	tally->count++;
	for (int i = 0; i < 2 && problem == 0; i++) {
		problem = run_case(script, at + 1, i == 1, &run);
	}
	printf("%s %d - %s: %s\n", problem == 0 ? "ok" : "not ok", tally->count, file, name);
	if (problem != 0) {
		tally->failed++;
		printf("# %s:%d%s: %s\n", file, problem, run.is_bytewise ? " (byte by byte)" : "",
		       run.problem);
	}
}

static void run_script(const char *folder, const char *file, struct tally *tally)
{
	char path[8192];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, file); // a cut name is not found
	struct script script = script_read(path);

	for (int i = 0; i < script.count; i++) {
		if (is_case(script.lines[i])) {
			report_case(file, &script, i, tally);
		}
	}
	script_clear(&script);
}

static int is_script(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot != NULL && strcmp(dot, ".test") == 0;
}

/** Arguments: a folder other than that of the source tree, then scripts in it. */
int main(int argc, char **argv)
{
	const char *top = getenv("BELLHOP_TEST_SRCDIR");
	struct tally tally = {0};
	struct dirent **names = NULL;
	char folder[4096];
	int count;

	(void)snprintf(folder, sizeof(folder), "%s/tests/screens",
	               top != NULL ? top : "."); // a cut name is not found
	count = argc > 1 ? 0 : scandir(folder, &names, is_script, alphasort);
	for (int i = 0; i < count; i++) {
		run_script(folder, names[i]->d_name, &tally);
		free(names[i]);
	}
	free(names);
	for (int i = 1; i < argc; i++) {
		run_script(folder, argv[i], &tally);
	}
	printf("1..%d\n", tally.count);
	return tally.count == 0 || tally.failed > 0 ? 1 : 0;
}
