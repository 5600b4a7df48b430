/** @file
 * The environment of a terminal's child: built by childenv.h from what the terminal was started with,
 * and kept for a successor that another server may have to start.
 */
#ifndef BH_SERVER_TERMINAL_ENVIRON_H
#define BH_SERVER_TERMINAL_ENVIRON_H

#include "src/server/terminal.h"

/** Keep the environment of whoever ran it in a file of the runtime folder (0600: it may hold
 * secrets, and is worthless after a reboot). A failure is logged: a successor then gets the
 * server's. */
void bh_terminal_environ_save(const struct bh_terminal *terminal);

/** Read it back after a restart of the server. */
void bh_terminal_environ_load(struct bh_terminal *terminal);

/** Remove the file. */
void bh_terminal_environ_remove(const struct bh_terminal *terminal);

/**
 * The whole environment of the child.
 *
 * @launch_env
 *         What the profile adds, "NAME=VALUE", NULL-terminated; the user's own assignments win over
 *         it. NULL: nothing.
 * @return
 *         A vector; end it with bh_childenv_free().
 */
char **bh_terminal_environ_build(struct bh_terminal *terminal, const char *const *launch_env);

/** Keep what delivery must know of @env: `home` and `config_folder` of the terminal. */
void bh_terminal_environ_note(struct bh_terminal *terminal, const char *const *env);

/** As bh_terminal_environ_note(), of the environment that it would have without its profile's part. */
void bh_terminal_environ_learn(struct bh_terminal *terminal);

#endif
