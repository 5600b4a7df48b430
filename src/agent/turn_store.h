/** @file
 * Reads the database in which OpenCode keeps its sessions (SQLite): has a turn of the user begun
 * with our text? The file is the agent's: it is opened for reading, in bounded work, each time anew.
 */
#ifndef BH_AGENT_TURN_STORE_H
#define BH_AGENT_TURN_STORE_H

#include "proof.h"
#include "turn_line.h"

/**
 * Look for our text among the turns that are dated at sought->since_ms or later.
 *
 * @path
 *         The database; one that is not there, or is something else, holds nothing.
 */
enum bh_proof_found bh_turn_store_look(const char *path, const struct bh_turn_sought *sought);

#endif
