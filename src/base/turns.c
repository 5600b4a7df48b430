#include "src/base/turns.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

void bh_turns_be_brief(void)
{
	struct sched_attr attr = {.size = sizeof(attr), .sched_flags = SCHED_FLAG_RESET_ON_FORK};

	// Policy and nice value stay what they are: who was started with another one was so on purpose.
	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) == 0 &&
	    attr.sched_policy == SCHED_NORMAL) {
		attr.sched_flags = SCHED_FLAG_RESET_ON_FORK;
		attr.sched_runtime = BH_TURNS_BRIEF_NS;
		attr.sched_deadline = 0;
		attr.sched_period = 0;
		(void)syscall(SYS_sched_setattr, 0, &attr, 0); // refused: as it was
	}
}
