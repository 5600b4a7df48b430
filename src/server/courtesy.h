/** @file
 * Who types comes first. While a person types into one terminal, what the others print is read at a
 * pace at which the echo of a key does not wait for it: a program that prints as fast as it can is
 * slowed down by its terminal, as by any slow one, and leaves the processors to the echo. Pure.
 */
#ifndef BH_SERVER_COURTESY_H
#define BH_SERVER_COURTESY_H

#include <stddef.h>
#include <stdint.h>

/** So long after a key a person counts as typing (ms). */
#define BH_COURTESY_TYPING_MS 1000
/** The pace: so much output of a terminal (bytes) in so long (ms). */
#define BH_COURTESY_BYTES (8 * 1024)
#define BH_COURTESY_WINDOW_MS 8

/** Where a person types; all zero: nowhere. */
struct bh_courtesy {
	/** The terminal that was typed into last; only compared. */
	const void *typed;
	/** Until when that counts (loop time). */
	uint64_t until_ms;
};

/** What one terminal had of its pace; all zero at first. */
struct bh_courtesy_share {
	/** Begin of the window (loop time). */
	uint64_t begun_ms;
	/** Bytes that were read in it. */
	size_t used;
};

/** A person typed into a terminal. */
void bh_courtesy_type(struct bh_courtesy *courtesy, const void *terminal, uint64_t now_ms);

/** How much of a terminal's output may be read now (bytes); @whole when nobody is waiting. */
size_t bh_courtesy_room(const struct bh_courtesy *courtesy, struct bh_courtesy_share *share,
                        const void *terminal, size_t whole, uint64_t now_ms);

/**
 * So much was read of what bh_courtesy_room() gave.
 *
 * @return
 *         For how long the terminal is not to be read (ms); 0: it may be.
 */
uint64_t bh_courtesy_take(const struct bh_courtesy *courtesy, struct bh_courtesy_share *share,
                          const void *terminal, size_t bytes, uint64_t now_ms);

#endif
