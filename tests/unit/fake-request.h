/** @file
 * Made-up requests for the tests of methods about mail, on a made-up world (deliver-world.h): the
 * functions of src/server/rpc.h that methods call are defined here instead of being linked.
 */
#ifndef BH_TESTS_FAKE_REQUEST_H
#define BH_TESTS_FAKE_REQUEST_H

#include "src/server/rpc.h"
#include "src/server/server.h"
#include "tests/unit/deliver-world.h"

/** A request and its answer. */
struct bh_request {
	struct bh_server *server;
	struct bh_caller caller;
	cJSON *params;
	cJSON *result;
	char word[40];
	char message[300];
	cJSON *data;
	unsigned answers;
	void (*gone)(void *user);
	void *gone_user;
};

/** The connection that all requests come by. */
struct fake_connection {
	struct bh_list guests;
	/** It has ended. */
	bool is_gone;
};

/** Of all requests; with a list of guests. */
struct fake_connection *fake_connection(void);

/** End it, with its guests, and begin it again. */
void fake_connection_end(void);

/** The server that all requests have; store and deliver are those of the world. */
struct bh_server *fake_server(void);

/** The one terminal that it knows once it has a table: its pid counts. */
struct bh_terminal *known_terminal(void);

/** Who calls, besides the agents of the world. */
enum who {
	OPERATOR = -1,
	UNVERIFIED = -2,
	EXTERNAL = -3
};

/** Make a request of @who (an agent's index, or one of enum who) and call @method. */
void call_from(struct world *world, struct bh_request *request, int who, pid_t pid,
               void (*method)(struct bh_request *), const char *params);

/** The same from a process of no matter which number. */
void call(struct world *world, struct bh_request *request, int who,
          void (*method)(struct bh_request *), const char *params);

/** Free what a call left. */
void request_clear(struct bh_request *request);

/** The call must be refused with @word. */
void refused(struct world *world, int who, void (*method)(struct bh_request *), const char *params,
             const char *word);

/** A member of an object; it must be there. */
const cJSON *member(const cJSON *json, const char *key);

/** A member must read so as JSON. */
void member_is(const cJSON *json, const char *key, const char *expected);

/** The call must succeed; @checks are pairs of member and its JSON, ended by NULL. */
void answered(struct world *world, int who, void (*method)(struct bh_request *), const char *params,
              const char *const *checks);
#define ANSWERED(world, who, method, params, ...) \
	answered(world, who, method, params, (const char *const[]){__VA_ARGS__, NULL})

#endif
