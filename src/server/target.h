/** @file
 * The terminal that a request is about: its `name` parameter, and whether the caller may act on it.
 */
#ifndef BH_SERVER_TARGET_H
#define BH_SERVER_TARGET_H

#include "src/server/rpc.h"
#include "src/server/terminal.h"

#include <stdbool.h>

/**
 * The terminal that the parameter `name` of the request names (identity, id or prefix of one).
 *
 * @return
 *         NULL when there is none: the request was failed with `params`, `not_found` (with the
 *         nearest names) or `ambiguous`.
 */
struct bh_terminal *bh_target_find(struct bh_request *request);

/** As bh_target_find(), by another parameter. */
struct bh_terminal *bh_target_find_param(struct bh_request *request, const char *param);

/** As bh_target_find(), and there must be a screen to look at, else the request is failed with `busy`
 * (it is being started) or `exited` (what it showed is not kept). */
struct bh_terminal *bh_target_find_shown(struct bh_request *request);

/** As bh_target_find(), and the child must live, else the request is failed with `exited`. */
struct bh_terminal *bh_target_find_alive(struct bh_request *request);

/** Whether the caller is a person, or inside the terminal that started this one. false: the request
 * was failed with `operator_only`. */
bool bh_target_may_act(struct bh_request *request, const struct bh_terminal *terminal);

/** Whether the caller may type into the terminal: a person, or who was granted it, which is logged.
 * false: the request was failed with `operator_only`. */
bool bh_target_may_type(struct bh_request *request, const struct bh_terminal *terminal);

/** Fail the request because what an ended terminal showed is not kept (is_screen_lost). */
void bh_target_fail_lost(struct bh_request *request, const struct bh_terminal *terminal);

/** Fail the request because nothing is called @name; similar names go along. */
void bh_target_fail_unknown(struct bh_request *request, const char *name);

#endif
