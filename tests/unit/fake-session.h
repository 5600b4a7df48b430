/** @file
 * A played session for tests of the UI: lines that must come, keys that must come, and what a server
 * says. All of it runs in the fake server's child, which ends with a status other than 0 when
 * something else comes.
 */
#ifndef BH_TESTS_FAKE_SESSION_H
#define BH_TESTS_FAKE_SESSION_H

/** A line must come that has @wanted in it; then @answer is written. */
void fake_session_line(int fd, const char *wanted, const char *answer);

/** Keys must come for stream @stream. */
void fake_session_keys(int fd, int stream, const char *wanted);

/** Write a program's output, for a stream. */
void fake_session_output(int fd, int stream, const char *text);

/** Write the screen that a stream begins with. */
void fake_session_snapshot(int fd, int stream, int cols, int rows, const char *repaint);

/** Wait until the client is gone; nothing more may come, but that it lets streams go. */
void fake_session_over(int fd);

/** Wait until the client is gone, whatever comes. */
void fake_session_swallow(int fd);

#endif
