#include "src/mail/claim.h"

#include <assert.h>

static const char *const kind_words[] = {
	[BH_CLAIM_INBOX] = "inbox",   [BH_CLAIM_WAITER] = "waiter", [BH_CLAIM_CHANNEL] = "channel",
	[BH_CLAIM_TYPING] = "typing", [BH_CLAIM_NOTICE] = "notice",
};

static const char *const phase_words[] = {
	[BH_PHASE_CLAIMED] = "claimed",     [BH_PHASE_WRITING] = "writing",
	[BH_PHASE_ECHOED] = "echoed",       [BH_PHASE_CR_SENT] = "cr_sent",
	[BH_PHASE_PROVED] = "proved",       [BH_PHASE_UNCERTAIN] = "uncertain",
	[BH_PHASE_WITHDRAWN] = "withdrawn",
};

static_assert(sizeof(phase_words) / sizeof(phase_words[0]) == BH_PHASE_COUNT, "a word per phase");

#define BIT(phase) (1U << BH_PHASE_##phase)

// The phases that may follow each.
static const unsigned followers[BH_PHASE_COUNT] = {
	[BH_PHASE_CLAIMED] = BIT(WRITING) | BIT(WITHDRAWN),
	[BH_PHASE_WRITING] = BIT(ECHOED) | BIT(UNCERTAIN) | BIT(WITHDRAWN),
	[BH_PHASE_ECHOED] = BIT(CR_SENT) | BIT(UNCERTAIN) | BIT(WITHDRAWN),
	[BH_PHASE_CR_SENT] = BIT(PROVED) | BIT(UNCERTAIN) | BIT(WITHDRAWN),
	[BH_PHASE_UNCERTAIN] = BIT(PROVED) | BIT(CR_SENT) | BIT(WITHDRAWN),
};

const char *bh_claim_kind_word(enum bh_claim_kind kind)
{
	return (size_t)kind < sizeof(kind_words) / sizeof(kind_words[0]) ? kind_words[kind]
	                                                                 : "unknown";
}

const char *bh_phase_word(enum bh_phase phase)
{
	return (size_t)phase < BH_PHASE_COUNT ? phase_words[phase] : "unknown";
}

bool bh_phase_may_follow(enum bh_phase from, enum bh_phase to)
{
	return (size_t)from < BH_PHASE_COUNT && (size_t)to < BH_PHASE_COUNT &&
	       (followers[from] & (1U << to)) != 0;
}

bool bh_phase_is_final(enum bh_phase phase)
{
	return phase == BH_PHASE_PROVED || phase == BH_PHASE_WITHDRAWN;
}

bool bh_claim_is_attempt(const struct bh_claim *claim)
{
	return claim->kind == BH_CLAIM_TYPING || claim->kind == BH_CLAIM_NOTICE;
}
