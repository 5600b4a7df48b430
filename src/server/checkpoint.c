#include "src/server/checkpoint.h"

#include "src/base/err.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/server.h"
#include "src/server/tape.h"
#include "term/screen.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// History that a checkpoint carries: about so many bytes of text.
#define HISTORY_BYTES (24 * 1024)
// A repaint of so few bytes would not even hold the text of a small screen.
#define REPAINT_MIN 4096

// A kept history is not longer (bytes).
#define KEPT_MAX (64 * 1024 * 1024)
// Nor is that of one that has ended, which many have (bytes).
#define END_MAX (256 * 1024)
// Offset in what was kept of one that has ended: no checkpoint's.
#define END_OFFSET UINT64_MAX

// What a file of kept history begins with: the checkpoint that it stands for.
struct kept {
	char magic[8];
	uint64_t offset;
	uint32_t cols, rows;
};

static const char kept_magic[8] = "bhkept1";

static size_t history_max(int cols)
{
	return (size_t)HISTORY_BYTES / (size_t)(cols + 1);
}

static char *kept_path(const struct bh_terminal *terminal)
{
	return bh_xasprintf("%s/history-%s", terminal->server->paths.runtime_dir,
	                    terminal->id_text);
}

void bh_checkpoint_keep(const struct bh_terminal *terminal)
{
	const struct bh_screen *screen = terminal->screen;
	struct kept kept = {.offset = bh_tape_offset(terminal->tape),
	                    .cols = (uint32_t)bh_screen_cols(screen),
	                    .rows = (uint32_t)bh_screen_rows(screen)};
	size_t rows = bh_screen_history_count(screen);
	struct bh_buf file = {0};
	struct bh_err err = {0};

	if (rows <= history_max(bh_screen_cols(screen))) {
		return;
	}
	memcpy(kept.magic, kept_magic, sizeof(kept.magic));
	do {
		size_t len = 0;
		char *bytes = bh_screen_repaint_within(screen, rows, KEPT_MAX * 2, &len);

		bh_buf_clear(&file);
		bh_buf_append(&file, &kept, sizeof(kept));
		bh_buf_append(&file, bytes, len);
		free(bytes);
		rows /= 2;
	} while (file.len > KEPT_MAX && rows > 0);

	char *path = kept_path(terminal);

	if (bh_file_replace(path, (struct bh_span){file.data, file.len}, 0600, BH_FILE_ATOMIC,
	                    &err) != 0) {
		bh_log(BH_LOG_WARN, "checkpoint", terminal->identity,
		       "its older history is lost with this server: %s", err.text);
	}
	free(path);
	bh_buf_clear(&file);
}

void bh_checkpoint_keep_end(const struct bh_terminal *terminal)
{
	const struct bh_screen *screen = terminal->screen;
	struct kept kept = {.offset = END_OFFSET,
	                    .cols = (uint32_t)bh_screen_cols(screen),
	                    .rows = (uint32_t)bh_screen_rows(screen)};
	size_t len = 0;
	char *bytes = bh_screen_repaint_within(screen, history_max(bh_screen_cols(screen)), END_MAX,
	                                       &len);
	struct bh_buf file = {0};
	struct bh_err err = {0};
	char *path = kept_path(terminal);

	memcpy(kept.magic, kept_magic, sizeof(kept.magic));
	bh_buf_append(&file, &kept, sizeof(kept));
	bh_buf_append(&file, bytes, len);
	if (len > END_MAX) {
		(void)bh_err_set(&err, BH_ELIMIT, "it is longer than %d bytes", END_MAX);
	} else {
		(void)bh_file_replace(path, (struct bh_span){file.data, file.len}, 0600,
		                      BH_FILE_ATOMIC, &err); // looked at below
	}
	if (err.code != 0) {
		bh_log(BH_LOG_WARN, "checkpoint", terminal->identity,
		       "what it showed last is lost with this server: %s", err.text);
	}
	free(path);
	free(bytes);
	bh_buf_clear(&file);
}

struct bh_screen *bh_checkpoint_recall_end(const struct bh_terminal *terminal, uint64_t now_ms)
{
	struct bh_screen_settings settings = {
		.history_rows = (size_t)terminal->server->config.history_lines,
		.xtversion = "bellhop " PACKAGE_VERSION,
	};
	char *path = kept_path(terminal);
	struct bh_screen *screen = NULL;
	struct bh_buf file = {0};
	struct kept kept = {0};

	if (bh_file_read(path, sizeof(kept) + END_MAX, &file, NULL) == 0 &&
	    file.len >= sizeof(kept)) {
		memcpy(&kept, file.data, sizeof(kept));
	}
	if (memcmp(kept.magic, kept_magic, sizeof(kept.magic)) == 0 && kept.offset == END_OFFSET &&
	    kept.cols >= BH_LIMIT_SCREEN_MIN && kept.cols <= BH_LIMIT_SCREEN_MAX &&
	    kept.rows >= BH_LIMIT_SCREEN_MIN && kept.rows <= BH_LIMIT_SCREEN_MAX) {
		settings.cols = (int)kept.cols;
		settings.rows = (int)kept.rows;
		screen = bh_screen_new(&settings);
		// Before it is fed: if that ends us, the next server does not try again.
		(void)bh_file_remove(path, NULL);
		bh_screen_feed(screen, file.data + sizeof(kept), file.len - sizeof(kept), now_ms);
		(void)bh_file_replace(path, (struct bh_span){file.data, file.len}, 0600,
		                      BH_FILE_ATOMIC, NULL); // else it is shown by us alone
	}
	bh_buf_clear(&file);
	free(path);
	return screen;
}

void bh_checkpoint_drop_end(const struct bh_terminal *terminal)
{
	char *path = kept_path(terminal);

	(void)bh_file_remove(path, NULL); // maybe it was never written
	free(path);
}

void bh_checkpoint_feed(struct bh_terminal *terminal, const struct bh_tape_event *event,
                        uint64_t now_ms)
{
	char *path = kept_path(terminal);
	struct bh_buf file = {0};
	struct kept kept = {0};
	bool is_it = false;

	if (bh_file_read(path, sizeof(kept) + KEPT_MAX, &file, NULL) == 0) {
		// Before it is fed: if that ends us, the next server has the tape.
		(void)bh_file_remove(path, NULL);
	}
	if (file.len > sizeof(kept)) {
		memcpy(&kept, file.data, sizeof(kept));
		is_it = memcmp(kept.magic, kept_magic, sizeof(kept.magic)) == 0 &&
		        kept.offset == event->offset && kept.cols == event->cols &&
		        kept.rows == event->rows;
	}
	if (is_it) {
		bh_screen_feed(terminal->screen, file.data + sizeof(kept), file.len - sizeof(kept),
		               now_ms);
	} else {
		bh_screen_feed(terminal->screen, event->bytes.data, event->bytes.len, now_ms);
	}
	bh_buf_clear(&file);
	free(path);
}

void bh_checkpoint_write(struct bh_terminal *terminal)
{
	int cols = bh_screen_cols(terminal->screen);
	int rows = bh_screen_rows(terminal->screen);
	size_t history = history_max(cols);
	int code = BH_ELIMIT;

	for (size_t max = BH_SCREEN_REPAINT_MAX; code != 0 && max > REPAINT_MIN; max /= 4) {
		size_t len = 0;
		char *bytes = bh_screen_repaint_within(terminal->screen, history, max, &len);

		code = bh_tape_checkpoint(terminal->tape, (struct bh_span){bytes, len},
		                          (uint16_t)cols, (uint16_t)rows);
		free(bytes);
	}
	if (code != 0) {
		bh_log(BH_LOG_WARN, "checkpoint", terminal->identity,
		       "its screen is too rich for its tape; a restart would show it blank");
		(void)bh_tape_checkpoint(terminal->tape, (struct bh_span){NULL, 0}, (uint16_t)cols,
		                         (uint16_t)rows); // an empty one always fits
	}
}

bool bh_checkpoint_put_poison_aside(struct bh_terminal *terminal)
{
	struct bh_err err = {0};

	if (!bh_tape_is_poisoned(terminal->tape)) {
		return false;
	}
	char *path = bh_xasprintf("%s/poisoned-%s.tape", terminal->server->paths.state_dir,
	                          terminal->id_text);

	(void)bh_tape_save(terminal->tape, path, &err); // the log says where it should be
	bh_tape_wipe(terminal->tape);
	bh_log(BH_LOG_ERROR, "terminal", terminal->identity,
	       "its output ended the server before; the screen starts blank, the output is in %s%s%s",
	       path, err.code != 0 ? ", or not: " : "", err.text);
	free(path);
	return true;
}
