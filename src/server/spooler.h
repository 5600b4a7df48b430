/** @file
 * The second transport: per terminal a folder (0700) in which a caller whose sandbox forbids sockets
 * puts a request file and finds an answer file. doc/PROTOCOL.md section 9 has the rules.
 *
 * A request file is removed only when its answer stands, so a request that the server did not live
 * to answer is done again by the next one.
 */
#ifndef BH_SERVER_SPOOLER_H
#define BH_SERVER_SPOOLER_H

#include "src/base/uuid.h"

#include <uv.h>

struct bh_rpc;
struct bh_spooler;

/** Most requests under way from one folder. */
#define BH_SPOOLER_REQUESTS_MAX 64
/** Answers that nobody fetched are removed after so long (ms). */
#define BH_SPOOLER_ANSWER_MS (10 * 60 * 1000)

/** A spool without folders. @rpc does the requests; it must outlive the spool. */
struct bh_spooler *bh_spooler_new(uv_loop_t *loop, struct bh_rpc *rpc);

/** Watch the folder @path of the terminal @id; what lies in it already is done from the loop. */
void bh_spooler_watch(struct bh_spooler *spool, const struct bh_uuid *id, const char *path);

/** The folders were removed by somebody else: make them again, empty. */
void bh_spooler_renew(struct bh_spooler *spool);

/** Watch the folder of this terminal no more, and remove it with all that is in it. */
void bh_spooler_remove(struct bh_spooler *spool, const struct bh_uuid *id);

/** Watch nothing any more; folders stay for the next server. Answers that come later are dropped, the
 * memory goes with the last of them. */
void bh_spooler_close(struct bh_spooler *spool);

#endif
