/** @file
 * A UI that is not connected, for tests of its parts: what it would ask a server for is refused, and
 * that is said in the status line.
 */
#ifndef BH_TESTS_APP_WORLD_H
#define BH_TESTS_APP_WORLD_H

#include "src/ui/app_state.h"

/** What is said when something was asked for. */
#define APP_WORLD_ASKED "the server does not answer now; try again"

/** It and what it borrows. */
struct app_world {
	struct bh_client_settings client;
	struct bh_app_settings settings;
	struct bh_app_end end;
	struct bh_app app;
};

/** cmocka set-up and tear-down; *state is the struct app_world. It stands on 80 x 14, with a sidebar,
 * and has no tab yet. */
int app_world_make(void **state);
int app_world_remove(void **state);

/** Two tabs; in the first, "api", the panes of "a" at the left (in focus), "b" at the right above "c";
 * "d" is in the second, "ci". */
void app_world_show(struct app_world *world);

/** What was said since the last call; "" for nothing. Borrowed until the next call. */
const char *app_world_said(struct app_world *world);

/** The name of the layer over all panes, "" when there is none. */
const char *app_world_layer(const struct app_world *world);

#endif
