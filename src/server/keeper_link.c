#include "src/server/keeper_link.h"

#include "src/base/buf.h"
#include "src/base/fd.h"
#include "src/base/limits.h"
#include "src/base/list.h"
#include "src/base/log.h"
#include "src/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Most packets taken in one turn of the loop.
#define TURN_PACKETS 64

struct bh_keeper_link {
	uv_poll_t poll;
	int fd;
	const struct bh_keeper_link_events *events;
	void *user;
	// Packets that the socket did not take yet, and spawns that were not answered yet.
	struct bh_list out, spawns;
	uint32_t seq;
	pid_t pid;
	unsigned crashes;
	bool is_lost;
	bool closing;
};

// A packet that waits, with at most one descriptor (-1: none), which is ours.
struct packet {
	struct bh_list link;
	union bh_wire message;
	size_t size;
	int fd;
};

// A spawn that was asked for.
struct spawn {
	struct bh_list link;
	uint32_t seq;
	bh_keeper_spawned_cb *done;
	void *user;
	// For the sentence of a failure.
	char *command;
};

static void link_watch(struct bh_keeper_link *link);

// ---- sending ----

static int packet_send(const struct bh_keeper_link *link, const union bh_wire *message, size_t size,
                       int fd)
{
	return bh_fd_send(link->fd, message, size, &fd, fd >= 0 ? 1 : 0);
}

// Send, or queue what the socket does not take. @fd is taken.
static int link_send(struct bh_keeper_link *link, const union bh_wire *message, size_t size, int fd)
{
	int code = BH_ECLOSED;

	if (!link->closing && !link->is_lost) {
		code = bh_list_is_empty(&link->out) ? packet_send(link, message, size, fd)
		                                    : -EAGAIN;
	}
	if (code == -EAGAIN) {
		struct packet *packet = bh_xmalloc(sizeof *packet);

		packet->message = *message;
		packet->size = size;
		packet->fd = fd;
		bh_list_append(&link->out, &packet->link);
		link_watch(link);
		return 0;
	}
	bh_fd_close(&fd);
	// A keeper that is gone is reported by the read; here it is enough to say so.
	return code == 0 ? 0 : BH_ECLOSED;
}

static void packet_free(struct packet *packet)
{
	bh_list_remove(&packet->link);
	bh_fd_close(&packet->fd);
	free(packet);
}

static void link_flush(struct bh_keeper_link *link)
{
	while (!bh_list_is_empty(&link->out)) {
		struct packet *packet = bh_container_of(link->out.next, struct packet, link);

		if (packet_send(link, &packet->message, packet->size, packet->fd) == -EAGAIN) {
			return;
		}
		packet_free(packet);
	}
	link_watch(link);
}

static uint32_t link_next_seq(struct bh_keeper_link *link)
{
	link->seq = link->seq == UINT32_MAX ? 1 : link->seq + 1;
	return link->seq;
}

static int link_send_plain(struct bh_keeper_link *link, enum bh_wire_type type)
{
	union bh_wire message = {0};
	size_t size = bh_wire_prepare(&message, type, link_next_seq(link));

	return link_send(link, &message, size, -1);
}

// ---- receiving ----

static void link_lose(struct bh_keeper_link *link, const struct bh_err *err)
{
	if (link->is_lost || link->closing) {
		return;
	}
	link->is_lost = true;
	(void)uv_poll_stop(&link->poll); // never fails
	link->events->lost(link->user, err);
}

static struct spawn *spawn_find(struct bh_keeper_link *link, uint32_t seq)
{
	bh_list_for (at, next, &link->spawns) {
		struct spawn *spawn = bh_container_of(at, struct spawn, link);

		if (spawn->seq == seq) {
			return spawn;
		}
	}
	return NULL;
}

static void spawn_free(struct spawn *spawn)
{
	bh_list_remove(&spawn->link);
	free(spawn->command);
	free(spawn);
}

// Tell a spawn's asker; the spawn is off the list before.
static void spawn_end(struct spawn *spawn, const struct bh_keeper_entry *entry,
                      const struct bh_err *err)
{
	bh_keeper_spawned_cb *done = spawn->done;
	void *user = spawn->user;

	spawn_free(spawn);
	done(user, entry, err);
}

static void spawn_fail(struct spawn *spawn, uint32_t stage, int error)
{
	struct bh_err err = {0};

	if (error > 0) {
		(void)bh_err_sys(&err, error, "start %.80s: %s", spawn->command,
		                 bh_wire_stage_words(stage));
	} else {
		(void)bh_err_set(&err, BH_EPROTOCOL, "start %.80s: %s", spawn->command,
		                 bh_wire_stage_words(stage));
	}
	spawn_end(spawn, NULL, &err);
}

static void take_spawned(struct bh_keeper_link *link, const struct bh_wire_spawned *message,
                         int fds[BH_FD_PASS_MAX])
{
	struct spawn *spawn = spawn_find(link, message->head.seq);

	if (spawn == NULL) {
		return;
	}
	if (message->error != 0 || fds[0] < 0 || fds[1] < 0) {
		spawn_fail(spawn, message->stage, message->error);
		return;
	}
	struct bh_keeper_entry entry = {
		.pid = message->pid,
		.pid_start = message->pid_start,
		.master_fd = fds[0],
		.tape_fd = fds[1],
	};

	(void)memcpy(entry.id.bytes, message->id, sizeof entry.id.bytes);
	fds[0] = -1;
	fds[1] = -1;
	spawn_end(spawn, &entry, NULL);
}

// Master and tape come in this order; a master that is closed is left out.
static void take_entry(struct bh_keeper_link *link, const struct bh_wire_entry *message,
                       int fds[BH_FD_PASS_MAX], size_t fd_count)
{
	struct bh_keeper_entry entry = {
		.pid = message->pid,
		.pid_start = message->pid_start,
		.has_exited = message->has_exited != 0,
		.status = message->status,
		.master_fd = fd_count > 1 ? fds[0] : -1,
		.tape_fd = fd_count > 1 ? fds[1] : fds[0],
	};

	(void)memcpy(entry.id.bytes, message->id, sizeof entry.id.bytes);
	(void)memcpy(entry.data, message->data, sizeof entry.data);
	fds[0] = -1;
	fds[1] = -1;
	link->events->adopted(link->user, &entry);
}

static void take_hello(struct bh_keeper_link *link, const struct bh_wire_hello *message)
{
	bool is_first = link->pid == 0;

	link->pid = message->pid;
	link->crashes = message->crashes;
	// A keeper that was upgraded greets again; what it holds is known then.
	if (is_first && link_send_plain(link, BH_WIRE_LIST) != 0) {
		const struct bh_err err = {.code = BH_ECLOSED, .text = "ask for the terminals"};

		link_lose(link, &err);
	}
}

static void take_refused(struct bh_keeper_link *link, const struct bh_wire_refused *message)
{
	struct spawn *spawn = spawn_find(link, message->head.seq);

	if (spawn != NULL) {
		spawn_fail(spawn, BH_WIRE_STAGE_REQUEST, message->error);
		return;
	}
	bh_log(BH_LOG_WARN, "keeper_link", "", "the keeper refused request %u: %s", message->type,
	       strerror(message->error));
}

static void take_exited(struct bh_keeper_link *link, const struct bh_wire_exited *message)
{
	struct bh_uuid id;

	(void)memcpy(id.bytes, message->id, sizeof id.bytes);
	link->events->exited(link->user, &id, message->status);
}

static void take_message(struct bh_keeper_link *link, const union bh_wire *message,
                         int fds[BH_FD_PASS_MAX], size_t fd_count)
{
	switch ((enum bh_wire_type)message->head.type) {
	case BH_WIRE_HELLO:
		take_hello(link, &message->as_HELLO);
		break;
	case BH_WIRE_ENTRY:
		take_entry(link, &message->as_ENTRY, fds, fd_count);
		break;
	case BH_WIRE_LISTED:
		link->events->ready(link->user);
		break;
	case BH_WIRE_SPAWNED:
		take_spawned(link, &message->as_SPAWNED, fds);
		break;
	case BH_WIRE_EXITED:
		take_exited(link, &message->as_EXITED);
		break;
	case BH_WIRE_DONE:
		link->events->done(link->user);
		break;
	case BH_WIRE_REFUSED:
		take_refused(link, &message->as_REFUSED);
		break;
	case BH_WIRE_SPAWN:
	case BH_WIRE_LIST:
	case BH_WIRE_FORGET:
	case BH_WIRE_SIGNAL:
	case BH_WIRE_SHUTDOWN:
	case BH_WIRE_UPGRADE:
	case BH_WIRE_COMPLAIN:
		break; // only a server says these
	}
}

// Take one packet; false when there is none or the keeper is lost.
static bool link_receive(struct bh_keeper_link *link)
{
	char packet[BH_WIRE_MAX];
	int fds[BH_FD_PASS_MAX];
	size_t fd_count = 0;
	union bh_wire message;
	struct bh_err err = {0};
	ssize_t len = bh_fd_recv(link->fd, packet, sizeof packet, fds, &fd_count);

	if (len == -EAGAIN || len == -EINTR) {
		return false;
	}
	if (len <= 0) {
		(void)(len == 0 ? bh_err_set(&err, BH_ECLOSED, "the keeper closed the connection")
		                : bh_err_sys(&err, (int)-len, "read from the keeper"));
		link_lose(link, &err);
		return false;
	}
	int code = bh_wire_read(packet, (size_t)len, &message);

	if (code == 0) {
		take_message(link, &message, fds, fd_count);
	} else if (code != -ENOSYS) {
		(void)bh_err_set(&err, BH_EPROTOCOL, "the keeper sent what is no message");
		link_lose(link, &err);
	}
	for (size_t i = 0; i < BH_FD_PASS_MAX; i++) {
		bh_fd_close(&fds[i]); // those that nobody took
	}
	return !link->closing && !link->is_lost;
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
	struct bh_keeper_link *link = bh_container_of(poll, struct bh_keeper_link, poll);

	if ((events & UV_WRITABLE) != 0) {
		link_flush(link);
	}
	if (status < 0 || (events & (UV_READABLE | UV_DISCONNECT)) != 0) {
		for (int i = 0; i < TURN_PACKETS && link_receive(link); i++) {
			// the rest comes in the next turn
		}
	}
}

static void link_watch(struct bh_keeper_link *link)
{
	int events = UV_READABLE | UV_DISCONNECT;

	if (!link->closing && !link->is_lost) {
		events |= bh_list_is_empty(&link->out) ? 0 : UV_WRITABLE;
		(void)uv_poll_start(&link->poll, events, on_poll); // fails only while closing
	}
}

// ---- life ----

int bh_keeper_link_start(uv_loop_t *loop, int fd, const struct bh_keeper_link_events *events,
                         void *user, struct bh_keeper_link **out, struct bh_err *err)
{
	struct bh_keeper_link *link = bh_xmalloc(sizeof *link);
	union bh_wire message = {0};
	size_t size = bh_wire_prepare(&message, BH_WIRE_HELLO, 0);
	int code = bh_fd_set_nonblock(fd, true);

	link->fd = fd;
	link->events = events;
	link->user = user;
	bh_list_init(&link->out);
	bh_list_init(&link->spawns);
	message.as_HELLO.version = BH_WIRE_VERSION;
	message.as_HELLO.pid = getpid();
	code = code == 0 ? bh_fd_set_cloexec(fd, true) : code;
	code = code == 0 ? bh_fd_send(fd, &message, size, NULL, 0) : code;
	code = code == 0 ? uv_poll_init(loop, &link->poll, fd) : code;
	if (code != 0) {
		bh_fd_close(&link->fd);
		free(link);
		return bh_err_sys(err, -code, "talk to the keeper");
	}
	link_watch(link);
	*out = link;
	return 0;
}

static void on_closed(uv_handle_t *handle)
{
	struct bh_keeper_link *link =
		bh_container_of((uv_poll_t *)handle, struct bh_keeper_link, poll);
	const struct bh_keeper_link_events *events = link->events;
	void *user = link->user;

	bh_list_for (at, next, &link->out) {
		packet_free(bh_container_of(at, struct packet, link));
	}
	bh_list_for (at, next, &link->spawns) {
		spawn_free(bh_container_of(at, struct spawn, link));
	}
	free(link);
	events->closed(user);
}

void bh_keeper_link_close(struct bh_keeper_link *link)
{
	if (link->closing) {
		return;
	}
	link->closing = true;
	(void)uv_poll_stop(&link->poll); // before the descriptor goes, as libuv demands
	bh_fd_close(&link->fd);
	uv_close((uv_handle_t *)&link->poll, on_closed);
}

pid_t bh_keeper_link_pid(const struct bh_keeper_link *link)
{
	return link->pid;
}

unsigned bh_keeper_link_crashes(const struct bh_keeper_link *link)
{
	return link->crashes;
}

// ---- requests ----

// Append a vector's strings, each with its NUL; gives their number.
static uint32_t strings_append(struct bh_buf *out, const char *const *strings)
{
	uint32_t count = 0;

	for (; strings[count] != NULL; count++) {
		bh_buf_append(out, strings[count], strlen(strings[count]) + 1);
	}
	return count;
}

static int strings_to_memfd(const struct bh_buf *strings)
{
	int fd = memfd_create("bellhop-spawn", MFD_CLOEXEC);
	int code = fd < 0 ? -errno : bh_fd_write_all(fd, strings->data, strings->len);

	if (code != 0) {
		bh_fd_close(&fd);
		return code;
	}
	return fd;
}

static void spawn_queue(struct bh_keeper_link *link, uint32_t seq, const char *command,
                        bh_keeper_spawned_cb *done, void *user)
{
	struct spawn *spawn = bh_xmalloc(sizeof *spawn);

	spawn->seq = seq;
	spawn->command = bh_xstrdup(command);
	spawn->done = done;
	spawn->user = user;
	bh_list_append(&link->spawns, &spawn->link);
}

int bh_keeper_link_spawn(struct bh_keeper_link *link, const struct bh_keeper_spawn *spawn,
                         bh_keeper_spawned_cb *done, void *user, struct bh_err *err)
{
	union bh_wire message = {0};
	uint32_t seq = link_next_seq(link);
	size_t size = bh_wire_prepare(&message, BH_WIRE_SPAWN, seq);
	struct bh_buf strings = {0};

	(void)memcpy(message.as_SPAWN.id, spawn->id.bytes, sizeof message.as_SPAWN.id);
	message.as_SPAWN.argc = strings_append(&strings, spawn->argv);
	message.as_SPAWN.envc = strings_append(&strings, spawn->env);
	const char *cwd = spawn->cwd != NULL ? spawn->cwd : "/";

	bh_buf_append(&strings, cwd, strlen(cwd) + 1);
	message.as_SPAWN.bytes = (uint32_t)strings.len;
	message.as_SPAWN.tape_size = (uint32_t)spawn->tape_size;
	message.as_SPAWN.cols = spawn->cols;
	message.as_SPAWN.rows = spawn->rows;
	(void)memcpy(message.as_SPAWN.data, spawn->data, sizeof message.as_SPAWN.data);
	if (message.as_SPAWN.argc == 0 || message.as_SPAWN.argc > BH_WIRE_STRINGS ||
	    message.as_SPAWN.envc > BH_WIRE_STRINGS || strings.len > BH_WIRE_STRINGS_BYTES) {
		bh_buf_clear(&strings);
		return bh_err_set(err, BH_EINVALID,
		                  "arguments and environment of a child have at most %d strings "
		                  "each and %d bytes together",
		                  BH_WIRE_STRINGS, BH_WIRE_STRINGS_BYTES);
	}
	int fd = strings_to_memfd(&strings);

	bh_buf_clear(&strings);
	if (fd < 0) {
		return bh_err_sys(err, -fd, "hand the arguments to the keeper");
	}
	if (link_send(link, &message, size, fd) != 0) {
		return bh_err_set(err, BH_ECLOSED, "the keeper is gone");
	}
	spawn_queue(link, seq, spawn->argv[0], done, user);
	return 0;
}

int bh_keeper_link_forget(struct bh_keeper_link *link, const struct bh_uuid *id)
{
	union bh_wire message = {0};
	size_t size = bh_wire_prepare(&message, BH_WIRE_FORGET, link_next_seq(link));

	(void)memcpy(message.as_FORGET.id, id->bytes, sizeof message.as_FORGET.id);
	return link_send(link, &message, size, -1);
}

int bh_keeper_link_signal(struct bh_keeper_link *link, const struct bh_uuid *id, int signal,
                          enum bh_wire_target target)
{
	union bh_wire message = {0};
	size_t size = bh_wire_prepare(&message, BH_WIRE_SIGNAL, link_next_seq(link));

	(void)memcpy(message.as_SIGNAL.id, id->bytes, sizeof message.as_SIGNAL.id);
	message.as_SIGNAL.signal = signal;
	message.as_SIGNAL.target = target;
	return link_send(link, &message, size, -1);
}

int bh_keeper_link_shutdown(struct bh_keeper_link *link)
{
	return link_send_plain(link, BH_WIRE_SHUTDOWN);
}

int bh_keeper_link_upgrade(struct bh_keeper_link *link)
{
	return link_send_plain(link, BH_WIRE_UPGRADE);
}

int bh_keeper_link_complain_fd(int fd, const char *text)
{
	union bh_wire message = {0};
	size_t size = bh_wire_prepare(&message, BH_WIRE_COMPLAIN, 0);

	(void)snprintf(message.as_COMPLAIN.text, sizeof message.as_COMPLAIN.text, "%s",
	               text); // a cut sentence is good enough
	return bh_fd_send(fd, &message, size, NULL, 0);
}

int bh_keeper_link_complain(struct bh_keeper_link *link, const char *text)
{
	return bh_keeper_link_complain_fd(link->fd, text);
}
