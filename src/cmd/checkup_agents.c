#include "src/cmd/checkup.h"

#include "src/agent/drift.h"
#include "src/base/buf.h"
#include "src/base/fd.h"
#include "src/base/mem.h"
#include "src/client/spool.h"
#include "src/client/start.h"
#include "src/cmd/print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Longest environment of a process that is read (bytes). */
#define ENVIRON_MAX (2 * 1024 * 1024)

/** A value of the environment in @block, a NUL-separated list; NULL: not set. */
static const char *environ_get(const struct bh_buf *block, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = block->data; at != NULL && at < block->data + block->len;
	     at += strlen(at) + 1) {
		if (strncmp(at, name, len) == 0 && at[len] == '=') {
			return at + len + 1;
		}
	}
	return NULL;
}

/** The environment that a process was started with; false: it may not be read. */
static bool environ_read(double pid, struct bh_buf *block)
{
	char *path = bh_xasprintf("/proc/%.0f/environ", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = -1;

	free(path);
	if (fd >= 0) {
		bh_buf_reserve(block, ENVIRON_MAX);
		len = bh_fd_read_all(fd, block->data, ENVIRON_MAX);
		bh_fd_close(&fd);
	}
	if (len <= 0) {
		return false;
	}
	block->len = (size_t)len;
	block->data[len] = '\0';
	return true;
}

/** Whether `bellhop` stands in a folder of the search path. */
static bool path_has_bellhop(const char *path)
{
	while (path != NULL && *path != '\0') {
		size_t len = strcspn(path, ":");
		char *file = bh_xasprintf("%.*s/bellhop", (int)len, path);
		bool is_there = access(file, X_OK) == 0;

		free(file);
		if (is_there) {
			return true;
		}
		path += len + (path[len] == ':');
	}
	return false;
}

/** From inside the agent: can it run bellhop, and does that reach the server? */
static void check_environ(struct bh_checkup *checkup, const cJSON *agent)
{
	struct bh_finding finding = {.check = "agent",
	                             .level = BH_FINDING_PROBLEM,
	                             .about = bh_print_str(agent, "identity", "?")};
	struct bh_buf block = {0};
	struct bh_err err = {0};
	const char *socket = NULL;
	int fd = -1;

	if (!environ_read(bh_print_num(agent, "pid", 0), &block)) {
		bh_buf_clear(&block); // another namespace or a hardened program: nothing to say
		return;
	}
	socket = environ_get(&block, "BELLHOP_SOCKET");
	finding.advice = "start it again: `bellhop respawn --force NAME`";
	if (socket == NULL || environ_get(&block, "BELLHOP_TERMINAL") == NULL) {
		bh_checkup_say(checkup, &finding,
		               "its environment does not name the session: the program that was "
		               "started removed BELLHOP_SOCKET");
	} else if (bh_start_try(socket, &fd, &err) != 0) {
		bh_checkup_say(checkup, &finding, "its socket does not reach the server: %s",
		               err.text);
	}
	bh_fd_close(&fd);
	if (!path_has_bellhop(environ_get(&block, "PATH"))) {
		finding.level = BH_FINDING_WARNING;
		finding.advice = "put bellhop into a folder of its PATH and start it again";
		bh_checkup_say(
			checkup, &finding,
			"it does not find the program `bellhop` on its PATH, so it cannot read "
			"its mail by that");
	}
	bh_buf_clear(&block);
}

/** A request without a token is refused, which shows that the server looks at the folder. */
static void check_spool(struct bh_checkup *checkup, const cJSON *agent)
{
	static const char request[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server.info\",\"params\":{}}";
	struct bh_finding finding = {.check = "agent",
	                             .level = BH_FINDING_PROBLEM,
	                             .about = bh_print_str(agent, "identity", "?")};
	struct bh_buf answer = {0};
	struct bh_err err = {0};

	struct bh_spool_request call = {.dir = bh_print_str(agent, "spool", ""),
	                                .request = bh_span_of(request),
	                                .timeout_ms = BH_CHECKUP_MS};

	if (bh_spool_call(&call, &answer, &err) != 0) {
		finding.advice = "sandboxed programs of this agent cannot reach the server; "
				 "`bellhop upgrade` makes the folder again";
		bh_checkup_say(checkup, &finding, "its spool folder is not served: %s", err.text);
	}
	bh_buf_clear(&answer);
}

static void check_hooks(struct bh_checkup *checkup, const cJSON *agent)
{
	if (strcmp(bh_print_str(agent, "hooks", "none"), "silent") == 0) {
		bh_checkup_say(
			checkup,
			&(struct bh_finding){.check = "hooks",
		                             .level = BH_FINDING_WARNING,
		                             .about = bh_print_str(agent, "identity", "?"),
		                             .advice = "start it by `bellhop run` without options "
		                                       "that replace its settings; until then its "
		                                       "screen and transcript are all there is"},
			"it has done a turn and none of its hooks told of it");
	}
}

/** How sure it is that mail wakes it, and what that hangs on; no fault of anything. */
static void tell_wake(struct bh_checkup *checkup, const char *name)
{
	cJSON *params = cJSON_CreateObject();
	struct bh_err err = {0};
	struct bh_buf text = {0};
	const char *comma = ": ";
	const cJSON *condition = NULL;
	cJSON *wake;

	(void)cJSON_AddStringToObject(params, "name", name);
	wake = bh_checkup_call(checkup, "wake.can_wake", params, BH_CHECKUP_MS, &err);
	if (wake == NULL) {
		return; // it has ended meanwhile
	}
	bh_buf_puts(&text, bh_print_str(wake, "tier", "NONE"));
	cJSON_ArrayForEach(condition, cJSON_GetObjectItemCaseSensitive(wake, "conditions"))
	{
		bh_buf_puts(&text, comma);
		bh_buf_puts(&text, cJSON_GetStringValue(condition));
		comma = "; ";
	}
	bh_checkup_say(checkup, &(struct bh_finding){.check = "wake", .about = name}, "%s",
	               text.data);
	bh_buf_clear(&text);
	cJSON_Delete(wake);
}

static void check_agent(struct bh_checkup *checkup, const cJSON *agent)
{
	int before = checkup->findings.problems + checkup->findings.warnings;
	const char *name = bh_print_str(agent, "identity", "?");

	check_environ(checkup, agent);
	check_spool(checkup, agent);
	check_hooks(checkup, agent);
	if (checkup->findings.problems + checkup->findings.warnings == before) {
		bh_checkup_say(checkup, &(struct bh_finding){.check = "agent", .about = name},
		               "its socket and spool reach the server%s",
		               strcmp(bh_print_str(agent, "hooks", ""), "heard") == 0
		                       ? ", its hooks are heard"
		                       : "");
	}
	tell_wake(checkup, name);
}

/** One version of one program: was its profile made for it, and does it still fit? */
static void check_fit(struct bh_checkup *checkup, const cJSON *fit)
{
	const char *profile = bh_print_str(fit, "profile", "?");
	const char *version = bh_print_str(fit, "version", "");
	double percent = bh_print_num(fit, "unknown_percent", 0);
	char *about = bh_xasprintf("%s%s%s", profile, version[0] == '\0' ? "" : " ", version);
	struct bh_finding finding = {
		.check = "profile", .level = BH_FINDING_WARNING, .about = about};

	if (!bh_print_flag(fit, "supported")) {
		finding.advice =
			"it mostly works; `bellhop explain NAME` shows what is recognised. "
			"A newer bellhop may know that version";
		bh_checkup_say(checkup, &finding, "the profile was not made for this version");
	}
	if (percent >= BH_DRIFT_LIMIT_PERCENT) {
		finding.advice = "the rules no longer fit its screen: `bellhop explain NAME` shows "
				 "why, a profile of yours can replace them; mail waits meanwhile";
		bh_checkup_say(checkup, &finding, "its state was unknown %.0f %% of the time",
		               percent);
	} else {
		finding.level = BH_FINDING_WORKS;
		bh_checkup_say(checkup, &finding, "its state was unknown %.0f %% of the time",
		               percent);
	}
	free(about);
}

static void check_stale(struct bh_checkup *checkup, const cJSON *paths)
{
	const cJSON *path = NULL;

	cJSON_ArrayForEach(path, paths)
	{
		bh_checkup_say(checkup,
		               &(struct bh_finding){.check = "stale",
		                                    .level = BH_FINDING_WARNING,
		                                    .about = cJSON_GetStringValue(path),
		                                    .advice = "`bellhop upgrade` removes it"},
		               "it belongs to a terminal that is gone");
	}
}

static void check_program(struct bh_checkup *checkup, const cJSON *program)
{
	struct bh_finding finding = {.check = "program",
	                             .level = BH_FINDING_PROBLEM,
	                             .about = bh_print_str(program, "path", "?")};

	if (bh_print_flag(program, "missing")) {
		finding.advice =
			"put the program back there: hooks of agents run it, and the server "
			"cannot be started again without it";
		bh_checkup_say(checkup, &finding, "the server's program file is gone");
	} else if (bh_print_flag(program, "replaced")) {
		finding.level = BH_FINDING_WARNING;
		finding.advice = "`bellhop upgrade` has the server run the new one; terminals live "
				 "on";
		bh_checkup_say(checkup, &finding, "it was replaced since the server was started");
	}
}

void bh_checkup_agents(struct bh_checkup *checkup)
{
	struct bh_err err = {0};
	cJSON *result = bh_checkup_call(checkup, "doctor.terminals", NULL, BH_CHECKUP_MS, &err);
	const cJSON *item = NULL;

	if (result == NULL) {
		return; // the server was told about
	}
	check_program(checkup, cJSON_GetObjectItemCaseSensitive(result, "program"));
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(result, "terminals"))
	{
		check_agent(checkup, item);
	}
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(result, "drift"))
	{
		check_fit(checkup, item);
	}
	check_stale(checkup, cJSON_GetObjectItemCaseSensitive(result, "stale"));
	cJSON_Delete(result);
}
