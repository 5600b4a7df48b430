#include "term/guard.h"

#include "term/bytes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <vterm.h>

// libvterm's state layer is good at what a cursor does among margins, and has bugs that any output can
// reach (its parser overruns its arguments, loops, leaves the screen). The rules that keep it safe:
// (a) it gets at most two arguments, each clamped, in sequences of a whitelist; REP is not on it;
// (b) no text: printing is ours, so neither its decoder nor its table of widths is ever used;
// (c) no strings: the sieve keeps them;
// (d) a screen is never smaller than 2x2 (screen.c clamps);
// (e) a resize throws it away and makes a new one, so no saved cursor or margin outlives its screen;
// (f) with that its own resize code, wrong without a callback in 0.3, does not run;
// (g) each rectangle and position that it reports is clamped before it is used.
//
// It is told where the cursor is only when that matters: `told` is what it knows, and a sequence is
// preceded by a CUP when our cursor has moved on, by the margins when those have changed. So its
// state is a copy that can be made again at any time, and a repaint needs no part of it.

enum {
	ARG_MAX_VALUE = 65535, // rule (a): what an argument may be
	COL_UNKNOWN = -1,
};

/** CSI that may be run, without the arguments: leader, intermediate, final. */
static const char *const whitelist[] = {
	"@", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K",  "L",  "M",  "P",  "S",
	"T", "X", "Z", "`", "a", "d", "e", "f", "g", "j", "k", "?J", "?K", "'}", "'~",
};

struct bh_guard {
	VTerm *vterm;
	VTermState *state;
	int cols, rows;
	const struct bh_guard_events *events;
	void *user;
	struct bh_guard_place told; // what libvterm knows; col COL_UNKNOWN: not where its cursor is
};

bool bh_guard_check(char *why, size_t size)
{
	// One SONAME, two ABIs. Only the newer library has this function, whatever its header was.
	bool is_new_library = dlsym(RTLD_DEFAULT, "vterm_build") != NULL;
#ifdef HAVE_VTERMSTRINGFRAGMENT
	bool is_new_header = true;
#else
	bool is_new_header = false;
#endif

	if (is_new_library == is_new_header) {
		return true;
	}
	(void)snprintf(why, size, // cut to fit
	               "compiled for libvterm %s but libvterm %s is loaded: install the matching "
	               "libvterm0, or build bellhop again",
	               is_new_header ? "0.3" : "0.1", is_new_library ? "0.3" : "0.1");
	return false;
}

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

/** Rule (g): nothing that libvterm says reaches memory unchecked. */
static struct bh_rect checked_rect(const struct bh_guard *guard, VTermRect rect)
{
	return (struct bh_rect){
		.top = clamp(rect.start_row, 0, guard->rows),
		.left = clamp(rect.start_col, 0, guard->cols),
		.bottom = clamp(rect.end_row, 0, guard->rows),
		.right = clamp(rect.end_col, 0, guard->cols),
	};
}

static int on_scrollrect(VTermRect rect, int downward, int rightward, void *user)
{
	struct bh_guard *guard = user;

	guard->events->scroll(guard->user, checked_rect(guard, rect), downward, rightward);
	return 1;
}

static int on_erase(VTermRect rect, int selective, void *user)
{
	struct bh_guard *guard = user;

	guard->events->erase(guard->user, checked_rect(guard, rect), selective != 0);
	return 1;
}

// The rest of libvterm's events is not asked for: cursor and modes are read or kept by us.
static const VTermStateCallbacks callbacks = {
	.scrollrect = on_scrollrect,
	.erase = on_erase,
};

static void guard_write(struct bh_guard *guard, const char *bytes, size_t len)
{
	(void)vterm_input_write(guard->vterm, bytes, len); // takes all
}

static void guard_open(struct bh_guard *guard, int cols, int rows)
{
	guard->cols = cols;
	guard->rows = rows;
	guard->vterm = vterm_new(rows, cols);
	guard->state = vterm_obtain_state(guard->vterm);
	vterm_set_utf8(guard->vterm, 1);
	vterm_state_reset(guard->state, 1);
	vterm_state_set_callbacks(guard->state, &callbacks, guard);
	guard->told = (struct bh_guard_place){.bottom = rows, .right = cols};
}

struct bh_guard *bh_guard_new(int cols, int rows, const struct bh_guard_events *events, void *user)
{
	struct bh_guard *guard = bh_bytes_alloc(1, sizeof(*guard));

	guard->events = events;
	guard->user = user;
	guard_open(guard, cols, rows);
	return guard;
}

void bh_guard_free(struct bh_guard *guard)
{
	if (guard == NULL) {
		return;
	}
	vterm_free(guard->vterm);
	free(guard);
}

void bh_guard_resize(struct bh_guard *guard, int cols, int rows)
{
	// Stronger than resetting everything before vterm_set_size(), whose four known bugs all
	// come from state that survives it: nothing survives.
	vterm_free(guard->vterm);
	guard_open(guard, cols, rows);
}

static char *write_number(char *out, int value)
{
	char digits[12];
	int count = 0;

	do {
		digits[count++] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	while (count > 0) {
		*out++ = digits[--count];
	}
	return out;
}

/** Compose one sequence; @form is [leader][intermediate]final. */
static size_t compose_csi(char *out, const char *form, int first, int second)
{
	char *at = out;
	const char *tail = form;

	*at++ = '\x1B';
	*at++ = '[';
	if (*tail == '?') {
		*at++ = *tail++;
	}
	if (first >= 0) {
		at = write_number(at, clamp(first, 0, ARG_MAX_VALUE));
	}
	if (second >= 0) {
		*at++ = ';';
		at = write_number(at, clamp(second, 0, ARG_MAX_VALUE));
	}
	while (*tail != '\0') {
		*at++ = *tail++;
	}
	return (size_t)(at - out);
}

static void guard_csi(struct bh_guard *guard, const char *form, int first, int second)
{
	char bytes[32];

	guard_write(guard, bytes, compose_csi(bytes, form, first, second));
}

static void tell_modes(struct bh_guard *guard, const struct bh_guard_place *place)
{
	struct bh_guard_place *told = &guard->told;

	if (told->has_sides != place->has_sides) {
		guard_csi(guard, place->has_sides ? "?h" : "?l", 69, -1);
		told->has_sides = place->has_sides;
		told->left = COL_UNKNOWN;
	}
	if (told->top != place->top || told->bottom != place->bottom) {
		guard_csi(guard, "r", place->top + 1, place->bottom);
		told->col = COL_UNKNOWN;
	}
	if (place->has_sides && (told->left != place->left || told->right != place->right)) {
		guard_csi(guard, "s", place->left + 1, place->right);
		told->col = COL_UNKNOWN;
	}
	if (told->is_origin != place->is_origin) {
		guard_csi(guard, place->is_origin ? "?h" : "?l", 6, -1);
		told->col = COL_UNKNOWN;
	}
}

/** Make libvterm's cursor and margins ours. */
static void guard_tell(struct bh_guard *guard, const struct bh_guard_place *place)
{
	struct bh_guard_place *told = &guard->told;

	tell_modes(guard, place);
	if (told->row != place->row || told->col != place->col) {
		int top = place->is_origin ? place->top : 0;
		int left = place->is_origin && place->has_sides ? place->left : 0;

		guard_csi(guard, "H", place->row - top + 1, place->col - left + 1);
	}
	*told = *place;
}

/** Where did the cursor go? */
static void guard_ask(struct bh_guard *guard, struct bh_guard_place *place)
{
	VTermPos pos;

	vterm_state_get_cursorpos(guard->state, &pos);
	place->row = clamp(pos.row, 0, guard->rows - 1);
	place->col = clamp(pos.col, 0, guard->cols - 1);
	guard->told.row = place->row;
	guard->told.col = place->col;
}

static bool is_whitelisted(const char *form)
{
	for (size_t i = 0; i < sizeof(whitelist) / sizeof(whitelist[0]); i++) {
		if (strcmp(whitelist[i], form) == 0) {
			return true;
		}
	}
	return false;
}

void bh_guard_csi(struct bh_guard *guard, struct bh_guard_place *place, const char *form, int first,
                  int second)
{
	if (!is_whitelisted(form)) {
		return;
	}
	guard_tell(guard, place);
	guard_csi(guard, form, first, second);
	guard_ask(guard, place);
}

void bh_guard_escape(struct bh_guard *guard, struct bh_guard_place *place, char final)
{
	if (final != 'M' && final != 'H') {
		return;
	}
	guard_tell(guard, place);
	guard_write(guard, (const char[]){'\x1B', final}, 2);
	guard_ask(guard, place);
}

void bh_guard_tabs(struct bh_guard *guard, const bool *stops)
{
	guard_csi(guard, "g", 3, -1);
	for (int c = 0; c < guard->cols; c++) {
		if (stops[c]) {
			guard_csi(guard, "G", c + 1, -1);
			guard_write(guard, "\x1BH", 2);
		}
	}
	guard->told.col = COL_UNKNOWN;
}
