/** @file
 * What a program asks of the person's terminal beyond its cells: title, clipboard, notifications.
 * Pure: a screen in, bytes out.
 */
#ifndef BH_UI_PASS_H
#define BH_UI_PASS_H

#include "src/base/buf.h"
#include "term/screen.h"

/** The title that a person's terminal was given. Zero-initialise. */
struct bh_pass_title {
	char text[256];
};

/** Give the terminal the title of @screen (NULL allowed), or @name where the program gave none. */
void bh_pass_title(struct bh_pass_title *title, const struct bh_screen *screen, const char *name,
                   struct bh_buf *out);

/** Put text into the clipboard (OSC 52). */
void bh_pass_yank(struct bh_span text, struct bh_buf *out);

/** Pass on what the program put into the clipboard, if it did. */
void bh_pass_clipboard(struct bh_screen *screen, struct bh_buf *out);

/** Show a notification (OSC 9); control characters are left out. */
void bh_pass_note(const char *title, const char *body, struct bh_buf *out);

/** Pass on the program's notification, if there is one. */
void bh_pass_notification(struct bh_screen *screen, struct bh_buf *out);

#endif
