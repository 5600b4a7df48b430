#include "src/wake/budget.h"

void bh_budget_begin(struct bh_budget *budget)
{
	budget->rings++;
	budget->idle_since_ms = 0;
	budget->rung_ms = 0;
	budget->is_unproved = false;
}

void bh_budget_rung(struct bh_budget *budget, bool is_proved, uint64_t now_ms)
{
	budget->rung_ms = now_ms;
	budget->is_unproved = !is_proved;
	budget->idle_since_ms = 0;
}

void bh_budget_state(struct bh_budget *budget, bool is_free, uint64_t now_ms)
{
	if (!is_free) {
		budget->idle_since_ms = 0;
	} else if (budget->idle_since_ms == 0 && budget->rung_ms != 0) {
		budget->idle_since_ms = now_ms;
	}
}

void bh_budget_ask(struct bh_budget *budget)
{
	*budget = (struct bh_budget){0};
}

void bh_budget_park(struct bh_budget *budget)
{
	budget->is_parked = true;
}

/** When the next step of a group that has been rung comes; 0: not by time. */
static uint64_t budget_due_ms(const struct bh_budget *budget)
{
	if (budget->rung_ms == 0) {
		return 0;
	}
	if (budget->rings >= BH_BUDGET_RINGS_MAX) {
		return budget->rung_ms + BH_BUDGET_PARK_MS;
	}
	if (budget->is_unproved) {
		return budget->rung_ms + BH_BUDGET_RETRY_MS;
	}
	return budget->idle_since_ms != 0 ? budget->idle_since_ms + BH_BUDGET_RETRY_MS : 0;
}

enum bh_budget_word bh_budget_now(const struct bh_budget *budget, uint64_t now_ms)
{
	uint64_t due_ms = budget_due_ms(budget);

	if (budget->is_parked) {
		return BH_BUDGET_PARKED;
	}
	if (budget->rings == 0) {
		return BH_BUDGET_DUE;
	}
	if (due_ms == 0 || now_ms < due_ms) {
		return BH_BUDGET_OUT;
	}
	return budget->rings < BH_BUDGET_RINGS_MAX ? BH_BUDGET_DUE : BH_BUDGET_PARK_NOW;
}

uint64_t bh_budget_next_ms(const struct bh_budget *budget)
{
	if (budget->is_parked || budget->rings == 0) {
		return 0;
	}
	return budget_due_ms(budget);
}
