// The server from start to end:
//
//     bh_server_main()      paths, log, loop, profiles, store, keeper link
//     on_keeper_adopted()   for each terminal that the keeper holds: terminals.c
//     on_keeper_ready()     socket and spool are opened, records without a child are settled
//     ...                   the loop: rpc.c, terminal.c, deliver.c
//     server_end()          stop, upgrade, a keeper that is gone: everything is closed, in order
#include "src/server/server.h"

#include "src/agent/profile.h"
#include "src/base/clock.h"
#include "src/base/err.h"
#include "src/base/fd.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/base/turns.h"
#include "src/mail/store.h"
#include "src/server/callers.h"
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
#include "src/server/sweep.h"
#include "src/server/terminals.h"
#include "src/server/watchdog.h"
#include "src/server/wiring.h"
#include "term/screen.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// What bh_server_main() needs besides what everybody shares.
struct main_server {
	struct bh_server server;
	struct bh_callers_world world;
	uv_timer_t wake;
	uv_signal_t terminated;
	bool is_closing;
	int exit_status;
};

static struct main_server *main_of(struct bh_server *server)
{
	return bh_container_of(server, struct main_server, server);
}

// ---- end ----

static void on_store_closed(void *user)
{
	struct bh_server *server = user;

	server->store = NULL;
	bh_deliver_free(server->deliver);
	server->deliver = NULL;
}

// Close everything. The loop ends when the last handle is closed.
static void server_end(struct bh_server *server, int exit_status)
{
	struct main_server *main_server = main_of(server);

	if (main_server->is_closing) {
		return;
	}
	main_server->is_closing = true;
	main_server->exit_status = exit_status;
	server->is_stopping = true;
	server->is_restarting = exit_status == BH_WIRE_EXIT_RESTART;
	if (server->deliver != NULL) {
		bh_deliver_stop(server->deliver);
	}
	if (server->layout != NULL) {
		bh_layout_host_close(server->layout);
	}
	bh_lifecycle_close(server->lifecycle);
	server->lifecycle = NULL;
	bh_externals_close(server->externals);
	bh_terminals_save(server->terminals);
	bh_terminals_close(server->terminals);
	if (server->spool != NULL) {
		bh_spooler_close(server->spool);
		server->spool = NULL;
	}
	if (server->rpc != NULL) {
		bh_rpc_close(server->rpc);
		server->rpc = NULL;
	}
	bh_store_close(server->store);
	bh_keeper_link_close(server->keeper);
	bh_watchdog_close(server->watchdog);
	uv_close((uv_handle_t *)&main_server->wake, NULL);
	uv_close((uv_handle_t *)&main_server->terminated, NULL);
}

void bh_server_stop(struct bh_server *server)
{
	if (server->is_stopping) {
		return;
	}
	server->is_stopping = true;
	bh_log(BH_LOG_INFO, "server", "", "stops; all children are ended");
	if (bh_keeper_link_shutdown(server->keeper) != 0) {
		server_end(server, EXIT_SUCCESS);
	}
}

void bh_server_restart(struct bh_server *server)
{
	bh_log(BH_LOG_INFO, "server", "", "ends, to be started anew");
	server_end(server, BH_WIRE_EXIT_RESTART);
}

static void on_terminated(uv_signal_t *signal, int number)
{
	struct main_server *main_server = bh_container_of(signal, struct main_server, terminated);

	(void)number;
	server_end(&main_server->server, BH_WIRE_EXIT_RESTART);
}

// ---- delivery's timer ----

static void on_wake(uv_timer_t *timer)
{
	struct main_server *main_server = bh_container_of(timer, struct main_server, wake);

	bh_deliver_tick(main_server->server.deliver);
}

void bh_server_wake_at(struct bh_server *server, uint64_t at_ms)
{
	uv_timer_t *timer = &main_of(server)->wake;
	uint64_t now_ms = bh_server_now_ms(server);

	if (at_ms == 0 || server->is_stopping) {
		(void)uv_timer_stop(timer); // never fails
	} else {
		(void)uv_timer_start(timer, on_wake, at_ms > now_ms ? at_ms - now_ms : 0,
		                     0); // fails only while closing
	}
}

// ---- the keeper tells ----

static void on_keeper_adopted(void *user, const struct bh_keeper_entry *entry)
{
	struct bh_server *server = user;

	bh_terminals_adopt(server->terminals, entry);
}

static bool is_terminal(void *user, const struct bh_uuid *id)
{
	struct bh_server *server = user;

	return bh_terminals_get(server->terminals, id) != NULL;
}

// The folders of the session were removed under us; the children know their paths.
static int on_socket_lost(struct bh_server *server, struct bh_err *err)
{
	int code = bh_paths_make(&server->paths, err);

	if (code == 0 && server->spool != NULL) {
		bh_spooler_renew(server->spool);
	}
	return code;
}

// Most clients: half of the descriptors that we may have, the terminals and the store need theirs.
static size_t connections_max(void)
{
	struct rlimit limit;
	rlim_t half = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur / 2 : 0;

	return half > 0 && half < BH_RPC_CONNECTIONS_MAX ? (size_t)half : BH_RPC_CONNECTIONS_MAX;
}

static void on_keeper_ready(void *user)
{
	struct bh_server *server = user;
	struct main_server *main_server = main_of(server);
	struct bh_err err = {0};

	main_server->world = bh_wiring_callers_world(server);
	main_server->world.keeper_pid = bh_keeper_link_pid(server->keeper);
	server->callers = &main_server->world;
	if (bh_rpc_start(&(struct bh_rpc_settings){.server = server,
	                                           .methods = bh_methods,
	                                           .world = &main_server->world,
	                                           .loop = &server->loop,
	                                           .path = server->paths.socket,
	                                           .lost = on_socket_lost,
	                                           .connections_max = connections_max()},
	                 &server->rpc, &err) != 0) {
		bh_log(BH_LOG_ERROR, "server", "", "%s", err.text);
		(void)bh_keeper_link_complain(server->keeper, err.text); // the log has it, too
		server_end(server, BH_WIRE_EXIT_HOPELESS);
		return;
	}
	server->spool = bh_spooler_new(&server->loop, server->rpc);
	bh_externals_settle(server->externals);
	bh_terminals_settle(server->terminals);
	bh_layout_host_settle(server->layout);
	(void)bh_sweep_runtime(&server->paths, is_terminal, server); // the count interests nobody
	bh_log(BH_LOG_INFO, "server", "", "ready, pid %d, keeper %d", (int)getpid(),
	       (int)main_server->world.keeper_pid);
}

static void on_keeper_exited(void *user, const struct bh_uuid *id, int status)
{
	struct bh_server *server = user;
	struct bh_terminal *terminal = bh_terminals_get(server->terminals, id);

	if (terminal != NULL) {
		bh_terminal_child_gone(terminal, status);
	}
}

static void on_keeper_done(void *user)
{
	struct bh_server *server = user;

	(void)bh_sweep_runtime(&server->paths, NULL, NULL); // as above
	server_end(server, EXIT_SUCCESS);
}

static void on_keeper_lost(void *user, const struct bh_err *err)
{
	bh_log(BH_LOG_ERROR, "server", "", "the keeper is gone: %s", err->text);
	server_end(user, EXIT_FAILURE);
}

static void on_keeper_closed(void *user)
{
	struct bh_server *server = user;

	server->keeper = NULL;
}

static const struct bh_keeper_link_events keeper_events = {
	.adopted = on_keeper_adopted,
	.ready = on_keeper_ready,
	.exited = on_keeper_exited,
	.done = on_keeper_done,
	.lost = on_keeper_lost,
	.closed = on_keeper_closed,
};

static const struct bh_store_events store_events = {
	.changed = bh_wiring_mail_changed,
	.closed = on_store_closed,
};

// ---- start ----

static void report_profile(const struct bh_err *err, void *user)
{
	(void)user;
	bh_log(BH_LOG_WARN, "server", "", "profile left out: %s", err->text);
}

// What the command line says.
struct arguments {
	const char *session;
	int keeper_fd;
};

static int arguments_read(int argc, char **argv, struct arguments *arguments, struct bh_err *err)
{
	arguments->keeper_fd = -1;
	for (int i = 0; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--keeper-fd") == 0) {
			char *end = NULL;
			long fd = strtol(argv[i + 1], &end, 10);

			arguments->keeper_fd = *end == '\0' && fd > 2 && fd < 65536 ? (int)fd : -1;
		} else if (strcmp(argv[i], "-S") == 0) {
			arguments->session = argv[i + 1];
		} else {
			return bh_err_set(err, BH_EINVALID, "unknown argument %s", argv[i]);
		}
	}
	if (arguments->keeper_fd < 0) {
		return bh_err_set(err, BH_EINVALID,
		                  "server-main is started by bellhop-keeper; use `bellhop server "
		                  "start`");
	}
	return 0;
}

// Files and folders; before anything that could leave something behind.
static int server_open_files(struct bh_server *server, const char *session, struct bh_err *err)
{
	char why[BH_ERR_TEXT_MAX];
	int code = bh_paths_init(&server->paths, session, (const char *const *)environ, err);

	if (code == 0) {
		code = bh_paths_make(&server->paths, err);
	}
	if (code == 0) {
		const char *level = bh_paths_env((const char *const *)environ, "BELLHOP_LOG");
		int known = level != NULL ? bh_log_level_of(level) : -1;

		code = bh_log_open(server->paths.server_log,
		                   known >= 0 ? (enum bh_log_level)known : BH_LOG_INFO, err);
	}
	if (code == 0) {
		bh_settings_open(server);
	}
	if (code == 0 && !bh_vterm_check(why, sizeof why)) {
		code = bh_err_set(err, BH_EVERSION, "%s", why);
	}
	server->bellhop_path = bh_paths_self();
	if (code == 0 && server->bellhop_path == NULL) {
		code = bh_err_set(err, BH_EUNSUPPORTED, "/proc is not mounted");
	}
	return code;
}

static int server_open_parts(struct bh_server *server, int keeper_fd, struct bh_err *err)
{
	struct main_server *main_server = main_of(server);
	const struct bh_store_settings settings = {
		.loop = &server->loop,
		.path = server->paths.mail_db,
		.events = &store_events,
		.user = server,
	};
	int code = bh_store_open(&settings, &server->store, err);

	if (code != 0) {
		(void)bh_keeper_link_complain_fd(keeper_fd, err->text); // standard error has it too
		return code;
	}
	(void)uv_timer_init(&server->loop, &main_server->wake);        // never fails
	(void)uv_signal_init(&server->loop, &main_server->terminated); // never fails
	(void)uv_signal_start(&main_server->terminated, on_terminated,
	                      SIGTERM); // else: the default
	uv_unref((uv_handle_t *)&main_server->terminated);
	server->profiles = bh_profiles_load(server->paths.profiles_dir, report_profile, NULL);
	server->events = &bh_wiring_terminal_events;
	server->terminals = bh_terminals_new(server);
	server->externals = bh_externals_new(server);
	server->grants = bh_grants_new(server);
	server->layout = bh_layout_host_new(server);
	server->listeners = bh_events_new(server);
	server->lifecycle = bh_lifecycle_new(server);
	server->deliver = bh_deliver_new(&bh_wiring_deliver_host, server, server->store);
	code = bh_watchdog_start(&server->loop, BH_WATCHDOG_TURN_MS, &server->watchdog, err);
	if (code != 0) {
		bh_log(BH_LOG_WARN, "server", "", "%s", err->text); // it works without one
	}
	return bh_keeper_link_start(&server->loop, keeper_fd, &keeper_events, server,
	                            &server->keeper, err);
}

static int server_run(struct bh_server *server, const struct arguments *arguments,
                      struct bh_err *err)
{
	int code = uv_loop_init(&server->loop);

	if (code != 0) {
		return bh_err_sys(err, -code, "start the loop");
	}
	bh_turns_be_brief(); // keys pass here; the store's thread has turns as ever
	code = server_open_parts(server, arguments->keeper_fd, err);
	if (code != 0) {
		(void)uv_loop_close(&server->loop); // else what is open goes with the process
		return code;
	}
	(void)uv_run(&server->loop, UV_RUN_DEFAULT); // ends when all handles are closed
	if (uv_loop_close(&server->loop) != 0) {
		bh_log(BH_LOG_WARN, "server", "", "ended with handles open");
	}
	bh_events_free(server->listeners);
	bh_externals_free(server->externals);
	bh_grants_free(server->grants);
	bh_terminals_free(server->terminals);
	bh_profiles_free(server->profiles);
	return 0;
}

int bh_server_main(int argc, char **argv)
{
	struct main_server main_server = {.server = {.started_at = bh_clock_wall_ms()}};
	struct arguments arguments = {0};
	struct bh_err err = {0};
	int code = arguments_read(argc, argv, &arguments, &err);

	(void)signal(SIGPIPE, SIG_IGN); // a client that is gone is no reason to end
	(void)signal(SIGXFSZ, SIG_IGN); // nor a limit on files: the store says that it is full
	if (code == 0) {
		code = server_open_files(&main_server.server, arguments.session, &err);
	}
	if (code == 0) {
		code = server_run(&main_server.server, &arguments, &err);
	}
	if (code != 0) {
		bh_log(BH_LOG_ERROR, "server", "", "%s", err.text);
		(void)fprintf(stderr, "bellhop: server: %s\n", err.text);
		main_server.exit_status = BH_WIRE_EXIT_HOPELESS;
	}
	bh_settings_close(&main_server.server);
	bh_paths_clear(&main_server.server.paths);
	free(main_server.server.bellhop_path);
	bh_log_close();
	return main_server.exit_status;
}
