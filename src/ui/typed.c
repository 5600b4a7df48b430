#include "src/ui/typed.h"

void bh_typed_clear(struct bh_typed *typed)
{
	bh_buf_clear(&typed->recent);
	*typed = (struct bh_typed){0};
}

void bh_typed_forget(struct bh_typed *typed)
{
	bh_buf_clear(&typed->recent);
	typed->unsent = 0;
}

void bh_typed_add(struct bh_typed *typed, struct bh_span keys, bool is_sent)
{
	size_t sent = 0;

	if (is_sent) {
		typed->total += keys.len;
	} else if (keys.len <= BH_TYPED_UNSENT_MAX - typed->unsent) {
		typed->unsent += keys.len;
	} else {
		return;
	}
	bh_buf_append(&typed->recent, keys.data, keys.len);
	sent = typed->recent.len - typed->unsent;
	if (sent > 2 * BH_TYPED_SENT_MAX) { // not with every key
		bh_buf_consume(&typed->recent, sent - BH_TYPED_SENT_MAX);
	}
}

struct bh_span bh_typed_resume(struct bh_typed *typed, const cJSON *result)
{
	const cJSON *taken = cJSON_GetObjectItemCaseSensitive(result, "input_taken");
	bool is_known = cJSON_IsNumber(taken) && taken->valuedouble >= 0;
	uint64_t count = is_known ? (uint64_t)taken->valuedouble : 0;
	size_t again = typed->unsent;

	// One that does not know us counts from here, and what it got before is not known.
	if (typed->has_begun && is_known && count <= typed->total) {
		uint64_t missing = typed->total - count + typed->unsent;

		again = missing < typed->recent.len ? (size_t)missing : typed->recent.len;
	}
	typed->has_begun = true;
	typed->unsent = 0;
	typed->total = count + again;
	return (struct bh_span){.data = again == 0 ? NULL
	                                           : typed->recent.data + typed->recent.len - again,
	                        .len = again};
}
