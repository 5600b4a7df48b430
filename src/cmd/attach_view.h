/** @file
 * Attaching from a command: connects the session with the full-screen view of src/ui/attach.h.
 */
#ifndef BH_CMD_ATTACH_VIEW_H
#define BH_CMD_ATTACH_VIEW_H

#include <stdbool.h>

struct bh_cmd;
struct bh_err;
struct bh_outer;

/** Size of the outer terminal less the status line; the arguments stay when there is none. */
void bh_attach_view_size(int *cols, int *rows);

/** Whether this process has a terminal to show one in, and what it can; fills @err when not. */
bool bh_attach_view_is_possible(struct bh_outer *outer, struct bh_err *err);

/** Show terminal @name until the user detaches or it ends. Gives an exit status. */
int bh_attach_view_run(struct bh_cmd *cmd, const char *name, bool is_observing);

#endif
