#include "src/server/resume.h"

#include "src/agent/launch.h"
#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/server.h"
#include "src/server/terminal.h"
#include "src/server/terminals.h"

#include <stdlib.h>
#include <string.h>

// While no session is known it is looked for so often (ms).
#define RESUME_LOOK_MS 1000

static char *resume_path(const struct bh_terminal *terminal)
{
	return bh_xasprintf("%s/session-%s", terminal->server->paths.runtime_dir,
	                    terminal->id_text);
}

// Remember the record, also for the next server. No news is cheap.
static void resume_note(struct bh_terminal *terminal, const char *record)
{
	struct bh_err err = {0};

	if (terminal->session.record != NULL && strcmp(terminal->session.record, record) == 0) {
		return;
	}
	free(terminal->session.record);
	terminal->session.record = bh_xstrdup(record);
	char *path = resume_path(terminal);

	if (bh_file_replace(path, bh_span_of(record), 0600, BH_FILE_ATOMIC, &err) != 0) {
		bh_log(BH_LOG_WARN, "terminals", terminal->identity,
		       "after a crash of the server its session cannot be resumed: %s", err.text);
	}
	free(path);
}

void bh_resume_look(struct bh_terminal *terminal, bool is_change, uint64_t now_ms)
{
	const char *record = NULL;

	if (!bh_profile_can_resume(terminal->profile) || terminal->proof == NULL ||
	    (!is_change && (terminal->session.record != NULL ||
	                    now_ms < terminal->session.looked_ms + RESUME_LOOK_MS))) {
		return;
	}
	terminal->session.looked_ms = now_ms;
	record = bh_proof_record(terminal->proof);
	if (record != NULL) {
		resume_note(terminal, record);
	}
}

void bh_resume_load(struct bh_terminal *terminal)
{
	char *path = resume_path(terminal);
	struct bh_buf text = {0};

	if (bh_file_read(path, BH_LIMIT_PATH, &text, NULL) == 0 && text.len > 0) {
		free(terminal->session.record);
		terminal->session.record = bh_xmemdup(text.data, text.len);
	}
	bh_buf_clear(&text);
	free(path);
}

void bh_resume_remove(const struct bh_terminal *terminal)
{
	char *path = resume_path(terminal);

	(void)bh_file_remove(path, NULL); // one that stays is swept with the runtime folder
	free(path);
}

// A living terminal, another one, that runs the session.
static const struct bh_terminal *resume_runner(const struct bh_terminal *before)
{
	bh_list_for (at, next, bh_terminals_all(before->server->terminals)) {
		const struct bh_terminal *other = bh_container_of(at, struct bh_terminal, link);

		if (other != before && other->phase != BH_TERMINAL_EXITED &&
		    other->session.record != NULL &&
		    strcmp(other->session.record, before->session.record) == 0) {
			return other;
		}
	}
	return NULL;
}

int bh_resume_check(const struct bh_terminal *before, struct bh_err *err)
{
	const char *record = before->session.record;
	const char *obstacle = NULL;
	const struct bh_terminal *runner = NULL;
	char **argv = NULL;
	int code = 0;

	// Before what is not known: a program that cannot has no session either.
	if (record != NULL || !bh_profile_can_resume(before->profile)) {
		code = bh_launch_resume(before->profile, (const char *const *)before->setup.argv,
		                        record != NULL ? record : "", &argv, err);
		bh_setup_strings_free(argv);
	}
	if (code != 0) {
		return code;
	}
	if (record == NULL) {
		obstacle = before->proof != NULL ? bh_proof_obstacle(before->proof) : NULL;
		return bh_err_set(err, BH_ENOTFOUND, "which session %s was is not known%s%s",
		                  before->identity, obstacle != NULL ? ": " : "",
		                  obstacle != NULL ? obstacle : "");
	}
	if (!bh_proof_record_is_there(before->profile, record)) {
		return bh_err_set(err, BH_ENOTFOUND,
		                  "the session of %s has no record: no turn was ever begun in it, "
		                  "or it was deleted",
		                  before->identity);
	}
	runner = resume_runner(before);
	return runner != NULL ? bh_err_set(err, BH_EBUSY, "the session of %s already runs in %s",
	                                   before->identity, runner->identity)
	                      : 0;
}

void bh_resume_plan(struct bh_terminal *before)
{
	struct bh_err err = {0};

	before->session.is_resume_due = before->setup.is_resuming;
	if (before->session.is_resume_due && bh_resume_check(before, &err) != 0) {
		before->session.is_resume_due = false;
		bh_log(BH_LOG_WARN, "terminals", before->identity,
		       "its successor will begin afresh: %s", err.text);
	}
}

void bh_resume_hand_over(struct bh_terminal *terminal, struct bh_terminal *before)
{
	before->session.is_resume_due = false;
	terminal->session.is_resumed = true;
	resume_note(terminal, before->session.record);
}

const char *bh_resume_record(const struct bh_terminal *terminal)
{
	return terminal->session.is_resumed && !terminal->session.is_touched
	               ? terminal->session.record
	               : NULL;
}

char **bh_resume_argv(const struct bh_terminal *terminal, struct bh_err *err)
{
	const char *const *argv = (const char *const *)terminal->setup.argv;
	char **resumed = NULL;

	if (!terminal->session.is_resumed) {
		return bh_setup_strings_dup(argv);
	}
	return bh_launch_resume(terminal->profile, argv, terminal->session.record, &resumed, err) ==
	                       0
	               ? resumed
	               : NULL;
}
