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
struct bh_err;
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

/**
 * Read an option that names a message by its number (--after-seq, --before-seq) into parameter
 * @param; BH_EXIT_OK or a printed usage error.
 */
int bh_mail_view_seq(const struct bh_cmd *cmd, const char *option, const char *param,
                     cJSON *params);

/**
 * The message id: what --message-id gives (to send again what may have been lost), or a new one.
 *
 * @return 0, or BH_EINVALID with words in @err.
 */
int bh_mail_view_message_id(const struct bh_cmd *cmd, cJSON *params, struct bh_err *err);

/** The exit status that the contract gives for the answer to a message. */
int bh_mail_view_status(const cJSON *result);

#endif
