#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <stdlib.h>

static void print_list(const cJSON *result)
{
	const cJSON *programs = cJSON_GetObjectItemCaseSensitive(result, "programs");
	const cJSON *program = NULL;
	struct bh_table table = {.columns = 5};

	if (cJSON_GetArraySize(programs) == 0) {
		(void)printf("no program is registered\n");
		return;
	}
	bh_table_add(&table, "NAME");
	bh_table_add(&table, "PROCESS");
	bh_table_add(&table, "LEASE");
	bh_table_add(&table, "LEFT");
	bh_table_add(&table, "MAIL");
	cJSON_ArrayForEach(program, programs)
	{
		char lease[16];
		char left[16];

		bh_table_add(&table, "%s", bh_print_str(program, "identity", "?"));
		if (bh_print_num(program, "pid", 0) > 0) {
			bh_table_add(&table, "%.0f", bh_print_num(program, "pid", 0));
		} else {
			bh_table_add(&table, "by token");
		}
		bh_table_add(&table, "%s",
		             bh_print_age(bh_print_num(program, "lease_ms", 0), lease));
		bh_table_add(&table, "%s", bh_print_age(bh_print_num(program, "left_ms", 0), left));
		bh_table_add(&table, "%.0f", bh_print_num(program, "unread", 0));
	}
	bh_table_print(&table, stdout);
}

/** Lines that a shell may evaluate: for a person's script the token is all there is. */
static void print_registered(const cJSON *result)
{
	char lease[16];

	(void)printf("# %s is registered for %s from each call on; ",
	             bh_print_str(result, "identity", "?"),
	             bh_print_age(bh_print_num(result, "lease_ms", 0), lease));
	if (bh_print_num(result, "pid", 0) > 0) {
		(void)printf("process %.0f and all below it speak as it\n",
		             bh_print_num(result, "pid", 0));
	} else {
		(void)printf("who has this token speaks as it\n");
	}
	(void)printf("BELLHOP_TOKEN=%s; export BELLHOP_TOKEN\n", bh_print_str(result, "token", ""));
}

static void print_released(const cJSON *result)
{
	(void)printf("the registration of %s has ended; its mailbox stays\n",
	             bh_print_str(result, "identity", "?"));
}

/** Add `--lease` and `--pid`; BH_EXIT_OK, or what the usage error gave. */
static int add_options(struct bh_cmd *cmd, cJSON *params)
{
	const char *lease = bh_args_get(&cmd->args, "lease");
	const char *pid = bh_args_get(&cmd->args, "pid");
	struct bh_err err = {0};
	long lease_ms = 0;
	char *end = NULL;

	if (lease != NULL) {
		if (bh_args_duration(lease, &lease_ms, &err) != 0) {
			return bh_cmd_usage(cmd, "%s", err.text);
		}
		(void)cJSON_AddNumberToObject(params, "lease_ms", (double)lease_ms);
	}
	if (pid != NULL) {
		long number = strtol(pid, &end, 10);

		if (*end != '\0' || number < 2) {
			return bh_cmd_usage(cmd, "--pid is the number of a process, not \"%.40s\"",
			                    pid);
		}
		(void)cJSON_AddNumberToObject(params, "pid", (double)number);
	}
	return BH_EXIT_OK;
}

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);
	bool is_end = bh_args_has(&cmd->args, "end");
	struct bh_request request = {.method = "identity.registered", .is_repeatable = true};
	void (*print)(const cJSON *) = print_list;
	cJSON *result = NULL;
	int status;

	if (is_end) {
		request.method = "identity.release";
		request.is_repeatable = false;
		print = print_released;
	} else if (name != NULL) {
		request.method = "identity.register";
		print = print_registered;
	}
	request.params = cJSON_CreateObject();
	if (name != NULL) {
		(void)cJSON_AddStringToObject(request.params, "name", name);
	}
	status = add_options(cmd, request.params);
	if (status != BH_EXIT_OK) {
		cJSON_Delete(request.params);
		return status;
	}
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"lease", 0, "TIME", "how long it lasts after each call (default: 1h)"},
	{"pid", 0, "PID", "the process that it stands or falls with: one above this command"},
	{"end", 0, NULL, "give the registration back (a person: that of NAME)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_register = {
	.name = "register",
	.arguments = "[NAME]",
	.summary = "give a name to a program that bellhop did not start",
	.help = "For agents and scripts outside: with a name they send, read and wait like an agent\n"
		"in a terminal, but nothing is ever typed to them. Known is the agent's process with\n"
		"all below it, and whoever has the token that is printed:\n"
		"    eval \"$(bellhop register ci --lease 10m)\"\n"
		"Every call renews the lease; an open `wait` or `channel` holds it. It ends with the\n"
		"process. To register again with the token, or from the same process, gives the name\n"
		"back. Without NAME: what is registered.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 0,
	.words_max = 1,
	.acts = true,
	.run = run,
};
