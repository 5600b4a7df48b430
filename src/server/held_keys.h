/** @file
 * What the bytes that come from a person's terminal mean, as far as the server must know. Pure.
 */
#ifndef BH_SERVER_HELD_KEYS_H
#define BH_SERVER_HELD_KEYS_H

#include "src/base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/** Whether these bytes begin with what a terminal sends by itself: reports of focus and mouse, answers
 * to queries. They are no keys. */
bool bh_held_keys_is_report(const char *bytes, size_t len);

/** Whether these bytes are one report of the focus, which nobody gave by hand. */
bool bh_held_keys_is_focus(const char *bytes, size_t len);

/**
 * Drop from held keys everything that could answer a dialog: Enter, Esc (and with it the begin of
 * every sequence), digits. Gives the number of bytes dropped.
 */
size_t bh_held_keys_drop_answers(struct bh_buf *held);

#endif
