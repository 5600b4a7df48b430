#include "src/server/respawn.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define STATUS(code) ((code) << 8)

static void policy_decides(void **state)
{
	static const struct {
		enum bh_respawn policy;
		int status;
		unsigned count;
		int64_t pause_ms;
	} rows[] = {
		{BH_RESPAWN_NEVER, STATUS(0), 0, -1},
		{BH_RESPAWN_NEVER, SIGKILL, 0, -1},
		{BH_RESPAWN_ON_FAILURE, STATUS(0), 0, -1},
		{BH_RESPAWN_ON_FAILURE, STATUS(1), 0, 1000},
		{BH_RESPAWN_ON_FAILURE, SIGKILL, 0, 1000},
		{BH_RESPAWN_ALWAYS, STATUS(0), 0, 1000},
		{BH_RESPAWN_ALWAYS, STATUS(0), 1, 2000},
		{BH_RESPAWN_ALWAYS, STATUS(0), 5, 32000},
		{BH_RESPAWN_ALWAYS, STATUS(0), 6, 60000},
		{BH_RESPAWN_ALWAYS, STATUS(0), BH_RESPAWN_MAX - 1, 60000},
		{BH_RESPAWN_ALWAYS, STATUS(0), BH_RESPAWN_MAX, -1},
		{BH_RESPAWN_ALWAYS, STATUS(0), 4000000000U, -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_int_equal(bh_respawn_pause_ms(rows[i].policy, rows[i].status, rows[i].count),
		                 rows[i].pause_ms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policy_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
