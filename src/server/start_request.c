#include "src/server/start_request.h"

#include "src/agent/profile.h"
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/base/shell_words.h"
#include "src/mail/identity.h"
#include "src/server/mail_caller.h"
#include "src/server/rpc.h"
#include "src/server/server.h"

#include <stdlib.h>
#include <string.h>

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

// The shell, or what the user has in its place.
static char **default_argv(const struct bh_start_defaults *defaults)
{
	const char *const shell[] = {defaults->program, NULL};
	bool is_shell = defaults->command == NULL || defaults->command[0] == '\0';
	char **words = is_shell ? NULL : bh_shell_words(defaults->command);
	char **argv = bh_setup_strings_dup(is_shell ? shell : (const char *const *)words);

	free(words);
	return argv;
}

static int setup_read_command(const cJSON *params, const struct bh_start_defaults *defaults,
                              struct bh_setup *setup, struct bh_err *err)
{
	const char **argv = NULL;
	const char *cwd = defaults != NULL ? defaults->cwd : NULL;
	bool is_default = defaults != NULL && !cJSON_HasObjectItem(params, "argv");
	int code = is_default ? 0 : bh_json_get_strv(params, "argv", BH_LIMIT_STRINGS, &argv, err);

	if (is_default) {
		setup->argv = default_argv(defaults);
	} else if (code == 0 && (argv[0] == NULL || argv[0][0] == '\0')) {
		code = bh_err_set(err, BH_EINVALID,
		                  "there is no program to run: the first word of argv is empty");
	}
	if (code == 0) {
		setup->argv = is_default ? setup->argv : bh_setup_strings_dup(argv);
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
		code = bh_json_opt_bool(params, "resume", &setup->is_resuming, err);
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

// A policy that could never do what it says is told at once.
static int setup_check_resume(const struct bh_profiles *profiles, const struct bh_setup *setup,
                              struct bh_err *err)
{
	const struct bh_profile *profile =
		setup->profile_name != NULL
			? bh_profiles_find(profiles, setup->profile_name)
			: bh_profiles_match(profiles, (const char *const *)setup->argv);

	if (setup->respawn == BH_RESPAWN_NEVER) {
		return bh_err_set(err, BH_EINVALID,
		                  "resume says how it is started again: it needs a respawn policy");
	}
	if (!bh_profile_can_resume(profile)) {
		return bh_err_set(err, BH_EINVALID,
		                  "bellhop knows no way to resume a session of %.40s: its profile "
		                  "has no \"resume\"",
		                  bh_profile_name(profile));
	}
	return 0;
}

static int setup_read(const struct bh_request *request, const struct bh_start_defaults *defaults,
                      struct bh_setup *setup, struct bh_err *err)
{
	const cJSON *params = bh_request_params(request);
	const struct bh_caller *caller = bh_request_caller(request);
	int code = setup_read_command(params, defaults, setup, err);

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
	if (code == 0 && setup->is_resuming) {
		code = setup_check_resume(bh_request_server(request)->profiles, setup, err);
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

bool bh_start_request_read(struct bh_request *request, const struct bh_start_defaults *defaults,
                           struct bh_terminals_start *start_out)
{
	struct bh_terminals_start start = {
		.by_operator = bh_request_caller(request)->kind == BH_CALLER_OPERATOR,
	};
	struct bh_err err = {0};

	if (!bh_request_optional_string(request, "identity", &start.identity)) {
		return false;
	}
	if (setup_read(request, defaults, &start.setup, &err) != 0 ||
	    (start.identity != NULL && bh_identity_check(start.identity, &err) != 0)) {
		bh_setup_clear(&start.setup);
		bh_request_fail(request, "invalid", "%s", err.text);
		return false;
	}
	*start_out = start;
	return true;
}

void bh_start_request_fail(struct bh_request *request, const struct bh_err *err)
{
	const cJSON *name =
		cJSON_GetObjectItemCaseSensitive(bh_request_params(request), "identity");

	if (err->code == BH_EEXISTS && cJSON_IsString(name)) {
		bh_mail_fail_name(request, name->valuestring, err);
		return;
	}
	bh_request_fail(request, start_failure_word(err->code), "%s", err->text);
}
