/** @file
 * Mail as text for its readers, people and language models: the same in the CLI and the MCP tools.
 */
#ifndef BH_CLIENT_MAIL_TEXT_H
#define BH_CLIENT_MAIL_TEXT_H

#include "src/base/buf.h"

#include <cjson/cJSON.h>

/**
 * Append text of a message or a screen so that it cannot steer a terminal: UTF-8, newlines and tabs
 * as they are; other controls and bidi controls as \x1b or \u{202e}; what is no UTF-8 as U+FFFD.
 */
void bh_mail_text_safe(struct bh_buf *out, const char *text, size_t len);

/**
 * Append the result of inbox.read, inbox.peek or inbox.wait: each message as it would be typed, a
 * blank line after it, then what else there is to know (nothing new, more unread).
 *
 * @again
 *         How to read on, completing "N more unread: ": "run the same command again".
 */
void bh_mail_text_read(struct bh_buf *out, const cJSON *result, const char *again);

/** Append the answer of message.send, one "field: value" per line in the order of the contract. */
void bh_mail_text_answer(struct bh_buf *out, const cJSON *answer);

/** Append the result of identity.whoami, one "field: value" per line. */
void bh_mail_text_self(struct bh_buf *out, const cJSON *self);

#endif
