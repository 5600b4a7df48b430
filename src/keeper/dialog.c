#include "src/keeper/keeper.h"

#include "src/base/fd.h"
#include "src/keeper/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

// How long a server may live on after it closed its socket (ms).
#define SERVER_END_MS 5000

static void answer_refused(struct bh_keeper *keeper, const struct bh_wire_head *head, int error)
{
	union bh_wire *answer = &keeper->answer;

	memset(answer, 0, sizeof(*answer));
	keeper->answer_len = bh_wire_prepare(answer, BH_WIRE_REFUSED, head->seq);
	answer->as_REFUSED.type = head->type;
	answer->as_REFUSED.error = error;
}

static void answer_hello(struct bh_keeper *keeper, uint32_t seq)
{
	struct bh_table *table = keeper->table;
	union bh_wire *answer = &keeper->answer;

	memset(answer, 0, sizeof(*answer));
	keeper->answer_len = bh_wire_prepare(answer, BH_WIRE_HELLO, seq);
	answer->as_HELLO.version = BH_WIRE_VERSION;
	answer->as_HELLO.pid = getpid();
	answer->as_HELLO.used = bh_table_count(table, false);
	answer->as_HELLO.entries = table->entries;
	answer->as_HELLO.starts = table->server.starts;
	answer->as_HELLO.crashes = table->server.crashes;
}

static void handle_hello(struct bh_keeper *keeper, const struct bh_wire_head *head)
{
	answer_hello(keeper, head->seq);
	keeper->table->server.has_greeted = 1;
	(void)unlink(keeper->state_path); // the server runs; mostly the file is not there
}

static void handle_spawn(struct bh_keeper *keeper, const struct bh_wire_spawn *request, int fd)
{
	struct bh_entry *entry = bh_table_find_free(keeper->table);
	enum bh_wire_stage stage = BH_WIRE_STAGE_NONE;
	int error = 0;

	if (keeper->is_leaving) {
		stage = BH_WIRE_STAGE_LEAVING;
		error = ESHUTDOWN;
	} else if (entry == NULL) {
		stage = BH_WIRE_STAGE_TABLE;
		error = ENOSPC;
	} else if (fd < 0 || bh_table_find(keeper->table, request->id) != NULL) {
		stage = BH_WIRE_STAGE_REQUEST;
		error = fd < 0 ? -fd : EEXIST;
	} else {
		stage = bh_child_spawn(keeper->table, request, fd, entry, &error);
	}
	if (stage == BH_WIRE_STAGE_NONE) {
		return; // answered when the exec has an outcome
	}
	bh_keeper_log("warn", "spawn refused: %s: %s", bh_wire_stage_words(stage), strerror(error));
	memset(&keeper->answer, 0, sizeof(keeper->answer));
	keeper->answer_len = bh_wire_prepare(&keeper->answer, BH_WIRE_SPAWNED, request->head.seq);
	memcpy(keeper->answer.as_SPAWNED.id, request->id, sizeof(request->id));
	keeper->answer.as_SPAWNED.stage = stage;
	keeper->answer.as_SPAWNED.error = error;
}

static void handle_list(struct bh_keeper *keeper, const struct bh_wire_head *head)
{
	for (uint32_t i = 0; i < keeper->table->used; i++) {
		struct bh_entry *entry = bh_table_at(keeper->table, i);

		if (entry->state != BH_ENTRY_FREE) {
			entry->due |= BH_DUE_ENTRY;
		}
	}
	keeper->is_listing = true;
	keeper->list_seq = head->seq;
	keeper->list_count = 0;
}

static void handle_forget(struct bh_keeper *keeper, const struct bh_wire_forget *request)
{
	struct bh_entry *entry = bh_table_find(keeper->table, request->id);

	if (entry == NULL) {
		answer_refused(keeper, &request->head, ESRCH);
	} else if (entry->state != BH_ENTRY_EXITED) {
		answer_refused(keeper, &request->head, EBUSY);
	} else {
		bh_table_release(entry);
	}
}

static void handle_signal(struct bh_keeper *keeper, const struct bh_wire_signal *request)
{
	struct bh_entry *entry = bh_table_find(keeper->table, request->id);
	int error = 0;

	if (entry == NULL ||
	    (entry->state != BH_ENTRY_RUNNING && entry->state != BH_ENTRY_STARTING)) {
		error = ESRCH;
	} else if (request->target == BH_WIRE_TARGET_SESSION) {
		int count = bh_child_signal_sessions(keeper->table, entry->pid, request->signal);

		error = count < 0 ? -count : 0;
	} else {
		// The child is not reaped, so its pid is still its own; it leads its group.
		pid_t pid = request->target == BH_WIRE_TARGET_GROUP ? -entry->pid : entry->pid;

		error = kill(pid, request->signal) != 0 ? errno : 0;
	}
	if (error != 0) {
		answer_refused(keeper, &request->head, error);
	}
}

static void handle_upgrade(struct bh_keeper *keeper, const struct bh_wire_head *head)
{
	int rc = keeper->is_leaving || keeper->is_listing ? -EBUSY
	                                                  : bh_keeper_upgrade(keeper, head->seq);

	answer_refused(keeper, head, -rc);
}

static void handle_complain(struct bh_keeper *keeper, const struct bh_wire_complain *request)
{
	memcpy(keeper->table->server.complaint, request->text, BH_WIRE_TEXT);
}

static void dispatch(struct bh_keeper *keeper, const union bh_wire *message, int fd)
{
	switch (message->head.type) {
	case BH_WIRE_HELLO:
		handle_hello(keeper, &message->head);
		break;
	case BH_WIRE_SPAWN:
		handle_spawn(keeper, &message->as_SPAWN, fd);
		break;
	case BH_WIRE_LIST:
		handle_list(keeper, &message->head);
		break;
	case BH_WIRE_FORGET:
		handle_forget(keeper, &message->as_FORGET);
		break;
	case BH_WIRE_SIGNAL:
		handle_signal(keeper, &message->as_SIGNAL);
		break;
	case BH_WIRE_SHUTDOWN:
		bh_keeper_leave(keeper);
		break;
	case BH_WIRE_UPGRADE:
		handle_upgrade(keeper, &message->head);
		break;
	case BH_WIRE_COMPLAIN:
		handle_complain(keeper, &message->as_COMPLAIN);
		break;
	default: // an answer of ours, sent to us
		answer_refused(keeper, &message->head, EPROTO);
		break;
	}
}

// Take one packet, with its descriptor or -EBADF (there was none), -EMFILE (no room for it). False
// when there is none, or the socket is at its end.
static bool packet_read(struct bh_keeper *keeper, union bh_wire *message, int *fd_out, int *rc_out)
{
	// Longer than any message of ours: a newer server's messages are read as far as we know them.
	uint8_t packet[2 * BH_WIRE_MAX];
	int fds[BH_FD_PASS_MAX];
	size_t count;
	ssize_t len = bh_fd_recv(keeper->table->server.fd, packet, sizeof(packet), fds, &count);

	if (len == -EMSGSIZE) { // nothing that we know; the descriptors are closed already
		memset(message, 0, sizeof(*message));
		*fd_out = -EBADF;
		*rc_out = -EPROTO;
		return true;
	}
	if (len == -EAGAIN) {
		return false;
	}
	if (len <= 0) {
		bh_fd_close(&keeper->table->server.fd);
		keeper->server_kill_ms = bh_keeper_now_ms() + SERVER_END_MS;
		return false;
	}
	*fd_out = fds[0] >= 0 ? fds[0] : count == BH_FD_LOST ? -EMFILE : -EBADF;
	for (size_t i = 1; i < BH_FD_PASS_MAX; i++) {
		bh_fd_close(&fds[i]);
	}
	*rc_out = bh_wire_read(packet, (size_t)len, message);
	return true;
}

void bh_dialog_read(struct bh_keeper *keeper)
{
	union bh_wire message;
	int fd = -1, rc = 0;

	while (keeper->table->server.fd >= 0 && keeper->answer_len == 0 &&
	       packet_read(keeper, &message, &fd, &rc)) {
		if (rc == 0) {
			dispatch(keeper, &message, fd);
		} else {
			answer_refused(keeper, &message.head, -rc);
		}
		bh_fd_close(&fd);
		bh_dialog_send(keeper);
	}
}

// Send a packet. False when it could not go now; a server that cannot be reached is dying.
static bool packet_send(struct bh_keeper *keeper, const union bh_wire *message, size_t len,
                        const int *fds, size_t count)
{
	int rc = bh_fd_send(keeper->table->server.fd, message, len, fds, count);

	// ETOOMANYREFS: too many descriptors on the way; they arrive as the server reads.
	keeper->is_full = rc == -EAGAIN || rc == -ETOOMANYREFS || rc == -ENOBUFS;
	if (rc != 0 && !keeper->is_full) {
		bh_fd_close(&keeper->table->server.fd);
		keeper->server_kill_ms = bh_keeper_now_ms() + SERVER_END_MS;
	}
	return rc == 0;
}

// The open descriptors of an entry, master first.
static size_t entry_fds(const struct bh_entry *entry, int fds[2])
{
	size_t count = 0;

	if (entry->master_fd >= 0) {
		fds[count++] = entry->master_fd;
	}
	if (entry->tape_fd >= 0) {
		fds[count++] = entry->tape_fd;
	}
	return count;
}

static bool send_spawned(struct bh_keeper *keeper, struct bh_entry *entry)
{
	union bh_wire message = {.as_SPAWNED = {.pid = 0}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_SPAWNED, entry->seq);
	bool is_failed = entry->state == BH_ENTRY_FAILED;
	int fds[2];
	size_t count = is_failed ? 0 : entry_fds(entry, fds);

	memcpy(message.as_SPAWNED.id, entry->id, sizeof(entry->id));
	message.as_SPAWNED.error = is_failed ? entry->error : 0;
	message.as_SPAWNED.stage = is_failed ? entry->stage : BH_WIRE_STAGE_NONE;
	message.as_SPAWNED.pid = entry->pid;
	message.as_SPAWNED.pid_start = entry->pid_start;
	if (!packet_send(keeper, &message, len, fds, count)) {
		return false;
	}
	entry->due &= ~(uint32_t)BH_DUE_SPAWNED;
	if (is_failed) {
		bh_table_release(entry);
	}
	return true;
}

static bool send_entry(struct bh_keeper *keeper, struct bh_entry *entry)
{
	union bh_wire message = {.as_ENTRY = {.pid = entry->pid}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_ENTRY, keeper->list_seq);
	int fds[2];
	size_t count = entry_fds(entry, fds);

	memcpy(message.as_ENTRY.id, entry->id, sizeof(entry->id));
	memcpy(message.as_ENTRY.data, entry->data, sizeof(entry->data));
	message.as_ENTRY.pid_start = entry->pid_start;
	message.as_ENTRY.has_exited = entry->state == BH_ENTRY_EXITED;
	message.as_ENTRY.status = entry->status;
	if (!packet_send(keeper, &message, len, fds, count)) {
		return false;
	}
	entry->due &= ~(uint32_t)BH_DUE_ENTRY;
	if (entry->state == BH_ENTRY_EXITED) {
		entry->due &= ~(uint32_t)BH_DUE_EXITED; // the entry said it
	}
	keeper->list_count++;
	return true;
}

static bool send_exited(struct bh_keeper *keeper, struct bh_entry *entry)
{
	union bh_wire message = {.as_EXITED = {.pid = entry->pid}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_EXITED, 0);

	memcpy(message.as_EXITED.id, entry->id, sizeof(entry->id));
	message.as_EXITED.status = entry->status;
	if (!packet_send(keeper, &message, len, NULL, 0)) {
		return false;
	}
	entry->due &= ~(uint32_t)BH_DUE_EXITED;
	return true;
}

// What is due for one entry, in the order in which it must be heard.
static bool send_due(struct bh_keeper *keeper, struct bh_entry *entry)
{
	bool is_settled = entry->state != BH_ENTRY_STARTING;

	if (is_settled && (entry->due & BH_DUE_SPAWNED) != 0 && !send_spawned(keeper, entry)) {
		return false;
	}
	if (is_settled && (entry->due & BH_DUE_ENTRY) != 0 && !send_entry(keeper, entry)) {
		return false;
	}
	if (is_settled && (entry->due & BH_DUE_EXITED) != 0 && !send_exited(keeper, entry)) {
		return false;
	}
	return true;
}

static bool send_listed(struct bh_keeper *keeper)
{
	union bh_wire message = {.as_LISTED = {.count = keeper->list_count}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_LISTED, keeper->list_seq);

	if (!packet_send(keeper, &message, len, NULL, 0)) {
		return false;
	}
	keeper->is_listing = false;
	return true;
}

static bool send_done(struct bh_keeper *keeper)
{
	union bh_wire message = {.head = {.type = 0}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_DONE, 0);

	if (!packet_send(keeper, &message, len, NULL, 0)) {
		return false;
	}
	keeper->was_done_sent = true;
	keeper->server_kill_ms = bh_keeper_now_ms() + SERVER_END_MS;
	return true;
}

void bh_dialog_send(struct bh_keeper *keeper)
{
	struct bh_table *table = keeper->table;
	bool is_listed = true;

	if (table->server.fd < 0) {
		keeper->answer_len = 0;
		return;
	}
	if (keeper->answer_len > 0) {
		if (!packet_send(keeper, &keeper->answer, keeper->answer_len, NULL, 0)) {
			return;
		}
		keeper->answer_len = 0;
	}
	for (uint32_t i = 0; i < table->used; i++) {
		struct bh_entry *entry = bh_table_at(table, i);

		if (entry->state != BH_ENTRY_FREE && entry->due != 0) {
			if (!send_due(keeper, entry)) {
				return;
			}
			is_listed = is_listed && (entry->due & BH_DUE_ENTRY) == 0;
		}
	}
	if (keeper->is_listing && is_listed && !send_listed(keeper)) {
		return;
	}
	if (keeper->is_leaving && !keeper->was_done_sent && bh_table_count(table, true) == 0 &&
	    (keeper->has_killed || bh_child_signal_sessions(table, 0, 0) <= 0)) {
		(void)send_done(keeper); // tried again when the socket has room
	}
}

void bh_dialog_reset(struct bh_keeper *keeper)
{
	keeper->answer_len = 0;
	keeper->is_listing = false;
	keeper->is_full = false;
	keeper->was_done_sent = false;
	for (uint32_t i = 0; i < keeper->table->used; i++) {
		struct bh_entry *entry = bh_table_at(keeper->table, i);

		if (entry->state == BH_ENTRY_FAILED) {
			bh_table_release(entry);
		} else {
			entry->due = 0; // the new server learns all from LIST
		}
	}
}

void bh_dialog_resumed(struct bh_keeper *keeper, uint32_t seq)
{
	answer_hello(keeper, seq);
}

void bh_dialog_end(struct bh_keeper *keeper)
{
	union bh_wire message;
	int fd = -1, rc = 0;

	while (keeper->table->server.fd >= 0 && packet_read(keeper, &message, &fd, &rc)) {
		// Requests of a dead server are void, but what it knew still holds.
		if (rc == 0 && message.head.type == BH_WIRE_COMPLAIN) {
			handle_complain(keeper, &message.as_COMPLAIN);
		} else if (rc == 0 && message.head.type == BH_WIRE_FORGET) {
			handle_forget(keeper, &message.as_FORGET);
		} else if (rc == 0 && message.head.type == BH_WIRE_SHUTDOWN) {
			bh_keeper_leave(keeper);
		}
		bh_fd_close(&fd);
	}
	bh_fd_close(&keeper->table->server.fd);
	keeper->server_kill_ms = 0;
	bh_dialog_reset(keeper);
}

void bh_dialog_exec_result(struct bh_keeper *keeper, struct bh_entry *entry)
{
	struct bh_child_failure failure = {0};
	ssize_t got = bh_fd_read_all(entry->exec_fd, &failure, sizeof(failure));

	if (got == -EAGAIN) {
		return;
	}
	bh_fd_close(&entry->exec_fd);
	entry->due |= keeper->table->server.fd >= 0 ? BH_DUE_SPAWNED : 0;
	if (got == 0) { // closed by the exec
		entry->state = BH_ENTRY_RUNNING;
		return;
	}
	entry->state = BH_ENTRY_FAILED;
	entry->stage = got == sizeof(failure) ? (uint32_t)failure.stage : BH_WIRE_STAGE_EXEC;
	entry->error = got == sizeof(failure) ? failure.error : EIO;
	bh_keeper_log("info", "spawn failed: %s: %s", bh_wire_stage_words(entry->stage),
	              strerror(entry->error));
	if (entry->due == 0) {
		bh_table_release(entry);
	}
}
