#include "src/ui/modes.h"

/** A mode that is followed: the program's, and how it is switched. */
static const struct {
	enum bh_screen_mode mode;
	const char *on;
	const char *off;
} followed[] = {
	{BH_SCREEN_MODE_FOCUS, "\x1b[?1004h", "\x1b[?1004l"},
	{BH_SCREEN_MODE_APP_CURSOR, "\x1b[?1h", "\x1b[?1l"},
	{BH_SCREEN_MODE_APP_KEYPAD, "\x1b=", "\x1b>"},
	{BH_SCREEN_MODE_BACKARROW, "\x1b[?67h", "\x1b[?67l"},
};

#define FOLLOWED_COUNT (sizeof(followed) / sizeof(followed[0]))

/** How the mouse is switched on. */
static const char *const mouse_on[] = {
	[BH_MODES_MOUSE_CLICK] = "\x1b[?1000h",
	[BH_MODES_MOUSE_DRAG] = "\x1b[?1002h",
	[BH_MODES_MOUSE_MOVE] = "\x1b[?1003h",
};

/** And off again; together they are sure to leave nothing on. */
static const char *const mouse_off[] = {
	[BH_MODES_MOUSE_CLICK] = "\x1b[?1000l",
	[BH_MODES_MOUSE_DRAG] = "\x1b[?1002l",
	[BH_MODES_MOUSE_MOVE] = "\x1b[?1003l",
};

static enum bh_modes_mouse mouse_wanted(const struct bh_modes *modes,
                                        const struct bh_screen *screen)
{
	enum bh_modes_mouse mouse = BH_MODES_MOUSE_NONE;

	if (screen == NULL || !bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE)) {
		return modes->mouse_least;
	}
	mouse = bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_MOVE)   ? BH_MODES_MOUSE_MOVE
	        : bh_screen_mode(screen, BH_SCREEN_MODE_MOUSE_DRAG) ? BH_MODES_MOUSE_DRAG
	                                                            : BH_MODES_MOUSE_CLICK;
	return mouse > modes->mouse_least ? mouse : modes->mouse_least;
}

static void set_mouse(struct bh_modes *modes, enum bh_modes_mouse mouse, struct bh_buf *out)
{
	if (mouse == modes->mouse) {
		return;
	}
	if (modes->mouse != BH_MODES_MOUSE_NONE) {
		bh_buf_puts(out, mouse_off[modes->mouse]);
	}
	if (mouse != BH_MODES_MOUSE_NONE) {
		bh_buf_puts(out, mouse_on[mouse]);
	}
	if ((mouse == BH_MODES_MOUSE_NONE) != (modes->mouse == BH_MODES_MOUSE_NONE)) {
		bh_buf_puts(out, mouse == BH_MODES_MOUSE_NONE ? "\x1b[?1006l" : "\x1b[?1006h");
	}
	modes->mouse = mouse;
}

static void follow_keyboard(struct bh_modes *modes, unsigned kitty, int other_keys,
                            struct bh_buf *out)
{
	// The first flags are pushed, so that leaving brings back whatever was before.
	if (kitty != modes->kitty) {
		if (modes->is_pushed) {
			bh_buf_printf(out, "\x1b[=%u;1u", kitty);
		} else {
			bh_buf_printf(out, "\x1b[>%uu", kitty);
			modes->is_pushed = true;
		}
		modes->kitty = kitty;
	}
	if (kitty != 0 && !modes->has_kitty && other_keys == 0) {
		other_keys = 1;
	}
	if (other_keys != modes->other_keys) {
		bh_buf_printf(out, "\x1b[>4;%dm", other_keys);
		modes->other_keys = other_keys;
	}
}

void bh_modes_follow(struct bh_modes *modes, const struct bh_screen *screen, struct bh_buf *out)
{
	for (size_t i = 0; i < FOLLOWED_COUNT; i++) {
		bool is_on = screen != NULL && bh_screen_mode(screen, followed[i].mode);
		unsigned bit = 1U << i;

		if (is_on != ((modes->bits & bit) != 0)) {
			bh_buf_puts(out, is_on ? followed[i].on : followed[i].off);
			modes->bits ^= bit;
		}
	}
	if (modes->is_plain) {
		return;
	}
	set_mouse(modes, mouse_wanted(modes, screen), out);
	follow_keyboard(modes, screen == NULL ? 0 : bh_screen_kitty_flags(screen),
	                screen == NULL ? 0 : bh_screen_modify_other_keys(screen), out);
}

/** Nothing is switched; what the terminal is stays known. */
static void reset(struct bh_modes *modes)
{
	*modes = (struct bh_modes){.mouse_least = modes->mouse_least,
	                           .is_plain = modes->is_plain,
	                           .has_kitty = modes->has_kitty};
}

void bh_modes_enter(struct bh_modes *modes, struct bh_buf *out)
{
	reset(modes);
	// Save the title, go to the other screen, take pastes as pastes. Terminals pass over private
	// modes that they do not have.
	bh_buf_puts(out, modes->is_plain ? "" : "\x1b[22;2t");
	bh_buf_puts(out, "\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[0m\x1b[2J");
}

void bh_modes_leave(struct bh_modes *modes, struct bh_buf *out)
{
	set_mouse(modes, BH_MODES_MOUSE_NONE, out);
	for (size_t i = 0; i < FOLLOWED_COUNT; i++) {
		if ((modes->bits & (1U << i)) != 0) {
			bh_buf_puts(out, followed[i].off);
		}
	}
	if (modes->is_pushed) {
		bh_buf_puts(out, "\x1b[<u");
	}
	if (modes->other_keys != 0) {
		bh_buf_puts(out, "\x1b[>4;0m");
	}
	bh_buf_puts(out, modes->is_plain ? "" : "\x1b]8;;\x1b\\\x1b[?2026l\x1b[0 q");
	// One without an alternate screen is left with an empty one.
	bh_buf_puts(out, "\x1b[?2004l\x1b[0m\x1b[?25h\x1b[H\x1b[2J\x1b[?1049l");
	bh_buf_puts(out, modes->is_plain ? "" : "\x1b[23;2t");
	reset(modes);
}
