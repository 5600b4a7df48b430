#include "src/ui/mouse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** What a program that was fed @modes gets of a report; "" when nothing. */
static void check(const char *modes, struct bh_input_mouse report, const char *wanted)
{
	struct bh_screen_settings settings = {.cols = 20, .rows = 5};
	struct bh_screen *screen = bh_screen_new(&settings);
	struct bh_buf out = {0};

	bh_screen_feed(screen, modes, strlen(modes), 1);
	assert_int_equal(bh_mouse_encode(screen, &report, &out), wanted[0] != '\0');
	assert_string_equal(out.data == NULL ? "" : out.data, wanted);
	bh_buf_clear(&out);
	bh_screen_free(screen);
}

static void programs_get_what_they_asked_for(void **state)
{
	struct bh_input_mouse press = {.button = 0, .row = 2, .col = 3};
	struct bh_input_mouse release = {.button = 0, .row = 2, .col = 3, .is_release = true};
	struct bh_input_mouse drag = {.button = 32, .row = 2, .col = 3};
	struct bh_input_mouse move = {.button = 35, .row = 2, .col = 3};
	struct bh_input_mouse wheel = {.button = 64 + 16, .row = 2, .col = 3};

	(void)state;
	check("", press, "");
	check("\x1b[?1006h", press, "");
	check("\x1b[?9h", press, "\x1b[M $#");
	check("\x1b[?9h", release, "");
	check("\x1b[?9h", wheel, "");
	check("\x1b[?1000h", press, "\x1b[M $#");
	check("\x1b[?1000h", release, "\x1b[M#$#");
	check("\x1b[?1000h\x1b[?1006h", release, "\x1b[<0;4;3m");
	check("\x1b[?1000h\x1b[?1006h", drag, "");
	check("\x1b[?1000h\x1b[?1006h", wheel, "\x1b[<80;4;3M");
	check("\x1b[?1002h\x1b[?1006h", drag, "\x1b[<32;4;3M");
	check("\x1b[?1002h\x1b[?1006h", move, "");
	check("\x1b[?1003h\x1b[?1006h", move, "\x1b[<35;4;3M");
	check("\x1b[?1000h\x1b[?1015h", press, "\x1b[32;4;3M");
}

static void the_old_form_knows_no_far_cells(void **state)
{
	struct bh_input_mouse far = {.row = 2, .col = 223};

	(void)state;
	check("\x1b[?1000h", far, "");
	check("\x1b[?1000h\x1b[?1005h", far, "\x1b[M \xc4\x80#");
	far.col = 222;
	check("\x1b[?1000h", far, "\x1b[M \xff#");
}

static void clicks_are_counted(void **state)
{
	struct bh_mouse_clicks clicks = {0};
	struct bh_input_mouse press = {.row = 2, .col = 3};
	struct bh_input_mouse release = {.row = 2, .col = 3, .is_release = true};
	struct bh_layer_mouse mouse;

	(void)state;
	assert_true(bh_mouse_read(&clicks, &press, 1000, &mouse));
	assert_int_equal(mouse.kind, BH_MOUSE_PRESS);
	assert_int_equal(mouse.clicks, 1);
	assert_true(bh_mouse_read(&clicks, &release, 1010, &mouse));
	assert_int_equal(mouse.kind, BH_MOUSE_RELEASE);
	for (int wanted = 2; wanted <= 3; wanted++) {
		assert_true(bh_mouse_read(&clicks, &press, 1100, &mouse));
		assert_int_equal(mouse.clicks, wanted);
	}
	assert_true(bh_mouse_read(&clicks, &press, 1200, &mouse));
	assert_int_equal(mouse.clicks, 1);
	// Late, elsewhere, or another button: a new one.
	assert_true(bh_mouse_read(&clicks, &press, 1600, &mouse));
	assert_int_equal(mouse.clicks, 1);
	press.col++;
	assert_true(bh_mouse_read(&clicks, &press, 1601, &mouse));
	assert_int_equal(mouse.clicks, 1);
	press.button = 2;
	assert_true(bh_mouse_read(&clicks, &press, 1602, &mouse));
	assert_int_equal(mouse.clicks, 1);
	assert_int_equal(mouse.button, 2);
}

static void kinds_are_told_apart(void **state)
{
	static const struct {
		unsigned button;
		int kind; // -1: of no use
	} cases[] = {
		{0, BH_MOUSE_PRESS},
		{32, BH_MOUSE_DRAG},
		{35, BH_MOUSE_MOVE},
		{64, BH_MOUSE_WHEEL_UP},
		{65, BH_MOUSE_WHEEL_DOWN},
		{66, -1},
		{67, -1},
		{128, -1},
		{64 + 4, BH_MOUSE_WHEEL_UP},
	};
	struct bh_mouse_clicks clicks = {0};
	struct bh_layer_mouse mouse;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bh_input_mouse report = {.button = cases[i].button};

		assert_int_equal(bh_mouse_read(&clicks, &report, 1, &mouse), cases[i].kind >= 0);
		if (cases[i].kind >= 0) {
			assert_int_equal(mouse.kind, cases[i].kind);
		}
	}
	assert_true(mouse.is_shift);
	assert_false(mouse.is_control);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_get_what_they_asked_for),
		cmocka_unit_test(the_old_form_knows_no_far_cells),
		cmocka_unit_test(clicks_are_counted),
		cmocka_unit_test(kinds_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
