#include "src/cmd/user_config.h"

#include "src/cmd/command.h"
#include "src/cmd/print.h"
#include "src/ui/bindings.h"

#include <stdio.h>

static void print_fault(const struct bh_err *err, void *user)
{
	const struct bh_cmd *const *cmd = user;

	bh_print_program(stderr, *cmd);
	(void)fprintf(stderr, "%s\n", err->text);
}

int bh_user_config_load(const struct bh_cmd *cmd, const struct bh_paths *paths,
                        struct bh_config *config)
{
	struct bh_config_source source = {.path = paths->config_file,
	                                  .is_needed = paths->is_config_named,
	                                  .names = &bh_bindings_names,
	                                  .report = print_fault,
	                                  .user = &cmd};

	return bh_config_load(config, &source);
}
