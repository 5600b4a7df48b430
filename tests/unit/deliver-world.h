/** @file
 * A made-up world for the tests of delivery: real store, real decisions and typist, but terminals
 * with a made-up agent in them. The functions of src/agent and term/ that delivery calls are
 * defined here instead of being linked: the test says what screen, judge and records would.
 */
#ifndef BH_TESTS_DELIVER_WORLD_H
#define BH_TESTS_DELIVER_WORLD_H

#include "src/agent/profile.h"
#include "src/agent/proof.h"
#include "src/mail/store.h"
#include "src/server/deliver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define WORLD_TERMINALS 4

/** Invariant 12: most ticks while the made-up clock stands still. What happens then happens in a few, and what asks
 * for more goes round in a circle, at 100 % of a processor where the clock is a real one. */
#define WORLD_TICKS_MAX 20

/** How the made-up agent misbehaves. */
enum quirk {
	QUIRK_NONE = 0,
	/** Pasted text does not show up. */
	QUIRK_NO_ECHO = 1 << 0,
	/** A paste opens a dialog. */
	QUIRK_DIALOG_ON_PASTE = 1 << 1,
	/** The CR is swallowed; the text stays. */
	QUIRK_CR_SWALLOWED = 1 << 2,
	/** The CR makes the text vanish without a turn. */
	QUIRK_CR_EATS_TEXT = 1 << 3,
	/** The turn starts, but no record tells of it. */
	QUIRK_NO_RECORD = 1 << 4,
	/** The agent queues what is sent to it. */
	QUIRK_QUEUES = 1 << 5,
	/** The terminal takes no byte. */
	QUIRK_WRITE_FAILS = 1 << 6,
	/** A turn begins by itself as soon as keys are held. */
	QUIRK_BUSY_ON_HOLD = 1 << 7,
	/** Output that is not read yet when the write is due: a dialog. */
	QUIRK_UNREAD_DIALOG = 1 << 10,
	/** There is always more output. */
	QUIRK_NEVER_RESTS = 1 << 11,
	/** Output waits that the server does not get to read. */
	QUIRK_NEVER_READ = 1 << 12,
	/** The agent is stopped: what is written waits until agent_continue(). */
	QUIRK_STOPPED = 1 << 8,
};

/** A terminal and the agent in it. */
struct agent {
	struct world *world;
	struct bh_uuid id;
	char text[BH_UUID_TEXT];
	bool is_alive;
	struct bh_verdict verdict;
	enum bh_mode mode;
	bool can_type;
	bool has_paste_mode;
	int rows;
	/** What its profile says; is_allowed follows can_type. */
	struct bh_typing_rules typing;
	/** How much of the time its state was unknown. */
	unsigned unknown_percent;
	/** What those see who look at the terminal, as it was told last. */
	char note[64];
	unsigned quirks;
	/** What stands in its composer. */
	char *composer;
	/** What is sought as a proof, and what the records say. */
	char *sought;
	enum bh_proof_found found;
	/** What its session's record held before it began (NULL: nothing), how often it was asked. */
	const char *record;
	unsigned looks_back;
	/** Its session's transcript is not on the screen yet. */
	bool is_undrawn;
	/** It was started to go on with a session that is known. */
	const char *session_record;
	/** Turns that were submitted, one text each. */
	char *turns[64];
	size_t turn_count;
	unsigned pastes;
	unsigned paste_ends;
	unsigned crs;
	unsigned clears;
	bool is_held;
	uint64_t held_since_ms;
	bool was_sifted;
	uint64_t output_ms;
	uint64_t disturbed_ms;
	/** What it has not read. */
	char *unread;
	/** Keys of a person that are held back. */
	char *held_keys;
	char name[BH_IDENTITY_SIZE];
};

/** The world. */
struct world {
	uv_loop_t loop;
	char folder[64];
	struct bh_store *store;
	struct bh_deliver *deliver;
	uint64_t now_ms;
	uint64_t wake_at_ms;
	bool is_closed;
	/** Most pages of the database: a full disk. 0: no limit. Counts from the next world_crash(). */
	unsigned max_pages;
	/** The server is dead: it sees and does nothing, only its last commits count. */
	bool is_dead;
	/** Called by world_crash() before the next server opens the store; may be NULL. */
	void (*at_restart)(struct world *world);
	/** Called when a typing comes to a point; may be NULL. */
	void (*at_point)(struct world *world, struct agent *agent, enum bh_deliver_point point);
	/** For at_point. */
	void *plan;
	bool has_ui;
	struct agent agents[WORLD_TERMINALS];
	unsigned next_message;
	unsigned ticks;
	/** Called at each paste of mail, before it arrives, with its text; NULL: nobody. */
	void (*watch)(void *user, struct agent *agent, const char *text);
	/** Called before a test fails because delivery goes round in a circle; may be NULL. */
	void (*at_circle)(void *user);
	/** Argument of both. */
	void *watcher;
	/** Steps of a receipt may have the same date: no time need pass for them. */
	bool has_no_dates;
	/** How long the machine was suspended. */
	uint64_t slept_ms;
	/** How often delivery found that it was. */
	unsigned resumes;
	/** What people were told: how often, and the last. */
	unsigned told;
	char told_text[300];
};

/** An answer to a send, copied. */
struct sent {
	unsigned count;
	int code;
	bool is_seen;
	/** The time to wait for that was over before. */
	bool is_timed_out;
	enum bh_path path;
	enum bh_fate fate;
	enum bh_reason reason;
	enum bh_prospect prospect;
	uint64_t seq;
	bool is_replay;
	uint64_t at_ms;
	char proof[32];
	char nearest[100];
};

/** What a reader got, copied. */
struct got {
	unsigned count;
	size_t messages;
	char first[300];
	uint64_t claim_id;
	uint64_t unread_left;
	bool is_timed_out;
	uint64_t read_notice_id;
};

/** cmocka set-up and tear-down; *state is the struct world. */
int world_setup(void **state);
int world_teardown(void **state);

/** Start terminal @index under @name; its agent is idle. */
struct agent *world_run(struct world *world, int index, const char *name);

/** The agent is in @state now; keeps verdict consistent and tells delivery. */
void agent_be(struct agent *agent, enum bh_state state);

/** It closes a gate by this word of the contract; state as given. */
void agent_block(struct agent *agent, enum bh_state state, const char *reason);

/** Its child ends. */
void agent_exit(struct agent *agent);

/** A stopped agent goes on: it reads what was written. */
void agent_continue(struct agent *agent);

/** Send @body to @to from @from (an agent's name or NULL for the operator). */
void world_send(struct world *world, const char *from, const char *to, const char *body,
                struct sent *sent);

/** The same with all settings. */
void world_send_with(struct world *world, struct bh_deliver_send *what, struct sent *sent);

/** Read the inbox of an agent from inside. */
void agent_read(struct agent *agent, size_t limit, struct got *got);

/** A wait inside its terminal. */
struct bh_waiter *agent_wait(struct agent *agent, uint64_t timeout_ms, struct got *got);

/** Let the loop and the clock run for @ms of made-up time. */
void world_pass(struct world *world, uint64_t ms);

/** Let the loop run, without the clock, until the store has nothing to do. */
void world_settle(struct world *world);

/** A person presses keys: they go into the composer, or wait until they are released. */
void agent_keys(struct agent *agent, const char *keys);

/** The server dies and is started again: all in memory is lost, the agents live on. */
void world_crash(struct world *world);

/** The words of the receipt of a message, "stored queued(working) …". The caller frees. */
char *world_receipt(struct world *world, uint64_t seq);

/** Callbacks that fill the copies. */
void on_sent(void *user, const struct bh_err *err, const struct bh_outcome *outcome);
void on_got(void *user, const struct bh_reading *reading);

#endif
