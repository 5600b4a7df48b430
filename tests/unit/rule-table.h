/** @file
 * Rules in a text file, for tests that try every combination: a row says which values some fields
 * must have and what follows; the first row that fits decides.
 *
 *     waiter !blocked attempt=none|unproved -> hand_over waiter
 *
 * A combination is a set of bits, one of each field. A field without a word for its values is a flag
 * (`waiter`, `!waiter`). A line `[name]` begins a section; `#` a remark.
 */
#ifndef BH_TESTS_RULE_TABLE_H
#define BH_TESTS_RULE_TABLE_H

#include <stddef.h>
#include <stdint.h>

/** Most rows of a section. */
#define RULES_MAX 100

/** Something that a combination is made of. */
struct rule_field {
	/** Its word. */
	const char *name;
	/** Words of its values, ended by NULL; NULL: a flag, whose values are 0 and 1. */
	const char *const *values;
	/** Filled by rules_read(): number of values, and the bit of the first. */
	unsigned count;
	unsigned shift;
};

/** A row. */
struct rule {
	/** Line in the file. */
	int line;
	/** The bits that it allows. */
	uint64_t allowed;
	/** What stands behind the arrow, single blanks between the words. */
	char result[120];
	/** How many combinations it has decided. */
	uint64_t used;
};

/** A section of a file. */
struct rules {
	const char *file;
	struct rule_field *fields;
	size_t field_count;
	struct rule rows[RULES_MAX];
	size_t count;
	/** The combinations are counted here (rules_next()). */
	unsigned digits[64];
};

/** Read a section of tests/unit/@file; a mistake in it fails the test. */
void rules_read(struct rules *rules, const char *file, const char *section,
                struct rule_field *fields, size_t field_count);

/** The bit of a value of a field. */
uint64_t rules_bit(const struct rule_field *field, unsigned value);

/** The row that decides; fails the test when there is none. */
struct rule *rules_find(struct rules *rules, uint64_t bits);

/** The next combination in digits; 0 when all were there. @count: fields that count, the first. */
int rules_next(struct rules *rules, size_t count);

/** A combination in words, for a message. Static. */
const char *rules_words(const struct rules *rules, uint64_t bits);

/** Fail the test when a row never decided: it says nothing, or another hides it. */
void rules_all_used(const struct rules *rules);

#endif
