#include "src/server/state_waits.h"

#include "src/base/mem.h"
#include "src/server/server.h"

#include <stdlib.h>

struct state_wait {
	struct bh_list link;
	struct bh_terminal *terminal;
	struct bh_request *request;
	unsigned states;
	uv_timer_t timer;
};

static enum bh_state state_now(const struct bh_terminal *terminal)
{
	if (terminal->phase == BH_TERMINAL_EXITED) {
		return BH_STATE_EXITED;
	}
	return terminal->verdict.why_count > 0 ? terminal->verdict.state : BH_STATE_STARTING;
}

static void on_timer_closed(uv_handle_t *handle)
{
	free(bh_container_of((uv_timer_t *)handle, struct state_wait, timer));
}

// Answer and go. The wait is off the list before anybody is told.
static void wait_end(struct state_wait *wait, bool is_timed_out)
{
	struct bh_request *request = wait->request;
	enum bh_state state = state_now(wait->terminal);
	bool is_reached = (wait->states & 1U << state) != 0;
	bool is_left = !is_reached && !is_timed_out && state != BH_STATE_EXITED &&
	               wait->terminal->server->is_restarting;
	cJSON *result = is_left ? NULL : cJSON_CreateObject();

	bh_list_remove(&wait->link);
	uv_close((uv_handle_t *)&wait->timer, on_timer_closed);
	bh_request_on_gone(request, NULL, NULL);
	if (is_left) {
		bh_request_leave(request);
		return;
	}
	cJSON_AddStringToObject(result, "state", bh_state_word(state));
	cJSON_AddStringToObject(result, "terminal_id", wait->terminal->id_text);
	cJSON_AddBoolToObject(result, "reached", is_reached);
	cJSON_AddBoolToObject(result, "timed_out", is_timed_out);
	bh_request_answer(request, result);
}

static void on_timeout(uv_timer_t *timer)
{
	wait_end(bh_container_of(timer, struct state_wait, timer), true);
}

static void wait_gone(void *user)
{
	wait_end(user, false);
}

void bh_state_wait(struct bh_terminal *terminal, struct bh_request *request, unsigned states,
                   uint64_t timeout_ms)
{
	struct state_wait *wait = bh_xmalloc(sizeof *wait);

	wait->terminal = terminal;
	wait->request = request;
	wait->states = states;
	(void)uv_timer_init(&terminal->server->loop, &wait->timer); // never fails
	if (timeout_ms > 0) {
		(void)uv_timer_start(&wait->timer, on_timeout, timeout_ms, 0); // never fails here
	}
	bh_list_append(&terminal->state_waits, &wait->link);
	bh_request_on_gone(request, wait_gone, wait);
	bh_state_waits_look(terminal);
}

void bh_state_waits_look(struct bh_terminal *terminal)
{
	unsigned state = 1U << state_now(terminal);
	bool is_over = terminal->phase == BH_TERMINAL_EXITED;

	bh_list_for (at, next, &terminal->state_waits) {
		struct state_wait *wait = bh_container_of(at, struct state_wait, link);

		if ((wait->states & state) != 0 || is_over) {
			wait_end(wait, false);
		}
	}
}

void bh_state_waits_end(struct bh_terminal *terminal)
{
	bh_list_for (at, next, &terminal->state_waits) {
		wait_end(bh_container_of(at, struct state_wait, link), false);
	}
}
