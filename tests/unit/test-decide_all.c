// Every combination of all that a decision depends on, against the rows that were written by hand
// from doc/CONTRACT.md: decide.rules for bh_decide(), gate.rules for the gate of the terminal, which
// is one of the things that bh_decide() depends on.
#include "src/wake/decide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/agent/fuse.h"
#include "tests/unit/rule-table.h"

static const char *const mode_words[] = {"default", "message", "notice", "off", NULL};
static const char *const dnd_words[] = {"off", "until", "endless", NULL};
static const char *const attempt_words[] = {"none", "runs", "unproved", "in_agent_queue", NULL};
static const char *const notice_words[] = {"due", "out", "park_now", "parked", NULL};
static const char *const way_words[] = {"text", "notice", NULL};
static const char *const act_words[] = {"wait", "hand_over", "type", "ring", "park"};
// In the order of reasons[] below.
static const char *const gate_words[] = {
	"open",      "starting",       "working", "awaiting", "unknown_state", "unknown_for_long",
	"line_mode", "not_foreground", "dialog",  "draft",    "human_typing",  NULL};

// ---- bh_decide() ----

enum field {
	KNOWN,
	OPERATOR,
	UI,
	TERMINAL,
	RESPAWNING,
	WAITER,
	CHANNEL,
	UPDATE,
	HANDED_OVER,
	PUSHED,
	CAN_TYPE,
	BLOCKED,
	RATE_LIMITED,
	LOOP,
	FITS,
	BEHIND_NOTICE,
	MODE,
	DND,
	ATTEMPT,
	NOTICE,
	GATE,
	/** Follows from the others. */
	WAY,
	FIELDS,
};

static struct rule_field fields[FIELDS] = {
	[KNOWN] = {.name = "known"},
	[OPERATOR] = {.name = "operator"},
	[UI] = {.name = "ui"},
	[TERMINAL] = {.name = "terminal"},
	[RESPAWNING] = {.name = "respawning"},
	[WAITER] = {.name = "waiter"},
	[CHANNEL] = {.name = "channel"},
	[UPDATE] = {.name = "update"},
	[HANDED_OVER] = {.name = "handed_over"},
	[PUSHED] = {.name = "pushed"},
	[CAN_TYPE] = {.name = "can_type"},
	[BLOCKED] = {.name = "blocked"},
	[RATE_LIMITED] = {.name = "rate_limited"},
	[LOOP] = {.name = "loop"},
	[FITS] = {.name = "fits"},
	[BEHIND_NOTICE] = {.name = "behind_notice"},
	[MODE] = {.name = "mode", .values = mode_words},
	[DND] = {.name = "dnd", .values = dnd_words},
	[ATTEMPT] = {.name = "attempt", .values = attempt_words},
	[NOTICE] = {.name = "notice", .values = notice_words},
	[GATE] = {.name = "gate", .values = gate_words},
	[WAY] = {.name = "way", .values = way_words},
};

/** The index of a word in a list without an end mark. */
static int word_index(const char *const *words, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(words[i], word) == 0) {
			return (int)i;
		}
	}
	fail_msg("the rules have an unknown word: %s", word);
	return -1;
}

/** The value of a word of the contract; "-" is none. */
static int word_value(enum bh_vocabulary list, const char *word)
{
	int value = strcmp(word, "-") == 0 ? 0 : bh_word_find(list, word);

	if (value < 0) {
		fail_msg("the rules have an unknown word: %s", word);
	}
	return value;
}

/** A row's decision; a path `way` is that of @is_notice. */
static struct bh_decision row_decision(const char *result, bool is_notice)
{
	char words[5][32];
	const char *path = words[1];

	assert_int_equal(sscanf(result, "%31s %31s %31s %31s %31s", words[0], words[1], words[2],
	                        words[3], words[4]),
	                 5);
	if (strcmp(path, "way") == 0) {
		path = is_notice ? "notice" : "terminal";
	}
	return (struct bh_decision){
		.act = (enum bh_act)word_index(act_words, sizeof(act_words) / sizeof(act_words[0]),
	                                       words[0]),
		.path = (enum bh_path)word_value(BH_WORDS_PATH, path),
		.fate = (enum bh_fate)word_value(BH_WORDS_FATE, words[2]),
		.reason = (enum bh_reason)word_value(BH_WORDS_REASON, words[3]),
		.seen = (enum bh_prospect)word_value(BH_WORDS_PROSPECT, words[4]),
	};
}

/** Close the gate. */
static void situation_close(struct bh_situation *situation, unsigned gate)
{
	static const enum bh_reason reasons[] = {
		BH_REASON_NONE,      BH_REASON_STARTING,       BH_REASON_WORKING,
		BH_REASON_AWAITING,  BH_REASON_UNKNOWN_STATE,  BH_REASON_UNKNOWN_STATE,
		BH_REASON_LINE_MODE, BH_REASON_NOT_FOREGROUND, BH_REASON_DIALOG,
		BH_REASON_DRAFT,     BH_REASON_HUMAN_TYPING,
	};
	enum {
		UNKNOWN_FOR_LONG = 5
	};

	situation->gate = reasons[gate];
	situation->unknown_ms = BH_DECIDE_UNKNOWN_MS + (gate == UNKNOWN_FOR_LONG);
}

static struct bh_situation situation_of(const unsigned *digits)
{
	return (struct bh_situation){
		.is_known = digits[KNOWN],
		.is_operator = digits[OPERATOR],
		.has_ui = digits[UI],
		.has_terminal = digits[TERMINAL],
		.is_respawning = digits[RESPAWNING],
		.has_waiter = digits[WAITER],
		.has_channel = digits[CHANNEL],
		.is_update_only = digits[UPDATE],
		.is_handed_over = digits[HANDED_OVER],
		.is_pushed = digits[PUSHED],
		.can_type = digits[CAN_TYPE],
		.guards = {.dnd = (enum bh_dnd)digits[DND],
	                   .is_blocked = digits[BLOCKED],
	                   .is_rate_limited = digits[RATE_LIMITED],
	                   .is_loop = digits[LOOP]},
		.fits = digits[FITS],
		.is_behind_notice = digits[BEHIND_NOTICE],
		.mode = (enum bh_mode)digits[MODE],
		.attempt = (enum bh_attempt)digits[ATTEMPT],
		.notice = (enum bh_budget_word)digits[NOTICE],
	};
}

static uint64_t bits_of(const struct rules *rules, size_t count)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < count; i++) {
		bits |= rules_bit(&rules->fields[i], rules->digits[i]);
	}
	return bits;
}

static void decision_compare(const struct rules *rules, const struct rule *row, uint64_t bits,
                             const struct bh_decision *got, const struct bh_decision *want)
{
	if (got->act == want->act && got->path == want->path && got->fate == want->fate &&
	    got->reason == want->reason && got->seen == want->seen) {
		return;
	}
	fail_msg("%s:%d wants \"%s\"\nbut got %s %s %s %s %s\nfor %s", rules->file, row->line,
	         row->result, act_words[got->act], bh_word(BH_WORDS_PATH, (int)got->path),
	         bh_word(BH_WORDS_FATE, (int)got->fate), bh_word(BH_WORDS_REASON, (int)got->reason),
	         bh_word(BH_WORDS_PROSPECT, (int)got->seen), rules_words(rules, bits));
}

static void every_combination_is_decided_by_the_contract(void **state)
{
	static struct rules rules;
	static struct bh_decision wanted[RULES_MAX][2];

	(void)state;
	rules_read(&rules, "decide.rules", "decide", fields, FIELDS);
	for (size_t i = 0; i < rules.count; i++) {
		wanted[i][false] = row_decision(rules.rows[i].result, false);
		wanted[i][true] = row_decision(rules.rows[i].result, true);
	}
	do {
		struct bh_situation situation = situation_of(rules.digits);
		bool is_notice = situation.mode == BH_MODE_NOTICE || !situation.fits ||
		                 situation.is_behind_notice;
		uint64_t base = bits_of(&rules, GATE) | rules_bit(&fields[WAY], is_notice);

		// The gate by hand: the loop runs a hundred million times.
		for (unsigned gate = 0; gate < fields[GATE].count; gate++) {
			uint64_t bits = base | rules_bit(&fields[GATE], gate);
			struct rule *row = rules_find(&rules, bits);
			struct bh_decision got;

			situation_close(&situation, gate);
			got = bh_decide(&situation);
			decision_compare(&rules, row, bits, &got,
			                 &wanted[row - rules.rows][is_notice]);
		}
	} while (rules_next(&rules, GATE));
	rules_all_used(&rules);
}

// ---- the gate of the terminal ----

static const char *const composer_words[] = {"unknown", "none", "empty", "draft", NULL};
static const char *const state_words[] = {"unknown",  "starting",  "idle",   "working",
                                          "awaiting", "completed", "exited", NULL};

enum gate_field {
	AWAITING,
	WORKING,
	DIALOG,
	STARTING,
	VETO,
	EXITED,
	MAY_TYPE,
	KNOWS_IDLE,
	WAS_READY,
	SILENT,
	DONE,
	HOLD,
	LINE_MODE,
	NOT_FOREGROUND,
	PENDING,
	HANDS,
	COMPOSER,
	BEFORE,
	/** Known only when it is typed; what follows does not change the verdict. */
	PASTE,
	UNREAD,
	/** Follows from the others. */
	STATE,
	GATE_FIELDS,
};

static struct rule_field gate_fields[GATE_FIELDS] = {
	[AWAITING] = {.name = "awaiting"},
	[WORKING] = {.name = "working"},
	[DIALOG] = {.name = "dialog"},
	[STARTING] = {.name = "starting"},
	[VETO] = {.name = "veto"},
	[EXITED] = {.name = "exited"},
	[MAY_TYPE] = {.name = "may_type"},
	[KNOWS_IDLE] = {.name = "knows_idle"},
	[WAS_READY] = {.name = "was_ready"},
	[SILENT] = {.name = "silent"},
	[DONE] = {.name = "done"},
	[HOLD] = {.name = "hold"},
	[LINE_MODE] = {.name = "line_mode"},
	[NOT_FOREGROUND] = {.name = "not_foreground"},
	[PENDING] = {.name = "pending"},
	[HANDS] = {.name = "hands"},
	[COMPOSER] = {.name = "composer", .values = composer_words},
	[BEFORE] = {.name = "before", .values = state_words},
	[PASTE] = {.name = "paste"},
	[UNREAD] = {.name = "unread"},
	[STATE] = {.name = "state", .values = state_words},
};

/** A piece of evidence if its digit is set. */
static void case_mark(struct bh_case *facts, bool is_there, enum bh_source source,
                      enum bh_mark says, enum bh_gate gate)
{
	if (is_there) {
		bh_case_add(facts, source, says, "test", NULL)->gate = gate;
	}
}

static void case_of(const unsigned *digits, struct bh_case *facts)
{
	const struct {
		enum gate_field field;
		enum bh_source source;
		enum bh_mark says;
		enum bh_gate gate;
	} witnesses[] = {
		{AWAITING, BH_SOURCE_SCREEN, BH_MARK_AWAITING, BH_GATE_NONE},
		{WORKING, BH_SOURCE_PROGRAM, BH_MARK_WORKING, BH_GATE_NONE},
		{DIALOG, BH_SOURCE_SCREEN, BH_MARK_DIALOG, BH_GATE_NONE},
		{STARTING, BH_SOURCE_SCREEN, BH_MARK_STARTING, BH_GATE_NONE},
		{VETO, BH_SOURCE_PROTOCOL, BH_MARK_VETO, BH_GATE_NONE},
		{HOLD, BH_SOURCE_TIME, BH_MARK_NONE, BH_GATE_HOLD},
		{LINE_MODE, BH_SOURCE_KERNEL, BH_MARK_NONE, BH_GATE_LINE_MODE},
		{NOT_FOREGROUND, BH_SOURCE_KERNEL, BH_MARK_NONE, BH_GATE_NOT_FOREGROUND},
		{PENDING, BH_SOURCE_TIME, BH_MARK_NONE, BH_GATE_DRAFT},
		{HANDS, BH_SOURCE_TIME, BH_MARK_NONE, BH_GATE_HANDS},
	};

	// Not the whole list of evidence: it is large, and the loop runs a million times.
	facts->count = 0;
	facts->composer = (enum bh_composer)digits[COMPOSER];
	facts->before = (enum bh_state)digits[BEFORE];
	facts->now_ms = 100000;
	facts->silent_since_ms = digits[SILENT] ? facts->now_ms - BH_FUSE_SILENCE_MS
	                                        : facts->now_ms - BH_FUSE_SILENCE_MS + 1;
	facts->was_ready = digits[WAS_READY];
	facts->has_exited = digits[EXITED];
	facts->may_type = digits[MAY_TYPE];
	facts->knows_idle = digits[KNOWS_IDLE];
	facts->last_turn = digits[DONE] ? BH_TURN_DONE : BH_TURN_NONE;
	// The composer speaks for idle, whatever else is seen: it must not win by that.
	case_mark(facts, true, BH_SOURCE_PROGRAM, BH_MARK_IDLE, BH_GATE_NONE);
	for (size_t i = 0; i < sizeof(witnesses) / sizeof(witnesses[0]); i++) {
		case_mark(facts, digits[witnesses[i].field], witnesses[i].source, witnesses[i].says,
		          witnesses[i].gate);
	}
}

/** The state that the rules want, `before` resolved. */
static unsigned state_wanted(const struct rule *row, const unsigned *digits)
{
	enum bh_state state;

	if (strcmp(row->result, "before") == 0) {
		return digits[BEFORE];
	}
	assert_true(bh_state_parse(row->result, &state));
	return (unsigned)state;
}

static void gate_compare(struct rules *gates, uint64_t bits, const struct bh_verdict *verdict,
                         const unsigned *digits)
{
	enum bh_reason got = bh_decide_gate(verdict, digits[PASTE], digits[UNREAD]);
	const struct rule *row = rules_find(gates, bits);
	const char *word = got == BH_REASON_NONE ? "-" : bh_word(BH_WORDS_REASON, (int)got);

	if (strcmp(word, row->result) != 0) {
		fail_msg("%s:%d wants %s but got %s for %s", gates->file, row->line, row->result,
		         word, rules_words(gates, bits));
	}
}

static void every_combination_closes_the_gate_by_the_contract(void **state)
{
	static struct rules states;
	static struct rules gates;
	static struct bh_case facts;
	static struct bh_verdict verdict;

	(void)state;
	rules_read(&states, "gate.rules", "state", gate_fields, GATE_FIELDS);
	rules_read(&gates, "gate.rules", "gate", gate_fields, GATE_FIELDS);
	do {
		unsigned *digits = states.digits;
		uint64_t bits = bits_of(&states, PASTE);
		const struct rule *row = rules_find(&states, bits);
		unsigned wanted = state_wanted(row, digits);

		if (digits[BEFORE] == BH_STATE_EXITED) {
			continue; // no program comes back in the same terminal
		}
		case_of(digits, &facts);
		bh_fuse(&facts, &verdict);
		if ((unsigned)verdict.state != wanted) {
			fail_msg("%s:%d wants %s but got %s for %s", states.file, row->line,
			         state_words[wanted], state_words[verdict.state],
			         rules_words(&states, bits));
		}
		bits |= rules_bit(&gate_fields[STATE], wanted);
		for (unsigned i = 0; i < 4; i++) {
			digits[PASTE] = i & 1;
			digits[UNREAD] = i >> 1;
			gate_compare(&gates,
			             bits | rules_bit(&gate_fields[PASTE], digits[PASTE]) |
			                     rules_bit(&gate_fields[UNREAD], digits[UNREAD]),
			             &verdict, digits);
		}
	} while (rules_next(&states, PASTE));
	rules_all_used(&states);
	rules_all_used(&gates);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_combination_is_decided_by_the_contract),
		cmocka_unit_test(every_combination_closes_the_gate_by_the_contract),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
