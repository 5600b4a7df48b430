#include "replay.h"

#include "cast.h"
#include "profile.h"
#include "src/base/err.h"
#include "term/screen.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/** The clock of a replay starts here, so that 0 can mean "never" (ms). */
#define REPLAY_ORIGIN_MS 1000000

/** A replay under way. */
struct replay {
	const struct bh_replay_options *options;
	struct bh_screen *screen;
	struct bh_judge *judge;
	struct bh_check check;
	struct bh_verdict verdict;
	bool is_typable;
	bool has_verdict;
	/** Time of the last judgement by a timer. */
	uint64_t now_ms;
};

static uint64_t clock_ms(uint64_t at_ms)
{
	return at_ms + REPLAY_ORIGIN_MS;
}

static void replay_print(const struct replay *replay, uint64_t at_ms)
{
	const struct bh_verdict *verdict = &replay->verdict;
	cJSON *line = cJSON_CreateObject();
	cJSON *why = cJSON_CreateArray();
	char *text;

	(void)cJSON_AddNumberToObject(line, "t", (double)at_ms / 1000.0);
	(void)cJSON_AddStringToObject(line, "state", bh_state_word(verdict->state));
	(void)cJSON_AddStringToObject(line, "authority", bh_source_word(verdict->authority));
	(void)cJSON_AddBoolToObject(line, "typable", replay->is_typable);
	(void)cJSON_AddStringToObject(line, "composer", bh_composer_word(verdict->composer));
	if (verdict->reason && !replay->is_typable) {
		(void)cJSON_AddStringToObject(line, "reason", verdict->reason);
	}
	if (verdict->is_only_hands) {
		(void)cJSON_AddBoolToObject(line, "human_typing", true);
	}
	if (verdict->last_turn != BH_TURN_NONE) {
		(void)cJSON_AddStringToObject(line, "last_turn",
		                              bh_last_turn_word(verdict->last_turn));
	}
	if (verdict->background) {
		(void)cJSON_AddNumberToObject(line, "background", verdict->background);
	}
	for (size_t i = 0; i < verdict->why_count; i++) {
		(void)cJSON_AddItemToArray(why, cJSON_CreateString(verdict->why[i]));
	}
	(void)cJSON_AddItemToObject(line, "why", why);
	text = cJSON_PrintUnformatted(line);
	(void)fprintf(replay->options->states, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(line);
}

static void replay_judge(struct replay *replay, uint64_t at_ms)
{
	struct bh_verdict before = replay->verdict;
	bool was_typable = replay->is_typable;

	bh_judge_evaluate(replay->judge, replay->screen, clock_ms(at_ms), &replay->verdict);
	replay->is_typable = replay->verdict.is_typable ||
	                     (replay->verdict.is_only_hands && !replay->options->is_strict);
	if (replay->has_verdict && before.state == replay->verdict.state &&
	    before.authority == replay->verdict.authority &&
	    before.composer == replay->verdict.composer && was_typable == replay->is_typable) {
		return;
	}
	replay->has_verdict = true;
	bh_check_verdict(&replay->check, replay->verdict.state, replay->is_typable, at_ms);
	if (replay->options->states) {
		replay_print(replay, at_ms);
	}
}

/** Let the timers run that are due before @at_ms. */
static void replay_advance(struct replay *replay, uint64_t at_ms)
{
	for (;;) {
		uint64_t due_ms = replay->verdict.reevaluate_at_ms;
		uint64_t tick_ms = bh_screen_tick_due_ms(replay->screen);

		if (tick_ms && (!due_ms || tick_ms < due_ms)) {
			due_ms = tick_ms;
		}
		if (!due_ms || due_ms >= clock_ms(at_ms) || replay->now_ms + 1 >= clock_ms(at_ms)) {
			return;
		}
		// A timer of the past is due now, once; the clock never goes back.
		due_ms = due_ms > replay->now_ms ? due_ms : replay->now_ms + 1;
		replay->now_ms = due_ms;
		bh_screen_tick(replay->screen, due_ms);
		replay_judge(replay, due_ms - REPLAY_ORIGIN_MS);
	}
}

/** "120x40", also with more behind it. */
static void replay_resize(struct replay *replay, const char *size, uint64_t at_ms)
{
	char *end = NULL;
	long cols = strtol(size, &end, 10);
	long rows = *end == 'x' ? strtol(end + 1, NULL, 10) : 0;

	if (cols > 0 && cols <= BH_SCREEN_MAX_COLS && rows > 0 && rows <= BH_SCREEN_MAX_ROWS) {
		bh_screen_resize(replay->screen, (int)cols, (int)rows);
		bh_judge_input(replay->judge, BH_INPUT_RESIZE, clock_ms(at_ms));
	}
}

static void replay_event(struct replay *replay, const struct bh_cast_event *event)
{
	uint64_t now_ms = clock_ms(event->at_ms);

	switch (event->kind) {
	case 'o':
		bh_screen_feed(replay->screen, event->data, event->len, now_ms);
		bh_judge_output(replay->judge, replay->screen, now_ms);
		break;
	case 'i':
		bh_judge_person(replay->judge, event->data, event->len, now_ms);
		break;
	case 'r':
		replay_resize(replay, event->data, event->at_ms);
		break;
	case 'm':
		// The end of the process is what the kernel would tell.
		if (strncmp(event->data, "exit:", 5) == 0) {
			bh_judge_exited(replay->judge, 0, now_ms);
			break;
		}
		bh_check_marker(&replay->check, event->data, event->at_ms);
		return;
	default:
		return;
	}
	replay_judge(replay, event->at_ms);
}

static const struct bh_profile *replay_profile(const struct bh_cast *cast,
                                               const struct bh_profiles *profiles,
                                               const struct bh_replay_options *options)
{
	const char *const argv[] = {bh_cast_program(cast), NULL};
	const struct bh_profile *named = bh_profiles_find(profiles, bh_cast_program(cast));

	if (options->profile) {
		return options->profile;
	}
	return named ? named : bh_profiles_match(profiles, argv);
}

int bh_replay_run(FILE *in, const char *name, const struct bh_profiles *profiles,
                  const struct bh_replay_options *options, struct bh_check *check_out,
                  struct bh_err *err)
{
	struct bh_screen_settings settings = {.history_rows = 10, .is_replay = true};
	struct replay replay = {.options = options};
	static const char set_clusters[] = "\x1B[?2027h"; // as the server does it
	struct bh_cast *cast = bh_cast_new(in, name, err);
	const struct bh_profile *profile;
	struct bh_cast_event event = {0};
	int code;

	if (!cast) {
		return err && err->code ? err->code : BH_EINVALID;
	}
	settings.cols = bh_cast_cols(cast);
	settings.rows = bh_cast_rows(cast);
	replay.screen = bh_screen_new(&settings);
	profile = replay_profile(cast, profiles, options);
	if (bh_profile_counts_clusters(profile)) {
		bh_screen_feed(replay.screen, set_clusters, sizeof set_clusters - 1, clock_ms(0));
	}
	replay.judge = bh_judge_new(profile, clock_ms(0));
	bh_check_begin(&replay.check);
	replay_judge(&replay, 0);
	while ((code = bh_cast_next(cast, &event, err)) > 0) {
		replay_advance(&replay, event.at_ms);
		replay_event(&replay, &event);
	}
	bh_check_end(&replay.check, event.at_ms);
	if (check_out) {
		*check_out = replay.check;
	}
	bh_judge_free(replay.judge);
	bh_screen_free(replay.screen);
	bh_cast_free(cast);
	return code;
}
