/** Short words for the tests of term/. */
#ifndef BH_TESTS_SCREEN_HELP_H
#define BH_TESTS_SCREEN_HELP_H

#include "term/state.h"

/** A screen of this size that was fed @bytes. */
struct bh_screen *screen_with(int cols, int rows, const char *bytes);

/** Feed a string. */
void screen_feed(struct bh_screen *screen, const char *bytes);

/** Fail unless @row reads @text. */
void screen_expect_row(const struct bh_screen *screen, int row, const char *text);

/** Fail unless the answers are exactly @bytes; they are consumed. */
void screen_expect_replies(struct bh_screen *screen, const char *bytes);

/** Fail, naming the field and @where, unless the repaint of @screen is an equal screen. Returns
 * that screen. */
struct bh_screen *screen_expect_repaint(const struct bh_screen *screen, const char *where);

#endif
