#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void print_rooms(const cJSON *result)
{
	struct bh_table table = {.columns = 4};
	const cJSON *room = NULL;

	cJSON_ArrayForEach(room, cJSON_GetObjectItemCaseSensitive(result, "rooms"))
	{
		bh_table_add(&table, "%s", bh_print_str(room, "room", "?"));
		bh_table_add(&table, "members: %.0f", bh_print_num(room, "members", 0));
		bh_table_add(&table, "%s", bh_print_flag(room, "is_member") ? "you are in it" : "");
		bh_table_add(&table, "last: m%.0f", bh_print_num(room, "last_seq", 0));
	}
	if (table.cell_count == 0) {
		(void)puts("No rooms yet: bellhop room join NAME makes one.");
	}
	bh_table_print(&table, stdout);
	if (bh_print_flag(result, "more")) {
		(void)puts("There are more; these are the first by name.");
	}
}

static void print_members(const cJSON *result)
{
	struct bh_table table = {.columns = 2};
	const cJSON *member = NULL;
	char when[32];

	cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(result, "members"))
	{
		bh_table_add(&table, "%s", bh_print_str(member, "name", "?"));
		bh_table_add(&table, "since %s",
		             bh_print_time(bh_print_num(member, "joined_at", 0), when));
	}
	if (table.cell_count == 0) {
		(void)printf("Nobody is in %s.\n", bh_print_str(result, "room", "?"));
	}
	bh_table_print(&table, stdout);
}

static void print_joined(const cJSON *result)
{
	(void)printf("%s %s\n", bh_print_flag(result, "joined") ? "joined" : "already in",
	             bh_print_str(result, "room", "?"));
}

static void print_left(const cJSON *result)
{
	(void)printf("%s %s\n", bh_print_flag(result, "left") ? "left" : "not in",
	             bh_print_str(result, "room", "?"));
}

/** A word after `room`. */
struct verb {
	const char *name;
	const char *method;
	/** Whether a room follows, and whether --name makes sense. */
	bool wants_room;
	bool takes_name;
	void (*print)(const cJSON *result);
};

static const struct verb verbs[] = {
	{"join", "room.join", true, true, print_joined},
	{"leave", "room.leave", true, true, print_left},
	{"list", "room.list", false, false, print_rooms},
	{"members", "room.members", true, false, print_members},
};

static const struct verb *verb_find(const char *word)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].name, word) == 0) {
			return &verbs[i];
		}
	}
	return NULL;
}

/** Add the room; to a shell `#` begins a comment, so it may be left out. */
static void add_room(cJSON *params, const char *word)
{
	char *room = bh_xasprintf("%s%s", word[0] == '#' ? "" : "#", word);

	(void)cJSON_AddStringToObject(params, "room", room);
	free(room);
}

static int run(struct bh_cmd *cmd)
{
	const char *word = bh_args_word(&cmd->args, 0);
	const char *room = bh_args_word(&cmd->args, 1);
	const char *name = bh_args_get(&cmd->args, "name");
	const struct verb *verb = verb_find(word);
	struct bh_request request = {.is_repeatable = true};
	cJSON *result = NULL;
	int status;

	if (verb == NULL) {
		return bh_cmd_usage(cmd, "\"%.60s\" is not join, leave, list or members", word);
	}
	if ((room != NULL) != verb->wants_room) {
		return bh_cmd_usage(
			cmd, verb->wants_room ? "room %s wants a room" : "room %s takes no room",
			verb->name);
	}
	if (name != NULL && !verb->takes_name) {
		return bh_cmd_usage(cmd, "--name goes with join and leave");
	}
	request.method = verb->method;
	request.params = cJSON_CreateObject();
	if (room != NULL) {
		add_room(request.params, room);
	}
	if (name != NULL) {
		(void)cJSON_AddStringToObject(request.params, "name", name);
	}
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		verb->print(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"name", 0, "NAME", "with join and leave: who, instead of you (operator only)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_room = {
	.name = "room",
	.arguments = "join ROOM | leave ROOM | members ROOM | list",
	.summary = "join and leave rooms; mail to a room goes to all its members",
	.help = "A room is an address like '#dev' (here the # may be left out, elsewhere quote it).\n"
		"The first who joins makes it. `send '#dev' TEXT` goes to every member but\n"
		"yourself, each by its own way; `receipt` counts who has seen it.\n"
		"`history --with '#dev'` reads all that was ever said in it. Agents must be\n"
		"members to post and to read; the operator need not.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = 2,
	.acts = true,
	.run = run,
};
