/** @file
 * How an agent is started so that it can read its mail without asking a person: arguments and
 * environment added by the program's own means. No file of the user is touched, and nothing that
 * the user gave on the command line is overridden. Also how it is started once more as the session that
 * it was.
 */
#ifndef BH_AGENT_LAUNCH_H
#define BH_AGENT_LAUNCH_H

#include <stdbool.h>

struct bh_err;
struct bh_profile;

/** Where the terminal to be lives. All borrowed for the call. */
struct bh_launch_context {
	/** Absolute path of the bellhop binary. */
	const char *bellhop_path;
	/** The terminal's spool folder. */
	const char *spool_path;
	/** The program's HOME; NULL: not known. */
	const char *home;
	/** Value of bh_proof_folder_variable() for it (CODEX_HOME); NULL: not set. */
	const char *config_folder;
};

/** What to start. */
struct bh_launch {
	/** The command and its arguments, NULL-terminated. */
	char **argv;
	/** Variables to set, "NAME=VALUE", NULL-terminated; on top of those every child gets. */
	char **env;
	/** What could not be added and what that means, as a sentence for people; NULL: all well. */
	char *warning;
	/** True: reading mail needs no person, as far as the arguments allow. */
	bool is_reading_approved;
};

/**
 * Make the command line for a program of this profile.
 *
 * @argv
 *         What the user asked for, NULL-terminated, at least the command.
 * @launch_out
 *         Filled on success; end it with bh_launch_clear(). For a profile without launch rules it
 *         is a plain copy.
 * @return
 *         0, or BH_EINVALID (empty argv).
 */
int bh_launch_prepare(const struct bh_profile *profile, const char *const *argv,
                      const struct bh_launch_context *context, struct bh_launch *launch_out,
                      struct bh_err *err);

/**
 * Make the command line that goes on with a session: the user's, without what says which session is
 * meant and without its prompt (the session has it already), and the profile's words behind the
 * program. It is for bh_launch_prepare().
 *
 * @argv
 *         What the user asked for when the session began.
 * @record
 *         Path of the session's record.
 * @argv_out
 *         On success the command line, NULL-terminated; the caller frees it and its words.
 * @return
 *         0, or BH_EINVALID with the reason in @err: this program, or this command line, cannot be
 *         resumed.
 */
int bh_launch_resume(const struct bh_profile *profile, const char *const *argv, const char *record,
                     char ***argv_out, struct bh_err *err);

/** Free what bh_launch_prepare() made. */
void bh_launch_clear(struct bh_launch *launch);

#endif
