// From what a judge remembers and the screen to a list of evidence. One function per witness.
#include "evidence.h"

#include "pattern.h"

#include <stdio.h>
#include <string.h>

/** What a report of OSC 7501 says. */
static const struct {
	const char *word;
	enum bh_mark says;
} status_meanings[] = {
	[BH_STATUS_NONE] = {"none", BH_MARK_NONE},
	[BH_STATUS_IDLE] = {"idle", BH_MARK_IDLE},
	[BH_STATUS_WORKING] = {"working", BH_MARK_WORKING},
	[BH_STATUS_DONE] = {"done", BH_MARK_IDLE},
	[BH_STATUS_BLOCKED] = {"blocked", BH_MARK_AWAITING},
	[BH_STATUS_ERROR] = {"error", BH_MARK_IDLE},
	// The program leaves, or shows something that is not the session (agents view).
	[BH_STATUS_CLEAR] = {"clear", BH_MARK_VETO},
	[BH_STATUS_OTHER] = {"other", BH_MARK_NONE},
};

/** Whether the report is the program's own: another program in it may print one as well. */
static bool status_is_own(const struct bh_judge *judge, const struct bh_status7501 *status)
{
	if (!status->has_status || !judge->profile->status_app ||
	    status->at_ms < judge->before_ms) {
		return false;
	}
	return status->state == BH_STATUS_CLEAR ||
	       strcmp(status->app, judge->profile->status_app) == 0;
}

/** Whether the report is about a task that runs on behind a free composer. */
static bool status_is_background(const struct bh_judge *judge, const struct bh_status7501 *status)
{
	const struct bh_pattern *pattern = judge->profile->status_background;

	return status->state == BH_STATUS_WORKING && pattern &&
	       bh_pattern_find(pattern, status->msg, strlen(status->msg), NULL, NULL) ==
	               BH_MATCH_YES;
}

/** Learn from the change between two reports how the turn ended. */
static void judge_learn_turn(struct bh_judge *judge, const struct bh_status7501 *status)
{
	bool was_working = judge->status == BH_STATUS_WORKING || judge->status == BH_STATUS_BLOCKED;

	if (status->at_ms == judge->status_ms && status->state == judge->status) {
		return;
	}
	if (status->state == BH_STATUS_DONE) {
		judge->last_turn = BH_TURN_DONE;
	} else if (status->state == BH_STATUS_ERROR) {
		judge->last_turn = BH_TURN_ERROR;
	} else if (status->state == BH_STATUS_IDLE && was_working && judge->was_ready) {
		judge->last_turn = BH_TURN_INTERRUPTED;
	} else if (status->state == BH_STATUS_WORKING) {
		judge->last_turn = BH_TURN_NONE;
		judge->has_worked = true;
	}
	judge->status = status->state;
	judge->status_ms = status->at_ms;
}

/** OSC 7501. Returns whether it says, since the last Enter, that nothing runs. */
static bool collect_status(struct bh_judge *judge, const struct bh_screen *screen,
                           struct bh_case *facts)
{
	const struct bh_status7501 *status = bh_screen_status(screen);
	enum bh_mark says = status_meanings[status->state].says;
	struct bh_evidence *evidence;

	facts->background = bh_screen_background_count(screen);
	if (!status_is_own(judge, status)) {
		return false;
	}
	judge_learn_turn(judge, status);
	if (status_is_background(judge, status)) {
		says = BH_MARK_NONE;
		facts->background = facts->background ? facts->background : 1;
	}
	evidence = bh_case_add(facts, BH_SOURCE_PROGRAM, says, "osc7501",
	                       status_meanings[status->state].word);
	evidence->since_ms = status->at_ms;
	return says == BH_MARK_IDLE && status->at_ms >= judge->forgot_ms &&
	       status->at_ms >= (judge->is_epoch_open ? judge->epoch_ms : judge->turn_ms);
}

/** The status file. @is_free: OSC 7501, which does not flap, says that nothing runs. */
static void collect_file(const struct bh_judge *judge, struct bh_case *facts, bool is_free)
{
	static const struct {
		const char *word;
		enum bh_mark says;
	} meanings[] = {
		{"idle", BH_MARK_IDLE},
		{"busy", BH_MARK_WORKING},
		{"waiting", BH_MARK_AWAITING},
		{"shell", BH_MARK_NONE},
	};
	uint64_t hold_ms = judge->profile->timing.hold_file_ms;

	if (!judge->has_file || judge->file_seen_ms + BH_FILE_STALE_MS < facts->now_ms) {
		return;
	}
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
		struct bh_evidence *evidence;
		enum bh_mark says = meanings[i].says;

		if (strcmp(meanings[i].word, judge->file.status) != 0) {
			continue;
		}
		if (strcmp(judge->file.waiting_for, "dialog open") == 0) {
			says = BH_MARK_DIALOG;
		}
		evidence = bh_case_add(facts, BH_SOURCE_PROGRAM, says, "status file",
		                       meanings[i].word);
		evidence->since_ms = judge->file_since_ms;
		// Between two queued turns it says idle for up to 0.8 s.
		if (says == BH_MARK_IDLE && !is_free &&
		    judge->file_since_ms + hold_ms > facts->now_ms) {
			evidence->says = BH_MARK_NONE;
			evidence->gate = BH_GATE_HOLD;
			evidence->until_ms = judge->file_since_ms + hold_ms;
		}
		if (says == BH_MARK_NONE && !facts->background) {
			facts->background = 1;
		}
	}
}

static void collect_hook(const struct bh_judge *judge, struct bh_case *facts)
{
	struct bh_evidence *evidence;
	bool is_fresh = judge->hook_event && judge->hook_ms + BH_HOOK_MS > facts->now_ms;

	if (!is_fresh) {
		return;
	}
	// A later word of the program itself is newer than the hook.
	is_fresh = judge->status_ms < judge->hook_ms;
	evidence = bh_case_add(facts, BH_SOURCE_PROGRAM, is_fresh ? judge->hook_says : BH_MARK_NONE,
	                       "hook", judge->hook_event);
	evidence->since_ms = judge->hook_ms;
	evidence->until_ms = judge->hook_ms + BH_HOOK_MS;
}

static void collect_progress(const struct bh_screen *screen, struct bh_case *facts)
{
	struct bh_progress progress = bh_screen_progress(screen);
	struct bh_evidence *evidence;

	if (progress.state == BH_PROGRESS_BUSY || progress.state == BH_PROGRESS_NORMAL) {
		evidence = bh_case_add(facts, BH_SOURCE_PROTOCOL, BH_MARK_WORKING, "progress",
		                       "OSC 9;4");
		evidence->since_ms = progress.at_ms;
	}
}

/** Name of a rule and the row that it matched in. */
static void rule_detail(const struct bh_hit *hit, char *out, size_t size)
{
	if (hit->row) {
		(void)snprintf(out, size, "%s row %d", hit->rule->name, hit->row);
	} else {
		(void)snprintf(out, size, "%s title", hit->rule->name);
	}
}

static void collect_rules(struct bh_judge *judge, struct bh_case *facts)
{
	const struct bh_profile *profile = judge->profile;
	int background = 0;

	for (size_t i = 0; i < judge->reading.hit_count; i++) {
		const struct bh_hit *hit = &judge->reading.hits[i];
		bool is_title = profile->regions[hit->rule->region].anchor == BH_ANCHOR_TITLE;
		char detail[BH_EVIDENCE_DETAIL];

		uint64_t until_ms =
			hit->rule->within_ms ? judge->started_ms + hit->rule->within_ms : 0;
		struct bh_evidence *evidence;

		if (until_ms && facts->now_ms >= until_ms) {
			continue;
		}
		rule_detail(hit, detail, sizeof detail);
		evidence = bh_case_add(facts, is_title ? BH_SOURCE_PROTOCOL : BH_SOURCE_SCREEN,
		                       hit->rule->says, "rule", detail);
		evidence->until_ms = until_ms;
		background += hit->rule->is_background ? 1 : 0;
	}
	facts->background = background > facts->background ? background : facts->background;
	if (judge->reading.has_limit) {
		(void)bh_case_add(facts, BH_SOURCE_SCREEN, BH_MARK_VETO, "pattern",
		                  "work limit reached");
	}
}

/** Rules that were seen once and are gone while the composer is there. */
static void collect_latched(struct bh_judge *judge, struct bh_case *facts)
{
	const struct bh_profile *profile = judge->profile;
	uint64_t seen = 0;

	for (size_t i = 0; i < judge->reading.hit_count; i++) {
		size_t index = (size_t)(judge->reading.hits[i].rule - profile->rules);

		seen |= judge->reading.hits[i].rule->is_latched && index < 64 ? 1ULL << index : 0;
	}
	judge->latched |= seen;
	if (judge->latched & ~seen && judge->reading.composer != BH_COMPOSER_NONE) {
		(void)bh_case_add(facts, BH_SOURCE_SCREEN, BH_MARK_DIALOG, "mode",
		                  "no longer the insert mode");
	}
}

static void collect_composer(const struct bh_judge *judge, struct bh_case *facts)
{
	const struct bh_reading *reading = &judge->reading;
	char detail[BH_EVIDENCE_DETAIL];

	facts->composer = reading->composer;
	if (reading->composer == BH_COMPOSER_NONE) {
		return;
	}
	(void)snprintf(detail, sizeof detail, "%s row %d", bh_composer_word(reading->composer),
	               reading->first_row - judge->view.row_count);
	(void)bh_case_add(facts, BH_SOURCE_SCREEN, BH_MARK_IDLE, "composer", detail);
	if (reading->is_foreign && reading->composer != BH_COMPOSER_DRAFT) {
		(void)bh_case_add(facts, BH_SOURCE_SCREEN, BH_MARK_VETO, "footer",
		                  "is not this program's");
	}
	// Gemini draws its composer, and its title says Ready, long before it reads what is typed.
	if (!judge->view.has_paste) {
		(void)bh_case_add(facts, BH_SOURCE_PROTOCOL,
		                  judge->was_ready ? BH_MARK_VETO : BH_MARK_STARTING, "mode 2004",
		                  "is off");
	}
}

static void collect_tty(const struct bh_judge *judge, struct bh_case *facts)
{
	struct bh_evidence *evidence;

	if (judge->has_tty && judge->tty.is_canonical) {
		evidence = bh_case_add(facts, BH_SOURCE_KERNEL, BH_MARK_NONE, "tty", "line mode");
		evidence->gate = BH_GATE_LINE_MODE;
		evidence->since_ms = judge->tty_ms;
	}
	if (judge->has_tty && !judge->tty.is_foreground_ours) {
		evidence = bh_case_add(facts, BH_SOURCE_KERNEL, BH_MARK_NONE, "tty",
		                       "another program is in the foreground");
		evidence->gate = BH_GATE_NOT_FOREGROUND;
		evidence->since_ms = judge->tty_ms;
	}
}

/** Keys of a person: not on the screen yet, or just pressed. */
static void collect_person(struct bh_judge *judge, struct bh_case *facts)
{
	bool has_dialog =
		bh_case_find(facts, BH_MARK_DIALOG) || bh_case_find(facts, BH_MARK_AWAITING);
	bool has_output = judge->output_count > judge->pending_output_count;
	struct bh_evidence *evidence;

	// Shown: as a draft, by what they opened or, pressed in a dialog, by its end.
	if (judge->pending_ms && has_output &&
	    (facts->composer == BH_COMPOSER_DRAFT || (has_dialog && !judge->is_pending_dialog) ||
	     (judge->is_pending_dialog && !has_dialog))) {
		judge->pending_ms = 0;
	}
	if (judge->pending_ms && facts->now_ms < judge->pending_ms + BH_PENDING_KEYS_MS) {
		evidence = bh_case_add(facts, BH_SOURCE_TIME, BH_MARK_NONE, "keys",
		                       "of a person, not shown yet");
		evidence->gate = BH_GATE_DRAFT;
		evidence->since_ms = judge->pending_ms;
		evidence->until_ms = judge->pending_ms + BH_PENDING_KEYS_MS;
	}
	if (judge->hands_ms && facts->now_ms < judge->hands_ms + BH_HANDS_MS) {
		evidence = bh_case_add(facts, BH_SOURCE_TIME, BH_MARK_NONE, "keys", "of a person");
		evidence->gate = BH_GATE_HANDS;
		evidence->since_ms = judge->hands_ms;
		evidence->until_ms = judge->hands_ms + BH_HANDS_MS;
	}
}

/** Since when a draft stands unchanged (ms); 0: none does. */
static uint64_t draft_stands_since(struct bh_judge *judge, const struct bh_case *facts)
{
	if (facts->composer != BH_COMPOSER_DRAFT) {
		judge->draft_ms = 0;
	} else if (!judge->draft_ms || judge->draft_check != judge->reading.check) {
		judge->draft_ms = facts->now_ms;
		judge->draft_check = judge->reading.check;
	}
	return judge->draft_ms;
}

/** An Enter went out and nothing tells yet what it did: it may have started a turn. */
static void collect_epoch(struct bh_judge *judge, struct bh_case *facts, bool is_free)
{
	const struct bh_timing *timing = &judge->profile->timing;
	uint64_t limit_ms = judge->is_epoch_dialog ? timing->hold_dialog_ms : timing->epoch_ms;
	bool has_output = judge->output_count > judge->epoch_output_count;
	bool is_sign = bh_case_find(facts, BH_MARK_WORKING) ||
	               (!judge->is_epoch_dialog && (bh_case_find(facts, BH_MARK_AWAITING) ||
	                                            bh_case_find(facts, BH_MARK_DIALOG)));
	uint64_t draft_ms = draft_stands_since(judge, facts);
	uint64_t until_ms = judge->epoch_ms + limit_ms;
	struct bh_evidence *evidence;

	if (!judge->is_epoch_open) {
		return;
	}
	if (draft_ms && has_output) {
		draft_ms = draft_ms > judge->epoch_ms ? draft_ms : judge->epoch_ms;
		until_ms = draft_ms + BH_DRAFT_STANDS_MS < until_ms ? draft_ms + BH_DRAFT_STANDS_MS
		                                                    : until_ms;
	}
	if ((is_sign && has_output) || is_free) {
		judge->is_epoch_open = false;
		if (bh_case_find(facts, BH_MARK_WORKING)) {
			judge->turn_ms = judge->epoch_ms;
		}
		return;
	}
	if (facts->now_ms >= until_ms) {
		judge->is_epoch_open = false;
		judge->last_turn = judge->turn_before;
		return;
	}
	evidence =
		bh_case_add(facts, BH_SOURCE_TIME, BH_MARK_WORKING, "Enter", "no sign of it yet");
	evidence->since_ms = judge->epoch_ms;
	evidence->until_ms = until_ms;
}

/** Whether a report of idle may be the one from before the start-up tasks. */
static bool status_is_early(const struct bh_judge *judge, uint64_t now_ms)
{
	return judge->profile->is_status_early && !judge->was_ready && !judge->has_worked &&
	       now_ms < judge->started_ms + BH_START_MS;
}

/** How long idle must hold before it is believed. */
static uint64_t hold_needed_ms(const struct bh_judge *judge, bool is_free)
{
	const struct bh_timing *timing = &judge->profile->timing;
	uint64_t need_ms = timing->hold_ms;

	// A menu closed or a draft cleared over an idle program: nothing began.
	if (is_free || judge->is_calm) {
		return need_ms;
	}
	need_ms = timing->hold_alone_ms;
	if (judge->is_steady_dialog && timing->hold_dialog_ms > need_ms) {
		need_ms = timing->hold_dialog_ms;
	}
	if (!judge->was_ready && timing->hold_start_ms > need_ms) {
		need_ms = timing->hold_start_ms;
	}
	return need_ms;
}

/** Since when all looks idle, and whether that is long enough. */
static void collect_hold(struct bh_judge *judge, struct bh_case *facts, bool is_free)
{
	const struct bh_reading *reading = &judge->reading;
	struct bh_evidence *evidence;
	uint64_t until_ms;

	if (!bh_case_looks_idle(facts)) {
		judge->steady_ms = 0;
		judge->is_steady_dialog = judge->had_dialog ||
		                          bh_case_find(facts, BH_MARK_DIALOG) ||
		                          bh_case_find(facts, BH_MARK_AWAITING);
		return;
	}
	is_free = is_free && !status_is_early(judge, facts->now_ms);
	if (!judge->steady_ms || reading->check != judge->steady_check ||
	    reading->composer != judge->steady_composer) {
		judge->is_steady_dialog = judge->is_steady_dialog && judge->steady_ms == 0;
		judge->steady_ms = facts->now_ms ? facts->now_ms : 1;
		judge->steady_check = reading->check;
		judge->steady_composer = reading->composer;
	}
	until_ms = judge->steady_ms + hold_needed_ms(judge, is_free);
	if (judge->resize_ms &&
	    judge->resize_ms + judge->profile->timing.hold_resize_ms > until_ms) {
		until_ms = judge->resize_ms + judge->profile->timing.hold_resize_ms;
	}
	if (judge->view.is_partial && until_ms <= facts->now_ms) {
		until_ms = facts->now_ms + BH_SCREEN_SYNC_MS;
	}
	evidence = bh_case_add(facts, BH_SOURCE_TIME, BH_MARK_NONE, "steady", NULL);
	evidence->since_ms = judge->steady_ms;
	if (until_ms > facts->now_ms) {
		evidence->gate = BH_GATE_HOLD;
		evidence->until_ms = until_ms;
		(void)snprintf(evidence->detail, sizeof evidence->detail, "not for long enough");
	} else {
		evidence->says = BH_MARK_IDLE;
	}
}

static void collect_silence(struct bh_judge *judge, struct bh_case *facts)
{
	bool is_silent =
		facts->composer == BH_COMPOSER_NONE && !bh_case_find(facts, BH_MARK_WORKING) &&
		!bh_case_find(facts, BH_MARK_AWAITING) && !bh_case_find(facts, BH_MARK_DIALOG) &&
		!bh_case_find(facts, BH_MARK_STARTING);

	if (!is_silent) {
		judge->silent_ms = 0;
	} else if (!judge->silent_ms) {
		judge->silent_ms = facts->now_ms ? facts->now_ms : 1;
	}
	facts->silent_since_ms = judge->silent_ms;
}

/** Without reports the screen tells how the turn ended; only while it is fresh. */
static void judge_learn_from_rules(struct bh_judge *judge)
{
	if (judge->state != BH_STATE_WORKING || judge->status_ms) {
		return;
	}
	for (size_t i = 0; i < judge->reading.hit_count; i++) {
		if (judge->reading.hits[i].rule->last_turn != BH_TURN_NONE) {
			judge->last_turn = judge->reading.hits[i].rule->last_turn;
			return;
		}
	}
}

/** The version stands in the banner, which scrolls away: look until it was seen. */
static void judge_learn_version(struct bh_judge *judge)
{
	if (!*judge->version && judge->profile->banner) {
		(void)bh_pattern_group(judge->profile->banner, judge->view.text, judge->view.len,
		                       judge->version, sizeof judge->version);
	}
}

void bh_judge_collect(struct bh_judge *judge, const struct bh_screen *screen, uint64_t now_ms,
                      struct bh_case *facts_out)
{
	bool is_free;

	*facts_out = (struct bh_case){
		.now_ms = now_ms,
		.before = judge->state,
		.has_exited = judge->has_exited,
		.may_type = judge->profile->typing.is_allowed && !judge->is_watching,
		.knows_idle = judge->profile->typing.is_allowed,
	};
	// A screen in the middle of a synchronized update is read again when it is whole.
	if (judge->is_view_stale || judge->view.is_partial) {
		bh_view_take(&judge->view, screen);
		judge_learn_version(judge);
		bh_rules_cut(judge->profile, &judge->view);
		bh_rules_read(judge->profile, &judge->view, &judge->reading);
		judge->is_view_stale = false;
	}
	collect_rules(judge, facts_out);
	collect_latched(judge, facts_out);
	is_free = collect_status(judge, screen, facts_out);
	collect_file(judge, facts_out, is_free);
	collect_hook(judge, facts_out);
	collect_progress(screen, facts_out);
	collect_composer(judge, facts_out);
	collect_tty(judge, facts_out);
	collect_epoch(judge, facts_out, is_free);
	collect_hold(judge, facts_out, is_free);
	collect_person(judge, facts_out);
	collect_silence(judge, facts_out);
	judge_learn_from_rules(judge);
	facts_out->was_ready = judge->was_ready;
	facts_out->last_turn = judge->last_turn;
}
