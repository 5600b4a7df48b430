/** Controls, escape and control sequences: what each does to the screen. */
#ifndef BH_TERM_SEQUENCE_H
#define BH_TERM_SEQUENCE_H

#include "term/state.h"

/** A C0 control. */
void bh_sequence_control(struct bh_screen *s, char control);

/** An ESC sequence. */
void bh_sequence_escape(struct bh_screen *s, const struct bh_token *token);

/** A CSI sequence. Unknown ones do nothing. */
void bh_sequence_csi(struct bh_screen *s, const struct bh_token *token);

/** What libvterm calls back into a screen. */
extern const struct bh_guard_events bh_sequence_guard_events;

#endif
