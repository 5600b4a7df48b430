/** @file
 * Who speaks: finds out which terminal, if any, the process at the other end of a connection
 * belongs to. doc/CONTRACT.md section 9 is the rule; this is its only implementation.
 *
 * The kernel's word comes first: from the peer's pid up its parents to a process that the keeper
 * spawned (pid *and* start time), or to the keeper itself, which adopts daemonised descendants; such
 * an orphan is named by its session, whose number is the pid of a child of ours. The chain is read
 * twice and must agree. The token (the secret of a terminal, from the environment) may agree with
 * the kernel's word or stand alone, never contradict it. A process below the keeper that left its
 * terminal's parents and session is named by a token only if it was born with it.
 *
 * Outside, a person is who has no agent above: neither the variables of one, nor its program, nor the
 * keeper of another session, in any process up to the top. An emptied environment hides nothing. A
 * registered program (externals.h) is known by its process or by its token.
 *
 * All this keeps programs apart that do not set out to deceive: whoever runs as the same user may
 * always stop, trace or replace what runs beside it.
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
	/** A program that we did not start: an agent, or one that has registered; `terminal_id` is that
	 * of its registration, zero without one. */
	BH_CALLER_EXTERNAL = 1 << 2,
	/** Below the keeper or in a foreign pid namespace, but no terminal can be named. */
	BH_CALLER_UNVERIFIED = 1 << 3,
};

/** Whose word names the terminal of an inside caller, or the registration of an external one. */
enum bh_caller_proof {
	/** Nobody's: it is neither inside nor registered. */
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
	/** The terminal of an inside caller, the registration of an external one, else zero. */
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
 * process tree; those from is_agent() to registration_of_token() may be NULL: never.
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
	/** Whether @pid runs an agent's program, or is the keeper of another session. */
	bool (*is_agent)(void *user, pid_t pid);
	/** Whether @pid was born in this terminal: the environment it began with says so. */
	bool (*is_born_in)(void *user, pid_t pid, const struct bh_uuid *terminal);
	/** The registration of the process @pid, with this start time. */
	bool (*registration_of)(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out);
	/** The registration whose secret is @token; with a zero id: one that has ended. */
	bool (*registration_of_token)(void *user, const char *token, struct bh_uuid *id_out);
	/** The keeper's pid. */
	pid_t keeper_pid;
	/** What is above this process is not looked at; 0: everything up to the first process. For tests
	 * that themselves run below an agent. */
	pid_t top_pid;
	/** Handed to every function. */
	void *user;
};

/** The functions above that read the kernel (`/proc`); `user` is ignored by them. */
bool bh_callers_read_process(void *user, pid_t pid, struct bh_caller_process *out);
/** See bh_callers_read_process(). */
bool bh_callers_read_agent_env(void *user, pid_t pid);
/** See bh_callers_read_process(). */
bool bh_callers_read_namespace(void *user, pid_t pid);
/** See bh_callers_read_process(). */
bool bh_callers_read_birth(void *user, pid_t pid, const struct bh_uuid *terminal);

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

/** A process and its start time, which together are never used again before the next boot. */
struct bh_caller_anchor {
	/** The process. */
	pid_t pid;
	/** Its start time. */
	uint64_t start;
};

/**
 * The agent that an external caller belongs to: the nearest process above (or itself) that runs an
 * agent's program; else the parent of the topmost one that has an agent's variables.
 *
 * @by_program
 *         Only the former: variables prove nothing here.
 * @return
 *         false when there is none, or the chain cannot be read.
 */
bool bh_callers_find_agent(const struct bh_callers_world *world, pid_t pid, bool by_program,
                           struct bh_caller_anchor *agent_out);

/** The process @ancestor if it is @pid or above it, below the top; false when it is not. */
bool bh_callers_find_ancestor(const struct bh_callers_world *world, pid_t pid, pid_t ancestor,
                              struct bh_caller_anchor *anchor_out);

/** Whether the process that made the call still lives (same pid and start time); pid 0: true. */
bool bh_caller_is_alive(const struct bh_caller *caller);

/** The word for the protocol: "operator", "inside", "external", "unverified". */
const char *bh_caller_kind_word(enum bh_caller_kind kind);

/** Why a caller of this kind may not call a method: an error word, with a sentence. Both static. */
const char *bh_caller_refusal(enum bh_caller_kind kind, const char **sentence_out);

/** The word for the protocol: "kernel", "token", "both", "none". */
const char *bh_caller_proof_word(enum bh_caller_proof proof);

#endif
