/** @file
 * The only place that reads clocks. Everything else gets the time as a parameter.
 */
#ifndef BH_BASE_CLOCK_H
#define BH_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/** Longest text of bh_clock_text(), its NUL included. */
#define BH_CLOCK_TEXT 32

/** Milliseconds of a clock that never jumps (stands still in suspend); for intervals. */
uint64_t bh_clock_mono_ms(void);

/** As bh_clock_mono_ms(), but goes on while the machine is suspended: the difference of the two
 * grows in a suspend, which is how one is noticed. */
uint64_t bh_clock_boot_ms(void);

/** Milliseconds since 1970 (UTC); for what people read. May jump. */
int64_t bh_clock_wall_ms(void);

/** Nanoseconds of processor time this process has used; for measurements. */
uint64_t bh_clock_cpu_ns(void);

/** Write @wall_ms as "2026-11-30T23:45:01.042Z" to @out (BH_CLOCK_TEXT bytes); gives @out back. */
const char *bh_clock_text(int64_t wall_ms, char out[BH_CLOCK_TEXT]);

#endif
