#include "src/server/watchdog.h"

#include "src/base/list.h"
#include "src/base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// What the clock sends; nothing else in the server uses it.
#define WATCHDOG_SIGNAL SIGVTALRM

struct bh_watchdog {
	uv_prepare_t turn;
	timer_t clock;
	// Turns of the loop so far, written by the loop, read by the signal handler.
	volatile sig_atomic_t turns;
	// What `turns` was when the clock rang last.
	volatile sig_atomic_t seen;
};

// Runs as a signal handler on the loop's thread: only async-signal-safe calls.
static void on_clock(int signal, siginfo_t *info, void *context)
{
	static const char words[] =
		"bellhop: a turn of the server's loop took too long; the server ends itself\n";
	struct bh_watchdog *watchdog = info->si_value.sival_ptr;

	(void)signal;
	(void)context;
	if (watchdog->seen != watchdog->turns) {
		watchdog->seen = watchdog->turns;
		return;
	}
	if (write(STDERR_FILENO, words, sizeof words - 1) < 0) {
		// Nobody can be told; the keeper sees the end all the same.
	}
	abort();
}

static void on_turn(uv_prepare_t *turn)
{
	struct bh_watchdog *watchdog = bh_container_of(turn, struct bh_watchdog, turn);

	watchdog->turns = watchdog->turns == SIG_ATOMIC_MAX ? 0 : watchdog->turns + 1;
}

static int clock_start(struct bh_watchdog *watchdog, unsigned turn_ms)
{
	const struct timespec period = {.tv_sec = turn_ms / 1000,
	                                .tv_nsec = (long)(turn_ms % 1000) * 1000000};
	const struct itimerspec interval = {.it_interval = period, .it_value = period};
	struct sigaction action = {.sa_sigaction = on_clock, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
	                         .sigev_signo = WATCHDOG_SIGNAL,
	                         .sigev_value = {.sival_ptr = watchdog}};
	clockid_t processor_time;
	int code = pthread_getcpuclockid(pthread_self(), &processor_time);

	if (code != 0) {
		return code;
	}
	(void)sigemptyset(&action.sa_mask);
	if (sigaction(WATCHDOG_SIGNAL, &action, NULL) != 0 ||
	    timer_create(processor_time, &event, &watchdog->clock) != 0) {
		return errno;
	}
	return timer_settime(watchdog->clock, 0, &interval, NULL) != 0 ? errno : 0;
}

int bh_watchdog_start(uv_loop_t *loop, unsigned turn_ms, struct bh_watchdog **watchdog_out,
                      struct bh_err *err)
{
	struct bh_watchdog *watchdog = bh_xmalloc(sizeof *watchdog);
	int code = clock_start(watchdog, turn_ms);

	if (code != 0) {
		free(watchdog);
		return bh_err_sys(err, code, "start the watchdog");
	}
	(void)uv_prepare_init(loop, &watchdog->turn);     // never fails
	(void)uv_prepare_start(&watchdog->turn, on_turn); // never fails
	uv_unref((uv_handle_t *)&watchdog->turn);         // it alone is no reason to live
	*watchdog_out = watchdog;
	return 0;
}

static void on_closed(uv_handle_t *handle)
{
	free(bh_container_of((uv_prepare_t *)handle, struct bh_watchdog, turn));
}

void bh_watchdog_close(struct bh_watchdog *watchdog)
{
	if (watchdog == NULL) {
		return;
	}
	(void)timer_delete(watchdog->clock); // it was created by us
	uv_close((uv_handle_t *)&watchdog->turn, on_closed);
}
