// The user's settings in the running UI: read at the start and when the server says that they changed.
#include "src/ui/app_state.h"

#include <stdio.h>

/** The first fault, for the status line. */
static void hear_fault(const struct bh_err *err, void *user)
{
	struct bh_err *first = user;

	if (first->code == 0) {
		*first = *err;
	}
}

void bh_app_use_outer(struct bh_app *app)
{
	struct bh_outer outer = app->outer;

	if (app->config.truecolor != BH_CONFIG_TRUECOLOR_AUTO) {
		bh_outer_set_direct(&outer, app->config.truecolor == BH_CONFIG_TRUECOLOR_ON);
	}
	app->modes.is_plain = (outer.can & BH_OUTER_XTERM) == 0;
	app->modes.has_kitty = (outer.can & BH_OUTER_KITTY_KEYS) != 0;
	if (app->draw != NULL) {
		bh_draw_set_outer(app->draw, &outer);
	}
}

static bool is_direct(const void *user, const struct bh_layer_key *key)
{
	return bh_bindings_direct(user, key) != NULL;
}

void bh_app_read_config(struct bh_app *app, uint64_t now_ms)
{
	struct bh_err first = {0};
	struct bh_config_source source = {.path = app->settings->config_file,
	                                  .is_needed = app->settings->is_config_named,
	                                  .names = &bh_bindings_names,
	                                  .report = hear_fault,
	                                  .user = &first};

	if (source.path == NULL) {
		bh_config_clear(&app->config);
		bh_config_init(&app->config);
	} else if (bh_config_load(&app->config, &source) > 0) {
		bh_app_say(app, now_ms, first.text);
	}
	bh_bindings_set(&app->bindings, &app->config);
	bh_app_use_outer(app);
	app->input.is_direct = app->bindings.direct_count > 0 ? is_direct : NULL;
	app->input.direct_user = &app->bindings;
	app->input.prefix = bh_bindings_prefix(app->bindings.prefix);
	app->input.partial_ms = (unsigned)app->config.escape_ms;
	app->modes.mouse_least = app->config.mouse ? BH_MODES_MOUSE_DRAG : BH_MODES_MOUSE_NONE;
	if (app->link != NULL) {
		bh_app_take_size(app);
	}
	app->is_dirty = true;
}
