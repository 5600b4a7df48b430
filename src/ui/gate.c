#include "src/ui/gate.h"

#include <string.h>

/** What can move the focus, or give its pane another terminal. */
static const char *const movers[] = {
	"pane.break", "pane.close", "pane.focus", "pane.join", "pane.rotate", "pane.show",
	"pane.split", "pane.swap",  "tab.close",  "tab.new",   "tab.select",  "terminal.run",
};

static bool is_mover(const char *method)
{
	for (size_t i = 0; i < sizeof(movers) / sizeof(movers[0]); i++) {
		if (strcmp(movers[i], method) == 0) {
			return true;
		}
	}
	return false;
}

void bh_gate_clear(struct bh_gate *gate)
{
	cJSON_Delete(gate->closing);
	*gate = (struct bh_gate){0};
}

void bh_gate_sent(struct bh_gate *gate, const char *method)
{
	gate->pending += is_mover(method) ? 1 : 0;
}

void bh_gate_answered(struct bh_gate *gate, const char *method, const cJSON *result,
                      uint64_t now_ms)
{
	const cJSON *closing = cJSON_GetObjectItemCaseSensitive(result, "closing");
	const cJSON *version = cJSON_GetObjectItemCaseSensitive(result, "version");

	if (!is_mover(method)) {
		return;
	}
	gate->pending -= gate->pending > 0 ? 1 : 0;
	if (cJSON_IsNumber(version) && version->valuedouble > (double)gate->version) {
		gate->version = (uint64_t)version->valuedouble;
	}
	if (cJSON_IsArray(closing)) {
		cJSON_Delete(gate->closing);
		gate->closing = cJSON_Duplicate(closing, true);
		gate->closing_until_ms = now_ms + BH_GATE_CLOSING_MS;
	}
}

static bool is_closing(const struct bh_gate *gate, const char *focus_id, uint64_t now_ms)
{
	const cJSON *id = NULL;

	if (focus_id == NULL || now_ms >= gate->closing_until_ms) {
		return false;
	}
	cJSON_ArrayForEach(id, gate->closing)
	{
		if (cJSON_IsString(id) && strcmp(id->valuestring, focus_id) == 0) {
			return true;
		}
	}
	return false;
}

bool bh_gate_is_shut(const struct bh_gate *gate, uint64_t version, const char *focus_id,
                     uint64_t now_ms)
{
	return gate->pending > 0 || version < gate->version || is_closing(gate, focus_id, now_ms);
}
