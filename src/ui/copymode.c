#include "src/ui/copymode.h"

#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/ui/copydraw.h"
#include "src/ui/copyfind.h"
#include "src/ui/copykeys.h"
#include "src/ui/copyreader.h"
#include "src/ui/linecache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Rows of one notch of the wheel. */
#define WHEEL_ROWS 3
/** Most times that a key is done at once. */
#define COUNT_MAX 99999
/** While a drag is beyond the edge the view moves by a row so often (ms). */
#define DRAG_MS 40
/** So long a search goes on before keys are looked at again (ms). */
#define SEARCH_MS 20
/** After so many turns of that a search is given up. */
#define SEARCH_TURNS_MAX 250
/** A time that has always come. */
#define AT_ONCE_MS 1

/** What changes, also while it is drawn. */
struct copymode_state {
	struct bh_linecache *cache;
	struct bh_copyreader reader;
	struct bh_copyfind find;
	struct bh_copydraw copydraw;
	/** Until when a search goes on now, and how many turns of the loop it had. */
	uint64_t search_until_ms;
	int search_turns;
	/** An answer is to come. */
	bool is_asking;
	/** It came by the mouse, and leaves by itself; or not; before the first event neither. */
	bool is_passing, is_touched;
	/** Digits before a command; 0: none. */
	int count;
	/** This command waits for a character. */
	enum bh_copy_command waiting;
	/** The rows are fetched anew, and then the newest are wanted. */
	bool is_bottom_wanted;
	/** The button is down since here. */
	bool is_dragging;
	struct bh_linecache_place press;
	/** Beyond which edge the drag is, -1 or 1; the next step is then due. */
	int edge;
	uint64_t edge_at_ms;
	/** The size of the terminal that the rows are of. */
	int screen_cols, screen_rows;
};

/** The layer. */
struct copymode {
	struct bh_layer base;
	struct copymode_state *state;
	bool is_emacs;
};

static struct copymode *copymode_of(struct bh_layer *layer)
{
	return (struct copymode *)layer; // it is the first member
}

static void say(const struct copymode *mode, const char *text)
{
	mode->base.host->say(mode->base.host->user, text);
}

static void redraw(const struct copymode *mode)
{
	mode->base.host->redraw(mode->base.host->user);
}

static void leave(const struct copymode *mode)
{
	mode->base.host->close(mode->base.host->user);
}

// ------------------------------------------------------------------------------------- rows

/** Ask for the rows that are needed next. */
static void ask(struct copymode *mode)
{
	struct copymode_state *state = mode->state;
	cJSON *params = NULL;

	if (state->is_asking ||
	    (bh_linecache_is_started(state->cache) && !bh_copyreader_wants_rows(&state->reader))) {
		return;
	}
	params = bh_linecache_want(state->cache, mode->base.terminal_id);
	if (params != NULL) {
		state->is_asking =
			mode->base.host->request(mode->base.host->user, "terminal.history", params);
	}
}

static bool is_over(void *user)
{
	const struct copymode_state *state = user;

	return bh_clock_mono_ms() >= state->search_until_ms;
}

static void begin_budget(struct copymode_state *state)
{
	state->search_until_ms = bh_clock_mono_ms() + SEARCH_MS;
}

/** A search goes on in this turn of the loop. */
static void search_on(struct copymode *mode)
{
	struct copymode_state *state = mode->state;
	enum bh_copyreader_found found = BH_COPYREADER_TOO_MUCH;

	begin_budget(state);
	if (++state->search_turns <= SEARCH_TURNS_MAX) {
		found = bh_copyreader_search_on(&state->reader);
	} else {
		bh_copyreader_stop(&state->reader);
	}
	bh_copyfind_tell(&state->reader, mode->base.host, found);
}

/** Begin with what the terminal shows now. */
static void begin(struct copymode *mode, const struct bh_screen *screen)
{
	struct copymode_state *state = mode->state;
	struct bh_cursor cursor = bh_screen_cursor(screen);

	state->cache = bh_linecache_new();
	bh_linecache_take_screen(state->cache, screen);
	state->screen_cols = bh_screen_cols(screen);
	state->screen_rows = bh_screen_rows(screen);
	state->reader.cache = state->cache;
	state->reader.is_emacs = mode->is_emacs;
	state->reader.budget = (struct bh_copysearch_budget){.user = state, .is_over = is_over};
	if (state->reader.rows == 0) {
		state->reader.rows = state->screen_rows;
		state->reader.cols = state->screen_cols;
	}
	bh_copyreader_begin(&state->reader, (struct bh_linecache_place){cursor.row, cursor.col});
}

/** Fetch all rows anew; those that are there stay until the first answer. */
static void restart(struct copymode *mode, bool is_bottom)
{
	struct copymode_state *state = mode->state;

	// Before the first answer nothing is fetched that is to be found again.
	if (!is_bottom && bh_linecache_is_started(state->cache)) {
		bh_copyreader_hold(&state->reader);
	}
	state->is_bottom_wanted = is_bottom || state->is_bottom_wanted;
	bh_linecache_restart(state->cache);
	state->is_asking = false;
	ask(mode);
}

/** Take an answer; gives by how many rows everything is to move. */
static int take_rows(struct copymode_state *state, const cJSON *result)
{
	int shift = 0;

	if (!bh_linecache_take(state->cache, result, &shift) || !state->is_bottom_wanted) {
		return state->reader.is_held ? 0 : shift;
	}
	state->is_bottom_wanted = false;
	state->reader.selection.kind = BH_SELECTION_NONE;
	bh_copyreader_move(&state->reader, BH_COPY_HISTORY_BOTTOM, 1);
	return 0;
}

static void take_result(struct bh_layer *layer, const char *method, const cJSON *params,
                        const cJSON *result, const char *message)
{
	struct copymode *mode = copymode_of(layer);
	struct copymode_state *state = mode->state;
	bool is_first = !bh_linecache_is_started(state->cache);
	bool was_searching = bh_copyreader_is_searching(&state->reader);
	int shift = 0;
	enum bh_copyreader_found found;

	(void)method; // there is but one
	// An answer to a question of before the rows were begun anew is of no use.
	if (is_first != (bool)cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(params, "screen"))) {
		return;
	}
	state->is_asking = false;
	if (result == NULL) {
		bh_copyreader_stop(&state->reader);
		say(mode, message);
		redraw(mode);
		return;
	}
	begin_budget(state);
	shift = take_rows(state, result);
	state->find.origin.row -= shift;
	state->press.row -= shift;
	found = bh_copyreader_rows_came(&state->reader, shift);
	if (was_searching) {
		bh_copyfind_tell(&state->reader, mode->base.host, found);
	}
	redraw(mode);
	ask(mode);
}

static void take_screen(struct bh_layer *layer, const struct bh_screen *screen)
{
	struct copymode *mode = copymode_of(layer);
	struct copymode_state *state = mode->state;

	// What goes on underneath is not ours, unless the rows themselves are wrapped anew.
	if (bh_screen_cols(screen) != state->screen_cols ||
	    bh_screen_rows(screen) != state->screen_rows) {
		state->screen_cols = bh_screen_cols(screen);
		state->screen_rows = bh_screen_rows(screen);
		restart(mode, bh_copyreader_is_at_bottom(&state->reader));
	}
}

// ------------------------------------------------------------------------------------- copying

/** How much was copied, in words. */
static void tell_copied(const struct copymode *mode, const struct bh_buf *text)
{
	char words[64];
	size_t lines = 0;
	size_t chars = 0;

	for (size_t i = 0; i < text->len; i++) {
		lines += text->data[i] == '\n';
		chars += ((unsigned char)text->data[i] & 0xc0) != 0x80;
	}
	if (lines > 0) {
		lines += text->data[text->len - 1] != '\n';
		(void)snprintf(words, sizeof(words), "copied %zu line%s", lines,
		               lines == 1 ? "" : "s");
	} else {
		(void)snprintf(words, sizeof(words), "copied %zu character%s", chars,
		               chars == 1 ? "" : "s");
	}
	say(mode, words);
}

/** Copy what is marked; false when nothing is. */
static bool yank(const struct copymode *mode)
{
	const struct copymode_state *state = mode->state;
	struct bh_buf text = {0};
	bool is_something = false;

	bh_selection_text(&state->reader.selection, state->cache, &text);
	is_something = text.len > 0;
	if (is_something) {
		mode->base.host->yank(mode->base.host->user, (struct bh_span){text.data, text.len});
		tell_copied(mode, &text);
	}
	bh_buf_clear(&text);
	return is_something;
}

static void yank_line_end(struct copymode *mode)
{
	struct bh_copyreader *reader = &mode->state->reader;

	bh_selection_begin(&reader->selection, BH_SELECTION_CHARS, reader->cursor);
	reader->selection.is_exclusive = false;
	bh_copyreader_move(reader, BH_COPY_LINE_END, 1);
	(void)yank(mode); // an empty line is nothing
	leave(mode);
}

static void select_kind(struct copymode *mode, enum bh_selection_kind kind)
{
	struct bh_copyreader *reader = &mode->state->reader;
	struct bh_selection *selection = &reader->selection;

	selection->is_exclusive = mode->is_emacs;
	if (selection->kind == BH_SELECTION_NONE) {
		bh_selection_begin(selection, kind, reader->cursor);
	} else {
		// The same again ends it, or with a rectangle goes back to characters.
		selection->kind = selection->kind != kind      ? kind
		                  : kind == BH_SELECTION_BLOCK ? BH_SELECTION_CHARS
		                                               : BH_SELECTION_NONE;
	}
	bh_copyreader_goto(reader, reader->cursor);
}

// ------------------------------------------------------------------------------------- keys

static void take_paste(struct bh_layer *layer, struct bh_span text)
{
	struct copymode *mode = copymode_of(layer);

	if (mode->state->find.prompt.is_open) {
		begin_budget(mode->state);
		bh_copyfind_paste(&mode->state->find, &mode->state->reader, mode->base.host, text);
		ask(mode);
		redraw(mode);
	}
}

/** A view that came by the wheel and has arrived at the end of all goes. */
static void leave_at_bottom(const struct copymode *mode)
{
	const struct copymode_state *state = mode->state;

	if (state->is_passing && !state->is_dragging &&
	    state->reader.selection.kind == BH_SELECTION_NONE &&
	    bh_copyreader_is_at_bottom(&state->reader)) {
		leave(mode);
	}
}

static void do_move(struct copymode *mode, enum bh_copy_command command, int count)
{
	bh_copyreader_move(&mode->state->reader, command, count);
	if (command == BH_COPY_PAGE_DOWN || command == BH_COPY_HALF_DOWN ||
	    command == BH_COPY_SCROLL_DOWN) {
		leave_at_bottom(mode);
	}
}

static void do_clear(struct copymode *mode)
{
	struct bh_selection *selection = &mode->state->reader.selection;

	if (selection->kind == BH_SELECTION_NONE) {
		leave(mode);
	}
	selection->kind = BH_SELECTION_NONE;
}

static void do_yank(struct copymode *mode)
{
	(void)yank(mode); // nothing marked: it only leaves, as tmux does
	leave(mode);
}

static void do_select(struct copymode *mode, enum bh_copy_command command)
{
	switch ((int)command) {
	case BH_COPY_SELECT_CHARS:
		select_kind(mode, BH_SELECTION_CHARS);
		break;
	case BH_COPY_SELECT_LINES:
		select_kind(mode, BH_SELECTION_LINES);
		break;
	case BH_COPY_SELECT_BLOCK:
		select_kind(mode, BH_SELECTION_BLOCK);
		break;
	default:
		mode->state->reader.selection.kind = BH_SELECTION_NONE;
		select_kind(mode, BH_SELECTION_CHARS);
		break;
	}
}

/** What is neither a motion nor waits for more. */
static void do_other(struct copymode *mode, enum bh_copy_command command)
{
	struct bh_copyreader *reader = &mode->state->reader;

	switch ((int)command) {
	case BH_COPY_SEARCH_AGAIN:
		bh_copyfind_again(reader, mode->base.host, false);
		break;
	case BH_COPY_SEARCH_REVERSE:
		bh_copyfind_again(reader, mode->base.host, true);
		break;
	case BH_COPY_SEARCH_WORD_DOWN:
		bh_copyfind_word(reader, mode->base.host, false);
		break;
	case BH_COPY_SEARCH_WORD_UP:
		bh_copyfind_word(reader, mode->base.host, true);
		break;
	case BH_COPY_CLEAR:
		do_clear(mode);
		break;
	case BH_COPY_YANK:
		do_yank(mode);
		break;
	case BH_COPY_YANK_LINE_END:
		yank_line_end(mode);
		break;
	case BH_COPY_REFRESH:
		restart(mode, true);
		break;
	case BH_COPY_LEAVE:
		leave(mode);
		break;
	default:
		do_select(mode, command);
		break;
	}
}

static void do_command(struct copymode *mode, enum bh_copy_command command, int count)
{
	struct copymode_state *state = mode->state;

	switch ((int)command) {
	case BH_COPY_NONE:
		break;
	case BH_COPY_FIND:
	case BH_COPY_FIND_BACK:
	case BH_COPY_TILL:
	case BH_COPY_TILL_BACK:
		state->waiting = command;
		state->count = count;
		break;
	case BH_COPY_GOTO_LINE:
	case BH_COPY_SEARCH_DOWN:
	case BH_COPY_SEARCH_UP:
	case BH_COPY_PATTERN_DOWN:
	case BH_COPY_PATTERN_UP:
		bh_copyfind_open(&state->find, &state->reader, command);
		break;
	default:
		bh_copyreader_stop(&state->reader);
		if (command <= BH_COPY_LAST_MOTION) {
			do_move(mode, command, count);
		} else {
			do_other(mode, command);
		}
		break;
	}
}

/** The character that a command waited for. */
static void take_character(struct copymode *mode, const struct bh_layer_key *key)
{
	struct copymode_state *state = mode->state;
	enum bh_copy_command command = state->waiting;
	bool is_back = command == BH_COPY_FIND_BACK || command == BH_COPY_TILL_BACK;

	state->waiting = BH_COPY_NONE;
	if (!key->is_control && !key->is_alt && key->key >= 0x20 && key->key < 0x110000) {
		bh_copyreader_jump(&state->reader, key->key, is_back ? -1 : 1,
		                   command == BH_COPY_TILL || command == BH_COPY_TILL_BACK,
		                   state->count);
	}
	state->count = 0;
}

/** A digit of a count; a 0 that begins none is none. */
static bool take_digit(struct copymode *mode, const struct bh_layer_key *key)
{
	struct copymode_state *state = mode->state;
	bool is_digit = key->key >= '0' && key->key <= '9' && !key->is_control;

	// Emacs has them with alt.
	if (!is_digit || key->is_alt != mode->is_emacs || (key->key == '0' && state->count == 0)) {
		return false;
	}
	state->count = state->count * 10 + (int)(key->key - '0');
	state->count = state->count > COUNT_MAX ? COUNT_MAX : state->count;
	return true;
}

static void take_key(struct bh_layer *layer, const struct bh_layer_key *key)
{
	struct copymode *mode = copymode_of(layer);
	struct copymode_state *state = mode->state;

	state->is_touched = true;
	state->search_turns = 0;
	begin_budget(state);
	if (state->find.prompt.is_open) {
		bh_copyfind_key(&state->find, &state->reader, mode->base.host, key);
	} else if (state->waiting != BH_COPY_NONE) {
		take_character(mode, key);
	} else if (!take_digit(mode, key)) {
		int count = state->count > 0 ? state->count : 1;

		state->count = 0;
		do_command(mode, bh_copykeys_find(mode->is_emacs, key), count);
	}
	ask(mode);
	redraw(mode);
}

// ------------------------------------------------------------------------------------- mouse

/** The cell of the rows at a report's place. */
static struct bh_linecache_place place_of(const struct copymode *mode,
                                          const struct bh_layer_mouse *mouse,
                                          struct bh_draw_rect rect)
{
	const struct bh_copyreader *reader = &mode->state->reader;
	int row = mouse->row - rect.row;
	int col = mouse->col - rect.col;

	row = row < 0 ? 0 : row >= rect.rows ? rect.rows - 1 : row;
	col = col < 0 ? 0 : col >= rect.cols ? rect.cols - 1 : col;
	return (struct bh_linecache_place){reader->top + row, reader->left + col};
}

static void press(struct copymode *mode, const struct bh_layer_mouse *mouse,
                  struct bh_draw_rect rect)
{
	struct copymode_state *state = mode->state;
	struct bh_selection *selection = &state->reader.selection;

	if (mouse->button != 0) {
		return;
	}
	selection->kind = BH_SELECTION_NONE;
	selection->is_exclusive = false;
	bh_copyreader_stop(&state->reader);
	bh_copyreader_goto(&state->reader, place_of(mode, mouse, rect));
	state->press = state->reader.cursor;
	state->is_dragging = true;
	if (mouse->clicks >= 2) {
		bh_selection_begin(selection,
		                   mouse->clicks == 2 ? BH_SELECTION_WORDS : BH_SELECTION_LINES,
		                   state->press);
	}
}

static void drag(struct copymode *mode, const struct bh_layer_mouse *mouse,
                 struct bh_draw_rect rect)
{
	struct copymode_state *state = mode->state;
	struct bh_selection *selection = &state->reader.selection;

	if (!state->is_dragging) {
		return;
	}
	if (selection->kind == BH_SELECTION_NONE) {
		bh_selection_begin(selection,
		                   mouse->is_alt ? BH_SELECTION_BLOCK : BH_SELECTION_CHARS,
		                   state->press);
	}
	bh_copyreader_goto(&state->reader, place_of(mode, mouse, rect));
	state->edge = mouse->row < rect.row ? -1 : mouse->row >= rect.row + rect.rows ? 1 : 0;
	state->edge_at_ms = state->edge == 0 ? 0 : mouse->now_ms + DRAG_MS;
}

static void release(struct copymode *mode)
{
	struct copymode_state *state = mode->state;

	if (!state->is_dragging) {
		return;
	}
	state->is_dragging = false;
	state->edge = 0;
	state->edge_at_ms = 0;
	if (state->reader.selection.kind != BH_SELECTION_NONE) {
		(void)yank(mode); // blanks are nothing
		state->reader.selection.kind = BH_SELECTION_NONE;
	}
	leave_at_bottom(mode);
}

static void take_mouse(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
                       struct bh_draw_rect rect)
{
	struct copymode *mode = copymode_of(layer);
	struct copymode_state *state = mode->state;

	state->is_passing = state->is_passing || !state->is_touched;
	state->is_touched = true;
	bh_copyreader_resize(&state->reader, rect.rows, rect.cols);
	switch (mouse->kind) {
	case BH_MOUSE_PRESS:
		press(mode, mouse, rect);
		break;
	case BH_MOUSE_DRAG:
		drag(mode, mouse, rect);
		break;
	case BH_MOUSE_RELEASE:
		release(mode);
		break;
	case BH_MOUSE_WHEEL_UP:
		bh_copyreader_scroll(&state->reader, -WHEEL_ROWS - state->reader.owed);
		break;
	case BH_MOUSE_WHEEL_DOWN:
		bh_copyreader_stop(&state->reader);
		bh_copyreader_scroll(&state->reader, WHEEL_ROWS);
		leave_at_bottom(mode);
		break;
	case BH_MOUSE_MOVE:
		return;
	}
	ask(mode);
	redraw(mode);
}

static uint64_t due_ms(const struct bh_layer *layer)
{
	const struct copymode_state *state = ((const struct copymode *)layer)->state;

	return bh_copyreader_is_busy(&state->reader) ? AT_ONCE_MS : state->edge_at_ms;
}

/** The drag is still beyond the edge. */
static void drag_on(struct copymode_state *state, uint64_t now_ms)
{
	struct bh_linecache_place cursor = state->reader.cursor;

	cursor.row += state->edge;
	bh_copyreader_goto(&state->reader, cursor);
	state->edge_at_ms = state->edge == 0 ? 0 : now_ms + DRAG_MS;
}

static void tick(struct bh_layer *layer, uint64_t now_ms)
{
	struct copymode *mode = copymode_of(layer);
	struct copymode_state *state = mode->state;
	if (state->edge_at_ms != 0 && state->edge_at_ms <= now_ms) {
		drag_on(state, now_ms);
	}
	if (bh_copyreader_is_busy(&state->reader)) {
		search_on(mode);
	}
	ask(mode);
	redraw(mode);
}

// ------------------------------------------------------------------------------------- the layer

static void draw_it(const struct bh_layer *layer, struct bh_draw *draw,
                    const struct bh_scene *scene, struct bh_draw_rect rect)
{
	struct copymode_state *state = ((const struct copymode *)layer)->state;

	(void)scene; // the pane is all that it is about
	bh_copyreader_resize(&state->reader, rect.rows, rect.cols);
	bh_copydraw_draw(&state->copydraw, &state->reader, &state->find.prompt, draw, rect);
}

static void free_it(struct bh_layer *layer)
{
	struct copymode *mode = copymode_of(layer);

	bh_copydraw_clear(&mode->state->copydraw);
	bh_copyfind_clear(&mode->state->find);
	bh_copysearch_clear(&mode->state->reader.search);
	bh_linecache_free(mode->state->cache);
	free(mode->state);
	free(mode);
}

static const struct bh_layer_ops ops = {
	.name = "copy mode",
	.draw = draw_it,
	.key = take_key,
	.paste = take_paste,
	.mouse = take_mouse,
	.result = take_result,
	.screen = take_screen,
	.due_ms = due_ms,
	.tick = tick,
	.free = free_it,
};

struct bh_layer *bh_copymode_new(const struct bh_layer_host *host, const char *terminal_id,
                                 const struct bh_screen *screen,
                                 const struct bh_copymode_settings *settings)
{
	struct copymode *mode = bh_xmalloc(sizeof(*mode));

	mode->base.ops = &ops;
	mode->base.host = host;
	(void)snprintf(mode->base.terminal_id, sizeof(mode->base.terminal_id), "%s", terminal_id);
	mode->is_emacs = settings->is_emacs;
	mode->state = bh_xmalloc(sizeof(*mode->state));
	begin(mode, screen);
	ask(mode);
	return &mode->base;
}
