#include "src/mail/message.h"

#include <stdlib.h>
#include <string.h>

static const char *const task_words[] = {
	[BH_TASK_NONE] = "",
	[BH_TASK_SUBMITTED] = "submitted",
	[BH_TASK_WORKING] = "working",
	[BH_TASK_INPUT_REQUIRED] = "input_required",
	[BH_TASK_COMPLETED] = "completed",
	[BH_TASK_FAILED] = "failed",
	[BH_TASK_CANCELED] = "canceled",
	[BH_TASK_UPDATE] = "update",
};

static const char *const ownership_words[] = {
	[BH_OWNER_NONE] = "unread",
	[BH_OWNER_CLAIM] = "claimed",
	[BH_OWNER_SEEN] = "seen",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const char *bh_task_status_word(enum bh_task_status status)
{
	return (size_t)status < COUNT(task_words) ? task_words[status] : "unknown";
}

int bh_task_status_parse(const char *word, enum bh_task_status *status_out, struct bh_err *err)
{
	for (size_t i = BH_TASK_SUBMITTED; i < COUNT(task_words); i++) {
		if (strcmp(word, task_words[i]) == 0) {
			*status_out = (enum bh_task_status)i;
			return 0;
		}
	}
	return bh_err_set(err, BH_EINVALID,
	                  "there is no task status %.32s: use working, input_required, "
	                  "completed, failed, canceled or update",
	                  word);
}

bool bh_task_status_is_final(enum bh_task_status status)
{
	return status == BH_TASK_COMPLETED || status == BH_TASK_FAILED ||
	       status == BH_TASK_CANCELED;
}

const char *bh_ownership_word(enum bh_ownership ownership)
{
	return (size_t)ownership < COUNT(ownership_words) ? ownership_words[ownership] : "unknown";
}

const char *bh_seen_word(enum bh_seen_how how)
{
	switch (how) {
#define SEEN_WORD(name, number, word) \
	case BH_SEEN_##name: \
		return word;
		BH_SEEN_WAYS(SEEN_WORD)
#undef SEEN_WORD
	}
	return "unknown";
}

void bh_message_clear(struct bh_message *message)
{
	free(message->body);
	memset(message, 0, sizeof(*message));
}

bool bh_message_id_is_valid(const char *id)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789._:-";
	size_t len = strspn(id, allowed);

	return len > 0 && len < BH_MESSAGE_ID_SIZE && id[len] == '\0';
}

uint64_t bh_message_number(char letter, const char *text)
{
	uint64_t number = 0;
	size_t at = 1;

	if (text[0] != letter || text[1] < '1' || text[1] > '9') {
		return 0;
	}
	for (; text[at] >= '0' && text[at] <= '9'; at++) {
		if (at > 16) { // more digits than 2^53 has
			return 0;
		}
		number = number * 10 + (uint64_t)(text[at] - '0');
	}
	return text[at] == '\0' && number <= UINT64_C(1) << 53 ? number : 0;
}
