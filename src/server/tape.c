#include "src/server/tape.h"

#include "src/base/fd.h"
#include "src/base/file.h"
#include "src/base/mem.h"
#include "src/base/uuid.h"
#include "src/keeper/wire.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAPE_MAGIC 0x65706174U // "tape"
#define TAPE_VERSION 1
#define HEADER_SIZE 4096
#define TAPE_SIZE_MIN (64 * 1024)
// Output since the checkpoint beyond which a new one is due, however big the tape is (bytes).
#define OUTPUT_DUE (256 * 1024)
// A checkpoint must leave this much for output (bytes).
#define OUTPUT_ROOM_MIN (16 * 1024)
// The pattern stands at least BH_TAPE_READ_MAX bytes ahead of the output; it is laid in such steps.
#define FILL_STEP (2 * 4096)
// Bytes of repaint per cell to plan for: two true colours, attributes, a grapheme.
#define CELL_BYTES 48
// A read so short that it can equal the pattern by chance (bytes).
#define CHANCE_MAX 8
// In the intent: the number of waiting bytes was not known before the read.
#define INTENT_UNSURE 0x80000000U

// A resize; the last one stands first, at the end of its half.
struct resize {
	uint32_t at; // position in the half's output
	uint16_t cols;
	uint16_t rows;
};

// One half as it stands in the header page.
struct half {
	uint64_t offset;         // of the checkpoint in the output of the terminal's life
	uint32_t checkpoint_len; // at the start of the half; the output follows
	uint16_t cols;           // of the checkpoint
	uint16_t rows;
	_Atomic uint64_t output;  // length of the output << 32 | intent
	_Atomic uint32_t resizes; // number of them
};

// The header page.
struct header {
	uint32_t magic;
	uint32_t version;
	uint64_t size;
	uint64_t seed;
	_Atomic uint64_t replied;
	_Atomic uint32_t active; // the half that counts
	_Atomic uint32_t mark;   // 1 while the tape is replayed
	struct half halves[2];
	_Atomic uint32_t deaths; // servers in a row that ended while the mark was set
};

_Static_assert(sizeof(struct header) <= HEADER_SIZE - BH_TAPE_NOTES_SIZE,
               "the header has one page, with the caller's notes at its end");
_Static_assert(sizeof(struct resize) == sizeof(uint64_t), "a resize is stored in one piece");

struct bh_tape {
	int fd;
	size_t size;
	size_t half_size;
	struct header *header;
	uint32_t filled; // the pattern reaches up to here, position in the active half's output
	bool is_poisoned;
	// The replay: whether the checkpoint was given, and how far output and resizes were.
	bool has_begun;
	uint32_t replay_at;
	uint32_t replay_resizes;
};

size_t bh_tape_size_for(int cols, int rows)
{
	size_t cells = (size_t)(cols < 1 ? 1 : cols) * (size_t)(rows < 1 ? 1 : rows);
	size_t size = 2 * (cells * CELL_BYTES + OUTPUT_DUE / 4);

	if (size < BH_TAPE_SIZE) {
		size = BH_TAPE_SIZE;
	}
	if (size > BH_WIRE_TAPE_MAX) {
		size = BH_WIRE_TAPE_MAX;
	}
	return (size + HEADER_SIZE - 1) / HEADER_SIZE * HEADER_SIZE;
}

static struct half *tape_half(const struct bh_tape *tape)
{
	return &tape->header->halves[atomic_load(&tape->header->active)];
}

static uint8_t *half_bytes(const struct bh_tape *tape, const struct half *half)
{
	size_t index = (size_t)(half - tape->header->halves);

	return (uint8_t *)tape->header + HEADER_SIZE + index * tape->half_size;
}

static uint32_t half_len(const struct half *half)
{
	return (uint32_t)(atomic_load(&half->output) >> 32);
}

static void half_publish(struct half *half, uint32_t len, uint32_t intent)
{
	atomic_store(&half->output, (uint64_t)len << 32 | intent);
}

// The end of the room for output, as a position in it.
static uint32_t output_end(const struct bh_tape *tape, const struct half *half, uint32_t resizes)
{
	return (uint32_t)(tape->half_size - half->checkpoint_len - resizes * sizeof(struct resize));
}

static uint32_t output_room(const struct bh_tape *tape, const struct half *half)
{
	return output_end(tape, half, atomic_load(&half->resizes)) - half_len(half);
}

static struct resize *half_resize(const struct bh_tape *tape, const struct half *half,
                                  uint32_t index)
{
	uint8_t *end = half_bytes(tape, half) + tape->half_size;

	return (struct resize *)(void *)(end - (index + 1) * sizeof(struct resize));
}

// The eight pattern bytes that stand at position 8 * index of the tape: a hash of seed and index,
// with the bits set that no byte of UTF-8 has.
static uint64_t pattern_word(uint64_t seed, uint64_t index)
{
	uint64_t x = seed + index * 0x9e3779b97f4a7c15U;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return (x ^ (x >> 31)) | 0xf8f8f8f8f8f8f8f8U;
}

static void pattern_copy(const struct bh_tape *tape, const uint8_t *from, uint32_t len,
                         uint8_t *out)
{
	uint64_t at = (uint64_t)(from - (const uint8_t *)tape->header);
	uint64_t end = at + len;

	// Word by word: every byte of output is read over a byte that was laid here.
	while (at < end) {
		uint64_t word = htole64(pattern_word(tape->header->seed, at / 8));
		size_t skip = (size_t)(at % 8);
		size_t count = end - at < 8 - skip ? (size_t)(end - at) : 8 - skip;

		memcpy(out, (const uint8_t *)&word + skip, count);
		out += count;
		at += count;
	}
}

// Lay the pattern so that a read of full length ends in it.
static void pattern_lay(struct bh_tape *tape, const struct half *half)
{
	uint32_t end = output_end(tape, half, atomic_load(&half->resizes));
	uint32_t len = half_len(half);
	uint8_t *output = half_bytes(tape, half) + half->checkpoint_len;
	uint32_t upto;

	if (tape->filled >= end || tape->filled - len >= BH_TAPE_READ_MAX) {
		return;
	}
	upto = end - len < FILL_STEP ? end : len + FILL_STEP;
	pattern_copy(tape, output + tape->filled, upto - tape->filled, output + tape->filled);
	tape->filled = upto;
}

// Whether nothing was written over the pattern; @len is at most BH_TAPE_READ_MAX.
static bool is_pattern(const struct bh_tape *tape, const uint8_t *bytes, uint32_t len)
{
	uint8_t pattern[BH_TAPE_READ_MAX];

	pattern_copy(tape, bytes, len, pattern);
	return memcmp(bytes, pattern, len) == 0;
}

static uint32_t waiting_bytes(int pty_fd)
{
	int count = 0;

	if (pty_fd < 0 || ioctl(pty_fd, FIONREAD, &count) != 0 || count < 0) {
		return 0;
	}
	return (uint32_t)count;
}

// Settle an intent that a killed server left: see the top of tape.h.
static void tape_recover(struct bh_tape *tape, int pty_fd)
{
	struct half *half = tape_half(tape);
	uint64_t output = atomic_load(&half->output);
	uint32_t intent = (uint32_t)output;
	uint32_t len = (uint32_t)(output >> 32);
	uint32_t want = intent & ~INTENT_UNSURE;
	const uint8_t *ahead = half_bytes(tape, half) + half->checkpoint_len + len;
	bool was_read = intent != 0 && !is_pattern(tape, ahead, want);

	if (intent != 0 && !was_read && (intent & INTENT_UNSURE) == 0 && want < CHANCE_MAX) {
		was_read = pty_fd >= 0 && waiting_bytes(pty_fd) < want;
	}
	half_publish(half, was_read ? len + want : len, 0);
	tape->filled = half_len(half);
	pattern_lay(tape, half);
}

// Begin a half, before it becomes the active one: checkpoint, no output, the pattern.
static void half_format(struct bh_tape *tape, struct half *half, const struct half *like,
                        const char *checkpoint)
{
	half->offset = like->offset;
	half->checkpoint_len = like->checkpoint_len;
	half->cols = like->cols;
	half->rows = like->rows;
	atomic_store(&half->resizes, 0);
	half_publish(half, 0, 0);
	if (checkpoint != NULL && like->checkpoint_len > 0) {
		memcpy(half_bytes(tape, half), checkpoint, like->checkpoint_len);
	}
	tape->filled = 0;
	pattern_lay(tape, half);
}

static void tape_format(struct bh_tape *tape)
{
	struct header *header = tape->header;

	memset(header, 0, HEADER_SIZE);
	header->version = TAPE_VERSION;
	header->size = tape->size;
	bh_uuid_random(&header->seed, sizeof(header->seed));
	half_format(tape, &header->halves[0], &(const struct half){.offset = 0}, NULL);
	// Last, so that a half-formatted tape is formatted again.
	atomic_thread_fence(memory_order_release);
	header->magic = TAPE_MAGIC;
}

// Whether the numbers of the active half are possible; the tape may have been damaged.
static bool half_is_sound(const struct bh_tape *tape)
{
	const struct half *half = tape_half(tape);
	uint64_t output = atomic_load(&half->output);
	uint64_t resizes = atomic_load(&half->resizes);
	uint64_t intent = (uint32_t)output & ~INTENT_UNSURE;
	uint64_t used =
		half->checkpoint_len + resizes * sizeof(struct resize) + (output >> 32) + intent;
	uint32_t before = 0;

	if (used > tape->half_size || intent > BH_TAPE_READ_MAX) {
		return false;
	}
	for (uint32_t i = 0; i < resizes; i++) {
		uint32_t at = half_resize(tape, half, i)->at;

		if (at < before || at > output >> 32) {
			return false;
		}
		before = at;
	}
	return true;
}

static int tape_check(const struct bh_tape *tape, struct bh_err *err)
{
	const struct header *header = tape->header;

	if (header->magic == TAPE_MAGIC && header->version > TAPE_VERSION) {
		return bh_err_set(err, BH_EVERSION, "open tape: its version %u is newer than %d",
		                  header->version, TAPE_VERSION);
	}
	if (header->magic != TAPE_MAGIC || header->version != TAPE_VERSION ||
	    header->size != tape->size || atomic_load(&header->active) > 1 ||
	    !half_is_sound(tape)) {
		return bh_err_set(err, BH_ECORRUPT, "open tape: its header is damaged");
	}
	return 0;
}

// Map the memfd. The size is sealed first, so that no access can fault later.
static struct bh_tape *tape_map(int fd, int *code_out, struct bh_err *err)
{
	struct bh_tape *tape;
	struct stat st;
	int seals;
	void *map;

	(void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW); // the keeper may have done it
	seals = fcntl(fd, F_GET_SEALS);
	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
		*code_out = bh_err_set(err, BH_ECORRUPT, "open tape: not a memfd of fixed size");
		return NULL;
	}
	if (fstat(fd, &st) != 0) {
		*code_out = bh_err_sys(err, errno, "open tape");
		return NULL;
	}
	if (st.st_size < TAPE_SIZE_MIN || st.st_size > BH_WIRE_TAPE_MAX ||
	    st.st_size % HEADER_SIZE != 0) {
		*code_out = bh_err_set(err, BH_ECORRUPT, "open tape: a size of %lld bytes",
		                       (long long)st.st_size);
		return NULL;
	}
	map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		*code_out = bh_err_sys(err, errno, "map tape");
		return NULL;
	}
	tape = bh_xmalloc(sizeof(*tape));
	tape->fd = fd;
	tape->header = map;
	tape->size = (size_t)st.st_size;
	tape->half_size = (tape->size - HEADER_SIZE) / 2 / sizeof(uint64_t) * sizeof(uint64_t);
	return tape;
}

int bh_tape_open(int fd, int pty_fd, struct bh_tape **out, struct bh_err *err)
{
	int rc = 0;
	struct bh_tape *tape = tape_map(fd, &rc, err);

	if (tape == NULL) {
		bh_fd_close(&fd);
		return rc;
	}
	if (tape->header->magic == 0) {
		tape_format(tape);
	}
	rc = tape_check(tape, err);
	if (rc != 0) {
		bh_tape_free(tape);
		return rc;
	}
	if (atomic_load(&tape->header->mark) != 0) {
		atomic_store(&tape->header->mark, 0);
		atomic_fetch_add(&tape->header->deaths, 1);
	}
	tape->is_poisoned = atomic_load(&tape->header->deaths) >= BH_TAPE_DEATHS_MAX;
	tape_recover(tape, pty_fd);
	*out = tape;
	return 0;
}

int bh_tape_open_blank(int fd, struct bh_tape **out, struct bh_err *err)
{
	int rc = 0;
	struct bh_tape *tape = tape_map(fd, &rc, err);

	if (tape == NULL) {
		bh_fd_close(&fd);
		return rc;
	}
	tape_format(tape);
	*out = tape;
	return 0;
}

static void tape_open_spare(size_t size, struct bh_tape **out)
{
	int fd = memfd_create("bellhop-tape", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, (off_t)size) != 0 || bh_tape_open_blank(fd, out, NULL) != 0) {
		BH_BUG("no memory for a tape"); // as for any other memory
	}
}

bool bh_tape_open_at_any_rate(int fd, int pty_fd, size_t spare_size, struct bh_tape **out,
                              struct bh_err *err)
{
	int again_fd = dup(fd);

	if (bh_tape_open(fd, pty_fd, out, err) == 0) {
		(void)close(again_fd); // nothing was written through it
		return true;
	}
	if (bh_tape_open_blank(again_fd, out, NULL) != 0) {
		tape_open_spare(spare_size, out);
	}
	return false;
}

void bh_tape_free(struct bh_tape *tape)
{
	if (tape != NULL) {
		(void)munmap(tape->header, tape->size); // mapped by us, cannot fail
		bh_fd_close(&tape->fd);
		free(tape);
	}
}

void *bh_tape_notes(const struct bh_tape *tape)
{
	return (uint8_t *)tape->header + HEADER_SIZE - BH_TAPE_NOTES_SIZE;
}

uint64_t bh_tape_offset(const struct bh_tape *tape)
{
	const struct half *half = tape_half(tape);

	return half->offset + half_len(half);
}

// How many bytes to read, with the intent to note. Waiting bytes may be on their way from the
// driver's buffer: poll() moves them. If none are seen even so, one byte is wanted: the read then
// says whether the end has come, and still takes all or nothing.
static uint32_t read_plan(int pty_fd, uint32_t room, uint32_t *intent_out)
{
	uint32_t want = waiting_bytes(pty_fd);

	if (want == 0) {
		struct pollfd poll_fd = {.fd = pty_fd, .events = POLLIN};

		(void)poll(&poll_fd, 1, 0); // only for its effect
		want = waiting_bytes(pty_fd);
	}
	if (want == 0) {
		*intent_out = 1 | INTENT_UNSURE;
		return 1;
	}
	want = want < BH_TAPE_READ_MAX ? want : BH_TAPE_READ_MAX;
	want = want < room ? want : room;
	*intent_out = want;
	return want;
}

int bh_tape_read(struct bh_tape *tape, int pty_fd, struct bh_span *out)
{
	struct half *half = tape_half(tape);
	uint32_t len = half_len(half);
	uint32_t room = output_room(tape, half);
	uint8_t *ahead = half_bytes(tape, half) + half->checkpoint_len + len;
	uint32_t want, intent;
	ssize_t got;
	int rc;

	if (room == 0) {
		return BH_ELIMIT;
	}
	pattern_lay(tape, half);
	want = read_plan(pty_fd, room, &intent);
	half_publish(half, len, intent);
	do {
		got = read(pty_fd, ahead, want);
	} while (got < 0 && errno == EINTR);
	rc = got < 0 ? -errno : 0;
	half_publish(half, got > 0 ? len + (uint32_t)got : len, 0);
	if (got == 0) {
		return -EIO; // other systems say the end of a PTY so
	}
	if (rc == 0) {
		*out = (struct bh_span){.data = (const char *)ahead, .len = (size_t)got};
	}
	return rc;
}

int bh_tape_append(struct bh_tape *tape, const void *bytes, size_t len)
{
	struct half *half = tape_half(tape);
	uint32_t old = half_len(half);

	if (len > output_room(tape, half)) {
		return BH_ELIMIT;
	}
	if (len > 0) {
		memcpy(half_bytes(tape, half) + half->checkpoint_len + old, bytes, len);
	}
	half_publish(half, old + (uint32_t)len, 0);
	if (tape->filled < half_len(half)) {
		tape->filled = half_len(half);
	}
	return 0;
}

int bh_tape_resize(struct bh_tape *tape, uint16_t cols, uint16_t rows)
{
	struct half *half = tape_half(tape);
	struct resize resize = {.at = half_len(half), .cols = cols, .rows = rows};
	uint32_t count = atomic_load(&half->resizes);
	uint64_t word;

	// Of several at one offset only the last matters: a dragged window makes hundreds.
	if (count > 0 && half_resize(tape, half, count - 1)->at == resize.at) {
		count--;
	} else if (output_room(tape, half) < sizeof(resize)) {
		return BH_ELIMIT;
	}
	memcpy(&word, &resize, sizeof(word));
	atomic_store((_Atomic uint64_t *)(void *)half_resize(tape, half, count), word);
	atomic_store(&half->resizes, count + 1);
	return 0;
}

bool bh_tape_wants_checkpoint(const struct bh_tape *tape)
{
	const struct half *half = tape_half(tape);
	uint32_t len = half_len(half);

	return len > OUTPUT_DUE || len > output_room(tape, half);
}

// Give the memory of an unused half back, as far as whole pages are its own.
static void half_release(const struct bh_tape *tape, const struct half *half)
{
	size_t start = (size_t)(half_bytes(tape, half) - (uint8_t *)tape->header);
	size_t end = (start + tape->half_size) / HEADER_SIZE * HEADER_SIZE;

	start = (start + HEADER_SIZE - 1) / HEADER_SIZE * HEADER_SIZE;
	// Only saves memory: where it is not supported, the pages stay.
	(void)madvise((uint8_t *)tape->header + start, end - start, MADV_REMOVE);
}

int bh_tape_checkpoint(struct bh_tape *tape, struct bh_span bytes, uint16_t cols, uint16_t rows)
{
	struct half *old = tape_half(tape);
	uint32_t next = 1 - atomic_load(&tape->header->active);
	struct half *half = &tape->header->halves[next];
	struct half like = {.offset = bh_tape_offset(tape), .cols = cols, .rows = rows};

	if (bytes.len > tape->half_size - OUTPUT_ROOM_MIN) {
		return BH_ELIMIT;
	}
	like.checkpoint_len = (uint32_t)bytes.len;
	half_format(tape, half, &like, bytes.data);
	atomic_store(&tape->header->active, next);
	half_release(tape, old);
	return 0;
}

void bh_tape_set_replied(struct bh_tape *tape, uint64_t offset)
{
	atomic_store(&tape->header->replied, offset);
}

// The last bh_tape_set_replied().
static uint64_t tape_replied(const struct bh_tape *tape)
{
	return atomic_load(&tape->header->replied);
}

bool bh_tape_is_poisoned(const struct bh_tape *tape)
{
	return tape->is_poisoned;
}

void bh_tape_replay_start(struct bh_tape *tape)
{
	tape->has_begun = false;
	tape->replay_at = 0;
	tape->replay_resizes = 0;
}

// The position up to which output can be given in one event.
static uint32_t replay_border(const struct bh_tape *tape, const struct half *half, uint32_t limit)
{
	uint64_t replied = tape_replied(tape);
	uint64_t here = half->offset + tape->replay_at;

	if (replied > here && replied - here < limit - tape->replay_at) {
		limit = tape->replay_at + (uint32_t)(replied - here);
	}
	return limit;
}

bool bh_tape_replay_next(struct bh_tape *tape, size_t max, struct bh_tape_event *out)
{
	const struct half *half = tape_half(tape);
	const char *bytes = (const char *)half_bytes(tape, half);
	uint32_t len = half_len(half);
	uint32_t upto = len;

	atomic_store(&tape->header->mark, 1);
	*out = (struct bh_tape_event){.offset = half->offset + tape->replay_at};
	if (!tape->has_begun) {
		tape->has_begun = true;
		out->kind = BH_TAPE_CHECKPOINT;
		out->bytes = (struct bh_span){bytes, half->checkpoint_len};
		out->cols = half->cols;
		out->rows = half->rows;
		return true;
	}
	if (tape->replay_resizes < atomic_load(&half->resizes)) {
		const struct resize *resize = half_resize(tape, half, tape->replay_resizes);

		upto = resize->at;
		if (upto <= tape->replay_at) {
			tape->replay_resizes++;
			out->kind = BH_TAPE_RESIZE;
			out->cols = resize->cols;
			out->rows = resize->rows;
			return true;
		}
	}
	upto = replay_border(tape, half, upto);
	if (upto <= tape->replay_at) {
		return false;
	}
	if (upto - tape->replay_at > max) {
		upto = tape->replay_at + (uint32_t)max;
	}
	out->kind = BH_TAPE_OUTPUT;
	out->bytes = (struct bh_span){bytes + half->checkpoint_len + tape->replay_at,
	                              upto - tape->replay_at};
	out->is_replied = out->offset < tape_replied(tape);
	tape->replay_at = upto;
	return true;
}

void bh_tape_replay_pause(struct bh_tape *tape)
{
	atomic_store(&tape->header->mark, 0);
}

void bh_tape_replay_end(struct bh_tape *tape)
{
	atomic_store(&tape->header->mark, 0);
	atomic_store(&tape->header->deaths, 0);
}

void bh_tape_wipe(struct bh_tape *tape)
{
	// An empty checkpoint never exceeds the limit.
	(void)bh_tape_checkpoint(tape, (struct bh_span){NULL, 0}, 0, 0);
	tape->is_poisoned = false;
	atomic_store(&tape->header->mark, 0);
	atomic_store(&tape->header->deaths, 0);
}

int bh_tape_save(const struct bh_tape *tape, const char *path, struct bh_err *err)
{
	struct bh_span all = {(const char *)tape->header, tape->size};

	return bh_file_replace(path, all, 0600, BH_FILE_ATOMIC, err);
}
