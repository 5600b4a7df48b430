/** @file
 * When a person is called: agents that begin to need one, or whose mail is parked, where nobody sees them, and bells of
 * programs. Neither comes faster than a person could want, and none is lost for that: it waits, and
 * is given up only when there is no need any more. Pure.
 */
#ifndef BH_UI_ATTENTION_H
#define BH_UI_ATTENTION_H

#include "src/ui/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Most agents that wait to be told of, and that are remembered. */
#define BH_ATTENTION_MAX 32
/** Time between two notices, and between two about the same agent (ms). */
#define BH_ATTENTION_GAP_MS 1000
#define BH_ATTENTION_SAME_MS 10000
/** Time between two bells of programs (ms). */
#define BH_ATTENTION_BELL_MS 100

/** An agent. */
struct bh_attention_entry {
	char terminal_id[BH_MODEL_ID];
	/** When it was told of last; 0: never. */
	uint64_t told_at_ms;
	/** It is to be told of. */
	bool is_waiting;
};

/** Who called, and when. Zero-initialise. */
struct bh_attention {
	struct bh_attention_entry entries[BH_ATTENTION_MAX];
	size_t count;
	uint64_t told_at_ms;
	uint64_t bell_at_ms;
};

/** An agent that needs a person. */
struct bh_attention_agent {
	char terminal_id[BH_MODEL_ID];
	char identity[BH_MODEL_NAME];
	/** Its state, "done", or "parked" (its mail is). */
	char state[BH_MODEL_WORD];
};

/** A notice. */
struct bh_attention_notice {
	/** "tester: done", of several agents joined by commas. */
	char text[BH_MODEL_TEXT];
	/** All of them, at least one. */
	struct bh_attention_agent agents[BH_ATTENTION_MAX];
	size_t count;
};

/** The agent of a terminal began to need a person. */
void bh_attention_add(struct bh_attention *attention, const char *terminal_id);

/** When bh_attention_take() is due (bh_clock_mono_ms()), 0: not. */
uint64_t bh_attention_due_ms(const struct bh_attention *attention);

/** The notice that is due now, about all agents that still need a person and are not seen. False:
 * there is none. */
bool bh_attention_take(struct bh_attention *attention, const struct bh_model *model,
                       uint64_t now_ms, struct bh_attention_notice *notice_out);

/** Whether a program's bell rings now. */
bool bh_attention_bell(struct bh_attention *attention, uint64_t now_ms);

#endif
