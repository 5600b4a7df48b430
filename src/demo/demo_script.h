/** @file
 * What a submitted text makes the demo agent do: its directives, in order.
 *
 *     DEMO:work N     be busy for N seconds (decimals allowed)
 *     DEMO:ask TEXT   ask for a permission; the turn goes on with the answer
 *     DEMO:say TEXT   answer TEXT
 *     DEMO:run CMD    run CMD with the shell as its tool, show the output
 *     DEMO:exit N     exit with status N
 *
 * A directive's argument ends at the next `DEMO:` or at the end of its line. A text without any
 * gets a short answer. A line that begins with `Mail n` is a notice: `bellhop inbox` is run, as an
 * agent would that was told so.
 */
#ifndef BH_DEMO_SCRIPT_H
#define BH_DEMO_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

/** The kinds of steps. */
enum bh_demo_step_kind {
	BH_DEMO_STEP_WORK,
	BH_DEMO_STEP_ASK,
	BH_DEMO_STEP_SAY,
	BH_DEMO_STEP_RUN,
	BH_DEMO_STEP_EXIT
};

/** One step of a turn. */
struct bh_demo_step {
	enum bh_demo_step_kind kind;
	/** WORK: milliseconds. EXIT: the status. */
	uint64_t number;
	/** ASK, SAY, RUN: the argument, never NULL there. Owned by the script. */
	char *text;
};

/** The steps of a turn. Zero-initialise; end with bh_demo_script_clear(). */
struct bh_demo_script {
	struct bh_demo_step *steps;
	size_t count;
};

/** Replace the steps by those of @text. */
void bh_demo_script_parse(struct bh_demo_script *script, const char *text);

/** Drop the steps; usable again. */
void bh_demo_script_clear(struct bh_demo_script *script);

#endif
