/** @file
 * Compares verdicts with the `state:` markers of a recording.
 */
#ifndef BH_AGENT_REPLAY_CHECK_H
#define BH_AGENT_REPLAY_CHECK_H

#include "judge.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

/** Most different labels of a check; further ones are counted as the last. */
#define BH_CHECK_LABELS_MAX 16
/** A false typable counts when it is later than this after a marker (ms); */
#define BH_CHECK_GRACE_MS 300
/** after `working`, which begins before the screen can know (ms); */
#define BH_CHECK_GRACE_WORKING_MS 700
/** and in `starting` when it is earlier than this before its end (ms). */
#define BH_CHECK_STARTING_MS 1500
/** The confusion matrix judges a stretch from so long after its marker (ms). */
#define BH_CHECK_SETTLE_MS 500

/** Sums over one recording or several. Zero-initialise. */
struct bh_check {
	/** The labels seen. */
	char labels[BH_CHECK_LABELS_MAX][16];
	/** Their number. */
	size_t label_count;
	/** Time by label and state (ms). */
	uint64_t confusion_ms[BH_CHECK_LABELS_MAX][BH_STATE_COUNT];
	/** Wrongly typable (ms), */
	uint64_t false_ms;
	/** stretches of it, */
	unsigned false_events;
	/** and when the first began (ms); what the label was. */
	uint64_t false_at_ms;
	/** See false_at_ms. */
	char false_label[16];
	/** Idle stretches of 0.5 s and more, */
	unsigned idle_stretches;
	/** and those that were typable when they ended. */
	unsigned idle_found;
	/** Stretches that were not found, as " 12.3" each. */
	char idle_missed[128];

	/** The label in force, -1: none that is judged. */
	int label;
	/** Since when (ms). */
	uint64_t label_ms;
	/** The verdict in force, */
	enum bh_state state;
	/** as far as typing goes, */
	bool is_typable;
	/** and since when it is counted (ms). */
	uint64_t counted_ms;
	/** The last moment belongs to a false typable. */
	bool is_false;
	/** Typable stretches in `starting`, judged at its end: begin and end (ms). */
	uint64_t starting_ms[8][2];
	/** Their number. */
	size_t starting_count;
};

/** A new recording begins. */
void bh_check_begin(struct bh_check *check);

/** A marker at @at_ms; others than `state:…` are ignored. */
void bh_check_marker(struct bh_check *check, const char *marker, uint64_t at_ms);

/** The verdict changed at @at_ms. @is_typable: but for a person's hands, see replay.h. */
void bh_check_verdict(struct bh_check *check, enum bh_state state, bool is_typable, uint64_t at_ms);

/** The recording ends at @at_ms. */
void bh_check_end(struct bh_check *check, uint64_t at_ms);

/** Add the sums of @more to @sum. */
void bh_check_add(struct bh_check *sum, const struct bh_check *more);

/** Share of idle stretches that were found; 1 when there are none. */
double bh_check_idle_recall(const struct bh_check *check);

/** Share of the time labelled awaiting in which the state was awaiting; 1 when there is none. */
double bh_check_awaiting_recall(const struct bh_check *check);

/** Share of the judged time in which the state was unknown. */
double bh_check_unknown_share(const struct bh_check *check);

/** The report. The caller frees it with cJSON_Delete(). */
struct cJSON *bh_check_report(const struct bh_check *check);

#endif
