#include "src/ui/panel.h"

#include "src/base/utf8.h"
#include "src/ui/keytable.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/** Rows of a step by page keys, and by a notch of the wheel. */
#define PAGE_ROWS 10
#define WHEEL_ROWS 3

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style title_style = {.attrs = BH_ATTR_BOLD};

// --------------------------------------------------------------------------------- drawing

struct bh_draw_rect bh_panel_body(struct bh_draw_rect rect)
{
	return (struct bh_draw_rect){.row = rect.row + 1,
	                             .col = rect.col + 1,
	                             .rows = rect.rows > 3 ? rect.rows - 2 : rect.rows - 1,
	                             .cols = rect.cols > 2 ? rect.cols - 2 : 0};
}

struct bh_draw_rect bh_panel_draw(struct bh_draw *draw, struct bh_draw_rect rect, const char *title,
                                  const char *keys)
{
	bh_draw_clear(draw, rect, plain);
	for (int i = 0; i < rect.cols; i++) {
		(void)bh_draw_text(draw, rect.row, rect.col + i, 1, "━", title_style);
	}
	if (rect.cols > 4) {
		int used = bh_draw_text(draw, rect.row, rect.col + 1, 1, " ", title_style);

		used += bh_draw_text(draw, rect.row, rect.col + 2, rect.cols - 4, title,
		                     title_style);
		(void)bh_draw_text(draw, rect.row, rect.col + 1 + used, 1, " ", title_style);
	}
	if (rect.rows > 3) {
		(void)bh_draw_text(draw, rect.row + rect.rows - 1, rect.col + 1, rect.cols - 1,
		                   keys, dim);
	}
	bh_draw_cursor(draw, &(struct bh_cursor){0});
	return bh_panel_body(rect);
}

size_t bh_panel_first(const struct bh_panel_list *list, int rows)
{
	size_t shown = rows < 1 ? 1 : (size_t)rows;
	size_t first = list->at > shown / 2 ? list->at - shown / 2 : 0;

	if (list->count <= shown) {
		return 0;
	}
	return first > list->count - shown ? list->count - shown : first;
}

struct bh_draw_style bh_panel_style(const struct bh_panel_list *list, size_t index,
                                    struct bh_draw_style style)
{
	if (list->at == index) {
		style.attrs = (uint16_t)((style.attrs & ~BH_ATTR_DIM) | BH_ATTR_REVERSE);
	}
	return style;
}

bool bh_panel_row(struct bh_draw *draw, struct bh_draw_rect body, const struct bh_panel_list *list,
                  size_t index, struct bh_draw_rect *line_out)
{
	size_t first = bh_panel_first(list, body.rows);

	if (index < first || index >= first + (size_t)(body.rows < 0 ? 0 : body.rows)) {
		return false;
	}
	*line_out = (struct bh_draw_rect){body.row + (int)(index - first), body.col, 1, body.cols};
	bh_draw_clear(draw, *line_out, bh_panel_style(list, index, plain));
	return true;
}

// ------------------------------------------------------------------------------------ keys

/** Choose the row @step further, at most the first or the last. */
static void list_move(struct bh_panel_list *list, long step)
{
	long at = (long)list->at + step;
	long last = list->count == 0 ? 0 : (long)list->count - 1;

	list->at = (size_t)(at < 0 ? 0 : at > last ? last : at);
}

/** How far a key that is no letter moves; 0: not at all. */
static long key_step(const struct bh_panel_list *list, const struct bh_layer_key *key)
{
	switch (key->key) {
	case BH_KEY_UP:
		return -1;
	case BH_KEY_DOWN:
		return 1;
	case BH_KEY_PAGE_UP:
		return -PAGE_ROWS;
	case BH_KEY_PAGE_DOWN:
		return PAGE_ROWS;
	case BH_KEY_HOME:
		return -(long)list->count;
	case BH_KEY_END:
		return (long)list->count;
	case 'p':
		return key->is_control ? -1 : 0;
	case 'n':
		return key->is_control ? 1 : 0;
	default:
		return 0;
	}
}

static long letter_step(const struct bh_panel_list *list, uint32_t key)
{
	switch (key) {
	case 'k':
		return -1;
	case 'j':
		return 1;
	case 'g':
		return -(long)list->count;
	case 'G':
		return (long)list->count;
	default:
		return 0;
	}
}

bool bh_panel_key(struct bh_panel_list *list, const struct bh_layer_key *key, bool has_letters)
{
	long step = key->is_alt ? 0 : key_step(list, key);

	if (step == 0 && has_letters && !key->is_control && !key->is_alt) {
		step = letter_step(list, key->key);
	}
	list_move(list, step);
	return step != 0;
}

bool bh_panel_mouse(struct bh_panel_list *list, const struct bh_layer_mouse *mouse,
                    struct bh_draw_rect body)
{
	size_t index = 0;

	if (mouse->kind == BH_MOUSE_WHEEL_UP || mouse->kind == BH_MOUSE_WHEEL_DOWN) {
		list_move(list, mouse->kind == BH_MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		return false;
	}
	if (mouse->kind != BH_MOUSE_PRESS || mouse->button != 0 || mouse->row < body.row ||
	    mouse->row >= body.row + body.rows || mouse->col < body.col ||
	    mouse->col >= body.col + body.cols) {
		return false;
	}
	index = bh_panel_first(list, body.rows) + (size_t)(mouse->row - body.row);
	if (index >= list->count) {
		return false;
	}
	list->at = index;
	return true;
}

bool bh_panel_is_leave(const struct bh_layer_key *key)
{
	return key->key == 0x1b || (key->is_control && (key->key == 'c' || key->key == 'g'));
}

// ------------------------------------------------------------------------------------ text

/** Cut the last character; gives whether there was one. */
static bool cut_character(char *text)
{
	size_t len = strlen(text);

	if (len == 0) {
		return false;
	}
	len--;
	while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80) {
		len--;
	}
	text[len] = '\0';
	return true;
}

static bool cut_word(char *text)
{
	bool is_changed = text[0] != '\0';
	size_t len = strlen(text);

	while (len > 0 && text[len - 1] == ' ') {
		len--;
	}
	while (len > 0 && text[len - 1] != ' ') {
		len--;
	}
	text[len] = '\0';
	return is_changed;
}

static bool cut_all(char *text)
{
	bool is_changed = text[0] != '\0';

	text[0] = '\0';
	return is_changed;
}

bool bh_panel_edit(char *text, size_t size, const struct bh_layer_key *key)
{
	char bytes[4];
	size_t len = strlen(text);
	size_t more = 0;

	if (key->key == 0x7f || (key->is_control && key->key == 'h')) {
		return cut_character(text);
	}
	if (key->is_control) {
		return key->key == 'u' ? cut_all(text) : key->key == 'w' && cut_word(text);
	}
	if (key->is_alt || key->key < ' ' || key->key >= BH_KEY_UP ||
	    (key->key >= 0x7f && key->key < 0xa0)) {
		return false;
	}
	more = bh_utf8_put(key->key, bytes);
	if (len + more >= size) {
		return false;
	}
	memcpy(text + len, bytes, more);
	text[len + more] = '\0';
	return true;
}

bool bh_panel_paste(char *text, size_t size, struct bh_span pasted)
{
	bool is_changed = false;

	for (size_t at = 0, n = 0; at < pasted.len; at += n) {
		struct bh_layer_key key = {0};

		n = bh_utf8_next(pasted.data + at, pasted.len - at, &key.key);
		if (key.key == '\r' || key.key == '\n') {
			break;
		}
		is_changed =
			(n > 0 && key.key != 0x7f && bh_panel_edit(text, size, &key)) || is_changed;
		n = n == 0 ? 1 : n;
	}
	return is_changed;
}

void bh_panel_title(const char *title, const char *filter, char *out, size_t size)
{
	(void)snprintf(out, size, "%s%s%s", title, filter[0] == '\0' ? "" : ": ", filter);
}

void bh_panel_cursor(struct bh_draw *draw, struct bh_draw_rect rect, const char *title)
{
	int col = 2 + bh_draw_width(title);

	bh_draw_cursor(draw, &(struct bh_cursor){.row = rect.row,
	                                         .col = rect.col + (col < rect.cols ? col : 0),
	                                         .is_visible = col < rect.cols});
}

/** Whether @word of @len bytes occurs in @text. */
static bool has_word(const char *text, const char *word, size_t len)
{
	for (; *text != '\0'; text++) {
		size_t same = 0;

		while (same < len && text[same] != '\0' &&
		       tolower((unsigned char)text[same]) == tolower((unsigned char)word[same])) {
			same++;
		}
		if (same == len) {
			return true;
		}
	}
	return false;
}

bool bh_panel_matches(const char *text, const char *filter)
{
	while (*filter != '\0') {
		size_t len = strcspn(filter, " ");

		if (len > 0 && !has_word(text, filter, len)) {
			return false;
		}
		filter += len;
		filter += strspn(filter, " ");
	}
	return true;
}
