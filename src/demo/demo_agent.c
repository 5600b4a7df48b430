#include "demo_agent.h"

#include "src/base/mem.h"

#include <cjson/cJSON.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A long user turn is shown by its first lines; lines that begin a mail are always shown. */
#define SHOWN_LINES 3
/** Most bytes of one such line. */
#define SHOWN_BYTES 320
#define MAIL_HEADER "Mail "

static const struct bh_demo_menu_row menu_rows[] = {
	{"/help", "say what the directives are"},
	{"/clear", "empty the transcript"},
	{"/exit", "end the program"},
};

const struct bh_demo_menu_row *bh_demo_menu_rows(size_t *count_out)
{
	*count_out = sizeof(menu_rows) / sizeof(menu_rows[0]);
	return menu_rows;
}

bool bh_demo_agent_has_menu(const struct bh_demo_agent *agent)
{
	return agent->phase == BH_DEMO_IDLE && agent->composer.len > 0 &&
	       agent->composer.data[0] == '/' && strpbrk(agent->composer.data, " \n") == NULL;
}

/* --- log and transcript --- */

static void log_event(struct bh_demo_agent *agent, const char *event, const char *text,
                      uint64_t now_ms)
{
	cJSON *line = cJSON_CreateObject();
	char *json;

	(void)cJSON_AddNumberToObject(line, "t_ms", (double)now_ms);
	(void)cJSON_AddStringToObject(line, "event", event);
	(void)cJSON_AddStringToObject(line, "text", text);
	json = cJSON_PrintUnformatted(line);
	bh_buf_printf(&agent->log, "%s\n", json == NULL ? "{}" : json);
	cJSON_free(json);
	cJSON_Delete(line);
}

static void transcript_add(struct bh_demo_agent *agent, enum bh_demo_line_kind kind,
                           const char *text, size_t len)
{
	if (agent->line_count == BH_DEMO_TRANSCRIPT_MAX) {
		free(agent->transcript[0].text);
		memmove(agent->transcript, agent->transcript + 1,
		        (BH_DEMO_TRANSCRIPT_MAX - 1) * sizeof(agent->transcript[0]));
		agent->line_count--;
	}
	agent->transcript[agent->line_count++] =
		(struct bh_demo_line){.kind = kind, .text = bh_xmemdup(text, len)};
}

static void transcript_puts(struct bh_demo_agent *agent, enum bh_demo_line_kind kind,
                            const char *text)
{
	transcript_add(agent, kind, text, strlen(text));
}

static void transcript_clear(struct bh_demo_agent *agent)
{
	for (size_t i = 0; i < agent->line_count; i++) {
		free(agent->transcript[i].text);
	}
	agent->line_count = 0;
}

/** A line of the user, cut so that the header of a mail stays on the screen. */
static void user_line_add(struct bh_demo_agent *agent, enum bh_demo_line_kind kind,
                          const char *line, size_t len)
{
	size_t cut = SHOWN_BYTES;
	char *text;

	if (len <= cut) {
		transcript_add(agent, kind, line, len);
		return;
	}
	while (cut > 0 && ((unsigned char)line[cut] & 0xC0) == 0x80) {
		cut--;
	}
	text = bh_xasprintf("%.*s …", (int)cut, line);
	transcript_puts(agent, kind, text);
	free(text);
}

static void hidden_note(struct bh_demo_agent *agent, size_t hidden)
{
	if (hidden > 0) {
		char note[64];

		(void)snprintf(note, sizeof(note), "… +%zu lines", hidden);
		transcript_puts(agent, BH_DEMO_LINE_USER_MORE, note);
	}
}

static void user_turn_show(struct bh_demo_agent *agent, const char *text)
{
	enum bh_demo_line_kind kind = BH_DEMO_LINE_USER;
	size_t number = 0;
	size_t hidden = 0;

	for (const char *line = text; line != NULL; number++) {
		size_t len = strcspn(line, "\n");
		bool is_header = strncmp(line, MAIL_HEADER, strlen(MAIL_HEADER)) == 0;

		if (number < SHOWN_LINES || is_header) {
			hidden_note(agent, hidden);
			hidden = 0;
			user_line_add(agent, kind, line, len);
			kind = BH_DEMO_LINE_USER_MORE;
		} else {
			hidden++;
		}
		line = line[len] == '\n' ? line + len + 1 : NULL;
	}
	hidden_note(agent, hidden);
}

/* --- the turn --- */

static void turn_begin(struct bh_demo_agent *agent, const char *text, uint64_t now_ms)
{
	bh_demo_script_parse(&agent->script, text);
	agent->step = 0;
	agent->step_ends_ms = 0;
	agent->turn_started_ms = now_ms;
	agent->is_done = false;
	agent->phase = BH_DEMO_WORKING;
}

static void turn_start(struct bh_demo_agent *agent, const char *text, uint64_t now_ms)
{
	log_event(agent, "user", text, now_ms);
	user_turn_show(agent, text);
	turn_begin(agent, text, now_ms);
}

static void turn_end(struct bh_demo_agent *agent, bool is_done, uint64_t now_ms)
{
	char *text;

	bh_demo_script_clear(&agent->script);
	agent->step = 0;
	agent->step_ends_ms = 0;
	agent->is_done = is_done;
	agent->phase = BH_DEMO_IDLE;
	log_event(agent, "turn_end", is_done ? "done" : "interrupted", now_ms);
	if (agent->queue_count == 0) {
		return;
	}
	text = agent->queue[0];
	agent->queue_count--;
	memmove(agent->queue, agent->queue + 1, agent->queue_count * sizeof(agent->queue[0]));
	turn_start(agent, text, now_ms);
	free(text);
}

static void program_end(struct bh_demo_agent *agent, int status, uint64_t now_ms)
{
	agent->exit_status = status;
	agent->phase = BH_DEMO_OVER;
	log_event(agent, "exit", "", now_ms);
}

static void dialog_open(struct bh_demo_agent *agent, const char *question, uint64_t now_ms)
{
	agent->question = bh_xstrdup(question);
	agent->choice = 0;
	agent->phase = BH_DEMO_ASKING;
	log_event(agent, "ask", question, now_ms);
}

static void step_begin(struct bh_demo_agent *agent, struct bh_demo_step *step, uint64_t now_ms)
{
	switch (step->kind) {
	case BH_DEMO_STEP_WORK:
		agent->step_ends_ms = now_ms + step->number;
		return;
	case BH_DEMO_STEP_ASK:
		dialog_open(agent, step->text, now_ms);
		return;
	case BH_DEMO_STEP_SAY:
		transcript_puts(agent, BH_DEMO_LINE_SAY, step->text);
		return;
	case BH_DEMO_STEP_RUN:
		transcript_puts(agent, BH_DEMO_LINE_TOOL, step->text);
		agent->command = bh_xstrdup(step->text);
		agent->is_tool_running = true;
		log_event(agent, "run", step->text, now_ms);
		return;
	case BH_DEMO_STEP_EXIT:
		program_end(agent, (int)step->number, now_ms);
		return;
	}
}

static void turn_advance(struct bh_demo_agent *agent, uint64_t now_ms)
{
	while (agent->phase == BH_DEMO_WORKING && !agent->is_tool_running) {
		if (agent->step_ends_ms > now_ms) {
			return;
		}
		agent->step_ends_ms = 0;
		if (agent->step == agent->script.count) {
			turn_end(agent, true, now_ms);
			continue;
		}
		step_begin(agent, &agent->script.steps[agent->step++], now_ms);
	}
}

static void turn_interrupt(struct bh_demo_agent *agent, uint64_t now_ms)
{
	agent->is_tool_unwanted = agent->is_tool_running;
	agent->is_tool_running = false;
	bh_buf_clear(&agent->tool_line);
	transcript_puts(agent, BH_DEMO_LINE_NOTE, "Interrupted · what should be done instead?");
	turn_end(agent, false, now_ms);
}

/* --- the composer --- */

static size_t line_count(struct bh_span text)
{
	size_t lines = 1;

	for (size_t i = 0; i < text.len; i++) {
		lines += text.data[i] == '\n';
	}
	return lines;
}

static void composer_clear(struct bh_demo_agent *agent)
{
	bh_buf_clear(&agent->composer);
	for (size_t i = 0; i < agent->paste_count; i++) {
		free(agent->pastes[i]);
	}
	agent->paste_count = 0;
	agent->choice = 0;
}

static void placeholder_print(struct bh_buf *out, size_t number, struct bh_span text)
{
	bh_buf_printf(out, "[Pasted text #%zu +%zu lines]", number, line_count(text) - 1);
}

/* Terminals send CR, some CR LF, for a line break inside a paste. The caller frees. */
static char *paste_dup(struct bh_span text)
{
	char *copy = bh_xmalloc(text.len + 1);
	size_t len = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '\n' && i > 0 && text.data[i - 1] == '\r') {
			continue;
		}
		copy[len++] = (char)(text.data[i] == '\r' ? '\n' : text.data[i]);
	}
	return copy;
}

static void composer_paste(struct bh_demo_agent *agent, struct bh_span text)
{
	char *copy = paste_dup(text);
	bool is_large = text.len > BH_DEMO_PASTE_BYTES ||
	                line_count(bh_span_of(copy)) > BH_DEMO_PASTE_LINES;

	if (is_large && agent->paste_count < BH_DEMO_PASTES_MAX) {
		agent->pastes[agent->paste_count++] = copy;
		placeholder_print(&agent->composer, agent->paste_count, bh_span_of(copy));
		return;
	}
	bh_buf_puts(&agent->composer, copy);
	free(copy);
}

static void composer_backspace(struct bh_demo_agent *agent)
{
	struct bh_buf *composer = &agent->composer;

	while (composer->len > 0) {
		unsigned char byte = (unsigned char)composer->data[--composer->len];

		composer->data[composer->len] = '\0';
		if ((byte & 0xc0) != 0x80) {
			return;
		}
	}
}

/* What the composer means: placeholders replaced by their pastes, blanks at the end dropped as agents
 * do. The caller frees. */
static char *composer_text(const struct bh_demo_agent *agent)
{
	struct bh_buf out = {0};
	const char *at = agent->composer.data;

	for (size_t i = 0; i < agent->paste_count; i++) {
		struct bh_buf mark = {0};
		const char *found;

		placeholder_print(&mark, i + 1, bh_span_of(agent->pastes[i]));
		found = strstr(at, mark.data);
		if (found != NULL) {
			bh_buf_append(&out, at, (size_t)(found - at));
			bh_buf_puts(&out, agent->pastes[i]);
			at = found + mark.len;
		}
		bh_buf_clear(&mark);
	}
	bh_buf_puts(&out, at);
	while (out.len > 0 && (out.data[out.len - 1] == ' ' || out.data[out.len - 1] == '\n')) {
		out.data[--out.len] = '\0';
	}
	return bh_buf_detach(&out);
}

static bool text_is_blank(const char *text)
{
	return text[strspn(text, " \n")] == '\0';
}

static void command_run(struct bh_demo_agent *agent, const char *name, uint64_t now_ms)
{
	if (strcmp(name, "/exit") == 0) {
		program_end(agent, 0, now_ms);
	} else if (strcmp(name, "/clear") == 0) {
		transcript_clear(agent);
	} else if (strcmp(name, "/help") == 0) {
		transcript_puts(
			agent, BH_DEMO_LINE_NOTE,
			"DEMO:work N, DEMO:ask TEXT, DEMO:say TEXT, DEMO:run CMD, DEMO:exit N");
	} else {
		transcript_puts(agent, BH_DEMO_LINE_NOTE, "Unknown command");
	}
}

/* A text that begins with a slash is a command, never sent: as in the real agents. */
static void command_submit(struct bh_demo_agent *agent, uint64_t now_ms)
{
	char *name = bh_demo_agent_has_menu(agent) && agent->composer.len == 1
	                     ? bh_xstrdup(menu_rows[agent->choice].name)
	                     : bh_xstrdup(agent->composer.data);

	composer_clear(agent);
	command_run(agent, name, now_ms);
	free(name);
}

static void composer_submit(struct bh_demo_agent *agent, uint64_t now_ms)
{
	char *text;

	if (agent->settings.is_swallowing_enter && !agent->has_swallowed) {
		agent->has_swallowed = true;
		return;
	}
	if (agent->composer.len == 0 || text_is_blank(agent->composer.data)) {
		return;
	}
	if (agent->composer.data[0] == '/' && agent->phase == BH_DEMO_IDLE) {
		command_submit(agent, now_ms);
		return;
	}
	if (agent->phase == BH_DEMO_WORKING &&
	    (!agent->settings.is_queueing || agent->queue_count == BH_DEMO_QUEUE_MAX)) {
		return;
	}
	text = composer_text(agent);
	composer_clear(agent);
	if (agent->phase == BH_DEMO_WORKING) {
		log_event(agent, "queued", text, now_ms);
		agent->queue[agent->queue_count++] = text;
		return;
	}
	turn_start(agent, text, now_ms);
	free(text);
	turn_advance(agent, now_ms);
}

static void menu_move(struct bh_demo_agent *agent, int by)
{
	size_t count;

	if (bh_demo_agent_has_menu(agent)) {
		(void)bh_demo_menu_rows(&count);
		agent->choice = (agent->choice + count + (size_t)by) % count;
	}
}

static void cancel_pressed(struct bh_demo_agent *agent, uint64_t now_ms)
{
	if (agent->composer.len > 0) {
		composer_clear(agent);
	} else if (agent->phase == BH_DEMO_WORKING) {
		turn_interrupt(agent, now_ms);
	}
}

static void escape_pressed(struct bh_demo_agent *agent, uint64_t now_ms)
{
	if (agent->phase == BH_DEMO_WORKING) {
		turn_interrupt(agent, now_ms);
	} else if (bh_demo_agent_has_menu(agent)) {
		composer_clear(agent);
	}
}

static void composer_key(struct bh_demo_agent *agent, const struct bh_demo_event *event,
                         uint64_t now_ms)
{
	switch (event->key) {
	case BH_DEMO_KEY_TEXT:
		bh_buf_append(&agent->composer, event->text.data, event->text.len);
		return;
	case BH_DEMO_KEY_PASTE:
		composer_paste(agent, event->text);
		return;
	case BH_DEMO_KEY_NEWLINE:
		bh_buf_puts(&agent->composer, "\n");
		return;
	case BH_DEMO_KEY_ENTER:
		composer_submit(agent, now_ms);
		return;
	case BH_DEMO_KEY_BACKSPACE:
		composer_backspace(agent);
		return;
	case BH_DEMO_KEY_ERASE:
		composer_clear(agent);
		return;
	case BH_DEMO_KEY_CANCEL:
		cancel_pressed(agent, now_ms);
		return;
	case BH_DEMO_KEY_ESCAPE:
		escape_pressed(agent, now_ms);
		return;
	case BH_DEMO_KEY_EOF:
		if (agent->composer.len == 0) {
			program_end(agent, 0, now_ms);
		}
		return;
	case BH_DEMO_KEY_UP:
		menu_move(agent, -1);
		return;
	case BH_DEMO_KEY_DOWN:
		menu_move(agent, 1);
		return;
	case BH_DEMO_KEY_STATUS_ANSWER:
	case BH_DEMO_KEY_DA1_ANSWER:
	case BH_DEMO_KEY_OTHER:
		return;
	}
}

/* --- dialogs --- */

static void dialog_answer(struct bh_demo_agent *agent, bool is_yes, uint64_t now_ms)
{
	const char *word = is_yes ? "approved" : "denied";
	char *line;

	if (agent->phase == BH_DEMO_TRUST) {
		agent->phase = BH_DEMO_IDLE;
		log_event(agent, word, "trust", now_ms);
		if (!is_yes) {
			program_end(agent, 1, now_ms);
		}
		return;
	}
	line = bh_xasprintf("%s: %s", word, agent->question);
	log_event(agent, word, agent->question, now_ms);
	transcript_puts(agent, BH_DEMO_LINE_NOTE, line);
	free(line);
	free(agent->question);
	agent->question = NULL;
	agent->choice = 0;
	agent->phase = BH_DEMO_WORKING;
	turn_advance(agent, now_ms);
}

/* Typed letters are hot keys, a paste is dropped, Enter takes the marked answer: as in the real
 * agents, where a message typed into a dialog answers it. */
static void dialog_key(struct bh_demo_agent *agent, const struct bh_demo_event *event,
                       uint64_t now_ms)
{
	char letter = event->key == BH_DEMO_KEY_TEXT ? event->text.data[0] : '\0';

	if (event->key == BH_DEMO_KEY_UP || event->key == BH_DEMO_KEY_DOWN) {
		agent->choice = 1 - agent->choice;
	} else if (event->key == BH_DEMO_KEY_ENTER) {
		dialog_answer(agent, agent->choice == 0, now_ms);
	} else if (event->key == BH_DEMO_KEY_ESCAPE || event->key == BH_DEMO_KEY_CANCEL ||
	           letter == 'n' || letter == '2') {
		dialog_answer(agent, false, now_ms);
	} else if (letter == 'y' || letter == '1') {
		dialog_answer(agent, true, now_ms);
	}
}

/* --- the tool --- */

static void tool_line_end(struct bh_demo_agent *agent)
{
	if (agent->tool_line.len > 0) {
		transcript_puts(agent, BH_DEMO_LINE_OUTPUT, agent->tool_line.data);
	}
	bh_buf_clear(&agent->tool_line);
}

void bh_demo_agent_tool_output(struct bh_demo_agent *agent, const void *bytes, size_t len)
{
	const char *at = bytes;

	if (!agent->is_tool_running) {
		return;
	}
	for (size_t i = 0; i < len; i++) {
		if (at[i] == '\n') {
			tool_line_end(agent);
		} else {
			bh_buf_append(&agent->tool_line, &at[i], 1);
		}
	}
}

void bh_demo_agent_tool_done(struct bh_demo_agent *agent, int status, uint64_t now_ms)
{
	char note[32];

	if (!agent->is_tool_running) {
		return;
	}
	tool_line_end(agent);
	(void)snprintf(note, sizeof(note), "exit status %d", status);
	transcript_puts(agent, BH_DEMO_LINE_OUTPUT, note);
	log_event(agent, "ran", note, now_ms);
	agent->is_tool_running = false;
	turn_advance(agent, now_ms);
}

/* --- life --- */

void bh_demo_agent_init(struct bh_demo_agent *agent, const struct bh_demo_settings *settings,
                        uint64_t now_ms)
{
	*agent = (struct bh_demo_agent){.settings = *settings, .phase = BH_DEMO_STARTING};
	agent->step_ends_ms = now_ms + settings->start_ms;
	bh_demo_agent_tick(agent, now_ms);
}

void bh_demo_agent_clear(struct bh_demo_agent *agent)
{
	composer_clear(agent);
	transcript_clear(agent);
	bh_demo_script_clear(&agent->script);
	for (size_t i = 0; i < agent->queue_count; i++) {
		free(agent->queue[i]);
	}
	free(agent->question);
	free(agent->command);
	bh_buf_clear(&agent->tool_line);
	bh_buf_clear(&agent->log);
	*agent = (struct bh_demo_agent){.phase = BH_DEMO_OVER};
}

void bh_demo_agent_key(struct bh_demo_agent *agent, const struct bh_demo_event *event,
                       uint64_t now_ms)
{
	switch (agent->phase) {
	case BH_DEMO_STARTING:
	case BH_DEMO_OVER:
		return;
	case BH_DEMO_TRUST:
	case BH_DEMO_ASKING:
		dialog_key(agent, event, now_ms);
		return;
	case BH_DEMO_IDLE:
	case BH_DEMO_WORKING:
		composer_key(agent, event, now_ms);
		return;
	}
}

void bh_demo_agent_tick(struct bh_demo_agent *agent, uint64_t now_ms)
{
	if (agent->phase == BH_DEMO_STARTING && now_ms >= agent->step_ends_ms) {
		agent->step_ends_ms = 0;
		agent->phase = agent->settings.is_asking_trust ? BH_DEMO_TRUST : BH_DEMO_IDLE;
	}
	turn_advance(agent, now_ms);
}

void bh_demo_agent_ask(struct bh_demo_agent *agent, const char *question, uint64_t now_ms)
{
	if (agent->phase == BH_DEMO_IDLE || agent->phase == BH_DEMO_WORKING) {
		dialog_open(agent, question, now_ms);
	}
}

void bh_demo_agent_begin(struct bh_demo_agent *agent, const char *script, uint64_t now_ms)
{
	if (agent->phase == BH_DEMO_IDLE) {
		log_event(agent, "self", script, now_ms);
		turn_begin(agent, script, now_ms);
		turn_advance(agent, now_ms);
	}
}

uint64_t bh_demo_agent_due(const struct bh_demo_agent *agent)
{
	return agent->step_ends_ms;
}
