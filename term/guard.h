/**
 * libvterm's state layer behind a guard. It knows how the cursor moves, what is erased and what is
 * scrolled; it never sees a byte from outside: each sequence is composed here, complete, of one or
 * two clamped numbers, after libvterm was told where the cursor is. Its answers come as calls of
 * the two events, with positions checked.
 */
#ifndef BH_TERM_GUARD_H
#define BH_TERM_GUARD_H

#include "term/grid.h"

#include <stdbool.h>
#include <stddef.h>

/** One libvterm with a size. */
struct bh_guard;

/** What libvterm wants done; called inside bh_guard_csi() and bh_guard_escape(). They must not call
 * the guard. */
struct bh_guard_events {
	void (*scroll)(void *user, struct bh_rect rect, int up, int left);
	void (*erase)(void *user, struct bh_rect rect, bool is_selective);
};

/** The state that libvterm must agree with us on before it moves the cursor. */
struct bh_guard_place {
	int row, col;                 ///< in: where the cursor is; out: where it went
	int top, bottom, left, right; ///< margins, the ends exclusive
	bool is_origin;               ///< DECOM
	bool has_sides;               ///< DECLRMM: `left` and `right` are in force
};

/** Does the libvterm that was loaded fit the header that this was compiled with? If not, false and
 * a sentence in @why. */
bool bh_guard_check(char *why, size_t size);

/** A new one at its reset state; bh_guard_free() it. */
struct bh_guard *bh_guard_new(int cols, int rows, const struct bh_guard_events *events, void *user);

/** Free @guard; NULL is fine. */
void bh_guard_free(struct bh_guard *guard);

/** Take another size. Margins, origin and sides are at their reset state then, tab stops are the
 * default ones. */
void bh_guard_resize(struct bh_guard *guard, int cols, int rows);

/**
 * Run one control sequence.
 *
 * @place
 *         In: where the cursor is and the margins that hold. Out: where the cursor went.
 * @form
 *         The final byte with its leader or intermediate in front: "A", "?J", "'}". Only those of
 *         the whitelist; others do nothing.
 * @first, @second
 *         The arguments, clamped to what libvterm bears; -1: none.
 */
void bh_guard_csi(struct bh_guard *guard, struct bh_guard_place *place, const char *form, int first,
                  int second);

/** Run RI (@final 'M') or HTS ('H') at @place; others do nothing. */
void bh_guard_escape(struct bh_guard *guard, struct bh_guard_place *place, char final);

/** Set the tab stops to those columns where @stops is true. */
void bh_guard_tabs(struct bh_guard *guard, const bool *stops);

#endif
