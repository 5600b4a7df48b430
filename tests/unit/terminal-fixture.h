/** @file
 * A single terminal on a real PTY and tape, for the tests of terminals. It is not cleaned up by
 * cmocka: every test opens and closes its own.
 */
#ifndef BH_TESTS_TERMINAL_FIXTURE_H
#define BH_TESTS_TERMINAL_FIXTURE_H

#include "src/server/server.h"
#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** A terminal whose child is the test: it has the slave. */
struct fixture {
	struct bh_server server;
	struct bh_profiles *profiles;
	struct bh_terminal *terminal;
	int master, slave, tape;
	/** How often the events of these names came. */
	int evaluated, output, written, started, exited, closed, hooks, noted;
	unsigned persons;
};

/** Start: a terminal that is running. */
void fixture_open(struct fixture *fixture);

/** End, and check that nothing is left. */
void fixture_close(struct fixture *fixture);

/** The server goes; PTY and tape stay. */
void fixture_end(struct fixture *fixture);

/** A terminal on the fixture's PTY and tape, as a fresh one or as found after a restart. */
void fixture_begin(struct fixture *fixture);

/** The child prints, and the terminal has read it. */
void child_prints(struct fixture *fixture, const char *text);

/** A row of the screen must be that. */
void assert_row(struct fixture *fixture, int row, const char *expected);

/** What the child can read now must be that; "": nothing. */
void assert_child_reads(struct fixture *fixture, const char *expected);

#endif
