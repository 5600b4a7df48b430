#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/server/methods.h"
#include "src/server/server.h"
#include "src/server/terminals.h"

void bh_method_hook_event(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	const char *event = bh_request_string(request, "event");
	const cJSON *payload = NULL;
	struct bh_err err = {0};

	if (event == NULL) {
		return;
	}
	if (bh_json_opt_object(bh_request_params(request), "payload", &payload, &err) != 0) {
		bh_request_fail(request, "params", "%s", err.text);
		return;
	}
	struct bh_terminal *terminal =
		bh_terminals_get(server->terminals, &bh_request_caller(request)->terminal_id);

	// A hook must never disturb its agent: an event that comes too late is no error.
	if (terminal != NULL && bh_terminal_is_alive(terminal) && terminal->judge != NULL) {
		bh_terminal_hook(terminal, event, payload);
	}
	bh_request_answer(request, cJSON_CreateObject());
}
