/** @file
 * A host for layers under test: it writes down what they ask for, and draws them on a screen.
 */
#ifndef BH_TESTS_LAYER_HOST_H
#define BH_TESTS_LAYER_HOST_H

#include "src/base/buf.h"
#include "src/ui/layer.h"
#include "src/ui/model.h"

#include <stdbool.h>

/** What a layer asked for so far. Begin with layer_host_begin(), end with layer_host_end(). */
struct layer_host {
	struct bh_layer_host host;
	/** Lines "METHOD PARAMS\n". */
	struct bh_buf requests;
	/** The last sentence, and what was yanked last. */
	char said[256];
	char yanked[256];
	int redraws;
	bool is_closed;
};

/** An empty host. */
void layer_host_begin(struct layer_host *host);

/** Free. */
void layer_host_end(struct layer_host *host);

/** The requests since the last call; borrowed until the next one. */
const char *layer_host_requests(struct layer_host *host);

/** Press keys: characters, and enum bh_key by layer_press(). */
void layer_type(struct bh_layer *layer, const char *text);

/** Press one key. */
void layer_press(struct bh_layer *layer, uint32_t key);

/** Press one key with control. */
void layer_press_control(struct bh_layer *layer, uint32_t key);

/** Press the left button, or turn the wheel, at a cell of a terminal of @cols x @rows. */
void layer_mouse(struct bh_layer *layer, enum bh_layer_mouse_kind kind, int row, int cols,
                 int rows);

/** Answer a request with JSON text; NULL: with the refusal "refused". */
void layer_answer(struct bh_layer *layer, const char *method, const char *params,
                  const char *result);

/** As layer_show() with the keys of @config. */
char *layer_show_bound(const struct bh_layer *layer, const struct bh_model *model,
                       const struct bh_config *config, int cols, int rows);

/** Draw the layer over all of a terminal of @cols x @rows; the lines, joined by \n. Caller frees. */
char *layer_show(const struct bh_layer *layer, const struct bh_model *model, int cols, int rows);

/** Fail unless the layer shows @text on a terminal of that size. */
void layer_see(const struct bh_layer *layer, const struct bh_model *model, int cols, int rows,
               const char *text);

/** Fail if it does. */
void layer_miss(const struct bh_layer *layer, const struct bh_model *model, int cols, int rows,
                const char *text);

#endif
