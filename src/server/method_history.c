// Rows that have left the top of a screen.
#include "src/base/buf.h"
#include "src/base/mem.h"
#include "src/server/methods.h"
#include "src/server/target.h"
#include "term/screen.h"

#include <stdlib.h>

// Rows in an answer when none are asked for, and at most.
#define ROWS_DEFAULT 200
#define ROWS_MAX 2000

static cJSON *row_view(const struct bh_screen *screen, uint64_t id)
{
	size_t len = 0;
	char *ansi = bh_screen_history_ansi(screen, id, &len);
	cJSON *view = cJSON_CreateObject();

	cJSON_AddStringToObject(view, "ansi", ansi);
	cJSON_AddBoolToObject(view, "wrapped", bh_screen_history_is_wrapped(screen, id));
	free(ansi);
	return view;
}

void bh_method_terminal_history(struct bh_request *request)
{
	int64_t first = 0;
	int64_t count = 0;
	struct bh_terminal *terminal = NULL;

	if (!bh_request_number(request, "first", -1, 0, BH_REQUEST_NUMBER_MAX, &first) ||
	    !bh_request_number(request, "count", ROWS_DEFAULT, 0, ROWS_MAX, &count)) {
		return;
	}
	terminal = bh_target_find(request);
	if (terminal == NULL) {
		return;
	}
	if (terminal->screen == NULL) {
		bh_request_fail(request, "busy", "%s is being started; try again",
		                terminal->identity);
		return;
	}
	const struct bh_screen *screen = terminal->screen;
	uint64_t oldest = bh_screen_history_first(screen);
	uint64_t end = oldest + bh_screen_history_count(screen);
	uint64_t from = first >= 0 ? (uint64_t)first : 0;

	if (first < 0 && end - oldest > (uint64_t)count) {
		from = end - (uint64_t)count;
	}
	from = from < oldest ? oldest : from > end ? end : from;
	cJSON *result = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "terminal_id", terminal->id_text);
	cJSON_AddNumberToObject(result, "cols", bh_screen_cols(screen));
	cJSON_AddNumberToObject(result, "oldest", (double)oldest);
	cJSON_AddNumberToObject(result, "end", (double)end);
	cJSON_AddNumberToObject(result, "first", (double)from);
	cJSON *rows = cJSON_AddArrayToObject(result, "rows");

	for (uint64_t id = from; id < end && id - from < (uint64_t)count; id++) {
		cJSON_AddItemToArray(rows, row_view(screen, id));
	}
	bh_request_answer(request, result);
}
