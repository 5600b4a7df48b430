#include "src/server/key_marks.h"

#include "src/base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A client, as it outlives the server.
struct mark {
	_Atomic uint64_t token; // 0: free
	_Atomic uint64_t taken; // bytes written to the program, or dropped
	_Atomic uint64_t came;  // counts up with each that comes
};

_Static_assert(sizeof(struct mark) * BH_KEY_MARKS_CLIENTS == BH_KEY_MARKS_SIZE, "they fit");

// A piece of the queue; or, of no length there, keys that are counted when their turn comes.
struct piece {
	int client;
	size_t queued;
	size_t counted;
};

struct bh_key_marks {
	struct mark *memory;
	// As in memory, but without what is being written.
	uint64_t taken[BH_KEY_MARKS_CLIENTS];
	size_t held[BH_KEY_MARKS_CLIENTS];
	struct piece *pieces;
	size_t count;
	size_t room;
};

struct bh_key_marks *bh_key_marks_new(void *memory)
{
	struct bh_key_marks *marks = bh_xmalloc(sizeof *marks);

	marks->memory = memory;
	for (size_t i = 0; i < BH_KEY_MARKS_CLIENTS; i++) {
		marks->taken[i] = atomic_load(&marks->memory[i].taken);
	}
	return marks;
}

void bh_key_marks_free(struct bh_key_marks *marks)
{
	if (marks != NULL) {
		free(marks->pieces);
		free(marks);
	}
}

int bh_key_marks_find(const struct bh_key_marks *marks, uint64_t token)
{
	for (int i = 0; marks != NULL && token != 0 && i < BH_KEY_MARKS_CLIENTS; i++) {
		if (atomic_load(&marks->memory[i].token) == token) {
			return i;
		}
	}
	return BH_KEY_MARKS_NOBODY;
}

// Write down how far the keys of a client went.
static void mark_publish(struct bh_key_marks *marks, int client, uint64_t taken)
{
	if (client != BH_KEY_MARKS_NOBODY) {
		atomic_store(&marks->memory[client].taken, taken);
	}
}

// The place of the client that came longest ago becomes the new one's.
static int mark_replace(struct bh_key_marks *marks, uint64_t token)
{
	int oldest = 0;

	for (int i = 1; i < BH_KEY_MARKS_CLIENTS; i++) {
		if (atomic_load(&marks->memory[i].came) <
		    atomic_load(&marks->memory[oldest].came)) {
			oldest = i;
		}
	}
	for (size_t i = 0; i < marks->count; i++) {
		if (marks->pieces[i].client == oldest) {
			marks->pieces[i].client = BH_KEY_MARKS_NOBODY;
		}
	}
	atomic_store(&marks->memory[oldest].token, 0);
	marks->taken[oldest] = 0;
	marks->held[oldest] = 0;
	mark_publish(marks, oldest, 0);
	atomic_store(&marks->memory[oldest].token, token);
	return oldest;
}

static uint64_t next_coming(const struct bh_key_marks *marks)
{
	uint64_t newest = 0;

	for (size_t i = 0; i < BH_KEY_MARKS_CLIENTS; i++) {
		uint64_t came = atomic_load(&marks->memory[i].came);

		newest = came > newest ? came : newest;
	}
	return newest + 1;
}

bool bh_key_marks_open(struct bh_key_marks *marks, uint64_t token, uint64_t *count_out)
{
	int client = bh_key_marks_find(marks, token);
	bool is_known = client != BH_KEY_MARKS_NOBODY;

	if (marks == NULL || token == 0) {
		return false;
	}
	if (is_known) {
		// What waits here was taken, too: this server will write it.
		*count_out = marks->taken[client] + marks->held[client];
		for (size_t i = 0; i < marks->count; i++) {
			*count_out +=
				marks->pieces[i].client == client ? marks->pieces[i].counted : 0;
		}
	} else {
		client = mark_replace(marks, token);
	}
	atomic_store(&marks->memory[client].came, next_coming(marks));
	return is_known;
}

// Add at the end; what is one piece with the last becomes so.
static void piece_add(struct bh_key_marks *marks, struct piece piece)
{
	struct piece *last = marks->count > 0 ? &marks->pieces[marks->count - 1] : NULL;

	if (last != NULL && last->client == piece.client && last->queued > 0 && piece.queued > 0) {
		last->queued += piece.queued;
		last->counted += piece.counted;
		return;
	}
	if (marks->count == marks->room) {
		marks->room = marks->room == 0 ? 4 : 2 * marks->room;
		marks->pieces = bh_xrealloc(marks->pieces, marks->room, sizeof *marks->pieces);
	}
	marks->pieces[marks->count++] = piece;
}

// The first pieces are done with.
static void pieces_drop(struct bh_key_marks *marks, size_t count)
{
	if (count > 0) {
		marks->count -= count;
		memmove(marks->pieces, marks->pieces + count, marks->count * sizeof *marks->pieces);
	}
}

void bh_key_marks_queue(struct bh_key_marks *marks, int client, size_t len)
{
	size_t counted = client == BH_KEY_MARKS_NOBODY ? 0 : len;

	if (marks != NULL && len > 0) {
		piece_add(marks,
		          (struct piece){.client = client, .queued = len, .counted = counted});
	}
}

void bh_key_marks_count(struct bh_key_marks *marks, int client, size_t len)
{
	if (marks == NULL || client == BH_KEY_MARKS_NOBODY || len == 0) {
		return;
	}
	piece_add(marks, (struct piece){.client = client, .counted = len});
	bh_key_marks_wrote(marks, 0);
}

void bh_key_marks_hold(struct bh_key_marks *marks, int client, size_t len)
{
	if (marks != NULL && client != BH_KEY_MARKS_NOBODY) {
		marks->held[client] += len;
	}
}

void bh_key_marks_release(struct bh_key_marks *marks)
{
	for (int i = 0; marks != NULL && i < BH_KEY_MARKS_CLIENTS; i++) {
		size_t held = marks->held[i];

		marks->held[i] = 0;
		bh_key_marks_count(marks, i, held);
	}
}

void bh_key_marks_writing(struct bh_key_marks *marks, size_t len)
{
	uint64_t ahead[BH_KEY_MARKS_CLIENTS] = {0};

	for (size_t i = 0; marks != NULL && i < marks->count && len > 0; i++) {
		const struct piece *piece = &marks->pieces[i];
		size_t part = piece->queued < len ? piece->queued : len;

		len -= part;
		if (piece->client != BH_KEY_MARKS_NOBODY) {
			ahead[piece->client] += piece->queued == 0 ? piece->counted : part;
			mark_publish(marks, piece->client,
			             marks->taken[piece->client] + ahead[piece->client]);
		}
	}
}

void bh_key_marks_wrote(struct bh_key_marks *marks, size_t len)
{
	size_t done = 0;

	for (; marks != NULL && done < marks->count; done++) {
		struct piece *piece = &marks->pieces[done];
		size_t part = piece->queued < len ? piece->queued : len;

		if (piece->queued > 0 && part == 0) {
			break;
		}
		if (piece->client != BH_KEY_MARKS_NOBODY) {
			marks->taken[piece->client] += piece->queued == 0 ? piece->counted : part;
			piece->counted -= piece->queued == 0 ? 0 : part;
		}
		len -= part;
		piece->queued -= part;
		if (piece->queued > 0) {
			break;
		}
	}
	if (marks == NULL) {
		return;
	}
	pieces_drop(marks, done);
	for (int i = 0; i < BH_KEY_MARKS_CLIENTS; i++) {
		mark_publish(marks, i, marks->taken[i]);
	}
}
