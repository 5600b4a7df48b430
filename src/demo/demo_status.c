#include "demo_status.h"

#include <string.h>

static unsigned byte_or_zero(const char *text, size_t len, size_t at)
{
	return at < len ? (unsigned char)text[at] : 0;
}

static void base64_print(struct bh_buf *out, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const size_t len = strlen(text);

	for (size_t at = 0; at < len; at += 3) {
		unsigned bits = byte_or_zero(text, len, at) << 16 |
		                byte_or_zero(text, len, at + 1) << 8 |
		                byte_or_zero(text, len, at + 2);
		char four[] = {digits[bits >> 18 & 63], digits[bits >> 12 & 63], '=', '='};

		if (at + 1 < len) {
			four[2] = digits[bits >> 6 & 63];
		}
		if (at + 2 < len) {
			four[3] = digits[bits & 63];
		}
		bh_buf_append(out, four, sizeof(four));
	}
}

static const char *state_word(const struct bh_demo_agent *agent)
{
	switch (agent->phase) {
	case BH_DEMO_STARTING:
	case BH_DEMO_TRUST:
		return NULL;
	case BH_DEMO_IDLE:
		return agent->is_done ? "done" : "idle";
	case BH_DEMO_WORKING:
		return "working";
	case BH_DEMO_ASKING:
		return "blocked";
	case BH_DEMO_OVER:
		return "clear";
	}
	return NULL;
}

void bh_demo_status_print(const struct bh_demo_agent *agent, struct bh_buf *out)
{
	const char *word = state_word(agent);

	if (word == NULL) {
		return;
	}
	bh_buf_printf(out, "\033]7501;state=%s:app=bellhop-demo", word);
	if (agent->phase == BH_DEMO_ASKING) {
		bh_buf_puts(out, ":kind=permission:msg=");
		base64_print(out, agent->question);
	}
	bh_buf_puts(out, "\033\\");
}
