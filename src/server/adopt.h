/** @file
 * Agents that a person types into a shell. The terminal was started for a program that no profile
 * knows; while an agent reads it, that one is *watched*: the terminal has its judge, so its state,
 * and says its name. Nothing is typed there, ever: beneath lies a shell, and an agent that ends
 * between two steps of a typing would leave the text to it. So terminal->profile stays what it was.
 *
 * The kernel is asked when another process group is in the foreground, when output has settled, and
 * when the agent ends; no timer runs while nothing happens. Nothing is kept: after a restart of the
 * server the agent is found by looking.
 */
#ifndef BH_SERVER_ADOPT_H
#define BH_SERVER_ADOPT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct bh_adopt_end;
struct bh_profile;
struct bh_terminal;

/** Output has settled when none came for so long (ms). */
#define BH_ADOPT_SETTLE_MS 250
/** While it does not settle the kernel is asked so often (ms). */
#define BH_ADOPT_EVERY_MS 1000

/** What is watched in a terminal. Zero: nothing. */
struct bh_adopted {
	/** The rules for it; NULL: nothing is watched. Borrowed from the server's set. */
	const struct bh_profile *profile;
	/** Its process. */
	pid_t pid;
	/** Where it keeps its files, by its own environment; NULL: where it does without. */
	char *config_folder;
	/** The group that was looked at last, -1: it is to be looked at again, */
	pid_t group;
	/** when (loop time), */
	uint64_t looked_ms;
	/** and the terminal's output at that time. */
	uint64_t looked_offset;
	/** When the last one ended (loop time); 0: there was none. */
	uint64_t ended_ms;
	/** Tells of its end; NULL: nothing does. */
	struct bh_adopt_end *end;
};

/**
 * Look who reads the terminal, if that is due; then its judge may be another.
 *
 * @foreground
 *         The foreground process group; 0: there is none.
 */
void bh_adopt_look(struct bh_terminal *terminal, pid_t foreground, uint64_t now_ms);

/** When the next look is due (loop time) though nothing happens; 0: it is not. */
uint64_t bh_adopt_due_ms(const struct bh_terminal *terminal);

/** The terminal ends: nothing is watched any more. The judge stays. Twice is fine. */
void bh_adopt_close(struct bh_terminal *terminal);

/** The rules for what reads the terminal: of what is watched, else its own. For all that shows and
 * judges; for typing only terminal->profile counts. */
const struct bh_profile *bh_adopt_profile(const struct bh_terminal *terminal);

#endif
