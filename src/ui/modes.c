#include "src/ui/modes.h"

/** A mode that is followed: the program's, and how it is switched. */
static const struct {
	enum bh_screen_mode mode;
	const char *on;
	const char *off;
} followed[] = {
	{BH_SCREEN_MODE_MOUSE_X10, "\x1b[?9h", "\x1b[?9l"},
	{BH_SCREEN_MODE_MOUSE_CLICK, "\x1b[?1000h", "\x1b[?1000l"},
	{BH_SCREEN_MODE_MOUSE_DRAG, "\x1b[?1002h", "\x1b[?1002l"},
	{BH_SCREEN_MODE_MOUSE_MOVE, "\x1b[?1003h", "\x1b[?1003l"},
	{BH_SCREEN_MODE_MOUSE_UTF8, "\x1b[?1005h", "\x1b[?1005l"},
	{BH_SCREEN_MODE_MOUSE_SGR, "\x1b[?1006h", "\x1b[?1006l"},
	{BH_SCREEN_MODE_MOUSE_URXVT, "\x1b[?1015h", "\x1b[?1015l"},
	{BH_SCREEN_MODE_MOUSE_ALT_SCROLL, "\x1b[?1007h", "\x1b[?1007l"},
	{BH_SCREEN_MODE_FOCUS, "\x1b[?1004h", "\x1b[?1004l"},
	{BH_SCREEN_MODE_APP_CURSOR, "\x1b[?1h", "\x1b[?1l"},
	{BH_SCREEN_MODE_APP_KEYPAD, "\x1b=", "\x1b>"},
	{BH_SCREEN_MODE_BACKARROW, "\x1b[?67h", "\x1b[?67l"},
};

#define FOLLOWED_COUNT (sizeof(followed) / sizeof(followed[0]))

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
	follow_keyboard(modes, screen == NULL ? 0 : bh_screen_kitty_flags(screen),
	                screen == NULL ? 0 : bh_screen_modify_other_keys(screen), out);
}

void bh_modes_enter(struct bh_modes *modes, struct bh_buf *out)
{
	*modes = (struct bh_modes){0};
	// Save the title, go to the other screen, take pastes as pastes.
	bh_buf_puts(out, "\x1b[22;2t\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[0m\x1b[2J");
}

void bh_modes_leave(struct bh_modes *modes, struct bh_buf *out)
{
	// Only what we switched: the defaults of some (1007) differ between terminals.
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
	bh_buf_puts(out, "\x1b]8;;\x1b\\\x1b[?2026l\x1b[?2004l\x1b[0m\x1b[0 q\x1b[?25h"
	                 "\x1b[2J\x1b[?1049l\x1b[23;2t");
	*modes = (struct bh_modes){0};
}
