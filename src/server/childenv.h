/** @file
 * The environment of a child: pure, from the environment of whoever asks to what the program in the
 * terminal gets.
 *
 * 1. From the base are removed: the identity of another agent and its session (`scrub` of all
 *    profiles); our own variables that name a terminal; what describes the terminal of the asker,
 *    since the child has another one; and, only if the asker runs inside an agent, what such agents
 *    set to keep programs from paging, colouring and editing.
 * 2. The user's own assignments are set, over everything inherited.
 * 3. Our variables are set: BELLHOP_TERMINAL, _IDENTITY, _SOCKET, _SPOOL, _TOKEN; TERM and COLORTERM
 *    unless the user chose them.
 * 4. The folder of the bellhop program is added at the end of PATH if no `bellhop` is found there.
 *
 * What users configure stays: CLAUDE_CONFIG_DIR, CODEX_HOME, ANTHROPIC_*, OPENAI_*, all else.
 */
#ifndef BH_SERVER_CHILDENV_H
#define BH_SERVER_CHILDENV_H

struct bh_profiles;

/** What bh_childenv_new() builds from; all borrowed for the call. */
struct bh_childenv_settings {
	/** What is known of agents. */
	const struct bh_profiles *profiles;
	/** Environment of the asker, NULL-terminated. */
	const char *const *base;
	/** Assignments "NAME=VALUE" of the user, NULL-terminated; NULL: none. */
	const char *const *extra;
	/** The terminal's id as text. */
	const char *terminal;
	/** Its identity. */
	const char *identity;
	/** The server's socket. */
	const char *socket;
	/** The terminal's spool folder. */
	const char *spool;
	/** The terminal's secret. */
	const char *token;
	/** Folder of the bellhop program, absolute. */
	const char *program_dir;
};

/** Build it: a NULL-terminated vector of "NAME=VALUE", no name twice. End with _free(). */
char **bh_childenv_new(const struct bh_childenv_settings *settings);

/** Free such a vector. NULL is allowed. */
void bh_childenv_free(char **env);

#endif
