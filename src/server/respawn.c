#include "src/server/respawn.h"

#include <stdbool.h>
#include <sys/wait.h>

static bool status_is_failure(int status)
{
	return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

int64_t bh_respawn_pause_ms(enum bh_respawn policy, int status, unsigned count)
{
	if (policy == BH_RESPAWN_NEVER ||
	    (policy == BH_RESPAWN_ON_FAILURE && !status_is_failure(status)) ||
	    count >= BH_RESPAWN_MAX) {
		return -1;
	}
	int64_t pause_ms = (int64_t)BH_RESPAWN_FIRST_MS << count;

	return pause_ms < BH_RESPAWN_PAUSE_MAX_MS ? pause_ms : BH_RESPAWN_PAUSE_MAX_MS;
}
