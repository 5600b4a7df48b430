#include "src/server/replacement.h"

#include "src/base/list.h"
#include "src/base/mem.h"
#include "src/server/keeper_link.h"
#include "src/server/server.h"

#include <signal.h>
#include <stdlib.h>

struct bh_replacement {
	struct bh_terminal *terminal;
	bh_terminals_done *done;
	void *user;
	uv_timer_t kill;
};

static void on_kill(uv_timer_t *timer)
{
	struct bh_terminal *terminal =
		bh_container_of(timer, struct bh_replacement, kill)->terminal;

	(void)bh_keeper_link_signal(terminal->server->keeper, &terminal->id, SIGKILL,
	                            BH_WIRE_TARGET_SESSION); // a keeper that is gone ends us all
}

static void on_kill_closed(uv_handle_t *handle)
{
	free(bh_container_of((uv_timer_t *)handle, struct bh_replacement, kill));
}

int bh_replacement_begin(struct bh_terminal *terminal, bh_terminals_done *done, void *user,
                         struct bh_err *err)
{
	struct bh_server *server = terminal->server;

	if (terminal->replacement != NULL) {
		return bh_err_set(err, BH_EBUSY, "%s is being replaced already",
		                  terminal->identity);
	}
	struct bh_replacement *replacement = bh_xmalloc(sizeof *replacement);

	replacement->terminal = terminal;
	replacement->done = done;
	replacement->user = user;
	terminal->replacement = replacement;
	(void)uv_timer_init(&server->loop, &replacement->kill); // never fails
	(void)uv_timer_start(&replacement->kill, on_kill, BH_REPLACEMENT_KILL_MS,
	                     0); // never fails here
	(void)bh_keeper_link_signal(server->keeper, &terminal->id, SIGHUP,
	                            BH_WIRE_TARGET_SESSION); // the timer tries again
	return 0;
}

bh_terminals_done *bh_replacement_take(struct bh_terminal *terminal, void **user_out)
{
	struct bh_replacement *replacement = terminal->replacement;

	if (replacement == NULL) {
		return NULL;
	}
	terminal->replacement = NULL;
	uv_close((uv_handle_t *)&replacement->kill, on_kill_closed);
	*user_out = replacement->user;
	return replacement->done;
}

void bh_replacement_drop(struct bh_terminal *terminal)
{
	void *user = NULL;
	bh_terminals_done *done = bh_replacement_take(terminal, &user);
	struct bh_err err = {0};

	if (done != NULL) {
		(void)bh_err_set(&err, BH_EBUSY, "the server is being stopped; try again");
		done(user, NULL, &err);
	}
}
