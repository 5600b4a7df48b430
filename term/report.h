/** What a program tells beside its text: its state, progress, marks, wishes. */
#ifndef BH_TERM_REPORT_H
#define BH_TERM_REPORT_H

#include <stdbool.h>
#include <stdint.h>

/** Most records of background tasks (OSC 7501 with id=) that are remembered. */
#define BH_SCREEN_BACKGROUND_MAX 32

/** What an agent says of itself, OSC 7501. */
enum bh_status_state {
	BH_STATUS_NONE, ///< never reported, or `clear`
	BH_STATUS_IDLE,
	BH_STATUS_WORKING,
	BH_STATUS_DONE,
	BH_STATUS_BLOCKED,
	BH_STATUS_ERROR,
	BH_STATUS_CLEAR, ///< the last report was `clear` (at the program's end)
	BH_STATUS_OTHER, ///< a word we do not know
};

/** The last OSC 7501 report without id=. */
struct bh_status7501 {
	bool has_status;            ///< one was received (then all else counts)
	enum bh_status_state state; ///< what it says
	char app[64];               ///< app=, printable ASCII, cut to fit
	char kind[32];              ///< kind=, such as "permission"; "" when absent
	char msg[512];              ///< msg= decoded: UTF-8 without control characters; cut to fit
	char title[256];            ///< title= decoded likewise
	uint64_t at_ms;             ///< the `now_ms` of its bytes
};

/** A record about one background task (id=); gone after its `clear`. */
struct bh_background7501 {
	char id[64];                ///< id=
	char title[128];            ///< title= decoded; cut to fit
	enum bh_status_state state; ///< what it says
	uint64_t at_ms;             ///< the `now_ms` of its bytes
};

/** OSC 9;4. */
enum bh_progress_state {
	BH_PROGRESS_NONE,
	BH_PROGRESS_NORMAL,
	BH_PROGRESS_ERROR,
	BH_PROGRESS_BUSY, ///< indeterminate
	BH_PROGRESS_PAUSED,
};

/** The last OSC 9;4. */
struct bh_progress {
	enum bh_progress_state state;
	int percent;    ///< 0..100
	uint64_t at_ms; ///< when it came
};

/** The last shell mark, OSC 133. */
struct bh_prompt {
	char mark;      ///< 'A' prompt, 'B' input, 'C' output, 'D' finished; 0: none yet
	int exit_code;  ///< with 'D', -1 when not given
	uint64_t at_ms; ///< when it came
};

/** A wish to tell a person something, OSC 9, 99 or 777. UTF-8 without control characters. */
struct bh_notification {
	char title[256];
	char body[1024];
};

#endif
