// UIs: what size they have, what they listen to.
#include "src/base/limits.h"
#include "src/server/events.h"
#include "src/server/layout_host.h"
#include "src/server/method_layout.h"
#include "src/server/rpc.h"
#include "src/server/server.h"

// Read `cols` and `rows`, which must be there. false: the request was failed.
static bool size_read(struct bh_request *request, int *cols_out, int *rows_out)
{
	int64_t cols = 0;
	int64_t rows = 0;

	if (!bh_request_number(request, "cols", 0, 1, BH_LIMIT_SCREEN_MAX, &cols) ||
	    !bh_request_number(request, "rows", 0, 1, BH_LIMIT_SCREEN_MAX, &rows)) {
		return false;
	}
	if (cols == 0 || rows == 0) {
		bh_request_fail(request, "params", "cols and rows are needed");
		return false;
	}
	*cols_out = (int)cols;
	*rows_out = (int)rows;
	return true;
}

static struct bh_layout_host *host_of(const struct bh_request *request)
{
	return bh_request_server(request)->layout;
}

static void add_area(cJSON *result, const struct bh_layout *layout)
{
	cJSON *area = cJSON_AddObjectToObject(result, "area");

	cJSON_AddNumberToObject(area, "cols", layout->cols);
	cJSON_AddNumberToObject(area, "rows", layout->rows);
}

void bh_method_ui_attach(struct bh_request *request)
{
	struct bh_layout_host *host = host_of(request);
	bool is_observer = false;
	int cols = 0;
	int rows = 0;

	if (!bh_request_flag(request, "observe", &is_observer) ||
	    !size_read(request, &cols, &rows)) {
		return;
	}
	if (!is_observer && bh_request_caller(request)->kind != BH_CALLER_OPERATOR) {
		bh_request_fail(request, "operator_only",
		                "this terminal is inside the session already, whose UI only a "
		                "person outside may use; with --observe it can be looked at");
		return;
	}
	const struct bh_layout_client *client = bh_layout_clients_set(
		bh_layout_host_clients(host), request, cols, rows, is_observer);
	cJSON *result = cJSON_CreateObject();

	bh_layout_host_changed(host, NULL);
	cJSON_AddNumberToObject(result, "client", client->number);
	cJSON_AddItemToObject(result, "layout", bh_layout_host_view(host));
	bh_request_answer(request, result);
}

// The client of the connection; NULL: the request was failed.
static struct bh_layout_client *client_find(struct bh_request *request)
{
	struct bh_layout_client *client = bh_layout_clients_find(
		bh_layout_host_clients(host_of(request)), bh_request_connection(request));

	if (client == NULL) {
		bh_request_fail(request, "not_found",
		                "this connection is no UI; `ui.attach` makes it one");
	}
	return client;
}

void bh_method_ui_size(struct bh_request *request)
{
	struct bh_layout_host *host = host_of(request);
	const struct bh_layout_client *client = NULL;
	int cols = 0;
	int rows = 0;

	if (!size_read(request, &cols, &rows)) {
		return;
	}
	client = client_find(request);
	if (client == NULL) {
		return;
	}
	(void)bh_layout_clients_set(bh_layout_host_clients(host), request, cols, rows,
	                            client->is_observer); // the same client
	bh_layout_host_changed(host, NULL);
	cJSON *result = cJSON_CreateObject();

	add_area(result, bh_layout_host_layout(host));
	bh_request_answer(request, result);
}

void bh_method_ui_detach(struct bh_request *request)
{
	struct bh_layout_client *client = client_find(request);
	cJSON *result = NULL;

	if (client == NULL) {
		return;
	}
	bh_layout_clients_remove(client);
	bh_layout_host_changed(host_of(request), NULL);
	result = cJSON_CreateObject();
	cJSON_AddBoolToObject(result, "detached", true);
	bh_request_answer(request, result);
}

void bh_method_session_size_policy(struct bh_request *request)
{
	struct bh_layout_host *host = host_of(request);
	struct bh_layout_clients *clients = bh_layout_host_clients(host);
	const char *word = NULL;
	enum bh_size_policy policy = BH_SIZE_LATEST;

	if (!bh_request_optional_string(request, "policy", &word)) {
		return;
	}
	if (word != NULL && !bh_size_policy_parse(word, &policy)) {
		bh_request_fail(request, "params", "policy is latest, smallest or fixed");
		return;
	}
	if (word != NULL && policy == BH_SIZE_FIXED &&
	    !size_read(request, &clients->fixed_cols, &clients->fixed_rows)) {
		return;
	}
	if (word != NULL) {
		clients->policy = policy;
		bh_layout_host_changed(host, NULL);
	}
	cJSON *result = bh_layout_clients_policy_view(clients);

	add_area(result, bh_layout_host_layout(host));
	bh_request_answer(request, result);
}

void bh_method_events_subscribe(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	cJSON *state = bh_events_state(server);

	bh_events_subscribe(server->listeners, request);
	bh_request_answer(request, state);
}

void bh_method_events_unsubscribe(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	cJSON *result = cJSON_CreateObject();

	cJSON_AddBoolToObject(result, "unsubscribed",
	                      bh_events_unsubscribe(server->listeners, request));
	bh_request_answer(request, result);
}
