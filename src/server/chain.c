#include "src/server/chain.h"

#include "src/server/callers.h"

void bh_chain_read(struct bh_chain *chain, pid_t pid, pid_t top)
{
	struct bh_caller_process process;

	*chain = (struct bh_chain){0};
	while (pid > 1 && pid != top && chain->count < BH_CHAIN_MAX &&
	       bh_callers_read_process(NULL, pid, &process)) {
		chain->pids[chain->count] = pid;
		chain->starts[chain->count] = process.start;
		chain->count++;
		pid = process.ppid;
	}
}

bool bh_chain_is_from(const struct bh_chain *chain, pid_t root)
{
	return chain->count == 0 || chain->pids[chain->count - 1] == root;
}

bool bh_chain_is_whole(const struct bh_chain *chain)
{
	struct bh_caller_process process;

	for (size_t i = 0; i < chain->count; i++) {
		if (!bh_callers_read_process(NULL, chain->pids[i], &process) ||
		    process.start != chain->starts[i]) {
			return false;
		}
		if (i + 1 < chain->count && process.ppid != chain->pids[i + 1]) {
			return false;
		}
	}
	return true;
}
