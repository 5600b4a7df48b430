#include "judge.h"

#include "evidence.h"
#include "person.h"
#include "src/base/mem.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_words[BH_STATE_COUNT] = {
	[BH_STATE_UNKNOWN] = "unknown",   [BH_STATE_STARTING] = "starting",
	[BH_STATE_IDLE] = "idle",         [BH_STATE_WORKING] = "working",
	[BH_STATE_AWAITING] = "awaiting", [BH_STATE_COMPLETED] = "completed",
	[BH_STATE_EXITED] = "exited",
};

const char *bh_state_word(enum bh_state state)
{
	return state_words[state];
}

bool bh_state_parse(const char *word, enum bh_state *state_out)
{
	for (int i = 0; i < BH_STATE_COUNT; i++) {
		if (strcmp(state_words[i], word) == 0) {
			*state_out = (enum bh_state)i;
			return true;
		}
	}
	return false;
}

const char *bh_composer_word(enum bh_composer composer)
{
	static const char *const words[] = {"unknown", "none", "empty", "draft"};

	return words[composer];
}

const char *bh_last_turn_word(enum bh_last_turn turn)
{
	static const char *const words[] = {"", "done", "interrupted", "error"};

	return words[turn];
}

const char *bh_source_word(enum bh_source source)
{
	static const char *const words[] = {"none",   "program", "protocol",
	                                    "screen", "kernel",  "time"};

	return words[source];
}

struct bh_judge *bh_judge_new(const struct bh_profile *profile, uint64_t started_ms)
{
	struct bh_judge *judge = bh_xmalloc(sizeof *judge);

	judge->profile = profile;
	judge->started_ms = started_ms;
	judge->state = BH_STATE_STARTING;
	judge->since_ms = started_ms;
	judge->is_view_stale = true;
	return judge;
}

struct bh_judge *bh_judge_new_watching(const struct bh_profile *profile, uint64_t now_ms,
                                       uint64_t before_ms)
{
	struct bh_judge *judge = bh_judge_new(profile, now_ms);

	judge->is_watching = true;
	judge->before_ms = before_ms;
	return judge;
}

void bh_judge_free(struct bh_judge *judge)
{
	if (!judge) {
		return;
	}
	bh_view_clear(&judge->view);
	free(judge);
}

const char *bh_judge_version(const struct bh_judge *judge)
{
	return judge->version;
}

bool bh_judge_is_supported(const struct bh_judge *judge)
{
	char *const *versions = judge->profile->versions;
	bool is_supported = !*judge->version || !*versions;

	for (; *versions && !is_supported; versions++) {
		is_supported = strncmp(judge->version, *versions, strlen(*versions)) == 0;
	}
	return is_supported;
}

struct bh_judge_past bh_judge_past(const struct bh_judge *judge)
{
	return (struct bh_judge_past){
		.watched_ms = judge->drift.watched_ms,
		.unknown_ms = judge->drift.unknown_ms,
		.unknown_percent = bh_drift_percent(&judge->drift),
		.turn_ms = judge->turn_ms,
		.hook_ms = judge->hook_ms,
	};
}

void bh_judge_output(struct bh_judge *judge, const struct bh_screen *screen, uint64_t now_ms)
{
	(void)screen; // read when it is judged; many outputs make one judgement
	judge->output_ms = now_ms;
	judge->output_count++;
	judge->is_view_stale = true;
}

/** An Enter went out: a new epoch. What was known of a turn is of the past. */
static void judge_enter(struct bh_judge *judge, uint64_t now_ms)
{
	judge->epoch++;
	judge->epoch_ms = now_ms;
	judge->epoch_output_count = judge->output_count;
	if (!judge->is_epoch_open) {
		judge->turn_before = judge->last_turn;
	}
	judge->is_epoch_open = true;
	judge->is_epoch_dialog = judge->had_dialog;
	judge->is_calm = false;
	judge->last_turn = BH_TURN_NONE;
	judge->pending_ms = 0;
	judge->steady_ms = 0;
}

void bh_judge_input(struct bh_judge *judge, enum bh_input what, uint64_t now_ms)
{
	switch (what) {
	case BH_INPUT_PERSON_TEXT:
		judge->hands_ms = now_ms;
		judge->pending_ms = now_ms;
		judge->pending_output_count = judge->output_count;
		judge->is_pending_dialog = judge->had_dialog;
		break;
	case BH_INPUT_PERSON_ENTER:
		judge->hands_ms = now_ms;
		judge_enter(judge, now_ms);
		break;
	case BH_INPUT_PERSON_KEY:
		judge->hands_ms = now_ms;
		break;
	case BH_INPUT_TYPIST_CR:
		judge_enter(judge, now_ms);
		break;
	case BH_INPUT_RESIZE:
		judge->resize_ms = now_ms ? now_ms : 1;
		judge->is_view_stale = true;
		break;
	case BH_INPUT_TYPIST_TEXT:
	case BH_INPUT_TYPIST_CLEAR:
	case BH_INPUT_REPLY:
		break;
	}
}

void bh_judge_person(struct bh_judge *judge, const void *bytes, size_t len, uint64_t now_ms)
{
	const unsigned char *at = bytes;
	const unsigned char *end = at + len;
	enum bh_input what;

	while (bh_person_next(&judge->person, &at, end, &what)) {
		bh_judge_input(judge, what, now_ms);
	}
}

void bh_judge_tty(struct bh_judge *judge, const struct bh_tty_facts *facts, uint64_t now_ms)
{
	if (!judge->has_tty || facts->is_canonical != judge->tty.is_canonical ||
	    facts->is_foreground_ours != judge->tty.is_foreground_ours) {
		judge->tty_ms = now_ms;
	}
	judge->has_tty = true;
	judge->tty = *facts;
}

void bh_judge_hook(struct bh_judge *judge, const char *event, const struct cJSON *payload,
                   uint64_t now_ms)
{
	// A Stop hook of a subagent or of the title thread says nothing of the session's turn.
	static const struct {
		const char *event;
		enum bh_mark says;
		enum bh_last_turn turn;
	} meanings[] = {
		{"UserPromptSubmit", BH_MARK_WORKING, BH_TURN_NONE},
		{"PreToolUse", BH_MARK_WORKING, BH_TURN_NONE},
		{"PermissionRequest", BH_MARK_AWAITING, BH_TURN_NONE},
		{"Stop", BH_MARK_NONE, BH_TURN_DONE},
		{"StopFailure", BH_MARK_NONE, BH_TURN_ERROR},
	};
	const cJSON *agent = payload ? cJSON_GetObjectItemCaseSensitive(payload, "agent_id") : NULL;

	if (agent) {
		return;
	}
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
		if (strcmp(meanings[i].event, event) == 0) {
			judge->hook_event = meanings[i].event;
			judge->hook_says = meanings[i].says;
			judge->hook_ms = now_ms;
			if (meanings[i].turn != BH_TURN_NONE) {
				judge->last_turn = meanings[i].turn;
			}
		}
	}
}

void bh_judge_status_file(struct bh_judge *judge, const struct bh_status_file *file,
                          uint64_t now_ms)
{
	if (!file) {
		judge->has_file = false;
		return;
	}
	if (!judge->has_file || strcmp(file->status, judge->file.status) != 0) {
		judge->file_since_ms = now_ms;
	}
	judge->has_file = true;
	judge->file = *file;
	judge->file_seen_ms = now_ms;
}

void bh_judge_exited(struct bh_judge *judge, int status, uint64_t now_ms)
{
	(void)status; // kept by the terminal; the state is the same for all
	judge->has_exited = true;
	judge->exited_ms = now_ms;
}

void bh_judge_forget_events(struct bh_judge *judge, uint64_t now_ms)
{
	judge->hook_event = NULL;
	judge->has_file = false;
	judge->is_epoch_open = false;
	judge->pending_ms = 0;
	judge->steady_ms = 0;
	judge->is_view_stale = true;
	judge->forgot_ms = now_ms;
}

/** Note where the state stands and what the next judgement must remember of this one. */
static void judge_conclude(struct bh_judge *judge, const struct bh_case *facts,
                           struct bh_verdict *verdict)
{
	if (verdict->state != judge->state) {
		judge->state = verdict->state;
		judge->since_ms = facts->now_ms;
	}
	judge->had_dialog = verdict->has_dialog;
	if (verdict->state == BH_STATE_IDLE || verdict->state == BH_STATE_COMPLETED) {
		judge->was_ready = true;
		judge->is_calm = true;
	} else if (bh_case_find(facts, BH_MARK_WORKING) || bh_case_find(facts, BH_MARK_AWAITING)) {
		judge->is_calm = false;
	}
	verdict->epoch = judge->epoch;
	verdict->since_ms = judge->since_ms;
}

void bh_judge_evaluate(struct bh_judge *judge, const struct bh_screen *screen, uint64_t now_ms,
                       struct bh_verdict *verdict_out)
{
	struct bh_case facts;

	bh_judge_collect(judge, screen, now_ms, &facts);
	bh_fuse(&facts, verdict_out);
	judge_conclude(judge, &facts, verdict_out);
	bh_drift_note(&judge->drift, verdict_out->state, now_ms);
}

bool bh_verdict_is_same(const struct bh_verdict *a, const struct bh_verdict *b)
{
	const char *reason_a = a->reason != NULL ? a->reason : "";
	const char *reason_b = b->reason != NULL ? b->reason : "";

	return a->state == b->state && a->is_typable == b->is_typable &&
	       a->composer == b->composer && a->has_dialog == b->has_dialog &&
	       a->last_turn == b->last_turn && strcmp(reason_a, reason_b) == 0;
}
