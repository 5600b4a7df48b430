/** @file
 * Reads the database in which OpenCode keeps its sessions (SQLite): has a turn of the user begun
 * with our text? The file is the agent's: it is opened for reading, in bounded work, each time anew.
 */
#ifndef BH_AGENT_TURN_STORE_H
#define BH_AGENT_TURN_STORE_H

#include "session_folder.h"
#include "turn_line.h"

#include <stdbool.h>

/** What it says of our text. */
enum bh_turn_store {
	/** Nothing: it has no such turn, is not there, or could not be read now. */
	BH_TURN_STORE_NOWHERE,
	/** A turn of the user is our text. */
	BH_TURN_STORE_SUBMITTED,
	/** Nothing that could be read: its tables are not those that are known, or it is no database. */
	BH_TURN_STORE_STRANGE,
};

/**
 * Look for our text among the turns that are dated at sought->since_ms or later.
 *
 * @path
 *         The database; one that is not there, or is something else, holds nothing.
 * @id
 *         The session to look in, "" for all; set to the one that has it.
 */
enum bh_turn_store bh_turn_store_look(const char *path, const struct bh_turn_sought *sought,
                                      char id[BH_SESSION_ID_SIZE]);

/** Whether the database has a session of that id. */
bool bh_turn_store_has(const char *path, const char *id);

/** Whether there is a database whose tables are not those that are known. */
bool bh_turn_store_is_strange(const char *path);

#endif
