/** @file
 * The tabbed UI from a command: connects the session with src/ui/app.h.
 */
#ifndef BH_CMD_UI_VIEW_H
#define BH_CMD_UI_VIEW_H

#include <stdbool.h>

struct bh_cmd;
struct bh_config_size;

/** Whether `bellhop` alone shows the session: a person sits at a terminal that can be drawn on, and
 * not inside of one of the session's own. */
bool bh_ui_view_is_wanted(const struct bh_cmd *cmd);

/** Show the session until the person leaves. @size: a policy to set before; one without policy, or
 * NULL: as it is. Gives an exit status. */
int bh_ui_view_run(struct bh_cmd *cmd, bool is_observing, const struct bh_config_size *size);

#endif
