/** @file
 * The table of terminals: makes them, finds them by name, binds identities, starts successors.
 *
 * One function binds an identity to a terminal, for every way in which a terminal comes to be
 * (terminals_bind() in terminals.c: run, respawn, adoption after a restart).
 */
#ifndef BH_SERVER_TERMINALS_H
#define BH_SERVER_TERMINALS_H

#include "src/base/err.h"
#include "src/base/list.h"
#include "src/server/terminal.h"

#include <stddef.h>

struct bh_terminals;

/** How bh_terminals_find() may end besides 0. */
enum bh_find {
	/** Exactly one. */
	BH_FIND_ONE,
	/** Nothing has this name. */
	BH_FIND_NONE,
	/** A prefix of an id fits several. */
	BH_FIND_AMBIGUOUS,
};

/**
 * Find a terminal by identity (also an alias; case-folded), id, or a unique prefix of at least 4
 * hex digits of an id. A living terminal goes before an exited one, a later one before an earlier.
 */
enum bh_find bh_terminals_find(struct bh_terminals *terminals, const char *name,
                               struct bh_terminal **terminal_out);

/** The terminal with this id, or NULL. */
struct bh_terminal *bh_terminals_get(struct bh_terminals *terminals, const struct bh_uuid *id);

/** The terminal that backs this identity now (asked of the store at every call), or NULL. */
struct bh_terminal *bh_terminals_of_identity(struct bh_terminals *terminals, const char *identity);

/** The head of all terminals (`link`), in order of creation. */
struct bh_list *bh_terminals_all(struct bh_terminals *terminals);

/** Number of terminals with a living child. */
size_t bh_terminals_living(struct bh_terminals *terminals);

#endif
