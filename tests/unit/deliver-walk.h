/** @file
 * A walk at random through delivery: what it knows, its steps, and what is checked when something is
 * typed, answered or handed over. The number behind a check is that of the invariant in section 11 of
 * doc/CONTRACT.md.
 */
#ifndef BH_TESTS_DELIVER_WALK_H
#define BH_TESTS_DELIVER_WALK_H

#include "tests/unit/deliver-world.h"

struct walk;

enum {
	MESSAGES = 4000,
	CALLS = 12000,
	CLAIMS = 16,
	/** Keys are held at most this long (ms): the profile's limit, and two commits of a slow disk. */
	HELD_MS = 5000 + 2 * 1000 + 100,
	/** A send is answered within this time (ms). */
	ANSWER_MS = 8000,
	/** Most ticks in some time: so many, and one each so often (ms), for all terminals together. */
	TICKS_MAX = 200,
	TICK_MS = 20,
};

/** A name that never has a terminal, and the room of all. */
#define WALK_ROBOT "robot"
#define WALK_ROOM "#dev"

/** What the walk knows of a message without asking the store. */
struct letter {
	char to[16];
	/** Pastes that held its text, in each terminal. */
	unsigned pastes[WORLD_TERMINALS];
};

/** A send, a read, a wait or a steer that was begun. */
struct call {
	struct walk *walk;
	/** Whose mailbox it is about; -1: of none that has a terminal. */
	int agent;
	char to[16];
	uint64_t begun_ms;
	uint64_t limit_ms;
	bool is_answered;
	/** The program that waits is gone, which nobody has told. */
	bool is_dead;
	struct bh_waiter *waiter;
	/** Of a ring: what was on the account of the notice before. */
	unsigned pastes, crashes;
};

/** A channel that is open in an agent's terminal, or for a name. */
struct plug {
	struct walk *walk;
	struct bh_channel *channel;
	uint64_t holds_seq;
	char steer[16];
	bool is_dead;
};

struct walk {
	struct world *world;
	unsigned seed;
	unsigned random;
	/** How likely what is: each walk has its own mood. */
	unsigned quirky, chatty, crashy;
	struct letter letters[MESSAGES];
	uint64_t last_seq;
	struct call calls[CALLS];
	size_t call_count;
	/** Claims of readers that were not confirmed yet. */
	uint64_t claims[CLAIMS];
	size_t claim_count;
	/** The last is that of WALK_ROBOT. */
	struct plug plugs[WORLD_TERMINALS + 1];
	/** Of the notice that was typed last into each terminal: its number, its pastes since a person
	 * asked for a ring, and how often the server was killed meanwhile. */
	struct {
		uint64_t id;
		unsigned pastes;
		unsigned crashes;
		/** One was on its way when a person asked: it was paid before. */
		unsigned before;
		/** Nothing was typed since a person asked. */
		bool is_asked;
	} notices[WORLD_TERMINALS];
	unsigned step;
	unsigned typed, rung, read, pushed, steered, crashes, full;
};

/** Names of the terminals. */
extern const char *const walk_names[WORLD_TERMINALS];

/** A number below @count. */
unsigned walk_pick(struct walk *walk, unsigned count);

/** True so many times of a hundred. */
bool walk_chance(struct walk *walk, unsigned percent);

/** Wall clock (ms). */
int64_t walk_wall_ms(const struct walk *walk);

/** The number of an agent. */
int walk_index(const struct agent *agent);

/** One that is alive, or NULL. */
struct agent *walk_pick_alive(struct walk *walk);

/** A call that begins; @agent as in struct call. */
struct call *walk_call(struct walk *walk, int agent);

/** Steps of the rarer kinds (deliver-walk-ways.c): a channel of an agent or of a name, a steer, who is in
 * the room, wishes of people (do not disturb, block, throw away), a disk that is full, a suspend. */
void walk_channel(struct walk *walk);
void walk_robot(struct walk *walk);
void walk_steer(struct walk *walk);
void walk_room(struct walk *walk);
void walk_wish(struct walk *walk);
void walk_disk(struct walk *walk);
void walk_sleep(struct walk *walk);

/** Let walk_disk() have a disk to fill. Before any world is set up. */
bool walk_install_disk(void);

/** One step, of any kind. */
void walk_step(struct walk *walk);

/** The agent of a terminal reads its inbox; @limit as of bh_deliver_reader. */
void walk_read(struct walk *walk, struct agent *agent, size_t limit);

/** A person rings for a terminal. */
void walk_ring(struct walk *walk, unsigned n);

/** struct world.watch: our first byte goes into a terminal now. */
void walk_on_paste(void *user, struct agent *agent, const char *text);

/** struct world.at_circle: print what stands where, and the seed. */
void walk_on_circle(void *user);

/** Print what stands where, for whoever has to find out. */
void walk_tell(struct walk *walk);

#endif
