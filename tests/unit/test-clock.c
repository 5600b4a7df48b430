#include "src/base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_never_goes_back(void **state)
{
	uint64_t mono_ms = bh_clock_mono_ms();
	uint64_t boot_ms = bh_clock_boot_ms();

	(void)state;
	assert_true(bh_clock_mono_ms() >= mono_ms);
	assert_true(bh_clock_boot_ms() >= boot_ms);
	assert_true(boot_ms + 1 >= mono_ms);
	assert_true(bh_clock_cpu_ns() > 0);
	assert_true(bh_clock_wall_ms() > 1600000000000);
}

static void test_writes_times_for_people(void **state)
{
	char text[BH_CLOCK_TEXT];

	(void)state;
	assert_string_equal(bh_clock_text(0, text), "1970-01-01T00:00:00.000Z");
	assert_string_equal(bh_clock_text(1796082301042, text), "2026-11-30T23:45:01.042Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_never_goes_back),
		cmocka_unit_test(test_writes_times_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
