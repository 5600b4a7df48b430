#include "launch.h"

#include "profile_data.h"
#include "session_folder.h"
#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/file.h"
#include "src/base/mem.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/** Largest settings file of the user that is merged (bytes). */
#define LAUNCH_SETTINGS_MAX (1024 * 1024)

/** What an agent may do without asking: read and answer its mail, nothing else. */
static const char *const launch_verbs[] = {"inbox", "wait", "send", "ack", "receipt", "whoami"};

/** The events of Claude Code that the judge and the proof use. */
static const char *const launch_events[] = {"SessionStart", "UserPromptSubmit",  "Stop",
                                            "StopFailure",  "PermissionRequest", "Notification",
                                            "SessionEnd"};

/** A command line in the making. */
struct line {
	char **word;
	size_t count;
};

static void line_add(struct line *line, const char *word)
{
	line->word = bh_xrealloc(line->word, line->count + 2, sizeof *line->word);
	line->word[line->count++] = bh_xstrdup(word);
	line->word[line->count] = NULL;
}

static bool text_is_one_of(const char *text, const char *const *list)
{
	for (; *list; list++) {
		if (strcmp(*list, text) == 0) {
			return true;
		}
	}
	return false;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/** Index of the program's own word: argv may begin with launchers (`env A=B node …/claude`). */
static size_t argv_program(const struct bh_profile *profile, const char *const *argv)
{
	for (size_t i = 0; argv[i]; i++) {
		if (text_is_one_of(base_name(argv[i]), (const char *const *)profile->programs)) {
			return i;
		}
	}
	return 0;
}

/** The first word behind the program that is no option: perhaps a subcommand. "" for none. */
static const char *argv_subcommand(const char *const *argv, size_t program)
{
	for (size_t i = program + 1; argv[i] && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] != '-') {
			return argv[i];
		}
	}
	return "";
}

/** Index of the option, given as `--name VALUE` or `--name=VALUE`; 0 when it is not there. */
static size_t argv_option(const char *const *argv, size_t program, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = program + 1; argv[i] && strcmp(argv[i], "--") != 0; i++) {
		if (strncmp(argv[i], name, len) == 0 &&
		    (argv[i][len] == '\0' || argv[i][len] == '=')) {
			return i;
		}
	}
	return 0;
}

/** Quote for a POSIX shell: hooks are run by one. */
static char *shell_quote(const char *text)
{
	struct bh_buf out = {0};

	bh_buf_puts(&out, "'");
	for (; *text; text++) {
		bh_buf_puts(&out, *text == '\'' ? "'\\''" : (const char[]){*text, '\0'});
	}
	bh_buf_puts(&out, "'");
	return bh_buf_detach(&out);
}

/** The member @key of that kind; made when it is not there, NULL when it is of another kind. */
static cJSON *member_make(cJSON *object, const char *key, bool is_array)
{
	cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!member) {
		member = is_array ? cJSON_CreateArray() : cJSON_CreateObject();
		(void)cJSON_AddItemToObject(object, key, member);
	}
	return (is_array ? cJSON_IsArray(member) : cJSON_IsObject(member)) ? member : NULL;
}

/** Add our hooks and permissions to what is there; false when its shape does not allow it. */
static bool claude_settings_add(cJSON *settings, const struct bh_launch_context *context)
{
	cJSON *hooks = member_make(settings, "hooks", false);
	cJSON *permissions = member_make(settings, "permissions", false);
	cJSON *allow = permissions ? member_make(permissions, "allow", true) : NULL;
	char *program = shell_quote(context->bellhop_path);
	char *command = bh_xasprintf("%s hook claude", program);
	bool is_done = hooks && allow;

	for (size_t i = 0; is_done && i < sizeof launch_events / sizeof *launch_events; i++) {
		cJSON *list = member_make(hooks, launch_events[i], true);
		cJSON *group = cJSON_CreateObject();
		cJSON *inner = cJSON_AddArrayToObject(group, "hooks");
		cJSON *hook = cJSON_CreateObject();

		(void)cJSON_AddStringToObject(hook, "type", "command");
		(void)cJSON_AddStringToObject(hook, "command", command);
		(void)cJSON_AddNumberToObject(hook, "timeout", 5);
		(void)cJSON_AddItemToArray(inner, hook);
		if (list) {
			(void)cJSON_AddItemToArray(list, group);
		} else {
			cJSON_Delete(group);
			is_done = false;
		}
	}
	for (size_t i = 0; is_done && i < sizeof launch_verbs / sizeof *launch_verbs; i++) {
		char *rule = bh_xasprintf("Bash(bellhop %s:*)", launch_verbs[i]);

		(void)cJSON_AddItemToArray(allow, cJSON_CreateString(rule));
		free(rule);
	}
	free(command);
	free(program);
	return is_done;
}

/** The settings that the user gave: JSON itself or the path of a file. NULL: cannot be read. */
static cJSON *claude_settings_of(const char *given)
{
	struct bh_buf text = {0};
	cJSON *settings = NULL;

	if (given[strspn(given, " \t\r\n")] == '{') {
		return cJSON_Parse(given);
	}
	if (bh_file_read(given, LAUNCH_SETTINGS_MAX, &text, NULL) == 0 && text.data) {
		settings = cJSON_ParseWithLength(text.data, text.len);
	}
	bh_buf_clear(&text);
	if (!cJSON_IsObject(settings)) {
		cJSON_Delete(settings);
		return NULL;
	}
	return settings;
}

/** Claude Code takes one `--settings`; what the user gave and ours become one. */
static void claude_prepare(const char *const *argv, size_t program,
                           const struct bh_launch_context *context, struct line *line,
                           struct bh_launch *launch)
{
	static const char *const other[] = {
		"agents",      "attach",  "auth",    "auto-mode",   "config", "doctor",
		"gateway",     "import",  "install", "kill",        "logs",   "mcp",
		"plugin",      "plugins", "purge",   "respawn",     "rm",     "stop",
		"setup-token", "update",  "upgrade", "ultrareview", NULL};
	size_t given = argv_option(argv, program, "--settings");
	const char *value = given ? strchr(argv[given], '=') : NULL;
	cJSON *settings;
	char *text = NULL;

	if (text_is_one_of(argv_subcommand(argv, program), other)) {
		given = 0;
	} else {
		value = value ? value + 1 : (given ? argv[given + 1] : "{}");
		settings = value ? claude_settings_of(value) : NULL;
		if (settings && claude_settings_add(settings, context)) {
			text = cJSON_PrintUnformatted(settings);
		} else {
			launch->warning = bh_xstrdup(
				"the --settings given could not be read as JSON, so bellhop added "
				"nothing: reading mail may ask a person, and what is typed is "
				"proved later");
		}
		cJSON_Delete(settings);
	}
	for (size_t i = 0; argv[i]; i++) {
		if (text && given && i == given) {
			i += strchr(argv[i], '=') ? 0 : 1;
			continue;
		}
		line_add(line, argv[i]);
		if (i == program && text) {
			line_add(line, "--settings");
			line_add(line, text);
		}
	}
	launch->is_reading_approved = text != NULL;
	cJSON_free(text);
}

/** Whether a login shell finds programs of this folder: Codex runs its commands in one, and
 * /etc/profile puts PATH back to these. */
static bool folder_is_standard(const char *program_path)
{
	static const char *const standard[] = {"/usr/local/bin/", "/usr/bin/", "/bin/"};

	for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) {
		size_t len = strlen(standard[i]);

		if (strncmp(program_path, standard[i], len) == 0 &&
		    !strchr(program_path + len, '/')) {
			return true;
		}
	}
	return false;
}

/** Index of the value of `-c KEY=…` or `--config KEY=…` that the user gave; 0: not given. */
static size_t argv_setting(const char *const *argv, size_t program, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = program + 1; argv[i] && argv[i + 1]; i++) {
		if ((strcmp(argv[i], "-c") == 0 || strcmp(argv[i], "--config") == 0) &&
		    strncmp(argv[i + 1], key, len) == 0 && argv[i + 1][len] == '=') {
			return i + 1;
		}
	}
	return 0;
}

/** What stands between the brackets of a TOML list of strings at @text; NULL: it is no such list.
 * The caller frees. */
static char *toml_list(const char *text)
{
	const char *start = text + strspn(text, " \t");
	const char *at = start;
	bool is_quoted = false;

	if (*at != '[') {
		return NULL;
	}
	for (at++; *at && (is_quoted || *at != ']'); at++) {
		if (*at == '"') {
			is_quoted = !is_quoted;
		} else if (is_quoted && *at == '\\' && at[1]) {
			at++;
		} else if (!is_quoted && !strchr(" \t\r\n,", *at)) {
			return NULL; // 'literal' strings, comments: better not touched than cut
		}
	}
	return *at ? bh_xmemdup(start + 1, (size_t)(at - start - 1)) : NULL;
}

#define CODEX_ROOTS "sandbox_workspace_write.writable_roots"

/**
 * The user's own writable folders, from the command line or config.toml, as the inside of a list.
 * NULL: none; *is_strange_out: there are some that could not be read. The caller frees.
 */
static char *codex_user_roots(const char *given, const struct bh_launch_context *context,
                              bool *is_strange_out)
{
	char *path = context->config_folder ? bh_xasprintf("%s/config.toml", context->config_folder)
	                                    : bh_xasprintf("%s/.codex/config.toml",
	                                                   context->home ? context->home : "");
	struct bh_buf text = {0};
	const char *found = given;
	char *inside = NULL;

	if (!found && bh_file_read(path, LAUNCH_SETTINGS_MAX, &text, NULL) == 0 && text.data) {
		found = strstr(text.data, "writable_roots");
		found = found ? found + strlen("writable_roots") : NULL;
		found = found ? found + strspn(found, " \t") : NULL;
	}
	if (found) {
		inside = *found == '=' ? toml_list(found + 1) : NULL;
		*is_strange_out = inside == NULL;
	}
	bh_buf_clear(&text);
	free(path);
	return inside;
}

/** Append a TOML string. */
static void toml_string(struct bh_buf *out, const char *text)
{
	bh_buf_puts(out, "\"");
	for (; *text; text++) {
		bh_buf_puts(out, strchr("\"\\", *text) ? "\\" : "");
		bh_buf_append(out, text, 1);
	}
	bh_buf_puts(out, "\"");
}

/** `KEY=["user's", "ours"]`, or NULL when the user's own list cannot be read. The caller frees. */
static char *codex_roots(const char *given, const struct bh_launch_context *context)
{
	bool is_strange = false;
	char *inside = codex_user_roots(given, context, &is_strange);
	struct bh_buf out = {0};
	size_t used = inside ? strlen(inside) : 0;

	if (is_strange) {
		return NULL;
	}
	bh_buf_puts(&out, CODEX_ROOTS "=[");
	while (used > 0 && strchr(" \t\r\n,", inside[used - 1])) {
		used--;
	}
	bh_buf_append(&out, inside ? inside : "", used);
	bh_buf_puts(&out, used ? ", " : "");
	toml_string(&out, context->spool_path);
	bh_buf_puts(&out, "]");
	free(inside);
	return bh_buf_detach(&out);
}

#define CODEX_MCP "mcp_servers.bellhop"

/**
 * The mail tools as an MCP server, approved: it runs outside the sandbox, so mail can be read even
 * where that is read-only (a folder that is no repository and not trusted), which the spool cannot.
 * Variables are passed by name; the token stands on no command line. The caller frees.
 */
static char *codex_mcp(const struct bh_launch_context *context)
{
	static const char *const variables[] = {"BELLHOP_SOCKET", "BELLHOP_SPOOL", "BELLHOP_TOKEN",
	                                        "BELLHOP_TERMINAL", "BELLHOP_IDENTITY"};
	struct bh_buf out = {0};

	bh_buf_puts(&out, CODEX_MCP "={command=");
	toml_string(&out, context->bellhop_path);
	bh_buf_puts(&out, ",args=[\"mcp\"],default_tools_approval_mode=\"approve\",env_vars=[");
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		bh_buf_puts(&out, i ? "," : "");
		toml_string(&out, variables[i]);
	}
	bh_buf_puts(&out, "]}");
	return bh_buf_detach(&out);
}

/** Whether the command line starts Codex with its screen. */
static bool codex_has_screen(const char *const *argv, size_t program)
{
	static const char *const other[] = {
		"exec",           "e",           "review",     "login",
		"logout",         "mcp",         "mcp-server", "plugin",
		"apply",          "a",           "app-server", "cloud",
		"queue",          "completion",  "sandbox",    "debug",
		"features",       "daemon",      "update",     "doctor",
		"archive",        "unarchive",   "delete",     "remote-control",
		"help",           "exec-server", "agents",     "migrate-rollouts",
		"migrate-nfs-db", NULL};

	return !text_is_one_of(argv_subcommand(argv, program), other);
}

static void codex_warn(struct bh_launch *launch, bool has_remote, bool has_roots)
{
	if (has_remote) {
		launch->warning =
			bh_xstrdup("codex works on a remote server: its tools do not have "
		                   "this terminal's identity and cannot read its mail");
	} else if (!has_roots) {
		launch->warning = bh_xstrdup(
			"the writable_roots of codex could not be read as a list of \"strings\", so "
			"bellhop did not add its spool folder: its shell may ask a person before it "
			"reads or sends mail, its mail tools do not");
	}
}

/**
 * Codex: without its shared daemon, whose tools would have the environment of whoever started it;
 * and the spool folder writable in the sandbox, so that `bellhop inbox` needs no approval. Tried on
 * 0.171.0: its tools have our environment, BELLHOP_TOKEN included, without more settings; and
 * `--add-dir` ends the program where the sandbox is read-only (a folder not trusted yet), while the
 * setting does no harm there.
 */
static void codex_prepare(const char *const *argv, size_t program,
                          const struct bh_launch_context *context, struct line *line,
                          struct bh_launch *launch)
{
	size_t given = argv_setting(argv, program, CODEX_ROOTS);
	bool has_remote = argv_option(argv, program, "--remote");
	bool has_screen = codex_has_screen(argv, program);
	char *roots =
		has_screen && !has_remote
			? codex_roots(given ? argv[given] + strlen(CODEX_ROOTS) : NULL, context)
			: NULL;
	char *mcp = codex_mcp(context);

	for (size_t i = 0; argv[i]; i++) {
		line_add(line, roots && given && i == given ? roots : argv[i]);
		if (i != program || !has_screen || has_remote) {
			continue;
		}
		if (!argv_option(argv, program, "--no-daemon")) {
			line_add(line, "--no-daemon");
		}
		if (roots && !given) {
			line_add(line, "-c");
			line_add(line, roots);
		}
		if (!argv_setting(argv, program, CODEX_MCP)) {
			line_add(line, "-c");
			line_add(line, mcp);
		}
		if (!folder_is_standard(context->bellhop_path) &&
		    !argv_setting(argv, program, "allow_login_shell")) {
			line_add(line, "-c");
			line_add(line, "allow_login_shell=false");
		}
	}
	launch->is_reading_approved = has_screen && !has_remote;
	if (has_screen) {
		codex_warn(launch, has_remote, roots != NULL);
	}
	free(roots);
	free(mcp);
}

/** Write the policy that lets the agent read its mail unasked; gives its path, which the caller
 * frees. NULL: it could not be written. */
static char *gemini_policy(const struct bh_launch_context *context)
{
	char *path = bh_xasprintf("%s/policy.toml", context->spool_path);
	struct bh_buf text = {0};
	struct bh_err err = {0};

	bh_buf_puts(&text, "[[rule]]\ntoolName = \"run_shell_command\"\ndecision = \"allow\"\n"
	                   "priority = 100\ncommandPrefix = [");
	for (size_t i = 0; i < sizeof launch_verbs / sizeof *launch_verbs; i++) {
		bh_buf_printf(&text, "%s\"bellhop %s\"", i ? ", " : "", launch_verbs[i]);
	}
	bh_buf_puts(&text, "]\n");
	if (bh_file_replace(path, (struct bh_span){text.data, text.len}, 0600, BH_FILE_ATOMIC,
	                    &err) != 0) {
		free(path);
		path = NULL;
	}
	bh_buf_clear(&text);
	return path;
}

/** Gemini CLI: one more policy, beside the user's; a command line that goes on behind `bellhop
 * inbox` asks all the same (tried on 0.61.0). */
static void gemini_prepare(const char *const *argv, size_t program,
                           const struct bh_launch_context *context, struct line *line,
                           struct bh_launch *launch)
{
	static const char *const other[] = {"mcp",   "extensions", "extension", "skills", "skill",
	                                    "hooks", "hook",       "gemma",     NULL};
	bool has_screen = !text_is_one_of(argv_subcommand(argv, program), other);
	char *policy = has_screen ? gemini_policy(context) : NULL;

	for (size_t i = 0; argv[i]; i++) {
		line_add(line, argv[i]);
		if (i == program && policy) {
			char *word = bh_xasprintf("--policy=%s", policy);

			line_add(line, word);
			free(word);
		}
	}
	launch->is_reading_approved = policy != NULL;
	if (has_screen && !policy) {
		launch->warning = bh_xstrdup("the policy that lets gemini read its mail could not "
		                             "be written: it asks a person first");
	}
	free(policy);
}

/** Whether what stands behind the program are its words: those behind a shell's `-c COMMAND` are not. */
static bool resume_finds_program(const struct bh_profile *profile, const char *const *argv,
                                 size_t program)
{
	for (size_t i = 1; i < program; i++) {
		if (argv[i][0] == '-' && argv[i][strlen(argv[i]) - 1] == 'c') {
			return false;
		}
	}
	return text_is_one_of(base_name(argv[program]), (const char *const *)profile->programs);
}

/** A word of the profile with the session in it. The caller frees. */
static char *resume_word(const char *word, const char *id, const char *record)
{
	static const char id_name[] = "{session}";
	static const char record_name[] = "{record}";
	const char *id_at = strstr(word, id_name);
	const char *record_at = strstr(word, record_name);
	const char *at = id_at ? id_at : record_at;
	size_t len = id_at ? sizeof id_name - 1 : sizeof record_name - 1;

	return at ? bh_xasprintf("%.*s%s%s", (int)(at - word), word, id_at ? id : record, at + len)
	          : bh_xstrdup(word);
}

/** The option's name in a word like `--name=VALUE`. The caller frees. */
static char *option_name(const char *word)
{
	return bh_xmemdup(word, strcspn(word, "="));
}

/** Words of the user's command line behind its program, in the making of one that resumes. */
struct resumption {
	const struct bh_resume_spec *spec;
	struct line line;
	/** So many words that are no options belong to the option before; below 0: all. */
	int values;
	/** ... and go with it. */
	bool is_dropping;
	/** What forbids it; NULL: nothing. */
	const char *obstacle;
};

static void resumption_option(struct resumption *it, const char *word)
{
	const struct bh_resume_spec *spec = it->spec;
	char *name = option_name(word);
	bool is_flag = text_is_one_of(name, (const char *const *)spec->flags);
	bool is_list = text_is_one_of(name, (const char *const *)spec->lists);

	if (text_is_one_of(name, (const char *const *)spec->refuse)) {
		it->obstacle = word;
	}
	it->is_dropping = text_is_one_of(name, (const char *const *)spec->instead);
	it->values = is_flag ? 0 : (strchr(word, '=') ? 0 : 1);
	it->values = is_list || (it->is_dropping && !spec->has_arguments) ? -1 : it->values;
	if (!it->is_dropping) {
		line_add(&it->line, word);
	}
	free(name);
}

/** A value of the option before, or a command or prompt: those are left out. */
static void resumption_word(struct resumption *it, const char *word)
{
	if (it->values == 0) {
		if (text_is_one_of(word, (const char *const *)it->spec->refuse)) {
			it->obstacle = word;
		} else if (it->spec->has_arguments) {
			line_add(&it->line, word);
		}
		return;
	}
	it->values -= it->values > 0 ? 1 : 0;
	if (!it->is_dropping) {
		line_add(&it->line, word);
	}
}

int bh_launch_resume(const struct bh_profile *profile, const char *const *argv, const char *record,
                     char ***argv_out, struct bh_err *err)
{
	struct resumption it = {.spec = &profile->resume};
	char id[BH_SESSION_ID_SIZE];
	size_t program = argv_program(profile, argv);

	if (!it.spec->words) {
		return bh_err_set(err, BH_EINVALID,
		                  "bellhop knows no way to resume a session of %.40s: its profile "
		                  "has no \"resume\"",
		                  profile->name);
	}
	if (!argv[0] || !resume_finds_program(profile, argv, program)) {
		return bh_err_set(err, BH_EINVALID,
		                  "its command line does not name %.40s itself, so it cannot be "
		                  "told which session to resume",
		                  profile->name);
	}
	if (!bh_session_id(profile->proof, record, id)) {
		return bh_err_set(err, BH_EINVALID, "the record %.100s does not tell its session",
		                  record);
	}
	for (size_t i = 0; i <= program; i++) {
		line_add(&it.line, argv[i]);
	}
	for (char **word = it.spec->words; *word; word++) {
		char *text = resume_word(*word, id, record);

		line_add(&it.line, text);
		free(text);
	}
	for (size_t i = program + 1; argv[i] && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] == '-' && argv[i][1]) {
			resumption_option(&it, argv[i]);
		} else {
			resumption_word(&it, argv[i]);
		}
	}
	if (it.obstacle) {
		struct bh_launch unused = {.argv = it.line.word};

		(void)bh_err_set(err, BH_EINVALID,
		                 "its command line has %.60s: there is no session to resume",
		                 it.obstacle);
		bh_launch_clear(&unused);
		return BH_EINVALID;
	}
	*argv_out = it.line.word;
	return 0;
}

int bh_launch_prepare(const struct bh_profile *profile, const char *const *argv,
                      const struct bh_launch_context *context, struct bh_launch *launch_out,
                      struct bh_err *err)
{
	struct bh_launch launch = {0};
	struct line line = {0};
	size_t program;

	if (!argv[0]) {
		return bh_err_set(err, BH_EINVALID, "no command given");
	}
	program = argv_program(profile, argv);
	switch (profile->launch) {
	case BH_LAUNCH_KIND_CLAUDE:
		claude_prepare(argv, program, context, &line, &launch);
		break;
	case BH_LAUNCH_KIND_CODEX:
		codex_prepare(argv, program, context, &line, &launch);
		break;
	case BH_LAUNCH_KIND_GEMINI:
		gemini_prepare(argv, program, context, &line, &launch);
		break;
	case BH_LAUNCH_KIND_PLAIN:
		for (size_t i = 0; argv[i]; i++) {
			line_add(&line, argv[i]);
		}
		// The demo agent and pi ask for nothing: their tools run what they are told.
		launch.is_reading_approved = profile->typing.is_allowed;
		break;
	}
	launch.argv = line.word;
	launch.env = bh_xcalloc(1, sizeof *launch.env);
	*launch_out = launch;
	return 0;
}

void bh_launch_clear(struct bh_launch *launch)
{
	for (char **word = launch->argv; word && *word; word++) {
		free(*word);
	}
	for (char **variable = launch->env; variable && *variable; variable++) {
		free(*variable);
	}
	free(launch->argv);
	free(launch->env);
	free(launch->warning);
	*launch = (struct bh_launch){0};
}
