/** @file
 * The tape of a terminal: a memfd, held by the keeper, from which a new server rebuilds the screen
 * after the old one died at any instruction. No byte of output is lost.
 *
 * A tape holds a checkpoint (bytes that rebuild the screen at one offset of the output) and what
 * came after it: output, read from the PTY *straight into* the tape, and the resizes at their exact
 * offsets. When bh_tape_wants_checkpoint() says so, the caller makes a new checkpoint, which takes
 * the place of all before it.
 *
 *     header page | half 0: checkpoint, output ->      <- resizes | half 1: the same
 *
 * The halves take turns: a checkpoint is written into the unused one and becomes valid by one store.
 *
 * How the end is found after kill -9. The bytes ahead of the output are filled with a pattern of
 * F8..FF bytes (never part of UTF-8) that depends on position and a random seed. Before a read, the
 * number of bytes that the PTY has ready (FIONREAD) is noted as the intent, and exactly so many are
 * read, which the kernel does wholly or not at all; afterwards new length and no intent are published
 * by one store. A server killed in between leaves the intent: if the bytes ahead are still the
 * pattern, nothing was read, else all of it. Output that equals the pattern by chance (never valid
 * UTF-8; 1 of 8 per byte, so only a very short read) is told apart by asking the PTY whether so many
 * bytes still wait.
 *
 * Life: open() formats a fresh tape or finds the end of a used one; then replay; then read() and the
 * rest. One tape must be open in one process at a time.
 */
#ifndef BH_SERVER_TAPE_H
#define BH_SERVER_TAPE_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct bh_tape;

/** Size of a tape for ordinary screens (bytes). */
#define BH_TAPE_SIZE (512 * 1024)
/** So many servers in a row must die in the replay of a tape before it is blamed: one may have been
 * killed by chance just then, and a screen would be lost for it. */
#define BH_TAPE_DEATHS_MAX 2
/** Room for notes of the caller on a tape (bytes). */
#define BH_TAPE_NOTES_SIZE 1024
/** Most bytes that one bh_tape_read() takes: what the kernel gives at once. */
#define BH_TAPE_READ_MAX 4095

/** A size for a tape that holds checkpoints of a screen of this size (bytes). */
size_t bh_tape_size_for(int cols, int rows);

/**
 * Open a tape that came from the keeper.
 *
 * @fd
 *         The memfd. Taken: closed in every case. Zeroes (a fresh one) are formatted.
 * @pty_fd
 *         The master of its terminal, to ask what still waits there; -1: it is gone. Borrowed for
 *         the call.
 * @return
 *         0, BH_ECORRUPT or BH_EVERSION (not a tape that we can read; the terminal can go on with
 *         bh_tape_open_blank()), or -errno.
 */
int bh_tape_open(int fd, int pty_fd, struct bh_tape **out, struct bh_err *err);

/** As bh_tape_open(), but whatever the memfd held is wiped. @fd is taken. */
int bh_tape_open_blank(int fd, struct bh_tape **out, struct bh_err *err);

/**
 * Open a tape whatever is wrong with it: as it is, else blank, else, of @spare_size bytes, a tape of
 * our own that no later server will know: the child matters more than its output.
 *
 * @fd
 *         The tape; taken and closed in the end, whatever happens.
 * @return
 *         Whether the content is there; if not, @err says why.
 */
bool bh_tape_open_at_any_rate(int fd, int pty_fd, size_t spare_size, struct bh_tape **out,
                              struct bh_err *err);

/** Close it here; the keeper still has it. NULL is allowed. */
void bh_tape_free(struct bh_tape *tape);

/** The caller's own BH_TAPE_NOTES_SIZE bytes, which live as long as the tape, aligned for uint64_t; zeroes
 * on one that is fresh or blank. Borrowed until bh_tape_free(). */
void *bh_tape_notes(const struct bh_tape *tape);

/** The offset of the next byte of output, counted since the terminal's start. */
uint64_t bh_tape_offset(const struct bh_tape *tape);

/**
 * Read output of the PTY, at most BH_TAPE_READ_MAX bytes.
 *
 * @pty_fd
 *         The master, non-blocking.
 * @out
 *         The bytes read, borrowed from the tape until the next call but getters.
 * @return
 *         0 with out->len > 0; -EAGAIN (nothing there); -EIO (the last process closed the
 *         terminal); BH_ELIMIT (full: make a checkpoint first); or -errno.
 */
int bh_tape_read(struct bh_tape *tape, int pty_fd, struct bh_span *out);

/** Add output that does not come from a PTY (a note of ours, a test). 0 or BH_ELIMIT. */
int bh_tape_append(struct bh_tape *tape, const void *bytes, size_t len);

/** Note that the terminal has another size from here on. 0 or BH_ELIMIT (checkpoint first). */
int bh_tape_resize(struct bh_tape *tape, uint16_t cols, uint16_t rows);

/** Whether a checkpoint is due: more than half the room for output is used. */
bool bh_tape_wants_checkpoint(const struct bh_tape *tape);

/**
 * Replace all that the tape holds by a checkpoint at bh_tape_offset().
 *
 * @bytes
 *         Rebuild the screen when fed to a fresh one of @cols x @rows. May be empty: a blank screen.
 * @return
 *         0, or BH_ELIMIT: it would leave too little room for output; make a smaller one (the
 *         tape is unchanged).
 */
int bh_tape_checkpoint(struct bh_tape *tape, struct bh_span bytes, uint16_t cols, uint16_t rows);

/** Note that every query in the output before @offset was answered. */
void bh_tape_set_replied(struct bh_tape *tape, uint64_t offset);

/** Kinds of events of a replay. */
enum bh_tape_kind {
	/** Begin with a fresh screen of `cols` x `rows` and feed `bytes`. Always first, once. */
	BH_TAPE_CHECKPOINT,
	/** Feed `bytes`. */
	BH_TAPE_OUTPUT,
	/** The screen becomes `cols` x `rows`. */
	BH_TAPE_RESIZE,
};

/** An event of a replay. */
struct bh_tape_event {
	/** Which. */
	enum bh_tape_kind kind;
	/** Borrowed from the tape until the next checkpoint. */
	struct bh_span bytes;
	/** Offset in the output: of the first byte, or where the resize stands. */
	uint64_t offset;
	/** OUTPUT: whether queries in it were answered (see bh_tape_set_replied()). An event
	 * never spans that border. */
	bool is_replied;
	/** Size; 0 x 0 in a CHECKPOINT of a tape that never had one. */
	uint16_t cols, rows;
};

/**
 * Whether BH_TAPE_DEATHS_MAX servers in a row died while they replayed this tape, so that its content
 * is the likely cause: save it (bh_tape_save()), then bh_tape_wipe() it instead of a replay.
 */
bool bh_tape_is_poisoned(const struct bh_tape *tape);

/** Begin a replay from the checkpoint. */
void bh_tape_replay_start(struct bh_tape *tape);

/**
 * The next event; false at the end. Sets the mark that bh_tape_is_poisoned() reads: only a tape whose
 * bytes are being fed can be the cause of a crash.
 *
 * @max
 *         Most bytes of an OUTPUT event (at least 1): the budget of a loop turn. A checkpoint comes
 *         whole.
 */
bool bh_tape_replay_next(struct bh_tape *tape, size_t max, struct bh_tape_event *out);

/** The loop turns to something else for now: clear the mark; the next event sets it again. */
void bh_tape_replay_pause(struct bh_tape *tape);

/** The replay went well: clear the mark; deaths are counted anew. */
void bh_tape_replay_end(struct bh_tape *tape);

/** Drop all content; offsets go on. The mark is cleared. */
void bh_tape_wipe(struct bh_tape *tape);

/** Write a copy of the whole tape to the file @path (0600) for a bug report. */
int bh_tape_save(const struct bh_tape *tape, const char *path, struct bh_err *err);

#endif
