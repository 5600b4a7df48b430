/** Cells and colours as callers see them. */
#ifndef BH_TERM_CELL_H
#define BH_TERM_CELL_H

#include <stdbool.h>
#include <stdint.h>

/** Most bytes of UTF-8 in one cell (a base and its marks), with the final NUL. */
#define BH_CELL_TEXT 48

/** The terminal's own foreground or background. */
#define BH_COLOR_DEFAULT 0U
/** One of the 256 indexed colours. */
#define BH_COLOR_INDEX(index) (0x01000000U | (uint32_t)(index))
/** A direct colour, @rgb = 0xRRGGBB. */
#define BH_COLOR_RGB(rgb) (0x02000000U | (uint32_t)(rgb))

/** Is @color one of the 256? Its number is then the low byte. */
static inline bool bh_color_is_index(uint32_t color)
{
	return color >> 24 == 1;
}

/** Is @color a direct one? Its low 24 bits are then 0xRRGGBB. */
static inline bool bh_color_is_rgb(uint32_t color)
{
	return color >> 24 == 2;
}

/** Bits of `attrs`. The underline's kind is a number in three of them, see BH_ATTR_UNDERLINE. */
enum bh_attr {
	BH_ATTR_BOLD = 1 << 0,
	BH_ATTR_DIM = 1 << 1, ///< SGR 2; agents draw placeholders with it
	BH_ATTR_ITALIC = 1 << 2,
	BH_ATTR_BLINK = 1 << 3,
	BH_ATTR_REVERSE = 1 << 4,
	BH_ATTR_CONCEAL = 1 << 5,
	BH_ATTR_STRIKE = 1 << 6,
	BH_ATTR_OVERLINE = 1 << 7,
	BH_ATTR_PROTECTED = 1 << 8,      ///< DECSCA: selective erase leaves it
	BH_ATTR_UNDERLINE_MASK = 7 << 9, ///< see BH_ATTR_UNDERLINE
};

/** Kinds of underline, in the numbers of SGR 4:N. */
enum bh_underline {
	BH_UNDERLINE_NONE = 0,
	BH_UNDERLINE_SINGLE,
	BH_UNDERLINE_DOUBLE,
	BH_UNDERLINE_CURLY,
	BH_UNDERLINE_DOTTED,
	BH_UNDERLINE_DASHED,
};

/** The enum bh_underline inside @attrs. */
#define BH_ATTR_UNDERLINE(attrs) (((unsigned)(attrs) >> 9) & 7U)

/** One cell of the screen or of the history, by value. */
struct bh_cell {
	char text[BH_CELL_TEXT];  ///< UTF-8 of the glyph, NUL-terminated; " " when blank,
				  ///< "" for the right half of a wide one
	uint8_t text_len;         ///< bytes in `text`
	uint8_t width;            ///< columns: 1 or 2; 0 for the right half of a wide one
	uint16_t attrs;           ///< enum bh_attr
	uint32_t fg;              ///< BH_COLOR_*
	uint32_t bg;              ///< BH_COLOR_*
	uint32_t underline_color; ///< BH_COLOR_*; default: that of the text
	const char *link; ///< target of the OSC 8 hyperlink or NULL; borrowed until the screen is
			  ///< changed
};

/** A cell in short, for those who copy whole rows. */
struct bh_cell_brief {
	uint32_t code;  ///< its code point, a space when blank, 0 for the right half of a wide one
	uint32_t fg;    ///< BH_COLOR_*
	uint32_t bg;    ///< BH_COLOR_*
	uint16_t attrs; ///< enum bh_attr
	uint8_t width;  ///< as in struct bh_cell
	bool has_more;  ///< several code points, a link, an underline colour: see bh_screen_cell()
};

#endif
