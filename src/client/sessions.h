/** @file
 * The sessions of this user: those whose folders stand beside each other.
 */
#ifndef BH_CLIENT_SESSIONS_H
#define BH_CLIENT_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>

/** Longest name of a session, its NUL included. */
#define BH_SESSIONS_NAME 65

/** One of them. */
struct bh_sessions_item {
	char name[BH_SESSIONS_NAME];
	/** A server listens. Without one it is a session that was left behind, or is just coming back. */
	bool is_running;
};

/** All of them, by name. Zero-initialise; end with bh_sessions_clear(). */
struct bh_sessions {
	struct bh_sessions_item *items;
	size_t count;
};

/** Look which there are that have a socket in @runtime_root (struct bh_paths), in place of those that
 * are in it. A folder that cannot be read has none. */
void bh_sessions_find(struct bh_sessions *sessions, const char *runtime_root);

/** Where a session of that name stands, or NULL. */
const struct bh_sessions_item *bh_sessions_named(const struct bh_sessions *sessions,
                                                 const char *name);

/** The next running session after (@step 1) or before (-1) @name, the other end at the ends; NULL: there
 * is no other. */
const struct bh_sessions_item *bh_sessions_step(const struct bh_sessions *sessions,
                                                const char *name, int step);

/** Free; empty again. */
void bh_sessions_clear(struct bh_sessions *sessions);

#endif
