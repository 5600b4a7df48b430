#include "src/server/keeper_link.h"

#include "src/base/buf.h"
#include "src/base/fd.h"
#include "src/base/list.h"
#include "src/base/log.h"
#include "src/base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Packets read in one loop turn, so that a long list delays nobody else.
#define PACKETS_PER_TURN 64

// A packet that waits for room in the socket.
struct packet {
	struct bh_list link;
	int fd; // passed along; -1: none
	size_t len;
	union bh_wire message;
};

// A spawn that has no outcome yet.
struct pending {
	struct bh_list link;
	uint32_t seq;
	bh_keeper_spawned_cb *done;
	void *user;
	char *program;
};

// A ping that has no answer yet.
struct ping {
	struct bh_list link;
	uint32_t seq;
	bh_keeper_pinged_cb *done;
	void *user;
};

// A child that runs although its spawn was reported as failed; it is being ended.
struct orphan {
	struct bh_list link;
	struct bh_uuid id;
};

struct bh_keeper_link {
	uv_poll_t poll;
	int fd;
	const struct bh_keeper_link_events *events;
	void *user;
	uint32_t seq;
	struct bh_list packets;
	struct bh_list pendings;
	struct bh_list pings;
	struct bh_list orphans;
	uint32_t version; // spoken by both; 0: not greeted yet
	pid_t keeper_pid;
	unsigned crashes;
	unsigned starts;
	bool is_ready;
	bool is_lost;
	bool closing;
};

static void on_poll(uv_poll_t *poll, int status, int events);

static void packet_free(struct packet *packet)
{
	bh_list_remove(&packet->link);
	bh_fd_close(&packet->fd);
	free(packet);
}

static void pending_free(struct pending *pending)
{
	bh_list_remove(&pending->link);
	free(pending->program);
	free(pending);
}

static void poll_update(struct bh_keeper_link *link)
{
	int events = UV_READABLE | (bh_list_is_empty(&link->packets) ? 0 : UV_WRITABLE);

	if (!link->closing && !link->is_lost) {
		(void)uv_poll_start(&link->poll, events, on_poll); // fails only while closing
	}
}

// Send what waits, in order. A broken socket shows as an event of the poll.
static void packets_flush(struct bh_keeper_link *link)
{
	bh_list_for (at, after, &link->packets) {
		struct packet *packet = bh_container_of(at, struct packet, link);
		int rc = bh_fd_send(link->fd, &packet->message, packet->len, &packet->fd,
		                    packet->fd >= 0 ? 1 : 0);

		if (rc == -EAGAIN || rc == -ENOBUFS || rc == -ETOOMANYREFS) {
			break;
		}
		packet_free(packet);
	}
	poll_update(link);
}

// Queue a message and try to send it at once. Takes @fd.
static int link_send(struct bh_keeper_link *link, const union bh_wire *message, size_t len, int fd)
{
	struct packet *packet;

	if (link->is_lost || link->closing) {
		bh_fd_close(&fd);
		return BH_ECLOSED;
	}
	packet = bh_xmalloc(sizeof(*packet));
	packet->message = *message;
	packet->len = len;
	packet->fd = fd;
	bh_list_init(&packet->link);
	bh_list_append(&link->packets, &packet->link);
	packets_flush(link);
	return 0;
}

static void ping_end(struct ping *ping, const struct bh_keeper_health *health,
                     const struct bh_err *err)
{
	bh_keeper_pinged_cb *done = ping->done;
	void *user = ping->user;

	bh_list_remove(&ping->link);
	free(ping);
	done(user, health, err);
}

// No answer will come any more.
static void pings_fail(struct bh_keeper_link *link)
{
	struct bh_err err;

	(void)bh_err_set(&err, BH_ECLOSED, "the keeper is gone");
	bh_list_for (at, after, &link->pings) { // none comes in a callback: the link has ended
		ping_end(bh_container_of(at, struct ping, link), NULL, &err);
	}
}

static void link_lost(struct bh_keeper_link *link, const struct bh_err *err)
{
	if (link->is_lost || link->closing) {
		return;
	}
	link->is_lost = true;
	(void)uv_poll_stop(&link->poll);           // always 0
	bh_list_for (at, after, &link->pendings) { // none comes or goes in a callback: is_lost
		struct pending *pending = bh_container_of(at, struct pending, link);
		bh_keeper_spawned_cb *done = pending->done;
		void *user = pending->user;

		pending_free(pending);
		done(user, NULL, err);
		if (link->closing) {
			return;
		}
	}
	pings_fail(link);
	link->events->lost(link->user, err);
}

static void link_broken(struct bh_keeper_link *link, const char *what)
{
	struct bh_err err;

	(void)bh_err_set(&err, BH_EPROTOCOL, "talk to the keeper: %s", what);
	link_lost(link, &err);
}

static struct pending *pending_find(struct bh_keeper_link *link, uint32_t seq)
{
	bh_list_for (at, after, &link->pendings) {
		struct pending *pending = bh_container_of(at, struct pending, link);

		if (pending->seq == seq) {
			return pending;
		}
	}
	return NULL;
}

// What a person looks at next when a program could not be run, or "".
static const char *exec_advice(int error, uint32_t stage)
{
	if (stage != BH_WIRE_STAGE_EXEC) {
		return "";
	}
	return error == ENOENT   ? "; is it installed, and in a folder of PATH?"
	       : error == EACCES ? "; is it an executable file?"
	                         : "";
}

static void spawn_failed(struct pending *pending, int error, uint32_t stage)
{
	bh_keeper_spawned_cb *done = pending->done;
	void *user = pending->user;
	struct bh_err err;

	if (stage == BH_WIRE_STAGE_TABLE) {
		(void)bh_err_set(&err, BH_ELIMIT,
		                 "start %s: %s (%d); end or forget some terminals first",
		                 pending->program, bh_wire_stage_words(stage), BH_WIRE_ENTRIES);
	} else {
		(void)bh_err_set(&err, -error, "start %s: %s: %s%s", pending->program,
		                 bh_wire_stage_words(stage), strerror(error),
		                 exec_advice(error, stage));
	}
	pending_free(pending);
	done(user, NULL, &err);
}

// End a child that nobody will have, and forget it when it is gone.
static void orphan_end(struct bh_keeper_link *link, const uint8_t id[16])
{
	struct orphan *orphan = bh_xmalloc(sizeof(*orphan));

	memcpy(orphan->id.bytes, id, sizeof(orphan->id.bytes));
	bh_list_init(&orphan->link);
	bh_list_append(&link->orphans, &orphan->link);
	// If it cannot be sent, the keeper is gone and with it the child.
	(void)bh_keeper_link_signal(link, &orphan->id, SIGKILL, BH_WIRE_TARGET_SESSION);
}

// Whether the child that exited is such a one.
static bool orphan_gone(struct bh_keeper_link *link, const struct bh_uuid *id)
{
	bh_list_for (at, after, &link->orphans) {
		struct orphan *orphan = bh_container_of(at, struct orphan, link);

		if (bh_uuid_is_equal(&orphan->id, id)) {
			(void)bh_keeper_link_forget(link, id); // as above
			bh_list_remove(&orphan->link);
			free(orphan);
			return true;
		}
	}
	return false;
}

static void handle_spawned(struct bh_keeper_link *link, const struct bh_wire_spawned *message,
                           int fds[BH_FD_PASS_MAX])
{
	struct pending *pending = pending_find(link, message->head.seq);
	struct bh_keeper_entry entry = {.pid = message->pid, .pid_start = message->pid_start};
	bh_keeper_spawned_cb *done;
	void *user;

	if (pending == NULL) {
		link_broken(link, "an answer to no question");
		return;
	}
	if (message->error != 0) {
		spawn_failed(pending, message->error, message->stage);
		return;
	}
	if (fds[0] < 0) { // the descriptors found no room here
		orphan_end(link, message->id);
		spawn_failed(pending, EMFILE, BH_WIRE_STAGE_PTY);
		return;
	}
	memcpy(entry.id.bytes, message->id, sizeof(entry.id.bytes));
	entry.master_fd = fds[0];
	entry.tape_fd = fds[1];
	fds[0] = fds[1] = -1;
	done = pending->done;
	user = pending->user;
	pending_free(pending);
	done(user, &entry, NULL);
}

static void handle_entry(struct bh_keeper_link *link, const struct bh_wire_entry *message,
                         int fds[BH_FD_PASS_MAX])
{
	struct bh_keeper_entry entry = {
		.pid = message->pid,
		.pid_start = message->pid_start,
		.has_exited = message->has_exited != 0,
		.status = message->status,
		.master_fd = fds[0],
		.tape_fd = fds[1],
	};

	memcpy(entry.id.bytes, message->id, sizeof(entry.id.bytes));
	memcpy(entry.data, message->data, sizeof(entry.data));
	fds[0] = fds[1] = -1;
	link->events->adopted(link->user, &entry);
}

// Whether this greeting answers a ping.
static bool ping_answered(struct bh_keeper_link *link, const struct bh_wire_hello *message)
{
	const struct bh_keeper_health health = {
		.version = link->version,
		.used = message->used,
		.entries = message->entries,
		.starts = message->starts,
		.crashes = message->crashes,
	};

	bh_list_for (at, after, &link->pings) {
		struct ping *ping = bh_container_of(at, struct ping, link);

		if (ping->seq == message->head.seq) {
			ping_end(ping, &health, NULL);
			return true;
		}
	}
	return false;
}

static void handle_hello(struct bh_keeper_link *link, const struct bh_wire_hello *message)
{
	union bh_wire request;
	size_t len;

	if (link->is_ready && ping_answered(link, message)) {
		return;
	}
	if (message->version < 1) {
		link_broken(link, "it speaks no version");
		return;
	}
	if (link->version != 0) {
		bh_log(BH_LOG_INFO, "keeper", NULL, "upgraded, now version %u", message->version);
	}
	link->version = message->version < BH_WIRE_VERSION ? message->version : BH_WIRE_VERSION;
	link->keeper_pid = message->pid;
	link->crashes = message->crashes;
	link->starts = message->starts;
	if (link->is_ready) {
		return;
	}
	memset(&request, 0, sizeof(request));
	len = bh_wire_prepare(&request, BH_WIRE_LIST, ++link->seq);
	(void)link_send(link, &request, len, -1); // a loss comes as an event
}

static void handle_refused(struct bh_keeper_link *link, const struct bh_wire_refused *message)
{
	struct pending *pending = pending_find(link, message->head.seq);

	if (pending != NULL) {
		spawn_failed(pending, message->error, BH_WIRE_STAGE_REQUEST);
		return;
	}
	bh_log(BH_LOG_WARN, "keeper", NULL, "request of type %u refused: %s", message->type,
	       strerror(message->error));
}

static void handle_exited(struct bh_keeper_link *link, const struct bh_wire_exited *message)
{
	struct bh_uuid id;

	memcpy(id.bytes, message->id, sizeof(id.bytes));
	if (!orphan_gone(link, &id)) {
		link->events->exited(link->user, &id, message->status);
	}
}

static void dispatch(struct bh_keeper_link *link, const union bh_wire *message,
                     int fds[BH_FD_PASS_MAX])
{
	switch (message->head.type) {
	case BH_WIRE_HELLO:
		handle_hello(link, &message->as_HELLO);
		break;
	case BH_WIRE_SPAWNED:
		handle_spawned(link, &message->as_SPAWNED, fds);
		break;
	case BH_WIRE_ENTRY:
		handle_entry(link, &message->as_ENTRY, fds);
		break;
	case BH_WIRE_LISTED:
		link->is_ready = true;
		link->events->ready(link->user);
		break;
	case BH_WIRE_EXITED:
		handle_exited(link, &message->as_EXITED);
		break;
	case BH_WIRE_DONE:
		link->events->done(link->user);
		break;
	case BH_WIRE_REFUSED:
		handle_refused(link, &message->as_REFUSED);
		break;
	default:
		link_broken(link, "a request from the keeper");
		break;
	}
}

// Take one packet; false when there is none now, or the link ended.
static bool link_read(struct bh_keeper_link *link)
{
	uint8_t packet[2 * BH_WIRE_MAX];
	int fds[BH_FD_PASS_MAX];
	union bh_wire message;
	struct bh_err err;
	size_t count;
	ssize_t len = bh_fd_recv(link->fd, packet, sizeof(packet), fds, &count);
	int rc;

	if (len == -EAGAIN) {
		return false;
	}
	if (len == 0 || len == -ECONNRESET) {
		(void)bh_err_set(&err, BH_ECLOSED, "the keeper is gone");
		link_lost(link, &err);
		return false;
	}
	rc = len < 0 ? (int)len : bh_wire_read(packet, (size_t)len, &message);
	if (rc == 0) {
		dispatch(link, &message, fds);
	} else if (rc != -ENOSYS) { // a newer keeper's message is not for us
		link_broken(link, strerror(-rc));
	}
	for (size_t i = 0; i < BH_FD_PASS_MAX; i++) {
		bh_fd_close(&fds[i]); // those that nobody took
	}
	return !link->closing && !link->is_lost;
}

static void link_turn(struct bh_keeper_link *link)
{
	packets_flush(link);
	for (int i = 0; i < PACKETS_PER_TURN && link_read(link); i++) {
		// what is left makes the socket readable again
	}
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
	(void)status; // an error shows in the read
	(void)events;
	link_turn(bh_container_of(poll, struct bh_keeper_link, poll));
}

int bh_keeper_link_start(uv_loop_t *loop, int fd, const struct bh_keeper_link_events *events,
                         void *user, struct bh_keeper_link **out, struct bh_err *err)
{
	union bh_wire message = {.as_HELLO = {.version = BH_WIRE_VERSION, .pid = getpid()}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_HELLO, 1);
	struct bh_keeper_link *link;
	int rc = bh_fd_set_nonblock(fd, true);

	if (rc == 0) {
		rc = bh_fd_set_cloexec(fd, true);
	}
	if (rc != 0) {
		bh_fd_close(&fd);
		return bh_err_sys(err, -rc, "use the keeper's socket");
	}
	link = bh_xmalloc(sizeof(*link));
	link->fd = fd;
	link->events = events;
	link->user = user;
	link->seq = 1;
	bh_list_init(&link->packets);
	bh_list_init(&link->pendings);
	bh_list_init(&link->pings);
	bh_list_init(&link->orphans);
	rc = uv_poll_init(loop, &link->poll, fd);
	if (rc != 0) {
		bh_fd_close(&link->fd);
		free(link);
		return bh_err_sys(err, -rc, "watch the keeper's socket");
	}
	(void)link_send(link, &message, len, -1); // a loss comes as an event
	*out = link;
	return 0;
}

static void on_poll_closed(uv_handle_t *handle)
{
	struct bh_keeper_link *link =
		bh_container_of((uv_poll_t *)handle, struct bh_keeper_link, poll);
	const struct bh_keeper_link_events *events = link->events;
	void *user = link->user;

	bh_list_for (packet, after, &link->packets) {
		packet_free(bh_container_of(packet, struct packet, link));
	}
	bh_list_for (pending, after, &link->pendings) {
		pending_free(bh_container_of(pending, struct pending, link));
	}
	pings_fail(link);
	bh_list_for (orphan, after, &link->orphans) {
		free(bh_container_of(orphan, struct orphan, link));
	}
	bh_fd_close(&link->fd);
	free(link);
	events->closed(user);
}

void bh_keeper_link_close(struct bh_keeper_link *link)
{
	if (link->closing) {
		return;
	}
	link->closing = true;
	uv_close((uv_handle_t *)&link->poll, on_poll_closed);
}

// Append a vector's strings; gives their number, or -1 beyond the limits.
static int strings_append(struct bh_buf *buf, const char *const *strings)
{
	int count = 0;

	for (; strings[count] != NULL; count++) {
		size_t len = strlen(strings[count]) + 1;

		if (count >= BH_WIRE_STRINGS || len > BH_WIRE_STRINGS_BYTES - buf->len) {
			return -1;
		}
		bh_buf_append(buf, strings[count], len);
	}
	return count;
}

// The strings of a spawn in a memfd: its descriptor, or a negative code.
static int strings_pass(const struct bh_keeper_spawn *spawn, struct bh_wire_spawn *message,
                        struct bh_err *err)
{
	const char *const cwd[] = {spawn->cwd == NULL ? "/" : spawn->cwd, NULL};
	struct bh_buf buf = {0};
	int argc = strings_append(&buf, spawn->argv);
	int envc = argc < 0 ? -1 : strings_append(&buf, spawn->env);
	int fd, rc;

	if (envc < 0 || strings_append(&buf, cwd) < 0) {
		bh_buf_clear(&buf);
		return bh_err_set(err, BH_EINVALID,
		                  "start %.64s: more than %d arguments or variables, or longer "
		                  "than %d bytes",
		                  spawn->argv[0], BH_WIRE_STRINGS, BH_WIRE_STRINGS_BYTES);
	}
	message->argc = (uint32_t)argc;
	message->envc = (uint32_t)envc;
	message->bytes = (uint32_t)buf.len;
	fd = memfd_create("bellhop-spawn", MFD_CLOEXEC);
	rc = fd < 0 ? -errno : bh_fd_write_all(fd, buf.data, buf.len);
	bh_buf_clear(&buf);
	if (rc != 0) {
		bh_fd_close(&fd);
		return bh_err_sys(err, -rc, "start %.64s: pass the arguments", spawn->argv[0]);
	}
	return fd;
}

int bh_keeper_link_spawn(struct bh_keeper_link *link, const struct bh_keeper_spawn *spawn,
                         bh_keeper_spawned_cb *done, void *user, struct bh_err *err)
{
	union bh_wire message = {.as_SPAWN = {.cols = spawn->cols, .rows = spawn->rows}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_SPAWN, ++link->seq);
	struct pending *pending;
	int fd, rc;

	if (spawn->argv[0] == NULL || spawn->argv[0][0] == '\0') {
		return bh_err_set(err, BH_EINVALID, "start a program: its name is missing");
	}
	fd = strings_pass(spawn, &message.as_SPAWN, err);
	if (fd < 0) {
		return fd;
	}
	memcpy(message.as_SPAWN.id, spawn->id.bytes, sizeof(spawn->id.bytes));
	memcpy(message.as_SPAWN.data, spawn->data, sizeof(spawn->data));
	message.as_SPAWN.tape_size = (uint32_t)spawn->tape_size;
	rc = link_send(link, &message, len, fd);
	if (rc != 0) {
		return bh_err_set(err, rc, "start %.64s: the keeper is gone", spawn->argv[0]);
	}
	pending = bh_xmalloc(sizeof(*pending));
	pending->seq = message.head.seq;
	pending->done = done;
	pending->user = user;
	pending->program = bh_xasprintf("%.64s", spawn->argv[0]);
	bh_list_init(&pending->link);
	bh_list_append(&link->pendings, &pending->link);
	return 0;
}

// Greeting again is answered by every version of the keeper, and changes nothing.
int bh_keeper_link_ping(struct bh_keeper_link *link, bh_keeper_pinged_cb *done, void *user)
{
	union bh_wire message = {.as_HELLO = {.version = BH_WIRE_VERSION, .pid = getpid()}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_HELLO, ++link->seq);
	struct ping *ping;

	if (link_send(link, &message, len, -1) != 0) {
		return BH_ECLOSED;
	}
	ping = bh_xmalloc(sizeof(*ping));
	ping->seq = message.head.seq;
	ping->done = done;
	ping->user = user;
	bh_list_init(&ping->link);
	bh_list_append(&link->pings, &ping->link);
	return 0;
}

int bh_keeper_link_forget(struct bh_keeper_link *link, const struct bh_uuid *id)
{
	union bh_wire message = {.head = {.type = 0}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_FORGET, ++link->seq);

	memcpy(message.as_FORGET.id, id->bytes, sizeof(id->bytes));
	return link_send(link, &message, len, -1);
}

int bh_keeper_link_signal(struct bh_keeper_link *link, const struct bh_uuid *id, int signal,
                          enum bh_wire_target target)
{
	union bh_wire message = {.as_SIGNAL = {.signal = signal, .target = target}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_SIGNAL, ++link->seq);

	memcpy(message.as_SIGNAL.id, id->bytes, sizeof(id->bytes));
	return link_send(link, &message, len, -1);
}

static int plain_send(struct bh_keeper_link *link, enum bh_wire_type type)
{
	union bh_wire message = {.head = {.type = 0}};
	size_t len = bh_wire_prepare(&message, type, ++link->seq);

	return link_send(link, &message, len, -1);
}

int bh_keeper_link_shutdown(struct bh_keeper_link *link)
{
	return plain_send(link, BH_WIRE_SHUTDOWN);
}

int bh_keeper_link_upgrade(struct bh_keeper_link *link)
{
	return plain_send(link, BH_WIRE_UPGRADE);
}

int bh_keeper_link_complain_fd(int fd, const char *text)
{
	union bh_wire message = {.as_COMPLAIN = {.text = ""}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_COMPLAIN, 0);
	size_t text_len = strnlen(text, BH_WIRE_TEXT - 1);

	memcpy(message.as_COMPLAIN.text, text, text_len); // the rest is zero
	return bh_fd_send(fd, &message, len, NULL, 0);
}

int bh_keeper_link_complain(struct bh_keeper_link *link, const char *text)
{
	return link->fd < 0 ? BH_ECLOSED : bh_keeper_link_complain_fd(link->fd, text);
}

pid_t bh_keeper_link_pid(const struct bh_keeper_link *link)
{
	return link->keeper_pid;
}

bool bh_keeper_link_is_continued(const struct bh_keeper_link *link)
{
	return link->starts > 1;
}

unsigned bh_keeper_link_crashes(const struct bh_keeper_link *link)
{
	return link->crashes;
}
