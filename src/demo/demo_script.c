#include "demo_script.h"

#include "src/base/mem.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIRECTIVE "DEMO:"
/* How long a turn without directives takes: long enough to be seen working. */
#define SHORT_TURN_MS 400
#define WORK_MAX_S 3600.0

static const struct {
	const char *word;
	enum bh_demo_step_kind kind;
} step_words[] = {
	{"work", BH_DEMO_STEP_WORK}, {"ask", BH_DEMO_STEP_ASK},   {"say", BH_DEMO_STEP_SAY},
	{"run", BH_DEMO_STEP_RUN},   {"exit", BH_DEMO_STEP_EXIT},
};

static struct bh_demo_step *script_add(struct bh_demo_script *script, enum bh_demo_step_kind kind)
{
	script->steps = bh_xrealloc(script->steps, script->count + 1, sizeof(*script->steps));
	script->steps[script->count] = (struct bh_demo_step){.kind = kind};
	return &script->steps[script->count++];
}

static uint64_t milliseconds_of(const char *text)
{
	double seconds = strtod(text, NULL);

	if (!(seconds > 0)) {
		return 0;
	}
	return (uint64_t)((seconds > WORK_MAX_S ? WORK_MAX_S : seconds) * 1000);
}

/* @argument is ours. */
static void step_set(struct bh_demo_step *step, char *argument)
{
	switch (step->kind) {
	case BH_DEMO_STEP_WORK:
		step->number = milliseconds_of(argument);
		free(argument);
		return;
	case BH_DEMO_STEP_EXIT:
		step->number = strtoul(argument, NULL, 10) & 0xff;
		free(argument);
		return;
	case BH_DEMO_STEP_ASK:
	case BH_DEMO_STEP_SAY:
	case BH_DEMO_STEP_RUN:
		step->text = argument;
		return;
	}
}

/* The argument from @start to the next directive or the end of the line, blanks cut off. */
static char *argument_dup(const char *start)
{
	size_t len = strcspn(start, "\n");
	const char *next = strstr(start, DIRECTIVE);

	if (next != NULL && (size_t)(next - start) < len) {
		len = (size_t)(next - start);
	}
	while (len > 0 && isspace((unsigned char)*start)) {
		start++;
		len--;
	}
	while (len > 0 && isspace((unsigned char)start[len - 1])) {
		len--;
	}
	return bh_xmemdup(start, len);
}

static void directive_add(struct bh_demo_script *script, const char *word)
{
	for (size_t i = 0; i < sizeof(step_words) / sizeof(step_words[0]); i++) {
		size_t len = strlen(step_words[i].word);

		if (strncmp(word, step_words[i].word, len) == 0 &&
		    !isalnum((unsigned char)word[len])) {
			step_set(script_add(script, step_words[i].kind), argument_dup(word + len));
			return;
		}
	}
}

static bool text_has_notice(const char *text)
{
	for (const char *line = text; line != NULL;) {
		if (strncmp(line, "Mail n", 6) == 0 && isdigit((unsigned char)line[6])) {
			return true;
		}
		line = strchr(line, '\n');
		line = line == NULL ? NULL : line + 1;
	}
	return false;
}

static void short_turn_add(struct bh_demo_script *script)
{
	script_add(script, BH_DEMO_STEP_WORK)->number = SHORT_TURN_MS;
	step_set(script_add(script, BH_DEMO_STEP_SAY), bh_xstrdup("Understood."));
}

void bh_demo_script_parse(struct bh_demo_script *script, const char *text)
{
	bh_demo_script_clear(script);
	if (text_has_notice(text)) {
		step_set(script_add(script, BH_DEMO_STEP_RUN), bh_xstrdup("bellhop inbox"));
		return;
	}
	for (const char *at = strstr(text, DIRECTIVE); at != NULL; at = strstr(at, DIRECTIVE)) {
		at += strlen(DIRECTIVE);
		directive_add(script, at);
	}
	if (script->count == 0) {
		short_turn_add(script);
	}
}

void bh_demo_script_clear(struct bh_demo_script *script)
{
	for (size_t i = 0; i < script->count; i++) {
		free(script->steps[i].text);
	}
	free(script->steps);
	*script = (struct bh_demo_script){0};
}
