/** @file
 * A command line of the user's as a program and its arguments.
 */
#ifndef BH_BASE_SHELL_WORDS_H
#define BH_BASE_SHELL_WORDS_H

/**
 * What to run for @command: its own words where they need no shell, so that the program is known by
 * its name (an agent by its profile); else /bin/sh -c @command.
 *
 * @return
 *         The words, ended by NULL. The caller frees them all with one free().
 */
char **bh_shell_words(const char *command);

#endif
