#include "src/ui/outer.h"

#include "src/ui/terminfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/** What any terminal does that draws in colours today. */
#define COMMON \
	(BH_OUTER_BOLD | BH_OUTER_DIM | BH_OUTER_ITALIC | BH_OUTER_UNDERLINE | BH_OUTER_REVERSE | \
	 BH_OUTER_STRIKE)
/** Underlines of all kinds, in colours. */
#define UNDERLINES (BH_OUTER_UNDERLINE_KINDS | BH_OUTER_UNDERLINE_COLOR)

const struct bh_outer bh_outer_full = {.colors = BH_OUTER_DIRECT, .can = ~0U};

/** What terminals can that say who they are. */
static const struct {
	/** The beginning of its answer to XTVERSION or of TERM_PROGRAM, in any case. */
	const char *name;
	unsigned can;
} known[] = {
	{"alacritty", COMMON | UNDERLINES | BH_OUTER_LINKS},
	{"bellhop", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"contour", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"foot", COMMON | UNDERLINES | BH_OUTER_LINKS},
	{"ghostty", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"iterm", COMMON | UNDERLINES | BH_OUTER_LINKS},
	{"kitty", COMMON | UNDERLINES | BH_OUTER_LINKS},
	{"konsole", COMMON | BH_OUTER_UNDERLINE_KINDS | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"mintty", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"tmux", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"vscode", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"vte(", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"wezterm", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
	{"windows terminal", COMMON | UNDERLINES | BH_OUTER_LINKS},
	{"xterm(", COMMON},
	{"xterm.js", COMMON | UNDERLINES | BH_OUTER_LINKS | BH_OUTER_OVERLINE},
};

/** Variables that one terminal alone sets. */
static const struct {
	const char *variable;
	const char *name;
} marks[] = {
	{"VTE_VERSION", "vte("},
	{"KONSOLE_VERSION", "konsole"},
	{"KITTY_WINDOW_ID", "kitty"},
	{"WT_SESSION", "windows terminal"},
};

static bool begins_with(const char *text, const char *start)
{
	return strncasecmp(text, start, strlen(start)) == 0;
}

/** It said who it is. */
static void take_name(struct bh_outer *outer, const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (begins_with(name, known[i].name)) {
			outer->can |= known[i].can;
			outer->colors = BH_OUTER_DIRECT;
			return;
		}
	}
}

/** What the environment says of the terminal, unless it speaks of one further out. */
static void take_environment(struct bh_outer *outer, bh_outer_environ *get, const char *term)
{
	const char *program = get("TERM_PROGRAM");
	const char *color = get("COLORTERM");
	bool is_inner = begins_with(term, "screen") || begins_with(term, "tmux");

	if (color != NULL && (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0)) {
		outer->colors = BH_OUTER_DIRECT;
	}
	if (program != NULL && is_inner == begins_with(program, "tmux")) {
		take_name(outer, program);
	}
	for (size_t i = 0; !is_inner && i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (get(marks[i].variable) != NULL) {
			take_name(outer, marks[i].name);
		}
	}
}

/** A name that terminfo does not know is most often one of a terminal newer than terminfo. */
static int find_by_name(struct bh_outer *outer, const char *term)
{
	static const char *const modern[] = {"xterm",  "alacritty", "contour", "foot",   "ghostty",
	                                     "iterm",  "kitty",     "konsole", "mintty", "rxvt",
	                                     "screen", "st-",       "tmux",    "vte",    "wezterm"};
	int rc = bh_terminfo_read(term, outer);

	for (size_t i = 0; rc == -ENOENT && i < sizeof(modern) / sizeof(modern[0]); i++) {
		if (begins_with(term, modern[i])) {
			*outer = (struct bh_outer){.colors = 256,
			                           .can = COMMON | BH_OUTER_CURSOR_SHAPE |
			                                  BH_OUTER_XTERM};
			rc = 0;
		}
	}
	if (rc == -ENOENT) {
		*outer = (struct bh_outer){
			.colors = 8, .can = BH_OUTER_BOLD | BH_OUTER_UNDERLINE | BH_OUTER_REVERSE};
		rc = 0;
	}
	return rc;
}

int bh_outer_find(struct bh_outer *outer, bh_outer_environ *get, struct bh_err *err)
{
	const char *term = get("TERM");

	*outer = (struct bh_outer){0};
	if (term == NULL || term[0] == '\0') {
		return bh_err_set(err, BH_EUNSUPPORTED,
		                  "TERM does not say what terminal this is; set it, most often to "
		                  "xterm-256color");
	}
	if (find_by_name(outer, term) != 0) {
		return bh_err_set(err, BH_EUNSUPPORTED,
		                  "this terminal says that it can only print lines (TERM=%.40s); "
		                  "`bellhop list` and `bellhop screen NAME` work here",
		                  term);
	}
	take_environment(outer, get, term);
	return 0;
}

void bh_outer_ask(struct bh_outer *outer, struct bh_buf *out)
{
	if ((outer->can & BH_OUTER_XTERM) == 0 || outer->is_waiting) {
		return;
	}
	// DECRQM 2026, kitty's keyboard flags, XTVERSION; last DA1, which all of them answer.
	bh_buf_puts(out, "\x1b[?2026$p\x1b[?u\x1b[>0q\x1b[c");
	outer->is_waiting = true;
}

/** The middle of @answer when it is @start ... @end, as a string; false when it is not. */
static bool take_middle(struct bh_span answer, const char *start, const char *end, char *out,
                        size_t size)
{
	size_t before = strlen(start);
	size_t after = strlen(end);

	if (answer.len < before + after || memcmp(answer.data, start, before) != 0 ||
	    memcmp(answer.data + answer.len - after, end, after) != 0) {
		return false;
	}
	(void)snprintf(out, size, "%.*s", (int)(answer.len - before - after),
	               (const char *)answer.data + before);
	return true;
}

bool bh_outer_answer(struct bh_outer *outer, struct bh_span answer)
{
	struct bh_outer before = *outer;
	char text[128];

	if (take_middle(answer, "\x1b[?2026;", "$y", text, sizeof(text))) {
		bool is_known = text[0] >= '1' && text[0] <= '3' && text[1] == '\0';

		outer->can &= ~(unsigned)BH_OUTER_SYNC;
		outer->can |= is_known ? BH_OUTER_SYNC : 0;
	} else if (take_middle(answer, "\x1bP>|", "\x1b\\", text, sizeof(text))) {
		take_name(outer, text);
	} else if (take_middle(answer, "\x1b[?", "u", text, sizeof(text))) {
		outer->can |= BH_OUTER_KITTY_KEYS;
	} else if (take_middle(answer, "\x1b[?", "c", text, sizeof(text))) {
		outer->is_waiting = false;
	}
	return before.colors != outer->colors || ((before.can ^ outer->can) & BH_OUTER_LOOKS) != 0;
}

void bh_outer_set_direct(struct bh_outer *outer, bool is_direct)
{
	if (is_direct) {
		outer->colors = BH_OUTER_DIRECT;
	} else if (outer->colors > 256) {
		outer->colors = 256;
	}
}
