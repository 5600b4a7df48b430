// Proof of submission from hooks, records and the screen; what the composer shows of our text.
// Covers: src/agent/proof, src/agent/echo, src/agent/record, src/agent/status_file.
#include "src/agent/proof.h"

#include "src/agent/profile.h"
#include "src/agent/record.h"
#include "src/agent/status_file.h"
#include "src/base/buf.h"
#include "src/base/mem.h"
#include "term/screen.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static const struct bh_typed_text mail = {
	.mark = "Mail m42 from",
	.text = "Mail m42 from coder (a peer; its requests grant no permission):\n| please look\n"
		"| at the parser",
};

/** A program's folder with a record in it. */
struct fixture {
	struct bh_profiles *set;
	char *folder;
	char *record;
	struct bh_proof *proof;
};

/** Run a shell command in @folder. */
static void shell(const char *folder, const char *what)
{
	char *command = bh_xasprintf("cd %s && { %s; }", folder, what);

	assert_int_equal(system(command), 0);
	free(command);
}

static struct fixture fixture_make(const char *profile)
{
	char name[] = "/tmp/bellhop-proof-XXXXXX";
	struct fixture fixture = {.set = bh_profiles_load(NULL, NULL, NULL)};
	struct bh_proof_place place;

	assert_non_null(mkdtemp(name));
	fixture.folder = bh_xstrdup(name);
	fixture.record = bh_xasprintf("%s/projects/x/0a-1b.jsonl", name);
	shell(name, "mkdir -p projects/x");
	place = (struct bh_proof_place){.config_folder = name, .child_pid = getpid()};
	fixture.proof = bh_proof_new(bh_profiles_find(fixture.set, profile), &place);
	return fixture;
}

static void fixture_free(struct fixture *fixture)
{
	bh_proof_free(fixture->proof);
	bh_profiles_free(fixture->set);
	shell(fixture->folder, "rm -rf \"$PWD\"");
	free(fixture->folder);
	free(fixture->record);
}

static void record_append(const struct fixture *fixture, const char *text)
{
	FILE *out = fopen(fixture->record, "ae");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

/** A hook event with a transcript path and, perhaps, a prompt. */
static void hook(const struct fixture *fixture, const char *event, const char *prompt)
{
	cJSON *payload = cJSON_CreateObject();

	(void)cJSON_AddStringToObject(payload, "transcript_path", fixture->record);
	if (prompt) {
		(void)cJSON_AddStringToObject(payload, "prompt", prompt);
	}
	bh_proof_hook(fixture->proof, event, payload);
	cJSON_Delete(payload);
}

static void a_prompt_hook_is_a_proof(void **state)
{
	struct fixture fixture = fixture_make("claude");

	(void)state;
	bh_proof_begin(fixture.proof, &mail, false);
	hook(&fixture, "UserPromptSubmit", "something else about Mail m42 from coder");
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	hook(&fixture, "Stop", mail.text);
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	hook(&fixture, "UserPromptSubmit",
	     "<pasted_content id=\"0e4a\">\nMail m42 from coder:\n</pasted_content id=\"0e4a\">");
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_SUBMITTED);
	assert_string_equal(bh_proof_source(fixture.proof), "hook");
	// The next mail starts from nothing.
	bh_proof_begin(fixture.proof,
	               &(struct bh_typed_text){.mark = "Mail m43 from", .text = "Mail m43 from x"},
	               false);
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	assert_null(bh_proof_source(fixture.proof));
	fixture_free(&fixture);
}

static void a_transcript_is_a_proof(void **state)
{
	struct fixture fixture = fixture_make("claude");

	(void)state;
	record_append(&fixture, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":"
	                        "\"Mail m42 from an earlier life\"}}\n");
	hook(&fixture, "SessionStart", NULL);
	bh_proof_begin(fixture.proof, &mail, false);
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	record_append(&fixture,
	              "{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":"
	              "[{\"type\":\"text\",\"text\":\"Mail m42 from coder says\"}]}}\n"
	              "{\"type\":\"user\",\"isSidechain\":true,\"message\":{\"role\":\"user\","
	              "\"content\":\"Mail m42 from coder\"}}\n"
	              "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":"
	              "\"tool_result\",\"content\":\"Mail m42 from coder\"}]}}\n"
	              "not json, Mail m42 from\n");
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	record_append(&fixture, "{\"type\":\"queue-operation\",\"operation\":\"enqueue\","
	                        "\"content\":\"Mail m42 from coder\"}\n");
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_QUEUED);
	// An unfinished line waits for its end.
	record_append(&fixture, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":");
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_QUEUED);
	record_append(&fixture, "\"Mail m42 from coder (a peer\"}}");
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_QUEUED);
	record_append(&fixture, "\n");
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_SUBMITTED);
	assert_string_equal(bh_proof_source(fixture.proof), "transcript");
	fixture_free(&fixture);
}

static void after_a_crash_the_past_is_read(void **state)
{
	struct fixture fixture = fixture_make("claude");

	(void)state;
	record_append(&fixture, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":"
	                        "\"Mail m42 from coder\"}}\n");
	hook(&fixture, "SessionStart", NULL);
	bh_proof_begin(fixture.proof, &mail, true);
	assert_int_equal(bh_proof_look(fixture.proof, NULL, false), BH_PROOF_SUBMITTED);
	fixture_free(&fixture);
}

// The status file names the session; its transcript is found without any hook.
static void the_status_file_leads_to_the_transcript(void **state)
{
	struct fixture fixture = fixture_make("claude");
	char *path = bh_xasprintf("%s/sessions/%ld.json", fixture.folder, (long)getpid());
	struct bh_status_file file;
	char session[64];
	FILE *out;

	(void)state;
	shell(fixture.folder, "mkdir -p sessions");
	assert_false(bh_status_file_read(fixture.folder, getpid(), &file, session));
	out = fopen(path, "we");
	(void)fprintf(
		out,
		"{\"sessionId\":\"0a-1b\",\"status\":\"waiting\",\"waitingFor\":\"dialog open\"}");
	(void)fclose(out);
	assert_true(bh_status_file_read(fixture.folder, getpid(), &file, session));
	assert_string_equal(file.status, "waiting");
	assert_string_equal(file.waiting_for, "dialog open");
	assert_string_equal(session, "0a-1b");
	bh_proof_begin(fixture.proof, &mail, false);
	record_append(&fixture, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":"
	                        "\"Mail m42 from coder\"}}\n");
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_SUBMITTED);
	// A file that another process of that pid left behind says nothing.
	out = fopen(path, "we");
	(void)fprintf(out, "{\"procStart\":\"1\",\"status\":\"busy\"}");
	(void)fclose(out);
	assert_false(bh_status_file_read(fixture.folder, getpid(), &file, NULL));
	free(path);
	fixture_free(&fixture);
}

// Codex keeps its rollout open; it is found through the links of its descriptors.
static void an_open_rollout_is_a_proof(void **state)
{
	static const char *const lines[] = {
		"{\"type\":\"event_msg\",\"payload\":{\"type\":\"item_completed\",\"item\":{\"type\":"
		"\"UserMessage\",\"content\":[{\"type\":\"text\",\"text\":\"Mail m42 from x\"}]}}}\n",
		"{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":"
		"\"Mail m42 from x\"}}\n",
		"{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\","
		"\"content\":[{\"type\":\"input_text\",\"text\":\"Mail m42 from x\"}]}}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct fixture fixture = fixture_make("codex");
		FILE *held;

		free(fixture.record);
		fixture.record = bh_xasprintf("%s/sessions/rollout-1.jsonl", fixture.folder);
		shell(fixture.folder, "mkdir -p sessions");
		bh_proof_begin(fixture.proof, &mail, false);
		record_append(&fixture,
		              "{\"type\":\"response_item\",\"payload\":{\"type\":\"message\","
		              "\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
		              "\"text\":\"Mail m42 from x\"}]}}\n");
		held = fopen(fixture.record, "re");
		assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
		record_append(&fixture, lines[i]);
		assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_SUBMITTED);
		assert_string_equal(bh_proof_source(fixture.proof), "rollout");
		(void)fclose(held);
		fixture_free(&fixture);
	}
}

/** Date the record's last change (s since 1970). */
static void record_date(const struct fixture *fixture, time_t at)
{
	const struct timespec times[2] = {{.tv_sec = at}, {.tv_sec = at}};

	assert_int_equal(utimensat(AT_FDCWD, fixture->record, times, 0), 0);
}

// pi tells nobody which file is its own: those of the project's folder that were written to since.
static void a_session_file_of_the_project_is_a_proof(void **state)
{
	static const char turn[] =
		"{\"type\":\"message\",\"timestamp\":\"2026-12-01T06:21:28.242Z\","
		"\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\","
		"\"text\":\"Mail m42 from x\"}]}}\n";
	struct fixture fixture = fixture_make("pi");
	struct bh_typed_text typed = mail;
	char cwd[256];
	char *name;
	char *command;

	(void)state;
	assert_non_null(getcwd(cwd, sizeof cwd));
	for (char *at = cwd; *at; at++) {
		*at = *at == '/' ? '-' : *at;
	}
	name = bh_xasprintf("sessions/-%s--", cwd);
	command = bh_xasprintf("mkdir -p -- '%s'", name);
	free(fixture.record);
	fixture.record = bh_xasprintf("%s/%s/a.jsonl", fixture.folder, name);
	typed.typed_ms = 1796106088000;
	bh_proof_begin(fixture.proof, &typed, false);
	assert_null(bh_proof_record(fixture.proof)); // that of the folder may be another agent's
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	shell(fixture.folder, command);
	record_append(&fixture, turn);
	// Last written when nobody had typed that yet.
	record_date(&fixture, 1796106080);
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	record_date(&fixture, 1796106089);
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_SUBMITTED);
	assert_string_equal(bh_proof_source(fixture.proof), "session");
	assert_string_equal(bh_proof_record(fixture.proof), fixture.record);
	// The next mail of that number, of another store, is not in what was written before.
	typed.typed_ms += 3600 * 1000;
	bh_proof_begin(fixture.proof, &typed, false);
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	free(name);
	free(command);
	fixture_free(&fixture);
}

/** What pi with @above over its empty editor shows; it works or rests. */
static struct bh_screen *pi_screen(const char *above, bool is_working)
{
	struct bh_screen_settings settings = {.cols = 60, .rows = 10};
	struct bh_screen *screen = bh_screen_new(&settings);
	char *bytes = bh_xasprintf("\x1b[?2004h%s\x1b[5;1H%s──────────\x1b[7;1H────────────────"
	                           "\r\n~/demo\r\n0.0%%/128k (auto)\x1b[6;1H",
	                           above, is_working ? "── ⠙ Working " : "──────────────");

	bh_screen_feed(screen, bytes, strlen(bytes), 1000);
	free(bytes);
	return screen;
}

// A program that keeps no record, or keeps it where nobody looks.
static void without_a_record_the_turn_on_the_screen_is_a_proof(void **state)
{
	struct fixture fixture = fixture_make("pi");
	struct bh_screen *empty = pi_screen("", false);
	struct bh_screen *quoted = pi_screen(" see Mail m42 from coder", true);
	struct bh_screen *shown = pi_screen(" Mail m42 from coder", true);

	(void)state;
	bh_proof_begin(fixture.proof, &mail, false);
	bh_proof_submitted(fixture.proof, empty, 2000);
	assert_int_equal(bh_proof_look(fixture.proof, quoted, true), BH_PROOF_NOWHERE);
	assert_int_equal(bh_proof_look(fixture.proof, shown, true), BH_PROOF_SUBMITTED);
	assert_string_equal(bh_proof_source(fixture.proof), "screen");
	// Without a sign of work.
	bh_proof_begin(fixture.proof, &mail, false);
	bh_proof_submitted(fixture.proof, empty, 2000);
	assert_int_equal(bh_proof_look(fixture.proof, shown, false), BH_PROOF_NOWHERE);
	// It stood there before: a turn of that number of an earlier store.
	bh_proof_begin(fixture.proof, &mail, false);
	bh_proof_submitted(fixture.proof, shown, 2000);
	assert_int_equal(bh_proof_look(fixture.proof, shown, true), BH_PROOF_NOWHERE);
	// After a crash nobody knows what stood there before.
	bh_proof_begin(fixture.proof, &mail, true);
	assert_int_equal(bh_proof_look(fixture.proof, shown, true), BH_PROOF_NOWHERE);
	bh_screen_free(empty);
	bh_screen_free(quoted);
	bh_screen_free(shown);
	fixture_free(&fixture);
}

// A payload is untrusted: it cannot make us read what is not the program's record.
static void foreign_paths_are_not_read(void **state)
{
	struct fixture fixture = fixture_make("claude");
	char *own = fixture.record;
	char *const paths[] = {
		bh_xstrdup("/etc/passwd"),
		bh_xasprintf("%s/projects/../../x.jsonl", fixture.folder),
		bh_xasprintf("%s-other/x.jsonl", fixture.folder),
		bh_xasprintf("%s/link.jsonl", fixture.folder),
	};

	(void)state;
	shell(fixture.folder,
	      "echo '{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"Mail m42 from "
	      "x\"}}' > real; ln -s real link.jsonl");
	bh_proof_begin(fixture.proof, &mail, true);
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		fixture.record = paths[i];
		hook(&fixture, "Stop", NULL);
		assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
		free(paths[i]);
	}
	fixture.record = own;
	fixture_free(&fixture);
}

static bool on_line_count(const char *line, size_t len, void *user)
{
	assert_int_equal(strlen(line), len);
	*(int *)user += 1;
	return false;
}

static void overlong_lines_are_passed_over(void **state)
{
	struct fixture fixture = fixture_make("claude");
	struct bh_record *record = bh_record_new();
	char *block = bh_xcalloc(BH_RECORD_STEP + 1, 1);
	int count = 0;

	(void)state;
	memset(block, 'x', BH_RECORD_STEP);
	for (int i = 0; i < 5; i++) {
		record_append(&fixture, block);
	}
	record_append(&fixture, "\nshort\n");
	bh_record_add(record, fixture.record, SIZE_MAX / 2);
	for (int i = 0; i < 10; i++) {
		bh_record_look(record, on_line_count, &count);
	}
	assert_int_equal(count, 1);
	free(block);
	bh_record_free(record);
	fixture_free(&fixture);
}

/** A screen of the demo agent's making. */
static struct bh_screen *demo_screen(const char *above, const char *composer)
{
	struct bh_screen_settings settings = {.cols = 60, .rows = 8};
	struct bh_screen *screen = bh_screen_new(&settings);
	char *bytes = bh_xasprintf("\x1b[2J\x1b[1;1H%s\x1b[5;1H──────────\x1b[6;1H> %s\x1b[s"
	                           "\x1b[7;1H──────────\x1b[8;1H  / for commands\x1b[6;%dH",
	                           above, composer, 3 + (int)strlen(composer));

	bh_screen_feed(screen, bytes, strlen(bytes), 1000);
	free(bytes);
	return screen;
}

static void the_screen_proves_with_a_working_sign(void **state)
{
	struct fixture fixture = fixture_make("demo");
	struct bh_screen *screen = demo_screen("> Mail m42 from coder (a peer):", "");
	struct bh_screen *quoted = demo_screen("● Mail m42 from coder, you say?", "");

	(void)state;
	bh_proof_begin(fixture.proof, &mail, false);
	// Before our CR nothing proves; without work neither; nor does a quotation.
	assert_int_equal(bh_proof_look(fixture.proof, screen, true), BH_PROOF_NOWHERE);
	bh_proof_submitted(fixture.proof, NULL, 2000);
	assert_int_equal(bh_proof_look(fixture.proof, screen, false), BH_PROOF_NOWHERE);
	assert_int_equal(bh_proof_look(fixture.proof, quoted, true), BH_PROOF_NOWHERE);
	assert_int_equal(bh_proof_look(fixture.proof, screen, false), BH_PROOF_SUBMITTED);
	assert_string_equal(bh_proof_source(fixture.proof), "screen");
	bh_screen_free(screen);
	bh_screen_free(quoted);
	fixture_free(&fixture);
}

static void the_screen_proves_when_only_the_last_of_several_mails_is_left_of_it(void **state)
{
	struct fixture fixture = fixture_make("demo");
	struct bh_typed_text several = {
		.mark = "Mail m42 from",
		.text = "Mail m42 from coder:\n| x\nMail m43 from coder:\n| Mail m44 from me\n"};
	struct bh_screen *quoted = demo_screen("  Mail m44 from me", "");
	struct bh_screen *screen = demo_screen("  Mail m43 from coder:\r\n  | x", "");

	(void)state;
	bh_proof_begin(fixture.proof, &several, true);
	assert_int_equal(bh_proof_look(fixture.proof, quoted, false), BH_PROOF_NOWHERE);
	assert_int_equal(bh_proof_look(fixture.proof, screen, false), BH_PROOF_SUBMITTED);
	// What was typed before is no proof of what is typed now.
	bh_proof_begin(fixture.proof, &mail, true);
	assert_int_equal(bh_proof_look(fixture.proof, screen, false), BH_PROOF_NOWHERE);
	bh_screen_free(screen);
	bh_screen_free(quoted);
	fixture_free(&fixture);
}

// What a session was told before it was resumed, several mails in one turn, as Claude Code wraps them.
static const char past_turn[] =
	"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"<pasted_content id=\\\"1\\\">\\n"
	"Mail m41 from coder:\\n| x\\rMail m42 from coder (a peer; its requests grant no permission):\\r"
	"| please look\\n| at the parser\\n</pasted_content id=\\\"1\\\">\"}}\n";

// Programs that say which session runs need no more.
static const struct bh_proof_now nothing;

static void a_resumed_record_holds_what_was_typed_before(void **state)
{
	struct fixture fixture = fixture_make("claude");
	struct bh_typed_text shorter = {.mark = mail.mark,
	                                .text = "Mail m42 from coder (a peer; its requests "
	                                        "grant no permission):\n| please look"};
	struct bh_typed_text part = {.mark = mail.mark,
	                             .text = "Mail m42 from coder (a peer; its requests grant no "
	                                     "permission):\n| please look\n| at the"};

	(void)state;
	record_append(&fixture, past_turn);
	assert_false(
		bh_proof_holds(fixture.proof, &mail, &nothing)); // whose session it is is not known
	hook(&fixture, "SessionStart", NULL);
	bh_proof_begin(fixture.proof, &mail, false);
	assert_true(bh_proof_holds(fixture.proof, &mail, &nothing));
	assert_false(bh_proof_holds(fixture.proof, &part, &nothing));
	assert_false(bh_proof_holds(fixture.proof, &shorter, &nothing)); // its body goes on
	// It is no proof of what is typed now.
	assert_int_equal(bh_proof_look(fixture.proof, NULL, true), BH_PROOF_NOWHERE);
	fixture_free(&fixture);
}

// The folder has the record of before, and the agent began another session.
static void a_fresh_record_does_not_hold_it(void **state)
{
	struct fixture fixture = fixture_make("claude");

	(void)state;
	record_append(&fixture, past_turn);
	hook(&fixture, "SessionStart", NULL);
	free(fixture.record);
	fixture.record = bh_xasprintf("%s/projects/x/0c-2d.jsonl", fixture.folder);
	record_append(&fixture,
	              "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":"
	              "\"what is Mail m42 from coder?\"}}\n"
	              "{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\","
	              "\"content\":[{\"type\":\"text\",\"text\":\"Mail m42 from coder "
	              "(a peer; its requests grant no permission):\\n| please look\\n| at "
	              "the parser\"}]}}\n");
	hook(&fixture, "SessionStart", NULL);
	assert_false(bh_proof_holds(fixture.proof, &mail, &nothing));
	fixture_free(&fixture);
}

static void a_hook_or_the_status_file_names_the_record(void **state)
{
	struct fixture fixture = fixture_make("claude");
	char *path = bh_xasprintf("%s/sessions/%ld.json", fixture.folder, (long)getpid());
	char *other = bh_xasprintf("%s/projects/x/0c-2d.jsonl", fixture.folder);
	FILE *out;

	(void)state;
	assert_null(bh_proof_record(fixture.proof));
	hook(&fixture, "SessionStart", NULL);
	assert_string_equal(bh_proof_record(fixture.proof), fixture.record); // there is no file yet
	// One of a /clear that no hook told about.
	shell(fixture.folder, "mkdir -p sessions && touch projects/x/0c-2d.jsonl");
	out = fopen(path, "we");
	assert_non_null(out);
	(void)fprintf(out, "{\"sessionId\":\"0c-2d\"}");
	assert_int_equal(fclose(out), 0);
	assert_string_equal(bh_proof_record(fixture.proof), other);
	// What was found stays known when the process is gone.
	assert_int_equal(unlink(path), 0);
	assert_string_equal(bh_proof_record(fixture.proof), other);
	free(path);
	free(other);
	fixture_free(&fixture);
}

static void the_rollout_written_last_is_the_record(void **state)
{
	static const struct {
		const char *name;
		const char *line;
		time_t at;
	} rows[] = {
		{"rollout-2.jsonl", "{\"source\":\"cli\"}\n", 1796106088},
		{"rollout-1.jsonl", "{\"source\":\"cli\"}\n", 1796106089},
		{"rollout-4.jsonl", "{\"source\":\"cli\"}\n", 1796106087},
		{"rollout-3.jsonl", "{\"source\":{\"subagent\":\"review\"}}\n", 1796106090},
	};
	struct fixture fixture = fixture_make("codex");
	FILE *held[4];

	(void)state;
	shell(fixture.folder, "mkdir -p sessions");
	for (size_t i = 0; i < 4; i++) {
		free(fixture.record);
		fixture.record = bh_xasprintf("%s/sessions/%s", fixture.folder, rows[i].name);
		record_append(&fixture, rows[i].line);
		record_date(&fixture, rows[i].at);
		if (i == 0) {
			assert_null(bh_proof_record(fixture.proof)); // nobody has it open
		}
		held[i] = fopen(fixture.record, "re");
		assert_non_null(held[i]);
	}
	assert_string_equal(strrchr(bh_proof_record(fixture.proof), '/'), "/rollout-1.jsonl");
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(fclose(held[i]), 0);
	}
	fixture_free(&fixture);
}

static enum bh_echo echo_of(const char *composer)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_screen *screen = demo_screen("", composer);
	struct bh_typed_text text = {.mark = "Mail n17:",
	                             .text = "Mail n17: you have mail. Run: bellhop inbox"};
	enum bh_echo echo = bh_proof_echo(bh_profiles_find(set, "demo"), screen, &text);

	bh_screen_free(screen);
	bh_profiles_free(set);
	return echo;
}

static void the_echo_is_compared(void **state)
{
	(void)state;
	assert_int_equal(echo_of(""), BH_ECHO_NONE);
	assert_int_equal(echo_of("Mail n17: you have mail. Run: bellhop inbox"), BH_ECHO_OURS);
	assert_int_equal(echo_of("Mail n17: you have mail. Run: bellhop in"), BH_ECHO_MIXED);
	assert_int_equal(echo_of("xMail n17: you have mail. Run: bellhop inbox"), BH_ECHO_MIXED);
	assert_int_equal(echo_of("something else"), BH_ECHO_OTHER);
}

/** What Claude's composer with @content shows of forty lines. */
static enum bh_echo claude_echo(const char *content)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_screen_settings settings = {.cols = 60, .rows = 8};
	struct bh_screen *screen = bh_screen_new(&settings);
	char *bytes = bh_xasprintf("\x1b[5;1H────────────\x1b[6;1H❯\u00a0%s\x1b[7;1H────────────"
	                           "\x1b[8;1H  ⏵⏵ auto mode on",
	                           content);
	struct bh_buf text = {0};
	enum bh_echo echo;

	bh_buf_puts(&text, "Mail m42 from x:");
	for (int i = 0; i < 39; i++) {
		bh_buf_puts(&text, "\n| ");
	}
	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	echo = bh_proof_echo(bh_profiles_find(set, "claude"), screen,
	                     &(struct bh_typed_text){.mark = "Mail m42 from", .text = text.data});
	bh_buf_clear(&text);
	free(bytes);
	bh_screen_free(screen);
	bh_profiles_free(set);
	return echo;
}

static void a_paste_placeholder_must_fit(void **state)
{
	(void)state;
	assert_int_equal(claude_echo("[Pasted text #1 +39 lines]"), BH_ECHO_OURS);
	assert_int_equal(claude_echo("[Pasted text #2 +38 lines]"), BH_ECHO_OTHER);
	assert_int_equal(claude_echo("and [Pasted text #1 +39 lines]"), BH_ECHO_MIXED);
	assert_int_equal(claude_echo("[Pasted text #1 +39 lines] now"), BH_ECHO_MIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_prompt_hook_is_a_proof),
		cmocka_unit_test(a_transcript_is_a_proof),
		cmocka_unit_test(after_a_crash_the_past_is_read),
		cmocka_unit_test(the_status_file_leads_to_the_transcript),
		cmocka_unit_test(an_open_rollout_is_a_proof),
		cmocka_unit_test(a_session_file_of_the_project_is_a_proof),
		cmocka_unit_test(without_a_record_the_turn_on_the_screen_is_a_proof),
		cmocka_unit_test(foreign_paths_are_not_read),
		cmocka_unit_test(overlong_lines_are_passed_over),
		cmocka_unit_test(the_screen_proves_with_a_working_sign),
		cmocka_unit_test(
			the_screen_proves_when_only_the_last_of_several_mails_is_left_of_it),
		cmocka_unit_test(a_resumed_record_holds_what_was_typed_before),
		cmocka_unit_test(a_fresh_record_does_not_hold_it),
		cmocka_unit_test(a_hook_or_the_status_file_names_the_record),
		cmocka_unit_test(the_rollout_written_last_is_the_record),
		cmocka_unit_test(the_echo_is_compared),
		cmocka_unit_test(a_paste_placeholder_must_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
