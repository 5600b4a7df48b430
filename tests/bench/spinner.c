// spinner MS: an agent at work, as its terminal sees it. Every MS a spinner and a clock in place, inside
// a synchronized update, now and then a line that scrolls. Claude Code does so every 100 ms, Codex every
// 33. Costs next to nothing itself.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	static const char *const marks[] = {"·", "✢", "✳", "✶", "✻", "✽"};
	const struct timespec pause = {.tv_nsec = (argc > 1 ? atol(argv[1]) : 100) * 1000 * 1000};

	for (unsigned i = 0; i == 0 || fflush(stdout) == 0; i++) {
		(void)printf("\033[?2026h\033[?25l");
		if (i % 10 == 0) {
			(void)printf(
				"\033[24;1H\r\n\033[38;2;120;180;80m● \033[39mread file %u of many",
				i);
		}
		(void)printf(
			"\033[22;1H\033[K\033[38;5;174m%s Pondering… \033[2m(%us · %u tokens)\033[0m",
			marks[i % 6], i / 10, i * 37);
		(void)printf("\033[24;3H\033[?25h\033[?2026l");
		(void)nanosleep(&pause, NULL); // a signal makes one step early: no harm
	}
	return 0;
}
