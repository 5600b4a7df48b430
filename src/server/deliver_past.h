/** @file
 * Internal to delivery: mail that was typed before, and the record of the session that runs now.
 */
#ifndef BH_SERVER_DELIVER_PAST_H
#define BH_SERVER_DELIVER_PAST_H

#include <stdbool.h>

struct bh_station;

/**
 * Seek due mail that was typed before in the record of the session that runs now: what it holds is
 * seen. Once per message. True: the look is under way, nothing may be begun before its end.
 */
bool bh_station_looks_back(struct bh_station *station);

#endif
