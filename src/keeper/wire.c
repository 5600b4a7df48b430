#include "src/keeper/wire.h"

#include <errno.h>
#include <string.h>

// What is known of a type. The fewest bytes are those of version 1 and must never grow.
struct row {
	uint16_t type;
	uint16_t min_size;
	uint16_t size;
};

#define ROW(name, number, type) {number, sizeof(struct type), sizeof(struct type)},
static const struct row rows[] = {BH_WIRE_LIST(ROW)};
#undef ROW

#define CHECK_SIZE(name, number, type) \
	_Static_assert(sizeof(struct type) <= BH_WIRE_MAX, "BH_WIRE_MAX is too small");
BH_WIRE_LIST(CHECK_SIZE)
#undef CHECK_SIZE

static const struct row *row_find(uint16_t type)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].type == type) {
			return &rows[i];
		}
	}
	return NULL;
}

int bh_wire_read(const void *packet, size_t len, union bh_wire *out)
{
	struct bh_wire_head head;
	const struct row *row;

	memset(out, 0, sizeof(*out));
	if (len < sizeof(head)) {
		return -EPROTO;
	}
	memcpy(&head, packet, sizeof(head));
	if (head.size != len) {
		return -EPROTO;
	}
	out->head = head;
	row = row_find(head.type);
	if (row == NULL) {
		return -ENOSYS;
	}
	if (len < row->min_size) {
		return -EPROTO;
	}
	memcpy(out, packet, len < row->size ? len : row->size);
	if (head.type == BH_WIRE_COMPLAIN) {
		out->as_COMPLAIN.text[BH_WIRE_TEXT - 1] = '\0';
	}
	return 0;
}

size_t bh_wire_prepare(union bh_wire *message, enum bh_wire_type type, uint32_t seq)
{
	const struct row *row = row_find((uint16_t)type);
	uint16_t size = row == NULL ? sizeof(struct bh_wire_head) : row->size;

	message->head = (struct bh_wire_head){.type = (uint16_t)type, .size = size, .seq = seq};
	return size;
}

const char *bh_wire_stage_words(uint32_t stage)
{
	switch (stage) {
#define WORDS(name, number, words) \
	case number: \
		return words;
		BH_WIRE_STAGE_LIST(WORDS)
#undef WORDS
	default:
		return "unknown step";
	}
}
