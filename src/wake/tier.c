#include "src/wake/tier.h"

static void condition_add(struct bh_tier_verdict *verdict, bool is_needed, const char *text)
{
	if (is_needed && verdict->condition_count < BH_TIER_CONDITIONS_MAX) {
		verdict->conditions[verdict->condition_count++] = text;
	}
}

/** Why nothing wakes it; NONE when something may. */
static enum bh_reason dead_end(const struct bh_tier_evidence *evidence)
{
	if (!evidence->has_terminal && !evidence->is_respawning) {
		return BH_REASON_NO_TERMINAL;
	}
	if (evidence->has_terminal && (!evidence->can_type || evidence->mode == BH_MODE_OFF)) {
		return BH_REASON_TYPING_OFF;
	}
	return BH_REASON_NONE;
}

struct bh_tier_verdict bh_tier_judge(const struct bh_tier_evidence *evidence)
{
	struct bh_tier_verdict verdict = {.tier = BH_TIER_NONE, .blocked = dead_end(evidence)};
	bool is_notice = evidence->mode == BH_MODE_NOTICE;

	if (verdict.blocked != BH_REASON_NONE) {
		return verdict;
	}
	verdict.blocked = evidence->has_terminal ? evidence->gate : BH_REASON_STARTING;
	condition_add(&verdict, !evidence->has_terminal, "its terminal is started again");
	condition_add(&verdict, evidence->idle_proved_ms == 0,
	              "idle has not been proved in this terminal yet");
	condition_add(&verdict, evidence->submission_proved_ms == 0,
	              "no submission has been proved in this terminal yet");
	condition_add(&verdict, evidence->unproved > 0, "the last submission could not be proved");
	condition_add(&verdict, is_notice && evidence->read_proved_ms == 0,
	              "reading after a notice has not been seen in this terminal yet; it may ask a "
	              "person");
	verdict.tier = verdict.condition_count == 0 ? BH_TIER_GUARANTEED : BH_TIER_CONDITIONAL;
	if (verdict.tier == BH_TIER_GUARANTEED) {
		verdict.proved_ms = evidence->idle_proved_ms > evidence->submission_proved_ms
		                            ? evidence->idle_proved_ms
		                            : evidence->submission_proved_ms;
	}
	return verdict;
}
