// Terminals by id, child, secret, name.
#include "src/mail/store.h"
#include "src/server/server.h"
#include "src/server/terminals.h"

#include <string.h>

static struct bh_terminal *terminal_at(struct bh_list *link)
{
	return bh_container_of(link, struct bh_terminal, link);
}

struct bh_terminal *bh_terminals_get(struct bh_terminals *terminals, const struct bh_uuid *id)
{
	bh_list_for (at, next, bh_terminals_all(terminals)) {
		if (bh_uuid_is_equal(&terminal_at(at)->id, id)) {
			return terminal_at(at);
		}
	}
	return NULL;
}

struct bh_terminal *bh_terminals_of_child(struct bh_terminals *terminals, pid_t pid,
                                          uint64_t pid_start)
{
	struct bh_list *all = bh_terminals_all(terminals);

	if (pid <= 0) {
		return NULL;
	}
	// The newest first: the kernel may have given the pid of one that ended to another.
	for (struct bh_list *at = all->prev; at != all; at = at->prev) {
		if (terminal_at(at)->pid == pid &&
		    (pid_start == 0 || terminal_at(at)->pid_start == pid_start)) {
			return terminal_at(at);
		}
	}
	return NULL;
}

static bool token_is_equal(const char *a, const char *b)
{
	unsigned difference = 0;

	for (size_t i = 0; i < BH_TOKEN_SIZE - 1; i++) {
		difference |= (unsigned char)a[i] ^ (unsigned char)b[i];
	}
	return difference == 0;
}

struct bh_terminal *bh_terminals_of_token(struct bh_terminals *terminals, const char *token)
{
	if (strlen(token) != BH_TOKEN_SIZE - 1) {
		return NULL;
	}
	bh_list_for (at, next, bh_terminals_all(terminals)) {
		if (token_is_equal(terminal_at(at)->token, token)) {
			return terminal_at(at);
		}
	}
	return NULL;
}

// The terminal that the store has bound to this name, whatever its phase.
static struct bh_terminal *terminals_bound_to(struct bh_terminals *terminals, const char *name)
{
	const struct bh_mailbox *mailbox =
		bh_store_mailbox(bh_terminals_server(terminals)->store, name);
	struct bh_uuid id;

	if (mailbox == NULL || !bh_uuid_parse(mailbox->terminal, &id)) {
		return NULL;
	}
	return bh_terminals_get(terminals, &id);
}

struct bh_terminal *bh_terminals_of_identity(struct bh_terminals *terminals, const char *identity)
{
	struct bh_terminal *terminal = terminals_bound_to(terminals, identity);

	return terminal != NULL && bh_terminal_is_alive(terminal) ? terminal : NULL;
}

// The latest terminal that was born with this name and has exited.
static struct bh_terminal *terminals_last_of(struct bh_terminals *terminals, const char *identity)
{
	const struct bh_list *all = bh_terminals_all(terminals);

	for (struct bh_list *at = all->prev; at != all; at = at->prev) {
		if (terminal_at(at)->phase == BH_TERMINAL_EXITED &&
		    bh_identity_is_same(terminal_at(at)->identity, identity)) {
			return terminal_at(at);
		}
	}
	return NULL;
}

static enum bh_find terminals_find_prefix(struct bh_terminals *terminals, const char *prefix,
                                          struct bh_terminal **terminal_out)
{
	struct bh_terminal *found = NULL;

	bh_list_for (at, next, bh_terminals_all(terminals)) {
		if (bh_uuid_has_prefix(&terminal_at(at)->id, prefix)) {
			if (found != NULL) {
				return BH_FIND_AMBIGUOUS;
			}
			found = terminal_at(at);
		}
	}
	if (found == NULL) {
		return BH_FIND_NONE;
	}
	*terminal_out = found;
	return BH_FIND_ONE;
}

enum bh_find bh_terminals_find(struct bh_terminals *terminals, const char *name,
                               struct bh_terminal **terminal_out)
{
	struct bh_terminal *terminal = terminals_bound_to(terminals, name);

	if (terminal == NULL) {
		terminal = terminals_last_of(terminals, name);
	}
	if (terminal != NULL) {
		*terminal_out = terminal;
		return BH_FIND_ONE;
	}
	return terminals_find_prefix(terminals, name, terminal_out);
}

size_t bh_terminals_living(struct bh_terminals *terminals)
{
	size_t count = 0;

	bh_list_for (at, next, bh_terminals_all(terminals)) {
		count += bh_terminal_is_alive(terminal_at(at)) ? 1 : 0;
	}
	return count;
}
