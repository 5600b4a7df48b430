/** @file
 * The running UI's state, shared by its loop (app.c) and its keys (app_keys.c). For nobody else.
 */
#ifndef BH_UI_APP_STATE_H
#define BH_UI_APP_STATE_H

#include "src/ui/action.h"
#include "src/ui/app.h"
#include "src/ui/draw.h"
#include "src/ui/input.h"
#include "src/ui/link.h"
#include "src/ui/model.h"
#include "src/ui/modes.h"
#include "src/ui/pass.h"
#include "src/ui/question.h"
#include "src/ui/scene.h"
#include "src/ui/tty.h"
#include "src/ui/viewer.h"

#include <stdbool.h>
#include <stdint.h>

/** Everything of one UI. */
struct bh_app {
	const struct bh_app_settings *settings;
	struct bh_app_end *end;
	struct bh_link *link;
	struct bh_model model;
	struct bh_viewer viewer;
	struct bh_tty tty;
	struct bh_modes modes;
	struct bh_input input;
	struct bh_draw *draw;
	struct bh_pass_title title;
	struct bh_scene_place place;
	struct bh_question question;
	/** What an accepted question does: this request, or with none a new name for that tab. */
	struct bh_action_request asked;
	int rename_tab;
	bool wants_sidebar;
	bool is_help;
	/** All is to be composed anew; or only screens that changed. */
	bool is_dirty;
	bool has_changes;
	/** It is drawn at once. */
	bool is_urgent;
	uint64_t drawn_at_ms;
	/** Until when output counts as the echo of a key. */
	uint64_t echo_until_ms;
	/** Until when a frame waits for screens. */
	uint64_t screens_until_ms;
	/** When streams are asked for again; 0: not. */
	uint64_t reopen_at_ms;
	/** Our own words in the status line, until when. */
	char message[BH_MODEL_TEXT];
	uint64_t message_until_ms;
	/** When the server was lost and when to try again; 0: it is there. */
	uint64_t lost_at_ms;
	uint64_t retry_at_ms;
	bool is_done;
};

/** Say something in the status line, for a while. */
void bh_app_say(struct bh_app *app, uint64_t now_ms, const char *text);

/** End the loop. */
void bh_app_finish(struct bh_app *app, enum bh_app_outcome outcome);

/** The view of the pane in focus, or NULL. */
struct bh_view *bh_app_focus_view(const struct bh_app *app);

/** Its screen, or NULL. */
struct bh_screen *bh_app_focus_screen(const struct bh_app *app);

/** Send a request; its parameters are taken. One without method is nothing. */
void bh_app_send(struct bh_app *app, struct bh_action_request request, uint64_t now_ms);

/** Look how large the person's terminal is; @is_telling: tell the server of another place. */
void bh_app_take_size(struct bh_app *app, bool is_telling);

/** Draw everything anew. */
void bh_app_redraw(struct bh_app *app);

/** Whether keys go to the UI itself. */
bool bh_app_is_ours(const struct bh_app *app);

/** Ask before @request, which is taken, is sent. */
void bh_app_ask(struct bh_app *app, const char *question, struct bh_action_request request);

/** Forget the request that a question was about. */
void bh_app_forget_asked(struct bh_app *app);

/** Take the keys that were fed to the input. */
void bh_app_take_input(struct bh_app *app, uint64_t now_ms);

#endif
