#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

/** How long the old server may take to save and end (ms). */
#define END_MS 10000

/** Have the server end; what it answered. */
static int request_upgrade(const struct bh_cmd *cmd, cJSON **result_out)
{
	struct bh_request request = {.method = "server.upgrade"};
	struct bh_session session = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	if (bh_session_open(cmd, BH_SESSION_RUNNING, &session, &err) != 0) {
		status = bh_print_no_server(cmd, &err);
	} else {
		status = bh_session_call(cmd, &session, &request, result_out);
	}
	if (status == BH_EXIT_OK) {
		bh_session_wait_closed(&session, END_MS);
	}
	bh_session_clear(&session);
	return status;
}

/** The new server's word: whoever comes after this command finds it. */
static int ask_new_server(const struct bh_cmd *cmd, cJSON **info_out)
{
	struct bh_request request = {.method = "server.info", .is_repeatable = true};
	struct bh_session session = {0};
	struct bh_err err = {0};
	int status = BH_EXIT_OK;

	if (bh_session_open(cmd, BH_SESSION_RETURNING, &session, &err) != 0) {
		status = bh_print_no_server(cmd, &err);
	} else {
		status = bh_session_call(cmd, &session, &request, info_out);
	}
	bh_session_clear(&session);
	return status;
}

static int run(struct bh_cmd *cmd)
{
	cJSON *result = NULL;
	cJSON *info = NULL;
	int status = request_upgrade(cmd, &result);

	status = status == BH_EXIT_OK ? ask_new_server(cmd, &info) : status;
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		(void)printf("the server runs anew: version %s, pid %.0f; terminals go on\n",
		             bh_print_str(info, "version", "?"), bh_print_num(info, "pid", 0));
	}
	cJSON_Delete(info);
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_upgrade = {
	.name = "upgrade",
	.summary = "restart the server from the installed program; terminals go on",
	.options = options,
	.group = BH_GROUP_SESSION,
	.acts = true,
	.run = run,
};
