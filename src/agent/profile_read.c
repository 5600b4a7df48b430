// From JSON to struct bh_profile. The keys are described in doc/HACKING.md; tests/unit/
// test-profile_read.c shows the errors.
#include "profile_data.h"

#include "json_read.h"
#include "pattern.h"
#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/mem.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/** Most rules or regions of a profile, most patterns of a list. */
#define PROFILE_LIST_MAX 100

static const char *const mark_words[] = {"none",   "idle",     "working", "awaiting",
                                         "dialog", "starting", "veto",    NULL};
static const char *const anchor_words[] = {"bottom", "end",   "cursor", "above",
                                           "below",  "title", NULL};
static const char *const turn_words[] = {"none", "done", "interrupted", "error", NULL};
static const char *const proof_words[] = {"none", "claude", "codex",    "screen",
                                          "pi",   "gemini", "opencode", NULL};
static const char *const launch_words[] = {"plain", "claude", "codex", "gemini", NULL};

static const int range_row[2] = {-1000, 1000};
static const int range_ms[2] = {0, 600000};
static const int range_count[2] = {0, 100000};

const char *bh_mark_word(enum bh_mark mark)
{
	return mark_words[mark];
}

/** The pattern at @key, or NULL when it is not there. */
static struct bh_pattern *read_pattern(struct bh_json_reader *reader, const cJSON *object,
                                       const char *key)
{
	const char *text = bh_json_read_text(reader, object, key, NULL);
	struct bh_err err = {0};
	struct bh_pattern *pattern = text ? bh_pattern_new(text, &err) : NULL;

	if (text && !pattern) {
		bh_json_read_fail(reader, key, "%s", err.text);
	}
	return pattern;
}

/** The list of patterns at @key; empty when it is not there. */
static struct bh_patterns read_patterns(struct bh_json_reader *reader, const cJSON *object,
                                        const char *key)
{
	const cJSON *list = bh_json_read_array(reader, object, key);
	struct bh_patterns patterns = {0};
	size_t mark = bh_json_read_enter(reader, key, 0);
	const cJSON *item = NULL;
	int index = 0;

	if (cJSON_GetArraySize(list) > PROFILE_LIST_MAX) {
		bh_json_read_fail(reader, NULL, "has more than %d entries", PROFILE_LIST_MAX);
		list = NULL;
	}
	patterns.list = bh_xcalloc((size_t)cJSON_GetArraySize(list) + 1, sizeof(void *));
	cJSON_ArrayForEach(item, list)
	{
		size_t inner = bh_json_read_enter(reader, NULL, index++);
		struct bh_err err = {0};
		struct bh_pattern *pattern =
			cJSON_IsString(item) ? bh_pattern_new(item->valuestring, &err) : NULL;

		if (pattern) {
			patterns.list[patterns.count++] = pattern;
		} else {
			bh_json_read_fail(reader, NULL, "%s",
			                  *err.text ? err.text : "must be a string");
		}
		bh_json_read_leave(reader, inner);
	}
	bh_json_read_leave(reader, mark);
	return patterns;
}

/** "yes", "no", or nothing at @key. */
static enum bh_maybe read_maybe(struct bh_json_reader *reader, const cJSON *object, const char *key)
{
	if (!cJSON_HasObjectItem(object, key)) {
		return BH_MAYBE_ANY;
	}
	return bh_json_read_bool(reader, object, key, false) ? BH_MAYBE_YES : BH_MAYBE_NO;
}

/** SGR conditions: words, with "not-" before for "must not have". */
static void read_ink(struct bh_json_reader *reader, const cJSON *object, struct bh_rule *rule)
{
	static const char *const words[] = {"dim", "bold", "reverse", "coloured", NULL};
	char **wanted = bh_json_read_texts(reader, object, "sgr");

	for (char **word = wanted; *word; word++) {
		bool is_not = strncmp(*word, "not-", 4) == 0;
		int i = 0;

		while (words[i] && strcmp(words[i], *word + (is_not ? 4 : 0)) != 0) {
			i++;
		}
		if (!words[i]) {
			bh_json_read_fail(reader, "sgr",
			                  "\"%.40s\" is not one of dim, bold, reverse, coloured, "
			                  "or one of these after \"not-\"",
			                  *word);
		} else if (is_not) {
			rule->ink_none = (uint8_t)(rule->ink_none | (1U << i));
		} else {
			rule->ink_all = (uint8_t)(rule->ink_all | (1U << i));
		}
	}
	for (char **word = wanted; *word; word++) {
		free(*word);
	}
	free(wanted);
}

static void read_composer(struct bh_json_reader *reader, const cJSON *root,
                          struct bh_composer_spec *spec)
{
	static const char *const keys[] = {"prompt",
	                                   "other_prompt",
	                                   "above",
	                                   "continuation",
	                                   "below",
	                                   "rows",
	                                   "cursor_shown",
	                                   "cursor_home",
	                                   "dim_is_empty",
	                                   "placeholder",
	                                   "paste",
	                                   "footer",
	                                   "may_fill",
	                                   "why",
	                                   "paste_counts_first_line",
	                                   "edge",
	                                   "cursor_indent",
	                                   "placeholder_always",
	                                   NULL};
	const cJSON *object = bh_json_read_object(reader, root, "composer");
	size_t mark = bh_json_read_enter(reader, "composer", 0);

	if (object) {
		bh_json_read_only(reader, object, keys);
		spec->prompt = read_pattern(reader, object, "prompt");
		spec->other_prompt = read_pattern(reader, object, "other_prompt");
		spec->above = read_pattern(reader, object, "above");
		spec->continuation = read_pattern(reader, object, "continuation");
		spec->below = read_patterns(reader, object, "below");
		spec->footer = read_pattern(reader, object, "footer");
		spec->rows_max = bh_json_read_number(reader, object, "rows", range_count, 12);
		spec->may_fill = bh_json_read_bool(reader, object, "may_fill", false);
		spec->is_cursor_shown = bh_json_read_bool(reader, object, "cursor_shown", false);
		spec->cursor_home =
			bh_json_read_number(reader, object, "cursor_home", range_row, -1);
		spec->is_dim_empty = bh_json_read_bool(reader, object, "dim_is_empty", false);
		spec->placeholder = read_pattern(reader, object, "placeholder");
		spec->cursor_indent =
			bh_json_read_number(reader, object, "cursor_indent", range_row, -1);
		spec->has_placeholder_always =
			bh_json_read_bool(reader, object, "placeholder_always", false);
		spec->edge = read_pattern(reader, object, "edge");
		spec->paste = read_pattern(reader, object, "paste");
		spec->has_paste_first_line =
			bh_json_read_bool(reader, object, "paste_counts_first_line", false);
		if (!spec->prompt) {
			bh_json_read_fail(reader, "prompt", "is missing");
		}
	}
	bh_json_read_leave(reader, mark);
}

/** The keys that clear, as often as the profile says: most programs clear one line at a time. */
static char *read_clear_keys(struct bh_json_reader *reader, const cJSON *object)
{
	static const int range_repeat[2] = {1, 500};
	const char *keys = bh_json_read_text(reader, object, "clear_keys", NULL);
	int repeat = bh_json_read_number(reader, object, "clear_repeat", range_repeat, 1);
	struct bh_buf out = {0};

	if (!keys) {
		return NULL;
	}
	for (int i = 0; i < repeat; i++) {
		bh_buf_puts(&out, keys);
	}
	return bh_buf_detach(&out);
}

static void read_typing(struct bh_json_reader *reader, const cJSON *root,
                        struct bh_profile *profile)
{
	static const char *const keys[] = {"settle_ms",
	                                   "echo_limit_ms",
	                                   "proof_limit_ms",
	                                   "clear_keys",
	                                   "clear_repeat",
	                                   "text_bytes_max",
	                                   "text_lines_max",
	                                   "list_marks",
	                                   "release_ms",
	                                   "why",
	                                   NULL};
	const cJSON *object = bh_json_read_object(reader, root, "typing");
	struct bh_typing_rules *typing = &profile->typing;
	size_t mark = bh_json_read_enter(reader, "typing", 0);

	if (object) {
		bh_json_read_only(reader, object, keys);
		typing->is_allowed = true;
		typing->settle_ms =
			(uint32_t)bh_json_read_number(reader, object, "settle_ms", range_ms, 150);
		typing->echo_limit_ms = (uint32_t)bh_json_read_number(
			reader, object, "echo_limit_ms", range_ms, 5000);
		typing->proof_limit_ms = (uint32_t)bh_json_read_number(
			reader, object, "proof_limit_ms", range_ms, 5000);
		typing->release_ms =
			(uint32_t)bh_json_read_number(reader, object, "release_ms", range_ms, 0);
		typing->text_bytes_max = (size_t)bh_json_read_number(
			reader, object, "text_bytes_max", range_count, 2048);
		typing->text_lines_max = (size_t)bh_json_read_number(
			reader, object, "text_lines_max", range_count, 20);
		profile->clear_keys = read_clear_keys(reader, object);
		typing->clear_keys = profile->clear_keys;
		profile->list_marks =
			bh_xstrdup(bh_json_read_text(reader, object, "list_marks", NULL));
		typing->list_marks = profile->list_marks;
	}
	bh_json_read_leave(reader, mark);
}

static void read_regions(struct bh_json_reader *reader, const cJSON *root,
                         struct bh_profile *profile)
{
	static const char *const keys[] = {"anchor", "first", "last", "why", NULL};
	const cJSON *list = bh_json_read_object(reader, root, "regions");
	size_t mark = bh_json_read_enter(reader, "regions", 0);
	const cJSON *item = NULL;

	if (cJSON_GetArraySize(list) > PROFILE_LIST_MAX) {
		bh_json_read_fail(reader, NULL, "has more than %d entries", PROFILE_LIST_MAX);
		list = NULL;
	}
	profile->regions =
		bh_xcalloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *profile->regions);
	cJSON_ArrayForEach(item, list)
	{
		struct bh_region *region = &profile->regions[profile->region_count++];
		size_t inner = bh_json_read_enter(reader, item->string, 0);

		bh_json_read_only(reader, item, keys);
		region->name = bh_xstrdup(item->string);
		region->anchor = (enum bh_anchor)bh_json_read_word(reader, item, "anchor",
		                                                   anchor_words, BH_ANCHOR_BOTTOM);
		region->first = bh_json_read_number(reader, item, "first", range_row, -1);
		region->last = bh_json_read_number(reader, item, "last", range_row, -1);
		bh_json_read_leave(reader, inner);
	}
	bh_json_read_leave(reader, mark);
}

/** Index of the region that the rule names. */
static size_t read_region_name(struct bh_json_reader *reader, const cJSON *object,
                               const struct bh_profile *profile)
{
	const char *name = bh_json_read_text(reader, object, "region", "");

	for (size_t i = 0; i < profile->region_count; i++) {
		if (strcmp(profile->regions[i].name, name) == 0) {
			return i;
		}
	}
	bh_json_read_fail(reader, "region", "there is no region \"%.40s\"", name);
	return 0;
}

static void read_rule(struct bh_json_reader *reader, const cJSON *object,
                      const struct bh_profile *profile, struct bh_rule *rule)
{
	static const char *const keys[] = {
		"name",      "why",       "says",       "priority", "region",    "all",
		"any",       "none",      "sgr",        "choices",  "composer",  "cursor_shown",
		"alternate", "last_turn", "background", "latched",  "within_ms", NULL};
	static const int range_priority[2] = {0, 1000};

	bh_json_read_only(reader, object, keys);
	rule->name = bh_xstrdup(bh_json_read_text(reader, object, "name", ""));
	rule->why = bh_xstrdup(bh_json_read_text(reader, object, "why", ""));
	rule->says =
		(enum bh_mark)bh_json_read_word(reader, object, "says", mark_words, BH_MARK_NONE);
	rule->priority = bh_json_read_number(reader, object, "priority", range_priority, 0);
	rule->region = read_region_name(reader, object, profile);
	rule->all = read_patterns(reader, object, "all");
	rule->any = read_patterns(reader, object, "any");
	rule->none = read_patterns(reader, object, "none");
	rule->choices_min = bh_json_read_number(reader, object, "choices", range_count, 0);
	rule->composer = read_maybe(reader, object, "composer");
	rule->cursor_shown = read_maybe(reader, object, "cursor_shown");
	rule->alternate = read_maybe(reader, object, "alternate");
	rule->last_turn = (enum bh_last_turn)bh_json_read_word(reader, object, "last_turn",
	                                                       turn_words, BH_TURN_NONE);
	rule->is_background = bh_json_read_bool(reader, object, "background", false);
	rule->within_ms = (uint32_t)bh_json_read_number(reader, object, "within_ms", range_ms, 0);
	rule->is_latched = bh_json_read_bool(reader, object, "latched", false);
	read_ink(reader, object, rule);
	if (!*rule->name) {
		bh_json_read_fail(reader, "name", "is missing");
	}
	if (rule->all.count + rule->any.count == 0 && rule->choices_min == 0) {
		bh_json_read_fail(reader, NULL,
		                  "has none of all, any, choices: it would always match");
	}
}

static int rule_compare(const void *a, const void *b)
{
	return ((const struct bh_rule *)b)->priority - ((const struct bh_rule *)a)->priority;
}

static void read_rules(struct bh_json_reader *reader, const cJSON *root, struct bh_profile *profile)
{
	const cJSON *list = bh_json_read_array(reader, root, "rules");
	size_t mark = bh_json_read_enter(reader, "rules", 0);
	const cJSON *item = NULL;
	int index = 0;

	if (cJSON_GetArraySize(list) > PROFILE_LIST_MAX) {
		bh_json_read_fail(reader, NULL, "has more than %d entries", PROFILE_LIST_MAX);
		list = NULL;
	}
	profile->rules = bh_xcalloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *profile->rules);
	cJSON_ArrayForEach(item, list)
	{
		size_t inner = bh_json_read_enter(reader, NULL, index++);

		read_rule(reader, item, profile, &profile->rules[profile->rule_count++]);
		bh_json_read_leave(reader, inner);
	}
	bh_json_read_leave(reader, mark);
	if (profile->rule_count) {
		qsort(profile->rules, profile->rule_count, sizeof *profile->rules, rule_compare);
	}
}

static void read_timing(struct bh_json_reader *reader, const cJSON *root, struct bh_timing *timing)
{
	static const char *const keys[] = {"hold_ms",
	                                   "hold_alone_ms",
	                                   "hold_dialog_ms",
	                                   "hold_start_ms",
	                                   "hold_resize_ms",
	                                   "hold_file_ms",
	                                   "epoch_ms",
	                                   "why",
	                                   NULL};
	static const cJSON empty = {.type = cJSON_Object};
	const cJSON *given = bh_json_read_object(reader, root, "timing");
	const cJSON *object = given ? given : &empty;
	size_t mark = bh_json_read_enter(reader, "timing", 0);

	bh_json_read_only(reader, object, keys);
	timing->hold_ms = (uint32_t)bh_json_read_number(reader, object, "hold_ms", range_ms, 300);
	timing->hold_alone_ms =
		(uint32_t)bh_json_read_number(reader, object, "hold_alone_ms", range_ms, 1000);
	timing->hold_dialog_ms =
		(uint32_t)bh_json_read_number(reader, object, "hold_dialog_ms", range_ms, 1000);
	timing->hold_start_ms =
		(uint32_t)bh_json_read_number(reader, object, "hold_start_ms", range_ms, 1000);
	timing->hold_resize_ms =
		(uint32_t)bh_json_read_number(reader, object, "hold_resize_ms", range_ms, 500);
	timing->hold_file_ms =
		(uint32_t)bh_json_read_number(reader, object, "hold_file_ms", range_ms, 1500);
	timing->epoch_ms =
		(uint32_t)bh_json_read_number(reader, object, "epoch_ms", range_ms, 5000);
	bh_json_read_leave(reader, mark);
}

static void read_status(struct bh_json_reader *reader, const cJSON *root,
                        struct bh_profile *profile)
{
	static const char *const keys[] = {"app", "background", "early", "why", NULL};
	const cJSON *object = bh_json_read_object(reader, root, "status");
	size_t mark = bh_json_read_enter(reader, "status", 0);

	if (object) {
		bh_json_read_only(reader, object, keys);
		profile->status_app = bh_xstrdup(bh_json_read_text(reader, object, "app", NULL));
		profile->status_background = read_pattern(reader, object, "background");
		profile->is_status_early = bh_json_read_bool(reader, object, "early", false);
	}
	bh_json_read_leave(reader, mark);
}

/** Whether one of the words says which session is meant. */
static bool words_name_session(char *const *words)
{
	for (; *words; words++) {
		if (strstr(*words, "{session}") || strstr(*words, "{record}")) {
			return true;
		}
	}
	return false;
}

static void read_resume(struct bh_json_reader *reader, const cJSON *root,
                        struct bh_profile *profile)
{
	static const char *const keys[] = {"words",  "flags",     "lists", "instead",
	                                   "refuse", "arguments", "why",   NULL};
	const cJSON *object = bh_json_read_object(reader, root, "resume");
	struct bh_resume_spec *spec = &profile->resume;
	size_t mark = bh_json_read_enter(reader, "resume", 0);

	if (object) {
		bh_json_read_only(reader, object, keys);
		spec->words = bh_json_read_texts(reader, object, "words");
		spec->flags = bh_json_read_texts(reader, object, "flags");
		spec->lists = bh_json_read_texts(reader, object, "lists");
		spec->instead = bh_json_read_texts(reader, object, "instead");
		spec->refuse = bh_json_read_texts(reader, object, "refuse");
		spec->has_arguments = bh_json_read_bool(reader, object, "arguments", false);
		if (!words_name_session(spec->words)) {
			bh_json_read_fail(reader, "words", "must hold {session} or {record}");
		}
		if (profile->proof == BH_PROOF_KIND_NONE ||
		    profile->proof == BH_PROOF_KIND_SCREEN) {
			bh_json_read_fail(reader, NULL,
			                  "needs a proof with records: they tell the session");
		}
	}
	bh_json_read_leave(reader, mark);
}

static void read_program(struct bh_json_reader *reader, const cJSON *root,
                         struct bh_profile *profile)
{
	static const char *const keys[] = {
		"profile",  "banner",    "versions", "about",           "written_for",
		"programs", "processes", "scrub",    "folder_variable", "advice",
		"status",   "typing",    "composer", "regions",         "rules",
		"timing",   "proof",     "turn",     "launch",          "shared_daemon",
		"clusters", "resume",    NULL};

	bh_json_read_only(reader, root, keys);
	profile->name = bh_xstrdup(bh_json_read_text(reader, root, "profile", ""));
	profile->written_for = bh_xstrdup(bh_json_read_text(reader, root, "written_for", ""));
	profile->banner = read_pattern(reader, root, "banner");
	profile->versions = bh_json_read_texts(reader, root, "versions");
	profile->programs = bh_json_read_texts(reader, root, "programs");
	profile->processes = bh_json_read_texts(reader, root, "processes");
	profile->scrub = bh_json_read_texts(reader, root, "scrub");
	profile->folder_variable =
		bh_xstrdup(bh_json_read_text(reader, root, "folder_variable", NULL));
	profile->advice =
		bh_xstrdup(bh_json_read_text(reader, root, "advice", "Run: bellhop inbox"));
	profile->has_shared_daemon = bh_json_read_bool(reader, root, "shared_daemon", false);
	profile->counts_clusters = bh_json_read_bool(reader, root, "clusters", false);
	profile->proof = (enum bh_proof_kind)bh_json_read_word(reader, root, "proof", proof_words,
	                                                       BH_PROOF_KIND_NONE);
	profile->turn_prefix = bh_xstrdup(bh_json_read_text(reader, root, "turn", NULL));
	profile->launch = (enum bh_launch_kind)bh_json_read_word(
		reader, root, "launch", launch_words, BH_LAUNCH_KIND_PLAIN);
	if (!*profile->name) {
		bh_json_read_fail(reader, "profile", "is missing");
	}
}

struct bh_profile *bh_profile_read(const char *json, size_t len, const char *origin,
                                   struct bh_err *err)
{
	struct bh_json_reader reader;
	struct bh_profile *profile;
	cJSON *root = bh_json_read_start(&reader, origin, json, len, err);

	if (!root) {
		return NULL;
	}
	profile = bh_xmalloc(sizeof *profile);
	profile->origin = bh_xstrdup(origin);
	read_program(&reader, root, profile);
	read_status(&reader, root, profile);
	read_typing(&reader, root, profile);
	read_composer(&reader, root, &profile->composer);
	read_regions(&reader, root, profile);
	read_rules(&reader, root, profile);
	read_timing(&reader, root, &profile->timing);
	read_resume(&reader, root, profile);
	if (profile->typing.is_allowed && !profile->composer.prompt) {
		bh_json_read_fail(&reader, "typing", "needs a composer");
	}
	cJSON_Delete(root);
	if (reader.has_failed) {
		bh_profile_free(profile);
		return NULL;
	}
	return profile;
}

static void texts_free(char **texts)
{
	for (char **text = texts; text && *text; text++) {
		free(*text);
	}
	free(texts);
}

static void patterns_clear(struct bh_patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++) {
		bh_pattern_free(patterns->list[i]);
	}
	free(patterns->list);
}

static void composer_clear(struct bh_composer_spec *spec)
{
	bh_pattern_free(spec->prompt);
	bh_pattern_free(spec->other_prompt);
	bh_pattern_free(spec->above);
	bh_pattern_free(spec->continuation);
	bh_pattern_free(spec->placeholder);
	bh_pattern_free(spec->paste);
	bh_pattern_free(spec->edge);
	bh_pattern_free(spec->footer);
	patterns_clear(&spec->below);
}

void bh_profile_free(struct bh_profile *profile)
{
	if (!profile) {
		return;
	}
	for (size_t i = 0; i < profile->rule_count; i++) {
		free(profile->rules[i].name);
		free(profile->rules[i].why);
		patterns_clear(&profile->rules[i].all);
		patterns_clear(&profile->rules[i].any);
		patterns_clear(&profile->rules[i].none);
	}
	for (size_t i = 0; i < profile->region_count; i++) {
		free(profile->regions[i].name);
	}
	composer_clear(&profile->composer);
	bh_pattern_free(profile->status_background);
	bh_pattern_free(profile->banner);
	texts_free(profile->versions);
	texts_free(profile->programs);
	texts_free(profile->processes);
	texts_free(profile->scrub);
	texts_free(profile->resume.words);
	texts_free(profile->resume.flags);
	texts_free(profile->resume.lists);
	texts_free(profile->resume.instead);
	texts_free(profile->resume.refuse);
	free(profile->rules);
	free(profile->regions);
	free(profile->name);
	free(profile->origin);
	free(profile->written_for);
	free(profile->folder_variable);
	free(profile->turn_prefix);
	free(profile->advice);
	free(profile->status_app);
	free(profile->clear_keys);
	free(profile->list_marks);
	free(profile);
}
