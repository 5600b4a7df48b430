#include "src/base/log.h"

#include "src/base/buf.h"
#include "src/base/clock.h"
#include "src/base/fd.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const level_words[] = {
	[BH_LOG_ERROR] = "error",
	[BH_LOG_WARN] = "warn",
	[BH_LOG_INFO] = "info",
	[BH_LOG_DEBUG] = "debug",
};

// The sink: the one mutable object at file scope (see log.h). The lock covers all of it.
static struct {
	pthread_mutex_t lock;
	int fd;
	bool is_ours;
	char *path;
	size_t size;
	enum bh_log_level level;
} sink = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static void sink_clear(void)
{
	if (sink.is_ours) {
		bh_fd_close(&sink.fd);
	}
	free(sink.path);
	sink.path = NULL;
	sink.fd = -1;
	sink.is_ours = false;
	sink.size = 0;
}

static int file_open(const char *path, size_t *size_out)
{
	int fd =
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
	struct stat st;

	if (fd < 0) {
		return -errno;
	}
	*size_out = fstat(fd, &st) == 0 ? (size_t)st.st_size : 0;
	return fd;
}

int bh_log_open(const char *path, enum bh_log_level level, struct bh_err *err)
{
	size_t size = 0;
	int fd = file_open(path, &size);

	if (fd < 0) {
		return bh_err_sys(err, -fd, "open log %s", path);
	}
	(void)pthread_mutex_lock(&sink.lock); // cannot fail: a normal, valid mutex
	sink_clear();
	sink.fd = fd;
	sink.is_ours = true;
	sink.path = bh_xstrdup(path);
	sink.size = size;
	sink.level = level;
	(void)pthread_mutex_unlock(&sink.lock); // as above
	return 0;
}

void bh_log_open_fd(int fd, enum bh_log_level level)
{
	(void)pthread_mutex_lock(&sink.lock); // as above
	sink_clear();
	sink.fd = fd;
	sink.level = level;
	(void)pthread_mutex_unlock(&sink.lock); // as above
}

void bh_log_close(void)
{
	(void)pthread_mutex_lock(&sink.lock); // as above
	sink_clear();
	(void)pthread_mutex_unlock(&sink.lock); // as above
}

int bh_log_is_on(enum bh_log_level level)
{
	int is_on;

	(void)pthread_mutex_lock(&sink.lock); // as above
	is_on = sink.fd >= 0 && level <= sink.level;
	(void)pthread_mutex_unlock(&sink.lock); // as above
	return is_on;
}

// Begin a new file when the old one is full. If that fails, the old one goes on.
static void sink_rotate(void)
{
	char *old;
	int fd;

	if (sink.path == NULL || sink.size < BH_LIMIT_LOG) {
		return;
	}
	old = bh_xasprintf("%s.1", sink.path);
	if (bh_file_move(sink.path, old, NULL) == 0) {
		fd = file_open(sink.path, &sink.size);
		if (fd >= 0) {
			bh_fd_close(&sink.fd);
			sink.fd = fd;
		}
	}
	free(old);
}

static void sink_write(enum bh_log_level level, const struct bh_buf *line)
{
	(void)pthread_mutex_lock(&sink.lock); // as above
	if (sink.fd >= 0 && level <= sink.level) {
		sink_rotate();
		// A full disk must not stop the program; the line is lost.
		(void)bh_fd_write_all(sink.fd, line->data, line->len);
		sink.size += line->len;
	}
	(void)pthread_mutex_unlock(&sink.lock); // as above
}

void bh_log(enum bh_log_level level, const char *module, const char *subject, const char *format,
            ...)
{
	struct bh_buf raw = {0};
	struct bh_buf line = {0};
	char at[BH_CLOCK_TEXT];
	va_list args;

	if (!bh_log_is_on(level)) {
		return;
	}
	bh_buf_printf(&raw, "%s %s", module, subject == NULL ? "" : subject);
	if (subject != NULL && subject[0] != '\0') {
		bh_buf_puts(&raw, " ");
	}
	va_start(args, format);
	bh_buf_vprintf(&raw, format, args);
	va_end(args);
	bh_buf_printf(&line, "%s %s ", bh_clock_text(bh_clock_wall_ms(), at), level_words[level]);
	bh_utf8_escape(&line, raw.data, bh_utf8_cut(raw.data, raw.len, BH_LIMIT_LOG_LINE));
	bh_buf_puts(&line, raw.len > BH_LIMIT_LOG_LINE ? "...\n" : "\n");
	sink_write(level, &line);
	bh_buf_clear(&line);
	bh_buf_clear(&raw);
}

int bh_log_level_of(const char *word)
{
	for (int i = 0; i <= BH_LOG_DEBUG; i++) {
		if (strcmp(word, level_words[i]) == 0) {
			return i;
		}
	}
	return -1;
}
