#include "src/client/mail_text.h"
#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static void print_self(const cJSON *result)
{
	struct bh_buf text = {0};

	bh_mail_text_self(&text, result);
	bh_print_buf(stdout, &text);
}

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "identity.whoami", .is_repeatable = true};
	cJSON *result = NULL;
	int status = bh_session_request(cmd, &request, &result);

	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print_self(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_whoami = {
	.name = "whoami",
	.summary = "tell who bellhop takes you for",
	.options = options,
	.group = BH_GROUP_MAIL,
	.run = run,
};
