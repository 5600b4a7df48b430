/** @file
 * An errand: a command of the user's that is started and not waited for.
 */
#ifndef BH_UI_ERRAND_H
#define BH_UI_ERRAND_H

#include <stddef.h>

/** A variable of its environment. */
struct bh_errand_variable {
	const char *name;
	const char *value;
};

/**
 * Run @command by sh, away from the person's terminal: no input, output thrown away, a session of
 * its own. Leaves no child to wait for.
 *
 * @variables
 *         What is added to the environment; borrowed for the call.
 * @return
 *         0 when it was started, or -errno. Whether it succeeds is not known.
 */
int bh_errand_run(const char *command, const struct bh_errand_variable *variables, size_t count);

#endif
