#include "src/server/keeper_link.h"
#include "src/server/layout_host.h"
#include "src/server/method_layout.h"
#include "src/server/method_mail.h"
#include "src/server/methods.h"
#include "src/server/resume.h"
#include "src/server/server.h"
#include "src/server/start_request.h"
#include "src/server/target.h"
#include "src/server/terminal_view.h"
#include "src/server/terminals.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- run ----

// The answer of run and respawn.
static void on_started(void *user, struct bh_terminal *terminal, const struct bh_err *err)
{
	struct bh_request *request = user;

	if (terminal != NULL) {
		cJSON *view = bh_terminal_view(terminal);

		cJSON_AddItemToObject(view, "wake",
		                      bh_method_mail_wake(terminal->server, terminal->identity));
		bh_request_answer(request, view);
	} else {
		bh_start_request_fail(request, err);
	}
}

void bh_method_terminal_run(struct bh_request *request)
{
	struct bh_terminals_start start = {0};

	if (cJSON_HasObjectItem(bh_request_params(request), "place")) {
		bh_method_terminal_run_placed(request);
	} else if (bh_start_request_read(request, NULL, &start)) {
		bh_terminals_run(bh_request_server(request)->terminals, &start, on_started,
		                 request);
	}
}

// ---- list ----

void bh_method_terminal_list(struct bh_request *request)
{
	struct bh_list *all = bh_terminals_all(bh_request_server(request)->terminals);
	bool is_all = false;

	if (!bh_request_flag(request, "all", &is_all)) {
		return;
	}
	cJSON *result = cJSON_CreateObject();
	cJSON *list = cJSON_AddArrayToObject(result, "terminals");

	bh_list_for (at, next, all) {
		struct bh_terminal *terminal = bh_container_of(at, struct bh_terminal, link);

		if (terminal->phase != BH_TERMINAL_SPAWNING &&
		    (is_all || terminal->phase != BH_TERMINAL_EXITED ||
		     terminal->respawn_at != 0)) {
			cJSON_AddItemToArray(list, bh_terminal_view(terminal));
		}
	}
	bh_request_answer(request, result);
}

void bh_method_terminal_get(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal != NULL) {
		bh_request_answer(request, bh_terminal_view(terminal));
	}
}

// ---- ends and beginnings ----

// The number of "HUP", "sighup", "SIGHUP" or "1"; 0 when there is none.
static int signal_parse(const char *name)
{
	char *end = NULL;
	long number = strtol(name, &end, 10);

	if (end != name && *end == '\0') {
		return number > 0 && number < NSIG ? (int)number : 0;
	}
	if (strncasecmp(name, "SIG", 3) == 0) {
		name += 3;
	}
	for (int i = 1; i < NSIG; i++) {
		const char *known = sigabbrev_np(i);

		if (known != NULL && strcasecmp(known, name) == 0) {
			return i;
		}
	}
	return 0;
}

// What ends a terminal is meant for all in it; anything else for its program.
static enum bh_wire_target signal_target(int signal)
{
	return signal == SIGHUP || signal == SIGTERM || signal == SIGKILL ? BH_WIRE_TARGET_SESSION
	                                                                  : BH_WIRE_TARGET_CHILD;
}

// End @terminal so that nothing comes after it, not even what is due already.
static void terminal_end(struct bh_request *request, struct bh_terminal *terminal)
{
	cJSON *result = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "terminal_id", terminal->id_text);
	cJSON_AddBoolToObject(result, "signalled", bh_terminal_is_alive(terminal));
	cJSON_AddStringToObject(result, "respawn", bh_respawn_word(BH_RESPAWN_NEVER));
	terminal->watched.is_ended_by_agent = bh_request_caller(request)->kind == BH_CALLER_INSIDE;
	bh_layout_host_end(bh_request_server(request)->layout, terminal);
	bh_request_answer(request, result);
}

static void kill_finally(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal != NULL && terminal->phase == BH_TERMINAL_EXITED &&
	    terminal->respawn_at == 0) {
		terminal = bh_target_find_alive(request); // which says so
	}
	if (terminal != NULL && bh_target_may_act(request, terminal)) {
		terminal_end(request, terminal);
	}
}

void bh_method_terminal_kill(struct bh_request *request)
{
	const char *name = NULL;
	struct bh_terminal *terminal = NULL;
	bool is_final = false;

	if (!bh_request_optional_string(request, "signal", &name) ||
	    !bh_request_flag(request, "final", &is_final)) {
		return;
	}
	if (is_final && name != NULL) {
		bh_request_fail(request, "params", "`final` and `signal` exclude each other");
		return;
	}
	if (is_final) {
		kill_finally(request);
		return;
	}
	int signal = signal_parse(name != NULL ? name : "HUP");

	if (signal == 0) {
		bh_request_fail(request, "invalid",
		                "there is no signal %.32s; write a name or a number, as TERM or 15",
		                name);
		return;
	}
	terminal = bh_target_find_alive(request);
	if (terminal == NULL || !bh_target_may_act(request, terminal)) {
		return;
	}
	if (bh_keeper_link_signal(bh_request_server(request)->keeper, &terminal->id, signal,
	                          signal_target(signal)) != 0) {
		bh_request_fail(request, "internal", "the keeper is gone; see the log");
		return;
	}
	if (signal_target(signal) == BH_WIRE_TARGET_SESSION) { // others end nothing
		terminal->watched.is_ended_by_agent =
			bh_request_caller(request)->kind == BH_CALLER_INSIDE;
	}
	cJSON *result = cJSON_CreateObject();

	cJSON_AddStringToObject(result, "terminal_id", terminal->id_text);
	cJSON_AddBoolToObject(result, "signalled", true);
	cJSON_AddStringToObject(result, "respawn", bh_respawn_word(terminal->setup.respawn));
	bh_request_answer(request, result);
}

static const char *resume_word(int code)
{
	return code == BH_EBUSY ? "busy" : "cannot_resume";
}

void bh_method_terminal_respawn(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	bool is_forced = false;
	bool is_resuming = false;
	struct bh_terminal *terminal = NULL;
	struct bh_err err = {0};

	if (!bh_request_flag(request, "force", &is_forced) ||
	    !bh_request_flag(request, "resume", &is_resuming)) {
		return;
	}
	terminal = bh_target_find(request);
	if (terminal == NULL || !bh_target_may_act(request, terminal)) {
		return;
	}
	if (terminal->phase != BH_TERMINAL_EXITED && !is_forced) {
		bh_request_fail(request, "busy", "%s still runs; end it first, or use --force",
		                terminal->identity);
		return;
	}
	if (is_resuming && bh_resume_check(terminal, &err) != 0) {
		bh_request_fail(request, resume_word(err.code),
		                "%s; `bellhop respawn %s` starts it afresh", err.text,
		                terminal->identity);
		return;
	}
	if (terminal->replacement == NULL) {
		terminal->session.is_resume_due = is_resuming;
	}
	if (terminal->phase == BH_TERMINAL_EXITED) {
		bh_terminals_respawn(server->terminals, terminal, on_started, request);
	} else {
		bh_terminals_replace(server->terminals, terminal, on_started, request);
	}
}

void bh_method_terminal_forget(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal == NULL || !bh_target_may_act(request, terminal)) {
		return;
	}
	if (terminal->phase != BH_TERMINAL_EXITED) {
		bh_request_fail(request, "busy", "%s still runs; end it first with `bellhop kill`",
		                terminal->identity);
		return;
	}
	bh_terminals_forget(bh_request_server(request)->terminals, terminal);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddBoolToObject(result, "forgotten", true);
	bh_request_answer(request, result);
}
