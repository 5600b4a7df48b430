#include "fake-person.h"

#include "src/base/clock.h"
#include "src/base/mem.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

/** A client that does not end is ended (s); what is not drawn is not waited for any more (ms). */
#define CLIENT_S 60
#define SEE_MS 30000
/** Nothing more comes when nothing came for so long (ms). */
#define QUIET_MS 100

struct fake_person *fake_person_new(int cols, int rows)
{
	struct fake_person *person = bh_xcalloc(1, sizeof(*person));
	struct bh_screen_settings settings = {.cols = cols, .rows = rows};
	struct winsize size = {.ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows};

	person->dir = fake_server_dir();
	person->socket = bh_xasprintf("%s/server.sock", person->dir);
	person->outer = bh_screen_new(&settings);
	person->master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(person->master >= 0);
	assert_int_equal(grantpt(person->master), 0);
	assert_int_equal(unlockpt(person->master), 0);
	person->slave = open(ptsname(person->master), O_RDWR | O_NOCTTY);
	assert_true(person->slave >= 0);
	assert_int_equal(ioctl(person->master, TIOCSWINSZ, &size), 0);
	bh_screen_feed(person->outer, FAKE_PERSON_SHELL, strlen(FAKE_PERSON_SHELL), 1);
	return person;
}

void fake_person_free(struct fake_person *person)
{
	close(person->master);
	close(person->slave);
	bh_screen_free(person->outer);
	fake_server_dir_remove(person->dir);
	free(person->socket);
	free(person);
}

void fake_person_start(struct fake_person *person, int connections, fake_server_play play,
                       fake_person_client *client)
{
	person->server = fake_server_start(person->dir, connections, play);
	person->child = fork();
	if (person->child == 0) {
		(void)alarm(CLIENT_S);
		close(person->master);
		_exit(client(person));
	}
}

void fake_person_see(struct fake_person *person, const char *text)
{
	uint64_t deadline_ms = bh_clock_mono_ms() + SEE_MS;
	char bytes[4096];

	while (bh_clock_mono_ms() < deadline_ms) {
		struct pollfd at = {.fd = person->master, .events = POLLIN};
		size_t len = 0;
		char *all = bh_screen_text(person->outer, &len);
		bool is_there = text != NULL && strstr(all, text) != NULL;

		free(all);
		if (is_there) {
			return;
		}
		if (poll(&at, 1, text == NULL ? QUIET_MS : 1000) == 1) {
			ssize_t n = read(person->master, bytes, sizeof(bytes));

			if (n > 0) {
				bh_screen_feed(person->outer, bytes, (size_t)n, 1);
			}
		} else if (text == NULL) {
			return;
		}
	}
	fail_msg("\"%s\" was never shown:\n%s", text, bh_screen_text(person->outer, NULL));
}

void fake_person_type(struct fake_person *person, const char *keys)
{
	assert_int_equal(write(person->master, keys, strlen(keys)), strlen(keys));
}

void fake_person_end(struct fake_person *person, int status)
{
	char text[400];

	assert_int_equal(fake_server_wait(person->child), status);
	fake_person_see(person, NULL);
	assert_false(bh_screen_mode(person->outer, BH_SCREEN_MODE_ALT_SCREEN));
	assert_false(bh_screen_mode(person->outer, BH_SCREEN_MODE_MOUSE));
	assert_false(bh_screen_mode(person->outer, BH_SCREEN_MODE_BRACKETED_PASTE));
	assert_true(bh_screen_mode(person->outer, BH_SCREEN_MODE_CURSOR_VISIBLE));
	assert_int_equal(bh_screen_kitty_flags(person->outer), 0);
	(void)bh_screen_row_text(person->outer, 0, text, sizeof(text));
	assert_string_equal(text, FAKE_PERSON_SHELL);
}
