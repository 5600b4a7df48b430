/** @file
 * The table of terminals: makes them, finds them by name (terminals_find.c), binds identities, starts
 * successors.
 *
 * One function binds an identity to a terminal, for every way in which a terminal comes to be
 * (terminals_bind() in terminals.c: run, respawn, a child found without a record). A terminal that
 * was found after a restart of the server keeps the binding that the store has for it.
 */
#ifndef BH_SERVER_TERMINALS_H
#define BH_SERVER_TERMINALS_H

#include "src/base/err.h"
#include "src/base/list.h"
#include "src/server/terminal.h"

#include <stdbool.h>
#include <stddef.h>

struct bh_keeper_entry;
struct bh_terminals;

/** Terminals that have exited are shown so long: at most so many, the oldest go first. */
#define BH_TERMINALS_EXITED_MAX 32

/** What bh_terminals_find() found. */
enum bh_find {
	/** Exactly one. */
	BH_FIND_ONE,
	/** Nothing has this name. */
	BH_FIND_NONE,
	/** A prefix of an id fits several. */
	BH_FIND_AMBIGUOUS,
};

/** An empty table. */
struct bh_terminals *bh_terminals_new(struct bh_server *server);

/** Close every terminal; children live on. The table itself is freed by bh_terminals_free(), once
 * the loop has ended. */
void bh_terminals_close(struct bh_terminals *terminals);

/** Free the table; every terminal must be gone. NULL is allowed. */
void bh_terminals_free(struct bh_terminals *terminals);

/**
 * Called when a start has an outcome.
 *
 * @terminal
 *         The running terminal, bound to its identity; NULL on failure.
 * @err
 *         On failure why, with code BH_EEXISTS (the name is taken), BH_EINVALID (it is no name),
 *         BH_ENOTFOUND (the program could not be started), BH_ELIMIT (there are too many terminals),
 *         BH_EBUSY, or -errno of the store's disk.
 */
typedef void bh_terminals_done(void *user, struct bh_terminal *terminal, const struct bh_err *err);

/** What to start. */
struct bh_terminals_start {
	/** How; taken. */
	struct bh_setup setup;
	/** The identity; NULL or "": an automatic one. Borrowed. */
	const char *identity;
	/** A person asks: may take a name that only unread mail holds. */
	bool by_operator;
};

/** Start a terminal. @done is called exactly once, from the loop. */
void bh_terminals_run(struct bh_terminals *terminals, const struct bh_terminals_start *what,
                      bh_terminals_done *done, void *user);

/** Start a successor of @before, an exited terminal, at once, whatever its policy says. @done as above, may be
 * NULL. */
void bh_terminals_respawn(struct bh_terminals *terminals, struct bh_terminal *before,
                          bh_terminals_done *done, void *user);

/** End a living terminal (SIGHUP, SIGKILL after 3 s) and start a successor once it has exited. @done
 * as above; BH_EBUSY when that is under way already. */
void bh_terminals_replace(struct bh_terminals *terminals, struct bh_terminal *terminal,
                          bh_terminals_done *done, void *user);

/** Take an exited terminal off the table; a successor that is due is given up. */
void bh_terminals_forget(struct bh_terminals *terminals, struct bh_terminal *terminal);

/** The keeper holds this child since before our start. Descriptors are taken. */
void bh_terminals_adopt(struct bh_terminals *terminals, const struct bh_keeper_entry *entry);

/** The keeper has told all of them: their tapes are replayed from the loop, records without a child
 * are settled, successors are due. */
void bh_terminals_settle(struct bh_terminals *terminals);

/** A terminal reported `exited`: its binding is retired, the keeper may forget it, a successor is
 * started as its policy says. */
void bh_terminals_exited(struct bh_terminals *terminals, struct bh_terminal *terminal);

/** Save every living terminal for the next server. */
void bh_terminals_save(struct bh_terminals *terminals);

/**
 * Find a terminal by identity (also an alias; case-folded), id, or a unique prefix of at least 4
 * hex digits of an id. A living terminal goes before an exited one, a later one before an earlier.
 */
enum bh_find bh_terminals_find(struct bh_terminals *terminals, const char *name,
                               struct bh_terminal **terminal_out);

/** The terminal with this id, or NULL. */
struct bh_terminal *bh_terminals_get(struct bh_terminals *terminals, const struct bh_uuid *id);

/** The terminal whose child is @pid (@pid_start 0: whatever its start time), or NULL. */
struct bh_terminal *bh_terminals_of_child(struct bh_terminals *terminals, pid_t pid,
                                          uint64_t pid_start);

/** The terminal with this secret, or NULL. Takes the same time wherever they differ. */
struct bh_terminal *bh_terminals_of_token(struct bh_terminals *terminals, const char *token);

/** The living terminal that backs this identity now (asked of the store at every call), or NULL. */
struct bh_terminal *bh_terminals_of_identity(struct bh_terminals *terminals, const char *identity);

/** The head of all terminals (`link`), in order of creation; SPAWNING ones are among them. */
struct bh_list *bh_terminals_all(struct bh_terminals *terminals);

/** The server whose table this is. */
struct bh_server *bh_terminals_server(const struct bh_terminals *terminals);

/** Number of terminals with a living child. */
size_t bh_terminals_living(struct bh_terminals *terminals);

#endif
