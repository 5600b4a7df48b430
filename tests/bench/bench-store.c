// How fast the store is beside the disk under it: durable sends one by one and with many senders,
// and a small store beside one with 100,000 unread messages and 10,000 identities.
#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/mail/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MEASURE_MS = 1500,
	SENDERS_MAX = 64,
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
	const char *build = getenv("BELLHOP_TEST_BUILDDIR"); // /tmp may be memory
	const struct bh_store_settings settings = {
		.loop = &bench->loop, .path = bench->path, .user = bench};
	struct bh_err err;

	(void)snprintf(bench->folder, sizeof(bench->folder), "%s/bench-store-XXXXXX",
	               build == NULL ? "." : build);
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

	bench->answered = 0;
	bench->until_ms = began_ms + MEASURE_MS;
	for (unsigned i = 0; i < senders; i++) {
		send_one(bench, "reviewer", on_sent);
	}
	while (bench->pending > 0) {
		(void)uv_run(&bench->loop, UV_RUN_ONCE);
	}
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

// Milliseconds to read a page of ten messages and confirm it.
static double time_of_page(struct bench *bench)
{
	static const char *const name = "reviewer";
	const struct bh_take take = {
		.kind = BH_CLAIM_INBOX, .names = &name, .name_count = 1, .limit = 10};
	uint64_t began_ms = bh_clock_mono_ms();
	unsigned pages = 0;

	while (bh_clock_mono_ms() < began_ms + MEASURE_MS) {
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
		pages++;
	}
	return (double)(bh_clock_mono_ms() - began_ms) / pages;
}

static void on_filled(void *user, const struct bh_answer *answer)
{
	struct bench *bench = user;

	if (answer->err.code != 0) {
		give_up(answer->err.text);
	}
	bench->pending--;
}

static void fill(struct bench *bench)
{
	char name[32];

	for (unsigned i = 0; i < MANY_UNREAD; i++) {
		(void)snprintf(name, sizeof(name), "agent-%u", i % MANY_NAMES);
		send_one(bench, i % 10 == 0 ? name : "reviewer", on_filled);
		while (bench->pending >= 1000) {
			(void)uv_run(&bench->loop, UV_RUN_ONCE);
		}
	}
	for (unsigned i = 0; i < MANY_NAMES + MANY_UNREAD / 10; i++) {
		(void)snprintf(name, sizeof(name), "agent-%u", i % MANY_NAMES);
		send_one(bench, i < MANY_NAMES ? name : "reviewer", on_filled);
		while (bench->pending >= 1000) {
			(void)uv_run(&bench->loop, UV_RUN_ONCE);
		}
	}
	while (bench->pending > 0) {
		(void)uv_run(&bench->loop, UV_RUN_ONCE);
	}
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

int main(void)
{
	static const unsigned senders[] = {1, 8, 32, SENDERS_MAX};
	struct bench *bench = bh_xmalloc(sizeof(*bench));
	char name[64];

	bench_open(bench);
	figure("disk: write 32 KiB and fdatasync", rate_of_disk(bench), "/s");
	for (size_t i = 0; i < sizeof(senders) / sizeof(senders[0]); i++) {
		(void)snprintf(name, sizeof(name), "store: durable sends, %u at once", senders[i]);
		figure(name, rate_of_sends(bench, senders[i]), "/s");
	}
	figure("store: read and confirm a page of 10, small", time_of_page(bench), "ms");
	bench_close(bench);

	memset(bench, 0, sizeof(*bench));
	bench_open(bench);
	fill(bench);
	bench_reopen(bench);
	printf("# large: %d unread, %d identities\n", MANY_UNREAD, MANY_NAMES);
	figure("disk: write 32 KiB and fdatasync, again", rate_of_disk(bench), "/s");
	figure("store: durable sends, 1 at once, large", rate_of_sends(bench, 1), "/s");
	figure("store: durable sends, 32 at once, large", rate_of_sends(bench, 32), "/s");
	figure("store: read and confirm a page of 10, large", time_of_page(bench), "ms");
	bench_close(bench);
	free(bench);
	return 0;
}
