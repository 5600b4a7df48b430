/**
 * What a byte of output costs in term/, and what a row of history takes. Prints one figure per
 * line: name, number, unit. Time is CPU time of this process, the best of three rounds.
 */
#include "src/agent/cast.h"
#include "src/base/err.h"
#include "term/bytes.h"
#include "term/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	CORPUS_BYTES = 1 << 20,
	ROUND_BYTES = 8 << 20,
	ROUNDS = 3,
	READ_BYTES = 4095, // what one read of a PTY gives at most
};

static const struct {
	int cols, rows;
} sizes[] = {{80, 24}, {200, 50}};

static void make_ascii(struct bh_bytes *out)
{
	while (out->len < CORPUS_BYTES) {
		for (int i = 0; i < 79; i++) {
			bh_bytes_add_byte(out, (char)('!' + (out->len * 7 + (size_t)i) % 90));
		}
		bh_bytes_puts(out, "\r\n");
	}
}

static void make_short(struct bh_bytes *out)
{
	while (out->len < CORPUS_BYTES) {
		bh_bytes_printf(out, "%zu\r\n", out->len % 10);
	}
}

static void make_sgr(struct bh_bytes *out)
{
	while (out->len < CORPUS_BYTES) {
		for (size_t i = 0; i < 8; i++) {
			bh_bytes_printf(out, "\x1B[%zu;38;5;%zumword%zu ", i % 3,
			                (out->len + i * 9) % 256, i);
		}
		bh_bytes_puts(out, "\x1B[0m\r\n");
	}
}

static void make_unicode(struct bh_bytes *out)
{
	while (out->len < CORPUS_BYTES) {
		bh_bytes_puts(out, "\u6F22\u5B57\u304B\u306A \u65E5\u672C\u8A9E \u00E9migr\u00E9 "
		                   "na\u00EFve e\u0301 \U0001F642 \u201Cquoted\u201D \u2502 "
		                   "\u280B \u25CF ok\r\n");
	}
}

static void make_redraw(struct bh_bytes *out)
{
	while (out->len < CORPUS_BYTES) {
		bh_bytes_printf(out, "\x1B[%zu;%zuH\x1B[3%zum\u2502 status text \u2502\x1B[K",
		                out->len % 24 + 1, out->len % 60 + 1, out->len % 8);
	}
}

/** The output of a recorded agent. */
static void make_recording(struct bh_bytes *out, const char *name)
{
	const char *top = getenv("BELLHOP_TEST_SRCDIR");
	struct bh_err err;
	struct bh_cast_event event;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/tests/casts/%s.cast", top != NULL ? top : "..",
	               name); // a cut name is not found
	FILE *file = fopen(path, "r");
	struct bh_cast *cast = file != NULL ? bh_cast_new(file, path, &err) : NULL;

	while (cast != NULL && bh_cast_next(cast, &event, &err) == 1) {
		if (event.kind == 'o') {
			bh_bytes_add(out, event.data, event.len);
		}
	}
	bh_cast_free(cast);
	if (file != NULL) {
		(void)fclose(file); // read only
	}
}

static void make_claude(struct bh_bytes *out)
{
	make_recording(out, "claude/turns-80x24");
}

static void make_codex(struct bh_bytes *out)
{
	make_recording(out, "codex/long-80x24");
}

static const struct {
	const char *name;
	void (*make)(struct bh_bytes *out);
} corpora[] = {
	{"ascii", make_ascii},     {"short lines", make_short}, {"sgr", make_sgr},
	{"unicode", make_unicode}, {"redraw", make_redraw},     {"claude", make_claude},
	{"codex", make_codex},
};

static double cpu_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); // cannot fail
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/** Feed the corpus again and again. Returns ns per byte. */
static double feed_round(struct bh_screen *screen, const struct bh_bytes *corpus)
{
	size_t total = 0;
	double start = cpu_ns();

	while (total < ROUND_BYTES) {
		for (size_t at = 0; at < corpus->len; at += READ_BYTES) {
			size_t left = corpus->len - at;

			bh_screen_feed(screen, corpus->data + at,
			               left < READ_BYTES ? left : READ_BYTES, 0);
		}
		total += corpus->len;
	}
	return (cpu_ns() - start) / (double)total;
}

static void figure(const char *what, const char *corpus, int cols, int rows, double value,
                   const char *unit)
{
	char name[80];

	(void)snprintf(name, sizeof(name), "term: %s, %s %dx%d", what, corpus, cols,
	               rows); // cut to fit
	printf("%-58s %12.2f %s\n", name, value, unit);
}

static void measure(const char *name, const struct bh_bytes *corpus, int cols, int rows)
{
	double best = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct bh_screen *screen =
			bh_screen_new(&(struct bh_screen_settings){.cols = cols, .rows = rows});
		double ns = feed_round(screen, corpus);

		best = i == 0 || ns < best ? ns : best;
		size_t count = bh_screen_history_count(screen);

		if (i == ROUNDS - 1) {
			figure("parse", name, cols, rows, best, "ns/byte");
			if (count > 1000) {
				figure("history", name, cols, rows,
				       (double)bh_screen_history_bytes(screen) / (double)count,
				       "bytes/line");
			}
		}
		bh_screen_free(screen);
	}
}

static void measure_repaint(const struct bh_bytes *corpus, int cols, int rows)
{
	struct bh_screen *screen =
		bh_screen_new(&(struct bh_screen_settings){.cols = cols, .rows = rows});
	double start = 0;
	size_t len = 0;

	bh_screen_feed(screen, corpus->data, corpus->len, 0);
	start = cpu_ns();
	for (int i = 0; i < 1000; i++) {
		free(bh_screen_repaint(screen, &len));
	}
	figure("repaint", "sgr", cols, rows, (cpu_ns() - start) / 1e6, "us");
	figure("repaint", "sgr", cols, rows, (double)len, "bytes");
	bh_screen_free(screen);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(corpora) / sizeof(corpora[0]); i++) {
		struct bh_bytes corpus = {0};

		corpora[i].make(&corpus);
		for (size_t k = 0; corpus.len > 0 && k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			measure(corpora[i].name, &corpus, sizes[k].cols, sizes[k].rows);
			if (corpora[i].make == make_sgr) {
				measure_repaint(&corpus, sizes[k].cols, sizes[k].rows);
			}
		}
		bh_bytes_clear(&corpus);
	}
	return 0;
}
