/** @file
 * What an agent's hook command does: passes one event on to the server. It must never slow the
 * agent down, fail it, or say a word to it, whatever happens.
 */
#ifndef BH_BRIDGE_HOOK_H
#define BH_BRIDGE_HOOK_H

#include "src/base/err.h"
#include "src/client/client.h"

/** Longest payload that is read (bytes). */
#define BH_HOOK_PAYLOAD_MAX (16 * 1024 * 1024)

/** One hook event. */
struct bh_hook {
	/** The profile's name ("claude"); NULL: the payload must not need it. */
	const char *agent;
	/** The event; NULL: `hook_event_name` of the payload. */
	const char *event;
	/** Where the payload comes from: one JSON object until the end of the file. */
	int fd;
	/** Time for everything together (ms). */
	long limit_ms;
};

/**
 * Read the payload and send it as `hook.event`.
 *
 * @settings
 *         The session; its connect_ms is cut to the limit. Without a token nothing is done.
 * @return
 *         0, or a code with words in @err, for a log at most: the agent gets to know nothing.
 */
int bh_hook_send(const struct bh_hook *hook, const struct bh_client_settings *settings,
                 struct bh_err *err);

#endif
