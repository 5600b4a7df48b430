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

/** Numbers that a paste placeholder may tell of the text: lines behind the first, characters. */
static bool placeholder_fits(const char *placeholder, size_t len, const char *text)
{
	size_t lines = 0;
	size_t characters = 0;
	size_t bytes = strlen(text);
	const char *sign = memchr(placeholder, '+', len);
	const char *chars = memmem(placeholder, len, " chars", 6);

	for (const char *at = text; *at; at++) {
		lines += *at == '\n' ? 1 : 0;
		characters += ((unsigned char)*at & 0xC0) != 0x80 ? 1 : 0;
	}
	if (sign) {
		return strtoul(sign + 1, NULL, 10) == lines;
	}
	if (chars) {
		size_t told;

		while (chars > placeholder && isdigit((unsigned char)chars[-1])) {
			chars--;
		}
		told = strtoul(chars, NULL, 10);
		return told == characters || told == bytes;
	}
	return true; // it tells no size
}

/** Whether the composer holds one paste placeholder and nothing else; whether it fits. */
static enum bh_echo echo_of_placeholder(const struct bh_profile *profile, const char *shown,
                                        size_t len, const char *text)
{
	size_t start;
	size_t end;

	if (!profile->composer.paste ||
	    bh_pattern_find(profile->composer.paste, shown, len, &start, &end) != BH_MATCH_YES) {
		return BH_ECHO_NONE;
	}
	if (!placeholder_fits(shown + start, end - start, text)) {
		return BH_ECHO_OTHER;
	}
	while (start > 0 && isspace((unsigned char)shown[start - 1])) {
		start--;
	}
	while (end < len && isspace((unsigned char)shown[end])) {
		end++;
	}
	return start == 0 && end == len ? BH_ECHO_OURS : BH_ECHO_MIXED;
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
		if (echo == BH_ECHO_NONE) {
			echo = echo_compare(view.text + start, len, mail);
		}
	}
	bh_view_clear(&view);
	return echo;
}
