// Rows that have left the top of a screen.
#include "src/base/buf.h"
#include "src/base/mem.h"
#include "src/server/methods.h"
#include "src/server/target.h"
#include "term/screen.h"

#include <stdlib.h>
#include <string.h>

// Rows in an answer when none are asked for, and at most.
#define ROWS_DEFAULT 200
#define ROWS_MAX 2000
// An answer takes no further row when its rows have so many bytes together: other clients wait.
#define BYTES_MAX (1 << 20)

// What is asked for: rows from @from on, or the @count rows before @to.
struct range {
	uint64_t from, to;
	bool is_from_end;
};

static cJSON *row_view(const char *ansi, bool is_wrapped)
{
	cJSON *view = cJSON_CreateObject();

	cJSON_AddStringToObject(view, "ansi", ansi);
	cJSON_AddBoolToObject(view, "wrapped", is_wrapped);
	return view;
}

// Adds the rows of @range, nearest to the side it is counted from first, until there are enough bytes.
// Gives the id of the first one.
static uint64_t add_rows(cJSON *rows, const struct bh_screen *screen, struct range range)
{
	size_t bytes = 0;

	while (range.from < range.to && bytes < BYTES_MAX) {
		uint64_t id = range.is_from_end ? --range.to : range.from++;
		size_t len = 0;
		char *ansi = bh_screen_history_ansi(screen, id, &len);
		cJSON *view = row_view(ansi, bh_screen_history_is_wrapped(screen, id));

		bytes += len;
		free(ansi);
		if (range.is_from_end) {
			cJSON_InsertItemInArray(rows, 0, view);
		} else {
			cJSON_AddItemToArray(rows, view);
		}
	}
	return range.to;
}

// The rows of the screen itself, of the same moment; blank ones at its end are left out.
static void add_screen(cJSON *result, const struct bh_screen *screen)
{
	cJSON *view = cJSON_AddObjectToObject(result, "screen");
	cJSON *rows = NULL;
	size_t len = 0;
	char *ansi = bh_screen_ansi(screen, &len);
	int row = 0;

	cJSON_AddNumberToObject(view, "count", bh_screen_rows(screen));
	rows = cJSON_AddArrayToObject(view, "rows");
	for (char *at = ansi, *end = NULL; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		cJSON_AddItemToArray(rows, row_view(at, bh_screen_is_wrapped(screen, row++)));
	}
	free(ansi);
}

static struct range range_of(uint64_t oldest, uint64_t end, int64_t first, uint64_t count)
{
	struct range range = {.from = oldest, .to = end, .is_from_end = first < 0};

	if (!range.is_from_end) {
		range.from = (uint64_t)first < oldest ? oldest
		             : (uint64_t)first > end  ? end
		                                      : (uint64_t)first;
	}
	if (range.to - range.from > count) {
		if (range.is_from_end) {
			range.from = range.to - count;
		} else {
			range.to = range.from + count;
		}
	}
	return range;
}

static cJSON *history_view(const struct bh_terminal *terminal, int64_t first, uint64_t before,
                           uint64_t count)
{
	const struct bh_screen *screen = terminal->screen;
	uint64_t oldest = bh_screen_history_first(screen);
	uint64_t end = oldest + bh_screen_history_count(screen);
	uint64_t limit = before < oldest ? oldest : before < end ? before : end;
	struct range range = range_of(oldest, limit, first, count);
	cJSON *view = cJSON_CreateObject();
	cJSON *rows = cJSON_CreateArray();
	uint64_t last = add_rows(rows, screen, range);

	cJSON_AddStringToObject(view, "terminal_id", terminal->id_text);
	cJSON_AddNumberToObject(view, "cols", bh_screen_cols(screen));
	cJSON_AddNumberToObject(view, "oldest", (double)oldest);
	cJSON_AddNumberToObject(view, "end", (double)end);
	cJSON_AddNumberToObject(view, "first", (double)(range.is_from_end ? last : range.from));
	cJSON_AddItemToObject(view, "rows", rows);
	return view;
}

void bh_method_terminal_history(struct bh_request *request)
{
	int64_t first = 0;
	int64_t before = 0;
	int64_t count = 0;
	bool has_screen = false;
	struct bh_terminal *terminal = NULL;

	if (!bh_request_number(request, "first", -1, 0, BH_REQUEST_NUMBER_MAX, &first) ||
	    !bh_request_number(request, "before", BH_REQUEST_NUMBER_MAX, 0, BH_REQUEST_NUMBER_MAX,
	                       &before) ||
	    !bh_request_number(request, "count", ROWS_DEFAULT, 0, ROWS_MAX, &count) ||
	    !bh_request_flag(request, "screen", &has_screen)) {
		return;
	}
	terminal = bh_target_find_shown(request);
	if (terminal == NULL) {
		return;
	}
	cJSON *view = history_view(terminal, first, (uint64_t)before, (uint64_t)count);

	if (has_screen) {
		add_screen(view, terminal->screen);
	}
	bh_request_answer(request, view);
}
