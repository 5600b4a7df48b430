#include "src/cmd/checkup.h"

#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/base/uuid.h"
#include "src/cmd/print.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Its name; mail to it from earlier checkups stays in its archive. */
#define PROBE_NAME "doctor-probe"
/** How long it may take to be idle, and to have its mail (ms). */
#define IDLE_MS 10000
#define SEEN_MS 15000
/** How long it may take to end (ms): SIGKILL comes after 3 s. */
#define END_MS 6000

static cJSON *params_of_probe(void)
{
	cJSON *params = cJSON_CreateObject();

	(void)cJSON_AddStringToObject(params, "name", PROBE_NAME);
	return params;
}

/** Wait for a state of it; gives what was reached in the end, "" when the server does not say. */
static bool probe_wait(struct bh_checkup *checkup, const char *state, long limit_ms)
{
	cJSON *params = params_of_probe();
	struct bh_err err = {0};
	cJSON *result = NULL;
	bool is_reached = false;

	(void)cJSON_AddStringToObject(params, "state", state);
	(void)cJSON_AddNumberToObject(params, "timeout_ms", (double)limit_ms);
	result = bh_checkup_call(checkup, "terminal.wait_state", params, limit_ms + BH_CHECKUP_MS,
	                         &err);
	is_reached = bh_print_flag(result, "reached");
	cJSON_Delete(result);
	return is_reached;
}

/** Take what it leaves unread out of its mailbox: nobody else will read it. */
static void probe_read(struct bh_checkup *checkup)
{
	struct bh_err err = {0};
	cJSON *mail =
		bh_checkup_call(checkup, "inbox.read", params_of_probe(), BH_CHECKUP_MS, &err);
	const char *confirm = bh_print_str(mail, "confirm", NULL);
	cJSON *params = NULL;

	if (confirm != NULL) {
		params = cJSON_CreateObject();
		(void)cJSON_AddStringToObject(params, "confirm", confirm);
		cJSON_Delete(
			bh_checkup_call(checkup, "inbox.confirm", params, BH_CHECKUP_MS, &err));
	}
	cJSON_Delete(mail);
}

/** End it and take it off the list. */
static void probe_end(struct bh_checkup *checkup)
{
	struct bh_finding finding = {.check = "spawn", .level = BH_FINDING_PROBLEM};
	struct bh_err err = {0};
	cJSON *result =
		bh_checkup_call(checkup, "terminal.kill", params_of_probe(), BH_CHECKUP_MS, &err);
	bool is_ended = probe_wait(checkup, "exited", END_MS);

	cJSON_Delete(result);
	if (!is_ended) {
		finding.advice = "`bellhop kill --signal KILL " PROBE_NAME "` ends it";
		bh_checkup_say(checkup, &finding, "the probe agent did not end: %s",
		               err.code != 0 ? err.text : "it ignores SIGHUP");
		return;
	}
	result =
		bh_checkup_call(checkup, "terminal.forget", params_of_probe(), BH_CHECKUP_MS, &err);
	cJSON_Delete(result);
	probe_read(checkup);
}

/** Start it; false: told why not. */
static bool probe_start(struct bh_checkup *checkup)
{
	struct bh_finding finding = {.check = "spawn", .level = BH_FINDING_PROBLEM};
	struct bh_err err = {0};
	char *program = bh_paths_helper("bellhop-demo-agent", (const char *const *)environ, &err);
	cJSON *params = NULL;
	cJSON *argv = NULL;
	cJSON *terminal = NULL;

	if (program == NULL) {
		finding.level = BH_FINDING_WARNING;
		finding.advice = "install all of bellhop, or set BELLHOP_LIBEXECDIR to where it is";
		bh_checkup_say(checkup, &finding, "no probe agent was started: %s", err.text);
		return false;
	}
	params = cJSON_CreateObject();
	argv = cJSON_AddArrayToObject(params, "argv");
	(void)cJSON_AddItemToArray(argv, cJSON_CreateString(program));
	(void)cJSON_AddStringToObject(params, "identity", PROBE_NAME);
	(void)cJSON_AddStringToObject(params, "cwd", "/");
	(void)cJSON_AddStringToObject(params, "respawn", "never");
	(void)cJSON_AddStringToObject(params, "mode", "message");
	(void)cJSON_AddBoolToObject(params, "headless", true);
	terminal = bh_checkup_call(checkup, "terminal.run", params, IDLE_MS, &err);
	free(program);
	if (terminal == NULL) {
		finding.advice = err.code == BH_EEXISTS
		                         ? "another checkup runs; try again when it has ended"
		                         : "no agent can be started until this is mended";
		bh_checkup_say(checkup, &finding, "the probe agent could not be started: %s",
		               err.text);
		if (err.code == BH_ETIMEOUT) { // it may come yet
			probe_end(checkup);
		}
		return false;
	}
	cJSON_Delete(terminal);
	return true;
}

/** Send it mail, which must be typed and proved. */
static void probe_mail(struct bh_checkup *checkup)
{
	struct bh_finding finding = {.check = "mail", .level = BH_FINDING_PROBLEM};
	cJSON *params = cJSON_CreateObject();
	struct bh_uuid id = bh_uuid_new();
	char id_text[BH_UUID_TEXT];
	struct bh_err err = {0};
	uint64_t begin_ms = bh_clock_mono_ms();
	cJSON *answer = NULL;

	(void)cJSON_AddStringToObject(params, "to", PROBE_NAME);
	(void)cJSON_AddStringToObject(params, "body", "Loop-back of `bellhop doctor`.");
	(void)cJSON_AddStringToObject(params, "message_id", bh_uuid_format(&id, id_text));
	(void)cJSON_AddNumberToObject(params, "wait_seen_ms", SEEN_MS);
	answer = bh_checkup_call(checkup, "message.send", params, SEEN_MS + BH_CHECKUP_MS, &err);
	if (answer == NULL) {
		finding.advice =
			"mail cannot be sent; see the store's finding and the server's log";
		bh_checkup_say(checkup, &finding, "a message was not taken: %s", err.text);
	} else if (!bh_print_flag(answer, "delivered")) {
		finding.advice =
			"see `bellhop receipt` of it; without typing, agents must look into "
			"their inbox by themselves";
		bh_checkup_say(checkup, &finding,
		               "a message was stored (m%.0f) but not seen within %d s: %s",
		               bh_print_num(answer, "seq", 0), SEEN_MS / 1000,
		               bh_print_str(answer, "reason", "no reason given"));
	} else {
		finding.level = BH_FINDING_WORKS;
		bh_checkup_say(
			checkup, &finding,
			"a message was stored, typed into a probe agent and proved after %.0f "
			"ms",
			(double)(bh_clock_mono_ms() - begin_ms));
	}
	cJSON_Delete(answer);
}

void bh_checkup_probe(struct bh_checkup *checkup)
{
	struct bh_finding finding = {.check = "spawn"};
	uint64_t begin_ms = bh_clock_mono_ms();

	if (!probe_start(checkup)) {
		return;
	}
	if (probe_wait(checkup, "idle", IDLE_MS)) {
		bh_checkup_say(checkup, &finding,
		               "a probe agent was started and proved idle after %.0f ms",
		               (double)(bh_clock_mono_ms() - begin_ms));
		probe_mail(checkup);
	} else {
		finding.level = BH_FINDING_PROBLEM;
		finding.advice = "`bellhop explain " PROBE_NAME "` while it runs shows why; is the "
				 "machine overloaded?";
		bh_checkup_say(checkup, &finding, "a probe agent was not idle within %d s",
		               IDLE_MS / 1000);
	}
	probe_end(checkup);
}
