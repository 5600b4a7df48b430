// What the session that runs now was told before, and which session that is.
#include "proof.h"

#include "profile_data.h"
#include "proof_own.h"
#include "record.h"
#include "rules.h"
#include "session_folder.h"
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/mem.h"
#include "turn_line.h"
#include "turn_store.h"
#include "view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Bytes at the beginning of a rollout that tell whose thread it is. */
#define ROLLOUT_HEAD 4096
/** Of a mail so much must be on the screen (bytes, of those that are compared), or all of it. */
#define SHOWN_BYTES 160
/** ... in so many rows at most. */
#define SHOWN_ROWS 16
/** Most rows above a composer that hints of its own take. */
#define HINT_ROWS 4

/** Append what is compared of a text: programs wrap it, and render marks of emphasis and code. */
static void key_append(struct bh_buf *key, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte >= 0x80 || isalnum(byte)) {
			bh_buf_append(key, text + i, 1);
		}
	}
}

/** How many bytes of a row stand before the text of a turn of the user; below 0: it is none. Behind its
 * first row blanks may take the place of a sign. */
static int turn_indent(const char *prefix, const char *row, size_t len)
{
	size_t before = strlen(prefix);

	if (len >= before && memcmp(row, prefix, before) == 0) {
		return (int)before;
	}
	return len >= before && strspn(row, " ") >= before ? (int)before : -1;
}

/** Whether the turn of a user that begins in @row, or goes on there, is the mail. */
static bool rows_are_mail(const struct bh_view *view, int row, int end, const char *prefix,
                          const struct bh_typed_text *mail)
{
	struct bh_buf shown = {0};
	struct bh_buf ours = {0};
	size_t len;
	const char *text = bh_view_row_text(view, row, &len);
	int indent = turn_indent(prefix, text, len);
	size_t mark = strlen(mail->mark);
	bool is_mail = indent >= 0 && len - (size_t)indent >= mark &&
	               memcmp(text + indent, mail->mark, mark) == 0;

	for (int at = row; is_mail && at < end && at < row + SHOWN_ROWS; at++) {
		text = bh_view_row_text(view, at, &len);
		indent = turn_indent(prefix, text, len);
		if (indent >= 0) {
			key_append(&shown, text + indent, len - (size_t)indent);
		}
	}
	key_append(&ours, mail->text, strlen(mail->text));
	ours.len = ours.len < SHOWN_BYTES ? ours.len : SHOWN_BYTES;
	is_mail = is_mail && shown.len >= ours.len && memcmp(shown.data, ours.data, ours.len) == 0;
	bh_buf_clear(&shown);
	bh_buf_clear(&ours);
	return is_mail;
}

/** Whether the transcript on the screen has the mail: then the session that runs has it. */
static bool mail_is_shown(const struct bh_profile *profile, const struct bh_screen *screen,
                          const struct bh_typed_text *mail)
{
	struct bh_view view = {0};
	struct bh_reading reading;
	bool is_shown = false;

	if (!screen || !profile->turn_prefix) {
		return false;
	}
	bh_view_take(&view, screen);
	bh_rules_cut(profile, &view);
	bh_rules_read(profile, &view, &reading);
	if (reading.composer != BH_COMPOSER_NONE) {
		for (int row = 0; row < reading.above_row && !is_shown; row++) {
			is_shown = rows_are_mail(&view, row, reading.above_row,
			                         profile->turn_prefix, mail);
		}
	}
	bh_view_clear(&view);
	return is_shown;
}

/** Programs that do not say which session runs, and keep records. */
static bool profile_is_silent(const struct bh_profile *profile)
{
	return profile->proof == BH_PROOF_KIND_PI || profile->proof == BH_PROOF_KIND_GEMINI ||
	       profile->proof == BH_PROOF_KIND_OPENCODE;
}

bool bh_proof_awaits_transcript(const struct bh_profile *profile, const struct bh_screen *screen)
{
	struct bh_view view = {0};
	struct bh_reading reading;
	bool is_drawn = false;

	if (!screen || !profile_is_silent(profile)) {
		return false;
	}
	bh_view_take(&view, screen);
	bh_rules_cut(profile, &view);
	bh_rules_read(profile, &view, &reading);
	// Also a fresh session has a sign of the program there.
	for (int row = 0; row < reading.above_row - HINT_ROWS && !is_drawn; row++) {
		size_t len;

		(void)bh_view_row_text(&view, row, &len);
		is_drawn = len > 0;
	}
	bh_view_clear(&view);
	return reading.composer != BH_COMPOSER_NONE && !is_drawn;
}

/** Whether the records that are followed hold it. */
static bool past_is_read(struct bh_proof *past)
{
	for (size_t read = 0; read <= PROOF_NEW_BYTES && past->found != BH_PROOF_SUBMITTED;
	     read += BH_RECORD_STEP) {
		bh_record_look(past->record, bh_proof_own_line, past);
	}
	return past->found == BH_PROOF_SUBMITTED;
}

static bool store_holds(const struct bh_proof *past, const char *record)
{
	const struct bh_turn_sought sought = {
		.mark = past->mark, .whole = past->whole, .since_ms = past->since_ms};
	char *path = bh_proof_own_store(past);
	char id[BH_SESSION_ID_SIZE] = "";
	bool is_held = path && (!record || bh_session_id(BH_PROOF_KIND_OPENCODE, record, id)) &&
	               bh_turn_store_look(path, &sought, id) == BH_TURN_STORE_SUBMITTED;

	free(path);
	return is_held;
}

/** Programs that do not say which session runs: what is known of it, else what they show. */
static bool past_is_shown_or_known(struct bh_proof *past, const struct bh_typed_text *mail,
                                   const struct bh_proof_now *now)
{
	if (!now->record && !mail_is_shown(past->profile, now->screen, mail)) {
		return false;
	}
	past->since_ms = mail->typed_ms - PROOF_SLACK_MS;
	if (past->profile->proof == BH_PROOF_KIND_OPENCODE) {
		return store_holds(past, now->record);
	}
	if (now->record) {
		bh_record_add(past->record, now->record, PROOF_NEW_BYTES);
	} else {
		bh_proof_own_search(past, PROOF_NEW_BYTES);
	}
	return past_is_read(past);
}

bool bh_proof_holds(const struct bh_proof *proof, const struct bh_typed_text *mail,
                    const struct bh_proof_now *now)
{
	struct bh_proof past = {.profile = proof->profile,
	                        .folder = proof->folder,
	                        .child_pid = proof->child_pid,
	                        .record = NULL,
	                        .whole = mail->text};
	bool is_held = false;

	past.record = bh_record_new();
	past.mark = bh_xstrdup(mail->mark);
	switch (proof->profile->proof) {
	case BH_PROOF_KIND_CLAUDE:
	case BH_PROOF_KIND_CODEX:
		if (proof->session_path) {
			bh_record_add(past.record, proof->session_path, PROOF_NEW_BYTES);
		} else {
			bh_proof_own_search(&past, PROOF_NEW_BYTES);
		}
		is_held = past_is_read(&past);
		break;
	case BH_PROOF_KIND_PI:
	case BH_PROOF_KIND_GEMINI:
	case BH_PROOF_KIND_OPENCODE:
		is_held = past_is_shown_or_known(&past, mail, now);
		break;
	case BH_PROOF_KIND_NONE:
	case BH_PROOF_KIND_SCREEN:
		break;
	}
	bh_record_free(past.record);
	free(past.mark);
	free(past.known_path);
	return is_held;
}

/** Whether a rollout is of a thread that the agent itself began: it is open beside its own. */
static bool rollout_is_subagents(const char *path)
{
	struct bh_buf head = {0};
	bool is_subagents = bh_file_read_head(path, ROLLOUT_HEAD, &head, NULL) == 0 &&
	                    strstr(head.data, "\"source\":{\"subagent\"") != NULL;

	bh_buf_clear(&head);
	return is_subagents;
}

static int64_t file_written_ms(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0
	               ? (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000
	               : -1;
}

const char *bh_proof_record(struct bh_proof *proof)
{
	// As a look back: the agent's own process, none below it.
	struct bh_proof now = {.profile = proof->profile,
	                       .folder = proof->folder,
	                       .child_pid = proof->child_pid,
	                       .record = NULL,
	                       .whole = ""};
	const char *newest = NULL;
	const char *path;

	if (proof->profile->proof != BH_PROOF_KIND_CLAUDE &&
	    proof->profile->proof != BH_PROOF_KIND_CODEX) {
		// A program may draw a turn before it writes it down.
		if (proof->record_looks > 0) {
			proof->record_looks--;
			bh_proof_own_search(proof, PROOF_NEW_BYTES);
			bh_record_look(proof->record, bh_proof_own_line, proof);
		}
		return proof->known_path;
	}
	now.record = bh_record_new();
	bh_proof_own_search(&now, 0);
	for (size_t i = 0; (path = bh_record_file(now.record, i)); i++) {
		if ((!newest || file_written_ms(path) > file_written_ms(newest)) &&
		    (proof->profile->proof != BH_PROOF_KIND_CODEX || !rollout_is_subagents(path))) {
			newest = path;
		}
	}
	if (newest) {
		bh_proof_own_know(proof, newest);
	}
	bh_record_free(now.record);
	return proof->known_path;
}

bool bh_proof_record_is_there(const struct bh_profile *profile, const char *record)
{
	char id[BH_SESSION_ID_SIZE];
	char *path;
	bool is_there;

	if (profile->proof != BH_PROOF_KIND_OPENCODE) {
		return access(record, F_OK) == 0;
	}
	path = bh_session_store(record);
	is_there = path && bh_session_id(profile->proof, record, id) && bh_turn_store_has(path, id);
	free(path);
	return is_there;
}

const char *bh_proof_obstacle(const struct bh_proof *proof)
{
	char *path = bh_proof_own_store(proof);
	bool is_strange = path && bh_turn_store_is_strange(path);

	free(path);
	return is_strange ? "its sessions are kept in a form that is not known to bellhop" : NULL;
}
