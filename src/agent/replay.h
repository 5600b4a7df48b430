/** @file
 * Replays a recording through screen and judge with the recording's clock, timers included.
 *
 * Input events count as what they are: keys of a person, or answers of the recorder's terminal.
 * One thing differs from life: recorders type without pause, so "no key of a person for 3 s" would
 * hide nearly every judgement behind it. It is a timer and needs no proof; so here it does not
 * make a moment untypable, but is told beside: `"human_typing":true`. With is_strict it counts.
 */
#ifndef BH_AGENT_REPLAY_H
#define BH_AGENT_REPLAY_H

#include "replay_check.h"

#include <stdbool.h>
#include <stdio.h>

struct bh_err;
struct bh_profile;
struct bh_profiles;

/** How to replay. */
struct bh_replay_options {
	/** The profile; NULL: the one of the program that the recording names. */
	const struct bh_profile *profile;
	/** Where lines of JSON go, one at t=0 and one at each change; NULL: nowhere. */
	FILE *states;
	/** A person's hands within 3 s make a moment untypable, as in life. */
	bool is_strict;
};

/**
 * Replay one recording.
 *
 * @in, @name
 *         The recording (borrowed) and what to call it in errors.
 * @check_out
 *         The comparison with its markers. May be NULL.
 * @return
 *         0, or a negative code with @err: not a recording, or damaged.
 */
int bh_replay_run(FILE *in, const char *name, const struct bh_profiles *profiles,
                  const struct bh_replay_options *options, struct bh_check *check_out,
                  struct bh_err *err);

#endif
