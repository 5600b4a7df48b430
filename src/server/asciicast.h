/** @file
 * What a tape still has as an asciicast (version 2), for bug reports and `bellhop replay`.
 */
#ifndef BH_SERVER_ASCIICAST_H
#define BH_SERVER_ASCIICAST_H

#include "src/base/buf.h"
#include "src/server/terminal.h"

/**
 * Append the recording to @out. A tape has no times, so all events stand at 0.0: first what drew the
 * screen of the checkpoint, then the output and the resizes since. Only the marker `captured` at the
 * end has one: how long nothing was put out. Bytes that are no UTF-8 become U+FFFD, as the format
 * demands. The command of the header is the name of the profile, so that a replay judges by it.
 */
void bh_asciicast_write(struct bh_terminal *terminal, struct bh_buf *out);

#endif
