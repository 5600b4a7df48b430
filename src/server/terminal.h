/** @file
 * One terminal: a PTY with its child, from the spawn until it is forgotten. Reads the output into
 * tape and screen, has the judge look at it, writes keys and mail to the child.
 *
 * Life: terminals.h makes one; the keeper reports its pid; `exited` comes when the child is gone and
 * its output is drained; a respawn is a *new* terminal for the same identity. Pointers to a terminal
 * are good until the `closed` event, which comes from the loop, never inside a call.
 */
#ifndef BH_SERVER_TERMINAL_H
#define BH_SERVER_TERMINAL_H

#include "src/agent/judge.h"
#include "src/base/buf.h"
#include "src/base/list.h"
#include "src/base/uuid.h"
#include "src/server/adopt.h"
#include "src/server/lifecycle.h"
#include "src/server/resume.h"
#include "src/server/setup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

struct bh_keeper_entry;
struct cJSON;
struct bh_profile;
struct bh_proof;
struct bh_pty;
struct bh_replacement;
struct bh_screen;
struct bh_tape;
struct bh_server;

/** Length of a token, its NUL included: 32 hex digits. */
#define BH_TOKEN_SIZE 33

/** Whose bytes are written to the child. */
enum bh_writer {
	/** Keys of a person; held while the typist types. */
	BH_WRITER_PERSON,
	/** Our typing: the text. */
	BH_WRITER_TYPIST_TEXT,
	/** Our typing: the lone CR. */
	BH_WRITER_TYPIST_CR,
	/** Our typing: the clear key. */
	BH_WRITER_TYPIST_CLEAR,
	/** Answers of the terminal to queries of the program. */
	BH_WRITER_REPLY,
};

/** Where its life stands. */
enum bh_terminal_phase {
	/** The keeper was asked to spawn it. */
	BH_TERMINAL_SPAWNING,
	/** After a restart of the server: its tape is being replayed. */
	BH_TERMINAL_REPLAYING,
	/** The child lives. */
	BH_TERMINAL_RUNNING,
	/** The child is gone, its last output is being read (200 ms at most). */
	BH_TERMINAL_DRAINING,
	/** Gone; status and screen are kept until it is forgotten or succeeded. */
	BH_TERMINAL_EXITED,
};

/** Longest note in a status line, its NUL included. */
#define BH_TERMINAL_NOTE 160

/** What listeners were told of the state of a terminal (events.c). */
struct bh_told {
	/** The phase; the rest is from the verdict. */
	enum bh_terminal_phase phase;
	/** See struct bh_verdict. */
	enum bh_state state;
	/** See struct bh_verdict. */
	bool is_typable;
	/** See struct bh_verdict. */
	enum bh_composer composer;
	/** See struct bh_verdict. */
	enum bh_last_turn last_turn;
	/** See struct bh_verdict. */
	int background;
	/** See struct bh_verdict. */
	const char *reason;
	/** See struct bh_adopted. */
	const struct bh_profile *watched;
};

/** A terminal. Fields are for reading by other modules of the server, unless they say otherwise. */
struct bh_terminal {
	/** In the table, in order of creation. */
	struct bh_list link;
	/** The context. */
	struct bh_server *server;
	/** Its id, never used again, and the same as text. */
	struct bh_uuid id;
	char id_text[BH_UUID_TEXT];
	/** The identity it was born with (a mailbox of the store is bound to it while it lives). */
	char identity[BH_IDENTITY_SIZE];
	/** The id, as text, of the first terminal in its line of respawns. */
	char line[BH_UUID_TEXT];
	/** Its secret. */
	char token[BH_TOKEN_SIZE];
	/** Its spool folder. */
	char *spool_path;
	/** How it was started. */
	struct bh_setup setup;
	/** Where its life stands. */
	enum bh_terminal_phase phase;

	/** The child; 0 before the keeper told. */
	pid_t pid;
	/** The child's start time in clock ticks since boot. */
	uint64_t pid_start;
	/** HOME of the child; NULL: none. */
	char *home;
	/** Value of bh_proof_folder_variable() in the child's environment; NULL: none. */
	char *config_folder;
	/** Wait status, once EXITED. */
	int exit_status;
	/** When it was started, milliseconds since 1970. */
	int64_t created_at;
	/** Number of successive respawns so far, 0 for the first. */
	unsigned respawn_count;
	/** When a successor will be started, milliseconds since 1970; 0: none is due. */
	int64_t respawn_at;
	/** Which session its agent is (resume.c). */
	struct bh_session session;

	/** The master on the loop; NULL before the spawn and once closed. */
	struct bh_pty *pty;
	/** What it shows. */
	struct bh_screen *screen;
	/** It ended under an earlier server, and what it showed is not kept: the screen is blank. */
	bool is_screen_lost;
	/** What it says about the program. */
	struct bh_judge *judge;
	/** The rules for the program that it was started for. Borrowed from the server's set. */
	const struct bh_profile *profile;
	/** The agent that a person typed into it, a shell (adopt.c). */
	struct bh_adopted adopted;
	/** Reader of proofs of submission. */
	struct bh_proof *proof;
	/** Its tape, and how far the keys of each client went, which stands on it. */
	struct bh_tape *tape;
	struct bh_key_marks *key_marks;
	/** The judge's last word. See bh_terminal_evaluate() for a fresh one. */
	struct bh_verdict verdict;
	/** Offset of the next byte of output since the start. */
	uint64_t offset;

	/** Time of the last byte of output (loop time, ms). */
	uint64_t output_ms;
	/** When a person pressed a key last (loop time, ms); 0: never. */
	uint64_t person_ms;
	/** When its size changed last (loop time, ms); 0: never. */
	uint64_t resized_ms;
	/** Whether the typist holds people's keys. */
	bool is_held;
	/** What stands in the status line of the clients, "" for nothing. */
	char note[BH_TERMINAL_NOTE];
	/** What listeners know of it (events.c). */
	struct bh_told told;

	/** What the agent that started it is told about (lifecycle.c). */
	struct bh_watched watched;
	/** Somebody waits for it to be replaced (terminals.c); NULL: nobody. */
	struct bh_replacement *replacement;
	/** Attached clients (streams.c). */
	struct bh_list streams;
	/** Requests that wait for a state (state_waits.c). */
	struct bh_list state_waits;
	/** Internal to terminal.c. */
	struct bh_terminal_own *own;
};

/** What happens to terminals; struct bh_server says who listens. */
struct bh_terminal_events {
	/** It was judged afresh; the word is in `verdict`, perhaps the same as before. */
	void (*evaluated)(struct bh_terminal *terminal);
	/** Output was fed to screen and judge (at most once per loop turn and terminal). */
	void (*output)(struct bh_terminal *terminal);
	/** A hook event of the program came and was given to judge and proof reader. */
	void (*hook)(struct bh_terminal *terminal);
	/** A person pressed a key in it. */
	void (*person)(struct bh_terminal *terminal);
	/** All that was written has been taken by the kernel. */
	void (*written)(struct bh_terminal *terminal);
	/** It is bound to its identity and runs (run, respawn, adopted after a restart, its screen
	 * back). */
	void (*started)(struct bh_terminal *terminal);
	/** The child is gone and the binding retired. */
	void (*exited)(struct bh_terminal *terminal);
	/** Its note is another. */
	void (*noted)(struct bh_terminal *terminal);
	/** The last event: the memory goes after the call; drop every pointer. */
	void (*closed)(struct bh_terminal *terminal);
};

/* ---- for terminals.c, which makes and ends them --------------------------------------------- */

/**
 * A terminal that has no child yet (SPAWNING).
 *
 * @id
 *         Its id, never used before.
 * @setup
 *         Taken: every string in it becomes the terminal's.
 */
struct bh_terminal *bh_terminal_new(struct bh_server *server, const struct bh_uuid *id,
                                    const struct bh_setup *setup);

/**
 * The keeper has a child for it: a fresh one, or one found after a restart of the server. It is
 * REPLAYING until bh_terminal_replay() has given false; the last call of that sends `started`.
 *
 * @entry
 *         Its descriptors are taken.
 */
void bh_terminal_begin(struct bh_terminal *terminal, const struct bh_keeper_entry *entry);

/** It has no child any more and nothing of its output is left: a terminal of before a restart that
 * waits for its successor. It is EXITED with a blank screen. */
void bh_terminal_begin_dead(struct bh_terminal *terminal, int status);

/** Replay about @budget bytes more of its tape; true while there is more. */
bool bh_terminal_replay(struct bh_terminal *terminal, size_t budget);

/** The keeper says that the child is gone. */
void bh_terminal_child_gone(struct bh_terminal *terminal, int status);

/** End it: streams are told, handles closed, `closed` follows from the loop. Twice is fine. */
void bh_terminal_close(struct bh_terminal *terminal);
/** Whether that was asked for. */
bool bh_terminal_is_closing(const struct bh_terminal *terminal);

/** Save what a new server needs to take over: a checkpoint on the tape. */
void bh_terminal_save(struct bh_terminal *terminal);

/* ---- for everybody -------------------------------------------------------------------------- */

/** Write to the child. The first bytes go out within the call if the kernel takes them; the rest
 * follows as it does. Bytes of different writers never mix. The judge is told. Whoever asks, our
 * typing never reaches a program whose own profile has no typing.
 * @return
 *         0 (also when a person's bytes are held); BH_ECLOSED: the child is gone, BH_EDENIED: it may not
 *         be typed into, BH_EBUSY: 1 MiB waits, or, of our typing, the kernel takes nothing now.
 */
int bh_terminal_write(struct bh_terminal *terminal, const void *bytes, size_t len,
                      enum bh_writer writer);

/** The same for keys of a person at the @client of its marks (bh_key_marks_find()). */
int bh_terminal_write_keys(struct bh_terminal *terminal, int client, struct bh_span keys);

/** A hook event of the program came. @payload (may be NULL) is untrusted and borrowed. */
void bh_terminal_hook(struct bh_terminal *terminal, const char *event, const struct cJSON *payload);

/** Whether the program has not read all that was written to it; held keys are not among that. */
bool bh_terminal_has_unread(const struct bh_terminal *terminal);

/** Hold people's keys from now on. Resizes wait too. */
void bh_terminal_hold(struct bh_terminal *terminal);

/**
 * Let the held keys go on, in order, then the last resize.
 *
 * @drop_answers
 *         A dialog appeared meanwhile: Enter, Esc and digits among the held keys are dropped, and
 *         the attached clients get a note about it.
 * @return
 *         Number of bytes dropped.
 */
size_t bh_terminal_release(struct bh_terminal *terminal, bool drop_answers);

/** Judge afresh, with the tty's modes as they are now. The result is in `verdict`, too. The
 * `state_changed` event, if due, comes from the loop. */
const struct bh_verdict *bh_terminal_evaluate(struct bh_terminal *terminal);

/** Set the size, clamped to the limits, and tell everybody. Waits while held (then true, too). */
bool bh_terminal_resize(struct bh_terminal *terminal, int cols, int rows);

/** Show @text (UTF-8; "" takes it away) in the status line of attached clients. Dropped for some
 * seconds after a warning of bh_terminal_release(), which people must have time to read. */
void bh_terminal_note(struct bh_terminal *terminal, const char *text);

/** Whether a child lives (RUNNING, or REPLAYING with a living child). */
bool bh_terminal_is_alive(const struct bh_terminal *terminal);

/** Its size now: of its screen, or what it will start with. */
int bh_terminal_cols(const struct bh_terminal *terminal);
/** See bh_terminal_cols(). */
int bh_terminal_rows(const struct bh_terminal *terminal);

/** Number of attached clients that do not only observe. */
size_t bh_terminal_attached(struct bh_terminal *terminal);

#endif
