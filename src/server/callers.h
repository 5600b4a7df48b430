/** @file
 * Who speaks: finds out which terminal, if any, the process at the other end of a connection
 * belongs to. doc/CONTRACT.md section 9 is the rule; this is its only implementation.
 *
 * The kernel's word comes first: from the peer's pid up its parents to a process that the keeper
 * spawned (pid *and* start time), or to the keeper itself, which adopts daemonised descendants; such
 * an orphan is named by its session, whose number is the pid of a child of ours. The chain is read
 * twice and must agree. The token (the secret of a terminal, from the environment) may agree with
 * the kernel's word or stand alone, never contradict it.
 */
#ifndef BH_SERVER_CALLERS_H
#define BH_SERVER_CALLERS_H

#include "src/base/uuid.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** What kind of caller it is. Values are bits, so that a method can say which it serves. */
enum bh_caller_kind {
	/** A person: outside every terminal and pid namespace of ours. */
	BH_CALLER_OPERATOR = 1 << 0,
	/** A process inside a terminal of ours; `terminal_id` says which. */
	BH_CALLER_INSIDE = 1 << 1,
	/** An agent that we did not start (its environment says so). */
	BH_CALLER_EXTERNAL = 1 << 2,
	/** Below the keeper or in a foreign pid namespace, but no terminal can be named. */
	BH_CALLER_UNVERIFIED = 1 << 3,
};

/** Whose word names the terminal of an inside caller. */
enum bh_caller_proof {
	/** Nobody's: not an inside caller. */
	BH_CALLER_BY_NONE = 0,
	/** The ancestor walk. */
	BH_CALLER_BY_KERNEL,
	/** The token alone: other pid namespace, or the spool. */
	BH_CALLER_BY_TOKEN,
	/** Both, and they agree. */
	BH_CALLER_BY_BOTH,
};

/** A caller, as established for one request. */
struct bh_caller {
	/** One of the bits. */
	enum bh_caller_kind kind;
	/** Whose word it is. */
	enum bh_caller_proof proof;
	/** The terminal of an inside caller; zero for the others. */
	struct bh_uuid terminal_id;
	/** The peer's pid in our namespace; 0 when it has none there, or came through the spool. */
	pid_t pid;
	/** Its start time (clock ticks since boot), so that a reused pid is noticed; 0 with pid 0. */
	uint64_t pid_start;
};

/** What the kernel says about a pid. */
struct bh_caller_process {
	/** Its parent. */
	pid_t ppid;
	/** Its session: the pid of the session's first process. */
	pid_t sid;
	/** Its start time in clock ticks since boot. */
	uint64_t start;
};

/**
 * What callers needs to know about the world; every function gets `user`. The tests give a made-up
 * process tree.
 */
struct bh_callers_world {
	/** Fill @out for @pid; false when there is no such process. */
	bool (*process)(void *user, pid_t pid, struct bh_caller_process *out);
	/** Whether the environment of @pid shows an agent, or a terminal of another session. */
	bool (*has_agent_env)(void *user, pid_t pid);
	/** Whether @pid lives in our own pid namespace. */
	bool (*is_our_namespace)(void *user, pid_t pid);
	/** The terminal whose child has this @pid; @start 0 matches any start time. */
	bool (*terminal_of_child)(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out);
	/** The terminal whose secret is @token. */
	bool (*terminal_of_token)(void *user, const char *token, struct bh_uuid *id_out);
	/** Whether the profile of this terminal runs a shared daemon, so that its token proves nothing. */
	bool (*is_token_refused)(void *user, const struct bh_uuid *id);
	/** The keeper's pid. */
	pid_t keeper_pid;
	/** Handed to every function. */
	void *user;
};

/** The three functions above that read the kernel (`/proc`); `user` is ignored by them. */
bool bh_callers_read_process(void *user, pid_t pid, struct bh_caller_process *out);
/** See bh_callers_read_process(). */
bool bh_callers_read_agent_env(void *user, pid_t pid);
/** See bh_callers_read_process(). */
bool bh_callers_read_namespace(void *user, pid_t pid);

/**
 * Establish who speaks.
 *
 * @pid
 *         The peer's pid from SO_PEERCRED; 0 when the kernel knows none (foreign namespace, spool).
 * @is_spool
 *         Whether the request came through a spool folder: then only a token can name the caller.
 * @token
 *         The token of the request, or NULL.
 * @caller_out
 *         On success the caller.
 * @return
 *         0, or BH_EDENIED when kernel and token name different terminals (`identity_conflict`).
 */
int bh_callers_identify(const struct bh_callers_world *world, pid_t pid, bool is_spool,
                        const char *token, struct bh_caller *caller_out);

/** Whether the process that made the call still lives (same pid and start time); pid 0: true. */
bool bh_caller_is_alive(const struct bh_caller *caller);

/** The word for the protocol: "operator", "inside", "external", "unverified". */
const char *bh_caller_kind_word(enum bh_caller_kind kind);

/** The word for the protocol: "kernel", "token", "both", "none". */
const char *bh_caller_proof_word(enum bh_caller_proof proof);

#endif
