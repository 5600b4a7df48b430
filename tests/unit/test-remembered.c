// What the UI remembers, in its file.
#include "src/ui/remembered.h"

#include "src/base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];
static char path[80];

static int folder_make(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/bh-remembered-XXXXXX");
	if (mkdtemp(folder) == NULL) {
		return -1;
	}
	(void)snprintf(path, sizeof(path), "%s/ui.json", folder);
	return 0;
}

static int folder_remove(void **state)
{
	(void)state;
	(void)bh_file_remove(path, NULL);
	return rmdir(folder);
}

static void what_was_saved_is_loaded(void **state)
{
	struct bh_remembered remembered = {.sidebar_columns = 31, .sidebar_configured = 20};

	(void)state;
	assert_int_equal(bh_remembered_save(&remembered, path, NULL), 0);
	remembered = (struct bh_remembered){0};
	bh_remembered_load(&remembered, path);
	assert_int_equal(remembered.sidebar_columns, 31);
	assert_int_equal(remembered.sidebar_configured, 20);
	remembered.sidebar_columns = 0; // forgotten
	assert_int_equal(bh_remembered_save(&remembered, path, NULL), 0);
	bh_remembered_load(&remembered, path);
	assert_int_equal(remembered.sidebar_columns, 0);
	assert_int_equal(remembered.sidebar_configured, 0);
}

static void what_is_none_of_ours_is_nothing(void **state)
{
	static const char *const texts[] = {"",
	                                    "no json",
	                                    "[]",
	                                    "{\"sidebar_columns\":17}",
	                                    "{\"sidebar_columns\":\"30\"}",
	                                    "{\"sidebar_columns\":30,\"sidebar_configured\":-1}"};
	struct bh_remembered remembered = {.sidebar_columns = 30};

	(void)state;
	bh_remembered_load(&remembered, path); // not there
	assert_int_equal(remembered.sidebar_columns, 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(
			bh_file_replace(path, bh_span_of(texts[i]), 0600, BH_FILE_ATOMIC, NULL), 0);
		remembered.sidebar_columns = 30;
		bh_remembered_load(&remembered, path);
		assert_int_equal(remembered.sidebar_columns, 0);
	}
}

static void a_folder_that_is_not_there_is_told(void **state)
{
	struct bh_remembered remembered = {.sidebar_columns = 30};
	struct bh_err err = {0};

	(void)state;
	assert_int_not_equal(bh_remembered_save(&remembered, "/nowhere/at/all", &err), 0);
	assert_true(err.text[0] != '\0');
}

#define FOLDER(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER(what_was_saved_is_loaded),
		FOLDER(what_is_none_of_ours_is_nothing),
		cmocka_unit_test(a_folder_that_is_not_there_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
