/** Answers to the questions that a program asks its terminal, in the order of the questions. */
#ifndef BH_TERM_REPLY_H
#define BH_TERM_REPLY_H

#include "term/state.h"

/** Append an answer, unless replaying. Too many that nobody fetches are dropped. */
void bh_reply_printf(struct bh_screen *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** DA1, DA2, DA3 by leader (0, '>', '='). */
void bh_reply_attributes(struct bh_screen *s, char leader);

/** XTVERSION. */
void bh_reply_version(struct bh_screen *s);

/** DSR @number, with @is_private CSI ? n. */
void bh_reply_status(struct bh_screen *s, int number, bool is_private);

/** XTWINOPS: sizes (14, 16, 18, 19). */
void bh_reply_size(struct bh_screen *s, int number);

/** The report of mode 2048, when that is on. */
void bh_reply_in_band_size(struct bh_screen *s);

/** A DCS that asks: DECRQSS and XTGETTCAP. */
void bh_reply_dcs(struct bh_screen *s, const char *text, size_t len);

#endif
