/** @file
 * `bellhop mcp`: a server of the Model Context Protocol on standard input and output, for agents
 * that take tools this way. Three tools: read_inbox, send_message, whoami.
 */
#ifndef BH_BRIDGE_MCP_H
#define BH_BRIDGE_MCP_H

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/client/client.h"

/** A bridge between one agent and a session. */
struct bh_mcp;

/** A bridge; nothing is connected before the first tool call. @settings is borrowed. */
struct bh_mcp *bh_mcp_new(const struct bh_client_settings *settings);

/** Free; NULL allowed. */
void bh_mcp_free(struct bh_mcp *mcp);

/**
 * Take one message of the agent.
 *
 * @line
 *         A JSON-RPC message without its newline; any bytes.
 * @out
 *         The answer is appended with a newline; nothing for a notification.
 */
void bh_mcp_take(struct bh_mcp *mcp, struct bh_span line, struct bh_buf *out);

/** The last answer was written to the agent: mail in it counts as seen. */
void bh_mcp_written(struct bh_mcp *mcp);

/**
 * Serve until the end of @in_fd, writing to @out_fd. A line that is too long is answered with an error.
 *
 * @return
 *         0, or -errno of reading or writing.
 */
int bh_mcp_serve(struct bh_mcp *mcp, int in_fd, int out_fd, struct bh_err *err);

#endif
