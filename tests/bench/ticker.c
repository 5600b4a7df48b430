// A program that costs next to nothing and whose screen tells the time: for figures about pauses.
// Prints the monotonic clock (ms) on one line, every 20 ms, until its terminal goes away.
#include <stdio.h>
#include <time.h>

int main(void)
{
	const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
	struct timespec now;

	do {
		(void)nanosleep(&pause, NULL); // a signal makes one tick early: no harm
		(void)clock_gettime(CLOCK_MONOTONIC, &now); // cannot fail
		(void)printf("\r%lld", (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
	} while (fflush(stdout) == 0);
	return 0;
}
