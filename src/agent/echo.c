// What a composer shows of a text that was typed into it.
#include "proof.h"

#include "pattern.h"
#include "profile_data.h"
#include "rules.h"
#include "src/base/buf.h"
#include "term/screen.h"
#include "view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/** A text as it is compared: what is left when blanks, or all but ASCII, are taken out. */
static void text_squeeze(const char *text, size_t len, bool is_ascii_only, struct bh_buf *out)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (!isspace(byte) && byte != '\0' && (byte < 0x80 || !is_ascii_only)) {
			bh_buf_append(out, text + i, 1);
		}
	}
}

/** How long a text is, as programs count. */
struct length {
	/** Line ends. */
	size_t ends;
	size_t bytes;
	size_t characters;
	/** UTF-16 units, of JavaScript; with tabs as four blanks, too. */
	size_t units;
	size_t untabbed;
};

static struct length text_length(const char *text)
{
	struct length length = {.bytes = strlen(text)};

	for (const char *at = text; *at; at++) {
		unsigned char byte = (unsigned char)*at;
		bool is_start = (byte & 0xC0) != 0x80;

		length.ends += byte == '\n';
		length.characters += is_start;
		length.units += (is_start ? 1 : 0) + (byte >= 0xF0 ? 1 : 0);
		length.untabbed += byte == '\t' ? 3 : 0;
	}
	length.untabbed += length.units;
	return length;
}

/** The number that stands right before @word; false: the placeholder has none. */
static bool placeholder_tells(const char *placeholder, size_t len, const char *word,
                              size_t *told_out)
{
	const char *at = memmem(placeholder, len, word, strlen(word));

	while (at && at > placeholder && isdigit((unsigned char)at[-1])) {
		at--;
	}
	*told_out = at ? strtoul(at, NULL, 10) : 0;
	return at && isdigit((unsigned char)*at);
}

/** Whether the numbers that a paste placeholder tells, if any, are those of the text. */
static bool placeholder_fits(const struct bh_composer_spec *spec, const char *placeholder,
                             size_t len, const char *text)
{
	const struct length length = text_length(text);
	size_t told;

	if (placeholder_tells(placeholder, len, " lines", &told)) {
		return told == length.ends + (spec->has_paste_first_line ? 1 : 0);
	}
	if (placeholder_tells(placeholder, len, " chars", &told)) {
		return told == length.characters || told == length.bytes || told == length.units ||
		       told == length.untabbed;
	}
	return true; // it tells no size
}

/** Whether the composer holds one paste placeholder and nothing else, which fits; MIXED: there is more
 * than a placeholder, or the text itself looks like one. */
static enum bh_echo echo_of_placeholder(const struct bh_profile *profile, const char *shown,
                                        size_t len, const char *text)
{
	size_t start;
	size_t end;
	bool is_fitting;

	if (!profile->composer.paste ||
	    bh_pattern_find(profile->composer.paste, shown, len, &start, &end) != BH_MATCH_YES) {
		return BH_ECHO_NONE;
	}
	is_fitting = placeholder_fits(&profile->composer, shown + start, end - start, text);
	while (start > 0 && isspace((unsigned char)shown[start - 1])) {
		start--;
	}
	while (end < len && isspace((unsigned char)shown[end])) {
		end++;
	}
	if (start != 0 || end != len) {
		return BH_ECHO_MIXED;
	}
	return is_fitting ? BH_ECHO_OURS : BH_ECHO_OTHER;
}

/** Compare squeezed texts: the same; the end of ours (a composer that scrolls); more than ours. */
static enum bh_echo echo_of_text(const struct bh_buf *shown, const struct bh_buf *ours)
{
	if (shown->len == 0 || ours->len == 0) {
		return BH_ECHO_OTHER;
	}
	if (shown->len == ours->len && memcmp(shown->data, ours->data, ours->len) == 0) {
		return BH_ECHO_OURS;
	}
	if (shown->len < ours->len && shown->len * 4 > ours->len &&
	    memcmp(shown->data, ours->data + ours->len - shown->len, shown->len) == 0) {
		return BH_ECHO_OURS;
	}
	return memmem(shown->data, shown->len, ours->data, ours->len) ? BH_ECHO_MIXED
	                                                              : BH_ECHO_OTHER;
}

/** Compare what the composer shows with the text, glyph by glyph, then by ASCII only: programs
 * mangle some emoji and combining marks. */
static enum bh_echo echo_compare(const char *shown, size_t len, const struct bh_typed_text *mail)
{
	enum bh_echo echo = BH_ECHO_OTHER;

	for (int is_ascii = 0; is_ascii <= 1 && echo == BH_ECHO_OTHER; is_ascii++) {
		struct bh_buf seen = {0};
		struct bh_buf ours = {0};

		text_squeeze(shown, len, is_ascii, &seen);
		text_squeeze(mail->text, strlen(mail->text), is_ascii, &ours);
		echo = echo_of_text(&seen, &ours);
		bh_buf_clear(&seen);
		bh_buf_clear(&ours);
	}
	if (echo == BH_ECHO_OTHER && memmem(shown, len, mail->mark, strlen(mail->mark))) {
		return BH_ECHO_MIXED;
	}
	return echo;
}

enum bh_echo bh_proof_echo(const struct bh_profile *profile, const struct bh_screen *screen,
                           const struct bh_typed_text *mail)
{
	struct bh_view view = {0};
	struct bh_reading reading;
	enum bh_echo echo = BH_ECHO_NONE;
	const struct bh_view_row *first;
	const struct bh_view_row *last;
	size_t start;
	size_t len;

	bh_view_take(&view, screen);
	bh_rules_cut(profile, &view);
	bh_rules_read(profile, &view, &reading);
	if (reading.composer == BH_COMPOSER_DRAFT) {
		first = &view.rows[reading.first_row];
		last = &view.rows[reading.last_row];
		start = first->start;
		while (start < first->start + first->len && view.col[start] < reading.text_col) {
			start++;
		}
		len = last->start + last->len - start;
		echo = echo_of_placeholder(profile, view.text + start, len, mail->text);
		if (echo == BH_ECHO_NONE || echo == BH_ECHO_MIXED) {
			enum bh_echo of_text = echo_compare(view.text + start, len, mail);

			echo = echo == BH_ECHO_NONE || of_text == BH_ECHO_OURS ? of_text : echo;
		}
	}
	bh_view_clear(&view);
	return echo;
}
