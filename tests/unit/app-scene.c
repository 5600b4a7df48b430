#include "app-scene.h"

#include "src/ui/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int app_scene_run(const struct fake_person *person)
{
	struct bh_client_settings client = {.socket_path = person->socket};
	struct bh_app_settings settings = {.client = &client,
	                                   .outer = bh_outer_full,
	                                   .session = "work",
	                                   .in_fd = person->slave,
	                                   .out_fd = person->slave};
	struct bh_app_end end;
	int rc = bh_app_run(&settings, &end, NULL);

	return rc == 0 ? (int)end.outcome : 100;
}

int app_scene_remove(void **state)
{
	fake_person_free(*state);
	return 0;
}

void app_scene_end(struct fake_person *scene, int outcome)
{
	fake_person_end(scene, outcome);
	assert_int_equal(fake_server_wait(scene->server), 0);
}

void app_scene_detach(struct fake_person *scene)
{
	fake_person_see(scene, NULL);
	fake_person_type(scene, "\x02"
	                        "d");
	app_scene_end(scene, BH_APP_DETACHED);
}
