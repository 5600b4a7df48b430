/** @file
 * Profiles: what bellhop knows about one kind of agent program, as data. Built-in profiles are
 * compiled in from `profiles/NAME.json`; a file of the same name in the user's profile folder
 * replaces one, other names add to them. doc/HACKING.md describes the keys.
 *
 * Everything borrowed from a profile is good as long as its set lives. A set is never changed.
 */
#ifndef BH_AGENT_PROFILE_H
#define BH_AGENT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_err;

/** One kind of agent program. */
struct bh_profile;

/** All profiles in force: the built-in ones and the user's. */
struct bh_profiles;

/** Called for each user profile that cannot be used; the built-in one stays in force. */
typedef void bh_profiles_report(const struct bh_err *err, void *user);

/**
 * Read all profiles.
 *
 * @folder
 *         The folder with the user's `NAME.json` files, or NULL. A missing folder is no error.
 * @report
 *         Called within this call, once for each bad file, with "FILE:LINE: KEY: what is wrong".
 *         NULL: bad files are left out silently.
 * @return
 *         The set, never NULL. The caller frees it with bh_profiles_free().
 */
struct bh_profiles *bh_profiles_load(const char *folder, bh_profiles_report *report, void *user);

/** Free a set and all its profiles. NULL is allowed. */
void bh_profiles_free(struct bh_profiles *set);

/** The profile of that name, or NULL. */
const struct bh_profile *bh_profiles_find(const struct bh_profiles *set, const char *name);

/**
 * The profile for a command line. Looks through launchers (`env A=B node …/claude`).
 *
 * @argv
 *         The command and its arguments, NULL-terminated.
 * @return
 *         Never NULL: "generic", which is never typed into, when nothing matches.
 */
const struct bh_profile *bh_profiles_match(const struct bh_profiles *set, const char *const *argv);

/** Fill @err: there is no profile @name, and which there are. Gives BH_EINVALID. */
int bh_profiles_fail_unknown(const struct bh_profiles *set, const char *name, struct bh_err *err);

/** Number of profiles in the set. */
size_t bh_profiles_count(const struct bh_profiles *set);

/** Profile @index (0 to count - 1), sorted by name. */
const struct bh_profile *bh_profiles_at(const struct bh_profiles *set, size_t index);

/** Whether one of the profiles takes the variable @name from the environment of every child. */
bool bh_profiles_scrub(const struct bh_profiles *set, const char *name);

/** Its name: "claude", "codex", "demo", "generic" … */
const char *bh_profile_name(const struct bh_profile *profile);

/** The names of programs that it is for, NULL-terminated; none of "generic". Borrowed. */
const char *const *bh_profile_programs(const struct bh_profile *profile);

/** How text is typed into a program of this kind. */
struct bh_typing_rules {
	/** False: never typed into, whatever its screen shows. All else is then 0 or NULL. */
	bool is_allowed;
	/** Output must have been quiet so long after the echo before the lone CR (ms). */
	uint32_t settle_ms;
	/** No echo of our text after so long: no CR, see clear_keys (ms). */
	uint32_t echo_limit_ms;
	/** No proof so long after the CR: uncertain (ms). */
	uint32_t proof_limit_ms;
	/** People's keys that were held wait until the program has taken our CR, at most so long (ms): it
	 * does not tell keys apart that come in one breath. 0: they follow at once. */
	uint32_t release_ms;
	/** Bytes that empty a composer which holds nothing but our text; NULL: none is known. */
	const char *clear_keys;
	/** A last word that begins with one of these opens a list that would take the Enter; a blank
	 * behind it closes the list and is not submitted. NULL: none does. */
	const char *list_marks;
	/** Largest text typed at once (bytes); longer mail is noticed. */
	size_t text_bytes_max;
	/** Most lines typed at once. */
	size_t text_lines_max;
};

/** The typing rules of a profile. Borrowed. */
const struct bh_typing_rules *bh_profile_typing(const struct bh_profile *profile);

/** Whether programs of this kind count the columns of grapheme clusters without asking for it (mode
 * 2027), so that their screens must do it from the start. */
bool bh_profile_counts_clusters(const struct bh_profile *profile);

/** Whether programs of this kind share one daemon, so that a token proves no terminal. */
bool bh_profile_has_shared_daemon(const struct bh_profile *profile);

/** Whether programs of this kind are started with hooks of ours, so that each turn tells of itself. */
bool bh_profile_has_hooks(const struct bh_profile *profile);

/** Whether programs of this kind can be started again as the session that they were. */
bool bh_profile_can_resume(const struct bh_profile *profile);

/** What the notice tells it to do: "Run: bellhop inbox" or "Use the read_inbox tool.". */
const char *bh_profile_notice_advice(const struct bh_profile *profile);

/**
 * Whether a process name (comm, or the base name of an argument of its command line) belongs to
 * this kind of program. For the gate "the foreground group is the profile's program".
 */
bool bh_profile_knows_process(const struct bh_profile *profile, const char *process_name);

#endif
