#include "src/ui/terminfo.h"

#include <errno.h>
#include <string.h>

// Last, and here only: term.h defines macros with everyday names.
#include <curses.h>
#include <term.h>

/** A capability that is a sequence, and what it tells. */
static const struct {
	const char *name;
	unsigned can;
} sequences[] = {
	{"bold", BH_OUTER_BOLD},
	{"dim", BH_OUTER_DIM},
	{"sitm", BH_OUTER_ITALIC},
	{"smul", BH_OUTER_UNDERLINE},
	{"blink", BH_OUTER_BLINK},
	{"rev", BH_OUTER_REVERSE},
	{"invis", BH_OUTER_CONCEAL},
	{"smxx", BH_OUTER_STRIKE},
	{"Smol", BH_OUTER_OVERLINE},
	{"Smulx", BH_OUTER_UNDERLINE_KINDS},
	{"Setulc", BH_OUTER_UNDERLINE_COLOR},
	{"Ss", BH_OUTER_CURSOR_SHAPE},
	{"Sync", BH_OUTER_SYNC},
};

/** The value of a capability that is a sequence; NULL when it has none. */
static const char *sequence_of(const char *name)
{
	// The library takes names that it does not change without const.
	char copy[16] = {0};
	const char *text = NULL;

	memcpy(copy, name, strnlen(name, sizeof(copy) - 1));
	text = tigetstr(copy);
	return text == NULL || text == (const char *)-1 || text[0] == '\0' ? NULL : text;
}

static bool has_flag(const char *name)
{
	char copy[16] = {0};

	memcpy(copy, name, strnlen(name, sizeof(copy) - 1));
	return tigetflag(copy) > 0;
}

static int count_colors(void)
{
	char name[] = "colors";
	int colors = tigetnum(name);

	if (has_flag("RGB") || has_flag("Tc") || colors > 256) {
		return BH_OUTER_DIRECT;
	}
	return colors >= 256 ? 256 : colors >= 16 ? 16 : colors >= 8 ? 8 : 0;
}

/** xterm and its like have a mouse in their description; so has the kernel's console, which is
 * no such terminal. */
static bool is_xterm(const char *term)
{
	return sequence_of("kmous") != NULL && strncmp(term, "linux", 5) != 0;
}

static int read_current(const char *term, struct bh_outer *outer)
{
	static const char ansi[] = "\x1b[%i%p1%d;%p2%dH";
	const char *place = sequence_of("cup");

	if (place == NULL || strncmp(place, ansi, sizeof(ansi) - 1) != 0 || has_flag("hc")) {
		return BH_EUNSUPPORTED;
	}
	*outer = (struct bh_outer){.colors = count_colors()};
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		outer->can |= sequence_of(sequences[i].name) == NULL ? 0 : sequences[i].can;
	}
	outer->can |= has_flag("Su") ? BH_OUTER_UNDERLINE_KINDS : 0;
	outer->can |= is_xterm(term) ? BH_OUTER_XTERM : 0;
	return 0;
}

int bh_terminfo_read(const char *term, struct bh_outer *outer_out)
{
	int found = 0;
	int rc = 0;

	// With a place for the error the library prints nothing and does not exit. Without a database
	// nobody knows anything.
	if (setupterm(term, 1, &found) != OK) {
		return found == 1 ? BH_EUNSUPPORTED : -ENOENT;
	}
	rc = read_current(term, outer_out);
	(void)del_curterm(cur_term);
	return rc;
}
