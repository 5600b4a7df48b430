/** @file
 * Who gives way when more clients are connected than there is room for.
 *
 * Connections are counted per owner: a terminal, a registered program, an agent that we did not start,
 * else a session of processes (a person's window, a script). Whoever has most gives way, first with what
 * nothing is open on; so none who has few can be kept out, and the person least of all.
 */
#ifndef BH_SERVER_CROWD_H
#define BH_SERVER_CROWD_H

#include "src/base/list.h"
#include "src/server/callers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Whose a connection is. */
struct bh_crowd_owner {
	/** What kind of caller, as the kernel or its token says. */
	enum bh_caller_kind kind;
	/** Its terminal or registration; zero: neither. Owners of one id are one. */
	struct bh_uuid id;
	/** Else its agent, or the first process of its session; 0: a process that nobody can look at.
	 * Owners without an id and of one pid are one. */
	pid_t pid;
};

/** One connection; embed it. */
struct bh_crowd_member {
	/** In the crowd, in the order in which they came. */
	struct bh_list link;
	/** The peer's pid, as the kernel gave it; 0: none. */
	pid_t pid;
	/** Whose it is, once that was looked at. Who learns more takes `has_owner` back. */
	struct bh_crowd_owner owner;
	/** `owner` is known. */
	bool has_owner;
	/** Something was open on it at the last look: a request, a stream, a subscription. */
	bool is_busy;
	/** It said something once. */
	bool has_spoken;
	/** When it last did, else when it came (any clock). */
	uint64_t heard_ms;
};

/** All connections; embed it. */
struct bh_crowd {
	/** The members. */
	struct bh_list members;
};

/** Who gives way. */
struct bh_crowd_choice {
	/** It. */
	struct bh_crowd_member *member;
	/** How many its owner has, itself counted. */
	size_t count;
	/** It is the one that came last. */
	bool is_newcomer;
};

/** Room for the words of bh_crowd_words() (bytes). */
#define BH_CROWD_WORDS 96

/** Begin without members. */
void bh_crowd_init(struct bh_crowd *crowd);

/** A client has come. The member stays the caller's, until bh_crowd_leave(). */
void bh_crowd_join(struct bh_crowd *crowd, struct bh_crowd_member *member, pid_t pid,
                   uint64_t now_ms);

/** It has said something. */
void bh_crowd_heard(struct bh_crowd_member *member, uint64_t now_ms);

/** It counts no more. May be called twice. */
void bh_crowd_leave(struct bh_crowd_member *member);

/**
 * See how it is with a member, before bh_crowd_choose().
 *
 * @is_busy
 *         Something is open on it.
 * @caller
 *         As it was established for a request of it; NULL: for none yet, then the kernel's word counts.
 */
void bh_crowd_look(struct bh_crowd_member *member, const struct bh_callers_world *world,
                   bool is_busy, const struct bh_caller *caller);

/**
 * Choose who gives way. Of the owners who have most: what never spoke, then what is idle, of these
 * what was heard of longest ago; where all is busy the newcomer, if it is one of theirs, else what was
 * heard of last.
 *
 * @max
 *         How many there may be.
 * @return
 *         false when there are no more than that; nobody needs to go.
 */
bool bh_crowd_choose(const struct bh_crowd *crowd, size_t max, struct bh_crowd_choice *choice_out);

/** Name an owner within a sentence, in @words (BH_CROWD_WORDS), which is returned. */
const char *bh_crowd_words(const struct bh_crowd_owner *owner, char *words);

#endif
