// How fast the store is beside the disk under it: durable sends one by one and with many senders;
// and a small store beside one with 100,000 unread messages in one mailbox and 10,000 identities. What
// is compared is measured in turns, many short ones: a disk is not as fast now as it was a second ago.
// $BENCH_FOLDER: where the stores are; /dev/shm shows what the disk hides.
#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/mail/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	MEASURE_MS = 300,
	ROUNDS = 9,
	PAGES = 20,
	// Unread mail of the small store before each measure.
	SMALL_UNREAD = 10 * PAGES + 10,
	MANY_UNREAD = 100000,
	MANY_NAMES = 10000
};

// A store and the senders that keep it busy.
struct bench {
	uv_loop_t loop;
	char folder[256];
	char path[300];
	struct bh_store *store;
	// Sends answered, under way, and made so far (the message id).
	unsigned answered;
	unsigned pending;
	unsigned made;
	unsigned senders;
	// No send is begun after this time.
	uint64_t until_ms;
	// Processor time that the measured operations took so far, and how many they were.
	double cpu_us;
	unsigned operations;
	// The claim of the page that was taken last.
	uint64_t claim_id;
	bool is_read;
};

static void figure(const char *name, double number, const char *unit)
{
	printf("%-58s %12.*f %s\n", name, number < 100 ? 2 : 0, number, unit);
	(void)fflush(stdout);
}

static _Noreturn void give_up(const char *what)
{
	(void)fprintf(stderr, "bench-store: %s\n", what);
	exit(1);
}

static void bench_open(struct bench *bench)
{
	const char *top = getenv("BENCH_FOLDER");
	const struct bh_store_settings settings = {
		.loop = &bench->loop, .path = bench->path, .user = bench};
	struct bh_err err;

	if (top == NULL) {
		top = getenv("BELLHOP_TEST_BUILDDIR"); // /tmp may be memory
	}
	memset(bench, 0, sizeof(*bench));
	(void)snprintf(bench->folder, sizeof(bench->folder), "%s/bench-store-XXXXXX",
	               top == NULL ? "." : top);
	if (mkdtemp(bench->folder) == NULL) {
		give_up("no folder");
	}
	(void)snprintf(bench->path, sizeof(bench->path), "%s/mail.db", bench->folder);
	if (uv_loop_init(&bench->loop) != 0 || bh_store_open(&settings, &bench->store, &err) != 0) {
		give_up(err.text);
	}
}

static void bench_close(struct bench *bench)
{
	bh_store_close(bench->store);
	(void)uv_run(&bench->loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&bench->loop);
	(void)unlink(bench->path);
	(void)rmdir(bench->folder);
}

static double cpu_now_us(void)
{
	struct timespec now = {0};

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); // there is one for every process
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

// Send to a mailbox; message ids never repeat.
static void send_one(struct bench *bench, const char *to, bh_store_done *done)
{
	char id[32];
	const struct bh_put put = {
		.message_id = id,
		.to = to,
		.from = "coder",
		.sender = BH_SENDER_AGENT,
		.body = bh_span_of(
			"Please look at src/mail/store.c and say what you think of it.\n"),
	};

	(void)snprintf(id, sizeof(id), "bench-%u", bench->made++);
	if (bh_store_put(bench->store, &put, done, bench, NULL) != 0) {
		give_up("a send was refused");
	}
	bench->pending++;
}

static void on_sent(void *user, const struct bh_answer *answer)
{
	struct bench *bench = user;

	if (answer->err.code != 0) {
		give_up(answer->err.text);
	}
	bench->answered++;
	bench->pending--;
	if (bh_clock_mono_ms() < bench->until_ms) {
		send_one(bench, "reviewer", on_sent);
	}
}

// Durable sends per second with so many senders, each of which waits for its answer.
static double rate_of_sends(struct bench *bench, unsigned senders)
{
	uint64_t began_ms = bh_clock_mono_ms();
	double began_us = cpu_now_us();

	bench->answered = 0;
	bench->until_ms = began_ms + MEASURE_MS;
	for (unsigned i = 0; i < senders; i++) {
		send_one(bench, "reviewer", on_sent);
	}
	while (bench->pending > 0) {
		(void)uv_run(&bench->loop, UV_RUN_ONCE);
	}
	bench->cpu_us = cpu_now_us() - began_us;
	bench->operations = bench->answered;
	return bench->answered * 1000.0 / (double)(bh_clock_mono_ms() - began_ms);
}

// Appends and fdatasyncs per second of the disk, of what one send writes to the log.
static double rate_of_disk(const struct bench *bench)
{
	static const char page[32 * 1024];
	char path[320];
	uint64_t began_ms = bh_clock_mono_ms();
	unsigned count = 0;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/raw", bench->folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	while (bh_clock_mono_ms() < began_ms + MEASURE_MS) {
		if (write(fd, page, sizeof(page)) != sizeof(page) || fdatasync(fd) != 0) {
			give_up("the disk refuses");
		}
		count++;
	}
	(void)close(fd);
	(void)unlink(path);
	return count * 1000.0 / (double)(bh_clock_mono_ms() - began_ms);
}

static void on_read(void *user, const struct bh_answer *answer)
{
	struct bench *bench = user;

	if (answer->err.code != 0) {
		give_up(answer->err.text);
	}
	bench->claim_id = answer->claim_id;
	bench->is_read = true;
}

static void read_wait(struct bench *bench)
{
	bench->is_read = false;
	while (!bench->is_read) {
		(void)uv_run(&bench->loop, UV_RUN_ONCE);
	}
}

// Read a page of so many messages and confirm it.
static void read_page(struct bench *bench, size_t limit)
{
	static const char *const name = "reviewer";
	const struct bh_take take = {
		.kind = BH_CLAIM_INBOX, .names = &name, .name_count = 1, .limit = limit};

	if (bh_store_take(bench->store, &take, on_read, bench, NULL) != 0) {
		give_up("a read was refused");
	}
	read_wait(bench);
	if (bench->claim_id == 0) {
		give_up("there is no mail left to read");
	}
	if (bh_store_confirm(bench->store, bench->claim_id, on_read, bench, NULL) != 0) {
		give_up("a confirmation was refused");
	}
	read_wait(bench);
}

// Milliseconds to read a page of ten messages and confirm it.
static double time_of_page(struct bench *bench)
{
	uint64_t began_us = uv_hrtime() / 1000;
	double began_cpu_us = cpu_now_us();

	for (int i = 0; i < PAGES; i++) {
		read_page(bench, 10);
	}
	bench->cpu_us = cpu_now_us() - began_cpu_us;
	bench->operations = PAGES;
	return (double)(uv_hrtime() / 1000 - began_us) / 1000 / PAGES;
}

static void on_filled(void *user, const struct bh_answer *answer)
{
	struct bench *bench = user;

	if (answer->err.code != 0) {
		give_up(answer->err.text);
	}
	bench->pending--;
}

// As many sends as go at once, until @max are under way.
static void fill_wait(struct bench *bench, unsigned max)
{
	while (bench->pending > max) {
		(void)uv_run(&bench->loop, UV_RUN_ONCE);
	}
}

static void fill(struct bench *bench, unsigned unread, unsigned names)
{
	char name[32];

	for (unsigned i = 0; i < unread; i++) {
		send_one(bench, "reviewer", on_filled);
		fill_wait(bench, 1000);
	}
	for (unsigned i = 0; i < names; i++) {
		(void)snprintf(name, sizeof(name), "agent-%u", i);
		send_one(bench, name, on_filled);
		fill_wait(bench, 1000);
	}
	fill_wait(bench, 0);
}

static void bench_reopen(struct bench *bench)
{
	const struct bh_store_settings settings = {
		.loop = &bench->loop, .path = bench->path, .user = bench};
	uint64_t began_ms;
	struct bh_err err;

	bh_store_close(bench->store);
	(void)uv_run(&bench->loop, UV_RUN_DEFAULT);
	began_ms = bh_clock_mono_ms();
	if (bh_store_open(&settings, &bench->store, &err) != 0) {
		give_up(err.text);
	}
	figure("store: open, large", (double)(bh_clock_mono_ms() - began_ms), "ms");
}

// Bring the reviewer's mailbox to so many unread messages.
static void set_unread(struct bench *bench, uint64_t wanted)
{
	uint64_t unread = bh_store_mailbox(bench->store, "reviewer")->unread;

	if (unread < wanted) {
		fill(bench, (unsigned)(wanted - unread), 0);
	}
	for (; unread > wanted; unread -= unread - wanted < 500 ? unread - wanted : 500) {
		read_page(bench, unread - wanted < 500 ? (size_t)(unread - wanted) : 500);
	}
}

// ---- in turns ----

// What is measured of a store, and its unit.
struct measure {
	const char *name;
	double (*take)(struct bench *bench, unsigned senders);
	unsigned senders;
	const char *unit;
};

static double page(struct bench *bench, unsigned senders)
{
	(void)senders;
	return time_of_page(bench);
}

static double disk(struct bench *bench, unsigned senders)
{
	(void)senders;
	return rate_of_disk(bench);
}

static int double_compare(const void *a, const void *b)
{
	double first = *(const double *)a;
	double second = *(const double *)b;

	return (first > second) - (first < second);
}

static double median(double rounds[ROUNDS])
{
	qsort(rounds, ROUNDS, sizeof(rounds[0]), double_compare);
	return rounds[ROUNDS / 2];
}

static void bench_rates(void)
{
	static const struct measure measures[] = {
		{"disk: write 32 KiB and fdatasync", disk, 0, "/s"},
		{"store: durable sends, 1 at once", rate_of_sends, 1, "/s"},
		{"store: durable sends, 8 at once", rate_of_sends, 8, "/s"},
		{"store: durable sends, 64 at once", rate_of_sends, 64, "/s"},
	};
	enum {
		COUNT = sizeof(measures) / sizeof(measures[0])
	};
	static double rounds[COUNT][ROUNDS];
	struct bench *bench = bh_xmalloc(sizeof(*bench));

	bench_open(bench);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < COUNT; i++) {
			rounds[i][round] = measures[i].take(bench, measures[i].senders);
		}
	}
	for (int i = 0; i < COUNT; i++) {
		figure(measures[i].name, median(rounds[i]), measures[i].unit);
	}
	bench_close(bench);
	free(bench);
}

static void bench_sizes(void)
{
	static const struct measure measures[] = {
		{"durable sends, 1 at once", rate_of_sends, 1, "/s"},
		{"durable sends, 32 at once", rate_of_sends, 32, "/s"},
		{"read and confirm a page of 10", page, 0, "ms"},
	};
	struct bench *small = bh_xmalloc(sizeof(*small));
	struct bench *large = bh_xmalloc(sizeof(*large));
	double in_small[ROUNDS], in_large[ROUNDS], ratios[ROUNDS], cpu[ROUNDS];
	char name[80];

	bench_open(small);
	bench_open(large);
	fill(small, SMALL_UNREAD, 1);
	fill(large, MANY_UNREAD, MANY_NAMES);
	printf("# large: %d unread in one mailbox, %d identities\n", MANY_UNREAD, MANY_NAMES);
	bench_reopen(large);
	for (size_t i = 0; i < sizeof(measures) / sizeof(measures[0]); i++) {
		const struct measure *it = &measures[i];

		for (int round = 0; round < ROUNDS; round++) {
			set_unread(small, SMALL_UNREAD);
			in_small[round] = it->take(small, it->senders);
			in_large[round] = it->take(large, it->senders);
			ratios[round] = in_large[round] / in_small[round];
			cpu[round] = large->cpu_us / large->operations /
			             (small->cpu_us / small->operations);
		}
		(void)snprintf(name, sizeof(name), "store: %s, small", it->name);
		figure(name, median(in_small), it->unit);
		(void)snprintf(name, sizeof(name), "store: %s, large", it->name);
		figure(name, median(in_large), it->unit);
		(void)snprintf(name, sizeof(name), "store: %s, large to small", it->name);
		figure(name, median(ratios), "");
		(void)snprintf(name, sizeof(name), "store: %s, large to small, CPU", it->name);
		figure(name, median(cpu), "");
	}
	bench_close(small);
	bench_close(large);
	free(small);
	free(large);
}

int main(void)
{
	bench_rates();
	bench_sizes();
	return 0;
}
