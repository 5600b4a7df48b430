#include "layer-host.h"

#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool host_request(void *user, const char *method, cJSON *params)
{
	struct layer_host *host = user;
	char *text = cJSON_PrintUnformatted(params);

	bh_buf_printf(&host->requests, "%s %s\n", method, text);
	free(text);
	cJSON_Delete(params);
	return true;
}

static void host_say(void *user, const char *text)
{
	struct layer_host *host = user;

	(void)snprintf(host->said, sizeof(host->said), "%s", text);
}

static void host_yank(void *user, struct bh_span text)
{
	struct layer_host *host = user;

	(void)snprintf(host->yanked, sizeof(host->yanked), "%.*s", (int)text.len, text.data);
}

static void host_redraw(void *user)
{
	((struct layer_host *)user)->redraws++;
}

static void host_close(void *user)
{
	((struct layer_host *)user)->is_closed = true;
}

void layer_host_begin(struct layer_host *host)
{
	*host = (struct layer_host){.host = {.user = host,
	                                     .request = host_request,
	                                     .say = host_say,
	                                     .yank = host_yank,
	                                     .redraw = host_redraw,
	                                     .close = host_close}};
}

void layer_host_end(struct layer_host *host)
{
	bh_buf_clear(&host->requests);
}

const char *layer_host_requests(struct layer_host *host)
{
	static char text[4096];

	(void)snprintf(text, sizeof(text), "%s",
	               host->requests.data == NULL ? "" : host->requests.data);
	bh_buf_clear(&host->requests);
	return text;
}

void layer_press(struct bh_layer *layer, uint32_t key)
{
	layer->ops->key(layer, &(struct bh_layer_key){.key = key});
}

void layer_press_control(struct bh_layer *layer, uint32_t key)
{
	layer->ops->key(layer, &(struct bh_layer_key){.key = key, .is_control = true});
}

void layer_type(struct bh_layer *layer, const char *text)
{
	for (; *text != '\0'; text++) {
		layer_press(layer, (unsigned char)*text);
	}
}

void layer_mouse(struct bh_layer *layer, enum bh_layer_mouse_kind kind, int row, int cols, int rows)
{
	layer->ops->mouse(layer,
	                  &(struct bh_layer_mouse){.kind = kind, .clicks = 1, .row = row, .col = 3},
	                  (struct bh_draw_rect){0, 0, rows, cols});
}

void layer_answer(struct bh_layer *layer, const char *method, const char *params,
                  const char *result)
{
	cJSON *asked = cJSON_Parse(params);
	cJSON *answer = result == NULL ? NULL : cJSON_Parse(result);

	assert_non_null(asked);
	assert_true(result == NULL || answer != NULL);
	layer->ops->result(layer, method, asked, answer, result == NULL ? "refused" : NULL);
	cJSON_Delete(asked);
	cJSON_Delete(answer);
}

char *layer_show_bound(const struct bh_layer *layer, const struct bh_model *model,
                       const struct bh_config *config, int cols, int rows)
{
	struct bh_draw_settings settings = {.cols = cols, .rows = rows};
	struct bh_screen_settings outer_settings = {.cols = cols, .rows = rows};
	struct bh_draw_rect all = {0, 0, rows, cols};
	struct bh_bindings bindings = {0};
	struct bh_scene scene = {.model = model,
	                         .bindings = &bindings,
	                         .place = {.cols = cols, .rows = rows, .area = all}};
	struct bh_draw *draw = bh_draw_new(&settings);
	struct bh_screen *outer = bh_screen_new(&outer_settings);
	struct bh_buf out = {0};
	char *text = NULL;

	bh_bindings_set(&bindings, config);
	layer->ops->draw(layer, draw, &scene, all);
	bh_bindings_clear(&bindings);
	bh_draw_flush(draw, &out);
	bh_screen_feed(outer, out.data, out.len, 1);
	text = bh_screen_text(outer, NULL);
	bh_buf_clear(&out);
	bh_screen_free(outer);
	bh_draw_free(draw);
	return text;
}

char *layer_show(const struct bh_layer *layer, const struct bh_model *model, int cols, int rows)
{
	const struct bh_config config = {.prefix = 'b'};

	return layer_show_bound(layer, model, &config, cols, rows);
}

void layer_see(const struct bh_layer *layer, const struct bh_model *model, int cols, int rows,
               const char *text)
{
	char *all = layer_show(layer, model, cols, rows);

	if (strstr(all, text) == NULL) {
		fail_msg("\"%s\" is not shown:\n%s", text, all);
	}
	free(all);
}

void layer_miss(const struct bh_layer *layer, const struct bh_model *model, int cols, int rows,
                const char *text)
{
	char *all = layer_show(layer, model, cols, rows);

	if (strstr(all, text) != NULL) {
		fail_msg("\"%s\" is shown:\n%s", text, all);
	}
	free(all);
}
