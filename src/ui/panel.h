/** @file
 * What the layers over all panes have in common: a title line above, a line of keys below, a list
 * of rows between them of which one is chosen, and a line of text that is typed. Pure.
 */
#ifndef BH_UI_PANEL_H
#define BH_UI_PANEL_H

#include "src/ui/draw.h"
#include "src/ui/layer.h"

#include <stdbool.h>
#include <stddef.h>

/** A list of rows, one of them chosen. The chosen one stays in the middle where it can. */
struct bh_panel_list {
	/** The chosen row, from 0. */
	size_t at;
	/** How many there are. */
	size_t count;
};

/** Draw title and keys over @rect, blank all between them; gives what is between. */
struct bh_draw_rect bh_panel_draw(struct bh_draw *draw, struct bh_draw_rect rect, const char *title,
                                  const char *keys);

/** What is between title and keys of @rect. */
struct bh_draw_rect bh_panel_body(struct bh_draw_rect rect);

/** The first row that is shown when @rows of them fit. */
size_t bh_panel_first(const struct bh_panel_list *list, int rows);

/** Begin row @index of a list in @body: blank it as chosen or not. False: it is out of view. */
bool bh_panel_row(struct bh_draw *draw, struct bh_draw_rect body, const struct bh_panel_list *list,
                  size_t index, struct bh_draw_rect *line_out);

/** The style of text in row @index: @style, marked when it is the chosen one. */
struct bh_draw_style bh_panel_style(const struct bh_panel_list *list, size_t index,
                                    struct bh_draw_style style);

/** Choose another row by arrows, C-p, C-n, page keys, Home, End or, with @has_letters, j, k, g and G. False:
 * it is no such key. */
bool bh_panel_key(struct bh_panel_list *list, const struct bh_layer_key *key, bool has_letters);

/** Choose by wheel or press of the left button. True when a row was pressed. */
bool bh_panel_mouse(struct bh_panel_list *list, const struct bh_layer_mouse *mouse,
                    struct bh_draw_rect body);

/** Whether @key leaves: Escape, C-c or C-g. */
bool bh_panel_is_leave(const struct bh_layer_key *key);

/** Type into @text (UTF-8, of @size): characters, Backspace, C-u, C-w. False: nothing changed. */
bool bh_panel_edit(char *text, size_t size, const struct bh_layer_key *key);

/** Type pasted text into @text, up to the first line end. False: nothing changed. */
bool bh_panel_paste(char *text, size_t size, struct bh_span pasted);

/** Write "TITLE: FILTER" into @out of @size, or TITLE alone without a filter. */
void bh_panel_title(const char *title, const char *filter, char *out, size_t size);

/** Show the cursor behind the title of a panel drawn over @rect, where the filter is typed. */
void bh_panel_cursor(struct bh_draw *draw, struct bh_draw_rect rect, const char *title);

/** Whether every word of @filter occurs in @text, whatever the case of ASCII letters. */
bool bh_panel_matches(const char *text, const char *filter);

#endif
