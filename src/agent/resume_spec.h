/** @file
 * The part of a profile that says how its program goes on with a session. Internal to this room, as
 * profile_data.h.
 */
#ifndef BH_AGENT_RESUME_SPEC_H
#define BH_AGENT_RESUME_SPEC_H

#include <stdbool.h>

/** How the program is started again as the session that it was. Lists end with NULL. */
struct bh_resume_spec {
	/** Put behind the program, with "{session}" or "{record}" in them. NULL: it cannot be. */
	char **words;
	/** Options without a value. */
	char **flags;
	/** Options with any number of values. All that are in no list have one. */
	char **lists;
	/** Options that say which session: left out, with their values. */
	char **instead;
	/** Commands and options with which it has no session to go on with. */
	char **refuse;
	/** What is neither command nor option is no prompt, but where it works: it stays. Options that are
	 * left out then take one value with them, or, if they are flags, none. */
	bool has_arguments;
};

#endif
