#include "tests/unit/server-world.h"

#include "src/agent/profile.h"
#include "src/base/buf.h"
#include "src/base/clock.h"
#include "src/base/err.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/base/list.h"
#include "src/base/mem.h"
#include "src/base/paths.h"
#include "src/mail/store.h"
#include "src/server/deliver.h"
#include "src/server/events.h"
#include "src/server/externals.h"
#include "src/server/grants.h"
#include "src/server/keeper_link.h"
#include "src/server/layout_host.h"
#include "src/server/lifecycle.h"
#include "src/server/rpc_server.h"
#include "src/server/settings.h"
#include "src/server/spooler.h"
#include "src/server/terminals.h"
#include "src/server/wiring.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

// What is not said by then will never be: a case fails instead of hanging (ms).
#define LINE_WAIT_MS 30000

// Stands for the keeper's connection; answers come from the loop.
struct bh_keeper_link {
	struct world *world;
	uv_idle_t answers;
	// A spawn that was not answered yet.
	bool has_spawn;
	struct bh_uuid spawned;
	bh_keeper_spawned_cb *done;
	void *user;
	// A ping that was not answered yet.
	bh_keeper_pinged_cb *pinged;
	void *ping_user;
};

static struct world *world_of(struct bh_server *server)
{
	return bh_container_of(server, struct world, server);
}

// ---- what server.c would do ----

void bh_server_wake_at(struct bh_server *server, uint64_t at_ms)
{
	world_of(server)->wake_at_ms = at_ms;
}

void bh_server_stop(struct bh_server *server)
{
	world_of(server)->is_stopped = true;
}

void bh_server_restart(struct bh_server *server)
{
	world_of(server)->is_restarted = true;
}

// ---- the keeper ----

static struct world_child *child_find(struct world *world, const struct bh_uuid *id)
{
	for (int i = 0; i < world->child_count; i++) {
		if (bh_uuid_is_equal(&world->children[i].id, id)) {
			return &world->children[i];
		}
	}
	fail_msg("a child that was never spawned");
	return NULL;
}

static struct bh_keeper_entry child_entry(const struct world_child *child)
{
	struct bh_keeper_entry entry = {
		.id = child->id,
		.pid = child->pid,
		.pid_start = 1,
		.master_fd = dup(child->master),
		.tape_fd = dup(child->tape),
		.has_exited = child->has_exited,
		.status = child->status,
	};

	memcpy(entry.data, child->data, sizeof entry.data);
	return entry;
}

static void on_answers(uv_idle_t *idle)
{
	struct bh_keeper_link *link = bh_container_of(idle, struct bh_keeper_link, answers);
	struct world *world = link->world;

	(void)uv_idle_stop(idle);
	if (link->pinged != NULL) {
		const struct bh_keeper_health health = {.used = 3, .entries = 512};
		bh_keeper_pinged_cb *pinged = link->pinged;

		link->pinged = NULL;
		pinged(link->ping_user, &health, NULL);
		return;
	}
	link->has_spawn = false;
	if (world->spawn_error != 0) {
		struct bh_err err = {0};

		(void)bh_err_sys(&err, world->spawn_error, "start it: run the program");
		world->spawn_error = 0;
		link->done(link->user, NULL, &err);
		return;
	}
	struct bh_keeper_entry entry = child_entry(child_find(world, &link->spawned));

	link->done(link->user, &entry, NULL);
}

// The strings, a newline behind each.
static char *strings_join(const char *const *strings)
{
	struct bh_buf text = {0};

	for (size_t i = 0; strings[i] != NULL; i++) {
		bh_buf_printf(&text, "%s\n", strings[i]);
	}
	return bh_buf_detach(&text);
}

int bh_keeper_link_spawn(struct bh_keeper_link *link, const struct bh_keeper_spawn *spawn,
                         bh_keeper_spawned_cb *done, void *user, struct bh_err *err)
{
	struct world *world = link->world;
	struct world_child *child = &world->children[world->child_count];
	struct termios raw;

	(void)err;
	assert_false(link->has_spawn);
	assert_true(world->child_count++ < WORLD_CHILDREN_MAX);
	*child = (struct world_child){.id = spawn->id, .pid = 0x3f000000 + world->child_count};
	memcpy(child->data, spawn->data, sizeof child->data);
	assert_int_equal(openpty(&child->master, &child->slave, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(child->slave, &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(child->slave, TCSANOW, &raw), 0);
	assert_int_equal(fcntl(child->slave, F_SETFL, O_NONBLOCK), 0);
	child->tape = memfd_create("tape", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(child->tape, (off_t)spawn->tape_size), 0);
	child->argv = strings_join(spawn->argv);
	child->env = strings_join(spawn->env);
	link->has_spawn = true;
	link->spawned = spawn->id;
	link->done = done;
	link->user = user;
	return uv_idle_start(&link->answers, on_answers);
}

int bh_keeper_link_ping(struct bh_keeper_link *link, bh_keeper_pinged_cb *done, void *user)
{
	link->pinged = done;
	link->ping_user = user;
	return uv_idle_start(&link->answers, on_answers);
}

int bh_keeper_link_forget(struct bh_keeper_link *link, const struct bh_uuid *id)
{
	struct world_child *child = child_find(link->world, id);

	if (child == NULL) {
		return BH_ENOTFOUND;
	}
	child->is_forgotten = true;
	return 0;
}

int bh_keeper_link_signal(struct bh_keeper_link *link, const struct bh_uuid *id, int signal,
                          enum bh_wire_target target)
{
	struct world_child *child = child_find(link->world, id);

	(void)target;
	if (child == NULL) {
		return BH_ENOTFOUND;
	}
	child->signal = signal;
	return 0;
}

int bh_keeper_link_upgrade(struct bh_keeper_link *link)
{
	link->world->is_keeper_upgraded = true;
	return 0;
}

pid_t bh_keeper_link_pid(const struct bh_keeper_link *link)
{
	(void)link;
	return 100;
}

bool bh_keeper_link_is_continued(const struct bh_keeper_link *link)
{
	return link->world->has_crashed;
}

unsigned bh_keeper_link_crashes(const struct bh_keeper_link *link)
{
	(void)link;
	return 0;
}

// ---- callers ----

static bool caller_process(void *user, pid_t pid, struct bh_caller_process *out)
{
	(void)user;
	*out = (struct bh_caller_process){.ppid = 1, .sid = pid, .start = 1};
	return true;
}

static bool caller_has_agent_env(void *user, pid_t pid)
{
	struct bh_server *server = user;

	(void)pid;
	return world_of(server)->kind == BH_CALLER_EXTERNAL;
}

static bool caller_is_our_namespace(void *user, pid_t pid)
{
	(void)user;
	(void)pid;
	return true;
}

// The walk ends at the newest child when the test comes as its agent.
static bool caller_no_child(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out)
{
	(void)user;
	(void)pid;
	(void)start;
	(void)id_out;
	return false;
}

// ---- life ----

static void client_connect(struct world *world)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	world->client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s", world->server.paths.socket);
	assert_int_equal(connect(world->client, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(fcntl(world->client, F_SETFL, O_NONBLOCK), 0);
}

static void client_leave(struct world *world)
{
	(void)close(world->client);
	free(world->in);
	world->in = NULL;
	world->in_len = 0;
}

static void on_store_closed(void *user)
{
	struct bh_server *server = user;

	server->store = NULL;
}

static const struct bh_store_events store_events = {
	.changed = bh_wiring_mail_changed,
	.closed = on_store_closed,
};

static void server_start(struct world *world)
{
	struct bh_server *server = &world->server;
	struct bh_err err = {0};
	const struct bh_store_settings settings = {
		.loop = &server->loop,
		.path = server->paths.mail_db,
		.events = &store_events,
		.user = server,
	};

	assert_int_equal(uv_loop_init(&server->loop), 0);
	if (bh_store_open(&settings, &server->store, &err) != 0) {
		fail_msg("%s", err.text);
	}
	server->profiles = bh_profiles_load(NULL, NULL, NULL);
	server->events = &bh_wiring_terminal_events;
	server->terminals = bh_terminals_new(server);
	server->externals = bh_externals_new(server);
	server->grants = bh_grants_new(server);
	server->layout = bh_layout_host_new(server);
	server->listeners = bh_events_new(server);
	server->lifecycle = bh_lifecycle_new(server);
	server->deliver = bh_deliver_new(&bh_wiring_deliver_host, server, server->store);
	server->bellhop_path = bh_xstrdup("/usr/bin/bellhop");
	server->keeper = bh_xmalloc(sizeof *server->keeper);
	server->keeper->world = world;
	assert_int_equal(uv_idle_init(&server->loop, &server->keeper->answers), 0);
	world->callers = bh_wiring_callers_world(server);
	server->callers = &world->callers;
	world->callers.process = caller_process;
	world->callers.has_agent_env = caller_has_agent_env;
	world->callers.is_our_namespace = caller_is_our_namespace;
	world->callers.terminal_of_child = caller_no_child;
	world->callers.keeper_pid = 100;
	for (int i = 0; i < world->child_count; i++) {
		if (!world->children[i].is_forgotten) {
			struct bh_keeper_entry entry = child_entry(&world->children[i]);

			bh_terminals_adopt(server->terminals, &entry);
		}
	}
	assert_int_equal(bh_rpc_start(&(struct bh_rpc_settings){.server = server,
	                                                        .methods = bh_methods,
	                                                        .world = &world->callers,
	                                                        .loop = &server->loop,
	                                                        .path = server->paths.socket},
	                              &server->rpc, &err),
	                 0);
	server->spool = bh_spooler_new(&server->loop, server->rpc);
	bh_externals_settle(server->externals);
	bh_terminals_settle(server->terminals);
	bh_layout_host_settle(server->layout);
	client_connect(world);
}

static void server_end(struct world *world)
{
	struct bh_server *server = &world->server;

	client_leave(world);
	bh_deliver_stop(server->deliver);
	world->wake_at_ms = 0;
	bh_layout_host_close(server->layout);
	bh_lifecycle_close(server->lifecycle);
	bh_externals_close(server->externals);
	bh_terminals_close(server->terminals);
	bh_spooler_close(server->spool);
	bh_rpc_close(server->rpc);
	bh_store_close(server->store);
	uv_close((uv_handle_t *)&server->keeper->answers, NULL);
	(void)uv_run(&server->loop, UV_RUN_DEFAULT);
	bh_deliver_free(server->deliver);
	bh_events_free(server->listeners);
	bh_externals_free(server->externals);
	bh_grants_free(server->grants);
	bh_terminals_free(server->terminals);
	bh_profiles_free(server->profiles);
	free(server->bellhop_path);
	free(server->keeper);
	assert_int_equal(uv_loop_close(&server->loop), 0);
}

void world_open(struct world *world)
{
	struct bh_err err = {0};

	*world = (struct world){.kind = BH_CALLER_OPERATOR};
	(void)signal(SIGPIPE, SIG_IGN); // as the server does
	(void)snprintf(world->folder, sizeof world->folder, "/tmp/bh-world-XXXXXX");
	assert_non_null(mkdtemp(world->folder));
	char *runtime = bh_xasprintf("BELLHOP_RUNTIME_DIR=%s/r", world->folder);
	char *state = bh_xasprintf("BELLHOP_STATE_DIR=%s/s", world->folder);
	char *home = bh_xasprintf("HOME=%s", world->folder);
	const char *const env[] = {runtime, state, home, NULL};

	assert_int_equal(bh_paths_init(&world->server.paths, NULL, env, &err), 0);
	assert_int_equal(bh_paths_make(&world->server.paths, &err), 0);
	bh_settings_open(&world->server);
	free(runtime);
	free(state);
	free(home);
	server_start(world);
}

void world_crash(struct world *world)
{
	server_end(world);
	world->has_crashed = true;
	server_start(world);
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
	(void)facts;
	(void)kind;
	(void)place;
	return remove(path);
}

void world_close(struct world *world)
{
	server_end(world);
	for (int i = 0; i < world->child_count; i++) {
		(void)close(world->children[i].master);
		(void)close(world->children[i].tape);
		if (world->children[i].slave >= 0) {
			(void)close(world->children[i].slave);
		}
		free(world->children[i].argv);
		free(world->children[i].env);
	}
	cJSON_Delete(world->answer);
	cJSON_Delete(world->told);
	cJSON_Delete(world->event);
	bh_settings_close(&world->server);
	bh_paths_clear(&world->server.paths);
	assert_int_equal(nftw(world->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void world_turn(struct world *world)
{
	struct bh_server *server = &world->server;

	(void)uv_run(&server->loop, UV_RUN_NOWAIT);
	if (world->wake_at_ms != 0 && bh_server_now_ms(server) >= world->wake_at_ms) {
		world->wake_at_ms = 0;
		bh_deliver_tick(server->deliver);
	}
}

void world_come_as(struct world *world, enum bh_caller_kind kind)
{
	client_leave(world);
	world->kind = kind;
	client_connect(world);
}

// ---- requests ----

static void client_send(struct world *world, const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		ssize_t count = write(world->client, text, len);

		if (count > 0) {
			text += count;
			len -= (size_t)count;
		} else {
			world_turn(world);
		}
	}
}

void world_ask(struct world *world, const char *method, const char *params)
{
	const char *token = world->kind == BH_CALLER_INSIDE ? world_child(world)->env : NULL;
	char secret[80] = "";

	if (token != NULL) {
		token = strstr(token, "BELLHOP_TOKEN=") + strlen("BELLHOP_TOKEN=");
		(void)snprintf(secret, sizeof secret, "\"token\":\"%.32s\",", token);
	}
	char *line =
		bh_xasprintf("{\"jsonrpc\":\"2.0\",\"id\":1,%s\"method\":\"%s\",\"params\":{%s}}\n",
	                     secret, method, params);

	client_send(world, line);
	free(line);
}

// Wait for a line: an answer or a notification.
static cJSON *line_read(struct world *world)
{
	const uint64_t late_ms = bh_clock_mono_ms() + LINE_WAIT_MS;
	char *end = NULL;
	cJSON *message = NULL;

	while (world->in_len == 0 || (end = memchr(world->in, '\n', world->in_len)) == NULL) {
		char chunk[65536];
		ssize_t count = 0;

		world_turn(world);
		count = read(world->client, chunk, sizeof chunk);
		if (count > 0) {
			world->in = bh_xrealloc(world->in, world->in_len + (size_t)count, 1);
			memcpy(world->in + world->in_len, chunk, (size_t)count);
			world->in_len += (size_t)count;
		} else if (count == 0 || errno != EAGAIN) {
			fail_msg("the server closed the connection");
		} else if (bh_clock_mono_ms() > late_ms) {
			fail_msg("the server said nothing for %d ms", LINE_WAIT_MS);
		}
	}
	size_t len = (size_t)(end - world->in);

	message = bh_json_parse_object(world->in, len, NULL);
	assert_non_null(message);
	world->in_len -= len + 1;
	memmove(world->in, end + 1, world->in_len);
	return message;
}

static void told_add(struct world *world, cJSON *message)
{
	if (world->told == NULL) {
		world->told = cJSON_CreateArray();
	}
	cJSON_AddItemToArray(world->told, message);
}

const cJSON *world_answer(struct world *world)
{
	cJSON *message = line_read(world);

	while (cJSON_HasObjectItem(message, "method")) {
		told_add(world, message);
		message = line_read(world);
	}
	cJSON_Delete(world->answer);
	world->answer = message;
	return cJSON_GetObjectItem(world->answer, "result");
}

const cJSON *world_told(struct world *world, const char *method)
{
	for (;;) {
		cJSON *message =
			world->told != NULL ? cJSON_DetachItemFromArray(world->told, 0) : NULL;

		message = message != NULL ? message : line_read(world);
		if (strcmp(world_text(message, "method"), method) == 0) {
			cJSON_Delete(world->event);
			world->event = message;
			return cJSON_GetObjectItem(message, "params");
		}
		cJSON_Delete(message);
	}
}

bool world_has_told(struct world *world, const char *method)
{
	const cJSON *message = NULL;

	// What was told before this answer has come before it.
	(void)world_call(world, "server.info", "%s", "");
	cJSON_ArrayForEach(message, world->told)
	{
		if (strcmp(world_text(message, "method"), method) == 0) {
			return true;
		}
	}
	return false;
}

const cJSON *world_call(struct world *world, const char *method, const char *params, ...)
{
	char text[8192];
	va_list args;

	va_start(args, params);
	(void)vsnprintf(text, sizeof text, params, args);
	va_end(args);
	world_ask(world, method, text);
	return world_answer(world);
}

const char *world_text(const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItem(object, name);

	return cJSON_IsString(item) ? item->valuestring : "";
}

const char *world_word(const struct world *world)
{
	return world_text(cJSON_GetObjectItem(cJSON_GetObjectItem(world->answer, "error"), "data"),
	                  "word");
}

const char *world_sentence(const struct world *world)
{
	return world_text(cJSON_GetObjectItem(world->answer, "error"), "message");
}

// ---- children ----

struct world_child *world_child(struct world *world)
{
	assert_true(world->child_count > 0);
	return &world->children[world->child_count - 1];
}

void world_print(struct world *world, struct world_child *child, const char *text)
{
	const struct bh_terminal *terminal = bh_terminals_get(world->server.terminals, &child->id);
	uint64_t end = terminal->offset + strlen(text);

	assert_int_equal(write(child->slave, text, strlen(text)), (ssize_t)strlen(text));
	while (terminal->offset < end) {
		world_turn(world);
	}
}

void world_exit(struct world *world, struct world_child *child, int status)
{
	struct bh_terminal *terminal = bh_terminals_get(world->server.terminals, &child->id);

	child->has_exited = true;
	child->status = status;
	(void)close(child->slave);
	child->slave = -1;
	bh_terminal_child_gone(terminal, status);
	while (!child->is_forgotten) {
		world_turn(world);
	}
	while (bh_store_pending(world->server.store) > 0) {
		world_turn(world);
	}
}

struct world_child *world_run(struct world *world, const char *name, const char *more)
{
	const cJSON *result =
		name[0] != '\0'
			? world_call(world, "terminal.run",
	                             "\"argv\":[\"/bin/cat\"],\"identity\":\"%s\"%s", name, more)
			: world_call(world, "terminal.run", "\"argv\":[\"/bin/cat\"]%s", more);

	if (result == NULL) {
		fail_msg("run: %s", world_sentence(world));
	}
	return world_child(world);
}

const char *world_state(struct world *world, const char *name)
{
	return world_text(world_call(world, "terminal.get", "\"name\":\"%s\"", name), "state");
}
