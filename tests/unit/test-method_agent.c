// Which agents there are on a search path.
#include "src/base/mem.h"
#include "tests/unit/server-world.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Make a file of that mode in the world's folder; its path, which the caller frees. */
static char *file_make(const struct world *world, const char *name, mode_t mode)
{
	char *path = bh_xasprintf("%s/%s", world->folder, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
	return path;
}

static void only_programs_on_the_path_are_there(void **state)
{
	struct world world;
	const cJSON *agents = NULL;
	char *claude = NULL;
	char *codex = NULL;
	char *folder = NULL;

	(void)state;
	world_open(&world);
	claude = file_make(&world, "claude", 0700);
	codex = file_make(&world, "codex", 0600);
	folder = bh_xasprintf("%s/bellhop-demo-agent", world.folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	agents = cJSON_GetObjectItem(
		world_call(&world, "agent.installed", "\"path\":\"/nowhere::.:%s\"", world.folder),
		"agents");
	// What cannot be executed, and a folder, are no programs.
	assert_int_equal(cJSON_GetArraySize(agents), 1);
	assert_string_equal(world_text(cJSON_GetArrayItem(agents, 0), "profile"), "claude");
	assert_string_equal(world_text(cJSON_GetArrayItem(agents, 0), "program"), "claude");
	assert_string_equal(world_text(cJSON_GetArrayItem(agents, 0), "path"), claude);
	assert_int_equal(chmod(codex, 0700), 0);
	agents = cJSON_GetObjectItem(
		world_call(&world, "agent.installed", "\"path\":\"%s\"", world.folder), "agents");
	assert_int_equal(cJSON_GetArraySize(agents), 2);
	agents = cJSON_GetObjectItem(world_call(&world, "agent.installed", "\"path\":\"\""),
	                             "agents");
	assert_int_equal(cJSON_GetArraySize(agents), 0);
	assert_null(world_call(&world, "agent.installed", "\"x\":1"));
	assert_string_equal(world_word(&world), "params");
	assert_int_equal(unlink(claude), 0);
	assert_int_equal(unlink(codex), 0);
	assert_int_equal(rmdir(folder), 0);
	free(claude);
	free(codex);
	free(folder);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_programs_on_the_path_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
