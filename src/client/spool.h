/** @file
 * The spool: requests as files, for a caller whose sandbox forbids Unix sockets but lets it write
 * into its terminal's spool folder. doc/PROTOCOL.md section 9.
 */
#ifndef BH_CLIENT_SPOOL_H
#define BH_CLIENT_SPOOL_H

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/client/patience.h"

#include <stdbool.h>

/** Whether @dir is a folder of the calling user that can be written to. */
bool bh_spool_is_usable(const char *dir);

/** One request and how to wait for its answer. All borrowed for the call. */
struct bh_spool_request {
	/** The spool folder ($BELLHOP_SPOOL). */
	const char *dir;
	/** One JSON-RPC request, without newline. */
	struct bh_span request;
	/** Another that any server answers at once: it shows whether one reacts. Empty: not asked. */
	struct bh_span sign;
	/** How long to wait; negative: for ever. */
	long timeout_ms;
	/** Called inside the call with each BH_PATIENCE_TELL_*; NULL: nobody wants to know. */
	void (*tell)(void *user, enum bh_patience_step step);
	void *user;
};

/**
 * Write one request and wait for its answer. All files of it are gone afterwards.
 *
 * @answer_out
 *         The answer is appended.
 * @return
 *         0; BH_ETIMEOUT: no answer came, the request was withdrawn, but the server may have read it;
 *         BH_ELIMIT; or -errno of the file system.
 */
int bh_spool_call(const struct bh_spool_request *call, struct bh_buf *answer_out,
                  struct bh_err *err);

#endif
