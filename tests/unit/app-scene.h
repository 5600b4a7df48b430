/** @file
 * The UI as a person sees it who attaches to a played session (fake-session.h), for tests of the UI.
 */
#ifndef BH_TESTS_APP_SCENE_H
#define BH_TESTS_APP_SCENE_H

#include "fake-person.h"

/** Run the UI in the person's child; its exit status is the outcome, or 100 when it failed. */
int app_scene_run(const struct fake_person *person);

/** cmocka tear-down; *state is the struct fake_person. */
int app_scene_remove(void **state);

/** Wait for the ends of client and server: as @outcome (enum bh_app_outcome), and without a fault. */
void app_scene_end(struct fake_person *scene, int outcome);

/** The person detaches; then as app_scene_end(). */
void app_scene_detach(struct fake_person *scene);

#endif
