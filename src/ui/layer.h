/** @file
 * A layer: something of the UI's own that stands over the panes, or over one of them, and takes the
 * keys while it is there: help, the mail view, a picker, copy mode. A layer knows nothing of the
 * loop and of the connection; what it wants done it asks of its host (src/ui/app_layer.c is the
 * real one, tests have their own).
 *
 * One kind of layer is one file with one `struct bh_layer_ops` and one function that makes it.
 */
#ifndef BH_UI_LAYER_H
#define BH_UI_LAYER_H

#include "src/base/buf.h"
#include "src/ui/draw.h"
#include "src/ui/scene.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A key that a person pressed. */
struct bh_layer_key {
	/** A code point, or enum bh_key (src/ui/keytable.h); Enter is '\r', Tab '\t', Escape 0x1b,
	 * Backspace 0x7f, a letter with control the small letter. */
	uint32_t key;
	bool is_control, is_alt, is_shift;
};

/** What the mouse did. */
enum bh_layer_mouse_kind {
	BH_MOUSE_PRESS,
	BH_MOUSE_DRAG,
	BH_MOUSE_RELEASE,
	/** Moved without a button. */
	BH_MOUSE_MOVE,
	BH_MOUSE_WHEEL_UP,
	BH_MOUSE_WHEEL_DOWN,
};

/** A report of the mouse. */
struct bh_layer_mouse {
	enum bh_layer_mouse_kind kind;
	/** 0 left, 1 middle, 2 right; of the kinds with a button. */
	int button;
	/** How many presses at this cell followed quickly on each other, 1 to 3; of PRESS, and of the
	 * DRAG and RELEASE after it. */
	int clicks;
	/** The cell of the person's terminal, from 0. */
	int row, col;
	bool is_control, is_alt, is_shift;
	/** bh_clock_mono_ms(). */
	uint64_t now_ms;
};

/** What a layer asks of the UI. All functions may be called in any function of the layer. */
struct bh_layer_host {
	void *user;
	/**
	 * Send a request; @params is taken. The answer comes to the layer's result(), unless it is
	 * gone by then. False when the server does not answer now (the person was told).
	 */
	bool (*request)(void *user, const char *method, cJSON *params);
	/** Say something in the status line, for a while. */
	void (*say)(void *user, const char *text);
	/** Put text into the UI's own buffer and the clipboard of the person's terminal. */
	void (*yank)(void *user, struct bh_span text);
	/** Compose a new frame soon. */
	void (*redraw)(void *user);
	/** Remove (and free) the layer when its function returns. */
	void (*close)(void *user);
};

/** Any layer; the first member of each kind's own struct. */
struct bh_layer {
	const struct bh_layer_ops *ops;
	const struct bh_layer_host *host;
	/** The terminal whose pane it stands over; "" when it stands over all of them. One over a pane
	 * takes keys only while that pane is in focus, and outlives keys after the prefix. */
	char terminal_id[BH_MODEL_ID];
};

/** What a kind of layer does. Functions marked optional may be NULL. */
struct bh_layer_ops {
	/** What it is called in messages ("copy mode"); static. */
	const char *name;
	/** Draw it: over scene->place.area, or over the pane at @rect. Places the cursor, or hides it. */
	void (*draw)(const struct bh_layer *layer, struct bh_draw *draw,
	             const struct bh_scene *scene, struct bh_draw_rect rect);
	void (*key)(struct bh_layer *layer, const struct bh_layer_key *key);
	/** Optional: pasted text; without it a paste is ignored. */
	void (*paste)(struct bh_layer *layer, struct bh_span text);
	/** Optional. @rect as for draw(). */
	void (*mouse)(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
	              struct bh_draw_rect rect);
	/** Optional: the answer of a request, or its refusal (then @result is NULL and @message is a
	 * sentence for a person). */
	void (*result)(struct bh_layer *layer, const char *method, const cJSON *params,
	               const cJSON *result, const char *message);
	/** Optional: the terminal's own screen (which the UI feeds) changed, or is another one. */
	void (*screen)(struct bh_layer *layer, const struct bh_screen *screen);
	/** Optional: something of the session changed: states, mail, tabs. */
	void (*changed)(struct bh_layer *layer);
	/** Optional: when tick() is due (bh_clock_mono_ms()), 0: not. */
	uint64_t (*due_ms)(const struct bh_layer *layer);
	void (*tick)(struct bh_layer *layer, uint64_t now_ms);
	/** Free all of it. */
	void (*free)(struct bh_layer *layer);
};

#endif
