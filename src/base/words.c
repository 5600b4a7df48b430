#include "src/base/words.h"

#include <string.h>

/** One plain word. */
struct entry {
	const char *word;
	const char *meaning;
};

/** The clauses of a reason. */
struct clauses {
	enum bh_prospect seen;
	const char *cause;
	const char *until;
	const char *way_out;
};

#define ENTRY(name, text, what) {text, what},
#define ENTRY_REASON(name, text, seen, cause, until, way_out) {text, cause},
#define ENTRY_FAULT(name, text, code, what) {text, what},

static const struct entry states[] = {BH_STATE_LIST(ENTRY)};
static const struct entry last_turns[] = {BH_LAST_TURN_LIST(ENTRY)};
static const struct entry paths[] = {BH_PATH_LIST(ENTRY)};
static const struct entry fates[] = {BH_FATE_LIST(ENTRY)};
static const struct entry prospects[] = {BH_PROSPECT_LIST(ENTRY)};
static const struct entry reasons[] = {BH_REASON_LIST(ENTRY_REASON)};
static const struct entry steps[] = {BH_STEP_LIST(ENTRY)};
static const struct entry modes[] = {BH_MODE_LIST(ENTRY)};
static const struct entry tiers[] = {BH_TIER_LIST(ENTRY)};
static const struct entry faults[] = {BH_FAULT_LIST(ENTRY_FAULT)};

static const struct {
	const struct entry *entries;
	int count;
} vocabularies[BH_WORDS_COUNT] = {
	[BH_WORDS_STATE] = {states, sizeof(states) / sizeof(states[0])},
	[BH_WORDS_LAST_TURN] = {last_turns, sizeof(last_turns) / sizeof(last_turns[0])},
	[BH_WORDS_PATH] = {paths, BH_PATH_COUNT},
	[BH_WORDS_FATE] = {fates, BH_FATE_COUNT},
	[BH_WORDS_PROSPECT] = {prospects, BH_PROSPECT_COUNT},
	[BH_WORDS_REASON] = {reasons, BH_REASON_COUNT},
	[BH_WORDS_STEP] = {steps, BH_STEP_COUNT},
	[BH_WORDS_MODE] = {modes, sizeof(modes) / sizeof(modes[0])},
	[BH_WORDS_TIER] = {tiers, BH_TIER_COUNT},
	[BH_WORDS_FAULT] = {faults, BH_FAULT_COUNT},
};

#define CLAUSES(name, text, seen, cause, until, way_out) \
	{BH_PROSPECT_##seen, cause, until, way_out},
static const struct clauses clauses[BH_REASON_COUNT] = {BH_REASON_LIST(CLAUSES)};

// The clauses for mail to the operator, whatever the reason.
static const struct clauses person = {
	.seen = BH_PROSPECT_ONLY_IF_IT_LOOKS,
	.cause = "{to} is a person, who reads mail by looking",
	.until = "when a person looks",
	.way_out = "go on without it, or ask again in your own terminal",
};

/** The clauses that fill a sentence. */
static const struct clauses *sentence_clauses(const struct bh_sentence *what)
{
	return what->is_person ? &person : &clauses[what->reason];
}

#define TEMPLATE(name, text) [BH_NEXT_##name] = (text),
static const char *const nexts[BH_NEXT_COUNT] = {BH_NEXT_LIST(TEMPLATE)};

#define WARNING(name, text) [BH_PROSPECT_##name] = (text),
static const char *const warnings[BH_PROSPECT_COUNT] = {BH_WARNING_LIST(WARNING)};

#define CODE(name, text, code, what) code,
static const int fault_codes[BH_FAULT_COUNT] = {BH_FAULT_LIST(CODE)};

const char *bh_word(enum bh_vocabulary list, int value)
{
	if (value < 0 || value >= vocabularies[list].count) {
		return "";
	}
	return vocabularies[list].entries[value].word;
}

const char *bh_word_meaning(enum bh_vocabulary list, int value)
{
	if (value < 0 || value >= vocabularies[list].count) {
		return "";
	}
	return vocabularies[list].entries[value].meaning;
}

int bh_word_find(enum bh_vocabulary list, const char *word)
{
	if (word == NULL || word[0] == '\0') {
		return -1;
	}
	for (int i = 0; i < vocabularies[list].count; i++) {
		if (strcmp(vocabularies[list].entries[i].word, word) == 0) {
			return i;
		}
	}
	return -1;
}

int bh_word_count(enum bh_vocabulary list)
{
	return vocabularies[list].count;
}

enum bh_prospect bh_reason_prospect(enum bh_reason reason)
{
	return clauses[reason].seen;
}

int bh_fault_code(enum bh_fault fault)
{
	return fault_codes[fault];
}

#define EXIT_CASE(name, code, meaning) \
	case code: \
		return meaning;

const char *bh_exit_meaning(int code)
{
	switch (code) {
		BH_EXIT_LIST(EXIT_CASE)
	default:
		return NULL;
	}
}

/** The text for the placeholder of @len bytes at @name; NULL if there is no such placeholder. */
static const char *placeholder_text(const char *name, size_t len, const struct bh_sentence *what)
{
	const struct clauses *reason = sentence_clauses(what);
	const struct {
		const char *name;
		const char *text;
	} known[] = {
		{"to", what->to},         {"act", what->act},           {"cause", reason->cause},
		{"until", reason->until}, {"way_out", reason->way_out}, {"detail", what->detail},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strlen(known[i].name) == len && memcmp(known[i].name, name, len) == 0) {
			return known[i].text != NULL ? known[i].text : "";
		}
	}
	return NULL;
}

/** Append @text with its placeholders filled. Clauses hold placeholders too; names do not, so a
 * name that looks like one is not expanded again. */
static void sentence_fill(struct bh_buf *out, const char *text, const struct bh_sentence *what,
                          int depth)
{
	while (*text != '\0') {
		size_t plain = strcspn(text, "{");
		const char *end = text[plain] == '{' ? strchr(text + plain, '}') : NULL;
		const char *value = NULL;

		bh_buf_append(out, text, plain);
		text += plain;
		if (end != NULL) {
			value = placeholder_text(text + 1, (size_t)(end - text - 1), what);
		}
		if (value == NULL && *text != '\0') {
			bh_buf_append(out, text++, 1);
			continue;
		}
		if (value != NULL) {
			bool is_clause =
				value != what->to && value != what->act && value != what->detail;

			if (is_clause && depth > 0) {
				sentence_fill(out, value, what, depth - 1);
			} else {
				bh_buf_puts(out, value);
			}
			text = end + 1;
		}
	}
}

/** A sentence begins with a capital; a name at its beginning keeps its own form. */
static void sentence_write(struct bh_buf *out, const char *text, const struct bh_sentence *what)
{
	size_t start = out->len;
	bool is_name = strncmp(text, "{to}", 4) == 0 ||
	               (strncmp(text, "{cause}", 7) == 0 &&
	                strncmp(sentence_clauses(what)->cause, "{to}", 4) == 0);

	sentence_fill(out, text, what, 1);
	if (!is_name && out->len > start && out->data[start] >= 'a' && out->data[start] <= 'z' &&
	    strncmp(out->data + start, "bellhop", 7) != 0) {
		out->data[start] = (char)(out->data[start] - 'a' + 'A');
	}
}

void bh_words_next(struct bh_buf *out, enum bh_next which, const struct bh_sentence *what)
{
	sentence_write(out, nexts[which], what);
}

bool bh_words_warning(struct bh_buf *out, enum bh_prospect seen, const struct bh_sentence *what)
{
	if (warnings[seen] == NULL) {
		return false;
	}
	sentence_write(out, warnings[seen], what);
	return true;
}
