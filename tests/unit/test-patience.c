#include "src/client/patience.h"

#include "src/base/buf.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void a_silent_server_is_asked_and_then_told_of(void **state)
{
	struct bh_patience patience;

	(void)state;
	bh_patience_begin(&patience, 1000, 21000);
	assert_int_equal(bh_patience_due(&patience), 4000);
	assert_int_equal(bh_patience_step(&patience, 3999), BH_PATIENCE_WAIT);
	assert_int_equal(bh_patience_step(&patience, 4000), BH_PATIENCE_ASK);
	assert_int_equal(bh_patience_due(&patience), 6000);
	assert_int_equal(bh_patience_step(&patience, 6000), BH_PATIENCE_TELL_HUNG);
	// Told once, whatever else is overdue.
	assert_int_equal(bh_patience_due(&patience), BH_PATIENCE_NEVER);
	assert_int_equal(bh_patience_step(&patience, 20000), BH_PATIENCE_WAIT);
	// And it is news when it comes back.
	assert_true(bh_patience_heard(&patience, 20000));
	assert_false(bh_patience_heard(&patience, 20000));
}

static void a_server_that_reacts_is_asked_less_and_less(void **state)
{
	struct bh_patience patience;
	uint64_t now_ms = 0;
	int asked = 0;

	(void)state;
	bh_patience_begin(&patience, now_ms, BH_PATIENCE_NEVER);
	while ((now_ms = bh_patience_due(&patience)) < 3600000) {
		assert_int_equal(bh_patience_step(&patience, now_ms), BH_PATIENCE_ASK);
		assert_false(bh_patience_heard(&patience, now_ms));
		asked++;
	}
	assert_in_range(asked, 55, 70); // an hour: once a minute
}

static void an_overdue_answer_is_told(void **state)
{
	struct bh_patience patience;

	(void)state;
	bh_patience_begin(&patience, 0, 20000);
	assert_int_equal(bh_patience_step(&patience, 3000), BH_PATIENCE_ASK);
	assert_false(bh_patience_heard(&patience, 3001));
	assert_int_equal(bh_patience_step(&patience, bh_patience_due(&patience)), BH_PATIENCE_ASK);
	// Not before it is known whether the server reacts.
	assert_int_equal(bh_patience_step(&patience, 10000), BH_PATIENCE_WAIT);
	assert_false(bh_patience_heard(&patience, 10000));
	assert_int_equal(bh_patience_due(&patience), 10000);
	assert_int_equal(bh_patience_step(&patience, 10000), BH_PATIENCE_TELL_LATE);
	assert_int_equal(bh_patience_step(&patience, 10000), BH_PATIENCE_WAIT);
	// A short limit is its own answer.
	bh_patience_begin(&patience, 0, 2000);
	assert_int_equal(bh_patience_due(&patience), 3000);
}

/** The sentence for @step as @view has it. Borrowed from @text. */
static const char *words(struct bh_buf *text, enum bh_patience_step step,
                         const struct bh_patience_view *view)
{
	bh_buf_clear(text);
	bh_patience_words(text, step, view);
	return text->data;
}

static void the_sentence_says_what_to_do(void **state)
{
	struct bh_patience_view view = {.method = "message.send",
	                                .log_path = "/tmp/server.log",
	                                .waited_ms = 5000,
	                                .left_ms = 14500};
	struct bh_buf text = {0};

	(void)state;
	assert_string_equal(words(&text, BH_PATIENCE_TELL_HUNG, &view),
	                    "waiting for the server, which has not reacted for 5 s: its log is "
	                    "/tmp/server.log, `bellhop server stop --force` ends it with all its "
	                    "terminals; giving up in 15 s");
	view.pid = getpid();
	view.left_ms = -1;
	assert_non_null(strstr(words(&text, BH_PATIENCE_TELL_LATE, &view),
	                       "waiting for the answer to message.send; the server (process "));
	assert_null(strstr(text.data, "giving up"));
	bh_buf_clear(&text);
}

static void a_stopped_process_is_seen(void **state)
{
	struct bh_patience_view view = {.pid = fork(), .method = "server.info", .left_ms = -1};
	struct bh_buf text = {0};
	int status = 0;

	(void)state;
	if (view.pid == 0) {
		(void)raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(view.pid, &status, WUNTRACED), view.pid);
	assert_true(bh_patience_is_stopped(view.pid));
	assert_non_null(strstr(words(&text, BH_PATIENCE_TELL_HUNG, &view), "`kill -CONT "));
	bh_buf_clear(&text);
	assert_int_equal(kill(view.pid, SIGCONT), 0);
	assert_int_equal(waitpid(view.pid, &status, 0), view.pid);
	assert_false(bh_patience_is_stopped(view.pid));
	assert_false(bh_patience_is_stopped(getpid()));
	assert_false(bh_patience_is_stopped(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_silent_server_is_asked_and_then_told_of),
		cmocka_unit_test(a_server_that_reacts_is_asked_less_and_less),
		cmocka_unit_test(an_overdue_answer_is_told),
		cmocka_unit_test(the_sentence_says_what_to_do),
		cmocka_unit_test(a_stopped_process_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
