/** @file
 * Whether the person's next keys may be looked at. Not while a request is under way that can move the
 * focus, or the layout that it made is still to come: they are for the pane that comes of it. Nor
 * while a pane is in focus that the person closed and whose program has not ended yet. Pure.
 */
#ifndef BH_UI_GATE_H
#define BH_UI_GATE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/** So long a program has to end before its pane is one like others again (ms). */
#define BH_GATE_CLOSING_MS 4000

/** The gate. Zero-initialise: open; end with bh_gate_clear(). */
struct bh_gate {
	/** Requests without an answer that can move the focus. */
	unsigned pending;
	/** The newest layout that an answer spoke of. */
	uint64_t version;
	/** Terminals that were closed last (array of ids), until when they are waited for. */
	cJSON *closing;
	uint64_t closing_until_ms;
	/** Since when it is shut (bh_clock_mono_ms()); 0: it is not. For the user of the gate. */
	uint64_t shut_at_ms;
};

/** Free; open. */
void bh_gate_clear(struct bh_gate *gate);

/** A request was sent. */
void bh_gate_sent(struct bh_gate *gate, const char *method);

/** A request was answered; @result is NULL when it was refused. */
void bh_gate_answered(struct bh_gate *gate, const char *method, const cJSON *result,
                      uint64_t now_ms);

/** Whether it is shut for one who has seen the layout of @version, with the terminal @focus_id (or
 * NULL) in focus. */
bool bh_gate_is_shut(const struct bh_gate *gate, uint64_t version, const char *focus_id,
                     uint64_t now_ms);

#endif
