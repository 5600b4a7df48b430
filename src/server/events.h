/** @file
 * Clients that want to be told what happens in the session, as notifications (doc/PROTOCOL.md section
 * 11). One that does not read is not told more, and gets the whole state once it reads again.
 */
#ifndef BH_SERVER_EVENTS_H
#define BH_SERVER_EVENTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

struct bh_events;
struct bh_mailbox;
struct bh_request;
struct bh_server;
struct bh_terminal;

/** Nobody listens yet. */
struct bh_events *bh_events_new(struct bh_server *server);

/** Free it; every connection must be gone. NULL is allowed. */
void bh_events_free(struct bh_events *events);

/** The connection of @request listens from now on. Twice is fine. */
void bh_events_subscribe(struct bh_events *events, struct bh_request *request);

/** It listens no more. False: it did not. */
bool bh_events_unsubscribe(struct bh_events *events, const struct bh_request *request);

/** Whether anybody listens: else there is no need to put an event together. */
bool bh_events_is_heard(const struct bh_events *events);

/** The state that a listener begins with: `layout`, `terminals`, `mail`. */
cJSON *bh_events_state(struct bh_server *server);

/** Tell everybody. @params (an object) is taken. NULL @events: the server has no more listeners. */
void bh_events_tell(struct bh_events *events, const char *event, cJSON *params);

/** It runs. */
void bh_events_started(struct bh_terminal *terminal);

/** It was judged: told if anything that listeners see is different from what they were told. */
void bh_events_evaluated(struct bh_terminal *terminal);

/** It put something out: title, bell, notifications. */
void bh_events_output(struct bh_terminal *terminal);

/** Its note is another. */
void bh_events_noted(struct bh_terminal *terminal);

/** It ended. */
void bh_events_exited(struct bh_terminal *terminal);

/** It leaves the list. */
void bh_events_closed(struct bh_terminal *terminal);

/** There is other mail in a mailbox. */
void bh_events_mail(struct bh_server *server, const struct bh_mailbox *mailbox);

/** A sentence for the status line of every UI. */
void bh_events_notice(struct bh_server *server, const char *text);

#endif
