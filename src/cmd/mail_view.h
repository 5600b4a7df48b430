/** @file
 * Reading mail from a command: prints messages, and confirms them only when they were really
 * handed on.
 */
#ifndef BH_CMD_MAIL_VIEW_H
#define BH_CMD_MAIL_VIEW_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <sys/types.h>

struct bh_cmd;
struct bh_request;

/** Print the messages of a read as they would be typed, or the note that nothing is new. */
void bh_mail_view_print(const cJSON *result);

/**
 * Make a read call, print its messages (or its JSON), flush, and confirm: but only if the output
 * was taken and the process that called us is still alive. What is not confirmed becomes unread
 * again by itself.
 *
 * @request
 *         The call; its parameters are taken.
 * @return
 *         An exit status.
 */
int bh_mail_view_read(struct bh_cmd *cmd, const struct bh_request *request);

/** Read option --limit (1 to 1000) into parameter `limit`; BH_EXIT_OK or a printed usage error. */
int bh_mail_view_limit(const struct bh_cmd *cmd, cJSON *params);

#endif
