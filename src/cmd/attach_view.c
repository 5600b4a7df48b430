#include "src/cmd/attach_view.h"

#include "src/base/err.h"
#include "src/cmd/command.h"

void bh_attach_view_size(int *cols, int *rows)
{
	(void)cols;
	(void)rows;
}

int bh_attach_view_run(struct bh_cmd *cmd, const char *name, bool is_observing)
{
	struct bh_err err = {0};
	(void)is_observing;
	(void)bh_err_set(&err, BH_EUNSUPPORTED, "attach to %s: not built in", name);
	return bh_cmd_fail(cmd, &err);
}
