/** @file
 * A room, or one of its members, as the store's answers tell it. A room is an address, `#name`,
 * with members; mail to it goes to each of them. It comes to be with its first member and stays.
 */
#ifndef BH_MAIL_ROOM_H
#define BH_MAIL_ROOM_H

#include "src/mail/identity.h"

#include <stdbool.h>
#include <stdint.h>

/** Most members of a room: a message to it is written once for each. */
#define BH_ROOM_MEMBERS_MAX 256

/** A room; in a list of members: one member of it. */
struct bh_room {
	/** Its name with `#`, as who made it spelled it. */
	char name[BH_IDENTITY_SIZE];
	/** How many members it has. */
	unsigned members;
	/** Number of the newest message to it; 0 for none. */
	uint64_t last_seq;
	/** Whether one of the names that asked is in it. */
	bool is_member;
	/** Of a list of members: its name, and when it came (wall clock, ms). */
	char member[BH_IDENTITY_SIZE];
	/** See member. */
	int64_t joined_ms;
};

#endif
