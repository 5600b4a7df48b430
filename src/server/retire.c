#include "src/server/retire.h"

#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/keeper_link.h"
#include "src/server/server.h"

#include <stdlib.h>

static void on_retired(void *user, const struct bh_answer *answer)
{
	(void)user;
	if (answer->err.code != 0) {
		bh_log(BH_LOG_ERROR, "terminals", "", "a binding stays until the next start: %s",
		       answer->err.text);
	}
}

static int retire_with(struct bh_server *server, const struct bh_retire *retire,
                       bh_store_done *done, void *user)
{
	struct bh_err err = {0};
	int code = bh_store_retire(server->store, retire, done, user, &err);

	if (code != 0) {
		bh_log(BH_LOG_ERROR, "terminals", "", "a binding stays until the next start: %s",
		       err.text);
	}
	return code;
}

void bh_retire_terminal(struct bh_server *server, const char *id_text, int status,
                        bool waits_respawn)
{
	const struct bh_retire retire = {
		.terminal = id_text,
		.exit_status = status,
		.waits_respawn = waits_respawn,
	};

	(void)retire_with(server, &retire, on_retired, NULL); // has logged it
}

// An exit that is being written down; the keeper remembers it until that is done.
struct leaving {
	struct bh_server *server;
	struct bh_uuid id;
};

static void on_exit_stored(void *user, const struct bh_answer *answer)
{
	struct leaving *leaving = user;

	on_retired(NULL, answer);
	// One that the store never heard of has nothing to be written down.
	if ((answer->err.code == 0 || answer->err.code == BH_ENOTFOUND) &&
	    leaving->server->keeper != NULL) {
		(void)bh_keeper_link_forget(leaving->server->keeper,
		                            &leaving->id); // a keeper that is gone has forgotten it
	}
	free(leaving);
}

void bh_retire_exited(const struct bh_terminal *terminal, bool waits_respawn)
{
	const struct bh_retire retire = {
		.terminal = terminal->id_text,
		.exit_status = terminal->exit_status,
		.waits_respawn = waits_respawn,
	};
	struct leaving *leaving = bh_xmalloc(sizeof *leaving);

	bh_lifecycle_exited(terminal);
	*leaving = (struct leaving){.server = terminal->server, .id = terminal->id};
	if (retire_with(terminal->server, &retire, on_exit_stored, leaving) != 0) {
		free(leaving);
	}
}
