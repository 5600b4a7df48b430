/** @file
 * From an action to the request that does it: the UI changes nothing itself. Pure.
 */
#ifndef BH_UI_ACTION_H
#define BH_UI_ACTION_H

#include "src/ui/keytable.h"
#include "src/ui/model.h"

#include <cjson/cJSON.h>

/** A request. */
struct bh_action_request {
	/** The method; static. NULL: there is nothing to ask for. */
	const char *method;
	/** Its parameters; the caller deletes them. */
	cJSON *params;
};

/**
 * The request of an action.
 *
 * @key
 *         The key that was pressed: of TAB_INDEX the digit.
 * @environ
 *         Of what starts a program: the environment it gets (object, copied), NULL for none.
 * @return
 *         The request; without method for an action that is none, or that has nothing to act on.
 */
struct bh_action_request bh_action_request(const struct bh_model *model, enum bh_action action,
                                           uint32_t key, const cJSON *environ);

/** The request that names tab @id. */
struct bh_action_request bh_action_rename(int id, const char *name);

/**
 * What a person is asked before an action, "" when it is done at once.
 *
 * @out
 *         At least 64 bytes, of @size.
 * @return
 *         Whether an agent is at work there: the request then says `force`.
 */
bool bh_action_question(const struct bh_model *model, enum bh_action action, char *out,
                        size_t size);

#endif
