/** @file
 * What a person typed into one terminal lately, so that after a server's death that is sent again which
 * the program did not get: the server says how far it came (`input_taken`). Pure.
 */
#ifndef BH_UI_TYPED_H
#define BH_UI_TYPED_H

#include "src/base/buf.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes that were sent and are kept all the same: at least so many of the newest, at most twice as
 * many. */
#define BH_TYPED_SENT_MAX (32 * 1024)
/** Most that is kept of what could not be sent yet (bytes). */
#define BH_TYPED_UNSENT_MAX (1024 * 1024)
/** Of a server that was away for longer nothing is sent again: the program may ask something else
 * meanwhile (ms). */
#define BH_TYPED_KEPT_MS 10000

/** Zero-initialise; end with bh_typed_clear(). */
struct bh_typed {
	/** The newest of it; the last `unsent` bytes wait for a stream. */
	struct bh_buf recent;
	size_t unsent;
	/** Bytes in all, as the server counts them. */
	uint64_t total;
	/** The server has said how it counts. */
	bool has_begun;
};

/** Free; as new. */
void bh_typed_clear(struct bh_typed *typed);

/** Forget what was typed; the counting goes on. */
void bh_typed_forget(struct bh_typed *typed);

/** The person typed @keys, which are sent now, or, with @is_sent false, as soon as they can be. */
void bh_typed_add(struct bh_typed *typed, struct bh_span keys, bool is_sent);

/**
 * A stream is open again.
 *
 * @result
 *         Of its terminal.attach.
 * @return
 *         What is to be sent on it now, before anything else. Borrowed until the next call.
 */
struct bh_span bh_typed_resume(struct bh_typed *typed, const cJSON *result);

#endif
