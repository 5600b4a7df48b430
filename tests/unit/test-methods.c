// The table of methods: each is there once, guarded, and in the document.
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/base/words.h"
#include "src/server/rpc.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void every_method_is_known_and_guarded(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	for (const struct bh_method *method = bh_methods; method->name != NULL; method++) {
		assert_non_null(method->run);
		assert_int_not_equal(method->flags & BH_METHOD_ALL, 0);
		for (const struct bh_method *other = method + 1; other->name != NULL; other++) {
			assert_string_not_equal(method->name, other->name);
		}
	}
	// A stranger gets nothing but who he is and what this is.
	world_run(&world, "a", "");
	world_come_as(&world, BH_CALLER_EXTERNAL);
	assert_null(world_call(&world, "terminal.type", "\"name\":\"a\",\"text\":\"x\""));
	assert_string_equal(world_word(&world), "external");
	assert_null(world_call(&world, "server.stop", "\"force\":true"));
	assert_string_equal(world_word(&world), "external");
	assert_non_null(world_call(&world, "server.info", "\"x\":1"));
	assert_non_null(world_call(&world, "identity.whoami", "\"x\":1"));
	world_close(&world);
}

// The text of doc/PROTOCOL.md; NULL outside of `make check`.
static char *protocol_read(void)
{
	const char *top = getenv("BELLHOP_TEST_SRCDIR");
	struct bh_buf text = {0};

	if (top == NULL) {
		return NULL;
	}
	char *path = bh_xasprintf("%s/doc/PROTOCOL.md", top);

	assert_int_equal(bh_file_read(path, 1 << 20, &text, NULL), 0);
	free(path);
	return bh_buf_detach(&text);
}

static bool method_is_known(const char *name, size_t len)
{
	for (const struct bh_method *method = bh_methods; method->name != NULL; method++) {
		if (strlen(method->name) == len && strncmp(method->name, name, len) == 0) {
			return true;
		}
	}
	return false;
}

static void the_document_has_every_method_and_word(void **state)
{
	char *text = protocol_read();
	size_t rows = 0;
	size_t methods = 0;

	(void)state;
	if (text == NULL) {
		skip();
	}
	// A row of a table of methods begins with a name that has a dot in it.
	for (const char *at = strstr(text, "\n| `"); at != NULL; at = strstr(at + 1, "\n| `")) {
		const char *name = at + strlen("\n| `");
		size_t len = strcspn(name, "`");

		if (memchr(name, '.', len) != NULL) {
			rows++;
			if (!method_is_known(name, len)) {
				fail_msg("no method %.*s", (int)len, name);
			}
		}
	}
	for (const struct bh_method *method = bh_methods; method->name != NULL; method++) {
		methods++;
	}
	assert_int_equal(rows, methods);
	for (int i = 0; i < bh_word_count(BH_WORDS_FAULT); i++) {
		char *quoted = bh_xasprintf("`%s`", bh_word(BH_WORDS_FAULT, i));

		if (strstr(text, quoted) == NULL) {
			fail_msg("the document has no word %s", quoted);
		}
		free(quoted);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_method_is_known_and_guarded),
		cmocka_unit_test(the_document_has_every_method_and_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
