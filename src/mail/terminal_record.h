/** @file
 * What is kept on disk about a terminal, so that bindings, policies and lineage survive the server.
 */
#ifndef BH_MAIL_TERMINAL_RECORD_H
#define BH_MAIL_TERMINAL_RECORD_H

#include "src/base/list.h"
#include "src/mail/claim.h"
#include "src/mail/identity.h"
#include "src/mail/notice.h"

#include <stdbool.h>
#include <stdint.h>

/** Where a terminal stands. Values are on disk: append only. */
enum bh_terminal_status {
	/** Its child runs, as far as we know. */
	BH_TERMINAL_LIVE = 0,
	/** Gone, and its line waits for a respawn: its names are kept for it. */
	BH_TERMINAL_WAITS_RESPAWN = 1,
	/** Gone. */
	BH_TERMINAL_GONE = 2,
};

/** When a terminal is started again. Values are on disk: append only. */
enum bh_respawn {
	BH_RESPAWN_NEVER = 0,
	BH_RESPAWN_ON_FAILURE = 1,
	BH_RESPAWN_ALWAYS = 2,
};

/** "never", "on-failure" or "always". Static. */
const char *bh_respawn_word(enum bh_respawn policy);

/** The policy of a word. @return 0 or BH_EINVALID (@err lists the words). */
int bh_respawn_parse(const char *word, enum bh_respawn *policy_out, struct bh_err *err);

/**
 * One terminal. As an argument the strings are borrowed and NULL means ""; as an answer they are
 * owned by the store and never NULL.
 */
struct bh_terminal_record {
	/** UUID v4 in text form, the key. */
	char uuid[BH_CLAIM_TERMINAL_SIZE];
	/**
	 * Its lineage: the UUID of the first terminal in the chain of respawns; its own when it is the
	 * first ("" as an argument means that).
	 */
	char line[BH_CLAIM_TERMINAL_SIZE];
	/** Terminal whose agent started it; "" when a person did. */
	char launched_by[BH_CLAIM_TERMINAL_SIZE];
	/** Its first name. */
	char identity[BH_IDENTITY_SIZE];
	/** The mode that somebody chose; BH_MODE_DEFAULT for none. */
	enum bh_mode mode;
	/** Whether it has started an agent (makes the default mode `notice`, for its life). */
	bool has_started_agent;
	/** Where it stands. */
	enum bh_terminal_status status;
	/** Exit status as of waitpid(); -1 while it is not known. */
	int exit_status;
	/** Size when it was started, or last recorded. */
	int cols;
	/** Rows of that size. */
	int rows;
	/** When it is started again. */
	enum bh_respawn respawn;
	/** Number of respawns in its line so far. */
	unsigned respawn_count;
	/** Whether it was started without a client in mind. */
	bool is_headless;
	/** Times on the wall clock, ms: start, and exit (0 while live). */
	int64_t started_ms;
	int64_t exited_ms;
	/** Arguments, environment changes and whatever else the server keeps: JSON, opaque here. */
	char *argv;
	char *env;
	char *extra;
	/** Working directory. */
	char *cwd;
	/** Name of its profile. */
	char *profile;
	/** Hash of its secret token, as text; the token itself is never stored. */
	char *token_hash;

	/** As an answer: largest hops of the mail that its turn took (struct bh_message), and whether
	 * that turn has ended; -1: none since a person acted. */
	int turn_hops;
	bool is_turn_over;
	/** As an answer: typed mail was taken by a turn that still runs. */
	bool has_turn_mail;
	/** As an answer: its newest notice (id 0: it never had one). */
	struct bh_notice notice;
	/** As an answer: mailboxes bound to it (struct bh_mailbox.bound_link), newest name last. */
	struct bh_list names;
	/** Store's own: place in the list of all terminals. */
	struct bh_list link;
};

/** The mode in force: the chosen one, else notice for one that started an agent, else message. */
enum bh_mode bh_terminal_record_mode(const struct bh_terminal_record *record);

/** Copy @from with strings of its own (never NULL). Lists and links of the copy are empty. */
void bh_terminal_record_copy(struct bh_terminal_record *to, const struct bh_terminal_record *from);

/** Free the strings. */
void bh_terminal_record_clear(struct bh_terminal_record *record);

#endif
