#include "term/pen.h"

#include "term/cell.h"

#include <stdbool.h>
#include <stddef.h>

// SGR has two notations for colours, with semicolons, where the parts are arguments of their own, and
// with colons, where they are sub-arguments of one. An argument with sub-arguments that are not
// understood is skipped as a whole; with semicolons that is not possible, so 38 and its like swallow
// as many arguments as their form says, there or not.

#define UNDERLINE(kind) ((kind) << 9)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** The attributes: what a code sets after clearing the mask. */
static const struct {
	uint8_t code;
	uint16_t clear;
	uint16_t set;
} attr_codes[] = {
	{1, 0, BH_ATTR_BOLD},
	{2, 0, BH_ATTR_DIM},
	{3, 0, BH_ATTR_ITALIC},
	{4, BH_ATTR_UNDERLINE_MASK, UNDERLINE(BH_UNDERLINE_SINGLE)},
	{5, 0, BH_ATTR_BLINK},
	{6, 0, BH_ATTR_BLINK},
	{7, 0, BH_ATTR_REVERSE},
	{8, 0, BH_ATTR_CONCEAL},
	{9, 0, BH_ATTR_STRIKE},
	{21, BH_ATTR_UNDERLINE_MASK, UNDERLINE(BH_UNDERLINE_DOUBLE)},
	{22, BH_ATTR_BOLD | BH_ATTR_DIM, 0},
	{23, BH_ATTR_ITALIC, 0},
	{24, BH_ATTR_UNDERLINE_MASK, 0},
	{25, BH_ATTR_BLINK, 0},
	{27, BH_ATTR_REVERSE, 0},
	{28, BH_ATTR_CONCEAL, 0},
	{29, BH_ATTR_STRIKE, 0},
	{53, 0, BH_ATTR_OVERLINE},
	{55, BH_ATTR_OVERLINE, 0},
};

static void pen_reset(struct bh_pen *pen)
{
	pen->fg = BH_COLOR_DEFAULT;
	pen->bg = BH_COLOR_DEFAULT;
	pen->underline_color = BH_COLOR_DEFAULT;
	pen->attrs &= BH_ATTR_PROTECTED;
}

/** How many arguments from @index on belong together by colons (at least 1). */
static int group_length(const struct bh_token *token, int index)
{
	int length = 1;

	while (index + length < token->argc && (token->subs >> (index + length) & 1U) != 0) {
		length++;
	}
	return length;
}

static bool rgb_color(const struct bh_token *token, int index, uint32_t *color)
{
	uint32_t rgb = 0;

	for (int i = 0; i < 3; i++) {
		int value = bh_token_arg(token, index + i, 0);

		if (value > 255) {
			return false;
		}
		rgb = rgb << 8 | (uint32_t)value;
	}
	*color = BH_COLOR_RGB(rgb);
	return true;
}

/** 38:5:N, 38:2:R:G:B and 38:2:SPACE:R:G:B, @length arguments from @index. */
static void colon_color(const struct bh_token *token, int index, int length, uint32_t *color)
{
	int kind = bh_token_arg(token, index + 1, 0);

	if (kind == 5 && length >= 3 && bh_token_arg(token, index + 2, 0) <= 255) {
		*color = BH_COLOR_INDEX(bh_token_arg(token, index + 2, 0));
	} else if (kind == 2 && length >= 5) {
		(void)rgb_color(token, index + (length >= 6 ? 3 : 2), color); // bad: unchanged
	}
}

/** 38;5;N and 38;2;R;G;B. Returns how many arguments were used. */
static int semicolon_color(const struct bh_token *token, int index, uint32_t *color)
{
	int kind = bh_token_arg(token, index + 1, 0);

	if (kind == 5) {
		int number = bh_token_arg(token, index + 2, 0);

		if (index + 2 < token->argc && number <= 255) {
			*color = BH_COLOR_INDEX(number);
		}
		return 3;
	}
	if (kind == 2) {
		if (index + 4 < token->argc) {
			(void)rgb_color(token, index + 2, color); // bad: unchanged
		}
		return 5;
	}
	return 2;
}

static uint32_t *pen_color(struct bh_pen *pen, int code)
{
	return code == 38 ? &pen->fg : code == 48 ? &pen->bg : &pen->underline_color;
}

static void apply_attr(struct bh_pen *pen, int code)
{
	for (size_t i = 0; i < COUNT(attr_codes); i++) {
		if (attr_codes[i].code == code) {
			pen->attrs =
				(uint16_t)((pen->attrs & ~attr_codes[i].clear) | attr_codes[i].set);
			return;
		}
	}
}

static void apply_code(struct bh_pen *pen, int code)
{
	if (code >= 30 && code <= 37) {
		pen->fg = BH_COLOR_INDEX(code - 30);
	} else if (code >= 40 && code <= 47) {
		pen->bg = BH_COLOR_INDEX(code - 40);
	} else if (code >= 90 && code <= 97) {
		pen->fg = BH_COLOR_INDEX(code - 90 + 8);
	} else if (code >= 100 && code <= 107) {
		pen->bg = BH_COLOR_INDEX(code - 100 + 8);
	} else if (code == 39) {
		pen->fg = BH_COLOR_DEFAULT;
	} else if (code == 49) {
		pen->bg = BH_COLOR_DEFAULT;
	} else if (code == 59) {
		pen->underline_color = BH_COLOR_DEFAULT;
	} else if (code == 0) {
		pen_reset(pen);
	} else {
		apply_attr(pen, code);
	}
}

static void apply_underline_kind(struct bh_pen *pen, int kind)
{
	if (kind <= BH_UNDERLINE_DASHED) {
		pen->attrs = (uint16_t)((pen->attrs & ~BH_ATTR_UNDERLINE_MASK) | UNDERLINE(kind));
	}
}

void bh_pen_apply(struct bh_pen *pen, const struct bh_token *token)
{
	if (token->argc == 0) {
		pen_reset(pen);
		return;
	}
	for (int i = 0; i < token->argc;) {
		int code = bh_token_arg(token, i, 0);
		int length = group_length(token, i);
		bool is_color = code == 38 || code == 48 || code == 58;

		if (is_color && length > 1) {
			colon_color(token, i, length, pen_color(pen, code));
		} else if (is_color) {
			length = semicolon_color(token, i, pen_color(pen, code));
		} else if (code == 4 && length > 1) {
			apply_underline_kind(pen, bh_token_arg(token, i + 1, 1));
		} else if (length == 1) {
			apply_code(pen, code);
		}
		i += length;
	}
}

static void write_color(struct bh_bytes *out, int code, uint32_t color)
{
	if (bh_color_is_index(color)) {
		unsigned index = color & 0xFF;

		if (code != 58 && index < 8) {
			bh_bytes_printf(out, ";%u", (unsigned)code - 8 + index);
		} else if (code != 58 && index < 16) {
			bh_bytes_printf(out, ";%u", (unsigned)code + 52 + index - 8);
		} else {
			bh_bytes_printf(out, code == 58 ? ";%d:5:%u" : ";%d;5;%u", code, index);
		}
	} else if (bh_color_is_rgb(color)) {
		bh_bytes_printf(out, code == 58 ? ";%d:2::%u:%u:%u" : ";%d;2;%u;%u;%u", code,
		                color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF);
	}
}

void bh_pen_write(const struct bh_pen *pen, struct bh_bytes *out)
{
	unsigned underline = BH_ATTR_UNDERLINE(pen->attrs);

	bh_bytes_puts(out, "0");
	for (size_t i = 0; i < COUNT(attr_codes); i++) {
		uint16_t bit = attr_codes[i].set;

		// 6 is another blink; the kinds of underline are written below.
		if (bit != 0 && attr_codes[i].clear == 0 && attr_codes[i].code != 6 &&
		    (pen->attrs & bit) == bit) {
			bh_bytes_printf(out, ";%u", (unsigned)attr_codes[i].code);
		}
	}
	if (underline == BH_UNDERLINE_SINGLE) {
		bh_bytes_puts(out, ";4");
	} else if (underline != BH_UNDERLINE_NONE) {
		bh_bytes_printf(out, ";4:%u", underline);
	}
	write_color(out, 38, pen->fg);
	write_color(out, 48, pen->bg);
	write_color(out, 58, pen->underline_color);
}
