/** @file
 * The UIs of a session and how their sizes make the one area that all of them show.
 */
#ifndef BH_SERVER_LAYOUT_CLIENTS_H
#define BH_SERVER_LAYOUT_CLIENTS_H

#include "src/base/list.h"
#include "src/server/rpc_server.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

struct bh_connection;

/** Whose size holds. */
enum bh_size_policy {
	/** That of the client that was used last. */
	BH_SIZE_LATEST,
	/** The smallest of all, both ways. */
	BH_SIZE_SMALLEST,
	/** One that a person gave. */
	BH_SIZE_FIXED,
};

/** Number of policies. */
#define BH_SIZE_POLICY_COUNT 3

/** A UI. Read only outside of layout_clients.c. */
struct bh_layout_client {
	/** Among all clients; who was used last is the last one. */
	struct bh_list link;
	/** On the connection. */
	struct bh_guest guest;
	/** Where it belongs. */
	struct bh_layout_clients *clients;
	/** The connection. */
	struct bh_connection *connection;
	/** Its number, never used again. */
	int number;
	/** What it has room for. */
	int cols, rows;
	/** It only looks: its size does not count. */
	bool is_observer;
};

/** All of them. Zero-initialise, then bh_layout_clients_init(). */
struct bh_layout_clients {
	/** The clients (`link`). */
	struct bh_list all;
	/** The number of the next one. */
	int next_number;
	/** Whose size holds. */
	enum bh_size_policy policy;
	/** Of BH_SIZE_FIXED. */
	int fixed_cols, fixed_rows;
	/** Who is told when the area may be another, or another client is in use. */
	void (*changed)(struct bh_layout_clients *clients);
};

/** No clients, latest. */
void bh_layout_clients_init(struct bh_layout_clients *clients,
                            void (*changed)(struct bh_layout_clients *clients));

/** Take all clients off their connections. */
void bh_layout_clients_clear(struct bh_layout_clients *clients);

/** The connection of @request is a UI, or has another size. Nobody is told. */
struct bh_layout_client *bh_layout_clients_set(struct bh_layout_clients *clients,
                                               struct bh_request *request, int cols, int rows,
                                               bool is_observer);

/** The client of a connection, or NULL. */
struct bh_layout_client *bh_layout_clients_find(const struct bh_layout_clients *clients,
                                                const struct bh_connection *connection);

/** The client is used: it is the latest. True: it was not before. Observers never are. */
bool bh_layout_clients_use(struct bh_layout_client *client);

/** It is no UI any more. Nobody is told. */
void bh_layout_clients_remove(struct bh_layout_client *client);

/** The area that the policy makes. False and untouched: no client counts. */
bool bh_layout_clients_area(const struct bh_layout_clients *clients, int *cols_out, int *rows_out);

/** `clients` of a layout object. */
cJSON *bh_layout_clients_view(const struct bh_layout_clients *clients);

/** `policy` of a layout object. */
cJSON *bh_layout_clients_policy_view(const struct bh_layout_clients *clients);

/** The policy of a word; false when there is none. */
bool bh_size_policy_parse(const char *word, enum bh_size_policy *policy_out);

#endif
