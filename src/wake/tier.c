#include "src/wake/tier.h"

#include "src/agent/drift.h"

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
	if (!evidence->can_type || evidence->mode == BH_MODE_OFF) {
		return BH_REASON_TYPING_OFF;
	}
	return BH_REASON_NONE;
}

/** What carries mail, once nothing is in the way. */
static enum bh_path carrier(const struct bh_tier_evidence *evidence, bool is_dead_end)
{
	if (evidence->has_waiter) {
		return BH_PATH_WAITER;
	}
	if (evidence->has_channel) {
		return BH_PATH_CHANNEL;
	}
	if (is_dead_end) {
		return BH_PATH_INBOX_ONLY;
	}
	return evidence->mode == BH_MODE_NOTICE || evidence->is_behind_notice ? BH_PATH_NOTICE
	                                                                      : BH_PATH_TERMINAL;
}

/** The newest proof. That it is idle shows whenever one looks: others say more. */
static void add_last_proof(struct bh_tier_verdict *verdict, const struct bh_tier_evidence *evidence)
{
	const struct {
		const char *what;
		int64_t at_ms;
	} proofs[] = {
		{"submission", evidence->submission_proved_ms},
		{"read", evidence->read_proved_ms},
		{"channel", evidence->channel_proved_ms},
	};

	for (size_t i = 0; i < sizeof(proofs) / sizeof(proofs[0]); i++) {
		if (proofs[i].at_ms > verdict->last_proof_ms) {
			verdict->last_proof = proofs[i].what;
			verdict->last_proof_ms = proofs[i].at_ms;
		}
	}
	if (verdict->last_proof == NULL && evidence->idle_proved_ms != 0) {
		verdict->last_proof = "idle";
		verdict->last_proof_ms = evidence->idle_proved_ms;
	}
}

/** What typing hangs on. */
static void add_typing(struct bh_tier_verdict *verdict, const struct bh_tier_evidence *evidence)
{
	bool is_notice = evidence->mode == BH_MODE_NOTICE;

	condition_add(verdict, !evidence->has_terminal, "its terminal is started again");
	condition_add(verdict, evidence->idle_proved_ms == 0,
	              "idle has not been proved in this terminal yet");
	condition_add(verdict, evidence->submission_proved_ms == 0,
	              "no submission has been proved in this terminal yet");
	condition_add(verdict, evidence->unproved > 0, "the last submission could not be proved");
	condition_add(verdict, evidence->unknown_percent >= BH_DRIFT_LIMIT_PERCENT,
	              "its state was often unknown: the rules of its profile may not fit this "
	              "version of it; see `bellhop doctor`");
	condition_add(verdict, is_notice && evidence->read_proved_ms == 0,
	              "reading after a notice has not been seen in this terminal yet; it may ask a "
	              "person");
	condition_add(verdict, evidence->has_channel_failed,
	              "its channel was closed: three messages in a row were not acknowledged");
}

/** What a reader hangs on that takes mail by itself, whatever the screen shows. */
static void add_reader(struct bh_tier_verdict *verdict, const struct bh_tier_evidence *evidence)
{
	verdict->condition_count = 0;
	if (evidence->has_channel) {
		condition_add(verdict, true, "its channel stays open and acknowledges");
		condition_add(verdict, evidence->channel_proved_ms == 0,
		              "its channel has not acknowledged anything yet");
	} else {
		condition_add(verdict, true, "its wait stays open");
	}
}

/** Why an agent whose state is shown is not typed into, and what a person can do. */
static void add_watched(struct bh_tier_verdict *verdict, const struct bh_tier_evidence *evidence)
{
	condition_add(
		verdict, evidence->is_watched,
		"it was typed into a shell, where bellhop only watches: `bellhop run PROGRAM` or "
		"C-b N starts one that gets its mail typed; `bellhop inbox` and `bellhop wait` "
		"work in it");
}

struct bh_tier_verdict bh_tier_judge(const struct bh_tier_evidence *evidence)
{
	enum bh_reason dead = dead_end(evidence);
	struct bh_tier_verdict verdict = {.tier = BH_TIER_NONE,
	                                  .blocked = dead,
	                                  .unknown_percent = evidence->unknown_percent};
	bool has_reader = evidence->has_waiter || evidence->has_channel;

	verdict.by =
		carrier(evidence, dead != BH_REASON_NONE || evidence->gate == BH_REASON_PARKED);
	add_last_proof(&verdict, evidence);
	if (dead != BH_REASON_NONE && !has_reader) {
		add_watched(&verdict, evidence);
		return verdict;
	}
	if (dead == BH_REASON_NONE) {
		verdict.blocked = evidence->has_terminal ? evidence->gate : BH_REASON_STARTING;
		add_typing(&verdict, evidence);
	}
	verdict.tier = dead == BH_REASON_NONE && verdict.condition_count == 0 ? BH_TIER_GUARANTEED
	                                                                      : BH_TIER_CONDITIONAL;
	if (has_reader) {
		// The screen stops no reader; people who will have no disturbance stop a channel.
		verdict.blocked =
			!evidence->has_waiter && evidence->gate == BH_REASON_DO_NOT_DISTURB
				? evidence->gate
				: BH_REASON_NONE;
		if (verdict.tier != BH_TIER_GUARANTEED) {
			add_reader(&verdict, evidence);
			add_watched(&verdict, evidence);
		}
	}
	if (verdict.tier == BH_TIER_GUARANTEED) {
		verdict.proved_ms = evidence->idle_proved_ms > evidence->submission_proved_ms
		                            ? evidence->idle_proved_ms
		                            : evidence->submission_proved_ms;
	}
	return verdict;
}
