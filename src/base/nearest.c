#include "src/base/nearest.h"

#include <stddef.h>
#include <string.h>

/** Longest name that is compared (bytes). */
#define NAME_MAX_LEN 32

/** The smallest of three. */
static int least(int a, int b, int c)
{
	int less = a < b ? a : b;

	return less < c ? less : c;
}

/** Edits from @a to @b: letters added, dropped, changed, or two swapped. Both <= NAME_MAX_LEN. */
static int edit_distance(const char *a, const char *b)
{
	// Three rows of the table: two letters of @a ago, one ago, now.
	int rows[3][NAME_MAX_LEN + 1] = {0};
	int len_b = (int)strlen(b);

	for (int j = 0; j <= len_b; j++) {
		rows[0][j] = j;
	}
	for (int i = 1; a[i - 1] != '\0'; i++) {
		int *now = rows[i % 3];
		const int *before = rows[(i - 1) % 3];
		const int *two_before = rows[(i + 1) % 3];

		now[0] = i;
		for (int j = 1; j <= len_b; j++) {
			now[j] = least(before[j - 1] + (a[i - 1] != b[j - 1]), before[j] + 1,
			               now[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
				now[j] = least(now[j], two_before[j - 2] + 1, now[j]);
			}
		}
	}
	return rows[strlen(a) % 3][len_b];
}

const char *bh_nearest(const char *word, const char *const *names)
{
	const char *best = NULL;
	int best_distance = NAME_MAX_LEN;
	size_t len = strlen(word);

	if (len == 0 || len > NAME_MAX_LEN) {
		return NULL;
	}
	for (; *names != NULL; names++) {
		if (strlen(*names) > NAME_MAX_LEN) {
			continue;
		}
		int distance = len >= 2 && strncmp(word, *names, len) == 0
		                       ? 0
		                       : edit_distance(word, *names);
		int most = (int)(len > strlen(*names) ? len : strlen(*names)) / 3;

		if (distance <= (most < 1 ? 1 : most) && distance < best_distance) {
			best = *names;
			best_distance = distance;
		}
	}
	return best;
}
