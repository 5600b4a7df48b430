// A child sends, reads and acknowledges as fast as it can and is killed at a random moment, again
// and again on the same store. Everything that it was told must be true afterwards.
#include "tests/unit/mail-driver.h"

#include "src/base/mem.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	ROUNDS = 25,
	SENDERS = 32,
	ROUND_MS_MAX = 120
};

// What the child reports over its pipe, after the answer: below PIPE_BUF, so never cut.
struct word {
	uint32_t id;
	uint32_t seq;
	bool is_seen;
};

struct child {
	struct driver driver;
	int pipe;
	uint32_t next_id;
};

struct send {
	struct child *child;
	uint32_t id;
};

static void tell(const struct child *child, uint32_t id, uint64_t seq, bool is_seen)
{
	struct word word = {.id = id, .seq = (uint32_t)seq, .is_seen = is_seen};

	if (write(child->pipe, &word, sizeof(word)) != sizeof(word)) {
		_exit(3);
	}
}

static void send_next(struct child *child, struct send *send);

static void on_acked(void *user, const struct bh_answer *answer)
{
	struct send *send = user;

	if (answer->err.code != 0) {
		_exit(4);
	}
	tell(send->child, send->id, answer->seq, true);
	send_next(send->child, send);
}

static void on_sent(void *user, const struct bh_answer *answer)
{
	static const char *const name = "reviewer";
	struct send *send = user;
	char ref[24];

	if (answer->err.code != 0) {
		_exit(5);
	}
	tell(send->child, send->id, answer->seq, false);
	if (send->id % 3 != 0) {
		send_next(send->child, send);
		return;
	}
	(void)snprintf(ref, sizeof(ref), "m%llu", (unsigned long long)answer->seq);
	if (bh_store_ack(send->child->driver.store,
	                 &(struct bh_ack){
				 .names = &name, .name_count = 1, .ref = ref, .how = BH_SEEN_ACK},
	                 on_acked, send, NULL) != 0) {
		_exit(6);
	}
}

static void send_next(struct child *child, struct send *send)
{
	char id[32], body[64];
	struct bh_put put = {.message_id = id, .to = "reviewer", .from = "coder"};

	send->child = child;
	send->id = child->next_id++;
	(void)snprintf(id, sizeof(id), "id-%u", send->id);
	(void)snprintf(body, sizeof(body), "body of %u", send->id);
	put.body = bh_span_of(body);
	if (bh_store_put(child->driver.store, &put, on_sent, send, NULL) != 0) {
		_exit(7);
	}
}

static _Noreturn void child_run(const char *path, int pipe, uint32_t first_id)
{
	static struct child child;
	static struct send sends[SENDERS];
	struct bh_err err = {0};

	child.pipe = pipe;
	child.next_id = first_id;
	(void)snprintf(child.driver.path, sizeof(child.driver.path), "%s", path);
	if (uv_loop_init(&child.driver.loop) != 0 || driver_open(&child.driver, &err) != 0) {
		(void)fprintf(stderr, "%s\n", err.text);
		_exit(8);
	}
	for (int i = 0; i < SENDERS; i++) {
		send_next(&child, &sends[i]);
	}
	(void)uv_run(&child.driver.loop, UV_RUN_DEFAULT);
	_exit(9);
}

// What the parent knows to be true: seq of each id, and whether it was acknowledged.
struct truth {
	uint32_t *seqs;
	bool *seen;
	uint32_t size;
	uint32_t count;
	uint32_t highest_id;
};

static void truth_add(struct truth *truth, const struct word *word)
{
	while (word->id >= truth->size) {
		uint32_t size = truth->size == 0 ? 1024 : truth->size * 2;

		truth->seqs = bh_xrealloc(truth->seqs, size, sizeof(*truth->seqs));
		truth->seen = bh_xrealloc(truth->seen, size, sizeof(*truth->seen));
		memset(truth->seqs + truth->size, 0, (size - truth->size) * sizeof(*truth->seqs));
		memset(truth->seen + truth->size, 0, (size - truth->size) * sizeof(*truth->seen));
		truth->size = size;
	}
	truth->count += truth->seqs[word->id] == 0;
	truth->seqs[word->id] = word->seq;
	truth->seen[word->id] = truth->seen[word->id] || word->is_seen;
	truth->highest_id = word->id > truth->highest_id ? word->id : truth->highest_id;
}

// Let a child work for some time and kill it; believe what it said. It dies at its work, however late that
// begins on a busy machine, or at any moment from its start on.
static void round_run(struct driver *driver, struct truth *truth, bool is_at_work)
{
	struct word word;
	int pipes[2], status;
	int left_ms = 15 + rand() % ROUND_MS_MAX;
	pid_t pid;

	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)close(pipes[0]);
		child_run(driver->path, pipes[1], truth->highest_id + SENDERS + 1);
	}
	(void)close(pipes[1]);
	if (is_at_work) {
		assert_int_equal(read(pipes[0], &word, sizeof(word)), sizeof(word));
		truth_add(truth, &word);
	}
	uv_sleep((unsigned)left_ms);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status)); // and did not give up by itself
	while (read(pipes[0], &word, sizeof(word)) == sizeof(word)) {
		truth_add(truth, &word);
	}
	(void)close(pipes[0]);
}

static void truth_check(struct driver *driver, const struct truth *truth)
{
	struct bh_err err = {0};

	assert_int_equal(driver_open(driver, &err), 0);
	for (uint32_t id = 0; id < truth->size; id++) {
		char text[64];
		const struct outcome *outcome;

		if (truth->seqs[id] == 0) {
			continue;
		}
		(void)snprintf(text, sizeof(text), "body of %u", id);
		outcome = driver_put(driver, id, "coder", "reviewer", text);
		assert_int_equal(outcome->code, 0);
		assert_true(outcome->is_replay); // it is there, with this content
		assert_int_equal(outcome->seq, truth->seqs[id]);
		assert_true(!truth->seen[id] || outcome->messages[0].ownership == BH_OWNER_SEEN);
	}
	driver_check(driver);
	driver_close(driver);
}

static void what_was_answered_survives_sigkill(void **state)
{
	struct driver *driver = *state;
	struct truth truth = {0};
	uint32_t before = 0;
	unsigned productive = 0;

	srand((unsigned)time(NULL));
	driver_close(driver);
	for (int i = 0; i < ROUNDS; i++) {
		round_run(driver, &truth, i % 4 != 0);
		productive += truth.count > before;
		before = truth.count;
	}
	assert_true(productive >= ROUNDS / 4 * 3); // the kills fell into the middle of work
	truth_check(driver, &truth);
	print_message("%u messages, %u of %d rounds with answers\n", truth.count, productive,
	              ROUNDS);
	free(truth.seqs);
	free(truth.seen);
}

// The file system says "too large" instead of "full": same promise.
static void a_file_size_limit_is_an_error_like_another(void **state)
{
	struct driver *driver = *state;
	struct rlimit old, small;
	char *body = calloc(1, 200001);
	unsigned stored = 0;
	int code = 0;

	(void)signal(SIGXFSZ, SIG_IGN); // as the server does
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 900000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	memset(body, 'x', 200000);
	for (unsigned i = 0; i < 20 && code == 0; i++) {
		code = driver_put(driver, i, "coder", "reviewer", body)->code;
		stored += code == 0;
	}
	assert_true(code < 0);
	assert_non_null(strstr(driver->outcome.text, "nothing was stored"));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(driver_put(driver, stored, "coder", "reviewer", body)->code, 0);
	assert_false(driver->outcome.is_replay);
	driver_reopen(driver);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, stored + 1);
	free(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(what_was_answered_survives_sigkill),
		driver_test(a_file_size_limit_is_an_error_like_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
