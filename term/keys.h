/** Keys of a person as the bytes that the child expects in the modes in force. */
#ifndef BH_TERM_KEYS_H
#define BH_TERM_KEYS_H

#include "term/screen.h"

/** Enough for any single key. */
#define BH_KEYS_MAX 32

/**
 * Encode one named key.
 *
 * @screen
 *         Its modes decide: application cursor and keypad, kitty flags, modifyOtherKeys, newline.
 * @name
 *         One character ("a", "é"), or a name: Enter Tab Escape Backspace Space Up Down Left Right
 *         Home End PageUp PageDown Insert Delete F1..F12 (also: Esc, BSpace, BTab, PgUp, PgDn, Del,
 *         Return); with modifiers in front, "C-" control, "M-" alt, "S-" shift: "C-c", "S-Tab".
 * @out, @size
 *         Where the bytes go; BH_KEYS_MAX is enough.
 * @return
 *         How many bytes, 0 when the name is unknown.
 */
size_t bh_keys_encode(const struct bh_screen *screen, const char *name, char *out, size_t size);

/** Text as a paste: wrapped in the paste markers when bracketed paste is on, as it is when not. The
 * text must have passed bh_strip_message(). The caller frees the result. */
char *bh_keys_paste(const struct bh_screen *screen, const char *text, size_t len, size_t *len_out);

#endif
