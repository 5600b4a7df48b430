// What one server leaves for the next in small files.
#include "src/server/keepsake.h"

#include "tests/unit/server-world.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void what_is_saved_is_there_for_the_owner_alone(void **state)
{
	struct world world;
	struct stat about;
	char path[512];
	cJSON *json;

	(void)state;
	world_open(&world);
	json = bh_keepsake_load(&world.server, "things.json");
	assert_int_equal(cJSON_GetArraySize(json), 0);
	cJSON_AddItemToArray(json, cJSON_CreateString("one"));
	bh_keepsake_save(&world.server, "things.json", "things", json);
	json = bh_keepsake_load(&world.server, "things.json");
	assert_int_equal(cJSON_GetArraySize(json), 1);
	assert_string_equal(cJSON_GetArrayItem(json, 0)->valuestring, "one");
	cJSON_Delete(json);
	(void)snprintf(path, sizeof path, "%s/things.json", world.server.paths.runtime_dir);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	world_close(&world);
}

static void what_cannot_be_read_is_nothing(void **state)
{
	static const char *const texts[] = {"", "{}", "[1,", "nonsense", "7"};
	struct world world;
	char path[512];

	(void)state;
	world_open(&world);
	(void)snprintf(path, sizeof path, "%s/things.json", world.server.paths.runtime_dir);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		assert_true(fputs(texts[i], file) >= 0);
		assert_int_equal(fclose(file), 0);
		cJSON *json = bh_keepsake_load(&world.server, "things.json");

		assert_true(cJSON_IsArray(json));
		assert_int_equal(cJSON_GetArraySize(json), 0);
		cJSON_Delete(json);
	}
	// It cannot be written: the server goes on.
	bh_keepsake_save(&world.server, "no/such/folder.json", "things", cJSON_CreateArray());
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_saved_is_there_for_the_owner_alone),
		cmocka_unit_test(what_cannot_be_read_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
