/** @file
 * Requests to the store about rooms and tasks. What store.h says of requests holds for these, too.
 */
#ifndef BH_MAIL_STORE_ROOM_H
#define BH_MAIL_STORE_ROOM_H

#include "src/mail/room.h"
#include "src/mail/store.h"
#include "src/mail/task.h"

/**
 * Make a name a member of a room, which is made if there is none: mail to the room goes to it from
 * now on. answer->name is the room as its first member spelled it, is_replay: one of the names was
 * a member before. BH_ENOTFOUND: nobody ever used the name. BH_ELIMIT: the room is full.
 */
int bh_store_join(struct bh_store *store, const struct bh_membership *membership,
                  bh_store_done *done, void *user, struct bh_err *err);

/** End a membership; mail that is in the mailbox stays there. is_replay: there was none. */
int bh_store_leave(struct bh_store *store, const struct bh_membership *membership,
                   bh_store_done *done, void *user, struct bh_err *err);

/** Rooms that somebody ever joined, by name; or the members of one. BH_ENOTFOUND: no such room. */
int bh_store_rooms(struct bh_store *store, const struct bh_room_query *query, bh_store_done *done,
                   void *user, struct bh_err *err);

/**
 * Tasks, the ones that changed last first. Of a single one the answer has its messages too (with
 * bodies, the newest that fit). BH_ENOTFOUND: no such task, or the names take no part in it.
 */
int bh_store_tasks(struct bh_store *store, const struct bh_task_query *query, bh_store_done *done,
                   void *user, struct bh_err *err);

#endif
