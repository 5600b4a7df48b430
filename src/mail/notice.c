#include "src/mail/notice.h"

const char *bh_notice_state_word(enum bh_notice_state state)
{
	switch (state) {
	case BH_NOTICE_OPEN:
		return "open";
	case BH_NOTICE_PARKED:
		return "parked";
	case BH_NOTICE_CLOSED:
		return "closed";
	}
	return "unknown";
}
