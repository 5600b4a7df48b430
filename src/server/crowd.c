#include "src/server/crowd.h"

#include "src/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bh_crowd_init(struct bh_crowd *crowd)
{
	bh_list_init(&crowd->members);
}

void bh_crowd_join(struct bh_crowd *crowd, struct bh_crowd_member *member, pid_t pid,
                   uint64_t now_ms)
{
	*member = (struct bh_crowd_member){.pid = pid, .heard_ms = now_ms};
	bh_list_append(&crowd->members, &member->link);
}

void bh_crowd_heard(struct bh_crowd_member *member, uint64_t now_ms)
{
	member->has_spoken = true;
	member->heard_ms = now_ms;
}

void bh_crowd_leave(struct bh_crowd_member *member)
{
	bh_list_remove(&member->link);
}

static struct bh_crowd_owner owner_find(const struct bh_callers_world *world, pid_t pid,
                                        const struct bh_caller *caller)
{
	struct bh_caller_process process = {.sid = 0};
	struct bh_caller_anchor agent = {.pid = 0};
	struct bh_crowd_owner owner = {.kind = caller->kind, .id = caller->terminal_id};

	if (!bh_uuid_is_none(&owner.id) || pid <= 0) {
		return owner;
	}
	// An agent starts each of its commands in a session of its own.
	if (owner.kind == BH_CALLER_EXTERNAL && bh_callers_find_agent(world, pid, false, &agent)) {
		owner.pid = agent.pid;
	} else if (world->process(world->user, pid, &process)) {
		owner.pid = process.sid > 0 ? process.sid : pid;
	}
	return owner;
}

void bh_crowd_look(struct bh_crowd_member *member, const struct bh_callers_world *world,
                   bool is_busy, const struct bh_caller *caller)
{
	struct bh_caller found = {.kind = BH_CALLER_UNVERIFIED};

	member->is_busy = is_busy;
	if (member->has_owner) {
		return;
	}
	if (caller == NULL && member->pid > 0) {
		// Without a token there is nothing to contradict the kernel.
		(void)bh_callers_identify(world, member->pid, false, NULL, &found);
	}
	member->owner = owner_find(world, member->pid, caller != NULL ? caller : &found);
	member->has_owner = true;
}

static int member_compare(const void *a, const void *b)
{
	const struct bh_crowd_owner *first = &(*(struct bh_crowd_member *const *)a)->owner;
	const struct bh_crowd_owner *second = &(*(struct bh_crowd_member *const *)b)->owner;
	int order = memcmp(&first->id, &second->id, sizeof first->id);

	if (order == 0) {
		order = first->pid < second->pid ? -1 : first->pid > second->pid;
	}
	return order;
}

// Whether @a gives way before @b, their owners having as many.
static bool member_is_before(const struct bh_crowd_member *a, const struct bh_crowd_member *b)
{
	if (a->is_busy != b->is_busy) {
		return b->is_busy;
	}
	if (a->is_busy) {
		return a->heard_ms >= b->heard_ms;
	}
	if (a->has_spoken != b->has_spoken) {
		return b->has_spoken;
	}
	return a->heard_ms < b->heard_ms;
}

// The length of the run of one owner that begins at @begin of @sorted.
static size_t run_length(struct bh_crowd_member *const *sorted, size_t begin, size_t count)
{
	size_t end = begin;

	while (end < count && member_compare(&sorted[begin], &sorted[end]) == 0) {
		end++;
	}
	return end - begin;
}

// The one of a run that goes before its others, the newcomer excepted; NULL: only that is there.
static struct bh_crowd_member *run_first(struct bh_crowd_member *const *run, size_t len,
                                         const struct bh_crowd_member *newcomer)
{
	struct bh_crowd_member *first = NULL;

	for (size_t i = 0; i < len; i++) {
		if (run[i] != newcomer && (first == NULL || member_is_before(run[i], first))) {
			first = run[i];
		}
	}
	return first;
}

// Of those sorted by owner. The newcomer has had no time to say anything, so it stays where another
// may go.
static struct bh_crowd_choice sorted_choose(struct bh_crowd_member *const *sorted, size_t count,
                                            struct bh_crowd_member *newcomer)
{
	struct bh_crowd_choice choice = {.count = 0};
	bool is_newcomers = false;

	for (size_t begin = 0, len = 0; begin < count; begin += len) {
		len = run_length(sorted, begin, count);
		if (len < choice.count) {
			continue;
		}
		struct bh_crowd_member *first = run_first(sorted + begin, len, newcomer);
		bool is_own = member_compare(&sorted[begin], &newcomer) == 0;

		is_newcomers = is_own || (is_newcomers && len == choice.count);
		if (len > choice.count || choice.member == NULL ||
		    (first != NULL && member_is_before(first, choice.member))) {
			choice.member = first;
		}
		choice.count = len;
	}
	if (choice.member == NULL || (is_newcomers && choice.member->is_busy)) {
		choice.member = newcomer;
	}
	choice.is_newcomer = choice.member == newcomer;
	return choice;
}

bool bh_crowd_choose(const struct bh_crowd *crowd, size_t max, struct bh_crowd_choice *choice_out)
{
	struct bh_crowd_member **sorted = NULL;
	struct bh_crowd_member *newcomer = NULL;
	size_t count = 0;

	bh_list_for (at, next, &crowd->members) {
		count++;
	}
	if (count <= max) {
		return false;
	}
	sorted = bh_xmalloc(count * sizeof(struct bh_crowd_member *));
	count = 0;
	bh_list_for (at, next, &crowd->members) {
		newcomer = bh_container_of(at, struct bh_crowd_member, link);
		sorted[count++] = newcomer;
	}
	qsort(sorted, count, sizeof *sorted, member_compare);
	*choice_out = sorted_choose(sorted, count, newcomer);
	free(sorted);
	return true;
}

const char *bh_crowd_words(const struct bh_crowd_owner *owner, char *words)
{
	char id[BH_UUID_TEXT];

	// All of these fit.
	if (!bh_uuid_is_none(&owner->id)) {
		(void)snprintf(words, BH_CROWD_WORDS, "%s %.8s",
		               owner->kind == BH_CALLER_EXTERNAL ? "the registered program"
		                                                 : "terminal",
		               bh_uuid_format(&owner->id, id));
	} else if (owner->pid > 0 && owner->kind == BH_CALLER_EXTERNAL) {
		(void)snprintf(words, BH_CROWD_WORDS, "the agent with process %d", (int)owner->pid);
	} else if (owner->pid > 0) {
		(void)snprintf(words, BH_CROWD_WORDS, "the programs of process session %d",
		               (int)owner->pid);
	} else {
		(void)snprintf(words, BH_CROWD_WORDS, "programs that nobody can name");
	}
	return words;
}
