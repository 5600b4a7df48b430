/** @file
 * Grants: a person lets an agent type into another terminal (`type`, `keys`), which agents may not
 * else. A grant is from one terminal to one terminal, never to an identity: a successor has none. It
 * ends with either terminal; it outlives the server. Giving, taking and using one is logged.
 */
#ifndef BH_SERVER_GRANTS_H
#define BH_SERVER_GRANTS_H

#include "src/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>

struct bh_grants;
struct bh_server;
struct bh_terminal;

/** Most grants of a session. */
#define BH_GRANTS_MAX 1024

/** One grant. */
struct bh_grant {
	/** The terminal whose agent may type. */
	struct bh_uuid agent;
	/** The terminal that it may type into. */
	struct bh_uuid target;
};

/** What the server before left. */
struct bh_grants *bh_grants_new(const struct bh_server *server);

/** Free it. NULL is allowed. */
void bh_grants_free(struct bh_grants *grants);

/** Give it. Twice is fine. false: there are too many. */
bool bh_grants_give(struct bh_grants *grants, const struct bh_terminal *agent,
                    const struct bh_terminal *target);

/** Take it back. false: it was never given. */
bool bh_grants_take(struct bh_grants *grants, const struct bh_terminal *agent,
                    const struct bh_terminal *target);

/** Whether an agent in the terminal @agent may type into @target. */
bool bh_grants_has(const struct bh_grants *grants, const struct bh_uuid *agent,
                   const struct bh_uuid *target);

/** A terminal ended: all grants from and to it are over. */
void bh_grants_drop(struct bh_grants *grants, const struct bh_uuid *terminal);

/** All of them, in order of giving; *count_out says how many. Borrowed until the next change. */
const struct bh_grant *bh_grants_all(const struct bh_grants *grants, size_t *count_out);

#endif
