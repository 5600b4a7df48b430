/** OSC 7501, the program status report. */
#ifndef BH_TERM_STATUS_H
#define BH_TERM_STATUS_H

#include "term/state.h"

/** Take the body of an OSC 7501 (after the number and its semicolon). */
void bh_status_receive(struct bh_screen *s, const char *text, size_t len);

/** Append the OSC 7501 sequences that give a new screen these records. */
void bh_status_write(const struct bh_screen *s, struct bh_bytes *out);

#endif
