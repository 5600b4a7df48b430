/** @file
 * What keeper and server say to each other, over an AF_UNIX SOCK_SEQPACKET socket pair that the
 * server inherits.
 *
 * One packet is one message of fixed size: a struct bh_wire_head, then the fields of its type.
 * The format only grows: new fields at the end of a message, new types at the end of the list, so an
 * old keeper serves a new server and the other way round. A reader takes the part of a longer message
 * that it knows, and reads missing fields of a shorter one as zero. Numbers are in the machine's
 * order.
 *
 * The server begins with HELLO and the keeper answers with its own version; both then use the
 * smaller one. The keeper answers every request that can fail with the `seq` of the request.
 *
 * The keeper's command line (made by whoever starts it, see bh_paths for the paths):
 *
 *     bellhop-keeper --lock PATH --log PATH --state PATH -- SERVER ARGUMENT...
 *
 * It takes the lock, or ends at once with status 0 when another keeper has it (which then tries
 * again to start a server that it had given up on); then it runs SERVER ARGUMENT... --keeper-fd N.
 * It detaches itself from terminal and session. The file --state exists only while the server
 * cannot be kept running and says why, in one line of text for people.
 */
#ifndef BH_KEEPER_WIRE_H
#define BH_KEEPER_WIRE_H

#include <stddef.h>
#include <stdint.h>

/** The version spoken by this source. */
#define BH_WIRE_VERSION 1
/** Entries of the keeper's table: most terminals, exited and not yet forgotten ones included. */
#define BH_WIRE_ENTRIES 512
/** Most strings in an argument list or environment. */
#define BH_WIRE_STRINGS 4096
/** Most bytes of argument list, environment and folder together, each NUL counted. */
#define BH_WIRE_STRINGS_BYTES (2 * 1024 * 1024)
/** Size of the server's own data in an entry (bytes). */
#define BH_WIRE_DATA 64
/** Size of a text in a message, its NUL included (bytes). */
#define BH_WIRE_TEXT 192
/** Largest tape (bytes). */
#define BH_WIRE_TAPE_MAX (64 * 1024 * 1024)
/** Room for any message of this version (bytes). */
#define BH_WIRE_MAX 512

/** Exit status by which the server asks to be started anew at once (an upgrade): EX_TEMPFAIL. */
#define BH_WIRE_EXIT_RESTART 75
/** Exit status by which the server says that starting it again will not help: EX_CONFIG. */
#define BH_WIRE_EXIT_HOPELESS 78

/**
 * The message types: X(NAME, number, struct). The smallest sizes are
 * those of version 1 and stay.
 */
#define BH_WIRE_LIST(X) \
	X(HELLO, 1, bh_wire_hello) \
	X(SPAWN, 2, bh_wire_spawn) \
	X(SPAWNED, 3, bh_wire_spawned) \
	X(LIST, 4, bh_wire_plain) \
	X(ENTRY, 5, bh_wire_entry) \
	X(LISTED, 6, bh_wire_listed) \
	X(EXITED, 7, bh_wire_exited) \
	X(FORGET, 8, bh_wire_forget) \
	X(SIGNAL, 9, bh_wire_signal) \
	X(SHUTDOWN, 10, bh_wire_plain) \
	X(DONE, 11, bh_wire_plain) \
	X(UPGRADE, 12, bh_wire_plain) \
	X(REFUSED, 13, bh_wire_refused) \
	X(COMPLAIN, 14, bh_wire_complain)

/** Message types. */
enum bh_wire_type {
#define BH_WIRE_ENUM(name, number, type) BH_WIRE_##name = number,
	BH_WIRE_LIST(BH_WIRE_ENUM)
#undef BH_WIRE_ENUM
};

/**
 * The steps of a spawn, in order: X(NAME, number, words). A failure names the step; the words
 * continue "cannot start COMMAND: ".
 */
#define BH_WIRE_STAGE_LIST(X) \
	X(NONE, 0, "started") \
	X(TABLE, 1, "the keeper's table of terminals is full") \
	X(REQUEST, 2, "the keeper did not understand the request") \
	X(TAPE, 3, "create the tape") \
	X(PTY, 4, "create a pseudo terminal") \
	X(FORK, 5, "create a process") \
	X(SESSION, 6, "start a session") \
	X(TTY, 7, "open the terminal in the child") \
	X(STRINGS, 8, "read the arguments") \
	X(LIMITS, 9, "restore the limits") \
	X(CHDIR, 10, "enter the working folder") \
	X(EXEC, 11, "run the program") \
	X(LEAVING, 12, "the session is shutting down")

/** Where a spawn failed. */
enum bh_wire_stage {
#define BH_WIRE_STAGE_ENUM(name, number, words) BH_WIRE_STAGE_##name = number,
	BH_WIRE_STAGE_LIST(BH_WIRE_STAGE_ENUM)
#undef BH_WIRE_STAGE_ENUM
};

/** Whom a SIGNAL goes to. */
enum bh_wire_target {
	/** The child alone. */
	BH_WIRE_TARGET_CHILD = 0,
	/** The child's process group. */
	BH_WIRE_TARGET_GROUP = 1,
	/** Every process of the child's session. */
	BH_WIRE_TARGET_SESSION = 2,
};

/** The start of every message. */
struct bh_wire_head {
	/** One of enum bh_wire_type. */
	uint16_t type;
	/** Bytes of the whole message; more than this version knows is fine. */
	uint16_t size;
	/** The request this belongs to: chosen by the asker, repeated in the answer. */
	uint32_t seq;
};

/** LIST (ask for every entry), SHUTDOWN (end everything), UPGRADE (the keeper runs its program file
 * anew, same pid; answered by HELLO or REFUSED), DONE (keeper: all children are gone, end now). */
struct bh_wire_plain {
	struct bh_wire_head head;
};

/** HELLO, both ways. */
struct bh_wire_hello {
	struct bh_wire_head head;
	/** The newest version the sender speaks. */
	uint32_t version;
	/** The sender's pid. */
	int32_t pid;
	/** Keeper: entries in use. */
	uint32_t used;
	/** Keeper: entries in all. */
	uint32_t entries;
	/** Keeper: how often the server was started, this time included. */
	uint32_t starts;
	/** Keeper: how often of these it had crashed before. */
	uint32_t crashes;
};

/**
 * SPAWN, with one descriptor: a memfd that holds, one after the other and each ended by NUL: the
 * arguments, the environment, the working folder. The program is looked up in that environment's
 * PATH. Answered by SPAWNED.
 */
struct bh_wire_spawn {
	struct bh_wire_head head;
	/** Key of the entry. */
	uint8_t id[16];
	/** Number of arguments, at least 1. */
	uint32_t argc;
	/** Number of environment strings. */
	uint32_t envc;
	/** Bytes in the memfd. */
	uint32_t bytes;
	/** Bytes of the tape; 0: none is made. */
	uint32_t tape_size;
	/** Size of the terminal. */
	uint16_t cols, rows;
	/** Kept in the entry for the server. */
	uint8_t data[BH_WIRE_DATA];
};

/** SPAWNED. On success with two descriptors: the master (non-blocking) and the tape. */
struct bh_wire_spawned {
	struct bh_wire_head head;
	/** Key of the entry. */
	uint8_t id[16];
	/** 0, or the errno of the failure: the entry is gone then. */
	int32_t error;
	/** One of enum bh_wire_stage. */
	uint32_t stage;
	/** The child. */
	int32_t pid;
	/** Nothing. */
	uint32_t pad;
	/** The child's start time, field 22 of its stat file (clock ticks since boot). */
	uint64_t pid_start;
};

/** ENTRY, one per terminal after LIST, with its descriptors: master (if still open) and tape. */
struct bh_wire_entry {
	struct bh_wire_head head;
	/** Key of the entry. */
	uint8_t id[16];
	/** The child. */
	int32_t pid;
	/** 1 when it has exited. */
	uint32_t has_exited;
	/** Its wait status then. */
	int32_t status;
	/** Nothing. */
	uint32_t pad;
	/** As in SPAWNED. */
	uint64_t pid_start;
	/** As in SPAWN. */
	uint8_t data[BH_WIRE_DATA];
};

/** LISTED: the end of the answer to LIST. */
struct bh_wire_listed {
	struct bh_wire_head head;
	/** Number of ENTRY messages that went before. */
	uint32_t count;
};

/** EXITED: a child is gone. Its entry stays until FORGET. */
struct bh_wire_exited {
	struct bh_wire_head head;
	/** Key of the entry. */
	uint8_t id[16];
	/** The child. */
	int32_t pid;
	/** Its wait status. */
	int32_t status;
};

/** FORGET: drop the entry of a child that has exited. Not answered, but REFUSED if it lives. */
struct bh_wire_forget {
	struct bh_wire_head head;
	/** Key of the entry. */
	uint8_t id[16];
};

/** SIGNAL: send a signal, without a race against the pid's reuse. REFUSED if it cannot. */
struct bh_wire_signal {
	struct bh_wire_head head;
	/** Key of the entry. */
	uint8_t id[16];
	/** The signal's number. */
	int32_t signal;
	/** One of enum bh_wire_target. */
	uint32_t target;
};

/** REFUSED: the request `seq` was not carried out. */
struct bh_wire_refused {
	struct bh_wire_head head;
	/** Type of the request. */
	uint32_t type;
	/** An errno: ENOSYS (unknown type), EPROTO (malformed), ESRCH, EBUSY or the system's. */
	int32_t error;
};

/** COMPLAIN: the server says why it is about to end in vain; goes to the --state file. */
struct bh_wire_complain {
	struct bh_wire_head head;
	/** A sentence, NUL-terminated. */
	char text[BH_WIRE_TEXT];
};

/** Any message. */
union bh_wire {
	/** The start, valid for all. */
	struct bh_wire_head head;
#define BH_WIRE_MEMBER(name, number, type) struct type as_##name;
	BH_WIRE_LIST(BH_WIRE_MEMBER)
#undef BH_WIRE_MEMBER
};

/**
 * Check a packet and copy the part that this version knows; the rest of @out is zero, texts are
 * NUL-terminated.
 *
 * @return
 *         0, -EPROTO (not a message), or -ENOSYS (a type of a newer version; out->head is valid).
 */
int bh_wire_read(const void *packet, size_t len, union bh_wire *out);

/** Fill the head of @message for @type; gives the size to send. */
size_t bh_wire_prepare(union bh_wire *message, enum bh_wire_type type, uint32_t seq);

/** The words of a stage; "unknown step" for a number of a newer version. Static. */
const char *bh_wire_stage_words(uint32_t stage);

#endif
