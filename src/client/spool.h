/** @file
 * The spool: requests as files, for a caller whose sandbox forbids Unix sockets but lets it write
 * into its terminal's spool folder. doc/PROTOCOL.md section 9.
 */
#ifndef BH_CLIENT_SPOOL_H
#define BH_CLIENT_SPOOL_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <stdbool.h>

/** Whether @dir is a folder of the calling user that can be written to. */
bool bh_spool_is_usable(const char *dir);

/**
 * Write one request and wait for its answer. Both files are gone afterwards.
 *
 * @dir
 *         The spool folder ($BELLHOP_SPOOL).
 * @request
 *         One JSON-RPC request, without newline.
 * @timeout_ms
 *         How long to wait; negative: for ever.
 * @answer_out
 *         The answer is appended.
 * @return
 *         0; BH_ETIMEOUT, the text telling whether the server had taken the request (then it may
 *         have been done); BH_ELIMIT; or -errno of the file system.
 */
int bh_spool_call(const char *dir, struct bh_span request, long timeout_ms,
                  struct bh_buf *answer_out, struct bh_err *err);

#endif
