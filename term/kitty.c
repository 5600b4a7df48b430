#include "term/kitty.h"

#include "term/reply.h"

#include <string.h>

// Programs push what they want when they start and pop it when they end. Each screen has a stack of
// its own, so that an editor on the alternate screen cannot spoil the shell's keyboard.

#define RESOURCE_OTHER_KEYS 4

static void kitty_push(struct bh_kitty *kitty, unsigned flags)
{
	if (kitty->depth == BH_STATE_KITTY) {
		memmove(kitty->stack, kitty->stack + 1, BH_STATE_KITTY - 1);
		kitty->depth--;
	}
	kitty->stack[kitty->depth++] = kitty->flags;
	kitty->flags = (uint8_t)flags;
}

static void kitty_pop(struct bh_kitty *kitty, int count)
{
	for (; count > 0 && kitty->depth > 0; count--) {
		kitty->flags = kitty->stack[--kitty->depth];
	}
	// More was popped than pushed: all is as in the beginning.
	if (count > 0) {
		kitty->flags = 0;
	}
}

static void kitty_change(struct bh_kitty *kitty, unsigned flags, int how)
{
	if (how == 1) {
		kitty->flags = (uint8_t)flags;
	} else if (how == 2) {
		kitty->flags |= (uint8_t)flags;
	} else if (how == 3) {
		kitty->flags &= (uint8_t)~flags;
	}
}

void bh_kitty_run(struct bh_screen *s, const struct bh_token *token)
{
	struct bh_kitty *kitty = &s->kitty[bh_state_which(s)];
	unsigned flags = (unsigned)bh_token_arg(token, 0, 0) & BH_KITTY_FLAGS;

	switch (token->leader) {
	case '?':
		bh_reply_printf(s, "\x1B[?%du", kitty->flags);
		return;
	case '>':
		kitty_push(kitty, flags);
		break;
	case '<':
		kitty_pop(kitty, bh_token_arg(token, 0, 1));
		break;
	default:
		kitty_change(kitty, flags, bh_token_arg(token, 1, 1));
		break;
	}
	s->changes |= BH_SCREEN_CHANGED_MODES;
}

void bh_kitty_modify_keys(struct bh_screen *s, const struct bh_token *token)
{
	int level = bh_token_arg(token, 1, 0);

	if (token->leader == '?') {
		if (bh_token_arg(token, 0, 0) == RESOURCE_OTHER_KEYS) {
			bh_reply_printf(s, "\x1B[>%d;%dm", RESOURCE_OTHER_KEYS,
			                s->modify_other_keys);
		}
		return;
	}
	if (token->argc == 0) {
		s->modify_other_keys = 0;
	} else if (bh_token_arg(token, 0, 0) == RESOURCE_OTHER_KEYS && level <= 2) {
		s->modify_other_keys = level;
	}
	s->changes |= BH_SCREEN_CHANGED_MODES;
}
