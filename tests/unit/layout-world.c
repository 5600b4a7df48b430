#include "tests/unit/layout-world.h"

#include "src/base/buf.h"
#include "src/server/layout_host.h"

#include <stdlib.h>
#include <unistd.h>

// Turns in which the server sees that a client has gone.
#define GONE_TURNS 10

int number_of(const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItem(object, name);

	assert_true(cJSON_IsNumber(item));
	return item->valueint;
}

static void pane_print(struct bh_buf *text, const cJSON *pane)
{
	bool is_visible = cJSON_IsTrue(cJSON_GetObjectItem(pane, "is_visible"));

	bh_buf_printf(text, is_visible ? "%s:%dx%d+%d+%d" : "(%s:%dx%d+%d+%d)",
	              world_text(pane, "identity"), number_of(pane, "cols"),
	              number_of(pane, "rows"), number_of(pane, "col"), number_of(pane, "row"));
}

void assert_panes(const cJSON *layout, const char *expected)
{
	struct bh_buf text = {0};
	const cJSON *tab = NULL;
	const cJSON *pane = NULL;

	bh_buf_puts(&text, "");
	cJSON_ArrayForEach(tab, cJSON_GetObjectItem(layout, "tabs"))
	{
		const char *gap = text.len > 0 ? " | " : "";

		bh_buf_puts(&text, gap);
		bh_buf_puts(&text, cJSON_IsTrue(cJSON_GetObjectItem(tab, "is_active")) ? "*" : "");
		gap = "";
		cJSON_ArrayForEach(pane, cJSON_GetObjectItem(tab, "panes"))
		{
			bh_buf_puts(&text, gap);
			pane_print(&text, pane);
			gap = " ";
		}
	}
	assert_string_equal(text.data, expected);
	bh_buf_clear(&text);
}

void assert_layout(struct world *world, const char *expected)
{
	assert_panes(world_call(world, "layout.get", "%s", ""), expected);
}

static bool has_size(struct world *world, const char *name, int cols, int rows)
{
	const cJSON *terminal = world_call(world, "terminal.get", "\"name\":\"%s\"", name);

	return number_of(terminal, "cols") == cols && number_of(terminal, "rows") == rows;
}

void assert_size_now(struct world *world, const char *name, int cols, int rows)
{
	assert_true(has_size(world, name, cols, rows));
}

void assert_size(struct world *world, const char *name, int cols, int rows)
{
	const cJSON *terminal = NULL;

	for (int i = 0; i < 100 && !has_size(world, name, cols, rows); i++) {
		(void)usleep(BH_LAYOUT_RESIZE_MS * 1000 / 50);
		world_turn(world);
	}
	terminal = world_call(world, "terminal.get", "\"name\":\"%s\"", name);
	assert_int_equal(number_of(terminal, "cols"), cols);
	assert_int_equal(number_of(terminal, "rows"), rows);
}

void assert_refused(struct world *world, const char *method, const char *params, const char *word)
{
	assert_null(world_call(world, method, "%s", params));
	assert_string_equal(world_word(world), word);
	assert_string_not_equal(world_sentence(world), "");
}

const cJSON *assert_done(struct world *world, const char *method, const char *params)
{
	const cJSON *result = world_call(world, method, "%s", params);

	if (result == NULL) {
		fail_msg("%s {%s}: %s", method, params, world_sentence(world));
	}
	return result;
}

struct world_child *start(struct world *world, const char *method, const char *name,
                          const char *more)
{
	if (world_call(world, method, "\"argv\":[\"/bin/cat\"],\"identity\":\"%s\"%s", name,
	               more) == NULL) {
		fail_msg("%s: %s", method, world_sentence(world));
	}
	return world_child(world);
}

void start_tabs(struct world *world, const char *names)
{
	for (; *names != '\0'; names++) {
		(void)start(world, "tab.new", (char[]){*names, '\0'}, "");
	}
}

struct other client_keep(struct world *world)
{
	struct other other = {world->client, world->in, world->in_len};

	world->client = -1;
	world->in = NULL;
	world->in_len = 0;
	world_come_as(world, BH_CALLER_OPERATOR);
	return other;
}

void client_change(struct world *world, struct other *other)
{
	struct other now = {world->client, world->in, world->in_len};

	world->client = other->client;
	world->in = other->in;
	world->in_len = other->in_len;
	*other = now;
}

void client_drop(struct world *world, struct other *other)
{
	(void)close(other->client);
	free(other->in);
	for (int i = 0; i < GONE_TURNS; i++) {
		world_turn(world);
	}
}
