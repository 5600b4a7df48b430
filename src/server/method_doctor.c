// `doctor.*`: what only the server can try. Each check is a method of its own, so that one that hangs
// is told from one that fails.
#include "src/agent/drift.h"
#include "src/agent/profile.h"
#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/mail/store_care.h"
#include "src/server/keeper_link.h"
#include "src/server/methods.h"
#include "src/server/server.h"
#include "src/server/sweep.h"
#include "src/server/terminals.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Most files that are named. */
#define STALE_MAX 50

/** A check that is under way. */
struct check {
	struct bh_request *request;
	uint64_t begin_ms;
};

static struct check *check_new(struct bh_request *request)
{
	struct check *check = bh_xmalloc(sizeof(*check));

	*check = (struct check){.request = request, .begin_ms = bh_clock_mono_ms()};
	return check;
}

/** The request of a check that has ended, which is freed, and how long it took. */
static struct bh_request *check_end(struct check *check, cJSON *result)
{
	struct bh_request *request = check->request;

	cJSON_AddNumberToObject(result, "took_ms", (double)(bh_clock_mono_ms() - check->begin_ms));
	free(check);
	return request;
}

static void check_fail(struct check *check, const struct bh_err *err)
{
	struct bh_request *request = check->request;

	free(check);
	bh_request_fail_err(request, err);
}

static void on_probed(void *user, const struct bh_answer *answer)
{
	cJSON *result = NULL;

	if (answer->err.code != 0) {
		check_fail(user, &answer->err);
		return;
	}
	result = cJSON_CreateObject();
	bh_request_answer(check_end(user, result), result);
}

void bh_method_doctor_store(struct bh_request *request)
{
	struct check *check = check_new(request);
	struct bh_err err = {0};

	if (bh_store_probe(bh_request_server(request)->store, on_probed, check, &err) != 0) {
		check_fail(check, &err);
	}
}

static void on_pinged(void *user, const struct bh_keeper_health *health, const struct bh_err *err)
{
	cJSON *result = NULL;

	if (health == NULL) {
		check_fail(user, err);
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddNumberToObject(result, "version", health->version);
	cJSON_AddNumberToObject(result, "used", health->used);
	cJSON_AddNumberToObject(result, "entries", health->entries);
	cJSON_AddNumberToObject(result, "starts", health->starts);
	cJSON_AddNumberToObject(result, "crashes", health->crashes);
	bh_request_answer(check_end(user, result), result);
}

void bh_method_doctor_keeper(struct bh_request *request)
{
	struct check *check = check_new(request);

	if (bh_keeper_link_ping(bh_request_server(request)->keeper, on_pinged, check) != 0) {
		struct bh_err err = {0};

		(void)bh_err_set(&err, BH_ECLOSED, "the keeper is gone");
		check_fail(check, &err);
	}
}

/** How well a profile fits one version of its program, over all terminals that are still shown. */
struct fit {
	const char *profile;
	const char *version;
	bool is_supported;
	int terminals;
	struct bh_drift drift;
};

static void fit_add(struct fit *fits, size_t *count, const struct bh_terminal *terminal)
{
	const struct bh_judge_past past = bh_judge_past(terminal->judge);
	const struct bh_drift drift = {.watched_ms = past.watched_ms,
	                               .unknown_ms = past.unknown_ms};
	const char *profile = bh_profile_name(terminal->profile);
	const char *version = bh_judge_version(terminal->judge);
	size_t i = 0;

	while (i < *count &&
	       (strcmp(fits[i].profile, profile) != 0 || strcmp(fits[i].version, version) != 0)) {
		i++;
	}
	if (i == *count) {
		fits[i] = (struct fit){.profile = profile,
		                       .version = version,
		                       .is_supported = bh_judge_is_supported(terminal->judge)};
		(*count)++;
	}
	fits[i].terminals++;
	bh_drift_add(&fits[i].drift, &drift);
}

static void drift_print(cJSON *object, const struct bh_drift *drift)
{
	cJSON_AddNumberToObject(object, "watched_ms", (double)drift->watched_ms);
	cJSON_AddNumberToObject(object, "unknown_ms", (double)drift->unknown_ms);
	cJSON_AddNumberToObject(object, "unknown_percent", bh_drift_percent(drift));
}

static bool is_agent(const struct bh_terminal *terminal)
{
	return terminal->judge != NULL && bh_profile_typing(terminal->profile)->is_allowed;
}

static cJSON *fits_print(struct bh_list *all)
{
	cJSON *array = cJSON_CreateArray();
	struct fit *fits = NULL;
	size_t count = 0;

	bh_list_for (at, next, all) {
		count++;
	}
	fits = bh_xcalloc(count + 1, sizeof(*fits));
	count = 0;
	bh_list_for (at, next, all) {
		const struct bh_terminal *terminal = bh_container_of(at, struct bh_terminal, link);

		if (is_agent(terminal)) {
			fit_add(fits, &count, terminal);
		}
	}
	for (size_t i = 0; i < count; i++) {
		cJSON *object = cJSON_CreateObject();

		cJSON_AddStringToObject(object, "profile", fits[i].profile);
		cJSON_AddStringToObject(object, "version", fits[i].version);
		cJSON_AddBoolToObject(object, "supported", fits[i].is_supported);
		cJSON_AddNumberToObject(object, "terminals", fits[i].terminals);
		drift_print(object, &fits[i].drift);
		cJSON_AddItemToArray(array, object);
	}
	free(fits);
	return array;
}

/** "none": its profile has no hooks; "heard", "silent": a turn was seen and no hook told of it;
 * "waiting": no turn was seen yet. */
static const char *hooks_word(const struct bh_terminal *terminal)
{
	const struct bh_judge_past past = bh_judge_past(terminal->judge);

	return !bh_profile_has_hooks(terminal->profile) ? "none"
	       : past.hook_ms != 0                      ? "heard"
	       : past.turn_ms != 0                      ? "silent"
	                                                : "waiting";
}

static cJSON *terminal_print(struct bh_terminal *terminal)
{
	const struct bh_verdict *verdict = bh_terminal_evaluate(terminal);
	const struct bh_judge_past past = bh_judge_past(terminal->judge);
	const struct bh_drift drift = {.watched_ms = past.watched_ms,
	                               .unknown_ms = past.unknown_ms};
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "identity", terminal->identity);
	cJSON_AddStringToObject(object, "terminal_id", terminal->id_text);
	cJSON_AddNumberToObject(object, "pid", terminal->pid);
	cJSON_AddStringToObject(object, "profile", bh_profile_name(terminal->profile));
	cJSON_AddStringToObject(object, "version", bh_judge_version(terminal->judge));
	cJSON_AddBoolToObject(object, "supported", bh_judge_is_supported(terminal->judge));
	cJSON_AddStringToObject(object, "state", bh_state_word(verdict->state));
	cJSON_AddStringToObject(object, "spool", terminal->spool_path);
	cJSON_AddStringToObject(object, "hooks", hooks_word(terminal));
	drift_print(object, &drift);
	return object;
}

/** Files that belong to no terminal. */
struct stale {
	struct bh_terminals *terminals;
	cJSON *paths;
};

static bool is_known(void *user, const struct bh_uuid *id)
{
	const struct stale *stale = user;

	return bh_terminals_get(stale->terminals, id) != NULL;
}

static void stale_found(void *user, const char *path)
{
	struct stale *stale = user;

	if (cJSON_GetArraySize(stale->paths) < STALE_MAX) {
		cJSON_AddItemToArray(stale->paths, cJSON_CreateString(path));
	}
}

/** Whether our program file is another one now, or gone. */
static cJSON *program_print(const struct bh_server *server)
{
	cJSON *object = cJSON_CreateObject();
	struct stat ours;
	struct stat now;
	bool is_there = stat(server->bellhop_path, &now) == 0;
	bool is_other = is_there && stat("/proc/self/exe", &ours) == 0 &&
	                (ours.st_dev != now.st_dev || ours.st_ino != now.st_ino);

	cJSON_AddStringToObject(object, "path", server->bellhop_path);
	cJSON_AddBoolToObject(object, "missing", !is_there);
	cJSON_AddBoolToObject(object, "replaced", is_other);
	return object;
}

void bh_method_doctor_terminals(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	struct bh_list *all = bh_terminals_all(server->terminals);
	struct stale stale = {.terminals = server->terminals, .paths = cJSON_CreateArray()};
	cJSON *result = cJSON_CreateObject();
	cJSON *terminals = cJSON_AddArrayToObject(result, "terminals");

	bh_list_for (at, next, all) {
		struct bh_terminal *terminal = bh_container_of(at, struct bh_terminal, link);

		if (is_agent(terminal) && terminal->phase == BH_TERMINAL_RUNNING) {
			cJSON_AddItemToArray(terminals, terminal_print(terminal));
		}
	}
	cJSON_AddItemToObject(result, "drift", fits_print(all));
	bh_sweep_find(&server->paths, is_known, stale_found, &stale);
	cJSON_AddItemToObject(result, "stale", stale.paths);
	cJSON_AddItemToObject(result, "program", program_print(server));
	bh_request_answer(request, result);
}
