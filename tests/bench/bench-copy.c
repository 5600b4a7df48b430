/**
 * What the steps of copy mode cost over 100,000 rows of history: the longest of several, on one
 * processor, with everything that the UI does for a step but the terminal's own time. Prints one
 * figure per line: name, number, unit. None may be 50 ms or more.
 */
#include "src/base/clock.h"
#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/ui/copymode.h"
#include "src/ui/keytable.h"
#include "term/screen.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HISTORY = 100000,
	COLS = 120,
	ROWS = 40,
	ROUNDS = 3,
};

/** A terminal, a reader of it, and what they took. */
struct bench {
	struct bh_screen *screen;
	struct bh_layer_host host;
	struct bh_layer *layer;
	struct bh_draw *draw;
	/** The request that has no answer yet. */
	cJSON *asked;
	size_t yanked;
	/** The longest part of the server's and of the client's in an answer (ns). */
	uint64_t server_ns, client_ns;
};

static bool host_request(void *user, const char *method, cJSON *params)
{
	struct bench *bench = user;

	(void)method;
	cJSON_Delete(bench->asked);
	bench->asked = params;
	return true;
}

static void host_say(void *user, const char *text)
{
	(void)user;
	(void)text;
}

static void host_yank(void *user, struct bh_span text)
{
	struct bench *bench = user;

	bench->yanked = text.len;
}

static void host_nothing(void *user)
{
	(void)user;
}

/** The history: lines of usual length, one in four in colours. */
static void fill(struct bh_screen *screen)
{
	for (int i = 0; i < HISTORY + ROWS; i++) {
		char line[256];
		int len = snprintf(line, sizeof(line),
		                   "%s%06d build of module %d: compiling src/part%d/file%d.c with "
		                   "all of its flags%s\r\n",
		                   i % 4 == 0 ? "\x1b[32m" : "", i, i % 977, i % 31,
		                   i * 7919 % 100003, i % 4 == 0 ? "\x1b[m done" : "");

		bh_screen_feed(screen, line, (size_t)len, 1);
	}
}

static cJSON *row_view(const char *ansi, bool is_wrapped)
{
	cJSON *view = cJSON_CreateObject();

	cJSON_AddStringToObject(view, "ansi", ansi);
	cJSON_AddBoolToObject(view, "wrapped", is_wrapped);
	return view;
}

/** As the server answers: the line that would be written. */
static char *answer_line(const struct bench *bench)
{
	const cJSON *before = cJSON_GetObjectItem(bench->asked, "before");
	const cJSON *count = cJSON_GetObjectItem(bench->asked, "count");
	uint64_t oldest = bh_screen_history_first(bench->screen);
	uint64_t end = oldest + bh_screen_history_count(bench->screen);
	uint64_t to = cJSON_IsNumber(before) ? (uint64_t)before->valuedouble : end;
	uint64_t first =
		to - oldest > (uint64_t)count->valueint ? to - (uint64_t)count->valueint : oldest;
	cJSON *answer = cJSON_CreateObject();
	cJSON *rows = cJSON_AddArrayToObject(answer, "rows");

	for (uint64_t id = first; id < to; id++) {
		size_t len = 0;
		char *ansi = bh_screen_history_ansi(bench->screen, id, &len);

		cJSON_AddItemToArray(
			rows, row_view(ansi, bh_screen_history_is_wrapped(bench->screen, id)));
		free(ansi);
	}
	cJSON_AddNumberToObject(answer, "oldest", (double)oldest);
	cJSON_AddNumberToObject(answer, "end", (double)end);
	cJSON_AddNumberToObject(answer, "first", (double)first);
	cJSON_AddNumberToObject(answer, "cols", COLS);
	if (!cJSON_IsNumber(before)) {
		cJSON *screen = cJSON_AddObjectToObject(answer, "screen");

		cJSON_AddNumberToObject(screen, "count", ROWS);
		cJSON_AddArrayToObject(screen, "rows");
	}
	char *line = bh_json_print(answer);

	cJSON_Delete(answer);
	return line;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void draw(struct bench *bench)
{
	struct bh_scene scene = {0};
	struct bh_buf out = {0};

	bench->layer->ops->draw(bench->layer, bench->draw, &scene,
	                        (struct bh_draw_rect){0, 0, ROWS, COLS});
	bh_draw_flush(bench->draw, &out);
	bh_buf_clear(&out);
}

/** Answer until nothing more is asked. */
static void answer_all(struct bench *bench)
{
	while (bench->asked != NULL) {
		uint64_t start = bh_clock_cpu_ns();
		char *line = answer_line(bench);
		cJSON *asked = bench->asked;
		cJSON *answer = NULL;

		bench->asked = NULL;
		bench->server_ns = larger(bench->server_ns, bh_clock_cpu_ns() - start);
		start = bh_clock_cpu_ns();
		answer = bh_json_parse_object(line, strlen(line), NULL);
		bench->layer->ops->result(bench->layer, "terminal.history", asked, answer, NULL);
		draw(bench);
		bench->client_ns = larger(bench->client_ns, bh_clock_cpu_ns() - start);
		cJSON_Delete(answer);
		cJSON_Delete(asked);
		free(line);
	}
}

static void open_reader(struct bench *bench)
{
	struct bh_copymode_settings settings = {.is_emacs = false};

	bench->layer = bh_copymode_new(&bench->host, "t", bench->screen, &settings);
}

static void close_reader(struct bench *bench)
{
	bench->layer->ops->free(bench->layer);
	cJSON_Delete(bench->asked);
	bench->asked = NULL;
}

static void press(struct bench *bench, uint32_t code, bool is_control)
{
	struct bh_layer_key key = {.key = code, .is_control = is_control};

	bench->layer->ops->key(bench->layer, &key);
}

static void print_ms(const char *name, uint64_t ns)
{
	printf("copy-%s %.2f ms\n", name, (double)ns / 1e6);
}

/** Let a search go on for so many turns; gives the longest of them. */
static uint64_t tick(struct bench *bench, int turns)
{
	uint64_t longest = 0;

	while (turns-- > 0 && bench->layer->ops->due_ms(bench->layer) != 0) {
		uint64_t start = bh_clock_cpu_ns();

		bench->layer->ops->tick(bench->layer, bh_clock_mono_ms());
		draw(bench);
		longest = larger(longest, bh_clock_cpu_ns() - start);
	}
	return longest;
}

/** Press the keys; the longest step is printed. In capitals after '^' with control. */
static void time_keys(struct bench *bench, const char *name, const char *keys, bool is_total)
{
	uint64_t longest = 0;
	uint64_t total = 0;

	for (const char *at = keys; *at != '\0'; at++) {
		bool is_control = *at == '^';
		uint64_t start = bh_clock_cpu_ns();

		at += is_control ? 1 : 0;
		press(bench, (uint32_t)(unsigned char)*at, is_control);
		draw(bench);
		longest = larger(longest, bh_clock_cpu_ns() - start);
		longest = larger(longest, tick(bench, is_total ? INT_MAX : 5));
		total += bh_clock_cpu_ns() - start;
	}
	print_ms(name, longest);
	if (is_total) {
		printf("copy-%s-in-all %.2f ms\n", name, (double)total / 1e6);
	}
}

static void time_all(struct bench *bench)
{
	uint64_t start = bh_clock_cpu_ns();

	open_reader(bench);
	draw(bench);
	print_ms("open", bh_clock_cpu_ns() - start);
	start = bh_clock_cpu_ns();
	press(bench, 'g', false);
	answer_all(bench);
	print_ms("all-rows-in-all", bh_clock_cpu_ns() - start);
	print_ms("thousand-rows-server", bench->server_ns);
	print_ms("thousand-rows-client", bench->client_ns);
	time_keys(bench, "lines-and-pages", "jjkkww^f^f^f^bGg^dGk}{", false);
	time_keys(bench, "search-far", "G?000017 build\rgG/000017 build\r", false);
	time_keys(bench, "search-nowhere", "/not in here at all\rg?Not in here at all\r", false);
	time_keys(bench, "search-everywhere", "G?e\rnnnNNNg/build of\rnnnn", false);
	time_keys(bench, "search-last-letter", "g/099999 build of module 345\r", false);
	time_keys(bench, "pattern-far", "G?0{4}17 b.*d\rgG/^0+17 build\r", false);
	time_keys(bench, "pattern-nowhere", "g/[0-9]+ not (in|at) here$\r", true);
	time_keys(bench, "pattern-everywhere", "G?[a-z]+\rnnnNNNg/.\rnnnn", false);
	time_keys(bench, "pattern-hostile", "g/([a-z/]+)+[0-9]*(\\w+)+[XY]\r", false);
	time_keys(bench, "mark-all", "gvG^u^u^dG", false);
	time_keys(bench, "copy-all", "gVGy", false);
	printf("# copied %zu bytes\n", bench->yanked);
	start = bh_clock_cpu_ns();
	close_reader(bench);
	print_ms("close", bh_clock_cpu_ns() - start);
}

int main(void)
{
	struct bh_screen_settings settings = {.cols = COLS, .rows = ROWS, .history_rows = HISTORY};
	struct bh_draw_settings draw_settings = {
		.cols = COLS, .rows = ROWS, .outer = bh_outer_full};
	struct bench bench = {.screen = bh_screen_new(&settings),
	                      .draw = bh_draw_new(&draw_settings)};

	bench.host = (struct bh_layer_host){.user = &bench,
	                                    .request = host_request,
	                                    .say = host_say,
	                                    .yank = host_yank,
	                                    .redraw = host_nothing,
	                                    .close = host_nothing};
	fill(bench.screen);
	for (int round = 0; round < ROUNDS; round++) {
		printf("# round %d, %zu rows\n", round + 1, bh_screen_history_count(bench.screen));
		time_all(&bench);
	}
	bh_draw_free(bench.draw);
	bh_screen_free(bench.screen);
	return 0;
}
