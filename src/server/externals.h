/** @file
 * Programs that bellhop did not start and that have registered: each holds names in the store like a
 * terminal does, under an id of its own, but has no PTY, so nothing is ever typed to it. It reads, it
 * waits, it may hold a channel.
 *
 * A registration ends when its lease runs out (every call of the program renews it; an open wait or
 * channel holds it), when the process that stands for it ends, or when it is given back. Its names are
 * free then; the mailboxes stay. Who registers again with the token, or from the same process, is the
 * same program and may have its names back. A registration outlives the server, not a boot.
 */
#ifndef BH_SERVER_EXTERNALS_H
#define BH_SERVER_EXTERNALS_H

#include "src/base/err.h"
#include "src/base/list.h"
#include "src/base/uuid.h"
#include "src/mail/identity.h"
#include "src/server/callers.h"
#include "src/server/terminal.h"

#include <stdbool.h>
#include <stdint.h>

struct bh_deliver_view;
struct bh_externals;
struct bh_server;

/** Shortest and longest lease, and what it is when nobody says (ms). */
#define BH_EXTERNALS_LEASE_MIN_MS 1000
#define BH_EXTERNALS_LEASE_MAX_MS (7LL * 24 * 3600 * 1000)
#define BH_EXTERNALS_LEASE_MS (3600LL * 1000)
/** Most registrations at once. */
#define BH_EXTERNALS_MAX 256

/** A registration. For reading. */
struct bh_external {
	/** In the table. */
	struct bh_list link;
	/** Its id: new with every registration. */
	struct bh_uuid id;
	/** The same as text: the store's record of that uuid has the names. */
	char id_text[BH_UUID_TEXT];
	/** The id of its first registration: what its names remember of their holder. */
	char line[BH_UUID_TEXT];
	/** Its secret; the same for the whole line. */
	char token[BH_TOKEN_SIZE];
	/** The process that stands for it, with all below it; pid 0: none, only the token. */
	struct bh_caller_anchor anchor;
	/** How long it lasts after a call (ms). */
	int64_t lease_ms;
	/** Until when (loop time, ms). */
	uint64_t until_ms;
	/** It holds names now. One that does not is remembered, so that it may come back. */
	bool is_live;
	/** Internal: watches the process; NULL: nothing does. */
	struct bh_external_watch *watch;
};

/** What somebody wants to register. Borrowed for the call. */
struct bh_externals_wish {
	/** The name. */
	const char *name;
	/** How long it is to last after each call (ms). */
	int64_t lease_ms;
	/** The process that is to stand for it; pid 0: none. */
	struct bh_caller_anchor anchor;
	/** The registration that the caller has already; zero: none. */
	struct bh_uuid current;
	/** The token that came along, if any: it may be of a registration that has ended. */
	const char *token;
	/** A person asks: may take a name that only unread mail holds. */
	bool by_operator;
};

/**
 * A registration has an outcome.
 *
 * @external
 *         Live; NULL on failure.
 * @err
 *         On failure why: BH_EEXISTS (the name is taken), BH_EINVALID (it is no name), BH_ELIMIT,
 *         BH_EBUSY, or -errno of the store's disk.
 */
typedef void bh_externals_done(void *user, const struct bh_external *external,
                               const struct bh_err *err);

/** An empty table, with what the server before left. */
struct bh_externals *bh_externals_new(struct bh_server *server);

/** Store and delivery are there: what was left lives on, or is ended. Before bh_terminals_settle(). */
void bh_externals_settle(struct bh_externals *externals);

/** The server ends; registrations live on, for the next. */
void bh_externals_close(struct bh_externals *externals);

/** Free it, once the loop has ended. NULL is allowed. */
void bh_externals_free(struct bh_externals *externals);

/** Register, or renew and take one more name. @done is called once, from the loop, if 0 is returned;
 * else it is never called. */
int bh_externals_register(struct bh_externals *externals, const struct bh_externals_wish *wish,
                          bh_externals_done *done, void *user, struct bh_err *err);

/** End a registration: its names are free at once. @why is for the log. */
void bh_externals_end(struct bh_externals *externals, const struct bh_external *external,
                      const char *why);

/** The live registration with this id, or NULL. */
const struct bh_external *bh_externals_get(const struct bh_externals *externals,
                                           const struct bh_uuid *id);

/** The live registration of this name, or NULL. */
const struct bh_external *bh_externals_of_name(const struct bh_externals *externals,
                                               const char *name);

/** The live registration that this process stands for; its lease is renewed. NULL: none. */
const struct bh_external *bh_externals_of_process(struct bh_externals *externals, pid_t pid,
                                                  uint64_t start);

/** The live registration with this secret; its lease is renewed. NULL: none. */
const struct bh_external *bh_externals_of_token(struct bh_externals *externals, const char *token);

/** Whether this is the secret of a registration, live or ended. NULL is none. */
bool bh_externals_has_token(const struct bh_externals *externals, const char *token);

/** Whether this id is, or was, that of a registration. */
bool bh_externals_knows(const struct bh_externals *externals, const struct bh_uuid *id);

/** All live ones: NULL gives the first, then the one after @previous; NULL at the end. */
const struct bh_external *bh_externals_next(const struct bh_externals *externals,
                                            const struct bh_external *previous);

/** What delivery must know of a live registration; false: there is none with this id. */
bool bh_externals_view(const struct bh_externals *externals, const struct bh_uuid *id,
                       struct bh_deliver_view *view_out);

#endif
