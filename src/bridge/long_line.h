/** @file
 * A JSON-RPC message that is too long to be kept: of all of it only its id is found, so that who waits for
 * an answer gets one. Pure.
 */
#ifndef BH_BRIDGE_LONG_LINE_H
#define BH_BRIDGE_LONG_LINE_H

#include "src/base/buf.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/** An id of so many bytes, as it is written, is too long to be known. */
#define BH_LONG_LINE_ID 128

/** Zero-initialise at the begin of the line. */
struct bh_long_line {
	/** How many objects and arrays are open. */
	int depth;
	bool in_string, is_escaped;
	/** In the outermost object: a string would be a key; it is one; the value is that of "id". */
	bool wants_key, is_key, is_id;
	char key[8];
	size_t key_len;
	char id[BH_LONG_LINE_ID];
	size_t id_len;
};

/** The next bytes of the line. */
void bh_long_line_feed(struct bh_long_line *line, struct bh_span bytes);

/** The id, a number or a string, which the caller deletes; or NULL: the line has none that can be known. */
cJSON *bh_long_line_id(const struct bh_long_line *line);

#endif
