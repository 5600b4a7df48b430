#include "tests/unit/rule-table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t rules_bit(const struct rule_field *field, unsigned value)
{
	return UINT64_C(1) << (field->shift + value);
}

/** All bits of a field. */
static uint64_t field_mask(const struct rule_field *field)
{
	return ((UINT64_C(1) << field->count) - 1) << field->shift;
}

static struct rule_field *field_find(struct rules *rules, const char *name, size_t len)
{
	for (size_t i = 0; i < rules->field_count; i++) {
		struct rule_field *field = &rules->fields[i];

		if (strlen(field->name) == len && memcmp(field->name, name, len) == 0) {
			return field;
		}
	}
	return NULL;
}

static unsigned value_find(const struct rules *rules, const struct rule_field *field,
                           const char *word, int line)
{
	for (unsigned i = 0; i < field->count; i++) {
		if (strcmp(field->values[i], word) == 0) {
			return i;
		}
	}
	fail_msg("%s:%d: unknown value %s of %s", rules->file, line, word, field->name);
	return 0;
}

/** Let a row allow only what one of its words says. */
static void row_narrow(struct rules *rules, struct rule *row, char *word)
{
	bool is_not = word[0] == '!';
	char *name = is_not ? word + 1 : word;
	char *values = strchr(name, '=');
	struct rule_field *field =
		field_find(rules, name, values != NULL ? (size_t)(values - name) : strlen(name));
	uint64_t bits = 0;
	char *save = NULL;

	if (field == NULL || (values == NULL) != (field->values == NULL)) {
		fail_msg("%s:%d: what is %s?", rules->file, row->line, word);
		return;
	}
	if (values == NULL) {
		bits = rules_bit(field, is_not ? 0 : 1);
	} else {
		char *value = strtok_r(values + 1, "|", &save);

		for (; value != NULL; value = strtok_r(NULL, "|", &save)) {
			bits |= rules_bit(field, value_find(rules, field, value, row->line));
		}
	}
	row->allowed &= ~field_mask(field) | bits;
}

static void row_read(struct rules *rules, char *text, int line)
{
	struct rule *row = &rules->rows[rules->count++];
	char *result = strstr(text, "->");
	char *save = NULL;

	assert_true(rules->count <= RULES_MAX);
	assert_non_null(result);
	*result = '\0';
	*row = (struct rule){.line = line, .allowed = UINT64_MAX};
	for (char *w = strtok_r(text, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save)) {
		row_narrow(rules, row, w);
	}
	for (char *w = strtok_r(result + 2, " \n", &save); w != NULL;
	     w = strtok_r(NULL, " \n", &save)) {
		size_t len = strlen(row->result);

		(void)snprintf(row->result + len, sizeof(row->result) - len, "%s%s",
		               len > 0 ? " " : "", w);
	}
}

static void fields_place(struct rule_field *fields, size_t count)
{
	unsigned shift = 0;

	for (size_t i = 0; i < count; i++) {
		fields[i].count = 2;
		if (fields[i].values != NULL) {
			fields[i].count = 0;
			while (fields[i].values[fields[i].count] != NULL) {
				fields[i].count++;
			}
		}
		fields[i].shift = shift;
		shift += fields[i].count;
	}
	assert_true(shift <= 64);
}

void rules_read(struct rules *rules, const char *file, const char *section,
                struct rule_field *fields, size_t field_count)
{
	char *path = NULL;
	char *text = NULL;
	size_t size = 0;
	bool is_mine = false;
	int line = 0;
	FILE *stream;

	*rules = (struct rules){.file = file, .fields = fields, .field_count = field_count};
	fields_place(fields, field_count);
	assert_true(asprintf(&path, "%s/tests/unit/%s", getenv("BELLHOP_TEST_SRCDIR"), file) > 0);
	stream = fopen(path, "re");
	assert_non_null(stream);
	while (getline(&text, &size, stream) > 0) {
		line++;
		if (text[0] == '[') {
			text[strcspn(text, "]")] = '\0';
			is_mine = strcmp(text + 1, section) == 0;
		} else if (is_mine && text[0] != '#' && text[0] != '\n') {
			row_read(rules, text, line);
		}
	}
	assert_true(rules->count > 0);
	(void)fclose(stream); // only read
	free(text);
	free(path);
}

struct rule *rules_find(struct rules *rules, uint64_t bits)
{
	for (size_t i = 0; i < rules->count; i++) {
		if ((bits & ~rules->rows[i].allowed) == 0) {
			rules->rows[i].used++;
			return &rules->rows[i];
		}
	}
	fail_msg("%s: no row for %s", rules->file, rules_words(rules, bits));
	return NULL;
}

int rules_next(struct rules *rules, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (++rules->digits[i] < rules->fields[i].count) {
			return 1;
		}
		rules->digits[i] = 0;
	}
	return 0;
}

const char *rules_words(const struct rules *rules, uint64_t bits)
{
	static char text[600];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < rules->field_count; i++) {
		const struct rule_field *field = &rules->fields[i];

		for (unsigned v = 0; v < field->count && len < sizeof(text); v++) {
			if ((bits & rules_bit(field, v)) == 0) {
				continue;
			}
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s%s",
			                        field->values == NULL && v == 0 ? "!" : "",
			                        field->name, field->values != NULL ? "=" : "",
			                        field->values != NULL ? field->values[v] : "");
			if (len < sizeof(text)) {
				len += (size_t)snprintf(text + len, sizeof(text) - len, " ");
			}
		}
	}
	return text;
}

void rules_all_used(const struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		if (rules->rows[i].used == 0) {
			fail_msg("%s:%d: this row decides nothing", rules->file,
			         rules->rows[i].line);
		}
	}
}
