#include "src/ui/look.h"

#include "term/cell.h"

#include <string.h>

/** The attributes that are on or off. */
static const struct {
	enum bh_attr attr;
	enum bh_outer_can can;
	const char *code;
} codes[] = {
	{BH_ATTR_BOLD, BH_OUTER_BOLD, ";1"},       {BH_ATTR_DIM, BH_OUTER_DIM, ";2"},
	{BH_ATTR_ITALIC, BH_OUTER_ITALIC, ";3"},   {BH_ATTR_BLINK, BH_OUTER_BLINK, ";5"},
	{BH_ATTR_REVERSE, BH_OUTER_REVERSE, ";7"}, {BH_ATTR_CONCEAL, BH_OUTER_CONCEAL, ";8"},
	{BH_ATTR_STRIKE, BH_OUTER_STRIKE, ";9"},   {BH_ATTR_OVERLINE, BH_OUTER_OVERLINE, ";53"}};

/** The levels of the 6x6x6 cube. */
static const int levels[] = {0, 95, 135, 175, 215, 255};

/** Red, green, blue. */
struct rgb {
	int part[3];
};

static struct rgb rgb_of(uint32_t color)
{
	return (struct rgb){
		{(int)(color >> 16 & 255), (int)(color >> 8 & 255), (int)(color & 255)}};
}

static int distance(struct rgb a, struct rgb b)
{
	int sum = 0;

	for (int i = 0; i < 3; i++) {
		sum += (a.part[i] - b.part[i]) * (a.part[i] - b.part[i]);
	}
	return sum;
}

/** One of the 256 as xterm has it. */
static struct rgb rgb_of_index(unsigned index)
{
	static const uint32_t first[] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
	                                 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
	                                 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
	int grey = 8 + 10 * ((int)index - 232);

	if (index < 16) {
		return rgb_of(first[index]);
	}
	if (index >= 232) {
		return (struct rgb){{grey, grey, grey}};
	}
	index -= 16;
	return (struct rgb){{levels[index / 36], levels[index / 6 % 6], levels[index % 6]}};
}

/** The nearest colour of the cube or the grey ramp. */
static unsigned nearest_of_256(struct rgb color)
{
	int grey = (color.part[0] + color.part[1] + color.part[2]) / 3;
	int step = grey < 3 ? 0 : grey > 233 ? 23 : (grey - 3) / 10;
	unsigned in_cube = 16;
	unsigned in_ramp = (unsigned)(232 + step);
	static const unsigned weights[] = {36, 6, 1};

	for (int i = 0; i < 3; i++) {
		int part = color.part[i];

		in_cube += weights[i] * (unsigned)(part < 48    ? 0
		                                   : part < 115 ? 1
		                                                : (part - 35) / 40);
	}
	return distance(rgb_of_index(in_ramp), color) < distance(rgb_of_index(in_cube), color)
	               ? in_ramp
	               : in_cube;
}

/** The nearest of the first @count. */
static unsigned nearest_of(struct rgb color, unsigned count)
{
	unsigned best = 0;

	for (unsigned i = 1; i < count; i++) {
		if (distance(rgb_of_index(i), color) < distance(rgb_of_index(best), color)) {
			best = i;
		}
	}
	return best;
}

/** The number of a colour on a terminal without direct ones. */
static unsigned index_of(uint32_t color, int colors)
{
	unsigned index = color & 255;

	if (bh_color_is_index(color) && (colors >= 256 || index < 16)) {
		return index;
	}
	if (colors >= 256) {
		return nearest_of_256(rgb_of(color));
	}
	return nearest_of(bh_color_is_index(color) ? rgb_of_index(index) : rgb_of(color), 16);
}

/** One sequence in the making. It is written for every change of colour, so without printf(). */
struct sequence {
	char text[128];
	size_t len;
};

static void put_text(struct sequence *sequence, const char *text)
{
	size_t len = strlen(text);

	memcpy(sequence->text + sequence->len, text, len);
	sequence->len += len;
}

/** Append ";N", @number less than 1000. */
static void put_number(struct sequence *sequence, unsigned number)
{
	char *at = sequence->text + sequence->len;

	*at++ = ';';
	if (number >= 100) {
		*at++ = (char)('0' + number / 100);
	}
	if (number >= 10) {
		*at++ = (char)('0' + number / 10 % 10);
	}
	*at++ = (char)('0' + number % 10);
	sequence->len = (size_t)(at - sequence->text);
}

/** Append ";38;5;N" or the like; @base is 38, 48 or 58. */
static void put_color(const struct bh_outer *outer, struct sequence *out, unsigned base,
                      uint32_t color)
{
	unsigned index = 0;

	if (color == BH_COLOR_DEFAULT || outer->colors == 0) {
		return;
	}
	if (bh_color_is_rgb(color) && outer->colors > 256) {
		put_number(out, base);
		put_number(out, 2);
		put_number(out, color >> 16 & 255);
		put_number(out, color >> 8 & 255);
		put_number(out, color & 255);
		return;
	}
	index = index_of(color, outer->colors);
	if (base == 58 || index >= 16) {
		put_number(out, base);
		put_number(out, 5);
		put_number(out, index);
	} else if (index < 8 || outer->colors < 16) {
		put_number(out, base - 8 + index % 8);
	} else {
		put_number(out, base + 52 + index - 8);
	}
}

/** Whether the text of @look would be seen no more: both colours became the same. */
static bool is_lost(const struct bh_outer *outer, const struct bh_look *look)
{
	unsigned count = (unsigned)outer->colors;

	return count > 0 && count < 256 && look->fg != look->bg && look->fg != BH_COLOR_DEFAULT &&
	       look->bg != BH_COLOR_DEFAULT &&
	       index_of(look->fg, outer->colors) % count ==
	               index_of(look->bg, outer->colors) % count;
}

/** With eight colours the bright ones are bold, as they were on the first terminals that had any. */
static bool is_bold_for_bright(const struct bh_outer *outer, const struct bh_look *look)
{
	return outer->colors == 8 && look->fg != BH_COLOR_DEFAULT &&
	       index_of(look->fg, outer->colors) >= 8 && (look->attrs & BH_ATTR_BOLD) == 0 &&
	       (outer->can & BH_OUTER_BOLD) != 0;
}

void bh_look_put(const struct bh_look *look, const struct bh_outer *outer, struct bh_buf *out)
{
	unsigned underline = BH_ATTR_UNDERLINE(look->attrs);
	struct sequence sgr = {.len = 0};

	put_text(&sgr, "\x1b[0");
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if ((look->attrs & codes[i].attr) != 0 && (outer->can & codes[i].can) != 0) {
			put_text(&sgr, codes[i].code);
		}
	}
	if (is_bold_for_bright(outer, look)) {
		put_text(&sgr, ";1");
	}
	if (underline > BH_UNDERLINE_SINGLE && (outer->can & BH_OUTER_UNDERLINE_KINDS) != 0) {
		put_text(&sgr, ";4:");
		sgr.text[sgr.len++] = (char)('0' + underline);
	} else if (underline > 0 && (outer->can & BH_OUTER_UNDERLINE) != 0) {
		put_text(&sgr, ";4");
	}
	if (!is_lost(outer, look)) {
		put_color(outer, &sgr, 38, look->fg);
	}
	put_color(outer, &sgr, 48, look->bg);
	if ((outer->can & BH_OUTER_UNDERLINE_COLOR) != 0) {
		put_color(outer, &sgr, 58, look->underline_color);
	}
	put_text(&sgr, "m");
	bh_buf_append(out, sgr.text, sgr.len);
}
