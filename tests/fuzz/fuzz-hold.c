/**
 * What comes from outside into the ground floor: any bytes give a result or an error.
 *
 * The first byte of the input chooses the reader, the rest is what it reads: a packet of the
 * keeper's socket, the head of a tape (which is then replayed and written), a connection's input, a
 * JSON text, text to escape.
 */
#include "src/base/buf.h"
#include "src/base/frame.h"
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/utf8.h"
#include "src/base/uuid.h"
#include "src/keeper/wire.h"
#include "src/server/tape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TAPE_SIZE (64 * 1024)

// For what must hold; a fuzzer counts an abort as a finding.
static void require(bool holds)
{
	if (!holds) {
		abort();
	}
}

static void read_packet(const char *data, size_t size)
{
	union bh_wire message;

	if (bh_wire_read(data, size, &message) == 0) {
		require(message.head.size == size);
		require(strlen(bh_wire_stage_words(message.as_SPAWNED.stage)) > 0);
	}
}

static void replay(struct bh_tape *tape)
{
	struct bh_tape_event event;
	uint64_t offset = 0;
	bool has_begun = false;
	size_t sum = 0;

	bh_tape_replay_start(tape);
	while (bh_tape_replay_next(tape, 1000, &event)) {
		require(has_begun == (event.kind != BH_TAPE_CHECKPOINT));
		require(!has_begun || event.offset == offset); // without a gap
		offset = event.offset + (event.kind == BH_TAPE_OUTPUT ? event.bytes.len : 0);
		has_begun = true;
		for (size_t i = 0; i < event.bytes.len; i++) {
			sum += (uint8_t)event.bytes.data[i]; // every byte must be readable
		}
	}
	require(has_begun && offset == bh_tape_offset(tape) && sum < SIZE_MAX);
	bh_tape_replay_end(tape);
}

// The input is laid over the start of a sound tape that has something of everything.
static void open_tape(const char *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct bh_tape *tape = NULL;

	require(fd >= 0 && ftruncate(fd, TAPE_SIZE) == 0);
	require(bh_tape_open(dup(fd), -1, &tape, NULL) == 0);
	require(bh_tape_checkpoint(tape, (struct bh_span){"checkpoint", 10}, 80, 24) == 0);
	require(bh_tape_append(tape, "output", 6) == 0 && bh_tape_resize(tape, 90, 30) == 0);
	bh_tape_free(tape);
	require(pwrite(fd, data, size < TAPE_SIZE ? size : TAPE_SIZE, 8) >= 0);
	if (bh_tape_open(fd, -1, &tape, NULL) == 0) {
		uint64_t offset = bh_tape_offset(tape);

		replay(tape);
		if (bh_tape_append(tape, "more", 4) == 0) {
			require(bh_tape_offset(tape) == offset + 4);
		}
		(void)bh_tape_resize(tape, 3, 3); // full is an answer, too
		require(bh_tape_checkpoint(tape, (struct bh_span){"c", 1}, 80, 24) == 0);
		replay(tape);
		bh_tape_free(tape);
	}
}

static void split_input(const char *data, size_t size)
{
	struct bh_span rest = {data, size};
	struct bh_frame_unit unit;

	while (bh_frame_split(rest, &unit, NULL) == 0 && unit.kind != BH_FRAME_PARTIAL) {
		struct bh_frame_snapshot snapshot;
		struct bh_frame_size screen;
		int32_t status;

		require(unit.used > 0 && unit.used <= rest.len);
		if (unit.kind == BH_FRAME_BINARY) {
			(void)bh_frame_read_resize(unit.frame.payload, &screen);
			(void)bh_frame_read_exit(unit.frame.payload, &status);
			if (bh_frame_read_snapshot(unit.frame.payload, &snapshot) == 0) {
				require(snapshot.repaint.len < unit.frame.payload.len);
			}
		}
		rest.data += unit.used;
		rest.len -= unit.used;
	}
}

static void parse_json(const char *data, size_t size)
{
	cJSON *object = bh_json_parse_object(data, size, NULL);
	const char **strings = NULL;
	const char *text = NULL;
	const cJSON *inner = NULL;
	int64_t number = 7;
	bool is_true = false;
	char *printed;

	if (object == NULL) {
		return;
	}
	if (bh_json_get_str(object, "name", 10, &text, NULL) == 0) {
		require(strlen(text) <= 10);
	}
	if (bh_json_get_int(object, "a", -5, 5, &number, NULL) == 0) {
		require(number >= -5 && number <= 5);
	}
	(void)bh_json_opt_bool(object, "a", &is_true, NULL);
	(void)bh_json_opt_object(object, "a", &inner, NULL);
	if (bh_json_get_strv(object, "a", 3, &strings, NULL) == 0) {
		free(strings);
	}
	printed = bh_json_print(object);
	require(bh_utf8_is_valid(printed, strlen(printed)));
	free(printed);
	cJSON_Delete(object);
}

static void escape_text(const char *data, size_t size)
{
	struct bh_uuid uuid = bh_uuid_new();
	struct bh_buf out = {0};
	size_t cut = bh_utf8_cut(data, size, size / 2);

	bh_utf8_escape(&out, data, size);
	require(bh_utf8_is_valid(out.data == NULL ? "" : out.data, out.len));
	for (size_t i = 0; out.data != NULL && i < out.len; i++) {
		require((uint8_t)out.data[i] >= 0x20 && out.data[i] != 0x7f);
	}
	require(cut <= size / 2 && (!bh_utf8_is_valid(data, size) || bh_utf8_is_valid(data, cut)));
	bh_buf_clear(&out);
	bh_buf_append(&out, data, size);
	(void)bh_uuid_has_prefix(&uuid, out.data); // as text, up to its first NUL
	(void)bh_uuid_parse(out.data, &uuid);
	bh_buf_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(const char *, size_t) = {
		read_packet, open_tape, split_input, parse_json, escape_text,
	};
	const size_t count = sizeof(readers) / sizeof(readers[0]);

	if (size > 0) {
		readers[data[0] % count]((const char *)data + 1, size - 1);
	}
	return 0;
}
