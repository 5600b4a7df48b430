// To another session of the person's: the UI ends, and whoever runs it shows that one.
#include "src/client/sessions.h"
#include "src/ui/app_layer.h"
#include "src/ui/app_state.h"
#include "src/ui/sessionpicker.h"

#include <stdio.h>
#include <string.h>

static void go(void *user, const char *name)
{
	struct bh_app *app = user;

	if (strcmp(name, app->settings->session) != 0) {
		(void)snprintf(app->end->session, sizeof(app->end->session), "%s", name);
		bh_app_finish(app, BH_APP_SWITCHED);
	}
}

/** The sessions there are; false when the person was told that none can be gone to from here. */
static bool find(struct bh_app *app, struct bh_sessions *sessions)
{
	if (app->settings->sessions_dir == NULL) {
		bh_app_say(app, app->now_ms, "other sessions cannot be reached from here");
		return false;
	}
	bh_sessions_find(sessions, app->settings->sessions_dir);
	return true;
}

void bh_app_show_sessions(struct bh_app *app)
{
	struct bh_sessions sessions = {0};
	struct bh_app_slot *slot = NULL;

	if (find(app, &sessions)) {
		slot = bh_app_slot_new(app);
		bh_app_slot_show(slot, bh_sessionpicker_new(&slot->host, &sessions,
		                                            app->settings->session, go, app));
	}
}

static void go_step(struct bh_app *app, int step)
{
	struct bh_sessions sessions = {0};
	const struct bh_sessions_item *item = NULL;

	if (!find(app, &sessions)) {
		return;
	}
	item = bh_sessions_step(&sessions, app->settings->session, step);
	if (item == NULL) {
		bh_app_say(app, app->now_ms, "there is no other session");
	} else {
		go(app, item->name);
	}
	bh_sessions_clear(&sessions);
}

void bh_app_next_session(struct bh_app *app)
{
	go_step(app, 1);
}

void bh_app_previous_session(struct bh_app *app)
{
	go_step(app, -1);
}
