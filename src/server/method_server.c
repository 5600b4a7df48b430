#include "src/base/clock.h"
#include "src/base/limits.h"
#include "src/server/events.h"
#include "src/server/keeper_link.h"
#include "src/server/methods.h"
#include "src/server/server.h"
#include "src/server/settings.h"
#include "src/server/terminals.h"

#include <unistd.h>

void bh_method_server_info(struct bh_request *request)
{
	const struct bh_server *server = bh_request_server(request);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "version", PACKAGE_VERSION);
	cJSON_AddNumberToObject(result, "protocol", BH_PROTOCOL_VERSION);
	cJSON_AddNumberToObject(result, "pid", getpid());
	cJSON_AddNumberToObject(result, "keeper_pid", bh_keeper_link_pid(server->keeper));
	cJSON_AddStringToObject(result, "session", server->paths.session);
	cJSON_AddNumberToObject(result, "started_at", (double)server->started_at);
	cJSON_AddNumberToObject(result, "uptime_ms",
	                        (double)(bh_clock_wall_ms() - server->started_at));
	cJSON_AddNumberToObject(result, "terminals",
	                        (double)bh_terminals_living(server->terminals));
	cJSON_AddNumberToObject(result, "restarts", bh_keeper_link_crashes(server->keeper));
	cJSON_AddStringToObject(result, "runtime_dir", server->paths.runtime_dir);
	cJSON_AddStringToObject(result, "state_dir", server->paths.state_dir);
	cJSON_AddStringToObject(result, "config_file", server->paths.config_file);
	bh_request_answer(request, result);
}

void bh_method_server_stop(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	size_t living = bh_terminals_living(server->terminals);
	bool is_forced = false;

	if (!bh_request_flag(request, "force", &is_forced)) {
		return;
	}
	if (living > 0 && !is_forced) {
		bh_request_fail(
			request, "busy",
			"terminals that still run: %zu; end them first, or stop with --force",
			living);
		return;
	}
	cJSON *result = cJSON_CreateObject();

	cJSON_AddBoolToObject(result, "stopping", true);
	cJSON_AddNumberToObject(result, "killed", (double)living);
	bh_request_answer(request, result);
	bh_events_tell(server->listeners, "server.stopping", cJSON_CreateObject());
	bh_server_stop(server);
}

void bh_method_server_upgrade(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddBoolToObject(result, "upgrading", true);
	bh_request_answer(request, result);
	(void)bh_keeper_link_upgrade(
		server->keeper); // the old keeper would serve the new server, too
	bh_server_restart(server);
}

void bh_method_server_reload(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	struct bh_err err = {0};

	if (bh_settings_reload(server, &err) != 0) {
		bh_request_fail(request, "invalid", "%s; nothing was changed", err.text);
		return;
	}
	cJSON *result = cJSON_CreateObject();

	cJSON_AddBoolToObject(result, "reloaded", true);
	cJSON_AddStringToObject(result, "config_file", server->paths.config_file);
	cJSON_AddBoolToObject(result, "has_file", access(server->paths.config_file, F_OK) == 0);
	bh_request_answer(request, result);
	if (bh_events_is_heard(server->listeners)) {
		bh_events_tell(server->listeners, "config.changed", cJSON_CreateObject());
	}
}
