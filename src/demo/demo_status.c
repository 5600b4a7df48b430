#include "demo_status.h"

#include <string.h>

static void base64_print(struct bh_buf *out, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *at = (const unsigned char *)text;

	for (size_t left = strlen(text); left > 0;) {
		size_t take = left < 3 ? left : 3;
		unsigned bits = (unsigned)at[0] << 16;
		char four[4];

		bits |= take > 1 ? (unsigned)at[1] << 8 : 0;
		bits |= take > 2 ? (unsigned)at[2] : 0;
		four[0] = digits[bits >> 18 & 63];
		four[1] = digits[bits >> 12 & 63];
		four[2] = (char)(take > 1 ? digits[bits >> 6 & 63] : '=');
		four[3] = (char)(take > 2 ? digits[bits & 63] : '=');
		bh_buf_append(out, four, sizeof(four));
		at += take;
		left -= take;
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
