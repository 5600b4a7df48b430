#include "src/base/frame.h"

#include "src/base/limits.h"

#include <string.h>

// Little endian numbers, independent of the machine's order.
static void put_le(uint8_t *out, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		out[i] = (uint8_t)(value >> (8 * i));
	}
}

static uint64_t get_le(const char *in, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++) {
		value |= (uint64_t)(uint8_t)in[i] << (8 * i);
	}
	return value;
}

static int split_line(struct bh_span input, struct bh_frame_unit *out, struct bh_err *err)
{
	size_t max = input.len < BH_LIMIT_LINE ? input.len : BH_LIMIT_LINE;
	const char *end = memchr(input.data, '\n', max);

	if (end == NULL && input.len >= BH_LIMIT_LINE) {
		return bh_err_set(err, BH_ELIMIT, "a line is longer than %d bytes", BH_LIMIT_LINE);
	}
	if (end != NULL) {
		out->kind = BH_FRAME_LINE;
		out->line = (struct bh_span){input.data, (size_t)(end - input.data)};
		out->used = out->line.len + 1;
	}
	return 0;
}

static int split_frame(struct bh_span input, struct bh_frame_unit *out, struct bh_err *err)
{
	size_t len;

	if (input.len < BH_FRAME_HEADER) {
		return 0;
	}
	len = (size_t)get_le(input.data + 4, 4);
	if (len > BH_LIMIT_FRAME) {
		return bh_err_set(err, BH_ELIMIT, "a frame is longer than %d bytes",
		                  BH_LIMIT_FRAME);
	}
	if (input.len - BH_FRAME_HEADER < len) {
		return 0;
	}
	out->kind = BH_FRAME_BINARY;
	out->frame.type = (uint8_t)input.data[1];
	out->frame.stream = (uint16_t)get_le(input.data + 2, 2);
	out->frame.payload = (struct bh_span){input.data + BH_FRAME_HEADER, len};
	out->used = BH_FRAME_HEADER + len;
	return 0;
}

int bh_frame_split(struct bh_span input, struct bh_frame_unit *out, struct bh_err *err)
{
	*out = (struct bh_frame_unit){.kind = BH_FRAME_PARTIAL};
	if (input.len == 0) {
		return 0;
	}
	return input.data[0] == '\0' ? split_frame(input, out, err) : split_line(input, out, err);
}

static void header_append(struct bh_buf *out, enum bh_frame_type type, uint16_t stream, size_t len)
{
	uint8_t header[BH_FRAME_HEADER] = {0, (uint8_t)type};

	if (len > BH_LIMIT_FRAME) {
		BH_BUG("frame payload beyond its limit");
	}
	put_le(header + 2, stream, 2);
	put_le(header + 4, len, 4);
	bh_buf_append(out, header, sizeof(header));
}

void bh_frame_append(struct bh_buf *out, enum bh_frame_type type, uint16_t stream,
                     struct bh_span payload)
{
	header_append(out, type, stream, payload.len);
	bh_buf_append(out, payload.data, payload.len);
}

void bh_frame_append_resize(struct bh_buf *out, uint16_t stream, struct bh_frame_size size)
{
	uint8_t payload[4];

	put_le(payload, size.cols, 2);
	put_le(payload + 2, size.rows, 2);
	header_append(out, BH_FRAME_RESIZE, stream, sizeof(payload));
	bh_buf_append(out, payload, sizeof(payload));
}

void bh_frame_append_snapshot(struct bh_buf *out, uint16_t stream,
                              const struct bh_frame_snapshot *snapshot)
{
	uint8_t start[BH_FRAME_SNAPSHOT_HEADER];

	put_le(start, snapshot->offset, 8);
	put_le(start + 8, snapshot->size.cols, 2);
	put_le(start + 10, snapshot->size.rows, 2);
	header_append(out, BH_FRAME_SNAPSHOT, stream, sizeof(start) + snapshot->repaint.len);
	bh_buf_append(out, start, sizeof(start));
	bh_buf_append(out, snapshot->repaint.data, snapshot->repaint.len);
}

void bh_frame_append_exit(struct bh_buf *out, uint16_t stream, int32_t status)
{
	uint8_t payload[4];

	put_le(payload, (uint32_t)status, sizeof(payload));
	header_append(out, BH_FRAME_EXIT, stream, sizeof(payload));
	bh_buf_append(out, payload, sizeof(payload));
}

int bh_frame_read_resize(struct bh_span payload, struct bh_frame_size *out)
{
	if (payload.len < 4) {
		return BH_EPROTOCOL;
	}
	out->cols = (uint16_t)get_le(payload.data, 2);
	out->rows = (uint16_t)get_le(payload.data + 2, 2);
	return 0;
}

int bh_frame_read_snapshot(struct bh_span payload, struct bh_frame_snapshot *out)
{
	if (payload.len < BH_FRAME_SNAPSHOT_HEADER) {
		return BH_EPROTOCOL;
	}
	out->offset = get_le(payload.data, 8);
	out->size.cols = (uint16_t)get_le(payload.data + 8, 2);
	out->size.rows = (uint16_t)get_le(payload.data + 10, 2);
	out->repaint = (struct bh_span){payload.data + BH_FRAME_SNAPSHOT_HEADER,
	                                payload.len - BH_FRAME_SNAPSHOT_HEADER};
	return 0;
}

int bh_frame_read_exit(struct bh_span payload, int32_t *status_out)
{
	if (payload.len < 4) {
		return BH_EPROTOCOL;
	}
	*status_out = (int32_t)(uint32_t)get_le(payload.data, 4);
	return 0;
}
