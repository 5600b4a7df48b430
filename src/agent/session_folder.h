/** @file
 * Where an agent keeps the records of its sessions, for those agents that do not tell by an open
 * file or a status file which record is theirs; and whose session a record is.
 */
#ifndef BH_AGENT_SESSION_FOLDER_H
#define BH_AGENT_SESSION_FOLDER_H

#include "profile_data.h"

/** Size of a session's id, its NUL included. */
#define BH_SESSION_ID_SIZE 64

/**
 * The folder for a program that works in @cwd.
 *
 * @folder
 *         The program's own folder (~/.pi/agent …).
 * @return
 *         A path, which the caller frees; nothing needs to be there. NULL: this kind of program has
 *         no such folders, or none for @cwd yet.
 */
char *bh_session_folder(enum bh_proof_kind kind, const char *folder, const char *cwd);

/**
 * The id by which a program goes on with the session of a record: from the record's name, or its first
 * line. A session of a database has a record of the form "DATABASE#ID".
 *
 * @return
 *         False when it cannot be told; what is given never looks like an option.
 */
bool bh_session_id(enum bh_proof_kind kind, const char *record, char id_out[BH_SESSION_ID_SIZE]);

/** The database of a record of the form "DATABASE#ID"; NULL: it is none. The caller frees. */
char *bh_session_store(const char *record);

#endif
