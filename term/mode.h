/** Modes (SM, RM, DECSET, DECRST, DECRQM) and what switching them does. */
#ifndef BH_TERM_MODE_H
#define BH_TERM_MODE_H

#include "term/state.h"

/** One mode with a number of its own. */
struct bh_mode_number {
	int number;               ///< in CSI [?] number h
	enum bh_screen_mode mode; ///< what it switches
};

/** The DEC private modes that are a switch and no more (not 47, 1047 to 1049), by number. */
extern const struct bh_mode_number bh_mode_numbers[];
extern const size_t bh_mode_numbers_count;

/** SM/RM (@is_private: DECSET/DECRST) with all arguments of @token. */
void bh_mode_set(struct bh_screen *s, const struct bh_token *token, bool is_private, bool is_on);

/** DECRQM. */
void bh_mode_report(struct bh_screen *s, int number, bool is_private);

/** End a synchronized update. */
void bh_mode_end_sync(struct bh_screen *s);

#endif
