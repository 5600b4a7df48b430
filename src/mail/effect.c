#include "src/mail/effect.h"

#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct bh_effect *bh_effects_add(struct bh_effects *effects, enum bh_effect_kind kind)
{
	struct bh_effect *effect;

	if (effects->count == effects->size) {
		effects->size = effects->size == 0 ? 4 : effects->size * 2;
		effects->rows = bh_xrealloc(effects->rows, effects->size, sizeof(*effects->rows));
	}
	effect = &effects->rows[effects->count++];
	memset(effect, 0, sizeof(*effect));
	effect->kind = kind;
	return effect;
}

void bh_effects_clear(struct bh_effects *effects)
{
	for (size_t i = 0; i < effects->count; i++) {
		struct bh_effect *effect = &effects->rows[i];

		if (effect->kind == BH_EFFECT_TERMINAL && effect->terminal != NULL) {
			bh_terminal_record_clear(effect->terminal);
			free(effect->terminal);
		}
	}
	free(effects->rows);
	*effects = (struct bh_effects){0};
}
