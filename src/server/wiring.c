#include "src/server/wiring.h"

#include "src/agent/profile.h"
#include "src/base/clock.h"
#include "src/base/paths.h"
#include "src/mail/store.h"
#include "src/server/events.h"
#include "src/server/externals.h"
#include "src/server/foreground.h"
#include "src/server/grants.h"
#include "src/server/layout_host.h"
#include "src/server/pty.h"
#include "src/server/rpc_server.h"
#include "src/server/server.h"
#include "src/server/spooler.h"
#include "src/server/state_waits.h"
#include "src/server/terminals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef BH_FAULTS // the program of tests/cli/faults.py, see tests/faults/fault.h
void bh_fault_point(void *user, const struct bh_uuid *terminal, enum bh_deliver_point point);
#endif

// ---- terminals tell ----

static void on_terminal_evaluated(struct bh_terminal *terminal)
{
	bh_state_waits_look(terminal);
	bh_events_evaluated(terminal);
	bh_lifecycle_evaluated(terminal);
	bh_deliver_look(terminal->server->deliver, &terminal->id);
}

static void on_terminal_output(struct bh_terminal *terminal)
{
	struct bh_deliver *deliver = terminal->server->deliver;

	bh_events_output(terminal);
	if (bh_deliver_is_typing(deliver, &terminal->id)) {
		bh_deliver_look(deliver, &terminal->id);
	}
}

static void on_terminal_hook(struct bh_terminal *terminal)
{
	bh_deliver_look(terminal->server->deliver, &terminal->id);
}

static void on_terminal_written(struct bh_terminal *terminal)
{
	bh_deliver_look(terminal->server->deliver, &terminal->id);
}

static void on_terminal_person(struct bh_terminal *terminal)
{
	bh_courtesy_type(&terminal->server->courtesy, terminal, terminal->person_ms);
	bh_deliver_person(terminal->server->deliver, &terminal->id);
}

static void on_terminal_started(struct bh_terminal *terminal)
{
	bh_spooler_watch(terminal->server->spool, &terminal->id, terminal->spool_path);
	bh_deliver_bound(terminal->server->deliver, &terminal->id);
	bh_events_started(terminal);
	bh_layout_host_started(terminal->server->layout, terminal);
}

static void on_terminal_exited(struct bh_terminal *terminal)
{
	bh_spooler_remove(terminal->server->spool, &terminal->id);
	bh_deliver_exited(terminal->server->deliver, &terminal->id);
	bh_grants_drop(terminal->server->grants, &terminal->id);
	bh_terminals_exited(terminal->server->terminals, terminal);
	bh_events_exited(terminal);
	bh_layout_host_ended(terminal->server->layout, terminal, false);
}

static void on_terminal_noted(struct bh_terminal *terminal)
{
	bh_events_noted(terminal);
}

static void on_terminal_closed(struct bh_terminal *terminal)
{
	bh_state_waits_end(terminal);
	if (!terminal->server->is_stopping) { // else it lives on, for the next server
		bh_events_closed(terminal);
	}
	bh_layout_host_ended(terminal->server->layout, terminal, true);
}

const struct bh_terminal_events bh_wiring_terminal_events = {
	.evaluated = on_terminal_evaluated,
	.output = on_terminal_output,
	.hook = on_terminal_hook,
	.written = on_terminal_written,
	.person = on_terminal_person,
	.started = on_terminal_started,
	.exited = on_terminal_exited,
	.noted = on_terminal_noted,
	.closed = on_terminal_closed,
};

// ---- delivery acts ----

static struct bh_terminal *living(struct bh_server *server, const struct bh_uuid *id)
{
	struct bh_terminal *terminal = bh_terminals_get(server->terminals, id);

	return terminal != NULL && terminal->phase == BH_TERMINAL_RUNNING ? terminal : NULL;
}

static uint64_t host_now_ms(void *user)
{
	return bh_server_now_ms(user);
}

static int64_t host_wall_ms(void *user)
{
	(void)user;
	return bh_clock_wall_ms();
}

static bool host_view(void *user, const struct bh_uuid *id, struct bh_deliver_view *view_out)
{
	struct bh_server *server = user;
	struct bh_terminal *terminal = living(server, id);
	const struct bh_terminal_record *record =
		terminal != NULL ? bh_store_terminal(server->store, terminal->id_text) : NULL;
	const struct bh_mailbox *name = NULL;

	if (record == NULL) {
		return bh_externals_view(server->externals, id, view_out);
	}
	*view_out = (struct bh_deliver_view){
		.verdict = *bh_terminal_evaluate(terminal),
		.screen = terminal->screen,
		.profile = terminal->profile,
		.watched = terminal->adopted.profile != NULL
	                           ? bh_profile_programs(terminal->adopted.profile)[0]
	                           : NULL,
		.unknown_percent = bh_judge_past(terminal->judge).unknown_percent,
		.mode = bh_terminal_record_mode(record),
		.proof = terminal->proof,
		.session_record = bh_resume_record(terminal),
		.last_output_ms = terminal->output_ms,
		.disturbed_ms = terminal->person_ms > terminal->resized_ms ? terminal->person_ms
	                                                                   : terminal->resized_ms,
		.has_unread_input = bh_terminal_has_unread(terminal),
	};
	while (view_out->name_count < BH_DELIVER_NAMES_MAX &&
	       (name = bh_store_next_name(record, name)) != NULL) {
		view_out->names[view_out->name_count++] = name->name;
	}
	return true;
}

static bool host_has_output(void *user, const struct bh_uuid *id)
{
	const struct bh_terminal *terminal = living(user, id);

	return terminal != NULL && terminal->pty != NULL && bh_pty_has_output(terminal->pty);
}

static int host_write(void *user, const struct bh_uuid *id, const void *bytes, size_t len,
                      enum bh_input what)
{
	struct bh_terminal *terminal = living(user, id);
	enum bh_writer writer = what == BH_INPUT_TYPIST_CR      ? BH_WRITER_TYPIST_CR
	                        : what == BH_INPUT_TYPIST_CLEAR ? BH_WRITER_TYPIST_CLEAR
	                                                        : BH_WRITER_TYPIST_TEXT;

	return terminal != NULL ? bh_terminal_write(terminal, bytes, len, writer) : BH_ECLOSED;
}

static void host_hold(void *user, const struct bh_uuid *id)
{
	struct bh_terminal *terminal = living(user, id);

	if (terminal != NULL) {
		bh_terminal_hold(terminal);
	}
}

static void host_release(void *user, const struct bh_uuid *id, bool drop_answers)
{
	struct bh_terminal *terminal = living(user, id);

	if (terminal != NULL) {
		(void)bh_terminal_release(terminal, drop_answers); // the clients are told there
	}
}

static void host_note(void *user, const struct bh_uuid *id, const char *text)
{
	struct bh_terminal *terminal = living(user, id);

	if (terminal != NULL) {
		bh_terminal_note(terminal, text);
	}
}

static void host_wake_at(void *user, uint64_t at_ms)
{
	bh_server_wake_at(user, at_ms);
}

static bool host_has_ui(void *user)
{
	struct bh_server *server = user;

	bh_list_for (at, next, bh_terminals_all(server->terminals)) {
		if (bh_terminal_attached(bh_container_of(at, struct bh_terminal, link)) > 0) {
			return true;
		}
	}
	return false;
}

static uint64_t host_slept_ms(void *user)
{
	uint64_t mono_ms = bh_clock_mono_ms();
	uint64_t boot_ms = bh_clock_boot_ms();

	(void)user;
	return boot_ms > mono_ms ? boot_ms - mono_ms : 0;
}

static void host_resumed(void *user)
{
	struct bh_server *server = user;

	bh_list_for (at, next, bh_terminals_all(server->terminals)) {
		const struct bh_terminal *terminal = bh_container_of(at, struct bh_terminal, link);

		if (terminal->phase == BH_TERMINAL_RUNNING) {
			bh_judge_forget_events(terminal->judge, bh_server_now_ms(server));
		}
	}
}

static void host_tell(void *user, const char *text)
{
	bh_events_notice(user, text);
}

static bool host_is_typed(void *user, const char *name)
{
	const struct bh_server *server = user;
	const struct bh_profile *profile = bh_profiles_find(server->profiles, name);

	return profile == NULL || bh_profile_typing(profile)->is_allowed;
}

const struct bh_deliver_host bh_wiring_deliver_host = {
	.now_ms = host_now_ms,
	.view = host_view,
	.is_typed = host_is_typed,
	.has_output = host_has_output,
	.write = host_write,
	.hold = host_hold,
	.release = host_release,
	.note = host_note,
	.wake_at = host_wake_at,
	.has_ui = host_has_ui,
	.wall_ms = host_wall_ms,
	.slept_ms = host_slept_ms,
	.resumed = host_resumed,
	.tell = host_tell,
#ifdef BH_FAULTS
	.point = bh_fault_point,
#endif
};

void bh_wiring_mail_changed(void *user, const struct bh_mailbox *mailbox)
{
	struct bh_server *server = user;

	// While the store is being opened nothing listens yet.
	if (server->deliver != NULL) {
		bh_deliver_mail_changed(server->deliver, mailbox);
		bh_events_mail(server, mailbox);
	}
}

// ---- callers ask ----

static bool world_terminal_of_child(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out)
{
	struct bh_server *server = user;
	const struct bh_terminal *terminal = bh_terminals_of_child(server->terminals, pid, start);

	if (terminal != NULL) {
		*id_out = terminal->id;
	}
	return terminal != NULL;
}

static bool world_terminal_of_token(void *user, const char *token, struct bh_uuid *id_out)
{
	struct bh_server *server = user;
	const struct bh_terminal *terminal = bh_terminals_of_token(server->terminals, token);

	if (terminal != NULL) {
		*id_out = terminal->id;
	}
	return terminal != NULL;
}

static bool world_is_token_refused(void *user, const struct bh_uuid *id)
{
	struct bh_server *server = user;
	const struct bh_terminal *terminal = bh_terminals_get(server->terminals, id);

	return terminal == NULL || bh_profile_has_shared_daemon(terminal->profile);
}

static bool world_registration_of(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out)
{
	struct bh_server *server = user;
	const struct bh_external *external = bh_externals_of_process(server->externals, pid, start);

	if (external != NULL) {
		*id_out = external->id;
	}
	return external != NULL;
}

static bool world_registration_of_token(void *user, const char *token, struct bh_uuid *id_out)
{
	struct bh_server *server = user;
	const struct bh_external *external = bh_externals_of_token(server->externals, token);

	*id_out = external != NULL ? external->id : (struct bh_uuid){{0}};
	return external != NULL || bh_externals_has_token(server->externals, token);
}

static bool world_is_agent(void *user, pid_t pid)
{
	const struct bh_server *server = user;

	return bh_foreground_is_agent(server->profiles, pid);
}

// Where tests that themselves run below an agent let the world end (doc/HACKING.md).
static pid_t top_pid(void)
{
	const char *text = bh_paths_env((const char *const *)environ, "BELLHOP_TOP_PID");

	return text != NULL ? (pid_t)strtol(text, NULL, 10) : 0; // 0 when it is no number
}

struct bh_callers_world bh_wiring_callers_world(struct bh_server *server)
{
	return (struct bh_callers_world){
		.process = bh_callers_read_process,
		.has_agent_env = bh_callers_read_agent_env,
		.is_our_namespace = bh_callers_read_namespace,
		.terminal_of_child = world_terminal_of_child,
		.terminal_of_token = world_terminal_of_token,
		.is_token_refused = world_is_token_refused,
		.is_agent = world_is_agent,
		.is_born_in = bh_callers_read_birth,
		.registration_of = world_registration_of,
		.registration_of_token = world_registration_of_token,
		.top_pid = top_pid(),
		.user = server,
	};
}
