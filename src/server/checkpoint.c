#include "src/server/checkpoint.h"

#include "src/base/err.h"
#include "src/base/log.h"
#include "src/server/tape.h"
#include "term/screen.h"

#include <stdlib.h>

// History that a checkpoint carries: about so many bytes of text.
#define HISTORY_BYTES (24 * 1024)
// A repaint of so few bytes would not even hold the text of a small screen.
#define REPAINT_MIN 4096

void bh_checkpoint_write(struct bh_terminal *terminal)
{
	int cols = bh_screen_cols(terminal->screen);
	int rows = bh_screen_rows(terminal->screen);
	size_t history = (size_t)HISTORY_BYTES / (size_t)(cols + 1);
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
