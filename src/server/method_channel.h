/** @file
 * The methods of channels, for the table in methods.c: doc/PROTOCOL.md section 7.
 */
#ifndef BH_SERVER_METHOD_CHANNEL_H
#define BH_SERVER_METHOD_CHANNEL_H

#include "src/server/rpc.h"

/** `channel.open`: from now on this connection is given mail. */
void bh_method_channel_open(struct bh_request *request);
/** `channel.ack`: the agent has taken it. */
void bh_method_channel_ack(struct bh_request *request);
/** `channel.steer`: text for the running turn of an agent that the caller started. */
void bh_method_channel_steer(struct bh_request *request);

#endif
