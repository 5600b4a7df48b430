/** @file
 * The demo agent without a terminal: composer, turns, dialog, transcript. Keys and time come in,
 * the state to draw, a command to run and log lines come out. Knows no file descriptor.
 */
#ifndef BH_DEMO_AGENT_H
#define BH_DEMO_AGENT_H

#include "demo_keys.h"
#include "demo_script.h"

#include "src/base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Lines kept in the transcript. */
#define BH_DEMO_TRANSCRIPT_MAX 400
/** Texts that may wait for the end of a turn. */
#define BH_DEMO_QUEUE_MAX 16
/** Pastes that the composer holds as placeholders. */
#define BH_DEMO_PASTES_MAX 16
/** A paste of more lines or bytes than these is shown as a placeholder. */
#define BH_DEMO_PASTE_LINES 10
#define BH_DEMO_PASTE_BYTES 1000

/** What the agent does now. */
enum bh_demo_phase {
	/** The program runs, no composer yet; keys are lost, as in real agents. */
	BH_DEMO_STARTING,
	/** The trust question at the start. */
	BH_DEMO_TRUST,
	BH_DEMO_IDLE,
	BH_DEMO_WORKING,
	/** A permission dialog is open. */
	BH_DEMO_ASKING,
	/** The program is to exit with exit_status. */
	BH_DEMO_OVER
};

/** What kind of line stands in the transcript. */
enum bh_demo_line_kind {
	/** First line of what the user submitted, and its further lines. */
	BH_DEMO_LINE_USER,
	BH_DEMO_LINE_USER_MORE,
	/** An answer of the agent. */
	BH_DEMO_LINE_SAY,
	/** A line of its tool: the command, its output. */
	BH_DEMO_LINE_TOOL,
	BH_DEMO_LINE_OUTPUT,
	/** A remark of the program. */
	BH_DEMO_LINE_NOTE
};

/** One line of the transcript, not yet wrapped. */
struct bh_demo_line {
	enum bh_demo_line_kind kind;
	char *text;
};

/** How the agent shall behave, and misbehave. */
struct bh_demo_settings {
	/** Lose the first Enter that would submit. */
	bool is_swallowing_enter;
	/** Queue texts submitted while working; else Enter does nothing then. */
	bool is_queueing;
	/** Ask for trust at the start. */
	bool is_asking_trust;
	/** How long the start takes (ms). */
	uint64_t start_ms;
};

/** The agent. The view reads the fields; only the functions below write them. */
struct bh_demo_agent {
	struct bh_demo_settings settings;
	enum bh_demo_phase phase;
	/** Whether the last turn ended by itself ("done" as against "idle"). */
	bool is_done;
	/** Whether the first Enter was lost already. */
	bool has_swallowed;
	/** What is shown in the composer; large pastes stand there as placeholders. */
	struct bh_buf composer;
	char *pastes[BH_DEMO_PASTES_MAX];
	size_t paste_count;
	char *queue[BH_DEMO_QUEUE_MAX];
	size_t queue_count;
	struct bh_demo_line transcript[BH_DEMO_TRANSCRIPT_MAX];
	size_t line_count;
	/** Marked row of the slash menu or the dialog. */
	size_t choice;
	/** The turn: its steps, the next one, when the running one ends (0: not by time). */
	struct bh_demo_script script;
	size_t step;
	uint64_t step_ends_ms;
	uint64_t turn_started_ms;
	/** What the dialog asks for; NULL when none is open. */
	char *question;
	/** A command that the caller shall start now; it takes it and sets NULL. */
	char *command;
	/** Whether a command runs; the caller reports its output and end. */
	bool is_tool_running;
	/** The caller shall end the running command. */
	bool is_tool_unwanted;
	/** Unfinished last line of the command's output. */
	struct bh_buf tool_line;
	int exit_status;
	/** JSON lines for the log; the caller writes and consumes them. */
	struct bh_buf log;
};

/** Start an agent: @agent is overwritten. */
void bh_demo_agent_init(struct bh_demo_agent *agent, const struct bh_demo_settings *settings,
                        uint64_t now_ms);

/** Free what it holds. */
void bh_demo_agent_clear(struct bh_demo_agent *agent);

/** A key was pressed or a text pasted. */
void bh_demo_agent_key(struct bh_demo_agent *agent, const struct bh_demo_event *event,
                       uint64_t now_ms);

/** Time passed. */
void bh_demo_agent_tick(struct bh_demo_agent *agent, uint64_t now_ms);

/** When bh_demo_agent_tick() is next due (ms), or 0: not by time. */
uint64_t bh_demo_agent_due(const struct bh_demo_agent *agent);

/** It asks for a permission by itself, as an agent does whose helper needs one. Not while starting
 * or in a dialog. */
void bh_demo_agent_ask(struct bh_demo_agent *agent, const char *question, uint64_t now_ms);

/** It begins a turn by itself, as an agent does whose background task ended: @script, see
 * demo_script.h. Only when idle. */
void bh_demo_agent_begin(struct bh_demo_agent *agent, const char *script, uint64_t now_ms);

/** Output of the running command. */
void bh_demo_agent_tool_output(struct bh_demo_agent *agent, const void *bytes, size_t len);

/** The running command ended with @status (128 + signal for a signal). */
void bh_demo_agent_tool_done(struct bh_demo_agent *agent, int status, uint64_t now_ms);

/** Whether the slash menu is open. */
bool bh_demo_agent_has_menu(const struct bh_demo_agent *agent);

/** The rows of the slash menu: name and meaning, @count_out of them. Static. */
const struct bh_demo_menu_row {
	const char *name;
	const char *meaning;
} * bh_demo_menu_rows(size_t *count_out);

#endif
