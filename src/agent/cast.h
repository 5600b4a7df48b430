/** @file
 * Reader of recordings: asciicast v2, one JSON line for the header, one for each event.
 */
#ifndef BH_AGENT_CAST_H
#define BH_AGENT_CAST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct bh_err;

/** Longest line of a recording (bytes). */
#define BH_CAST_LINE_MAX (16 * 1024 * 1024)

/** A recording that is being read. */
struct bh_cast;

/** One event; its data is good until the next read. */
struct bh_cast_event {
	/** Time since the start (ms). */
	uint64_t at_ms;
	/** 'o' output, 'i' input, 'r' resize, 'm' marker; others are to be ignored. */
	char kind;
	/** Its data, NUL-terminated. */
	const char *data;
	/** Bytes of data. */
	size_t len;
};

/**
 * Read the header of @in (borrowed, read on by bh_cast_next()). @name stands in errors.
 * NULL with @err when it is no recording of version 2.
 */
struct bh_cast *bh_cast_new(FILE *in, const char *name, struct bh_err *err);

/** Free it; the stream stays open. NULL is allowed. */
void bh_cast_free(struct bh_cast *cast);

/** Size of the recorded terminal. */
int bh_cast_cols(const struct bh_cast *cast);

/** See bh_cast_cols(). */
int bh_cast_rows(const struct bh_cast *cast);

/** The first word of the command that was recorded, else of the title; "" when neither is told. */
const char *bh_cast_program(const struct bh_cast *cast);

/** The next event: 1, or 0 at the end, or a negative code with @err ("NAME:LINE: …"). */
int bh_cast_next(struct bh_cast *cast, struct bh_cast_event *event_out, struct bh_err *err);

#endif
