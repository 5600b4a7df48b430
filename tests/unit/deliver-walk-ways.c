// The rarer kinds of steps of a walk: channels, steers, rooms, wishes of people, and a disk that is full.
#include "tests/faults/disk.h"
#include "tests/unit/deliver-walk.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "src/mail/store_guard.h"
#include "src/mail/store_room.h"
#include "src/server/deliver_channel.h"

// The store writes on a thread of its own.
static atomic_bool is_disk_full;

static int disk_judge(enum bh_disk_operation operation)
{
	return operation == BH_DISK_WRITE && is_disk_full ? SQLITE_FULL : 0;
}

bool walk_install_disk(void)
{
	return bh_disk_install(disk_judge);
}

void walk_disk(struct walk *walk)
{
	static const uint64_t times_ms[] = {0, 10, 160, 700, 3100, 12000};
	struct world *world = walk->world;

	walk->full++;
	is_disk_full = true;
	for (unsigned n = 0; n < WORLD_TERMINALS; n++) {
		bh_deliver_look(world->deliver, &world->agents[n].id);
	}
	world_pass(world, times_ms[walk_pick(walk, sizeof(times_ms) / sizeof(times_ms[0]))]);
	is_disk_full = false;
}

void walk_sleep(struct walk *walk)
{
	if (walk_chance(walk, 10)) {
		walk->world->slept_ms += 60000;
	}
}

// ---- channels ----

static void on_message(void *user, const struct bh_message *message)
{
	struct plug *plug = user;
	const struct bh_item *item =
		bh_store_item(plug->walk->world->store, message->mailbox, message->seq);

	assert_non_null(item);
	assert_non_null(item->claim);
	assert_int_equal(item->claim->kind, BH_CLAIM_CHANNEL); // 1
	plug->holds_seq = message->seq;
	plug->walk->pushed++;
}

static void on_steer(void *user, const char *id, const char *from, const char *text)
{
	struct plug *plug = user;

	(void)from;
	(void)text;
	snprintf(plug->steer, sizeof(plug->steer), "%s", id);
}

static void on_closed(void *user, enum bh_channel_end why)
{
	(void)why;
	((struct plug *)user)->channel = NULL;
}

static bool is_alive(void *user)
{
	return !((const struct plug *)user)->is_dead;
}

static void plug_open(struct walk *walk, struct plug *plug, const struct bh_uuid *terminal)
{
	*plug = (struct plug){.walk = walk};
	plug->channel = bh_deliver_channel_open(
		walk->world->deliver,
		&(struct bh_channel_settings){.terminal = terminal,
	                                      .name = terminal == NULL ? WALK_ROBOT : NULL,
	                                      .can_steer = true,
	                                      .is_alive = is_alive,
	                                      .message = on_message,
	                                      .steer = on_steer,
	                                      .closed = on_closed,
	                                      .user = plug},
		NULL);
}

static void plug_ack(struct walk *walk, struct plug *plug)
{
	char ref[24];

	snprintf(ref, sizeof(ref), "m%llu", (unsigned long long)plug->holds_seq);
	plug->holds_seq = 0;
	(void)bh_deliver_channel_ack(walk->world->deliver, plug->channel, ref, NULL, NULL, NULL);
}

static void plug_step(struct walk *walk, struct plug *plug, const struct bh_uuid *terminal)
{
	if (plug->channel == NULL) {
		if (walk_chance(walk, 20)) {
			plug_open(walk, plug, terminal);
		}
	} else if (plug->holds_seq != 0 && walk_chance(walk, 60)) {
		plug_ack(walk, plug);
	} else if (walk_chance(walk, 20)) {
		bh_deliver_channel_close(walk->world->deliver, plug->channel);
		plug->channel = NULL;
	} else if (walk_chance(walk, 10)) {
		plug->is_dead = true; // it is found out when it is looked at
	}
}

void walk_channel(struct walk *walk)
{
	struct agent *agent = walk_pick_alive(walk);

	if (agent != NULL) {
		plug_step(walk, &walk->plugs[walk_index(agent)], &agent->id);
	}
}

void walk_robot(struct walk *walk)
{
	plug_step(walk, &walk->plugs[WORLD_TERMINALS], NULL);
}

static void on_steered(void *user, bool is_acknowledged)
{
	struct call *call = user;

	(void)is_acknowledged;
	assert_false(call->is_answered); // 9
	call->is_answered = true;
	assert_true(call->walk->world->now_ms - call->begun_ms <= call->limit_ms);
}

void walk_steer(struct walk *walk)
{
	unsigned n = walk_pick(walk, WORLD_TERMINALS);
	const struct agent *agent = &walk->world->agents[n];
	struct plug *plug = &walk->plugs[n];
	struct call *call;

	for (unsigned i = 0; i < WORLD_TERMINALS && plug->channel == NULL; i++) {
		n = (n + 1) % WORLD_TERMINALS;
		agent = &walk->world->agents[n];
		plug = &walk->plugs[n];
	}
	if (!agent->is_alive) {
		return;
	}
	if (plug->channel != NULL && plug->steer[0] != '\0') {
		walk->steered +=
			bh_deliver_steer_ack(walk->world->deliver, plug->channel, plug->steer);
		plug->steer[0] = '\0';
		return;
	}
	call = walk_call(walk, (int)n);
	call->limit_ms = BH_CHANNEL_STEER_MS;
	if (bh_deliver_steer(walk->world->deliver,
	                     &(struct bh_deliver_steer){
				     .terminal = &agent->id, .from = "operator", .text = "stop"},
	                     on_steered, call, NULL) != 0) {
		call->is_answered = true;
	}
}

// ---- rooms and wishes ----

void walk_room(struct walk *walk)
{
	const char *name = walk_names[walk_pick(walk, WORLD_TERMINALS)];
	struct bh_membership who = {.room = WALK_ROOM, .as = name, .names = &name, .name_count = 1};

	if (walk_chance(walk, 70)) {
		(void)bh_store_join(walk->world->store, &who, NULL, NULL, NULL);
	} else {
		(void)bh_store_leave(walk->world->store, &who, NULL, NULL, NULL);
	}
}

static void wish_dnd(struct walk *walk, const char *name)
{
	static const enum bh_dnd_state states[] = {BH_DND_STATE_OFF, BH_DND_STATE_OFF,
	                                           BH_DND_STATE_ON, BH_DND_STATE_TIME,
	                                           BH_DND_STATE_NEXT_IDLE};
	struct bh_set_dnd dnd = {.name = name, .dnd = states[walk_pick(walk, 5)]};

	dnd.until_ms = walk_wall_ms(walk) + 1 + (int64_t)walk_pick(walk, 60000);
	(void)bh_store_set_dnd(walk->world->store, &dnd, NULL, NULL, NULL);
}

static void wish_discard(struct walk *walk)
{
	struct agent *agent = walk_pick_alive(walk);

	if (agent != NULL) {
		bh_deliver_discarding(walk->world->deliver, agent->text);
		(void)bh_store_discard(walk->world->store,
		                       &(struct bh_take){.terminal = agent->text}, NULL, NULL,
		                       NULL);
	}
}

void walk_wish(struct walk *walk)
{
	const char *name =
		walk_chance(walk, 85) ? walk_names[walk_pick(walk, WORLD_TERMINALS)] : WALK_ROBOT;
	struct bh_set_block block = {.name = name,
	                             .sender = walk_names[walk_pick(walk, WORLD_TERMINALS)],
	                             .is_blocked = walk_chance(walk, 40)};

	if (walk_chance(walk, 45)) {
		wish_dnd(walk, name);
	} else if (walk_chance(walk, 90)) {
		(void)bh_store_set_block(walk->world->store, &block, NULL, NULL, NULL);
	} else {
		wish_discard(walk);
	}
}
