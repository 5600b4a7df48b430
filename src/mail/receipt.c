#include "src/mail/receipt.h"

const char *bh_receipt_word(enum bh_receipt_step step)
{
	switch (step) {
#define RECEIPT_WORD(name, number, word) \
	case BH_RECEIPT_##name: \
		return word;
		BH_RECEIPT_STEPS(RECEIPT_WORD)
#undef RECEIPT_WORD
	}
	return "unknown";
}
