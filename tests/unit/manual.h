/** @file
 * Parts of the manual that are made from a table: they stand between the lines `.\" begin PART` and
 * `.\" end PART` and must be what the test makes of the table.
 *
 * With BELLHOP_TEST_UPDATE in the environment the part is written anew instead of compared:
 *
 *     BELLHOP_TEST_UPDATE=1 BELLHOP_TEST_SRCDIR=.. tests/unit/test-keytable
 */
#ifndef TESTS_UNIT_MANUAL_H
#define TESTS_UNIT_MANUAL_H

#include "src/base/buf.h"

/** Compare (or write) a part of doc/@page. */
void manual_part_is(const char *page, const char *part, const char *text);

/** Append @text as mdoc text: one sentence a line, signs that mean something there escaped. */
void manual_add_text(struct bh_buf *out, const char *text);

/** Append a word that is an argument of a macro, such as a key. */
void manual_add_word(struct bh_buf *out, const char *word);

#endif
