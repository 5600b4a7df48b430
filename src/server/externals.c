#include "src/server/externals.h"

#include "src/agent/profile.h"
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/deliver.h"
#include "src/server/keepsake.h"
#include "src/server/retire.h"
#include "src/server/server.h"
#include "term/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#define FILE_NAME "externals.json"
#define WHAT "registrations of programs"
// Most that are remembered after their end.
#define ENDED_MAX 64
#define TOKEN_BYTES 16
// Where the kernel cannot tell of the end of a process it is looked for so often (ms).
#define LOOK_MS 5000

struct bh_externals {
	struct bh_server *server;
	// All (struct bh_external.link), live and ended, the latest registration last.
	struct bh_list all;
	// Runs while one is live.
	uv_timer_t lease;
	// What delivery looks at: nothing.
	struct bh_screen *blank;
	bool is_closing;
};

// Watches a process by its descriptor. Ends by itself once it is closed.
struct bh_external_watch {
	uv_poll_t poll;
	int fd;
	struct bh_externals *externals;
	// NULL: nobody is interested any more.
	struct bh_external *external;
};

// A registration that is under way.
struct registering {
	struct bh_externals *externals;
	// Not in the table until it is bound; NULL: one that is live gets one more name.
	struct bh_external *external;
	// It was remembered, and is again if it fails.
	bool is_returning;
	struct bh_uuid id;
	int64_t lease_ms;
	bh_externals_done *done;
	void *user;
};

static struct bh_external *external_at(struct bh_list *link)
{
	return bh_container_of(link, struct bh_external, link);
}

// ---- finding ----

static struct bh_external *externals_find(const struct bh_externals *externals,
                                          const struct bh_uuid *id)
{
	bh_list_for (at, next, &externals->all) {
		if (bh_uuid_is_equal(&external_at(at)->id, id)) {
			return external_at(at);
		}
	}
	return NULL;
}

const struct bh_external *bh_externals_get(const struct bh_externals *externals,
                                           const struct bh_uuid *id)
{
	const struct bh_external *external = externals_find(externals, id);

	return external != NULL && external->is_live ? external : NULL;
}

bool bh_externals_knows(const struct bh_externals *externals, const struct bh_uuid *id)
{
	return externals_find(externals, id) != NULL;
}

const struct bh_external *bh_externals_of_name(const struct bh_externals *externals,
                                               const char *name)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(externals->server->store, name);
	struct bh_uuid id;

	if (mailbox == NULL || !bh_uuid_parse(mailbox->terminal, &id)) {
		return NULL;
	}
	return bh_externals_get(externals, &id);
}

static bool is_process(const struct bh_external *external, pid_t pid, uint64_t start)
{
	return pid > 0 && external->anchor.pid == pid && external->anchor.start == start;
}

// Takes the same time wherever they differ.
static bool has_token(const struct bh_external *external, const char *token)
{
	unsigned difference = 0;

	if (strlen(token) != BH_TOKEN_SIZE - 1) {
		return false;
	}
	for (size_t i = 0; i < BH_TOKEN_SIZE - 1; i++) {
		difference |= (unsigned char)external->token[i] ^ (unsigned char)token[i];
	}
	return difference == 0;
}

static void external_renew(const struct bh_externals *externals, struct bh_external *external)
{
	external->until_ms = bh_server_now_ms(externals->server) + (uint64_t)external->lease_ms;
}

const struct bh_external *bh_externals_of_process(struct bh_externals *externals, pid_t pid,
                                                  uint64_t start)
{
	bh_list_for (at, next, &externals->all) {
		struct bh_external *external = external_at(at);

		if (external->is_live && is_process(external, pid, start)) {
			external_renew(externals, external);
			return external;
		}
	}
	return NULL;
}

const struct bh_external *bh_externals_of_token(struct bh_externals *externals, const char *token)
{
	bh_list_for (at, next, &externals->all) {
		struct bh_external *external = external_at(at);

		if (external->is_live && has_token(external, token)) {
			external_renew(externals, external);
			return external;
		}
	}
	return NULL;
}

bool bh_externals_has_token(const struct bh_externals *externals, const char *token)
{
	bh_list_for (at, next, &externals->all) {
		if (token != NULL && has_token(external_at(at), token)) {
			return true;
		}
	}
	return false;
}

const struct bh_external *bh_externals_next(const struct bh_externals *externals,
                                            const struct bh_external *previous)
{
	bool is_behind = previous == NULL;

	bh_list_for (at, next, &externals->all) {
		if (is_behind && external_at(at)->is_live) {
			return external_at(at);
		}
		is_behind = is_behind || external_at(at) == previous;
	}
	return NULL;
}

bool bh_externals_view(const struct bh_externals *externals, const struct bh_uuid *id,
                       struct bh_deliver_view *view_out)
{
	const struct bh_external *external = bh_externals_get(externals, id);
	const struct bh_terminal_record *record =
		external != NULL ? bh_store_terminal(externals->server->store, external->id_text)
				 : NULL;
	const struct bh_mailbox *name = NULL;

	if (record == NULL) {
		return false;
	}
	// Nothing is typed to the generic profile, so all that is about a screen has no say.
	*view_out = (struct bh_deliver_view){
		.verdict = {.state = BH_STATE_UNKNOWN,
	                    .since_ms = bh_server_now_ms(externals->server)},
		.screen = externals->blank,
		.profile = bh_profiles_find(externals->server->profiles, "generic"),
		.mode = bh_terminal_record_mode(record),
	};
	while (view_out->name_count < BH_DELIVER_NAMES_MAX &&
	       (name = bh_store_next_name(record, name)) != NULL) {
		view_out->names[view_out->name_count++] = name->name;
	}
	return true;
}

// ---- what the next server gets ----

static cJSON *external_json(const struct bh_external *external)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "id", external->id_text);
	cJSON_AddStringToObject(json, "line", external->line);
	cJSON_AddStringToObject(json, "token", external->token);
	cJSON_AddNumberToObject(json, "pid", external->anchor.pid);
	cJSON_AddNumberToObject(json, "start", (double)external->anchor.start);
	cJSON_AddNumberToObject(json, "lease_ms", (double)external->lease_ms);
	cJSON_AddBoolToObject(json, "live", external->is_live);
	return json;
}

static void externals_save(const struct bh_externals *externals)
{
	cJSON *all = cJSON_CreateArray();

	bh_list_for (at, next, &externals->all) {
		cJSON_AddItemToArray(all, external_json(external_at(at)));
	}
	bh_keepsake_save(externals->server, FILE_NAME, WHAT, all);
}

// NULL when it is not what we write.
static struct bh_external *external_read(const cJSON *json)
{
	struct bh_external *external = bh_xcalloc(1, sizeof *external);
	const char *id = NULL;
	const char *line = NULL;
	const char *token = NULL;
	int64_t pid = 0;
	int64_t start = 0;
	bool is_good = bh_json_get_str(json, "id", BH_UUID_TEXT - 1, &id, NULL) == 0 &&
	               bh_uuid_parse(id, &external->id) &&
	               bh_json_get_str(json, "line", BH_UUID_TEXT - 1, &line, NULL) == 0 &&
	               bh_json_get_str(json, "token", BH_TOKEN_SIZE - 1, &token, NULL) == 0 &&
	               strlen(token) == BH_TOKEN_SIZE - 1 &&
	               bh_json_get_int(json, "pid", 0, INT32_MAX, &pid, NULL) == 0 &&
	               bh_json_get_int(json, "start", 0, (int64_t)1 << 53, &start, NULL) == 0 &&
	               bh_json_get_int(json, "lease_ms", BH_EXTERNALS_LEASE_MIN_MS,
	                               BH_EXTERNALS_LEASE_MAX_MS, &external->lease_ms, NULL) == 0 &&
	               bh_json_get_bool(json, "live", &external->is_live, NULL) == 0;

	if (!is_good) {
		free(external);
		return NULL;
	}
	(void)bh_uuid_format(&external->id, external->id_text);
	(void)snprintf(external->line, sizeof external->line, "%s", line);    // fits
	(void)snprintf(external->token, sizeof external->token, "%s", token); // fits
	external->anchor = (struct bh_caller_anchor){.pid = (pid_t)pid, .start = (uint64_t)start};
	return external;
}

// ---- the end of one ----

static void on_watch_closed(uv_handle_t *handle)
{
	struct bh_external_watch *watch =
		bh_container_of((uv_poll_t *)handle, struct bh_external_watch, poll);

	(void)close(watch->fd); // nothing was written
	free(watch);
}

static void external_unwatch(struct bh_external *external)
{
	if (external->watch != NULL) {
		external->watch->external = NULL;
		uv_close((uv_handle_t *)&external->watch->poll, on_watch_closed);
		external->watch = NULL;
	}
}

// Too many are remembered: the oldest that has ended goes.
static void externals_trim(struct bh_externals *externals)
{
	struct bh_external *oldest = NULL;
	size_t count = 0;

	bh_list_for (at, next, &externals->all) {
		if (!external_at(at)->is_live) {
			oldest = oldest == NULL ? external_at(at) : oldest;
			count++;
		}
	}
	if (count > ENDED_MAX) {
		bh_list_remove(&oldest->link);
		free(oldest);
	}
}

static void external_end(struct bh_externals *externals, struct bh_external *external,
                         const char *why)
{
	struct bh_server *server = externals->server;
	const struct bh_terminal_record *record =
		bh_store_terminal(server->store, external->id_text);

	bh_log(BH_LOG_INFO, "externals", record != NULL ? record->identity : "",
	       "registration %s ended: %s", external->id_text, why);
	external->is_live = false;
	external_unwatch(external);
	bh_deliver_exited(server->deliver, &external->id);
	bh_retire_terminal(server, external->id_text, -1, false);
	externals_save(externals);
}

void bh_externals_end(struct bh_externals *externals, const struct bh_external *external,
                      const char *why)
{
	struct bh_external *ours = externals_find(externals, &external->id);

	if (ours != NULL) {
		external_end(externals, ours, why);
	}
}

// ---- what ends one by itself ----

static void on_process_ended(uv_poll_t *poll, int status, int events)
{
	struct bh_external_watch *watch = bh_container_of(poll, struct bh_external_watch, poll);

	(void)status;
	(void)events;
	if (watch->external != NULL) {
		external_end(watch->externals, watch->external, "its process has ended");
	}
}

// Be told when the process ends, where the kernel can.
static void external_watch(struct bh_externals *externals, struct bh_external *external)
{
	struct bh_external_watch *watch;
	int fd = external->anchor.pid != 0 ? pidfd_open(external->anchor.pid, 0) : -1;

	if (fd < 0) {
		return;
	}
	watch = bh_xmalloc(sizeof *watch);
	watch->fd = fd;
	watch->externals = externals;
	watch->external = external;
	if (uv_poll_init(&externals->server->loop, &watch->poll, fd) != 0) {
		(void)close(fd); // nothing was written
		free(watch);
		return;
	}
	(void)uv_poll_start(&watch->poll, UV_READABLE,
	                    on_process_ended); // fails only while closing
	external->watch = watch;
}

static void lease_schedule(struct bh_externals *externals);

static bool process_lives(const struct bh_external *external)
{
	return bh_caller_is_alive(&(struct bh_caller){.pid = external->anchor.pid,
	                                              .pid_start = external->anchor.start});
}

// Whether its end must be looked for.
static bool is_unwatched(const struct bh_external *external)
{
	return external->is_live && external->watch == NULL && external->anchor.pid != 0;
}

// The first that is over, if any: ending one may change the table.
static struct bh_external *externals_find_over(const struct bh_externals *externals)
{
	const struct bh_server *server = externals->server;

	bh_list_for (at, next, &externals->all) {
		struct bh_external *external = external_at(at);

		if (is_unwatched(external) && !process_lives(external)) {
			return external;
		}
		if (!external->is_live || external->until_ms > bh_server_now_ms(server)) {
			continue;
		}
		if (!bh_deliver_is_reading(server->deliver, &external->id)) {
			return external;
		}
		external_renew(externals, external);
	}
	return NULL;
}

static void on_lease(uv_timer_t *timer)
{
	struct bh_externals *externals = bh_container_of(timer, struct bh_externals, lease);
	struct bh_external *over;

	while ((over = externals_find_over(externals)) != NULL) {
		external_end(externals, over,
		             process_lives(over) ? "its lease ran out" : "its process has ended");
	}
	lease_schedule(externals);
}

// Calls only put the time off, so a timer that runs is never too late.
static void lease_schedule(struct bh_externals *externals)
{
	uint64_t now_ms = bh_server_now_ms(externals->server);
	uint64_t first_ms = 0;

	bh_list_for (at, next, &externals->all) {
		const struct bh_external *external = external_at(at);
		uint64_t due_ms = external->until_ms;

		if (is_unwatched(external) && due_ms > now_ms + LOOK_MS) {
			due_ms = now_ms + LOOK_MS;
		}
		if (external->is_live && (first_ms == 0 || due_ms < first_ms)) {
			first_ms = due_ms;
		}
	}
	if (first_ms == 0 || externals->is_closing) {
		(void)uv_timer_stop(&externals->lease); // never fails
	} else {
		(void)uv_timer_start(&externals->lease, on_lease,
		                     first_ms > now_ms ? first_ms - now_ms : 0,
		                     0); // fails only while closing
	}
}

// ---- registering ----

static void external_begin(struct bh_externals *externals, struct bh_external *external)
{
	external->is_live = true;
	external_renew(externals, external);
	external_watch(externals, external);
	lease_schedule(externals);
	bh_deliver_bound(externals->server->deliver, &external->id);
}

static void registering_fail(struct registering *registering, const struct bh_err *err)
{
	if (registering->is_returning) {
		bh_list_append(&registering->externals->all, &registering->external->link);
	} else {
		free(registering->external);
	}
	registering->done(registering->user, NULL, err);
	free(registering);
}

static void on_bound(void *user, const struct bh_answer *answer)
{
	struct registering *registering = user;
	struct bh_externals *externals = registering->externals;
	struct bh_external *external = registering->external;
	struct bh_err err = answer->err;

	if (err.code == 0 && externals->is_closing) {
		(void)bh_err_set(&err, BH_EBUSY, "the server is being restarted; try again");
	}
	if (err.code != 0) {
		registering_fail(registering, &err);
		return;
	}
	bh_list_append(&externals->all, &external->link);
	external_begin(externals, external);
	externals_trim(externals);
	externals_save(externals);
	bh_log(BH_LOG_INFO, "externals", answer->name, "registered as %s, lease %lld s, process %d",
	       external->id_text, (long long)(external->lease_ms / 1000),
	       (int)external->anchor.pid);
	registering->done(registering->user, external, NULL);
	free(registering);
}

static void on_announced(void *user, const struct bh_answer *answer)
{
	struct registering *registering = user;
	struct bh_externals *externals = registering->externals;
	struct bh_external *external = externals_find(externals, &registering->id);
	struct bh_err err = answer->err;

	if (err.code == 0 && (external == NULL || !external->is_live || externals->is_closing)) {
		(void)bh_err_set(&err, BH_EBUSY, "the registration has just ended; try again");
	}
	if (external != NULL && err.code == 0) {
		external->lease_ms = registering->lease_ms;
		external_renew(externals, external);
		lease_schedule(externals);
		externals_save(externals);
		bh_deliver_bound(externals->server->deliver, &external->id);
	}
	registering->done(registering->user, err.code == 0 ? external : NULL, &err);
	free(registering);
}

// What is remembered of the program, taken off the table; NULL: nothing.
static struct bh_external *externals_recall(const struct bh_externals *externals,
                                            const struct bh_externals_wish *wish)
{
	bh_list_for (at, next, &externals->all) {
		struct bh_external *external = external_at(at);

		if (!external->is_live &&
		    ((wish->token != NULL && has_token(external, wish->token)) ||
		     is_process(external, wish->anchor.pid, wish->anchor.start))) {
			bh_list_remove(&external->link);
			return external;
		}
	}
	return NULL;
}

static struct bh_external *external_new(void)
{
	struct bh_external *external = bh_xcalloc(1, sizeof *external);
	uint8_t bytes[TOKEN_BYTES];

	bh_list_init(&external->link);
	bh_uuid_random(bytes, sizeof bytes);
	for (size_t i = 0; i < TOKEN_BYTES; i++) {
		(void)snprintf(external->token + 2 * i, 3, "%02x", bytes[i]); // always fits
	}
	return external;
}

static int registering_bind(struct registering *registering, const struct bh_externals_wish *wish,
                            struct bh_err *err)
{
	struct bh_external *external = registering->external;
	struct bh_terminal_record record = {
		.status = BH_TERMINAL_LIVE,
		.exit_status = -1,
		.profile = bh_xstrdup("generic"),
	};

	external->id = bh_uuid_new();
	(void)bh_uuid_format(&external->id, external->id_text);
	if (!registering->is_returning) {
		(void)memcpy(external->line, external->id_text, sizeof external->line);
	}
	external->anchor = wish->anchor;
	external->lease_ms = wish->lease_ms;
	(void)memcpy(record.uuid, external->id_text, sizeof record.uuid);
	(void)memcpy(record.line, external->line, sizeof record.line);
	(void)snprintf(record.identity, sizeof record.identity, "%s", wish->name); // checked
	int code = bh_store_bind(
		registering->externals->server->store,
		&(struct bh_bind){.record = &record, .by_operator = wish->by_operator}, on_bound,
		registering, err);

	free(record.profile);
	return code;
}

static int registering_announce(struct registering *registering, const struct bh_external *external,
                                const struct bh_externals_wish *wish, struct bh_err *err)
{
	registering->id = external->id;
	registering->lease_ms = wish->lease_ms;
	return bh_store_announce(registering->externals->server->store,
	                         &(struct bh_announce){.terminal = external->id_text,
	                                               .name = wish->name,
	                                               .by_operator = wish->by_operator},
	                         on_announced, registering, err);
}

static size_t externals_count(const struct bh_externals *externals)
{
	size_t count = 0;

	bh_list_for (at, next, &externals->all) {
		count += external_at(at)->is_live ? 1 : 0;
	}
	return count;
}

int bh_externals_register(struct bh_externals *externals, const struct bh_externals_wish *wish,
                          bh_externals_done *done, void *user, struct bh_err *err)
{
	const struct bh_external *current = bh_externals_get(externals, &wish->current);
	struct registering *registering;
	int code = bh_identity_check(wish->name, err);

	if (code == 0 && current == NULL && externals_count(externals) >= BH_EXTERNALS_MAX) {
		code = bh_err_set(err, BH_ELIMIT, "at most %d programs may be registered",
		                  BH_EXTERNALS_MAX);
	}
	if (code != 0) {
		return code;
	}
	registering = bh_xmalloc(sizeof *registering);
	*registering = (struct registering){.externals = externals, .done = done, .user = user};
	if (current != NULL) {
		code = registering_announce(registering, current, wish, err);
	} else {
		registering->external = externals_recall(externals, wish);
		registering->is_returning = registering->external != NULL;
		if (registering->external == NULL) {
			registering->external = external_new();
		}
		code = registering_bind(registering, wish, err);
	}
	if (code != 0) {
		if (registering->is_returning) {
			bh_list_append(&externals->all, &registering->external->link);
		} else {
			free(registering->external);
		}
		free(registering);
	}
	return code;
}

// ---- life ----

struct bh_externals *bh_externals_new(struct bh_server *server)
{
	struct bh_externals *externals = bh_xcalloc(1, sizeof *externals);
	cJSON *all = bh_keepsake_load(server, FILE_NAME);
	const cJSON *json = NULL;

	externals->server = server;
	bh_list_init(&externals->all);
	externals->blank = bh_screen_new(
		&(struct bh_screen_settings){.cols = 80, .rows = 24, .has_no_history = true});
	(void)uv_timer_init(&server->loop, &externals->lease); // never fails
	cJSON_ArrayForEach(json, all)
	{
		struct bh_external *external = external_read(json);

		if (external != NULL) {
			bh_list_append(&externals->all, &external->link);
		}
	}
	cJSON_Delete(all);
	return externals;
}

void bh_externals_settle(struct bh_externals *externals)
{
	const struct bh_store *store = externals->server->store;

	bh_list_for (at, next, &externals->all) {
		struct bh_external *external = external_at(at);

		if (!external->is_live) {
			continue;
		}
		if (bh_store_terminal(store, external->id_text) == NULL) {
			external->is_live = false; // the store was replaced
		} else if (!process_lives(external)) {
			external_end(externals, external, "its process has ended");
		} else {
			external_begin(externals, external);
		}
	}
}

void bh_externals_close(struct bh_externals *externals)
{
	if (externals->is_closing) {
		return;
	}
	externals->is_closing = true;
	bh_list_for (at, next, &externals->all) {
		external_unwatch(external_at(at));
	}
	uv_close((uv_handle_t *)&externals->lease, NULL);
}

void bh_externals_free(struct bh_externals *externals)
{
	if (externals == NULL) {
		return;
	}
	bh_list_for (at, next, &externals->all) {
		bh_list_remove(at);
		free(external_at(at));
	}
	bh_screen_free(externals->blank);
	free(externals);
}
