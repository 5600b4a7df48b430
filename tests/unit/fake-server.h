/** @file
 * A server for tests of clients: a child process that listens on a socket and plays a script.
 */
#ifndef BH_TESTS_FAKE_SERVER_H
#define BH_TESTS_FAKE_SERVER_H

#include <sys/types.h>

/** What the fake does with one connection; ends by returning, then the connection is closed. */
typedef void (*fake_server_play)(int fd, int connection, const char *dir);

/** Make a folder for a test under the current one; the caller frees the path. */
char *fake_server_dir(void);

/** Remove the folder and the files in it. */
void fake_server_dir_remove(char *dir);

/** Listen on <dir>/server.sock and play each of @connections one after the other. */
pid_t fake_server_start(const char *dir, int connections, fake_server_play play);

/** Wait for its end; gives its exit status. */
int fake_server_wait(pid_t pid);

/** Read one line into @line (NUL for the newline); gives its length, 0 at the end. */
size_t fake_server_read_line(int fd, char *line, size_t size);

/** In a play: wait until the test has called fake_server_go(). */
void fake_server_await(const char *dir);

/** Let a play go on that waits. */
void fake_server_go(const char *dir);

/** Write a string. */
void fake_server_write(int fd, const char *text);

#endif
