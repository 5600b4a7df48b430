#include "src/cmd/checkup.h"
#include "src/cmd/commands.h"
#include "src/cmd/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bh_checkup_say(struct bh_checkup *checkup, const struct bh_finding *finding,
                    const char *format, ...)
{
	struct bh_finding whole = *finding;
	char says[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(says, sizeof(says), format, args); // cut is allowed
	va_end(args);
	whole.says = says;
	bh_findings_add(&checkup->findings, &whole);
}

cJSON *bh_checkup_call(struct bh_checkup *checkup, const char *method, cJSON *params,
                       long timeout_ms, struct bh_err *err)
{
	struct bh_client_call call = {.method = method, .params = params, .timeout_ms = timeout_ms};
	cJSON *result = NULL;

	if (bh_client_do(checkup->session.client, &call, &result, err) != 0) {
		return NULL;
	}
	return result;
}

/** Reach the server, or start one; @was_running: it was there. */
static bool reach(struct bh_checkup *checkup, bool *was_running)
{
	struct bh_err err = {0};

	*was_running =
		bh_session_open(checkup->cmd, BH_SESSION_RUNNING, &checkup->session, &err) == 0;
	if (*was_running) {
		return true;
	}
	bh_session_clear(&checkup->session);
	if (bh_session_open(checkup->cmd, BH_SESSION_START, &checkup->session, &err) == 0) {
		return true;
	}
	bh_checkup_say(checkup,
	               &(struct bh_finding){.check = "server",
	                                    .level = BH_FINDING_PROBLEM,
	                                    .advice = "mend that, then run this again"},
	               "it cannot be reached or started: %s", err.text);
	return false;
}

/** One that we started goes again. It is refused when somebody has started a terminal meanwhile. */
static void leave(struct bh_checkup *checkup)
{
	cJSON *result = bh_checkup_call(checkup, "server.stop", NULL, BH_CHECKUP_MS, NULL);

	if (result != NULL) {
		bh_session_wait_closed(&checkup->session, BH_CHECKUP_MS);
	}
	cJSON_Delete(result);
}

/** Whether the server lets the caller ask: an agent would become one that starts others. */
static int check_caller(struct bh_checkup *checkup)
{
	static const char *const words[] = {"operator_only", "external", "unverified",
	                                    "identity_conflict"};
	struct bh_err err = {0};

	cJSON_Delete(bh_checkup_call(checkup, "doctor.terminals", NULL, BH_CHECKUP_MS, &err));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(bh_client_fault(checkup->session.client), words[i]) == 0) {
			return bh_print_failure(checkup->cmd, checkup->session.client, &err);
		}
	}
	return BH_EXIT_OK; // a server that does not answer is a finding
}

static int examine(struct bh_checkup *checkup)
{
	bool was_running = false;
	int status = BH_EXIT_OK;

	if (!reach(checkup, &was_running)) {
		if (checkup->session.paths.runtime_dir != NULL) {
			bh_checkup_files(checkup);
		}
		return BH_EXIT_OK;
	}
	checkup->is_reached = true;
	status = check_caller(checkup);
	if (status == BH_EXIT_OK) {
		bh_checkup_files(checkup);
		if (bh_checkup_server(checkup)) {
			bh_checkup_agents(checkup);
			bh_checkup_probe(checkup);
		}
	}
	if (!was_running) {
		leave(checkup);
	}
	return status;
}

static void print_findings(const struct bh_checkup *checkup)
{
	cJSON *json = NULL;

	if (!bh_cmd_is_json(checkup->cmd)) {
		bh_findings_print(&checkup->findings, stdout);
		return;
	}
	json = bh_findings_json(&checkup->findings);
	bh_print_json(stdout, json);
	cJSON_Delete(json);
}

static int run(struct bh_cmd *cmd)
{
	struct bh_checkup checkup = {.cmd = cmd};
	int status = examine(&checkup);

	if (status == BH_EXIT_OK) {
		print_findings(&checkup);
		status = checkup.findings.problems == 0 ? BH_EXIT_OK : BH_EXIT_FAILED;
	}
	bh_findings_clear(&checkup.findings);
	bh_session_clear(&checkup.session);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_doctor = {
	.name = "doctor",
	.summary = "try all that mail needs, and say what to do about what fails",
	.help = "What is checked is done: a write to the store, a question to the keeper, a program\n"
		"started and ended, a message typed into a probe agent and proved. Of each agent\n"
		"that runs: whether its socket, its spool folder and its hooks reach the server, and\n"
		"how much of the time its state was unknown (then its profile does not fit that\n"
		"version). Also permissions, settings and what crashes left behind. Each finding\n"
		"says what to do. If no server runs, one is started and stopped again.\n"
		"Exit status: 0 when there is no problem (warnings count as none), else 1.",
	.options = options,
	.group = BH_GROUP_SESSION,
	.words_max = 0,
	.run = run,
};
