#include "proof.h"

#include "pattern.h"
#include "profile_data.h"
#include "record.h"
#include "rules.h"
#include "src/base/buf.h"
#include "src/base/mem.h"
#include "status_file.h"
#include "term/screen.h"
#include "view.h"

#include <cjson/cJSON.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** After a crash the text is sought in so much of the end of each record (bytes). */
#define PROOF_LATE_BYTES (1024 * 1024)
/** A record that turns up after the typing began is read from so far back (bytes). */
#define PROOF_NEW_BYTES (4 * 1024 * 1024)

struct bh_proof {
	const struct bh_profile *profile;
	char *folder;
	pid_t child_pid;
	struct bh_record *record;
	char *mark;
	/* How the last mail of the text begins: its first may have left the screen. */
	char *last_mark;
	uint64_t submitted_ms;
	bool has_worked;
	enum bh_proof_found found;
	const char *source;
	struct bh_view view;
};

struct bh_proof *bh_proof_new(const struct bh_profile *profile, const struct bh_proof_place *place)
{
	struct bh_proof *proof = bh_xmalloc(sizeof *proof);
	bool is_claude = profile->proof == BH_PROOF_KIND_CLAUDE;

	proof->profile = profile;
	proof->child_pid = place->child_pid;
	proof->record = bh_record_new();
	if (place->config_folder && *place->config_folder) {
		proof->folder = bh_xstrdup(place->config_folder);
	} else if (place->home) {
		proof->folder =
			bh_xasprintf("%s/%s", place->home, is_claude ? ".claude" : ".codex");
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

/** Find records that are not followed yet. */
static void proof_search(struct bh_proof *proof, size_t back)
{
	struct search search = {.proof = proof, .back = back};
	pid_t processes[BH_RECORD_PROCESSES_MAX];
	size_t count;

	if (!proof->folder || (proof->profile->proof != BH_PROOF_KIND_CLAUDE &&
	                       proof->profile->proof != BH_PROOF_KIND_CODEX)) {
		return;
	}
	count = bh_record_processes(proof->child_pid, processes, BH_RECORD_PROCESSES_MAX);
	for (size_t i = 0; i < count; i++) {
		if (proof->profile->proof == BH_PROOF_KIND_CLAUDE) {
			search_session(&search, processes[i]);
		} else {
			bh_record_open_files(processes[i], search_open_file, &search);
		}
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
	bh_record_rewind(proof->record, back);
	proof_search(proof, back);
}

void bh_proof_submitted(struct bh_proof *proof, uint64_t now_ms)
{
	proof->submitted_ms = now_ms;
}

static void proof_note(struct bh_proof *proof, enum bh_proof_found found, const char *source)
{
	if (found > proof->found) {
		proof->found = found;
		proof->source = source;
	}
}

/**
 * Whether a user's turn is the text we typed: it begins with our mark. Claude Code wraps a long
 * paste into <pasted_content id="…"> lines; those are passed over.
 */
static bool turn_is_ours(const struct bh_proof *proof, const char *turn)
{
	static const char wrapper[] = "<pasted_content";

	if (!turn || !proof->mark) {
		return false;
	}
	turn += strspn(turn, " \t\r\n");
	if (strncmp(turn, wrapper, sizeof wrapper - 1) == 0) {
		turn += strcspn(turn, ">");
		turn += strspn(turn, "> \t\r\n");
	}
	return strncmp(turn, proof->mark, strlen(proof->mark)) == 0;
}

void bh_proof_hook(struct bh_proof *proof, const char *event, const struct cJSON *payload)
{
	const char *path =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(payload, "transcript_path"));
	const char *prompt =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(payload, "prompt"));

	if (path && proof_owns(proof, path)) {
		bh_record_add(proof->record, path, PROOF_NEW_BYTES);
	}
	if (strcmp(event, "UserPromptSubmit") == 0 && turn_is_ours(proof, prompt)) {
		proof_note(proof, BH_PROOF_SUBMITTED, "hook");
	}
}

static const char *member_text(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	return text ? text : "";
}

/** Whether the content, a string or a list of parts with "text", begins with our mark. */
static bool content_is_ours(const struct bh_proof *proof, const cJSON *content)
{
	const cJSON *part = NULL;

	if (cJSON_IsString(content)) {
		return turn_is_ours(proof, content->valuestring);
	}
	cJSON_ArrayForEach(part, content)
	{
		// A tool's result is a user record as well, but has no part of type text.
		if (strstr(member_text(part, "type"), "text") &&
		    turn_is_ours(proof, member_text(part, "text"))) {
			return true;
		}
	}
	return false;
}

/** One line of a transcript of Claude Code. */
static void claude_line(struct bh_proof *proof, const cJSON *line)
{
	const char *type = member_text(line, "type");
	const cJSON *message = cJSON_GetObjectItemCaseSensitive(line, "message");

	// A sidechain is a subagent's; its "user" is the agent.
	if (strcmp(type, "user") == 0 && strcmp(member_text(message, "role"), "user") == 0 &&
	    !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "isSidechain")) &&
	    content_is_ours(proof, cJSON_GetObjectItemCaseSensitive(message, "content"))) {
		proof_note(proof, BH_PROOF_SUBMITTED, "transcript");
	}
	if (strcmp(type, "queue-operation") == 0 &&
	    strcmp(member_text(line, "operation"), "enqueue") == 0 &&
	    turn_is_ours(proof, member_text(line, "content"))) {
		proof_note(proof, BH_PROOF_QUEUED, "transcript");
	}
}

/** One line of a rollout of Codex; its user's turns occur in up to three forms. */
static void codex_line(struct bh_proof *proof, const cJSON *line)
{
	const cJSON *payload = cJSON_GetObjectItemCaseSensitive(line, "payload");
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(payload, "item");
	const char *type = member_text(payload, "type");
	bool is_ours = false;

	if (strcmp(type, "item_completed") == 0) {
		is_ours = strcmp(member_text(item, "type"), "UserMessage") == 0 &&
		          content_is_ours(proof, cJSON_GetObjectItemCaseSensitive(item, "content"));
	} else if (strcmp(type, "user_message") == 0) {
		is_ours = turn_is_ours(proof, member_text(payload, "message"));
	} else if (strcmp(type, "message") == 0) {
		is_ours = strcmp(member_text(payload, "role"), "user") == 0 &&
		          content_is_ours(proof,
		                          cJSON_GetObjectItemCaseSensitive(payload, "content"));
	}
	if (is_ours) {
		proof_note(proof, BH_PROOF_SUBMITTED, "rollout");
	}
}

static bool on_record_line(const char *line, size_t len, void *user)
{
	struct bh_proof *proof = user;
	cJSON *tree;

	// Nearly all lines are of no interest; do not parse them.
	if (!memmem(line, len, proof->mark, strlen(proof->mark))) {
		return false;
	}
	tree = cJSON_ParseWithLength(line, len);
	if (proof->profile->proof == BH_PROOF_KIND_CLAUDE) {
		claude_line(proof, tree);
	} else {
		codex_line(proof, tree);
	}
	cJSON_Delete(tree);
	return proof->found == BH_PROOF_SUBMITTED;
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

enum bh_proof_found bh_proof_look(struct bh_proof *proof, const struct bh_screen *screen,
                                  bool is_working)
{
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
	proof_search(proof, PROOF_NEW_BYTES);
	bh_record_look(proof->record, on_record_line, proof);
	return proof->found;
}

const char *bh_proof_source(const struct bh_proof *proof)
{
	return proof->source;
}
