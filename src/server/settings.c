#include "src/server/settings.h"

#include "src/base/log.h"
#include "src/server/layout_clients.h"
#include "src/server/layout_host.h"
#include "src/server/server.h"

#include <string.h>

static void log_fault(const struct bh_err *err, void *user)
{
	(void)user;
	bh_log(BH_LOG_WARN, "server", "", "settings: %s", err->text);
}

// The first fault; the others are only counted.
static void keep_first(const struct bh_err *err, void *user)
{
	struct bh_err *first = user;

	if (first->code == 0) {
		*first = *err;
	}
}

// Where the settings are. What actions and keys are called is known to the UI alone.
static struct bh_config_source source_of(const struct bh_server *server)
{
	return (struct bh_config_source){.path = server->paths.config_file,
	                                 .is_needed = server->paths.is_config_named};
}

void bh_settings_open(struct bh_server *server)
{
	struct bh_config_source source = source_of(server);

	source.report = log_fault;
	bh_config_init(&server->config);
	(void)bh_config_load(&server->config, &source); // the faults are in the log
}

void bh_settings_size_policy(const struct bh_server *server, struct bh_layout_clients *clients)
{
	const struct bh_config_size *size = &server->config.size_policy;

	if (size->policy != NULL && bh_size_policy_parse(size->policy, &clients->policy)) {
		clients->fixed_cols = size->cols;
		clients->fixed_rows = size->rows;
	}
}

static bool is_same_policy(const struct bh_config_size *a, const struct bh_config_size *b)
{
	return strcmp(a->policy, b->policy) == 0 && a->cols == b->cols && a->rows == b->rows;
}

int bh_settings_reload(struct bh_server *server, struct bh_err *err)
{
	struct bh_config_source source = source_of(server);
	struct bh_config config;
	struct bh_err first = {0};
	int faults = 0;
	bool has_policy = false;

	source.report = keep_first;
	source.user = &first;
	bh_config_init(&config);
	faults = bh_config_load(&config, &source);
	if (faults > 0) {
		bh_config_clear(&config);
		return faults == 1 ? bh_err_set(err, BH_EINVALID, "%s", first.text)
		                   : bh_err_set(err, BH_EINVALID,
		                                "%.200s (and %d more: `bellhop config check`)",
		                                first.text, faults - 1);
	}
	// A policy that a person set meanwhile stays, unless this very setting is another.
	has_policy = !is_same_policy(&config.size_policy, &server->config.size_policy);
	bh_config_clear(&server->config);
	server->config = config;
	if (has_policy && server->layout != NULL) {
		bh_settings_size_policy(server, bh_layout_host_clients(server->layout));
		bh_layout_host_changed(server->layout, NULL);
	}
	return 0;
}

void bh_settings_close(struct bh_server *server)
{
	bh_config_clear(&server->config);
}
