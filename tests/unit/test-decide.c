#include "src/wake/decide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/agent/judge.h"
#include "src/base/buf.h"

static const char *const acts[] = {"wait", "hand_over", "type", "ring", "park"};
static const char *const attempts[] = {"none", "runs", "unproved", "in_agent_queue"};
static const char *const dnds[] = {"off", "until", "endless"};
static const char *const notices[] = {"due", "out", "park_now", "parked"};

static struct bh_situation base(void)
{
	return (struct bh_situation){.is_known = true,
	                             .has_terminal = true,
	                             .can_type = true,
	                             .mode = BH_MODE_MESSAGE,
	                             .fits = true,
	                             .notice = BH_BUDGET_DUE};
}

static int index_of(const char *const *words, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(words[i], word) == 0) {
			return (int)i;
		}
	}
	fail_msg("the table has an unknown word: %s", word);
	return -1;
}
#define INDEX_OF(words, word) index_of(words, sizeof(words) / sizeof(words[0]), word)

static bool flag_set(struct bh_situation *s, const char *word)
{
	bool value = word[0] != '!';
	const char *name = value ? word : word + 1;
	const struct {
		const char *name;
		bool *flag;
	} flags[] = {
		{"known", &s->is_known},
		{"operator", &s->is_operator},
		{"update", &s->is_update_only},
		{"ui", &s->has_ui},
		{"terminal", &s->has_terminal},
		{"respawning", &s->is_respawning},
		{"waiter", &s->has_waiter},
		{"channel", &s->has_channel},
		{"handed_over", &s->is_handed_over},
		{"pushed", &s->is_pushed},
		{"can_type", &s->can_type},
		{"blocked", &s->guards.is_blocked},
		{"rate_limited", &s->guards.is_rate_limited},
		{"loop", &s->guards.is_loop},
		{"fits", &s->fits},
		{"behind_notice", &s->is_behind_notice},
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(flags[i].name, name) == 0) {
			*flags[i].flag = value;
			return true;
		}
	}
	return false;
}

static void value_set(struct bh_situation *s, char *word)
{
	char *value = strchr(word, '=');

	if (value == NULL) {
		if (!flag_set(s, word)) {
			fail_msg("the table has an unknown flag: %s", word);
		}
		return;
	}
	*value++ = '\0';
	if (strcmp(word, "gate") == 0) {
		s->gate = (enum bh_reason)bh_word_find(BH_WORDS_REASON, value);
		assert_true((int)s->gate > 0);
	} else if (strcmp(word, "mode") == 0) {
		s->mode = (enum bh_mode)bh_word_find(BH_WORDS_MODE, value);
		assert_true((int)s->mode >= 0);
	} else if (strcmp(word, "attempt") == 0) {
		s->attempt = (enum bh_attempt)INDEX_OF(attempts, value);
	} else if (strcmp(word, "dnd") == 0) {
		s->guards.dnd = (enum bh_dnd)INDEX_OF(dnds, value);
	} else if (strcmp(word, "notice") == 0) {
		s->notice = (enum bh_budget_word)INDEX_OF(notices, value);
	} else if (strcmp(word, "unknown_ms") == 0) {
		s->unknown_ms = strtoull(value, NULL, 10);
	} else {
		fail_msg("the table has an unknown key: %s", word);
	}
}

static const char *dash(const char *word)
{
	return word[0] != '\0' ? word : "-";
}

static void row_check(char *row, int number)
{
	struct bh_situation s = base();
	char *expected = strstr(row, "->");
	char got[200];
	char want[200] = "";
	char *save = NULL;
	struct bh_decision d;

	assert_non_null(expected);
	*expected = '\0';
	expected += 2;
	for (char *w = strtok_r(row, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save)) {
		value_set(&s, w);
	}
	for (char *w = strtok_r(expected, " \n", &save); w != NULL;
	     w = strtok_r(NULL, " \n", &save)) {
		strcat(strcat(want, w), " ");
	}
	d = bh_decide(&s);
	snprintf(got, sizeof(got), "%s %s %s %s %s ", acts[d.act], bh_word(BH_WORDS_PATH, d.path),
	         dash(bh_word(BH_WORDS_FATE, d.fate)), dash(bh_word(BH_WORDS_REASON, d.reason)),
	         bh_word(BH_WORDS_PROSPECT, d.seen));
	if (strcmp(got, want) != 0) {
		fail_msg("decide.table:%d: wanted %sbut got %s", number, want, got);
	}
}

static void every_row_of_the_table_holds(void **state)
{
	char *path = NULL;
	char *line = NULL;
	size_t size = 0;
	int number = 0;
	int rows = 0;
	FILE *file;

	(void)state;
	assert_true(asprintf(&path, "%s/tests/unit/decide.table", getenv("BELLHOP_TEST_SRCDIR")) >
	            0);
	file = fopen(path, "re");
	assert_non_null(file);
	while (getline(&line, &size, file) > 0) {
		number++;
		if (line[0] != '#' && line[0] != '\n') {
			row_check(line, number);
			rows++;
		}
	}
	assert_true(rows > 60);
	fclose(file);
	free(line);
	free(path);
}

/** Every combination, one index of mixed base. */
static bool situation_number(uint64_t n, struct bh_situation *s)
{
#define DIGIT(count) ((n_digit = n % (count)), n /= (count), n_digit)
	uint64_t n_digit;

	*s = (struct bh_situation){0};
	s->is_known = DIGIT(2);
	s->is_operator = DIGIT(2);
	s->has_ui = DIGIT(2);
	s->has_terminal = DIGIT(2);
	s->is_respawning = DIGIT(2);
	s->has_waiter = DIGIT(2);
	s->has_channel = DIGIT(2);
	s->is_handed_over = DIGIT(2);
	s->is_pushed = DIGIT(2);
	s->can_type = DIGIT(2);
	s->guards.is_blocked = DIGIT(2);
	s->guards.is_rate_limited = DIGIT(2);
	s->guards.is_loop = DIGIT(2);
	s->fits = DIGIT(2);
	s->is_behind_notice = DIGIT(2);
	s->mode = (enum bh_mode)DIGIT(4);
	s->guards.dnd = (enum bh_dnd)DIGIT(3);
	s->attempt = (enum bh_attempt)DIGIT(4);
	s->notice = (enum bh_budget_word)DIGIT(4);
	s->gate = (enum bh_reason[]){BH_REASON_NONE, BH_REASON_WORKING, BH_REASON_DIALOG,
	                             BH_REASON_UNKNOWN_STATE}[DIGIT(4)];
	s->unknown_ms = DIGIT(2) * 90000;
	return n == 0;
#undef DIGIT
}

/** The gate of CONTRACT.md section 5, written down a second time. */
static bool may_type(const struct bh_situation *s)
{
	return s->has_terminal && s->can_type && s->mode != BH_MODE_OFF &&
	       s->gate == BH_REASON_NONE && s->attempt == BH_ATTEMPT_NONE &&
	       s->guards.dnd == BH_DND_OFF && !s->guards.is_blocked && !s->guards.is_loop &&
	       !s->guards.is_rate_limited && !s->has_waiter && !s->has_channel &&
	       !s->is_handed_over && !s->is_pushed && !s->is_operator;
}

static void combination_check(const struct bh_situation *s, const struct bh_decision *d)
{
	bool is_notice = s->mode == BH_MODE_NOTICE || !s->fits || s->is_behind_notice;

	if (d->act == BH_ACT_TYPE || d->act == BH_ACT_RING) {
		assert_true(may_type(s));
		assert_int_equal(d->reason, BH_REASON_NONE);
		assert_int_equal(d->act == BH_ACT_RING, is_notice);
	} else if (may_type(s) && (!is_notice || s->notice == BH_BUDGET_DUE)) {
		fail_msg("an open gate was not used");
	}
	if (d->act == BH_ACT_RING) {
		assert_int_equal(s->notice, BH_BUDGET_DUE);
	}
	if (d->act == BH_ACT_HAND_OVER) {
		assert_true(s->has_waiter || s->has_channel);
		assert_false(s->is_handed_over || s->is_pushed); // one owner
		assert_int_not_equal(s->attempt, BH_ATTEMPT_RUNS);
	}
	// The cases of CONTRACT.md section 3.
	assert_int_not_equal(d->seen, BH_PROSPECT_ALREADY);
	switch (d->path) {
	case BH_PATH_CHANNEL:
		assert_int_equal(d->fate, BH_FATE_NONE);
		assert_true(d->seen == BH_PROSPECT_WHEN_FREE || s->guards.dnd == BH_DND_ENDLESS);
		assert_true(d->reason == BH_REASON_NONE || d->act == BH_ACT_WAIT);
		break;
	case BH_PATH_WAITER:
		assert_int_equal(d->fate, BH_FATE_NONE);
		assert_int_equal(d->seen, BH_PROSPECT_WHEN_FREE);
		break;
	case BH_PATH_TERMINAL:
		assert_int_equal(d->fate, BH_FATE_QUEUED);
		assert_int_not_equal(d->seen, BH_PROSPECT_ONLY_IF_IT_LOOKS);
		break;
	case BH_PATH_NOTICE:
		assert_true(d->fate == BH_FATE_QUEUED || d->fate == BH_FATE_JOINED);
		assert_int_not_equal(d->seen, BH_PROSPECT_ONLY_IF_IT_LOOKS);
		break;
	case BH_PATH_INBOX_ONLY:
		assert_true(d->fate == BH_FATE_UNAVAILABLE || d->fate == BH_FATE_PARKED);
		assert_true(d->seen == BH_PROSPECT_ONLY_IF_IT_LOOKS ||
		            (s->is_operator && s->has_ui));
		assert_int_not_equal(d->reason, BH_REASON_NONE);
		break;
	case BH_PATH_ROOM: // of answers only
	case BH_PATH_COUNT:
		fail();
	}
}

static void every_combination_keeps_the_promises(void **state)
{
	struct bh_situation s;
	struct bh_decision d;
	uint64_t n = 0;

	(void)state;
	while (situation_number(n, &s)) {
		d = bh_decide(&s);
		combination_check(&s, &d);
		n++;
	}
	assert_true(n > 10000000);
}

static void the_gate_wants_every_part_of_the_verdict(void **state)
{
	struct bh_verdict verdict = {
		.state = BH_STATE_IDLE, .is_typable = true, .composer = BH_COMPOSER_EMPTY};

	(void)state;
	assert_int_equal(bh_decide_gate(&verdict, true, false), BH_REASON_NONE);
	assert_int_equal(bh_decide_gate(&verdict, false, false), BH_REASON_UNKNOWN_STATE);
	assert_int_equal(bh_decide_gate(&verdict, true, true), BH_REASON_UNKNOWN_STATE);
	verdict.has_dialog = true;
	assert_int_equal(bh_decide_gate(&verdict, true, false), BH_REASON_UNKNOWN_STATE);
	verdict.has_dialog = false;
	verdict.composer = BH_COMPOSER_DRAFT;
	assert_int_equal(bh_decide_gate(&verdict, true, false), BH_REASON_UNKNOWN_STATE);
	verdict.composer = BH_COMPOSER_EMPTY;
	for (int i = 0; i < 7; i++) {
		verdict.state = (enum bh_state)i;
		assert_int_equal(bh_decide_gate(&verdict, true, false) == BH_REASON_NONE,
		                 i == BH_STATE_IDLE || i == BH_STATE_COMPLETED);
	}
}

static void a_closed_verdict_gives_its_reason(void **state)
{
	struct bh_verdict verdict = {.state = BH_STATE_IDLE, .composer = BH_COMPOSER_EMPTY};

	(void)state;
	verdict.reason = "draft";
	assert_int_equal(bh_decide_gate(&verdict, true, false), BH_REASON_DRAFT);
	verdict.reason = "no such word";
	assert_int_equal(bh_decide_gate(&verdict, true, false), BH_REASON_UNKNOWN_STATE);
	verdict.reason = NULL;
	assert_int_equal(bh_decide_gate(&verdict, true, false), BH_REASON_UNKNOWN_STATE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_of_the_table_holds),
		cmocka_unit_test(every_combination_keeps_the_promises),
		cmocka_unit_test(the_gate_wants_every_part_of_the_verdict),
		cmocka_unit_test(a_closed_verdict_gives_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
