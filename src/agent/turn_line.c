#include "turn_line.h"

#include "src/base/clock.h"

#include <cjson/cJSON.h>
#include <string.h>

bool bh_turn_is(const char *mark, const char *turn)
{
	static const char wrapper[] = "<pasted_content";

	if (!turn || !mark) {
		return false;
	}
	turn += strspn(turn, " \t\r\n");
	if (strncmp(turn, wrapper, sizeof wrapper - 1) == 0) {
		turn += strcspn(turn, ">");
		turn += strspn(turn, "> \t\r\n");
	}
	return strncmp(turn, mark, strlen(mark)) == 0;
}

/** Whether @text, a mail, begins at @at and ends there. A record may have CRs for line ends, and four
 * blanks for a tab. */
static bool text_is_at(const char *at, const char *text)
{
	static const char tab[] = "    ";
	size_t len = strlen(text);

	while (len > 0 && strchr(" \t\r\n", text[len - 1])) {
		len--;
	}
	for (size_t i = 0; i < len; i++, at++) {
		if (text[i] == '\t' && strncmp(at, tab, sizeof tab - 1) == 0) {
			at += sizeof tab - 2;
		} else if (*at != text[i] && (*at != '\r' || text[i] != '\n')) {
			return false;
		}
	}
	at += strspn(at, " \t");
	if (*at != '\0' && *at != '\r' && *at != '\n') {
		return false;
	}
	return at[strspn(at, "\r\n")] != '|'; // else its body goes on: another mail
}

/** Whether some line of the turn begins with the text, and all of it follows. */
static bool turn_holds(const char *turn, const char *text)
{
	while (*turn) {
		if (text_is_at(turn, text)) {
			return true;
		}
		turn += strcspn(turn, "\r\n");
		turn += strspn(turn, "\r\n");
	}
	return false;
}

static bool turn_is_ours(const struct bh_turn_sought *sought, const char *turn)
{
	return sought->whole ? turn_holds(turn, sought->whole) : bh_turn_is(sought->mark, turn);
}

static const char *member_text(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	return text ? text : "";
}

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/** Whether the content, a string or a list of parts with "text", begins with our mark. */
static bool content_is_ours(const struct bh_turn_sought *sought, const cJSON *content)
{
	const cJSON *part = NULL;

	if (cJSON_IsString(content)) {
		return turn_is_ours(sought, content->valuestring);
	}
	cJSON_ArrayForEach(part, content)
	{
		// A tool's result is a user record as well, but has no part of type text; parts of
		// Gemini tell no type.
		const char *type = cJSON_GetStringValue(member(part, "type"));

		if ((!type || strstr(type, "text")) &&
		    turn_is_ours(sought, member_text(part, "text"))) {
			return true;
		}
	}
	return false;
}

/** One line of a transcript of Claude Code. */
static enum bh_proof_found claude_line(const struct bh_turn_sought *sought, const cJSON *line)
{
	const char *type = member_text(line, "type");
	const cJSON *message = member(line, "message");

	// A sidechain is a subagent's; its "user" is the agent.
	if (strcmp(type, "user") == 0 && strcmp(member_text(message, "role"), "user") == 0 &&
	    !cJSON_IsTrue(member(line, "isSidechain")) &&
	    content_is_ours(sought, member(message, "content"))) {
		return BH_PROOF_SUBMITTED;
	}
	return strcmp(type, "queue-operation") == 0 &&
	                       strcmp(member_text(line, "operation"), "enqueue") == 0 &&
	                       turn_is_ours(sought, member_text(line, "content"))
	               ? BH_PROOF_QUEUED
	               : BH_PROOF_NOWHERE;
}

/** One line of a rollout of Codex; its user's turns occur in up to three forms. */
static enum bh_proof_found codex_line(const struct bh_turn_sought *sought, const cJSON *line)
{
	const cJSON *payload = member(line, "payload");
	const cJSON *item = member(payload, "item");
	const char *type = member_text(payload, "type");
	bool is_ours = false;

	if (strcmp(type, "item_completed") == 0) {
		is_ours = strcmp(member_text(item, "type"), "UserMessage") == 0 &&
		          content_is_ours(sought, member(item, "content"));
	} else if (strcmp(type, "user_message") == 0) {
		is_ours = turn_is_ours(sought, member_text(payload, "message"));
	} else if (strcmp(type, "message") == 0) {
		is_ours = strcmp(member_text(payload, "role"), "user") == 0 &&
		          content_is_ours(sought, member(payload, "content"));
	}
	return is_ours ? BH_PROOF_SUBMITTED : BH_PROOF_NOWHERE;
}

/** Whether the line is dated ("2026-12-01T06:21:28.242Z") and not of an earlier life. */
static bool line_is_new(const struct bh_turn_sought *sought, const cJSON *line)
{
	char since[BH_CLOCK_TEXT];
	const char *at = member_text(line, "timestamp");

	(void)bh_clock_text(sought->since_ms, since);
	return strlen(at) == strlen(since) && strcmp(at, since) >= 0;
}

/** One line of a session file of pi. */
static enum bh_proof_found pi_line(const struct bh_turn_sought *sought, const cJSON *line)
{
	const cJSON *message = member(line, "message");

	return strcmp(member_text(line, "type"), "message") == 0 && line_is_new(sought, line) &&
	                       strcmp(member_text(message, "role"), "user") == 0 &&
	                       content_is_ours(sought, member(message, "content"))
	               ? BH_PROOF_SUBMITTED
	               : BH_PROOF_NOWHERE;
}

/** One line of a session file of Gemini CLI. */
static enum bh_proof_found gemini_line(const struct bh_turn_sought *sought, const cJSON *line)
{
	return strcmp(member_text(line, "type"), "user") == 0 && line_is_new(sought, line) &&
	                       content_is_ours(sought, member(line, "content"))
	               ? BH_PROOF_SUBMITTED
	               : BH_PROOF_NOWHERE;
}

enum bh_proof_found bh_turn_line(enum bh_proof_kind kind, const struct bh_turn_sought *sought,
                                 const char *line, size_t len)
{
	static enum bh_proof_found (*const readers[])(const struct bh_turn_sought *,
	                                              const cJSON *) = {
		[BH_PROOF_KIND_CLAUDE] = claude_line,
		[BH_PROOF_KIND_CODEX] = codex_line,
		[BH_PROOF_KIND_PI] = pi_line,
		[BH_PROOF_KIND_GEMINI] = gemini_line,
	};
	enum bh_proof_found found;
	cJSON *tree;

	// Nearly all lines are of no interest; do not parse them.
	if ((size_t)kind >= sizeof readers / sizeof *readers || !readers[kind] ||
	    !memmem(line, len, sought->mark, strlen(sought->mark))) {
		return BH_PROOF_NOWHERE;
	}
	tree = cJSON_ParseWithLength(line, len);
	found = readers[kind](sought, tree);
	cJSON_Delete(tree);
	return found;
}

enum bh_proof_found bh_turn_part(const struct bh_turn_sought *sought, const char *part)
{
	cJSON *tree = cJSON_Parse(part);
	// What the program itself adds to a turn (the text of a file) is synthetic.
	bool is_ours = strcmp(member_text(tree, "type"), "text") == 0 &&
	               !cJSON_IsTrue(member(tree, "synthetic")) &&
	               turn_is_ours(sought, member_text(tree, "text"));

	cJSON_Delete(tree);
	return is_ours ? BH_PROOF_SUBMITTED : BH_PROOF_NOWHERE;
}
