#include "src/ui/errand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void a_command_runs_apart_from_us(void **state)
{
	char dir[] = "/tmp/bh-errand-XXXXXX";
	char path[64];
	char text[200] = "";
	struct pollfd at;
	sigset_t term;
	ssize_t len = 0;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/told", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	at = (struct pollfd){.fd = open(path, O_RDWR | O_CLOEXEC), .events = POLLIN};
	assert_true(at.fd >= 0);
	(void)sigemptyset(&term);
	(void)sigaddset(&term, SIGTERM);
	assert_int_equal(sigprocmask(SIG_BLOCK, &term, NULL), 0);
	struct bh_errand_variable variables[] = {{"BELLHOP_STATE", "it's \"done\""},
	                                         {"TOLD", path}};
	assert_int_equal(
		bh_errand_run(
			"echo out; read nothing; set -- $(grep SigBlk /proc/self/status); "
			"printf '%s|%s|%s' \"$BELLHOP_STATE\" \"$2\" \"$nothing\" > \"$TOLD\"",
			variables, 2),
		0);
	assert_int_equal(poll(&at, 1, 10000), 1);
	len = read(at.fd, text, sizeof(text) - 1);
	assert_true(len > 0);
	assert_string_equal(text, "it's \"done\"|0000000000000000|");
	// There is nothing to wait for.
	assert_int_equal(waitpid(-1, NULL, 0), -1);
	assert_int_equal(errno, ECHILD);
	close(at.fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_runs_apart_from_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
