/** @file
 * A task as the store's answers tell it: something that one asks of another, with a state. It is
 * opened by the first message that names its id; what is `completed`, `failed` or `canceled` stays so.
 */
#ifndef BH_MAIL_TASK_H
#define BH_MAIL_TASK_H

#include "src/mail/message.h"

#include <stdint.h>

/** Longest title, in characters. */
#define BH_TASK_TITLE_MAX 100

/** A task. */
struct bh_task {
	/** Its id, made by who opened it. */
	char task_id[BH_MESSAGE_ID_SIZE];
	/** Who opened it. */
	char creator[BH_IDENTITY_SIZE];
	/** Whom it was sent to (an identity or a room). */
	char assignee[BH_IDENTITY_SIZE];
	/** Its state: never NONE nor UPDATE. */
	enum bh_task_status state;
	/** The first line of the message that opened it, cut. */
	char title[BH_TASK_TITLE_MAX * 4 + 1];
	/** When it was opened and when the last message about it came (wall clock, ms). */
	int64_t created_ms;
	/** See created_ms. */
	int64_t updated_ms;
	/** The last message about it. */
	uint64_t last_seq;
};

#endif
