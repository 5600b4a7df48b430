#include "src/mail/terminal_record.h"

#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const respawn_words[] = {
	[BH_RESPAWN_NEVER] = "never",
	[BH_RESPAWN_ON_FAILURE] = "on-failure",
	[BH_RESPAWN_ALWAYS] = "always",
};

#define RESPAWN_COUNT (sizeof(respawn_words) / sizeof(respawn_words[0]))

const char *bh_respawn_word(enum bh_respawn policy)
{
	return (size_t)policy < RESPAWN_COUNT ? respawn_words[policy] : "unknown";
}

int bh_respawn_parse(const char *word, enum bh_respawn *policy_out, struct bh_err *err)
{
	for (size_t i = 0; i < RESPAWN_COUNT; i++) {
		if (strcmp(word, respawn_words[i]) == 0) {
			*policy_out = (enum bh_respawn)i;
			return 0;
		}
	}
	return bh_err_set(err, BH_EINVALID,
	                  "there is no respawn policy %.32s: use never, on-failure or always",
	                  word);
}

enum bh_mode bh_terminal_record_mode(const struct bh_terminal_record *record)
{
	if (record->mode != BH_MODE_DEFAULT) {
		return record->mode;
	}
	return record->has_started_agent ? BH_MODE_NOTICE : BH_MODE_MESSAGE;
}

static char *text_copy(const char *text)
{
	return bh_xstrdup(text == NULL ? "" : text);
}

void bh_terminal_record_copy(struct bh_terminal_record *to, const struct bh_terminal_record *from)
{
	*to = *from;
	to->argv = text_copy(from->argv);
	to->env = text_copy(from->env);
	to->extra = text_copy(from->extra);
	to->cwd = text_copy(from->cwd);
	to->profile = text_copy(from->profile);
	to->token_hash = text_copy(from->token_hash);
	bh_list_init(&to->names);
	bh_list_init(&to->link);
}

void bh_terminal_record_clear(struct bh_terminal_record *record)
{
	free(record->argv);
	free(record->env);
	free(record->extra);
	free(record->cwd);
	free(record->profile);
	free(record->token_hash);
	record->argv = record->env = record->extra = NULL;
	record->cwd = record->profile = record->token_hash = NULL;
}
