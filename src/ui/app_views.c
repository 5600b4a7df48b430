// The layers over all panes that a key opens.
#include "src/ui/agentpicker.h"
#include "src/ui/app_layer.h"
#include "src/ui/app_state.h"
#include "src/ui/chooser.h"
#include "src/ui/explainview.h"
#include "src/ui/helpview.h"
#include "src/ui/mailview.h"

void bh_app_show_help(struct bh_app *app)
{
	struct bh_app_slot *slot = bh_app_slot_new(app);

	bh_app_slot_show(slot, bh_helpview_new(&slot->host, app->bindings.direct_count));
}

void bh_app_show_tabs(struct bh_app *app)
{
	struct bh_app_slot *slot = NULL;

	if (app->settings->is_observing) { // to go somewhere takes everybody along
		bh_app_say(app, app->now_ms, "you only look here (--observe)");
		return;
	}
	slot = bh_app_slot_new(app);
	bh_app_slot_show(slot, bh_chooser_new(&slot->host, &app->model));
}

void bh_app_show_mail(struct bh_app *app)
{
	struct bh_app_slot *slot = bh_app_slot_new(app);

	bh_app_slot_show(slot,
	                 bh_mailview_new(&slot->host, &app->model, app->settings->is_observing));
}

void bh_app_show_explanation(struct bh_app *app)
{
	const struct bh_model_pane *pane = bh_model_focus(&app->model);
	const struct bh_model_terminal *terminal =
		pane == NULL ? NULL : bh_model_terminal(&app->model, pane->terminal_id);
	struct bh_app_slot *slot = NULL;

	if (terminal == NULL) {
		bh_app_say(app, app->now_ms, "there is no pane here");
		return;
	}
	slot = bh_app_slot_new(app);
	bh_app_slot_show(slot, bh_explainview_new(&slot->host, &app->model, terminal->id,
	                                          terminal->identity));
}

void bh_app_show_agents(struct bh_app *app)
{
	struct bh_app_slot *slot = NULL;

	if (app->settings->is_observing) {
		bh_app_say(app, app->now_ms, "you only look here (--observe)");
		return;
	}
	slot = bh_app_slot_new(app);
	bh_app_slot_show(slot,
	                 bh_agentpicker_new(&slot->host, &app->model, app->settings->environ));
}
