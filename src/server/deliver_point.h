/** @file
 * The moments between two steps of a typing, by name. A host for tests is told of each one
 * (struct bh_deliver_host.point) and does there what an unlucky moment would: the agent dies, a
 * dialog opens, a person presses a key, the server is killed. The program's own host has none.
 *
 * No point lies between a look at the terminal and the write that the look allows: there nothing
 * can come in between but what no program can see.
 */
#ifndef BH_SERVER_DELIVER_POINT_H
#define BH_SERVER_DELIVER_POINT_H

/** X(NAME, word, what has been done and what follows). */
#define BH_DELIVER_POINTS(X) \
	X(CLAIM_DUE, "claim_due", "it is to be typed; the claim is not asked for yet") \
	X(CLAIMED, "claimed", "the claim is on disk; the gate is looked at next") \
	X(HELD, "held", "people's keys are held; the phase `writing` is to be committed") \
	X(PASTE_DUE, "paste_due", \
	  "`writing` is on disk; the gate is looked at, then comes the paste") \
	X(PASTED, "pasted", "the paste is in the write queue") \
	X(ECHOED, "echoed", "the composer shows our text; `echoed` is to be committed") \
	X(SETTLED, "settled", "the output rests; `cr_sent` is to be committed") \
	X(CR_DUE, "cr_due", "`cr_sent` is on disk; the composer is looked at, then comes the CR") \
	X(SENT, "sent", "the CR is in the write queue, people's keys are behind it") \
	X(PROVED, "proved", "a proof was seen; `proved` is to be committed") \
	X(STORED, "stored", "`proved` is on disk") \
	X(DOUBTED, "doubted", "`uncertain` is on disk") \
	X(CLEARED, "cleared", "the clear keys are in the write queue") \
	X(WITHDRAWN, "withdrawn", "the mail is unread again, on disk")

#define BH_DELIVER_POINT_ENUM(name, ...) BH_POINT_##name,

/** See BH_DELIVER_POINTS. */
enum bh_deliver_point {
	BH_DELIVER_POINTS(BH_DELIVER_POINT_ENUM) BH_POINT_COUNT
};

#endif
