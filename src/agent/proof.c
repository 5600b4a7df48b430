#include "proof.h"

#include "pattern.h"
#include "profile_data.h"
#include "proof_own.h"
#include "record.h"
#include "rules.h"
#include "session_folder.h"
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/mem.h"
#include "status_file.h"
#include "term/screen.h"
#include "turn_line.h"
#include "turn_store.h"
#include "view.h"

#include <cjson/cJSON.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** After a proof by the screen its record is looked at so often. */
#define PROOF_RECORD_LOOKS 60
/** After a crash the text is sought in so much of the end of each record (bytes). */
#define PROOF_LATE_BYTES (1024 * 1024)
/** After a crash, records written to in so long before are looked at (ms). */
#define PROOF_LATE_MS (24 * 3600 * 1000)
/** Most folders with records of one terminal's processes. */
#define PROOF_FOLDERS_MAX 4

/** Where a kind of agent keeps its records below HOME, and what a proof from there is called. */
static const struct {
	const char *folder;
	const char *source;
	/* Its variable tells the folder that this one is in; NULL: the folder itself. */
	const char *below_variable;
} kinds[] = {
	[BH_PROOF_KIND_NONE] = {NULL, NULL, NULL},
	[BH_PROOF_KIND_CLAUDE] = {".claude", "transcript", NULL},
	[BH_PROOF_KIND_CODEX] = {".codex", "rollout", NULL},
	[BH_PROOF_KIND_SCREEN] = {NULL, "screen", NULL},
	[BH_PROOF_KIND_PI] = {".pi/agent", "session", NULL},
	[BH_PROOF_KIND_GEMINI] = {".gemini", "session", ".gemini"},
	[BH_PROOF_KIND_OPENCODE] = {".local/share/opencode", "session", "opencode"},
};

struct bh_proof *bh_proof_new(const struct bh_profile *profile, const struct bh_proof_place *place)
{
	struct bh_proof *proof = bh_xmalloc(sizeof *proof);
	const char *folder = kinds[profile->proof].folder;
	const char *below = kinds[profile->proof].below_variable;
	bool has_config = place->config_folder && *place->config_folder;

	proof->profile = profile;
	proof->child_pid = place->child_pid;
	proof->record = bh_record_new();
	if (has_config) {
		proof->folder = bh_xasprintf("%s%s%s", place->config_folder, below ? "/" : "",
		                             below ? below : "");
	} else if (place->home && folder) {
		proof->folder = bh_xasprintf("%s/%s", place->home, folder);
	}
	return proof;
}

void bh_proof_free(struct bh_proof *proof)
{
	if (!proof) {
		return;
	}
	bh_record_free(proof->record);
	bh_view_clear(&proof->view);
	free(proof->folder);
	free(proof->session_path);
	free(proof->known_path);
	free(proof->mark);
	free(proof->last_mark);
	free(proof);
}

const char *bh_proof_folder_variable(const struct bh_profile *profile)
{
	return profile->folder_variable;
}

/** Whether the path is a record inside the program's own folder. */
static bool proof_owns(const struct bh_proof *proof, const char *path)
{
	size_t folder = proof->folder ? strlen(proof->folder) : 0;
	size_t len = strlen(path);

	return folder > 0 && strncmp(path, proof->folder, folder) == 0 && path[folder] == '/' &&
	       !strstr(path, "/../") && len > 6 && strcmp(path + len - 6, ".jsonl") == 0;
}

/** What a search of records needs to know. */
struct search {
	struct bh_proof *proof;
	size_t back;
};

/** A file that a process has open; Codex keeps its rollout open. */
static void search_open_file(const char *path, void *user)
{
	const struct search *search = user;

	if (proof_owns(search->proof, path) && strstr(path, "/rollout-")) {
		bh_record_add(search->proof->record, path, search->back);
	}
}

/** Claude Code names its session in the status file; the transcript has that name. */
static void search_session(const struct search *search, pid_t pid)
{
	struct bh_status_file file;
	char session[64] = "";
	glob_t found = {0};
	char *pattern;

	if (!bh_status_file_read(search->proof->folder, pid, &file, session) || !*session ||
	    strspn(session, "0123456789abcdefABCDEF-") != strlen(session)) {
		return;
	}
	pattern = bh_xasprintf("%s/projects/*/%s.jsonl", search->proof->folder, session);
	if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			bh_record_add(search->proof->record, found.gl_pathv[i], search->back);
		}
	}
	globfree(&found);
	free(pattern);
}

/** Which of the files in the folder of its project is this process's, nothing tells: those written
 * to since. */
static void search_project(const struct search *search, pid_t pid, char *seen[PROOF_FOLDERS_MAX])
{
	struct bh_proof *proof = search->proof;
	char *cwd = bh_record_cwd(pid);
	size_t i = 0;
	char *folder;

	while (cwd && i < PROOF_FOLDERS_MAX && seen[i] && strcmp(seen[i], cwd) != 0) {
		i++;
	}
	if (!cwd || i == PROOF_FOLDERS_MAX || seen[i]) {
		free(cwd);
		return;
	}
	seen[i] = cwd;
	folder = bh_session_folder(proof->profile->proof, proof->folder, cwd);
	if (folder) {
		// There may be many, and none is long in use when its end is looked at.
		bh_record_add_folder(proof->record, folder, proof->since_ms,
		                     search->back ? PROOF_LATE_BYTES : 0);
	}
	free(folder);
}

void bh_proof_own_search(struct bh_proof *proof, size_t back)
{
	struct search search = {.proof = proof, .back = back};
	char *seen[PROOF_FOLDERS_MAX] = {NULL};
	pid_t processes[BH_RECORD_PROCESSES_MAX];
	size_t count = proof->folder ? bh_record_processes(proof->child_pid, processes,
	                                                   BH_RECORD_PROCESSES_MAX)
	                             : 0;

	for (size_t i = 0; i < count; i++) {
		// A look back must not find what a program below the agent once was told.
		if (proof->whole && !bh_record_is_empty(proof->record)) {
			break;
		}
		switch (proof->profile->proof) {
		case BH_PROOF_KIND_CLAUDE:
			search_session(&search, processes[i]);
			break;
		case BH_PROOF_KIND_CODEX:
			bh_record_open_files(processes[i], search_open_file, &search);
			break;
		case BH_PROOF_KIND_PI:
		case BH_PROOF_KIND_GEMINI:
			search_project(&search, processes[i], seen);
			break;
		case BH_PROOF_KIND_NONE:
		case BH_PROOF_KIND_SCREEN:
		case BH_PROOF_KIND_OPENCODE:
			break;
		}
	}
	for (size_t i = 0; i < PROOF_FOLDERS_MAX; i++) {
		free(seen[i]);
	}
}

/** How the last mail of several begins ("Mail m43 from"); NULL when there is only one. Lines of
 * bodies begin with a bar, so none of them is taken for a header. */
static char *last_mark_of(const char *text)
{
	static const char header[] = "\nMail m";
	static const char from[] = " from";
	const char *last = NULL;
	const char *end;

	for (const char *at = strstr(text, header); at; at = strstr(at + 1, header)) {
		last = at + 1;
	}
	end = last ? strstr(last, from) : NULL;
	return end ? bh_xasprintf("%.*s", (int)(end + strlen(from) - last), last) : NULL;
}

void bh_proof_begin(struct bh_proof *proof, const struct bh_typed_text *mail, bool is_late)
{
	size_t back = is_late ? PROOF_LATE_BYTES : 0;

	free(proof->mark);
	proof->mark = bh_xstrdup(mail->mark);
	free(proof->last_mark);
	proof->last_mark = last_mark_of(mail->text);
	proof->found = BH_PROOF_NOWHERE;
	proof->source = NULL;
	proof->has_worked = is_late;
	proof->submitted_ms = 0;
	proof->has_looked = false;
	proof->was_shown = false;
	proof->record_looks = 0;
	proof->since_ms = mail->typed_ms - (is_late ? PROOF_LATE_MS : PROOF_SLACK_MS);
	bh_record_rewind(proof->record, back);
	bh_proof_own_search(proof, back);
}

void bh_proof_own_know(struct bh_proof *proof, const char *path)
{
	if (!proof->known_path || strcmp(proof->known_path, path) != 0) {
		free(proof->known_path);
		proof->known_path = bh_xstrdup(path);
	}
}

static void proof_note(struct bh_proof *proof, enum bh_proof_found found, const char *source)
{
	if (found > proof->found) {
		proof->found = found;
		proof->source = source;
	}
}

void bh_proof_hook(struct bh_proof *proof, const char *event, const struct cJSON *payload)
{
	const char *path =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(payload, "transcript_path"));
	const char *prompt =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(payload, "prompt"));

	if (path && proof_owns(proof, path)) {
		bh_record_add(proof->record, path, PROOF_NEW_BYTES);
		bh_proof_own_know(proof, path);
		if (strcmp(event, "SessionStart") == 0) {
			free(proof->session_path);
			proof->session_path = bh_xstrdup(path);
		}
	}
	if (strcmp(event, "UserPromptSubmit") == 0 && bh_turn_is(proof->mark, prompt)) {
		proof_note(proof, BH_PROOF_SUBMITTED, "hook");
	}
}

bool bh_proof_own_line(const char *line, size_t len, void *user)
{
	struct bh_proof *proof = user;
	const struct bh_turn_sought sought = {
		.mark = proof->mark,
		.whole = proof->whole,
		.since_ms = proof->since_ms,
	};

	enum bh_proof_found found = bh_turn_line(proof->profile->proof, &sought, line, len);

	proof_note(proof, found, kinds[proof->profile->proof].source);
	if (found == BH_PROOF_SUBMITTED) {
		bh_proof_own_know(proof, bh_record_path(proof->record));
		proof->record_looks = 0;
	}
	return found == BH_PROOF_SUBMITTED;
}

/** Whether a row is the header of a turn of the user with a mark of ours, or of the agent's queue. */
static enum bh_proof_found row_found(const char *mark_text, const char *row, size_t len)
{
	static const char queued[] = "  queued: ";
	static const char turn[] = "> ";
	size_t mark = strlen(mark_text);

	if (len >= sizeof turn - 1 + mark && memcmp(row, turn, sizeof turn - 1) == 0 &&
	    memcmp(row + sizeof turn - 1, mark_text, mark) == 0) {
		return BH_PROOF_SUBMITTED;
	}
	// Several mails in one submission: further headers stand in continuation rows.
	if (len >= 2 + mark && memcmp(row, "  ", 2) == 0 && memcmp(row + 2, mark_text, mark) == 0) {
		return BH_PROOF_SUBMITTED;
	}
	if (len >= sizeof queued - 1 + mark && memcmp(row, queued, sizeof queued - 1) == 0 &&
	    memcmp(row + sizeof queued - 1, mark_text, mark) == 0) {
		return BH_PROOF_QUEUED;
	}
	return BH_PROOF_NOWHERE;
}

/** The demo agent: our header above the composer, and a sign of work since the CR. */
static void screen_look(struct bh_proof *proof, const struct bh_screen *screen)
{
	const struct bh_status7501 *status = bh_screen_status(screen);
	struct bh_reading reading;
	int last;

	if (proof->submitted_ms && status->has_status && status->at_ms >= proof->submitted_ms &&
	    (status->state == BH_STATUS_WORKING || status->state == BH_STATUS_DONE)) {
		proof->has_worked = true;
	}
	bh_view_take(&proof->view, screen);
	bh_rules_cut(proof->profile, &proof->view);
	bh_rules_read(proof->profile, &proof->view, &reading);
	last = reading.composer == BH_COMPOSER_NONE ? proof->view.row_count : reading.above_row;
	for (int row = 0; row < last; row++) {
		size_t len;
		const char *text = bh_view_row_text(&proof->view, row, &len);
		enum bh_proof_found found = row_found(proof->mark, text, len);

		if (found == BH_PROOF_NOWHERE && proof->last_mark) {
			found = row_found(proof->last_mark, text, len);
		}

		if (found == BH_PROOF_QUEUED ||
		    (found == BH_PROOF_SUBMITTED && proof->has_worked)) {
			proof_note(proof, found, "screen");
		}
	}
}

char *bh_proof_own_store(const struct bh_proof *proof)
{
	char *path = proof->profile->proof == BH_PROOF_KIND_OPENCODE && proof->folder
	                     ? bh_xasprintf("%s/opencode.db", proof->folder)
	                     : NULL;

	if (path && access(path, R_OK) != 0) {
		free(path);
		path = NULL;
	}
	return path;
}

/** OpenCode: its database. Returns whether there is one that can be read. */
static bool store_look(struct bh_proof *proof)
{
	const struct bh_turn_sought sought = {.mark = proof->mark, .since_ms = proof->since_ms};
	char *path = bh_proof_own_store(proof);
	char id[BH_SESSION_ID_SIZE] = "";
	enum bh_turn_store found =
		path ? bh_turn_store_look(path, &sought, id) : BH_TURN_STORE_STRANGE;

	if (found == BH_TURN_STORE_SUBMITTED) {
		char *record = bh_xasprintf("%s#%s", path, id);

		proof_note(proof, BH_PROOF_SUBMITTED, kinds[BH_PROOF_KIND_OPENCODE].source);
		bh_proof_own_know(proof, record);
		free(record);
	}
	free(path);
	return found != BH_TURN_STORE_STRANGE;
}

/** Whether a row above the composer is the first of a turn of the user that is our text. */
static bool turn_is_shown(const struct bh_proof *proof, const struct bh_reading *reading)
{
	const char *prefix = proof->profile->turn_prefix;
	size_t before = strlen(prefix);
	size_t mark = strlen(proof->mark);

	for (int row = 0; row < reading->above_row; row++) {
		size_t len;
		const char *text = bh_view_row_text(&proof->view, row, &len);

		if (len >= before + mark && memcmp(text, prefix, before) == 0 &&
		    memcmp(text + before, proof->mark, mark) == 0) {
			return true;
		}
	}
	return false;
}

/** Read the screen for turns of the user; false: it shows no composer, which they stand above. */
static bool turns_take(struct bh_proof *proof, const struct bh_screen *screen, bool *is_shown_out)
{
	struct bh_reading reading;

	bh_view_take(&proof->view, screen);
	bh_rules_cut(proof->profile, &proof->view);
	bh_rules_read(proof->profile, &proof->view, &reading);
	*is_shown_out = reading.composer != BH_COMPOSER_NONE && turn_is_shown(proof, &reading);
	return reading.composer != BH_COMPOSER_NONE;
}

void bh_proof_submitted(struct bh_proof *proof, const struct bh_screen *screen, uint64_t now_ms)
{
	bool is_shown = false;

	if (proof->profile->turn_prefix && screen && proof->mark) {
		proof->has_looked = turns_take(proof, screen, &is_shown);
		proof->was_shown |= is_shown;
	}
	proof->submitted_ms = now_ms;
}

/**
 * Where the program keeps no record that is found (it was told to keep none, or to keep it
 * elsewhere): our header where turns of the user stand, which was not there before, and a sign of
 * work since the CR. A turn that a resumed session shows may be that of another store.
 */
static void screen_look_instead(struct bh_proof *proof, const struct bh_screen *screen,
                                bool is_working)
{
	bool is_shown;

	proof->has_worked |= is_working && proof->submitted_ms != 0;
	if (proof->has_worked && proof->has_looked && !proof->was_shown &&
	    turns_take(proof, screen, &is_shown) && is_shown) {
		proof_note(proof, BH_PROOF_SUBMITTED, "screen");
		proof->record_looks = PROOF_RECORD_LOOKS;
	}
}

enum bh_proof_found bh_proof_look(struct bh_proof *proof, const struct bh_screen *screen,
                                  bool is_working)
{
	bool has_record;

	if (!proof->mark || proof->found == BH_PROOF_SUBMITTED) {
		return proof->found;
	}
	if (proof->profile->proof == BH_PROOF_KIND_SCREEN) {
		proof->has_worked |= is_working && proof->submitted_ms != 0;
		if (screen) {
			screen_look(proof, screen);
		}
		return proof->found;
	}
	if (proof->profile->proof == BH_PROOF_KIND_OPENCODE) {
		has_record = store_look(proof);
	} else {
		bh_proof_own_search(proof, PROOF_NEW_BYTES);
		bh_record_look(proof->record, bh_proof_own_line, proof);
		has_record = !bh_record_is_empty(proof->record);
	}
	if (!has_record && proof->profile->turn_prefix && screen) {
		screen_look_instead(proof, screen, is_working);
	}
	return proof->found;
}

const char *bh_proof_source(const struct bh_proof *proof)
{
	return proof->source;
}
