/** @file
 * A person at a terminal of our own: a PTY, a screen of what is drawn on it, a client in a child, and
 * a fake server that it talks to.
 */
#ifndef BH_TESTS_FAKE_PERSON_H
#define BH_TESTS_FAKE_PERSON_H

#include "fake-server.h"
#include "term/screen.h"

#include <sys/types.h>

/** What stands on the terminal before the client begins, and again after its end. */
#define FAKE_PERSON_SHELL "$ bellhop"

/** One of them. */
struct fake_person {
	/** The server's folder and socket. */
	char *dir;
	char *socket;
	/** The two sides of the PTY. */
	int master;
	int slave;
	/** The client and the server; 0 before they run. */
	pid_t child;
	pid_t server;
	/** What the terminal shows. */
	struct bh_screen *outer;
};

/** What the client's child does; its exit status is what it returns. */
typedef int fake_person_client(const struct fake_person *person);

/** A person at a terminal of that size, for a test's setup. Never NULL. */
struct fake_person *fake_person_new(int cols, int rows);

/** Close and free. */
void fake_person_free(struct fake_person *person);

/** Start the server, which takes so many connections, and the client. */
void fake_person_start(struct fake_person *person, int connections, fake_server_play play,
                       fake_person_client *client);

/** Read what is drawn, until @text stands on the screen (NULL: until nothing more comes). */
void fake_person_see(struct fake_person *person, const char *text);

/** Type keys, or send what else a terminal sends. */
void fake_person_type(struct fake_person *person, const char *keys);

/** Wait for the end of the client, and check that the terminal is as it was. */
void fake_person_end(struct fake_person *person, int status);

#endif
