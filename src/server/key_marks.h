/** @file
 * How far the keys of each client went into a terminal. It outlives the server, so that after its death
 * a client is told which of the keys that it sent were written to the program, and sends those again
 * that were not: each reaches it once.
 *
 * The caller tells of everything that is put into the queue of the terminal (queue), of keys that go no
 * further (count) or wait elsewhere (hold, release), and of each write from the queue, before (writing)
 * and after it (wrote). Keys are counted in the order in which their client sent them, and just before
 * they are written: a server that is killed in that instant loses them rather than that a program gets
 * an Enter twice.
 */
#ifndef BH_SERVER_KEY_MARKS_H
#define BH_SERVER_KEY_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Clients that are remembered of a terminal; of more, those that came last. */
#define BH_KEY_MARKS_CLIENTS 16
/** Size of what outlives the server (bytes). */
#define BH_KEY_MARKS_SIZE (BH_KEY_MARKS_CLIENTS * 3 * 8)
/** Nobody's keys: what we write ourselves, and the keys of clients that do not ask. */
#define BH_KEY_MARKS_NOBODY (-1)

/** The marks of one terminal. All functions but new() allow NULL, which knows nobody. */
struct bh_key_marks;

/**
 * Marks on @memory of BH_KEY_MARKS_SIZE bytes, borrowed for their life, aligned for uint64_t: zeroes at
 * first, later what the marks before left there. Never NULL.
 */
struct bh_key_marks *bh_key_marks_new(void *memory);

/** Free; the memory stays. */
void bh_key_marks_free(struct bh_key_marks *marks);

/**
 * A client comes.
 *
 * @token
 *         Its own, not 0; the same whenever it comes again.
 * @count_out
 *         When it is known: how many bytes of its were taken so far.
 * @return
 *         Whether it was known; if not, it is counted from here.
 */
bool bh_key_marks_open(struct bh_key_marks *marks, uint64_t token, uint64_t *count_out);

/** The client of a token, for the calls below; or BH_KEY_MARKS_NOBODY. */
int bh_key_marks_find(const struct bh_key_marks *marks, uint64_t token);

/** Bytes of a client were put at the end of the queue. */
void bh_key_marks_queue(struct bh_key_marks *marks, int client, size_t len);

/** Bytes of a client were dropped. */
void bh_key_marks_count(struct bh_key_marks *marks, int client, size_t len);

/** Bytes of a client wait outside of the queue. */
void bh_key_marks_hold(struct bh_key_marks *marks, int client, size_t len);

/** What was held is about to be put into the queue, as nobody's, or is dropped. */
void bh_key_marks_release(struct bh_key_marks *marks);

/** The first bytes of the queue are about to be written. */
void bh_key_marks_writing(struct bh_key_marks *marks, size_t len);

/** So many of them were, or went any other way, and left the queue. */
void bh_key_marks_wrote(struct bh_key_marks *marks, size_t len);

#endif
