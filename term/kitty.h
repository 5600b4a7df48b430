/** What a program asks about the keyboard: kitty's flags and stack, xterm's modifyOtherKeys. */
#ifndef BH_TERM_KITTY_H
#define BH_TERM_KITTY_H

#include "term/state.h"

/** All flags that there are: disambiguate, event types, alternates, all keys, text. */
#define BH_KITTY_FLAGS 0x1FU

/** CSI ? u, CSI > flags u, CSI < count u, CSI = flags ; how u, by the token's leader. */
void bh_kitty_run(struct bh_screen *s, const struct bh_token *token);

/** CSI > resource ; value m, and the question CSI ? resource m. */
void bh_kitty_modify_keys(struct bh_screen *s, const struct bh_token *token);

#endif
