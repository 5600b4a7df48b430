/** @file
 * The running UI's state, shared by its loop (app.c), its keys (app_keys.c), its mouse (app_mouse.c)
 * and its layers (app_layer.c). For nobody else.
 */
#ifndef BH_UI_APP_STATE_H
#define BH_UI_APP_STATE_H

#include "src/base/config.h"
#include "src/ui/action.h"
#include "src/ui/app.h"
#include "src/ui/attention.h"
#include "src/ui/bindings.h"
#include "src/ui/draw.h"
#include "src/ui/gate.h"
#include "src/ui/input.h"
#include "src/ui/layer.h"
#include "src/ui/link.h"
#include "src/ui/model.h"
#include "src/ui/modes.h"
#include "src/ui/mouse.h"
#include "src/ui/pass.h"
#include "src/ui/question.h"
#include "src/ui/remembered.h"
#include "src/ui/scene.h"
#include "src/ui/tty.h"
#include "src/ui/viewer.h"

#include <stdbool.h>
#include <stdint.h>

/** A place for a layer: what it is made with, and then the layer itself. */
struct bh_app_slot {
	struct bh_app *app;
	/** What the layer asks of us; the maker of the layer takes it. */
	struct bh_layer_host host;
	struct bh_layer *layer;
	/** Whose the answers of its requests are. */
	unsigned number;
	/** It goes when its function has returned. */
	bool is_closing;
};

/** What the mouse is about between a press and its release. */
enum bh_app_drag_kind {
	BH_APP_DRAG_NONE,
	/** The program in a pane has it, wherever it goes. */
	BH_APP_DRAG_PROGRAM,
	/** A layer has it. */
	BH_APP_DRAG_LAYER,
	/** It was pressed on text, and a drag from there selects. */
	BH_APP_DRAG_TEXT,
	/** It moves a border. */
	BH_APP_DRAG_BORDER,
	/** It moves the edge of the sidebar. */
	BH_APP_DRAG_SIDEBAR,
};

/** See there. */
struct bh_app_drag {
	enum bh_app_drag_kind kind;
	/** The terminal of the program, of the text or of the pane with the border, or that the layer
	 * stands over. */
	char terminal_id[BH_MODEL_ID];
	/** The press. */
	struct bh_layer_mouse press;
	/** Of BORDER: which way it runs, where it is to be (column or row of the session's area), and that
	 * we wait for the server to have moved it. */
	bool is_vertical;
	int wanted;
	bool is_waiting;
};

/** Everything of one UI. */
struct bh_app {
	const struct bh_app_settings *settings;
	struct bh_app_end *end;
	/** The user's settings, and the keys that they make. */
	struct bh_config config;
	struct bh_bindings bindings;
	struct bh_link *link;
	struct bh_model model;
	struct bh_viewer viewer;
	struct bh_tty tty;
	/** What the person's terminal can, as far as is known. */
	struct bh_outer outer;
	struct bh_modes modes;
	struct bh_input input;
	/** Shut while keys wait for the pane that they are for; what a program is to get when it opens,
	 * should that take so long that the rest of the keys is looked at before. */
	struct bh_gate gate;
	struct bh_buf held;
	struct bh_draw *draw;
	struct bh_pass_title title;
	struct bh_scene_place place;
	/** What the server was told of it last, and that it has not answered yet. */
	int told_cols, told_rows;
	bool is_telling_size;
	struct bh_question question;
	/** What an accepted question does: this request, or with none a new name for that tab. */
	struct bh_action_request asked;
	int rename_tab;
	/** It is the command line; the line before. */
	bool is_command;
	char last_command[200];
	bool wants_sidebar;
	struct bh_remembered remembered;
	/** Lines of the sidebar that are scrolled out above. */
	int sidebar_scroll;
	/** Agents that need a person, to be told of. */
	struct bh_attention attention;
	/** What a program wants to put into the clipboard, until when it may be let. */
	struct bh_buf offered;
	uint64_t offered_until_ms;
	/** Layers: at most one over everything, and one over each pane. */
	struct bh_app_slot **slots;
	size_t slot_count;
	unsigned last_slot;
	/** When something was asked for here: what follows is this person's doing, not another's. */
	uint64_t asked_at_ms;
	/** The terminal in focus; its program is still to be told that it is. */
	char focus_id[BH_MODEL_ID];
	bool is_focus_due;
	/** The mouse. */
	struct bh_mouse_clicks clicks;
	struct bh_app_drag drag;
	/** What was copied last. */
	struct bh_buf yanked;
	/** The time of this turn of the loop (bh_clock_mono_ms()). */
	uint64_t now_ms;
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
	/** Without a server: keys are dropped that would go to a program, for it takes too long, or one of our
	 * own came before them. */
	bool is_late;
	/** When the server was lost and when to try again; 0: it is there. */
	uint64_t lost_at_ms;
	uint64_t retry_at_ms;
	bool is_done;
};

/** Say something in the status line, for a while. */
void bh_app_say(struct bh_app *app, uint64_t now_ms, const char *text);

/** Read the user's settings, in place of those that hold; a fault is said. */
void bh_app_read_config(struct bh_app *app, uint64_t now_ms);

/** End the loop. */
void bh_app_finish(struct bh_app *app, enum bh_app_outcome outcome);

/** The view of the pane in focus, or NULL. */
struct bh_view *bh_app_focus_view(const struct bh_app *app);

/** Its screen, or NULL. */
struct bh_screen *bh_app_focus_screen(const struct bh_app *app);

/** Send a request; its parameters are taken. One without method is nothing. */
void bh_app_send(struct bh_app *app, struct bh_action_request request, uint64_t now_ms);

/** Look how large the person's terminal is, and tell the server of another place. */
void bh_app_take_size(struct bh_app *app);

/** Draw by what the person's terminal can, as far as is known, and by the person's word on it. */
void bh_app_use_outer(struct bh_app *app);

/** Draw everything anew. */
void bh_app_redraw(struct bh_app *app);

/** Whether keys go to the UI itself. */
bool bh_app_is_ours(const struct bh_app *app);

/** Ask before @request, which is taken, is sent. */
void bh_app_ask(struct bh_app *app, const char *question, struct bh_action_request request);

/** Forget the request that a question was about. */
void bh_app_forget_asked(struct bh_app *app);

/** A notification of the server about a terminal: bells and notifications of those out of view. */
void bh_app_hear(struct bh_app *app, const char *method, const cJSON *params);

/** Pass on what the program in a view asks of the person's terminal, by the @changes of @screen, which
 * is the view's or what was left out of it. */
void bh_app_pass(struct bh_app *app, struct bh_view *view, struct bh_screen *screen,
                 uint32_t changes, bool is_focus);

/** Let the program have the clipboard that asked for it. */
void bh_app_accept_clipboard(struct bh_app *app);

/** Tell of the agents that need a person, when that is due. */
void bh_app_tell_attention(struct bh_app *app);

/** Show a layer over all panes: the keys. */
void bh_app_show_help(struct bh_app *app);

/** Tabs and panes, to go to one. */
void bh_app_show_tabs(struct bh_app *app);

/** Mail. */
void bh_app_show_mail(struct bh_app *app);

/** Why the agent in focus is in its state. */
void bh_app_show_explanation(struct bh_app *app);

/** Which agents can be started, to start one. */
void bh_app_show_agents(struct bh_app *app);

/** The person's sessions, to go to another one. */
void bh_app_show_sessions(struct bh_app *app);

/** To the next session by name; behind the last comes the first. */
void bh_app_next_session(struct bh_app *app);

/** To the session before by name. */
void bh_app_previous_session(struct bh_app *app);

/** Take the keys that were fed to the input, as far as they need not wait. */
void bh_app_take_input(struct bh_app *app, uint64_t now_ms);

/** When that is to be done without new keys or news of the server, 0: not. */
uint64_t bh_app_input_due_ms(const struct bh_app *app);

/** Keys of the person, for the program in focus; nothing when there is none, or the person only
 * looks. */
void bh_app_send_keys(struct bh_app *app, struct bh_span keys, uint64_t now_ms);
/** The same for the pane of a terminal. */
void bh_app_send_keys_to(struct bh_app *app, const char *terminal_id, struct bh_span keys);

/** What a frame shows now. */
struct bh_scene bh_app_scene(struct bh_app *app);

/** "No deadline", among times on the UI's clock (ms). */
#define BH_APP_NEVER UINT64_MAX

/** When the next frame may be drawn (ms); BH_APP_NEVER when there is nothing to draw. */
uint64_t bh_app_frame_due_ms(const struct bh_app *app);

/** Draw what changed, if a frame is due. */
void bh_app_draw(struct bh_app *app, uint64_t now_ms);

/** Take a report of the mouse. */
void bh_app_take_mouse(struct bh_app *app, const struct bh_input_mouse *report, uint64_t now_ms);

/** Begin what lasts until the button is let go. */
void bh_app_drag_begin(struct bh_app *app, enum bh_app_drag_kind kind, const char *terminal_id,
                       const struct bh_layer_mouse *press);

/** The mouse did something where no program draws: on tab bar, sidebar, title lines, borders. */
void bh_app_frame_mouse(struct bh_app *app, const struct bh_layer_mouse *mouse);

/** The mouse is elsewhere while it has a border: on with it. */
void bh_app_frame_drag(struct bh_app *app, const struct bh_layer_mouse *mouse);

/** The mouse has the edge of the sidebar. */
void bh_app_sidebar_drag(struct bh_app *app, const struct bh_layer_mouse *mouse);

/** How wide the sidebar is to be; 0: by the width of the terminal. */
int bh_app_sidebar_columns(const struct bh_app *app);

/** Panes are elsewhere: on with the border that the mouse has. */
void bh_app_frame_moved(struct bh_app *app);

/** The answer of pane.resize: a border that did not move is not waited for. */
void bh_app_frame_answered(struct bh_app *app, const cJSON *result);

/** Give a pane the focus. */
void bh_app_focus(struct bh_app *app, const char *terminal_id);

/** Do what a key does whose row of the table this is; @key is the digit, where it is one. */
void bh_app_do(struct bh_app *app, const struct bh_key_row *row, uint32_t key);

/** Copy text: into our own buffer and the clipboard of the person's terminal. */
void bh_app_yank(struct bh_app *app, struct bh_span text);

#endif
