#include "src/ui/attention.h"

#include <stdio.h>
#include <string.h>

/** Most agents that one notice names. */
#define NAMES_MAX 3

/** The entry of a terminal, a new one, or the one told of longest ago. */
static struct bh_attention_entry *entry_of(struct bh_attention *attention, const char *terminal_id)
{
	struct bh_attention_entry *oldest = &attention->entries[0];

	for (size_t i = 0; i < attention->count; i++) {
		struct bh_attention_entry *at = &attention->entries[i];

		if (strcmp(at->terminal_id, terminal_id) == 0) {
			return at;
		}
		oldest = at->told_at_ms < oldest->told_at_ms ? at : oldest;
	}
	if (attention->count < BH_ATTENTION_MAX) {
		oldest = &attention->entries[attention->count++];
	}
	*oldest = (struct bh_attention_entry){0};
	(void)snprintf(oldest->terminal_id, sizeof(oldest->terminal_id), "%s", terminal_id);
	return oldest;
}

void bh_attention_add(struct bh_attention *attention, const char *terminal_id)
{
	entry_of(attention, terminal_id)->is_waiting = true;
}

/** When an agent that waits may be told of. */
static uint64_t entry_due_ms(const struct bh_attention *attention,
                             const struct bh_attention_entry *entry)
{
	uint64_t due_ms =
		attention->told_at_ms == 0 ? 1 : attention->told_at_ms + BH_ATTENTION_GAP_MS;
	uint64_t same_ms = entry->told_at_ms == 0 ? 1 : entry->told_at_ms + BH_ATTENTION_SAME_MS;

	return due_ms > same_ms ? due_ms : same_ms;
}

uint64_t bh_attention_due_ms(const struct bh_attention *attention)
{
	uint64_t due_ms = 0;

	for (size_t i = 0; i < attention->count; i++) {
		const struct bh_attention_entry *at = &attention->entries[i];

		if (at->is_waiting) {
			uint64_t at_ms = entry_due_ms(attention, at);

			due_ms = due_ms == 0 || at_ms < due_ms ? at_ms : due_ms;
		}
	}
	return due_ms;
}

static void notice_add(struct bh_attention_notice *notice, const struct bh_model_terminal *terminal)
{
	struct bh_attention_agent *agent = &notice->agents[notice->count];
	bool is_parked = bh_model_urgency(terminal) < 2 && terminal->is_parked;
	const char *state = terminal->is_done_unseen ? "done"
	                    : is_parked              ? "parked"
	                                             : terminal->state;
	size_t len = strlen(notice->text);

	memcpy(agent->terminal_id, terminal->id, sizeof(agent->terminal_id));
	memcpy(agent->identity, terminal->identity, sizeof(agent->identity));
	(void)snprintf(agent->state, sizeof(agent->state), "%s", state);
	if (notice->count < NAMES_MAX) {
		(void)snprintf(notice->text + len, sizeof(notice->text) - len, "%s%s: %s%s",
		               notice->count == 0 ? "" : ", ", terminal->identity,
		               is_parked ? "mail " : "", state);
	} else if (notice->count == NAMES_MAX) {
		(void)snprintf(notice->text + len, sizeof(notice->text) - len, " and more");
	}
	notice->count++;
}

bool bh_attention_take(struct bh_attention *attention, const struct bh_model *model,
                       uint64_t now_ms, struct bh_attention_notice *notice_out)
{
	*notice_out = (struct bh_attention_notice){0};
	for (size_t i = 0; i < attention->count; i++) {
		struct bh_attention_entry *at = &attention->entries[i];
		const struct bh_model_terminal *terminal =
			at->is_waiting ? bh_model_terminal(model, at->terminal_id) : NULL;

		if (!at->is_waiting || entry_due_ms(attention, at) > now_ms) {
			continue;
		}
		at->is_waiting = false;
		if (terminal != NULL && (bh_model_urgency(terminal) >= 2 || terminal->is_parked) &&
		    !bh_model_is_seen(model, at->terminal_id)) {
			at->told_at_ms = now_ms;
			notice_add(notice_out, terminal);
		}
	}
	if (notice_out->count == 0) {
		return false;
	}
	attention->told_at_ms = now_ms;
	return true;
}

bool bh_attention_bell(struct bh_attention *attention, uint64_t now_ms)
{
	if (attention->bell_at_ms != 0 && now_ms < attention->bell_at_ms + BH_ATTENTION_BELL_MS) {
		return false;
	}
	attention->bell_at_ms = now_ms;
	return true;
}
