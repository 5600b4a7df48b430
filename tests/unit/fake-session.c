#include "fake-session.h"

#include "fake-server.h"
#include "src/base/frame.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** Exit statuses. */
enum {
	WRONG_LINE = 1,
	WRONG_KEYS,
	WRONG_MORE,
	FAILED_WRITE,
};

void fake_session_line(int fd, const char *wanted, const char *answer)
{
	char line[4000];

	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, wanted) == NULL) {
		(void)fprintf(stderr, "wanted %s, got %s\n", wanted, line);
		_exit(WRONG_LINE);
	}
	fake_server_write(fd, answer);
}

void fake_session_keys(int fd, int stream, const char *wanted)
{
	char bytes[BH_FRAME_HEADER + 256];
	size_t len = BH_FRAME_HEADER + strlen(wanted);
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(fd, bytes + got, len - got);

		if (n <= 0) {
			(void)fprintf(stderr, "wanted keys, got the end\n");
			_exit(WRONG_KEYS);
		}
		got += (size_t)n;
	}
	if (bytes[1] != BH_FRAME_INPUT || bytes[2] != stream ||
	    memcmp(bytes + BH_FRAME_HEADER, wanted, strlen(wanted)) != 0) {
		(void)fprintf(stderr, "wanted keys for stream %d, got %.*s\n", stream, (int)got,
		              bytes);
		_exit(WRONG_KEYS);
	}
}

static void write_frames(int fd, struct bh_buf *out)
{
	if (write(fd, out->data, out->len) != (ssize_t)out->len) {
		_exit(FAILED_WRITE);
	}
	bh_buf_clear(out);
}

void fake_session_output(int fd, int stream, const char *text)
{
	struct bh_buf out = {0};

	bh_frame_append(&out, BH_FRAME_OUTPUT, (uint16_t)stream, bh_span_of(text));
	write_frames(fd, &out);
}

void fake_session_snapshot(int fd, int stream, int cols, int rows, const char *repaint)
{
	struct bh_frame_snapshot snapshot = {.size = {(uint16_t)cols, (uint16_t)rows},
	                                     .repaint = bh_span_of(repaint)};
	struct bh_buf out = {0};

	bh_frame_append_snapshot(&out, (uint16_t)stream, &snapshot);
	write_frames(fd, &out);
}

void fake_session_over(int fd)
{
	char line[4000];

	while (fake_server_read_line(fd, line, sizeof(line)) > 0) {
		if (strstr(line, "\"terminal.detach\"") == NULL) {
			(void)fprintf(stderr, "wanted the end, got %s\n", line);
			_exit(WRONG_MORE);
		}
	}
}

void fake_session_swallow(int fd)
{
	char byte = 0;

	while (read(fd, &byte, 1) > 0) {
	}
}
