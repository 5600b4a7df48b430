#include "src/agent/profile.h"
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/mail/identity.h"
#include "src/server/keeper_link.h"
#include "src/server/method_mail.h"
#include "src/server/methods.h"
#include "src/server/server.h"
#include "src/server/target.h"
#include "src/server/terminal_view.h"
#include "src/server/terminals.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- run ----

// Read {"NAME":"VALUE"} into "NAME=VALUE" strings; NULL with @err when it is something else.
static char **env_read(const cJSON *object, const char *what, struct bh_err *err)
{
	size_t size = object != NULL ? (size_t)cJSON_GetArraySize(object) : 0;
	char **env = NULL;
	const cJSON *item = NULL;
	size_t count = 0;

	if (size > BH_LIMIT_STRINGS) {
		(void)bh_err_set(err, BH_ELIMIT, "%s has at most %d variables", what,
		                 BH_LIMIT_STRINGS);
		return NULL;
	}
	env = bh_xcalloc(size + 1, sizeof *env);
	cJSON_ArrayForEach(item, object)
	{
		if (!cJSON_IsString(item) || item->string == NULL || item->string[0] == '\0' ||
		    strchr(item->string, '=') != NULL) {
			(void)bh_err_set(err, BH_EINVALID,
			                 "%s must be an object of variable names and strings",
			                 what);
			bh_setup_strings_free(env);
			return NULL;
		}
		env[count++] = bh_xasprintf("%s=%s", item->string, item->valuestring);
	}
	return env;
}

static int setup_read_command(const cJSON *params, struct bh_setup *setup, struct bh_err *err)
{
	const char **argv = NULL;
	const char *cwd = NULL;
	int code = bh_json_get_strv(params, "argv", BH_LIMIT_STRINGS, &argv, err);

	if (code == 0 && (argv[0] == NULL || argv[0][0] == '\0')) {
		code = bh_err_set(err, BH_EINVALID,
		                  "there is no program to run: the first word of argv is empty");
	}
	if (code == 0) {
		setup->argv = bh_setup_strings_dup(argv);
		code = bh_json_opt_str(params, "cwd", BH_LIMIT_PATH, &cwd, err);
	}
	if (code == 0 && cwd != NULL && cwd[0] != '/') {
		code = bh_err_set(err, BH_EINVALID, "cwd must be an absolute path");
	}
	free(argv);
	setup->cwd = bh_xstrdup(cwd != NULL ? cwd : "/");
	return code;
}

static int setup_read_env(const cJSON *params, struct bh_setup *setup, struct bh_err *err)
{
	const cJSON *env = NULL;
	const cJSON *base = NULL;
	int code = bh_json_opt_object(params, "env", &env, err);

	if (code == 0) {
		code = bh_json_opt_object(params, "environ", &base, err);
	}
	if (code == 0) {
		setup->env = env_read(env, "env", err);
		code = setup->env == NULL ? BH_EINVALID : 0;
	}
	if (code == 0 && base != NULL) {
		setup->environ_base = env_read(base, "environ", err);
		code = setup->environ_base == NULL ? BH_EINVALID : 0;
	}
	return code;
}

static int setup_read_size(const cJSON *params, struct bh_setup *setup, struct bh_err *err)
{
	int64_t cols = 80;
	int64_t rows = 24;
	int code = bh_json_opt_int(params, "cols", BH_LIMIT_SCREEN_MIN, BH_LIMIT_SCREEN_MAX, &cols,
	                           err);

	if (code == 0) {
		code = bh_json_opt_int(params, "rows", BH_LIMIT_SCREEN_MIN, BH_LIMIT_SCREEN_MAX,
		                       &rows, err);
	}
	setup->cols = (int)cols;
	setup->rows = (int)rows;
	return code;
}

static int setup_read_policy(const cJSON *params, struct bh_setup *setup, struct bh_err *err)
{
	const char *respawn = NULL;
	const char *mode = NULL;
	const char *profile = NULL;
	int code = bh_json_opt_str(params, "respawn", BH_LIMIT_NAME, &respawn, err);

	if (code == 0 && respawn != NULL) {
		code = bh_respawn_parse(respawn, &setup->respawn, err);
	}
	if (code == 0) {
		code = bh_json_opt_str(params, "mode", BH_LIMIT_NAME, &mode, err);
	}
	if (code == 0 && mode != NULL) {
		code = bh_mode_parse(mode, &setup->mode, err);
	}
	if (code == 0) {
		code = bh_json_opt_str(params, "profile", BH_LIMIT_NAME, &profile, err);
	}
	if (code == 0) {
		code = bh_json_opt_bool(params, "headless", &setup->is_headless, err);
	}
	setup->profile_name = bh_xstrdup(profile);
	return code;
}

static int setup_read(const struct bh_request *request, struct bh_setup *setup, struct bh_err *err)
{
	const cJSON *params = bh_request_params(request);
	const struct bh_caller *caller = bh_request_caller(request);
	int code = setup_read_command(params, setup, err);

	if (code == 0) {
		code = setup_read_env(params, setup, err);
	}
	if (code == 0) {
		code = setup_read_size(params, setup, err);
	}
	if (code == 0) {
		code = setup_read_policy(params, setup, err);
	}
	if (code == 0 && setup->profile_name != NULL &&
	    bh_profiles_find(bh_request_server(request)->profiles, setup->profile_name) == NULL) {
		code = bh_profiles_fail_unknown(bh_request_server(request)->profiles,
		                                setup->profile_name, err);
	}
	if (caller->kind == BH_CALLER_INSIDE) {
		setup->launched_by = caller->terminal_id;
	}
	return code;
}

static const char *start_failure_word(int code)
{
	static const struct {
		int code;
		const char *word;
	} words[] = {
		{BH_EEXISTS, "identity_taken"}, {BH_EINVALID, "invalid"},  {BH_EBUSY, "busy"},
		{BH_ENOTFOUND, "exec_failed"},  {BH_ELIMIT, "table_full"},
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (words[i].code == code) {
			return words[i].word;
		}
	}
	return "disk";
}

// The answer of run and respawn.
static void on_started(void *user, struct bh_terminal *terminal, const struct bh_err *err)
{
	struct bh_request *request = user;

	if (terminal != NULL) {
		cJSON *view = bh_terminal_view(terminal);

		cJSON_AddItemToObject(view, "wake",
		                      bh_method_mail_wake(terminal->server, terminal->identity));
		bh_request_answer(request, view);
	} else {
		bh_request_fail(request, start_failure_word(err->code), "%s", err->text);
	}
}

void bh_method_terminal_run(struct bh_request *request)
{
	struct bh_terminals_start start = {
		.by_operator = bh_request_caller(request)->kind == BH_CALLER_OPERATOR,
	};
	struct bh_err err = {0};
	const char *identity = NULL;

	if (!bh_request_optional_string(request, "identity", &identity)) {
		return;
	}
	if (setup_read(request, &start.setup, &err) != 0 ||
	    (identity != NULL && bh_identity_check(identity, &err) != 0)) {
		bh_setup_clear(&start.setup);
		bh_request_fail(request, "invalid", "%s", err.text);
		return;
	}
	start.identity = identity;
	bh_terminals_run(bh_request_server(request)->terminals, &start, on_started, request);
}

// ---- list ----

void bh_method_terminal_list(struct bh_request *request)
{
	struct bh_list *all = bh_terminals_all(bh_request_server(request)->terminals);
	bool is_all = false;

	if (!bh_request_flag(request, "all", &is_all)) {
		return;
	}
	cJSON *result = cJSON_CreateObject();
	cJSON *list = cJSON_AddArrayToObject(result, "terminals");

	bh_list_for (at, next, all) {
		struct bh_terminal *terminal = bh_container_of(at, struct bh_terminal, link);

		if (terminal->phase != BH_TERMINAL_SPAWNING &&
		    (is_all || terminal->phase != BH_TERMINAL_EXITED ||
		     terminal->respawn_at != 0)) {
			cJSON_AddItemToArray(list, bh_terminal_view(terminal));
		}
	}
	bh_request_answer(request, result);
}

void bh_method_terminal_get(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal != NULL) {
		bh_request_answer(request, bh_terminal_view(terminal));
	}
}

// ---- ends and beginnings ----

// The number of "HUP", "sighup", "SIGHUP" or "1"; 0 when there is none.
static int signal_parse(const char *name)
{
	char *end = NULL;
	long number = strtol(name, &end, 10);

	if (end != name && *end == '\0') {
		return number > 0 && number < NSIG ? (int)number : 0;
	}
	if (strncasecmp(name, "SIG", 3) == 0) {
		name += 3;
	}
	for (int i = 1; i < NSIG; i++) {
		const char *known = sigabbrev_np(i);

		if (known != NULL && strcasecmp(known, name) == 0) {
			return i;
		}
	}
	return 0;
}

// What ends a terminal is meant for all in it; anything else for its program.
static enum bh_wire_target signal_target(int signal)
{
	return signal == SIGHUP || signal == SIGTERM || signal == SIGKILL ? BH_WIRE_TARGET_SESSION
	                                                                  : BH_WIRE_TARGET_CHILD;
}

void bh_method_terminal_kill(struct bh_request *request)
{
	const char *name = NULL;
	struct bh_terminal *terminal = NULL;

	if (!bh_request_optional_string(request, "signal", &name)) {
		return;
	}
	int signal = signal_parse(name != NULL ? name : "HUP");

	if (signal == 0) {
		bh_request_fail(request, "invalid",
		                "there is no signal %.32s; write a name or a number, as TERM or 15",
		                name);
		return;
	}
	terminal = bh_target_find_alive(request);
	if (terminal == NULL || !bh_target_may_act(request, terminal)) {
		return;
	}
	if (bh_keeper_link_signal(bh_request_server(request)->keeper, &terminal->id, signal,
	                          signal_target(signal)) != 0) {
		bh_request_fail(request, "internal", "the keeper is gone; see the log");
		return;
	}
	cJSON *result = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "terminal_id", terminal->id_text);
	cJSON_AddBoolToObject(result, "signalled", true);
	bh_request_answer(request, result);
}

void bh_method_terminal_respawn(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	bool is_forced = false;
	struct bh_terminal *terminal = NULL;

	if (!bh_request_flag(request, "force", &is_forced)) {
		return;
	}
	terminal = bh_target_find(request);
	if (terminal == NULL || !bh_target_may_act(request, terminal)) {
		return;
	}
	if (terminal->phase == BH_TERMINAL_EXITED) {
		bh_terminals_respawn(server->terminals, terminal, on_started, request);
	} else if (is_forced) {
		bh_terminals_replace(server->terminals, terminal, on_started, request);
	} else {
		bh_request_fail(request, "busy", "%s still runs; end it first, or use --force",
		                terminal->identity);
	}
}

void bh_method_terminal_forget(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal == NULL || !bh_target_may_act(request, terminal)) {
		return;
	}
	if (terminal->phase != BH_TERMINAL_EXITED) {
		bh_request_fail(request, "busy", "%s still runs; end it first with `bellhop kill`",
		                terminal->identity);
		return;
	}
	bh_terminals_forget(bh_request_server(request)->terminals, terminal);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddBoolToObject(result, "forgotten", true);
	bh_request_answer(request, result);
}
