/** @file
 * What the rules of a profile read off one view: the composer, and which rules match where.
 * Stateless: the same view gives the same reading.
 */
#ifndef BH_AGENT_RULES_H
#define BH_AGENT_RULES_H

#include "profile_data.h"
#include "view.h"

/** Most matching rules that a reading keeps; the ones of highest priority. */
#define BH_HITS_MAX 16

/** A rule that matches. */
struct bh_hit {
	/** The rule, borrowed from the profile. */
	const struct bh_rule *rule;
	/** Row of its first match, counted from the last row, which is -1; 0 in the title. */
	int row;
};

/** What one view says. */
struct bh_reading {
	/** The composer and what it holds. */
	enum bh_composer composer;
	/** First and last row of its text, from 0. */
	int first_row;
	/** See first_row. */
	int last_row;
	/** Row above its upper edge's row: where the region "above" ends. */
	int above_row;
	/** Row of its lower edge: the region "below" begins under it. */
	int below_row;
	/** Column where its text begins. */
	int text_col;
	/** A check value over the composer's rows: equal means unchanged. */
	uint32_t check;
	/** The composer looks right but what must stand under it does not: another program's. */
	bool is_foreign;
	/** A pattern's work limit was reached: nothing is proved. */
	bool has_limit;
	/** Rules that match, highest priority first. */
	struct bh_hit hits[BH_HITS_MAX];
	/** Their number. */
	size_t hit_count;
};

/** Read @view by the rules of @profile. */
void bh_rules_read(const struct bh_profile *profile, const struct bh_view *view,
                   struct bh_reading *reading_out);

/** Take out of @view what stands right of the composer's edge; before bh_rules_read(). */
void bh_rules_cut(const struct bh_profile *profile, struct bh_view *view);

#endif
