/** @file
 * The listening socket, its connections, and how a line becomes a request. What methods need is in
 * rpc.h; this is for the parts that bring requests in (main, spool) and for streams.
 */
#ifndef BH_SERVER_RPC_SERVER_H
#define BH_SERVER_RPC_SERVER_H

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/list.h"
#include "src/server/rpc.h"

#include <stddef.h>
#include <uv.h>

struct bh_rpc;
struct bh_stream;

/** Most clients at once; when one more comes, one of those who have most gives way (crowd.h). */
#define BH_RPC_CONNECTIONS_MAX 1024
/** Most unanswered requests of one connection. */
#define BH_RPC_REQUESTS_MAX 64

/** What a listening socket needs; all borrowed until bh_rpc_close(). */
struct bh_rpc_settings {
	/** The context for the methods. */
	struct bh_server *server;
	/** The table (bh_methods; a test has its own). */
	const struct bh_method *methods;
	/** For bh_callers_identify(). */
	const struct bh_callers_world *world;
	/** The loop. */
	uv_loop_t *loop;
	/** Path of the socket. One that is there is replaced: the keeper's lock says that no other
	 * server of the session lives. */
	const char *path;
	/** The socket and maybe its folder were removed: make the folders again. 0, or a negative
	 * code. NULL: nothing is to be made. */
	int (*lost)(struct bh_server *server, struct bh_err *err);
	/** Most clients at once; 0: BH_RPC_CONNECTIONS_MAX. */
	size_t connections_max;
};

/** Listen. 0, or -errno of the socket. */
int bh_rpc_start(const struct bh_rpc_settings *settings, struct bh_rpc **rpc_out,
                 struct bh_err *err);

/** Close the socket and all connections, once what was sent has been read. Asynchronous; memory is
 * freed by the loop. Requests that are still open may be answered afterwards. */
void bh_rpc_close(struct bh_rpc *rpc);

/** Number of connections that are open now. For tests, which must know when one has come. */
size_t bh_rpc_connections(const struct bh_rpc *rpc);

/**
 * Do one request that did not come by a connection (spool).
 *
 * @line
 *         The JSON text, borrowed for the call.
 * @waited_ms
 *         How long an earlier server has let it wait (bh_request_wait()).
 * @answer
 *         Called once, within the call or later from the loop, with the answer as JSON text; empty:
 *         the request is left to the next server (bh_request_leave()).
 * @terminal
 *         The caller must be in this terminal.
 */
void bh_rpc_spooled(struct bh_rpc *rpc, struct bh_span line, const struct bh_uuid *terminal,
                    int64_t waited_ms, void (*answer)(struct bh_span text, void *user), void *user);

/** The place for a stream on the connection of a request (streams.c fills and empties it): @index is
 * 0 to BH_RPC_STREAMS_MAX - 1; NULL when out of range or through the spool. The stream number on
 * the wire is @index + 1. Good as long as the connection. */
struct bh_stream **bh_rpc_stream_slot(struct bh_request *request, size_t index);
/** Most streams of one connection. */
#define BH_RPC_STREAMS_MAX 64

/** What another part keeps for a connection; embed it. Any function may be NULL. */
struct bh_guest {
	/** On the connection; bh_list_remove() takes it off. */
	struct bh_list link;
	/** The connection's backlog has been read after it was high. */
	void (*drained)(struct bh_guest *guest);
	/** A person pressed keys in one of its streams. */
	void (*used)(struct bh_guest *guest);
	/** The connection is gone, and the guest is off it already. */
	void (*gone)(struct bh_guest *guest);
};

/** Put a guest on the connection of a request, which must be there (not gone, not the spool). */
void bh_rpc_add_guest(struct bh_request *request, struct bh_guest *guest);

/** The first guest on the connection of a request that has this @gone; NULL: none, or no connection. */
struct bh_guest *bh_rpc_find_guest(struct bh_request *request,
                                   void (*gone)(struct bh_guest *guest));

#endif
