#include "src/server/grants.h"

#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/keepsake.h"
#include "src/server/server.h"
#include "src/server/terminal.h"

#include <stdlib.h>
#include <string.h>

#define FILE_NAME "grants.json"
#define WHAT "grants of typing"

struct bh_grants {
	const struct bh_server *server;
	struct bh_grant *all;
	size_t count;
};

static void grants_save(const struct bh_grants *grants)
{
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < grants->count; i++) {
		cJSON *json = cJSON_CreateObject();
		char text[BH_UUID_TEXT];

		cJSON_AddStringToObject(json, "agent", bh_uuid_format(&grants->all[i].agent, text));
		cJSON_AddStringToObject(json, "target",
		                        bh_uuid_format(&grants->all[i].target, text));
		cJSON_AddItemToArray(all, json);
	}
	bh_keepsake_save(grants->server, FILE_NAME, WHAT, all);
}

static void grants_add(struct bh_grants *grants, const struct bh_grant *grant)
{
	grants->all = bh_xrealloc(grants->all, grants->count + 1, sizeof(grants->all[0]));
	grants->all[grants->count++] = *grant;
}

static void grants_remove(struct bh_grants *grants, size_t index)
{
	grants->count--;
	(void)memmove(&grants->all[index], &grants->all[index + 1],
	              (grants->count - index) * sizeof(grants->all[0]));
}

// The index of the grant, or the count.
static size_t grants_find(const struct bh_grants *grants, const struct bh_uuid *agent,
                          const struct bh_uuid *target)
{
	size_t i = 0;

	while (i < grants->count && !(bh_uuid_is_equal(&grants->all[i].agent, agent) &&
	                              bh_uuid_is_equal(&grants->all[i].target, target))) {
		i++;
	}
	return i;
}

bool bh_grants_has(const struct bh_grants *grants, const struct bh_uuid *agent,
                   const struct bh_uuid *target)
{
	return grants_find(grants, agent, target) < grants->count;
}

bool bh_grants_give(struct bh_grants *grants, const struct bh_terminal *agent,
                    const struct bh_terminal *target)
{
	if (bh_grants_has(grants, &agent->id, &target->id)) {
		return true;
	}
	if (grants->count == BH_GRANTS_MAX) {
		return false;
	}
	grants_add(grants, &(struct bh_grant){.agent = agent->id, .target = target->id});
	bh_log(BH_LOG_INFO, "grants", target->identity, "a person lets %s (%s) type into %s",
	       agent->identity, agent->id_text, target->id_text);
	grants_save(grants);
	return true;
}

bool bh_grants_take(struct bh_grants *grants, const struct bh_terminal *agent,
                    const struct bh_terminal *target)
{
	size_t index = grants_find(grants, &agent->id, &target->id);

	if (index == grants->count) {
		return false;
	}
	grants_remove(grants, index);
	bh_log(BH_LOG_INFO, "grants", target->identity, "%s (%s) may type into %s no more",
	       agent->identity, agent->id_text, target->id_text);
	grants_save(grants);
	return true;
}

void bh_grants_drop(struct bh_grants *grants, const struct bh_uuid *terminal)
{
	size_t before = grants->count;

	for (size_t i = grants->count; i-- > 0;) {
		if (bh_uuid_is_equal(&grants->all[i].agent, terminal) ||
		    bh_uuid_is_equal(&grants->all[i].target, terminal)) {
			grants_remove(grants, i);
		}
	}
	if (grants->count != before) {
		grants_save(grants);
	}
}

const struct bh_grant *bh_grants_all(const struct bh_grants *grants, size_t *count_out)
{
	*count_out = grants->count;
	return grants->all;
}

// Those of terminals that ended meanwhile name ids that are never used again.
struct bh_grants *bh_grants_new(const struct bh_server *server)
{
	struct bh_grants *grants = bh_xcalloc(1, sizeof *grants);
	cJSON *all = bh_keepsake_load(server, FILE_NAME);
	const cJSON *json = NULL;

	grants->server = server;
	cJSON_ArrayForEach(json, all)
	{
		const char *agent = NULL;
		const char *target = NULL;
		struct bh_grant grant;

		if (grants->count < BH_GRANTS_MAX &&
		    bh_json_get_str(json, "agent", BH_UUID_TEXT, &agent, NULL) == 0 &&
		    bh_json_get_str(json, "target", BH_UUID_TEXT, &target, NULL) == 0 &&
		    bh_uuid_parse(agent, &grant.agent) && bh_uuid_parse(target, &grant.target)) {
			grants_add(grants, &grant);
		}
	}
	cJSON_Delete(all);
	return grants;
}

void bh_grants_free(struct bh_grants *grants)
{
	if (grants == NULL) {
		return;
	}
	free(grants->all);
	free(grants);
}
