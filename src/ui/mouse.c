#include "src/ui/mouse.h"

#include "src/base/utf8.h"

/** Presses at a cell that follow on each other within this time are one click of many (ms). */
#define CLICK_MS 400
/** Most presses of one click. */
#define CLICKS_MAX 3

/** Bits of a button's number. */
#define BUTTON_SHIFT 4U
#define BUTTON_ALT 8U
#define BUTTON_CONTROL 16U
#define BUTTON_MODIFIERS (BUTTON_SHIFT | BUTTON_ALT | BUTTON_CONTROL)
#define BUTTON_MOTION 32U
#define BUTTON_WHEEL 64U
#define BUTTON_MORE 128U
/** The two low bits of motion without a button, and of a release in the old form. */
#define BUTTON_NONE 3U

/** The last column and row that the old form, and that in UTF-8, can say; from 0. */
#define OLD_LAST 222
#define UTF8_LAST 2014

static void count_click(struct bh_mouse_clicks *clicks, const struct bh_input_mouse *report,
                        uint64_t now_ms)
{
	int button = (int)(report->button & BUTTON_NONE);
	bool is_next = clicks->count > 0 && clicks->button == button &&
	               clicks->row == report->row && clicks->col == report->col &&
	               now_ms - clicks->at_ms < CLICK_MS;

	clicks->count = is_next && clicks->count < CLICKS_MAX ? clicks->count + 1 : 1;
	clicks->button = button;
	clicks->row = report->row;
	clicks->col = report->col;
	clicks->at_ms = now_ms;
}

static enum bh_layer_mouse_kind kind_of(const struct bh_input_mouse *report)
{
	unsigned low = report->button & BUTTON_NONE;

	if ((report->button & BUTTON_WHEEL) != 0) {
		return low == 0 ? BH_MOUSE_WHEEL_UP : BH_MOUSE_WHEEL_DOWN;
	}
	if ((report->button & BUTTON_MOTION) != 0) {
		return low == BUTTON_NONE ? BH_MOUSE_MOVE : BH_MOUSE_DRAG;
	}
	return report->is_release ? BH_MOUSE_RELEASE : BH_MOUSE_PRESS;
}

bool bh_mouse_read(struct bh_mouse_clicks *clicks, const struct bh_input_mouse *report,
                   uint64_t now_ms, struct bh_layer_mouse *mouse_out)
{
	enum bh_layer_mouse_kind kind = kind_of(report);
	unsigned low = report->button & BUTTON_NONE;

	if ((report->button & BUTTON_MORE) != 0 ||
	    ((report->button & BUTTON_WHEEL) != 0 && (low > 1 || report->is_release))) {
		return false;
	}
	if (kind == BH_MOUSE_PRESS) {
		count_click(clicks, report, now_ms);
	}
	*mouse_out = (struct bh_layer_mouse){.kind = kind,
	                                     .button = (int)low,
	                                     .clicks = clicks->count,
	                                     .row = report->row,
	                                     .col = report->col,
	                                     .is_control = (report->button & BUTTON_CONTROL) != 0,
	                                     .is_alt = (report->button & BUTTON_ALT) != 0,
	                                     .is_shift = (report->button & BUTTON_SHIFT) != 0,
	                                     .now_ms = now_ms};
	return true;
}

// Whether the program of @screen asked for reports like this one.
static bool is_wanted(const struct bh_screen *screen, const struct bh_input_mouse *report)
{
	bool is_motion = (report->button & BUTTON_MOTION) != 0;
	bool is_held = (report->button & BUTTON_NONE) != BUTTON_NONE;

	if (bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_MOVE)) {
		return true;
	}
	if (bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_DRAG)) {
		return !is_motion || is_held;
	}
	if (bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_CLICK)) {
		return !is_motion;
	}
	return bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_X10) && !is_motion &&
	       !report->is_release && (report->button & (BUTTON_WHEEL | BUTTON_MORE)) == 0;
}

/** One number of an old report. */
static void put_number(struct bh_buf *out, unsigned number, bool is_utf8)
{
	char bytes[4] = {(char)number};
	size_t len = is_utf8 ? bh_utf8_put(number, bytes) : 1;

	bh_buf_append(out, bytes, len);
}

/** The forms before SGR; they do not say which button was let go. */
static bool encode_old(const struct bh_screen *screen, const struct bh_input_mouse *report,
                       unsigned button, struct bh_buf *out)
{
	bool is_utf8 = bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_UTF8);
	int last = is_utf8 ? UTF8_LAST : OLD_LAST;

	if (report->is_release) {
		button |= BUTTON_NONE;
	}
	if (bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_URXVT)) {
		bh_buf_printf(out, "\x1b[%u;%d;%dM", button + 32, report->col + 1, report->row + 1);
		return true;
	}
	if (report->col > last || report->row > last) {
		return false;
	}
	bh_buf_puts(out, "\x1b[M");
	put_number(out, button + 32, is_utf8);
	put_number(out, (unsigned)report->col + 33, is_utf8);
	put_number(out, (unsigned)report->row + 33, is_utf8);
	return true;
}

bool bh_mouse_encode(const struct bh_screen *screen, const struct bh_input_mouse *report,
                     struct bh_buf *out)
{
	unsigned button = report->button;

	if (!is_wanted(screen, report)) {
		return false;
	}
	if (!bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_CLICK) &&
	    !bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_DRAG) &&
	    !bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_MOVE)) {
		button &= ~BUTTON_MODIFIERS; // mode 9 knows none
	}
	if (bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_SGR) ||
	    bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_PIXELS)) {
		bh_buf_printf(out, "\x1b[<%u;%d;%d%c", button, report->col + 1, report->row + 1,
		              report->is_release ? 'm' : 'M');
		return true;
	}
	return encode_old(screen, report, button, out);
}
