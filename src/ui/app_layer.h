/** @file
 * The layers of the running UI: at most one over all panes, and one over each. For the UI's own files.
 */
#ifndef BH_UI_APP_LAYER_H
#define BH_UI_APP_LAYER_H

#include "src/ui/app_state.h"

/** Begin a layer: make it with `&slot->host`, then bh_app_slot_show(). */
struct bh_app_slot *bh_app_slot_new(struct bh_app *app);

/** Show it, in the place of another over the same. Both are taken; without a layer (NULL) the slot
 * goes. */
void bh_app_slot_show(struct bh_app_slot *slot, struct bh_layer *layer);

/** The layer that takes the keys now, or NULL. */
struct bh_layer *bh_app_layer(const struct bh_app *app);

/** The layer over the pane of a terminal, or with "" the one over all of them; or NULL. */
struct bh_layer *bh_app_layer_of(const struct bh_app *app, const char *terminal_id);

/** Remove that. */
void bh_app_layer_close(struct bh_app *app, const char *terminal_id);

/** Remove all of them. */
void bh_app_layers_clear(struct bh_app *app);

/** Remove those of terminals that are gone. */
void bh_app_layers_follow(struct bh_app *app);

/** A key, for the layer that takes them. */
void bh_app_layer_key(struct bh_app *app, const struct bh_layer_key *key);

/** Pasted text, likewise. */
void bh_app_layer_paste(struct bh_app *app, struct bh_span text);

/** The mouse did something that is @layer's. */
void bh_app_layer_mouse(struct bh_app *app, struct bh_layer *layer,
                        const struct bh_layer_mouse *mouse);

/** An answer, for the layer that asked. */
void bh_app_layer_result(struct bh_app *app, const struct bh_link_event *event);

/** The screen of a terminal (NULL: there is none yet) changed, for the layer over it. */
void bh_app_layer_screen(struct bh_app *app, const char *terminal_id,
                         const struct bh_screen *screen);

/** Something of the session changed. */
void bh_app_layers_changed(struct bh_app *app);

/** When one of them wants to be woken, 0: none. */
uint64_t bh_app_layers_due_ms(const struct bh_app *app);

/** Wake those that are due. */
void bh_app_layers_tick(struct bh_app *app);

/** Compose them over the panes, and place the cursor. */
void bh_app_layers_draw(struct bh_app *app, const struct bh_scene *scene);

#endif
