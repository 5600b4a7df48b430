#include "term/sequence.h"

#include "tests/unit/screen_help.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Every CSI with every leader and intermediate: nothing crashes, and the repaint stays equal. */
static void every_csi_is_harmless(void **state)
{
	static const char leaders[] = {0, '<', '=', '>', '?'};
	static const char intermediates[] = {0, ' ', '!', '"', '$', '\'', '*', '+', '#'};
	static const char *const arguments[] = {"", "0", "1", "3;7", "65535;65535", "0;0;0", "2:3"};
	char bytes[64];

	(void)state;
	for (size_t i = 0; i < sizeof(leaders) * sizeof(intermediates); i++) {
		struct bh_screen *s = screen_with(9, 5, "some\r\ntext \u6F22\u5B57\r\nhere");

		for (char final = 0x40; final < 0x7F; final++) {
			for (size_t a = 0; a < sizeof(arguments) / sizeof(arguments[0]); a++) {
				char leader[2] = {leaders[i % sizeof(leaders)], 0};
				char intermediate[2] = {intermediates[i / sizeof(leaders)], 0};

				(void)snprintf(bytes, sizeof(bytes), "\x1B[%s%s%s%cx", leader,
				               arguments[a], intermediate, final); // fits
				screen_feed(s, bytes);
			}
			bh_screen_free(screen_expect_repaint(s, bytes));
		}
		bh_screen_free(s);
	}
}

static void every_escape_is_harmless(void **state)
{
	char bytes[8];

	(void)state;
	for (char intermediate = 0x1F; intermediate < 0x30; intermediate++) {
		struct bh_screen *s = screen_with(9, 5, "text");

		for (char final = 0x30; final < 0x7F; final++) {
			char middle[2] = {intermediate >= 0x20 ? intermediate : (char)0, 0};

			// Introducers of strings would swallow what follows.
			if (strchr("P]X^_[", final) != NULL) {
				continue;
			}
			(void)snprintf(bytes, sizeof(bytes), "\x1B%s%cx", middle, final); // fits
			screen_feed(s, bytes);
			bh_screen_free(screen_expect_repaint(s, bytes));
		}
		bh_screen_free(s);
	}
}

static void every_control_is_harmless(void **state)
{
	struct bh_screen *s = screen_with(9, 5, "text");

	(void)state;
	for (char control = 1; control < 0x20; control++) {
		bh_sequence_control(s, control);
		bh_screen_free(screen_expect_repaint(s, "control"));
	}
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_csi_is_harmless),
		cmocka_unit_test(every_escape_is_harmless),
		cmocka_unit_test(every_control_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
