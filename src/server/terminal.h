/** @file
 * One terminal: a PTY with its child, from the spawn until it is forgotten. Reads the output into
 * tape and screen, has the judge look at it, writes keys and mail to the child.
 *
 * Life: bh_terminals_run() (terminals.h) makes one; the keeper reports its pid; `exited` comes when
 * the child is gone and its output is drained; a respawn is a *new* terminal for the same identity.
 * Pointers to a terminal are good until the `closed` event, which comes from the loop, never inside
 * a call.
 */
#ifndef BH_SERVER_TERMINAL_H
#define BH_SERVER_TERMINAL_H

#include "src/agent/judge.h"
#include "src/base/buf.h"
#include "src/base/list.h"
#include "src/base/uuid.h"
#include "src/base/words.h"
#include "src/server/tape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

struct bh_proof;
struct bh_screen;
struct bh_server;

/** Longest identity, its NUL included (bytes). */
#define BH_IDENTITY_SIZE 65
/** Length of a token, its NUL included: 32 hex digits. */
#define BH_TOKEN_SIZE 33

/** When a dead child gets a successor. */
enum bh_respawn {
	/** Never. */
	BH_RESPAWN_NEVER,
	/** When it ended by a signal or with a status other than 0. */
	BH_RESPAWN_ON_FAILURE,
	/** Always. */
	BH_RESPAWN_ALWAYS,
};

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

/** What a terminal was started with; survives the server in the session's runtime folder. */
struct bh_terminal_setup {
	/** The command as the user gave it, NULL-terminated. */
	char **argv;
	/** Variables that the user added, "NAME=VALUE", NULL-terminated. */
	char **env;
	/** Where it runs. */
	char *cwd;
	/** Name of the profile that the user chose; NULL: by argv. */
	char *profile_name;
	/** Who started it: the identity of an agent, or "" for a person. */
	char started_by[BH_IDENTITY_SIZE];
	/** The terminal of that agent; zero for a person. */
	struct bh_uuid started_by_id;
	/** When a successor is started. */
	enum bh_respawn respawn;
	/** Size at the start. */
	int cols, rows;
	/** The user said that nobody need be attached. */
	bool is_headless;
	/** Whether `mode` was given; else the recipient's default holds. */
	bool has_mode;
	/** The mode of delivery that was asked for. */
	enum bh_mode mode;
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

/** What the tty says, read when asked. */
struct bh_terminal_tty {
	/** False: it could not be read (child gone). */
	bool is_known;
	/** ICANON is on. */
	bool is_canonical;
	/** ECHO is on. */
	bool has_echo;
	/** The foreground process group; 0 when there is none. */
	pid_t foreground;
};

/** A terminal. Fields are for reading by other modules of the server, unless they say otherwise. */
struct bh_terminal {
	/** In the table, in order of creation. */
	struct bh_list link;
	/** The context. */
	struct bh_server *server;
	/** Its id, never used again. */
	struct bh_uuid id;
	/** The id as text. */
	char id_text[BH_UUID_TEXT];
	/** The identity it was born with (a mailbox of the store is bound to it while it lives). */
	char identity[BH_IDENTITY_SIZE];
	/** Its secret. */
	char token[BH_TOKEN_SIZE];
	/** Its spool folder. */
	char *spool_path;
	/** How it was started. */
	struct bh_terminal_setup setup;
	/** Where its life stands. */
	enum bh_terminal_phase phase;

	/** The child; 0 before the keeper told. */
	pid_t pid;
	/** The child's start time in clock ticks since boot. */
	uint64_t pid_start;
	/** Wait status, once EXITED. */
	int exit_status;
	/** When it was started, milliseconds since 1970. */
	int64_t created_at;
	/** Number of successive respawns so far, 0 for the first. */
	unsigned respawn_count;
	/** When a successor will be started, milliseconds since 1970; 0: none is due. */
	int64_t respawn_at;

	/** The master; -1 once closed. */
	int fd;
	/** What it shows. */
	struct bh_screen *screen;
	/** What it says about the program. */
	struct bh_judge *judge;
	/** The rules for the program. Borrowed from the server's set. */
	const struct bh_profile *profile;
	/** Reader of proofs of submission. */
	struct bh_proof *proof;
	/** Its tape. */
	struct bh_tape *tape;
	/** The judge's last word. See bh_terminal_evaluate() for a fresh one. */
	struct bh_verdict verdict;
	/** Offset of the next byte of output since the start. */
	uint64_t offset;

	/** Time of the last byte of output (loop time, ms). */
	uint64_t output_ms;
	/** Time of the last key of a person (loop time, ms); 0: none yet. */
	uint64_t person_ms;
	/** Whether the typist holds people's keys. */
	bool is_held;
	/** Owned by deliver.c, which sets and frees it; NULL when it has nothing to do here. */
	struct bh_delivery *delivery;
	/** Whether this terminal started another agent: its default mode is then notice, for life. */
	bool has_started_agent;

	/** Internal to terminal.c and the files beside it. */
	struct bh_terminal_io *io;
	/** Attached clients (streams.c). */
	struct bh_list streams;
	/** Requests that wait for a state (method_terminal_wait.c). */
	struct bh_list state_waits;
};

/** What happens to terminals; see bh_server_events in server.h for who listens. */
struct bh_terminal_events {
	/** The verdict changed in state, typability, reason, composer or dialog. */
	void (*state_changed)(struct bh_terminal *terminal, const struct bh_verdict *before);
	/** Output was fed to screen and judge (at most once per loop turn and terminal). */
	void (*output)(struct bh_terminal *terminal);
	/** All that was written has been taken by the kernel. */
	void (*written)(struct bh_terminal *terminal);
	/** A hook event came in and was given to judge and proof reader. */
	void (*hook)(struct bh_terminal *terminal, const char *event);
	/** A new terminal is bound to its identity and runs (run, respawn, adopted after a restart). */
	void (*started)(struct bh_terminal *terminal);
	/** The child is gone and the binding retired. */
	void (*exited)(struct bh_terminal *terminal);
	/** The last event: the memory goes after the call; drop every pointer. */
	void (*closed)(struct bh_terminal *terminal);
};

/**
 * Write to the child. The first bytes go out within the call if the kernel takes them; the rest
 * follows as it does. Bytes of different writers never mix. The judge is told.
 *
 * @return
 *         0; BH_EBUSY when 1 MiB waits already (nothing is written); BH_ECLOSED when the child is
 *         gone. A person's bytes that are held count as written.
 */
int bh_terminal_write(struct bh_terminal *terminal, const void *bytes, size_t len,
                      enum bh_writer writer);

/** Number of bytes that wait for the kernel to take them; held keys are not among them. */
size_t bh_terminal_unwritten(const struct bh_terminal *terminal);

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

/** Read the tty's modes. */
void bh_terminal_read_tty(const struct bh_terminal *terminal, struct bh_terminal_tty *tty_out);

/**
 * Set the size; the program, the tape and attached clients are told. Waits while the terminal is
 * held (true is returned then). The size is clamped to the limits.
 */
bool bh_terminal_resize(struct bh_terminal *terminal, int cols, int rows);

/** Show @text (UTF-8; "" takes it away) in the status line of attached clients. */
void bh_terminal_note(struct bh_terminal *terminal, const char *text);

/** Whether a child lives (RUNNING, or REPLAYING with a living child). */
bool bh_terminal_is_alive(const struct bh_terminal *terminal);

/** Number of attached clients that do not only observe. */
size_t bh_terminal_attached(const struct bh_terminal *terminal);

#endif
