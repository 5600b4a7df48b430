#include "replay_check.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static const char *check_label(const struct bh_check *check)
{
	return check->label < 0 ? "" : check->labels[check->label];
}

/** Index of the label; a new one is added. */
static int check_index(struct bh_check *check, const char *label)
{
	size_t i = 0;

	while (i < check->label_count && strcmp(check->labels[i], label) != 0) {
		i++;
	}
	if (i == check->label_count && check->label_count < BH_CHECK_LABELS_MAX) {
		(void)snprintf(check->labels[check->label_count++], sizeof check->labels[0], "%s",
		               label);
	}
	return (int)(i < BH_CHECK_LABELS_MAX ? i : BH_CHECK_LABELS_MAX - 1);
}

/** From when on the verdict counts in the confusion matrix. */
static uint64_t check_settled_ms(const struct bh_check *check)
{
	return check->label_ms + (strcmp(check_label(check), "working") == 0
	                                  ? BH_CHECK_GRACE_WORKING_MS
	                                  : BH_CHECK_SETTLE_MS);
}

/** Count wrongly typable time from @begin_ms to @end_ms. */
static void check_count_false(struct bh_check *check, uint64_t begin_ms, uint64_t end_ms)
{
	if (!check->is_false) {
		if (check->false_events++ == 0) {
			check->false_at_ms = begin_ms;
			(void)snprintf(check->false_label, sizeof check->false_label, "%s",
			               check_label(check));
		}
	}
	check->is_false = true;
	check->false_ms += end_ms - begin_ms;
}

/** Count the time from counted_ms to @at_ms under label and verdict in force. */
static void check_count(struct bh_check *check, uint64_t at_ms)
{
	const char *label = check_label(check);
	uint64_t begin_ms = check->counted_ms;
	uint64_t settled_ms = check_settled_ms(check);
	uint64_t grace_ms =
		check->label_ms +
		(strcmp(label, "working") == 0 ? BH_CHECK_GRACE_WORKING_MS : BH_CHECK_GRACE_MS);
	uint64_t false_ms = begin_ms > grace_ms ? begin_ms : grace_ms;

	check->counted_ms = at_ms;
	if (check->label < 0 || at_ms <= begin_ms) {
		return;
	}
	settled_ms = settled_ms > begin_ms ? settled_ms : begin_ms;
	if (at_ms > settled_ms) {
		check->confusion_ms[check->label][check->state] += at_ms - settled_ms;
	}
	if (!check->is_typable || strcmp(label, "idle") == 0) {
		check->is_false = false;
	} else if (strcmp(label, "starting") == 0) {
		if (check->starting_count < 8) {
			check->starting_ms[check->starting_count][0] = begin_ms;
			check->starting_ms[check->starting_count++][1] = at_ms;
		}
	} else if (at_ms > false_ms) {
		check_count_false(check, false_ms, at_ms);
	}
}

/** `starting` ends: what of its typable time was too early? */
static void check_starting_ends(struct bh_check *check, uint64_t at_ms)
{
	uint64_t limit_ms = at_ms > BH_CHECK_STARTING_MS ? at_ms - BH_CHECK_STARTING_MS : 0;

	for (size_t i = 0; i < check->starting_count; i++) {
		uint64_t end_ms = check->starting_ms[i][1];

		if (check->starting_ms[i][0] < limit_ms) {
			check_count_false(check, check->starting_ms[i][0],
			                  end_ms < limit_ms ? end_ms : limit_ms);
		}
	}
	check->starting_count = 0;
}

static void check_stretch_ends(struct bh_check *check, uint64_t at_ms)
{
	const char *label = check_label(check);
	size_t used = strlen(check->idle_missed);

	check_count(check, at_ms);
	if (strcmp(label, "starting") == 0) {
		check_starting_ends(check, at_ms);
	}
	if (strcmp(label, "idle") == 0 && at_ms - check->label_ms >= BH_CHECK_SETTLE_MS) {
		check->idle_stretches++;
		check->idle_found += check->is_typable ? 1 : 0;
		if (!check->is_typable) {
			(void)snprintf(check->idle_missed + used, sizeof check->idle_missed - used,
			               " %.1f", (double)at_ms / 1000.0);
		}
	}
	check->is_false = false;
}

void bh_check_begin(struct bh_check *check)
{
	*check = (struct bh_check){.label = -1, .state = BH_STATE_STARTING};
}

void bh_check_marker(struct bh_check *check, const char *marker, uint64_t at_ms)
{
	static const char prefix[] = "state:";
	const char *label = marker + sizeof prefix - 1;

	if (strncmp(marker, prefix, sizeof prefix - 1) != 0) {
		return;
	}
	check_stretch_ends(check, at_ms);
	check->label = strcmp(label, "unsettled") == 0 ? -1 : check_index(check, label);
	check->label_ms = at_ms;
}

void bh_check_verdict(struct bh_check *check, enum bh_state state, bool is_typable, uint64_t at_ms)
{
	check_count(check, at_ms);
	check->state = state;
	check->is_typable = is_typable;
}

void bh_check_end(struct bh_check *check, uint64_t at_ms)
{
	check_stretch_ends(check, at_ms);
	check->label = -1;
}

void bh_check_add(struct bh_check *sum, const struct bh_check *more)
{
	for (size_t i = 0; i < more->label_count; i++) {
		int at = check_index(sum, more->labels[i]);

		for (int state = 0; state < BH_STATE_COUNT; state++) {
			sum->confusion_ms[at][state] += more->confusion_ms[i][state];
		}
	}
	if (sum->false_events == 0) {
		sum->false_at_ms = more->false_at_ms;
		memcpy(sum->false_label, more->false_label, sizeof sum->false_label);
	}
	sum->false_ms += more->false_ms;
	sum->false_events += more->false_events;
	sum->idle_stretches += more->idle_stretches;
	sum->idle_found += more->idle_found;
}

double bh_check_idle_recall(const struct bh_check *check)
{
	return check->idle_stretches ? (double)check->idle_found / check->idle_stretches : 1.0;
}

double bh_check_awaiting_recall(const struct bh_check *check)
{
	uint64_t all_ms = 0;
	uint64_t found_ms = 0;

	for (size_t i = 0; i < check->label_count; i++) {
		for (int state = 0;
		     strcmp(check->labels[i], "awaiting") == 0 && state < BH_STATE_COUNT; state++) {
			all_ms += check->confusion_ms[i][state];
			found_ms += state == BH_STATE_AWAITING ? check->confusion_ms[i][state] : 0;
		}
	}
	return all_ms ? (double)found_ms / (double)all_ms : 1.0;
}

double bh_check_unknown_share(const struct bh_check *check)
{
	uint64_t all_ms = 0;
	uint64_t unknown_ms = 0;

	for (size_t i = 0; i < check->label_count; i++) {
		for (int state = 0; state < BH_STATE_COUNT; state++) {
			all_ms += check->confusion_ms[i][state];
		}
		unknown_ms += check->confusion_ms[i][BH_STATE_UNKNOWN];
	}
	return all_ms ? (double)unknown_ms / (double)all_ms : 0.0;
}

struct cJSON *bh_check_report(const struct bh_check *check)
{
	cJSON *report = cJSON_CreateObject();
	cJSON *matrix = cJSON_AddObjectToObject(report, "confusion_s");
	cJSON *wrong = cJSON_AddObjectToObject(report, "false_typable");
	cJSON *idle = cJSON_AddObjectToObject(report, "idle");

	for (size_t i = 0; i < check->label_count; i++) {
		cJSON *row = cJSON_AddObjectToObject(matrix, check->labels[i]);

		for (int state = 0; state < BH_STATE_COUNT; state++) {
			if (check->confusion_ms[i][state]) {
				(void)cJSON_AddNumberToObject(
					row, bh_state_word((enum bh_state)state),
					(double)check->confusion_ms[i][state] / 1000.0);
			}
		}
	}
	(void)cJSON_AddNumberToObject(wrong, "seconds", (double)check->false_ms / 1000.0);
	(void)cJSON_AddNumberToObject(wrong, "events", check->false_events);
	if (check->false_events) {
		(void)cJSON_AddNumberToObject(wrong, "first_at",
		                              (double)check->false_at_ms / 1000.0);
		(void)cJSON_AddStringToObject(wrong, "first_in", check->false_label);
	}
	(void)cJSON_AddNumberToObject(idle, "stretches", check->idle_stretches);
	(void)cJSON_AddNumberToObject(idle, "found", check->idle_found);
	if (*check->idle_missed) {
		(void)cJSON_AddStringToObject(idle, "missed_at", check->idle_missed + 1);
	}
	(void)cJSON_AddNumberToObject(report, "idle_recall", bh_check_idle_recall(check));
	(void)cJSON_AddNumberToObject(report, "awaiting_recall", bh_check_awaiting_recall(check));
	(void)cJSON_AddNumberToObject(report, "unknown_share", bh_check_unknown_share(check));
	return report;
}
