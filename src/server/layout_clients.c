#include "src/server/layout_clients.h"

#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const policy_words[BH_SIZE_POLICY_COUNT] = {
	[BH_SIZE_LATEST] = "latest",
	[BH_SIZE_SMALLEST] = "smallest",
	[BH_SIZE_FIXED] = "fixed",
};

static struct bh_layout_client *client_of(struct bh_list *link)
{
	return bh_container_of(link, struct bh_layout_client, link);
}

void bh_layout_clients_init(struct bh_layout_clients *clients,
                            void (*changed)(struct bh_layout_clients *clients))
{
	*clients = (struct bh_layout_clients){.next_number = 1, .changed = changed};
	bh_list_init(&clients->all);
}

void bh_layout_clients_remove(struct bh_layout_client *client)
{
	bh_list_remove(&client->link);
	bh_list_remove(&client->guest.link);
	free(client);
}

void bh_layout_clients_clear(struct bh_layout_clients *clients)
{
	bh_list_for (at, next, &clients->all) {
		bh_layout_clients_remove(client_of(at));
	}
}

struct bh_layout_client *bh_layout_clients_find(const struct bh_layout_clients *clients,
                                                const struct bh_connection *connection)
{
	bh_list_for (at, next, &clients->all) {
		if (client_of(at)->connection == connection) {
			return client_of(at);
		}
	}
	return NULL;
}

// The client that counts and was used last; NULL: none counts.
static struct bh_layout_client *clients_latest(const struct bh_layout_clients *clients)
{
	for (struct bh_list *at = clients->all.prev; at != &clients->all; at = at->prev) {
		if (!client_of(at)->is_observer) {
			return client_of(at);
		}
	}
	return NULL;
}

bool bh_layout_clients_use(struct bh_layout_client *client)
{
	struct bh_layout_clients *clients = client->clients;

	if (client->is_observer || clients_latest(clients) == client) {
		return false;
	}
	bh_list_remove(&client->link);
	bh_list_append(&clients->all, &client->link);
	return true;
}

static void on_used(struct bh_guest *guest)
{
	struct bh_layout_client *client = bh_container_of(guest, struct bh_layout_client, guest);

	if (bh_layout_clients_use(client)) {
		client->clients->changed(client->clients);
	}
}

static void on_gone(struct bh_guest *guest)
{
	struct bh_layout_client *client = bh_container_of(guest, struct bh_layout_client, guest);
	struct bh_layout_clients *clients = client->clients;

	bh_layout_clients_remove(client);
	clients->changed(clients);
}

struct bh_layout_client *bh_layout_clients_set(struct bh_layout_clients *clients,
                                               struct bh_request *request, int cols, int rows,
                                               bool is_observer)
{
	struct bh_connection *connection = bh_request_connection(request);
	struct bh_layout_client *client = bh_layout_clients_find(clients, connection);

	if (client == NULL) {
		client = bh_xmalloc(sizeof *client);
		client->clients = clients;
		client->connection = connection;
		client->number = clients->next_number++;
		client->guest.used = on_used;
		client->guest.gone = on_gone;
		bh_list_append(&clients->all, &client->link);
		bh_rpc_add_guest(request, &client->guest);
	}
	client->cols = cols;
	client->rows = rows;
	client->is_observer = is_observer;
	(void)bh_layout_clients_use(client); // the caller tells of the change anyway
	return client;
}

bool bh_layout_clients_area(const struct bh_layout_clients *clients, int *cols_out, int *rows_out)
{
	const struct bh_layout_client *latest = clients_latest(clients);

	if (clients->policy == BH_SIZE_FIXED) {
		*cols_out = clients->fixed_cols;
		*rows_out = clients->fixed_rows;
		return true;
	}
	if (latest == NULL) {
		return false;
	}
	*cols_out = latest->cols;
	*rows_out = latest->rows;
	if (clients->policy == BH_SIZE_LATEST) {
		return true;
	}
	bh_list_for (at, next, &clients->all) {
		const struct bh_layout_client *client = client_of(at);

		if (!client->is_observer) {
			*cols_out = client->cols < *cols_out ? client->cols : *cols_out;
			*rows_out = client->rows < *rows_out ? client->rows : *rows_out;
		}
	}
	return true;
}

cJSON *bh_layout_clients_view(const struct bh_layout_clients *clients)
{
	const struct bh_layout_client *latest = clients_latest(clients);
	cJSON *views = cJSON_CreateArray();

	bh_list_for (at, next, &clients->all) {
		const struct bh_layout_client *client = client_of(at);
		cJSON *view = cJSON_CreateObject();

		cJSON_AddNumberToObject(view, "client", client->number);
		cJSON_AddNumberToObject(view, "cols", client->cols);
		cJSON_AddNumberToObject(view, "rows", client->rows);
		cJSON_AddBoolToObject(view, "observe", client->is_observer);
		cJSON_AddBoolToObject(view, "is_latest", client == latest);
		cJSON_AddItemToArray(views, view);
	}
	return views;
}

cJSON *bh_layout_clients_policy_view(const struct bh_layout_clients *clients)
{
	cJSON *view = cJSON_CreateObject();

	cJSON_AddStringToObject(view, "policy", policy_words[clients->policy]);
	if (clients->policy == BH_SIZE_FIXED) {
		cJSON_AddNumberToObject(view, "cols", clients->fixed_cols);
		cJSON_AddNumberToObject(view, "rows", clients->fixed_rows);
	}
	return view;
}

bool bh_size_policy_parse(const char *word, enum bh_size_policy *policy_out)
{
	for (int i = 0; i < BH_SIZE_POLICY_COUNT; i++) {
		if (strcmp(policy_words[i], word) == 0) {
			*policy_out = (enum bh_size_policy)i;
			return true;
		}
	}
	return false;
}
