#include "src/base/buf.h"
#include "src/base/clock.h"
#include "src/cmd/commands.h"
#include "src/cmd/follow.h"
#include "src/cmd/print.h"

#include <stdio.h>
#include <string.h>

/** What is printed. */
struct events {
	bool is_json;
	bool is_followed;
	/** The state was printed before: this is another server. */
	bool has_begun;
	/** Names of terminals by id, for events that have only the id: {id: identity}. */
	cJSON *names;
	/** What people were told last of a terminal, by id, and of a mailbox, by its name behind "mail ". */
	cJSON *told;
};

/** One line of JSON, as the protocol has it. */
static void json_print(const char *event, const cJSON *params)
{
	cJSON *line = cJSON_CreateObject();

	(void)cJSON_AddNumberToObject(line, "at", (double)bh_clock_wall_ms());
	(void)cJSON_AddStringToObject(line, "event", event);
	(void)cJSON_AddItemToObject(line, "params", cJSON_Duplicate(params, true));
	bh_print_json(stdout, line);
	cJSON_Delete(line);
}

/** The beginning of a line for people: when, and who. */
static void who_print(const char *who)
{
	char at[32];

	(void)printf("%s  %-16s  ", bh_print_time((double)bh_clock_wall_ms(), at), who);
}

static void name_keep(struct events *events, const cJSON *about)
{
	const char *id = bh_print_str(about, "terminal_id", NULL);
	const char *identity = bh_print_str(about, "identity", NULL);

	if (id != NULL && identity != NULL) {
		cJSON_DeleteItemFromObjectCaseSensitive(events->names, id);
		(void)cJSON_AddStringToObject(events->names, id, identity);
	}
}

/** The name of the terminal that an event is about. */
static const char *name_of(struct events *events, const cJSON *params)
{
	const char *id = bh_print_str(params, "terminal_id", "");

	return bh_print_str(params, "identity", bh_print_str(events->names, id, id));
}

/** Print a line, unless it is what was told last of @key: an event may change what people do not see. */
static void news_print(struct events *events, const char *key, const char *who, const char *text)
{
	const char *last = bh_print_str(events->told, key, "");

	if (strcmp(last, text) == 0) {
		return;
	}
	cJSON_DeleteItemFromObjectCaseSensitive(events->told, key);
	(void)cJSON_AddStringToObject(events->told, key, text);
	who_print(who);
	(void)puts(text);
}

static void state_print(struct events *events, const cJSON *terminal)
{
	struct bh_buf text = {0};
	const char *reason = bh_print_str(terminal, "reason", NULL);
	const char *state = bh_print_str(terminal, "state", "?");
	const char *turn = bh_print_str(terminal, "last_turn", NULL);

	bh_buf_puts(&text, state);
	if (reason != NULL && strcmp(reason, state) != 0 && strcmp(state, "exited") != 0) {
		bh_buf_printf(&text, " (%s)", reason);
	}
	if (turn != NULL && turn[0] != '\0') {
		bh_buf_printf(&text, ", last turn %s", turn);
	}
	news_print(events, bh_print_str(terminal, "terminal_id", "?"), name_of(events, terminal),
	           text.data);
	bh_buf_clear(&text);
}

static void mail_print(struct events *events, const cJSON *mail)
{
	struct bh_buf key = {0};
	struct bh_buf text = {0};
	const char *who = bh_print_str(mail, "identity", "?");
	const char *reason = bh_print_str(mail, "reason", NULL);
	double unread = bh_print_num(mail, "unread", 0);

	bh_buf_printf(&key, "mail %s", who);
	bh_buf_printf(&text, "mail: %.0f unread", unread);
	if (unread > 0 && bh_print_flag(mail, "parked")) {
		bh_buf_puts(&text, ", parked");
	} else if (unread > 0 && reason != NULL) {
		bh_buf_printf(&text, " (%s)", reason);
	}
	news_print(events, key.data, who, text.data);
	bh_buf_clear(&key);
	bh_buf_clear(&text);
}

static void exit_print(struct events *events, const cJSON *params)
{
	const cJSON *how = cJSON_GetObjectItemCaseSensitive(params, "exit");
	const char *signal = bh_print_str(how, "signal", NULL);

	who_print(name_of(events, params));
	if (signal != NULL) {
		(void)printf("exited: %s\n", signal);
	} else {
		(void)printf("exited: status %.0f\n", bh_print_num(how, "code", 0));
	}
}

/** A line with text that came from outside. */
static void text_print(struct events *events, const cJSON *params, const char *label,
                       const char *text)
{
	if (text[0] != '\0') {
		who_print(name_of(events, params));
		(void)fputs(label, stdout);
		bh_print_text(stdout, text);
	}
}

/** One event for people. What only moves things on the screen is left out. */
static void event_print(struct events *events, const char *event, const cJSON *params)
{
	const cJSON *terminal = cJSON_GetObjectItemCaseSensitive(params, "terminal");

	if (strcmp(event, "terminal.started") == 0) {
		name_keep(events, terminal);
		text_print(events, terminal, "started: ", bh_print_str(terminal, "program", "?"));
	} else if (strcmp(event, "terminal.state") == 0) {
		name_keep(events, params);
		state_print(events, params);
	} else if (strcmp(event, "terminal.exited") == 0) {
		exit_print(events, params);
	} else if (strcmp(event, "terminal.note") == 0) {
		text_print(events, params, "", bh_print_str(params, "text", ""));
	} else if (strcmp(event, "terminal.bell") == 0) {
		text_print(events, params, "", "bell");
	} else if (strcmp(event, "terminal.notification") == 0) {
		text_print(events, params, "says: ", bh_print_str(params, "body", ""));
	} else if (strcmp(event, "terminal.forgotten") == 0) {
		text_print(events, params, "", "forgotten");
	} else if (strcmp(event, "mail.changed") == 0) {
		mail_print(events, params);
	} else if (strcmp(event, "session.notice") == 0) {
		who_print("-");
		bh_print_text(stdout, bh_print_str(params, "text", ""));
	} else if (strcmp(event, "server.stopping") == 0) {
		who_print("-");
		(void)puts("the session is stopped");
	}
}

/** All that is, at the beginning and after something was missed. */
static int all_print(struct events *events, const cJSON *state)
{
	const cJSON *one = NULL;

	if (events->is_json) {
		json_print("events.state", state);
		return bh_follow_flush();
	}
	if (events->has_begun) {
		who_print("-");
		(void)puts("connected again");
	}
	cJSON_Delete(events->told); // all of it is news
	events->told = cJSON_CreateObject();
	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(state, "terminals"))
	{
		name_keep(events, one);
		state_print(events, one);
	}
	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(state, "mail"))
	{
		mail_print(events, one);
	}
	return bh_follow_flush();
}

static int on_begun(struct bh_follow *follow, const cJSON *result, void *user)
{
	struct events *events = user;
	int status = all_print(events, result);

	(void)follow;
	events->has_begun = true;
	return status == BH_FOLLOW_ON && !events->is_followed ? BH_EXIT_OK : status;
}

static int on_told(struct bh_follow *follow, const char *method, const cJSON *params, void *user)
{
	struct events *events = user;
	int status;

	(void)follow;
	if (strcmp(method, "events.resync") == 0) {
		return all_print(events, params);
	}
	if (events->is_json) {
		json_print(method, params);
	} else {
		event_print(events, method, params);
	}
	status = bh_follow_flush();
	// Somebody stopped the session: there is nothing to wait for.
	return status == BH_FOLLOW_ON && strcmp(method, "server.stopping") == 0 ? BH_EXIT_OK
	                                                                        : status;
}

static int run(struct bh_cmd *cmd)
{
	struct events events = {.is_json = bh_cmd_is_json(cmd),
	                        .is_followed = bh_args_has(&cmd->args, "follow"),
	                        .names = cJSON_CreateObject(),
	                        .told = cJSON_CreateObject()};
	struct bh_follow_settings settings = {
		.method = "events.subscribe", .begun = on_begun, .told = on_told, .user = &events};
	int status = bh_follow_run(cmd, &settings);

	cJSON_Delete(events.names);
	cJSON_Delete(events.told);
	return status;
}

static const struct bh_option options[] = {
	{"follow", 'f', NULL, "go on with what happens, until interrupted"},
	{"json", 0, NULL, "print events as lines of JSON"},
	{0},
};

const struct bh_command bh_cmd_events = {
	.name = "events",
	.summary = "print the state of the session, and what happens in it",
	.help = "One line for each terminal and each mailbox with unread mail. With --follow one more\n"
		"for each change: states, mail, starts and exits, bells and notifications. When the\n"
		"server is started anew it connects again by itself; it ends with the session.\n"
		"\n"
		"With --json the first line is the event events.state with all there is; the events\n"
		"and their parameters are those of doc/PROTOCOL.md, section 11.",
	.options = options,
	.group = BH_GROUP_SESSION,
	.run = run,
};
