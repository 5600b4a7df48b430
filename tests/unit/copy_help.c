#include "tests/unit/copy_help.h"

#include "src/base/buf.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Add the rows of @text to @array. */
static void add_rows(cJSON *array, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "|");
		bool is_wrapped = len > 0 && text[len - 1] == '\\';
		char *row = bh_xmemdup(text, is_wrapped ? len - 1 : len);
		cJSON *item = cJSON_CreateObject();

		cJSON_AddStringToObject(item, "ansi", row);
		cJSON_AddBoolToObject(item, "wrapped", is_wrapped);
		cJSON_AddItemToArray(array, item);
		free(row);
		text += len + (text[len] == '|' ? 1 : 0);
	}
}

cJSON *copy_answer(int64_t oldest, int64_t first, const char *rows, int64_t end)
{
	cJSON *answer = cJSON_CreateObject();
	cJSON *array = cJSON_AddArrayToObject(answer, "rows");

	add_rows(array, rows);
	cJSON_AddNumberToObject(answer, "oldest", (double)oldest);
	cJSON_AddNumberToObject(answer, "first", (double)first);
	cJSON_AddNumberToObject(answer, "end", (double)end);
	return answer;
}

cJSON *copy_first_answer(int64_t oldest, int64_t first, const char *rows, int cols,
                         const char *screen_rows)
{
	cJSON *answer = copy_answer(oldest, first, rows, 0);
	int64_t end = first + cJSON_GetArraySize(cJSON_GetObjectItem(answer, "rows"));
	cJSON *screen = cJSON_AddObjectToObject(answer, "screen");
	cJSON *array = cJSON_AddArrayToObject(screen, "rows");

	add_rows(array, screen_rows);
	cJSON_AddNumberToObject(screen, "count", cJSON_GetArraySize(array));
	cJSON_AddNumberToObject(answer, "cols", cols);
	cJSON_ReplaceItemInObject(answer, "end", cJSON_CreateNumber((double)end));
	return answer;
}

struct bh_linecache *copy_cache(const char *history, const char *screen, int cols)
{
	struct bh_linecache *cache = bh_linecache_new();
	cJSON *answer = copy_first_answer(0, 0, history, cols, screen);
	int shift = 0;

	assert_true(bh_linecache_take(cache, answer, &shift));
	cJSON_Delete(answer);
	return cache;
}

void copy_expect_rows(const struct bh_linecache *cache, const char *rows)
{
	struct bh_buf text = {0};

	for (int64_t row = bh_linecache_first(cache); row < bh_linecache_end(cache); row++) {
		struct bh_span span = bh_linecache_text(cache, row);

		bh_buf_puts(&text, text.len > 0 ? "|" : "");
		bh_buf_append(&text, span.data, span.len);
		bh_buf_puts(&text, bh_linecache_is_wrapped(cache, row) ? "\\" : "");
	}
	assert_string_equal(text.data, rows);
	bh_buf_clear(&text);
}
