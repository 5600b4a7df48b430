#include "src/server/events.h"

#include "src/agent/profile.h"
#include "src/base/json.h"
#include "src/base/list.h"
#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/connection.h"
#include "src/server/deliver_channel.h"
#include "src/server/layout_host.h"
#include "src/server/rpc_server.h"
#include "src/server/server.h"
#include "src/server/streams.h"
#include "src/server/terminal_view.h"
#include "src/server/terminals.h"
#include "term/screen.h"

#include <stdlib.h>
#include <string.h>

struct bh_events {
	struct bh_server *server;
	struct bh_list listeners;
};

struct listener {
	struct bh_list link;
	struct bh_events *events;
	struct bh_connection *connection;
	struct bh_guest guest;
	// It does not read: it is told nothing until it has caught up.
	bool is_behind;
};

static struct listener *listener_of(struct bh_list *link)
{
	return bh_container_of(link, struct listener, link);
}

struct bh_events *bh_events_new(struct bh_server *server)
{
	struct bh_events *events = bh_xmalloc(sizeof *events);

	events->server = server;
	bh_list_init(&events->listeners);
	return events;
}

void bh_events_free(struct bh_events *events)
{
	free(events);
}

bool bh_events_is_heard(const struct bh_events *events)
{
	return events != NULL && !bh_list_is_empty(&events->listeners);
}

// ---- telling ----

// A notification as a line; the caller frees it. @params is taken.
static char *event_print(const char *event, cJSON *params)
{
	cJSON *message = cJSON_CreateObject();
	char *line = NULL;

	cJSON_AddStringToObject(message, "jsonrpc", "2.0");
	cJSON_AddStringToObject(message, "method", event);
	cJSON_AddItemToObject(message, "params", params);
	line = bh_json_print(message);
	cJSON_Delete(message);
	return line;
}

void bh_events_tell(struct bh_events *events, const char *event, cJSON *params)
{
	if (!bh_events_is_heard(events)) {
		cJSON_Delete(params);
		return;
	}
	char *line = event_print(event, params);

	bh_list_for (at, next, &events->listeners) {
		struct listener *listener = listener_of(at);

		listener->is_behind =
			listener->is_behind ||
			bh_connection_backlog(listener->connection) > BH_STREAM_BACKLOG;
		if (!listener->is_behind) {
			bh_connection_send_line(listener->connection, bh_span_of(line));
		}
	}
	free(line);
}

static void on_drained(struct bh_guest *guest)
{
	struct listener *listener = bh_container_of(guest, struct listener, guest);

	if (listener->is_behind) {
		char *line =
			event_print("events.resync", bh_events_state(listener->events->server));

		listener->is_behind = false;
		bh_connection_send_line(listener->connection, bh_span_of(line));
		free(line);
	}
}

// ---- listeners ----

static void listener_free(struct listener *listener)
{
	bh_list_remove(&listener->link);
	bh_list_remove(&listener->guest.link);
	free(listener);
}

static void on_gone(struct bh_guest *guest)
{
	listener_free(bh_container_of(guest, struct listener, guest));
}

static struct listener *listener_find(const struct bh_events *events,
                                      const struct bh_request *request)
{
	bh_list_for (at, next, &events->listeners) {
		if (listener_of(at)->connection == bh_request_connection(request)) {
			return listener_of(at);
		}
	}
	return NULL;
}

void bh_events_subscribe(struct bh_events *events, struct bh_request *request)
{
	if (listener_find(events, request) != NULL) {
		return;
	}
	struct listener *listener = bh_xmalloc(sizeof *listener);

	listener->events = events;
	listener->connection = bh_request_connection(request);
	listener->guest.drained = on_drained;
	listener->guest.gone = on_gone;
	bh_list_append(&events->listeners, &listener->link);
	bh_rpc_add_guest(request, &listener->guest);
}

bool bh_events_unsubscribe(struct bh_events *events, const struct bh_request *request)
{
	struct listener *listener = listener_find(events, request);

	if (listener == NULL) {
		return false;
	}
	listener_free(listener);
	return true;
}

// ---- what is told ----

static cJSON *mail_view(const struct bh_server *server, const struct bh_mailbox *mailbox)
{
	const struct bh_terminal_record *record =
		mailbox->terminal[0] != '\0' ? bh_store_terminal(server->store, mailbox->terminal)
					     : NULL;
	const struct bh_terminal *terminal =
		record != NULL ? bh_terminals_of_identity(server->terminals, mailbox->name) : NULL;
	bool is_typed = record != NULL && bh_terminal_record_mode(record) == BH_MODE_MESSAGE &&
	                (terminal == NULL || bh_profile_typing(terminal->profile)->is_allowed);
	enum bh_reason reason = bh_deliver_can_wake(server->deliver, mailbox->name).blocked;
	cJSON *view = cJSON_CreateObject();

	if (reason == BH_REASON_NO_TERMINAL && !mailbox->is_known) {
		reason = BH_REASON_UNKNOWN_RECIPIENT;
	}
	cJSON_AddStringToObject(view, "identity", mailbox->name);
	cJSON_AddItemToObject(view, "terminal_id",
	                      terminal != NULL ? cJSON_CreateString(terminal->id_text)
	                                       : cJSON_CreateNull());
	cJSON_AddNumberToObject(view, "unread", (double)mailbox->unread);
	cJSON_AddBoolToObject(view, "parked",
	                      record != NULL && record->notice.state == BH_NOTICE_PARKED &&
	                              mailbox->unread > 0);
	cJSON_AddNumberToObject(view, "queued", is_typed ? (double)mailbox->unread : 0);
	cJSON_AddItemToObject(view, "reason",
	                      reason != BH_REASON_NONE
	                              ? cJSON_CreateString(bh_word(BH_WORDS_REASON, (int)reason))
	                              : cJSON_CreateNull());
	return view;
}

static cJSON *terminals_view(struct bh_server *server)
{
	cJSON *views = cJSON_CreateArray();

	bh_list_for (at, next, bh_terminals_all(server->terminals)) {
		struct bh_terminal *terminal = bh_container_of(at, struct bh_terminal, link);

		if (terminal->phase != BH_TERMINAL_SPAWNING) {
			cJSON_AddItemToArray(views, bh_terminal_view(terminal));
		}
	}
	return views;
}

cJSON *bh_events_state(struct bh_server *server)
{
	cJSON *state = cJSON_CreateObject();
	const struct bh_mailbox *mailbox = NULL;
	cJSON *mail = NULL;

	cJSON_AddItemToObject(state, "layout", bh_layout_host_view(server->layout));
	cJSON_AddItemToObject(state, "terminals", terminals_view(server));
	mail = cJSON_AddArrayToObject(state, "mail");
	while ((mailbox = bh_store_next_mailbox(server->store, mailbox)) != NULL) {
		if (mailbox->unread > 0) {
			cJSON_AddItemToArray(mail, mail_view(server, mailbox));
		}
	}
	return state;
}

// Params with the terminal's id; NULL when nobody listens.
static cJSON *params_new(const struct bh_terminal *terminal)
{
	cJSON *params = NULL;

	if (bh_events_is_heard(terminal->server->listeners)) {
		params = cJSON_CreateObject();
		cJSON_AddStringToObject(params, "terminal_id", terminal->id_text);
	}
	return params;
}

static void tell(const struct bh_terminal *terminal, const char *event, cJSON *params)
{
	bh_events_tell(terminal->server->listeners, event, params);
}

// Params with what the terminal object has under these names.
static cJSON *params_pick(struct bh_terminal *terminal, const char *const *names)
{
	cJSON *view = bh_terminal_view(terminal);
	cJSON *params = cJSON_CreateObject();

	for (; *names != NULL; names++) {
		cJSON_AddItemToObject(params, *names,
		                      cJSON_DetachItemFromObjectCaseSensitive(view, *names));
	}
	cJSON_Delete(view);
	return params;
}

// Whether listeners know another state than that of now; remembers the one of now.
static bool told_differs(struct bh_terminal *terminal)
{
	const struct bh_verdict *verdict = &terminal->verdict;
	const struct bh_told now = {
		.phase = terminal->phase,
		.state = verdict->state,
		.is_typable = verdict->is_typable,
		.composer = verdict->composer,
		.last_turn = verdict->last_turn,
		.background = verdict->background,
		.reason = verdict->reason,
		.watched = terminal->adopted.profile,
	};
	const struct bh_told before = terminal->told;

	terminal->told = now;
	return now.phase != before.phase || now.state != before.state ||
	       now.is_typable != before.is_typable || now.composer != before.composer ||
	       now.last_turn != before.last_turn || now.background != before.background ||
	       now.watched != before.watched ||
	       strcmp(now.reason != NULL ? now.reason : "",
	              before.reason != NULL ? before.reason : "") != 0;
}

void bh_events_started(struct bh_terminal *terminal)
{
	if (bh_events_is_heard(terminal->server->listeners)) {
		cJSON *params = cJSON_CreateObject();

		cJSON_AddItemToObject(params, "terminal", bh_terminal_view(terminal));
		tell(terminal, "terminal.started", params);
	}
}

void bh_events_evaluated(struct bh_terminal *terminal)
{
	static const char *const names[] = {"terminal_id", "identity", "state",     "typable",
	                                    "composer",    "reason",   "last_turn", "background",
	                                    "watched",     NULL};

	// Also without listeners: the next one begins with the state of then.
	if (told_differs(terminal) && bh_events_is_heard(terminal->server->listeners)) {
		tell(terminal, "terminal.state", params_pick(terminal, names));
	}
}

static void tell_notification(struct bh_terminal *terminal)
{
	struct bh_notification note;
	cJSON *params = NULL;

	if (!bh_screen_take_notification(terminal->screen, &note)) {
		return;
	}
	params = params_new(terminal);
	if (params != NULL) {
		cJSON_AddStringToObject(params, "title", note.title);
		cJSON_AddStringToObject(params, "body", note.body);
		tell(terminal, "terminal.notification", params);
	}
}

// Clients that see the terminal hear of this by its output, but for those to which it is not sent.
static void tell_left_out(struct bh_terminal *terminal, uint32_t changes)
{
	size_t len = 0;
	char *bytes = bh_streams_leave_out(terminal)
	                      ? bh_screen_aside(terminal->screen, changes, &len)
	                      : NULL;

	if (bytes != NULL) {
		bh_streams_aside(terminal, (struct bh_span){bytes, len});
		free(bytes);
	}
}

void bh_events_output(struct bh_terminal *terminal)
{
	uint32_t changes = bh_screen_take_changes(terminal->screen);
	cJSON *params = NULL;

	tell_left_out(terminal, changes);
	if ((changes & BH_SCREEN_CHANGED_NOTIFICATION) != 0) {
		tell_notification(terminal);
	}
	if ((changes & BH_SCREEN_CHANGED_BELL) != 0 && (params = params_new(terminal)) != NULL) {
		tell(terminal, "terminal.bell", params);
	}
	if ((changes & BH_SCREEN_CHANGED_TITLE) != 0 && (params = params_new(terminal)) != NULL) {
		cJSON_AddStringToObject(params, "title", bh_screen_title(terminal->screen));
		tell(terminal, "terminal.title", params);
	}
}

void bh_events_noted(struct bh_terminal *terminal)
{
	cJSON *params = params_new(terminal);

	if (params != NULL) {
		cJSON_AddStringToObject(params, "text", terminal->note);
		tell(terminal, "terminal.note", params);
	}
}

void bh_events_exited(struct bh_terminal *terminal)
{
	static const char *const names[] = {"terminal_id", "identity", "exit", "respawn_at", NULL};

	if (bh_events_is_heard(terminal->server->listeners)) {
		tell(terminal, "terminal.exited", params_pick(terminal, names));
	}
}

void bh_events_closed(struct bh_terminal *terminal)
{
	cJSON *params = params_new(terminal);

	if (params != NULL) {
		tell(terminal, "terminal.forgotten", params);
	}
}

void bh_events_mail(struct bh_server *server, const struct bh_mailbox *mailbox)
{
	if (bh_events_is_heard(server->listeners)) {
		bh_events_tell(server->listeners, "mail.changed", mail_view(server, mailbox));
	}
}

void bh_events_notice(struct bh_server *server, const char *text)
{
	cJSON *params = cJSON_CreateObject();

	cJSON_AddStringToObject(params, "text", text);
	bh_events_tell(server->listeners, "session.notice", params);
}
