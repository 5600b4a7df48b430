// Everything about one judgement, for people and programs.
#include "judge.h"

#include "evidence.h"
#include "src/base/buf.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

static const char *const gate_words[] = {
	[BH_GATE_NONE] = "",
	[BH_GATE_LINE_MODE] = "line_mode",
	[BH_GATE_NOT_FOREGROUND] = "not_foreground",
	[BH_GATE_DRAFT] = "draft",
	[BH_GATE_HANDS] = "human_typing",
	[BH_GATE_HOLD] = "hold",
};

/** Age of @at_ms in seconds; negative when it is not known. */
static double age_s(uint64_t at_ms, uint64_t now_ms)
{
	return at_ms && at_ms <= now_ms ? (double)(now_ms - at_ms) / 1000.0 : -1;
}

static void explain_verdict(cJSON *out, const struct bh_verdict *verdict, uint64_t now_ms)
{
	cJSON *why = cJSON_CreateArray();

	(void)cJSON_AddStringToObject(out, "state", bh_state_word(verdict->state));
	(void)cJSON_AddNumberToObject(out, "state_age_s", age_s(verdict->since_ms, now_ms));
	(void)cJSON_AddStringToObject(out, "authority", bh_source_word(verdict->authority));
	(void)cJSON_AddBoolToObject(out, "typable", verdict->is_typable);
	if (verdict->reason) {
		(void)cJSON_AddStringToObject(out, "reason", verdict->reason);
	}
	(void)cJSON_AddStringToObject(out, "composer", bh_composer_word(verdict->composer));
	(void)cJSON_AddBoolToObject(out, "dialog", verdict->has_dialog);
	(void)cJSON_AddStringToObject(out, "last_turn", bh_last_turn_word(verdict->last_turn));
	(void)cJSON_AddNumberToObject(out, "background", verdict->background);
	(void)cJSON_AddNumberToObject(out, "epoch", verdict->epoch);
	for (size_t i = 0; i < verdict->why_count; i++) {
		(void)cJSON_AddItemToArray(why, cJSON_CreateString(verdict->why[i]));
	}
	(void)cJSON_AddItemToObject(out, "why", why);
}

static cJSON *explain_evidence(const struct bh_case *facts)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < facts->count; i++) {
		const struct bh_evidence *at = &facts->list[i];
		cJSON *item = cJSON_CreateObject();

		(void)cJSON_AddStringToObject(item, "source", bh_source_word(at->source));
		(void)cJSON_AddStringToObject(item, "name", at->name);
		(void)cJSON_AddStringToObject(item, "says", bh_mark_word(at->says));
		(void)cJSON_AddStringToObject(item, "detail", at->detail);
		if (at->since_ms) {
			(void)cJSON_AddNumberToObject(item, "age_s",
			                              age_s(at->since_ms, facts->now_ms));
		}
		if (at->gate != BH_GATE_NONE) {
			(void)cJSON_AddStringToObject(item, "gate", gate_words[at->gate]);
		}
		if (at->until_ms > facts->now_ms) {
			(void)cJSON_AddNumberToObject(
				item, "ends_in_s", (double)(at->until_ms - facts->now_ms) / 1000.0);
		}
		(void)cJSON_AddItemToArray(list, item);
	}
	return list;
}

static cJSON *explain_rules(const struct bh_judge *judge)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < judge->reading.hit_count; i++) {
		const struct bh_hit *hit = &judge->reading.hits[i];
		cJSON *item = cJSON_CreateObject();

		(void)cJSON_AddStringToObject(item, "rule", hit->rule->name);
		(void)cJSON_AddStringToObject(item, "says", bh_mark_word(hit->rule->says));
		(void)cJSON_AddStringToObject(item, "region",
		                              judge->profile->regions[hit->rule->region].name);
		(void)cJSON_AddNumberToObject(item, "row", hit->row);
		(void)cJSON_AddStringToObject(item, "why", hit->rule->why);
		(void)cJSON_AddItemToArray(list, item);
	}
	return list;
}

/** What keeps the first byte back, each thing as a sentence. */
static cJSON *explain_missing(const struct bh_judge *judge, const struct bh_case *facts)
{
	cJSON *list = cJSON_CreateArray();

	if (judge->is_watching) {
		(void)cJSON_AddItemToArray(
			list, cJSON_CreateString("it was typed into a shell, where bellhop only "
		                                 "watches: `bellhop run` starts one that is typed "
		                                 "into"));
	} else if (!facts->may_type) {
		(void)cJSON_AddItemToArray(list,
		                           cJSON_CreateString("the profile does not allow typing"));
	}
	if (facts->has_exited) {
		(void)cJSON_AddItemToArray(list, cJSON_CreateString("the program has exited"));
	}
	if (facts->composer == BH_COMPOSER_NONE) {
		(void)cJSON_AddItemToArray(
			list, cJSON_CreateString("no composer was found on the screen"));
	} else if (facts->composer == BH_COMPOSER_DRAFT) {
		(void)cJSON_AddItemToArray(list, cJSON_CreateString("the composer holds text"));
	} else if (facts->composer == BH_COMPOSER_UNKNOWN) {
		(void)cJSON_AddItemToArray(
			list, cJSON_CreateString("the cursor is not where it stands in an empty "
		                                 "composer"));
	}
	for (size_t i = 0; i < facts->count; i++) {
		const struct bh_evidence *at = &facts->list[i];
		struct bh_buf line = {0};
		char *text;

		if (at->gate == BH_GATE_NONE &&
		    (at->says == BH_MARK_NONE || at->says == BH_MARK_IDLE)) {
			continue;
		}
		bh_buf_printf(&line, "%s%s%s says %s", at->name, *at->detail ? " " : "", at->detail,
		              at->gate ? gate_words[at->gate] : bh_mark_word(at->says));
		text = bh_buf_detach(&line);
		(void)cJSON_AddItemToArray(list, cJSON_CreateString(text));
		free(text);
	}
	return list;
}

/** The same as lines. */
static char *explain_text(const struct bh_judge *judge, const struct bh_verdict *verdict,
                          const struct bh_case *facts, const cJSON *missing)
{
	struct bh_buf out = {0};
	const cJSON *line = NULL;

	bh_buf_printf(&out, "%s for %.1f s, by %s; %s%s%s\n", bh_state_word(verdict->state),
	              age_s(verdict->since_ms, facts->now_ms), bh_source_word(verdict->authority),
	              verdict->is_typable ? "typable" : "not typable: ",
	              verdict->reason ? verdict->reason : "", "");
	bh_buf_printf(&out, "profile %s (%s%s%s), composer %s, last turn %s, %d in background\n",
	              judge->profile->name, judge->profile->origin,
	              *judge->profile->written_for ? ", written for " : "",
	              judge->profile->written_for, bh_composer_word(verdict->composer),
	              verdict->last_turn ? bh_last_turn_word(verdict->last_turn) : "not seen",
	              verdict->background);
	if (*judge->version) {
		bh_buf_printf(&out, "program version %s%s\n", judge->version,
		              bh_judge_is_supported(judge) ? ""
		                                           : ": the profile's rules were not "
		                                             "tried on it");
	}
	bh_buf_puts(&out, "evidence:\n");
	for (size_t i = 0; i < facts->count; i++) {
		const struct bh_evidence *at = &facts->list[i];

		bh_buf_printf(&out, "  %-8s %-8s %s %s", bh_source_word(at->source),
		              bh_mark_word(at->says), at->name, at->detail);
		if (at->since_ms) {
			bh_buf_printf(&out, " (%.1f s)", age_s(at->since_ms, facts->now_ms));
		}
		bh_buf_puts(&out, "\n");
	}
	if (cJSON_GetArraySize(missing) > 0) {
		bh_buf_puts(&out, "in the way:\n");
	}
	cJSON_ArrayForEach(line, missing)
	{
		bh_buf_printf(&out, "  %s\n", line->valuestring);
	}
	return bh_buf_detach(&out);
}

struct cJSON *bh_judge_explain(struct bh_judge *judge, const struct bh_screen *screen,
                               uint64_t now_ms)
{
	cJSON *out = cJSON_CreateObject();
	struct bh_verdict verdict;
	struct bh_case facts;
	cJSON *missing;
	char *text;

	bh_judge_evaluate(judge, screen, now_ms, &verdict);
	bh_judge_collect(judge, screen, now_ms, &facts);
	(void)cJSON_AddStringToObject(out, "profile", judge->profile->name);
	(void)cJSON_AddBoolToObject(out, "watched", judge->is_watching);
	(void)cJSON_AddStringToObject(out, "profile_origin", judge->profile->origin);
	(void)cJSON_AddStringToObject(out, "written_for", judge->profile->written_for);
	(void)cJSON_AddStringToObject(out, "version", judge->version);
	(void)cJSON_AddBoolToObject(out, "supported", bh_judge_is_supported(judge));
	explain_verdict(out, &verdict, now_ms);
	(void)cJSON_AddItemToObject(out, "evidence", explain_evidence(&facts));
	(void)cJSON_AddItemToObject(out, "rules", explain_rules(judge));
	missing = explain_missing(judge, &facts);
	text = explain_text(judge, &verdict, &facts, missing);
	(void)cJSON_AddItemToObject(out, "missing", missing);
	(void)cJSON_AddStringToObject(out, "text", text);
	free(text);
	return out;
}
