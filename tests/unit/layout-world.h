/** @file
 * Tabs, panes and several clients in a world (server-world.h).
 */
#ifndef TESTS_UNIT_LAYOUT_WORLD_H
#define TESTS_UNIT_LAYOUT_WORLD_H

#include "tests/unit/server-world.h"

/** The panes of a layout object must be these: "name:colsxrows+col+row" in reading order, a zoomed one
 * that is hidden in parentheses, tabs parted by " | ", the active tab with "*". */
void assert_panes(const cJSON *layout, const char *expected);

/** As assert_panes(), of `layout.get`. */
void assert_layout(struct world *world, const char *expected);

/** The size of a terminal must be this. */
void assert_size_now(struct world *world, const char *name, int cols, int rows);

/** The same, soon. */
void assert_size(struct world *world, const char *name, int cols, int rows);

/** The request must be refused with this word. */
void assert_refused(struct world *world, const char *method, const char *params, const char *word);

/** The request must be done. Gives its result, borrowed until the next one. */
const cJSON *assert_done(struct world *world, const char *method, const char *params);

/** A member of an object, which must be a number. */
int number_of(const cJSON *object, const char *name);

/** `tab.new`, `pane.split` or the like, which runs a program by this identity, with more params. */
struct world_child *start(struct world *world, const char *method, const char *name,
                          const char *more);

/** A tab of its own for each letter of @names. */
void start_tabs(struct world *world, const char *names);

/** Another client's end of its connection. */
struct other {
	int client;
	char *in;
	size_t in_len;
};

/** Leave the client of the world aside and connect another one. */
struct other client_keep(struct world *world);

/** The one that was left aside is the client of the world, and the other way round. */
void client_change(struct world *world, struct other *other);

/** The one that was left aside goes. */
void client_drop(struct world *world, struct other *other);

#endif
